cdef enum:
    # Compression methods.
    LZ = 1
    HUFFMAN = 2
    # Errors of a block, as reported to Python.
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
