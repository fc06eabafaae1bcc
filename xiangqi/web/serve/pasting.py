"""A game as text: pasted or typed in whatever form, and written as PGN."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from xiangqi.games.arbiter import format_verdict, rule_game
from xiangqi.games.formats.base import WriteOptions
from xiangqi.games.formats.pgn import PGN
from xiangqi.games.pasting import Pasted, TextFault, read_pasted
from xiangqi.referee.explanation import require_allowed
from xiangqi.referee.rules import RuleSet
from xiangqi.web.serve.labels import label
from xiangqi.web.serve.messages import text_of
from xiangqi.web.serve.positions import read_record
from xiangqi.web.serve.trees import describe_game, read_game
from xiangqi.words import Language
from xiangqi.words.voice import Voice

__all__ = ["Texts", "describe_pasted", "read_move", "write_pgn"]


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
