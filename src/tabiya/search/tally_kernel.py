"""Adds up the games of a position per move, in one pass: conditions on games, results, ratings, dates, best and latest.

Linear in the number of games; a game costs one line of the cache, where its facts are, and some nanoseconds.
"""

import cython
from cython.cimports.libc.stdint import int16_t, int32_t, int64_t, uint8_t, uint32_t
from cython.cimports.libc.string import memset

NO_BOUND = cython.declare(int64_t, 1 << 40)
ALL = cython.declare(int64_t, 0xFFFF_FFFF)


def has_name(test, number, name):
    return 0 <= name < test.names and test.chosen[number][name] != 0


def passes_names(test, game):
    """Whether every name that is asked for is there."""
    role: cython.int
    met: cython.bint
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


def passes_ratings(bounds, game):
    """Whether one of the ratings is that asked for, or both on average; one that is not known is none of them."""
    white: cython.bint = game.white_elo != NO_RATING
    black: cython.bint = game.black_elo != NO_RATING
    total: int64_t = game.white_elo + game.black_elo
    if bounds.ratings == RATINGS_ON_AVERAGE:
        return white and black and 2 * bounds.min_elo <= total <= 2 * bounds.max_elo + 1  # the mean, rounded down
    return (white and bounds.min_elo <= game.white_elo <= bounds.max_elo) or (
        black and bounds.min_elo <= game.black_elo <= bounds.max_elo
    )


def passes_dates(bounds, date):
    """Whether a game may have been played in the time asked for; parts of a date that are not known are 0."""
    early: int64_t = date
    late: int64_t = date
    day: cython.int = date % 100
    month: cython.int = date // 100 % 100
    early += (day == 0) + 100 * (month == 0)
    late += 31 * (day == 0) + 1200 * (month == 0)
    return (date >= A_YEAR) & (late >= bounds.since) & (early <= bounds.until)


def passes(test, game, unsure):
    """Whether a game meets the conditions that are asked less often."""
    code: cython.int
    if test.rated and not passes_ratings(cython.address(test.bounds), game):
        return False
    if test.sized and not test.bounds.min_plies <= game.plies <= test.bounds.max_plies:
        return False
    if test.classed and not test.bounds.time_classes >> (game.time_class & 63) & 1:
        return False
    if test.results != cython.NULL and not test.results[game.result]:
        return False
    if test.name_tests and not passes_names(test, game):
        return False
    if test.codes != cython.NULL:
        code = game.eco
        if code == OTHER_ECO:
            unsure[0] += 1
        return test.codes[code if code < CODES else CODES] != 0
    return True


def keep(kept, most, value):
    """Put a value among the largest ones, which ascend; the smallest of them goes."""
    place: cython.Py_ssize_t = 0
    while place + 1 < most and kept[place + 1] < value:
        kept[place] = kept[place + 1]
        place += 1
    kept[place] = value


def choose(tally, games, first, rows, chosen):
    """Put the places of those of the next rows into ``chosen`` whose games meet the conditions; how many these are.

    Which ratings and dates do is hard to guess, so there are no branches on them: every place is written, and the next
    one over it if the game does not count.
    """
    test: cython.pointer[Test] = cython.address(tally.test)
    game: cython.pointer[cython.const[Facts]]
    count: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t = first
    row: int64_t
    date: uint32_t
    met: cython.int
    for number in range(min(rows, BLOCK)):
        if number + AHEAD < rows:
            prefetch(tally.facts + (games[place + AHEAD * tally.step] - tally.first))
        row = games[place] - tally.first
        if not 0 <= row < tally.records:
            tally.strange += 1
            place += tally.step
            continue
        game = tally.facts + row
        date = game.date
        met = is_between(game.white_elo, test.white) & is_between(game.black_elo, test.black)
        if is_between(date, test.first_year) | is_between(date, test.last_year):
            met &= passes_dates(cython.address(test.bounds), date)
        else:
            met &= is_between(date, test.dates)
        if tally.allowed != cython.NULL:
            met &= tally.allowed[row] != 0
        if test.more and met:
            met = passes(test, game, cython.address(tally.unsure))
        if tally.counted != cython.NULL:
            tally.counted[place] = met
        chosen[count] = place
        count += met
        place += tally.step
    return count


def sums_of(tally, move):
    """Return what is added up for a move, NULL if there are moves too many."""
    place: cython.Py_ssize_t = tally.places[move & 0xFFFF]
    if place == 0:
        if tally.moves == tally.room:
            return cython.NULL
        tally.moves += 1
        place = tally.places[move & 0xFFFF] = tally.moves
        memset(tally.sums + place - 1, 0, cython.sizeof(Sums))
        tally.sums[place - 1].move = move
        tally.sums[place - 1].best = tally.sums[place - 1].latest = -1
        tally.sums[place - 1].first = NO_DATE
    return tally.sums + place - 1


def add_game(tally, row, move):
    """Add a game to the sums of the move that was played.

    As few sums as possible: what one game adds waits for what the game before it added.
    """
    game: cython.pointer[cython.const[Facts]] = tally.facts + row
    sums: cython.pointer[Sums] = sums_of(tally, move)
    result: cython.int = game.result if game.result <= 3 else 0
    white: int64_t = game.white_elo if game.white_elo != NO_RATING else 0
    black: int64_t = game.black_elo if game.black_elo != NO_RATING else 0
    date: int64_t = game.date
    best: int64_t = white + black << 32 | row
    latest: int64_t = date << 32 | row
    if sums == cython.NULL:
        tally.strange += 1
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


def add_block(tally, games, moves, first, rows):
    """Add those games of the next rows that meet the conditions; ``rows`` are left."""
    chosen: cython.Py_ssize_t[BLOCK]
    count: cython.Py_ssize_t
    count = choose(tally, games, first, rows, chosen)
    for number in range(count):
        add_game(tally, games[chosen[number]] - tally.first, moves[chosen[number]])


def write_statistics(tally):
    """Tell the sums of all moves as ``STATISTICS`` has them."""
    sums: cython.pointer[Sums]
    entry: cython.pointer[Statistics]
    games: int64_t
    for number in range(tally.moves):
        sums = tally.sums + number
        entry = tally.statistics + number
        memset(entry, 0, cython.sizeof(Statistics))
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


def span(low, end):
    """The numbers from ``low`` to one before ``end``."""
    found: Span
    found.low = max(low, 0)
    found.size = max(min(end, ALL) - found.low, 0)
    return found


def year_of(date):
    """All dates of a year, those included of which only the year is known."""
    return span(date // A_YEAR * A_YEAR, date // A_YEAR * A_YEAR + A_YEAR)


def make_test(test, bounds, results, codes, roles, names):
    """Take over the conditions; ValueError if they do not fit."""
    ratings: Span
    limits: cython.pointer[int64_t] = cython.cast("int64_t*", cython.address(test.bounds))
    memset(test, 0, cython.sizeof(Test))
    if bounds.shape[0] != cython.sizeof(Bounds) // cython.sizeof(int64_t):
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
        test.results = cython.address(results[0])
    if codes.shape[0]:
        test.codes = cython.address(codes[0])
    test.name_tests = roles.shape[0]
    test.names = names.shape[1] if roles.shape[0] else 0
    for place in range(test.name_tests):
        test.roles[place] = roles[place]
        if test.names:
            test.chosen[place] = cython.address(names[place, 0])
    test.more = (
        test.rated
        or test.sized
        or test.classed
        or test.results != cython.NULL
        or test.codes != cython.NULL
        or test.name_tests > 0
    )
    return True


def add_up(
    facts: cython.const[uint8_t][:, ::1],
    first: int64_t,
    games: cython.const[int32_t][::1],
    moves: cython.const[int16_t][::1],
    allowed: cython.const[uint8_t][::1],
    bounds: cython.const[int64_t][::1],
    results: cython.const[uint8_t][::1],
    codes: cython.const[uint8_t][::1],
    roles: cython.const[int64_t][::1],
    names: cython.const[uint8_t][:, ::1],
    turn: cython.int,
    statistics: int64_t[:, ::1],
    best: int64_t[::1],
    latest: int64_t[::1],
    counted: uint8_t[::1],
) -> tuple[int, int, int]:
    """Add up the games of a position per move.

    Args:
        facts: a row of FACTS for each record.
        first: what to take off ``games`` to get rows of ``facts``.
        games: the games that reach the position.
        moves: what was played there in each.
        allowed: which rows of ``facts`` may count; empty for all of them.
        bounds: conditions on ratings, dates, plies and classes of time controls, see ``Bounds``.
        results: which of the 256 values of a result are wanted; empty for all.
        codes: which of the 500 ECO codes are wanted, and whether no code is; empty for all.
        roles: whose names ``names`` are about.
        names: a row per role: which of all names are wanted.
        turn: the side to move, 0 White, 1 Black.
        statistics: takes what ``STATISTICS`` describes, a row per move.
        best: takes the games with the highest ratings, ascending, as ratings << 32 | row; filled with -1.
        latest: takes the latest games, ascending, as date << 32 | row; filled with -1.
        counted: takes which of ``games`` were counted; empty if nobody asks.

    Returns:
        How many different moves there are; how many rows lead to no record or are moves too many; how many
        records passed whose code the facts do not tell, while codes were asked for.

    Raises:
        ValueError: the buffers do not fit each other.
    """
    tally: Tally
    rows: cython.Py_ssize_t = games.shape[0]
    done: cython.Py_ssize_t = 0
    memset(cython.address(tally), 0, cython.sizeof(Tally) - cython.sizeof(tally.sums))
    if facts.shape[1] != cython.sizeof(Facts) or moves.shape[0] != rows:
        raise ValueError("these are not facts, or there are more games than moves")
    if statistics.shape[1] * cython.sizeof(int64_t) != cython.sizeof(Statistics) or statistics.shape[0] < 1:
        raise ValueError("these are not statistics")
    if allowed.shape[0] not in (0, facts.shape[0]) or counted.shape[0] not in (0, rows):
        raise ValueError("there are more or fewer records than facts, or rows than games")
    make_test(cython.address(tally.test), bounds, results, codes, roles, names)
    if facts.shape[0] == 0 or rows == 0:
        return 0, rows, 0
    tally.facts = cython.cast("const Facts*", cython.address(facts[0, 0]))
    tally.records = facts.shape[0]
    tally.first = first
    tally.allowed = cython.address(allowed[0]) if allowed.shape[0] else cython.NULL
    tally.counted = cython.address(counted[0]) if counted.shape[0] else cython.NULL
    tally.turn = turn
    tally.statistics = cython.cast("Statistics*", cython.address(statistics[0, 0]))
    tally.room = min(statistics.shape[0], MOST_MOVES)
    tally.best = cython.address(best[0]) if best.shape[0] else cython.NULL
    tally.most_best = best.shape[0]
    tally.latest = cython.address(latest[0]) if latest.shape[0] else cython.NULL
    tally.most_latest = latest.shape[0]
    with cython.nogil:
        # Databases are mostly in the order of dates: from the end, the latest games are found at once.
        tally.step = -1
        if 0 <= games[0] - first < tally.records and 0 <= games[rows - 1] - first < tally.records:
            if tally.facts[games[0] - first].date > tally.facts[games[rows - 1] - first].date:
                tally.step = 1
        while done < rows:
            add_block(
                cython.address(tally),
                cython.address(games[0]),
                cython.address(moves[0]),
                done if tally.step > 0 else rows - 1 - done,
                rows - done,
            )
            done += BLOCK
        write_statistics(cython.address(tally))
    return tally.moves, tally.strange, tally.unsure
