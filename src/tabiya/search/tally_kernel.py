"""Adds up the games of a position per move, in one pass: conditions on games, results, ratings, dates, best and latest.

Linear in the number of games; a game costs one line of the cache, where its facts are, and some nanoseconds.
"""

import cython
from cython.cimports.libc.stdint import int16_t, int32_t, int64_t, uint8_t
from cython.cimports.libc.string import memset

NO_BOUND = cython.declare(int64_t, 1 << 40)
A_YEAR = cython.declare(int64_t, 10_000)


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
    """Whether the ratings are those asked for; a rating that is not known is none of them.

    Nobody can guess these comparisons, so they are added up and not branched on.
    """
    white: cython.int = game.white_elo != NO_RATING
    black: cython.int = game.black_elo != NO_RATING
    total: int64_t
    if bounds.ratings == RATINGS_ON_AVERAGE:
        total = game.white_elo + game.black_elo
        return white & black & (2 * bounds.min_elo <= total) & (total <= 2 * bounds.max_elo)
    white &= (bounds.min_elo <= game.white_elo) & (game.white_elo <= bounds.max_elo)
    black &= (bounds.min_elo <= game.black_elo) & (game.black_elo <= bounds.max_elo)
    if bounds.ratings == RATING_OF_WHITE:
        return white
    if bounds.ratings == RATING_OF_BLACK:
        return black
    return white | black if bounds.ratings == RATINGS_OF_EITHER else white & black


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
    """Whether a game meets all conditions that the facts can answer."""
    code: cython.int
    met: cython.int = 1
    if test.rated:
        met &= passes_ratings(cython.address(test.bounds), game)
    if test.dated:
        met &= passes_dates(cython.address(test.bounds), game.date)
    if not met:
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


def count_game(move, game, turn, white, black):
    """Add a game to the statistics of a move; ratings that are not known are 0."""
    result: cython.int = game.result if game.result <= 3 else 0
    opponent: int64_t = white if turn else black
    date: int64_t = game.date
    move.results[result] += 1
    move.faced[result] += opponent != 0
    move.opponents += opponent if result else 0
    move.ratings += white + black
    move.rated += (white != 0) + (black != 0)
    move.first = min(move.first, date if date >= A_YEAR else NO_DATE)
    move.last = max(move.last, date)


def add_row(tally, row, move):
    """Add a game to the statistics of the move that was played; whether it meets the conditions."""
    game: cython.pointer[cython.const[Facts]]
    entry: cython.pointer[Statistics]
    place: cython.Py_ssize_t
    white: int64_t
    black: int64_t
    best: int64_t
    latest: int64_t
    if not 0 <= row < tally.records:
        tally.strange += 1
        return False
    if tally.allowed != cython.NULL and not tally.allowed[row]:
        return False
    game = tally.facts + row
    if tally.test.any and not passes(cython.address(tally.test), game, cython.address(tally.unsure)):
        return False
    place = tally.places[move & 0xFFFF]
    if place == 0:
        if tally.moves == tally.room:
            tally.strange += 1
            return False
        entry = tally.statistics + tally.moves
        memset(entry, 0, cython.sizeof(Statistics))
        entry.move = move
        entry.best = entry.latest = -1
        entry.first = NO_DATE
        tally.moves += 1
        place = tally.places[move & 0xFFFF] = tally.moves
    entry = tally.statistics + place - 1
    white = game.white_elo if game.white_elo != NO_RATING else 0
    black = game.black_elo if game.black_elo != NO_RATING else 0
    count_game(entry, game, tally.turn, white, black)
    best = white + black << 32 | row
    latest = cython.cast(int64_t, game.date) << 32 | row
    entry.best = max(entry.best, best)
    entry.latest = max(entry.latest, latest)
    if tally.most_best and best > tally.best[0]:
        keep(tally.best, tally.most_best, best)
    if tally.most_latest and latest > tally.latest[0]:
        keep(tally.latest, tally.most_latest, latest)
    return True


def make_test(test, bounds, results, codes, roles, names):
    """Take over the conditions; ValueError if they do not fit."""
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
    test.rated = test.bounds.min_elo > -NO_BOUND or test.bounds.max_elo < NO_BOUND
    test.dated = test.bounds.since > 0 or test.bounds.until < 100_000_000
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
    test.any = (
        test.rated
        or test.dated
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
    forward: cython.bint
    place: cython.Py_ssize_t
    step: cython.Py_ssize_t
    met: cython.bint
    memset(cython.address(tally), 0, cython.sizeof(Tally))
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
    tally.allowed = cython.address(allowed[0]) if allowed.shape[0] else cython.NULL
    tally.counted = cython.address(counted[0]) if counted.shape[0] else cython.NULL
    tally.turn = turn
    tally.statistics = cython.cast("Statistics*", cython.address(statistics[0, 0]))
    tally.room = min(statistics.shape[0], 0xFFFF)
    tally.best = cython.address(best[0]) if best.shape[0] else cython.NULL
    tally.most_best = best.shape[0]
    tally.latest = cython.address(latest[0]) if latest.shape[0] else cython.NULL
    tally.most_latest = latest.shape[0]
    with cython.nogil:
        # Databases are mostly in the order of dates: from the end, the latest games are found at once.
        forward = False
        if 0 <= games[0] - first < tally.records and 0 <= games[rows - 1] - first < tally.records:
            forward = tally.facts[games[0] - first].date > tally.facts[games[rows - 1] - first].date
        step = 1 if forward else -1
        place = 0 if forward else rows - 1
        for count in range(rows):
            if count + AHEAD < rows:
                prefetch(tally.facts + (games[place + AHEAD * step] - first))
            met = add_row(cython.address(tally), games[place] - first, moves[place])
            if tally.counted != cython.NULL:
                tally.counted[place] = met
            place += step
    return tally.moves, tally.strange, tally.unsure
