"""The game tree: building, walking, comparing, copying."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping

import pytest

from tests.support.game_trees import random_game, shape
from xiangqi import Board, FenError, IllegalMoveError, Move, PositionError
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.pgn import GameVisitor
from xiangqi.games.tree import Game, GameCursor, GameError, GameNode
from xiangqi.ground.errors import outside
from xiangqi.pieces.fen import STARTING_FEN


def moves(text: str) -> list[Move]:
    return [Move.from_iccs(word) for word in text.split()]


def small_game() -> Game:
    game = Game(headers={"Red": "A"})
    game.add_line(moves("h2e2 h9g7 h0g2"))
    first = game.root.variations[0]
    first.add(Move.from_iccs("b9c7"), "the other horse", (1, 14))
    return game


def test_main_line_and_all_nodes() -> None:
    game = small_game()
    assert [str(node.move) for node in game.mainline()] == ["h2e2", "h9g7", "h0g2"]
    assert [node.ply for node in game.nodes()] == [0, 1, 2, 3, 2]
    assert [str(node.move) for node in game.nodes()][-1] == "b9c7"
    assert game.end().ply == 3
    assert game.moves() == tuple(moves("h2e2 h9g7 h0g2"))
    assert game.record().moves == ("h2e2", "h9g7", "h0g2")
    assert game.board().move_stack == moves("h2e2 h9g7 h0g2")
    assert repr(game) == "<Game A - ?, 3 plies>"


def test_a_game_without_moves() -> None:
    game = Game()
    assert list(game.mainline()) == []
    assert list(game.nodes()) == [game.root] == [game.end()]
    assert game.board().fen() == STARTING_FEN


def test_starting_position_is_kept_in_normal_form() -> None:
    assert Game("4k4/9/9/9/9/9/9/9/9/3K1A3 r").fen == "4k4/9/9/9/9/9/9/9/9/3K1A3 w - - 0 1"
    with pytest.raises(FenError):
        Game("nonsense")
    with pytest.raises(PositionError):
        Game("9/9/9/9/9/9/9/9/9/9 w")


def test_the_board_of_an_illegal_game_is_refused() -> None:
    game = Game()
    game.add_line(moves("h2e2 h2e2"))
    with pytest.raises(IllegalMoveError):
        game.board()


@pytest.mark.parametrize("seed", range(5))
def test_copies_are_equal_and_apart(seed: int) -> None:
    game = random_game(seed)
    game.errors.append(GameError("a.pgn", 1, None, "x", outside("y")))
    for other in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other == game
        assert shape(other) == shape(game)
        assert other.errors == game.errors
        other.root.comment += "!"
        assert other != game


def test_games_differ_by_headers_moves_and_notes() -> None:
    game = small_game()
    others = [small_game() for _ in range(5)]
    others[0].headers["Black"] = "B"
    others[1].end().comment = "well"
    others[2].end().nags.append(1)
    others[3].add_line(moves("i9h9"))
    others[4].fen = "3k5/9/9/9/9/9/9/9/9/3K1A3 w - - 0 1"
    assert all(other != game for other in others)
    assert small_game() == game
    assert game != "a game"


def test_a_long_game_is_copied_compared_and_forgotten() -> None:
    """A tree as deep as this must not be walked by functions that call themselves."""
    game = Game()
    game.add_line(moves("h2e2 h9g7 e2h2 g7h9") * 2_500)
    assert pickle.loads(pickle.dumps(game)) == game
    assert game.end().ply == 10_000
    del game


@pytest.mark.parametrize("seed", range(20))
def test_cursor_goes_anywhere(seed: int) -> None:
    game = random_game(seed)
    nodes = list(game.nodes())
    cursor = GameCursor(game)
    for place in range(len(nodes)):
        node = nodes[place * 7 % len(nodes)]
        cursor.go_to(node)
        assert cursor.node is node
        assert cursor.board.ply() == node.ply
        if node.move is not None:
            assert cursor.board.peek() == node.move


def test_cursor_stays_in_its_game() -> None:
    cursor = GameCursor(small_game())
    with pytest.raises(ValueError, match="another game"):
        cursor.go_to(small_game().end())


def test_builder_keeps_faults_and_goes_on() -> None:
    builder = GameBuilder("a.pgn", 7)
    assert builder.add_move(Move.from_iccs("h2e2"))
    assert not builder.add_move(Move.from_iccs("h2e2"), "炮二平五", rest="炮二平五 马8进7")
    assert builder.add_move(Move.from_iccs("h9g7"))
    builder.go_to(builder.game.root.variations[0])
    assert builder.add_move(Move.from_iccs("b9c7"))
    builder.add_comment("one")
    builder.add_comment("two")
    assert shape(builder.game) == [
        (0, "None", "", []),
        (1, "h2e2", "", []),
        (2, "h9g7", "", []),
        (2, "b9c7", "one\ntwo", []),
    ]
    (error,) = builder.game.errors
    assert (error.ply, error.text, error.rest) == (2, "炮二平五", "炮二平五 马8进7")
    assert str(error) == "a.pgn:7:2: '炮二平五': there is no piece on h2"


@pytest.mark.parametrize(
    ("fen", "why"),
    [("9/9 w", "piece placement"), ("9/9/9/9/9/9/9/9/9/9 w", "red has no general")],
)
def test_builder_keeps_a_bad_start(fen: str, why: str) -> None:
    builder = GameBuilder("a.pgn", 1)
    assert not builder.set_start(fen)
    assert builder.game.fen == fen
    assert builder.board is None
    assert not builder.add_move(Move.from_iccs("h2e2"))
    builder.go_to(builder.game.root)
    assert why in str(builder.game.errors[0])
    assert "starting position cannot be read" in str(builder.game.errors[1])


def test_error_without_a_ply_names_file_and_game() -> None:
    error = GameError("a.pgn", 3, None, "x" * 500, outside("expected a header"))
    assert str(error).startswith("a.pgn:3: 'xxx")
    assert len(str(error)) < 200


def test_node_counts_plies() -> None:
    node = GameNode().add(Move.from_iccs("h2e2")).add(Move.from_iccs("h9g7"))
    assert node.ply == 2
    assert repr(node) == "<GameNode 2: h9g7>"


class Recorder(GameVisitor):
    """A visitor that writes down its calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def visit_headers(self, headers: Mapping[str, str], fen: str) -> None:
        self.calls.append(f"headers {dict(headers)} {fen == STARTING_FEN}")

    def visit_move(self, board: Board, move: Move) -> None:
        assert board.is_legal(move)
        self.calls.append(f"{board.fullmove_number} {move.iccs()}")

    def visit_nag(self, nag: int) -> None:
        self.calls.append(f"${nag}")

    def visit_comment(self, comment: str) -> None:
        self.calls.append(comment)

    def begin_variation(self) -> None:
        self.calls.append("(")

    def end_variation(self) -> None:
        self.calls.append(")")

    def visit_result(self, result: str) -> None:
        self.calls.append(result)


def test_visitor_methods_are_called_in_the_order_of_pgn() -> None:
    game = Game(headers={"Red": "A", "Result": "1-0"})
    game.comment = "before"
    first = game.add_variation(Move.from_iccs("h2e2"), nags=[1])
    game.add_variation(Move.from_iccs("b2e2"), comment="other").add_line([Move.from_iccs("h9g7")])
    first.add(Move.from_iccs("b9c7"))
    assert game.accept(Recorder()).calls == [
        "headers {'Red': 'A', 'Result': '1-0'} True",
        *("before", "1 h2e2", "$1"),
        *("(", "1 b2e2", "other", "1 h9g7", ")"),
        *("1 b9c7", "1-0"),
    ]


def test_a_game_has_the_methods_of_a_node_for_its_root() -> None:
    game = Game()
    for move in ("h2e2", "b2e2", "c3c4"):
        game.add_variation(Move.from_iccs(move))
    game.promote(2)
    game.demote(0)
    game.remove_variation(Move.from_iccs("h2e2"))
    assert [str(node.move) for node in game.variations] == ["c3c4", "b2e2"]
    assert game.has_variation(Move.from_iccs("b2e2"))
    assert not game.has_variation(2)
