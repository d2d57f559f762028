"""The small books that lie beside the tests: bytes of today are read tomorrow, and written the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import tabiya
from tabiya.books import check_book
from tests.conftest import ROOT
from tests.data.books import make

FOLDER = ROOT / "tests" / "data" / "books"


@pytest.mark.parametrize("name", ["small.bin", "headed.bin"])
def test_polyglot(name: str) -> None:
    with tabiya.open_book(FOLDER / name) as book:
        assert len(book) == len(make.LINES)
        for line, moves in make.LINES.items():
            position = make.position_of(line)
            weights = {position.san(entry.move): entry.weight for entry in book.probe(position)}
            assert weights == {move: numbers[0] for move, numbers in moves.items()}
    assert list(check_book(FOLDER / name)) == []


def test_arena() -> None:
    with tabiya.open_book(FOLDER / "small.abk") as book:
        assert len(book) == len(make.LINES) - 1
        for line, moves in make.LINES.items():
            position = make.position_of(line)
            for entry in book.probe(position):
                expected = moves[position.san(entry.move)]
                assert (entry.games, entry.wins, entry.draws, entry.losses) == expected[1:]
    assert list(check_book(FOLDER / "small.abk")) == []


def test_they_are_made_the_same_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "FOLDER", tmp_path)
    make.main()
    for name in ("small.bin", "small.abk", "headed.bin"):
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("name", ["small.bin", "headed.bin", "small.abk"])
def test_every_cut_is_survived(tmp_path: Path, name: str) -> None:
    """Books that break off: read as far as they go, or refused with a clear error."""
    data = (FOLDER / name).read_bytes()
    path = tmp_path / name
    shutil.copy(FOLDER / name, path)
    for size in sorted({*range(0, min(len(data), 300), 7), *range(max(0, len(data) - 200), len(data), 9)}):
        path.write_bytes(data[:size])
        try:
            with tabiya.open_book(path) as book:
                found = sum(len(book.probe(make.position_of(line))) for line in make.LINES)
                assert found <= sum(map(len, make.LINES.values()))
        except tabiya.TabiyaError as error:
            assert str(path) in str(error)
