# The main line of a game: its start position, and its moves one after the other, without the variations between them.
#
# Every kernel that plays main lines uses this loop:
#
#     if set_up_board(&board, &usual, fen, length, chess960):
#         line = main_line(tape, size)
#         while True:
#             move = next_legal_move(&line, &board)
#             if move < 0:
#                 break                # LINE_END or ILLEGAL_MOVE
#             make_move(&board, move)  # a legal move or 0, the null move
#
# A token that is unsound where it is comes out as a move, which is never legal.

from libc.stdint cimport uint8_t, uint16_t

from tabiya.chess.bits cimport likely
from tabiya.chess.board cimport Board, is_legal
from tabiya.chess.fen_kernel cimport read_fen
from tabiya.game.tape_kernel cimport VARIATION_BEGIN, VARIATION_END

cdef enum:
    LINE_END = -1
    ILLEGAL_MOVE = -2

ctypedef struct MainLine:
    const uint16_t* next    # token
    const uint16_t* end
    Py_ssize_t brackets     # tokens before it that are not moves

ctypedef struct Passed:
    const uint16_t* end
    Py_ssize_t brackets


cdef inline bint set_up_board(
    Board* board, const Board* usual, const uint8_t* fen, Py_ssize_t length, bint chess960
) noexcept nogil:
    """Set up the start position of a game; an empty text is the usual one. False if the text is not a position."""
    if length:
        return read_fen(fen, length, chess960, board)
    board[0] = usual[0]
    return True


cdef inline MainLine main_line(const uint16_t* tape, Py_ssize_t length) noexcept nogil:
    cdef MainLine line
    line.next = tape
    line.end = tape + length
    line.brackets = 0
    return line


cdef inline int number_of_move(const MainLine* line, const uint16_t* tape) noexcept nogil:
    """Return the number of the last move, counting moves of variations, as annotations do; -1 before the first."""
    return line.next - tape - line.brackets - 1


cdef inline Passed pass_variation(const uint16_t* token, const uint16_t* end) noexcept nogil:
    """Return the end of the variation that begins here, or the place of an unsound token in it.

    Takes and returns values instead of addresses, so that loops keep their ``MainLine`` in registers.
    """
    cdef Passed passed
    cdef Py_ssize_t depth = 0
    passed.brackets = 0
    while token < end:
        if token[0] >= VARIATION_BEGIN:
            if token[0] > VARIATION_END:
                break
            depth += 1 if token[0] == VARIATION_BEGIN else -1
            passed.brackets += 1
        token += 1
        if depth == 0:
            break
    passed.end = token
    return passed


cdef inline int next_move(MainLine* line) noexcept nogil:
    """Return the next move of the main line without a test, or LINE_END."""
    cdef int token
    cdef Passed passed
    while line.next < line.end:
        token = line.next[0]
        if likely(token != VARIATION_BEGIN):
            line.next += 1
            return token
        passed = pass_variation(line.next, line.end)
        line.next = passed.end
        line.brackets += passed.brackets
    return LINE_END


cdef inline int next_legal_move(MainLine* line, const Board* board) noexcept nogil:
    """Return the next move if it is legal in this position or the null move; else LINE_END or ILLEGAL_MOVE."""
    cdef int token = next_move(line)
    return token if token <= 0 or likely(is_legal(board, token)) else ILLEGAL_MOVE
