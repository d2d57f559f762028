"""Groups of rows as they stand in a Parquet file: the pages of all columns, each behind its head. Linear in the rows.

A head is a struct in Thrift's compact protocol, as apache/parquet-format defines it (``parquet.thrift``): numbers are
zigzag, seven bits a byte, behind a byte that tells how much higher the field's number is than the last, and its kind.
"""

import cython
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t, uint32_t, uint64_t
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memcpy
from cython.cimports.tabiya.positions.index.delta_kernel import COLUMNS, encode_values, most_encoded, put_signed
from cython.cimports.tabiya.positions.index.emit_kernel import Row
from cython.cimports.tabiya.positions.index.pack_kernel import SLOTS, checksum, most_packed, pack

NEXT_I32 = cython.declare(uint8_t, 1 << 4 | 5)
NEXT_STRUCT = cython.declare(uint8_t, 1 << 4 | 12)
STRUCT_WITHOUT_CHECKSUM = cython.declare(uint8_t, 2 << 4 | 12)
DATA_PAGE = cython.declare(int64_t, 0)
DELTA_BINARY_PACKED = cython.declare(int64_t, 5)
RLE = cython.declare(int64_t, 3)  # of levels, which there are none of


def put_field(out, value):
    out[0] = NEXT_I32
    return put_signed(out + 1, value)


def put_head(out, rows, sizes, crc32):
    """Write what stands before the content of a page; ``crc32`` is NULL if there is none."""
    out = put_field(out, DATA_PAGE)
    out = put_field(out, sizes.plain)
    out = put_field(out, sizes.stored)
    if crc32 != cython.NULL:
        out = put_field(out, cython.cast(int32_t, crc32[0]))
    out[0] = NEXT_STRUCT if crc32 != cython.NULL else STRUCT_WITHOUT_CHECKSUM
    out = put_field(out + 1, rows)
    out = put_field(out, DELTA_BINARY_PACKED)
    out = put_field(out, RLE)
    out = put_field(out, RLE)
    out[0] = out[1] = 0
    return out + 2


def most_stored(rows):
    """Return how many bytes a page of so many rows can take, its head included."""
    return MOST_PAGE_HEAD + most_packed(most_encoded(rows))


def put_page(out, rows, count, column, is_packed, room, sizes):
    """Write a page and note its sizes."""
    content: cython.pointer[uint8_t] = room.plain
    begin: cython.pointer[uint8_t] = out
    crc32: int64_t
    sizes.plain = sizes.stored = encode_values(rows, count, column, room.plain) - room.plain
    if is_packed:
        content = room.packed
        sizes.stored = pack(room.plain, sizes.plain, room.packed, room.table)
    crc32 = checksum(content, sizes.stored)
    out = put_head(out, count, sizes, cython.address(crc32))
    sizes.head = out - begin
    memcpy(out, content, sizes.stored)
    return out + sizes.stored


def page_head(rows: int64_t, plain: int64_t, stored: int64_t, crc32: object = None) -> bytes:
    """Return what stands before the content of a page: its sizes, and the checksum of its bytes in the file."""
    head: uint8_t[MOST_PAGE_HEAD]
    sizes: Sizes
    given: int64_t = 0 if crc32 is None else crc32
    sizes.plain = plain
    sizes.stored = stored
    end = put_head(head, rows, cython.address(sizes), cython.NULL if crc32 is None else cython.address(given))
    return cython.cast(cython.p_char, head)[: end - head]


def fill(
    constants: cython.const[uint8_t][::1],
    ends: cython.const[int32_t][::1],
    is_word: cython.const[uint8_t][::1],
    numbers: cython.const[int64_t][:, ::1],
    out: uint8_t[::1],
) -> int:
    """Write a template again and again, each time with the numbers of a row in its gaps; return how many bytes that is.

    Args:
        constants: the bytes before, between and behind the gaps.
        ends: where each stretch of these ends: one more than there are gaps.
        is_word: which gaps take eight bytes, the lowest first; the others take a zigzag number, seven bits a byte.
        numbers: rows of one number for each gap.
        out: takes the bytes; with room for the constants and ten bytes for each gap, in every row.

    Raises:
        ValueError: the buffers do not fit each other.
    """
    gaps: cython.Py_ssize_t = is_word.shape[0]
    begin: int32_t = 0
    at: cython.pointer[uint8_t]
    if ends.shape[0] != gaps + 1 or numbers.shape[1] != gaps or ends[gaps] != constants.shape[0]:
        raise ValueError("the template does not fit the numbers")
    for gap in range(gaps + 1):
        if not begin <= ends[gap] <= constants.shape[0]:
            raise ValueError("the stretches of the template do not stand one behind the other")
        begin = ends[gap]
    if out.shape[0] < numbers.shape[0] * (constants.shape[0] + gaps * MOST_NUMBER):
        raise ValueError("there is too little room for what is filled in")
    if numbers.shape[0] == 0 or constants.shape[0] + gaps == 0:
        return 0
    at = cython.address(out[0])
    with cython.nogil:
        for row in range(numbers.shape[0]):
            begin = 0
            for gap in range(gaps + 1):
                if begin < ends[gap]:
                    memcpy(at, cython.address(constants[begin]), ends[gap] - begin)
                at += ends[gap] - begin
                begin = ends[gap]
                if gap < gaps and is_word[gap]:
                    memcpy(at, cython.address(numbers[row, gap]), cython.sizeof(int64_t))
                    at += cython.sizeof(int64_t)
                elif gap < gaps:
                    at = put_signed(at, numbers[row, gap])
    return at - cython.address(out[0])


def encode_groups(
    words: cython.const[uint64_t][:, ::1],
    group: cython.Py_ssize_t,
    columns: cython.const[int32_t][::1],
    packed: cython.const[uint8_t][::1],
    out: uint8_t[::1],
    sizes: int64_t[:, ::1],
) -> int:
    """Encode rows as groups, one behind the other: the pages of all columns of a group, then the next.

    It is one call, because threads that go in and out of kernels all the time wait for each other.

    Args:
        words: rows as ``sort_ranges`` leaves them, at least one.
        group: how many rows a group has; the last one may have fewer.
        columns: which columns: 0 the key, 1 the game, 2 the ply, 3 the move, 4 the number of a move on the tape.
        packed: which of them are compressed.
        out: takes the bytes; with room for nine bytes per row and column, and some more per group.
        sizes: takes three numbers for each page: bytes of its head, of its content, and of that before it was packed.

    Returns:
        How many bytes there are.

    Raises:
        ValueError: there is no such column, nothing to encode, or too little room.
    """
    count: cython.Py_ssize_t = words.shape[0]
    done: cython.Py_ssize_t = 0
    page: cython.Py_ssize_t = 0
    some: cython.Py_ssize_t
    at: cython.pointer[uint8_t]
    room: Room
    if words.shape[1] != 2 or count < 1 or group < 1 or columns.shape[0] < 1 or packed.shape[0] != columns.shape[0]:
        raise ValueError("there are no rows of two words, or no such column")
    for column in range(columns.shape[0]):
        if not 0 <= columns[column] < COLUMNS:
            raise ValueError("there are no rows of two words, or no such column")
    if sizes.shape[0] != ((count - 1) // group + 1) * columns.shape[0] or sizes.shape[1] != 3:
        raise ValueError("there is no place for the sizes of every page")
    group = min(group, count)
    if out.shape[0] < sizes.shape[0] * most_stored(group):
        raise ValueError("there is too little room for these columns")
    content: cython.Py_ssize_t = most_encoded(group)
    memory: cython.pointer[uint8_t] = cython.cast(
        cython.pointer[uint8_t], malloc(SLOTS * cython.sizeof(uint32_t) + content + most_packed(content))
    )
    if memory == cython.NULL:
        raise MemoryError("no memory for pages of the index")
    room.table = cython.cast("uint32_t*", memory)
    room.plain = memory + SLOTS * cython.sizeof(uint32_t)
    room.packed = room.plain + content
    at = cython.address(out[0])
    with cython.nogil:
        while done < count:
            some = min(count - done, group)
            for column in range(columns.shape[0]):
                at = put_page(
                    at,
                    cython.cast("const Row*", cython.address(words[done, 0])),
                    some,
                    columns[column],
                    packed[column],
                    cython.address(room),
                    cython.cast("Sizes*", cython.address(sizes[page, 0])),
                )
                page += 1
            done += some
        free(memory)
    return at - cython.address(out[0])
