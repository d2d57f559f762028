"""The names of any number of batches, each with a number: those of a batch are looked up in one call."""

import cython
from cython.cimports.libc.stdint import int32_t, uint8_t
from cython.cimports.tabiya.game.columns import NO_NAME, WHITE_NAME, Interned, Strings, intern, slot_of
from cython.cimports.tabiya.game.columns_kernel import BatchBuilder


@cython.cclass
class NameStore(BatchBuilder):
    """Names in the order of their first use. It has one column of a batch, filled from the columns of many.

    Only one thread may be in it at a time.
    """

    def __len__(self) -> int:
        return self.columns.interned[WHITE_NAME].count

    def numbers_of(self, text: cython.const[uint8_t][::1], ends: cython.const[int32_t][::1], out: int32_t[::1]) -> None:
        """Look up names that stand one behind the other, and add those that are new.

        Args:
            text: the letters.
            ends: where each name ends in ``text``, after where the first begins.
            out: takes the numbers.

        Raises:
            ValueError: the buffers do not fit each other.
        """
        names: cython.pointer[Interned] = cython.address(self.columns.interned[WHITE_NAME])
        count: cython.Py_ssize_t = ends.shape[0] - 1
        if count != out.shape[0] or ends[0] < 0 or ends[count] > text.shape[0]:
            raise ValueError("the buffers do not fit each other")
        for index in range(count):
            if ends[index] > ends[index + 1]:
                raise ValueError("the ends of names must not descend")
        # Where all names are empty there may be no letter that could have an address.
        letters: cython.pointer[cython.const[uint8_t]] = (
            cython.address(text[0]) if text.shape[0] else cython.cast(cython.pointer[uint8_t], names)
        )
        with cython.nogil:
            for index in range(count):
                out[index] = intern(
                    cython.address(self.columns),
                    names,
                    letters + ends[index],
                    ends[index + 1] - ends[index],
                )
                if self.columns.out_of_memory:
                    break
        if self.columns.out_of_memory:
            raise MemoryError("no memory for more names")

    def number_of(self, name: bytes) -> int:
        """Return the number of a name; -1 if it has none."""
        names: cython.pointer[Interned] = cython.address(self.columns.interned[WHITE_NAME])
        text: cython.const[uint8_t][::1] = name + b"\0"  # so that there is a first byte
        if names.count == 0:
            return NO_NAME
        slot: cython.Py_ssize_t = slot_of(names, cython.address(text[0]), text.shape[0] - 1)
        return cython.cast(cython.pointer[int32_t], names.slots.data)[slot]

    def texts(self) -> tuple[bytes, bytes]:
        """Return the letters of all names, and where each ends in them, after a 0, as 32 bits."""
        strings: cython.pointer[Strings] = cython.address(self.columns.interned[WHITE_NAME].strings)
        letters: cython.p_char = cython.cast(cython.p_char, strings.data.data)
        ends: cython.p_char = cython.cast(cython.p_char, strings.ends.data)
        return letters[: strings.data.size] if strings.data.size else b"", ends[: strings.ends.size]
