from tabiya.chess.board cimport Board
from tabiya.formats.scid.games.writing cimport Writer

cdef void note_main_move(Writer* writer, int move) noexcept nogil
cdef int material_of(const Board* board) noexcept nogil
