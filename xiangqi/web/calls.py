"""The referee's calls in JSON, by name, for the npm package.

>>> answer("legalMoves", '{"fen": "3k5/9/9/9/9/9/9/9/9/4K4 w"}')
'{"value": ["e0f0", "e0e1"]}'
>>> answer("outcome", '[{}, {"fen": "9/9 w"}]')  # doctest: +ELLIPSIS
'[{"value": null}, {"error": {"code": "bad_fen", "message": "invalid FEN ...
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeVar

from xiangqi.board import Board
from xiangqi.contract.answers import (
    BarredMoveData,
    JudgedData,
    OutcomeData,
    judge,
    list_barred,
    outcome_to_dict,
)
from xiangqi.contract.errors import FieldError, error_to_dict
from xiangqi.core.move import Move
from xiangqi.games.pasting import read_pasted
from xiangqi.games.requests import GAME_KEYS, play_request
from xiangqi.ground.errors import Fact, XiangqiError
from xiangqi.ground.texts import LANGUAGES
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.explanation import format_ruling
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.svg import draw_ruling
from xiangqi.words.voice import MOVE_NOTATIONS, Voice

__all__ = [
    "CALLS",
    "answer",
    "choose_rules",
    "draw_board",
]

Data = Mapping[str, Any]
Call = Callable[[Data], Any]
Choice = TypeVar("Choice")

CALLS: Final[dict[str, Call]] = {}
"""Functions by call name."""
_KEYS: Final[dict[str, Collection[str]]] = {}
"""Keys that each call accepts."""
_RULES: Final = (*GAME_KEYS, "rules", "occurrences")
_WORDS: Final = ("language", "notation")
_NULLABLE: Final = ("notation", "occurrences")
"""Keys whose value null means the default."""


def answer(name: str, text: str) -> str:
    """Run a call on JSON data and return ``{"value": ...}`` or ``{"error": ...}`` as JSON.

    A list of data gives a list of results. An error is :class:`~xiangqi.contract.errors.ErrorData`.
    """
    data = json.loads(text)
    found = [_answer(name, one) for one in data] if isinstance(data, list) else _answer(name, data)
    return json.dumps(found, ensure_ascii=False)


def _answer(name: str, data: Any) -> dict[str, Any]:
    try:
        if not isinstance(data, dict):
            raise FieldError("", data, Fact("text.an_object"))
        for key, value in data.items():
            if key not in _KEYS[name]:
                raise FieldError(key, value, Fact("one_of", choices=tuple(sorted(_KEYS[name]))))
            if key in GAME_KEYS or isinstance(value, str) or (value is None and key in _NULLABLE):
                continue
            if key != "occurrences":
                raise FieldError(key, value, Fact("a_text"))
            if isinstance(value, bool) or not isinstance(value, int):
                raise FieldError(key, value, Fact("api.integer"))
        return {"value": CALLS[name](data)}
    except XiangqiError as error:
        language = data.get("language") if isinstance(data, dict) else None
        return {"error": error_to_dict(error, language if language in LANGUAGES else "en")}


# Shared with the other services


def choose_rules(name: str, occurrences: object = None) -> RuleSet:
    """Find a rule set, with ``occurrences`` replaced unless None. Raises RuleSetError."""
    rules = find_rule_set(name)
    return rules if occurrences is None else rules.replace({"occurrences": occurrences})


def draw_board(board: Board, rules: RuleSet) -> str:
    """Draw the position as SVG; a repetition with arrows for checks, chases and protections."""
    ruling = board.judge(rules)
    return str(draw_ruling(ruling)) if ruling.plies else board._repr_svg_()


# Data


def _choose(data: Data, key: str, choices: Collection[Choice], default: Choice) -> Choice:
    value = data.get(key, default)
    if value not in choices:
        raise FieldError(key, value, Fact("one_of", choices=tuple(choices)))
    return next(choice for choice in choices if choice == value)


def _text(data: Data, key: str, default: str) -> str:
    value = data.get(key, default)
    if not isinstance(value, str):
        raise FieldError(key, value, Fact("a_text"))
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
def _judge(data: Data) -> JudgedData:
    return judge(play_request(data), _rules(data), _voice(data))


@_call(*_RULES, *_WORDS)
def _explain(data: Data) -> str:
    """Explanation of the ruling, as ``xiangqi judge --explain`` prints it."""
    return format_ruling(play_request(data).judge(_rules(data)), _voice(data))


@_call(*GAME_KEYS)
def _legal_moves(data: Data) -> list[str]:
    return [move.iccs() for move in play_request(data).list_moves()]


@_call(*_RULES, *_WORDS)
def _barred_moves(data: Data) -> list[BarredMoveData]:
    return list_barred(play_request(data), _rules(data), _voice(data))


@_call(*GAME_KEYS)
def _fen_after(data: Data) -> str:
    return play_request(data).fen()


@_call(*_RULES, *_WORDS)
def _outcome(data: Data) -> OutcomeData | None:
    return outcome_to_dict(play_request(data), _rules(data), _voice(data))


@_call("text", "fen", "language")
def _parse_moves(data: Data) -> dict[str, Any]:
    """Read a game in any notation or format; return its starting FEN and moves."""
    pasted = read_pasted(_text(data, "text", ""), Board(_text(data, "fen", STARTING_FEN)).fen())
    if pasted.fault is not None:
        raise pasted.fault.error()
    record = pasted.game.record()
    return {"fen": record.fen, "moves": list(record.moves)}


@_call(*GAME_KEYS, "notation")
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
