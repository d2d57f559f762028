"""Plays main lines: to find a position in them, or to write a row per position. Linear in the number of moves.

A game ends where a move is not legal, and after 32,767 plies, as it does in the index of a library. It is not played
further than where the position can no longer arise: pawns do not come back, men do not, nor do castling rights.
"""

import cython
from cython.cimports.libc.stdint import int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from cython.cimports.tabiya.chess.board import BLACK, PAWN, WHITE, Board, is_legal, make_move
from cython.cimports.tabiya.chess.fen_kernel import read_fen, start_board


def check_lines(lines, moves, ends, start_ends, starts, wanted):
    """Take over the buffers of main lines and return how many moves there are; ValueError if they do not fit."""
    records: cython.Py_ssize_t = wanted.shape[0]
    if ends.shape[0] != records + 1 or start_ends.shape[0] != records + 1:
        raise ValueError("there are more or fewer lines than records")
    if ends[0] < 0 or ends[records] > moves.shape[0] or start_ends[0] < 0 or start_ends[records] > starts.shape[0]:
        raise ValueError("the lines end elsewhere")
    for record in range(records):
        if ends[record] > ends[record + 1] or start_ends[record] > start_ends[record + 1]:
            raise ValueError("the ends of lines must not descend")
    lines.moves = cython.address(moves[0]) if moves.shape[0] else cython.NULL
    lines.ends = cython.address(ends[0])
    lines.start_ends = cython.address(start_ends[0])
    lines.starts = cython.address(starts[0]) if starts.shape[0] else cython.NULL
    lines.wanted = cython.address(wanted[0]) if records else cython.NULL
    lines.records = records
    return ends[records] - ends[0]


def begin_line(lines, record, usual, board):
    """Set up the start position of a game; whether it is to be played."""
    wanted: cython.int = lines.wanted[record]
    begin: cython.Py_ssize_t = lines.start_ends[record]
    length: cython.Py_ssize_t = lines.start_ends[record + 1] - begin
    if wanted == LEAVE_OUT:
        return False
    if length == 0:
        board[0] = usual[0]
        return True
    if not read_fen(lines.starts + begin, length, wanted == CHESS960, board):
        return False
    return wanted == CHESS960 or not (board.chess960 and board.state.rights)


def token_at(lines, record, ply, board):
    """Return the move that is played after so many half-moves; NO_MOVE where the game ends or goes wrong."""
    place: int64_t = lines.ends[record] + ply
    token: cython.int
    if place >= lines.ends[record + 1]:
        return NO_MOVE
    token = lines.moves[place]
    if token and (token >= NOT_A_MOVE or not is_legal(board, token)):
        return NO_MOVE
    return token


def is_goal(goal, key):
    for place in range(goal.key_count):
        if goal.keys[place] == key:
            return True
    return False


def out_of_reach(goal, board):
    """Whether the position cannot arise any more."""
    pawns: uint64_t = board.types[PAWN]
    return (
        goal.home[WHITE] & ~(pawns & board.colors[WHITE]) != 0
        or goal.home[BLACK] & ~(pawns & board.colors[BLACK]) != 0
        or goal.rights & ~board.state.rights != 0
        or count_of(board.colors[WHITE]) < goal.men[WHITE]
        or count_of(board.colors[BLACK]) < goal.men[BLACK]
        or count_of(pawns & board.colors[WHITE]) < goal.pawns[WHITE]
        or count_of(pawns & board.colors[BLACK]) < goal.pawns[BLACK]
    )


def find_in_line(lines, record, board, goal, move):
    """Return after how many half-moves a game reaches the position first, with the move played there; -1 if never."""
    ply: cython.int = 0
    while True:
        if is_goal(goal, board.key):
            move[0] = token_at(lines, record, ply, board)
            return ply
        if out_of_reach(goal, board) or ply == MOST_PLY:
            return -1
        move[0] = token_at(lines, record, ply, board)
        if move[0] == NO_MOVE:
            return -1
        make_move(board, move[0])
        ply += 1


def find_lines(
    moves: cython.const[uint16_t][::1],
    ends: cython.const[int64_t][::1],
    start_ends: cython.const[int32_t][::1],
    starts: cython.const[uint8_t][::1],
    wanted: cython.const[uint8_t][::1],
    fen: bytes,
    chess960: cython.bint,
    any_rights: cython.bint,
    keys: cython.const[uint64_t][::1],
    found: int32_t[::1],
    plies: int16_t[::1],
    played: int16_t[::1],
) -> int:
    """Find the games that reach a position and return how many they are.

    Args:
        moves: the main lines of all games.
        ends: where each of them ends, after where the first begins.
        start_ends: the same of the start positions.
        starts: these as FEN; empty for the usual one.
        wanted: what to do with each record: 0 leave it out, 1 usual chess, 2 Chess960.
        fen: the position.
        chess960: whether its castling is that of Chess960.
        any_rights: castling rights do not matter.
        keys: its keys, of all variants that are meant.
        found: takes the records, with room for all of them.
        plies: takes how many half-moves led there.
        played: takes the move that was played there, -1 where the game ends.

    Raises:
        ValueError: the buffers do not fit each other, or there is no such position.
    """
    lines: Lines
    goal: Goal
    board: Board
    usual: Board
    count: cython.Py_ssize_t = 0
    ply: cython.int
    move: cython.int = NO_MOVE
    check_lines(cython.address(lines), moves, ends, start_ends, starts, wanted)
    if min(found.shape[0], plies.shape[0], played.shape[0]) < lines.records or keys.shape[0] > MOST_KEYS:
        raise ValueError("there is too little room for what is found, or there are too many keys")
    if not read_fen(fen, len(fen), chess960, cython.address(board)):
        raise ValueError("this is not a position")
    goal.key_count = keys.shape[0]
    for place in range(goal.key_count):
        goal.keys[place] = keys[place]
    goal.rights = 0 if any_rights else board.state.rights
    goal.home[WHITE] = board.types[PAWN] & board.colors[WHITE] & SECOND_RANK
    goal.home[BLACK] = board.types[PAWN] & board.colors[BLACK] & SEVENTH_RANK
    for side in range(2):
        goal.men[side] = count_of(board.colors[side])
        goal.pawns[side] = count_of(board.colors[side] & board.types[PAWN])
    start_board(cython.address(usual))
    with cython.nogil:
        for record in range(lines.records):
            if not begin_line(cython.address(lines), record, cython.address(usual), cython.address(board)):
                continue
            ply = find_in_line(
                cython.address(lines), record, cython.address(board), cython.address(goal), cython.address(move)
            )
            if ply >= 0:
                found[count] = record
                plies[count] = ply
                played[count] = move
                count += 1
    return count


def rows_of_lines(
    moves: cython.const[uint16_t][::1],
    ends: cython.const[int64_t][::1],
    start_ends: cython.const[int32_t][::1],
    starts: cython.const[uint8_t][::1],
    wanted: cython.const[uint8_t][::1],
    most: cython.int,
    keys: int64_t[::1],
    found: int32_t[::1],
    plies: int16_t[::1],
    played: int16_t[::1],
) -> int:
    """Write a row for each position of each game, however often it occurs there, and return how many these are.

    Args:
        moves: the main lines of all games.
        ends: where each of them ends, after where the first begins.
        start_ends: the same of the start positions.
        starts: these as FEN; empty for the usual one.
        wanted: what to do with each record: 0 leave it out, 1 usual chess, 2 Chess960.
        most: how many half-moves of a game count.
        keys: takes Polyglot's keys as signed numbers, with room for every move and one more per record.
        found: takes the records.
        plies: takes how many half-moves led there.
        played: takes the move that was played there, -1 where the game ends.

    Raises:
        ValueError: the buffers do not fit each other.
    """
    lines: Lines
    board: Board
    usual: Board
    count: cython.Py_ssize_t = 0
    ply: cython.int
    move: cython.int
    room: cython.Py_ssize_t = check_lines(cython.address(lines), moves, ends, start_ends, starts, wanted)
    if min(keys.shape[0], found.shape[0], plies.shape[0], played.shape[0]) < room + lines.records:
        raise ValueError("there is too little room for the rows")
    if not 0 <= most <= MOST_PLY:
        raise ValueError(f"the number of half-moves must be from 0 to {MOST_PLY}")
    start_board(cython.address(usual))
    with cython.nogil:
        for record in range(lines.records):
            if not begin_line(cython.address(lines), record, cython.address(usual), cython.address(board)):
                continue
            ply = 0
            while True:
                move = token_at(cython.address(lines), record, ply, cython.address(board))
                keys[count] = cython.cast(int64_t, board.key)
                found[count] = record
                plies[count] = ply
                played[count] = move
                count += 1
                if move == NO_MOVE or ply == most:
                    break
                make_move(cython.address(board), move)
                ply += 1
    return count


def beginnings(
    moves: cython.const[uint16_t][::1],
    ends: cython.const[int64_t][::1],
    records: cython.const[int64_t][::1],
    plies: cython.const[int16_t][::1],
    hashes: uint64_t[::1],
) -> None:
    """Hash the first moves of games, so that those which began alike can be told.

    Args:
        moves: the main lines of all games.
        ends: where each of them ends, after where the first begins.
        records: which games.
        plies: how many half-moves of each.
        hashes: takes a number for each of them.

    Raises:
        ValueError: the buffers do not fit each other, or a game has fewer moves.
    """
    value: uint64_t
    count: cython.Py_ssize_t = records.shape[0]
    if plies.shape[0] != count or hashes.shape[0] != count:
        raise ValueError("the buffers do not fit each other")
    for row in range(count):
        if not 0 <= records[row] < ends.shape[0] - 1:
            raise ValueError("there is no such game")
        begin = ends[records[row]]
        if plies[row] < 0 or begin < 0 or begin + plies[row] > moves.shape[0]:
            raise ValueError("a game has fewer moves")
    with cython.nogil:
        for row in range(count):
            value = 0
            for place in range(ends[records[row]], ends[records[row]] + plies[row]):
                value = (value ^ moves[place] + 1) * MIXER
                value ^= value >> 29
            hashes[row] = value
