"""Reads jose's game texts: bytes with offsets in, columns of a batch out. Linear in the bytes.

Every move is applied to jose's piece lists and to a board. It must be pseudo-legal; leaving the own king in check is
only recorded as a problem, because jose's importer stores such moves. Invalid bytes end the game with a problem, and
the stored bytes go to the extras.
"""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcpy, memset

from tabiya.chess.bits cimport likely
from tabiya.chess.board cimport BISHOP, KING, KNIGHT, NO_SQUARE, PAWN, QUEEN, ROOK, is_legal, move_of
from tabiya.chess.fen_kernel cimport castles_unusually, read_fen
from tabiya.chess.letters cimport OPEN_PAREN
from tabiya.formats.jose.moves_kernel cimport (
    CODE_BEGIN, CODE_BISHOP, CODE_CASTLE, CODE_CLOSE, CODE_COMMENT, CODE_END, CODE_KING, CODE_KNIGHT, CODE_NAG,
    CODE_NULL, CODE_PROMOTE, CODE_PROMOTED, CODE_QUEEN, CODE_RESULT, CODE_ROOK, DEEPEST, DIALECTS, LAST_ERROR,
    is_possible, open_castling, target_by
)
from tabiya.formats.jose.pieces cimport list_pieces, move_piece, take_back_piece
from tabiya.formats.jose.reading cimport (
    FLAG_DAMAGED, PROBLEM_AFTER_END, PROBLEM_CUT_OFF, PROBLEM_EARLY_CLOSE,
    PROBLEM_EARLY_VARIATION, PROBLEM_EMPTY_VARIATION, PROBLEM_ENCODING, PROBLEM_EXPOSED, PROBLEM_HALF_LETTER,
    PROBLEM_IMPOSSIBLE, PROBLEM_NO_END, PROBLEM_NO_PIECE, PROBLEM_OPEN_VARIATION, PROBLEM_RESERVED, PROBLEM_START,
    PROBLEM_TEXT_MISSING, PROBLEM_UNUSED_TEXTS, PROBLEM_TOO_DEEP, Reader
)
from tabiya.formats.jose.texts cimport TEXT_BYTES, TEXT_GOOD, TEXT_NO_MEMORY, put_utf8
from tabiya.game.annotations.commands cimport has_command
from tabiya.game.annotations.read_comments_kernel cimport Commands, free_reader, open_reader, read_comment
from tabiya.game.columns cimport (
    NO_RESULT, Header, close_annotation, end_record, put_extra, put_problem, put_string, put_uint8, put_values
)
from tabiya.game.columns_kernel cimport NO_HEADER, BatchBuilder
from tabiya.game.sink cimport (
    NOTHING, add_move, add_nag, attach_nags, begin_game, close_variation, depth_of, end_game, end_line, free_sink,
    open_sink, open_text, open_unreadable, open_variation
)
from tabiya.game.utf8 cimport ascii_length


# === lines of moves ===================================================================================================
# Lines of play in the reader of jose's game texts: the sink's, with jose's piece lists updated by every move.
#
# A variation costs a copy of its line, every move is constant.

cdef bint fail(Reader* reader, int code) noexcept nogil:
    """Record a problem at the last byte read; the stored bytes are kept. Always returns False."""
    put_problem(reader.columns, code, reader.place - 1 if reader.place else 0, NULL, 0)
    reader.damaged = True
    return False


cdef void play(Reader* reader, int move) noexcept nogil:
    line = &reader.line
    board = &reader.sink.line.board
    move_piece(&line.pieces, board, move, &line.undo)
    add_move(&reader.sink, move)


cdef bint open_line(Reader* reader) noexcept nogil:
    """Take the last move back: what follows is an alternative to it."""
    line = &reader.line
    sink = &reader.sink
    if sink.line.last == NOTHING:
        return fail(reader, PROBLEM_EARLY_VARIATION)
    if depth_of(sink) >= DEEPEST:
        return fail(reader, PROBLEM_TOO_DEEP)
    if not open_variation(sink):
        return False
    take_back_piece(&line.pieces, &line.undo)
    line.opened = reader.place - 1
    return True


cdef bint close_line(Reader* reader) noexcept nogil:
    if reader.sink.outside.size == 0:
        return fail(reader, PROBLEM_EARLY_CLOSE)
    leave_line(reader)
    return True


cdef void leave_line(Reader* reader) noexcept nogil:
    """End the open variation and return to the outer line."""
    line = &reader.line
    cdef uint8_t counts[16]
    if reader.sink.line.last == NOTHING:
        put_problem(reader.columns, PROBLEM_EMPTY_VARIATION, line.opened, NULL, 0)
    memcpy(counts, line.pieces.count, 16)
    close_variation(&reader.sink)
    memcpy(line.pieces.count, counts, 16)  # entries added in the variation remain, vacant


cdef void close_all(Reader* reader) noexcept nogil:
    """End the lines that are open where the game ends."""
    while reader.sink.outside.size:
        put_problem(reader.columns, PROBLEM_OPEN_VARIATION, reader.line.opened, NULL, 0)
        leave_line(reader)
    end_line(&reader.sink)


# === comments =========================================================================================================
# Comments and errors of a game text: their bytes, and the commands in them. Linear in their length.

cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Add a comment: the annotations of its commands, and the rest of its text."""
    if has_command(text, length):
        if ascii_length(text, length) == length:
            if read_comment(&reader.comments, text, length):
                return
        else:
            reader.comment.size = 0
            note_encoding(reader, put_utf8(&reader.comment, text, length))
            if read_comment(&reader.comments, reader.comment.data, reader.comment.size):
                return
    open_text(&reader.sink, 0)
    put_text(reader, text, length)


cdef void add_error(Reader* reader, const uint8_t* text, Py_ssize_t length, int reason) noexcept nogil:
    """Add text that jose could not read: a variation if it begins with ``(``, else the rest of the line."""
    open_unreadable(&reader.sink, reason, not (length and text[0] == OPEN_PAREN))
    put_text(reader, text, length)


cdef void put_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write the bytes of the annotation that has been opened."""
    note_encoding(reader, put_utf8(&reader.columns.annotation_data.data, text, length))
    close_annotation(reader.columns)


cdef void note_encoding(Reader* reader, int answer) noexcept nogil:
    """Record what went wrong in converting a text."""
    if answer == TEXT_NO_MEMORY:
        reader.columns.out_of_memory = True
    elif answer != TEXT_GOOD:
        reader.damaged = True
        if not reader.encoding_problem:
            reader.encoding_problem = PROBLEM_ENCODING if answer == TEXT_BYTES else PROBLEM_HALF_LETTER


# === games ============================================================================================================

def read_texts(
    BatchBuilder builder not None, const uint8_t[::1] codes not None, const int64_t[::1] code_ends not None,
    const uint8_t[::1] texts not None, const int64_t[::1] text_ends not None, const uint8_t[::1] starts not None,
    const int64_t[::1] start_ends not None, const uint8_t[::1] has_start not None, bint inline_texts, bint document,
    Commands commands not None, uint8_t[::1] flags not None
) -> None:
    """Read game texts, one record each; columns not contained in them remain empty.

    Args:
        builder: receives the records.
        codes: the column Bin of all games.
        code_ends: the begin of each, and the end of the last one; likewise for the other columns.
        texts: the column Comments of all games.
        text_ends: where these begin.
        starts: the start positions of all games.
        start_ends: where these begin.
        has_start: 0 for games from the standard position.
        inline_texts: texts follow their codes instead of being in a column of their own.
        document: knights and kings move as in jose's document.
        commands: the meaning of commands in comments.
        flags: receives per record 2 if the stored bytes were kept.
    """
    cdef Reader reader
    cdef Py_ssize_t records = has_start.shape[0]
    if flags.shape[0] != records:
        raise ValueError("the buffers of the games do not fit each other")
    check_ends(code_ends, records, codes.shape[0])
    check_ends(text_ends, records, texts.shape[0])
    check_ends(start_ends, records, starts.shape[0])
    memset(&reader, 0, sizeof(Reader))
    reader.columns = &builder.columns
    reader.dialect = &DIALECTS[1 if document else 0]
    reader.inline_texts = inline_texts
    open_reader(&reader.comments, commands, reader.columns, &reader.sink)
    reader.comments.in_place = True
    with nogil:
        open_sink(&reader.sink, reader.columns, &reader.line, sizeof(reader.line))
        list_pieces(&reader.standard_pieces, &reader.sink.standard)
        for record in range(records):
            reader.end = code_ends[record + 1] - code_ends[record]
            reader.codes = &codes[0] + code_ends[record] if reader.end else NULL
            reader.texts_end = text_ends[record + 1] - text_ends[record]
            reader.texts = &texts[0] + text_ends[record] if reader.texts_end else NULL
            if inline_texts:
                reader.texts = reader.codes
                reader.texts_end = reader.end
            reader.start_length = start_ends[record + 1] - start_ends[record]
            reader.start = &starts[0] + start_ends[record] if reader.start_length else NULL
            reader.has_start = has_start[record]
            read_game(&reader)
            finish(&reader)
            flags[record] = reader.flags
            if reader.columns.out_of_memory:
                break
    free_sink(&reader.sink)
    free(reader.comment.data)
    free_reader(&reader.comments)


cdef int check_ends(const int64_t[::1] ends, Py_ssize_t records, Py_ssize_t length):
    if ends.shape[0] != records + 1 or ends[0] < 0 or ends[records] > length:
        raise ValueError("the buffers of the games do not fit each other")
    for record in range(records):
        if ends[record] > ends[record + 1]:
            raise ValueError("the buffers of the games overlap")
    return 0


cdef void read_game(Reader* reader) noexcept nogil:
    reader.place = reader.text_place = 0
    reader.result = NO_RESULT
    reader.damaged = reader.exposed = False
    reader.encoding_problem = 0
    reader.variant = 0
    reader.flags = 0
    begin_game(&reader.sink)
    if set_up(reader):
        read_codes(reader)
        close_all(reader)
    else:
        fail(reader, PROBLEM_START)
        keep_start(reader)
    end_game(&reader.sink)


cdef bint set_up(Reader* reader) noexcept nogil:
    """Put the start position on the board. jose grants castling as in Chess960 in any game."""
    board = &reader.sink.line.board
    if not reader.has_start:
        reader.line.pieces = reader.standard_pieces
        return True
    if not read_fen(reader.start, reader.start_length, True, board):
        return False
    board.chess960 = reader.variant = castles_unusually(board)
    list_pieces(&reader.line.pieces, board)
    return True


cdef void keep_start(Reader* reader) noexcept nogil:
    """Keep an invalid start position as a tag."""
    put_string(reader.columns, &reader.columns.tag_names, b"FEN", 3)
    put_string(reader.columns, &reader.columns.tag_values, reader.start, reader.start_length)
    reader.has_start = False


# --- codes -----------------------------------------------------------------------------------------------------------


cdef void read_codes(Reader* reader) noexcept nogil:
    cdef int code
    while reader.place < reader.end:
        code = reader.codes[reader.place]
        reader.place += 1
        if likely(code < CODE_CASTLE):
            if not read_move(reader, code):
                return
        elif code == CODE_END:
            if reader.place < reader.end:
                reader.place += 1
                fail(reader, PROBLEM_AFTER_END)
            elif not reader.inline_texts and reader.text_place < reader.texts_end:
                fail(reader, PROBLEM_UNUSED_TEXTS)
            return
        elif not read_token(reader, code) or reader.columns.out_of_memory:
            return
    put_problem(reader.columns, PROBLEM_NO_END, reader.end, NULL, 0)


cdef bint read_move(Reader* reader, int code) noexcept nogil:
    if code < CODE_KNIGHT:
        return read_piece_move(reader, PAWN, code >> 2, code & 3, 0)
    if code < CODE_BISHOP:
        return read_piece_move(reader, KNIGHT, code >> 3 & 1, code & 7, 0)
    if code < CODE_ROOK:
        return read_piece_move(reader, BISHOP, (code - CODE_BISHOP) >> 4, code & 15, 0)
    if code < CODE_QUEEN:
        return read_piece_move(reader, ROOK, (code - CODE_ROOK) >> 4, code & 15, 0)
    if code < CODE_KING:
        return read_piece_move(reader, QUEEN, 0, code - CODE_QUEEN, 0)
    return read_piece_move(reader, KING, 0, code & 7, 0)


cdef bint read_long_move(Reader* reader, int code) noexcept nogil:
    """Read a promotion, or the move of a promoted piece. The top bits of the second byte have no meaning."""
    pieces = &reader.line.pieces
    cdef int us = reader.sink.line.board.turn
    cdef int slot = code & 7
    cdef int second
    cdef int kind
    if reader.place == reader.end:
        return fail(reader, PROBLEM_CUT_OFF)
    second = reader.codes[reader.place]
    reader.place += 1
    if code < CODE_PROMOTED:
        if second >> 2 & 3 == 3:
            return fail(reader, PROBLEM_IMPOSSIBLE)
        return read_piece_move(reader, PAWN, slot, second >> 2 & 3, KNIGHT + (second & 3))
    kind = pieces.promoted_kind[us][slot]
    if kind == 0:
        return fail(reader, PROBLEM_NO_PIECE)
    second &= 7 if kind == KNIGHT else 31 if kind == QUEEN else 15
    return read_piece_move(reader, kind, pieces.promoted_place[us][slot], second, 0)


cdef bint read_piece_move(Reader* reader, int kind, int place, int offset, int promotion) noexcept nogil:
    board = &reader.sink.line.board
    cdef int us = board.turn
    cdef int source = reader.line.pieces.square[us][kind][place]
    cdef int target
    cdef int move
    if source == NO_SQUARE:
        return fail(reader, PROBLEM_NO_PIECE)
    target = target_by(reader.dialect, kind, us, source, offset)
    # A king that captures its own rook would be castling, which has a code of its own.
    if target == NO_SQUARE or (board.squares[target] and board.squares[target] >> 3 == us):
        return fail(reader, PROBLEM_IMPOSSIBLE)
    move = move_of(source, target, promotion)
    if not likely(is_legal(board, move)):
        if not is_possible(board, move):
            return fail(reader, PROBLEM_IMPOSSIBLE)
        if not reader.exposed:
            reader.exposed = True
            put_problem(reader.columns, PROBLEM_EXPOSED, reader.place - 1, NULL, 0)
    play(reader, move)
    return True


cdef bint read_token(Reader* reader, int code) noexcept nogil:
    """Read any other code; False if the game ends here."""
    cdef int move
    cdef int nag = code - CODE_NAG
    if code < CODE_NULL:
        move = open_castling(&reader.sink.line.board, code - CODE_CASTLE)
        if move == 0:
            return fail(reader, PROBLEM_IMPOSSIBLE)
        if not is_legal(&reader.sink.line.board, move) and not reader.exposed:
            reader.exposed = True
            put_problem(reader.columns, PROBLEM_EXPOSED, reader.place - 1, NULL, 0)
        play(reader, move)
    elif code == CODE_NULL:
        play(reader, 0)
    elif code < CODE_PROMOTE:
        return fail(reader, PROBLEM_RESERVED)
    elif code < CODE_NAG:
        return read_long_move(reader, code)
    elif code < CODE_RESULT:
        if nag == 0:
            if reader.place == reader.end:
                return fail(reader, PROBLEM_CUT_OFF)
            nag = reader.codes[reader.place]
            reader.place += 1
        add_nag(&reader.sink, nag)
    elif code < CODE_RESULT + 4:
        attach_nags(&reader.sink)
        reader.result = result_of(code)
        reader.sink.ended = reader.sink.outside.size == 0  # inside a variation a result has no effect
    elif CODE_COMMENT <= code <= CODE_COMMENT + LAST_ERROR:
        return read_text(reader, code - CODE_COMMENT)
    elif code == CODE_BEGIN:
        return open_line(reader)
    elif code == CODE_CLOSE:
        return close_line(reader)
    else:
        return fail(reader, PROBLEM_RESERVED)
    return True


cdef int result_of(int code) noexcept nogil:
    """Return a result as our number: 0-1, 1/2-1/2, 1-0, * are 2, 3, 1, 0."""
    if code == CODE_RESULT:
        return 2
    if code == CODE_RESULT + 1:
        return 3
    return 1 if code == CODE_RESULT + 2 else 0


cdef bint read_text(Reader* reader, int kind) noexcept nogil:
    """Add the next text as a comment or as an error of this kind."""
    cdef Py_ssize_t place = reader.place if reader.inline_texts else reader.text_place
    cdef Py_ssize_t end = reader.texts_end
    cdef const uint8_t* zero = NULL
    if place < end:
        zero = <const uint8_t*> memchr(reader.texts + place, 0, end - place)
    if zero != NULL:
        end = zero - reader.texts
    elif place >= end or reader.inline_texts:
        return fail(reader, PROBLEM_TEXT_MISSING)
    if kind:
        add_error(reader, reader.texts + place, end - place, kind - 1)
    else:
        add_text(reader, reader.texts + place, end - place)
    if reader.inline_texts:
        reader.place = end + 1
    else:
        reader.text_place = end + 1
    return True


cdef void finish(Reader* reader) noexcept nogil:
    """Write the single values of the record and close its lists."""
    columns = reader.columns
    if reader.encoding_problem:
        put_problem(columns, reader.encoding_problem, -1, NULL, 0)
    if reader.damaged:
        reader.flags |= FLAG_DAMAGED
        put_extra(columns, b"jose.bin", 8, reader.codes, reader.end)
        if reader.texts_end and not reader.inline_texts:
            put_extra(columns, b"jose.comments", 13, reader.texts, reader.texts_end)
    put_string(columns, &columns.start, reader.start, reader.start_length if reader.has_start else 0)
    put_uint8(columns, &columns.has_start, reader.has_start)
    cdef Header header = NO_HEADER
    header.variant = reader.variant
    header.result = reader.result
    put_values(columns, &header)
    end_record(columns)
