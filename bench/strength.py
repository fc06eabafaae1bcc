"""Strength of Meihua: games against other engines that are installed.

    python -m bench.strength --games 20 --st 0.2

plays them one at a time with ``xiangqi match`` and prints a table. The openings are reproducible
random sequences of a few quiet moves that Meihua evaluates as even; each is played twice, with the
colours exchanged.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from rich.console import Console
from rich.table import Table

from bench.peers import FAIRY_STOCKFISH, find_program
from bench.report import Machine
from xiangqi import Board
from xiangqi.engine import Engine, Limits
from xiangqi.games.record import POINTS
from xiangqi.match.arguments import build_config, split_words
from xiangqi.match.journal import MatchJournal
from xiangqi.match.player import StartError
from xiangqi.match.runner import EXIT_DONE, run_match
from xiangqi.match.stats import Stats

OPENING_PLIES: Final = 6
EVEN_CP: Final = 60
"""Maximum absolute score of an even opening, in centipawns."""
JUDGING_DEPTH: Final = 6
NAME: Final = "Meihua"


@dataclass(frozen=True)
class Peer:
    """An engine to play against."""

    program: str
    package: str
    arguments: tuple[str, ...]
    """Arguments of the match for this engine, besides its path."""


PEERS: Final = (
    Peer(FAIRY_STOCKFISH, "apt-get install fairy-stockfish", ("proto=uci", "option.Hash=16")),
    # It keeps to the time for a move only on average.
    Peer("hoixiangqi", "apt-get install hoichess", ("proto=xboard", "timemargin=10000")),
)


def even_openings(count: int, seed: int) -> list[str]:
    """Make ``count`` different openings, each the text of its moves, from a seed.

    Each is judged from an empty hash table.
    """
    rng, engine = Random(seed), Engine()
    found: dict[int, str] = {}
    while len(found) < count:
        board = Board()
        while board.ply() < OPENING_PLIES:
            board.push(rng.choice(board.list_moves("quiets")))
        engine.new_game()
        score = engine.analyse(board, Limits(depth=JUDGING_DEPTH))[0].score
        if abs(score) <= EVEN_CP and not board.is_check():
            found.setdefault(board.key, " ".join(move.iccs() for move in board.move_stack))
    return list(found.values())


@dataclass(frozen=True)
class Result:
    """Results against one peer, from Meihua's side."""

    peer: Peer
    stats: Stats
    faults: Counter[str]
    """Number of games lost by faults, by engine and fault."""


def play(peer: Peer, path: str, options: argparse.Namespace, folder: Path) -> Result | None:
    """Play the games; return None if the match was not finished."""
    openings = folder / "openings.txt"
    rows = even_openings((options.games + 1) // 2, options.seed)
    openings.write_text("\n".join(rows) + "\n", encoding="utf-8")
    name = Path(peer.program).name
    journal = folder / f"{name}.jsonl"
    meihua = f"{shlex.quote(sys.executable)} -m xiangqi engine"
    arguments = split_words(
        [
            *("-engine", f"cmd={meihua}", f"name={NAME}", "proto=ucci", "option.hashsize=16"),
            *("-engine", f"cmd={path}", f"name={peer.program}", *peer.arguments),
            *("-each", f"st={options.st}", "-rounds", str(len(rows)), "-concurrency", "1"),
            *("-openings", f"file={openings}", "order=sequential", "-ratinginterval", "0"),
            *("-jsonout", f"file={journal}", "-srand", str(options.seed)),
            *("-pgnout", f"file={folder / name}.pgn"),
        ]
    )
    if run_match(build_config(arguments), arguments) != EXIT_DONE:
        return None
    with closing(MatchJournal.resume(journal)) as finished:
        return _count(peer, finished)


def _count(peer: Peer, journal: MatchJournal) -> Result:
    stats, faults = Stats(), Counter[str]()
    points: list[float] = []
    for game in journal.games:
        red = POINTS[game["result"]]
        points.append(red if game["red"] == NAME else 1 - red)
        if game["fault"]:
            loser = game["black"] if game["result"] == "1-0" else game["red"]
            faults[f"{loser}: {game['fault']}"] += 1
    for first, second in zip(points[::2], points[1::2], strict=True):
        stats.add_pair(first, second)
    return Result(peer, stats, faults)


def print_results(results: Sequence[Result], console: Console) -> None:
    """Print the results as a table."""
    table = Table(title=f"{NAME} against its peers", header_style="bold")
    for heading in ("peer", "games", "won", "drawn", "lost", "score", "Elo", "faults"):
        table.add_column(heading, justify="left" if heading in ("peer", "faults") else "right")
    for result in results:
        games, stats = result.stats.games, result.stats
        table.add_row(
            result.peer.program,
            *map(str, (games.total, games.wins, games.draws, games.losses)),
            f"{100 * stats.score:.1f} %",
            f"{stats.elo:+.0f} ± {stats.elo_error:.0f}",
            ", ".join(f"{fault} ({count})" for fault, count in result.faults.items()) or "none",
        )
    console.print(table)
    console.print("Elo is Meihua's advantage with its 95 % interval.", highlight=False)


def main() -> int:
    """Play against every installed peer; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength", description="Measure Meihua's strength."
    )
    parser.add_argument(
        "--games", type=int, default=20, help="games against each peer (default: 20)"
    )
    parser.add_argument("--st", type=float, default=0.2, help="seconds a move (default: 0.2)")
    parser.add_argument(
        "--seed", type=int, default=1, help="random seed of the openings (default: 1)"
    )
    parser.add_argument("--peer", action="append", metavar="NAME", help="play only this peer")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="folder for journals and games")
    options = parser.parse_args()
    names = [peer.program for peer in PEERS]
    for name in options.peer or ():
        if name not in names:
            parser.error(f"unknown peer {name!r}: expected one of {', '.join(names)}")
    if options.games < 2 or options.st <= 0:
        parser.error("expected 2 games or more and a time above 0")
    console = Console()
    console.print(str(Machine.here()), highlight=False)
    results = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.out or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for peer in PEERS:
            if options.peer and peer.program not in options.peer:
                continue
            path = find_program(peer.program)
            if path is None:
                console.print(f"{peer.program}: not installed: {peer.package}", highlight=False)
                continue
            try:
                result = play(peer, path, options, folder)
            except (StartError, ValueError) as error:
                console.print(f"{peer.program}: {error}", highlight=False)
                return 1
            if result is None:
                return 1
            results.append(result)
    print_results(results, console)
    return 0


if __name__ == "__main__":
    sys.exit(main())
