"""Growing columns in a Python object: kernels fill them, :mod:`tabiya.game.assemble` turns them into a batch.

Memory is passed on, never copied: a taken column becomes a ``Buffer`` that frees it when its last user is gone.
"""

from cpython.buffer cimport Py_buffer, PyBUF_WRITABLE
from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memset

from tabiya.game.columns cimport NAME_COUNT, put_int32

from tabiya.game.fields import HEADER, STORED


cdef class Buffer:
    """Bytes of a column, read-only."""

    def __getbuffer__(self, Py_buffer* view, int flags):
        if flags & PyBUF_WRITABLE:
            raise BufferError("the columns of a batch are read-only")
        self.shape[0] = self.bytes.size
        self.strides[0] = 1
        # An empty column may have no memory, but consumers expect an address.
        view.buf = self.bytes.data if self.bytes.data != NULL else <void*> self.shape
        view.format = NULL
        view.internal = NULL
        view.itemsize = 1
        view.len = self.bytes.size
        view.ndim = 1
        view.obj = self
        view.readonly = 1
        view.shape = self.shape
        view.strides = self.strides
        view.suboffsets = NULL

    def __dealloc__(self):
        free(self.bytes.data)


cdef Buffer take(Bytes* column):
    cdef Buffer buffer = Buffer.__new__(Buffer)
    buffer.bytes = column[0]
    column.data = NULL
    column.size = column.capacity = 0
    return buffer


cdef class BatchBuilder:
    """Columns under construction. ``seed`` is any random number: it keeps hostile names from colliding."""

    def __cinit__(self, unsigned long long seed):
        cdef Columns* columns = &self.columns
        cdef Bytes* column = <Bytes*> &columns.start
        memset(columns, 0, sizeof(Columns))
        for index in range(NAME_COUNT):
            columns.interned[index].seed = seed
            put_int32(columns, &columns.interned[index].strings.ends, 0)
        for name, _ in STORED:
            if name.endswith("_ends"):
                put_int32(columns, column, 0)
            column += 1

    def finish(self) -> dict:
        """Return every column as a buffer, by the names of ``STORED``; the builder is empty and spent afterwards.

        Besides: ``records``, how many there are; ``headers``, the bytes of their single values; ``interned``, for each
        column of names the bytes and the ends of the different ones.
        """
        cdef Columns* columns = &self.columns
        cdef Bytes* column = <Bytes*> &columns.start
        if columns.out_of_memory:
            raise MemoryError("no memory for the columns of a batch")
        interned = []
        for index in range(NAME_COUNT):
            strings = &columns.interned[index].strings
            interned.append((take(&strings.data), take(&strings.ends)))
        found = {"records": columns.records, "headers": take(&columns.headers), "interned": interned}
        for name, _ in STORED:
            found[name] = take(column)
            column += 1
        return found

    def __dealloc__(self):
        cdef Bytes* column = <Bytes*> &self.columns.start
        free(self.columns.headers.data)
        for index in range(NAME_COUNT):
            free(self.columns.interned[index].strings.data.data)
            free(self.columns.interned[index].strings.ends.data)
            free(self.columns.interned[index].slots.data)
        for _ in STORED:
            free(column.data)
            column += 1


cdef void fill_no_header():
    """Set every value of ``NO_HEADER`` to its value for null, or to the first of its kind if there is none."""
    cdef int32_t* value = <int32_t*> &NO_HEADER
    for field in HEADER:
        value[0] = field.missing or 0
        value += 1


fill_no_header()
