"""A game as a page shows it: the table of moves, the positions, and the variations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.games.additions import read_words
from xiangqi.games.comments import read_eval
from xiangqi.games.tree import Game, GameCursor, GameNode, bracket_variations, start_board
from xiangqi.pieces import BLACK, Color, square_name
from xiangqi.pieces.arrows import Arrow
from xiangqi.referee.evidence import Sentence, ply_arrows
from xiangqi.referee.explanation import explain
from xiangqi.referee.ruling import Mark, PlyReport, Ruling
from xiangqi.words.phrases import Rounds
from xiangqi.words.voice import MOVE_NOTATIONS, PAGE_VOICE, Voice

__all__ = [
    "Frame",
    "LineWord",
    "PagePly",
    "add_variations",
    "arrows_as_data",
    "format_eval",
    "format_marks",
    "show_game",
    "show_position",
]

_MARKS: Final = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
"""Signs of NAGs (numeric annotation glyphs of PGN)."""

Frame = dict[str, Any]
"""Arguments of ``drawBoard`` in board.js: ``fen``, ``lastMove``, ``check`` and ``arrows``."""


@dataclass(frozen=True, slots=True)
class PagePly:
    """A move in the table of moves."""

    number: int
    """Ply of the move, counted from 1."""
    round: int
    color: Color
    names: tuple[str, ...]
    """The move in each notation, that of the page first."""
    marks: str
    evaluation: str
    """Evaluation after the move, from the comment: +0.35 or #3."""
    comment: str
    """Comment without its commands, such as ``[%eval]``."""
    mark: Mark | None
    """Mark of the move; outside the cycle only checks have one."""
    in_cycle: bool
    evidence: Sequence[Sentence]
    """Sentences on a move of the cycle."""

    @property
    def has_notes(self) -> bool:
        """Has the move notes below its round?"""
        return bool(self.evidence or self.comment)


def show_game(
    game: Game, ruling: Ruling | None, voice: Voice = PAGE_VOICE
) -> tuple[list[PagePly], list[Frame]]:
    """Moves of the main line, and frames of its positions from the starting position on.

    Raises FenError or PositionError for an invalid starting position.
    """
    board = start_board(game.fen)
    moves = () if ruling is None else explain(ruling).moves
    reports = {move.report.ply: (move.report, move.sentences) for move in moves}
    rounds = Rounds.from_fen(game.fen)
    voices = sorted(
        (Voice(voice.language, notation) for notation in MOVE_NOTATIONS),
        key=lambda other: other.notation != voice.notation,
    )
    rows, frames = [], [show_position(board, None, voice)]
    for node in game.mainline():
        ply, color, move = board.ply(), board.turn, node.move
        assert move is not None  # only the root has none
        names = tuple(other.move(board, move) for other in voices)
        board.push_unchecked(move)
        report, evidence = reports.get(ply, (None, ()))
        check = Mark.CHECK if board.is_check() else None
        row = PagePly(
            number=ply + 1,
            round=rounds.number(ply),
            color=color,
            names=names,
            marks=format_marks(node.nags),
            evaluation=format_eval(node.comment),
            comment=read_words(node.comment),
            mark=check if report is None else report.mark,
            in_cycle=report is not None,
            evidence=evidence,
        )
        rows.append(row)
        frames.append(show_position(board, report, voice))
    return rows, frames


def format_eval(comment: str) -> str:
    """The evaluation in a comment, from Red's side; empty if it has none.

    >>> format_eval("[%eval 0.35] better"), format_eval("[%eval #-3]"), format_eval("better")
    ('+0.35', '#-3', '')
    """
    value = read_eval(comment)
    if value is None or value.cp is None:
        return "" if value is None else str(value)
    return f"{value.cp / 100:+.2f}"


def format_marks(nags: Iterable[int]) -> str:
    """Format the NAGs of a move as printed after it.

    >>> format_marks([1, 36])
    '! $36'
    """
    return "".join(_MARKS.get(nag, f" ${nag}") for nag in nags)


def show_position(board: Board, report: PlyReport | None, voice: Voice) -> Frame:
    """Frame of the position, with the attacks of the last move in a cycle, otherwise the checks."""
    king = board.king(board.turn)
    checks = (Arrow(square, king, "check") for square in sorted(board.checkers()))
    frame: Frame = {
        "fen": board.fen(),
        "arrows": arrows_as_data(checks if report is None else ply_arrows(report), voice),
    }
    if board.ply():
        frame["lastMove"] = board.peek().iccs()
    if board.is_check():
        frame["check"] = square_name(king)
    return frame


def arrows_as_data(arrows: Iterable[Arrow], voice: Voice = PAGE_VOICE) -> list[dict[str, str]]:
    """Arrows as arguments of ``drawBoard``, each with a title.

    Titles name the squares only in ICCS notation.
    """
    found = []
    for arrow in arrows:
        tail, head = square_name(arrow.tail), square_name(arrow.head)
        title = voice.say(f"arrow_{arrow.kind}")
        if voice.notation == "iccs":
            title = voice.say("pair", name=title, value=f"{tail}-{head}")
        found.append({"from": tail, "to": head, "kind": arrow.kind, "title": title})
    return found


# Variations


@dataclass(frozen=True, slots=True)
class LineWord:
    """A word of a variation."""

    kind: Literal["text", "move", "eval", "comment"]
    text: str
    frame: int | None = None
    """Index of the frame after a move."""


def add_variations(
    game: Game, frames: list[Frame], voice: Voice
) -> dict[int, list[list[LineWord]]]:
    """Variations of each move of the main line, by its ply from 1.

    Appends the positions of the variations to the ``frames`` of the main line, each with its
    ``ply``, the index of the previous frame, ``back``, and that of the next, ``on``, if any.
    """
    writer = _Writer(game, frames, voice)
    for place, node in enumerate((game.root, *game.mainline())):
        writer.places[id(node)] = place
    return {
        node.ply: [writer.write(other) for other in node.parent.variations[1:]]
        for node in game.mainline()
        if node.parent is not None and len(node.parent.variations) > 1
    }


class _Writer:
    """Writes variations; a cursor plays their moves."""

    def __init__(self, game: Game, frames: list[Frame], voice: Voice) -> None:
        self.places: dict[int, int] = {}
        """Indices of frames, by the ``id()`` of the node."""
        self._cursor = GameCursor(game)
        board = self._cursor.board
        self._offset = board.fullmove_number * 2 + (board.turn == BLACK)
        self._frames = frames
        self._voice = voice

    def write(self, first: GameNode) -> list[LineWord]:
        """Words of the variation that begins with a node, with the spaces between them."""
        words: list[LineWord] = []
        for word in self._words(first):
            if words and words[-1].text != "(" and word.text != ")":
                words.append(LineWord("text", " "))
            words.append(word)
        return words

    def _words(self, first: GameNode) -> Iterator[LineWord]:
        needs_number = True
        yield LineWord("text", "(")
        for node in bracket_variations(first):
            if isinstance(node, str):
                yield LineWord("text", node)
                needs_number = True
                continue
            assert node.parent is not None  # only the root has none
            assert node.move is not None
            count, is_black = divmod(self._offset + node.parent.ply, 2)
            if needs_number or not is_black:
                yield LineWord("text", f"{count}{'...' if is_black else '.'}")
            yield self._write_move(node, node.move)
            needs_number = bool(node.comment)
            evaluation, comment = format_eval(node.comment), read_words(node.comment)
            if evaluation:
                yield LineWord("eval", evaluation)
            if comment:
                yield LineWord("comment", comment)
        yield LineWord("text", ")")

    def _write_move(self, node: GameNode, move: Move) -> LineWord:
        """Word of a move; appends the frame after it."""
        assert node.parent is not None
        self._cursor.go_to(node.parent)
        name = self._voice.move(self._cursor.board, move) + format_marks(node.nags)
        self._cursor.go_to(node)
        back, place = self.places[id(node.parent)], len(self._frames)
        frame = show_position(self._cursor.board, None, self._voice)
        self._frames.append(frame | {"ply": node.ply, "back": back})
        self.places[id(node)] = place
        if node is node.parent.variations[0]:
            self._frames[back]["on"] = place
        return LineWord("move", name, place)
