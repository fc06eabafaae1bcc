"""The XBoard protocol (CECP, https://www.gnu.org/software/xboard/engine-intf.html) on top of
:class:`~xiangqi.engine.engine.Engine`, version 2 with the variant xiangqi.

Choices where the specification is open:

* Moves are written with ranks from 0 to 9 (``h2e2``), as XBoard and its other engines do.
* The engine claims checkmate and stalemate by ``1-0 {...}`` or ``0-1 {...}``. It also claims the
  referee's results for repetitions and games without captures, except against another program
  (``computer``): XBoard adjudicates those games by its own rules, and a rejected claim loses the
  game. A ``go`` after a claim continues the game.
* A move that the rule set bars is illegal for a human opponent. A program may play it, since it may
  not know the rule set.
* A draw is accepted by ``offer draw``, by the same rule as in UCCI: see
  :func:`~xiangqi.engine.search.accepts_draw`. The engine neither offers a draw nor resigns.
* With ``hard`` the engine ponders the expected reply. This only fills the hash table; the search
  for its move begins after the opponent's move.
* Mates are sent as 100000 plus the number of moves. Lines whose score is only a bound are not sent.
* A value that cannot be read, or a negative one except for a clock, is an error; the limits stay.
* While the engine thinks about its move, a move or a command that would change the position is
  refused; ``force`` ends the search.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from typing import Final, Literal

from xiangqi.board import Board
from xiangqi.engine.engine import (
    Analysis,
    BusyError,
    Clock,
    CurrentMove,
    Limits,
    SearchInfo,
    SearchResult,
)
from xiangqi.engine.options import CECP
from xiangqi.engine.protocol import ProtocolServer, read_limit, read_number
from xiangqi.engine.search import accepts_draw
from xiangqi.engine.searcher import moves_to_mate
from xiangqi.ground.errors import IllegalMoveError, InvalidMoveError
from xiangqi.pieces import BLACK, Color
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.endings import describe_ending, require_allowed
from xiangqi.referee.outcome import Termination

__all__ = ["CecpServer"]

MATE_SCORE: Final = 100_000
_SIGNS: Final = {"?": "movenow", ".": "status"}
"""Commands of one character, with the names of their methods."""
_TIME: Final = re.compile(r"(\d+)(?::([0-5]?\d))?")
_SILENT: Final = frozenset(
    "accepted rejected random name rating ics egtpath pause resume white black nps".split()
)
"""Commands that are accepted without effect."""

Task = Literal["move", "analysis", None]


class CecpServer(ProtocolServer):
    """The commands of the XBoard protocol."""

    DECLARATION = CECP

    def __post_init__(self) -> None:
        super().__post_init__()
        self._lock = threading.RLock()  # guards the state that the search thread changes in on_best
        self._task: Task = None
        self._side: Color | None = None  # the engine's; None in force mode
        self._is_analysing = False
        self._shows_thinking = False
        self._ponders = False
        self._against_program = False
        self._draw_is_offered = False
        self._pongs: list[str] = []  # to be sent after the engine's move
        self._expected = ""  # the expected reply, if known
        self._last_info: SearchInfo | None = None
        self._pondering: Analysis | None = None
        self._reset_clock()

    def _reset_clock(self) -> None:
        self._depth = 0
        self._move_ms = 0
        self._control_moves = 40  # moves per time control; 0 if the clock is for the whole game
        self._control_ply = 0  # ply at which the time control began
        self._base_ms, self._increment_ms = 300_000, 0
        self._left_ms: int | None = None
        self._opponent_ms: int | None = None

    # Lines

    def receive(self, line: str) -> bool:
        """Execute a line; False if it was the last one."""
        word = line.split(maxsplit=1)[0]
        if word.lower() in _SILENT:
            return True
        return super().receive(line.replace(word, _SIGNS.get(word, word), 1))

    def on_unknown(self, line: str) -> None:
        self.output.send(f"Error (unknown command): {line}")

    def on_refused(self, line: str, error: Exception) -> None:
        """Report a command that is wrong, or has to wait for the engine's move."""
        self.output.send(f"Error ({error}): {line}")

    # Output

    def on_info(self, info: SearchInfo) -> None:
        """Send a line of thinking: depth, score, hundredths of a second, nodes, moves."""
        if info.multipv == 1:
            self._last_info = info
        if self._shows_thinking and info.bound == "exact":
            numbers = f"{info.depth} {_format_score(info.score)} {info.milliseconds // 10}"
            moves = " ".join(map(self.format_move, info.pv))
            self.output.send(f"{numbers} {info.nodes} {moves}")

    def on_current(self, current: CurrentMove) -> None:
        """Do nothing: the protocol has no line for the current root move."""

    def on_best(self, result: SearchResult) -> None:
        """Play the move of a finished search, unless it is obsolete."""
        with self._lock:
            task, self._task = self._task, None
            if task == "move" and result.best is not None:
                board = self.engine.board
                if self._draw_is_offered and accepts_draw(board, result):
                    self.output.send("offer draw")
                self._draw_is_offered = False
                board.push(result.best)
                self.engine.set_position(board)
                self._expected = "" if result.ponder is None else self.format_move(result.ponder)
                self.output.send(f"move {self.format_move(result.best)}")
                if not self._claim(board) and self._ponders and result.ponder is not None:
                    board.push(result.ponder)
                    self._pondering = self.engine.analysis(board)
            self.output.send(*self._pongs)
            self._pongs.clear()

    def _claim(self, board: Board) -> bool:
        """Report the end of the game, if it has ended and the GUI accepts claims."""
        outcome = board.outcome(self.engine.rules)
        if outcome is None:
            return False
        is_mate = outcome.termination in (Termination.CHECKMATE, Termination.STALEMATE)
        is_stuck = outcome.termination is Termination.ALL_BARRED and board.turn == self._side
        if self._against_program and not (is_mate or is_stuck):
            return False
        reason = describe_ending(board, outcome, self.engine.rules)
        self.output.send(f"{outcome.result()} {{{reason}}}")
        return True

    def _has_move(self) -> bool:
        return bool(self.engine.board.allowed_moves(self.engine.rules))

    # Thinking

    def _halt(self) -> None:
        """End the current search and discard its result."""
        with self._lock:
            self._task = None
        pondering, self._pondering = self._pondering, None
        if pondering is not None:
            pondering.stop()
        self.engine.stop()
        self.engine.require_idle()

    def _refuse_while_thinking(self) -> None:
        if self._is_thinking():
            raise BusyError("the engine is thinking about its move")

    def _is_thinking(self) -> bool:
        with self._lock:
            return self._task == "move"

    def _proceed(self) -> None:
        """Analyse, or think if it is the engine's turn."""
        if self._is_analysing:
            self._search("analysis", Limits(infinite=True))
        elif self._side is not None and self.engine.board.turn == self._side:
            if self._move_ms:
                limits = Limits(depth=self._depth, movetime_ms=self._move_ms)
            else:
                left = self._base_ms if self._left_ms is None else self._left_ms
                opponent = None if self._opponent_ms is None else self._clock(self._opponent_ms)
                limits = Limits(depth=self._depth, clock=self._clock(left), opponent=opponent)
            self._search("move", limits)

    def _search(self, task: Task, limits: Limits) -> None:
        if not self._has_move():
            return
        self._last_info, self._task = None, task
        self.engine.go(limits)

    def _clock(self, left_ms: int) -> Clock:
        played = max(0, self.engine.board.ply() - self._control_ply) // 2
        to_go = self._control_moves - played % self._control_moves if self._control_moves else 0
        return Clock(left_ms, self._increment_ms, to_go)

    # The game

    def do_xboard(self, words: Sequence[str]) -> None:
        """Accept the handshake; the features are sent after ``protover``."""

    def do_protover(self, words: Sequence[str]) -> None:
        """Send the features of the engine."""
        self.introduce()

    def do_new(self, words: Sequence[str]) -> None:
        """Start a new game, the engine playing Black."""
        self._halt()
        self.engine.new_game()
        self.engine.set_position(STARTING_FEN)
        self._reset_clock()
        self._side = None if self._is_analysing else BLACK
        self._against_program = self._draw_is_offered = False
        self._expected = ""
        self._proceed()

    def do_variant(self, words: Sequence[str]) -> None:
        """Check the variant."""
        if list(words) != ["xiangqi"]:
            raise ValueError("expected the variant xiangqi")

    def do_setboard(self, words: Sequence[str]) -> None:
        """Set up a position; keep the old one on an error."""
        self._refuse_while_thinking()
        board = Board(" ".join(words))
        self._halt()
        self.engine.set_position(board)
        self._control_ply = 0
        self._expected = ""
        self._proceed()

    def do_usermove(self, words: Sequence[str]) -> None:
        """Play a move of the opponent, or of either side in force mode."""
        text = " ".join(words)
        if self._is_thinking():
            self.output.send(f"Illegal move (the engine is thinking about its move): {text}")
            return
        board = self.engine.board
        try:
            move = board.parse_iccs(text)
            if self._side is not None and not self._against_program:  # it plays a human
                require_allowed(board, move, self.engine.rules)
            board.push(move)
        except IllegalMoveError as error:
            self.output.send(f"Illegal move ({error.why}): {text}")
            return
        except InvalidMoveError as error:
            self.output.send(f"Illegal move (expected {error.expected}): {text}")
            return
        self._halt()
        self.engine.set_position(board)
        self._expected = ""
        if self._side is None or not self._claim(board):
            self._proceed()

    def do_undo(self, words: Sequence[str]) -> None:
        """Take the last move back."""
        self._take_back(1)

    def do_remove(self, words: Sequence[str]) -> None:
        """Take the last move of each side back."""
        self._take_back(2)

    def _take_back(self, plies: int) -> None:
        self._refuse_while_thinking()
        board = self.engine.board
        if board.ply() < plies:
            raise ValueError(f"expected {plies} moves to take back, found {board.ply()}")
        for _ in range(plies):
            board.pop()
        self._halt()
        self.engine.set_position(board)
        self._expected = ""
        if self._is_analysing:
            self._proceed()

    def do_force(self, words: Sequence[str]) -> None:
        """Play neither side."""
        self._halt()
        self._side = None

    def do_go(self, words: Sequence[str]) -> None:
        """Play the side to move."""
        self._refuse_while_thinking()
        self._halt()
        board = self.engine.board
        self._side = board.turn
        if self._has_move() or not self._claim(board):
            self._proceed()

    def do_playother(self, words: Sequence[str]) -> None:
        """Play the side that is not to move."""
        self._refuse_while_thinking()
        self._halt()
        self._side = not self.engine.board.turn

    def do_movenow(self, words: Sequence[str]) -> None:
        """Move now (the command ``?``)."""
        if self._is_thinking():
            self.engine.stop()

    def do_result(self, words: Sequence[str]) -> None:
        """End the game."""
        self.do_force(words)

    def do_draw(self, words: Sequence[str]) -> None:
        """Note an offer of a draw; it is accepted with the next move, or not at all."""
        self._draw_is_offered = True

    def do_hint(self, words: Sequence[str]) -> None:
        """Print the expected move of the opponent."""
        if self._expected:
            self.output.send(f"Hint: {self._expected}")

    def do_bk(self, words: Sequence[str]) -> None:
        """Print the book moves, indented; an empty line ends the answer."""
        moves = self.engine.find_book_moves()
        self.output.send(*(f" {found.describe()}" for found in moves), "")

    def do_computer(self, words: Sequence[str]) -> None:
        """Note that the opponent is a program."""
        self._against_program = True

    def do_ping(self, words: Sequence[str]) -> None:
        """Answer once all earlier commands are done, the engine's move included."""
        pong = " ".join(["pong", *words])
        with self._lock:
            if self._task == "move":
                self._pongs.append(pong)
            else:
                self.output.send(pong)

    def do_quit(self, words: Sequence[str]) -> None:
        """Exit without playing the move of a running search."""
        with self._lock:
            self._task = None
        super().do_quit(words)

    # Time

    def do_level(self, words: Sequence[str]) -> None:
        """Set the time control: moves, minutes (or minutes:seconds), increment in seconds."""
        is_negative = any(word.startswith("-") for word in words)
        if len(words) != 3 or is_negative or not (base := _TIME.fullmatch(words[1])):
            raise ValueError("expected MOVES MINUTES[:SECONDS] INCREMENT")
        groups = {"moves": words[:1], "increment": words[2:]}
        moves = read_number(groups, "moves")
        self._increment_ms = read_number(groups, "increment", unit=1000)
        self._control_moves = moves
        self._base_ms = 1000 * (60 * int(base[1]) + int(base[2] or 0))
        self._control_ply = self.engine.board.ply()
        self._move_ms, self._left_ms, self._opponent_ms = 0, None, None

    def do_st(self, words: Sequence[str]) -> None:
        """Set the time per move in seconds; ``infinite`` for none."""
        self._move_ms = read_limit({"st": words}, "st", unit=1000)

    def do_sd(self, words: Sequence[str]) -> None:
        """Set the depth limit; ``infinite`` for none."""
        self._depth = read_limit({"sd": words}, "sd")

    def do_time(self, words: Sequence[str]) -> None:
        """Set the engine's clock, in hundredths of a second."""
        self._left_ms = read_number({"time": words}, "time", unit=10)

    def do_otim(self, words: Sequence[str]) -> None:
        """Set the opponent's clock, in hundredths of a second."""
        self._opponent_ms = read_number({"otim": words}, "otim", unit=10)

    # Thinking and options

    def do_post(self, words: Sequence[str]) -> None:
        """Switch thinking output on."""
        self._shows_thinking = True

    def do_nopost(self, words: Sequence[str]) -> None:
        """Switch thinking output off."""
        self._shows_thinking = False

    def do_hard(self, words: Sequence[str]) -> None:
        """Switch pondering on."""
        self._ponders = True

    def do_easy(self, words: Sequence[str]) -> None:
        """Switch pondering off."""
        self._ponders = False
        if self._pondering is not None:
            self._halt()

    def do_analyze(self, words: Sequence[str]) -> None:
        """Analyse each position until another command."""
        self._halt()
        self._side, self._is_analysing = None, True
        self._proceed()

    def do_exit(self, words: Sequence[str]) -> None:
        """End the analysis."""
        self._halt()
        self._is_analysing = False

    def do_status(self, words: Sequence[str]) -> None:
        """Report the state of the analysis (the command ``.``)."""
        info = self._last_info
        if self._is_analysing and info is not None:
            self.output.send(f"stat01: {info.milliseconds // 10} {info.nodes} {info.depth} 0 0")

    def do_memory(self, words: Sequence[str]) -> None:
        """Set the memory in megabytes, nearly all of which is the hash table."""
        self._set("hash", "memory", " ".join(words))

    def do_cores(self, words: Sequence[str]) -> None:
        """Set the number of search threads."""
        self._set("threads", "cores", " ".join(words))

    def _set(self, option: str, name: str, value: str) -> None:
        self._refuse_while_thinking()
        self._halt()
        self.set_engine_option(option, name, value)
        self._proceed()

    def do_option(self, words: Sequence[str]) -> None:
        """Set an option by NAME=VALUE, or press a button by its name."""
        name, _, value = " ".join(words).partition("=")
        self._refuse_while_thinking()
        self._halt()
        self.set_option(["name", *name.split(), "value", *value.split()])
        self._proceed()

    def on_option(self, name: str) -> None:
        """Clear the hash table."""
        if name == "Clear Hash":
            self.engine.new_game()

    def on_unknown_option(self, name: str) -> None:
        raise ValueError("there is no such option")


def _format_score(score: int) -> int:
    """Format centipawns, or a mate as 100000 plus the number of moves.

    >>> _format_score(-35), _format_score(29_997), _format_score(-29_996), _format_score(-30_000)
    (-35, 100002, -100002, -100000)
    """
    moves = moves_to_mate(score)
    if moves is None:
        return score
    return moves + (MATE_SCORE if score > 0 else -MATE_SCORE)
