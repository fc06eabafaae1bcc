"""The cases of rule books as pyffish rules on them, which is asked by its own function.

    python -m bench.rulings wxf computer cxa2020

``xiangqi benchmark`` asks engines the same by their scores.
"""

from __future__ import annotations

import sys

from bench.peers import MISSING, PYFFISH, load_module, pyffish_verdict
from xiangqi import Verdict
from xiangqi.casebook.cases import find_case_folder, load_cases
from xiangqi.games.record import GameRecord
from xiangqi.referee.rules import find_rule_set

__all__ = ["main"]


def main(names: list[str]) -> int:
    """Print for each book how many cases are ruled as it says, and which are not; the exit code."""
    pyffish = load_module(PYFFISH)
    if pyffish is None:
        print(f"{PYFFISH}: {MISSING[PYFFISH]}")
        return 1
    print("pyffish", ".".join(map(str, pyffish.version())))
    for name in names:
        rules = find_rule_set(name)
        missed, asked = [], 0
        for case in load_cases([find_case_folder(name)]):
            board = case.play_until(rules.occurrences)
            if case.verdict is Verdict.UNDECIDED or board.repetitions() < rules.occurrences:
                continue
            asked += 1
            record = GameRecord(board.root_fen(), tuple(one.iccs() for one in board.move_stack))
            told = pyffish_verdict(pyffish, record)
            if told is not case.verdict:
                missed.append(f"{case.id} ({told.value})")
        print(f"{name}: {asked - len(missed)} of {asked}; missed: {', '.join(missed) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["wxf"]))
