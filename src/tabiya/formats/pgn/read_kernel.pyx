"""The PGN reader: reads a chunk of text into a builder, and finds boundaries between chunks. Linear in the text."""

from libc.stdint cimport int32_t, int64_t, uint16_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset, strlen

from tabiya.chess.board cimport make_move_without_key, remember
from tabiya.chess.fen_kernel cimport start_board
from tabiya.chess.letters cimport (
    BACKSLASH, CARRIAGE_RETURN, CASE_BIT, CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PAREN, COMMA, DELETE, DOLLAR, DOT,
    EXCLAMATION, HASH, MINUS, NEWLINE, OPEN_BRACE, OPEN_BRACKET, OPEN_PAREN, PERCENT, PLUS, QUESTION, QUOTE, SEMICOLON,
    SLASH, SPACE, STAR, UNDERSCORE, is_blank, is_digit, is_file, is_lower, is_newline, is_rank, is_upper, skip_breaks
)
from tabiya.chess.san cimport SAN_AMBIGUOUS, SAN_ILLEGAL, SAN_SYNTAX, parse_san, parse_short_san, short_length
from tabiya.formats.pgn.lexer cimport (
    at_line_start, begins_game, is_mark, is_symbol, is_tag_line, is_tag_pair
)
from tabiya.formats.pgn.reader cimport (
    MOST_DETOURS, PROBLEM_COMMENT_OPEN, PROBLEM_ENCODING, PROBLEM_FEN, PROBLEM_GLUED,
    PROBLEM_MOVE_AMBIGUOUS, PROBLEM_MOVE_ILLEGAL, PROBLEM_MOVE_UNREADABLE, PROBLEM_RESULT_DIFFERS,
    PROBLEM_RESULT_MISSING, PROBLEM_TAG, PROBLEM_TAG_NAME, PROBLEM_TAIL, PROBLEM_TOKEN, PROBLEM_VARIANT,
    PROBLEM_VARIATION_CLOSED, PROBLEM_VARIATION_EARLY, PROBLEM_VARIATION_EMPTY, PROBLEM_VARIATION_OPEN, RESULT_BLACK,
    RESULT_DRAW, RESULT_UNKNOWN, RESULT_WHITE, VARIANT_CHESS960, VARIANT_UNKNOWN, Detour, Reader
)
from tabiya.game.annotations.commands cimport has_command
from tabiya.game.annotations.kinds cimport KIND_UNREADABLE
from tabiya.game.annotations.read_comments_kernel cimport (
    MOST_PROBLEMS, PROBLEM_MANY, Commands, open_reader, put_settled, read_comment
)
from tabiya.game.annotations.read_comments_kernel cimport free_reader as free_comments
from tabiya.game.columns cimport (
    NO_RESULT, Columns, close_annotation, end_record, end_string, intern, put_bytes, put_extra, put_int64, put_problem,
    put_string, put_uint16, put_uint8, put_values, string_begin, string_count, string_end, string_equals
)
from tabiya.game.columns_kernel cimport NO_HEADER, BatchBuilder, take
from tabiya.game.growing cimport Bytes
from tabiya.game.sink cimport (
    NOTHING, add_move, add_nag, attach_nags, begin_game, close_variation, depth_of, drop_variation, end_game, end_line,
    free_sink, line_around, open_after, open_late, open_sink, open_text, open_variation, set_start
)
from tabiya.game.spelling cimport look_up, plain_result
from tabiya.game.tag_names_kernel cimport (
    TAG_DATE, TAG_FEN, TAG_NAMES, TAG_OTHER, TAG_RESULT, TAG_SETUP, TAG_VARIANT, letters_of_tag, tag_of_name
)
from tabiya.game.tape_kernel cimport MOST_NESTED
from tabiya.game.utf8 cimport eight_letters, is_utf8, put_transcoded

# === records ==========================================================================================================
# The frame of a record in the PGN reader: its beginning and end, its texts and problems.
#
# Reads the reader's state, writes the columns of a batch. Linear in the size of the record.

cdef Py_ssize_t LONGEST_QUOTE = 60


cdef void begin_record(Reader* reader) noexcept nogil:
    record = &reader.record
    line = &reader.line
    begin_game(&reader.sink)
    memset(record, 0, sizeof(reader.record))
    record.result = record.result_tag = NO_RESULT
    record.header = NO_HEADER
    reader.detours.size = 0
    reader.detour_depth = 0
    line.opened = line.resume = line.early = line.due = line.inline_end = line.inline_resume = NOTHING


cdef void finish_record(Reader* reader) noexcept nogil:
    """Write the single values of the record and close its lists."""
    cdef Columns* columns = reader.columns
    record = &reader.record
    end_game(&reader.sink)
    if record.variant == VARIANT_UNKNOWN:
        record.opaque = True
        record.variant = 0
    if not record.seen >> TAG_FEN & 1:
        end_string(columns, &columns.start)
    put_uint8(columns, &columns.has_start, record.seen >> TAG_FEN & 1)
    record.header.kind = 2 if record.opaque else 0
    record.header.variant = record.variant
    record.header.result = final_result(reader)
    put_values(columns, &record.header)
    end_record(columns)
    put_int64(columns, &reader.ends, reader.place)


cdef int final_result(Reader* reader) noexcept nogil:
    """Return the result of the tag, or without a tag that of the movetext, where ``*`` means no result."""
    record = &reader.record
    if record.begun and not reader.sink.ended and not record.opaque:
        note(reader, PROBLEM_RESULT_MISSING, reader.place, reader.place)
    if not record.seen >> TAG_RESULT & 1:
        return NO_RESULT if record.result == RESULT_UNKNOWN else record.result
    if reader.sink.ended and record.result != plain_result(record.result_tag):
        note(reader, PROBLEM_RESULT_DIFFERS, reader.place, reader.place)
        if record.result == 1:
            put_extra(reader.columns, b"pgn.termination", 15, b"1-0", 3)
        elif record.result == 2:
            put_extra(reader.columns, b"pgn.termination", 15, b"0-1", 3)
        elif record.result == 3:
            put_extra(reader.columns, b"pgn.termination", 15, b"1/2-1/2", 7)
        else:
            put_extra(reader.columns, b"pgn.termination", 15, b"*", 1)
    return record.result_tag


cdef void note(Reader* reader, int code, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Record a problem with the text from ``begin`` to ``end``, or its first bytes; only the first few problems."""
    note_text(reader, code, begin, reader.text + begin, end - begin)


cdef void note_text(Reader* reader, int code, Py_ssize_t place, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Do the same for a text that may not be at ``place``: a copy without line breaks."""
    cdef Columns* columns = reader.columns
    cdef Bytes* quote = &columns.problem_text.data
    if code > PROBLEM_TAIL + 2:
        reader.sink.problems += 1
        if reader.sink.problems > MOST_PROBLEMS + 1:
            return
        if reader.sink.problems > MOST_PROBLEMS:
            code = PROBLEM_MANY
            length = 0
    if length > LONGEST_QUOTE:
        length = LONGEST_QUOTE
    while length > 0 and (is_blank(text[length - 1]) or is_newline(text[length - 1])):
        length -= 1
    put_problem(columns, code, reader.base + place, NULL, 0)
    columns.problem_text.ends.size -= 4
    if is_utf8(text, length):
        put_bytes(columns, quote, text, length)
    else:
        put_transcoded(columns, quote, text, length, reader.code_page)
    end_string(columns, &columns.problem_text)


cdef void put_text(Reader* reader, Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Append a text of the file as UTF-8. Other bytes are read with the code page; this is noted once per record."""
    cdef Py_ssize_t place
    if not reader.always_code_page and is_utf8(text, length):
        put_bytes(reader.columns, out, text, length)
        return
    if not reader.sink.encoding_noted and not reader.always_code_page:
        reader.sink.encoding_noted = True
        place = reader.place
        if reader.text <= text < reader.text + reader.end:  # otherwise it is a copy without line breaks or escapes
            place = text - reader.text
        put_problem(reader.columns, PROBLEM_ENCODING, reader.base + place, NULL, 0)
    put_transcoded(reader.columns, out, text, length, reader.code_page)


# === skipping text ====================================================================================================
# Skips pieces of PGN without reading them: to the end of a comment, of a line of play, of a game.
#
# Reads text only. Linear in the length of what is skipped; no recursion, however deep the variations.

# The end of a piece of text that is not interpreted.
ctypedef struct Stop:
    Py_ssize_t place
    bint closed         # at the ")" that ends the line
    bint comment_open   # a comment was still open there

# Letters with a special meaning in a comment.
cdef enum:
    COMMENT_END = 1
    COMMENT_BREAK = 2
    COMMENT_BRACKET = 4


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


# === NAGs =============================================================================================================
# NAGs in movetext: ``$14``, ``!?``. Reads at the reader's position, collects them for the move they belong to.

cdef void read_nag(Reader* reader) noexcept nogil:
    cdef Py_ssize_t begin = reader.place
    cdef Py_ssize_t place = begin + 1
    cdef int number = 0
    while place < reader.end and is_digit(reader.text[place]) and number <= 65535:
        number = 10 * number + reader.text[place] - ord("0")
        place += 1
    if place == begin + 1 or number > 65535:
        fail_line(reader, begin, place, SAN_SYNTAX)
        return
    add_nag(&reader.sink, number)
    reader.place = place


cdef void read_signs(Reader* reader) noexcept nogil:
    """Read ``!``, ``?`` and pairs of them."""
    text = reader.text
    cdef Py_ssize_t place = reader.place
    cdef int nag
    while place < reader.end and (text[place] == EXCLAMATION or text[place] == QUESTION):
        nag = 1 if text[place] == EXCLAMATION else 2
        if place + 1 < reader.end and (text[place + 1] == EXCLAMATION or text[place + 1] == QUESTION):
            if text[place + 1] == text[place]:
                nag += 2  # !! is 3, ?? is 4
            else:
                nag += 4  # !? is 5, ?! is 6
            place += 1
        place += 1
        add_nag(&reader.sink, nag)
    reader.place = place


# === values of tags ===================================================================================================
# The values of PGN's tags: dates, ratings, results, variants. Reads texts, fills the record; linear in their length.
#
# Each ``store`` returns whether the column reproduces the exact text. The rules are those of
# :mod:`tabiya.game.tag_values`; a test compares both.

# A piece of text.
ctypedef struct Span:
    const uint8_t* text
    Py_ssize_t length


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


cdef Py_ssize_t plain_letters(Span value, uint8_t* out, Py_ssize_t capacity, bint keep_blanks) noexcept nogil:
    """Copy a short text in lower case, without its blanks if these do not matter; -1 if it is too long."""
    cdef int letter
    cdef Py_ssize_t length = 0
    for index in range(value.length):
        letter = value.text[index]
        if not keep_blanks and (is_blank(letter) or is_newline(letter)):
            continue
        if length == capacity:
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


# === tags =============================================================================================================
# The tag section of PGN: reads ``[Name "value"]``, fills the typed columns and the list of other tags.
#
# Linear in the length of the line. The rules of typed columns are those of :mod:`tabiya.game.tags` and
# :mod:`tabiya.game.tag_values`; a test compares both.

# Letters of plain tags: those of a value, and those allowed in a name as well.
cdef enum:
    VALUE_LETTER = 1
    NAME_LETTER = 2

cdef uint8_t LETTERS[256]


# --- the text of a tag -----------------------------------------------------------------------------------------------


cdef bint read_plain_tag(Reader* reader) noexcept nogil:
    """Read a tag of ASCII without escapes, as nearly all are; False, and no change, for any other."""
    text = reader.text
    cdef Py_ssize_t end = reader.end
    cdef Py_ssize_t place = reader.place + 1
    cdef Span name
    cdef Span value
    cdef int tag
    name.text = text + place
    while place < end and LETTERS[text[place]] == NAME_LETTER:
        place += 1
    name.length = text + place - name.text
    if name.length == 0 or place + 2 > end or text[place] != SPACE or text[place + 1] != QUOTE:
        return False
    place += 2
    value.text = text + place
    while place < end and LETTERS[text[place]] >= VALUE_LETTER:
        place += 1
    value.length = text + place - value.text
    if place + 2 > end or text[place] != QUOTE or text[place + 1] != CLOSE_BRACKET:
        return False
    tag = tag_of_name(name.text, name.length)
    if tag == TAG_OTHER:
        put_string(reader.columns, &reader.columns.tag_names, name.text, name.length)
        put_string(reader.columns, &reader.columns.tag_values, value.text, value.length)
    elif reader.record.seen >> tag & 1 or memcmp(name.text, letters_of_tag(tag), name.length) != 0:
        return False
    else:
        reader.record.seen |= 1 << tag
        reader.record.value_begin[tag] = value.text - text
        reader.record.value_end[tag] = place
        if not store_value(reader, tag, value):
            list_column_tag(reader, tag)
    reader.record.has_tags = True
    reader.place = place + 2
    return True


cdef bint read_tag(Reader* reader) noexcept nogil:
    """Read the tag at the reader's position and go past it. False if it cannot be read as a tag, even leniently."""
    if not reader.always_code_page and read_plain_tag(reader):
        return True
    text = reader.text
    cdef Py_ssize_t end = reader.end
    cdef Py_ssize_t start = reader.place
    cdef Py_ssize_t place = start + 1
    cdef Py_ssize_t value_begin
    cdef Py_ssize_t value_end
    cdef Span name
    while place < end and is_blank(text[place]):
        place += 1
    name.text = text + place
    while (
        place < end
        and not is_blank(text[place])
        and not is_newline(text[place])
        and text[place] != QUOTE
        and text[place] != CLOSE_BRACKET
    ):
        place += 1
    name.length = text + place - name.text
    if name.length == 0:
        return False
    while place < end and is_blank(text[place]):
        place += 1
    if place < end and text[place] == QUOTE:
        value_begin = place + 1
        value_end = find_value_end(reader, value_begin)
    else:
        value_begin = value_end = place
        while value_end < end and text[value_end] != CLOSE_BRACKET and not is_newline(text[value_end]):
            value_end += 1
        if value_end == end or text[value_end] != CLOSE_BRACKET:
            return False
        reader.place = value_end + 1
        while value_end > value_begin and is_blank(text[value_end - 1]):
            value_end -= 1
        note(reader, PROBLEM_TAG, start, reader.place)
    reader.record.has_tags = True
    cdef int tag
    tag = tag_of_name(name.text, name.length)
    if tag == TAG_OTHER:
        list_tag(reader, name, unescaped(reader, value_begin, value_end))
        return True
    if memcmp(name.text, letters_of_tag(tag), name.length) != 0:
        note(reader, PROBLEM_TAG_NAME, start, reader.place)
    store_tag(reader, tag, value_begin, value_end)
    return True


cdef Py_ssize_t find_value_end(Reader* reader, Py_ssize_t begin) noexcept nogil:
    """Return the position of the quote that closes a value; the reader goes past the tag."""
    text = reader.text
    cdef Py_ssize_t end = reader.end
    cdef Py_ssize_t close = begin
    cdef Py_ssize_t after
    cdef Py_ssize_t line_end
    while close < end and text[close] != QUOTE and not is_newline(text[close]):
        # Only quotes and backslashes are escaped; ChessBase writes paths with single backslashes.
        close += 1
        if text[close - 1] == BACKSLASH and close < end and (text[close] == QUOTE or text[close] == BACKSLASH):
            close += 1
    after = close + 1
    while after < end and is_blank(text[after]):
        after += 1
    if close < end and text[close] == QUOTE and after < end and text[after] == CLOSE_BRACKET:
        reader.place = after + 1
        return close
    line_end = close
    while line_end < end and not is_newline(text[line_end]):
        line_end += 1
    note(reader, PROBLEM_TAG, reader.place, line_end)
    # Quotes inside the value, or a backslash before the last one: the last quote followed by a bracket closes it.
    after = last_closing_quote(text, begin, line_end)
    if after >= 0:
        close = after
        while text[after] != CLOSE_BRACKET:
            after += 1
        reader.place = after + 1
        return close
    reader.place = line_end
    if close == line_end and close > begin and text[close - 1] == CLOSE_BRACKET:
        close -= 1
    return close


cdef Py_ssize_t last_closing_quote(const uint8_t* text, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Return the last quote in a line that only blanks separate from a bracket, or -1."""
    cdef Py_ssize_t place = end - 1
    while place > begin:
        if text[place] == CLOSE_BRACKET:
            place -= 1
            while place >= begin and is_blank(text[place]):
                place -= 1
            if place >= begin and text[place] == QUOTE:
                return place
        else:
            place -= 1
    return -1


cdef Span unescaped(Reader* reader, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Span span
    span.text = reader.text + begin
    span.length = end - begin
    cdef Py_ssize_t place = begin
    while place < end and reader.text[place] != BACKSLASH:
        place += 1
    if place == end:
        return span
    reader.scratch.size = 0
    place = begin
    while place < end:
        if (
            reader.text[place] == BACKSLASH
            and place + 1 < end
            and (reader.text[place + 1] == QUOTE or reader.text[place + 1] == BACKSLASH)
        ):
            place += 1
        put_uint8(reader.columns, &reader.scratch, reader.text[place])
        place += 1
    span.text = reader.scratch.data
    span.length = reader.scratch.size
    return span


cdef Span as_utf8(Reader* reader, Span span) noexcept nogil:
    if not reader.always_code_page and is_utf8(span.text, span.length):
        return span
    reader.converted.size = 0
    put_text(reader, &reader.converted, span.text, span.length)
    span.text = reader.converted.data
    span.length = reader.converted.size
    return span


# --- storing ---------------------------------------------------------------------------------------------------------


cdef void list_tag(Reader* reader, Span name, Span value) noexcept nogil:
    cdef Columns* columns = reader.columns
    put_text(reader, &columns.tag_names.data, name.text, name.length)
    end_string(columns, &columns.tag_names)
    put_text(reader, &columns.tag_values.data, value.text, value.length)
    end_string(columns, &columns.tag_values)


cdef Span name_of(int tag) noexcept nogil:
    cdef Span name
    name.text = letters_of_tag(tag)
    name.length = TAG_NAMES.length[tag]
    return name


cdef void list_column_tag(Reader* reader, int tag) noexcept nogil:
    """Add the first value of a tag with columns to the list as well."""
    if not reader.record.listed >> tag & 1:
        reader.record.listed |= 1 << tag
        list_tag(reader, name_of(tag), unescaped(reader, reader.record.value_begin[tag], reader.record.value_end[tag]))


cdef void store_tag(Reader* reader, int tag, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    record = &reader.record
    if record.seen >> tag & 1:
        list_column_tag(reader, tag)
        list_tag(reader, name_of(tag), unescaped(reader, begin, end))
        return
    record.seen |= 1 << tag
    record.value_begin[tag] = begin
    record.value_end[tag] = end
    if not store_value(reader, tag, as_utf8(reader, unescaped(reader, begin, end))):
        list_column_tag(reader, tag)


cdef void finish_tags(Reader* reader) noexcept nogil:
    """List a ``SetUp`` that does not simply follow from a ``FEN``."""
    cdef Py_ssize_t begin
    record = &reader.record
    if record.seen >> TAG_SETUP & 1 and not record.listed >> TAG_SETUP & 1:
        begin = record.value_begin[TAG_SETUP]
        if not record.seen >> TAG_FEN & 1 or record.value_end[TAG_SETUP] != begin + 1 or reader.text[begin] != ord("1"):
            list_column_tag(reader, TAG_SETUP)


cdef bint store_value(Reader* reader, int tag, Span value) noexcept nogil:
    """Fill the columns of a tag. False if they would not reproduce the exact text, which must then be listed, too."""
    cdef Columns* columns = reader.columns
    header = &reader.record.header
    cdef int name = TAG_NAMES.name[tag]
    if name >= 0:
        header.names[name] = intern(columns, &columns.interned[name], value.text, value.length)
        return True
    if tag == TAG_DATE:
        return store_date(reader, value)
    if tag == TAG_RESULT:
        return store_result(reader, value)
    if tag == TAG_VARIANT:
        return store_variant(reader, value)
    if tag == TAG_SETUP:
        return True
    if tag == TAG_FEN:
        put_string(columns, &columns.start, value.text, value.length)
        return True
    return store_elo(<int32_t*> header + TAG_NAMES.column[tag], value)


for letter in range(256):
    LETTERS[letter] = 0
    if is_digit(letter) or is_upper(letter) or is_lower(letter) or letter == UNDERSCORE:
        LETTERS[letter] = NAME_LETTER
    elif SPACE <= letter < DELETE and letter != QUOTE and letter != BACKSLASH:
        LETTERS[letter] = VALUE_LETTER


# === lines of moves ===================================================================================================
# Lines of play in the PGN reader: variations that open and close, are out of place, or break off.
#
# No recursion: open lines are on the stack of the sink. Every part of the text is read once; variations that precede
# the move they replace are read where they belong, at most MOST_DETOURS inside each other: time remains linear.

# --- texts -----------------------------------------------------------------------------------------------------------


cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length, int language) noexcept nogil:
    """Add a text of the file at its position."""
    open_text(&reader.sink, language)
    put_text(reader, &reader.columns.annotation_data.data, text, length)
    close_annotation(reader.columns)


cdef void keep_late(Reader* reader, Py_ssize_t begin, Stop stop, int reason) noexcept nogil:
    """Keep the rest of a line, after its last move or after the result."""
    attach_nags(&reader.sink)
    open_late(&reader.sink, KIND_UNREADABLE, reason)
    put_verbatim(reader, begin, stop)


cdef void put_verbatim(Reader* reader, Py_ssize_t begin, Stop stop) noexcept nogil:
    """Write a piece of text without surrounding blanks, and close its annotation."""
    columns = reader.columns
    cdef Py_ssize_t end = stop.place
    while end > begin and (is_blank(reader.text[end - 1]) or is_newline(reader.text[end - 1])):
        end -= 1
    put_text(reader, &columns.annotation_data.data, reader.text + begin, end - begin)
    if stop.comment_open:
        note(reader, PROBLEM_COMMENT_OPEN, begin, end)
        put_bytes(columns, &columns.annotation_data.data, b"}", 1)
    close_annotation(columns)


# --- lines -----------------------------------------------------------------------------------------------------------


cdef void play(Reader* reader, int move) noexcept nogil:
    """Add a legal move (or a null move) to the line."""
    line = &reader.line
    add_move(&reader.sink, move)
    if line.early != NOTHING:
        line.due = line.early
        line.early = NOTHING


cdef void open_line(Reader* reader, Py_ssize_t opened, Py_ssize_t resume) noexcept nogil:
    """Begin a variation on the line's last move; its ``(`` is at ``opened``."""
    line = &reader.line
    if not open_variation(&reader.sink):
        return
    line.early = line.due = line.inline_end = line.inline_resume = NOTHING
    line.opened = opened
    line.resume = resume
    reader.place = opened + 1


cdef void leave_line(Reader* reader, bint drops) noexcept nogil:
    """Return to the outer line, and set the reader's position to where reading continues."""
    cdef Py_ssize_t resume = reader.line.resume
    if drops:
        drop_variation(&reader.sink)
    else:
        close_variation(&reader.sink)
    if resume != NOTHING:
        reader.place = resume
        reader.detour_depth -= 1


cdef void close_line(Reader* reader) noexcept nogil:
    """End the variation at its ``)``, at the reader's position, or go to what must be read before."""
    line = &reader.line
    if line.inline_end == reader.place:
        reader.place = line.inline_resume
        line.inline_end = NOTHING
        reader.detour_depth -= 1
        return
    attach_nags(&reader.sink)
    if leave_for_detour(reader):
        return
    reader.place += 1
    if reader.sink.line.last == NOTHING:
        note(reader, PROBLEM_VARIATION_EMPTY, line.opened, reader.place)
    leave_line(reader, False)


cdef bint close_all_lines(Reader* reader) noexcept nogil:
    """End the game's lines where the game ends. True if something elsewhere must be read before."""
    sink = &reader.sink
    while True:
        attach_nags(sink)
        if leave_for_detour(reader):
            return True
        if sink.outside.size == 0:
            break
        note(reader, PROBLEM_VARIATION_OPEN, reader.line.opened, reader.line.opened + 1)
        leave_line(reader, False)
    end_line(sink)
    return False


# --- variations out of place -----------------------------------------------------------------------------------------


cdef bint leave_for_detour(Reader* reader) noexcept nogil:
    """Go to a variation that has waited for the line's last move, or for its end. False if there is none."""
    line = &reader.line
    detours = <Detour*> reader.detours.data
    cdef Py_ssize_t opened
    if line.due != NOTHING:
        opened = detours[line.due].opened
        line.due = detours[line.due].next
        reader.detour_depth += 1
        open_line(reader, opened, reader.place)
        return True
    if line.early != NOTHING:
        # No next move: the variation continues the line, and further ones are alternatives to it.
        line.inline_end = detours[line.early].closed
        line.inline_resume = reader.place
        reader.place = detours[line.early].opened + 1
        line.early = detours[line.early].next
        reader.sink.line.after_variation = True
        reader.detour_depth += 1
        return True
    return False


cdef bint postpone(Reader* reader, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Postpone the open variation if its first move, ``begin`` to ``end``, fits only after the line's last move."""
    outer = line_around(&reader.sink)
    cdef Detour* detours
    cdef Detour detour
    cdef Py_ssize_t number = reader.detours.size // sizeof(Detour)
    cdef Stop stop
    if reader.detour_depth >= MOST_DETOURS or parse_san(&outer.board, reader.text + begin, end - begin) < 0:
        return False
    stop = skip_line(reader, begin)
    if not stop.closed:
        return False
    detour.opened = reader.line.opened
    detour.closed = stop.place
    detour.next = NOTHING
    put_bytes(reader.columns, &reader.detours, <const unsigned char*> &detour, sizeof(Detour))
    reader.place = stop.place + 1
    leave_line(reader, True)
    note(reader, PROBLEM_VARIATION_EARLY, begin, end)
    if reader.columns.out_of_memory:
        return True
    if reader.line.early == NOTHING:
        reader.line.early = number
    else:
        detours = <Detour*> reader.detours.data
        detours[reader.line.latest].next = number
    reader.line.latest = number
    return True


# --- lines that break off --------------------------------------------------------------------------------------------


cdef void fail_line(Reader* reader, Py_ssize_t begin, Py_ssize_t end, int reason) noexcept nogil:
    """Keep the rest of the line verbatim: the token from ``begin`` to ``end`` is not a move here."""
    sink = &reader.sink
    cdef Stop stop
    cdef Py_ssize_t opened = reader.line.opened
    cdef int problem = PROBLEM_MOVE_UNREADABLE
    cdef int kept_reason = 0
    if reason == SAN_ILLEGAL:
        problem = PROBLEM_MOVE_ILLEGAL
        kept_reason = 1
    elif reason == SAN_AMBIGUOUS:
        problem = PROBLEM_MOVE_AMBIGUOUS
        kept_reason = 2
    attach_nags(sink)
    if sink.line.last == NOTHING and sink.outside.size:
        if postpone(reader, begin, end):
            return
        stop = skip_line(reader, begin)
        stop.place += stop.closed
        reader.place = stop.place
        leave_line(reader, True)
        note(reader, problem, begin, end)
        sink.line.after_variation = True
        open_after(sink, KIND_UNREADABLE, kept_reason)
        put_verbatim(reader, opened, stop)
        return
    note(reader, problem, begin, end)
    stop = skip_line(reader, begin)
    reader.place = stop.place
    keep_late(reader, begin, stop, kept_reason)


# === odd moves ========================================================================================================
# Moves in unusual notation: signs, figurines, piece letters of other languages, tokens attached to moves.
#
# Reads the token at the reader's position, writes to the line of play. Linear in the length of the token.

cdef enum:
    LONGEST_MOVE = 32
    LONGEST_TAIL = 7  # 1/2-1/2


cdef void read_unusual_move(Reader* reader, Py_ssize_t end, int reason) noexcept nogil:
    """Read a token that is not a plain move: a sign, a figurine, a foreign letter, a move with something after it."""
    token = reader.text + reader.place
    cdef Py_ssize_t length = end - reader.place
    cdef int sign = look_up(reader.signs, reader.signs_length, token, length)
    if sign >= 0:
        if sign:
            add_nag(&reader.sink, sign)
        else:
            note(reader, PROBLEM_TOKEN, reader.place, end)
        reader.place = end
        return
    if length == 1 and token[0] == ord("e") and reader.end - end >= 3 and memcmp(token, b"e.p.", 4) == 0:
        note(reader, PROBLEM_TOKEN, reader.place, end + 3)
        reader.place = end + 3
        return
    reason = play_unusual(reader, token, length, reason)
    if reason >= 0:
        reader.place = end
        if end < reader.end and (reader.text[end] == EXCLAMATION or reader.text[end] == QUESTION):
            read_signs(reader)
    elif not play_before_tail(reader, token, length):
        fail_line(reader, reader.place, end, reason)


cdef int play_unusual(Reader* reader, const uint8_t* token, Py_ssize_t length, int reason) noexcept nogil:
    """Play a move with translated letters or an attached sign; return an error code if there is none."""
    cdef uint8_t letters[LONGEST_MOVE]
    cdef int move = reason
    cdef Py_ssize_t used = translate(reader, token, length, letters)
    if used > 0:
        token = letters
        length = used
    if used > 0 or reader.letters != NULL:
        move = parse_san(&reader.sink.line.board, token, length)
        if move >= 0:
            play(reader, move)
            return move
    return 0 if play_with_sign(reader, token, length) else move


cdef bint play_before_tail(Reader* reader, const uint8_t* token, Py_ssize_t length) noexcept nogil:
    """Play a move with an attached result or move number, as in ``Qd61-0`` and ``d62. Nf3``; both are read.

    A move ends with its square, its piece or its check, so that at most one of the possible cuts gives a legal one.
    """
    board = &reader.sink.line.board
    cdef int move
    cdef Py_ssize_t size = 1
    while size <= LONGEST_TAIL and size + 2 <= length:
        tail = token + length - size
        if is_tail(reader, tail, size):
            move = SAN_SYNTAX
            if reader.letters == NULL:
                move = parse_san(board, token, length - size)
                if move >= 0:
                    play(reader, move)
            if move < 0:
                move = play_unusual(reader, token, length - size, move)
            if move >= 0:
                note(reader, PROBLEM_GLUED, reader.place, reader.place + length)
                reader.place += length - size
                return True
        size += 1
    return False


cdef bint is_tail(Reader* reader, const uint8_t* tail, Py_ssize_t size) noexcept nogil:
    """Return whether the end of a token is a result, or a move number followed by its dot."""
    cdef Py_ssize_t after = tail - reader.text + size
    if result_length(tail, 0, size) == size or (size == 3 and memcmp(tail, b"1/2", 3) == 0):
        return True
    if after == reader.end or reader.text[after] != DOT:
        return False
    for place in range(size):
        if not is_digit(tail[place]):
            return False
    return True


cdef bint play_with_sign(Reader* reader, const uint8_t* token, Py_ssize_t length) noexcept nogil:
    """Play a move with an attached sign, as in ``Nf3+-``."""
    cdef int move
    cdef int sign
    for size in range(1, 4):
        if length - size < 2:
            return False
        sign = look_up(reader.signs, reader.signs_length, token + length - size, size)
        if sign > 0:
            move = parse_san(&reader.sink.line.board, token, length - size)
            if move >= 0:
                play(reader, move)
                add_nag(&reader.sink, sign)
                return True
    return False


cdef int letter_at(Reader* reader, const uint8_t* token, Py_ssize_t length, Py_ssize_t* used) noexcept nogil:
    """Return the English letter of the figurine or foreign piece letter at the front, 0 if there is none."""
    used[0] = 3
    if length >= 3 and token[0] == 0xE2 and token[1] == 0x99 and 0x94 <= token[2] <= 0x9F:  # U+2654 … U+265F
        return b"KQRBNP"[(token[2] - 0x94) % 6]
    if reader.letters != NULL:
        # Longer names first: the Russian king (two letters) begins with the Russian knight.
        for size in range(4, 0, -1):
            for piece in range(6):
                name = reader.letters + 4 * piece
                if (
                    size <= length
                    and name[size - 1] != 0
                    and (size == 4 or name[size] == 0)
                    and memcmp(token, name, size) == 0
                ):
                    used[0] = size
                    return b"KQRBNP"[piece]
    return 0


cdef Py_ssize_t translate(Reader* reader, const uint8_t* token, Py_ssize_t length, uint8_t* out) noexcept nogil:
    """Write a move with its piece letters in English; 0 if there is nothing to translate."""
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t size = 0
    cdef Py_ssize_t used
    cdef int letter
    cdef bint changed = False
    while place < length:
        if size == LONGEST_MOVE:
            return 0
        letter = letter_at(reader, token + place, length - place, &used)
        if letter:
            changed = True
            if letter != ord("P") or place:  # a pawn's letter at the front has no meaning
                out[size] = letter
                size += 1
            place += used
        else:
            out[size] = token[place]
            size += 1
            place += 1
    return size if changed else 0


# === comments =========================================================================================================
# Comments and escape lines of PGN: reads them at the reader's position and resolves their line breaks. Linear.

cdef void read_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Read a comment: its commands, then the rest of it as text."""
    comments = &reader.comments
    if not has_command(text, length):
        add_text(reader, text, length, 0)
        return
    if reader.always_code_page or not is_utf8(text, length):
        reader.converted.size = 0
        put_text(reader, &reader.converted, text, length)
        text = reader.converted.data
        length = reader.converted.size
    comments.offset = reader.base + reader.place
    if not reader.record.encoding_known:
        find_encoding(reader)
    if not read_comment(comments, text, length):
        open_text(&reader.sink, 0)
        put_bytes(reader.columns, &reader.columns.annotation_data.data, text, length)
        close_annotation(reader.columns)


cdef void find_encoding(Reader* reader) noexcept nogil:
    """Find the encoding of ChessBase's texts in the tags of this record."""
    values = &reader.columns.tag_values
    cdef Py_ssize_t index = tag_called(reader, b"TextEncoding")
    reader.record.encoding_known = True
    reader.comments.encoding = NULL
    reader.comments.encoding_length = 0
    if index != NOTHING:
        reader.comments.encoding = values.data.data + string_begin(values, index)
        reader.comments.encoding_length = min(string_end(values, index) - string_begin(values, index), 255)


cdef void put_comment(Reader* reader, Py_ssize_t begin, Py_ssize_t end, int found) noexcept nogil:
    """Read a comment without surrounding blanks; a line break is one blank, an empty line a paragraph.

    If blanks are content, one blank or line break is removed on either side. ``found`` contains what ``comment_end``
    found in the comment.
    """
    cdef bint blanks
    text = reader.text
    cdef Py_ssize_t outer_begin = begin
    cdef Py_ssize_t outer_end = end
    while begin < end and (is_blank(text[begin]) or is_newline(text[begin])):
        begin += 1
    while end > begin and (is_blank(text[end - 1]) or is_newline(text[end - 1])):
        end -= 1
    if begin == end:
        return
    if text[outer_begin] == SPACE and (outer_begin + 1 < begin or end < outer_end - 1) and keeps_blanks(reader):
        begin = outer_begin + 1
        if end < outer_end:
            blanks = end < outer_end - 1
            end = outer_end - 1
            end -= blanks and text[end] == NEWLINE and text[end - 1] == CARRIAGE_RETURN
    if not found & COMMENT_BREAK:
        if found & COMMENT_BRACKET:
            read_text(reader, text + begin, end - begin)
        else:
            add_text(reader, text + begin, end - begin, 0)
        return
    reader.scratch.size = 0
    put_settled(reader.columns, &reader.scratch, text + begin, end - begin)
    read_text(reader, reader.scratch.data, reader.scratch.size)


cdef bint keeps_blanks(Reader* reader) noexcept nogil:
    """Return whether the tags of this record declare that blanks around comments are content."""
    if reader.record.exact_blanks == 0:
        reader.record.exact_blanks = 1 if tag_called(reader, b"TextBlanks") == NOTHING else 2
    return reader.record.exact_blanks == 2


cdef Py_ssize_t tag_called(Reader* reader, const char* name) noexcept nogil:
    """Return the index of the first tag of this name, which has no column, in this record; or NOTHING."""
    names = &reader.columns.tag_names
    cdef Py_ssize_t index
    if reader.columns.out_of_memory:
        return NOTHING
    index = (<int32_t*> reader.columns.tag_ends.data)[reader.columns.records]
    while index < string_count(names):
        if string_equals(names, index, <const uint8_t*> name, strlen(name)):
            return index
        index += 1
    return NOTHING


cdef void read_braces(Reader* reader) noexcept nogil:
    cdef bint closed
    cdef int found
    cdef Py_ssize_t begin = reader.place + 1
    cdef Py_ssize_t end
    end = comment_end(reader, begin, &closed, &found)
    if not closed:
        note(reader, PROBLEM_COMMENT_OPEN, begin - 1, end)
    put_comment(reader, begin, end, found)
    reader.place = end + closed


cdef void read_line_comment(Reader* reader) noexcept nogil:
    """Read from ``;`` to the end of the line."""
    cdef Py_ssize_t begin = reader.place + 1
    cdef Py_ssize_t end = begin
    while end < reader.end and not is_newline(reader.text[end]):
        end += 1
    put_comment(reader, begin, end, COMMENT_BRACKET)
    reader.place = end


cdef void read_escape(Reader* reader) noexcept nogil:
    """Keep a line that begins with ``%``, which is for other programs. An empty one only separates games."""
    cdef Py_ssize_t begin = reader.place + 1
    cdef Py_ssize_t end = begin
    while end < reader.end and not is_newline(reader.text[end]):
        end += 1
    reader.place = end
    while end > begin and is_blank(reader.text[end - 1]):
        end -= 1
    if end > begin:
        put_extra(reader.columns, b"pgn.escape", 10, reader.text + begin, end - begin)
        reader.record.has_escapes = True


# === movetext =========================================================================================================
# The movetext of PGN: reads tokens, plays their moves, and attaches everything else to its place.
#
# Reads a chunk of text that begins where a game begins; writes the columns of a batch. Linear in the length of the
# text.

cdef enum:
    NOT_FAR = 256

# Classes of first letters, for the tight loop over plain moves.
cdef enum:
    CLASS_OTHER = 0
    CLASS_BLANK = 1   # blanks, line breaks and the dots after move numbers
    CLASS_DIGIT = 2
    CLASS_SYMBOL = 3  # letters and other characters of moves

cdef uint8_t CLASSES[256]


# --- games -----------------------------------------------------------------------------------------------------------


cdef void read_all(Reader* reader) noexcept nogil:
    """Read all games of the text. Stops early only if memory is exhausted."""
    begin_record(reader)
    while not reader.columns.out_of_memory:
        if reader.place < reader.end:
            if not read_token(reader):
                reader.place += 1
            elif reader.record.begun:
                read_plain_moves(reader)
        elif not reader.record.begun or not close_all_lines(reader):
            break
    if reader.tail:
        reader.record.has_escapes = True  # a separate record, if need be, to carry the problem
        note(reader, PROBLEM_TAIL + reader.tail, reader.place, reader.place)
    finish_game(reader)


cdef void finish_game(Reader* reader) noexcept nogil:
    """Finish the record, if it is not empty, and begin the next one. Its lines must have been closed."""
    record = &reader.record
    attach_nags(&reader.sink)
    if record.begun or record.has_tags or record.has_escapes:
        if not record.begun:
            finish_tags(reader)
            if not set_up(reader):
                record.opaque = True
        finish_record(reader)
        begin_record(reader)


cdef bint read_token(Reader* reader) noexcept nogil:
    """Read the token at the reader's position and advance; False for a blank, which the caller skips."""
    cdef int letter = reader.text[reader.place]
    if letter == SPACE or letter == NEWLINE or letter == DOT:
        return False
    if is_symbol(letter):
        if is_digit(letter):
            read_number(reader)
        else:
            read_move(reader)
    elif letter == OPEN_BRACE:
        if need_moves(reader):
            read_braces(reader)
    elif letter == OPEN_PAREN:
        if not need_moves(reader):
            return True
        if reader.sink.ended or reader.sink.line.last == NOTHING or too_deep(reader):
            fail_line(reader, reader.place, reader.place + 1, SAN_SYNTAX)
        elif not leave_for_detour_due(reader):
            open_line(reader, reader.place, NOTHING)
    elif letter == CLOSE_PAREN:
        if need_moves(reader):
            if reader.sink.outside.size or reader.line.inline_end == reader.place:
                close_line(reader)
            else:
                note(reader, PROBLEM_VARIATION_CLOSED, reader.place, reader.place + 1)
                reader.place += 1
    elif letter == OPEN_BRACKET:
        read_bracket(reader)
    elif letter == DOLLAR:
        if need_moves(reader):
            read_nag(reader)
    elif letter == EXCLAMATION or letter == QUESTION:
        if need_moves(reader):
            read_signs(reader)
    elif letter == STAR:
        read_result(reader, 1)
    elif letter == SEMICOLON:
        if need_moves(reader):
            read_line_comment(reader)
    elif letter == PERCENT and at_line_start(reader.text, reader.place):
        read_escape(reader)
    elif is_blank(letter) or is_newline(letter):
        return False
    elif letter == COMMA or letter == CLOSE_BRACE:  # after a move; or of a comment that was closed before
        note(reader, PROBLEM_TOKEN, reader.place, reader.place + 1)
        reader.place += 1
    elif need_moves(reader):
        fail_line(reader, reader.place, reader.place + 1, SAN_SYNTAX)
    return True


cdef void read_plain_moves(Reader* reader) noexcept nogil:
    """Read blanks, move numbers and moves in one tight loop, up to any other token.

    Nine tenths of all tokens are read here. The loop handles only the simple case in which nothing waits for the next
    move.
    """
    text = reader.text
    cdef Py_ssize_t end = reader.end
    cdef Py_ssize_t place = reader.place
    cdef Py_ssize_t stop
    sink = &reader.sink
    line = &sink.line
    moves = &reader.columns.moves
    cdef int before = sink.moves
    cdef int letter_class
    cdef int move
    if sink.ended or sink.nags.size or reader.letters != NULL:
        return
    if line.waiting != NOTHING or reader.line.early != NOTHING or reader.line.due != NOTHING:
        return
    while place < end:
        letter_class = CLASSES[text[place]]
        if letter_class == CLASS_BLANK:
            place += 1
            continue
        if letter_class == CLASS_DIGIT:
            stop = place + 1
            while stop < end and CLASSES[text[stop]] == CLASS_DIGIT:
                stop += 1
            if stop == end or text[stop] != DOT:
                break
            place = stop + 1
            place += place < end and text[place] == SPACE  # the usual blank, without another turn of the loop
            continue
        if letter_class != CLASS_SYMBOL:
            break
        move = SAN_SYNTAX
        if end - place >= 8:
            letters = eight_letters(text + place)
            stop = place + short_length(letters)
            if stop - place < 8:
                move = parse_short_san(&line.board, letters, stop - place)
        if move < 0:
            stop = place + 1
            while stop < end and CLASSES[text[stop]] >= CLASS_DIGIT:
                stop += 1
            move = parse_san(&line.board, text + place, stop - place)
            if move < 0:
                break
        remember(&line.board, move, &line.undo)
        make_move_without_key(&line.board, move)
        put_uint16(reader.columns, moves, move)
        sink.moves += 1
        place = stop
        place += place < end and text[place] == SPACE
    if sink.moves > before:
        line.last = sink.moves - 1
        line.after_variation = False
    reader.place = place


cdef bint too_deep(Reader* reader) noexcept nogil:
    return depth_of(&reader.sink) >= MOST_NESTED


cdef bint leave_for_detour_due(Reader* reader) noexcept nogil:
    return reader.line.due != NOTHING and leave_for_detour(reader)


cdef bint need_moves(Reader* reader) noexcept nogil:
    """Make sure that the movetext has begun. False if that turned the record into an opaque one, which is then read."""
    if not reader.record.begun:
        begin_moves(reader)
        return not reader.record.opaque
    return True


cdef void begin_moves(Reader* reader) noexcept nogil:
    """Set up the start position at the first token after the tags."""
    record = &reader.record
    record.begun = True
    record.text_begin = reader.place
    finish_tags(reader)
    if record.variant == VARIANT_UNKNOWN:
        note(reader, PROBLEM_VARIANT, record.value_begin[TAG_VARIANT], record.value_end[TAG_VARIANT])
        read_opaque(reader)
    elif not set_up(reader):
        read_opaque(reader)


cdef bint set_up(Reader* reader) noexcept nogil:
    """Put the start position on the board; False, and a problem, if it is invalid."""
    start = &reader.columns.start
    record = &reader.record
    cdef Py_ssize_t last
    cdef Py_ssize_t begin = 0
    cdef Py_ssize_t length = 0
    if record.seen >> TAG_FEN & 1 and not reader.columns.out_of_memory:
        last = string_count(start) - 1
        begin = string_begin(start, last)
        length = string_end(start, last) - begin
    if set_start(&reader.sink, start.data.data + begin, length, record.variant == VARIANT_CHESS960):
        return True
    note(reader, PROBLEM_FEN, record.value_begin[TAG_FEN], record.value_end[TAG_FEN])
    return False


cdef void read_opaque(Reader* reader) noexcept nogil:
    """Keep the whole movetext verbatim."""
    text = reader.text
    cdef Py_ssize_t begin = reader.place
    cdef Py_ssize_t place = begin
    cdef Py_ssize_t end
    cdef bint closed
    cdef int found
    reader.record.opaque = True
    while place < reader.end:
        if text[place] == OPEN_BRACE:
            place = comment_end(reader, place + 1, &closed, &found)
            place += closed
        elif text[place] == OPEN_BRACKET and at_line_start(text, place) and is_tag_pair(text, reader.end, place):
            break
        else:
            place += 1
    end = place
    while end > begin and (is_blank(text[end - 1]) or is_newline(text[end - 1])):
        end -= 1
    put_extra(reader.columns, b"pgn.movetext", 12, text + begin, end - begin)
    reader.place = place


cdef void read_bracket(Reader* reader) noexcept nogil:
    """Read a tag; at the start of a line after movetext or an empty line it belongs to the next game."""
    text = reader.text
    cdef Py_ssize_t place = reader.place
    record = &reader.record
    cdef bint line_start = at_line_start(text, place)
    if record.begun:
        if not (line_start or reader.sink.ended) or not is_tag_pair(text, reader.end, place):
            fail_line(reader, place, place + 1, SAN_SYNTAX)
            return
        if not record.opaque and close_all_lines(reader):
            return
        finish_game(reader)
    elif record.has_tags and line_start and after_empty_line(text, place) and begins_game(text, reader.end, place):
        finish_game(reader)
    if not read_tag(reader):
        if need_moves(reader):
            fail_line(reader, place, place + 1, SAN_SYNTAX)


cdef bint after_empty_line(const uint8_t* text, Py_ssize_t place) noexcept nogil:
    cdef int breaks = 0
    while place and (is_blank(text[place - 1]) or is_newline(text[place - 1])):
        place -= 1
        if text[place] == NEWLINE or (text[place] == CARRIAGE_RETURN and text[place + 1] != NEWLINE):
            breaks += 1
            if breaks > 1:
                return True
    return place == 0


# --- results and numbers ------------------------------------------------------------------------------------------


cdef void read_number(Reader* reader) noexcept nogil:
    """Read a move number, which is ignored; a result; castling with zeros; or a number glued to a move."""
    text = reader.text
    cdef Py_ssize_t begin = reader.place
    cdef Py_ssize_t place = begin
    cdef Py_ssize_t length
    if not reader.sink.ended and not need_moves(reader):
        return
    while place < reader.end and is_digit(text[place]):
        place += 1
    if place == reader.end or not is_symbol(text[place]):
        if place - begin == 4 and memcmp(text + begin, b"0000", 4) == 0:
            read_move(reader)
        else:
            reader.place = place
        return
    length = result_length(text, begin, reader.end)
    if length == 0 and reader.end - begin >= 3 and memcmp(text + begin, b"1/2", 3) == 0:
        length = 3
        if begin + 3 < reader.end and is_symbol(text[begin + 3]):
            length = 0
    if length:
        read_result(reader, length)
    elif text[begin] == ord("0"):
        read_move(reader)
    else:
        reader.place = place


cdef void read_result(Reader* reader, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t begin = reader.place
    cdef Py_ssize_t after = begin + length
    record = &reader.record
    cdef Stop stop
    if reader.sink.ended:
        finish_game(reader)
    if not need_moves(reader):
        return
    if reader.sink.outside.size:
        skip_breaks(reader.text, reader.end, &after)
        if after < reader.end and reader.text[after] == CLOSE_PAREN and reader.sink.line.last != NOTHING:
            note(reader, PROBLEM_TOKEN, begin, begin + length)
            stop.place = reader.place = begin + length
            stop.closed = stop.comment_open = False
            keep_late(reader, begin, stop, 0)
            return
        if closes_soon(reader, begin):
            fail_line(reader, begin, begin + length, SAN_SYNTAX)
            return
    if close_all_lines(reader):
        return
    if reader.text[begin] == STAR:
        record.result = RESULT_UNKNOWN
    elif length == 3 and reader.text[begin + 1] == MINUS:
        record.result = RESULT_WHITE if reader.text[begin] == ord("1") else RESULT_BLACK
    else:
        record.result = RESULT_DRAW
    reader.sink.ended = True
    reader.place = begin + length


cdef bint closes_soon(Reader* reader, Py_ssize_t begin) noexcept nogil:
    """Return whether the open variation is closed nearby, so that a result in it cannot end the game."""
    cdef Py_ssize_t end = reader.end
    cdef Stop stop
    reader.end = min(end, begin + NOT_FAR)
    stop = skip_line(reader, begin)
    reader.end = end
    return stop.closed


# --- moves -----------------------------------------------------------------------------------------------------------


cdef void read_move(Reader* reader) noexcept nogil:
    text = reader.text
    cdef Py_ssize_t begin = reader.place
    cdef Py_ssize_t end = begin + 1
    cdef int move
    if is_mark(text, reader.end, begin):
        while is_mark(text, reader.end, reader.place):  # all in sequence: read_plain_moves has looked past the last one
            reader.place += 3
        return
    while end < reader.end and is_symbol(text[end]):
        end += 1
    if reader.sink.ended:
        # A game without tags may follow. Anything but a first move is the rest of this game.
        if parse_san(&reader.sink.standard, text + begin, end - begin) < 0:
            fail_line(reader, begin, end, SAN_SYNTAX)
            return
        finish_game(reader)
    if not need_moves(reader):
        return
    if reader.line.due != NOTHING:
        leave_for_detour(reader)
        return
    move = SAN_SYNTAX
    if reader.letters == NULL:  # otherwise R may be a king, and the other letters other pieces
        move = parse_san(&reader.sink.line.board, text + begin, end - begin)
    if move < 0:
        read_unusual_move(reader, end, move)
        return
    play(reader, move)
    reader.place = end
    if end < reader.end and (text[end] == EXCLAMATION or text[end] == QUESTION):
        read_signs(reader)


for letter in range(256):
    CLASSES[letter] = CLASS_OTHER
    if is_digit(letter):
        CLASSES[letter] = CLASS_DIGIT
    elif is_symbol(letter):
        CLASSES[letter] = CLASS_SYMBOL
    elif is_blank(letter) or is_newline(letter) or letter == DOT:
        CLASSES[letter] = CLASS_BLANK


# === chunks of a file =================================================================================================

def read_games(
    BatchBuilder builder not None, const uint8_t[::1] text not None, int64_t offset,
    const uint16_t[::1] code_page not None, bint always_code_page, bytes results not None, bytes variants not None,
    bytes signs not None, Commands commands not None, bytes letters not None, int tail
) -> object:
    """Read all games of a chunk that begins where a game begins.

    Args:
        builder: receives the records.
        text: the chunk.
        offset: the offset of the chunk in the file.
        code_page: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        always_code_page: whether no text is UTF-8.
        results: spellings of results: length, value, letters of each.
        variants: spellings of variants, in the same form.
        signs: signs and their NAGs, in the same form; 0 for words without meaning.
        commands: the meaning of commands in comments.
        letters: names of K Q R B N P in another language, four bytes each, padded with zeros; or empty.
        tail: how the chunk ends: 0 where a game ends, 1 cut off because it is too long, 2 broken off.

    Returns:
        A buffer of int64 with the end of each record in ``text``; the next one begins there.
    """
    cdef Reader reader
    if code_page.shape[0] != 128 or len(letters) not in (0, 24):
        raise ValueError("a code page has 128 characters, and piece letters 24 bytes")
    if text.shape[0] == 0:
        return b""
    if tail < 0 or tail > 2:
        raise ValueError("a chunk ends in one of three ways")
    memset(&reader, 0, sizeof(Reader))
    reader.text = &text[0]
    reader.end = text.shape[0]
    reader.base = offset
    reader.tail = tail
    reader.columns = &builder.columns
    reader.sink.joins_nags = True
    reader.code_page = &code_page[0]
    reader.always_code_page = always_code_page
    reader.results = results
    reader.results_length = len(results)
    reader.variants = variants
    reader.variants_length = len(variants)
    reader.signs = signs
    reader.signs_length = len(signs)
    open_reader(&reader.comments, commands, reader.columns, &reader.sink)
    reader.comments.values_of_game = True
    if letters:
        reader.letters = letters
    with nogil:
        open_sink(&reader.sink, reader.columns, &reader.line, sizeof(reader.line))
        read_all(&reader)
    free_reader(&reader)
    return take(&reader.ends)


cdef void free_reader(Reader* reader):
    free_sink(&reader.sink)
    free(reader.detours.data)
    free(reader.scratch.data)
    free_comments(&reader.comments)
    free(reader.converted.data)


def find_cut(const uint8_t[::1] text not None, Py_ssize_t begin):
    """Return the first position from ``begin`` on where a game begins after an empty line, -1 if there is none.

    Such a position is a boundary regardless of what precedes it, so chunks cut there are read like the whole.
    """
    cdef Py_ssize_t place = begin
    cdef Py_ssize_t end = text.shape[0]
    cdef const uint8_t* start
    if begin < 0 or begin >= end:
        return -1
    start = &text[0]
    with nogil:
        while place < end:
            if is_newline(start[place]):
                if (
                    skip_breaks(start, end, &place) > 1
                    and at_line_start(start, place)
                    and begins_game(start, end, place)
                ):
                    break
            else:
                place += 1
    return place if place < end else -1


def find_game(const uint8_t[::1] text not None, Py_ssize_t begin):
    """Return the first position from ``begin`` on where a game begins without an empty line before it, or -1.

    Such a position is a boundary only because of what precedes it; the text must begin where a game begins.
    """
    cdef Reader reader
    cdef Py_ssize_t place
    if text.shape[0] == 0:
        return NOTHING
    memset(&reader, 0, sizeof(Reader))
    reader.text = &text[0]
    reader.end = text.shape[0]
    with nogil:
        start_board(&reader.sink.standard)
        place = skip_games(&reader, begin)
    return place


cdef Py_ssize_t line_end(Reader* reader, Py_ssize_t place) noexcept nogil:
    while place < reader.end and not is_newline(reader.text[place]):
        place += 1
    return place


cdef bint decides_rules(Reader* reader, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Return whether a line of tags has one that may turn its game into an opaque one."""
    cdef int tag
    text = reader.text
    cdef Py_ssize_t stop
    for place in range(begin, end):
        if text[place] == OPEN_BRACKET and is_tag_pair(text, end, place):
            begin = place + 1
            while is_blank(text[begin]):
                begin += 1
            stop = begin
            while not is_blank(text[stop]) and text[stop] != QUOTE:
                stop += 1
            tag = tag_of_name(text + begin, stop - begin)
            if tag == TAG_FEN or tag == TAG_VARIANT:
                return True
    return False


cdef Py_ssize_t skip_games(Reader* reader, Py_ssize_t begin) noexcept nogil:
    """Skip words as the reader does, and accept the end of a game only where the reader does.

    After a result outside variations, a tag, another result or a first move begins a game.
    """
    cdef int letter
    text = reader.text
    cdef Py_ssize_t end = reader.end
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t stop
    cdef Py_ssize_t number = NOTHING  # start of a move number that only blanks separate from here
    cdef Py_ssize_t depth = 0
    cdef bint begun = False
    cdef bint ended = False
    cdef bint opaque = False
    cdef bint closed
    cdef int found
    while place < end:
        letter = text[place]
        if is_blank(letter) or is_newline(letter) or letter == DOT:
            place += 1
            continue
        if is_mark(text, end, place):
            place += 3
            continue
        stop = place + 1
        if letter == OPEN_BRACKET:
            stop = line_end(reader, place)
            if not at_line_start(text, place) or stop == end or not is_tag_line(text, stop, place):
                return NOTHING
            if begun and place >= begin:
                return place
            opaque = (opaque and not begun) or decides_rules(reader, place, stop)
            begun = ended = False
            depth = 0
        elif letter == PERCENT and at_line_start(text, place):
            stop = line_end(reader, place)
        elif letter == OPEN_BRACE:
            begun = True
            stop = comment_end(reader, place + 1, &closed, &found)
            stop += closed
        elif letter == SEMICOLON:
            begun = True
            stop = line_end(reader, place)
        elif result_length(text, place, end) and (place == 0 or not is_symbol(text[place - 1])):
            if ended and place >= begin:
                return place
            begun = True
            ended = depth == 0 and not opaque
            stop = place + result_length(text, place, end)
        elif is_digit(letter) and is_number(reader, place, &stop):
            begun = True
            number = place
            place = stop
            continue
        elif is_symbol(letter):
            begun = True
            while stop < end and is_symbol(text[stop]):
                stop += 1
            if stop == end:
                return NOTHING
            if ended and parse_san(&reader.sink.standard, text + place, stop - place) >= 0:
                if number != NOTHING:
                    place = number
                if place >= begin:
                    return place
            ended = False
        else:
            begun = True
            ended = False
            depth += letter == OPEN_PAREN
            depth -= letter == CLOSE_PAREN and depth > 0
        number = NOTHING
        place = stop
    return NOTHING


cdef bint is_number(Reader* reader, Py_ssize_t place, Py_ssize_t* stop) noexcept nogil:
    """Return whether a move number begins here, and its end in ``stop``. A null move may be written as zeros."""
    if reader.text[place] == ord("0"):
        return False
    while place < reader.end and is_digit(reader.text[place]):
        place += 1
    stop[0] = place
    return place < reader.end and not is_symbol(reader.text[place])


def begins_with_any(
    const int32_t[::1] ends not None, const uint8_t[::1] letters not None, const uint8_t[::1] beginnings not None
) -> bool:
    """Return whether one of many words has one of a few prefixes.

    Args:
        ends: the begins and ends of words, one more than there are words.
        letters: of all words.
        beginnings: three letters each.
    """
    cdef Py_ssize_t size = letters.shape[0]
    cdef Py_ssize_t count = beginnings.shape[0] // 3
    cdef bint found = False
    cdef Py_ssize_t index
    cdef Py_ssize_t begin
    cdef Py_ssize_t number
    with nogil:
        for index in range(ends.shape[0] - 1):
            begin = ends[index]
            if begin < 0 or ends[index + 1] > size or ends[index + 1] - begin < 3:
                continue
            for number in range(count):
                if (
                    letters[begin] == beginnings[3 * number]
                    and letters[begin + 1] == beginnings[3 * number + 1]
                    and letters[begin + 2] == beginnings[3 * number + 2]
                ):
                    found = True
    return found
