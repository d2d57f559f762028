"""Temporary files without a name: what is read is what was written, in memory or not, and trouble names the folder."""

from __future__ import annotations

import gc
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import TabiyaError
from tabiya.files.scratch import ScratchFile


def test_scratch_files_read_what_was_written(tmp_path: Path) -> None:
    file = ScratchFile(tmp_path)
    places = [file.append(np.arange(count, dtype=np.uint16)) for count in (5, 0, 7)]
    assert places == [0, 10, 10]
    assert file.read(2, 3, np.uint16).tolist() == [1, 2, 3]
    assert file.read(20, 9, np.uint16).tolist() == [5, 6]
    file.close()
    file.close()
    assert file.read(0, 3, np.uint8).tolist() == []
    assert list(tmp_path.iterdir()) == []


def test_no_room_for_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(TabiyaError, match=r"missing: .*temporary files.*; set (TMPDIR|TEMP) to a folder"):
        ScratchFile().append(np.zeros(3))
    with pytest.raises(TabiyaError, match=r"elsewhere: .*temporary files") as caught:
        ScratchFile(tmp_path / "elsewhere").append(np.zeros(3))
    assert "TMPDIR" not in str(caught.value), "it would not help"


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 40), st.binary(max_size=20)), max_size=12),
    st.sampled_from([0, 16, 1 << 20]),
)
def test_a_file_is_like_bytes(writes: list[tuple[bool, int, bytes]], in_memory: int) -> None:
    file, expected = ScratchFile(in_memory=in_memory), bytearray()
    for appends, place, data in writes:
        if appends:
            assert file.append(data) == len(expected)
            expected += data
        else:
            place = min(place, len(expected))
            file.put(place, data)
            expected[place : place + len(data)] = data
        assert file.size == len(expected)
    assert file.read_bytes(0, len(expected) + 3) == expected
    assert file.read_bytes(5, 7) == expected[5:12]
    assert file.read(0, len(expected), np.uint8).tobytes() == expected
    file.close()


def test_few_bytes_need_no_file(tmp_path: Path) -> None:
    file = ScratchFile(tmp_path / "missing", in_memory=8)
    assert file.append(b"12345678") == 0
    with pytest.raises(TabiyaError, match="missing") as caught:
        file.append(b"9")
    assert file.read_bytes(0, 20) == b"12345678"
    file.close()
    assert caught.value.path is not None, "the error is still there, and what it keeps alive"


def test_a_file_goes_with_its_object(tmp_path: Path) -> None:
    file = ScratchFile(tmp_path)
    file.append(b"1")
    assert file._file is not None
    inner = file._file
    del file
    gc.collect()
    assert inner.closed
