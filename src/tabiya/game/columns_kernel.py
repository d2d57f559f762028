"""Growing columns behind a Python object: kernels fill them, :mod:`tabiya.game.assemble` turns them into a batch.

Memory is handed over, never copied: a taken column becomes a ``Buffer`` that frees it when the last user is gone.
"""

import cython
from cython.cimports.cpython.buffer import Py_buffer, PyBUF_WRITABLE
from cython.cimports.libc.stdint import int32_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.game.columns import NAME_COUNT, Columns, put_int32
from cython.cimports.tabiya.game.growing import Bytes

from tabiya.game.fields import HEADER, STORED


@cython.cclass
class Buffer:
    """Bytes of a column, read-only."""

    def __getbuffer__(self, view: cython.pointer[Py_buffer], flags: cython.int):
        if flags & PyBUF_WRITABLE:
            raise BufferError("the columns of a batch are read-only")
        self.shape[0] = self.bytes.size
        self.strides[0] = 1
        # An empty column may have no memory at all; a consumer wants an address all the same.
        view.buf = self.bytes.data if self.bytes.data != cython.NULL else cython.cast("void*", self.shape)
        view.format = cython.NULL
        view.internal = cython.NULL
        view.itemsize = 1
        view.len = self.bytes.size
        view.ndim = 1
        view.obj = self
        view.readonly = 1
        view.shape = self.shape
        view.strides = self.strides
        view.suboffsets = cython.NULL

    def __dealloc__(self):
        free(self.bytes.data)


def take(column):
    buffer: Buffer = Buffer.__new__(Buffer)
    buffer.bytes = column[0]
    column.data = cython.NULL
    column.size = column.capacity = 0
    return buffer


@cython.cclass
class BatchBuilder:
    """Columns under construction. ``seed`` is any random number: it keeps hostile names from colliding."""

    def __cinit__(self, seed: cython.ulonglong):
        columns: cython.pointer[Columns] = cython.address(self.columns)
        column: cython.pointer[Bytes] = cython.cast(cython.pointer[Bytes], cython.address(columns.start))
        memset(columns, 0, cython.sizeof(Columns))
        for index in range(NAME_COUNT):
            columns.interned[index].seed = seed
            put_int32(columns, cython.address(columns.interned[index].strings.ends), 0)
        for name, _ in STORED:
            if name.endswith("_ends"):
                put_int32(columns, column, 0)
            column += 1

    def finish(self) -> dict:
        """Return every column as a buffer, by the names of ``STORED``; the builder is empty and spent afterwards.

        Besides: ``records``, how many there are; ``headers``, the bytes of their single values; ``interned``, for each
        column of names the bytes and the ends of the different ones.
        """
        columns: cython.pointer[Columns] = cython.address(self.columns)
        column: cython.pointer[Bytes] = cython.cast(cython.pointer[Bytes], cython.address(columns.start))
        if columns.out_of_memory:
            raise MemoryError("no memory for the columns of a batch")
        interned = []
        for index in range(NAME_COUNT):
            strings = cython.address(columns.interned[index].strings)
            interned.append((take(cython.address(strings.data)), take(cython.address(strings.ends))))
        found = {"records": columns.records, "headers": take(cython.address(columns.headers)), "interned": interned}
        for name, _ in STORED:
            found[name] = take(column)
            column += 1
        return found

    def __dealloc__(self):
        column: cython.pointer[Bytes] = cython.cast(cython.pointer[Bytes], cython.address(self.columns.start))
        free(self.columns.headers.data)
        for index in range(NAME_COUNT):
            free(self.columns.interned[index].strings.data.data)
            free(self.columns.interned[index].strings.ends.data)
            free(self.columns.interned[index].slots.data)
        for _ in STORED:
            free(column.data)
            column += 1


def fill_no_header():
    """Give every single value of ``NO_HEADER`` what stands for null; for the first of its kind where there is none."""
    value: cython.pointer[int32_t] = cython.cast(cython.pointer[int32_t], cython.address(NO_HEADER))
    for field in HEADER:
        value[0] = field.missing or 0
        value += 1


fill_no_header()
