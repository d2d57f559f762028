"""Other ends for games: random legal moves from some ply on. For the corpus of benchmarks only; see ``corpus.py``.

Linear in the number of positions. The moves of a game follow from its seed alone.
"""

from libc.stdint cimport int64_t, uint16_t, uint64_t

from tabiya.chess.board cimport MAX_MOVES, Board, is_legal, make_move_without_key
from tabiya.chess.fen_kernel cimport start_board
from tabiya.chess.rules_kernel cimport legal_moves


cdef uint64_t next_random(uint64_t* state) noexcept nogil:
    """Return the next number of splitmix64."""
    cdef uint64_t mixed
    state[0] += <uint64_t> 0x9E3779B9 << 32 | <uint64_t> 0x7F4A7C15
    mixed = state[0]
    mixed = (mixed ^ mixed >> 30) * (<uint64_t> 0xBF58476D << 32 | <uint64_t> 0x1CE4E5B9)
    mixed = (mixed ^ mixed >> 27) * (<uint64_t> 0x94D049BB << 32 | <uint64_t> 0x133111EB)
    return mixed ^ mixed >> 31


cdef Py_ssize_t continue_line(
    const Board* usual, const uint16_t* tape, Py_ssize_t length, Py_ssize_t kept, uint64_t seed, uint16_t* out
) noexcept nogil:
    """Write the first moves of a line and random ones behind them, as many as there were; fewer if the game is over."""
    cdef Board board = usual[0]
    cdef uint16_t moves[MAX_MOVES]
    cdef Py_ssize_t ply = 0
    cdef int count
    while ply < length:
        if ply < kept:
            if not is_legal(&board, tape[ply]):
                break
            out[ply] = tape[ply]
        else:
            count = legal_moves(&board, moves, MAX_MOVES)
            if count == 0:
                break
            out[ply] = moves[(next_random(&seed) >> 32) % <uint64_t> count]
        make_move_without_key(&board, out[ply])
        ply += 1
    return ply


def continue_lines(
    const uint16_t[::1] moves not None, const int64_t[::1] ends not None, const int64_t[::1] kept not None,
    const uint64_t[::1] seeds not None, uint16_t[::1] out not None, int64_t[::1] out_ends not None
) -> int:
    """Continue all lines, which begin with the usual start position, and return how many moves they have now.

    Args:
        moves: their moves, one line behind the other.
        ends: where each line ends, after a 0.
        kept: how many moves of each line stay.
        seeds: one per line.
        out: takes the new lines; as large as ``moves``.
        out_ends: takes where each of them ends, after a 0.
    """
    cdef Py_ssize_t lines = kept.shape[0]
    cdef Py_ssize_t line
    cdef Py_ssize_t end = 0
    cdef Board usual
    if ends.shape[0] != lines + 1 or seeds.shape[0] != lines or out_ends.shape[0] != lines + 1:
        raise ValueError("the buffers do not fit each other")
    if ends[0] != 0 or ends[lines] > moves.shape[0] or out.shape[0] < ends[lines]:
        raise ValueError("the lines reach beyond their moves")
    for line in range(lines):
        if ends[line] > ends[line + 1]:
            raise ValueError("the ends must not descend")
    start_board(&usual)
    with nogil:
        out_ends[0] = 0
        for line in range(lines):
            if ends[line] < ends[line + 1]:
                end += continue_line(
                    &usual,
                    &moves[ends[line]],
                    ends[line + 1] - ends[line],
                    kept[line],
                    seeds[line],
                    &out[0] + end,
                )
            out_ends[line + 1] = end
    return end
