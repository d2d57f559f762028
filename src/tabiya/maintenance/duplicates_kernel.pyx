"""Find games that are equal or nearly so: hashes of lines and of their beginnings, and the twin of each game.

Lines are hashed move by move from a secret seed, so that the hash of a line also occurs while hashing every longer one;
games that only seem to be equal cannot be constructed. Everything takes linear time, if the size of groups is limited.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t, uint8_t

cdef extern from *:
    """
    #define TABIYA_GOLDEN_RATIO ((uint64_t)0x9E3779B97F4A7C15ULL)
    #define TABIYA_FIRST_STIR ((uint64_t)0xFF51AFD7ED558CCDULL)
    #define TABIYA_SECOND_STIR ((uint64_t)0xC4CEB9FE1A85EC53ULL)
    """
    const uint64_t GOLDEN_RATIO "TABIYA_GOLDEN_RATIO"
    const uint64_t FIRST_STIR "TABIYA_FIRST_STIR"
    const uint64_t SECOND_STIR "TABIYA_SECOND_STIR"

cdef struct KeyTable:
    const uint64_t* keys
    const int32_t* slots
    const uint8_t* marks
    uint64_t size
    uint64_t bits

cdef struct Games:
    const int32_t* runs
    const int32_t* white
    const int32_t* black
    const int32_t* first_days
    const int32_t* last_days
    const uint64_t* given
    const uint64_t* links
    Py_ssize_t link_count
    int slack
    const int32_t* hosts
    const int32_t* ids
    const int64_t* moments
    const uint8_t* winners


cdef int DAY = 86_400
cdef int MINUTE = 60
cdef int NAME_WORDS = 4
# Letters of a given name that may abbreviate a longer one, ``Alex`` for Alexander; a single letter is an initial.
# Digits are not abbreviations: they are versions of engines.
cdef int SHORTEST_BEGINNING = 3


cdef uint64_t stirred(uint64_t value) noexcept nogil:
    """Return a number in which every bit of the argument affects every bit (the finalizer of MurmurHash3)."""
    value ^= value >> 33
    value *= FIRST_STIR
    value ^= value >> 33
    value *= SECOND_STIR
    return value ^ (value >> 33)


cdef uint64_t mixed(uint64_t code, uint64_t value) noexcept nogil:
    return stirred(code * GOLDEN_RATIO + value)


cdef uint64_t advanced(uint64_t code, uint64_t move) noexcept nogil:
    """Return the hash of a line extended by a move; cheaper than ``mixed``, which is applied to each final hash.
    """
    code = (code ^ move) * GOLDEN_RATIO
    return code ^ (code >> 29)


cdef void check_ends(const uint16_t[::1] moves, const int64_t[::1] ends, Py_ssize_t records) except *:
    """Raise ValueError unless these are the ends of this number of lines."""
    if ends.shape[0] != records + 1 or ends[0] < 0 or ends[records] > moves.shape[0]:
        raise ValueError("the buffers do not fit each other")
    for record in range(records):
        if ends[record] > ends[record + 1]:
            raise ValueError("the ends of lines must not descend")


def hash_lines(
    const uint16_t[::1] moves not None, const int64_t[::1] ends not None, const uint64_t[::1] seeds not None,
    uint64_t[::1] out not None
) -> None:
    """Hash lines.

    Args:
        moves: of all lines, concatenated.
        ends: the end of each line, after the begin of the first.
        seeds: the hash of the start position of each.
        out: receives a code for each.

    Raises:
        ValueError: The buffers do not match.
    """
    cdef Py_ssize_t records = seeds.shape[0]
    cdef Py_ssize_t place
    cdef uint64_t code
    check_ends(moves, ends, records)
    if out.shape[0] != records:
        raise ValueError("the buffers do not fit each other")
    with nogil:
        for record in range(records):
            code = seeds[record]
            for place in range(ends[record], ends[record + 1]):
                code = advanced(code, moves[place])
            out[record] = code


def mix(const uint64_t[::1] hashes not None, const uint64_t[::1] values not None, uint64_t[::1] out not None) -> None:
    """Combine hashes and values; ``out`` may be ``hashes``.

    Raises:
        ValueError: The buffers do not match.
    """
    cdef Py_ssize_t count = hashes.shape[0]
    if values.shape[0] != count or out.shape[0] != count:
        raise ValueError("the buffers do not fit each other")
    with nogil:
        for place in range(count):
            out[place] = mixed(hashes[place], values[place])


def fill_table(const uint64_t[::1] keys not None, int32_t[::1] slots not None, uint8_t[::1] marks not None) -> None:
    """Fill a hash table of distinct keys for ``find_prefixes``.

    Args:
        keys: the keys, each once.
        slots: receives the table of their indexes; a power of two, more than twice as many as keys.
        marks: receives a bit per key, which excludes most other keys; a power of two.

    Raises:
        ValueError: The sizes do not match.
    """
    cdef Py_ssize_t count = keys.shape[0]
    cdef Py_ssize_t size = slots.shape[0]
    cdef uint64_t bits = <uint64_t> marks.shape[0] * 8
    cdef uint64_t slot
    cdef uint64_t bit
    if size <= 2 * count or size & (size - 1) or not marks.shape[0] or bits & (bits - 1) or count > 0x7FFFFFFF:
        raise ValueError("the tables have a wrong size")
    with nogil:
        for place in range(size):
            slots[place] = -1
        for place in range(marks.shape[0]):
            marks[place] = 0
        for key in range(count):
            slot = keys[key] & (size - 1)
            while slots[slot] >= 0:
                slot = (slot + 1) & (size - 1)
            slots[slot] = key
            bit = (keys[key] >> 24) & (bits - 1)
            marks[bit >> 3] |= 1 << (bit & 7)


cdef int looked_up(const KeyTable* table, uint64_t key) noexcept nogil:
    """Return the index of a key; -1 if it is missing."""
    cdef uint64_t bit = (key >> 24) & (table.bits - 1)
    cdef uint64_t slot = key & (table.size - 1)
    if not table.marks[bit >> 3] >> (bit & 7) & 1:
        return -1
    while table.slots[slot] >= 0:
        if table.keys[table.slots[slot]] == key:
            return table.slots[slot]
        slot = (slot + 1) & (table.size - 1)
    return -1


def find_prefixes(
    const uint16_t[::1] moves not None, const int64_t[::1] ends not None, const uint64_t[::1] seeds not None,
    const uint64_t[::1] salts not None, const uint8_t[::1] selected not None, Py_ssize_t least,
    const uint64_t[::1] keys not None, const int32_t[::1] slots not None, const uint8_t[::1] marks not None,
    int32_t[::1] lines not None, int32_t[::1] found not None, Py_ssize_t first
) -> tuple[int, int]:
    """Find the keys that occur as beginnings of longer lines; return their number, and the line to continue with.

    Args:
        moves: of all lines, concatenated.
        ends: the end of each line, after the begin of the first.
        seeds: the hash of the start position of each.
        salts: the rest of the key of each.
        wanted: 1 for lines to examine.
        least: the minimum number of moves of a beginning.
        keys: the keys to find.
        slots: with ``marks``, the table from ``fill_table``.
        marks: see ``slots``.
        lines: receives the lines with a matching beginning; at least as large as the longest line.
        found: receives the indexes of these keys.
        first: the line to begin with.

    Raises:
        ValueError: The buffers do not match, or are too small for the possible results.
    """
    cdef Py_ssize_t records = seeds.shape[0]
    cdef Py_ssize_t record = first
    cdef Py_ssize_t size = lines.shape[0]
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t place
    cdef uint64_t code
    cdef int key
    cdef KeyTable table
    check_ends(moves, ends, records)
    if salts.shape[0] != records or selected.shape[0] != records or found.shape[0] != size or not 0 <= first <= records:
        raise ValueError("the buffers do not fit each other")
    check_table(keys, slots, marks)
    for line in range(records):
        if ends[line + 1] - ends[line] > size:
            raise ValueError("there is too little room for what may be found")
    table.keys = &keys[0] if keys.shape[0] else NULL
    table.slots = &slots[0]
    table.marks = &marks[0]
    table.size = slots.shape[0]
    table.bits = <uint64_t> marks.shape[0] * 8
    with nogil:
        while record < records and ends[record + 1] - ends[record] <= size - count:
            code = seeds[record]
            # Not after the last move: that would be the line itself.
            for place in range(ends[record], ends[record + 1] - 1 if selected[record] else ends[record]):
                code = advanced(code, moves[place])
                if place + 1 - ends[record] >= least:
                    key = looked_up(&table, mixed(code, salts[record]))
                    if key >= 0:
                        lines[count] = record
                        found[count] = key
                        count += 1
            record += 1
    return count, record


cdef void check_table(const uint64_t[::1] keys, const int32_t[::1] slots, const uint8_t[::1] marks) except *:
    """Raise ValueError unless these can come from ``fill_table``: a free slot, and valid indexes of keys."""
    cdef Py_ssize_t count = keys.shape[0]
    cdef Py_ssize_t size = slots.shape[0]
    cdef Py_ssize_t taken = 0
    for slot in range(size):
        if slots[slot] >= count:
            raise ValueError("the table has keys that are not there")
        taken += slots[slot] >= 0
    if size & (size - 1) or taken >= size or not marks.shape[0] or marks.shape[0] & (marks.shape[0] - 1):
        raise ValueError("the tables have a wrong size")


cdef bint words_match(uint64_t one, uint64_t other) noexcept nogil:
    """Return whether two given names, of up to eight letters, may be the same: equal, an initial, or one cut short."""
    cdef int letters = 0
    cdef int common = 0
    while letters < 8 and (one >> 8 * letters) & 0xFF and (other >> 8 * letters) & 0xFF:
        common += (one >> 8 * letters) & 0xFF == (other >> 8 * letters) & 0xFF and common == letters
        letters += 1
    if one == other:
        return True
    if ord("0") <= (one & 0xFF) <= ord("9"):
        return False
    return common == letters and (letters == 1 or letters >= SHORTEST_BEGINNING)


cdef bint names_match(const uint64_t* one, const uint64_t* other) noexcept nogil:
    """Return whether two lists of given names may belong to one person: the longer contains all of the shorter.

    A list ends with a 0. An empty list matches every member of the family.
    """
    cdef int place = 0
    cdef int taken = 0
    cdef int ones = 0
    cdef int others = 0
    while ones < NAME_WORDS and one[ones]:
        ones += 1
    while others < NAME_WORDS and other[others]:
        others += 1
    if ones > others:
        one, other = other, one
        ones, others = others, ones
    while taken < ones and place < others:
        taken += words_match(one[taken], other[place])
        place += 1
    return taken == ones


cdef bint are_linked(const uint64_t* links, Py_ssize_t count, int one, int other) noexcept nogil:
    """Return whether two runs are linked, by bisection among pairs in which the longer line comes first."""
    cdef Py_ssize_t low = 0
    cdef Py_ssize_t high = count
    cdef Py_ssize_t middle
    cdef uint64_t selected = <uint64_t> one << 32 | <uint64_t> other
    while low < high:
        middle = (low + high) >> 1
        if links[middle] < selected:
            low = middle + 1
        else:
            high = middle
    return low < count and links[low] == selected


cdef bint contradict(const Games* games, Py_ssize_t one, Py_ssize_t other) noexcept nogil:
    """Return whether the URLs, times or results of two games show that they are different games."""
    cdef int64_t apart = games.moments[one] - games.moments[other]
    if games.hosts[one] >= 0 and games.hosts[one] == games.hosts[other] and games.ids[one] != games.ids[other]:
        return True
    if games.winners[one] and games.winners[other] and games.winners[one] != games.winners[other]:
        return True
    if games.moments[one] < 0 or games.moments[other] < 0:
        return False
    if games.moments[one] < DAY or games.moments[other] < DAY:  # times of day without a date
        apart = (apart % DAY + DAY) % DAY
        apart = apart if apart <= DAY // 2 else apart - DAY
    return not -MINUTE <= apart <= MINUTE


cdef bint are_duplicates(const Games* games, Py_ssize_t one, Py_ssize_t other) noexcept nogil:
    """Return whether two games may be the same."""
    cdef int first = games.runs[one]
    cdef int second = games.runs[other]
    if games.first_days[one] - games.slack > games.last_days[other]:
        return False
    if contradict(games, one, other):
        return False
    if games.first_days[other] - games.slack > games.last_days[one]:
        return False
    if games.given != NULL and not (
        same_person(games, games.white[one], games.white[other])
        and same_person(games, games.black[one], games.black[other])
    ):
        return False
    return (
        first == second
        or are_linked(games.links, games.link_count, first, second)
        or are_linked(games.links, games.link_count, second, first)
    )


cdef bint same_person(const Games* games, int one, int other) noexcept nogil:
    if one == other:
        return True
    if one < 0 or other < 0:
        return False
    return names_match(games.given + NAME_WORDS * one, games.given + NAME_WORDS * other)


def choose_kept(
    const int64_t[::1] order not None, const int64_t[::1] ends not None, const int32_t[::1] runs not None,
    const int32_t[::1] white not None, const int32_t[::1] black not None, const uint64_t[:, ::1] given not None,
    const int32_t[::1] first_days not None, const int32_t[::1] last_days not None, int slack,
    const int32_t[::1] hosts not None, const int32_t[::1] ids not None, const int64_t[::1] moments not None,
    const uint8_t[::1] winners not None, const uint64_t[::1] links not None, int64_t[::1] kept not None
) -> None:
    """Within groups, find the twins of better games: each is a twin of the game that is kept for it.

    Args:
        order: the games of all groups, group by group, in each the best one to keep first.
        ends: the end of each group, after a 0.
        runs: the run of each game; games of one run have the same moves.
        white: the number of White's name; -1 if missing.
        black: the same for Black.
        given: the given names of each name, at most four of up to eight letters, 0 after the last; without rows, names
            are not compared.
        first_days: the first day on which each game may have been played.
        last_days: the last such day.
        slack: how many days two games may be apart.
        hosts: a number for the host of the URL of each game; -1 if there is no URL.
        ids: a number for the id of each game on its host.
        moments: the time at which each game began, in seconds; less than a day if its day is not known, -1 if the time
            is not known.
        winners: the player who won each game, 0 for none; different winners mean different games.
        links: pairs of runs, ascending: the second is the beginning of the first, which is in the high half.
        kept: receives the game that is kept in place of each twin; other entries are unchanged.

    Raises:
        ValueError: The buffers do not match.
    """
    cdef Games games
    cdef Py_ssize_t records = runs.shape[0]
    cdef Py_ssize_t groups = ends.shape[0] - 1
    cdef Py_ssize_t one
    cdef Py_ssize_t other
    cdef bint sizes_fit = (
        white.shape[0] == black.shape[0] == first_days.shape[0] == last_days.shape[0] == kept.shape[0] == records
    ) and hosts.shape[0] == ids.shape[0] == moments.shape[0] == winners.shape[0] == records
    if not sizes_fit or groups < 0 or ends[0] != 0 or ends[groups] != order.shape[0]:
        raise ValueError("the buffers do not fit each other")
    if given.shape[0] and given.shape[1] != NAME_WORDS:
        raise ValueError("there is another number of given names")
    for group in range(groups):
        if ends[group] > ends[group + 1]:
            raise ValueError("the ends of groups must not descend")
    for place in range(order.shape[0]):
        if not 0 <= order[place] < records:
            raise ValueError("there is no such game")
    for record in range(records if given.shape[0] else 0):
        if white[record] >= given.shape[0] or black[record] >= given.shape[0]:
            raise ValueError("there is no such name")
    if not order.shape[0]:
        return
    games.runs = &runs[0]
    games.white = &white[0]
    games.black = &black[0]
    games.first_days = &first_days[0]
    games.last_days = &last_days[0]
    games.given = &given[0, 0] if given.shape[0] else NULL
    games.links = &links[0] if links.shape[0] else NULL
    games.link_count = links.shape[0]
    games.slack = slack
    games.hosts = &hosts[0]
    games.ids = &ids[0]
    games.moments = &moments[0]
    games.winners = &winners[0]
    with nogil:
        for group in range(groups):
            for place in range(ends[group], ends[group + 1]):
                one = order[place]
                if kept[one] >= 0:
                    continue
                for later in range(place + 1, ends[group + 1]):
                    other = order[later]
                    if kept[other] < 0 and are_duplicates(&games, one, other):
                        kept[other] = one
