"""The tag section of PGN: reads ``[Name "value"]``, fills the typed columns and the list of other tags.

Linear in the length of the line. The rules of typed columns are those of :mod:`tabiya.game.tags` and
:mod:`tabiya.game.tag_values`; a test compares both.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcmp

from tabiya.chess.letters cimport (
    BACKSLASH, CLOSE_BRACKET, DELETE, QUOTE, SPACE, UNDERSCORE, is_blank, is_digit, is_lower, is_newline, is_upper
)
from tabiya.formats.pgn.reader cimport PROBLEM_TAG, PROBLEM_TAG_NAME
from tabiya.formats.pgn.record_kernel cimport note, put_text
from tabiya.formats.pgn.tag_values_kernel cimport Span, store_date, store_elo, store_result, store_variant
from tabiya.game.columns cimport Columns, end_string, intern, put_string, put_uint8
from tabiya.game.tag_names_kernel cimport (
    TAG_DATE, TAG_FEN, TAG_NAMES, TAG_OTHER, TAG_RESULT, TAG_SETUP, TAG_VARIANT, letters_of_tag, tag_of_name
)
from tabiya.game.utf8 cimport is_utf8

# Letters of plain tags: those of a value, and those allowed in a name as well.
cdef enum:
    VALUE_LETTER = 1
    NAME_LETTER = 2

cdef uint8_t LETTERS[256]


# --- the text of a tag -----------------------------------------------------------------------------------------------


cdef bint read_plain_tag(Reader* reader) noexcept nogil:
    """Read a tag of ASCII without escapes, as nearly all are; False, and no change, for any other."""
    text = reader.text
    cdef Py_ssize_t end = reader.end
    cdef Py_ssize_t place = reader.place + 1
    cdef Span name
    cdef Span value
    cdef int tag
    name.text = text + place
    while place < end and LETTERS[text[place]] == NAME_LETTER:
        place += 1
    name.length = text + place - name.text
    if name.length == 0 or place + 2 > end or text[place] != SPACE or text[place + 1] != QUOTE:
        return False
    place += 2
    value.text = text + place
    while place < end and LETTERS[text[place]] >= VALUE_LETTER:
        place += 1
    value.length = text + place - value.text
    if place + 2 > end or text[place] != QUOTE or text[place + 1] != CLOSE_BRACKET:
        return False
    tag = tag_of_name(name.text, name.length)
    if tag == TAG_OTHER:
        put_string(reader.columns, &reader.columns.tag_names, name.text, name.length)
        put_string(reader.columns, &reader.columns.tag_values, value.text, value.length)
    elif reader.record.seen >> tag & 1 or memcmp(name.text, letters_of_tag(tag), name.length) != 0:
        return False
    else:
        reader.record.seen |= 1 << tag
        reader.record.value_begin[tag] = value.text - text
        reader.record.value_end[tag] = place
        if not store_value(reader, tag, value):
            list_column_tag(reader, tag)
    reader.record.has_tags = True
    reader.place = place + 2
    return True


cdef bint read_tag(Reader* reader) noexcept nogil:
    """Read the tag at the reader's position and go past it. False if it cannot be read as a tag, even leniently."""
    if not reader.always_code_page and read_plain_tag(reader):
        return True
    text = reader.text
    cdef Py_ssize_t end = reader.end
    cdef Py_ssize_t start = reader.place
    cdef Py_ssize_t place = start + 1
    cdef Py_ssize_t value_begin
    cdef Py_ssize_t value_end
    cdef Span name
    while place < end and is_blank(text[place]):
        place += 1
    name.text = text + place
    while (
        place < end
        and not is_blank(text[place])
        and not is_newline(text[place])
        and text[place] != QUOTE
        and text[place] != CLOSE_BRACKET
    ):
        place += 1
    name.length = text + place - name.text
    if name.length == 0:
        return False
    while place < end and is_blank(text[place]):
        place += 1
    if place < end and text[place] == QUOTE:
        value_begin = place + 1
        value_end = find_value_end(reader, value_begin)
    else:
        value_begin = value_end = place
        while value_end < end and text[value_end] != CLOSE_BRACKET and not is_newline(text[value_end]):
            value_end += 1
        if value_end == end or text[value_end] != CLOSE_BRACKET:
            return False
        reader.place = value_end + 1
        while value_end > value_begin and is_blank(text[value_end - 1]):
            value_end -= 1
        note(reader, PROBLEM_TAG, start, reader.place)
    reader.record.has_tags = True
    cdef int tag
    tag = tag_of_name(name.text, name.length)
    if tag == TAG_OTHER:
        list_tag(reader, name, unescaped(reader, value_begin, value_end))
        return True
    if memcmp(name.text, letters_of_tag(tag), name.length) != 0:
        note(reader, PROBLEM_TAG_NAME, start, reader.place)
    store_tag(reader, tag, value_begin, value_end)
    return True


cdef Py_ssize_t find_value_end(Reader* reader, Py_ssize_t begin) noexcept nogil:
    """Return the position of the quote that closes a value; the reader goes past the tag."""
    text = reader.text
    cdef Py_ssize_t end = reader.end
    cdef Py_ssize_t close = begin
    cdef Py_ssize_t behind
    cdef Py_ssize_t line_end
    while close < end and text[close] != QUOTE and not is_newline(text[close]):
        # Only quotes and backslashes are escaped; ChessBase writes paths with single backslashes.
        close += 1
        if text[close - 1] == BACKSLASH and close < end and (text[close] == QUOTE or text[close] == BACKSLASH):
            close += 1
    behind = close + 1
    while behind < end and is_blank(text[behind]):
        behind += 1
    if close < end and text[close] == QUOTE and behind < end and text[behind] == CLOSE_BRACKET:
        reader.place = behind + 1
        return close
    line_end = close
    while line_end < end and not is_newline(text[line_end]):
        line_end += 1
    note(reader, PROBLEM_TAG, reader.place, line_end)
    # Quotes inside the value, or a backslash before the last one: the last quote followed by a bracket closes it.
    behind = last_closing_quote(text, begin, line_end)
    if behind >= 0:
        close = behind
        while text[behind] != CLOSE_BRACKET:
            behind += 1
        reader.place = behind + 1
        return close
    reader.place = line_end
    if close == line_end and close > begin and text[close - 1] == CLOSE_BRACKET:
        close -= 1
    return close


cdef Py_ssize_t last_closing_quote(const uint8_t* text, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Return the last quote in a line that only blanks separate from a bracket, or -1."""
    cdef Py_ssize_t place = end - 1
    while place > begin:
        if text[place] == CLOSE_BRACKET:
            place -= 1
            while place >= begin and is_blank(text[place]):
                place -= 1
            if place >= begin and text[place] == QUOTE:
                return place
        else:
            place -= 1
    return -1


cdef Span unescaped(Reader* reader, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Span span
    span.text = reader.text + begin
    span.length = end - begin
    cdef Py_ssize_t place = begin
    while place < end and reader.text[place] != BACKSLASH:
        place += 1
    if place == end:
        return span
    reader.scratch.size = 0
    place = begin
    while place < end:
        if (
            reader.text[place] == BACKSLASH
            and place + 1 < end
            and (reader.text[place + 1] == QUOTE or reader.text[place + 1] == BACKSLASH)
        ):
            place += 1
        put_uint8(reader.columns, &reader.scratch, reader.text[place])
        place += 1
    span.text = reader.scratch.data
    span.length = reader.scratch.size
    return span


cdef Span as_utf8(Reader* reader, Span span) noexcept nogil:
    if not reader.always_code_page and is_utf8(span.text, span.length):
        return span
    reader.converted.size = 0
    put_text(reader, &reader.converted, span.text, span.length)
    span.text = reader.converted.data
    span.length = reader.converted.size
    return span


# --- storing ---------------------------------------------------------------------------------------------------------


cdef void list_tag(Reader* reader, Span name, Span value) noexcept nogil:
    cdef Columns* columns = reader.columns
    put_text(reader, &columns.tag_names.data, name.text, name.length)
    end_string(columns, &columns.tag_names)
    put_text(reader, &columns.tag_values.data, value.text, value.length)
    end_string(columns, &columns.tag_values)


cdef Span name_of(int tag) noexcept nogil:
    cdef Span name
    name.text = letters_of_tag(tag)
    name.length = TAG_NAMES.length[tag]
    return name


cdef void list_column_tag(Reader* reader, int tag) noexcept nogil:
    """Add the first value of a tag with columns to the list as well."""
    if not reader.record.listed >> tag & 1:
        reader.record.listed |= 1 << tag
        list_tag(reader, name_of(tag), unescaped(reader, reader.record.value_begin[tag], reader.record.value_end[tag]))


cdef void store_tag(Reader* reader, int tag, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    record = &reader.record
    if record.seen >> tag & 1:
        list_column_tag(reader, tag)
        list_tag(reader, name_of(tag), unescaped(reader, begin, end))
        return
    record.seen |= 1 << tag
    record.value_begin[tag] = begin
    record.value_end[tag] = end
    if not store_value(reader, tag, as_utf8(reader, unescaped(reader, begin, end))):
        list_column_tag(reader, tag)


cdef void finish_tags(Reader* reader) noexcept nogil:
    """List a ``SetUp`` that does not simply follow from a ``FEN``."""
    cdef Py_ssize_t begin
    record = &reader.record
    if record.seen >> TAG_SETUP & 1 and not record.listed >> TAG_SETUP & 1:
        begin = record.value_begin[TAG_SETUP]
        if not record.seen >> TAG_FEN & 1 or record.value_end[TAG_SETUP] != begin + 1 or reader.text[begin] != ord("1"):
            list_column_tag(reader, TAG_SETUP)


cdef bint store_value(Reader* reader, int tag, Span value) noexcept nogil:
    """Fill the columns of a tag. False if they would not reproduce the exact text, which must then be listed, too."""
    cdef Columns* columns = reader.columns
    header = &reader.record.header
    cdef int name = TAG_NAMES.name[tag]
    if name >= 0:
        header.names[name] = intern(columns, &columns.interned[name], value.text, value.length)
        return True
    if tag == TAG_DATE:
        return store_date(reader, value)
    if tag == TAG_RESULT:
        return store_result(reader, value)
    if tag == TAG_VARIANT:
        return store_variant(reader, value)
    if tag == TAG_SETUP:
        return True
    if tag == TAG_FEN:
        put_string(columns, &columns.start, value.text, value.length)
        return True
    return store_elo(<int32_t*> header + TAG_NAMES.column[tag], value)


for letter in range(256):
    LETTERS[letter] = 0
    if is_digit(letter) or is_upper(letter) or is_lower(letter) or letter == UNDERSCORE:
        LETTERS[letter] = NAME_LETTER
    elif SPACE <= letter < DELETE and letter != QUOTE and letter != BACKSLASH:
        LETTERS[letter] = VALUE_LETTER
