"""The command ``judge``: judge a game, files of games, or lines of JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from xiangqi.board import Board
from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.options import (
    ArchiveOptions,
    RuleOptions,
    Style,
    archive_options,
    gathered,
    is_fen,
    rule_options,
    voice_options,
)
from xiangqi.contract.errors import error_to_dict
from xiangqi.contract.rulings import comparison_to_dict, ruling_to_dict
from xiangqi.games.arbiter import rule_game
from xiangqi.games.record import parse_json_line, parse_position
from xiangqi.games.requests import GAME_KEYS, check_keys, play_request
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, RecordError, XiangqiError
from xiangqi.ground.exits import EXIT_DIFFERENT
from xiangqi.ground.files import STANDARD, new_file
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.comparison import (
    Comparison,
    cells_of_ruling,
    compare,
    format_differences,
    table_header,
)
from xiangqi.referee.explanation import Explanation, format_ruling
from xiangqi.referee.judging import Referee, Ruling
from xiangqi.referee.rule_names import short_name
from xiangqi.referee.rules import RuleSet, find_rule_set
from xiangqi.words.voice import PLAIN_VOICE, Voice

if TYPE_CHECKING:
    from xiangqi.casebook.cases import Case

__all__ = ["judge"]

_LINE_KEYS: Final = ("id", *GAME_KEYS, "rules", "occurrences")
"""Keys of a line of --jsonl."""
_MAX_NAME_LENGTH: Final = 255
"""Maximum bytes of a file name on common systems."""


class GivenGame(NamedTuple):
    """The game to judge, in one of its forms."""

    position: tuple[str, ...] = ()
    """Words of a position, pasted moves, or names of files."""
    fen: str | None = None
    moves: str | None = None
    case_id: str | None = None

    def names_files(self) -> bool:
        """Are the words names of files? Raises UsageError if another form is given as well."""
        words = self.position
        if not words or _is_position(words) or _is_game(words):
            return False
        if self._replace(position=()) != GivenGame():
            raise click.UsageError("--fen, --moves and --case cannot be combined with files.")
        return True

    def find_case(self) -> Case | None:
        """Case of a rule book, if it is the form."""
        if self.case_id is None:
            return None
        from xiangqi.casebook.cases import find_case, load_all_cases

        return find_case(self.case_id, load_all_cases())

    def play(self, case: Case | None, rules: RuleSet) -> Board:
        """Play the game, or the case under a rule set; UsageError unless there is one form."""
        has_moves = self.fen is not None or self.moves is not None
        given = {
            "POSITION": bool(self.position),
            "--fen/--moves": has_moves,
            "--case": case is not None,
        }
        if sum(given.values()) != 1:
            found = " and ".join(name for name, is_given in given.items() if is_given) or "none"
            raise click.UsageError(
                f"Give a game: --fen and --moves, a POSITION, or --case; found {found}."
            )
        if case is not None:
            return _play_case(case, rules)
        text = " ".join(self.position)
        if self.position and _is_position(self.position):
            return parse_position(text).play()
        from xiangqi.games.pasting import read_moves

        start = STARTING_FEN if self.fen is None else self.fen
        return read_moves(text or self.moves or "", start).play()


@click.command(
    cls=Examples,
    epilog="""
    xiangqi judge --fen "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w" --moves "f0e0 e8f8 e0f0 f8e8"
    xiangqi judge --explain "position startpos moves h2e2 h9g7 e2h2 g7h9 h2e2 h9g7 e2h2 g7h9"
    xiangqi judge "1. 炮二平五 马8进7 2. 炮五平二 马7退8"
    xiangqi judge --moves "C2.5H8+7C5.2H7-8C2.5H8+7C5.2H7-8C2.5H8+7"
    xiangqi judge --case V14a --explain --notation wxf
    xiangqi judge --case D13 --rules all
    xiangqi judge games.pgn --sheet sheet.html
    xiangqi judge games.pgn more.xqf --explain
    xiangqi judge games.pgn more.xqf -o rulings.jsonl
    xiangqi judge games.pgn more.xqf -o rulings.jsonl --resume
    xiangqi judge --jsonl < games.jsonl > rulings.jsonl
    """,
)
@click.argument("position", nargs=-1, metavar="[POSITION | FILE...]")
@click.option("--fen", help="Initial position of the game; default: the starting position.")
@click.option("--moves", help="Moves in any notation, with or without move numbers.")
@click.option(
    "--case", "case_id", metavar="ID", help="Case of a rule book, such as D12 or cxa2020-c8-10."
)
@click.option("--jsonl", is_flag=True, help="Judge one JSON object per line of standard input.")
@click.option(
    "--explain", is_flag=True, help="Explain the classification of each move of the cycle."
)
@click.option(
    "--sheet",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.html",
    help="Write a sheet of one page for the arbiter to print and sign.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the ruling with its evidence as JSON.")
@voice_options(PLAIN_VOICE)
@archive_options
@rule_options(several=True)
@gathered("given", GivenGame)
@gathered("style", Style)
@handle_errors
def judge(
    given: GivenGame,
    jsonl: bool,
    sheet: Path | None,
    style: Style,
    rules: RuleOptions,
    archive: ArchiveOptions,
) -> None:
    """Judge a game by the repetition rules: who must deviate, and why.

    A game is given by --fen and --moves, or as a POSITION: a 'position' command of UCCI or UCI,
    pasted moves, or a FEN. The verdict on its last position is 'undecided' until that position has
    occurred often enough. If the game goes on, the value from endgame tables is added ("tables" in
    JSON); small tables are made at first use.

    For FILEs of games, in any format that 'xiangqi convert' reads, each game gets a line: the first
    event that decided it (mate, no legal move, a final illegal move, a repetition, too many moves
    without a capture), the move number, and whether the recorded result differs. A folder means
    its files, - standard input. --explain adds the evidence on repetitions; --json prints
    an object for each game. The exit code is 1 if a game could not be read.

    -o writes the rulings on an archive to a file, as JSON lines or as a Parquet table, in the order
    of the games, by several processes or a cluster. --resume continues an interrupted run. Each
    unreadable file or game gets an entry of its own.

    Several rule sets (--rules all, or names separated by commas) give a table of each side's
    conduct and the verdict under each, and the clauses that make the difference from the first.
    Files are judged by the first rule set, and the verdicts of the others are added.

    --sheet writes the ruling of the first rule set on one game as an HTML file without scripts:
    players and event, diagrams, the moves of the cycle with their reasons, the verdict, the open
    questions that decided it, and lines for signatures. It prints on A4, and every browser saves it
    as PDF.

    With --jsonl each input line {"id": ..., "fen": "...", "moves": ["h2e2", ...]}, with moves in
    any notation, or {"position": "position startpos moves h2e2"}, gives a line with the verdict,
    both sides' conduct, the window (first and last ply, from 0), the offender, the chased piece and
    the reason. "rules" and "occurrences" choose the rule set of a line; another key is an error. An
    invalid line gives {"id": ..., "error": "..."}; the others are judged, and the exit code is 1.
    """
    rule_sets = rules.choose_all()
    if jsonl:
        if style.explain or sheet is not None or given != GivenGame():
            raise click.UsageError(
                "--jsonl reads standard input; it cannot be combined with a game, --explain or "
                "--sheet."
            )
        failed = _judge_lines(rule_sets, evidence=style.as_json)
        sys.exit(EXIT_DIFFERENT if failed else 0)
    if given.names_files():
        from xiangqi.cli.files import judge_files, read_only_game

        if sheet is not None:
            game = read_only_game(given.position)
            _write_sheet(game, sheet, rule_sets[0], style.voice, force=archive.force)
            archive = archive._replace(force=False)
        failed = judge_files(given.position, rule_sets, archive, style)
        sys.exit(EXIT_DIFFERENT if failed else 0)
    if archive._replace(force=archive.force and sheet is None) != ArchiveOptions():
        raise click.UsageError(
            "-o, --workers, --scheduler, --resume and --force need files of games."
        )
    if given.fen is None and is_fen(given.position):
        given = given._replace(position=(), fen=" ".join(given.position))
    case = given.find_case()
    board = given.play(case, rule_sets[0])
    if sheet is not None:
        game = _read_game(given.position, board)
        _write_sheet(game, sheet, rule_sets[0], style.voice, force=archive.force)
    value = _table_value(board, rule_sets, style.voice, makes=True)
    if len(rule_sets) == 1:
        _print_ruling(Referee(rule_sets[0]).judge(board), value, style)
    else:
        played = board if case is None else lambda rules: _play_case(case, rules)
        _print_comparison(compare(played, rule_sets), value, style)


def _read_game(words: tuple[str, ...], board: Board) -> Game:
    """Game of a board; pasted text may have headers, such as the names of the players."""
    from xiangqi.games.pasting import read_pasted

    if words and not _is_position(words):
        return read_pasted(" ".join(words)).game
    game = Game(board.root_fen())
    game.add_line(board.move_stack)
    return game


def _write_sheet(game: Game, path: Path, rules: RuleSet, voice: Voice, *, force: bool) -> None:
    from xiangqi.web.pages.sheet import RulingSheet, render_sheet

    sheet = RulingSheet(game, rule_game(game, rules), replace(voice, with_board=True))
    with new_file(path, replace=force) as out:
        out.write(render_sheet(sheet).encode())
    click.echo(str(path), err=True)


def _is_position(words: tuple[str, ...]) -> bool:
    """Are the words a ``position`` command or a FEN, and no file names?"""
    is_known = words[0].split()[:1] in (["position"], ["startpos"], ["fen"]) or is_fen(words)
    return is_known and not os.path.exists(words[0])


def _is_game(words: tuple[str, ...]) -> bool:
    """Are the words pasted moves of a game, and no file names?

    Text that cannot be a file name counts as a game, so that its error is that of a game.
    """
    from xiangqi.games.formats.phrases import holds_moves
    from xiangqi.games.pasting import read_pasted

    if STANDARD in words or any(os.path.exists(word) for word in words):
        return False
    text = " ".join(words)
    names = (name for word in words for name in word.split("/"))
    if "\n" in text or any(len(name.encode(errors="replace")) > _MAX_NAME_LENGTH for name in names):
        return True
    try:
        return bool(read_pasted(text).game.root.variations)
    except XiangqiError:
        return holds_moves(text) and not Path(text).suffix


def _play_case(case: Case, rules: RuleSet) -> Board:
    """Play the cycle of the case as often as the rule set requires."""
    return case.play_by(rules) if rules.rounds is not None else case.play_until(rules.occurrences)


def _table_value(
    board: Board, rule_sets: Sequence[RuleSet], voice: Voice = PLAIN_VOICE, *, makes: bool = False
) -> str:
    """Describe the table value if the game goes on under the first rule set; empty if unknown.

    ``makes``: make missing small tables.
    """
    if board.outcome(rule_sets[0]) is not None:
        return ""
    from xiangqi.tables.probing import describe_default_tables

    if makes:
        from xiangqi.cli.tables import ensure_tables

        ensure_tables(board)
    return describe_default_tables(board, voice)


def _add_value(data: Mapping[str, object], value: str) -> Mapping[str, object]:
    """Add a table value, if there is one, to the JSON data of a ruling."""
    return {**data, "tables": value} if value else data


def _print_ruling(ruling: Ruling, value: str, style: Style) -> None:
    voice = style.voice
    if style.as_json:
        data = _add_value(ruling_to_dict(ruling), value)
        click.echo(json.dumps(data, ensure_ascii=False, indent=1))
        return
    found = Explanation(ruling)
    for text in (found,) if style.explain else (found.sentence, *found.counts):
        click.echo(text.say(voice))
    if value:
        click.echo(value)


def _print_comparison(comparison: Comparison, value: str, style: Style) -> None:
    """Print the verdicts of all rule sets as a table, then the clauses that differ."""
    voice = style.voice
    if style.as_json:
        data = _add_value(comparison_to_dict(comparison), value)
        click.echo(json.dumps(data, ensure_ascii=False, indent=1))
        return
    from xiangqi.cli.base import align_columns

    rows = [
        (short_name(ruling.rules).say(voice), *cells_of_ruling(ruling, voice))
        for ruling in comparison.rulings
    ]
    for line in align_columns([table_header(voice), *rows]):
        click.echo(line)
    click.echo()
    for line in format_differences(comparison, voice):
        click.echo(line)
    if value:
        click.echo(value)
    for ruling in comparison.rulings if style.explain else ():
        click.echo(f"\n{format_ruling(ruling, voice)}")


def _judge_lines(rule_sets: Sequence[RuleSet], *, evidence: bool) -> int:
    """Print a line for each line of standard input; return the number of errors."""
    failed = 0
    for number, line in enumerate(map(bytes.strip, sys.stdin.buffer), start=1):
        if line:
            answer = _judge_line(rule_sets, number, line, evidence=evidence)
            failed += "error" in answer
            click.echo(json.dumps(answer))
    return failed


def _judge_line(
    rule_sets: Sequence[RuleSet], number: int, line: bytes, *, evidence: bool
) -> dict[str, Any]:
    record_id = None
    try:
        data = parse_json_line(line)
        record_id = data.get("id")
        check_keys(data, _LINE_KEYS)
        board = play_request(data)
        if "rules" in data or "occurrences" in data:
            name, count = data.get("rules"), data.get("occurrences")
            if name is not None and not isinstance(name, str):
                raise RecordError(None, repr(name), Fact("record.rules"))
            rules = rule_sets[0] if name is None else find_rule_set(name)
            rule_sets = [rules if count is None else rules.replace({"occurrences": count})]
        comparison = compare(board, rule_sets)
    except XiangqiError as error:
        place = Fact("place.line", line=number)
        found = error_to_dict(error)
        found["message"] = Fact("at", place=place, what=found["message"])
        found["place"] = ", ".join(filter(None, (place, found["place"])))
        return {"id": record_id, "error": found}
    ruled: Mapping[str, object]
    if len(rule_sets) == 1:
        ruled = ruling_to_dict(comparison.rulings[0], evidence=evidence)
    else:
        ruled = comparison_to_dict(comparison, evidence=evidence)
    return {"id": record_id, **_add_value(ruled, _table_value(board, rule_sets))}
