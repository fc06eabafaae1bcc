"""The page of a game, a case or a cycle: board, moves, verdict and evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from markupsafe import Markup

from xiangqi.casebook.cases import Case
from xiangqi.casebook.disputes import Dispute, name_cycle
from xiangqi.casebook.verify import CaseResult, format_ruled_as
from xiangqi.drawing.svg import Lettering
from xiangqi.games.additions import read_words
from xiangqi.games.arbiter import (
    GameRuling,
    add_others,
    explain_differences,
    format_verdict,
    format_warning,
)
from xiangqi.games.comments import Eval, read_eval
from xiangqi.games.tree import Game
from xiangqi.ground.errors import XiangqiError
from xiangqi.ground.texts import Language, has_text
from xiangqi.referee.comparison import compare, format_difference, format_labelled_ruling
from xiangqi.referee.explanation import Explanation, explain, format_sentence
from xiangqi.referee.rule_names import title_rules
from xiangqi.referee.rules import RULE_SETS, RuleSet
from xiangqi.referee.ruling import Ruling
from xiangqi.web.pages.plies import Frame, LineWord, PagePly, add_variations, show_game
from xiangqi.web.pages.render import environment, lettering_of
from xiangqi.web.pages.sheet import RulingSheet
from xiangqi.words.voice import Voice

__all__ = [
    "GamePage",
    "OtherRuling",
    "make_case_page",
    "make_cycle_page",
    "make_game_page",
    "render_game",
]

_SOURCES: Final = {
    "test suite of the paper's engine": "source_paper",
    "AXF manual line": "source_manual",
    "reconstructed": "source_reconstructed",
}
"""Keys of sentences, by the source of a case."""


class OtherRuling(NamedTuple):
    """Ruling of another rule set on the same game."""

    rules: str
    """Title of the rule set, with its changes."""
    name: str
    """Name of the rule set, from :func:`title_rules`."""
    verdict: str
    clauses: list[str]
    """Reasons for the difference, line by line; empty if the rulings agree."""


@dataclass(frozen=True, slots=True)
class GamePage:
    """Content of a page, in one language and notation."""

    voice: Voice
    title: str
    facts: list[tuple[str, str]]
    """Headers of the record, or facts on a case: name and value."""
    agrees: bool | None
    """Does the ruling agree with the record or the rule book? None if either is missing."""
    expected: str
    """Verdict of the record or the rule book."""
    verdict: str = "-"
    others: list[OtherRuling] = field(default_factory=list)
    """Rulings of other rule sets."""
    ruling: Ruling | None = None
    warning: str = ""
    """Sentence on a warning that was due."""
    intro: str = ""
    """The comment before the first move."""
    rows: list[PagePly] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    """Positions of the main line, then those of the variations; empty if the starting position is
    invalid."""
    graph: Markup = Markup("")  # noqa: RUF009  # an immutable text
    """Graph of the evaluations, as SVG; empty if the record has too few."""
    variations: dict[int, list[list[LineWord]]] = field(default_factory=dict)
    """Variations of a move, by its ply from 1."""
    errors: list[str] = field(default_factory=list)
    sheet: RulingSheet | None = None
    """The ruling sheet of a game that a repetition decides."""

    @property
    def lang(self) -> Language:
        return self.voice.language

    @property
    def agreeing(self) -> list[OtherRuling]:
        """Rulings with the same verdict for the same reasons."""
        return [one for one in self.others if one.verdict == self.verdict and not one.clauses]

    @property
    def labels(self) -> str:
        """Suffix of the ids of the file labels for the notation of the moves."""
        return "" if self.voice.notation == "iccs" else f"-{self.voice.notation}"

    @property
    def explanation(self) -> Explanation | None:
        return None if self.ruling is None else explain(self.ruling)

    @property
    def cycle(self) -> tuple[int, int] | None:
        """First and last ply of the cycle, counted from 1."""
        if self.ruling is None or self.ruling.window is None:
            return None
        first, last = self.ruling.window
        return first + 1, last + 1


def make_game_page(
    game: Game,
    ruled: GameRuling,
    rules: RuleSet,
    voice: Voice,
    others: Sequence[RuleSet] | None = None,
) -> GamePage:
    """The page of a recorded game, ruled under ``rules``.

    ``others`` are the rule sets to compare with; None for all others.
    """
    compared = add_others(game, ruled, _default_others(rules) if others is None else others)
    clauses = {rules: lines for rules, _, lines in explain_differences(compared, voice)}
    try:
        rows, frames = show_game(game, ruled.ruling, voice)
        variations = add_variations(game, frames, voice)
    except XiangqiError:  # invalid starting position, which is among the errors
        rows, frames, variations = [], [], {}
    recorded = game.headers.get("Result", "*")
    return GamePage(
        voice=voice,
        title=" - ".join(name or "?" for name in (ruled.red, ruled.black)),
        facts=[(_name_header(name, voice), value) for name, value in game.headers.items()],
        verdict=format_verdict(ruled, voice),
        agrees=ruled.agrees,
        expected=_pair(voice.say("page_recorded"), recorded, voice),
        others=[
            OtherRuling(
                *_title(other.rules, rules, voice),
                format_verdict(other, voice),
                clauses.get(other.rules, []),
            )
            for other in compared.others
        ],
        ruling=ruled.ruling,
        warning=format_warning(ruled, voice),
        intro=read_words(game.root.comment),
        graph=draw_graph(game, rows, voice) if rows else Markup(""),
        rows=rows,
        frames=frames,
        variations=variations,
        errors=[str(error) for error in ruled.errors],
        sheet=None if ruled.ruling is None else RulingSheet(game, ruled, voice),
    )


def make_case_page(
    result: CaseResult, rules: RuleSet, voice: Voice, others: Sequence[RuleSet] | None = None
) -> GamePage:
    """The page of a case of the rule book, verified under ``rules``.

    ``others`` are the rule sets to compare with; None for all others. A case with an invalid
    position or move has an error instead of a board.
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
    comparison = compare(board, (rules, *(_default_others(rules) if others is None else others)))
    ruling, *compared = comparison.rulings
    by_rules = {found.rules: found for found in compared}
    clauses = {
        one.second: list(format_difference(one, ruling, by_rules[one.second], voice))
        for one in comparison.differences
    }
    rows, frames = show_game(game, ruling, voice)
    return replace(
        page,
        verdict=format_sentence(ruling, voice),
        others=[
            OtherRuling(
                *_title(found.rules, rules, voice),
                format_sentence(found, voice),
                clauses.get(found.rules, []),
            )
            for found in compared
        ],
        ruling=ruling,
        rows=rows,
        frames=frames,
    )


def make_cycle_page(dispute: Dispute, voice: Voice) -> GamePage:
    """The page of a cycle on which two rule sets differ, ruled by the first of them."""
    board = dispute.record.play()
    first, second = dispute.comparison().rulings
    game = Game(board.root_fen())
    game.add_line(board.move_stack)
    rows, frames = show_game(game, first, voice)
    clauses = list(format_difference(dispute.difference, first, second, voice))
    other = OtherRuling(*title_rules(second.rules, voice), format_sentence(second, voice), clauses)
    return GamePage(
        voice=voice,
        title=name_cycle(dispute, voice),
        facts=[(voice.say("page_source"), dispute.source)],
        agrees=False,
        expected=format_labelled_ruling(second, voice),
        verdict=format_labelled_ruling(first, voice),
        others=[other],
        ruling=first,
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
    """Render the page as HTML.

    ``index``, ``previous`` and ``following`` are URLs; ``links`` are further URLs with their texts.
    ``lettering`` is that of the pieces; None for that of the language.
    """
    return (
        environment()
        .get_template("game.html")
        .render(
            page=page,
            found=page.explanation,
            voice=page.voice,
            lang=page.lang,
            lettering=lettering or lettering_of(page.lang),
            index=index,
            previous=previous,
            following=following,
            links=links,
        )
    )


def _default_others(rules: RuleSet) -> tuple[RuleSet, ...]:
    """All other rule sets, which rule after as many occurrences as ``rules``."""
    change = {"occurrences": rules.occurrences}
    return tuple(other.replace(change) for name, other in RULE_SETS.items() if name != rules.name)


def _title(other: RuleSet, rules: RuleSet, voice: Voice) -> tuple[str, str]:
    """Title and name of another rule set, which do not mention the occurrences of ``rules``."""
    known = RULE_SETS.get(other.name)
    if known is not None and known.replace({"occurrences": rules.occurrences}) == other:
        return title_rules(known, voice)
    return title_rules(other, voice)


def _pair(name: str, value: str, voice: Voice) -> str:
    return voice.say("pair", name=name, value=value)


def _name_header(name: str, voice: Voice) -> str:
    """Translate the name of a known PGN header; return others unchanged."""
    key = f"header_{name}"
    return voice.say(key) if has_text(key) else name


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


# Graph of the evaluations: Red's part is below the curve, Black's above. One pawn is a fifth of the
# way from the middle to the edge, three are half of it, and a mate is at the edge. It needs no
# script; each move is a link to its position.

HEIGHT: Final = 100
SCALE_CP: Final = 500
"""Centipawns at three quarters of the way to the edge; ``analysis.js`` has the same scale."""
_ERRORS: Final = {2: "mistake", 4: "blunder", 6: "inaccuracy"}
"""CSS classes of the errors marked in the graph, by NAG."""
_MIN_EVALS: Final = 2


def draw_graph(game: Game, rows: Sequence[PagePly], voice: Voice) -> Markup:
    """The graph as SVG, as wide as the slider; empty with too few evaluations."""
    evals = [read_eval(node.comment) for node in (game.root, *game.mainline())]
    if sum(value is not None for value in evals) < _MIN_EVALS:
        return Markup("")
    parts = [
        f'<svg class="graph" id="graph" viewBox="0 0 {len(rows)} {HEIGHT}" '
        f'preserveAspectRatio="none" role="img" aria-label="{voice.say("page_graph")}">',
        f'<path class="red" d="{_path(evals)}"/>',
        f'<line class="even" x1="0" y1="{HEIGHT / 2:g}" x2="{len(rows)}" y2="{HEIGHT / 2:g}"/>',
    ]
    for node in game.mainline():
        name = next((_ERRORS[nag] for nag in node.nags if nag in _ERRORS), "")
        if name:
            x = node.ply
            parts.append(f'<line class="fault {name}" x1="{x}" y1="0" x2="{x}" y2="{HEIGHT}"/>')
    for row, value in zip(rows, evals[1:], strict=True):  # a column for each move links to it
        words = f"{row.round}. {row.names[0]}{row.marks}" + ("" if value is None else f" {value}")
        parts.append(
            f'<a href="#ply={row.number}" tabindex="-1">'
            f'<rect x="{row.number - 0.5:g}" y="0" width="1" height="{HEIGHT}">'
            f"<title>{Markup.escape(words)}</title></rect></a>"
        )
    return Markup("".join([*parts, "</svg>"]))


def _height(value: Eval) -> float:
    """Distance of an evaluation from the top of the graph."""
    if value.mate is not None:
        return 0.0 if value.mate > 0 else float(HEIGHT)
    return HEIGHT * (1 - math.tanh((value.cp or 0) / SCALE_CP)) / 2


def _path(evals: Sequence[Eval | None]) -> str:
    """SVG path of Red's part. Unknown values are interpolated, after the last one constant."""
    known = [(ply, _height(value)) for ply, value in enumerate(evals) if value is not None]
    end = len(evals) - 1
    points = [(known[0][0], HEIGHT), *known, (end, known[-1][1]), (end, HEIGHT)]
    return f"M{' L'.join(f'{ply} {height:.1f}' for ply, height in points)} Z"
