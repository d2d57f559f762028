"""The most common annotations: clocks, times spent, evaluations, coloured squares, arrows.

Converts between the text in a command of PGN and ChessBase's payload.

Only usual spellings are read here; all other arguments are left to the classes of ``tabiya.game.annotations``; tests
verify that this module agrees with them. Linear, a few steps per letter.
"""

from libc.string cimport memcmp, memcpy

from tabiya.chess.letters cimport BAR, COLON, COMMA, DOT, HASH, MINUS, PLUS, SLASH, is_digit, is_file, is_rank, is_upper
from tabiya.game.annotations.kinds cimport (
    KIND_ARROWS, KIND_BLACK_CLOCK, KIND_EVALUATION, KIND_SQUARES, KIND_TIME_SPENT, KIND_WHITE_CLOCK
)
from tabiya.game.columns cimport close_annotation, close_annotation_with_raw, put_bytes, put_uint8
from tabiya.game.spelling cimport format_digits

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
