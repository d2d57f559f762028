"""Finds games that are the same or nearly so: hashes of lines and of their beginnings, and who is whose twin.

Lines are hashed move by move from a secret seed, so that the hash of a line is also met on the way of every longer one;
nobody can make games that only seem to be the same. Everything takes linear time, if groups are cut to a largest size.
"""

import cython
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t, uint16_t, uint64_t

DAY = cython.declare(cython.int, 86_400)
MINUTE = cython.declare(cython.int, 60)
NAME_WORDS = cython.declare(cython.int, 4)
SHORTEST_BEGINNING = cython.declare(cython.int, 3)
"""Letters of a given name that may stand for a longer one, ``Alex`` for Alexander; a single letter is an initial.

Digits stand for nothing but themselves: they are versions of engines.
"""


def stirred(value):
    """Return a number in which every bit of another has had its effect (the finalizer of MurmurHash3)."""
    value ^= value >> 33
    value *= FIRST_STIR
    value ^= value >> 33
    value *= SECOND_STIR
    return value ^ (value >> 33)


def mixed(code, value):
    return stirred(code * GOLDEN_RATIO + value)


def advanced(code, move):
    """Return the hash of a line with one move more; cheaper than ``mixed``, of which each result is made in the end."""
    code = (code ^ move) * GOLDEN_RATIO
    return code ^ (code >> 29)


def check_ends(moves, ends, records):
    """Raise ValueError unless these are the ends of so many lines."""
    if ends.shape[0] != records + 1 or ends[0] < 0 or ends[records] > moves.shape[0]:
        raise ValueError("the buffers do not fit each other")
    for record in range(records):
        if ends[record] > ends[record + 1]:
            raise ValueError("the ends of lines must not descend")


def hash_lines(
    moves: cython.const[uint16_t][::1],
    ends: cython.const[int64_t][::1],
    seeds: cython.const[uint64_t][::1],
    out: uint64_t[::1],
) -> None:
    """Hash lines.

    Args:
        moves: of all lines, one behind the other.
        ends: where each of them ends, after where the first begins.
        seeds: what stands for the start position of each.
        out: takes a code for each.

    Raises:
        ValueError: the buffers do not fit each other.
    """
    records: cython.Py_ssize_t = seeds.shape[0]
    place: cython.Py_ssize_t
    code: uint64_t
    check_ends(moves, ends, records)
    if out.shape[0] != records:
        raise ValueError("the buffers do not fit each other")
    with cython.nogil:
        for record in range(records):
            code = seeds[record]
            for place in range(ends[record], ends[record + 1]):
                code = advanced(code, moves[place])
            out[record] = code


def mix(hashes: cython.const[uint64_t][::1], values: cython.const[uint64_t][::1], out: uint64_t[::1]) -> None:
    """Put hashes and values together; ``out`` may be ``hashes``.

    Raises:
        ValueError: the buffers do not fit each other.
    """
    count: cython.Py_ssize_t = hashes.shape[0]
    if values.shape[0] != count or out.shape[0] != count:
        raise ValueError("the buffers do not fit each other")
    with cython.nogil:
        for place in range(count):
            out[place] = mixed(hashes[place], values[place])


def fill_table(keys: cython.const[uint64_t][::1], slots: int32_t[::1], marks: uint8_t[::1]) -> None:
    """Make a table of different keys in which ``find_prefixes`` looks them up.

    Args:
        keys: what to look up, each once.
        slots: becomes the table of their places; a power of two, more than twice as many as keys.
        marks: becomes a bit per key, for most of what is not there; a power of two.

    Raises:
        ValueError: the sizes do not fit.
    """
    count: cython.Py_ssize_t = keys.shape[0]
    size: cython.Py_ssize_t = slots.shape[0]
    bits: uint64_t = cython.cast(uint64_t, marks.shape[0]) * 8
    slot: uint64_t
    bit: uint64_t
    if size <= 2 * count or size & (size - 1) or not marks.shape[0] or bits & (bits - 1) or count > 0x7FFFFFFF:
        raise ValueError("the tables have a wrong size")
    with cython.nogil:
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


def looked_up(table, key):
    """Return the place of a key; -1 if it is not there."""
    bit: uint64_t = (key >> 24) & (table.bits - 1)
    slot: uint64_t = key & (table.size - 1)
    if not table.marks[bit >> 3] >> (bit & 7) & 1:
        return -1
    while table.slots[slot] >= 0:
        if table.keys[table.slots[slot]] == key:
            return table.slots[slot]
        slot = (slot + 1) & (table.size - 1)
    return -1


def find_prefixes(
    moves: cython.const[uint16_t][::1],
    ends: cython.const[int64_t][::1],
    seeds: cython.const[uint64_t][::1],
    salts: cython.const[uint64_t][::1],
    wanted: cython.const[uint8_t][::1],
    least: cython.Py_ssize_t,
    keys: cython.const[uint64_t][::1],
    slots: cython.const[int32_t][::1],
    marks: cython.const[uint8_t][::1],
    lines: int32_t[::1],
    found: int32_t[::1],
    first: cython.Py_ssize_t,
) -> tuple[int, int]:
    """Find the keys that are met on the way of longer lines; return how many, and the line to go on with.

    Args:
        moves: of all lines, one behind the other.
        ends: where each of them ends, after where the first begins.
        seeds: what stands for the start position of each.
        salts: what else belongs to the key of each.
        wanted: 1 for lines that are to be looked at.
        least: how many moves a beginning must have.
        keys: what is looked for.
        slots: with ``marks``, what ``fill_table`` has made of the keys.
        marks: see ``slots``.
        lines: takes the lines that have met a key; at least as large as the longest line.
        found: takes the places of these keys.
        first: the line to begin with.

    Raises:
        ValueError: the buffers do not fit each other, or have no room for what may be found.
    """
    records: cython.Py_ssize_t = seeds.shape[0]
    record: cython.Py_ssize_t = first
    room: cython.Py_ssize_t = lines.shape[0]
    count: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t
    code: uint64_t
    key: cython.int
    table: KeyTable
    check_ends(moves, ends, records)
    if salts.shape[0] != records or wanted.shape[0] != records or found.shape[0] != room or not 0 <= first <= records:
        raise ValueError("the buffers do not fit each other")
    check_table(keys, slots, marks)
    for line in range(records):
        if ends[line + 1] - ends[line] > room:
            raise ValueError("there is too little room for what may be found")
    table.keys = cython.address(keys[0]) if keys.shape[0] else cython.NULL
    table.slots = cython.address(slots[0])
    table.marks = cython.address(marks[0])
    table.size = slots.shape[0]
    table.bits = cython.cast(uint64_t, marks.shape[0]) * 8
    with cython.nogil:
        while record < records and ends[record + 1] - ends[record] <= room - count:
            code = seeds[record]
            # Not with the last move: that would be the line itself.
            for place in range(ends[record], ends[record + 1] - 1 if wanted[record] else ends[record]):
                code = advanced(code, moves[place])
                if place + 1 - ends[record] >= least:
                    key = looked_up(cython.address(table), mixed(code, salts[record]))
                    if key >= 0:
                        lines[count] = record
                        found[count] = key
                        count += 1
            record += 1
    return count, record


def check_table(keys, slots, marks):
    """Raise ValueError unless these may be what ``fill_table`` has made: a free slot, and places of keys."""
    count: cython.Py_ssize_t = keys.shape[0]
    size: cython.Py_ssize_t = slots.shape[0]
    taken: cython.Py_ssize_t = 0
    for slot in range(size):
        if slots[slot] >= count:
            raise ValueError("the table has keys that are not there")
        taken += slots[slot] >= 0
    if size & (size - 1) or taken >= size or not marks.shape[0] or marks.shape[0] & (marks.shape[0] - 1):
        raise ValueError("the tables have a wrong size")


def words_match(one, other):
    """Return whether two given names, of up to eight letters, may be one: the same, an initial, or one cut short."""
    letters: cython.int = 0
    common: cython.int = 0
    while letters < 8 and (one >> 8 * letters) & 0xFF and (other >> 8 * letters) & 0xFF:
        common += (one >> 8 * letters) & 0xFF == (other >> 8 * letters) & 0xFF and common == letters
        letters += 1
    if one == other:
        return True
    if ord("0") <= (one & 0xFF) <= ord("9"):
        return False
    return common == letters and (letters == 1 or letters >= SHORTEST_BEGINNING)


def names_match(one, other):
    """Return whether the given names of one may be those of another: all of the shorter list stand in the longer one.

    A list ends with a 0. Who has none may be anybody of this family.
    """
    place: cython.int = 0
    taken: cython.int = 0
    ones: cython.int = 0
    others: cython.int = 0
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


def are_linked(links, count, one, other):
    """Return whether two runs are linked, by bisection among pairs of which the longer line comes first."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = count
    middle: cython.Py_ssize_t
    wanted: uint64_t = cython.cast(uint64_t, one) << 32 | cython.cast(uint64_t, other)
    while low < high:
        middle = (low + high) >> 1
        if links[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < count and links[low] == wanted


def contradict(games, one, other):
    """Return whether the URLs, times or results of two games show that they are not the same one."""
    apart: int64_t = games.moments[one] - games.moments[other]
    if games.hosts[one] >= 0 and games.hosts[one] == games.hosts[other] and games.ids[one] != games.ids[other]:
        return True
    if games.winners[one] and games.winners[other] and games.winners[one] != games.winners[other]:
        return True
    if games.moments[one] < 0 or games.moments[other] < 0:
        return False
    if games.moments[one] < DAY or games.moments[other] < DAY:  # times of a day that is not known
        apart = (apart % DAY + DAY) % DAY
        apart = apart if apart <= DAY // 2 else apart - DAY
    return not -MINUTE <= apart <= MINUTE


def are_twins(games, one, other):
    """Return whether two games may be the same one."""
    first: cython.int = games.runs[one]
    second: cython.int = games.runs[other]
    if games.first_days[one] - games.slack > games.last_days[other]:
        return False
    if contradict(games, one, other):
        return False
    if games.first_days[other] - games.slack > games.last_days[one]:
        return False
    if games.given != cython.NULL and not (
        same_person(games, games.white[one], games.white[other])
        and same_person(games, games.black[one], games.black[other])
    ):
        return False
    return (
        first == second
        or are_linked(games.links, games.link_count, first, second)
        or are_linked(games.links, games.link_count, second, first)
    )


def same_person(games, one, other):
    if one == other:
        return True
    if one < 0 or other < 0:
        return False
    return names_match(games.given + NAME_WORDS * one, games.given + NAME_WORDS * other)


def choose_kept(
    order: cython.const[int64_t][::1],
    ends: cython.const[int64_t][::1],
    runs: cython.const[int32_t][::1],
    white: cython.const[int32_t][::1],
    black: cython.const[int32_t][::1],
    given: cython.const[uint64_t][:, ::1],
    first_days: cython.const[int32_t][::1],
    last_days: cython.const[int32_t][::1],
    slack: cython.int,
    hosts: cython.const[int32_t][::1],
    ids: cython.const[int32_t][::1],
    moments: cython.const[int64_t][::1],
    winners: cython.const[uint8_t][::1],
    links: cython.const[uint64_t][::1],
    kept: int64_t[::1],
) -> None:
    """Within groups, find those that are twins of a better game: each is a twin of the very game that is kept for it.

    Args:
        order: the games of all groups, one group behind the other, in each the one that is best to keep first.
        ends: where each group ends, after a 0.
        runs: the run of each game: those of one have the same moves.
        white: the number of White's name; -1 if it is missing.
        black: the same of Black.
        given: the given names of each name, four of up to eight letters at most, 0 behind the last; without any rows,
            names are not looked at.
        first_days: the first day on which each game may have been played.
        last_days: the last one.
        slack: how many days two games may be apart.
        hosts: a number for the host of the URL of each game; -1 if there is no URL.
        ids: a number for the id of each game on its host.
        moments: the time at which each game began, in seconds; less than a day if its day is not known, -1 if the time
            is not known.
        winners: the player who won each game, 0 if nobody did; different winners are different games.
        links: pairs of runs, ascending: the second is the beginning of the first, which stands in the high half.
        kept: takes the game that is kept in place of each twin; what is no twin keeps its value.

    Raises:
        ValueError: the buffers do not fit each other.
    """
    games: Games
    records: cython.Py_ssize_t = runs.shape[0]
    groups: cython.Py_ssize_t = ends.shape[0] - 1
    one: cython.Py_ssize_t
    other: cython.Py_ssize_t
    sizes_fit: cython.bint = (
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
    games.runs = cython.address(runs[0])
    games.white = cython.address(white[0])
    games.black = cython.address(black[0])
    games.first_days = cython.address(first_days[0])
    games.last_days = cython.address(last_days[0])
    games.given = cython.address(given[0, 0]) if given.shape[0] else cython.NULL
    games.links = cython.address(links[0]) if links.shape[0] else cython.NULL
    games.link_count = links.shape[0]
    games.slack = slack
    games.hosts = cython.address(hosts[0])
    games.ids = cython.address(ids[0])
    games.moments = cython.address(moments[0])
    games.winners = cython.address(winners[0])
    with cython.nogil:
        for group in range(groups):
            for place in range(ends[group], ends[group + 1]):
                one = order[place]
                if kept[one] >= 0:
                    continue
                for later in range(place + 1, ends[group + 1]):
                    other = order[later]
                    if kept[other] < 0 and are_twins(cython.address(games), one, other):
                        kept[other] = one
