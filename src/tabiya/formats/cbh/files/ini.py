"""``.ini``: display data of a base: its title and its picture. A Windows ini file in the author's code page."""

from __future__ import annotations

from tabiya.game.annotations import TextEncoding

DESCRIPTION = "DescrCBG"


def parse_ini(data: bytes, encoding: TextEncoding) -> dict[str, dict[str, str]]:
    """Return the values by section and name; other lines are skipped, and the first of equal names counts.

    Names are case-sensitive: ChessBase's own are always the same.
    """
    sections: dict[str, dict[str, str]] = {}
    section: dict[str, str] = {}
    for raw in data.splitlines():
        line = encoding.decode_name(raw).strip()
        if line.startswith("[") and line.endswith("]"):
            section = sections.setdefault(line[1:-1], {})
        elif "=" in line:
            name, _, value = line.partition("=")
            section.setdefault(name, value)
    return sections


def format_ini(sections: dict[str, dict[str, str]], encoding: TextEncoding) -> bytes:
    """Return the file with these values, as ChessBase writes it."""
    lines = []
    for name, values in sections.items():
        lines += [f"[{name}]", *(f"{key}={value}" for key, value in values.items())]
    return b"".join(encoding.encode_name(line) + b"\r\n" for line in lines)


def title_of(sections: dict[str, dict[str, str]]) -> str:
    """Return the title of the base; empty if there is none."""
    return sections.get(DESCRIPTION, {}).get("Title", "")
