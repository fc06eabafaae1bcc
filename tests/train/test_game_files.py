"""Files of games: what is written is read again, cut files are gone on with, others are refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from train.game_files import GAMES, SampleError, SelfplayGame
from train.sample_files import GameWriter, read_games
from xiangqi import Board
from xiangqi.ground.errors import FormatError

FACTS = {"nodes": 100, "rules": {"name": "wxf"}, "seed": 7}
UNSEARCHED = 3


def make_game(number: int) -> SelfplayGame:
    """Ten or so random moves; the scores identify the game and the ply."""
    rng = random.Random(number)
    board = Board()
    for _ in range(8 + number):
        board.push(rng.choice(board.list_moves()))
    moves = board.move_stack
    scores = [100 * number - ply for ply in range(len(moves) - UNSEARCHED)]
    return SelfplayGame(number, board.root_setup(), moves, scores, number % 3, 2 * number)


def write(path: Path, count: int) -> list[SelfplayGame]:
    written = [make_game(number) for number in range(count)]
    with GameWriter(path, FACTS) as writer:
        for game in written:
            writer.add(game)
    return written


def parts(game: SelfplayGame) -> tuple[object, ...]:
    """All but the counters of the beginning, which are not kept."""
    return game.start.board, game.start.turn, list(game.moves), list(game.scores), game[4:]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.games"


def test_written_games_are_read_back(path: Path) -> None:
    written = write(path, 5)
    found = list(read_games(path))
    assert [game.number for game in found] == list(range(5))
    assert list(map(parts, found)) == list(map(parts, written))
    assert GAMES.read(path)[0] == FACTS


def test_a_game_costs_four_bytes_a_move(path: Path) -> None:
    write(path, 1)
    before = path.stat().st_size
    write(other := path.with_name("two.games"), 2)
    moves = len(make_game(1).moves)
    assert other.stat().st_size - before == 40 + 4 * moves - 2 * UNSEARCHED


def test_the_positions_that_were_searched_come_back() -> None:
    game = make_game(4)
    found = [(board.fen(), move, score) for board, move, score in game.boards()]
    board = Board()
    for move in game.moves[:UNSEARCHED]:
        board.push(move)
    for (fen, move, score), wanted, wanted_score in zip(
        found, game.moves[UNSEARCHED:], game.scores, strict=True
    ):
        assert (fen, move, score) == (board.fen(), wanted, wanted_score)
        board.push(wanted)


@pytest.mark.parametrize("lost", range(0, 200, 13))
def test_a_file_that_was_cut_off_is_gone_on_with_as_if_nothing_had_happened(
    path: Path, lost: int
) -> None:
    written = write(path, 4)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - lost])
    with GameWriter(path, FACTS, resume=True) as writer:
        there = writer.games
        assert writer.positions == sum(game.quiet for game in written[:there])
        for game in written[there:]:
            writer.add(game)
    last = len(whole) - sum(len(game.pack()) for game in written[there:])
    assert last <= len(whole) - lost < last + (len(written[there].pack()) if there < 4 else 1)
    assert path.read_bytes() == whole


def test_a_file_without_games_is_gone_on_with(path: Path) -> None:
    write(path, 0)
    before = path.read_bytes()
    with GameWriter(path, FACTS, resume=True) as writer:
        assert (writer.games, writer.positions) == (0, 0)
    assert path.read_bytes() == before


def test_a_file_is_not_overwritten(path: Path) -> None:
    write(path, 1)
    before = path.read_bytes()
    with pytest.raises(FormatError, match="file exists; use --resume to continue it or --force"):
        GameWriter(path, FACTS)
    assert path.read_bytes() == before


def test_a_file_made_in_another_way_is_not_gone_on_with(path: Path) -> None:
    write(path, 1)
    before = path.read_bytes()
    with pytest.raises(SampleError, match="seed was 7 and is 8, expected the same"):
        GameWriter(path, {**FACTS, "seed": 8}, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("offset", "value", "message"),
    [(6, 0xFF, "255 of 8 moves not searched"), (10, 3, "result 3"), (39, 2, "side to move is 2")],
)
def test_a_game_that_cannot_be_one_is_refused(
    path: Path, offset: int, value: int, message: str
) -> None:
    write(path, 1)
    content = bytearray(path.read_bytes())
    start = GAMES.read(path)[1]
    content[start + offset] = value
    path.write_bytes(content)
    with pytest.raises(SampleError, match=rf"game at byte {start}: .*{message}"):
        list(read_games(path))
    with pytest.raises(SampleError, match=message):
        GameWriter(path, FACTS, resume=True)


def test_a_file_of_another_kind_is_refused(path: Path) -> None:
    path.write_bytes(b"MEIHUADT" + bytes(100))
    with pytest.raises(SampleError, match="begins with b'MEIHUADT', expected b'MEIHUAGM'"):
        list(read_games(path))
    with pytest.raises(SampleError):
        GameWriter(path, FACTS, resume=True)
    assert path.stat().st_size == 108


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "some.games"
    with GameWriter(path, {}) as writer:
        with pytest.raises(FormatError, match="another run is writing it"):
            GameWriter(path, {}, resume=True)
        writer.add(make_game(0))
    assert [game.number for game in read_games(path)] == [0]
