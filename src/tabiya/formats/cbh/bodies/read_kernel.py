"""The doors of bodies: reads the blobs of many records into a builder, one pass, linear in the size of the blobs.

Whatever the bytes are, a record comes out. What its columns would not give again byte by byte is kept in extras.
"""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t, uint16_t
from cython.cimports.libc.string import memset, strlen
from cython.cimports.tabiya.chess.fen_kernel import MAX_FEN, format_fen, format_number
from cython.cimports.tabiya.chess.letters import SPACE
from cython.cimports.tabiya.formats.cbh.bodies.cba import ANNOTATIONS_HEAD
from cython.cimports.tabiya.formats.cbh.bodies.cba_read_kernel import free_annotations, read_annotations
from cython.cimports.tabiya.formats.cbh.bodies.cbg import (
    BLOB_HEAD,
    CHESS960,
    PROBLEM_ANNOTATIONS,
    PROBLEM_CUT_ANNOTATIONS,
    PROBLEM_CUT_MOVES,
    PROBLEM_LOST_POSITION,
    PROBLEM_MODE,
    PROBLEM_MOVE,
    PROBLEM_NESTING,
    PROBLEM_NO_ANNOTATIONS,
    PROBLEM_NO_MOVES,
    PROBLEM_NUMBERING,
    PROBLEM_OPEN_END,
    PROBLEM_POSITION,
    PROBLEM_RIGHTS,
    PROBLEM_SIZE,
)
from cython.cimports.tabiya.formats.cbh.bodies.cbg_read_kernel import (
    MOVES_OK,
    free_moves,
    init_moves,
    is_exact,
    read_moves,
)
from cython.cimports.tabiya.formats.cbh.bodies.cbg_tape_kernel import put_tape
from cython.cimports.tabiya.formats.cbh.bodies.move_tables_kernel import TRACKED
from cython.cimports.tabiya.game.columns import end_record, put_extra, put_problem, put_string, put_uint8, put_values
from cython.cimports.tabiya.game.columns_kernel import NO_HEADER, BatchBuilder

GAME = cython.declare(cython.int, 0)
TEXT = cython.declare(cython.int, 1)
OPAQUE = cython.declare(cython.int, 2)

REFUSED_BODY = cython.declare(int64_t, -2)  # the body is there and not read, for which there is a problem already

BLOB_KEY = cython.declare(cython.p_char, b"cbh.blob")
ANNOTATIONS_KEY = cython.declare(cython.p_char, b"cbh.annotations")


def read_blobs(
    builder: BatchBuilder,
    moves: cython.const[uint8_t][::1],
    annotations: cython.const[uint8_t][::1],
    move_pieces: cython.const[int64_t][:, ::1],
    annotation_pieces: cython.const[int64_t][:, ::1],
    is_game: cython.const[uint8_t][::1],
    letters: cython.const[uint16_t][::1],
    letter_bytes: cython.const[uint8_t][::1],
    utf8: cython.bint,
    first_number: int64_t,
) -> None:
    """Read the bodies of records in a row.

    Args:
        builder: takes the records; columns that do not come from bodies stay empty.
        moves: pieces of the ``.cbg`` file.
        annotations: pieces of the ``.cba`` file.
        move_pieces: for each record where its piece begins among them, how long it is (as far as the file goes), and
            where it begins in the file.
        annotation_pieces: the same; an offset of 0 or -1 stands for none.
        is_game: whether the record is a game.
        letters: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        letter_bytes: the byte of each character up to U+FFFF in such texts, signs included; 0 for none.
        utf8: whether this base writes its texts in UTF-8.
        first_number: the number of the first record.
    """
    reader: BodyReader
    count: cython.Py_ssize_t = is_game.shape[0]
    if not are_pieces(move_pieces, count, moves.shape[0]) or not are_pieces(
        annotation_pieces, count, annotations.shape[0]
    ):
        raise ValueError("there must be pieces for every record, all of them inside")
    if letters.shape[0] != 128 or letter_bytes.shape[0] != 0x10000:
        raise ValueError("a code page has 128 characters")
    memset(cython.address(reader.annotations), 0, cython.sizeof(reader.annotations))
    reader.columns = cython.address(builder.columns)
    first_moves: cython.pointer[cython.const[uint8_t]] = cython.address(moves[0]) if moves.shape[0] else cython.NULL
    first_annotations: cython.pointer[cython.const[uint8_t]] = (
        cython.address(annotations[0]) if annotations.shape[0] else cython.NULL
    )
    reader.annotations.page.letters = cython.address(letters[0])
    reader.annotations.page.bytes = cython.address(letter_bytes[0])
    reader.annotations.page.utf8 = utf8
    with cython.nogil:
        init_moves(cython.address(reader.moves))
        for record in range(count):
            take_piece(cython.address(reader.cbg), first_moves, cython.address(move_pieces[record, 0]))
            take_piece(cython.address(reader.cba), first_annotations, cython.address(annotation_pieces[record, 0]))
            read_record(cython.address(reader), first_number + record, is_game[record] != 0)
            if reader.columns.out_of_memory:
                break
        free_moves(cython.address(reader.moves))
        free_annotations(cython.address(reader.annotations))


def are_pieces(pieces, count, size):
    """Return whether there are this many pieces, all of them inside of this many bytes."""
    if pieces.shape[0] != count or pieces.shape[1] != 3:
        return False
    for index in range(count):
        if not (0 <= pieces[index, 0] <= size and 0 <= pieces[index, 1] <= size - pieces[index, 0]):
            return False
    return True


def take_piece(blob, data, piece):
    blob.data = data + piece[0]
    blob.size = piece[1]
    blob.offset = piece[2]


def moves_size(blob):
    """Return the size of a blob as it says itself, -1 if no blob can begin there."""
    if blob.size < BLOB_HEAD:
        return -1
    return blob.data[1] << 16 | blob.data[2] << 8 | blob.data[3]


def annotations_size(blob):
    if blob.size < ANNOTATIONS_HEAD:
        return -1
    return cython.cast(int64_t, blob.data[10]) << 24 | blob.data[11] << 16 | blob.data[12] << 8 | blob.data[13]


def read_record(reader, game, is_game):
    columns = reader.columns
    known: cython.bint = False
    reader.header = NO_HEADER
    if is_game:
        known = read_game(reader)
        if reader.cba.offset > 0:
            read_comments(reader, game, known)
    else:
        put_start(reader, False)
    reader.header.kind = TEXT if not is_game else GAME if known else OPAQUE
    put_values(columns, cython.address(reader.header))
    end_record(columns)
    if reader.moves.no_memory or reader.annotations.no_memory:
        columns.out_of_memory = True


def keep(reader, key, data, size):
    """Keep a blob in an extra."""
    put_extra(reader.columns, cython.cast("const unsigned char*", key), strlen(key), data, size)


def note(reader, code, offset):
    put_problem(reader.columns, code, offset, cython.NULL, 0)


def note_number(reader, code, offset, word, number):
    """Note a problem with a word and a number: mode 12, move 80."""
    text: uint8_t[32]
    length: cython.Py_ssize_t = strlen(word)
    for index in range(length):
        text[index] = word[index]
    text[length] = SPACE
    length += 1
    length += format_number(cython.cast(cython.uint, number), text + length)
    put_problem(reader.columns, code, offset, text, length)


# --- moves -----------------------------------------------------------------------------------------------------------


def read_game(reader):
    """Read the moves of a game; False if they cannot be known, and then the record is opaque."""
    size: int64_t = moves_size(cython.address(reader.cbg))
    offset: int64_t = reader.cbg.offset
    cut: cython.bint = False
    if size < BLOB_HEAD:
        if size < 0:
            if offset != REFUSED_BODY:
                note(reader, PROBLEM_NO_MOVES, offset)
        else:
            note(reader, PROBLEM_SIZE, offset)
            keep(reader, BLOB_KEY, reader.cbg.data, BLOB_HEAD)
        put_start(reader, False)
        return False
    if size > reader.cbg.size:
        note(reader, PROBLEM_CUT_MOVES, offset)
        size = reader.cbg.size
        cut = True
    return decode_game(reader, size, cut)


def decode_game(reader, size, cut):
    offset: int64_t = reader.cbg.offset
    moves = cython.address(reader.moves)
    columns = reader.columns
    mark: cython.Py_ssize_t = columns.moves.size
    code: cython.int = read_moves(moves, reader.cbg.data, size)
    known: cython.bint = code == MOVES_OK or code == PROBLEM_MOVE
    if known and not put_tape(moves, columns):
        columns.moves.size = mark
        code = PROBLEM_NESTING
        moves.place = 0
        known = False
    if code != MOVES_OK:
        note_failure(reader, code, offset)
    if known:
        if moves.open_end and not cut:
            note(reader, PROBLEM_OPEN_END, offset + size)
        if moves.granted:
            note(reader, PROBLEM_RIGHTS, offset)
        if moves.limit != TRACKED:
            note(reader, PROBLEM_NUMBERING, offset)
    put_start(reader, known)
    if code != MOVES_OK or cut or not is_exact(moves):
        keep(reader, BLOB_KEY, reader.cbg.data, size)
    return known


def note_failure(reader, code, offset):
    moves = cython.address(reader.moves)
    if code == PROBLEM_MODE:
        note_number(reader, code, offset, b"mode", moves.mode)
    elif code == PROBLEM_MOVE:
        note_number(reader, code, offset + moves.place, b"move", moves.count + 1)
    else:
        note(reader, code, offset + moves.place)


def put_start(reader, known):
    columns = reader.columns
    moves = cython.address(reader.moves)
    text: uint8_t[MAX_FEN]
    length: cython.int = 0
    if known and moves.has_setup:
        length = format_fen(cython.address(moves.start), moves.start.state.ep_given, text)
    reader.header.variant = 1 if known and moves.mode >= CHESS960 else 0
    put_uint8(columns, cython.address(columns.has_start), length > 0)
    put_string(columns, cython.address(columns.start), text, length)


# --- annotations -----------------------------------------------------------------------------------------------------


def read_comments(reader, game, known):
    annotations = cython.address(reader.annotations)
    columns = reader.columns
    size: int64_t = annotations_size(cython.address(reader.cba))
    offset: int64_t = reader.cba.offset
    cut: cython.bint = False
    if size < 0:
        note(reader, PROBLEM_NO_ANNOTATIONS, offset)
        return
    if size < ANNOTATIONS_HEAD:
        note(reader, PROBLEM_ANNOTATIONS, offset)
        size = ANNOTATIONS_HEAD
        cut = True
    elif size > reader.cba.size:
        note(reader, PROBLEM_CUT_ANNOTATIONS, offset)
        size = reader.cba.size
        cut = True
    if not read_annotations(
        annotations,
        reader.cba.data,
        size,
        game,
        cython.address(reader.moves) if known else cython.NULL,
        columns,
    ):
        return
    if annotations.stop >= 0 and not cut:
        note(reader, PROBLEM_ANNOTATIONS, offset + annotations.stop)
    if annotations.strays:
        note_number(
            reader,
            PROBLEM_LOST_POSITION if known and reader.moves.broken else PROBLEM_POSITION,
            offset,
            b"annotations:",
            annotations.strays,
        )
    if cut or not annotations.exact:
        keep(reader, ANNOTATIONS_KEY, reader.cba.data, size)
