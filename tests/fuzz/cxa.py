"""The Chinese rules on random repetitions: do the judge and the oracle mark and rule alike?

    python -m tests.fuzz.cxa --count 1000 --pieces 12
    python -m tests.fuzz.cxa --book

The text leaves much open (what an exchange comes to, how far one looks), so that the two differ now
and then; each difference is listed with the marks of both, and the exit code tells whether there
was one. With ``--book`` the games are the book's diagrams, in all four pictures, from the first
move of the cycle and from the second.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.fuzz.cycles import position_line
from tests.fuzz.run import limited, make_parser, report
from tests.oracle import cxa, cxa_gain, cxa_kill, cxa_marks, cxa_material, tactics
from tests.support.cxa import STRIKES, book_cases
from xiangqi.casebook.random_cycles import random_games, record_of_board
from xiangqi.games.record import GameRecord
from xiangqi.referee.rules import RuleSet, find_rule_set

RULES = "cxa2020"
_MODULES = (cxa, cxa_gain, cxa_kill, cxa_marks, cxa_material, tactics)
_FORGET_EVERY = 20  # games, after which what was remembered is dropped


@dataclass(frozen=True)
class Findings:
    """A verdict, and what each ply of the window is marked as."""

    verdict: str
    marks: tuple[str, ...]


def oracle_findings(game: GameRecord) -> Findings:
    """The ruling of the slow twin."""
    judgment = cxa.judge(game.fen, game.moves)
    return Findings(judgment.verdict, tuple(mark.mark for mark in judgment.marks))


def judge_findings(game: GameRecord, rules: RuleSet) -> Findings:
    """The ruling of the package; what is allowed is idle."""
    ruling = game.play().judge(rules)
    marks = (report.mark.value for report in ruling.plies)
    return Findings(
        ruling.verdict.value, tuple(mark if mark in STRIKES else "idle" for mark in marks)
    )


def pictures(game: GameRecord) -> Iterator[GameRecord]:
    """The game, its mirror, and both with the colours exchanged."""
    board = game.play()
    for one in (board, board.flip_colors()):
        yield record_of_board(one)
        yield record_of_board(one.mirror())


def book_games() -> Iterator[GameRecord]:
    """The book's diagrams in all pictures and from two phases."""
    for case in book_cases():
        for phase in (0, 1):
            yield from pictures(case.record(rounds=2, phase=phase))


def sparse_games(seed: int, most: int) -> Iterator[GameRecord]:
    """Random repetitions with so many pieces at most; the oracle takes long over more."""
    for game in random_games(seed):
        if sum(letter.isalpha() for letter in game.fen.split()[0]) <= most:
            yield game


def forget() -> None:
    """Drop what the oracle remembers."""
    for module in _MODULES:
        for thing in vars(module).values():
            clear = getattr(thing, "cache_clear", None)
            if clear is not None:
                clear()


def compare(games: Iterable[GameRecord], show: int) -> int:
    """Compare each game's findings; the exit code."""
    rules = find_rule_set(RULES)
    seen: Counter[str] = Counter()
    for number, game in enumerate(games):
        if number % _FORGET_EVERY == 0:
            forget()
        ours, slow = judge_findings(game, rules), oracle_findings(game)
        pairs = list(zip(ours.marks, slow.marks, strict=True))
        seen["games"] += 1
        seen["verdicts differ"] += ours.verdict != slow.verdict
        seen["moves"] += len(pairs)
        seen.update(f"moves: judge {one}, oracle {two}" for one, two in pairs)
        if ours != slow and show > 0:
            show -= 1
            print(position_line(game))
            print(f"  judge  {ours.verdict}: {' '.join(ours.marks)}")
            print(f"  oracle {slow.verdict}: {' '.join(slow.marks)}", flush=True)
    for what, count in sorted(seen.items()):
        print(f"{count:9} {what}")
    return 1 if any(differ(what) and count for what, count in seen.items()) else 0


def differ(what: str) -> bool:
    """Whether a line of the summary tells of a difference."""
    words = what.replace(",", "").split()
    return "differ" in words or ("judge" in words and words[2] != words[4])


def main() -> int:
    """The program; the exit code."""
    parser = make_parser(__doc__, count=200)
    parser.add_argument("--book", action="store_true", help="the book's diagrams")
    parser.add_argument("--pieces", type=int, default=12, help="most pieces of a random position")
    parser.add_argument("--show", type=int, default=10, help="differences to print")
    options = parser.parse_args()
    games = book_games() if options.book else sparse_games(options.seed, options.pieces)
    if options.book:
        report("the book's diagrams")
    return compare(limited(games, options), options.show)


if __name__ == "__main__":
    sys.exit(main())
