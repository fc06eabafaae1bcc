"""Programs that Meihua is compared with; all of them are optional."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import MappingProxyType, ModuleType
from typing import Final

from chess.engine import INFO_BASIC, Limit

from bench.measure import repeated, seconds_of
from xiangqi import BLACK, RED, STARTING_FEN, Move, Verdict
from xiangqi.client import SimpleEngine
from xiangqi.client.info import read_info
from xiangqi.games.record import GameRecord
from xiangqi.notation import format_coordinates

FAIRY_STOCKFISH: Final = "fairy-stockfish"
HOIXIANGQI: Final = "hoixiangqi"
PYFFISH: Final = "pyffish"
RANKS_FROM_1: Final = "UCI_Chess960"
"""Option that makes Meihua count ranks from 1, as Fairy-Stockfish always does in Xiangqi."""
MEIHUA: Final = (str(Path(sys.executable).with_name("meihua")),)
"""Command of Meihua's engine."""
CCHESS: Final = "cchess"
MISSING: Final = {
    FAIRY_STOCKFISH: "not installed: apt-get install fairy-stockfish",
    HOIXIANGQI: "not installed: apt-get install hoichess",
    PYFFISH: "not installed: pip install pyffish",
    CCHESS: "not installed: pip install cchess",
}
VARIANT: Final = "xiangqi"


def find_program(name: str) -> str | None:
    """Find a program in the search path or in ``/usr/games``, where Debian installs games."""
    return shutil.which(name) or shutil.which(name, path="/usr/games")


def load_module(name: str) -> ModuleType | None:
    """Import a module; None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def cchess_moves(cchess: ModuleType, path: Path) -> list[str]:
    """Moves of the main line of a file as read by cchess, in coordinates."""
    lines = cchess.Game.read_from(str(path)).dump_iccs_moves()
    return list(lines[0]) if lines else []


def fixed_cost_note(pyffish: ModuleType) -> str:
    """Note the fixed cost of a call of pyffish, which sets up the variant each time.

    It is measured by getting a FEN, which does little else.
    """
    calls = repeated(20, lambda fen: pyffish.get_fen(VARIANT, fen, []), [STARTING_FEN])
    cost = median(seconds_of(calls) for _ in range(5)) / 20 * 1e6
    return f"The fixed cost of a call of {PYFFISH} is about {cost:,.0f} µs (get_fen, no moves)."


def peer_move(move: Move) -> str:
    """Format a move for Fairy-Stockfish and pyffish, with ranks counted from 1."""
    return format_coordinates(move, rank_base=1)


def peer_moves(record: GameRecord) -> list[str]:
    """Format the moves of a game for Fairy-Stockfish and pyffish."""
    return [peer_move(Move.from_iccs(move)) for move in record.moves]


def pyffish_verdict(pyffish: ModuleType, record: GameRecord) -> Verdict:
    """Verdict of pyffish on the last position of a game."""
    ended, value = pyffish.is_optional_game_end(VARIANT, record.fen, peer_moves(record))
    if not ended:
        return Verdict.UNDECIDED
    if value == pyffish.VALUE_DRAW:
        return Verdict.DRAW
    turn = record.play().turn
    winner = turn if value > 0 else not turn
    return {RED: Verdict.RED_WINS, BLACK: Verdict.BLACK_WINS}[winner]


@dataclass(frozen=True, slots=True)
class Search:
    """Result of a search."""

    move: str
    """Best move, in the peer's notation."""
    nodes: int
    """Nodes reported by the last info line."""
    reported_seconds: float
    """Time reported by the last info line."""
    seconds: float
    """Wall-clock time from the request to the best move."""
    mate: int | None = None
    """Number of moves of a mate; None without one."""
    cpu_seconds: float = 0.0
    """CPU time of all threads; 0 if unknown."""


class UciEngine:
    """A UCI engine in its own process, set to Xiangqi."""

    def __init__(
        self, command: Sequence[str], options: Mapping[str, object] = MappingProxyType({})
    ) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.name = command[0]
        for line in self._request("uci", until="uciok"):
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ")
            if line.startswith("option name UCI_Variant "):
                self._send(f"setoption name UCI_Variant value {VARIANT}")
        for option, value in {RANKS_FROM_1: "true", **options}.items():
            self._send(f"setoption name {option} value {value}")
        self._request("isready", until="readyok")

    def __enter__(self) -> UciEngine:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._process.kill()
        self._process.communicate("quit\n" if kind is None else None)

    def perft(self, depth: int) -> int:
        """Count the move sequences from the starting position."""
        self._send("position startpos")
        *_, last = self._request(f"go perft {depth}", until="Nodes searched:")
        return int(last.split(":")[1])

    def search(
        self, record: GameRecord, *, depth: int = 0, movetime_ms: int = 0, mate: int = 0
    ) -> Search:
        """Search the last position of a game with an empty hash, up to any of the limits."""
        self._send("ucinewgame")
        self._request("isready", until="readyok")
        self._send(" ".join(["position fen", record.fen, "moves", *peer_moves(record)]))
        began, cpu_began = time.perf_counter(), self._cpu_seconds()
        limits = {"depth": depth, "movetime": movetime_ms, "mate": mate}
        limit = " ".join(f"{name} {value}" for name, value in limits.items() if value)
        *infos, last = self._request(f"go {limit}", until="bestmove")
        seconds = time.perf_counter() - began
        cpu_seconds = self._cpu_seconds() - cpu_began
        info = read_info(next(line for line in reversed(infos) if " score " in line))
        mated = info["score"].mate()
        return Search(last.split()[1], info["nodes"], info["time"], seconds, mated, cpu_seconds)

    def _cpu_seconds(self) -> float:
        """CPU time of the process so far; 0 on other systems than Linux.

        The expression for the clock id is that of clock_getcpuclockid(3).
        """
        if sys.platform != "linux":
            return 0.0
        return time.clock_gettime(~self._process.pid << 3 | 2)

    def resident_mb(self) -> float:
        """Resident memory of the process; Linux only."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError(f"{self.name} has ended")

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def _request(self, line: str, until: str) -> list[str]:
        """Send a line and read lines up to one that begins with ``until``."""
        self._send(line)
        assert self._process.stdout is not None
        answer = []
        for text in self._process.stdout:
            answer.append(text.rstrip())
            if text.startswith(until):
                return answer
        raise RuntimeError(f"{self.name} ended without an answer to {line!r}")


class HoiXiangqi:
    """HoiXiangqi in its own process, by the XBoard protocol; its only limit is time."""

    def __init__(self, path: str) -> None:
        self.name = HOIXIANGQI
        self._engine = SimpleEngine.popen(path, dialect="xboard")

    def __enter__(self) -> HoiXiangqi:
        return self

    def __exit__(self, *_: object) -> None:
        self._engine.quit()

    def search(self, record: GameRecord, *, movetime_ms: int) -> Search:
        """Search the last position of a game."""
        board, limit = record.play(), Limit(time=movetime_ms / 1000)
        began = time.perf_counter()
        played = self._engine.play(board, limit, game=object(), info=INFO_BASIC)
        assert played.move is not None
        seconds = time.perf_counter() - began
        nodes, reported_seconds = played.info.get("nodes", 0), played.info.get("time", 0.0)
        return Search(peer_move(played.move), nodes, reported_seconds, seconds)
