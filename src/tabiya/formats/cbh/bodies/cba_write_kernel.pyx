"""Writes the annotations of a record as a ``.cba`` blob: by the positions of their moves, in their own order on a move.

Linear in the number and size of the annotations, and in the number of moves. Also computes the statistics for headers.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcmp, memcpy, memset

from tabiya.formats.cbh.bodies.body_writer cimport (
    BAD_ANNOTATION, LOSS_BYTES, LOSS_LANGUAGE, LOSS_LENGTH, MOST_BLOB, MOST_POSITION, RAW_GIVEN, RAW_NONE, TOO_LARGE,
    WRITTEN, lose
)
from tabiya.formats.cbh.bodies.cba cimport ANNOTATION_HEAD, ANNOTATIONS_HEAD, MOST_PAYLOAD
from tabiya.formats.cbh.bodies.cba_read_kernel cimport symbols_length
from tabiya.formats.cbh.bodies.cba_text_kernel cimport TEXT_NO_MEMORY, decode_text, encode_text
from tabiya.game.annotation_order cimport NO_SUCH_MOVE_OR_SIDE, order_by_position, position_of
from tabiya.game.annotations.kinds cimport (
    KIND_ARROWS, KIND_MEDALS, KIND_NAGS, KIND_SQUARES, KIND_SYMBOLS, KIND_TEXT_AFTER, KIND_TEXT_BEFORE, KIND_TIME_SPENT,
    KIND_TRAINING
)
from tabiya.game.growing cimport grow
from tabiya.game.sink_kernel cimport nag_slot

cdef Py_ssize_t MOST_ANNOTATIONS = 0xFFFFFE


cdef int write_annotations(BodyWriter* writer, int64_t game) noexcept nogil:
    """Append the blob of a game's annotations, nothing if it has none; return WRITTEN, or why it cannot be written."""
    view = writer.view
    order = &writer.order
    cdef Py_ssize_t begin = view.annotation_ends[writer.record]
    cdef Py_ssize_t end = view.annotation_ends[writer.record + 1]
    cdef Py_ssize_t blob = writer.cba.size
    cdef int32_t* positions = NULL
    cdef int32_t count = 0
    cdef Py_ssize_t here
    if begin == end:
        return WRITTEN
    if end - begin > MOST_ANNOTATIONS or writer.count > MOST_POSITION:
        return TOO_LARGE
    if writer.positions.size:
        positions = <int32_t*> writer.positions.data
    if order_by_position(order, view, writer.record, writer.count, positions) == NO_SUCH_MOVE_OR_SIDE:
        return BAD_ANNOTATION
    if order.count == 0 or not grow(&writer.cba, ANNOTATIONS_HEAD):
        writer.no_memory = True
        return WRITTEN
    writer.cba.size += ANNOTATIONS_HEAD
    for index in range(order.count):
        here = order.places[index]
        count += write_annotation(writer, here, position_of(positions, view.annotation_move[here]))
    if count == 0:
        writer.cba.size = blob
    elif writer.cba.size - blob > MOST_BLOB:
        writer.cba.size = blob
        return TOO_LARGE
    else:
        put_head(writer, blob, game, count)
    return WRITTEN


cdef void put_head(BodyWriter* writer, Py_ssize_t blob, int64_t game, int32_t count) noexcept nogil:
    cdef uint8_t* head = writer.cba.data + blob
    cdef Py_ssize_t size = writer.cba.size - blob
    head[0] = game >> 16 & 255
    head[1] = game >> 8 & 255
    head[2] = game & 255
    head[3] = 1
    head[4] = 0
    head[5] = head[6] = ANNOTATIONS_HEAD
    head[7] = (count + 1) >> 16
    head[8] = (count + 1) >> 8 & 255
    head[9] = (count + 1) & 255
    head[10] = size >> 24 & 255
    head[11] = size >> 16 & 255
    head[12] = size >> 8 & 255
    head[13] = size & 255


cdef bint write_annotation(BodyWriter* writer, Py_ssize_t index, int32_t position) noexcept nogil:
    """Append one annotation; False if the format has none like it (``Keeps`` counts that, or ``LOSS_LENGTH``)."""
    view = writer.view
    cdef Py_ssize_t start = writer.cba.size
    cdef int kind = view.annotation_kind[index]
    cdef Py_ssize_t length
    cdef uint8_t* head
    if kind > KIND_NAGS:
        return False
    if not grow(&writer.cba, ANNOTATION_HEAD):
        writer.no_memory = True
        return False
    writer.cba.size += ANNOTATION_HEAD
    if not put_payload(writer, index, kind):
        writer.cba.size = start
        return False
    if view.annotation_lang[index] and kind != KIND_TEXT_AFTER and kind != KIND_TEXT_BEFORE:
        lose(writer, LOSS_LANGUAGE)
    if kind == KIND_NAGS:
        kind = KIND_SYMBOLS
    length = writer.cba.size - start
    head = writer.cba.data + start
    head[0] = position >> 16 & 255
    head[1] = position >> 8 & 255
    head[2] = position & 255
    head[3] = kind
    head[4] = length >> 8
    head[5] = length & 255
    count_annotation(writer, kind, head + ANNOTATION_HEAD, length - ANNOTATION_HEAD)
    return True


cdef bint put_bytes(BodyWriter* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    if not grow(&writer.cba, length):
        writer.no_memory = True
        return False
    if length:
        memcpy(writer.cba.data + writer.cba.size, data, length)
    writer.cba.size += length
    return True


cdef bint put_payload(BodyWriter* writer, Py_ssize_t index, int kind) noexcept nogil:
    """Append the payload, unchanged if its original bytes are known. False if it cannot be stored."""
    data = &writer.view.annotation_data
    cdef Py_ssize_t begin = data.ends[index]
    cdef Py_ssize_t length = data.ends[index + 1] - begin
    if kind == KIND_NAGS:
        return put_nags(writer, index)
    if writer.raw_present[index] != RAW_NONE:
        if raw_fits(writer, index, kind):
            return put_bytes(
                writer,
                writer.raw_data + writer.raw_ends[index],
                writer.raw_ends[index + 1] - writer.raw_ends[index],
            )
        lose(writer, LOSS_BYTES)
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        return put_text(writer, index)
    if length > MOST_PAYLOAD:
        lose(writer, LOSS_LENGTH)
        return False
    return put_bytes(writer, data.data + begin, length)


cdef bint raw_fits(BodyWriter* writer, Py_ssize_t index, int kind) noexcept nogil:
    """Return whether the original bytes are a payload that is read as this annotation."""
    data = &writer.view.annotation_data
    cdef const uint8_t* value = data.data + data.ends[index]
    cdef Py_ssize_t length = data.ends[index + 1] - data.ends[index]
    cdef const uint8_t* raw = writer.raw_data + writer.raw_ends[index]
    cdef Py_ssize_t size = writer.raw_ends[index + 1] - writer.raw_ends[index]
    cdef Py_ssize_t skipped = size if size < 2 else 2
    text = &writer.annotations.found
    if writer.raw_present[index] != RAW_GIVEN or writer.spelled[kind] or size > MOST_PAYLOAD:
        return False
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        text.size = 0
        if (
            decode_text(
                &writer.annotations.page,
                raw + skipped,
                size - skipped,
                text,
                &writer.annotations.scratch,
            )
            == TEXT_NO_MEMORY
        ):
            writer.no_memory = True
            return False
        return (
            writer.view.annotation_lang[index] == (raw[1] if size > 1 else 0)
            and text.size == length
            and (length == 0 or memcmp(text.data, value, length) == 0)
        )
    if kind == KIND_SYMBOLS:
        return symbols_length(raw, size) == length and (length == 0 or memcmp(raw, value, length) == 0)
    return True


cdef bint put_text(BodyWriter* writer, Py_ssize_t index) noexcept nogil:
    """Append a zero, the language and the text in the encoding of the base; an overlong text is cut."""
    data = &writer.view.annotation_data
    cdef Py_ssize_t begin = data.ends[index]
    scratch = &writer.annotations.scratch
    text = &writer.annotations.found
    cdef Py_ssize_t start
    cdef uint8_t prefix[2]
    prefix[0] = 0
    prefix[1] = writer.view.annotation_lang[index]
    if not put_bytes(writer, prefix, 2):
        return False
    start = writer.cba.size
    # Reading it first converts any bytes to UTF-8, with signs in the form that is written.
    text.size = 0
    if decode_text(
        &writer.annotations.page, data.data + begin, data.ends[index + 1] - begin, text, scratch
    ) == TEXT_NO_MEMORY or not encode_text(
        &writer.annotations.page, text.data, text.size, &writer.cba
    ):
        writer.no_memory = True
        return False
    if writer.cba.size - start > MOST_PAYLOAD - 2:
        lose(writer, LOSS_LENGTH)
        writer.cba.size = start + MOST_PAYLOAD - 2
        # Not inside a UTF-8 character; in a code page this may cost up to three letters.
        while writer.cba.size > start + MOST_PAYLOAD - 6 and writer.cba.data[writer.cba.size] & 0xC0 == 0x80:
            writer.cba.size -= 1
    return True


cdef bint put_nags(BodyWriter* writer, Py_ssize_t index) noexcept nogil:
    """Append the first NAG for each slot from a list that does not fit into the three slots."""
    data = &writer.view.annotation_data
    cdef Py_ssize_t begin = data.ends[index]
    cdef Py_ssize_t length = data.ends[index + 1] - begin
    cdef uint8_t slots[3]
    cdef int used = 0
    cdef int slot
    memset(slots, 0, 3)
    for place in range(length // 2):
        if data.data[begin + 2 * place + 1]:
            continue
        slot = nag_slot(data.data[begin + 2 * place])
        if slot >= 0 and slots[slot] == 0:
            slots[slot] = data.data[begin + 2 * place]
            if slot >= used:
                used = slot + 1
    return used > 0 and put_bytes(writer, slots, used)


cdef void count_annotation(BodyWriter* writer, int kind, const uint8_t* payload, Py_ssize_t length) noexcept nogil:
    """Record for the header which kinds occur, and the number of some."""
    statistics = writer.statistics
    statistics.flags |= writer.flags[kind]
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        statistics.text_bytes += length - 2 if length > 2 else 0
    elif kind == KIND_SYMBOLS:
        statistics.symbols += 1
    elif kind == KIND_SQUARES:
        statistics.squares += 1
    elif kind == KIND_ARROWS:
        statistics.arrows += 1
    elif kind == KIND_TIME_SPENT:
        statistics.times += 1
    elif kind == KIND_TRAINING:
        statistics.trainings += 1
    elif kind == KIND_MEDALS and length == 4:
        statistics.medals |= payload[0] << 24 | payload[1] << 16 | payload[2] << 8 | payload[3]
