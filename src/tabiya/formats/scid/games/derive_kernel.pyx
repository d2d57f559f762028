"""Index values derived from a game: plies, promotions, home pawns, the stored line, the final material.

Scid uses these to select the games that a search examines, so a wrong value hides a game. Constant per move.
"""

from libc.string cimport memset

from tabiya.chess.board cimport BLACK, PAWN, QUEEN, code_of, promotion_of, source_of, target_of
from tabiya.formats.scid.games.codes cimport FLAG_PROMOTION, FLAG_UNDERPROMOTION
from tabiya.formats.scid.games.writing cimport (
    DERIVED_FLAGS, DERIVED_LINE, DERIVED_PAWN_COUNT, DERIVED_PLIES, LINE_FIRST, LINE_NEXT, LINE_NUMBER, LINE_TOKEN
)

cdef int MOST_PLIES = 1023
cdef int MOST_PAWNS = 16


cdef void note_main_move(Writer* writer, int move) noexcept nogil:
    """Count a move of the main line; record promotions, pawns that leave their home square, and the stored line."""
    cdef int place
    board = &writer.line.played.board
    derived = writer.derived
    cdef int source = source_of(move)
    cdef int target = target_of(move)
    cdef int home = -1
    cdef int node
    if derived[DERIVED_PLIES] < MOST_PLIES:
        derived[DERIVED_PLIES] += 1
    if move >> 12:
        derived[DERIVED_FLAGS] |= FLAG_PROMOTION | (0 if promotion_of(move) == QUEEN else FLAG_UNDERPROMOTION)
    if writer.has_start:
        return
    if writer.lines_place >= 0:
        node = writer.lines[4 * writer.lines_place + LINE_FIRST]
        while node > 0 and writer.lines[4 * node + LINE_TOKEN] != move:
            node = writer.lines[4 * node + LINE_NEXT]
        writer.lines_place = node if node > 0 else -1
        if node > 0 and writer.lines[4 * node + LINE_NUMBER]:
            derived[DERIVED_LINE] = writer.lines[4 * node + LINE_NUMBER]
    if move == 0:
        return
    if board.squares[source] & 7 == PAWN and source >> 3 == (6 if board.turn == BLACK else 1):
        home = source
    elif board.squares[target] == code_of(board.turn ^ 1, PAWN) and target >> 3 == (1 if board.turn == BLACK else 6):
        home = target
    if home >= 0 and derived[DERIVED_PAWN_COUNT] < MOST_PAWNS:
        node = (15 if home < 16 else 7) - (home & 7)
        place = derived[DERIVED_PAWN_COUNT]
        writer.pawns[place >> 1] |= node if place & 1 else node << 4
        derived[DERIVED_PAWN_COUNT] += 1


cdef int material_of(const Board* board) noexcept nogil:
    """Return the material of a position in 24 bits: four for pawns, two for pieces, queens highest; Black lowest."""
    cdef int counts[16]
    cdef int material = 0
    memset(counts, 0, 16 * sizeof(int))
    for square in range(64):
        counts[board.squares[square]] += 1
    for side in range(2):
        for piece in range(QUEEN, PAWN, -1):
            material = material << 2 | min(counts[side << 3 | piece], 3)
        material = material << 4 | min(counts[side << 3 | PAWN], 15)
    return material
