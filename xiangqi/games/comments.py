"""Evaluations and times in the comments of moves, as chess programs write them.

``[%eval 0.35]`` is the evaluation after the move from Red's point of view, in pawns; ``[%eval #3]``
is a mate by Red in three moves, ``[%eval #-3]`` one by Black. A depth may follow (``0.35,18``).
python-chess and Lichess use the same form from White's point of view
(https://python-chess.readthedocs.io/en/latest/pgn.html). ``[%clk 0:09:58.5]`` is the mover's clock
after the move, ``[%emt 0:00:03]`` the time spent on the move. ``[%csl Ga0]`` marks a square,
``[%cal Gh2e2]`` draws an arrow. The letter is a colour, one for each kind of arrow here: green (G)
for a move, red (R) for a check, yellow (Y) for a chase, blue (B) for a protection.

>>> read_eval("[%eval -0.35,18] a slip")
Eval(cp=-35, mate=None)
>>> put_eval("a slip", Eval(mate=-3))
'[%eval #-3] a slip'
>>> without_eval("[%eval #-3] a slip")
'a slip'
>>> read_time("[%clk 1:02:03.5] a slip", "clk")
3723.5
>>> put_time("a slip", "emt", 3)
'[%emt 0:00:03] a slip'
>>> read_arrows("[%cal Gh2e2,Re2e6] the centre")
[Arrow(tail=25, head=22, kind='move'), Arrow(tail=22, head=58, kind='check')]
>>> put_arrows("the centre", [Arrow(22, 22), Arrow(25, 22)])
'[%csl Ge2] [%cal Gh2e2] the centre'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from xiangqi.ground.lines import BLANKS_BEFORE
from xiangqi.pieces import RED, Square, parse_square, square_name
from xiangqi.pieces.arrows import Arrow, ArrowKind

if TYPE_CHECKING:
    from xiangqi.board.scores import PovScore

__all__ = [
    "CommentData",
    "Eval",
    "TimeKind",
    "put_arrows",
    "put_eval",
    "put_time",
    "read_arrows",
    "read_eval",
    "read_time",
    "without_eval",
]

_EVAL: Final = re.compile(
    BLANKS_BEFORE
    + r"\[%eval\s+(?:\#([+-]?\d{1,6})|([+-]?(?:\d{1,10}(?:\.\d{0,6})?|\.\d{1,6})))(?:,\d+)?\s*\]\s*"
)


@dataclass(frozen=True, slots=True)
class Eval:
    """Evaluation from Red's point of view; one of the two fields is set."""

    cp: int | None = None
    """Centipawns."""
    mate: int | None = None
    """Number of moves to a mate by Red; negative for one by Black."""

    def __str__(self) -> str:
        if self.mate is not None:
            return f"#{self.mate}"
        return f"{(self.cp or 0) / 100:.2f}"


def read_eval(comment: str) -> Eval | None:
    """Return the first evaluation in a comment; None if it has none."""
    found = _EVAL.search(comment)
    if found is None:
        return None
    if found[1] is not None:
        return Eval(mate=int(found[1]))
    return Eval(cp=round(float(found[2]) * 100))


def without_eval(comment: str) -> str:
    return _EVAL.sub(" ", comment).strip() if "[%eval" in comment else comment


def put_eval(comment: str, value: Eval) -> str:
    """Put an evaluation before a comment, replacing those that it has."""
    return f"[%eval {value}] {without_eval(comment)}".rstrip()


TimeKind: TypeAlias = Literal["clk", "emt"]

_TIMES: Final = {
    kind: re.compile(
        rf"{BLANKS_BEFORE}\[%{kind}\s+(\d{{1,6}}):(\d{{1,2}}):(\d{{1,2}}(?:\.\d{{0,6}})?)\s*\]\s*"
    )
    for kind in ("clk", "emt")
}


def read_time(comment: str, kind: TimeKind) -> float | None:
    """Return the first time of this kind in a comment, in seconds; None if it has none."""
    found = _TIMES[kind].search(comment)
    if found is None:
        return None
    return 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3])


def put_time(comment: str, kind: TimeKind, seconds: float | None) -> str:
    """Put a time before a comment, replacing those of its kind; None only removes them.

    Raises ValueError for a negative or infinite time.
    """
    rest = _TIMES[kind].sub(" ", comment).strip()
    if seconds is None:
        return rest
    if not 0 <= seconds < 3.6e9:
        raise ValueError(f"invalid time {seconds!r}: expected 0 or more seconds")
    ms = round(1000 * seconds)
    hours, minutes = ms // 3_600_000, ms // 60_000 % 60
    last = f"{ms // 1000 % 60:02}.{ms % 1000:03}".rstrip("0").rstrip(".") if ms % 60_000 else "00"
    return f"[%{kind} {hours}:{minutes:02}:{last}] {rest}".rstrip()


_COLORS: Final[dict[str, ArrowKind]] = {"G": "move", "R": "check", "Y": "chase", "B": "protection"}
_LETTERS: Final[dict[str, str]] = {kind: letter for letter, kind in _COLORS.items()}
_ARROW: Final = r"[GRYB]?[a-i][0-9](?:[a-i][0-9])?"
_ARROWS: Final = re.compile(rf"{BLANKS_BEFORE}\[%c[sa]l\s+({_ARROW}(?:,{_ARROW})*)\s*\]\s*")


def read_arrows(comment: str) -> list[Arrow]:
    """Return the arrows of a comment; a mark of a square is an arrow to itself."""
    arrows = []
    for group in _ARROWS.finditer(comment):
        for text in group[1].split(","):
            squares = text.lstrip("GRYB")
            tail, head = parse_square(squares[:2]), parse_square(squares[-2:])
            arrows.append(Arrow(tail, head, _COLORS.get(text[0], "move")))
    return arrows


def put_arrows(comment: str, arrows: Iterable[Arrow | tuple[Square, Square]]) -> str:
    """Put arrows before a comment, replacing those that it has.

    Raises ValueError for an arrow of a kind without a colour.
    """
    parts: dict[str, list[str]] = {"csl": [], "cal": []}
    for each in arrows:
        arrow = each if isinstance(each, Arrow) else Arrow(*each)
        is_mark = arrow.tail == arrow.head
        names = square_name(arrow.tail) + ("" if is_mark else square_name(arrow.head))
        if arrow.kind not in _LETTERS:
            raise ValueError(
                f"invalid kind of arrow {arrow.kind!r} in a comment: expected one of "
                f"{', '.join(_LETTERS)}"
            )
        parts["csl" if is_mark else "cal"].append(_LETTERS[arrow.kind] + names)
    texts = [f"[%{name} {','.join(found)}]" for name, found in parts.items() if found]
    return " ".join([*texts, _ARROWS.sub(" ", comment).strip()]).rstrip()


class CommentData:
    """Evaluation, times and arrows in the comment of a move."""

    __slots__ = ("comment",)
    comment: str

    def eval(self) -> PovScore | None:
        """Return the evaluation from the comment (``[%eval 0.35]``), or None."""
        from xiangqi.board.scores import Cp, Mate, PovScore  # loads python-chess's engine module

        found = read_eval(self.comment)
        if found is None:
            return None
        return PovScore(Cp(found.cp or 0) if found.mate is None else Mate(found.mate), RED)

    def set_eval(self, score: PovScore | None) -> None:
        """Set the evaluation in the comment; None removes it."""
        if score is None:
            self.comment = without_eval(self.comment)
            return
        red = score.red()
        self.comment = put_eval(self.comment, Eval(red.score(), red.mate()))

    def clock(self) -> float | None:
        """Return the mover's clock from the comment (``[%clk 0:09:58]``), in seconds, or None."""
        return read_time(self.comment, "clk")

    def set_clock(self, seconds: float | None) -> None:
        """Set the mover's clock in the comment; None removes it."""
        self.comment = put_time(self.comment, "clk", seconds)

    def emt(self) -> float | None:
        """Return the move's time from the comment (``[%emt 0:00:03]``), in seconds, or None."""
        return read_time(self.comment, "emt")

    def set_emt(self, seconds: float | None) -> None:
        """Set the time of the move in the comment; None removes it."""
        self.comment = put_time(self.comment, "emt", seconds)

    def arrows(self) -> list[Arrow]:
        """Return the arrows from the comment (``[%cal Gh2e2]``)."""
        return read_arrows(self.comment)

    def set_arrows(self, arrows: Iterable[Arrow | tuple[Square, Square]]) -> None:
        """Set the arrows in the comment; raises ValueError for a kind that has no colour there."""
        self.comment = put_arrows(self.comment, arrows)
