"""The BCGN reader: reads entries of a file, fills the columns of a batch. Linear in the number of bytes.

Every move is checked by the rules. A record that cannot be understood keeps its bytes (``bcgn.entry``), and so do moves
that cannot (``bcgn.movetext``); the next record is read normally.
"""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t, uint16_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.chess.board import Board
from cython.cimports.tabiya.chess.fen_kernel import MAX_FEN
from cython.cimports.tabiya.formats.bcgn.bit_stream import BitReader
from cython.cimports.tabiya.formats.bcgn.fields import big16
from cython.cimports.tabiya.formats.bcgn.header_kernel import keep, note, put_header, read_header
from cython.cimports.tabiya.formats.bcgn.lines import read_line
from cython.cimports.tabiya.formats.bcgn.moves import LEVEL_BITS, LEVEL_INDEX, LEVEL_PLAIN, NO_SUCH_MOVE
from cython.cimports.tabiya.formats.bcgn.position_kernel import (
    PACKED,
    PACKED_BYTES,
    format_start,
    pack_board,
    packs_to,
    unpack_board,
)
from cython.cimports.tabiya.formats.bcgn.reader import (
    PROBLEM_BROKEN_OFF,
    PROBLEM_FEN,
    PROBLEM_LENGTH,
    PROBLEM_MOVE,
    PROBLEM_MOVES_END,
    PROBLEM_START,
    PROBLEM_SURPLUS,
    Reader,
)
from cython.cimports.tabiya.game.columns import (
    end_record,
    end_string,
    put_problem,
    put_string,
    put_uint8,
    reserve,
)
from cython.cimports.tabiya.game.columns_kernel import BatchBuilder
from cython.cimports.tabiya.game.sink import begin_game, free_sink, open_sink
from cython.cimports.tabiya.game.spelling import format_digits
from cython.cimports.tabiya.game.tag_names_kernel import TAG_FEN


def read_games(
    builder: BatchBuilder,
    data: cython.const[uint8_t][::1],
    ends: cython.const[int64_t][::1],
    offset: int64_t,
    level: cython.int,
    headerless: cython.bint,
    final: cython.bint,
    bare: cython.bint,
    code_page: cython.const[uint16_t][::1],
    always_code_page: cython.bint,
) -> None:
    """Read entries that ``find_entries`` has found.

    Args:
        builder: takes the records.
        data: a stretch of the file that begins where the first entry does.
        ends: the end of each entry in it.
        offset: where the stretch stands in the file.
        level: compression level of the file.
        headerless: whether entries have no header.
        final: whether the file ends with the stretch.
        bare: whether to leave the moves out.
        code_page: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        always_code_page: whether no text is UTF-8.
    """
    reader: Reader
    begin: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = ends.shape[0]
    if code_page.shape[0] != 128 or not LEVEL_PLAIN <= level <= LEVEL_BITS:
        raise ValueError("a code page has 128 characters, and there are three levels")
    for index in range(count):
        if ends[index] <= (ends[index - 1] if index else 0) or ends[index] > data.shape[0]:
            raise ValueError("the ends of entries must rise and stay within the data")
    if count == 0:
        return
    memset(cython.address(reader), 0, cython.sizeof(Reader))
    reader.data = cython.address(data[0])
    reader.base = offset
    reader.columns = cython.address(builder.columns)
    reader.code_page = cython.address(code_page[0])
    reader.always_code_page = always_code_page
    reader.level = level
    reader.headerless = headerless
    reader.bare = bare
    with cython.nogil:
        open_sink(cython.address(reader.sink), reader.columns, cython.NULL, 0)
        for index in range(count):
            read_entry(cython.address(reader), begin, ends[index], final and index == count - 1)
            begin = ends[index]
            if reader.columns.out_of_memory:
                break
    free_sink(cython.address(reader.sink))
    free(reader.converted.data)


def read_entry(reader, begin, end, last):
    board = cython.address(reader.sink.line.board)
    record = cython.address(reader.record)
    columns = reader.columns
    stated: cython.Py_ssize_t
    begin_game(cython.address(reader.sink))
    reader.entry = reader.data + begin
    reader.length = end - begin
    stated = big16(reader.entry) if reader.length >= 2 else 0
    if stated != reader.length:
        note(reader, PROBLEM_BROKEN_OFF if last and stated > reader.length else PROBLEM_LENGTH, reader.entry)
    record.opaque = not read_header(reader)
    if not record.opaque and not set_start(reader, board):
        note(reader, PROBLEM_START, record.position)
        record.opaque = True
    if record.opaque:
        put_uint8(columns, cython.address(columns.has_start), 0)
        end_string(columns, cython.address(columns.start))
        keep(reader, b"bcgn.entry", reader.entry, reader.length)
    put_header(reader)
    if not record.opaque and not reader.bare:
        read_movetext(reader, board)
    end_record(columns)


# --- start positions -------------------------------------------------------------------------------------------------


def set_start(reader, board):
    """Put the start position on the board and into its column; False if it makes no sense."""
    record = cython.address(reader.record)
    columns = reader.columns
    text: cython.uchar[MAX_FEN]
    if record.position != cython.NULL and unpack_board(record.position, board) != PACKED:
        return False
    if record.field_count[TAG_FEN] and set_given_start(reader, board):
        return True
    put_uint8(columns, cython.address(columns.has_start), record.position != cython.NULL)
    if record.position != cython.NULL:
        put_string(columns, cython.address(columns.start), text, format_start(board, text))
    else:
        end_string(columns, cython.address(columns.start))
    return True


def set_given_start(reader, board):
    """Take the start position from an additional tag, which knows more, if it is the one that is stored."""
    record = cython.address(reader.record)
    columns = reader.columns
    given: Board
    stored: uint8_t[PACKED_BYTES]
    # Packed again: bytes behind the last man, and marks that allow nothing, do not make it another position.
    pack_board(board, stored)
    tag = cython.address(reader.tags[record.first_tag[TAG_FEN]])
    if packs_to(tag.value.data, tag.value.length, stored, cython.address(given)):
        board[0] = given
        put_uint8(columns, cython.address(columns.has_start), 1)
        put_string(columns, cython.address(columns.start), tag.value.data, tag.value.length)
        tag.taken = record.field_count[TAG_FEN] == 1
        return True
    note(reader, PROBLEM_FEN, tag.value.data)
    for index in range(record.tag_count):
        tag = cython.address(reader.tags[index])
        if tag.field == TAG_FEN:
            tag.taken = True
            keep(reader, b"bcgn.fen", tag.value.data, tag.value.length)
    return False


# --- moves -----------------------------------------------------------------------------------------------------------


def read_movetext(reader, board):
    """Read the moves; where that fails they end, and their bytes are kept."""
    record = cython.address(reader.record)
    columns = reader.columns
    bits: BitReader
    failure: cython.int = 0
    ply: cython.int
    tape: cython.pointer[uint16_t]
    bits.data = reader.entry + record.moves
    bits.size = reader.length - record.moves
    bits.place = 0
    if not reserve(columns, cython.address(columns.moves), 2 * record.plies):
        return
    tape = cython.cast(cython.pointer[uint16_t], columns.moves.data + columns.moves.size)
    if reader.level == LEVEL_INDEX:
        ply = read_line(board, LEVEL_INDEX, cython.address(bits), tape, record.plies, cython.address(failure))
    elif reader.level == LEVEL_BITS:
        ply = read_line(board, LEVEL_BITS, cython.address(bits), tape, record.plies, cython.address(failure))
    else:
        ply = read_line(board, LEVEL_PLAIN, cython.address(bits), tape, record.plies, cython.address(failure))
    columns.moves.size += 2 * ply
    if ply < record.plies:
        note_ply(reader, PROBLEM_MOVE if failure == NO_SUCH_MOVE else PROBLEM_MOVES_END, bits.place >> 3, ply + 1)
    elif not is_used_up(reader, bits.place):
        note(reader, PROBLEM_SURPLUS, bits.data + (bits.place >> 3))
    else:
        return
    keep(reader, b"bcgn.movetext", bits.data, bits.size)


def note_ply(reader, code, place, ply):
    """Note a problem with a move, and which one it is."""
    text: uint8_t[10]
    length: cython.int = format_digits(text, ply)
    offset: int64_t = reader.base + (reader.entry - reader.data) + reader.record.moves + place
    put_problem(reader.columns, code, offset, text, length)


def is_used_up(reader, place):
    """Return whether nothing but the zeros that fill the last byte stands behind this bit of the movetext."""
    size: cython.Py_ssize_t = reader.length - reader.record.moves
    if (place + 7) >> 3 != size:
        return False
    return place & 7 == 0 or reader.entry[reader.length - 1] & (255 >> (place & 7)) == 0
