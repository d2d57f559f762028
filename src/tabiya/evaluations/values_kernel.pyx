"""Collects the evaluations and clocks of the main lines of a batch as columns, and the phases of the games.

Linear in the size of the tapes and the number of annotations. Moves are played only for phases; from an illegal move on
the phase does not change any more. Records without a line (texts, impossible start positions) have no moves.
"""

from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t, uint8_t

from tabiya.chess.board cimport BLACK, KING, PAWN, WHITE, Board, is_legal, make_move_without_key
from tabiya.chess.fen_kernel cimport read_fen, start_board
from tabiya.game.annotations.kinds cimport (
    KIND_BLACK_CLOCK, KIND_EVALUATION, KIND_EVALUATION_PROFILE, KIND_TIME_SPENT, KIND_WHITE_CLOCK
)
from tabiya.game.batch_view cimport View
from tabiya.game.tape_kernel cimport VARIATION_BEGIN, VARIATION_END
from tabiya.game.view_kernel cimport BatchView

cdef enum:
    OPENING = 0
    MIDDLEGAME = 1
    ENDGAME = 2

# The columns of all moves; ``scores`` are those of positions after moves, see scores.py.
ctypedef struct Moves:
    int32_t* scores
    int32_t* clocks      # hundredths of a second, on the clock of the side that moved
    int32_t* times       # seconds
    uint8_t* phases      # of the positions before the moves; NULL if they are not wanted
    int32_t* plies       # for the current record: the ply of each move of its tape, or -1

cdef int32_t MATE = 1 << 20
cdef int32_t UNKNOWN = -0x7FFFFFFF - 1
cdef int PAWNS = 0
cdef int MATES = 1


cdef int count_bits(uint64_t bits) noexcept nogil:
    cdef int count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


# --- phases ----------------------------------------------------------------------------------------------------------


cdef int mixed(int white, int black, int rank) noexcept nogil:
    """Return how mixed the pieces of both sides are in a square of 2 × 2, whose lower rank is given, from 1 on."""
    if white == 0:
        if black == 0:
            return 0
        if black == 1:
            return 1 + rank
        if black == 2:
            return 8 - rank if rank < 6 else 0
        return 10 - rank if rank < 7 else 0
    if black == 0:
        if white == 1:
            return 9 - rank
        if white == 2:
            return rank if rank > 2 else 0
        return 2 + rank if rank > 1 else 0
    if white == 1:
        if black == 1:
            return 5 + (4 - rank if rank < 4 else rank - 4)
        return 11 - rank if black == 2 else 12 - rank
    if white == 2 and black == 2:
        return 7
    return 3 + rank if white == 2 else 4 + rank


cdef int pieces_in(uint64_t corner) noexcept nogil:
    """Return how many of the four squares at the lower left corner of a board have pieces."""
    return (corner & 1) + (corner >> 1 & 1) + (corner >> 8 & 1) + (corner >> 9 & 1)


cdef bint is_mixed(const Board* board, int most) noexcept nogil:
    """Return whether the pieces of both sides are mixed more than ``most``."""
    cdef uint64_t white = board.colors[WHITE]
    cdef uint64_t black = board.colors[BLACK]
    cdef int total = 0
    cdef int square
    for square in range(55):
        if square & 7 < 7:
            total += mixed(pieces_in(white >> square), pieces_in(black >> square), (square >> 3) + 1)
    return total > most


cdef int phase_of(const Board* board, int before, const int32_t* limits) noexcept nogil:
    """Return the phase of a position that follows one of the phase ``before``: phases never go back."""
    cdef uint64_t all_pieces = board.colors[WHITE] | board.colors[BLACK]
    cdef int pieces
    if before == ENDGAME:
        return ENDGAME
    pieces = count_bits(all_pieces & ~(board.types[PAWN] | board.types[KING]))
    if pieces <= limits[1]:
        return ENDGAME
    if (
        before == MIDDLEGAME
        or pieces <= limits[0]
        or count_bits(board.colors[WHITE] & 0xFF) < limits[2]
        or count_bits(board.colors[BLACK] >> 56) < limits[2]
        or is_mixed(board, limits[3])
    ):
        return MIDDLEGAME
    return OPENING


# --- values ----------------------------------------------------------------------------------------------------------


cdef int32_t score_of(int kind, int value, bint black_moved) noexcept nogil:
    """Return a score; see ``score_of`` in scores.py."""
    if kind == PAWNS:
        return value
    if kind != MATES:
        return UNKNOWN
    if value == 0:
        return -MATE if black_moved else MATE
    return MATE - value if value > 0 else -MATE - value


cdef void add_evaluation(
    Moves* moves, const uint8_t* data, Py_ssize_t length, Py_ssize_t place, bint black, int32_t* start
) noexcept nogil:
    """Store an evaluation of the position after a move, or of the start position if ``place`` is -1."""
    cdef int32_t* target = start if place < 0 else moves.scores + place
    if length == 6 and target[0] == UNKNOWN:
        target[0] = score_of(
            <int16_t> (data[2] | data[3] << 8), <int16_t> (data[0] | data[1] << 8), black
        )


cdef void add_profile(
    Moves* moves, const uint8_t* data, Py_ssize_t length, Py_ssize_t begin, Py_ssize_t count, bint black_begins,
    int32_t* start
) noexcept nogil:
    """Store the evaluations of a profile for positions that have none; its mates count half-moves."""
    cdef int32_t* target
    cdef const uint8_t* entry
    cdef int value
    if length < 2 or length != 2 + 4 * (data[0] << 8 | data[1]):
        return
    for ply in range(min(count + 1, (length - 2) // 4)):
        entry = data + 2 + 4 * ply
        value = <int16_t> (entry[2] << 8 | entry[3])
        if entry[0] == MATES:
            value = (value + 1) // 2 if value > 0 else -((1 - value) // 2)
        target = start if ply == 0 else moves.scores + begin + ply - 1
        if target[0] == UNKNOWN and entry[0] <= MATES:
            # Black has moved before an even ply if White begins.
            target[0] = score_of(entry[0], value, (ply & 1 == 0) != black_begins)


cdef void add_value(
    Moves* moves, int kind, const uint8_t* data, Py_ssize_t length, Py_ssize_t place, bint black
) noexcept nogil:
    """Store the value of a clock or a time; clocks count only on moves of their own side, and the first of several."""
    cdef uint64_t clock
    if kind == KIND_TIME_SPENT:
        if length == 4 and moves.times[place] < 0:
            moves.times[place] = 3600 * data[0] + 60 * data[1] + data[2]
    elif kind == (KIND_BLACK_CLOCK if black else KIND_WHITE_CLOCK) and length == 4 and moves.clocks[place] < 0:
        clock = <uint64_t> data[0] << 24 | data[1] << 16 | data[2] << 8 | data[3]
        moves.clocks[place] = <int32_t> clock if clock <= 0x7FFFFFFF else 0x7FFFFFFF


# --- records ---------------------------------------------------------------------------------------------------------


cdef bint begin_line(const View* view, Py_ssize_t record, const Board* usual, Board* board) noexcept nogil:
    """Set up the start position of a record; False if it is not a game, or the position is impossible."""
    cdef Py_ssize_t begin = view.start.ends[record]
    cdef Py_ssize_t end = view.start.ends[record + 1]
    if view.kind[record] != 0:
        return False
    board[0] = usual[0]
    if not view.has_start[record] or begin == end:
        return True
    return read_fen(view.start.data + begin, end - begin, view.variant[record] == 1, board)


cdef Py_ssize_t number_moves(
    Moves* moves, const uint16_t* tape, Py_ssize_t length, Py_ssize_t begin, Py_ssize_t* all_moves
) noexcept nogil:
    """Number the moves of the main line in ``plies``, mark their values as missing, and return how many there are."""
    cdef Py_ssize_t depth = 0
    cdef Py_ssize_t number = 0
    cdef int32_t ply = 0
    for place in range(length):
        if tape[place] == VARIATION_BEGIN:
            depth += 1
        elif tape[place] == VARIATION_END:
            depth -= 1
        else:
            moves.plies[number] = -1
            if depth == 0:
                moves.plies[number] = ply
                moves.scores[begin + ply] = UNKNOWN
                moves.clocks[begin + ply] = moves.times[begin + ply] = -1
                ply += 1
            number += 1
    all_moves[0] = number
    return ply


cdef void add_phases(
    Moves* moves, const uint16_t* tape, Py_ssize_t length, Py_ssize_t begin, Board* board, const int32_t* limits
) noexcept nogil:
    """Play the main line, and store the phase of the position before each move."""
    cdef Py_ssize_t depth = 0
    cdef Py_ssize_t slot = begin
    cdef bint ended = False
    cdef int phase = phase_of(board, OPENING, limits)
    for place in range(length):
        if tape[place] == VARIATION_BEGIN:
            depth += 1
        elif tape[place] == VARIATION_END:
            depth -= 1
        elif depth == 0:
            moves.phases[slot] = phase
            slot += 1
            ended = ended or (tape[place] != 0 and not is_legal(board, tape[place]))
            if not ended:
                make_move_without_key(board, tape[place])
                phase = phase_of(board, phase, limits)


cdef Py_ssize_t add_record(
    Moves* moves, const View* view, Py_ssize_t record, const Board* usual, Py_ssize_t begin, const int32_t* limits,
    int32_t* start, uint8_t* black_begins
) noexcept nogil:
    """Store the values of all moves of a record; return the number of its moves."""
    cdef Board board
    cdef const uint16_t* tape = view.moves + view.move_ends[record]
    cdef Py_ssize_t length = view.move_ends[record + 1] - view.move_ends[record]
    cdef Py_ssize_t all_moves, count, at, data_begin, size
    cdef const uint8_t* data
    cdef int kind, move, ply
    start[0] = UNKNOWN
    black_begins[0] = 0
    if not begin_line(view, record, usual, &board):
        return 0
    black_begins[0] = board.turn
    count = number_moves(moves, tape, length, begin, &all_moves)
    for at in range(view.annotation_ends[record], view.annotation_ends[record + 1]):
        kind = view.annotation_kind[at]
        move = view.annotation_move[at]
        data_begin = view.annotation_data.ends[at]
        data = view.annotation_data.data + data_begin
        size = view.annotation_data.ends[at + 1] - data_begin
        ply = moves.plies[move] if 0 <= move < all_moves else -1
        if kind == KIND_EVALUATION:
            if move == -1 or ply >= 0:
                add_evaluation(moves, data, size, begin + ply if ply >= 0 else -1, board.turn ^ (ply & 1), start)
        elif ply >= 0:
            add_value(moves, kind, data, size, begin + ply, board.turn ^ (ply & 1))
    # After all others: what is attached to a move counts, and a profile only for positions without it.
    for at in range(view.annotation_ends[record], view.annotation_ends[record + 1]):
        if view.annotation_kind[at] == KIND_EVALUATION_PROFILE:
            data_begin = view.annotation_data.ends[at]
            size = view.annotation_data.ends[at + 1] - data_begin
            add_profile(moves, view.annotation_data.data + data_begin, size, begin, count, black_begins[0], start)
    if moves.phases != NULL:
        add_phases(moves, tape, length, begin, &board, limits)
    return count


def collect_values(
    BatchView batch not None, const int32_t[::1] limits not None, int32_t[::1] ends not None,
    int32_t[::1] starts not None, uint8_t[::1] black_begins not None, int32_t[::1] scores not None,
    int32_t[::1] clocks not None, int32_t[::1] times not None, uint8_t[::1] phases not None,
    int32_t[::1] plies not None
) -> int:
    """Fill columns with the values of all moves of the main lines of a batch; return how many moves there are.

    Args:
        batch: the records.
        limits: of phases: pieces of the middlegame and of the endgame, on the first rank, and how mixed they are.
        ends: receives the end of the moves of each record, after a 0.
        starts: receives the score of the start position of each record.
        black_begins: receives whether Black makes the first move, per record.
        scores: receives the score after each move. This and the following need a member per token of the batch.
        clocks: receives hundredths of a second on the clock of the side that moved, -1 if unknown.
        times: receives the seconds spent, -1 if unknown.
        phases: receives the phase of the position before each move; empty if phases are not wanted.
        plies: memory to work with.

    Raises:
        ValueError: The columns are too small.
    """
    cdef View* view = &batch.view
    cdef Py_ssize_t records = view.records
    cdef Py_ssize_t tokens = view.move_ends[records] - view.move_ends[0] if records else 0
    cdef Py_ssize_t done = 0
    cdef Board usual
    cdef Moves moves
    if (
        limits.shape[0] != 4
        or ends.shape[0] != records + 1
        or starts.shape[0] != records
        or black_begins.shape[0] != records
        or min(scores.shape[0], clocks.shape[0], times.shape[0], plies.shape[0]) < tokens
        or 0 < phases.shape[0] < tokens
    ):
        raise ValueError("the columns do not fit the batch")
    ends[0] = 0
    if records == 0:
        return 0
    moves.scores = &scores[0] if tokens else NULL
    moves.clocks = &clocks[0] if tokens else NULL
    moves.times = &times[0] if tokens else NULL
    moves.plies = &plies[0] if tokens else NULL
    moves.phases = &phases[0] if tokens and phases.shape[0] else NULL
    start_board(&usual)
    with nogil:
        for record in range(records):
            done += add_record(
                &moves, view, record, &usual, done, &limits[0], &starts[record], &black_begins[record]
            )
            ends[record + 1] = <int32_t> done
    return done
