"""Plays main lines and says what stands there: keys, FENs, moves, material, and where a position comes first.

Linear in the number of moves. A line ends before its first move that is not legal; null moves count as moves. What has
no answer (a ply behind the end, a start position that cannot be) is left out, and ``found`` says so.
"""

import cython
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t, uint16_t, uint64_t
from cython.cimports.tabiya.chess.board import (
    BLACK,
    KING,
    NO_FILE,
    NO_SQUARE,
    PAWN,
    QUEEN,
    WHITE,
    Board,
    is_legal,
    make_move,
)
from cython.cimports.tabiya.chess.fen_kernel import (
    MAX_COUNT,
    MAX_FEN,
    format_fen,
    format_number,
    legal_ep,
    read_fen,
    start_board,
)
from cython.cimports.tabiya.chess.letters import DOT, SPACE
from cython.cimports.tabiya.chess.rules_kernel import check_mark
from cython.cimports.tabiya.chess.san import MAX_SAN, format_san, letter_of_piece
from cython.cimports.tabiya.chess.tables_kernel import TABLES

POSITION = cython.declare(cython.int, 0)
MATERIAL = cython.declare(cython.int, 1)
MOVE = cython.declare(cython.int, 2)
LINE = cython.declare(cython.int, 3)


def begin_line(span, record, board):
    """Set up the start position of a record; False if nothing is known of it, or no such position can be."""
    begin: cython.Py_ssize_t = span.start_ends[record]
    end: cython.Py_ssize_t = span.start_ends[record + 1]
    if not span.known[record]:
        return False
    board[0] = span.usual
    return begin == end or read_fen(span.start_letters + begin, end - begin, span.variants[record] == 1, board)


def play(board, token):
    """Play a legal move or the null move; False, and nothing changed, for any other token."""
    if token and not is_legal(board, token):
        return False
    make_move(board, token)
    return True


def length_of(span, record):
    return span.ends[record + 1] - span.ends[record]


def play_to(span, record, ply, board):
    """Play that many moves, or as many as there are, and return their number."""
    moves: cython.pointer[cython.const[uint16_t]] = span.moves + span.ends[record]
    last: int64_t = min(ply, length_of(span, record))
    played: int64_t = 0
    while played < last and play(board, moves[played]):
        played += 1
    return played


def go_to(span, record, ply, board):
    """Set up the position at a ply, counted from the end if it is below 0, and return the ply; -1 if there is none."""
    played: int64_t
    if not begin_line(span, record, board):
        return -1
    if ply < 0:
        ply += play_to(span, record, length_of(span, record), board) + 1
        if ply < 0 or not begin_line(span, record, board):
            return -1
    played = play_to(span, record, ply, board)
    return played if played == ply else -1


def sound_key(board):
    """Polyglot's key, without the en passant file where no capture is legal: other programs write ``-`` there."""
    if board.state.ep_file == NO_FILE or legal_ep(board) != NO_SQUARE:
        return board.key
    return board.key ^ TABLES.ep_key[board.state.ep_file]


def material_of(board):
    """Return the number of men of each kind, six bits each: white pawns in the lowest, black queens in the highest."""
    signature: uint64_t = 0
    men: uint64_t
    color: cython.int
    piece_type: cython.int
    for color in range(BLACK, WHITE - 1, -1):
        for piece_type in range(QUEEN, PAWN - 1, -1):
            signature <<= MEN_BITS
            men = board.colors[color] & board.types[piece_type]
            while men:
                signature += 1
                men &= men - 1
    return signature


def format_position(board, out):
    """Write the FEN; counters stop where those of a FEN do."""
    board.state.halfmove = min(board.state.halfmove, cython.cast(cython.uint, MAX_COUNT))
    board.fullmove = min(board.fullmove, cython.cast(cython.uint, MAX_COUNT))
    return format_fen(board, board.state.ep_given, out)


def format_material(board, out):
    """Write ``KRPPKRP``: the men of White, then those of Black, the greatest first."""
    length: cython.int = 0
    color: cython.int
    piece_type: cython.int
    men: uint64_t
    for color in range(WHITE, BLACK + 1):
        for piece_type in range(KING, 0, -1):
            men = board.colors[color] & board.types[piece_type]
            while men:
                men &= men - 1
                out[length] = ord("P") if piece_type == PAWN else letter_of_piece(piece_type)
                length += 1
    return length


def format_move(board, token, out):
    """Write a legal move or the null move with its check mark, and play it."""
    length: cython.int = format_san(board, token, out)
    mark: cython.int
    make_move(board, token)
    mark = check_mark(board) if token else 0
    if mark:
        out[length] = mark
        length += 1
    return length


def format_next(span, record, ply, board, out):
    """Write the move that follows on a position; 0 if none does."""
    token: cython.int
    if ply >= length_of(span, record):
        return 0
    token = span.moves[span.ends[record] + ply]
    if token and not is_legal(board, token):
        return 0
    return format_move(board, token, out)


def format_line(span, record, plies, board, out):
    """Write the moves of a line with their numbers, at most so many half-moves."""
    moves: cython.pointer[cython.const[uint16_t]] = span.moves + span.ends[record]
    last: int64_t = min(plies, length_of(span, record))
    length: cython.Py_ssize_t = 0
    dots: cython.int
    ply: int64_t
    for ply in range(last):
        if moves[ply] and not is_legal(board, moves[ply]):
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
        length += format_move(board, moves[ply], out + length)
    return length


def put_text(span, record, what, ply, board, out):
    """Write what is asked for of a position that is set up, or of a line at whose start the board stands."""
    if what == POSITION:
        return format_position(board, out)
    if what == MATERIAL:
        return format_material(board, out)
    if what == MOVE:
        return format_next(span, record, ply, board, out)
    return format_line(span, record, ply, board, out)


@cython.cclass
class Lines:
    """The main lines of some records, checked once.

    Args:
        moves: their moves, one line behind the other, without variations.
        ends: where each line ends, after a 0.
        start_letters: the FENs of all start positions; an empty one is the usual start.
        start_ends: where each FEN ends, after where the first begins.
        variants: 1 for Chess960, one per record.
        known: whether anything is asked of a record; 0 has no answers.

    Raises:
        ValueError: the buffers do not fit each other.
    """

    def __init__(
        self,
        moves: cython.const[uint16_t][::1],
        ends: cython.const[int64_t][::1],
        start_letters: cython.const[uint8_t][::1],
        start_ends: cython.const[int32_t][::1],
        variants: cython.const[uint8_t][::1],
        known: cython.const[uint8_t][::1],
    ):
        span: cython.pointer[LineSpan] = cython.address(self.span)
        records: cython.Py_ssize_t = ends.shape[0] - 1
        record: cython.Py_ssize_t
        if records < 0 or start_ends.shape[0] != records + 1:
            raise ValueError("the buffers of the lines do not fit each other")
        if variants.shape[0] != records or known.shape[0] != records:
            raise ValueError("the buffers of the lines do not fit each other")
        if ends[0] < 0 or ends[records] > moves.shape[0]:
            raise ValueError("the lines reach beyond their moves")
        if start_ends[0] < 0 or start_ends[records] > start_letters.shape[0]:
            raise ValueError("the start positions reach beyond their letters")
        for record in range(records):
            if ends[record] > ends[record + 1] or start_ends[record] > start_ends[record + 1]:
                raise ValueError("the ends must not descend")
        self.owners = (moves, ends, start_letters, start_ends, variants, known)
        self.records = records
        span.moves = cython.address(moves[0]) if moves.shape[0] else cython.NULL
        span.ends = cython.address(ends[0])
        span.start_letters = cython.address(start_letters[0]) if start_letters.shape[0] else cython.NULL
        span.start_ends = cython.address(start_ends[0])
        span.variants = cython.address(variants[0]) if records else cython.NULL
        span.known = cython.address(known[0]) if records else cython.NULL
        start_board(cython.address(span.usual))

    def check(self, arguments, answers, room, needed):
        if arguments != self.records or answers != self.records or room < needed:
            raise ValueError("there is not one argument and room for one answer per line")
        return 0

    def keys_at(self, plies: cython.const[int64_t][::1], keys: uint64_t[::1], found: uint8_t[::1]) -> None:
        """Write the key of the position at a ply of each line; a ply below 0 counts from the end, -1 is the last."""
        board: Board
        record: cython.Py_ssize_t
        self.check(plies.shape[0], found.shape[0], keys.shape[0], self.records)
        with cython.nogil:
            for record in range(self.records):
                found[record] = go_to(cython.address(self.span), record, plies[record], cython.address(board)) >= 0
                keys[record] = board.key if found[record] else 0

    def texts_at(
        self,
        what: cython.int,
        plies: cython.const[int64_t][::1],
        letters: uint8_t[::1],
        ends: int64_t[::1],
        found: uint8_t[::1],
    ) -> None:
        """Write a text about each line.

        Args:
            what: 0 the FEN at a ply, 1 the material there, 2 the move that is played there, 3 the line up to there.
            plies: a ply per line; below 0 it counts from the end.
            letters: takes the texts; ``room`` says how many bytes they may need.
            ends: takes where each text ends, after a 0.
            found: takes whether there is one.
        """
        board: Board
        record: cython.Py_ssize_t
        ply: int64_t
        length: cython.Py_ssize_t
        end: cython.Py_ssize_t = 0
        out: cython.pointer[uint8_t] = cython.address(letters[0]) if letters.shape[0] else cython.NULL
        span: cython.pointer[LineSpan] = cython.address(self.span)
        self.check(plies.shape[0], found.shape[0], ends.shape[0], self.records + 1)
        if letters.shape[0] < self.room(what):
            raise ValueError("there is too little room for the texts")
        with cython.nogil:
            ends[0] = 0
            for record in range(self.records):
                ply = plies[record]
                if what != LINE or ply < 0:
                    ply = go_to(span, record, ply, cython.address(board))
                if what == LINE and not begin_line(span, record, cython.address(board)):
                    ply = -1
                length = 0
                if ply >= 0:
                    length = put_text(span, record, what, ply, cython.address(board), out + end)
                found[record] = ply >= 0 and (length > 0 or what == LINE)
                end += length
                ends[record + 1] = end

    def room(self, what: cython.int) -> int:
        """Return how many bytes the texts of all lines may need."""
        if what == LINE:
            return ROOM_OF_MOVE * (self.positions() - self.records)
        return self.records * (MAX_FEN if what == POSITION else MOST_MEN if what == MATERIAL else MAX_SAN)

    def positions(self) -> int:
        """Return how many positions all lines have, if all their moves are legal."""
        return self.records + self.span.ends[self.records] - self.span.ends[0]

    def first_plies(self, keys: cython.const[uint64_t][::1], plies: int32_t[::1], found: uint8_t[::1]) -> None:
        """Write at which ply each line reaches the position of a key first."""
        board: Board
        record: cython.Py_ssize_t
        ply: int64_t
        span: cython.pointer[LineSpan] = cython.address(self.span)
        self.check(keys.shape[0], found.shape[0], plies.shape[0], self.records)
        with cython.nogil:
            for record in range(self.records):
                found[record] = plies[record] = 0
                if not begin_line(span, record, cython.address(board)):
                    continue
                ply = 0
                while board.key != keys[record] and sound_key(cython.address(board)) != keys[record]:
                    if ply == length_of(span, record):
                        break
                    if not play(cython.address(board), span.moves[span.ends[record] + ply]):
                        break
                    ply += 1
                else:
                    found[record] = 1
                    plies[record] = ply

    def first_material_plies(
        self, signatures: cython.const[uint64_t][::1], plies: int32_t[::1], found: uint8_t[::1]
    ) -> None:
        """Write at which ply each line has some material first; a signature has six bits per kind of man."""
        board: Board
        record: cython.Py_ssize_t
        ply: int64_t
        span: cython.pointer[LineSpan] = cython.address(self.span)
        self.check(signatures.shape[0], found.shape[0], plies.shape[0], self.records)
        with cython.nogil:
            for record in range(self.records):
                found[record] = plies[record] = 0
                if not begin_line(span, record, cython.address(board)):
                    continue
                ply = 0
                # Only captures and promotions change the material; both set the clock back.
                while (ply and board.state.halfmove) or material_of(cython.address(board)) != signatures[record]:
                    if ply == length_of(span, record):
                        break
                    if not play(cython.address(board), span.moves[span.ends[record] + ply]):
                        break
                    ply += 1
                else:
                    found[record] = 1
                    plies[record] = ply

    def all_keys(self, keys: uint64_t[::1], ends: int64_t[::1], found: uint8_t[::1]) -> int:
        """Write the keys of all positions of all lines, the first and the last included, and return their number."""
        board: Board
        record: cython.Py_ssize_t
        ply: int64_t
        end: cython.Py_ssize_t = 0
        span: cython.pointer[LineSpan] = cython.address(self.span)
        self.check(self.records, found.shape[0], ends.shape[0], self.records + 1)
        if keys.shape[0] < self.positions():
            raise ValueError("there is too little room for the keys")
        with cython.nogil:
            ends[0] = 0
            for record in range(self.records):
                found[record] = begin_line(span, record, cython.address(board))
                if found[record]:
                    keys[end] = board.key
                    end += 1
                    for ply in range(length_of(span, record)):
                        if not play(cython.address(board), span.moves[span.ends[record] + ply]):
                            break
                        keys[end] = board.key
                        end += 1
                ends[record + 1] = end
        return end
