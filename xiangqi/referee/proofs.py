"""Lines of moves that prove a mark, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xiangqi.core.board import CoreBoard
from xiangqi.fen import Setup
from xiangqi.pieces import Color
from xiangqi.referee.ruling import Clause, FalseRoot, Joint, Mark, PlyReport, Proof, Victim
from xiangqi.words import SENTENCES
from xiangqi.words.voice import PLAIN_VOICE, Voice

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = ["format_before", "format_line", "format_proof", "format_weight"]


def format_proof(proof: Proof, color: Color, cells: bytes, voice: Voice = PLAIN_VOICE) -> str:
    """Threat or offer of a move of this side, with the line that shows it.

    ``cells`` are the codes of all pieces after the move; in the line the other side passes first.

    >>> from xiangqi.core.move import Move
    >>> from xiangqi.pieces import RED
    >>> from xiangqi.referee.ruling import Mark
    >>> cells = CoreBoard("3k5/9/9/9/9/9/9/9/4R4/4K4 b").setup().board
    >>> format_proof(Proof(Mark.KILL, (Move.from_iccs("e1d1"),)), RED, cells, Voice("en", "wxf"))
    'threatens mate: R5.6#'
    """
    key = "proof_even" if proof.is_even else f"proof_{proof.mark.value}"
    if proof.clause is Clause.MATED:
        key = "proof_mated"
    told = voice.say(
        key if key in SENTENCES else "proof_other",
        mark=voice.say(f"mark_{proof.mark.value}"),
        victims=_name(proof.victims, cells, voice) if proof.victims else voice.say("material"),
        line=format_line(proof.moves, color, cells, voice),
        answer=format_line(proof.moves, color, cells, voice, skip=1),
    )
    for false_root in proof.false_roots:
        told += _tell_false_root(false_root, cells, voice)
    if proof.clause is None or proof.clause is Clause.MATED:
        return told
    why = voice.say(f"uncounted_{proof.clause.value}")
    return voice.say("proof_uncounted", proof=told, why=why)


def _name(victims: Iterable[Victim], cells: bytes, voice: Voice) -> str:
    named = [(victim.square, victim.piece) for victim in victims]
    return voice.pieces(named, cells) if named else ""


def _tell_false_root(false_root: FalseRoot, cells: bytes, voice: Voice) -> str:
    """That a piece may not take back, and what pins it."""
    root, pinner = false_root
    if pinner is None:
        return voice.say("root_facing", root=_name([root], cells, voice))
    return voice.say(
        "root_pinned", root=_name([root], cells, voice), pinner=_name([pinner], cells, voice)
    )


def format_before(proof: Proof, move: Move, color: Color, cells: bytes, voice: Voice) -> str:
    """Result of the capture before the move, which made it good; often nothing.

    ``cells`` are those after the move, which captured nothing.
    """
    if not proof.before:
        return ""
    earlier = bytearray(cells)
    earlier[move.from_square], earlier[move.to_square] = earlier[move.to_square], 0
    line = format_line(proof.before, color, bytes(earlier), voice)
    return voice.say("proof_before", line=line)


def format_weight(report: PlyReport, cells: bytes, voice: Voice = PLAIN_VOICE) -> str:
    """Weight of a forbidden move, with the reason; empty of a move that is not weighed."""
    if report.is_heavy is None:
        return ""
    if report.mark is not Mark.CHASE:
        return voice.say("weight_heavy", mark=voice.say(f"mark_{report.mark.value}"))
    main = report.proofs[0]
    if report.is_heavy:
        return voice.say("weight_single")
    joint = Joint.CHECKS if main.joint is None else main.joint
    return voice.say(f"weight_{joint.value}", partners=_name(main.partners, cells, voice))


def format_line(
    moves: Sequence[Move], color: Color, cells: bytes, voice: Voice = PLAIN_VOICE, skip: int = 0
) -> str:
    """The moves of a line as the voice names them, with ``#`` behind one that mates; without the
    first ``skip``."""
    board = CoreBoard(Setup(cells, color))
    names = []
    for move in moves:
        names.append(voice.move(board, move))
        board.push_unchecked(move)
    line = voice.say("comma").join(names[skip:])
    return f"{line}#" if moves and board.is_check() and not board.has_legal_move() else line
