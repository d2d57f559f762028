"""Bulk replay of tapes: reads the ``moves`` column of a batch, writes position keys or the places of illegal moves.

Linear in the number of tokens. Variations are replayed with a stack on the heap (one frame per open variation), so any
depth of nesting is safe; a board is copied only at the start of a variation.
"""

from libc.stdint cimport int32_t, uint16_t, uint64_t, uint8_t
from libc.string cimport memset

from tabiya.chess.bits cimport likely
from tabiya.chess.board cimport Board, is_legal, make_move
from tabiya.chess.fen_kernel cimport start_board
from tabiya.game.main_line cimport set_up_board
from tabiya.game.walk cimport (
    EVENT_END, EVENT_MOVE, EVENT_NO_MEMORY, EVENT_OPEN, PlayedLine, Walk, begin_walk, free_walk, moves_own_piece,
    next_event, note_move, take_back
)

cdef Py_ssize_t OUT_OF_MEMORY = -2


cdef Py_ssize_t replay_tape(Walk* walk, PlayedLine* line, bint checked, uint64_t* keys) noexcept nogil:
    """Play one tape from the position in ``line``; return the index of the first bad token, -1 if all are good.

    ``keys`` takes one key per move token, or is NULL. With ``checked`` every move must be legal (null moves always
    are); without, it must move a piece of the side to move.
    """
    cdef Board* board = &line.board
    cdef int event
    while True:
        event = next_event(walk, line, sizeof(PlayedLine))
        if likely(event == EVENT_MOVE):
            if walk.token and not (is_legal(board, walk.token) if checked else moves_own_piece(board, walk.token)):
                return walk.place
            note_move(walk, line)
            make_move(board, walk.token)
            if keys != NULL:
                keys[0] = board.key
                keys += 1
        elif event == EVENT_OPEN:
            take_back(line)
        elif event == EVENT_END:
            return -1
        elif event < 0:
            return OUT_OF_MEMORY if event == EVENT_NO_MEMORY else walk.place


def replay(
    const uint16_t[::1] moves not None, const int32_t[::1] offsets not None, const uint8_t[::1] start_bytes not None,
    const int32_t[::1] start_offsets not None, const uint8_t[::1] variants not None, int32_t[::1] failures not None,
    uint64_t[::1] keys not None, bint checked
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
    cdef Py_ssize_t records = offsets.shape[0] - 1
    cdef Py_ssize_t begin
    cdef Py_ssize_t end
    cdef Walk walk
    cdef PlayedLine line
    cdef Board standard
    cdef Py_ssize_t failure = 0
    if (
        records < 0
        or start_offsets.shape[0] != records + 1
        or variants.shape[0] != records
        or failures.shape[0] != records
        or (keys.shape[0] != 0 and keys.shape[0] != moves.shape[0])
    ):
        raise ValueError("the buffers of the batch do not fit each other")
    memset(&walk, 0, sizeof(Walk))
    start_board(&standard)
    with nogil:
        for record in range(records):
            begin = start_offsets[record]
            end = start_offsets[record + 1]
            if (
                begin < 0 or end < begin or end > start_bytes.shape[0]
                or not set_up_board(&line.board, &standard, &start_bytes[begin], end - begin, variants[record] == 1)
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
            begin_walk(&walk, &moves[begin], end - begin, MOST_NESTED)
            failure = replay_tape(&walk, &line, checked, &keys[begin] if keys.shape[0] else NULL)
            if failure == OUT_OF_MEMORY:
                break
            failures[record] = failure
    free_walk(&walk)
    if failure == OUT_OF_MEMORY:
        raise MemoryError("no memory for the open variations of a game")
