"""State of a running engine: its dialect, its options, and its game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from chess.engine import BaseCommand, ConfigMapping, ConfigValue, EngineError, Option, UciOptionMap

from xiangqi.client.dialects import Dialect, SearchRequest, Ucci, Uci
from xiangqi.client.info import Identity, parse_value
from xiangqi.client.process import EngineProcess, LineListener
from xiangqi.client.xboard import XBoard
from xiangqi.ground.errors import Fact

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["DIALECTS", "PROBED", "Session"]

T = TypeVar("T")

DIALECTS: Final[Mapping[str, type[Dialect]]] = {"ucci": Ucci, "uci": Uci, "xboard": XBoard}
PROBED: Final = ("ucci", "uci")
"""Dialects tried in one process, UCCI first since some of its engines exit at ``uci``. XBoard is
tried in a process of its own."""


class Session(EngineProcess):
    """State of an engine that its commands share, and the methods that change it."""

    dialect: str
    """``"ucci"``, ``"uci"`` or ``"xboard"``."""
    id: dict[str, str]
    """Identity of the engine: ``name``, ``author`` and other declared fields."""
    options: UciOptionMap[Option]
    """Options of the engine; names match in any case."""

    def __init__(
        self,
        dialects: Sequence[str] = PROBED,
        *,
        probe_seconds: float = 2.0,
        on_line: LineListener | None = None,
    ) -> None:
        super().__init__(on_line)
        self.untried = [DIALECTS[name]() for name in dialects]
        """Dialects that the handshake has still to try."""
        self.probe_seconds = probe_seconds
        """Seconds before the next dialect is tried."""
        self.speech = self.untried[0]
        """The dialect in use."""
        self.dialect = self.speech.NAME
        self.id = {}
        self.options = UciOptionMap()
        self.config: UciOptionMap[ConfigValue] = UciOptionMap()
        """Options as last sent to the engine."""
        self._permanent: UciOptionMap[ConfigValue] = UciOptionMap()
        self.search_options: ConfigMapping = {}
        """Options of the last search only."""
        self._pings_sent = self._pings_answered = 0
        self.game: object = None
        """Game announced last."""
        self._is_first_game = True
        self.must_catch_up = False
        """Has a search been stopped whose late answer may still arrive?"""
        self.expected_hit: SearchRequest | None = None
        """Search expected on ``ponderhit``; None if the engine is not pondering."""
        self.is_hit = False
        """Is the engine pondering on the next search?"""

    async def communicate(self, command_factory: Callable[[Self], BaseCommand[T]]) -> T:
        """Execute a command after the earlier ones; a running search is stopped."""
        self.expected_hit = None
        return await super().communicate(command_factory)

    @property
    def can_ban(self) -> bool:
        """Can the engine be forbidden single moves?"""
        return self.speech.CAN_BAN

    def begin(self, dialect: Dialect, identity: Identity) -> None:
        """Finish the handshake with the dialect that was answered."""
        self.speech, self.dialect = dialect, dialect.NAME
        self.id, self.options = identity.id, identity.options
        for name, option in self.options.items():
            if option.default is not None:
                self.config[name] = option.default
                if name.lower() not in dialect.MANAGED:
                    self._permanent[name] = option.default
        for line in dialect.opening_lines(identity):
            self.send_line(line)
        self.initialized = True

    def line_received(self, line: str) -> None:
        """Count the answers to pings, so that late ones are recognised."""
        super().line_received(line)
        if self._pings_answered < self._pings_sent and self.speech.is_pong(line):
            self._pings_answered += 1

    def send_ping(self) -> int:
        """Send a ping; return its number."""
        self._pings_sent += 1
        self.send_line(self.speech.ping(self._pings_sent))
        return self._pings_sent

    def has_answered(self, ping: int) -> bool:
        return self._pings_answered >= ping

    def announce(self, game: object) -> bool:
        """Send the new-game command if the game has changed."""
        is_new = self._is_first_game or self.game != game
        if is_new:
            self.game, self._is_first_game = game, False
            for line in self.speech.new_game_lines(Identity(self.id, self.options)):
                self.send_line(line)
        return is_new

    def prepare(self, options: ConfigMapping, *, ponder: bool, multipv: int | None) -> None:
        """Set the options of one search; restore all others."""
        wanted = UciOptionMap(self._permanent.items())
        wanted.update(options)
        self._refuse_managed(options)
        if "Ponder" in self.options:
            wanted["Ponder"] = ponder
        if multipv is not None and multipv > 1 and "MultiPV" not in self.options:
            raise EngineError(Fact("driver.no_multipv", count=multipv))
        if "MultiPV" in self.options:
            wanted["MultiPV"] = multipv or 1
        self._send_options(wanted)
        self.search_options = options

    def set_options(self, options: ConfigMapping) -> None:
        """Set options permanently; only changes are sent."""
        self._refuse_managed(options)
        self._send_options(options)
        self._permanent.update({name: self.config[name] for name in options if name in self.config})

    def _refuse_managed(self, options: ConfigMapping) -> None:
        for name in options:
            if name.lower() in self.speech.MANAGED:
                raise EngineError(Fact("driver.managed", name=name))

    def _send_options(self, options: ConfigMapping) -> None:
        values = {}
        for name, value in options.items():
            option = self.options.get(name)
            if option is None:
                known = tuple(self.options) or (Fact("none"),)
                raise EngineError(Fact("driver.no_option", name=name, known=known))
            values[option.name] = parse_value(option, value)
        for name, parsed in values.items():
            if parsed is None or self.config.get(name) != parsed:
                self.send_line(self.speech.option_line(name, parsed))
            if parsed is not None:
                self.config[name] = parsed
