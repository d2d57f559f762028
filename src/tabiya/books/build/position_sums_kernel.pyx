"""Adds up rows of games by position and move in a hash table. Linear in the number of rows.

Sums are stored in the order in which their moves first occur; ``slots``, a power of two and at least twice as many,
contain 0 if empty, else the number of the sum + 1. The seed, which should be random, prevents games that were crafted
to collide; the result does not depend on it.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from tabiya.positions.rows cimport DRAWN, LOST, MIXER, MOVE_AT, OUTCOME_AT, REPEATED, WON

# A row as ``rows_kernel`` writes it: key; move, outcome and place; the key that follows; the ratings.
cdef enum:
    KEY = 0
    WHAT = 1
    FOLLOWING = 2
    RATINGS = 3

# The sums over all games with a move in a position; the same as ``SUM`` in ``position_sums.py``.
ctypedef struct Sum:
    uint64_t key
    uint64_t move
    uint64_t following
    uint64_t place
    int64_t games
    int64_t wins
    int64_t losses
    int64_t draws
    int64_t rating_sum
    int64_t rated
    int64_t opponents_sum
    int64_t opponents_rated

cdef enum:
    SUM_WORDS = 12


cdef Py_ssize_t slot_of(
    const Sum* sums, const int32_t* slots, int shift, Py_ssize_t last, uint64_t key, uint64_t move, uint64_t seed
) noexcept nogil:
    """Return the slot of a move in a position, or the empty one where it belongs."""
    cdef Py_ssize_t slot = ((key ^ seed) * MIXER + move) * MIXER >> shift
    cdef const Sum* entry
    while slots[slot]:
        entry = sums + (slots[slot] - 1)
        if entry.key == key and entry.move == move:
            break
        slot = slot + 1 & last
    return slot


cdef void add_row(Sum* entry, const uint64_t* row, Py_ssize_t width) noexcept nogil:
    """Add a game. If it was in this position before, only its place counts."""
    cdef uint64_t what = row[WHAT]
    cdef uint64_t place = what & (<uint64_t> 1 << OUTCOME_AT) - 1
    cdef int outcome = what >> OUTCOME_AT & 255
    cdef int rating
    cdef int opponent
    if place < entry.place:
        entry.place = place
    if outcome >= REPEATED:
        return
    entry.games += 1
    entry.wins += outcome == WON
    entry.losses += outcome == LOST
    entry.draws += outcome == DRAWN
    if width > RATINGS:
        rating = row[RATINGS] >> 16 & 65535
        opponent = row[RATINGS] & 65535
        entry.rating_sum += rating
        entry.rated += rating > 0
        entry.opponents_sum += opponent
        entry.opponents_rated += opponent > 0


cdef int check_table(uint64_t[:, ::1] sums, Py_ssize_t count, int32_t[::1] slots) except -1:
    """Return the shift of a hash for these slots; an error if there are too few."""
    cdef Py_ssize_t size = slots.shape[0]
    cdef int shift = 64
    if sums.shape[1] != SUM_WORDS or not 0 <= count <= sums.shape[0] or size < 2 or size & (size - 1):
        raise ValueError("this is not a table of sums")
    if size < 2 * sums.shape[0]:
        raise ValueError("there must be two slots for every sum")
    while size > 1:
        size >>= 1
        shift -= 1
    return shift


def add_up(
    const uint64_t[:, ::1] rows not None, Py_ssize_t done, uint64_t[:, ::1] sums not None, Py_ssize_t count,
    int32_t[::1] slots not None, uint64_t seed
) -> tuple[int, int]:
    """Add rows to sums until all are done or the sums are full, and return the number of rows done and of sums.

    Args:
        rows: the rows written by ``collect_rows``.
        done: the number of rows that have been added already.
        sums: receives the sums, ``Sum`` as twelve words each.
        count: the number of sums already present.
        slots: the hash table of the sums.
        seed: a random number, the same for all calls.

    Raises:
        ValueError: the buffers do not match.
    """
    cdef Py_ssize_t width = rows.shape[1]
    cdef int shift = check_table(sums, count, slots)
    cdef Py_ssize_t capacity = sums.shape[0]
    cdef Py_ssize_t last = slots.shape[0] - 1
    cdef Py_ssize_t slot
    cdef Sum* table
    cdef Sum* entry
    if width < 2 or not 0 <= done <= rows.shape[0]:
        raise ValueError("these are not rows")
    if capacity == 0 or done == rows.shape[0]:
        return done, count
    table = <Sum*> &sums[0, 0]
    with nogil:
        while done < rows.shape[0]:
            slot = slot_of(table, &slots[0], shift, last, rows[done, KEY], rows[done, WHAT] >> MOVE_AT, seed)
            if slots[slot] == 0:
                if count == capacity:
                    break
                entry = table + count
                memset(entry, 0, sizeof(Sum))
                entry.key = rows[done, KEY]
                entry.move = rows[done, WHAT] >> MOVE_AT
                entry.following = rows[done, FOLLOWING] if width > FOLLOWING else 0
                entry.place = ~<uint64_t> 0
                count += 1
                slots[slot] = count
            add_row(table + (slots[slot] - 1), &rows[done, 0], width)
            done += 1
    return done, count


def fill_slots(uint64_t[:, ::1] sums not None, Py_ssize_t count, int32_t[::1] slots not None, uint64_t seed) -> None:
    """Fill new slots, all of them 0, for the existing sums.

    Raises:
        ValueError: the buffers do not match.
    """
    cdef int shift = check_table(sums, count, slots)
    cdef Py_ssize_t last = slots.shape[0] - 1
    cdef Py_ssize_t slot
    cdef Sum* table
    if count == 0:
        return
    table = <Sum*> &sums[0, 0]
    with nogil:
        for number in range(count):
            slot = slot_of(table, &slots[0], shift, last, table[number].key, table[number].move, seed)
            slots[slot] = number + 1
