"""The library: games, positions and filters in one folder, ``name.tabiya``, designed for searching.

It preserves everything, and other programs can read its Parquet files directly; docs/formats/library.md describes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.formats.capabilities import Keeps
from tabiya.formats.format import APPEND, Format, Lazy, Match, Option
from tabiya.formats.library.messages import SENTENCES

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LIBRARY"]

_SUFFIX: Final = ".tabiya"
_MANIFEST: Final = "manifest.json"


def _sniff(head: bytes, path: Path | None) -> Match:
    """Match a folder with that suffix, or one with a manifest and games."""
    if head or path is None:
        return Match.NO
    try:
        if not path.is_dir():
            return Match.NO
        known = path.suffix.lower() == _SUFFIX or ((path / _MANIFEST).is_file() and any(path.glob("games-*.parquet")))
        return Match.CERTAIN if known else Match.NO
    except (OSError, ValueError):
        return Match.NO


LIBRARY: Final = Format(
    name="library",
    title="Library",
    suffixes=(_SUFFIX,),
    keeps=Keeps.everything(),
    sniff=_sniff,
    open=Lazy("tabiya.formats.library.database:LibraryDatabase"),
    create=Lazy("tabiya.formats.library.writer:LibraryWriter"),
    write_options=(
        APPEND,
        Option("positions", "Create no position index.", bool, on=True),
        Option("variations", "Index the positions of variations as well.", bool),
    ),
    problems=SENTENCES,
    check=Lazy("tabiya.formats.library.checking:check_contents"),
    compact=Lazy("tabiya.formats.library.compaction:compact"),
    copy=Lazy("tabiya.formats.library.compaction:copy_library"),
    edit=Lazy("tabiya.formats.library.editing:LibraryEditor"),
    merge=Lazy("tabiya.formats.library.merging:merge_library"),
    rebuild=Lazy("tabiya.formats.library.rebuilding:rebuild_library"),
)
