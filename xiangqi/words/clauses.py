"""The clauses of rule books in a sentence each, in English and Chinese.

A clause is a field of a rule set and what a book has there: ``clause_FIELD_VALUE``, or
``clause_FIELD`` with a gap where the value is a number. Numbers of articles and diagrams are those
of the WXF rule book, unless another is named.
"""

from __future__ import annotations

from typing import Final

__all__ = ["CLAUSES"]

CLAUSES: Final[dict[str, tuple[str, str]]] = {
    "clause_occurrences": (
        "a position is ruled on when it has occurred {value:times}",
        "局面出现{value}次时裁决",
    ),
    "clause_offences_check_and_chase": (
        "perpetual check and perpetual chase lose (articles 8 and 15)",
        "长将、长捉均判负（第8、15条）",
    ),
    "clause_offences_check": (
        "only perpetual check loses; whoever chases may go on for ever",
        "只有长将判负，捉子不限",
    ),
    "clause_offences_none": ("no repetition loses", "任何循环均不判负"),
    "clause_new_threat_pair": (
        "a second attacker makes a new threat, though the first one's stands already",
        "另一子加入攻击即为新捉，虽原已被攻击",
    ),
    "clause_new_threat_victim": (
        "a piece that is attacked already is not chased anew by a second attacker",
        "原已被攻击之子，另一子加入攻击不算新捉",
    ),
    "clause_answered_pair": (
        "a threat that is gone was parried, though another attacker still threatens the piece",
        "某一攻击已消除即算化解，虽另一子仍在攻击",
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
    "clause_check_escape_standing": (
        "stepping out of check makes no new threat of an old one (articles 10-14, STANDING)",
        "应将不使原有攻击成为新捉",
    ),
    "clause_check_escape_new": (
        "stepping out of check makes an old threat anew",
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
        "an advisor or elephant that attacks a protected piece chases nothing; only horse and "
        "cannon against a chariot are exempt from that (articles 17-21)",
        "士象攻击有根子不算捉，只有马炮攻击有根车算捉（第17至21条）",
    ),
    "clause_minor_attackers_profit": (
        "an advisor or elephant chases a chariot, horse or cannon even if it is protected",
        "士象攻击有根的车马炮亦算捉",
    ),
    "clause_common_victim_window": (
        "one piece must be the victim of all chases (articles 16 and 32)",
        "须始终捉同一子（第16、32条）",
    ),
    "clause_common_victim_successive": (
        "each two successive chases must have a victim in common",
        "每相邻两着须捉同一子",
    ),
    "clause_identity_piece": (
        "a piece is followed on its way, also where two of a kind change places",
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
        "a game may go on without captures for ever",
        "无吃子不限着数",
    ),
    "clause_no_attackers_draw": (
        "a game is drawn when neither side has a piece that can attack",
        "双方均无进攻子力时作和",
    ),
    "clause_no_attackers_play_on": (
        "a game goes on when neither side has a piece that can attack",
        "双方均无进攻子力时继续对局",
    ),
}
