# Whole lines of moves, both directions. Readers call with a constant level, so that each level gets its own loop; for
# writers that was not worth the code size.

from libc.stdint cimport uint16_t

from tabiya.chess.board cimport Board
from tabiya.formats.bcgn.bit_stream cimport BitReader, BitWriter
from tabiya.formats.bcgn.fields cimport MOST_PLIES
from tabiya.formats.bcgn.moves cimport (
    INDEX_TOO_LARGE, LEVEL_INDEX, LEVEL_PLAIN, Blocks, count_blocks, play, read_move, write_move)
from tabiya.formats.bcgn.writing cimport FITS, REFUSED_INDEX, REFUSED_MOVE, REFUSED_PLIES
from tabiya.game.main_line cimport main_line, next_move


cdef inline int read_line(
    Board* board, int level, BitReader* bits, uint16_t* tape, int plies, int* failure
) noexcept nogil:
    """Read moves onto the tape and play them; return their number before a ``failure``.

    After a failure, ``bits.place`` is where that move begins.
    """
    cdef Blocks blocks
    cdef Py_ssize_t begin
    cdef int ply, move
    if level == LEVEL_INDEX:
        count_blocks(board, &blocks)
    for ply in range(plies):
        begin = bits.place
        move = read_move(board, &blocks, level, bits)
        if move < 0:
            bits.place = begin
            failure[0] = move
            return ply
        tape[ply] = move
        play(board, &blocks, level, move)
    return plies


cdef inline int write_line(Board* board, int level, const uint16_t* tape, Py_ssize_t size, BitWriter* bits,
                           int* plies) noexcept nogil:
    """Write the moves of the main line, play and count them; return FITS, or why one of them cannot be written."""
    cdef Blocks blocks
    cdef int token, code
    if level == LEVEL_INDEX:
        count_blocks(board, &blocks)
    line = main_line(tape, size)
    while True:
        token = next_move(&line)
        if token < 0 or token == 0 and level != LEVEL_PLAIN:
            return FITS
        if plies[0] == MOST_PLIES:
            return REFUSED_PLIES
        code = write_move(board, &blocks, level, token, bits)
        if code < 0:
            return REFUSED_INDEX if code == INDEX_TOO_LARGE else REFUSED_MOVE
        plies[0] += 1
        play(board, &blocks, level, token)
