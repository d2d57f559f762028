"""The PGN writer: reads the columns of a batch, writes text. Linear in the size of the batch."""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset, strlen

from tabiya.chess.board cimport BLACK, in_check
from tabiya.chess.fen_kernel cimport read_fen, start_board
from tabiya.chess.letters cimport (
    BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PAREN, COLON, COMMA, DELETE, DOLLAR, DOT, NEWLINE, OPEN_BRACKET,
    OPEN_PAREN, PERCENT, QUESTION, QUOTE, SEMICOLON, SPACE, UNDERSCORE, is_blank, is_newline
)
from tabiya.chess.rules_kernel cimport check_mark
from tabiya.chess.san cimport format_san
from tabiya.formats.pgn.lexer cimport is_name_letter
from tabiya.formats.pgn.output cimport (
    LOSS_BLANKS, LOSS_COUNT, LOSS_PLACE, LOSS_TAG, LOSS_TEXT, LOSS_VALUE, break_line, is_continuation, lose, put,
    put_close, put_letter, put_short_word, put_word, space
)
from tabiya.formats.pgn.read_kernel cimport result_length
from tabiya.formats.pgn.reader cimport VARIANT_CHESS960
from tabiya.formats.pgn.writing cimport NO_RECORD, OPAQUE, Writer
from tabiya.game.annotation_order cimport NO_MEMORY_FOR_ORDER, NO_SUCH_MOVE_OR_SIDE, is_annotated, order_by_move
from tabiya.game.annotations.commands cimport Command, command_at, is_known_command, reason_word
from tabiya.game.annotations.composing cimport KIND_WORDS
from tabiya.game.annotations.escapes cimport escape_letter
from tabiya.game.annotations.forms_kernel cimport (
    LONGEST_MARK, LONGEST_VALUE, can_write, format_mark, put_command, spelling_of
)
from tabiya.game.annotations.kinds cimport (
    KIND_ARROWS, KIND_BLACK_CLOCK, KIND_EVALUATION, KIND_NAGS, KIND_SQUARES, KIND_SYMBOLS, KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE, KIND_TIME_SPENT, KIND_UNREADABLE, KIND_WHITE_CLOCK
)
from tabiya.game.batch_view cimport Texts, View, find_extra, value_of
from tabiya.game.columns cimport NO_RESULT, SIDE_AFTER, SIDE_BEFORE, SIDE_LATE
from tabiya.game.columns_kernel cimport take
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.sink_kernel cimport nags_are_canonical
from tabiya.game.spelling cimport format_digits, plain_result, result_text
from tabiya.game.tag_names_kernel cimport (
    TAG_COUNT, TAG_DATE, TAG_FEN, TAG_NAMES, TAG_OTHER, TAG_RESULT, TAG_SETUP, TAG_VARIANT, exact_tag, letters_of_tag,
    tag_of_name
)
from tabiya.game.tape_kernel cimport MOST_NESTED, VARIATION_BEGIN, VARIATION_END
from tabiya.game.view_kernel cimport BatchView
from tabiya.game.walk cimport (
    EVENT_ANNOTATIONS, EVENT_CLOSE, EVENT_END, EVENT_MOVE, EVENT_NO_MEMORY, EVENT_OPEN, PlayedLine, begin_walk,
    free_walk, moves_own_piece, next_event, play_event, take_back
)


# === texts ============================================================================================================
# Comments of the PGN writer for texts: plain if that is read back exactly, else a command with escapes.
#
# Linear in the length of the text. Lines break only at single blanks, which the reader converts back to blanks, and
# never before a letter that has a meaning at the start of a line.

cdef bint write_text(Writer* writer, Py_ssize_t annotation, bint fits) noexcept nogil:
    """Write a text into a comment; ``fits``: a plain one is read back at its position. False if that is lost."""
    view = writer.view
    cdef const uint8_t* text = view.annotation_data.data + view.annotation_data.ends[annotation]
    cdef Py_ssize_t length = view.annotation_data.ends[annotation + 1] - view.annotation_data.ends[annotation]
    cdef int language = view.annotation_lang[annotation]
    cdef int side = view.annotation_side[annotation]
    cdef bint whole_game = view.annotation_move[annotation] < 0 and side != SIDE_LATE
    cdef bint before = side == SIDE_BEFORE and not whole_game
    # The kind of a text states its side; the rare one that contradicts it cannot be written as such.
    cdef bint sound = (view.annotation_kind[annotation] == KIND_TEXT_BEFORE) == (side == SIDE_BEFORE)
    if writer.plain:
        put_changed(writer, text, length)
        return fits and sound and not whole_game
    if fits and not whole_game and language == 0 and is_plain(writer, text, length):
        begin_part(writer, word_letters(text, 0, length))
        put_plain(writer, text, length)
        if text[length - 1] == SPACE:
            put(&writer.out, b" }", 2)  # a line break would swallow the blanks before it
            writer.out.column += 2
            writer.comment_open = False
            writer.number_due = True
        close_comment(writer)
    else:
        if whole_game:
            open_command(writer, b"game", language)
        elif before:
            open_command(writer, b"pre", language)
        elif side == SIDE_LATE and not fits:
            open_command(writer, b"late", language)
        else:
            open_command(writer, b"post", language)
        put_escaped(writer, text, length, False)
        # Never after a line break, which would be a blank of the text.
        put_letter(&writer.out, CLOSE_BRACKET)
        writer.out.column += 1
    return sound and (not whole_game or side == SIDE_AFTER)


cdef bint write_rendered(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    """Write commands that Python has rendered; ``lang`` is 1 if a plain text comes last, 2 for a text."""
    view = writer.view
    cdef const uint8_t* text = view.annotation_data.data + view.annotation_data.ends[annotation]
    cdef Py_ssize_t length = view.annotation_data.ends[annotation + 1] - view.annotation_data.ends[annotation]
    if writer.plain:
        put_commands(writer, text, length)
        return False
    begin_part(writer, word_letters(text, 0, length))
    put_plain(writer, text, length)
    if view.annotation_lang[annotation] == 1:
        close_comment(writer)
    return view.annotation_lang[annotation] != 0


cdef void put_commands(Writer* writer, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write commands for other programs, which do not expect line breaks inside them."""
    cdef Py_ssize_t begin = 0
    for place in range(1, length + 1):
        if place == length or (
            place + 1 < length
            and text[place] == SPACE
            and text[place - 1] == CLOSE_BRACKET
            and text[place + 1] == OPEN_BRACKET
        ):
            begin_part(writer, place - begin)
            put(&writer.out, text + begin, place - begin)
            writer.out.column += place - begin
            begin = place + 1


cdef bint write_unreadable(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    """Write ``[%error illegal "Nf9 e5"]``. False if its position is lost; the text shows if it is a variation."""
    view = writer.view
    cdef Py_ssize_t begin = view.annotation_data.ends[annotation]
    cdef Py_ssize_t length = view.annotation_data.ends[annotation + 1] - begin
    cdef int reason = view.annotation_lang[annotation]
    cdef bint variation = length and view.annotation_data.data[begin] == OPEN_PAREN
    out = &writer.out
    if writer.plain:
        return True
    open_command(writer, b"error", 0)
    put(out, <const uint8_t*> reason_word(reason), strlen(reason_word(reason)))
    put(out, b' "', 2)
    out.column += 12
    put_escaped(writer, view.annotation_data.data + begin, length, True)
    put(out, b'"]', 2)
    out.column += 2
    if view.annotation_move[annotation] < 0:
        return view.annotation_side[annotation] == SIDE_LATE
    return view.annotation_side[annotation] == (SIDE_AFTER if variation else SIDE_LATE)


cdef void open_command(Writer* writer, const char* name, int language) noexcept nogil:
    """Write ``[%post:GER`` and the blank after it."""
    out = &writer.out
    cdef const uint8_t* code = writer.languages + 4 * language
    cdef Py_ssize_t length = strlen(name)
    begin_part(writer, length + 8)
    put(out, b"[%", 2)
    put(out, <const uint8_t*> name, length)
    if language:
        put_letter(out, COLON)
        for index in range(4):
            if code[index]:
                put_letter(out, code[index])
    put_letter(out, SPACE)
    out.column += length + 8


cdef void begin_part(Writer* writer, Py_ssize_t letters) noexcept nogil:
    """Begin a part of a comment, opening one if none is open, in a line with space for this many letters."""
    out = &writer.out
    if writer.comment_open:
        space(out, letters)
        return
    space(out, letters + 2)
    put(out, b"{ ", 2)
    out.column += 2
    writer.comment_open = True


cdef void close_comment(Writer* writer) noexcept nogil:
    if writer.comment_open:
        put_word(&writer.out, b"}", 1)
        writer.comment_open = False
        writer.number_due = True


# --- plain texts -----------------------------------------------------------------------------------------------------


cdef bint is_plain(Writer* writer, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Return whether a text, simply put between braces, is read back unchanged."""
    cdef int letter
    cdef Command command
    cdef Py_ssize_t scanned = 0  # the last command; none begins inside of it
    if length == 0:
        return False
    if is_blank(text[0]) or is_blank(text[length - 1]):
        if not writer.exact_blanks or writer.comment_open or is_all_blank(text, length):
            return False
    cdef Py_ssize_t place = 0
    while place < length:
        letter = text[place]
        if letter == NEWLINE:
            # An empty line; a tag pair after it would be read as the next game.
            if (
                writer.out.one_line
                or place == 0
                or place + 2 >= length
                or text[place + 1] != NEWLINE
                or is_blank(text[place - 1])
                or is_blank(text[place + 2])
                or text[place + 2] == OPEN_BRACKET
            ):
                return False
            place += 1
            if text[place + 1] < SPACE:
                return False
        elif letter < SPACE or letter == CLOSE_BRACE or letter == DELETE:
            return False
        elif letter == OPEN_BRACKET and place >= scanned:
            command = command_at(text, place, length, writer.rare, writer.rare_length)
            if is_known_command(command.name):
                return False
            scanned = length if command.unclosed else command.arguments_end
        place += 1
    return True


cdef bint is_all_blank(const uint8_t* text, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t place = 0
    while place < length and is_blank(text[place]):
        place += 1
    return place == length


cdef Py_ssize_t word_letters(const uint8_t* text, Py_ssize_t place, Py_ssize_t length) noexcept nogil:
    """Return how many letters follow up to the next blank, with the blanks at the ends of the text and its brace."""
    cdef Py_ssize_t letters = 0
    if place == 0:
        while place < length and text[place] == SPACE:
            place += 1
        letters = place
    while place < length and text[place] != SPACE and text[place] != NEWLINE:
        letters += not is_continuation(text[place])
        place += 1
    if place < length and text[length - 1] == SPACE and is_all_blank(text + place, length - place):
        letters += length - place + 2
    return letters


cdef void put_text_letter(Writer* writer, int letter) noexcept nogil:
    put_letter(&writer.out, letter)
    writer.out.column += not is_continuation(letter)


cdef Py_ssize_t put_blanks(Writer* writer, const uint8_t* text, Py_ssize_t place, Py_ssize_t length) noexcept nogil:
    """Write the blanks at ``place``; return the position after them. A single one may become a line break."""
    out = &writer.out
    cdef Py_ssize_t end = place
    while end < length and text[end] == SPACE:
        end += 1
    if (
        end == place + 1
        and 0 < place
        and end < length
        and text[end] > SPACE
        and text[end] != PERCENT
        and text[end] != SEMICOLON
        and (text[end] != OPEN_BRACKET or (end + 1 < length and text[end + 1] == PERCENT))  # "[%" is no tag
    ):
        space(out, word_letters(text, end, length))
    else:
        put(out, text + place, end - place)
        out.column += end - place
    return end


cdef void put_plain(Writer* writer, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write a text for which ``is_plain`` is true."""
    cdef Py_ssize_t place = 0
    while place < length:
        if text[place] == SPACE:
            place = put_blanks(writer, text, place, length)
        elif text[place] == NEWLINE:
            put(&writer.out, b"\n\n", 2)
            writer.out.column = 0
            place += 2
        else:
            put_text_letter(writer, text[place])
            place += 1


cdef void put_changed(Writer* writer, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write a text between braces, changed as little as necessary, and count the losses."""
    out = &writer.out
    cdef bint lost = False
    cdef bint blanks = False  # only blanks were lost
    cdef Command command
    cdef Py_ssize_t scanned = 0  # the last command; none begins inside of it
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t end
    while length and (is_blank(text[length - 1]) or is_newline(text[length - 1])):
        length -= 1
        blanks = True
    while place < length and (is_blank(text[place]) or is_newline(text[place])):
        place += 1
        blanks = True
    if place == length:
        lose(out, LOSS_BLANKS if blanks else LOSS_TEXT)
        return
    begin_part(writer, word_letters(text, place, length))
    while place < length:
        if text[place] == SPACE:
            place = put_blanks(writer, text, place, length)
        elif text[place] == OPEN_BRACKET and place >= scanned:
            command = command_at(text, place, length, writer.rare, writer.rare_length)
            lost |= is_known_command(command.name)  # it will be read as a command, which it is not
            scanned = length if command.unclosed else command.arguments_end
            put_text_letter(writer, OPEN_BRACKET)
            place += 1
        elif text[place] < SPACE or text[place] == CLOSE_BRACE:
            end = place + 1
            while text[place] != CLOSE_BRACE and end < length and text[end] < SPACE:
                lost |= not is_blank(text[end]) and not is_newline(text[end])
                end += 1
            lost |= not is_blank(text[place]) and not is_newline(text[place])
            blanks = True
            put_text_letter(writer, CLOSE_PAREN if text[place] == CLOSE_BRACE else SPACE)
            place = end
        else:
            put_text_letter(writer, text[place])
            place += 1
    close_comment(writer)
    if lost or blanks:
        lose(out, LOSS_TEXT if lost else LOSS_BLANKS)


# --- escapes ---------------------------------------------------------------------------------------------------------


cdef void put_escaped(Writer* writer, const uint8_t* text, Py_ssize_t length, bint quoted) noexcept nogil:
    """Write the argument of a command."""
    cdef uint8_t escape[6]
    cdef int letters
    cdef Py_ssize_t place = 0
    while place < length:
        if text[place] == SPACE:
            place = put_blanks(writer, text, place, length)
            continue
        letters = escape_letter(text[place], quoted, escape)
        if letters:
            put(&writer.out, escape, letters)
            writer.out.column += letters
        else:
            put_text_letter(writer, text[place])
        place += 1


# === values in comments ===============================================================================================
# Values in comments of the PGN writer: ``[%clk 1:29:45]``; and which annotations are left to Python.
#
# Linear in the size of the payloads.

cdef bint write_value(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    """Write a value into a comment. True if it contains its position."""
    view = writer.view
    cdef int kind = view.annotation_kind[annotation]
    cdef uint8_t spelling[LONGEST_VALUE]
    out = &writer.out
    cdef int letters
    cdef bint black
    if kind == KIND_WORDS:
        return write_rendered(writer, annotation)
    if not can_write(view, annotation):
        # Values that other programs do not read are counted elsewhere; unusual forms have been rendered by Python.
        return writer.plain or not write_form(writer, annotation)
    if kind == KIND_SQUARES or kind == KIND_ARROWS:
        write_marks(writer, annotation)
        return False
    black = is_black(writer, annotation)
    if writer.plain and (
        (kind == KIND_WHITE_CLOCK and black)
        or (kind == KIND_BLACK_CLOCK and not black)
        or (kind == KIND_TIME_SPENT and view.annotation_data.data[view.annotation_data.ends[annotation] + 3])
    ):
        lose(out, LOSS_VALUE)
        if kind != KIND_TIME_SPENT:
            return True
    letters = spelling_of(view, annotation, writer.plain, spelling)
    begin_part(writer, letters + 8)
    if kind == KIND_EVALUATION:
        put(out, b"[%eval ", 7)
        out.column += 1
    elif kind == KIND_TIME_SPENT:
        put(out, b"[%emt ", 6)
    elif (kind == KIND_BLACK_CLOCK) == black:
        put(out, b"[%clk ", 6)
    else:
        put(out, b"[%clkb " if kind == KIND_BLACK_CLOCK else b"[%clkw ", 7)
        out.column += 1
    put(out, spelling, letters)
    put_letter(out, CLOSE_BRACKET)
    out.column += letters + 7
    return False


cdef bint write_form(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    """Write a value of a rarer kind; False if it has no usual form."""
    text = &writer.text
    text.size = 0
    if not put_command(writer.view, annotation, writer.rare, writer.rare_length, text):
        return False
    begin_part(writer, word_letters(text.data, 0, text.size))
    put_plain(writer, text.data, text.size)
    return True


cdef bint is_black(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    """Return whether a comment written now is read as one at a move of Black."""
    if writer.view.annotation_move[annotation] < 0:
        return False
    return (writer.line.board.turn == BLACK) != (writer.view.annotation_side[annotation] == SIDE_AFTER)


cdef void write_marks(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    """Write ``[%csl Ge4,Re5]``. The plain profile omits marks of colours that other programs do not support."""
    view = writer.view
    out = &writer.out
    cdef int kind = view.annotation_kind[annotation]
    cdef int width = 3 if kind == KIND_ARROWS else 2
    cdef int letters
    cdef int written = 0
    cdef Py_ssize_t place = view.annotation_data.ends[annotation]
    cdef Py_ssize_t end = view.annotation_data.ends[annotation + 1]
    cdef uint8_t mark[LONGEST_MARK]
    cdef bint lost = False
    if writer.plain and end > place and not any_mark(view, annotation):
        lose(out, LOSS_VALUE)
        return
    # Never broken: other programs do not expect a line break in a list.
    begin_part(writer, 7 + 6 * (end - place) // width)
    put(out, b"[%cal" if kind == KIND_ARROWS else b"[%csl", 5)
    out.column += 6
    while place < end:
        letters = format_mark(kind, view.annotation_data.data + place, writer.plain, mark)
        lost |= letters == 0
        if letters:
            put_letter(out, COMMA if written else SPACE)
            put(out, mark, letters)
            out.column += letters + 1
            written += 1
        place += width
    put_letter(out, CLOSE_BRACKET)
    if lost:
        lose(out, LOSS_VALUE)


cdef bint any_mark(const View* view, Py_ssize_t annotation) noexcept nogil:
    """Return whether other programs read any of these marks."""
    cdef int kind = view.annotation_kind[annotation]
    cdef uint8_t mark[LONGEST_MARK]
    cdef Py_ssize_t place = view.annotation_data.ends[annotation]
    while place < view.annotation_data.ends[annotation + 1]:
        if format_mark(kind, view.annotation_data.data + place, True, mark):
            return True
        place += 3 if kind == KIND_ARROWS else 2
    return False


# === tags =============================================================================================================
# The tags of the PGN writer: reads the columns of a batch, writes lines. Linear in the length of the tags.
#
# Tags come in the order of the Seven Tag Roster, then the other tags with columns, then all others in their own order;
# missing tags are not added, except for the roster in the plain profile.

cdef bint write_tags(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write all tags; False if there are none. For a name in the list, the list takes precedence over the columns."""
    view = writer.view
    names = &view.tag_names
    values = &view.tag_values
    cdef bint written = False
    cdef unsigned int listed = 0
    writer.exact_blanks = has_tag(writer, record, b"TextBlanks")
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        listed |= 1 << exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index])
    for tag in range(1, TAG_COUNT):
        if listed >> tag & 1:
            written |= write_listed(writer, record, tag)
        elif tag == TAG_SETUP:
            if view.has_start[record]:
                write_column_text(writer, tag, b"1", 1)
        elif write_column_tag(writer, record, tag):
            written = True
        elif writer.plain and tag <= TAG_RESULT:
            written = write_unknown(writer, tag)
    if writer.plies and view.kind[record] != OPAQUE and not has_tag(writer, record, b"PlyCount"):
        write_ply_count(writer, record)
    if listed & 1:
        for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
            if exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]) == TAG_OTHER:
                if tag_of_name(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]):
                    lose(&writer.out, LOSS_TAG)  # "white" is read as "White"
                write_tag(
                    writer,
                    names.data + names.ends[index],
                    names.ends[index + 1] - names.ends[index],
                    values.data + values.ends[index],
                    values.ends[index + 1] - values.ends[index],
                )
                written = True
    return written


cdef bint has_tag(Writer* writer, Py_ssize_t record, const char* name) noexcept nogil:
    """Return whether the list contains a tag of this name."""
    names = &writer.view.tag_names
    cdef Py_ssize_t length = strlen(name)
    for index in range(writer.view.tag_ends[record], writer.view.tag_ends[record + 1]):
        if names.ends[index + 1] - names.ends[index] == length:
            if memcmp(names.data + names.ends[index], name, length) == 0:
                return True
    return False


cdef bint write_unknown(Writer* writer, int tag) noexcept nogil:
    """Write a tag of the roster whose value is unknown (standard, 8.1.1)."""
    if tag == TAG_DATE:
        write_column_text(writer, tag, b"????.??.??", 10)
    else:
        write_column_text(writer, tag, b"*" if tag == TAG_RESULT else b"?", 1)
    return True


cdef void write_ply_count(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the number of moves of the main line, as ChessBase counts."""
    view = writer.view
    cdef uint8_t digits[10]
    cdef Py_ssize_t depth = 0
    cdef int plies = 0
    for index in range(view.move_ends[record], view.move_ends[record + 1]):
        if view.moves[index] == VARIATION_BEGIN:
            depth += 1
        elif view.moves[index] == VARIATION_END:
            depth -= 1
        elif depth == 0:
            plies += 1
    write_text_tag(writer, b"PlyCount", digits, format_digits(digits, plies))


cdef bint write_listed(Writer* writer, Py_ssize_t record, int tag) noexcept nogil:
    """Write the tags of this name from the list."""
    names = &writer.view.tag_names
    values = &writer.view.tag_values
    for index in range(writer.view.tag_ends[record], writer.view.tag_ends[record + 1]):
        if exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]) == tag:
            write_text_at(writer, tag, values, index)
    return True


cdef bint write_column_tag(Writer* writer, Py_ssize_t record, int tag) noexcept nogil:
    """Write a tag from its columns; False if these are empty."""
    view = writer.view
    cdef uint8_t digits[10]
    cdef int name = TAG_NAMES.name[tag]
    cdef int value
    cdef const char* text
    if tag == TAG_DATE:
        return write_date(writer, record)
    if tag == TAG_FEN:
        if view.has_start[record]:
            write_text_at(writer, tag, &view.start, record)
        return view.has_start[record]
    value = value_of(view, TAG_NAMES.column[tag], record)
    if tag == TAG_RESULT:
        if value != NO_RESULT:
            text = result_text(plain_result(value) if writer.plain else value)
            write_column_text(writer, tag, <const uint8_t*> text, strlen(text))
        return value != NO_RESULT
    if tag == TAG_VARIANT:
        if value == VARIANT_CHESS960:
            write_column_text(writer, tag, b"Chess960", 8)
        return value == VARIANT_CHESS960
    if value < 0:
        return False
    if name >= 0:
        write_text_at(writer, tag, &view.interned[name], value)
    else:
        write_column_text(writer, tag, digits, format_digits(digits, value))
    return True


cdef void write_text_at(Writer* writer, int tag, const Texts* texts, Py_ssize_t index) noexcept nogil:
    write_column_text(writer, tag, texts.data + texts.ends[index], texts.ends[index + 1] - texts.ends[index])


cdef bint write_date(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the date; False if it is completely unknown."""
    view = writer.view
    cdef uint8_t text[10]
    cdef int year = view.year[record]
    cdef int part
    if not (year or view.month[record] or view.day[record]):
        return False
    memset(text, QUESTION, 10)
    text[4] = text[7] = DOT
    if 0 < year < 10000:
        text[0] = ord("0") + year // 1000
        text[1] = ord("0") + year // 100 % 10
        text[2] = ord("0") + year // 10 % 10
        text[3] = ord("0") + year % 10
    for place in range(5, 9, 3):
        part = view.month[record] if place == 5 else view.day[record]
        if 0 < part < 100:
            text[place] = ord("0") + part // 10
            text[place + 1] = ord("0") + part % 10
    write_column_text(writer, TAG_DATE, text, 10)
    return True


cdef void write_column_text(Writer* writer, int tag, const uint8_t* value, Py_ssize_t length) noexcept nogil:
    write_tag(writer, letters_of_tag(tag), TAG_NAMES.length[tag], value, length)


cdef void write_text_tag(Writer* writer, const char* name, const uint8_t* value, Py_ssize_t length) noexcept nogil:
    write_tag(writer, <const uint8_t*> name, strlen(name), value, length)


cdef void write_tag(
    Writer* writer, const uint8_t* name, Py_ssize_t length, const uint8_t* value, Py_ssize_t value_length
) noexcept nogil:
    """Write ``[Name "value"]`` with quotes and backslashes escaped. A line break in a tag cannot be written."""
    out = &writer.out
    cdef bint lost = length == 0
    cdef int letter
    put_letter(out, OPEN_BRACKET)
    if length == 0:
        put_letter(out, UNDERSCORE)
    for place in range(length):
        letter = name[place]
        if not is_name_letter(letter):
            letter = UNDERSCORE
            lost = True
        put_letter(out, letter)
    put(out, b' "', 2)
    for place in range(value_length):
        letter = value[place]
        if letter == QUOTE or letter == BACKSLASH:
            put_letter(out, BACKSLASH)
        elif is_newline(letter):
            letter = SPACE
            lost = True
        put_letter(out, letter)
    put(out, b'"]\n', 3)
    if lost:
        lose(out, LOSS_TAG)


# === moves and annotations ============================================================================================
# The movetext that the PGN writer creates from a tape and its annotations. Linear in their size; no recursion.
#
# The text is read back as the same tape and the same annotations, wherever PGN can express them; otherwise the
# annotation is written as closely as possible and counted as a loss.

cdef int PART_VALUES = 1
cdef int PART_TEXTS = 2
cdef int PART_UNREADABLE = 4

# --- the tape --------------------------------------------------------------------------------------------------------


cdef Py_ssize_t write_moves(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the tape of a record with its annotations; return the index of the first invalid token, else -1."""
    view = writer.view
    walk = &writer.walk
    line = &writer.line
    cdef Py_ssize_t begin = view.move_ends[record]
    cdef int event
    begin_walk(walk, view.moves + begin, view.move_ends[record + 1] - begin, MOST_NESTED)
    writer.number_due = True
    write_annotations(writer, -1, SIDE_BEFORE, False)
    write_annotations(writer, -1, SIDE_AFTER, False)
    while True:
        event = next_event(walk, line, sizeof(PlayedLine))
        if event == EVENT_MOVE:
            if not moves_own_piece(&line.board, walk.token):
                return walk.place
            write_move(writer)
        elif event == EVENT_ANNOTATIONS:
            write_annotations(
                writer,
                walk.annotated,
                walk.side,
                walk.fits and not (writer.names_sides and walk.line.after_variation),
            )
        elif event == EVENT_OPEN:
            take_back(line)
            open_variation(writer)
        elif event == EVENT_CLOSE:
            put_close(&writer.out, CLOSE_PAREN)
            writer.number_due = True
        elif event == EVENT_END:
            break
        else:
            writer.out.failed |= event == EVENT_NO_MEMORY
            return walk.place
    if not writer.late_after_result:
        write_annotations(writer, -1, SIDE_LATE, True)
    return -1


cdef void open_variation(Writer* writer) noexcept nogil:
    space(&writer.out, 5)
    put_letter(&writer.out, OPEN_PAREN)
    writer.out.column += 1
    writer.out.glued = True
    writer.number_due = True


cdef void write_move(Writer* writer) noexcept nogil:
    """Write the current move and play it."""
    out = &writer.out
    board = &writer.line.board
    cdef int move = writer.walk.token
    cdef uint8_t word[32]
    cdef int length
    if board.turn != BLACK or writer.number_due:
        length = format_digits(word, board.fullmove)
        word[length] = DOT
        length += 1
        if board.turn == BLACK:
            word[length] = word[length + 1] = DOT
            length += 2
        put_short_word(out, word, length)
        writer.number_due = False
    length = format_san(board, move, word)
    play_event(&writer.walk, &writer.line)
    if move and in_check(board):
        word[length] = check_mark(board)
        length += 1
    put_short_word(out, word, length)


# --- annotations -----------------------------------------------------------------------------------------------------


cdef bint index_annotations(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Sort the annotations of a record by move. False if one belongs to a move that does not exist."""
    view = writer.view
    cdef int answer = order_by_move(&writer.walk.order, view, record)
    writer.has_moves = view.move_ends[record + 1] > view.move_ends[record]
    writer.late_after_result = writer.has_moves
    writer.out.failed |= answer == NO_MEMORY_FOR_ORDER
    if not writer.has_moves:
        for index in range(view.annotation_ends[record], view.annotation_ends[record + 1]):
            # Before the result a comment of a record without moves is late, too, but only its texts are.
            writer.late_after_result |= (
                view.annotation_side[index] == SIDE_LATE and part_of(view.annotation_kind[index]) == PART_VALUES
            )
    return answer != NO_SUCH_MOVE_OR_SIDE


cdef bint begins_with_comment(Writer* writer) noexcept nogil:
    """Return whether an annotation is written before the first move."""
    cdef int side
    order = &writer.walk.order
    if order.count == 0:
        return False
    for index in range(order.firsts[1] if writer.has_moves else order.firsts[0]):
        side = writer.view.annotation_side[order.places[index]]
        if side == SIDE_BEFORE or not writer.has_moves or (index < order.firsts[0] and side == SIDE_AFTER):
            return True
    return False


cdef void write_annotations(Writer* writer, int move, int side, bint fits) noexcept nogil:
    """Write the annotations on one side of a move: NAGs, then comments, then text that could not be read.

    ``fits``: a plain comment written here is read back at the same position.
    """
    if not is_annotated(&writer.walk.order, move):
        return
    write_symbols(writer, move, side, fits)
    if writer.plain:
        # Other programs expect commands before the text.
        write_comments(writer, move, side, fits, PART_VALUES)
        write_comments(writer, move, side, fits, PART_TEXTS)
    else:
        write_comments(writer, move, side, fits, PART_VALUES | PART_TEXTS)
    write_comments(writer, move, side, fits, PART_UNREADABLE)
    close_comment(writer)


cdef void write_symbols(Writer* writer, int move, int side, bint fits) noexcept nogil:
    """Write all NAGs of a position, which are read as one list in canonical form; after variations, as the move's."""
    order = &writer.walk.order
    cdef Py_ssize_t annotation
    cdef int kind
    cdef int lists = 0
    for index in range(order.firsts[move], order.firsts[move + 1]):
        annotation = order.places[index]
        kind = writer.view.annotation_kind[annotation]
        if writer.view.annotation_side[annotation] == side and (kind == KIND_SYMBOLS or kind == KIND_NAGS):
            lists += 1
            write_nags(writer, annotation)
            if (
                not fits
                or lists > 1
                or (side != SIDE_AFTER and writer.walk.line.last >= 0 and move >= 0)
                or (writer.plain and not nags_are_canonical(writer.view, annotation))
            ):
                lose(&writer.out, LOSS_PLACE)


cdef int part_of(int kind) noexcept nogil:
    """Return which part of a comment an annotation of this kind belongs to."""
    if kind == KIND_SYMBOLS or kind == KIND_NAGS:
        return 0
    if kind == KIND_UNREADABLE:
        return PART_UNREADABLE
    return PART_TEXTS if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE else PART_VALUES


cdef void write_comments(Writer* writer, int move, int side, bint fits, int parts) noexcept nogil:
    """Write these parts of the annotations on one side of a move, in order."""
    order = &writer.walk.order
    cdef Py_ssize_t annotation
    cdef int kind
    cdef bint here
    cdef bint late = False
    for index in range(order.firsts[move], order.firsts[move + 1]):
        annotation = order.places[index]
        kind = writer.view.annotation_kind[annotation]
        if not part_of(kind) & parts:
            continue
        here = writer.view.annotation_side[annotation] == side
        if here and kind == KIND_UNREADABLE:
            here = write_unreadable(writer, annotation)
        elif here and part_of(kind) == PART_TEXTS:
            here = write_text(writer, annotation, fits) and not (late and side == SIDE_AFTER)  # late ones are read last
        elif here:
            here = write_value(writer, annotation) or value_fits(writer, move, side, fits)
        else:
            late |= part_of(kind) == PART_TEXTS and writer.view.annotation_side[annotation] == SIDE_LATE
            continue
        if not here:
            lose(&writer.out, LOSS_PLACE)


cdef bint value_fits(Writer* writer, int move, int side, bint fits) noexcept nogil:
    """Return whether a value here is read back at its position: before the first move it belongs to the game."""
    if move < 0:
        return side == SIDE_AFTER or side == SIDE_LATE
    if side == SIDE_BEFORE and writer.walk.line.last < 0 and writer.walk.depth == 0:
        return False
    return fits


cdef void write_nag(Writer* writer, int nag) noexcept nogil:
    cdef uint8_t word[8]
    word[0] = DOLLAR
    put_word(&writer.out, word, 1 + format_digits(word + 1, nag))


cdef void write_nags(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    cdef const uint8_t* data = writer.view.annotation_data.data
    cdef Py_ssize_t begin = writer.view.annotation_data.ends[annotation]
    cdef Py_ssize_t end = writer.view.annotation_data.ends[annotation + 1]
    if writer.view.annotation_kind[annotation] == KIND_SYMBOLS:
        for place in range(begin, end):
            if data[place]:
                write_nag(writer, data[place])
    else:
        for place in range(begin, end - 1, 2):
            write_nag(writer, data[place] | data[place + 1] << 8)


# === games ============================================================================================================

cdef Py_ssize_t BAD_START = -2
cdef Py_ssize_t BAD_ANNOTATION = -3


def write_games(
    BatchView batch not None, bytes before not None, bint one_line, bint plain, bint plies, bint names_sides,
    bytes languages not None, bytes rare not None
) -> tuple:
    """Write a batch.

    Args:
        batch: the records.
        before: the kind of the record before each of them, NO_RECORD (255) at the beginning of a file; or of the first
            ones only, if the others are consecutive.
        one_line: whether to write the moves of a game in one line, however long.
        plain: whether to omit what only tabiya reads.
        plies: whether to write PlyCount where it is missing.
        names_sides: whether comments after variations state their move and side.
        languages: codes of the languages 0 to 255, four bytes each.
        rare: the table of commands, as for the reader.

    Returns:
        The bytes; a buffer of int64 with the end of each record in them; per kind of loss (count, position of the first
        record in the batch); and the error of a record, or None: (position, token), where token -2 is a bad start
        position and -3 an annotation of a move that does not exist.
    """
    cdef Writer writer
    cdef Py_ssize_t failure = -1
    cdef Py_ssize_t record = 0
    cdef const uint8_t* kinds = before
    cdef Py_ssize_t known = len(before)
    cdef Bytes ends
    if len(languages) != 1024:
        raise ValueError("there are 256 codes of languages")
    memset(&writer, 0, sizeof(Writer))
    memset(&ends, 0, sizeof(Bytes))
    writer.languages = languages
    writer.rare = rare
    writer.rare_length = len(rare)
    writer.view = &batch.view
    writer.plain = plain
    writer.plies = plies
    writer.names_sides = names_sides
    writer.before = NO_RECORD
    writer.out.one_line = one_line
    with nogil:
        start_board(&writer.standard)
        while record < writer.view.records and not writer.out.failed:
            if record < known:
                writer.before = kinds[record]
            failure = write_record(&writer, record)
            if failure != -1:
                break
            writer.before = writer.view.kind[record]
            if not put_end(&ends, writer.out.bytes.size):
                writer.out.failed = True
            record += 1
    try:
        if writer.out.failed:
            raise MemoryError("no memory for the text of a batch")
        text = memoryview(take(&writer.out.bytes))
        losses = [(writer.out.losses[kind], writer.out.first_loss[kind]) for kind in range(LOSS_COUNT)]
        return text, take(&ends), losses, None if failure == -1 else (record, failure)
    finally:
        free(writer.out.bytes.data)
        free(ends.data)
        free_walk(&writer.walk)
        free(writer.text.data)


cdef bint put_end(Bytes* ends, int64_t place) noexcept nogil:
    if not grow(ends, sizeof(int64_t)):
        return False
    memcpy(ends.data + ends.size, &place, sizeof(int64_t))
    ends.size += sizeof(int64_t)
    return True


cdef Py_ssize_t write_record(Writer* writer, Py_ssize_t record) noexcept nogil:
    cdef int letter
    view = writer.view
    out = &writer.out
    cdef Py_ssize_t begin
    cdef Py_ssize_t failure = -1
    cdef bint tagged
    cdef bint opaque = view.kind[record] == OPAQUE
    out.record = record
    out.column = 0
    writer.comment_open = False
    if not index_annotations(writer, record):
        return BAD_ANNOTATION
    tagged = write_tags(writer, record)
    if (
        not tagged
        and writer.before != NO_RECORD
        and (
            opaque
            or writer.before == OPAQUE
            or begins_with_comment(writer)
            or find_extra(writer.view, record, b"pgn.escape", view.extra_ends[record]) >= 0
        )
    ):
        # Without a tag this would be read as the end of the game before.
        write_text_tag(writer, b"Event", b"?", 1)
        lose(out, LOSS_TAG)
        tagged = True
    write_extras(writer, record)
    if tagged:
        put_letter(out, NEWLINE)
    if opaque:
        for _ in range(writer.walk.order.count):
            lose(out, LOSS_PLACE)  # there are no moves to attach them to
        begin = find_extra(writer.view, record, b"pgn.movetext", view.extra_ends[record])
        if begin >= 0 and view.extra_values.ends[begin + 1] > view.extra_values.ends[begin]:
            letter = view.extra_values.data[view.extra_values.ends[begin]]
            if letter == PERCENT or letter == 0xEF:
                put_letter(out, SPACE)  # to prevent an escape line, or a byte order mark that hides a tag
            put(
                out,
                view.extra_values.data + view.extra_values.ends[begin],
                view.extra_values.ends[begin + 1] - view.extra_values.ends[begin],
            )
        else:
            put_letter(out, PERCENT)  # an empty escape line: two tag sections without moves would be read as one game
        put(out, b"\n\n", 2)
        return -1
    if not set_up(writer, record):
        return BAD_START
    failure = write_moves(writer, record)
    if failure != -1:
        return failure
    write_termination(writer, record)
    if writer.late_after_result:
        write_annotations(writer, -1, SIDE_LATE, True)
    break_line(out)
    put_letter(out, NEWLINE)
    return -1


cdef bint set_up(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Put the start position on the board."""
    view = writer.view
    board = &writer.line.board
    cdef Py_ssize_t begin = view.start.ends[record]
    cdef Py_ssize_t length = view.start.ends[record + 1] - begin
    board[0] = writer.standard
    if not view.has_start[record] or length == 0:
        return True
    return read_fen(view.start.data + begin, length, view.variant[record] == VARIANT_CHESS960, board)


# --- results and extras ----------------------------------------------------------------------------------------------


cdef void write_extras(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the lines that begin with ``%``, after the tags. A line break in one cannot be written."""
    out = &writer.out
    cdef int letter
    cdef bint lost
    values = &writer.view.extra_values
    cdef Py_ssize_t place = find_extra(writer.view, record, b"pgn.escape", writer.view.extra_ends[record])
    while place >= 0:
        put_letter(out, PERCENT)
        lost = False
        for index in range(values.ends[place], values.ends[place + 1]):
            letter = values.data[index]
            if is_newline(letter):
                letter = SPACE
                lost = True
            put_letter(out, letter)
        put_letter(out, NEWLINE)
        if lost:
            lose(out, LOSS_TEXT)
        place = find_extra(writer.view, record, b"pgn.escape", place + 1)


cdef void write_termination(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the result after the moves: the original one, if it differs from the tag."""
    cdef Py_ssize_t begin
    cdef Py_ssize_t length
    values = &writer.view.extra_values
    cdef Py_ssize_t place = find_extra(writer.view, record, b"pgn.termination", writer.view.extra_ends[record])
    cdef int result = writer.view.result[record]
    cdef const char* text
    if place >= 0:
        begin = values.ends[place]
        length = values.ends[place + 1] - begin
        if length and result_length(values.data, begin, begin + length) == length:
            put_word(&writer.out, values.data + begin, length)
            return
        lose(&writer.out, LOSS_TEXT)
    text = result_text(plain_result(result))
    put_word(&writer.out, <const uint8_t*> text, strlen(text))
