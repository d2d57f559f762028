"""The BCGN reader: reads entries of a file, fills the columns of a batch. Linear in the number of bytes.

Every move is checked by the rules. A record that cannot be decoded keeps its bytes (``bcgn.entry``), and so do moves
that cannot (``bcgn.movetext``); the next record is read normally.
"""

from libc.stdint cimport int64_t, uint16_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset, strlen

from tabiya.chess.board cimport Board
from tabiya.chess.fen_kernel cimport MAX_FEN
from tabiya.formats.bcgn.bit_stream cimport BitReader
from tabiya.formats.bcgn.fields cimport (
    BARE_HEADER, FIXED_HEADER, FLAG_POSITION, FLAG_TAGS, FULL_HEADER, PACKED_BYTES, Eco, Text, big16, eco_of, is_eco,
    is_exact, round_number, spelled_result, tag_of
)
from tabiya.formats.bcgn.lines cimport read_line
from tabiya.formats.bcgn.moves cimport LEVEL_BITS, LEVEL_INDEX, LEVEL_PLAIN, NO_SUCH_MOVE
from tabiya.formats.bcgn.position_kernel cimport PACKED, format_start, pack_board, packs_to, unpack_board
from tabiya.formats.bcgn.reader cimport (
    PROBLEM_BROKEN_OFF, PROBLEM_DATE, PROBLEM_ECO, PROBLEM_ENCODING, PROBLEM_FEN, PROBLEM_HEADER, PROBLEM_LENGTH,
    PROBLEM_MOVE, PROBLEM_MOVES_END, PROBLEM_RESERVED, PROBLEM_START, PROBLEM_SURPLUS, PROBLEM_TEXT, Reader, Record
)
from tabiya.game.columns cimport (
    NAME_COUNT, NO_ELO, NO_RESULT, SITE_NAME, end_record, end_string, intern, put_extra, put_problem, put_string,
    put_uint8, put_values, reserve
)
from tabiya.game.columns_kernel cimport NO_HEADER, BatchBuilder
from tabiya.game.sink cimport begin_game, free_sink, open_sink
from tabiya.game.spelling cimport format_digits, plain_result
from tabiya.game.tag_names_kernel cimport TAG_ANNOTATOR, TAG_ECO, TAG_FEN, TAG_NAMES, TAG_RESULT, TAG_ROUND
from tabiya.game.utf8 cimport is_utf8, put_transcoded

# === headers ==========================================================================================================
# The header of an entry: reads its fields, strings and additional tags, fills the columns of a record.
#
# An additional tag with the name of a field contains the original spelling of the tag (``Round "1.7"``): it goes into
# the column if writing the column would reproduce it, and is listed otherwise. Linear in the length of the header.

cdef void note(Reader* reader, int code, const uint8_t* place) noexcept nogil:
    """Record a problem with the bytes at ``place``."""
    put_problem(reader.columns, code, reader.base + (place - reader.data), NULL, 0)


cdef void keep(Reader* reader, const char* key, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    """Keep bytes that cannot be stored elsewhere."""
    put_extra(reader.columns, <const uint8_t*> key, strlen(key), data, length)


cdef Text as_utf8(Reader* reader, Text text) noexcept nogil:
    """Return the text, or a copy in UTF-8 that is valid until the next one is made."""
    if not reader.always_code_page:
        if is_utf8(text.data, text.length):
            return text
        if not reader.sink.encoding_noted:
            reader.sink.encoding_noted = True
            note(reader, PROBLEM_ENCODING, text.data)
    reader.converted.size = 0
    put_transcoded(reader.columns, &reader.converted, text.data, text.length, reader.code_page)
    text.data = reader.converted.data
    text.length = reader.converted.size
    return text


# --- bytes to fields -------------------------------------------------------------------------------------------------


cdef bint read_header(Reader* reader) noexcept nogil:
    """Read the whole header; False if it is invalid, and the entry as a whole cannot be decoded."""
    record = &reader.record
    entry = reader.entry
    cdef Py_ssize_t end
    cdef Py_ssize_t place = FIXED_HEADER
    memset(record, 0, sizeof(Record))
    record.header = NO_HEADER
    if reader.headerless:
        return read_bare_header(reader)
    end = big16(entry + 2) if reader.length >= FULL_HEADER else 0
    if end < FULL_HEADER or end > reader.length:
        note(reader, PROBLEM_HEADER, entry)
        return False
    read_fixed(reader)
    record.moves = end
    if entry[18] & FLAG_POSITION:
        if place + PACKED_BYTES > end:
            note(reader, PROBLEM_HEADER, entry)
            return False
        record.position = entry + place
        place += PACKED_BYTES
    for index in range(4):
        place = read_string(reader, place, end, &record.texts[index])
    if entry[18] & FLAG_TAGS:
        place = read_tags(reader, place, end)
    # A tag that spells out the code takes precedence.
    if record.eco.letter == 0 and (entry[16] or entry[17]) and record.field_count[TAG_ECO] == 0:
        keep(reader, b"bcgn.eco", entry + 16, 2)
    if place < end:
        note(reader, PROBLEM_SURPLUS, entry + place)
        keep(reader, b"bcgn.header_rest", entry + place, end - place)
    return True


cdef bint read_bare_header(Reader* reader) noexcept nogil:
    """Read the header of an entry without tags."""
    record = &reader.record
    entry = reader.entry
    record.moves = BARE_HEADER
    if reader.length >= BARE_HEADER and entry[4] & FLAG_POSITION:
        record.moves += PACKED_BYTES
        record.position = entry + BARE_HEADER
    if reader.length < record.moves:
        note(reader, PROBLEM_HEADER, entry)
        return False
    record.plies = big16(entry + 2) >> 2
    record.header.result = entry[3] & 3
    keep_flags(reader, entry + 4, FLAG_POSITION)
    return True


cdef void keep_flags(Reader* reader, const uint8_t* flags, int known) noexcept nogil:
    """Keep flags without a meaning today."""
    cdef uint8_t reserved = flags[0] & ~known
    if reserved:
        note(reader, PROBLEM_RESERVED, flags)
        keep(reader, b"bcgn.flags", &reserved, 1)


cdef void read_fixed(Reader* reader) noexcept nogil:
    """Read the fields of fixed size."""
    record = &reader.record
    entry = reader.entry
    record.plies = big16(entry + 4) >> 2
    header = &record.header
    header.result = entry[5] & 3
    header.year = big16(entry + 6)
    header.month = entry[8]
    header.day = entry[9]
    if header.year > 9999 or header.month > 12 or header.day > 31:
        note(reader, PROBLEM_DATE, entry + 6)
        keep(reader, b"bcgn.date", entry + 6, 4)
        header.year = header.year if header.year <= 9999 else 0
        header.month = header.month if header.month <= 12 else 0
        header.day = header.day if header.day <= 31 else 0
    header.white_elo = big16(entry + 10) or NO_ELO
    header.black_elo = big16(entry + 12) or NO_ELO
    record.round = big16(entry + 14)
    record.eco.letter = entry[16]
    record.eco.number = entry[17]
    if not is_eco(record.eco):
        if record.eco.letter or record.eco.number:
            note(reader, PROBLEM_ECO, entry + 16)
        record.eco.letter = record.eco.number = 0
    keep_flags(reader, entry + 18, FLAG_POSITION | FLAG_TAGS)


cdef Py_ssize_t read_string(Reader* reader, Py_ssize_t place, Py_ssize_t end, Text* text) noexcept nogil:
    """Read a string and return its end; one that extends past the header is cut there."""
    cdef Py_ssize_t length = 0
    if place < end:
        length = reader.entry[place]
        place += 1
        if place + length > end:
            note(reader, PROBLEM_TEXT, reader.entry + place)
            length = end - place
    elif place == end:
        note(reader, PROBLEM_TEXT, reader.entry + place)
        place += 1  # so that this is recorded once
    text.data = reader.entry + (place if place < end else end)
    text.length = length
    return place + length


cdef Py_ssize_t read_tags(Reader* reader, Py_ssize_t place, Py_ssize_t end) noexcept nogil:
    """Read the additional tags and return their end."""
    record = &reader.record
    cdef int count
    if place >= end:
        note(reader, PROBLEM_TEXT, reader.entry + end)
        return end
    count = reader.entry[place]
    place += 1
    while record.tag_count < count and place < end:
        tag = &reader.tags[record.tag_count]
        place = read_string(reader, place, end, &tag.name)
        place = read_string(reader, place, end, &tag.value)
        tag.field = tag_of(tag.name)
        tag.taken = False
        if record.field_count[tag.field] == 0:
            record.first_tag[tag.field] = record.tag_count
        record.field_count[tag.field] += 1
        record.tag_count += 1
    if record.tag_count < count and place == end:
        note(reader, PROBLEM_TEXT, reader.entry + end)
    return place


# --- fields to columns -----------------------------------------------------------------------------------------------


cdef Text field_text(Reader* reader, int name, uint8_t* digits) noexcept nogil:
    """Return the value of the field of a name, as text; empty if there is none."""
    record = &reader.record
    cdef int field = TAG_NAMES.of_name[name]
    cdef Text text
    text.data = digits
    text.length = 0
    if name <= SITE_NAME:
        return record.texts[name]
    if field == TAG_ROUND and record.round:
        text.length = format_digits(digits, record.round)
    elif field == TAG_ECO and record.eco.letter:
        digits[0] = record.eco.letter
        digits[1] = ord("0") + record.eco.number // 10
        digits[2] = ord("0") + record.eco.number % 10
        text.length = 3
    return text


cdef bint follows(Reader* reader, int name, Text value) noexcept nogil:
    """Return whether the writer would derive this field and this additional tag from a column containing ``value``."""
    record = &reader.record
    cdef int field = TAG_NAMES.of_name[name]
    cdef Eco eco
    if is_exact(field, value):
        return False
    if field == TAG_ROUND:
        return round_number(value) == record.round
    if field == TAG_ECO:
        eco = eco_of(value)
        return eco.letter == record.eco.letter and eco.number == record.eco.number
    return field == TAG_ANNOTATOR or record.texts[name].length == 0


cdef void fold_name(Reader* reader, int name) noexcept nogil:
    """Fill the column of a name from its field and its additional tags."""
    record = &reader.record
    cdef int field = TAG_NAMES.of_name[name]
    cdef uint8_t digits[10]
    cdef Text text = field_text(reader, name, digits)
    cdef bint given = text.length > 0
    if record.field_count[field]:
        tag = &reader.tags[record.first_tag[field]]
        tag.taken = record.field_count[field] == 1 and (not given or follows(reader, name, tag.value))
        if tag.taken or not given:
            text = tag.value
        given = True
    if given:
        text = as_utf8(reader, text)
        record.header.names[name] = intern(reader.columns, &reader.columns.interned[name], text.data, text.length)


cdef void fold_result(Reader* reader) noexcept nogil:
    """Read the result from its additional tag: empty for no result at all, else one that has no number."""
    record = &reader.record
    cdef int result
    if record.field_count[TAG_RESULT]:
        tag = &reader.tags[record.first_tag[TAG_RESULT]]
        if tag.value.length == 0:
            tag.taken = True
            if record.header.result == 0:
                record.header.result = NO_RESULT
        elif record.field_count[TAG_RESULT] == 1:
            result = spelled_result(tag.value)
            if result and plain_result(result) == record.header.result:
                tag.taken = True
                record.header.result = result


cdef void put_header(Reader* reader) noexcept nogil:
    """Fill all columns except start and moves, and list the tags that are not in a column."""
    record = &reader.record
    columns = reader.columns
    cdef Text text
    for name in range(NAME_COUNT):
        fold_name(reader, name)
    fold_result(reader)
    record.header.kind = 2 if record.opaque else 0
    put_values(columns, &record.header)
    for index in range(record.tag_count):
        tag = &reader.tags[index]
        if not tag.taken:
            text = as_utf8(reader, tag.name)
            put_string(columns, &columns.tag_names, text.data, text.length)
            text = as_utf8(reader, tag.value)
            put_string(columns, &columns.tag_values, text.data, text.length)


# === entries ==========================================================================================================

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
