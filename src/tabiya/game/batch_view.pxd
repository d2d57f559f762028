# The columns of a finished batch as plain pointers: what the kernels of all formats write files from.

from libc.stdint cimport int32_t, uint8_t, uint16_t
from libc.string cimport memcmp, strlen

# Strings of Arrow: ``ends`` has a 0 (or any start) in front. Which of them are null is said elsewhere.
ctypedef struct Texts:
    const int32_t* ends
    const uint8_t* data

ctypedef struct View:
    Py_ssize_t records
    const uint8_t* kind
    const uint8_t* variant
    const uint8_t* has_start
    Texts start
    const int32_t* names[7]     # indexes into ``interned``, -1 for null; the order of NAME_COLUMNS
    Texts interned[7]
    const uint16_t* year        # 0 for null
    const uint8_t* month
    const uint8_t* day
    const int32_t* white_elo    # -1 for null
    const int32_t* black_elo
    const uint8_t* result       # 255 for null
    const int32_t* tag_ends
    Texts tag_names
    Texts tag_values
    const int32_t* move_ends
    const uint16_t* moves
    const int32_t* annotation_ends
    const int32_t* annotation_move
    const uint8_t* annotation_side
    const uint16_t* annotation_kind
    const uint8_t* annotation_lang
    Texts annotation_data
    const uint8_t* annotation_has_raw
    Texts annotation_raw
    const int32_t* extra_ends
    Texts extra_keys
    Texts extra_values


cdef inline Py_ssize_t find_extra(
    const View* view, Py_ssize_t record, const char* key, Py_ssize_t begin
) noexcept nogil:
    """The place of the first extra of a record with this key from ``begin`` on, or -1."""
    cdef const Texts* keys = &view.extra_keys
    cdef Py_ssize_t length = strlen(key), index
    for index in range(begin, view.extra_ends[record + 1]):
        if keys.ends[index + 1] - keys.ends[index] == length and memcmp(keys.data + keys.ends[index], key, length) == 0:
            return index
    return -1
