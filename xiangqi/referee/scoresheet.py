"""The moves of a ruling's game as phrases, with their rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xiangqi.referee.ruling import Ruling, Trace
from xiangqi.words.phrases import Listing, Rounds, Text
from xiangqi.words.voice import Phrase, Voice

__all__ = ["PlayedMove", "ScoreSheet"]


@dataclass(frozen=True, slots=True)
class PlayedMove(Phrase):
    """Move of a game."""

    trace: Trace = field(repr=False)
    ply: int
    """Counted from 0."""

    def _say(self, voice: Voice) -> str:
        return self.trace.names(voice.notation, voice.move)[self.ply]


@dataclass(frozen=True, slots=True)
class MoveList(Phrase):
    """All moves of a game, with round numbers."""

    trace: Trace = field(repr=False)
    rounds: Rounds

    def _say(self, voice: Voice) -> str:
        names = self.trace.names(voice.notation, voice.move)
        marked = ((self.rounds.mark(ply), name) for ply, name in enumerate(names))
        return " ".join(word for pair in marked for word in pair if word)


class ScoreSheet:
    """Moves of a ruling's game."""

    def __init__(self, ruling: Ruling) -> None:
        self._trace = ruling.trace
        self.rounds = Rounds(self._trace.number, self._trace.turn)

    def move(self, ply: int) -> PlayedMove:
        """Move of a ply, from 0."""
        return PlayedMove(self._trace, ply)

    def moves(self) -> MoveList:
        return MoveList(self._trace, self.rounds)

    def number_rounds(self, plies: Sequence[int]) -> Listing:
        """Round numbers of several plies: ``2 and 4``."""
        return Listing(tuple(str(self.rounds.number(ply)) for ply in plies))

    def list_rounds(self, plies: Sequence[int]) -> Text:
        """Rounds of several plies: ``rounds 2 and 4``."""
        rounds = self.number_rounds(plies)
        return Text("in_round" if len(plies) == 1 else "in_rounds", rounds=rounds)

    def repeated(self, plies: Sequence[int]) -> Text:
        """Move played at several plies, with its rounds.

        >>> from xiangqi.core.board import CoreBoard
        >>> from xiangqi.referee.judging import Referee
        >>> ruling = Referee().judge_moves(CoreBoard().fen(), "a0a1 i9i8 a1a0 i8i9 a0a1".split())
        >>> print(ScoreSheet(ruling).repeated([0, 4]))
        a0a1 (rounds 1 and 3)
        """
        return Text("repeated", move=self.move(plies[0]), where=self.list_rounds(plies))
