"""Alternatives in a ``.cbg`` blob: saved positions on a heap-allocated stack, and links between moves."""

from libc.stdint cimport int32_t
from libc.string cimport memset

from tabiya.formats.cbh.bodies.cbg cimport Branch
from tabiya.game.growing cimport grow
from tabiya.game.tape_kernel cimport MOST_NESTED


cdef void link_alternative(Moves* moves) noexcept nogil:
    """Record that the next move is an alternative to the pending one."""
    cdef Branch* branches
    (<int32_t*> moves.siblings.data)[moves.pending] = moves.count
    if moves.branches.size:
        branches = <Branch*> (moves.branches.data + moves.branches.size) - 1
        if branches.place == moves.group:
            branches.first = moves.count
    moves.pending = -1


cdef bint open_arrays(Moves* moves) noexcept nogil:
    """Allocate the links of a game with alternatives; False without memory."""
    moves.siblings.size = moves.ends.size = 0
    if not grow(&moves.siblings, 4 * moves.size) or not grow(&moves.ends, moves.size):
        moves.no_memory = True
        return False
    memset(moves.siblings.data, 255, 4 * moves.size)
    memset(moves.ends.data, 0, moves.size)
    moves.branched = True
    return True


cdef bint push_branch(Moves* moves) noexcept nogil:
    """Save the position, to which a later line returns; False if there are too many."""
    cdef Branch* branch
    if not moves.branched and not open_arrays(moves):
        return False
    if moves.branches.size // sizeof(Branch) >= MOST_NESTED:
        return False
    if not grow(&moves.branches, sizeof(Branch)):
        moves.no_memory = True
        return False
    branch = <Branch*> (moves.branches.data + moves.branches.size)
    branch.board = moves.board
    branch.slots = moves.slots
    branch.place = branch.first = moves.count
    moves.branches.size += sizeof(Branch)
    return True


cdef bint pop_branch(Moves* moves) noexcept nogil:
    """End a line and return to the last saved position; False if there is none: the game has ended."""
    cdef Branch* branch = NULL
    if moves.branches.size:
        branch = <Branch*> (moves.branches.data + moves.branches.size) - 1
        if branch.place == moves.count:
            # Saved and left without a move: the line around it continues.
            moves.branches.size -= sizeof(Branch)
            moves.odd = True
            return True
    if moves.pending >= 0:
        moves.odd = True  # a line without moves
    end_line(moves)
    if branch == NULL:
        return False
    moves.branches.size -= sizeof(Branch)
    moves.board = branch.board
    moves.slots = branch.slots
    moves.pending = branch.first
    moves.group = branch.place
    # One position saved twice in a row: its alternatives are still those of one move.
    if moves.branches.size and (branch - 1).place == branch.place:
        (branch - 1).first = branch.first
        moves.odd = True
    return True


cdef void finish_early(Moves* moves) noexcept nogil:
    """End the game where the bytes end before the last line, as in one complete game of a large database."""
    moves.open_end = moves.odd = True
    end_line(moves)


cdef void break_off(Moves* moves) noexcept nogil:
    """End the game at an invalid code: the game consists of the moves before it, as in ChessBase."""
    moves.broken = True
    end_line(moves)


cdef void end_line(Moves* moves) noexcept nogil:
    if moves.branched and moves.count:
        moves.ends.data[moves.count - 1] = 1
