"""Repetitions in the search. The search knows no rule: the judge rules, and a verdict becomes a
score."""

from xiangqi.core.evaluation.scores cimport INFINITE, WIN_IN_MAX, MATE, NO_SCORE, RULE_WIN
from xiangqi.core.repetition.cycle cimport Cycle, find_cycle_in_search
from xiangqi.core.repetition.judge cimport Judgment, judge_cycle, verdicts_left
from xiangqi.core.repetition.prohibition cimport repeated_ply
from xiangqi.core.repetition.rounds cimport rule_on_cycle
from xiangqi.core.repetition.rules cimport PENALTY_BARRED, PROHIBITION_NONE
from xiangqi.core.repetition.verdict cimport BLACK_WINS, DRAW, RED_WINS
from xiangqi.core.search.params cimport BELIEVED_OCCURRENCES
from xiangqi.core.search.worker cimport (
    CHASES_JUDGED, FLAGS_TESTED, KEY_REPEATED, draw_score, param,
)


cdef int ruling_score(Worker* worker, int alpha, int beta, int ply) noexcept nogil:
    """Score of a repeated position by the rules, or NO_SCORE.

    ``BELIEVED_OCCURRENCES`` occurrences in the tree are enough; those before the root count only
    towards the number that the rules require.
    """
    cdef Cycle cycle
    cdef bint is_cycle
    if worker.rules.prohibition != PROHIBITION_NONE:
        return prohibition_score(worker, ply)
    is_cycle = find_cycle_in_search(
        &worker.pos, worker.history, worker.plies, worker.root_plies,
        worker.rules.occurrences, param(worker, BELIEVED_OCCURRENCES), &cycle,
    )
    worker.stages[KEY_REPEATED] += cycle.occurrences - 1
    if not is_cycle:
        return NO_SCORE
    worker.tainted = True
    if worker.rules.penalty == PENALTY_BARRED:
        return barring_score(worker, &cycle, ply)
    return judged_score(worker, &cycle, alpha, beta, ply)


cdef inline int barred_score(int ply) noexcept nogil:
    """Score after a barred move, for the side to move: better than any mate, so that every other
    move is preferred; if all moves are barred, the side is mated."""
    return MATE - ply + 1


cdef int prohibition_score(Worker* worker, int ply) noexcept nogil:
    """Score if the last move was barred by a prohibition, or NO_SCORE.

    Barred moves are made and found here: one test for each node costs less than one for each move.
    """
    if repeated_ply(&worker.pos, worker.history, worker.plies, worker.rules.prohibition) < 0:
        return NO_SCORE
    worker.tainted = True
    return barred_score(ply)


cdef int barring_score(Worker* worker, const Cycle* cycle, int ply) noexcept nogil:
    """Score of a cycle under rules that bar the offender from going on, instead of ruling a loss.

    If the last move offended, it counts as barred. If the offender is to move, nothing is decided:
    it has to find another move. Where rounds are counted, the verdict is that on the cycle repeated
    without end; at the root the counts of the game decide.
    """
    cdef int verdict = rule_on_cycle(&worker.pos, worker.history, cycle, &worker.rules)
    cdef int score = score_of(worker, verdict, ply)
    if score <= -WIN_IN_MAX:
        return NO_SCORE
    if score >= WIN_IN_MAX and cycle.occurrences >= worker.rules.occurrences:
        return barred_score(ply)
    return score


cdef int judged_score(
    Worker* worker, const Cycle* cycle, int alpha, int beta, int ply
) noexcept nogil:
    """Score of a cycle for the side to move, or a bound if that is conclusive.

    The check flags are tested first. Chases are judged only if the flags leave several verdicts
    whose scores lie on both sides of the window (the "judge prune" of Tan and Watkinson Medina,
    "Complete Implementation of WXF Chinese Chess Rules", 2024).
    """
    cdef Judgment judgment
    cdef int left = verdicts_left(worker.history, cycle, &worker.rules, worker.pos.turn)
    cdef int lowest = INFINITE
    cdef int highest = -INFINITE
    cdef int verdict
    worker.stages[FLAGS_TESTED] += 1
    for verdict in range(DRAW, BLACK_WINS + 1):
        if left >> verdict & 1:
            lowest = min(lowest, score_of(worker, verdict, ply))
            highest = max(highest, score_of(worker, verdict, ply))
    if lowest == highest or lowest >= beta:
        return lowest
    if highest <= alpha:
        return highest
    worker.stages[CHASES_JUDGED] += 1
    judge_cycle(&worker.pos, worker.history, cycle, &worker.rules, &judgment, NULL)
    return score_of(worker, judgment.verdict, ply)


cdef int score_of(const Worker* worker, int verdict, int ply) noexcept nogil:
    """Score of a verdict for the side to move. In a search for a mate a win by rule of the mating
    side is a draw."""
    cdef bint wins = (verdict == RED_WINS) == worker.pos.turn
    if verdict == DRAW or (worker.control.limits.mate and wins == (ply & 1 == 0)):
        return draw_score(worker, ply)
    return RULE_WIN - ply if wins else ply - RULE_WIN


cdef bint may_be_ruled_on(const Worker* worker) noexcept nogil:
    """Can a position of the game be ruled on when it occurs once more? On the shortest way to a
    mate no position repeats."""
    cdef int i, j
    if worker.rules.prohibition != PROHIBITION_NONE:
        return True
    if worker.rules.occurrences <= 2:
        return worker.plies > 0
    for i in range(worker.plies):
        if worker.history[i].key == worker.pos.key:
            return True
        for j in range(i):
            if worker.history[i].key == worker.history[j].key:
                return True
    return False
