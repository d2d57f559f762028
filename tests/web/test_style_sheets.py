"""The style sheets of the page share one space of names: a sheet that is loaded later must not change other places."""

from __future__ import annotations

import re
from collections import defaultdict

from tests.conftest import ROOT

SHEETS = sorted(path for path in (ROOT / "web" / "src").rglob("*.css") if path.name != "print.css")
"""What is printed concerns all places."""
PLAIN_CLASS = re.compile(r"\.([\w-]+)(?::[\w-]+(?:\([^)]*\))?)*")


def test_a_class_is_styled_by_one_sheet() -> None:
    """Unless another class or an id stands before it: ``.report`` alone would be that of every place."""
    places = defaultdict(set)
    for sheet in SHEETS:
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)
        for selectors in re.findall(r"([^{}]+)\{", text):
            for selector in selectors.split(","):
                if found := PLAIN_CLASS.fullmatch(selector.strip()):
                    places[found[1]].add(sheet.name)
    assert len(places) > 100
    assert {name: sheets for name, sheets in places.items() if len(sheets) > 1} == {}
