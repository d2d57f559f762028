"""What was played: the explorer, its filters and games, books, and all games of a position."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.books import BuildOptions, build_book
from tests.chromium import expect
from tests.conftest import ROOT
from tests.web.browser.conftest import Server, Visitor
from tests.web.browser.test_game_list import settled

CLASSICS = ROOT / "examples" / "classics.pgn"


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("books")
    paths = [folder / "classics.ctg", folder / "classics.bin", folder / "classics.abk"]
    with tabiya.open(CLASSICS) as games:
        for path in paths:
            build_book(games, path, options=BuildOptions(min_games=1))
    return paths


@pytest.fixture(scope="module")
def classics(serve: Callable[..., Server], books: list[Path]) -> Server:
    return serve(CLASSICS, *books)


def rows(visitor: Visitor) -> list[list[str]]:
    """The table of moves, line by line, without what stands inside the bars."""
    table = visitor.page.locator(".explorer .explored tbody tr:not(.sum)")
    return [line.locator("td").all_inner_texts() for line in table.all()]


def expect_moves(visitor: Visitor, moves: list[str]) -> None:
    """Wait for the table of these moves: the one of another position may still be there."""
    cells = visitor.page.locator(".explorer .explored tbody tr:not(.sum) td:first-child button")
    expect(cells).to_have_text([re.compile(rf"^{re.escape(san)}\W*$") for san in moves])


def first_move(visitor: Visitor, san: str) -> None:
    visitor.page.locator(
        ".explorer .explored tbody tr", has=visitor.page.get_by_role("button", name=f"Play {san}")
    ).first.wait_for()


def test_the_explorer_counts_as_the_library_does(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.open(3, "2")
    answer = tabiya.explore(CLASSICS, "e4 e5")
    expect_moves(visitor, [move.san for move in answer.moves])
    assert [(san, games.split()[-1], last) for san, games, _, _, last in rows(visitor)] == [
        (move.san, str(move.games), str(move.last_year)) for move in answer.moves
    ]
    bar = visitor.page.locator(".explored .bar").first
    assert bar.get_attribute("aria-label") == "White 100%, drawn 0%, Black 0%"


def test_a_click_plays_the_move(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.open(3)
    for san in ("e4", "e5", "f4"):
        first_move(visitor, san)
        visitor.page.get_by_role("button", name=f"Play {san}", exact=True).click()
        visitor.page.locator(".moves [aria-current]", has_text=san).wait_for()
    assert visitor.position() == tabiya.Position().play("e4").play("e5").play("f4").fen()
    assert "f4" in " ".join(visitor.moves())  # a variation: the game goes on with Nf3


def test_filters_choose_the_games_that_count(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    first_move(visitor, "d4")
    page = visitor.page
    page.locator(".explorer").get_by_role("button", name="Filters").click()
    page.locator(".filters").get_by_label("White", exact=True).fill("anderssen")
    visitor.press("Tab")
    expect_moves(visitor, ["e4"])
    assert "Filters (1)" in page.locator(".explorer .tabs").inner_text()
    page.get_by_role("button", name="All games").click()
    first_move(visitor, "d4")


def test_a_game_is_opened_where_it_has_the_position(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.open(3, "3")
    first_move(visitor, "Nc6")
    visitor.page.locator(".few-games button", has_text="Steinitz").first.click()
    visitor.page.wait_for_function("() => location.hash.startsWith('#/games/s1/5/3')")
    assert visitor.current() == "Nf3"


def test_all_games_of_the_position_are_listed(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.open(3, "4")
    page = visitor.page
    page.get_by_role("tab", name="Games here").click()
    table = page.get_by_role("grid", name="Games of this position")
    expect(table.locator(".row")).to_have_count(1)
    settled(page)
    table.locator(".row").first.click()
    page.locator(".moves [aria-current]", has_text="d6").wait_for()


@pytest.mark.parametrize("suffix", ["ctg", "bin", "abk"])
def test_a_book_is_a_tab_of_its_own(
    visit: Callable[..., Visitor], classics: Server, books: list[Path], suffix: str
) -> None:
    visitor = visit(classics)
    visitor.open(3, "2")
    visitor.page.get_by_role("tab", name=f"classics.{suffix}").click()
    position = tabiya.Position().play("e4").play("e5")
    with tabiya.open_book(next(path for path in books if path.suffix == f".{suffix}")) as book:
        expected = [position.san(entry.move) for entry in book.probe(position)]
    expect_moves(visitor, expected)
    visitor.page.locator(".explorer").get_by_role("button", name="Play Nf3").click()
    visitor.page.locator(".moves [aria-current]", has_text="Nf3").wait_for()


def test_books_stand_side_by_side(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.go("books")
    sections = visitor.page.locator(".books section")
    sections.nth(2).locator("tbody tr").first.wait_for()
    assert [text.split("\n")[0] for text in sections.locator("h2").all_inner_texts()] == [
        "classics.ctg",
        "classics.bin",
        "classics.abk",
    ]
    sections.nth(1).get_by_role("button", name="Play e4").click()
    sections.nth(1).get_by_role("button", name="Play c6").wait_for()


def test_the_position_that_nobody_played_is_told_so(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.open(7)
    visitor.press("End")
    visitor.page.locator(".explorer", has_text="ended here").wait_for()
    visitor.open(3, "5")
    visitor.page.get_by_role("tab", name="classics.bin").click()
    first_move(visitor, "Bg4")
