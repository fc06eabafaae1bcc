"""The network's Python door: packed weights in, and the kernels that can reckon with them."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer

from xiangqi.core.evaluation.nnue.features cimport FEATURES, OUTPUT_BUCKETS
from xiangqi.core.evaluation.nnue.kernel cimport Kernel
from xiangqi.core.evaluation.nnue.weights cimport (
    ACTIVE, HIDDEN, ONE, PAYLOAD_BYTES, SCALE, most_of, read_weights,
)
from xiangqi.core.moves.defs cimport uint8_t
from xiangqi.core.system.bits cimport ensure
from xiangqi.core.system.memory cimport allocate_pages, free_pages

cdef extern from "kernels.h" nogil:
    const int NETWORK_HIDDEN
    const int NETWORK_CEILING
    const Kernel[1] KERNELS
    const int KERNEL_COUNT
    int has_kernel(int number) noexcept

ARCHITECTURE = {
    "inputs": FEATURES, "hidden": HIDDEN, "activation": "screlu",
    "output_buckets": OUTPUT_BUCKETS, "qa": ACTIVE, "qb": ONE, "scale": SCALE,
}
PAYLOAD_SIZE = PAYLOAD_BYTES

ensure(HIDDEN == NETWORK_HIDDEN and ACTIVE == NETWORK_CEILING)


def kernels():
    """The names of the kernels that this processor has, the best one last."""
    return [KERNELS[i].name.decode() for i in range(KERNEL_COUNT) if has_kernel(i)]


cdef int kernel_number(str name) except -1:
    if name not in kernels():
        raise ValueError(f"no kernel {name!r}: expected one of {', '.join(kernels())}")
    return [KERNELS[i].name.decode() for i in range(KERNEL_COUNT)].index(name)


cdef class Network:
    """The weights of a network, in memory once; searchers of any number of threads share it.

    ``payload`` are the weights packed (see ``evaluation/nnue/weights.pxd``); ``kernel`` is the
    name of one of :func:`kernels`, the best one by default: all give the same values. ValueError
    tells what is wrong with either.
    """

    def __cinit__(self, payload, *, str kernel=None):
        cdef Py_buffer source
        cdef int number = kernel_number(kernel or kernels().pop())
        cdef int index
        PyObject_GetBuffer(payload, &source, PyBUF_SIMPLE)
        try:
            if source.len != PAYLOAD_BYTES:
                raise ValueError(f"{source.len} bytes of weights, expected {PAYLOAD_BYTES}")
            self.weights = <Weights*>allocate_pages(sizeof(Weights))
            if self.weights == NULL:
                raise MemoryError("no memory for a network")
            self.weights.kernel = &KERNELS[number]
            index = read_weights(self.weights, <const uint8_t*>source.buf)
        finally:
            PyBuffer_Release(&source)
        if index >= 0:
            raise ValueError(
                f"weight {index} is beyond {most_of(index)}, so that a sum might overflow"
            )

    def __dealloc__(self):
        free_pages(self.weights)
