"""The doors of the PGN reader: reads a chunk of text into a builder, and finds where a text may be cut into chunks."""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t, uint16_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.chess.fen_kernel import start_board
from cython.cimports.tabiya.formats.pgn.lexer import at_line_start, begins_game, is_newline, skip_breaks
from cython.cimports.tabiya.formats.pgn.movetext_kernel import read_all
from cython.cimports.tabiya.formats.pgn.reader import Reader
from cython.cimports.tabiya.game.columns_kernel import BatchBuilder


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
    letters: bytes,
    tail: cython.int,
) -> None:
    """Reads all games of a chunk that begins where a game begins.

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
        letters: names of K Q R B N P in another language, four bytes each, padded with zeros; or empty.
        tail: how the chunk ends: 0 where a game ends, 1 cut off because it is too long, 2 broken off.
    """
    reader: Reader
    if code_page.shape[0] != 128 or len(letters) not in (0, 24):
        raise ValueError("a code page has 128 characters, and piece letters 24 bytes")
    if text.shape[0] == 0:
        return
    if tail < 0 or tail > 2:
        raise ValueError("a chunk ends in one of three ways")
    memset(cython.address(reader), 0, cython.sizeof(Reader))
    reader.text = cython.address(text[0])
    reader.end = text.shape[0]
    reader.base = offset
    reader.tail = tail
    reader.columns = cython.address(builder.columns)
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
    if letters:
        reader.letters = letters
    with cython.nogil:
        start_board(cython.address(reader.standard))
        read_all(cython.address(reader))
    free_reader(cython.address(reader))


@cython.cfunc
def free_reader(reader: cython.pointer[Reader]) -> cython.void:
    free(reader.outside.data)
    free(reader.detours.data)
    free(reader.nags.data)
    free(reader.scratch.data)
    free(reader.plain.data)
    free(reader.argument.data)
    free(reader.converted.data)
    free(reader.sorted.data)


def find_cut(text: cython.const[uint8_t][::1], begin: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The first place from ``begin`` on where a game begins behind an empty line, -1 if there is none.

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
