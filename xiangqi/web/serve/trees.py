"""A game with its variations, comments and marks, as the page holds it.

It is a list of nodes, the starting position first. Each has the ``next`` ones by their places in
the list, the main line first, and where it has them ``move``, ``comment`` and ``nags``. The list
is in no other order: the page appends what is played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from xiangqi.errors import Fact, RecordError, XiangqiError
from xiangqi.games.formats.builder import explain_move_error
from xiangqi.games.tree import Game, GameCursor, GameNode
from xiangqi.notation import format_chinese, format_wxf
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.web.pages.plies import format_marks
from xiangqi.web.serve.messages import Refusal, text_of, wrong_field
from xiangqi.web.serve.positions import MAX_PLIES

__all__ = ["describe_game", "read_game"]

_ROOT: Final[list[dict[str, Any]]] = [{}]


def describe_game(game: Game) -> dict[str, Any]:
    """Data of a game: first position, headers, and ``nodes`` with moves named in each notation.

    Raises FenError or PositionError where the starting position cannot be read.
    """
    return {"fen": game.fen, "headers": game.headers, "nodes": list(_describe_nodes(game))}


def _describe_nodes(game: Game) -> Iterator[dict[str, Any]]:
    cursor = GameCursor(game)
    places = {id(node): place for place, node in enumerate(game.nodes())}
    for node in game.nodes():
        if node.parent is not None:
            cursor.go_to(node.parent)
        data = {**_name_move(cursor, node), "next": [places[id(one)] for one in node.variations]}
        if node.comment:
            data["comment"] = node.comment
        if node.nags:
            data["nags"] = node.nags
            data["marks"] = format_marks(node.nags)
        yield data


def _name_move(cursor: GameCursor, node: GameNode) -> dict[str, str]:
    """The move of a node in each notation; the cursor is before it."""
    if node.move is None:
        return {}
    return {
        "move": node.move.iccs(),
        "chinese": format_chinese(cursor.board, node.move),
        "wxf": format_wxf(cursor.board, node.move),
    }


def read_game(data: Mapping[str, Any]) -> Game:
    """The game in a request: ``fen``, ``headers`` and ``nodes``; what they lack is as usual.

    Raises FenError or PositionError for the beginning, RecordError for a move, Refusal for data of
    another form.
    """
    headers = data.get("headers", {})
    if not isinstance(headers, dict) or not all(isinstance(v, str) for v in headers.values()):
        raise wrong_field("headers", headers, Fact("request.headers"))
    nodes = data.get("nodes", _ROOT)
    if not isinstance(nodes, list) or not nodes:
        raise wrong_field("nodes", nodes, Fact("request.nodes"))
    game = Game(text_of(data, "fen", STARTING_FEN), headers)
    cursor, unread = GameCursor(game), set(range(len(nodes)))
    waiting: list[tuple[object, GameNode | None]] = [(0, None)]
    while waiting:
        place, parent = waiting.pop()
        if not isinstance(place, int) or place not in unread:
            raise wrong_field("nodes: next", place, Fact("request.other_node"))
        unread.remove(place)
        node = game.root if parent is None else _play(cursor, parent, nodes[place])
        following = _take_remarks(node, nodes[place])
        waiting += ((one, node) for one in reversed(following))
    return game


def _play(cursor: GameCursor, parent: GameNode, data: object) -> GameNode:
    """Add the move of a node to the game."""
    if parent.ply >= MAX_PLIES:
        raise Refusal(400, Fact("request.long_line", place="nodes", most=MAX_PLIES))
    text = data.get("move") if isinstance(data, dict) else None
    if not isinstance(text, str):
        raise wrong_field("nodes", data, Fact("request.move"))
    cursor.go_to(parent)
    try:
        move = cursor.board.parse_iccs(text)
    except XiangqiError as error:
        raise RecordError(parent.ply, text, explain_move_error(error)) from error
    return cursor.extend(move)


def _take_remarks(node: GameNode, data: object) -> list[object]:
    """Give a node its comment and its marks; the places of those that come next."""
    if not isinstance(data, dict):
        raise wrong_field("nodes", data, Fact("text.an_object"))
    nags, following = data.get("nags", []), data.get("next", [])
    if not isinstance(nags, list) or not all(type(nag) is int and nag >= 0 for nag in nags):
        raise wrong_field("nodes: nags", nags, Fact("text.numbers"))
    if not isinstance(following, list):
        raise wrong_field("nodes: next", following, Fact("request.places"))
    node.comment = text_of(data, "comment", "")
    node.nags = nags
    return following
