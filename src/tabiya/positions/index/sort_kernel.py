"""Sorts rows of positions by key and game: one pass of dealing out by key, then short sorts.

Linear for keys that are spread evenly, as hashes are; for any others O(n log n). Rows that come in order stay where
they are, so positions that every game has cost no more than others.
"""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t, uint64_t
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memcpy, memset


def shift_for(span, parts):
    """Return how many low bits are to be left out, so that numbers up to ``span`` fall into so many parts."""
    shift: cython.int = 0
    while span >> shift >= cython.cast(uint64_t, parts):
        shift += 1
    return shift


def comes_before(row, other):
    return row.order < other.order or (row.order == other.order and row.load < other.load)


def sort_few(rows, count):
    row: Row
    at: cython.Py_ssize_t
    for place in range(1, count):
        row = rows[place]
        at = place
        while at > 0 and comes_before(cython.address(row), rows + at - 1):
            rows[at] = rows[at - 1]
            at -= 1
        rows[at] = row


def sort_stretch(rows, spare, count):
    """Sort in place by merging from the bottom up; halves that are in order already are left alone."""
    size: cython.Py_ssize_t = SHORT
    begin: cython.Py_ssize_t = 0
    middle: cython.Py_ssize_t
    end: cython.Py_ssize_t
    left: cython.Py_ssize_t
    right: cython.Py_ssize_t
    at: cython.Py_ssize_t
    while begin < count:
        sort_few(rows + begin, min(size, count - begin))
        begin += size
    while size < count:
        begin = 0
        while begin + size < count:
            middle = begin + size
            end = min(middle + size, count)
            if comes_before(rows + middle, rows + middle - 1):
                memcpy(spare, rows + begin, size * cython.sizeof(Row))
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


def parts_for(count):
    """Return to how many parts so many rows are dealt out, so that a handful is left in each."""
    parts: cython.Py_ssize_t = LEAST_PARTS
    while parts < MOST_PARTS and parts < count >> 2:
        parts *= 2
    return parts


def choose_parts(some, parts):
    """Look at the keys of some rows, and choose parts for them."""
    count: cython.Py_ssize_t = 0
    least: uint64_t = ~cython.cast(uint64_t, 0)
    most: uint64_t = 0
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


def deal_out(some, parts, out):
    """Copy rows to their parts, in order; afterwards ``parts.ends`` says where these end."""
    total: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t
    part: uint64_t
    memset(parts.ends, 0, parts.count * cython.sizeof(cython.Py_ssize_t))
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


def without_repeats(rows, count):
    """Keep the first of neighbours with the same key and game; return how many are left."""
    kept: cython.Py_ssize_t = min(count, 1)
    for place in range(1, count):
        rows[kept] = rows[place]
        kept += rows[place].order != rows[kept - 1].order or rows[place].load >> 32 != rows[kept - 1].load >> 32
    return kept


def sort_range(some, parts, spare, out):
    """Write rows in order and without repeats; return how many these are."""
    begin: cython.Py_ssize_t = 0
    choose_parts(some, parts)
    deal_out(some, parts, out)
    for part in range(parts.count):
        if parts.ends[part] - begin > 1:
            sort_stretch(out + begin, spare, parts.ends[part] - begin)
        begin = parts.ends[part]
    return without_repeats(out, begin)


def sort_ranges(
    words: cython.const[uint64_t][:, ::1], places: cython.const[int64_t][:, ::1], out: uint64_t[:, ::1]
) -> int:
    """Write rows in the order of keys and games, of each key and game only the first; return how many these are.

    Args:
        words: rows as ``emit`` writes them: runs one behind the other, each cut into the same ranges of keys, which
            ascend. A range is sorted at a time, so it should fit into the caches.
        places: by runs, where their ranges begin, and where the last one ends.
        out: takes the rows; as large as ``words``.

    Raises:
        ValueError: the buffers do not fit each other.
        MemoryError: no memory to sort with.
    """
    runs: cython.Py_ssize_t = places.shape[0]
    ranges: cython.Py_ssize_t = places.shape[1] - 1
    end: int64_t = 0
    count: cython.Py_ssize_t
    most: cython.Py_ssize_t = 0
    done: cython.Py_ssize_t = 0
    some: Some
    parts: Parts
    if out.shape[0] != words.shape[0] or words.shape[1] != 2 or out.shape[1] != 2 or ranges < 1:
        raise ValueError("the buffers do not fit each other")
    for run in range(runs):
        if places[run, 0] != end:
            raise ValueError("a run does not begin where the one before ends")
        for index in range(ranges):
            if places[run, index] > places[run, index + 1]:
                raise ValueError("the ranges of a run do not stand one behind the other")
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
    spare = cython.cast("Row*", malloc(most * cython.sizeof(Row)))
    parts.ends = cython.cast("Py_ssize_t*", malloc(parts_for(most) * cython.sizeof(cython.Py_ssize_t)))
    if spare == cython.NULL or parts.ends == cython.NULL:
        free(spare)
        free(parts.ends)
        raise MemoryError("no memory to sort positions with")
    some.rows = cython.cast("const Row*", cython.address(words[0, 0]))
    some.runs = runs
    some.step = ranges + 1
    with cython.nogil:
        for index in range(ranges):
            some.places = cython.address(places[0, index])
            done += sort_range(
                cython.address(some),
                cython.address(parts),
                spare,
                cython.cast("Row*", cython.address(out[0, 0])) + done,
            )
        free(spare)
        free(parts.ends)
    return done


def merge_stretches(one, first, two, second, out):
    """Write two lists in order as one."""
    left: cython.Py_ssize_t = 0
    right: cython.Py_ssize_t = 0
    later: cython.bint
    while left < first and right < second:
        later = comes_before(two + right, one + left)
        out[0] = two[right] if later else one[left]
        out += 1
        right += later
        left += not later
    memcpy(out, one + left, (first - left) * cython.sizeof(Row))
    memcpy(out + (first - left), two + right, (second - right) * cython.sizeof(Row))


def merge_rows(one: cython.const[uint64_t][:, ::1], two: cython.const[uint64_t][:, ::1], out: uint64_t[:, ::1]) -> int:
    """Write two lists of rows that are in order as one, as ``sort_ranges`` does; return how many rows these are.

    Raises:
        ValueError: the buffers do not fit each other.
    """
    count: cython.Py_ssize_t = one.shape[0] + two.shape[0]
    rows: cython.pointer[Row]
    if out.shape[0] != count or one.shape[1] != 2 or two.shape[1] != 2 or out.shape[1] != 2:
        raise ValueError("the buffers do not fit each other")
    if count == 0:
        return 0
    rows = cython.cast("Row*", cython.address(out[0, 0]))
    with cython.nogil:
        merge_stretches(
            cython.cast("const Row*", cython.address(one[0, 0])),
            one.shape[0],
            cython.cast("const Row*", cython.address(two[0, 0])),
            two.shape[0],
            rows,
        )
        count = without_repeats(rows, count)
    return count


def drop_games(words: uint64_t[:, ::1], dropped: cython.const[uint8_t][::1]) -> int:
    """Move the rows of games that are not to be dropped to the front; return how many these are.

    ``dropped`` is not 0 for a game that goes, by its number; games beyond it stay.
    """
    kept: cython.Py_ssize_t = 0
    game: uint64_t
    known: uint64_t = dropped.shape[0]
    if words.shape[1] != 2:
        raise ValueError("rows have two words")
    with cython.nogil:
        for place in range(words.shape[0]):
            game = words[place, 1] >> 32
            words[kept, 0] = words[place, 0]
            words[kept, 1] = words[place, 1]
            kept += game >= known or dropped[game] == 0
    return kept
