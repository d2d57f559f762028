"""Bulk replay of tapes: reads the ``moves`` column of a batch, writes position keys or the places of illegal moves.

Linear in the number of tokens. Variations are replayed with a stack on the heap (one frame per open variation), so no
depth of nesting can hurt; a board is copied only where a variation begins.
"""

import cython
from cython.cimports.libc.stdint import int32_t, uint8_t, uint16_t, uint64_t
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.chess.bits import likely
from cython.cimports.tabiya.chess.board import Board, is_legal, make_move
from cython.cimports.tabiya.chess.fen_kernel import read_fen, start_board
from cython.cimports.tabiya.game.walk import (
    EVENT_END,
    EVENT_MOVE,
    EVENT_NO_MEMORY,
    EVENT_OPEN,
    PlayedLine,
    Walk,
    begin_walk,
    free_walk,
    moves_own_man,
    next_event,
    note_move,
    take_back,
)

OUT_OF_MEMORY = cython.declare(cython.Py_ssize_t, -2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def replay_tape(
    walk: cython.pointer[Walk],
    line: cython.pointer[PlayedLine],
    checked: cython.bint,
    keys: cython.pointer[uint64_t],
) -> cython.Py_ssize_t:
    """Play one tape from the position in ``line``; the index of the first bad token, -1 if all are good.

    ``keys`` takes one key per move token, or is NULL. With ``checked`` every move must be legal (null moves always
    are); without, it must move a piece of the side to move.
    """
    board: cython.pointer[Board] = cython.address(line.board)
    event: cython.int
    while True:
        event = next_event(walk, line, cython.sizeof(PlayedLine))
        if likely(event == EVENT_MOVE):
            if walk.token and not (is_legal(board, walk.token) if checked else moves_own_man(board, walk.token)):
                return walk.place
            note_move(walk, line)
            make_move(board, walk.token)
            if keys != cython.NULL:
                keys[0] = board.key
                keys += 1
        elif event == EVENT_OPEN:
            take_back(line)
        elif event == EVENT_END:
            return -1
        elif event < 0:
            return OUT_OF_MEMORY if event == EVENT_NO_MEMORY else walk.place


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
    """Play the tapes of all records of a batch.

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
    walk: Walk
    line: PlayedLine
    standard: Board
    failure: cython.Py_ssize_t = 0
    if (
        records < 0
        or start_offsets.shape[0] != records + 1
        or variants.shape[0] != records
        or failures.shape[0] != records
        or (keys.shape[0] != 0 and keys.shape[0] != moves.shape[0])
    ):
        raise ValueError("the buffers of the batch do not fit each other")
    memset(cython.address(walk), 0, cython.sizeof(Walk))
    start_board(cython.address(standard))
    with cython.nogil:
        for record in range(records):
            begin = start_offsets[record]
            end = start_offsets[record + 1]
            line.board = standard
            if begin < 0 or end < begin or end > start_bytes.shape[0]:
                failures[record] = -3
                continue
            if end > begin and not read_fen(
                cython.address(start_bytes[begin]), end - begin, variants[record] == 1, cython.address(line.board)
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
            begin_walk(cython.address(walk), cython.address(moves[begin]), end - begin, MOST_NESTED)
            failure = replay_tape(
                cython.address(walk),
                cython.address(line),
                checked,
                cython.address(keys[begin]) if keys.shape[0] else cython.NULL,
            )
            if failure == OUT_OF_MEMORY:
                break
            failures[record] = failure
    free_walk(cython.address(walk))
    if failure == OUT_OF_MEMORY:
        raise MemoryError("no memory for the open variations of a game")
