"""Plays games again up to the positions of a book, and packs these. Linear in the number of moves on the way."""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t, uint16_t
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.books.ctg.frame_kernel import SIGNATURE_ROOM, Frame, frame_of_board, pack
from cython.cimports.tabiya.chess.board import Board, is_legal, make_move
from cython.cimports.tabiya.chess.fen_kernel import parse_fen, start_board

LONGEST_FEN = cython.declare(cython.int, 4096)


def pack_places(
    tapes: cython.const[uint16_t][:, ::1],
    start: bytes,
    places: cython.const[int64_t][::1],
    signatures: uint8_t[:, ::1],
) -> None:
    """Write the signatures of positions in games that ``collect_rows`` has played; empty ones for what is none.

    Args:
        tapes: the moves of all games, as ``collect_rows`` left them.
        start: the FEN that these games begin with; empty for the usual start position.
        places: number of the game << 8 | ply; the faster the better they are sorted.
        signatures: takes 32 bytes for each.

    Raises:
        ValueError: the buffers do not fit each other, or the FEN is none.
    """
    usual: Board
    board: Board
    frame: Frame
    game: cython.Py_ssize_t = -1
    wanted: cython.Py_ssize_t
    ply: cython.Py_ssize_t = 0
    offset: cython.int = 0
    text: cython.p_const_uchar = start
    if signatures.shape[0] != places.shape[0] or signatures.shape[1] != SIGNATURE_ROOM:
        raise ValueError("there must be room for 32 bytes per place")
    start_board(cython.address(usual))
    if start and parse_fen(text, min(len(start), LONGEST_FEN), False, cython.address(usual), cython.address(offset)):
        raise ValueError("these games begin with no position")
    board = usual
    with cython.nogil:
        for index in range(places.shape[0]):
            wanted = places[index] >> 8
            if wanted < 0 or wanted >= tapes.shape[0] or places[index] & 255 > tapes.shape[1]:
                memset(cython.address(signatures[index, 0]), 0, SIGNATURE_ROOM)
                continue
            if wanted != game or places[index] & 255 < ply:
                board = usual
                game = wanted
                ply = 0
            while ply < places[index] & 255 and is_legal(cython.address(board), tapes[game, ply]):
                make_move(cython.address(board), tapes[game, ply])
                ply += 1
            frame_of_board(cython.address(board), False, cython.address(frame))
            memset(cython.address(signatures[index, 0]), 0, SIGNATURE_ROOM)
            pack(cython.address(frame), cython.address(signatures[index, 0]))
