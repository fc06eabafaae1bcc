"""A mock engine for UCCI and UCI: it plays random legal moves, and misbehaves on request.

    python tests/engines/mock_engine.py --dialect ucci --behaviour crash --after 3

plays three moves and dies at the fourth ``go``. Behaviours may be combined: ``--behaviour
gb18030,late``. Those in the first list begin after ``--after`` searches, the others at once.

Without a behaviour it keeps to its protocol in everything: it passes the compliance checks.
"""

from __future__ import annotations

import argparse
import io
import os
import queue
import random
import sys
import threading
import time
from collections.abc import Iterable, Sequence

from xiangqi import Board, Move, XiangqiError
from xiangqi.games.record import parse_position

IN_A_SEARCH = {
    "crash": "end with exit code 3 at go",
    "close": "close the output at go and live on",
    "stall": "never answer go, not even after stop; other commands are answered",
    "hang": "read no more after go",
    "illegal": "answer --text instead of a legal move",
    "flood": "write --megabytes of info before the answer",
    "endless": "write info without an end, and never answer",
    "late": "answer --seconds late",
    "nomove": "say that there is no legal move",
    "draw": "offer a draw with each move (UCCI)",
    "resign": "resign (UCCI)",
    "stray": "say nobestmove once more after each answer to stop, --seconds later",
}
AT_ONCE = {
    "silent": "answer no handshake",
    "gb18030": "write a Chinese name and messages as GB18030",
    "no-name": "tell no id name",
    "bad-option": "declare an option of a type that there is not",
    "no-millisec": "do not declare usemillisec (UCCI)",
    "not-ready": "never say readyok",
    "busy": "say readyok only when no search runs",
    "mute": "write no info",
    "bad-info": "write info lines that cannot be read",
    "no-score": "write info without a score",
    "bad-pv": "write lines of play that are not legal",
    "no-limit": "heed no limit of depth or nodes: search until stop",
    "no-clock": "heed no clock: search until stop",
    "one-clock": "heed a clock only if the opponent's clock is given as well",
    "idle-stop": "answer stop without a search wrongly: not in UCCI, with a move in UCI",
    "deaf": "do not heed stop",
    "twice": "write each answer to go twice",
    "no-bans": "play moves that are forbidden",
    "no-cycle": "give up where the position was there before",
    "no-letters": "do not know E and H for elephants and horses",
    "no-red": "do not know the side r",
    "no-blanks": "understand single blanks only",
    "no-crlf": "understand lines only that end in a plain line feed",
    "never-mated": "answer go with a move though there is none",
    "silent-mate": "do not answer go where there is no legal move",
    "early-ponder": "answer go ponder without ponderhit",
    "deaf-ponder": "do not heed ponderhit",
    "fragile": "end at a line that is not known",
    "strict-options": "end at an option that is not known",
    "no-quit": "do not heed quit while thinking",
    "stays": "do not heed quit at all",
    "no-bye": "leave without bye (UCCI)",
    "survive": "live on when the input ends",
    "bytes": "write text that is neither UTF-8 nor GB18030",
    "forgetful": "leave out the last two moves of a list of moves",
}


class Mock:
    """The engine: lines in, lines out, a board between."""

    def __init__(self, choices: argparse.Namespace) -> None:
        self.choices = choices
        self.faults = frozenset(choices.behaviour)
        self.random = random.Random(choices.seed)
        self.board = Board()
        self.banned: list[Move] = []
        self.searches = 0
        self.dialect = ""
        self.variant = "chess" if choices.variant_option else "xiangqi"
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.waiting: list[str] = []  # lines that came while thinking and wait for its end
        self.is_over = False
        self.output = sys.stdout.buffer

    # Lines

    def read(self) -> None:
        for line in sys.stdin.buffer:
            text = line.decode("utf-8", "replace")
            is_odd = {"no-crlf": text.endswith("\r\n"), "no-blanks": "  " in text}
            if not any(is_odd.get(fault) for fault in self.faults):
                self.lines.put(text.strip())
        if "survive" not in self.faults:
            self.lines.put(None)

    def write(self, *lines: str) -> None:
        encoding = "gb18030" if "gb18030" in self.faults else "utf-8"
        try:
            self.output.write("".join(f"{line}\n" for line in lines).encode(encoding))
            self.output.flush()
        except (OSError, ValueError):
            os._exit(0)

    def run(self) -> None:
        time.sleep(self.choices.start_seconds)
        threading.Thread(target=self.read, daemon=True).start()
        while not self.is_over:
            line = self.waiting.pop(0) if self.waiting else self.lines.get()
            if line is None:
                return
            self.receive(line)

    def receive(self, line: str) -> None:
        words = line.split()
        if not words:
            return
        if words[0] in ("ucci", "uci"):
            self.handshake(words[0])
        elif hasattr(self, f"do_{words[0]}"):
            getattr(self, f"do_{words[0]}")(words[1:])
        elif "fragile" in self.faults:
            self.die(4)
        else:
            self.write(f"info string unknown command {line}")

    def die(self, code: int) -> None:
        self.output.flush()
        os._exit(code)

    # Commands

    def handshake(self, word: str) -> None:
        if word not in self.choices.dialect.replace("both", "ucci,uci").split(","):
            if "fragile" in self.faults:
                self.die(4)
            self.write(f"Unknown command: {word}")
            return
        if "silent" in self.faults:
            return
        self.dialect = word
        name = "象棋引擎" if "gb18030" in self.faults else self.choices.name
        if "no-name" not in self.faults:
            self.write(f"id name {name}")
        if "bytes" in self.faults:
            self.output.write(b"id author \xff\xfe\xff\n")
        self.write("id author nobody", *self.options(), f"{word}ok")

    def options(self) -> Iterable[str]:
        prefix = "option name" if self.dialect == "uci" else "option"
        kind = "slider" if "bad-option" in self.faults else "spin"
        name = "Hash" if self.dialect == "uci" else "hashsize"
        yield f"{prefix} {name} type {kind} default 16 min 1 max 64"
        yield f"{prefix} Style of Play type combo default normal var solid var normal var risky"
        yield f"{prefix} Clear Hash type button"
        yield f"{prefix} Ponder type check default false"
        yield f"{prefix} MultiPV type spin default 1 min 1 max 5"
        if self.dialect == "ucci":
            yield "option newgame type button"
            if "no-millisec" not in self.faults:
                yield "option usemillisec type check default false"
        elif self.choices.variant_option:
            yield "option name UCI_Variant type combo default chess var chess var xiangqi"

    def do_isready(self, words: Sequence[str]) -> None:
        if "not-ready" not in self.faults:
            self.write("readyok")

    def do_setoption(self, words: Sequence[str]) -> None:
        text = " ".join(words)
        known = ("hash", "style", "clear", "ponder", "multipv", "newgame", "usemillisec", "uci_var")
        name = text.removeprefix("name ").lower()
        if name.startswith("uci_variant"):
            self.variant = words[-1]
        elif "strict-options" in self.faults and not name.startswith(known):
            self.die(5)

    def do_ucinewgame(self, words: Sequence[str]) -> None:
        pass

    def do_position(self, words: Sequence[str]) -> None:
        if "no-letters" in self.faults and words[0] == "fen" and set(words[1]) & set("EHeh"):
            return
        if "no-red" in self.faults and words[0] == "fen" and words[2] == "r":
            return
        record = parse_position(" ".join(words))
        moves = record.moves[:-2] if "forgetful" in self.faults else record.moves
        try:
            board = Board(record.fen)
            for move in moves:
                board.push(self.parse_move(move))
        except XiangqiError as error:
            self.write(f"info string {error}")
            return
        self.board = board
        self.banned = []

    def do_banmoves(self, words: Sequence[str]) -> None:
        self.banned = [self.parse_move(word) for word in words]

    def do_stop(self, words: Sequence[str]) -> None:
        if (self.dialect == "ucci") != ("idle-stop" in self.faults):
            self.write("nobestmove" if self.dialect == "ucci" else "bestmove a0a1")

    def do_ponderhit(self, words: Sequence[str]) -> None:
        pass

    def do_quit(self, words: Sequence[str]) -> None:
        if "stays" in self.faults:
            return
        if self.dialect == "ucci" and "no-bye" not in self.faults:
            self.write("bye")
        self.is_over = True

    # Searching

    def do_go(self, words: Sequence[str]) -> None:
        self.searches += 1
        acting = self.faults if self.searches > self.choices.after else self.faults - {*IN_A_SEARCH}
        if "crash" in acting:
            self.die(3)
        if "close" in acting:
            os.close(1)
        if acting & {"hang", "close"}:
            threading.Event().wait()
        if "stall" in acting:
            self.think(words, stalled=True)
            return
        moves = self.allowed(words)
        move = self.choose(moves)
        if move is not None and "mute" not in self.faults:
            self.inform(move)
        if "endless" in acting:
            while True:
                self.write("info depth 1 score 0 nodes 1 time 1 " + "x" * 200)
        if "flood" in acting:
            self.flood()
        stopped = self.think(words)
        if self.is_over:
            return
        if "late" in acting:
            time.sleep(self.choices.seconds)
        answer = self.answer(acting, move)
        if answer:
            self.write(*[answer] * (2 if "twice" in self.faults else 1))
        if "stray" in acting and stopped:
            time.sleep(self.choices.seconds)
            self.write("nobestmove")

    def allowed(self, words: Sequence[str]) -> list[Move]:
        moves = self.board.list_moves()
        if "searchmoves" in words and "no-bans" not in self.faults:
            wanted = [self.parse_move(word) for word in words[words.index("searchmoves") + 1 :]]
            moves = [move for move in moves if move in wanted]
        if "no-bans" not in self.faults:
            moves = [move for move in moves if move not in self.banned]
        return sorted(moves)

    def choose(self, moves: list[Move]) -> Move | None:
        if not moves:
            return None
        script = self.choices.moves
        wanted = script[(self.searches - 1) % len(script)] if script else ""
        return next((m for m in moves if m.iccs() == wanted), None) or self.random.choice(moves)

    def inform(self, move: Move) -> None:
        if "bad-info" in self.faults:
            self.write("info depth deep score good")
            return
        unit = "cp " if self.dialect == "uci" else ""
        score = "" if "no-score" in self.faults else f"score {unit}{self.choices.score} "
        pv = "a0a9 a0a9" if "bad-pv" in self.faults else self.format_move(move)
        self.write(f"info depth 1 seldepth 2 {score}nodes 20 nps 1000 hashfull 3 time 20 pv {pv}")
        message = "message" if self.dialect == "ucci" else "string"
        self.write(f"info {message} {'炮二平五' if 'gb18030' in self.faults else 'thinking'}")

    def flood(self) -> None:
        line = "info depth 1 score 0 nodes 1 time 1 pv " + "h2e2 " * 10
        lines = [line] * 1000
        for _ in range(self.choices.megabytes * 1_000_000 // (len(line) * len(lines)) + 1):
            self.write(*lines)

    def think(self, words: Sequence[str], *, stalled: bool = False) -> bool:
        """Wait for the end of the search; was it stopped?"""
        deaf = stalled or "deaf" in self.faults
        has_clock = bool({"time", "wtime", "btime"} & set(words))
        lacks_one = not {"opptime", "btime"} & set(words)
        endless = (
            stalled
            or "infinite" in words
            or ("ponder" in words and "early-ponder" not in self.faults)
            or (has_clock and "no-clock" in self.faults)
            or (has_clock and lacks_one and "one-clock" in self.faults)
            or ({"depth", "nodes"} & set(words) and "no-limit" in self.faults)
        )
        end = None if endless else time.perf_counter() + self.choices.think
        while end is None or time.perf_counter() < end:
            try:
                timeout = None if end is None else max(0.0, end - time.perf_counter())
                line = self.lines.get(timeout=timeout)
            except queue.Empty:
                return False
            word = "quit" if line is None else line.split()[0]
            if word == "quit" and line is not None and self.faults & {"no-quit", "stays"}:
                continue
            if word == "quit":
                self.write("bestmove (none)" if self.dialect == "uci" else "nobestmove")
                self.do_quit([])
                return True
            if word == "isready" and "busy" in self.faults:
                self.waiting.append("isready")
            elif word == "isready":
                self.do_isready([])
            elif word == "stop" and not deaf:
                return True
            elif word == "ponderhit" and not stalled and "deaf-ponder" not in self.faults:
                end = time.perf_counter() + self.choices.think
        return False

    def answer(self, acting: frozenset[str], move: Move | None) -> str:
        none = "bestmove (none)" if self.dialect == "uci" else "nobestmove"
        if self.variant == "chess":
            return "bestmove e2e4"
        if move is None and "silent-mate" in self.faults:
            return ""
        if move is None and "never-mated" in self.faults:
            return "bestmove a0a1"
        gives_up = "no-cycle" in self.faults and self.board.repetitions() > 1
        if move is None or gives_up or "nomove" in acting:
            return none
        if "illegal" in acting:
            return f"bestmove {self.choices.text}"
        if "resign" in acting:
            return f"bestmove {self.format_move(move)} resign"
        self.board.push(move)
        reply = next(iter(self.board.legal_moves), None)
        self.board.pop()
        ponder = f" ponder {self.format_move(reply)}" if reply else ""
        draw = " draw" if "draw" in acting else ""
        return f"bestmove {self.format_move(move)}{ponder}{draw}"

    # How moves are written

    def format_move(self, move: Move) -> str:
        text = move.iccs()
        ranks = [int(text[1]) + self.choices.ranks, int(text[3]) + self.choices.ranks]
        return f"{text[0]}{ranks[0]}{text[2]}{ranks[1]}"

    def parse_move(self, text: str) -> Move:
        if not self.choices.ranks:
            return Move.from_iccs(text)
        split = next(i for i in range(2, len(text)) if text[i].isalpha())
        start, end = text[:split], text[split:]
        return Move.from_iccs(f"{start[0]}{int(start[1:]) - 1}{end[0]}{int(end[1:]) - 1}")


def parse_behaviours(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in IN_A_SEARCH and name not in AT_ONCE:
            raise argparse.ArgumentTypeError(f"unknown behaviour {name!r}")
    return names


def build_parser() -> argparse.ArgumentParser:
    lists = [f"  {name:15} {what}" for name, what in (*IN_A_SEARCH.items(), *AT_ONCE.items())]
    lists.insert(len(IN_A_SEARCH), "\nand these, which --after does not put off:")
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="behaviours, from the search number AFTER + 1 on:\n" + "\n".join(lists),
    )
    add = parser.add_argument
    add("--dialect", choices=["ucci", "uci", "both"], default="both", help="handshakes it knows")
    add("--behaviour", action="extend", type=parse_behaviours, default=[], metavar="NAME[,NAME]")
    add("--after", type=int, default=0, metavar="N", help="searches before it misbehaves")
    add("--seed", type=int, default=0, help="of the random moves")
    add("--moves", type=str.split, default=[], help="played in turn, over and over, if legal")
    add("--score", type=int, default=0, help="score in its info lines, from its own side")
    add("--think", type=float, default=0.0, metavar="S", help="seconds for each move")
    add("--seconds", type=float, default=0.5, metavar="S", help="how late, for late and stray")
    add("--megabytes", type=int, default=4, help="for flood")
    add("--text", default="a0a9", help="what illegal answers")
    add("--name", default="Mock")
    add("--ranks", type=int, choices=[0, 1], default=0, help="the number of Red's back rank")
    add("--variant-option", action="store_true", help="play chess until UCI_Variant is xiangqi")
    add("--start-seconds", type=float, default=0.0, metavar="S", help="before it reads anything")
    return parser


if __name__ == "__main__":
    assert isinstance(sys.stdout, io.TextIOWrapper)
    Mock(build_parser().parse_args()).run()
    os._exit(0)
