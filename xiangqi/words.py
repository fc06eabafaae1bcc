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
    # Who had to change
    "who_changes": ("Who had to change?", "谁须变着？"),
    "comma": (", ", "，"),
    "semicolon": ("; ", "；"),
    "stop_checking": (
        "{side} had to stop checking: every move of it gives check ({moves}).",
        "{side}须停止将军：其每着均为将军（{moves}）。",
    ),
    "stop_chasing": (
        "{side} had to stop chasing the {victims}. These moves chase it:",
        "{side}须停止捉{victims}。捉子之着：",
    ),
    "chasing_move": (
        "{move}: the {attacker} attacks the {victim}",
        "{move}：{attacker}攻击{victim}",
    ),
    "way_out": (
        "One move in the round that neither checks nor chases would have been enough for {side}: "
        "the game would have been a draw.",
        "循环中{side}只要有一着非将非捉，即可作和。",
    ),
    "way_out_other": (
        "One move in the round that neither checks nor chases would have been enough for {side}: "
        "then {other} would have had to change.",
        "循环中{side}只要有一着非将非捉，便应由{other}变着。",
    ),
    "not_obliged": ("{side} did not have to change: {why}.", "{side}不须变着：{why}。"),
    "nobody_obliged": (
        "Neither side had to change; the repetition is a draw.",
        "双方均不须变着，不变作和。",
    ),
    "both_obliged": (
        "Neither side had to change before the other: {conduct} by both is a draw. Had one of "
        "them stopped, the other would have had to change.",
        "双方均为{conduct}，不变作和。若一方先变，则另一方须变着。",
    ),
    "clear_by_rules": ("under these rules no repetition loses", "此规则下重复局面一律作和"),
    "clear_by_weight": ("the other side's checks weigh more", "对方长将，其责更重"),
    "clear_by_no_check": ("its move {move} gives no check", "其着{move}不是将军"),
    "clear_by_idle_move": (
        "its move {move} neither checks nor chases, and one such move in the round is enough",
        "其着{move}非将非捉，循环中有此一着即可",
    ),
    "clear_by_mixture": (
        "some of its moves check and others chase",
        "其着有将有捉，非长将亦非长捉",
    ),
    "clear_by_victims": ("no piece is chased by every move of it", "没有一子被其每着所捉"),
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
    "ending": ("{verdict}: {why}", "{verdict}：{why}"),
    "decided": ("after move {ply}: {ending}", "第{ply}着后：{ending}"),
    "not_decided": ("nothing decides it in {plies} moves", "{plies}着内未分胜负"),
    "record_differs": ("; the record says {result}", "；记录结果为{result}"),
    "ended_checkmate": ("checkmate", "将死"),
    "ended_stalemate": ("no legal move", "困毙"),
    "ended_no_capture": ("too long without a capture", "自然限着"),
    "decided_illegal_move": (
        "illegal move {text} at ply {ply}: {verdict}",
        "第{ply}着{text}不合规则：{verdict}",
    ),
    "illegal_move_followed": (
        "illegal move {text} at ply {ply}, yet the record goes on for {following} more: probably a "
        "slip of the pen; if it was played, {verdict}",
        "第{ply}着{text}不合规则，而记录其后尚有{following}着，疑为笔误；若确系如此行棋，则{verdict}",
    ),
    "warned": (
        "The position had occurred twice after move {ply}: a warning was due.",
        "此局面于第{ply}着后出现第二次，应予警告。",
    ),
    # Pages
    "pair": ("{name}: {value}", "{name}：{value}"),
    "ruled_as": ("{verdict} ({red}, {black})", "{verdict}（{red}，{black}）"),
    "page_games": ("Games and their rulings", "对局与裁决"),
    "page_cases": ("The cases of the rule book", "规则棋例"),
    "page_index": ("Contents", "目录"),
    "page_game": ("Game", "对局"),
    "page_case": ("Case", "棋例"),
    "page_title": ("What happens", "内容"),
    "page_players": ("Red - Black", "红方－黑方"),
    "page_recorded": ("Recorded", "记录结果"),
    "page_ruled": ("Ruled", "裁决"),
    "page_expected": ("Expected", "应判"),
    "page_agrees": ("Agrees", "相符"),
    "page_same": ("same", "相同"),
    "page_different": ("different", "不同"),
    "page_previous": ("Previous", "上一局"),
    "page_next": ("Next", "下一局"),
    "page_board": ("Board", "棋盘"),
    "page_ply": ("Ply", "着数"),
    "page_first": ("First position", "最初局面"),
    "page_back": ("One move back", "后退一着"),
    "page_on": ("One move on", "前进一着"),
    "page_last": ("Last position", "最后局面"),
    "page_to_cycle": ("To the cycle", "到循环处"),
    "page_flip": ("Turn the board", "翻转棋盘"),
    "page_moves": ("The moves", "着法"),
    "page_side": ("Side", "方"),
    "page_move": ("Move", "着法"),
    "page_conduct": ("Conduct", "性质"),
    "page_why": ("What it attacks, and why that is a chase or none", "攻击与理由"),
    "page_cycle": ("The cycle: moves {first} to {last}.", "循环：第{first}至第{last}着。"),
    "page_no_script": (
        "The board needs JavaScript; the moves and the ruling below do not.",
        "棋盘需要JavaScript；下列着法与裁决不需要。",
    ),
    "page_rule_sets": ("Under other rules", "依其他规则"),
    "page_case_text": ("The whole case as text", "全文"),
    "page_record": ("The record", "棋谱信息"),
    "page_errors": ("What could not be read", "无法读取之处"),
    "page_key": ("Arrows", "箭头"),
    "page_source": ("Source", "出处"),
    "page_note": ("Note", "注"),
    "page_chapter": ("Chapter", "章"),
    "page_counts": (
        "{games} games, {different} with another result",
        "{games}局，{different}局不符",
    ),
    "page_case_counts": (
        "{games} cases, {different} ruled differently",
        "{games}例，{different}例不符",
    ),
    "arrow_check": ("check", "将军"),
    "arrow_chase": ("chase", "捉"),
    "arrow_attack": ("attack that is no chase", "攻击，不算捉"),
    "arrow_protection": ("protection", "保护"),
    "arrow_false_protection": ("false protection", "假根"),
    # The cases of the rule book
    "way_as_written": ("as written", "原着法"),
    "way_entered": ("entered at ply {ply}", "自循环第{ply}着后起"),
    "way_longer": ("one more round", "多走一轮"),
    "way_mirrored": ("mirrored", "左右互换"),
    "way_exchanged": ("colours exchanged", "红黑互换"),
    "verify_ruling": ("Ruling", "裁决中"),
    "verify_differing": ("Ruled otherwise than expected:", "与应判不符："),
    "verify_ways": ("{ruled} in {count} of {rulings} ways", "{rulings}种走法中{count}种判{ruled}"),
    "verify_expected": ("{ruled}; expected: {expected}", "{ruled}；应判{expected}"),
    "verify_chapters": ("Cases ruled as expected, by chapter:", "各章裁决与应判相符之例："),
    "verify_total": (
        "{cases} cases, {rulings} rulings: {passed} cases as expected, {different} different.",
        "{cases}例，{rulings}次裁决：{passed}例相符，{different}例不符。",
    ),
    "verify_more": (
        "Every case: xiangqi verify --list",
        "逐例列出：xiangqi verify --list --lang zh",
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
