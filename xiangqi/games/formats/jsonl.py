"""Our JSON lines: one object a line, one game each.

    {"id": "g1", "event": "...", "red": "...", "black": "...", "result": "1-0",
     "fen": "...", "moves": ["h2e2", "h9g7"],
     "comments": {"0": "before the first move", "2": "after the second"}, "nags": {"2": [1]},
     "variations": [{"line": 0, "ply": 2, "moves": ["b9c7"], "comments": {"2": "..."}}]}

All keys may be missing; ``fen`` is the usual beginning then. ``start_fen`` is read as ``fen``. A
variation names the line it leaves (0 is the main line, n the n-th variation) and the ply of its
first move, from 1; plies of comments and marks count from the beginning of the game. Headers of PGN
have their names in small letters, ``red_team`` for ``RedTeam``; any other key is a header of its
own name, and a value that is no text is kept as JSON. Headers whose names would be taken for
something else stand in an object ``headers``.

Moves are written in ICCS; readers take any notation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, Final

from xiangqi.errors import Fact
from xiangqi.games.formats.base import DEFAULT_OPTIONS, Notation, WriteOptions, choose_notation
from xiangqi.games.formats.builder import GameBuilder, build_line, play_line, split_lines
from xiangqi.games.record import parse_json_object
from xiangqi.games.tree import Game, GameNode
from xiangqi.lines import FaultyText
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


class JsonLinesFormat:
    """The format of JSON lines."""

    name = "jsonl"
    suffixes = (".jsonl", ".ndjson")
    can_write = True
    notations: tuple[Notation, ...] = ("iccs",)
    is_text = True
    single = False

    def detects(self, head: bytes) -> bool:
        """Does the file begin with an object?"""
        return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")

    def split(self, data: IO[bytes], source: str) -> Iterator[FaultyText]:
        """Return each line as a game; see :func:`~xiangqi.games.formats.builder.split_lines`."""
        return split_lines(data, source)

    def build(self, cut: FaultyText, source: str, number: int) -> Game:
        """Read the object of a line; see :class:`~xiangqi.games.formats.base.Format`."""
        return build_line(cut, source, number, _read_line)

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
            except UnicodeEncodeError:  # half of a surrogate pair, which only JSON can spell
                out.write(f"{json.dumps(content)}\n".encode(options.encoding))


JSON_LINES: Final = JsonLinesFormat()


# Reading


def _read_line(builder: GameBuilder, line: str) -> None:
    _Reader(parse_json_object(line), builder).read()


class _Reader:
    """Reader of the object of one game."""

    def __init__(self, content: Mapping[str, Any], builder: GameBuilder) -> None:
        self.content = content
        self.builder = builder
        self.lines: list[list[GameNode]] = []  # each line's nodes, the one it leaves first

    def read(self) -> None:
        content, builder = self.content, self.builder
        self.take_headers()
        fen = content.get("fen", content.get("start_fen", STARTING_FEN))
        if not isinstance(fen, str):
            self.refuse("fen", fen, Fact("text.a_text"))
        elif fen != STARTING_FEN:
            builder.set_start(fen)
        self.take_line("", content)
        variations = content.get("variations", [])
        if not isinstance(variations, list):
            self.refuse("variations", variations, Fact("text.objects"))
            return
        for number, variation in enumerate(variations, start=1):
            place = f"variations: {number}"
            parent = self.find_parent(variation)
            if parent is None:
                self.lines.append([])
                self.refuse(place, variation, Fact("text.line_left"))
                continue
            builder.go_to(parent)
            self.take_line(f"{place}: ", variation)

    def take_headers(self) -> None:
        content, headers = self.content, self.builder.game.headers
        for key, value in content.items():
            if key not in _OWN_KEYS and value is not None:
                name = _HEADERS.get(key, key)
                if headers.setdefault(name, _text(value)) != _text(value):
                    self.refuse(key, value, Fact("text.one_header", name=name))
        more = content.get("headers", {})
        if isinstance(more, dict):
            headers.update((name, _text(value)) for name, value in more.items())
        else:
            self.refuse("headers", more, Fact("text.an_object"))

    def find_parent(self, variation: object) -> GameNode | None:
        if isinstance(variation, dict):
            line, ply = variation.get("line"), variation.get("ply")
            if type(line) is int and type(ply) is int and 0 <= line < len(self.lines):
                nodes = self.lines[line]
                place = ply - 1 - nodes[0].ply if nodes else -1
                if 0 <= place < len(nodes):
                    return nodes[place]
        return None

    def take_line(self, place: str, content: Mapping[str, Any]) -> None:
        builder = self.builder
        start = builder.node
        moves = content.get("moves", [])
        if isinstance(moves, str):
            moves = moves.split()
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            self.refuse(f"{place}moves", moves, Fact("text.moves"))
            moves = []
        play_line(builder, moves)
        nodes = _way(start, builder.node)
        self.lines.append(nodes)
        for node, text in self.find_nodes(place, "comments", content, nodes):
            if isinstance(text, str):
                node.comment = text
            else:
                self.refuse(f"{place}comments: {node.ply}", text, Fact("text.a_text"))
        for node, nags in self.find_nodes(place, "nags", content, nodes):
            if isinstance(nags, list) and all(type(nag) is int and nag >= 0 for nag in nags):
                node.nags += nags
            else:
                self.refuse(f"{place}nags: {node.ply}", nags, Fact("text.numbers"))

    def find_nodes(
        self, place: str, key: str, content: Mapping[str, Any], nodes: list[GameNode]
    ) -> Iterator[tuple[GameNode, Any]]:
        """Values of the moves of a line under a key."""
        remarks = content.get(key, {})
        if not isinstance(remarks, dict):
            self.refuse(f"{place}{key}", remarks, Fact("text.plies"))
            return
        first = nodes[0].ply + bool(place)  # the node that a variation leaves is not its own
        for ply, value in remarks.items():
            number = int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 8 else -1
            if first <= number <= nodes[-1].ply:
                yield nodes[number - nodes[0].ply], value
            else:
                expected = Fact("text.ply", first=first, last=nodes[-1].ply)
                self.refuse(f"{place}{key}: {ply}", value, expected)

    def refuse(self, key: str, value: object, expected: Fact) -> None:
        reason = Fact("text.key", key=key, what=expected)
        self.builder.add_error(_text(value), reason, rest=_text(value))


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _way(start: GameNode, end: GameNode) -> list[GameNode]:
    """Nodes from one to a later one, both included."""
    nodes = [end]
    while nodes[-1] is not start:
        parent = nodes[-1].parent
        assert parent is not None  # the way back leads to the start
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
    """Iterate over the main line and all variations: where each begins, and its data."""
    waiting: list[tuple[int, GameNode]] = [(0, game.root)]
    for number, (parent_line, first) in enumerate(waiting):  # it grows on the way
        nodes = [first]
        while nodes[-1].variations:
            nodes.append(nodes[-1].variations[0])
        for node in nodes:
            waiting += [(number, other) for other in node.variations[1:]]
        line: dict[str, Any] = {"moves": [node.move.iccs() for node in nodes if node.move]}
        comments = {str(node.ply): node.comment for node in nodes if node.comment}
        nags = {str(node.ply): node.nags for node in nodes if node.nags}
        if comments:
            line["comments"] = comments
        if nags:
            line["nags"] = nags
        yield {"line": parent_line, "ply": first.ply}, line
