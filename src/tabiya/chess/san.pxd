# Moves as text: writes standard algebraic notation, reads all common notations.

from libc.stdint cimport uint64_t

from tabiya.chess.bits cimport LOW_BITS, bit, lowest, unlikely
from tabiya.chess.board cimport (
    BISHOP, EMPTY, KING, KING_SIDE, KNIGHT, PAWN, QUEEN, QUEEN_SIDE, ROOK, Board, castled_king, castling_move, code_of,
    is_legal, leaves_king_safe, move_of, occupied, pawn_reaches, promotion_of, source_of, target_of)
from tabiya.chess.tables_kernel cimport TABLES

# Codes that ``parse_san`` returns instead of a move.
cdef enum:
    SAN_SYNTAX = -1
    SAN_ILLEGAL = -2
    SAN_AMBIGUOUS = -3

cdef enum:
    MAX_SAN = 8  # the longest are Qa1xb2 and exd8=Q, and a check mark may follow


cdef inline int piece_of_letter(int letter) noexcept nogil:
    """The piece type of an upper-case English letter, 0 for anything else."""
    if letter == c'N':
        return KNIGHT
    if letter == c'B':
        return BISHOP
    if letter == c'R':
        return ROOK
    if letter == c'Q':
        return QUEEN
    if letter == c'K':
        return KING
    if letter == c'P':
        return PAWN
    return EMPTY


cdef inline int letter_of_piece(int piece_type) noexcept nogil:
    return b" PNBRQK"[piece_type]


# --- in --------------------------------------------------------------------------------------------------------------

cdef inline int find_piece(const Board* board, int piece_type, int target, uint64_t allowed) noexcept nogil:
    """The only legal move of a piece (not a pawn) from one of the ``allowed`` squares to ``target``."""
    cdef int us = board.turn, source, found = SAN_ILLEGAL
    cdef uint64_t candidates
    if (board.colors[us] | board.types[KING]) & bit(target):
        return SAN_ILLEGAL
    candidates = TABLES.lines[piece_type][target] & board.types[piece_type] & board.colors[us] & allowed
    while candidates:
        source = lowest(candidates)
        candidates &= candidates - 1
        if not TABLES.between[source][target] & occupied(board) and leaves_king_safe(board, source, target):
            if found >= 0:
                return SAN_AMBIGUOUS
            found = move_of(source, target, EMPTY)
    return found


cdef inline int find_pawn(const Board* board, int target, int file, int rank, int promoted) noexcept nogil:
    """The legal pawn move to ``target``; ``file`` and ``rank`` of the pawn may be -1. A capture needs the file."""
    cdef int us = board.turn, back = 16 * us - 8, source = target + back, pawn = code_of(us, PAWN)
    if source < 0 or source > 63 or (promoted != EMPTY) != (target >> 3 == (0 if us else 7)):
        return SAN_ILLEGAL
    if file >= 0 and file != target & 7:
        source += file - (target & 7)
        if source < 0 or source > 63:
            return SAN_ILLEGAL
    elif board.squares[source] == EMPTY and 0 <= source + back < 64:
        source += back
    if (board.squares[source] != pawn or rank >= 0 and rank != source >> 3 or board.types[KING] & bit(target)
            or not pawn_reaches(board, source, target) or not leaves_king_safe(board, source, target)):
        return SAN_ILLEGAL
    return move_of(source, target, promoted)


cdef inline int find_from(const Board* board, int source, int target, int promoted) noexcept nogil:
    """The legal move between two named squares; castling may be given as king takes rook or by the king's target."""
    cdef int move = move_of(source, target, promoted), rook, side
    if board.squares[source] == code_of(board.turn, KING) and (source ^ target) & 56 == 0:
        side = KING_SIDE if target > source else QUEEN_SIDE
        rook = board.rook[2 * board.turn + side]
        if (board.state.rights >> (2 * board.turn + side) & 1 and target == castled_king(source, rook)
                and (target - source > 1 or source - target > 1)):
            move = move_of(source, rook, promoted)
    return move if is_legal(board, move) else SAN_ILLEGAL


cdef inline int parse_castling(const Board* board, const unsigned char* text, int length) noexcept nogil:
    """``O-O`` and ``O-O-O``, spelled with O, o or zero, with or without hyphens (two or three letters)."""
    cdef int index, signs = 0, move
    for index in range(length):
        if text[index] == c'O' or text[index] == c'0' or text[index] == c'o':
            signs += 1
        elif text[index] != c'-' or index == 0 or text[index - 1] == c'-' or index == length - 1:
            return SAN_SYNTAX
    if signs < 2 or signs > 3:
        return SAN_SYNTAX
    move = castling_move(board, KING_SIDE if signs == 2 else QUEEN_SIDE)
    return move if move else SAN_ILLEGAL


cdef inline bint is_null_text(const unsigned char* text, int length) noexcept nogil:
    """``--`` (most programs), ``Z0`` (ChessBase), ``0000`` (UCI), ``@@@@`` (Scid and others)."""
    if length == 2:
        return text[0] == c'-' and text[1] == c'-' or text[0] == c'Z' and text[1] == c'0'
    return (length == 4 and (text[0] == c'@' or text[0] == c'0') and text[1] == text[0] and text[2] == text[0]
            and text[3] == text[0])


cdef inline int promotion_suffix(const unsigned char* text, int* length) noexcept nogil:
    """Take ``=Q``, ``Q``, ``q``, ``/Q`` or ``(Q)`` off the end; the piece type, 0 if there is none."""
    cdef int end = length[0], promoted
    cdef bint closed = text[end - 1] == c')'
    if closed:
        end -= 1
    promoted = piece_of_letter(text[end - 1] & 0xDF) if end > 2 else EMPTY
    if promoted < KNIGHT or promoted > QUEEN:
        return EMPTY
    end -= 1
    if closed:
        if text[end - 1] != c'(':
            return EMPTY
        end -= 1
    elif text[end - 1] == c'=' or text[end - 1] == c'/':
        end -= 1
    length[0] = end
    return promoted


cdef inline int parse_san(const Board* board, const unsigned char* text, int length) noexcept nogil:
    """The legal move that ``text`` names (0 for a null move), or SAN_SYNTAX, SAN_ILLEGAL, SAN_AMBIGUOUS.

    Read from the end, because the certain part of a move is there: first the target, then what precedes it.
    """
    cdef int end = length, start = 0, piece_type, promoted = EMPTY, file = -1, rank = -1, target
    cdef uint64_t allowed
    while end and (text[end - 1] == c'+' or text[end - 1] == c'#'):
        end -= 1
    if end < 2:
        return SAN_SYNTAX
    if unlikely(text[end - 1] < c'1' or text[end - 1] > c'8'):
        if text[0] == c'O' or text[0] == c'0' or text[0] == c'o':
            return 0 if is_null_text(text, end) else parse_castling(board, text, end)
        if is_null_text(text, end):
            return 0
        if end > 4 and text[end - 1] == c'p' and text[end - 2] == c'e':
            end -= 2
        elif (end > 6 and text[end - 1] == c'.' and text[end - 2] == c'p' and text[end - 3] == c'.'
                and text[end - 4] == c'e'):
            end -= 4
        else:
            promoted = promotion_suffix(text, &end)
    if (end < 2 or text[end - 2] < c'a' or text[end - 2] > c'h' or text[end - 1] < c'1' or text[end - 1] > c'8'):
        return SAN_SYNTAX
    end -= 2
    target = text[end] - c'a' | (text[end + 1] - c'1') << 3
    piece_type = piece_of_letter(text[0]) if end else EMPTY
    if piece_type:
        start = 1
    if end > start and (text[end - 1] == c'x' or text[end - 1] == c'-' or text[end - 1] == c':'):
        end -= 1
    if end > start and c'1' <= text[end - 1] <= c'8':
        end -= 1
        rank = text[end] - c'1'
    if end > start and c'a' <= text[end - 1] <= c'h':
        end -= 1
        file = text[end] - c'a'
    if end != start:
        return SAN_SYNTAX
    if file >= 0 and rank >= 0:
        if piece_type and board.squares[rank << 3 | file] != code_of(board.turn, piece_type):
            return SAN_ILLEGAL
        return find_from(board, rank << 3 | file, target, promoted)
    if piece_type == EMPTY or piece_type == PAWN:
        return find_pawn(board, target, file, rank, promoted)
    if promoted:
        return SAN_ILLEGAL
    allowed = ~(<uint64_t> 0)
    if file >= 0:
        allowed = TABLES.file[file] | bit(file)
    elif rank >= 0:
        allowed = (<uint64_t> 255) << (rank << 3)
    return find_piece(board, piece_type, target, allowed)


cdef inline int short_length(uint64_t letters) noexcept nogil:
    """Number of letters, of eight with the first in the lowest byte, before the first blank or line break; 8 if all."""
    cdef uint64_t ends = (letters - LOW_BITS * 0x21) & ~letters & LOW_BITS * 0x80
    return lowest(ends) >> 3 if ends else 8


cdef inline int parse_short_san(const Board* board, uint64_t letters, int length) noexcept nogil:
    """The move of a short and plain text, its first letter in the lowest byte; if negative, use ``parse_san``.

    Applies the same rules, for the nine in ten moves that are plain moves of a piece or a pawn: no loop over letters
    and few branches, because a mispredicted branch costs as much as all the rest.
    """
    cdef int last = letters >> (8 * length - 8) & 255, first = letters & 255
    cdef int target_file, target_rank, piece_type, second, prefix
    cdef uint64_t allowed = ~(<uint64_t> 0)
    length -= (last == c'+') | (last == c'#')
    prefix = length - 2
    if prefix < 0:
        return SAN_SYNTAX
    target_file = (letters >> (8 * prefix) & 255) - c'a'
    target_rank = (letters >> (8 * prefix + 8) & 255) - c'1'
    if (target_file | target_rank) & ~7:
        return SAN_SYNTAX
    if prefix == 0:
        return find_pawn(board, target_rank << 3 | target_file, -1, -1, EMPTY)
    second = letters >> 8 & 255
    if (first - c'a') & ~7 == 0:
        if prefix != 2 or second != c'x':
            return SAN_SYNTAX
        return find_pawn(board, target_rank << 3 | target_file, first - c'a', -1, EMPTY)
    piece_type = piece_of_letter(first)
    if piece_type < KNIGHT or prefix > 3 or prefix == 3 and (letters >> 16 & 255) != c'x':
        return SAN_SYNTAX
    if prefix > 1 and second != c'x':
        if (second - c'a') & ~7 == 0:
            allowed = TABLES.file[second - c'a'] | bit(second - c'a')
        elif (second - c'1') & ~7 == 0:
            allowed = (<uint64_t> 255) << ((second - c'1') << 3)
        else:
            return SAN_SYNTAX
    elif prefix == 3:
        return SAN_SYNTAX
    return find_piece(board, piece_type, target_rank << 3 | target_file, allowed)


# --- out -------------------------------------------------------------------------------------------------------------

cdef inline int disambiguation(const Board* board, int piece_type, int source, int target) noexcept nogil:
    """The disambiguation that the move needs: bit 0 its source file, bit 1 its source rank."""
    cdef uint64_t rivals = (TABLES.lines[piece_type][target] & board.types[piece_type] & board.colors[board.turn]
                            & ~bit(source))
    cdef int other, same_file = 0, same_rank = 0, seen = 0
    while rivals:
        other = lowest(rivals)
        rivals &= rivals - 1
        if not TABLES.between[other][target] & occupied(board) and leaves_king_safe(board, other, target):
            seen = 1
            same_file |= (other ^ source) & 7 == 0
            same_rank |= (other ^ source) & 56 == 0
    if not seen:
        return 0
    if not same_file:
        return 1
    return 3 if same_rank else 2


cdef inline int format_san(const Board* board, int move, unsigned char* out) noexcept nogil:
    """Write a legal move (or the null move) without ``+`` or ``#``; at most MAX_SAN bytes. Returns the length."""
    cdef int source = source_of(move), target = target_of(move), length = 0, needed
    cdef int piece_type = board.squares[source] & 7, aim = board.squares[target]
    if move == 0:
        out[0] = out[1] = c'-'
        return 2
    if piece_type == KING and aim == code_of(board.turn, ROOK):
        out[0] = out[2] = c'O'
        out[1] = c'-'
        if target > source:
            return 3
        out[3] = c'-'
        out[4] = c'O'
        return 5
    if piece_type == PAWN:
        if (source ^ target) & 7:
            out[0] = c'a' + (source & 7)
            out[1] = c'x'
            length = 2
    else:
        out[0] = letter_of_piece(piece_type)
        length = 1
        needed = disambiguation(board, piece_type, source, target) if piece_type != KING else 0
        if needed & 1:
            out[length] = c'a' + (source & 7)
            length += 1
        if needed & 2:
            out[length] = c'1' + (source >> 3)
            length += 1
        if aim:
            out[length] = c'x'
            length += 1
    out[length] = c'a' + (target & 7)
    out[length + 1] = c'1' + (target >> 3)
    length += 2
    if move >> 12:
        out[length] = c'='
        out[length + 1] = letter_of_piece(promotion_of(move))
        length += 2
    return length
