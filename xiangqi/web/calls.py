"""The referee's calls in JSON, by name, for the npm package; and the descriptions of rulings and
outcomes that these calls, the HTTP service and the MCP server share.

>>> answer("legalMoves", '{"fen": "3k5/9/9/9/9/9/9/9/9/4K4 w"}')
'{"value": ["e0f0", "e0e1"]}'
>>> answer("outcome", '[{}, {"fen": "9/9 w"}]')  # doctest: +ELLIPSIS
'[{"value": null}, {"error": {"code": "fen", "message": "invalid FEN ...
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeVar

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.errors import Fact, PositionError, RecordError, XiangqiError
from xiangqi.games.pasting import read_pasted
from xiangqi.games.requests import GAME_KEYS, play_request
from xiangqi.pieces import COLOR_NAMES
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.explanation import explain_bar, explain_outcome, format_ruling, ruling_to_dict
from xiangqi.referee.reasons import format_reason
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.referee.ruling import Ruling
from xiangqi.svg import draw_ruling
from xiangqi.texts import LANGUAGES, Language
from xiangqi.words.voice import MOVE_NOTATIONS, Voice

__all__ = [
    "CALLS",
    "OptionError",
    "answer",
    "choose_rules",
    "describe_outcome",
    "describe_ruling",
    "draw_board",
    "explain_bars",
]

Data = Mapping[str, Any]
Call = Callable[[Data], Any]
Choice = TypeVar("Choice")

CALLS: Final[dict[str, Call]] = {}
"""Functions by call name."""
_KEYS: Final[dict[str, Collection[str]]] = {}
"""Keys that each call accepts."""
_POSITION: Final = GAME_KEYS
_RULES: Final = (*_POSITION, "rules", "occurrences")
_WORDS: Final = ("language", "notation")
_NULLABLE: Final = ("notation", "occurrences")
"""Keys whose value null means the default."""
_GAME_FACTS: Final = {
    "fen": "record.fen",
    "moves": "record.move_list",
    "position": "record.position_alone",
}
"""Expected values of the keys of a game, for errors."""


class OptionError(XiangqiError):
    """A call's data has an unknown key or an invalid value.

    >>> print(OptionError("language", "fr", Fact("one_of", choices=("en", "zh"))))
    language: found 'fr', expected one of en, zh
    """

    _CODE = "bad_option"
    _QUOTED = "value"
    _PLACED = "name"

    def __init__(self, name: str, value: object, expected: Fact) -> None:
        super().__init__(name, value, expected)
        self.name = name
        self.value = value
        self.expected = expected

    def _state(self) -> Fact:
        return Fact("error.call", place=self.name, value=self.value, expected=self.expected)


def answer(name: str, text: str) -> str:
    """Run a call on JSON data and return ``{"value": ...}`` or ``{"error": ...}`` as JSON.

    A list of data gives a list of results. An error has ``code``, ``message``, ``place``, ``ply``
    and ``quotation``.
    """
    data = json.loads(text)
    found = [_answer(name, one) for one in data] if isinstance(data, list) else _answer(name, data)
    return json.dumps(found, ensure_ascii=False)


def _answer(name: str, data: Any) -> dict[str, Any]:
    try:
        if not isinstance(data, dict):
            raise OptionError("data", _Json(data), Fact("text.an_object"))
        for key, value in data.items():
            if key not in _KEYS[name]:
                raise OptionError(name, key, Fact("call.keys", keys=", ".join(_KEYS[name])))
            _check_type(key, value)
        return {"value": CALLS[name](data)}
    except XiangqiError as error:
        language = data.get("language") if isinstance(data, dict) else None
        return {"error": _describe(error, language if language in LANGUAGES else "en")}


# Errors


class _Json:
    """Value of a request that errors quote as JSON: ``null``, ``true``."""

    def __init__(self, value: object) -> None:
        self._text = json.dumps(value, ensure_ascii=False)

    def __repr__(self) -> str:
        return self._text


def _check_type(key: str, value: object) -> None:
    """Raise OptionError or RecordError for a value that is neither text nor allowed by its key."""
    if isinstance(value, str) or (value is None and key in _NULLABLE):
        return
    if key == "moves" and isinstance(value, list):
        for ply, move in enumerate(value):
            if not isinstance(move, str):
                raise RecordError(ply, repr(_Json(move)), Fact("record.move_text"))
    elif key in _GAME_FACTS:
        raise RecordError(None, repr(_Json(value)), Fact(_GAME_FACTS[key]))
    elif key != "occurrences":
        raise OptionError(key, _Json(value), Fact("a_text"))
    elif isinstance(value, bool) or not isinstance(value, int):
        raise OptionError(key, _Json(value), Fact("api.integer"))


_CODES: Final = {
    "bad_fen": "fen",
    "impossible_position": "position",
    "bad_move": "move",
    "illegal_move": "move",
    "bad_rules": "rules",
    "bad_option": "option",
}
"""Error codes of calls by internal code; all others are ``game``."""


def _describe(error: XiangqiError, language: Language) -> dict[str, Any]:
    code, given, place, _ = error.facts
    ply = error.ply if isinstance(error, RecordError) else None
    if isinstance(error, RecordError):
        code = "game" if ply is None else code
        place = place or ("" if ply is None else f"move {ply + 1}")
    return {
        "code": _CODES.get(code, "game"),
        "message": error.say(language),
        "place": "fen" if isinstance(error, PositionError) else place,
        "ply": ply,
        "quotation": "" if given is None else str(given),
    }


# Shared descriptions


def choose_rules(name: str, occurrences: object = None) -> RuleSet:
    """Find a rule set, with ``occurrences`` replaced unless None. Raises RuleSetError."""
    rules = find_rule_set(name)
    return rules if occurrences is None else rules.replace({"occurrences": occurrences})


def describe_ruling(ruling: Ruling, voice: Voice, *, evidence: bool = True) -> dict[str, Any]:
    """Ruling as ``xiangqi judge --json`` prints it, with ``reason`` in the voice's language."""
    data = ruling_to_dict(ruling, evidence=evidence)
    return {**data, "reason": format_reason(ruling, voice)}


def describe_outcome(board: Board, rules: RuleSet, voice: Voice) -> dict[str, str | None] | None:
    """Result, winner and termination of the game, also in words; None while it is undecided."""
    found = board.outcome(rules)
    if found is None:
        return None
    return {
        "result": found.result(),
        "winner": None if found.winner is None else COLOR_NAMES[found.winner],
        "termination": found.termination.name.lower(),
        "words": explain_outcome(board, found, rules, voice),
    }


def explain_bars(board: Board, rules: RuleSet, voice: Voice) -> dict[Move, str]:
    """Map each legal move barred by the repetition rules to the reason."""
    barred = board.barred_moves(rules)
    return {move: explain_bar(board, move, rules, voice) or "" for move in barred}


def draw_board(board: Board, rules: RuleSet) -> str:
    """Draw the position as SVG; a repetition with arrows for checks, chases and protections."""
    ruling = board.judge(rules)
    return str(draw_ruling(ruling)) if ruling.plies else board._repr_svg_()


# Data


def _choose(data: Data, key: str, choices: Collection[Choice], default: Choice) -> Choice:
    value = data.get(key, default)
    if value not in choices:
        raise OptionError(key, value, Fact("one_of", choices=tuple(map(repr, choices))))
    return next(choice for choice in choices if choice == value)


def _text(data: Data, key: str, default: str) -> str:
    value = data.get(key, default)
    if not isinstance(value, str):
        raise OptionError(key, value, Fact("a_text"))
    return value


def _rules(data: Data) -> RuleSet:
    return choose_rules(_text(data, "rules", WXF.name), data.get("occurrences"))


def _voice(data: Data) -> Voice:
    language = _choose(data, "language", LANGUAGES, "en")
    if data.get("notation") is None:
        return Voice(language)
    return Voice(language, _choose(data, "notation", MOVE_NOTATIONS, MOVE_NOTATIONS[0]))


def _call(*keys: str) -> Callable[[Call], Call]:
    """Register a function as a call; ``_legal_moves`` becomes ``legalMoves``."""

    def register(function: Call) -> Call:
        first, *others = function.__name__.strip("_").split("_")
        name = first + "".join(word.capitalize() for word in others)
        CALLS[name], _KEYS[name] = function, keys
        return function

    return register


# The calls


@_call(*_RULES, *_WORDS)
def _judge(data: Data) -> dict[str, Any]:
    return describe_ruling(play_request(data).judge(_rules(data)), _voice(data))


@_call(*_RULES, *_WORDS)
def _explain(data: Data) -> str:
    """Explanation of the ruling, as ``xiangqi judge --explain`` prints it."""
    return format_ruling(play_request(data).judge(_rules(data)), _voice(data))


@_call(*_POSITION)
def _legal_moves(data: Data) -> list[str]:
    return [move.iccs() for move in play_request(data).list_moves()]


@_call(*_RULES, *_WORDS)
def _barred_moves(data: Data) -> list[dict[str, str]]:
    found = explain_bars(play_request(data), _rules(data), _voice(data))
    return [{"move": move.iccs(), "reason": reason} for move, reason in found.items()]


@_call(*_POSITION)
def _fen_after(data: Data) -> str:
    return play_request(data).fen()


@_call(*_RULES, *_WORDS)
def _outcome(data: Data) -> dict[str, str | None] | None:
    return describe_outcome(play_request(data), _rules(data), _voice(data))


@_call("text", "fen", "language")
def _parse_moves(data: Data) -> dict[str, Any]:
    """Read a game in any notation or format; return its starting FEN and moves."""
    pasted = read_pasted(_text(data, "text", ""), Board(_text(data, "fen", STARTING_FEN)).fen())
    if pasted.fault is not None:
        raise pasted.fault.error()
    record = pasted.game.record()
    return {"fen": record.fen, "moves": list(record.moves)}


@_call(*_POSITION, "notation")
def _format_moves(data: Data) -> list[str]:
    notation = _choose(data, "notation", (*MOVE_NOTATIONS, "san"), "wxf")
    board = play_request(data)
    work = board.root()
    format_move: Callable[[Move], str] = getattr(work, notation)
    texts = []
    for move in board.move_stack:
        texts.append(format_move(move))
        work.push_unchecked(move)
    return texts


@_call(*_RULES)
def _draw(data: Data) -> str:
    return draw_board(play_request(data), _rules(data))
