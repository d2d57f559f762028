from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import UsageError
from tabiya.formats.guiding_texts import export_texts, guiding_texts_of, text_records
from tabiya.game import Extra, Game, GuidingText, RecordKind
from tests.formats.memory_format import FULL
from tests.formats.suite import contents
from tests.systems import needs_links


def record(*texts: GuidingText, media: bytes = b"") -> Game:
    game = Game()
    game.kind = RecordKind.TEXT
    game.texts = list(texts)
    if media:
        game.extras = [Extra("cbh.media", media)]
    return game


RECORDS = [
    record(GuidingText(0, "One", 3, b'<p>First<img src="book.html\\a.jpg"><img src="http://example.org/x.jpg">')),
    Game({"White": "A"}),
    record(
        GuidingText(0, "", 3, b"<p>Only text"), GuidingText(1, "Zwei", 3, b"<html></html>"), GuidingText(9, "", 1, b"x")
    ),
    record(
        GuidingText(0, "Three", 3, b'<img src="..\\secret.txt"><img src="gone.jpg">'), media=b"FilesUsed\n1\nb.jpg\n"
    ),
    record(GuidingText(0, "Same", 3, b"a"), GuidingText(0, "Same", 3, b"b")),
]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A database with texts, and what its texts use in folders beside it."""
    folder = tmp_path / "book"
    (folder / "Book.HTML").mkdir(parents=True)
    (folder / "Book.HTML" / "A.JPG").write_bytes(b"picture a")
    (folder / "Book.HTML" / "b.jpg").write_bytes(b"picture b")
    (tmp_path / "secret.txt").write_bytes(b"secret")
    with tabiya.create(folder / "book.full", format=FULL) as writer:
        writer.write(RECORDS)
    return folder / "book.full"


def test_finding_texts(book: Path) -> None:
    with tabiya.open(book, format=FULL) as database:
        assert [each.number for each in text_records(database)] == [1, 3, 4, 5]
    with book.open("rb") as stream, tabiya.open(stream, format=FULL) as database:
        assert [each.number for each in text_records(database)] == [1, 3, 4, 5]


def test_what_is_shown() -> None:
    assert [(each.code, each.title) for each in guiding_texts_of(RECORDS[2])] == [("ENG", "Zwei"), ("9", "Zwei")]
    assert [(each.code, each.title) for each in guiding_texts_of(record(GuidingText(1, "Title only", 3, b"")))] == [
        ("GER", "Title only")
    ]
    assert [each.title for each in guiding_texts_of(record(GuidingText(0, "", 3, b"<p>Begins so<p>and")))] == [
        "Begins so"
    ]
    assert guiding_texts_of(record(GuidingText(0, "", 3, b"<html></html>"))) == []


def test_export(book: Path, tmp_path: Path) -> None:
    with tabiya.open(book, format=FULL) as database:
        report = export_texts(database, tmp_path / "out")
    files = contents(tmp_path / "out")
    index = files.pop("index.html").decode()
    assert report == type(report)(6, 2, ("gone.jpg",))
    assert files.pop("00003-9.html").decode().count("<p>x</p>") == 1
    assert files == {
        "00001-eng.html": RECORDS[0].texts[0].body,
        "00003-eng.html": b"<p>Only text",
        "00004-eng.html": RECORDS[3].texts[0].body,
        "00005-eng-0.html": b"a",
        "00005-eng-1.html": b"b",
        "book.html/a.jpg": b"picture a",
        "book.html/b.jpg": b"picture b",
    }
    assert '<a href="00001-eng.html">One</a>' in index


@needs_links
def test_links_that_lead_away_are_not_copied(book: Path, tmp_path: Path) -> None:
    (book.parent / "Book.HTML" / "A.JPG").unlink()
    (book.parent / "Book.HTML" / "A.JPG").symlink_to(tmp_path / "secret.txt")
    with tabiya.open(book, format=FULL) as database:
        report = export_texts(database, tmp_path / "out")
    assert set(report.missing) == {"book.html/a.jpg", "gone.jpg"}
    assert b"secret" not in contents(tmp_path / "out").values()


def test_nothing_is_replaced_unless_asked_for(book: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "00004-eng.html").write_bytes(b"mine")
    with tabiya.open(book, format=FULL) as database:
        with pytest.raises(UsageError, match="already exists"):
            export_texts(database, tmp_path / "out")
        assert contents(tmp_path / "out") == {"00004-eng.html": b"mine"}
        export_texts(database, tmp_path / "out", overwrite=True)
    assert contents(tmp_path / "out")["00004-eng.html"] == RECORDS[3].texts[0].body


@pytest.mark.parametrize("packed", [False, True])
def test_a_base_of_chessbase(packed: bool, samples: Callable[[str], Path], tmp_path: Path) -> None:
    base = samples("cbh/text/text.cbh")
    if packed:
        from tabiya.formats.cbh.archive.packing import pack

        pack(base, tmp_path / "text.cbv")
    with tabiya.open(tmp_path / "text.cbv" if packed else base) as database:
        report = export_texts(database, tmp_path / "out")
    assert (report.pages, report.media, report.missing) == (15, 2, ())
    files = contents(tmp_path / "out")
    name = "JaquesCookStaunton.jpg"
    assert files[f"text.html/{name}"] == (base.parent / "text.html" / name).read_bytes()
