"""Finds the entries of a BCGN file by hopping from length to length. Reads bytes, writes their places.

Nothing but the lengths holds a file together, so a single wrong one would hide all games behind it. Where an entry does
not look sound and what it leads to does not either, the next sound entry is searched for byte by byte; everything up to
it is one entry whose length is wrong. Linear in the number of entries, and of bytes where they are damaged.

An entry may hold what means nothing (reserved flags, a date out of range, bytes behind the tags) and still have the
length that it says. Such entries are followed from length to length as long as their lengths agree with each other: by
chance that goes well once or twice, so the end of the file, a sound entry or enough of them in a row prove it. All that
the writer writes is of this kind, and so is found again.
"""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t
from cython.cimports.tabiya.formats.bcgn.fields import (
    BARE_HEADER,
    FIXED_HEADER,
    FLAG_POSITION,
    FLAG_TAGS,
    FULL_HEADER,
    big16,
)
from cython.cimports.tabiya.formats.bcgn.position_kernel import PACKED_BYTES


def skip_strings(entry, length, place, count):
    """Return the end of ``count`` strings in a row; more than ``length`` if they do not end before."""
    while count and place < length:
        place += 1 + entry[place]
        count -= 1
    return place if count == 0 else length + 1


def header_end(entry, length):
    """Return where the contents say that the header of an entry ends; above ``length`` if past the entry."""
    place: cython.Py_ssize_t = FIXED_HEADER + (PACKED_BYTES if entry[18] & FLAG_POSITION else 0)
    place = skip_strings(entry, length, place, 4)
    if entry[18] & FLAG_TAGS:
        if place >= length:
            return length + 1
        place = skip_strings(entry, length, place + 1, 2 * entry[place])
    return place


def fits_moves(stretch, plies, length):
    """Return whether a movetext of this length may hold this many moves."""
    if stretch.level == 0:
        return length == 2 * plies
    if stretch.level == 1:
        return plies <= length <= 2 * plies
    return length <= 2 * plies


def judge(stretch, begin):
    """Classify these bytes: NO_ENTRY, an entry whose lengths AGREE, or one that is SOUND in its contents, too."""
    entry = stretch.data + begin
    room: cython.Py_ssize_t = stretch.size - begin
    header: cython.Py_ssize_t = BARE_HEADER
    end: cython.Py_ssize_t
    odd: cython.bint
    if room < BARE_HEADER:
        return NO_ENTRY
    length: cython.Py_ssize_t = big16(entry)
    if length > room:
        return NO_ENTRY
    if stretch.headerless:
        header += PACKED_BYTES if entry[4] & FLAG_POSITION else 0
        if length < header or not fits_moves(stretch, big16(entry + 2) >> 2, length - header):
            return NO_ENTRY
        return AGREE if entry[4] & ~FLAG_POSITION else SOUND
    header = big16(entry + 2) if length >= FULL_HEADER else 0
    if header < FULL_HEADER or header > length or not fits_moves(stretch, big16(entry + 4) >> 2, length - header):
        return NO_ENTRY
    end = header_end(entry, length)
    if end > header:
        return NO_ENTRY
    odd = (
        end < header
        or big16(entry + 6) > 9999
        or entry[8] > 12
        or entry[9] > 31
        or entry[18] & ~(FLAG_POSITION | FLAG_TAGS) != 0
    )
    return AGREE if odd else SOUND


def leads_on(stretch, begin):
    """Return whether the file ends here or a sound entry follows."""
    return stretch.final if begin == stretch.size else begin < stretch.size and judge(stretch, begin) == SOUND


def follow(stretch, begin):
    """Return whether an entry that agrees has the length that it says, by what that leads to.

    Remembers how far it saw, so that nothing is followed twice.
    """
    place: cython.Py_ssize_t = begin
    verdict: cython.int
    for _ in range(PROOF):
        place += big16(stretch.data + place)
        if place >= stretch.size:
            return place == stretch.size and stretch.final
        verdict = judge(stretch, place)
        if verdict == NO_ENTRY:
            return False
        if verdict == SOUND:
            stretch.sound = place
            break
    stretch.followed = place
    return True


def sound_end(stretch, begin):
    """Return where a sound entry ends that leads nowhere: where it says, unless a sound entry begins before.

    A movetext may have room for more bytes than it needs, so a sound entry may still be too long.
    """
    end: cython.Py_ssize_t = begin + big16(stretch.data + begin)
    shortest: cython.Py_ssize_t = BARE_HEADER if stretch.headerless else FULL_HEADER
    for place in range(begin + shortest, end):
        if judge(stretch, place) == SOUND and leads_on(stretch, place + big16(stretch.data + place)):
            return place
    return end


def next_entry(stretch, begin):
    """Return where the entry that begins here ends, or MORE_NEEDED if that cannot be seen yet."""
    shortest: cython.Py_ssize_t = BARE_HEADER if stretch.headerless else FULL_HEADER
    length: cython.Py_ssize_t = big16(stretch.data + begin) if stretch.size - begin >= 2 else 0
    verdict: cython.int
    if begin < stretch.followed:
        return begin + length
    verdict = SOUND if stretch.sound == begin else judge(stretch, begin)
    if verdict != NO_ENTRY and follow(stretch, begin):
        return begin + length
    # An entry is at most 64 kB long; with some of them in sight nothing more can be learned.
    if not stretch.final and stretch.size - begin < ENOUGH:
        return MORE_NEEDED
    if verdict == SOUND:
        return sound_end(stretch, begin)
    if length >= shortest and leads_on(stretch, begin + length):
        return begin + length
    for place in range(begin + 1, 0 if stretch.barren else stretch.size):
        if judge(stretch, place) == SOUND and (
            leads_on(stretch, place + big16(stretch.data + place))
            or (not stretch.final and place + 2 * 65536 > stretch.size)
        ):
            return place
    stretch.barren = True
    if length >= shortest and begin + length <= stretch.size:
        return begin + length
    return stretch.size


def find_entries(
    data: cython.const[uint8_t][::1], ends: int64_t[::1], level: cython.int, headerless: cython.bint, final: cython.bint
) -> tuple:
    """Find the entries of a stretch that begins where an entry begins.

    Args:
        data: the stretch.
        ends: takes the end of each entry; a place for every five bytes is always enough.
        level: compression level of the file.
        headerless: whether entries have no header.
        final: whether the file ends with the stretch.

    Returns:
        How many entries were found, their moves, and the bytes of their movetexts. Bytes behind the last end belong to
        an entry that goes on behind the stretch.
    """
    stretch: Stretch
    place: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    header: cython.Py_ssize_t
    plies: int64_t = 0
    movetext: int64_t = 0
    entry: cython.pointer[cython.const[uint8_t]]
    if data.shape[0] == 0:
        return 0, 0, 0
    stretch.data = cython.address(data[0])
    stretch.size = data.shape[0]
    stretch.level = level
    stretch.headerless = headerless
    stretch.final = final
    stretch.barren = False
    stretch.sound = -1
    stretch.followed = 0
    with cython.nogil:
        while place < stretch.size and count < ends.shape[0]:
            end = next_entry(cython.address(stretch), place)
            if end == MORE_NEEDED:
                break
            entry = stretch.data + place
            header = BARE_HEADER if headerless else FULL_HEADER
            if end - place >= header:
                if not headerless:
                    header = big16(entry + 2)
                elif entry[4] & FLAG_POSITION:
                    header += PACKED_BYTES
                if header <= end - place:
                    plies += big16(entry + (2 if headerless else 4)) >> 2
                    movetext += end - place - header
            ends[count] = end
            count += 1
            place = end
    return count, plies, movetext


PROOF = cython.declare(cython.int, 8)
ENOUGH = cython.declare(cython.Py_ssize_t, 1 << 19)  # PROOF entries, however long they are
