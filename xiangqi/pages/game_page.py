"""The page of one game or of one case: the board, the moves, the verdict and what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from xiangqi.arbiter import GameRuling, format_verdict, rule_game
from xiangqi.cases import Case
from xiangqi.errors import XiangqiError
from xiangqi.explain import format_ruling
from xiangqi.game import Game
from xiangqi.pages.plies import Frame, Ply, show_game
from xiangqi.pages.render import LETTERINGS, environment
from xiangqi.pages.variations import Word, add_variations
from xiangqi.referee import Referee
from xiangqi.remedies import format_remedies
from xiangqi.rules import RULE_SETS, RuleSet
from xiangqi.ruling import Ruling
from xiangqi.svg import Lettering
from xiangqi.verify import CaseResult, format_ruled_as
from xiangqi.words import Language, say

__all__ = ["GamePage", "format_ruled_as", "make_case_page", "make_game_page", "render_game"]

_RESULT_HEADER: Final = "Result"


@dataclass(frozen=True, slots=True)
class GamePage:
    """What stands on the page of a game, in one language."""

    lang: Language
    title: str
    facts: list[tuple[str, str]]
    """The record's headers, or what is known of a case: name and value."""
    agrees: bool | None
    """Is it ruled as the record or the rule book says? None where one of the two says nothing."""
    expected: str
    """What the record or the rule book says."""
    verdict: str = "-"
    others: list[tuple[str, str]] = field(default_factory=list)
    """Names of other rule sets, and the verdict under each."""
    ruling: Ruling | None = None
    warned: int | None = None
    """After how many plies a warning was due."""
    intro: str = ""
    """The comment before the first move."""
    rows: list[Ply] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    """One picture for each position of the main line, then those of the variations; none where the
    starting position cannot be read."""
    variations: dict[int, list[list[Word]]] = field(default_factory=dict)
    """What could have been played instead of a move, by its number."""
    errors: list[str] = field(default_factory=list)

    @property
    def cycle(self) -> tuple[int, int] | None:
        """The first and the last ply of the cycle, counted from 1."""
        if self.ruling is None or self.ruling.window is None:
            return None
        first, last = self.ruling.window
        return first + 1, last + 1

    @property
    def remedies(self) -> list[str]:
        """Who had to change, line by line."""
        return [] if self.ruling is None else list(format_remedies(self.ruling, self.lang))

    @property
    def case_text(self) -> str:
        """The whole case as text, to be pasted elsewhere."""
        return "" if self.ruling is None else format_ruling(self.ruling, self.lang)


def make_game_page(game: Game, ruled: GameRuling, rules: RuleSet, lang: Language) -> GamePage:
    """The page of a game of a file, which has been ruled on under ``rules``."""
    others = [
        (other.name, format_verdict(rule_game(game, other), lang)) for other in _others(rules)
    ]
    try:
        rows, frames = show_game(game, ruled.ruling, lang)
        variations = add_variations(game, frames, lang)
    except XiangqiError:  # the starting position, which stands among the errors
        rows, frames, variations = [], [], {}
    recorded = game.headers.get(_RESULT_HEADER, "*")
    return GamePage(
        lang=lang,
        title=" - ".join(name or "?" for name in (ruled.red, ruled.black)),
        facts=list(game.headers.items()),
        verdict=format_verdict(ruled, lang),
        agrees=ruled.agrees,
        expected=_pair(say(lang, "page_recorded"), recorded, lang),
        others=others,
        ruling=ruled.ruling,
        warned=ruled.warned,
        intro=game.root.comment,
        rows=rows,
        frames=frames,
        variations=variations,
        errors=[str(error) for error in ruled.errors],
    )


def make_case_page(result: CaseResult, rules: RuleSet, lang: Language) -> GamePage:
    """The page of a case of the rule book, which has been verified under ``rules``.

    A case that cannot be played has its error instead of a board.
    """
    case = result.case
    page = GamePage(
        lang=lang,
        title=f"{case.id}: {case.title}",
        facts=_case_facts(case, lang),
        agrees=result.passed,
        expected=_pair(say(lang, "page_expected"), format_ruled_as(result.expected, lang), lang),
    )
    try:
        board = case.shortest_record(rules.occurrences).play()
    except XiangqiError as error:
        return replace(page, errors=[str(error)])
    game = Game(board.root_fen())
    game.add_line(board.move_stack)
    ruling = Referee(rules).judge(board)
    rulings = ((other, Referee(other).judge(board)) for other in _others(rules))
    rows, frames = show_game(game, ruling, lang)
    return replace(
        page,
        verdict=_sentence(ruling, lang),
        others=[(other.name, _sentence(found, lang)) for other, found in rulings],
        ruling=ruling,
        rows=rows,
        frames=frames,
    )


def render_game(
    page: GamePage,
    *,
    lettering: Lettering | None = None,
    index: str = "index.html",
    previous: str | None = None,
    following: str | None = None,
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """The page as HTML; ``index``, ``previous`` and ``following`` are where its links lead.

    ``links`` are further ones, each with its words. Without ``lettering`` the pieces have the
    characters that the words around them have.
    """
    return (
        environment()
        .get_template("game.html")
        .render(
            page=page,
            lang=page.lang,
            lettering=lettering or LETTERINGS[page.lang],
            index=index,
            previous=previous,
            following=following,
            links=links,
        )
    )


def _others(rules: RuleSet) -> Iterable[RuleSet]:
    """The other rule sets, which here rule as soon as the chosen one."""
    change = {"occurrences": rules.occurrences}
    return (other.replace(change) for name, other in RULE_SETS.items() if name != rules.name)


def _sentence(ruling: Ruling, lang: Language) -> str:
    return _pair(say(lang, ruling.verdict.value), ruling.reason(lang), lang)


def _pair(name: str, value: str, lang: Language) -> str:
    return say(lang, "pair", name=name, value=value)


def _case_facts(case: Case, lang: Language) -> list[tuple[str, str]]:
    facts = [
        (say(lang, "page_chapter"), case.chapters[lang]),
        (say(lang, "page_source"), f"{case.source} ({case.confidence})"),
        (say(lang, "page_note"), case.note),
    ]
    return [(name, value) for name, value in facts if value]
