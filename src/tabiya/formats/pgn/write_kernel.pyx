"""The PGN writer: reads the columns of a batch, writes text. Linear in the size of the batch."""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset, strlen

from tabiya.chess.fen_kernel cimport read_fen, start_board
from tabiya.chess.letters cimport NEWLINE, PERCENT, SPACE, is_newline
from tabiya.formats.pgn.output cimport (
    LOSS_COUNT, LOSS_PLACE, LOSS_TAG, LOSS_TEXT, break_line, lose, put, put_letter, put_word
)
from tabiya.formats.pgn.reader cimport VARIANT_CHESS960
from tabiya.formats.pgn.skip_kernel cimport result_length
from tabiya.formats.pgn.write_moves_kernel cimport (
    begins_with_comment, index_annotations, write_annotations, write_moves
)
from tabiya.formats.pgn.write_tags_kernel cimport write_tags, write_text_tag
from tabiya.formats.pgn.writing cimport NO_RECORD, OPAQUE, Writer
from tabiya.game.batch_view cimport find_extra
from tabiya.game.columns cimport SIDE_LATE
from tabiya.game.columns_kernel cimport take
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.spelling cimport plain_result, result_text
from tabiya.game.view_kernel cimport BatchView
from tabiya.game.walk cimport free_walk

cdef Py_ssize_t BAD_START = -2
cdef Py_ssize_t BAD_ANNOTATION = -3


def write_games(
    BatchView batch not None, bytes before not None, bint one_line, bint plain, bint plies, bint names_sides,
    bytes languages not None, bytes rare not None
) -> tuple:
    """Write a batch.

    Args:
        batch: the records.
        before: the kind of the record before each of them, NO_RECORD (255) at the beginning of a file; or of the first
            ones only, if the others are consecutive.
        one_line: whether to write the moves of a game in one line, however long.
        plain: whether to omit what only tabiya reads.
        plies: whether to write PlyCount where it is missing.
        names_sides: whether comments after variations state their move and side.
        languages: codes of the languages 0 to 255, four bytes each.
        rare: the table of commands, as for the reader.

    Returns:
        The bytes; a buffer of int64 with the end of each record in them; per kind of loss (count, position of the first
        record in the batch); and the error of a record, or None: (position, token), where token -2 is a bad start
        position and -3 an annotation of a move that does not exist.
    """
    cdef Writer writer
    cdef Py_ssize_t failure = -1
    cdef Py_ssize_t record = 0
    cdef const uint8_t* kinds = before
    cdef Py_ssize_t known = len(before)
    cdef Bytes ends
    if len(languages) != 1024:
        raise ValueError("there are 256 codes of languages")
    memset(&writer, 0, sizeof(Writer))
    memset(&ends, 0, sizeof(Bytes))
    writer.languages = languages
    writer.rare = rare
    writer.rare_length = len(rare)
    writer.view = &batch.view
    writer.plain = plain
    writer.plies = plies
    writer.names_sides = names_sides
    writer.before = NO_RECORD
    writer.out.one_line = one_line
    with nogil:
        start_board(&writer.standard)
        while record < writer.view.records and not writer.out.failed:
            if record < known:
                writer.before = kinds[record]
            failure = write_record(&writer, record)
            if failure != -1:
                break
            writer.before = writer.view.kind[record]
            if not put_end(&ends, writer.out.bytes.size):
                writer.out.failed = True
            record += 1
    try:
        if writer.out.failed:
            raise MemoryError("no memory for the text of a batch")
        text = memoryview(take(&writer.out.bytes))
        losses = [(writer.out.losses[kind], writer.out.first_loss[kind]) for kind in range(LOSS_COUNT)]
        return text, take(&ends), losses, None if failure == -1 else (record, failure)
    finally:
        free(writer.out.bytes.data)
        free(ends.data)
        free_walk(&writer.walk)
        free(writer.text.data)


cdef bint put_end(Bytes* ends, int64_t place) noexcept nogil:
    if not grow(ends, sizeof(int64_t)):
        return False
    memcpy(ends.data + ends.size, &place, sizeof(int64_t))
    ends.size += sizeof(int64_t)
    return True


cdef Py_ssize_t write_record(Writer* writer, Py_ssize_t record) noexcept nogil:
    cdef int letter
    view = writer.view
    out = &writer.out
    cdef Py_ssize_t begin
    cdef Py_ssize_t failure = -1
    cdef bint tagged
    cdef bint opaque = view.kind[record] == OPAQUE
    out.record = record
    out.column = 0
    writer.comment_open = False
    if not index_annotations(writer, record):
        return BAD_ANNOTATION
    tagged = write_tags(writer, record)
    if (
        not tagged
        and writer.before != NO_RECORD
        and (
            opaque
            or writer.before == OPAQUE
            or begins_with_comment(writer)
            or find_extra(writer.view, record, b"pgn.escape", view.extra_ends[record]) >= 0
        )
    ):
        # Without a tag this would be read as the end of the game before.
        write_text_tag(writer, b"Event", b"?", 1)
        lose(out, LOSS_TAG)
        tagged = True
    write_extras(writer, record)
    if tagged:
        put_letter(out, NEWLINE)
    if opaque:
        for _ in range(writer.walk.order.count):
            lose(out, LOSS_PLACE)  # there are no moves to attach them to
        begin = find_extra(writer.view, record, b"pgn.movetext", view.extra_ends[record])
        if begin >= 0 and view.extra_values.ends[begin + 1] > view.extra_values.ends[begin]:
            letter = view.extra_values.data[view.extra_values.ends[begin]]
            if letter == PERCENT or letter == 0xEF:
                put_letter(out, SPACE)  # to prevent an escape line, or a byte order mark that hides a tag
            put(
                out,
                view.extra_values.data + view.extra_values.ends[begin],
                view.extra_values.ends[begin + 1] - view.extra_values.ends[begin],
            )
        else:
            put_letter(out, PERCENT)  # an empty escape line: two tag sections without moves would be read as one game
        put(out, b"\n\n", 2)
        return -1
    if not set_up(writer, record):
        return BAD_START
    failure = write_moves(writer, record)
    if failure != -1:
        return failure
    write_termination(writer, record)
    if writer.late_behind_result:
        write_annotations(writer, -1, SIDE_LATE, True)
    break_line(out)
    put_letter(out, NEWLINE)
    return -1


cdef bint set_up(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Put the start position on the board."""
    view = writer.view
    board = &writer.line.board
    cdef Py_ssize_t begin = view.start.ends[record]
    cdef Py_ssize_t length = view.start.ends[record + 1] - begin
    board[0] = writer.standard
    if not view.has_start[record] or length == 0:
        return True
    return read_fen(view.start.data + begin, length, view.variant[record] == VARIANT_CHESS960, board)


# --- results and extras ----------------------------------------------------------------------------------------------


cdef void write_extras(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the lines that begin with ``%``, after the tags. A line break in one cannot be written."""
    out = &writer.out
    cdef int letter
    cdef bint lost
    values = &writer.view.extra_values
    cdef Py_ssize_t place = find_extra(writer.view, record, b"pgn.escape", writer.view.extra_ends[record])
    while place >= 0:
        put_letter(out, PERCENT)
        lost = False
        for index in range(values.ends[place], values.ends[place + 1]):
            letter = values.data[index]
            if is_newline(letter):
                letter = SPACE
                lost = True
            put_letter(out, letter)
        put_letter(out, NEWLINE)
        if lost:
            lose(out, LOSS_TEXT)
        place = find_extra(writer.view, record, b"pgn.escape", place + 1)


cdef void write_termination(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the result after the moves: the original one, if it differs from the tag."""
    cdef Py_ssize_t begin
    cdef Py_ssize_t length
    values = &writer.view.extra_values
    cdef Py_ssize_t place = find_extra(writer.view, record, b"pgn.termination", writer.view.extra_ends[record])
    cdef int result = writer.view.result[record]
    cdef const char* text
    if place >= 0:
        begin = values.ends[place]
        length = values.ends[place + 1] - begin
        if length and result_length(values.data, begin, begin + length) == length:
            put_word(&writer.out, values.data + begin, length)
            return
        lose(&writer.out, LOSS_TEXT)
    text = result_text(plain_result(result))
    put_word(&writer.out, <const uint8_t*> text, strlen(text))
