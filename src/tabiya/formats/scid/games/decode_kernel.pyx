"""Reads game data: bytes with offsets in, columns of a batch out. Linear in the bytes; no recursion.

Every move is applied to the piece lists and to a board, and must be legal. Invalid bytes end the moves with a problem,
and the stored bytes go to the extras.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memset

from tabiya.chess.bits cimport likely
from tabiya.chess.board cimport (
    BISHOP, KING, KING_SIDE, KNIGHT, PAWN, QUEEN, QUEEN_SIDE, ROOK, castling_move, is_legal_of, move_of
)
from tabiya.chess.fen_kernel cimport castles_unusually, read_fen
from tabiya.chess.letters cimport DOT, QUESTION
from tabiya.formats.scid.games.codes cimport (
    CODE_BEGIN, CODE_COMMENT, CODE_END, CODE_LONG, CODE_NAG, CODE_SHORT, COMMON_COUNT, DEEPEST, FIRST_COMMON,
    FLAG_START, LONGEST_TAG_NAME, OLD_EVENT_DATE, PAWN_DOUBLE, QUEEN_TARGET
)
from tabiya.formats.scid.games.pieces cimport list_pieces, list_standard, move_piece, move_piece_back
from tabiya.formats.scid.games.reading cimport (
    FLAG_COLUMN_TAGS, FLAG_DAMAGED, INDEX_COUNT, INDEX_DATE, INDEX_EVENT_DATE, INDEX_WHITE, INDEX_WHITE_TYPE,
    PROBLEM_EARLY_CLOSE, PROBLEM_EARLY_VARIATION, PROBLEM_EMPTY_VARIATION, PROBLEM_ILLEGAL, PROBLEM_NO_END,
    PROBLEM_NO_PIECE, PROBLEM_OPEN_VARIATION, PROBLEM_START, PROBLEM_TAGS, PROBLEM_TEXT_MISSING, PROBLEM_UNUSED_TEXTS,
    PROBLEM_TOO_DEEP, Reader
)
from tabiya.game.annotations.commands cimport has_command
from tabiya.game.annotations.read_comments_kernel cimport Commands, free_reader, open_reader, read_comment
from tabiya.game.columns cimport (
    ANNOTATOR_NAME, close_annotation, end_record, end_string, intern, put_bytes, put_extra, put_problem, put_string,
    put_uint8, put_values
)
from tabiya.game.columns_kernel cimport NO_HEADER, BatchBuilder
from tabiya.game.growing cimport Bytes
from tabiya.game.sink cimport (
    NOTHING, add_move, add_nag, begin_game, close_variation, depth_of, end_game, end_line, free_sink, open_sink,
    open_text, open_variation
)
from tabiya.game.spelling cimport format_digits
from tabiya.game.tag_names_kernel cimport TAG_ANNOTATOR, TAG_OTHER, TAG_SETUP, exact_tag
from tabiya.game.utf8 cimport is_utf8, put_transcoded

from tabiya.formats.scid.codes import COMMON_TAGS as NAMES
from tabiya.formats.scid.codes import RATING_TYPES

# === tags =============================================================================================================
# Tags and start position at the beginning of game data. Linear in their length.

cdef CommonTag RATING_TAGS[2][7]  # by side and kind of rating

# A tag in the data.
ctypedef struct Tag:
    const uint8_t* name
    Py_ssize_t name_length
    const uint8_t* value
    Py_ssize_t length
    int code            # its first byte


cdef int RATING_COUNT = len(RATING_TYPES)


cdef bint read_tags(Reader* reader) noexcept nogil:
    """Read the tags, and find the start position after them; False if they extend past the end."""
    cdef int known
    cdef const unsigned char* annotator
    cdef Py_ssize_t place = 0
    cdef Tag tag
    cdef int annotators = 0
    cdef int set_ups = 0
    while next_tag(reader.data, reader.end, &place, &tag):
        known = exact_tag(tag.name, tag.name_length)
        annotators += known == TAG_ANNOTATOR
        set_ups += known == TAG_SETUP
    if place < 0 or place >= reader.end:
        reader.place = reader.end
        put_index_tags(reader, False)
        return False
    reader.place = place
    put_index_tags(reader, True)
    cdef bint sound = read_start(reader)
    place = 0
    while next_tag(reader.data, reader.end, &place, &tag):
        known = exact_tag(tag.name, tag.name_length)
        set_ups -= known == TAG_SETUP
        if tag.code == OLD_EVENT_DATE:
            put_event_date(reader, tag.value[0] << 16 | tag.value[1] << 8 | tag.value[2])
        elif tag.code >= FIRST_COMMON + COMMON_COUNT or (
            # The last one follows from the start position; all before it are tags of the game.
            known == TAG_SETUP and set_ups == 0 and reader.has_start and tag.length == 1 and tag.value[0] == ord("1")
        ):
            continue
        elif known == TAG_ANNOTATOR and annotators == 1:
            reader.comment.size = 0
            put_utf8(reader, &reader.comment, tag.value, tag.length)
            annotator = tag.value  # an empty one, which may have no buffer
            if reader.comment.size:
                annotator = reader.comment.data
            reader.header.names[ANNOTATOR_NAME] = intern(
                reader.columns,
                &reader.columns.interned[ANNOTATOR_NAME],
                annotator,
                reader.comment.size,
            )
        else:
            if known != TAG_OTHER:
                reader.flags |= FLAG_COLUMN_TAGS
            put_tag(reader, &tag)
    return sound


cdef void put_index_tags(Reader* reader, bint sound) noexcept nogil:
    """Insert the values of the index before the other tags, unless these are ``sound`` and contain them, too."""
    cdef int kind
    cdef int rating
    columns = reader.columns
    index = reader.index
    cdef uint8_t digits[10]
    if index == NULL:
        return
    for side in range(2):
        kind = index[INDEX_WHITE_TYPE + 2 * side]
        rating = index[INDEX_WHITE + 2 * side]
        if not 0 < kind < RATING_COUNT or rating <= 0:
            continue
        name = &RATING_TAGS[side][kind]
        if not (sound and has_tag(reader, name.name, name.length)):
            put_string(columns, &columns.tag_names, name.name, name.length)
            put_string(columns, &columns.tag_values, digits, format_digits(digits, rating))
    if index[INDEX_EVENT_DATE] > 0 and not (sound and has_tag(reader, b"EventDate", 9)):
        put_event_date(reader, index[INDEX_EVENT_DATE])
    # Columns cannot store a completely unknown date or a month beyond the twelfth.
    if (index[INDEX_DATE] == 0 or index[INDEX_DATE] >> 5 & 15 > 12) and not (sound and has_tag(reader, b"Date", 4)):
        put_string(columns, &columns.tag_names, b"Date", 4)
        put_date(reader, index[INDEX_DATE])


cdef bint has_tag(Reader* reader, const uint8_t* name, Py_ssize_t length) noexcept nogil:
    """Return whether the data contains a tag of this name; an event date in its old form counts, too."""
    cdef Py_ssize_t place = 0
    cdef Tag tag
    while next_tag(reader.data, reader.end, &place, &tag):
        if tag.name_length == length and memcmp(tag.name, name, length) == 0:
            return True
    return False


cdef bint next_tag(const uint8_t* data, Py_ssize_t end, Py_ssize_t* place, Tag* tag) noexcept nogil:
    """Read the tag at ``place``; False after the last one, with a negative place if it extends past the end."""
    cdef Py_ssize_t at = place[0]
    if at >= end:
        place[0] = -1
        return False
    tag.code = data[at]
    at += 1
    if tag.code == 0:
        place[0] = at
        return False
    tag.name = NULL
    tag.name_length = 0
    if tag.code <= LONGEST_TAG_NAME:
        tag.name = data + at
        tag.name_length = tag.code
        at += tag.code
    elif tag.code == OLD_EVENT_DATE:
        tag.name = b"EventDate"
        tag.name_length = 9
    elif tag.code < FIRST_COMMON + COMMON_COUNT:
        tag.name = COMMON_TAGS[tag.code - FIRST_COMMON].name
        tag.name_length = COMMON_TAGS[tag.code - FIRST_COMMON].length
    tag.length = 3
    if tag.code != OLD_EVENT_DATE:
        if at >= end:
            place[0] = -1
            return False
        tag.length = data[at]
        at += 1
    tag.value = data + at
    if tag.length > end - at:
        place[0] = -1
        return False
    place[0] = at + tag.length
    return True


cdef void put_tag(Reader* reader, const Tag* tag) noexcept nogil:
    columns = reader.columns
    put_utf8(reader, &columns.tag_names.data, tag.name, tag.name_length)
    end_string(columns, &columns.tag_names)
    put_utf8(reader, &columns.tag_values.data, tag.value, tag.length)
    end_string(columns, &columns.tag_values)


cdef void put_event_date(Reader* reader, int date) noexcept nogil:
    """Append the tag of an event date."""
    put_string(reader.columns, &reader.columns.tag_names, b"EventDate", 9)
    put_date(reader, date)


cdef void put_date(Reader* reader, int date) noexcept nogil:
    """Append the value of a tag: ``2024.05.??``."""
    cdef uint8_t letters[10]
    format_part(letters, 4, date >> 9)
    format_part(letters + 5, 2, date >> 5 & 15)
    format_part(letters + 8, 2, date & 31)
    letters[4] = letters[7] = DOT
    put_string(reader.columns, &reader.columns.tag_values, letters, 10)


cdef void format_part(uint8_t* letters, int digits, int number) noexcept nogil:
    """Write a number with this many digits; question marks if it is 0."""
    for place in range(digits):
        letters[digits - 1 - place] = ord("0") + number % 10 if number else QUESTION
        number //= 10
        if number == 0 and letters[digits - 1] != QUESTION:
            for rest in range(place + 1, digits):
                letters[digits - 1 - rest] = ord("0")
            return


cdef void put_utf8(Reader* reader, Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Append a text, which is UTF-8 or else in the code page."""
    if is_utf8(text, length):
        put_bytes(reader.columns, out, text, length)
    else:
        put_transcoded(reader.columns, out, text, length, reader.code_page)


cdef bint read_start(Reader* reader) noexcept nogil:
    """Find the start position; False if it has no end."""
    cdef const uint8_t* zero
    reader.has_start = reader.data[reader.place] & FLAG_START
    reader.place += 1
    reader.start = reader.place
    reader.start_length = 0
    if not reader.has_start:
        return True
    if reader.place >= reader.end:
        return False
    zero = <const uint8_t*> memchr(reader.data + reader.place, 0, reader.end - reader.place)
    if zero == NULL:
        return False
    reader.start_length = zero - reader.data - reader.place
    reader.place += reader.start_length + 1
    return True


for index, name in enumerate(NAMES):
    COMMON_TAGS[index].length = len(name)
    for place, letter in enumerate(name.encode()):
        COMMON_TAGS[index].name[place] = letter
for side, color in enumerate(("White", "Black")):
    for kind, name in enumerate(RATING_TYPES):
        RATING_TAGS[side][kind].length = len(color + name)
        for place, letter in enumerate((color + name).encode()):
            RATING_TAGS[side][kind].name[place] = letter


# === comments =========================================================================================================
# Comments in game data: a code at the position of each, and all texts after the moves. Linear in their length.

cdef bint read_text(Reader* reader) noexcept nogil:
    """Add the next text as a comment."""
    cdef const uint8_t* zero = NULL
    cdef Py_ssize_t place = reader.text_place
    if place == NOTHING:
        place = texts_place(reader.data, reader.place, reader.end)
    if place < reader.end:
        zero = <const uint8_t*> memchr(reader.data + place, 0, reader.end - place)
    if zero == NULL:
        return fail(reader, PROBLEM_TEXT_MISSING)
    reader.text_place = zero - reader.data + 1
    add_text(reader, reader.data + place, reader.text_place - 1 - place)
    return True


cdef Py_ssize_t texts_place(const uint8_t* data, Py_ssize_t place, Py_ssize_t end) noexcept nogil:
    """Return where the texts begin: after the end of the moves, whose byte otherwise occurs only as a NAG's value."""
    while place < end and data[place] != CODE_END:
        place += 2 if data[place] == CODE_NAG else 1
    return place + 1


cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Add a comment: the annotations of its commands, and the rest of its text."""
    if has_command(text, length):
        if not is_utf8(text, length):
            reader.comment.size = 0
            put_utf8(reader, &reader.comment, text, length)
            text = reader.comment.data
            length = reader.comment.size
        if read_comment(&reader.comments, text, length):
            return
    open_text(&reader.sink, 0)
    put_text(reader, text, length)


cdef void put_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write the bytes of the annotation that has been opened."""
    put_utf8(reader, &reader.columns.annotation_data.data, text, length)
    close_annotation(reader.columns)


cdef bint fail(Reader* reader, int code) noexcept nogil:
    """Record a problem at the last byte read; the stored bytes are kept. Always returns False."""
    put_problem(reader.columns, code, reader.place - 1 if reader.place else 0, NULL, 0)
    reader.damaged = True
    return False


# === games ============================================================================================================

cdef enum:
    TWO_BYTES = 0xFFFF  # the target is in the next byte

cdef uint16_t MOVES[16][64][16]  # by piece, source and value of the code
cdef int PROMOTIONS[5]


cdef int NO_MOVE = -1


def read_games(
    BatchBuilder builder not None, const uint8_t[::1] data not None, const int64_t[::1] begins not None,
    const int64_t[::1] lengths not None, const int32_t[:, ::1] index not None, const uint16_t[::1] code_page not None,
    Commands commands not None, bint headers_only, uint8_t[::1] flags not None
) -> None:
    """Read the data of games, one record each; columns not contained in it remain empty.

    Args:
        builder: receives the records.
        data: the data of all games.
        begins: the begin of each.
        lengths: the length of each; a game without data has length 0, and no moves.
        index: the index values of each that become tags, see ``reading.pxd``; no rows without an index.
        code_page: the characters of the bytes from 0x80 on, for texts that are not UTF-8.
        commands: the meaning of commands in comments.
        headers_only: read tags and start positions, and no moves.
        flags: receives per record 2 if the stored bytes were kept, plus 4 if there are tags that have columns.
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
    reader.columns = &builder.columns
    open_reader(&reader.comments, commands, reader.columns, &reader.sink)
    reader.comments.values_of_game = reader.comments.in_place = True
    reader.code_page = &code_page[0]
    reader.headers_only = headers_only
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
    free_reader(&reader.comments)


cdef void read_record(Reader* reader) noexcept nogil:
    reader.header = NO_HEADER
    reader.header.variant = 0
    reader.flags = 0
    reader.damaged = False
    reader.has_start = False
    reader.place = reader.start_length = 0
    begin_game(&reader.sink)
    if reader.end == 0:
        put_index_tags(reader, False)
    elif not read_tags(reader):
        fail(reader, PROBLEM_TAGS)
    elif not set_up(reader):
        fail(reader, PROBLEM_START)
        keep_start(reader)
    elif not reader.headers_only:
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
    board.chess960 = reader.header.variant = castles_unusually(board)
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
                fail(reader, PROBLEM_UNUSED_TEXTS)
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


cdef int decode_move(Reader* reader, int code) noexcept nogil:
    """Return the legal move of a piece other than the king; NO_MOVE if it does not exist, less if illegal."""
    board = &reader.sink.line.board
    cdef int us = board.turn
    cdef int source
    cdef int target
    cdef int piece_code
    cdef int move
    if not likely(code >> 4 < reader.line.pieces.count[us]):
        return NO_MOVE
    source = reader.line.pieces.square[us][code >> 4]
    piece_code = board.squares[source]
    move = MOVES[piece_code][source][code & 15]
    if not likely(move != TWO_BYTES):
        if reader.place >= reader.end:
            return NO_MOVE
        target = reader.data[reader.place] - QUEEN_TARGET
        reader.place += 1
        if target < 0 or target > 63:
            return NO_MOVE - 1
        move = move_of(source, target, 0)
    return move if likely(is_legal_of(board, piece_code & 7, move)) else NO_MOVE - 1


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
        return read_text(reader)
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
    for piece_code in range(16):
        for source in range(64):
            for value in range(16):
                if piece_code & 7 == QUEEN and value == source & 7:
                    MOVES[piece_code][source][value] = TWO_BYTES
                    continue
                promotion = PROMOTIONS[value // 3] if piece_code & 7 == PAWN and value < PAWN_DOUBLE else 0
                target = target_of_code(piece_code, source, value)
                # No move ends where it begins.
                MOVES[piece_code][source][value] = move_of(source, target if 0 <= target < 64 else source, promotion)


cdef int target_of_code(int piece_code, int source, int value) noexcept nogil:
    """Return the target square of a piece other than a king; it may be off the board."""
    cdef int piece = piece_code & 7
    cdef int step
    if piece == PAWN:
        step = 16 if value == PAWN_DOUBLE else 7 + value % 3
        return source - step if piece_code >> 3 else source + step
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
