"""Single positions and moves between Python and the frame of a book; bulk work goes through the other kernels."""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.tabiya.books.ctg.frame_kernel import (
    SIGNATURE_OK,
    SIGNATURE_ROOM,
    Frame,
    board_of_frame,
    code_of_move,
    frame_of_board,
    hash_of,
    move_of_code,
    pack,
    signature_problem,
    take_signature,
    unpack,
)
from cython.cimports.tabiya.chess.board import Board
from cython.cimports.tabiya.chess.position_kernel import PositionCore


def pack_position(position: PositionCore, pseudo: cython.bint) -> bytes:
    """Return the signature of a position; empty if it is too crowded for one."""
    frame: Frame
    out: uint8_t[SIGNATURE_ROOM]
    frame_of_board(cython.address(position.board), pseudo, cython.address(frame))
    return out[: pack(cython.address(frame), out)]


def frame_mask(position: PositionCore) -> int:
    """Return the XOR mask between squares of the position and those of its frame."""
    frame: Frame
    frame_of_board(cython.address(position.board), False, cython.address(frame))
    return frame.mask


def load_signature(core: PositionCore, signature: bytes) -> int:
    """Fill a new position, White to move; 0, or a code of ``frame_kernel.pxd`` and the position stays as it was."""
    packed: uint8_t[SIGNATURE_ROOM]
    frame: Frame
    board: Board
    take_signature(signature, packed)
    code: cython.int = unpack(packed, cython.address(frame))
    if code == SIGNATURE_OK:
        code = board_of_frame(cython.address(frame), cython.address(board))
    if code == SIGNATURE_OK:
        core.board = board
    return code


def problem_of(signature: bytes) -> int:
    """Return what is wrong with a signature, as a code of ``frame_kernel.pxd``."""
    packed: uint8_t[SIGNATURE_ROOM]
    frame: Frame
    board: Board
    take_signature(signature, packed)
    code: cython.int = unpack(packed, cython.address(frame))
    if code == SIGNATURE_OK:
        code = board_of_frame(cython.address(frame), cython.address(board))
    if code == SIGNATURE_OK:
        code = signature_problem(packed, cython.address(frame), cython.address(board))
    return code


def hash_signature(signature: bytes) -> int:
    packed: uint8_t[SIGNATURE_ROOM]
    take_signature(signature, packed)
    return hash_of(packed)


def encode_move(signature: bytes, token: cython.int) -> int:
    """Return the code of a move of the frame, or -1."""
    packed: uint8_t[SIGNATURE_ROOM]
    frame: Frame
    take_signature(signature, packed)
    if unpack(packed, cython.address(frame)) != SIGNATURE_OK or not 0 <= token < 0x8000:
        return -1
    return code_of_move(cython.address(frame), token)


def decode_move(signature: bytes, code: cython.int) -> int:
    """Return the move of a code in the frame, or -1."""
    packed: uint8_t[SIGNATURE_ROOM]
    frame: Frame
    take_signature(signature, packed)
    if unpack(packed, cython.address(frame)) != SIGNATURE_OK or not 0 <= code < 256:
        return -1
    return move_of_code(cython.address(frame), code)
