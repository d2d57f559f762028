"""Blocks of a CBV archive, packed: the smallest of the four ways. ``cbv_kernel`` tells what they look like.

LZ takes for each place the longest copy within reach and then the cheapest chain of items, so it is close to the best
that the format can do. Linear in the size of a block, with a bound on the tries for each copy.
"""

import cython
from cython.cimports.cpython.bytes import PyBytes_FromStringAndSize
from cython.cimports.libc.stdint import uint8_t, uint16_t, uint32_t
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.formats.cbh.archive.unpack_kernel import HUFFMAN, LONGEST_CODE, LZ, NEAREST, SYMBOLS

MOST_BYTES = cython.declare(cython.Py_ssize_t, 0xFFFE)
SCRATCH = cython.declare(cython.Py_ssize_t, 16)
"""Bytes that a packer may write past its limit before it notices."""


def pack_block(data: cython.const[uint8_t][::1]) -> bytes:
    """Return a block for at most 65,534 bytes, in the smallest of the four ways."""
    size: cython.int = cython.cast(cython.int, data.shape[0])
    if data.shape[0] > MOST_BYTES:
        raise ValueError("a block has at most 65534 bytes")
    if size == 0:
        return b"\0"
    items = cython.cast(cython.pointer(Item), malloc((size + 1) * cython.sizeof(Item)))
    chain = cython.cast(cython.p_int, malloc((size + HASHES) * cython.sizeof(cython.int)))
    lz = cython.cast(cython.p_uchar, malloc(size + SCRATCH))
    plain = cython.cast(cython.p_uchar, malloc(size + SCRATCH))
    both = cython.cast(cython.p_uchar, malloc(size + SCRATCH))
    best: cython.Py_ssize_t = size  # what is not smaller than that is not worth it
    mode: cython.int = 0
    length: cython.Py_ssize_t
    try:
        if (
            items == cython.NULL
            or chain == cython.NULL
            or lz == cython.NULL
            or plain == cython.NULL
            or both == cython.NULL
        ):
            raise MemoryError("no memory to pack a block")
        with cython.nogil:
            length = do_huffman(cython.address(data[0]), size, plain, best)
            if length < best:
                mode, best = HUFFMAN, length
            length = do_lz(cython.address(data[0]), size, items, chain, lz, size)
            if length < size:
                if length < best:
                    mode, best = LZ, length
                length = do_huffman(lz, length, both, best)
                if length < best:
                    mode, best = LZ | HUFFMAN, length
        if mode == 0:
            return b"\0" + bytes(data)
        chosen = lz if mode == LZ else plain if mode == HUFFMAN else both
        return bytes([mode]) + PyBytes_FromStringAndSize(cython.cast(cython.p_char, chosen), best)
    finally:
        free(items)
        free(chain)
        free(lz)
        free(plain)
        free(both)


# LZ.


def do_lz(data, size, items, chain, out, room):
    """Pack into ``out``; ``room`` if that takes no less bytes."""
    place: cython.int = 0
    length: cython.Py_ssize_t = 0
    group: cython.Py_ssize_t = 0
    mask: cython.int
    item: cython.int
    find_copies(data, size, items, chain)
    choose_items(data, size, items)
    while place < size:
        mask = 0
        group = length
        length += 2
        for item in range(16):
            if place >= size:
                break
            if length + 3 > room:
                return room
            if items[place].length > 1:
                mask |= 0x8000 >> item
            length += write_item(data, place, cython.address(items[place]), out + length)
            place += items[place].length
        if group + 2 > room:
            return room
        out[group] = mask & 0xFF
        out[group + 1] = mask >> 8
    return length if length < room else room


def find_copies(data, size, items, chain):
    """Find for each place the longest stretch before it, within reach, that goes on in the same way.

    A copy does not run into what it makes: uncbv, the first program to read these archives, would not survive it.
    """
    heads = chain + size
    place: cython.int
    _tries: cython.int
    other: cython.int
    key: cython.uint
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
            # The copy found for the place before goes on here; so regular data, which have many copies, cost little.
            try_copy(data, size, items, place, place - items[place - 1].offset)
        for _tries in range(TRIES):
            if other < 0 or place - other > FARTHEST or items[place].length == LONGEST_COPY:
                break
            try_copy(data, size, items, place, other)
            other = chain[other]


def try_copy(data, size, items, place, other):
    """Note the stretch at ``other`` if it goes on for longer in the same way than the best so far."""
    best: cython.int = items[place].length
    most: cython.int = min(min(place - other, LONGEST_COPY), size - place)
    length: cython.int = 0
    if most <= best or data[other + best] != data[place + best]:
        return
    while length < most and data[other + length] == data[place + length]:
        length += 1
    if length > best:
        items[place].length = cython.cast(uint16_t, length)
        items[place].offset = cython.cast(uint16_t, place - other)


def choose_items(data, size, items):
    """Choose the cheapest way from each place to the end, from the end on.

    A longer copy or run of the same price is hardly ever worse than a shorter one, so only the longest of each price
    are compared.
    """
    place: cython.int
    run: cython.int = 0
    copy: cython.int
    offset: cython.int
    choice: Item
    items[size].cost = 0
    for place in range(size - 1, -1, -1):
        run = min(run + 1, LONGEST_RUN) if place + 1 < size and data[place] == data[place + 1] else 1
        copy = items[place].length
        offset = items[place].offset
        choice.cost = items[place + 1].cost + LITERAL_PRICE
        choice.length = 1
        choice.offset = 0
        if run >= SHORTEST:
            prefer(items, place, cython.address(choice), min(run, LONGEST_SHORT_RUN), 0, SHORT_PRICE)
            if run > LONGEST_SHORT_RUN:
                prefer(items, place, cython.address(choice), run, 0, LONG_PRICE)
        if offset:
            prefer(items, place, cython.address(choice), min(copy, LONGEST_SHORT_COPY), offset, SHORT_PRICE)
            if copy > LONGEST_SHORT_COPY:
                prefer(items, place, cython.address(choice), copy, offset, LONG_PRICE)
        items[place] = choice


def prefer(items, place, choice, length, offset, price):
    """Take this item as the choice if it is cheaper."""
    cost: uint32_t = items[place + length].cost + price
    if cost < choice.cost:
        choice.cost = cost
        choice.length = cython.cast(uint16_t, length)
        choice.offset = cython.cast(uint16_t, offset)


def write_item(data, place, item, out):
    """Write a literal, a run or a copy; return the number of its bytes."""
    length: cython.int = item.length
    offset: cython.int = item.offset - NEAREST
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


def do_huffman(data, size, out, room):
    """Pack into ``out``; ``room`` if that takes no less bytes, or if there is only one symbol, which has no code."""
    table: HuffmanTable
    writer: BitWriter
    place: cython.Py_ssize_t
    symbol: cython.int
    memset(table.counts, 0, cython.sizeof(table.counts))
    for place in range(size):
        table.counts[data[place]] += 1
    if room < 3 or not find_lengths(cython.address(table)):
        return room
    assign_codes(cython.address(table))
    out[0] = cython.cast(uint8_t, size >> 8)
    out[1] = cython.cast(uint8_t, size & 0xFF)
    writer.data = out
    writer.size = 2
    writer.room = room
    writer.held = 0
    writer.count = 0
    for symbol in range(SYMBOLS):
        put_bits(cython.address(writer), table.lengths[symbol], 4)
        put_bits(cython.address(writer), table.codes[symbol], table.lengths[symbol])
    for place in range(size):
        put_bits(cython.address(writer), table.codes[data[place]], table.lengths[data[place]])
        if writer.size >= room:
            return room
    if writer.count:
        put_bits(cython.address(writer), 0, 8 - writer.count)
    return writer.size if writer.size < room else room


def find_lengths(table):
    """Return the lengths of the best codes of at most 15 bits; False if there are less than two symbols.

    Where a code gets longer than that, counts are drawn together until it does not. The code is always complete.
    """
    nodes: cython.int
    node: cython.int
    depth: cython.int
    deepest: cython.int = LONGEST_CODE + 1
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
            table.lengths[symbol] = cython.cast(uint8_t, depth)
    return True


def grow_tree(table):
    """Join the two lightest nodes until one is left; return the number of nodes."""
    weights = table.weights
    nodes: cython.int = SYMBOLS
    node: cython.int
    lightest: cython.int
    second: cython.int
    for node in range(SYMBOLS):
        weights[node] = table.counts[node]
    while True:
        lightest = second = -1
        for node in range(nodes):  # so few symbols need no heap
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
        table.parents[lightest] = table.parents[second] = cython.cast(cython.short, nodes)
        nodes += 1


def assign_codes(table):
    """Codes in the order of their lengths, then of the bytes."""
    code: cython.int = 0
    length: cython.int
    symbol: cython.int
    memset(table.codes, 0, cython.sizeof(table.codes))
    for length in range(1, LONGEST_CODE + 1):
        code <<= 1
        for symbol in range(SYMBOLS):
            if table.lengths[symbol] == length:
                table.codes[symbol] = cython.cast(uint16_t, code)
                code += 1


def put_bits(writer, value, count):
    """Put the lowest bits of a number; past the room nothing is written, but counted."""
    writer.held = (writer.held << count) | value
    writer.count += count
    while writer.count >= 8:
        writer.count -= 8
        if writer.size < writer.room:
            writer.data[writer.size] = cython.cast(uint8_t, (writer.held >> writer.count) & 0xFF)
        writer.size += 1
