"""The doors of the PGN reader: reads a chunk of text into a builder, and finds where a text may be cut into chunks."""

import cython
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t, uint16_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.chess.fen_kernel import start_board
from cython.cimports.tabiya.chess.letters import (
    CLOSE_PAREN,
    DOT,
    OPEN_BRACE,
    OPEN_BRACKET,
    OPEN_PAREN,
    PERCENT,
    QUOTE,
    SEMICOLON,
    is_blank,
    is_digit,
    is_newline,
)
from cython.cimports.tabiya.chess.san import parse_san
from cython.cimports.tabiya.formats.pgn.lexer import (
    at_line_start,
    begins_game,
    is_mark,
    is_symbol,
    is_tag_line,
    is_tag_pair,
    skip_breaks,
)
from cython.cimports.tabiya.formats.pgn.movetext_kernel import read_all
from cython.cimports.tabiya.formats.pgn.reader import Reader
from cython.cimports.tabiya.formats.pgn.skip_kernel import comment_end, result_length
from cython.cimports.tabiya.game.columns_kernel import BatchBuilder, take
from cython.cimports.tabiya.game.sink import NOTHING, free_sink, open_sink
from cython.cimports.tabiya.game.tag_names_kernel import TAG_FEN, TAG_VARIANT, tag_of_name


def read_games(
    builder: BatchBuilder,
    text: cython.const[uint8_t][::1],
    offset: int64_t,
    code_page: cython.const[uint16_t][::1],
    always_code_page: cython.bint,
    results: bytes,
    variants: bytes,
    signs: bytes,
    languages: bytes,
    rare: bytes,
    letters: bytes,
    tail: cython.int,
) -> object:
    """Read all games of a chunk that begins where a game begins.

    Args:
        builder: takes the records.
        text: the chunk.
        offset: where the chunk stands in the file.
        code_page: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        always_code_page: whether no text is UTF-8.
        results: spellings of results: length, value, letters of each.
        variants: spellings of variants, in the same form.
        signs: signs and their NAGs, in the same form; 0 for words that say nothing.
        languages: codes of languages and their numbers, in the same form.
        rare: the table of commands that kernels do not know by heart, see ``commands.pxd``.
        letters: names of K Q R B N P in another language, four bytes each, padded with zeros; or empty.
        tail: how the chunk ends: 0 where a game ends, 1 cut off because it is too long, 2 broken off.

    Returns:
        A buffer of int64 with the place in ``text`` where each record ends; the next one begins there.
    """
    reader: Reader
    if code_page.shape[0] != 128 or len(letters) not in (0, 24):
        raise ValueError("a code page has 128 characters, and piece letters 24 bytes")
    if text.shape[0] == 0:
        return b""
    if tail < 0 or tail > 2:
        raise ValueError("a chunk ends in one of three ways")
    memset(cython.address(reader), 0, cython.sizeof(Reader))
    reader.text = cython.address(text[0])
    reader.end = text.shape[0]
    reader.base = offset
    reader.tail = tail
    reader.columns = cython.address(builder.columns)
    reader.sink.joins_nags = True
    reader.code_page = cython.address(code_page[0])
    reader.always_code_page = always_code_page
    reader.results = results
    reader.results_length = len(results)
    reader.variants = variants
    reader.variants_length = len(variants)
    reader.signs = signs
    reader.signs_length = len(signs)
    reader.languages = languages
    reader.languages_length = len(languages)
    reader.rare = rare
    reader.rare_length = len(rare)
    if letters:
        reader.letters = letters
    with cython.nogil:
        open_sink(cython.address(reader.sink), reader.columns, cython.address(reader.line), cython.sizeof(reader.line))
        read_all(cython.address(reader))
    free_reader(cython.address(reader))
    return take(cython.address(reader.ends))


@cython.cfunc
def free_reader(reader: cython.pointer[Reader]) -> cython.void:
    free_sink(cython.address(reader.sink))
    free(reader.detours.data)
    free(reader.scratch.data)
    free(reader.plain.data)
    free(reader.argument.data)
    free(reader.converted.data)


def find_cut(text: cython.const[uint8_t][::1], begin: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the first place from ``begin`` on where a game begins behind an empty line, -1 if there is none.

    Such a place is a boundary whatever stands before it, so chunks cut there are read like the whole.
    """
    place: cython.Py_ssize_t = begin
    end: cython.Py_ssize_t = text.shape[0]
    start: cython.pointer[cython.const[uint8_t]]
    if begin < 0 or begin >= end:
        return -1
    start = cython.address(text[0])
    with cython.nogil:
        while place < end:
            if is_newline(start[place]):
                if (
                    skip_breaks(start, end, cython.address(place)) > 1
                    and at_line_start(start, place)
                    and begins_game(start, end, place)
                ):
                    break
            else:
                place += 1
    return place if place < end else -1


def find_game(text: cython.const[uint8_t][::1], begin: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the first place from ``begin`` on where a game begins without an empty line before it, or -1.

    Such a place is a boundary only because of what stands before it; the text must begin where a game begins.
    """
    reader: Reader
    place: cython.Py_ssize_t
    if text.shape[0] == 0:
        return NOTHING
    memset(cython.address(reader), 0, cython.sizeof(Reader))
    reader.text = cython.address(text[0])
    reader.end = text.shape[0]
    with cython.nogil:
        start_board(cython.address(reader.sink.standard))
        place = skip_games(cython.address(reader), begin)
    return place


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def line_end(reader: cython.pointer[Reader], place: cython.Py_ssize_t) -> cython.Py_ssize_t:
    while place < reader.end and not is_newline(reader.text[place]):
        place += 1
    return place


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def decides_rules(reader: cython.pointer[Reader], begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """Return whether a line of tags has one that may turn its game into an opaque one."""
    text = reader.text
    stop: cython.Py_ssize_t
    for place in range(begin, end):
        if text[place] == OPEN_BRACKET and is_tag_pair(text, end, place):
            begin = place + 1
            while is_blank(text[begin]):
                begin += 1
            stop = begin
            while not is_blank(text[stop]) and text[stop] != QUOTE:
                stop += 1
            tag: cython.int = tag_of_name(text + begin, stop - begin)
            if tag == TAG_FEN or tag == TAG_VARIANT:
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def skip_games(reader: cython.pointer[Reader], begin: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Go over words as the reader does, and believe in the end of a game only where it sees what the reader sees.

    Behind a result outside variations, a tag, another result or a first move begins a game.
    """
    text = reader.text
    end: cython.Py_ssize_t = reader.end
    place: cython.Py_ssize_t = 0
    stop: cython.Py_ssize_t
    number: cython.Py_ssize_t = NOTHING  # where the move number begins that only blanks part from here
    depth: cython.Py_ssize_t = 0
    begun: cython.bint = False
    ended: cython.bint = False
    opaque: cython.bint = False
    closed: cython.bint
    found: cython.int
    while place < end:
        letter: cython.int = text[place]
        if is_blank(letter) or is_newline(letter) or letter == DOT:
            place += 1
            continue
        if is_mark(text, end, place):
            place += 3
            continue
        stop = place + 1
        if letter == OPEN_BRACKET:
            stop = line_end(reader, place)
            if not at_line_start(text, place) or stop == end or not is_tag_line(text, stop, place):
                return NOTHING
            if begun and place >= begin:
                return place
            opaque = (opaque and not begun) or decides_rules(reader, place, stop)
            begun = ended = False
            depth = 0
        elif letter == PERCENT and at_line_start(text, place):
            stop = line_end(reader, place)
        elif letter == OPEN_BRACE:
            begun = True
            stop = comment_end(reader, place + 1, cython.address(closed), cython.address(found))
            stop += closed
        elif letter == SEMICOLON:
            begun = True
            stop = line_end(reader, place)
        elif result_length(text, place, end) and (place == 0 or not is_symbol(text[place - 1])):
            if ended and place >= begin:
                return place
            begun = True
            ended = depth == 0 and not opaque
            stop = place + result_length(text, place, end)
        elif is_digit(letter) and is_number(reader, place, cython.address(stop)):
            begun = True
            number = place
            place = stop
            continue
        elif is_symbol(letter):
            begun = True
            while stop < end and is_symbol(text[stop]):
                stop += 1
            if stop == end:
                return NOTHING
            if ended and parse_san(cython.address(reader.sink.standard), text + place, stop - place) >= 0:
                if number != NOTHING:
                    place = number
                if place >= begin:
                    return place
            ended = False
        else:
            begun = True
            ended = False
            depth += letter == OPEN_PAREN
            depth -= letter == CLOSE_PAREN and depth > 0
        number = NOTHING
        place = stop
    return NOTHING


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_number(
    reader: cython.pointer[Reader], place: cython.Py_ssize_t, stop: cython.pointer[cython.Py_ssize_t]
) -> cython.bint:
    """Return whether a move number begins here, which then ends at ``stop``. A null move may be written as zeros."""
    if reader.text[place] == ord("0"):
        return False
    while place < reader.end and is_digit(reader.text[place]):
        place += 1
    stop[0] = place
    return place < reader.end and not is_symbol(reader.text[place])


def begins_with_any(
    ends: cython.const[int32_t][::1], letters: cython.const[uint8_t][::1], beginnings: cython.const[uint8_t][::1]
) -> bool:
    """Return whether one of many words begins with one of a few beginnings.

    Args:
        ends: where words begin and end, one more than there are words.
        letters: of all words.
        beginnings: three letters each.
    """
    size: cython.Py_ssize_t = letters.shape[0]
    count: cython.Py_ssize_t = beginnings.shape[0] // 3
    found: cython.bint = False
    index: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    number: cython.Py_ssize_t
    with cython.nogil:
        for index in range(ends.shape[0] - 1):
            begin = ends[index]
            if begin < 0 or ends[index + 1] > size or ends[index + 1] - begin < 3:
                continue
            for number in range(count):
                if (
                    letters[begin] == beginnings[3 * number]
                    and letters[begin + 1] == beginnings[3 * number + 1]
                    and letters[begin + 2] == beginnings[3 * number + 2]
                ):
                    found = True
    return found
