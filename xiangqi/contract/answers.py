"""Answers to questions about a game, as JSON data: ruling and outcome, legal moves, lines of play,
values of the endgame tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, TypeAlias, TypedDict, cast

from xiangqi.board import Board
from xiangqi.contract.explanations import ExplanationData, explanation_to_dict
from xiangqi.contract.rulings import RulingData, SideName, ruling_to_dict
from xiangqi.contract.schema import Choice
from xiangqi.core.move import Move
from xiangqi.pieces import COLOR_NAMES
from xiangqi.referee.endings import explain_bars, explain_outcome
from xiangqi.referee.explanation import Explanation
from xiangqi.referee.outcome import Termination
from xiangqi.referee.rules import RuleSet
from xiangqi.words.voice import Voice, name_move

__all__ = [
    "BarredMoveData",
    "ConvertedData",
    "DrawingData",
    "FoundData",
    "HealthData",
    "JudgedData",
    "LegalMoveData",
    "LineData",
    "MovesData",
    "NamesData",
    "OutcomeData",
    "ScoreData",
    "TableMoveData",
    "TableValuesData",
    "TextData",
    "judge",
    "list_barred",
    "list_moves",
    "name_line",
    "outcome_to_dict",
]

_RESULTS: Final = Choice("Result", ("1-0", "0-1", "1/2-1/2"))
_BY_RULE: Final = "Is it decided by a ruling on repetition?"
_WinDrawLoss: TypeAlias = Annotated[int, range(-1, 2)]
_DISTANCE: Final = "Plies to mate; 0 for a draw."


class OutcomeData(TypedDict):
    """Outcome of a game, by mate, repetition or another rule."""

    result: Annotated[str, _RESULTS]
    winner: Annotated[SideName | None, "null for a draw."]
    termination: Annotated[str, Termination]
    words: Annotated[str, "The result and its reason in a sentence."]


def outcome_to_dict(board: Board, rules: RuleSet, voice: Voice) -> OutcomeData | None:
    """JSON data of the outcome of a game; None while it is undecided."""
    found = board.outcome(rules)
    if found is None:
        return None
    return {
        "result": found.result(),
        "winner": None if found.winner is None else COLOR_NAMES[found.winner],
        "termination": found.termination.name.lower(),
        "words": explain_outcome(board, found, rules).say(voice),
    }


class _Ruled(RulingData):
    words: Annotated[str, "The ruling in a sentence."]
    outcome: Annotated[OutcomeData | None, "null while the game goes on."]


class JudgedData(_Ruled, total=False):
    """The ruling on the last position of a game, in words too, and the outcome of the game."""

    explanation: Annotated[ExplanationData, "On request."]
    tables: Annotated[str, "Value in the endgame tables; empty if unknown."]


def judge(
    board: Board, rules: RuleSet, voice: Voice, *, evidence: bool = True, explain: bool = False
) -> JudgedData:
    """Judge the last position of a game; without the endgame tables."""
    ruling = board.judge(rules)
    data = cast("JudgedData", ruling_to_dict(ruling, voice, evidence=evidence))
    found = Explanation(ruling)
    data["words"] = found.sentence.say(voice)
    data["outcome"] = outcome_to_dict(board, rules, voice)
    if explain:
        data["explanation"] = explanation_to_dict(found, voice)
    return data


class LegalMoveData(TypedDict):
    """A legal move in each notation."""

    move: Annotated[str, "In coordinates."]
    chinese: str
    wxf: str
    vietnamese: str
    barred: Annotated[str | None, "Why the rule set bars it; null if allowed."]


class BarredMoveData(TypedDict):
    """A legal move that the repetition rules bar."""

    move: str
    reason: str


class MovesData(TypedDict):
    """The last position of a game and its legal moves."""

    fen: str
    turn: SideName
    check: Annotated[bool, "Is the side to move in check?"]
    occurrences: Annotated[int, "Occurrences of the position in the game."]
    moves: list[LegalMoveData]
    outcome: Annotated[OutcomeData | None, "null while the game goes on."]


def list_moves(board: Board, rules: RuleSet, voice: Voice) -> MovesData:
    """List the legal moves of a position, those barred with the reason."""
    reasons = explain_bars(board, rules)
    moves: list[LegalMoveData] = []
    for move in board.list_moves():
        names = name_move(board, move)
        moves.append(
            {
                "move": names["iccs"],
                "chinese": names["chinese"],
                "wxf": names["wxf"],
                "vietnamese": names["vietnamese"],
                "barred": reasons[move].say(voice) if move in reasons else None,
            }
        )
    return {
        "fen": board.fen(),
        "turn": COLOR_NAMES[board.turn],
        "check": board.is_check(),
        "occurrences": board.repetitions(),
        "moves": moves,
        "outcome": outcome_to_dict(board, rules, voice),
    }


def list_barred(board: Board, rules: RuleSet, voice: Voice) -> list[BarredMoveData]:
    """List the legal moves that the repetition rules bar."""
    reasons = explain_bars(board, rules)
    return [{"move": move.iccs(), "reason": why.say(voice)} for move, why in reasons.items()]


class NamesData(TypedDict):
    """Moves of a line of play, in each notation."""

    iccs: list[str]
    chinese: list[str]
    wxf: list[str]
    vietnamese: list[str]


def name_line(board: Board, moves: Iterable[Move]) -> NamesData:
    """Name the moves of a line of play in each notation. Raises IllegalMoveError."""
    work = board.copy(stack=False)
    data: NamesData = {"iccs": [], "chinese": [], "wxf": [], "vietnamese": []}
    for move in moves:
        for notation, name in name_move(work, move).items():
            data[notation].append(name)
        work.push(move)
    return data


# Answers of higher packages


class ScoreData(TypedDict, total=False):
    """One of: centipawns, mate in moves, a win by rule; for the side to move."""

    cp: int
    mate: int
    rule: SideName


class LineData(NamesData):
    """A line of best play, in each notation."""

    score: ScoreData
    red: Annotated[int, "The score from Red's side, as one number."]
    words: str
    wdl: Annotated[tuple[int, int, int], "Red's wins, draws, losses in ‰."]


class FoundData(TypedDict):
    """Result of a search so far."""

    depth: int
    seldepth: int
    nodes: int
    nps: int
    seconds: float
    lines: Annotated[list[LineData], "The best line first."]
    final: Annotated[bool, "Is it the last result?"]


class TableMoveData(TypedDict):
    """A legal move and its value for the side that plays it."""

    move: str
    value: Annotated[_WinDrawLoss, "1 won, 0 drawn, -1 lost for the side that plays it."]
    distance: Annotated[int, _DISTANCE]
    by_rule: Annotated[bool, _BY_RULE]


class TableValuesData(TypedDict):
    """Value of a position in the endgame tables; null if no table has it."""

    fen: str
    rules: Annotated[str | None, "Rule set of the table."]
    value: Annotated[_WinDrawLoss | None, "1 won, 0 drawn, -1 lost for the side to move."]
    distance: Annotated[int | None, _DISTANCE]
    by_rule: Annotated[bool | None, _BY_RULE]
    words: Annotated[str, "The value in a sentence; empty if unknown."]
    moves: Annotated[list[TableMoveData], "All legal moves, the best first."]


class ConvertedData(TypedDict):
    """A file of games in another format: its text, or the data of a binary format in base64."""

    text: str | None
    data: bytes | None
    games: Annotated[int, "Games read."]
    written: Annotated[int, "Games written."]
    problems: Annotated[list[str], "Errors in reading or writing."]


class TextData(TypedDict):
    """A game as text."""

    format: str
    plies: int
    more: Annotated[bool, "Did the text have further games?"]
    text: str


class DrawingData(TypedDict):
    """The position of a diagram."""

    fen: str


class HealthData(TypedDict):
    """Health of a service."""

    status: Annotated[str, Choice("Status", ("ok",))]
    version: str
    searches: Annotated[int, "Running searches of this worker."]
    max_searches: int
