"""Comments of the PGN writer for texts: plain if that is read back exactly, else a command with escapes.

Linear in the length of the text. Lines break only at single blanks, which the reader converts back to blanks, and never
before a letter that has a meaning at the start of a line.
"""

from libc.string cimport strlen

from tabiya.chess.letters cimport (
    CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PAREN, COLON, DELETE, NEWLINE, OPEN_BRACKET, OPEN_PAREN, PERCENT, SEMICOLON,
    SPACE, is_blank, is_newline
)
from tabiya.formats.pgn.output cimport LOSS_BLANKS, LOSS_TEXT, is_continuation, lose, put, put_letter, put_word, space
from tabiya.game.annotations.commands cimport Command, command_at, means_something, reason_word
from tabiya.game.annotations.escapes cimport escape_letter
from tabiya.game.annotations.kinds cimport KIND_TEXT_BEFORE
from tabiya.game.columns cimport SIDE_AFTER, SIDE_BEFORE, SIDE_LATE


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
    cdef Py_ssize_t behind = 0  # the last command; none begins inside of it
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
        elif letter == OPEN_BRACKET and place >= behind:
            command = command_at(text, place, length, writer.rare, writer.rare_length)
            if means_something(command.name):
                return False
            behind = length if command.unclosed else command.arguments_end
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
    cdef Py_ssize_t behind = 0  # the last command; none begins inside of it
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
        elif text[place] == OPEN_BRACKET and place >= behind:
            command = command_at(text, place, length, writer.rare, writer.rare_length)
            lost |= means_something(command.name)  # it will be read as a command, which it is not
            behind = length if command.unclosed else command.arguments_end
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
