"""The text forms of values that are lists: evaluations of a whole game, periods of a time control, links.

Part of ``forms_kernel``, and by the same rules. Linear in the length of a value.
"""

import cython
from cython.cimports.libc.stdint import int64_t
from cython.cimports.tabiya.chess.letters import (
    BACKSLASH,
    BAR,
    CLOSE_PAREN,
    COMMA,
    DOT,
    MINUS,
    OPEN_PAREN,
    PLUS,
    QUOTE,
    SLASH,
    SPACE,
    is_digit,
)
from cython.cimports.tabiya.game.annotations.commands import ends_head
from cython.cimports.tabiya.game.annotations.escapes import put_escaped, put_unescaped
from cython.cimports.tabiya.game.annotations.payload import (
    big_endian,
    put_big_endian,
    put_letter,
    put_number,
    take_number,
)
from cython.cimports.tabiya.game.growing import grow
from cython.cimports.tabiya.game.utf8 import ascii_length, is_utf8

MOST_BYTE = cython.declare(int64_t, 255)
MOST_SHORT = cython.declare(int64_t, 65535)
MOST_LONG = cython.declare(int64_t, 4294967295)

# --- evaluations of a game -------------------------------------------------------------------------------------------

NO_VALUE = cython.declare(cython.int, 32767)
LOWEST_VALUE = cython.declare(cython.int, -32768)
MATE_VALUE = cython.declare(cython.int, 30000)
LONGEST_MATE = cython.declare(cython.int, 1000)
TYPE_PAWNS = cython.declare(cython.int, 0)
TYPE_MATE = cython.declare(cython.int, 1)
TYPE_NONE = cython.declare(cython.int, 255)


def parse_profile(text, length, out):
    """``first,last,values``: the entries before the first are empty."""
    place: cython.Py_ssize_t = 0
    members: cython.int = 0
    first: cython.int = 0
    count: cython.int = 0
    number: cython.int = 0
    while True:
        if not take_value(text, length, cython.address(place), cython.address(number)):
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


def take_value(text, length, place, number):
    """Return a number with or without a sign, of at most five digits."""
    negative: cython.bint = place[0] < length and text[place[0]] == MINUS
    found: int64_t
    place[0] += negative or (place[0] < length and text[place[0]] == PLUS)
    found = take_number(text, length, place, 5)
    number[0] = cython.cast(cython.int, -found if negative else found)
    return found >= 0


def put_entry(out, number):
    """Return the four bytes of an entry: type, depth, value; False if the value has no place there."""
    plies: cython.int = MATE_VALUE - abs(number)
    if number == NO_VALUE:
        put_big_endian(out, cython.cast(int64_t, TYPE_NONE) << 24, 4)
    elif 0 <= plies < LONGEST_MATE:
        put_big_endian(out, TYPE_MATE << 8, 2)
        put_big_endian(out, plies if number > 0 else -plies, 2)
    elif LOWEST_VALUE <= number <= NO_VALUE:
        put_big_endian(out, TYPE_PAWNS << 8, 2)
        put_big_endian(out, number, 2)
    else:
        return False
    return True


def format_profile(data, length, out):
    """Return the same; what has no place in it (depths, unknown types) is not read back, and so not written."""
    count: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    number: cython.int = 0
    value: cython.int
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
            # A mate that is on the board is that of the side which was to give it.
            number = MATE_VALUE - value if value > 0 or (value == 0 and number > 0) else -MATE_VALUE - value
        else:
            number = value if data[2 + 4 * index] == TYPE_PAWNS else NO_VALUE
        put_letter(out, COMMA)
        put_number(out, number)
    return True


# --- time controls ---------------------------------------------------------------------------------------------------

PERIODS = cython.declare(cython.int, 3)
PERIOD_SIZE = cython.declare(cython.int, 11)
REST_OF_GAME = cython.declare(cython.int, 1000)
OF_STAGE = cython.declare(cython.int, 1)
OF_REST = cython.declare(cython.int, 3)


def parse_periods(text, length, out):
    """``90m/40+30m+(15m+10s)``; periods that are not given are zeros."""
    place: cython.Py_ssize_t = 0
    periods: cython.int = 0
    if not grow(out, PERIODS * PERIOD_SIZE):
        return False
    while True:
        if periods == PERIODS or not take_period(text, length, cython.address(place), out):
            return False
        periods += 1
        if place == length:
            break
        place += 1  # "+"
    for _ in range((PERIODS - periods) * PERIOD_SIZE):
        put_letter(out, 0)
    return True


def take_period(text, length, place, out):
    """Time, increment, moves and kind; behind it stands ``+``, or nothing."""
    bracket: cython.bint = place[0] < length and text[place[0]] == OPEN_PAREN
    time: int64_t
    increment: int64_t = 0
    moves: int64_t = REST_OF_GAME
    kind: int64_t = -1
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


def take_span(text, length, place):
    """``90m``, ``1h30m``, ``12.5s`` in hundredths of a second; -1 if it is none."""
    total: int64_t = -1
    number: int64_t
    unit: cython.int = 0  # 1 hours, 2 minutes, 3 seconds
    begin: cython.Py_ssize_t
    decimals: int64_t
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


def put_span(out, hundredths):
    minutes: int64_t = hundredths // 6000
    rest: cython.int = hundredths % 6000
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


def format_periods(data, length, out):
    """Return the same; there is room for three periods."""
    used: cython.Py_ssize_t = length
    moves: cython.int
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


def is_readable(text, length, utf8):
    return ascii_length(text, length) == length or (utf8 and is_utf8(text, length))


def skip_blanks(text, length, place):
    while place < length and ends_head(text[place]):
        place += 1
    return place


def parse_strings(text, length, utf8, out):
    """``"address" "text"``, the text may be missing: the whole length, then each with its length before it."""
    begin: cython.Py_ssize_t = out.size
    place: cython.Py_ssize_t = skip_blanks(text, length, 0)
    size: cython.Py_ssize_t
    if not grow(out, length + 5):
        return False
    out.size += 2
    if not take_string(text, length, cython.address(place), utf8, out):
        return False
    place = skip_blanks(text, length, place)
    if place == length:
        put_letter(out, 0)
    elif not take_string(text, length, cython.address(place), utf8, out):
        return False
    size = out.size - begin
    out.data[begin] = size & 255
    out.data[begin + 1] = size >> 8
    return skip_blanks(text, length, place) == length


def take_string(text, length, place, utf8, out):
    """Append the string in quotes at ``place``, with its length before it."""
    begin: cython.Py_ssize_t = place[0] + 1
    at: cython.Py_ssize_t = begin
    head: cython.Py_ssize_t = out.size
    size: cython.Py_ssize_t
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


def put_quoted(text, length, out):
    """Append a text in quotes."""
    if not grow(out, 1):
        return False
    put_letter(out, QUOTE)
    if not put_escaped(out, text, length, True) or not grow(out, 1):
        return False
    put_letter(out, QUOTE)
    return True


def format_strings(data, length, utf8, out):
    first: cython.Py_ssize_t
    second: cython.Py_ssize_t
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
