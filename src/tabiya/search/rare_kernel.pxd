from tabiya.search.instructions cimport Instruction, Line

cdef bint holds_rarely(const Line* line, const Instruction* asked, int move) noexcept nogil
