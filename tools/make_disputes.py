"""Draws the positions of ``docs/disputes.md``, with the evidence of the rulings as arrows.

    python -m tools.make_disputes

The pictures are in ``docs/pictures/disputes``; a test compares them with the cases.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from xiangqi.casebook.cases import DISPUTES, Case, find_case_folder, load_cases
from xiangqi.drawing.svg import board_svg
from xiangqi.referee.evidence import threat_arrows
from xiangqi.referee.judging import Referee
from xiangqi.svg import draw_ruling

__all__ = ["PICTURES", "draw_dispute"]

PICTURES: Final = Path(__file__).parents[1] / "docs/pictures/disputes"
_OCCURRENCES: Final = 3
"""Occurrences of the cycle's first position in the drawn game."""


def draw_dispute(case: Case) -> str:
    """Draw the last position with the evidence of the ruling, or with the last move's attacks."""
    board = case.play_until(_OCCURRENCES)
    ruling = board.judge()
    if ruling.plies or not board.ply():
        return draw_ruling(ruling)
    threats = Referee().find_threats(board, not board.turn)
    arrows = dict.fromkeys(arrow for threat in threats for arrow in threat_arrows(threat))
    return board_svg(board.setup(), arrows=arrows)


def main() -> None:
    """Write the picture of each dispute."""
    argparse.ArgumentParser(description="Draw the positions of docs/disputes.md.").parse_args()
    for case in load_cases([find_case_folder(DISPUTES)]):
        (PICTURES / f"{case.id}.svg").write_text(draw_dispute(case), encoding="utf-8")


if __name__ == "__main__":
    main()
