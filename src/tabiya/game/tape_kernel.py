"""Bulk replay of tapes: reads the ``moves`` column of a batch, writes position keys or the places of illegal moves.

Linear in the number of tokens. Variations are replayed with a stack on the heap (one frame per open variation), so no
depth of nesting can hurt; a board is copied only where a variation begins.
"""

import cython
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t, uint16_t, uint64_t
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.tabiya.chess.bits import likely
from cython.cimports.tabiya.chess.board import Board, is_legal, make_move, remember, source_of, unmake_move
from cython.cimports.tabiya.chess.fen_kernel import parse_fen, start_board

OUT_OF_MEMORY = cython.declare(cython.Py_ssize_t, -2)


def push_frame(frames, frame):
    """Keeps a copy of the frame; False if there is no memory for it."""
    if frames.count == frames.capacity:
        capacity: cython.Py_ssize_t = 2 * frames.capacity + 16
        items: cython.pointer[Frame] = cython.cast(
            cython.pointer[Frame], realloc(frames.items, capacity * cython.sizeof(Frame))
        )
        if items == cython.NULL:
            return False
        frames.items = items
        frames.capacity = capacity
    frames.items[frames.count] = frame[0]
    frames.count += 1
    return True


def replay_tape(tape, length, line, outside, checked, keys):
    """Plays one tape from the position in ``line``; the index of the first bad token, -1 if all are good.

    ``keys`` takes one key per move token, or is NULL. With ``checked`` every move must be legal (null moves always
    are); without, it must move a piece of the side to move.
    """
    token: cython.int
    line.has_move = False
    outside.count = 0
    for index in range(length):
        token = tape[index]
        if likely(token < VARIATION_BEGIN):
            if checked:
                if token and not is_legal(cython.address(line.board), token):
                    return index
            elif token and (
                token >> 12 > 4
                or line.board.squares[source_of(token)] == 0
                or line.board.squares[source_of(token)] >> 3 != line.board.turn
            ):
                return index
            # Only a move with a variation behind it is ever taken back.
            if index + 1 < length and tape[index + 1] == VARIATION_BEGIN:
                remember(cython.address(line.board), token, cython.address(line.undo))
            line.has_move = True
            make_move(cython.address(line.board), token)
            if keys != cython.NULL:
                keys[0] = line.board.key
                keys += 1
        elif token == VARIATION_BEGIN:
            if not line.has_move or outside.count == MOST_NESTED:
                return index
            if not push_frame(outside, line):
                return OUT_OF_MEMORY
            unmake_move(cython.address(line.board), cython.address(line.undo))
            line.has_move = False
        elif token == VARIATION_END:
            if outside.count == 0 or not line.has_move:
                return index
            outside.count -= 1
            line[0] = outside.items[outside.count]
        else:
            return index
    return -1 if outside.count == 0 else length


def replay(
    moves: cython.const[uint16_t][::1],
    offsets: cython.const[int32_t][::1],
    start_bytes: cython.const[uint8_t][::1],
    start_offsets: cython.const[int32_t][::1],
    variants: cython.const[uint8_t][::1],
    failures: int32_t[::1],
    keys: uint64_t[::1],
    checked: cython.bint,
) -> None:
    """Plays the tapes of all records of a batch.

    Args:
        moves: the tokens of all records.
        offsets: where each record's tokens begin in ``moves``, and where the last one ends.
        start_bytes: the FENs of all records, UTF-8; an empty one is the usual start position.
        start_offsets: where each record's FEN begins in ``start_bytes``, and where the last one ends.
        variants: 1 for Chess960, one per record.
        failures: takes per record the index of its first bad token, -1 if all are good, -3 if its FEN is bad.
        keys: takes the key after each move token at the token's own place in ``moves``, or is empty. (Variation tokens
            leave no key, so a record's keys stand at the front of its stretch.)
        checked: whether every move must be legal.

    Raises:
        ValueError: the buffers do not fit each other.
        MemoryError: no memory for the open variations.
    """
    records: cython.Py_ssize_t = offsets.shape[0] - 1
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    outside: Frames
    line: Frame
    standard: Board
    offset: cython.int
    failure: cython.Py_ssize_t = 0
    if (
        records < 0
        or start_offsets.shape[0] != records + 1
        or variants.shape[0] != records
        or failures.shape[0] != records
        or (keys.shape[0] != 0 and keys.shape[0] != moves.shape[0])
    ):
        raise ValueError("the buffers of the batch do not fit each other")
    outside.items = cython.NULL
    outside.count = outside.capacity = 0
    start_board(cython.address(standard))
    with cython.nogil:
        for record in range(records):
            begin = start_offsets[record]
            end = start_offsets[record + 1]
            line.board = standard
            if begin < 0 or end < begin or end > start_bytes.shape[0] or end - begin > 4096:
                failures[record] = -3
                continue
            if end > begin and parse_fen(
                cython.address(start_bytes[begin]),
                end - begin,
                variants[record] == 1,
                cython.address(line.board),
                cython.address(offset),
            ):
                failures[record] = -3
                continue
            begin = offsets[record]
            end = offsets[record + 1]
            if begin < 0 or end < begin or end > moves.shape[0]:
                failures[record] = 0
                continue
            if begin == end:
                failures[record] = -1
                continue
            failure = replay_tape(
                cython.address(moves[begin]),
                end - begin,
                cython.address(line),
                cython.address(outside),
                checked,
                cython.address(keys[begin]) if keys.shape[0] else cython.NULL,
            )
            if failure == OUT_OF_MEMORY:
                break
            failures[record] = failure
    free(outside.items)
    if failure == OUT_OF_MEMORY:
        raise MemoryError("no memory for the open variations of a game")
