"""Meihua's JSON: an object for each game, one a line, over several lines, or in an array.

    {"id": "g1", "event": "...", "red": "...", "black": "...", "result": "1-0",
     "fen": "...", "moves": ["h2e2", "h9g7"],
     "comments": {"0": "before the first move", "2": "after the second"}, "nags": {"2": [1]},
     "variations": [{"line": 0, "ply": 2, "moves": ["b9c7"], "comments": {"2": "..."}}]}

All keys are optional; ``fen`` is by default the starting position of Xiangqi. ``start_fen`` is read
as ``fen``, and ``position``, a command of UCI or UCCI as in a line of ``judge --jsonl``, as ``fen``
and ``moves``. An object with none of the keys of a game is an error. A variation gives the line it
leaves (0 is the main line, n the n-th variation) and the ply of its first move, from 1; plies of
comments and marks count from the beginning of the game. Headers of PGN have names in lower case,
``red_team`` for ``RedTeam``; any other key is a header of its own name, and a value other than text
is kept as JSON. Headers whose names have another meaning here are in an object ``headers``.

Moves are written in ICCS, a game a line; readers take any notation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, Final

from xiangqi.games.formats.base import DEFAULT_OPTIONS, Notation, WriteOptions, choose_notation
from xiangqi.games.formats.builder import GameBuilder, play_line
from xiangqi.games.formats.json_objects import ObjectText, split_objects
from xiangqi.games.record import parse_json_object, parse_position
from xiangqi.games.tree import Game, GameNode
from xiangqi.ground.errors import Fact, RecordError
from xiangqi.pieces.fen import STARTING_FEN

__all__ = ["JSON_LINES", "JsonLinesFormat"]

_HEADERS: Final = {
    "event": "Event", "site": "Site", "date": "Date", "round": "Round", "red": "Red",
    "black": "Black", "red_team": "RedTeam", "black_team": "BlackTeam", "result": "Result",
    "ecco": "ECCO", "opening": "Opening", "variation": "Variation",
}  # fmt: skip
_KEYS: Final = {header: key for key, header in _HEADERS.items()}
_UNICODE: Final = ("utf-8", "utf8", "gb18030")
_OWN_KEYS: Final = frozenset(
    ("fen", "start_fen", "moves", "comments", "nags", "variations", "headers")
)
_GAME_KEYS: Final = _OWN_KEYS.union(_HEADERS, _KEYS, ("position",))


_BEGINNING: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{")


class JsonLinesFormat:
    """The format of games in JSON."""

    name = "jsonl"
    suffixes = (".jsonl", ".ndjson")
    can_write = True
    notations: tuple[Notation, ...] = ("iccs",)
    is_text = True
    single = False

    def detects(self, head: bytes) -> bool:
        return _BEGINNING.match(head) is not None

    def split(self, data: IO[bytes], source: str) -> Iterator[ObjectText]:
        return split_objects(data, source)

    def build(self, cut: ObjectText, source: str, number: int) -> Game:
        builder = GameBuilder(source, number)
        try:
            is_value = cut.text.startswith(("{", "["))
            content = parse_json_object(cut.text, cut.line) if is_value else {cut.text: None}
            if content and not _GAME_KEYS.intersection(content):
                place = Fact("place.line", line=cut.line)
                why = Fact("at", place=place, what=Fact("record.object"))
                raise RecordError(None, cut.text, why)
        except RecordError as error:
            builder.add_error(error.text, error.why, rest=cut.text)
        else:
            _Reader(content, builder).read()
        for text, reason in cut.faults:
            builder.add_error(text, reason)
        return builder.game

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        """Write games one by one, in ICCS; raises FormatError for another notation."""
        choose_notation(self, options)
        for game in games:
            content = _content(game)
            is_ascii = options.encoding.lower() not in _UNICODE
            text = json.dumps(content, ensure_ascii=is_ascii)
            try:
                out.write(f"{text}\n".encode(options.encoding))
            except UnicodeEncodeError:  # a lone surrogate, which needs a JSON escape
                out.write(f"{json.dumps(content)}\n".encode(options.encoding))


JSON_LINES: Final = JsonLinesFormat()


# Reading


class _Reader:
    """Reader of a game's object."""

    def __init__(self, content: Mapping[str, Any], builder: GameBuilder) -> None:
        self.content = content
        self.builder = builder
        self.lines: list[list[GameNode]] = []  # nodes of each line after the one where it begins

    def read(self) -> None:
        self.read_position()
        content, builder = self.content, self.builder
        self.read_headers()
        fen = content.get("fen", content.get("start_fen", STARTING_FEN))
        if not isinstance(fen, str):
            self.add_error("fen", fen, Fact("a_text"))
        elif fen != STARTING_FEN:
            builder.set_start(fen)
        self.read_line("", content)
        variations = content.get("variations", [])
        if not isinstance(variations, list):
            self.add_error("variations", variations, Fact("text.objects"))
            return
        for number, variation in enumerate(variations, start=1):
            place = f"variations: {number}"
            parent = self.find_parent(variation)
            if parent is None:
                self.lines.append([])
                self.add_error(place, variation, Fact("text.line_left"))
                continue
            builder.go_to(parent)
            self.read_line(f"{place}: ", variation)

    def read_position(self) -> None:
        """Replace a command of UCI or UCCI by the position and the moves."""
        content = dict(self.content)
        text = content.get("position")
        if isinstance(text, str) and not {"fen", "start_fen", "moves"}.intersection(content):
            try:
                record = parse_position(text)
            except RecordError as error:
                why = Fact("at", place="position", what=error.why)
                self.builder.add_error(text, why, rest=text)
                return
            del content["position"]
            self.content = {**content, "fen": record.fen, "moves": list(record.moves)}

    def read_headers(self) -> None:
        content, headers = self.content, self.builder.game.headers
        for key, value in content.items():
            if key not in _OWN_KEYS and value is not None:
                name = _HEADERS.get(key, key)
                if headers.setdefault(name, _text(value)) != _text(value):
                    self.add_error(key, value, Fact("text.one_header", name=name))
        more = content.get("headers", {})
        if isinstance(more, dict):
            headers.update((name, _text(value)) for name, value in more.items())
        else:
            self.add_error("headers", more, Fact("text.an_object"))
        if "Result" in headers:
            self.builder.set_result(headers.pop("Result"))

    def find_parent(self, variation: object) -> GameNode | None:
        if isinstance(variation, dict):
            line, ply = variation.get("line"), variation.get("ply")
            if type(line) is int and type(ply) is int and 0 <= line < len(self.lines):
                nodes = self.lines[line]
                index = ply - 1 - nodes[0].ply if nodes else -1
                if 0 <= index < len(nodes):
                    return nodes[index]
        return None

    def read_line(self, place: str, content: Mapping[str, Any]) -> None:
        builder = self.builder
        start = builder.node
        moves = content.get("moves", [])
        if isinstance(moves, str):
            moves = moves.split()
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            self.add_error(f"{place}moves", moves, Fact("text.moves"))
            moves = []
        play_line(builder, moves)
        nodes = _path(start, builder.node)
        self.lines.append(nodes)
        for node, text in self.find_nodes(place, "comments", content, nodes):
            if isinstance(text, str):
                node.comment = text
            else:
                self.add_error(f"{place}comments: {node.ply}", text, Fact("a_text"))
        for node, nags in self.find_nodes(place, "nags", content, nodes):
            if isinstance(nags, list) and all(type(nag) is int and nag >= 0 for nag in nags):
                node.nags += nags
            else:
                self.add_error(f"{place}nags: {node.ply}", nags, Fact("text.numbers"))

    def find_nodes(
        self, place: str, key: str, content: Mapping[str, Any], nodes: list[GameNode]
    ) -> Iterator[tuple[GameNode, Any]]:
        """Iterate over the nodes of a line with a value under ``comments`` or ``nags``."""
        values = content.get(key, {})
        if not isinstance(values, dict):
            self.add_error(f"{place}{key}", values, Fact("text.plies"))
            return
        first = nodes[0].ply + bool(place)  # a variation's first node belongs to another line
        for ply, value in values.items():
            number = int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 8 else -1
            if first <= number <= nodes[-1].ply:
                yield nodes[number - nodes[0].ply], value
            else:
                expected = Fact("text.ply", first=first, last=nodes[-1].ply)
                self.add_error(f"{place}{key}: {ply}", value, expected)

    def add_error(self, key: str, value: object, expected: Fact) -> None:
        reason = Fact("text.key", key=key, what=expected)
        self.builder.add_error(_text(value), reason, rest=_text(value))


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _path(start: GameNode, end: GameNode) -> list[GameNode]:
    """Nodes from one to a descendant, including both."""
    nodes = [end]
    while nodes[-1] is not start:
        parent = nodes[-1].parent
        assert parent is not None
        nodes.append(parent)
    nodes.reverse()
    return nodes


# Writing


def _content(game: Game) -> dict[str, Any]:
    content: dict[str, Any] = {}
    others: dict[str, str] = {}
    for name, value in game.headers.items():
        key = _KEYS.get(name, name)
        if name in _HEADERS or name in _OWN_KEYS or key in content:
            others[name] = value
        else:
            content[key] = value
    if others:
        content["headers"] = others
    if game.fen != STARTING_FEN:
        content["fen"] = game.fen
    (_, line), *variations = _lines(game)
    content.update(line)
    if variations:
        content["variations"] = [{**start, **line} for start, line in variations]
    return content


def _lines(game: Game) -> Iterator[tuple[dict[str, int], dict[str, Any]]]:
    """Iterate over the main line and all variations: line left and first ply, and the data."""
    queue: list[tuple[int, GameNode]] = [(0, game.root)]
    for number, (parent_line, first) in enumerate(queue):  # the queue grows meanwhile
        nodes = [first, *first.mainline()]
        for node in nodes:
            queue += [(number, other) for other in node.variations[1:]]
        line: dict[str, Any] = {"moves": [node.move.iccs() for node in nodes if node.move]}
        comments = {str(node.ply): node.comment for node in nodes if node.comment}
        nags = {str(node.ply): node.nags for node in nodes if node.nags}
        if comments:
            line["comments"] = comments
        if nags:
            line["nags"] = nags
        yield {"line": parent_line, "ply": first.ply}, line
