# The columns of a finished batch as plain pointers, from which the kernels of all formats write files.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memcmp, strlen

# Strings of Arrow: ``ends`` starts with a 0 (or any start). Nulls are marked elsewhere.
ctypedef struct Texts:
    const uint8_t* data
    const int32_t* ends

# The single values of records come first, in the order of ``HEADER`` in fields.py, then all other columns in the order
# of ``STORED``. That module also defines the values for null.
ctypedef struct View:
    Py_ssize_t records
    Texts interned[7]
    const int32_t* kind
    const int32_t* deleted
    const int32_t* variant
    const int32_t* names[7]     # indices into ``interned``
    const int32_t* year
    const int32_t* month
    const int32_t* day
    const int32_t* white_elo
    const int32_t* black_elo
    const int32_t* result
    Texts start
    const uint8_t* has_start
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
    Texts annotation_raw
    const uint8_t* annotation_has_raw
    const int32_t* text_ends
    const uint16_t* text_lang
    Texts text_title
    const uint16_t* text_format
    Texts text_body
    Texts text_formatting
    const uint8_t* text_has_formatting
    const int32_t* extra_ends
    Texts extra_keys
    Texts extra_values
    const int32_t* problem_ends
    const uint16_t* problem_code
    const int64_t* problem_offset
    Texts problem_text


cdef inline int32_t value_of(const View* view, int column, Py_ssize_t record) noexcept nogil:
    """A single value of a record, by its index in ``HEADER`` of fields.py."""
    return (<const int32_t* const*> &view.kind)[column][record]


cdef inline Py_ssize_t find_extra(
    const View* view, Py_ssize_t record, const char* key, Py_ssize_t begin
) noexcept nogil:
    """The index of the first extra of a record with this key from ``begin`` on, or -1."""
    cdef const Texts* keys = &view.extra_keys
    cdef Py_ssize_t length = strlen(key), index
    for index in range(begin, view.extra_ends[record + 1]):
        if keys.ends[index + 1] - keys.ends[index] == length and memcmp(keys.data + keys.ends[index], key, length) == 0:
            return index
    return -1
