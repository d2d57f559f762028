"""Scid databases: an index, a name file and a file with the game data; si3 is read, si4 and si5 are also written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tabiya.files.journals import journal_of
from tabiya.files.safe_names import folded
from tabiya.formats.capabilities import Keeps
from tabiya.formats.format import APPEND, ENCODING, Format, Lazy, Match, Option
from tabiya.formats.scid.messages import LEFT_OUT, SENTENCES

if TYPE_CHECKING:
    from pathlib import Path

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
        return Match.NO  # an index begins differently
    return _sniff_name(path, _SUFFIXES_4)


def _sniff_5(head: bytes, path: Path | None) -> Match:  # noqa: ARG001 - si5 has no mark that could be seen
    return _sniff_name(path, _SUFFIXES_5)


def _sniff_name(path: Path | None, suffixes: tuple[str, ...]) -> Match:
    """Return whether a path is a base by its name: one of its files, its stem or its folder."""
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
            needed = {f".s{kind}{path.suffix[-1]}" for kind in "ign"}
            return Match.LIKELY if needed <= _suffixes_beside(path, path.stem) else Match.NO
        if path.exists() or not path.parent.is_dir():
            return Match.NO
        beside = _suffixes_beside(path, path.name)
        newest = next((suffix for suffix in (*_SUFFIXES_5, *_SUFFIXES_4) if suffix in beside), None)
        return Match.LIKELY if newest in suffixes else Match.NO
    except OSError:
        return Match.NO


def _suffixes_beside(path: Path, stem: str) -> set[str]:
    """Return the suffixes of the files with a stem, ignoring case."""
    beside = [each for each in path.parent.iterdir() if folded(each.stem) == folded(stem) and each.is_file()]
    return {each.suffix.lower() for each in beside}


_COMMON: Final[dict[str, Any]] = {
    "open": Lazy("tabiya.formats.scid.database:ScidDatabase"),
    "read_options": (ENCODING,),
    "write_options": (
        APPEND,
        Option("description", "The description of the target, as Scid shows it.", metavar="TEXT"),
    ),
    "main": Lazy("tabiya.formats.scid.base_files:index_at"),
    "check": Lazy("tabiya.formats.scid.checking:check_base"),
    "compact": Lazy("tabiya.formats.scid.compaction:compact"),
    "copy": Lazy("tabiya.formats.scid.compaction:copy_base"),
    "edit": Lazy("tabiya.formats.scid.editing:BaseEditor"),
}
"""Common to both generations: the files determine which one it is."""

SCID4: Final = Format(
    name="scid",
    title="Scid (si4)",
    suffixes=_SUFFIXES_4,
    keeps=KEEPS_4,
    sniff=_sniff_4,
    create=Lazy("tabiya.formats.scid.writer:Scid4Writer"),
    problems=SENTENCES,
    left_out=LEFT_OUT,
    **_COMMON,
)
SCID5: Final = Format(
    name="scid5",
    title="Scid 5 (si5)",
    suffixes=_SUFFIXES_5,
    keeps=KEEPS_5,
    sniff=_sniff_5,
    create=Lazy("tabiya.formats.scid.writer:Scid5Writer"),
    **_COMMON,
)
