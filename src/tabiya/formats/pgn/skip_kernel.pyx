"""Skips pieces of PGN without reading them: to the end of a comment, of a line of play, of a game.

Reads text only. Linear in the length of what is skipped; no recursion, however deep the variations.
"""

from libc.string cimport memcmp

from tabiya.chess.letters cimport (
    CARRIAGE_RETURN, CLOSE_BRACE, CLOSE_PAREN, HASH, NEWLINE, OPEN_BRACE, OPEN_BRACKET, OPEN_PAREN, PERCENT, PLUS,
    SEMICOLON, STAR, is_blank, is_file, is_newline, is_rank
)
from tabiya.formats.pgn.lexer cimport at_line_start, begins_game, is_symbol, is_tag_pair, skip_breaks
from tabiya.game.sink cimport NOTHING

cdef uint8_t COMMENT_LETTERS[256]


cdef Py_ssize_t comment_end(Reader* reader, Py_ssize_t place, bint* closed, int* found) noexcept nogil:
    """Return the position of the ``}`` that ends a comment, of a game that begins inside it, or of the end of the text.

    ``found`` receives the kinds of letters in it: COMMENT_BREAK, COMMENT_BRACKET.
    """
    text = reader.text
    cdef int letter
    closed[0] = False
    found[0] = 0
    while place < reader.end:
        letter = COMMENT_LETTERS[text[place]]
        if letter == 0:
            place += 1
            continue
        if letter == COMMENT_END:
            closed[0] = True
            return place
        found[0] |= letter
        if letter == COMMENT_BRACKET:
            place += 1
        elif (
            skip_breaks(text, reader.end, &place) > 1
            and at_line_start(text, place)
            and begins_game(text, reader.end, place)
        ):
            return place
    return place


cdef Py_ssize_t result_length(const uint8_t* text, Py_ssize_t place, Py_ssize_t end) noexcept nogil:
    """Return the length of a separate result at this position, or 0."""
    cdef Py_ssize_t length = 0
    if text[place] == STAR:
        length = 1
    elif end - place >= 3 and (memcmp(text + place, b"1-0", 3) == 0 or memcmp(text + place, b"0-1", 3) == 0):
        length = 3
    elif end - place >= 7 and memcmp(text + place, b"1/2-1/2", 7) == 0:
        length = 7
    if length == 0 or (place + length < end and is_symbol(text[place + length])):
        return 0
    return length


cdef bint can_be_result(const uint8_t* text, Py_ssize_t place, Py_ssize_t begin) noexcept nogil:
    """Return whether a result may begin here: not inside a word, unless it is attached to a move."""
    if place == begin or text[place] == STAR or not is_symbol(text[place - 1]):
        return True
    if place - begin > 2 and (text[place - 1] == PLUS or text[place - 1] == HASH):
        place -= 1
    return place - begin > 1 and is_rank(text[place - 1]) and is_file(text[place - 2])


cdef Stop skip_line(Reader* reader, Py_ssize_t begin) noexcept nogil:
    """Skip the rest of a line: to its ``)``, to the result, or to the beginning of the next game.

    In an unclosed variation, a result counts only if nothing follows it.
    """
    cdef int letter
    text = reader.text
    cdef Py_ssize_t end = reader.end
    cdef Py_ssize_t place = begin
    cdef Py_ssize_t depth = 0
    cdef Py_ssize_t length
    cdef Py_ssize_t final_result = NOTHING
    cdef bint closed
    cdef int found
    cdef Stop stop
    stop.closed = stop.comment_open = False
    while place < end:
        letter = text[place]
        if is_blank(letter) or is_newline(letter):
            place += 1
            continue
        if letter == OPEN_BRACKET and at_line_start(text, place) and is_tag_pair(text, end, place):
            break
        length = result_length(text, place, end) if can_be_result(text, place, begin) else 0
        if length:
            if depth == 0 and reader.sink.outside.size == 0 and reader.line.inline_end == NOTHING:
                stop.place = place
                return stop
            final_result = place
            place += length
            continue
        final_result = NOTHING
        if letter == OPEN_BRACE:
            place = comment_end(reader, place + 1, &closed, &found)
            if closed:
                place += 1
            else:
                stop.comment_open = True
        elif letter == SEMICOLON or (letter == PERCENT and at_line_start(text, place)):
            while place < end and not is_newline(text[place]):
                place += 1
        elif letter == CLOSE_PAREN:
            if depth == 0 and (reader.sink.outside.size or reader.line.inline_end != NOTHING):
                stop.place = place
                stop.closed = True
                return stop
            depth -= depth > 0
            place += 1
        else:
            depth += letter == OPEN_PAREN
            place += 1
    stop.place = place if final_result == NOTHING else final_result
    return stop


for letter in range(256):
    COMMENT_LETTERS[letter] = 0
COMMENT_LETTERS[CLOSE_BRACE] = COMMENT_END
COMMENT_LETTERS[NEWLINE] = COMMENT_LETTERS[CARRIAGE_RETURN] = COMMENT_BREAK
COMMENT_LETTERS[OPEN_BRACKET] = COMMENT_BRACKET
