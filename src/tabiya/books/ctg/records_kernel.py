"""Records of a book in bulk: from the pages into columns, and from columns into records.

Linear in the number of records and moves; about 64 steps per position for its board. Reading accepts every byte: codes
that mean no move, or not in the usual way, stay codes. Writing takes what is legal and counts the rest.
"""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t, uint16_t, uint32_t
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.tabiya.books.ctg.frame_kernel import (
    SIGNATURE_OK,
    SIGNATURE_ROOM,
    Frame,
    board_of_frame,
    code_of_move,
    frame_problem,
    hash_of,
    move_of_code,
    signature_length,
    unpack,
)
from cython.cimports.tabiya.books.ctg.pages import (
    AT_DRAWS,
    AT_GAMES,
    AT_LOSSES,
    AT_MARKS,
    AT_OPPONENTS_RATED,
    AT_OPPONENTS_SUM,
    AT_RATED,
    AT_RATING_SUM,
    AT_SCORE,
    AT_WINS,
    PAGE_SIZE,
    STATISTICS_SIZE,
    Page,
    Record,
    Store,
    next_record,
    open_page,
    page_count,
    read_24,
    read_32,
    write_24,
    write_32,
)
from cython.cimports.tabiya.chess.board import Board, is_legal, promotion_of

# --- from pages into columns -----------------------------------------------------------------------------------------


def decode_statistics(data, statistics, marks):
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


def decode_moves(record, moves, nags):
    """Tokens in the frame; RAW_CODE | code for what would not become this very byte again."""
    frame: Frame
    sound: cython.bint = record.move_count > 0 and unpack(record.signature, cython.address(frame)) == SIGNATURE_OK
    for number in range(record.move_count):
        code: cython.int = record.moves[2 * number]
        move: cython.int = move_of_code(cython.address(frame), code) if sound else -1
        if move < 0 or code_of_move(cython.address(frame), move) != code:
            move = RAW_CODE | code
        for earlier in range(number):
            if record.moves[2 * earlier] == code:  # twice the same: two promotions, perhaps
                move = RAW_CODE | code
        moves[number] = move
        nags[number] = record.moves[2 * number + 1]


@cython.cfunc
@cython.exceptval(-1)
def open_store(
    store: cython.pointer[Store], ctg: cython.const[uint8_t][::1], first: cython.longlong, last: cython.longlong
) -> cython.int:
    memset(store, 0, cython.sizeof(Store))
    if ctg.shape[0] < PAGE_SIZE:
        raise ValueError("a book needs a whole first page")
    store.ctg = cython.address(ctg[0])
    store.ctg_size = ctg.shape[0]
    if not 0 <= first <= last <= page_count(store):
        raise ValueError("no such pages")
    return 0


def measure_pages(ctg: cython.const[uint8_t][::1], first: cython.longlong, last: cython.longlong) -> tuple:
    """Return how many positions and moves some pages have, as far as they can be read."""
    store: Store
    page: Page
    record: Record
    positions: int64_t = 0
    moves: int64_t = 0
    open_store(cython.address(store), ctg, first, last)
    with cython.nogil:
        for number in range(first, last):
            open_page(cython.address(store), number, cython.address(page))
            while next_record(cython.address(page), cython.address(record)):
                positions += 1
                moves += record.move_count
    return positions, moves


def read_pages(
    ctg: cython.const[uint8_t][::1],
    first: cython.longlong,
    last: cython.longlong,
    signatures: uint8_t[:, ::1],
    statistics: int64_t[:, ::1],
    marks: uint8_t[:, ::1],
    move_ends: int64_t[::1],
    moves: uint16_t[::1],
    nags: uint8_t[::1],
) -> int:
    """Fill columns that ``measure_pages`` gave the size of; return the number of positions."""
    store: Store
    page: Page
    record: Record
    position: cython.Py_ssize_t = 0
    move: cython.Py_ssize_t = 0
    room: cython.Py_ssize_t = signatures.shape[0]
    move_room: cython.Py_ssize_t = moves.shape[0]
    open_store(cython.address(store), ctg, first, last)
    check_columns(signatures, statistics, marks, move_ends, nags.shape[0] == move_room)
    move_ends[0] = 0
    with cython.nogil:
        for number in range(first, last):
            open_page(cython.address(store), number, cython.address(page))
            while next_record(cython.address(page), cython.address(record)):
                if position == room or move + record.move_count > move_room:
                    break  # the file has changed since it was measured
                memset(cython.address(signatures[position, 0]), 0, SIGNATURE_ROOM)
                memcpy(cython.address(signatures[position, 0]), record.signature, signature_length(record.signature))
                decode_statistics(
                    record.statistics, cython.address(statistics[position, 0]), cython.address(marks[position, 0])
                )
                if record.move_count:
                    decode_moves(cython.address(record), cython.address(moves[move]), cython.address(nags[move]))
                move += record.move_count
                position += 1
                move_ends[position] = move
    return position


@cython.cfunc
@cython.exceptval(-1)
def check_columns(
    signatures: cython.const[uint8_t][:, ::1],
    statistics: cython.const[int64_t][:, ::1],
    marks: cython.const[uint8_t][:, ::1],
    move_ends: cython.const[int64_t][::1],
    moves_fit: cython.bint,
) -> cython.int:
    rows: cython.Py_ssize_t = signatures.shape[0]
    if (
        signatures.shape[1] != SIGNATURE_ROOM
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


def lose(losses, loss, row, move):
    if losses.count[loss] == 0:
        losses.row[loss] = row
        losses.move[loss] = move
    losses.count[loss] += 1


def score_of(statistics):
    """Ten points a win, five a draw or a game without result, as most records of ChessBase have it."""
    undecided: int64_t = statistics[0] - statistics[1] - statistics[2] - statistics[3]
    return 10 * statistics[1] + 5 * statistics[3] + (5 * undecided if undecided > 0 else 0)


def put_number(data, value, wide):
    """Write 24 bits, or 32; False if the number had to be clamped."""
    largest: int64_t = LARGEST_24
    if wide:
        largest = largest << 8 | 255
    clamped: int64_t = 0 if value < 0 else largest if value > largest else value
    if wide:
        write_32(data, cython.cast(uint32_t, clamped))
    else:
        write_24(data, cython.cast(uint32_t, clamped))
    return clamped == value


def encode_statistics(statistics, marks, data):
    """Write the 33 bytes; False if a number had to be clamped."""
    score: int64_t = statistics[4] if statistics[4] >= 0 else score_of(statistics)
    fits: cython.bint = put_number(data + AT_GAMES, statistics[0], False)
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


def code_or_loss(frame, board, move, loss):
    """Return the code of a move, or -1 with the reason."""
    if move >= RAW_CODE:
        return move & 255
    if move and not is_legal(board, move):
        loss[0] = LOST_ILLEGAL
        return -1
    loss[0] = LOST_CODELESS
    return code_of_move(frame, move)


def listed_at(block, count, code):
    """Return the place of a code in a list of (code, NAG), or -1."""
    for number in range(count):
        if block[2 * number] == code:
            return number
    return -1


def encode_moves(signature, moves, nags, count, out, row, losses):
    """Write the list of moves with its length and return its bytes; 0 if there is no such position."""
    frame: Frame
    board: Board
    listed: cython.int = 0
    loss: cython.int = 0
    if unpack(signature, cython.address(frame)) != SIGNATURE_OK:
        return 0
    if frame_problem(cython.address(frame)) != SIGNATURE_OK:
        return 0
    if count:
        board_of_frame(cython.address(frame), cython.address(board))
    for number in range(count):
        move: cython.int = moves[number]
        code: cython.int = code_or_loss(cython.address(frame), cython.address(board), move, cython.address(loss))
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


def reversed_bits(value):
    """Return the bits reversed: records sorted by this are in the order of the leaves of the tree."""
    value = (value & 0x55555555) << 1 | value >> 1 & 0x55555555
    value = (value & 0x33333333) << 2 | value >> 2 & 0x33333333
    value = (value & 0x0F0F0F0F) << 4 | value >> 4 & 0x0F0F0F0F
    value = (value & 0x00FF00FF) << 8 | value >> 8 & 0x00FF00FF
    return value << 16 | value >> 16


def write_records(
    signatures: cython.const[uint8_t][:, ::1],
    statistics: cython.const[int64_t][:, ::1],
    marks: cython.const[uint8_t][:, ::1],
    move_ends: cython.const[int64_t][::1],
    moves: cython.const[uint16_t][::1],
    nags: cython.const[uint8_t][::1],
    out: uint8_t[::1],
    sizes: uint16_t[::1],
    keys: uint32_t[::1],
    lost: int64_t[:, ::1],
) -> tuple:
    """Write records one behind the other, with their sizes and their hashes, bits reversed.

    ``lost`` has a row (count, first position, its move) per kind of loss. Returns (records, bytes).
    """
    losses: Losses
    length: cython.int
    size: cython.int
    block: cython.int
    rows: cython.Py_ssize_t = signatures.shape[0]
    place: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    no_moves: uint16_t = 0
    no_nags: uint8_t = 0
    check_columns(signatures, statistics, marks, move_ends, moves.shape[0] == nags.shape[0])
    check_ends(move_ends, moves.shape[0])
    if (
        sizes.shape[0] < rows
        or keys.shape[0] < rows
        or out.shape[0] < rows * (SIGNATURE_ROOM + STATISTICS_SIZE) + 2 * moves.shape[0]
        or lost.shape[0] != LOSS_COUNT
        or lost.shape[1] != 3
    ):
        raise ValueError("there is no room for the records")
    memset(cython.address(losses), 0, cython.sizeof(Losses))
    first_move = cython.address(moves[0]) if moves.shape[0] else cython.address(no_moves)
    first_nag = cython.address(nags[0]) if nags.shape[0] else cython.address(no_nags)
    with cython.nogil:
        for row in range(rows):
            record = cython.address(out[place])
            signature = cython.address(signatures[row, 0])
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
                    cython.address(losses),
                )
            if block == 0:
                lose(cython.address(losses), LOST_POSITION, row, 0)
                continue
            memcpy(record, signature, length)
            if not encode_statistics(
                cython.address(statistics[row, 0]), cython.address(marks[row, 0]), record + length + block
            ):
                lose(cython.address(losses), LOST_NUMBERS, row, 0)
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


@cython.cfunc
@cython.exceptval(-1)
def check_ends(ends: cython.const[int64_t][::1], members: cython.Py_ssize_t) -> cython.int:
    if ends[0] < 0 or ends[ends.shape[0] - 1] > members:
        raise ValueError("the lists of moves reach beyond their members")
    for row in range(ends.shape[0] - 1):
        if ends[row] > ends[row + 1]:
            raise ValueError("the lists of moves overlap")
    return 0
