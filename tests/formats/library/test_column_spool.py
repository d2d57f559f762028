"""Columns of a segment in files."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import UnsupportedError
from tabiya.formats.library import column_spool
from tabiya.formats.library.column_spool import TextSpool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TEXTS = st.lists(st.none() | st.text(max_size=3), max_size=12)


@contextmanager
def spool_in(folder: Path) -> Iterator[TextSpool]:
    """Yield a spool whose files are in this folder, which is empty afterwards."""
    closing: list[Callable[[], None]] = []
    spool = TextSpool(folder / "texts", closing)
    try:
        yield spool
    finally:
        for close in closing:
            close()
    assert list(folder.iterdir()) == []


def stored(texts: pa.Array) -> bytes:
    sink = pa.BufferOutputStream()
    records = pa.record_batch([texts], names=["texts"])
    with pa.ipc.new_file(sink, records.schema) as writer:
        writer.write_batch(records)
    return bytes(sink.getvalue())


@given(st.lists(TEXTS, min_size=1, max_size=4), st.integers(0, 2))
def test_texts_come_back_as_one_column(
    tmp_path_factory: pytest.TempPathFactory, lists: list[list[str | None]], skipped: int
) -> None:
    parts = [pa.array(texts, pa.string()).slice(skipped) for texts in lists]
    expected = pa.concat_arrays([*parts, pa.array([], pa.string())])
    with spool_in(tmp_path_factory.mktemp("spool")) as spool:
        for part in parts:
            spool.append(part)
        found = spool.array()
        found.validate(full=True)
        assert found.to_pylist() == expected.to_pylist()
        assert stored(found) == stored(expected)


def test_more_text_than_a_column_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_spool, "_MOST_LETTERS", 5)
    with spool_in(tmp_path) as spool:
        spool.append(pa.array(["abc", None, "de"]))
        with pytest.raises(UnsupportedError, match="start positions"):
            spool.append(pa.array([None, "f"]))
        assert spool.array().to_pylist() == ["abc", None, "de"]
