"""The header of an entry: reads the columns of a record, writes its fields, strings and additional tags.

Whatever a field cannot give back word for word (``Round "1.7"``, a FEN with counters, a date in an odd spelling) is
written as an additional tag, too. Linear in the size of the tags.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memcmp, strlen
from cython.cimports.tabiya.chess.board import Board
from cython.cimports.tabiya.chess.fen_kernel import MAX_FEN, read_fen
from cython.cimports.tabiya.formats.bcgn.fields import (
    BARE_HEADER,
    FIXED_HEADER,
    FLAG_POSITION,
    FLAG_TAGS,
    LONGEST_STRING,
    MOST_TAGS,
    Eco,
    Text,
    eco_of,
    is_exact,
    reference_round,
    round_number,
    tag_of,
)
from cython.cimports.tabiya.formats.bcgn.position_kernel import (
    PACKED,
    PACKED_BYTES,
    PACKED_CASTLING,
    format_start,
    pack_board,
    packs_to,
)
from cython.cimports.tabiya.formats.bcgn.writing import (
    FITS,
    LOSS_CHANGED,
    LOSS_DATE,
    LOSS_RESULT,
    LOSS_START,
    LOSS_TAGS,
    LOSS_TEXT,
    REFUSED_MEN,
    REFUSED_RULES,
    REFUSED_START,
    lose,
    put,
    put_byte,
    put_room,
    text_at,
)
from cython.cimports.tabiya.game.batch_view import find_extra
from cython.cimports.tabiya.game.columns import ECO_NAME, NAME_COUNT, NO_RESULT, ROUND_NAME
from cython.cimports.tabiya.game.spelling import POINT_RESULTS, RESULTS, plain_result, result_text
from cython.cimports.tabiya.game.tag_names_kernel import (
    TAG_ANNOTATOR,
    TAG_BLACK_ELO,
    TAG_ECO,
    TAG_FEN,
    TAG_NAMES,
    TAG_RESULT,
    TAG_WHITE_ELO,
    letters_of_tag,
)

# --- what a record says ----------------------------------------------------------------------------------------------


def take_names(writer):
    """Look up the names of the record, and which tags with fields stand in its list of tags."""
    view = writer.view
    index: cython.int
    writer.given = writer.listed = 0
    writer.tags = 0
    for column in range(NAME_COUNT):
        index = view.names[column][writer.record]
        if index >= 0:
            writer.names[column] = text_at(cython.address(view.interned[column]), index)
            writer.given |= 1 << TAG_NAMES.of_name[column]
        else:
            writer.names[column].data = cython.NULL
            writer.names[column].length = 0
    for tag in range(view.tag_ends[writer.record], view.tag_ends[writer.record + 1]):
        writer.listed |= 1 << tag_of(text_at(cython.address(view.tag_names), tag))


def first_listed(writer, field):
    """Return the value of the first listed tag that means a field; there must be one."""
    view = writer.view
    index: cython.Py_ssize_t = view.tag_ends[writer.record]
    while tag_of(text_at(cython.address(view.tag_names), index)) != field:
        index += 1
    return text_at(cython.address(view.tag_values), index)


def extra_of(writer, key, length):
    """Return the bytes of the first extra of this key if they are so many, else none."""
    text: Text
    index: cython.Py_ssize_t = find_extra(writer.view, writer.record, key, writer.view.extra_ends[writer.record])
    if index >= 0:
        text = text_at(cython.address(writer.view.extra_values), index)
        if text.length == length:
            return text
    text.data = cython.NULL
    text.length = 0
    return text


def reserved_flags(writer, known):
    """Bits of the flags that mean nothing today, as they were read."""
    text: Text
    if writer.reference:
        return 0
    text = extra_of(writer, b"bcgn.flags", 1)
    return text.data[0] & ~known if text.length else 0


def set_start(writer):
    """Put the start position on the board; FITS, or why it has no place in an entry."""
    view = writer.view
    fen: Text = text_at(cython.address(view.start), writer.record)
    plain: cython.uchar[MAX_FEN]
    code: cython.int
    writer.board = writer.standard
    writer.custom = writer.odd_start = False
    if not view.has_start[writer.record]:
        return FITS
    if not read_fen(fen.data, fen.length, False, cython.address(writer.board)):
        return REFUSED_START
    code = pack_board(cython.address(writer.board), writer.packed)
    if code != PACKED or writer.board.chess960:
        return REFUSED_RULES if code == PACKED_CASTLING or writer.board.chess960 else REFUSED_MEN
    usual: cython.bint = memcmp(writer.packed, writer.standard_packed, PACKED_BYTES) == 0
    writer.odd_start = (
        format_start(cython.address(writer.board), plain) != fen.length
        or memcmp(plain, fen.data, fen.length) != 0
        or (usual and writer.reference)
    )
    # The usual position is spelled out only where that says it all: a tag says that it is given at all, too.
    writer.custom = not usual or not writer.odd_start
    return FITS


# --- fields ----------------------------------------------------------------------------------------------------------


def write_header(writer):
    """Write the header but for its lengths and the number of moves; these are filled in later."""
    view = writer.view
    flags: cython.Py_ssize_t
    rest: cython.Py_ssize_t
    take_names(writer)
    if writer.headerless:
        write_bare_header(writer)
        return
    write_fixed(writer)
    flags = writer.out.size - 1
    if writer.custom:
        put(writer, writer.packed, PACKED_BYTES)
    for column in range(4):
        put_text(writer, writer.names[column])
    if writer.reference:
        count_unkept(writer)
        return
    write_name_tags(writer)
    write_result_tag(writer)
    write_other_tags(writer)
    if writer.tags and not writer.failed:
        writer.out.data[flags] |= FLAG_TAGS
    rest = find_extra(view, writer.record, b"bcgn.header_rest", view.extra_ends[writer.record])
    if rest >= 0:
        value: Text = text_at(cython.address(view.extra_values), rest)
        put(writer, value.data, value.length)


def write_bare_header(writer):
    """Write the header of an entry without tags."""
    result: cython.int = writer.view.result[writer.record]
    out = put_room(writer, BARE_HEADER)
    if out == cython.NULL:
        return
    out[2] = 0
    out[3] = plain_result(0 if result == NO_RESULT else result)
    out[4] = reserved_flags(writer, FLAG_POSITION) | (FLAG_POSITION if writer.custom else 0)
    if writer.custom:
        put(writer, writer.packed, PACKED_BYTES)
    if writer.odd_start:
        lose(writer, LOSS_START)
    if result == NO_RESULT:
        lose(writer, LOSS_RESULT)


def write_fixed(writer):
    """Write the fields of fixed size; the lengths and the number of moves are not known yet."""
    view = writer.view
    record: cython.Py_ssize_t = writer.record
    number: cython.int
    eco: Eco = eco_to_write(writer)
    out = put_room(writer, FIXED_HEADER)
    if out == cython.NULL:
        return
    out[4] = 0
    out[5] = plain_result(0 if view.result[record] == NO_RESULT else view.result[record])
    write_date(writer, out + 6)
    number = view.white_elo[record] if view.white_elo[record] > 0 else 0
    out[10] = number >> 8
    out[11] = number & 255
    number = view.black_elo[record] if view.black_elo[record] > 0 else 0
    out[12] = number >> 8
    out[13] = number & 255
    number = round_number(writer.names[ROUND_NAME])
    if writer.reference:
        number = reference_round(writer.names[ROUND_NAME])
    out[14] = number >> 8
    out[15] = number & 255
    out[16] = eco.letter
    out[17] = eco.number
    out[18] = reserved_flags(writer, FLAG_POSITION | FLAG_TAGS) | (FLAG_POSITION if writer.custom else 0)


def write_date(writer, out):
    """Year, month and day; bytes that made no sense go back as they came, if nothing has changed."""
    view = writer.view
    year: cython.int = view.year[writer.record]
    month: cython.int = view.month[writer.record]
    day: cython.int = view.day[writer.record]
    kept: Text = extra_of(writer, b"bcgn.date", 4)
    if year > 9999 or month > 12 or day > 31:
        lose(writer, LOSS_DATE)
        year = year if year <= 9999 else 0
        month = month if month <= 12 else 0
        day = day if day <= 31 else 0
    if kept.length and not writer.reference:
        old_year: cython.int = kept.data[0] << 8 | kept.data[1]
        year = old_year if year == 0 and old_year > 9999 else year
        month = kept.data[2] if month == 0 and kept.data[2] > 12 else month
        day = kept.data[3] if day == 0 and kept.data[3] > 31 else day
    out[0] = year >> 8
    out[1] = year & 255
    out[2] = month
    out[3] = day


def eco_to_write(writer):
    """Letter and number; the reference program writes A00 for a code that is missing."""
    eco: Eco = eco_of(writer.names[ECO_NAME])
    kept: Text
    if eco.letter == 0 and writer.reference:
        eco.letter = ord("A")
    elif not writer.given >> TAG_ECO & 1:
        kept = extra_of(writer, b"bcgn.eco", 2)
        if kept.length:
            eco.letter = kept.data[0]
            eco.number = kept.data[1]
    return eco


def cut_length(writer, text):
    """Return how much of a text is written: 255 bytes at most, but no part of a character."""
    length: cython.Py_ssize_t = LONGEST_STRING
    if text.length <= length:
        return text.length
    if not writer.reference:
        while length and text.data[length] & 0xC0 == 0x80:
            length -= 1
    return length


def put_text(writer, text):
    """Write a string: a byte for its length, then its bytes."""
    length: cython.Py_ssize_t = cut_length(writer, text)
    if length < text.length:
        lose(writer, LOSS_TEXT)
    put_byte(writer, length)
    put(writer, text.data, length)


# --- additional tags -------------------------------------------------------------------------------------------------


def put_tag(writer, name, value):
    if writer.tags == 0:
        writer.tags = writer.out.size
        put_byte(writer, 0)
    if writer.failed:
        return
    if writer.out.data[writer.tags] == MOST_TAGS:
        lose(writer, LOSS_TAGS)
        return
    writer.out.data[writer.tags] += 1
    put_text(writer, name)
    put_text(writer, value)


def put_field_tag(writer, field, value, length):
    name: Text
    text: Text
    name.data = letters_of_tag(field)
    name.length = TAG_NAMES.length[field]
    text.data = value
    text.length = length
    put_tag(writer, name, text)


def write_name_tags(writer):
    """Write the tags with columns whose fields are missing or do not hold the whole value."""
    view = writer.view
    text: Text
    field: cython.int
    for name in range(NAME_COUNT):
        field = TAG_NAMES.of_name[name]
        text = writer.names[name]
        if (writer.given & ~writer.listed) >> field & 1 and not is_exact(field, text):
            put_field_tag(writer, field, text.data, text.length)
    if view.white_elo[writer.record] == 0 and not writer.listed >> TAG_WHITE_ELO & 1:
        put_field_tag(writer, TAG_WHITE_ELO, b"0", 1)
    if view.black_elo[writer.record] == 0 and not writer.listed >> TAG_BLACK_ELO & 1:
        put_field_tag(writer, TAG_BLACK_ELO, b"0", 1)
    if writer.odd_start and not writer.listed >> TAG_FEN & 1:
        text = text_at(cython.address(view.start), writer.record)
        if text.length > LONGEST_STRING:
            lose(writer, LOSS_START)
        else:
            put_field_tag(writer, TAG_FEN, text.data, text.length)


def write_result_tag(writer):
    """No text for no result at all; the text of a result that has no number. Before all that is listed."""
    result: cython.int = writer.view.result[writer.record]
    text: cython.p_const_char = b""
    if writer.listed >> TAG_RESULT & 1:
        if result != NO_RESULT and first_listed(writer, TAG_RESULT).length:
            return
    elif result != NO_RESULT:
        if not POINT_RESULTS <= result < RESULTS:
            return
        text = result_text(result)
    put_field_tag(writer, TAG_RESULT, cython.cast("const uint8_t*", text), strlen(text))


def is_start(writer, text):
    """Return whether this is the FEN of the start position, word for word."""
    start: Text = text_at(cython.address(writer.view.start), writer.record)
    return (
        writer.view.has_start[writer.record]
        and start.length == text.length
        and memcmp(start.data, text.data, text.length) == 0
    )


def write_other_tags(writer):
    """Write the list of tags in order, and start positions that were found beside the real one."""
    view = writer.view
    record: cython.Py_ssize_t = writer.record
    value: Text
    if writer.listed >> TAG_FEN & 1:
        # Of a FEN given twice the first is the start position. One that is not would not be read as a FEN again.
        value = first_listed(writer, TAG_FEN)
        if not is_start(writer, value):
            lose(writer, LOSS_START)
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        put_tag(writer, text_at(cython.address(view.tag_names), index), text_at(cython.address(view.tag_values), index))
    write_other_starts(writer)


def write_other_starts(writer):
    """Write the FEN tags that were not the start position; beside the real one they would be read as mere tags."""
    view = writer.view
    board: Board
    value: Text
    stored: cython.pointer[cython.const[uint8_t]] = writer.packed
    place: cython.Py_ssize_t = find_extra(writer.view, writer.record, b"bcgn.fen", view.extra_ends[writer.record])
    if not writer.custom:
        stored = writer.standard_packed
    if place < 0:
        return
    value = text_at(cython.address(view.extra_values), place)
    told: cython.bint = (
        writer.odd_start
        or writer.listed >> TAG_FEN & 1
        or packs_to(value.data, cut_length(writer, value), stored, cython.address(board))
    )
    while place >= 0:
        value = text_at(cython.address(view.extra_values), place)
        if told:
            lose(writer, LOSS_START)
        else:
            put_field_tag(writer, TAG_FEN, value.data, value.length)
        place = find_extra(writer.view, writer.record, b"bcgn.fen", place + 1)


def count_unkept(writer):
    """Count what the reference program does not keep although it has fields for it."""
    if writer.odd_start:
        lose(writer, LOSS_START)
    if writer.view.result[writer.record] == NO_RESULT:
        lose(writer, LOSS_RESULT)
    field: cython.int
    for name in range(NAME_COUNT):
        field = TAG_NAMES.of_name[name]
        if field == TAG_ANNOTATOR or writer.listed >> field & 1:
            continue
        if writer.given >> field & 1:
            if not is_exact(field, writer.names[name]):
                lose(writer, LOSS_CHANGED)
        elif field == TAG_ECO:
            lose(writer, LOSS_CHANGED)
