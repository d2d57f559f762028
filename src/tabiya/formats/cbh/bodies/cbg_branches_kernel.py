"""Alternatives in a ``.cbg`` blob: positions that are kept on a stack on the heap, and links between moves."""

import cython
from cython.cimports.libc.stdint import int32_t
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.formats.cbh.bodies.cbg import Branch
from cython.cimports.tabiya.game.growing import grow
from cython.cimports.tabiya.game.tape_kernel import MOST_NESTED


def link_alternative(moves):
    """Note that the next move is an alternative to the one that waits for it."""
    branches: cython.pointer[Branch]
    cython.cast(cython.pointer[int32_t], moves.siblings.data)[moves.pending] = moves.count
    if moves.branches.size:
        branches = cython.cast(cython.pointer[Branch], moves.branches.data + moves.branches.size) - 1
        if branches.place == moves.group:
            branches.first = moves.count
    moves.pending = -1


def open_arrays(moves):
    """Make room for the links of a game with alternatives; False without memory."""
    moves.siblings.size = moves.ends.size = 0
    if not grow(cython.address(moves.siblings), 4 * moves.size) or not grow(cython.address(moves.ends), moves.size):
        moves.no_memory = True
        return False
    memset(moves.siblings.data, 255, 4 * moves.size)
    memset(moves.ends.data, 0, moves.size)
    moves.branched = True
    return True


def push_branch(moves):
    """Keep the position, to which a later line comes back; False if there are too many."""
    branch: cython.pointer[Branch]
    if not moves.branched and not open_arrays(moves):
        return False
    if moves.branches.size // cython.sizeof(Branch) >= MOST_NESTED:
        return False
    if not grow(cython.address(moves.branches), cython.sizeof(Branch)):
        moves.no_memory = True
        return False
    branch = cython.cast(cython.pointer[Branch], moves.branches.data + moves.branches.size)
    branch.board = moves.board
    branch.slots = moves.slots
    branch.place = branch.first = moves.count
    moves.branches.size += cython.sizeof(Branch)
    return True


def pop_branch(moves):
    """End a line and go back to the position kept last; False if there is none: the game has ended."""
    branch: cython.pointer[Branch] = cython.NULL
    if moves.branches.size:
        branch = cython.cast(cython.pointer[Branch], moves.branches.data + moves.branches.size) - 1
        if branch.place == moves.count:
            # Kept and left without a move: the line around it simply goes on.
            moves.branches.size -= cython.sizeof(Branch)
            moves.odd = True
            return True
    if moves.pending >= 0:
        moves.odd = True  # a line without moves
    end_line(moves)
    if branch == cython.NULL:
        return False
    moves.branches.size -= cython.sizeof(Branch)
    moves.board = branch.board
    moves.slots = branch.slots
    moves.pending = branch.first
    moves.group = branch.place
    # One position kept twice in a row: its alternatives are still those of one move.
    if moves.branches.size and (branch - 1).place == branch.place:
        (branch - 1).first = branch.first
        moves.odd = True
    return True


def finish_early(moves):
    """End the game where the bytes end before the last line, as in one complete game of a large database."""
    moves.open_end = moves.odd = True
    end_line(moves)


def break_off(moves):
    """End the game at an invalid code: the moves before it are the game, as they are for ChessBase."""
    moves.broken = True
    end_line(moves)


def end_line(moves):
    if moves.branched and moves.count:
        moves.ends.data[moves.count - 1] = 1
