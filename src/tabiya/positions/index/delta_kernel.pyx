"""Columns of position rows as Parquet's DELTA_BINARY_PACKED and back, directly from rows of two words.

Linear in the number of rows. The differences of neighbours are packed with the bits needed by the largest of 32, after
subtracting the least difference of 128. Only pages written by this module are read: anything else is damage.
"""

from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.string cimport memcpy, memset

from tabiya.positions.index.emit_kernel cimport SIGN

# Parquet leaves these to the writer; all other known writers have chosen the same values.
cdef enum:
    BLOCK = 128          # values with a common least difference
    PART = 32            # values with the same number of bits
    PARTS = 4            # of a block
    MOST_BLOCK = 10 + 4 + 128 * 8
    MOST_HEAD = 2 + 1 + 10 + 10
    SPARE = 16           # bytes that may be read or written after a part
    LONGEST_PART = 256 + 16
    ONE_BEFORE_BLOCK = 129

# The state of decoding.
ctypedef struct Page:
    const uint8_t* at
    const uint8_t* end
    Py_ssize_t remaining  # values
    int64_t last         # value
    int64_t low          # least difference of the block
    uint8_t widths[4]
    int part             # the next part of the block
    bint begun


cdef int64_t MOST_64_BITS = 0x7FFFFFFFFFFFFFFF
cdef int64_t MOST_32_BITS = 0x7FFFFFFF
cdef Py_ssize_t DAMAGED = -1


# --- encoding --------------------------------------------------------------------------------------------------------


cdef void take_values(const Row* rows, Py_ssize_t count, int column, int64_t* values) noexcept nogil:
    """Copy the values of a column of up to 128 rows."""
    if column == KEY:
        for place in range(count):
            values[place] = <int64_t> (rows[place].order ^ SIGN)
    elif column == GAME:
        for place in range(count):
            values[place] = <int64_t> (rows[place].load >> 32)
    elif column == PLY:
        for place in range(count):
            values[place] = <int16_t> (rows[place].load >> 16)
    elif column == MOVE:
        for place in range(count):
            values[place] = <int16_t> rows[place].load
    else:
        for place in range(count):
            values[place] = <int32_t> rows[place].load


cdef int width_of(uint64_t number) noexcept nogil:
    """Return the number of bits of a number."""
    cdef int width = 0
    cdef int step = 32
    while step:
        if number >> step:
            number >>= step
            width += step
        step >>= 1
    return width + <int> number


cdef uint8_t* put_number(uint8_t* out, uint64_t number) noexcept nogil:
    while number >= 128:
        out[0] = <uint8_t> (number | 128)
        out += 1
        number >>= 7
    out[0] = <uint8_t> number
    return out + 1


cdef uint8_t* put_signed(uint8_t* out, int64_t number) noexcept nogil:
    return put_number(out, <uint64_t> number << 1 ^ <uint64_t> (number >> 63))


cdef uint8_t* pack_part(const uint64_t* differences, int width, uint8_t* out) noexcept nogil:
    """Write 32 numbers of this many bits, and up to eight undefined bytes after them."""
    cdef uint64_t word = 0
    cdef int filled = 0
    for place in range(PART):
        word |= differences[place] << filled
        filled += width
        if filled >= 64:
            memcpy(out, &word, 8)
            out += 8
            filled -= 64
            word = differences[place] >> (width - filled) if filled else 0
    memcpy(out, &word, 8)
    return out + (filled >> 3)


cdef uint8_t* encode_block(const int64_t* values, Py_ssize_t count, uint8_t* out) noexcept nogil:
    """Encode up to 128 values; ``values[-1]`` is the previous one."""
    cdef uint64_t differences[BLOCK]
    cdef uint64_t every
    cdef uint8_t* widths
    cdef int64_t low = MOST_64_BITS
    for place in range(count):
        differences[place] = <uint64_t> values[place] - <uint64_t> values[place - 1]
        low = min(low, <int64_t> differences[place])
    for place in range(count):
        differences[place] -= <uint64_t> low
    for place in range(count, BLOCK):
        differences[place] = 0
    out = put_signed(out, low)
    widths = out
    memset(widths, 0, PARTS)
    out += PARTS
    for part in range(PARTS):
        if part * PART >= count:
            break
        every = 0
        for place in range(part * PART, part * PART + PART):
            every |= differences[place]
        widths[part] = width_of(every)
        if every:
            out = pack_part(&differences[part * PART], widths[part], out)
    return out


cdef Py_ssize_t most_encoded(Py_ssize_t rows) noexcept nogil:
    """Return the maximum size of a column with this many rows in bytes, including undefined bytes at its end."""
    return MOST_HEAD + (rows // BLOCK + 1) * MOST_BLOCK + SPARE


cdef uint8_t* encode_values(const Row* rows, Py_ssize_t count, int column, uint8_t* out) noexcept nogil:
    """Write the content of a page and return its end."""
    cdef int64_t values[ONE_BEFORE_BLOCK]
    cdef Py_ssize_t done = 1
    cdef Py_ssize_t some
    take_values(rows, 1, column, values)
    out = put_number(out, BLOCK)
    out = put_number(out, PARTS)
    out = put_number(out, count)
    out = put_signed(out, values[0])
    while done < count:
        some = min(count - done, BLOCK)
        take_values(rows + done, some, column, values + 1)
        out = encode_block(values + 1, some, out)
        values[0] = values[some]
        done += some
    return out


# --- decoding --------------------------------------------------------------------------------------------------------


cdef bint get_number(Page* page, uint64_t* number) noexcept nogil:
    """Read a number of up to 64 bits; False if there is none."""
    cdef int shift = 0
    cdef uint8_t seven
    number[0] = 0
    while page.at < page.end and shift < 64:
        seven = page.at[0]
        page.at += 1
        number[0] |= <uint64_t> (seven & 127) << shift
        if seven < 128:
            return True
        shift += 7
    return False


cdef bint open_page(Page* page, const uint8_t* data, Py_ssize_t size, Py_ssize_t count) noexcept nogil:
    """Read the head of a page with this many values."""
    cdef uint64_t number = 0
    page.at = data
    page.end = data + size
    page.remaining = count
    page.part = PARTS
    page.begun = False
    if not get_number(page, &number) or number != BLOCK:
        return False
    if not get_number(page, &number) or number != PARTS:
        return False
    if not get_number(page, &number) or number != <uint64_t> count:
        return False
    if not get_number(page, &number):
        return False
    page.last = <int64_t> (number >> 1 ^ (0 - (number & 1)))
    return True


cdef void unpack_part(const uint8_t* data, int width, uint64_t low, uint64_t last, int64_t* values) noexcept nogil:
    """Add up 32 differences; reads up to nine bytes after them."""
    cdef int begin = 0
    cdef uint64_t word = 0
    cdef uint64_t ones = <uint64_t> (-1) >> (64 - width) if width else 0
    if width == 0:
        for place in range(PART):
            last += low
            values[place] = <int64_t> last
    elif width <= 56:  # in eight bytes at any bit offset
        for place in range(PART):
            memcpy(&word, data + (begin >> 3), 8)
            last += low + (word >> (begin & 7) & ones)
            values[place] = <int64_t> last
            begin += width
    else:
        for place in range(PART):
            memcpy(&word, data + (begin >> 3), 8)
            word >>= begin & 7
            if begin & 7:
                word |= <uint64_t> data[(begin >> 3) + 8] << (64 - (begin & 7))
            last += low + (word & ones)
            values[place] = <int64_t> last
            begin += width


cdef Py_ssize_t next_values(Page* page, int64_t* values) noexcept nogil:
    """Decode the next values, up to 32; return their number, 0 at the end, or DAMAGED."""
    cdef uint8_t safe[LONGEST_PART]
    cdef uint64_t number = 0
    cdef Py_ssize_t count = min(page.remaining, PART)
    cdef int size
    if count == 0:
        return 0
    if not page.begun:
        page.begun = True
        page.remaining -= 1
        values[0] = page.last
        return 1
    if page.part == PARTS:
        if not get_number(page, &number) or page.end - page.at < PARTS:
            return DAMAGED
        page.low = <int64_t> (number >> 1 ^ (0 - (number & 1)))
        memcpy(page.widths, page.at, PARTS)
        page.at += PARTS
        page.part = 0
    size = page.widths[page.part] * PART // 8
    if page.widths[page.part] > 64 or page.end - page.at < size:
        return DAMAGED
    if page.end - page.at >= size + SPARE:
        unpack_part(page.at, page.widths[page.part], page.low, page.last, values)
    else:
        memset(safe, 0, sizeof(safe))
        memcpy(safe, page.at, size)
        unpack_part(safe, page.widths[page.part], page.low, page.last, values)
    page.at += size
    page.part += 1
    page.remaining -= count
    page.last = values[count - 1]
    return count


cdef bint in_range(const int64_t* values, Py_ssize_t count, int column) noexcept nogil:
    """Return whether these can be values of a column: not negative, except a move, which may be -1."""
    cdef int bits = 15 if column == PLY or column == MOVE else 31
    cdef uint64_t more = column == MOVE
    cdef uint64_t every = 0
    for place in range(count):
        every |= <uint64_t> values[place] + more
    return column == KEY or every >> bits == 0


cdef void put_values(const int64_t* values, Py_ssize_t count, int column, uint8_t* out) noexcept nogil:
    """Write values as numbers of the size of their column."""
    cdef int16_t* halves = <int16_t*> out
    cdef int32_t* words = <int32_t*> out
    if column == PLY or column == MOVE:
        for place in range(count):
            halves[place] = <int16_t> values[place]
    else:
        for place in range(count):
            words[place] = <int32_t> values[place]


cdef void add_to_rows(const int64_t* values, Py_ssize_t count, int column, Row* rows) noexcept nogil:
    cdef int shift = 32 if column == GAME else 16 if column == PLY else 0
    cdef uint64_t ones = 0xFFFF if column == PLY or column == MOVE else <uint64_t> MOST_32_BITS
    if column == KEY:
        for place in range(count):
            rows[place].order = <uint64_t> values[place] ^ SIGN
            rows[place].load = 0
    else:
        for place in range(count):
            rows[place].load |= (<uint64_t> values[place] & ones) << shift


def find_key(const uint8_t[::1] page not None, Py_ssize_t count, int64_t key) -> tuple[int, int]:
    """Return the range of rows of a page with this key; (-1, -1) if the part read is damaged.

    Keys are read up to the first greater one.
    """
    cdef Py_ssize_t begin = 0
    cdef Py_ssize_t end = 0
    cdef Py_ssize_t some = DAMAGED
    cdef int64_t values[PART]
    cdef Page state
    cdef int64_t before
    cdef bint fine = True
    if page.shape[0] == 0:
        return -1, -1
    with nogil:
        if open_page(&state, &page[0], page.shape[0], count):
            before = state.last
            some = next_values(&state, values)
            while some > 0:
                for place in range(some):
                    fine &= before <= values[place]
                    before = values[place]
                    begin += before < key
                    end += before <= key
                if before > key:
                    break
                some = next_values(&state, values)
    if not fine or some < 0:
        return -1, -1
    return begin, end


def read_column(
    const uint8_t[::1] page not None, Py_ssize_t count, int column, Py_ssize_t begin, Py_ssize_t end,
    uint8_t[::1] out not None
) -> bool:
    """Decode some values of a column, ``begin`` to ``end`` of ``count``; return whether the page is sound so far.

    ``column`` is a number of ``encode_groups`` other than the key; ``out`` takes its numbers, of 16 or 32 bits.

    Raises:
        ValueError: there is no such column or no such values, or ``out`` is too small.
    """
    cdef Py_ssize_t size = 2 if column == PLY or column == MOVE else 4
    cdef Py_ssize_t done = 0
    cdef Py_ssize_t first
    cdef Py_ssize_t last
    cdef Py_ssize_t some = DAMAGED
    cdef int64_t values[PART]
    cdef Page state
    cdef bint fine = True
    if not GAME <= column < COLUMNS or not 0 <= begin < end <= count or out.shape[0] < (end - begin) * size:
        raise ValueError("there is no such column, or too little room for it")
    if page.shape[0] == 0:
        return False
    with nogil:
        if open_page(&state, &page[0], page.shape[0], count):
            some = next_values(&state, values)
        while some > 0 and done < end:
            first = max(begin - done, 0)
            last = min(end - done, some)
            if first < last:
                fine &= in_range(values + first, last - first, column)
                put_values(values + first, last - first, column, &out[(done + first - begin) * size])
            done += some
            if done < end:
                some = next_values(&state, values)
    return fine and some > 0


def read_rows(const uint8_t[::1] page not None, int column, uint64_t[:, ::1] words not None) -> bool:
    """Decode a whole column into rows of two words, the key first; return whether the page is sound.

    Raises:
        ValueError: there is no such column, or the words are not rows.
    """
    cdef Py_ssize_t done = 0
    cdef Py_ssize_t some = DAMAGED
    cdef int64_t values[PART]
    cdef Page state
    cdef Row* rows
    cdef int64_t before
    cdef bint fine = True
    if words.shape[1] != 2 or words.shape[0] < 1 or not KEY <= column < COLUMNS:
        raise ValueError("there are no rows of two words, or no such column")
    if page.shape[0] == 0:
        return False
    rows = <Row*> &words[0, 0]
    with nogil:
        if open_page(&state, &page[0], page.shape[0], words.shape[0]):
            before = state.last
            some = next_values(&state, values)
            while some > 0:
                fine &= in_range(values, some, column)
                if column == KEY:
                    for place in range(some):
                        fine &= before <= values[place]
                        before = values[place]
                add_to_rows(values, some, column, rows + done)
                done += some
                some = next_values(&state, values)
    return fine and some == 0
