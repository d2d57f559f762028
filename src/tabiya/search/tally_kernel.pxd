from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t

# --- private to this kernel ---

cdef extern from *:
    """
    #if defined(_MSC_VER)
      #define tabiya_prefetch(place) ((void)0)
    #else
      #define tabiya_prefetch(place) __builtin_prefetch(place)
    #endif
    """
    # Says that a place in memory will be read soon; any address will do.
    void prefetch "tabiya_prefetch"(const void* place) noexcept nogil

cdef enum:
    A_YEAR = 10_000       # of dates as yyyymmdd
    AHEAD = 24            # how many games before their turn their facts are fetched
    BLOCK = 256           # how many games are asked, then counted
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
    CODES = 500           # A00 to E99; behind them stands what games without a code get

# What is asked of ratings.
cdef enum:
    RATINGS_OF_BOTH = 0
    RATINGS_OF_EITHER = 1
    RATINGS_ON_AVERAGE = 2
    RATING_OF_WHITE = 3
    RATING_OF_BLACK = 4

# Whose name a list of names is for.
cdef enum:
    NAME_OF_WHITE = 0
    NAME_OF_BLACK = 1
    NAME_OF_EITHER = 2
    NAME_OF_EVENT = 3
    NAME_OF_SITE = 4

cdef enum:
    MOST_NAME_TESTS = 16

# What is asked of a game; the same order as ``Bounds`` of ``game_conditions.py``.
ctypedef struct Bounds:
    int64_t ratings       # how they are meant
    int64_t min_elo
    int64_t max_elo
    int64_t since         # as yyyymmdd
    int64_t until
    int64_t min_plies
    int64_t max_plies
    int64_t time_classes  # a set of bits

# Some numbers in a row.
ctypedef struct Span:
    uint32_t low
    uint32_t size

ctypedef struct Test:
    Bounds bounds
    Span white            # ratings that count
    Span black
    Span dates            # that count, but for
    Span first_year       # dates that are near the bounds, where it matters what is not known of them
    Span last_year
    bint more             # whether anything else is asked
    bint rated            # of either player, or of both on average
    bint sized
    bint classed
    const uint8_t* results
    const uint8_t* codes
    Py_ssize_t name_tests
    Py_ssize_t names
    const uint8_t* chosen[MOST_NAME_TESTS]
    int roles[MOST_NAME_TESTS]

# What is added up for a move; the same order as ``STATISTICS`` of ``tally.py``.
ctypedef struct Statistics:
    int64_t move
    int64_t results[4]        # none that counts, White, Black, draw
    int64_t faced[4]          # the same of games in which the opponent of the side to move has a rating
    int64_t opponents         # the sum of these ratings
    int64_t ratings           # the sum of all ratings
    int64_t rated             # how many these are
    int64_t first             # date; NO_DATE if none is known
    int64_t last
    int64_t best              # ratings << 32 | row
    int64_t latest            # date << 32 | row

# What is added up for a move while games are counted.
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
    int64_t first             # what to take off a game to get its row
    Py_ssize_t step           # the direction in which rows are read, 1 or -1
    const uint8_t* allowed
    uint8_t* counted
    Test test
    int turn
    Statistics* statistics
    Py_ssize_t room
    Py_ssize_t moves
    uint16_t places[65536]    # of each move among the sums, from 1
    int64_t* best
    Py_ssize_t most_best
    int64_t* latest
    Py_ssize_t most_latest
    Py_ssize_t strange        # rows of records that are not there
    Py_ssize_t unsure         # records whose code is not in the facts, while codes were asked for
    Sums sums[MOST_MOVES]     # the last one, because nobody has to clear those of moves that are not played

cdef inline bint is_between(uint32_t number, Span span) noexcept nogil:
    return <uint32_t> (number - span.low) < span.size

cdef Span span(int64_t low, int64_t end) noexcept nogil
cdef Span year_of(int64_t date) noexcept nogil
cdef bint has_name(const Test* test, Py_ssize_t number, int32_t name) noexcept nogil
cdef bint passes_names(const Test* test, const Facts* game) noexcept nogil
cdef bint passes_ratings(const Bounds* bounds, const Facts* game) noexcept nogil
cdef bint passes_dates(const Bounds* bounds, int64_t date) noexcept nogil
cdef bint passes(const Test* test, const Facts* game, Py_ssize_t* unsure) noexcept nogil
cdef void keep(int64_t* kept, Py_ssize_t most, int64_t value) noexcept nogil
cdef Py_ssize_t choose(
    Tally* tally, const int32_t* games, Py_ssize_t first, Py_ssize_t rows, Py_ssize_t* chosen) noexcept nogil
cdef Sums* sums_of(Tally* tally, int move) noexcept nogil
cdef void add_game(Tally* tally, int64_t row, int move) noexcept nogil
cdef void add_block(
    Tally* tally, const int32_t* games, const int16_t* moves, Py_ssize_t first, Py_ssize_t rows) noexcept nogil
cdef void write_statistics(Tally* tally) noexcept nogil
cdef bint make_test(
    Test* test, const int64_t[::1] bounds, const uint8_t[::1] results, const uint8_t[::1] codes,
    const int64_t[::1] roles, const uint8_t[:, ::1] names) except -1
