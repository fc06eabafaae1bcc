"""Writes the glossary of rulings, ``docs/glossary.md``, and its diagrams.

    python -m tools.make_glossary

The terms and the moves that show them are in ``tools/glossary.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.casebook.cases import find_case, load_all_cases
from xiangqi.drawing.svg import board_svg
from xiangqi.ground.files import load_toml
from xiangqi.pieces.arrows import Arrow, ArrowKind
from xiangqi.referee.evidence import ply_arrows
from xiangqi.referee.judging import Referee
from xiangqi.referee.marks import Joint
from xiangqi.referee.ruling import PlyReport, Ruling
from xiangqi.referee.terms import TERMS, Term

__all__ = ["DIAGRAMS", "PAGE", "draw_term", "read_terms", "show_term", "write_page"]

_ROOT: Final = Path(__file__).parents[1]
PAGE: Final = _ROOT / "docs/glossary.md"
DIAGRAMS: Final = _ROOT / "docs/pictures/glossary"
_HEAD: Final = """# Glossary

The terms of rulings in English, Chinese and Vietnamese, each with a move of a case that shows it:
the last move in brackets, red arrows for checks, violet ones for chases and threats, thin ones for
other attacks, and protections, real and false. Explanations name the anchors of their terms
(`xiangqi judge --case D84a --explain`). [The rules](rules.md) have every clause.
"""


def read_terms() -> dict[str, dict[str, Any]]:
    """Names, meanings and case of each term by its anchor."""
    return dict(load_toml(_ROOT / "tools/glossary.toml"))


def show_term(term: Term) -> tuple[Ruling, PlyReport]:
    """Ruling on the case of a term, and the report on the move that shows the term."""
    rules, name, ply = read_terms()[term.value]["case"]
    ruling = Referee(rules).judge(find_case(name, load_all_cases()).play_until(3))
    return ruling, next(report for report in ruling.plies if report.ply == ply)


def draw_term(term: Term) -> str:
    """Diagram of the position after the move, with the arrows of its attacks."""
    ruling, report = show_term(term)
    board = Board(ruling.fen)
    for move in ruling.moves[: report.ply + 1]:
        board.push(move)
    arrows = dict.fromkeys((*ply_arrows(report), *_proof_arrows(report)))
    return board_svg(
        board.setup(),
        size=300,
        lastmove=(report.move.from_square, report.move.to_square),
        arrows=arrows,
        check=report.king if report.checkers else None,
        coordinates=False,
    )


def _proof_arrows(report: PlyReport) -> Iterator[Arrow]:
    """Arrows of the first capture or check of each line, of roots and of false roots."""
    for proof in report.proofs:
        if not proof.moves or proof.clause is not None:
            continue
        first = proof.moves[0]
        kind: ArrowKind = "chase" if proof.mark.is_strike else "attack"
        yield Arrow(first.from_square, first.to_square, kind)
        for false in proof.false_roots:
            yield Arrow(false.root.square, first.to_square, "false_protection")
        for root in proof.partners if proof.joint is Joint.ROOT else ():
            yield Arrow(root.square, first.to_square, "protection")


def write_page() -> str:
    """Text of the page."""
    return "\n".join((_HEAD, *map(_write_term, TERMS)))


def _write_term(term: Term) -> str:
    data = read_terms()[term.value]
    name = term.value.replace("-", " ")
    rules, case, _ = data["case"]
    return f"""## {name}

**{data["zh"]}** · **{data["vi"]}**

![A move that shows the term: {name}](pictures/glossary/{term.value}.svg)

{data["en_means"]}

{data["zh_means"]}

{data["vi_means"]}

Case `{case}` by `{rules}`.
"""


def main() -> None:
    """Write the page and the diagrams."""
    DIAGRAMS.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(write_page(), encoding="utf-8")
    for term in TERMS:
        (DIAGRAMS / f"{term.value}.svg").write_text(draw_term(term), encoding="utf-8")


if __name__ == "__main__":
    main()
