"""No book takes the place of another one unless that is asked for, whichever way it is made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tabiya.books import BookFormat
from tabiya.books.open_and_create import BOOK_FORMATS
from tabiya.chess import Position
from tabiya.errors import UsageError
from tests.books.books_corpus import random_lines, write_lines

START = Position()
Door = Callable[[BookFormat, Path, Path], object]


def create(format: BookFormat, _: Path, target: Path) -> None:
    with format.create(target) as writer:
        for position, entries in random_lines(1, 5).items():
            writer.add(position, entries)


def merge(format: BookFormat, source: Path, target: Path) -> None:
    assert format.merge is not None
    with format.open(source) as book:
        format.merge([book], target)


def repair(format: BookFormat, source: Path, target: Path) -> None:
    format.repair(source, target)


def edit(format: BookFormat, source: Path, target: Path) -> None:
    assert format.edit is not None
    with format.edit(source, target=target) as editor:
        editor.set(START, START.legal_moves()[0], **{next(iter(editor.limits)): 3})


@pytest.mark.parametrize("door", [create, merge, repair, edit])
@pytest.mark.parametrize("format", BOOK_FORMATS, ids=lambda format: format.name)
def test_a_book_that_is_there_stays(format: BookFormat, door: Door, tmp_path: Path) -> None:
    suffix = format.suffixes[0]
    source = write_lines(tmp_path / f"a{suffix}", random_lines(2, 5))
    write_lines(tmp_path / f"b{suffix}", random_lines(3, 5))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(UsageError, match="exists"):
        door(format, source, tmp_path / f"b{suffix}")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    door(format, source, tmp_path / f"c{suffix}")
    assert (tmp_path / f"c{suffix}").exists()
