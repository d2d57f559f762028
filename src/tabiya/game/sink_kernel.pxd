from libc.stdint cimport uint16_t

from tabiya.game.annotations.kinds cimport KIND_NAGS, KIND_SYMBOLS
from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport Columns
from tabiya.game.growing cimport Bytes

cdef signed char NAG_SLOTS[256]  # ChessBase's slot of each NAG, -1 for none: ``SLOTS`` of ``annotations/nags.py``


cdef inline int nag_slot(int nag) noexcept nogil:
    """Return ChessBase's slot of a NAG: 0 comment on the move, 1 evaluation, 2 prefix; -1 for all others."""
    return NAG_SLOTS[nag] if 0 <= nag < 256 else -1


cdef void put_nags(Columns* columns, const uint16_t* nags, Py_ssize_t count, int move, int side) noexcept nogil
cdef bint nags_are_canonical(const View* view, Py_ssize_t note) noexcept nogil
cdef void cut_problems(Columns* columns, Py_ssize_t count) noexcept nogil
cdef void cut_texts(Columns* columns, Py_ssize_t count) noexcept nogil
cdef void cut_extras(Columns* columns, Py_ssize_t count) noexcept nogil
cdef void order_annotations(Columns* columns, Py_ssize_t first, int moves, Bytes* nags, Bytes* scratch) noexcept nogil


cdef inline int kind_at(const Columns* columns, Py_ssize_t index) noexcept nogil:
    return (<const uint16_t*> columns.annotation_kind.data)[index]


cdef inline bint is_nags(int kind) noexcept nogil:
    return kind == KIND_SYMBOLS or kind == KIND_NAGS
