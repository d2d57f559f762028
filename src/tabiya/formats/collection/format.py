"""The description of a collection: several databases that are read as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tabiya.formats.capabilities import Keeps
from tabiya.formats.format import Format, Match

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.formats.database import Database

UNREADABLE_FILE: Final = 190
"""Problem code: a file that was found cannot be read at all."""


def _sniff(_head: bytes, _path: Path | None) -> Match:
    return Match.NO  # the content of a folder decides, and it is only examined when no format recognises the folder


def _open(place: Any, /, *, recursive: bool = False) -> Database:
    from tabiya.formats import FORMATS  # noqa: PLC0415 - which need this module
    from tabiya.formats.collection.database import open_collection  # noqa: PLC0415 - imports pyarrow

    return open_collection(place, format=None, formats=FORMATS, recursive=recursive, options={})


COLLECTION: Final = Format(
    name="collection",
    title="several databases",
    suffixes=(),
    keeps=Keeps.everything(),
    sniff=_sniff,
    open=_open,
    problems={UNREADABLE_FILE: "a file could not be read, so its games are missing here"},
    left_out={UNREADABLE_FILE: "files that could not be read"},
)
"""Not in FORMATS: no file has this format."""
