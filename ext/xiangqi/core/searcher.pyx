"""The door between Python and the search: limits in, results out, threads in between.

A ``Searcher`` owns a transposition table, which its threads share, and for each thread a worker
with its own position and histories. The GIL is released while a worker searches and taken only
to report.
"""

from threading import Thread, current_thread, main_thread

from cpython.exc cimport PyErr_CheckSignals
from libc.string cimport memcpy, memset

from xiangqi.core.board cimport CoreBoard, RuleSwitches
from xiangqi.core.evaluation.scores cimport INFINITE, MATE, MAX_PLY
from xiangqi.core.evaluation.slot cimport eval_reset, evaluate
from xiangqi.core.evaluator cimport Terms
from xiangqi.core.forcing.mates cimport MATE_LINE, MAX_CHECKS
from xiangqi.core.forcing.proofs cimport MAX_MATING_MOVES
from xiangqi.core.move cimport Move as CoreMove, shared_move
from xiangqi.core.moves.defs cimport NO_MOVE, NO_PIECE, Move, int64_t, uint64_t
from xiangqi.core.moves.movegen cimport MoveList, generate_legal
from xiangqi.core.moves.position cimport Undo
from xiangqi.core.network cimport Network
from xiangqi.core.repetition.prohibition cimport earlier_stand_after
from xiangqi.core.search.crew cimport free_workers, new_workers
from xiangqi.core.search.deepening cimport MAX_DEPTH, deepen, search_depth
from xiangqi.core.search.history cimport forget
from xiangqi.core.search.mating cimport find_proof
from xiangqi.core.search.params cimport PARAMETERS, fill_tuning
from xiangqi.core.search.repetition cimport may_be_ruled_on
from xiangqi.core.search.root_moves cimport (
    drop_unproved_loss, is_improved, known_score, list_root_moves, rank_unfinished,
    remember_scores, set_mate, sort_root_moves,
)
from xiangqi.core.search.tt cimport (
    EXACT, LOWER, UPPER, Hit, allocate, begin_search, fullness, probe, release, wipe,
)
from xiangqi.core.search.vote cimport elect
from xiangqi.core.search.worker cimport (
    FRAMES_BEFORE, MAX_GAME, STAGES, Control, RootMove, Worker, clock_ms, total_nodes,
)
from xiangqi.core.system.clock cimport now_ms
from xiangqi.core.tablebase cimport Tables

from xiangqi.core.search.params import Parameter
from xiangqi.core.searches import BOUNDS as _BOUNDS, SearchInfo, SearchResult
from xiangqi.core.solver import find_check_mate

cdef enum:
    MAX_THREADS = 256
    NO_LIMIT = 1 << 30
    CHECKS_NODES = 30_000    # what the solver of checks may spend: about a millisecond,
    PROOFS_NODES = 800_000   # and that of all moves: about a fifth of a second,
    PROOFS_GROWTH = 4        # in its next turn so many times as much


cdef class Parameters:
    """The numbers of a search, and what follows from them; searchers may share them.

    ``values`` has one for each name of :attr:`names`. Raises ValueError if one lacks or is unknown.
    """

    names = tuple([parameter.name for parameter in Parameter])

    def __cinit__(self, values):
        cdef int[PARAMETERS] numbers
        cdef int index
        if set(values) != set(self.names):
            wrong = ", ".join(sorted(set(values) ^ set(self.names)))
            raise ValueError(f"parameters that lack or are unknown: {wrong}")
        for index, name in enumerate(self.names):
            numbers[index] = values[name]
        fill_tuning(&self.tuning, numbers)


cdef bint has_signal(void* searcher) noexcept with gil:
    """Let the handlers of signals run that have come; has one of them raised something?"""
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        (<Searcher>searcher).raised = error
        return True
    return False


cdef class Searcher:
    """One engine's memory and its threads. One search at a time.

    ``evaluation`` is a Network or Terms. During a search only ``stop``, ``ponderhit``, ``probe``,
    ``current_move`` and ``total_nodes`` may be called, from any thread; another search and every
    change raise RuntimeError.
    """

    def __cinit__(
        self, Parameters parameters not None, evaluation not None, *, int hash_mb=16,
        int threads=1,
    ):
        memset(&self.control, 0, sizeof(Control))
        self.parameters = parameters
        self.evaluation = evaluation
        self.set_hash(hash_mb)
        self.set_threads(threads)

    def __dealloc__(self):
        release(&self.control.table)
        free_workers(self.control.workers, self.control.worker_count)

    cdef int require_idle(self) except -1:
        """Raise RuntimeError during a search, whose threads use the table, the workers and the
        parameters that a change would free or overwrite."""
        if self.is_searching:
            raise RuntimeError("the searcher is searching: expected a call after the search")
        return 0

    def set_hash(self, int megabytes):
        """Make the table so large and empty; MemoryError leaves the old one."""
        self.require_idle()
        if megabytes < 1:
            raise ValueError(f"hash of {megabytes} MB: expected 1 or more")
        if not allocate(&self.control.table, megabytes):
            raise MemoryError(f"no memory for a hash table of {megabytes} MB")
        self.hash_mb = megabytes

    def set_threads(self, int threads):
        """Search with so many threads, their histories empty; MemoryError leaves the old ones."""
        self.require_idle()
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"{threads} threads: expected 1 to {MAX_THREADS}")
        self.renew(threads, self.evaluation)

    def set_evaluation(self, evaluation not None):
        """Evaluate with a Network or with Terms, and forget everything; MemoryError leaves all as
        it was."""
        self.require_idle()
        self.renew(self.control.worker_count, evaluation)
        wipe(&self.control.table)

    def set_tables(self, Tables tables):
        """Ask these end-game tables, or none, and forget what was found without them."""
        self.require_idle()
        self.tables = tables
        self.control.shelf = NULL if tables is None else tables.shelf
        wipe(&self.control.table)

    def set_parameters(self, Parameters parameters not None):
        """Search by other numbers."""
        self.require_idle()
        self.parameters = parameters

    cdef int renew(self, int threads, object evaluation) except -1:
        """Make workers anew."""
        cdef Network network = evaluation if isinstance(evaluation, Network) else None
        cdef Terms terms = None if network is not None else evaluation
        cdef Worker** workers = new_workers(
            threads, NULL if network is None else network.weights
        )
        cdef int i
        if workers == NULL:
            raise MemoryError(f"no memory for {threads} threads")
        for i in range(threads):
            workers[i].eval_state.terms.weights = NULL if terms is None else &terms.weights
        free_workers(self.control.workers, self.control.worker_count)
        self.control.workers = workers
        self.control.worker_count = threads
        self.evaluation = evaluation
        return 0

    @property
    def threads(self):
        """The number of threads."""
        return self.control.worker_count

    def clear(self):
        """Forget everything: a new game."""
        cdef int i
        self.require_idle()
        wipe(&self.control.table)
        for i in range(self.control.worker_count):
            forget(self.control.workers[i].histories)

    def stop(self):
        """End the search that is running, from any thread. Without one nothing happens."""
        self.control.stop = True

    def ponderhit(self):
        """The move pondered on was played: the clock runs from now. Without pondering nothing
        happens."""
        if self.control.pondering:
            self.control.clock_started = clock_ms(&self.control)
            self.control.pondering = False

    def probe(self, CoreBoard board not None):
        """What the table knows of a position: (move, bound, score, depth), or None."""
        cdef Hit hit = probe(&self.control.table, board.whole().key, 0)
        if not hit.found:
            return None
        move = None if hit.move == NO_MOVE else shared_move(hit.move)
        return move, _BOUNDS[hit.bound], hit.score, hit.depth

    def current_move(self):
        """The root move that is being searched, from any thread: (depth, move, its number from 1),
        or None before the first."""
        cdef uint64_t at = self.control.at_root
        if at == 0:
            return None
        return int(at >> 32), shared_move(<Move>(at & 0xFFFF)), int(at >> 16 & 0xFFFF)

    cdef int prepare(self, object board, object limits, object switches) except -1:
        """Set every worker up on the position, with the moves that can still repeat."""
        cdef CoreBoard core = board
        cdef RuleSwitches rules = switches
        cdef Worker* worker
        cdef MoveList roots
        cdef int i, j
        cdef int first = core.plies
        self.list_roots(core, limits.moves, rules, &roots)
        while first > 0 and core.plies - first < MAX_GAME:
            if core.history[first - 1].captured != NO_PIECE:
                break
            first -= 1
        for i in range(self.control.worker_count):
            worker = self.control.workers[i]
            worker.control = &self.control
            worker.tuning = &self.parameters.tuning
            worker.pos = core.whole()[0]
            worker.rules = rules.rules
            worker.plies = worker.root_plies = core.plies - first
            if worker.plies:  # a board without a game has no history to point to
                memcpy(worker.history, &core.history[first], worker.plies * sizeof(Undo))
            worker.is_main = i == 0
            worker.nodes = worker.seldepth = worker.null_ply = worker.pv_index = 0
            worker.finished = 0
            worker.led = NO_MOVE
            worker.tainted = worker.over = False
            memset(worker.stages, 0, sizeof(worker.stages))
            memset(worker.frames, 0, sizeof(worker.frames))
            for j in range(FRAMES_BEFORE):
                worker.frames[j].place = -1
            worker.frames[FRAMES_BEFORE].in_check = core.is_check()
            eval_reset(&worker.eval_state, &worker.pos)
            list_root_moves(worker, &roots)
        return 0

    cdef int list_roots(
        self, CoreBoard board, object allowed, RuleSwitches rules, MoveList* roots
    ) except -1:
        """The moves that may be played, the one first that would be if the search had to end before
        it began."""
        cdef MoveList legal
        cdef Move known = probe(&self.control.table, board.whole().key, 0).move
        cdef int i
        codes = None if allowed is None else {move.code for move in allowed}
        generate_legal(board.whole(), &legal)
        roots.count = 0
        for i in range(legal.count):
            if (codes is None or legal.moves[i] in codes) and earlier_stand_after(
                board.whole(), legal.moves[i], board.history, board.plies,
                rules.rules.prohibition,
            ) < 0:
                roots.moves[roots.count] = legal.moves[i]
                roots.count += 1
        for i in range(roots.count):
            if roots.moves[i] == known:
                roots.moves[i], roots.moves[0] = roots.moves[0], known
        return 0

    def search(
        self, CoreBoard board not None, limits, RuleSwitches switches not None, on_info=None
    ):
        """Search a position until a limit is reached or ``stop`` is called.

        In the main thread, where Python hears signals, Ctrl-C ends it with KeyboardInterrupt.
        ``on_info`` is called with a SearchInfo for every line of every finished iteration, and if
        the search ends inside an iteration once more for every line, with all nodes; an
        exception in it ends the search and is raised here.

        Several threads vote in the end (:mod:`xiangqi.core.search.vote`), unless a depth or several
        lines were asked for, which are the main thread's; another one's line is told last. Raises
        RuntimeError while another search goes on.
        """
        self.require_idle()
        self.is_searching = True
        if self.tables is not None:
            self.tables.readers += 1
        try:
            return self.run(board, limits, switches, on_info)
        finally:
            if self.tables is not None:
                self.tables.readers -= 1
            self.is_searching = False

    cdef object run(
        self, CoreBoard board, object limits, RuleSwitches switches, object on_info
    ):
        """Search, as the only one."""
        cdef Worker* elected = self.control.workers[0]
        cdef int i
        self.control.stop = False
        self.started = now_ms()
        self.control.nodes_per_ms = limits.nodes_per_ms
        self.soft_ms = limits.soft_ms
        self.proof_moves = 0
        self.control.hard_ms = limits.hard_ms
        self.control.firm_ms = 0
        self.control.no_capture_limit = limits.no_capture_limit or NO_LIMIT
        self.control.contempt = limits.contempt
        self.control.mate_only = limits.mate != 0
        self.control.longest_line = min(2 * limits.mate or MAX_PLY, MAX_PLY - 1)
        self.control.node_limit = limits.nodes
        self.control.at_root = 0
        self.control.searcher = <void*>self
        self.control.signals_heard = self.started
        self.raised = None
        self.control.has_signal = NULL
        if current_thread() is main_thread():
            self.control.has_signal = has_signal
        self.prepare(board, limits, switches)
        self.control.pondering = limits.ponder
        self.control.clock_started = 0 if limits.nodes_per_ms else self.started
        begin_search(&self.control.table)
        if self.control.workers[0].root_count == 0:
            return SearchResult(None, None, 0, 0, 0, 0, (0,) * STAGES)
        helpers = [
            Thread(target=self._help_search, args=(i,), daemon=True)
            for i in range(1, self.control.worker_count)
        ]
        for helper in helpers:
            helper.start()
        try:
            if not (limits.mate and self.find_mate(board, limits, on_info)):
                self.iterate(limits, on_info)
        finally:
            self.control.stop = True
            for helper in helpers:
                helper.join()
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
        if limits.multipv == 1 and not limits.depth:
            elected = elect(&self.control)
        if not elected.is_main and on_info is not None:
            self.tell_last(elected, on_info)
        return self.result(elected)

    def _help_search(self, int index):
        """One helper thread of a search."""
        cdef Worker* worker = self.control.workers[index]
        with nogil:
            deepen(worker, index)

    cdef bint find_mate(self, object board, object limits, object on_info) except -1:
        """Have the solvers look for a mate, by checks alone and then by any moves: is there one?

        They know the position, and no game that led to it: see ``may_be_ruled_on``. Of a number of
        nodes each has a third, and the search as well; otherwise the solver of all moves and the
        search take turns (``take_proof_turn``).
        """
        cdef Worker* worker = self.control.workers[0]
        cdef int quiet_plies = self.control.no_capture_limit - worker.pos.halfmove_clock
        cdef int most = min(limits.mate, quiet_plies // 2)
        cdef bint found
        self.proof_nodes = PROOFS_NODES
        if limits.depth:
            most = min(most, (limits.depth + 1) // 2)
        if limits.nodes:
            self.proof_nodes = min(PROOFS_NODES, limits.nodes // 3 or 1)
        if most < 1 or limits.multipv > 1 or may_be_ruled_on(worker):
            return False
        if self.find_checks(board, min(most, MAX_CHECKS), min(self.proof_nodes, CHECKS_NODES)):
            self.tell_mate(on_info)
            return True
        self.proof_moves = min(most, MAX_MATING_MOVES)
        self.proof_due = 0
        found = self.take_proof_turn(on_info)
        if limits.nodes:
            self.proof_moves = 0
        return found

    cdef bint take_proof_turn(self, object on_info) except -1:
        """If it is its turn, have the solver of all moves look once more: is there a mate?

        It is when the search has made as many nodes as the solver in its last turn. Some mates the
        one finds a hundred times sooner, some the other, and nobody knows which.
        """
        cdef Worker* worker = self.control.workers[0]
        cdef uint64_t before = worker.nodes
        cdef bint found
        if not self.proof_moves or before < self.proof_due:
            return False
        with nogil:
            found = find_proof(worker, self.proof_moves, self.proof_nodes)
        if found:
            self.tell_mate(on_info)
        elif worker.nodes - before < <uint64_t>self.proof_nodes:  # there is none that may be played
            self.proof_moves = 0
        self.proof_due = worker.nodes + self.proof_nodes
        self.proof_nodes *= PROOFS_GROWTH
        return found

    cdef int tell_mate(self, object on_info) except -1:
        """Finish with the mate that a solver has made the first line."""
        cdef Worker* worker = self.control.workers[0]
        worker.finished = worker.root_moves[0].length
        if on_info is not None:
            on_info(self.info(worker, worker.finished, 0, worker.root_moves[0].score, EXACT))
        return 0

    cdef bint find_checks(self, object board, int most, int64_t effort) except -1:
        """Is there a mate by checks alone?"""
        cdef Worker* worker = self.control.workers[0]
        cdef Move[MATE_LINE] codes
        cdef int ply
        line, _, worker.nodes = find_check_mate(board, most, effort)
        if line is None:
            return False
        for ply, move in enumerate(line):
            codes[ply] = (<CoreMove>move).code
        return set_mate(worker, codes, len(line))

    cdef int iterate(self, object limits, object on_info) except -1:
        """Deepen until a limit is reached."""
        cdef Worker* worker = self.control.workers[0]
        cdef int depth, line
        cdef int lines = min(limits.multipv, worker.root_count)
        cdef int seldepth = 0
        for depth in range(1, (limits.depth or MAX_DEPTH) + 1):
            remember_scores(worker)
            for line in range(lines):
                worker.pv_index = line
                worker.seldepth = 0
                with nogil:
                    search_depth(worker, depth)
                if worker.over:
                    break
            worker.pv_index = 0
            if worker.over:
                worker.seldepth = max(worker.seldepth, seldepth)
                if line == 0:
                    drop_unproved_loss(worker)
                if on_info is not None:
                    self.tell_unfinished(worker, line, lines, on_info)
                if line > 0:
                    remember_scores(worker)  # the first line came to its end
                break
            sort_root_moves(worker, 0)
            worker.finished = depth
            seldepth = worker.seldepth
            if on_info is not None:
                for line in range(lines):
                    on_info(self.info(worker, depth, line, worker.root_moves[line].score, EXACT))
            if limits.replan is not None:
                self.replan(limits.replan, depth)
            if self.control.stop or self.is_enough(limits) or self.take_proof_turn(on_info):
                break
        return 0

    cdef int tell_last(self, Worker* worker, object on_info) except -1:
        """Tell the line that a helper has come to."""
        if worker.over:
            return self.tell_unfinished(worker, 0, 1, on_info)
        on_info(self.info(worker, worker.finished, 0, worker.root_moves[0].score, EXACT))
        return 0

    cdef int tell_unfinished(
        self, Worker* worker, int line, int lines, object on_info
    ) except -1:
        """Tell all lines once more, each with another move, where an iteration ended inside a line.

        A score that this iteration has changed is told as a bound, as nobody knows what would have
        come of it; the other lines keep the score and depth of the iteration before.
        """
        cdef RootMove* root
        cdef int i
        rank_unfinished(worker, max(line, 1))
        for i in range(lines):
            root = &worker.root_moves[i]
            if i < line:
                on_info(self.info(worker, worker.root_depth, i, root.score, EXACT))
            elif root.score > root.previous or (i == 0 and is_improved(worker)):
                on_info(self.info(worker, worker.root_depth, i, root.score, LOWER))
            elif i > 0 and root.score < root.previous:
                on_info(self.info(worker, worker.root_depth, i, root.score, UPPER))
            elif root.previous > -INFINITE:
                on_info(self.info(worker, worker.finished, i, root.previous, EXACT))
            elif i == 0:
                on_info(self.info(worker, 0, i, self.static_score(), EXACT))
        return 0

    cdef bint is_enough(self, object limits) except -1:
        """Is a soft limit reached, or a mate found that was looked for?"""
        cdef int score = self.control.workers[0].root_moves[0].score
        if limits.mate and score >= MATE - 2 * limits.mate:
            return True
        if limits.soft_nodes and total_nodes(&self.control) >= limits.soft_nodes:
            return True
        if self.control.pondering or not self.soft_ms:
            return False
        return clock_ms(&self.control) - self.control.clock_started >= self.soft_ms

    cdef int replan(self, object replan, int depth) except -1:
        """Have the time limits set anew, by what an iteration has found."""
        cdef Worker* worker = self.control.workers[0]
        cdef RootMove* best = &worker.root_moves[0]
        cdef uint64_t nodes = 0
        cdef int i
        for i in range(worker.root_count):
            nodes += worker.root_moves[i].nodes
        self.soft_ms, self.control.firm_ms = replan(
            depth, shared_move(best.move), best.score, best.nodes / <double>max(nodes, <uint64_t>1)
        )
        return 0

    def total_nodes(self):
        """The nodes of all threads so far."""
        return total_nodes(&self.control)

    cdef object info(self, const Worker* worker, int depth, int line, int score, int bound):
        """What a worker knows of one of its lines."""
        cdef const RootMove* root = &worker.root_moves[line]
        return SearchInfo(
            depth, worker.seldepth + 1, line + 1, score, _BOUNDS[bound], self.total_nodes(),
            now_ms() - self.started, fullness(&self.control.table),
            tuple([shared_move(root.pv[i]) for i in range(root.length)]),
        )

    cdef int static_score(self) noexcept:
        """What the root is worth without a search."""
        cdef Worker* worker = self.control.workers[0]
        return evaluate(&worker.pos, &worker.eval_state)

    cdef object result(self, const Worker* worker):
        """The best move of the search that has just ended, as a worker sees it, and the score told
        last; if no move was searched to the end, the first one, with the static evaluation."""
        cdef const RootMove* root = &worker.root_moves[0]
        cdef int threads = self.control.worker_count
        cdef int score = known_score(worker)
        if score == -INFINITE:
            score = self.static_score()
        return SearchResult(
            shared_move(root.move),
            shared_move(root.pv[1]) if root.length > 1 else None,
            score,
            worker.finished,
            self.total_nodes(),
            now_ms() - self.started,
            tuple([
                sum([self.control.workers[i].stages[stage] for i in range(threads)])
                for stage in range(STAGES)
            ]),
        )
