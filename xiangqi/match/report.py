"""Output of a running match: a line for each game, periodic reports, a live table on a terminal.

Lines and reports have the form of fastchess, so that scripts for it can parse them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.live import Live
from rich.table import Table

from xiangqi.ground.errors import plural, reason_of
from xiangqi.ground.files import open_output, remove_empty
from xiangqi.match.config import MatchConfig
from xiangqi.match.pgn import PlayedGame
from xiangqi.match.schedule import Standings

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["DialogueLog", "LiveReport", "Report", "make_report", "report_lines", "warning"]

_RULE: Final = "-" * 50


def report_lines(config: MatchConfig, standings: Standings) -> list[str]:
    """Lines of a report: statistics for two engines, a table for more."""
    if len(standings.names) > 2:
        width = max(map(len, (*standings.names, "Name")))
        table = (
            f"{rank:>4} {name:{width}} " + " ".join(f"{figure:>7}" for figure in figures)
            for rank, name, *figures in (_COLUMNS, *_rows(standings))
        )
        return [_RULE, *table, _RULE]
    stats = standings.between(0, 1)
    limits = " / ".join(dict.fromkeys(engine.time_control() for engine in config.engines))
    lines = [f"Results of {' vs '.join(standings.names)} ({limits}):", *stats.report()]
    if config.sprt is not None:
        lines.append(config.sprt.report(stats))
    return [_RULE, *lines, _RULE]


_COLUMNS: Final = ("Rank", "Name", "Elo", "+/-", "Games", "Wins", "Losses", "Draws", "Points", "%")


def _rows(standings: Standings) -> Iterator[Sequence[str]]:
    for rank, (engine, stats) in enumerate(standings.ranked(), start=1):
        games = stats.games
        share = 100 * stats.points / games.total if games.total else 50.0
        yield (
            str(rank),
            standings.names[engine],
            f"{stats.elo:.1f}",
            f"{stats.elo_error:.1f}",
            str(games.total),
            str(games.wins),
            str(games.losses),
            str(games.draws),
            f"{stats.points:.1f}",
            f"{share:.1f}",
        )


def warning(text: str) -> str:
    return f"Warning: {text}"


class Report:
    """Report of a match as plain lines on a console."""

    def __init__(self, config: MatchConfig, standings: Standings, console: Console) -> None:
        self.config = config
        self.standings = standings
        self.console = console
        self.heading: list[str] = []
        """Lines to be printed before the first game, once the match is known to start."""
        self.has_begun = False
        self._games_reported = 0
        """Number of games at the last report."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: plain lines need no clean-up."""

    def begin(self) -> None:
        """Print the heading, once."""
        if not self.has_begun:
            self.has_begun = True
            self.say(*self.heading)

    def say(self, *lines: str) -> None:
        self.console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)

    def warn(self, text: str) -> None:
        self.say(warning(text))

    def begin_game(self, number: int, red: str, black: str) -> None:
        """Called when a game begins, with both engines ready."""
        self.begin()

    def end_game(self, number: int, game: PlayedGame) -> None:
        """Print the line and the warnings of a game that has been counted."""
        self.say(
            f"Finished game {number} ({game.red} vs {game.black}): {game.result} {{{game.reason}}}"
        )
        for warning in game.warnings:
            self.warn(f"game {number}: {warning}")

    def end_encounter(self) -> None:
        """Print a report after a complete encounter, if one is due."""
        interval = self.config.ratinginterval
        if interval and self.standings.encounters % interval == 0:
            self._report()

    def end_match(self, faults: Mapping[tuple[str, str], int]) -> None:
        """Print the final report, and the number of games that each engine lost by each fault."""
        if self.standings.games != self._games_reported:
            self._report()
        for (name, fault), count in sorted(faults.items()):
            self.say(f"Faults of {name}: {fault} ({count})")

    def _report(self) -> None:
        self._games_reported = self.standings.games
        self.say(*report_lines(self.config, self.standings))


class LiveReport(Report):
    """Report on a terminal, with a table of the standings and the running games below the lines."""

    def __init__(self, config: MatchConfig, standings: Standings, console: Console) -> None:
        super().__init__(config, standings, console)
        self._playing: dict[int, str] = {}
        # No refresh thread, which would disturb the clocks: _draw() is called on each change.
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def begin_game(self, number: int, red: str, black: str) -> None:
        """Add the game to the running ones."""
        super().begin_game(number, red, black)
        self._playing[number] = f"{number}: {red} - {black}"
        self._draw()

    def end_game(self, number: int, game: PlayedGame) -> None:
        """Print the game's line and remove the game from the table."""
        self._playing.pop(number, None)
        super().end_game(number, game)
        self._draw()

    def _draw(self) -> None:
        caption = f"{plural(self.standings.games, 'game')} finished"
        if self.config.sprt is not None:
            caption += "\n" + self.config.sprt.report(self.standings.between(0, 1))
        if self._playing:
            caption += "\nplaying " + ", ".join(self._playing.values())
        table = Table(caption=caption, header_style="bold")
        for column in _COLUMNS:
            table.add_column(column, justify="left" if column == "Name" else "right")
        for row in _rows(self.standings):
            table.add_row(*row)
        self._live.update(table, refresh=True)


def make_report(config: MatchConfig, standings: Standings) -> Report:
    """Make a live report on a terminal, a plain one otherwise."""
    console = Console()
    report = LiveReport if console.is_terminal else Report
    return report(config, standings, console)


class DialogueLog:
    """Log of the dialogue with all engines: each line with the time and the game.

    If the file cannot be written, print a warning once and go on.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_new = not path.exists()
        self._file = open_output(path, "a")

    def add(self, game: str, engine: str, direction: str, text: str) -> None:
        """Write a line; the direction is ``<`` from the engine, ``>`` to it."""
        if self._file.closed:
            return
        moment = datetime.now().strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
        line = f"{moment} [{game}] {engine} {direction} {text}\n"
        try:
            self._file.write(line.encode("utf-8", "replace"))
        except OSError as error:
            self._file.close()
            why = f"{self._path}: {reason_of(error)}; the dialogue is no longer logged"
            print(warning(why), file=sys.stderr)

    def close(self) -> None:
        self._file.close()
        if self._is_new:
            remove_empty(self._path)
