"""Random repetitions: do the core and the oracle rule alike, with the same facts on every ply?

    python -m tests.fuzz.cycles --count 100000
    python -m tests.fuzz.cycles --computer --count 100000
    python -m tests.fuzz.cycles --pyffish --rules fairy-axf --show 20

Each game is ruled under the WXF rules and under a rule set drawn by lot. The exit code is 1 if
there was any difference. With ``--computer`` the verdicts under the computer rules are compared
with those of their own oracle. With ``--pyffish`` those under one rule set are compared with
pyffish; its rules are other ones (AXF), so that differences are listed with the clause that makes
them: ``window`` if both agree on the same cycle without the moves before it, the answer to an open
question with which they do, or a clause without which the oracle rules like pyffish. One that none
of these names is a failure.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from random import Random
from types import ModuleType

from bench.peers import MISSING, PYFFISH, load_module, pyffish_verdict
from tests.core.test_clauses import WITHOUT
from tests.fuzz.agreement import (
    choices_of,
    core_findings,
    differences,
    random_rules,
    variants,
)
from tests.fuzz.run import limited, make_parser, report
from tests.oracle.computer import judge_by_computer_rules
from tests.oracle.judge import judge
from xiangqi import WXF, Referee, RuleSet
from xiangqi.casebook.random_cycles import random_games
from xiangqi.games.record import GameRecord
from xiangqi.referee.explanation import format_reason
from xiangqi.referee.rules import find_rule_set

UNNAMED = "no clause alone"


def compare_with_oracle(games: Iterable[GameRecord], seed: int, show: int) -> int:
    """Compare each game's findings; the exit code."""
    rng = Random(seed)
    seen: Counter[str] = Counter()
    failures = 0
    for game in games:
        findings = core_findings(game)
        seen[f"{findings.red} against {findings.black}"] += 1
        seen.update(reason for attacks in findings.attacks for *_, reason in attacks)
        for rules in (WXF, random_rules(rng)):
            found = differences(game, rules)
            if found:
                failures += 1
                if failures <= show:
                    print("\n  ".join([position_line(game), f"under {rules}", *found]), flush=True)
    for what, number in seen.most_common():
        print(f"{number:9} {what}")
    print(f"{failures} differences")
    return 1 if failures else 0


def compare_with_computer_oracle(games: Iterable[GameRecord], show: int) -> int:
    """Compare each verdict under the computer rules; the exit code."""
    referee = Referee(find_rule_set("computer"))
    seen: Counter[str] = Counter()
    failures = 0
    for game in games:
        ours = referee.judge_cycle(game.play()).verdict.value
        slow = judge_by_computer_rules(game.fen, game.moves)
        seen[ours] += 1
        if ours != slow:
            failures += 1
            if failures <= show:
                print(f"{position_line(game)}\n  core {ours}, oracle {slow}", flush=True)
    for what, number in seen.most_common():
        print(f"{number:9} {what}")
    print(f"{failures} differences")
    return 1 if failures else 0


def compare_with_pyffish(games: Iterable[GameRecord], rules: RuleSet, show: int) -> int:
    """List where pyffish rules differently, and by which clause; the exit code."""
    pyffish = load_module(PYFFISH)
    if pyffish is None:
        report(f"{PYFFISH}: {MISSING[PYFFISH]}")
        return 1
    seen: Counter[tuple[str, ...]] = Counter()
    for game in games:
        ruling = game.play().judge(rules)
        other = pyffish_verdict(pyffish, game).value
        ours = ruling.verdict.value
        clause = "" if ours == other else name_difference(pyffish, game, rules)
        seen[ours, other, clause] += 1
        if clause and show > 0:
            show -= 1
            why = f"{ours}: {format_reason(ruling)}"
            print(f"{position_line(game)}\n  {why}\n  pyffish: {other} ({clause})", flush=True)
    for (ours, other, clause), number in seen.most_common():
        print(f"{number:9} {ours}, pyffish {other} {clause and f'({clause})'}")
    return 1 if any(UNNAMED in kind for kind in seen) else 0


def name_difference(pyffish: ModuleType, game: GameRecord, rules: RuleSet) -> str:
    """The clause that makes pyffish rule otherwise on a game; UNNAMED if none alone does."""
    board = game.play()
    window = board.judge(rules).window
    assert window is not None
    moves = game.moves[window[0] :]
    while board.ply() > window[0]:
        board.pop()
    alone = GameRecord(board.fen(), moves)
    if pyffish_verdict(pyffish, alone) is alone.play().judge(rules).verdict:
        return "window"
    other = pyffish_verdict(pyffish, game)
    for change in variants():
        (field,) = (one for one in WXF.answers if change.answers[one] != WXF.answers[one])
        changed = rules.replace({field: change.answers[field]})
        if field != "offences" and game.play().judge(changed).verdict is other:
            return f"{field}={change.answers[field]}"
    for name, without in WITHOUT.items():
        with without.taken_away():
            if judge(game.fen, game.moves, choices_of(rules)).verdict == other.value:
                return name
    return UNNAMED


def position_line(game: GameRecord) -> str:
    """The game as one line, in the form of the UCCI protocol."""
    return f"position fen {game.fen} moves {' '.join(game.moves)}"


def main() -> int:
    """The program; the exit code."""
    parser = make_parser(__doc__, count=10_000)
    parser.add_argument("--computer", action="store_true", help="compare by the computer rules")
    parser.add_argument("--pyffish", action="store_true", help="compare verdicts with pyffish")
    parser.add_argument("--rules", default="wxf", help="the rule set that pyffish is compared with")
    parser.add_argument("--show", type=int, default=10, help="differences to print")
    options = parser.parse_args()
    games = limited(random_games(options.seed), options)
    if options.computer:
        return compare_with_computer_oracle(games, options.show)
    if options.pyffish:
        return compare_with_pyffish(games, find_rule_set(options.rules), options.show)
    return compare_with_oracle(games, options.seed, options.show)


if __name__ == "__main__":
    sys.exit(main())
