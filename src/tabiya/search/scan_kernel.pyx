"""Runs the program of a condition over the positions of many games; returns its first and last match and their number.

Reads tapes and start positions as plain buffers, so that batches and memory-mapped files are handled alike. Linear in
the number of tokens. Moves are trusted to be legal, which readers ensure; a move without a piece of the side to move
ends its game, and no token can access memory beyond a board. On a tape with illegal moves, the fast path for main lines
and the plain one for variations see the same pieces and captures; they may differ about checks, mates and castling,
because the fast path does not look for captured kings. A game is left as soon as it cannot meet the condition any more:
required pawns have left their start squares, or required pieces are gone.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t, uint8_t
from libc.string cimport memset

from tabiya.chess.bits cimport bit, unlikely
from tabiya.chess.board cimport (
    BLACK, EMPTY, KING, KNIGHT, MAX_MOVES, NO_FILE, NO_SQUARE, PAWN, QUEEN, WHITE, Board, in_check,
    make_move_without_key, source_of, target_of
)
from tabiya.chess.fen_kernel cimport legal_ep, start_board
from tabiya.chess.rules_kernel cimport has_legal_move, legal_moves
from tabiya.chess.tables_kernel cimport TABLES
from tabiya.game.main_line cimport main_line, next_move, set_up_board
from tabiya.game.tape_kernel cimport MOST_NESTED, VARIATION_BEGIN, VARIATION_END
from tabiya.game.walk cimport (
    EVENT_CLOSE, EVENT_MOVE, EVENT_NO_MEMORY, EVENT_OPEN, Walk, begin_walk, coming, free_walk, moves_own_piece,
    next_event
)
from tabiya.search.instructions cimport (
    FAILS, HOLDS, KINDS_OF_PAWNS, MOST_BLOCKS, NEVER, NO_MOVE, OP_EARLIER, OP_EN_PASSANT, OP_GIVES_CHECK, OP_LASTING,
    OP_MATE, OP_PAWNS, OP_SACRIFICE, OP_SO_FAR, OP_STALEMATE, OP_VALUE, OPERATIONS, VALUES, Instruction, Line,
    captured_by, holds_at
)
from tabiya.search.playing cimport (
    BELOW_ZERO, absent, follow, force_of, forces_of, four_numbers, is_few, is_plain, number_of,
    passed_by, play_special, settle
)

# === rare conditions ==================================================================================================
# Slow or rare tests of a position: en passant, checks, mates, sacrifices.
#
# Reads a board and the move that is played next. At worst linear in the number of legal moves.

cdef int worth_of(int piece_type) noexcept nogil:
    """Return the usual value of a piece, in pawns."""
    if piece_type == QUEEN:
        return 9
    if piece_type > KNIGHT + 1:
        return 5
    return 3 if piece_type > PAWN else 1


cdef bint is_sacrifice(const Board* board, int move, int least) noexcept nogil:
    """Return whether a move captures a piece worth at least ``least`` less and can be answered by a recapture."""
    cdef uint16_t replies[MAX_MOVES]
    cdef Board after
    cdef int mover
    cdef int taken
    cdef int target = target_of(move)
    if move <= 0:
        return False
    mover = board.squares[source_of(move)] & 7
    taken = captured_by(board, move) & 7
    if taken == EMPTY or mover == KING or worth_of(mover) - worth_of(taken) < least:
        return False
    after = board[0]
    make_move_without_key(&after, move)
    for reply in range(legal_moves(&after, replies, MAX_MOVES)):
        if target_of(replies[reply]) == target:
            return True
    return False


cdef bint gives_check(const Board* board, int move, bint mate) noexcept nogil:
    """Return whether a move gives check, and with ``mate`` whether there is no legal answer."""
    cdef Board after
    if move <= 0:
        return False
    after = board[0]
    make_move_without_key(&after, move)
    return in_check(&after) and not (mate and has_legal_move(&after))


cdef int legal_ep_here(const Board* board) noexcept nogil:
    """Return the square of a legal en passant capture, on a board that knows only the passed square."""
    cdef Board known
    if board.state.ep == NO_SQUARE:
        return NO_SQUARE
    known = board[0]
    known.state.ep_file = NO_FILE
    if TABLES.pawn[board.turn ^ 1][board.state.ep] & board.types[PAWN] & board.colors[board.turn]:
        known.state.ep_file = board.state.ep & 7
    return legal_ep(&known)


cdef bint holds_rarely(const Line* line, const Instruction* test, int move) noexcept nogil:
    """Return whether an instruction holds that is slow or rarely reached."""
    cdef const Board* board = &line.board
    if test.operation == OP_EN_PASSANT:
        return legal_ep_here(board) == test.low
    if test.operation == OP_GIVES_CHECK:
        return gives_check(board, move, test.low != 0)
    if test.operation == OP_SACRIFICE:
        return is_sacrifice(board, move, test.low)
    if test.operation == OP_MATE:
        return in_check(board) and not has_legal_move(board)
    return not in_check(board) and not has_legal_move(board)


# === games ============================================================================================================

# What must remain for a game to meet the condition later: unmoved pawns, and numbers of pieces.
ctypedef struct Needs:
    uint64_t home[2]
    uint64_t forces             # four packed numbers

# Requirements for anything to hold that has not held before: checked at every move, before the program runs.
ctypedef struct Gate:
    uint64_t squares            # all of which contain their piece
    uint64_t targets            # of the move
    uint64_t surplus            # four packed numbers: the maximum surplus over what is required
    uint8_t pieces[64]          # piece codes, by square

ctypedef struct Scan:
    const Instruction* program
    const int32_t* begins       # starts of the blocks of the program; the last block is the condition itself
    int blocks
    Needs needs
    Gate gate
    uint64_t forces[16]         # by piece code: what to subtract for a captured piece
    bint everything             # continue after the first match

# A line, and its state before its last move, in case a variation replaces that move.
ctypedef struct Branch:
    Line now
    Line before

# The buffers of many games.
ctypedef struct Games:
    const uint16_t* moves
    int64_t tokens
    const int64_t* offsets
    const uint8_t* starts
    int64_t start_size
    const int64_t* start_offsets   # NULL if all games start from the usual position
    const uint8_t* variants
    const uint8_t* results
    const uint8_t* selected
    bint variations
    const int32_t* values          # NULL if the program needs none
    int64_t value_count            # of each kind
    const int64_t* value_offsets
    Board usual

# The result for a game.
ctypedef struct Found:
    int32_t first               # plies, -1 if there is no match
    int32_t last
    int32_t count
    int32_t place               # the index on the tape of the move before the first match, -1 for the start


cdef int NEEDS = 25
cdef int MOST_INSTRUCTIONS = 32000
cdef int LAST_CODE = 15
cdef int64_t NO_PLY = 0x40000000
cdef uint64_t UNREACHED = 127  # more pieces than squares


cdef bint run_block(const Scan* scan, const Line* line, int block, int move) noexcept nogil:
    cdef int at = scan.begins[block]
    cdef const Instruction* test
    while at >= 0:
        test = scan.program + at
        if unlikely(
            test.operation == OP_EN_PASSANT
            or test.operation == OP_GIVES_CHECK
            or test.operation == OP_SACRIFICE
            or test.operation == OP_MATE
            or test.operation == OP_STALEMATE
        ):
            at = test.holds if holds_rarely(line, test, move) else test.fails
        else:
            at = test.holds if holds_at(line, test, move) else test.fails
    return at == HOLDS


cdef bint matches(const Scan* scan, Line* line, int move) noexcept nogil:
    """Return whether the condition holds here; updates all blocks that other blocks refer to."""
    cdef int last = scan.blocks - 1
    cdef bint found
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


cdef bint cannot_match(const Scan* scan, const Board* board) noexcept nogil:
    """Return whether the condition can hold neither here nor later: pieces do not return, pawns do not move back."""
    cdef uint64_t moved_pawns = 0
    for color in range(WHITE, BLACK + 1):
        moved_pawns |= scan.needs.home[color] & ~(board.types[PAWN] & board.colors[color])
    return moved_pawns != 0 or (forces_of(board) - scan.needs.forces) & BELOW_ZERO != 0


cdef bint take(const Scan* scan, Line* line, int move, Found* found) noexcept nogil:
    """Test the current position; return whether this game is done."""
    if not matches(scan, line, move):
        return False
    if found.count == 0:
        found.first = line.ply
        found.place = line.place
    found.last = line.ply
    found.count += 1
    return not scan.everything


cdef bint is_idle(const Scan* scan, const Line* line) noexcept nogil:
    """Return whether no block that other blocks refer to holds or has held."""
    for block in range(scan.blocks - 1):
        if line.last[block] != NEVER:
            return False
    return True


cdef void scan_main_line(
    const Scan* scan, Line* line, const uint16_t* tape, Py_ssize_t length, Found* found
) noexcept nogil:
    """Play the main line on the squares alone; the rest of the board is updated only where the gate is open.

    Values passed by address would have to be stored at every move, so this loop passes them by value.
    """
    cdef int token
    cdef int source
    cdef int target
    cdef int piece
    cdef int captured
    cdef uint64_t goal
    cdef uint64_t moved
    cdef bint plain
    cdef bint looks
    cdef Board* board = &line.board
    cdef const Gate* gate = &scan.gate
    cdef uint64_t homes = scan.needs.home[WHITE] | scan.needs.home[BLACK]
    cdef uint64_t missing = absent(board, gate.pieces, gate.squares)
    cdef uint64_t spare = forces_of(board) - scan.needs.forces
    cdef uint64_t touched = 0
    cdef int us = board.turn
    cdef int passed = board.state.ep
    cdef bint idle = True
    cdef int ply = 0
    moves = main_line(tape, length)
    while True:
        token = next_move(&moves)
        if token < 0:
            break
        source = source_of(token)
        target = target_of(token)
        piece = board.squares[source]
        captured = board.squares[target]
        goal = bit(target)
        moved = bit(source) | goal
        plain = is_plain(piece, captured, token, us, passed)
        if unlikely(not plain):
            board.turn = us
            if not moves_own_piece(board, token):
                break
        looks = not idle or (missing == 0 and gate.targets & goal and is_few(gate.surplus, spare))
        if looks:
            settle(board, touched, us, passed)
            touched = 0
            line.ply = ply
            if take(scan, line, token, found):
                return
            idle = is_idle(scan, line)
        if unlikely(not plain):
            touched = play_special(board, touched, us, passed, token)
            if touched == 0:
                spare = forces_of(board) - scan.needs.forces
            missing = absent(board, gate.pieces, gate.squares)
            passed = board.state.ep
        else:
            if looks:
                follow(board, piece, captured, token, us)
            else:
                touched |= moved
            board.squares[target] = piece
            board.squares[source] = EMPTY
            missing = (missing | moved & gate.squares) & ~(goal if piece == gate.pieces[target] else 0)
            spare -= scan.forces[captured]
            passed = passed_by(piece, token)
        us ^= 1
        ply += 1
        if unlikely(moved & homes | spare & BELOW_ZERO):
            return
    if not idle or (missing == 0 and ~gate.targets == 0 and is_few(gate.surplus, spare)):
        settle(board, touched, us, passed)
        line.ply = ply
        take(scan, line, NO_MOVE, found)


cdef bint scan_all_lines(
    const Scan* scan, Branch* branch, const uint16_t* tape, Py_ssize_t length, Walk* walk, Found* found
) noexcept nogil:
    """Play the variations as well; False if memory is exhausted. A position is tested once per move played in it."""
    cdef Line* line = &branch.now
    cdef int event
    begin_walk(walk, tape, length, MOST_NESTED)
    while True:
        if coming(walk) == VARIATION_END and take(scan, line, NO_MOVE, found):
            return True
        event = next_event(walk, branch, sizeof(Branch))
        if event == EVENT_MOVE:
            if not moves_own_piece(&line.board, walk.token):
                take(scan, line, NO_MOVE, found)
                return True
            if coming(walk) == VARIATION_BEGIN:
                branch.before = line[0]
            if take(scan, line, walk.token, found):
                return True
            make_move_without_key(&line.board, walk.token)
            line.ply += 1
            line.place = walk.line.last
        elif event == EVENT_OPEN:
            line[0] = branch.before
            line.values = NULL
        elif event != EVENT_CLOSE:
            return event != EVENT_NO_MEMORY


cdef bint set_up(Line* line, const Games* games, int64_t fen, Py_ssize_t length, bint chess960) noexcept nogil:
    """Set up the start position of a game, from its FEN at this offset; False if that is invalid."""
    if not set_up_board(&line.board, &games.usual, games.starts + fen, length, chess960):
        return False
    line.usual = not chess960 and not (line.board.chess960 and line.board.state.rights)
    line.ply = 0
    line.place = -1
    for block in range(MOST_BLOCKS):
        line.last[block] = NEVER
        line.run[block] = 0
    return True


cdef bint is_sound(
    const Instruction* program, Py_ssize_t count, const int32_t* begins, Py_ssize_t blocks
) noexcept nogil:
    """Return whether all jumps of a program lead forward and all its references exist."""
    cdef const Instruction* test
    cdef int kinds
    cdef int at
    for block in range(blocks):
        if not 0 <= begins[block] < count:
            return False
    for at in range(count):
        test = program + at
        kinds = LAST_CODE + 1
        if test.operation == OP_PAWNS:
            kinds = KINDS_OF_PAWNS
        elif test.operation == OP_VALUE:
            kinds = VALUES
        elif test.operation in {OP_EARLIER, OP_LASTING, OP_SO_FAR}:
            kinds = blocks
        if (
            test.operation >= OPERATIONS
            or test.kind >= kinds
            or test.color > BLACK
            or not (at < test.holds < count or FAILS <= test.holds <= HOLDS)
            or not (at < test.fails < count or FAILS <= test.fails <= HOLDS)
        ):
            return False
    return True


cdef void take_values(Line* line, const Games* games, Py_ssize_t record) noexcept nogil:
    """Prepare the values of a record for its line; none if they are out of range."""
    cdef int64_t begin
    cdef int64_t end
    line.values = NULL
    if games.values == NULL:
        return
    begin = games.value_offsets[record]
    end = games.value_offsets[record + 1]
    if 0 <= begin <= end <= games.value_count and end - begin < NO_PLY:
        line.values = games.values + begin
        line.value_stride = games.value_count
        line.valued = <int32_t> (end - begin)


cdef bint scan_record(
    const Scan* scan, const Games* games, Py_ssize_t record, Branch* branch, Walk* walk, Found* found
) noexcept nogil:
    """Scan one game; False if memory is exhausted. A game that is excluded or invalid has no match."""
    cdef Line* line = &branch.now
    cdef int64_t begin = games.start_offsets[record] if games.start_offsets != NULL else 0
    cdef int64_t end = games.start_offsets[record + 1] if games.start_offsets != NULL else 0
    cdef int64_t tape = games.offsets[record]
    cdef int64_t length = games.offsets[record + 1] - tape
    found.first = found.last = found.place = -1
    found.count = 0
    if (
        not games.selected[record]
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
    take_values(line, games, record)
    if cannot_match(scan, &line.board):
        return True
    if games.variations:
        return scan_all_lines(scan, branch, games.moves + tape, length, walk, found)
    scan_main_line(scan, line, games.moves + tape, length, found)
    if found.count:
        found.place = number_of(games.moves + tape, length, found.first)
    return True


cdef void take_needs(Scan* scan, const uint64_t* needs) noexcept nogil:
    """Copy the requirements for positions; numbers that no board reaches are equivalent."""
    cdef uint64_t numbers[6]
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
                scan.gate.pieces[square] = code


def scan_games(
    const uint16_t[::1] moves not None, const int64_t[::1] offsets not None, const uint8_t[::1] start_bytes not None,
    const int64_t[::1] start_offsets not None, const uint8_t[::1] variants not None,
    const uint8_t[::1] results not None, const uint8_t[::1] selected not None, const uint8_t[:, ::1] program not None,
    const int32_t[::1] begins not None, const uint64_t[::1] needs not None, bint variations, bint everything,
    const int32_t[:, ::1] values not None, const int64_t[::1] value_offsets not None, int32_t[:, ::1] found not None
) -> None:
    """Run a program over the games of a batch.

    Args:
        moves: the tokens of all records, with or without variations.
        offsets: the start of each record's tokens in ``moves``, and the end of the last.
        start_bytes: the FENs of all records, UTF-8; an empty one is the usual start position.
        start_offsets: the start of each record's FEN in ``start_bytes``, and the end of the last. Empty if all
            games begin with the usual position.
        variants: 1 for Chess960, one per record.
        results: the results, one per record.
        wanted: 0 for records to skip.
        program: the instructions, a row of bytes each.
        begins: the start of each of its blocks.
        needs: 25 numbers; see ``Program.needs``.
        variations: whether variations are searched as well.
        everything: whether games are scanned to the end; otherwise only up to their first match.
        values: the values of all positions of the main lines, a row for each kind; no rows if the program needs none.
        value_offsets: the start of each record's values in a row, and the end of the last; empty without values.
        found: receives per record the ply of the first match, -1 if there is none; the ply of the last; the number of
            matches; and the index on the tape of the move that leads to the first, -1 for the start position.

    Raises:
        ValueError: the buffers do not match, or the program is invalid.
        MemoryError: no memory for the open variations.
    """
    cdef Py_ssize_t records = offsets.shape[0] - 1
    cdef Scan scan
    cdef Games games
    cdef Branch branch
    cdef Walk walk
    cdef bint enough = True
    if (
        records < 0
        or start_offsets.shape[0] not in {0, records + 1}
        or variants.shape[0] != records
        or results.shape[0] != records
        or selected.shape[0] != records
        or found.shape[0] != records
        or found.shape[1] != sizeof(Found) // sizeof(int32_t)
        or values.shape[0] not in {0, VALUES}
        or (values.shape[0] and value_offsets.shape[0] != records + 1)
    ):
        raise ValueError("the buffers of the games do not fit each other")
    if (
        needs.shape[0] != NEEDS
        or not 1 <= program.shape[0] <= MOST_INSTRUCTIONS
        or program.shape[1] != sizeof(Instruction)
        or not 1 <= begins.shape[0] <= MOST_BLOCKS
    ):
        raise ValueError("the program makes no sense")
    memset(&scan, 0, sizeof(Scan))
    scan.program = <const Instruction*> &program[0, 0]
    scan.begins = &begins[0]
    scan.blocks = begins.shape[0]
    scan.everything = everything
    if not is_sound(scan.program, program.shape[0], scan.begins, scan.blocks):
        raise ValueError("the program makes no sense")
    if records == 0:
        return
    take_needs(&scan, &needs[0])
    games.moves = &moves[0] if moves.shape[0] else NULL
    games.tokens = moves.shape[0]
    games.offsets = &offsets[0]
    games.starts = &start_bytes[0] if start_bytes.shape[0] else NULL
    games.start_size = start_bytes.shape[0]
    games.start_offsets = &start_offsets[0] if start_offsets.shape[0] else NULL
    games.variants = &variants[0]
    games.results = &results[0]
    games.selected = &selected[0]
    games.variations = variations
    games.value_count = values.shape[1]
    games.values = &values[0, 0] if values.shape[0] and values.shape[1] else NULL
    games.value_offsets = &value_offsets[0] if value_offsets.shape[0] else NULL
    start_board(&games.usual)
    memset(&walk, 0, sizeof(Walk))
    memset(&branch, 0, sizeof(Branch))
    with nogil:
        for record in range(records):
            enough = scan_record(&scan, &games, record, &branch, &walk, <Found*> &found[record, 0])
            if not enough:
                break
    free_walk(&walk)
    if not enough:
        raise MemoryError("no memory for the open variations of a game")
