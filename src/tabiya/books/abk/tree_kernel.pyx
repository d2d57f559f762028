"""Walks the tree of an Arena book: reads its records, writes keys and moves in depth-first order.

Linear in the number of records: each is visited at most once, regardless of the links in a damaged book. The stack is
on the heap and has a bounded depth.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc

from tabiya.chess.board cimport (
    KING, KING_SIDE, QUEEN_SIDE, Board, castled_king, castling_move, is_legal, make_move, target_of
)
from tabiya.chess.fen_kernel cimport start_board

cdef enum:
    RECORD_BYTES = 28
    FIRST_RECORD = 900
    MOST_PLIES = 1024

# Faults of a record; the messages are in ``book.py``.
cdef enum:
    OUTSIDE = 1
    REVISITED = 2
    ILLEGAL = 3
    TOO_DEEP = 4
    DELETED = 5
    CODES = 6

# One open line: the position before its next move, the record of that move, and the record that points to it.
ctypedef struct Level:
    Board board
    int32_t record
    int32_t origin
    int32_t parent

ctypedef struct Tree:
    const uint8_t* data
    Py_ssize_t records
    uint64_t* keys
    int32_t* places
    int32_t* parents
    uint16_t* moves
    Py_ssize_t count
    int32_t* faults
    int64_t* counts        # by code
    Py_ssize_t fault_count
    Py_ssize_t fault_capacity


cdef int32_t int32_at(const uint8_t* data) noexcept nogil:
    return data[0] | data[1] << 8 | data[2] << 16 | <int32_t> (<uint32_t> data[3] << 24)


cdef int move_at(const Board* board, const uint8_t* record) noexcept nogil:
    """Return the legal move of a record as a token, or 0. Promotions: 1 rook, 2 knight, 3 bishop, 4 queen, signed."""
    cdef int source = record[0]
    cdef int target = record[1]
    cdef int promotion = record[2]
    cdef int move
    if source > 63 or target > 63:
        return 0
    if promotion > 127:
        promotion = 256 - promotion
    if promotion > 4:
        return 0
    if promotion:
        promotion = 3 if promotion == 1 else 4 if promotion == 4 else promotion - 1
    if board.squares[source] & 7 == KING and source == board.king[board.turn]:
        for side in range(KING_SIDE, QUEEN_SIDE + 1):
            move = castling_move(board, side)
            if move and castled_king(source, target_of(move)) == target and abs(target - source) > 1:
                return move
    move = source | target << 6 | promotion << 12
    return move if is_legal(board, move) else 0


cdef void note(Tree* tree, int code, int32_t record, int32_t origin) noexcept nogil:
    if tree.fault_count < tree.fault_capacity:
        tree.faults[3 * tree.fault_count] = code
        tree.faults[3 * tree.fault_count + 1] = record
        tree.faults[3 * tree.fault_count + 2] = origin
    tree.fault_count += 1
    tree.counts[code] += 1


cdef void walk_levels(Tree* tree, Level* levels, uint8_t* visited) noexcept nogil:
    cdef int depth = 0
    cdef int32_t index
    cdef int move
    cdef Level* level
    cdef const uint8_t* record
    while depth >= 0:
        level = levels + depth
        index = level.record
        if index == -1:
            depth -= 1
            continue
        if index < FIRST_RECORD or index >= tree.records:
            note(tree, OUTSIDE, index, level.origin)
            level.record = -1
            continue
        if visited[index]:
            note(tree, REVISITED, index, level.origin)
            level.record = -1
            continue
        visited[index] = 1
        level.origin = index
        record = tree.data + RECORD_BYTES * <Py_ssize_t> index
        level.record = int32_at(record + 24)
        if record[19] & 1:
            note(tree, DELETED, index, index)
            continue
        move = move_at(&level.board, record)
        if move == 0:
            note(tree, ILLEGAL, index, index)
            continue
        tree.keys[tree.count] = level.board.key
        tree.places[tree.count] = index
        tree.parents[tree.count] = level.parent
        tree.moves[tree.count] = move
        tree.count += 1
        if int32_at(record + 20) == -1:
            continue
        if depth + 1 == MOST_PLIES:
            note(tree, TOO_DEEP, index, index)
            continue
        depth += 1
        levels[depth].board = level.board
        make_move(&levels[depth].board, move)
        levels[depth].record = int32_at(record + 20)
        levels[depth].origin = index
        levels[depth].parent = tree.count - 1


def walk_tree(
    const uint8_t[::1] data not None, uint64_t[::1] keys not None, int32_t[::1] places not None,
    int32_t[::1] parents not None, uint16_t[::1] moves not None, int32_t[::1] faults not None,
    int64_t[::1] counts not None
) -> int:
    """Walk from record 900 and return the number of moves found.

    Args:
        data: the whole file.
        keys: receives the key of the position before each move; all columns have space for every record of the file.
        places: receives the number of its record.
        parents: receives the index, in these columns, of the move before it; -1 for first moves.
        moves: receives the move as a tape token.
        faults: receives (code, record, record that points to it) for as many faults as fit.
        counts: to which the number of faults of each code is added, including faults that do not fit.

    Raises:
        ValueError: the columns are too short.
        MemoryError: no memory for the open lines.
    """
    cdef Tree tree
    cdef Level* levels
    cdef uint8_t* visited
    tree.records = data.shape[0] // RECORD_BYTES
    tree.count = tree.fault_count = 0
    tree.fault_capacity = faults.shape[0] // 3
    cdef Py_ssize_t capacity = tree.records - FIRST_RECORD
    if capacity <= 0 or tree.records >= 0x7FFFFFFF:
        return 0
    if (
        keys.shape[0] < capacity
        or places.shape[0] < capacity
        or parents.shape[0] < capacity
        or moves.shape[0] < capacity
        or faults.shape[0] < 3
        or counts.shape[0] != CODES
    ):
        raise ValueError("the columns are too short for this book")
    tree.data = &data[0]
    tree.keys = &keys[0]
    tree.places = &places[0]
    tree.parents = &parents[0]
    tree.moves = &moves[0]
    tree.faults = &faults[0]
    tree.counts = &counts[0]
    levels = <Level*> malloc(MOST_PLIES * sizeof(Level))
    visited = <uint8_t*> calloc(tree.records, 1)
    if levels == NULL or visited == NULL:
        free(levels)
        free(visited)
        raise MemoryError("no memory for the tree of the book")
    with nogil:
        start_board(&levels[0].board)
        levels[0].record = FIRST_RECORD
        levels[0].origin = levels[0].parent = -1
        walk_levels(&tree, levels, visited)
    free(levels)
    free(visited)
    return tree.count
