"""The clauses of rule books in a sentence each, in English and Chinese.

A clause is a value of a field of a rule set: ``clause_FIELD_VALUE``, or ``clause_FIELD`` with a
placeholder for a number. Articles and diagrams are those of the WXF rule book, unless another is
named.
"""

from __future__ import annotations

from typing import Final

__all__ = ["CLAUSES"]

CLAUSES: Final[dict[str, tuple[str, str]]] = {
    # Headings and values in the list of open questions
    "rules_sets": (
        "Rule sets, for --rules NAME (or NAME.toml of your own):",
        "规则集，用于 --rules NAME（或自备的 NAME.toml）：",
    ),
    "rules_questions": (
        "Open questions, for --set QUESTION=VALUE, with the answers of {name} marked *:",
        "未决问题，用于 --set QUESTION=VALUE，{name}的取值以 * 标出：",
    ),
    "values_number": ("or another number", "或其他数字"),
    "values_number_or_none": ("or another number, or none", "或其他数字，或 none"),
    "values_numbers": ("or rising numbers, such as 6,12,18", "或递增数列，如 6,12,18"),
    "values_verdicts": (
        "or other pairs, such as check>chase,check>idle",
        "或其他组合，如 check>chase,check>idle",
    ),
    "values_rules": ("or the name of a rule set", "或其他规则集名称"),
    "clause_occurrences": (
        "a position is ruled on when it has occurred {value:times}",
        "局面出现{value}次时裁决",
    ),
    "clause_offences_check_kill_and_chase": (
        "check, kill (a threat to mate by checks) and chase are forbidden (CXA 2020, 24.13)",
        "将、杀、捉均为禁止着法（2020年规则24.13）",
    ),
    "clause_offences_check_and_chase": (
        "perpetual check and perpetual chase lose (articles 8 and 15)",
        "长将、长捉均判负（第8、15条）",
    ),
    "clause_offences_check": (
        "only perpetual check loses; perpetual chase is allowed",
        "只有长将判负，捉子不限",
    ),
    "clause_offences_none": ("no repetition loses", "任何循环均不判负"),
    "clause_chase_capture": (
        "to chase is to threaten a capture at a profit (articles 15-37)",
        "捉即威胁吃子得利（第15至37条）",
    ),
    "clause_chase_gain": (
        "to chase is to threaten a gain by captures, checks and exchanges, with one piece or "
        "several (CXA 2020, 24.3)",
        "以吃子、将军、兑子谋得子力均为捉（2020年规则24.3）",
    ),
    "clause_mixing_one_kind": (
        "a side that checks and chases by turns is idle (articles 11-14, D11-17)",
        "将、捉相间不算禁止着法（第11至14条，图11至17）",
    ),
    "clause_mixing_any": (
        "forbidden moves of different kinds by turns are forbidden, too (as in CXA 2020, 24.13)",
        "各种禁止着法相间仍属禁止（如2020年规则24.13）",
    ),
    "clause_verdicts": ("who loses against whom: {value}", "判负对照：{value}"),
    "clause_penalty_loss": ("the offender loses", "犯规方判负"),
    "clause_penalty_must_change": (
        "the offender must change and loses if the position occurs once more; perpetual check "
        "loses at once (CXA 2020, 4.1.4 and 25.1)",
        "犯规方须变着，局面再次出现判负；单方长将立即判负（2020年规则4.1.4、25.1）",
    ),
    "clause_penalty_barred": (
        "the move that would repeat the position is barred, and neither side loses",
        "造成循环之着被禁止，不判负",
    ),
    "clause_check_rounds_()": ("rounds of checks are not counted", "长将不计回合"),
    "clause_check_rounds": (
        "maximum rounds of checks in a row, with one piece, two, and so on: {value}",
        "一子、两子等连续将军各限回合数：{value}",
    ),
    "clause_chase_rounds_()": ("rounds of chases are not counted", "长捉不计回合"),
    "clause_chase_rounds": (
        "maximum rounds of chases of one piece in a row: {value}",
        "连续捉同一子限回合数：{value}",
    ),
    "clause_mixed_rounds_()": (
        "rounds of checks and chases by turns are not counted",
        "将、捉交替不计回合",
    ),
    "clause_mixed_rounds": (
        "maximum rounds of checks and chases by turns, with one piece, two, and so on: {value}",
        "一子、两子等将、捉交替各限回合数：{value}",
    ),
    "clause_check_reply_counts": (
        "a reply to check counts as any other move",
        "应将之着与他着同样计入",
    ),
    "clause_check_reply_chase_passes": (
        "a reply to check that chases neither counts nor breaks a row of chases",
        "应将同时捉子，既不计入连续捉子，亦不中断",
    ),
    "clause_check_reply_passes": (
        "a reply to check neither counts nor breaks a row of chases",
        "应将之着既不计入连续捉子，亦不中断",
    ),
    "clause_double_check_one": (
        "a piece that checks with every move is the only one that counts, even if another checks "
        "with it",
        "一子着着将军，另一子同时将军时仍按一子计",
    ),
    "clause_double_check_each": ("in a double check both pieces count", "两子同时将军时均计入"),
    "clause_both_full_first": (
        "if both sides have used up their rounds, the first to move may not go on",
        "双方回合均满，先走方须变着",
    ),
    "clause_both_full_graver": (
        "if both sides have used up their rounds, only the graver offence may not go on: checks, "
        "then checks and chases by turns, then chases; and neither if both check",
        "双方回合均满，较重一方须变着（将重于将捉交替，将捉交替重于捉）；双方均为将军则不变",
    ),
    "clause_mating_move_allowed": (
        "a move that mates may be played even if the rounds are used up",
        "回合虽满，将死（困毙）对方之着仍可走",
    ),
    "clause_mating_move_counts": (
        "when the rounds are used up, not even a move that mates may be played",
        "回合已满，将死（困毙）对方之着亦不可走",
    ),
    "clause_mutual_occurrences": (
        "if both sides offend alike, a position is drawn when it has occurred {value:times}",
        "双方同样长将或长捉，局面出现{value}次作和",
    ),
    "clause_mutual_occurrences_none": (
        "if both sides offend alike, a position is drawn as any other",
        "双方同样长将或长捉，与其他循环同样作和",
    ),
    "clause_prohibition_none": ("positions may be repeated", "局面可以重复出现"),
    "clause_prohibition_positional": (
        "no earlier board may be repeated, whichever side is to move",
        "已出现之棋盘局面不得重现，不论轮到何方",
    ),
    "clause_prohibition_situational": (
        "no earlier board may be repeated with the same side to move",
        "已出现之局面不得在同一方走棋时重现",
    ),
    "clause_new_threat_pair": (
        "a second attacker makes a new threat, even if the piece was attacked already",
        "另一子加入攻击即为新捉，虽原已被攻击",
    ),
    "clause_new_threat_victim": (
        "a second attacker makes no new threat if the piece was attacked already",
        "原已被攻击之子，另一子加入攻击不算新捉",
    ),
    "clause_answered_pair": (
        "a threat that is gone was parried, even if another attacker still threatens the piece",
        "某一攻击已消除即算化解，虽另一子仍在攻击",
    ),
    "clause_answered_any": (
        "a threat counts when it is made, whatever the reply",
        "攻击成立即算捉，不论对方如何应对",
    ),
    "clause_answered_victim": (
        "nothing was parried while another attacker still threatens the piece",
        "另一子仍在攻击，则不算化解",
    ),
    "clause_checking_move_check": (
        "a move that checks is a check and nothing else, so that among chases it makes the side "
        "idle (article 13, D13)",
        "将军之着只算将军，与捉相间即非长捉（第13条，图13）",
    ),
    "clause_checking_move_check_and_chase": (
        "a check that attacks the same piece counts among the chases",
        "将军同时攻击该子，亦算作捉",
    ),
    "clause_checking_move_voids_all": (
        "if either side checks anywhere in the cycle, neither chases perpetually "
        "(computer rules, definition 3)",
        "循环中任一方有将军，则双方均不算长捉（程序竞赛规则）",
    ),
    "clause_check_escape_standing": (
        "stepping out of check does not make an old threat new (articles 10-14, STANDING)",
        "应将不使原有攻击成为新捉",
    ),
    "clause_check_escape_new": (
        "stepping out of check makes an old threat new",
        "应将使原有攻击成为新捉",
    ),
    "clause_legality_full": (
        "pinned pieces neither threaten nor protect (articles 27 and 34, D63, D83-85)",
        "被牵制之子不算捉亦不算根（第27、34条，图63、83至85）",
    ),
    "clause_legality_pseudo": (
        "pinned pieces threaten and protect as others do",
        "被牵制之子与他子同样算捉、算根",
    ),
    "clause_minor_attackers_literal": (
        "an advisor or elephant that attacks a protected piece does not chase it; of attacks on "
        "protected pieces only those of horse and cannon on a chariot are chases (articles 17-21)",
        "士象攻击有根子不算捉，只有马炮攻击有根车算捉（第17至21条）",
    ),
    "clause_minor_attackers_profit": (
        "an advisor or elephant chases a chariot, horse or cannon even if it is protected",
        "士象攻击有根的车马炮亦算捉",
    ),
    "clause_line_exemption_exempt": (
        "an attacker that did not move does not chase because a root is gone whose line ran "
        "through it (articles 19 and 26, D39-41, D61)",
        "攻击子未动，仅经其线之根消失，不算捉（第19、26条，图39至41、61）",
    ),
    "clause_line_exemption_chase": (
        "an attacker that did not move chases when a root is gone, wherever its line ran",
        "攻击子未动而根消失，亦算捉",
    ),
    "clause_common_victim_window": (
        "one piece must be the victim of all chases (articles 16 and 32)",
        "须始终捉同一子（第16、32条）",
    ),
    "clause_common_victim_successive": (
        "each two successive chases must have a victim in common",
        "每相邻两着须捉同一子",
    ),
    "clause_common_victim_any": (
        "each chase may have another victim (CXA 2020, 24.11)",
        "捉一子或轮流捉数子均算长捉（2020年规则24.11）",
    ),
    "clause_identity_piece": (
        "a piece keeps its identity, even if two of a kind change places",
        "以棋子本身为准，同种两子换位亦加区别",
    ),
    "clause_identity_square": (
        "two pieces of a kind that have changed places are taken for each other",
        "同种两子换位后，以所在位置为准",
    ),
    "clause_no_capture_limit": (
        "a game is drawn after {value:ply} without a capture",
        "{value}个半回合无吃子作和",
    ),
    "clause_no_capture_limit_none": (
        "there is no limit on plies without a capture",
        "无吃子不限着数",
    ),
    "clause_free_checks": (
        "each side's checks beyond {value}, and the replies, do not count as plies without a "
        "capture",
        "每方将军超过{value}着后，将军及应将均不计入无吃子着数",
    ),
    "clause_free_checks_none": (
        "checks are counted as other plies without a capture",
        "将军与他着同样计入无吃子着数",
    ),
    "clause_total_limit": (
        "a game is drawn after {value:ply}, whatever was captured",
        "全局满{value}个半回合作和",
    ),
    "clause_total_limit_none": ("there is no limit on the plies of a game", "全局着数不限"),
    "clause_king_reply_idle": (
        "a king that steps out of check is idle, whatever it threatens (CXA 2020, 26.1.3)",
        "将（帅）应将之着一律按闲处理（2020年规则26.1.3）",
    ),
    "clause_king_reply_counts": (
        "a king that steps out of check may chase or threaten mate as with any move",
        "将（帅）应将之着亦可成捉、成杀",
    ),
    "clause_even_chase_chase": (
        "it is a chase even if as much would be lost elsewhere as is won (CXA 2020, 26.5)",
        "各吃各子，得失相当仍按捉处理（2020年规则26.5）",
    ),
    "clause_even_chase_idle": (
        "it is no chase if as much would be lost elsewhere as is won",
        "各吃各子，得失相当按闲处理",
    ),
    "clause_root_attack_weighed": (
        "it is no chase if more would be lost elsewhere than is won (CXA 2020, 26.5)",
        "吃子后得不偿失按闲处理（2020年规则26.5）",
    ),
    "clause_root_attack_chase": (
        "it is a chase even if more would be lost elsewhere than is won (CXA 1999)",
        "作根子捉子一律按捉处理，不计得失（1999年规则）",
    ),
    "clause_risen_threat_new": (
        "a threat that would have been even before the move and wins now is new",
        "走子前兑换相当、走子后得子者为新捉",
    ),
    "clause_risen_threat_stood": (
        "a threat that would have been even before the move is not new",
        "走子前已可兑换相当者不算新捉",
    ),
    "clause_own_doing_idle": (
        "a threat that the opponent's own last move made is idle (CXA 2020, reference figure 21)",
        "对方自毙所致按闲处理（2020年规则参考图21）",
    ),
    "clause_own_doing_chase": (
        "a threat counts even if the opponent's own last move made it",
        "对方自毙所致亦按捉处理",
    ),
    "clause_key_point_idle": (
        "a side's last attacking piece, while it defends against a loss, may incidentally attack "
        "advisors and elephants (CXA 2020, 26.2)",
        "单子占据防守要点，附带捉士象按闲处理（2020年规则26.2）",
    ),
    "clause_key_point_chase": (
        "a side's last attacking piece chases advisors and elephants as any other piece does",
        "单子防守时附带捉士象亦按捉处理",
    ),
    "clause_soldier_strikes_idle": (
        "an attack by a soldier itself is never a chase (CXA 2020, 26.1)",
        "兵（卒）本身捉子一律按闲处理（2020年规则26.1）",
    ),
    "clause_soldier_strikes_chase": (
        "an attack by a soldier itself is a chase if that makes all moves of both sides forbidden "
        "(CXA 1999)",
        "双方互打时兵（卒）捉子按捉处理（1999年规则）",
    ),
    "clause_soldier_joins_chase": (
        "a soldier that takes a protected piece attacks jointly with the pieces that recapture "
        "(CXA 2020, 26.1.1, at second hand)",
        "兵（卒）先吃有根子而他子可吃回，按联合捉子处理（2020年规则26.1.1，据转述）",
    ),
    "clause_soldier_joins_idle": (
        "if a soldier takes first, the attack is its own, whichever piece recaptures",
        "兵（卒）先吃之子，他子虽可吃回，仍按兵（卒）本身捉子处理",
    ),
    "clause_equal_threats_heavy": (
        "a move with several chases that win as much is heavy if one of them is",
        "一着数捉所得相当，有一重捉即为重着",
    ),
    "clause_equal_threats_light": (
        "a move with several chases that win as much is light if one of them is",
        "一着数捉所得相当，有一轻捉即为轻着",
    ),
    "clause_nine_rounds_none": (
        "forbidden moves that repeat no position may go on",
        "未构成循环的禁止着法不作处理",
    ),
    "clause_nine_rounds_change": (
        "after nine rounds of forbidden moves, to three points or more, a side has to change even "
        "if no position was repeated (CXA 2020, at second hand)",
        "走子不少于三点的禁止着法连续九回合，虽未循环亦须变着（2020年规则，据转述）",
    ),
    "clause_no_attackers_draw": (
        "a game is drawn when neither side has a piece that can attack",
        "双方均无进攻子力时作和",
    ),
    "clause_no_attackers_play_on": (
        "a game goes on when neither side has a piece that can attack",
        "双方均无进攻子力时继续对局",
    ),
    "clause_search_as_": ("the engine searches by the same rules", "引擎搜索亦依此规则"),
    "clause_search_as": ("the engine searches by the rules {value}", "引擎搜索所依规则：{value}"),
    "loses_against": ("{loser} against {winner}", "{loser}负于{winner}"),
}
