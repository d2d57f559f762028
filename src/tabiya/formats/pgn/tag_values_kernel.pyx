"""The values of PGN's tags: dates, ratings, results, variants. Reads texts, fills the record; linear in their length.

Each ``store`` returns whether the column reproduces the exact text. The rules are those of
:mod:`tabiya.game.tag_values`; a test compares both.
"""

from libc.string cimport memcmp

from tabiya.chess.letters cimport CASE_BIT, DOT, MINUS, QUESTION, SLASH, is_blank, is_digit, is_newline, is_upper
from tabiya.formats.pgn.reader cimport VARIANT_UNKNOWN
from tabiya.game.spelling cimport look_up

cdef enum:
    MOST_LETTERS = 32  # longer than any spelling of a result or a variant


cdef Span stripped(Span span) noexcept nogil:
    while span.length and (is_blank(span.text[0]) or is_newline(span.text[0])):
        span.text += 1
        span.length -= 1
    while span.length and (is_blank(span.text[span.length - 1]) or is_newline(span.text[span.length - 1])):
        span.length -= 1
    return span


cdef int date_part(Span* value, int fewest, int most, int highest) noexcept nogil:
    """Consume a number or question marks: return the number, 0 if unknown, -1 if there is neither."""
    cdef int length = 0
    cdef int number = 0
    if value.length == 0:
        return -1
    if value.text[0] == QUESTION:
        while length < most and length < value.length and value.text[length] == QUESTION:
            length += 1
    else:
        while length < most and length < value.length and is_digit(value.text[length]):
            number = 10 * number + value.text[length] - ord("0")
            length += 1
        if length < fewest:
            return -1
    value.text += length
    value.length -= length
    return number if number <= highest else 0


cdef bint store_date(Reader* reader, Span value) noexcept nogil:
    """Store ``2023.05.??`` and similar values, as ``parse_date`` accepts them."""
    record = &reader.record
    cdef Span rest = stripped(value)
    cdef int year
    cdef int month = 0
    cdef int day = 0
    cdef int separator = 0
    cdef bint exact = value.length == 10 and value.text[4] == DOT and value.text[7] == DOT
    if exact:
        for index in range(10):
            exact = exact and (is_digit(value.text[index]) or value.text[index] == QUESTION or value.text[index] == DOT)
        exact = exact and (value.text[0] != QUESTION or value.text[3] == QUESTION)
    year = date_part(&rest, 4, 4, 9999)
    if year >= 0 and rest.length:
        separator = rest.text[0]
        rest.text += 1
        rest.length -= 1
        month = date_part(&rest, 1, 2, 12)
        if separator != DOT and separator != MINUS and separator != SLASH:
            month = -1
        if month >= 0 and rest.length:
            if rest.text[0] != separator:
                return False
            rest.text += 1
            rest.length -= 1
            day = date_part(&rest, 1, 2, 31)
    if year < 0 or month < 0 or day < 0 or rest.length:
        return False
    record.header.year = year
    record.header.month = month
    record.header.day = day
    # The columns reproduce this text if each part is known or consists only of question marks.
    return (
        exact
        and (year or month or day) != 0
        and (year > 0 or value.text[0] == QUESTION)
        and (month > 0 or (value.text[5] == QUESTION and value.text[6] == QUESTION))
        and (day > 0 or (value.text[8] == QUESTION and value.text[9] == QUESTION))
    )


cdef bint store_elo(int32_t* elo, Span value) noexcept nogil:
    cdef Span digits = stripped(value)
    cdef int number = 0
    while digits.length and digits.text[0] == ord("0"):
        digits.text += 1
        digits.length -= 1
    if digits.length == 0 or digits.length > 5:
        return False
    for index in range(digits.length):
        if not is_digit(digits.text[index]):
            return False
        number = 10 * number + digits.text[index] - ord("0")
    if number > 65535:
        return False
    elo[0] = number
    return digits.length == value.length


cdef Py_ssize_t plain_letters(Span value, uint8_t* out, Py_ssize_t room, bint keep_blanks) noexcept nogil:
    """Copy a short text in lower case, without its blanks if these do not matter; -1 if it is too long."""
    cdef int letter
    cdef Py_ssize_t length = 0
    for index in range(value.length):
        letter = value.text[index]
        if not keep_blanks and (is_blank(letter) or is_newline(letter)):
            continue
        if length == room:
            return -1
        out[length] = letter | CASE_BIT if is_upper(letter) else letter
        length += 1
    return length


cdef bint store_result(Reader* reader, Span value) noexcept nogil:
    cdef uint8_t letters[MOST_LETTERS]
    cdef Py_ssize_t length = plain_letters(value, letters, MOST_LETTERS, False)
    cdef int found = look_up(reader.results, reader.results_length, letters, length)
    if found < 0:
        return False
    reader.record.result_tag = found & 127
    # Bit 7 marks the one spelling that the column reproduces.
    return found >> 7 != 0 and length == value.length and memcmp(letters, value.text, length) == 0


cdef bint store_variant(Reader* reader, Span value) noexcept nogil:
    cdef uint8_t letters[MOST_LETTERS]
    cdef Py_ssize_t length = plain_letters(stripped(value), letters, MOST_LETTERS, True)
    cdef int found = look_up(reader.variants, reader.variants_length, letters, length)
    reader.record.variant = VARIANT_UNKNOWN if found < 0 else found
    return value.length == 8 and memcmp(value.text, b"Chess960", 8) == 0
