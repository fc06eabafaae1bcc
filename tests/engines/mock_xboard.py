"""A mock engine for the XBoard protocol: it plays random legal moves, and misbehaves on request.

    python tests/engines/mock_xboard.py --behaviour late --seconds 2.5

Without a behaviour it keeps to its protocol in everything: it passes the compliance checks.
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import sys
import threading
import time
from collections.abc import Sequence

from xiangqi import BLACK, Board, Move, XiangqiError

BEHAVIOURS = {
    "silent": "answer no handshake",
    "slow-features": "answer the handshake --seconds late",
    "no-name": "set no feature myname",
    "bad-feature": "write a feature that cannot be read",
    "bad-option": "declare an option of a type that there is not",
    "no-variants": "set no feature variants",
    "few-features": "set no feature playother",
    "bytes": "write text that is neither UTF-8 nor GB18030",
    "fragile": "end at a word that XBoard says unasked: accepted, random, draw",
    "wrong-pong": "answer ping with another number",
    "no-variant": "refuse variant",
    "old-game": "leave the board as it is at new",
    "keeps-depth": "keep the limit of depth at new",
    "deaf-setboard": "do not heed setboard",
    "deaf-force": "do not heed moves in force mode",
    "no-force": "answer moves in force mode",
    "no-reply": "answer no move, but go",
    "illegal": "play a0a9 after --after moves",
    "no-cycle": "claim a draw where the position was there before",
    "trusting": "say nothing of illegal moves",
    "no-undo": "do not heed undo",
    "no-remove": "do not heed remove",
    "no-result": "do not tell how the game has ended",
    "stalemate-draw": "take a stalemate for a draw",
    "no-crlf": "understand lines only that end in a plain line feed",
    "no-depth": "heed no limit of depth",
    "late": "take --seconds for a move that has a limit of time",
    "mute": "tell nothing of a search",
    "bad-info": "write lines of thinking that cannot be read",
    "no-nopost": "do not heed nopost",
    "deaf-now": "do not heed the question mark",
    "idle-move": "make a move at a question mark without a search",
    "early-pong": "answer ping while thinking",
    "hasty": "make a second move after hard",
    "analysis-move": "make a move in an analysis",
    "tireless": "make a move after the end of the game",
    "no-option": "refuse option",
    "no-error": "say nothing of words that are not known",
    "no-quit": "do not heed quit while thinking",
    "stays": "do not heed quit at all",
    "survive": "live on when the input ends",
}
DEEP = 50
"""A limit of depth from here on is none for a mock engine."""
WITHOUT_LIMIT_S = 15.0


class Mock:
    """The engine: lines in, lines out, a board between."""

    def __init__(self, choices: argparse.Namespace) -> None:
        self.choices = choices
        self.faults = frozenset(choices.behaviour)
        self.random = random.Random(choices.seed)
        self.board = Board()
        self.is_forced = True
        self.depth = 0
        self.think_s = WITHOUT_LIMIT_S
        self.shows, self.ponders = "post" in choices.unknown, False
        self.moves = 0
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.waiting: list[str] = []  # lines that came while thinking and wait for its end

    # Lines

    def read(self) -> None:
        for line in sys.stdin.buffer:
            text = line.decode("utf-8", "replace")
            if "no-crlf" not in self.faults or not text.endswith("\r\n"):
                self.lines.put(text.strip())
        if "survive" not in self.faults:
            self.lines.put(None)

    def write(self, *lines: str) -> None:
        try:
            sys.stdout.write("".join(f"{line}\n" for line in lines))
            sys.stdout.flush()
        except OSError:
            os._exit(0)

    def run(self) -> None:
        threading.Thread(target=self.read, daemon=True).start()
        while (line := self.waiting.pop(0) if self.waiting else self.lines.get()) is not None:
            self.receive(line.split())

    def receive(self, words: Sequence[str]) -> None:
        if not words:
            return
        name = {"?": "now"}.get(words[0], words[0])
        if hasattr(self, f"do_{name}") and words[0] not in self.choices.unknown:
            getattr(self, f"do_{name}")(words[1:])
        elif len(words) == 1 and words[0][:1] in "abcdefghi" and words[0][1:2].isdigit():
            self.do_usermove(words)
        elif "no-error" not in self.faults:
            self.write(f"Error (unknown command): {' '.join(words)}")

    def pass_over(self, words: Sequence[str]) -> None:
        """A word without a meaning for this engine."""
        if "fragile" in self.faults:
            os._exit(4)

    do_accepted = do_rejected = do_random = do_computer = do_draw = pass_over

    def heed_not(self, words: Sequence[str]) -> None:
        """A word without a meaning for this engine, whatever its behaviour."""

    do_xboard = do_name = do_otim = heed_not

    # The handshake

    def do_protover(self, words: Sequence[str]) -> None:
        if "silent" in self.faults:
            return
        if "slow-features" in self.faults:
            time.sleep(self.choices.seconds)
        features = {
            "ping=1 setboard=1 colors=0 sigint=0": True,
            "usermove=1": self.choices.usermove,
            "playother=1": "few-features" not in self.faults,
            'myname="Mock"': "no-name" not in self.faults,
            'variants="normal,xiangqi"': "no-variants" not in self.faults,
            "nonsense": "bad-feature" in self.faults,
            'option="Hash -spin 16 1 64"': True,
            'option="Knob -dial 3"': "bad-option" in self.faults,
        }
        self.write(*(f"feature {text}" for text, is_set in features.items() if is_set))
        if "bytes" in self.faults:
            sys.stdout.buffer.write(b"# \xff\xfe\xff\n")
        self.write("feature done=1")

    def do_ping(self, words: Sequence[str]) -> None:
        self.write(f"pong {0 if 'wrong-pong' in self.faults else words[0]}")

    def do_option(self, words: Sequence[str]) -> None:
        if "no-option" in self.faults:
            self.write(f"Error (unknown command): option {' '.join(words)}")

    # Games

    def do_new(self, words: Sequence[str]) -> None:
        if "old-game" not in self.faults:
            self.board = Board()
        if "keeps-depth" not in self.faults:
            self.depth = 0
        self.is_forced, self.ponders = False, False

    def do_variant(self, words: Sequence[str]) -> None:
        if "no-variant" in self.faults:
            self.write(f"Error (unknown command): variant {words[0]}")

    def do_force(self, words: Sequence[str]) -> None:
        self.is_forced = True

    def do_setboard(self, words: Sequence[str]) -> None:
        if "deaf-setboard" not in self.faults:
            self.board = Board(" ".join(words))

    def do_usermove(self, words: Sequence[str]) -> None:
        try:
            move = Move.from_iccs(words[0])
            self.board.require_legal(move)
        except XiangqiError:
            if "trusting" not in self.faults:
                self.write(f"Illegal move: {words[0]}")
            return
        if self.is_forced and "deaf-force" in self.faults:
            return
        self.board.push(move)
        if self.is_forced and "no-force" in self.faults:
            self.write(f"move {min(self.board.legal_moves).iccs()}")
        if not self.is_over() and not self.is_forced and "no-reply" not in self.faults:
            self.search()

    def is_over(self) -> bool:
        """Send the result if there is no move."""
        if self.board.has_legal_move():
            return False
        is_draw = "stalemate-draw" in self.faults and not self.board.is_check()
        winner = "1-0" if self.board.turn == BLACK else "0-1"
        if "no-result" not in self.faults:
            self.write(f"{'1/2-1/2' if is_draw else winner} {{no move}}")
        return True

    def do_undo(self, words: Sequence[str]) -> None:
        if "no-undo" not in self.faults:
            self.board.pop()

    def do_remove(self, words: Sequence[str]) -> None:
        if "no-remove" not in self.faults:
            self.board.pop()
            self.board.pop()

    def do_result(self, words: Sequence[str]) -> None:
        self.is_forced = True
        if "tireless" in self.faults:
            self.write("move a3a4")

    def do_quit(self, words: Sequence[str]) -> None:
        if "stays" not in self.faults:
            os._exit(0)

    # Limits and modes

    def do_sd(self, words: Sequence[str]) -> None:
        if "no-depth" not in self.faults:
            self.depth = int(words[0])

    def do_st(self, words: Sequence[str]) -> None:
        self.take_time(float(words[0]))

    def do_level(self, words: Sequence[str]) -> None:
        minutes, _, seconds = words[1].partition(":")
        self.take_time((60 * int(minutes) + int(seconds or 0)) / 40)

    def do_time(self, words: Sequence[str]) -> None:
        self.take_time(int(words[0]) / 100 / 40)

    def take_time(self, seconds: float) -> None:
        self.think_s = self.choices.seconds if "late" in self.faults else seconds / 2

    def do_post(self, words: Sequence[str]) -> None:
        self.shows = True

    def do_nopost(self, words: Sequence[str]) -> None:
        self.shows = "no-nopost" in self.faults

    def do_hard(self, words: Sequence[str]) -> None:
        self.ponders = True

    def do_easy(self, words: Sequence[str]) -> None:
        self.ponders = False

    # Searching

    def do_go(self, words: Sequence[str]) -> None:
        self.is_forced = False
        if not self.is_over():
            self.search()

    def do_now(self, words: Sequence[str]) -> None:
        if "idle-move" in self.faults:
            self.write("move a3a4")

    def do_analyze(self, words: Sequence[str]) -> None:
        self.write("1 0 0 1 h2e2", *["move h2e2"] * ("analysis-move" in self.faults))

    def do_exit(self, words: Sequence[str]) -> None:
        pass

    def search(self) -> None:
        move = self.choose()
        if self.shows and "mute" not in self.faults:
            bad = "bad-info" in self.faults
            self.write(f"1 {'good' if bad else self.choices.score} 0 20 {move.iccs()}")
        self.think()
        if "no-cycle" in self.faults and self.board.repetitions() > 1:
            self.write("1/2-1/2 {repetition}")
            return
        self.moves += 1
        if "illegal" in self.faults and self.moves > self.choices.after:
            self.write("move a0a9")
            return
        self.board.push(move)
        self.write(f"move {move.iccs()}")
        if not self.is_over() and self.ponders and "hasty" in self.faults:
            self.write(f"move {min(self.board.legal_moves).iccs()}")

    def choose(self) -> Move:
        """A move that leaves no answer, or any."""
        moves = sorted(self.board.legal_moves)
        for move in moves:
            self.board.push(move)
            has_answer = self.board.has_legal_move()
            self.board.pop()
            if not has_answer:
                return move
        return self.random.choice(moves)

    def think(self) -> None:
        """Think for as long as the limits allow, or until another command."""
        is_shallow = 0 < self.depth < DEEP
        end = time.perf_counter() + (0.01 if is_shallow else self.think_s)
        while (left := end - time.perf_counter()) > 0:
            try:
                line = self.lines.get(timeout=left)
            except queue.Empty:
                return
            words = (line or "quit").split() or [""]
            if words[0] == "quit" and not self.faults & {"no-quit", "stays"}:
                os._exit(0)
            if words[0] == "?" and "deaf-now" not in self.faults:
                return
            if words[0] == "ping" and "early-pong" in self.faults:
                self.receive(words)
            elif words[0] not in ("?", "quit"):
                self.waiting.append(" ".join(words))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--behaviour", default=[], type=lambda text: text.split(","))
    parser.add_argument("--after", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--score", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unknown", default=[], type=lambda text: text.split(","))
    parser.add_argument("--usermove", action="store_true")
    choices = parser.parse_args()
    unknown = {*choices.behaviour} - {*BEHAVIOURS}
    if unknown:
        parser.error(f"no such behaviour: {', '.join(sorted(unknown))}")
    Mock(choices).run()


if __name__ == "__main__":
    main()
