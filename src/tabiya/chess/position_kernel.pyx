"""The compiled part of :class:`tabiya.chess.Position`: one ``Board`` with Python methods.

Reads and writes only tape tokens and bytes; ``position.py`` adds names, classes and messages. Every method is linear
in the number of moves or in the length of the text, except ``leaves``.
"""

from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF
from libc.stdint cimport uint16_t
from libc.string cimport memcmp

from tabiya.chess.board cimport MAX_MOVES, in_check, is_legal, make_move
from tabiya.chess.fen_kernel cimport (
    FEN_OK, FEN_TRAILING, MAX_COUNT, MAX_FEN, format_fen, legal_ep, parse_fen, start_board
)
from tabiya.chess.letters cimport HASH
from tabiya.chess.rules_kernel cimport check_mark, count_leaves, has_legal_move, legal_moves, waiting_side_in_check
from tabiya.chess.san cimport MAX_SAN, SAN_SYNTAX, format_san, parse_san

cdef int TOKENS = 5 << 12  # of moves, with a promotion of at most 4
cdef int MAX_TEXT = 4096  # far longer than any FEN or move; keeps lengths within a C int


cdef class PositionCore:
    """A position; never changes once it is made."""

    def __cinit__(self):
        start_board(&self.board)

    def __init__(self):
        """Take no arguments; without it Cython would take any and ignore them, a FEN for example."""

    @staticmethod
    def load(PositionCore core not None, bytes fen not None, bint chess960) -> tuple:
        """Fill a new core from a FEN; (0, 0), or (code, offset) of what is wrong."""
        cdef int offset = 0
        cdef Board board
        cdef int length = min(len(fen), MAX_TEXT)
        cdef const unsigned char* text = fen
        cdef int code = parse_fen(text, length, chess960, &board, &offset)
        if code == FEN_OK and length < len(fen):
            return FEN_TRAILING, length
        if code == FEN_OK:
            core.board = board
        return code, offset

    def after(self, int token):
        """Return the position after a legal move or the null move, of the same class; None for any other token."""
        if token and not self.is_legal_token(token):
            return None
        kind = type(self)
        cdef PositionCore core = kind.__new__(kind)
        core.board = self.board
        make_move(&core.board, token)
        # Counters stop at the limits of a FEN, so that every position can be written and read again.
        if core.board.state.halfmove > MAX_COUNT:
            core.board.state.halfmove = MAX_COUNT
        if core.board.fullmove > MAX_COUNT:
            core.board.fullmove = MAX_COUNT
        return core

    def legal_from(self, tuple table not None) -> list:
        """Return the items of ``table`` at the tokens of the legal moves; new objects would take most of the time."""
        cdef uint16_t moves[MAX_MOVES]
        if len(table) < TOKENS:
            raise ValueError("the table must have an item for every token")
        cdef int count = legal_moves(&self.board, moves, MAX_MOVES)
        cdef list items = PyList_New(count)
        for index in range(count):
            item = table[moves[index]]
            Py_INCREF(item)  # PyList_SET_ITEM takes a reference over
            PyList_SET_ITEM(items, index, item)
        return items

    def is_legal_token(self, int token) -> bool:
        return 0 < token < 0x8000 and is_legal(&self.board, token)

    def token_of_san(self, bytes text not None) -> int:
        """Return the token, or -1 unreadable, -2 illegal, -3 ambiguous."""
        if len(text) > MAX_TEXT:
            return SAN_SYNTAX
        cdef const unsigned char* letters = text
        return parse_san(&self.board, letters, len(text))

    def san_of_token(self, int token):
        """SAN of a legal move with its check mark, or of the null move; None for any other token."""
        cdef unsigned char out[MAX_SAN]
        if token and not self.is_legal_token(token):
            return None
        cdef Board board = self.board
        cdef int length = format_san(&board, token, out)
        make_move(&board, token)
        cdef int mark = check_mark(&board)
        if mark and token:
            out[length] = mark
            length += 1
        return out[:length].decode("ascii")

    def fen_of(self, int square) -> str:
        """FEN with the given en passant square (64 = none)."""
        cdef unsigned char out[MAX_FEN]
        cdef int length = format_fen(&self.board, square, out)
        return out[:length].decode("ascii")

    def leaves(self, int depth) -> int:
        cdef unsigned long long count
        with nogil:
            count = count_leaves(&self.board, depth)
        return count

    def codes(self) -> bytes:
        """Return the 64 piece codes: colour << 3 | type, 0 = empty."""
        return self.board.squares[:64]

    def castling(self) -> tuple:
        """Squares of the rooks that may castle (White king side, queen side, Black …), None where there is no right."""
        return tuple([self.board.rook[right] if self.board.state.rights >> right & 1 else None for right in range(4)])

    def waiting_side_in_check(self) -> bool:
        return waiting_side_in_check(&self.board)

    def is_check(self) -> bool:
        """Return whether the side to move is in check."""
        return in_check(&self.board)

    def is_checkmate(self) -> bool:
        """Return whether the side to move is mated."""
        return check_mark(&self.board) == HASH

    def is_stalemate(self) -> bool:
        """Return whether the side to move has no legal move and is not in check."""
        return not in_check(&self.board) and not has_legal_move(&self.board)

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
        return legal_ep(&self.board)

    def __eq__(self, other) -> bool:
        if not isinstance(other, PositionCore):
            return NotImplemented
        cdef Board* a = &self.board
        cdef Board* b = &(<PositionCore> other).board
        return (
            a.key == b.key
            and memcmp(a.squares, b.squares, 64) == 0
            and (a.state.ep_given == b.state.ep_given and a.state.ep == b.state.ep)
            and (a.turn == b.turn and a.chess960 == b.chess960)
            and (a.state.halfmove == b.state.halfmove and a.fullmove == b.fullmove)
            and self.castling() == (<PositionCore> other).castling()
        )

    def __hash__(self) -> int:
        return hash(self.board.key)
