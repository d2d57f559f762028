"""Reads the records of ``.2cbg`` and ``.2cba``: moves and annotations into a builder, in one pass, in linear time.

Any bytes give a record. What its columns do not contain is kept in extras.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from tabiya.chess.bits cimport unlikely
from tabiya.chess.board cimport (
    BLACK, KING, KING_SIDE, NO_SQUARE, PAWN, ROOK, WHITE, Board, castling_move, code_of, is_legal_of,
    leaves_king_safe, make_move_without_key, occupied, place, source_of, target_of
)
from tabiya.chess.fen_kernel cimport clear_board, grant_castling, outermost_rook, start_board, use_ep
from tabiya.chess.tables_kernel cimport TABLES
from tabiya.chessbase.bodies cimport (
    GAME, OPAQUE, REFUSED_BODY, TEXT, Piece, are_pieces, keep, note, note_number, put_start, take_piece
)
from tabiya.chessbase.lines_kernel cimport LINES_NO_MEMORY, put_variations
from tabiya.formats.cbh2.annotations_kernel cimport free_annotations, read_annotations
from tabiya.formats.cbh2.reading cimport (
    MOVES_AGAIN, MOVES_OK, NOT_A_MOVE, PROBLEM_ANNOTATIONS, PROBLEM_CHECKSUM, PROBLEM_CUT, PROBLEM_FRAME,
    PROBLEM_KIND, PROBLEM_LOST_POSITION, PROBLEM_MOVE, PROBLEM_NESTING, PROBLEM_NO_ANNOTATIONS, PROBLEM_NO_MOVES,
    PROBLEM_OPEN_END, PROBLEM_POSITION, PROBLEM_RIGHTS, PROBLEM_START, PROBLEM_TAG, Branch, Frame, Moves, Reader
)
from tabiya.formats.cbh2.words_kernel cimport (
    END_WORD, FIRST_CASTLING_960, LATER_WORD, MOVES_WORD, NOT_A_PIECE, NULL_WORD, START_WORD, WORD_CASTLING,
    WORD_CASTLING_960, WORD_EN_PASSANT, WORD_PIECE, WORDS, Word
)
from tabiya.game.columns cimport Columns, end_record, put_bytes, put_values
from tabiya.game.columns_kernel cimport NO_HEADER, BatchBuilder
from tabiya.game.growing cimport grow
from tabiya.game.tape_kernel cimport MOST_NESTED

# === the frame of a record ============================================================================================
# Magic, size of the content, spare bytes behind it, checksum, two bytes of tag, content, spare bytes, size of it all.

cdef enum:
    HEAD = 26
    TAIL = 8

cdef uint8_t[8] MAGIC = [0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]


cdef int64_t signed_at(const uint8_t* data) noexcept nogil:
    """Return a little-endian number of four bytes."""
    return <int32_t> (data[0] | data[1] << 8 | data[2] << 16 | <unsigned int> data[3] << 24)


cdef bint open_frame(const Piece* piece, Frame* frame) noexcept nogil:
    """Read the frame of a record; False if there is no record, else ``frame.problem`` is what is wrong with it."""
    cdef int64_t length
    cdef int64_t spare
    cdef int64_t end
    frame.problem = PROBLEM_FRAME
    if piece.size < HEAD or memcmp(piece.data, MAGIC, 8) != 0:
        return False
    length = signed_at(piece.data + 8)
    spare = signed_at(piece.data + 12)
    frame.content = piece.data + HEAD
    frame.offset = piece.offset + HEAD
    frame.tag = piece.data[24] << 8 | piece.data[25]
    frame.length = piece.size - HEAD
    if length < 0 or spare < 0:
        return True
    if length <= frame.length:
        frame.length = length
    end = HEAD + length + spare
    if end + TAIL > piece.size:
        frame.problem = PROBLEM_CUT
        return True
    if signed_at(piece.data + end) != end + TAIL or signed_at(piece.data + end + 4) != 0:
        return True
    frame.problem = 0 if is_sum(frame.content, length, piece.data + 16) else PROBLEM_CHECKSUM
    return True


cdef bint is_sum(const uint8_t* content, int64_t length, const uint8_t* stored) noexcept nogil:
    """Return whether this is the checksum: the sum of the bytes of each eighth, the first of them last.

    Up to seven bytes at the end are in no sum. Content of fewer than eight bytes is its own checksum.
    """
    cdef int64_t run = length // 8
    cdef uint8_t total
    for part in range(8):
        total = 0
        if run:
            for index in range(part * run, part * run + run):
                total += content[index]
        elif part < length:
            total = content[part]
        if stored[7 - part] != total:
            return False
    return True


# === start positions ==================================================================================================

cdef int word_at(const uint8_t* data, Py_ssize_t at) noexcept nogil:
    return data[at] | data[at + 1] << 8


cdef enum:
    SETUP_960 = 1000    # marks a Chess960 game from a set-up position
    SETUP_WORDS = 3     # before the pieces: number of the move, side and rights, file of an en passant square

# The squares of two knights on five files as sets, in the order of Scharnagl's scheme.
cdef char* KNIGHTS = b"\x03\x05\x09\x11\x06\x0a\x12\x0c\x14\x18"


cdef int read_start(Moves* moves) noexcept nogil:
    """Set up the first position and discard everything after it; return MOVES_OK or PROBLEM_START."""
    cdef int word
    moves.place = 0
    moves.count = 0
    moves.pending = moves.first_branch = moves.main_last = moves.number = -1
    moves.branched = moves.odd = moves.open_end = moves.broken = moves.has_setup = False
    moves.branches.size = 0
    moves.start = moves.usual
    moves.start.chess960 = moves.chess960
    if moves.size < 2:
        moves.board = moves.start
        return MOVES_OK
    word = word_at(moves.data, 0)
    if word == START_WORD:
        moves.place = 2
        if not read_setup(moves):
            return PROBLEM_START
        moves.has_setup = True
        word = word_at(moves.data, moves.place) if moves.place + 1 < moves.size else 0
    if word != MOVES_WORD:
        return PROBLEM_START
    moves.place += 2
    moves.board = moves.start
    return MOVES_OK


cdef bint read_setup(Moves* moves) noexcept nogil:
    """Read the section of the start position, from behind its first word up to the word that ends it."""
    cdef Py_ssize_t begin = moves.place
    cdef Py_ssize_t end = begin
    while end + 1 < moves.size and word_at(moves.data, end) != MOVES_WORD:
        end += 2
    moves.place = end
    if moves.chess960:
        if end - begin == 2:
            moves.number = word_at(moves.data, begin)
            return place_number(&moves.start, moves.number)
        if end == begin or word_at(moves.data, begin) != SETUP_960:
            return False
        begin += 2
    return place_setup(moves, begin, end)


cdef bint place_number(Board* board, int number) noexcept nogil:
    """Fill the board with a start position of Chess960; False if there is none of this number."""
    cdef uint8_t rank[8]
    cdef int rest = number // 16
    cdef int knights
    if number >= 960:
        return False
    memset(rank, 0, 8)
    rank[2 * (number & 3) + 1] = rank[2 * (number >> 2 & 3)] = 3
    rank[free_file(rank, rest % 6)] = 5
    knights = KNIGHTS[rest // 6]
    # From the last file on, so that the numbers of free files before it stay the same.
    for place_of in range(4, -1, -1):
        if knights >> place_of & 1:
            rank[free_file(rank, place_of)] = 2
    rank[free_file(rank, 0)] = 4
    rank[free_file(rank, 0)] = 6
    rank[free_file(rank, 0)] = 4
    clear_board(board)
    board.chess960 = True
    for file in range(8):
        for color in range(2):
            place(board, code_of(color, rank[file]), file + 56 * color)
            place(board, code_of(color, PAWN), file + (48 if color else 8))
            if rank[file] == KING:
                board.king[color] = file + 56 * color
    grant_rights(board, 15)
    return True


cdef int free_file(const uint8_t* rank, int number) noexcept nogil:
    """Return the file of the free square with this number; a rank always has as many as are requested."""
    for file in range(8):
        if rank[file] == 0:
            if number == 0:
                return file
            number -= 1
    return 0


cdef bint place_setup(Moves* moves, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Fill the board from the words of a set-up position; False if it is invalid."""
    board = &moves.start
    cdef const Word* word
    cdef int side
    cdef int rights
    cdef int ep
    cdef int code
    cdef int square
    cdef int kings[2]
    cdef Py_ssize_t at = begin + 2 * SETUP_WORDS
    if end < at:
        return False
    side = moves.data[begin + 2]
    rights = rights_of(moves.data[begin + 3])
    ep = word_at(moves.data, begin + 4)
    clear_board(board)
    board.chess960 = moves.chess960
    kings[WHITE] = kings[BLACK] = 0
    while at < end:
        word = &WORDS[word_at(moves.data, at)]
        code = word.move >> 6
        square = word.move & 63
        if word.piece != NOT_A_PIECE or word.target != WORD_PIECE or board.squares[square]:
            return False
        place(board, code, square)
        if code & 7 == KING:
            board.king[code >> 3] = square
            kings[code >> 3] += 1
        at += 2
    if kings[WHITE] != 1 or kings[BLACK] != 1 or side > BLACK or ep > 8:
        return False
    if side == BLACK:
        board.turn = BLACK
        board.key ^= TABLES.turn_key
    grant_rights(board, rights | moves.granted)
    moves.odd |= rights & ~board.state.rights != 0 or moves.data[begin + 3] > 15
    if ep:
        board.state.ep_given = ep - 1 + (16 if board.turn else 40)
        use_ep(board, board.state.ep_given)
    board.fullmove = word_at(moves.data, begin)
    if board.fullmove == 0:
        board.fullmove = 1
        moves.odd = True
    return True


cdef int rights_of(int stored) noexcept nogil:
    """Return the rights as ``Board.rook`` counts them: the file has the queen side first."""
    return (stored & 5) << 1 | (stored & 10) >> 1


cdef int home_rook(const Board* board, int right) noexcept nogil:
    """Return the rook that a right refers to; NO_SQUARE if it or its king is not at home."""
    cdef int color = right >> 1
    cdef int side = right & 1
    cdef int king = board.king[color]
    cdef int rook
    if king >> 3 != (7 if color else 0):
        return NO_SQUARE
    if board.chess960:
        return outermost_rook(board, color, side)
    rook = (king & 56) + (7 if side == KING_SIDE else 0)
    return rook if king & 7 == 4 and board.squares[rook] == code_of(color, ROOK) else NO_SQUARE


cdef void grant_rights(Board* board, int rights) noexcept nogil:
    """Grant the rights whose king and rook are at home."""
    cdef int rook
    for right in range(4):
        if rights >> right & 1:
            rook = home_rook(board, right)
            if rook != NO_SQUARE:
                grant_castling(board, right >> 1, rook)


# === moves ============================================================================================================

cdef enum:
    AGAIN = -2  # with another castling right


cdef void init_moves(Moves* moves) noexcept nogil:
    memset(moves, 0, sizeof(moves[0]))
    start_board(&moves.usual)


cdef void free_moves(Moves* moves) noexcept nogil:
    free(moves.tokens.data)
    free(moves.siblings.data)
    free(moves.ends.data)
    free(moves.branches.data)
    free(moves.numbers.data)
    free(moves.waiting.data)


cdef int read_moves(Moves* moves, const uint8_t* data, Py_ssize_t size, bint chess960) noexcept nogil:
    """Read the content of a game; return MOVES_OK, or the code of the problem at ``place``.

    After PROBLEM_MOVE there are the moves before the invalid one (``broken``), after all other problems none.
    """
    cdef int code
    moves.data = data
    moves.size = size
    moves.chess960 = chess960
    moves.granted = 0
    moves.tokens.size = 0
    if not grow(&moves.tokens, size + 2):
        moves.no_memory = True
        return PROBLEM_NESTING
    while True:
        code = read_start(moves)
        if code == MOVES_OK:
            code = read_lines(moves)
        if code != MOVES_AGAIN:
            break
    if code == PROBLEM_MOVE:
        moves.broken = True
        end_line(moves)
    return code


cdef int read_lines(Moves* moves) noexcept nogil:
    cdef int word
    cdef int move
    cdef int code
    while moves.place + 1 < moves.size:
        code = read_plain(moves)
        if code != MOVES_OK:
            return code
        if moves.place + 1 >= moves.size:
            break
        word = word_at(moves.data, moves.place)
        if word == END_WORD:
            moves.place += 2
            if not pop_branch(moves):
                return MOVES_OK
            continue
        move = rare_move(moves, word)
        if move < 0:
            return MOVES_AGAIN if move == AGAIN else PROBLEM_MOVE
        code = play(moves, move)
        if code != MOVES_OK:
            return code
    moves.open_end = moves.odd = True
    end_line(moves)
    return MOVES_OK


cdef int read_plain(Moves* moves) noexcept nogil:
    """Read plain moves up to any other word; return MOVES_OK, or the code of a problem.

    Nearly all words are read here, so the state that changes with every move is in local variables. The word already
    proves that the piece moves this way, so what remains to check is the pieces on both squares, the squares between,
    and the own king.
    """
    board = &moves.board
    tokens = <uint16_t*> moves.tokens.data
    data = moves.data
    cdef Py_ssize_t last = moves.size - 2
    cdef Py_ssize_t here = moves.place
    cdef Py_ssize_t count = moves.count
    cdef int us = board.turn
    cdef const Word* word
    cdef int move
    cdef int source
    cdef int target
    cdef int code = MOVES_OK
    while here <= last:
        word = &WORDS[word_at(data, here)]
        move = word.move
        if unlikely(word.piece == NOT_A_PIECE):
            break
        source = source_of(move)
        target = target_of(move)
        if unlikely(
            board.squares[source] != word.piece
            or board.squares[target] != word.target
            or word.piece >> 3 != us
            or TABLES.between[source][target] & occupied(board)
            or not leaves_king_safe(board, source, target)
        ):
            code = PROBLEM_MOVE
            break
        if unlikely(moves.pending >= 0 or (here < last and word_at(data, here + 2) == LATER_WORD)):
            moves.place = here
            moves.count = count
            code = link(moves)
            here = moves.place
            if code != MOVES_OK:
                break
        make_move_without_key(board, move)
        tokens[count] = move
        here += 2
        count += 1
        us ^= 1
    moves.place = here
    moves.count = count
    return code


cdef int play(Moves* moves, int move) noexcept nogil:
    """Add a legal move, at whose word ``place`` is."""
    cdef int code
    if moves.pending >= 0 or (
        moves.place + 3 < moves.size and word_at(moves.data, moves.place + 2) == LATER_WORD
    ):
        code = link(moves)
        if code != MOVES_OK:
            return code
    make_move_without_key(&moves.board, move)
    (<uint16_t*> moves.tokens.data)[moves.count] = move
    moves.count += 1
    moves.place += 2
    return MOVES_OK


cdef int link(Moves* moves) noexcept nogil:
    """Link the move at ``place``, which is about to be made, to its alternatives; skip the word for later ones.

    ``place`` is then two bytes before the next word.
    """
    if moves.pending >= 0:
        (<int32_t*> moves.siblings.data)[moves.pending] = moves.count
        moves.pending = -1
    if moves.place + 3 < moves.size and word_at(moves.data, moves.place + 2) == LATER_WORD:
        if not push_branch(moves):
            return PROBLEM_NESTING
        moves.place += 2
    return MOVES_OK


cdef bint push_branch(Moves* moves) noexcept nogil:
    """Save the position before the next move, to which a later line returns; False if there are too many."""
    cdef Branch* branch
    if not moves.branched and not open_arrays(moves):
        return False
    if moves.branches.size // sizeof(Branch) >= MOST_NESTED:
        return False
    if not grow(&moves.branches, sizeof(Branch)):
        moves.no_memory = True
        return False
    branch = <Branch*> (moves.branches.data + moves.branches.size)
    branch.board = moves.board
    branch.move = moves.count
    moves.branches.size += sizeof(Branch)
    if moves.first_branch < 0:
        moves.first_branch = moves.count
    return True


cdef bint open_arrays(Moves* moves) noexcept nogil:
    """Allocate the links of a game with alternatives; False without memory."""
    moves.siblings.size = moves.ends.size = 0
    if not grow(&moves.siblings, 2 * moves.size + 4) or not grow(&moves.ends, moves.size):
        moves.no_memory = True
        return False
    memset(moves.siblings.data, 255, 2 * moves.size + 4)
    memset(moves.ends.data, 0, moves.size)
    moves.branched = True
    return True


cdef bint pop_branch(Moves* moves) noexcept nogil:
    """End a line and return to the last saved position; False if there is none: the game has ended."""
    cdef Branch* branch
    if moves.pending >= 0:
        moves.odd = True  # a line without moves
    end_line(moves)
    if moves.branches.size == 0:
        return False
    moves.branches.size -= sizeof(Branch)
    branch = <Branch*> (moves.branches.data + moves.branches.size)
    moves.board = branch.board
    moves.pending = branch.move
    return True


cdef void end_line(Moves* moves) noexcept nogil:
    if moves.branched and moves.count:
        moves.ends.data[moves.count - 1] = 1


cdef int rare_move(Moves* moves, int number) noexcept nogil:
    """Return a null move, castling, or capture en passant; NOT_A_MOVE or AGAIN otherwise."""
    board = &moves.board
    cdef const Word* word = &WORDS[number]
    cdef int move = word.move
    if number == NULL_WORD:
        return 0
    if word.target == WORD_EN_PASSANT:
        if (
            target_of(move) == board.state.ep
            and board.squares[source_of(move)] == code_of(board.turn, PAWN)
            and is_legal_of(board, PAWN, move)
        ):
            return move
        return NOT_A_MOVE
    if word.target == WORD_CASTLING or word.target == WORD_CASTLING_960:
        # Other words of castling than those of the game's own start position have never been seen.
        if (word.target == WORD_CASTLING_960) != moves.chess960 or (
            moves.chess960 and moves.number >= 0 and (number - FIRST_CASTLING_960) >> 2 != moves.number
        ):
            moves.odd = True
        return castle(moves, move)
    return NOT_A_MOVE


cdef int castle(Moves* moves, int right) noexcept nogil:
    """Return the castling move. Some games castle without the right in their start position: it is then added."""
    board = &moves.board
    cdef int move
    cdef int rook
    if right >> 1 != board.turn:
        return NOT_A_MOVE
    move = castling_move(board, right & 1)
    if move:
        return move
    rook = home_rook(&moves.start, right)
    if (
        moves.has_setup
        and rook != NO_SQUARE
        and not moves.start.state.rights >> right & 1
        and not moves.granted >> right & 1
        and board.king[right >> 1] == moves.start.king[right >> 1]
        and board.squares[rook] == code_of(right >> 1, ROOK)
    ):
        moves.granted |= 1 << right
        return AGAIN
    return NOT_A_MOVE


cdef bint put_tape(Moves* moves, Columns* columns) noexcept nogil:
    """Append the tape; False if its variations are nested too deeply, or without memory."""
    cdef int last
    moves.main_last = moves.count - 1
    if not moves.branched:
        put_bytes(columns, &columns.moves, moves.tokens.data, 2 * moves.count)
        return True
    moves.numbers.size = 0
    if not grow(&moves.numbers, 4 * moves.count + 4):
        moves.no_memory = True
        return False
    last = put_variations(
        columns, <uint16_t*> moves.tokens.data, <int32_t*> moves.siblings.data, moves.ends.data,
        <int32_t*> moves.numbers.data, &moves.waiting
    ) if moves.count else -1
    moves.no_memory |= last == LINES_NO_MEMORY
    moves.main_last = last
    return last >= 0 or moves.count == 0


# === whole records ====================================================================================================

cdef enum:
    CHESS_TAG = 0x0100
    CHESS960_TAG = 0x0200
    ANNOTATIONS_TAG = 0x0020

cdef char* MOVES_KEY = b"2cbh.moves"
cdef char* ANNOTATIONS_KEY = b"2cbh.annotations"


def read_records(
    BatchBuilder builder not None, const uint8_t[::1] moves not None, const uint8_t[::1] annotations not None,
    const int64_t[:, ::1] move_pieces not None, const int64_t[:, ::1] annotation_pieces not None,
    const uint8_t[::1] is_game not None, const uint16_t[::1] letters not None, const uint8_t[::1] letter_bytes not None,
    const uint8_t[::1] quoted not None
) -> None:
    """Read the bodies of consecutive records.

    Args:
        builder: receives the records; columns that do not come from bodies remain empty.
        moves: pieces of the ``.2cbg`` file.
        annotations: pieces of the ``.2cba`` file.
        move_pieces: for each record the begin of its piece among them, its length (as far as the file contains it), and
            its offset in the file.
        annotation_pieces: the same; an offset below 1 means none.
        is_game: whether the record is a game.
        letters: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        letter_bytes: the byte of each character up to U+FFFF in such texts, signs included; 0 for none.
        quoted: the bytes of classic bases for the bytes of quoted moves.
    """
    cdef Reader reader
    cdef Py_ssize_t count = is_game.shape[0]
    if not are_pieces(move_pieces, count, moves.shape[0]) or not are_pieces(
        annotation_pieces, count, annotations.shape[0]
    ):
        raise ValueError("there must be pieces for every record, all of them inside")
    if letters.shape[0] != 128 or letter_bytes.shape[0] != 0x10000 or quoted.shape[0] != 256:
        raise ValueError("a code page has 128 characters, a table of bytes 256")
    memset(&reader.annotations, 0, sizeof(reader.annotations))
    reader.columns = &builder.columns
    cdef const uint8_t* first_moves = &moves[0] if moves.shape[0] else NULL
    cdef const uint8_t* first_annotations = (&annotations[0] if annotations.shape[0] else NULL)
    reader.annotations.page.letters = &letters[0]
    reader.annotations.page.bytes = &letter_bytes[0]
    reader.annotations.page.utf8 = True
    reader.annotations.quoted = &quoted[0]
    with nogil:
        init_moves(&reader.moves)
        for record in range(count):
            take_piece(&reader.cbg, first_moves, &move_pieces[record, 0])
            take_piece(&reader.cba, first_annotations, &annotation_pieces[record, 0])
            read_record(&reader, is_game[record] != 0)
            if reader.columns.out_of_memory:
                break
        free_moves(&reader.moves)
        free_annotations(&reader.annotations)


cdef void read_record(Reader* reader, bint is_game) noexcept nogil:
    columns = reader.columns
    cdef bint known = False
    reader.header = NO_HEADER
    if is_game:
        known = read_game(reader)
        if reader.cba.offset > 0:
            read_comments(reader, known)
    else:
        end_moves(reader, False)
    reader.header.kind = TEXT if not is_game else GAME if known else OPAQUE
    put_values(columns, &reader.header)
    end_record(columns)
    if reader.moves.no_memory or reader.annotations.no_memory:
        columns.out_of_memory = True


cdef bint read_game(Reader* reader) noexcept nogil:
    """Read the moves of a game; False if they cannot be decoded, and the record is opaque."""
    cdef Frame frame
    cdef bint known = False
    cdef bint chess960
    if not open_frame(&reader.cbg, &frame):
        if reader.cbg.offset != REFUSED_BODY:
            note(reader.columns, PROBLEM_FRAME if reader.cbg.size else PROBLEM_NO_MOVES, reader.cbg.offset)
        end_moves(reader, False)
        return False
    if frame.problem:
        note(reader.columns, frame.problem, reader.cbg.offset)
    chess960 = frame.tag == CHESS960_TAG
    if frame.tag == CHESS_TAG or chess960:
        known = decode_game(reader, &frame, chess960)
    else:
        note_number(reader.columns, PROBLEM_TAG, reader.cbg.offset, b"tag", frame.tag)
        end_moves(reader, False)
    if not known or frame.problem or reader.moves.odd or reader.moves.broken or reader.moves.place != frame.length:
        keep(reader.columns, MOVES_KEY, frame.content - 2, frame.length + 2)  # with its tag
    return known


cdef bint decode_game(Reader* reader, const Frame* frame, bint chess960) noexcept nogil:
    moves = &reader.moves
    columns = reader.columns
    cdef Py_ssize_t mark = columns.moves.size
    cdef int code = read_moves(moves, frame.content, frame.length, chess960)
    cdef bint known = code == MOVES_OK or code == PROBLEM_MOVE
    if known and not put_tape(moves, columns):
        columns.moves.size = mark
        code = PROBLEM_NESTING
        known = False
    if code == PROBLEM_MOVE:
        note_number(reader.columns, code, frame.offset + moves.place, b"move", moves.count + 1)
    elif code != MOVES_OK:
        note(reader.columns, code, frame.offset + moves.place)
    if known:
        if moves.open_end and frame.problem != PROBLEM_CUT:
            note(reader.columns, PROBLEM_OPEN_END, frame.offset + frame.length)
        if moves.granted:
            moves.odd = True
            note(reader.columns, PROBLEM_RIGHTS, frame.offset)
    end_moves(reader, known)
    return known


cdef void end_moves(Reader* reader, bint known) noexcept nogil:
    moves = &reader.moves
    put_start(
        reader.columns, &reader.header, &moves.start if known and moves.has_setup else NULL, known and moves.chess960
    )


cdef void read_comments(Reader* reader, bint known) noexcept nogil:
    cdef Frame frame
    annotations = &reader.annotations
    if not open_frame(&reader.cba, &frame):
        note(reader.columns, PROBLEM_FRAME if reader.cba.size else PROBLEM_NO_ANNOTATIONS, reader.cba.offset)
        return
    if frame.problem:
        note(reader.columns, frame.problem, reader.cba.offset)
    if frame.tag != ANNOTATIONS_TAG:
        note_number(reader.columns, PROBLEM_TAG, reader.cba.offset, b"tag", frame.tag)
    if not read_annotations(
        annotations, frame.content, frame.length, &reader.moves if known else NULL, reader.columns
    ):
        return
    if annotations.stop >= 0:
        if annotations.unknown >= 0:
            note_number(reader.columns, PROBLEM_KIND, frame.offset + annotations.stop, b"type", annotations.unknown)
        elif frame.problem != PROBLEM_CUT:
            note(reader.columns, PROBLEM_ANNOTATIONS, frame.offset + annotations.stop)
    if annotations.strays:
        note_number(
            reader.columns,
            PROBLEM_LOST_POSITION if known and reader.moves.broken else PROBLEM_POSITION,
            frame.offset,
            b"annotations:",
            annotations.strays,
        )
    if frame.problem or frame.tag != ANNOTATIONS_TAG or not annotations.exact:
        keep(reader.columns, ANNOTATIONS_KEY, frame.content, frame.length)
