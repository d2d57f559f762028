"""Fills the tables that ``codes_kernel.pxd`` shares with the kernels of CTG, from the data in ``codes``, on import."""

from tabiya.books.ctg.codes import CODES, HASH_TABLE, OPCODES, PIECE_BITS, Special


cdef void fill_codes():
    for piece in range(7):
        for number in range(8):
            for step in range(64):
                CODE_TABLES.code[piece][number][step] = -1
    for byte in range(256):
        CODE_TABLES.meaning[byte].special = NO_MOVE
    for place, opcode in enumerate(OPCODES):
        code = CODES[place]
        CODE_TABLES.meaning[code] = Meaning(
            special=opcode.special, piece=opcode.piece, number=opcode.number, right=opcode.right, forward=opcode.forward
        )
        if opcode.special != Special.STEP:
            CODE_TABLES.special[opcode.special] = code
            continue
        step = opcode.right | opcode.forward << 3
        if CODE_TABLES.code[opcode.piece][opcode.number][step] < 0:  # of two codes for a move the first is written
            CODE_TABLES.code[opcode.piece][opcode.number][step] = code


cdef void fill_symbols():
    for piece, text in PIECE_BITS.items():
        for color in range(2 if piece else 1):
            bits = int(text, 2) | color
            length = len(text)
            CODE_TABLES.symbol[color << 3 | piece] = Symbol(value=bits, length=length)
            for rest in range(1 << 6 - length):
                CODE_TABLES.piece[bits << 6 - length | rest] = Symbol(value=color << 3 | piece, length=length)


cdef void fill_hash():
    for place, value in enumerate(HASH_TABLE):
        CODE_TABLES.hash[place] = value


fill_codes()
fill_symbols()
fill_hash()
