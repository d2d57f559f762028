"""Runs the program of a condition over the positions of many games; says where it holds first, last and how often.

Reads tapes and start positions as plain buffers, so that batches and files that are mapped into memory go the same way.
Linear in the number of tokens. Moves are trusted to be legal, which readers have made sure of; one that moves no man
of the side to move ends its game, and no token can reach beyond a board. On a tape with moves that are not legal, the
faster way through main lines and the plain one through variations see the same men and captures; about checks, mates
and castling they may differ, because the faster one does not look for kings that were taken. A game is left as soon as
it cannot meet the condition any more: pawns that would have to stand at home have left it, or men are gone that the
condition needs.
"""

import cython
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t, uint16_t, uint64_t
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.chess.bits import bit, unlikely
from cython.cimports.tabiya.chess.board import (
    BLACK,
    EMPTY,
    NO_SQUARE,
    PAWN,
    WHITE,
    Board,
    make_move_without_key,
    source_of,
    target_of,
)
from cython.cimports.tabiya.chess.fen_kernel import read_fen, start_board
from cython.cimports.tabiya.game.tape_kernel import MOST_NESTED, VARIATION_BEGIN, VARIATION_END
from cython.cimports.tabiya.game.walk import (
    EVENT_CLOSE,
    EVENT_MOVE,
    EVENT_NO_MEMORY,
    EVENT_OPEN,
    Walk,
    begin_walk,
    coming,
    free_walk,
    moves_own_man,
    next_event,
)
from cython.cimports.tabiya.search.instructions import (
    FAILS,
    HOLDS,
    KINDS_OF_PAWNS,
    MOST_BLOCKS,
    NEVER,
    NO_MOVE,
    OP_EARLIER,
    OP_EN_PASSANT,
    OP_GIVES_CHECK,
    OP_LASTING,
    OP_MATE,
    OP_PAWNS,
    OP_SACRIFICE,
    OP_SO_FAR,
    OP_STALEMATE,
    OPERATIONS,
    Instruction,
    Line,
    holds_at,
)
from cython.cimports.tabiya.search.playing import (
    BELOW_ZERO,
    absent,
    end_of_variation,
    follow,
    force_of,
    forces_of,
    four_numbers,
    is_few,
    is_plain,
    number_of,
    passed_by,
    play_special,
    settle,
)
from cython.cimports.tabiya.search.rare_kernel import holds_rarely

NEEDS = cython.declare(cython.int, 25)
MOST_INSTRUCTIONS = cython.declare(cython.int, 32000)
LAST_CODE = cython.declare(cython.int, 15)
UNREACHED = cython.declare(uint64_t, 127)  # more men than squares


def run_block(scan, line, block, move):
    at: cython.int = scan.begins[block]
    asked: cython.pointer[cython.const[Instruction]]
    while at >= 0:
        asked = scan.program + at
        if unlikely(
            asked.operation == OP_EN_PASSANT
            or asked.operation == OP_GIVES_CHECK
            or asked.operation == OP_SACRIFICE
            or asked.operation == OP_MATE
            or asked.operation == OP_STALEMATE
        ):
            at = asked.holds if holds_rarely(line, asked, move) else asked.fails
        else:
            at = asked.holds if holds_at(line, asked, move) else asked.fails
    return at == HOLDS


def matches(scan, line, move):
    """Return whether the condition holds here; all blocks that others look back at are brought up to date."""
    last: cython.int = scan.blocks - 1
    found: cython.bint
    if last == 0:
        return run_block(scan, line, 0, move)
    for block in range(last):
        line.held[block] = run_block(scan, line, block, move)
    found = run_block(scan, line, last, move)
    for block in range(last):
        line.run[block] = line.run[block] + 1 if line.held[block] else 0
        if line.held[block]:
            line.last[block] = line.ply
    return found


def is_hopeless(scan, board):
    """Return whether the condition cannot be met here nor later: men do not come back, nor do pawns go back."""
    gone: uint64_t = 0
    for color in range(WHITE, BLACK + 1):
        gone |= scan.needs.home[color] & ~(board.types[PAWN] & board.colors[color])
    return gone != 0 or (forces_of(board) - scan.needs.forces) & BELOW_ZERO != 0


def take(scan, line, move, found):
    """Look at the position at hand; return whether that is enough of this game."""
    if not matches(scan, line, move):
        return False
    if found.count == 0:
        found.first = line.ply
        found.place = line.place
    found.last = line.ply
    found.count += 1
    return not scan.everything


def is_idle(scan, line):
    """Return whether no block holds that others look back at, or has held."""
    for block in range(scan.blocks - 1):
        if line.last[block] != NEVER:
            return False
    return True


def scan_main_line(scan, line, tape, length, found):
    """Go through the main line on the squares alone; the rest of the board follows where the gate is open.

    What this loop handed on by its address it would have to store at every move, so it hands on values.
    """
    board: cython.pointer[Board] = cython.address(line.board)
    gate: cython.pointer[cython.const[Gate]] = cython.address(scan.gate)
    homes: uint64_t = scan.needs.home[WHITE] | scan.needs.home[BLACK]
    missing: uint64_t = absent(board, gate.men, gate.squares)
    spare: uint64_t = forces_of(board) - scan.needs.forces
    touched: uint64_t = 0
    us: cython.int = board.turn
    passed: cython.int = board.state.ep
    idle: cython.bint = True
    at: cython.Py_ssize_t = 0
    skipped: cython.Py_ssize_t = 0
    while at < length:
        token: cython.int = tape[at]
        source: cython.int = source_of(token)
        target: cython.int = target_of(token)
        piece: cython.int = board.squares[source]
        captured: cython.int = board.squares[target]
        goal: uint64_t = bit(target)
        moved: uint64_t = bit(source) | goal
        plain: cython.bint = is_plain(piece, captured, token, us, passed)
        if unlikely(not plain):
            if token == VARIATION_BEGIN:
                end: cython.Py_ssize_t = end_of_variation(tape, length, at) + 1
                skipped += end - at
                at = end
                continue
            board.turn = us
            if not moves_own_man(board, token):
                break
        looks: cython.bint = not idle or (missing == 0 and gate.targets & goal and is_few(gate.surplus, spare))
        if looks:
            settle(board, touched, us, passed)
            touched = 0
            line.ply = at - skipped
            if take(scan, line, token, found):
                return
            idle = is_idle(scan, line)
        if unlikely(not plain):
            touched = play_special(board, touched, us, passed, token)
            if touched == 0:
                spare = forces_of(board) - scan.needs.forces
            missing = absent(board, gate.men, gate.squares)
            passed = board.state.ep
        else:
            if looks:
                follow(board, piece, captured, token, us)
            else:
                touched |= moved
            board.squares[target] = piece
            board.squares[source] = EMPTY
            missing = (missing | moved & gate.squares) & ~(goal if piece == gate.men[target] else 0)
            spare -= scan.forces[captured]
            passed = passed_by(piece, token)
        us ^= 1
        at += 1
        if unlikely(moved & homes | spare & BELOW_ZERO):
            return
    if not idle or (missing == 0 and ~gate.targets == 0 and is_few(gate.surplus, spare)):
        settle(board, touched, us, passed)
        line.ply = at - skipped
        take(scan, line, NO_MOVE, found)


def scan_all_lines(scan, branch, tape, length, walk, found):
    """Go through the variations as well; False without memory. A position is looked at once per move from there."""
    line: cython.pointer[Line] = cython.address(branch.now)
    event: cython.int
    begin_walk(walk, tape, length, MOST_NESTED)
    while True:
        if coming(walk) == VARIATION_END and take(scan, line, NO_MOVE, found):
            return True
        event = next_event(walk, branch, cython.sizeof(Branch))
        if event == EVENT_MOVE:
            if not moves_own_man(cython.address(line.board), walk.token):
                take(scan, line, NO_MOVE, found)
                return True
            if coming(walk) == VARIATION_BEGIN:
                branch.before = line[0]
            if take(scan, line, walk.token, found):
                return True
            make_move_without_key(cython.address(line.board), walk.token)
            line.ply += 1
            line.place = walk.line.last
        elif event == EVENT_OPEN:
            line[0] = branch.before
        elif event != EVENT_CLOSE:
            return event != EVENT_NO_MEMORY


def set_up(line, games, fen, length, chess960):
    """Put the start position of a game on the board, from its FEN at this place; False if that makes no sense."""
    line.board = games.usual
    if length and not read_fen(games.starts + fen, length, chess960, cython.address(line.board)):
        return False
    line.usual = not chess960 and not (line.board.chess960 and line.board.state.rights)
    line.ply = 0
    line.place = -1
    for block in range(MOST_BLOCKS):
        line.last[block] = NEVER
        line.run[block] = 0
    return True


def is_sound(program, count, begins, blocks):
    """Return whether a program goes forward only and names nothing that is not there."""
    asked: cython.pointer[cython.const[Instruction]]
    kinds: cython.int
    at: cython.int
    for block in range(blocks):
        if not 0 <= begins[block] < count:
            return False
    for at in range(count):
        asked = program + at
        kinds = LAST_CODE + 1
        if asked.operation == OP_PAWNS:
            kinds = KINDS_OF_PAWNS
        elif asked.operation in {OP_EARLIER, OP_LASTING, OP_SO_FAR}:
            kinds = blocks
        if (
            asked.operation >= OPERATIONS
            or asked.kind >= kinds
            or asked.color > BLACK
            or not (at < asked.holds < count or FAILS <= asked.holds <= HOLDS)
            or not (at < asked.fails < count or FAILS <= asked.fails <= HOLDS)
        ):
            return False
    return True


def scan_record(scan, games, record, branch, walk, found):
    """Scan one game; False without memory. One that is not wanted, or makes no sense, has no match."""
    line: cython.pointer[Line] = cython.address(branch.now)
    begin: int64_t = games.start_offsets[record] if games.start_offsets != cython.NULL else 0
    end: int64_t = games.start_offsets[record + 1] if games.start_offsets != cython.NULL else 0
    tape: int64_t = games.offsets[record]
    length: int64_t = games.offsets[record + 1] - tape
    found.first = found.last = found.place = -1
    found.count = 0
    if (
        not games.wanted[record]
        or begin < 0
        or end < begin
        or end > games.start_size
        or tape < 0
        or length < 0
        or tape + length > games.tokens
        or not set_up(line, games, begin, end - begin, games.variants[record] == 1)
    ):
        return True
    line.result = games.results[record] & LAST_CODE
    if is_hopeless(scan, cython.address(line.board)):
        return True
    if games.variations:
        return scan_all_lines(scan, branch, games.moves + tape, length, walk, found)
    scan_main_line(scan, line, games.moves + tape, length, found)
    if found.count:
        found.place = number_of(games.moves + tape, found.first)
    return True


def take_needs(scan, needs):
    """Take over what positions must have; numbers that no board reaches are all alike."""
    numbers: uint64_t[6]
    for index in range(6):
        numbers[index] = needs[2 + index] if needs[2 + index] < UNREACHED else UNREACHED
    for color in range(WHITE, BLACK + 1):
        scan.needs.home[color] = needs[color]
    scan.needs.forces = four_numbers(numbers[0], numbers[1], numbers[2], numbers[3])
    for code in range(LAST_CODE + 1):
        scan.forces[code] = force_of(code)
    scan.gate.surplus = four_numbers(numbers[4], numbers[5], UNREACHED, UNREACHED)
    scan.gate.targets = needs[8]
    for code in range(LAST_CODE + 1):
        scan.gate.squares |= needs[9 + code]
        for square in range(NO_SQUARE):
            if needs[9 + code] & bit(square):
                scan.gate.men[square] = code


def scan_games(
    moves: cython.const[uint16_t][::1],
    offsets: cython.const[int64_t][::1],
    start_bytes: cython.const[uint8_t][::1],
    start_offsets: cython.const[int64_t][::1],
    variants: cython.const[uint8_t][::1],
    results: cython.const[uint8_t][::1],
    wanted: cython.const[uint8_t][::1],
    program: cython.const[uint8_t][:, ::1],
    begins: cython.const[int32_t][::1],
    needs: cython.const[uint64_t][::1],
    variations: cython.bint,
    everything: cython.bint,
    found: int32_t[:, ::1],
) -> None:
    """Run a program over the games of a batch.

    Args:
        moves: the tokens of all records; variations are among them or not.
        offsets: where each record's tokens begin in ``moves``, and where the last one ends.
        start_bytes: the FENs of all records, UTF-8; an empty one is the usual start position.
        start_offsets: where each record's FEN begins in ``start_bytes``, and where the last one ends. Empty if all
            games begin as usual.
        variants: 1 for Chess960, one per record.
        results: the results, one per record.
        wanted: 0 for records to pass over.
        program: the instructions, a row of bytes each.
        begins: where its blocks begin.
        needs: 25 numbers; see ``Program.needs``.
        variations: whether variations are looked at as well.
        everything: whether games are gone through to the end; else up to their first match.
        found: takes per record the ply of the first match, -1 if there is none; that of the last one; how many there
            are; and the number on the tape of the move that leads to the first, -1 if that is the start position.

    Raises:
        ValueError: the buffers do not fit each other, or the program makes no sense.
        MemoryError: no memory for the open variations.
    """
    records: cython.Py_ssize_t = offsets.shape[0] - 1
    scan: Scan
    games: Games
    branch: Branch
    walk: Walk
    enough: cython.bint = True
    if (
        records < 0
        or start_offsets.shape[0] not in {0, records + 1}
        or variants.shape[0] != records
        or results.shape[0] != records
        or wanted.shape[0] != records
        or found.shape[0] != records
        or found.shape[1] != cython.sizeof(Found) // cython.sizeof(int32_t)
    ):
        raise ValueError("the buffers of the games do not fit each other")
    if (
        needs.shape[0] != NEEDS
        or not 1 <= program.shape[0] <= MOST_INSTRUCTIONS
        or program.shape[1] != cython.sizeof(Instruction)
        or not 1 <= begins.shape[0] <= MOST_BLOCKS
    ):
        raise ValueError("the program makes no sense")
    memset(cython.address(scan), 0, cython.sizeof(Scan))
    scan.program = cython.cast(cython.pointer[cython.const[Instruction]], cython.address(program[0, 0]))
    scan.begins = cython.address(begins[0])
    scan.blocks = begins.shape[0]
    scan.everything = everything
    if not is_sound(scan.program, program.shape[0], scan.begins, scan.blocks):
        raise ValueError("the program makes no sense")
    if records == 0:
        return
    take_needs(cython.address(scan), cython.address(needs[0]))
    games.moves = cython.address(moves[0]) if moves.shape[0] else cython.NULL
    games.tokens = moves.shape[0]
    games.offsets = cython.address(offsets[0])
    games.starts = cython.address(start_bytes[0]) if start_bytes.shape[0] else cython.NULL
    games.start_size = start_bytes.shape[0]
    games.start_offsets = cython.address(start_offsets[0]) if start_offsets.shape[0] else cython.NULL
    games.variants = cython.address(variants[0])
    games.results = cython.address(results[0])
    games.wanted = cython.address(wanted[0])
    games.variations = variations
    start_board(cython.address(games.usual))
    memset(cython.address(walk), 0, cython.sizeof(Walk))
    memset(cython.address(branch), 0, cython.sizeof(Branch))
    with cython.nogil:
        for record in range(records):
            enough = scan_record(
                cython.address(scan),
                cython.address(games),
                record,
                cython.address(branch),
                cython.address(walk),
                cython.cast(cython.pointer[Found], cython.address(found[record, 0])),
            )
            if not enough:
                break
    free_walk(cython.address(walk))
    if not enough:
        raise MemoryError("no memory for the open variations of a game")
