"""Journals of folders: they touch nothing outside of their folder, and other writers finish them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tabiya.errors import CorruptError, UsageError
from tabiya.files.folder_transaction import FolderTransaction
from tabiya.files.recovery import FileSet, FolderFiles, recover
from tabiya.files.transaction import AtomicFile, Transaction

TEMPORARY = f".tabiya-01234567-{'0' * 16}.tmp"


def decide(folder: Path, *names: str, source: str = f"{TEMPORARY}/new/a") -> None:
    """A folder as a killed writer leaves it."""
    (folder / TEMPORARY / "new").mkdir(parents=True)
    (folder / TEMPORARY / "new" / "a").write_bytes(b"new")
    journal = {"new": [[source, name] for name in names], "gone": [], "folders": []}
    (folder / ".tabiya-journal").write_text(json.dumps(journal))


def test_any_writer_in_the_folder_finishes_it(tmp_path: Path) -> None:
    decide(tmp_path, "sub/a")
    AtomicFile(tmp_path / "other").commit()
    assert (tmp_path / "sub" / "a").read_bytes() == b"new"
    assert not (tmp_path / ".tabiya-journal").exists()


@pytest.mark.parametrize(
    "name", ["../a", "/etc/a", "link/a", ".tabiya-journal", ".x.tabiya-lock", "sub/../../a", "C:a", ""]
)
def test_it_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside").mkdir()
    folder = tmp_path / "folder"
    folder.mkdir()
    if os.name != "nt":
        (folder / "link").symlink_to(tmp_path / "outside")
    decide(folder, name)
    with pytest.raises(CorruptError, match="names files that do not belong to this"):
        recover(FolderFiles(folder))
    assert not any((tmp_path / "outside").iterdir())
    assert (folder / TEMPORARY / "new" / "a").exists()


@pytest.mark.parametrize("source", ["x.pgn", f"{TEMPORARY}/old/a", f"{TEMPORARY}/new/../../x.pgn", "../a", "new/a"])
def test_it_takes_only_temporary_files(tmp_path: Path, source: str) -> None:
    (tmp_path / "x.pgn").write_bytes(b"mine")
    decide(tmp_path, "a", source=source)
    with pytest.raises(CorruptError, match="names files that do not belong to this"):
        recover(FolderFiles(tmp_path))
    assert (tmp_path / "x.pgn").read_bytes() == b"mine"


def test_a_damaged_journal_does_not_stop_writers_of_other_files(tmp_path: Path) -> None:
    (tmp_path / ".tabiya-journal").write_bytes(b"{")
    AtomicFile(tmp_path / "x.pgn").commit()
    assert (tmp_path / "x.pgn").exists()
    with pytest.raises(CorruptError, match="damaged"):
        recover(FolderFiles(tmp_path))


def test_files_that_appear_meanwhile_are_not_replaced(tmp_path: Path) -> None:
    files = FileSet(tmp_path / "x.a", "x", frozenset({".a", ".b"}))
    with Transaction(files) as change:
        change.open("x.a").write(b"new")
        change.open("x.b").write(b"new")
        (tmp_path / "x.a").write_bytes(b"theirs")
        with pytest.raises(UsageError, match="already exists"):
            change.commit()
    with FolderTransaction(tmp_path) as folder:
        for name in ("y", "z"):
            folder.place((name,)).write_bytes(b"new")
        (tmp_path / "z").write_bytes(b"theirs")
        with pytest.raises(UsageError, match="already exists"):
            folder.commit()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"x.a": b"theirs", "z": b"theirs"}


def test_a_check_before_the_decision(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"old")

    def changed() -> None:
        raise UsageError("was changed meanwhile")

    with AtomicFile(tmp_path / "x", overwrite=True) as file:
        file.stream.write(b"new")
        with pytest.raises(UsageError, match="was changed"):
            file.commit(check=changed)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]
