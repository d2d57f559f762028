# The annotations of a record by move, for kernels that write moves one after the other.

from libc.stdint cimport int32_t
from libc.string cimport memset

from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport SIDE_LATE
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.tape_kernel cimport VARIATION_BEGIN

# The state of an order.
cdef enum:
    ORDERED = 0
    NO_SUCH_MOVE_OR_SIDE = 1
    NO_MEMORY_FOR_ORDER = 2

# Those of a move are at ``places[firsts[move]]`` up to ``places[firsts[move + 1] - 1]``; move -1 is the whole record.
ctypedef struct AnnotationOrder:
    Py_ssize_t count        # number of annotations of the record; the pointers are valid only if it is not 0
    int32_t* firsts
    int32_t* places
    Bytes memory


cdef inline bint is_annotated(const AnnotationOrder* order, Py_ssize_t move) noexcept nogil:
    """Whether a move has annotations."""
    return order.count != 0 and order.firsts[move] != order.firsts[move + 1]


cdef inline bint has_side(const AnnotationOrder* order, const View* view, Py_ssize_t move, int side) noexcept nogil:
    """Whether this side of a move has annotations."""
    cdef Py_ssize_t index
    if order.count:
        for index in range(order.firsts[move], order.firsts[move + 1]):
            if view.annotation_side[order.places[index]] == side:
                return True
    return False


cdef inline Py_ssize_t position_of(const int32_t* positions, Py_ssize_t move) noexcept nogil:
    """The number of a move in file order, from ``positions``; NULL if that is the order of the tape."""
    return positions[move] if positions != NULL and move >= 0 else move


cdef inline int order_by_position(AnnotationOrder* order, const View* view, Py_ssize_t record, Py_ssize_t moves,
                                  const int32_t* positions) noexcept nogil:
    """Sort the annotations of a record by the position of their moves, in linear time. Stable within a move.

    A record without annotations, or one that fails, has a count of 0.
    """
    cdef Py_ssize_t begin = view.annotation_ends[record], end = view.annotation_ends[record + 1], index, move
    cdef int32_t* firsts
    order.count = 0
    if begin == end:
        return ORDERED
    for index in range(begin, end):
        if not -1 <= view.annotation_move[index] < moves or view.annotation_side[index] > SIDE_LATE:
            return NO_SUCH_MOVE_OR_SIDE
    if not grow(&order.memory, 4 * (moves + 3 + end - begin)):
        return NO_MEMORY_FOR_ORDER
    order.count = end - begin
    order.firsts = firsts = <int32_t*> order.memory.data + 1
    order.places = firsts + moves + 2
    memset(firsts - 1, 0, 4 * (moves + 3))
    # Counted at index move + 2, summed up, and at index move + 1 while they are placed.
    for index in range(begin, end):
        firsts[position_of(positions, view.annotation_move[index]) + 2] += 1
    for move in range(moves + 2):
        firsts[move] += firsts[move - 1]
    for index in range(begin, end):
        move = position_of(positions, view.annotation_move[index]) + 1
        order.places[firsts[move]] = <int32_t> index
        firsts[move] += 1
    return ORDERED


cdef inline int order_by_move(AnnotationOrder* order, const View* view, Py_ssize_t record) noexcept nogil:
    """Sort the annotations of a record by the order of the tape."""
    cdef Py_ssize_t moves = 0, index
    if view.annotation_ends[record] != view.annotation_ends[record + 1]:
        for index in range(view.move_ends[record], view.move_ends[record + 1]):
            moves += view.moves[index] < VARIATION_BEGIN
    return order_by_position(order, view, record, moves, NULL)
