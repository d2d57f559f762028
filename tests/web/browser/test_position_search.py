"""Searching by a board: patterns that are drawn, positions that are set up, by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.search import ExactPosition, Pattern
from tests.chromium import expect
from tests.conftest import ROOT
from tests.web.browser.conftest import Server, Visitor
from tests.web.browser.test_game_list import total

CLASSICS = ROOT / "examples" / "classics.pgn"


@pytest.fixture(scope="module")
def classics(serve: Callable[..., Server]) -> Server:
    return serve(CLASSICS)


def put(visitor: Visitor, what: str, *squares: str) -> None:
    visitor.page.get_by_role("group", name="What to put on the board").get_by_role(
        "button", name=what, exact=True
    ).click()
    for square in squares:
        visitor.page.locator(f".board-editor [data-square={square}]").click()


def find(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Find games").click()


def matches(condition: Pattern | ExactPosition) -> dict[int, int]:
    """By number of the game: half-moves before the first match."""
    with tabiya.open(CLASSICS) as database:
        return {match.number: match.ply for match in database.search(condition)}


def test_a_pattern_is_drawn_and_found(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.go("search")
    put(visitor, "white queen", "b3")
    put(visitor, "white bishop", "c4", "g5")
    put(visitor, "any black piece", "f7")
    put(visitor, "empty square", "d4")
    assert visitor.page.get_by_label("Pattern", exact=True).input_value() == "af7,Bg5,Bc4,_d4,Qb3"
    find(visitor)
    expected = matches(Pattern("Qb3,Bc4,Bg5,af7,_d4"))
    assert expected == {3: 17}
    total(visitor.page, 1)
    visitor.page.locator(".game-table .row", has_text="Morphy").click()
    visitor.page.wait_for_function("() => location.hash.startsWith('#/games/s1/3/17')")
    with tabiya.open(CLASSICS) as database:
        game = database[2]
        assert isinstance(game, tabiya.Game)
        visitor.expect_position(list(game.mainline())[16].position.fen())


def test_men_are_moved_and_taken_away(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.go("search")
    put(visitor, "black knight", "f6", "a1")
    page = visitor.page
    page.locator(".board-editor [data-square=f6]").drag_to(page.locator(".board-editor [data-square=d5]"))
    text = page.get_by_label("Pattern", exact=True)
    assert text.input_value() == "nd5,na1"
    put(visitor, "remove", "a1")
    assert text.input_value() == "nd5"
    page.get_by_role("button", name="Empty", exact=True).click()
    assert text.input_value() == ""


def test_what_is_typed_is_drawn_and_what_cannot_be_drawn_is_kept(
    visit: Callable[..., Visitor], classics: Server
) -> None:
    visitor = visit(classics)
    visitor.go("search")
    page = visitor.page
    page.locator("summary", has_text="Position").click()
    text = page.get_by_label("Pattern", exact=True)
    text.fill("Kg1,[QR]d1")
    assert page.locator(".board-editor [data-square=g1]").get_attribute("aria-label") == "g1: white king"
    assert page.locator(".board-editor [data-square=d1]").get_attribute("aria-label") == "d1: one of [QR]"
    text.fill("8/8/p7/8/8/1B3[^N]2/8/8")
    page.get_by_text("This pattern is only in the field below.").wait_for()
    assert text.input_value() == "8/8/p7/8/8/1B3[^N]2/8/8"


def test_the_position_of_the_game_is_searched_for(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.open(3, "4")
    visitor.go("search/s1/3/4")
    page = visitor.page
    page.get_by_role("button", name="Whole position").click()
    page.get_by_role("button", name="From the board").click()
    find(visitor)
    fen = tabiya.Position().play("e4").play("e5").play("Nf3").play("d6").fen()
    total(page, len(matches(ExactPosition(fen))))


def test_a_position_is_set_up_by_keyboard_and_looked_at(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.forgive(422)  # half of a position
    visitor.go("search")
    page = visitor.page
    page.get_by_role("button", name="Whole position").click()
    page.locator(".board-editor [data-square=e4]").focus()
    visitor.press("K", "ArrowUp", "ArrowUp", "ArrowUp", "k", "ArrowRight", "ArrowRight", "P")
    assert page.locator(".board-editor [data-square=g7]").get_attribute("aria-label") == "g7: white pawn"
    page.get_by_label("Side to move").select_option("w")
    assert page.get_by_label("FEN", exact=True).input_value() == "8/4k1P1/8/8/4K3/8/8/8 w"
    page.get_by_role("button", name="Show on the board").click()
    visitor.expect_position("8/4k1P1/8/8/4K3/8/8/8 w - - 0 1")
    visitor.drag("e4", "f5")
    visitor.expect_position("8/4k1P1/8/5K2/8/8/8/8 b - - 1 1")
    page.reload()  # the address has the position and the moves
    visitor.expect_position("8/4k1P1/8/5K2/8/8/8/8 b - - 1 1")
    visitor.press("ArrowLeft")
    visitor.expect_position("8/4k1P1/8/8/4K3/8/8/8 w - - 0 1")


def test_a_position_that_cannot_be_is_told_so(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.forgive(422)
    visitor.go("search")
    page = visitor.page
    page.get_by_role("button", name="Whole position").click()
    put(visitor, "white king", "e1")
    result = page.locator(".verdict [role=status]", has_text="king")
    result.wait_for()


def test_a_narrow_screen_has_room_for_the_board(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics, width=360, height=740)
    visitor.go("search")
    put(visitor, "white pawn", "e4")
    box = visitor.page.locator(".board-editor .squares").bounding_box()
    assert box is not None
    assert 260 < box["width"] < 360
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_an_ending_is_chosen_by_name(
    visit: Callable[..., Visitor], serve: Callable[..., Server], tmp_path: Path
) -> None:
    starts = (
        "8/8/8/8/3k4/8/1r2P3/4K2R w - - 0 1",
        "8/8/8/8/3k4/8/1r2B3/4K3 w - - 0 1",
        "8/8/3p4/8/3k4/8/1r6/4K2R w - - 0 1",
    )
    games = "".join(f'[White "Ending {n}"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n*\n\n' for n, fen in enumerate(starts))
    (tmp_path / "endings.pgn").write_text(games, "utf-8")
    visitor = visit(serve(tmp_path / "endings.pgn"), locale="fr")
    page = visitor.page
    visitor.go("search/s1")
    page.get_by_role("combobox", name=re.compile("^Finale")).select_option("Tour et pion contre tour")
    page.get_by_role("button", name="Chercher des parties").click()
    expect(page.locator(".chips")).to_have_text(re.compile("^Tour et pion contre tour"))
    expect(page.locator(".game-table .row")).to_have_count(2)
    expect(page.locator(".game-table .row").nth(1)).to_contain_text("Ending 2")
    visitor.go("search/s1")
    expect(page.get_by_role("combobox", name=re.compile("^Finale"))).to_have_value("Tour et pion contre tour")


def test_outcomes_are_buttons(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    page = visitor.page
    visitor.go("search/s1")
    page.locator("summary", has_text="What happens").click()
    page.get_by_role("button", name="drawn", exact=True).click()
    page.get_by_role("button", name="Find games").click()
    expect(page.locator(".foot")).to_contain_text("1 of")
    visitor.go("search/s1")
    expect(page.get_by_role("button", name="drawn", exact=True)).to_have_attribute("aria-pressed", "true")
