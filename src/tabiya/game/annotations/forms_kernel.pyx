"""The text forms of less common values: medals, links, time controls, payloads in base64.

Reads the arguments of a command and writes ChessBase's payload, and vice versa. As in ``values_kernel`` only usual
spellings are read; all other arguments, and payloads that their text would not return, are left to the classes of
``tabiya.game.annotations``; tests verify that this module agrees with them. Linear in the length of a value.

Every function reserves memory for its output first; False can also mean that memory is exhausted.
"""

from libc.stdint cimport int64_t
from libc.string cimport memcmp

from tabiya.chess.letters cimport CLOSE_BRACKET, COMMA, EQUALS, HASH, PLUS, SLASH, SPACE, is_digit, is_lower, is_upper
from tabiya.game.annotations.commands cimport ENTRY_HEAD, describe, entry_end
from tabiya.game.annotations.escapes cimport hex_value
from tabiya.game.annotations.kinds cimport KIND_ARROWS, KIND_SQUARES
from tabiya.game.annotations.list_forms_kernel cimport (
    format_periods, format_profile, format_strings, parse_periods, parse_profile, parse_strings
)
from tabiya.game.annotations.payload cimport (
    big_endian, put_big_endian, put_hex, put_letter, put_letters, put_number, take_number
)
from tabiya.game.annotations.values_kernel cimport square_at
from tabiya.game.columns cimport close_annotation
from tabiya.game.growing cimport grow
from tabiya.game.spelling cimport look_up

cdef Py_ssize_t ROOM = 160  # enough for any text of a fixed number of members, and the entry of its command
cdef int64_t MOST_BYTE = 255
cdef int64_t MOST_LONG = 4294967295


cdef bint put_form(
    Columns* columns, const Command* command, const uint8_t* text, Py_ssize_t length, bint utf8
) noexcept nogil:
    """Add a value to the open annotation, and close that; False if it has an unusual spelling, and it stays open.

    ``utf8``: texts of this record are UTF-8, here and in payloads; else only ASCII is read.
    """
    if not parse_form(command, text, length, utf8, &columns.annotation_data.data):
        return False
    close_annotation(columns)
    return True


cdef int kind_of_form(const Command* command, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Return the kind of the value of a command, or -1 if only Python can read it."""
    if command.form == FORM_DRAWING:
        return KIND_SQUARES if length and text[0] == ord("f") else KIND_ARROWS  # "full"
    if command.form != FORM_ANY_KIND:
        return command.kind
    if length < 2 or hex_value(text[0]) < 0 or hex_value(text[1]) < 0 or (length > 2 and text[2] != SPACE):
        return -1
    cdef int kind = 16 * hex_value(text[0]) + hex_value(text[1])
    return kind if command.words_length == 256 and command.words[kind] else -1


cdef bint find_form(
    const uint8_t* table, Py_ssize_t length, int kind, Command* command, const uint8_t** entry
) noexcept nogil:
    """Find the command for annotations of a kind, and its entry in the table; False if there is none."""
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t end = entry_end(table, length, 0)
    while end >= 0:
        describe(command, table + place)
        entry[0] = table + place
        # A kind's own command comes before those of other programs for it.
        if command.form == FORM_ANY_KIND:
            if kind < command.words_length and command.words[kind]:
                return True
        elif command.form and command.kind == kind:
            return True
        place = end
        end = entry_end(table, length, place)
    return False


cdef bint put_command(
    const View* view, Py_ssize_t annotation, const uint8_t* table, Py_ssize_t table_length, bint utf8, Bytes* out
) noexcept nogil:
    """Append ``[%name arguments]``; False if the value has no usual text form."""
    cdef Command command
    cdef const uint8_t* entry = NULL
    cdef int kind = view.annotation_kind[annotation]
    cdef Py_ssize_t begin = view.annotation_data.ends[annotation]
    cdef Py_ssize_t arguments
    if view.annotation_has_raw[annotation] or view.annotation_lang[annotation]:
        return False
    if not find_form(table, table_length, kind, &command, &entry):
        return False
    if not grow(out, ROOM + entry[0]):
        return False
    put_letters(out, b"[%", 2)
    put_letters(out, entry + ENTRY_HEAD, entry[0])
    put_letter(out, SPACE)
    arguments = out.size
    if not format_form(
        &command,
        kind,
        view.annotation_data.data + begin,
        view.annotation_data.ends[annotation + 1] - begin,
        utf8,
        out,
    ):
        return False
    out.size -= out.size == arguments  # no blank without arguments
    if not grow(out, 1):
        return False
    put_letter(out, CLOSE_BRACKET)
    return True


cdef bint is_exact(
    const View* view, Py_ssize_t annotation, const uint8_t* table, Py_ssize_t table_length, bint utf8, Bytes* room
) noexcept nogil:
    """Return whether a value has a usual text form, from which it is read back unchanged."""
    cdef Command command
    cdef const uint8_t* entry = NULL
    cdef const uint8_t* data = view.annotation_data.data + view.annotation_data.ends[annotation]
    cdef Py_ssize_t size = view.annotation_data.ends[annotation + 1] - view.annotation_data.ends[annotation]
    cdef Py_ssize_t head
    cdef Py_ssize_t length
    room.size = 0
    if not put_command(view, annotation, table, table_length, utf8, room):
        return False
    find_form(table, table_length, view.annotation_kind[annotation], &command, &entry)
    if command.form == FORM_BASE64 or command.form == FORM_ANY_KIND:
        return True
    head = 3 + entry[0]
    length = room.size
    # Reserve memory first: reading must not invalidate its source.
    if not grow(room, length + 2 * size + ROOM):
        return False
    if not parse_form(&command, room.data + head, length - head - 1, utf8, room):
        return False
    return room.size - length == size and memcmp(room.data + length, data, size) == 0


cdef bint parse_form(
    const Command* command, const uint8_t* text, Py_ssize_t length, bint utf8, Bytes* out
) noexcept nogil:
    """Append the payload of a value; False if it has an unusual spelling."""
    cdef int form = command.form
    if form == FORM_BASE64:
        return parse_base64(text, length, out)
    if form == FORM_BYTE or form == FORM_LONG:
        return parse_number(text, length, 1 if form == FORM_BYTE else 4, out)
    if form == FORM_WORD or form == FORM_WORDS:
        return parse_words(command, text, length, out)
    if form == FORM_COLOR:
        return parse_color(text, length, out)
    if form == FORM_DRAWING:
        return parse_drawing(command, text, length, out)
    if form == FORM_PERIODS:
        return parse_periods(text, length, out)
    if form == FORM_PROFILE:
        return parse_profile(text, length, out)
    if form == FORM_PATH:
        return parse_path(text, length, out)
    if form == FORM_STRINGS:
        return parse_strings(text, length, utf8, out)
    if form == FORM_ANY_KIND:
        return length == 2 or parse_base64(text + 3, length - 3, out)
    return False


cdef bint format_form(
    const Command* command, int kind, const uint8_t* data, Py_ssize_t length, bint utf8, Bytes* out
) noexcept nogil:
    """Append the arguments of a value's command; False if it has none. ROOM bytes are reserved already."""
    cdef int form = command.form
    if form == FORM_BASE64:
        return format_base64(data, length, out)
    if form == FORM_BYTE or form == FORM_LONG:
        return format_number(data, length, 1 if form == FORM_BYTE else 4, out)
    if form == FORM_WORD or form == FORM_WORDS:
        return format_words(command, data, length, out)
    if form == FORM_COLOR:
        return format_color(data, length, out)
    if form == FORM_PERIODS:
        return format_periods(data, length, out)
    if form == FORM_PROFILE:
        return format_profile(data, length, out)
    if form == FORM_PATH:
        return format_path(data, length, out)
    if form == FORM_STRINGS:
        return format_strings(data, length, utf8, out)
    if form == FORM_ANY_KIND:
        put_hex(out, kind)
        if length == 0:
            return True
        put_letter(out, SPACE)
        return format_base64(data, length, out)
    return False


# --- base64 ----------------------------------------------------------------------------------------------------------


cdef int base64_value(int letter) noexcept nogil:
    """Return the six bits of a letter, or -1."""
    if is_upper(letter):
        return letter - ord("A")
    if is_lower(letter):
        return letter - ord("a") + 26
    if is_digit(letter):
        return letter - ord("0") + 52
    return 62 if letter == PLUS else 63 if letter == SLASH else -1


cdef bint parse_base64(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """Read complete groups with correct padding and no stray bits."""
    cdef int letter
    cdef Py_ssize_t place = 0
    cdef int bits
    cdef int padding = 0
    if length % 4 or not grow(out, length):
        return False
    while place < length:
        bits = 0
        for index in range(4):
            letter = text[place + index]
            if letter == EQUALS and place + 4 == length and index > 1 and text[length - 1] == EQUALS:
                padding += 1
                letter = ord("A")  # no bits
            if base64_value(letter) < 0:
                return False
            bits = bits << 6 | base64_value(letter)
        if bits & (1 << 8 * padding) - 1:
            return False
        put_big_endian(out, bits, 3)
        place += 4
    out.size -= padding
    return True


cdef bint format_base64(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    cdef const char* digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    cdef Py_ssize_t place = 0
    cdef int bits
    if not grow(out, length // 3 * 4 + 4):
        return False
    while place < length:
        bits = data[place] << 16
        bits |= data[place + 1] << 8 if place + 1 < length else 0
        bits |= data[place + 2] if place + 2 < length else 0
        put_letter(out, digits[bits >> 18])
        put_letter(out, digits[bits >> 12 & 63])
        put_letter(out, digits[bits >> 6 & 63] if place + 1 < length else EQUALS)
        put_letter(out, digits[bits & 63] if place + 2 < length else EQUALS)
        place += 3
    return True


# --- numbers, words, colours, squares --------------------------------------------------------------------------------


cdef bint parse_number(const uint8_t* text, Py_ssize_t length, int size, Bytes* out) noexcept nogil:
    cdef Py_ssize_t place = 0
    cdef int64_t number = take_number(text, length, &place, 10)
    if place < length or not 0 <= number <= (MOST_BYTE if size == 1 else MOST_LONG) or not grow(out, size):
        return False
    put_big_endian(out, number, size)
    return True


cdef bint format_number(const uint8_t* data, Py_ssize_t length, int size, Bytes* out) noexcept nogil:
    if length != size:
        return False
    put_number(out, big_endian(data, size))
    return True


cdef bint put_word(const Command* command, int value, Bytes* out) noexcept nogil:
    """Write the word of a value, for which memory is reserved; False if it has none."""
    cdef Py_ssize_t place = 0
    words = command.words
    while place + 2 <= command.words_length:
        if words[place + 1] == value:
            put_letters(out, words + place + 2, words[place])
            return True
        place += 2 + words[place]
    return False


cdef bint parse_words(const Command* command, const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """Read one word, whose value is one byte; or several separated by commas, whose values are bits."""
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t begin = 0
    cdef int64_t bits = 0
    cdef int found = -1
    while place <= length:
        if place == length or (text[place] == COMMA and command.form == FORM_WORDS):
            found = look_up(command.words, command.words_length, text + begin, place - begin)
            if found < 0 or found > 31 or not grow(out, 4):
                return False
            bits |= <int64_t> 1 << found
            begin = place + 1
        place += 1
    put_big_endian(out, bits if command.form == FORM_WORDS else found, 4 if command.form == FORM_WORDS else 1)
    return True


cdef bint format_words(const Command* command, const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    cdef int64_t bits
    if not grow(out, command.words_length):
        return False
    if command.form == FORM_WORD:
        return length == 1 and put_word(command, data[0], out)
    if length != 4:
        return False
    bits = big_endian(data, 4)
    for bit in range(32):
        if bits >> bit & 1:
            if not put_word(command, bit, out):
                return False
            put_letter(out, COMMA)
    out.size -= bits != 0  # the last comma
    return bits != 0


cdef bint parse_color(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """``#RRGGBB``, and upper-case letters for the flags in this order: Python keeps any other spelling."""
    cdef int flags = 0
    cdef Py_ssize_t place = 7
    if length < 7 or text[0] != HASH or not grow(out, 4):
        return False
    for index in range(1, 7):
        if hex_value(text[index]) < 0 or text[index] >= ord("a"):
            return False
    if place < length:
        if text[place] != SPACE or place + 1 == length:
            return False
        place += 1
    if place < length and text[place] == ord("M"):
        flags = 2
        place += 1
    if place < length and text[place] == ord("L"):
        flags |= 1
        place += 1
    put_letter(out, flags)
    for index in range(5, 0, -2):
        put_letter(out, 16 * hex_value(text[index]) + hex_value(text[index + 1]))
    return place == length


cdef bint format_color(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    if length != 4 or data[0] > 3:
        return False
    put_letter(out, HASH)
    for index in range(3, 0, -1):
        put_hex(out, data[index])
    if data[0]:
        put_letter(out, SPACE)
    if data[0] & 2:
        put_letter(out, ord("M"))
    if data[0] & 1:
        put_letter(out, ord("L"))
    return True


cdef bint parse_drawing(const Command* command, const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """``full,e4,red``, ``arrow,e2,e4,green``: one square or arrow."""
    cdef int shape = 4 if length > 4 and memcmp(text, b"full", 4) == 0 else 5
    cdef int end = shape + (3 if shape == 4 else 6)
    cdef int color
    if length <= end or (shape == 5 and memcmp(text, b"arrow", 5) != 0) or text[end] != COMMA:
        return False
    color = look_up(command.words, command.words_length, text + end + 1, length - end - 1)
    if color < 0 or not grow(out, 3):
        return False
    put_letter(out, color)
    for index in range(shape, end, 3):
        if text[index] != COMMA or square_at(text + index + 1) == 0:
            return False
        put_letter(out, square_at(text + index + 1))
    return True


cdef bint parse_path(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """``e4 3``."""
    if length < 4 or square_at(text) == 0 or text[2] != SPACE or not parse_number(text + 3, length - 3, 1, out):
        return False
    if not grow(out, 1):
        return False
    put_letter(out, square_at(text))
    return True


cdef bint format_path(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    if length != 2 or not 1 <= data[1] <= 64:
        return False
    put_letter(out, ord("a") + (data[1] - 1) // 8)
    put_letter(out, ord("1") + (data[1] - 1) % 8)
    put_letter(out, SPACE)
    put_number(out, data[0])
    return True
