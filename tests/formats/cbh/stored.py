"""Bodies of real bases for the tests: just enough of ``.cbh`` headers to find them, read without the library."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tabiya.chessbase.body_columns import Bodies
from tabiya.formats.cbh.bodies.columns import read_bodies
from tabiya.game import GameBatch
from tabiya.game.annotations import TextEncoding
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from numpy.typing import NDArray

RECORD = 46
TEXT_BIT = 2


@dataclass(frozen=True)
class Base:
    """A sample base, by the path of its ``.cbh``."""

    path: Path
    encoding: TextEncoding

    @cached_property
    def headers(self) -> NDArray[np.int64]:
        data = np.fromfile(self.path, np.uint8)
        count = len(data) // RECORD
        return data[: RECORD * count].reshape(count, RECORD)[1:].astype(np.int64)

    def field(self, place: int, size: int) -> NDArray[np.int64]:
        """A big-endian number of every header."""
        values = np.zeros(len(self.headers), np.int64)
        for byte in range(size):
            values = values << 8 | self.headers[:, place + byte]
        return values

    def file(self, suffix: str) -> bytes | None:
        path = self.path.with_suffix(suffix)
        return path.read_bytes() if path.exists() else None

    @property
    def is_game(self) -> NDArray[np.uint8]:
        games: NDArray[np.uint8] = (self.headers[:, 0] & TEXT_BIT == 0).astype(np.uint8)
        return games

    @property
    def move_offsets(self) -> NDArray[np.int64]:
        return self.field(1, 4)

    @property
    def annotation_offsets(self) -> NDArray[np.int64]:
        return np.where(self.is_game == 1, self.field(5, 4), 0)

    def read(self) -> Bodies:
        return read_bodies(
            self.file(".cbg"),
            self.file(".cba"),
            self.move_offsets,
            self.annotation_offsets,
            self.is_game,
            encoding=self.encoding,
        )


def blob(moves: bytes, annotations: bytes = b"", *, encoding: TextEncoding | None = None) -> Bodies:
    """One game from its two blobs."""
    front = b"\0" * 26
    return read_bodies(
        front + moves,
        front + annotations,
        np.array([26], np.int64),
        np.array([26 if annotations else 0], np.int64),
        np.ones(1, np.uint8),
        encoding=encoding or TextEncoding(),
    )


def batch_of(bodies: Bodies, *, first_number: int = 1) -> GameBatch:
    """A batch of these bodies with empty headers."""
    count = len(bodies.kind)
    columns = {
        name: getattr(bodies, name)
        for name in ("kind", "variant", "start", "moves", "annotations", "extras", "problems")
    }
    columns["number"] = pa.array(range(first_number, first_number + count), pa.int64())
    columns["deleted"] = pa.array([False] * count, pa.bool_())
    for field in RECORD_SCHEMA:
        if field.name not in columns:
            empty: list[Any] = [None if field.nullable else []] * count
            columns[field.name] = pa.array(empty, field.type)
    return GameBatch(pa.record_batch([columns[name] for name in RECORD_SCHEMA.names], RECORD_SCHEMA))
