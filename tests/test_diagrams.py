"""The diagrams of the documentation show its tables as they are now."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from scripts.diagram_tables import DOCS, bits, table_after
from scripts.diagrams import DRAWINGS, PICTURES
from scripts.svg_shapes import WIDTH, width_of


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_diagram_is_up_to_date(name: str) -> None:
    drawn = DRAWINGS[name]().svg()
    assert (PICTURES / f"{name}.svg").read_text("utf-8") == drawn, "run: python -m scripts.diagrams"


@pytest.mark.parametrize("name", DRAWINGS)
def test_nothing_leaves_its_picture(name: str) -> None:
    root = ET.fromstring(DRAWINGS[name]().svg())
    height = float(root.attrib["height"])
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    assert texts
    for text in texts:
        width = width_of(text.text or "", float(text.attrib["font-size"]))
        left = float(text.attrib["x"]) - width * {"start": 0, "middle": 0.5, "end": 1}[text.attrib["text-anchor"]]
        assert 0 <= left <= left + width <= WIDTH, text.text
        assert 0 < float(text.attrib["y"]) < height, text.text
        assert not re.search(r"[`*\[]", (text.text or "").strip("*")), "marks of the page"


def test_every_diagram_is_shown() -> None:
    pages = "\n".join(page.read_text("utf-8") for page in DOCS.rglob("*.md"))
    shown = set(re.findall(r"!\[[^\]]+\]\([./]*pictures/([\w-]+)\.svg\)", pages))
    measured = {"scaling"}  # drawn by bench/scaling.py for BENCHMARKS.md
    assert shown == set(DRAWINGS) == {path.stem for path in PICTURES.glob("*.svg")} - measured


def test_tables_are_read_cell_by_cell() -> None:
    assert table_after("formats/polyglot.md", "## Records")[1] == ["8", "2", "move"]
    with pytest.raises(ValueError, match="no longer has"):
        table_after("formats/polyglot.md", "## Recipes")


def test_bits_are_read_from_their_meaning() -> None:
    cells = bits("bits 0-15 ECO, 18-20 and 21-23 kinds, bit 31 last; more")
    found = [(cell.start, cell.size, cell.name) for cell in cells]
    assert found == [(0, 16, "ECO"), (18, 3, "kinds"), (21, 3, "kinds"), (31, 1, "last")]
    assert bits("1 + 131 · letter") == []
