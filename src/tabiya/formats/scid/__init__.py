"""Scid databases: an index, a name file and a file with the game data; si3 is read, si4 and si5 are also written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabiya.files.journals import journal_of
from tabiya.formats.capabilities import Keeps
from tabiya.formats.format import APPEND, ENCODING, Format, Match, Option, file_at
from tabiya.formats.scid.problems import LEFT_OUT, SENTENCES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tabiya.formats.conversion import GameProblem
    from tabiya.formats.database import Database
    from tabiya.formats.editor import DatabaseEditor
    from tabiya.formats.format import Place
    from tabiya.formats.progress import Progress
    from tabiya.formats.scid.database import ScidDatabase
    from tabiya.formats.tools import Compacted, Copied
    from tabiya.formats.writer import Writer

__all__ = ["SCID4", "SCID5"]

KEEPS_5: Final = replace(
    Keeps.everything(),
    results=frozenset(range(4)),
    guiding_texts=False,
    opaque=False,
    extras=frozenset({"scid."}),
)
KEEPS_4: Final = replace(KEEPS_5, chess960=False)
_SUFFIXES_4: Final = (".si4", ".sg4", ".sn4", ".si3", ".sg3", ".sn3")
_SUFFIXES_5: Final = (".si5", ".sg5", ".sn5")


def _sniff_4(head: bytes, path: Path | None) -> Match:
    if head.startswith((b"Scid.si\0\x01\x90", b"Scid.si\0\x01\x2c", b"Scid.sn\0")):
        return Match.CERTAIN
    if head and path is not None and path.suffix.lower() in (".si4", ".si3"):
        return Match.NO  # an index begins otherwise
    return _sniff_name(path, _SUFFIXES_4)


def _sniff_5(head: bytes, path: Path | None) -> Match:  # noqa: ARG001 - si5 has no mark that could be seen
    return _sniff_name(path, _SUFFIXES_5)


def _sniff_name(path: Path | None, suffixes: tuple[str, ...]) -> Match:
    """Return whether a place means a base by its name: one of its files, its stem or its folder."""
    if path is None:
        return Match.NO
    try:
        if path.is_dir():
            indexes = [each for each in path.iterdir() if each.suffix.lower().startswith(".si")]
            bases = [each for each in indexes if each.suffix.lower() in suffixes]
            return Match.LIKELY if len(bases) == len(indexes) == 1 else Match.NO  # several are a collection
        stem = path.stem if path.suffix.lower() in suffixes else path.name
        if any(journal_of(path.parent, stem + suffix).is_file() for suffix in suffixes):
            return Match.LIKELY  # opening it finishes the change
        if path.suffix.lower() in suffixes:
            wanted = {f".s{kind}{path.suffix[-1]}" for kind in "ign"}
            return Match.LIKELY if wanted <= _suffixes_beside(path, path.stem) else Match.NO
        if path.exists() or not path.parent.is_dir():
            return Match.NO
        beside = _suffixes_beside(path, path.name)
        newest = next((suffix for suffix in (*_SUFFIXES_5, *_SUFFIXES_4) if suffix in beside), None)
        return Match.LIKELY if newest in suffixes else Match.NO
    except OSError:
        return Match.NO


def _suffixes_beside(path: Path, stem: str) -> set[str]:
    """Return the suffixes of the files of a stem, both in any letters."""
    beside = [each for each in path.parent.iterdir() if each.stem.lower() == stem.lower() and each.is_file()]
    return {each.suffix.lower() for each in beside}


def _open_4(place: Place, /, *, encoding: str = "auto") -> Database:
    from tabiya.formats.scid.database import ScidDatabase  # noqa: PLC0415 - costs pyarrow

    return ScidDatabase(file_at(place), SCID4, encoding=encoding)


def _open_5(place: Place, /, *, encoding: str = "auto") -> Database:
    from tabiya.formats.scid.database import ScidDatabase  # noqa: PLC0415 - costs pyarrow

    return ScidDatabase(file_at(place), SCID5, encoding=encoding)


_WRITE_OPTIONS: Final = (
    APPEND,
    Option("description", "The description of the target, as Scid shows it.", metavar="TEXT"),
)


def _create_4(
    place: Place,
    /,
    *,
    overwrite: bool = False,
    strict: bool = False,
    append: bool = False,
    description: str | None = None,
) -> Writer:
    from tabiya.formats.scid.index_file import SI4  # noqa: PLC0415 - costs numpy
    from tabiya.formats.scid.writer import ScidWriter  # noqa: PLC0415 - costs pyarrow

    return ScidWriter(place, SCID4, SI4, overwrite=overwrite, strict=strict, append=append, description=description)


def _create_5(
    place: Place,
    /,
    *,
    overwrite: bool = False,
    strict: bool = False,
    append: bool = False,
    description: str | None = None,
) -> Writer:
    from tabiya.formats.scid.index_file import SI5  # noqa: PLC0415 - costs numpy
    from tabiya.formats.scid.writer import ScidWriter  # noqa: PLC0415 - costs pyarrow

    return ScidWriter(place, SCID5, SI5, overwrite=overwrite, strict=strict, append=append, description=description)


def _main(path: Path, /) -> Path:
    from tabiya.formats.scid.base_files import base_at  # noqa: PLC0415 - costs numpy

    generation, files = base_at(path)
    return files[generation.index]


def _check(
    database: ScidDatabase, /, *, threads: int = 1, progress: Callable[[Progress], None] | None = None
) -> Iterator[GameProblem]:
    from tabiya.formats.scid.checking import check_base  # noqa: PLC0415 - costs pyarrow

    return check_base(database, threads=threads, progress=progress)


def _format_of(path: Path) -> Format:
    return SCID5 if _main(path).suffix.lower() == ".si5" else SCID4


def _compact(path: Path, /, *, keep_deleted: bool = False, threads: int = 1) -> Compacted:
    from tabiya.formats.scid.compaction import compact  # noqa: PLC0415 - costs pyarrow

    return compact(path, _format_of(path), keep_deleted=keep_deleted, threads=threads)


def _copy(path: Path, target: Path, /, *, overwrite: bool = False) -> Copied:
    from tabiya.formats.scid.compaction import copy_base  # noqa: PLC0415 - costs pyarrow

    return copy_base(path, target, _format_of(path), overwrite=overwrite)


def _edit(path: Path, /) -> DatabaseEditor:
    from tabiya.formats.scid.editing import BaseEditor  # noqa: PLC0415 - costs pyarrow

    return BaseEditor(path, _format_of(path))


SCID4: Final = Format(
    name="scid",
    title="Scid (si4)",
    suffixes=_SUFFIXES_4,
    keeps=KEEPS_4,
    sniff=_sniff_4,
    open=_open_4,
    create=_create_4,
    read_options=(ENCODING,),
    write_options=_WRITE_OPTIONS,
    main=_main,
    check=_check,
    compact=_compact,
    copy=_copy,
    edit=_edit,
    problems=SENTENCES,
    left_out=LEFT_OUT,
)
SCID5: Final = Format(
    name="scid5",
    title="Scid 5 (si5)",
    suffixes=_SUFFIXES_5,
    keeps=KEEPS_5,
    sniff=_sniff_5,
    open=_open_5,
    create=_create_5,
    read_options=(ENCODING,),
    write_options=_WRITE_OPTIONS,
    main=_main,
    check=_check,
    compact=_compact,
    copy=_copy,
    edit=_edit,
)
