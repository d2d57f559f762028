"""The columns of a finished batch behind a Python object: checks them once, then kernels read them without a doubt.

Linear in the number of records and list members; :mod:`tabiya.game.view` collects the columns.
"""

import cython
from cython.cimports.cpython.buffer import Py_buffer, PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cython.cimports.libc.stdint import int32_t, uint8_t
from cython.cimports.libc.string import memcpy
from cython.cimports.tabiya.game.columns import NAME_COUNT

from tabiya.game.fields import HEADER, STORED


def memory_of(column, size, count):
    """Return where a column stands in memory, which must have at least this many members of this many bytes."""
    buffer: Py_buffer
    PyObject_GetBuffer(column, cython.address(buffer), PyBUF_SIMPLE)
    memory: cython.pointer[cython.const[cython.void]] = buffer.buf
    length: cython.Py_ssize_t = buffer.len // size
    PyBuffer_Release(cython.address(buffer))
    if length < count:
        raise ValueError(f"a column of the batch has {length} members instead of {count}")
    return memory


def ends_of(column, count, members):
    """Check the ends of ``count`` lists or strings, which must rise and stay within their members."""
    ends = cython.cast(cython.pointer[cython.const[int32_t]], memory_of(column, 4, count + 1 or 1))
    if ends[0] < 0 or ends[count] > members:
        raise ValueError("the lists of the batch reach beyond their members")
    for index in range(count):
        if ends[index] > ends[index + 1]:
            raise ValueError("the lists of the batch overlap")
    return ends


def check_names(names, records, count):
    for record in range(records):
        if names[record] >= count or names[record] < -1:
            raise ValueError("a name of the batch is not in its dictionary")
    return 0


def put_pointer(place, pointer):
    memcpy(place, cython.address(pointer), cython.sizeof(pointer))
    return place + cython.sizeof(pointer)


@cython.cclass
class BatchView:
    """A batch for kernels to read, made by ``tabiya.game.view.view_of``.

    ``columns`` holds the memory of every column by the names of ``HEADER`` and ``STORED``, and as ``interned`` the
    bytes and the ends of the strings of each column of names.
    """

    def __init__(self, records: cython.Py_ssize_t, columns: dict):
        view = cython.address(self.view)
        count: cython.Py_ssize_t
        self.owners = [columns]
        view.records = records
        place: cython.pointer[cython.uchar] = cython.cast("unsigned char*", cython.address(view.kind))
        for field in HEADER:
            place = put_pointer(place, memory_of(columns[field.name], 4, records))
        for index in range(NAME_COUNT):
            letters, ends = columns["interned"][index]
            count = memoryview(ends).nbytes // 4 - 1
            view.interned[index].data = cython.cast(cython.pointer[cython.const[uint8_t]], memory_of(letters, 1, 0))
            view.interned[index].ends = ends_of(ends, count, memoryview(letters).nbytes)
            check_names(view.names[index], records, count)
        count = records
        last: str = ""
        place = cython.cast("unsigned char*", cython.address(view.start))
        for name, size in STORED:
            column = columns[name]
            if not name.endswith("_ends"):
                # How many bytes strings need is known when their ends are.
                place = put_pointer(place, memory_of(column, size, 0 if f"{name}_ends" in columns else count))
            elif name == f"{last}_ends":
                place = put_pointer(place, ends_of(column, count, memoryview(columns[last]).nbytes))
            else:
                list_ends = ends_of(column, records, 0x7FFFFFFF)
                count = list_ends[records]
                place = put_pointer(place, list_ends)
            last = name
