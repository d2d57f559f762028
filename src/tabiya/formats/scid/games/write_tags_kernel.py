"""The tags at the front of game data, as the writer puts them there. Linear in their length."""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.tabiya.formats.scid.games.codes import (
    COMMON_COUNT,
    FIRST_COMMON,
    LONGEST_TAG,
    LONGEST_TAG_NAME,
    OLD_EVENT_DATE,
)
from cython.cimports.tabiya.formats.scid.games.tags_kernel import COMMON_TAGS
from cython.cimports.tabiya.formats.scid.games.writing import LOST_TAGS, put_code
from cython.cimports.tabiya.game.batch_view import Texts
from cython.cimports.tabiya.game.columns import ANNOTATOR_NAME
from cython.cimports.tabiya.game.growing import grow


def write_tags(writer, record):
    """Write the tags that have no place in the index; one without a name is the event date in its old form."""
    view = writer.view
    names = cython.address(view.tag_names)
    values = cython.address(view.tag_values)
    annotator: cython.int = view.names[ANNOTATOR_NAME][record]
    listed: cython.bint = False
    value: cython.pointer[cython.const[uint8_t]]
    texts: cython.pointer[cython.const[Texts]] = cython.address(view.interned[ANNOTATOR_NAME])
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


def hex_digit(letter):
    return letter - ord("a") + 10 if letter >= ord("a") else letter - ord("0")


def write_tag(writer, name, name_length, value, length):
    """Write a tag; what is too long is cut between letters, and counted."""
    code: cython.int = common_tag(name, name_length)
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


def common_tag(name, length):
    """Return the number of a common name, 0 if it has none."""
    for index in range(COMMON_COUNT):
        if COMMON_TAGS[index].length == length and memcmp(COMMON_TAGS[index].name, name, length) == 0:
            return FIRST_COMMON + index
    return 0


def put_bytes(writer, data, length):
    out = cython.address(writer.out)
    if length:
        if not grow(out, length):
            writer.failed = True
            return
        memcpy(out.data + out.size, data, length)
        out.size += length
