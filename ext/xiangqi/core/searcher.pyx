"""Searcher for Python: one thread for each worker.

A ``Searcher`` owns a transposition table, shared by its threads, and one worker for each thread,
with its own position and histories. The GIL is released during the search and taken only to report.
"""

from threading import Thread, current_thread, main_thread

from cpython.exc cimport PyErr_CheckSignals
from libc.string cimport memset

from xiangqi.core.board cimport CoreBoard, RuleSwitches
from xiangqi.core.evaluation.scores cimport INFINITE, MATE
from xiangqi.core.evaluation.static_value cimport evaluate
from xiangqi.core.forcing.mates cimport MATE_LINE, MAX_CHECKS
from xiangqi.core.forcing.proofs cimport MAX_MATING_MOVES
from xiangqi.core.move cimport Move as CoreMove, shared_move
from xiangqi.core.moves.defs cimport NO_MOVE, NO_PIECE, Move, int64_t, uint64_t
from xiangqi.core.moves.movegen cimport MoveList, generate_legal
from xiangqi.core.network cimport Network
from xiangqi.core.repetition.prohibition cimport repeated_ply_after
from xiangqi.core.search.deepening cimport MAX_DEPTH, help_search, aspiration_search
from xiangqi.core.search.history cimport age_histories, clear_histories
from xiangqi.core.search.limits cimport Limits
from xiangqi.core.search.mating cimport search_proof
from xiangqi.core.search.params cimport HISTORY_KEPT, PARAMETERS, fill_tuning
from xiangqi.core.search.repetition cimport may_be_ruled_on
from xiangqi.core.search.root_moves cimport (
    discard_unproved_loss, reported_score, init_root_moves, rank_unfinished, save_scores, set_mate,
    sort_root_moves,
)
from xiangqi.core.search.tt cimport (
    EXACT, TTData, allocate, new_search, hashfull, probe, free_table, clear_table,
)
from xiangqi.core.search.vote cimport select_worker
from xiangqi.core.search.worker cimport (
    MAX_GAME, STAGES, Control, RootMove, Worker, begin_search, clock_ms, free_workers,
    new_workers, param, set_up_worker, total_nodes,
)
from xiangqi.core.system.clock cimport now_ms
from xiangqi.core.tablebase cimport Tables

from xiangqi.ground.errors.copies import refuse_copy
from xiangqi.core.search.params import Parameter
from xiangqi.core.searches import BOUNDS as _BOUNDS, SearchInfo, SearchResult
from xiangqi.core.solver import find_check_mate

cdef enum:
    MAX_THREADS = 256
    CHECKS_NODES = 30_000    # node limit of the mate-by-checks solver, about a millisecond
    PROOFS_NODES = 800_000   # first node limit of the proof-number solver, about 0.2 seconds
    PROOFS_GROWTH = 4        # factor of that limit at each turn


cdef class Parameters:
    """Search parameters and tables derived from them; searchers may share them.

    ``values`` maps each name of :attr:`names` to a number. Raises ValueError for missing or unknown
    names.
    """

    names = tuple([parameter.name for parameter in Parameter])

    def __cinit__(self, values):
        cdef int[PARAMETERS] numbers
        cdef int index
        if set(values) != set(self.names):
            wrong = ", ".join(sorted(set(values) ^ set(self.names)))
            raise ValueError(f"missing or unknown parameters: {wrong}")
        for index, name in enumerate(self.names):
            numbers[index] = values[name]
        fill_tuning(&self.tuning, numbers)

    def __reduce__(self):
        refuse_copy(self, "memory of the core")


cdef bint has_signal(void* searcher) noexcept with gil:
    """Run pending signal handlers; has one of them raised an exception?"""
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        (<Searcher>searcher).raised = error
        return True
    return False


cdef class Searcher:
    """Transposition table, threads and network of one engine; runs one search at a time.

    During a search only ``stop``, ``ponderhit``, ``probe``, ``current_move`` and ``total_nodes``
    may be called, from any thread; other calls raise RuntimeError.
    """

    def __cinit__(
        self, Parameters parameters not None, Network network not None, *, int hash_mb=16,
        int threads=1,
    ):
        memset(&self.control, 0, sizeof(Control))
        self.parameters = parameters
        self.network = network
        self.set_hash(hash_mb)
        self.set_threads(threads)

    def __reduce__(self):
        refuse_copy(self, "memory of the core")

    def __dealloc__(self):
        free_table(&self.control.table)
        free_workers(self.control.workers, self.control.worker_count)

    cdef int require_idle(self) except -1:
        """Raise RuntimeError during a search, which uses the table, workers and parameters."""
        if self.is_searching:
            raise RuntimeError("the searcher is searching: expected a call after the search")
        return 0

    def set_hash(self, int megabytes):
        """Allocate an empty transposition table; on MemoryError the old one remains."""
        self.require_idle()
        if megabytes < 1:
            raise ValueError(f"hash of {megabytes} MB: expected 1 or more")
        if not allocate(&self.control.table, megabytes):
            raise MemoryError(f"no memory for a hash table of {megabytes} MB")
        self.hash_mb = megabytes

    def set_threads(self, int threads):
        """Set the number of threads; their histories are cleared."""
        self.require_idle()
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"{threads} threads: expected 1 to {MAX_THREADS}")
        self.renew(threads, self.network)

    def set_network(self, Network network not None):
        """Set the network, and clear table and histories; on MemoryError nothing changes."""
        self.require_idle()
        self.renew(self.control.worker_count, network)
        clear_table(&self.control.table)

    def set_tables(self, Tables tables):
        """Set the endgame tables, or None, and clear the transposition table."""
        self.require_idle()
        self.tables = tables
        self.control.tables = NULL if tables is None else tables.table_set
        clear_table(&self.control.table)

    def set_parameters(self, Parameters parameters not None):
        """Replace the search parameters."""
        self.require_idle()
        self.parameters = parameters

    cdef int renew(self, int threads, Network network) except -1:
        """Allocate new workers in place of the old ones."""
        cdef Worker** workers = new_workers(threads, network.weights)
        if workers == NULL:
            raise MemoryError(f"no memory for {threads} threads")
        free_workers(self.control.workers, self.control.worker_count)
        self.control.workers = workers
        self.control.worker_count = threads
        self.network = network
        return 0

    @property
    def threads(self):
        """The number of threads."""
        return self.control.worker_count

    def clear(self):
        """Clear table and histories, for a new game."""
        cdef int i
        self.require_idle()
        clear_table(&self.control.table)
        for i in range(self.control.worker_count):
            clear_histories(self.control.workers[i].histories)

    def stop(self):
        """Stop the current search, if any; callable from any thread."""
        self.control.stop = True

    def ponderhit(self):
        """Start the clock: the pondered move was played. No effect unless pondering."""
        if self.control.pondering:
            self.control.clock_started = clock_ms(&self.control)
            self.control.pondering = False

    def probe(self, CoreBoard board not None):
        """Transposition table entry of a position: (move, bound, score, depth), or None."""
        cdef TTData tt = probe(&self.control.table, board.pos().key, 0)
        if not tt.found:
            return None
        move = None if tt.move == NO_MOVE else shared_move(tt.move)
        return move, _BOUNDS[tt.bound], tt.score, tt.depth

    def current_move(self):
        """Root move being searched: (depth, move, move number from 1), or None before the first;
        callable from any thread."""
        cdef uint64_t at = self.control.root_status
        if at == 0:
            return None
        return int(at >> 32), shared_move(<Move>(at & 0xFFFF)), int(at >> 16 & 0xFFFF)

    cdef int prepare(self, CoreBoard board, object moves, RuleSwitches switches) except -1:
        """Set up all workers with the position and the moves since the last capture, and age their
        histories."""
        cdef Worker* worker
        cdef MoveList roots
        cdef int i
        cdef int first = board.plies
        self.list_roots(board, moves, switches, &roots)
        while first > 0 and board.plies - first < MAX_GAME:
            if board.history[first - 1].captured != NO_PIECE:
                break
            first -= 1
        for i in range(self.control.worker_count):
            worker = self.control.workers[i]
            worker.control = &self.control
            worker.tuning = &self.parameters.tuning
            worker.is_main = i == 0
            set_up_worker(
                worker, board.pos(), board.history + first, board.plies - first, &switches.rules
            )
            init_root_moves(worker, &roots)
            age_histories(worker.histories, param(worker, HISTORY_KEPT))
        return 0

    cdef int list_roots(
        self, CoreBoard board, object allowed, RuleSwitches rules, MoveList* roots
    ) except -1:
        """List the moves allowed at the root, the table move first."""
        cdef MoveList legal
        cdef Move known = probe(&self.control.table, board.pos().key, 0).move
        cdef int i
        codes = None if allowed is None else {move.code for move in allowed}
        generate_legal(board.pos(), &legal)
        roots.count = 0
        for i in range(legal.count):
            if (codes is None or legal.moves[i] in codes) and repeated_ply_after(
                board.pos(), legal.moves[i], board.history, board.plies,
                rules.rules.prohibition,
            ) < 0:
                roots.moves[roots.count] = legal.moves[i]
                roots.count += 1
        for i in range(roots.count):
            if roots.moves[i] == known:
                roots.moves[i], roots.moves[0] = roots.moves[0], known
        return 0

    def search(
        self, CoreBoard board not None, SearchLimits limits not None,
        RuleSwitches switches not None, on_info=None,
    ):
        """Search a position until a limit is reached or ``stop`` is called.

        In the main thread Ctrl-C ends the search with KeyboardInterrupt. ``on_info`` is called with
        a SearchInfo for each line of each finished iteration, and once more for each line if the
        search ends inside an iteration; an exception in it ends the search and is raised here.

        The result of several threads is chosen by vote (:mod:`xiangqi.core.search.vote`), except
        under a depth limit or MultiPV, where the main thread decides; the line of another thread is
        reported last. Raises RuntimeError during another search.
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
        self, CoreBoard board, SearchLimits limits, RuleSwitches switches, object on_info
    ):
        """Run a search."""
        cdef Worker* selected = self.control.workers[0]
        cdef int i
        self.raised = None
        self.proof_moves = 0
        self.started = now_ms()
        self.control.stop = False
        self.prepare(board, limits.moves, switches)
        begin_search(&self.control, &limits.values)
        self.control.searcher = <void*>self
        if current_thread() is main_thread():
            self.control.has_signal = has_signal
        new_search(&self.control.table)
        if self.control.workers[0].root_count == 0:
            return SearchResult(None, None, 0, 0, 0, 0, (0,) * STAGES)
        helpers = [
            Thread(target=self._help_search, args=(i,), daemon=True)
            for i in range(1, self.control.worker_count)
        ]
        for helper in helpers:
            helper.start()
        try:
            if not (limits.values.mate and self.find_mate(board, on_info)):
                self.iterate(limits.replan, on_info)
        finally:
            self.control.stop = True
            for helper in helpers:
                helper.join()
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
        if limits.values.multipv == 1 and not limits.values.depth:
            selected = select_worker(&self.control)
        if not selected.is_main and on_info is not None:
            self.report_selected(selected, on_info)
        return self.result(selected)

    def _help_search(self, int index):
        """Run a helper thread."""
        cdef Worker* worker = self.control.workers[index]
        with nogil:
            help_search(worker, index)

    cdef bint find_mate(self, CoreBoard board, object on_info) except -1:
        """Run the mate solvers, by checks alone, then by any moves; has one found a mate?

        They ignore the moves before the position: see ``may_be_ruled_on``. Under a node limit each
        solver and the search get a third of the nodes; without one the proof-number solver and the
        search alternate (``take_proof_turn``).
        """
        cdef Worker* worker = self.control.workers[0]
        cdef const Limits* limits = &self.control.limits
        cdef int quiet_plies = limits.no_capture_limit - worker.pos.halfmove_clock
        cdef int moves = min(limits.mate, quiet_plies // 2)
        cdef bint found
        self.proof_nodes = PROOFS_NODES
        if limits.depth:
            moves = min(moves, (limits.depth + 1) // 2)
        if limits.nodes:
            self.proof_nodes = min(PROOFS_NODES, limits.nodes // 3 or 1)
        if moves < 1 or limits.multipv > 1 or may_be_ruled_on(worker):
            return False
        if self.find_checks(board, min(moves, MAX_CHECKS), min(self.proof_nodes, CHECKS_NODES)):
            self.report_mate(on_info)
            return True
        self.proof_moves = min(moves, MAX_MATING_MOVES)
        self.proof_due = 0
        found = self.take_proof_turn(on_info)
        if limits.nodes:
            self.proof_moves = 0
        return found

    cdef bint take_proof_turn(self, object on_info) except -1:
        """Run the proof-number solver if its turn has come; has it found a mate?

        Its turn comes when the search has spent as many nodes as the solver in its last turn.
        Either may find a mate a hundred times sooner than the other.
        """
        cdef Worker* worker = self.control.workers[0]
        cdef uint64_t before = worker.nodes
        cdef bint found
        if not self.proof_moves or before < self.proof_due:
            return False
        with nogil:
            found = search_proof(worker, self.proof_moves, self.proof_nodes)
        if found:
            self.report_mate(on_info)
        elif worker.nodes - before < <uint64_t>self.proof_nodes:  # settled: there is no such mate
            self.proof_moves = 0
        self.proof_due = worker.nodes + self.proof_nodes
        self.proof_nodes *= PROOFS_GROWTH
        return found

    cdef int report_mate(self, object on_info) except -1:
        """Report a solver's mate, which is the first line."""
        cdef Worker* worker = self.control.workers[0]
        worker.completed_depth = worker.root_moves[0].length
        if on_info is not None:
            on_info(self.info(worker, worker.completed_depth, 0, worker.root_moves[0].score, EXACT))
        return 0

    cdef bint find_checks(self, CoreBoard board, int max_checks, int64_t node_limit) except -1:
        """Search for a mate by checks alone, and make it the first line."""
        cdef Worker* worker = self.control.workers[0]
        cdef Move[MATE_LINE] codes
        cdef int ply
        line, _, worker.nodes = find_check_mate(board, max_checks, node_limit)
        if line is None:
            return False
        for ply, move in enumerate(line):
            codes[ply] = (<CoreMove>move).code
        return set_mate(worker, codes, len(line))

    cdef int iterate(self, object replan, object on_info) except -1:
        """Iterative deepening until a limit is reached."""
        cdef Worker* worker = self.control.workers[0]
        cdef int depth
        cdef int line = 0
        cdef int lines = min(self.control.limits.multipv, worker.root_count)
        cdef int seldepth = 0
        for depth in range(1, (self.control.limits.depth or MAX_DEPTH) + 1):
            save_scores(worker)
            for line in range(lines):
                worker.pv_index = line
                worker.seldepth = 0
                with nogil:
                    aspiration_search(worker, depth)
                if worker.stopped:
                    break
            worker.pv_index = 0
            if worker.stopped:
                worker.seldepth = max(worker.seldepth, seldepth)
                if line == 0:
                    discard_unproved_loss(worker)
                rank_unfinished(worker, line, lines)
                if on_info is not None:
                    self.report_unfinished(worker, lines, on_info)
                if lines > 1:
                    save_scores(worker)  # the result is that of the first line reported
                break
            sort_root_moves(worker, 0)
            worker.completed_depth = depth
            seldepth = worker.seldepth
            if on_info is not None:
                for line in range(lines):
                    on_info(self.info(worker, depth, line, worker.root_moves[line].score, EXACT))
            if replan is not None:
                self.replan(replan, depth)
            if self.control.stop or self.is_enough() or self.take_proof_turn(on_info):
                break
        return 0

    cdef int report_selected(self, Worker* worker, object on_info) except -1:
        """Report the line of the selected helper."""
        if worker.stopped:
            rank_unfinished(worker, 0, 1)
            return self.report_unfinished(worker, 1, on_info)
        on_info(self.info(worker, worker.completed_depth, 0, worker.root_moves[0].score, EXACT))
        return 0

    cdef int report_unfinished(self, Worker* worker, int lines, object on_info) except -1:
        """Report all lines once more, with different moves, after an iteration that ended inside a
        line and was ranked by ``rank_unfinished``."""
        cdef RootMove* root
        cdef int i
        for i in range(lines):
            root = &worker.root_moves[i]
            if root.score > -INFINITE:
                on_info(self.info(worker, root.depth, i, root.score, root.bound))
            elif i == 0:
                on_info(self.info(worker, 0, i, self.static_score(), EXACT))
        return 0

    cdef bint is_enough(self) noexcept:
        """Is a soft limit reached, or the mate found?"""
        cdef const Limits* limits = &self.control.limits
        cdef int score = self.control.workers[0].root_moves[0].score
        if limits.mate and score >= MATE - 2 * limits.mate:
            return True
        if limits.soft_nodes and total_nodes(&self.control) >= <uint64_t>limits.soft_nodes:
            return True
        if self.control.pondering or not limits.soft_ms:
            return False
        return clock_ms(&self.control) - self.control.clock_started >= limits.soft_ms

    cdef int replan(self, object replan, int depth) except -1:
        """Let the time management set new limits after an iteration."""
        cdef Worker* worker = self.control.workers[0]
        cdef RootMove* best = &worker.root_moves[0]
        cdef uint64_t nodes = 0
        cdef int i
        for i in range(worker.root_count):
            nodes += worker.root_moves[i].nodes
        self.control.limits.soft_ms, self.control.firm_ms = replan(
            depth, shared_move(best.move), best.score, best.nodes / <double>max(nodes, <uint64_t>1)
        )
        return 0

    def total_nodes(self):
        """Nodes of all threads."""
        return total_nodes(&self.control)

    cdef object info(self, const Worker* worker, int depth, int line, int score, int bound):
        """SearchInfo of one line of a worker."""
        cdef const RootMove* root = &worker.root_moves[line]
        return SearchInfo(
            depth, worker.seldepth + 1, line + 1, score, _BOUNDS[bound], self.total_nodes(),
            now_ms() - self.started, hashfull(&self.control.table),
            tuple([shared_move(root.pv[i]) for i in range(root.length)]),
        )

    cdef int static_score(self) noexcept:
        """Static evaluation of the root."""
        cdef Worker* worker = self.control.workers[0]
        return evaluate(&worker.pos, worker.network)

    cdef object result(self, const Worker* worker):
        """Result of the finished search: the worker's best move and last reported score, or the
        first move and the static evaluation if no move was searched completely."""
        cdef const RootMove* root = &worker.root_moves[0]
        cdef int threads = self.control.worker_count
        cdef int score = reported_score(worker)
        if score == -INFINITE:
            score = self.static_score()
        return SearchResult(
            shared_move(root.move),
            shared_move(root.pv[1]) if root.length > 1 else None,
            score,
            worker.completed_depth,
            self.total_nodes(),
            now_ms() - self.started,
            tuple([
                sum([self.control.workers[i].stages[stage] for i in range(threads)])
                for stage in range(STAGES)
            ]),
        )
