"""Other ends for games: random legal moves from some ply on. For the corpus of benchmarks only; see ``corpus.py``.

Linear in the number of positions. The moves of a game follow from its seed alone.
"""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t, uint16_t, uint64_t
from cython.cimports.tabiya.chess.board import MAX_MOVES, Board, is_legal, make_move_without_key
from cython.cimports.tabiya.chess.fen_kernel import start_board
from cython.cimports.tabiya.chess.rules_kernel import legal_moves


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def next_random(state: cython.pointer[uint64_t]) -> uint64_t:
    """Return the next number of splitmix64."""
    mixed: uint64_t
    state[0] += cython.cast(uint64_t, 0x9E3779B9) << 32 | cython.cast(uint64_t, 0x7F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ mixed >> 30) * (cython.cast(uint64_t, 0xBF58476D) << 32 | cython.cast(uint64_t, 0x1CE4E5B9))
    mixed = (mixed ^ mixed >> 27) * (cython.cast(uint64_t, 0x94D049BB) << 32 | cython.cast(uint64_t, 0x133111EB))
    return mixed ^ mixed >> 31


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def continue_line(
    usual: cython.pointer[cython.const[Board]],
    tape: cython.pointer[cython.const[uint16_t]],
    length: cython.Py_ssize_t,
    kept: cython.Py_ssize_t,
    seed: uint64_t,
    out: cython.pointer[uint16_t],
) -> cython.Py_ssize_t:
    """Write the first moves of a line and random ones behind them, as many as there were; fewer if the game is over."""
    board: Board = usual[0]
    moves: uint16_t[MAX_MOVES]
    ply: cython.Py_ssize_t = 0
    count: cython.int
    while ply < length:
        if ply < kept:
            if not is_legal(cython.address(board), tape[ply]):
                break
            out[ply] = tape[ply]
        else:
            count = legal_moves(cython.address(board), moves, MAX_MOVES)
            if count == 0:
                break
            out[ply] = moves[(next_random(cython.address(seed)) >> 32) % cython.cast(uint64_t, count)]
        make_move_without_key(cython.address(board), out[ply])
        ply += 1
    return ply


def continue_lines(
    moves: cython.const[uint16_t][::1],
    ends: cython.const[int64_t][::1],
    kept: cython.const[int64_t][::1],
    seeds: cython.const[uint64_t][::1],
    out: uint16_t[::1],
    out_ends: int64_t[::1],
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
    lines: cython.Py_ssize_t = kept.shape[0]
    line: cython.Py_ssize_t
    end: cython.Py_ssize_t = 0
    usual: Board
    if ends.shape[0] != lines + 1 or seeds.shape[0] != lines or out_ends.shape[0] != lines + 1:
        raise ValueError("the buffers do not fit each other")
    if ends[0] != 0 or ends[lines] > moves.shape[0] or out.shape[0] < ends[lines]:
        raise ValueError("the lines reach beyond their moves")
    for line in range(lines):
        if ends[line] > ends[line + 1]:
            raise ValueError("the ends must not descend")
    start_board(cython.address(usual))
    with cython.nogil:
        out_ends[0] = 0
        for line in range(lines):
            if ends[line] < ends[line + 1]:
                end += continue_line(
                    cython.address(usual),
                    cython.address(moves[ends[line]]),
                    ends[line + 1] - ends[line],
                    kept[line],
                    seeds[line],
                    cython.address(out[0]) + end,
                )
            out_ends[line + 1] = end
    return end
