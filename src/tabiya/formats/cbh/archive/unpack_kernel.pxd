cdef enum:
    # Ways of packing.
    LZ = 1
    HUFFMAN = 2
    # What may be wrong with a block, as the door reports it.
    FINE = 0
    BROKEN_OFF = 1
    BAD_MODE = 2
    BAD_CODE = 3
    BAD_COPY = 4
    TOO_LONG = 5
    # The numbers of the format.
    SYMBOLS = 256
    LONGEST_CODE = 15
    NEAREST = 3
