"""The compiled half of :class:`tabiya.chess.Position`: one ``Board`` behind Python methods.

Reads and writes tape tokens and bytes only; names, classes and sentences for people are added in ``position.py``.
Every method is linear in the number of moves or in the length of the text, but for ``leaves``.
"""

import cython
from cython.cimports.cpython.list import PyList_New, PyList_SET_ITEM
from cython.cimports.cpython.ref import Py_INCREF
from cython.cimports.libc.stdint import uint16_t
from cython.cimports.libc.string import memcmp
from cython.cimports.tabiya.chess.board import MAX_MOVES, Board, in_check, is_legal, make_move
from cython.cimports.tabiya.chess.fen_kernel import (
    FEN_OK,
    FEN_TRAILING,
    MAX_COUNT,
    MAX_FEN,
    format_fen,
    legal_ep,
    parse_fen,
    start_board,
)
from cython.cimports.tabiya.chess.letters import HASH
from cython.cimports.tabiya.chess.rules_kernel import (
    check_mark,
    count_leaves,
    has_legal_move,
    legal_moves,
    waiting_side_in_check,
)
from cython.cimports.tabiya.chess.san import MAX_SAN, SAN_SYNTAX, format_san, parse_san

TOKENS = cython.declare(cython.int, 5 << 12)  # of moves, with a promotion of at most 4
MAX_TEXT = cython.declare(cython.int, 4096)  # far longer than any FEN or move; keeps lengths within a C int


@cython.cclass
class PositionCore:
    """A position; never changes once it is made."""

    def __cinit__(self):
        start_board(cython.address(self.board))

    def __init__(self):
        """Take no arguments; without it Cython would take any and ignore them, a FEN for example."""

    @staticmethod
    def load(core: PositionCore, fen: bytes, chess960: bool) -> tuple:
        """Fill a new core from a FEN; (0, 0), or (code, offset) of what is wrong."""
        offset: cython.int = 0
        board: Board
        length: cython.int = min(len(fen), MAX_TEXT)
        text: cython.p_const_uchar = fen
        code: cython.int = parse_fen(text, length, chess960, cython.address(board), cython.address(offset))
        if code == FEN_OK and length < len(fen):
            return FEN_TRAILING, length
        if code == FEN_OK:
            core.board = board
        return code, offset

    def after(self, token: cython.int):
        """Return the position after a legal move or the null move, of the same class; None for any other token."""
        if token and not self.is_legal_token(token):
            return None
        kind = type(self)
        core: PositionCore = kind.__new__(kind)
        core.board = self.board
        make_move(cython.address(core.board), token)
        # Counters stop where those of a FEN do, so that every position can be written and read again.
        if core.board.state.halfmove > MAX_COUNT:
            core.board.state.halfmove = MAX_COUNT
        if core.board.fullmove > MAX_COUNT:
            core.board.fullmove = MAX_COUNT
        return core

    def legal_from(self, table: tuple) -> list:
        """Return the items of ``table`` at the tokens of the legal moves; new objects would take most of the time."""
        moves: uint16_t[MAX_MOVES]
        if len(table) < TOKENS:
            raise ValueError("the table must have an item for every token")
        count: cython.int = legal_moves(cython.address(self.board), moves, MAX_MOVES)
        items: list = PyList_New(count)
        for index in range(count):
            item = table[moves[index]]
            Py_INCREF(item)  # PyList_SET_ITEM takes a reference over
            PyList_SET_ITEM(items, index, item)
        return items

    def is_legal_token(self, token: cython.int) -> bool:
        return 0 < token < 0x8000 and is_legal(cython.address(self.board), token)

    def token_of_san(self, text: bytes) -> int:
        """Return the token, or -1 unreadable, -2 illegal, -3 ambiguous."""
        if len(text) > MAX_TEXT:
            return SAN_SYNTAX
        letters: cython.p_const_uchar = text
        return parse_san(cython.address(self.board), letters, len(text))

    def san_of_token(self, token: cython.int):
        """SAN of a legal move with its check mark, or of the null move; None for any other token."""
        out: cython.uchar[MAX_SAN]
        if token and not self.is_legal_token(token):
            return None
        board: Board = self.board
        length: cython.int = format_san(cython.address(board), token, out)
        make_move(cython.address(board), token)
        mark: cython.int = check_mark(cython.address(board))
        if mark and token:
            out[length] = mark
            length += 1
        return out[:length].decode("ascii")

    def fen_of(self, square: cython.int) -> str:
        """FEN with the given en passant square (64 = none)."""
        out: cython.uchar[MAX_FEN]
        length: cython.int = format_fen(cython.address(self.board), square, out)
        return out[:length].decode("ascii")

    def leaves(self, depth: cython.int) -> int:
        with cython.nogil:
            count: cython.ulonglong = count_leaves(cython.address(self.board), depth)
        return count

    def codes(self) -> bytes:
        """Return the 64 piece codes: colour << 3 | type, 0 = empty."""
        return self.board.squares[:64]

    def castling(self) -> tuple:
        """Squares of the rooks that may castle (White king side, queen side, Black …), None where there is no right."""
        return tuple([self.board.rook[right] if self.board.state.rights >> right & 1 else None for right in range(4)])

    def waiting_side_in_check(self) -> bool:
        return waiting_side_in_check(cython.address(self.board))

    def is_check(self) -> bool:
        """Return whether the side to move is in check."""
        return in_check(cython.address(self.board))

    def is_checkmate(self) -> bool:
        """Return whether the side to move is mated."""
        return check_mark(cython.address(self.board)) == HASH

    def is_stalemate(self) -> bool:
        """Return whether the side to move has no legal move and is not in check."""
        return not in_check(cython.address(self.board)) and not has_legal_move(cython.address(self.board))

    @property
    def key(self) -> int:
        """The 64-bit key of the position as Polyglot books use it."""
        return self.board.key

    @property
    def turn_code(self) -> int:
        return self.board.turn

    @property
    def chess960(self) -> bool:
        """Whether castling is written and read by the rules of Chess960."""
        return self.board.chess960 != 0

    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move."""
        return self.board.state.halfmove

    @property
    def fullmove_number(self) -> int:
        """Number of the move to be played, as in FEN."""
        return self.board.fullmove

    @property
    def ep_given(self) -> int:
        return self.board.state.ep_given

    @property
    def ep_used(self) -> int:
        return self.board.state.ep

    @property
    def ep_legal(self) -> int:
        return legal_ep(cython.address(self.board))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PositionCore):
            return NotImplemented
        a: cython.pointer(Board) = cython.address(self.board)
        b: cython.pointer(Board) = cython.address(cython.cast(PositionCore, other).board)
        return (
            a.key == b.key
            and memcmp(a.squares, b.squares, 64) == 0
            and (a.state.ep_given == b.state.ep_given and a.state.ep == b.state.ep)
            and (a.turn == b.turn and a.chess960 == b.chess960)
            and (a.state.halfmove == b.state.halfmove and a.fullmove == b.fullmove)
            and self.castling() == cython.cast(PositionCore, other).castling()
        )

    def __hash__(self) -> int:
        return hash(self.board.key)
