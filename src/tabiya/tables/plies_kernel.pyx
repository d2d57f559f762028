"""Replay the main lines of a batch once and write the requested columns of every ply, in Arrow's own layout.

Moves as SAN, UCI and tokens, positions as FENs and keys, and values of moves: clocks, times, evaluations. Linear in the
size of the tapes and the number of annotations. A line ends before its first illegal move; null moves count as moves.
Records without a line (texts, impossible start positions) have no plies, as ``known`` shows.
"""

from libc.stdint cimport int16_t, int32_t, uint16_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from tabiya.chess.board cimport (
    BLACK, KING, ROOK, Board, castled_king, code_of, make_move, promotion_of, source_of, target_of
)
from tabiya.chess.fen_kernel cimport MAX_FEN, start_board
from tabiya.chess.san cimport MAX_SAN, letter_of_piece
from tabiya.game.annotations.kinds cimport KIND_BLACK_CLOCK, KIND_EVALUATION, KIND_TIME_SPENT, KIND_WHITE_CLOCK
from tabiya.game.batch_view cimport View
from tabiya.game.columns_kernel cimport take
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.main_line cimport main_line, next_legal_move, number_of_move, set_up_board
from tabiya.game.view_kernel cimport BatchView
from tabiya.search.sql_kernel cimport format_move, format_position

# The requested columns, as bits; the order is that of ``PLY_COLUMNS`` in ply_columns.py.
cdef enum:
    COLUMN_SAN = 1
    COLUMN_UCI = 2
    COLUMN_MOVES = 4
    COLUMN_FENS = 8
    COLUMN_KEYS = 16
    COLUMN_CLOCKS = 32
    COLUMN_TIMES = 64
    COLUMN_EVALUATIONS = 128
    COLUMN_MATES = 256
    COLUMN_VALUES = 32 + 64 + 128 + 256

# Strings in Arrow's layout: ``ends`` begins with a 0.
ctypedef struct Texts:
    Bytes letters
    Bytes ends  # int32

# Values of 4 or 8 bytes, and a byte for each that states whether it is present.
ctypedef struct Values:
    Bytes numbers
    Bytes present

ctypedef struct Plies:
    int requested
    bint padded           # moves have a slot for the last position, values one for the first
    bint out_of_memory
    bint too_large        # a column has more members than Arrow's offsets can count
    Bytes move_ends       # int32: the end of the moves of each record, after a 0
    Bytes position_ends   # int32: the end of its positions, after a 0
    Bytes known           # uint8: whether a record has a line of play
    Py_ssize_t moves
    Py_ssize_t positions
    Texts san
    Texts uci
    Bytes tokens          # uint16
    Texts fens
    Bytes keys            # uint64
    Values clocks         # double: seconds
    Values times          # int32: seconds
    Values evaluations    # double: pawns
    Values mates          # int32: moves
    Bytes numbers         # int32, for the current record: by number of a move, its ply on the main line, or -1


cdef Py_ssize_t MOST = 0x7FFFFFFF
cdef Py_ssize_t MAX_UCI = 5
cdef int PAWNS = 0
cdef int MATE = 1


cdef bint begin_line(const View* view, Py_ssize_t record, const Board* usual, Board* board) noexcept nogil:
    """Set up the start position of a record; False if it is not a game, or the position is impossible."""
    cdef Py_ssize_t begin = view.start.ends[record]
    cdef Py_ssize_t length = view.start.ends[record + 1] - begin if view.has_start[record] else 0
    return view.kind[record] == 0 and set_up_board(
        board, usual, view.start.data + begin, length, view.variant[record] == 1
    )


# --- capacity --------------------------------------------------------------------------------------------------------


cdef bint reserve_all(Plies* plies, Py_ssize_t moves) noexcept nogil:
    """Reserve space for all that a record with this number of moves may need; False if there is no memory."""
    cdef int requested = plies.requested
    cdef Py_ssize_t count = moves + 1
    return (
        grow(&plies.numbers, 4 * count)
        and (not requested & COLUMN_SAN or reserve_texts(&plies.san, count, MAX_SAN))
        and (not requested & COLUMN_UCI or reserve_texts(&plies.uci, count, MAX_UCI))
        and (not requested & COLUMN_MOVES or grow(&plies.tokens, 2 * count))
        and (not requested & COLUMN_FENS or reserve_texts(&plies.fens, count, MAX_FEN))
        and (not requested & COLUMN_KEYS or grow(&plies.keys, 8 * count))
        and (not requested & COLUMN_CLOCKS or reserve_values(&plies.clocks, count, 8))
        and (not requested & COLUMN_TIMES or reserve_values(&plies.times, count, 4))
        and (not requested & COLUMN_EVALUATIONS or reserve_values(&plies.evaluations, count, 8))
        and (not requested & COLUMN_MATES or reserve_values(&plies.mates, count, 4))
    )


cdef bint reserve_texts(Texts* texts, Py_ssize_t count, Py_ssize_t longest) noexcept nogil:
    return grow(&texts.letters, longest * count) and grow(&texts.ends, 4 * count)


cdef bint reserve_values(Values* values, Py_ssize_t count, Py_ssize_t size) noexcept nogil:
    return grow(&values.numbers, size * count) and grow(&values.present, count)


cdef void put_end(Plies* plies, Bytes* ends, Py_ssize_t end) noexcept nogil:
    """Append the end of a list or a text; the space is already reserved."""
    cdef int32_t stored = end
    plies.too_large |= end > MOST
    memcpy(ends.data + ends.size, &stored, 4)
    ends.size += 4


cdef void end_text(Plies* plies, Texts* texts, int length) noexcept nogil:
    """End the text whose letters have been appended."""
    texts.letters.size += length
    put_end(plies, &texts.ends, texts.letters.size)


# --- moves and positions ---------------------------------------------------------------------------------------------


cdef int format_uci(const Board* board, int token, uint8_t* out) noexcept nogil:
    """Write a move in UCI: castling by the king's target, in Chess960 by the rook; 0000 is the null move."""
    cdef int source = source_of(token)
    cdef int target = target_of(token)
    if token == 0:
        out[0] = out[1] = out[2] = out[3] = ord("0")
        return 4
    if (
        not board.chess960
        and board.squares[source] == code_of(board.turn, KING)
        and board.squares[target] == code_of(board.turn, ROOK)
    ):
        target = castled_king(source, target)
    out[0] = ord("a") + (source & 7)
    out[1] = ord("1") + (source >> 3)
    out[2] = ord("a") + (target & 7)
    out[3] = ord("1") + (target >> 3)
    if not token >> 12:
        return 4
    out[4] = letter_of_piece(promotion_of(token)) | 0x20
    return 5


cdef void put_position(Plies* plies, Board* board) noexcept nogil:
    if plies.requested & COLUMN_KEYS:
        memcpy(plies.keys.data + plies.keys.size, &board.key, 8)
        plies.keys.size += 8
    if plies.requested & COLUMN_FENS:
        end_text(plies, &plies.fens, format_position(board, plies.fens.letters.data + plies.fens.letters.size))
    plies.positions += 1


cdef void put_move(Plies* plies, Board* board, int token) noexcept nogil:
    """Append a legal move or the null move, and play it."""
    cdef uint16_t stored = token
    if plies.requested & COLUMN_UCI:
        end_text(plies, &plies.uci, format_uci(board, token, plies.uci.letters.data + plies.uci.letters.size))
    if plies.requested & COLUMN_MOVES:
        memcpy(plies.tokens.data + plies.tokens.size, &stored, 2)
        plies.tokens.size += 2
    if plies.requested & COLUMN_SAN:
        end_text(plies, &plies.san, format_move(board, token, plies.san.letters.data + plies.san.letters.size))
    else:
        make_move(board, token)
    plies.moves += 1


cdef void end_moves(Plies* plies) noexcept nogil:
    """Append the placeholder for the missing move after the last position of a line."""
    if plies.requested & COLUMN_UCI:
        end_text(plies, &plies.uci, 0)
    if plies.requested & COLUMN_MOVES:
        memset(plies.tokens.data + plies.tokens.size, 0, 2)
        plies.tokens.size += 2
    if plies.requested & COLUMN_SAN:
        end_text(plies, &plies.san, 0)
    plies.moves += 1


cdef void add_line(Plies* plies, const View* view, Py_ssize_t record, Board* board) noexcept nogil:
    """Append all moves and positions of a line."""
    cdef const uint16_t* tape = view.moves + view.move_ends[record]
    cdef int32_t* numbers = <int32_t*> plies.numbers.data
    cdef Py_ssize_t length = view.move_ends[record + 1] - view.move_ends[record]
    cdef int32_t ply = 0
    memset(numbers, 0xFF, 4 * length)  # -1: no move of the main line
    line = main_line(tape, length)
    while True:
        move = next_legal_move(&line, board)
        put_position(plies, board)
        if move < 0:
            return
        put_move(plies, board, move)
        numbers[number_of_move(&line, tape)] = ply
        ply += 1


# --- values of moves -------------------------------------------------------------------------------------------------


cdef void clear(Values* values, Py_ssize_t count, Py_ssize_t size) noexcept nogil:
    memset(values.numbers.data + values.numbers.size, 0, count * size)
    memset(values.present.data + values.present.size, 0, count)
    values.numbers.size += count * size
    values.present.size += count


cdef void clear_values(Plies* plies, Py_ssize_t count) noexcept nogil:
    """Append this number of missing values."""
    if plies.requested & COLUMN_CLOCKS:
        clear(&plies.clocks, count, 8)
    if plies.requested & COLUMN_TIMES:
        clear(&plies.times, count, 4)
    if plies.requested & COLUMN_EVALUATIONS:
        clear(&plies.evaluations, count, 8)
    if plies.requested & COLUMN_MATES:
        clear(&plies.mates, count, 4)


cdef void put_double(Values* values, Py_ssize_t slot, double number) noexcept nogil:
    """Store a value in its slot, unless it has one: the first of several counts."""
    if not values.present.data[slot]:
        values.present.data[slot] = 1
        memcpy(values.numbers.data + 8 * slot, &number, 8)


cdef void put_number(Values* values, Py_ssize_t slot, int32_t number) noexcept nogil:
    if not values.present.data[slot]:
        values.present.data[slot] = 1
        memcpy(values.numbers.data + 4 * slot, &number, 4)


cdef void add_value(
    Plies* plies, int kind, const uint8_t* data, Py_ssize_t length, Py_ssize_t slot, int mover
) noexcept nogil:
    """Store the value of an annotation, if it was requested; clocks count only on moves of their own side."""
    cdef unsigned int clock
    cdef int16_t number
    cdef int16_t unit
    if kind == KIND_TIME_SPENT:
        if plies.requested & COLUMN_TIMES and length == 4:
            put_number(&plies.times, slot, 3600 * data[0] + 60 * data[1] + data[2])
    elif kind == KIND_EVALUATION:
        if length == 6:
            number = data[0] | data[1] << 8
            unit = data[2] | data[3] << 8
            if plies.requested & COLUMN_EVALUATIONS and unit == PAWNS:
                put_double(&plies.evaluations, slot, number / 100.0)
            elif plies.requested & COLUMN_MATES and unit == MATE:
                put_number(&plies.mates, slot, number)
    elif kind == (KIND_BLACK_CLOCK if mover == BLACK else KIND_WHITE_CLOCK):
        if plies.requested & COLUMN_CLOCKS and length == 4:
            clock = <unsigned int> data[0] << 24 | data[1] << 16 | data[2] << 8 | data[3]
            put_double(&plies.clocks, slot, clock / 100.0)


cdef void add_values(Plies* plies, const View* view, Py_ssize_t record, int turn) noexcept nogil:
    """Store the values of the moves of the line just added; ``turn`` is the side that began."""
    cdef int32_t* numbers = <int32_t*> plies.numbers.data
    cdef Py_ssize_t line = (<int32_t*> plies.move_ends.data)[record]
    cdef Py_ssize_t length = view.move_ends[record + 1] - view.move_ends[record]
    cdef Py_ssize_t begin
    cdef int ply
    clear_values(plies, plies.moves - line)
    for index in range(view.annotation_ends[record], view.annotation_ends[record + 1]):
        if 0 <= view.annotation_move[index] < length:
            ply = numbers[view.annotation_move[index]]
            if ply >= 0:
                begin = view.annotation_data.ends[index]
                add_value(
                    plies,
                    view.annotation_kind[index],
                    view.annotation_data.data + begin,
                    view.annotation_data.ends[index + 1] - begin,
                    line + ply + plies.padded,
                    turn ^ (ply & 1),
                )


# --- records ---------------------------------------------------------------------------------------------------------


cdef void add_record(Plies* plies, const View* view, Py_ssize_t record, const Board* usual) noexcept nogil:
    cdef Board board
    cdef Py_ssize_t moves = view.move_ends[record + 1] - view.move_ends[record]
    cdef int turn
    cdef bint known = begin_line(view, record, usual, &board)
    if known:
        if not reserve_all(plies, moves):
            plies.out_of_memory = True
            return
        turn = board.turn
        add_line(plies, view, record, &board)
        if plies.padded:
            end_moves(plies)
        if plies.requested & COLUMN_VALUES:
            add_values(plies, view, record, turn)
    plies.known.data[record] = known
    put_end(plies, &plies.move_ends, plies.moves)
    put_end(plies, &plies.position_ends, plies.positions)


cdef void free_plies(Plies* plies) noexcept nogil:
    """Free the columns, in the order of their declaration: all are byte buffers."""
    cdef Bytes* column = <Bytes*> &plies.san
    cdef Bytes* end = &plies.numbers
    free(plies.move_ends.data)
    free(plies.position_ends.data)
    free(plies.known.data)
    while column <= end:
        free(column.data)
        column += 1


def describe_plies(BatchView batch not None, int requested, bint padded) -> dict:
    """Return the requested columns of all plies of a batch.

    Args:
        batch: the records.
        wanted: the columns, as bits: 1 ``san``, 2 ``uci``, 4 ``tokens``, 8 ``fens``, 16 ``keys``, 32 ``clocks``, 64
            ``times``, 128 ``evaluations``, 256 ``mates``.
        padded: every column has a member for each position. Moves are those that follow it, none after the last; values
            are those of the move that led to it, none for the first.

    Returns:
        By name, readable memory: ``move_ends`` and ``position_ends`` (the end of the members of each record, after a
        0), ``known`` (a byte per record), and every column by its name: texts with ``…_ends``, values with
        ``…_present``, a byte for each.

    Raises:
        OverflowError: These records have more plies than a column can hold.
    """
    cdef View* view = &batch.view
    cdef Plies plies
    cdef Board usual
    cdef Py_ssize_t record
    cdef bint ready
    memset(&plies, 0, sizeof(Plies))
    plies.requested = requested
    plies.padded = padded
    start_board(&usual)
    try:
        ready = (
            grow(&plies.move_ends, 4 * (view.records + 1))
            and grow(&plies.position_ends, 4 * (view.records + 1))
            and grow(&plies.known, view.records)
            and reserve_all(&plies, 0)
        )
        if not ready:
            raise MemoryError("no memory for the columns of a table")
        with nogil:
            plies.known.size = view.records
            put_end(&plies, &plies.move_ends, 0)
            put_end(&plies, &plies.position_ends, 0)
            if requested & COLUMN_SAN:
                put_end(&plies, &plies.san.ends, 0)
            if requested & COLUMN_UCI:
                put_end(&plies, &plies.uci.ends, 0)
            if requested & COLUMN_FENS:
                put_end(&plies, &plies.fens.ends, 0)
            for record in range(view.records):
                add_record(&plies, view, record, &usual)
                if plies.out_of_memory or plies.too_large:
                    break
        if plies.out_of_memory:
            raise MemoryError("no memory for the columns of a table")
        if plies.too_large:
            raise OverflowError("these records have more plies than a column can hold")
        return {
            "move_ends": take(&plies.move_ends),
            "position_ends": take(&plies.position_ends),
            "known": take(&plies.known),
            "san": take(&plies.san.letters),
            "san_ends": take(&plies.san.ends),
            "uci": take(&plies.uci.letters),
            "uci_ends": take(&plies.uci.ends),
            "tokens": take(&plies.tokens),
            "fens": take(&plies.fens.letters),
            "fens_ends": take(&plies.fens.ends),
            "keys": take(&plies.keys),
            "clocks": take(&plies.clocks.numbers),
            "clocks_present": take(&plies.clocks.present),
            "times": take(&plies.times.numbers),
            "times_present": take(&plies.times.present),
            "evaluations": take(&plies.evaluations.numbers),
            "evaluations_present": take(&plies.evaluations.present),
            "mates": take(&plies.mates.numbers),
            "mates_present": take(&plies.mates.present),
        }
    finally:
        free_plies(&plies)
