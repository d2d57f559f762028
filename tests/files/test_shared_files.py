"""What Windows needs for changes of files that are open. It cannot be run here: its parts can."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from tabiya.files import shared_files
from tabiya.files.shared_files import open_to_read, rename_information, replace


def test_a_file_that_is_read_can_be_replaced(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"old")
    new.write_bytes(b"new")
    with open_to_read(old) as file:
        replace(new, old)
        assert file.read() == b"old"
    assert old.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [old]


def refuse(_: Path, __: Path) -> None:
    raise PermissionError(13, "access is denied")


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual way fails, as on Windows if the target is open."""
    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(shared_files, "_TURN", 0)


@pytest.mark.usefixtures("refused")
def test_the_other_way_is_taken(tmp_path: Path) -> None:
    (tmp_path / "new").write_bytes(b"new")
    (tmp_path / "old").write_bytes(b"old")
    replace(tmp_path / "new", tmp_path / "old", os.replace)
    assert (tmp_path / "old").read_bytes() == b"new"


@pytest.mark.usefixtures("refused")
def test_both_are_tried_again(tmp_path: Path) -> None:
    """A virus scanner has opened the new file."""
    (tmp_path / "new").write_bytes(b"new")
    refusals = [PermissionError(), PermissionError(), PermissionError()]

    def otherwise(source: Path, target: Path) -> None:
        if refusals:
            raise refusals.pop()
        os.replace(source, target)  # noqa: PTH105 - the method of Path is refused

    replace(tmp_path / "new", tmp_path / "old", otherwise)
    assert (tmp_path / "old").read_bytes() == b"new"
    assert not refusals


@pytest.mark.usefixtures("refused")
def test_what_is_refused_for_ever_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_files, "_PATIENCE", 0)
    for otherwise in (None, refuse):
        with pytest.raises(PermissionError, match="access is denied"):
            replace(tmp_path / "new", tmp_path / "old", otherwise)


@pytest.mark.skipif(struct.calcsize("P") != 8, reason="SKIPPED: this test did not run; it needs pointers of 64 bits")
def test_the_structure_of_a_rename() -> None:
    """FILE_RENAME_INFO: Flags, padding, RootDirectory, FileNameLength in bytes, FileName with an end."""
    assert rename_information("C:\\ä") == (
        b"\x03\0\0\0" + b"\0\0\0\0" + bytes(8) + b"\x08\0\0\0" + b"C\0:\0\\\0\xe4\0" + b"\0\0"
    )
