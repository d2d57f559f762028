"""The frame of a record in the PGN reader: its beginning and end, its texts and problems.

Reads the reader's state, writes the columns of a batch. Linear in the size of the record.
"""

from libc.string cimport memset

from tabiya.chess.letters cimport is_blank, is_newline
from tabiya.formats.pgn.reader cimport (
    MOST_PROBLEMS, PROBLEM_ENCODING, PROBLEM_MANY, PROBLEM_RESULT_DIFFERS, PROBLEM_RESULT_MISSING, PROBLEM_TAIL,
    RESULT_UNKNOWN, VARIANT_UNKNOWN
)
from tabiya.game.columns cimport (
    NO_RESULT, Columns, end_record, end_string, put_bytes, put_extra, put_int64, put_problem, put_uint8, put_values
)
from tabiya.game.columns_kernel cimport NO_HEADER
from tabiya.game.sink cimport NOTHING, begin_game, end_game
from tabiya.game.spelling cimport plain_result
from tabiya.game.tag_names_kernel cimport TAG_FEN, TAG_RESULT
from tabiya.game.utf8 cimport is_utf8, put_transcoded

cdef Py_ssize_t LONGEST_QUOTE = 60


cdef void begin_record(Reader* reader) noexcept nogil:
    record = &reader.record
    line = &reader.line
    begin_game(&reader.sink)
    memset(record, 0, sizeof(reader.record))
    record.result = record.result_tag = NO_RESULT
    record.header = NO_HEADER
    reader.detours.size = 0
    reader.detour_depth = 0
    line.opened = line.resume = line.early = line.due = line.inline_end = line.inline_resume = NOTHING


cdef void finish_record(Reader* reader) noexcept nogil:
    """Write the single values of the record and close its lists."""
    cdef Columns* columns = reader.columns
    record = &reader.record
    end_game(&reader.sink)
    if record.variant == VARIANT_UNKNOWN:
        record.opaque = True
        record.variant = 0
    if not record.seen >> TAG_FEN & 1:
        end_string(columns, &columns.start)
    put_uint8(columns, &columns.has_start, record.seen >> TAG_FEN & 1)
    record.header.kind = 2 if record.opaque else 0
    record.header.variant = record.variant
    record.header.result = final_result(reader)
    put_values(columns, &record.header)
    end_record(columns)
    put_int64(columns, &reader.ends, reader.place)


cdef int final_result(Reader* reader) noexcept nogil:
    """Return the result of the tag, or without a tag that of the movetext, where ``*`` means no result."""
    record = &reader.record
    if record.begun and not reader.sink.ended and not record.opaque:
        note(reader, PROBLEM_RESULT_MISSING, reader.place, reader.place)
    if not record.seen >> TAG_RESULT & 1:
        return NO_RESULT if record.result == RESULT_UNKNOWN else record.result
    if reader.sink.ended and record.result != plain_result(record.result_tag):
        note(reader, PROBLEM_RESULT_DIFFERS, reader.place, reader.place)
        if record.result == 1:
            put_extra(reader.columns, b"pgn.termination", 15, b"1-0", 3)
        elif record.result == 2:
            put_extra(reader.columns, b"pgn.termination", 15, b"0-1", 3)
        elif record.result == 3:
            put_extra(reader.columns, b"pgn.termination", 15, b"1/2-1/2", 7)
        else:
            put_extra(reader.columns, b"pgn.termination", 15, b"*", 1)
    return record.result_tag


cdef void note(Reader* reader, int code, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Record a problem with the text from ``begin`` to ``end``, or its first bytes; only the first few problems."""
    note_text(reader, code, begin, reader.text + begin, end - begin)


cdef void note_text(Reader* reader, int code, Py_ssize_t place, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Do the same for a text that may not be at ``place``: a copy without line breaks."""
    cdef Columns* columns = reader.columns
    cdef Bytes* quote = &columns.problem_text.data
    if code > PROBLEM_TAIL + 2:
        reader.sink.problems += 1
        if reader.sink.problems > MOST_PROBLEMS + 1:
            return
        if reader.sink.problems > MOST_PROBLEMS:
            code = PROBLEM_MANY
            length = 0
    if length > LONGEST_QUOTE:
        length = LONGEST_QUOTE
    while length > 0 and (is_blank(text[length - 1]) or is_newline(text[length - 1])):
        length -= 1
    put_problem(columns, code, reader.base + place, NULL, 0)
    columns.problem_text.ends.size -= 4
    if is_utf8(text, length):
        put_bytes(columns, quote, text, length)
    else:
        put_transcoded(columns, quote, text, length, reader.code_page)
    end_string(columns, &columns.problem_text)


cdef void put_text(Reader* reader, Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Append a text of the file as UTF-8. Other bytes are read with the code page; this is noted once per record."""
    cdef Py_ssize_t place
    if not reader.always_code_page and is_utf8(text, length):
        put_bytes(reader.columns, out, text, length)
        return
    if not reader.sink.encoding_noted and not reader.always_code_page:
        reader.sink.encoding_noted = True
        place = reader.place
        if reader.text <= text < reader.text + reader.end:  # otherwise it is a copy without line breaks or escapes
            place = text - reader.text
        put_problem(reader.columns, PROBLEM_ENCODING, reader.base + place, NULL, 0)
    put_transcoded(reader.columns, out, text, length, reader.code_page)
