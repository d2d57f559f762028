"""Reads the annotations of a ``.cba`` blob into columns, attached to their moves on the tape.

A blob has a head of 14 bytes (game, ``01 00 0E 0E``, count plus one, size) and then its annotations: position, kind,
length, payload. Positions count the moves in the order of the stream, -1 is the whole game. Linear in the size.
"""

import cython
from cython.cimports.libc.stdint import int32_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.formats.cbh.bodies.cba import ANNOTATION_HEAD, ANNOTATIONS_HEAD, Stored
from cython.cimports.tabiya.formats.cbh.bodies.cba_text_kernel import TEXT_EXACT, TEXT_NO_MEMORY, decode_text
from cython.cimports.tabiya.formats.cbh.bodies.cbg_tape_kernel import tape_number
from cython.cimports.tabiya.game.columns import (
    KIND_SYMBOLS,
    KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE,
    SIDE_AFTER,
    SIDE_BEFORE,
    end_string,
    open_annotation,
    put_bytes,
    put_uint8,
)
from cython.cimports.tabiya.game.growing import grow

MOST_SYMBOLS = cython.declare(cython.int, 3)


def free_annotations(annotations):
    free(annotations.found.data)
    free(annotations.sorted.data)
    free(annotations.counts.data)
    free(annotations.scratch.data)


def read_annotations(annotations, data, size, game, moves, columns):
    """Appends the annotations of a blob of at least ANNOTATIONS_HEAD bytes; False without memory.

    ``moves`` is NULL for a game whose moves are not known: all its annotations are then about the whole game.
    """
    stored: cython.pointer[Stored]
    count: cython.Py_ssize_t
    annotations.exact = True
    annotations.strays = 0
    annotations.stop = -1
    annotations.found.size = 0
    if not find_annotations(annotations, data, size, moves):
        return False
    count = annotations.found.size // cython.sizeof(Stored)
    if count == 0 or not keeps_head(data, size, game, count):
        annotations.exact = False  # a blob of nothing would not be written at all
    stored = by_move(annotations, 0 if moves == cython.NULL else moves.count)
    if stored == cython.NULL:
        return count == 0
    for index in range(count):
        if not put_annotation(annotations, data + stored[index].payload, cython.address(stored[index]), columns):
            return False
    return True


def keeps_head(data, size, game, count):
    """Whether this is the head that is written before so many annotations of this game."""
    return (
        (data[0] << 16 | data[1] << 8 | data[2]) == game
        and data[3] == 1
        and data[4] == 0
        and data[5] == ANNOTATIONS_HEAD
        and data[6] == ANNOTATIONS_HEAD
        and (data[7] << 16 | data[8] << 8 | data[9]) == count + 1
        and data[10] == 0
        and (data[11] << 16 | data[12] << 8 | data[13]) == size
    )


def find_annotations(annotations, data, size, moves):
    """Goes over a blob and notes its annotations; False without memory."""
    place: cython.Py_ssize_t = ANNOTATIONS_HEAD
    length: cython.int
    position: int32_t
    last: int32_t = -1
    stray: cython.bint
    stored: cython.pointer[Stored]
    while place < size:
        length = data[place + 4] << 8 | data[place + 5] if place + ANNOTATION_HEAD <= size else 0
        if length < ANNOTATION_HEAD or place + length > size:
            annotations.stop = place
            annotations.exact = False
            return True
        position = data[place] << 16 | data[place + 1] << 8 | data[place + 2]
        if position & 0x800000:
            position -= 0x1000000
        if position < last:
            annotations.exact = False
        last = position
        stray = moves != cython.NULL and position != -1 and not 0 <= position < moves.count
        if stray:
            annotations.strays += 1
            annotations.exact = False
            if moves.broken:  # its move was there once, and is not the last one
                place += length
                continue
        if not grow(cython.address(annotations.found), cython.sizeof(Stored)):
            annotations.no_memory = True
            return False
        stored = cython.cast(cython.pointer[Stored], annotations.found.data + annotations.found.size)
        annotations.found.size += cython.sizeof(Stored)
        stored.kind = data[place + 3]
        stored.payload = place + ANNOTATION_HEAD
        stored.length = length - ANNOTATION_HEAD
        stored.move = -1
        if moves == cython.NULL:
            annotations.exact = False
        elif stray:
            # Seen in games with a set-up position: such annotations belong behind the last move.
            stored.move = moves.main_last
        elif position >= 0:
            stored.move = tape_number(moves, position)
        place += length
    return True


def by_move(annotations, moves):
    """The annotations in the order of their moves, those of one move in the order of the blob; NULL without memory."""
    found = cython.cast(cython.pointer[Stored], annotations.found.data)
    count: cython.Py_ssize_t = annotations.found.size // cython.sizeof(Stored)
    places: cython.pointer[int32_t]
    total: int32_t = 0
    here: int32_t
    rises: cython.bint = True
    for index in range(1, count):
        if found[index].move < found[index - 1].move:
            rises = False
            break
    if rises:
        return found
    annotations.sorted.size = annotations.counts.size = 0
    if not grow(cython.address(annotations.sorted), annotations.found.size) or not grow(
        cython.address(annotations.counts), 4 * (cython.cast(cython.Py_ssize_t, moves) + 1)
    ):
        annotations.no_memory = True
        return cython.NULL
    places = cython.cast(cython.pointer[int32_t], annotations.counts.data)
    memset(places, 0, 4 * (cython.cast(cython.Py_ssize_t, moves) + 1))
    for index in range(count):
        places[found[index].move + 1] += 1
    for move in range(moves + 1):
        here = places[move]
        places[move] = total
        total += here
    for index in range(count):
        here = places[found[index].move + 1]
        places[found[index].move + 1] += 1
        cython.cast(cython.pointer[Stored], annotations.sorted.data)[here] = found[index]
    return cython.cast(cython.pointer[Stored], annotations.sorted.data)


def put_annotation(annotations, payload, stored, columns):
    length: cython.Py_ssize_t
    lang: cython.int = 0
    if stored.kind == KIND_TEXT_AFTER or stored.kind == KIND_TEXT_BEFORE:
        lang = payload[1] if stored.length > 1 else 0
        open_annotation(
            columns, stored.move, SIDE_BEFORE if stored.kind == KIND_TEXT_BEFORE else SIDE_AFTER, stored.kind, lang
        )
        put_text(annotations, payload, stored.length, columns)
        return not annotations.no_memory
    open_annotation(columns, stored.move, SIDE_AFTER, stored.kind, lang)
    length = stored.length
    if stored.kind == KIND_SYMBOLS:
        length = symbols_length(payload, length)
    put_bytes(columns, cython.address(columns.annotation_data.data), payload, length)
    end_string(columns, cython.address(columns.annotation_data))
    if length != stored.length:
        put_bytes(columns, cython.address(columns.annotation_raw.data), payload, stored.length)
    end_string(columns, cython.address(columns.annotation_raw))
    put_uint8(columns, cython.address(columns.annotation_has_raw), length != stored.length)
    return True


def symbols_length(payload, length):
    """The length of symbols without empty slots at their end; what are no symbols keeps its length."""
    used: cython.Py_ssize_t = length
    while used and payload[used - 1] == 0:
        used -= 1
    return used if used and length <= MOST_SYMBOLS else length


def put_text(annotations, payload, length, columns):
    """Puts a text and, if it would be written otherwise, its payload. It has two bytes in front: 0 and the language."""
    skipped: cython.Py_ssize_t = length if length < 2 else 2
    form: cython.int = decode_text(
        cython.address(annotations.page),
        payload + skipped,
        length - skipped,
        cython.address(columns.annotation_data.data),
        cython.address(annotations.scratch),
    )
    exact: cython.bint = form == TEXT_EXACT and length >= 2 and payload[0] == 0
    if form == TEXT_NO_MEMORY:
        annotations.no_memory = True
    end_string(columns, cython.address(columns.annotation_data))
    if not exact:
        put_bytes(columns, cython.address(columns.annotation_raw.data), payload, length)
    end_string(columns, cython.address(columns.annotation_raw))
    put_uint8(columns, cython.address(columns.annotation_has_raw), not exact)
