"""Replays games up to the positions of a book, and packs these. Linear in the number of moves played."""

from libc.stdint cimport int64_t, uint16_t, uint8_t
from libc.string cimport memset

from tabiya.books.ctg.frame_kernel cimport SIGNATURE_SIZE, Frame, frame_of_board, pack
from tabiya.chess.board cimport Board, is_legal, make_move
from tabiya.chess.fen_kernel cimport parse_fen, start_board

cdef int LONGEST_FEN = 4096


def pack_places(
    const uint16_t[:, ::1] tapes not None, bytes start not None, const int64_t[::1] places not None,
    uint8_t[:, ::1] signatures not None
) -> None:
    """Write the signatures of positions in games of ``collect_rows``; empty ones for positions without a signature.

    Args:
        tapes: the moves of all games, as written by ``collect_rows``.
        start: the FEN that these games begin with; empty for the usual start position.
        places: number of the game << 8 | ply; sorted places are faster.
        signatures: receives 32 bytes for each.

    Raises:
        ValueError: the buffers do not match, or the FEN is invalid.
    """
    cdef Board usual
    cdef Board board
    cdef Frame frame
    cdef Py_ssize_t game = -1
    cdef Py_ssize_t target_game
    cdef Py_ssize_t ply = 0
    cdef int offset = 0
    cdef const unsigned char* text = start
    if signatures.shape[0] != places.shape[0] or signatures.shape[1] != SIGNATURE_SIZE:
        raise ValueError("there must be room for 32 bytes per place")
    start_board(&usual)
    if start and parse_fen(text, min(len(start), LONGEST_FEN), False, &usual, &offset):
        raise ValueError("these games begin with no position")
    board = usual
    with nogil:
        for index in range(places.shape[0]):
            target_game = places[index] >> 8
            if target_game < 0 or target_game >= tapes.shape[0] or places[index] & 255 > tapes.shape[1]:
                memset(&signatures[index, 0], 0, SIGNATURE_SIZE)
                continue
            if target_game != game or places[index] & 255 < ply:
                board = usual
                game = target_game
                ply = 0
            while ply < places[index] & 255 and is_legal(&board, tapes[game, ply]):
                make_move(&board, tapes[game, ply])
                ply += 1
            frame_of_board(&board, False, &frame)
            memset(&signatures[index, 0], 0, SIGNATURE_SIZE)
            pack(&frame, &signatures[index, 0])
