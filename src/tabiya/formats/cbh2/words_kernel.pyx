"""The meanings of all words as a table for the reader; ``words.py`` derives them from the rules."""

from tabiya.chess.board cimport BLACK, WHITE, code_of, move_of

from tabiya.formats.cbh2 import words


cdef void set_other(int word, int word_class, int value):
    WORDS[word].move = value
    WORDS[word].piece = NOT_A_PIECE
    WORDS[word].target = word_class


cdef void fill_words():
    cdef int word
    cdef int color
    for word in range(WORD_COUNT):
        set_other(word, WORD_UNKNOWN, 0)
    word = words.FIRST_MOVE
    for piece, source, target, captured, promoted, en_passant in words.move_words():
        color = WHITE if piece < words.BLACK else BLACK
        WORDS[word].move = move_of(source, target, promoted)
        WORDS[word].piece = piece
        WORDS[word].target = code_of(color ^ 1, captured) if captured else 0
        if en_passant:
            set_other(word, WORD_EN_PASSANT, WORDS[word].move)
        word += 1
    # White queen side, White king side, then Black: the king side has the lower number in ``Board.rook``.
    for word in range(words.FIRST_CASTLING, words.FIRST_CASTLING_960):
        set_other(word, WORD_CASTLING, (word - words.FIRST_CASTLING) ^ 1)
    for word in range(words.FIRST_CASTLING_960, words.FIRST_PIECE):
        set_other(word, WORD_CASTLING_960, ((word - words.FIRST_CASTLING_960) & 3) ^ 1)
    word = words.FIRST_PIECE
    for code, square in words.piece_words():
        set_other(word, WORD_PIECE, square | code << 6)
        word += 1


fill_words()
