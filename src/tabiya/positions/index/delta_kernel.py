"""Columns of position rows as Parquet's DELTA_BINARY_PACKED and back, straight from rows of two words.

Linear in the number of rows. The differences of neighbours are packed with as many bits as the largest of 32 needs,
less the least difference of 128. Only pages as written here are read: whatever does not add up is damage.
"""

import cython
from cython.cimports.libc.stdint import int16_t, int32_t, int64_t, uint8_t, uint64_t
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.tabiya.positions.index.emit_kernel import SIGN, Row

MOST_64_BITS = cython.declare(int64_t, 0x7FFFFFFFFFFFFFFF)
MOST_32_BITS = cython.declare(int64_t, 0x7FFFFFFF)
DAMAGED = cython.declare(cython.Py_ssize_t, -1)


# --- encoding --------------------------------------------------------------------------------------------------------


def take_values(rows, count, column, values):
    """Copy the values of a column of up to 128 rows."""
    if column == KEY:
        for place in range(count):
            values[place] = cython.cast(int64_t, rows[place].order ^ SIGN)
    elif column == GAME:
        for place in range(count):
            values[place] = cython.cast(int64_t, rows[place].load >> 32)
    elif column == PLY:
        for place in range(count):
            values[place] = cython.cast(int16_t, rows[place].load >> 16)
    elif column == MOVE:
        for place in range(count):
            values[place] = cython.cast(int16_t, rows[place].load)
    else:
        for place in range(count):
            values[place] = cython.cast(int32_t, rows[place].load)


def width_of(number):
    """Return how many bits a number needs."""
    width: cython.int = 0
    step: cython.int = 32
    while step:
        if number >> step:
            number >>= step
            width += step
        step >>= 1
    return width + cython.cast(cython.int, number)


def put_number(out, number):
    while number >= 128:
        out[0] = cython.cast(uint8_t, number | 128)
        out += 1
        number >>= 7
    out[0] = cython.cast(uint8_t, number)
    return out + 1


def put_signed(out, number):
    return put_number(out, cython.cast(uint64_t, number) << 1 ^ cython.cast(uint64_t, number >> 63))


def pack_part(differences, width, out):
    """Write 32 numbers with so many bits each, and up to eight bytes of rubbish behind them."""
    word: uint64_t = 0
    filled: cython.int = 0
    for place in range(PART):
        word |= differences[place] << filled
        filled += width
        if filled >= 64:
            memcpy(out, cython.address(word), 8)
            out += 8
            filled -= 64
            word = differences[place] >> (width - filled) if filled else 0
    memcpy(out, cython.address(word), 8)
    return out + (filled >> 3)


def encode_block(values, count, out):
    """Encode up to 128 values; ``values[-1]`` is the one before them."""
    differences: uint64_t[BLOCK]
    every: uint64_t
    widths: cython.pointer[uint8_t]
    low: int64_t = MOST_64_BITS
    for place in range(count):
        differences[place] = cython.cast(uint64_t, values[place]) - cython.cast(uint64_t, values[place - 1])
        low = min(low, cython.cast(int64_t, differences[place]))
    for place in range(count):
        differences[place] -= cython.cast(uint64_t, low)
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
            out = pack_part(cython.address(differences[part * PART]), widths[part], out)
    return out


def most_encoded(rows):
    """Return how many bytes a column of so many rows can take, with some that are written beyond its end."""
    return MOST_HEAD + (rows // BLOCK + 1) * MOST_BLOCK + SPARE


def encode_values(rows, count, column, out):
    """Write the content of a page and return its end."""
    values: int64_t[ONE_BEFORE_BLOCK]
    done: cython.Py_ssize_t = 1
    some: cython.Py_ssize_t
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


def get_number(page, number):
    """Read a number of up to 64 bits; False if there is none."""
    shift: cython.int = 0
    seven: uint8_t
    number[0] = 0
    while page.at < page.end and shift < 64:
        seven = page.at[0]
        page.at += 1
        number[0] |= cython.cast(uint64_t, seven & 127) << shift
        if seven < 128:
            return True
        shift += 7
    return False


def open_page(page, data, size, count):
    """Read the head of a page with so many values."""
    number: uint64_t = 0
    page.at = data
    page.end = data + size
    page.left = count
    page.part = PARTS
    page.begun = False
    if not get_number(page, cython.address(number)) or number != BLOCK:
        return False
    if not get_number(page, cython.address(number)) or number != PARTS:
        return False
    if not get_number(page, cython.address(number)) or number != cython.cast(uint64_t, count):
        return False
    if not get_number(page, cython.address(number)):
        return False
    page.last = cython.cast(int64_t, number >> 1 ^ (0 - (number & 1)))
    return True


def unpack_part(data, width, low, last, values):
    """Add up 32 differences; reads up to nine bytes beyond them."""
    begin: cython.int = 0
    word: uint64_t = 0
    ones: uint64_t = cython.cast(uint64_t, -1) >> (64 - width) if width else 0
    if width == 0:
        for place in range(PART):
            last += low
            values[place] = cython.cast(int64_t, last)
    elif width <= 56:  # in eight bytes wherever it begins
        for place in range(PART):
            memcpy(cython.address(word), data + (begin >> 3), 8)
            last += low + (word >> (begin & 7) & ones)
            values[place] = cython.cast(int64_t, last)
            begin += width
    else:
        for place in range(PART):
            memcpy(cython.address(word), data + (begin >> 3), 8)
            word >>= begin & 7
            if begin & 7:
                word |= cython.cast(uint64_t, data[(begin >> 3) + 8]) << (64 - (begin & 7))
            last += low + (word & ones)
            values[place] = cython.cast(int64_t, last)
            begin += width


def next_values(page, values):
    """Decode the next values, up to 32; return how many, 0 behind the last one, or DAMAGED."""
    safe: uint8_t[LONGEST_PART]
    number: uint64_t = 0
    count: cython.Py_ssize_t = min(page.left, PART)
    size: cython.int
    if count == 0:
        return 0
    if not page.begun:
        page.begun = True
        page.left -= 1
        values[0] = page.last
        return 1
    if page.part == PARTS:
        if not get_number(page, cython.address(number)) or page.end - page.at < PARTS:
            return DAMAGED
        page.low = cython.cast(int64_t, number >> 1 ^ (0 - (number & 1)))
        memcpy(page.widths, page.at, PARTS)
        page.at += PARTS
        page.part = 0
    size = page.widths[page.part] * PART // 8
    if page.widths[page.part] > 64 or page.end - page.at < size:
        return DAMAGED
    if page.end - page.at >= size + SPARE:
        unpack_part(page.at, page.widths[page.part], page.low, page.last, values)
    else:
        memset(safe, 0, cython.sizeof(safe))
        memcpy(safe, page.at, size)
        unpack_part(safe, page.widths[page.part], page.low, page.last, values)
    page.at += size
    page.part += 1
    page.left -= count
    page.last = values[count - 1]
    return count


def in_range(values, count, column):
    """Return whether these can be values of a column: not negative but for a move, which may be -1."""
    bits: cython.int = 15 if column == PLY or column == MOVE else 31
    more: uint64_t = column == MOVE
    every: uint64_t = 0
    for place in range(count):
        every |= cython.cast(uint64_t, values[place]) + more
    return column == KEY or every >> bits == 0


def put_values(values, count, column, out):
    """Write values as numbers of the size that their column has."""
    halves: cython.pointer[int16_t] = cython.cast("int16_t*", out)
    words: cython.pointer[int32_t] = cython.cast("int32_t*", out)
    if column == PLY or column == MOVE:
        for place in range(count):
            halves[place] = cython.cast(int16_t, values[place])
    else:
        for place in range(count):
            words[place] = cython.cast(int32_t, values[place])


def add_to_rows(values, count, column, rows):
    shift: cython.int = 32 if column == GAME else 16 if column == PLY else 0
    ones: uint64_t = 0xFFFF if column == PLY or column == MOVE else cython.cast(uint64_t, MOST_32_BITS)
    if column == KEY:
        for place in range(count):
            rows[place].order = cython.cast(uint64_t, values[place]) ^ SIGN
            rows[place].load = 0
    else:
        for place in range(count):
            rows[place].load |= (cython.cast(uint64_t, values[place]) & ones) << shift


def find_key(page: cython.const[uint8_t][::1], count: cython.Py_ssize_t, key: int64_t) -> tuple[int, int]:
    """Return from where to where the keys of a page are this one; (-1, -1) if the page is damaged up to there.

    Keys are looked at up to the first one that is greater.
    """
    begin: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t = 0
    some: cython.Py_ssize_t = DAMAGED
    values: int64_t[PART]
    state: Page
    before: int64_t
    fine: cython.bint = True
    if page.shape[0] == 0:
        return -1, -1
    with cython.nogil:
        if open_page(cython.address(state), cython.address(page[0]), page.shape[0], count):
            before = state.last
            some = next_values(cython.address(state), values)
            while some > 0:
                for place in range(some):
                    fine &= before <= values[place]
                    before = values[place]
                    begin += before < key
                    end += before <= key
                if before > key:
                    break
                some = next_values(cython.address(state), values)
    if not fine or some < 0:
        return -1, -1
    return begin, end


def read_column(
    page: cython.const[uint8_t][::1],
    count: cython.Py_ssize_t,
    column: cython.int,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: uint8_t[::1],
) -> bool:
    """Decode some values of a column, from ``begin`` to ``end`` of ``count``; return whether the page is sound so far.

    ``column`` is one as for ``encode_groups``, but not the key; ``out`` takes numbers of 16 or 32 bits, as it has them.

    Raises:
        ValueError: there is no such column or no such values, or too little room for them.
    """
    size: cython.Py_ssize_t = 2 if column == PLY or column == MOVE else 4
    done: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    some: cython.Py_ssize_t = DAMAGED
    values: int64_t[PART]
    state: Page
    fine: cython.bint = True
    if not GAME <= column < COLUMNS or not 0 <= begin < end <= count or out.shape[0] < (end - begin) * size:
        raise ValueError("there is no such column, or too little room for it")
    if page.shape[0] == 0:
        return False
    with cython.nogil:
        if open_page(cython.address(state), cython.address(page[0]), page.shape[0], count):
            some = next_values(cython.address(state), values)
        while some > 0 and done < end:
            first = max(begin - done, 0)
            last = min(end - done, some)
            if first < last:
                fine &= in_range(values + first, last - first, column)
                put_values(values + first, last - first, column, cython.address(out[(done + first - begin) * size]))
            done += some
            if done < end:
                some = next_values(cython.address(state), values)
    return fine and some > 0


def read_rows(page: cython.const[uint8_t][::1], column: cython.int, words: uint64_t[:, ::1]) -> bool:
    """Decode a whole column into rows of two words, the key first; return whether the page is sound.

    Raises:
        ValueError: there is no such column, or these are no rows.
    """
    done: cython.Py_ssize_t = 0
    some: cython.Py_ssize_t = DAMAGED
    values: int64_t[PART]
    state: Page
    rows: cython.pointer[Row]
    before: int64_t
    fine: cython.bint = True
    if words.shape[1] != 2 or words.shape[0] < 1 or not KEY <= column < COLUMNS:
        raise ValueError("there are no rows of two words, or no such column")
    if page.shape[0] == 0:
        return False
    rows = cython.cast("Row*", cython.address(words[0, 0]))
    with cython.nogil:
        if open_page(cython.address(state), cython.address(page[0]), page.shape[0], words.shape[0]):
            before = state.last
            some = next_values(cython.address(state), values)
            while some > 0:
                fine &= in_range(values, some, column)
                if column == KEY:
                    for place in range(some):
                        fine &= before <= values[place]
                        before = values[place]
                add_to_rows(values, some, column, rows + done)
                done += some
                some = next_values(cython.address(state), values)
    return fine and some == 0
