"""The engine behind every protocol: a position, options, and one search at a time.

:class:`Engine` knows no protocol text; its neighbours ``ucci``, ``uci`` and ``cecp`` put it into
words. From Python it can be used directly, for a move, for a judgement of a position, or to watch
an analysis grow::

    engine = Engine()
    engine.play(board, Limits(movetime_ms=500)).best
    engine.analyse(board, Limits(depth=10))[0].score
    with engine.analysis(board) as lines:
        for info in lines:
            if info.depth == 12:
                break

What its scores mean is told in :mod:`xiangqi.engine.scores`.
"""

from __future__ import annotations

import dataclasses
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from queue import SimpleQueue
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from xiangqi.board import Board
from xiangqi.core.board import CoreBoard, RuleSwitches
from xiangqi.core.evaluator import Terms
from xiangqi.core.move import Move
from xiangqi.core.network import Network
from xiangqi.core.searcher import SearchInfo, SearchLimits, SearchResult
from xiangqi.core.tablebase import Tables
from xiangqi.counting import plural
from xiangqi.engine.endings import Endings
from xiangqi.engine.levels import NO_HANDICAP
from xiangqi.engine.network import DEFAULT, HAND_MADE, NetworkFile, choose_network, evaluation_of
from xiangqi.engine.options import OPTIONS, REPETITION_RULES, STYLES, OptionError, OptionValue
from xiangqi.engine.scores import MATE
from xiangqi.engine.searching import make_searcher
from xiangqi.engine.shelf import Shelf
from xiangqi.engine.timing import Clock, Limits, TimeKeeper
from xiangqi.engine.weakening import Weakness, choose_strength, search_weakly, weaken
from xiangqi.errors import BookError, NetworkError, TableError
from xiangqi.fen import STARTING_FEN
from xiangqi.games.record import play_moves
from xiangqi.referee.barring import lets_lose_by_repetition, losing_repetitions
from xiangqi.referee.explanation import explain_outcome
from xiangqi.referee.outcome import Termination, no_capture_limit_in_search
from xiangqi.referee.rules import RULE_SETS, RuleSet
from xiangqi.words import say

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from xiangqi.books import BookMove

__all__ = [
    "Analysis",
    "BusyError",
    "Clock",
    "CurrentMove",
    "Engine",
    "HashEntry",
    "Limits",
    "SearchInfo",
    "SearchJob",
    "SearchResult",
]

MAX_DEPTH: Final = 100
MAX_NODES: Final = 10**18
MAX_MILLISECONDS: Final = 10**9
STOP_PATIENCE_S: Final = 5.0
"""How long a command waits for a search that is being stopped."""
CURRENT_MOVE_AFTER_S: Final = 3.0
"""A search that takes longer tells which root move it is at, as Stockfish does."""
CURRENT_MOVE_EVERY_S: Final = 0.1
"""How often it looks; a root move that takes less may be passed over."""
LEVEL_HASH_MB: Final = 1
"""The hash table of a level, which is emptied before each move."""


class BusyError(RuntimeError):
    """The engine is thinking and was asked for something that it can only do before or after."""


class SearcherLike(Protocol):
    """What the engine needs of a searcher: :class:`xiangqi.core.searcher.Searcher`, or a fake.

    Infos must come from the first depth on: with the first of them the engine repeats a ``stop``
    or ``ponderhit`` that came just before the search began and was not heard by it.
    """

    def set_hash(self, megabytes: int) -> None: ...
    def set_threads(self, threads: int) -> None: ...
    def set_evaluation(self, evaluation: Network | Terms) -> None: ...
    def set_tables(self, tables: Tables | None) -> None: ...
    def clear(self) -> None: ...
    def search(
        self,
        board: CoreBoard,
        limits: SearchLimits,
        switches: RuleSwitches,
        on_info: Callable[[SearchInfo], None] | None = None,
    ) -> SearchResult: ...
    def stop(self) -> None: ...
    def ponderhit(self) -> None: ...
    def probe(self, board: CoreBoard) -> tuple[Move | None, str, int, int] | None: ...
    def current_move(self) -> tuple[int, Move, int] | None: ...


class HashEntry(NamedTuple):
    """What the hash table knows of a position."""

    move: Move | None
    bound: str
    """``exact``, ``lower`` or ``upper``, or ``none`` where only the move is known."""
    score: int
    depth: int


class CurrentMove(NamedTuple):
    """The root move that is being searched."""

    depth: int
    move: Move
    number: int
    """Its place in this iteration, from 1."""


def _no_search(best: Move | None = None, score: int = 0) -> SearchResult:
    return SearchResult(best, None, score, 0, 0, 0, ())


# The engine


class SearchJob:
    """One search, from the asking to the answer, of a board that nobody changes meanwhile."""

    def __init__(
        self,
        board: Board,
        limits: Limits,
        on_info: Callable[[SearchInfo], None],
        on_best: Callable[[SearchResult], None],
        on_current: Callable[[CurrentMove], None] | None = None,
        *,
        rules: RuleSet,
        plays: bool = True,
    ) -> None:
        self.board = board
        self.limits = limits
        self.rules = rules
        self.switches = rules.switches  # the same for the core
        self.plays = plays  # a move is wanted, not an opinion
        self.on_info = on_info
        self.on_best = on_best
        self.on_current = on_current
        self.is_stopping = False
        self.is_hit = False  # the move that was pondered on has been played
        self.has_begun = False
        self.may_answer = threading.Event()
        if not (limits.infinite or limits.ponder):
            self.may_answer.set()

    @property
    def ponders(self) -> bool:
        """Is it still thought on the opponent's time?"""
        return self.limits.ponder and not self.is_hit


def _ignore(_: object) -> None:
    pass


class Engine:
    """A position, options, and at most one search.

    Commands may come from any thread. Answers come by callbacks, from the thread that searches:
    ``on_info`` for each line of play, ``on_best`` exactly once for each :meth:`go`, and
    ``on_message`` for what people should know. ``on_current`` tells the root moves of a search
    that takes seconds, from a thread of its own, but never behind the answer. While ``on_best``
    runs, commands of other threads wait, so that whoever hears the answer finds the engine idle;
    it must not wait for them.

    ``network`` is what it evaluates with: a network's path, DEFAULT or HAND_MADE. Raises
    NetworkError for a file that is none; if it is the default one, that is only a warning and the
    hand-made evaluation takes over.

    It rules repetitions as its options say, or as the ``rules`` that a search is asked with, any
    RuleSet, which tells all: the limit without a capture as well. A RuleSet that no search can go
    by is a RuleSetError.
    """

    def __init__(
        self,
        searcher: SearcherLike | None = None,
        *,
        network: str = DEFAULT,
        on_info: Callable[[SearchInfo], None] = _ignore,
        on_best: Callable[[SearchResult], None] = _ignore,
        on_current: Callable[[CurrentMove], None] | None = None,
        on_message: Callable[[str], None] = _ignore,
    ) -> None:
        self.on_info = on_info
        self.on_best = on_best
        self.on_current = on_current
        self.on_message = on_message
        self._searcher: SearcherLike = searcher or make_searcher(
            hash_mb=int(OPTIONS["hash"].default)
        )
        self._level_searcher: SearcherLike | None = None  # made when a level is played
        self._searching = self._searcher  # the one that searches
        self._values = {option.name: option.default for option in OPTIONS.values()}
        self._rules = _rules_of(self._values)
        self._rules_searched = self._rules
        self._time_keeper = TimeKeeper()
        self._idle = threading.Condition()  # its lock guards the fields from here on
        self._board = Board()  # never changed, but for another one
        self._job: SearchJob | None = None
        self._network: NetworkFile | None = None
        self._shelf = Shelf()
        self._endings = Endings()
        try:
            self.set_option("eval_file", network)
        except NetworkError as error:
            if network != DEFAULT:
                raise
            self._values["eval_file"] = HAND_MADE
            warnings.warn(f"{error}; the hand-made evaluation takes over", stacklevel=2)

    # Position and options

    @property
    def board(self) -> Board:
        """A copy of the position with the moves that led to it."""
        return self._board.copy()

    def set_position(
        self, position: str | Board = STARTING_FEN, moves: Iterable[str | Move] = ()
    ) -> None:
        """Set up a position, given as FEN or board, and play moves from there.

        Raises FenError or PositionError for the position, RecordError for the first move that
        cannot be read or is not legal, with its ply; the position before stays then.
        """
        board = _set_up(position, moves)
        with self._idle:
            self.require_idle()
            self._board = board

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """The value of each option of OPTIONS."""
        return MappingProxyType(self._values)

    def set_option(self, name: str, value: OptionValue) -> None:
        """Give an option a value, or what its text stands for.

        Raises OptionError, NetworkError for ``eval_file``, BookError for ``book_file`` and
        TableError for ``table_path``; the value before stays then.
        """
        option = OPTIONS.get(name)
        if option is None:
            raise OptionError(name, value, f"one of the options {', '.join(OPTIONS)}")
        parsed = option.parse(value)
        with self._idle:
            self.require_idle()
            try:
                if name == "hash":
                    self._searcher.set_hash(int(parsed))
                elif name == "threads":
                    self._searcher.set_threads(int(parsed))
                elif name == "eval_file":
                    self._use_network(choose_network(str(parsed)))
                elif name == "book_file":
                    self._shelf.open(str(parsed))
                elif name == "book_seed":
                    self._shelf.seed(int(parsed))
                elif name in ("table_path", "repetition"):
                    self._use_tables(name, parsed)
            except (BookError, NetworkError, TableError):
                raise
            except (MemoryError, ValueError) as error:
                raise OptionError(name, value, f"less than that ({error})") from error
            self._values[name] = parsed
            if name in ("repetition", "no_capture_rounds"):
                self._rules = _rules_of(self._values)

    @property
    def network(self) -> NetworkFile | None:
        """What evaluates; None is the hand-made evaluation."""
        return self._network

    def _use_network(self, network: NetworkFile | None) -> None:
        if network is not self._network:
            self._searcher.set_evaluation(evaluation_of(network))
            self._level_searcher = None
        self._network = network

    def _use_tables(self, name: str, value: OptionValue) -> None:
        """Have the tables that belong to these options, one of which is new."""
        values = {**self._values, name: value}
        rules = _rules_of(values)
        self._endings.load(str(values["table_path"]), rules)
        self._searcher.set_tables(self._endings.core)
        self._rules_searched = rules
        if values["table_path"]:
            self.on_message(self._endings.describe(rules))

    @property
    def rules(self) -> RuleSet:
        """The rule set that the options ask for."""
        return self._rules

    def _search_by(self, rules: RuleSet) -> None:
        """Have the tables of these rules, and nothing that was found under others; TableError for
        a damaged table."""
        if rules != self._rules_searched:
            self._endings.rule_by(rules)
            self._searcher.set_tables(self._endings.core)
            self._rules_searched = rules

    def new_game(self) -> None:
        """Forget what was learnt in the game before; the position stays."""
        with self._idle:
            self.require_idle()
            self._searcher.clear()
            self._time_keeper.new_game()

    def probe(self, position: str | Board, moves: Iterable[str | Move] = ()) -> HashEntry | None:
        """What the hash table knows of a position, or None."""
        found = self._searcher.probe(_set_up(position, moves))
        return None if found is None else HashEntry(*found)

    # Searching in the background

    @property
    def is_thinking(self) -> bool:
        """Is the answer to a :meth:`go` still to come?"""
        return self._job is not None

    def require_idle(self) -> None:
        """Wait for a search that is being stopped; BusyError if one goes on."""
        with self._idle:
            job = self._job
            is_ending = job is not None and job.is_stopping
            if job is not None and not (is_ending and self.wait(STOP_PATIENCE_S)):
                raise BusyError("the engine is thinking")

    def go(self, limits: Limits | None = None) -> None:
        """Begin to search the position; the answer comes by ``on_best``.

        Raises BusyError while another search goes on, but waits for one that is being stopped.
        """
        callbacks = (self.on_info, self.on_best, self.on_current)
        self.begin(self._board, limits or Limits(), *callbacks)

    def stop(self) -> bool:
        """Make the search answer now. False if there is none; stopping twice does no harm."""
        with self._idle:
            return self._job is not None and self.end(self._job)

    def ponderhit(self) -> bool:
        """The move that is pondered on has been played: the clock runs. False if none was."""
        with self._idle:
            job = self._job
            if job is None or not job.ponders:
                return False
            job.is_hit = True
            if not job.limits.infinite:
                job.may_answer.set()
            self._searching.ponderhit()
            self._time_keeper.ponderhit()
            return True

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until the engine is idle and has answered; False if the time runs out."""
        with self._idle:
            return self._idle.wait_for(lambda: self._job is None, timeout_s)

    def quit(self, timeout_s: float = 1.0) -> bool:
        """Stop and wait; False if the search does not heed it."""
        self.stop()
        return self.wait(timeout_s)

    # Searching for a Python program

    def play(
        self,
        board: Board,
        limits: Limits,
        on_info: Callable[[SearchInfo], None] = _ignore,
        *,
        rules: RuleSet | None = None,
    ) -> SearchResult:
        """Search a board and return what it came to; the engine's own position stays.

        ``limits`` has to end the search, or it is a ValueError, unless a level does.
        """
        chosen = rules or self._rules
        return self._run(SearchJob(board.copy(), limits, on_info, _ignore, rules=chosen))

    def _run(self, job: SearchJob) -> SearchResult:
        has_end = not job.limits.is_endless or (job.plays and self._plays_a_level(job.limits))
        if not has_end or job.limits.ponder:
            raise ValueError("play and analyse need a limit: depth, nodes, a time or a mate")
        with self._idle:
            self.require_idle()
            self._search_by(job.rules)
            self._job = job
        try:
            return self._search(job)
        finally:
            self._finish(job, _no_search())

    def analyse(
        self,
        board: Board,
        limits: Limits,
        on_info: Callable[[SearchInfo], None] = _ignore,
        *,
        rules: RuleSet | None = None,
    ) -> list[SearchInfo]:
        """Search a board and return the last word on each line of play, the best line first."""
        lines: dict[int, SearchInfo] = {}

        def keep(info: SearchInfo) -> None:
            lines[info.multipv] = info
            on_info(info)

        chosen = rules or self._rules
        self._run(SearchJob(board.copy(), limits, keep, _ignore, rules=chosen, plays=False))
        return [lines[number] for number in sorted(lines)]

    def analysis(
        self, board: Board, limits: Limits | None = None, *, rules: RuleSet | None = None
    ) -> Analysis:
        """Search a board in the background and iterate over what is found, until stopped."""
        return Analysis(self, board.copy(), limits or Limits(), rules)

    # One search

    def begin(
        self,
        board: Board,
        limits: Limits,
        on_info: Callable[[SearchInfo], None],
        on_best: Callable[[SearchResult], None],
        on_current: Callable[[CurrentMove], None] | None = None,
        *,
        rules: RuleSet | None = None,
        plays: bool = True,
    ) -> SearchJob:
        """Search a board, which nobody else may change, in a thread of its own; the answer comes by
        ``on_best``, before that what is found by ``on_info``. ``plays`` tells that a move is wanted
        and not an opinion, so that books are asked.

        Raises BusyError while another search goes on, but waits for one that is being stopped, and
        PositionError for a board that is a draft.
        """
        board.require_position()
        with self._idle:
            self.require_idle()
            callbacks = (on_info, on_best, on_current)
            job = SearchJob(board, limits, *callbacks, rules=rules or self._rules, plays=plays)
            self._search_by(job.rules)
            # A daemon: a search that heeds nothing must not keep the process alive.
            threading.Thread(target=self._work, args=(job,), name="search", daemon=True).start()
            self._job = job
            return job

    def _work(self, job: SearchJob) -> None:
        try:
            result = self._search(job)
        except Exception as error:  # whatever it is, the opponent waits for a move
            self.on_message(f"the search failed, playing any move: {error!r}")
            result = _no_search(next(iter(self._choose_moves(job)), None))
        job.may_answer.wait()
        self._finish(job, result)

    def _finish(self, job: SearchJob, result: SearchResult) -> None:
        with self._idle:
            self._job = None
            self._time_keeper.answered()
            try:
                job.on_best(result)
            finally:
                self._idle.notify_all()

    def end(self, job: SearchJob) -> bool:
        """Stop this search if it still goes on; it answers with what it has found."""
        with self._idle:
            if self._job is not job:
                return False
            job.is_stopping = True
            job.may_answer.set()
            self._searching.stop()
            return True

    def _search(self, job: SearchJob) -> SearchResult:
        moves = self._choose_moves(job)
        ruling = _describe_ruling(job.board, job.rules)
        if not moves:
            if job.board.has_legal_move():
                self.on_message(ruling)
            return _no_search(score=-MATE)
        if ruling:
            self.on_message(f"{ruling}; playing on")

        def report(info: SearchInfo) -> None:
            # A command that came just before the search began was not heard by it.
            if job.is_stopping:
                self._searching.stop()
            elif job.is_hit and not job.has_begun:
                self._searching.ponderhit()
            job.has_begun = True
            job.on_info(info)

        found = self._choose_from_book(job, moves)
        if found is not None:
            return _no_search(found)
        weakness = weaken(job.limits, self._values, job.board) if job.plays else None
        self._searching = self._searcher_for(weakness)
        if weakness is None:
            moves = self._keep_value(job, moves)
        limits = self._core_limits(job, moves, weakness)
        task = (job.board, limits, job.switches, report)
        with self._telling_current_moves(job, limits):
            if weakness is None:
                return self._searching.search(*task)
            return search_weakly(
                self._searching,
                *task,
                weakness,
                lambda move: lets_lose_by_repetition(job.board, move, job.rules),
            )

    def _plays_a_level(self, limits: Limits) -> bool:
        return choose_strength(limits, self._values) is not None

    def _searcher_for(self, weakness: Weakness | None) -> SearcherLike:
        """A level has its own, in one thread and with nothing learnt, so that it plays the same
        whatever was searched before and however many threads the engine has."""
        if weakness is None or not weakness.handicap.sees_less:
            return self._searcher
        if self._level_searcher is None:
            self._level_searcher = make_searcher(self._network, hash_mb=LEVEL_HASH_MB)
        self._level_searcher.clear()
        return self._level_searcher

    @contextmanager
    def _telling_current_moves(self, job: SearchJob, limits: SearchLimits) -> Iterator[None]:
        """A thread looks where the search is, so that the search itself need not stop to tell."""
        is_short = not limits.ponder and 0 < limits.hard_ms <= CURRENT_MOVE_AFTER_S * 1000
        if job.on_current is None or is_short:
            yield
            return
        is_over = threading.Event()
        args = (job.on_current, is_over)
        teller = threading.Thread(target=self._tell_current_moves, args=args, daemon=True)
        teller.start()
        try:
            yield
        finally:
            is_over.set()
            teller.join()

    def _tell_current_moves(
        self, tell: Callable[[CurrentMove], None], is_over: threading.Event
    ) -> None:
        told = None
        is_done = is_over.wait(CURRENT_MOVE_AFTER_S)
        while not is_done:
            current = self._searching.current_move()
            if current is not None and current != told:
                tell(CurrentMove(*current))
                told = current
            is_done = is_over.wait(CURRENT_MOVE_EVERY_S)

    def _choose_moves(self, job: SearchJob) -> list[Move]:
        """The moves to choose from, as far as what was asked for makes sense.

        What the rule set bars is not among them, whatever is asked for.
        """
        moves = job.board.allowed_moves(job.rules)
        if job.limits.moves is not None:
            wanted = [move for move in moves if move in job.limits.moves]
            if moves and not wanted:
                self.on_message("none of the moves to search is legal: choosing from all")
            moves = wanted or moves
        allowed = [move for move in moves if move not in job.limits.banned]
        if moves and not allowed:
            self.on_message("all moves are banned: choosing from them all the same")
        return _without_losses(job.board, allowed or moves, job.rules)

    def _choose_from_book(self, job: SearchJob, moves: list[Move]) -> Move | None:
        """A move of a book, where one may be played. A damaged book is told and put away."""
        limits = job.limits
        is_asked = job.plays and not (limits.infinite or limits.mate or job.ponders)
        if not (is_asked and self._values["own_book"] and self._values["multipv"] == 1):
            return None
        try:
            found = self._shelf.choose(job.board, moves, job.rules)
        except BookError as error:
            self._shelf.close()
            self.on_message(f"{error}; no book is used from now on")
            return None
        if found is None:
            return None
        self.on_message(f"book move {found.describe()}")
        return found.move

    def _keep_value(self, job: SearchJob, moves: list[Move]) -> list[Move]:
        """The moves that keep what the position is worth, where the tables know that and nothing
        speaks against them."""
        is_asked = job.plays and self._values["multipv"] == 1 and not job.limits.mate
        found = self._endings.advise(job.board, job.rules) if is_asked else None
        kept = [move for move in moves if found is not None and move in found.moves]
        if found is None or not kept:
            return moves
        self.on_message(found.says)
        return kept

    def find_book_moves(self) -> list[BookMove]:
        """What the books have for the position, the heaviest first; raises BookError."""
        return self._shelf.find(self._board)

    def _core_limits(
        self, job: SearchJob, moves: list[Move], weakness: Weakness | None
    ) -> SearchLimits:
        limits = job.limits
        handicap = NO_HANDICAP if weakness is None else weakness.handicap
        depth, nodes = handicap.shorten(limits.depth, limits.nodes)
        plan = self._time_keeper.plan(
            limits,
            int(self._values["move_overhead"]),
            ponder=bool(self._values["ponder"]),
            only_move=len(moves) == 1,
        )
        return SearchLimits(
            depth=1 if job.is_stopping else min(depth, MAX_DEPTH),
            nodes=min(nodes, MAX_NODES),
            soft_ms=min(plan.soft_ms, MAX_MILLISECONDS),
            hard_ms=min(plan.hard_ms, MAX_MILLISECONDS),
            ponder=job.ponders and not job.is_stopping,
            multipv=min(handicap.lines or int(self._values["multipv"]), len(moves)),
            moves=None if len(moves) == len(job.board.legal_moves) else moves,
            mate=min(limits.mate, MAX_DEPTH),
            no_capture_limit=no_capture_limit_in_search(job.board, job.rules),
            contempt=STYLES[str(self._values["style"])]
            if job.plays and not limits.is_analysis
            else 0,
        )


class Analysis:
    """A search that can be watched: iterate over it for its infos, and stop it any time.

    Best used with ``with``, which stops it at the end. Made by :meth:`Engine.analysis`.
    """

    def __init__(
        self, engine: Engine, board: Board, limits: Limits, rules: RuleSet | None = None
    ) -> None:
        self._engine = engine
        self._infos: SimpleQueue[SearchInfo | None] = SimpleQueue()
        self._result: SearchResult | None = None
        # Whoever iterates sees the search end, so that there is no answer to hold back.
        limits = dataclasses.replace(limits, infinite=False, ponder=False)
        self._job = engine.begin(
            board, limits, self._infos.put, self._end, rules=rules, plays=False
        )

    def _end(self, result: SearchResult) -> None:
        self._result = result
        self._infos.put(None)

    def __iter__(self) -> Iterator[SearchInfo]:
        return self

    def __next__(self) -> SearchInfo:
        info = self._infos.get()
        if info is None:
            self._infos.put(None)
            raise StopIteration
        return info

    def stop(self) -> SearchResult:
        """End the search, unless it has ended, and return what it came to."""
        self._engine.end(self._job)
        while self._result is None:
            next(self, None)
        return self._result

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def _set_up(position: str | Board, moves: Iterable[str | Move]) -> Board:
    """A board that nobody else holds."""
    board = position.copy() if isinstance(position, Board) else Board(position)
    board.require_position()
    play_moves(board, moves)
    return board


def _rules_of(values: Mapping[str, OptionValue]) -> RuleSet:
    """The rule set that options ask for. To be kept, as a rule set checks itself when it is made,
    which takes as long as a move of a low level."""
    limit = 2 * int(values["no_capture_rounds"]) or None
    rules = RULE_SETS[REPETITION_RULES[str(values["repetition"])]]
    free_checks = None if limit is None else rules.free_checks
    return rules.replace({"no_capture_limit": limit, "free_checks": free_checks})


def _without_losses(board: Board, moves: list[Move], rules: RuleSet) -> list[Move]:
    """The moves less those with which a repetition is complete and ruled against us.

    A search sees to that itself, unless it goes by a relative of the rule set. If every move is
    such a one, all are left.
    """
    if rules.in_search:
        return moves
    losing = set(losing_repetitions(board, rules))
    return [move for move in moves if move not in losing] or moves


def _describe_ruling(board: Board, rules: RuleSet) -> str:
    """How the game has ended by rule though there are moves left; empty if it goes on."""
    outcome = board.outcome(rules)
    if outcome is None:
        return ""
    if outcome.termination is Termination.NO_CAPTURE:
        return (
            f"ruling {say('en', 'draw')}: {plural(board.halfmove_clock, 'ply')} without a capture"
        )
    return f"ruling {explain_outcome(board, outcome, rules)}"
