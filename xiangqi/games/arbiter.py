"""Rulings on whole games: the first decisive event, compared with the recorded result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from xiangqi.board import Board
from xiangqi.contract.rulings import difference_to_dict, ruling_to_dict
from xiangqi.games.record import POINTS
from xiangqi.games.tree import Game, GameError
from xiangqi.referee.comparison import (
    Difference,
    find_clauses,
    format_difference,
)
from xiangqi.referee.endings import describe_outcome
from xiangqi.referee.explanation import Explanation, format_ruling
from xiangqi.referee.judging import Ruling
from xiangqi.referee.outcome import Outcome, Termination
from xiangqi.referee.rule_names import short_name
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.words.phrases import Listing, Rounds, Text
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = [
    "GameRuling",
    "add_others",
    "describe_books",
    "format_game",
    "format_others",
    "format_verdict",
    "format_warning",
    "rule_by_books",
    "rule_game",
]


@dataclass(frozen=True, slots=True)
class GameRuling:
    """Ruling on one game."""

    source: str
    """Name of its file."""
    number: int
    """Number of the game in the file, from 1."""
    red: str
    black: str
    recorded: str
    """Recorded result; ``*`` without one."""
    fen: str
    """Starting position of the record; as written if unreadable."""
    plies: int
    """Number of readable moves of both sides in the record."""
    outcome: Outcome | None
    """First outcome that decides the game; None if the record is undecided."""
    ply: int | None
    """Number of plies up to the outcome."""
    warned: int | None
    """Ply at which the repeated position had occurred twice, so that a warning was due."""
    ruling: Ruling | None
    """Ruling on the repetition that decided the game; in an undecided game, that on its last
    position if it orders a side to change or has counts of current offences."""
    errors: tuple[GameError, ...]
    """Unreadable parts and illegal moves."""
    rules: RuleSet
    doubtful: Outcome | None = None
    """Outcome of an illegal move of the main line that does not decide the game: the record
    continues after it, so it is probably a typing error."""
    others: tuple[GameRuling, ...] = ()
    """Rulings by other rule sets, if requested."""
    differences: tuple[Difference, ...] = ()
    """Clauses that make the difference, for each of ``others`` with another outcome."""
    rounds: Rounds = Rounds()  # noqa: RUF009  # immutable
    """Move numbers; those of a normal game if the start is unreadable."""
    end: str = ""
    """FEN of the last position of an undecided game."""

    @property
    def illegal(self) -> GameError | None:
        """The illegal move of the main line, if it decided the game or is doubtful."""
        outcome = self.outcome or self.doubtful
        if outcome is None or outcome.termination is not Termination.ILLEGAL_MOVE:
            return None
        return next(error for error in self.errors if error.is_illegal)

    @property
    def agrees(self) -> bool | None:
        """Does the recorded result agree with the outcome? None if either is missing."""
        if self.outcome is None or self.recorded not in POINTS:
            return None
        return self.outcome.result() == self.recorded

    def to_dict(self) -> dict[str, Any]:
        """The ruling as JSON data."""
        outcome = self.outcome
        data = {
            "source": self.source,
            "game": self.number,
            "red": self.red,
            "black": self.black,
            "recorded": self.recorded,
            "plies": self.plies,
            "result": None if outcome is None else outcome.result(),
            "termination": None if outcome is None else outcome.termination.name.lower(),
            "ply": self.ply,
            "warned": self.warned,
            "agrees": self.agrees,
            "rules": describe_books([self.rules, *(other.rules for other in self.others)]),
            "ruling": None if self.ruling is None else ruling_to_dict(self.ruling),
            "errors": [str(error) for error in self.errors],
        }
        if self.others:
            rulings = {other.rules: other.ruling for other in self.others}
            keys = ("rules", "result", "termination", "ply", "warned", "agrees", "ruling")
            others = (other.to_dict() for other in self.others)
            data["others"] = [{key: other[key] for key in keys} for other in others]
            data["differences"] = [
                difference_to_dict(one, self.ruling, rulings[one.second])
                for one in self.differences
            ]
        return data


def rule_game(
    game: Game, rules: RuleSet | str = WXF, *, source: str = "game", number: int = 1
) -> GameRuling:
    """Find the first event of the main line that decides the game under a rule set.

    The rest of the record is ignored. An illegal move of the mover's own piece loses the game if
    the record ends with it; it is also among the errors. An illegal move before the end, an
    unreadable move, and a move of a missing piece end the main line without deciding the game: they
    may be typing errors.
    """
    rules = find_rule_set(rules)
    moves = game.moves()
    outcome = doubtful = warned = ruling = None
    ply = None
    end = ""
    rounds = Rounds()
    if moves or all(error.ply is not None for error in game.errors):  # else there is no position
        board = Board(game.fen)
        rounds = Rounds(board.fullmove_number, board.turn)
        outcome = board.outcome(rules)
        ply = 0
        while outcome is None and ply < len(moves):
            board.push_unchecked(moves[ply])  # the reader has checked it
            outcome = board.outcome(rules)
            ply += 1
        if outcome is not None and outcome.termination.is_repetition:
            ruling = board.judge(rules)
            if rules.prohibition == "none":  # superko has no warnings
                warned = _second_occurrence(board)
        illegal = next((error for error in game.errors if error.is_illegal), None)
        if outcome is None and illegal is not None:
            lost = Outcome(Termination.ILLEGAL_MOVE, not board.turn)
            if illegal.following:
                doubtful = lost
            else:
                outcome = lost
                ply += 1
        if outcome is None and doubtful is None:
            end = board.fen()
            ruling = _rule_on_end(board, rules)
    return GameRuling(
        source=source,
        number=number,
        red=game.headers.get("Red", ""),
        black=game.headers.get("Black", ""),
        recorded=game.headers.get("Result", "*"),
        fen=game.fen,
        plies=len(moves),
        outcome=outcome,
        ply=None if outcome is None else ply,
        warned=warned,
        ruling=ruling,
        errors=tuple(game.errors),
        rules=rules,
        doubtful=doubtful,
        rounds=rounds,
        end=end,
    )


def _rule_on_end(board: Board, rules: RuleSet) -> Ruling | None:
    """Rule on the last position of an undecided game; None unless a side must change or has counts
    of offences."""
    if rules.penalty != "must_change" and rules.rounds is None:
        return None
    ruling = board.judge(rules)
    return (
        ruling
        if ruling.offender is not None or ruling.nine_round_offenders or ruling.counts
        else None
    )


def describe_books(books: Iterable[RuleSet | str]) -> str:
    """Describe rule sets in one line; see :meth:`~xiangqi.referee.rules.RuleSet.describe`."""
    return ", ".join(find_rule_set(book).describe() for book in books)


def rule_by_books(
    game: Game, books: Sequence[RuleSet | str], *, source: str = "game", number: int = 1
) -> GameRuling:
    """Rule on a game by the first rule set, and add the rulings by the others."""
    first, *others = books
    return add_others(game, rule_game(game, first, source=source, number=number), others)


def add_others(game: Game, ruled: GameRuling, others: Iterable[RuleSet | str]) -> GameRuling:
    """Add the rulings by other rule sets to a ruling, with the clauses that make a difference."""

    def decide(rules: RuleSet) -> Outcome | None:
        return rule_game(game, rules).outcome

    rulings = tuple(
        rule_game(game, other, source=ruled.source, number=ruled.number) for other in others
    )
    return replace(
        ruled,
        others=rulings,
        differences=tuple(
            Difference(ruled.rules, other.rules, find_clauses(ruled.rules, other.rules, decide))
            for other in rulings
            if other.outcome != ruled.outcome
        ),
    )


def _second_occurrence(board: Board) -> int | None:
    """Ply at which the current position occurred for the second time; None if it never did. All
    moves of the board are taken back."""
    key, plies = board.key, []
    while True:
        if board.key == key:
            plies.append(board.ply())
        if not board.ply():
            break
        board.pop()
    return plies[-2] if len(plies) > 1 else None


def format_game(ruled: GameRuling, voice: Voice = PLAIN_VOICE, *, explain: bool = False) -> str:
    """Format a ruling: a line for the game, with ``explain`` the ruling on the repetition, then a
    line for each error."""
    players = " - ".join(name or "?" for name in (ruled.red, ruled.black))
    verdict = format_verdict(ruled, voice)
    if ruled.agrees is False:
        verdict += voice.say("record_differs", result=ruled.recorded)
    lines = [f"{ruled.source}:{ruled.number}: {players}: {verdict}"]
    if ruled.outcome is None and ruled.ruling is not None and not explain:
        lines += [f"  {count.say(voice)}" for count in Explanation(ruled.ruling).counts]
    if explain and ruled.ruling is not None:
        if ruled.warned is not None:
            lines.append(format_warning(ruled, voice))
        lines += [format_ruling(ruled.ruling, voice), ""]
    lines += [f"  {line}" for line in format_others(ruled, voice)]
    lines += [f"  {error.say(voice.language)}" for error in ruled.errors]
    return "\n".join(lines)


def format_others(ruled: GameRuling, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """List the rule sets that agree, then those that differ, with the reasons."""
    different = list(explain_differences(ruled, voice))
    differ = {rules for rules, _, _ in different}
    alike = [short_name(other.rules) for other in ruled.others if other.rules not in differ]
    if alike:
        yield voice.say("books_likewise", rules=Listing(tuple(alike)))
    for rules, verdict, clauses in different:
        yield voice.say("pair", name=short_name(rules), value=verdict)
        yield from (f"    {clause}" for clause in clauses)


def explain_differences(
    ruled: GameRuling, voice: Voice = PLAIN_VOICE
) -> Iterator[tuple[RuleSet, str, list[str]]]:
    """Iterate over the rule sets with another outcome: rule set, verdict, and differing clauses."""
    differences = {difference.second: difference for difference in ruled.differences}
    for other in ruled.others:
        if other.rules in differences:
            why = format_difference(differences[other.rules], ruled.ruling, other.ruling, voice)
            yield other.rules, format_verdict(other, voice), list(why)


def format_verdict(ruled: GameRuling, voice: Voice = PLAIN_VOICE) -> str:
    """Format the outcome of the game with its ply and reason, or that it is undecided."""
    outcome = ruled.outcome or ruled.doubtful
    if outcome is None:
        undecided = Text("not_decided", moment=ruled.rounds.moment(ruled.plies))
        ruling = ruled.ruling
        if ruling is None or not (ruling.nine_round_offenders or ruling.offender is not None):
            return undecided.say(voice)
        found = Explanation(ruling)
        reason = found.reason if ruling.nine_round_offenders else found.sentence
        return voice.say("undecided_but", undecided=undecided, reason=reason)
    illegal = ruled.illegal
    if illegal is not None:
        return voice.say(
            "illegal_move_followed" if illegal.following else "decided_illegal_move",
            place=ruled.rounds.place(ruled.plies),
            text=illegal.text,
            following=illegal.following,
            verdict=Text("red_wins" if outcome.winner else "black_wins"),
        )
    ending = describe_outcome(outcome, ruled.ruling)
    return voice.say("decided", moment=ruled.rounds.moment(ruled.ply or 0), ending=ending)


def format_warning(ruled: GameRuling, voice: Voice = PLAIN_VOICE) -> str:
    """Format the moment at which a warning was due; empty if there was none."""
    if ruled.warned is None:
        return ""
    return voice.say("warned", moment=ruled.rounds.moment(ruled.warned))
