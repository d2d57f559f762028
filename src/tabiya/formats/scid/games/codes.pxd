# The bytes of game data: tags, start, moves, comments. docs/formats/scid.md describes all of it.

cdef enum:
    CODE_NULL = 0
    CODE_LONG = 9           # castling
    CODE_SHORT = 10
    CODE_NAG = 11
    CODE_COMMENT = 12
    CODE_BEGIN = 13
    CODE_CLOSE = 14
    CODE_END = 15

cdef enum:
    PAWN_DOUBLE = 15        # the value of a double step
    QUEEN_TARGET = 64       # plus the target square: the second byte of a diagonal move of a queen

# Names of tags that have a number, from FIRST_COMMON on; ``COMMON_TAGS`` in decode_kernel.pyx.
cdef enum:
    LONGEST_TAG_NAME = 240
    LONGEST_TAG = 249       # name and value: Scid exports a tag through 256 bytes, and crashes on a longer one
    FIRST_COMMON = 241
    COMMON_COUNT = 10
    COMMON_ANNOTATOR = 243
    COMMON_SETUP = 250
    OLD_EVENT_DATE = 255    # three bytes follow

# In the byte before the start position, and the lowest bits of the flags of an index.
cdef enum:
    FLAG_START = 1
    FLAG_PROMOTION = 2
    FLAG_UNDERPROMOTION = 4

cdef enum:
    DEEPEST = 4096          # nesting of variations
    MOST_NAGS = 7           # on a move: with more of them Scid rejects the game
    MOST_BYTES = 131072     # of a game, and of a block of the file; no game crosses a block border
