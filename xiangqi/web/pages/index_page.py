"""Index page: all games or cases, with expected and actual rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from xiangqi.casebook.disputes import Dispute, name_cycle
from xiangqi.casebook.verify import CaseResult, format_ruled_as
from xiangqi.games.arbiter import GameRuling, format_verdict
from xiangqi.referee.comparison import tell_ruling
from xiangqi.referee.explanation import format_termination
from xiangqi.referee.outcome import Termination
from xiangqi.web.pages.render import environment
from xiangqi.words.voice import Voice

__all__ = ["IndexRow", "Kind", "index_case", "index_cycle", "index_game", "render_index"]

Kind: TypeAlias = Literal["games", "cases", "cycles"]
"""Subject of the pages."""
_HEADS: Final[dict[Kind, tuple[str, ...]]] = {
    "games": (
        "page_game",
        "page_players",
        "page_recorded",
        "page_ruled",
        "page_agrees",
        "page_event",
        "page_date",
        "page_rounds",
        "page_opening",
    ),
    "cases": ("page_case", "page_title", "page_expected", "page_ruled", "page_agrees"),
    "cycles": ("page_number", "page_title", "page_second", "page_first_rules", "page_agrees"),
}


_NAMED: Final = (
    Termination.PERPETUAL_CHECK,
    Termination.PERPETUAL_CHASE,
    Termination.PERPETUAL_STRIKE,
    Termination.REPETITION,
    Termination.BARRED_MOVE,
    Termination.ILLEGAL_MOVE,
)
"""Ends that take a sentence elsewhere, and have a short name here."""
_CHOSEN: Final[dict[Kind, tuple[int, ...]]] = {"games": (2, 3, 4), "cases": (4,), "cycles": ()}
"""The columns of which one value can be chosen."""


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A line of the list, and where it leads."""

    href: str
    name: str
    what: str
    """The players, what happens in the case, or how large the cycle is."""
    expected: str
    ruled: str
    agrees: bool | None
    reason: str = ""
    """Reason of ``ruled`` in a word or two, for sorting and filtering."""
    more: tuple[str, ...] = ()
    """Details of a game: its event, its date, its rounds and its opening."""


def index_game(ruled: GameRuling, headers: Mapping[str, str], href: str, voice: Voice) -> IndexRow:
    """The line of a game."""
    opening = (headers.get(name, "").strip() for name in ("ECCO", "Opening", "Variation"))
    event, date = (headers.get(name, "").strip("? .") for name in ("Event", "Date"))
    return IndexRow(
        href=href,
        name=f"{Path(ruled.source).name}:{ruled.number}",
        what=" - ".join(name or "?" for name in (ruled.red, ruled.black)),
        expected=ruled.recorded,
        ruled=format_verdict(ruled, voice),
        agrees=ruled.agrees,
        reason=_name_reason(ruled, voice),
        more=(event, date, str((ruled.plies + 1) // 2), " ".join(filter(None, opening))),
    )


def _name_reason(ruled: GameRuling, voice: Voice) -> str:
    """Reason for the end of a game, in a word or two."""
    outcome = ruled.outcome or ruled.doubtful
    if outcome is None:
        return voice.say("reason_undecided")
    if outcome.termination in _NAMED:
        return voice.say(f"reason_{outcome.termination.name.lower()}")
    return format_termination(outcome.termination, voice)


def index_case(result: CaseResult, href: str, voice: Voice) -> IndexRow:
    """The line of a case."""
    return IndexRow(
        href=href,
        name=result.case.id,
        what=result.case.titles[voice.language],
        expected=format_ruled_as(result.expected, voice.language),
        ruled=format_ruled_as(result.ruled, voice.language),
        agrees=result.passed,
    )


def index_cycle(dispute: Dispute, number: int, href: str, voice: Voice) -> IndexRow:
    """The line of a cycle on which two rule sets differ."""
    ours, theirs = dispute.comparison().rulings
    return IndexRow(
        href=href,
        name=str(number),
        what=name_cycle(dispute, voice),
        expected=tell_ruling(theirs, voice),
        ruled=tell_ruling(ours, voice),
        agrees=False,
    )


def render_index(
    rows: Sequence[IndexRow],
    voice: Voice,
    *,
    kind: Kind,
    problems: Sequence[str] = (),
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """The list as HTML; ``problems`` lists the files that could not be read.

    ``links`` lead elsewhere, each with its words.
    """
    different = sum(row.agrees is False for row in rows)
    counts = voice.say(f"page_{kind}_counts", games=len(rows), different=different)
    return (
        environment()
        .get_template("index.html")
        .render(
            rows=rows,
            lang=voice.language,
            heading=voice.say(f"page_{kind}"),
            heads=[voice.say(head) for head in _HEADS[kind]],
            counts=counts,
            problems=problems,
            links=links,
            chosen=_CHOSEN[kind],
        )
    )
