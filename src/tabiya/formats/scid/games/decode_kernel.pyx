"""Reads game data: bytes with offsets in, columns of a batch out. Linear in the bytes; no recursion.

Every move is applied to the piece lists and to a board, and must be legal. Invalid bytes end the moves with a problem,
and the stored bytes go to the extras.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from tabiya.chess.bits cimport likely
from tabiya.chess.board cimport (
    BISHOP, KING, KING_SIDE, KNIGHT, PAWN, QUEEN, QUEEN_SIDE, ROOK, castling_move, is_legal_of, move_of
)
from tabiya.chess.fen_kernel cimport is_usual, read_fen
from tabiya.formats.scid.games.codes cimport (
    CODE_BEGIN, CODE_COMMENT, CODE_END, CODE_LONG, CODE_NAG, CODE_SHORT, DEEPEST, PAWN_DOUBLE, QUEEN_TARGET
)
from tabiya.formats.scid.games.comments_kernel cimport fail, read_comment
from tabiya.formats.scid.games.pieces cimport list_pieces, list_standard, move_piece, move_piece_back
from tabiya.formats.scid.games.reading cimport (
    FLAG_COMMANDS, FLAG_DAMAGED, INDEX_COUNT, PROBLEM_EARLY_CLOSE, PROBLEM_EARLY_VARIATION, PROBLEM_EMPTY_VARIATION,
    PROBLEM_ILLEGAL, PROBLEM_NO_END, PROBLEM_NO_PIECE, PROBLEM_OPEN_VARIATION, PROBLEM_START, PROBLEM_TAGS,
    PROBLEM_TEXTS_LEFT, PROBLEM_TOO_DEEP, Reader
)
from tabiya.formats.scid.games.tags_kernel cimport put_index_tags, put_utf8, read_tags
from tabiya.game.annotations.read_comments_kernel cimport note_unknown
from tabiya.game.columns cimport end_record, end_string, put_extra, put_problem, put_string, put_uint8, put_values
from tabiya.game.columns_kernel cimport NO_HEADER, BatchBuilder
from tabiya.game.sink cimport (
    NOTHING, Mark, add_move, add_nag, begin_game, close_variation, depth_of, end_game, end_line, free_sink, go_back,
    open_sink, open_variation, set_mark
)

cdef enum:
    TWO_BYTES = 0xFFFF  # the target is in the next byte

cdef uint16_t MOVES[16][64][16]  # by piece, source and value of the code
cdef int PROMOTIONS[5]


cdef int NO_MOVE = -1


def read_games(
    BatchBuilder builder not None, const uint8_t[::1] data not None, const int64_t[::1] begins not None,
    const int64_t[::1] lengths not None, const int32_t[:, ::1] index not None, const uint16_t[::1] code_page not None,
    bytes commands not None, bytes languages not None, bint headers_only, bint leave_all, uint8_t[::1] flags not None
) -> None:
    """Read the data of games, one record each; columns not contained in it remain empty.

    Args:
        builder: receives the records.
        data: the data of all games.
        begins: the begin of each.
        lengths: the length of each; a game without data has length 0, and no moves.
        index: the index values of each that become tags, see ``reading.pxd``; no rows without an index.
        code_page: the characters of the bytes from 0x80 on, for texts that are not UTF-8.
        commands: the table of commands in comments, from ``vocabulary.py``.
        languages: the table of their languages.
        headers_only: read tags and start positions, and no moves.
        leave_all: leave every comment with commands to Python, not only those that kernels do not support.
        flags: receives per record 1 if a comment was left, plus 2 if the stored bytes were kept, plus 4 if there are
            tags that have columns.
    """
    cdef Reader reader
    cdef Py_ssize_t records = begins.shape[0]
    if lengths.shape[0] != records or flags.shape[0] != records or code_page.shape[0] != 128:
        raise ValueError("the buffers of the games do not fit each other")
    if index.shape[1] != INDEX_COUNT or index.shape[0] not in (0, records):
        raise ValueError("the buffers of the games do not fit each other")
    for record in range(records):
        if begins[record] < 0 or lengths[record] < 0 or lengths[record] > data.shape[0] - begins[record]:
            raise ValueError("a game lies outside of the data")
    memset(&reader, 0, sizeof(Reader))
    reader.columns = reader.comments.columns = &builder.columns
    reader.comments.sink = &reader.sink
    reader.comments.commands = commands
    reader.comments.commands_length = len(commands)
    reader.comments.languages = languages
    reader.comments.languages_length = len(languages)
    reader.comments.values_of_game = True
    reader.code_page = &code_page[0]
    reader.headers_only = headers_only
    reader.leave_all = leave_all
    with nogil:
        open_sink(&reader.sink, reader.columns, &reader.line, sizeof(reader.line))
        list_standard(&reader.standard_pieces)
        for record in range(records):
            reader.end = lengths[record]
            reader.data = &data[0] + begins[record] if reader.end else NULL
            reader.index = &index[record, 0] if index.shape[0] else NULL
            read_record(&reader)
            flags[record] = reader.flags
            if reader.columns.out_of_memory:
                break
    free_sink(&reader.sink)
    free(reader.comment.data)
    free(reader.comments.plain.data)
    free(reader.comments.argument.data)
    free(reader.comments.unknown.data)


cdef void read_record(Reader* reader) noexcept nogil:
    cdef Mark mark
    cdef Py_ssize_t begin
    reader.header = NO_HEADER
    reader.header.variant = 0
    reader.flags = 0
    reader.damaged = False
    reader.has_start = False
    reader.place = reader.start_length = 0
    reader.comments.unknown.size = 0
    begin_game(&reader.sink)
    if reader.end == 0:
        put_index_tags(reader, False)
    elif not read_tags(reader):
        fail(reader, PROBLEM_TAGS)
    elif not set_up(reader):
        fail(reader, PROBLEM_START)
        keep_start(reader)
    elif not reader.headers_only:
        begin = reader.place
        reader.leaves = reader.leave_all
        set_mark(&reader.sink, &mark)
        board = reader.sink.line.board
        pieces = reader.line.pieces
        read_game(reader)
        if reader.flags & FLAG_COMMANDS and reader.comments.told and not reader.leaves:
            # Some annotations may belong elsewhere than kernels have put them: leave all comments to Python.
            go_back(&reader.sink, &mark)
            begin_game(&reader.sink)
            reader.sink.line.board = board
            reader.line.pieces = pieces
            reader.place = begin
            reader.leaves = True
            read_game(reader)
        end_game(&reader.sink)
    finish(reader)


cdef bint set_up(Reader* reader) noexcept nogil:
    """Put the start position on the board. Castling rights other than the standard ones make it Chess960."""
    board = &reader.sink.line.board
    if not reader.has_start:
        reader.line.pieces = reader.standard_pieces
        return True
    if not read_fen(reader.data + reader.start, reader.start_length, True, board):
        return False
    for right in range(4):
        if board.state.rights >> right & 1 and not is_usual(board, right >> 1, board.rook[right]):
            reader.header.variant = 1
    board.chess960 = reader.header.variant
    return list_pieces(&reader.line.pieces, board)


cdef void keep_start(Reader* reader) noexcept nogil:
    """Keep an invalid start position as a tag."""
    columns = reader.columns
    put_string(columns, &columns.tag_names, b"FEN", 3)
    put_utf8(reader, &columns.tag_values.data, reader.data + reader.start, reader.start_length)
    end_string(columns, &columns.tag_values)
    reader.has_start = False


# --- moves -----------------------------------------------------------------------------------------------------------


cdef void read_game(Reader* reader) noexcept nogil:
    reader.text_place = NOTHING
    reader.damaged = False
    reader.comments.told = reader.line.waits = False
    reader.flags &= ~FLAG_COMMANDS
    reader.comments.unknown.size = 0
    read_moves(reader)
    while reader.sink.outside.size:
        put_problem(reader.columns, PROBLEM_OPEN_VARIATION, reader.line.opened, NULL, 0)
        close_variation(&reader.sink)
    end_line(&reader.sink)


cdef void read_moves(Reader* reader) noexcept nogil:
    cdef int code
    cdef int move
    while reader.place < reader.end:
        code = reader.data[reader.place]
        reader.place += 1
        if likely(code > CODE_END):
            move = decode_move(reader, code)
        elif CODE_NAG <= code < CODE_END:
            if not read_token(reader, code) or reader.columns.out_of_memory:
                return
            continue
        elif code == CODE_END:
            if reader.text_place == NOTHING:
                reader.text_place = reader.place
            if reader.text_place != reader.end:
                fail(reader, PROBLEM_TEXTS_LEFT)
            return
        else:
            move = decode_king(reader, code)
        if not likely(move >= 0):
            fail(reader, PROBLEM_NO_PIECE if move == NO_MOVE else PROBLEM_ILLEGAL)
            return
        play(reader, move)
    fail(reader, PROBLEM_NO_END)


cdef void play(Reader* reader, int move) noexcept nogil:
    line = &reader.line
    line.taken = move_piece(&line.pieces, &reader.sink.line.board, move)
    add_move(&reader.sink, move)
    line.waits = False


cdef int decode_move(Reader* reader, int code) noexcept nogil:
    """Return the legal move of a piece other than the king; NO_MOVE if it does not exist, less if illegal."""
    board = &reader.sink.line.board
    cdef int us = board.turn
    cdef int source
    cdef int target
    cdef int man
    cdef int move
    if not likely(code >> 4 < reader.line.pieces.count[us]):
        return NO_MOVE
    source = reader.line.pieces.square[us][code >> 4]
    man = board.squares[source]
    move = MOVES[man][source][code & 15]
    if not likely(move != TWO_BYTES):
        if reader.place >= reader.end:
            return NO_MOVE
        target = reader.data[reader.place] - QUEEN_TARGET
        reader.place += 1
        if target < 0 or target > 63:
            return NO_MOVE - 1
        move = move_of(source, target, 0)
    return move if likely(is_legal_of(board, man & 7, move)) else NO_MOVE - 1


cdef int decode_king(Reader* reader, int code) noexcept nogil:
    """Return a move of the king, or the null move."""
    board = &reader.sink.line.board
    cdef int source = board.king[board.turn]
    cdef int target
    cdef int move
    if code == 0:
        return 0
    if code == CODE_LONG or code == CODE_SHORT:
        move = castling_move(board, KING_SIDE if code == CODE_SHORT else QUEEN_SIDE)
        return move if move else NO_MOVE - 1
    target = source + KING_STEPS[code]
    if target < 0 or target > 63:
        return NO_MOVE - 1
    # A king that captures its own rook would be castling, which has a code of its own.
    if (board.squares[target] and board.squares[target] >> 3 == board.turn) or not is_legal_of(
        board, KING, move_of(source, target, 0)
    ):
        return NO_MOVE - 1
    return move_of(source, target, 0)


cdef bint read_token(Reader* reader, int code) noexcept nogil:
    """Read any other code; False if the moves stop here."""
    if code == CODE_NAG:
        if reader.place >= reader.end:
            return fail(reader, PROBLEM_NO_END)
        add_nag(&reader.sink, reader.data[reader.place])
        reader.place += 1
        return True
    if code == CODE_COMMENT:
        return read_comment(reader)
    return open_line(reader) if code == CODE_BEGIN else close_line(reader)


cdef bint open_line(Reader* reader) noexcept nogil:
    """Take the last move back: what follows is an alternative to it."""
    sink = &reader.sink
    line = &reader.line
    if sink.line.last == NOTHING:
        return fail(reader, PROBLEM_EARLY_VARIATION)
    if depth_of(sink) >= DEEPEST:
        return fail(reader, PROBLEM_TOO_DEEP)
    if not open_variation(sink):
        return False
    move_piece_back(&line.pieces, &sink.line.board, sink.line.undo.move, line.taken)
    line.opened = reader.place - 1
    line.waits = False
    return True


cdef bint close_line(Reader* reader) noexcept nogil:
    sink = &reader.sink
    if sink.outside.size == 0:
        return fail(reader, PROBLEM_EARLY_CLOSE)
    if sink.line.last == NOTHING:
        put_problem(reader.columns, PROBLEM_EMPTY_VARIATION, reader.line.opened, NULL, 0)
    close_variation(sink)
    # Scid has no comments after variations: it attaches them to the move before.
    sink.line.after_variation = False
    return True


# --- the end ---------------------------------------------------------------------------------------------------------


cdef void finish(Reader* reader) noexcept nogil:
    """Write the single values of the record and close its lists."""
    columns = reader.columns
    note_unknown(&reader.comments)
    if reader.damaged:
        reader.flags |= FLAG_DAMAGED
        put_extra(columns, b"scid.blob", 9, reader.data, reader.end)
    put_string(
        columns,
        &columns.start,
        reader.data + reader.start if reader.has_start else NULL,
        reader.start_length if reader.has_start else 0,
    )
    put_uint8(columns, &columns.has_start, reader.has_start)
    put_values(columns, &reader.header)
    end_record(columns)


cdef void list_moves() noexcept nogil:
    """List the meaning of every code for every piece on every square, legal or not."""
    cdef int target
    cdef int promotion
    for man in range(16):
        for source in range(64):
            for value in range(16):
                if man & 7 == QUEEN and value == source & 7:
                    MOVES[man][source][value] = TWO_BYTES
                    continue
                promotion = PROMOTIONS[value // 3] if man & 7 == PAWN and value < PAWN_DOUBLE else 0
                target = target_of_code(man, source, value)
                # No move ends where it begins.
                MOVES[man][source][value] = move_of(source, target if 0 <= target < 64 else source, promotion)


cdef int target_of_code(int man, int source, int value) noexcept nogil:
    """Return the target square of a piece other than a king; it may be off the board."""
    cdef int piece = man & 7
    cdef int step
    if piece == PAWN:
        step = 16 if value == PAWN_DOUBLE else 7 + value % 3
        return source - step if man >> 3 else source + step
    if piece == KNIGHT:
        return source + KNIGHT_STEPS[value] if 0 < value < 9 else source
    if piece == BISHOP:
        step = (value & 7) - (source & 7)
        return source + (9 * step if value < 8 else -7 * step)
    return source & 56 | value if value < 8 else (value & 7) << 3 | source & 7


for code, step in enumerate((0, -9, -8, -7, -1, 1, 7, 8, 9)):
    KING_STEPS[code] = step
for code, step in enumerate((0, -17, -15, -10, -6, 6, 10, 15, 17)):
    KNIGHT_STEPS[code] = step
for code, piece in enumerate((0, QUEEN, ROOK, BISHOP, KNIGHT)):
    PROMOTIONS[code] = piece
list_moves()
