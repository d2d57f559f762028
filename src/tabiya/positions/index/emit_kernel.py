"""Plays the games of a batch and writes a row per position: its key, the game, the ply, the move that was played.

Linear in the number of moves. Main lines and variations go to lists of their own. Moves are checked: a game has rows up
to the first one that is not legal. A position that occurs again in its game has another row, behind the first one; who
sorts the rows leaves it out.
"""

import cython
from cython.cimports.libc.stdint import int64_t, uint16_t, uint64_t
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.chess.bits import unlikely
from cython.cimports.tabiya.chess.board import Board, is_legal, make_move
from cython.cimports.tabiya.chess.fen_kernel import start_board
from cython.cimports.tabiya.game.batch_view import View
from cython.cimports.tabiya.game.tape_kernel import MOST_NESTED, VARIATION_BEGIN, VARIATION_END
from cython.cimports.tabiya.game.view_kernel import BatchView
from cython.cimports.tabiya.game.walk import (
    EVENT_END,
    EVENT_MOVE,
    EVENT_NO_MEMORY,
    EVENT_OPEN,
    Walk,
    begin_walk,
    free_walk,
    next_event,
    note_move,
    take_back,
)
from cython.cimports.tabiya.positions.rows_kernel import BAD_MOVE, BY_KEY, TAKEN, begin_game

MOST_GAMES = cython.declare(int64_t, 0x7FFFFFFF)


def add_main_line(tape, length, board, game, rows):
    """Add the positions of a main line, the last one included; return how it ended."""
    row: cython.pointer[Row] = rows[0]
    ending: cython.int = WHOLE
    depth: cython.Py_ssize_t = 0
    ply: cython.int = 0
    token: cython.int
    for place in range(length):
        token = tape[place]
        if unlikely(token >= VARIATION_BEGIN):
            depth += 1 if token == VARIATION_BEGIN else -1
            if token > VARIATION_END or depth < 0:
                ending = BAD_MOVE
                break
            continue
        if depth:
            continue
        if unlikely(token and not is_legal(board, token)):
            ending = BAD_MOVE
            break
        row.order = board.key ^ SIGN
        row.load = game | ply << 16 | token
        row += 1
        if unlikely(ply == MOST_PLY):
            rows[0] = row
            return TOO_LONG
        make_move(board, token)
        ply += 1
    row.order = board.key ^ SIGN
    row.load = game | ply << 16 | NO_MOVE
    rows[0] = row + 1
    return ending


def add_variations(walk, line, game, rows):
    """Add the positions that moves of variations lead to, as far as they can be played; False without memory."""
    board: cython.pointer[Board] = cython.address(line.played.board)
    event: cython.int
    while True:
        event = next_event(walk, line, cython.sizeof(Line))
        if event == EVENT_MOVE:
            if walk.token and not line.lost and not is_legal(board, walk.token):
                line.lost = True
            if line.lost:
                if walk.depth == 0:
                    return True
                continue
            note_move(walk, cython.address(line.played))
            make_move(board, walk.token)
            if walk.depth:
                rows[0].order = board.key ^ SIGN
                rows[0].load = game | cython.cast(uint64_t, walk.line.last)
                rows[0] += 1
        elif event == EVENT_OPEN:
            if not line.lost:
                take_back(cython.address(line.played))
        elif event == EVENT_END:
            return True
        elif event < 0:
            return event != EVENT_NO_MEMORY


def emit(
    batch: BatchView,
    first: int64_t,
    words: uint64_t[:, ::1],
    variations: uint64_t[:, ::1],
    counters: int64_t[::1],
) -> tuple[int, int]:
    """Write the rows of all games of a batch; return how many those of main lines and of variations are.

    Args:
        batch: the games.
        first: the number of the first record, from 0.
        words: takes the rows of main lines, with room for every move and one more per record, two words each:
            the key of the position with its first bit flipped, so that the order of rows is that of signed keys;
            game << 32 | ply << 16 | move. The move is a token; 0xffff stands behind the last one.
        variations: takes the rows of variations, with room for every move, or is empty: the same key, and
            game << 32 | number of the move that leads to the position, as annotations count them.
        counters: eight numbers, to which is added how many records are whole, no games, Chess960, from another start,
            from no position, up to a bad move, deleted, longer than 32,767 plies.

    Raises:
        ValueError: the rows are too few, or there are more records than a row can count.
        MemoryError: no memory for the open variations.
    """
    view: cython.pointer[View] = cython.address(batch.view)
    tokens: cython.Py_ssize_t = view.move_ends[view.records] - view.move_ends[0] if view.records else 0
    begin: cython.pointer[Row] = cython.NULL
    branches: cython.pointer[Row] = cython.NULL
    row: cython.pointer[Row]
    branch: cython.pointer[Row] = cython.NULL
    tape: cython.pointer[cython.const[uint16_t]]
    length: cython.Py_ssize_t
    usual: Board
    board: Board
    line: Line
    walk: Walk
    game: uint64_t
    ending: cython.int
    fits: cython.bint = True
    if not 0 <= first <= MOST_GAMES - view.records:
        raise ValueError("there are more records than can be counted")
    if words.shape[1] != 2 or variations.shape[1] != 2 or counters.shape[0] != COUNTERS:
        raise ValueError("rows have two words, and there are eight counters")
    if words.shape[0] < view.records + tokens or (variations.shape[0] and variations.shape[0] < tokens):
        raise ValueError("there is too little room for this batch")
    if view.records == 0:
        return 0, 0
    begin = cython.cast("Row*", cython.address(words[0, 0]))
    if variations.shape[0]:
        branches = cython.cast("Row*", cython.address(variations[0, 0]))
    row = begin
    branch = branches
    memset(cython.address(walk), 0, cython.sizeof(Walk))
    start_board(cython.address(usual))
    with cython.nogil:
        for record in range(view.records):
            ending = DELETED
            if not view.deleted[record]:
                ending = begin_game(view, record, BY_KEY, cython.address(usual), cython.address(board))
            if ending == TAKEN:
                game = cython.cast(uint64_t, first + record) << 32
                tape = view.moves + view.move_ends[record]
                length = view.move_ends[record + 1] - view.move_ends[record]
                line.played.board = board
                ending = add_main_line(tape, length, cython.address(board), game, cython.address(row))
                if branches != cython.NULL:
                    line.lost = False
                    begin_walk(cython.address(walk), tape, length, MOST_NESTED)
                    fits = add_variations(cython.address(walk), cython.address(line), game, cython.address(branch))
                    if not fits:
                        break
            counters[ending] += 1
    free_walk(cython.address(walk))
    if not fits:
        raise MemoryError("no memory for the open variations of a game")
    return row - begin, branch - branches
