"""Explanations of rulings: every part as data, from which text, pages and JSON are made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from xiangqi.pieces import BLACK, RED, Color
from xiangqi.referee.articles import articles_of_conduct, articles_of_verdict
from xiangqi.referee.evidence import CycleMove, MoveEvidence, explain_move, join_moves
from xiangqi.referee.reasons import (
    describe_conduct,
    describe_offence,
    describe_reason,
    describe_verdict,
    describe_victims,
    is_mixture,
)
from xiangqi.referee.remedies import Remedy, list_remedies
from xiangqi.referee.rule_names import cite, describe_clause, full_name
from xiangqi.referee.ruling import Ruling
from xiangqi.referee.scoresheet import ScoreSheet
from xiangqi.referee.terms import Term, describe_term, list_terms
from xiangqi.words.phrases import Listing, Text
from xiangqi.words.voice import PLAIN_VOICE, Phrase, Voice

__all__ = ["Explanation", "explain", "format_reason", "format_ruling", "format_sentence"]

_INDENT: Final = " " * 8


class Explanation(Phrase):
    """Explanation of a ruling, before a language and a notation are chosen.

    Each part is a phrase, or data with phrases, and is found when it is first read. :meth:`say`
    gives the full text in a voice: verdict and reason, rules, position and moves, the side that had
    to change, and the evidence of every ply. Round numbers start at the move number of the first
    position.

    >>> from xiangqi.referee.judging import Referee
    >>> moves = "f0e0 e8f8 e0f0 f8e8".split()
    >>> ruling = Referee().judge_moves("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", moves * 2)
    >>> found = explain(ruling)
    >>> print(found.verdict)
    Black wins
    >>> print(str(found.remedies[1].text).partition(": ")[2])
    the game would have been a draw.
    >>> [(one.plies, one.evidence.report.mark.value) for one in found.cycle]
    [((0, 4), 'check'), ((1, 5), 'idle'), ((2, 6), 'check'), ((3, 7), 'idle')]
    """

    def __init__(self, ruling: Ruling) -> None:
        self.ruling = ruling
        self.sheet = ScoreSheet(ruling)
        """Moves of the game as phrases."""

    @cached_property
    def verdict(self) -> Text:
        """Verdict in a few words."""
        return describe_verdict(self.ruling)

    @cached_property
    def reason(self) -> Text:
        """Reason for the verdict in one sentence."""
        return describe_reason(self.ruling)

    @property
    def sentence(self) -> Text:
        """Verdict and reason."""
        return Text("ending", verdict=self.verdict, why=self.reason)

    @cached_property
    def articles(self) -> tuple[str, ...]:
        """Articles of the book that decide: on the verdict, and on each side's conduct."""
        conducts = (articles_of_conduct(self.ruling, color) for color in (RED, BLACK))
        found = (number for part in (self.articles_of_verdict, *conducts) for number in part)
        return tuple(dict.fromkeys(found))

    @cached_property
    def articles_of_verdict(self) -> tuple[str, ...]:
        """Articles on the verdict that follows from both sides' conduct."""
        return articles_of_verdict(self.ruling)

    @cached_property
    def counts(self) -> tuple[Text, ...]:
        """Current offences, as in ``Black: chase of the red cannon, 4 of 6``.

        Empty unless rounds are counted.
        """
        return tuple(
            Text(
                "count",
                side=count.color,
                offence=describe_offence(count, self.ruling),
                rounds=count.rounds,
                allowed=count.allowed,
            )
            for count in self.ruling.counts
        )

    @cached_property
    def extent(self) -> tuple[Text, Text] | None:
        """First and last place of the moves that are judged; None for an undecided repetition."""
        if self.ruling.window is None:
            return None
        first, last = map(self.sheet.rounds.place, self.ruling.window)
        return first, last

    @cached_property
    def window(self) -> Text | None:
        """Sentence on the moves that are judged; None for an undecided repetition."""
        if self.extent is None:
            return None
        ruling, (first, last) = self.ruling, self.extent
        if ruling.nine_round_offenders:
            return Text("window_nine", first=first, last=last)
        if ruling.too_many is None:
            return Text("window", occurrences=ruling.occurrences, first=first, last=last)
        return Text("window_rounds", rounds=ruling.too_many.allowed, first=first, last=last)

    def side(self, color: Color) -> Text:
        """Conduct of a side, with its victims and articles."""
        ruling = self.ruling
        conduct, of = describe_conduct(ruling, color), None
        if ruling.victims[color] and not is_mixture(ruling, color):
            of = Text("of_victims", victims=describe_victims(ruling, color))
        articles = cite(articles_of_conduct(ruling, color))
        if articles is None:
            return Text("side", side=color, conduct=conduct, of=of or "")
        return Text("side_articles", articles=articles, side=color, conduct=conduct, of=of or "")

    @cached_property
    def doubts(self) -> tuple[Text, ...]:
        """Open questions of the rules that decide the ruling, and unsettled moves."""
        ruling, rules = self.ruling, full_name(self.ruling.rules)
        doubts = [
            Text("hangs_on", rules=rules, clause=describe_clause(ruling.rules, question))
            for question in ruling.questions
        ]
        if ruling.unsettled:
            moves = Listing(tuple(self.sheet.repeated([ply]) for ply in ruling.unsettled))
            doubts.append(Text("unsettled", moves=moves))
        return tuple(doubts)

    @cached_property
    def remedies(self) -> tuple[Remedy, ...]:
        """Side that had to change, its offending moves, and sufficient changes."""
        return tuple(list_remedies(self.ruling))

    @cached_property
    def moves(self) -> tuple[MoveEvidence, ...]:
        """Moves of the window with their evidence."""
        return tuple(explain_move(self.ruling, report) for report in self.ruling.plies)

    @cached_property
    def cycle(self) -> tuple[CycleMove, ...]:
        """Moves of the window, equal ones joined."""
        return join_moves(self.moves)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Terms in the evidence, in the order of the glossary."""
        return list_terms(self.moves)

    def _say(self, voice: Voice) -> str:
        return "\n".join(self._lines(voice))

    def _lines(self, voice: Voice) -> Iterator[str]:
        ruling = self.ruling
        yield voice.say("heading", verdict=self.verdict, reason=self.reason)
        rules, articles = full_name(ruling.rules), cite(self.articles_of_verdict)
        key = "rules" if articles is None else "rules_articles"
        yield voice.say(key, rules=rules, articles=articles)
        yield voice.say("position", fen=ruling.fen)
        yield voice.say("moves", moves=self.sheet.moves())
        for count in self.counts:
            yield count.say(voice)
        if self.window is None or not self.moves:
            return
        yield ""
        for text in (self.window, self.side(RED), self.side(BLACK), *self.doubts):
            yield text.say(voice)
        yield ""
        yield voice.say("who_changes")
        for text, is_move in self.remedies:
            yield (_INDENT if is_move else "") + text.say(voice)
        yield ""
        for move in self.moves:
            report = move.report
            yield voice.say(
                "ply",
                number=self.sheet.rounds.number(report.ply),
                side=report.color,
                move=self.sheet.move(report.ply),
                conduct=Text(f"mark_{report.mark.value}"),
            )
            for sentence in move.sentences:
                yield _INDENT + sentence.text.say(voice)
        yield ""
        links = (Text("term", name=describe_term(one), anchor=one.value) for one in self.terms)
        yield voice.say("terms", terms=Listing(tuple(links)))


def explain(ruling: Ruling) -> Explanation:
    """Explain a ruling."""
    return Explanation(ruling)


def format_ruling(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Full text of a ruling: see :class:`Explanation`."""
    return explain(ruling).say(voice)


def format_sentence(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Sentence on the verdict and its reason."""
    return explain(ruling).sentence.say(voice)


def format_reason(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Reason for a verdict in one sentence."""
    return explain(ruling).reason.say(voice)
