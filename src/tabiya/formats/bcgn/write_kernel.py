"""The BCGN writer: reads the columns of a batch, writes entries. Linear in the size of the batch.

Main lines only; a line ends before its first null move at levels that have none. Every move is checked by the rules,
because a single wrong one would turn all moves behind it into others.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.chess.fen_kernel import start_board
from cython.cimports.tabiya.formats.bcgn.bit_stream import BitWriter, end_bits
from cython.cimports.tabiya.formats.bcgn.fields import LONGEST_ENTRY
from cython.cimports.tabiya.formats.bcgn.lines import write_line
from cython.cimports.tabiya.formats.bcgn.moves import LEVEL_BITS, LEVEL_PLAIN, MOST_MOVE_BYTES
from cython.cimports.tabiya.formats.bcgn.position_kernel import pack_board
from cython.cimports.tabiya.formats.bcgn.write_header_kernel import set_start, write_header
from cython.cimports.tabiya.formats.bcgn.writing import FITS, LOSS_COUNT, REFUSED_LENGTH, Writer
from cython.cimports.tabiya.game.growing import grow
from cython.cimports.tabiya.game.view_kernel import BatchView


def write_games(
    batch: BatchView, level: cython.int, headerless: cython.bint, reference: cython.bint, refused: uint8_t[::1]
) -> tuple:
    """Write a batch of games.

    Args:
        batch: the records.
        level: compression level.
        headerless: whether to leave out the tags.
        reference: whether to write what the reference program writes, quirks included.
        refused: takes per record 0, or why it is left out.

    Returns:
        The bytes, and per kind of loss (count, position of the first record in the batch).
    """
    writer: Writer
    losses: cython.longlong[LOSS_COUNT]
    firsts: cython.Py_ssize_t[LOSS_COUNT]
    if refused.shape[0] != batch.view.records or not LEVEL_PLAIN <= level <= LEVEL_BITS:
        raise ValueError("the buffers do not fit the batch, or there is no such level")
    memset(cython.address(writer), 0, cython.sizeof(Writer))
    writer.view = cython.address(batch.view)
    writer.level = level
    writer.headerless = headerless
    writer.reference = reference
    with cython.nogil:
        start_board(cython.address(writer.standard))
        pack_board(cython.address(writer.standard), writer.standard_packed)
        while writer.record < writer.view.records and not writer.failed:
            # What a record loses that is then left out counts as its being left out.
            for kind in range(LOSS_COUNT):
                losses[kind] = writer.losses[kind]
                firsts[kind] = writer.first_loss[kind]
            refused[writer.record] = write_entry(cython.address(writer))
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


def write_entry(writer):
    """Write one record; FITS, or why it cannot be written."""
    plies: cython.int = 0
    header: cython.Py_ssize_t
    length: cython.Py_ssize_t
    code: cython.int
    writer.entry = writer.out.size
    code = set_start(writer)
    if code != FITS:
        return code
    write_header(writer)
    header = writer.out.size - writer.entry
    code = write_movetext(writer, cython.address(plies))
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


def write_movetext(writer, plies):
    """Write the moves of the main line and count them."""
    view = writer.view
    board = cython.address(writer.board)
    size: cython.Py_ssize_t = view.move_ends[writer.record + 1] - view.move_ends[writer.record]
    tape = view.moves + view.move_ends[writer.record]
    bits: BitWriter
    code: cython.int
    if not grow(cython.address(writer.out), MOST_MOVE_BYTES * size + 8):
        writer.failed = True
        return FITS
    memset(cython.address(bits), 0, cython.sizeof(BitWriter))
    bits.data = writer.out.data + writer.out.size
    code = write_line(board, writer.level, tape, size, cython.address(bits), plies)
    if code != FITS:
        return code
    end_bits(cython.address(bits))
    writer.out.size += bits.size
    return FITS
