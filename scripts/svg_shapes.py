"""Shapes of the diagrams in the documentation: rows of bytes and bits, maps of codes, lanes. See ``diagrams.py``.

A picture has its own background and follows the colours of the reader's system, so it is readable everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

WIDTH: Final = 760
"""Of every picture."""
MARGIN: Final = 20
INNER: Final = WIDTH - 2 * MARGIN
KINDS: Final = ("place", "number", "text", "bits", "unknown", "plain")
"""Classes of colours: places and references, numbers, texts, sums of bits, unknown bytes, everything else."""

_STYLE: Final = """
:root{color-scheme:light dark}
svg{font-family:system-ui,sans-serif}
.paper{fill:#fff;stroke:#d0d7de}.ink{fill:#1f2328}.soft{fill:#59636e}.line{stroke:#59636e;fill:none}.tip{fill:#59636e}
.lane{fill:#f6f8fa}
.cell{stroke:#fff;stroke-width:1.5}.place{fill:#cfe3ff}.number{fill:#d3f0d8}.text{fill:#fdedb5}.bits{fill:#e8dafc}
.unknown{fill:#e4e7eb}.plain{fill:#ffdcc9}
@media (prefers-color-scheme:dark){
.paper{fill:#16191f;stroke:#3a414b}.ink{fill:#f0f3f6}.soft{fill:#a9b3bf}.line{stroke:#a9b3bf}.tip{fill:#a9b3bf}
.lane{fill:#1e232b}
.cell{stroke:#16191f}.place{fill:#1f4a80}.number{fill:#1e5a33}.text{fill:#65500f}.bits{fill:#51367d}
.unknown{fill:#343a43}.plain{fill:#7a3a1c}}
"""


def width_of(text: str, size: float = 12) -> float:
    """Return about how wide a text is."""
    return sum(0.33 if letter in "iljtfr.,:;|' ()[]" else 0.88 if letter in "mwMW@…" else 0.6 for letter in text) * size


@dataclass
class Drawing:
    """A picture that grows downward."""

    title: str
    y: float = MARGIN
    parts: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, size: float = 12, style: str = "ink", anchor: str = "start") -> None:
        """Write a text; ``y`` is its baseline."""
        weight = ' font-weight="600"' if style == "ink strong" else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" class="{style.split()[0]}" '
            f'text-anchor="{anchor}"{weight}>{escape(text, quote=False)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, kind: str, radius: float = 3) -> None:
        """Draw a filled cell."""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" class="cell {kind}"/>'
        )

    def line(self, *points: tuple[float, float], arrow: bool = False) -> None:
        """Draw a line through points, with a tip at its end."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" class="line"{" marker-end=" + repr("url(#tip)") * arrow}/>')

    def heading(self, text: str) -> None:
        """Begin a part of the picture."""
        self.y += 18
        self.text(MARGIN, self.y, text, 13.5, "ink strong")
        self.y += 10

    def words(self, text: str, size: float = 12) -> None:
        """Write a paragraph, broken into lines."""
        line = ""
        for word in [*text.split(), ""]:
            if line and (not word or width_of(f"{line} {word}", size) > INNER):
                self.y += size + 5
                self.text(MARGIN, self.y, line, size, "soft")
                line = word
            else:
                line = f"{line} {word}".strip()
        self.y += 6

    def svg(self) -> str:
        """Return the picture."""
        height = self.y + MARGIN
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" '
                f'height="{height:g}" role="img">',
                f"<title>{escape(self.title, quote=False)}</title>",
                f"<style>{_STYLE}</style>",
                '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
                'orient="auto"><path d="M0,0L8,4L0,8z" class="tip"/></marker></defs>',
                f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1:g}" rx="8" class="paper"/>',
                *self.parts,
                "</svg>\n",
            ]
        )


@dataclass(frozen=True)
class Cell:
    """A field of a record, or of a number: where it begins, how long it is, what it is called."""

    start: int
    size: int
    name: str
    kind: str = "plain"


def _label(drawing: Drawing, cell: Cell, x: float, y: float, width: float, height: float, mark: str) -> bool:
    """Write what fits into a cell; return whether its name did not."""
    drawing.text(x + 4, y + 11, mark, 9, "soft")
    if width_of(cell.name, 11.5) > width - 6:
        return True
    drawing.text(x + width / 2, y + height - 8, cell.name, 11.5, anchor="middle")
    return False


def byte_rows(drawing: Drawing, cells: Sequence[Cell], columns: int = 16, longest: int = 16) -> None:
    """Draw a record, some bytes in a row. Longer fields are shortened; names without space are listed below."""
    unit, height = INNER / columns, 34.0
    at, listed = 0, []
    for cell in cells:
        shown = min(cell.size, longest)
        name = (
            cell if cell.size <= longest else Cell(cell.start, cell.size, f"{cell.name}, {cell.size} bytes", cell.kind)
        )
        pieces: list[tuple[int, int]] = []
        while shown:
            step = min(shown, columns - at % columns)
            pieces.append((at, step))
            at, shown = at + step, shown - step
        widest = max(pieces, key=lambda piece: piece[1])
        for piece in pieces:
            x, y = MARGIN + piece[0] % columns * unit, drawing.y + piece[0] // columns * (height + 3)
            drawing.box(x, y, piece[1] * unit, height, cell.kind)
            if piece == widest and _label(drawing, name, x, y, piece[1] * unit, height, str(cell.start)):
                listed.append(f"{cell.start} {name.name}")
    drawing.y += -(-at // columns) * (height + 3)
    listing(drawing, listed)


def bit_row(drawing: Drawing, cells: Sequence[Cell], bits: int) -> None:
    """Draw a number, its highest bit at the left; bits that no cell describes are unused."""
    unit, height = INNER / bits, 34.0
    described = {bit for cell in cells for bit in range(cell.start, cell.start + cell.size)}
    free = [Cell(bit, 1, "", "unknown") for bit in range(bits) if bit not in described]
    listed: list[str] = []
    for cell in sorted([*cells, *free], key=lambda each: -each.start):
        x, width = MARGIN + (bits - cell.start - cell.size) * unit, cell.size * unit
        drawing.box(x, drawing.y, width, height, cell.kind)
        mark = str(cell.start) if cell.size == 1 else f"{cell.start + cell.size - 1}–{cell.start}"
        if _label(drawing, cell, x, drawing.y, width, height, mark):
            listed.append(f"{mark} {cell.name}")
    drawing.y += height + 3
    listing(drawing, listed[::-1])


def listing(drawing: Drawing, entries: Iterable[str]) -> None:
    """List names that did not fit, in as many columns as their lengths allow, downward."""
    entries = list(entries)
    if not entries:
        return
    columns = max(1, int(INNER // (max(width_of(entry, 11) for entry in entries) + 12)))
    rows = -(-len(entries) // columns)
    for number, entry in enumerate(entries):
        x = MARGIN + number // rows * (INNER / columns)
        drawing.text(x + 4, drawing.y + 14 + number % rows * 15, entry, 11, "soft")
    drawing.y += rows * 15 + 8


def code_map(drawing: Drawing, cells: Sequence[Cell], columns: int = 16, digits: str = "02x") -> None:
    """Draw the 256 values of a byte; a run of one meaning is one cell per row."""
    left, height = 34.0, 25.0
    unit = (INNER - left) / columns
    for row in range(256 // columns):
        y = drawing.y + row * (height + 1)
        drawing.text(MARGIN, y + 16, format(row * columns, digits), 10.5, "soft")
    listed: list[str] = []
    taken = {code for cell in cells for code in range(cell.start, cell.start + cell.size)}
    free = [Cell(code, 1, "", "unknown") for code in range(256) if code not in taken]
    for cell in [*cells, *free]:
        pieces = []
        at, end = cell.start, cell.start + cell.size
        while at < end:
            step = min(end - at, columns - at % columns)
            pieces.append((at, step))
            at += step
        widest = max(pieces, key=lambda piece: piece[1])
        for piece in pieces:
            x, y = MARGIN + left + piece[0] % columns * unit, drawing.y + piece[0] // columns * (height + 1)
            drawing.box(x, y, piece[1] * unit, height, cell.kind)
            if piece != widest or not cell.name:
                continue
            if width_of(cell.name, 11) < piece[1] * unit - 4:
                drawing.text(x + piece[1] * unit / 2, y + 16.5, cell.name, 11, anchor="middle")
            else:
                codes = format(cell.start, digits) + (f"–{format(end - 1, digits)}" if cell.size > 1 else "")
                drawing.text(x + piece[1] * unit / 2, y + 16.5, format(cell.start, digits), 9, "soft", "middle")
                listed.append(f"{codes} {cell.name}")
    drawing.y += 256 // columns * (height + 1) + 2
    listing(drawing, listed)


def sequence(drawing: Drawing, label: str, cells: Sequence[Cell]) -> None:
    """Draw the parts of a stream, each as wide as its name, after a label."""
    x, height = MARGIN + 150.0, 26.0
    drawing.text(MARGIN, drawing.y + 17, label, 12)
    for cell in cells:
        width = max(24.0, width_of(cell.name, 11.5) + 14)
        if x + width > WIDTH - MARGIN:
            x, drawing.y = MARGIN + 150.0, drawing.y + height + 3
        drawing.box(x, drawing.y, width, height, cell.kind)
        drawing.text(x + width / 2, drawing.y + 17, cell.name, 11.5, anchor="middle")
        x += width + 2
    drawing.y += height + 6


def steps(drawing: Drawing, boxes: Sequence[tuple[str, str, str]]) -> None:
    """Draw boxes one after the other with arrows: the head, a text below it, and the kind of each."""
    gap = 22.0
    width, height = (INNER - gap * (len(boxes) - 1)) / len(boxes), 66.0
    for number, (head, text, kind) in enumerate(boxes):
        x = MARGIN + number * (width + gap)
        drawing.box(x, drawing.y, width, height, kind, 5)
        drawing.text(x + width / 2, drawing.y + 20, head, 12, "ink strong", "middle")
        for line, words in enumerate(text.split("\n")):
            drawing.text(x + width / 2, drawing.y + 38 + line * 15, words, 10.5, "soft", "middle")
        if number:
            middle = drawing.y + height / 2
            drawing.line((x - gap + 3, middle), (x - 3, middle), arrow=True)
    drawing.y += height + 8
