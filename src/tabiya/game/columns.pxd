# Growing columns, into which the kernels of all formats write their records.
#
# Appending never fails visibly: if memory is exhausted the column stays as it is and ``out_of_memory`` is set, which
# kernels check once per record.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from tabiya.game.growing cimport Bytes, grow

# Concatenated strings, with the end of each after an initial 0: Arrow's layout.
ctypedef struct Strings:
    Bytes data
    Bytes ends  # int32

# Distinct strings in order of first use, found by an open hash table.
ctypedef struct Interned:
    Strings strings
    Bytes slots       # int32, index of a string or -1
    Py_ssize_t count
    int32_t last      # the index of the string found last: events and sites repeat from game to game
    uint64_t seed    # random, see hash_bytes

# The same order as ``NAMES`` in fields.py.
cdef enum:
    WHITE_NAME = 0
    BLACK_NAME = 1
    EVENT_NAME = 2
    SITE_NAME = 3
    ROUND_NAME = 4
    ANNOTATOR_NAME = 5
    ECO_NAME = 6
    NAME_COUNT = 7

cdef enum:
    NO_RESULT = 255
    NO_ELO = -1
    NO_NAME = -1

cdef enum:
    SIDE_AFTER = 0
    SIDE_BEFORE = 1
    SIDE_LATE = 2

# The single values of a record; the order is that of ``HEADER`` in fields.py, which also has the values for null.
# An unknown record begins as ``NO_HEADER`` (columns_kernel).
ctypedef struct Header:
    int32_t kind
    int32_t deleted
    int32_t variant
    int32_t names[7]  # indices into ``Columns.interned``
    int32_t year
    int32_t month
    int32_t day
    int32_t white_elo
    int32_t black_elo
    int32_t result

# The columns of a batch under construction. From ``start`` on the order is that of ``STORED`` in fields.py.
ctypedef struct Columns:
    Py_ssize_t records
    bint out_of_memory
    Interned interned[7]
    Bytes headers     # Header
    Strings start
    Bytes has_start   # uint8
    Bytes tag_ends    # int32, and so are all other ends
    Strings tag_names
    Strings tag_values
    Bytes move_ends
    Bytes moves       # uint16
    Bytes annotation_ends
    Bytes annotation_move   # int32
    Bytes annotation_side   # uint8
    Bytes annotation_kind   # uint16
    Bytes annotation_lang   # uint8
    Strings annotation_data
    Strings annotation_raw
    Bytes annotation_has_raw  # uint8
    Bytes text_ends
    Bytes text_lang   # uint16
    Strings text_title
    Bytes text_format  # uint16
    Strings text_body
    Strings text_formatting
    Bytes text_has_formatting  # uint8
    Bytes extra_ends
    Strings extra_keys
    Strings extra_values
    Bytes problem_ends
    Bytes problem_code    # uint16
    Bytes problem_offset  # int64
    Strings problem_text


# --- bytes -----------------------------------------------------------------------------------------------------------

cdef inline bint reserve(Columns* columns, Bytes* bytes, Py_ssize_t extra) noexcept nogil:
    """Reserve ``extra`` more bytes; False (and the flag) if memory is exhausted."""
    if not grow(bytes, extra):
        columns.out_of_memory = True
        return False
    return True


cdef inline void put_uint8(Columns* columns, Bytes* bytes, int value) noexcept nogil:
    if reserve(columns, bytes, 1):
        bytes.data[bytes.size] = value
        bytes.size += 1


cdef inline void put_uint16(Columns* columns, Bytes* bytes, int value) noexcept nogil:
    cdef uint16_t stored = value
    if reserve(columns, bytes, 2):
        memcpy(bytes.data + bytes.size, &stored, 2)
        bytes.size += 2


cdef inline void put_int32(Columns* columns, Bytes* bytes, int32_t value) noexcept nogil:
    if reserve(columns, bytes, 4):
        memcpy(bytes.data + bytes.size, &value, 4)
        bytes.size += 4


cdef inline void put_int64(Columns* columns, Bytes* bytes, int64_t value) noexcept nogil:
    if reserve(columns, bytes, 8):
        memcpy(bytes.data + bytes.size, &value, 8)
        bytes.size += 8


cdef inline void put_bytes(Columns* columns, Bytes* bytes, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    if length and reserve(columns, bytes, length):
        memcpy(bytes.data + bytes.size, data, length)
        bytes.size += length


# --- strings ---------------------------------------------------------------------------------------------------------

cdef inline void end_string(Columns* columns, Strings* strings) noexcept nogil:
    """Close the string whose bytes were appended to ``strings.data``. A column of over 2 GB counts as out of memory."""
    if strings.data.size > 0x7FFFFFFF:
        columns.out_of_memory = True
        return
    put_int32(columns, &strings.ends, <int32_t> strings.data.size)


cdef inline void put_string(Columns* columns, Strings* strings, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    put_bytes(columns, &strings.data, data, length)
    end_string(columns, strings)


cdef inline Py_ssize_t string_count(const Strings* strings) noexcept nogil:
    return strings.ends.size // 4 - 1


cdef inline Py_ssize_t string_begin(const Strings* strings, Py_ssize_t index) noexcept nogil:
    return (<const int32_t*> strings.ends.data)[index]


cdef inline Py_ssize_t string_end(const Strings* strings, Py_ssize_t index) noexcept nogil:
    return (<const int32_t*> strings.ends.data)[index + 1]


cdef inline void cut_strings(Strings* strings, Py_ssize_t count) noexcept nogil:
    """Remove all strings from number ``count`` on."""
    if count < string_count(strings):
        strings.data.size = string_end(strings, count - 1) if count else 0
        strings.ends.size = 4 * (count + 1)


cdef inline bint string_equals(const Strings* strings, Py_ssize_t index, const uint8_t* data,
                               Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t begin = string_begin(strings, index)
    return (string_end(strings, index) - begin == length
            and (length == 0 or memcmp(strings.data.data + begin, data, length) == 0))


cdef inline uint64_t hash_bytes(const uint8_t* data, Py_ssize_t length, uint64_t seed) noexcept nogil:
    """Eight bytes at a time; the seed is random per builder, so that collisions cannot be provoked by a file."""
    cdef uint64_t state = seed ^ <uint64_t> length, word
    while length >= 8:
        memcpy(&word, data, 8)
        state = (state ^ word) * (seed | 1)
        state ^= state >> 29
        data += 8
        length -= 8
    word = 0
    memcpy(&word, data, length)
    state = (state ^ word) * (seed | 1)
    return state ^ state >> 32


cdef inline bint grow_slots(Columns* columns, Interned* interned) noexcept nogil:
    cdef Py_ssize_t size = 2 * interned.slots.size // 4 if interned.slots.size else 256
    cdef int32_t* slots = <int32_t*> malloc(size * 4)
    cdef Py_ssize_t index, begin, slot
    if slots == NULL:
        columns.out_of_memory = True
        return False
    memset(slots, 255, size * 4)
    for index in range(interned.count):
        begin = string_begin(&interned.strings, index)
        slot = hash_bytes(interned.strings.data.data + begin, string_end(&interned.strings, index) - begin,
                          interned.seed) & (size - 1)
        while slots[slot] >= 0:
            slot = slot + 1 & (size - 1)
        slots[slot] = <int32_t> index
    free(interned.slots.data)
    interned.slots.data = <uint8_t*> slots
    interned.slots.size = interned.slots.capacity = size * 4
    return True


cdef inline Py_ssize_t slot_of(const Interned* interned, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    """The slot of this string, or the one where it belongs; the table has free slots."""
    cdef const int32_t* slots = <const int32_t*> interned.slots.data
    cdef Py_ssize_t mask = interned.slots.size // 4 - 1
    cdef Py_ssize_t slot = hash_bytes(data, length, interned.seed) & mask
    while slots[slot] >= 0 and not string_equals(&interned.strings, slots[slot], data, length):
        slot = slot + 1 & mask
    return slot


cdef inline int32_t intern(Columns* columns, Interned* interned, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    """The index of this string, which is added if it is new."""
    cdef int32_t* index
    if interned.count and string_equals(&interned.strings, interned.last, data, length):
        return interned.last
    if 8 * interned.count >= interned.slots.size and not grow_slots(columns, interned):  # at most half full
        return NO_NAME
    index = <int32_t*> interned.slots.data + slot_of(interned, data, length)
    if index[0] < 0:
        put_string(columns, &interned.strings, data, length)
        if columns.out_of_memory:
            return NO_NAME
        index[0] = <int32_t> interned.count
        interned.count += 1
    interned.last = index[0]
    return interned.last


# --- parts of a record -----------------------------------------------------------------------------------------------

cdef inline Py_ssize_t annotation_count(const Columns* columns) noexcept nogil:
    return columns.annotation_side.size


cdef inline Py_ssize_t open_annotation(Columns* columns, int move, int side, int kind, int lang) noexcept nogil:
    """Begin an annotation; its bytes are appended to ``annotation_data.data``, then ``close_annotation`` ends it."""
    put_int32(columns, &columns.annotation_move, move)
    put_uint8(columns, &columns.annotation_side, side)
    put_uint16(columns, &columns.annotation_kind, kind)
    put_uint8(columns, &columns.annotation_lang, lang)
    return columns.annotation_side.size - 1


cdef inline void close_annotation(Columns* columns) noexcept nogil:
    end_string(columns, &columns.annotation_data)
    end_string(columns, &columns.annotation_raw)
    put_uint8(columns, &columns.annotation_has_raw, 0)


cdef inline void close_annotation_with_raw(Columns* columns, const uint8_t* raw, Py_ssize_t length) noexcept nogil:
    """``close_annotation`` for one whose original bytes are kept beside its data."""
    end_string(columns, &columns.annotation_data)
    put_string(columns, &columns.annotation_raw, raw, length)
    put_uint8(columns, &columns.annotation_has_raw, 1)


cdef inline void cut_annotations(Columns* columns, Py_ssize_t count) noexcept nogil:
    """Remove all annotations from number ``count`` on, an open one included."""
    columns.annotation_move.size = 4 * count
    columns.annotation_side.size = count
    columns.annotation_kind.size = 2 * count
    columns.annotation_lang.size = count
    columns.annotation_data.data.size = string_begin(&columns.annotation_data, count)
    columns.annotation_data.ends.size = 4 * count + 4
    columns.annotation_raw.ends.size = 4 * count + 4
    columns.annotation_raw.data.size = string_begin(&columns.annotation_raw, count)
    columns.annotation_has_raw.size = count


cdef inline void put_problem(Columns* columns, int code, int64_t offset, const uint8_t* text,
                             Py_ssize_t length) noexcept nogil:
    put_uint16(columns, &columns.problem_code, code)
    put_int64(columns, &columns.problem_offset, offset)
    put_string(columns, &columns.problem_text, text, length)


cdef inline void put_extra(Columns* columns, const uint8_t* key, Py_ssize_t key_length, const uint8_t* value,
                           Py_ssize_t length) noexcept nogil:
    put_string(columns, &columns.extra_keys, key, key_length)
    put_string(columns, &columns.extra_values, value, length)


cdef inline void put_values(Columns* columns, const Header* header) noexcept nogil:
    put_bytes(columns, &columns.headers, <const uint8_t*> header, sizeof(Header))


cdef inline void end_record(Columns* columns) noexcept nogil:
    """Close the lists of a record; its header and its start must have been added."""
    put_int32(columns, &columns.tag_ends, <int32_t> string_count(&columns.tag_names))
    put_int32(columns, &columns.move_ends, <int32_t> (columns.moves.size // 2))
    put_int32(columns, &columns.annotation_ends, <int32_t> annotation_count(columns))
    put_int32(columns, &columns.text_ends, <int32_t> (columns.text_lang.size // 2))
    put_int32(columns, &columns.extra_ends, <int32_t> string_count(&columns.extra_keys))
    put_int32(columns, &columns.problem_ends, <int32_t> (columns.problem_code.size // 2))
    columns.records += 1
