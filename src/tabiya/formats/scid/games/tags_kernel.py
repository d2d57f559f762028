"""Tags and start position at the front of game data. Linear in their length."""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memchr, memcmp
from cython.cimports.tabiya.chess.letters import DOT, QUESTION
from cython.cimports.tabiya.formats.scid.games.codes import (
    COMMON_COUNT,
    FIRST_COMMON,
    FLAG_START,
    LONGEST_TAG_NAME,
    OLD_EVENT_DATE,
)
from cython.cimports.tabiya.formats.scid.games.reading import (
    FLAG_COLUMN_TAGS,
    INDEX_DATE,
    INDEX_EVENT_DATE,
    INDEX_WHITE,
    INDEX_WHITE_TYPE,
)
from cython.cimports.tabiya.game.columns import ANNOTATOR_NAME, end_string, intern, put_bytes, put_string
from cython.cimports.tabiya.game.spelling import format_digits
from cython.cimports.tabiya.game.tag_names_kernel import (
    TAG_ANNOTATOR,
    TAG_OTHER,
    TAG_SETUP,
    exact_tag,
)
from cython.cimports.tabiya.game.utf8 import is_utf8, put_transcoded

from tabiya.formats.scid.codes import COMMON_TAGS as NAMES
from tabiya.formats.scid.codes import RATING_TYPES

RATING_COUNT = cython.declare(cython.int, len(RATING_TYPES))


def read_tags(reader):
    """Read the tags, and find the start position behind them; False if they run past the end."""
    place: cython.Py_ssize_t = 0
    tag: Tag
    annotators: cython.int = 0
    while next_tag(reader.data, reader.end, cython.address(place), cython.address(tag)):
        annotators += exact_tag(tag.name, tag.name_length) == TAG_ANNOTATOR
    if place < 0 or place >= reader.end:
        reader.place = reader.end
        put_index_tags(reader, False)
        return False
    reader.place = place
    put_index_tags(reader, True)
    sound: cython.bint = read_start(reader)
    place = 0
    while next_tag(reader.data, reader.end, cython.address(place), cython.address(tag)):
        known: cython.int = exact_tag(tag.name, tag.name_length)
        if tag.code == OLD_EVENT_DATE:
            put_event_date(reader, tag.value[0] << 16 | tag.value[1] << 8 | tag.value[2])
        elif tag.code >= FIRST_COMMON + COMMON_COUNT or (
            known == TAG_SETUP and reader.has_start and tag.length == 1 and tag.value[0] == ord("1")
        ):
            continue
        elif known == TAG_ANNOTATOR and annotators == 1:
            reader.comment.size = 0
            put_utf8(reader, cython.address(reader.comment), tag.value, tag.length)
            annotator: cython.p_const_uchar = tag.value  # an empty one, for which there may be no buffer
            if reader.comment.size:
                annotator = reader.comment.data
            reader.header.names[ANNOTATOR_NAME] = intern(
                reader.columns,
                cython.address(reader.columns.interned[ANNOTATOR_NAME]),
                annotator,
                reader.comment.size,
            )
        else:
            if known != TAG_OTHER:
                reader.flags |= FLAG_COLUMN_TAGS
            put_tag(reader, cython.address(tag))
    return sound


def put_index_tags(reader, sound):
    """Put what the index tells before the other tags, unless it stands among these, too, and they are ``sound``."""
    columns = reader.columns
    index = reader.index
    digits: uint8_t[10]
    if index == cython.NULL:
        return
    for side in range(2):
        kind: cython.int = index[INDEX_WHITE_TYPE + 2 * side]
        rating: cython.int = index[INDEX_WHITE + 2 * side]
        if not 0 < kind < RATING_COUNT or rating <= 0:
            continue
        name = cython.address(RATING_TAGS[side][kind])
        if not (sound and has_tag(reader, name.name, name.length)):
            put_string(columns, cython.address(columns.tag_names), name.name, name.length)
            put_string(columns, cython.address(columns.tag_values), digits, format_digits(digits, rating))
    if index[INDEX_EVENT_DATE] > 0 and not (sound and has_tag(reader, b"EventDate", 9)):
        put_event_date(reader, index[INDEX_EVENT_DATE])
    # Columns hold neither a date of which nothing is known nor a month beyond the twelfth.
    if (index[INDEX_DATE] == 0 or index[INDEX_DATE] >> 5 & 15 > 12) and not (sound and has_tag(reader, b"Date", 4)):
        put_string(columns, cython.address(columns.tag_names), b"Date", 4)
        put_date(reader, index[INDEX_DATE])


def has_tag(reader, name, length):
    """Tell whether a tag of this name stands in the data; an event date of old is one, too."""
    place: cython.Py_ssize_t = 0
    tag: Tag
    while next_tag(reader.data, reader.end, cython.address(place), cython.address(tag)):
        if tag.name_length == length and memcmp(tag.name, name, length) == 0:
            return True
    return False


def next_tag(data, end, place, tag):
    """Take the tag at ``place``; False behind the last one, with a negative place if it runs past the end."""
    at: cython.Py_ssize_t = place[0]
    if at >= end:
        place[0] = -1
        return False
    tag.code = data[at]
    at += 1
    if tag.code == 0:
        place[0] = at
        return False
    tag.name = cython.NULL
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


def put_tag(reader, tag):
    columns = reader.columns
    put_utf8(reader, cython.address(columns.tag_names.data), tag.name, tag.name_length)
    end_string(columns, cython.address(columns.tag_names))
    put_utf8(reader, cython.address(columns.tag_values.data), tag.value, tag.length)
    end_string(columns, cython.address(columns.tag_values))


def put_event_date(reader, date):
    """Append the tag of an event date."""
    put_string(reader.columns, cython.address(reader.columns.tag_names), b"EventDate", 9)
    put_date(reader, date)


def put_date(reader, date):
    """Append the value of a tag: ``2024.05.??``."""
    letters: uint8_t[10]
    format_part(letters, 4, date >> 9)
    format_part(letters + 5, 2, date >> 5 & 15)
    format_part(letters + 8, 2, date & 31)
    letters[4] = letters[7] = DOT
    put_string(reader.columns, cython.address(reader.columns.tag_values), letters, 10)


def format_part(letters, digits, number):
    """Write a number with so many digits; all are question marks if it is 0."""
    for place in range(digits):
        letters[digits - 1 - place] = ord("0") + number % 10 if number else QUESTION
        number //= 10
        if number == 0 and letters[digits - 1] != QUESTION:
            for rest in range(place + 1, digits):
                letters[digits - 1 - rest] = ord("0")
            return


def put_utf8(reader, out, text, length):
    """Append a text, which is UTF-8 or else in the code page."""
    if is_utf8(text, length):
        put_bytes(reader.columns, out, text, length)
    else:
        put_transcoded(reader.columns, out, text, length, reader.code_page)


def read_start(reader):
    """Find the start position; False if it has no end."""
    zero: cython.pointer[cython.const[uint8_t]]
    reader.has_start = reader.data[reader.place] & FLAG_START
    reader.place += 1
    reader.start = reader.place
    reader.start_length = 0
    if not reader.has_start:
        return True
    if reader.place >= reader.end:
        return False
    zero = cython.cast("const uint8_t*", memchr(reader.data + reader.place, 0, reader.end - reader.place))
    if zero == cython.NULL:
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
