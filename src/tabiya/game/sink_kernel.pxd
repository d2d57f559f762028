from libc.stdint cimport int32_t, uint16_t

from tabiya.game.annotations.kinds cimport KIND_NAGS, KIND_SYMBOLS
from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport SIDE_LATE, Columns, Strings
from tabiya.game.growing cimport Bytes

# --- for other kernels ---

cdef signed char NAG_SLOTS[256]  # ChessBase's slot of each NAG, -1 for none: ``SLOTS`` of ``annotations/nags.py``


cdef inline int nag_slot(int nag) noexcept nogil:
    """Return ChessBase's slot of a NAG: 0 comment on the move, 1 evaluation, 2 prefix; -1 for all others."""
    return NAG_SLOTS[nag] if 0 <= nag < 256 else -1


cdef void put_nags(Columns* columns, const uint16_t* nags, Py_ssize_t count, int move, int side) noexcept nogil
cdef bint nags_are_canonical(const View* view, Py_ssize_t note) noexcept nogil
cdef void cut_problems(Columns* columns, Py_ssize_t count) noexcept nogil
cdef void cut_extras(Columns* columns, Py_ssize_t count) noexcept nogil
cdef void order_annotations(Columns* columns, Py_ssize_t first, int moves, Bytes* nags, Bytes* room) noexcept nogil


cdef inline int kind_at(const Columns* columns, Py_ssize_t index) noexcept nogil:
    return (<const uint16_t*> columns.annotation_kind.data)[index]


cdef inline bint is_nags(int kind) noexcept nogil:
    return kind == KIND_SYMBOLS or kind == KIND_NAGS


# --- private to this kernel ---

cdef inline int32_t move_at(const Columns* columns, Py_ssize_t index) noexcept nogil:
    return (<const int32_t*> columns.annotation_move.data)[index]


cdef inline int rank_at(const Columns* columns, Py_ssize_t index) noexcept nogil:
    """Return what annotations are sorted by: move, late ones last within a move; the whole game has rank 0."""
    return 2 * move_at(columns, index) + 2 + (columns.annotation_side.data[index] == SIDE_LATE)


cdef bint is_ordered(const Columns* columns, Py_ssize_t first, bint joins_nags) noexcept nogil
cdef void copy_ordered(Columns* columns, const int32_t* order, Py_ssize_t count, Bytes* nags) noexcept nogil
cdef void join_nags(Columns* columns, const int32_t* order, Py_ssize_t count, Bytes* nags) noexcept nogil
cdef void gather_nags(Columns* columns, Py_ssize_t index, Bytes* nags) noexcept nogil
cdef void copy_annotation(Columns* columns, Py_ssize_t index) noexcept nogil
cdef void move_down(Columns* columns, Py_ssize_t first, Py_ssize_t count) noexcept nogil
cdef void move_strings_down(Strings* strings, Py_ssize_t first, Py_ssize_t source, Py_ssize_t kept) noexcept nogil
