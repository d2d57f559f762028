"""Comments and escape lines of PGN: reads them at the reader's position and resolves their line breaks. Linear."""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport strlen

from tabiya.chess.letters cimport CARRIAGE_RETURN, NEWLINE, SPACE, is_blank, is_newline
from tabiya.formats.pgn.commands_kernel cimport read_text
from tabiya.formats.pgn.lexer cimport skip_breaks
from tabiya.formats.pgn.lines_kernel cimport add_text
from tabiya.formats.pgn.reader cimport PROBLEM_COMMENT_OPEN
from tabiya.formats.pgn.record_kernel cimport note
from tabiya.formats.pgn.skip_kernel cimport COMMENT_BRACKET, COMMENT_BREAK, comment_end
from tabiya.game.columns cimport put_extra, put_uint8, string_count, string_equals


cdef void put_comment(Reader* reader, Py_ssize_t begin, Py_ssize_t end, int found) noexcept nogil:
    """Read a comment without surrounding blanks; a line break is one blank, an empty line a paragraph.

    If blanks are content, one blank or line break is removed on either side. ``found`` contains what ``comment_end``
    found in the comment.
    """
    cdef bint blanks
    text = reader.text
    cdef Py_ssize_t place
    cdef int breaks
    cdef Py_ssize_t start
    cdef Py_ssize_t outer_begin = begin
    cdef Py_ssize_t outer_end = end
    while begin < end and (is_blank(text[begin]) or is_newline(text[begin])):
        begin += 1
    while end > begin and (is_blank(text[end - 1]) or is_newline(text[end - 1])):
        end -= 1
    if begin == end:
        return
    if text[outer_begin] == SPACE and (outer_begin + 1 < begin or end < outer_end - 1) and keeps_blanks(reader):
        begin = outer_begin + 1
        if end < outer_end:
            blanks = end < outer_end - 1
            end = outer_end - 1
            end -= blanks and text[end] == NEWLINE and text[end - 1] == CARRIAGE_RETURN
    if not found & COMMENT_BREAK:
        if found & COMMENT_BRACKET:
            read_text(reader, text + begin, end - begin)
        else:
            add_text(reader, text + begin, end - begin, 0)
        return
    reader.scratch.size = 0
    place = begin
    while place < end:
        if not is_blank(text[place]) and not is_newline(text[place]):
            put_uint8(reader.columns, &reader.scratch, text[place])
            place += 1
            continue
        start = place
        breaks = skip_breaks(text, end, &place)
        if breaks == 0:
            while start < place:
                put_uint8(reader.columns, &reader.scratch, text[start])
                start += 1
        elif breaks == 1:
            put_uint8(reader.columns, &reader.scratch, SPACE)
        else:
            put_uint8(reader.columns, &reader.scratch, NEWLINE)
            put_uint8(reader.columns, &reader.scratch, NEWLINE)
    read_text(reader, reader.scratch.data, reader.scratch.size)


cdef bint keeps_blanks(Reader* reader) noexcept nogil:
    """Return whether the tags of this record declare that blanks around comments are content."""
    if reader.record.exact_blanks == 0:
        reader.record.exact_blanks = 2 if has_tag(reader, b"TextBlanks") else 1
    return reader.record.exact_blanks == 2


cdef bint has_tag(Reader* reader, const char* name) noexcept nogil:
    """Return whether a tag of this name, which has no column, has been read in this record."""
    names = &reader.columns.tag_names
    cdef Py_ssize_t index
    if reader.columns.out_of_memory:
        return False
    index = (<int32_t*> reader.columns.tag_ends.data)[reader.columns.records]
    while index < string_count(names):
        if string_equals(names, index, <const uint8_t*> name, strlen(name)):
            return True
        index += 1
    return False


cdef void read_comment(Reader* reader) noexcept nogil:
    cdef bint closed
    cdef int found
    cdef Py_ssize_t begin = reader.place + 1
    cdef Py_ssize_t end
    end = comment_end(reader, begin, &closed, &found)
    if not closed:
        note(reader, PROBLEM_COMMENT_OPEN, begin - 1, end)
    put_comment(reader, begin, end, found)
    reader.place = end + closed


cdef void read_line_comment(Reader* reader) noexcept nogil:
    """Read from ``;`` to the end of the line."""
    cdef Py_ssize_t begin = reader.place + 1
    cdef Py_ssize_t end = begin
    while end < reader.end and not is_newline(reader.text[end]):
        end += 1
    put_comment(reader, begin, end, COMMENT_BRACKET)
    reader.place = end


cdef void read_escape(Reader* reader) noexcept nogil:
    """Keep a line that begins with ``%``, which is for other programs. An empty one only separates games."""
    cdef Py_ssize_t begin = reader.place + 1
    cdef Py_ssize_t end = begin
    while end < reader.end and not is_newline(reader.text[end]):
        end += 1
    reader.place = end
    while end > begin and is_blank(reader.text[end - 1]):
        end -= 1
    if end > begin:
        put_extra(reader.columns, b"pgn.escape", 10, reader.text + begin, end - begin)
        reader.record.has_escapes = True
