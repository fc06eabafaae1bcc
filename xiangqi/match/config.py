"""Configuration of a match, and the clocks of its games.

:mod:`xiangqi.match.arguments` builds the configuration. A time control has the form of other match
runners, ``[moves/][minutes:]seconds[+increment]``:

>>> TimeControl.parse("40/1:30+0.5")
TimeControl(seconds=90.0, increment=0.5, moves=40)
>>> str(TimeControl.parse("10+0.1"))
'10+0.1'

A move is timed from sending ``go`` to receiving the move. An engine may overstep its time by a
margin; its clock is then set to zero.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from xiangqi.ground.errors import Fact, NamedValueError, XiangqiError
from xiangqi.match.adjudication import DrawRule, ResignRule
from xiangqi.match.schedule import Tournament
from xiangqi.match.stats import Sprt
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set

__all__ = [
    "MARGIN_S",
    "ConfigError",
    "EngineConfig",
    "GameClock",
    "MatchConfig",
    "OpeningsConfig",
    "PgnConfig",
    "Proto",
    "TimeControl",
]

MARGIN_S: Final = 0.1
"""Default time margin of a move, in seconds: allows for transmission and busy machines."""

TIME_CONTROL: Final = "[moves/][minutes:]seconds[+increment], as in 40/1:30+0.5 or 10+0.1"
_NUMBER: Final = r"[0-9]{1,9}(?:\.[0-9]{0,9})?"
_FORM: Final = re.compile(
    rf"(?:(?P<moves>[0-9]{{1,4}})/)?(?:(?P<minutes>[0-9]{{1,6}}):)?(?P<seconds>{_NUMBER})"
    rf"(?:\+(?P<increment>{_NUMBER}))?"
)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time for a game, or for each period of a number of moves."""

    seconds: float
    increment: float = 0.0
    """Seconds added after each move."""
    moves: int = 0
    """Number of moves in a period, after which ``seconds`` are added; 0 for the whole game."""

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Parse a time control. Raises ValueError with the expected form."""
        found = _FORM.fullmatch(text)
        if found is None:
            raise XiangqiError(Fact("match.form", form=TIME_CONTROL))
        seconds = 60 * int(found["minutes"] or 0) + float(found["seconds"])
        control = cls(seconds, float(found["increment"] or 0), int(found["moves"] or 0))
        if control.seconds <= 0:
            raise XiangqiError(Fact("match.some_time", form=TIME_CONTROL))
        return control

    def __str__(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        increment = f"+{self.increment:g}" if self.increment else ""
        return f"{moves}{self.seconds:g}{increment}"


class GameClock:
    """Clock of one side in one game; only :meth:`spend` changes it.

    >>> clock = GameClock(TimeControl(1.0, increment=0.5), margin=0.1)
    >>> clock.spend(0.75), clock.remaining
    (True, 0.75)
    >>> clock.spend(0.8), clock.remaining
    (True, 0.5)
    >>> clock.spend(0.7)
    False
    """

    def __init__(self, control: TimeControl, margin: float = 0.0) -> None:
        self.control = control
        self.margin = margin
        """Seconds by which a move may exceed the remaining time."""
        self.remaining = control.seconds
        self.moves_to_go = control.moves
        """Moves until the next period; 0 without periods."""

    def spend(self, seconds: float) -> bool:
        """Subtract the seconds of one move; return False if the time is exceeded."""
        if seconds > self.remaining + self.margin:
            self.remaining = 0.0
            return False
        self.remaining = max(0.0, self.remaining - seconds) + self.control.increment
        if self.moves_to_go:
            self.moves_to_go -= 1
            if not self.moves_to_go:
                self.moves_to_go = self.control.moves
                self.remaining += self.control.seconds
        return True


Proto: TypeAlias = Literal["auto", "ucci", "uci", "xboard"]

PATIENCE_S: Final = 300.0
MARGIN_MS: Final = round(MARGIN_S * 1000)


class ConfigError(NamedValueError):
    """A keyword of the configuration is unknown or missing, or its value is invalid.

    The name is the keyword, followed by the key if the error concerns one; the value is None if it
    is missing.

    >>> print(ConfigError("-rounds", "many", Fact("number", least=1, most=1_000_000)))
    invalid -rounds 'many': expected a number 1 to 1000000
    >>> print(ConfigError("-engine cmd", None, Fact("match.form", form="cmd=PROGRAM")))
    missing -engine cmd: expected cmd=PROGRAM
    """

    _CODE = "bad_option"

    @property
    def fact(self) -> Fact:
        if self.value is not None:
            return super().fact
        return Fact("error.missing", subject=self.name, expected=self.expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """One engine: its command, its limits for a move and its options.

    All given limits apply. At least one is required, and ``tc`` and ``st`` exclude each other.
    """

    cmd: str
    """Program, or command line."""
    name: str
    """Name in reports and records, unique in the match."""
    args: tuple[str, ...] = ()
    """Further arguments."""
    dir: str = ""
    """Working directory; empty for the current one."""
    proto: Proto = "auto"
    """Protocol; ``auto`` tries UCCI, then UCI, then XBoard."""
    tc: TimeControl | None = None
    """Time control of a game."""
    st: float = 0.0
    """Seconds for each move; 0 for no limit."""
    depth: int = 0
    """Depth limit in plies; 0 for none."""
    nodes: int = 0
    """Node limit; 0 for none."""
    timemargin: int = MARGIN_MS
    """Tolerance of ``tc`` or ``st`` in milliseconds."""
    timeout: float = PATIENCE_S
    """Seconds for a move, without ``tc`` and ``st``, after which the engine counts as hung."""
    restart: bool = False
    """Is the engine restarted for each game?"""
    scale: float = 1.0
    """Factor from its scores to centipawns, for adjudication."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the engine, by name."""

    def time_control(self) -> str:
        """Format the limits as for a record: ``10+0.1``, ``nodes 500``."""
        limits = [
            str(self.tc) if self.tc is not None else "",
            f"{self.st:g}/move" if self.st else "",
            f"depth {self.depth}" if self.depth else "",
            f"nodes {self.nodes}" if self.nodes else "",
        ]
        return ", ".join(limit for limit in limits if limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningsConfig:
    """A file of openings and how to use it."""

    file: Path
    format: str | None = None
    """One of :data:`~xiangqi.match.openings.OPENING_FORMATS`; None to detect it."""
    order: Literal["random", "sequential"] = "random"
    plies: int | None = None
    """Maximum number of plies of each opening; None for all, or the default for a book."""
    start: int = 1
    """Number of the first opening in the chosen order, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PgnConfig:
    """PGN file of the games, and the optional details of their comments."""

    file: Path
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig:
    """Configuration of a match."""

    engines: tuple[EngineConfig, ...]
    rounds: int = 2
    games: int = 2
    """Games of an encounter: 2 from one opening with the colours exchanged, or 1."""
    swap: bool = True
    """Are the colours exchanged after each game?"""
    tournament: Tournament = "roundrobin"
    concurrency: int = 1
    """Number of games played at the same time."""
    openings: OpeningsConfig | None = None
    draw: DrawRule | None = None
    resign: ResignRule | None = None
    maxmoves: int = 0
    """Moves of each side, including the opening, after which a game is drawn; 0 for no limit."""
    tb: Path | None = None
    """Folder of endgame tables for adjudication."""
    sprt: Sprt | None = None
    rules: RuleSet = WXF
    """The rule set, with its limit of moves without a capture."""
    ban: bool = False
    """Are moves that would lose by repetition sent to the engines as banned moves?"""
    pgnout: PgnConfig | None = None
    jsonout: Path | None = None
    """Path of the journal; None for a free name."""
    log: Path | None = None
    """Log file for the dialogue with the engines."""
    srand: int = 0
    """Seed of all random choices."""
    ratinginterval: int = 10
    """Number of encounters between reports; 0 for a final report only."""
    event: str = ""
    site: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", find_rule_set(self.rules))  # frozen, but may be a name
