"""The page to set up a position: by mouse, finger and keyboard, as FEN, with the server's opinion; and what follows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tabiya
from tabiya.search import ExactPosition
from tests.chromium import expect
from tests.web.browser.conftest import Server, Visitor
from tests.web.browser.test_game_list import total
from tests.web.browser.test_position_search import CLASSICS, matches, put

ENDING = "8/4k1P1/8/8/4K3/8/8/8"
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


@pytest.fixture(scope="module")
def classics(serve: Callable[..., Server]) -> Server:
    return serve(CLASSICS)


def set_up(visitor: Visitor, fen: str = "") -> None:
    visitor.go(f"setup/s1?position={fen.replace(' ', '_')}" if fen else "setup/s1")
    visitor.page.locator(".setup").wait_for()


def expect_fen(visitor: Visitor, text: str) -> None:
    expect(visitor.page.get_by_label("FEN", exact=True)).to_have_value(text)


def expect_verdict(visitor: Visitor, text: str) -> None:
    expect(visitor.page.locator(".setup .verdict")).to_contain_text(text)


def test_a_position_is_set_up_by_clicks_and_analysed(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.forgive(422)  # half of a position
    visitor.page.get_by_role("link", name="Set up").click()
    expect_fen(visitor, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    visitor.page.get_by_role("button", name="Clear the board").click()
    put(visitor, "white king", "e4")
    expect_verdict(visitor, "king")
    expect(visitor.page.get_by_role("button", name="Analyse here")).to_be_disabled()
    put(visitor, "black king", "e7")
    put(visitor, "white pawn", "g7", "a2", "a2")  # the second click takes it away
    visitor.page.get_by_role("button", name="Black to move").click()
    expect_fen(visitor, f"{ENDING} b - - 0 1")
    expect_verdict(visitor, "The position can be played.")
    visitor.page.get_by_role("button", name="Analyse here").click()
    visitor.expect_position(f"{ENDING} b - - 0 1")
    visitor.drag("e7", "f7")
    visitor.expect_position("8/5kP1/8/8/4K3/8/8/8 w - - 1 2")


def test_pieces_are_dragged_from_the_palette_over_the_board_and_off_it(
    visit: Callable[..., Visitor], classics: Server
) -> None:
    visitor = visit(classics)
    set_up(visitor)
    page = visitor.page
    page.locator(".palette").get_by_label("black queen").drag_to(page.locator(".board-editor [data-square=d5]"))
    expect_fen(visitor, "rnbqkbnr/pppppppp/8/3q4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    page.locator(".board-editor [data-square=d5]").drag_to(page.locator(".board-editor [data-square=d2]"))
    expect_fen(visitor, "rnbqkbnr/pppppppp/8/8/8/8/PPPqPPPP/RNBQKBNR w KQkq - 0 1")
    page.locator(".board-editor [data-square=d2]").drag_to(page.locator(".setup h1"))
    expect_fen(visitor, "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1")
    page.locator(".board-editor [data-square=d1]").click(button="right")
    expect_fen(visitor, "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNB1KBNR w KQkq - 0 1")
    expect(page.locator(".held")).to_have_count(0)


def test_the_turned_board_is_walked_and_filled_by_keyboard(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    set_up(visitor, "8/8/8/8/8/8/8/8 w - - 0 1")
    visitor.forgive(422)
    visitor.page.get_by_label("Turn the board").click()
    squares = visitor.page.locator(".board-editor .squares button")
    assert squares.first.get_attribute("data-square") == "h1"
    visitor.page.locator(".board-editor [data-square=e4]").focus()
    visitor.press("K", "ArrowUp", "ArrowRight", "k", "q", "Delete", "k")
    expect_fen(visitor, "8/8/8/8/4K3/3k4/8/8 w - - 0 1")


def test_fen_goes_both_ways(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.forgive(422)
    set_up(visitor)
    field = visitor.page.get_by_label("FEN", exact=True)
    field.fill("r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 3 17")
    assert visitor.page.locator(".board-editor [data-square=d5]").get_attribute("aria-label") == "d5: black pawn"
    rights = visitor.page.locator(".rights input")
    assert [box.is_checked() for box in rights.all()] == [True, False, False, True]
    expect(visitor.page.get_by_label("En passant")).to_have_value("d6")
    expect(visitor.page.get_by_label("Move number")).to_have_value("17")
    expect(visitor.page.get_by_label("Halfmove clock")).to_have_value("3")
    visitor.page.get_by_label("White O-O-O").check()
    visitor.page.get_by_label("En passant").select_option("")
    visitor.page.get_by_label("Move number").fill("20")
    visitor.press("Tab")
    expect_fen(visitor, "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQq - 3 20")
    assert "position=r3k2r/8/8/3pP3/8/8/8/R3K2R_w_KQq_-_3_20" in visitor.page.url
    visitor.page.reload()
    expect_fen(visitor, "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQq - 3 20")
    field.fill("no position")
    expect_verdict(visitor, "FEN")
    expect(field).to_have_value("no position")
    field.blur()
    expect_fen(visitor, "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQq - 3 20")


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "exactly one king"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "first or the eighth rank"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "not to move is in check"),
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "left out: White O-O-O"),
    ],
)
def test_the_server_says_what_is_wrong(
    visit: Callable[..., Visitor], classics: Server, position: str, sentence: str
) -> None:
    visitor = visit(classics)
    visitor.forgive(422)
    set_up(visitor, position)
    expect_verdict(visitor, sentence)


def test_chess960_with_its_castling_rights(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics, **CLIPBOARD)
    set_up(visitor)
    page = visitor.page
    page.get_by_label("Chess960", exact=True).check()
    page.get_by_label("Number of the start position, 0 to 959").fill("0")
    page.get_by_role("button", name="Start position").last.click()
    start = tabiya.Position.chess960_start(0).fen()
    expect_fen(visitor, start)
    assert "variant=chess960" in page.url
    page.get_by_label("Black O-O", exact=True).uncheck()
    expect_verdict(visitor, "The position can be played.")
    page.get_by_role("button", name="Copy FEN").click()
    page.wait_for_selector("text=The position is in the clipboard as FEN.")
    copied = page.evaluate("navigator.clipboard.readText()")
    position = tabiya.Position.from_fen(copied, chess960=True)
    assert position.fen() == copied
    assert copied.split()[2] == start.split()[2].replace("k", "").replace("g", "")
    page.get_by_role("button", name="Analyse here").click()
    visitor.expect_position(copied)
    assert "chess960=1" in page.url


def test_the_position_of_a_game_is_searched_for(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.open(3, "4")
    visitor.page.get_by_role("link", name="Set up").click()
    visitor.page.get_by_role("button", name="From the game").click()
    position = tabiya.Position().play("e4").play("e5").play("Nf3").play("d6").fen()
    expect_fen(visitor, position)
    visitor.page.get_by_role("button", name="Search this position").click()
    total(visitor.page, len(matches(ExactPosition(position))))


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720), (360, 740)])
def test_the_editor_fits(visit: Callable[..., Visitor], classics: Server, width: int, height: int) -> None:
    visitor = visit(classics, width=width, height=height)
    set_up(visitor)
    page = visitor.page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    sizes = page.locator(".board-editor .squares button").evaluate_all(
        "all => all.map(one => [one.getBoundingClientRect().width, one.getBoundingClientRect().height])"
    )
    assert len({round(side) for size in sizes for side in size}) <= 2  # squares are square, to a pixel
    if width > 1000:
        expect(page.get_by_role("button", name="From the game")).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="Copy the link")).to_be_in_viewport(ratio=1)
