"""From the marks of a side's plies to its conduct."""

cdef uint32_t ANYONE = 0xFFFFFFFF  # before the first ply any piece may be the common victim


cdef void open_account(Account* account) noexcept nogil:
    account.only_checks = account.only_chases = True
    account.common = account.latest = ANYONE
    account.shared = 0


cdef void enter_ply(
    Account* account, bint check, uint32_t victims, const Rules* rules
) noexcept nogil:
    """Book one ply: perpetual check needs all checks, perpetual chase a victim all along."""
    cdef uint32_t again = account.latest & victims
    account.only_checks &= check
    account.common &= victims
    if rules.victims_pairwise:
        account.only_chases &= again != 0
    else:
        account.only_chases &= account.common != 0
    if account.latest != ANYONE:
        account.shared |= again
    account.latest = victims


cdef int conduct_of(const Account* account, const Rules* rules) noexcept nogil:
    if account.only_checks:
        return PERPETUAL_CHECK if rules.count_checks else IDLE
    if account.only_chases:
        return PERPETUAL_CHASE if rules.count_chases else IDLE
    return IDLE


cdef int conducts_left(bint only_checks, bint any_check, const Rules* rules) noexcept nogil:
    """What a side's conduct may still be, knowing only on which plies it checked: bits
    ``1 << conduct``."""
    if only_checks:
        return 1 << (PERPETUAL_CHECK if rules.count_checks else IDLE)
    if rules.count_chases and (rules.checks_may_chase or not any_check):
        return 1 << IDLE | 1 << PERPETUAL_CHASE
    return 1 << IDLE
