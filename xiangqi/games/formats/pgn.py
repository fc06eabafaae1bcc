"""PGN in two dialects: that of xqbase, and that of programs for chess variants.

The first has ``[Game "Chinese Chess"]``, headers ``Red`` and ``Black``, and moves in Chinese, WXF
or ICCS notation, named by ``Format`` (https://www.xqbase.com/protocol/cchess_pgn.htm). The second
has ``[Variant "xiangqi"]``, ``White`` and ``Black``, and moves like ``Che3`` or ``h3e3`` with ranks
from 1 to 10. Both readers accept both: a move's form shows its notation, and the moves of a game
together show whether ranks begin at 0 or 1. A game with unknown words is read again by
:mod:`xiangqi.games.formats.text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import IO, Final

from xiangqi.games.formats.base import DEFAULT_OPTIONS, WriteOptions, choose_notation
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.loose import cut_words
from xiangqi.games.formats.moves_reader import MovesReader, find_western_move
from xiangqi.games.formats.pgn_reader import (
    RawGame,
    find_other_game,
    find_rank_base,
    find_style,
    read_game,
    split_games,
    take_headers,
    western_reason,
)
from xiangqi.games.formats.text import build_loose
from xiangqi.games.pgn import RED_BLACK, WHITE_BLACK, PgnWriter, Style
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FenError
from xiangqi.ground.lines import FaultyText, LineReader
from xiangqi.pieces.fen import Status, parse_fen, setup_status

__all__ = ["PGN", "WHITE_PGN", "PgnFormat"]

_BEGINNING: Final = re.compile(rb'\s*\[\s*[^\s"\[\]]+\s+"')


class PgnFormat:
    """PGN in one of the two dialects."""

    can_write = True
    is_text = True
    single = False
    suffixes = (".pgn",)

    def __init__(self, name: str, style: Style) -> None:
        self.name = name
        self.notations = tuple(style.notations)
        self._style = style

    def detects(self, head: bytes) -> bool:
        return _BEGINNING.match(head.removeprefix(b"\xef\xbb\xbf")) is not None

    def split(self, data: IO[bytes], source: str) -> Iterator[FaultyText]:
        return split_games(LineReader(data, source))

    def build(self, cut: FaultyText, source: str, number: int) -> Game:
        raw = read_game(cut)
        game = _build(raw, GameBuilder(source, number))
        if game.errors and not raw.faults:
            return _read_again(cut, raw, game, GameBuilder(source, number))
        return game

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        """Write games one by one; raises FormatError for parts that PGN cannot hold."""
        notation = choose_notation(self, options)
        assert notation is not None  # both styles have several
        for game in games:
            out.write(game.accept(PgnWriter(self._style, options, notation)).encoded())


PGN: Final = PgnFormat("pgn", RED_BLACK)
WHITE_PGN: Final = PgnFormat("white-pgn", WHITE_BLACK)


def _build(raw: RawGame, builder: GameBuilder) -> Game:
    """Read a game; of another game than Xiangqi only the headers."""
    for text, reason in raw.faults:
        builder.add_error(text, reason)
    other = find_other_game(raw.headers)
    if other is not None:
        builder.game.headers.update(raw.headers)
        builder.add_error(*other)
        return builder.game
    take_headers(raw.headers, builder)
    base, style = find_rank_base(raw.headers), find_style(raw.headers)
    MovesReader(raw.words, builder, base, style=style).read()
    return builder.game


def _lacks_general(fen: str) -> bool:
    try:
        return bool(setup_status(parse_fen(fen)) & (Status.NO_RED_KING | Status.NO_BLACK_KING))
    except FenError:
        return False


def _read_again(cut: FaultyText, raw: RawGame, game: Game, builder: GameBuilder) -> Game:
    """Read a faulty game again, of western chess only the headers.

    A game whose FEN lacks a general is read from the starting position, if all its moves fit. One
    with unknown words is read as text written by a person, if that gives fewer errors or, with as
    many, more moves.
    """
    fault = game.errors[0]
    if fault.text == game.fen and _lacks_general(game.fen):
        others = [(name, value) for name, value in raw.headers if name != "FEN"]
        started = _build(replace(raw, headers=others), GameBuilder(builder.source, builder.number))
        if started.root.variations and not started.errors:
            started.errors.append(
                replace(fault, reason=Fact("record.from_start", why=fault.reason))
            )
            return started
    western = find_western_move(raw.words, game.errors)
    if western is not None:
        builder.game.headers.update(raw.headers)
        builder.add_error(western, western_reason(western))
        return builder.game
    if not any(error.reason.code in ("expected", "text.kept") for error in game.errors):
        return game
    loose = cut_words(cut.text)
    build_loose(loose, builder)
    again = builder.game
    is_better = (len(again.errors), -again.end().ply) < (len(game.errors), -game.end().ply)
    return again if is_better and loose.moves > 0 and loose.rest is None else game
