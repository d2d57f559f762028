"""Reads comments: the annotations of their commands, and the remaining text. For PGN, jose and Scid.

A comment is UTF-8; the sink determines the places of its annotations, so that all formats return the same games.
Commands that kernels do not support are answered by the classes (``rare_commands.py``), once per different spelling.
Unknown commands remain in the text. Linear in the length of the comment.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memcpy, memset

from tabiya.chess.board cimport BLACK
from tabiya.chess.letters cimport (
    CARRIAGE_RETURN, CLOSE_BRACKET, NEWLINE, OPEN_PAREN, SPACE, is_blank, is_newline, skip_breaks
)
from tabiya.game.annotations.commands cimport (
    COMMAND_CLOCK, COMMAND_ERROR, COMMAND_GAME, COMMAND_LATE, COMMAND_NONE, COMMAND_PRE, COMMAND_RARE, COMMAND_UNKNOWN,
    COMMAND_VALUE, COMMAND_VERBATIM, Command, command_at, ends_head, error_at, find_command,
    language_of
)
from tabiya.game.annotations.escapes cimport put_unescaped
from tabiya.game.annotations.forms_kernel cimport FIRST_SPACED, kind_of_form, put_form, put_value
from tabiya.game.annotations.kinds cimport (
    KIND_BLACK_CLOCK, KIND_TEXT_AFTER, KIND_TEXT_BEFORE, KIND_UNREADABLE, KIND_WHITE_CLOCK
)
from tabiya.game.columns cimport (
    NO_NAME, SIDE_AFTER, SIDE_BEFORE, SIDE_LATE, annotation_count, close_annotation, close_annotation_with_raw,
    cut_annotations, intern, open_annotation, put_bytes, put_int32, put_problem, put_string, put_uint8, put_uint16,
    string_begin, string_count, string_end
)
from tabiya.game.sink cimport (
    NOTHING, attach_nags, before_first_move, open_after, open_before, open_game_note, open_late, open_text,
    is_before_move
)
from tabiya.game.sink_kernel cimport is_nags, kind_at

cdef enum:
    LONGEST_QUOTE = 60

# The first byte of the key of a rare command, in addition to its spelling.
cdef enum:
    KEY_OF_BLACK = 1
    KEY_BEFORE = 2      # in a comment before a move

# What the classes have made of a rare command: a COMMAND_, or one of these; ``rare_commands.py`` has the same numbers.
cdef enum:
    ANSWER_REFUSED = 0
    ANSWER_NAGS = 10     # in place of the NAGs before the comment
    ANSWER_GUIDING = 11  # a guiding text
    ANSWER_NOTHING = 12

# The fixed part of an answer: four strings follow.
ctypedef struct Answer:
    int32_t what
    int32_t problem
    int32_t edited          # a payload was ignored
    int32_t kind            # or the format of a guiding text
    int32_t lang
    int32_t has_raw         # or formatting
    int32_t problem_length
    int32_t data_length     # data, or title
    int32_t raw_length      # raw bytes, or formatting
    int32_t body_length

# The strings of an answer.
ctypedef struct Parts:
    const uint8_t* problem
    const uint8_t* data
    const uint8_t* raw
    const uint8_t* body


cdef class Commands:
    def __cinit__(self, bytes table not None, bytes languages not None, unsigned long long seed, bint by_classes=False):
        self.table = table
        self.languages = languages
        self.by_classes = by_classes
        self.requested.seed = seed
        if not (put_first_end(&self.requested.strings) and put_first_end(&self.answers)):
            raise MemoryError("no memory for commands")

    def __dealloc__(self):
        free(self.requested.slots.data)
        free(self.requested.strings.data.data)
        free(self.requested.strings.ends.data)
        free(self.answers.data.data)
        free(self.answers.ends.data)

    def learn(self, dict known not None) -> None:
        """Add keys and answers of earlier commands, before anything is read."""
        cdef Columns columns
        cdef bytes key
        memset(&columns, 0, sizeof(Columns))
        for key in known:
            intern(&columns, &self.requested, key, len(key))
        if columns.out_of_memory:
            raise MemoryError("no memory for rare commands")
        self.answer(list(known.values()))

    def unanswered(self) -> list:
        """Return the keys of the commands that have no answer yet."""
        strings = &self.requested.strings
        cdef Py_ssize_t begin
        found = []
        for index in range(string_count(&self.answers), string_count(strings)):
            begin = string_begin(strings, index)
            found.append(strings.data.data[begin:string_end(strings, index)])
        return found

    def answer(self, list answers not None) -> None:
        """Add the answers for ``unanswered``, in its order."""
        cdef Columns columns
        cdef bytes found
        memset(&columns, 0, sizeof(Columns))
        for found in answers:
            if len(found) < <Py_ssize_t> sizeof(Answer):
                raise ValueError("an answer is incomplete")
            put_string(&columns, &self.answers, found, len(found))
        if columns.out_of_memory:
            raise MemoryError("no memory for rare commands")


cdef bint put_first_end(Strings* strings):
    cdef Columns columns
    memset(&columns, 0, sizeof(Columns))
    put_int32(&columns, &strings.ends, 0)
    return not columns.out_of_memory


cdef void open_reader(CommentReader* reader, Commands commands, Columns* columns, Sink* sink):
    """Initialize a reader, whose bytes must be zero; the commands must outlive it."""
    reader.columns = columns
    reader.sink = sink
    reader.table = commands.table
    reader.table_length = len(commands.table)
    reader.languages = commands.languages
    reader.languages_length = len(commands.languages)
    reader.requested = &commands.requested
    reader.answers = &commands.answers
    reader.by_classes = commands.by_classes
    reader.offset = NOTHING


cdef void free_reader(CommentReader* reader):
    free(reader.settled.data)
    free(reader.plain.data)
    free(reader.argument.data)
    free(reader.key.data)


# === comments =========================================================================================================

cdef bint read_comment(CommentReader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Read a comment that contains ``[%``. False, with nothing added, if no command in it has a meaning: it is a text.
    """
    plain = &reader.plain
    cdef Command command
    cdef Py_ssize_t place
    cdef Py_ssize_t begin = 0  # of the text not yet copied to ``plain``
    cdef Py_ssize_t after
    cdef bint first = True
    attach_nags(reader.sink)
    if reader.in_place:
        text = without_breaks(reader, text, &length)
    plain.size = 0
    place = find_command(text, 0, length)
    while place < length:
        command = command_at(text, place, length, reader.table, reader.table_length)
        if command.unclosed:
            break
        if command.name == COMMAND_NONE:
            place = find_command(text, place + 2, length)
            continue
        after = read_command(reader, text, place, length, &command, first)
        first = False
        if after == NOTHING:
            place = find_command(text, command.arguments_end + 1, length)
            continue
        put_bytes(reader.columns, plain, text + begin, place - begin)
        if after > command.arguments_end + 1:
            put_blanks(reader, text + command.arguments_end + 1, text + after)
        # The blank after a command belongs to it, so that "a [%pre b] c" becomes "a c".
        begin = after + (after < length and is_blank(text[after]))
        place = find_command(text, begin, length)
    if begin == 0:
        return False
    put_bytes(reader.columns, plain, text + begin, length - begin)
    add_stripped(reader, plain.data, plain.size)
    return True


cdef void add_stripped(CommentReader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Add a text without surrounding blanks, if it is not empty."""
    while length and (is_blank(text[length - 1]) or is_newline(text[length - 1])):
        length -= 1
    while length and (is_blank(text[0]) or is_newline(text[0])):
        text += 1
        length -= 1
    if length:
        open_text(reader.sink, 0)
        put_data(reader, text, length)


cdef const uint8_t* without_breaks(CommentReader* reader, const uint8_t* text, Py_ssize_t* length) noexcept nogil:
    """Return a comment with its line breaks resolved as in PGN, in case there are any."""
    if memchr(text, NEWLINE, length[0]) == NULL and memchr(text, CARRIAGE_RETURN, length[0]) == NULL:
        return text
    reader.settled.size = 0
    put_settled(reader.columns, &reader.settled, text, length[0])
    length[0] = reader.settled.size
    return reader.settled.data


cdef void put_settled(Columns* columns, Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Append a text; a line break in it becomes one blank, an empty line a paragraph."""
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t start
    cdef int breaks
    while place < length:
        if not is_blank(text[place]) and not is_newline(text[place]):
            put_uint8(columns, out, text[place])
            place += 1
            continue
        start = place
        breaks = skip_breaks(text, length, &place)
        if breaks == 0:
            put_bytes(columns, out, text + start, place - start)
        elif breaks == 1:
            put_uint8(columns, out, SPACE)
        else:
            put_bytes(columns, out, b"\n\n", 2)


cdef void note(CommentReader* reader, int code, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Record a problem of the comment; of very many in a record only the first ones."""
    reader.sink.problems += 1
    if reader.sink.problems > MOST_PROBLEMS + 1:
        return
    if reader.sink.problems > MOST_PROBLEMS:
        code = PROBLEM_MANY
        length = 0
    put_problem(reader.columns, code, reader.offset, text, length)


cdef void note_command(CommentReader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Record an unknown command: its first letters."""
    cdef int letters = 0
    for place in range(length):
        letters += text[place] & 0xC0 != 0x80
        if letters > LONGEST_QUOTE:
            length = place
            break
    note(reader, PROBLEM_COMMAND, text, length)


# === commands =========================================================================================================

cdef Py_ssize_t read_command(
    CommentReader* reader, const uint8_t* text, Py_ssize_t place, Py_ssize_t length, Command* command, bint first
) noexcept nogil:
    """Add what a command means; return the place after it, or NOTHING if it is to stay in the text."""
    cdef Py_ssize_t after = command.arguments_end + 1
    cdef Py_ssize_t end
    if command.name == COMMAND_VERBATIM:
        return NOTHING
    if command.name == COMMAND_UNKNOWN:
        note_command(reader, text + place, after - place)
        return NOTHING
    end = after
    while end < length and (is_blank(text[end]) or is_newline(text[end])):
        end += 1
    end = end_of_payload(text, end, length)
    if end != NOTHING and read_rare(reader, text + place, end - place, command, NOTHING, False):
        return end
    if not reader.by_classes and command.name != COMMAND_RARE and read_common(reader, text, command):
        return after
    cdef Py_ssize_t nags = NOTHING
    if first and command.name == COMMAND_RARE and is_payload(text, place, length) and is_all_blank(text, place):
        nags = nags_here(reader)
    return after if read_rare(reader, text + place, after - place, command, nags, True) else NOTHING


cdef bint is_all_blank(const uint8_t* text, Py_ssize_t length) noexcept nogil:
    for place in range(length):
        if not is_blank(text[place]) and not is_newline(text[place]):
            return False
    return True


cdef void put_blanks(CommentReader* reader, const uint8_t* text, const uint8_t* end) noexcept nogil:
    """Keep the blanks between a command and its payload, except the one that belongs to the command."""
    text += text < end and is_blank(text[0])
    while text < end and (is_blank(text[0]) or is_newline(text[0])):
        put_uint8(reader.columns, &reader.plain, text[0])
        text += 1


# --- common commands -------------------------------------------------------------------------------------------------


cdef bint read_common(CommentReader* reader, const uint8_t* text, const Command* command) noexcept nogil:
    """Add what a command means; False if that is left to the classes."""
    if command.name >= COMMAND_VALUE:
        return command.language_length == 0 and read_value(reader, text, command)
    if command.name == COMMAND_ERROR:
        return command.language_length == 0 and read_error(reader, text, command)
    return read_text(reader, text, command)


cdef bint read_text(CommentReader* reader, const uint8_t* text, const Command* command) noexcept nogil:
    """``[%post:GER text]``."""
    cdef int language = language_of(
        reader.languages, reader.languages_length, text + command.language, command.language_length
    )
    if language < 0:
        return False
    unescape(reader, text + command.arguments, command.arguments_end - command.arguments)
    open_words(reader, command.name, language)
    put_data(reader, reader.argument.data, reader.argument.size)
    return True


cdef bint read_error(CommentReader* reader, const uint8_t* text, const Command* command) noexcept nogil:
    """``[%error illegal "Nf9 e5"]``; a text that begins with ``(`` is a variation, any other the rest of the line."""
    cdef Py_ssize_t begin
    cdef Py_ssize_t end
    cdef int reason = error_at(text, command[0], &begin, &end)
    if reason < 0:
        return False
    unescape(reader, text + begin, end - begin)
    open_error(reader, reason, reader.argument.size and reader.argument.data[0] == OPEN_PAREN)
    put_data(reader, reader.argument.data, reader.argument.size)
    return True


cdef bint read_value(CommentReader* reader, const uint8_t* text, const Command* command) noexcept nogil:
    """``[%clk 1:29:45]``, ``[%medal tactics]``; False if the spelling is unusual."""
    cdef int kind = command.kind
    cdef Py_ssize_t length = command.arguments_end - command.arguments
    cdef Py_ssize_t given = length
    text += command.arguments
    if command.form:
        if command.form < FIRST_SPACED:
            text = without_blanks(reader, text, &length)
        kind = kind_of_form(command, text, length)
        return kind >= 0 and add_value(reader, command, kind, text, length)
    if command.name == COMMAND_CLOCK:
        kind = KIND_BLACK_CLOCK if is_black(reader) else KIND_WHITE_CLOCK
    if add_value(reader, command, kind, text, length):
        return True
    text = without_blanks(reader, text, &length)
    return length < given and add_value(reader, command, kind, text, length)


cdef bint add_value(
    CommentReader* reader, const Command* command, int kind, const uint8_t* text, Py_ssize_t length
) noexcept nogil:
    """Add a value; False, with nothing added, if the spelling is unusual."""
    columns = reader.columns
    cdef Py_ssize_t count = annotation_count(columns)
    cdef Py_ssize_t waiting = reader.sink.line.waiting
    open_here(reader, kind, 0)
    if command.form:
        if put_form(columns, command, text, length):
            return True
    elif put_value(columns, kind, text, length):
        return True
    cut_annotations(columns, count)
    reader.sink.line.waiting = waiting
    return False


cdef const uint8_t* without_blanks(CommentReader* reader, const uint8_t* text, Py_ssize_t* length) noexcept nogil:
    """Return an argument without the blanks that line breaks have left inside numbers, times and lists."""
    cdef Py_ssize_t place = 0
    while place < length[0] and not ends_head(text[place]):
        place += 1
    if place == length[0]:
        return text
    argument = &reader.argument
    argument.size = 0
    for place in range(length[0]):
        if not ends_head(text[place]):
            put_uint8(reader.columns, argument, text[place])
    length[0] = argument.size
    return argument.data


cdef void unescape(CommentReader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write an argument without its escapes to ``reader.argument``."""
    reader.argument.size = 0
    if not put_unescaped(&reader.argument, text, length):
        reader.columns.out_of_memory = True


# --- places ----------------------------------------------------------------------------------------------------------


cdef bint is_black(CommentReader* reader) noexcept nogil:
    """Return whether a comment belongs to a move of Black: the last one, or the next if the comment precedes it."""
    sink = reader.sink
    if sink.ended or (reader.values_of_game and before_first_move(sink)):
        return False
    return (sink.line.board.turn == BLACK) == is_before_move(sink)


cdef void open_here(CommentReader* reader, int kind, int lang) noexcept nogil:
    """Begin an annotation that is not a text, at the place of the comment."""
    sink = reader.sink
    if reader.values_of_game and before_first_move(sink):
        open_game_note(sink, kind, lang)
    elif is_before_move(sink):
        open_before(sink, kind, lang)
    else:
        open_after(sink, kind, lang)


cdef void open_words(CommentReader* reader, int command, int lang) noexcept nogil:
    """Begin the text of a command: COMMAND_PRE, COMMAND_POST, COMMAND_LATE or COMMAND_GAME."""
    sink = reader.sink
    cdef bint of_game = reader.in_place and reader.values_of_game and before_first_move(sink)
    if command == COMMAND_GAME:
        open_game_note(sink, KIND_TEXT_AFTER, lang)
    elif command == COMMAND_LATE and not sink.ended and (of_game or sink.line.last != NOTHING):
        open_late(sink, KIND_TEXT_AFTER, lang)
    elif command == COMMAND_PRE and not sink.ended:
        open_before(sink, KIND_TEXT_BEFORE, lang)
    else:
        open_text(sink, lang)


cdef void open_error(CommentReader* reader, int reason, bint variation) noexcept nogil:
    """Begin an unreadable part: late, unless it is a variation."""
    sink = reader.sink
    if variation and reader.in_place:
        open_here(reader, KIND_UNREADABLE, reason)
    elif variation and sink.line.last != NOTHING and not sink.ended:
        open_after(sink, KIND_UNREADABLE, reason)
    else:
        open_late(sink, KIND_UNREADABLE, reason)


cdef void put_data(CommentReader* reader, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    """Write the data of the annotation that has been opened."""
    put_bytes(reader.columns, &reader.columns.annotation_data.data, data, length)
    close_annotation(reader.columns)


# === rare commands ====================================================================================================

cdef inline bint is_payload(const uint8_t* text, Py_ssize_t place, Py_ssize_t length) noexcept nogil:
    """Return whether ``[%raw …]`` begins here."""
    return (
        length - place >= 6
        and text[place + 2] == ord("r")
        and memcmp(text + place, b"[%raw", 5) == 0
        and (text[place + 5] == CLOSE_BRACKET or ends_head(text[place + 5]))
    )


cdef Py_ssize_t end_of_payload(const uint8_t* text, Py_ssize_t place, Py_ssize_t length) noexcept nogil:
    """Return where ``[%raw …]`` ends that begins at ``place``; NOTHING if there is none."""
    cdef Command command
    if not is_payload(text, place, length):
        return NOTHING
    command = command_at(text, place, length, NULL, 0)
    return NOTHING if command.name == COMMAND_NONE else command.arguments_end + 1


cdef Py_ssize_t nags_here(CommentReader* reader) noexcept nogil:
    """Return the annotation with the NAGs directly before the comment, or NOTHING."""
    sink = reader.sink
    columns = reader.columns
    cdef Py_ssize_t index = annotation_count(columns) - 1
    if columns.out_of_memory or index < sink.first_annotation or not is_nags(kind_at(columns, index)):
        return NOTHING
    cdef int32_t move = (<const int32_t*> columns.annotation_move.data)[index]
    cdef int side = columns.annotation_side.data[index]
    if sink.ended:
        return index if side == SIDE_LATE and move == NOTHING else NOTHING
    if is_before_move(sink):
        return index if side == SIDE_BEFORE and sink.line.waiting == index else NOTHING
    return index if side == SIDE_AFTER and move == sink.line.last else NOTHING


cdef bint read_rare(
    CommentReader* reader, const uint8_t* source, Py_ssize_t length, const Command* command, Py_ssize_t nags, bint alone
) noexcept nogil:
    """Add what the classes have made of a command. False if it stays in the text, or has not been answered yet.

    ``nags``: the annotation with the NAGs before it. ``alone``: nothing else will be tried.
    """
    columns = reader.columns
    key = &reader.key
    cdef int flags = 0
    cdef int32_t index
    if command.name == COMMAND_CLOCK and is_black(reader):
        flags |= KEY_OF_BLACK
    if COMMAND_PRE <= command.name < COMMAND_VALUE and is_before_move(reader.sink):
        flags |= KEY_BEFORE
    key.size = 0
    put_uint8(columns, key, flags)
    put_uint8(columns, key, reader.encoding_length)
    put_bytes(columns, key, reader.encoding, reader.encoding_length)
    put_nags_of_key(reader, nags)
    put_bytes(columns, key, source, length)
    index = intern(columns, reader.requested, key.data, key.size)
    if index == NO_NAME or columns.out_of_memory or index >= string_count(reader.answers):
        return False
    cdef Py_ssize_t begin = string_begin(reader.answers, index)
    return follow(
        reader, reader.answers.data.data + begin, string_end(reader.answers, index) - begin, nags, alone
    )


cdef void put_nags_of_key(CommentReader* reader, Py_ssize_t nags) noexcept nogil:
    """Append the kind of the NAGs and the length of their data, which are zero without NAGs; and the data."""
    columns = reader.columns
    cdef Py_ssize_t begin = 0
    cdef Py_ssize_t length = 0
    if nags != NOTHING:
        begin = string_begin(&columns.annotation_data, nags)
        length = string_end(&columns.annotation_data, nags) - begin
    put_uint16(columns, &reader.key, 0 if nags == NOTHING else kind_at(columns, nags))
    put_int32(columns, &reader.key, length)
    put_bytes(columns, &reader.key, columns.annotation_data.data.data + begin, length)


cdef bint follow(
    CommentReader* reader, const uint8_t* text, Py_ssize_t size, Py_ssize_t nags, bint alone
) noexcept nogil:
    """Add what an answer contains; False if the command stays in the text."""
    cdef Answer answer
    cdef Parts parts
    memcpy(&answer, text, sizeof(Answer))
    parts.problem = text + sizeof(Answer)
    parts.data = parts.problem + answer.problem_length
    parts.raw = parts.data + answer.data_length
    parts.body = parts.raw + answer.raw_length
    if answer.problem and (alone or answer.what != ANSWER_REFUSED):
        note(reader, answer.problem, parts.problem, answer.problem_length)
    if answer.edited:
        note(reader, PROBLEM_EDITED, NULL, 0)
    if answer.what == ANSWER_REFUSED:
        return False
    if answer.what == ANSWER_GUIDING:
        put_guiding_text(reader.columns, &answer, &parts)
        return True
    if answer.what == ANSWER_NOTHING:
        return True
    if answer.what == ANSWER_NAGS:
        open_again(reader, nags, answer.kind)
    elif answer.what == COMMAND_ERROR:
        open_error(reader, answer.lang, answer.data_length and parts.data[0] == OPEN_PAREN)
    elif answer.what == COMMAND_VALUE:
        open_here(reader, answer.kind, answer.lang)
    else:
        open_words(reader, answer.what, answer.lang)
    put_bytes(reader.columns, &reader.columns.annotation_data.data, parts.data, answer.data_length)
    if answer.has_raw:
        close_annotation_with_raw(reader.columns, parts.raw, answer.raw_length)
    else:
        close_annotation(reader.columns)
    return True


cdef void open_again(CommentReader* reader, Py_ssize_t index, int kind) noexcept nogil:
    """Replace an annotation, the last one so far."""
    columns = reader.columns
    cdef int32_t move = (<const int32_t*> columns.annotation_move.data)[index]
    cdef int side = columns.annotation_side.data[index]
    cut_annotations(columns, index)
    open_annotation(columns, move, side, kind, 0)


cdef void put_guiding_text(Columns* columns, const Answer* answer, const Parts* parts) noexcept nogil:
    put_uint16(columns, &columns.text_lang, answer.lang)
    put_string(columns, &columns.text_title, parts.data, answer.data_length)
    put_uint16(columns, &columns.text_format, answer.kind)
    put_string(columns, &columns.text_body, parts.body, answer.body_length)
    put_string(columns, &columns.text_formatting, parts.raw, answer.raw_length)
    put_uint8(columns, &columns.text_has_formatting, answer.has_raw)
