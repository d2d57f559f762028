"""The door of writing bodies: a batch to ``.cbg`` and ``.cba`` blobs, with what headers say about them.

Linear in the size of the batch. Bodies kept in extras are read again, and written if they still say what the record
says; whether that is so does not depend on who changed what.
"""

import cython
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t, uint16_t, uint32_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memcmp, memcpy, memset
from cython.cimports.tabiya.chess.fen_kernel import MAX_FEN, format_fen
from cython.cimports.tabiya.formats.cbh.bodies.body_writer import (
    LOSS_COUNT,
    MOST_BLOB,
    NO_BODY,
    TOO_LARGE,
    WRITTEN,
    Statistics,
)
from cython.cimports.tabiya.formats.cbh.bodies.cba import ANNOTATIONS_HEAD
from cython.cimports.tabiya.formats.cbh.bodies.cba_read_kernel import free_annotations, read_annotations
from cython.cimports.tabiya.formats.cbh.bodies.cba_write_kernel import write_annotations
from cython.cimports.tabiya.formats.cbh.bodies.cbg import BLOB_HEAD, CHESS960, PROBLEM_MOVE
from cython.cimports.tabiya.formats.cbh.bodies.cbg_read_kernel import MOVES_OK, free_moves, init_moves, read_moves
from cython.cimports.tabiya.formats.cbh.bodies.cbg_tape_kernel import put_tape
from cython.cimports.tabiya.formats.cbh.bodies.cbg_write_kernel import init_writer, write_moves
from cython.cimports.tabiya.game.batch_view import find_extra
from cython.cimports.tabiya.game.columns import annotation_count, string_equals
from cython.cimports.tabiya.game.columns_kernel import BatchBuilder, take
from cython.cimports.tabiya.game.growing import grow
from cython.cimports.tabiya.game.view_kernel import BatchView
from cython.cimports.tabiya.game.walk import free_walk

GAME = cython.declare(cython.int, 0)
OPAQUE = cython.declare(cython.int, 2)

BLOB_KEY = cython.declare(cython.p_char, b"cbh.blob")
ANNOTATIONS_KEY = cython.declare(cython.p_char, b"cbh.annotations")


def write_blobs(
    batch: BatchView,
    scratch: BatchBuilder,
    raw_present: cython.const[uint8_t][::1],
    raw_ends: cython.const[int32_t][::1],
    raw_data: cython.const[uint8_t][::1],
    numbers: cython.const[int64_t][::1],
    first_number: int64_t,
    letters: cython.const[uint16_t][::1],
    letter_bytes: cython.const[uint8_t][::1],
    utf8: cython.bint,
    spelled: bytes,
    flags: cython.const[uint32_t][::1],
    statistics: uint8_t[::1],
    move_ends: int64_t[::1],
    annotation_ends: int64_t[::1],
) -> tuple:
    """Write the bodies of a batch.

    Args:
        batch: the records.
        scratch: an empty builder, to read kept bodies into.
        raw_present: by annotation, 1 if its ``raw`` is there, 2 if it is and does not fit, else 0.
        raw_ends: where each of them ends in ``raw_data``, with the start of the first in front.
        raw_data: these bytes.
        numbers: the numbers of the records in their source.
        first_number: the number of the first record in the base that is written.
        letters: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        letter_bytes: the byte of each character up to U+FFFF in such texts, signs included; 0 for none.
        utf8: whether this base writes its texts in UTF-8.
        spelled: by kind, whether ``raw`` is a spelling of PGN and no payload.
        flags: by kind, the flags that its presence sets.
        statistics: takes ``Statistics`` of each record.
        move_ends: takes the end of each record's blob of moves, with a 0 in front.
        annotation_ends: the same for annotations.

    Returns:
        The blobs of moves and of annotations, each one behind the other; and per kind of loss (count, position of the
        first record in the batch).
    """
    writer: BodyWriter
    failure: cython.int
    records: cython.Py_ssize_t = batch.view.records
    annotations: cython.Py_ssize_t = raw_present.shape[0]
    if (
        numbers.shape[0] != records
        or statistics.shape[0] != records * cython.cast(cython.Py_ssize_t, cython.sizeof(Statistics))
        or move_ends.shape[0] != records + 1
        or annotation_ends.shape[0] != records + 1
        or raw_ends.shape[0] != annotations + 1
        or batch.view.annotation_ends[records] > annotations
        or raw_ends[0] < 0
        or raw_ends[annotations] > raw_data.shape[0]
    ):
        raise ValueError("the buffers of the batch do not fit each other")
    for index in range(annotations):
        if raw_ends[index] > raw_ends[index + 1]:
            raise ValueError("the buffers of the batch do not fit each other")
    if letters.shape[0] != 128 or letter_bytes.shape[0] != 0x10000:
        raise ValueError("a code page has 128 characters")
    if len(spelled) != 256 or flags.shape[0] != 256:
        raise ValueError("tables of NAGs and kinds have 256 members")
    init_writer(cython.address(writer))
    init_moves(cython.address(writer.kept))
    writer.view = cython.address(batch.view)
    writer.scratch = cython.address(scratch.columns)
    writer.annotations.page.letters = cython.address(letters[0])
    writer.annotations.page.bytes = cython.address(letter_bytes[0])
    writer.annotations.page.utf8 = utf8
    writer.spelled = spelled
    writer.flags = cython.address(flags[0])
    writer.raw_present = cython.address(raw_present[0]) if annotations else cython.NULL
    writer.raw_ends = cython.address(raw_ends[0])
    writer.raw_data = cython.address(raw_data[0]) if raw_data.shape[0] else cython.NULL
    move_ends[0] = annotation_ends[0] = 0
    with cython.nogil:
        for record in range(records):
            writer.record = record
            writer.statistics = cython.cast(cython.pointer[Statistics], cython.address(statistics[0])) + record
            memset(writer.statistics, 0, cython.sizeof(Statistics))
            failure = write_record(cython.address(writer), numbers[record], first_number + record)
            writer.statistics.failure = failure
            move_ends[record + 1] = writer.cbg.size
            annotation_ends[record + 1] = writer.cba.size
            if writer.no_memory or writer.scratch.out_of_memory:
                writer.no_memory = True
                break
        free_writer(cython.address(writer))
    moves_taken = take(cython.address(writer.cbg))
    annotations_taken = take(cython.address(writer.cba))
    if writer.no_memory:
        raise MemoryError("no memory for the bodies of a batch")
    losses = [(writer.losses[kind], writer.first_loss[kind]) for kind in range(LOSS_COUNT)]
    return moves_taken, annotations_taken, losses


def free_writer(writer):
    free_moves(cython.address(writer.kept))
    free_annotations(cython.address(writer.annotations))
    free(writer.links.data)
    free_walk(cython.address(writer.walk))
    free(writer.returns.data)
    free(writer.positions.data)
    free(writer.order.memory.data)


def write_record(writer, number, game):
    """Append both blobs of a record; WRITTEN, or why it cannot be written. Guiding texts have none here."""
    kind: cython.int = writer.view.kind[writer.record]
    blob: cython.Py_ssize_t = writer.cbg.size
    comments: cython.Py_ssize_t = writer.cba.size
    data: cython.pointer[cython.const[uint8_t]]
    length: cython.Py_ssize_t = 0
    failure: cython.int
    if kind == OPAQUE:
        return copy_opaque(writer, number, game)
    if kind != GAME:
        return WRITTEN
    failure = write_moves(writer)
    if failure == WRITTEN:
        failure = write_annotations(writer, game)
    if failure != WRITTEN or writer.no_memory:
        writer.cbg.size = blob
        writer.cba.size = comments
        return failure
    data = extra_value(writer, BLOB_KEY, cython.address(length))
    if data != cython.NULL and keeps_moves(writer, data, length):
        writer.cbg.size = blob
        put_blob(writer, data, length)
    else:
        writer.kept.broken = False  # what is written has all the moves that its annotations may be about
    data = extra_value(writer, ANNOTATIONS_KEY, cython.address(length))
    if data != cython.NULL and keeps_annotations(writer, data, length, number):
        writer.cba.size = comments
        put_kept_annotations(writer, data, length, number, game)
    return WRITTEN


# --- what was kept ---------------------------------------------------------------------------------------------------


def extra_value(writer, key, length):
    """Return the bytes of the first extra of the record with this key, and how many they are; NULL if it has none."""
    index: cython.Py_ssize_t = find_extra(writer.view, writer.record, key, writer.view.extra_ends[writer.record])
    if index < 0:
        return cython.NULL
    length[0] = writer.view.extra_values.ends[index + 1] - writer.view.extra_values.ends[index]
    return writer.view.extra_values.data + writer.view.extra_values.ends[index]


def put_blob(writer, data, length):
    """Append kept moves. If their file ended inside of them, they must not reach into the next blob now."""
    blob: cython.pointer[uint8_t]
    if not grow(cython.address(writer.cbg), length):
        writer.no_memory = True
        return False
    blob = writer.cbg.data + writer.cbg.size
    memcpy(blob, data, length)
    writer.cbg.size += length
    if (blob[1] << 16 | blob[2] << 8 | blob[3]) > length:
        blob[1] = length >> 16
        blob[2] = length >> 8 & 255
        blob[3] = length & 255
    return True


def put_kept_annotations(writer, data, length, number, game):
    """Append kept annotations. A record that moves to another number takes its annotations with it."""
    blob: cython.pointer[uint8_t]
    if not grow(cython.address(writer.cba), length):
        writer.no_memory = True
        return
    blob = writer.cba.data + writer.cba.size
    memcpy(blob, data, length)
    writer.cba.size += length
    if blob[10] or (blob[11] << 16 | blob[12] << 8 | blob[13]) > length:
        blob[10] = 0
        blob[11] = length >> 16
        blob[12] = length >> 8 & 255
        blob[13] = length & 255
    if number != game:
        blob[0] = game >> 16 & 255
        blob[1] = game >> 8 & 255
        blob[2] = game & 255


def copy_opaque(writer, number, game):
    """Append the kept bytes of an opaque record; if its base lost the moves, perhaps annotations alone."""
    moves_length: cython.Py_ssize_t = 0
    length: cython.Py_ssize_t = 0
    moves: cython.pointer[cython.const[uint8_t]] = extra_value(writer, BLOB_KEY, cython.address(moves_length))
    annotations: cython.pointer[cython.const[uint8_t]] = extra_value(writer, ANNOTATIONS_KEY, cython.address(length))
    if moves_length > MOST_BLOB or length > MOST_BLOB:
        return TOO_LARGE
    if length >= ANNOTATIONS_HEAD:
        put_kept_annotations(writer, annotations, length, number, game)
    if moves_length < BLOB_HEAD:
        return NO_BODY
    put_blob(writer, moves, moves_length)
    return WRITTEN


def clear_columns(columns):
    """Forget moves and annotations."""
    columns.moves.size = 0
    columns.annotation_move.size = 0
    columns.annotation_side.size = 0
    columns.annotation_kind.size = 0
    columns.annotation_lang.size = 0
    columns.annotation_has_raw.size = 0
    columns.annotation_data.data.size = 0
    columns.annotation_data.ends.size = 4
    columns.annotation_raw.data.size = 0
    columns.annotation_raw.ends.size = 4


def same_bytes(first, first_length, second, second_length):
    return first_length == second_length and (first_length == 0 or memcmp(first, second, first_length) == 0)


def keeps_moves(writer, data, length):
    """Return whether a kept blob still has the start position and the moves of the record."""
    view = writer.view
    record: cython.Py_ssize_t = writer.record
    kept = cython.address(writer.kept)
    text: uint8_t[MAX_FEN]
    size: cython.int = 0
    begin: cython.Py_ssize_t = view.move_ends[record]
    code: cython.int
    if length < BLOB_HEAD or length > MOST_BLOB:
        return False
    code = read_moves(kept, data, length)
    if code != MOVES_OK and code != PROBLEM_MOVE:
        writer.no_memory |= kept.no_memory
        return False
    clear_columns(writer.scratch)
    if not put_tape(kept, writer.scratch):
        writer.no_memory |= kept.no_memory
        return False
    if kept.has_setup:
        size = format_fen(cython.address(kept.start), kept.start.state.ep_given, text)
    return (
        (kept.mode >= CHESS960) == (view.variant[record] == 1)
        and kept.has_setup == (view.has_start[record] != 0)
        and same_bytes(
            text,
            size,
            view.start.data + view.start.ends[record],
            view.start.ends[record + 1] - view.start.ends[record] if kept.has_setup else 0,
        )
        and same_bytes(
            writer.scratch.moves.data,
            writer.scratch.moves.size,
            cython.cast(cython.pointer[cython.const[uint8_t]], view.moves + begin),
            2 * (view.move_ends[record + 1] - begin),
        )
    )


def map_moves(writer):
    """Give ``kept`` the numbers on the tape of the record's moves, which the reader of annotations asks for."""
    kept = cython.address(writer.kept)
    numbers: cython.pointer[int32_t]
    positions = cython.cast(cython.pointer[int32_t], writer.positions.data)
    kept.count = writer.count
    kept.main_last = writer.count - 1
    kept.branched = writer.positions.size != 0
    if not kept.branched:
        return True
    kept.numbers.size = 0
    if not grow(cython.address(kept.numbers), 4 * cython.cast(cython.Py_ssize_t, writer.count)):
        return False
    numbers = cython.cast(cython.pointer[int32_t], kept.numbers.data)
    for move in range(writer.count):
        numbers[positions[move]] = move
    # The main line comes first in the stream.
    kept.main_last = numbers[writer.statistics.plies - 1]
    return True


def keeps_annotations(writer, data, length, number):
    """Return whether a kept blob still has the annotations of the record."""
    if length < ANNOTATIONS_HEAD or length > MOST_BLOB:
        return False
    if not map_moves(writer):
        writer.no_memory = True
        return False
    clear_columns(writer.scratch)
    if not read_annotations(
        cython.address(writer.annotations), data, length, number, cython.address(writer.kept), writer.scratch
    ):
        writer.no_memory |= writer.annotations.no_memory
        return False
    return same_annotations(writer)


def same_annotations(writer):
    """Return whether the annotations just read are those of the record; how their bytes were found does not matter."""
    view = writer.view
    kept = writer.scratch
    begin: cython.Py_ssize_t = view.annotation_ends[writer.record]
    count: cython.Py_ssize_t = view.annotation_ends[writer.record + 1] - begin
    if annotation_count(kept) != count:
        return False
    for index in range(count):
        here: cython.Py_ssize_t = begin + index
        if (
            cython.cast(cython.pointer[int32_t], kept.annotation_move.data)[index] != view.annotation_move[here]
            or cython.cast(cython.pointer[uint16_t], kept.annotation_kind.data)[index] != view.annotation_kind[here]
            or kept.annotation_side.data[index] != view.annotation_side[here]
            or kept.annotation_lang.data[index] != view.annotation_lang[here]
            or not string_equals(
                cython.address(kept.annotation_data),
                index,
                view.annotation_data.data + view.annotation_data.ends[here],
                view.annotation_data.ends[here + 1] - view.annotation_data.ends[here],
            )
        ):
            return False
    return True
