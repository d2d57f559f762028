"""Reads jose's game texts: bytes with offsets in, columns of a batch out. Linear in the bytes.

Every move is followed in jose's piece lists and on a board of our own. It must be possible by the rules; whether it
leaves the own king in check is only noted, because jose's importer stores such moves. Whatever makes no sense ends the
game there with a problem, and the stored bytes go to the extras.
"""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memchr, memset
from cython.cimports.tabiya.chess.bits import likely
from cython.cimports.tabiya.chess.board import (
    BISHOP,
    KING,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    QUEEN,
    ROOK,
    is_legal,
    move_of,
)
from cython.cimports.tabiya.chess.fen_kernel import is_usual, read_fen
from cython.cimports.tabiya.formats.jose.lines_kernel import close_all, close_line, fail, open_line, play
from cython.cimports.tabiya.formats.jose.moves_kernel import (
    CODE_BEGIN,
    CODE_BISHOP,
    CODE_CASTLE,
    CODE_CLOSE,
    CODE_COMMENT,
    CODE_END,
    CODE_KING,
    CODE_KNIGHT,
    CODE_NAG,
    CODE_NULL,
    CODE_PROMOTE,
    CODE_PROMOTED,
    CODE_QUEEN,
    CODE_RESULT,
    CODE_ROOK,
    DIALECTS,
    LAST_ERROR,
    is_possible,
    open_castling,
    target_by,
)
from cython.cimports.tabiya.formats.jose.notes_kernel import add_error, add_text
from cython.cimports.tabiya.formats.jose.pieces import list_pieces
from cython.cimports.tabiya.formats.jose.reading import (
    FLAG_COMMANDS,
    FLAG_DAMAGED,
    PROBLEM_BEHIND_END,
    PROBLEM_CUT_OFF,
    PROBLEM_EXPOSED,
    PROBLEM_IMPOSSIBLE,
    PROBLEM_NO_END,
    PROBLEM_NO_PIECE,
    PROBLEM_RESERVED,
    PROBLEM_START,
    PROBLEM_TEXT_MISSING,
    PROBLEM_TEXTS_LEFT,
    Reader,
)
from cython.cimports.tabiya.game.annotations.read_comments_kernel import note_unknown
from cython.cimports.tabiya.game.columns import (
    NO_RESULT,
    Header,
    end_record,
    put_extra,
    put_problem,
    put_string,
    put_uint8,
    put_values,
)
from cython.cimports.tabiya.game.columns_kernel import NO_HEADER, BatchBuilder
from cython.cimports.tabiya.game.sink import (
    Mark,
    add_nag,
    attach_nags,
    begin_game,
    end_game,
    free_sink,
    go_back,
    open_sink,
    set_mark,
)


def read_texts(
    builder: BatchBuilder,
    codes: cython.const[uint8_t][::1],
    code_ends: cython.const[int64_t][::1],
    texts: cython.const[uint8_t][::1],
    text_ends: cython.const[int64_t][::1],
    starts: cython.const[uint8_t][::1],
    start_ends: cython.const[int64_t][::1],
    has_start: cython.const[uint8_t][::1],
    inline_texts: cython.bint,
    document: cython.bint,
    commands: bytes,
    languages: bytes,
    leave_all: cython.bint,
    flags: uint8_t[::1],
) -> None:
    """Read game texts, one record each; columns that they say nothing about stay empty.

    Args:
        builder: takes the records.
        codes: the column Bin of all games.
        code_ends: where each begins, and where the last one ends; the same for the other columns.
        texts: the column Comments of all games.
        text_ends: where these begin.
        starts: the start positions of all games.
        start_ends: where these begin.
        has_start: 0 for games from the usual position.
        inline_texts: texts stand behind their codes, not in a column of their own.
        document: knights and kings move as jose's document draws it.
        commands: the table of commands in comments, from ``vocabulary.py``.
        languages: the table of their languages.
        leave_all: leave every comment with commands to ``rich.py``, and not only those that kernels do not understand.
        flags: takes per record 1 if a comment was left, plus 2 if the stored bytes were kept.
    """
    reader: Reader
    records: cython.Py_ssize_t = has_start.shape[0]
    if flags.shape[0] != records:
        raise ValueError("the buffers of the games do not fit each other")
    check_ends(code_ends, records, codes.shape[0])
    check_ends(text_ends, records, texts.shape[0])
    check_ends(start_ends, records, starts.shape[0])
    memset(cython.address(reader), 0, cython.sizeof(Reader))
    reader.columns = cython.address(builder.columns)
    reader.dialect = cython.address(DIALECTS[1 if document else 0])
    reader.inline_texts = inline_texts
    reader.comments.commands = commands
    reader.comments.commands_length = len(commands)
    reader.comments.languages = languages
    reader.comments.languages_length = len(languages)
    reader.leave_all = leave_all
    reader.comments.columns = reader.columns
    reader.comments.sink = cython.address(reader.sink)
    with cython.nogil:
        open_sink(cython.address(reader.sink), reader.columns, cython.address(reader.line), cython.sizeof(reader.line))
        list_pieces(cython.address(reader.standard_pieces), cython.address(reader.sink.standard))
        for record in range(records):
            reader.end = code_ends[record + 1] - code_ends[record]
            reader.codes = cython.address(codes[0]) + code_ends[record] if reader.end else cython.NULL
            reader.texts_end = text_ends[record + 1] - text_ends[record]
            reader.texts = cython.address(texts[0]) + text_ends[record] if reader.texts_end else cython.NULL
            if inline_texts:
                reader.texts = reader.codes
                reader.texts_end = reader.end
            reader.start_length = start_ends[record + 1] - start_ends[record]
            reader.start = cython.address(starts[0]) + start_ends[record] if reader.start_length else cython.NULL
            reader.has_start = has_start[record]
            read_record(cython.address(reader))
            flags[record] = reader.flags
            if reader.columns.out_of_memory:
                break
    free_sink(cython.address(reader.sink))
    free(reader.comment.data)
    free(reader.comments.plain.data)
    free(reader.comments.argument.data)
    free(reader.comments.unknown.data)


@cython.cfunc
def check_ends(ends: cython.const[int64_t][::1], records: cython.Py_ssize_t, length: cython.Py_ssize_t) -> cython.int:
    if ends.shape[0] != records + 1 or ends[0] < 0 or ends[records] > length:
        raise ValueError("the buffers of the games do not fit each other")
    for record in range(records):
        if ends[record] > ends[record + 1]:
            raise ValueError("the buffers of the games overlap")
    return 0


def read_record(reader):
    mark: Mark
    reader.leaves = reader.leave_all
    set_mark(cython.address(reader.sink), cython.address(mark))
    read_game(reader)
    if reader.reread or (reader.flags & FLAG_COMMANDS and reader.comments.told):
        # Something stands elsewhere than where kernels have put it: the whole record is for ``rich.py``.
        go_back(cython.address(reader.sink), cython.address(mark))
        reader.leaves = True
        read_game(reader)
    finish(reader)


def read_game(reader):
    reader.place = reader.text_place = 0
    reader.result = NO_RESULT
    reader.damaged = reader.exposed = reader.reread = reader.line.waits = False
    reader.comments.told = False
    reader.encoding_problem = 0
    reader.variant = 0
    reader.flags = 0
    reader.comments.unknown.size = 0
    begin_game(cython.address(reader.sink))
    if set_up(reader):
        read_codes(reader)
        close_all(reader)
    else:
        fail(reader, PROBLEM_START)
        keep_start(reader)
    end_game(cython.address(reader.sink))


def set_up(reader):
    """Put the start position on the board. jose grants castling as in Chess960 whatever the game is."""
    board = cython.address(reader.sink.line.board)
    if not reader.has_start:
        reader.line.pieces = reader.standard_pieces
        return True
    if not read_fen(reader.start, reader.start_length, True, board):
        return False
    for right in range(4):
        if board.state.rights >> right & 1 and not is_usual(board, right >> 1, board.rook[right]):
            reader.variant = 1
    board.chess960 = reader.variant
    list_pieces(cython.address(reader.line.pieces), board)
    return True


def keep_start(reader):
    """Keep an invalid start position as a tag."""
    put_string(reader.columns, cython.address(reader.columns.tag_names), b"FEN", 3)
    put_string(reader.columns, cython.address(reader.columns.tag_values), reader.start, reader.start_length)
    reader.has_start = False


# --- codes -----------------------------------------------------------------------------------------------------------


def read_codes(reader):
    code: cython.int
    while reader.place < reader.end:
        code = reader.codes[reader.place]
        reader.place += 1
        if likely(code < CODE_CASTLE):
            if not read_move(reader, code):
                return
        elif code == CODE_END:
            if reader.place < reader.end:
                reader.place += 1
                fail(reader, PROBLEM_BEHIND_END)
            elif not reader.inline_texts and reader.text_place < reader.texts_end:
                fail(reader, PROBLEM_TEXTS_LEFT)
            return
        elif not read_token(reader, code) or reader.columns.out_of_memory:
            return
    put_problem(reader.columns, PROBLEM_NO_END, reader.end, cython.NULL, 0)


def read_move(reader, code):
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


def read_long_move(reader, code):
    """Return a promotion, or the move of a promoted piece. The top bits of the second byte say nothing."""
    pieces = cython.address(reader.line.pieces)
    us: cython.int = reader.sink.line.board.turn
    slot: cython.int = code & 7
    second: cython.int
    kind: cython.int
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


def read_piece_move(reader, kind, place, offset, promotion):
    board = cython.address(reader.sink.line.board)
    us: cython.int = board.turn
    source: cython.int = reader.line.pieces.square[us][kind][place]
    target: cython.int
    move: cython.int
    if source == NO_SQUARE:
        return fail(reader, PROBLEM_NO_PIECE)
    target = target_by(reader.dialect, kind, us, source, offset)
    # A king that takes its own rook would be castling, which has a code of its own.
    if target == NO_SQUARE or (board.squares[target] and board.squares[target] >> 3 == us):
        return fail(reader, PROBLEM_IMPOSSIBLE)
    move = move_of(source, target, promotion)
    if not likely(is_legal(board, move)):
        if not is_possible(board, move):
            return fail(reader, PROBLEM_IMPOSSIBLE)
        if not reader.exposed:
            reader.exposed = True
            put_problem(reader.columns, PROBLEM_EXPOSED, reader.place - 1, cython.NULL, 0)
    play(reader, move)
    return True


def read_token(reader, code):
    """Any other code; False if the game ends here."""
    move: cython.int
    nag: cython.int = code - CODE_NAG
    if code < CODE_NULL:
        move = open_castling(cython.address(reader.sink.line.board), code - CODE_CASTLE)
        if move == 0:
            return fail(reader, PROBLEM_IMPOSSIBLE)
        if not is_legal(cython.address(reader.sink.line.board), move) and not reader.exposed:
            reader.exposed = True
            put_problem(reader.columns, PROBLEM_EXPOSED, reader.place - 1, cython.NULL, 0)
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
        add_nag(cython.address(reader.sink), nag)
    elif code < CODE_RESULT + 4:
        attach_nags(cython.address(reader.sink))
        reader.result = result_of(code)
        reader.sink.ended = reader.sink.outside.size == 0  # inside a variation a result ends nothing
    elif CODE_COMMENT <= code <= CODE_COMMENT + LAST_ERROR:
        return read_text(reader, code - CODE_COMMENT)
    elif code == CODE_BEGIN:
        return open_line(reader)
    elif code == CODE_CLOSE:
        return close_line(reader)
    else:
        return fail(reader, PROBLEM_RESERVED)
    return True


def result_of(code):
    """Read a result as our number: 0-1, 1/2-1/2, 1-0, * are 2, 3, 1, 0."""
    if code == CODE_RESULT:
        return 2
    if code == CODE_RESULT + 1:
        return 3
    return 1 if code == CODE_RESULT + 2 else 0


def read_text(reader, kind):
    """Add the next text as a comment or as an error of this kind."""
    place: cython.Py_ssize_t = reader.place if reader.inline_texts else reader.text_place
    end: cython.Py_ssize_t = reader.texts_end
    zero: cython.pointer[cython.const[uint8_t]] = cython.NULL
    if place < end:
        zero = cython.cast("const uint8_t*", memchr(reader.texts + place, 0, end - place))
    if zero != cython.NULL:
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


def finish(reader):
    """Write the single values of the record and close its lists."""
    columns = reader.columns
    if reader.encoding_problem:
        put_problem(columns, reader.encoding_problem, -1, cython.NULL, 0)
    note_unknown(cython.address(reader.comments))
    if reader.damaged:
        reader.flags |= FLAG_DAMAGED
        put_extra(columns, b"jose.bin", 8, reader.codes, reader.end)
        if reader.texts_end and not reader.inline_texts:
            put_extra(columns, b"jose.comments", 13, reader.texts, reader.texts_end)
    put_string(columns, cython.address(columns.start), reader.start, reader.start_length if reader.has_start else 0)
    put_uint8(columns, cython.address(columns.has_start), reader.has_start)
    header: Header = NO_HEADER
    header.variant = reader.variant
    header.result = reader.result
    put_values(columns, cython.address(header))
    end_record(columns)
