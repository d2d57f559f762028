"""From the order of the stream to that of the tape: alternatives come directly after the move they replace.

Linear in the number of moves; lines that wait for their continuation are on a heap-allocated stack.
"""

from libc.stdint cimport uint16_t

from tabiya.formats.cbh.bodies.cbg cimport OpenLine
from tabiya.game.columns cimport put_bytes, put_uint16
from tabiya.game.growing cimport grow
from tabiya.game.tape_kernel cimport MOST_NESTED, VARIATION_BEGIN, VARIATION_END


cdef bint put_tape(Moves* moves, Columns* columns) noexcept nogil:
    """Append the tape; False if its variations are nested too deeply, or without memory."""
    if moves.branched:
        return put_lines(moves, columns)
    moves.main_last = moves.count - 1
    put_bytes(columns, &columns.moves, moves.tokens.data, 2 * moves.count)
    return True


cdef int32_t tape_number(const Moves* moves, int32_t move) noexcept nogil:
    """Return the number on the tape of a move given in the order of the stream."""
    if not moves.branched:
        return move
    return (<int32_t*> moves.numbers.data)[move]


cdef bint open_line(Moves* moves, int32_t alternative, int32_t resume) noexcept nogil:
    cdef OpenLine* line
    if moves.open_lines.size // sizeof(OpenLine) >= MOST_NESTED:
        return False
    if not grow(&moves.open_lines, sizeof(OpenLine)):
        moves.no_memory = True
        return False
    line = <OpenLine*> (moves.open_lines.data + moves.open_lines.size)
    line.next = alternative
    line.resume = resume
    moves.open_lines.size += sizeof(OpenLine)
    return True


cdef bint put_lines(Moves* moves, Columns* columns) noexcept nogil:
    tokens = <uint16_t*> moves.tokens.data
    siblings = <int32_t*> moves.siblings.data
    cdef int32_t* numbers
    tape = &columns.moves
    cdef OpenLine* line
    cdef int32_t number = 0
    cdef int32_t move = 0
    cdef int32_t resume
    cdef bint replaces = False  # the move begins a variation: the alternatives to it wait in the outer line
    moves.main_last = -1
    moves.open_lines.size = moves.numbers.size = 0
    if moves.count == 0:
        return True
    if not grow(&moves.numbers, 4 * moves.count):
        moves.no_memory = True
        return False
    numbers = <int32_t*> moves.numbers.data
    while True:
        put_uint16(columns, tape, tokens[move])
        numbers[move] = number
        if moves.open_lines.size == 0:
            moves.main_last = number
        number += 1
        resume = -1 if moves.ends.data[move] else move + 1
        if siblings[move] >= 0 and not replaces:
            if not open_line(moves, siblings[move], resume):
                return False
        elif resume >= 0:
            replaces = False
            move = resume
            continue
        elif moves.open_lines.size == 0:
            return True
        else:
            put_uint16(columns, tape, VARIATION_END)
        while True:
            line = <OpenLine*> (moves.open_lines.data + moves.open_lines.size) - 1
            if line.next >= 0:
                put_uint16(columns, tape, VARIATION_BEGIN)
                move = line.next
                line.next = siblings[move]
                replaces = True
                break
            moves.open_lines.size -= sizeof(OpenLine)
            move = line.resume
            replaces = False
            if move >= 0:
                break
            if moves.open_lines.size == 0:
                return True
            put_uint16(columns, tape, VARIATION_END)
