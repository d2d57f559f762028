"""Groups of rows in the form of a Parquet file: the pages of all columns, each after its head. Linear in the rows.

A head is a struct in Thrift's compact protocol, as apache/parquet-format defines it (``parquet.thrift``): numbers are
zigzag, seven bits a byte, after a byte with the kind of the field and the difference of its number to the last one.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from tabiya.positions.index.delta_kernel cimport COLUMNS, encode_values, most_encoded, put_signed
from tabiya.positions.index.emit_kernel cimport Row
from tabiya.positions.index.pack_kernel cimport SLOTS, checksum, most_packed, pack

cdef enum:
    MOST_NUMBER = 10     # bytes of 64 bits, seven a byte
    MOST_PAGE_HEAD = 64  # five numbers of at most five bytes, and the bytes around them

# Memory for a page in progress.
ctypedef struct Buffers:
    uint8_t* plain
    uint8_t* packed
    uint32_t* table

# The reported sizes of a page.
ctypedef struct Sizes:
    int64_t head
    int64_t stored
    int64_t plain


cdef uint8_t NEXT_I32 = 1 << 4 | 5
cdef uint8_t NEXT_STRUCT = 1 << 4 | 12
cdef uint8_t STRUCT_WITHOUT_CHECKSUM = 2 << 4 | 12
cdef int64_t DATA_PAGE = 0
cdef int64_t DELTA_BINARY_PACKED = 5
cdef int64_t RLE = 3  # of levels, which do not occur


cdef uint8_t* put_field(uint8_t* out, int64_t value) noexcept nogil:
    out[0] = NEXT_I32
    return put_signed(out + 1, value)


cdef uint8_t* put_head(uint8_t* out, Py_ssize_t rows, const Sizes* sizes, const int64_t* crc32) noexcept nogil:
    """Write the head of a page; ``crc32`` is NULL if there is none."""
    out = put_field(out, DATA_PAGE)
    out = put_field(out, sizes.plain)
    out = put_field(out, sizes.stored)
    if crc32 != NULL:
        out = put_field(out, <int32_t> crc32[0])
    out[0] = NEXT_STRUCT if crc32 != NULL else STRUCT_WITHOUT_CHECKSUM
    out = put_field(out + 1, rows)
    out = put_field(out, DELTA_BINARY_PACKED)
    out = put_field(out, RLE)
    out = put_field(out, RLE)
    out[0] = out[1] = 0
    return out + 2


cdef Py_ssize_t most_stored(Py_ssize_t rows) noexcept nogil:
    """Return the maximum size of a page with this many rows in bytes, including its head."""
    return MOST_PAGE_HEAD + most_packed(most_encoded(rows))


cdef uint8_t* put_page(
    uint8_t* out, const Row* rows, Py_ssize_t count, int column, bint is_packed, const Buffers* buffers, Sizes* sizes
) noexcept nogil:
    """Write a page and store its sizes."""
    cdef uint8_t* content = buffers.plain
    cdef uint8_t* begin = out
    cdef int64_t crc32
    sizes.plain = sizes.stored = encode_values(rows, count, column, buffers.plain) - buffers.plain
    if is_packed:
        content = buffers.packed
        sizes.stored = pack(buffers.plain, sizes.plain, buffers.packed, buffers.table)
    crc32 = checksum(content, sizes.stored)
    out = put_head(out, count, sizes, &crc32)
    sizes.head = out - begin
    memcpy(out, content, sizes.stored)
    return out + sizes.stored


def page_head(int64_t rows, int64_t plain, int64_t stored, crc32=None) -> bytes:
    """Return the head of a page, with its sizes and the checksum of its bytes in the file."""
    cdef uint8_t head[MOST_PAGE_HEAD]
    cdef Sizes sizes
    cdef int64_t given = 0 if crc32 is None else crc32
    sizes.plain = plain
    sizes.stored = stored
    end = put_head(head, rows, &sizes, NULL if crc32 is None else &given)
    return (<char*> head)[: end - head]


def fill(
    const uint8_t[::1] constants not None, const int32_t[::1] ends not None, const uint8_t[::1] is_word not None,
    const int64_t[:, ::1] numbers not None, uint8_t[::1] out not None
) -> int:
    """Write a template once per row, with the numbers of the row in its gaps; return the number of bytes.

    Args:
        constants: the bytes before, between and after the gaps.
        ends: the end of each stretch of constants: one more than there are gaps.
        is_word: which gaps take eight bytes, the lowest first; the other gaps take a zigzag number, seven bits a byte.
        numbers: rows of one number for each gap.
        out: receives the bytes; with space for the constants and ten bytes for each gap, in every row.

    Raises:
        ValueError: the buffers do not match.
    """
    cdef Py_ssize_t gaps = is_word.shape[0]
    cdef int32_t begin = 0
    cdef uint8_t* at
    if ends.shape[0] != gaps + 1 or numbers.shape[1] != gaps or ends[gaps] != constants.shape[0]:
        raise ValueError("the template does not fit the numbers")
    for gap in range(gaps + 1):
        if not begin <= ends[gap] <= constants.shape[0]:
            raise ValueError("the stretches of the template are not consecutive")
        begin = ends[gap]
    if out.shape[0] < numbers.shape[0] * (constants.shape[0] + gaps * MOST_NUMBER):
        raise ValueError("there is too little room for what is filled in")
    if numbers.shape[0] == 0 or constants.shape[0] + gaps == 0:
        return 0
    at = &out[0]
    with nogil:
        for row in range(numbers.shape[0]):
            begin = 0
            for gap in range(gaps + 1):
                if begin < ends[gap]:
                    memcpy(at, &constants[begin], ends[gap] - begin)
                at += ends[gap] - begin
                begin = ends[gap]
                if gap < gaps and is_word[gap]:
                    memcpy(at, &numbers[row, gap], sizeof(int64_t))
                    at += sizeof(int64_t)
                elif gap < gaps:
                    at = put_signed(at, numbers[row, gap])
    return at - &out[0]


def encode_groups(
    const uint64_t[:, ::1] words not None, Py_ssize_t group, const int32_t[::1] columns not None,
    const uint8_t[::1] packed not None, uint8_t[::1] out not None, int64_t[:, ::1] sizes not None
) -> int:
    """Encode rows as consecutive groups, each with the pages of all its columns.

    It is one call, because threads that enter and leave kernels often wait for each other.

    Args:
        words: rows in the order of ``sort_ranges``, at least one.
        group: the number of rows per group; the last may have fewer.
        columns: which columns: 0 the key, 1 the game, 2 the ply, 3 the move, 4 the number of a move on the tape.
        packed: which of them are compressed.
        out: receives the bytes; with space for nine bytes per row and column, and some more per group.
        sizes: receives three numbers per page: bytes of its head, of its content, and of that before it was packed.

    Returns:
        The number of bytes.

    Raises:
        ValueError: there is no such column, nothing to encode, or too little space.
    """
    cdef Py_ssize_t count = words.shape[0]
    cdef Py_ssize_t done = 0
    cdef Py_ssize_t page = 0
    cdef Py_ssize_t some
    cdef uint8_t* at
    cdef Buffers buffers
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
    cdef Py_ssize_t content = most_encoded(group)
    cdef uint8_t* memory = <uint8_t*> malloc(SLOTS * sizeof(uint32_t) + content + most_packed(content))
    if memory == NULL:
        raise MemoryError("no memory for pages of the index")
    buffers.table = <uint32_t*> memory
    buffers.plain = memory + SLOTS * sizeof(uint32_t)
    buffers.packed = buffers.plain + content
    at = &out[0]
    with nogil:
        while done < count:
            some = min(count - done, group)
            for column in range(columns.shape[0]):
                at = put_page(
                    at,
                    <const Row*> &words[done, 0],
                    some,
                    columns[column],
                    packed[column],
                    &buffers,
                    <Sizes*> &sizes[page, 0],
                )
                page += 1
            done += some
        free(memory)
    return at - &out[0]
