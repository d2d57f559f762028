"""The library: games, positions and filters in one folder, ``name.tabiya``, made for searching.

It keeps everything, and other programs read its Parquet files as they are; docs/formats/library.md describes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.formats.capabilities import Keeps
from tabiya.formats.format import APPEND, Format, Match, Option, file_at
from tabiya.formats.library.problems import SENTENCES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tabiya.formats.conversion import GameProblem
    from tabiya.formats.database import Database
    from tabiya.formats.editor import DatabaseEditor
    from tabiya.formats.format import Place
    from tabiya.formats.library.database import LibraryDatabase
    from tabiya.formats.progress import Progress
    from tabiya.formats.tools import Compacted, Copied, Merged
    from tabiya.formats.writer import Writer

__all__ = ["LIBRARY"]

_SUFFIX: Final = ".tabiya"
_MANIFEST: Final = "manifest.json"


def _sniff(head: bytes, path: Path | None) -> Match:
    """A folder of that name, or one with a manifest and games."""
    if head or path is None:
        return Match.NO
    try:
        if not path.is_dir():
            return Match.NO
        known = path.suffix.lower() == _SUFFIX or ((path / _MANIFEST).is_file() and any(path.glob("games-*.parquet")))
        return Match.CERTAIN if known else Match.NO
    except (OSError, ValueError):
        return Match.NO


def _open(place: Place, /) -> Database:
    from tabiya.formats.library.database import LibraryDatabase  # noqa: PLC0415 - costs pyarrow

    return LibraryDatabase(file_at(place))


def _create(
    place: Place,
    /,
    *,
    overwrite: bool = False,
    strict: bool = False,
    append: bool = False,
    positions: bool | None = None,
    variations: bool | None = None,
) -> Writer:
    from tabiya.formats.library.writer import LibraryWriter  # noqa: PLC0415 - costs pyarrow

    return LibraryWriter(
        file_at(place),
        overwrite=overwrite,
        strict=strict,
        append=append,
        positions=positions,
        variations=variations,
    )


def _check(
    database: LibraryDatabase, /, *, threads: int = 1, progress: Callable[[Progress], None] | None = None
) -> Iterator[GameProblem]:
    from tabiya.formats.library.checking import check_contents  # noqa: PLC0415 - costs pyarrow

    return check_contents(database, threads=threads, progress=progress)


def _compact(path: Path, /, *, keep_deleted: bool = False, threads: int = 1) -> Compacted:
    from tabiya.formats.library.compaction import compact  # noqa: PLC0415 - costs pyarrow

    return compact(path, keep_deleted=keep_deleted, threads=threads)


def _copy(path: Path, target: Path, /, *, overwrite: bool = False) -> Copied:
    from tabiya.formats.library.compaction import copy_library  # noqa: PLC0415 - costs pyarrow

    return copy_library(path, target, overwrite=overwrite)


def _edit(path: Path, /) -> DatabaseEditor:
    from tabiya.formats.library.editing import LibraryEditor  # noqa: PLC0415 - costs pyarrow

    return LibraryEditor(path)


def _merge(path: Path, /) -> Merged:
    from tabiya.formats.library.merging import merge_library  # noqa: PLC0415 - costs pyarrow

    return merge_library(path)


def _rebuild(path: Path, /, *, threads: int = 1, progress: Callable[[Progress], None] | None = None) -> int:
    from tabiya.formats.library.rebuilding import rebuild_library  # noqa: PLC0415 - costs pyarrow

    return rebuild_library(path, threads=threads, progress=progress)


LIBRARY: Final = Format(
    name="library",
    title="Library",
    suffixes=(_SUFFIX,),
    keeps=Keeps.everything(),
    sniff=_sniff,
    open=_open,
    create=_create,
    write_options=(
        APPEND,
        Option("positions", "Make no position index.", bool, on=True),
        Option("variations", "Put the positions of variations into the index as well.", bool),
    ),
    problems=SENTENCES,
    check=_check,
    compact=_compact,
    copy=_copy,
    edit=_edit,
    merge=_merge,
    rebuild=_rebuild,
)
