"""Output of an analysis: a summary for each player, JSON data, and annotation of the game.

The annotation consists of comments, marks and variations, which any GUI shows. Existing annotation
is kept: its comments follow the added ones, its variations precede them, and a move that is marked
gets no second mark. Additions of an earlier analysis are recognised by their seal
(:mod:`xiangqi.games.additions`) and replaced, as are evaluations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from xiangqi.analysis.engines import EngineLine
from xiangqi.analysis.game import AnalysisSettings, GameAnalysis, PlyAnalysis
from xiangqi.analysis.knowledge import Demand, DemandKind
from xiangqi.analysis.values import MoveMark
from xiangqi.board import Board
from xiangqi.books import BookMove
from xiangqi.contract.rulings import ruling_to_dict
from xiangqi.games.additions import seal, seal_line, take_out_additions
from xiangqi.games.comments import put_eval, without_eval
from xiangqi.games.tree import Game, GameNode, start_board
from xiangqi.ground.installed import __version__
from xiangqi.pieces import BLACK, COLOR_NAMES, RED, Color, require_color
from xiangqi.referee.explanation import explain
from xiangqi.referee.rule_names import short_name
from xiangqi.tables.probing import describe_result
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = [
    "SideSummary",
    "analysis_to_dict",
    "annotate",
    "describe_plies",
    "describe_settings",
    "sum_up",
]

OURS: Final = " a move, "
"""Text that identifies an analysis by Meihua in the header ``Annotator``."""
LOST: Final = 0.02
"""Expected points at or below which a side is lost; its moves then do not count."""
KEPT: Final = 0.02
"""Loss below which a move counts as accurate."""
FAULTS: Final = frozenset(
    (DemandKind.LOST, DemandKind.MUST_CHANGE, DemandKind.LET_STAND, DemandKind.GAVE_WAY)
)
"""Demands of the rules that a move has failed to meet."""


@dataclass(frozen=True, slots=True)
class SideSummary:
    """Summary of one player's moves."""

    side: Color
    moves: int
    average_loss: float
    """Centipawns a move, with scores limited to +-10.00."""
    accuracy: float | None
    """Percentage of moves with a loss below :data:`KEPT`, in positions not yet lost; None without
    such positions."""
    marks: dict[MoveMark, int]
    mates_missed: int
    wins_thrown: int
    """Number of moves that give away a win or a draw by the tables."""
    rule_faults: int
    """Number of moves that do not meet the demands of the repetition rules."""

    def to_dict(self) -> dict[str, Any]:
        """The summary as JSON data."""
        return {
            "moves": self.moves,
            "average_loss": round(self.average_loss, 1),
            "accuracy": None if self.accuracy is None else round(self.accuracy, 1),
            "marks": {mark.sign: self.marks.get(mark, 0) for mark in MoveMark},
            "mates_missed": self.mates_missed,
            "thrown": self.wins_thrown,
            "rule_faults": self.rule_faults,
        }


def sum_up(plies: Iterable[PlyAnalysis], side: Color) -> SideSummary:
    """Summarise the moves of a side."""
    require_color(side)
    own = [ply for ply in plies if ply.side == side]
    counted = [ply for ply in own if ply.before.points(side) > LOST]
    kept = sum(ply.loss < KEPT for ply in counted)
    return SideSummary(
        side=side,
        moves=len(own),
        average_loss=sum(ply.loss_cp for ply in own) / len(own) if own else 0.0,
        accuracy=100 * kept / len(counted) if counted else None,
        marks=dict(Counter(ply.mark for ply in own if ply.mark is not None)),
        mates_missed=sum(ply.missed_mate is not None for ply in own),
        wins_thrown=sum(ply.thrown is not None for ply in own),
        rule_faults=sum(any(one.kind in FAULTS for one in ply.demands) for ply in own),
    )


def describe_settings(settings: AnalysisSettings, analyst: str) -> str:
    """Value of the header ``Annotator``: the engine, its effort and the rule set."""
    engine = analyst if settings.engine else f"{analyst} {__version__}"
    return f"{engine}, {settings.effort.describe()}{OURS}{settings.rules.describe()}"


def analysis_to_dict(analysis: GameAnalysis, settings: AnalysisSettings) -> dict[str, Any]:
    """An analysis as JSON data. Scores are from Red's side, as in ``[%eval]``."""
    return {
        "by": describe_settings(settings, analysis.analyst),
        "opening": analysis.opening,
        "first": None if analysis.first is None else str(analysis.first.eval()),
        "red": sum_up(analysis.plies, RED).to_dict(),
        "black": sum_up(analysis.plies, BLACK).to_dict(),
        "plies": [_ply_to_dict(ply) for ply in analysis.plies],
    }


def _ply_to_dict(ply: PlyAnalysis) -> dict[str, Any]:
    data: dict[str, Any] = {
        "ply": ply.ply + 1,
        "side": COLOR_NAMES[ply.side],
        "move": ply.move.iccs(),
        "line": [] if ply.best is None else [move.iccs() for move in ply.best.moves],
        "depth": 0 if ply.best is None else ply.best.depth,
        "before": str(ply.before.eval()),
        "after": str(ply.after.eval()),
        "loss": round(ply.loss, 4),
        "loss_cp": ply.loss_cp,
        "mark": None if ply.mark is None else ply.mark.sign,
        "missed_mate": ply.missed_mate,
        "thrown": None if ply.thrown is None else [value.value for value in ply.thrown],
    }
    if ply.demands:
        data["demands"] = [
            {
                "kind": one.kind.value,
                "move": None if one.move is None else one.move.iccs(),
                "ruling": None
                if one.ruling is None
                else ruling_to_dict(one.ruling, evidence=False),
            }
            for one in ply.demands
        ]
    if ply.book is not None:
        data["book"] = [[one.move.iccs(), one.weight, one.games] for one in ply.book.moves]
    return data


_LINE_PLIES: Final = 8
"""Number of plies of a better line that are shown; a mate is shown to the end."""
_BOOK_MOVES: Final = 3
"""Number of book moves that are named where a game leaves the book."""
_SIGNS: Final = frozenset(range(1, 7))
"""Numeric annotation glyphs (NAGs) of PGN that assess a move."""


def annotate(
    game: Game, analysis: GameAnalysis, settings: AnalysisSettings, voice: Voice = PLAIN_VOICE
) -> None:
    """Write the analysis of the main line into a game, replacing an earlier one."""
    take_out_additions(game)
    board = start_board(game.fen)
    writer = _Writer(board, settings, voice)
    for node, ply in zip(list(game.mainline()), analysis.plies, strict=True):
        writer.write(node, ply)
    sides = [sum_up(analysis.plies, side) for side in (RED, BLACK)]
    head = voice.say(
        "analysis_head",
        analyst=analysis.analyst,
        effort=settings.effort.describe(voice),
        rules=short_name(settings.rules),
    )
    sentences = [head, *(_describe_side(summary, voice) for summary in sides)]
    if analysis.opening:
        sentences.append(voice.say("analysis_opening", name=analysis.opening))
    words = seal(" ".join(sentences))
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


def _describe_side(summary: SideSummary, voice: Voice) -> str:
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


def describe_plies(
    fen: str, analysis: GameAnalysis, settings: AnalysisSettings, voice: Voice = PLAIN_VOICE
) -> list[list[str]]:
    """Sentences about each move of an analysed game, as written by :func:`annotate`."""
    writer = _Writer(start_board(fen), settings, voice)
    return [writer.describe(ply) for ply in analysis.plies]


class _Writer:
    """Writes about the moves of a game, which must come in order."""

    def __init__(self, board: Board, settings: AnalysisSettings, voice: Voice) -> None:
        self._board = board  # before the next move
        self._settings = settings
        self._voice = voice

    def describe(self, ply: PlyAnalysis) -> list[str]:
        sentences = list(self._sentences(ply))
        self._board.push_unchecked(ply.move)
        return sentences

    def write(self, node: GameNode, ply: PlyAnalysis) -> None:
        words = " ".join(self._sentences(ply))
        mark = ply.mark if _SIGNS.isdisjoint(node.nags) else None
        added = seal(words, mark) if words or mark is not None else ""
        node.comment = "\n".join(filter(None, [added, without_eval(node.comment)]))
        if ply.after.kind != "over":
            node.comment = put_eval(node.comment, ply.after.eval())
        if mark is not None:
            node.nags.insert(0, mark)
        is_fault = ply.mark not in (None, MoveMark.GOOD) or ply.missed_mate is not None
        if ply.best is not None and is_fault:
            self._add_line(node, ply.best)
        self._board.push_unchecked(ply.move)

    def _add_line(self, node: GameNode, line: EngineLine) -> None:
        """Add the better line as a variation, unless one with the same first move exists."""
        parent = node.parent
        assert parent is not None  # the node has a move
        if any(other.move == line.moves[0] for other in parent.variations):
            return
        value = line.value
        plies = 2 * abs(value.number) if value.kind == "mate" else _LINE_PLIES
        first, *others = line.moves[:plies]
        added = parent.add(first, put_eval("", value.eval()))
        added.add_line(others)
        seal_line(added)

    def _sentences(self, ply: PlyAnalysis) -> Iterator[str]:
        voice, best = self._voice, ply.best
        name = "" if best is None else voice.move(self._board, best.moves[0])
        book = ply.book
        if book is not None and book.played is not None:
            yield voice.say("analysis_book", found=self._name(book.played))
        elif book is not None:
            found = ", ".join(map(self._name, book.moves[:_BOOK_MOVES]))
            yield voice.say("analysis_left_book", found=found)
        for demand in ply.demands:
            yield self._describe_demand(demand, ply, name)
        if ply.thrown is not None:
            before, after = (describe_result(value, ply.side, voice) for value in ply.thrown)
            yield voice.say("analysis_threw", before=before, after=after, move=name)
        elif ply.missed_mate is not None:
            yield voice.say("analysis_mate_missed", moves=ply.missed_mate, move=name)
        elif best is not None and ply.mark not in (None, MoveMark.GOOD) and name:
            yield voice.say("analysis_better", move=name, score=str(ply.before))
        if ply.mark is MoveMark.GOOD:
            yield voice.say("analysis_only")

    def _describe_demand(self, demand: Demand, ply: PlyAnalysis, best: str) -> str:
        voice = self._voice
        reason = "" if demand.ruling is None else explain(demand.ruling).reason
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
            ending="" if demand.ruling is None else explain(demand.ruling).sentence,
            better=better,
        )

    def _name(self, found: BookMove) -> str:
        move = self._voice.move(self._board, found.move)
        if found.games:
            return self._voice.say("analysis_book_move", move=move, games=found.games)
        return self._voice.say("analysis_book_weight", move=move, weight=found.weight)
