"""The page about 2CBH contains what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabiya.binary import Layout
from tabiya.formats.cbh2 import CBH2, container, entities, headers, rating_types
from tabiya.formats.cbh2.header_window import ROLES

PAGE = (Path(__file__).parents[3] / "docs/formats/2cbh.md").read_text("utf-8")
LAYOUTS = [
    *(each for module in (headers, container) for each in vars(module).values() if isinstance(each, Layout)),
    *(kind.layout for kind in entities.KINDS),
    rating_types.RATING_TYPE,
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_every_layout_is_documented(layout: Layout) -> None:
    assert layout.markdown() in PAGE


def test_every_problem_is_documented() -> None:
    for code, sentence in CBH2.problems.items():
        assert f"| {code} | {sentence} |" in PAGE


def test_the_tags_are_those_of_the_description() -> None:
    layouts = (headers.GAME, headers.TEXT, headers.ANALYSIS)
    carriers = [carrier for layout in layouts for carrier in layout.carriers()]
    carriers += [carrier for role in ROLES for carrier in role.carriers]
    assert {carrier.key for carrier in carriers if carrier.is_tag} <= set(CBH2.keeps.tags)
    known = set(re.findall(r"`([\w.]+)`", PAGE))
    keys = {carrier.key for carrier in carriers if "black_" not in carrier.key and not carrier.key.startswith("Black")}
    assert keys <= known
