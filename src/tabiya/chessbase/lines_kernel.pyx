"""From the order in which ChessBase stores moves to that of the tape.

ChessBase stores a line to its end, and then the alternatives to its moves. On the tape alternatives directly follow the
move they replace. Linear in the number of moves; lines that wait for their continuation are on a heap-allocated stack.
"""

from tabiya.game.columns cimport put_uint16
from tabiya.game.growing cimport grow
from tabiya.game.tape_kernel cimport MOST_NESTED, VARIATION_BEGIN, VARIATION_END

# A line that waits while alternatives to its last move are appended to the tape.
ctypedef struct OpenLine:
    int32_t next    # the alternative after the current one, -1 for none
    int32_t resume  # the move after the last one, -1 if the line has ended


cdef int32_t put_variations(
    Columns* columns, const uint16_t* tokens, const int32_t* siblings, const uint8_t* ends, int32_t* numbers,
    Bytes* waiting
) noexcept nogil:
    """Append the tape of a game with at least one move, given in stored order.

    ``siblings`` is, by move, the next alternative to it, -1 for none; every alternative comes after the move before it
    in its chain. ``ends`` is 1 for the last move of a line. ``numbers`` receives the number of each move on the tape;
    ``waiting`` is a buffer.

    Returns:
        The number on the tape of the last move of the main line, or the code of a failure.
    """
    tape = &columns.moves
    cdef OpenLine* line
    cdef int32_t main_last = -1
    cdef int32_t number = 0
    cdef int32_t move = 0
    cdef int32_t resume
    cdef int failure
    cdef bint replaces = False  # the move begins a variation: the alternatives to it wait in the outer line
    waiting.size = 0
    while True:
        put_uint16(columns, tape, tokens[move])
        numbers[move] = number
        if waiting.size == 0:
            main_last = number
        number += 1
        resume = -1 if ends[move] else move + 1
        if siblings[move] >= 0 and not replaces:
            failure = open_line(waiting, siblings[move], resume)
            if failure:
                return failure
        elif resume >= 0:
            replaces = False
            move = resume
            continue
        elif waiting.size == 0:
            return main_last
        else:
            put_uint16(columns, tape, VARIATION_END)
        while True:
            line = <OpenLine*> (waiting.data + waiting.size) - 1
            if line.next >= 0:
                put_uint16(columns, tape, VARIATION_BEGIN)
                move = line.next
                line.next = siblings[move]
                replaces = True
                break
            waiting.size -= sizeof(OpenLine)
            move = line.resume
            replaces = False
            if move >= 0:
                break
            if waiting.size == 0:
                return main_last
            put_uint16(columns, tape, VARIATION_END)


cdef int open_line(Bytes* waiting, int32_t alternative, int32_t resume) noexcept nogil:
    """Let a line wait for the end of alternatives; return 0, or the code of a failure."""
    cdef OpenLine* line
    if waiting.size // sizeof(OpenLine) >= MOST_NESTED:
        return LINES_NESTED
    if not grow(waiting, sizeof(OpenLine)):
        return LINES_NO_MEMORY
    line = <OpenLine*> (waiting.data + waiting.size)
    line.next = alternative
    line.resume = resume
    waiting.size += sizeof(OpenLine)
    return 0
