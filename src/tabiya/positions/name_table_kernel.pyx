"""Numbers the names of any number of batches; all names of a batch are looked up in one call."""

from libc.stdint cimport int32_t, uint8_t

from tabiya.game.columns cimport NO_NAME, WHITE_NAME, Interned, Strings, intern, slot_of
from tabiya.game.columns_kernel cimport BatchBuilder


cdef class NameStore(BatchBuilder):
    """Names in the order of their first use: one column of a batch, filled from the columns of many.

    Only one thread may use it at a time.
    """

    pass

    def __len__(self) -> int:
        return self.columns.interned[WHITE_NAME].count

    def numbers_of(
        self, const uint8_t[::1] text not None, const int32_t[::1] ends not None, int32_t[::1] out not None
    ) -> None:
        """Look up concatenated names, and add new ones.

        Args:
            text: the letters.
            ends: the end of each name in ``text``, preceded by the start of the first.
            out: receives the numbers.

        Raises:
            ValueError: the buffers do not match.
        """
        cdef Interned* names = &self.columns.interned[WHITE_NAME]
        cdef Py_ssize_t count = ends.shape[0] - 1
        if count != out.shape[0] or ends[0] < 0 or ends[count] > text.shape[0]:
            raise ValueError("the buffers do not fit each other")
        for index in range(count):
            if ends[index] > ends[index + 1]:
                raise ValueError("the ends of names must not descend")
        # If all names are empty there may be no letter with an address.
        cdef const uint8_t* letters = (&text[0] if text.shape[0] else <uint8_t*> names)
        with nogil:
            for index in range(count):
                out[index] = intern(&self.columns, names, letters + ends[index], ends[index + 1] - ends[index])
                if self.columns.out_of_memory:
                    break
        if self.columns.out_of_memory:
            raise MemoryError("no memory for more names")

    def number_of(self, bytes name not None) -> int:
        """Return the number of a name; -1 if it has none."""
        cdef Interned* names = &self.columns.interned[WHITE_NAME]
        cdef const uint8_t[::1] text = name + b"\0"  # so that there is a first byte
        if names.count == 0:
            return NO_NAME
        cdef Py_ssize_t slot = slot_of(names, &text[0], text.shape[0] - 1)
        return (<int32_t*> names.slots.data)[slot]

    def texts(self) -> tuple[bytes, bytes]:
        """Return the letters of all names, and the end of each name in them, after a 0, as 32-bit numbers."""
        cdef Strings* strings = &self.columns.interned[WHITE_NAME].strings
        cdef char* letters = <char*> strings.data.data
        cdef char* ends = <char*> strings.ends.data
        return letters[: strings.data.size] if strings.data.size else b"", ends[: strings.ends.size]
