"""Reads the annotations of a ``.cba`` blob into columns, attached to their moves on the tape.

A blob has a header of 14 bytes (game, ``01 00 0E 0E``, count plus one, size) and then its annotations: position, kind,
length, payload. Positions count the moves in the order of the stream, -1 is the whole game. Linear in the size.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free

from tabiya.formats.cbh.bodies.cba cimport ANNOTATION_HEAD, ANNOTATIONS_HEAD
from tabiya.formats.cbh.bodies.cba_text_kernel cimport TEXT_EXACT, TEXT_NO_MEMORY, decode_text
from tabiya.formats.cbh.bodies.cbg_tape_kernel cimport tape_number
from tabiya.game.annotations.kinds cimport KIND_SYMBOLS, KIND_TEXT_AFTER, KIND_TEXT_BEFORE
from tabiya.game.columns cimport (
    SIDE_AFTER, SIDE_BEFORE, annotation_count, close_annotation, close_annotation_with_raw, open_annotation, put_bytes
)
from tabiya.game.sink_kernel cimport order_annotations

cdef int MOST_SYMBOLS = 3


cdef void free_annotations(Annotations* annotations) noexcept nogil:
    free(annotations.found.data)
    free(annotations.room.data)
    free(annotations.scratch.data)


cdef bint read_annotations(
    Annotations* annotations, const uint8_t* data, Py_ssize_t size, int64_t game, const Moves* moves, Columns* columns
) noexcept nogil:
    """Append the annotations of a blob of at least ANNOTATIONS_HEAD bytes; False without memory.

    ``moves`` is NULL for a game with unknown moves: all its annotations then belong to the whole game.
    """
    cdef Py_ssize_t first = annotation_count(columns)
    cdef Py_ssize_t place = ANNOTATIONS_HEAD
    cdef int length
    cdef int32_t position
    cdef int32_t last = -1
    cdef int32_t move
    annotations.exact = moves != NULL
    annotations.strays = 0
    annotations.stop = -1
    while place < size:
        length = data[place + 4] << 8 | data[place + 5] if place + ANNOTATION_HEAD <= size else 0
        if length < ANNOTATION_HEAD or place + length > size:
            annotations.stop = place
            annotations.exact = False
            break
        position = data[place] << 16 | data[place + 1] << 8 | data[place + 2]
        if position & 0x800000:
            position -= 0x1000000
        if position < last:
            annotations.exact = False
        last = position
        move = -1
        if moves != NULL and 0 <= position < moves.count:
            move = tape_number(moves, position)
        elif moves != NULL and position != -1:
            annotations.strays += 1
            annotations.exact = False
            if moves.broken:  # its move existed once, and is not the last one
                place += length
                continue
            # Seen in games with a set-up position: such annotations belong after the last move.
            move = moves.main_last
        if not put_annotation(annotations, data + place, length, move, columns):
            return False
        place += length
    cdef Py_ssize_t count = annotation_count(columns) - first
    if count == 0 or not keeps_head(data, size, game, count):
        annotations.exact = False  # an empty blob would not be written at all
    order_annotations(columns, first, 0 if moves == NULL else moves.count, NULL, &annotations.room)
    return True


cdef bint keeps_head(const uint8_t* data, Py_ssize_t size, int64_t game, Py_ssize_t count) noexcept nogil:
    """Return whether this is the header that is written for this many annotations of this game."""
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


cdef bint put_annotation(
    Annotations* annotations, const uint8_t* stored, Py_ssize_t size, int32_t move, Columns* columns
) noexcept nogil:
    """Append an annotation of this many bytes, including its header; False without memory."""
    cdef int side
    payload = stored + ANNOTATION_HEAD
    cdef Py_ssize_t length = size - ANNOTATION_HEAD
    cdef Py_ssize_t used = length
    cdef int kind = stored[3]
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        side = SIDE_BEFORE if kind == KIND_TEXT_BEFORE else SIDE_AFTER
        open_annotation(columns, move, side, kind, payload[1] if length > 1 else 0)
        put_text(annotations, payload, length, columns)
        return not annotations.no_memory
    open_annotation(columns, move, SIDE_AFTER, kind, 0)
    if kind == KIND_SYMBOLS:
        used = symbols_length(payload, length)
    put_bytes(columns, &columns.annotation_data.data, payload, used)
    if used == length:
        close_annotation(columns)
    else:
        close_annotation_with_raw(columns, payload, length)
    return True


cdef Py_ssize_t symbols_length(const uint8_t* payload, Py_ssize_t length) noexcept nogil:
    """Return the length of symbols without empty slots at their end; invalid symbols keep their length."""
    cdef Py_ssize_t used = length
    while used and payload[used - 1] == 0:
        used -= 1
    return used if used and length <= MOST_SYMBOLS else length


cdef void put_text(
    Annotations* annotations, const uint8_t* payload, Py_ssize_t length, Columns* columns
) noexcept nogil:
    """Append a text and, if it would be written differently, its payload. It begins with 0 and the language."""
    cdef Py_ssize_t skipped = length if length < 2 else 2
    cdef int form = decode_text(
        &annotations.page,
        payload + skipped,
        length - skipped,
        &columns.annotation_data.data,
        &annotations.scratch,
    )
    cdef bint exact = form == TEXT_EXACT and length >= 2 and payload[0] == 0
    if form == TEXT_NO_MEMORY:
        annotations.no_memory = True
    if exact:
        close_annotation(columns)
    else:
        close_annotation_with_raw(columns, payload, length)
