"""Networks for Python: packed weights, and kernels that compute with them."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer

from xiangqi.core.evaluation.nnue.features cimport KING_SETS, KINGS, OUTPUT_BUCKETS, KingSet
from xiangqi.core.evaluation.nnue.kernel cimport MAX_HIDDEN, Kernel
from xiangqi.core.evaluation.nnue.weights cimport (
    ACTIVE, ONE, SCALE, free_weights, new_weights, payload_bytes, read_weights, weight_limit,
)
from xiangqi.core.moves.defs cimport uint8_t
from xiangqi.core.system.bits cimport ensure

from xiangqi.ground.errors.copies import refuse_copy

cdef extern from "kernels.h" nogil:
    const int NETWORK_CEILING
    const Kernel[1] KERNELS
    const int KERNEL_COUNT
    int has_kernel(int number) noexcept

WIDTHS = tuple(sorted({KERNELS[i].hidden for i in range(KERNEL_COUNT)}))
KING_BUCKETS = {KINGS[i].name.decode(): KINGS[i].buckets for i in range(KING_SETS)}

ensure(max(WIDTHS) == MAX_HIDDEN and ACTIVE == NETWORK_CEILING)


def kernels():
    """Instruction sets with kernels that this processor supports, the fastest one last."""
    return list(dict.fromkeys(
        KERNELS[i].name.decode() for i in range(KERNEL_COUNT) if has_kernel(i)
    ))


def architecture(int hidden, str kings):
    """Architecture for a network's file header; raises ValueError as :class:`Network` does."""
    return {
        "inputs": king_set(kings).features, "kings": kings, "hidden": check_width(hidden),
        "activation": "screlu", "output_buckets": OUTPUT_BUCKETS, "qa": ACTIVE, "qb": ONE,
        "scale": SCALE,
    }


def payload_size(int hidden, str kings):
    """Size of a network's weights in bytes; raises ValueError as :class:`Network` does."""
    return payload_bytes(check_width(hidden), king_set(kings))


cdef const KingSet* king_set(str name) except NULL:
    """The king buckets of this name; raises ValueError for an unknown name."""
    cdef int i
    for i in range(KING_SETS):
        if KINGS[i].name.decode() == name:
            return &KINGS[i]
    raise ValueError(f"no king buckets {name!r}: expected one of {', '.join(KING_BUCKETS)}")


cdef int check_width(int hidden) except -1:
    if hidden not in WIDTHS:
        raise ValueError(f"{hidden} neurons: expected one of {', '.join(map(str, WIDTHS))}")
    return hidden


cdef const Kernel* find_kernel(str name, int hidden) except NULL:
    cdef int i
    if name not in kernels():
        raise ValueError(f"no kernel {name!r}: expected one of {', '.join(kernels())}")
    for i in range(KERNEL_COUNT):
        if KERNELS[i].name.decode() == name and KERNELS[i].hidden == hidden:
            return &KERNELS[i]
    raise AssertionError(f"no kernel {name!r} for {hidden} neurons")


cdef class Network:
    """Weights of a network in memory, shared by any number of searchers and threads.

    ``payload`` are the packed weights (see ``evaluation/nnue/weights.pxd``). ``hidden`` is the
    number of neurons a side, one of WIDTHS; ``kings`` names the king buckets, a key of
    KING_BUCKETS; ``kernel`` is one of :func:`kernels`, by default the fastest: all give the same
    values. Raises ValueError for invalid arguments.
    """

    def __cinit__(self, payload, *, int hidden, str kings, str kernel=None):
        cdef const KingSet* chosen = king_set(kings)
        cdef const Kernel* found = find_kernel(kernel or kernels().pop(), check_width(hidden))
        cdef Py_ssize_t size = payload_bytes(hidden, chosen)
        cdef Py_buffer source
        cdef int index
        PyObject_GetBuffer(payload, &source, PyBUF_SIMPLE)
        try:
            if source.len != size:
                raise ValueError(f"{source.len} bytes of weights, expected {size}")
            self.weights = new_weights(found, chosen)
            if self.weights == NULL:
                raise MemoryError("no memory for a network")
            index = read_weights(self.weights, <const uint8_t*>source.buf)
        finally:
            PyBuffer_Release(&source)
        if index >= 0:
            limit = weight_limit(self.weights, index)
            raise ValueError(f"weight {index} is beyond {limit}, so that a sum might overflow")

    def __reduce__(self):
        refuse_copy(self, "memory of the core")

    def __dealloc__(self):
        free_weights(self.weights)
