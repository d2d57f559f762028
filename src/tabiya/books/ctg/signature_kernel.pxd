from libc.stdint cimport int16_t, uint32_t, uint8_t
from libc.string cimport memcpy, memset

from tabiya.chess.board cimport Board

# The tables of ``codes.py`` for kernels, filled once on import: about 5 kB.
cdef enum:
    STEP = 0
    NULL_MOVE = 1
    CASTLE_KING_SIDE = 2
    CASTLE_QUEEN_SIDE = 3
    NO_MOVE = 4           # an unassigned byte

# The meaning of a byte in a book.
ctypedef struct Meaning:
    uint8_t special
    uint8_t piece
    uint8_t number
    uint8_t right
    uint8_t forward

# A symbol of the packed board.
ctypedef struct Symbol:
    uint8_t value         # piece code, or bits of a piece
    uint8_t length

ctypedef struct CodeTables:
    Meaning meaning[256]
    int16_t code[7][8][64]     # by piece type, number of the piece, files right | ranks forward << 3; -1 = none
    uint8_t special[4]         # codes of the null move and of castling
    uint32_t hash[64]
    Symbol symbol[16]          # bits by piece code
    Symbol piece[64]           # piece code by the next six bits

cdef CodeTables CODE_TABLES

# Positions as CTG stores them: normalised, packed, hashed; and moves as bytes.
cdef enum:
    MAX_SIGNATURE = 31    # its length has five bits
    SIGNATURE_SIZE = 32   # the size of every buffer for a signature
    UNPACK_SIZE = 40      # eight bytes can be read from any place of a signature

# Problems of a signature; the messages are in ``position.py``.
cdef enum:
    SIGNATURE_OK = 0
    SIGNATURE_SHORT = 1      # it ends before the 64th square
    SIGNATURE_KINGS = 2      # not one king on each side
    SIGNATURE_PAWNS = 3      # pawns on the first or last rank
    SIGNATURE_CASTLING = 4   # a right without king and rook in place
    SIGNATURE_EP = 5         # no pawn can have made a double step there
    SIGNATURE_MIRROR = 6     # the mirror image should have been stored
    SIGNATURE_PADDING = 7    # the same position is packed to other bytes
    SIGNATURE_CHECK = 8      # the side that has just moved is in check

# A position in the frame of the book: White to move, its king on the right half of the board if neither side can
# castle.
ctypedef struct Frame:
    uint8_t squares[64]      # piece codes as in ``Board``
    uint8_t pieces[16][64]   # by piece code: their squares, in the order a1, a2 … a8, b1 … h8
    uint8_t counts[16]       # by piece code: how many there are
    uint8_t rights           # castling rights as in ``Board``, White's in the low bits
    uint8_t rooks[2]         # squares of White's castling rooks: king side, queen side
    uint8_t ep_file          # where White can capture en passant, or NO_FILE
    uint8_t mask             # real square ^ mask = square in the frame: 56 turns the ranks, 7 the files

cdef void frame_of_board(const Board* board, bint pseudo, Frame* frame) noexcept nogil
cdef int pack(const Frame* frame, uint8_t* out) noexcept nogil
cdef int unpack(const uint8_t* signature, Frame* frame) noexcept nogil
cdef int board_of_frame(const Frame* frame, Board* board) noexcept nogil
cdef int signature_problem(const uint8_t* signature, const Frame* frame, const Board* board) noexcept nogil
cdef uint32_t hash_of(const uint8_t* signature) noexcept nogil
cdef int move_of_code(const Frame* frame, int code) noexcept nogil
cdef int code_of_move(const Frame* frame, int move) noexcept nogil
cdef int frame_problem(const Frame* frame) noexcept nogil


cdef inline int signature_length(const uint8_t* signature) noexcept nogil:
    return signature[0] & 31


cdef inline int take_signature(bytes signature, uint8_t* out) except -1:
    """Copy a signature into SIGNATURE_SIZE bytes; ValueError unless its first byte contains its true length."""
    cdef const uint8_t* data = <const uint8_t*> <const char*> signature
    if len(signature) == 0 or len(signature) != signature_length(data):
        raise ValueError("the first byte of a signature must tell its length")
    memset(out, 0, SIGNATURE_SIZE)
    memcpy(out, data, len(signature))
    return 0
