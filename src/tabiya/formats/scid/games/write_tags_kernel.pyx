"""The tags at the beginning of game data, as written. Linear in their length."""

from libc.string cimport memcmp, memcpy

from tabiya.formats.scid.games.codes cimport COMMON_COUNT, FIRST_COMMON, LONGEST_TAG, LONGEST_TAG_NAME, OLD_EVENT_DATE
from tabiya.formats.scid.games.tags_kernel cimport COMMON_TAGS
from tabiya.formats.scid.games.writing cimport LOST_TAGS, put_code
from tabiya.game.batch_view cimport Texts
from tabiya.game.columns cimport ANNOTATOR_NAME
from tabiya.game.growing cimport grow


cdef void write_tags(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the tags that the index cannot store; one without a name is the event date in its old form."""
    view = writer.view
    names = &view.tag_names
    values = &view.tag_values
    cdef int annotator = view.names[ANNOTATOR_NAME][record]
    cdef bint listed = False
    cdef const uint8_t* value
    cdef const Texts* texts = &view.interned[ANNOTATOR_NAME]
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        if names.ends[index + 1] - names.ends[index] == 9:
            listed |= memcmp(names.data + names.ends[index], b"Annotator", 9) == 0
    if annotator >= 0 and not listed:
        value = texts.data + texts.ends[annotator]
        write_tag(writer, b"Annotator", 9, value, texts.ends[annotator + 1] - texts.ends[annotator])
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        value = values.data + values.ends[index]
        if names.ends[index + 1] == names.ends[index]:
            if values.ends[index + 1] - values.ends[index] == 6:
                put_code(writer, OLD_EVENT_DATE)
                for place in range(3):
                    put_code(writer, hex_digit(value[2 * place]) << 4 | hex_digit(value[2 * place + 1]))
            continue
        write_tag(
            writer,
            names.data + names.ends[index],
            names.ends[index + 1] - names.ends[index],
            value,
            values.ends[index + 1] - values.ends[index],
        )
    if writer.has_start:
        write_tag(writer, b"SetUp", 5, b"1", 1)
    put_code(writer, 0)


cdef int hex_digit(int letter) noexcept nogil:
    return letter - ord("a") + 10 if letter >= ord("a") else letter - ord("0")


cdef void write_tag(
    Writer* writer, const uint8_t* name, Py_ssize_t name_length, const uint8_t* value, Py_ssize_t length
) noexcept nogil:
    """Write a tag; one that is too long is cut between letters, and counted."""
    cdef int code = common_tag(name, name_length)
    if name_length > LONGEST_TAG_NAME:
        writer.derived[LOST_TAGS] += 1
        return
    if length > LONGEST_TAG - name_length:
        writer.derived[LOST_TAGS] += 1
        length = LONGEST_TAG - name_length
        while length and value[length] & 0xC0 == 0x80:
            length -= 1
    put_code(writer, code if code else name_length)
    if not code:
        put_bytes(writer, name, name_length)
    put_code(writer, length)
    put_bytes(writer, value, length)


cdef int common_tag(const uint8_t* name, Py_ssize_t length) noexcept nogil:
    """Return the number of a common name, 0 if it has none."""
    for index in range(COMMON_COUNT):
        if COMMON_TAGS[index].length == length and memcmp(COMMON_TAGS[index].name, name, length) == 0:
            return FIRST_COMMON + index
    return 0


cdef void put_bytes(Writer* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    out = &writer.out
    if length:
        if not grow(out, length):
            writer.failed = True
            return
        memcpy(out.data + out.size, data, length)
        out.size += length
