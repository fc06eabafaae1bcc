"""The command ``show``: print a position with the attacks on every piece."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

import click
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from xiangqi.board import Board
from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.options import RuleOptions, position_options, rule_options, voice_options
from xiangqi.cli.tables import ensure_tables
from xiangqi.contract.rulings import threat_to_dict
from xiangqi.pieces import (
    COLOR_NAMES,
    FILE_NAMES,
    RANK_NAMES,
    RED,
    Square,
    square,
    square_name,
)
from xiangqi.referee.evidence import ThreatEvidence, describe_threat
from xiangqi.referee.grounds import find_grounds
from xiangqi.referee.judging import Safety, SafetyMark, find_safety
from xiangqi.referee.rules import RuleSet
from xiangqi.tables.probing import describe_default_tables
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = ["show"]

Signs: TypeAlias = Literal["traditional", "simplified", "letters"]
"""Piece symbols for a terminal."""

_STYLES: Final[Mapping[SafetyMark, str]] = {
    SafetyMark.ATTACKED: "bold red",
    SafetyMark.PINNED: "magenta",
    SafetyMark.FALSE: "yellow",
    SafetyMark.PROTECTED: "green",
}
_CELL: Final = 4
"""Columns of a square."""


@click.command(
    cls=Examples,
    epilog="""
    xiangqi show "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
    xiangqi show "2bak4/4a4/4b4/9/9/4R4/9/4n4/4A4/3AK4 w" --lang zh
    xiangqi show "炮二平五马8进7马二进三车9平8" --lettering simplified
    xiangqi show examples/openings.epd
    """,
)
@position_options
@voice_options(PLAIN_VOICE)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--lettering",
    type=click.Choice(get_args(Signs)),
    default="letters",
    help="Letters or characters for the pieces.",
)
@rule_options()
@handle_errors
def show(
    fen: str,
    voice: Voice,
    as_json: bool,
    lettering: Signs,
    rules: RuleOptions,
) -> None:
    """Print a position with the attacks on every piece.

    The position is a FEN, or the last one of a pasted GAME. Pieces are marked as attacked, pinned
    or protected; below the board are the value from endgame tables, and each attack with its
    classification under the rules. Small tables are made in the default folder at first use.

    A FILE, or - for standard input, gives the last position of each of its games, such as each line
    of a list of FENs.
    """
    board = Board(fen)
    chosen = rules.choose()
    safety = find_safety(board, chosen)
    if as_json:
        click.echo(json.dumps(_as_data(board, safety, chosen), ensure_ascii=False))
        return
    console = Console(highlight=False, soft_wrap=True)
    console.print(_picture(safety, lettering))
    console.print(voice.say("pair", name=voice.side(board.turn), value=board.fen()), markup=False)
    legend = Text()
    for mark, style in _STYLES.items():
        legend.append(mark.value, style)
        legend.append(f" {voice.say(f'safety_{mark.name.lower()}')}\n")
    console.print(legend)
    ensure_tables(board)
    value = describe_default_tables(board, voice)
    if value:
        console.print(value, markup=False)
    cells = board.cells()
    for one in safety.values():
        for threat in one.attacks:
            found = ThreatEvidence.of(threat, find_grounds(threat, cells), chosen)
            console.print(describe_threat(found, chosen, cells).say(voice), markup=False)


def _picture(safety: Mapping[Square, Safety], lettering: Signs) -> Text:
    picture = Text()
    for rank in reversed(range(10)):
        picture.append(f"{RANK_NAMES[rank]} ")
        for file in range(9):
            found = safety.get(square(file, rank))
            if found is None:
                picture.append(".".ljust(_CELL), "dim")
                continue
            marks, piece = found.marks(), found.piece
            letter = piece.symbol() if lettering == "letters" else piece.chinese(lettering)
            text = letter + "".join(mark.value for mark in marks)
            gap = " " * (_CELL - cell_len(text))  # a Chinese character is two columns wide
            cell = Text(text + gap, _STYLES[marks[0]] if marks else "")
            cell.stylize("bold" if piece.color == RED else "", 0, 1)
            picture.append_text(cell)
        picture.append("\n")
    return picture.append("  " + "".join(name.ljust(_CELL) for name in FILE_NAMES).rstrip())


def _as_data(board: Board, safety: Mapping[Square, Safety], rules: RuleSet) -> dict[str, Any]:
    cells = board.cells()
    return {
        "fen": board.fen(),
        "pieces": {
            square_name(place): {
                "piece": one.piece.symbol(),
                "side": COLOR_NAMES[one.piece.color],
                "marks": [mark.name.lower() for mark in one.marks()],
                "protectors": sorted(map(square_name, one.protectors)),
                "false_protectors": sorted(map(square_name, one.false_protectors)),
                "attacks": [
                    threat_to_dict(ThreatEvidence.of(threat, find_grounds(threat, cells), rules))
                    for threat in one.attacks
                ],
            }
            for place, one in safety.items()
        },
    }
