"""The BCGN writer: reads the columns of a batch, writes entries. Linear in the size of the batch.

Main lines only; a line ends before its first null move at levels that have none. Every move is checked by the rules,
because a single wrong one would change all moves after it.
"""

from libc.stdint cimport uint8_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset, strlen

from tabiya.chess.board cimport Board
from tabiya.chess.fen_kernel cimport MAX_FEN, read_fen, start_board
from tabiya.formats.bcgn.bit_stream cimport BitWriter, end_bits
from tabiya.formats.bcgn.fields cimport (
    BARE_HEADER, FIXED_HEADER, FLAG_POSITION, FLAG_TAGS, LONGEST_ENTRY, LONGEST_STRING, MOST_TAGS, PACKED_BYTES, Eco,
    Text, eco_of, is_exact, reference_round, round_number, tag_of
)
from tabiya.formats.bcgn.lines cimport write_line
from tabiya.formats.bcgn.moves cimport LEVEL_BITS, LEVEL_PLAIN, MOST_MOVE_BYTES
from tabiya.formats.bcgn.position_kernel cimport (
    PACKED, PACKED_CASTLING, format_start, pack_board, packs_to
)
from tabiya.formats.bcgn.writing cimport (
    FITS, LOSS_CHANGED, LOSS_COUNT, LOSS_DATE, LOSS_RESULT, LOSS_START, LOSS_TAGS, LOSS_TEXT, REFUSED_LENGTH,
    REFUSED_PIECES, REFUSED_RULES, REFUSED_START, Writer, lose, put, put_byte, reserve, text_at
)
from tabiya.game.batch_view cimport find_extra
from tabiya.game.columns cimport ECO_NAME, NAME_COUNT, NO_RESULT, ROUND_NAME
from tabiya.game.growing cimport grow
from tabiya.game.spelling cimport POINT_RESULTS, RESULTS, plain_result, result_text
from tabiya.game.tag_names_kernel cimport (
    TAG_ANNOTATOR, TAG_BLACK_ELO, TAG_ECO, TAG_FEN, TAG_NAMES, TAG_RESULT, TAG_WHITE_ELO, letters_of_tag
)
from tabiya.game.view_kernel cimport BatchView

# === headers ==========================================================================================================
# The header of an entry: reads the columns of a record, writes its fields, strings and additional tags.
#
# Values that a field cannot reproduce exactly (``Round "1.7"``, a FEN with counters, a date in an unusual spelling) are
# written as an additional tag, too. Linear in the size of the tags.

# --- contents of a record --------------------------------------------------------------------------------------------


cdef void take_names(Writer* writer) noexcept nogil:
    """Look up the names of the record, and which tags with fields are in its list of tags."""
    view = writer.view
    cdef int index
    writer.given = writer.listed = 0
    writer.tags = 0
    for column in range(NAME_COUNT):
        index = view.names[column][writer.record]
        if index >= 0:
            writer.names[column] = text_at(&view.interned[column], index)
            writer.given |= 1 << TAG_NAMES.of_name[column]
        else:
            writer.names[column].data = NULL
            writer.names[column].length = 0
    for tag in range(view.tag_ends[writer.record], view.tag_ends[writer.record + 1]):
        writer.listed |= 1 << tag_of(text_at(&view.tag_names, tag))


cdef Text first_listed(const Writer* writer, int field) noexcept nogil:
    """Return the value of the first listed tag for a field; there must be one."""
    view = writer.view
    cdef Py_ssize_t index = view.tag_ends[writer.record]
    while tag_of(text_at(&view.tag_names, index)) != field:
        index += 1
    return text_at(&view.tag_values, index)


cdef Text extra_of(const Writer* writer, const char* key, Py_ssize_t length) noexcept nogil:
    """Return the bytes of the first extra with this key if it has this length, else none."""
    cdef Text text
    cdef Py_ssize_t index = find_extra(writer.view, writer.record, key, writer.view.extra_ends[writer.record])
    if index >= 0:
        text = text_at(&writer.view.extra_values, index)
        if text.length == length:
            return text
    text.data = NULL
    text.length = 0
    return text


cdef int reserved_flags(const Writer* writer, int known) noexcept nogil:
    """Return the flag bits without a meaning today, as they were read."""
    cdef Text text
    if writer.reference:
        return 0
    text = extra_of(writer, b"bcgn.flags", 1)
    return text.data[0] & ~known if text.length else 0


cdef int set_start(Writer* writer) noexcept nogil:
    """Put the start position on the board; return FITS, or why an entry cannot store it."""
    view = writer.view
    cdef Text fen = text_at(&view.start, writer.record)
    cdef unsigned char plain[MAX_FEN]
    cdef int code
    writer.board = writer.standard
    writer.custom = writer.unusual_start = False
    if not view.has_start[writer.record]:
        return FITS
    if not read_fen(fen.data, fen.length, False, &writer.board):
        return REFUSED_START
    code = pack_board(&writer.board, writer.packed)
    if code != PACKED or writer.board.chess960:
        return REFUSED_RULES if code == PACKED_CASTLING or writer.board.chess960 else REFUSED_PIECES
    cdef bint usual = memcmp(writer.packed, writer.standard_packed, PACKED_BYTES) == 0
    writer.unusual_start = (
        format_start(&writer.board, plain) != fen.length
        or memcmp(plain, fen.data, fen.length) != 0
        or (usual and writer.reference)
    )
    # The standard position is written only where that is lossless: a tag also states that it was given.
    writer.custom = not usual or not writer.unusual_start
    return FITS


# --- fields ----------------------------------------------------------------------------------------------------------


cdef void write_header(Writer* writer) noexcept nogil:
    """Write the header except its lengths and the number of moves; these are filled in later."""
    cdef Text value
    view = writer.view
    cdef Py_ssize_t flags
    cdef Py_ssize_t rest
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
        value = text_at(&view.extra_values, rest)
        put(writer, value.data, value.length)


cdef void write_bare_header(Writer* writer) noexcept nogil:
    """Write the header of an entry without tags."""
    cdef int result = writer.view.result[writer.record]
    out = reserve(writer, BARE_HEADER)
    if out == NULL:
        return
    out[2] = 0
    out[3] = plain_result(0 if result == NO_RESULT else result)
    out[4] = reserved_flags(writer, FLAG_POSITION) | (FLAG_POSITION if writer.custom else 0)
    if writer.custom:
        put(writer, writer.packed, PACKED_BYTES)
    if writer.unusual_start:
        lose(writer, LOSS_START)
    if result == NO_RESULT:
        lose(writer, LOSS_RESULT)


cdef void write_fixed(Writer* writer) noexcept nogil:
    """Write the fields of fixed size; the lengths and the number of moves are not yet known."""
    view = writer.view
    cdef Py_ssize_t record = writer.record
    cdef int number
    cdef Eco eco = eco_to_write(writer)
    out = reserve(writer, FIXED_HEADER)
    if out == NULL:
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


cdef void write_date(Writer* writer, uint8_t* out) noexcept nogil:
    """Write year, month and day; invalid bytes are written back unchanged, if nothing has changed."""
    cdef int old_year
    view = writer.view
    cdef int year = view.year[writer.record]
    cdef int month = view.month[writer.record]
    cdef int day = view.day[writer.record]
    cdef Text kept = extra_of(writer, b"bcgn.date", 4)
    if year > 9999 or month > 12 or day > 31:
        lose(writer, LOSS_DATE)
        year = year if year <= 9999 else 0
        month = month if month <= 12 else 0
        day = day if day <= 31 else 0
    if kept.length and not writer.reference:
        old_year = kept.data[0] << 8 | kept.data[1]
        year = old_year if year == 0 and old_year > 9999 else year
        month = kept.data[2] if month == 0 and kept.data[2] > 12 else month
        day = kept.data[3] if day == 0 and kept.data[3] > 31 else day
    out[0] = year >> 8
    out[1] = year & 255
    out[2] = month
    out[3] = day


cdef Eco eco_to_write(const Writer* writer) noexcept nogil:
    """Return letter and number; the reference program writes A00 for a missing code."""
    cdef Eco eco = eco_of(writer.names[ECO_NAME])
    cdef Text kept
    if eco.letter == 0 and writer.reference:
        eco.letter = ord("A")
    elif not writer.given >> TAG_ECO & 1:
        kept = extra_of(writer, b"bcgn.eco", 2)
        if kept.length:
            eco.letter = kept.data[0]
            eco.number = kept.data[1]
    return eco


cdef Py_ssize_t cut_length(const Writer* writer, Text text) noexcept nogil:
    """Return how much of a text is written: at most 255 bytes, and no partial character."""
    cdef Py_ssize_t length = LONGEST_STRING
    if text.length <= length:
        return text.length
    if not writer.reference:
        while length and text.data[length] & 0xC0 == 0x80:
            length -= 1
    return length


cdef void put_text(Writer* writer, Text text) noexcept nogil:
    """Write a string: a byte for its length, then its bytes."""
    cdef Py_ssize_t length = cut_length(writer, text)
    if length < text.length:
        lose(writer, LOSS_TEXT)
    put_byte(writer, length)
    put(writer, text.data, length)


# --- additional tags -------------------------------------------------------------------------------------------------


cdef void put_tag(Writer* writer, Text name, Text value) noexcept nogil:
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


cdef void put_field_tag(Writer* writer, int field, const uint8_t* value, Py_ssize_t length) noexcept nogil:
    cdef Text name
    cdef Text text
    name.data = letters_of_tag(field)
    name.length = TAG_NAMES.length[field]
    text.data = value
    text.length = length
    put_tag(writer, name, text)


cdef void write_name_tags(Writer* writer) noexcept nogil:
    """Write the tags with columns whose fields are missing or do not hold the whole value."""
    view = writer.view
    cdef Text text
    cdef int field
    for name in range(NAME_COUNT):
        field = TAG_NAMES.of_name[name]
        text = writer.names[name]
        if (writer.given & ~writer.listed) >> field & 1 and not is_exact(field, text):
            put_field_tag(writer, field, text.data, text.length)
    if view.white_elo[writer.record] == 0 and not writer.listed >> TAG_WHITE_ELO & 1:
        put_field_tag(writer, TAG_WHITE_ELO, b"0", 1)
    if view.black_elo[writer.record] == 0 and not writer.listed >> TAG_BLACK_ELO & 1:
        put_field_tag(writer, TAG_BLACK_ELO, b"0", 1)
    if writer.unusual_start and not writer.listed >> TAG_FEN & 1:
        text = text_at(&view.start, writer.record)
        if text.length > LONGEST_STRING:
            lose(writer, LOSS_START)
        else:
            put_field_tag(writer, TAG_FEN, text.data, text.length)


cdef void write_result_tag(Writer* writer) noexcept nogil:
    """Write no text for no result at all; the text of a result that has no number. Before all listed tags."""
    cdef int result = writer.view.result[writer.record]
    cdef const char* text = b""
    if writer.listed >> TAG_RESULT & 1:
        if result != NO_RESULT and first_listed(writer, TAG_RESULT).length:
            return
    elif result != NO_RESULT:
        if not POINT_RESULTS <= result < RESULTS:
            return
        text = result_text(result)
    put_field_tag(writer, TAG_RESULT, <const uint8_t*> text, strlen(text))


cdef bint is_start(const Writer* writer, Text text) noexcept nogil:
    """Return whether this is exactly the FEN of the start position."""
    cdef Text start = text_at(&writer.view.start, writer.record)
    return (
        writer.view.has_start[writer.record]
        and start.length == text.length
        and memcmp(start.data, text.data, text.length) == 0
    )


cdef void write_other_tags(Writer* writer) noexcept nogil:
    """Write the list of tags in order, and start positions found in addition to the real one."""
    view = writer.view
    cdef Py_ssize_t record = writer.record
    cdef Text value
    if writer.listed >> TAG_FEN & 1:
        # Of a FEN given twice the first is the start position. One that is not would not be read as a FEN again.
        value = first_listed(writer, TAG_FEN)
        if not is_start(writer, value):
            lose(writer, LOSS_START)
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        put_tag(writer, text_at(&view.tag_names, index), text_at(&view.tag_values, index))
    write_other_starts(writer)


cdef void write_other_starts(Writer* writer) noexcept nogil:
    """Write the FEN tags that were not the start position; next to the real one they are read as ordinary tags."""
    view = writer.view
    cdef Board board
    cdef Text value
    cdef const uint8_t* stored = writer.packed
    cdef Py_ssize_t place = find_extra(writer.view, writer.record, b"bcgn.fen", view.extra_ends[writer.record])
    if not writer.custom:
        stored = writer.standard_packed
    if place < 0:
        return
    value = text_at(&view.extra_values, place)
    cdef bint has_pgn_tags = (
        writer.unusual_start
        or writer.listed >> TAG_FEN & 1
        or packs_to(value.data, cut_length(writer, value), stored, &board)
    )
    while place >= 0:
        value = text_at(&view.extra_values, place)
        if has_pgn_tags:
            lose(writer, LOSS_START)
        else:
            put_field_tag(writer, TAG_FEN, value.data, value.length)
        place = find_extra(writer.view, writer.record, b"bcgn.fen", place + 1)


cdef void count_unkept(Writer* writer) noexcept nogil:
    """Count what the reference program does not keep although it has fields for it."""
    if writer.unusual_start:
        lose(writer, LOSS_START)
    if writer.view.result[writer.record] == NO_RESULT:
        lose(writer, LOSS_RESULT)
    cdef int field
    for name in range(NAME_COUNT):
        field = TAG_NAMES.of_name[name]
        if field == TAG_ANNOTATOR or writer.listed >> field & 1:
            continue
        if writer.given >> field & 1:
            if not is_exact(field, writer.names[name]):
                lose(writer, LOSS_CHANGED)
        elif field == TAG_ECO:
            lose(writer, LOSS_CHANGED)


# === entries ==========================================================================================================

def write_games(
    BatchView batch not None, int level, bint headerless, bint reference, uint8_t[::1] refused not None
) -> tuple:
    """Write a batch of games.

    Args:
        batch: the records.
        level: compression level.
        headerless: whether to omit the tags.
        reference: whether to write what the reference program writes, quirks included.
        refused: receives per record 0, or why it is omitted.

    Returns:
        The bytes, and per kind of loss (count, position of the first record in the batch).
    """
    cdef Writer writer
    cdef long long losses[LOSS_COUNT]
    cdef Py_ssize_t firsts[LOSS_COUNT]
    if refused.shape[0] != batch.view.records or not LEVEL_PLAIN <= level <= LEVEL_BITS:
        raise ValueError("the buffers do not fit the batch, or there is no such level")
    memset(&writer, 0, sizeof(Writer))
    writer.view = &batch.view
    writer.level = level
    writer.headerless = headerless
    writer.reference = reference
    with nogil:
        start_board(&writer.standard)
        pack_board(&writer.standard, writer.standard_packed)
        while writer.record < writer.view.records and not writer.failed:
            # The losses of an omitted record count only as its omission.
            for kind in range(LOSS_COUNT):
                losses[kind] = writer.losses[kind]
                firsts[kind] = writer.first_loss[kind]
            refused[writer.record] = write_entry(&writer)
            if refused[writer.record] != FITS:
                writer.out.size = writer.entry
                for kind in range(LOSS_COUNT):
                    writer.losses[kind] = losses[kind]
                    writer.first_loss[kind] = firsts[kind]
            writer.record += 1
    try:
        if writer.failed:
            raise MemoryError("no memory for the entries of a batch")
        data = writer.out.data[: writer.out.size] if writer.out.size else b""
        return data, [(writer.losses[kind], writer.first_loss[kind]) for kind in range(LOSS_COUNT)]
    finally:
        free(writer.out.data)


cdef int write_entry(Writer* writer) noexcept nogil:
    """Write one record; return FITS, or why it cannot be written."""
    cdef int plies = 0
    cdef Py_ssize_t header
    cdef Py_ssize_t length
    cdef int code
    writer.entry = writer.out.size
    code = set_start(writer)
    if code != FITS:
        return code
    write_header(writer)
    header = writer.out.size - writer.entry
    code = write_movetext(writer, &plies)
    if code != FITS or writer.failed:
        return code
    length = writer.out.size - writer.entry
    if length > LONGEST_ENTRY:
        return REFUSED_LENGTH
    entry = writer.out.data + writer.entry
    entry[0] = length >> 8
    entry[1] = length & 255
    if not writer.headerless:
        entry[2] = header >> 8
        entry[3] = header & 255
        entry += 2
    entry[2] = plies >> 6
    entry[3] |= plies << 2 & 255
    return FITS


cdef int write_movetext(Writer* writer, int* plies) noexcept nogil:
    """Write the moves of the main line and count them."""
    view = writer.view
    board = &writer.board
    cdef Py_ssize_t size = view.move_ends[writer.record + 1] - view.move_ends[writer.record]
    tape = view.moves + view.move_ends[writer.record]
    cdef BitWriter bits
    cdef int code
    if not grow(&writer.out, MOST_MOVE_BYTES * size + 8):
        writer.failed = True
        return FITS
    memset(&bits, 0, sizeof(BitWriter))
    bits.data = writer.out.data + writer.out.size
    code = write_line(board, writer.level, tape, size, &bits, plies)
    if code != FITS:
        return code
    end_bits(&bits)
    writer.out.size += bits.size
    return FITS
