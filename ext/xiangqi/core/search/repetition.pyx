"""The search knows no rule: it asks the judge, and maps a verdict to a score."""

from xiangqi.core.evaluation.scores cimport INFINITE, WIN_IN_MAX, MATE, NO_SCORE, RULE_WIN
from xiangqi.core.repetition.cycle cimport Cycle, find_cycle_in_search
from xiangqi.core.repetition.judge cimport Judgment, judge_cycle, verdicts_left
from xiangqi.core.repetition.prohibition cimport NOTHING, earlier_stand
from xiangqi.core.repetition.rounds cimport rule_on_cycle
from xiangqi.core.repetition.verdict cimport BLACK_WINS, DRAW, RED_WINS
from xiangqi.core.search.params cimport BELIEVED_OCCURRENCES
from xiangqi.core.search.worker cimport (
    CHASES_ASKED, FLAGS_ASKED, KEY_REPEATED, draw_score, param,
)


cdef int ruling_score(Worker* worker, int alpha, int beta, int ply) noexcept nogil:
    """The score by rule if this position has come back, else NO_SCORE.

    Inside the tree ``BELIEVED_OCCURRENCES`` are enough; an occurrence before the root counts
    only towards the number that the rules ask for.
    """
    cdef Cycle cycle
    cdef bint is_cycle
    if worker.rules.prohibition != NOTHING:
        return prohibition_score(worker, ply)
    is_cycle = find_cycle_in_search(
        &worker.pos, worker.history, worker.plies, worker.root_plies,
        worker.rules.occurrences, param(worker, BELIEVED_OCCURRENCES), &cycle,
    )
    worker.stages[KEY_REPEATED] += cycle.occurrences - 1
    if not is_cycle:
        return NO_SCORE
    worker.tainted = True
    if worker.rules.offender_barred:
        return barring_score(worker, &cycle, ply)
    return judged_score(worker, &cycle, alpha, beta, ply)


cdef inline int barred_score(int ply) noexcept nogil:
    """What a barred move, just made, is worth to the side now to move: so much that its mover, if
    all moves are barred, scores as if it had none, and that any other move is better."""
    return MATE - ply + 1


cdef int prohibition_score(Worker* worker, int ply) noexcept nogil:
    """The score if the move that led here was barred by a prohibition, else NO_SCORE.

    A barred move is made and taken back at once: to find it out before would cost a look for each
    move instead of each node, and a key is all that is needed.
    """
    if earlier_stand(&worker.pos, worker.history, worker.plies, worker.rules.prohibition) < 0:
        return NO_SCORE
    worker.tainted = True
    return barred_score(ply)


cdef int barring_score(Worker* worker, const Cycle* cycle, int ply) noexcept nogil:
    """The score of a cycle where offenders may not go on, instead of losing.

    If the last move was the offence, it is barred, or so near to it that its mover will have to
    change. If the offender is to move, nothing is decided: it has to find another move. Where
    rounds are counted the verdict is that on the cycle played for ever, with nothing before it; at
    the root the game's own counts decide.
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
    """The score of a cycle for the side to move; a bound of it where that decides the matter.

    The check flags are asked first. Only if they leave several verdicts, and these lie on both
    sides of the window, are the chases worked out (the "judge prune" of Tan and Watkinson
    Medina, "Complete Implementation of WXF Chinese Chess Rules", 2024).
    """
    cdef Judgment judgment
    cdef int left = verdicts_left(worker.history, cycle, &worker.rules, worker.pos.turn)
    cdef int least = INFINITE
    cdef int most = -INFINITE
    cdef int verdict
    worker.stages[FLAGS_ASKED] += 1
    for verdict in range(DRAW, BLACK_WINS + 1):
        if left >> verdict & 1:
            least = min(least, score_of(worker, verdict, ply))
            most = max(most, score_of(worker, verdict, ply))
    if least == most or least >= beta:
        return least
    if most <= alpha:
        return most
    worker.stages[CHASES_ASKED] += 1
    judge_cycle(&worker.pos, worker.history, cycle, &worker.rules, &judgment, NULL)
    return score_of(worker, judgment.verdict, ply)


cdef int score_of(const Worker* worker, int verdict, int ply) noexcept nogil:
    """A verdict as a score of the side to move. Whoever looks for a mate has a draw where the rules
    would let him win, or he would be content with it."""
    cdef bint wins = (verdict == RED_WINS) == worker.pos.turn
    if verdict == DRAW or (worker.control.mate_only and wins == (ply & 1 == 0)):
        return draw_score(worker, ply)
    return RULE_WIN - ply if wins else ply - RULE_WIN


cdef bint may_be_ruled_on(const Worker* worker) noexcept nogil:
    """May a position of the game be ruled on if it comes once more? On the shortest way to a mate
    none comes oftener, as each is nearer to it than those before."""
    cdef int i, j
    if worker.rules.prohibition != NOTHING:
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
