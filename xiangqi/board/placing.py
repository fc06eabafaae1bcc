"""Pieces on a board: reading, editing and formatting them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import Fact, FenError, quote
from xiangqi.pieces import (
    FILE_NAMES,
    RANK_NAMES,
    RED,
    Color,
    Piece,
    PieceType,
    Script,
    Square,
    require_color,
    require_square,
    square,
)
from xiangqi.pieces.fen import STARTING_FEN, Setup, Status, format_fen, parse_fen

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["EpdValue", "PlacingBoard"]

EpdValue: TypeAlias = "str | int | float | Move | list[Move] | tuple[Move, ...] | None"
"""Operand of an EPD operation."""

_EMPTY: Final = "."
_WIDE_EMPTY: Final = "\uff0e"
_WIDE_FILES: Final = "".join(chr(ord(name) - ord("a") + ord("\uff41")) for name in FILE_NAMES)
_OPERATION: Final = r'(?a)\s*([A-Za-z]\w*)((?:[^;"]|"(?:[^"\\]|\\.)*")*);'
_WORD: Final = r'"(?:[^"\\]|\\.)*"|\S+'
_MOVE_OPCODES: Final = frozenset({"am", "bm", "pm", "pv", "sm"})
"""EPD opcodes whose operands are moves."""


class PlacingBoard(CoreBoard):
    """Pieces on squares: queries, edits, EPD and text diagrams.

    Any change other than a move is an edit, which clears the move stack; edits of pieces keep the
    side to move and both counters. An edited position may be impossible, without a general or with
    three chariots: it can be read and edited further, :meth:`status` lists the problems, and
    methods that need a possible position raise PositionError.
    """

    __slots__ = ()

    # Queries

    def piece_at(self, square: Square) -> Piece | None:
        """Piece on a square, or None."""
        code = self.piece_code_at(square)
        return Piece.from_code(code) if code else None

    def piece_type_at(self, square: Square) -> PieceType | None:
        """Type of the piece on a square, or None."""
        piece = self.piece_at(square)
        return None if piece is None else piece.piece_type

    def color_at(self, square: Square) -> Color | None:
        """Color of the piece on a square, or None."""
        piece = self.piece_at(square)
        return None if piece is None else piece.color

    def piece_map(self) -> dict[Square, Piece]:
        """All pieces by their squares, from a0 to i9."""
        return self.setup().piece_map()

    def is_attacked_by(self, color: Color, square: Square) -> bool:
        """Does a piece of this side attack the square?"""
        return bool(self.attackers(color, square))

    def is_pinned(self, color: Color, square: Square) -> bool:
        """Would another enemy piece attack this side's general if the piece on the square were
        gone?"""
        return square in self.pinned(color)

    def is_valid(self) -> bool:
        """Is the position possible? :meth:`status` lists the problems."""
        return self.status() == Status.VALID

    def require_position(self) -> None:
        """Raise PositionError, which lists all problems, if the position is impossible."""
        self.has_legal_move()  # raises, as every query that needs a possible position does

    # Editing

    @classmethod
    def empty(cls) -> Self:
        """New board without pieces."""
        board = cls()
        board.clear()
        return board

    def set_piece_at(self, square: Square, piece: Piece | None) -> None:
        """Put a piece on a square, replacing any other; None removes it.

        >>> from xiangqi import A0, E0, E4, E9, Board, Piece
        >>> board = Board.empty()
        >>> for place, letter in ((E0, "K"), (E9, "k"), (A0, "R")):
        ...     board.set_piece_at(place, Piece.from_symbol(letter))
        >>> board.is_valid(), board.status()
        (False, <Status.KINGS_FACING: 8192>)
        >>> board.set_piece_at(E4, Piece.from_symbol("p"))
        >>> board.fen(), board.legal_moves.count()
        ('4k4/9/9/9/9/4p4/9/9/9/R3K4 w - - 0 1', 15)
        """
        require_square(square)
        if piece is not None and not isinstance(piece, Piece):
            raise TypeError(f"{quote(piece)} on a square: expected a Piece or None")
        codes = bytearray(self.cells())
        codes[square] = 0 if piece is None else piece.code
        self._place(bytes(codes))

    def remove_piece_at(self, square: Square) -> Piece | None:
        """Remove a piece and return it; None if the square is empty."""
        require_square(square)
        piece = self.piece_at(square)
        if piece is not None:
            self.set_piece_at(square, None)
        return piece

    def set_piece_map(self, pieces: Mapping[Square, Piece]) -> None:
        """Replace all pieces; squares that are not in ``pieces`` become empty."""
        self._place(Setup.from_piece_map(pieces).board)

    def clear_board(self) -> None:
        """Remove all pieces."""
        self.set_piece_map({})

    def clear(self) -> None:
        """Remove all pieces, give Red the move and reset the counters."""
        self.edit(Setup.from_piece_map({}))

    def clear_stack(self) -> None:
        """Clear the move stack."""
        self.edit(self.setup())

    def reset(self) -> None:
        """Reset to the starting position."""
        self.edit(parse_fen(STARTING_FEN))

    def set_fen(self, fen: str) -> None:
        """Set the position to a FEN. On FenError or PositionError the board is unchanged."""
        self.edit(type(self)(fen).setup())

    def board_fen(self) -> str:
        """Piece placement: the first field of the FEN."""
        return self.fen().split()[0]

    def set_board_fen(self, placement: str) -> None:
        """Replace all pieces by those of a FEN's piece placement; raises FenError."""
        if len(placement.replace("_", " ").split()) != 1:
            raise FenError(placement, Fact("fen.placement"), Fact("fen.first_field"))
        self._place(parse_fen(placement).board)

    def _place(self, codes: bytes) -> None:
        old = self.setup()
        self.edit(Setup(codes, old.turn, old.halfmove_clock, old.fullmove_number))

    # EPD

    def epd(self, **operations: EpdValue) -> str:
        """Write the position as EPD: four fields and operations, with moves as coordinates.

        >>> from xiangqi import Board
        >>> board = Board("4k4/R8/9/9/9/9/9/1R7/9/3K5 w")
        >>> board.epd(bm=board.parse_iccs("b2b9"), id="mate in one")
        '4k4/R8/9/9/9/9/9/1R7/9/3K5 w - - bm b2b9; id "mate in one";'
        """
        words = [format_fen(self.setup()).rsplit(maxsplit=2)[0]]
        words += [f"{name}{_format_operands(value)};" for name, value in operations.items()]
        return " ".join(words)

    @classmethod
    def from_epd(cls, epd: str) -> tuple[Self, dict[str, object]]:
        """Board and operations of an EPD, by opcode.

        Operands of am, bm, pm, pv and sm are lists of moves, read in any notation. The value of
        another opcode is a number or text, a list of several, or None if it has no operand. A FEN's
        counters may precede the operations. Raises FenError, PositionError, InvalidMoveError or
        IllegalMoveError.

        >>> from xiangqi import Board
        >>> Board.from_epd('4k4/R8/9/9/9/9/9/1R7/9/3K5 w - - bm b2b9; id "mate in one"; acd 3;')[1]
        {'bm': [Move.from_iccs('b2b9')], 'id': 'mate in one', 'acd': 3}
        """
        board = cls.empty()
        return board, board.set_epd(epd)

    def set_epd(self, epd: str) -> dict[str, object]:
        """Set the position to an EPD; return its operations, as :meth:`from_epd` does."""
        fields = epd.split(maxsplit=4)
        position, rest = fields[:4], fields[4] if len(fields) > 4 else ""
        counters = re.match(r"(\d+)\s+(\d+)(\s|$)", rest, re.ASCII)
        if counters:
            position += counters.group(1, 2)
            rest = rest[counters.end() :]
        board = type(self)(" ".join(position))
        operations: dict[str, object] = {}
        place = 0
        for found in re.finditer(_OPERATION, rest):
            if found.start() != place:
                break
            operations[found[1]] = _read_operands(board, found[1], found[2])
            place = found.end()
        if rest[place:].strip():
            why = Fact("fen.bad_operations", found=rest[place:].strip())
            raise FenError(epd, Fact("fen.operations"), why)
        self.edit(board.setup())
        return operations

    # Text diagrams

    def unicode(
        self,
        *,
        script: Script | None = "traditional",
        orientation: Color = RED,
        coordinates: bool = True,
    ) -> str:
        """Text diagram with the Chinese characters of the pieces, all of double width.

        ``script=None`` gives the Unicode chess symbols, which few fonts have. ``orientation`` is
        the side at the bottom.

        >>> from xiangqi import Board
        >>> print(Board().unicode())
        9 車馬象士將士象馬車
        8 ．．．．．．．．．
        7 ．砲．．．．．砲．
        6 卒．卒．卒．卒．卒
        5 ．．．．．．．．．
        4 ．．．．．．．．．
        3 兵．兵．兵．兵．兵
        2 ．炮．．．．．炮．
        1 ．．．．．．．．．
        0 俥傌相仕帥仕相傌俥
          ａｂｃｄｅｆｇｈｉ
        """
        files, ranks = range(9), range(9, -1, -1)
        if require_color(orientation) != RED:
            files, ranks = range(8, -1, -1), range(10)
        characters = {
            place: piece.unicode_symbol() if script is None else piece.chinese(script)
            for place, piece in self.piece_map().items()
        }
        rows = []
        for rank in ranks:
            places = (square(file, rank) for file in files)
            row = "".join(characters.get(place, _WIDE_EMPTY) for place in places)
            rows.append(f"{RANK_NAMES[rank]} {row}" if coordinates else row)
        if coordinates:
            rows.append("  " + "".join(_WIDE_FILES[file] for file in files))
        return "\n".join(rows)

    def __str__(self) -> str:
        letters = {place: piece.symbol() for place, piece in self.piece_map().items()}
        rows = []
        for rank in reversed(range(10)):
            row = (letters.get(square(file, rank), _EMPTY) for file in range(9))
            rows.append(" ".join([RANK_NAMES[rank], *row]))
        return "\n".join([*rows, " ".join([" ", *FILE_NAMES])])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.fen()!r})"


def _format_operands(value: EpdValue) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f' "{escaped}"'
    if isinstance(value, Move):
        return f" {value.iccs()}"
    if isinstance(value, (int, float)):
        return f" {value}"
    return "".join(f" {move.iccs()}" for move in value)


def _read_operands(board: PlacingBoard, name: str, text: str) -> object:
    words = re.findall(_WORD, text)
    if name in _MOVE_OPCODES:
        from xiangqi.notation import parse_move

        work = board.copy(stack=False)
        moves = []
        for word in words:
            moves.append(parse_move(work, word))
            if name == "pv":  # a line of moves; other opcodes have alternatives
                work.push(moves[-1])
        return moves
    values = [_read_operand(word) for word in words]
    return values[0] if len(values) == 1 else values or None


def _read_operand(word: str) -> str | int | float:
    if word.startswith('"'):
        return re.sub(r"\\(.)", r"\1", word[1:-1])
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word
