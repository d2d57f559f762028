"""The EPD writer: the columns of a batch to lines of text. Linear in the size of the batch."""

from libc.stdint cimport int16_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memcpy, memset

from tabiya.chess.board cimport NO_SQUARE, Board, in_check, make_move_without_key
from tabiya.chess.fen_kernel cimport MAX_COUNT, MAX_FEN, format_fen, start_board
from tabiya.chess.letters cimport format_number
from tabiya.chess.rules_kernel cimport check_mark
from tabiya.chess.san cimport MAX_SAN, format_san
from tabiya.formats.epd.operations cimport (
    Span, end_of_operation, has_meaning, is_digit, is_opcode, is_word, names_rooks, next_word, read_number, trimmed
)
from tabiya.game.annotations.kinds cimport KIND_EVALUATION, KIND_TEXT_AFTER, KIND_TEXT_BEFORE
from tabiya.game.batch_view cimport Texts, View, find_extra
from tabiya.game.columns cimport ECO_NAME, EVENT_NAME, SIDE_BEFORE, SIDE_LATE
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.main_line cimport ILLEGAL_MOVE, MainLine, main_line, next_legal_move, set_up_board
from tabiya.game.view_kernel cimport BatchView

# Possible losses of a record; the sentences are in ``messages.py``.
cdef enum:
    LOSS_START = 0         # the spelling of a start position
    LOSS_TEXT = 1          # a text that is not before the first move, or beyond the tenth
    LOSS_EVALUATION = 2    # an evaluation of a move, or a second one of the position
    LOSS_EXTRA = 3         # an operation that cannot be written
    LOSS_VARIANT = 4       # a game of Chess960 whose position does not show it
    LOSS_COUNT = 5

# Reasons why a record cannot be written at all.
cdef enum:
    FITS = 0
    REFUSED_START = 1
    REFUSED_MOVE = 2
    REFUSED_OPAQUE = 3

cdef enum:
    OPAQUE_RECORD = 2

cdef enum:
    CENTIPAWNS = 0
    MATE = 1
    MOST_TEXTS = 10

ctypedef struct Writer:
    const View* view
    Bytes out
    bint failed           # no memory
    Py_ssize_t record
    Board standard
    Board board           # the start position of the record, then each of its positions
    int64_t losses[5]
    Py_ssize_t first_loss[5]


def write_lines(BatchView batch not None, uint8_t[::1] refused not None) -> tuple:
    """Write a batch of games.

    Args:
        batch: the records.
        refused: receives per record 0, or why it is omitted.

    Returns:
        The bytes, and per kind of loss (count, position of the first record in the batch).
    """
    cdef Writer writer
    cdef int64_t losses[LOSS_COUNT]
    cdef Py_ssize_t firsts[LOSS_COUNT]
    cdef Py_ssize_t line
    if refused.shape[0] != batch.view.records:
        raise ValueError("the buffer does not fit the batch")
    memset(&writer, 0, sizeof(Writer))
    writer.view = &batch.view
    with nogil:
        start_board(&writer.standard)
        while writer.record < writer.view.records and not writer.failed:
            # The losses of an omitted record count only as its omission.
            memcpy(losses, writer.losses, sizeof(losses))
            memcpy(firsts, writer.first_loss, sizeof(firsts))
            line = writer.out.size
            refused[writer.record] = write_line(&writer)
            if refused[writer.record] != FITS:
                writer.out.size = line
                memcpy(writer.losses, losses, sizeof(losses))
                memcpy(writer.first_loss, firsts, sizeof(firsts))
            writer.record += 1
    try:
        if writer.failed:
            raise MemoryError("no memory for the lines of a batch")
        data = writer.out.data[: writer.out.size] if writer.out.size else b""
        return data, [(writer.losses[kind], writer.first_loss[kind]) for kind in range(LOSS_COUNT)]
    finally:
        free(writer.out.data)


cdef void lose(Writer* writer, int kind) noexcept nogil:
    if writer.losses[kind] == 0:
        writer.first_loss[kind] = writer.record
    writer.losses[kind] += 1


cdef void put(Writer* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    if not grow(&writer.out, length + 1):
        writer.failed = True
        return
    if length:
        memcpy(writer.out.data + writer.out.size, data, length)
        writer.out.size += length


cdef void put_byte(Writer* writer, int value) noexcept nogil:
    cdef uint8_t byte = value
    put(writer, &byte, 1)


cdef void put_number(Writer* writer, int value) noexcept nogil:
    cdef unsigned char digits[10]
    if value < 0:
        put_byte(writer, c'-')
        value = -value
    put(writer, digits, format_number(value, digits))


cdef void put_word(Writer* writer, const char* word, Py_ssize_t length) noexcept nogil:
    """Write an opcode and the blank before it."""
    put_byte(writer, c' ')
    put(writer, <const uint8_t*> word, length)


cdef void put_counter(Writer* writer, const char* code, int value) noexcept nogil:
    put_word(writer, code, 4)
    put_byte(writer, c' ')
    put_number(writer, value)
    put_byte(writer, c';')


cdef void put_text(Writer* writer, Span text) noexcept nogil:
    """Write a text in quotation marks."""
    cdef Py_ssize_t place
    cdef int letter
    put(writer, b' "', 2)
    for place in range(text.length):
        letter = text.data[place]
        if letter == c'\n' or letter == c'\r' or letter == c'\t' or letter == c'"' or letter == c'\\':
            put_byte(writer, c'\\')
            letter = c'n' if letter == c'\n' else c'r' if letter == c'\r' else c't' if letter == c'\t' else letter
        put_byte(writer, letter)
    put(writer, b'";', 2)


cdef Span text_at(const Texts* texts, Py_ssize_t index) noexcept nogil:
    cdef Span text
    text.data = texts.data + texts.ends[index]
    text.length = texts.ends[index + 1] - texts.ends[index]
    return text


# --- records ---------------------------------------------------------------------------------------------------------


cdef int write_line(Writer* writer) noexcept nogil:
    """Write one record; return FITS, or why it cannot be written."""
    cdef int halfmoves = 0
    cdef int fullmoves = 1
    cdef int code
    if writer.view.kind[writer.record] == OPAQUE_RECORD:
        return write_opaque(writer)
    code = write_position(writer, &halfmoves, &fullmoves)
    if code != FITS:
        return code
    write_extras(writer, False)
    write_evaluations(writer)
    write_texts(writer)
    write_name(writer, b"eco", 3, ECO_NAME)
    if fullmoves != 1 or has_extra(writer, b"fmvn"):
        put_counter(writer, b"fmvn", fullmoves)
    if halfmoves or has_extra(writer, b"hmvc"):
        put_counter(writer, b"hmvc", halfmoves)
    write_name(writer, b"id", 2, EVENT_NAME)
    code = write_moves(writer)
    write_extras(writer, True)
    put_byte(writer, c'\n')
    return code


cdef int write_opaque(Writer* writer) noexcept nogil:
    """Write a line that could not be read as it was."""
    view = writer.view
    cdef Py_ssize_t index = find_extra(view, writer.record, b"epd.line", view.extra_ends[writer.record])
    if index < 0:
        return REFUSED_OPAQUE
    line = text_at(&view.extra_values, index)
    if line.length == 0 or memchr(line.data, c'\n', line.length) != NULL:
        return REFUSED_OPAQUE
    put(writer, line.data, line.length)
    put_byte(writer, c'\n')
    return FITS


cdef int write_position(Writer* writer, int* halfmoves, int* fullmoves) noexcept nogil:
    """Write the four fields of the start position, and return its counters."""
    view = writer.view
    board = &writer.board
    cdef Span start = text_at(&view.start, writer.record)
    cdef Span fields
    cdef unsigned char text[MAX_FEN + 8]
    cdef bint chess960 = view.variant[writer.record] == 1
    if not view.has_start[writer.record]:
        start.length = 0
    if not set_up_board(board, &writer.standard, start.data, start.length, chess960):
        return REFUSED_START
    fields = start
    if start.length == 0:
        fields.data = text
        fields.length = format_fen(board, NO_SQUARE, text)
    if not is_exact(fields, halfmoves, fullmoves) or names_rooks(fields) != chess960:
        fields.data = text
        fields.length = format_fen(board, board.state.ep_given, text)
        if chess960:
            fields.length = name_rooks(board, text, fields.length)
        if not is_exact(fields, halfmoves, fullmoves):
            return REFUSED_START
        if fields.length != start.length or memcmp(fields.data, start.data, start.length) != 0:
            lose(writer, LOSS_START)
        if names_rooks(fields) != chess960:
            lose(writer, LOSS_VARIANT)
    start = fields
    for _ in range(4):
        next_word(&fields)
    put(writer, start.data, start.length - fields.length)
    return FITS


cdef Py_ssize_t name_rooks(const Board* board, unsigned char* fen, Py_ssize_t length) noexcept nogil:
    """Name the files of the rooks, so that the FEN of a standard set-up shows Chess960; return its new length."""
    cdef unsigned char rest[MAX_FEN]
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t end, size
    cdef int right
    while fen[place] != c' ':
        place += 1
    place += 3
    end = place
    while fen[end] != c' ':
        end += 1
    size = length - end
    memcpy(rest, fen + end, size)
    for right in range(4):
        if board.state.rights >> right & 1:
            fen[place] = (c'a' if right >> 1 else c'A') + (board.rook[right] & 7)
            place += 1
    if board.state.rights == 0:
        return length
    memcpy(fen + place, rest, size)
    return place + size


cdef bint is_exact(Span fen, int* halfmoves, int* fullmoves) noexcept nogil:
    """Return whether a FEN follows from its fields: six words with a blank between them, numbers without zeros."""
    cdef Span rest = fen
    cdef Py_ssize_t letters = 5
    for _ in range(4):
        letters += next_word(&rest).length
    counter = next_word(&rest)
    halfmoves[0] = read_number(counter, MAX_COUNT)
    letters += counter.length
    counter = next_word(&rest)
    fullmoves[0] = read_number(counter, MAX_COUNT)
    letters += counter.length
    return letters == fen.length and halfmoves[0] >= 0 and fullmoves[0] > 0


cdef void write_name(Writer* writer, const char* code, Py_ssize_t length, int name) noexcept nogil:
    cdef int index = writer.view.names[name][writer.record]
    if index >= 0:
        put_word(writer, code, length)
        put_text(writer, text_at(&writer.view.interned[name], index))


# --- annotations -----------------------------------------------------------------------------------------------------


cdef void write_evaluations(Writer* writer) noexcept nogil:
    """Write the evaluation of the start position in centipawns, the distance to mate, and the depth."""
    view = writer.view
    cdef int16_t stored[3]
    cdef int values[2]
    cdef bint given[2]
    cdef int depth = 0
    cdef int kind
    cdef Py_ssize_t index
    given[CENTIPAWNS] = given[MATE] = False
    values[CENTIPAWNS] = values[MATE] = 0
    for index in range(view.annotation_ends[writer.record], view.annotation_ends[writer.record + 1]):
        if view.annotation_kind[index] != KIND_EVALUATION:
            continue
        data = text_at(&view.annotation_data, index)
        if data.length != sizeof(stored) or view.annotation_move[index] != -1 or view.annotation_side[index]:
            lose(writer, LOSS_EVALUATION)
            continue
        memcpy(stored, data.data, sizeof(stored))
        kind = stored[1]
        if not CENTIPAWNS <= kind <= MATE or given[kind] or given[MATE] or stored[2] < 0 or stored[0] == -32768 or (
            kind == MATE and given[CENTIPAWNS] and stored[2]
        ):
            lose(writer, LOSS_EVALUATION)
            continue
        given[kind] = True
        values[kind] = -stored[0] if writer.board.turn else stored[0]
        if stored[2]:
            depth = stored[2]
    if depth:
        put_word(writer, b"acd ", 4)
        put_number(writer, depth)
        put_byte(writer, c';')
    for kind in range(2):
        if given[kind]:
            put_word(writer, b"dm " if kind else b"ce ", 3)
            put_number(writer, values[kind])
            put_byte(writer, c';')


cdef bint precedes_moves(const View* view, Py_ssize_t index, bint has_moves) noexcept nogil:
    """Return whether a text is where the reader puts comments: before the first move, or late without any moves."""
    cdef int kind = view.annotation_kind[index]
    cdef int move = view.annotation_move[index]
    cdef int side = view.annotation_side[index]
    if has_moves:
        return kind == KIND_TEXT_BEFORE and move == 0 and side == SIDE_BEFORE
    return kind == KIND_TEXT_AFTER and move == -1 and side == SIDE_LATE


cdef void write_texts(Writer* writer) noexcept nogil:
    """Write the texts before the first move as comments c0 to c9."""
    view = writer.view
    cdef bint has_moves = view.move_ends[writer.record + 1] > view.move_ends[writer.record]
    cdef int texts = 0
    cdef int kind
    cdef uint8_t code[2]
    cdef Py_ssize_t index
    for index in range(view.annotation_ends[writer.record], view.annotation_ends[writer.record + 1]):
        kind = view.annotation_kind[index]
        if kind != KIND_TEXT_BEFORE and kind != KIND_TEXT_AFTER:
            continue
        text = text_at(&view.annotation_data, index)
        if text.length == 0 or texts == MOST_TEXTS or not precedes_moves(view, index, has_moves):
            lose(writer, LOSS_TEXT)
            continue
        code[0] = c'c'
        code[1] = c'0' + texts
        put_word(writer, <const char*> code, 2)
        put_text(writer, text)
        texts += 1


# --- moves -----------------------------------------------------------------------------------------------------------


cdef int write_moves(Writer* writer) noexcept nogil:
    """Write the main line; return FITS, or that a move is not legal."""
    view = writer.view
    board = &writer.board
    cdef Py_ssize_t begin = view.move_ends[writer.record]
    cdef MainLine line = main_line(view.moves + begin, view.move_ends[writer.record + 1] - begin)
    cdef uint8_t word[MAX_SAN + 2]
    cdef int move, length
    if line.next == line.end:
        return FITS
    put_word(writer, b"pv", 2)
    while True:
        move = next_legal_move(&line, board)
        if move < 0:
            break
        word[0] = c' '
        length = 1 + format_san(board, move, word + 1)
        make_move_without_key(board, move)
        if move and in_check(board):
            word[length] = check_mark(board)
            length += 1
        put(writer, word, length)
    put_byte(writer, c';')
    return REFUSED_MOVE if move == ILLEGAL_MOVE else FITS


# --- extras ----------------------------------------------------------------------------------------------------------


cdef Span own_extra(const Writer* writer, Py_ssize_t index) noexcept nogil:
    """Return the opcode of an extra; NULL if it belongs to another format."""
    cdef Span key = text_at(&writer.view.extra_keys, index)
    if key.length < 4 or memcmp(key.data, b"epd.", 4) != 0:
        key.data = NULL
        key.length = 0
        return key
    key.data += 4
    key.length -= 4
    return key


cdef bint has_extra(const Writer* writer, const char* code) noexcept nogil:
    view = writer.view
    for index in range(view.extra_ends[writer.record], view.extra_ends[writer.record + 1]):
        if is_word(own_extra(writer, index), code):
            return True
    return False


cdef void write_extras(Writer* writer, bint with_meaning) noexcept nogil:
    """Write the operations that were kept as they are. Those whose opcode has a meaning follow the one that has it."""
    view = writer.view
    cdef Py_ssize_t index
    for index in range(view.extra_ends[writer.record], view.extra_ends[writer.record + 1]):
        code = own_extra(writer, index)
        if code.data != NULL and has_meaning(code) == with_meaning:
            value = text_at(&view.extra_values, index)
            if not can_be_operand(code, value):
                lose(writer, LOSS_EXTRA)
                continue
            if not is_word(code, b"operation"):
                put_word(writer, <const char*> code.data, code.length)
            if value.length:
                put_byte(writer, c' ')
            put(writer, value.data, value.length)
            put_byte(writer, c';')


cdef bint can_be_operand(Span code, Span value) noexcept nogil:
    """Return whether reading an operation returns the same extra."""
    cdef bint closed = True
    cdef Span word = value
    if memchr(value.data, c'\n', value.length) != NULL or trimmed(value.data, value.length).length != value.length:
        return False
    if end_of_operation(value.data, value.length, &closed) != value.length or not closed:
        return False
    if is_word(code, b"operation"):
        # At the beginning a number is the clock of the position.
        return value.length > 0 and not is_digit(value.data[0]) and not is_opcode(next_word(&word))
    return is_opcode(code)
