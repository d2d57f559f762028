"""Plays main lines: to find a position in them, or to write a row per position. Linear in the number of moves.

A game ends at an illegal move, and after 32,767 plies, as in the index of a library. It is played only as long as the
position can still arise: pawns do not move back, and pieces and castling rights do not return.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint64_t, uint8_t

from tabiya.chess.board cimport BLACK, PAWN, WHITE, Board, make_move
from tabiya.chess.fen_kernel cimport read_fen, start_board
from tabiya.game.main_line cimport MainLine, main_line, next_legal_move, set_up_board
from tabiya.game.tape_kernel cimport VARIATION_BEGIN
from tabiya.positions.chess960 cimport rooks_of

cdef enum:
    MOST_PLY = 32767      # limit of the index of a library
    NO_MOVE = -1
    MOST_KEYS = 256

# How to handle a record; the same numbers as in ``parts.py``.
cdef enum:
    LEAVE_OUT = 0
    USUAL_CHESS = 1       # unless its start position shows that it is Chess960
    CHESS960 = 2
    EITHER = 3            # usual chess or, if its start position shows that, Chess960
    ONLY_CHESS960 = 4     # only if its start position shows that it is Chess960

# Concatenated main lines, with their start positions.
ctypedef struct Lines:
    const uint16_t* moves
    const int64_t* ends
    const int32_t* start_ends
    const uint8_t* starts
    const uint8_t* modes
    Py_ssize_t records

# The position to find, and what must still be on the board so that it can arise.
ctypedef struct Goal:
    uint64_t keys[MOST_KEYS]
    int key_count
    uint64_t rooks        # those that may castle, which Polyglot's key does not contain
    bint any_rights
    uint64_t home[2]      # pawns of both sides on their original squares
    int pieces[2]
    int pawns[2]
    int rights

cdef extern from *:
    """
    #if defined(_MSC_VER)
      #include <stdint.h>
      /* Not __popcnt64: it is an instruction that not all processors have. */
      static __forceinline int tabiya_explorer_count(uint64_t bits) {
          bits -= bits >> 1 & 0x5555555555555555ULL;
          bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
          return (int)(((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL >> 56);
      }
    #else
      #define tabiya_explorer_count(bits) __builtin_popcountll(bits)
    #endif
    #define TABIYA_SECOND_RANK ((uint64_t)0x000000000000FF00ULL)
    #define TABIYA_SEVENTH_RANK ((uint64_t)0x00FF000000000000ULL)
    #define TABIYA_LINE_MIXER ((uint64_t)0x9E3779B97F4A7C15ULL)
    """
    int count_of "tabiya_explorer_count"(uint64_t bits) noexcept nogil
    const uint64_t SECOND_RANK "TABIYA_SECOND_RANK"
    const uint64_t SEVENTH_RANK "TABIYA_SEVENTH_RANK"
    const uint64_t MIXER "TABIYA_LINE_MIXER"  # the golden ratio as an odd number of 64 bits


cdef Py_ssize_t check_lines(
    Lines* lines, const uint16_t[::1] moves, const int64_t[::1] ends, const int32_t[::1] start_ends,
    const uint8_t[::1] starts, const uint8_t[::1] modes
) except -1:
    """Take over the buffers of main lines and return the number of moves; ValueError if they do not match."""
    cdef Py_ssize_t records = modes.shape[0]
    if ends.shape[0] != records + 1 or start_ends.shape[0] != records + 1:
        raise ValueError("there are more or fewer lines than records")
    if ends[0] < 0 or ends[records] > moves.shape[0] or start_ends[0] < 0 or start_ends[records] > starts.shape[0]:
        raise ValueError("the lines end elsewhere")
    for record in range(records):
        if ends[record] > ends[record + 1] or start_ends[record] > start_ends[record + 1]:
            raise ValueError("the ends of lines must not descend")
    lines.moves = &moves[0] if moves.shape[0] else NULL
    lines.ends = &ends[0]
    lines.start_ends = &start_ends[0]
    lines.starts = &starts[0] if starts.shape[0] else NULL
    lines.modes = &modes[0] if records else NULL
    lines.records = records
    return ends[records] - ends[0]


cdef int begin_line(const Lines* lines, Py_ssize_t record, const Board* usual, Board* board) noexcept nogil:
    """Set up the start position of a game; return how it is played: LEAVE_OUT, USUAL_CHESS or CHESS960."""
    cdef int mode = lines.modes[record]
    cdef bint other
    cdef Py_ssize_t begin = lines.start_ends[record]
    cdef Py_ssize_t length = lines.start_ends[record + 1] - begin
    if mode == LEAVE_OUT or not set_up_board(board, usual, lines.starts + begin, length, mode == CHESS960):
        return LEAVE_OUT
    other = mode == CHESS960 or board.chess960 and board.state.rights
    if (mode == USUAL_CHESS and other) or (mode == ONLY_CHESS960 and not other):
        return LEAVE_OUT
    return CHESS960 if other else USUAL_CHESS


cdef MainLine line_of(const Lines* lines, Py_ssize_t record) noexcept nogil:
    return main_line(lines.moves + lines.ends[record], lines.ends[record + 1] - lines.ends[record])


cdef int played_next(MainLine* line, const Board* board) noexcept nogil:
    """Return the next move of a game; NO_MOVE at its end, at an illegal move, and where a file contains no move."""
    if line.next < line.end and line.next[0] >= VARIATION_BEGIN:
        return NO_MOVE
    return max(next_legal_move(line, board), NO_MOVE)


cdef bint is_goal(const Goal* goal, uint64_t key) noexcept nogil:
    for place in range(goal.key_count):
        if goal.keys[place] == key:
            return True
    return False


cdef bint out_of_reach(const Goal* goal, const Board* board) noexcept nogil:
    """Whether the position can no longer arise."""
    cdef uint64_t pawns = board.types[PAWN]
    return (
        goal.home[WHITE] & ~(pawns & board.colors[WHITE]) != 0
        or goal.home[BLACK] & ~(pawns & board.colors[BLACK]) != 0
        or goal.rights & ~board.state.rights != 0
        or count_of(board.colors[WHITE]) < goal.pieces[WHITE]
        or count_of(board.colors[BLACK]) < goal.pieces[BLACK]
        or count_of(pawns & board.colors[WHITE]) < goal.pawns[WHITE]
        or count_of(pawns & board.colors[BLACK]) < goal.pawns[BLACK]
    )


cdef inline int find_in_line(
    const Lines* lines, Py_ssize_t record, Board* board, const Goal* goal, int* move, bint chess960
) noexcept nogil:
    """Return the ply at which a game first reaches the position, with the move played there; -1 if never.

    Inline: ``chess960`` is constant.
    """
    cdef int ply = 0
    line = line_of(lines, record)
    while True:
        if is_goal(goal, board.key) and (
            not chess960 or goal.any_rights or rooks_of(board) == goal.rooks
        ):
            move[0] = played_next(&line, board)
            return ply
        if out_of_reach(goal, board) or ply == MOST_PLY:
            return -1
        move[0] = played_next(&line, board)
        if move[0] == NO_MOVE:
            return -1
        make_move(board, move[0])
        ply += 1


def find_lines(
    const uint16_t[::1] moves not None, const int64_t[::1] ends not None, const int32_t[::1] start_ends not None,
    const uint8_t[::1] starts not None, const uint8_t[::1] modes not None, bytes fen not None, bint chess960,
    bint any_rights, const uint64_t[::1] keys not None, int32_t[::1] found not None, int16_t[::1] plies not None,
    int16_t[::1] played not None
) -> int:
    """Find the games that reach a position and return their number.

    Args:
        moves: the main lines of all games.
        ends: the end of each line, preceded by the start of the first.
        start_ends: the same for the start positions.
        starts: the start positions as FEN; empty for the usual one.
        modes: how to handle each record: 0 skip it; 1 usual chess; 2 Chess960; 3 usual chess or, if the start position
            shows that, Chess960; 4 only if it shows that.
        fen: the position.
        chess960: whether its castling rights are those of Chess960.
        any_rights: whether castling rights are ignored.
        keys: its keys, for all variants that match.
        found: receives the records, with space for all of them.
        plies: receives the ply of each.
        played: receives the move played there, -1 at the end of the game.

    Raises:
        ValueError: the buffers do not match, or there is no such position.
    """
    cdef Lines lines
    cdef Goal goal
    cdef Board board
    cdef Board usual
    cdef Py_ssize_t count = 0
    cdef int mode
    cdef int ply
    cdef int move = NO_MOVE
    check_lines(&lines, moves, ends, start_ends, starts, modes)
    if min(found.shape[0], plies.shape[0], played.shape[0]) < lines.records or keys.shape[0] > MOST_KEYS:
        raise ValueError("there is too little room for what is found, or there are too many keys")
    if not read_fen(fen, len(fen), chess960, &board):
        raise ValueError("this is not a position")
    goal.key_count = keys.shape[0]
    for place in range(goal.key_count):
        goal.keys[place] = keys[place]
    goal.any_rights = any_rights
    goal.rooks = rooks_of(&board)
    goal.rights = 0 if any_rights else board.state.rights
    goal.home[WHITE] = board.types[PAWN] & board.colors[WHITE] & SECOND_RANK
    goal.home[BLACK] = board.types[PAWN] & board.colors[BLACK] & SEVENTH_RANK
    for side in range(2):
        goal.pieces[side] = count_of(board.colors[side])
        goal.pawns[side] = count_of(board.colors[side] & board.types[PAWN])
    start_board(&usual)
    with nogil:
        for record in range(lines.records):
            mode = begin_line(&lines, record, &usual, &board)
            if mode == LEAVE_OUT:
                continue
            if mode == CHESS960:
                ply = find_in_line(&lines, record, &board, &goal, &move, True)
            else:
                ply = find_in_line(&lines, record, &board, &goal, &move, False)
            if ply >= 0:
                found[count] = record
                plies[count] = ply
                played[count] = move
                count += 1
    return count


def rows_of_lines(
    const uint16_t[::1] moves not None, const int64_t[::1] ends not None, const int32_t[::1] start_ends not None,
    const uint8_t[::1] starts not None, const uint8_t[::1] modes not None, int most, int64_t[::1] keys not None,
    int32_t[::1] found not None, int16_t[::1] plies not None, int16_t[::1] played not None
) -> int:
    """Write a row for each position of each game, including repetitions, and return the number of rows.

    Args:
        moves: the main lines of all games.
        ends: the end of each line, preceded by the start of the first.
        start_ends: the same for the start positions.
        starts: the start positions as FEN; empty for the usual one.
        modes: how to handle each record, as above.
        most: the maximum number of half-moves per game.
        keys: receives Polyglot's keys as signed numbers, with space for every move and one more per record.
        found: receives the records.
        plies: receives the ply of each.
        played: receives the move played there, -1 at the end of the game.

    Raises:
        ValueError: the buffers do not match.
    """
    cdef Lines lines
    cdef Board board
    cdef Board usual
    cdef Py_ssize_t count = 0
    cdef int ply
    cdef int move
    cdef MainLine line
    cdef Py_ssize_t size = check_lines(&lines, moves, ends, start_ends, starts, modes)
    if min(keys.shape[0], found.shape[0], plies.shape[0], played.shape[0]) < size + lines.records:
        raise ValueError("there is too little room for the rows")
    if not 0 <= most <= MOST_PLY:
        raise ValueError(f"the number of half-moves must be from 0 to {MOST_PLY}")
    start_board(&usual)
    with nogil:
        for record in range(lines.records):
            if not begin_line(&lines, record, &usual, &board):
                continue
            ply = 0
            line = line_of(&lines, record)
            while True:
                move = played_next(&line, &board)
                keys[count] = <int64_t> board.key
                found[count] = record
                plies[count] = ply
                played[count] = move
                count += 1
                if move == NO_MOVE or ply == most:
                    break
                make_move(&board, move)
                ply += 1
    return count


def beginnings(
    const uint16_t[::1] moves not None, const int64_t[::1] ends not None, const int64_t[::1] records not None,
    const int16_t[::1] plies not None, uint64_t[::1] hashes not None
) -> None:
    """Hash the first moves of games, so that games with the same beginning can be found.

    Args:
        moves: the main lines of all games.
        ends: the end of each line, preceded by the start of the first.
        records: the games.
        plies: the number of half-moves of each.
        hashes: receives a hash for each.

    Raises:
        ValueError: the buffers do not match, or a game has fewer moves.
    """
    cdef uint64_t value
    cdef Py_ssize_t count = records.shape[0]
    if plies.shape[0] != count or hashes.shape[0] != count:
        raise ValueError("the buffers do not fit each other")
    for row in range(count):
        if not 0 <= records[row] < ends.shape[0] - 1:
            raise ValueError("there is no such game")
        begin = ends[records[row]]
        if plies[row] < 0 or begin < 0 or begin + plies[row] > moves.shape[0]:
            raise ValueError("a game has fewer moves")
    with nogil:
        for row in range(count):
            value = 0
            for place in range(ends[records[row]], ends[records[row]] + plies[row]):
                value = (value ^ moves[place] + 1) * MIXER
                value ^= value >> 29
            hashes[row] = value
