"""Single positions and moves between Python and the frame of a book; bulk work goes through the other kernels."""

from libc.stdint cimport uint8_t

from tabiya.books.ctg.frame_kernel cimport (
    SIGNATURE_OK, SIGNATURE_SIZE, Frame, board_of_frame, code_of_move, frame_of_board, hash_of, move_of_code, pack,
    signature_problem, take_signature, unpack
)
from tabiya.chess.board cimport Board
from tabiya.chess.position_kernel cimport PositionCore


def pack_position(PositionCore position not None, bint pseudo) -> bytes:
    """Return the signature of a position; empty if it is too crowded for one."""
    cdef Frame frame
    cdef uint8_t out[SIGNATURE_SIZE]
    frame_of_board(&position.board, pseudo, &frame)
    return out[: pack(&frame, out)]


def frame_mask(PositionCore position not None) -> int:
    """Return the XOR mask between squares of the position and those of its frame."""
    cdef Frame frame
    frame_of_board(&position.board, False, &frame)
    return frame.mask


def load_signature(PositionCore core not None, bytes signature not None) -> int:
    """Fill a new position, White to move; 0, or a code of ``frame_kernel.pxd`` and the position stays as it was."""
    cdef uint8_t packed[SIGNATURE_SIZE]
    cdef Frame frame
    cdef Board board
    take_signature(signature, packed)
    cdef int code = unpack(packed, &frame)
    if code == SIGNATURE_OK:
        code = board_of_frame(&frame, &board)
    if code == SIGNATURE_OK:
        core.board = board
    return code


def problem_of(bytes signature not None) -> int:
    """Return the problem of a signature, as a code of ``frame_kernel.pxd``."""
    cdef uint8_t packed[SIGNATURE_SIZE]
    cdef Frame frame
    cdef Board board
    take_signature(signature, packed)
    cdef int code = unpack(packed, &frame)
    if code == SIGNATURE_OK:
        code = board_of_frame(&frame, &board)
    if code == SIGNATURE_OK:
        code = signature_problem(packed, &frame, &board)
    return code


def hash_signature(bytes signature not None) -> int:
    cdef uint8_t packed[SIGNATURE_SIZE]
    take_signature(signature, packed)
    return hash_of(packed)


def encode_move(bytes signature not None, int token) -> int:
    """Return the code of a move of the frame, or -1."""
    cdef uint8_t packed[SIGNATURE_SIZE]
    cdef Frame frame
    take_signature(signature, packed)
    if unpack(packed, &frame) != SIGNATURE_OK or not 0 <= token < 0x8000:
        return -1
    return code_of_move(&frame, token)


def decode_move(bytes signature not None, int code) -> int:
    """Return the move of a code in the frame, or -1."""
    cdef uint8_t packed[SIGNATURE_SIZE]
    cdef Frame frame
    take_signature(signature, packed)
    if unpack(packed, &frame) != SIGNATURE_OK or not 0 <= code < 256:
        return -1
    return move_of_code(&frame, code)
