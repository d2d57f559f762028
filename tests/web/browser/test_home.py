"""The start page: what is open, what was open before, and ways to open more."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chromium import expect
from tests.conftest import ROOT
from tests.web.browser.conftest import Server, Visitor

CLASSICS = ROOT / "examples" / "classics.pgn"
FEN = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of its own, for servers that are started from now on."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def test_the_page_begins_with_what_is_open(visit: Callable[..., Visitor]) -> None:
    page = visit(place="home").page
    card = page.locator(".home-card")
    expect(card).to_have_count(1)
    expect(card.locator("b")).to_have_text("annotated.pgn")
    expect(card).to_contain_text("records")
    card.locator(".card-link").click()
    page.wait_for_selector(".game-table .row")
    page.get_by_role("link", name="tabiya, the start page").click()
    expect(page.locator(".home-card")).to_have_count(1)


def test_without_databases_there_are_examples(visit: Callable[..., Visitor], serve: Callable[..., Server]) -> None:
    page = visit(serve(), place="home").page
    expect(page.get_by_role("heading", name="Open your chess games")).to_be_visible()
    page.get_by_role("button", name="Open the examples").click()
    page.wait_for_selector(".game-table .row")
    expect(page.locator(".source-switch")).to_contain_text("classics.pgn")


def test_games_and_positions_are_pasted(visit: Callable[..., Visitor], serve: Callable[..., Server]) -> None:
    visitor = visit(serve(), place="home")
    page = visitor.page
    field = page.get_by_label("Paste games or a position")
    field.fill("nothing of this kind")
    expect(page.locator(".paste-area")).to_contain_text("neither PGN nor FEN")
    expect(page.locator(".paste-area button")).to_be_disabled()
    field.fill(FEN)
    page.get_by_role("button", name="Show the position").click()
    visitor.expect_position(FEN)
    page.get_by_role("link", name="tabiya, the start page").click()
    field.fill('[White "Somebody"]\n\n1. e4 e5 2. Nf3 *')
    page.get_by_role("button", name="Open the games").click()
    page.wait_for_selector(".moves .move")
    assert visitor.moves()[0].endswith("e4")


@pytest.mark.usefixtures("state")
def test_databases_of_earlier_runs_are_offered(
    visit: Callable[..., Visitor], serve: Callable[..., Server], tmp_path: Path
) -> None:
    for name in ("before.pgn", "gone.pgn"):
        shutil.copy(CLASSICS, tmp_path / name)
    visit(serve(tmp_path / "before.pgn", tmp_path / "gone.pgn"), place="")
    (tmp_path / "gone.pgn").unlink()
    page = visit(serve(), place="home").page
    items = page.locator(".recent li")
    expect(items).to_have_count(2)
    expect(items.nth(0)).to_contain_text("This file is gone.")
    page.get_by_role("button", name="Forget gone.pgn").click()
    expect(items).to_have_count(1)
    items.locator("button").first.click()
    page.wait_for_selector(".game-table .row")
    expect(page.locator(".source-switch")).to_contain_text("before.pgn")
    page.get_by_role("link", name="tabiya, the start page").click()
    expect(page.locator(".recent")).to_have_count(0)
    page = visit(serve("--no-recent"), place="").page
    expect(page.get_by_role("button", name="Open the examples")).to_be_visible()
    expect(page.locator(".recent")).to_have_count(0)


def test_a_large_database_is_made_fast(
    visit: Callable[..., Visitor], serve: Callable[..., Server], tmp_path: Path
) -> None:
    game = CLASSICS.read_text("utf-8").partition("[Event")[2]
    with (tmp_path / "large.pgn").open("w", encoding="utf-8") as file:
        file.writelines(f"[Event{game}\n" for _ in range(10_001 // 8 + 1))
    page = visit(serve(tmp_path / "large.pgn"), place="").page
    expect(page.locator(".make-fast")).to_contain_text("--write")
    page = visit(serve(tmp_path / "large.pgn", "--write"), place="").page
    page.get_by_role("button", name="Make this fast").click()
    expect(page.locator(".home-card b").filter(has_text="large.tabiya")).to_be_visible()
    expect(page.locator(".make-fast")).to_have_count(0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["large.pgn", "large.tabiya"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1440])
def test_the_start_page_fits(visit: Callable[..., Visitor], width: int, scheme: str) -> None:
    page = visit(place="home", width=width, height=800, color_scheme=scheme).page
    page.wait_for_selector(".home-card")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_keyboard_reaches_the_start_page(visit: Callable[..., Visitor]) -> None:
    visitor = visit(place="home")
    visitor.page.wait_for_selector(".home-card")
    seen = set()
    for _ in range(40):
        visitor.press("Tab")
        seen.add(visitor.page.evaluate("document.activeElement.className || document.activeElement.id"))
    assert {"card-link", "home-paste"} <= seen
