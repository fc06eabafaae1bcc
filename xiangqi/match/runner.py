"""Running a match: workers play the encounters of the schedule and record each game when it ends.

Each worker has its own engine processes and plays the games of an encounter one after another. All
workers share one event loop; writing to disk is done in a thread, so that a slow disk does not
affect the clocks.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final

from xiangqi.ground.errors import Fact, plural
from xiangqi.ground.exits import EXIT_INTERRUPTED
from xiangqi.match.arguments import Argument, with_seed
from xiangqi.match.config import ConfigError, MatchConfig
from xiangqi.match.game import play_game
from xiangqi.match.journal import MatchJournal, PgnFile, describe_game
from xiangqi.match.openings import START, Opening, read_openings
from xiangqi.match.pgn import PlayedGame, write_game
from xiangqi.match.player import Player
from xiangqi.match.report import DialogueLog, Report, make_report, warning
from xiangqi.match.schedule import (
    Encounter,
    ScheduledGame,
    Standings,
    make_schedule,
    order_openings,
)
from xiangqi.pieces import BLACK, RED

__all__ = ["EXIT_DONE", "EXIT_FAILED", "EXIT_H0", "Match", "run_match"]

EXIT_DONE: Final = 0
"""All games have been played, or H1 is accepted."""
EXIT_FAILED: Final = 1
"""An engine does not start, or a file cannot be written."""
EXIT_H0: Final = 3
"""H0 is accepted."""


class Match:
    """A running match: its schedule, results and files.

    Raises ConfigError or RecordError for bad openings, or a journal of another match.
    """

    def __init__(self, config: MatchConfig, journal: MatchJournal, pgn: PgnFile | None) -> None:
        self.config = config
        self.journal = journal
        self.pgn = pgn
        self.openings = [START]
        order = [0]
        if config.openings is not None:
            self.openings = _read_openings(config)
            order = order_openings(
                len(self.openings),
                config.openings.order,
                start=config.openings.start,
                seed=config.srand,
            )
        self._schedule = partial(
            make_schedule,
            len(config.engines),
            config.rounds,
            games=config.games,
            swap=config.swap,
            tournament=config.tournament,
            openings=order,
        )
        self.standings = Standings([engine.name for engine in config.engines])
        self._played: set[int] = set()
        self._faults: Counter[tuple[str, str]] = Counter()
        self._count_journal()
        self._todo = (
            encounter
            for encounter in self._schedule()
            if any(game.number not in self._played for game in encounter.games)
        )
        self._stop = asyncio.Event()
        self._was_interrupted = False
        self._writing = asyncio.Lock()
        self._records: set[asyncio.Task[None]] = set()

    # Games of the journal

    def _count_journal(self) -> None:
        engines = self.config.engines
        records = {int(record["game"]): record for record in self.journal.games}
        for encounter in self._schedule():
            if len(self._played) == len(records):
                return
            for game in encounter.games:
                record = records.get(game.number)
                if record is None:
                    continue
                red, black = engines[game.red].name, engines[game.black].name
                opening = Opening(record["fen"], tuple(record["opening"]))
                found = (record["red"], record["black"], opening)
                if found != (red, black, self.openings[encounter.opening]):
                    expected = Fact("match.same_games", number=game.number)
                    raise ConfigError("-config file", str(self.journal.path), expected)
                self._count(encounter, game, record["result"], record["fault"])
        if len(self._played) < len(records):
            raise ConfigError("-rounds", self.config.rounds, Fact("match.no_less"))

    def _count(
        self, encounter: Encounter, game: ScheduledGame, result: str, fault: str | None
    ) -> bool:
        """Count a game; return whether that completes its encounter."""
        self._played.add(game.number)
        if fault is not None:
            loser = game.black if result == "1-0" else game.red
            self._faults[self.config.engines[loser].name, fault] += 1
        return self.standings.add_game(encounter, game.number, result)

    # Playing

    async def play(self, report: Report, log: DialogueLog | None = None) -> int:
        """Play the remaining games; return the exit code.

        Raises StartError, or OSError if a file cannot be written.
        """
        # Where the event loop has no signal handlers, Ctrl-C raises KeyboardInterrupt.
        with contextlib.suppress(NotImplementedError):
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, self._interrupt)
        if self._verdict() is not None:
            self._stop.set()
        workers = [
            asyncio.ensure_future(self._work(report, log)) for _ in range(self.config.concurrency)
        ]
        try:
            await self._wait(workers)
            report.begin()  # if no game was left
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            await asyncio.gather(*self._records)
            if report.has_begun:
                report.end_match(self._faults)
        if self._was_interrupted:
            return EXIT_INTERRUPTED
        return EXIT_H0 if self._verdict() == "H0" else EXIT_DONE

    def _verdict(self) -> str | None:
        sprt = self.config.sprt
        return None if sprt is None else sprt.decision(self.standings.between(0, 1))

    def _interrupt(self) -> None:
        """End the match in order."""
        self._was_interrupted = True
        self._stop.set()

    async def _wait(self, workers: Sequence[asyncio.Future[None]]) -> None:
        stop: asyncio.Future[Any] = asyncio.ensure_future(self._stop.wait())
        left: set[asyncio.Future[Any]] = set(workers)
        try:
            while left and not stop.done():
                done, _ = await asyncio.wait({*left, stop}, return_when=asyncio.FIRST_COMPLETED)
                for worker in done & left:
                    worker.result()
                left -= done
        finally:
            stop.cancel()

    async def _work(self, report: Report, log: DialogueLog | None) -> None:
        worker = _Worker(self.config, log)
        try:
            for encounter in self._todo:
                if self._stop.is_set():
                    break
                for game in encounter.games:
                    if game.number not in self._played:
                        await self._play_game(worker, encounter, game, report)
        except BaseException:
            await worker.quit(at_once=True)
            raise
        await worker.quit()

    async def _play_game(
        self, worker: _Worker, encounter: Encounter, game: ScheduledGame, report: Report
    ) -> None:
        engines = self.config.engines
        players = await worker.players(game)
        report.begin_game(game.number, engines[game.red].name, engines[game.black].name)
        opening = self.openings[encounter.opening]
        name = f"{encounter.round}.{encounter.games.index(game) + 1}"
        finished = await play_game(
            self.config, {RED: players[0], BLACK: players[1]}, opening, name=name
        )
        record = asyncio.ensure_future(self._record(encounter, game, finished, report))
        self._records.add(record)
        await asyncio.shield(record)
        self._records.discard(record)

    async def _record(
        self, encounter: Encounter, game: ScheduledGame, finished: PlayedGame, report: Report
    ) -> None:
        """Write a game to the files and count it; not cancelled by an interrupt."""
        async with self._writing:
            await asyncio.to_thread(
                self._write, game, finished, self.openings[encounter.opening].moves
            )
        fault = None if finished.fault is None else finished.fault.value
        is_complete = self._count(encounter, game, finished.result, fault)
        report.end_game(game.number, finished)
        if is_complete:
            report.end_encounter()
            if self._verdict() is not None:
                self._stop.set()

    def _write(self, game: ScheduledGame, finished: PlayedGame, opening: Sequence[str]) -> None:
        text = ""
        if self.config.pgnout is not None:
            text = write_game(finished, details=self.config.pgnout.details)
        self.journal.add(describe_game(game.number, finished, opening, text))
        if self.pgn is not None:
            self.pgn.add(text)


def _read_openings(config: MatchConfig) -> list[Opening]:
    openings = config.openings
    assert openings is not None
    try:
        return read_openings(openings.file, openings.plies, openings.format)
    except OSError as error:
        expected = Fact("match.readable_file", error=str(error))
        raise ConfigError("-openings file", str(openings.file), expected) from error


class _Worker:
    """The players of one worker, by the index of their engine in the configuration."""

    def __init__(self, config: MatchConfig, log: DialogueLog | None) -> None:
        self.config = config
        self.log = log
        self._players: dict[int, Player] = {}
        self._game = ""

    async def players(self, game: ScheduledGame) -> tuple[Player, Player]:
        """Prepare Red and Black for a game and quit the other players. Raises StartError."""
        self._game = str(game.number)
        for index in set(self._players) - {game.red, game.black}:
            await self._players.pop(index).quit()
        players = self._player(game.red), self._player(game.black)
        for player in players:
            await player.prepare()
        return players

    def _player(self, index: int) -> Player:
        if index not in self._players:
            config = self.config.engines[index]
            self._players[index] = Player(config, partial(self._log, config.name))
        return self._players[index]

    def _log(self, engine: str, direction: str, text: str) -> None:
        if self.log is not None:
            self.log.add(self._game, engine, direction, text)

    async def quit(self, *, at_once: bool = False) -> None:
        await asyncio.gather(*(one.quit(at_once=at_once) for one in self._players.values()))


def run_match(
    config: MatchConfig, arguments: Iterable[Argument], resumed: MatchJournal | None = None
) -> int:
    """Play a match, or resume one, and print its reports; return the exit code.

    ``arguments`` are written to the journal. Raises ConfigError or RecordError before the first
    game, StartError if an engine does not start, OSError if a file cannot be written.
    """
    seeded = with_seed(arguments, config)
    with contextlib.ExitStack() as files:
        pgn = None
        if config.pgnout is not None:
            pgn = files.enter_context(contextlib.closing(PgnFile(config.pgnout.file)))
        log = None
        if config.log is not None:
            try:
                log = files.enter_context(contextlib.closing(DialogueLog(config.log)))
            except OSError as error:
                expected = Fact("match.file_to_add", error=str(error))
                raise ConfigError("-log file", str(config.log), expected) from error
        journal = resumed
        if journal is None:
            journal = MatchJournal.create(config.jsonout, seeded, 0 if pgn is None else pgn.size)
            files.enter_context(contextlib.closing(journal))
        elif journal.arguments != seeded:
            journal.add_arguments(seeded)
        return asyncio.run(_play(config, journal, pgn, log, is_resumed=resumed is not None))


async def _play(
    config: MatchConfig,
    journal: MatchJournal,
    pgn: PgnFile | None,
    log: DialogueLog | None,
    *,
    is_resumed: bool,
) -> int:
    match = Match(config, journal, pgn)
    heading = [f"Journal: {journal.path} (resume with -config file={journal.path})"]
    if is_resumed:
        heading.append(f"Resumed after {plural(match.standings.games, 'game')}")
        if pgn is not None and not pgn.complete(journal):
            why = f"{pgn.path} holds other games than the journal; new games are appended"
            heading.append(warning(why))
    journal.games.clear()  # already counted; frees their memory
    cores = os.cpu_count() or 1
    if config.concurrency > max(1, cores - 1):
        games, available = plural(config.concurrency, "game"), plural(cores, "core")
        heading.append(warning(f"{games} at a time on {available} may cause losses on time"))
    with make_report(config, match.standings) as report:
        report.heading += heading
        code = await match.play(report, log)
        if config.jsonout is None and report.has_begun:
            report.say(f"The journal is {journal.path}: resume from it, or delete it")
    return code
