"""Explanations of rulings and endings, as text and as JSON data.

``reasons`` has the parts of an explanation, :mod:`xiangqi.words` the sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.errors import Fact, IllegalMoveError
from xiangqi.pieces import BLACK, RED, Color
from xiangqi.referee.articles import (
    articles_of_conduct,
    articles_of_verdict,
    articles_of_weight,
    list_losing_chases,
)
from xiangqi.referee.judging import Referee
from xiangqi.referee.outcome import Outcome, Termination, is_barred
from xiangqi.referee.reasons import (
    ScoreSheet,
    add_articles,
    format_articles,
    format_clause,
    format_evidence,
    format_reason,
    format_weight,
    is_mixture,
    is_weighed,
    name_conduct,
    name_offence,
    name_verdict,
    name_victims,
)
from xiangqi.referee.rules import RULE_SETS, RuleSet, find_rule_book, find_rule_set
from xiangqi.referee.ruling import WEIGHED, Conduct, Mark, OffenceCount, PlyReport, Ruling, Threat
from xiangqi.referee.terms import Term, list_terms
from xiangqi.texts import Language, has_text, text_of
from xiangqi.words import enumerate_words
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = [
    "INDENT",
    "explain_bar",
    "explain_ending",
    "explain_outcome",
    "format_counts",
    "format_cycle",
    "format_doubts",
    "format_outcome",
    "format_remedies",
    "format_reports",
    "format_rules",
    "format_ruling",
    "format_sentence",
    "format_termination",
    "format_terms",
    "format_window",
    "name_rules",
    "name_term",
    "require_allowed",
    "title_rules",
]

INDENT: Final = " " * 8


def explain_outcome(
    board: CoreBoard, outcome: Outcome, rules: RuleSet | str, voice: Voice = PLAIN_VOICE
) -> str:
    """Sentence on the winner and the reason; a repetition is judged again for its evidence."""
    ruling = Referee(rules).judge(board) if outcome.termination.is_repetition else None
    return format_outcome(outcome, ruling, voice)


def format_outcome(outcome: Outcome, ruling: Ruling | None, voice: Voice = PLAIN_VOICE) -> str:
    """Sentence on the winner and the reason; ``ruling`` is that on a final repetition, if any."""
    winner = outcome.winner
    verdict = "draw" if winner is None else "red_wins" if winner else "black_wins"
    why = (
        format_termination(outcome.termination, voice)
        if ruling is None
        else format_reason(ruling, voice)
    )
    if outcome.termination is Termination.BARRED_MOVE:
        why = voice.say("ended_barred_move", why=why)
    return voice.say("ending", verdict=voice.say(verdict), why=why)


def explain_ending(
    board: CoreBoard,
    outcome: Outcome,
    rules: RuleSet | str,
    voice: Voice = PLAIN_VOICE,
    *,
    in_rounds: bool = False,
) -> str:
    """Reason for the end of the game, without the result: ``Black is mated``.

    With ``in_rounds``, an even limit of plies without a capture is given in rounds.
    """
    rules = find_rule_set(rules)
    side, ended = voice.side(board.turn), outcome.termination
    if ended.is_repetition:
        return format_reason(Referee(rules).judge(board), voice)
    if ended is Termination.NO_CAPTURE:
        plies = (rules.no_capture_limit or 0) if in_rounds else board.halfmove_clock
        if in_rounds and plies % 2 == 0:
            return voice.say("ended_quiet_rounds", rounds=plies // 2)
        return voice.say("ended_quiet_plies", plies=plies)
    key = f"ended_side_{ended.name.lower()}"
    if has_text(key):
        return voice.say(key, side=side, rules=rules.name)
    return format_termination(ended, voice)


def format_cycle(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Sentence on a decided ruling: verdict, reason and cycle."""
    assert ruling.window is not None  # decided rulings have a window
    first, last = map(ScoreSheet(ruling, voice).place, ruling.window)
    verdict, reason = voice.say(ruling.verdict.value), format_reason(ruling, voice)
    return voice.say("ruled_cycle", verdict=verdict, reason=reason, first=first, last=last)


def explain_bar(
    board: CoreBoard, move: Move, rules: RuleSet | str, voice: Voice = PLAIN_VOICE
) -> str | None:
    """Sentence on the reason why a rule set bars a legal move; None if it does not."""
    if not is_barred(board, move, rules):
        return None
    after = board.copy()
    after.push_unchecked(move)
    return format_reason(Referee(rules).judge(after), voice)


def require_allowed(
    board: CoreBoard, move: Move, rules: RuleSet | str, voice: Voice = PLAIN_VOICE
) -> None:
    """Raise IllegalMoveError with the reason if a rule set bars this legal move."""
    rules = find_rule_set(rules)
    why = explain_bar(board, move, rules, voice)
    if why is not None:
        fact = Fact("illegal.barred", rules=rules.name, why=why)
        raise IllegalMoveError(move.iccs(), board.fen(), fact)


def format_termination(termination: Termination, voice: Voice = PLAIN_VOICE) -> str:
    """Sentence on a termination other than a repetition or a barred or illegal move."""
    return voice.say(f"ended_{termination.name.lower()}")


def format_sentence(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Sentence on the verdict and its reason."""
    verdict, why = name_verdict(ruling, voice), format_reason(ruling, voice)
    return voice.say("ending", verdict=verdict, why=why)


def format_ruling(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Full text of a ruling: verdict and reason, rules, position and moves, the side that had to
    change, and the evidence of every ply.

    Round numbers start at the move number of the first position.
    """
    return "\n".join(_lines(ruling, voice))


def _lines(ruling: Ruling, voice: Voice) -> Iterator[str]:
    sheet = ScoreSheet(ruling, voice)
    verdict = name_verdict(ruling, voice)
    yield voice.say("heading", verdict=verdict, reason=format_reason(ruling, voice))
    yield _rules_line(ruling, voice)
    yield voice.say("position", fen=ruling.fen)
    yield voice.say("moves", moves=str(sheet))
    yield from format_counts(ruling, voice)
    if ruling.window is None or not ruling.plies:
        return
    yield ""
    yield format_window(ruling, voice)
    for color in (RED, BLACK):
        yield _side_line(ruling, color, voice)
    yield from format_doubts(ruling, voice)
    yield ""
    yield voice.say("who_changes")
    yield from format_remedies(ruling, voice)
    yield ""
    for report, evidence in format_reports(ruling, voice):
        yield voice.say(
            "ply",
            number=sheet.rounds.number(report.ply),
            side=voice.side(report.color),
            move=sheet.move(report.ply),
            conduct=voice.say(f"mark_{report.mark.value}"),
        )
        yield from (INDENT + line for line, _ in evidence)
    yield ""
    yield format_terms(ruling, voice)


def format_terms(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Line on the terms of an explanation, with their anchors in the glossary."""
    links = [
        voice.say("term", name=name_term(term, voice), anchor=term.value)
        for term in list_terms(ruling)
    ]
    return voice.say("terms", terms=enumerate_words(voice.language, links))


def name_term(term: Term, voice: Voice = PLAIN_VOICE) -> str:
    """Name of a term.

    >>> name_term(Term.CHASE), name_term(Term.FALSE_ROOT, Voice("zh"))
    ('chase', '假根')
    """
    key = f"mark_{term.value}"
    return voice.say(key if has_text(key) else f"term_{term.value}")


def format_window(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Sentence on the moves that a decided ruling judges."""
    assert ruling.window is not None  # decided rulings have a window
    first, last = map(ScoreSheet(ruling, voice).place, ruling.window)
    if ruling.nine_round_offenders:
        return voice.say("window_nine", first=first, last=last)
    if ruling.too_many is None:
        return voice.say("window", occurrences=ruling.occurrences, first=first, last=last)
    return voice.say("window_rounds", rounds=ruling.too_many.allowed, first=first, last=last)


def format_counts(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """Line for each current offence, such as ``Black: chase of the red cannon, 4 of 6``.

    Empty unless rounds are counted.
    """
    for count in ruling.counts:
        yield voice.say(
            "count",
            side=voice.side(count.color),
            offence=name_offence(count, ruling, voice),
            rounds=count.rounds,
            allowed=count.allowed,
        )


def format_rules(rules: RuleSet | str, voice: Voice = PLAIN_VOICE) -> str:
    """Name of a rule set, with its changes in the syntax of ``--set``; its title in a language that
    names rule sets by titles.

    >>> format_rules(RULE_SETS["checks-only"].replace({"occurrences": 2}))
    'checks-only occurrences=2'
    """
    rules = find_rule_set(rules)
    return title_rules(rules, voice)[0] if _has_titles(voice.language) else rules.describe()


def title_rules(rules: RuleSet | str, voice: Voice = PLAIN_VOICE) -> tuple[str, str]:
    """Title of a rule set, with its changes, and its name.

    The name is empty in a language that names rule sets by titles, and for a user's rule set, whose
    name serves as the title.

    >>> title_rules("cxa2020")
    ('Chinese Xiangqi Association, 2020', 'cxa2020')
    """
    rules = find_rule_set(rules)
    name, _, changes = rules.describe().partition(" ")
    is_known = name in RULE_SETS
    title = find_rule_book(name).titles[voice.language] if is_known else name
    if changes:
        title = voice.say("rules_changed", rules=title, changes=changes)
    return title, name if is_known and not _has_titles(voice.language) else ""


def _has_titles(language: Language) -> bool:
    return text_of(language, "language.rules") == "title"


def format_doubts(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """Lines on the open questions that decide the ruling, and on unsettled plies."""
    rules = format_rules(ruling.rules, voice)
    for question in ruling.questions:
        clause = format_clause(ruling.rules, question, voice)
        yield voice.say("hangs_on", rules=rules, clause=clause)
    if ruling.unsettled:
        sheet = ScoreSheet(ruling, voice)
        moves = [sheet.repeated([ply]) for ply in ruling.unsettled]
        yield voice.say("unsettled", moves=enumerate_words(voice.language, moves))


def name_rules(rules: RuleSet | str, voice: Voice = PLAIN_VOICE) -> str:
    """Short name of a rule set, for comparisons: that of a user's file without its changes."""
    rules = find_rule_set(rules)
    return format_rules(rules, voice) if rules.name in RULE_SETS else rules.name


def _rules_line(ruling: Ruling, voice: Voice) -> str:
    rules = format_rules(ruling.rules, voice)
    articles = format_articles(articles_of_verdict(ruling), voice)
    if not articles:
        return voice.say("rules", rules=rules)
    return voice.say("rules_articles", rules=rules, articles=articles)


def _side_line(ruling: Ruling, color: Color, voice: Voice) -> str:
    victims = "" if is_mixture(ruling, color) else name_victims(ruling, color, voice)
    articles = format_articles(articles_of_conduct(ruling, color), voice)
    return voice.say(
        "side_articles" if articles else "side",
        articles=articles,
        side=voice.side(color),
        conduct=name_conduct(ruling, color, voice),
        of=voice.say("of_victims", victims=victims) if victims else "",
    )


def format_reports(
    ruling: Ruling, voice: Voice = PLAIN_VOICE
) -> Iterator[tuple[PlyReport, list[tuple[str, bool]]]]:
    """Moves of the window, each with the lines of :func:`format_evidence` and its weight."""
    sheet = ScoreSheet(ruling, voice)
    for report in ruling.plies:
        evidence = list(format_evidence(ruling, report, voice))
        if is_weighed(ruling) and report.is_heavy is not None:
            weight = format_weight(report, sheet.cells(report.ply + 1), voice)
            articles = articles_of_weight(ruling.rules, report)
            evidence.append((add_articles(weight, articles, voice), True))
        yield report, evidence


# Remedies: the side that had to change, and sufficient changes


def format_remedies(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """Lines on the side that had to change, its offending moves, and sufficient changes.

    Moves are indented by ``INDENT``. Empty for an undecided repetition.
    """
    if ruling.window is None:
        return
    offender = ruling.offender
    sheet = ScoreSheet(ruling, voice)
    if offender is not None and ruling.conduct[offender] is Conduct.IDLE:
        yield voice.say("first_rounds_oblige")
    elif offender is not None:
        yield from _format_offence(ruling, offender, sheet)
        yield _sufficient_change(ruling, offender, voice)
        yield _not_obliged(ruling, not offender, sheet)
    elif Conduct.IDLE in ruling.conduct.values():
        yield voice.say("nobody_obliged")
        for color in (RED, BLACK):
            yield _not_obliged(ruling, color, sheet)
    else:
        yield _both_obliged(ruling, voice)


def _both_obliged(ruling: Ruling, voice: Voice) -> str:
    """Sentence on a draw in which neither side is idle."""
    if not WEIGHED.isdisjoint(ruling.conduct.values()):
        return voice.say("both_forbidden")
    conduct = ruling.conduct[RED]
    assert conduct is not None  # the window was judged
    return voice.say("both_obliged", conduct=voice.say(f"perpetual_{conduct.value}"))


def _format_offence(ruling: Ruling, color: Color, sheet: ScoreSheet) -> Iterator[str]:
    """Lines on the offence and the offending moves of a side."""
    voice = sheet.voice
    side = voice.side(color)
    if ruling.conduct[color] is Conduct.CHECK:
        moves = voice.say("semicolon").join(
            _name_repeated(reports, sheet) for reports in _own_moves(ruling, color, sheet)
        )
        yield voice.say("stop_checking", side=side, moves=moves)
        return
    if is_mixture(ruling, color):
        yield voice.say("stop_mixture" if ruling.too_many else "stop_forbidden", side=side)
        for reports in _own_moves(ruling, color, sheet):
            mark = voice.say(f"mark_{reports[0].mark.value}")
            yield INDENT + voice.say("pair", name=_name_repeated(reports, sheet), value=mark)
        return
    yield voice.say("stop_chasing", side=side, victims=name_victims(ruling, color, voice))
    chases: dict[tuple[str, str, Threat], list[PlyReport]] = {}
    for report, threat in list_losing_chases(ruling, color):
        key = report.move.iccs(), sheet.move(report.ply), threat
        chases.setdefault(key, []).append(report)
    for (_, _, threat), reports in chases.items():
        cells = sheet.cells(reports[0].ply + 1)
        yield INDENT + voice.say(
            "chasing_move",
            move=_name_repeated(reports, sheet),
            attacker=voice.piece(threat.attacker_piece, threat.attacker, cells),
            victim=voice.piece(threat.victim_piece, threat.victim, cells),
        )


def _sufficient_change(ruling: Ruling, color: Color, voice: Voice) -> str:
    """Sentence on a change that would have cleared the offender, and its result."""
    if ruling.too_many is not None:
        return voice.say("way_out_rounds", side=voice.side(color))
    if ruling.nine_round_offenders:
        return voice.say("way_out_nine", side=voice.side(color))
    conduct = ruling.conduct[not color]
    key = "way_out_allowed" if _weighs_each(ruling) else "way_out"
    if conduct is not Conduct.IDLE:
        key += "_light" if ruling.conduct[color] in WEIGHED else "_other"
    return voice.say(key, side=voice.side(color), other=voice.side(not color))


def _weighs_each(ruling: Ruling) -> bool:
    """Is each move of a side judged by itself, and weighed if forbidden?"""
    return not ruling.rules.in_search


def _not_obliged(ruling: Ruling, color: Color, sheet: ScoreSheet) -> str:
    side, why = sheet.voice.side(color), _why_clear(ruling, color, sheet)
    return sheet.voice.say("not_obliged", side=side, why=why)


def _why_clear(ruling: Ruling, color: Color, sheet: ScoreSheet) -> str:
    """Reason why a side did not have to change."""
    voice = sheet.voice
    if ruling.rules.offences == "none":
        return voice.say("clear_by_rules")
    if ruling.too_many is not None:
        return voice.say(_why_not_barred(ruling.counts, ruling.too_many))
    if ruling.conduct[color] is not Conduct.IDLE:
        return voice.say(_why_lighter(ruling, color))
    if _weighs_each(ruling):
        return _why_allowed(ruling, color, sheet)
    checks_only = ruling.rules.offences == "check"
    conducts = set()
    for reports in _own_moves(ruling, color, sheet):
        conduct = reports[0].conduct
        if conduct is Conduct.IDLE or (checks_only and conduct is Conduct.CHASE):
            key = "clear_by_no_check" if checks_only else "clear_by_idle_move"
            return voice.say(key, move=_name_repeated(reports, sheet))
        conducts.add(conduct)
    return voice.say("clear_by_mixture" if len(conducts) > 1 else "clear_by_victims")


def _why_not_barred(counts: Iterable[OffenceCount], too_many: OffenceCount) -> str:
    """Key of the sentence on the side that did not exceed its rounds."""
    full = [one for one in counts if one.color != too_many.color and one.rounds >= one.allowed]
    if not full:
        return "clear_by_counts"
    same = any(one.offence is too_many.offence for one in full)
    return "clear_by_first" if same else "clear_by_lighter_count"


def _why_lighter(ruling: Ruling, color: Color) -> str:
    """Key of the sentence on a side that is not idle but need not change."""
    if ruling.offender is None:
        return "clear_by_verdicts"
    return "clear_by_light" if ruling.conduct[not color] in WEIGHED else "clear_by_weight"


def _why_allowed(ruling: Ruling, color: Color, sheet: ScoreSheet) -> str:
    """Sentence on an allowed move of a side; one is enough to clear it."""
    voice = sheet.voice
    for reports in _own_moves(ruling, color, sheet):
        mark = reports[0].mark
        if not mark.is_strike:
            word = voice.say(f"mark_{mark.value}")
            return voice.say("clear_by_allowed", move=_name_repeated(reports, sheet), mark=word)
    return voice.say("clear_by_no_offence")


def _own_moves(ruling: Ruling, color: Color, sheet: ScoreSheet) -> Iterable[list[PlyReport]]:
    """Reports on a side's moves in the window, grouped by move and mark."""
    moves: dict[tuple[str, str, Mark], list[PlyReport]] = {}
    for report in ruling.plies:
        if report.color == color:
            key = report.move.iccs(), sheet.move(report.ply), report.mark
            moves.setdefault(key, []).append(report)
    return moves.values()


def _name_repeated(reports: Iterable[PlyReport], sheet: ScoreSheet) -> str:
    """Move with the rounds in which it was played: ``f0e0 (rounds 2 and 4)``."""
    return sheet.repeated([report.ply for report in reports])
