"""Name corrections: from a table that a person has checked, or from a spelling file of Scid.

A table is CSV with the columns ``from`` and ``to``, and optionally ``kind``: player (the default), event, site or
round. Other columns are ignored, so the report of ``tabiya names --csv`` is such a table.

A spelling file (``.ssp``) has sections ``@PLAYER``, ``@SITE``, ``@EVENT`` and ``@ROUND``, optionally with characters to
ignore (``@PLAYER ", .-"``). Each correct name is on a line of its own, with remarks after ``#``; its other spellings
follow in lines that begin with ``=``. ``%Prefix``, ``%Infix`` and ``%Suffix`` replace parts of all names of a section.
Names are compared as in Scid, except for beginnings of names, which Scid accepts for the whole name if there is only
one.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.errors import FormatError
from tabiya.files.file_errors import errors_of
from tabiya.maintenance.csv_tables import csv_rows

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

KINDS: Final = ("player", "event", "site", "round")
_SUFFIX: Final = ".ssp"
_SECTION: Final = re.compile(r'@(\w+)\s*(?:"([^"]*)")?')
_PART: Final = re.compile(r'%(Prefix|Infix|Suffix) +"([^"]+)" +"([^"]*)"\s*')
_INFORMATION: Final = (">", "%Bio ", "%Elo ")


class Corrections:
    """Correct names by wrong ones, for each kind."""

    def __init__(self, table: Mapping[tuple[str, str], str] | None = None) -> None:
        """Use a table by kind and name, ``{("player", "Kortschnoj"): "Korchnoi, Viktor"}``."""
        self._sections = {kind: _Section() for kind in KINDS}
        for (kind, name), right in (table or {}).items():
            self._sections[kind].add(name, right)

    def section(self, kind: str) -> _Section:
        """Return the names of a kind."""
        return self._sections[kind]

    def correct(self, kind: str, name: str) -> str:
        """Return the correct form of a name; the name itself if it is not in the table."""
        return self._sections[kind].correct(name, turned=kind == "player")

    def __len__(self) -> int:
        return sum(map(len, self._sections.values()))


class _Section:
    """The names of one kind."""

    def __init__(self) -> None:
        self.ignored = ""
        self.parts: dict[str, list[tuple[str, str]]] = {"Prefix": [], "Infix": [], "Suffix": []}
        self._names: dict[str, str | None] = {}

    def __len__(self) -> int:
        return len(self._names)

    def add(self, name: str, right: str) -> None:
        """Add a spelling; one that belongs to two names is ignored."""
        key = self._key(name)
        self._names[key] = right if self._names.get(key, right) == right else None

    def correct(self, name: str, *, turned: bool) -> str:
        mended = self._mended(name)
        found = self._names.get(self._key(mended))
        if found is None and turned and self._key(mended) not in self._names:
            before, _, last = mended.rpartition(" ")  # the family name may come last
            found = self._names.get(self._key(f"{last} {before}"))
        return mended if found is None else found

    def _key(self, name: str) -> str:
        return name.translate({ord(letter): None for letter in self.ignored})

    def _mended(self, name: str) -> str:
        """Return a name with the wrong parts of any name replaced: the first that matches at each end."""
        prefix = next((pair for pair in self.parts["Prefix"] if name.startswith(pair[0])), ("", ""))
        name = prefix[1] + name[len(prefix[0]) :]
        for wrong, right in self.parts["Infix"]:
            name = name.replace(wrong, right)
        suffix = next((pair for pair in self.parts["Suffix"] if name.endswith(pair[0])), ("", ""))
        return name[: len(name) - len(suffix[0])] + suffix[1]


def read_corrections(path: str | PathLike[str]) -> Corrections:
    """Read a table or a spelling file; the suffix decides which.

    Raises:
        FormatError: It is neither; the error names the line.
    """
    place = Path(path)
    with errors_of(place):
        data = place.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # older files of Scid itself
    return _from_spelling_file(place, text) if place.suffix.lower() == _SUFFIX else _from_table(place, text)


def _from_table(path: Path, text: str) -> Corrections:
    rows = csv_rows(text)
    if not {"from", "to"} <= {*(rows.fieldnames or ())}:
        raise FormatError("has no columns from and to; a spelling file of Scid ends with .ssp", path=path)
    found, right_names = Corrections(), dict[tuple[str, str], str]()
    try:
        for row in rows:
            kind = row.get("kind") or KINDS[0]
            if kind not in KINDS or not row["from"] or not row["to"]:
                kinds = ", ".join(KINDS)
                raise FormatError(f"line {rows.line_num} needs from, to and, if any, a kind ({kinds})", path=path)
            if (other := right_names.setdefault((kind, row["from"]), row["to"])) != row["to"]:
                raise FormatError(
                    f"line {rows.line_num} has {row['to']} for {row['from']}, and a line before {other}", path=path
                )
            found.section(kind).add(row["from"], row["to"])
    except csv.Error as error:
        raise FormatError(f"line {rows.line_num} is not CSV: {error}", path=path) from error
    return found


def _from_spelling_file(path: Path, text: str) -> Corrections:
    found, section, right = Corrections(), None, None
    for number, line in enumerate(text.splitlines(), 1):
        entry = line.partition("#")[0].strip() if not line.lstrip().startswith("@") else line.strip()
        if not entry or entry.startswith(_INFORMATION):
            continue
        if entry.startswith("@"):
            section, right = _section(path, number, entry, found), None
        elif section is None:
            raise FormatError(f"line {number} comes before the first section, such as @PLAYER", path=path)
        elif entry.startswith("%"):
            if (part := _PART.fullmatch(entry)) is None:
                raise FormatError(f"line {number} makes no sense in a spelling file: {entry[:40]}", path=path)
            section.parts[part[1]].append((part[2], part[3]))
        elif entry.startswith("="):
            if right is None:
                raise FormatError(f"line {number} is another spelling, but there is no name before it", path=path)
            section.add(entry[1:].strip(), right)
        else:
            right = entry
            section.add(right, right)
    return found


def _section(path: Path, number: int, text: str, found: Corrections) -> _Section:
    head = _SECTION.match(text)
    if head is None or head[1].lower() not in KINDS:
        raise FormatError(f"line {number} names no section: @PLAYER, @SITE, @EVENT or @ROUND", path=path)
    section = found.section(head[1].lower())
    section.ignored = head[2] or ""
    return section
