"""Legal move generation: reads a ``Board``, writes tape tokens. Linear in the number of moves; never recurses on input.

C functions for other kernels are declared in ``rules_kernel.pxd``; Python uses them through ``position_kernel``.
"""

from tabiya.chess.bits cimport bit, lowest
from tabiya.chess.board cimport (
    BISHOP, KING, KING_SIDE, MAX_MOVES, NO_SQUARE, PAWN, QUEEN, QUEEN_SIDE, ROOK, attacked, bishop_attacks,
    castling_move, in_check, is_legal, leaves_king_safe, make_move, move_of, occupied, piece_attacks, rook_attacks
)
from tabiya.chess.letters cimport HASH, PLUS
from tabiya.chess.tables_kernel cimport TABLES

ctypedef struct MoveList:
    uint16_t* moves
    int count
    int limit


cdef uint64_t pinned_candidates(const Board* board) noexcept nogil:
    """Own pieces that may be pinned: those next to the king on lines with an enemy slider beyond them."""
    cdef int us = board.turn
    cdef int king = board.king[us]
    cdef uint64_t own = board.colors[us]
    cdef uint64_t enemies = board.colors[us ^ 1]
    cdef uint64_t occupancy = own | enemies
    cdef uint64_t found = 0
    cdef uint64_t blockers
    cdef uint64_t sliders = (board.types[BISHOP] | board.types[QUEEN]) & enemies
    if sliders & TABLES.bishop_lines[king]:
        blockers = bishop_attacks(king, occupancy) & own
        if bishop_attacks(king, occupancy ^ blockers) & sliders:
            found = blockers
    sliders = (board.types[ROOK] | board.types[QUEEN]) & enemies
    if sliders & TABLES.rook_lines[king]:
        blockers = rook_attacks(king, occupancy) & own
        if rook_attacks(king, occupancy ^ blockers) & sliders:
            found |= blockers
    return found


cdef void add_moves(MoveList* found, const Board* board, int source, uint64_t targets, bint tested) noexcept nogil:
    cdef int target
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        if not tested or leaves_king_safe(board, source, target):
            found.moves[found.count] = move_of(source, target, 0)
            found.count += 1


cdef void add_pawn_moves(MoveList* found, const Board* board, int source, bint tested) noexcept nogil:
    cdef int us = board.turn
    cdef int target
    cdef int forward = 8 - 16 * us
    cdef uint64_t targets = TABLES.pawn[us][source] & board.colors[us ^ 1] & ~board.types[KING]
    if board.state.ep != NO_SQUARE:
        targets |= TABLES.pawn[us][source] & bit(board.state.ep)
    if board.squares[source + forward] == 0:
        targets |= bit(source + forward)
        if source >> 3 == (6 if us else 1) and board.squares[source + 2 * forward] == 0:
            targets |= bit(source + 2 * forward)
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        # Taking en passant empties two squares of a rank at once, so it can uncover the king without being "pinned".
        if (tested or target == board.state.ep) and not leaves_king_safe(board, source, target):
            continue
        if target >> 3 == (0 if us else 7):
            for promoted in range(QUEEN, 1, -1):
                found.moves[found.count] = move_of(source, target, promoted)
                found.count += 1
        else:
            found.moves[found.count] = move_of(source, target, 0)
            found.count += 1


cdef int legal_moves(const Board* board, uint16_t* moves, int limit) noexcept nogil:
    """Write the legal moves and return their number; stops after the piece with which ``limit`` is reached.

    ``moves`` has space for MAX_MOVES tokens.
    """
    cdef int us = board.turn
    cdef int king = board.king[us]
    cdef int source
    cdef int move
    cdef bint checked = in_check(board)
    cdef uint64_t free = ~board.colors[us] & ~board.types[KING]
    cdef uint64_t doubtful = board.colors[us] if checked else pinned_candidates(board)
    cdef uint64_t pieces = board.colors[us] & ~bit(king)
    cdef uint64_t occupancy = occupied(board)
    cdef MoveList found
    found.moves = moves
    found.count = 0
    add_moves(&found, board, king, TABLES.king[king] & free, True)
    while pieces and found.count < limit:
        source = lowest(pieces)
        pieces &= pieces - 1
        if board.squares[source] & 7 == PAWN:
            add_pawn_moves(&found, board, source, doubtful & bit(source) != 0)
        else:
            add_moves(
                &found,
                board,
                source,
                piece_attacks(board.squares[source] & 7, source, occupancy) & free,
                doubtful & bit(source) != 0,
            )
    if board.state.rights and not checked and found.count < limit:
        for side in range(KING_SIDE, QUEEN_SIDE + 1):
            move = castling_move(board, side)
            if move:
                found.moves[found.count] = move
                found.count += 1
    return found.count


cdef bint has_legal_move(const Board* board) noexcept nogil:
    cdef uint16_t moves[MAX_MOVES]
    return legal_moves(board, moves, 1) > 0


cdef bint is_legal_move(const Board* board, int move) noexcept nogil:
    """``is_legal`` for infrequent calls: used inline in two places of a kernel, it would be inlined in neither."""
    return is_legal(board, move)


cdef bint waiting_side_in_check(const Board* board) noexcept nogil:
    """Whether the side to move could take the king."""
    cdef int them = board.turn ^ 1
    return attacked(board, board.king[them], them, board.colors[them ^ 1], occupied(board))


cdef int check_mark(const Board* board) noexcept nogil:
    """``+`` if the side to move is in check, ``#`` if it is mated, else 0."""
    if not in_check(board):
        return 0
    return PLUS if has_legal_move(board) else HASH


cdef uint64_t count_leaves(const Board* board, int depth) noexcept nogil:
    """Perft: the number of move sequences of ``depth`` plies. Recurses ``depth`` deep, which the caller bounds."""
    cdef uint16_t moves[MAX_MOVES]
    cdef Board next_board
    cdef uint64_t leaves = 0
    cdef int count = legal_moves(board, moves, MAX_MOVES)
    if depth <= 1:
        return count if depth == 1 else 1
    for index in range(count):
        next_board = board[0]
        make_move(&next_board, moves[index])
        leaves += count_leaves(&next_board, depth - 1)
    return leaves
