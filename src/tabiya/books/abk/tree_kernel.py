"""Walks the tree of an Arena book: reads its records, writes keys and moves in depth-first order.

Linear in the number of records: each is visited at most once, whatever the links in a damaged book say. The stack is on
the heap and has a bounded depth.
"""

import cython
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from cython.cimports.libc.stdlib import calloc, free, malloc
from cython.cimports.tabiya.chess.board import (
    KING,
    KING_SIDE,
    QUEEN_SIDE,
    castled_king,
    castling_move,
    is_legal,
    make_move,
    target_of,
)
from cython.cimports.tabiya.chess.fen_kernel import start_board


def int32_at(data):
    return cython.cast(
        int32_t,
        cython.cast(uint32_t, data[0])
        | cython.cast(uint32_t, data[1]) << 8
        | cython.cast(uint32_t, data[2]) << 16
        | cython.cast(uint32_t, data[3]) << 24,
    )


def move_at(board, record):
    """Return the legal move of a record as a token, or 0. Promotions: 1 rook, 2 knight, 3 bishop, 4 queen, signed."""
    source: cython.int = record[0]
    target: cython.int = record[1]
    promotion: cython.int = record[2]
    move: cython.int
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


def note(tree, code, record, origin):
    if tree.fault_count < tree.fault_room:
        tree.faults[3 * tree.fault_count] = code
        tree.faults[3 * tree.fault_count + 1] = record
        tree.faults[3 * tree.fault_count + 2] = origin
    tree.fault_count += 1
    tree.counts[code] += 1


def walk_levels(tree, levels, visited):
    depth: cython.int = 0
    index: int32_t
    move: cython.int
    level: cython.pointer[Level]
    record: cython.pointer[cython.const[uint8_t]]
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
        record = tree.data + RECORD_BYTES * cython.cast(cython.Py_ssize_t, index)
        level.record = int32_at(record + 24)
        if record[19] & 1:
            note(tree, DELETED, index, index)
            continue
        move = move_at(cython.address(level.board), record)
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
        make_move(cython.address(levels[depth].board), move)
        levels[depth].record = int32_at(record + 20)
        levels[depth].origin = index
        levels[depth].parent = tree.count - 1


def walk_tree(
    data: cython.const[uint8_t][::1],
    keys: uint64_t[::1],
    places: int32_t[::1],
    parents: int32_t[::1],
    moves: uint16_t[::1],
    faults: int32_t[::1],
    counts: int64_t[::1],
) -> int:
    """Walk from record 900 and return the number of moves found.

    Args:
        data: the whole file.
        keys: takes the key of the position before each move; all columns have room for every record of the file.
        places: takes the number of its record.
        parents: takes the index, in these columns, of the move before it; -1 for first moves.
        moves: takes the move as a tape token.
        faults: takes (code, record, record that points to it) for as many faults as fit.
        counts: to which is added how many faults of each code were found, also of those that do not fit.

    Raises:
        ValueError: the columns are too short.
        MemoryError: no memory for the open lines.
    """
    tree: Tree
    levels: cython.pointer[Level]
    visited: cython.pointer[uint8_t]
    tree.records = data.shape[0] // RECORD_BYTES
    tree.count = tree.fault_count = 0
    tree.fault_room = faults.shape[0] // 3
    room: cython.Py_ssize_t = tree.records - FIRST_RECORD
    if room <= 0 or tree.records >= 0x7FFFFFFF:
        return 0
    if (
        keys.shape[0] < room
        or places.shape[0] < room
        or parents.shape[0] < room
        or moves.shape[0] < room
        or faults.shape[0] < 3
        or counts.shape[0] != CODES
    ):
        raise ValueError("the columns are too short for this book")
    tree.data = cython.address(data[0])
    tree.keys = cython.address(keys[0])
    tree.places = cython.address(places[0])
    tree.parents = cython.address(parents[0])
    tree.moves = cython.address(moves[0])
    tree.faults = cython.address(faults[0])
    tree.counts = cython.address(counts[0])
    levels = cython.cast(cython.pointer[Level], malloc(MOST_PLIES * cython.sizeof(Level)))
    visited = cython.cast(cython.pointer[uint8_t], calloc(tree.records, 1))
    if levels == cython.NULL or visited == cython.NULL:
        free(levels)
        free(visited)
        raise MemoryError("no memory for the tree of the book")
    with cython.nogil:
        start_board(cython.address(levels[0].board))
        levels[0].record = FIRST_RECORD
        levels[0].origin = levels[0].parent = -1
        walk_levels(cython.address(tree), levels, visited)
    free(levels)
    free(visited)
    return tree.count
