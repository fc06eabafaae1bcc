"""Rulings as pictures: the meaning of each arrow."""

from __future__ import annotations

from xiangqi import Board, draw_ruling
from xiangqi.casebook.cases import load_cases
from xiangqi.referee.evidence import ply_arrows, threat_arrows


def test_a_false_root_is_an_arrow_of_its_own() -> None:
    kinds = set()
    for case in load_cases():
        ruling = case.play_until(3).judge()
        for report in ruling.plies:
            for threat in report.threats:
                arrows = {(arrow.tail, arrow.head): arrow.kind for arrow in threat_arrows(threat)}
                if threat.root is not None:
                    kind = "protection" if threat.is_protected else "false_protection"
                    assert arrows[threat.root, threat.victim] == kind
            kinds |= {arrow.kind for arrow in ply_arrows(report)}
    assert kinds == {"attack", "protection", "false_protection", "chase", "check"}


def test_a_ruling_is_drawn_with_its_evidence() -> None:
    board = Board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w")
    for move in "f0e0 e8f8 e0f0 f8e8".split() * 2:
        board.push_iccs(move)
    drawing = draw_ruling(board.judge())
    assert drawing._repr_svg_() == drawing, "notebooks show it"
    assert type(drawing._repr_svg_()) is str
    assert f"<desc>{board.fen()}</desc>" in drawing
    for title in ("check: e0 to e8", "check: f0 to f8"):
        assert drawing.count(f"<title>{title}</title>") == 1
    assert "<title>" in draw_ruling(Board().judge())
