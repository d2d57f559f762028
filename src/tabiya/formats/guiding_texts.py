"""The guiding texts of a database: found, and written as HTML pages with the media files they use."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.files.file_errors import errors_of
from tabiya.files.folder_transaction import FolderTransaction
from tabiya.files.safe_names import safe_parts
from tabiya.formats.open_and_create import opened
from tabiya.formats.url import local_path
from tabiya.game import RecordKind
from tabiya.game.annotations.guiding import guiding_language

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from tabiya.files.safe_names import Parts
    from tabiya.formats.database import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.game import Game
    from tabiya.game.record import GuidingText

_HTML_FORMAT: Final = 3
_MEDIA_FOLDERS: Final = (".html", ".bmp", ".wav")
"""Folders beside a base: ``games.html`` beside ``games.cbh``."""
_MANIFEST: Final = "cbh.media"
"""The extra that lists further files: a title, their number, then a name per line."""
_INDEX: Final = "index.html"
_INDEX_PAGE: Final = """\
<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{title}</title></head><body>
<h1>{title}</h1>
<ul>
{entries}
</ul>
</body></html>
"""
_LONGEST_TITLE: Final = 80


def text_records(source: Locations | Database) -> Iterator[Game]:
    """Yield the records of a database that are guiding texts; in a file, only these are read in full.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
    """
    with opened(source) as database:
        yield from _text_records(database)


def _text_records(database: Database) -> Iterator[Game]:
    if database.path is None:  # a stream can be read only once
        for batch in database.batches():
            yield from (game for game in batch.games() if game.kind is RecordKind.TEXT)
        return
    position = 0
    for headers in database.headers():
        for kind in headers["kind"].to_pylist():
            if kind == RecordKind.TEXT:
                yield database[position]
            position += 1


@dataclass(frozen=True, slots=True)
class TitledText:
    """One language of a guiding text that has content."""

    text: GuidingText
    title: str
    """Its title, else the title of another language, else its first words."""

    @property
    def code(self) -> str:
        """The language: three letters, or a number."""
        return guiding_language(self.text.lang)


def guiding_texts_of(record: Game) -> list[TitledText]:
    """Return the languages of a guiding text that have content; ChessBase stores empty pages for the others."""
    filled = [(text, text.plain()) for text in record.texts]
    other = next((text.title for text in record.texts if text.title), "")
    found = [
        TitledText(text, text.title or other or plain.strip().partition("\n")[0][:_LONGEST_TITLE])
        for text, plain in filled
        if plain.strip()
    ]
    return found or [TitledText(text, text.title) for text in record.texts if text.title]


@dataclass(frozen=True, slots=True)
class ExportReport:
    """The result of an export."""

    pages: int
    media: int
    missing: tuple[str, ...]
    """Names of media files that texts use and that do not exist."""


def export_texts(source: Locations | Database, folder: str | PathLike[str], *, overwrite: bool = False) -> ExportReport:
    """Write all guiding texts into a folder: a page per language, the media files of the pages, and an index.

    Pages of format 3 are written as they are stored. Either all files appear, or none.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        folder: the target folder; created if it does not exist.
        overwrite: replace existing files.

    Raises:
        UsageError: A file exists and ``overwrite`` is false.
    """
    with opened(source) as database:
        return _export(database, folder, overwrite=overwrite)


def _export(database: Database, folder: str | PathLike[str], *, overwrite: bool) -> ExportReport:
    media = _MediaFiles(database)
    entries = []
    place = local_path(folder)
    with FolderTransaction(place, overwrite=overwrite) as target, errors_of(place):
        for record in _text_records(database):
            for index, titled in enumerate(guiding_texts_of(record)):
                again = f"-{index}" if _repeated(record, titled) else ""
                name = f"{record.number or 0:05}-{titled.code.lower()}{again}.html"
                target.place((name,)).write_bytes(_page(titled.text))
                link = f'<a href="{name}">{escape(titled.title or name)}</a>'
                entries.append(f"<li>{record.number} {titled.code}: {link}</li>")
            media.note(record)
        for parts, source in media.found.items():
            shutil.copyfile(source, target.place(parts))
        title = escape(database.path.stem if database.path is not None else "Texts")
        page = _INDEX_PAGE.format(title=title, entries="\n".join(entries))
        target.place((_INDEX,)).write_text(page, "utf-8")
        target.commit()
    return ExportReport(len(entries), len(media.found), tuple(media.missing))


def media_file(database: Database, name: str) -> Path | None:
    """Return the picture, sound or video that a record refers to, next to the database; None if there is none.

    Files outside the folder of the database are never returned.
    """
    parts = safe_parts(name)
    return None if parts is None else _MediaFiles(database).look_for(parts)


def _page(text: GuidingText) -> bytes:
    return text.body if text.format >= _HTML_FORMAT else text.html().encode()


def _repeated(record: Game, titled: TitledText) -> bool:
    return sum(text.lang == titled.text.lang for text in record.texts) > 1


class _MediaFiles:
    """The media files that texts use: existing files by the path that pages use, and the names of missing files."""

    def __init__(self, database: Database) -> None:
        self._look_beside(getattr(database, "base", database).path)  # of an archive that is unpacked somewhere
        self.found: dict[Parts, Path] = {}
        self.missing: dict[str, None] = {}

    def _look_beside(self, path: Path | None) -> None:
        self._folder = None if path is None else (path if path.is_dir() else path.parent)
        self._stem = "" if path is None else path.stem

    def note(self, record: Game) -> None:
        """Look for all files that a record uses, next to the database it came from."""
        if record.source is not None:
            self._look_beside(Path(record.source))
        names = [name for text in record.texts for name in text.media()]
        used = {name.rpartition("/")[2].casefold() for name in names}
        listed = (name for name in _manifest(record) if name.rpartition("/")[2].casefold() not in used)
        for name in [*names, *(f"{self._stem}.html/{name}" for name in listed)]:
            parts = safe_parts(name)
            if parts is None or parts[-1].casefold() == _INDEX:
                continue  # a web address, data, or a malicious path
            source = self.look_for(parts)
            if source is None:
                self.missing[name] = None
            else:
                self.found.setdefault(parts, source)

    def look_for(self, parts: Parts) -> Path | None:
        """Return the file that pages refer to by a name, from the folders where bases store media."""
        if self._folder is None:
            return None
        for way in (parts, *((f"{self._stem}{suffix}", parts[-1]) for suffix in _MEDIA_FOLDERS)):
            path = _find(self._folder, way)
            # Files outside the folder of the base, for example through a link, never get into a page.
            if path is not None and path.is_file() and path.resolve().is_relative_to(self._folder.resolve()):
                return path
        return None


def _find(folder: Path, parts: Parts) -> Path | None:
    """Return the file of this name, ignoring case: bases come from Windows."""
    path = folder
    for part in parts:
        exact = path / part
        if not exact.exists():
            if not path.is_dir():
                return None
            matches = (each for each in sorted(path.iterdir()) if each.name.casefold() == part.casefold())
            found = next(matches, None)
            if found is None:
                return None
            exact = found
        path = exact
    return path


def _manifest(record: Game) -> list[str]:
    lines = next((extra.value for extra in record.extras if extra.key == _MANIFEST), b"").split(b"\n")
    return [line.decode("cp1252", "replace").replace("\\", "/") for line in lines[2:] if line]
