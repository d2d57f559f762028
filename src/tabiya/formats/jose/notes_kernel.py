"""Comments and errors of a game text: their bytes, and the commands in them. Linear in their length.

The sink knows where they belong, by the rules that PGN is read by, so that games come out the same whichever way they
went. A comment that kernels do not understand is kept as a whole for ``rich.py``, which reads any of them just so.
"""

import cython
from cython.cimports.tabiya.chess.letters import OPEN_PAREN, SPACE
from cython.cimports.tabiya.formats.jose.reading import (
    FLAG_COMMANDS,
    KIND_COMMENT,
    PROBLEM_ENCODING,
    PROBLEM_HALF_LETTER,
)
from cython.cimports.tabiya.formats.jose.texts import (
    TEXT_BYTES,
    TEXT_GOOD,
    TEXT_HALF,
    TEXT_NO_MEMORY,
    has_command,
    put_utf8,
)
from cython.cimports.tabiya.game.annotations.comment_reading import IS_LEFT, IS_READ
from cython.cimports.tabiya.game.annotations.read_comments_kernel import open_here, read_commands
from cython.cimports.tabiya.game.columns import close_annotation
from cython.cimports.tabiya.game.sink import (
    Mark,
    attach_nags,
    go_back,
    open_text,
    open_unreadable,
    set_mark,
)
from cython.cimports.tabiya.game.utf8 import ascii_length


def add_text(reader, text, length):
    """Add a comment: what its commands say, and what is left of it."""
    mark: Mark
    waits: cython.bint = reader.line.waits
    answer: cython.int
    attach_nags(cython.address(reader.sink))
    if has_command(text, length):
        set_mark(cython.address(reader.sink), cython.address(mark))
        answer = read_comment(reader, text, length)
        if answer == IS_READ:
            return
        go_back(cython.address(reader.sink), cython.address(mark))
        reader.line.waits = waits
        if answer == IS_LEFT:
            reader.flags |= FLAG_COMMANDS
            open_here(cython.address(reader.comments), KIND_COMMENT, 0)
            put_text(reader, text, length)
            return
    open_text(cython.address(reader.sink), 0)
    put_text(reader, text, length)


def add_error(reader, text, length, reason):
    """Add what jose could not read: a variation if it begins with ``(``, else the rest of the line."""
    open_unreadable(cython.address(reader.sink), reason, not (length and text[0] == OPEN_PAREN))
    put_text(reader, text, length)


def put_text(reader, text, length):
    """Write the bytes of the annotation that has been opened."""
    columns = reader.columns
    answer: cython.int = put_utf8(cython.address(columns.annotation_data.data), text, length)
    close_annotation(columns)
    if answer == TEXT_NO_MEMORY:
        columns.out_of_memory = True
    elif answer == TEXT_BYTES:
        note_encoding(reader, PROBLEM_ENCODING)
    elif answer == TEXT_HALF:
        note_encoding(reader, PROBLEM_HALF_LETTER)


def note_encoding(reader, code):
    reader.damaged = True
    if not reader.encoding_problem:
        reader.encoding_problem = code


# --- comments with commands ------------------------------------------------------------------------------------------


def read_comment(reader, text, length):
    """Read a comment with ``[%`` in it; what has been added has to be taken back unless it IS_READ."""
    if reader.leaves:
        return IS_LEFT
    for at in range(length):
        if text[at] < SPACE:  # line breaks have to be settled
            return IS_LEFT
    waits = cython.address(reader.line.waits)
    if ascii_length(text, length) == length:
        return read_commands(cython.address(reader.comments), text, length, waits)
    reader.comment.size = 0
    if put_utf8(cython.address(reader.comment), text, length) != TEXT_GOOD:
        return IS_LEFT
    return read_commands(cython.address(reader.comments), reader.comment.data, reader.comment.size, waits)
