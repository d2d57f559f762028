"""Writes the moves of a record as a ``.cbg`` blob, as ChessBase would: mode 0, or mode 10 for Chess960.

Linear in the number of moves. A tape with variations is linked into a tree first, because the stream has whole lines
before the alternatives to their moves; what is still to be written stands on a stack on the heap.
"""

import cython
from cython.cimports.libc.stdint import int32_t, uint8_t, uint64_t
from cython.cimports.libc.string import memcmp, memset
from cython.cimports.tabiya.chess.bits import likely, unlikely
from cython.cimports.tabiya.chess.board import (
    BISHOP,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    QUEEN,
    ROOK,
    Board,
    castled_king,
    code_of,
    is_legal_of,
    make_move_without_key,
    source_of,
    target_of,
)
from cython.cimports.tabiya.chess.fen_kernel import MAX_FEN, format_fen, read_fen, start_board
from cython.cimports.tabiya.chess.rules_kernel import is_legal_move
from cython.cimports.tabiya.formats.cbh.bodies.body_writer import (
    BAD_MOVES,
    BAD_START,
    LOSS_CLOCK,
    LOSS_NUMBER,
    LOSS_START,
    LOSS_VARIANT,
    MOST_BLOB,
    TOO_LARGE,
    TOO_MANY_PIECES,
    WRITTEN,
    Link,
    Return,
    lose,
)
from cython.cimports.tabiya.formats.cbh.bodies.cbg import BLOB_HEAD, CHESS, CHESS960, SETUP_BIT
from cython.cimports.tabiya.formats.cbh.bodies.cbg_setup_kernel import HOMES_SIZE, SETUP_SIZE, write_homes, write_setup
from cython.cimports.tabiya.formats.cbh.bodies.cbg_slots import move_slots, number_pieces
from cython.cimports.tabiya.formats.cbh.bodies.move_tables_kernel import (
    CODES,
    LONG_CASTLING,
    NO_SLOT,
    NULL_MOVE,
    POP,
    PUSH,
    SHORT_CASTLING,
    TRACKED,
    TWO_BYTES,
    Codes,
    step_between,
    stored_square,
)
from cython.cimports.tabiya.game.growing import grow
from cython.cimports.tabiya.game.tape_kernel import MOST_NESTED, VARIATION_BEGIN
from cython.cimports.tabiya.game.walk import EVENT_END, EVENT_MOVE, EVENT_NO_MEMORY, EVENT_OPEN, begin_walk, next_event

FLAG_SETUP = cython.declare(cython.uint, 1)
FLAG_VARIATIONS = cython.declare(cython.uint, 2)
FLAG_UNORTHODOX = cython.declare(cython.uint, 1 << 27)
MOST_BYTES_PER_MOVE = cython.declare(cython.int, 5)  # push, two-byte move, pop


def init_writer(writer):
    memset(writer, 0, cython.sizeof(writer[0]))
    start_board(cython.address(writer.usual))
    number_pieces(cython.address(writer.usual_slots), cython.address(writer.usual), False, TRACKED)


def write_moves(writer):
    """Append the blob of a game; WRITTEN, or why it cannot be written (and then nothing is appended)."""
    view = writer.view
    blob: cython.Py_ssize_t = writer.cbg.size
    begin: cython.Py_ssize_t = view.move_ends[writer.record]
    end: cython.Py_ssize_t = view.move_ends[writer.record + 1]
    failure: cython.int = prepare_start(writer)
    size: cython.Py_ssize_t
    writer.count = 0
    writer.shift = 0
    writer.positions.size = 0
    if failure == WRITTEN:
        if not write_head(writer, view.has_start[writer.record] != 0 or writer.mode == CHESS960):
            failure = TOO_MANY_PIECES
        elif not grow(cython.address(writer.cbg), MOST_BYTES_PER_MOVE * (end - begin) + 1):
            writer.no_memory = True
        elif has_variations(writer, begin, end):
            writer.statistics.flags |= FLAG_VARIATIONS
            failure = link_moves(writer, begin, end)
            if failure == WRITTEN:
                failure = write_tree(writer)
        else:
            failure = write_line(writer, begin, end)
    size = writer.cbg.size - blob
    if failure == WRITTEN and size > MOST_BLOB:
        failure = TOO_LARGE
    if failure != WRITTEN or writer.no_memory:
        writer.cbg.size = blob
        return failure
    writer.cbg.data[blob + 1] = size >> 16
    writer.cbg.data[blob + 2] = size >> 8 & 255
    writer.cbg.data[blob + 3] = size & 255
    writer.statistics.variation_plies = writer.count - writer.statistics.plies
    return WRITTEN


# --- the start position ----------------------------------------------------------------------------------------------


def prepare_start(writer):
    view = writer.view
    record: cython.Py_ssize_t = writer.record
    begin: cython.Py_ssize_t = view.start.ends[record]
    length: cython.Py_ssize_t = view.start.ends[record + 1] - begin
    chess960: cython.bint = view.variant[record] == 1
    if view.has_start[record]:
        if not read_fen(view.start.data + begin, length, chess960, cython.address(writer.start)):
            return BAD_START
        number_pieces(cython.address(writer.slots), cython.address(writer.start), False, TRACKED)
        writer.statistics.flags |= FLAG_SETUP
        note_start_losses(writer, view.start.data + begin, length)
        if writer.start.chess960 and not chess960:
            lose(writer, LOSS_VARIANT)
    else:
        writer.start = writer.usual
        writer.start.chess960 = chess960
        writer.slots = writer.usual_slots
    writer.mode = CHESS
    if writer.start.chess960:
        writer.mode = CHESS960
        writer.statistics.flags |= FLAG_UNORTHODOX | FLAG_SETUP
    writer.statistics.black_starts = writer.start.turn
    writer.board = writer.start
    return WRITTEN


def note_start_losses(writer, text, length):
    """Count what a reader of the blob will find otherwise."""
    stored: Board = writer.start
    fen: uint8_t[MAX_FEN]
    size: cython.int
    rank: cython.int = 2 if stored.turn else 5
    if stored.state.halfmove:
        lose(writer, LOSS_CLOCK)
        stored.state.halfmove = 0
    if stored.fullmove == 0 or stored.fullmove > 255:
        lose(writer, LOSS_NUMBER)
        stored.fullmove = 1 if stored.fullmove == 0 else 255
    if stored.state.ep_given != NO_SQUARE:
        stored.state.ep_given = stored.state.ep_given & 7 | rank << 3
    size = format_fen(cython.address(stored), stored.state.ep_given, fen)
    if stored.state.halfmove == writer.start.state.halfmove and stored.fullmove == writer.start.fullmove:
        if size != length or memcmp(fen, text, length):
            lose(writer, LOSS_START)


def write_head(writer, has_start):
    """Append flags, room for the size, and the start position; False if it does not fit."""
    blob: cython.Py_ssize_t = writer.cbg.size
    if not grow(cython.address(writer.cbg), BLOB_HEAD + SETUP_SIZE + HOMES_SIZE):
        writer.no_memory = True
        return True
    writer.cbg.data[blob] = writer.mode | (SETUP_BIT if has_start else 0)
    writer.cbg.size += BLOB_HEAD
    if has_start:
        if not write_setup(cython.address(writer.start), writer.cbg.data + writer.cbg.size):
            return False
        writer.cbg.size += SETUP_SIZE
        if writer.mode == CHESS960:
            write_homes(cython.address(writer.start), writer.cbg.data + writer.cbg.size)
            writer.cbg.size += HOMES_SIZE
    return True


# --- moves -----------------------------------------------------------------------------------------------------------


def put_value(writer, value):
    """Append a number of the compact coder, hidden by the table and by the number of moves before it."""
    byte: cython.int
    if writer.mode == CHESS:
        byte = CODES.encode[CHESS][value] + writer.shift
    else:
        byte = CODES.encode[CHESS960][(value + writer.shift) & 255]
    writer.cbg.data[writer.cbg.size] = byte & 255
    writer.cbg.size += 1


def put_word(writer, source, target, promotion):
    word: cython.int = stored_square(source) | stored_square(target) << 6 | promotion << 12
    put_value(writer, TWO_BYTES)
    put_value(writer, word >> 8)
    put_value(writer, word & 255)


def put_move(writer, move):
    """Append a move and play it; False if it is not legal. There must be room for three bytes."""
    board = cython.address(writer.board)
    slots = cython.address(writer.slots)
    source: cython.int = source_of(move)
    target: cython.int = target_of(move)
    us: cython.int = board.turn
    slot: cython.int
    number: cython.int = 0
    if unlikely(move == 0):
        put_value(writer, NULL_MOVE)
    elif not is_legal_move(board, move):
        return False
    elif unlikely(board.squares[target] == code_of(us, ROOK)):
        if board.chess960:
            target = castled_king(source, target)
            put_word(writer, target, target, 0)
        else:
            put_value(writer, SHORT_CASTLING if target > source else LONG_CASTLING)
    elif unlikely(move >> 12):
        put_word(writer, source, target, 4 - (move >> 12))
    else:
        slot = slots.at[source]
        if likely(slot != NO_SLOT):
            number = CODES.number[us][slot][step_between(source, target)]
        if likely(number != 0):
            put_value(writer, number)
        else:
            put_word(writer, source, target, 0)
    if move:
        move_slots(slots, board, move)
    make_move_without_key(board, move)
    writer.shift += 1
    writer.count += 1
    return True


def has_variations(writer, begin, end):
    for index in range(begin, end):
        if writer.view.moves[index] >= VARIATION_BEGIN:
            return True
    return False


def write_line(writer, begin, end):
    """Write a game without variations: the tape is the stream."""
    place: cython.Py_ssize_t = begin
    while place < end:
        place = write_plain(writer, place, end)
        if place < end:
            if not put_move(writer, writer.view.moves[place]):
                return BAD_MOVES
            place += 1
    note_main_line(writer)
    put_value(writer, POP)
    return WRITTEN


def write_plain(writer, begin, end):
    """Write moves of one byte up to anything else, illegal moves included, and say where that stands.

    Nearly all moves are written here; what changes with each of them is kept in variables, as in ``read_plain``.
    """
    board = cython.address(writer.board)
    slots = cython.address(writer.slots)
    codes: cython.pointer[cython.const[Codes]] = cython.address(CODES)
    table: cython.pointer[cython.const[uint8_t]] = codes.encode[writer.mode]
    out: cython.pointer[uint8_t] = writer.cbg.data + writer.cbg.size
    before: cython.int = 0 if writer.mode == CHESS else writer.shift
    behind: cython.int = writer.shift if writer.mode == CHESS else 0
    shift_before: cython.int = writer.mode != CHESS
    us: cython.Py_ssize_t = board.turn
    place: cython.Py_ssize_t = begin
    move: cython.int
    source: cython.int
    target: cython.int
    piece: cython.int
    number: cython.int
    while place < end:
        move = writer.view.moves[place]
        source = source_of(move)
        target = target_of(move)
        piece = board.squares[source]
        if (
            unlikely(move == 0 or move >> 12 != 0 or slots.at[source] == NO_SLOT or piece >> 3 != us)
            or unlikely(board.squares[target] == code_of(us, ROOK))
            or not is_legal_of(board, piece & 7, move)
        ):
            break
        number = codes.number[us][slots.at[source]][step_between(source, target)]
        if unlikely(number == 0):
            break
        out[place - begin] = (table[(number + before) & 255] + behind) & 255
        move_slots(slots, board, move)
        make_move_without_key(board, move)
        place += 1
        before += shift_before
        behind += 1 - shift_before
        us ^= 1
    writer.cbg.size += place - begin
    writer.shift += place - begin
    writer.count += place - begin
    return place


def note_main_line(writer):
    writer.statistics.plies = writer.count
    writer.statistics.white_material = material(writer, 0)
    writer.statistics.black_material = material(writer, 1)


def clamped(writer, color, piece_type, most):
    pieces: uint64_t = writer.board.types[piece_type] & writer.board.colors[color]
    count: cython.int = 0
    while pieces and count < most:
        pieces &= pieces - 1
        count += 1
    return count


def material(writer, color):
    return (
        clamped(writer, color, PAWN, 15) << 12
        | clamped(writer, color, QUEEN, 7) << 9
        | clamped(writer, color, KNIGHT, 7) << 6
        | clamped(writer, color, BISHOP, 7) << 3
        | clamped(writer, color, ROOK, 7)
    )


# --- variations ------------------------------------------------------------------------------------------------------


def link_moves(writer, begin, end):
    """Link the moves of a tape, which must be sound, into a tree.

    An alternative to the first move of a variation is one more alternative to the move that this one replaces.
    """
    walk = cython.address(writer.walk)
    links: cython.pointer[Link]
    event: cython.int
    last: int32_t = -1
    move: int32_t
    group: int32_t
    writer.links.size = 0
    if not grow(cython.address(writer.links), (end - begin) * cython.sizeof(Link)):
        writer.no_memory = True
        return WRITTEN
    links = cython.cast(cython.pointer[Link], writer.links.data)
    begin_walk(walk, writer.view.moves + begin, end - begin, MOST_NESTED)
    while True:
        event = next_event(walk, cython.address(last), cython.sizeof(int32_t))
        if event == EVENT_MOVE:
            move = walk.line.last
            links[move].token = walk.token
            links[move].next = links[move].sibling = -1
            links[move].group = links[move].tail = move
            if last >= 0:
                links[last].next = move
            elif walk.line.replaced >= 0:
                group = links[walk.line.replaced].group
                links[move].group = group
                links[links[group].tail].sibling = move
                links[group].tail = move
            last = move
        elif event == EVENT_OPEN:
            last = -1
        elif event == EVENT_END:
            break
        elif event < 0:
            writer.no_memory |= event == EVENT_NO_MEMORY
            return BAD_MOVES
    if grow(cython.address(writer.positions), 4 * cython.cast(cython.Py_ssize_t, walk.moves)):
        writer.positions.size = 4 * cython.cast(cython.Py_ssize_t, walk.moves)
    else:
        writer.no_memory = True
    return WRITTEN


def keep_return(writer, move):
    """Keep the position, to come back to it with this move."""
    branch: cython.pointer[Return]
    if writer.returns.size // cython.sizeof(Return) >= MOST_NESTED:
        return False
    if not grow(cython.address(writer.returns), cython.sizeof(Return)):
        writer.no_memory = True
        return False
    branch = cython.cast(cython.pointer[Return], writer.returns.data + writer.returns.size)
    branch.board = writer.board
    branch.slots = writer.slots
    branch.move = move
    writer.returns.size += cython.sizeof(Return)
    return True


def write_tree(writer):
    """Write each line to its end, then the alternatives, the latest position first."""
    links = cython.cast(cython.pointer[Link], writer.links.data)
    positions = cython.cast(cython.pointer[int32_t], writer.positions.data)
    branch: cython.pointer[Return]
    move: int32_t = 0
    main_line: cython.bint = True
    writer.returns.size = 0
    if writer.no_memory:
        return WRITTEN
    while True:
        if links[move].sibling >= 0:
            put_value(writer, PUSH)
            if not keep_return(writer, links[move].sibling):
                return TOO_LARGE
        positions[move] = writer.count
        if not put_move(writer, links[move].token):
            return BAD_MOVES
        move = links[move].next
        if move >= 0:
            continue
        if main_line:
            note_main_line(writer)
            main_line = False
        put_value(writer, POP)
        if writer.returns.size == 0:
            return WRITTEN
        writer.returns.size -= cython.sizeof(Return)
        branch = cython.cast(cython.pointer[Return], writer.returns.data + writer.returns.size)
        writer.board = branch.board
        writer.slots = branch.slots
        move = branch.move
