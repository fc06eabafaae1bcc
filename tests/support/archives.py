"""Files of games for tests of archives, and writers of rulings that end their own process."""

from __future__ import annotations

import gzip
import io
import json
import os
from pathlib import Path

from tests.support.format_encoders import encode_cbl, encode_cbr, line
from tests.support.game_trees import random_game
from xiangqi.games.arbiter import GameRuling, rule_game
from xiangqi.games.archive import Unread, ruling_line, unread_line
from xiangqi.games.formats import FORMATS, WriteOptions, read_games
from xiangqi.ground.errors import XiangqiError
from xiangqi.referee.rules import WXF, RuleSet

CHECK_FEN = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CYCLE = "f0e0 e8f8 e0f0 f8e8".split()


def write_json_lines(path: Path, games: int, comment: str = "") -> str:
    """Games of four plies, every tenth a perpetual check, with a comment each; the file's name."""
    text = io.StringIO()
    for number in range(games):
        is_check = number % 10 == 9
        game = {"red": f"红{number}", "moves": "h2e2 h9g7 h0g2 i9h9".split(), "result": "1-0"}
        if is_check:
            game |= {"fen": CHECK_FEN, "moves": CYCLE * 2}
        text.write(json.dumps({**game, "comments": {"0": comment}}, ensure_ascii=False) + "\n")
    path.write_text(text.getvalue(), encoding="utf-8")
    return str(path)


def write_files(folder: Path) -> list[str]:
    """Files of every format, sound and damaged; their names."""
    contents: dict[str, bytes] = {}
    for name, known in FORMATS.items():
        if known.can_write:
            out = io.BytesIO()
            games = [random_game(seed, most=30) for seed in range(1 if known.single else 12)]
            known.write(games, out, WriteOptions(lossy=True))
            contents[f"{name}{known.suffixes[0]}"] = out.getvalue()
    records = [encode_cbr(line("h2e2", "h9g7")), encode_cbr(line("h2e9")), encode_cbr([])]
    contents |= {
        "library.cbl": encode_cbl(records * 3, name="库"),
        "story.doc": b"once upon a time",
        "zipped.jsonl.gz": gzip.compress(contents["jsonl.jsonl"]),
        "broken.pgn.gz": gzip.compress(contents["pgn.pgn"])[:-20],
        "faults.pgn": '[Red "红"]\n\n1. 炮二平五 *\n\n[Red "'.encode("gb18030")
        + b'\xff\xff"]\n\n1. H2-E2 {not closed\n\n[Red "B"]\n\n1. H2-E9 *\n',
        "surrogate.jsonl": b'{"red": "\\ud800", "moves": ["h2e2", "\\udfff"]}\n\nnonsense\n',
        "empty.pgn": b"",
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    write_json_lines(folder / "cycles.jsonl", 30)
    return [*sorted(map(str, folder.iterdir())), str(folder / "missing.pgn")]


def one_by_one(names: list[str], rules: RuleSet = WXF) -> bytes:
    """The rulings on all games of files, each file read in one piece."""
    lines: list[str] = []
    for name in names:
        try:
            for number, game in enumerate(read_games(name, source=name), start=1):
                lines.append(ruling_line(rule_game(game, rules, source=name, number=number)))
        except (XiangqiError, OSError) as error:
            lines.append(unread_line(Unread(name, None, str(error)), rules))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def die_once(marker: str, ruled: GameRuling) -> str:
    """Write a ruling; at game 17, and only if nobody has done so, end the process instead."""
    if ruled.number == 17:
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os._exit(1)
    return ruling_line(ruled)


def die_at_17(ruled: GameRuling) -> str:
    """Write a ruling; at game 17 end the process instead."""
    if ruled.number == 17:
        os._exit(1)
    return ruling_line(ruled)


def divide_by_zero(ruled: GameRuling) -> str:
    """Fail as a fault of the program would."""
    return str(1 // (ruled.number - 7))
