"""The movetext of PGN: reads tokens, plays their moves, sorts everything else to its place.

Reads a chunk of text that begins where a game begins; writes the columns of a batch. Linear in the length of the text.
"""

import cython
from cython.cimports.libc.string import memcmp
from cython.cimports.tabiya.chess.board import make_move_without_key, remember
from cython.cimports.tabiya.chess.letters import (
    CARRIAGE_RETURN,
    CLOSE_BRACE,
    CLOSE_PAREN,
    COMMA,
    DOLLAR,
    DOT,
    EXCLAMATION,
    MINUS,
    NEWLINE,
    OPEN_BRACE,
    OPEN_BRACKET,
    OPEN_PAREN,
    PERCENT,
    QUESTION,
    SEMICOLON,
    SPACE,
    STAR,
    is_blank,
    is_digit,
    is_newline,
)
from cython.cimports.tabiya.chess.san import SAN_SYNTAX, parse_san, parse_short_san, short_length
from cython.cimports.tabiya.formats.pgn.comments_kernel import read_comment, read_escape, read_line_comment
from cython.cimports.tabiya.formats.pgn.lexer import (
    at_line_start,
    begins_game,
    is_mark,
    is_symbol,
    is_tag_pair,
    skip_breaks,
)
from cython.cimports.tabiya.formats.pgn.lines_kernel import (
    close_all_lines,
    close_line,
    fail_line,
    keep_late,
    leave_for_detour,
    open_line,
    play,
)
from cython.cimports.tabiya.formats.pgn.nags_kernel import read_nag, read_signs
from cython.cimports.tabiya.formats.pgn.odd_moves_kernel import read_odd_move
from cython.cimports.tabiya.formats.pgn.reader import (
    PROBLEM_FEN,
    PROBLEM_TAIL,
    PROBLEM_TOKEN,
    PROBLEM_VARIANT,
    PROBLEM_VARIATION_CLOSED,
    RESULT_BLACK,
    RESULT_DRAW,
    RESULT_UNKNOWN,
    RESULT_WHITE,
    VARIANT_CHESS960,
    VARIANT_UNKNOWN,
)
from cython.cimports.tabiya.formats.pgn.record_kernel import begin_record, finish_record, note
from cython.cimports.tabiya.formats.pgn.skip_kernel import Stop, comment_end, result_length, skip_line
from cython.cimports.tabiya.formats.pgn.tags_kernel import finish_tags, read_tag
from cython.cimports.tabiya.game.columns import put_extra, put_uint16, string_begin, string_count, string_end
from cython.cimports.tabiya.game.sink import NOTHING, attach_nags, depth_of, set_start
from cython.cimports.tabiya.game.tag_names_kernel import TAG_FEN, TAG_VARIANT
from cython.cimports.tabiya.game.tape_kernel import MOST_NESTED
from cython.cimports.tabiya.game.utf8 import eight_letters

# --- games -----------------------------------------------------------------------------------------------------------


def read_all(reader):
    """Read all games of the text. Stops early only for want of memory."""
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
        reader.record.has_escapes = True  # a record of its own, if need be, to carry the problem
        note(reader, PROBLEM_TAIL + reader.tail, reader.place, reader.place)
    end_game(reader)


def end_game(reader):
    """Finishes the record, if there is anything in it, and begins the next one. Its lines must have been closed."""
    record = cython.address(reader.record)
    attach_nags(cython.address(reader.sink))
    if record.begun or record.has_tags or record.has_escapes:
        if not record.begun:
            finish_tags(reader)
            if not set_up(reader):
                record.opaque = True
        finish_record(reader)
        begin_record(reader)


def read_token(reader):
    """Read what stands at the reader's place and go on; False for a blank, which the caller goes past."""
    letter: cython.int = reader.text[reader.place]
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
    elif letter == COMMA or letter == CLOSE_BRACE:  # behind a move; of a comment that was closed before
        note(reader, PROBLEM_TOKEN, reader.place, reader.place + 1)
        reader.place += 1
    elif need_moves(reader):
        fail_line(reader, reader.place, reader.place + 1, SAN_SYNTAX)
    return True


def read_plain_moves(reader):
    """Read blanks, move numbers and moves in one tight loop, up to whatever is anything else.

    Nine tenths of all tokens pass here. The loop is left alone with the simple case: nothing waits for the next move.
    """
    text = reader.text
    end: cython.Py_ssize_t = reader.end
    place: cython.Py_ssize_t = reader.place
    stop: cython.Py_ssize_t
    sink = cython.address(reader.sink)
    line = cython.address(sink.line)
    moves = cython.address(reader.columns.moves)
    before: cython.int = sink.moves
    letter_class: cython.int
    move: cython.int
    if sink.ended or sink.nags.size or reader.letters != cython.NULL:
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
                move = parse_short_san(cython.address(line.board), letters, stop - place)
        if move < 0:
            stop = place + 1
            while stop < end and CLASSES[text[stop]] >= CLASS_DIGIT:
                stop += 1
            move = parse_san(cython.address(line.board), text + place, stop - place)
            if move < 0:
                break
        remember(cython.address(line.board), move, cython.address(line.undo))
        make_move_without_key(cython.address(line.board), move)
        put_uint16(reader.columns, moves, move)
        sink.moves += 1
        place = stop
        place += place < end and text[place] == SPACE
    if sink.moves > before:
        line.last = sink.moves - 1
        line.after_variation = False
    reader.place = place


def too_deep(reader):
    return depth_of(cython.address(reader.sink)) >= MOST_NESTED


def leave_for_detour_due(reader):
    return reader.line.due != NOTHING and leave_for_detour(reader)


def need_moves(reader):
    """Make sure that the movetext has begun. False if that turned the record into an opaque one, which is read now."""
    if not reader.record.begun:
        begin_moves(reader)
        return not reader.record.opaque
    return True


def begin_moves(reader):
    """Set up the start position when the first token behind the tags is met."""
    record = cython.address(reader.record)
    record.begun = True
    record.text_begin = reader.place
    finish_tags(reader)
    if record.variant == VARIANT_UNKNOWN:
        note(reader, PROBLEM_VARIANT, record.value_begin[TAG_VARIANT], record.value_end[TAG_VARIANT])
        read_opaque(reader)
    elif not set_up(reader):
        read_opaque(reader)


def set_up(reader):
    """Put the start position on the board; False, and a problem, if it makes no sense."""
    start = cython.address(reader.columns.start)
    record = cython.address(reader.record)
    last: cython.Py_ssize_t
    begin: cython.Py_ssize_t = 0
    length: cython.Py_ssize_t = 0
    if record.seen >> TAG_FEN & 1 and not reader.columns.out_of_memory:
        last = string_count(start) - 1
        begin = string_begin(start, last)
        length = string_end(start, last) - begin
    if set_start(cython.address(reader.sink), start.data.data + begin, length, record.variant == VARIANT_CHESS960):
        return True
    note(reader, PROBLEM_FEN, record.value_begin[TAG_FEN], record.value_end[TAG_FEN])
    return False


def read_opaque(reader):
    """Keep the whole movetext as it stands."""
    text = reader.text
    begin: cython.Py_ssize_t = reader.place
    place: cython.Py_ssize_t = begin
    end: cython.Py_ssize_t
    closed: cython.bint
    found: cython.int
    reader.record.opaque = True
    while place < reader.end:
        if text[place] == OPEN_BRACE:
            place = comment_end(reader, place + 1, cython.address(closed), cython.address(found))
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


def read_bracket(reader):
    """Read a tag; at the start of a line after movetext or an empty line it belongs to the next game."""
    text = reader.text
    place: cython.Py_ssize_t = reader.place
    record = cython.address(reader.record)
    line_start: cython.bint = at_line_start(text, place)
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


def after_empty_line(text, place):
    breaks: cython.int = 0
    while place and (is_blank(text[place - 1]) or is_newline(text[place - 1])):
        place -= 1
        if text[place] == NEWLINE or (text[place] == CARRIAGE_RETURN and text[place + 1] != NEWLINE):
            breaks += 1
            if breaks > 1:
                return True
    return place == 0


# --- results and numbers ------------------------------------------------------------------------------------------


def read_number(reader):
    """Read a move number, which is ignored; a result; castling with zeros; or a number glued to a move."""
    text = reader.text
    begin: cython.Py_ssize_t = reader.place
    place: cython.Py_ssize_t = begin
    length: cython.Py_ssize_t
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


def read_result(reader, length):
    begin: cython.Py_ssize_t = reader.place
    behind: cython.Py_ssize_t = begin + length
    record = cython.address(reader.record)
    stop: Stop
    if reader.sink.ended:
        end_game(reader)
    if not need_moves(reader):
        return
    if reader.sink.outside.size:
        skip_breaks(reader.text, reader.end, cython.address(behind))
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


def closes_soon(reader, begin):
    """Return whether the open variation is closed nearby, so that a result in it cannot end the game."""
    end: cython.Py_ssize_t = reader.end
    stop: Stop
    reader.end = min(end, begin + NOT_FAR)
    stop = skip_line(reader, begin)
    reader.end = end
    return stop.closed


# --- moves -----------------------------------------------------------------------------------------------------------


def read_move(reader):
    text = reader.text
    begin: cython.Py_ssize_t = reader.place
    end: cython.Py_ssize_t = begin + 1
    move: cython.int
    if is_mark(text, reader.end, begin):
        while is_mark(text, reader.end, reader.place):  # all in a row: read_plain_moves has looked behind the last
            reader.place += 3
        return
    while end < reader.end and is_symbol(text[end]):
        end += 1
    if reader.sink.ended:
        # A game without tags may follow. Anything but a first move is the rest of this one.
        if parse_san(cython.address(reader.sink.standard), text + begin, end - begin) < 0:
            fail_line(reader, begin, end, SAN_SYNTAX)
            return
        end_game(reader)
    if not need_moves(reader):
        return
    if reader.line.due != NOTHING:
        leave_for_detour(reader)
        return
    move = SAN_SYNTAX
    if reader.letters == cython.NULL:  # else R may be a king, and the other letters other pieces
        move = parse_san(cython.address(reader.sink.line.board), text + begin, end - begin)
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
