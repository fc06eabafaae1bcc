"""Types of requests and answers, from which msgspec parses JSON and makes JSON schemas."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

from xiangqi.core.searches import MAX_DEPTH
from xiangqi.games.formats import FORMATS, Notation
from xiangqi.referee.rule_checks import MAX_OCCURRENCES, MIN_OCCURRENCES
from xiangqi.referee.rules import RULE_SETS
from xiangqi.texts import Language
from xiangqi.words.voice import MoveNotation

__all__ = [
    "MAX_PLIES",
    "AnalyseRequest",
    "ConvertRequest",
    "Converted",
    "Failure",
    "Found",
    "GameRequest",
    "Health",
    "JudgeRequest",
    "Judged",
    "Moves",
    "MovesRequest",
    "TableValues",
    "TablesRequest",
]

MAX_PLIES: Final = 5_000
"""Maximum number of moves in a game, as on the page."""
MAX_LINES: Final = 5
MAX_NODES: Final = 10**9
MIN_SECONDS: Final = 0.01
MAX_SECONDS: Final = 3_600.0
_WRITABLE: Final = [name for name, known in FORMATS.items() if known.can_write]

Side: TypeAlias = Literal["red", "black"]
Text: TypeAlias = Annotated[str, Meta(max_length=1 << 20)]


def _one_of(names: list[str], description: str) -> Meta:
    """Schema of a text with fixed values, which are validated only where they are used."""
    return Meta(description=description, extra_json_schema={"enum": names})


RuleName: TypeAlias = Annotated[str, _one_of([*RULE_SETS], "Rule set.")]


# Requests


class GameRequest(Struct, kw_only=True, forbid_unknown_fields=True):
    """A game: its starting position and its moves."""

    fen: (
        Annotated[
            str, Meta(description="Starting position; default: that of Xiangqi.", max_length=1_000)
        ]
        | UnsetType
    ) = UNSET
    moves: (
        Annotated[
            Annotated[list[str], Meta(max_length=MAX_PLIES)] | Text,
            Meta(
                description="Moves in any notation (炮二平五, C2.5, h2e2, h3e3): a list, or a text "
                "with or without move numbers.",
                examples=[["h2e2", "h9g7"], "1. C2.5 H8+7"],
            ),
        ]
        | UnsetType
    ) = UNSET
    position: (
        Annotated[
            Text,
            Meta(
                description="The game as a command of UCI or UCCI, in place of fen and moves.",
                examples=["position startpos moves h2e2 h9g7"],
            ),
        ]
        | UnsetType
    ) = UNSET
    rules: RuleName = "wxf"
    occurrences: (
        Annotated[
            int,
            Meta(
                description="Occurrences of a position that lead to a ruling; default: those of "
                "the rule set. 2 shows the ruling while a repetition can still be avoided.",
                ge=MIN_OCCURRENCES,
                le=MAX_OCCURRENCES,
            ),
        ]
        | None
    ) = None
    language: Annotated[Language, Meta(description="Language of sentences and errors.")] = "en"
    notation: Annotated[
        MoveNotation | None,
        Meta(description="Notation of moves in sentences; default: chinese in zh, iccs in en."),
    ] = None


class JudgeRequest(GameRequest, kw_only=True, forbid_unknown_fields=True):
    """A game whose last position is judged."""

    evidence: Annotated[
        bool, Meta(description="Add the evidence: each ply of the cycle with its attacks.")
    ] = True
    explain: Annotated[bool, Meta(description="Add the explanation in sentences.")] = False


class MovesRequest(GameRequest, kw_only=True, forbid_unknown_fields=True):
    """A game for whose last position the legal moves are listed."""


class AnalyseRequest(GameRequest, kw_only=True, forbid_unknown_fields=True):
    """A game whose last position is searched, until the first limit is reached."""

    seconds: (
        Annotated[
            float,
            Meta(
                description="Time limit; default and maximum: that of the service.",
                ge=MIN_SECONDS,
                le=MAX_SECONDS,
            ),
        ]
        | None
    ) = None
    depth: Annotated[int, Meta(description="Depth limit.", ge=1, le=MAX_DEPTH)] | None = None
    nodes: Annotated[int, Meta(description="Node limit.", ge=1, le=MAX_NODES)] | None = None
    lines: Annotated[int, Meta(description="Number of best lines.", ge=1, le=MAX_LINES)] = 1


class TablesRequest(GameRequest, kw_only=True, forbid_unknown_fields=True):
    """A game whose last position is looked up in the endgame tables, without its history."""


class ConvertRequest(Struct, kw_only=True, forbid_unknown_fields=True):
    """A file of games, in ``text`` or in ``data``."""

    to: Annotated[str, _one_of(_WRITABLE, "Format to write.")]
    text: Annotated[str | None, Meta(description="Content of a text file.")] = None
    data: Annotated[
        bytes | None, Meta(description="Content of any file in base64; gzip is unpacked.")
    ] = None
    source_format: (
        Annotated[str, _one_of([*FORMATS], "Format to read; default: detected.")] | None
    ) = field(default=None, name="from")
    notation: Annotated[
        Notation | None, Meta(description="Notation of moves; default: that of the format.")
    ] = None
    lossy: Annotated[bool, Meta(description="Drop what the format cannot hold.")] = False
    language: Language = "en"


# Answers


class Outcome(Struct):
    """Outcome of the game."""

    result: Literal["1-0", "0-1", "1/2-1/2"]
    winner: Side | None
    termination: str
    words: Annotated[str, Meta(description="The result and its reason as a sentence.")]


class Victim(Struct):
    """A piece by its FEN letter, and its square."""

    piece: str
    on: str


class FalseRoot(Victim):
    """A piece whose recapture would expose its own general, and the piece that pins it."""

    pinner: Victim | None


class Threat(Struct):
    """An attack after a ply, with the reason why it is profitable or not."""

    attacker: str
    origin: str = field(name="from")
    victim: str
    on: str
    reason: str
    root: str | None


class Proof(Struct):
    """Moves that prove a mark."""

    mark: str
    moves: list[str]
    victims: list[Victim]
    heavy: bool
    even: bool
    clause: str | None
    joint: str | None
    partners: list[Victim]
    before: list[str]
    false_roots: list[FalseRoot]


class Ply(Struct):
    """One move of the cycle."""

    ply: int
    side: Side
    piece: str
    move: str
    conduct: str
    mark: str
    heavy: bool | None
    checkers: list[str]
    threats: list[Threat]
    proofs: list[Proof]


class OffenceCount(Struct):
    """An offence that a rule set counts in rounds."""

    side: Side
    offence: str
    rounds: int
    allowed: int | None
    first: int | None
    victim: Victim | None
    pieces: list[str]


class Judged(Struct, kw_only=True):
    """A ruling, as ``xiangqi judge --json`` prints it, with sentences and the outcome."""

    verdict: Literal["undecided", "draw", "red_wins", "black_wins"]
    red: Annotated[str | None, Meta(description="Conduct of Red in the cycle.")]
    black: Annotated[str | None, Meta(description="Conduct of Black in the cycle.")]
    occurrences: Annotated[int, Meta(description="Occurrences of the last position.")]
    window: Annotated[
        tuple[int, int] | None, Meta(description="First and last ply of the cycle, from 0.")
    ]
    offender: Annotated[Side | None, Meta(description="The side that had to change.")]
    victim: Annotated[Victim | None, Meta(description="The piece chased perpetually.")]
    reason: Annotated[str, Meta(description="The reason, in the language of the request.")]
    rules: str
    words: Annotated[
        str, Meta(description="The ruling as a sentence, in the language of the request.")
    ]
    outcome: Annotated[Outcome | None, Meta(description="null while the game goes on.")]
    tables: Annotated[str, Meta(description="Value in the endgame tables; empty if unknown.")]
    explanation: str | UnsetType = UNSET
    fen: str | UnsetType = UNSET
    moves: list[str] | UnsetType = UNSET
    victims: dict[str, list[Victim]] | UnsetType = UNSET
    questions: list[str] | UnsetType = UNSET
    unsettled: list[int] | UnsetType = UNSET
    counters: list[OffenceCount] | UnsetType = UNSET
    too_many: OffenceCount | UnsetType | None = UNSET
    nine_round_offenders: list[Side] | UnsetType = UNSET
    plies: list[Ply] | UnsetType = UNSET


class LegalMove(Struct):
    """A legal move in each notation."""

    move: str
    chinese: str
    wxf: str
    vietnamese: str
    barred: Annotated[str | None, Meta(description="Why the rule set bars it; null if allowed.")]


class Moves(Struct):
    """The last position and its legal moves."""

    fen: str
    turn: Side
    check: bool
    occurrences: int
    moves: list[LegalMove]
    outcome: Outcome | None


class Score(Struct, omit_defaults=True):
    """One of: centipawns, mate in moves, a win by rule; for the side to move."""

    cp: int | None = None
    mate: int | None = None
    rule: Side | None = None


class Line(Struct):
    """A principal variation."""

    score: Score
    red: Annotated[int, Meta(description="The score from Red's side, as one number.")]
    words: str
    wdl: Annotated[tuple[int, int, int], Meta(description="Red's wins, draws, losses in ‰.")]
    iccs: list[str]
    chinese: list[str]
    wxf: list[str]
    vietnamese: list[str]


class Found(Struct):
    """Result of a search so far; ``final`` in the last line of the answer."""

    depth: int
    seldepth: int
    nodes: int
    nps: int
    seconds: float
    lines: list[Line]
    final: bool


class TableMove(Struct):
    """A legal move and its value for the side that plays it."""

    move: str
    value: Literal[-1, 0, 1]
    distance: int
    by_rule: bool


class TableValues(Struct):
    """Value of a position in the endgame tables; null if no table has it."""

    fen: str
    rules: Annotated[str | None, Meta(description="Rule set of the table.")]
    value: Annotated[
        Literal[-1, 0, 1] | None, Meta(description="1 won, 0 drawn, -1 lost for the side to move.")
    ]
    distance: Annotated[int | None, Meta(description="Plies to mate; 0 for a draw.")]
    by_rule: Annotated[bool | None, Meta(description="Is it decided by a ruling on repetition?")]
    words: str
    moves: Annotated[list[TableMove], Meta(description="All legal moves, the best first.")]


class Converted(Struct):
    """The file in the other format: ``text``, or ``data`` of a binary format in base64."""

    text: str | None
    data: bytes | None
    games: Annotated[int, Meta(description="Games read.")]
    written: Annotated[int, Meta(description="Games written.")]
    problems: Annotated[list[str], Meta(description="Errors in reading or writing.")]


class Health(Struct):
    """Health of the service."""

    status: Literal["ok"]
    version: str
    searches: Annotated[int, Meta(description="Running searches of this worker.")]
    max_searches: int


class Problem(Struct):
    """Error in a request."""

    code: str
    message: Annotated[str, Meta(description="A sentence in the language of the request.")]
    input: Annotated[str | None, Meta(description="The invalid input, quoted.")] = None
    place: Annotated[str | None, Meta(description="Its place: moves[3], fen, Content-Type.")] = None
    expected: str | None = None


class Failure(Struct):
    """Answer to a request that fails."""

    error: Problem


Answer: TypeAlias = Judged | Moves | TableValues | Converted | Health
Data: TypeAlias = dict[str, Any]
