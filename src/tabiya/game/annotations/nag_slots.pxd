# ChessBase's three slots for NAGs; ``SLOTS`` of nags.py says the same, by test.

cdef inline int nag_slot(int nag) noexcept nogil:
    """ChessBase's slot of a NAG: 0 comment on the move, 1 evaluation, 2 prefix; -1 for all others."""
    if 1 <= nag <= 6 or nag == 8 or nag == 22:
        return 0
    if 13 <= nag <= 19 or nag == 10 or nag == 11 or nag == 32 or nag == 36 or nag == 40 or nag == 44:
        return 1
    if nag == 132 or nag == 138 or nag == 146:
        return 1
    if 140 <= nag <= 145:
        return 2
    return -1
