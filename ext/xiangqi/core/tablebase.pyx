"""Endgame tables for Python: solving, probing and auditing classes."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AsString
from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from xiangqi.core.board cimport CoreBoard, RuleSwitches
from xiangqi.core.move cimport Move
from xiangqi.core.moves.defs cimport (
    ADVISOR, PAWN, PIECE_CODES, RED, SQUARES, kind_of, uint8_t, uint32_t, uint64_t,
)
from xiangqi.core.moves.position cimport Position
from xiangqi.core.tables.audit cimport Audit, audit
from xiangqi.core.tables.cells cimport (
    LEVEL_SHIFT, NO_POSITION, Cell, distance_of, is_lost, is_won, level_of,
)
from xiangqi.core.tables.edges cimport EndGame, open_class
from xiangqi.core.tables.graph cimport NO_MEMORY, STOPPED, TOO_LONG, Graph
from xiangqi.core.tables.marks cimport (
    ALL_MARKS, ANSWERS, CHASES, CHECKS, Facts, forget_facts, marks_of_move,
)
from xiangqi.core.tables.material cimport (
    Material, Signature, find_index, is_own_mirror, place_index, set_material, signature_of,
)
from xiangqi.core.tables.retrograde cimport solve as solve_graph
from xiangqi.core.tables.table_set cimport TableSet, Table, probe_cell, add_table
from xiangqi.core.tables.watch cimport COUNTING, SEEKING, SETTLING, Watch

from xiangqi.ground.errors.copies import refuse_copy

cdef enum:
    LEVELS = (NO_POSITION >> LEVEL_SHIFT) + 1  # number of levels that a cell can encode

CELL_SIZE = sizeof(Cell)


cdef int read_material(bytes pieces, Material* material) except -1:
    """Fill in the material of a class, given the codes of its pieces without the kings."""
    for piece in pieces:
        if piece >= PIECE_CODES or not ADVISOR <= kind_of(piece) <= PAWN:
            raise ValueError(f"piece code {piece}: expected pieces other than kings")
    if not set_material(material, <const uint8_t*><const char*>pieces, len(pieces)):
        raise ValueError(f"{len(pieces)} pieces without the kings: the class is too large")
    return 0


def count_cells(bytes pieces not None):
    """Number of cells of the table of a class; raises ValueError if it is too large."""
    cdef Material material
    read_material(pieces, &material)
    return material.size


cdef class Tables:
    """Set of solved classes; a class is given as codes of pieces (``xiangqi.pieces``) without the
    kings."""

    def __cinit__(self):
        self.held = []
        self.table_set = <TableSet*>calloc(1, sizeof(TableSet))
        if self.table_set == NULL:
            raise MemoryError("no memory for a set of tables")

    def __reduce__(self):
        refuse_copy(self, "memory of the core")

    def __dealloc__(self):
        free(self.table_set)

    def add(self, bytes pieces not None, cells not None):
        """Add a solved class. The cells are not copied.

        Raises ValueError for a wrong number of cells, RuntimeError while a search reads the tables.
        """
        cdef HeldTable held = HeldTable(pieces, cells)
        if self.readers:
            raise RuntimeError("a search reads the tables: expected a call after the search")
        if not add_table(self.table_set, held.table):
            raise ValueError("the set of tables is full")
        self.held.append(held)

    def probe(self, CoreBoard board not None):
        """(value, distance, level) for the side to move; None if no table has the position.

        The value is 1 for a win, 0 for a draw, -1 for a loss; the distance is in plies, 0 for a
        draw. See ``xiangqi.core.tables.cells``.
        """
        cdef Cell cell
        if not probe_cell(self.table_set, board.pos(), &cell):
            return None
        return as_value(cell)

    def solve(self, bytes pieces not None, RuleSwitches switches not None, on_progress=None):
        """Solve a class: (cells, number of doubtful cells). Takes four bytes of memory for a cell.

        Raises ValueError unless the classes that captures lead to have been added.
        ``on_progress`` is called every few milliseconds with a description of the current step and
        the fraction of it that is done; an exception in it ends the work, as does Ctrl-C. The GIL
        is released.
        """
        cdef Material material
        cdef Watched watched = Watched(on_progress)
        cdef EndGame game
        cdef Graph graph
        cdef bytearray cells
        cdef Cell* cell
        cdef uint64_t doubtful
        cdef int ended
        read_material(pieces, &material)
        require_captures(open_class(&game, &graph, &material, &switches.rules, self.table_set))
        cells = bytearray(material.size * sizeof(Cell))
        cell = <Cell*>PyByteArray_AsString(cells)
        with nogil:
            ended = solve_graph(&graph, &switches.rules, cell, &watched.watch, &doubtful)
        watched.require_done(ended)
        return cells, doubtful

    def audit(
        self, bytes pieces not None, cells not None, RuleSwitches switches not None,
        on_progress=None,
    ):
        """Check that each cell follows from the others: (positions, violations, first).

        ``first`` is the number of the first wrong cell. ``on_progress`` is as for ``solve``; the
        GIL is released.
        """
        cdef HeldTable held = HeldTable(pieces, cells)
        cdef Watched watched = Watched(on_progress)
        cdef EndGame game
        cdef Graph graph
        cdef Audit result
        cdef int ended
        require_captures(
            open_class(&game, &graph, &held.table.material, &switches.rules, self.table_set)
        )
        with nogil:
            ended = audit(
                &graph, &switches.rules, held.table.cells, &watched.watch, &result
            )
        watched.require_done(ended)
        return result.positions, result.violations, result.first


cdef int require_captures(bint are_loaded) except -1:
    if not are_loaded:
        raise ValueError("a capture leads to a class that has not been added")
    return 0


cdef bint poll(const Watch* watch) noexcept with gil:
    """Run pending signal handlers and report progress; has one of these raised an exception?"""
    cdef Watched watched = <Watched>watch.watched
    try:
        PyErr_CheckSignals()
        if watched.on_progress is not None:
            watched.on_progress(describe_job(watch), watch.node / <double>watch.nodes)
    except BaseException as error:
        watched.raised = error
        return True
    return False


cdef str describe_job(const Watch* watch):
    if watch.job == COUNTING:
        return "counting moves"
    if watch.job == SETTLING:
        return f"level {watch.level}, distance {watch.distance}"
    if watch.job == SEEKING:
        return f"level {watch.level}, zones"
    return "auditing"


cdef class Watched:
    """Progress callback of a long computation, and the exception that ended it."""

    cdef Watch watch
    cdef object on_progress
    cdef object raised

    def __cinit__(self, on_progress):
        memset(&self.watch, 0, sizeof(Watch))
        self.watch.poll = poll
        self.watch.watched = <void*>self
        self.on_progress = on_progress

    cdef int require_done(self, int ended) except -1:
        """Raise an exception unless the computation has ended with DONE."""
        if ended == NO_MEMORY:
            raise MemoryError("no memory to solve a class of this size")
        if ended == TOO_LONG:
            raise OverflowError("a distance or a level is too long for a cell")
        if ended == STOPPED:
            raise self.raised
        return 0


cdef class HeldTable:
    """A table, and the buffer of its cells."""

    cdef Table* table
    cdef Py_buffer view
    cdef bint is_held

    def __cinit__(self, bytes pieces, cells):
        cdef Material material
        read_material(pieces, &material)
        PyObject_GetBuffer(cells, &self.view, PyBUF_SIMPLE)
        self.is_held = True
        if <size_t>self.view.len != material.size * sizeof(Cell):
            raise ValueError(
                f"{self.view.len} bytes of cells: expected {material.size * sizeof(Cell)}"
            )
        self.table = <Table*>calloc(1, sizeof(Table))
        if self.table == NULL:
            raise MemoryError("no memory for a table")
        self.table.material = material
        self.table.cells = <const Cell*>self.view.buf

    def __dealloc__(self):
        free(self.table)
        if self.is_held:
            PyBuffer_Release(&self.view)


cdef object as_value(Cell cell):
    """(value, distance, level) of a cell; None for NO_POSITION."""
    if cell == NO_POSITION:
        return None
    if is_won(cell):
        return 1, distance_of(cell), level_of(cell)
    if is_lost(cell):
        return -1, distance_of(cell), level_of(cell)
    return 0, 0, 0


def decode_cell(int cell):
    """(value, distance, level) of a packed cell, as in ``Tables.probe``; None for NO_POSITION."""
    return as_value(cell)


def find_cell(bytes pieces not None, CoreBoard board not None):
    """Index of a board's cell in the table of a class; None if the class has no such position."""
    cdef Material material
    cdef Signature signature
    cdef uint32_t index
    read_material(pieces, &material)
    signature = signature_of(board.pos())
    if signature != material.signature and signature != material.turned:
        return None
    if not find_index(&material, board.pos(), signature != material.signature, &index):
        return None
    return index


def move_marks(CoreBoard board not None, Move move not None, RuleSwitches switches not None):
    """The judge's marks of a legal move: (gives check, makes a threat, parries all threats)."""
    cdef Facts facts
    cdef int marks
    board.require_legal(move)
    forget_facts(&facts)
    marks = marks_of_move(board.pos(), move.code, &switches.rules, &facts, ALL_MARKS)
    return bool(marks & CHECKS), bool(marks & CHASES), bool(marks & ANSWERS)


def place(bytes pieces not None, index):
    """The position of a cell: (90 piece codes, Red to move?); None if it is impossible."""
    cdef Material material
    cdef Position position
    read_material(pieces, &material)
    if not 0 <= index < material.size:
        raise ValueError(f"cell {index}: expected 0 to {material.size - 1}")
    if not place_index(&material, index, &position):
        return None
    return (<char*>position.board)[:SQUARES], position.turn == RED


def take_census(bytes pieces not None, cells not None):
    """Count the positions of a class, mirror images as two positions.

    Returns a dictionary {(Red to move?, value, level): (positions, longest distance)}.
    """
    cdef HeldTable held = HeldTable(pieces, cells)
    cdef uint64_t[2][3][LEVELS] counts
    cdef int[2][3][LEVELS] longest
    cdef uint32_t index
    cdef Cell cell
    cdef int turn, value, level
    memset(counts, 0, sizeof(counts))
    memset(longest, 0, sizeof(longest))
    for index in range(held.table.material.size):
        cell = held.table.cells[index]
        if cell == NO_POSITION:
            continue
        turn = index < held.table.material.half
        value = is_won(cell) - is_lost(cell)
        level = level_of(cell)
        counts[turn][value + 1][level] += (
            1 if is_own_mirror(&held.table.material, index) else 2
        )
        if value:
            longest[turn][value + 1][level] = max(
                longest[turn][value + 1][level], distance_of(cell)
            )
    return {
        (bool(turn), value - 1, level): (counts[turn][value][level], longest[turn][value][level])
        for turn in range(2) for value in range(3) for level in range(LEVELS)
        if counts[turn][value][level]
    }
