from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    FARTHEST = 4098
    SHORTEST = 3
    LONGEST_SHORT_COPY = 15
    LONGEST_COPY = 271
    LONGEST_SHORT_RUN = 18
    LONGEST_RUN = 4114
    # Prices in bits, the one that tells literals and commands apart included.
    LITERAL_PRICE = 9
    SHORT_PRICE = 17
    LONG_PRICE = 25
    # How hard to look for copies.
    HASHES = 4096
    TRIES = 48

# What stands at a place: first the longest copy, then the choice. A literal has length 1, a run offset 0.
cdef struct Item:
    uint32_t cost
    uint16_t length
    uint16_t offset

cdef struct HuffmanTable:
    uint32_t counts[256]
    uint32_t weights[512]
    short parents[512]
    uint8_t lengths[256]
    uint16_t codes[256]

cdef struct BitWriter:
    uint8_t* data
    Py_ssize_t size
    Py_ssize_t room
    uint64_t held
    int count

cdef Py_ssize_t do_lz(
    const uint8_t* data, int size, Item* items, int* chain, uint8_t* out, Py_ssize_t room
) noexcept nogil
cdef void find_copies(const uint8_t* data, int size, Item* items, int* chain) noexcept nogil
cdef void try_copy(const uint8_t* data, int size, Item* items, int place, int other) noexcept nogil
cdef void choose_items(const uint8_t* data, int size, Item* items) noexcept nogil
cdef void prefer(Item* items, int place, Item* choice, int length, int offset, int price) noexcept nogil
cdef Py_ssize_t write_item(const uint8_t* data, int place, Item* item, uint8_t* out) noexcept nogil
cdef Py_ssize_t do_huffman(const uint8_t* data, Py_ssize_t size, uint8_t* out, Py_ssize_t room) noexcept nogil
cdef bint find_lengths(HuffmanTable* table) noexcept nogil
cdef int grow_tree(HuffmanTable* table) noexcept nogil
cdef void assign_codes(HuffmanTable* table) noexcept nogil
cdef void put_bits(BitWriter* writer, uint32_t value, int count) noexcept nogil
