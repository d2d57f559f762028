"""Tables of the documentation as cells of diagrams, see ``diagrams.py``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from scripts.svg_shapes import Cell, width_of

DOCS = Path(__file__).parent.parent / "docs"
NUMBER = re.compile(r"[uif](\d+)$")
PAINTS = ("number", "place", "text", "bits", "plain")
"""Colours of neighbours that have no kind of their own."""


def table_after(page: str, marker: str) -> list[list[str]]:
    """Return the cells of the first table below a text of a page."""
    text = (DOCS / page).read_text("utf-8")
    if marker not in text:
        raise ValueError(f"{page} no longer has {marker!r}")
    rows: list[list[str]] = []
    for line in text[text.index(marker) :].splitlines()[1:]:
        if line.startswith("|"):
            rows.append([cell.strip().replace("&#124;", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif rows:
            break
    return [row for row in rows[2:] if row]


def kind_of(kind: str, name: str, meaning: str) -> str:
    """Return the colour of a field."""
    if name.startswith(("unknown", "reserved")):
        return "unknown"
    if (
        "offset" in name
        or name in {"white", "black", "tournament", "annotator", "source"}
        or re.match(r"(the )?ids?\b|.*\boffset\b", meaning)
    ):
        return "place"
    if name in {"flags", "marks", "medals", "magnitudes"} or re.match(r"bits? \d", meaning):
        return "bits"
    return "text" if kind.endswith("s") else "number"


def fields(page: str, marker: str) -> list[Cell]:
    """Return the fields of a record, from the table of a ``Layout``."""
    cells = []
    for offset, kind, name, meaning, *_ in table_after(page, marker):
        match = NUMBER.match(kind)
        size = int(match[1]) // 8 if match else int(kind[:-1])
        cells.append(Cell(int(offset), size, name.strip("`"), kind_of(kind, name.strip("`"), meaning)))
    return cells


def bits(meaning: str) -> list[Cell]:
    """Return the parts of a number: "bits 0-27 id, 28-31 comments"."""
    if not meaning.startswith("bit"):
        return []
    found = re.findall(r"(\d+)(?:-(\d+))?(?: and (\d+)-(\d+))? ([^\d,;][^,;]*)", meaning)
    parts = [part for low, high, low_2, high_2, name in found for part in ((low, high, name), (low_2, high_2, name))]
    return [
        Cell(int(low), int(high or low) - int(low) + 1, name.strip(), PAINTS[number % len(PAINTS)])
        for number, (low, high, name) in enumerate(part for part in parts if part[0])
    ]


def codes(rows: Sequence[Sequence[str]], base: int) -> list[Cell]:
    """Return the ranges of a table of codes, each with the first words of its meaning."""
    cells: list[Cell] = []
    for numbers, meaning, *_ in rows:
        ranges = [each.strip().strip("`") for each in numbers.replace("` `", ", ").split(",")]
        meaning = re.split(r" \[|[;,] skipped", plain(meaning))[0]
        head = meaning.partition(":")[0] if len(ranges) > 1 or len(meaning) > 40 else meaning
        names = [name.strip() for name in re.split(r"[,;] ", head)] if len(ranges) > 1 else [head.strip()]
        names = names if len(names) == len(ranges) else [head.strip()] * len(ranges)
        for each, name in zip(ranges, names, strict=True):
            low, _, high = each.replace("`–`", "-").replace("–", "-").partition("-")
            start, end = int(low, base), int(high or low, base)
            number = len({cell.name for cell in cells} | {name}) - 1
            kind = "unknown" if "never seen" in name else PAINTS[number % len(PAINTS)]
            cells.append(Cell(start, end - start + 1, name, kind))
    return cells


def sized(rows: Sequence[Sequence[str]]) -> list[Cell]:
    """Return the fields of a table of offsets, sizes and contents; a row may have several sizes."""
    cells: list[Cell] = []
    for offset, sizes, content, *_ in rows:
        if not re.fullmatch(r"[\d, ]+", sizes) or not offset[:1].isdigit():
            continue
        at, parts = int(offset.split(",")[0]), [int(size) for size in sizes.split(",")]
        head = re.split(r"[;:(]|\. |, 0", re.sub(r"\[(.*?)\]\(.*?\)|`", r"\1", content))[0].strip()
        names = re.split(r", | and ", head) if len(parts) > 1 else [head]
        names = names if len(names) == len(parts) else [head] * len(parts)
        for size, name in zip(parts, names, strict=True):
            cells.append(Cell(at, size, name, PAINTS[len(cells) % len(PAINTS)]))
            at += size
    return cells


def plain(text: str) -> str:
    """Return a text of a page without its marks."""
    return re.sub(r"\[(.*?)\]\(.*?\)|`|\*(?=\S)|(?<=\S)\*", r"\1", text)


def fitting(text: str, width: float, size: float = 10.5) -> str:
    """Return as many whole parts of a text as fit."""
    while width_of(text, size) > width:
        shorter = re.sub(r"[;:,.(] ?[^;:,.(]*$", "", text)
        text = shorter if shorter != text else text.rpartition(" ")[0]
    return re.sub(r" (as|by|of|for|and|the)$", "", text)
