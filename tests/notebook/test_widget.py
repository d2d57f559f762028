"""The widget in Chromium: what it draws, and what clicks and keys do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tabiya
from tests.chromium import expect, require
from tests.conftest import ROOT
from tests.game.test_html import EVIL
from tests.notebook.conftest import Stage, state_of

PGN = """[White "A"]
[Black "B"]

1. e4 {[%eval 0.3] [%clk 0:09:50]} e5 {[%eval 0.4] [%clk 0:09:40]} (1... c5 {[%csl Gd4] [%cal Rc5d4]} 2. Nf3
(2. c3 d5) 2... d6) (1... e6) 2. Qh5 {[%eval 0.0]} Nc6 {[%eval 0.1]}
3. Bc4 {[%eval -0.5]} Nf6 $4 {[%eval #1] what now?} 4. Qxf7# 1-0"""


@pytest.fixture(autouse=True)
def _anywidget() -> None:
    require("anywidget")


@pytest.fixture
def game() -> tabiya.Game:
    return tabiya.Game.from_pgn(PGN)


@pytest.fixture
def shown(stage: Callable[..., Stage], game: tabiya.Game) -> Stage:
    new = stage()
    new.show(state_of(tabiya.viewer(game)))
    return new


def place_of(game: tabiya.Game, label: str) -> int:
    labels = [repr(node).strip("<>").removeprefix("Node ") for node in game.walk()]
    return labels.index(label) + 1


def status(stage: Stage, label: str) -> None:
    expect(stage.page.locator("#one .status")).to_contain_text(label)


def pieces(stage: Stage, place: str = "one") -> int:
    return stage.page.locator(f"#{place} .board > g").count()


def test_keys_step_through_lines_and_variations(shown: Stage, game: tabiya.Game) -> None:
    status(shown, "Start")
    shown.page.locator("#one .tabiya-viewer").focus()
    steps = [
        ("ArrowRight", "1.e4"),
        ("ArrowRight", "1...e5"),
        ("Shift+ArrowRight", "1...c5"),
        ("ArrowRight", "2.Nf3"),
        ("Shift+ArrowRight", "2.c3"),
        ("Shift+ArrowUp", "2.Nf3"),
        ("Escape", "1...e5"),
        ("Shift+ArrowRight", "1...c5"),
        ("Shift+ArrowRight", "1...e6"),
        ("Shift+ArrowLeft", "1...c5"),
        ("End", "2...d6"),
        ("ArrowLeft", "2.Nf3"),
        ("Home", "Start"),
        ("ArrowDown", "4.Qxf7#"),
        ("ArrowUp", "Start"),
    ]
    for key, label in steps:
        shown.page.keyboard.press(key)
        status(shown, label)
    numbers = [0 if label == "Start" else place_of(game, label) for _, label in steps]
    assert [saved["current"] for saved in shown.saved()] == numbers


def test_keys_at_the_ends_change_nothing(shown: Stage) -> None:
    shown.page.locator("#one .tabiya-viewer").focus()
    for key in ("ArrowLeft", "Escape", "Shift+ArrowRight"):
        shown.page.keyboard.press(key)
    status(shown, "Start")
    assert shown.saved() == []


def test_clicks_choose_moves_and_keys_go_on_from_there(shown: Stage) -> None:
    shown.page.get_by_role("button", name="Nc6").click()
    status(shown, "2...Nc6")
    expect(shown.page.locator("#one .move.current")).to_have_text("Nc6")
    shown.page.keyboard.press("ArrowRight")
    status(shown, "3.Bc4")


@pytest.mark.parametrize(
    ("name", "label"), [("End of the line (End)", "4.Qxf7#"), ("Next move (→)", "1.e4"), ("Start (Home)", "Start")]
)
def test_buttons(shown: Stage, name: str, label: str) -> None:
    shown.page.get_by_role("button", name=name).click()
    status(shown, label)


def test_python_chooses_a_move(shown: Stage, game: tabiya.Game) -> None:
    shown.page.evaluate(f"models.one.set('current', {place_of(game, '1...c5')})")
    status(shown, "1...c5")
    board = shown.page.locator("#one .board")
    assert board.locator("polygon[fill='#c62828']").count() == 1
    assert board.locator("rect[fill='#15781b']").count() == 1
    assert board.locator("rect[fill='#ccd26a']").count() == 2


def test_evaluations_and_clocks(shown: Stage, game: tabiya.Game) -> None:
    shown.page.evaluate(f"models.one.set('current', {place_of(game, '2.Qh5')})")
    status(shown, "evaluation +0.00 · clocks 0:09:50 / 0:09:40")
    assert shown.page.locator("#one .bar div").get_attribute("style") == "height: 50%;"
    shown.page.evaluate(f"models.one.set('current', {place_of(game, '3...Nf6')})")
    status(shown, "evaluation #1")
    height = shown.page.evaluate("parseFloat(document.querySelector('#one .bar div').style.height)")
    assert height == state_of(tabiya.viewer(game))["_facts"]["nodes"][place_of(game, "3...Nf6")]["chances"]
    graph = shown.page.locator("#one .graph")
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": box["width"] * 2 / 7, "y": 5})
    status(shown, "1...e5")


def test_the_board_turns(shown: Stage) -> None:
    first = "document.querySelector('#one .board > g').getAttribute('transform')"
    assert shown.page.evaluate(first) == "translate(0 0)"
    shown.page.locator("#one .tabiya-viewer").press("f")
    assert shown.page.evaluate(first) == "translate(280 280)"
    assert shown.saved() == [{"current": 0, "flipped": True}]
    assert shown.page.locator("#one .board text").first.text_content() == "h"


def test_a_check_is_marked(shown: Stage) -> None:
    assert shown.page.locator("#one .board > circle").count() == 0
    shown.page.locator("#one .tabiya-viewer").press("End")
    circle = shown.page.locator("#one .board > circle")
    assert (circle.get_attribute("cx"), circle.get_attribute("cy")) == ("180", "20")  # e8


def test_keys_of_others_are_left_alone(shown: Stage) -> None:
    shown.page.evaluate("window.heard = []; document.addEventListener('keydown', ({key}) => heard.push(key))")
    shown.page.locator("#one .tabiya-viewer").focus()
    for key in ("ArrowRight", "a", "Control+f", "Enter"):
        shown.page.keyboard.press(key)
    assert shown.page.evaluate("heard") == ["a", "Control", "f", "Enter"]
    status(shown, "1.e4")


def test_two_widgets_on_a_page(shown: Stage) -> None:
    shown.show(state_of(tabiya.viewer("8/8/1KP5/3r4/8/8/8/k7 w - - 0 1")), "two")
    assert (pieces(shown), pieces(shown, "two")) == (32, 4)
    assert shown.page.locator("#two .right").is_hidden()
    assert shown.page.locator("#two .buttons button:visible").count() == 1
    shown.page.locator("#one .tabiya-viewer").press("ArrowRight")
    assert pieces(shown, "two") == 4
    assert shown.page.evaluate("document.querySelectorAll('[id]').length") == 2, "identifiers of pieces would clash"


def test_texts_are_never_markup(stage: Callable[..., Stage]) -> None:
    evil = f"<img src=x onerror=alert(1)>{EVIL}"
    game = tabiya.Game({"White": evil, "Black": evil, "Event": evil, "Result": evil})
    game.root.add("e4").text = evil
    new = stage()
    new.show(state_of(tabiya.viewer(game)))
    assert new.page.locator("#one img, #one script").count() == 0
    assert new.page.locator("#one .moves").inner_text().count("<img") == 2  # text and result
    assert new.page.locator("#one .title").inner_text().count("<img") == 3


def test_games_that_cannot_be_shown(stage: Callable[..., Stage]) -> None:
    damaged = tabiya.Game({"FEN": "nothing"})
    opaque = tabiya.Game({"White": "Tal"})
    opaque.kind = tabiya.game.RecordKind.OPAQUE
    new = stage()
    new.show(state_of(tabiya.viewer(damaged)), "one")
    new.show(state_of(tabiya.viewer(opaque)), "two")
    assert (pieces(new), pieces(new, "two")) == (0, 0)
    for place in ("one", "two"):
        new.page.locator(f"#{place} .tabiya-viewer").press("ArrowRight")
    expect(new.page.locator("#two .title")).to_contain_text("Tal")


def test_the_shown_move_is_in_sight(stage: Callable[..., Stage]) -> None:
    with tabiya.open(ROOT / "examples" / "classics.pgn") as games:
        state = state_of(tabiya.viewer(games[0].end(), size=200))
    new = stage()
    new.show(state)
    inside = """() => {
        const place = (name) => document.querySelector(name).getBoundingClientRect();
        const [moves, move] = [place(".moves"), place(".move.current")];
        return move.top >= moves.top && move.bottom <= moves.bottom + 1;
    }"""
    new.page.wait_for_function(inside)
    new.page.locator("#one .tabiya-viewer").press("Home")
    assert new.page.evaluate("document.querySelector('.moves').scrollTop") == 0


def test_it_fits_narrow_pages(shown: Stage) -> None:
    shown.page.set_viewport_size({"width": 320, "height": 600})
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("look", ["light", "dark"])
def test_texts_are_readable(stage: Callable[..., Stage], game: tabiya.Game, look: str) -> None:
    new = stage(look)
    new.show(state_of(tabiya.viewer(game)))
    expected = new.page.evaluate("getComputedStyle(document.body).color")
    for part in (".title", ".status", ".moves .text", ".moves .variation.move", ".buttons button"):
        colour = new.page.evaluate(f"getComputedStyle(document.querySelector('#one {part}')).color")
        assert colour == expected


def test_what_is_gone_hears_nothing(shown: Stage) -> None:
    assert shown.page.evaluate("models.one.heard.length") == 4
    shown.page.evaluate("models.one.end()")
    assert shown.page.evaluate("models.one.heard.length") == 0


def test_an_edited_game_is_shown_again(shown: Stage, game: tabiya.Game) -> None:
    game.end().text = "mate"
    state: dict[str, Any] = state_of(tabiya.viewer(game))
    shown.page.evaluate("facts => models.one.set('_facts', facts)", state["_facts"])
    expect(shown.page.locator("#one .moves")).to_contain_text("mate")
