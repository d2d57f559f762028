"""The BCGN reader: reads entries of a file, fills the columns of a batch. Linear in the number of bytes.

Every move is checked by the rules. A record that cannot be decoded keeps its bytes (``bcgn.entry``), and so do moves
that cannot (``bcgn.movetext``); the next record is read normally.
"""

from libc.stdint cimport int64_t, uint16_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from tabiya.chess.board cimport Board
from tabiya.chess.fen_kernel cimport MAX_FEN
from tabiya.formats.bcgn.bit_stream cimport BitReader
from tabiya.formats.bcgn.fields cimport big16
from tabiya.formats.bcgn.header_kernel cimport keep, note, put_header, read_header
from tabiya.formats.bcgn.lines cimport read_line
from tabiya.formats.bcgn.moves cimport LEVEL_BITS, LEVEL_INDEX, LEVEL_PLAIN, NO_SUCH_MOVE
from tabiya.formats.bcgn.position_kernel cimport PACKED, PACKED_BYTES, format_start, pack_board, packs_to, unpack_board
from tabiya.formats.bcgn.reader cimport (
    PROBLEM_BROKEN_OFF, PROBLEM_FEN, PROBLEM_LENGTH, PROBLEM_MOVE, PROBLEM_MOVES_END, PROBLEM_START, PROBLEM_SURPLUS,
    Reader
)
from tabiya.game.columns cimport end_record, end_string, put_problem, put_string, put_uint8, reserve
from tabiya.game.columns_kernel cimport BatchBuilder
from tabiya.game.sink cimport begin_game, free_sink, open_sink
from tabiya.game.spelling cimport format_digits
from tabiya.game.tag_names_kernel cimport TAG_FEN


def read_games(
    BatchBuilder builder not None, const uint8_t[::1] data not None, const int64_t[::1] ends not None, int64_t offset,
    int level, bint headerless, bint final, bint bare, const uint16_t[::1] code_page not None, bint always_code_page
) -> None:
    """Read entries that ``find_entries`` has found.

    Args:
        builder: receives the records.
        data: a stretch of the file that begins where the first entry does.
        ends: the end of each entry in it.
        offset: the offset of the stretch in the file.
        level: compression level of the file.
        headerless: whether entries have no header.
        final: whether the file ends with the stretch.
        bare: whether to omit the moves.
        code_page: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        always_code_page: whether no text is UTF-8.
    """
    cdef Reader reader
    cdef Py_ssize_t begin = 0
    cdef Py_ssize_t count = ends.shape[0]
    if code_page.shape[0] != 128 or not LEVEL_PLAIN <= level <= LEVEL_BITS:
        raise ValueError("a code page has 128 characters, and there are three levels")
    for index in range(count):
        if ends[index] <= (ends[index - 1] if index else 0) or ends[index] > data.shape[0]:
            raise ValueError("the ends of entries must rise and stay within the data")
    if count == 0:
        return
    memset(&reader, 0, sizeof(Reader))
    reader.data = &data[0]
    reader.base = offset
    reader.columns = &builder.columns
    reader.code_page = &code_page[0]
    reader.always_code_page = always_code_page
    reader.level = level
    reader.headerless = headerless
    reader.bare = bare
    with nogil:
        open_sink(&reader.sink, reader.columns, NULL, 0)
        for index in range(count):
            read_entry(&reader, begin, ends[index], final and index == count - 1)
            begin = ends[index]
            if reader.columns.out_of_memory:
                break
    free_sink(&reader.sink)
    free(reader.converted.data)


cdef void read_entry(Reader* reader, Py_ssize_t begin, Py_ssize_t end, bint last) noexcept nogil:
    board = &reader.sink.line.board
    record = &reader.record
    columns = reader.columns
    cdef Py_ssize_t stated
    begin_game(&reader.sink)
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
        put_uint8(columns, &columns.has_start, 0)
        end_string(columns, &columns.start)
        keep(reader, b"bcgn.entry", reader.entry, reader.length)
    put_header(reader)
    if not record.opaque and not reader.bare:
        read_movetext(reader, board)
    end_record(columns)


# --- start positions -------------------------------------------------------------------------------------------------


cdef bint set_start(Reader* reader, Board* board) noexcept nogil:
    """Put the start position on the board and into its column; False if it is invalid."""
    record = &reader.record
    columns = reader.columns
    cdef unsigned char text[MAX_FEN]
    if record.position != NULL and unpack_board(record.position, board) != PACKED:
        return False
    if record.field_count[TAG_FEN] and set_given_start(reader, board):
        return True
    put_uint8(columns, &columns.has_start, record.position != NULL)
    if record.position != NULL:
        put_string(columns, &columns.start, text, format_start(board, text))
    else:
        end_string(columns, &columns.start)
    return True


cdef bint set_given_start(Reader* reader, Board* board) noexcept nogil:
    """Use the start position from an additional tag, which is more detailed, if it matches the stored one."""
    record = &reader.record
    columns = reader.columns
    cdef Board given
    cdef uint8_t stored[PACKED_BYTES]
    # Compared by packing again: bytes after the last piece, and marks without effect, do not change the position.
    pack_board(board, stored)
    tag = &reader.tags[record.first_tag[TAG_FEN]]
    if packs_to(tag.value.data, tag.value.length, stored, &given):
        board[0] = given
        put_uint8(columns, &columns.has_start, 1)
        put_string(columns, &columns.start, tag.value.data, tag.value.length)
        tag.taken = record.field_count[TAG_FEN] == 1
        return True
    note(reader, PROBLEM_FEN, tag.value.data)
    for index in range(record.tag_count):
        tag = &reader.tags[index]
        if tag.field == TAG_FEN:
            tag.taken = True
            keep(reader, b"bcgn.fen", tag.value.data, tag.value.length)
    return False


# --- moves -----------------------------------------------------------------------------------------------------------


cdef void read_movetext(Reader* reader, Board* board) noexcept nogil:
    """Read the moves up to the first error; then their bytes are kept."""
    record = &reader.record
    columns = reader.columns
    cdef BitReader bits
    cdef int failure = 0
    cdef int ply
    cdef uint16_t* tape
    bits.data = reader.entry + record.moves
    bits.size = reader.length - record.moves
    bits.place = 0
    if not reserve(columns, &columns.moves, 2 * record.plies):
        return
    tape = <uint16_t*> (columns.moves.data + columns.moves.size)
    if reader.level == LEVEL_INDEX:
        ply = read_line(board, LEVEL_INDEX, &bits, tape, record.plies, &failure)
    elif reader.level == LEVEL_BITS:
        ply = read_line(board, LEVEL_BITS, &bits, tape, record.plies, &failure)
    else:
        ply = read_line(board, LEVEL_PLAIN, &bits, tape, record.plies, &failure)
    columns.moves.size += 2 * ply
    if ply < record.plies:
        note_ply(reader, PROBLEM_MOVE if failure == NO_SUCH_MOVE else PROBLEM_MOVES_END, bits.place >> 3, ply + 1)
    elif not is_used_up(reader, bits.place):
        note(reader, PROBLEM_SURPLUS, bits.data + (bits.place >> 3))
    else:
        return
    keep(reader, b"bcgn.movetext", bits.data, bits.size)


cdef void note_ply(Reader* reader, int code, Py_ssize_t place, int ply) noexcept nogil:
    """Record a problem with a move, and its number."""
    cdef uint8_t text[10]
    cdef int length = format_digits(text, ply)
    cdef int64_t offset = reader.base + (reader.entry - reader.data) + reader.record.moves + place
    put_problem(reader.columns, code, offset, text, length)


cdef bint is_used_up(const Reader* reader, Py_ssize_t place) noexcept nogil:
    """Return whether only the zeros that pad the last byte follow this bit of the movetext."""
    cdef Py_ssize_t size = reader.length - reader.record.moves
    if (place + 7) >> 3 != size:
        return False
    return place & 7 == 0 or reader.entry[reader.length - 1] & (255 >> (place & 7)) == 0
