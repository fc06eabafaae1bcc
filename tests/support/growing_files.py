"""Files that repeat one piece of text as often as wanted, in each place of each format.

A reader or writer that looks at every character a bounded number of times does twice the work on
twice the file. The tests count that work.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple
from xml.sax.saxutils import escape

from tests.support.format_encoders import Ply, encode_cbr, encode_pfc, encode_xqf
from xiangqi.games.additions import read_words, take_out_additions
from xiangqi.games.comments import put_time, read_eval, read_time
from xiangqi.games.formats import FORMATS, WriteOptions, read_games
from xiangqi.games.pasting import read_pasted
from xiangqi.games.tree import Game
from xiangqi.ground.errors import XiangqiError
from xiangqi.pieces.fen import STARTING_FEN

PIECES = (
    # blanks and line ends
    " ", "\t", "\n", "\r", "\r\n", "\n \n", "\u3000",
    # brackets and quotes
    "(", ")", "()", "[", "]", "{", "}", "{}", "【", '"', "\\", '\\"',
    # digits and signs
    "0", "9 ", "1.", ".", "-", "+", "/", "|", ";", ";\n", "%\n", "$1", "!", ",", "\\u4e00",
    # letters, moves and results
    "a", "a ", "第", "h2e2", "C2.5 ", "炮二平五", "1-0 ", "(h2e2 ", "{a} ", "h2e2 (h2e3) ",
    # headers, tags and words of the formats
    '[A "b"]', '[A "b"]\n', '[A# "b"]\n\n', "[%eval ", "[%meihua ", "[DhtmlXQ]", "[DhtmlXQ_a",
    "[DhtmlXQ_a#]b[/DhtmlXQ_a#]", "[0_1_0]", "[comment_0_1]", "A#\tb\n", "START{\n",
    "FORMAT WXF\n", "fen a/", "红方：",
)  # fmt: skip
"""Repeated text; ``#`` is a number that grows."""


class Place(NamedTuple):
    """Place at which a text may grow: the file around it."""

    format: str | None
    """The format that the file is read as; None for a text that is pasted."""
    name: str
    fill: Callable[[str], bytes]


def _text(format: str | None, name: str, before: str, behind: str) -> Place:
    return Place(format, name, lambda text: f"{before}{text}{behind}".encode())


def _json(name: str, fill: Callable[[str], object]) -> Place:
    return Place("jsonl", name, lambda text: json.dumps(fill(text)).encode() + b"\n")


_UBB_MOVE = "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"


def _cbf(name: str, text: str) -> bytes:
    head = f"<Head><{name}>{escape(text)}</{name}></Head>"
    moves = '<MoveList><Move value="00-00" /><Move value="77-47" end="1" /></MoveList>'
    return f"<ChineseChessRecord>{head}{moves}</ChineseChessRecord>".encode("utf-8", "replace")


PLACES = (
    _text("pgn", "before the headers", "", '\n[Red "A"]\n\n1. h2e2 h9g7 1-0\n'),
    _text("pgn", "header", '[Red "', '"]\n\n1. h2e2 h9g7 1-0\n'),
    _text("pgn", "header name", "[Red", ' "A"]\n\n1. h2e2 h9g7 1-0\n'),
    _text("pgn", "header end", '[Red "A"', "]\n\n1. h2e2 h9g7 1-0\n"),
    _text("pgn", "position", '[FEN "', '"]\n\n1. h2e2 h9g7 1-0\n'),
    _text("pgn", "comment", '[Red "A"]\n\n1. h2e2 {a', "b} h9g7 1-0\n"),
    _text("pgn", "open comment", '[Red "A"]\n\n1. h2e2 {a', "\n"),
    _text("pgn", "comment of a line", '[Red "A"]\n\n1. h2e2 ;a', "\nh9g7 1-0\n"),
    _text("pgn", "comment with a brace", '[Red "A"]\n\n1. h2e2 ;a}\n;a', "\nh9g7 1-0\n"),
    _text("pgn", "moves", '[Red "A"]\n\n1. h2e2 ', "h9g7 1-0\n"),
    _text("pgn", "behind the result", '[Red "A"]\n\n1. h2e2 h9g7 1-0 ', " a\n"),
    _text("wxf", "header", "FORMAT\tWXF\nRED\t", "x\nSTART{\n1. C2.5 h8+7\n}END\n"),
    _text("wxf", "player", "FORMAT\tWXF\nRED\ta;1500;", "x\nSTART{\n1. C2.5 h8+7\n}END\n"),
    _text("wxf", "keyword", "FORMAT\tWXF\nA", " x\nSTART{\n1. C2.5 h8+7\n}END\n"),
    _text("wxf", "format", "FORMAT AXF ", " x\nSTART{\n1. C2.5 h8+7\n}END\n"),
    _text("wxf", "moves", "FORMAT\tWXF\nSTART{\n1. C2.5 ", " h8+7\n}END\n"),
    _text("wxf", "comment", "FORMAT\tWXF\nSTART{\n1. C2.5 {a", "b} h8+7\n}END\n"),
    _text("wxf", "position", "FORMAT\tWXF\nSETUP{", "}\nSTART{\n1. C2.5 h8+7\n}END\n"),
    _text("wxf", "before a block", "FORMAT\tWXF\n", "START{\n1. C2.5 h8+7\n}END\n"),
    _text("dhtmlxq", "tag", "[DhtmlXQ_red]a", "b[/DhtmlXQ_red]" + _UBB_MOVE),
    _text("dhtmlxq", "tag name", "[DhtmlXQ_r", "]a[/DhtmlXQ_red]" + _UBB_MOVE),
    _text("dhtmlxq", "moves", "[DhtmlXQ_movelist]7747", "7062[/DhtmlXQ_movelist]"),
    _text(
        "dhtmlxq", "numbered comment",
        "[DHJHtmlXQ_34]7242[/DHJHtmlXQ_34][game_comment_0_1]a", "b[/comment_0_1]",
    ),
    _text("dhtmlxq", "comment", _UBB_MOVE + "[DhtmlXQ_comment1]a", "b[/DhtmlXQ_comment1]"),
    _text("dhtmlxq", "around", "a", _UBB_MOVE),
    _text("positions", "moves", "position startpos moves h2e2 ", " h9g7\n"),
    _text("positions", "position", "position fen ", " moves h2e2\n"),
    _text("positions", "line", "", "position startpos moves h2e2\n"),
    _text("positions", "title", "a", f"|{STARTING_FEN}|h2e2\n"),
    _text("positions", "moves behind a title", f"a|{STARTING_FEN}|h2e2", "\n"),
    _json("header", lambda text: {"red": text, "moves": ["h2e2"]}),
    _json("comment", lambda text: {"moves": ["h2e2"], "comments": {"1": f"a{text}b"}}),
    _json("moves", lambda text: {"moves": f"h2e2 {text}"}),
    _json("position", lambda text: {"fen": text}),
    _text("jsonl", "line", '{"red": "', ""),
    _text("jsonl", "between lines", '{\n"red": "A",\n', '\n"moves": []\n}\n'),
    _text("jsonl", "before an object", "", '\n{"moves": []}\n'),
    _text("jsonl", "array", "[", '{"moves": []}]\n'),
    _text("positions", "operations", f"{STARTING_FEN} ", "\n"),
    _text("text", "file", "炮二平五 马8进7\n", ""),
    _text("text", "title", "", "\n炮二平五 马8进7\n"),
    _text("text", "label", "红方：", "\n炮二平五 马8进7\n"),
    Place("cbf", "header", lambda text: _cbf("Title", text)),
    Place("cbf", "comment", lambda text: _cbf("Description", text)),
    Place("pfc", "comment", lambda text: encode_pfc([Ply("h2e2", text)]).encode()),
    _text("pfc", "value", '<n version="2" m="" c="', '"><n m="h2e2" /></n>'),
    _text("pfc", "elements", '<n version="2" m="">', '<n m="h2e2" /></n>'),
    _text("che", "moves", "1 2 26 32 1 2 1 2 4 0 1 0 ", " 6 32 0 9 1 7 2 0 2 0"),
    Place("xqf", "comment", lambda text: encode_xqf([Ply("h2e2", f"a{text}b")])),
    Place("xqf", "opening", lambda text: encode_xqf([Ply("h2e2")], comment=text)),
    Place("xqf", "headers", lambda text: encode_xqf([Ply("h2e2")], comment=f'[A "{text}"]\n\nb')),
    Place("cbr", "comment", lambda text: encode_cbr([Ply("h2e2", f"a{text}b")])),
    Place("cbr", "opening", lambda text: encode_cbr([Ply("h2e2")], comment=text)),
    _text(None, "pasted", "", ""),
    _text(None, "pasted before moves", "", " 炮二平五 马8进7"),
    _text(None, "pasted behind moves", "炮二平五", ""),
    _text(None, "pasted in brackets", "炮二平五（", "）马8进7"),
    _text(None, "pasted label", "红方：", "\n炮二平五 马8进7"),
    _text(None, "pasted header", '[Red "', '"]\n炮二平五 马8进7'),
    _text(None, "pasted link", "https://a.org/?moves=", ""),
)  # fmt: skip
"""Every place."""


def use(place: Place, data: bytes) -> None:
    """Read what fills a place, look at all that is in it, and write it in every format."""
    if place.format is None:
        with suppress(XiangqiError):
            use_game(read_pasted(data.decode()).game)
        return
    with suppress(XiangqiError):
        for game in read_games(io.BytesIO(data), place.format, "grown"):
            use_game(game)


def use_game(game: Game) -> None:
    """Read the comments of a game, and write it in every format."""
    for error in game.errors:
        str(error)
    for node in game.nodes():
        read_words(node.comment)
        read_eval(node.comment)
        for kind in ("clk", "emt"):
            read_time(node.comment, kind)
            put_time(node.comment, kind, None)
    for known in FORMATS.values():
        if known.can_write:
            with suppress(XiangqiError):
                known.write([game], io.BytesIO(), WriteOptions(lossy=True))
    take_out_additions(game)


def repeat(piece: str, size: int) -> str:
    """A piece over and over, about so many characters."""
    count = size // len(piece)
    if "#" not in piece:
        return piece * count
    return "".join(piece.replace("#", str(number)) for number in range(count))
