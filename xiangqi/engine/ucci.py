"""UCCI 3.0, the protocol of Chinese chess programs, on top of :class:`~xiangqi.engine.Engine`.

Choices where the specification is open or GUIs depart from it:

* Limits may be combined (``go depth 9 time 5000``), and UCI's ``movetime``, ``mate`` and
  ``searchmoves`` are understood. A bare ``go`` searches until ``stop``; values that cannot be read
  are left out as in UCI (:mod:`xiangqi.engine.uci`). ``go perft N`` counts moves.
* Commands during a search have no effect, as the specification demands; with ``debug`` on they are
  reported. After ``stop`` the next command waits for the answer.
* ``bestmove`` is sent even if a rule has already ended the game; a message that begins with
  ``ruling`` reports this. ``nobestmove`` means that there is no legal move, that the rule set bars
  all of them, that ``depth 0`` was requested, or that there was no search to stop.
* An offered draw is accepted by ``bestmove ... draw`` if the score is below DRAW_MARGIN, or below
  QUIET_DRAW_MARGIN after QUIET_PLIES plies without a capture. The engine neither offers a draw nor
  resigns.
* UCI's option names are accepted, too, even without the word ``name`` and with blanks.
* Scores are centipawns without a unit, mates included: 29990 is a mate in ten plies.
* In ``batch`` mode no command can stop a search, so one without a limit is refused and ``ponder``
  is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xiangqi.engine.engine import (
    BusyError,
    CurrentMove,
    SearchInfo,
    SearchResult,
)
from xiangqi.engine.options import OPTIONS, UCCI
from xiangqi.engine.protocol import MAX_PERFT_DEPTH, GoWords, ProtocolServer, read_number
from xiangqi.engine.search import accepts_draw
from xiangqi.ground.errors import quote

__all__ = ["UcciServer"]


class UcciServer(ProtocolServer):
    """The commands of UCCI."""

    DECLARATION = UCCI

    def __post_init__(self) -> None:
        super().__post_init__()
        self._draw_is_offered = False

    # Output

    def on_info(self, info: SearchInfo) -> None:
        """Send an info line, without score and moves if the score is only a bound, which UCCI
        cannot express."""
        multipv = int(self.engine.options["multipv"])
        is_exact = info.bound == "exact"
        words = [
            f"info depth {info.depth} seldepth {info.seldepth}",
            f"multipv {info.multipv}" if is_exact and multipv > 1 else "",
            f"score {info.score}" if is_exact else "",
            f"nodes {info.nodes} nps {info.nodes * 1000 // max(1, info.milliseconds)}",
            f"hashfull {info.hashfull} time {info.milliseconds}",
            self.format_pv(info) if is_exact else "",
        ]
        self.output.send(" ".join(word for word in words if word))

    def on_current(self, current: CurrentMove) -> None:
        """Send the current root move; UCCI has no field for its number."""
        self.output.send(f"info currmove {self.format_move(current.move)}")

    def on_best(self, result: SearchResult) -> None:
        """Send the answer to ``go``."""
        if result.best is None:
            self.output.send("nobestmove")
            return
        words = ["bestmove", self.format_move(result.best)]
        if result.ponder is not None:
            words += ["ponder", self.format_move(result.ponder)]
        if self._draw_is_offered and accepts_draw(self.engine.board, result):
            words.append("draw")
        self.output.send(" ".join(words))

    def on_busy(self, line: str, error: BusyError) -> None:
        """Ignore the command, as UCCI demands; report it with ``debug`` on."""
        if self.own["debug"]:
            self.send_message(f"without effect: {quote(line)}: {error}")

    # Commands

    def do_ucci(self, words: Sequence[str]) -> None:
        self.introduce()

    def on_unknown_option(self, name: str) -> None:
        """Ignore an unknown option, as GUIs expect."""
        if self.own["debug"]:
            super().on_unknown_option(name)

    def set_engine_option(self, option: str, name: str, value: str) -> None:
        """Set an option of the engine; a size of 0 means the default."""
        if option in ("hash", "threads") and value == "0":
            value = str(OPTIONS[option].default)
        super().set_engine_option(option, name, value)

    def on_option(self, name: str) -> None:
        """Start a new game after ``newgame``."""
        if name == "newgame":
            self.engine.new_game()

    def do_go(self, words: Sequence[str]) -> None:
        """Start a search; evaluate for ``depth 0``, count for ``perft``."""
        self.engine.require_idle()
        go = GoWords(words, self.send_message)
        if "perft" in go:
            self.perft(read_number(go.groups, "perft", 1, MAX_PERFT_DEPTH))
            return
        if go.groups.get("depth") == ["0"]:
            if self.tools.evaluate is None:
                self.send_message("there is no evaluation to show")
            else:
                score = self.tools.evaluate(self.engine.board, self.engine.network)
                self.output.send(f"info depth 0 score {score}")
            self.output.send("nobestmove")
            return
        unit = 1 if self.own["usemillisec"] else 1000
        own = go.clock("time", "increment", "movestogo", unit)
        other = go.clock("opptime", "oppincrement", "oppmovestogo", unit)
        limits = self.read_limits(go, own, other)
        if self.own["batch"]:
            limits = replace(limits, ponder=False)
        if self.own["batch"] and limits.is_endless:
            self.send_message("in batch mode a search needs a limit")
            self.output.send("nobestmove")
            return
        self._draw_is_offered = "draw" in go
        self.engine.go(limits)
        if self.own["batch"]:
            self.engine.wait()

    def do_stop(self, words: Sequence[str]) -> None:
        """Stop the search, or report that there is none."""
        if not self.engine.stop():
            self.output.send("nobestmove")

    def do_ponderhit(self, words: Sequence[str]) -> None:
        """Start the clock after a ponder hit, perhaps with an offer of a draw."""
        if words[:1] == ["draw"] and self.engine.is_thinking:
            self._draw_is_offered = True
        self.engine.ponderhit()

    def do_probe(self, position: Sequence[str]) -> None:
        """Print the hash table entry of a position."""
        entry = self.engine.probe(self.read_position(position))
        words = ["pophash"]
        if entry is not None:
            if entry.move is not None:
                words.append(f"bestmove {self.format_move(entry.move)}")
            for bound in ("lower", "upper"):
                if entry.bound in (bound, "exact"):
                    words.append(f"{bound}bound {entry.score} depth {entry.depth}")
        self.output.send(" ".join(words))

    def do_quit(self, words: Sequence[str]) -> None:
        """Exit with ``bye``."""
        super().do_quit(words)
        self.output.send("bye")
