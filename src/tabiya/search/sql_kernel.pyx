"""Plays main lines and returns keys, FENs, moves, material, and the ply at which a position first occurs.

Linear in the number of moves. A line ends before its first illegal move; null moves count as moves. Missing results
(a ply after the end, an impossible start position) are marked in ``found``.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t

from tabiya.chess.board cimport BLACK, KING, NO_FILE, NO_SQUARE, PAWN, QUEEN, WHITE, is_legal, make_move
from tabiya.chess.fen_kernel cimport MAX_COUNT, MAX_FEN, format_fen, legal_ep, start_board
from tabiya.chess.letters cimport DOT, SPACE, format_number
from tabiya.chess.rules_kernel cimport check_mark
from tabiya.chess.san cimport MAX_SAN, format_san, letter_of_piece
from tabiya.chess.tables_kernel cimport TABLES
from tabiya.game.main_line cimport MainLine, main_line, next_legal_move, next_move, set_up_board

cdef enum:
    PIECE_BITS = 6     # per number of pieces in the signature of a material
    MOST_PIECES = 64   # on a board
    MOVE_TEXT_SIZE = 24  # number, dot, blanks and move in the text of a line

ctypedef struct LineSpan:
    const uint16_t* moves
    const int64_t* ends
    const uint8_t* start_letters
    const int32_t* start_ends
    const uint8_t* variants
    const uint8_t* usable
    Board usual


cdef int POSITION = 0
cdef int MATERIAL = 1
cdef int MOVE = 2
cdef int LINE = 3


cdef bint begin_line(const LineSpan* span, Py_ssize_t record, Board* board) noexcept nogil:
    """Set up the start position of a record; False if it is unknown or impossible."""
    cdef Py_ssize_t begin = span.start_ends[record]
    cdef Py_ssize_t length = span.start_ends[record + 1] - begin
    return span.usable[record] and set_up_board(
        board, &span.usual, span.start_letters + begin, length, span.variants[record] == 1
    )


cdef MainLine line_of(const LineSpan* span, Py_ssize_t record) noexcept nogil:
    return main_line(span.moves + span.ends[record], span.ends[record + 1] - span.ends[record])


cdef inline bint play_next(MainLine* line, Board* board) noexcept nogil:
    """Play the next move; False at the end of the line and at an illegal move."""
    cdef int move = next_move(line)
    # Not ``next_legal_move``: C compilers do not inline a function within a function here, which costs 5 %.
    if move < 0 or move and not is_legal(board, move):
        return False
    make_move(board, move)
    return True


cdef int64_t play_to(const LineSpan* span, Py_ssize_t record, int64_t ply, Board* board) noexcept nogil:
    """Play that many moves, or all if there are fewer, and return their number."""
    cdef int64_t played = 0
    line = line_of(span, record)
    while played < ply and play_next(&line, board):
        played += 1
    return played


cdef int64_t go_to(const LineSpan* span, Py_ssize_t record, int64_t ply, Board* board) noexcept nogil:
    """Set up the position at a ply, counted from the end if negative, and return the ply; -1 if there is none."""
    cdef int64_t played
    if not begin_line(span, record, board):
        return -1
    if ply < 0:
        ply += play_to(span, record, span.ends[record + 1] - span.ends[record], board) + 1
        if ply < 0 or not begin_line(span, record, board):
            return -1
    played = play_to(span, record, ply, board)
    return played if played == ply else -1


cdef uint64_t sound_key(const Board* board) noexcept nogil:
    """Polyglot's key, without the en passant file where no capture is legal: other programs write ``-`` there."""
    if board.state.ep_file == NO_FILE or legal_ep(board) != NO_SQUARE:
        return board.key
    return board.key ^ TABLES.ep_key[board.state.ep_file]


cdef uint64_t material_of(const Board* board) noexcept nogil:
    """Return the numbers of pieces by kind, six bits each: white pawns in the lowest, black queens in the highest."""
    cdef uint64_t signature = 0
    cdef uint64_t pieces
    cdef int color
    cdef int piece_type
    for color in range(BLACK, WHITE - 1, -1):
        for piece_type in range(QUEEN, PAWN - 1, -1):
            signature <<= PIECE_BITS
            pieces = board.colors[color] & board.types[piece_type]
            while pieces:
                signature += 1
                pieces &= pieces - 1
    return signature


cdef int format_position(Board* board, uint8_t* out) noexcept nogil:
    """Write the FEN; counters stop at the limits of a FEN."""
    board.state.halfmove = min(board.state.halfmove, <unsigned int> MAX_COUNT)
    board.fullmove = min(board.fullmove, <unsigned int> MAX_COUNT)
    return format_fen(board, board.state.ep_given, out)


cdef int format_material(const Board* board, uint8_t* out) noexcept nogil:
    """Write ``KRPPKRP``: the pieces of White, then those of Black, strongest first."""
    cdef int length = 0
    cdef int color
    cdef int piece_type
    cdef uint64_t pieces
    for color in range(WHITE, BLACK + 1):
        for piece_type in range(KING, 0, -1):
            pieces = board.colors[color] & board.types[piece_type]
            while pieces:
                pieces &= pieces - 1
                out[length] = ord("P") if piece_type == PAWN else letter_of_piece(piece_type)
                length += 1
    return length


cdef int format_move(Board* board, int token, uint8_t* out) noexcept nogil:
    """Write a legal move or the null move with its check mark, and play it."""
    cdef int length = format_san(board, token, out)
    cdef int mark
    make_move(board, token)
    mark = check_mark(board) if token else 0
    if mark:
        out[length] = mark
        length += 1
    return length


cdef int format_next(const LineSpan* span, Py_ssize_t record, int64_t ply, Board* board, uint8_t* out) noexcept nogil:
    """Write the move that follows a position; 0 if there is none."""
    line = line_of(span, record)
    line.next += ply
    move = next_legal_move(&line, board)
    return format_move(board, move, out) if move >= 0 else 0


cdef Py_ssize_t format_line(
    const LineSpan* span, Py_ssize_t record, int64_t plies, Board* board, uint8_t* out
) noexcept nogil:
    """Write the moves of a line with their numbers, up to a number of half-moves."""
    cdef Py_ssize_t length = 0
    cdef int dots
    cdef int64_t ply
    line = line_of(span, record)
    for ply in range(plies):
        move = next_legal_move(&line, board)
        if move < 0:
            break
        if ply:
            out[length] = SPACE
            length += 1
        dots = 1 if board.turn == WHITE else 3 if ply == 0 else 0
        if dots:
            length += format_number(board.fullmove, out + length)
            while dots:
                out[length] = DOT
                length += 1
                dots -= 1
            out[length] = SPACE
            length += 1
        length += format_move(board, move, out + length)
    return length


cdef Py_ssize_t put_text(
    const LineSpan* span, Py_ssize_t record, int what, int64_t ply, Board* board, uint8_t* out
) noexcept nogil:
    """Write the requested text for the current position, or for a line whose start position is set up."""
    if what == POSITION:
        return format_position(board, out)
    if what == MATERIAL:
        return format_material(board, out)
    if what == MOVE:
        return format_next(span, record, ply, board, out)
    return format_line(span, record, ply, board, out)


cdef class Lines:
    """The main lines of some records, checked once.

    Args:
        moves: their concatenated moves, without variations.
        ends: the end of each line, after a 0.
        start_letters: the FENs of all start positions; an empty one is the usual start.
        start_ends: the end of each FEN, preceded by the start of the first.
        variants: 1 for Chess960, one per record.
        known: 0 for records that are skipped and have no results.

    Raises:
        ValueError: the buffers do not match.
    """

    cdef LineSpan span
    cdef Py_ssize_t records
    cdef tuple owners  # keep the memory alive that ``span`` points to

    def __init__(
        self, const uint16_t[::1] moves not None, const int64_t[::1] ends not None,
        const uint8_t[::1] start_letters not None, const int32_t[::1] start_ends not None,
        const uint8_t[::1] variants not None, const uint8_t[::1] usable not None
    ):
        cdef LineSpan* span = &self.span
        cdef Py_ssize_t records = ends.shape[0] - 1
        cdef Py_ssize_t record
        if records < 0 or start_ends.shape[0] != records + 1:
            raise ValueError("the buffers of the lines do not fit each other")
        if variants.shape[0] != records or usable.shape[0] != records:
            raise ValueError("the buffers of the lines do not fit each other")
        if ends[0] < 0 or ends[records] > moves.shape[0]:
            raise ValueError("the lines reach beyond their moves")
        if start_ends[0] < 0 or start_ends[records] > start_letters.shape[0]:
            raise ValueError("the start positions reach beyond their letters")
        for record in range(records):
            if ends[record] > ends[record + 1] or start_ends[record] > start_ends[record + 1]:
                raise ValueError("the ends must not descend")
        self.owners = (moves, ends, start_letters, start_ends, variants, usable)
        self.records = records
        span.moves = &moves[0] if moves.shape[0] else NULL
        span.ends = &ends[0]
        span.start_letters = &start_letters[0] if start_letters.shape[0] else NULL
        span.start_ends = &start_ends[0]
        span.variants = &variants[0] if records else NULL
        span.usable = &usable[0] if records else NULL
        start_board(&span.usual)

    cdef int check(self, Py_ssize_t arguments, Py_ssize_t answers, Py_ssize_t text_size, Py_ssize_t needed) except -1:
        if arguments != self.records or answers != self.records or text_size < needed:
            raise ValueError("there is not one argument and room for one answer per line")
        return 0

    def keys_at(
        self, const int64_t[::1] plies not None, uint64_t[::1] keys not None, uint8_t[::1] found not None
    ) -> None:
        """Write the key of the position at a ply of each line; a ply below 0 counts from the end, -1 is the last."""
        cdef Board board
        cdef Py_ssize_t record
        self.check(plies.shape[0], found.shape[0], keys.shape[0], self.records)
        with nogil:
            for record in range(self.records):
                found[record] = go_to(&self.span, record, plies[record], &board) >= 0
                keys[record] = board.key if found[record] else 0

    def texts_at(
        self, int what, const int64_t[::1] plies not None, uint8_t[::1] letters not None, int64_t[::1] ends not None,
        uint8_t[::1] found not None
    ) -> None:
        """Write a text about each line.

        Args:
            what: 0 the FEN at a ply, 1 the material there, 2 the move played there, 3 the line up to there.
            plies: a ply per line; below 0 it counts from the end.
            letters: receives the texts; ``text_size`` returns the bytes that they may need.
            ends: receives the end of each text, after a 0.
            found: receives whether each text exists.
        """
        cdef Board board
        cdef Py_ssize_t record
        cdef int64_t ply
        cdef Py_ssize_t length
        cdef Py_ssize_t end = 0
        cdef uint8_t* out = &letters[0] if letters.shape[0] else NULL
        cdef LineSpan* span = &self.span
        self.check(plies.shape[0], found.shape[0], ends.shape[0], self.records + 1)
        if letters.shape[0] < self.text_size(what):
            raise ValueError("there is too little room for the texts")
        with nogil:
            ends[0] = 0
            for record in range(self.records):
                ply = plies[record]
                if what != LINE or ply < 0:
                    ply = go_to(span, record, ply, &board)
                if what == LINE and not begin_line(span, record, &board):
                    ply = -1
                length = 0
                if ply >= 0:
                    length = put_text(span, record, what, ply, &board, out + end)
                found[record] = ply >= 0 and (length > 0 or what == LINE)
                end += length
                ends[record + 1] = end

    def text_size(self, int what) -> int:
        """Return how many bytes the texts of all lines may need."""
        if what == LINE:
            return MOVE_TEXT_SIZE * (self.positions() - self.records)
        return self.records * (MAX_FEN if what == POSITION else MOST_PIECES if what == MATERIAL else MAX_SAN)

    def positions(self) -> int:
        """Return how many positions all lines have, if all their moves are legal."""
        return self.records + self.span.ends[self.records] - self.span.ends[0]

    def first_plies(
        self, const uint64_t[::1] keys not None, int32_t[::1] plies not None, uint8_t[::1] found not None
    ) -> None:
        """Write the ply at which each line first reaches the position of a key."""
        cdef Board board
        cdef Py_ssize_t record
        cdef int64_t ply
        cdef LineSpan* span = &self.span
        self.check(keys.shape[0], found.shape[0], plies.shape[0], self.records)
        with nogil:
            for record in range(self.records):
                found[record] = plies[record] = 0
                if not begin_line(span, record, &board):
                    continue
                ply = 0
                line = line_of(span, record)
                while board.key != keys[record] and sound_key(&board) != keys[record]:
                    if not play_next(&line, &board):
                        break
                    ply += 1
                else:
                    found[record] = 1
                    plies[record] = ply

    def first_material_plies(
        self, const uint64_t[::1] signatures not None, int32_t[::1] plies not None, uint8_t[::1] found not None
    ) -> None:
        """Write the ply at which each line first has this material; a signature has six bits per kind of piece."""
        cdef Board board
        cdef Py_ssize_t record
        cdef int64_t ply
        cdef LineSpan* span = &self.span
        self.check(signatures.shape[0], found.shape[0], plies.shape[0], self.records)
        with nogil:
            for record in range(self.records):
                found[record] = plies[record] = 0
                if not begin_line(span, record, &board):
                    continue
                ply = 0
                line = line_of(span, record)
                # Only captures and promotions change the material; both reset the clock.
                while (ply and board.state.halfmove) or material_of(&board) != signatures[record]:
                    if not play_next(&line, &board):
                        break
                    ply += 1
                else:
                    found[record] = 1
                    plies[record] = ply

    def all_keys(self, uint64_t[::1] keys not None, int64_t[::1] ends not None, uint8_t[::1] found not None) -> int:
        """Write the keys of all positions of all lines, the first and the last included, and return their number."""
        cdef Board board
        cdef Py_ssize_t record
        cdef Py_ssize_t end = 0
        cdef LineSpan* span = &self.span
        self.check(self.records, found.shape[0], ends.shape[0], self.records + 1)
        if keys.shape[0] < self.positions():
            raise ValueError("there is too little room for the keys")
        with nogil:
            ends[0] = 0
            for record in range(self.records):
                found[record] = begin_line(span, record, &board)
                if found[record]:
                    keys[end] = board.key
                    end += 1
                    line = line_of(span, record)
                    while play_next(&line, &board):
                        keys[end] = board.key
                        end += 1
                ends[record + 1] = end
        return end
