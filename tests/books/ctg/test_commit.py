"""A commit of a CTG book that fails at any step takes nothing away."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabiya.books import open_book
from tabiya.books.ctg.bulk_writing import write_book
from tabiya.books.ctg.record import columns_of_records
from tabiya.errors import TabiyaError
from tests.books.ctg.corpus import random_book

STEPS: tuple[tuple[Any, str], ...] = (
    *((Path, name) for name in ("rename", "replace", "hardlink_to", "unlink", "chmod")),
    (os, "fsync"),
    (shutil, "copy2"),
)


def failing_step(monkeypatch: pytest.MonkeyPatch, number: int, *, links: bool) -> list[str]:
    """Let one step of a commit fail, once; gives the names of those that were tried."""
    tried: list[str] = []
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", no_links)

    def guarded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def step(*args: Any, **options: Any) -> Any:
            if name == "rename" and Path(args[1]).name.startswith(".tabiya-"):
                return function(*args, **options)  # a temporary file is claimed; without that it is just not swept
            tried.append(name)
            if len(tried) == number + 1:
                raise OSError(errno.ENOSPC, "No space left on device")
            return function(*args, **options)

        return step

    for owner, name in STEPS:
        monkeypatch.setattr(owner, name, guarded(name, getattr(owner, name)))
    return tried


def no_links(*args: object) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("existing", [(), (".ctg",), (".ctg", ".ctb", ".cto")])
@pytest.mark.parametrize("number", range(20))
def test_a_failed_commit_takes_nothing_away(
    number: int, existing: tuple[str, ...], links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = random_book(1, 6, 9), random_book(2, 6, 9)
    path = tmp_path / "book.ctg"
    write_book(tmp_path / "new.ctg", [columns_of_records(new.values())])
    expected = {place.suffix: place.read_bytes() for place in tmp_path.iterdir()}
    for place in list(tmp_path.iterdir()):
        place.unlink()
    write_book(path, [columns_of_records(old.values())])
    for place in list(tmp_path.iterdir()):
        if place.suffix not in existing:
            place.unlink()
        elif os.name != "nt":
            place.chmod(0o640)
    before = {place.suffix: place.read_bytes() for place in tmp_path.iterdir()}
    with monkeypatch.context() as patch:
        tried = failing_step(patch, number, links=links)
        try:
            write_book(path, [columns_of_records(new.values())], overwrite=bool(existing))
        except TabiyaError as error:
            assert "no space left" in str(error)
            failed = "the new book is" not in str(error)
            if not failed:
                assert not links, "without hard links a change that has begun is finished by the next program"
                with open_book(path):
                    pass
        else:
            failed = False
    shown = {place.suffix: place.read_bytes() for place in tmp_path.iterdir() if not place.name.startswith(".")}
    assert shown == (before if failed else expected)
    assert failed or len(tried) <= number or tried[number] in ("unlink", "hardlink_to", "fsync") or not links
    if failed or len(tried) <= number:
        places = [place for place in tmp_path.iterdir() if not place.name.endswith("-lock")]
        assert {place.suffix for place in places} == set(shown), "nothing half-written stays behind"
    if os.name != "nt":
        assert all(path.with_suffix(suffix).stat().st_mode & 0o777 == 0o640 for suffix in existing)
