"""The pages about ChessBase say what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabiya.binary import Layout
from tabiya.chessbase.rating_types import RATING_TYPE
from tabiya.chessbase.tag_order import TAG_ORDER
from tabiya.formats.cbh import CBH
from tabiya.formats.cbh.bodies import blobs
from tabiya.formats.cbh.entities import cbc, cbe, cbl, cbp, cbs, cbt, cbtt, entity_file
from tabiya.formats.cbh.files import cbb, cbh, cbj, cbm, cit, flags
from tabiya.formats.cbh.reading.header_window import ROLES

DOCS = Path(__file__).parents[4] / "docs" / "formats"
MODULES = (blobs, cbb, cbc, cbe, cbh, cbj, cbl, cbm, cbp, cbs, cbt, cbtt, cit, entity_file, flags)
LAYOUTS = [*(each for module in MODULES for each in vars(module).values() if isinstance(each, Layout)), RATING_TYPE]
CARRIERS = [
    *(carrier for layout in (cbh.GAME, cbh.TEXT, cbj.RECORD) for carrier in layout.carriers()),
    *(carrier for role in ROLES for carrier in role.carriers),
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_every_layout_is_documented(layout: Layout) -> None:
    assert layout.markdown() in (DOCS / "cbh-files.md").read_text("utf-8")


def test_every_tag_and_extra_is_documented() -> None:
    page = (DOCS / "cbh.md").read_text("utf-8")
    known = set(re.findall(r"`([\w.]+)`", page))
    keys = {carrier.key for carrier in CARRIERS if not carrier.key.startswith(("cbh.tag_", "cbh.black_team_"))}
    assert keys <= known
    assert isinstance(CBH.keeps.tags, frozenset)
    assert CBH.keeps.tags <= known
    assert {carrier.key for carrier in CARRIERS if carrier.is_tag} == set(TAG_ORDER)
    assert set(TAG_ORDER) <= CBH.keeps.tags
