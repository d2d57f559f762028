"""The EPD reader: lines of text to the columns of a batch. Linear in the size of the text.

Operations with a meaning of their own become tags, texts, evaluations and moves if writing them returns the same
operation; all others are kept as extras with their spelling.
"""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memset, strlen

from tabiya.chess.board cimport Board, make_move_without_key
from tabiya.chess.fen_kernel cimport MAX_COUNT
from tabiya.chess.letters cimport format_number
from tabiya.chess.san cimport parse_san
from tabiya.formats.epd.operations cimport (
    Span, end_of_operation, has_meaning, is_blank, is_comment, is_digit, is_opcode, is_word, next_word, read_number,
    read_start, trimmed
)
from tabiya.game.annotations.kinds cimport KIND_EVALUATION
from tabiya.game.columns cimport (
    ECO_NAME, EVENT_NAME, Columns, Header, close_annotation, end_record, end_string, intern, put_bytes, put_problem,
    put_string, put_uint8, put_uint16, put_values, reserve
)
from tabiya.game.columns_kernel cimport NO_HEADER, BatchBuilder
from tabiya.game.growing cimport Bytes
from tabiya.game.sink cimport (
    Sink, add_move, begin_game, end_game, end_line, free_sink, open_game_note, open_sink, open_text
)
from tabiya.game.utf8 cimport is_utf8, put_transcoded

cdef enum:
    PROBLEM_ENCODING = 1
    PROBLEM_LINE = 180
    PROBLEM_QUOTATION = 181
    PROBLEM_MOVES = 182

cdef enum:
    OPAQUE_RECORD = 2
    CENTIPAWNS = 0
    MATE = 1
    MOST_VALUE = 32767
    LONGEST_MOVE = 16

cdef const char* USUAL_START = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

# The operations of a line that have a meaning of their own; an empty span is one that does not occur.
ctypedef struct Meanings:
    Span halfmoves
    Span fullmoves
    Span value
    Span mate
    Span depth
    int texts           # number of comments, c0 and so on
    const uint8_t* comments[10]
    bint has_moves

ctypedef struct Reader:
    const uint8_t* data
    int64_t base                # offset of ``data`` in the file
    Columns* columns
    const uint16_t* code_page   # characters of 0x80 … 0xFF
    bint always_code_page       # else only for lines that are not UTF-8
    Sink sink
    Header header
    Meanings meanings
    Bytes converted             # a line as UTF-8
    Bytes text                  # a start position, or a text without escapes
    Bytes tape                  # moves of pv


def count_lines(const uint8_t[::1] data not None) -> int:
    """Return the number of lines that are not blank, each of which is a record."""
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t lines = 0
    cdef Span line
    with nogil:
        while place < data.shape[0]:
            line = line_at(&data[0], data.shape[0], &place)
            lines += line.length > 0
    return lines


def read_lines(
    BatchBuilder builder not None, const uint8_t[::1] data not None, int64_t offset,
    const uint16_t[::1] code_page not None, bint always_code_page
) -> None:
    """Read whole lines.

    Args:
        builder: receives a record for each line that is not blank.
        data: a part of the file.
        offset: its offset in the file.
        code_page: the characters of the bytes 0x80 to 0xFF in lines that are not UTF-8.
        always_code_page: whether no line is UTF-8.
    """
    cdef Reader reader
    cdef Py_ssize_t place = 0
    cdef Span line
    if code_page.shape[0] != 128:
        raise ValueError("a code page has 128 characters")
    if data.shape[0] == 0:
        return
    memset(&reader, 0, sizeof(Reader))
    reader.data = &data[0]
    reader.base = offset
    reader.columns = &builder.columns
    reader.code_page = &code_page[0]
    reader.always_code_page = always_code_page
    with nogil:
        open_sink(&reader.sink, reader.columns, NULL, 0)
        while place < data.shape[0] and not reader.columns.out_of_memory:
            line = line_at(reader.data, data.shape[0], &place)
            if line.length:
                read_line(&reader, line)
    free_sink(&reader.sink)
    free(reader.converted.data)
    free(reader.text.data)
    free(reader.tape.data)


cdef Span line_at(const uint8_t* data, Py_ssize_t size, Py_ssize_t* place) noexcept nogil:
    """Return the line at a place without blanks around it, and advance to the next one."""
    cdef const uint8_t* begin = data + place[0]
    cdef const uint8_t* end = <const uint8_t*> memchr(begin, c'\n', size - place[0])
    if end == NULL:
        end = data + size
    place[0] = end - data + 1
    return trimmed(begin, end - begin)


cdef void note(Reader* reader, int code, int64_t place) noexcept nogil:
    put_problem(reader.columns, code, reader.base + place, NULL, 0)


cdef void keep(Reader* reader, Span code, Span value, bint closed) noexcept nogil:
    """Keep an operation as an extra, with its spelling; quotation marks that are not ``closed`` are closed."""
    columns = reader.columns
    put_bytes(columns, &columns.extra_keys.data, b"epd.", 4)
    put_string(columns, &columns.extra_keys, code.data, code.length)
    put_bytes(columns, &columns.extra_values.data, value.data, value.length)
    put_bytes(columns, &columns.extra_values.data, b'"', not closed)
    end_string(columns, &columns.extra_values)


cdef Span span_of(const char* text) noexcept nogil:
    cdef Span span
    span.data = <const uint8_t*> text
    span.length = strlen(text)
    return span


# --- lines -----------------------------------------------------------------------------------------------------------


cdef void read_line(Reader* reader, Span line) noexcept nogil:
    columns = reader.columns
    cdef int64_t place = line.data - reader.data
    cdef Span rest
    cdef bint position
    begin_game(&reader.sink)
    reader.header = NO_HEADER
    memset(&reader.meanings, 0, sizeof(Meanings))
    if reader.always_code_page or not is_utf8(line.data, line.length):
        if not reader.always_code_page:
            note(reader, PROBLEM_ENCODING, place)
        reader.converted.size = 0
        put_transcoded(columns, &reader.converted, line.data, line.length, reader.code_page)
        line.data = reader.converted.data
        line.length = reader.converted.size
    rest = line
    position = read_position(reader, &rest)
    if position:
        put_start(reader)
        read_operations(reader, rest, place)
    else:
        note(reader, PROBLEM_LINE, place)
        reader.header.kind = OPAQUE_RECORD
        put_uint8(columns, &columns.has_start, 0)
        end_string(columns, &columns.start)
        keep(reader, span_of(b"line"), line, True)
    put_values(columns, &reader.header)
    end_line(&reader.sink)
    end_game(&reader.sink)
    end_record(columns)


cdef bint read_position(Reader* reader, Span* rest) noexcept nogil:
    """Read the fields of the position and the counters, which some programs write there; then ``rest`` follows them.

    The counters may also be operations. False if this is no position.
    """
    columns = reader.columns
    cdef Bytes* fen = &reader.text
    cdef Span word
    fen.size = 0
    for _ in range(4):
        word = next_word(rest)
        if word.length == 0:
            return False
        put_bytes(columns, fen, word.data, word.length)
        put_bytes(columns, fen, b" ", 1)
    find_counters(reader, rest)
    put_counter(reader, reader.meanings.halfmoves, 0)
    put_bytes(columns, fen, b" ", 1)
    put_counter(reader, reader.meanings.fullmoves, 1)
    word.data = fen.data
    word.length = fen.size
    if columns.out_of_memory or not read_start(word, &reader.sink.line.board):
        return False
    reader.header.variant = reader.sink.line.board.chess960
    return True


cdef void find_counters(Reader* reader, Span* rest) noexcept nogil:
    """Find the clock and the number of the move: two numbers after the position, or two operations."""
    meanings = &reader.meanings
    cdef Span operations = trimmed(rest.data, rest.length)
    cdef Span code, operand
    cdef bint closed
    if operations.length and is_digit(operations.data[0]):
        meanings.halfmoves = next_word(&operations)
        rest[0] = operations = trimmed(operations.data, operations.length)
        if operations.length and is_digit(operations.data[0]):
            meanings.fullmoves = next_word(&operations)
            rest[0] = operations
    while next_operation(&operations, &code, &operand, &closed):
        if is_word(code, b"hmvc") and meanings.halfmoves.length == 0 and read_number(operand, MAX_COUNT) >= 0:
            meanings.halfmoves = operand
        elif is_word(code, b"fmvn") and meanings.fullmoves.length == 0 and read_number(operand, MAX_COUNT) > 0:
            meanings.fullmoves = operand


cdef void put_counter(Reader* reader, Span text, int usual) noexcept nogil:
    cdef unsigned char digits[10]
    cdef int number = read_number(text, MAX_COUNT)
    put_bytes(reader.columns, &reader.text, digits, format_number(usual if number < usual else number, digits))


cdef void put_start(Reader* reader) noexcept nogil:
    columns = reader.columns
    cdef bint usual = reader.text.size == <Py_ssize_t> strlen(USUAL_START) and memcmp(
        reader.text.data, USUAL_START, reader.text.size
    ) == 0
    put_uint8(columns, &columns.has_start, not usual)
    put_string(columns, &columns.start, reader.text.data, 0 if usual else reader.text.size)


# --- operations ------------------------------------------------------------------------------------------------------


cdef bint next_operation(Span* rest, Span* code, Span* operand, bint* closed) noexcept nogil:
    """Take the next operation; False at the end of the line. Without an opcode, ``operand`` is all of it."""
    cdef Py_ssize_t end
    while rest.length and (is_blank(rest.data[0]) or rest.data[0] == c';'):
        rest.data += 1
        rest.length -= 1
    if rest.length == 0:
        return False
    end = end_of_operation(rest.data, rest.length, closed)
    operand[0] = trimmed(rest.data, end)
    rest.data += end
    rest.length -= end
    code[0] = next_word(operand)
    if is_opcode(code[0]):
        operand[0] = trimmed(operand.data, operand.length)
    else:
        operand.length += operand.data - code.data
        operand.data = code.data
        code.length = 0
    return True


cdef void read_operations(Reader* reader, Span rest, int64_t place) noexcept nogil:
    """Read all operations; those without a meaning first, as the writer orders them."""
    meanings = &reader.meanings
    cdef Span again = rest
    cdef Span code, operand
    find_comments(reader, rest)
    find_evaluations(reader, rest)
    cdef bint closed = True
    while next_operation(&rest, &code, &operand, &closed):
        if not has_meaning(code):
            keep(reader, code if code.length else span_of(b"operation"), operand, closed)
    if not closed:
        note(reader, PROBLEM_QUOTATION, place)
    while next_operation(&again, &code, &operand, &closed):
        if has_meaning(code) and not read_operation(reader, code, operand):
            keep(reader, code, operand, closed)
            if is_word(code, b"pv") and not meanings.has_moves and operand.length:
                note(reader, PROBLEM_MOVES, place)
    put_evaluations(reader)
    put_moves(reader)


cdef bint read_operation(Reader* reader, Span code, Span operand) noexcept nogil:
    """Read an operation that has a meaning in every format; False if it is to be kept as it is."""
    meanings = &reader.meanings
    cdef int number
    if is_comment(code):
        number = code.data[1] - c'0'
        return number < meanings.texts and operand.data == meanings.comments[number]
    if is_word(code, b"id") or is_word(code, b"eco"):
        return read_name(reader, EVENT_NAME if code.length == 2 else ECO_NAME, operand)
    if is_word(code, b"pv") and not meanings.has_moves:
        meanings.has_moves = read_moves(reader, operand)
        return meanings.has_moves
    if is_word(code, b"hmvc"):
        return operand.data == meanings.halfmoves.data and operand.length > 0
    if is_word(code, b"fmvn"):
        return operand.data == meanings.fullmoves.data and operand.length > 0
    if operand.length == 0:
        return False
    return (
        operand.data == meanings.value.data or operand.data == meanings.mate.data
        or operand.data == meanings.depth.data
    )


cdef bint read_signed(Span text, int* value) noexcept nogil:
    """Read a number as the writer spells it."""
    cdef bint negative = text.length > 1 and text.data[0] == c'-'
    cdef int number
    if negative:
        text.data += 1
        text.length -= 1
    number = read_number(text, MOST_VALUE)
    value[0] = -number if negative else number
    return number > 0 or number == 0 and not negative


cdef bint read_text(Reader* reader, Span operand) noexcept nogil:
    """Read a text, with or without quotation marks, into ``reader.text``; False for anything else."""
    text = &reader.text
    cdef Py_ssize_t place = 1
    cdef int letter
    text.size = 0
    if operand.length == 0 or not reserve(reader.columns, text, operand.length):
        return False
    if operand.data[0] != c'"':
        put_bytes(reader.columns, text, operand.data, operand.length)
        return memchr(operand.data, c'"', operand.length) == NULL
    while place < operand.length and operand.data[place] != c'"':
        letter = operand.data[place]
        if letter == c'\\' and place + 1 < operand.length:
            place += 1
            letter = operand.data[place]
            letter = c'\n' if letter == c'n' else c'\r' if letter == c'r' else c'\t' if letter == c't' else letter
        text.data[text.size] = letter
        text.size += 1
        place += 1
    return text.size > 0 and place >= operand.length - 1


cdef void find_comments(Reader* reader, Span operations) noexcept nogil:
    """Read c0, c1 and so on, in whatever order they are, up to the first that is missing or no text."""
    meanings = &reader.meanings
    columns = reader.columns
    cdef Span operands[10]
    cdef Span code, operand
    cdef bint closed
    memset(operands, 0, sizeof(operands))
    while next_operation(&operations, &code, &operand, &closed):
        if is_comment(code) and operands[code.data[1] - c'0'].length == 0:
            operands[code.data[1] - c'0'] = operand
    while meanings.texts < 10 and read_text(reader, operands[meanings.texts]):
        open_text(&reader.sink, 0)
        put_bytes(columns, &columns.annotation_data.data, reader.text.data, reader.text.size)
        close_annotation(columns)
        meanings.comments[meanings.texts] = operands[meanings.texts].data
        meanings.texts += 1


cdef bint read_name(Reader* reader, int name, Span operand) noexcept nogil:
    columns = reader.columns
    if reader.header.names[name] >= 0:
        return False
    if not read_text(reader, operand) and not is_word(operand, b'""'):  # other formats have empty tags
        return False
    if reader.text.size == 1 and reader.text.data[0] == c'?':  # a missing tag is null
        return False
    reader.header.names[name] = intern(columns, &columns.interned[name], reader.text.data, reader.text.size)
    return True


cdef void find_evaluations(Reader* reader, Span operations) noexcept nogil:
    """Find the first evaluation, distance to mate and depth that the writer would spell like this."""
    meanings = &reader.meanings
    cdef Span code, operand
    cdef bint closed
    cdef int number
    while next_operation(&operations, &code, &operand, &closed):
        if is_word(code, b"ce") and meanings.value.length == 0 and read_signed(operand, &number):
            meanings.value = operand
        elif is_word(code, b"dm") and meanings.mate.length == 0 and read_signed(operand, &number):
            meanings.mate = operand
        elif is_word(code, b"acd") and meanings.depth.length == 0 and read_number(operand, MOST_VALUE) > 0:
            meanings.depth = operand
    if meanings.value.length == meanings.mate.length == 0:
        meanings.depth.length = 0
        meanings.depth.data = NULL


cdef void put_evaluations(Reader* reader) noexcept nogil:
    """Add the evaluations, which EPD counts from the side to move and batches from White."""
    meanings = &reader.meanings
    cdef int depth = read_number(meanings.depth, MOST_VALUE) if meanings.depth.length else 0
    cdef int number
    if meanings.value.length and read_signed(meanings.value, &number):
        put_evaluation(reader, number, CENTIPAWNS, depth)
        depth = 0
    if meanings.mate.length and read_signed(meanings.mate, &number):
        put_evaluation(reader, number, MATE, depth)


cdef void put_evaluation(Reader* reader, int value, int kind, int depth) noexcept nogil:
    columns = reader.columns
    cdef int16_t stored[3]
    stored[0] = -value if reader.sink.line.board.turn else value
    stored[1] = kind
    stored[2] = depth
    open_game_note(&reader.sink, KIND_EVALUATION, 0)
    put_bytes(columns, &columns.annotation_data.data, <const uint8_t*> stored, 6)
    close_annotation(columns)


cdef bint read_moves(Reader* reader, Span rest) noexcept nogil:
    """Read the moves of pv into ``reader.tape``; False if one cannot be played."""
    cdef Span word
    cdef Board board = reader.sink.line.board
    cdef Bytes* tape = &reader.tape
    cdef int move
    tape.size = 0
    while True:
        word = next_word(&rest)
        skip_number(&word)
        if word.length == 0:
            if rest.length == 0:
                break
            if is_blank(rest.data[0]):
                continue
            return False
        move = parse_san(&board, word.data, <int> word.length) if word.length <= LONGEST_MOVE else -1
        if move < 0:
            return False
        put_uint16(reader.columns, tape, move)
        make_move_without_key(&board, move)
    return tape.size > 0


cdef void put_moves(Reader* reader) noexcept nogil:
    """Add the moves, after the texts before the first one."""
    cdef Py_ssize_t index
    if reader.meanings.has_moves:
        for index in range(reader.tape.size // 2):
            add_move(&reader.sink, (<const uint16_t*> reader.tape.data)[index])


cdef void skip_number(Span* word) noexcept nogil:
    """Skip the number of a move, ``12.`` or ``12...``, which some programs write; 0000 is a null move."""
    cdef Py_ssize_t place = 0
    while place < word.length and is_digit(word.data[place]):
        place += 1
    if place and place < word.length and word.data[place] == c'.':
        while place < word.length and word.data[place] == c'.':
            place += 1
        word.data += place
        word.length -= place
