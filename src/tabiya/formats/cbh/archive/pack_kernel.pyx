"""Compress blocks of a CBV archive by the best of the four methods. ``unpack_kernel`` describes the format.

LZ finds for each position the longest copy within reach, and then the cheapest chain of items, so it is close to the
best possible in the format. Linear in the size of a block, with a bound on the tries for each copy.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from tabiya.formats.cbh.archive.unpack_kernel cimport HUFFMAN, LONGEST_CODE, LZ, NEAREST, SYMBOLS

cdef enum:
    FARTHEST = 4098
    SHORTEST = 3
    LONGEST_SHORT_COPY = 15
    LONGEST_COPY = 271
    LONGEST_SHORT_RUN = 18
    LONGEST_RUN = 4114
    # Costs in bits, including the one that distinguishes literals and commands.
    LITERAL_PRICE = 9
    SHORT_PRICE = 17
    LONG_PRICE = 25
    # Limits on the search for copies.
    HASHES = 4096
    TRIES = 48

# The item at a position: first the longest copy, then the choice. A literal has length 1, a run offset 0.
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
    Py_ssize_t capacity
    uint64_t held
    int count


cdef Py_ssize_t MOST_BYTES = 0xFFFE
cdef Py_ssize_t SCRATCH = 16  # bytes that a packer may write past its limit before it detects it


def pack_block(const uint8_t[::1] data not None) -> bytes:
    """Return a block for at most 65,534 bytes, by the method that makes it smallest."""
    cdef int size = <int> data.shape[0]
    if data.shape[0] > MOST_BYTES:
        raise ValueError("a block has at most 65534 bytes")
    if size == 0:
        return b"\0"
    items = <Item*> malloc((size + 1) * sizeof(Item))
    chain = <int*> malloc((size + HASHES) * sizeof(int))
    lz = <unsigned char*> malloc(size + SCRATCH)
    plain = <unsigned char*> malloc(size + SCRATCH)
    both = <unsigned char*> malloc(size + SCRATCH)
    cdef Py_ssize_t best = size  # a result that is not smaller is useless
    cdef int mode = 0
    cdef Py_ssize_t length
    try:
        if items == NULL or chain == NULL or lz == NULL or plain == NULL or both == NULL:
            raise MemoryError("no memory to pack a block")
        with nogil:
            length = do_huffman(&data[0], size, plain, best)
            if length < best:
                mode, best = HUFFMAN, length
            length = do_lz(&data[0], size, items, chain, lz, size)
            if length < size:
                if length < best:
                    mode, best = LZ, length
                length = do_huffman(lz, length, both, best)
                if length < best:
                    mode, best = LZ | HUFFMAN, length
        if mode == 0:
            return b"\0" + bytes(data)
        chosen = lz if mode == LZ else plain if mode == HUFFMAN else both
        return bytes([mode]) + PyBytes_FromStringAndSize(<char*> chosen, best)
    finally:
        free(items)
        free(chain)
        free(lz)
        free(plain)
        free(both)


# LZ.


cdef Py_ssize_t do_lz(
    const uint8_t* data, int size, Item* items, int* chain, uint8_t* out, Py_ssize_t capacity
) noexcept nogil:
    """Compress into ``out``; return ``capacity`` if that does not take fewer bytes."""
    cdef int place = 0
    cdef Py_ssize_t length = 0
    cdef Py_ssize_t group = 0
    cdef int mask
    cdef int item
    find_copies(data, size, items, chain)
    choose_items(data, size, items)
    while place < size:
        mask = 0
        group = length
        length += 2
        for item in range(16):
            if place >= size:
                break
            if length + 3 > capacity:
                return capacity
            if items[place].length > 1:
                mask |= 0x8000 >> item
            length += write_item(data, place, &items[place], out + length)
            place += items[place].length
        if group + 2 > capacity:
            return capacity
        out[group] = mask & 0xFF
        out[group + 1] = mask >> 8
    return length if length < capacity else capacity


cdef void find_copies(const uint8_t* data, int size, Item* items, int* chain) noexcept nogil:
    """Find for each position the longest earlier match within reach.

    A copy does not overlap its own output: uncbv, the first program to read these archives, would crash.
    """
    heads = chain + size
    cdef int place
    cdef int _tries
    cdef int other
    cdef unsigned int key
    for place in range(HASHES):
        heads[place] = -1
    for place in range(size):
        items[place].length = SHORTEST - 1
        items[place].offset = 0
        if size - place < SHORTEST:
            continue
        key = data[place] | (data[place + 1] << 8) | (data[place + 2] << 16)
        key = ((key * 40503) >> 16) & (HASHES - 1)
        other = heads[key]
        chain[place] = other
        heads[key] = place
        if place > 0 and items[place - 1].offset:
            # The copy found for the position before continues here; so regular data, which have many copies, cost
            # little.
            try_copy(data, size, items, place, place - items[place - 1].offset)
        for _tries in range(TRIES):
            if other < 0 or place - other > FARTHEST or items[place].length == LONGEST_COPY:
                break
            try_copy(data, size, items, place, other)
            other = chain[other]


cdef void try_copy(const uint8_t* data, int size, Item* items, int place, int other) noexcept nogil:
    """Record the match at ``other`` if it is longer than the best so far."""
    cdef int best = items[place].length
    cdef int most = min(min(place - other, LONGEST_COPY), size - place)
    cdef int length = 0
    if most <= best or data[other + best] != data[place + best]:
        return
    while length < most and data[other + length] == data[place + length]:
        length += 1
    if length > best:
        items[place].length = <uint16_t> length
        items[place].offset = <uint16_t> (place - other)


cdef void choose_items(const uint8_t* data, int size, Item* items) noexcept nogil:
    """Choose the cheapest way from each position to the end, starting at the end.

    A longer copy or run of the same cost is hardly ever worse than a shorter one, so only the longest of each cost are
    compared.
    """
    cdef int place
    cdef int run = 0
    cdef int copy
    cdef int offset
    cdef Item choice
    items[size].cost = 0
    for place in range(size - 1, -1, -1):
        run = min(run + 1, LONGEST_RUN) if place + 1 < size and data[place] == data[place + 1] else 1
        copy = items[place].length
        offset = items[place].offset
        choice.cost = items[place + 1].cost + LITERAL_PRICE
        choice.length = 1
        choice.offset = 0
        if run >= SHORTEST:
            prefer(items, place, &choice, min(run, LONGEST_SHORT_RUN), 0, SHORT_PRICE)
            if run > LONGEST_SHORT_RUN:
                prefer(items, place, &choice, run, 0, LONG_PRICE)
        if offset:
            prefer(items, place, &choice, min(copy, LONGEST_SHORT_COPY), offset, SHORT_PRICE)
            if copy > LONGEST_SHORT_COPY:
                prefer(items, place, &choice, copy, offset, LONG_PRICE)
        items[place] = choice


cdef void prefer(Item* items, int place, Item* choice, int length, int offset, int price) noexcept nogil:
    """Choose this item if it is cheaper."""
    cdef uint32_t cost = items[place + length].cost + price
    if cost < choice.cost:
        choice.cost = cost
        choice.length = <uint16_t> length
        choice.offset = <uint16_t> offset


cdef Py_ssize_t write_item(const uint8_t* data, int place, Item* item, uint8_t* out) noexcept nogil:
    """Write a literal, a run or a copy; return the number of its bytes."""
    cdef int length = item.length
    cdef int offset = item.offset - NEAREST
    if length == 1:
        out[0] = data[place]
        return 1
    if item.offset == 0:
        if length <= LONGEST_SHORT_RUN:
            out[0] = length - 3
            out[1] = data[place]
            return 2
        out[0] = 0x10 | ((length - 19) & 15)
        out[1] = (length - 19) >> 4
        out[2] = data[place]
        return 3
    out[1] = offset >> 4
    if length <= LONGEST_SHORT_COPY:
        out[0] = (length << 4) | (offset & 15)
        return 2
    out[0] = 0x20 | (offset & 15)
    out[2] = length - 16
    return 3


# Huffman.


cdef Py_ssize_t do_huffman(const uint8_t* data, Py_ssize_t size, uint8_t* out, Py_ssize_t capacity) noexcept nogil:
    """Compress into ``out``; return ``capacity`` if that does not take fewer bytes, or if there is only one symbol."""
    cdef HuffmanTable table
    cdef BitWriter writer
    cdef Py_ssize_t place
    cdef int symbol
    memset(table.counts, 0, sizeof(table.counts))
    for place in range(size):
        table.counts[data[place]] += 1
    if capacity < 3 or not find_lengths(&table):
        return capacity
    assign_codes(&table)
    out[0] = <uint8_t> (size >> 8)
    out[1] = <uint8_t> (size & 0xFF)
    writer.data = out
    writer.size = 2
    writer.capacity = capacity
    writer.held = 0
    writer.count = 0
    for symbol in range(SYMBOLS):
        put_bits(&writer, table.lengths[symbol], 4)
        put_bits(&writer, table.codes[symbol], table.lengths[symbol])
    for place in range(size):
        put_bits(&writer, table.codes[data[place]], table.lengths[data[place]])
        if writer.size >= capacity:
            return capacity
    if writer.count:
        put_bits(&writer, 0, 8 - writer.count)
    return writer.size if writer.size < capacity else capacity


cdef bint find_lengths(HuffmanTable* table) noexcept nogil:
    """Find the lengths of the best codes of at most 15 bits; False if there are fewer than two symbols.

    While a code is longer than that, counts are made more equal. The code is always complete.
    """
    cdef int nodes
    cdef int node
    cdef int depth
    cdef int deepest = LONGEST_CODE + 1
    while deepest > LONGEST_CODE:
        nodes = grow_tree(table)
        if nodes == SYMBOLS:
            return False
        table.parents[nodes - 1] = -1
        deepest = 0
        for symbol in range(SYMBOLS):
            depth = 0
            if table.counts[symbol]:
                node = table.parents[symbol]
                while node >= 0:
                    depth += 1
                    node = table.parents[node]
                table.counts[symbol] = (table.counts[symbol] >> 1) + 1
            deepest = max(deepest, depth)
            table.lengths[symbol] = <uint8_t> depth
    return True


cdef int grow_tree(HuffmanTable* table) noexcept nogil:
    """Join the two lightest nodes until one is left; return the number of nodes."""
    weights = table.weights
    cdef int nodes = SYMBOLS
    cdef int node
    cdef int lightest
    cdef int second
    for node in range(SYMBOLS):
        weights[node] = table.counts[node]
    while True:
        lightest = second = -1
        for node in range(nodes):  # for so few symbols a heap is not needed
            if weights[node] == 0:
                continue
            if lightest < 0 or weights[node] < weights[lightest]:
                second = lightest
                lightest = node
            elif second < 0 or weights[node] < weights[second]:
                second = node
        if second < 0:
            return nodes
        weights[nodes] = weights[lightest] + weights[second]
        weights[lightest] = weights[second] = 0
        table.parents[lightest] = table.parents[second] = <short> nodes
        nodes += 1


cdef void assign_codes(HuffmanTable* table) noexcept nogil:
    """Assign codes in the order of their lengths, then of the bytes."""
    cdef int code = 0
    cdef int length
    cdef int symbol
    memset(table.codes, 0, sizeof(table.codes))
    for length in range(1, LONGEST_CODE + 1):
        code <<= 1
        for symbol in range(SYMBOLS):
            if table.lengths[symbol] == length:
                table.codes[symbol] = <uint16_t> code
                code += 1


cdef void put_bits(BitWriter* writer, uint32_t value, int count) noexcept nogil:
    """Write the lowest bits of a number; past the end of the buffer they are only counted."""
    writer.held = (writer.held << count) | value
    writer.count += count
    while writer.count >= 8:
        writer.count -= 8
        if writer.size < writer.capacity:
            writer.data[writer.size] = <uint8_t> ((writer.held >> writer.count) & 0xFF)
        writer.size += 1
