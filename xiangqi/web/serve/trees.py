"""A game with its variations, comments and marks: as the page holds it, from pasted text, as PGN.

The page holds a list of nodes, the starting position first. Each has the ``next`` ones by their
places in the list, the main line first, and where it has them ``move``, ``comment`` and ``nags``.
The list is in no other order: the page appends what is played.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

from xiangqi.errors import Fact, RecordError, XiangqiError
from xiangqi.games.arbiter import format_verdict, rule_game
from xiangqi.games.formats.base import WriteOptions
from xiangqi.games.formats.builder import explain_move_error
from xiangqi.games.formats.pgn import PGN
from xiangqi.games.pasting import Pasted, TextFault, read_pasted
from xiangqi.games.tree import Game, GameCursor, GameNode
from xiangqi.notation import format_chinese, format_wxf
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.explanation import require_allowed
from xiangqi.referee.rules import RuleSet
from xiangqi.web.pages.plies import format_marks
from xiangqi.web.serve.labels import label
from xiangqi.web.serve.messages import Refusal, text_of, wrong_field
from xiangqi.web.serve.positions import MAX_PLIES, read_record
from xiangqi.words import Language
from xiangqi.words.voice import Voice

__all__ = ["Texts", "describe_game", "describe_pasted", "read_game", "read_move", "write_pgn"]

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


class Texts:
    """Answers questions about games as text; see :class:`~xiangqi.web.serve.worker.Answerer`."""

    def answer(self, *question: Any) -> dict[str, Any] | bytes:
        """Result of :func:`describe_pasted` for "paste", of :func:`write_pgn` for "pgn"."""
        kind, *arguments = question
        return describe_pasted(*arguments) if kind == "paste" else write_pgn(*arguments)

    def work_ahead(self) -> bool:
        """There is no work ahead of a question."""
        return False


def describe_pasted(data: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """The first game in ``text``, and what is wrong with it.

    ``errors`` are sentences, ``fault`` is the place of the first word that is not understood:
    ``line``, ``column``, ``text``. ``more`` is true if other games follow. Raises RecordError where
    no game can be read.
    """
    pasted = read_pasted(text_of(data, "text"))
    fault = pasted.fault
    return {
        **describe_game(pasted.game),
        "errors": list(_remarks(pasted, language)),
        "fault": None if fault is None or not fault.line else asdict(fault),
        "more": pasted.has_more,
    }


def _remarks(pasted: Pasted, language: Language) -> Iterator[str]:
    if pasted.fault is not None:
        yield _say_fault(pasted.fault, language)
    if pasted.is_ambiguous:
        yield label(language, "rank_bases")


def _say_fault(fault: TextFault, language: Language) -> str:
    if not fault.line:
        return fault.error().say(language)
    return label(
        language, "not_understood", line=fault.line, column=fault.column, text=fault.text,
        reason=fault.reason.say(language),
    )  # fmt: skip


def read_move(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, str]:
    """The move that ``text`` means after a game, in whatever notation.

    Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError for it, RecordError and its like
    for the game. A move that the rule set bars is illegal.
    """
    board = read_record(data).play()
    move = board.parse_move(text_of(data, "text").strip())
    require_allowed(board, move, rules, voice)
    return {"move": move.iccs()}


def write_pgn(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> bytes:
    """The game of a request as PGN, with the result by the rules.

    ``voice`` has the notation of moves. A result that the headers have stays; else the header
    ``Rules`` has the rules by which it is one, and ``Ruling`` why. Raises RecordError and its like
    for the game, FormatError for what PGN has no place for, and Refusal.
    """
    game = read_game(data)
    if "Result" not in game.headers:
        ruled = rule_game(game, rules)
        game.headers["Result"] = "*" if ruled.outcome is None else ruled.outcome.result()
        game.headers["Rules"] = rules.describe()
        if ruled.outcome is not None:
            game.headers["Ruling"] = format_verdict(ruled, voice)
    out = io.BytesIO()
    PGN.write([game], out, WriteOptions(notation=voice.notation))
    return out.getvalue()
