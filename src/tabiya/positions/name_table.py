"""Numbers for the names of games."""

from __future__ import annotations

import secrets
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.positions.name_table_kernel import NameStore

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_NAME: Final = -1


class NameTable:
    """Numbers for names, assigned in order and never changed: a number has the same meaning in the whole library.

    Any thread may use it, even while another one adds names.
    """

    def __init__(self) -> None:
        self._store = NameStore(secrets.randbits(64))
        self._lock = Lock()
        self._listed: list[str] = []

    def __len__(self) -> int:
        return len(self._store)

    def add(self, names: pa.StringArray) -> NDArray[np.int32]:
        """Assign numbers to new names; return those of all given names, none of which may be null."""
        numbers = np.empty(len(names), np.int32)
        _, ends, letters = names.buffers()
        if len(names):
            places = np.frombuffer(ends, np.int32)[names.offset : names.offset + len(names) + 1]
            with self._lock:
                self._store.numbers_of(np.frombuffer(letters or b"", np.uint8), places, numbers)
        return numbers

    def array(self, first: int = 0) -> pa.StringArray:
        """Return all names, or those from a number on."""
        with self._lock:
            count, (letters, ends) = len(self), self._store.texts()
        return pa.StringArray.from_buffers(count, pa.py_buffer(ends), pa.py_buffer(letters))[first:]

    def names(self) -> list[str]:
        """Return all names as Python strings."""
        listed: list[str] = self.array().to_pylist()
        return listed

    def name_of(self, number: int) -> str | None:
        """Return the name for a number; None if there is none."""
        if len(self._listed) != len(self):
            self._listed = self.names()
        return self._listed[number] if 0 <= number < len(self._listed) else None

    def id_of(self, name: str) -> int:
        """Return the number of a name; NO_NAME if it has none."""
        with self._lock:
            return self._store.number_of(name.encode())

    def ids_of(self, column: pa.DictionaryArray) -> NDArray[np.int32]:
        """Return the numbers of the names of a column, assigning new ones; NO_NAME for null."""
        known = np.append(self.add(column.dictionary), np.int32(NO_NAME))
        found: NDArray[np.int32] = known[pc.fill_null(column.indices, len(known) - 1).to_numpy(zero_copy_only=False)]
        return found
