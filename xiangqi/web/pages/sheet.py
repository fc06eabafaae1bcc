"""The ruling sheet: one judged game on paper, for the arbiter and the players to sign.

The sheet is a single HTML file without scripts, which any browser prints or saves as PDF. A library
for PDF was weighed: WeasyPrint needs Pango on every machine, and smaller libraries do not lay out
HTML. Readers of the sheet have a browser.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final, Literal

from markupsafe import Markup

from xiangqi.drawing.svg import Lettering, board_svg
from xiangqi.games.arbiter import GameRuling, format_verdict, format_warning
from xiangqi.games.tree import Game, start_board
from xiangqi.ground.installed import __version__
from xiangqi.ground.texts import Language
from xiangqi.referee.evidence import ply_arrows
from xiangqi.referee.explanation import Explanation, explain
from xiangqi.referee.rule_names import title_rules
from xiangqi.referee.ruling import PlyReport
from xiangqi.web.pages.render import environment, lettering_of
from xiangqi.words.phrases import Text
from xiangqi.words.voice import Voice

__all__ = ["RulingSheet", "render_sheet", "sheet_style", "style_hash"]

_BLANKS: Final = ("Event", "Round", "Date", "Red", "Black", "Result")
"""Headers with a line of their own, also if they are missing."""
_ADDED: Final = ("Site", "Table", "RedTeam", "BlackTeam")
"""Headers shown if the record has them."""
_LABELS: Final = {"Result": "page_recorded"}
"""Labels that differ from the names of the headers: the result may differ from the ruling."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """Drawn position with its caption."""

    caption: str
    drawing: Markup


@dataclass(frozen=True, slots=True)
class RulingSheet:
    """Content of a sheet: a game, the ruling on it, the language and the lettering."""

    game: Game
    ruled: GameRuling
    voice: Voice
    lettering: Lettering | None = None
    """Lettering of the pieces; None for that of the language."""

    @property
    def lang(self) -> Language:
        return self.voice.language

    @property
    def explanation(self) -> Explanation | None:
        """Explanation of the ruling on the repetition, if it has a cycle."""
        ruling = self.ruled.ruling
        return explain(ruling) if ruling is not None and ruling.window is not None else None

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Names and values of the record's headers; missing values are empty, to be written in."""
        headers = self.game.headers
        shown = [*_BLANKS, *(name for name in _ADDED if headers.get(name))]
        facts = []
        for name in shown:
            value = headers.get(name, "")
            is_unknown = value in ("?", "*") or value.startswith("????")  # PGN's signs
            label = self.voice.say(_LABELS.get(name, f"header_{name}"))
            facts.append((label, "" if is_unknown else value))
        return facts

    @property
    def verdict(self) -> str:
        """The outcome, the moment when it fell, and the reason."""
        return format_verdict(self.ruled, self.voice)

    @property
    def rules(self) -> str:
        """Title and name of the rule set."""
        title, name = title_rules(self.ruled.rules, self.voice)
        return f"{title} ({name})" if name else title

    @property
    def warning(self) -> str:
        return format_warning(self.ruled, self.voice)

    @property
    def diagrams(self) -> list[Diagram]:
        """Positions in which the cycle began and in which the ruling fell.

        If the last move strikes at nothing, the second one shows the last offending move.
        """
        found, rounds = self.explanation, self.ruled.rounds
        if found is None:
            plies = self.ruled.plies if self.ruled.ply is None else self.ruled.ply
            plies = min(plies, self.ruled.plies)
            return [self._draw(plies, rounds.moment(plies))]
        ruling = found.ruling
        assert ruling.window is not None  # by `explanation`
        began = rounds.moment(ruling.window[0])
        strikes = [one for one in ruling.plies if one.mark.is_strike]
        own = [one for one in strikes if ruling.offender in (None, one.color)]
        strike = own[-1] if own else None
        if strike is None or strike.ply == ruling.window[1]:
            caption = Text("sheet_ruled", moment=rounds.moment(ruling.window[1] + 1))
            second = self._draw(ruling.window[1] + 1, caption, strike)
        else:
            caption = Text(
                "sheet_strike",
                place=rounds.place(strike.ply),
                move=found.sheet.move(strike.ply),
                mark=Text(f"mark_{strike.mark.value}"),
            )
            second = self._draw(strike.ply + 1, caption, strike)
        return [self._draw(ruling.window[0], Text("sheet_began", moment=began)), second]

    def _draw(self, plies: int, caption: Text, report: PlyReport | None = None) -> Diagram:
        """Draw the position after a number of plies, with the attacks of the last move."""
        board = start_board(self.game.fen)
        for move in self.game.moves()[:plies]:
            board.push_unchecked(move)
        last = board.peek() if board.ply() else None
        drawing = board_svg(
            board.setup(),
            size=None,
            lastmove=None if last is None else (last.from_square, last.to_square),
            arrows=() if report is None else ply_arrows(report),
            check=board.king(board.turn) if board.is_check() else None,
            numbers=_NUMBERS.get(self.voice.notation),
            lettering=self.lettering or lettering_of(self.lang),
        )
        return Diagram(caption.say(self.voice), Markup(drawing))


_NUMBERS: Final[dict[str, Literal["chinese", "wxf"]]] = {
    "chinese": "chinese", "wxf": "wxf", "vietnamese": "wxf",
}  # fmt: skip
"""File numbers on the diagrams by notation; coordinates otherwise."""


def render_sheet(sheet: RulingSheet) -> str:
    template = environment().get_template("sheet.html")
    return template.render(
        sheet=sheet,
        found=sheet.explanation,
        voice=sheet.voice,
        lang=sheet.lang,
        style=Markup(sheet_style()),
        style_hash=style_hash(),
        version=__version__,
        signers=("arbiter", "red", "black"),
    )


@lru_cache(maxsize=1)
def sheet_style() -> str:
    """Style of the sheet, which is part of its file."""
    return resources.files("xiangqi.web.pages").joinpath("templates/sheet.css").read_text("utf-8")


def style_hash() -> str:
    """Source expression for a content security policy that allows the sheet's style.

    >>> style_hash()[:8]
    "'sha256-"
    """
    digest = hashlib.sha256(sheet_style().encode()).digest()
    return f"'sha256-{b64encode(digest).decode()}'"
