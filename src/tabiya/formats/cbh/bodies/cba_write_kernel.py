"""Writes the annotations of a record as a ``.cba`` blob: by the positions of their moves, in their own order on a move.

Linear in the number and size of the annotations, and in the number of moves. Also counts what a header says of them.
"""

import cython
from cython.cimports.libc.stdint import int32_t, uint8_t
from cython.cimports.libc.string import memcmp, memcpy, memset
from cython.cimports.tabiya.formats.cbh.bodies.body_writer import (
    BAD_ANNOTATION,
    LOSS_BYTES,
    LOSS_LANGUAGE,
    LOSS_LENGTH,
    MOST_BLOB,
    MOST_POSITION,
    RAW_GIVEN,
    RAW_NONE,
    TOO_LARGE,
    WRITTEN,
    lose,
)
from cython.cimports.tabiya.formats.cbh.bodies.cba import ANNOTATION_HEAD, ANNOTATIONS_HEAD, MOST_PAYLOAD
from cython.cimports.tabiya.formats.cbh.bodies.cba_read_kernel import symbols_length
from cython.cimports.tabiya.formats.cbh.bodies.cba_text_kernel import TEXT_NO_MEMORY, decode_text, encode_text
from cython.cimports.tabiya.game.annotation_order import NO_SUCH_MOVE_OR_SIDE, order_by_position, position_of
from cython.cimports.tabiya.game.annotations.kinds import (
    KIND_ARROWS,
    KIND_MEDALS,
    KIND_NAGS,
    KIND_SQUARES,
    KIND_SYMBOLS,
    KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE,
    KIND_TIME_SPENT,
    KIND_TRAINING,
)
from cython.cimports.tabiya.game.growing import grow
from cython.cimports.tabiya.game.sink_kernel import nag_slot

MOST_ANNOTATIONS = cython.declare(cython.Py_ssize_t, 0xFFFFFE)


def write_annotations(writer, game):
    """Append the blob of a game's annotations, nothing if it has none; WRITTEN, or why it cannot be written."""
    view = writer.view
    order = cython.address(writer.order)
    begin: cython.Py_ssize_t = view.annotation_ends[writer.record]
    end: cython.Py_ssize_t = view.annotation_ends[writer.record + 1]
    blob: cython.Py_ssize_t = writer.cba.size
    positions: cython.pointer[int32_t] = cython.NULL
    count: int32_t = 0
    here: cython.Py_ssize_t
    if begin == end:
        return WRITTEN
    if end - begin > MOST_ANNOTATIONS or writer.count > MOST_POSITION:
        return TOO_LARGE
    if writer.positions.size:
        positions = cython.cast(cython.pointer[int32_t], writer.positions.data)
    if order_by_position(order, view, writer.record, writer.count, positions) == NO_SUCH_MOVE_OR_SIDE:
        return BAD_ANNOTATION
    if order.count == 0 or not grow(cython.address(writer.cba), ANNOTATIONS_HEAD):
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


def put_head(writer, blob, game, count):
    head: cython.pointer[uint8_t] = writer.cba.data + blob
    size: cython.Py_ssize_t = writer.cba.size - blob
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


def write_annotation(writer, index, position):
    """Append one annotation; False if it has no form here (``Keeps`` counts that, or ``LOSS_LENGTH``)."""
    view = writer.view
    start: cython.Py_ssize_t = writer.cba.size
    kind: cython.int = view.annotation_kind[index]
    length: cython.Py_ssize_t
    head: cython.pointer[uint8_t]
    if kind > KIND_NAGS:
        return False
    if not grow(cython.address(writer.cba), ANNOTATION_HEAD):
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


def put_bytes(writer, data, length):
    if not grow(cython.address(writer.cba), length):
        writer.no_memory = True
        return False
    if length:
        memcpy(writer.cba.data + writer.cba.size, data, length)
    writer.cba.size += length
    return True


def put_payload(writer, index, kind):
    """Append the payload: as it was found, if that is known. False if there is no place for it."""
    data = cython.address(writer.view.annotation_data)
    begin: cython.Py_ssize_t = data.ends[index]
    length: cython.Py_ssize_t = data.ends[index + 1] - begin
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


def raw_fits(writer, index, kind):
    """Return whether the original bytes are a payload that a reader takes for this annotation."""
    data = cython.address(writer.view.annotation_data)
    value: cython.pointer[cython.const[uint8_t]] = data.data + data.ends[index]
    length: cython.Py_ssize_t = data.ends[index + 1] - data.ends[index]
    raw: cython.pointer[cython.const[uint8_t]] = writer.raw_data + writer.raw_ends[index]
    size: cython.Py_ssize_t = writer.raw_ends[index + 1] - writer.raw_ends[index]
    skipped: cython.Py_ssize_t = size if size < 2 else 2
    text = cython.address(writer.annotations.found)
    if writer.raw_present[index] != RAW_GIVEN or writer.spelled[kind] or size > MOST_PAYLOAD:
        return False
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        text.size = 0
        if (
            decode_text(
                cython.address(writer.annotations.page),
                raw + skipped,
                size - skipped,
                text,
                cython.address(writer.annotations.scratch),
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


def put_text(writer, index):
    """Append a zero, the language and the text in the encoding of the base; an overlong text is cut."""
    data = cython.address(writer.view.annotation_data)
    begin: cython.Py_ssize_t = data.ends[index]
    scratch = cython.address(writer.annotations.scratch)
    text = cython.address(writer.annotations.found)
    start: cython.Py_ssize_t
    prefix: uint8_t[2]
    prefix[0] = 0
    prefix[1] = writer.view.annotation_lang[index]
    if not put_bytes(writer, prefix, 2):
        return False
    start = writer.cba.size
    # Reading it first makes any bytes UTF-8, with signs in the one form that is written.
    text.size = 0
    if decode_text(
        cython.address(writer.annotations.page), data.data + begin, data.ends[index + 1] - begin, text, scratch
    ) == TEXT_NO_MEMORY or not encode_text(
        cython.address(writer.annotations.page), text.data, text.size, cython.address(writer.cba)
    ):
        writer.no_memory = True
        return False
    if writer.cba.size - start > MOST_PAYLOAD - 2:
        lose(writer, LOSS_LENGTH)
        writer.cba.size = start + MOST_PAYLOAD - 2
        # Not inside a character of UTF-8; in a code page this may cost up to three letters.
        while writer.cba.size > start + MOST_PAYLOAD - 6 and writer.cba.data[writer.cba.size] & 0xC0 == 0x80:
            writer.cba.size -= 1
    return True


def put_nags(writer, index):
    """Append the first NAG for each slot from a list that does not fit the three slots."""
    data = cython.address(writer.view.annotation_data)
    begin: cython.Py_ssize_t = data.ends[index]
    length: cython.Py_ssize_t = data.ends[index + 1] - begin
    slots: uint8_t[3]
    used: cython.int = 0
    slot: cython.int
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


def count_annotation(writer, kind, payload, length):
    """Count for the header which kinds there are, and how many of some."""
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
