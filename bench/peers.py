"""The programs that Meihua is measured beside. None of them has to be installed."""

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
"""The option by which programs that know engines of many variants make ours count ranks
from 1. To Fairy-Stockfish it says nothing about Xiangqi."""
MEIHUA: Final = (str(Path(sys.executable).with_name("meihua")),)
"""The command of our own engine."""
CCHESS: Final = "cchess"
MISSING: Final = {
    FAIRY_STOCKFISH: "not installed: apt-get install fairy-stockfish",
    HOIXIANGQI: "not installed: apt-get install hoichess",
    PYFFISH: "not installed: pip install pyffish",
    CCHESS: "not installed: pip install cchess",
}
VARIANT: Final = "xiangqi"


def find_program(name: str) -> str | None:
    """The program's path; Debian keeps games out of the search path of some users."""
    return shutil.which(name) or shutil.which(name, path="/usr/games")


def load_module(name: str) -> ModuleType | None:
    """A peer that is a Python module, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def cchess_moves(cchess: ModuleType, path: Path) -> list[str]:
    """The moves of the main line of a file as cchess reads them, in coordinates."""
    lines = cchess.Game.read_from(str(path)).dump_iccs_moves()
    return list(lines[0]) if lines else []


def fixed_cost_note(pyffish: ModuleType) -> str:
    """Note on the fixed cost of every call of pyffish.

    It sets the rules of the variant up anew each time; asking for a FEN back is little else.
    """
    calls = repeated(20, lambda fen: pyffish.get_fen(VARIANT, fen, []), [STARTING_FEN])
    cost = median(seconds_of(calls) for _ in range(5)) / 20 * 1e6
    return f"Of a call of {PYFFISH} about {cost:,.0f} µs are a fixed cost (get_fen, no moves)."


def peer_move(move: Move) -> str:
    """A move as Fairy-Stockfish and pyffish write it, with ranks counted from 1."""
    return format_coordinates(move, rank_base=1)


def peer_moves(record: GameRecord) -> list[str]:
    """The moves of a game as Fairy-Stockfish and pyffish read them."""
    return [peer_move(Move.from_iccs(move)) for move in record.moves]


def pyffish_verdict(pyffish: ModuleType, record: GameRecord) -> Verdict:
    """Ruling of pyffish on the last position of a game."""
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
    """In the peer's notation."""
    nodes: int
    """Up to the last info line of the engine."""
    told_seconds: float
    """The time that this line gives."""
    seconds: float
    """The time of the whole search, as its user waits for it."""
    mate: int | None = None
    """In how many moves it sees a mate."""
    cpu_seconds: float = 0.0
    """Processor time of all threads for the search; 0 where it is unknown."""


class UciEngine:
    """A UCI engine as a process of its own, set to Xiangqi."""

    def __init__(
        self, command: Sequence[str], options: Mapping[str, object] = MappingProxyType({})
    ) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.name = command[0]
        for line in self._ask("uci", until="uciok"):
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ")
            if line.startswith("option name UCI_Variant "):
                self._tell(f"setoption name UCI_Variant value {VARIANT}")
        for option, value in {RANKS_FROM_1: "true", **options}.items():
            self._tell(f"setoption name {option} value {value}")
        self._ask("isready", until="readyok")

    def __enter__(self) -> UciEngine:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._process.kill()
        self._process.communicate("quit\n" if kind is None else None)

    def perft(self, depth: int) -> int:
        """The number of move sequences from the start."""
        self._tell("position startpos")
        *_, last = self._ask(f"go perft {depth}", until="Nodes searched:")
        return int(last.split(":")[1])

    def search(
        self, record: GameRecord, *, depth: int = 0, movetime_ms: int = 0, mate: int = 0
    ) -> Search:
        """Search the last position of a game with empty tables, to one of the limits."""
        self._tell("ucinewgame")
        self._ask("isready", until="readyok")
        self._tell(" ".join(["position fen", record.fen, "moves", *peer_moves(record)]))
        began, cpu_began = time.perf_counter(), self._cpu_seconds()
        limits = {"depth": depth, "movetime": movetime_ms, "mate": mate}
        limit = " ".join(f"{name} {value}" for name, value in limits.items() if value)
        *infos, last = self._ask(f"go {limit}", until="bestmove")
        seconds = time.perf_counter() - began
        cpu_seconds = self._cpu_seconds() - cpu_began
        info = read_info(next(line for line in reversed(infos) if " score " in line))
        mated = info["score"].mate()
        return Search(last.split()[1], info["nodes"], info["time"], seconds, mated, cpu_seconds)

    def _cpu_seconds(self) -> float:
        """Processor time of the process so far, to the nanosecond; Linux only, 0 elsewhere. The
        clock of a process is what clock_getcpuclockid(3) makes of its number."""
        if sys.platform != "linux":
            return 0.0
        return time.clock_gettime(~self._process.pid << 3 | 2)

    def resident_mb(self) -> float:
        """Memory of the process; Linux only."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError(f"{self.name} has ended")

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def _ask(self, line: str, until: str) -> list[str]:
        """Send a line and read the answer up to the line that begins so."""
        self._tell(line)
        assert self._process.stdout is not None
        answer = []
        for text in self._process.stdout:
            answer.append(text.rstrip())
            if text.startswith(until):
                return answer
        raise RuntimeError(f"{self.name} ended without an answer to {line!r}")


class HoiXiangqi:
    """HoiXiangqi as a process of its own, by the XBoard protocol; it searches for a time only."""

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
        nodes, told_seconds = played.info.get("nodes", 0), played.info.get("time", 0.0)
        return Search(peer_move(played.move), nodes, told_seconds, seconds)
