"""Comments in game data: a code where each stands, and all texts behind the moves. Linear in their length."""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memchr
from cython.cimports.tabiya.chess.letters import OPEN_BRACKET, PERCENT, SPACE
from cython.cimports.tabiya.formats.scid.games.codes import CODE_END, CODE_NAG
from cython.cimports.tabiya.formats.scid.games.reading import FLAG_COMMANDS, KIND_COMMENT, PROBLEM_TEXT_MISSING
from cython.cimports.tabiya.formats.scid.games.tags_kernel import put_utf8
from cython.cimports.tabiya.game.annotations.comment_reading import IS_LEFT, IS_READ
from cython.cimports.tabiya.game.annotations.read_comments_kernel import open_here, read_commands
from cython.cimports.tabiya.game.columns import close_annotation, put_problem
from cython.cimports.tabiya.game.sink import NOTHING, Mark, attach_nags, go_back, open_text, set_mark


def read_comment(reader):
    """Add the next text as a comment."""
    zero: cython.pointer[cython.const[uint8_t]] = cython.NULL
    place: cython.Py_ssize_t = reader.text_place
    if place == NOTHING:
        place = texts_behind(reader.data, reader.place, reader.end)
    if place < reader.end:
        zero = cython.cast("const uint8_t*", memchr(reader.data + place, 0, reader.end - place))
    if zero == cython.NULL:
        return fail(reader, PROBLEM_TEXT_MISSING)
    reader.text_place = zero - reader.data + 1
    add_text(reader, reader.data + place, reader.text_place - 1 - place)
    return True


def texts_behind(data, place, end):
    """Return where the texts begin: behind the end of the moves, whose byte is no other's but a NAG's value."""
    while place < end and data[place] != CODE_END:
        place += 2 if data[place] == CODE_NAG else 1
    return place + 1


def add_text(reader, text, length):
    """Add a comment: what its commands say, and what is left of it."""
    mark: Mark
    answer: cython.int
    sink = cython.address(reader.sink)
    waits: cython.bint = reader.line.waits
    attach_nags(sink)
    for at in range(length - 1):
        if text[at] == OPEN_BRACKET and text[at + 1] == PERCENT:
            break
    else:
        open_text(sink, 0)
        put_text(reader, text, length)
        return
    reader.comment.size = 0
    put_utf8(reader, cython.address(reader.comment), text, length)
    set_mark(sink, cython.address(mark))
    answer = understand(reader)
    if answer == IS_READ:
        return
    go_back(sink, cython.address(mark))
    reader.line.waits = waits
    if answer == IS_LEFT:
        reader.flags |= FLAG_COMMANDS
        reader.comments.values_of_game = False
        open_here(cython.address(reader.comments), KIND_COMMENT, 0)
        reader.comments.values_of_game = True
    else:
        open_text(sink, 0)
    put_text(reader, text, length)


def put_text(reader, text, length):
    """Write the bytes of the annotation that has been opened."""
    put_utf8(reader, cython.address(reader.columns.annotation_data.data), text, length)
    close_annotation(reader.columns)


def understand(reader):
    """Read the commands of the comment at hand; line breaks have to be settled first, which is left to Python."""
    if reader.leaves:
        return IS_LEFT
    for at in range(reader.comment.size):
        if reader.comment.data[at] < SPACE:
            return IS_LEFT
    return read_commands(
        cython.address(reader.comments),
        reader.comment.data,
        reader.comment.size,
        cython.address(reader.line.waits),
    )


def fail(reader, code):
    """Note what is wrong with the last byte read; the stored bytes are kept. Always False."""
    put_problem(reader.columns, code, reader.place - 1 if reader.place else 0, cython.NULL, 0)
    reader.damaged = True
    return False
