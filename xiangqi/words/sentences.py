"""Table of sentences in English and Chinese.

:data:`SENTENCES` has those on rulings, those on clauses of rule books from ``clauses``, and those
of pages, commands and analysed games from ``pages``; :func:`say` formats one. A placeholder for a
number may have a noun, ``{games:game}``: see :class:`~xiangqi.errors.Count`. A test compares the
placeholders of both languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from xiangqi.errors import Count, Language
from xiangqi.pieces import RED, Color, Piece, Square, require_color, square_name
from xiangqi.words.clauses import CLAUSES
from xiangqi.words.pages import PAGES

__all__ = [
    "LANGUAGES",
    "SENTENCES",
    "Language",
    "enumerate_words",
    "fill",
    "name_piece",
    "name_side",
    "say",
]

LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh")

SENTENCES: Final[dict[str, tuple[str, str]]] = {
    # Verdicts and conduct
    "undecided": ("undecided", "未决"),
    "draw": ("draw", "和棋"),
    "red_wins": ("Red wins", "红胜"),
    "black_wins": ("Black wins", "黑胜"),
    "must_change": ("{side} must change, or loses", "{side}须变着，不变判负"),
    "barred_move": ("{move} is barred ({place})", "{move}为禁着（{place}）"),
    "may_not_go_on": ("{side} may not go on", "{side}不得继续"),
    "nothing_barred": ("nothing is barred", "无禁着"),
    "idle": ("idle", "闲着"),
    "chase": ("chase", "捉"),
    "check": ("check", "将军"),
    "perpetual_idle": ("idle moves", "非长将非长捉"),
    "perpetual_chase": ("perpetual chase", "长捉"),
    "perpetual_check": ("perpetual check", "长将"),
    "perpetual_mixture": ("forbidden moves by turns", "禁止着法相间"),
    "perpetual_light": ("forbidden moves, one of them light", "禁止着法（有轻着）"),
    "perpetual_heavy": ("forbidden moves, all of them heavy", "禁止着法（均为重着）"),
    "light": ("light", "轻"),
    "heavy": ("heavy", "重"),
    # The case in one sentence
    "why_undecided": (
        "the position has occurred {found:times}; a ruling takes {required:occurrence}",
        "此局面出现{found}次，须{required}次方可裁决",
    ),
    "why_counting": (
        "the game goes on: no offence has used up its rounds, and the position has occurred "
        "{found:times}",
        "对局继续：双方计数均未用尽，此局面出现{found}次",
    ),
    "why_check": (
        "{side} checked perpetually and had to change; {other}: {conduct}",
        "{side}长将，应变着而未变；{other}：{conduct}",
    ),
    "why_chase": (
        "{side} chased {victims} perpetually and had to change; {other}: {conduct}",
        "{side}长捉{victims}，应变着而未变；{other}：{conduct}",
    ),
    "why_forbidden": (
        "{side} made nothing but forbidden moves ({marks}) and had to change; {other}: {conduct}",
        "{side}均为禁止着法（{marks}），应变着而未变；{other}：{conduct}",
    ),
    "why_rounds": (
        "{side} has gone on for {rounds:round}, the limit for this offence: {offence}",
        "{side}{offence}已满{rounds}回合，不得继续",
    ),
    "offence_check": ("checks", "连续将军"),
    "offence_check_and_chase": ("checks and chases by turns", "将、捉交替"),
    "offence_chase": ("chase of {victim}", "捉{victim}"),
    "count": ("{side}: {offence}, {rounds} of {allowed}", "{side}：{offence}，{rounds}/{allowed}"),
    "why_equal": ("both sides alike: {conduct}", "双方相同：{conduct}"),
    "why_nine_rounds": (
        "no position was repeated, but {side} has made nothing but forbidden moves for nine rounds "
        "and must change",
        "局面未循环，但{side}连续九回合均为禁止着法，必须变着",
    ),
    "why_both_nine_rounds": (
        "no position was repeated, but both sides have made nothing but forbidden moves for nine "
        "rounds: a draw",
        "局面未循环，但双方连续九回合均为禁止着法，作和",
    ),
    "why_brought_back": (
        "{side} brings back the board as it stood {moment}",
        "{side}使{moment}的盘面重现",
    ),
    "why_unlike": (
        "neither weighs more: {side}: {conduct}; {other}: {others}",
        "轻重相抵：{side}：{conduct}；{other}：{others}",
    ),
    # The report
    "heading": ("Ruling: {verdict}: {reason}.", "裁决：{verdict}：{reason}。"),
    "rules": ("Rules: {rules}", "规则：{rules}"),
    "position": ("Position: {fen}", "局面：{fen}"),
    "moves": ("Moves: {moves}", "着法：{moves}"),
    "window": (
        "The position has occurred {occurrences:times}; the cycle judged runs from {first} to "
        "{last}.",
        "此局面已出现{occurrences}次；裁决自{first}至{last}的循环。",
    ),
    "window_rounds": (
        "At most {rounds} rounds of this are allowed in a row; the moves judged run from {first} "
        "to {last}.",
        "此类着法最多连续{rounds}回合；裁决自{first}至{last}。",
    ),
    "window_nine": (
        "No position was repeated; the moves judged run from {first} to {last}.",
        "局面未重复；裁决自{first}至{last}。",
    ),
    "side": ("{side}: {conduct}{of}", "{side}：{conduct}{of}"),
    "of_victims": (" of {victims}", "{victims}"),
    "ply": ("{number:>4}. {side:5} {move}  {conduct}", "{number:>4}. {side} {move}  {conduct}"),
    "checking": ("{pieces} gives check", "{pieces}将军"),
    "checking_together": ("{pieces} give check", "{pieces}将军"),
    "attack": ("the {attacker} attacks the {victim}: {reason}", "{attacker}攻击{victim}：{reason}"),
    "nothing": ("attacks nothing", "无攻击"),
    "quiet_block": ("blocks an attack of an enemy piece; attacks nothing", "拦阻对方攻击，无攻击"),
    "quiet_offer": ("offers itself for capture; attacks nothing", "献子，无攻击"),
    "proof_kill": ("threatens mate: {line}", "杀：{line}"),
    "proof_chase": ("wins {victims} by {line}", "捉{victims}：{line}"),
    "proof_even": ("takes {victims} at no loss by {line}", "捉{victims}，兑算不亏：{line}"),
    "proof_follow": ("watches {victims}; taking would win nothing", "跟{victims}，吃子无所得"),
    "proof_exchange": (
        "offers an exchange to {victims}, which may take first and loses nothing by it",
        "邀兑{victims}，对方先吃亦不亏",
    ),
    "proof_mated": (
        "could take {victims}, but is mated by {answer}",
        "可吃{victims}，但遭{answer}",
    ),
    "proof_before": (
        "only this move makes it good: before it the line was {line}",
        "此着方使其成立，走子前为{line}",
    ),
    "root_pinned": (
        "; {root} may not recapture, pinned by {pinner}",
        "；{root}为假根，受{pinner}牵制",
    ),
    "root_facing": (
        "; {root} may not recapture, or the generals would face each other",
        "；{root}为假根，若吃回则将帅照面",
    ),
    "weight_heavy": ("heavy, as {mark}", "重着：{mark}"),
    "weight_single": (
        "heavy: one piece alone chases a chariot or a piece without a root",
        "重着：单子捉车或捉无根子",
    ),
    "weight_root": (
        "light: under-rooted, {partners} could recapture",
        "轻着：少根，{partners}可吃回",
    ),
    "weight_false_root": (
        "light: jointly with {partners}, without which a root could recapture",
        "轻着：与{partners}联合捉子，否则对方之根可吃回",
    ),
    "weight_mount": (
        "light: jointly with {partners}, without which the cannon wins nothing",
        "轻着：与{partners}联合捉子，否则炮无所得",
    ),
    "weight_checks": (
        "light: the checks or captures of several pieces win it, or it is only even",
        "轻着：须多子将军或吃子，或仅得失相当",
    ),
    "proof_uncounted": ("{proof}; no strike, as {why}", "{proof}；不算，因{why}"),
    "uncounted_king_reply": ("the general steps out of check", "将（帅）应将"),
    "uncounted_king_or_soldier": (
        "generals and soldiers may attack by themselves",
        "将（帅）、兵（卒）本身捉子为闲",
    ),
    "uncounted_losing_root": ("more would be lost elsewhere", "得不偿失"),
    "uncounted_even_chase": ("as much would be lost elsewhere", "各吃各子，得失相当"),
    "uncounted_stood_before": ("the threat stood before the move", "走子前已有此威胁"),
    "uncounted_reply": (
        "it stood before this reply to a check, which takes no part in it",
        "应将之前已有此攻击，应将之子未参与",
    ),
    "uncounted_own_doing": ("the opponent's own last move made it", "对方自毙所致"),
    "uncounted_key_point": (
        "the last attacking piece defends, and attacks incidentally",
        "单子占据防守要点，附带捉子",
    ),
    "proof_other": ("{mark}: {line}", "{mark}：{line}"),
    "material": ("material", "子力"),
    "unsettled": (
        "The referee reached its limit before it found all threats of these moves: {moves}.",
        "限度之内未能查明下列着法的全部威胁：{moves}。",
    ),
    "hangs_on": (
        "The ruling depends on an open question. By {rules}: {clause}.",
        "此裁决取决于未定之问题。{rules}：{clause}。",
    ),
    # Pieces and places
    "the": ("the {piece}", "{piece}"),
    "on": ("{piece} on {square}", "{square}的{piece}"),
    "on_file": ("{place}{side} {piece} on file {file}", "{side}{file}路{place}{piece}"),
    "general": ("{side} {piece}", "{side}{piece}"),
    "place_front": ("front ", "前"),
    "place_middle": ("middle ", "中"),
    "place_rear": ("rear ", "后"),
    "place_first": ("first ", "一"),
    "place_second": ("second ", "二"),
    "place_third": ("third ", "三"),
    "place_fourth": ("fourth ", "四"),
    "place_fifth": ("fifth ", "五"),
    "place": ("round {round}, {side}", "第{round}回合{side}"),
    "after": ("after {place}", "{place}着后"),
    "at_first": ("in the first position", "最初局面"),
    "repeated": ("{move} ({where})", "{move}（{where}）"),
    "in_round": ("round {rounds}", "第{rounds}回合"),
    "in_rounds": ("rounds {rounds}", "第{rounds}回合"),
    # Rule sets
    "rules_changed": ("{rules} {changes}", "{rules}（{changes}）"),
    # Rule sets side by side
    "books_rules": ("Rules", "规则"),
    "books_verdict": ("Verdict", "裁决"),
    "books_agree": ("All of them rule alike.", "各规则裁决相同。"),
    "books_differ": (
        "{second}: {theirs}; by {first}: {ours}. Reasons for the difference:",
        "{second}：{theirs}；依{first}：{ours}。差异所在：",
    ),
    "books_clause": ("{theirs}; by {first}, {ours}", "{theirs}；依{first}，{ours}"),
    "books_mark": ("{move}: {theirs}; by {first} {ours}", "{move}：{theirs}；依{first}为{ours}"),
    "books_why": ("{mark} ({why})", "{mark}（{why}）"),
    "books_likewise": ("likewise by {rules}", "依{rules}，裁决相同"),
    "cycles_looking": ("Cycles", "循环"),
    "cycles_found": (
        "{cycles:cycle} by {first} and {second}: {disputes} ruled differently.",
        "{first}与{second}：{cycles}个循环中{disputes}个裁决不同。",
    ),
    "cycles_counted": ("{count:>6}  {clause}", "{count:>6}  {clause}"),
    "cycles_facts": (
        "the marks of the moves, which depend on different facts",
        "着法定性不同，所依事实有别",
    ),
    "cycles_size": ("{pieces:piece}, {rounds:round}", "{pieces}子，{rounds}回合"),
    "books_and": ("{clause}, and", "{clause}，且"),
    "books_or": ("or", "或"),
    # The side that had to change
    "who_changes": ("Who had to change?", "谁须变着？"),
    "comma": (", ", "，"),
    "semicolon": ("; ", "；"),
    "stop_checking": (
        "{side} had to stop checking; each of its moves gives check: {moves}.",
        "{side}须停止将军，其每着均为将军：{moves}。",
    ),
    "stop_chasing": (
        "{side} had to stop chasing {victims}. These are the chases:",
        "{side}须停止捉{victims}。捉子之着：",
    ),
    "chasing_move": (
        "{move}: the {attacker} attacks the {victim}",
        "{move}：{attacker}攻击{victim}",
    ),
    "way_out": (
        "One move in the cycle that neither checks nor chases would have been enough for {side}: "
        "the game would have been a draw.",
        "循环中{side}只要有一着非将非捉，即可作和。",
    ),
    "way_out_other": (
        "One move in the cycle that neither checks nor chases would have been enough for {side}: "
        "then {other} would have had to change.",
        "循环中{side}只要有一着非将非捉，便应由{other}变着。",
    ),
    "stop_mixture": (
        "{side} had to stop checking and chasing by turns:",
        "{side}须停止将、捉交替：",
    ),
    "way_out_rounds": (
        "Any move that does not continue this would have been enough for {side}; its count would "
        "then have started again.",
        "{side}任走一着不延续此类着法即可，计数随之重新开始。",
    ),
    "clear_by_counts": ("none of its counts is full", "其计数均未满"),
    "clear_by_lighter_count": (
        "its count is full as well, but its offence is the lighter one",
        "其计数虽满，但情节较轻",
    ),
    "clear_by_first": (
        "its count is full as well, but the other side's was exceeded first",
        "其计数虽满，但对方先行超出",
    ),
    "stop_forbidden": (
        "{side} had to stop: all of its moves in the cycle are forbidden.",
        "{side}须变着，其循环各着均为禁止着法：",
    ),
    "way_out_allowed": (
        "One allowed move in the cycle would have been enough for {side}: the game would have been "
        "a draw.",
        "循环中{side}只要有一着允许着法，即可作和。",
    ),
    "way_out_allowed_other": (
        "One move in the cycle that does not check would have been enough for {side}; with an "
        "allowed one {other} would have had to change.",
        "循环中{side}只要有一着不将军即可；若为允许着法，便应由{other}变着。",
    ),
    "way_out_nine": (
        "One allowed move among these would have been enough for {side}: the game would go on.",
        "其中{side}只要有一着允许着法，对局即可继续。",
    ),
    "way_out_allowed_light": (
        "One light move in the cycle would have been enough for {side}: the game would have been a "
        "draw. With an allowed one {other} would have had to change.",
        "循环中{side}只要有一着轻着，即可作和；若有一着允许着法，便应由{other}变着。",
    ),
    "both_forbidden": (
        "Neither side had to change before the other: both made nothing but forbidden moves, "
        "and neither weighs more. Had one of them stopped, the other would have had to change.",
        "双方均为禁止着法，轻重相当，不变作和。若一方先变，则另一方须变着。",
    ),
    "not_obliged": ("{side} did not have to change: {why}.", "{side}不须变着：{why}。"),
    "nobody_obliged": (
        "Neither side had to change; the repetition is a draw.",
        "双方均不须变着，不变作和。",
    ),
    "both_obliged": (
        "Neither side had to change before the other: {conduct} by both sides is a draw. Had one "
        "of them stopped, the other would have had to change.",
        "双方均为{conduct}，不变作和。若一方先变，则另一方须变着。",
    ),
    "clear_by_rules": ("under these rules no repetition loses", "此规则下重复局面一律作和"),
    "clear_by_weight": ("the other side's checks weigh more", "对方长将，其责更重"),
    "clear_by_verdicts": (
        "under these rules what it did does not lose against what the other side did",
        "此规则下其行为相对对方不判负",
    ),
    "clear_by_light": (
        "one of its forbidden moves is light, and all of the other side's are heavy",
        "其禁止着法有轻着，而对方均为重着",
    ),
    "clear_by_allowed": (
        "its move {move} is allowed ({mark}), and one such move in the cycle is enough",
        "其着{move}为允许着法（{mark}），循环中有此一着即可",
    ),
    "clear_by_no_offence": (
        "what it did is no offence under these rules",
        "此规则下其行为不属禁止",
    ),
    "clear_by_no_check": ("its move {move} gives no check", "其着{move}不是将军"),
    "clear_by_idle_move": (
        "its move {move} neither checks nor chases, and one such move in the cycle is enough",
        "其着{move}非将非捉，循环中有此一着即可",
    ),
    "clear_by_mixture": (
        "some of its moves check and others chase",
        "其着有将有捉，非长将亦非长捉",
    ),
    "clear_by_victims": ("no piece is chased by all of its moves", "没有一子被其每着所捉"),
    # Reasons why an attack is a chase or not
    "reason_chase": (
        "a chase, made by this move and parried by the reply",
        "捉，由此着造成，被对方应着化解",
    ),
    "reason_chase_made": ("a chase, made by this move", "捉，由此着造成"),
    "reason_profit": ("at a profit", "得子"),
    "reason_uncrossed_pawn": (
        "no chase, a soldier on its own bank may be attacked",
        "不算捉，可捉未过河的兵卒",
    ),
    "reason_king_or_pawn": (
        "no chase, a general or soldier may attack perpetually",
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
        "no chase, it did not move, and only a root whose line ran through it is gone",
        "不算捉，攻击子未动，仅同线之根变化",
    ),
    "reason_unanswered": ("no chase, the reply left the threat standing", "不算捉，对方应着未化解"),
    # Whole games
    "ending": ("{verdict}: {why}", "{verdict}：{why}"),
    "decided": ("{moment}: {ending}", "{moment}：{ending}"),
    "not_decided": ("{moment}: nothing is decided", "{moment}：未分胜负"),
    "undecided_but": ("{undecided}, but {reason}", "{undecided}，但{reason}"),
    "record_differs": ("; the record says {result}", "；记录结果为{result}"),
    "ended_checkmate": ("checkmate", "将死"),
    "ended_stalemate": ("no legal move", "困毙"),
    "ended_side_checkmate": ("{side} is mated", "{side}被将死"),
    "ended_side_stalemate": ("{side} has no legal move", "{side}被困毙"),
    "ended_side_all_barred": (
        "{side} has only moves that {rules} bars",
        "依{rules}，{side}可走之着均被禁止",
    ),
    "ended_quiet_plies": ("{plies:ply} without a capture", "{plies}个半回合无吃子"),
    "ended_quiet_rounds": ("{rounds:round} without a capture", "{rounds}回合无吃子"),
    "ruled_cycle": (
        "{verdict}: {reason} ({first} to {last})",
        "{verdict}：{reason}（{first}至{last}）",
    ),
    "ended_no_capture": ("too long without a capture", "自然限着"),
    "ended_total_limit": ("the game is too long", "总着数已满"),
    "ended_no_attackers": ("neither side has a piece that can attack", "双方均无进攻子力"),
    "ended_all_barred": ("every legal move is barred", "可走之着均被禁止"),
    "ended_barred_move": ("a barred move: {why}", "走禁着：{why}"),
    "reason_perpetual_check": ("perpetual check", "长将"),
    "reason_perpetual_chase": ("perpetual chase", "长捉"),
    "reason_perpetual_strike": ("perpetual check, threat or chase", "长打"),
    "reason_repetition": ("repetition", "循环"),
    "reason_barred_move": ("barred move", "禁着"),
    "reason_illegal_move": ("illegal move", "违规着法"),
    "reason_undecided": ("not decided", "未决"),
    "decided_illegal_move": (
        "{place}: illegal move {text}: {verdict}",
        "{place}：{text}不合规则：{verdict}",
    ),
    "illegal_move_followed": (
        "{place}: illegal move {text}, yet the record has {following:move} after it: probably a "
        "slip of the pen; if it was played, {verdict}",
        "{place}：{text}不合规则，而记录其后尚有{following}着，疑为笔误；若确系如此行棋，则{verdict}",
    ),
    "warned": (
        "The position occurred for the second time {moment}: a warning was due.",
        "此局面于{moment}出现第二次，应予警告。",
    ),
    "counted": (
        "games: {games}, repetitions: {repetitions}, other results: {others}, unread: {unread}",
        "对局：{games}，循环裁决：{repetitions}，结果不符：{others}，无法读取：{unread}",
    ),
    # Marks of moves
    "mark_check": ("check", "将"),
    "mark_kill": ("threat of mate", "杀"),
    "mark_chase": ("chase", "捉"),
    "mark_exchange": ("exchange", "兑"),
    "mark_offer": ("offer", "献"),
    "mark_block": ("block", "拦"),
    "mark_follow": ("follow", "跟"),
    "mark_idle": ("idle", "闲"),
    # The safety of pieces
    "safety_attacked": ("can be captured at a profit", "可被得子"),
    "safety_pinned": ("pinned: leaving its square would expose its own general", "被牵制"),
    "safety_protected": ("protected", "有根"),
    "safety_false": ("protected in appearance only", "假根"),
    "false_root": (" (the {root} protects it only in appearance)", "（{root}为假根）"),
    # Endgame tables
    "table_draw": ("drawn", "和棋"),
    "table_win": ("{side} wins in {plies:ply}", "{side}{plies}步内胜"),
    "table_under": ("{outcome} under {rules}", "按{rules}规则：{outcome}"),
    "table_if_check": ("{outcome} if perpetual check were allowed", "若许长将：{outcome}"),
    "table_if_chase": ("{outcome} if perpetual chase were allowed", "若许长捉：{outcome}"),
    **CLAUSES,
    **PAGES,
}

_COLUMN: Final[dict[Language, int]] = {"en": 0, "zh": 1}


def say(language: Language, key: str, **values: object) -> str:
    """Format a sentence of the table.

    >>> say("en", "draw"), say("zh", "draw")
    ('draw', '和棋')
    >>> say("en", "page_games_counts", games=1, different=0)
    '1 game, 0 with another result'
    """
    return fill(SENTENCES[key][_COLUMN[language]], values)


def fill(text: str, values: Mapping[str, object]) -> str:
    """Fill in the placeholders of a text, numbers as :class:`~xiangqi.errors.Count`."""
    counted = {name: Count(v) if type(v) is int else v for name, v in values.items()}
    return text.format(**counted)


def enumerate_words(language: Language, words: Sequence[str]) -> str:
    """Join words with commas and a conjunction.

    >>> enumerate_words("en", ["1", "3", "5"]), enumerate_words("zh", ["1", "3", "5"])
    ('1, 3 and 5', '1、3、5')
    """
    if language == "zh":
        return "、".join(words)
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def name_side(language: Language, color: Color) -> str:
    """Name a side: Red, 红方."""
    if language == "zh":
        return "红方" if require_color(color) == RED else "黑方"
    return "Red" if require_color(color) == RED else "Black"


def name_piece(language: Language, piece: Piece, square: Square) -> str:
    """Name a piece with its square.

    >>> name_piece("en", Piece.from_symbol("h"), 2), name_piece("zh", Piece.from_symbol("h"), 2)
    ('black horse on c0', 'c0的黑马')
    """
    return say(language, "on", piece=piece.say(language), square=square_name(square))
