"""Records with faults: prose, glyphs, missing moves, Black first.

No move of another game is read, and what is lost is reported.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable

import pytest

from tests.support.soak import SOAK
from xiangqi import Board
from xiangqi.games.formats import read_games
from xiangqi.games.pasting import read_pasted
from xiangqi.games.tree import Game
from xiangqi.notation import format_chinese, format_iccs, format_wxf

GAMES = 500 if SOAK else 60
PROSE = (
    "红方布下中炮",
    "这是常见的着法",
    "可改走卒7进1，红接马八进七，炮8平5。",
    "a good move",
    "如改走车一进一，则马3退2，双方均势。",
)
GLYPHS = ("+=", "=", "±", "∞", "⩲", "N", "□", "-+", "!", "?!")


def random_game(rng: random.Random) -> list[str]:
    board, moves = Board(), []
    for _ in range(rng.randrange(12, 50)):
        legal = sorted(board.legal_moves, key=lambda move: move.iccs())
        if not legal:
            break
        move = rng.choice(legal)
        moves.append(move.iccs())
        board.push(move)
    return moves


def lower_case_for_black(text: str, ply: int) -> str:
    return text if ply % 2 == 0 else text.lower()


WRITERS: dict[str, Callable[[Board, str, int], str]] = {
    "chinese": lambda board, move, ply: format_chinese(board, board.parse_iccs(move)),
    "traditional": lambda board, move, ply: format_chinese(
        board, board.parse_iccs(move), traditional=True
    ),
    "wxf": lambda board, move, ply: lower_case_for_black(
        format_wxf(board, board.parse_iccs(move)), ply
    ),
    "iccs": lambda board, move, ply: format_iccs(board.parse_iccs(move)),
}


def written(moves: list[str], how: str) -> list[str]:
    board, texts = Board(), []
    for ply, move in enumerate(moves):
        texts.append(WRITERS[how](board, move, ply))
        board.push_iccs(move)
    return texts


def numbered(texts: list[str], extra: dict[int, str], left_out: int = -1) -> str:
    """Rounds with a text after some plies, and one move left out."""
    lines: list[str] = []
    for ply, text in enumerate(texts):
        if ply % 2 == 0:
            lines.append(f"\n{ply // 2 + 1}.")
        if ply != left_out:
            lines.append(text)
        lines.append(extra.get(ply, ""))
    return " ".join(line for line in lines if line).strip() + "\n"


def game_of(text: str) -> Game:
    (game,) = read_games(io.BytesIO(text.encode()))
    return game


def moves_of(game: Game) -> list[str]:
    return [move.iccs() for move in game.moves()]


def check_told(game: Game, moves: list[str], what: str) -> None:
    found = moves_of(game)
    assert found == moves[: len(found)], f"another game: {what}"
    if len(found) < len(moves):
        assert any(error.ply == len(found) + 1 for error in game.errors), what


@pytest.mark.parametrize("how", WRITERS)
def test_games_are_read_back_whole(how: str) -> None:
    rng = random.Random(1)
    for _ in range(GAMES):
        moves = random_game(rng)
        text = numbered(written(moves, how), {})
        for game in (game_of(text), game_of(f'[Event "x"]\n\n{text}'), read_pasted(text).game):
            assert (moves_of(game), game.errors) == (moves, [])


@pytest.mark.parametrize("how", WRITERS)
def test_prose_and_glyphs_lose_no_move(how: str) -> None:
    rng = random.Random(2)
    whole = 0
    for _ in range(GAMES):
        moves = random_game(rng)
        ply = rng.randrange(len(moves) - 2)
        glyph = {rng.randrange(len(moves)): rng.choice(GLYPHS)}
        assert moves_of(game_of(numbered(written(moves, how), glyph))) == moves
        text = numbered(written(moves, how), {ply: rng.choice(PROSE)})
        for game in (game_of(text), game_of(f'[Event "x"]\n\n{text}')):
            check_told(game, moves, text)
            assert game.errors or game.root.end().ply == len(moves)
            whole += moves_of(game) == moves
    assert whole > 1.9 * GAMES


@pytest.mark.parametrize("how", WRITERS)
def test_a_missing_move_ends_the_game_with_a_message(how: str) -> None:
    rng = random.Random(3)
    for _ in range(GAMES):
        moves = random_game(rng)
        ply = rng.randrange(1, len(moves) - 2)
        text = numbered(written(moves, how), {}, left_out=ply)
        for game in (game_of(text), game_of(f'[Event "x"]\n\n{text}'), read_pasted(text).game):
            found = moves_of(game)
            assert game.errors, text
            assert found == moves[: len(found)], f"another game: {text}"


@pytest.mark.parametrize("how", ["chinese", "traditional", "wxf", "iccs"])
def test_black_moves_first_if_the_record_says_so(how: str) -> None:
    rng = random.Random(4)
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1"
    for _ in range(GAMES):
        board, moves, texts = Board(start), [], []
        for ply in range(8):
            move = rng.choice(sorted(board.legal_moves, key=lambda move: move.iccs()))
            texts.append(WRITERS[how](board, move.iccs(), ply + 1))
            moves.append(move.iccs())
            board.push(move)
        text = f"1... {texts[0]} " + " ".join(
            f"{(ply + 1) // 2 + 1}. {text}" if ply % 2 else text
            for ply, text in enumerate(texts[1:], 1)
        )
        for game in (game_of(text), game_of(f'[Event "x"]\n\n{text} *'), read_pasted(text).game):
            assert moves_of(game) == moves, text
            assert game.fen == start
            assert [error.reason.code for error in game.errors] == ["text.black_first"]


@pytest.mark.parametrize(
    "text", ["1. C2.5 2. H2+3 H8+7", "1. P2-5 2. M2.3 M8.7", "1. 炮二平五 2. 马二进三 车9平8"]
)
def test_the_last_round_shows_that_numbers_count_rounds(text: str) -> None:
    game = game_of(text)
    assert moves_of(game) == ["h2e2"]
    assert game.errors[0].reason == "a move of Black is missing in round 1"
