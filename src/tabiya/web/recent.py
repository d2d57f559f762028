"""The databases and books that the user opened before, in a file of the user's state folder.

A page can open one of them only by its number in the list of the running server, never by a path of its choice.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final, Literal

from tabiya.errors import TabiyaError
from tabiya.files.transaction import AtomicFile
from tabiya.files.user_folders import user_folder
from tabiya.web.request import ApiError

_MOST: Final = 20
_MOST_BYTES: Final = 1 << 18


@dataclass(frozen=True, slots=True)
class RecentFile:
    """A database or a book that was opened."""

    path: str
    kind: Literal["database", "book"]
    format_title: str
    opened: str
    """UTC, ISO 8601."""
    records: int | None = None


def recent_list() -> Path:
    """Return the file in which they are remembered."""
    return user_folder("state") / "recent.json"


class Recent:
    """What was opened before, the latest first. Without access to its file nothing is remembered, and nothing fails.

    Two servers that write at the same moment may forget an entry.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = recent_list() if file is None else file
        self._lock = Lock()
        self._numbers: dict[str, int] = {}
        """By path; a number means the same path as long as the server runs."""

    def files(self) -> list[RecentFile]:
        """Return what is remembered; a damaged file is an empty list."""
        try:
            with self._file.open("rb") as file:
                listed = json.loads(file.read(_MOST_BYTES + 1))
            found = [RecentFile(**each) for each in listed["recent"][:_MOST]]
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return []
        return [each for each in found if _is_valid(each)]

    def numbered(self) -> list[tuple[int, RecentFile]]:
        """Return the same with numbers to open them by."""
        with self._lock:
            return [(self._numbers.setdefault(each.path, len(self._numbers) + 1), each) for each in self.files()]

    def path_of(self, number: int) -> Path:
        """Return the path for a number of the list."""
        return Path(self._entry(number).path)

    def _entry(self, number: int) -> RecentFile:
        found = next((each for own, each in self.numbered() if own == number), None)
        if found is None:
            raise ApiError(404, f"The list of recent databases has no number {number}.")
        return found

    def note(
        self, path: Path, kind: Literal["database", "book"], format_title: str, records: int | None = None
    ) -> None:
        """Remember that a file was opened now; or how many records it has, if it is remembered already."""
        now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        entry = RecentFile(str(path.absolute()), kind, format_title, now, records)
        with self._lock:
            before = self.files()
            known = next((each for each in before if each.path == entry.path), None)
            if records is None and known is not None:
                entry = replace(entry, records=known.records)
            self._write([entry, *(each for each in before if each.path != entry.path)])

    def count(self, path: Path, records: int) -> None:
        """Remember how many records a file has, if it is in the list."""
        with self._lock:
            before = self.files()
            after = [replace(each, records=records) if each.path == str(path) else each for each in before]
            if after != before:
                self._write(after)

    def forget(self, number: int) -> None:
        """Forget one of them."""
        path = self._entry(number).path
        with self._lock:
            self._write([each for each in self.files() if each.path != path])

    def forget_all(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._write([])

    def _write(self, files: list[RecentFile]) -> None:
        text = json.dumps({"recent": [asdict(each) for each in files[:_MOST]]}, indent=1)
        with suppress(OSError, TabiyaError, UnicodeEncodeError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with AtomicFile(self._file, overwrite=True) as file:
                file.stream.write(text.encode())
                file.commit()
            self._file.chmod(0o600)


def _is_valid(file: RecentFile) -> bool:
    texts: tuple[object, ...] = (file.path, file.format_title, file.opened)
    return (
        all(isinstance(each, str) for each in texts)
        and Path(file.path).is_absolute()
        and "\0" not in file.path
        and file.kind in {"database", "book"}
        and (file.records is None or (type(file.records) is int and file.records >= 0))
    )
