"""The configuration of a match as data. :mod:`xiangqi.match.arguments` reads it from words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from xiangqi.errors import XiangqiError
from xiangqi.facts import Fact
from xiangqi.match.adjudication import DrawRule, ResignRule
from xiangqi.match.clock import MARGIN_S, TimeControl
from xiangqi.match.schedule import Tournament
from xiangqi.match.sprt import Sprt
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set

__all__ = [
    "ConfigError",
    "EngineConfig",
    "MatchConfig",
    "OpeningsConfig",
    "PgnConfig",
    "Proto",
]

Proto: TypeAlias = Literal["auto", "ucci", "uci", "xboard"]

PATIENCE_S: Final = 300.0
MARGIN_MS: Final = round(MARGIN_S * 1000)


class ConfigError(XiangqiError):
    """A word of the configuration is not known, is missing, or cannot have this value.

    >>> print(ConfigError("-rounds", "many", "a number 1 to 1000000"))
    invalid -rounds 'many': expected a number 1 to 1000000
    >>> print(ConfigError("-engine cmd", None, "a program"))
    missing -engine cmd: expected a program
    """

    def __init__(self, subject: str, value: object, expected: str) -> None:
        super().__init__(subject, value, expected)
        self.subject = subject
        """The word, and the key if it is about one."""
        self.value = value
        """Value found; None if nothing was."""
        self.expected = expected

    def _state(self) -> Fact:
        values = {"subject": self.subject, "value": self.value, "expected": self.expected}
        return Fact("error.missing" if self.value is None else "error.rules", **values)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """One engine: how it is started, and what it may use for a move.

    Limits hold together; at least one of them is given, and not both ``tc`` and ``st``.
    """

    cmd: str
    """A program, or a command line."""
    name: str
    """Name in reports and records. No two engines have one name."""
    args: tuple[str, ...] = ()
    """Further arguments."""
    dir: str = ""
    """The folder it is started in; empty for the present one."""
    proto: Proto = "auto"
    """The protocol; ``auto`` tries UCCI, then UCI, then XBoard."""
    tc: TimeControl | None = None
    """Its clock for a game."""
    st: float = 0.0
    """Seconds for each move; 0 for no such limit."""
    depth: int = 0
    """Plies to search; 0 for no such limit."""
    nodes: int = 0
    """Positions to search; 0 for no such limit."""
    timemargin: int = MARGIN_MS
    """Milliseconds by which it may overstep ``tc`` or ``st``."""
    timeout: float = PATIENCE_S
    """Seconds after which it hangs, where neither ``tc`` nor ``st`` tells."""
    restart: bool = False
    """Whether it is started anew for each game."""
    scale: float = 1.0
    """Factor from its scores to centipawns, for adjudication."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Its own options, by their names."""

    def time_control(self) -> str:
        """Its limits as a record tells them: ``10+0.1``, ``nodes 500``."""
        limits = [
            str(self.tc) if self.tc is not None else "",
            f"{self.st:g}/move" if self.st else "",
            f"depth {self.depth}" if self.depth else "",
            f"nodes {self.nodes}" if self.nodes else "",
        ]
        return ", ".join(limit for limit in limits if limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningsConfig:
    """The file of openings and how it is used."""

    file: Path
    format: str | None = None
    """One of :data:`~xiangqi.match.openings.OPENING_FORMATS`; None if the file's beginning tells
    it."""
    order: Literal["random", "sequential"] = "random"
    plies: int | None = None
    """At most so many moves of each opening are played; None for all."""
    start: int = 1
    """The opening to begin with, from 1, in the order that is chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PgnConfig:
    """Output file of the games, and extra information in their comments."""

    file: Path
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig:
    """A whole match."""

    engines: tuple[EngineConfig, ...]
    rounds: int = 2
    games: int = 2
    """Games of an encounter: 2 from one opening with the colours exchanged, or 1."""
    swap: bool = True
    """Whether the colours are exchanged."""
    tournament: Tournament = "roundrobin"
    concurrency: int = 1
    """Games that are played at a time."""
    openings: OpeningsConfig | None = None
    draw: DrawRule | None = None
    resign: ResignRule | None = None
    maxmoves: int = 0
    """Moves of each side, those of the opening included, after which a game is drawn; 0 for any
    number."""
    tb: Path | None = None
    """A folder of end-game tables that decide games."""
    sprt: Sprt | None = None
    rules: RuleSet = WXF
    """The rule set, with its limit of moves without a capture."""
    ban: bool = False
    """Whether engines are told which moves would lose by a repetition."""
    pgnout: PgnConfig | None = None
    jsonout: Path | None = None
    """The journal; None for a name that is free."""
    log: Path | None = None
    """Log file of the dialogue with the engines."""
    srand: int = 0
    """The seed of everything random."""
    ratinginterval: int = 10
    """Encounters between two reports; 0 for none before the last."""
    event: str = ""
    site: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", find_rule_set(self.rules))  # frozen, but may be a name
