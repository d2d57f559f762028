# The annotations of a record by move, for kernels that write moves one after the other.

from libc.stdint cimport int32_t
from libc.string cimport memset

from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport SIDE_LATE
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.tape_kernel cimport VARIATION_BEGIN

# What became of an order.
cdef enum:
    ORDERED = 0
    NO_SUCH_MOVE_OR_SIDE = 1
    NO_MEMORY_FOR_ORDER = 2

ctypedef struct AnnotationOrder:
    Py_ssize_t count    # annotations of the record
    Bytes firsts        # int32, by number of the move plus one: where its annotations begin in ``places``
    Bytes places        # int32, the annotations of the record by move, else in their order


cdef inline const int32_t* firsts_of(const AnnotationOrder* order) noexcept nogil:
    return <const int32_t*> order.firsts.data


cdef inline const int32_t* places_of(const AnnotationOrder* order) noexcept nogil:
    return <const int32_t*> order.places.data


cdef inline int order_by_move(AnnotationOrder* order, const View* view, Py_ssize_t record) noexcept nogil:
    """Sorts the annotations of a record, in linear time. Without annotations, or memory, only ``count`` is filled."""
    cdef Py_ssize_t begin = view.annotation_ends[record]
    cdef Py_ssize_t moves = 0, index, move
    cdef int32_t total = 0, here
    cdef int32_t* firsts
    cdef int32_t* places
    order.count = view.annotation_ends[record + 1] - begin
    if order.count == 0:
        return ORDERED
    for index in range(view.move_ends[record], view.move_ends[record + 1]):
        moves += view.moves[index] < VARIATION_BEGIN
    if not grow(&order.firsts, 4 * (moves + 2)) or not grow(&order.places, 4 * order.count):
        order.count = 0
        return NO_MEMORY_FOR_ORDER
    firsts = <int32_t*> order.firsts.data
    places = <int32_t*> order.places.data
    memset(firsts, 0, 4 * (moves + 2))
    for index in range(begin, begin + order.count):
        if not -1 <= view.annotation_move[index] < moves or view.annotation_side[index] > SIDE_LATE:
            return NO_SUCH_MOVE_OR_SIDE
        firsts[view.annotation_move[index] + 1] += 1
    for move in range(moves + 1):
        here = firsts[move]
        firsts[move] = total
        total += here
    for index in range(begin, begin + order.count):
        move = view.annotation_move[index] + 1
        places[firsts[move]] = <int32_t> index
        firsts[move] += 1
    # Every count has moved on to where the next move begins: push them back by one place.
    for move in range(moves + 1, 0, -1):
        firsts[move] = firsts[move - 1]
    firsts[0] = 0
    return ORDERED
