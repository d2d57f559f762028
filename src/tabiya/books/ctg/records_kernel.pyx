"""Records of a book in bulk: from the pages into columns, and from columns into records.

Linear in the number of records and moves; about 64 steps per position for its board. Reading accepts every byte: codes
without a move, or unusual ones, remain codes. Writing takes legal moves and counts the rest.
"""

from libc.stdint cimport int64_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from tabiya.books.ctg.signature_kernel cimport (
    SIGNATURE_OK, SIGNATURE_SIZE, Frame, board_of_frame, code_of_move, frame_problem, hash_of, move_of_code,
    signature_length, unpack
)
from tabiya.books.ctg.pages cimport (
    AT_DRAWS, AT_GAMES, AT_LOSSES, AT_MARKS, AT_OPPONENTS_RATED, AT_OPPONENTS_SUM, AT_RATED, AT_RATING_SUM, AT_SCORE,
    AT_WINS, PAGE_SIZE, STATISTICS_SIZE, Page, Record, Store, next_record, open_page, page_count, read_24, read_32,
    write_24, write_32
)
from tabiya.chess.board cimport Board, is_legal, promotion_of

# Losses in encoding a record; ``losses.py`` has the descriptions.
cdef enum:
    LOST_POSITION = 0        # its signature is not a position
    LOST_ILLEGAL = 1
    LOST_CODELESS = 2        # a fourth piece of its kind
    LOST_PROMOTION = 3       # another promotion of the same pawn on the same square has the same code
    LOST_MOVES = 4           # beyond the 127th move
    LOST_NUMBERS = 5         # numbers that are too large
    LOSS_COUNT = 6

ctypedef struct Losses:
    int64_t count[LOSS_COUNT]
    int64_t row[LOSS_COUNT]    # the first position concerned
    int64_t move[LOSS_COUNT]   # and its move


# --- from pages into columns -----------------------------------------------------------------------------------------


cdef void decode_statistics(const uint8_t* data, int64_t* statistics, uint8_t* marks) noexcept nogil:
    statistics[0] = read_24(data + AT_GAMES)
    statistics[1] = read_24(data + AT_WINS)
    statistics[2] = read_24(data + AT_LOSSES)
    statistics[3] = read_24(data + AT_DRAWS)
    statistics[4] = read_32(data + AT_SCORE)
    statistics[5] = read_24(data + AT_RATED)
    statistics[6] = read_32(data + AT_RATING_SUM)
    statistics[7] = read_24(data + AT_OPPONENTS_RATED)
    statistics[8] = read_32(data + AT_OPPONENTS_SUM)
    memcpy(marks, data + AT_MARKS, MARK_COUNT)


cdef void decode_moves(const Record* record, uint16_t* moves, uint8_t* nags) noexcept nogil:
    """Tokens in the frame; RAW_CODE | code if encoding the move would not return the same byte."""
    cdef int code
    cdef int move
    cdef Frame frame
    cdef bint sound = record.move_count > 0 and unpack(record.signature, &frame) == SIGNATURE_OK
    for number in range(record.move_count):
        code = record.moves[2 * number]
        move = move_of_code(&frame, code) if sound else -1
        if move < 0 or code_of_move(&frame, move) != code:
            move = RAW_CODE | code
        for earlier in range(number):
            if record.moves[2 * earlier] == code:  # repeated: possibly two promotions
                move = RAW_CODE | code
        moves[number] = move
        nags[number] = record.moves[2 * number + 1]


cdef int open_store(Store* store, const uint8_t[::1] ctg, long long first, long long last) except -1:
    memset(store, 0, sizeof(Store))
    if ctg.shape[0] < PAGE_SIZE:
        raise ValueError("a book needs a whole first page")
    store.ctg = &ctg[0]
    store.ctg_size = ctg.shape[0]
    if not 0 <= first <= last <= page_count(store):
        raise ValueError("no such pages")
    return 0


def measure_pages(const uint8_t[::1] ctg not None, long long first, long long last) -> tuple:
    """Return the numbers of positions and moves of some pages, as far as they can be read."""
    cdef Store store
    cdef Page page
    cdef Record record
    cdef int64_t positions = 0
    cdef int64_t moves = 0
    open_store(&store, ctg, first, last)
    with nogil:
        for number in range(first, last):
            open_page(&store, number, &page)
            while next_record(&page, &record):
                positions += 1
                moves += record.move_count
    return positions, moves


def read_pages(
    const uint8_t[::1] ctg not None, long long first, long long last, uint8_t[:, ::1] signatures not None,
    int64_t[:, ::1] statistics not None, uint8_t[:, ::1] marks not None, int64_t[::1] move_ends not None,
    uint16_t[::1] moves not None, uint8_t[::1] nags not None
) -> int:
    """Fill columns of the size that ``measure_pages`` returned; return the number of positions."""
    cdef Store store
    cdef Page page
    cdef Record record
    cdef Py_ssize_t position = 0
    cdef Py_ssize_t move = 0
    cdef Py_ssize_t capacity = signatures.shape[0]
    cdef Py_ssize_t move_capacity = moves.shape[0]
    open_store(&store, ctg, first, last)
    check_columns(signatures, statistics, marks, move_ends, nags.shape[0] == move_capacity)
    move_ends[0] = 0
    with nogil:
        for number in range(first, last):
            open_page(&store, number, &page)
            while next_record(&page, &record):
                if position == capacity or move + record.move_count > move_capacity:
                    break  # the file has changed since it was measured
                memset(&signatures[position, 0], 0, SIGNATURE_SIZE)
                memcpy(&signatures[position, 0], record.signature, signature_length(record.signature))
                decode_statistics(record.statistics, &statistics[position, 0], &marks[position, 0])
                if record.move_count:
                    decode_moves(&record, &moves[move], &nags[move])
                move += record.move_count
                position += 1
                move_ends[position] = move
    return position


cdef int check_columns(
    const uint8_t[:, ::1] signatures, const int64_t[:, ::1] statistics, const uint8_t[:, ::1] marks,
    const int64_t[::1] move_ends, bint moves_fit
) except -1:
    cdef Py_ssize_t rows = signatures.shape[0]
    if (
        signatures.shape[1] != SIGNATURE_SIZE
        or statistics.shape[0] != rows
        or statistics.shape[1] != STATISTIC_COUNT
        or marks.shape[0] != rows
        or marks.shape[1] != MARK_COUNT
        or move_ends.shape[0] != rows + 1
        or not moves_fit
    ):
        raise ValueError("the columns do not fit together")
    return 0


# --- from columns into records ---------------------------------------------------------------------------------------


cdef void lose(Losses* losses, int loss, int64_t row, int64_t move) noexcept nogil:
    if losses.count[loss] == 0:
        losses.row[loss] = row
        losses.move[loss] = move
    losses.count[loss] += 1


cdef int64_t score_of(const int64_t* statistics) noexcept nogil:
    """Ten points a win, five a draw or a game without result, as in most records of ChessBase."""
    cdef int64_t undecided = statistics[0] - statistics[1] - statistics[2] - statistics[3]
    return 10 * statistics[1] + 5 * statistics[3] + (5 * undecided if undecided > 0 else 0)


cdef bint put_number(uint8_t* data, int64_t value, bint wide) noexcept nogil:
    """Write 24 bits, or 32; False if the number had to be clamped."""
    cdef int64_t largest = LARGEST_24
    if wide:
        largest = largest << 8 | 255
    cdef int64_t clamped = 0 if value < 0 else largest if value > largest else value
    if wide:
        write_32(data, <uint32_t> clamped)
    else:
        write_24(data, <uint32_t> clamped)
    return clamped == value


cdef bint encode_statistics(const int64_t* statistics, const uint8_t* marks, uint8_t* data) noexcept nogil:
    """Write the 33 bytes; False if a number had to be clamped."""
    cdef int64_t score = statistics[4] if statistics[4] >= 0 else score_of(statistics)
    cdef bint fits = put_number(data + AT_GAMES, statistics[0], False)
    fits &= put_number(data + AT_WINS, statistics[1], False)
    fits &= put_number(data + AT_LOSSES, statistics[2], False)
    fits &= put_number(data + AT_DRAWS, statistics[3], False)
    fits &= put_number(data + AT_SCORE, score, True)
    fits &= put_number(data + AT_RATED, statistics[5], False)
    fits &= put_number(data + AT_RATING_SUM, statistics[6], True)
    fits &= put_number(data + AT_OPPONENTS_RATED, statistics[7], False)
    fits &= put_number(data + AT_OPPONENTS_SUM, statistics[8], True)
    memcpy(data + AT_MARKS, marks, MARK_COUNT)
    return fits


cdef int code_or_loss(const Frame* frame, const Board* board, int move, int* loss) noexcept nogil:
    """Return the code of a move, or -1 with the reason."""
    if move >= RAW_CODE:
        return move & 255
    if move and not is_legal(board, move):
        loss[0] = LOST_ILLEGAL
        return -1
    loss[0] = LOST_CODELESS
    return code_of_move(frame, move)


cdef int listed_at(const uint8_t* block, int count, int code) noexcept nogil:
    """Return the index of a code in a list of (code, NAG), or -1."""
    for number in range(count):
        if block[2 * number] == code:
            return number
    return -1


cdef int encode_moves(
    const uint8_t* signature, const uint16_t* moves, const uint8_t* nags, int64_t count, uint8_t* out, int64_t row,
    Losses* losses
) noexcept nogil:
    """Write the list of moves with its length and return its size in bytes; 0 if the position is invalid."""
    cdef int move
    cdef int code
    cdef Frame frame
    cdef Board board
    cdef int listed = 0
    cdef int loss = 0
    if unpack(signature, &frame) != SIGNATURE_OK:
        return 0
    if frame_problem(&frame) != SIGNATURE_OK:
        return 0
    if count:
        board_of_frame(&frame, &board)
    for number in range(count):
        move = moves[number]
        code = code_or_loss(&frame, &board, move, &loss)
        if code < 0:
            lose(losses, loss, row, move)
        elif listed == MAX_LISTED:
            lose(losses, LOST_MOVES, row, move)
        elif move < RAW_CODE and listed_at(out + 1, listed, code) >= 0:
            if promotion_of(move):
                lose(losses, LOST_PROMOTION, row, move)
        else:
            out[1 + 2 * listed] = code
            out[2 + 2 * listed] = nags[number]
            listed += 1
    out[0] = 2 * listed + 1
    return 2 * listed + 1


cdef uint32_t reversed_bits(uint32_t value) noexcept nogil:
    """Return the bits reversed: records sorted by this are in the order of the leaves of the tree."""
    value = (value & 0x55555555) << 1 | value >> 1 & 0x55555555
    value = (value & 0x33333333) << 2 | value >> 2 & 0x33333333
    value = (value & 0x0F0F0F0F) << 4 | value >> 4 & 0x0F0F0F0F
    value = (value & 0x00FF00FF) << 8 | value >> 8 & 0x00FF00FF
    return value << 16 | value >> 16


def write_records(
    const uint8_t[:, ::1] signatures not None, const int64_t[:, ::1] statistics not None,
    const uint8_t[:, ::1] marks not None, const int64_t[::1] move_ends not None, const uint16_t[::1] moves not None,
    const uint8_t[::1] nags not None, uint8_t[::1] out not None, uint16_t[::1] sizes not None,
    uint32_t[::1] keys not None, int64_t[:, ::1] lost not None
) -> tuple:
    """Write consecutive records, with their sizes and their hashes, bits reversed.

    ``lost`` has a row (count, first position, its move) per kind of loss. Returns (records, bytes).
    """
    cdef Losses losses
    cdef int length
    cdef int size
    cdef int block
    cdef Py_ssize_t rows = signatures.shape[0]
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t count = 0
    cdef uint16_t no_moves = 0
    cdef uint8_t no_nags = 0
    check_columns(signatures, statistics, marks, move_ends, moves.shape[0] == nags.shape[0])
    check_ends(move_ends, moves.shape[0])
    if (
        sizes.shape[0] < rows
        or keys.shape[0] < rows
        or out.shape[0] < rows * (SIGNATURE_SIZE + STATISTICS_SIZE) + 2 * moves.shape[0]
        or lost.shape[0] != LOSS_COUNT
        or lost.shape[1] != 3
    ):
        raise ValueError("there is no room for the records")
    memset(&losses, 0, sizeof(Losses))
    first_move = &moves[0] if moves.shape[0] else &no_moves
    first_nag = &nags[0] if nags.shape[0] else &no_nags
    with nogil:
        for row in range(rows):
            record = &out[place]
            signature = &signatures[row, 0]
            length = signature_length(signature)
            block = 0
            if length:
                block = encode_moves(
                    signature,
                    first_move + move_ends[row],
                    first_nag + move_ends[row],
                    move_ends[row + 1] - move_ends[row],
                    record + length,
                    row,
                    &losses,
                )
            if block == 0:
                lose(&losses, LOST_POSITION, row, 0)
                continue
            memcpy(record, signature, length)
            if not encode_statistics(&statistics[row, 0], &marks[row, 0], record + length + block):
                lose(&losses, LOST_NUMBERS, row, 0)
            size = length + block + STATISTICS_SIZE
            sizes[count] = size
            keys[count] = reversed_bits(hash_of(record))
            place += size
            count += 1
    for loss in range(LOSS_COUNT):
        lost[loss, 0] = losses.count[loss]
        lost[loss, 1] = losses.row[loss]
        lost[loss, 2] = losses.move[loss]
    return count, place


cdef int check_ends(const int64_t[::1] ends, Py_ssize_t members) except -1:
    if ends[0] < 0 or ends[ends.shape[0] - 1] > members:
        raise ValueError("the lists of moves reach beyond their members")
    for row in range(ends.shape[0] - 1):
        if ends[row] > ends[row + 1]:
            raise ValueError("the lists of moves overlap")
    return 0
