"""From the order of the stream to that of the tape: alternatives come right behind the move they replace.

Linear in the number of moves; lines that wait for their continuation stand on a stack on the heap.
"""

import cython
from cython.cimports.libc.stdint import int32_t, uint16_t
from cython.cimports.tabiya.formats.cbh.bodies.cbg import OpenLine
from cython.cimports.tabiya.game.columns import put_bytes, put_uint16
from cython.cimports.tabiya.game.growing import grow
from cython.cimports.tabiya.game.tape_kernel import MOST_NESTED, VARIATION_BEGIN, VARIATION_END


def put_tape(moves, columns):
    """Append the tape; False if its variations are nested too deeply, or without memory."""
    if moves.branched:
        return put_lines(moves, columns)
    moves.main_last = moves.count - 1
    put_bytes(columns, cython.address(columns.moves), moves.tokens.data, 2 * moves.count)
    return True


def tape_number(moves, move):
    """Return the number on the tape of a move that is counted in the order of the stream."""
    if not moves.branched:
        return move
    return cython.cast(cython.pointer[int32_t], moves.numbers.data)[move]


def open_line(moves, alternative, resume):
    line: cython.pointer[OpenLine]
    if moves.open_lines.size // cython.sizeof(OpenLine) >= MOST_NESTED:
        return False
    if not grow(cython.address(moves.open_lines), cython.sizeof(OpenLine)):
        moves.no_memory = True
        return False
    line = cython.cast(cython.pointer[OpenLine], moves.open_lines.data + moves.open_lines.size)
    line.next = alternative
    line.resume = resume
    moves.open_lines.size += cython.sizeof(OpenLine)
    return True


def put_lines(moves, columns):
    tokens = cython.cast(cython.pointer[uint16_t], moves.tokens.data)
    siblings = cython.cast(cython.pointer[int32_t], moves.siblings.data)
    numbers: cython.pointer[int32_t]
    tape = cython.address(columns.moves)
    line: cython.pointer[OpenLine]
    number: int32_t = 0
    move: int32_t = 0
    resume: int32_t
    replaces: cython.bint = False  # the move begins a variation: the alternatives beside it wait in the line outside
    moves.main_last = -1
    moves.open_lines.size = moves.numbers.size = 0
    if moves.count == 0:
        return True
    if not grow(cython.address(moves.numbers), 4 * moves.count):
        moves.no_memory = True
        return False
    numbers = cython.cast(cython.pointer[int32_t], moves.numbers.data)
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
            line = cython.cast(cython.pointer[OpenLine], moves.open_lines.data + moves.open_lines.size) - 1
            if line.next >= 0:
                put_uint16(columns, tape, VARIATION_BEGIN)
                move = line.next
                line.next = siblings[move]
                replaces = True
                break
            moves.open_lines.size -= cython.sizeof(OpenLine)
            move = line.resume
            replaces = False
            if move >= 0:
                break
            if moves.open_lines.size == 0:
                return True
            put_uint16(columns, tape, VARIATION_END)
