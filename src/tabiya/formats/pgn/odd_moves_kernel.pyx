"""Moves in unusual notation: signs, figurines, piece letters of other languages, tokens attached to moves.

Reads the token at the reader's position, writes to the line of play. Linear in the length of the token.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from tabiya.chess.letters cimport DOT, EXCLAMATION, QUESTION, is_digit
from tabiya.chess.san cimport SAN_SYNTAX, parse_san
from tabiya.formats.pgn.lines_kernel cimport fail_line, play
from tabiya.formats.pgn.nags_kernel cimport read_signs
from tabiya.formats.pgn.reader cimport PROBLEM_GLUED, PROBLEM_TOKEN
from tabiya.formats.pgn.record_kernel cimport note
from tabiya.formats.pgn.skip_kernel cimport result_length
from tabiya.game.sink cimport add_nag
from tabiya.game.spelling cimport look_up

cdef enum:
    LONGEST_MOVE = 32
    LONGEST_TAIL = 7  # 1/2-1/2


cdef void read_odd_move(Reader* reader, Py_ssize_t end, int reason) noexcept nogil:
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
    reason = play_odd(reader, token, length, reason)
    if reason >= 0:
        reader.place = end
        if end < reader.end and (reader.text[end] == EXCLAMATION or reader.text[end] == QUESTION):
            read_signs(reader)
    elif not play_before_tail(reader, token, length):
        fail_line(reader, reader.place, end, reason)


cdef int play_odd(Reader* reader, const uint8_t* token, Py_ssize_t length, int reason) noexcept nogil:
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
                move = play_odd(reader, token, length - size, move)
            if move >= 0:
                note(reader, PROBLEM_GLUED, reader.place, reader.place + length)
                reader.place += length - size
                return True
        size += 1
    return False


cdef bint is_tail(Reader* reader, const uint8_t* tail, Py_ssize_t size) noexcept nogil:
    """Return whether the end of a token is a result, or a move number followed by its dot."""
    cdef Py_ssize_t behind = tail - reader.text + size
    if result_length(tail, 0, size) == size or (size == 3 and memcmp(tail, b"1/2", 3) == 0):
        return True
    if behind == reader.end or reader.text[behind] != DOT:
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
