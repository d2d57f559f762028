"""Plays the games of a batch and writes a row per position: its key, the game, the ply, the move that was played.

Linear in the number of moves. Main lines and variations go to separate lists. Moves are checked: a game has rows up to
the first illegal one. A repeated position in a game has another row after the first one; sorting removes it. Keys are
Polyglot's; those of games of Chess960 also contain the rooks that may castle (``chess960.pxd``).
"""

from libc.stdint cimport int64_t, uint16_t
from libc.string cimport memset

from tabiya.chess.bits cimport unlikely
from tabiya.chess.board cimport Board, is_legal, make_move
from tabiya.chess.fen_kernel cimport start_board
from tabiya.game.batch_view cimport View
from tabiya.game.main_line cimport ILLEGAL_MOVE, main_line, next_legal_move, set_up_board
from tabiya.game.tape_kernel cimport MOST_NESTED
from tabiya.game.view_kernel cimport BatchView
from tabiya.game.walk cimport (
    EVENT_END, EVENT_MOVE, EVENT_NO_MEMORY, EVENT_OPEN, PlayedLine, Walk, begin_walk, free_walk, next_event, note_move,
    take_back
)
from tabiya.positions.chess960 cimport chess960_key
from tabiya.positions.rows_kernel cimport BAD_MOVE, BAD_START, BY_KEY, OTHER_VARIANT, TAKEN, begin_game

cdef enum:
    NO_MOVE = 0xFFFF    # after the last move, -1 as a number of 16 bits
    MOST_PLY = 0x7FFF   # the maximum of such a number

# The outcome for a record, as index of the counters.
cdef enum:
    COMPLETE = 0
    DELETED = 6         # after those of ``begin_game``
    TOO_LONG = 7
    COUNTERS = 8

# The data of a line that is kept while its variations are played.
ctypedef struct Line:
    PlayedLine played
    bint lost           # a move could not be played


cdef int64_t MOST_GAMES = 0x7FFFFFFF


cdef int add_main_line(const uint16_t* tape, Py_ssize_t length, Board* board, uint64_t game, Row** rows) noexcept nogil:
    """Add the positions of a main line, including the last one; return the outcome."""
    cdef Row* row = rows[0]
    cdef int ply = 0
    cdef int move
    line = main_line(tape, length)
    while True:
        move = next_legal_move(&line, board)
        if move < 0:
            break
        row.order = board.key ^ SIGN
        row.load = game | ply << 16 | move
        row += 1
        if unlikely(ply == MOST_PLY):
            rows[0] = row
            return TOO_LONG
        make_move(board, move)
        ply += 1
    row.order = board.key ^ SIGN
    row.load = game | ply << 16 | NO_MOVE
    rows[0] = row + 1
    return BAD_MOVE if move == ILLEGAL_MOVE else COMPLETE


cdef void replace_keys(Row* row, const Row* end, Board* board) noexcept nogil:
    """Give the rows of a game the keys of Chess960. Not part of the loop above, which it would make slower."""
    cdef int move
    while row < end:
        row.order = chess960_key(board) ^ SIGN
        move = row.load & 0xFFFF
        if move != NO_MOVE:
            make_move(board, move)
        row += 1


cdef int begin_chess960(const View* view, Py_ssize_t record, const Board* usual, Board* board) noexcept nogil:
    """Set up the start position of a game of Chess960; TAKEN, or BAD_START."""
    cdef Py_ssize_t begin = view.start.ends[record]
    cdef Py_ssize_t length = view.start.ends[record + 1] - begin if view.has_start[record] else 0
    fits = set_up_board(board, usual, view.start.data + begin, length, view.variant[record] != 0)
    return TAKEN if fits else BAD_START


cdef int add_variations(Walk* walk, Line* line, uint64_t game, Row** rows, bint chess960) noexcept nogil:
    """Add the positions after moves of variations, as far as they can be played; False if memory is exhausted."""
    cdef Board* board = &line.played.board
    cdef int event
    while True:
        event = next_event(walk, line, sizeof(Line))
        if event == EVENT_MOVE:
            if walk.token and not line.lost and not is_legal(board, walk.token):
                line.lost = True
            if line.lost:
                if walk.depth == 0:
                    return True
                continue
            note_move(walk, &line.played)
            make_move(board, walk.token)
            if walk.depth:
                rows[0].order = (chess960_key(board) if chess960 else board.key) ^ SIGN
                rows[0].load = game | <uint64_t> walk.line.last
                rows[0] += 1
        elif event == EVENT_OPEN:
            if not line.lost:
                take_back(&line.played)
        elif event == EVENT_END:
            return True
        elif event < 0:
            return event != EVENT_NO_MEMORY


def emit(
    BatchView batch not None, int64_t first, uint64_t[:, ::1] words not None, uint64_t[:, ::1] variations not None,
    int64_t[::1] counters not None, bint chess960=True
) -> tuple[int, int]:
    """Write the rows of all games of a batch; return the numbers of rows of main lines and of variations.

    Args:
        batch: the games.
        first: the number of the first record, from 0.
        words: receives the rows of main lines, with space for every move and one more per record, two words each:
            the key of the position with its first bit flipped, so that the order of rows is that of signed keys;
            game << 32 | ply << 16 | move. The move is a token; 0xffff follows the last one.
        variations: receives the rows of variations, with space for every move, or is empty: the same key, and
            game << 32 | number of the move that leads to the position, as annotations count them.
        counters: eight numbers, to which numbers of records are added: whole, no games, Chess960 (those with rows are
            counted again by their outcome), from another start, from no position, up to a bad move, deleted, longer
            than 32,767 plies.
        chess960: whether games of Chess960 have rows.

    Raises:
        ValueError: the rows are too few, or there are more records than a row can number.
        MemoryError: no memory for the open variations.
    """
    cdef View* view = &batch.view
    cdef Py_ssize_t tokens = view.move_ends[view.records] - view.move_ends[0] if view.records else 0
    cdef Row* begin = NULL
    cdef Row* branches = NULL
    cdef Row* first_row
    cdef Row* row
    cdef Row* branch = NULL
    cdef const uint16_t* tape
    cdef Py_ssize_t length
    cdef Board usual
    cdef Board board
    cdef Line line
    cdef Walk walk
    cdef uint64_t game
    cdef int ending
    cdef bint fits = True
    cdef bint other
    if not 0 <= first <= MOST_GAMES - view.records:
        raise ValueError("there are more records than can be counted")
    if words.shape[1] != 2 or variations.shape[1] != 2 or counters.shape[0] != COUNTERS:
        raise ValueError("rows have two words, and there are eight counters")
    if words.shape[0] < view.records + tokens or (variations.shape[0] and variations.shape[0] < tokens):
        raise ValueError("there is too little room for this batch")
    if view.records == 0:
        return 0, 0
    begin = <Row*> &words[0, 0]
    if variations.shape[0]:
        branches = <Row*> &variations[0, 0]
    row = begin
    branch = branches
    memset(&walk, 0, sizeof(Walk))
    start_board(&usual)
    with nogil:
        for record in range(view.records):
            ending = DELETED
            if not view.deleted[record]:
                ending = begin_game(view, record, BY_KEY, &usual, &board)
            other = ending == OTHER_VARIANT and chess960
            if other:
                ending = begin_chess960(view, record, &usual, &board)
                if ending == TAKEN:
                    counters[OTHER_VARIANT] += 1
            if ending == TAKEN:
                game = <uint64_t> (first + record) << 32
                tape = view.moves + view.move_ends[record]
                length = view.move_ends[record + 1] - view.move_ends[record]
                line.played.board = board
                first_row = row
                ending = add_main_line(tape, length, &board, game, &row)
                if unlikely(other):
                    board = line.played.board
                    replace_keys(first_row, row, &board)
                if branches != NULL:
                    line.lost = False
                    begin_walk(&walk, tape, length, MOST_NESTED)
                    fits = add_variations(&walk, &line, game, &branch, other)
                    if not fits:
                        break
            counters[ending] += 1
    free_walk(&walk)
    if not fits:
        raise MemoryError("no memory for the open variations of a game")
    return row - begin, branch - branches
