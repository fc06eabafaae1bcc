"""The ruling sheet of the game on the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast, get_args

from xiangqi.drawing.svg import Lettering
from xiangqi.games.arbiter import rule_game
from xiangqi.games.tree import Game
from xiangqi.referee.rules import RuleSet
from xiangqi.web.pages.sheet import RulingSheet, render_sheet
from xiangqi.web.serve.messages import headers_of, one_of, text_of, wrong_field
from xiangqi.web.serve.positions import play_game
from xiangqi.words.voice import Voice

__all__ = ["describe_sheet"]


def describe_sheet(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Make the ruling sheet of a game as the text of an HTML file, ``html``.

    ``headers`` name players, event and the like; ``lettering`` is that of the pieces. Raises
    FenError, PositionError, RecordError or Refusal.
    """
    board = play_game(data)
    game = Game(board.root_fen(), headers_of(data))
    game.add_line(board.move_stack)
    name, known = text_of(data, "lettering", ""), get_args(Lettering)
    if name and name not in known:
        raise wrong_field("lettering", name, one_of(known))
    lettering = cast(Lettering, name) if name else None
    return {"html": render_sheet(RulingSheet(game, rule_game(game, rules), voice, lettering))}
