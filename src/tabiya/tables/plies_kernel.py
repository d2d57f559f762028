"""Plays the main lines of a batch once and writes what tables ask for of every ply, in Arrow's own layout.

Moves as SAN, UCI and tokens, positions as FENs and keys, and what stands on moves: clocks, times, evaluations. Linear
in the size of the tapes and the number of annotations. A line ends before its first move that is not legal; null moves
count as moves. Records without a line (texts, start positions that cannot be) have no plies, and ``known`` says so.
"""

import cython
from cython.cimports.libc.stdint import int16_t, int32_t, uint16_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.tabiya.chess.board import (
    BLACK,
    KING,
    ROOK,
    Board,
    castled_king,
    code_of,
    is_legal,
    make_move,
    promotion_of,
    source_of,
    target_of,
)
from cython.cimports.tabiya.chess.fen_kernel import MAX_FEN, read_fen, start_board
from cython.cimports.tabiya.chess.san import MAX_SAN, letter_of_piece
from cython.cimports.tabiya.game.annotations.kinds import (
    KIND_BLACK_CLOCK,
    KIND_EVALUATION,
    KIND_TIME_SPENT,
    KIND_WHITE_CLOCK,
)
from cython.cimports.tabiya.game.batch_view import View
from cython.cimports.tabiya.game.columns_kernel import take
from cython.cimports.tabiya.game.growing import grow
from cython.cimports.tabiya.game.tape_kernel import VARIATION_BEGIN, VARIATION_END
from cython.cimports.tabiya.game.view_kernel import BatchView
from cython.cimports.tabiya.search.sql_kernel import format_move, format_position

MOST = cython.declare(cython.Py_ssize_t, 0x7FFFFFFF)
MAX_UCI = cython.declare(cython.Py_ssize_t, 5)
PAWNS = cython.declare(cython.int, 0)
MATE = cython.declare(cython.int, 1)


def begin_line(view, record, usual, board):
    """Set up the start position of a record; False if it is no game, or no such position can be."""
    begin: cython.Py_ssize_t = view.start.ends[record]
    end: cython.Py_ssize_t = view.start.ends[record + 1]
    if view.kind[record] != 0:
        return False
    board[0] = usual[0]
    if not view.has_start[record] or begin == end:
        return True
    return read_fen(view.start.data + begin, end - begin, view.variant[record] == 1, board)


# --- room ------------------------------------------------------------------------------------------------------------


def has_room(plies, moves):
    """Make room for all that a record with so many moves may need; False if there is no memory."""
    wanted: cython.int = plies.wanted
    count: cython.Py_ssize_t = moves + 1
    return (
        grow(cython.address(plies.numbers), 4 * count)
        and (not wanted & WANT_SAN or has_room_for_texts(cython.address(plies.san), count, MAX_SAN))
        and (not wanted & WANT_UCI or has_room_for_texts(cython.address(plies.uci), count, MAX_UCI))
        and (not wanted & WANT_MOVES or grow(cython.address(plies.tokens), 2 * count))
        and (not wanted & WANT_FENS or has_room_for_texts(cython.address(plies.fens), count, MAX_FEN))
        and (not wanted & WANT_KEYS or grow(cython.address(plies.keys), 8 * count))
        and (not wanted & WANT_CLOCKS or has_room_for_values(cython.address(plies.clocks), count, 8))
        and (not wanted & WANT_TIMES or has_room_for_values(cython.address(plies.times), count, 4))
        and (not wanted & WANT_EVALUATIONS or has_room_for_values(cython.address(plies.evaluations), count, 8))
        and (not wanted & WANT_MATES or has_room_for_values(cython.address(plies.mates), count, 4))
    )


def has_room_for_texts(texts, count, longest):
    return grow(cython.address(texts.letters), longest * count) and grow(cython.address(texts.ends), 4 * count)


def has_room_for_values(values, count, size):
    return grow(cython.address(values.numbers), size * count) and grow(cython.address(values.present), count)


def put_end(plies, ends, end):
    """Put where a list or a text ends; its room has been made."""
    stored: int32_t = end
    plies.too_large |= end > MOST
    memcpy(ends.data + ends.size, cython.address(stored), 4)
    ends.size += 4


def end_text(plies, texts, length):
    """End the text whose letters have been written behind the others."""
    texts.letters.size += length
    put_end(plies, cython.address(texts.ends), texts.letters.size)


# --- moves and positions ---------------------------------------------------------------------------------------------


def format_uci(board, token, out):
    """Write a move as engines do: castling by the king's target, in Chess960 by the rook; 0000 is the null move."""
    source: cython.int = source_of(token)
    target: cython.int = target_of(token)
    if token == 0:
        out[0] = out[1] = out[2] = out[3] = ord("0")
        return 4
    if (
        not board.chess960
        and board.squares[source] == code_of(board.turn, KING)
        and board.squares[target] == code_of(board.turn, ROOK)
    ):
        target = castled_king(source, target)
    out[0] = ord("a") + (source & 7)
    out[1] = ord("1") + (source >> 3)
    out[2] = ord("a") + (target & 7)
    out[3] = ord("1") + (target >> 3)
    if not token >> 12:
        return 4
    out[4] = letter_of_piece(promotion_of(token)) | 0x20
    return 5


def put_position(plies, board):
    if plies.wanted & WANT_KEYS:
        memcpy(plies.keys.data + plies.keys.size, cython.address(board.key), 8)
        plies.keys.size += 8
    if plies.wanted & WANT_FENS:
        end_text(
            plies,
            cython.address(plies.fens),
            format_position(board, plies.fens.letters.data + plies.fens.letters.size),
        )
    plies.positions += 1


def put_move(plies, board, token):
    """Put a legal move or the null move, and play it."""
    stored: uint16_t = token
    if plies.wanted & WANT_UCI:
        end_text(
            plies,
            cython.address(plies.uci),
            format_uci(board, token, plies.uci.letters.data + plies.uci.letters.size),
        )
    if plies.wanted & WANT_MOVES:
        memcpy(plies.tokens.data + plies.tokens.size, cython.address(stored), 2)
        plies.tokens.size += 2
    if plies.wanted & WANT_SAN:
        end_text(
            plies,
            cython.address(plies.san),
            format_move(board, token, plies.san.letters.data + plies.san.letters.size),
        )
    else:
        make_move(board, token)
    plies.moves += 1


def end_moves(plies):
    """Put what stands for the move that does not follow on the last position of a line."""
    if plies.wanted & WANT_UCI:
        end_text(plies, cython.address(plies.uci), 0)
    if plies.wanted & WANT_MOVES:
        memset(plies.tokens.data + plies.tokens.size, 0, 2)
        plies.tokens.size += 2
    if plies.wanted & WANT_SAN:
        end_text(plies, cython.address(plies.san), 0)
    plies.moves += 1


def add_line(plies, view, record, board):
    """Put all moves and positions of a line, and return how many moves its tape has."""
    tape: cython.pointer[cython.const[uint16_t]] = view.moves + view.move_ends[record]
    numbers: cython.pointer[int32_t] = cython.cast(cython.pointer[int32_t], plies.numbers.data)
    depth: cython.Py_ssize_t = 0
    number: cython.Py_ssize_t = 0
    ply: int32_t = 0
    ended: cython.bint = False
    for place in range(view.move_ends[record + 1] - view.move_ends[record]):
        if tape[place] == VARIATION_BEGIN:
            depth += 1
        elif tape[place] == VARIATION_END:
            depth -= 1
        else:
            numbers[number] = -1
            if depth == 0 and not ended:
                ended = tape[place] != 0 and not is_legal(board, tape[place])
                if not ended:
                    put_position(plies, board)
                    put_move(plies, board, tape[place])
                    numbers[number] = ply
                    ply += 1
            number += 1
    put_position(plies, board)
    return number


# --- what stands on moves --------------------------------------------------------------------------------------------


def clear(values, count, size):
    memset(values.numbers.data + values.numbers.size, 0, count * size)
    memset(values.present.data + values.present.size, 0, count)
    values.numbers.size += count * size
    values.present.size += count


def clear_values(plies, count):
    """Put so many values that are not there."""
    if plies.wanted & WANT_CLOCKS:
        clear(cython.address(plies.clocks), count, 8)
    if plies.wanted & WANT_TIMES:
        clear(cython.address(plies.times), count, 4)
    if plies.wanted & WANT_EVALUATIONS:
        clear(cython.address(plies.evaluations), count, 8)
    if plies.wanted & WANT_MATES:
        clear(cython.address(plies.mates), count, 4)


def put_double(values, slot, number):
    """Put a value in its place, unless there is one: the first of several counts."""
    if not values.present.data[slot]:
        values.present.data[slot] = 1
        memcpy(values.numbers.data + 8 * slot, cython.address(number), 8)


def put_number(values, slot, number):
    if not values.present.data[slot]:
        values.present.data[slot] = 1
        memcpy(values.numbers.data + 4 * slot, cython.address(number), 4)


def add_value(plies, kind, data, length, slot, mover):
    """Put the value of an annotation, if it is one that was asked for; clocks count on moves of their own side."""
    clock: cython.uint
    number: int16_t
    unit: int16_t
    if kind == KIND_TIME_SPENT:
        if plies.wanted & WANT_TIMES and length == 4:
            put_number(cython.address(plies.times), slot, 3600 * data[0] + 60 * data[1] + data[2])
    elif kind == KIND_EVALUATION:
        if length == 6:
            number = data[0] | data[1] << 8
            unit = data[2] | data[3] << 8
            if plies.wanted & WANT_EVALUATIONS and unit == PAWNS:
                put_double(cython.address(plies.evaluations), slot, number / 100.0)
            elif plies.wanted & WANT_MATES and unit == MATE:
                put_number(cython.address(plies.mates), slot, number)
    elif kind == (KIND_BLACK_CLOCK if mover == BLACK else KIND_WHITE_CLOCK):
        if plies.wanted & WANT_CLOCKS and length == 4:
            clock = cython.cast(cython.uint, data[0]) << 24 | data[1] << 16 | data[2] << 8 | data[3]
            put_double(cython.address(plies.clocks), slot, clock / 100.0)


def add_values(plies, view, record, moves, turn):
    """Put the values on the moves of a line that has just been added; ``turn`` is the side that began."""
    numbers: cython.pointer[int32_t] = cython.cast(cython.pointer[int32_t], plies.numbers.data)
    line: cython.Py_ssize_t = cython.cast(cython.pointer[int32_t], plies.move_ends.data)[record]
    begin: cython.Py_ssize_t
    ply: cython.int
    clear_values(plies, plies.moves - line)
    for index in range(view.annotation_ends[record], view.annotation_ends[record + 1]):
        if 0 <= view.annotation_move[index] < moves:
            ply = numbers[view.annotation_move[index]]
            if ply >= 0:
                begin = view.annotation_data.ends[index]
                add_value(
                    plies,
                    view.annotation_kind[index],
                    view.annotation_data.data + begin,
                    view.annotation_data.ends[index + 1] - begin,
                    line + ply + plies.padded,
                    turn ^ (ply & 1),
                )


# --- records ---------------------------------------------------------------------------------------------------------


def add_record(plies, view, record, usual):
    board: Board
    moves: cython.Py_ssize_t = view.move_ends[record + 1] - view.move_ends[record]
    turn: cython.int
    known: cython.bint = begin_line(view, record, usual, cython.address(board))
    if known:
        if not has_room(plies, moves):
            plies.out_of_memory = True
            return
        turn = board.turn
        moves = add_line(plies, view, record, cython.address(board))
        if plies.padded:
            end_moves(plies)
        if plies.wanted & WANT_VALUES:
            add_values(plies, view, record, moves, turn)
    plies.known.data[record] = known
    put_end(plies, cython.address(plies.move_ends), plies.moves)
    put_end(plies, cython.address(plies.position_ends), plies.positions)


def free_plies(plies):
    """Give back the columns, in the order of their declaration: all are runs of bytes."""
    column: cython.pointer[Bytes] = cython.cast(cython.pointer[Bytes], cython.address(plies.san))
    end: cython.pointer[Bytes] = cython.address(plies.numbers)
    free(plies.move_ends.data)
    free(plies.position_ends.data)
    free(plies.known.data)
    while column <= end:
        free(column.data)
        column += 1


def describe_plies(batch: BatchView, wanted: cython.int, padded: cython.bint) -> dict:
    """Return what was asked for of all plies of a batch.

    Args:
        batch: the records.
        wanted: the columns, as bits: 1 ``san``, 2 ``uci``, 4 ``tokens``, 8 ``fens``, 16 ``keys``, 32 ``clocks``,
            64 ``times``, 128 ``evaluations``, 256 ``mates``.
        padded: every column has a member for each position. Moves are those that follow on it, nothing behind the last;
            values are those on the move that led there, nothing for the first.

    Returns:
        By name, memory to be read: ``move_ends`` and ``position_ends`` (where the members of each record end, after a
        0), ``known`` (a byte per record), and every column by its name: texts with ``…_ends`` beside them, values with
        ``…_present``, a byte for each.

    Raises:
        OverflowError: these records have more plies than a column can hold.
    """
    view: cython.pointer[View] = cython.address(batch.view)
    plies: Plies
    usual: Board
    record: cython.Py_ssize_t
    ready: cython.bint
    memset(cython.address(plies), 0, cython.sizeof(Plies))
    plies.wanted = wanted
    plies.padded = padded
    start_board(cython.address(usual))
    try:
        ready = (
            grow(cython.address(plies.move_ends), 4 * (view.records + 1))
            and grow(cython.address(plies.position_ends), 4 * (view.records + 1))
            and grow(cython.address(plies.known), view.records)
            and has_room(cython.address(plies), 0)
        )
        if not ready:
            raise MemoryError("no memory for the columns of a table")
        with cython.nogil:
            plies.known.size = view.records
            put_end(cython.address(plies), cython.address(plies.move_ends), 0)
            put_end(cython.address(plies), cython.address(plies.position_ends), 0)
            if wanted & WANT_SAN:
                put_end(cython.address(plies), cython.address(plies.san.ends), 0)
            if wanted & WANT_UCI:
                put_end(cython.address(plies), cython.address(plies.uci.ends), 0)
            if wanted & WANT_FENS:
                put_end(cython.address(plies), cython.address(plies.fens.ends), 0)
            for record in range(view.records):
                add_record(cython.address(plies), view, record, cython.address(usual))
                if plies.out_of_memory or plies.too_large:
                    break
        if plies.out_of_memory:
            raise MemoryError("no memory for the columns of a table")
        if plies.too_large:
            raise OverflowError("these records have more plies than a column can hold")
        return {
            "move_ends": take(cython.address(plies.move_ends)),
            "position_ends": take(cython.address(plies.position_ends)),
            "known": take(cython.address(plies.known)),
            "san": take(cython.address(plies.san.letters)),
            "san_ends": take(cython.address(plies.san.ends)),
            "uci": take(cython.address(plies.uci.letters)),
            "uci_ends": take(cython.address(plies.uci.ends)),
            "tokens": take(cython.address(plies.tokens)),
            "fens": take(cython.address(plies.fens.letters)),
            "fens_ends": take(cython.address(plies.fens.ends)),
            "keys": take(cython.address(plies.keys)),
            "clocks": take(cython.address(plies.clocks.numbers)),
            "clocks_present": take(cython.address(plies.clocks.present)),
            "times": take(cython.address(plies.times.numbers)),
            "times_present": take(cython.address(plies.times.present)),
            "evaluations": take(cython.address(plies.evaluations.numbers)),
            "evaluations_present": take(cython.address(plies.evaluations.present)),
            "mates": take(cython.address(plies.mates.numbers)),
            "mates_present": take(cython.address(plies.mates.present)),
        }
    finally:
        free_plies(cython.address(plies))
