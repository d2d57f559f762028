"""NAGs in movetext: ``$14``, ``!?``. Reads at the reader's position, collects them for the move they belong to."""

from tabiya.chess.letters cimport EXCLAMATION, QUESTION, is_digit
from tabiya.chess.san cimport SAN_SYNTAX
from tabiya.formats.pgn.lines_kernel cimport fail_line
from tabiya.game.sink cimport add_nag


cdef void read_nag(Reader* reader) noexcept nogil:
    cdef Py_ssize_t begin = reader.place
    cdef Py_ssize_t place = begin + 1
    cdef int number = 0
    while place < reader.end and is_digit(reader.text[place]) and number <= 65535:
        number = 10 * number + reader.text[place] - ord("0")
        place += 1
    if place == begin + 1 or number > 65535:
        fail_line(reader, begin, place, SAN_SYNTAX)
        return
    add_nag(&reader.sink, number)
    reader.place = place


cdef void read_signs(Reader* reader) noexcept nogil:
    """Read ``!``, ``?`` and pairs of them."""
    text = reader.text
    cdef Py_ssize_t place = reader.place
    cdef int nag
    while place < reader.end and (text[place] == EXCLAMATION or text[place] == QUESTION):
        nag = 1 if text[place] == EXCLAMATION else 2
        if place + 1 < reader.end and (text[place + 1] == EXCLAMATION or text[place + 1] == QUESTION):
            if text[place + 1] == text[place]:
                nag += 2  # !! is 3, ?? is 4
            else:
                nag += 4  # !? is 5, ?! is 6
            place += 1
        place += 1
        add_nag(&reader.sink, nag)
    reader.place = place
