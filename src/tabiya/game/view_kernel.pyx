"""The columns of a finished batch in a Python object: validated once, so that kernels can read them without checks.

Linear in the number of records and list members; :mod:`tabiya.game.view` collects the columns.
"""

from cpython.buffer cimport Py_buffer, PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy

from tabiya.game.columns cimport NAME_COUNT

from tabiya.game.fields import HEADER, STORED


cdef const void* memory_of(object column, Py_ssize_t size, Py_ssize_t count) except? NULL:
    """Return the address of a column, which must have at least this many members of this many bytes."""
    cdef Py_buffer buffer
    PyObject_GetBuffer(column, &buffer, PyBUF_SIMPLE)
    cdef const void* memory = buffer.buf
    cdef Py_ssize_t length = buffer.len // size
    PyBuffer_Release(&buffer)
    if length < count:
        raise ValueError(f"a column of the batch has {length} members instead of {count}")
    return memory


cdef const int32_t* ends_of(object column, Py_ssize_t count, Py_ssize_t members) except NULL:
    """Check the ends of ``count`` lists or strings, which must ascend and stay within their members."""
    ends = <const int32_t*> memory_of(column, 4, count + 1 or 1)
    if ends[0] < 0 or ends[count] > members:
        raise ValueError("the lists of the batch reach beyond their members")
    for index in range(count):
        if ends[index] > ends[index + 1]:
            raise ValueError("the lists of the batch overlap")
    return ends


cdef int check_names(const int32_t* names, Py_ssize_t records, Py_ssize_t count) except -1:
    for record in range(records):
        if names[record] >= count or names[record] < -1:
            raise ValueError("a name of the batch is not in its dictionary")
    return 0


cdef unsigned char* put_pointer(unsigned char* place, const void* pointer) noexcept:
    memcpy(place, &pointer, sizeof(pointer))
    return place + sizeof(pointer)


cdef class BatchView:
    """A batch for kernels to read, made by ``tabiya.game.view.view_of``.

    ``columns`` holds the memory of every column by the names of ``HEADER`` and ``STORED``, and as ``interned`` the
    bytes and the ends of the strings of each column of names.
    """

    def __init__(self, Py_ssize_t records, dict columns not None):
        view = &self.view
        cdef Py_ssize_t count
        self.owners = [columns]
        view.records = records
        cdef unsigned char* place = <unsigned char*> &view.kind
        for field in HEADER:
            place = put_pointer(place, memory_of(columns[field.name], 4, records))
        for index in range(NAME_COUNT):
            letters, ends = columns["interned"][index]
            count = memoryview(ends).nbytes // 4 - 1
            view.interned[index].data = <const uint8_t*> memory_of(letters, 1, 0)
            view.interned[index].ends = ends_of(ends, count, memoryview(letters).nbytes)
            check_names(view.names[index], records, count)
        count = records
        cdef str last = ""
        place = <unsigned char*> &view.start
        for name, size in STORED:
            column = columns[name]
            if not name.endswith("_ends"):
                # The size of the strings is known only after their ends.
                place = put_pointer(place, memory_of(column, size, 0 if f"{name}_ends" in columns else count))
            elif name == f"{last}_ends":
                place = put_pointer(place, ends_of(column, count, memoryview(columns[last]).nbytes))
            else:
                list_ends = ends_of(column, records, 0x7FFFFFFF)
                count = list_ends[records]
                place = put_pointer(place, list_ends)
            last = name
