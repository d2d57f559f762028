"""The movetext of PGN: reads tokens, plays their moves, and attaches everything else to its place.

Reads a chunk of text that begins where a game begins; writes the columns of a batch. Linear in the length of the text.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from tabiya.chess.board cimport make_move_without_key, remember
from tabiya.chess.letters cimport (
    CARRIAGE_RETURN, CLOSE_BRACE, CLOSE_PAREN, COMMA, DOLLAR, DOT, EXCLAMATION, MINUS, NEWLINE, OPEN_BRACE,
    OPEN_BRACKET, OPEN_PAREN, PERCENT, QUESTION, SEMICOLON, SPACE, STAR, is_blank, is_digit, is_newline
)
from tabiya.chess.san cimport SAN_SYNTAX, parse_san, parse_short_san, short_length
from tabiya.formats.pgn.comments_kernel cimport read_comment, read_escape, read_line_comment
from tabiya.formats.pgn.lexer cimport at_line_start, begins_game, is_mark, is_symbol, is_tag_pair, skip_breaks
from tabiya.formats.pgn.lines_kernel cimport (
    close_all_lines, close_line, fail_line, keep_late, leave_for_detour, open_line, play
)
from tabiya.formats.pgn.nags_kernel cimport read_nag, read_signs
from tabiya.formats.pgn.odd_moves_kernel cimport read_odd_move
from tabiya.formats.pgn.reader cimport (
    PROBLEM_FEN, PROBLEM_TAIL, PROBLEM_TOKEN, PROBLEM_VARIANT, PROBLEM_VARIATION_CLOSED, RESULT_BLACK, RESULT_DRAW,
    RESULT_UNKNOWN, RESULT_WHITE, VARIANT_CHESS960, VARIANT_UNKNOWN
)
from tabiya.formats.pgn.record_kernel cimport begin_record, finish_record, note
from tabiya.formats.pgn.skip_kernel cimport Stop, comment_end, result_length, skip_line
from tabiya.formats.pgn.tags_kernel cimport finish_tags, read_tag
from tabiya.game.columns cimport put_extra, put_uint16, string_begin, string_count, string_end
from tabiya.game.sink cimport NOTHING, attach_nags, depth_of, set_start
from tabiya.game.tag_names_kernel cimport TAG_FEN, TAG_VARIANT
from tabiya.game.tape_kernel cimport MOST_NESTED
from tabiya.game.utf8 cimport eight_letters

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
    end_game(reader)


cdef void end_game(Reader* reader) noexcept nogil:
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
            read_comment(reader)
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
        end_game(reader)
    elif record.has_tags and line_start and after_empty_line(text, place) and begins_game(text, reader.end, place):
        end_game(reader)
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
    cdef Py_ssize_t behind = begin + length
    record = &reader.record
    cdef Stop stop
    if reader.sink.ended:
        end_game(reader)
    if not need_moves(reader):
        return
    if reader.sink.outside.size:
        skip_breaks(reader.text, reader.end, &behind)
        if behind < reader.end and reader.text[behind] == CLOSE_PAREN and reader.sink.line.last != NOTHING:
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
        end_game(reader)
    if not need_moves(reader):
        return
    if reader.line.due != NOTHING:
        leave_for_detour(reader)
        return
    move = SAN_SYNTAX
    if reader.letters == NULL:  # otherwise R may be a king, and the other letters other pieces
        move = parse_san(&reader.sink.line.board, text + begin, end - begin)
    if move < 0:
        read_odd_move(reader, end, move)
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
