"""File names made from values of games: safe on every system, and unique."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PLACE: Final = re.compile(r"\{(n)(?::0?([1-9]))?\}|\{([^{}]*)\}")
_UNSAFE: Final = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u202a-\u202e\u2066-\u2069]+')
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(\..*)?", re.IGNORECASE)
_LONGEST: Final = 120
"""Maximum bytes of a value within a name; file systems allow 255 for a whole name."""
_UNKNOWN: Final = "unknown"


def safe_name(value: str | None) -> str:
    """Return a text as a part of a file name that is valid on every system and contains no path."""
    text = _UNSAFE.sub("_", unicodedata.normalize("NFC", value or "")).strip()
    text = text.encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore").rstrip(" .")
    if not text.strip("_?"):
        return _UNKNOWN
    if text.startswith("."):
        text = f"_{text[1:]}"
    return f"_{text}" if _RESERVED.fullmatch(text) else text


class NameTemplate:
    """A template for file names such as ``games/{event}.pgn`` or ``part-{n:03}.pgn``."""

    def __init__(self, template: str, fields: Sequence[str] = ()) -> None:
        """Read a template.

        Args:
            template: a path with fields in braces; ``{n}`` counts the files from 1, ``{n:3}`` with three digits.
            fields: the known fields.

        Raises:
            UsageError: A field is unknown, or all files would have the same name.
        """
        self._template = template
        named = [found[3] for found in _PLACE.finditer(template) if found[1] is None]
        offered = ", ".join(f"{{{field}}}" for field in ("n", *fields))
        if unknown := [name for name in named if name not in fields]:
            raise UsageError(f"{template!r} has a {{{unknown[0]}}}, which is unknown; known: {offered}")
        self._counts = any(found[1] for found in _PLACE.finditer(template))
        if not self._counts and {*fields} - {*named}:
            missing = next(field for field in fields if field not in named)
            raise UsageError(f"{template!r} would be the name of several files: it needs {{{missing}}} or {{n}}")
        if not self._counts and not fields:
            raise UsageError(f"{template!r} would be the name of several files: it needs {{n}}")
        self._taken: set[str] = set()

    def name(self, number: int, values: Mapping[str, str | None]) -> Path:
        """Return the name of a file; names that some systems consider equal get a number after the value."""
        attempt = 1
        while True:
            path = self._filled(number, values, attempt)
            known = unicodedata.normalize("NFKC", str(path)).casefold()
            if known not in self._taken:
                self._taken.add(known)
                return Path(path)
            attempt += 1

    def _filled(self, number: int, values: Mapping[str, str | None], attempt: int) -> str:
        last = next((found.span() for found in reversed([*_PLACE.finditer(self._template)])), None)

        def fill(found: re.Match[str]) -> str:
            text = str(number).zfill(int(found[2] or 1)) if found[1] else safe_name(values[found[3]])
            return f"{text} ({attempt})" if attempt > 1 and found.span() == last else text

        return _PLACE.sub(fill, self._template)
