"""axe-core looks for what shuts people out: missing names, low contrast, wrong roles. On every tab, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.chromium import do_without
from tests.conftest import ROOT
from tests.web.browser.conftest import Server, Visitor

if TYPE_CHECKING:
    from pathlib import Path

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
SOURCES = (ROOT / "examples" / "classics.pgn", ROOT / "tests" / "data" / "ctg" / "small.ctg")

RUN = """() => axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations.flatMap(
    ({id, nodes}) => nodes.map(({target, any, all, none}) =>
        `${id}: ${target} ${[...any, ...all, ...none].map(check => check.message).join('; ')}`)))"""
"""All rules of axe, those that are only good practice as well; one line for each element."""

STEADY = """() => !document.querySelector('.working, .asking')
    && document.getAnimations().every(animation => animation.playState !== 'running')"""


@pytest.fixture(scope="module")
def axe() -> str:
    if not AXE.exists():
        do_without("axe-core is not installed (make web)")
    return AXE.read_text("utf-8")


@pytest.fixture(scope="module")
def library(serve: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A database and a book, to be written to."""
    folder: Path = tmp_path_factory.mktemp("accessible")
    for source in SOURCES:
        for part in source.parent.glob(f"{source.stem}.*"):
            (folder / part.name).write_bytes(part.read_bytes())
    return serve(*(folder / source.name for source in SOURCES), "--write")


def findings(visitor: Visitor, axe: str) -> list[str]:
    """What axe says about the page as it is now. Playwright runs it, so the policy of the page does not forbid it."""
    visitor.page.wait_for_function(STEADY)
    if not visitor.page.evaluate("'axe' in window"):
        visitor.page.evaluate(axe)
    found: list[str] = visitor.page.evaluate(RUN)
    return found


PLACES = {
    "games": ".side [role=row] >> nth=2",
    "search": ".search summary",
    "books": ".books tbody tr",
    "texts": "main.whole",
    "convert": ".formats label",
    "home": ".home-card >> nth=0",
    "players": ".report-table tbody tr >> nth=0",
    "player": ".cards .line-tree >> nth=0",
    "tournaments": ".report-table tbody tr >> nth=0",
    "tournament": ".crosstable table",
    "statistics": ".cards .plot >> nth=0",
    "setup": ".setup .fen-field",
}
ADDRESSES = {
    "home": "home",
    "player": "players/s1?name=Anderssen, Adolf",
    "tournament": "tournaments/s1?event=Casual game",
    "setup": "setup",
}
"""Places that are not the tab of a source."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_every_tab_is_accessible(
    visit: Callable[..., Visitor], library: Server, axe: str, width: int, scheme: str
) -> None:
    visitor = visit(library, width=width, color_scheme=scheme, reduced_motion="reduce")
    visitor.open(3, "19")
    visitor.page.wait_for_selector(".explored tbody tr")
    told = {"board": findings(visitor, axe)}
    for tab, sign in PLACES.items():
        visitor.go(ADDRESSES.get(tab, f"{tab}/s1"))
        visitor.page.locator(sign).first.wait_for()
        told[tab] = findings(visitor, axe)
    assert {tab: found for tab, found in told.items() if found} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dialogs_and_annotating_are_accessible(
    visit: Callable[..., Visitor], library: Server, axe: str, scheme: str
) -> None:
    visitor = visit(library, color_scheme=scheme, reduced_motion="reduce")
    visitor.open(3, "19")
    visitor.press("x")
    visitor.page.get_by_label("Good move").wait_for()
    told = {"annotating": findings(visitor, axe)}
    visitor.press("x")
    visitor.page.get_by_role("button", name="Settings", exact=True).click()
    told["settings"] = findings(visitor, axe)
    visitor.press("Escape")
    visitor.page.locator(".source-switch").click()
    told["databases"] = findings(visitor, axe)
    assert {place: found for place, found in told.items() if found} == {}
