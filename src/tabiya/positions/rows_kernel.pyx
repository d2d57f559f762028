"""Plays the games of a batch up to a maximum ply, and writes a row per position: its key, the move, the result.

Linear in the number of moves. Variations are skipped; a game ends here at a null move and at an illegal move. A
repeated position in a game is marked, or left out if rows are by key.
"""

from libc.stdint cimport int64_t, uint16_t, uint64_t

from tabiya.chess.bits cimport bit, lowest
from tabiya.chess.board cimport BLACK, NO_FILE, NO_SQUARE, make_move, occupied, target_of
from tabiya.chess.fen_kernel cimport legal_ep, start_board
from tabiya.chess.tables_kernel cimport TABLES
from tabiya.game.main_line cimport ILLEGAL_MOVE, main_line, next_legal_move, set_up_board
from tabiya.game.view_kernel cimport BatchView
from tabiya.positions.frame cimport frame_mask, real_move
from tabiya.positions.rows cimport (
    DRAWN, LOST, MIXER, MOST_RECORDS, MOVE_AT, NO_RESULT, OUTCOME_AT, REPEATED, WON
)

cdef enum:
    CASTLING = 0x8000  # set in a move, whose squares alone do not distinguish castling from a rook move
    NO_MOVE = 0x7FFF   # after the last move
    MOST_PLY = 255

ctypedef struct Rows:
    uint64_t* words      # of all rows
    Py_ssize_t width     # of a row
    uint16_t* tapes
    uint64_t seen[256]   # keys of the current game
    Py_ssize_t count
    int mode
    int max_ply


cdef int RATING_LIMIT = 65535


cdef uint64_t mixed(uint64_t key, uint64_t value) noexcept nogil:
    """Return a new key from an old one and the value that follows it."""
    key = (key ^ value) * MIXER
    return key ^ key >> 29


cdef uint64_t frame_key(const Board* board, int* mask) noexcept nogil:
    """Return a key of the position in its frame, equal if and only if CTG's signatures are (except for collisions).

    ``mask`` is set to the mask between squares of the board and those of the frame.
    """
    cdef int us = board.turn
    cdef int rights = board.state.rights
    cdef int square
    cdef int ep = NO_SQUARE
    cdef uint64_t key
    cdef uint64_t pieces = occupied(board)
    mask[0] = frame_mask(board)
    if us == BLACK:
        rights = rights >> 2 | (rights & 3) << 2
    if board.state.ep_file != NO_FILE:
        ep = legal_ep(board)
    key = TABLES.castling_key[rights] ^ TABLES.ep_key[NO_FILE if ep == NO_SQUARE else (ep ^ mask[0]) & 7]
    while pieces:
        square = lowest(pieces)
        pieces &= pieces - 1
        key ^= TABLES.piece_key[board.squares[square] ^ us << 3][square ^ mask[0]]
    return key


cdef int outcome_of(int result, int turn) noexcept nogil:
    """Return the result of a game for the side to move. Games that were not played at the board have none."""
    if result == 1:
        return LOST if turn == BLACK else WON
    if result == 2:
        return WON if turn == BLACK else LOST
    return DRAWN if result == 3 else NO_RESULT


cdef int rating_of(int elo) noexcept nogil:
    return elo if 0 < elo <= RATING_LIMIT else 0


cdef int begin_game(const View* view, Py_ssize_t record, int mode, const Board* usual, Board* board) noexcept nogil:
    """Set up the start position; return a counter that shows whether the game has rows."""
    cdef Py_ssize_t begin = view.start.ends[record]
    cdef Py_ssize_t length = view.start.ends[record + 1] - begin if view.has_start[record] else 0
    if view.kind[record] != 0:
        return NOT_A_GAME
    if view.variant[record] != 0:
        return OTHER_VARIANT
    if length and mode == BY_LINE:
        return OTHER_START
    if not set_up_board(board, usual, view.start.data + begin, length, False):
        return BAD_START
    return OTHER_VARIANT if board.chess960 and board.state.rights else TAKEN


cdef void put_row(
    Rows* rows, const View* view, Py_ssize_t record, int turn, int64_t place, uint64_t key, uint64_t following,
    int move, int again
) noexcept nogil:
    cdef uint64_t* row = rows.words + rows.count * rows.width
    cdef uint64_t outcome = outcome_of(view.result[record], turn) | (REPEATED if again else 0)
    cdef uint64_t rating
    row[0] = key
    row[1] = <uint64_t> move << MOVE_AT | outcome << OUTCOME_AT | <uint64_t> place
    if rows.mode != BY_KEY:
        row[2] = following
    if rows.mode == BY_FRAME:
        rating = rating_of(view.black_elo[record] if turn == BLACK else view.white_elo[record])
        row[3] = rating << 16 | rating_of(view.white_elo[record] if turn == BLACK else view.black_elo[record])
    rows.count += 1


cdef int add_game(Rows* rows, const View* view, Py_ssize_t record, Board* board, int64_t place) noexcept nogil:
    """Add the rows of a game; TAKEN, or BAD_MOVE if it ends at an illegal move."""
    cdef int mask = 0
    cdef uint64_t key = 0
    cdef uint64_t following
    cdef int token
    cdef int move
    cdef int turn
    cdef int earlier
    cdef int again
    cdef int ending = TAKEN
    cdef int ply = 0
    line = main_line(view.moves + view.move_ends[record], view.move_ends[record + 1] - view.move_ends[record])
    if rows.mode == BY_FRAME:
        key = frame_key(board, &mask)
    while ply < rows.max_ply:
        token = next_legal_move(&line, board)
        if token <= 0:
            ending = BAD_MOVE if token == ILLEGAL_MOVE else TAKEN
            break
        turn = board.turn
        if rows.mode == BY_KEY:
            key = board.key
        # Only positions since the last capture or pawn move can be equal.
        again = 0
        rows.seen[ply] = key
        if rows.mode == BY_FRAME:
            rows.tapes[record * rows.max_ply + ply] = token
        earlier = ply - 1
        while earlier >= 0 and ply - earlier <= <int> board.state.halfmove:
            again |= rows.seen[earlier] == key
            earlier -= 1
        move = token
        if rows.mode == BY_FRAME:
            move = real_move(token, mask)
        elif board.colors[turn] & bit(target_of(token)):
            move |= CASTLING
        make_move(board, token)
        following = 0
        if rows.mode == BY_LINE:
            following = mixed(key, token)
        elif rows.mode == BY_FRAME:
            following = frame_key(board, &mask)
        if not (again and rows.mode == BY_KEY):
            put_row(rows, view, record, turn, place | ply, key, following, move, again)
        key = following
        ply += 1
    if rows.mode == BY_FRAME:
        again = 0
        for earlier in range(ply):
            again |= rows.seen[earlier] == key
        put_row(rows, view, record, board.turn, place | ply, key, 0, NO_MOVE, again)
    return ending


def collect_rows(
    BatchView batch not None, int mode, int max_ply, int64_t first, uint64_t[:, ::1] words not None,
    uint16_t[:, ::1] tapes not None, int64_t[::1] counters not None
) -> int:
    """Write the rows of all games of a batch and return their number.

    Args:
        batch: the games.
        mode: how a position is identified: 0 Polyglot's key, 1 the line that leads there, 2 the position in its frame.
        max_ply: the maximum number of half-moves per game, up to 255.
        first: the number of the first record.
        words: receives the rows, with space for every move and one more per record; 2, 3 or 4 words each, by mode:
            the key of the position;
            move << 48 | outcome << 40 | number of the record << 8 | ply. The move is a token, with 0x8000 for castling
            (modes 0 and 1), or in the frame (mode 2), where 0x7fff follows the last one. The outcome
            is the result for the side to move: 0 none, 1 won, 2 lost, 3 drawn; + 4 if the position repeats in the game;
            the key after the move (modes 1 and 2);
            rating of the side to move << 16 | rating of the opponent, 0 if there is none (mode 2).
        tapes: receives the counted moves of each record, a row of ``max_ply`` tokens each, padded with zeros (mode 2).
        counters: six numbers, to which the numbers of games are added: used, and unused by reason.

    Raises:
        ValueError: the rows are too short or too few, or there are more records than a row can number.
    """
    cdef View* view = &batch.view
    cdef Py_ssize_t most_rows = view.records + (view.move_ends[view.records] - view.move_ends[0] if view.records else 0)
    cdef Rows rows
    cdef Board usual
    cdef Board board
    cdef int taken
    if not 1 <= max_ply <= MOST_PLY or not BY_KEY <= mode <= BY_FRAME or counters.shape[0] != COUNTERS:
        raise ValueError("no such mode, number of plies or set of counters")
    if not 0 <= first <= MOST_RECORDS - view.records:
        raise ValueError("there are more records than can be counted")
    if (
        words.shape[0] < most_rows
        or words.shape[1] != mode + 2
        or (mode == BY_FRAME and (tapes.shape[0] != view.records or tapes.shape[1] != max_ply))
    ):
        raise ValueError("there is too little room for this batch")
    if most_rows == 0:
        return 0
    rows.words = &words[0, 0]
    rows.width = words.shape[1]
    rows.tapes = &tapes[0, 0] if mode == BY_FRAME else NULL
    rows.count = 0
    rows.mode = mode
    rows.max_ply = max_ply
    start_board(&usual)
    with nogil:
        for record in range(view.records):
            taken = begin_game(view, record, mode, &usual, &board)
            if taken == TAKEN:
                taken = add_game(&rows, view, record, &board, first + record << 8)
            counters[taken] += 1
    return rows.count
