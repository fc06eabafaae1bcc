"""Editing of a game by hand: variations, comments, evaluations, PGN."""

from __future__ import annotations

import copy
import io
import pickle

import pytest

from tests.support.game_trees import random_game
from xiangqi import (
    BLACK,
    RED,
    Board,
    Cp,
    FenError,
    Game,
    GameNode,
    IllegalMoveError,
    Mate,
    Move,
    PovScore,
    read_games,
)
from xiangqi.board.scores import MateGiven
from xiangqi.games.comments import put_time, read_time


def moves(text: str) -> list[Move]:
    return [Move.from_iccs(word) for word in text.split()]


def branching() -> tuple[Game, list[GameNode]]:
    """A game with three first moves."""
    game = Game()
    return game, [game.add_variation(move) for move in moves("h2e2 h0g2 c3c4")]


def order(game: Game) -> str:
    return " ".join(str(node.move) for node in game.variations)


# From and to boards


@pytest.mark.parametrize("seed", range(15))
def test_each_node_has_its_board(seed: int) -> None:
    game = random_game(seed)
    for node in game.nodes():
        board = node.board()
        assert board.ply() == node.ply == len(node.path())
        assert board.root_fen() == game.fen
        assert node.root() is game.root
        if node.move is not None:
            assert board.pop() == node.move
            assert node.parent is not None
            assert board.fen() == node.parent.board().fen()
            assert node.write("wxf") == board.wxf(node.move)
    assert game.root.end().board() == game.board()


@pytest.mark.parametrize("seed", range(15))
def test_a_game_of_a_board_is_its_main_line(seed: int) -> None:
    board = random_game(seed).board()
    game = Game.from_board(board)
    assert game.board() == board
    assert game.mainline_moves() == game.moves() == tuple(board.move_stack)
    assert game.fen == board.root_fen()
    assert game.headers == {"Result": board.result()}
    (again,) = read_games(io.StringIO(str(game)))
    assert again.moves() == game.moves()
    assert again.fen == game.fen


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("notation", ["chinese", "wxf", "iccs"])
def test_a_printed_game_is_read_again(seed: int, notation: str) -> None:
    game = random_game(seed, tame=True)
    text = game.pgn(notation)  # type: ignore[arg-type]
    (again,) = read_games(io.StringIO(text))
    assert not again.errors
    assert [node.move for node in again.nodes()] == [node.move for node in game.nodes()]
    if notation == "chinese":
        assert str(game) == text


def test_illegal_node_has_no_board() -> None:
    game = Game()
    node = game.add_variation(Move.from_iccs("h2h9")).add(Move.from_iccs("h9h0"))
    with pytest.raises(IllegalMoveError):
        node.board()
    with pytest.raises(IllegalMoveError):
        str(game)
    with pytest.raises(ValueError, match="belongs to no game"):
        GameNode().add(Move.from_iccs("h2e2")).board()
    with pytest.raises(ValueError, match="no move leads to the root"):
        game.root.write()
    with pytest.raises(TypeError, match="'h2e2' as a move: expected a Move"):
        game.add_variation("h2e2")  # type: ignore[arg-type]
    game.fen = "nonsense"
    with pytest.raises(FenError):
        game.root.board()


# The tree


def test_variations_change_places() -> None:
    game, (first, second, third) = branching()
    game.root.promote(third)
    assert order(game) == "h2e2 c3c4 h0g2"
    game.root.promote_to_main(second)
    assert order(game) == "h0g2 h2e2 c3c4"
    game.root.demote(Move.from_iccs("h0g2"))
    assert order(game) == "h2e2 h0g2 c3c4"
    game.root.demote(2)
    game.root.promote(0)
    assert order(game) == "h2e2 h0g2 c3c4"
    assert first.is_mainline()
    assert first.is_main_variation()
    assert second.starts_variation()
    assert not second.is_mainline()
    game.root.remove_variation(first)
    assert order(game) == "h0g2 c3c4"
    assert second.is_mainline()
    main = game.add_main_variation(Move.from_iccs("b2e2"), comment="the other one", nags=[1])
    assert order(game) == "b2e2 h0g2 c3c4"
    assert (main.comment, main.nags, main.ply) == ("the other one", [1], 1)
    assert game.next() is main is game.root.next() is game.variation(0)


def test_equal_moves_are_different_variations() -> None:
    game = Game()
    first, second = (game.add_variation(Move.from_iccs("h2e2")) for _ in range(2))
    game.root.promote_to_main(second)
    assert game.variations == [second, first]
    game.root.remove_variation(first)
    assert game.variations == [second]


@pytest.mark.parametrize("which", [3, -1, Move.from_iccs("a0a1"), GameNode()])
def test_a_variation_that_is_not_there(which: int | Move | GameNode) -> None:
    game, _ = branching()
    assert not game.root.has_variation(which)
    for do in (game.variation, game.root.promote, game.root.remove_variation):
        with pytest.raises(KeyError, match="there are h2e2, h0g2, c3c4"):
            do(which)
    assert len(game.variations) == 3


def test_lines_go_on_from_any_node() -> None:
    game, (first, second, _) = branching()
    last = second.add_line(moves("h9g7 i0h0"))
    assert second.mainline_moves() == tuple(moves("h9g7 i0h0"))
    assert second.end() is last
    assert last.is_end()
    assert not last.is_mainline()
    assert last.is_main_variation()
    assert game.end() is first
    assert first.next() is None
    assert [node.ply for node in last.path()] == [1, 2, 3]


# Comments


def test_evaluations_in_comments() -> None:
    node = Game().add_variation(Move.from_iccs("h2e2"), comment="the central cannon")
    assert node.eval() is None
    for score in (PovScore(Cp(35), RED), PovScore(Cp(-120), BLACK), PovScore(Mate(-3), RED)):
        node.set_eval(score)
        assert node.eval() == score
        assert node.comment.endswith("] the central cannon")
        assert node.comment.count("%eval") == 1
    assert node.comment == "[%eval #-3] the central cannon"
    node.set_eval(None)
    assert node.comment == "the central cannon"
    node.comment = "[%eval 0.5,20]"
    found = node.eval()
    assert found is not None
    assert found.red() == Cp(50)
    node.set_eval(PovScore(MateGiven, RED))
    assert "[%eval #0]" in node.comment


def test_clocks_in_comments() -> None:
    node = Game().add_variation(Move.from_iccs("h2e2"), comment="quick")
    assert node.clock() is None is node.emt()
    node.set_clock(598.5)
    node.set_emt(3)
    assert node.comment == "[%emt 0:00:03] [%clk 0:09:58.5] quick"
    assert (node.clock(), node.emt()) == (598.5, 3)
    node.set_clock(None)
    node.set_emt(None)
    assert node.comment == "quick"
    with pytest.raises(ValueError, match="invalid time -1"):
        node.set_clock(-1)


@pytest.mark.parametrize(
    "seconds", [0, 0.001, 0.5, 1, 59.9994, 59.9996, 60, 61, 3599.9, 3600, 86399.123, 10**6]
)
def test_times_are_read_as_they_were_written(seconds: float) -> None:
    found = read_time(put_time("", "clk", seconds), "clk")
    assert found == pytest.approx(seconds, abs=0.0005)


@pytest.mark.parametrize(
    "comment", ["[%clk]", "[%clk 1:2]", "[%clk a:00:00]", "[%emt 0:00:01]", "%clk 0:00:01"]
)
def test_other_comments_have_no_clock(comment: str) -> None:
    assert read_time(comment, "clk") is None


# Copies


@pytest.mark.parametrize("seed", range(5))
def test_copies_have_their_own_positions(seed: int) -> None:
    game = random_game(seed)
    for again in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert again == game
        assert again.root.end().board() == game.board()
        again.fen = Board().fen()
        assert again.root.board().fen() == Board().fen()
        assert again.root is not game.root
