"""The page of one game or of one case: the board, the moves, the verdict and what it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from markupsafe import Markup

from xiangqi.casebook.cases import Case
from xiangqi.casebook.disputes import Dispute, name_cycle
from xiangqi.casebook.verify import CaseResult, format_ruled_as
from xiangqi.drawing.svg import Lettering
from xiangqi.errors import XiangqiError
from xiangqi.games.additions import read_words
from xiangqi.games.arbiter import (
    GameRuling,
    add_others,
    format_verdict,
    format_warning,
    tell_differences,
)
from xiangqi.games.comments import Eval, read_eval
from xiangqi.games.tree import Game
from xiangqi.referee.comparison import compare, format_difference, tell_ruling
from xiangqi.referee.explanation import (
    format_remedies,
    format_ruling,
    format_sentence,
    title_rules,
)
from xiangqi.referee.reasons import ScoreSheet
from xiangqi.referee.rules import RULE_SETS, RuleSet
from xiangqi.referee.ruling import Ruling
from xiangqi.web.pages.plies import Frame, LineWord, PagePly, add_variations, show_game
from xiangqi.web.pages.render import LETTERINGS, environment
from xiangqi.words import SENTENCES, Language
from xiangqi.words.voice import Voice

__all__ = ["Beside", "GamePage", "make_case_page", "make_game_page", "render_game", "usual_others"]

_SOURCES: Final = {
    "test suite of the paper's engine": "source_paper",
    "AXF manual line": "source_manual",
    "reconstructed": "source_reconstructed",
}
"""Sources of the rule books' cases, with a sentence on each."""
_RESULT_HEADER: Final = "Result"


class Beside(NamedTuple):
    """Ruling of another rule set on a game."""

    rules: str
    """Title of the rule set, with its changes."""
    name: str
    """Its name beside it, as :func:`title_rules` has it."""
    verdict: str
    clauses: list[str]
    """Reasons for the difference, line by line; nothing where it does not."""


@dataclass(frozen=True, slots=True)
class GamePage:
    """Content of a game's page, in one language and notation."""

    voice: Voice
    title: str
    facts: list[tuple[str, str]]
    """The record's headers, or what is known of a case: name and value."""
    agrees: bool | None
    """Is it ruled as the record or the rule book says? None where one of the two says nothing."""
    expected: str
    """Verdict of the record or the rule book."""
    verdict: str = "-"
    others: list[Beside] = field(default_factory=list)
    """Rulings of other rule sets."""
    ruling: Ruling | None = None
    warning: str = ""
    """When a warning was due."""
    intro: str = ""
    """The comment before the first move."""
    rows: list[PagePly] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    """One picture for each position of the main line, then those of the variations; none where the
    starting position cannot be read."""
    graph: Markup = Markup("")  # noqa: RUF009  # it is a text, and does not change
    """The evaluations over the game, as SVG; empty where the record has none."""
    variations: dict[int, list[list[LineWord]]] = field(default_factory=dict)
    """Variations of a move, by its number."""
    errors: list[str] = field(default_factory=list)

    @property
    def lang(self) -> Language:
        """The language of the page."""
        return self.voice.language

    @property
    def alike(self) -> list[Beside]:
        """The other rule sets that give the same verdict for the same reasons."""
        return [one for one in self.others if one.verdict == self.verdict and not one.clauses]

    @property
    def labels(self) -> str:
        """Suffix of the labels of files and ranks that agree with the notation of the moves."""
        return "" if self.voice.notation == "iccs" else f"-{self.voice.notation}"

    @property
    def cycle_text(self) -> str:
        """From where to where the cycle goes; empty if there is none."""
        if self.ruling is None or self.ruling.window is None:
            return ""
        sheet = ScoreSheet(self.ruling, self.voice)
        first, last = map(sheet.place, self.ruling.window)
        return self.voice.say("page_cycle", first=first, last=last)

    @property
    def cycle(self) -> tuple[int, int] | None:
        """The first and the last ply of the cycle, counted from 1."""
        if self.ruling is None or self.ruling.window is None:
            return None
        first, last = self.ruling.window
        return first + 1, last + 1

    @property
    def remedies(self) -> list[str]:
        """Remedies, line by line."""
        return [] if self.ruling is None else list(format_remedies(self.ruling, self.voice))

    @property
    def case_text(self) -> str:
        """The whole case as text, to be pasted elsewhere."""
        return "" if self.ruling is None else format_ruling(self.ruling, self.voice)


def make_game_page(
    game: Game,
    ruled: GameRuling,
    rules: RuleSet,
    voice: Voice,
    others: Sequence[RuleSet] | None = None,
) -> GamePage:
    """The page of a game of a file, which has been ruled on under ``rules``.

    Beside the verdict stands what ``others`` say; if they are left out, :func:`usual_others`.
    """
    beside = add_others(game, ruled, usual_others(rules) if others is None else others)
    clauses = {rules: told for rules, _, told in tell_differences(beside, voice)}
    try:
        rows, frames = show_game(game, ruled.ruling, voice)
        variations = add_variations(game, frames, voice)
    except XiangqiError:  # the starting position, which stands among the errors
        rows, frames, variations = [], [], {}
    recorded = game.headers.get(_RESULT_HEADER, "*")
    return GamePage(
        voice=voice,
        title=" - ".join(name or "?" for name in (ruled.red, ruled.black)),
        facts=[(_name_header(name, voice), value) for name, value in game.headers.items()],
        verdict=format_verdict(ruled, voice),
        agrees=ruled.agrees,
        expected=_pair(voice.say("page_recorded"), recorded, voice),
        others=[
            Beside(
                *_title(other.rules, rules, voice),
                format_verdict(other, voice),
                clauses.get(other.rules, []),
            )
            for other in beside.others
        ],
        ruling=ruled.ruling,
        warning=format_warning(ruled, voice),
        intro=read_words(game.root.comment),
        graph=draw_graph(game, rows, voice) if rows else Markup(""),
        rows=rows,
        frames=frames,
        variations=variations,
        errors=[str(error) for error in ruled.errors],
    )


def make_case_page(
    result: CaseResult, rules: RuleSet, voice: Voice, others: Sequence[RuleSet] | None = None
) -> GamePage:
    """The page of a case of the rule book, which has been verified under ``rules``; ``others`` as
    for :func:`make_game_page`.

    A case that cannot be played has its error instead of a board.
    """
    case = result.case
    page = GamePage(
        voice=voice,
        title=_pair(case.id, case.titles[voice.language], voice),
        facts=_case_facts(case, voice),
        agrees=result.passed,
        expected=_pair(
            voice.say("page_expected"), format_ruled_as(result.expected, voice.language), voice
        ),
    )
    try:
        board = case.play_until(rules.occurrences)
    except XiangqiError as error:
        return replace(page, errors=[str(error)])
    game = Game(board.root_fen())
    game.add_line(board.move_stack)
    comparison = compare(board, (rules, *(usual_others(rules) if others is None else others)))
    ruling, *beside = comparison.rulings
    by_rules = {found.rules: found for found in beside}
    clauses = {
        one.second: list(format_difference(one, ruling, by_rules[one.second], voice))
        for one in comparison.differences
    }
    rows, frames = show_game(game, ruling, voice)
    return replace(
        page,
        verdict=format_sentence(ruling, voice),
        others=[
            Beside(
                *_title(found.rules, rules, voice),
                format_sentence(found, voice),
                clauses.get(found.rules, []),
            )
            for found in beside
        ],
        ruling=ruling,
        rows=rows,
        frames=frames,
    )


def make_cycle_page(dispute: Dispute, voice: Voice) -> GamePage:
    """The page of a cycle on which two rule sets differ, as the first of them rules."""
    board = dispute.record.play()
    comparison = dispute.comparison()
    ours, theirs = comparison.rulings
    game = Game(board.root_fen())
    game.add_line(board.move_stack)
    rows, frames = show_game(game, ours, voice)
    clauses = list(format_difference(dispute.difference, ours, theirs, voice))
    return GamePage(
        voice=voice,
        title=name_cycle(dispute, voice),
        facts=[(voice.say("page_source"), dispute.source)],
        agrees=False,
        expected=tell_ruling(theirs, voice),
        verdict=tell_ruling(ours, voice),
        others=[Beside(*title_rules(theirs.rules, voice), format_sentence(theirs, voice), clauses)],
        ruling=ours,
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


def usual_others(rules: RuleSet) -> tuple[RuleSet, ...]:
    """The other rule sets, which here rule as soon as the chosen one."""
    change = {"occurrences": rules.occurrences}
    return tuple(other.replace(change) for name, other in RULE_SETS.items() if name != rules.name)


def _title(other: RuleSet, rules: RuleSet, voice: Voice) -> tuple[str, str]:
    """The title and the name of another rule set; that it rules as soon as the chosen one goes
    without saying.
    """
    known = RULE_SETS.get(other.name)
    usual = known is not None and known.replace({"occurrences": rules.occurrences}) == other
    return title_rules(known if known is not None and usual else other, voice)


def _pair(name: str, value: str, voice: Voice) -> str:
    return voice.say("pair", name=name, value=value)


def _name_header(name: str, voice: Voice) -> str:
    """The name of a header of PGN in the language of the page; other ones stay as they are."""
    key = f"header_{name}"
    return voice.say(key) if key in SENTENCES else name


def _case_facts(case: Case, voice: Voice) -> list[tuple[str, str]]:
    lang = voice.language
    source = voice.say(_SOURCES[case.source]) if case.source in _SOURCES else case.source
    confidence = voice.say(f"confidence_{case.confidence}")
    facts = [
        ("page_chapter", case.chapters[lang]),
        ("page_source", voice.say("case_source", source=source, confidence=confidence)),
        ("page_note", case.notes[lang]),
    ]
    return [(voice.say(name), value) for name, value in facts if value]


# The evaluations of a game as a curve: Red below it, Black above. A soldier more is a fifth of the
# way from the middle, three are half of it, and a mate is all. It is drawn where the page is made,
# so that it is seen without a script; each move is a link to its position.

HEIGHT: Final = 100
SCALE_CP: Final = 500
"""Centipawns at three quarters of the way to the edge; ``analysis.js`` has the same scale."""
FAULTS: Final = {2: "mistake", 4: "blunder", 6: "inaccuracy"}
"""Marks that are shown in the curve, by their numbers in PGN."""
_LEAST: Final = 2
"""Minimum number of evaluations for a curve."""


def evals_of(game: Game) -> list[Eval | None]:
    """Values of the first position and after each move of the main line, where known."""
    return [read_eval(node.comment) for node in (game.root, *game.mainline())]


def draw_graph(game: Game, rows: Sequence[PagePly], voice: Voice) -> Markup:
    """The curve as SVG, as wide as the slider above it; empty with too few values."""
    evals = evals_of(game)
    if sum(value is not None for value in evals) < _LEAST:
        return Markup("")
    parts = [
        f'<svg class="graph" id="graph" viewBox="0 0 {len(rows)} {HEIGHT}" '
        f'preserveAspectRatio="none" role="img" aria-label="{voice.say("page_graph")}">',
        f'<path class="red" d="{_path(evals)}"/>',
        f'<line class="even" x1="0" y1="{HEIGHT / 2:g}" x2="{len(rows)}" y2="{HEIGHT / 2:g}"/>',
        *_faults(game),
        *_links(evals, rows),
        "</svg>",
    ]
    return Markup("".join(parts))


def _height(value: Eval) -> float:
    """Distance from the top."""
    if value.mate is not None:
        return 0.0 if value.mate > 0 else float(HEIGHT)
    return HEIGHT * (1 - math.tanh((value.cp or 0) / SCALE_CP)) / 2


def _path(evals: Sequence[Eval | None]) -> str:
    """Red's part; without a value the curve goes straight on, as behind a mate."""
    told = [(place, value) for place, value in enumerate(evals) if value is not None]
    points = [f"{place} {_height(value):.1f}" for place, value in told]
    first, last = told[0], told[-1]
    end = len(evals) - 1
    points = [f"{first[0]} {HEIGHT}", *points, f"{end} {_height(last[1]):.1f}", f"{end} {HEIGHT}"]
    return f"M{' L'.join(points)} Z"


def _faults(game: Game) -> Iterator[str]:
    for node in game.mainline():
        name = next((FAULTS[nag] for nag in node.nags if nag in FAULTS), "")
        if name:
            yield (
                f'<line class="fault {name}" x1="{node.ply}" y1="0" x2="{node.ply}" y2="{HEIGHT}"/>'
            )


def _links(evals: Sequence[Eval | None], rows: Sequence[PagePly]) -> Iterator[str]:
    """A column for each move, which leads to its position and describes it."""
    for row, value in zip(rows, evals[1:], strict=True):
        words = f"{row.round}. {row.names[0]}{row.marks}" + ("" if value is None else f" {value}")
        yield (
            f'<a href="#ply={row.number}" tabindex="-1">'
            f'<rect x="{row.number - 0.5:g}" y="0" width="1" height="{HEIGHT}">'
            f"<title>{Markup.escape(words)}</title></rect></a>"
        )
