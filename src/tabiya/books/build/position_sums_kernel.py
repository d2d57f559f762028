"""Add up rows of games by position and move in a hash table. Linear in the number of rows.

Sums are stored in the order in which their moves first occur; ``slots``, a power of two and at least twice as many,
say where: 0 is empty, else the number of the sum + 1. The seed, which should be random, keeps games from being
made to collide; nothing that comes out depends on it.
"""

import cython
from cython.cimports.libc.stdint import int32_t, uint64_t
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.positions.rows_kernel import DRAWN, LOST, MIXER, MOVE_AT, OUTCOME_AT, REPEATED, WON


def slot_of(sums, slots, shift, last, key, move, seed):
    """Return the slot of a move in a position, or the empty one where it belongs."""
    slot: cython.Py_ssize_t = ((key ^ seed) * MIXER + move) * MIXER >> shift
    entry: cython.pointer[cython.const[Sum]]
    while slots[slot]:
        entry = sums + (slots[slot] - 1)
        if entry.key == key and entry.move == move:
            break
        slot = slot + 1 & last
    return slot


def add_row(entry, row, width):
    """Add a game. One that was in this position before counts no more, but its place does."""
    what: uint64_t = row[WHAT]
    place: uint64_t = what & (cython.cast(uint64_t, 1) << OUTCOME_AT) - 1
    outcome: cython.int = what >> OUTCOME_AT & 255
    rating: cython.int
    opponent: cython.int
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


def check_table(sums, count, slots):
    """Return how far a hash is shifted for these slots; an error if they are too few."""
    size: cython.Py_ssize_t = slots.shape[0]
    shift: cython.int = 64
    if sums.shape[1] != SUM_WORDS or not 0 <= count <= sums.shape[0] or size < 2 or size & (size - 1):
        raise ValueError("this is not a table of sums")
    if size < 2 * sums.shape[0]:
        raise ValueError("there must be two slots for every sum")
    while size > 1:
        size >>= 1
        shift -= 1
    return shift


def add_up(
    rows: cython.const[uint64_t][:, ::1],
    done: cython.Py_ssize_t,
    sums: uint64_t[:, ::1],
    count: cython.Py_ssize_t,
    slots: int32_t[::1],
    seed: uint64_t,
) -> tuple[int, int]:
    """Add rows to sums until all are done or the sums are full, and return how many rows are done and sums there are.

    Args:
        rows: what ``collect_rows`` has written.
        done: how many of the rows have been added already.
        sums: takes the sums, ``Sum`` as twelve words each.
        count: how many there are already.
        slots: where they stand.
        seed: a random number, the same for all calls.

    Raises:
        ValueError: the buffers do not fit each other.
    """
    width: cython.Py_ssize_t = rows.shape[1]
    shift: cython.int = check_table(sums, count, slots)
    room: cython.Py_ssize_t = sums.shape[0]
    last: cython.Py_ssize_t = slots.shape[0] - 1
    slot: cython.Py_ssize_t
    table: cython.pointer[Sum]
    entry: cython.pointer[Sum]
    if width < 2 or not 0 <= done <= rows.shape[0]:
        raise ValueError("these are not rows")
    if room == 0 or done == rows.shape[0]:
        return done, count
    table = cython.cast(cython.pointer[Sum], cython.address(sums[0, 0]))
    with cython.nogil:
        while done < rows.shape[0]:
            slot = slot_of(
                table, cython.address(slots[0]), shift, last, rows[done, KEY], rows[done, WHAT] >> MOVE_AT, seed
            )
            if slots[slot] == 0:
                if count == room:
                    break
                entry = table + count
                memset(entry, 0, cython.sizeof(Sum))
                entry.key = rows[done, KEY]
                entry.move = rows[done, WHAT] >> MOVE_AT
                entry.following = rows[done, FOLLOWING] if width > FOLLOWING else 0
                entry.place = ~cython.cast(uint64_t, 0)
                count += 1
                slots[slot] = count
            add_row(table + (slots[slot] - 1), cython.address(rows[done, 0]), width)
            done += 1
    return done, count


def fill_slots(sums: uint64_t[:, ::1], count: cython.Py_ssize_t, slots: int32_t[::1], seed: uint64_t) -> None:
    """Fill new slots, all of them 0, for the sums there are.

    Raises:
        ValueError: the buffers do not fit each other.
    """
    shift: cython.int = check_table(sums, count, slots)
    last: cython.Py_ssize_t = slots.shape[0] - 1
    slot: cython.Py_ssize_t
    table: cython.pointer[Sum]
    if count == 0:
        return
    table = cython.cast(cython.pointer[Sum], cython.address(sums[0, 0]))
    with cython.nogil:
        for number in range(count):
            slot = slot_of(table, cython.address(slots[0]), shift, last, table[number].key, table[number].move, seed)
            slots[slot] = number + 1
