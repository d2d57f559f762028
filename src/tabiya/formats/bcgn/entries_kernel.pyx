"""Finds the entries of a BCGN file by following their lengths. Reads bytes, writes offsets.

Only the lengths connect the entries of a file, so a single wrong one would hide all games after it. If neither an entry
nor what follows it looks sound, the next sound entry is searched for byte by byte; everything up to it is one entry
with a wrong length. Linear in the number of entries, and of bytes where they are damaged.

An entry may contain invalid data (reserved flags, a date out of range, bytes after the tags) and still have the
declared length. Such entries are followed from length to length as long as their lengths are consistent: this happens
by chance once or twice, so the end of the file, a sound entry or enough consecutive ones prove it. Everything that the
writer writes is of this kind, and so is found again.
"""

from libc.stdint cimport int64_t, uint8_t

from tabiya.formats.bcgn.fields cimport (
    BARE_HEADER, FIXED_HEADER, FLAG_POSITION, FLAG_TAGS, FULL_HEADER, PACKED_BYTES, big16
)

# A piece of the file that is searched for entries.
ctypedef struct Stretch:
    const uint8_t* data
    Py_ssize_t size
    int level
    bint headerless
    bint final          # the file ends here
    Py_ssize_t sound     # position of a known sound entry, -1 if there is none
    Py_ssize_t followed  # all entries that begin before this have their declared length
    bint barren          # no sound entry follows: damage must not be searched twice

# Results of ``next_entry`` other than an end.
cdef enum:
    MORE_NEEDED = -1

# Classification of a position.
cdef enum:
    NO_ENTRY = 0
    AGREE = 1
    SOUND = 2


cdef Py_ssize_t skip_strings(const uint8_t* entry, Py_ssize_t length, Py_ssize_t place, int count) noexcept nogil:
    """Return the end of ``count`` consecutive strings; more than ``length`` if they do not end before."""
    while count and place < length:
        place += 1 + entry[place]
        count -= 1
    return place if count == 0 else length + 1


cdef Py_ssize_t header_end(const uint8_t* entry, Py_ssize_t length) noexcept nogil:
    """Return the end of the header of an entry according to its contents; above ``length`` if past the entry."""
    cdef Py_ssize_t place = FIXED_HEADER + (PACKED_BYTES if entry[18] & FLAG_POSITION else 0)
    place = skip_strings(entry, length, place, 4)
    if entry[18] & FLAG_TAGS:
        if place >= length:
            return length + 1
        place = skip_strings(entry, length, place + 1, 2 * entry[place])
    return place


cdef bint fits_moves(const Stretch* stretch, int plies, Py_ssize_t length) noexcept nogil:
    """Return whether a movetext of this length can contain this many moves."""
    if stretch.level == 0:
        return length == 2 * plies
    if stretch.level == 1:
        return plies <= length <= 2 * plies
    return length <= 2 * plies


cdef int judge(const Stretch* stretch, Py_ssize_t begin) noexcept nogil:
    """Classify these bytes: NO_ENTRY, an entry whose lengths AGREE, or one that is SOUND in its contents, too."""
    entry = stretch.data + begin
    cdef Py_ssize_t available = stretch.size - begin
    cdef Py_ssize_t header = BARE_HEADER
    cdef Py_ssize_t end
    cdef bint unusual
    if available < BARE_HEADER:
        return NO_ENTRY
    cdef Py_ssize_t length = big16(entry)
    if length > available:
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
    unusual = (
        end < header
        or big16(entry + 6) > 9999
        or entry[8] > 12
        or entry[9] > 31
        or entry[18] & ~(FLAG_POSITION | FLAG_TAGS) != 0
    )
    return AGREE if unusual else SOUND


cdef bint leads_on(const Stretch* stretch, Py_ssize_t begin) noexcept nogil:
    """Return whether the file ends here or a sound entry follows."""
    return stretch.final if begin == stretch.size else begin < stretch.size and judge(stretch, begin) == SOUND


cdef bint follow(Stretch* stretch, Py_ssize_t begin) noexcept nogil:
    """Return whether a consistent entry has its declared length, judged by the entries that follow.

    Records how far it looked, so that no entry is followed twice.
    """
    cdef Py_ssize_t place = begin
    cdef int verdict
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


cdef Py_ssize_t sound_end(const Stretch* stretch, Py_ssize_t begin) noexcept nogil:
    """Return the end of a sound entry without a valid successor: the declared one, unless a sound entry begins before.

    A movetext may have more bytes than it needs, so a sound entry may still be too long.
    """
    cdef Py_ssize_t end = begin + big16(stretch.data + begin)
    cdef Py_ssize_t shortest = BARE_HEADER if stretch.headerless else FULL_HEADER
    for place in range(begin + shortest, end):
        if judge(stretch, place) == SOUND and leads_on(stretch, place + big16(stretch.data + place)):
            return place
    return end


cdef Py_ssize_t next_entry(Stretch* stretch, Py_ssize_t begin) noexcept nogil:
    """Return the end of the entry that begins here, or MORE_NEEDED if it is not yet known."""
    cdef Py_ssize_t shortest = BARE_HEADER if stretch.headerless else FULL_HEADER
    cdef Py_ssize_t length = big16(stretch.data + begin) if stretch.size - begin >= 2 else 0
    cdef int verdict
    if begin < stretch.followed:
        return begin + length
    verdict = SOUND if stretch.sound == begin else judge(stretch, begin)
    if verdict != NO_ENTRY and follow(stretch, begin):
        return begin + length
    # An entry is at most 64 kB long; with some of them loaded more bytes do not help.
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
    const uint8_t[::1] data not None, int64_t[::1] ends not None, int level, bint headerless, bint final
) -> tuple:
    """Find the entries of a stretch that begins where an entry begins.

    Args:
        data: the stretch.
        ends: receives the end of each entry; one slot for every five bytes is always sufficient.
        level: compression level of the file.
        headerless: whether entries have no header.
        final: whether the file ends with the stretch.

    Returns:
        The number of entries, their moves, and the bytes of their movetexts. Bytes after the last end belong to an
        entry that continues after the stretch.
    """
    cdef Stretch stretch
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t end
    cdef Py_ssize_t header
    cdef int64_t plies = 0
    cdef int64_t movetext = 0
    cdef const uint8_t* entry
    if data.shape[0] == 0:
        return 0, 0, 0
    stretch.data = &data[0]
    stretch.size = data.shape[0]
    stretch.level = level
    stretch.headerless = headerless
    stretch.final = final
    stretch.barren = False
    stretch.sound = -1
    stretch.followed = 0
    with nogil:
        while place < stretch.size and count < ends.shape[0]:
            end = next_entry(&stretch, place)
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


cdef int PROOF = 8
cdef Py_ssize_t ENOUGH = 1 << 19  # PROOF entries of any length
