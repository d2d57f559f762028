"""How the page fits: narrow and wide, light and dark, by keyboard alone, for screen readers, without jumps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.chromium import expect
from tests.web.browser.conftest import Visitor

SIZES = [(360, 740), (768, 1024), (1024, 700), (1100, 900), (1280, 1024), (1440, 900), (2560, 1440)]

OVERFLOWING = """() => [...document.querySelectorAll('#page *')].filter(element => {
    const box = element.getBoundingClientRect();
    return box.width && box.right > innerWidth + 1 && getComputedStyle(element).position !== 'fixed'
        && !element.closest('nav, .unseen, .scroll, [role=grid], table, .skip, dialog, svg');
}).map(element => element.className + ' ' + element.getBoundingClientRect().right)"""

MARGINS = """() => {
    const boxes = [...document.querySelectorAll('.card')].filter(card => card.checkVisibility())
        .map(card => card.getBoundingClientRect());
    return [Math.min(...boxes.map(box => box.left)), innerWidth - Math.max(...boxes.map(box => box.right))];
}"""

SHIFTS = """() => new Promise(done => {
    let sum = 0;
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
    }).observe({type: 'layout-shift', buffered: true});
    setTimeout(() => done(sum), 500);
})"""


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits(visit: Callable[..., Visitor], width: int, height: int, scheme: str) -> None:
    visitor = visit(width=width, height=height, color_scheme=scheme)
    visitor.open(1, "19")
    visitor.press("x")
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
    assert visitor.page.evaluate(OVERFLOWING) == []
    left, right = visitor.page.evaluate(MARGINS)
    assert left == pytest.approx(right, abs=1)
    board = visitor.page.locator(".board-frame").bounding_box()
    assert board is not None
    assert board["width"] == pytest.approx(board["height"], abs=1)
    assert board["width"] >= min(0.9 * width, 300)
    if width < 700:  # the board stands in the middle
        assert board["x"] == pytest.approx(width - board["x"] - board["width"], abs=1)
    assert visitor.page.locator("html").get_attribute("data-theme") == scheme


@pytest.mark.parametrize("width", [360, 1440])
def test_nothing_jumps_while_a_game_is_opened_and_followed(visit: Callable[..., Visitor], width: int) -> None:
    visitor = visit(width=width)
    visitor.open(1)
    visitor.press(*["ArrowRight"] * 12)
    assert visitor.page.evaluate(SHIFTS) < 0.1


def test_on_a_phone_the_board_is_a_tab(visit: Callable[..., Visitor]) -> None:
    visitor = visit(width=360, height=740)
    visitor.open(1)
    assert visitor.page.locator(".board-frame").is_visible()
    visitor.page.get_by_role("link", name="Games").click()
    visitor.page.wait_for_selector(".board-frame", state="hidden")
    visitor.page.get_by_role("link", name="Board").click()
    expect(visitor.page.locator(".board-frame")).to_be_visible()
    assert "Morphy" in visitor.page.locator(".head").inner_text()


def test_everything_has_a_name(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "19")
    visitor.press("x")
    nameless = visitor.page.evaluate(
        """() => [...document.querySelectorAll('button, a[href], input, select, textarea')].filter(element =>
            element.checkVisibility() && !(element.innerText || element.value || '').trim()
            && !element.getAttribute('aria-label') && !element.labels?.length
        ).map(element => element.outerHTML)"""
    )
    assert nameless == []
    board = visitor.page.locator(".board-place").get_attribute("aria-label") or ""
    assert board.startswith("Board, Black to move. White: ")
    assert "king on e8" in board
    assert "white" not in board


def test_moves_are_spoken(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    spoken = visitor.page.locator(".notation [aria-live]").first
    visitor.press("ArrowRight", "ArrowRight")
    assert spoken.inner_text() == "1 Black e5"


def test_the_keyboard_reaches_everything(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "3")
    visitor.press("x")
    expected = {
        "Start",
        "Turn the board",
        "Delete from here",
        "Good move",
        "Comment on Nf3",
        "Play a move",
        "Download PGN",
    }
    seen = set()
    for _ in range(150):
        visitor.press("Tab")
        name = visitor.page.evaluate(
            "() => (document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || '').trim()"
        )
        seen.add(name)
        if expected <= seen:
            break
    assert expected <= seen
    assert visitor.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_the_current_place_is_in_sight_on_a_phone(visit: Callable[..., Visitor]) -> None:
    visitor = visit(width=390, height=844, place="convert", locale="es")
    page = visitor.page
    expect(page.locator(".header nav [aria-current]")).to_be_in_viewport(ratio=0.9)
    visitor.go("home")
    expect(page.locator(".header nav [aria-current]")).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("scrollY") == 0
