"""Extracts the main lines from tapes, visiting every token once."""

from libc.stdint cimport int32_t, int64_t, uint16_t

from tabiya.game.main_line cimport main_line, next_move


cdef Py_ssize_t put_main_line(const uint16_t* tape, Py_ssize_t length, uint16_t* out) noexcept nogil:
    """Copy the moves outside of variations and return their number."""
    cdef Py_ssize_t count = 0
    line = main_line(tape, length)
    move = next_move(&line)
    while move >= 0:
        out[count] = move
        count += 1
        move = next_move(&line)
    return count


def main_lines(
    const uint16_t[::1] moves not None, const int32_t[::1] ends not None, uint16_t[::1] out not None,
    int64_t[::1] out_ends not None
) -> int:
    """Write the main lines of all tapes one after the other and return their number of moves.

    Args:
        moves: the tapes, as the column of a batch holds them.
        ends: the end of each tape in ``moves``, preceded by the start of the first.
        out: receives the moves; as large as the tapes.
        out_ends: receives the end of each main line, after a 0; as long as ``ends``.

    Raises:
        ValueError: the buffers do not match.
    """
    cdef Py_ssize_t records = ends.shape[0] - 1
    cdef Py_ssize_t count = 0
    if records < 0 or out_ends.shape[0] != ends.shape[0] or ends[0] < 0 or ends[records] > moves.shape[0]:
        raise ValueError("the buffers do not fit each other")
    for record in range(records):
        if ends[record] > ends[record + 1]:
            raise ValueError("the ends of tapes must not descend")
    if out.shape[0] < ends[records] - ends[0]:
        raise ValueError("there is too little room for the main lines")
    with nogil:
        out_ends[0] = 0
        for record in range(records):
            if ends[record] < ends[record + 1]:
                count += put_main_line(&moves[ends[record]], ends[record + 1] - ends[record], &out[0] + count)
            out_ends[record + 1] = count
    return count
