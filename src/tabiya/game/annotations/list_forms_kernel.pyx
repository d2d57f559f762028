"""The text forms of values that are lists: evaluations of a whole game, periods of a time control, links.

Part of ``forms_kernel``, with the same rules. Linear in the length of a value.
"""

from libc.stdint cimport int64_t

from tabiya.chess.letters cimport (
    BACKSLASH, BAR, CLOSE_PAREN, COMMA, DOT, MINUS, OPEN_PAREN, PLUS, QUOTE, SLASH, SPACE, is_digit
)
from tabiya.game.annotations.commands cimport ends_head
from tabiya.game.annotations.escapes cimport put_escaped, put_unescaped
from tabiya.game.annotations.payload cimport big_endian, put_big_endian, put_letter, put_number, take_number
from tabiya.game.growing cimport grow
from tabiya.game.utf8 cimport ascii_length, is_utf8

cdef int64_t MOST_BYTE = 255
cdef int64_t MOST_SHORT = 65535
cdef int64_t MOST_LONG = 4294967295

# --- evaluations of a game -------------------------------------------------------------------------------------------

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


# --- time controls ---------------------------------------------------------------------------------------------------

cdef int PERIODS = 3
cdef int PERIOD_SIZE = 11
cdef int REST_OF_GAME = 1000
cdef int OF_STAGE = 1
cdef int OF_REST = 3


cdef bint parse_periods(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """``90m/40+30m+(15m+10s)``; missing periods are zeros."""
    cdef Py_ssize_t place = 0
    cdef int periods = 0
    if not grow(out, PERIODS * PERIOD_SIZE):
        return False
    while True:
        if periods == PERIODS or not take_period(text, length, &place, out):
            return False
        periods += 1
        if place == length:
            break
        place += 1  # "+"
    for _ in range((PERIODS - periods) * PERIOD_SIZE):
        put_letter(out, 0)
    return True


cdef bint take_period(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place, Bytes* out) noexcept nogil:
    """Read time, increment, moves and kind; they are followed by ``+``, or nothing."""
    cdef bint bracket = place[0] < length and text[place[0]] == OPEN_PAREN
    cdef int64_t time
    cdef int64_t increment = 0
    cdef int64_t moves = REST_OF_GAME
    cdef int64_t kind = -1
    place[0] += bracket
    time = take_span(text, length, place)
    if bracket:
        if place[0] >= length or text[place[0]] != PLUS:
            return False
        place[0] += 1
        increment = take_span(text, length, place)
        if place[0] >= length or text[place[0]] != CLOSE_PAREN:
            return False
        place[0] += 1
    if place[0] < length and text[place[0]] == SLASH:
        place[0] += 1
        moves = take_number(text, length, place, 5)
        if moves < 0:
            return False
    if place[0] < length and text[place[0]] == BAR:
        place[0] += 1
        kind = take_number(text, length, place, 3)
        if kind < 0:
            return False
    if place[0] < length and text[place[0]] != PLUS:
        return False
    if kind < 0:
        kind = OF_REST if place[0] == length else OF_STAGE
    if not 0 <= time <= MOST_LONG or not 0 <= increment <= MOST_LONG or moves > MOST_SHORT or kind > MOST_BYTE:
        return False
    put_big_endian(out, time, 4)
    put_big_endian(out, increment, 4)
    put_big_endian(out, moves, 2)
    put_big_endian(out, kind, 1)
    return True


cdef int64_t take_span(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place) noexcept nogil:
    """``90m``, ``1h30m``, ``12.5s`` in hundredths of a second; -1 if invalid."""
    cdef int64_t total = -1
    cdef int64_t number
    cdef int unit = 0  # 1 hours, 2 minutes, 3 seconds
    cdef Py_ssize_t begin
    cdef int64_t decimals
    while place[0] < length and is_digit(text[place[0]]) and unit < 3:
        begin = place[0]
        number = take_number(text, length, place, 9)
        decimals = 0
        if number >= 0 and place[0] < length and text[place[0]] == DOT:
            place[0] += 1
            begin = place[0]
            decimals = take_number(text, length, place, 2)
            if decimals < 0 or place[0] >= length or text[place[0]] != ord("s"):
                return -1
            if place[0] - begin == 1:
                decimals *= 10
        if number < 0 or place[0] >= length:
            return -1
        if text[place[0]] == ord("h") and unit < 1 and place[0] - begin <= 6:
            unit = 1
            number *= 360000
        elif text[place[0]] == ord("m") and unit < 2 and place[0] - begin <= 8:
            unit = 2
            number *= 6000
        elif text[place[0]] == ord("s"):
            unit = 3
            number = 100 * number + decimals
        else:
            return -1
        place[0] += 1
        total = (0 if total < 0 else total) + number
    return total


cdef void put_span(Bytes* out, int64_t hundredths) noexcept nogil:
    cdef int64_t minutes = hundredths // 6000
    cdef int rest = hundredths % 6000
    if minutes:
        put_number(out, minutes)
        put_letter(out, ord("m"))
    if rest == 0 and minutes:
        return
    put_number(out, rest // 100)
    rest %= 100
    if rest:
        put_letter(out, DOT)
        put_letter(out, ord("0") + rest // 10)
        if rest % 10:
            put_letter(out, ord("0") + rest % 10)
    put_letter(out, ord("s"))


cdef bint format_periods(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    """Write the inverse of ``parse_periods``; memory for three periods is reserved."""
    cdef Py_ssize_t used = length
    cdef int moves
    if length != PERIODS * PERIOD_SIZE:
        return False
    while used and data[used - 1] == 0:
        used -= 1
    used = (used + PERIOD_SIZE - 1) // PERIOD_SIZE
    for index in range(used):
        if index:
            put_letter(out, PLUS)
        if big_endian(data + 4, 4):
            put_letter(out, OPEN_PAREN)
            put_span(out, big_endian(data, 4))
            put_letter(out, PLUS)
            put_span(out, big_endian(data + 4, 4))
            put_letter(out, CLOSE_PAREN)
        else:
            put_span(out, big_endian(data, 4))
        moves = big_endian(data + 8, 2)
        if moves != REST_OF_GAME:
            put_letter(out, SLASH)
            put_number(out, moves)
        if data[10] != (OF_REST if index + 1 == used else OF_STAGE):
            put_letter(out, BAR)
            put_number(out, data[10])
        data += PERIOD_SIZE
    return used > 0


# --- links -----------------------------------------------------------------------------------------------------------


cdef bint is_readable(const uint8_t* text, Py_ssize_t length, bint utf8) noexcept nogil:
    return ascii_length(text, length) == length or (utf8 and is_utf8(text, length))


cdef Py_ssize_t skip_blanks(const uint8_t* text, Py_ssize_t length, Py_ssize_t place) noexcept nogil:
    while place < length and ends_head(text[place]):
        place += 1
    return place


cdef bint parse_strings(const uint8_t* text, Py_ssize_t length, bint utf8, Bytes* out) noexcept nogil:
    """``"address" "text"``, the text is optional: write the total length, then each string after its length."""
    cdef Py_ssize_t begin = out.size
    cdef Py_ssize_t place = skip_blanks(text, length, 0)
    cdef Py_ssize_t size
    if not grow(out, length + 5):
        return False
    out.size += 2
    if not take_string(text, length, &place, utf8, out):
        return False
    place = skip_blanks(text, length, place)
    if place == length:
        put_letter(out, 0)
    elif not take_string(text, length, &place, utf8, out):
        return False
    size = out.size - begin
    out.data[begin] = size & 255
    out.data[begin + 1] = size >> 8
    return skip_blanks(text, length, place) == length


cdef bint take_string(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place, bint utf8, Bytes* out) noexcept nogil:
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
    if size > MOST_BYTE or not is_readable(out.data + head + 1, size, utf8):
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


cdef bint format_strings(const uint8_t* data, Py_ssize_t length, bint utf8, Bytes* out) noexcept nogil:
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
    if not is_readable(data + 3, first, utf8) or not is_readable(data + 4 + first, second, utf8):
        return False
    if not put_quoted(data + 3, first, out) or not grow(out, 1):
        return False
    put_letter(out, SPACE)
    return put_quoted(data + 4 + first, second, out)
