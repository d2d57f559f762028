"""The tables of offsets of knights and kings, filled once on import: those of jose itself, and those of its document.

The pictures in jose's published document are those of its code, mirrored at the long diagonal: rank and file exchanged.
All real data follows the code.
"""

cdef signed char KNIGHT_RANKS[8]
KNIGHT_RANKS[:] = [1, -1, -2, -2, -1, 1, 2, 2]
cdef signed char KNIGHT_FILES[8]
KNIGHT_FILES[:] = [2, 2, 1, -1, -2, -2, -1, 1]
cdef signed char KING_RANKS[8]
KING_RANKS[:] = [1, -1, -1, 1, 0, 0, 1, -1]
cdef signed char KING_FILES[8]
KING_FILES[:] = [1, 1, -1, -1, 1, -1, 0, 0]


cdef void fill_leaps(Leaps* leaps, const signed char* ranks, const signed char* files) noexcept:
    for step in range(25):
        leaps.offset[step] = NO_OFFSET
    for offset in range(8):
        leaps.offset[5 * (ranks[offset] + 2) + files[offset] + 2] = offset
        for source in range(64):
            leaps.target[offset][source] = on_board((source >> 3) + ranks[offset], (source & 7) + files[offset])


fill_leaps(&DIALECTS[0].knight, KNIGHT_RANKS, KNIGHT_FILES)
fill_leaps(&DIALECTS[0].king, KING_RANKS, KING_FILES)
fill_leaps(&DIALECTS[1].knight, KNIGHT_FILES, KNIGHT_RANKS)
fill_leaps(&DIALECTS[1].king, KING_FILES, KING_RANKS)
