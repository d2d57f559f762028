"""Where records go: merges those of one position, and finds the leaves of the hash tree that all fit their pages.

Records come with *keys*, their hashes with bits reversed: sorted by key they stand in the order of the leaves, and
every node of the tree is a row of neighbours. A node is split exactly if its records do not fit one page, which is what
ChessBase's splitting of full pages comes to in the end, in whatever order records arrive. n log n in the worst case.
"""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t, uint16_t, uint32_t
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.tabiya.books.ctg.frame_kernel import signature_length
from cython.cimports.tabiya.books.ctg.pages import (
    AT_DRAWS,
    AT_GAMES,
    AT_LOSSES,
    AT_MARKS,
    AT_OPPONENTS_RATED,
    AT_OPPONENTS_SUM,
    AT_RATED,
    AT_RATING_SUM,
    AT_SCORE,
    AT_WINS,
    MAX_RECORD,
    PAGE_HEAD,
    PAGE_SIZE,
    STATISTICS_SIZE,
    Record,
    read_24,
    read_32,
    read_record,
    write_24,
    write_32,
)
from cython.cimports.tabiya.books.ctg.records_kernel import LARGEST_24, MARK_COUNT, MAX_LISTED, listed_at

LARGEST_32 = cython.declare(uint32_t, 0xFFFFFFFF)
NARROW = cython.declare(cython.int[6])
WIDE = cython.declare(cython.int[3])

# --- merging ---------------------------------------------------------------------------------------------------------


def compare_records(one, other):
    """By signature; the length is in the first byte, so no signature is the beginning of another one."""
    return memcmp(one, other, min(signature_length(one), signature_length(other)))


def sort_group(data, starts, order, count):
    """Sort records of equal hash by signature, and equal ones as they came (Shell's way, safe for any number)."""
    gap: int64_t = count // 2
    while gap > 0:
        for place in range(gap, count):
            moved: int64_t = order[place]
            hole: int64_t = place
            while hole >= gap:
                order_: cython.int = compare_records(data + starts[order[hole - gap]], data + starts[moved])
                if order_ < 0 or (order_ == 0 and order[hole - gap] < moved):
                    break
                order[hole] = order[hole - gap]
                hole -= gap
            order[hole] = moved
        gap //= 2


def capped_sum(one, other, largest, capped):
    if other > largest - one:
        capped[0] = True
        return largest
    return one + other


def merge_statistics(one, other, largest, merged):
    """Add the numbers of a position up, or with ``largest`` keep those with more games; unite the marks."""
    capped: cython.bint = False
    if largest:
        if read_24(other + AT_GAMES) > read_24(one + AT_GAMES):
            memcpy(one, other, AT_MARKS)
    else:
        for number in range(6):
            at: cython.int = NARROW[number]
            write_24(one + at, capped_sum(read_24(one + at), read_24(other + at), LARGEST_24, cython.address(capped)))
        for number in range(3):
            at = WIDE[number]
            write_32(one + at, capped_sum(read_32(one + at), read_32(other + at), LARGEST_32, cython.address(capped)))
    merged.numbers += capped
    one[AT_MARKS] |= other[AT_MARKS]
    for mark in range(1, MARK_COUNT):
        if one[AT_MARKS + mark] == 0:
            one[AT_MARKS + mark] = other[AT_MARKS + mark]


def merge_record(record, other, largest, merged):
    """Merge another record of the same position into one with room for MAX_RECORD bytes; return its size."""
    statistics: uint8_t[STATISTICS_SIZE]
    length: cython.int = signature_length(record)
    listed: cython.int = record[length] >> 1
    moves = record + length + 1
    more = other + length + 1
    memcpy(statistics, moves + 2 * listed, STATISTICS_SIZE)
    merge_statistics(statistics, more + 2 * (other[length] >> 1), largest, merged)
    for number in range(other[length] >> 1):
        place: cython.int = listed_at(moves, listed, more[2 * number])
        if place >= 0:
            if moves[2 * place + 1] == 0:
                moves[2 * place + 1] = more[2 * number + 1]
        elif listed == MAX_LISTED:
            merged.moves += 1
        else:
            moves[2 * listed] = more[2 * number]
            moves[2 * listed + 1] = more[2 * number + 1]
            listed += 1
    record[length] = 2 * listed + 1
    memcpy(moves + 2 * listed, statistics, STATISTICS_SIZE)
    return length + 2 * listed + 1 + STATISTICS_SIZE


def merge_sorted(
    data: cython.const[uint8_t][::1],
    starts: cython.const[int64_t][::1],
    keys: cython.const[uint32_t][::1],
    order: int64_t[::1],
    largest: cython.bint,
    out: uint8_t[::1],
    sizes: uint16_t[::1],
    out_keys: uint32_t[::1],
) -> tuple:
    """Copy records in the order of their keys, then of their signatures, and merge those of one position.

    ``starts`` has one more member than there are records, ``keys`` belong to the records as they came, and ``order``
    sorts them. Returns (records, bytes, moves lost, positions with numbers lost).
    """
    merged: Merged
    parts: Record
    record: uint8_t[MAX_RECORD]
    count: cython.Py_ssize_t = keys.shape[0]
    written: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    size: cython.int
    at: int64_t
    if starts.shape[0] != count + 1 or order.shape[0] != count or sizes.shape[0] < count or out_keys.shape[0] < count:
        raise ValueError("the columns do not fit together")
    if count == 0:
        return 0, 0, 0, 0
    if starts[0] != 0 or starts[count] != data.shape[0] or out.shape[0] < data.shape[0]:
        raise ValueError("there is no room for the records")
    for row in range(count):
        if not 0 < starts[row + 1] - starts[row] <= MAX_RECORD or not 0 <= order[row] < count:
            raise ValueError("these are not records")
        size = cython.cast(cython.int, starts[row + 1] - starts[row])
        if read_record(cython.address(data[starts[row]]), size, cython.address(parts)) or parts.size != size:
            raise ValueError("these are not records")
    merged.moves = merged.numbers = 0
    with cython.nogil:
        while begin < count:
            end = begin + 1
            while end < count and keys[order[end]] == keys[order[begin]]:
                end += 1
            if end - begin > 1:
                sort_group(
                    cython.address(data[0]), cython.address(starts[0]), cython.address(order[begin]), end - begin
                )
            while begin < end:
                at = order[begin]
                out_keys[written] = keys[at]
                size = cython.cast(cython.int, starts[at + 1] - starts[at])
                memcpy(record, cython.address(data[starts[at]]), size)
                begin += 1
                while begin < end and compare_records(record, cython.address(data[starts[order[begin]]])) == 0:
                    size = merge_record(
                        record, cython.address(data[starts[order[begin]]]), largest, cython.address(merged)
                    )
                    begin += 1
                memcpy(cython.address(out[place]), record, size)
                sizes[written] = size
                place += size
                written += 1
    return written, place, merged.moves, merged.numbers


# --- splitting -------------------------------------------------------------------------------------------------------


def first_set(keys, node):
    """Return the first record of a node whose next bit is set; its records are sorted, so those without come first."""
    low: int64_t = node.begin
    high: int64_t = node.end
    while low < high:
        middle: int64_t = (low + high) // 2
        if keys[middle] >> (31 - node.depth) & 1:
            high = middle
        else:
            low = middle + 1
    return low


def find_leaves(
    keys: cython.const[uint32_t][::1],
    ends: cython.const[int64_t][::1],
    depth: cython.int,
    bits: cython.longlong,
    forced: cython.int,
    deepest: cython.int,
    nodes: int64_t[::1],
    stops: int64_t[::1],
) -> int:
    """Split the node of all these records until every leaf fits a page, and down to depth ``forced`` anyway.

    ``ends`` has the end of each record in bytes, after a 0. Writes the numbers of the leaves and where their records
    stop, as far as there is room, and returns how many there are. At depth ``deepest`` a leaf may be too full.
    """
    stack: Node[STACK_SIZE]
    node: Node
    middle: int64_t
    height: cython.int = 1
    count: cython.Py_ssize_t = 0
    room: cython.Py_ssize_t = min(nodes.shape[0], stops.shape[0])
    total: cython.Py_ssize_t = keys.shape[0]
    if ends.shape[0] != total + 1 or not 0 <= depth <= deepest < MAX_DEPTH:
        raise ValueError("the columns do not fit together")
    first_key: uint32_t = 0
    first = cython.address(keys[0]) if total else cython.address(first_key)
    stack[0] = Node(begin=0, end=total, bits=bits, depth=depth)
    with cython.nogil:
        while height:
            height -= 1
            node = stack[height]
            if node.depth == deepest or (
                node.depth >= forced and ends[node.end] - ends[node.begin] <= PAGE_SIZE - PAGE_HEAD
            ):
                if count < room:
                    nodes[count] = node.bits + (cython.cast(int64_t, 1) << node.depth) - 1
                    stops[count] = node.end
                count += 1
                continue
            middle = first_set(first, cython.address(node))
            stack[height] = Node(
                begin=middle,
                end=node.end,
                bits=node.bits | cython.cast(int64_t, 1) << node.depth,
                depth=node.depth + 1,
            )
            stack[height + 1] = Node(begin=node.begin, end=middle, bits=node.bits, depth=node.depth + 1)
            height += 2
    return count


NARROW[0] = AT_GAMES
NARROW[1] = AT_WINS
NARROW[2] = AT_LOSSES
NARROW[3] = AT_DRAWS
NARROW[4] = AT_RATED
NARROW[5] = AT_OPPONENTS_RATED
WIDE[0] = AT_SCORE
WIDE[1] = AT_RATING_SUM
WIDE[2] = AT_OPPONENTS_SUM
