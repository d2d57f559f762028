from libc.stdint cimport uint8_t, uint16_t

cdef enum:
    WORD_COUNT = 65536
    NOT_A_PIECE = 255

# Classes of words that are not plain moves.
cdef enum:
    WORD_UNKNOWN = 0
    WORD_EN_PASSANT = 1
    WORD_CASTLING = 2      # ``move`` is the right, as in ``Board.rook``
    WORD_CASTLING_960 = 3
    WORD_PIECE = 4         # ``move`` is the square and, from bit 6 on, the code of the piece

cdef enum:
    NULL_WORD = 0xFFFA
    START_WORD = 0xFFFB
    MOVES_WORD = 0xFFFC
    LATER_WORD = 0xFFFD
    END_WORD = 0xFFFF
    FIRST_CASTLING_960 = 0xB12D

ctypedef struct Word:
    uint16_t move    # the token
    uint8_t piece    # code of the moving piece, NOT_A_PIECE if the word is not a plain move
    uint8_t target   # code of the piece on the target square, 0 for none; or the class of the word

cdef Word WORDS[65536]
