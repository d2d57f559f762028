"""Sorts rows of positions by key and game: one pass of distribution by key, then short sorts.

Linear for evenly distributed keys, such as hashes; O(n log n) for any others. Sorted rows stay in place, so positions
that every game has do not cost more than others.
"""

from libc.stdint cimport int64_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from tabiya.positions.index.emit_kernel cimport Row

cdef enum:
    SHORT = 24          # rows that are sorted by insertion
    LEAST_PARTS = 1 << 4
    MOST_PARTS = 1 << 20

# The rows of a range, in all runs.
ctypedef struct Some:
    const Row* rows
    const int64_t* places  # of the first run: start and end of the range
    Py_ssize_t step        # from there to the places of the next run
    Py_ssize_t runs

# The parts to which rows are distributed by their keys.
ctypedef struct Parts:
    Py_ssize_t count
    uint64_t least
    int shift              # number of low bits of a key that are ignored
    Py_ssize_t* ends


cdef int shift_for(uint64_t span, Py_ssize_t parts) noexcept nogil:
    """Return the number of low bits to ignore, so that numbers up to ``span`` fall into this many parts."""
    cdef int shift = 0
    while span >> shift >= <uint64_t> parts:
        shift += 1
    return shift


cdef bint comes_before(const Row* row, const Row* other) noexcept nogil:
    return row.order < other.order or (row.order == other.order and row.load < other.load)


cdef void sort_few(Row* rows, Py_ssize_t count) noexcept nogil:
    cdef Row row
    cdef Py_ssize_t at
    for place in range(1, count):
        row = rows[place]
        at = place
        while at > 0 and comes_before(&row, rows + at - 1):
            rows[at] = rows[at - 1]
            at -= 1
        rows[at] = row


cdef void sort_stretch(Row* rows, Row* spare, Py_ssize_t count) noexcept nogil:
    """Sort in place by bottom-up merging; sorted halves are skipped."""
    cdef Py_ssize_t size = SHORT
    cdef Py_ssize_t begin = 0
    cdef Py_ssize_t middle
    cdef Py_ssize_t end
    cdef Py_ssize_t left
    cdef Py_ssize_t right
    cdef Py_ssize_t at
    while begin < count:
        sort_few(rows + begin, min(size, count - begin))
        begin += size
    while size < count:
        begin = 0
        while begin + size < count:
            middle = begin + size
            end = min(middle + size, count)
            if comes_before(rows + middle, rows + middle - 1):
                memcpy(spare, rows + begin, size * sizeof(Row))
                left = 0
                right = middle
                at = begin
                while left < size:
                    if right < end and comes_before(rows + right, spare + left):
                        rows[at] = rows[right]
                        right += 1
                    else:
                        rows[at] = spare[left]
                        left += 1
                    at += 1
            begin = end
        size *= 2


cdef Py_ssize_t parts_for(Py_ssize_t count) noexcept nogil:
    """Return the number of parts for this many rows, so that each part gets a few."""
    cdef Py_ssize_t parts = LEAST_PARTS
    while parts < MOST_PARTS and parts < count >> 2:
        parts *= 2
    return parts


cdef void choose_parts(const Some* some, Parts* parts) noexcept nogil:
    """Examine the keys of some rows, and choose parts for them."""
    cdef Py_ssize_t count = 0
    cdef uint64_t least = ~<uint64_t> 0
    cdef uint64_t most = 0
    for run in range(some.runs):
        begin = some.places[run * some.step]
        end = some.places[run * some.step + 1]
        count += end - begin
        for place in range(begin, end):
            least = min(least, some.rows[place].order)
            most = max(most, some.rows[place].order)
    parts.count = parts_for(count)
    parts.least = least
    parts.shift = shift_for(most - least, parts.count) if count else 0


cdef void distribute(const Some* some, Parts* parts, Row* out) noexcept nogil:
    """Copy rows to their parts, in order; afterwards ``parts.ends`` contains the ends of the parts."""
    cdef Py_ssize_t total = 0
    cdef Py_ssize_t size
    cdef uint64_t part
    memset(parts.ends, 0, parts.count * sizeof(Py_ssize_t))
    for run in range(some.runs):
        for place in range(some.places[run * some.step], some.places[run * some.step + 1]):
            parts.ends[(some.rows[place].order - parts.least) >> parts.shift] += 1
    for index in range(parts.count):
        size = parts.ends[index]
        parts.ends[index] = total
        total += size
    for run in range(some.runs):
        for place in range(some.places[run * some.step], some.places[run * some.step + 1]):
            part = (some.rows[place].order - parts.least) >> parts.shift
            out[parts.ends[part]] = some.rows[place]
            parts.ends[part] += 1


cdef Py_ssize_t without_repeats(Row* rows, Py_ssize_t count) noexcept nogil:
    """Keep the first of neighbours with the same key and game; return the number of remaining rows."""
    cdef Py_ssize_t kept = min(count, 1)
    for place in range(1, count):
        rows[kept] = rows[place]
        kept += rows[place].order != rows[kept - 1].order or rows[place].load >> 32 != rows[kept - 1].load >> 32
    return kept


cdef Py_ssize_t sort_range(const Some* some, Parts* parts, Row* spare, Row* out) noexcept nogil:
    """Write rows in order and without repeats; return their number."""
    cdef Py_ssize_t begin = 0
    choose_parts(some, parts)
    distribute(some, parts, out)
    for part in range(parts.count):
        if parts.ends[part] - begin > 1:
            sort_stretch(out + begin, spare, parts.ends[part] - begin)
        begin = parts.ends[part]
    return without_repeats(out, begin)


def sort_ranges(
    const uint64_t[:, ::1] words not None, const int64_t[:, ::1] places not None, uint64_t[:, ::1] out not None
) -> int:
    """Write rows in the order of keys and games, only the first per key and game; return their number.

    Args:
        words: rows as ``emit`` writes them: consecutive runs, each cut into the same ranges of keys, which
            ascend. A range is sorted at a time, so it should fit into the caches.
        places: for each run, the start of each range, and the end of the last.
        out: receives the rows; as large as ``words``.

    Raises:
        ValueError: the buffers do not match.
        MemoryError: no memory to sort with.
    """
    cdef Py_ssize_t runs = places.shape[0]
    cdef Py_ssize_t ranges = places.shape[1] - 1
    cdef int64_t end = 0
    cdef Py_ssize_t count
    cdef Py_ssize_t most = 0
    cdef Py_ssize_t done = 0
    cdef Some some
    cdef Parts parts
    if out.shape[0] != words.shape[0] or words.shape[1] != 2 or out.shape[1] != 2 or ranges < 1:
        raise ValueError("the buffers do not fit each other")
    for run in range(runs):
        if places[run, 0] != end:
            raise ValueError("a run does not begin where the one before ends")
        for index in range(ranges):
            if places[run, index] > places[run, index + 1]:
                raise ValueError("the ranges of a run are not consecutive")
        end = places[run, ranges]
    if end != words.shape[0]:
        raise ValueError("the runs are not all of the rows")
    if end == 0:
        return 0
    for index in range(ranges):
        count = 0
        for run in range(runs):
            count += places[run, index + 1] - places[run, index]
        most = max(most, count)
    spare = <Row*> malloc(most * sizeof(Row))
    parts.ends = <Py_ssize_t*> malloc(parts_for(most) * sizeof(Py_ssize_t))
    if spare == NULL or parts.ends == NULL:
        free(spare)
        free(parts.ends)
        raise MemoryError("no memory to sort positions with")
    some.rows = <const Row*> &words[0, 0]
    some.runs = runs
    some.step = ranges + 1
    with nogil:
        for index in range(ranges):
            some.places = &places[0, index]
            done += sort_range(&some, &parts, spare, <Row*> &out[0, 0] + done)
        free(spare)
        free(parts.ends)
    return done


cdef void merge_stretches(const Row* one, Py_ssize_t first, const Row* two, Py_ssize_t second, Row* out) noexcept nogil:
    """Merge two sorted lists."""
    cdef Py_ssize_t left = 0
    cdef Py_ssize_t right = 0
    cdef bint later
    while left < first and right < second:
        later = comes_before(two + right, one + left)
        out[0] = two[right] if later else one[left]
        out += 1
        right += later
        left += not later
    memcpy(out, one + left, (first - left) * sizeof(Row))
    memcpy(out + (first - left), two + right, (second - right) * sizeof(Row))


def merge_rows(
    const uint64_t[:, ::1] one not None, const uint64_t[:, ::1] two not None, uint64_t[:, ::1] out not None
) -> int:
    """Merge two sorted lists of rows, dropping repeats as ``sort_ranges`` does; return the number of rows.

    Raises:
        ValueError: the buffers do not match.
    """
    cdef Py_ssize_t count = one.shape[0] + two.shape[0]
    cdef Row* rows
    if out.shape[0] != count or one.shape[1] != 2 or two.shape[1] != 2 or out.shape[1] != 2:
        raise ValueError("the buffers do not fit each other")
    if count == 0:
        return 0
    rows = <Row*> &out[0, 0]
    with nogil:
        merge_stretches(<const Row*> &one[0, 0], one.shape[0], <const Row*> &two[0, 0], two.shape[0], rows)
        count = without_repeats(rows, count)
    return count


def drop_games(uint64_t[:, ::1] words not None, const uint8_t[::1] dropped not None) -> int:
    """Move the rows of games that are kept to the front; return their number.

    ``dropped`` is not 0 for each game to drop, by its number; games beyond its end are kept.
    """
    cdef Py_ssize_t kept = 0
    cdef uint64_t game
    cdef uint64_t numbers = dropped.shape[0]
    if words.shape[1] != 2:
        raise ValueError("rows have two words")
    with nogil:
        for place in range(words.shape[0]):
            game = words[place, 1] >> 32
            words[kept, 0] = words[place, 0]
            words[kept, 1] = words[place, 1]
            kept += game >= numbers or dropped[game] == 0
    return kept
