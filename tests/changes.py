"""Changes of files by all users of the transaction, for tests that interrupt them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import tabiya
from tabiya.books import Entry, create_book, edit_book, merge_books, open_book
from tabiya.chess import Move, Position
from tabiya.files.transaction import AtomicFile
from tabiya.formats import FORMATS
from tabiya.formats.cbh import CBH
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.cbh.archive.extracting import extract
from tabiya.formats.format import APPEND, Format
from tabiya.formats.library.manifest import MANIFEST, own_number
from tabiya.game import Annotation, Extra, Game, GuidingText, RecordKind

Files = dict[str, bytes]


@dataclass(frozen=True)
class Change:
    """A change of the files in a folder."""

    make: Callable[[Path], object]
    prepare: Callable[[Path], object]
    """Makes the old files."""
    reads: tuple[str, ...] = ()
    """The files that a reader opens afterwards, if they exist: this finishes an interrupted change."""


def files(folder: Path) -> Files:
    """All files by their bytes, except locks without an owner; libraries, which merge segments, by their games."""
    found: Files = {}
    for path in folder.rglob("*"):
        if path.is_dir() and path.suffix == ".tabiya":
            with tabiya.open(path) as library:
                found[path.name] = "\n".join(each.to_pgn() for each in library).encode()
        own = path.parent.suffix == ".tabiya" and (own_number(path.name) is not None or path.name == MANIFEST)
        if path.is_file() and not own and not path.name.endswith(".tabiya-lock"):
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


def read(path: Path) -> None:
    """Open a database or book, and read it."""
    if path.exists() or path.suffix in (".cbh", ".si4", ".si5", ".ctg"):  # which are known by their journal, too
        with suppress(FileNotFoundError):
            if path.suffix in (".bin", ".abk", ".ctg"):
                with open_book(path) as book:
                    assert list(book.positions())
            else:
                with tabiya.open(path) as database:
                    assert len(list(database)) == len(database) > 0


def files_after(folder: Path, change: Change) -> Files:
    """All files after an interrupted change, the next opening and the next write in each folder."""
    for name in change.reads:
        read(folder / name)
    for path in folder.rglob(".tabiya-new-*"):  # its writer, which is dead, might be about to lock it
        minute_ago = path.stat().st_mtime - 61
        os.utime(path, (minute_ago, minute_ago))
    for place in [folder, *(path for path in folder.rglob("*") if path.is_dir())]:
        if place.is_dir() and not place.name.startswith(".tabiya-"):
            AtomicFile(place / "probe").commit()
            (place / "probe").unlink()
    return files(folder)


# What is changed.


def game(name: str, comment: str = "") -> Game:
    found = Game({"White": name, "Black": "Black", "Event": "E", "Result": "1-0"})
    if comment:
        found.annotations.append(Annotation(0x02, comment.encode()))
    return found


def write(path: Path, *names: str, **options: Any) -> None:
    with tabiya.create(path, **options) as writer:
        writer.write([game(name, f"comment of {name}") for name in names])


def make_base(path: Path) -> None:
    """A base with a deleted game, top games, a booster, a key, and pictures."""
    old = [game("A"), game("B", "a comment"), game("C")]
    old[1].deleted = True
    old[2].extras = [Extra("cbh.top_game", b"3")]
    with tabiya.create(path) as writer:
        writer.write(old)
    path.with_suffix(".cko").write_bytes(b"key")
    path.with_suffix(".html").mkdir()
    path.with_suffix(".html").joinpath("old.jpg").write_bytes(b"picture")


def make_bases(folder: Path) -> None:
    make_base(folder / "x.cbh")
    (folder / "other").mkdir()
    write(folder / "other" / "y.cbh", "Y")
    for which in ("y.html", "y.bmp"):
        (folder / "other" / which).mkdir()
        (folder / "other" / which / "new.jpg").write_bytes(b"new picture")


def make_archive(folder: Path) -> None:
    """A base, and an archive with another one of the same name."""
    (folder / "new").mkdir()
    make_base(folder / "new" / "x.cbh")
    (folder / "new" / "x.html" / "new.jpg").write_bytes(b"new picture")
    tabiya.pack(folder / "new" / "x.cbh", folder / "x.cbv")
    shutil.rmtree(folder / "new")
    (folder / "old").mkdir()
    write(folder / "old" / "x.cbh", "O")
    (folder / "old" / "notes.txt").write_bytes(b"mine")


def make_texts(folder: Path) -> None:
    text = Game()
    text.kind = RecordKind.TEXT
    text.texts = [GuidingText(0, "One", 3, b"<p>First"), GuidingText(1, "Eins", 3, b"<p>Erster")]
    with tabiya.create(folder / "x.cbh") as writer:
        writer.write([text])
    (folder / "pages").mkdir()
    (folder / "pages" / "index.html").write_bytes(b"old")


def unpack(folder: Path, name: str) -> None:
    with Archive(folder / "x.cbv") as archive:
        extract(archive, folder / name, overwrite=True)


E2, E4, D4 = 12, 28, 27


def make_book(path: Path, move: Move, **options: Any) -> None:
    with create_book(path, **options) as book:
        book.add(Position(), [Entry(move=move, games=3, wins=1, draws=1, losses=1, weight=3)])


def make_books(folder: Path, suffix: str) -> None:
    make_book(folder / f"x{suffix}", Move.of(E2, E4))
    make_book(folder / f"other{suffix}", Move.of(11, D4))
    if suffix == ".ctg":
        (folder / "other.ini").write_bytes(b"options")


def replace_record(path: Path) -> None:
    with tabiya.edit(path) as editor:
        editor.replace(2, game("N", "a longer comment"))


def mark(path: Path) -> None:
    with tabiya.edit(path) as editor:
        editor.delete([1])
        editor.undelete([2])


def edit_player(path: Path, field: str) -> None:
    with tabiya.edit(path) as editor:
        editor.edit("players", 0, **{field: "Another"})


def copy(path: Path, source: str) -> None:
    tabiya.copy(path.parent / source, path, overwrite=True)


def prepare(folder: Path, form: Format) -> None:
    if form is CBH:
        make_bases(folder)
        return
    name = f"x{form.suffixes[0]}"
    write(folder / name, "A", "B", "C")
    write(folder / f"other{form.suffixes[0]}", "Y")
    if form.edit is not None:
        with tabiya.edit(folder / name) as editor:
            editor.delete([2])


def on(folder: Path, *, name: str, make: Callable[[Path], object]) -> None:
    make(folder / name)


def databases() -> Iterator[tuple[str, Change]]:
    for form in FORMATS.built_in:
        if form.create is None:
            continue
        suffix = form.suffixes[0]
        makes: dict[str, Callable[[Path], object]] = {"overwrite": lambda path: write(path, "N", overwrite=True)}
        if APPEND in form.write_options:
            makes["append"] = lambda path: write(path, "N", append=True)
        if form.edit is not None:
            makes |= {"replace": replace_record, "mark": mark}
        if form.name in ("cbh", "scid", "scid5"):
            makes["edit"] = partial(edit_player, field="last" if form is CBH else "name")
        if form.compact is not None:
            makes["compact"] = tabiya.compact
        if form.copy is not None:
            makes["copy"] = partial(copy, source="other/y.cbh" if form is CBH else f"other{suffix}")
        prepared, name, new = partial(prepare, form=form), f"x{suffix}", f"new{suffix}"
        for what, make in makes.items():
            yield f"{form.name} {what}", Change(partial(on, name=name, make=make), prepared, (name,))
        yield f"{form.name} create", Change(partial(on, name=new, make=write_new), prepared, (name, new))


def write_new(path: Path) -> None:
    write(path, "N")


def books() -> Iterator[tuple[str, Change]]:
    makes: dict[str, Callable[[Path], object]] = {
        "overwrite": lambda path: make_book(path, Move.of(E2, E4 - 8), overwrite=True),
        "edit": edit_one_move,
        "merge": lambda path: merge_books([path.with_stem("other")], path, overwrite=True),
    }
    for suffix in (".bin", ".abk", ".ctg"):
        prepared, name, new = partial(make_books, suffix=suffix), f"x{suffix}", f"new{suffix}"
        for what, make in makes.items():
            yield f"{suffix} {what}", Change(partial(on, name=name, make=make), prepared, (name,))
        make_new = partial(make_book, move=Move.of(E2, E4))
        yield f"{suffix} create", Change(partial(on, name=new, make=make_new), prepared, (new,))


def edit_one_move(path: Path) -> None:
    values = {".bin": "weight", ".abk": "games", ".ctg": "recommendation"}
    with edit_book(path) as editor:
        editor.set(Position(), "e4", **{values[path.suffix]: 4})


def export(folder: Path) -> None:
    tabiya.export_texts(folder / "x.cbh", folder / "pages", overwrite=True)


def split(folder: Path) -> None:
    tabiya.split(folder / "x.cbh", str(folder / "{white}.si4"), by="white")


def write_table(folder: Path) -> None:
    tabiya.write_table(folder / "x.cbh", folder / "x.csv", overwrite=True)


CHANGES: Final = {
    **dict(databases()),
    **dict(books()),
    "unpack into a new folder": Change(partial(unpack, name="new"), make_archive, ("x.cbv", "new/x.cbh")),
    "unpack over a base": Change(partial(unpack, name="old"), make_archive, ("x.cbv", "old/x.cbh")),
    "export texts": Change(export, make_texts, ("x.cbh",)),
    "split": Change(split, make_bases, ("x.cbh",)),
    "table": Change(write_table, make_bases, ("x.cbh",)),
}
"""By name: every format with all its changes, every kind of book, and changes of folders."""
