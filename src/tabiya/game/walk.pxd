# The traversal of a game that every writer uses: the tokens of its tape and, between them, its annotations.
#
# A writer requests one event after the other (``next_event``) and contains only the code that turns them into its own
# bytes. The walk handles the stack of open lines, the order of annotations and the validity of tapes;
# docs/architecture.md has the contract. Everything here is inline, and features that a writer does not use are free.

from libc.stdint cimport uint16_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from tabiya.chess.bits cimport likely
from tabiya.chess.board cimport PAWN, Board, Undo, make_move_without_key, remember, source_of, target_of, unmake_move
from tabiya.game.annotation_order cimport AnnotationOrder, is_annotated
from tabiya.game.columns cimport SIDE_AFTER, SIDE_BEFORE, SIDE_LATE
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.tape_kernel cimport VARIATION_BEGIN, VARIATION_END

cdef enum:
    EVENT_END = 0           # the tape has ended, including all lines
    EVENT_MOVE = 1          # ``token``, number ``line.last``: to be written, then played
    EVENT_OPEN = 2          # a variation begins: the last move must be taken back
    EVENT_CLOSE = 3         # it has ended, and the line around it continues
    EVENT_ANNOTATIONS = 4   # those on one ``side`` of the move ``annotated``; this side may have none
    EVENT_FAULT = -1        # the token at ``place`` is invalid there; at the end of the tape, a variation is open
    EVENT_TOO_DEEP = -2
    EVENT_NO_MEMORY = -3

# The annotations that may come next.
cdef enum:
    DUE_AFTER = 0           # those after the last move
    DUE_LATE = 1            # late ones on the last move, if its line continues or ends here
    DUE_BEFORE = 2          # those before the next move
    DUE_NONE = 3

# The current place in a line of play; all are numbers of moves on the tape, -1 for none.
ctypedef struct Place:
    int last
    int replaced            # the move that the first move of the line is an alternative to
    bint after_variation    # a variation has ended since the last move

ctypedef struct Walk:
    const uint16_t* tape
    Py_ssize_t length
    Py_ssize_t place        # of the current token
    int token
    int moves               # number so far, which is the number of the next one
    Place line
    Py_ssize_t depth        # of open variations
    Py_ssize_t deepest
    Bytes outside           # the lines around this one: a Place each, and the writer's data for the line
    AnnotationOrder order
    int due
    int annotated           # the move whose annotations are current
    int side
    bint fits               # a reader of PGN assigns a text at this place correctly

# The data that most writers keep for a line.
ctypedef struct PlayedLine:
    Board board
    Undo undo               # takes the last move back; set only if a variation follows it


cdef inline void begin_walk(Walk* walk, const uint16_t* tape, Py_ssize_t length, Py_ssize_t deepest) noexcept nogil:
    """Begin to walk along a tape; its annotations are included if they have been sorted."""
    walk.tape = tape
    walk.length = length
    walk.place = -1
    walk.moves = 0
    walk.line.last = walk.line.replaced = -1
    walk.line.after_variation = False
    walk.depth = 0
    walk.deepest = deepest
    walk.outside.size = 0
    walk.due = DUE_LATE


cdef inline void free_walk(Walk* walk) noexcept nogil:
    free(walk.outside.data)
    free(walk.order.memory.data)


cdef inline int coming(const Walk* walk) noexcept nogil:
    """Return the next token; the end of the tape ends the line."""
    return walk.tape[walk.place + 1] if walk.place + 1 < walk.length else VARIATION_END


cdef inline int annotations_due(Walk* walk, int move, int side, bint fits) noexcept nogil:
    walk.annotated = move
    walk.side = side
    walk.fits = fits
    return EVENT_ANNOTATIONS


cdef inline int next_annotations(Walk* walk) noexcept nogil:
    """Return EVENT_ANNOTATIONS if there are any to be written before the next token, else EVENT_END."""
    cdef int last = walk.line.last, token
    if walk.due == DUE_AFTER:
        walk.due = DUE_LATE
        if is_annotated(&walk.order, last):
            return annotations_due(walk, last, SIDE_AFTER, True)
    token = coming(walk)
    if token == VARIATION_BEGIN:
        return EVENT_END
    if walk.due == DUE_LATE:
        walk.due = DUE_BEFORE
        # Before another move of the line they would be misread as annotations before that one.
        if last >= 0 and is_annotated(&walk.order, last):
            return annotations_due(walk, last, SIDE_LATE, walk.line.after_variation and token > VARIATION_BEGIN)
    if walk.due == DUE_BEFORE:
        walk.due = DUE_NONE
        if token < VARIATION_BEGIN and is_annotated(&walk.order, walk.moves):
            return annotations_due(walk, walk.moves, SIDE_BEFORE, last < 0 or walk.line.after_variation)
    return EVENT_END


cdef inline int open_line(Walk* walk, const void* state, Py_ssize_t size) noexcept nogil:
    if walk.line.last < 0:
        return EVENT_FAULT
    if walk.depth >= walk.deepest:
        return EVENT_TOO_DEEP
    if not grow(&walk.outside, sizeof(Place) + size):
        return EVENT_NO_MEMORY
    memcpy(walk.outside.data + walk.outside.size, &walk.line, sizeof(Place))
    if size:
        memcpy(walk.outside.data + walk.outside.size + sizeof(Place), state, size)
    walk.outside.size += sizeof(Place) + size
    walk.depth += 1
    walk.line.replaced = walk.line.last
    walk.line.last = -1
    walk.line.after_variation = False
    walk.due = DUE_LATE
    return EVENT_OPEN


cdef inline int close_line(Walk* walk, void* state, Py_ssize_t size) noexcept nogil:
    if walk.depth == 0 or walk.line.last < 0:
        return EVENT_FAULT
    walk.outside.size -= sizeof(Place) + size
    memcpy(&walk.line, walk.outside.data + walk.outside.size, sizeof(Place))
    if size:
        memcpy(state, walk.outside.data + walk.outside.size + sizeof(Place), size)
    walk.depth -= 1
    walk.line.after_variation = True
    walk.due = DUE_LATE
    return EVENT_CLOSE


cdef inline int next_event(Walk* walk, void* state, Py_ssize_t size) noexcept nogil:
    """Advance to the next event.

    ``state`` is the writer's data for the current line, ``size`` bytes: it is saved while a variation is written and
    restored after it.
    """
    if walk.order.count:
        if next_annotations(walk) == EVENT_ANNOTATIONS:
            return EVENT_ANNOTATIONS
        walk.due = DUE_AFTER
    walk.place += 1
    if walk.place == walk.length:
        return EVENT_FAULT if walk.depth else EVENT_END
    walk.token = walk.tape[walk.place]
    if likely(walk.token < VARIATION_BEGIN):
        walk.line.last = walk.moves
        walk.line.after_variation = False
        walk.moves += 1
        return EVENT_MOVE
    if walk.token == VARIATION_BEGIN:
        return open_line(walk, state, size)
    return close_line(walk, state, size) if walk.token == VARIATION_END else EVENT_FAULT


# --- the board of a line ---------------------------------------------------------------------------------------------

cdef inline bint ends_file(int square) noexcept nogil:
    """Whether a square is on the first or the last rank, which pawns cannot occupy."""
    return (square + 8 & 63) < 16


cdef inline bint moves_own_piece(const Board* board, int move) noexcept nogil:
    """Whether a token is the null move or moves a piece of the side to move: the minimum requirement to play it.

    A pawn promotes on the first and the last rank, and no other move promotes: move generators rely on it.
    """
    cdef int piece = board.squares[source_of(move)]
    if move == 0:
        return True
    if piece == 0 or piece >> 3 != board.turn:
        return False
    if likely(move >> 12 == 0):
        return piece & 7 != PAWN or not ends_file(target_of(move))
    return move >> 12 <= 4 and piece & 7 == PAWN and ends_file(target_of(move))


cdef inline void note_move(const Walk* walk, PlayedLine* line) noexcept nogil:
    """Save the data to take the current move back, if a variation follows; called before it is played."""
    if coming(walk) == VARIATION_BEGIN:
        remember(&line.board, walk.token, &line.undo)


cdef inline void play_event(const Walk* walk, PlayedLine* line) noexcept nogil:
    """Play the current move."""
    note_move(walk, line)
    make_move_without_key(&line.board, walk.token)


cdef inline void take_back(PlayedLine* line) noexcept nogil:
    """Go back to the position in which a variation begins."""
    unmake_move(&line.board, &line.undo)
