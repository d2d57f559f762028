"""Tags and start position at the beginning of game data. Linear in their length."""

from libc.string cimport memchr, memcmp

from tabiya.chess.letters cimport DOT, QUESTION
from tabiya.formats.scid.games.codes cimport COMMON_COUNT, FIRST_COMMON, FLAG_START, LONGEST_TAG_NAME, OLD_EVENT_DATE
from tabiya.formats.scid.games.reading cimport (
    FLAG_COLUMN_TAGS, INDEX_DATE, INDEX_EVENT_DATE, INDEX_WHITE, INDEX_WHITE_TYPE
)
from tabiya.game.columns cimport ANNOTATOR_NAME, end_string, intern, put_bytes, put_string
from tabiya.game.spelling cimport format_digits
from tabiya.game.tag_names_kernel cimport TAG_ANNOTATOR, TAG_OTHER, TAG_SETUP, exact_tag
from tabiya.game.utf8 cimport is_utf8, put_transcoded

from tabiya.formats.scid.codes import COMMON_TAGS as NAMES
from tabiya.formats.scid.codes import RATING_TYPES

cdef CommonTag RATING_TAGS[2][7]  # by side and kind of rating

# A tag in the data.
ctypedef struct Tag:
    const uint8_t* name
    Py_ssize_t name_length
    const uint8_t* value
    Py_ssize_t length
    int code            # its first byte


cdef int RATING_COUNT = len(RATING_TYPES)


cdef bint read_tags(Reader* reader) noexcept nogil:
    """Read the tags, and find the start position after them; False if they extend past the end."""
    cdef int known
    cdef const unsigned char* annotator
    cdef Py_ssize_t place = 0
    cdef Tag tag
    cdef int annotators = 0
    while next_tag(reader.data, reader.end, &place, &tag):
        annotators += exact_tag(tag.name, tag.name_length) == TAG_ANNOTATOR
    if place < 0 or place >= reader.end:
        reader.place = reader.end
        put_index_tags(reader, False)
        return False
    reader.place = place
    put_index_tags(reader, True)
    cdef bint sound = read_start(reader)
    place = 0
    while next_tag(reader.data, reader.end, &place, &tag):
        known = exact_tag(tag.name, tag.name_length)
        if tag.code == OLD_EVENT_DATE:
            put_event_date(reader, tag.value[0] << 16 | tag.value[1] << 8 | tag.value[2])
        elif tag.code >= FIRST_COMMON + COMMON_COUNT or (
            known == TAG_SETUP and reader.has_start and tag.length == 1 and tag.value[0] == ord("1")
        ):
            continue
        elif known == TAG_ANNOTATOR and annotators == 1:
            reader.comment.size = 0
            put_utf8(reader, &reader.comment, tag.value, tag.length)
            annotator = tag.value  # an empty one, which may have no buffer
            if reader.comment.size:
                annotator = reader.comment.data
            reader.header.names[ANNOTATOR_NAME] = intern(
                reader.columns,
                &reader.columns.interned[ANNOTATOR_NAME],
                annotator,
                reader.comment.size,
            )
        else:
            if known != TAG_OTHER:
                reader.flags |= FLAG_COLUMN_TAGS
            put_tag(reader, &tag)
    return sound


cdef void put_index_tags(Reader* reader, bint sound) noexcept nogil:
    """Insert the values of the index before the other tags, unless these are ``sound`` and contain them, too."""
    cdef int kind
    cdef int rating
    columns = reader.columns
    index = reader.index
    cdef uint8_t digits[10]
    if index == NULL:
        return
    for side in range(2):
        kind = index[INDEX_WHITE_TYPE + 2 * side]
        rating = index[INDEX_WHITE + 2 * side]
        if not 0 < kind < RATING_COUNT or rating <= 0:
            continue
        name = &RATING_TAGS[side][kind]
        if not (sound and has_tag(reader, name.name, name.length)):
            put_string(columns, &columns.tag_names, name.name, name.length)
            put_string(columns, &columns.tag_values, digits, format_digits(digits, rating))
    if index[INDEX_EVENT_DATE] > 0 and not (sound and has_tag(reader, b"EventDate", 9)):
        put_event_date(reader, index[INDEX_EVENT_DATE])
    # Columns cannot store a completely unknown date or a month beyond the twelfth.
    if (index[INDEX_DATE] == 0 or index[INDEX_DATE] >> 5 & 15 > 12) and not (sound and has_tag(reader, b"Date", 4)):
        put_string(columns, &columns.tag_names, b"Date", 4)
        put_date(reader, index[INDEX_DATE])


cdef bint has_tag(Reader* reader, const uint8_t* name, Py_ssize_t length) noexcept nogil:
    """Return whether the data contains a tag of this name; an event date in its old form counts, too."""
    cdef Py_ssize_t place = 0
    cdef Tag tag
    while next_tag(reader.data, reader.end, &place, &tag):
        if tag.name_length == length and memcmp(tag.name, name, length) == 0:
            return True
    return False


cdef bint next_tag(const uint8_t* data, Py_ssize_t end, Py_ssize_t* place, Tag* tag) noexcept nogil:
    """Read the tag at ``place``; False after the last one, with a negative place if it extends past the end."""
    cdef Py_ssize_t at = place[0]
    if at >= end:
        place[0] = -1
        return False
    tag.code = data[at]
    at += 1
    if tag.code == 0:
        place[0] = at
        return False
    tag.name = NULL
    tag.name_length = 0
    if tag.code <= LONGEST_TAG_NAME:
        tag.name = data + at
        tag.name_length = tag.code
        at += tag.code
    elif tag.code == OLD_EVENT_DATE:
        tag.name = b"EventDate"
        tag.name_length = 9
    elif tag.code < FIRST_COMMON + COMMON_COUNT:
        tag.name = COMMON_TAGS[tag.code - FIRST_COMMON].name
        tag.name_length = COMMON_TAGS[tag.code - FIRST_COMMON].length
    tag.length = 3
    if tag.code != OLD_EVENT_DATE:
        if at >= end:
            place[0] = -1
            return False
        tag.length = data[at]
        at += 1
    tag.value = data + at
    if tag.length > end - at:
        place[0] = -1
        return False
    place[0] = at + tag.length
    return True


cdef void put_tag(Reader* reader, const Tag* tag) noexcept nogil:
    columns = reader.columns
    put_utf8(reader, &columns.tag_names.data, tag.name, tag.name_length)
    end_string(columns, &columns.tag_names)
    put_utf8(reader, &columns.tag_values.data, tag.value, tag.length)
    end_string(columns, &columns.tag_values)


cdef void put_event_date(Reader* reader, int date) noexcept nogil:
    """Append the tag of an event date."""
    put_string(reader.columns, &reader.columns.tag_names, b"EventDate", 9)
    put_date(reader, date)


cdef void put_date(Reader* reader, int date) noexcept nogil:
    """Append the value of a tag: ``2024.05.??``."""
    cdef uint8_t letters[10]
    format_part(letters, 4, date >> 9)
    format_part(letters + 5, 2, date >> 5 & 15)
    format_part(letters + 8, 2, date & 31)
    letters[4] = letters[7] = DOT
    put_string(reader.columns, &reader.columns.tag_values, letters, 10)


cdef void format_part(uint8_t* letters, int digits, int number) noexcept nogil:
    """Write a number with this many digits; question marks if it is 0."""
    for place in range(digits):
        letters[digits - 1 - place] = ord("0") + number % 10 if number else QUESTION
        number //= 10
        if number == 0 and letters[digits - 1] != QUESTION:
            for rest in range(place + 1, digits):
                letters[digits - 1 - rest] = ord("0")
            return


cdef void put_utf8(Reader* reader, Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Append a text, which is UTF-8 or else in the code page."""
    if is_utf8(text, length):
        put_bytes(reader.columns, out, text, length)
    else:
        put_transcoded(reader.columns, out, text, length, reader.code_page)


cdef bint read_start(Reader* reader) noexcept nogil:
    """Find the start position; False if it has no end."""
    cdef const uint8_t* zero
    reader.has_start = reader.data[reader.place] & FLAG_START
    reader.place += 1
    reader.start = reader.place
    reader.start_length = 0
    if not reader.has_start:
        return True
    if reader.place >= reader.end:
        return False
    zero = <const uint8_t*> memchr(reader.data + reader.place, 0, reader.end - reader.place)
    if zero == NULL:
        return False
    reader.start_length = zero - reader.data - reader.place
    reader.place += reader.start_length + 1
    return True


for index, name in enumerate(NAMES):
    COMMON_TAGS[index].length = len(name)
    for place, letter in enumerate(name.encode()):
        COMMON_TAGS[index].name[place] = letter
for side, color in enumerate(("White", "Black")):
    for kind, name in enumerate(RATING_TYPES):
        RATING_TAGS[side][kind].length = len(color + name)
        for place, letter in enumerate((color + name).encode()):
            RATING_TAGS[side][kind].name[place] = letter
