from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

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
    AHEAD = 24            # how many games before their turn their facts are fetched

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

ctypedef struct Test:
    Bounds bounds
    bint any              # whether anything is asked at all
    bint rated
    bint dated
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

ctypedef struct Tally:
    const Facts* facts
    Py_ssize_t records
    const uint8_t* allowed
    uint8_t* counted
    Test test
    int turn
    Statistics* statistics
    Py_ssize_t room
    Py_ssize_t moves
    uint16_t places[65536]    # of each move among the statistics, from 1
    int64_t* best
    Py_ssize_t most_best
    int64_t* latest
    Py_ssize_t most_latest
    Py_ssize_t strange        # rows of records that are not there
    Py_ssize_t unsure         # records whose code is not in the facts, while codes were asked for

cdef bint has_name(const Test* test, Py_ssize_t number, int32_t name) noexcept nogil
cdef bint passes_names(const Test* test, const Facts* game) noexcept nogil
cdef bint passes_ratings(const Bounds* bounds, const Facts* game) noexcept nogil
cdef bint passes_dates(const Bounds* bounds, int64_t date) noexcept nogil
cdef bint passes(const Test* test, const Facts* game, Py_ssize_t* unsure) noexcept nogil
cdef void keep(int64_t* kept, Py_ssize_t most, int64_t value) noexcept nogil
cdef void count_game(Statistics* move, const Facts* game, int turn, int64_t white, int64_t black) noexcept nogil
cdef bint add_row(Tally* tally, int64_t row, int move) noexcept nogil
cdef bint make_test(
    Test* test, const int64_t[::1] bounds, const uint8_t[::1] results, const uint8_t[::1] codes,
    const int64_t[::1] roles, const uint8_t[:, ::1] names) except -1
