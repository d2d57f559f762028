"""The columns of a finished batch behind a Python object: checks them once, then kernels read them without a doubt.

Linear in the number of records and list members; :mod:`tabiya.game.view` collects the columns.
"""

import cython
from cython.cimports.libc.stdint import int32_t, uint8_t, uint16_t
from cython.cimports.tabiya.game.batch_view import Texts

NAME_COUNT = cython.declare(cython.int, 7)


@cython.cfunc
def uint8s(array: cython.const[uint8_t][::1], count: cython.Py_ssize_t) -> cython.pointer[cython.const[uint8_t]]:
    check_count(array.shape[0], count)
    return cython.address(array[0]) if count else cython.NULL


@cython.cfunc
def uint16s(array: cython.const[uint16_t][::1], count: cython.Py_ssize_t) -> cython.pointer[cython.const[uint16_t]]:
    check_count(array.shape[0], count)
    return cython.address(array[0]) if count else cython.NULL


@cython.cfunc
def int32s(array: cython.const[int32_t][::1], count: cython.Py_ssize_t) -> cython.pointer[cython.const[int32_t]]:
    check_count(array.shape[0], count)
    return cython.address(array[0]) if count else cython.NULL


@cython.cfunc
def check_count(length: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.int:
    if length != count:
        raise ValueError(f"a column of the batch has {length} members instead of {count}")
    return 0


@cython.cfunc
def ends_of(
    array: cython.const[int32_t][::1], count: cython.Py_ssize_t, members: cython.Py_ssize_t
) -> cython.pointer[cython.const[int32_t]]:
    """Ends of ``count`` lists or strings, which must rise and stay within their members."""
    check_count(array.shape[0], count + 1)
    if array[0] < 0 or array[count] > members:
        raise ValueError("the lists of the batch reach beyond their members")
    for index in range(count):
        if array[index] > array[index + 1]:
            raise ValueError("the lists of the batch overlap")
    return cython.address(array[0])


@cython.cfunc
def texts_of(column: tuple, count: cython.Py_ssize_t) -> Texts:
    texts: Texts
    ends, data = column
    texts.ends = ends_of(ends, count, len(data))
    texts.data = uint8s(data, len(data))
    return texts


@cython.cclass
class BatchView:
    """A batch for kernels to read, made by ``tabiya.game.view.view_of``.

    ``columns`` holds an array per column, (ends, bytes) for strings; lists of strings have (ends of lists) besides.
    """

    def __init__(self, records: cython.Py_ssize_t, columns: dict):
        self.owners = [columns]
        self.view.records = records
        self.view.kind = uint8s(columns["kind"], records)
        self.view.variant = uint8s(columns["variant"], records)
        self.view.has_start = uint8s(columns["has_start"], records)
        self.view.start = texts_of(columns["start"], records)
        for index in range(NAME_COUNT):
            strings = columns["interned"][index]
            self.view.names[index] = int32s(columns["names"][index], records)
            self.view.interned[index] = texts_of(strings, len(strings[0]) - 1)
            self.check_names(index, len(strings[0]) - 1)
        self.view.year = uint16s(columns["year"], records)
        self.view.month = uint8s(columns["month"], records)
        self.view.day = uint8s(columns["day"], records)
        self.view.white_elo = int32s(columns["white_elo"], records)
        self.view.black_elo = int32s(columns["black_elo"], records)
        self.view.result = uint8s(columns["result"], records)
        self.take_lists(records, columns)

    def check_names(self, index, count):
        for record in range(self.view.records):
            if self.view.names[index][record] >= count or self.view.names[index][record] < -1:
                raise ValueError("a name of the batch is not in its dictionary")
        return 0

    def take_lists(self, records, columns):
        count: cython.Py_ssize_t
        count = len(columns["tag_names"][0]) - 1
        self.view.tag_ends = ends_of(columns["tag_ends"], records, count)
        self.view.tag_names = texts_of(columns["tag_names"], count)
        self.view.tag_values = texts_of(columns["tag_values"], count)
        count = len(columns["moves"])
        self.view.move_ends = ends_of(columns["move_ends"], records, count)
        self.view.moves = uint16s(columns["moves"], count)
        count = len(columns["annotation_move"])
        self.view.annotation_ends = ends_of(columns["annotation_ends"], records, count)
        self.view.annotation_move = int32s(columns["annotation_move"], count)
        self.view.annotation_side = uint8s(columns["annotation_side"], count)
        self.view.annotation_kind = uint16s(columns["annotation_kind"], count)
        self.view.annotation_lang = uint8s(columns["annotation_lang"], count)
        self.view.annotation_data = texts_of(columns["annotation_data"], count)
        self.view.annotation_has_raw = uint8s(columns["annotation_has_raw"], count)
        self.view.annotation_raw = texts_of(columns["annotation_raw"], count)
        count = len(columns["extra_keys"][0]) - 1
        self.view.extra_ends = ends_of(columns["extra_ends"], records, count)
        self.view.extra_keys = texts_of(columns["extra_keys"], count)
        self.view.extra_values = texts_of(columns["extra_values"], count)
        return 0
