"""Relative paths that are found in files: only those that cannot lead outside of a folder are used."""

from __future__ import annotations

import unicodedata
from typing import Final, TypeAlias

Parts: TypeAlias = tuple[str, ...]
"""Folder names, followed by a file name."""

_OWN: Final = ".tabiya-"
_OWN_ENDS: Final = (".tabiya-journal", ".tabiya-lock")
_FORBIDDEN: Final = frozenset('<>:"|?*') | {chr(code) for code in (*range(32), 127)}
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{digit}" for port in ("com", "lpt") for digit in "123456789¹²³"}
)
"""Names that Windows reserves for devices, with any suffix."""


def safe_parts(name: str) -> Parts | None:
    """Return the folders and the file of a relative path found in a file; None if it may lead outside."""
    parts = tuple(name.replace("\\", "/").split("/"))
    for part in parts:
        if not part.strip(" .") or part != part.rstrip(" .") or _FORBIDDEN & set(part):
            return None  # empty, "..", drives and streams; Windows drops blanks and dots at the end
        if part.partition(".")[0].strip().lower() in _DEVICES:
            return None
    return parts


def folded(name: str) -> str:
    """Return a name such that names are equal which file systems without case, or with decomposed letters, confuse."""
    return unicodedata.normalize("NFC", name).lower()


def is_own(parts: Parts) -> bool:
    """Return whether tabiya uses such a name for temporary files, journals or locks: no archive may contain it."""
    return any(part.lower().startswith(_OWN) or part.lower().endswith(_OWN_ENDS) for part in parts)
