"""Everything Meihua says about a ruling, in English and Chinese, from one table.

:data:`SENTENCES` has a row for each thing that can be said; :func:`say` fills it in. Names of
pieces and sides have their own functions. A test holds the two columns to the same gaps.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from xiangqi.pieces import RED, Color, Piece, Square, square_name

__all__ = ["LANGUAGES", "SENTENCES", "Language", "name_piece", "name_side", "say"]

Language: TypeAlias = Literal["en", "zh"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh")

SENTENCES: Final[dict[str, tuple[str, str]]] = {
    # Verdicts and conduct
    "undecided": ("undecided", "未决"),
    "draw": ("draw", "和棋"),
    "red_wins": ("Red wins", "红胜"),
    "black_wins": ("Black wins", "黑胜"),
    "idle": ("idle", "闲着"),
    "chase": ("chase", "捉"),
    "check": ("check", "将军"),
    "perpetual_idle": ("idle moves", "非长将非长捉"),
    "perpetual_chase": ("perpetual chase", "长捉"),
    "perpetual_check": ("perpetual check", "长将"),
    # The case in one sentence
    "why_undecided": (
        "the position has occurred {found} of {required} times",
        "此局面出现{found}次，须{required}次方可裁决",
    ),
    "why_check": (
        "{side} checks perpetually and must change; {other}: {conduct}",
        "{side}长将，必须变着；{other}：{conduct}",
    ),
    "why_chase": (
        "{side} chases the {victims} perpetually and must change; {other}: {conduct}",
        "{side}长捉{victims}，必须变着；{other}：{conduct}",
    ),
    "why_equal": (
        "both sides alike: {conduct}",
        "双方相同：{conduct}",
    ),
    # The report
    "heading": ("Ruling: {verdict}: {reason}.", "裁决：{verdict}：{reason}。"),
    "rules": ("Rules: {rules}", "规则：{rules}"),
    "position": ("Position: {fen}", "局面：{fen}"),
    "moves": ("Moves: {moves}", "着法：{moves}"),
    "window": (
        "The position has occurred {occurrences} times; judged are moves {first} to {last}.",
        "此局面已出现{occurrences}次；裁决第{first}至第{last}着。",
    ),
    "side": ("{side}: {conduct}{of}", "{side}：{conduct}{of}"),
    "of_victims": (" of the {victims}", "{victims}"),
    "on": ("{piece} on {square}", "{square}的{piece}"),
    "and": (" and the ", "、"),
    "ply": ("{number:>4}. {side:5} {move}  {conduct}", "{number:>4}. {side} {move}  {conduct}"),
    "checking": ("the {pieces} gives check", "{pieces}将军"),
    "attack": ("the {attacker} attacks the {victim}: {reason}", "{attacker}攻击{victim}：{reason}"),
    "nothing": ("attacks nothing", "无攻击"),
    # Why an attack is a chase or is none
    "reason_chase": (
        "a chase, made by this move and parried by the reply",
        "捉，由此着造成，被对方应着化解",
    ),
    "reason_profit": ("at a profit", "得子"),
    "reason_uncrossed_pawn": (
        "no chase, a soldier on its own bank may be attacked",
        "不算捉，可捉未过河的兵卒",
    ),
    "reason_king_or_pawn": (
        "no chase, a general or soldier may attack for ever",
        "不算捉，将帅兵卒允许长捉",
    ),
    "reason_pinned": (
        "no chase, the capture would expose its own general",
        "不算捉，吃子后己方将帅被攻击",
    ),
    "reason_exchange": (
        "no chase, an exchange is offered: the victim could take first",
        "不算捉，属兑子，被攻击之子可先吃",
    ),
    "reason_protected": ("no chase, it is protected by the {root}", "不算捉，有根，由{root}保护"),
    "reason_stood_before": (
        "no chase, the threat stood before the move",
        "不算捉，此着之前已有攻击",
    ),
    "reason_line_exempt": (
        "no chase, it stood still and only a root along its own line changed",
        "不算捉，攻击子未动，仅同线之根变化",
    ),
    "reason_unanswered": (
        "no chase, the reply left the threat standing",
        "不算捉，对方应着未化解",
    ),
    # Whole games
    "decided": ("after move {ply}: {verdict}: {why}", "第{ply}着后：{verdict}：{why}"),
    "not_decided": ("nothing decides it in {plies} moves", "{plies}着内未分胜负"),
    "record_differs": ("; the record says {result}", "；记录结果为{result}"),
    "ended_checkmate": ("checkmate", "将死"),
    "ended_stalemate": ("no legal move", "困毙"),
    "ended_no_capture": ("too long without a capture", "自然限着"),
    "warned": (
        "The position had occurred twice after move {ply}: a warning was due.",
        "此局面于第{ply}着后出现第二次，应予警告。",
    ),
    # The safety of pieces
    "mark_attacked": ("can be captured at a profit", "可被得子"),
    "mark_pinned": ("pinned: leaving its square would expose its own general", "被牵制"),
    "mark_protected": ("protected", "有根"),
    "mark_false": ("protected in appearance only", "假根"),
    "false_root": (" (the {root} protects it only in appearance)", "（{root}为假根）"),
}

_COLUMN: Final[dict[Language, int]] = {"en": 0, "zh": 1}


def say(language: Language, key: str, **values: object) -> str:
    """Fill in a row of the table.

    >>> say("en", "draw"), say("zh", "draw")
    ('draw', '和棋')
    """
    return SENTENCES[key][_COLUMN[language]].format(**values)


def name_side(language: Language, color: Color) -> str:
    """Name a side: Red, 红方."""
    if language == "zh":
        return "红方" if color == RED else "黑方"
    return "Red" if color == RED else "Black"


def name_piece(language: Language, piece: Piece, square: Square) -> str:
    """Name a piece and where it stands.

    >>> name_piece("en", Piece.from_symbol("h"), 2), name_piece("zh", Piece.from_symbol("h"), 2)
    ('black horse on c0', 'c0的黑马')
    """
    if language == "zh":
        name = ("红" if piece.color == RED else "黑") + piece.chinese("simplified")
    else:
        name = piece.name()
    return say(language, "on", piece=name, square=square_name(square))
