"""Conduct of a side from the checks and chases of its plies."""
from xiangqi.core.repetition.rules cimport (
    CHECKING_MOVE_CHECK_AND_CHASE, CHECKING_MOVE_VOIDS_ALL, COMMON_VICTIM_ANY,
    COMMON_VICTIM_SUCCESSIVE, MIXING_ANY, are_chases_offences, are_checks_offences,
)

cdef uint32_t ANYONE = 0xFFFFFFFF  # before the first ply any piece may be the common victim


cdef void open_account(Account* account) noexcept nogil:
    account.only_checks = account.only_chases = True
    account.common = account.latest = ANYONE
    account.any_check = False
    account.shared = account.met = 0


cdef void enter_ply(
    Account* account, bint check, uint32_t victims, const Rules* rules
) noexcept nogil:
    """Add one ply to a side's account.

    ALL_CHECKS (articles 8, 11-14): checks are not perpetual if one move in the cycle is of another
    kind. Decides D5, D10, D11, D12, D13, D14, D15, D17, D37, D50, D102.

    ALL_CHASES (articles 9-14, 18, 22-23): chases are not perpetual if one move in the cycle is of
    another kind. Decides D6, D9, D12, D13, D15, D16, D19, D21, D31, D37, D38, D42, D44, D45, D46,
    D47, D49, D54, D61, D62, D66, D68, D70, D89, D94, D95, D97, V3, V4, V7, V14.

    COMMON_VICTIM (articles 16, 32): one piece, followed through its moves, must be chased by every
    move; chasing different victims by turns is not perpetual. Decides D20, D24, D25, D26, D27, D28,
    D36, D43, D74, D76, D77, D78, D79, D80, D92, X1.

    Other rule books let kinds mix, so that a check needs no victim, or let victims vary.
    """
    cdef uint32_t again = account.latest & victims
    account.only_checks &= check
    account.any_check |= check
    if check and rules.mixing == MIXING_ANY:
        return
    account.common &= victims
    account.met |= victims
    if rules.common_victim == COMMON_VICTIM_ANY:
        account.only_chases &= victims != 0
    elif rules.common_victim == COMMON_VICTIM_SUCCESSIVE:
        account.only_chases &= again != 0
    else:
        account.only_chases &= account.common != 0
    if account.latest != ANYONE:
        account.shared |= again
    account.latest = victims


cdef void close_accounts(Account* accounts, const Rules* rules) noexcept nogil:
    """Apply the rule of some books that a check by either side voids all chases of the cycle."""
    if rules.checking_move == CHECKING_MOVE_VOIDS_ALL and (
        accounts[0].any_check or accounts[1].any_check
    ):
        accounts[0].only_chases = accounts[1].only_chases = False


cdef int conduct_of(const Account* account, const Rules* rules) noexcept nogil:
    """The gravest conduct that the plies justify and the rule set counts."""
    if account.only_checks:
        return PERPETUAL_CHECK if are_checks_offences(rules) else IDLE
    if account.only_chases:
        return PERPETUAL_CHASE if are_chases_offences(rules) else IDLE
    return IDLE


cdef uint32_t victims_of(const Account* account, const Rules* rules) noexcept nogil:
    """Victims of a perpetual chase."""
    if rules.common_victim == COMMON_VICTIM_ANY:
        return account.met
    if rules.common_victim == COMMON_VICTIM_SUCCESSIVE and account.shared:
        return account.shared
    return account.common  # also for a single chase among checks, which shares no victim


cdef int conducts_left(bint only_checks, bint any_check, const Rules* rules) noexcept nogil:
    """Conducts of a side that its check flags leave possible: bits ``1 << conduct``.

    ``any_check`` is that of either side if a check voids all chases.
    """
    if only_checks:
        return 1 << (PERPETUAL_CHECK if are_checks_offences(rules) else IDLE)
    if are_chases_offences(rules) and (
        rules.checking_move == CHECKING_MOVE_CHECK_AND_CHASE or rules.mixing == MIXING_ANY
        or not any_check
    ):
        return 1 << IDLE | 1 << PERPETUAL_CHASE
    return 1 << IDLE
