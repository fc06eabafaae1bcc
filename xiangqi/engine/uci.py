"""UCI, and UCI-Cyclone with it, on top of :class:`~xiangqi.engine.engine.Engine`.

Choices where the specification is open or GUIs depart from it:

* The word ``position`` may be missing before ``fen`` and ``startpos``, as in UCI-Cyclone.
* Ranks are counted from 0 to 9, unless ``UCI_Chess960`` is set: GUIs for engines of many variants
  (LiGround, fairyfishnet) set it, and count from 1 to 10 (``h3e3``, ``a10a9``). It is not declared,
  since GUIs that set every declared option count from 0. So do GUIs that omit ``position``. Moves
  that are legal only with the other count override this.
* Unknown options and commands are reported once each. UCCI's ``banmoves`` is understood.
* During a search, ``position``, ``go`` and options are refused with a message; after ``stop`` they
  wait for the answer. ``stop`` without a search is ignored.
* A bare ``go`` searches until ``stop``. A limit of 0 counts as 1, so that each search ends.
* A limit that cannot be read, or is negative, is left out with a message; as the value of a limit,
  ``infinite`` means that there is none. If no limit is left, the opponent's clock counts, or else
  the search takes FALLBACK_MS. A clock below 0 counts as 0.
* ``go mate`` finds only mates: a win by the repetition rules counts as a draw.
* If there is no legal move, or the rule set bars them all, the answer is ``info depth 0 score mate
  0`` and ``bestmove (none)``. If a rule has already ended the game, a message reports this and a
  move is played.
* ``UCI_ShowWDL`` shows the model of :mod:`xiangqi.ground.chances`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.engine.engine import CurrentMove, SearchInfo, SearchResult
from xiangqi.engine.options import UCI
from xiangqi.engine.protocol import MAX_PERFT_DEPTH, GoWords, ProtocolServer, read_number
from xiangqi.engine.searcher import moves_to_mate
from xiangqi.games.record import GameRecord
from xiangqi.ground.chances import expect_result
from xiangqi.ground.errors import Fact, InvalidMoveError, RecordError, XiangqiError
from xiangqi.notation import RankBase, format_coordinates, parse_coordinates
from xiangqi.pieces import RED

__all__ = ["UciServer", "format_score"]

Read = TypeVar("Read")


def format_score(score: int) -> str:
    """Format centipawns, or the moves to a mate, negative if the side to move is mated.

    >>> format_score(-35), format_score(29_997), format_score(-29_996), format_score(-30_000)
    ('cp -35', 'mate 2', 'mate -2', 'mate 0')
    """
    moves = moves_to_mate(score)
    return f"cp {score}" if moves is None else f"mate {moves}"


class UciServer(ProtocolServer):
    """The commands of UCI."""

    DECLARATION = UCI

    def __post_init__(self) -> None:
        super().__post_init__()
        self._first_rank: RankBase = 0
        self._is_settled = False  # have the GUI's moves shown the count?

    # Output

    def on_info(self, info: SearchInfo) -> None:
        """Send an info line."""
        score = format_score(info.score)
        if self.own["UCI_ShowWDL"]:
            score = " ".join([score, "wdl", *map(str, expect_result(info.score))])
        words = [
            f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}",
            f"score {score}",
            f"{info.bound}bound" if info.bound != "exact" else "",
            f"nodes {info.nodes} nps {info.nodes * 1000 // max(1, info.milliseconds)}",
            f"hashfull {info.hashfull} time {info.milliseconds}",
            self.format_pv(info),
        ]
        self.output.send(" ".join(word for word in words if word))

    def on_best(self, result: SearchResult) -> None:
        """Send the answer to ``go``."""
        if result.best is None:
            self.output.send("info depth 0 score mate 0", "bestmove (none)")
            return
        words = ["bestmove", self.format_move(result.best)]
        if result.ponder is not None:
            words += ["ponder", self.format_move(result.ponder)]
        self.output.send(" ".join(words))

    def on_current(self, current: CurrentMove) -> None:
        """Send the current root move."""
        move = self.format_move(current.move)
        words = f"info depth {current.depth} currmove {move} currmovenumber {current.number}"
        self.output.send(words)

    # Move notation

    def format_move(self, move: Move) -> str:
        """Format a move with the GUI's rank numbers."""
        return format_coordinates(move, self._first_rank)

    def parse_move(self, text: str) -> Move:
        """Parse a move with the GUI's rank numbers."""
        return parse_coordinates(text, self._first_rank)

    def parse_record(self, words: Sequence[str]) -> GameRecord:
        """Game record of a ``position`` command, its moves converted to ranks from 0."""
        record = super().parse_record(words)
        if self._first_rank == 0:
            return record
        moves = []
        for ply, move in enumerate(record.moves):
            try:
                moves.append(parse_coordinates(move, rank_base=1).iccs())
            except InvalidMoveError as error:
                raise RecordError(ply, move, Fact("expected", what=error.expected)) from error
        return GameRecord(record.fen, tuple(moves))

    def read_position(self, words: Sequence[str]) -> Board:
        """Board of a ``position`` command, with either count of ranks."""
        try:
            return super().read_position(words)
        except RecordError:
            board = self._recount(partial(super().read_position, words))
            if board is None:
                raise
            return board

    def legal_moves(self, words: Iterable[str]) -> tuple[Move, ...]:
        """Parse moves with either count of ranks, and return the legal ones."""
        words = tuple(words)
        try:
            self._require_legal(words)
        except XiangqiError:
            self._recount(partial(self._require_legal, words))
        return super().legal_moves(words)

    def _require_legal(self, words: Sequence[str]) -> None:
        board = self.engine.board
        for word in words:
            board.require_legal(self.parse_move(word))

    def _assume_ranks(self, first: RankBase) -> None:
        """Assume this count of ranks, unless moves have shown the count."""
        if not self._is_settled:
            self._first_rank = first

    def _recount(self, read: Callable[[], Read]) -> Read | None:
        """Read with the other count of ranks, and keep it if that succeeds."""
        before = self._first_rank
        self._first_rank = 0 if before else 1
        try:
            found = read()
        except XiangqiError:
            self._first_rank = before
            return None
        self._is_settled = True
        self.send_message(
            f"ranks are counted from {self._first_rank} to {self._first_rank + 9} from now on"
        )
        return found

    # Commands

    def do_uci(self, words: Sequence[str]) -> None:
        self.introduce()

    do_ucicyclone = do_uci

    def on_option(self, name: str) -> None:
        """Clear the hash table for ``Clear Hash``; count ranks from 1 for ``UCI_Chess960``."""
        if name == "Clear Hash":
            self.engine.new_game()
        elif name == "UCI_Chess960":
            self._assume_ranks(1)

    def do_debug(self, words: Sequence[str]) -> None:
        """Do nothing: there is no debug output."""

    def do_startpos(self, words: Sequence[str]) -> None:
        """Set up the starting position (UCI-Cyclone, without ``position``; ranks from 0)."""
        self._assume_ranks(0)
        self.do_position(["startpos", *words])

    def do_fen(self, words: Sequence[str]) -> None:
        """Set up a FEN (UCI-Cyclone, without ``position``; ranks from 0)."""
        self._assume_ranks(0)
        self.do_position(["fen", *words])

    def do_go(self, words: Sequence[str]) -> None:
        """Start a search; count for ``perft``."""
        self.engine.require_idle()
        go = GoWords(words, self.send_message)
        if "perft" in go:
            self.perft(read_number(go.groups, "perft", 1, MAX_PERFT_DEPTH))
            return
        red = go.clock("wtime", "winc", "movestogo")
        black = go.clock("btime", "binc", "movestogo")
        own, other = (red, black) if self.engine.board.turn == RED else (black, red)
        self.engine.go(self.read_limits(go, own, other))

    def do_stop(self, words: Sequence[str]) -> None:
        self.engine.stop()

    def do_ponderhit(self, words: Sequence[str]) -> None:
        """Start the clock after a ponder hit."""
        self.engine.ponderhit()
