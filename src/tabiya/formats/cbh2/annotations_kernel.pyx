"""Reads the annotations of a game: the content of a record of ``.2cba``, in linear time.

Blocks of a position (the number of a move on the tape, -1 for the whole game), a count, and that many annotations: a
type and its data, without a length. So an unknown type ends the reading of a record. Columns contain the payload that
the same annotation has in a classic base; where that has no place for a value, the whole record is kept as well.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free

from tabiya.chessbase.text_kernel cimport TEXT_EXACT, TEXT_NO_MEMORY, decode_text, is_mixed
from tabiya.formats.cbh2.reading cimport Annotations, Moves
from tabiya.game.annotations.kinds cimport (
    KIND_ARROWS, KIND_BLACK_CLOCK, KIND_CRITICAL_POSITION, KIND_EVALUATION, KIND_EVALUATION_PROFILE, KIND_MEDALS,
    KIND_PAWN_STRUCTURE, KIND_PIECE_PATH, KIND_QUOTATION, KIND_SQUARES, KIND_SYMBOLS, KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE, KIND_TIME_CONTROL, KIND_TIME_SPENT, KIND_TRAINING, KIND_VARIATION_COLOR, KIND_VIDEO,
    KIND_VIDEO_STREAM_TIME, KIND_WEB_LINK, KIND_WHITE_CLOCK
)
from tabiya.game.columns cimport (
    SIDE_AFTER, SIDE_BEFORE, Columns, annotation_count, close_annotation, cut_annotations, end_string, open_annotation,
    put_bytes, put_string, put_uint8
)
from tabiya.game.sink_kernel cimport order_annotations
from tabiya.game.utf8 cimport is_utf8

cdef int32_t END = 0x7FFFFFFF

# Types that classic bases have with unknown data, or not at all.
cdef enum:
    TYPE_8 = 0x08
    TYPE_27 = 0x27

# Results of reading one annotation.
cdef enum:
    READ = 0
    UNKNOWN = 1
    DAMAGED = 2

cdef enum:
    LONGEST_PAYLOAD = 65529  # of a classic base, whose lengths have 16 bits
    LONGEST_NAME = 255

# Nation codes of the languages of texts by number; 255 for numbers without a known language. 7 is any language.
cdef uint8_t[19] LANGUAGES = [
    42, 53, 49, 43, 70, 103, 117, 0, 255, 255, 255, 255, 116, 255, 255, 255, 255, 255, 55
]

# A string inside of the data.
ctypedef struct String:
    const uint8_t* data
    int64_t length


cdef void free_annotations(Annotations* annotations) noexcept nogil:
    free(annotations.scratch.data)
    free(annotations.room.data)


cdef bint read_annotations(
    Annotations* annotations, const uint8_t* data, Py_ssize_t size, const Moves* moves, Columns* columns
) noexcept nogil:
    """Append the annotations of a record; False without memory.

    ``moves`` is NULL for a game with unknown moves: all its annotations then belong to the whole game.
    """
    cdef Py_ssize_t first = annotation_count(columns)
    cdef int64_t last = -2
    cdef int64_t position
    annotations.data = data
    annotations.size = size
    annotations.place = 0
    annotations.exact = True
    annotations.strays = 0
    annotations.stop = annotations.unknown = -1
    while True:
        if annotations.place + 4 > size:
            stop(annotations, annotations.place)
            break
        position = take_number(annotations, 4)
        if position == END:
            break
        if position <= last:
            annotations.exact = False
        last = position
        if not read_block(annotations, position, moves, columns):
            break
    if annotations.place != size:
        annotations.exact = False
    if annotations.no_memory or columns.out_of_memory:
        return False
    order_annotations(columns, first, 0 if moves == NULL else moves.count, NULL, &annotations.room)
    return True


cdef void stop(Annotations* annotations, Py_ssize_t place) noexcept nogil:
    annotations.stop = place
    annotations.exact = False


cdef bint read_block(
    Annotations* annotations, int64_t position, const Moves* moves, Columns* columns
) noexcept nogil:
    """Read the annotations of one position; False if nothing after them can be read."""
    cdef Py_ssize_t begin
    cdef Py_ssize_t before
    cdef int64_t count
    cdef int move
    cdef int kind
    cdef int result
    if annotations.place + 4 > annotations.size:
        stop(annotations, annotations.place)
        return False
    count = take_number(annotations, 4)
    if count <= 0:
        annotations.exact = False
    while count > 0 and not annotations.no_memory and not columns.out_of_memory:
        count -= 1
        begin = annotations.place
        before = annotation_count(columns)
        if begin + 2 > annotations.size:
            stop(annotations, begin)
            return False
        kind = <int> take_number(annotations, 2) & 0xFFFF
        move = place_of(annotations, position, moves)
        result = read_annotation(annotations, kind, move, columns)
        if result != READ:
            cut_annotations(columns, before)
            stop(annotations, begin)
            annotations.unknown = kind if result == UNKNOWN else -1
            return False
        if move == -2:  # its move existed once
            cut_annotations(columns, before)
    return True


cdef int place_of(Annotations* annotations, int64_t position, const Moves* moves) noexcept nogil:
    """Return the move on the tape; -2 if it could not be read, so that the annotation has no place."""
    if moves == NULL:
        annotations.exact = False
        return -1
    if position == -1:
        return -1
    # Positions count the moves in the order of the tape. Where the moves break off, variations may be missing before
    # all but the first moves.
    if moves.broken and position > (moves.first_branch if moves.first_branch >= 0 else moves.count - 1):
        annotations.strays += 1
        annotations.exact = False
        return -2
    if 0 <= position < moves.count:
        return <int> position
    annotations.strays += 1
    annotations.exact = False
    return moves.main_last


# === the data =========================================================================================================

cdef int64_t take_number(Annotations* annotations, int size) noexcept nogil:
    """Return the next little-endian number, with a sign; there must be as many bytes."""
    cdef const uint8_t* data = annotations.data + annotations.place
    cdef int64_t number = data[size - 1] if size < 2 or data[size - 1] < 128 else <int64_t> data[size - 1] - 256
    for index in range(size - 2, -1, -1):
        number = number * 256 + data[index]
    annotations.place += size
    return number


cdef const uint8_t* take(Annotations* annotations, int64_t count) noexcept nogil:
    """Return the next bytes; NULL if there are fewer, or if their number is negative."""
    cdef const uint8_t* data = annotations.data + annotations.place
    if count < 0 or count > annotations.size - annotations.place:
        return NULL
    annotations.place += count
    return data


cdef bint take_string(Annotations* annotations, String* string) noexcept nogil:
    """Read a string after its length in four bytes; False if it is damaged."""
    if annotations.place + 4 > annotations.size:
        return False
    string.length = take_number(annotations, 4)
    string.data = take(annotations, string.length)
    return string.data != NULL


cdef bint expect(Annotations* annotations, int size, int64_t expected) noexcept nogil:
    """Read a number that has always had this value; False if it is missing."""
    if annotations.place + size > annotations.size:
        return False
    if take_number(annotations, size) != expected:
        annotations.exact = False
    return True


cdef void put_big_endian(Columns* columns, int64_t number, int size) noexcept nogil:
    for index in range(size - 1, -1, -1):
        put_uint8(columns, &columns.annotation_data.data, <int> (number >> 8 * index & 255))


cdef void put_little_endian(Columns* columns, int64_t number, int size) noexcept nogil:
    for index in range(size):
        put_uint8(columns, &columns.annotation_data.data, <int> (number >> 8 * index & 255))


cdef void put_reversed(Columns* columns, const uint8_t* data, int count) noexcept nogil:
    for index in range(count - 1, -1, -1):
        put_uint8(columns, &columns.annotation_data.data, data[index])


cdef int put_data(Columns* columns, int move, int kind, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    """Append an annotation with these bytes; DAMAGED if there are none."""
    if data == NULL:
        return DAMAGED
    open_annotation(columns, move, SIDE_AFTER, kind, 0)
    put_bytes(columns, &columns.annotation_data.data, data, length)
    close_annotation(columns)
    return READ


cdef int put_turned(Columns* columns, int move, int kind, const uint8_t* data, int length) noexcept nogil:
    """Append an annotation with these bytes in reverse order."""
    if data == NULL:
        return DAMAGED
    open_annotation(columns, move, SIDE_AFTER, kind, 0)
    put_reversed(columns, data, length)
    close_annotation(columns)
    return READ


cdef int read_annotation(Annotations* annotations, int kind, int move, Columns* columns) noexcept nogil:
    """Read the data of an annotation and append it; a kind that classic bases do not have is only skipped."""
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        return read_text(annotations, kind, move, columns)
    if kind == KIND_SYMBOLS:
        return read_symbols(annotations, move, columns)
    if kind == KIND_SQUARES or kind == KIND_ARROWS or kind == KIND_PIECE_PATH:
        return read_marks(annotations, kind, move, columns)
    # Hours, minutes, seconds and a fourth byte; red, green, blue and flags: both are the other way round.
    if kind == KIND_TIME_SPENT or kind == KIND_VARIATION_COLOR:
        return put_turned(columns, move, kind, take(annotations, 4), 4)
    if kind in (KIND_WHITE_CLOCK, KIND_BLACK_CLOCK, KIND_MEDALS, KIND_VIDEO_STREAM_TIME):
        return put_turned(columns, move, kind, take(annotations, 4), 4)
    if kind == KIND_PAWN_STRUCTURE or kind == KIND_CRITICAL_POSITION:
        return put_data(columns, move, kind, take(annotations, 1), 1)
    if kind == KIND_EVALUATION:
        return put_data(columns, move, kind, take(annotations, 6), 6)
    if kind == KIND_TIME_CONTROL:
        return read_time_control(annotations, move, columns)
    if kind == KIND_EVALUATION_PROFILE:
        return read_profile(annotations, move, columns)
    if kind == KIND_WEB_LINK:
        return read_link(annotations, move, columns)
    if kind == KIND_VIDEO:
        return read_video(annotations, move, columns)
    if kind == KIND_TRAINING:
        return read_training(annotations, move, columns)
    if kind == KIND_QUOTATION:
        return read_quotation(annotations, move, columns)
    if kind == TYPE_8 or kind == TYPE_27:
        annotations.exact = False
        return READ if take(annotations, 4 if kind == TYPE_8 else 2) != NULL else DAMAGED
    return UNKNOWN


cdef int language_of(Annotations* annotations, int64_t number) noexcept nogil:
    """Return the nation code of a language; 0, any language, for an unknown one."""
    cdef int found = LANGUAGES[number] if 0 <= number < 19 else 255
    if found == 255:
        annotations.exact = False
        return 0
    return found


cdef int read_text(Annotations* annotations, int kind, int move, Columns* columns) noexcept nogil:
    cdef String text
    cdef int language
    cdef int form
    if not expect(annotations, 2, 0) or annotations.place + 2 > annotations.size:
        return DAMAGED
    language = language_of(annotations, take_number(annotations, 2))
    if not take_string(annotations, &text):
        return DAMAGED
    open_annotation(columns, move, SIDE_BEFORE if kind == KIND_TEXT_BEFORE else SIDE_AFTER, kind, language)
    form = decode_text(
        &annotations.page, text.data, text.length, &columns.annotation_data.data, &annotations.scratch
    )
    if form == TEXT_NO_MEMORY:
        annotations.no_memory = True
    # The encoding of a text is no content: only a mixture of two, or signs in UTF-8, keep the bytes.
    if form == TEXT_EXACT or not (is_utf8(text.data, text.length) or is_mixed(text.data, text.length)):
        close_annotation(columns)
        return READ
    end_string(columns, &columns.annotation_data)
    put_uint8(columns, &columns.annotation_raw.data, 0)
    put_uint8(columns, &columns.annotation_raw.data, language)
    put_string(columns, &columns.annotation_raw, text.data, text.length)
    put_uint8(columns, &columns.annotation_has_raw, 1)
    return READ


cdef int read_symbols(Annotations* annotations, int move, Columns* columns) noexcept nogil:
    cdef const uint8_t* slots = take(annotations, 3)
    cdef int used = 3
    if slots == NULL:
        return DAMAGED
    while used and slots[used - 1] == 0:
        used -= 1
    return put_data(columns, move, KIND_SYMBOLS, slots, used if used else 3)


cdef int read_marks(Annotations* annotations, int kind, int move, Columns* columns) noexcept nogil:
    """Read squares, arrows, or the path of a piece: the same bytes as in classic bases, after their length."""
    cdef String marks
    if not take_string(annotations, &marks):
        return DAMAGED
    return put_data(columns, move, kind, marks.data, marks.length)


cdef int read_time_control(Annotations* annotations, int move, Columns* columns) noexcept nogil:
    cdef const uint8_t* period
    if not expect(annotations, 1, 1) or annotations.place + 37 > annotations.size:
        return DAMAGED
    open_annotation(columns, move, SIDE_AFTER, KIND_TIME_CONTROL, 0)
    for _ in range(3):
        period = take(annotations, 11)
        put_reversed(columns, period, 4)
        put_reversed(columns, period + 4, 4)
        put_reversed(columns, period + 8, 2)
        put_uint8(columns, &columns.annotation_data.data, period[10])
    close_annotation(columns)
    expect(annotations, 4, 0)
    return READ


cdef int read_profile(Annotations* annotations, int move, Columns* columns) noexcept nogil:
    """Read evaluations of all plies; here the flag is last, in classic bases it is first."""
    cdef const uint8_t* entry
    cdef int64_t length
    cdef int64_t count
    cdef Py_ssize_t end
    if not expect(annotations, 1, 1) or annotations.place + 6 > annotations.size:
        return DAMAGED
    length = take_number(annotations, 4)
    if length < 2 or length > annotations.size - annotations.place:
        return DAMAGED
    end = annotations.place + length
    count = take_number(annotations, 2) & 0xFFFF
    if 2 + 4 * count > length:
        return DAMAGED
    open_annotation(columns, move, SIDE_AFTER, KIND_EVALUATION_PROFILE, 0)
    put_big_endian(columns, count, 2)
    for _ in range(count):
        entry = take(annotations, 4)
        put_uint8(columns, &columns.annotation_data.data, entry[3])
        put_uint8(columns, &columns.annotation_data.data, entry[2])
        put_reversed(columns, entry, 2)
    close_annotation(columns)
    if annotations.place != end:
        annotations.exact = False
        annotations.place = end
    return READ


cdef int read_link(Annotations* annotations, int move, Columns* columns) noexcept nogil:
    cdef String url
    cdef String caption
    if not expect(annotations, 1, 1) or not take_string(annotations, &url) or not take_string(annotations, &caption):
        return DAMAGED
    if url.length > LONGEST_NAME or caption.length > LONGEST_NAME:
        annotations.exact = False  # no classic base could hold it
        return READ
    open_annotation(columns, move, SIDE_AFTER, KIND_WEB_LINK, 0)
    put_little_endian(columns, 4 + url.length + caption.length, 2)
    put_uint8(columns, &columns.annotation_data.data, <int> url.length)
    put_bytes(columns, &columns.annotation_data.data, url.data, url.length)
    put_uint8(columns, &columns.annotation_data.data, <int> caption.length)
    put_bytes(columns, &columns.annotation_data.data, caption.data, caption.length)
    close_annotation(columns)
    return READ


cdef int read_video(Annotations* annotations, int move, Columns* columns) noexcept nogil:
    """Read a video. That its number is a language is likely, but not certain, so the bytes are kept as well."""
    cdef String caption
    cdef int language
    annotations.exact = False
    if not expect(annotations, 2, 1) or annotations.place + 2 > annotations.size:
        return DAMAGED
    language = language_of(annotations, take_number(annotations, 2))
    if not take_string(annotations, &caption):
        return DAMAGED
    open_annotation(columns, move, SIDE_AFTER, KIND_VIDEO, 0)
    put_uint8(columns, &columns.annotation_data.data, 1)
    put_uint8(columns, &columns.annotation_data.data, language)
    put_bytes(columns, &columns.annotation_data.data, caption.data, caption.length)
    close_annotation(columns)
    return READ


# === training questions ===============================================================================================

cdef int read_training(Annotations* annotations, int move, Columns* columns) noexcept nogil:
    """Read a training question: one with moves as answers (variant 1), or a choice of texts (2), which is skipped."""
    cdef int variant
    cdef Py_ssize_t before = annotation_count(columns)
    cdef Py_ssize_t begin
    cdef int64_t length
    if not expect(annotations, 2, 0x0101) or annotations.place + 10 > annotations.size:
        return DAMAGED
    variant = annotations.data[annotations.place]
    if variant != 1 and variant != 2:
        return DAMAGED
    annotations.place += 1
    expect(annotations, 3, 0)
    open_annotation(columns, move, SIDE_AFTER, KIND_TRAINING, 0)
    begin = columns.annotation_data.data.size
    put_big_endian(columns, 0x0100010000, 5)  # version, and the length, which follows later
    put_bytes(columns, &columns.annotation_data.data, take(annotations, 6), 6)  # seconds, points
    for _ in range(4):
        if not read_texts(annotations, columns):
            return DAMAGED
    if not read_answers(annotations, variant, columns):
        return DAMAGED
    if columns.out_of_memory:
        return READ
    length = columns.annotation_data.data.size - begin
    if variant == 2 or length > LONGEST_PAYLOAD:
        cut_annotations(columns, before)
        annotations.exact = False
        return READ
    columns.annotation_data.data.data[begin + 3] = (length - 3) & 255
    columns.annotation_data.data.data[begin + 4] = (length - 3) >> 8
    close_annotation(columns)
    return READ


cdef bint read_texts(Annotations* annotations, Columns* columns) noexcept nogil:
    """Read a list of texts, which have a number and a length; the length has two bytes in classic bases."""
    cdef int64_t count
    cdef int64_t number
    cdef String text
    if annotations.place + 2 > annotations.size:
        return False
    count = take_number(annotations, 2) & 0xFFFF
    put_little_endian(columns, count, 2)
    for _ in range(count):
        if annotations.place + 2 > annotations.size:
            return False
        number = take_number(annotations, 2)
        if not take_string(annotations, &text):
            return False
        if text.length > 0xFFFF:
            return False
        put_little_endian(columns, number, 2)
        put_little_endian(columns, text.length, 2)
        put_bytes(columns, &columns.annotation_data.data, text.data, text.length)
    return True


cdef bint read_answers(Annotations* annotations, int variant, Columns* columns) noexcept nogil:
    cdef const uint8_t* answer
    cdef int count
    cdef int head = 4 if variant == 1 else 1
    if annotations.place + 1 > annotations.size:
        return False
    count = annotations.data[annotations.place]
    annotations.place += 1
    put_uint8(columns, &columns.annotation_data.data, count)
    for _ in range(count):
        answer = take(annotations, head)
        if answer == NULL:
            return False
        put_bytes(columns, &columns.annotation_data.data, answer, head)
        for _ in range(variant):
            if not read_texts(annotations, columns):
                return False
    return True


# === quotations =======================================================================================================

cdef enum:
    QUOTED_HEAD = 10     # after the byte of the version: kind, unknown, 1, 0
    QUOTED_FACTS = 35
    QUOTED_ROUNDS = 44
    QUOTED_START = 75    # a start position: 64 squares, 11 unknown bytes
    QUOTED_MOVE = 5
    END_OF_MOVES = 0x4000

ctypedef struct Quotation:
    int kind
    bint usual           # from the usual start position
    String names[6]      # White last and first, Black last and first, site, event
    const uint8_t* facts
    const uint8_t* rounds
    const uint8_t* moves
    int64_t count


cdef int read_quotation(Annotations* annotations, int move, Columns* columns) noexcept nogil:
    """Read a quotation. Much in it is unknown, so its bytes are kept as well."""
    cdef Quotation quotation
    annotations.exact = False
    if not take_quotation(annotations, &quotation):
        return DAMAGED
    if (
        joined_length(&quotation.names[0], &quotation.names[1]) > LONGEST_NAME
        or joined_length(&quotation.names[2], &quotation.names[3]) > LONGEST_NAME
        or quotation.count > LONGEST_PAYLOAD // 4
    ):
        return READ
    put_quotation(&quotation, annotations.quoted, move, columns)
    return READ


cdef bint take_quotation(Annotations* annotations, Quotation* quotation) noexcept nogil:
    cdef const uint8_t* head
    cdef String list_name
    if not expect(annotations, 1, 1):
        return False
    head = take(annotations, 9)  # kind, unknown, 1 and 0
    if head == NULL:
        return False
    quotation.kind = head[0] | head[1] << 8
    for index in range(6):
        if not take_name(annotations, &quotation.names[index]):
            return False
    quotation.facts = take(annotations, QUOTED_FACTS)
    quotation.rounds = take(annotations, QUOTED_ROUNDS)
    if quotation.facts == NULL or quotation.rounds == NULL:
        return False
    for _ in range(2):
        if take(annotations, 5) == NULL or not take_string(annotations, &list_name):
            return False
    head = take(annotations, 27)
    if head == NULL:
        return False
    quotation.usual = head[26] != 0
    if not quotation.usual and take(annotations, QUOTED_START) == NULL:
        return False
    if take(annotations, 2) == NULL or annotations.place + 4 > annotations.size:
        return False
    quotation.count = take_number(annotations, 4)
    if quotation.count < 0 or quotation.count > annotations.size // QUOTED_MOVE:
        return False
    quotation.moves = take(annotations, QUOTED_MOVE * quotation.count)
    return quotation.moves != NULL and take(annotations, 4) != NULL


cdef bint take_name(Annotations* annotations, String* name) noexcept nogil:
    """Read a name after its length in one byte, which counts the NUL at its end."""
    if annotations.place + 1 > annotations.size:
        return False
    name.length = annotations.data[annotations.place]
    annotations.place += 1
    name.data = take(annotations, name.length)
    if name.data == NULL:
        return False
    if name.length and name.data[name.length - 1] == 0:
        name.length -= 1
    return True


cdef int64_t joined_length(const String* last, const String* first) noexcept nogil:
    return last.length + (1 + first.length if first.length else 0)


cdef void put_joined(Columns* columns, const String* last, const String* first) noexcept nogil:
    """Append ``Last,First`` after its length, with a NUL behind it."""
    data = &columns.annotation_data.data
    put_uint8(columns, data, <int> joined_length(last, first))
    put_bytes(columns, data, last.data, last.length)
    if first.length:
        put_uint8(columns, data, c',')
        put_bytes(columns, data, first.data, first.length)
    put_uint8(columns, data, 0)


cdef int number_at(const uint8_t* data) noexcept nogil:
    return data[0] | data[1] << 8


cdef void put_quotation(
    const Quotation* quotation, const uint8_t* quoted, int move, Columns* columns
) noexcept nogil:
    """Append the payload of a classic base. A game from a set-up position is quoted without its moves."""
    cdef Py_ssize_t begin
    cdef Py_ssize_t length
    cdef const uint8_t* facts = quotation.facts
    cdef String none
    cdef bint has_moves = quotation.usual and quotation.kind == 2
    none.data = NULL
    none.length = 0
    open_annotation(columns, move, SIDE_AFTER, KIND_QUOTATION, 0)
    begin = columns.annotation_data.data.size
    put_big_endian(columns, 0, 2)
    put_big_endian(columns, quotation.kind if quotation.usual else 1, 2)
    put_big_endian(columns, 0, 2)
    put_joined(columns, &quotation.names[0], &quotation.names[1])
    put_joined(columns, &quotation.names[2], &quotation.names[3])
    put_big_endian(columns, number_at(facts + 28), 2)
    put_big_endian(columns, number_at(facts + 30), 2)
    put_big_endian(columns, number_at(facts + 32), 2)
    put_joined(columns, &quotation.names[5], &none)
    put_joined(columns, &quotation.names[4], &none)
    put_reversed(columns, facts, 4)
    put_big_endian(columns, facts[4], 2)
    put_big_endian(columns, facts[6], 2)
    put_big_endian(columns, 0, 2)
    put_big_endian(columns, facts[10], 2)
    put_uint8(columns, &columns.annotation_data.data, quotation.rounds[9])
    put_uint8(columns, &columns.annotation_data.data, quotation.rounds[8])
    put_uint8(columns, &columns.annotation_data.data, facts[34])
    put_big_endian(columns, 0, 2)
    put_quoted_moves(quotation, quoted, quotation.count if has_moves else 0, columns)
    if columns.out_of_memory:
        return
    length = columns.annotation_data.data.size - begin
    columns.annotation_data.data.data[begin] = length >> 8 & 255
    columns.annotation_data.data.data[begin + 1] = length & 255
    close_annotation(columns)


cdef void put_quoted_moves(
    const Quotation* quotation, const uint8_t* quoted, int64_t count, Columns* columns
) noexcept nogil:
    """Append the moves as two obfuscated bytes each, and the word that ends them."""
    cdef const uint8_t* stored = quotation.moves
    cdef int word
    for number in range(count):
        word = (stored[0] & 63) | (stored[1] & 63) << 6
        if stored[0] & 0x40:
            # Queen, knight, bishop, rook; in classic bases queen, rook, bishop, knight.
            word |= (-(stored[1] >> 6) & 3) << 12
        put_uint8(columns, &columns.annotation_data.data, (quoted[word >> 8] + number) & 255)
        put_uint8(columns, &columns.annotation_data.data, (quoted[word & 255] + number) & 255)
        stored += QUOTED_MOVE
    put_uint8(columns, &columns.annotation_data.data, (quoted[END_OF_MOVES >> 8] + count) & 255)
    put_uint8(columns, &columns.annotation_data.data, (quoted[0] + count) & 255)
