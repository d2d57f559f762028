"""Converting in the page: formats, what gets lost, the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tests.chromium import expect
from tests.conftest import ROOT
from tests.web.browser.conftest import Server, Visitor
from tests.web.browser.test_game_list import total

CLASSICS = ROOT / "examples" / "classics.pgn"


@pytest.fixture
def classics(serve: Callable[..., Server]) -> Server:
    return serve(CLASSICS)


def convert(visitor: Visitor, title: str) -> Path:
    """Convert, wait for the end, download."""
    page = visitor.page
    page.get_by_role("link", name="Convert").click()
    page.get_by_role("radio", name=title, exact=False).first.check()
    page.get_by_role("button", name="Convert classics.pgn").click()
    with page.expect_download() as download:
        page.locator(".job .download").first.click()
    path = Path(download.value.path())
    return path.rename(path.with_name(download.value.suggested_filename))


def test_what_gets_lost_is_told_and_the_file_is_that_of_the_library(
    visit: Callable[..., Visitor], classics: Server, tmp_path: Path
) -> None:
    visitor = visit(classics)
    path = convert(visitor, "BCGN")
    report = tabiya.convert(CLASSICS, tmp_path / "classics.bcgn")
    assert path.read_bytes() == (tmp_path / "classics.bcgn").read_bytes()
    arguments = [line.split("\t") for line in visitor.page.locator(".losses tbody").inner_text().split("\n") if line]
    assert {int(count) for _, count, _ in arguments} == {loss.count for loss in report.losses}
    assert "texts after a move" in [what for what, _, _ in arguments]
    visitor.page.locator(".job").get_by_role("button", name="Remove").click()
    visitor.page.locator(".job").wait_for(state="detached")


def test_nothing_lost_is_told_as_well(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    path = convert(visitor, "Parquet")
    visitor.page.get_by_text("Nothing was lost.").wait_for()
    with tabiya.open(path) as copy, tabiya.open(CLASSICS) as original:
        assert [game.to_pgn() for game in copy] == [game.to_pgn() for game in original]


def test_what_the_list_shows_is_converted_alone(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.page.get_by_label("Quick filter").fill("anderssen")
    total(visitor.page, 2)
    path = convert(visitor, "Portable Game Notation")
    assert "Only what the list shows: 2 records" in visitor.page.locator(".convert form").inner_text()
    with tabiya.open(path) as copy:
        assert len(copy) == 2


def test_a_narrow_screen_shows_the_whole_form(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics, width=360, height=740)
    visitor.go("convert")
    visitor.page.get_by_role("radio", name="ChessBase", exact=False).first.wait_for()
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_the_result_comes_into_sight(visit: Callable[..., Visitor], classics: Server) -> None:
    """On a low screen the button is far below the place of the results."""
    visitor = visit(classics, width=1280, height=480)
    page = visitor.page
    visitor.go("convert/s1")
    page.get_by_role("button", name="Convert classics.pgn").click()
    expect(page.locator(".job .download").first).to_be_in_viewport()
