"""The text forms of values in commands: clocks, evaluations, squares and arrows, medals, links, base64.

Reads the arguments of a command and writes ChessBase's payload, and vice versa. Only usual spellings are read; all
other arguments, and payloads that their text would not return, are left to the classes of ``tabiya.game.annotations``;
tests verify that this module agrees with them. Linear in the length of a value.

Every function reserves memory for its output first; False can also mean that memory is exhausted.
"""

from libc.stdint cimport int64_t
from libc.string cimport memcmp, memcpy

from tabiya.chess.letters cimport (
    BACKSLASH, BAR, CLOSE_BRACKET, COLON, COMMA, DOT, EQUALS, HASH, MINUS, PLUS, QUOTE, SLASH, SPACE, is_digit, is_file,
    is_lower, is_rank, is_upper
)
from tabiya.game.annotations.commands cimport ENTRY_HEAD, describe, ends_head, entry_end
from tabiya.game.annotations.escapes cimport hex_value, put_escaped, put_unescaped
from tabiya.game.annotations.kinds cimport (
    KIND_ARROWS, KIND_BLACK_CLOCK, KIND_EVALUATION, KIND_SQUARES, KIND_TIME_SPENT, KIND_WHITE_CLOCK
)
from tabiya.game.annotations.payload cimport (
    big_endian, put_big_endian, put_hex, put_letter, put_letters, put_number, take_number
)
from tabiya.game.columns cimport close_annotation, close_annotation_with_raw, put_bytes, put_uint8
from tabiya.game.growing cimport grow
from tabiya.game.spelling cimport format_digits, look_up
from tabiya.game.utf8 cimport ascii_length

# === frequent values ==================================================================================================
# The most common annotations: clocks, times spent, evaluations, coloured squares, arrows.
#
# Converts between the text in a command of PGN and ChessBase's payload.
#
# Only usual spellings are read here; all other arguments are left to the classes of ``tabiya.game.annotations``; tests
# verify that this module agrees with them. Linear, a few steps per letter.

cdef int HIGHEST = 32767
cdef int PAWNS = 0
cdef int MATE = 1


cdef bint put_value(Columns* columns, int kind, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Add a value, read from a text without blanks, to the open annotation, and close that.

    A non-canonical spelling is kept beside it. False if it is an unusual one, and the annotation stays open.
    """
    cdef uint8_t payload[LONGEST_PAYLOAD]
    cdef uint8_t spelling[LONGEST_VALUE]
    cdef int size
    cdef int letters
    if kind == KIND_SQUARES or kind == KIND_ARROWS:
        if not parse_marks(columns, kind, text, length):
            return False
        close_annotation(columns)
        return True
    if length > LONGEST_VALUE:
        return False
    size = parse_value(kind, text, length, payload)
    if size < 0:
        return False
    put_bytes(columns, &columns.annotation_data.data, payload, size)
    letters = format_value(kind, payload, size, False, spelling)
    if letters == length and memcmp(spelling, text, letters) == 0:
        close_annotation(columns)
    else:
        close_annotation_with_raw(columns, text, length)
    return True


cdef int parse_value(int kind, const uint8_t* text, Py_ssize_t length, uint8_t* payload) noexcept nogil:
    """Write the payload of a time or an evaluation without blanks; return its length, or -1 for an unusual spelling."""
    if kind == KIND_EVALUATION:
        return parse_evaluation(text, length, payload)
    return parse_time(kind, text, length, payload)


cdef int format_value(int kind, const uint8_t* payload, Py_ssize_t length, bint plain, uint8_t* out) noexcept nogil:
    """Write the usual spelling, at most LONGEST_VALUE letters; return the number of letters, or -1 if there is none.

    ``plain``: the spelling that other programs read, which may contain less.
    """
    if kind == KIND_EVALUATION:
        return format_evaluation(payload, length, plain, out)
    return format_time(kind, payload, length, plain, out)


cdef bint fits_spelling(const View* view, Py_ssize_t annotation) noexcept nogil:
    """Return whether kernels can read the spelling of a value found in PGN, and it still matches."""
    cdef Py_ssize_t begin = view.annotation_data.ends[annotation]
    cdef Py_ssize_t size = view.annotation_data.ends[annotation + 1] - begin
    cdef Py_ssize_t raw = view.annotation_raw.ends[annotation]
    cdef Py_ssize_t length = view.annotation_raw.ends[annotation + 1] - raw
    cdef uint8_t found[LONGEST_PAYLOAD]
    if not 0 < length <= LONGEST_VALUE:
        return False
    return (
        parse_value(view.annotation_kind[annotation], view.annotation_raw.data + raw, length, found) == size
        and memcmp(found, view.annotation_data.data + begin, size) == 0
    )


cdef int spelling_of(const View* view, Py_ssize_t annotation, bint plain, uint8_t* out) noexcept nogil:
    """Write the letters of a time or an evaluation: as found, if that still matches, else the usual spelling."""
    cdef int kind = view.annotation_kind[annotation]
    cdef Py_ssize_t begin = view.annotation_data.ends[annotation]
    cdef Py_ssize_t size = view.annotation_data.ends[annotation + 1] - begin
    cdef const uint8_t* raw = view.annotation_raw.data + view.annotation_raw.ends[annotation]
    cdef Py_ssize_t length = view.annotation_raw.ends[annotation + 1] - view.annotation_raw.ends[annotation]
    if view.annotation_has_raw[annotation] and fits_spelling(view, annotation):
        if not plain or is_common(kind, raw, length):
            memcpy(out, raw, length)
            return length
    return format_value(kind, view.annotation_data.data + begin, size, plain, out)


cdef bint can_write(const View* view, Py_ssize_t annotation) noexcept nogil:
    """Return whether an annotation is a value that this module writes."""
    cdef int kind = view.annotation_kind[annotation]
    cdef Py_ssize_t begin = view.annotation_data.ends[annotation]
    cdef Py_ssize_t end = view.annotation_data.ends[annotation + 1]
    cdef int width = 3 if kind == KIND_ARROWS else 2
    cdef uint8_t letters[LONGEST_VALUE]
    if view.annotation_lang[annotation]:
        return False
    if kind == KIND_SQUARES or kind == KIND_ARROWS:
        if (end - begin) % width:
            return False
        while begin < end:
            if format_mark(kind, view.annotation_data.data + begin, False, letters) == 0:
                return False
            begin += width
        return True
    if kind == KIND_EVALUATION or kind == KIND_TIME_SPENT or kind == KIND_WHITE_CLOCK or kind == KIND_BLACK_CLOCK:
        return format_value(kind, view.annotation_data.data + begin, end - begin, False, letters) > 0
    return False


cdef bint is_common(int kind, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Return whether other programs read this spelling of a value."""
    cdef bint point = False
    cdef int decimals = -1
    for place in range(length):
        if text[place] == SLASH or text[place] == BAR or text[place] == ord("M"):
            return False
        point |= text[place] == DOT or text[place] == HASH
        if text[place] == DOT:
            decimals = 0
        elif decimals >= 0:
            decimals = decimals + 1 if is_digit(text[place]) else -1
        if kind == KIND_EVALUATION and decimals > 2:
            return False
    if kind == KIND_EVALUATION:
        return point
    return length >= 7 and text[length - 3] == COLON and text[length - 6] == COLON  # H:MM:SS


cdef int take_decimals(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place) noexcept nogil:
    """Return the decimals at ``place``, nine at most, as hundredths, rounded and so 100 at most; else -1."""
    cdef Py_ssize_t begin = place[0]
    cdef int found = take_digits(text, length, place, 9)
    cdef Py_ssize_t digits = place[0] - begin
    if found < 0:
        return -1
    if digits < 3:
        return 10 * found if digits == 1 else found
    return 10 * (text[begin] - ord("0")) + text[begin + 1] - ord("0") + (text[begin + 2] >= ord("5"))


cdef int take_digits(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place, int most) noexcept nogil:
    """Return the number at ``place``, of at most this many digits, and skip it; -1 if there is none or it is longer."""
    cdef int number = 0
    cdef Py_ssize_t begin = place[0]
    cdef Py_ssize_t at = begin
    while at < length and is_digit(text[at]):
        if at - begin == most:
            return -1
        number = 10 * number + text[at] - ord("0")
        at += 1
    place[0] = at
    return number if at > begin else -1


cdef int put_two(uint8_t* out, int number) noexcept nogil:
    """Write a number with at least two digits."""
    if number > 99:
        return format_digits(out, number)
    out[0] = ord("0") + number // 10
    out[1] = ord("0") + number % 10
    return 2


# --- times -----------------------------------------------------------------------------------------------------------


cdef int parse_time(int kind, const uint8_t* text, Py_ssize_t length, uint8_t* payload) noexcept nogil:
    """``1:29:45``, ``29:45`` or ``45``, with decimals: ``0:00:05.37``; of a time spent a flag, ``0:00:45|30``."""
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t begin
    cdef int hours = 0
    cdef int minutes = 0
    cdef int seconds = 0
    cdef int hundredths = 0
    cdef int colons = 0
    cdef int flag = -1
    cdef Py_ssize_t bar = 0
    while bar < length and text[bar] != BAR:
        bar += 1
    if bar < length:
        place = bar + 1
        flag = take_digits(text, length, &place, 3)
        if kind != KIND_TIME_SPENT or flag < 0 or place < length:
            return -1
        place = 0
        length = bar
    seconds = take_digits(text, length, &place, 4)
    while seconds >= 0 and colons < 2 and place < length and text[place] == COLON:
        place += 1
        colons += 1
        hours = minutes
        minutes = seconds
        seconds = take_digits(text, length, &place, 4)
    if seconds < 0:
        return -1
    if place < length:
        if text[place] != DOT:
            return -1
        begin = place + 1
        place = begin
        hundredths = take_decimals(text, length, &place)
        if hundredths < 0 or place < length:
            return -1
        if place - begin == 2 and colons == 1 and length == 7 and text[1] == COLON and hundredths < 60:
            # Relays of live games write hours:minutes.seconds, "0:15.47" in a game of two hours, never beyond .59.
            hours = minutes
            minutes = seconds
            seconds = hundredths
            hundredths = 0
    if kind != KIND_TIME_SPENT:
        return put_clock(payload, 100 * (3600 * <unsigned int> hours + 60 * minutes + seconds) + hundredths)
    seconds += hundredths // 100
    hundredths %= 100
    if flag >= 0:
        if hundredths or flag > 255:
            return -1
        hundredths = flag
    if colons < 2:
        minutes += seconds // 60
        seconds %= 60
        hours += minutes // 60
        minutes %= 60
    if hours > 255 or minutes > 255 or seconds > 255:
        return -1
    payload[0] = hours
    payload[1] = minutes
    payload[2] = seconds
    payload[3] = hundredths
    return 4


cdef int put_clock(uint8_t* payload, unsigned int hundredths) noexcept nogil:
    for index in range(4):
        payload[index] = hundredths >> 8 * (3 - index) & 255
    return 4


cdef int format_time(int kind, const uint8_t* payload, Py_ssize_t length, bint plain, uint8_t* out) noexcept nogil:
    """Write the inverse of ``parse_time``; the flag of a time spent follows a bar."""
    cdef int letters
    cdef int hundredths = 0
    cdef unsigned int total
    if length != 4:
        return -1
    if kind == KIND_TIME_SPENT:
        letters = format_digits(out, payload[0])
        out[letters] = COLON
        letters += 1 + put_two(out + letters + 1, payload[1])
        out[letters] = COLON
        letters += 1 + put_two(out + letters + 1, payload[2])
        if payload[3] and not plain:
            out[letters] = BAR
            letters += 1 + format_digits(out + letters + 1, payload[3])
        return letters
    total = <unsigned int> payload[0] << 24 | payload[1] << 16 | payload[2] << 8 | payload[3]
    hundredths = total % 100
    total //= 100
    letters = format_digits(out, total // 3600)
    out[letters] = COLON
    letters += 1 + put_two(out + letters + 1, total // 60 % 60)
    out[letters] = COLON
    letters += 1 + put_two(out + letters + 1, total % 60)
    if hundredths:
        out[letters] = DOT
        out[letters + 1] = ord("0") + hundredths // 10
        out[letters + 2] = ord("0") + hundredths % 10
        letters += 3 if hundredths % 10 else 2
    return letters


# --- evaluations -----------------------------------------------------------------------------------------------------


cdef int parse_evaluation(const uint8_t* text, Py_ssize_t length, uint8_t* payload) noexcept nogil:
    """``+1.50/20``, ``0.17``, ``2.35,30``, ``#-3/25``, ``M5``; a whole number before a comma means hundredths."""
    cdef Py_ssize_t place = 0
    cdef int value
    cdef int decimals = -1
    cdef int depth = 0
    cdef int mark = 0
    cdef bint mate = length > 0 and (text[0] == HASH or text[0] == ord("M"))
    cdef bint negative
    place += mate
    negative = place < length and text[place] == MINUS
    place += negative or (place < length and text[place] == PLUS)
    value = take_digits(text, length, &place, 5)
    if value < 0:
        return -1
    if not mate and place < length and text[place] == DOT:
        place += 1
        decimals = take_decimals(text, length, &place)
        if decimals < 0:
            return -1
    if place < length:
        mark = text[place]
        place += 1
        depth = take_digits(text, length, &place, 5)
        if (mark != SLASH and mark != COMMA) or depth < 0 or place < length:
            return -1
    if not mate and (decimals >= 0 or mark != COMMA):
        value = 100 * value + (decimals if decimals > 0 else 0)
    if value > HIGHEST or depth > HIGHEST:
        return -1
    if negative:
        value = -value
    payload[0] = value & 255
    payload[1] = value >> 8 & 255
    payload[2] = mate
    payload[3] = 0
    payload[4] = depth & 255
    payload[5] = depth >> 8
    return 6


cdef int format_evaluation(const uint8_t* payload, Py_ssize_t length, bint plain, uint8_t* out) noexcept nogil:
    """``+1.50/20``, ``#-3/25``; plain ``1.50,20``."""
    cdef int value
    cdef int type_
    cdef int depth
    cdef int letters = 0
    if length != 6:
        return -1
    value = payload[0] | payload[1] << 8
    type_ = payload[2] | payload[3] << 8
    depth = payload[4] | payload[5] << 8
    if (type_ != PAWNS and type_ != MATE) or (depth > HIGHEST and not plain):
        return -1
    if type_ == MATE:
        out[0] = HASH
        letters = 1
    if value > HIGHEST:
        value = 65536 - value
        out[letters] = MINUS
        letters += 1
    elif type_ == PAWNS and not plain:
        out[0] = PLUS
        letters = 1
    if type_ == MATE:
        letters += format_digits(out + letters, value)
    else:
        letters += format_digits(out + letters, value // 100)
        out[letters] = DOT
        letters += 1 + put_two(out + letters + 1, value % 100)
    if 0 < depth <= HIGHEST:
        out[letters] = COMMA if plain else SLASH
        letters += 1 + format_digits(out + letters + 1, depth)
    return letters


# --- coloured squares and arrows -------------------------------------------------------------------------------------


cdef int color_of(int letter) noexcept nogil:
    """ChessBase's number of a colour; a colour that it lacks is its letter. 0 for other letters."""
    if letter == ord("G"):
        return 2
    if letter == ord("Y"):
        return 3
    if letter == ord("R"):
        return 4
    if letter == ord("B"):
        return 7
    return letter if is_upper(letter) else 0


cdef int letter_of(int color) noexcept nogil:
    """Return the inverse, 0 if there is none."""
    if color == 2:
        return ord("G")
    if color == 3:
        return ord("Y")
    if color == 4:
        return ord("R")
    if color == 7:
        return ord("B")
    return color if is_upper(color) and color_of(color) == color else 0


cdef int square_at(const uint8_t* text) noexcept nogil:
    """ChessBase's number of a square, from 1, which counts up the files; 0 if invalid."""
    if is_file(text[0]) and is_rank(text[1]):
        return 8 * (text[0] - ord("a")) + text[1] - ord("0")
    return 0


cdef bint parse_marks(Columns* columns, int kind, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Append the payload of ``Ge4,Re5`` or ``Ge2e4,Rd7d5`` to the data of annotations. False if it is invalid."""
    cdef Py_ssize_t place = 0
    cdef int letters = 5 if kind == KIND_ARROWS else 3
    data = &columns.annotation_data.data
    while place < length:
        if text[place] == COMMA:  # extra commas are ignored
            place += 1
            continue
        if length - place < letters or color_of(text[place]) == 0:
            return False
        if place + letters < length and text[place + letters] != COMMA:
            return False
        put_uint8(columns, data, color_of(text[place]))
        for square in range(1, letters, 2):
            if square_at(text + place + square) == 0:
                return False
            put_uint8(columns, data, square_at(text + place + square))
        place += letters
    return True


cdef int format_mark(int kind, const uint8_t* mark, bint plain, uint8_t* out) noexcept nogil:
    """Write the letters of one square or arrow; 0 if it has none, or needs another colour than G Y R B."""
    cdef int letters = 1
    cdef int square
    out[0] = letter_of(mark[0])
    if out[0] == 0 or (plain and mark[0] > 7):
        return 0
    for index in range(1, 3 if kind == KIND_ARROWS else 2):
        square = mark[index]
        if square < 1 or square > 64:
            return 0
        out[letters] = ord("a") + (square - 1) // 8
        out[letters + 1] = ord("1") + (square - 1) % 8
        letters += 2
    return letters


# === evaluations of a game ============================================================================================

cdef int64_t MOST_BYTE = 255
cdef int64_t MOST_SHORT = 65535
cdef int64_t MOST_LONG = 4294967295

cdef int NO_VALUE = 32767
cdef int LOWEST_VALUE = -32768
cdef int MATE_VALUE = 30000
cdef int LONGEST_MATE = 1000
cdef int TYPE_PAWNS = 0
cdef int TYPE_MATE = 1
cdef int TYPE_NONE = 255


cdef bint parse_profile(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """``first,last,values``: the entries before the first are empty."""
    cdef Py_ssize_t place = 0
    cdef int members = 0
    cdef int first = 0
    cdef int count = 0
    cdef int number = 0
    while True:
        if not take_value(text, length, &place, &number):
            return False
        if members == 0:
            first = number
        elif members == 1:
            count = number + 1
            if not 0 <= first <= count <= MOST_SHORT or not grow(out, 2 + 4 * count):
                return False
            put_big_endian(out, count, 2)
            for _ in range(first):
                put_entry(out, NO_VALUE)
        elif first + members - 2 >= count or not put_entry(out, number):
            return False
        members += 1
        if place == length:
            return members >= 2 and first + members - 2 == count
        if text[place] != COMMA:
            return False
        place += 1


cdef bint take_value(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place, int* number) noexcept nogil:
    """Return a number of at most five digits, with or without a sign."""
    cdef bint negative = place[0] < length and text[place[0]] == MINUS
    cdef int64_t found
    place[0] += negative or (place[0] < length and text[place[0]] == PLUS)
    found = take_number(text, length, place, 5)
    number[0] = <int> (-found if negative else found)
    return found >= 0


cdef bint put_entry(Bytes* out, int number) noexcept nogil:
    """Write the four bytes of an entry: type, depth, value; False if the value does not fit."""
    cdef int plies = MATE_VALUE - abs(number)
    if number == NO_VALUE:
        put_big_endian(out, <int64_t> TYPE_NONE << 24, 4)
    elif 0 <= plies < LONGEST_MATE:
        put_big_endian(out, TYPE_MATE << 8, 2)
        put_big_endian(out, plies if number > 0 else -plies, 2)
    elif LOWEST_VALUE <= number <= NO_VALUE:
        put_big_endian(out, TYPE_PAWNS << 8, 2)
        put_big_endian(out, number, 2)
    else:
        return False
    return True


cdef bint format_profile(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    """Write the inverse of ``parse_profile``; False if an entry cannot be represented (depths, unknown types)."""
    cdef Py_ssize_t count
    cdef Py_ssize_t first = 0
    cdef int number = 0
    cdef int value
    if length < 2:
        return False
    count = big_endian(data, 2)
    if length != 2 + 4 * count:
        return False
    while first < count and data[2 + 4 * first] == TYPE_NONE:
        first += 1
    if first == count or not grow(out, 12 + 7 * count):
        return False
    put_number(out, first)
    put_letter(out, COMMA)
    put_number(out, count - 1)
    for index in range(first, count):
        value = big_endian(data + 4 + 4 * index, 2)
        value -= 65536 if value > NO_VALUE else 0
        if data[2 + 4 * index] == TYPE_MATE:
            # A mate on the board belongs to the side that was to give it.
            number = MATE_VALUE - value if value > 0 or (value == 0 and number > 0) else -MATE_VALUE - value
        else:
            number = value if data[2 + 4 * index] == TYPE_PAWNS else NO_VALUE
        put_letter(out, COMMA)
        put_number(out, number)
    return True


# === links ============================================================================================================
# Only ASCII: the encoding of other texts depends on the record.


cdef Py_ssize_t skip_blanks(const uint8_t* text, Py_ssize_t length, Py_ssize_t place) noexcept nogil:
    while place < length and ends_head(text[place]):
        place += 1
    return place


cdef bint parse_strings(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """``"address" "text"``, the text is optional: write the total length, then each string after its length."""
    cdef Py_ssize_t begin = out.size
    cdef Py_ssize_t place = skip_blanks(text, length, 0)
    cdef Py_ssize_t size
    if not grow(out, length + 5):
        return False
    out.size += 2
    if not take_string(text, length, &place, out):
        return False
    place = skip_blanks(text, length, place)
    if place == length:
        put_letter(out, 0)
    elif not take_string(text, length, &place, out):
        return False
    size = out.size - begin
    out.data[begin] = size & 255
    out.data[begin + 1] = size >> 8
    return skip_blanks(text, length, place) == length


cdef bint take_string(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place, Bytes* out) noexcept nogil:
    """Append the quoted string at ``place``, after its length."""
    cdef Py_ssize_t begin = place[0] + 1
    cdef Py_ssize_t at = begin
    cdef Py_ssize_t head = out.size
    cdef Py_ssize_t size
    if place[0] >= length or text[place[0]] != QUOTE:
        return False
    while at < length and text[at] != QUOTE:
        at += 2 if text[at] == BACKSLASH else 1
    if at >= length:
        return False
    place[0] = at + 1
    put_letter(out, 0)
    if not put_unescaped(out, text + begin, at - begin):
        return False
    size = out.size - head - 1
    if size > MOST_BYTE or ascii_length(out.data + head + 1, size) < size:
        return False
    out.data[head] = size
    return True


cdef bint put_quoted(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """Append a text in quotes."""
    if not grow(out, 1):
        return False
    put_letter(out, QUOTE)
    if not put_escaped(out, text, length, True) or not grow(out, 1):
        return False
    put_letter(out, QUOTE)
    return True


cdef bint format_strings(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    cdef Py_ssize_t first
    cdef Py_ssize_t second
    if length < 4 or data[0] | data[1] << 8 != length:
        return False
    first = data[2]
    if 4 + first > length:
        return False
    second = data[3 + first]
    if 4 + first + second != length:
        return False
    if ascii_length(data + 3, first) < first or ascii_length(data + 4 + first, second) < second:
        return False
    if not put_quoted(data + 3, first, out) or not grow(out, 1):
        return False
    put_letter(out, SPACE)
    return put_quoted(data + 4 + first, second, out)


# === all forms ========================================================================================================

cdef Py_ssize_t ENTRY_SIZE = 160  # enough for any text of a fixed number of members, and the entry of its command


cdef bint put_form(
    Columns* columns, const Command* command, const uint8_t* text, Py_ssize_t length
) noexcept nogil:
    """Add a value to the open annotation, and close that; False if it has an unusual spelling, and it stays open."""
    if not parse_form(command, text, length, &columns.annotation_data.data):
        return False
    close_annotation(columns)
    return True


cdef int kind_of_form(const Command* command, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Return the kind of the value of a command, or -1 if only Python can read it."""
    if command.form != FORM_ANY_KIND:
        return command.kind
    if length < 2 or hex_value(text[0]) < 0 or hex_value(text[1]) < 0 or (length > 2 and text[2] != SPACE):
        return -1
    cdef int kind = 16 * hex_value(text[0]) + hex_value(text[1])
    return kind if command.words_length == 256 and command.words[kind] else -1


cdef bint find_form(
    const uint8_t* table, Py_ssize_t length, int kind, Command* command, const uint8_t** entry
) noexcept nogil:
    """Find the command for annotations of a kind, and its entry in the table; False if there is none."""
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t end = entry_end(table, length, 0)
    while end >= 0:
        describe(command, table + place)
        entry[0] = table + place
        # A kind's own command comes before those of other programs for it.
        if command.form == FORM_ANY_KIND:
            if kind < command.words_length and command.words[kind]:
                return True
        elif command.form and command.kind == kind:
            return True
        place = end
        end = entry_end(table, length, place)
    return False


cdef bint put_command(
    const View* view, Py_ssize_t annotation, const uint8_t* table, Py_ssize_t table_length, Bytes* out
) noexcept nogil:
    """Append ``[%name arguments]``; False if the value has no usual text form."""
    cdef Command command
    cdef const uint8_t* entry = NULL
    cdef int kind = view.annotation_kind[annotation]
    cdef Py_ssize_t begin = view.annotation_data.ends[annotation]
    cdef Py_ssize_t arguments
    if view.annotation_has_raw[annotation] or view.annotation_lang[annotation]:
        return False
    if not find_form(table, table_length, kind, &command, &entry):
        return False
    if not grow(out, ENTRY_SIZE + entry[0]):
        return False
    put_letters(out, b"[%", 2)
    put_letters(out, entry + ENTRY_HEAD, entry[0])
    put_letter(out, SPACE)
    arguments = out.size
    if not format_form(
        &command,
        kind,
        view.annotation_data.data + begin,
        view.annotation_data.ends[annotation + 1] - begin,
        out,
    ):
        return False
    out.size -= out.size == arguments  # no blank without arguments
    if not grow(out, 1):
        return False
    put_letter(out, CLOSE_BRACKET)
    return True


cdef bint is_exact(
    const View* view, Py_ssize_t annotation, const uint8_t* table, Py_ssize_t table_length, Bytes* scratch
) noexcept nogil:
    """Return whether a value has a usual text form, from which it is read back unchanged."""
    cdef Command command
    cdef const uint8_t* entry = NULL
    cdef const uint8_t* data = view.annotation_data.data + view.annotation_data.ends[annotation]
    cdef Py_ssize_t size = view.annotation_data.ends[annotation + 1] - view.annotation_data.ends[annotation]
    cdef Py_ssize_t head
    cdef Py_ssize_t length
    scratch.size = 0
    if not put_command(view, annotation, table, table_length, scratch):
        return False
    find_form(table, table_length, view.annotation_kind[annotation], &command, &entry)
    if command.form == FORM_BASE64 or command.form == FORM_ANY_KIND:
        return True
    head = 3 + entry[0]
    length = scratch.size
    # Reserve memory first: reading must not invalidate its source.
    if not grow(scratch, length + 2 * size + ENTRY_SIZE):
        return False
    if not parse_form(&command, scratch.data + head, length - head - 1, scratch):
        return False
    return scratch.size - length == size and memcmp(scratch.data + length, data, size) == 0


cdef bint parse_form(
    const Command* command, const uint8_t* text, Py_ssize_t length, Bytes* out
) noexcept nogil:
    """Append the payload of a value; False if it has an unusual spelling."""
    cdef int form = command.form
    if form == FORM_BASE64:
        return parse_base64(text, length, out)
    if form == FORM_BYTE or form == FORM_LONG:
        return parse_number(text, length, 1 if form == FORM_BYTE else 4, out)
    if form == FORM_WORD or form == FORM_WORDS:
        return parse_words(command, text, length, out)
    if form == FORM_PROFILE:
        return parse_profile(text, length, out)
    if form == FORM_STRINGS:
        return parse_strings(text, length, out)
    if form == FORM_ANY_KIND:
        return length == 2 or parse_base64(text + 3, length - 3, out)
    return False


cdef bint format_form(
    const Command* command, int kind, const uint8_t* data, Py_ssize_t length, Bytes* out
) noexcept nogil:
    """Append the arguments of a value's command; False if it has none. ENTRY_SIZE bytes are reserved already."""
    cdef int form = command.form
    if form == FORM_BASE64:
        return format_base64(data, length, out)
    if form == FORM_BYTE or form == FORM_LONG:
        return format_number(data, length, 1 if form == FORM_BYTE else 4, out)
    if form == FORM_WORD or form == FORM_WORDS:
        return format_words(command, data, length, out)
    if form == FORM_PROFILE:
        return format_profile(data, length, out)
    if form == FORM_STRINGS:
        return format_strings(data, length, out)
    if form == FORM_ANY_KIND:
        put_hex(out, kind)
        if length == 0:
            return True
        put_letter(out, SPACE)
        return format_base64(data, length, out)
    return False


# --- base64 ----------------------------------------------------------------------------------------------------------


cdef int base64_value(int letter) noexcept nogil:
    """Return the six bits of a letter, or -1."""
    if is_upper(letter):
        return letter - ord("A")
    if is_lower(letter):
        return letter - ord("a") + 26
    if is_digit(letter):
        return letter - ord("0") + 52
    return 62 if letter == PLUS else 63 if letter == SLASH else -1


cdef bint parse_base64(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """Read complete groups with correct padding and no stray bits."""
    cdef int letter
    cdef Py_ssize_t place = 0
    cdef int bits
    cdef int padding = 0
    if length % 4 or not grow(out, length):
        return False
    while place < length:
        bits = 0
        for index in range(4):
            letter = text[place + index]
            if letter == EQUALS and place + 4 == length and index > 1 and text[length - 1] == EQUALS:
                padding += 1
                letter = ord("A")  # no bits
            if base64_value(letter) < 0:
                return False
            bits = bits << 6 | base64_value(letter)
        if bits & (1 << 8 * padding) - 1:
            return False
        put_big_endian(out, bits, 3)
        place += 4
    out.size -= padding
    return True


cdef bint format_base64(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    cdef const char* digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    cdef Py_ssize_t place = 0
    cdef int bits
    if not grow(out, length // 3 * 4 + 4):
        return False
    while place < length:
        bits = data[place] << 16
        bits |= data[place + 1] << 8 if place + 1 < length else 0
        bits |= data[place + 2] if place + 2 < length else 0
        put_letter(out, digits[bits >> 18])
        put_letter(out, digits[bits >> 12 & 63])
        put_letter(out, digits[bits >> 6 & 63] if place + 1 < length else EQUALS)
        put_letter(out, digits[bits & 63] if place + 2 < length else EQUALS)
        place += 3
    return True


# --- numbers and words -----------------------------------------------------------------------------------------------


cdef bint parse_number(const uint8_t* text, Py_ssize_t length, int size, Bytes* out) noexcept nogil:
    cdef Py_ssize_t place = 0
    cdef int64_t number = take_number(text, length, &place, 10)
    if place < length or not 0 <= number <= (MOST_BYTE if size == 1 else MOST_LONG) or not grow(out, size):
        return False
    put_big_endian(out, number, size)
    return True


cdef bint format_number(const uint8_t* data, Py_ssize_t length, int size, Bytes* out) noexcept nogil:
    if length != size:
        return False
    put_number(out, big_endian(data, size))
    return True


cdef bint put_word(const Command* command, int value, Bytes* out) noexcept nogil:
    """Write the word of a value, for which memory is reserved; False if it has none."""
    cdef Py_ssize_t place = 0
    words = command.words
    while place + 2 <= command.words_length:
        if words[place + 1] == value:
            put_letters(out, words + place + 2, words[place])
            return True
        place += 2 + words[place]
    return False


cdef bint parse_words(const Command* command, const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """Read one word, whose value is one byte; or several separated by commas, whose values are bits."""
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t begin = 0
    cdef int64_t bits = 0
    cdef int found = -1
    while place <= length:
        if place == length or (text[place] == COMMA and command.form == FORM_WORDS):
            found = look_up(command.words, command.words_length, text + begin, place - begin)
            if found < 0 or found > 31 or not grow(out, 4):
                return False
            bits |= <int64_t> 1 << found
            begin = place + 1
        place += 1
    put_big_endian(out, bits if command.form == FORM_WORDS else found, 4 if command.form == FORM_WORDS else 1)
    return True


cdef bint format_words(const Command* command, const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    cdef int64_t bits
    if not grow(out, command.words_length):
        return False
    if command.form == FORM_WORD:
        return length == 1 and put_word(command, data[0], out)
    if length != 4:
        return False
    bits = big_endian(data, 4)
    for bit in range(32):
        if bits >> bit & 1:
            if not put_word(command, bit, out):
                return False
            put_letter(out, COMMA)
    out.size -= bits != 0  # the last comma
    return bits != 0
