"""Moves that are not written as usual: signs, figurines, piece letters of other languages, signs glued to moves.

Reads the token at the reader's place, writes to the line of play. Linear in the length of the token.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memcmp
from cython.cimports.tabiya.chess.san import parse_san
from cython.cimports.tabiya.formats.pgn.lines_kernel import fail_line, play
from cython.cimports.tabiya.formats.pgn.nags_kernel import read_signs
from cython.cimports.tabiya.formats.pgn.reader import PROBLEM_TOKEN
from cython.cimports.tabiya.formats.pgn.record_kernel import note
from cython.cimports.tabiya.formats.pgn.tag_values_kernel import look_up
from cython.cimports.tabiya.game.columns import put_uint16


def read_odd_move(reader, end, reason):
    """A token that is no plain move: a sign, a figurine, a letter of another language, a move with a sign behind."""
    token = reader.text + reader.place
    length: cython.Py_ssize_t = end - reader.place
    sign: cython.int
    letters: uint8_t[LONGEST_MOVE]
    used: cython.Py_ssize_t
    move: cython.int
    sign = look_up(reader.signs, reader.signs_length, token, length)
    if sign >= 0:
        if sign:
            put_uint16(reader.columns, cython.address(reader.nags), sign)
        else:
            note(reader, PROBLEM_TOKEN, reader.place, end)
        reader.place = end
        return
    if length == 1 and token[0] == 101 and reader.end - end >= 3 and memcmp(token, b"e.p.", 4) == 0:
        note(reader, PROBLEM_TOKEN, reader.place, end + 3)
        reader.place = end + 3
        return
    used = translate(reader, token, length, letters)
    if used > 0:
        move = parse_san(cython.address(reader.line.board), letters, used)
        if move >= 0 or play_with_sign(reader, letters, used):
            if move >= 0:
                play(reader, move)
            reader.place = end
            if end < reader.end and (reader.text[end] == 33 or reader.text[end] == 63):
                read_signs(reader)
            return
        reason = move
    else:
        if reader.letters != cython.NULL:
            reason = parse_san(cython.address(reader.line.board), token, length)
        if reason >= 0:
            play(reader, reason)
        if reason >= 0 or play_with_sign(reader, token, length):
            reader.place = end
            return
    fail_line(reader, reader.place, end, reason)


def play_with_sign(reader, token, length):
    """Plays a move that a sign is glued to, as in ``Nf3+-``."""
    move: cython.int
    sign: cython.int
    for size in range(1, 4):
        if length - size < 2:
            return False
        sign = look_up(reader.signs, reader.signs_length, token + length - size, size)
        if sign > 0:
            move = parse_san(cython.address(reader.line.board), token, length - size)
            if move >= 0:
                play(reader, move)
                put_uint16(reader.columns, cython.address(reader.nags), sign)
                return True
    return False


def letter_at(reader, token, length, used):
    """The English letter of the figurine or foreign piece letter at the front, 0 if there is none."""
    used[0] = 3
    if length >= 3 and token[0] == 0xE2 and token[1] == 0x99 and 0x94 <= token[2] <= 0x9F:  # U+2654 … U+265F
        return b"KQRBNP"[(token[2] - 0x94) % 6]
    if reader.letters != cython.NULL:
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


def translate(reader, token, length, out):
    """Writes a move with its piece letters in English; 0 if there is nothing to translate."""
    place: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = 0
    used: cython.Py_ssize_t
    letter: cython.int
    changed: cython.bint = False
    while place < length:
        if size == LONGEST_MOVE:
            return 0
        letter = letter_at(reader, token + place, length - place, cython.address(used))
        if letter:
            changed = True
            if letter != 80 or place:  # a pawn's letter at the front says nothing
                out[size] = letter
                size += 1
            place += used
        else:
            out[size] = token[place]
            size += 1
            place += 1
    return size if changed else 0
