"""An analysis as comments, marks and variations of the game, which any GUI shows.

What the record says itself stays: comments stand behind ours, variations before ours, and a move
that has a mark gets no other one. What an earlier analysis has added is sealed
(:mod:`xiangqi.games.additions`) and replaced, as evaluations are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from xiangqi.analysis.engines import EngineLine
from xiangqi.analysis.game import AnalysisSettings, GameAnalysis, PlyAnalysis
from xiangqi.analysis.knowledge import BookMoves, Demand
from xiangqi.analysis.summary import OURS, SideSummary, describe_settings, sum_up
from xiangqi.analysis.values import MoveMark
from xiangqi.board import Board
from xiangqi.books import BookMove
from xiangqi.games.additions import seal, seal_line, take_out_additions
from xiangqi.games.comments import put_eval, without_eval
from xiangqi.games.tree import Game, GameNode, start_board
from xiangqi.pieces import BLACK, RED
from xiangqi.referee.explanation import format_sentence, name_rules
from xiangqi.referee.reasons import format_reason
from xiangqi.tables.probing import tell_outcome
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = ["annotate", "tell_plies"]

_LINE_PLIES: Final = 8
"""Number of plies shown of a better line; a mate is shown to its end."""
_BOOK_MOVES: Final = 3
"""Number of book moves named where a game leaves the book."""
_SIGNS: Final = frozenset(range(1, 7))
"""The marks of PGN that judge a move."""


def annotate(
    game: Game, analysis: GameAnalysis, settings: AnalysisSettings, voice: Voice = PLAIN_VOICE
) -> None:
    """Write an analysis of its main line into a game, in place of an earlier one."""
    take_out_additions(game)
    board = start_board(game.fen)
    writer = _Writer(board, settings, voice)
    for node, ply in zip(list(game.mainline()), analysis.plies, strict=True):
        writer.write(node, ply)
    sides = [sum_up(analysis.plies, side) for side in (RED, BLACK)]
    words = seal(" ".join(_head(analysis, sides, settings, voice)))
    game.root.comment = "\n".join(filter(None, [words, without_eval(game.root.comment)]))
    if analysis.first is not None:
        game.root.comment = put_eval(game.root.comment, analysis.first.eval())
    _add_headers(game, analysis, sides, settings)


def _add_headers(
    game: Game, analysis: GameAnalysis, sides: list[SideSummary], settings: AnalysisSettings
) -> None:
    headers = game.headers
    own = describe_settings(settings, analysis.analyst)
    others = (one for one in headers.get("Annotator", "").split("; ") if one)
    headers["Annotator"] = "; ".join([*(one for one in others if OURS not in one), own])
    for summary in sides:
        name = "Red" if summary.side == RED else "Black"
        headers[f"{name}Loss"] = f"{summary.average_loss:.1f}"
        headers.pop(f"{name}Accuracy", None)
        if summary.accuracy is not None:
            headers[f"{name}Accuracy"] = f"{summary.accuracy:.1f}"
    if analysis.opening:
        code, _, rest = analysis.opening.partition(" ")
        is_code = len(code) == 3 and code[0].isalpha() and code[1:].isdigit()
        if is_code:
            headers.setdefault("ECCO", code)
        headers.setdefault("Opening", rest if is_code and rest else analysis.opening)


def _head(
    analysis: GameAnalysis, sides: list[SideSummary], settings: AnalysisSettings, voice: Voice
) -> Iterator[str]:
    yield voice.say(
        "analysis_head",
        analyst=analysis.analyst,
        effort=settings.effort.describe(voice),
        rules=name_rules(settings.rules, voice),
    )
    for summary in sides:
        yield _tell_side(summary, voice)
    if analysis.opening:
        yield voice.say("analysis_opening", name=analysis.opening)


def _tell_side(summary: SideSummary, voice: Voice) -> str:
    counts = [
        f"{summary.marks.get(mark, 0)} {mark.sign}"
        for mark in (MoveMark.GOOD, MoveMark.INACCURACY, MoveMark.MISTAKE, MoveMark.BLUNDER)
    ]
    for key, count in (
        ("analysis_mates", summary.mates_missed),
        ("analysis_thrown", summary.wins_thrown),
        ("analysis_rule_faults", summary.rule_faults),
    ):
        if count:
            counts.append(voice.say(key, count=count))
    accuracy = "-" if summary.accuracy is None else f"{summary.accuracy:.1f} %"
    return voice.say(
        "analysis_side",
        side=voice.side(summary.side),
        loss=f"{summary.average_loss / 100:.2f}",
        accuracy=accuracy,
        marks=", ".join(counts),
    )


def tell_plies(
    fen: str, analysis: GameAnalysis, settings: AnalysisSettings, voice: Voice = PLAIN_VOICE
) -> list[list[str]]:
    """Sentences about each move of an analysed game, as :func:`annotate` writes them."""
    writer = _Writer(start_board(fen), settings, voice)
    return [writer.tell(ply) for ply in analysis.plies]


class _Writer:
    """Writes the sentences about one move after the other."""

    def __init__(self, board: Board, settings: AnalysisSettings, voice: Voice) -> None:
        self._board = board  # before the move that is written of
        self._settings = settings
        self._voice = voice

    def tell(self, ply: PlyAnalysis) -> list[str]:
        words = list(self._words(ply))
        self._board.push_unchecked(ply.move)
        return words

    def write(self, node: GameNode, ply: PlyAnalysis) -> None:
        words = " ".join(self._words(ply))
        mark = ply.mark if _SIGNS.isdisjoint(node.nags) else None
        added = seal(words, mark) if words or mark is not None else ""
        node.comment = "\n".join(filter(None, [added, without_eval(node.comment)]))
        if ply.after.kind != "over":
            node.comment = put_eval(node.comment, ply.after.eval())
        if mark is not None:
            node.nags.insert(0, mark)
        if ply.best is not None and self._shows_line(ply):
            self._add_line(node, ply.best)
        self._board.push_unchecked(ply.move)

    def _shows_line(self, ply: PlyAnalysis) -> bool:
        return ply.mark not in (None, MoveMark.GOOD) or ply.missed_mate is not None

    def _add_line(self, node: GameNode, line: EngineLine) -> None:
        """Add the better line as a variation, unless there is one that begins like it."""
        parent = node.parent
        assert parent is not None  # it is the node of a move
        if any(other.move == line.moves[0] for other in parent.variations):
            return
        value = line.value
        plies = 2 * abs(value.number) if value.kind == "mate" else _LINE_PLIES
        first, *others = line.moves[:plies]
        added = parent.add(first, put_eval("", value.eval()))
        added.add_line(others)
        seal_line(added)

    def _words(self, ply: PlyAnalysis) -> Iterator[str]:
        voice, best = self._voice, ply.best
        name = "" if best is None else voice.move(self._board, best.moves[0])
        if ply.book is not None:
            yield self._tell_book(ply.book)
        for demand in ply.demands:
            yield self._tell_demand(demand, ply, name)
        if ply.thrown is not None:
            before, after = (tell_outcome(value, ply.side, voice) for value in ply.thrown)
            yield voice.say("analysis_threw", before=before, after=after, move=name)
        elif ply.missed_mate is not None:
            yield voice.say("analysis_mate_missed", moves=ply.missed_mate, move=name)
        elif best is not None and ply.mark not in (None, MoveMark.GOOD) and name:
            yield voice.say("analysis_better", move=name, score=str(ply.before))
        if ply.mark is MoveMark.GOOD:
            yield voice.say("analysis_only")

    def _tell_demand(self, demand: Demand, ply: PlyAnalysis, best: str) -> str:
        voice = self._voice
        reason = "" if demand.ruling is None else format_reason(demand.ruling, voice)
        better = ""
        if ply.best is not None and ply.best.moves[0] != ply.move:
            better = voice.say("demand_better", move=best, score=str(ply.before))
        return voice.say(
            f"demand_{demand.kind.value}",
            side=voice.side(demand.side),
            other=voice.side(not demand.side),
            move="" if demand.move is None else voice.move(self._board, demand.move),
            score=str(ply.before),
            reason=reason,
            ending="" if demand.ruling is None else format_sentence(demand.ruling, voice),
            better=better,
        )

    def _tell_book(self, book: BookMoves) -> str:
        if book.played is not None:
            return self._voice.say("analysis_book", found=self._name(book.played))
        found = ", ".join(map(self._name, book.moves[:_BOOK_MOVES]))
        return self._voice.say("analysis_left_book", found=found)

    def _name(self, found: BookMove) -> str:
        move = self._voice.move(self._board, found.move)
        if found.games:
            return self._voice.say("analysis_book_move", move=move, games=found.games)
        return self._voice.say("analysis_book_weight", move=move, weight=found.weight)
