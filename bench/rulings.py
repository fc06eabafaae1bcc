"""Verdicts of pyffish on the cases of rule books.

    python -m bench.rulings wxf computer cxa2020

``xiangqi benchmark`` compares the scores of engines with these cases.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bench.peers import MISSING, PYFFISH, load_module, pyffish_verdict
from xiangqi import Verdict
from xiangqi.casebook.cases import find_case_folder, load_cases
from xiangqi.games.record import GameRecord
from xiangqi.referee.rules import find_rule_set

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the number of cases ruled on like each book, and the others; return the exit code."""
    parser = argparse.ArgumentParser(description="Rule on the cases of rule books with pyffish.")
    parser.add_argument("names", nargs="*", default=["wxf"], metavar="RULES", help="rule sets")
    names = parser.parse_args(arguments).names
    pyffish = load_module(PYFFISH)
    if pyffish is None:
        print(f"{PYFFISH}: {MISSING[PYFFISH]}")
        return 1
    print("pyffish", ".".join(map(str, pyffish.version())))
    for name in names:
        rules = find_rule_set(name)
        missed, count = [], 0
        for case in load_cases([find_case_folder(name)]):
            board = case.play_until(rules.occurrences)
            if case.verdict is Verdict.UNDECIDED or board.repetitions() < rules.occurrences:
                continue
            count += 1
            record = GameRecord(board.root_fen(), tuple(one.iccs() for one in board.move_stack))
            verdict = pyffish_verdict(pyffish, record)
            if verdict is not case.verdict:
                missed.append(f"{case.id} ({verdict.value})")
        print(f"{name}: {count - len(missed)} of {count}; missed: {', '.join(missed) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
