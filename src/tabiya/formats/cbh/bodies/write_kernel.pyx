"""Python interface for writing bodies: a batch to ``.cbg`` and ``.cba`` blobs, with their statistics for headers.

Linear in the size of the batch. Bodies kept in extras are read again, and written if they still match the record; how
the record was changed does not matter.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from tabiya.chess.fen_kernel cimport MAX_FEN, format_fen
from tabiya.formats.cbh.bodies.body_writer cimport (
    LOSS_COUNT, MOST_BLOB, NO_BODY, TOO_LARGE, WRITTEN, BodyWriter, Statistics
)
from tabiya.formats.cbh.bodies.cba cimport ANNOTATIONS_HEAD
from tabiya.formats.cbh.bodies.cba_read_kernel cimport free_annotations, read_annotations
from tabiya.formats.cbh.bodies.cba_write_kernel cimport write_annotations
from tabiya.formats.cbh.bodies.cbg cimport BLOB_HEAD, CHESS960, PROBLEM_MOVE
from tabiya.formats.cbh.bodies.cbg_read_kernel cimport MOVES_OK, free_moves, init_moves, read_moves
from tabiya.formats.cbh.bodies.cbg_tape_kernel cimport put_tape
from tabiya.formats.cbh.bodies.cbg_write_kernel cimport init_writer, write_moves
from tabiya.game.batch_view cimport find_extra
from tabiya.game.columns cimport Columns, annotation_count, string_equals
from tabiya.game.columns_kernel cimport BatchBuilder, take
from tabiya.game.growing cimport grow
from tabiya.game.view_kernel cimport BatchView
from tabiya.game.walk cimport free_walk

cdef int GAME = 0
cdef int OPAQUE = 2

cdef char* BLOB_KEY = b"cbh.blob"
cdef char* ANNOTATIONS_KEY = b"cbh.annotations"


def write_blobs(
    BatchView batch not None, BatchBuilder scratch not None, const uint8_t[::1] raw_present not None,
    const int32_t[::1] raw_ends not None, const uint8_t[::1] raw_data not None, const int64_t[::1] numbers not None,
    int64_t first_number, const uint16_t[::1] letters not None, const uint8_t[::1] letter_bytes not None, bint utf8,
    bytes spelled not None, const uint32_t[::1] flags not None, uint8_t[::1] statistics not None,
    int64_t[::1] move_ends not None, int64_t[::1] annotation_ends not None
) -> tuple:
    """Write the bodies of a batch.

    Args:
        batch: the records.
        scratch: an empty builder, to read kept bodies into.
        raw_present: by annotation, 1 if its ``raw`` is present, 2 if present but not matching, else 0.
        raw_ends: the end of each in ``raw_data``, after the start of the first.
        raw_data: all ``raw`` bytes.
        numbers: the numbers of the records in their source.
        first_number: the number of the first record in the base that is written.
        letters: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        letter_bytes: the byte of each character up to U+FFFF in such texts, signs included; 0 for none.
        utf8: whether this base writes its texts in UTF-8.
        spelled: by kind, whether ``raw`` is a spelling of PGN and not a payload.
        flags: by kind, the flags that its presence sets.
        statistics: receives ``Statistics`` of each record.
        move_ends: receives the end of each record's blob of moves, after a 0.
        annotation_ends: the same for annotations.

    Returns:
        The blobs of moves and of annotations, concatenated; and per kind of loss (count, position of the first record
        in the batch).
    """
    cdef BodyWriter writer
    cdef int failure
    cdef Py_ssize_t records = batch.view.records
    cdef Py_ssize_t annotations = raw_present.shape[0]
    if (
        numbers.shape[0] != records
        or statistics.shape[0] != records * <Py_ssize_t> sizeof(Statistics)
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
    init_writer(&writer)
    init_moves(&writer.kept)
    writer.view = &batch.view
    writer.scratch = &scratch.columns
    writer.annotations.page.letters = &letters[0]
    writer.annotations.page.bytes = &letter_bytes[0]
    writer.annotations.page.utf8 = utf8
    writer.spelled = spelled
    writer.flags = &flags[0]
    writer.raw_present = &raw_present[0] if annotations else NULL
    writer.raw_ends = &raw_ends[0]
    writer.raw_data = &raw_data[0] if raw_data.shape[0] else NULL
    move_ends[0] = annotation_ends[0] = 0
    with nogil:
        for record in range(records):
            writer.record = record
            writer.statistics = <Statistics*> &statistics[0] + record
            memset(writer.statistics, 0, sizeof(Statistics))
            failure = write_record(&writer, numbers[record], first_number + record)
            writer.statistics.failure = failure
            move_ends[record + 1] = writer.cbg.size
            annotation_ends[record + 1] = writer.cba.size
            if writer.no_memory or writer.scratch.out_of_memory:
                writer.no_memory = True
                break
        free_writer(&writer)
    moves_taken = take(&writer.cbg)
    annotations_taken = take(&writer.cba)
    if writer.no_memory:
        raise MemoryError("no memory for the bodies of a batch")
    losses = [(writer.losses[kind], writer.first_loss[kind]) for kind in range(LOSS_COUNT)]
    return moves_taken, annotations_taken, losses


cdef void free_writer(BodyWriter* writer) noexcept nogil:
    free_moves(&writer.kept)
    free_annotations(&writer.annotations)
    free(writer.links.data)
    free_walk(&writer.walk)
    free(writer.returns.data)
    free(writer.positions.data)
    free(writer.order.memory.data)


cdef int write_record(BodyWriter* writer, int64_t number, int64_t game) noexcept nogil:
    """Append both blobs of a record; return WRITTEN, or why it cannot be written. Guiding texts have none here."""
    cdef int kind = writer.view.kind[writer.record]
    cdef Py_ssize_t blob = writer.cbg.size
    cdef Py_ssize_t comments = writer.cba.size
    cdef const uint8_t* data
    cdef Py_ssize_t length = 0
    cdef int failure
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
    data = extra_value(writer, BLOB_KEY, &length)
    if data != NULL and keeps_moves(writer, data, length):
        writer.cbg.size = blob
        put_blob(writer, data, length)
    else:
        writer.kept.broken = False  # what is written contains all moves that its annotations may refer to
    data = extra_value(writer, ANNOTATIONS_KEY, &length)
    if data != NULL and keeps_annotations(writer, data, length, number):
        writer.cba.size = comments
        put_kept_annotations(writer, data, length, number, game)
    return WRITTEN


# --- kept bodies -----------------------------------------------------------------------------------------------------


cdef const uint8_t* extra_value(const BodyWriter* writer, const char* key, Py_ssize_t* length) noexcept nogil:
    """Return the bytes and length of the first extra of the record with this key; NULL if it has none."""
    cdef Py_ssize_t index = find_extra(writer.view, writer.record, key, writer.view.extra_ends[writer.record])
    if index < 0:
        return NULL
    length[0] = writer.view.extra_values.ends[index + 1] - writer.view.extra_values.ends[index]
    return writer.view.extra_values.data + writer.view.extra_values.ends[index]


cdef bint put_blob(BodyWriter* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    """Append kept moves. If their file ended inside them, they must not extend into the next blob now."""
    cdef uint8_t* blob
    if not grow(&writer.cbg, length):
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


cdef void put_kept_annotations(
    BodyWriter* writer, const uint8_t* data, Py_ssize_t length, int64_t number, int64_t game
) noexcept nogil:
    """Append kept annotations. A record that gets another number takes its annotations with it."""
    cdef uint8_t* blob
    if not grow(&writer.cba, length):
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


cdef int copy_opaque(BodyWriter* writer, int64_t number, int64_t game) noexcept nogil:
    """Append the kept bytes of an opaque record; if its base lost the moves, possibly annotations alone."""
    cdef Py_ssize_t moves_length = 0
    cdef Py_ssize_t length = 0
    cdef const uint8_t* moves = extra_value(writer, BLOB_KEY, &moves_length)
    cdef const uint8_t* annotations = extra_value(writer, ANNOTATIONS_KEY, &length)
    if moves_length > MOST_BLOB or length > MOST_BLOB:
        return TOO_LARGE
    if length >= ANNOTATIONS_HEAD:
        put_kept_annotations(writer, annotations, length, number, game)
    if moves_length < BLOB_HEAD:
        return NO_BODY
    put_blob(writer, moves, moves_length)
    return WRITTEN


cdef void clear_columns(Columns* columns) noexcept nogil:
    """Clear moves and annotations."""
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


cdef bint same_bytes(
    const uint8_t* first, Py_ssize_t first_length, const uint8_t* second, Py_ssize_t second_length
) noexcept nogil:
    return first_length == second_length and (first_length == 0 or memcmp(first, second, first_length) == 0)


cdef bint keeps_moves(BodyWriter* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    """Return whether a kept blob still has the start position and the moves of the record."""
    view = writer.view
    cdef Py_ssize_t record = writer.record
    kept = &writer.kept
    cdef uint8_t text[MAX_FEN]
    cdef int size = 0
    cdef Py_ssize_t begin = view.move_ends[record]
    cdef int code
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
        size = format_fen(&kept.start, kept.start.state.ep_given, text)
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
            <const uint8_t*> (view.moves + begin),
            2 * (view.move_ends[record + 1] - begin),
        )
    )


cdef bint map_moves(BodyWriter* writer) noexcept nogil:
    """Give ``kept`` the numbers of the record's moves on the tape, for the reader of annotations."""
    kept = &writer.kept
    cdef int32_t* numbers
    positions = <int32_t*> writer.positions.data
    kept.count = writer.count
    kept.main_last = writer.count - 1
    kept.branched = writer.positions.size != 0
    if not kept.branched:
        return True
    kept.numbers.size = 0
    if not grow(&kept.numbers, 4 * <Py_ssize_t> writer.count):
        return False
    numbers = <int32_t*> kept.numbers.data
    for move in range(writer.count):
        numbers[positions[move]] = move
    # The main line comes first in the stream.
    kept.main_last = numbers[writer.statistics.plies - 1]
    return True


cdef bint keeps_annotations(BodyWriter* writer, const uint8_t* data, Py_ssize_t length, int64_t number) noexcept nogil:
    """Return whether a kept blob still has the annotations of the record."""
    if length < ANNOTATIONS_HEAD or length > MOST_BLOB:
        return False
    if not map_moves(writer):
        writer.no_memory = True
        return False
    clear_columns(writer.scratch)
    if not read_annotations(&writer.annotations, data, length, number, &writer.kept, writer.scratch):
        writer.no_memory |= writer.annotations.no_memory
        return False
    return same_annotations(writer)


cdef bint same_annotations(BodyWriter* writer) noexcept nogil:
    """Return whether the annotations just read are those of the record, regardless of the bytes they came from."""
    cdef Py_ssize_t here
    view = writer.view
    kept = writer.scratch
    cdef Py_ssize_t begin = view.annotation_ends[writer.record]
    cdef Py_ssize_t count = view.annotation_ends[writer.record + 1] - begin
    if annotation_count(kept) != count:
        return False
    for index in range(count):
        here = begin + index
        if (
            (<int32_t*> kept.annotation_move.data)[index] != view.annotation_move[here]
            or (<uint16_t*> kept.annotation_kind.data)[index] != view.annotation_kind[here]
            or kept.annotation_side.data[index] != view.annotation_side[here]
            or kept.annotation_lang.data[index] != view.annotation_lang[here]
            or not string_equals(
                &kept.annotation_data,
                index,
                view.annotation_data.data + view.annotation_data.ends[here],
                view.annotation_data.ends[here + 1] - view.annotation_data.ends[here],
            )
        ):
            return False
    return True
