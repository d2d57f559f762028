"""The BCGN writer: reads the columns of a batch, writes entries. Linear in the size of the batch.

Main lines only; a line ends before its first null move at levels that have none. Every move is checked by the rules,
because a single wrong one would change all moves after it.
"""

from libc.stdint cimport uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from tabiya.chess.fen_kernel cimport start_board
from tabiya.formats.bcgn.bit_stream cimport BitWriter, end_bits
from tabiya.formats.bcgn.fields cimport LONGEST_ENTRY
from tabiya.formats.bcgn.lines cimport write_line
from tabiya.formats.bcgn.moves cimport LEVEL_BITS, LEVEL_PLAIN, MOST_MOVE_BYTES
from tabiya.formats.bcgn.position_kernel cimport pack_board
from tabiya.formats.bcgn.write_header_kernel cimport set_start, write_header
from tabiya.formats.bcgn.writing cimport FITS, LOSS_COUNT, REFUSED_LENGTH, Writer
from tabiya.game.growing cimport grow
from tabiya.game.view_kernel cimport BatchView


def write_games(
    BatchView batch not None, int level, bint headerless, bint reference, uint8_t[::1] refused not None
) -> tuple:
    """Write a batch of games.

    Args:
        batch: the records.
        level: compression level.
        headerless: whether to omit the tags.
        reference: whether to write what the reference program writes, quirks included.
        refused: receives per record 0, or why it is omitted.

    Returns:
        The bytes, and per kind of loss (count, position of the first record in the batch).
    """
    cdef Writer writer
    cdef long long losses[LOSS_COUNT]
    cdef Py_ssize_t firsts[LOSS_COUNT]
    if refused.shape[0] != batch.view.records or not LEVEL_PLAIN <= level <= LEVEL_BITS:
        raise ValueError("the buffers do not fit the batch, or there is no such level")
    memset(&writer, 0, sizeof(Writer))
    writer.view = &batch.view
    writer.level = level
    writer.headerless = headerless
    writer.reference = reference
    with nogil:
        start_board(&writer.standard)
        pack_board(&writer.standard, writer.standard_packed)
        while writer.record < writer.view.records and not writer.failed:
            # The losses of an omitted record count only as its omission.
            for kind in range(LOSS_COUNT):
                losses[kind] = writer.losses[kind]
                firsts[kind] = writer.first_loss[kind]
            refused[writer.record] = write_entry(&writer)
            if refused[writer.record] != FITS:
                writer.out.size = writer.entry
                for kind in range(LOSS_COUNT):
                    writer.losses[kind] = losses[kind]
                    writer.first_loss[kind] = firsts[kind]
            writer.record += 1
    try:
        if writer.failed:
            raise MemoryError("no memory for the entries of a batch")
        data = writer.out.data[: writer.out.size] if writer.out.size else b""
        return data, [(writer.losses[kind], writer.first_loss[kind]) for kind in range(LOSS_COUNT)]
    finally:
        free(writer.out.data)


cdef int write_entry(Writer* writer) noexcept nogil:
    """Write one record; return FITS, or why it cannot be written."""
    cdef int plies = 0
    cdef Py_ssize_t header
    cdef Py_ssize_t length
    cdef int code
    writer.entry = writer.out.size
    code = set_start(writer)
    if code != FITS:
        return code
    write_header(writer)
    header = writer.out.size - writer.entry
    code = write_movetext(writer, &plies)
    if code != FITS or writer.failed:
        return code
    length = writer.out.size - writer.entry
    if length > LONGEST_ENTRY:
        return REFUSED_LENGTH
    entry = writer.out.data + writer.entry
    entry[0] = length >> 8
    entry[1] = length & 255
    if not writer.headerless:
        entry[2] = header >> 8
        entry[3] = header & 255
        entry += 2
    entry[2] = plies >> 6
    entry[3] |= plies << 2 & 255
    return FITS


cdef int write_movetext(Writer* writer, int* plies) noexcept nogil:
    """Write the moves of the main line and count them."""
    view = writer.view
    board = &writer.board
    cdef Py_ssize_t size = view.move_ends[writer.record + 1] - view.move_ends[writer.record]
    tape = view.moves + view.move_ends[writer.record]
    cdef BitWriter bits
    cdef int code
    if not grow(&writer.out, MOST_MOVE_BYTES * size + 8):
        writer.failed = True
        return FITS
    memset(&bits, 0, sizeof(BitWriter))
    bits.data = writer.out.data + writer.out.size
    code = write_line(board, writer.level, tape, size, &bits, plies)
    if code != FITS:
        return code
    end_bits(&bits)
    writer.out.size += bits.size
    return FITS
