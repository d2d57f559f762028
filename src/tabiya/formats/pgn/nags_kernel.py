"""NAGs in movetext: ``$14``, ``!?``. Reads at the reader's place, collects them for the move they belong to."""

import cython
from cython.cimports.tabiya.chess.letters import EXCLAMATION, QUESTION, is_digit
from cython.cimports.tabiya.chess.san import SAN_SYNTAX
from cython.cimports.tabiya.formats.pgn.lines_kernel import fail_line
from cython.cimports.tabiya.game.sink import add_nag


def read_nag(reader):
    begin: cython.Py_ssize_t = reader.place
    place: cython.Py_ssize_t = begin + 1
    number: cython.int = 0
    while place < reader.end and is_digit(reader.text[place]) and number <= 65535:
        number = 10 * number + reader.text[place] - ord("0")
        place += 1
    if place == begin + 1 or number > 65535:
        fail_line(reader, begin, place, SAN_SYNTAX)
        return
    add_nag(cython.address(reader.sink), number)
    reader.place = place


def read_signs(reader):
    """``!``, ``?`` and pairs of them."""
    text = reader.text
    place: cython.Py_ssize_t = reader.place
    nag: cython.int
    while place < reader.end and (text[place] == EXCLAMATION or text[place] == QUESTION):
        nag = 1 if text[place] == EXCLAMATION else 2
        if place + 1 < reader.end and (text[place + 1] == EXCLAMATION or text[place + 1] == QUESTION):
            if text[place + 1] == text[place]:
                nag += 2  # !! is 3, ?? is 4
            else:
                nag += 4  # !? is 5, ?! is 6
            place += 1
        place += 1
        add_nag(cython.address(reader.sink), nag)
    reader.place = place
