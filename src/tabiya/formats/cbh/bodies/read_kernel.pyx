"""Python interface for reading bodies: reads the blobs of many records into a builder, one pass, linear in their size.

Any bytes give a record. What its columns would not reproduce byte by byte is kept in extras.
"""

from libc.stdint cimport int64_t, uint16_t, uint8_t
from libc.string cimport memset, strlen

from tabiya.chess.fen_kernel cimport MAX_FEN, format_fen, format_number
from tabiya.chess.letters cimport SPACE
from tabiya.formats.cbh.bodies.cba cimport ANNOTATIONS_HEAD, Annotations
from tabiya.formats.cbh.bodies.cba_read_kernel cimport free_annotations, read_annotations
from tabiya.formats.cbh.bodies.cbg cimport (
    BLOB_HEAD, CHESS960, PROBLEM_ANNOTATIONS, PROBLEM_CUT_ANNOTATIONS, PROBLEM_CUT_MOVES, PROBLEM_LOST_POSITION,
    PROBLEM_MODE, PROBLEM_MOVE, PROBLEM_NESTING, PROBLEM_NO_ANNOTATIONS, PROBLEM_NO_MOVES, PROBLEM_NUMBERING,
    PROBLEM_OPEN_END, PROBLEM_POSITION, PROBLEM_RIGHTS, PROBLEM_SIZE, Moves
)
from tabiya.formats.cbh.bodies.cbg_read_kernel cimport MOVES_OK, free_moves, init_moves, is_exact, read_moves
from tabiya.formats.cbh.bodies.cbg_tape_kernel cimport put_tape
from tabiya.formats.cbh.bodies.move_tables_kernel cimport TRACKED
from tabiya.game.columns cimport Columns, Header, end_record, put_extra, put_problem, put_string, put_uint8, put_values
from tabiya.game.columns_kernel cimport NO_HEADER, BatchBuilder

# A blob, as far as the file contains it.
ctypedef struct Blob:
    const uint8_t* data
    int64_t size
    int64_t offset  # in the file, for problems

ctypedef struct BodyReader:
    Blob cbg
    Blob cba
    Columns* columns
    Header header   # data of the current record that its body determines
    Moves moves
    Annotations annotations


cdef int GAME = 0
cdef int TEXT = 1
cdef int OPAQUE = 2

cdef int64_t REFUSED_BODY = -2  # the body exists and is not read; there already is a problem for it

cdef char* BLOB_KEY = b"cbh.blob"
cdef char* ANNOTATIONS_KEY = b"cbh.annotations"


def read_blobs(
    BatchBuilder builder not None, const uint8_t[::1] moves not None, const uint8_t[::1] annotations not None,
    const int64_t[:, ::1] move_pieces not None, const int64_t[:, ::1] annotation_pieces not None,
    const uint8_t[::1] is_game not None, const uint16_t[::1] letters not None, const uint8_t[::1] letter_bytes not None,
    bint utf8, int64_t first_number
) -> None:
    """Read the bodies of consecutive records.

    Args:
        builder: receives the records; columns that do not come from bodies remain empty.
        moves: pieces of the ``.cbg`` file.
        annotations: pieces of the ``.cba`` file.
        move_pieces: for each record the begin of its piece among them, its length (as far as the file contains it), and
            its offset in the file.
        annotation_pieces: the same; an offset of 0 or -1 means none.
        is_game: whether the record is a game.
        letters: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        letter_bytes: the byte of each character up to U+FFFF in such texts, signs included; 0 for none.
        utf8: whether this base writes its texts in UTF-8.
        first_number: the number of the first record.
    """
    cdef BodyReader reader
    cdef Py_ssize_t count = is_game.shape[0]
    if not are_pieces(move_pieces, count, moves.shape[0]) or not are_pieces(
        annotation_pieces, count, annotations.shape[0]
    ):
        raise ValueError("there must be pieces for every record, all of them inside")
    if letters.shape[0] != 128 or letter_bytes.shape[0] != 0x10000:
        raise ValueError("a code page has 128 characters")
    memset(&reader.annotations, 0, sizeof(reader.annotations))
    reader.columns = &builder.columns
    cdef const uint8_t* first_moves = &moves[0] if moves.shape[0] else NULL
    cdef const uint8_t* first_annotations = (&annotations[0] if annotations.shape[0] else NULL)
    reader.annotations.page.letters = &letters[0]
    reader.annotations.page.bytes = &letter_bytes[0]
    reader.annotations.page.utf8 = utf8
    with nogil:
        init_moves(&reader.moves)
        for record in range(count):
            take_piece(&reader.cbg, first_moves, &move_pieces[record, 0])
            take_piece(&reader.cba, first_annotations, &annotation_pieces[record, 0])
            read_record(&reader, first_number + record, is_game[record] != 0)
            if reader.columns.out_of_memory:
                break
        free_moves(&reader.moves)
        free_annotations(&reader.annotations)


cdef bint are_pieces(const int64_t[:, ::1] pieces, Py_ssize_t count, Py_ssize_t size) noexcept:
    """Return whether there are this many pieces, all of them inside of this many bytes."""
    if pieces.shape[0] != count or pieces.shape[1] != 3:
        return False
    for index in range(count):
        if not (0 <= pieces[index, 0] <= size and 0 <= pieces[index, 1] <= size - pieces[index, 0]):
            return False
    return True


cdef void take_piece(Blob* blob, const uint8_t* data, const int64_t* piece) noexcept nogil:
    blob.data = data + piece[0]
    blob.size = piece[1]
    blob.offset = piece[2]


cdef int64_t moves_size(const Blob* blob) noexcept nogil:
    """Return the declared size of a blob, -1 if no blob can begin there."""
    if blob.size < BLOB_HEAD:
        return -1
    return blob.data[1] << 16 | blob.data[2] << 8 | blob.data[3]


cdef int64_t annotations_size(const Blob* blob) noexcept nogil:
    if blob.size < ANNOTATIONS_HEAD:
        return -1
    return <int64_t> blob.data[10] << 24 | blob.data[11] << 16 | blob.data[12] << 8 | blob.data[13]


cdef void read_record(BodyReader* reader, int64_t game, bint is_game) noexcept nogil:
    columns = reader.columns
    cdef bint known = False
    reader.header = NO_HEADER
    if is_game:
        known = read_game(reader)
        if reader.cba.offset > 0:
            read_comments(reader, game, known)
    else:
        put_start(reader, False)
    reader.header.kind = TEXT if not is_game else GAME if known else OPAQUE
    put_values(columns, &reader.header)
    end_record(columns)
    if reader.moves.no_memory or reader.annotations.no_memory:
        columns.out_of_memory = True


cdef void keep(BodyReader* reader, const char* key, const uint8_t* data, int64_t size) noexcept nogil:
    """Keep a blob in an extra."""
    put_extra(reader.columns, <const unsigned char*> key, strlen(key), data, size)


cdef void note(BodyReader* reader, int code, int64_t offset) noexcept nogil:
    put_problem(reader.columns, code, offset, NULL, 0)


cdef void note_number(BodyReader* reader, int code, int64_t offset, const char* word, int64_t number) noexcept nogil:
    """Record a problem with a word and a number: mode 12, move 80."""
    cdef uint8_t text[32]
    cdef Py_ssize_t length = strlen(word)
    for index in range(length):
        text[index] = word[index]
    text[length] = SPACE
    length += 1
    length += format_number(<unsigned int> number, text + length)
    put_problem(reader.columns, code, offset, text, length)


# --- moves -----------------------------------------------------------------------------------------------------------


cdef bint read_game(BodyReader* reader) noexcept nogil:
    """Read the moves of a game; False if they cannot be decoded, and the record is opaque."""
    cdef int64_t size = moves_size(&reader.cbg)
    cdef int64_t offset = reader.cbg.offset
    cdef bint cut = False
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


cdef bint decode_game(BodyReader* reader, int64_t size, bint cut) noexcept nogil:
    cdef int64_t offset = reader.cbg.offset
    moves = &reader.moves
    columns = reader.columns
    cdef Py_ssize_t mark = columns.moves.size
    cdef int code = read_moves(moves, reader.cbg.data, size)
    cdef bint known = code == MOVES_OK or code == PROBLEM_MOVE
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


cdef void note_failure(BodyReader* reader, int code, int64_t offset) noexcept nogil:
    moves = &reader.moves
    if code == PROBLEM_MODE:
        note_number(reader, code, offset, b"mode", moves.mode)
    elif code == PROBLEM_MOVE:
        note_number(reader, code, offset + moves.place, b"move", moves.count + 1)
    else:
        note(reader, code, offset + moves.place)


cdef void put_start(BodyReader* reader, bint known) noexcept nogil:
    columns = reader.columns
    moves = &reader.moves
    cdef uint8_t text[MAX_FEN]
    cdef int length = 0
    if known and moves.has_setup:
        length = format_fen(&moves.start, moves.start.state.ep_given, text)
    reader.header.variant = 1 if known and moves.mode >= CHESS960 else 0
    put_uint8(columns, &columns.has_start, length > 0)
    put_string(columns, &columns.start, text, length)


# --- annotations -----------------------------------------------------------------------------------------------------


cdef void read_comments(BodyReader* reader, int64_t game, bint known) noexcept nogil:
    annotations = &reader.annotations
    columns = reader.columns
    cdef int64_t size = annotations_size(&reader.cba)
    cdef int64_t offset = reader.cba.offset
    cdef bint cut = False
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
    if not read_annotations(annotations, reader.cba.data, size, game, &reader.moves if known else NULL, columns):
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
