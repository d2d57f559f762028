"""Draws the diagrams of the documentation from its tables and from the lists in the code.

    python -m scripts.diagrams

The tables are those that tests compare with the code; a test compares the pictures with what this draws.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable

from scripts.diagram_tables import DOCS, PAINTS, bits, codes, fields, fitting, kind_of, plain, sized, table_after
from scripts.doc_dumps import dumps
from scripts.svg_shapes import INNER, MARGIN, Cell, Drawing, bit_row, byte_rows, code_map, sequence, steps
from tabiya.formats.cbh.archive import cbv

ROOT = DOCS.parent
PICTURES = DOCS / "pictures"


def record(title: str, page: str, *parts: tuple[str, str]) -> Callable[[], Drawing]:
    """Return what draws records: their headings, and the texts in the page above their tables."""

    def draw() -> Drawing:
        drawing = Drawing(title)
        for heading, marker in parts:
            drawing.heading(heading)
            byte_rows(drawing, fields(page, marker))
        return drawing

    return draw


def architecture() -> Drawing:
    """Draw the layers of the package, from the contract of import-linter and the list of packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = next(each for each in project["tool"]["importlinter"]["contracts"] if each["id"] == "layers")["layers"]
    page = (DOCS / "architecture.md").read_text("utf-8")
    content = dict(re.findall(r"^  (\w+)/ +(.*)$", page, re.MULTILINE))
    drawing = Drawing("The layers of tabiya: every package imports only from those below it")
    for number, layer in enumerate(layers):
        names = [name.strip("() ") for name in layer.split("|")]
        width = INNER / len(names)
        for place, name in enumerate(names):
            x = MARGIN + place * width
            drawing.box(x, drawing.y, width, 42, PAINTS[number // 3 % len(PAINTS)], 5)
            text = fitting(content.get(name, ""), width - 24, 11)
            baseline = drawing.y + (18 if text else 25)
            drawing.text(x + 12, baseline, name.replace("__main__", "python -m tabiya"), 13, "ink strong")
            drawing.text(x + 12, drawing.y + 34, text, 11, "soft")
        drawing.y += 44
    return drawing


def conversion() -> Drawing:
    """Draw the way of a conversion through the packages, from the table of the page."""
    rows = table_after("architecture.md", "## Follow one conversion")
    lanes: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        parts = row[1].strip("`").split("/")
        lane = "/".join(parts[:2]) if parts[0] == "formats" and len(parts) > 2 else parts[0]
        lanes.setdefault("formats" if lane == "formats/operations" else lane, []).append(number)
    drawing = Drawing("The way of tabiya convert a.cbh b.pgn through the packages")
    width, height = INNER / len(lanes), 30.0
    top = drawing.y
    for number, lane in enumerate(lanes):
        x = MARGIN + number * width
        drawing.parts.append(
            f'<rect x="{x + 2:g}" y="{top:g}" width="{width - 4:g}" height="{34 + height * len(rows):g}" rx="5" '
            'class="lane"/>'
        )
        drawing.text(x + width / 2, top + 20, f"{lane}/", 12, "ink strong", "middle")
    middles = {
        step: (MARGIN + (number + 0.5) * width, top + 48 + step * height)
        for number, steps_of in enumerate(lanes.values())
        for step in steps_of
    }
    for step in range(1, len(rows)):
        (x, y), (to_x, to_y) = middles[step - 1], middles[step]
        drawing.line((x, y + 11), (x, y + 15), (to_x, y + 15), (to_x, to_y - 12), arrow=True)
    for step, row in enumerate(rows):
        x, y = middles[step]
        name = row[2].strip("`")
        drawing.box(x - width / 2 + 3, y - 11, width - 6, 22, PAINTS[list(lanes).index(_lane_of(lanes, step)) % 5])
        drawing.text(x, y + 4, f"{row[0]} {name}", 10.5, anchor="middle")
    drawing.y = top + 34 + height * len(rows)
    return drawing


def _lane_of(lanes: dict[str, list[int]], step: int) -> str:
    return next(lane for lane, numbers in lanes.items() if step in numbers)


def cbh_bits() -> Drawing:
    """Draw the numbers of a ChessBase header that are sums of bits."""
    page = (DOCS / "formats" / "cbh-files.md").read_text("utf-8")
    drawing = Drawing("Bits in the header of a ChessBase game")
    drawing.heading("date, 24 bits")
    bit_row(drawing, [Cell(0, 5, "day", "number"), Cell(5, 4, "month", "place"), Cell(9, 15, "year", "text")], 24)
    drawing.heading("eco, 16 bits")
    bit_row(drawing, [Cell(0, 7, "sub code", "place"), Cell(7, 9, "number + 1: 1 is A00, 500 is E99", "number")], 16)
    for name, size in (("Flags", 32), ("Medals", 16)):
        drawing.heading(f"{name.lower()}, {size} bits")
        text = re.search(rf"^- \*\*{name}\*\*: (.*?)\. ", page, re.MULTILINE)
        if text is None:
            raise ValueError(f"the page no longer lists {name}")
        cells = []
        for bit, second, meaning in re.findall(r"(\d+)(?: and (\d+))? ([a-z].*?)(?=, \d|$)", text[1]):
            cells += [Cell(int(each), 1, meaning, "bits") for each in (bit, second) if each]
        bit_row(drawing, cells, size)
    return drawing


def cbg_numbers() -> Drawing:
    """Draw the numbers of the compact coder."""
    drawing = Drawing("The numbers of moves in .cbg and .ctg, before they are permuted")
    code_map(drawing, codes(table_after("formats/cbh-moves.md", "### The compact coder"), 10), digits="d")
    return drawing


def jose_codes() -> Drawing:
    """Draw the first bytes of codes in a game text of jose."""
    drawing = Drawing("The codes of jose's game text, by their first byte")
    code_map(drawing, codes(table_after("formats/jose.md", "A text is a stream of codes"), 16))
    return drawing


def streams() -> Drawing:
    """Draw the order of lines in the streams of several formats, from the dumps on their pages."""
    drawing = Drawing("One game in the streams of six formats")
    pgn = "e4 e5 ( c5 $1 {Sicilian} Nf3 ) Nf3 Nc6 1/2-1/2"
    marks = "({$)1"
    sequence(
        drawing,
        "PGN",
        [Cell(0, 1, part, _paint(is_move=part[0] not in marks, is_note=part[0] in "{$")) for part in pgn.split()],
    )
    rows = {dump.source: dump for dump in dumps()}
    for label, source in STREAMS.items():
        cells: list[Cell] = []
        for line in rows[source].lines:
            name = re.split(r"[;,(]|$", line.meaning)[0].strip()
            is_move = name.startswith("move ")
            if not cells and not is_move:
                continue
            is_note = name.startswith(("NAG", "text", "comment"))
            text = name.removeprefix("move ").removeprefix("text ").strip('"').replace("NAG ", "$")
            if " = " not in text:
                cells.append(Cell(0, 1, SHORT.get(text, text), _paint(is_move=is_move, is_note=is_note)))
            if text.startswith("end of the game"):
                break
        sequence(drawing, label, cells)
    drawing.words(
        "Green: moves. Yellow: annotations. Purple: marks of lines. In .cbg and .2cbg annotations are in a file of "
        "their own, and a line is complete before its alternatives; BCGN keeps the main line only."
    )
    return drawing


def _paint(*, is_move: bool, is_note: bool) -> str:
    return "number" if is_move else "text" if is_note else "bits"


STREAMS = {
    "ChessBase .cbg": "worked.cbg",
    "ChessBase .2cbg": "worked.2cbg",
    "jose": "worked.bin",
    "Scid": "worked.sg4",
    "BCGN, level 1": "worked.bcgn",
}
SHORT = {
    "keep the position": "keep",
    "keep the position before 1…e5": "keep",
    "end of the line": "end of line",
    "end of the game": "end",
    "variation begins": "begin",
    "variation ends": "end of variation",
}


def si5_bits() -> Drawing:
    """Draw every number of an si5 record bit by bit."""
    drawing = Drawing("The bits in a record of .si5")
    for offset, kind, name, meaning in table_after("formats/scid.md", "### si5: record"):
        if kind == "u32":
            drawing.heading(f"{offset}: {name.strip('`')}")
            bit_row(drawing, bits(meaning) or [Cell(0, 32, plain(meaning), "place")], 32)
    return drawing


def si4_record() -> Drawing:
    """Draw an si4 record, and the bits of its numbers."""
    drawing = Drawing("The fields of a record of .si4")
    marker = "### si4: record"
    byte_rows(drawing, fields("formats/scid.md", marker))
    for offset, kind, name, meaning in table_after("formats/scid.md", marker):
        found = bits(meaning)
        if len(found) > 1:
            drawing.heading(f"{offset}: {name.strip('`')}")
            bit_row(drawing, found, int(kind[1:]))
    return drawing


def bcgn_entry() -> Drawing:
    """Draw an entry of BCGN, and a move of level 0."""
    drawing = Drawing("An entry of BCGN")
    cells = sized(table_after("formats/bcgn.md", "## An entry"))
    end = cells[-1].start + cells[-1].size
    drawing.heading("The fields of fixed size")
    byte_rows(drawing, cells)
    drawing.heading(f"From {end} on, or from {end - cells[-1].size} without a start position")
    names = ("White", "Black", "Event", "Site")
    texts = [part for name in names for part in (Cell(0, 1, "n", "number"), Cell(0, 1, name, "text"))]
    sequence(drawing, "header", [*texts, Cell(0, 1, "additional tags, if flag 1", "unknown")])
    sequence(drawing, "movetext", [Cell(0, 1, "moves, until the end of the entry", "place")])
    drawing.heading("A move at level 0")
    bit_row(
        drawing,
        [
            Cell(14, 2, "kind", "bits"),
            Cell(8, 6, "from", "place"),
            Cell(2, 6, "to", "number"),
            Cell(0, 2, "promotion", "text"),
        ],
        16,
    )
    return drawing


def polyglot() -> Drawing:
    """Draw a record of a Polyglot book, and its move."""
    drawing = Drawing("A record of a Polyglot book")
    drawing.heading("Record, 16 bytes, big-endian")
    byte_rows(drawing, sized(table_after("formats/polyglot.md", "## Records")))
    drawing.heading("Move, 16 bits")
    page = (DOCS / "formats" / "polyglot.md").read_text("utf-8")
    found = re.search(r"\*\*Moves\*\*: (bits .*?) \(1 knight", page)
    if found is None:
        raise ValueError("the page no longer describes moves")
    text = re.sub(r" \(.*?\)", "", found[1].replace(" are", ""))
    bit_row(drawing, [Cell(each.start, each.size, each.name, PAINTS[at]) for at, each in enumerate(bits(text))], 16)
    return drawing


def cbv_archive() -> Drawing:
    """Draw the parts of an archive."""
    drawing = Drawing("A ChessBase archive")
    drawing.heading("The file")
    parts = [("head", "bits"), ("entry 1", "place"), ("entry 2", "place"), ("…", "place")]
    blocks = [(f"member {member}, block {number}", "text") for member in (1, 2) for number in (1, 2)]
    sequence(drawing, "archive", [Cell(0, 1, name, kind) for name, kind in (*parts, *blocks, ("…", "text"))])
    for heading, layout in (("Head", cbv.HEAD), ("Entry", cbv.ENTRY), ("Head of a block", cbv.BLOCK_HEAD)):
        drawing.heading(f"{heading}, {layout.size} bytes, little-endian")
        byte_rows(
            drawing,
            [
                Cell(each.offset, each.size, each.name, kind_of(each.kind, each.name, each.meaning))
                for each in layout.fields
            ],
        )
    return drawing


def ctg_lookup() -> Drawing:
    """Draw the way from a position to its record, with the numbers of the start position in the small book."""
    drawing = Drawing("From a position to its record in a CTG book")
    steps(
        drawing,
        [
            ("Position", "White to move,\nking on files e–h", "plain"),
            ("Signature", "56 b6 0f 79 …\nlength and bits", "text"),
            ("Hash", "eb7ed3d7\ntable of dbm", "number"),
            (".ctb", "node 0 is split,\nnode 2 is not", "bits"),
            (".cto", "slot 2:\npage 1", "place"),
            (".ctg", "4096 · (1 + 1):\nthe page", "place"),
        ],
    )
    drawing.heading("A page")
    sequence(
        drawing,
        "4096 bytes",
        [Cell(0, 1, name, "number") for name in ("records", "bytes in use")]
        + [Cell(0, 1, name, "place") for name in ("record", "record", "record", "…")]
        + [Cell(0, 1, "leftovers", "unknown")],
    )
    drawing.heading("A record")
    rows = table_after("formats/ctg.md", "### Records")
    names = [(part.strip(), size) for part, size, *_ in rows]
    sequence(
        drawing,
        "in this order",
        [
            Cell(0, 1, f"{name} ({size})", PAINTS[number % len(PAINTS)] if name != "unknown" else "unknown")
            for number, (name, size) in enumerate(names)
        ],
    )
    return drawing


def library_folder() -> Drawing:
    """Draw the files of a library, from the table of its page."""
    rows = table_after("formats/library.md", "## Files")
    drawing = Drawing("The folder of a library with two segments")
    drawing.box(MARGIN, drawing.y, INNER, 44, "bits", 5)
    drawing.text(MARGIN + 12, drawing.y + 19, "manifest.json", 13, "ink strong")
    drawing.text(
        MARGIN + 12,
        drawing.y + 35,
        "names every file below with its size and SHA-256; only what it names exists",
        11,
        "soft",
    )
    top, width = drawing.y + 74, (INNER - 20) / 2
    for segment in (1, 2):
        x, y = MARGIN + (segment - 1) * (width + 20), top
        drawing.line((x + width / 2, drawing.y + 46), (x + width / 2, top - 4), arrow=True)
        for number, (name, content, *_) in enumerate(rows):
            drawing.box(x, y, width, 38, PAINTS[number % len(PAINTS)], 4)
            drawing.text(x + 10, y + 16, name.strip("`").replace("N", str(segment)), 12, "ink strong")
            drawing.text(x + 10, y + 31, fitting(plain(content), width - 20), 10.5, "soft")
            y += 40
    drawing.y = top + 40 * len(rows)
    return drawing


CBH_FILES, CBH2, SCID = "formats/cbh-files.md", "formats/2cbh.md", "formats/scid.md"
DRAWINGS: dict[str, Callable[[], Drawing]] = {
    "architecture": architecture,
    "conversion": conversion,
    "streams": streams,
    "cbh-record": record(
        "The records of a .cbh file",
        CBH_FILES,
        ("Header of the file, 46 bytes", "## `.cbh`: headers"),
        ("Game, 46 bytes", "\nA game:"),
        ("Guiding text, 46 bytes", "\nA guiding text, marked"),
    ),
    "cbh-bits": cbh_bits,
    "cbg-numbers": cbg_numbers,
    "cbv-archive": cbv_archive,
    "2cbh-record": record(
        "The records of a .2cbh file", CBH2, ("Game, 192 bytes, little-endian", "A record is a game, a guiding text")
    ),
    "ctg-lookup": ctg_lookup,
    "jose-codes": jose_codes,
    "bcgn-entry": bcgn_entry,
    "scid-si4": si4_record,
    "scid-si5": si5_bits,
    "polyglot-record": polyglot,
    "library-folder": library_folder,
}


def main() -> None:
    """Write all pictures."""
    for name, draw in DRAWINGS.items():
        (PICTURES / f"{name}.svg").write_text(draw().svg(), "utf-8")


if __name__ == "__main__":
    main()
