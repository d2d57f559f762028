"""Distributes rows of whole words to buckets by the high bits of their first word, keeping their order: two passes."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy

cdef int MOST_ROWS = 0x7FFFFFFF


cdef void distribute(
    const uint64_t* rows, Py_ssize_t count, Py_ssize_t width, int shift, uint64_t* out, int32_t* places,
    Py_ssize_t buckets
) noexcept nogil:
    """Copy rows to the places of their buckets, which advance. ``places`` begins with the ends of a count."""
    cdef uint64_t bucket
    cdef Py_ssize_t word
    cdef uint64_t* target
    for _ in range(count):
        bucket = rows[0] >> shift
        if bucket >= <uint64_t> buckets:
            bucket = buckets - 1
        target = out + places[bucket] * width
        places[bucket] += 1
        for word in range(width):
            target[word] = rows[word]
        rows += width


def scatter(
    const uint64_t[:, ::1] rows not None, int shift, uint64_t[:, ::1] out not None, int32_t[::1] ends not None
) -> None:
    """Write all rows in the order of their buckets, ``rows[i, 0] >> shift``; within a bucket they keep their order.

    Args:
        rows: the rows to sort.
        shift: the number of ignored low bits of the first word. Rows beyond the last bucket go into it.
        out: receives the rows; as large as ``rows``.
        ends: receives the end of each bucket in ``out``, after a 0: one more number than there are buckets.

    Raises:
        ValueError: the buffers do not match.
    """
    cdef Py_ssize_t count = rows.shape[0]
    cdef Py_ssize_t width = rows.shape[1]
    cdef Py_ssize_t buckets = ends.shape[0] - 1
    cdef uint64_t bucket
    if out.shape[0] != count or out.shape[1] != width or width < 1 or buckets < 1 or not 0 <= shift < 64:
        raise ValueError("the buffers do not fit each other")
    if count > MOST_ROWS:
        raise ValueError("these are too many rows at once")
    with nogil:
        for place in range(buckets + 1):
            ends[place] = 0
        for row in range(count):
            bucket = rows[row, 0] >> shift
            ends[min(bucket, <uint64_t> (buckets - 1)) + 1] += 1
        for place in range(buckets):
            ends[place + 1] += ends[place]
        if count:
            distribute(&rows[0, 0], count, width, shift, &out[0, 0], &ends[0], buckets)
            # Every place has advanced to the end of its bucket, which is where the next one began.
            for place in range(buckets, 0, -1):
                ends[place] = ends[place - 1]
            ends[0] = 0


def gather(
    const uint64_t[:, ::1] words not None, const int64_t[:] begins not None, const int64_t[:] ends not None,
    uint64_t[:, ::1] out not None
) -> None:
    """Copy ranges of rows one after the other.

    Args:
        words: rows.
        begins: the start of each range.
        ends: the end of each range.
        out: receives exactly the rows of all ranges.

    Raises:
        ValueError: a range is not within the rows, or the buffers do not match.
    """
    cdef Py_ssize_t total = 0
    cdef Py_ssize_t width = words.shape[1]
    if out.shape[1] != width or begins.shape[0] != ends.shape[0]:
        raise ValueError("the buffers do not fit each other")
    for stretch in range(begins.shape[0]):
        if not 0 <= begins[stretch] <= ends[stretch] <= words.shape[0]:
            raise ValueError("a stretch is not among the rows")
        total += ends[stretch] - begins[stretch]
    if total != out.shape[0]:
        raise ValueError("the buffers do not fit each other")
    total = 0
    with nogil:
        for stretch in range(begins.shape[0]):
            if begins[stretch] < ends[stretch]:
                memcpy(
                    &out[total, 0],
                    &words[begins[stretch], 0],
                    (ends[stretch] - begins[stretch]) * width * sizeof(uint64_t),
                )
                total += ends[stretch] - begins[stretch]
