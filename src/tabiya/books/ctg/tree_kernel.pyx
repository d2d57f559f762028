"""Merges the records of each position, and finds the leaves of the hash tree whose records all fit their pages.

Records come with *keys*, their hashes with bits reversed: sorted by key they are in the order of the leaves, and the
records of every node are adjacent. A node is split exactly if its records do not fit one page, which is the final
result of ChessBase's splitting of full pages, in whatever order records arrive. n log n in the worst case.
"""

from libc.stdint cimport int64_t, uint16_t, uint32_t, uint8_t
from libc.string cimport memcmp, memcpy

from tabiya.books.ctg.signature_kernel cimport signature_length
from tabiya.books.ctg.pages cimport (
    AT_DRAWS, AT_GAMES, AT_LOSSES, AT_MARKS, AT_OPPONENTS_RATED, AT_OPPONENTS_SUM, AT_RATED, AT_RATING_SUM, AT_SCORE,
    AT_WINS, MAX_RECORD, PAGE_HEAD, PAGE_SIZE, STATISTICS_SIZE, Record, read_24, read_32, read_record, write_24,
    write_32
)
from tabiya.books.ctg.records_kernel cimport LARGEST_24, MARK_COUNT, MAX_LISTED, listed_at

cdef enum:
    MAX_DEPTH = 32
    STACK_SIZE = 34    # one pending node per depth

# Losses of merging.
ctypedef struct Merged:
    int64_t moves          # beyond the 127th
    int64_t numbers        # positions with sums that are too large

# A pending node of the tree: records with the same ``depth`` low bits of the hash.
ctypedef struct Node:
    int64_t begin
    int64_t end
    int64_t bits
    int depth


cdef uint32_t LARGEST_32 = 0xFFFFFFFF
cdef int NARROW[6]
cdef int WIDE[3]

# --- merging ---------------------------------------------------------------------------------------------------------


cdef int compare_records(const uint8_t* one, const uint8_t* other) noexcept nogil:
    """By signature; the length is in the first byte, so no signature is a prefix of another one."""
    return memcmp(one, other, min(signature_length(one), signature_length(other)))


cdef void sort_group(const uint8_t* data, const int64_t* starts, int64_t* order, int64_t count) noexcept nogil:
    """Sort records of equal hash by signature, stably (Shell sort, safe for any number)."""
    cdef int64_t moved
    cdef int64_t hole
    cdef int order_
    cdef int64_t gap = count // 2
    while gap > 0:
        for place in range(gap, count):
            moved = order[place]
            hole = place
            while hole >= gap:
                order_ = compare_records(data + starts[order[hole - gap]], data + starts[moved])
                if order_ < 0 or (order_ == 0 and order[hole - gap] < moved):
                    break
                order[hole] = order[hole - gap]
                hole -= gap
            order[hole] = moved
        gap //= 2


cdef uint32_t capped_sum(uint32_t one, uint32_t other, uint32_t largest, bint* capped) noexcept nogil:
    if other > largest - one:
        capped[0] = True
        return largest
    return one + other


cdef void merge_statistics(uint8_t* one, const uint8_t* other, bint largest, Merged* merged) noexcept nogil:
    """Add up the numbers of a position, or with ``largest`` keep those with more games; unite the marks."""
    cdef int at
    cdef bint capped = False
    if largest:
        if read_24(other + AT_GAMES) > read_24(one + AT_GAMES):
            memcpy(one, other, AT_MARKS)
    else:
        for number in range(6):
            at = NARROW[number]
            write_24(one + at, capped_sum(read_24(one + at), read_24(other + at), LARGEST_24, &capped))
        for number in range(3):
            at = WIDE[number]
            write_32(one + at, capped_sum(read_32(one + at), read_32(other + at), LARGEST_32, &capped))
    merged.numbers += capped
    one[AT_MARKS] |= other[AT_MARKS]
    for mark in range(1, MARK_COUNT):
        if one[AT_MARKS + mark] == 0:
            one[AT_MARKS + mark] = other[AT_MARKS + mark]


cdef int merge_record(uint8_t* record, const uint8_t* other, bint largest, Merged* merged) noexcept nogil:
    """Merge another record of the same position into one with space for MAX_RECORD bytes; return its size."""
    cdef int place
    cdef uint8_t statistics[STATISTICS_SIZE]
    cdef int length = signature_length(record)
    cdef int listed = record[length] >> 1
    moves = record + length + 1
    more = other + length + 1
    memcpy(statistics, moves + 2 * listed, STATISTICS_SIZE)
    merge_statistics(statistics, more + 2 * (other[length] >> 1), largest, merged)
    for number in range(other[length] >> 1):
        place = listed_at(moves, listed, more[2 * number])
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
    const uint8_t[::1] data not None, const int64_t[::1] starts not None, const uint32_t[::1] keys not None,
    int64_t[::1] order not None, bint largest, uint8_t[::1] out not None, uint16_t[::1] sizes not None,
    uint32_t[::1] out_keys not None
) -> tuple:
    """Copy records in the order of their keys, then of their signatures, and merge those of one position.

    ``starts`` has one more member than there are records, ``keys`` are those of the input records, and ``order``
    sorts them. Returns (records, bytes, moves lost, positions with numbers lost).
    """
    cdef Merged merged
    cdef Record parts
    cdef uint8_t record[MAX_RECORD]
    cdef Py_ssize_t count = keys.shape[0]
    cdef Py_ssize_t written = 0
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t begin = 0
    cdef Py_ssize_t end
    cdef int size
    cdef int64_t at
    if starts.shape[0] != count + 1 or order.shape[0] != count or sizes.shape[0] < count or out_keys.shape[0] < count:
        raise ValueError("the columns do not fit together")
    if count == 0:
        return 0, 0, 0, 0
    if starts[0] != 0 or starts[count] != data.shape[0] or out.shape[0] < data.shape[0]:
        raise ValueError("there is no room for the records")
    for row in range(count):
        if not 0 < starts[row + 1] - starts[row] <= MAX_RECORD or not 0 <= order[row] < count:
            raise ValueError("these are not records")
        size = <int> (starts[row + 1] - starts[row])
        if read_record(&data[starts[row]], size, &parts) or parts.size != size:
            raise ValueError("these are not records")
    merged.moves = merged.numbers = 0
    with nogil:
        while begin < count:
            end = begin + 1
            while end < count and keys[order[end]] == keys[order[begin]]:
                end += 1
            if end - begin > 1:
                sort_group(&data[0], &starts[0], &order[begin], end - begin)
            while begin < end:
                at = order[begin]
                out_keys[written] = keys[at]
                size = <int> (starts[at + 1] - starts[at])
                memcpy(record, &data[starts[at]], size)
                begin += 1
                while begin < end and compare_records(record, &data[starts[order[begin]]]) == 0:
                    size = merge_record(record, &data[starts[order[begin]]], largest, &merged)
                    begin += 1
                memcpy(&out[place], record, size)
                sizes[written] = size
                place += size
                written += 1
    return written, place, merged.moves, merged.numbers


# --- splitting -------------------------------------------------------------------------------------------------------


cdef int64_t first_set(const uint32_t* keys, const Node* node) noexcept nogil:
    """Return the first record of a node whose next bit is set; records are sorted, those without the bit first."""
    cdef int64_t middle
    cdef int64_t low = node.begin
    cdef int64_t high = node.end
    while low < high:
        middle = (low + high) // 2
        if keys[middle] >> (31 - node.depth) & 1:
            high = middle
        else:
            low = middle + 1
    return low


def find_leaves(
    const uint32_t[::1] keys not None, const int64_t[::1] ends not None, int depth, long long bits, int forced,
    int deepest, int64_t[::1] nodes not None, int64_t[::1] stops not None
) -> int:
    """Split the node of all these records until every leaf fits a page, and down to depth ``forced`` anyway.

    ``ends`` has the end of each record in bytes, after a 0. Writes the numbers of the leaves and the ends of their
    records, as far as there is space, and returns the number of leaves. At depth ``deepest`` a leaf may be too full.
    """
    cdef Node stack[STACK_SIZE]
    cdef Node node
    cdef int64_t middle
    cdef int height = 1
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t capacity = min(nodes.shape[0], stops.shape[0])
    cdef Py_ssize_t total = keys.shape[0]
    if ends.shape[0] != total + 1 or not 0 <= depth <= deepest < MAX_DEPTH:
        raise ValueError("the columns do not fit together")
    cdef uint32_t first_key = 0
    first = &keys[0] if total else &first_key
    stack[0] = Node(begin=0, end=total, bits=bits, depth=depth)
    with nogil:
        while height:
            height -= 1
            node = stack[height]
            if node.depth == deepest or (
                node.depth >= forced and ends[node.end] - ends[node.begin] <= PAGE_SIZE - PAGE_HEAD
            ):
                if count < capacity:
                    nodes[count] = node.bits + (<int64_t> 1 << node.depth) - 1
                    stops[count] = node.end
                count += 1
                continue
            middle = first_set(first, &node)
            stack[height] = Node(
                begin=middle,
                end=node.end,
                bits=node.bits | <int64_t> 1 << node.depth,
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
