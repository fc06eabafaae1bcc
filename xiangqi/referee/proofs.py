"""Lines of moves that prove a mark, in words."""

from __future__ import annotations

from xiangqi.core.board import CoreBoard
from xiangqi.fen import Setup
from xiangqi.pieces import Color
from xiangqi.referee.ruling import Proof
from xiangqi.words import SENTENCES
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = ["format_line", "format_proof"]


def format_proof(proof: Proof, color: Color, cells: bytes, voice: Voice = PLAIN_VOICE) -> str:
    """What a move of this side threatens or offers, with the line that shows it.

    ``cells`` are the codes of all pieces after the move; in the line the other side passes first.

    >>> from xiangqi.core.move import Move
    >>> from xiangqi.pieces import RED
    >>> from xiangqi.referee.ruling import Mark
    >>> cells = CoreBoard("3k5/9/9/9/9/9/9/9/4R4/4K4 b").setup().board
    >>> format_proof(Proof(Mark.KILL, (Move.from_iccs("e1d1"),)), RED, cells, Voice("en", "wxf"))
    'threatens mate: R5.6#'
    """
    key = f"proof_{proof.mark.value}"
    victims = [(victim.square, victim.piece) for victim in proof.victims]
    told = voice.say(
        key if key in SENTENCES else "proof_other",
        mark=voice.say(f"mark_{proof.mark.value}"),
        victims=voice.pieces(victims, cells) if victims else voice.say("material"),
        line=format_line(proof, color, cells, voice),
    )
    if proof.clause is None:
        return told
    why = voice.say(f"uncounted_{proof.clause.value}")
    return voice.say("proof_uncounted", proof=told, why=why)


def format_line(proof: Proof, color: Color, cells: bytes, voice: Voice = PLAIN_VOICE) -> str:
    """The moves of a proof as the voice names them, with ``#`` behind one that mates."""
    board = CoreBoard(Setup(cells, color))
    names = []
    for move in proof.moves:
        names.append(voice.move(board, move))
        board.push_unchecked(move)
    line = voice.say("comma").join(names)
    return f"{line}#" if board.is_check() and not board.has_legal_move() else line
