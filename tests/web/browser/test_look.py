"""How the page looks and sounds: its font, boards, pieces, sounds, and the widths of its columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.chromium import expect
from tests.web.browser.conftest import Visitor

THEMES = ["Walnut", "Green", "Blue", "Violet", "Grey", "Paper", "Wood"]
PIECES = {"Classic": "classic", "Diagram": "book", "Modern": "modern"}

FONTS = """() => [...document.fonts].filter(font => font.status === 'loaded')
    .map(font => font.family.replaceAll('"', ''))"""
KINGS = """() => [...document.querySelectorAll('use[href="#wk"]')].map(use => {
    const group = document.querySelector(use.getAttribute('href'));
    return document.querySelector(group.firstElementChild.getAttribute('href')).id;
})"""
COUNT_TONES = """() => {
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) { window.tones += 1; return start.call(this, when); };
}"""


def settings(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Settings", exact=True).click()


def test_the_font_is_there_before_the_page(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    assert "Inter Variable" in visitor.page.evaluate(FONTS)
    assert "Inter Variable" in visitor.page.evaluate("getComputedStyle(document.body).fontFamily")


@pytest.mark.parametrize("theme", THEMES)
def test_boards_of_other_colours(visit: Callable[..., Visitor], theme: str) -> None:
    visitor = visit()
    visitor.open(1)
    settings(visitor)
    visitor.page.get_by_role("radio", name=theme, exact=True).check()
    visitor.press("Escape")
    visitor.page.reload()
    visitor.page.wait_for_selector(f"html[data-board={theme.lower()}]")
    visitor.page.wait_for_selector(".board-frame")


@pytest.mark.parametrize("name", PIECES)
def test_pieces_of_other_sets_are_on_every_board(visit: Callable[..., Visitor], name: str) -> None:
    visitor = visit()
    visitor.open(1, "19")
    settings(visitor)
    visitor.page.get_by_role("radio", name=name, exact=True).check()
    visitor.press("Escape")
    visitor.page.get_by_role("link", name="Search", exact=True).click()
    visitor.page.wait_for_selector('.palette use[href="#wk"]')
    kings = visitor.page.evaluate(KINGS)
    assert len(kings) >= 2
    assert set(kings) == {f"{PIECES[name]}-wk"}
    visitor.page.reload()
    visitor.page.wait_for_selector('.board-place use[href="#wk"]')
    assert set(visitor.page.evaluate(KINGS)) == {f"{PIECES[name]}-wk"}


def test_captured_pieces_stand_beside_the_names(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    upper = visitor.page.locator(".captured").first
    expect(upper).to_have_attribute("aria-label", "Nothing captured")
    visitor.press("End")
    captured = visitor.page.locator(".captured").last
    expect(captured).not_to_have_attribute("aria-label", "Nothing captured")
    settings(visitor)
    visitor.page.get_by_label("Captured pieces").uncheck()
    visitor.press("Escape")
    expect(visitor.page.locator(".captured")).to_have_count(0)


def test_moves_are_silent_until_sounds_are_turned_on(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    visitor.page.evaluate(COUNT_TONES)
    visitor.press("ArrowRight", "ArrowRight")
    visitor.page.wait_for_function("() => location.hash.endsWith('/2')")
    assert visitor.page.evaluate("window.tones") == 0
    settings(visitor)
    visitor.page.get_by_label("Sounds of moves").check()
    first = visitor.page.evaluate("window.tones")
    assert first > 0, "they are heard when they are turned on"
    visitor.press("Escape")
    visitor.press("ArrowRight")
    visitor.page.wait_for_function("heard => window.tones > heard", arg=first)
    before = visitor.page.evaluate("window.tones")
    visitor.press("ArrowLeft", "ArrowLeft")
    visitor.page.wait_for_function("() => location.hash.endsWith('/1')")
    assert visitor.page.evaluate("window.tones") == before


def width(visitor: Visitor, card: str) -> float:
    box = visitor.page.locator(f".card.{card}").bounding_box()
    assert box is not None
    return box["width"]


@pytest.mark.parametrize("column", ["list", "notation"])
def test_columns_are_resized_by_keyboard_and_mouse(visit: Callable[..., Visitor], column: str) -> None:
    visitor = visit()
    visitor.open(1)
    card = "side" if column == "list" else "notation"
    divider = visitor.page.get_by_role("separator", name=f"Width of the {column}")
    before = width(visitor, card)
    divider.focus()
    wider = "ArrowRight" if column == "list" else "ArrowLeft"
    narrower = "ArrowLeft" if column == "list" else "ArrowRight"
    visitor.press(narrower)
    expect_width(visitor, card, before - 16)
    visitor.press(wider, wider)
    expect_width(visitor, card, before + 16)
    box = divider.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 100
    visitor.page.mouse.move(x, y)
    visitor.page.mouse.down()
    visitor.page.mouse.move(x + (40 if column == "list" else -40), y, steps=4)
    visitor.page.mouse.up()
    expect_width(visitor, card, before + 56)
    visitor.page.reload()
    visitor.page.wait_for_selector(".board-frame")
    expect_width(visitor, card, before + 56)
    divider.dblclick()
    expect_width(visitor, card, before)


def expect_width(visitor: Visitor, card: str, wanted: float) -> None:
    near: Any = "([card, wanted]) => Math.abs(document.querySelector('.card.' + card).offsetWidth - wanted) <= 2"
    visitor.page.wait_for_function(near, arg=[card, wanted])


def test_columns_stay_within_a_smaller_window(visit: Callable[..., Visitor]) -> None:
    visitor = visit(width=1600)
    visitor.open(1)
    for column in ("list", "notation"):
        visitor.page.get_by_role("separator", name=f"Width of the {column}").focus()
        visitor.press("End")
    visitor.page.set_viewport_size({"width": 1100, "height": 800})
    visitor.page.wait_for_function("() => innerWidth === 1100")
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 1100
    for card in ("side", "middle", "notation"):
        box = visitor.page.locator(f".card.{card}").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 1100
    board = visitor.page.locator(".board-frame").bounding_box()
    assert board is not None
    assert board["width"] >= 320
