"""Findings of core and oracle in one game, in one form, compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields
from random import Random
from typing import Any, get_args, get_type_hints

from tests.oracle.judge import Choices, judge
from xiangqi import BLACK, RED, WXF, Color, PlyReport, RuleSet, Ruling, square_name
from xiangqi.games.record import GameRecord
from xiangqi.ground.errors import RuleSetError

_RULE_NAMES = {"levels": "offences"}
"""Other names of the oracle."""
_VERDICTS = ("undecided", "draw", "red_wins", "black_wins")
_OPEN_QUESTIONS: dict[str, tuple[object, ...]] = {"occurrences": (3, 2)} | {
    _RULE_NAMES.get(question, question): get_args(hint)
    for question, hint in get_type_hints(Choices).items()
    if get_args(hint)
}
"""The fields of a rule set that choose a reading which the oracle knows, with what they offer. The
others decide games apart from repetition, or take another judge."""


@dataclass(frozen=True)
class Findings:
    """A ruling in plain words and squares. Victims are named by where they stand at the end."""

    verdict: str
    red: str | None
    black: str | None
    occurrences: int
    window: tuple[int, int] | None
    red_victims: frozenset[str]
    black_victims: frozenset[str]
    checks: tuple[bool, ...]
    attacks: tuple[frozenset[tuple[str, str, str]], ...]
    """For each ply of the window: (attacker, victim, reason)."""


def variants() -> Iterator[RuleSet]:
    """For each choice that is no default the rule set that differs in it alone."""
    for field, offered in _OPEN_QUESTIONS.items():
        for value in offered:
            if value != WXF.answers[field]:
                yield RuleSet(f"{field}={value}").replace({field: value})


def random_rules(rng: Random) -> RuleSet:
    """A rule set with each question settled by lot, answers that do not go together drawn again."""
    while True:
        choices = {field: rng.choice(offered) for field, offered in _OPEN_QUESTIONS.items()}
        with suppress(RuleSetError):
            return RuleSet("drawn by lot").replace(choices)


def choices_of(rules: RuleSet) -> Choices:
    """The oracle's form of a rule set."""
    values: dict[str, Any] = {
        field.name: rules.answers[_RULE_NAMES.get(field.name, field.name)]
        for field in fields(Choices)
    }
    return Choices(**values)


def core_findings(game: GameRecord, rules: RuleSet = WXF) -> Findings:
    """The ruling of the package, by the way that users take."""
    board = game.play()
    ruling = board.judge(rules)
    verdict, _, _ = board.judge_cycle(rules.switches)
    if _VERDICTS[verdict] != ruling.verdict.value:
        raise AssertionError(f"verdict alone is {verdict}, with evidence {ruling.verdict}")
    return Findings(
        verdict=ruling.verdict.value,
        red=_conduct(ruling, RED),
        black=_conduct(ruling, BLACK),
        occurrences=ruling.occurrences,
        window=ruling.window,
        red_victims=frozenset(square_name(victim.square) for victim in ruling.victims[RED]),
        black_victims=frozenset(square_name(victim.square) for victim in ruling.victims[BLACK]),
        checks=tuple(bool(report.checkers) for report in ruling.plies),
        attacks=tuple(_attacks(report) for report in ruling.plies),
    )


def _conduct(ruling: Ruling, color: Color) -> str | None:
    conduct = ruling.conduct[color]
    return None if conduct is None else conduct.value


def _attacks(report: PlyReport) -> frozenset[tuple[str, str, str]]:
    return frozenset(
        (square_name(threat.attacker), square_name(threat.victim), threat.reason.value)
        for threat in report.threats
    )


def oracle_findings(game: GameRecord, choices: Choices) -> Findings:
    """The ruling of the slow twin."""
    judgment = judge(game.fen, game.moves, choices)
    window = game.moves[judgment.window[0] :] if judgment.window else ()
    return Findings(
        verdict=judgment.verdict,
        red=judgment.red,
        black=judgment.black,
        occurrences=judgment.occurrences,
        window=judgment.window,
        red_victims=frozenset(_follow(name, window) for name in judgment.red_victims),
        black_victims=frozenset(_follow(name, window) for name in judgment.black_victims),
        checks=tuple(ply.check for ply in judgment.plies),
        attacks=tuple(
            frozenset((found.attacker, found.victim, found.reason) for found in ply.candidates)
            for ply in judgment.plies
        ),
    )


def _follow(square: str, moves: tuple[str, ...]) -> str:
    """Square of a piece after the moves; nothing is captured in a cycle."""
    for move in moves:
        if move[:2] == square:
            square = move[2:]
    return square


def differences(game: GameRecord, rules: RuleSet = WXF) -> list[str]:
    """Differences between core and oracle; nothing, it is hoped."""
    core, oracle = core_findings(game, rules), oracle_findings(game, choices_of(rules))
    if core == oracle:
        return []
    found = [
        f"{field.name}: core {_plain(getattr(core, field.name))}, "
        f"oracle {_plain(getattr(oracle, field.name))}"
        for field in fields(Findings)
        if field.name != "attacks" and getattr(core, field.name) != getattr(oracle, field.name)
    ]
    for index, (ours, theirs) in enumerate(zip(core.attacks, oracle.attacks, strict=False)):
        if ours != theirs and core.window is not None:
            found.append(
                f"ply {core.window[0] + index}: only core {sorted(ours - theirs)}, "
                f"only oracle {sorted(theirs - ours)}"
            )
    return found


def _plain(value: object) -> object:
    return sorted(value) if isinstance(value, frozenset) else value
