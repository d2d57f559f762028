"""Sums over the games of a position per move, in one pass: conditions, results, ratings, dates, best and latest.

Linear in the number of games; a game costs one cache line with its facts, and some nanoseconds.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint8_t
from libc.string cimport memset

cdef extern from *:
    """
    #if defined(_MSC_VER)
      #define tabiya_prefetch(place) ((void)0)
    #else
      #define tabiya_prefetch(place) __builtin_prefetch(place)
    #endif
    """
    # Announces that memory will be read soon; any address is allowed.
    void prefetch "tabiya_prefetch"(const void* place) noexcept nogil

cdef enum:
    A_YEAR = 10_000       # of dates as yyyymmdd
    AHEAD = 24            # how many games ahead their facts are fetched
    BLOCK = 256           # number of games that are tested, then counted
    MOST_MOVES = 1024     # more than any position has

# A row of ``tabiya.positions.game_facts.FACTS``; a test compares the two.
ctypedef struct Facts:
    uint32_t date
    uint16_t white_elo
    uint16_t black_elo
    int32_t white
    int32_t black
    int32_t event
    int32_t site
    uint16_t eco
    uint16_t plies
    uint8_t result
    uint8_t time_class
    uint8_t variant
    uint8_t flags

cdef enum:
    NO_DATE = 0x7FFFFFFF
    NO_RATING = 0xFFFF
    OTHER_ECO = 0xFFFE
    CODES = 500           # A00 to E99, followed by the index of games without a code

# Which ratings a condition applies to.
cdef enum:
    RATINGS_OF_BOTH = 0
    RATINGS_OF_EITHER = 1
    RATINGS_ON_AVERAGE = 2
    RATING_OF_WHITE = 3
    RATING_OF_BLACK = 4

# Which name a list of names applies to.
cdef enum:
    NAME_OF_WHITE = 0
    NAME_OF_BLACK = 1
    NAME_OF_EITHER = 2
    NAME_OF_EVENT = 3
    NAME_OF_SITE = 4

cdef enum:
    MOST_NAME_TESTS = 16

# The conditions on a game; the same order as ``Bounds`` of ``game_conditions.py``.
ctypedef struct Bounds:
    int64_t ratings       # how they are applied
    int64_t min_elo
    int64_t max_elo
    int64_t since         # as yyyymmdd
    int64_t until
    int64_t min_plies
    int64_t max_plies
    int64_t time_classes  # a set of bits

# A range of numbers.
ctypedef struct Span:
    uint32_t low
    uint32_t size

ctypedef struct Test:
    Bounds bounds
    Span white            # ratings that match
    Span black
    Span dates            # dates that match, except
    Span first_year       # dates near the bounds, for which unknown parts matter
    Span last_year
    bint more             # whether there are other conditions
    bint rated            # of either player, or of both on average
    bint sized
    bint classed
    const uint8_t* results
    const uint8_t* codes
    Py_ssize_t name_tests
    Py_ssize_t names
    const uint8_t* chosen[MOST_NAME_TESTS]
    int roles[MOST_NAME_TESTS]

# The sums for a move; the same order as ``STATISTICS`` of ``tally.py``.
ctypedef struct Statistics:
    int64_t move
    int64_t results[4]        # none that counts, White, Black, draw
    int64_t faced[4]          # the same for games in which the opponent of the side to move has a rating
    int64_t opponents         # the sum of these ratings
    int64_t ratings           # the sum of all ratings
    int64_t rated             # number of these ratings
    int64_t first             # date; NO_DATE if none is known
    int64_t last
    int64_t best              # ratings << 32 | row
    int64_t latest            # date << 32 | row

# The sums for a move while games are counted.
ctypedef struct Sums:
    int64_t move
    int64_t games[16]         # by result, by whether the rating of White is known, and that of Black
    int64_t opponents
    int64_t ratings
    int64_t first
    int64_t best
    int64_t latest

ctypedef struct Tally:
    const Facts* facts
    Py_ssize_t records
    int64_t first             # what to subtract from a game to get its row
    Py_ssize_t step           # the direction in which rows are read, 1 or -1
    const uint8_t* allowed
    uint8_t* counted
    Test test
    int turn
    Statistics* statistics
    Py_ssize_t capacity
    Py_ssize_t moves
    uint16_t places[65536]    # of each move among the sums, from 1
    int64_t* best
    Py_ssize_t most_best
    int64_t* latest
    Py_ssize_t most_latest
    Py_ssize_t unknown_records  # rows of records that do not exist
    Py_ssize_t unsure         # records whose code is missing in the facts, if there is a condition on codes
    Sums sums[MOST_MOVES]     # last, because the entries of moves that are not played are never cleared


cdef inline bint is_between(uint32_t number, Span span) noexcept nogil:
    return <uint32_t> (number - span.low) < span.size


cdef int64_t NO_BOUND = 1 << 40
cdef int64_t ALL = 0xFFFF_FFFF


cdef bint has_name(const Test* test, Py_ssize_t number, int32_t name) noexcept nogil:
    """Whether a name is among those of a condition; the last entry is for records without one."""
    if name == -1:
        name = <int32_t> test.names - 1
    return 0 <= name < test.names and test.chosen[number][name] != 0


cdef bint passes_names(const Test* test, const Facts* game) noexcept nogil:
    """Whether all required names are present."""
    cdef int role
    cdef bint met
    for number in range(test.name_tests):
        role = test.roles[number]
        if role == NAME_OF_EVENT:
            met = has_name(test, number, game.event)
        elif role == NAME_OF_SITE:
            met = has_name(test, number, game.site)
        else:
            met = role != NAME_OF_BLACK and has_name(test, number, game.white)
            met = met or (role != NAME_OF_WHITE and has_name(test, number, game.black))
        if not met:
            return False
    return True


cdef bint passes_ratings(const Bounds* bounds, const Facts* game) noexcept nogil:
    """Whether the required rating is in range, one of the two or both on average; an unknown rating is not."""
    cdef bint white = game.white_elo != NO_RATING
    cdef bint black = game.black_elo != NO_RATING
    cdef int64_t total = game.white_elo + game.black_elo
    if bounds.ratings == RATINGS_ON_AVERAGE:
        return white and black and 2 * bounds.min_elo <= total <= 2 * bounds.max_elo + 1  # the mean, rounded down
    return (white and bounds.min_elo <= game.white_elo <= bounds.max_elo) or (
        black and bounds.min_elo <= game.black_elo <= bounds.max_elo
    )


cdef bint passes_dates(const Bounds* bounds, int64_t date) noexcept nogil:
    """Whether a game may have been played in the required period; unknown parts of a date are 0."""
    cdef int64_t early = date
    cdef int64_t late = date
    cdef int day = date % 100
    cdef int month = date // 100 % 100
    early += (day == 0) + 100 * (month == 0)
    late += 31 * (day == 0) + 1200 * (month == 0)
    return (date >= A_YEAR) & (late >= bounds.since) & (early <= bounds.until)


cdef bint passes(const Test* test, const Facts* game, Py_ssize_t* unsure) noexcept nogil:
    """Whether a game meets the less common conditions."""
    cdef int code
    if test.rated and not passes_ratings(&test.bounds, game):
        return False
    if test.sized and not test.bounds.min_plies <= game.plies <= test.bounds.max_plies:
        return False
    if test.classed and not test.bounds.time_classes >> (game.time_class & 63) & 1:
        return False
    if test.results != NULL and not test.results[game.result]:
        return False
    if test.name_tests and not passes_names(test, game):
        return False
    if test.codes != NULL:
        code = game.eco
        if code == OTHER_ECO:
            unsure[0] += 1
        return test.codes[code if code < CODES else CODES] != 0
    return True


cdef void keep(int64_t* best, Py_ssize_t most, int64_t value) noexcept nogil:
    """Insert a value into the ascending list of the largest ones; the smallest of them is dropped."""
    cdef Py_ssize_t place = 0
    while place + 1 < most and best[place + 1] < value:
        best[place] = best[place + 1]
        place += 1
    best[place] = value


cdef Py_ssize_t choose(
    Tally* tally, const int32_t* games, Py_ssize_t first, Py_ssize_t rows, Py_ssize_t* chosen
) noexcept nogil:
    """Write the indices of those of the next rows whose games meet the conditions to ``chosen``; return their number.

    The outcome for ratings and dates is hard to predict, so there are no branches on them: every index is written, and
    overwritten by the next one if the game does not count.
    """
    cdef Test* test = &tally.test
    cdef const Facts* game
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t place = first
    cdef int64_t row
    cdef uint32_t date
    cdef int met
    for number in range(min(rows, BLOCK)):
        if number + AHEAD < rows:
            prefetch(tally.facts + (games[place + AHEAD * tally.step] - tally.first))
        row = games[place] - tally.first
        if not 0 <= row < tally.records:
            tally.unknown_records += 1
            place += tally.step
            continue
        game = tally.facts + row
        date = game.date
        met = is_between(game.white_elo, test.white) & is_between(game.black_elo, test.black)
        if is_between(date, test.first_year) | is_between(date, test.last_year):
            met &= passes_dates(&test.bounds, date)
        else:
            met &= is_between(date, test.dates)
        if tally.allowed != NULL:
            met &= tally.allowed[row] != 0
        if test.more and met:
            met = passes(test, game, &tally.unsure)
        if tally.counted != NULL:
            tally.counted[place] = met
        chosen[count] = place
        count += met
        place += tally.step
    return count


cdef Sums* sums_of(Tally* tally, int move) noexcept nogil:
    """Return the sums of a move, NULL if there are too many moves."""
    cdef Py_ssize_t place = tally.places[move & 0xFFFF]
    if place == 0:
        if tally.moves == tally.capacity:
            return NULL
        tally.moves += 1
        place = tally.places[move & 0xFFFF] = tally.moves
        memset(tally.sums + place - 1, 0, sizeof(Sums))
        tally.sums[place - 1].move = move
        tally.sums[place - 1].best = tally.sums[place - 1].latest = -1
        tally.sums[place - 1].first = NO_DATE
    return tally.sums + place - 1


cdef void add_game(Tally* tally, int64_t row, int move) noexcept nogil:
    """Add a game to the sums of the move that was played.

    As few sums as possible: each addition waits for that of the previous game.
    """
    cdef const Facts* game = tally.facts + row
    cdef Sums* sums = sums_of(tally, move)
    cdef int result = game.result if game.result <= 3 else 0
    cdef int64_t white = game.white_elo if game.white_elo != NO_RATING else 0
    cdef int64_t black = game.black_elo if game.black_elo != NO_RATING else 0
    cdef int64_t date = game.date
    cdef int64_t best = white + black << 32 | row
    cdef int64_t latest = date << 32 | row
    if sums == NULL:
        tally.unknown_records += 1
        return
    sums.games[result << 2 | (white != 0) << 1 | (black != 0)] += 1
    sums.ratings += white + black
    sums.opponents += (white if tally.turn else black) if result else 0
    if date < sums.first and date >= A_YEAR:
        sums.first = date
    if best > sums.best:
        sums.best = best
    if latest > sums.latest:
        sums.latest = latest
    if tally.most_best and best > tally.best[0]:
        keep(tally.best, tally.most_best, best)
    if tally.most_latest and latest > tally.latest[0]:
        keep(tally.latest, tally.most_latest, latest)


cdef void add_block(
    Tally* tally, const int32_t* games, const int16_t* moves, Py_ssize_t first, Py_ssize_t rows
) noexcept nogil:
    """Add those games of the next rows that meet the conditions; ``rows`` are left."""
    cdef Py_ssize_t chosen[BLOCK]
    cdef Py_ssize_t count
    count = choose(tally, games, first, rows, chosen)
    for number in range(count):
        add_game(tally, games[chosen[number]] - tally.first, moves[chosen[number]])


cdef void write_statistics(Tally* tally) noexcept nogil:
    """Write the sums of all moves in the form of ``STATISTICS``."""
    cdef Sums* sums
    cdef Statistics* entry
    cdef int64_t games
    for number in range(tally.moves):
        sums = tally.sums + number
        entry = tally.statistics + number
        memset(entry, 0, sizeof(Statistics))
        for known in range(16):
            games = sums.games[known]
            entry.results[known >> 2] += games
            entry.rated += games * ((known >> 1 & 1) + (known & 1))
            if known >> (1 if tally.turn else 0) & 1:
                entry.faced[known >> 2] += games
        entry.move = sums.move
        entry.opponents = sums.opponents
        entry.ratings = sums.ratings
        entry.first = sums.first
        entry.last = max(sums.latest >> 32, 0)
        entry.best = sums.best
        entry.latest = sums.latest


cdef Span span(int64_t low, int64_t end) noexcept nogil:
    """The numbers from ``low`` to one before ``end``."""
    cdef Span found
    found.low = max(low, 0)
    found.size = max(min(end, ALL) - found.low, 0)
    return found


cdef Span year_of(int64_t date) noexcept nogil:
    """All dates of a year, including dates without month and day."""
    return span(date // A_YEAR * A_YEAR, date // A_YEAR * A_YEAR + A_YEAR)


cdef bint make_test(
    Test* test, const int64_t[::1] bounds, const uint8_t[::1] results, const uint8_t[::1] codes,
    const int64_t[::1] roles, const uint8_t[:, ::1] names
) except -1:
    """Take over the conditions; ValueError if they are invalid."""
    cdef Span ratings
    cdef int64_t* limits = <int64_t*> &test.bounds
    memset(test, 0, sizeof(Test))
    if bounds.shape[0] != sizeof(Bounds) // sizeof(int64_t):
        raise ValueError("no such set of bounds")
    if results.shape[0] not in (0, 256) or codes.shape[0] not in (0, CODES + 1):
        raise ValueError("there are 256 results and 501 codes")
    if roles.shape[0] > MOST_NAME_TESTS or names.shape[0] != roles.shape[0]:
        raise ValueError("there are too many conditions on names, or their lists are missing")
    for place in range(bounds.shape[0]):
        limits[place] = bounds[place]
    test.white = test.black = test.dates = span(0, ALL)
    if test.bounds.min_elo > -NO_BOUND or test.bounds.max_elo < NO_BOUND:
        ratings = span(test.bounds.min_elo, min(test.bounds.max_elo + 1, NO_RATING))
        if test.bounds.ratings in (RATINGS_OF_BOTH, RATING_OF_WHITE):
            test.white = ratings
        if test.bounds.ratings in (RATINGS_OF_BOTH, RATING_OF_BLACK):
            test.black = ratings
        test.rated = test.bounds.ratings in (RATINGS_OF_EITHER, RATINGS_ON_AVERAGE)
    if test.bounds.since > 0 or test.bounds.until < 100_000_000:
        test.dates = span(max(test.bounds.since, A_YEAR), test.bounds.until + 1)
        test.first_year = year_of(test.bounds.since)
        test.last_year = year_of(test.bounds.until)
    test.sized = test.bounds.min_plies > 0 or test.bounds.max_plies < 0xFFFF
    test.classed = test.bounds.time_classes != -1
    if results.shape[0]:
        test.results = &results[0]
    if codes.shape[0]:
        test.codes = &codes[0]
    test.name_tests = roles.shape[0]
    test.names = names.shape[1] if roles.shape[0] else 0
    for place in range(test.name_tests):
        test.roles[place] = roles[place]
        if test.names:
            test.chosen[place] = &names[place, 0]
    test.more = (
        test.rated
        or test.sized
        or test.classed
        or test.results != NULL
        or test.codes != NULL
        or test.name_tests > 0
    )
    return True


def add_up(
    const uint8_t[:, ::1] facts not None, int64_t first, const int32_t[::1] games not None,
    const int16_t[::1] moves not None, const uint8_t[::1] allowed not None, const int64_t[::1] bounds not None,
    const uint8_t[::1] results not None, const uint8_t[::1] codes not None, const int64_t[::1] roles not None,
    const uint8_t[:, ::1] names not None, int turn, int64_t[:, ::1] statistics not None, int64_t[::1] best not None,
    int64_t[::1] latest not None, uint8_t[::1] counted not None
) -> tuple[int, int, int]:
    """Add up the games of a position per move.

    Args:
        facts: a row of FACTS for each record.
        first: what to subtract from ``games`` to get rows of ``facts``.
        games: the games that reach the position.
        moves: the move played there in each.
        allowed: which rows of ``facts`` may count; empty for all of them.
        bounds: conditions on ratings, dates, plies and classes of time controls, see ``Bounds``.
        results: which of the 256 values of a result are wanted; empty for all.
        codes: which of the 500 ECO codes are wanted, and whether games without a code are; empty for all.
        roles: the role that each row of ``names`` applies to.
        names: a row per role: which of all names are wanted, and last, whether records without one are.
        turn: the side to move, 0 White, 1 Black.
        statistics: receives what ``STATISTICS`` describes, a row per move.
        best: receives the games with the highest ratings, ascending, as ratings << 32 | row; filled with -1.
        latest: receives the latest games, ascending, as date << 32 | row; filled with -1.
        counted: receives which of ``games`` were counted; empty if not needed.

    Returns:
        The number of different moves; the number of rows that lead to no record or exceed MOST_MOVES; the number of
        records without a code in the facts, if there is a condition on codes.

    Raises:
        ValueError: the buffers do not match.
    """
    cdef Tally tally
    cdef Py_ssize_t rows = games.shape[0]
    cdef Py_ssize_t done = 0
    memset(&tally, 0, sizeof(Tally) - sizeof(tally.sums))
    if facts.shape[1] != sizeof(Facts) or moves.shape[0] != rows:
        raise ValueError("these are not facts, or there are more games than moves")
    if statistics.shape[1] * sizeof(int64_t) != sizeof(Statistics) or statistics.shape[0] < 1:
        raise ValueError("these are not statistics")
    if allowed.shape[0] not in (0, facts.shape[0]) or counted.shape[0] not in (0, rows):
        raise ValueError("there are more or fewer records than facts, or rows than games")
    make_test(&tally.test, bounds, results, codes, roles, names)
    if facts.shape[0] == 0 or rows == 0:
        return 0, rows, 0
    tally.facts = <const Facts*> &facts[0, 0]
    tally.records = facts.shape[0]
    tally.first = first
    tally.allowed = &allowed[0] if allowed.shape[0] else NULL
    tally.counted = &counted[0] if counted.shape[0] else NULL
    tally.turn = turn
    tally.statistics = <Statistics*> &statistics[0, 0]
    tally.capacity = min(statistics.shape[0], MOST_MOVES)
    tally.best = &best[0] if best.shape[0] else NULL
    tally.most_best = best.shape[0]
    tally.latest = &latest[0] if latest.shape[0] else NULL
    tally.most_latest = latest.shape[0]
    with nogil:
        # Databases are mostly sorted by date: from the end, the latest games are found immediately.
        tally.step = -1
        if 0 <= games[0] - first < tally.records and 0 <= games[rows - 1] - first < tally.records:
            if tally.facts[games[0] - first].date > tally.facts[games[rows - 1] - first].date:
                tally.step = 1
        while done < rows:
            add_block(&tally, &games[0], &moves[0], done if tally.step > 0 else rows - 1 - done, rows - done)
            done += BLOCK
        write_statistics(&tally)
    return tally.moves, tally.unknown_records, tally.unsure
