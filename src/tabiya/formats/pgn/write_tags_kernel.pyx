"""The tags of the PGN writer: reads the columns of a batch, writes lines. Linear in the length of the tags.

Tags come in the order of the Seven Tag Roster, then the other tags with columns, then all others in their own order;
missing tags are not added, except for the roster in the plain profile.
"""

from libc.string cimport memcmp, memset, strlen

from tabiya.chess.letters cimport BACKSLASH, DOT, OPEN_BRACKET, QUESTION, QUOTE, SPACE, UNDERSCORE, is_newline
from tabiya.formats.pgn.lexer cimport is_name_letter
from tabiya.formats.pgn.output cimport LOSS_TAG, lose, put, put_letter
from tabiya.formats.pgn.reader cimport VARIANT_CHESS960
from tabiya.formats.pgn.writing cimport OPAQUE
from tabiya.game.batch_view cimport Texts, value_of
from tabiya.game.columns cimport NO_RESULT
from tabiya.game.spelling cimport format_digits, plain_result, result_text
from tabiya.game.tag_names_kernel cimport (
    TAG_COUNT, TAG_DATE, TAG_FEN, TAG_NAMES, TAG_OTHER, TAG_RESULT, TAG_SETUP, TAG_VARIANT, exact_tag, letters_of_tag,
    tag_of_name
)
from tabiya.game.tape_kernel cimport VARIATION_BEGIN, VARIATION_END


cdef bint write_tags(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write all tags; False if there are none. For a name in the list, the list takes precedence over the columns."""
    view = writer.view
    names = &view.tag_names
    values = &view.tag_values
    cdef bint written = False
    cdef unsigned int listed = 0
    writer.exact_blanks = has_tag(writer, record, b"TextBlanks")
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        listed |= 1 << exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index])
    for tag in range(1, TAG_COUNT):
        if listed >> tag & 1:
            written |= write_listed(writer, record, tag)
        elif tag == TAG_SETUP:
            if view.has_start[record]:
                write_column_text(writer, tag, b"1", 1)
        elif write_column_tag(writer, record, tag):
            written = True
        elif writer.plain and tag <= TAG_RESULT:
            written = write_unknown(writer, tag)
    if writer.plies and view.kind[record] != OPAQUE and not has_tag(writer, record, b"PlyCount"):
        write_ply_count(writer, record)
    if listed & 1:
        for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
            if exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]) == TAG_OTHER:
                if tag_of_name(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]):
                    lose(&writer.out, LOSS_TAG)  # "white" is read as "White"
                write_tag(
                    writer,
                    names.data + names.ends[index],
                    names.ends[index + 1] - names.ends[index],
                    values.data + values.ends[index],
                    values.ends[index + 1] - values.ends[index],
                )
                written = True
    return written


cdef bint has_tag(Writer* writer, Py_ssize_t record, const char* name) noexcept nogil:
    """Return whether the list contains a tag of this name."""
    names = &writer.view.tag_names
    cdef Py_ssize_t length = strlen(name)
    for index in range(writer.view.tag_ends[record], writer.view.tag_ends[record + 1]):
        if names.ends[index + 1] - names.ends[index] == length:
            if memcmp(names.data + names.ends[index], name, length) == 0:
                return True
    return False


cdef bint write_unknown(Writer* writer, int tag) noexcept nogil:
    """Write a tag of the roster whose value is unknown (standard, 8.1.1)."""
    if tag == TAG_DATE:
        write_column_text(writer, tag, b"????.??.??", 10)
    else:
        write_column_text(writer, tag, b"*" if tag == TAG_RESULT else b"?", 1)
    return True


cdef void write_ply_count(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the number of moves of the main line, as ChessBase counts."""
    view = writer.view
    cdef uint8_t digits[10]
    cdef Py_ssize_t depth = 0
    cdef int plies = 0
    for index in range(view.move_ends[record], view.move_ends[record + 1]):
        if view.moves[index] == VARIATION_BEGIN:
            depth += 1
        elif view.moves[index] == VARIATION_END:
            depth -= 1
        elif depth == 0:
            plies += 1
    write_text_tag(writer, b"PlyCount", digits, format_digits(digits, plies))


cdef bint write_listed(Writer* writer, Py_ssize_t record, int tag) noexcept nogil:
    """Write the tags of this name from the list."""
    names = &writer.view.tag_names
    values = &writer.view.tag_values
    for index in range(writer.view.tag_ends[record], writer.view.tag_ends[record + 1]):
        if exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]) == tag:
            write_text_at(writer, tag, values, index)
    return True


cdef bint write_column_tag(Writer* writer, Py_ssize_t record, int tag) noexcept nogil:
    """Write a tag from its columns; False if these are empty."""
    view = writer.view
    cdef uint8_t digits[10]
    cdef int name = TAG_NAMES.name[tag]
    cdef int value
    cdef const char* text
    if tag == TAG_DATE:
        return write_date(writer, record)
    if tag == TAG_FEN:
        if view.has_start[record]:
            write_text_at(writer, tag, &view.start, record)
        return view.has_start[record]
    value = value_of(view, TAG_NAMES.column[tag], record)
    if tag == TAG_RESULT:
        if value != NO_RESULT:
            text = result_text(plain_result(value) if writer.plain else value)
            write_column_text(writer, tag, <const uint8_t*> text, strlen(text))
        return value != NO_RESULT
    if tag == TAG_VARIANT:
        if value == VARIANT_CHESS960:
            write_column_text(writer, tag, b"Chess960", 8)
        return value == VARIANT_CHESS960
    if value < 0:
        return False
    if name >= 0:
        write_text_at(writer, tag, &view.interned[name], value)
    else:
        write_column_text(writer, tag, digits, format_digits(digits, value))
    return True


cdef void write_text_at(Writer* writer, int tag, const Texts* texts, Py_ssize_t index) noexcept nogil:
    write_column_text(writer, tag, texts.data + texts.ends[index], texts.ends[index + 1] - texts.ends[index])


cdef bint write_date(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the date; False if it is completely unknown."""
    view = writer.view
    cdef uint8_t text[10]
    cdef int year = view.year[record]
    cdef int part
    if not (year or view.month[record] or view.day[record]):
        return False
    memset(text, QUESTION, 10)
    text[4] = text[7] = DOT
    if 0 < year < 10000:
        text[0] = ord("0") + year // 1000
        text[1] = ord("0") + year // 100 % 10
        text[2] = ord("0") + year // 10 % 10
        text[3] = ord("0") + year % 10
    for place in range(5, 9, 3):
        part = view.month[record] if place == 5 else view.day[record]
        if 0 < part < 100:
            text[place] = ord("0") + part // 10
            text[place + 1] = ord("0") + part % 10
    write_column_text(writer, TAG_DATE, text, 10)
    return True


cdef void write_column_text(Writer* writer, int tag, const uint8_t* value, Py_ssize_t length) noexcept nogil:
    write_tag(writer, letters_of_tag(tag), TAG_NAMES.length[tag], value, length)


cdef void write_text_tag(Writer* writer, const char* name, const uint8_t* value, Py_ssize_t length) noexcept nogil:
    write_tag(writer, <const uint8_t*> name, strlen(name), value, length)


cdef void write_tag(
    Writer* writer, const uint8_t* name, Py_ssize_t length, const uint8_t* value, Py_ssize_t value_length
) noexcept nogil:
    """Write ``[Name "value"]`` with quotes and backslashes escaped. A line break in a tag cannot be written."""
    out = &writer.out
    cdef bint lost = length == 0
    cdef int letter
    put_letter(out, OPEN_BRACKET)
    if length == 0:
        put_letter(out, UNDERSCORE)
    for place in range(length):
        letter = name[place]
        if not is_name_letter(letter):
            letter = UNDERSCORE
            lost = True
        put_letter(out, letter)
    put(out, b' "', 2)
    for place in range(value_length):
        letter = value[place]
        if letter == QUOTE or letter == BACKSLASH:
            put_letter(out, BACKSLASH)
        elif is_newline(letter):
            letter = SPACE
            lost = True
        put_letter(out, letter)
    put(out, b'"]\n', 3)
    if lost:
        lose(out, LOSS_TAG)
