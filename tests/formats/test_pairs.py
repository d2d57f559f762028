"""Conversions between all pairs of formats: what is not reported lost has arrived."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import LossError
from tabiya.formats import Format
from tabiya.game import difference
from tests.formats.corpus import corpus, cut
from tests.formats.suite import ALL_FORMATS, WRITABLE, contents, make_batches_tiny, name_of

each_pair = pytest.mark.parametrize(
    ("source", "target"), list(product(WRITABLE, repeat=2)), ids=lambda format: name_of(format)
)

each_reader_and_writer = pytest.mark.parametrize(
    ("source", "target"),
    [(a, b) for a, b in product(WRITABLE, repeat=2) if a is b or "pgn" in (a.name, b.name)],
    ids=lambda format: name_of(format),
)
"""To and from PGN, and from each to itself: for what a reader or a writer does alone, whatever the other one is."""


@pytest.fixture
def source_path(source: Format, tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    path = folder / f"games{source.suffixes[0]}"
    with tabiya.create(path, formats=ALL_FORMATS) as writer:
        writer.write(cut(corpus(), 4))
    return path


@each_pair
def test_conversion(source_path: Path, target: Format, tmp_path: Path) -> None:
    before = contents(source_path.parent)
    path = tmp_path / f"copy{target.suffixes[0]}"
    report = tabiya.convert(source_path, path, formats=ALL_FORMATS)
    assert contents(source_path.parent) == before
    with tabiya.open(source_path, formats=ALL_FORMATS) as old, tabiya.open(path, formats=ALL_FORMATS) as new:
        assert (report.read, report.written) == (len(old), len(new))
        assert report.target_format == new.format.name == target.name
        assert bool(report.losses) or report.written == report.read
        if not report.losses:
            assert [difference(a, b) for a, b in zip(old, new, strict=True)] == [[]] * len(old)


@each_reader_and_writer
def test_threads(source_path: Path, target: Format, tmp_path: Path) -> None:
    results = []
    for threads in (1, 2, 5):
        folder = tmp_path / str(threads)
        folder.mkdir()
        path = folder / f"copy{target.suffixes[0]}"
        report = tabiya.convert(source_path, path, formats=ALL_FORMATS, threads=threads)
        results.append((report, contents(folder)))
    assert all(result == results[0] for result in results)


@each_pair
def test_strict(source_path: Path, target: Format, tmp_path: Path) -> None:
    folder = tmp_path / "target"
    folder.mkdir()
    path = folder / f"copy{target.suffixes[0]}"
    losses = tabiya.convert(source_path, path, formats=ALL_FORMATS).losses
    before = contents(folder)
    if losses:
        with pytest.raises(LossError):
            tabiya.convert(source_path, path, formats=ALL_FORMATS, strict=True, overwrite=True)
    else:
        tabiya.convert(source_path, path, formats=ALL_FORMATS, strict=True, overwrite=True)
    assert contents(folder) == before


@each_reader_and_writer
def test_batches_make_no_difference(
    source_path: Path, target: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, tiny = (tmp_path / f"{name}{target.suffixes[0]}" for name in ("usual", "tiny"))
    report = tabiya.convert(source_path, usual, formats=ALL_FORMATS)
    with tabiya.open(usual, formats=ALL_FORMATS) as database:
        games = list(database)
    make_batches_tiny(monkeypatch)
    assert tabiya.convert(source_path, tiny, formats=ALL_FORMATS, threads=3) == report
    with tabiya.open(source_path, formats=ALL_FORMATS) as source:
        assert len(list(source.batches())) > 1
    with tabiya.open(tiny, formats=ALL_FORMATS) as database:
        assert [difference(a, b) for a, b in zip(database, games, strict=True)] == [[]] * len(games)
        assert [game.number for game in database] == list(range(1, len(games) + 1))
