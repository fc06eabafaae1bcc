"""Commands to an engine, executed one at a time.

A command sends lines, receives every line of the engine while it runs, and ends with its answer. A
cancelled search sends ``stop`` exactly once, since some engines answer a second ``stop`` too, and
that answer would be taken for the next search's. After a stop the next search waits until the
engine is ready.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from typing import TypeVar

from chess.engine import BaseCommand, ConfigValue

from xiangqi.board import Board
from xiangqi.board.scores import AnalysisResult, BestMove, Info, InfoDict, PlayResult
from xiangqi.client.dialects import EngineAnswer, SearchRequest
from xiangqi.client.info import IllegalBestMoveError, RawInfo, complete_info
from xiangqi.client.session import Session
from xiangqi.core.move import Move
from xiangqi.ground.errors import IllegalMoveError, InvalidMoveError, XiangqiError
from xiangqi.pieces import RED

__all__ = ["AnalysisCommand", "CommandRequest", "ConfigureCommand", "PingCommand", "PlayCommand"]

T = TypeVar("T")


class PingCommand(BaseCommand[None]):
    """Wait until the engine has processed all commands."""

    def __init__(self, engine: Session) -> None:
        super().__init__(engine)
        self.engine = engine

    def start(self) -> None:
        self._number = self.engine.send_ping()

    def line_received(self, line: str) -> None:
        """Finish when the ping has been answered."""
        if self.engine.has_answered(self._number):
            if not self.result.cancelled():
                self.result.set_result(None)
            self.set_finished()

    def cancel(self) -> None:
        """Finish; a late answer is recognised by its number."""
        self.set_finished()


class ConfigureCommand(BaseCommand[None]):
    """Set options permanently."""

    def __init__(self, engine: Session, options: Mapping[str, ConfigValue]) -> None:
        super().__init__(engine)
        self.engine = engine
        self._options = options

    def start(self) -> None:
        """Send the options; engines do not answer them."""
        self.engine.set_options(self._options)
        self.result.set_result(None)
        self.set_finished()


@dataclasses.dataclass(frozen=True)
class CommandRequest:
    """Arguments of a search command."""

    search: SearchRequest
    game: object
    info: Info
    options: Mapping[str, ConfigValue]
    multipv: int | None = None


class SearchCommand(BaseCommand[T]):
    """Common part of playing and analysing."""

    def __init__(self, engine: Session, request: CommandRequest) -> None:
        super().__init__(engine)
        self.engine = engine
        self.request = request
        self.is_searching = False
        self._is_stopped = False
        self._ping: int | None = None

    ponders = False

    def start(self) -> None:
        """Send the options, the new-game command if necessary, and the search."""
        request = self.request
        self.engine.prepare(request.options, ponder=self.ponders, multipv=request.multipv)
        if self.engine.announce(request.game) or self.engine.must_catch_up:
            self._ping = self.engine.send_ping()
        else:
            self.go()

    def go(self) -> None:
        """Send the position and start the search."""
        self.begin_clock()  # before the engine has the line: a busy machine may suspend us after it
        for line in self.engine.speech.search_lines(self.request.search):
            self.engine.send_line(line)

    def begin_clock(self) -> None:
        """Start the clock, and treat further lines as answers to this search."""
        self.began = time.perf_counter()
        self.is_searching = True

    def line_received(self, line: str) -> None:
        """Ignore lines from before this search."""
        if self._ping is not None:
            if self.engine.has_answered(self._ping):
                self._ping = None
                self.engine.must_catch_up = False
                self.go()
            return
        if not self.is_searching:
            return
        dialect = self.engine.speech
        answer = dialect.read_answer(line)
        if answer is not None:
            self.on_answer(answer, time.perf_counter() - self.began)
        else:
            raw = dialect.read_info(line)
            if raw:
                self.on_info(raw)

    def on_answer(self, answer: EngineAnswer, seconds: float) -> None:
        raise NotImplementedError

    def on_info(self, raw: RawInfo) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        """Stop the search, or cancel it before it starts."""
        if not self.is_searching:
            self.set_finished()
        elif not self._is_stopped:
            self._is_stopped = True
            self.engine.must_catch_up = True
            self.engine.send_line(self.engine.speech.STOP)

    def cancel(self) -> None:
        """Stop the search, whose answer is no longer needed."""
        self.stop()

    def best_move(self, answer: EngineAnswer) -> tuple[Move | None, Move | None]:
        """Parse the best move and the ponder move, which is None if illegal.

        Raises IllegalBestMoveError for an illegal best move.
        """
        if answer.move is None:
            return None, None
        board, dialect = self.request.search.board, self.engine.speech
        try:
            move = dialect.read_move(answer.move, board)
        except InvalidMoveError as error:
            raise IllegalBestMoveError(answer.move, f"expected {error.expected}") from error
        except IllegalMoveError as error:
            raise IllegalBestMoveError(answer.move, error.why) from error
        if answer.ponder is None:
            return move, None
        after = board.copy(stack=False)
        after.push_unchecked(move)
        try:
            return move, dialect.read_move(answer.ponder, after)
        except XiangqiError:
            return move, None

    def complete(self, raw: RawInfo) -> InfoDict:
        """Convert an info line, with its moves."""
        board, dialect = self.request.search.board, self.engine.speech
        return complete_info(raw, board, dialect.read_move, self.request.info, board.turn)


class PlayCommand(SearchCommand[PlayResult]):
    """Search for a move, and ponder afterwards if requested."""

    def __init__(self, engine: Session, request: CommandRequest, *, ponder: bool) -> None:
        super().__init__(engine, request)
        self.ponders = ponder and engine.speech.CAN_PONDER
        self._raw: RawInfo = {}
        self._pondering: SearchRequest | None = None
        search = request.search
        is_same = engine.game == request.game and engine.search_options == request.options
        can_hit = ponder and is_same
        engine.expected_hit = search if can_hit and not search.forbidden else None

    def start(self) -> None:
        """Start the search, or send a ponder hit if the engine is pondering on this position."""
        search = self.request.search
        is_hit, self.engine.is_hit = self.engine.is_hit, False
        if is_hit:
            dialect = self.engine.speech
            self.begin_clock()
            self.engine.send_line(dialect.ponderhit(draw_offered=search.draw_offered))
        elif not self.engine.speech.ANSWERS_MATE and not search.board.has_legal_move():
            self.result.set_result(PlayResult(None))
            self.set_finished()
        else:
            super().start()

    def on_info(self, raw: RawInfo) -> None:
        """Keep the last value of each field."""
        if self._pondering is not None:
            return
        if "score" in raw:
            for bound in ("lowerbound", "upperbound"):
                self._raw.pop(bound, None)
        self._raw.update(raw)

    def on_answer(self, answer: EngineAnswer, seconds: float) -> None:
        """Set the result and start to ponder; or finish pondering."""
        if self._pondering is not None or self.result.done():
            self._pondering = None
            self.set_finished()
            return
        move, reply = self.best_move(answer)
        info = self.complete(self._raw)
        after = None
        if self.ponders and move is not None and reply is not None:
            after = self.request.search.board.copy()
            after.push_unchecked(move)
            after.push_unchecked(reply)
        self.result.set_result(
            PlayResult(
                move,
                reply,
                info,
                draw_offered=answer.draw_offered,
                resigned=answer.resigned,
                seconds=seconds,
            )
        )
        if after is None:
            self.set_finished()
        else:
            self._ponder(after, seconds)

    def _ponder(self, board: Board, seconds: float) -> None:
        """Ponder with the clocks that the next search would have."""
        limit = dataclasses.replace(self.request.search.limit)
        if limit.white_clock is not None:
            used = seconds if board.turn == RED else 0.0
            limit.white_clock += (limit.white_inc or 0.0) - used
        if limit.black_clock is not None:
            used = 0.0 if board.turn == RED else seconds
            limit.black_clock += (limit.black_inc or 0.0) - used
        if limit.remaining_moves:
            limit.remaining_moves = limit.remaining_moves - 1 or None
        self._pondering = SearchRequest(board, limit, ponder=True)
        for line in self.engine.speech.search_lines(self._pondering):
            self.engine.send_line(line)

    def cancel(self) -> None:
        """Leave the engine pondering if the next command searches this position; else stop it."""
        expected, pondering = self.engine.expected_hit, self._pondering
        if expected is not None and pondering is not None:
            same_moves = expected.board.move_stack == pondering.board.move_stack
            if same_moves and expected.board.root_setup() == pondering.board.root_setup():
                self.engine.is_hit = True
                self.set_finished()
                return
        self.stop()

    def engine_terminated(self, exc: Exception) -> None:
        """Ignore the end of the engine once the move has arrived."""
        if self.result.done():
            self.set_finished()
        else:
            super().engine_terminated(exc)


class AnalysisCommand(SearchCommand[AnalysisResult]):
    """Search, and add each info to the analysis as it arrives."""

    def __init__(self, engine: Session, request: CommandRequest) -> None:
        super().__init__(engine, request)
        self.analysis = AnalysisResult(stop=self.stop)

    def go(self) -> None:
        """Start the search, and return the analysis to the caller."""
        super().go()
        if not self.result.done():
            self.result.set_result(self.analysis)

    def on_info(self, raw: RawInfo) -> None:
        self.analysis.post(self.complete(raw))

    def on_answer(self, answer: EngineAnswer, seconds: float) -> None:
        """Finish the analysis with the best move, or with an error if it is illegal."""
        try:
            move, reply = self.best_move(answer)
        except IllegalBestMoveError as error:
            self.engine_terminated(error)
            return
        self.set_finished()
        self.analysis.set_finished(BestMove(move, reply))

    def engine_terminated(self, exc: Exception) -> None:
        """End the analysis with an error."""
        if self.result.done():
            self.analysis.set_exception(exc)
            self.set_finished()
        else:
            super().engine_terminated(exc)
