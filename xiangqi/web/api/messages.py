"""Types of requests and answers, from which msgspec parses JSON and makes JSON schemas."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

from xiangqi.core.searches import MAX_DEPTH
from xiangqi.games.formats import FORMATS, Notation
from xiangqi.ground.texts import Language
from xiangqi.referee.rule_checks import MAX_OCCURRENCES, MIN_OCCURRENCES
from xiangqi.referee.rules import RULE_SETS
from xiangqi.words.voice import MoveNotation

__all__ = [
    "MAX_PLIES",
    "AnalyseRequest",
    "ConvertRequest",
    "GameRequest",
    "JudgeRequest",
    "MovesRequest",
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
        Meta(description="Notation of moves in sentences; default: that of the language."),
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
    stream: Annotated[
        bool, Meta(description="False: answer with the final result only, as one JSON object.")
    ] = True


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


Data: TypeAlias = dict[str, Any]
