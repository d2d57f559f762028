"""Growing columns behind a Python object: kernels fill them, :mod:`tabiya.game.assemble` turns them into a batch.

Memory is handed over, never copied: a taken column becomes a ``Buffer`` that frees it when the last user is gone.
"""

import cython
from cython.cimports.cpython.buffer import Py_buffer, PyBUF_WRITABLE
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.game.columns import NAME_COUNT, Columns, put_int32


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


def take_strings(strings):
    return take(cython.address(strings.data)), take(cython.address(strings.ends))


def init_ends(columns, ends):
    put_int32(columns, ends, 0)


@cython.cclass
class BatchBuilder:
    """Columns under construction. ``seed`` is any random number: it keeps hostile names from colliding."""

    def __cinit__(self, seed: cython.ulonglong):
        columns: cython.pointer[Columns] = cython.address(self.columns)
        memset(columns, 0, cython.sizeof(Columns))
        for index in range(NAME_COUNT):
            self.columns.interned[index].seed = seed
            init_ends(columns, cython.address(self.columns.interned[index].strings.ends))
        init_ends(columns, cython.address(self.columns.start.ends))
        init_ends(columns, cython.address(self.columns.tag_names.ends))
        init_ends(columns, cython.address(self.columns.tag_values.ends))
        init_ends(columns, cython.address(self.columns.annotation_data.ends))
        init_ends(columns, cython.address(self.columns.annotation_raw.ends))
        init_ends(columns, cython.address(self.columns.text_title.ends))
        init_ends(columns, cython.address(self.columns.text_body.ends))
        init_ends(columns, cython.address(self.columns.text_formatting.ends))
        init_ends(columns, cython.address(self.columns.extra_keys.ends))
        init_ends(columns, cython.address(self.columns.extra_values.ends))
        init_ends(columns, cython.address(self.columns.problem_text.ends))
        init_ends(columns, cython.address(self.columns.tag_ends))
        init_ends(columns, cython.address(self.columns.move_ends))
        init_ends(columns, cython.address(self.columns.annotation_ends))
        init_ends(columns, cython.address(self.columns.text_ends))
        init_ends(columns, cython.address(self.columns.extra_ends))
        init_ends(columns, cython.address(self.columns.problem_ends))

    def finish(self) -> dict:
        """Every column as a buffer, columns of strings as (bytes, ends); the builder is empty and spent afterwards."""
        columns: cython.pointer[Columns] = cython.address(self.columns)
        if columns.out_of_memory:
            raise MemoryError("no memory for the columns of a batch")
        names = []
        interned = []
        for index in range(NAME_COUNT):
            names.append(take(cython.address(columns.names[index])))
            interned.append(take_strings(cython.address(columns.interned[index].strings)))
        return {
            "records": columns.records,
            "names": names,
            "interned": interned,
            "kind": take(cython.address(columns.kind)),
            "deleted": take(cython.address(columns.deleted)),
            "variant": take(cython.address(columns.variant)),
            "has_start": take(cython.address(columns.has_start)),
            "year": take(cython.address(columns.year)),
            "month": take(cython.address(columns.month)),
            "day": take(cython.address(columns.day)),
            "white_elo": take(cython.address(columns.white_elo)),
            "black_elo": take(cython.address(columns.black_elo)),
            "result": take(cython.address(columns.result)),
            "moves": take(cython.address(columns.moves)),
            "annotation_move": take(cython.address(columns.annotation_move)),
            "annotation_side": take(cython.address(columns.annotation_side)),
            "annotation_kind": take(cython.address(columns.annotation_kind)),
            "annotation_lang": take(cython.address(columns.annotation_lang)),
            "annotation_has_raw": take(cython.address(columns.annotation_has_raw)),
            "text_lang": take(cython.address(columns.text_lang)),
            "text_format": take(cython.address(columns.text_format)),
            "text_has_formatting": take(cython.address(columns.text_has_formatting)),
            "problem_code": take(cython.address(columns.problem_code)),
            "problem_offset": take(cython.address(columns.problem_offset)),
            "tag_ends": take(cython.address(columns.tag_ends)),
            "move_ends": take(cython.address(columns.move_ends)),
            "annotation_ends": take(cython.address(columns.annotation_ends)),
            "text_ends": take(cython.address(columns.text_ends)),
            "extra_ends": take(cython.address(columns.extra_ends)),
            "problem_ends": take(cython.address(columns.problem_ends)),
            "start": take_strings(cython.address(columns.start)),
            "tag_names": take_strings(cython.address(columns.tag_names)),
            "tag_values": take_strings(cython.address(columns.tag_values)),
            "annotation_data": take_strings(cython.address(columns.annotation_data)),
            "annotation_raw": take_strings(cython.address(columns.annotation_raw)),
            "text_title": take_strings(cython.address(columns.text_title)),
            "text_body": take_strings(cython.address(columns.text_body)),
            "text_formatting": take_strings(cython.address(columns.text_formatting)),
            "extra_keys": take_strings(cython.address(columns.extra_keys)),
            "extra_values": take_strings(cython.address(columns.extra_values)),
            "problem_text": take_strings(cython.address(columns.problem_text)),
        }

    def __dealloc__(self):
        for index in range(NAME_COUNT):
            free(self.columns.names[index].data)
            free(self.columns.interned[index].strings.data.data)
            free(self.columns.interned[index].strings.ends.data)
            free(self.columns.interned[index].slots.data)
        free(self.columns.kind.data)
        free(self.columns.deleted.data)
        free(self.columns.variant.data)
        free(self.columns.has_start.data)
        free(self.columns.year.data)
        free(self.columns.month.data)
        free(self.columns.day.data)
        free(self.columns.white_elo.data)
        free(self.columns.black_elo.data)
        free(self.columns.result.data)
        free(self.columns.moves.data)
        free(self.columns.annotation_move.data)
        free(self.columns.annotation_side.data)
        free(self.columns.annotation_kind.data)
        free(self.columns.annotation_lang.data)
        free(self.columns.annotation_has_raw.data)
        free(self.columns.text_lang.data)
        free(self.columns.text_format.data)
        free(self.columns.text_has_formatting.data)
        free(self.columns.problem_code.data)
        free(self.columns.problem_offset.data)
        free(self.columns.tag_ends.data)
        free(self.columns.move_ends.data)
        free(self.columns.annotation_ends.data)
        free(self.columns.text_ends.data)
        free(self.columns.extra_ends.data)
        free(self.columns.problem_ends.data)
        free(self.columns.start.data.data)
        free(self.columns.start.ends.data)
        free(self.columns.tag_names.data.data)
        free(self.columns.tag_names.ends.data)
        free(self.columns.tag_values.data.data)
        free(self.columns.tag_values.ends.data)
        free(self.columns.annotation_data.data.data)
        free(self.columns.annotation_data.ends.data)
        free(self.columns.annotation_raw.data.data)
        free(self.columns.annotation_raw.ends.data)
        free(self.columns.text_title.data.data)
        free(self.columns.text_title.ends.data)
        free(self.columns.text_body.data.data)
        free(self.columns.text_body.ends.data)
        free(self.columns.text_formatting.data.data)
        free(self.columns.text_formatting.ends.data)
        free(self.columns.extra_keys.data.data)
        free(self.columns.extra_keys.ends.data)
        free(self.columns.extra_values.data.data)
        free(self.columns.extra_values.ends.data)
        free(self.columns.problem_text.data.data)
        free(self.columns.problem_text.ends.data)
