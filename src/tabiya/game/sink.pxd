# The sink, into which the readers of all formats write their games. It keeps the line of play, the lines around it,
# and the rules about which move an annotation belongs to; docs/architecture.md describes the contract.

from libc.stdint cimport int32_t, uint16_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from tabiya.chess.board cimport Board, Undo, make_move_without_key, remember, unmake_move
from tabiya.chess.fen_kernel cimport read_fen, start_board
from tabiya.game.annotations.kinds cimport KIND_TEXT_AFTER, KIND_TEXT_BEFORE, KIND_UNREADABLE
from tabiya.game.columns cimport (
    SIDE_AFTER, SIDE_BEFORE, SIDE_LATE, Columns, annotation_count, cut_annotations, open_annotation, put_uint16,
    reserve, string_count)
from tabiya.game.growing cimport Bytes
from tabiya.game.sink_kernel cimport (
    cut_extras, cut_problems, cut_texts, is_nags, kind_at, order_annotations, put_nags)
from tabiya.game.tape_kernel cimport VARIATION_BEGIN, VARIATION_END

cdef enum:
    NOTHING = -1  # no move, no annotation, no place

# A state to return to if a part of the source turns out to have another meaning.
ctypedef struct Mark:
    Py_ssize_t tape
    int moves
    Py_ssize_t annotations
    Py_ssize_t waiting
    Py_ssize_t texts
    Py_ssize_t extras
    Py_ssize_t problems
    int problems_met
    bint encoding_noted

# A line of play: the game's main line or an open variation. Waiting annotations are linked by their ``move``, which
# points from one to the next older one.
ctypedef struct Line:
    Board board
    Undo undo                 # takes back the last move
    int last                  # number of the line's last move on the tape, NOTHING before the first
    bint after_variation      # a variation has closed since the last move: texts belong before the next one
    Py_ssize_t waiting        # newest of the annotations that wait for the next move
    Py_ssize_t unreadable     # newest of those that are late if no move follows
    Mark mark                 # the state before the variation was opened

ctypedef struct Sink:
    Columns* columns
    Board standard            # the usual start position
    Line line                 # the line being read
    void* own                 # data that the format keeps per line beside ``line``
    Py_ssize_t own_size
    Bytes outside             # the open lines around ``line``, each with the data of the format
    Bytes nags                # uint16, NAGs read and not yet attached
    Bytes scratch             # buffer for sorting
    bint joins_nags           # the NAGs of a move are one annotation, whatever comes between them
    int moves                 # on the tape of this record
    bint ended                # the result has been read: the rest applies to the game, late
    int problems              # number so far; if there are very many, not all are stored
    bint encoding_noted
    Py_ssize_t first_annotation  # of this record


# --- records ---------------------------------------------------------------------------------------------------------

cdef inline void open_sink(Sink* sink, Columns* columns, void* own, Py_ssize_t own_size) noexcept nogil:
    """Initialize a sink, whose bytes must be zero. ``own`` is copied with each line that waits for a variation."""
    sink.columns = columns
    sink.own = own
    sink.own_size = own_size
    start_board(&sink.standard)


cdef inline void free_sink(Sink* sink) noexcept nogil:
    free(sink.outside.data)
    free(sink.nags.data)
    free(sink.scratch.data)


cdef inline void begin_line(Line* line) noexcept nogil:
    line.last = NOTHING
    line.after_variation = False
    line.waiting = line.unreadable = NOTHING


cdef inline void begin_game(Sink* sink) noexcept nogil:
    """Begin a record, from the usual start position."""
    sink.line.board = sink.standard
    begin_line(&sink.line)
    sink.outside.size = sink.nags.size = 0
    sink.moves = sink.problems = 0
    sink.ended = sink.encoding_noted = False
    sink.first_annotation = annotation_count(sink.columns)


cdef inline bint set_start(Sink* sink, const unsigned char* fen, Py_ssize_t length, bint chess960) noexcept nogil:
    """Begin at another position unless the FEN is empty; return False if it is not a position."""
    if length:
        return read_fen(fen, length, chess960, &sink.line.board)
    sink.line.board.chess960 = chess960
    return True


cdef inline void end_game(Sink* sink) noexcept nogil:
    """Sort the annotations of the record. Its lines must have ended."""
    order_annotations(sink.columns, sink.first_annotation, sink.moves, &sink.nags if sink.joins_nags else NULL,
                      &sink.scratch)


# --- going back ------------------------------------------------------------------------------------------------------

cdef inline void set_mark(const Sink* sink, Mark* mark) noexcept nogil:
    mark.tape = sink.columns.moves.size
    mark.moves = sink.moves
    mark.annotations = annotation_count(sink.columns)
    mark.waiting = sink.line.waiting
    mark.texts = string_count(&sink.columns.text_title)
    mark.extras = string_count(&sink.columns.extra_keys)
    mark.problems = string_count(&sink.columns.problem_text)
    mark.problems_met = sink.problems
    mark.encoding_noted = sink.encoding_noted


cdef inline void go_back(Sink* sink, const Mark* mark) noexcept nogil:
    """Remove everything that has been added since the mark was set, which must have been in the same line."""
    sink.columns.moves.size = mark.tape
    sink.moves = mark.moves
    cut_annotations(sink.columns, mark.annotations)
    sink.line.waiting = mark.waiting
    cut_texts(sink.columns, mark.texts)
    cut_extras(sink.columns, mark.extras)
    cut_problems(sink.columns, mark.problems)
    sink.problems = mark.problems_met
    sink.encoding_noted = mark.encoding_noted


# --- annotations that wait -------------------------------------------------------------------------------------------

cdef inline void turn_text(Columns* columns, Py_ssize_t index) noexcept nogil:
    """Make a text before a move one after it."""
    if (<uint16_t*> columns.annotation_kind.data)[index] == KIND_TEXT_BEFORE:
        (<uint16_t*> columns.annotation_kind.data)[index] = KIND_TEXT_AFTER


cdef inline void settle(Sink* sink, Py_ssize_t* chain, int move, int side) noexcept nogil:
    """Give a chain of annotations its move and side."""
    cdef int32_t* moves = <int32_t*> sink.columns.annotation_move.data
    cdef Py_ssize_t index = chain[0]
    cdef Py_ssize_t older
    chain[0] = NOTHING
    if sink.columns.out_of_memory:
        return
    while index != NOTHING:
        older = moves[index]
        moves[index] = move
        sink.columns.annotation_side.data[index] = side
        if side != SIDE_BEFORE:
            turn_text(sink.columns, index)
        index = older


cdef inline void settle_late(Sink* sink) noexcept nogil:
    """Make what waits for a missing move late on the last move, or on the game if there is none."""
    settle(sink, &sink.line.waiting, sink.line.last, SIDE_LATE)
    settle(sink, &sink.line.unreadable, sink.line.last, SIDE_LATE)


cdef inline bint belongs_to_last(int kind) noexcept nogil:
    """Return whether an annotation belongs to the last move even after its variations."""
    return is_nags(kind) or kind == KIND_UNREADABLE


cdef inline void adopt(Sink* sink, Py_ssize_t chain) noexcept nogil:
    """Give the annotations of a variation without moves to the line around it, as if they had been there."""
    cdef int32_t* moves = <int32_t*> sink.columns.annotation_move.data
    cdef Py_ssize_t older
    if sink.columns.out_of_memory:
        return
    while chain != NOTHING:
        older = moves[chain]
        if sink.line.after_variation and not belongs_to_last(kind_at(sink.columns, chain)):
            moves[chain] = <int32_t> sink.line.waiting
            sink.line.waiting = chain
        else:
            moves[chain] = sink.line.last
            sink.columns.annotation_side.data[chain] = SIDE_AFTER
            turn_text(sink.columns, chain)
        chain = older


# --- places of annotations: each function begins one, whose bytes follow; then ``close_annotation`` ends it ---------

cdef inline bint is_before_move(const Sink* sink) noexcept nogil:
    """Return whether a text here belongs before the next move: at the start of a line, or after a variation."""
    return not sink.ended and (sink.line.last == NOTHING or sink.line.after_variation)


cdef inline bint before_first_move(const Sink* sink) noexcept nogil:
    """Return whether this is the place before the first move of the game."""
    return not sink.ended and sink.line.last == NOTHING and sink.outside.size == 0


cdef inline void open_game_note(Sink* sink, int kind, int lang) noexcept nogil:
    """Begin an annotation of the whole game."""
    open_annotation(sink.columns, NOTHING, SIDE_AFTER, kind, lang)


cdef inline void open_late(Sink* sink, int kind, int lang) noexcept nogil:
    """Begin one after the variations on the last move, or after the result."""
    open_annotation(sink.columns, NOTHING if sink.ended else sink.line.last, SIDE_LATE, kind, lang)


cdef inline void open_after(Sink* sink, int kind, int lang) noexcept nogil:
    """Begin one after the last move; after the result it is late."""
    if sink.ended:
        open_late(sink, kind, lang)
    else:
        open_annotation(sink.columns, sink.line.last, SIDE_AFTER, kind, lang)


cdef inline void open_before(Sink* sink, int kind, int lang) noexcept nogil:
    """Begin one before the next move; it is late if there is none."""
    sink.line.waiting = open_annotation(sink.columns, <int> sink.line.waiting, SIDE_BEFORE, kind, lang)


cdef inline void attach_nags(Sink* sink) noexcept nogil:
    """Attach the NAGs that have been read: to the last move, even after its variations; else to the next one."""
    cdef const uint16_t* nags = <const uint16_t*> sink.nags.data
    cdef Py_ssize_t count = sink.nags.size // 2
    cdef Py_ssize_t index
    if count == 0:
        return
    if sink.ended:
        put_nags(sink.columns, nags, count, NOTHING, SIDE_LATE)
    elif sink.line.last == NOTHING:
        index = annotation_count(sink.columns)
        put_nags(sink.columns, nags, count, <int> sink.line.waiting, SIDE_BEFORE)
        sink.line.waiting = index
    else:
        put_nags(sink.columns, nags, count, sink.line.last, SIDE_AFTER)
    sink.nags.size = 0


cdef inline void add_nag(Sink* sink, int nag) noexcept nogil:
    """Add a NAG. Consecutive NAGs become one annotation at the next event."""
    put_uint16(sink.columns, &sink.nags, nag)


cdef inline void open_text(Sink* sink, int lang) noexcept nogil:
    """Begin a text: after the last move; before the next one at the start of a line or after a variation."""
    attach_nags(sink)
    if is_before_move(sink):
        open_before(sink, KIND_TEXT_BEFORE, lang)
    else:
        open_after(sink, KIND_TEXT_AFTER, lang)


cdef inline void open_value(Sink* sink, int kind, int lang) noexcept nogil:
    """Begin any other annotation, which before the first move of the game applies to the whole game."""
    attach_nags(sink)
    if before_first_move(sink):
        open_game_note(sink, kind, lang)
    elif is_before_move(sink):
        open_before(sink, kind, lang)
    else:
        open_after(sink, kind, lang)


cdef inline void open_unreadable(Sink* sink, int reason, bint ends_line) noexcept nogil:
    """Begin an unreadable part: late if it ``ends_line`` and no move follows, else after the last move."""
    attach_nags(sink)
    if not sink.ended and sink.line.last == NOTHING:
        open_before(sink, KIND_UNREADABLE, reason)
    elif not sink.ended and ends_line:
        sink.line.unreadable = open_annotation(sink.columns, <int> sink.line.unreadable, SIDE_AFTER, KIND_UNREADABLE,
                                               reason)
    else:
        open_after(sink, KIND_UNREADABLE, reason)


# --- moves -----------------------------------------------------------------------------------------------------------

cdef inline void add_move(Sink* sink, int move) noexcept nogil:
    """Add a legal move, or the null move, to the line."""
    cdef Line* line = &sink.line
    if sink.nags.size:
        attach_nags(sink)
    if line.unreadable != NOTHING:
        settle(sink, &line.unreadable, line.last, SIDE_AFTER)
    remember(&line.board, move, &line.undo)
    make_move_without_key(&line.board, move)
    put_uint16(sink.columns, &sink.columns.moves, move)
    line.last = sink.moves
    sink.moves += 1
    line.after_variation = False
    if line.waiting != NOTHING:
        settle(sink, &line.waiting, line.last, SIDE_BEFORE)


cdef inline Py_ssize_t depth_of(const Sink* sink) noexcept nogil:
    """Return the number of open variations."""
    return sink.outside.size // (<Py_ssize_t> sizeof(Line) + sink.own_size)


cdef inline bint open_variation(Sink* sink) noexcept nogil:
    """Take back the line's last move, which must exist: an alternative to it follows. False if memory is exhausted.

    The data that the format keeps per line is pushed, too; the format must then reset it.
    """
    cdef Line* line = &sink.line
    attach_nags(sink)
    if not reserve(sink.columns, &sink.outside, sizeof(Line) + sink.own_size):
        return False
    memcpy(sink.outside.data + sink.outside.size, line, sizeof(Line))
    sink.outside.size += sizeof(Line)
    if sink.own_size:
        memcpy(sink.outside.data + sink.outside.size, sink.own, sink.own_size)
        sink.outside.size += sink.own_size
    unmake_move(&line.board, &line.undo)
    begin_line(line)
    set_mark(sink, &line.mark)
    put_uint16(sink.columns, &sink.columns.moves, VARIATION_BEGIN)
    return True


cdef inline void pop_line(Sink* sink) noexcept nogil:
    if sink.own_size:
        sink.outside.size -= sink.own_size
        memcpy(sink.own, sink.outside.data + sink.outside.size, sink.own_size)
    sink.outside.size -= sizeof(Line)
    memcpy(&sink.line, sink.outside.data + sink.outside.size, sizeof(Line))


cdef inline const Line* line_around(const Sink* sink) noexcept nogil:
    """Return the line that the open variation belongs to."""
    return <const Line*> (sink.outside.data + sink.outside.size - sink.own_size - sizeof(Line))


cdef inline void close_variation(Sink* sink) noexcept nogil:
    """End the open variation. One without moves is dropped, and its annotations belong to the line around it."""
    cdef Py_ssize_t chain
    attach_nags(sink)
    if sink.line.last != NOTHING:
        settle_late(sink)
        put_uint16(sink.columns, &sink.columns.moves, VARIATION_END)
        pop_line(sink)
        sink.line.after_variation = True
        return
    chain = sink.line.waiting
    sink.columns.moves.size = sink.line.mark.tape
    pop_line(sink)
    adopt(sink, chain)


cdef inline void drop_variation(Sink* sink) noexcept nogil:
    """Remove the open variation with everything that it has added."""
    go_back(sink, &sink.line.mark)
    pop_line(sink)


cdef inline void end_line(Sink* sink) noexcept nogil:
    """End the main line, when all variations have been closed."""
    attach_nags(sink)
    settle_late(sink)
