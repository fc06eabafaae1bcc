"""Games with variations, comments and marks: to and from the page, from pasted text, to files.

The page has a list of nodes, the starting position first. A node has the indices of the ``next``
nodes, the main line first, and may have ``move``, ``comment`` and ``nags``. The list is otherwise
unordered: the page appends new moves.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from xiangqi.games.arbiter import format_verdict, rule_game
from xiangqi.games.formats import FORMATS
from xiangqi.games.formats.base import WriteOptions
from xiangqi.games.formats.builder import explain_move_error
from xiangqi.games.formats.pgn import PGN
from xiangqi.games.pasting import read_pasted
from xiangqi.games.tree import Game, GameCursor, GameNode
from xiangqi.ground.errors import Fact, IllegalMoveError, RecordError, XiangqiError
from xiangqi.ground.texts import Language, say
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.endings import require_allowed
from xiangqi.referee.rules import RuleSet
from xiangqi.web.pages.plies import format_marks
from xiangqi.web.serve.messages import Refusal, headers_of, one_of, text_of, wrong_field
from xiangqi.web.serve.positions import MAX_PLIES, play_game
from xiangqi.words.voice import Voice, name_move

__all__ = [
    "TextHandler",
    "describe_game",
    "describe_pasted",
    "read_game",
    "read_move",
    "write_file",
]

WRITTEN_FORMATS: Final = ("pgn", "xqf", "dhtmlxq")
"""Formats in which the page saves a game."""
_ROOT: Final[list[dict[str, Any]]] = [{}]


def describe_game(game: Game) -> dict[str, Any]:
    """Describe a game: starting FEN, headers, and ``nodes`` with the moves in each notation.

    Raises FenError or PositionError for an invalid starting position.
    """
    cursor, nodes = GameCursor(game), []
    places = {id(node): place for place, node in enumerate(game.nodes())}
    for node in game.nodes():
        data: dict[str, Any] = {}
        if node.parent is not None and node.move is not None:
            cursor.go_to(node.parent)
            names = name_move(cursor.board, node.move)
            data = {"move" if name == "iccs" else name: text for name, text in names.items()}
        data["next"] = [places[id(one)] for one in node.variations]
        if node.comment:
            data["comment"] = node.comment
        if node.nags:
            data["nags"] = node.nags
            data["marks"] = format_marks(node.nags)
        nodes.append(data)
    return {"fen": game.fen, "headers": game.headers, "nodes": nodes}


def read_game(data: Mapping[str, Any]) -> Game:
    """Read the game in a request: ``fen``, ``headers`` and ``nodes``, all optional.

    Raises FenError or PositionError for the starting position, RecordError for a move, Refusal for
    malformed data.
    """
    headers = headers_of(data)
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
    """Add a node's move to the game."""
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
    """Set a node's comment and marks; return the indices of the next nodes."""
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


class TextHandler:
    """Reads and writes games as text, in a worker process (:mod:`~xiangqi.web.serve.worker`)."""

    def answer(self, *call: Any) -> dict[str, Any] | bytes:
        """Run :func:`describe_pasted` for "paste", :func:`write_file` for "pgn"."""
        kind, *arguments = call
        return describe_pasted(*arguments) if kind == "paste" else write_file(*arguments)

    def work_ahead(self) -> bool:
        return False


def describe_pasted(data: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Read the first game in ``text``.

    ``errors`` are sentences, ``fault`` is the first word that is not understood: ``line``,
    ``column``, ``text``. ``more`` is true if other games follow. Raises RecordError if there is no
    game.
    """
    pasted = read_pasted(text_of(data, "text"))
    fault, errors = pasted.fault, []
    if fault is not None and not fault.line:
        errors.append(fault.error().say(language))
    elif fault is not None:
        place = {"line": fault.line, "column": fault.column, "text": fault.text}
        reason = fault.reason.say(language)
        errors.append(say(language, "page.not_understood", **place, reason=reason))
    if pasted.is_ambiguous:
        errors.append(say(language, "page.rank_bases"))
    return {
        **describe_game(pasted.game),
        "errors": errors,
        "fault": None if fault is None or not fault.line else asdict(fault),
        "more": pasted.has_more,
    }


def read_move(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, str]:
    """Parse the move ``text``, in any notation, after a game.

    Raises InvalidMoveError, RecordError for an illegal move (also one barred by the rule set) or
    AmbiguousMoveError, and as :func:`play_game` does for the game.
    """
    board = play_game(data)
    text = text_of(data, "text").strip()
    try:
        move = board.parse_move(text)
        require_allowed(board, move, rules, voice)
    except IllegalMoveError as error:
        raise RecordError(board.ply(), text, error.why) from error  # the page shows the position
    return {"move": move.iccs()}


def write_file(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> bytes:
    """Write the game of a request as a file in its ``format``, by default PGN.

    PGN has the voice's notation. Without a header ``Result`` the game is ruled on,
    and ``Result``, ``Rules`` and ``Ruling`` are added. Other formats leave out what they cannot
    hold. Raises as :func:`read_game` does, FormatError for a game that cannot be
    written, and Refusal for another format.
    """
    name = text_of(data, "format", PGN.name)
    if name not in WRITTEN_FORMATS:
        raise wrong_field("format", name, one_of(WRITTEN_FORMATS))
    game, out = read_game(data), io.BytesIO()
    if "Result" not in game.headers:
        ruled = rule_game(game, rules)
        game.headers["Result"] = "*" if ruled.outcome is None else ruled.outcome.result()
        game.headers["Rules"] = rules.describe()
        if ruled.outcome is not None:
            game.headers["Ruling"] = format_verdict(ruled, voice)
    if name == PGN.name:
        PGN.write([game], out, WriteOptions(notation=voice.notation))
    else:
        FORMATS[name].write([game], out, WriteOptions(lossy=True))
    return out.getvalue()
