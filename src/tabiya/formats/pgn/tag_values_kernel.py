"""The values of PGN's tags: dates, ratings, results, variants. Reads texts, fills the record; linear in their length.

Each ``store`` answers whether the column gives back the very text. The rules are those of
:mod:`tabiya.game.tag_values`; a test holds both against each other.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memcmp
from cython.cimports.tabiya.chess.letters import (
    CASE_BIT,
    DOT,
    MINUS,
    QUESTION,
    SLASH,
    is_blank,
    is_digit,
    is_newline,
    is_upper,
)
from cython.cimports.tabiya.formats.pgn.reader import VARIANT_UNKNOWN
from cython.cimports.tabiya.game.spelling import look_up


def stripped(span):
    while span.length and (is_blank(span.text[0]) or is_newline(span.text[0])):
        span.text += 1
        span.length -= 1
    while span.length and (is_blank(span.text[span.length - 1]) or is_newline(span.text[span.length - 1])):
        span.length -= 1
    return span


def date_part(value, fewest, most, highest):
    """Take a number or question marks off the front: the number, 0 if unknown, -1 if neither stands there."""
    length: cython.int = 0
    number: cython.int = 0
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


def store_date(reader, value):
    """``2023.05.??`` and its relatives, as ``parse_date`` takes them."""
    record = cython.address(reader.record)
    rest: Span = stripped(value)
    year: cython.int
    month: cython.int = 0
    day: cython.int = 0
    separator: cython.int = 0
    exact: cython.bint = value.length == 10 and value.text[4] == DOT and value.text[7] == DOT
    if exact:
        for index in range(10):
            exact = exact and (is_digit(value.text[index]) or value.text[index] == QUESTION or value.text[index] == DOT)
        exact = exact and (value.text[0] != QUESTION or value.text[3] == QUESTION)
    year = date_part(cython.address(rest), 4, 4, 9999)
    if year >= 0 and rest.length:
        separator = rest.text[0]
        rest.text += 1
        rest.length -= 1
        month = date_part(cython.address(rest), 1, 2, 12)
        if separator != DOT and separator != MINUS and separator != SLASH:
            month = -1
        if month >= 0 and rest.length:
            if rest.text[0] != separator:
                return False
            rest.text += 1
            rest.length -= 1
            day = date_part(cython.address(rest), 1, 2, 31)
    if year < 0 or month < 0 or day < 0 or rest.length:
        return False
    record.header.year = year
    record.header.month = month
    record.header.day = day
    # The columns give back this text if each part is known or spelled with question marks throughout.
    return (
        exact
        and (year or month or day) != 0
        and (year > 0 or value.text[0] == QUESTION)
        and (month > 0 or (value.text[5] == QUESTION and value.text[6] == QUESTION))
        and (day > 0 or (value.text[8] == QUESTION and value.text[9] == QUESTION))
    )


def store_elo(elo, value):
    digits: Span = stripped(value)
    number: cython.int = 0
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


def plain_letters(value, out, room, keep_blanks):
    """Copy a short text in lower case, without its blanks if these do not matter; -1 if it is too long."""
    length: cython.Py_ssize_t = 0
    for index in range(value.length):
        letter: cython.int = value.text[index]
        if not keep_blanks and (is_blank(letter) or is_newline(letter)):
            continue
        if length == room:
            return -1
        out[length] = letter | CASE_BIT if is_upper(letter) else letter
        length += 1
    return length


def store_result(reader, value):
    letters: uint8_t[MOST_LETTERS]
    length: cython.Py_ssize_t = plain_letters(value, letters, MOST_LETTERS, False)
    found: cython.int = look_up(reader.results, reader.results_length, letters, length)
    if found < 0:
        return False
    reader.record.result_tag = found & 127
    # Bit 7 marks the one spelling that the column gives back.
    return found >> 7 != 0 and length == value.length and memcmp(letters, value.text, length) == 0


def store_variant(reader, value):
    letters: uint8_t[MOST_LETTERS]
    length: cython.Py_ssize_t = plain_letters(stripped(value), letters, MOST_LETTERS, True)
    found: cython.int = look_up(reader.variants, reader.variants_length, letters, length)
    reader.record.variant = VARIANT_UNKNOWN if found < 0 else found
    return value.length == 8 and memcmp(value.text, b"Chess960", 8) == 0
