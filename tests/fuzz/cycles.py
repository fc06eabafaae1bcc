"""Random repetitions: do the core and the oracle rule alike, with the same facts on every ply?

    python -m tests.fuzz.cycles --count 100000
    python -m tests.fuzz.cycles --pyffish --show 20

Each game is ruled under the WXF rules and under a rule set drawn by lot. The exit code is 1 if
there was any difference. With ``--pyffish`` the verdicts are compared with those of pyffish
instead; its rules are other ones (AXF), so that differences are listed, and are no failure.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from random import Random

from bench.peers import MISSING, PYFFISH, load_module, pyffish_verdict
from tests.fuzz.agreement import core_findings, differences, random_rules
from tests.fuzz.run import limited, make_parser, report
from xiangqi import WXF
from xiangqi.casebook.random_cycles import random_games
from xiangqi.games.record import GameRecord
from xiangqi.referee.reasons import format_reason


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


def compare_with_pyffish(games: Iterable[GameRecord], show: int) -> int:
    """List where pyffish rules differently; the exit code."""
    pyffish = load_module(PYFFISH)
    if pyffish is None:
        report(f"{PYFFISH}: {MISSING[PYFFISH]}")
        return 1
    seen: Counter[tuple[str, str]] = Counter()
    for game in games:
        ruling = game.play().judge()
        other = pyffish_verdict(pyffish, game).value
        ours = ruling.verdict.value
        seen[ours, other] += 1
        if ours != other and show > 0:
            show -= 1
            print(
                f"{position_line(game)}\n  {ours}: {format_reason(ruling)}\n  pyffish: {other}",
                flush=True,
            )
    for (ours, other), number in seen.most_common():
        print(f"{number:9} {ours}, pyffish {other}")
    return 0


def position_line(game: GameRecord) -> str:
    """The game as one line, in the form of the UCCI protocol."""
    return f"position fen {game.fen} moves {' '.join(game.moves)}"


def main() -> int:
    """The program; the exit code."""
    parser = make_parser(__doc__, count=10_000)
    parser.add_argument("--pyffish", action="store_true", help="compare verdicts with pyffish")
    parser.add_argument("--show", type=int, default=10, help="differences to print")
    options = parser.parse_args()
    games = limited(random_games(options.seed), options)
    if options.pyffish:
        return compare_with_pyffish(games, options.show)
    return compare_with_oracle(games, options.seed, options.show)


if __name__ == "__main__":
    sys.exit(main())
