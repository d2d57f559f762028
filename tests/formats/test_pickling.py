"""A database that was opened from a path goes to other processes, which open it for themselves."""

from __future__ import annotations

import copy
import io
import multiprocessing
import os
import pickle
from pathlib import Path

import pytest

import tabiya

GAMES = '[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n'


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    return path


def names(database: tabiya.Database) -> list[str | None]:
    return [game.white for game in database]


@pytest.mark.parametrize("suffix", [".pgn", ".cbh", ".si4", ".si5", ".bcgn", ".jose", ".parquet", ".tabiya", ".cbv"])
def test_every_format(games: Path, suffix: str) -> None:
    path = games.with_name(f"other{suffix}")
    if suffix == ".cbv":
        tabiya.convert(games, games.with_name("base.cbh"))
        tabiya.pack(games.with_name("base.cbh"), path)
    elif suffix != ".pgn":
        tabiya.convert(games, path)
    else:
        path = games
    with tabiya.open(path) as database, pickle.loads(pickle.dumps(database)) as again:
        assert again is not database
        assert again.format is database.format
        assert names(again) == names(database) == ["A", "B"]
        with copy.copy(database) as copied:
            assert names(copied) == ["A", "B"]
    with tabiya.open(path) as database:
        part = pickle.loads(pickle.dumps(database[1:]))
        assert [game.white for game in part] == ["B"]
        part._database.close()


def test_another_process(games: Path) -> None:
    """Spawned, so that it inherits nothing."""
    with tabiya.open(games) as database, multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(names, (database,)) == ["A", "B"]


def test_collections(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(games.parent)
    for location in (".", "*.pgn", [Path("games.pgn")], (each for each in ["games.pgn"])):
        with tabiya.open(location) as database:
            packed = pickle.dumps(database)
            assert names(database) == ["A", "B"]
            monkeypatch.chdir(os.path.sep)
            with pickle.loads(packed) as again:
                assert names(again) == ["A", "B"]
            monkeypatch.chdir(games.parent)


def test_options_go_with_it(games: Path) -> None:
    games.write_text('[White "A"]\n\n1. Sf3 *\n', "utf-8")
    with tabiya.open(games, language="de") as database, pickle.loads(pickle.dumps(database)) as again:
        assert again[0] == database[0]
        assert [str(node) for node in again[0].mainline()]


def test_what_cannot_go_says_why(games: Path) -> None:
    database = tabiya.open(games)
    archive = games.with_name("base.cbz")
    tabiya.convert(games, games.with_name("base.cbh"))
    tabiya.pack(games.with_name("base.cbh"), archive, password="secret")
    refused = {
        "it is a stream": tabiya.open(io.BytesIO(GAMES.encode())),
        "it was made from another database": database.filter(player="A"),
        "the pickle would contain a password": tabiya.open(archive, password="secret"),
        "its formats were given": tabiya.open(games, formats=tabiya.FORMATS[:1]),
        "its format was given as an object": tabiya.open(games, format=tabiya.FORMATS[0]),
    }
    for why, each in refused.items():
        with each, pytest.raises(tabiya.UsageError, match=f"cannot be pickled: {why}"):
            pickle.dumps(each)
    database.close()
    with pytest.raises(tabiya.UsageError, match="the database is closed"):
        pickle.dumps(database)


# Opening books.


@pytest.fixture
def book(games: Path) -> Path:
    path = games.with_name("book.bin")
    games.write_text(GAMES.replace("*", "1/2-1/2"), "utf-8")  # games without a result do not count
    tabiya.build_book(games, path, options=tabiya.BuildOptions(min_games=1))
    return path


def moves(book: tabiya.Book) -> list[str]:
    return sorted(str(entry.move) for entry in book.probe(tabiya.Position()))


@pytest.mark.parametrize("suffix", [".bin", ".abk", ".ctg"])
def test_every_format_of_books(book: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = book.with_suffix(suffix)
    if path != book:
        tabiya.convert_book(book, path)
    monkeypatch.chdir(path.parent)
    with tabiya.open_book(path.name) as opened:
        packed = pickle.dumps(opened)
        monkeypatch.chdir(os.path.sep)
        with pickle.loads(packed) as again:
            assert again is not opened
            assert again.format is opened.format
            assert moves(again) == moves(opened) == ["d2d4", "e2e4"]


def test_a_book_in_another_process(book: Path) -> None:
    with tabiya.open_book(book, format="polyglot") as opened, multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(moves, (opened,)) == ["d2d4", "e2e4"]


def test_books_that_cannot_be_pickled(book: Path) -> None:
    opened = tabiya.open_book(book)
    refused = {
        "its formats were given": tabiya.open_book(book, formats=(opened.format,)),
        "its format was given as an object": tabiya.open_book(book, format=opened.format),
        "it was not opened from a path": opened.format.open(book),
    }
    for why, each in refused.items():
        with each, pytest.raises(tabiya.UsageError, match=f"cannot be pickled: {why}"):
            pickle.dumps(each)
    opened.close()
    with pytest.raises(tabiya.UsageError, match="the book is closed"):
        pickle.dumps(opened)
