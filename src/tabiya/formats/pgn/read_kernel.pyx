"""Python interface of the PGN reader: reads a chunk of text into a builder, and finds boundaries between chunks."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from tabiya.chess.fen_kernel cimport start_board
from tabiya.chess.letters cimport (
    CLOSE_PAREN, DOT, OPEN_BRACE, OPEN_BRACKET, OPEN_PAREN, PERCENT, QUOTE, SEMICOLON, is_blank, is_digit, is_newline
)
from tabiya.chess.san cimport parse_san
from tabiya.formats.pgn.lexer cimport (
    at_line_start, begins_game, is_mark, is_symbol, is_tag_line, is_tag_pair, skip_breaks
)
from tabiya.formats.pgn.movetext_kernel cimport read_all
from tabiya.formats.pgn.reader cimport Reader
from tabiya.formats.pgn.skip_kernel cimport comment_end, result_length
from tabiya.game.columns_kernel cimport BatchBuilder, take
from tabiya.game.sink cimport NOTHING, free_sink, open_sink
from tabiya.game.tag_names_kernel cimport TAG_FEN, TAG_VARIANT, tag_of_name


def read_games(
    BatchBuilder builder not None, const uint8_t[::1] text not None, int64_t offset,
    const uint16_t[::1] code_page not None, bint always_code_page, bytes results not None, bytes variants not None,
    bytes signs not None, bytes languages not None, bytes rare not None, bytes letters not None, int tail
) -> object:
    """Read all games of a chunk that begins where a game begins.

    Args:
        builder: receives the records.
        text: the chunk.
        offset: the offset of the chunk in the file.
        code_page: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        always_code_page: whether no text is UTF-8.
        results: spellings of results: length, value, letters of each.
        variants: spellings of variants, in the same form.
        signs: signs and their NAGs, in the same form; 0 for words without meaning.
        languages: codes of languages and their numbers, in the same form.
        rare: the table of commands that are not built into kernels, see ``commands.pxd``.
        letters: names of K Q R B N P in another language, four bytes each, padded with zeros; or empty.
        tail: how the chunk ends: 0 where a game ends, 1 cut off because it is too long, 2 broken off.

    Returns:
        A buffer of int64 with the end of each record in ``text``; the next one begins there.
    """
    cdef Reader reader
    if code_page.shape[0] != 128 or len(letters) not in (0, 24):
        raise ValueError("a code page has 128 characters, and piece letters 24 bytes")
    if text.shape[0] == 0:
        return b""
    if tail < 0 or tail > 2:
        raise ValueError("a chunk ends in one of three ways")
    memset(&reader, 0, sizeof(Reader))
    reader.text = &text[0]
    reader.end = text.shape[0]
    reader.base = offset
    reader.tail = tail
    reader.columns = &builder.columns
    reader.sink.joins_nags = True
    reader.code_page = &code_page[0]
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
    with nogil:
        open_sink(&reader.sink, reader.columns, &reader.line, sizeof(reader.line))
        read_all(&reader)
    free_reader(&reader)
    return take(&reader.ends)


cdef void free_reader(Reader* reader):
    free_sink(&reader.sink)
    free(reader.detours.data)
    free(reader.scratch.data)
    free(reader.plain.data)
    free(reader.argument.data)
    free(reader.converted.data)


def find_cut(const uint8_t[::1] text not None, Py_ssize_t begin):
    """Return the first position from ``begin`` on where a game begins after an empty line, -1 if there is none.

    Such a position is a boundary regardless of what precedes it, so chunks cut there are read like the whole.
    """
    cdef Py_ssize_t place = begin
    cdef Py_ssize_t end = text.shape[0]
    cdef const uint8_t* start
    if begin < 0 or begin >= end:
        return -1
    start = &text[0]
    with nogil:
        while place < end:
            if is_newline(start[place]):
                if (
                    skip_breaks(start, end, &place) > 1
                    and at_line_start(start, place)
                    and begins_game(start, end, place)
                ):
                    break
            else:
                place += 1
    return place if place < end else -1


def find_game(const uint8_t[::1] text not None, Py_ssize_t begin):
    """Return the first position from ``begin`` on where a game begins without an empty line before it, or -1.

    Such a position is a boundary only because of what precedes it; the text must begin where a game begins.
    """
    cdef Reader reader
    cdef Py_ssize_t place
    if text.shape[0] == 0:
        return NOTHING
    memset(&reader, 0, sizeof(Reader))
    reader.text = &text[0]
    reader.end = text.shape[0]
    with nogil:
        start_board(&reader.sink.standard)
        place = skip_games(&reader, begin)
    return place


cdef Py_ssize_t line_end(Reader* reader, Py_ssize_t place) noexcept nogil:
    while place < reader.end and not is_newline(reader.text[place]):
        place += 1
    return place


cdef bint decides_rules(Reader* reader, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Return whether a line of tags has one that may turn its game into an opaque one."""
    cdef int tag
    text = reader.text
    cdef Py_ssize_t stop
    for place in range(begin, end):
        if text[place] == OPEN_BRACKET and is_tag_pair(text, end, place):
            begin = place + 1
            while is_blank(text[begin]):
                begin += 1
            stop = begin
            while not is_blank(text[stop]) and text[stop] != QUOTE:
                stop += 1
            tag = tag_of_name(text + begin, stop - begin)
            if tag == TAG_FEN or tag == TAG_VARIANT:
                return True
    return False


cdef Py_ssize_t skip_games(Reader* reader, Py_ssize_t begin) noexcept nogil:
    """Skip words as the reader does, and accept the end of a game only where the reader does.

    After a result outside variations, a tag, another result or a first move begins a game.
    """
    cdef int letter
    text = reader.text
    cdef Py_ssize_t end = reader.end
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t stop
    cdef Py_ssize_t number = NOTHING  # start of a move number that only blanks separate from here
    cdef Py_ssize_t depth = 0
    cdef bint begun = False
    cdef bint ended = False
    cdef bint opaque = False
    cdef bint closed
    cdef int found
    while place < end:
        letter = text[place]
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
            stop = comment_end(reader, place + 1, &closed, &found)
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
        elif is_digit(letter) and is_number(reader, place, &stop):
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
            if ended and parse_san(&reader.sink.standard, text + place, stop - place) >= 0:
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


cdef bint is_number(Reader* reader, Py_ssize_t place, Py_ssize_t* stop) noexcept nogil:
    """Return whether a move number begins here, and its end in ``stop``. A null move may be written as zeros."""
    if reader.text[place] == ord("0"):
        return False
    while place < reader.end and is_digit(reader.text[place]):
        place += 1
    stop[0] = place
    return place < reader.end and not is_symbol(reader.text[place])


def begins_with_any(
    const int32_t[::1] ends not None, const uint8_t[::1] letters not None, const uint8_t[::1] beginnings not None
) -> bool:
    """Return whether one of many words has one of a few prefixes.

    Args:
        ends: the begins and ends of words, one more than there are words.
        letters: of all words.
        beginnings: three letters each.
    """
    cdef Py_ssize_t size = letters.shape[0]
    cdef Py_ssize_t count = beginnings.shape[0] // 3
    cdef bint found = False
    cdef Py_ssize_t index
    cdef Py_ssize_t begin
    cdef Py_ssize_t number
    with nogil:
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
