"""Conversion of annotation texts between ChessBase's bytes and UTF-8: the rules of ``TextEncoding``, for whole columns.

Linear in the length of a text. :mod:`tabiya.game.annotations.encoding` gives the reasons; a test compares both. A text
that would be written differently is reported, so that its bytes can be kept.
"""

from libc.string cimport memcpy

from tabiya.chess.letters cimport is_file, is_lower, is_rank, is_upper
from tabiya.game.growing cimport grow
from tabiya.game.utf8 cimport ascii_length, is_utf8, put_character, utf8_sequence

cdef int KING_SIGN = 0x2654  # ♔, followed by ♕ ♖ ♗ ♘ ♙
cdef int DIAGRAM_SIGN = 0x25A6  # ▦
cdef int DIAGRAM_BYTE = 0x9E
# The signs for the bytes A2 to A7.
cdef char* FIGURINE_SIGNS = b"\x00\x01\x04\x03\x02\x05"


cdef bint is_word(int letter) noexcept nogil:
    """Return whether this is a letter, or a byte that may be one."""
    return is_upper(letter) or is_lower(letter) or letter >= 0x80


cdef int character_at(const uint8_t* text, int count) noexcept nogil:
    """Return the character of a valid sequence of this many bytes."""
    if count == 1:
        return text[0]
    if count == 2:
        return (text[0] & 31) << 6 | text[1] & 63
    if count == 3:
        return (text[0] & 15) << 12 | (text[1] & 63) << 6 | text[2] & 63
    return (text[0] & 7) << 18 | (text[1] & 63) << 12 | (text[2] & 63) << 6 | text[3] & 63


# --- reading ---------------------------------------------------------------------------------------------------------


cdef int decode_text(
    const TextPage* page, const uint8_t* data, Py_ssize_t length, Bytes* out, Bytes* scratch
) noexcept nogil:
    """Append a stored text as UTF-8 with figurine characters; return TEXT_EXACT, TEXT_OTHERWISE or TEXT_NO_MEMORY."""
    cdef Py_ssize_t start = out.size
    cdef int written
    if ascii_length(data, length) == length:
        if not grow(out, length):
            return TEXT_NO_MEMORY
        if length:
            memcpy(out.data + start, data, length)
        out.size += length
        return TEXT_EXACT
    if is_utf8(data, length):
        if not put_display_text(data, length, out):
            return TEXT_NO_MEMORY
        if has_signs(data, length):
            return TEXT_OTHERWISE
        if page.utf8:
            return TEXT_EXACT
        # In a base with a code page, texts are written in it if possible.
        scratch.size = 0
        written = encode_page(page, out.data + start, out.size - start, scratch)
        return TEXT_NO_MEMORY if written < 0 else TEXT_OTHERWISE if written else TEXT_EXACT
    if is_mixed(data, length):
        return TEXT_OTHERWISE if put_mixed(page, data, length, out) else TEXT_NO_MEMORY
    if not put_page(page, data, length, out):
        return TEXT_NO_MEMORY
    return TEXT_OTHERWISE if page.utf8 else TEXT_EXACT


cdef bint put_display_text(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    """Append UTF-8, with ChessBase's private figurines and diagram marks as characters of common fonts."""
    cdef int code
    cdef Py_ssize_t place
    if not grow(out, length):
        return False
    memcpy(out.data + out.size, data, length)
    for place in range(length - 2):
        if data[place] == 0xEE and data[place + 1] == 0x80:  # U+E000 to U+E03F
            code = data[place + 2] & 63
            if 0x24 <= code <= 0x29:
                out.data[out.size + place] = 0xE2
                out.data[out.size + place + 1] = 0x99
                out.data[out.size + place + 2] = 0x94 + code - 0x24
            elif code == 5:
                out.data[out.size + place] = 0xE2
                out.data[out.size + place + 1] = 0x96
                out.data[out.size + place + 2] = 0xA6
    out.size += length
    return True


cdef bint has_signs(const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Return whether UTF-8 contains a sign that replaces a private character of ChessBase."""
    for place in range(length - 2):
        if text[place] == 0xE2 and (
            (text[place + 1] == 0x99 and 0x94 <= text[place + 2] <= 0x99)
            or (text[place + 1] == 0x96 and text[place + 2] == 0xA6)
        ):
            return True
    return False


cdef int sign_of(const uint8_t* data, Py_ssize_t length, Py_ssize_t place) noexcept nogil:
    """Return the sign for a byte of a code page, 0 if it is a letter.

    A figurine directly precedes a file, a rank or "x", a diagram mark is separate.
    """
    cdef int letter = data[place]
    cdef int follower = data[place + 1] if place + 1 < length else 0
    if 0xA2 <= letter <= 0xA7:
        if is_file(follower) or follower == ord("x") or is_rank(follower):
            return KING_SIGN + FIGURINE_SIGNS[letter - 0xA2]
    elif letter == DIAGRAM_BYTE and not is_word(follower) and not (place and is_word(data[place - 1])):
        return DIAGRAM_SIGN
    return 0


cdef bint put_page(const TextPage* page, const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    cdef int letter
    cdef int sign
    if not grow(out, 3 * length):
        return False
    for place in range(length):
        letter = data[place]
        if letter >= 0x80:
            sign = sign_of(data, length, place)
            letter = sign if sign else page.letters[letter - 0x80]
        out.size += put_character(out.data + out.size, letter)
    return True


cdef int sequence_at(const uint8_t* data, Py_ssize_t available) noexcept nogil:
    """Return the length of a UTF-8 character that may occur among bytes of a code page, 0 if there is none."""
    cdef int first = data[0]
    if available < 2 or data[1] & 0xC0 != 0x80:
        return 0
    if 0xC2 <= first <= 0xCA or 0xCE <= first <= 0xD1 or first == 0xD7:
        return 2
    if available < 3 or data[2] & 0xC0 != 0x80:
        return 0
    if first == 0xE2 or (first == 0xEE and data[1] == 0x80):
        return 3
    if available < 4 or data[3] & 0xC0 != 0x80:
        return 0
    return 4 if first == 0xF0 and data[1] == 0x9F else 0


cdef bint is_mixed(const uint8_t* data, Py_ssize_t length) noexcept nogil:
    """Return whether a text that is not valid UTF-8 is mostly UTF-8. A single character is not sufficient."""
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t high = 0
    cdef Py_ssize_t covered = 0
    cdef Py_ssize_t sequences = 0
    cdef int count
    while place < length:
        count = sequence_at(data + place, length - place)
        if count:
            sequences += 1
            covered += count
            high += count
            place += count
        else:
            high += data[place] >= 0x80
            place += 1
    return sequences >= 2 and 2 * covered > high


cdef bint put_mixed(const TextPage* page, const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil:
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t start = 0
    cdef int count
    while place < length:
        count = sequence_at(data + place, length - place)
        if count == 0:
            place += 1
            continue
        if not put_page(page, data + start, place - start, out) or not put_display_text(data + place, count, out):
            return False
        place += count
        start = place
    return put_page(page, data + start, length - start, out)


# --- writing ---------------------------------------------------------------------------------------------------------


cdef bint encode_text(const TextPage* page, const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """Append the bytes that are read back as this text; False without memory. The text must be UTF-8."""
    cdef int written = 0
    if ascii_length(text, length) == length:
        if not grow(out, length):
            return False
        if length:
            memcpy(out.data + out.size, text, length)
        out.size += length
        return True
    if not page.utf8:
        written = encode_page(page, text, length, out)
        if written < 0:
            return False
    return True if written else put_hidden(text, length, out)


cdef int encode_page(const TextPage* page, const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """Append the text in the code page if it is read back unchanged: return 1, or 0 if not, or -1 without memory."""
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t start = out.size
    cdef int count
    cdef int byte
    if not grow(out, length):
        return -1
    while place < length:
        count = utf8_sequence(text + place, length - place)
        byte = page_byte(page, character_at(text + place, count)) if count else -1
        if byte < 0:
            out.size = start
            return 0
        out.data[out.size] = byte
        out.size += 1
        place += count
    if not reads_as(page, out.data + start, out.size - start, text, length):
        out.size = start
        return 0
    return 1


cdef bint reads_as(
    const TextPage* page, const uint8_t* data, Py_ssize_t size, const uint8_t* text, Py_ssize_t length
) noexcept nogil:
    """Return whether bytes of the code page, one per character of a text, are read back as this text."""
    cdef Py_ssize_t place = 0
    cdef int sign
    cdef int letter
    cdef int count
    if is_utf8(data, size) or is_mixed(data, size):
        return False
    for index in range(size):
        count = utf8_sequence(text + place, length - place)
        letter = data[index]
        if letter >= 0x80:
            sign = sign_of(data, size, index)
            letter = sign if sign else page.letters[letter - 0x80]
        if letter != character_at(text + place, count):
            return False
        place += count
    return True


cdef int page_byte(const TextPage* page, int character) noexcept nogil:
    """Return the byte of a character in the code page, -1 if it has none."""
    cdef int byte
    if character < 0x80:
        return character
    byte = page.bytes[character] if character < 0x10000 else 0
    return byte if byte else -1


cdef bint put_hidden(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil:
    """Append UTF-8, with figurines and diagram marks as ChessBase's private characters."""
    if not grow(out, length):
        return False
    memcpy(out.data + out.size, text, length)
    for place in range(length - 2):
        if text[place] == 0xE2:
            if text[place + 1] == 0x99 and 0x94 <= text[place + 2] <= 0x99:
                out.data[out.size + place] = 0xEE
                out.data[out.size + place + 1] = 0x80
                out.data[out.size + place + 2] = 0xA4 + text[place + 2] - 0x94
            elif text[place + 1] == 0x96 and text[place + 2] == 0xA6:
                out.data[out.size + place] = 0xEE
                out.data[out.size + place + 1] = 0x80
                out.data[out.size + place + 2] = 0x85
    out.size += length
    return True
