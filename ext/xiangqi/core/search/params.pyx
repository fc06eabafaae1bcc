"""Tables derived from the search parameters."""

from libc.math cimport log


cdef void fill_tuning(Tuning* tuning, const int* values) noexcept nogil:
    """Copy the parameters and fill the table of late-move reductions, which grow with the
    logarithms of depth and move number (https://www.chessprogramming.org/Late_Move_Reductions)."""
    cdef int index, depth, number
    for index in range(PARAMETERS):
        tuning.value[index] = values[index]
    for depth in range(REDUCTION_SIZE):
        for number in range(REDUCTION_SIZE):
            tuning.reduction[depth][number] = 0
            if depth and number:
                tuning.reduction[depth][number] = <int>(
                    values[<int>REDUCTION_BASE]
                    + log(depth) * log(number) * 10000.0 / values[<int>REDUCTION_DIVISOR]
                )
