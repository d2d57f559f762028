"""What an index says of a game: plies, promotions, home pawns, the stored line, the final material.

Scid chooses by these which games a search looks at, so a wrong one hides a game. Constant per move.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.chess.board import BLACK, PAWN, QUEEN, code_of, promotion_of, source_of, target_of
from cython.cimports.tabiya.formats.scid.games.codes import FLAG_PROMOTION, FLAG_UNDERPROMOTION
from cython.cimports.tabiya.formats.scid.games.writing import (
    DERIVED_FLAGS,
    DERIVED_LINE,
    DERIVED_PAWN_COUNT,
    DERIVED_PLIES,
    LINE_FIRST,
    LINE_NEXT,
    LINE_NUMBER,
    LINE_TOKEN,
)

MOST_PLIES = cython.declare(cython.int, 1023)
MOST_PAWNS = cython.declare(cython.int, 16)


def note_main_move(writer, move):
    """Count a move of the main line; note promotions, pawns that leave their home, and the stored line."""
    board = cython.address(writer.line.played.board)
    derived = writer.derived
    source: cython.int = source_of(move)
    target: cython.int = target_of(move)
    home: cython.int = -1
    node: cython.int
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
        place: cython.int = derived[DERIVED_PAWN_COUNT]
        writer.pawns[place >> 1] |= node if place & 1 else node << 4
        derived[DERIVED_PAWN_COUNT] += 1


def material_of(board):
    """Return the men of a position in 24 bits: four for pawns, two for other pieces, queens highest; Black lowest."""
    counts: cython.int[16]
    material: cython.int = 0
    memset(counts, 0, 16 * cython.sizeof(cython.int))
    for square in range(64):
        counts[board.squares[square]] += 1
    for side in range(2):
        for piece in range(QUEEN, PAWN, -1):
            material = material << 2 | min(counts[side << 3 | piece], 3)
        material = material << 4 | min(counts[side << 3 | PAWN], 15)
    return material
