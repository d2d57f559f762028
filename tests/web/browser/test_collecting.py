"""Putting a lesson together: new databases, games that are added to them, marks of deletion, links in texts, paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.game import Game, GuidingText, RecordKind
from tests.chromium import expect
from tests.web.browser.conftest import Server, Visitor

GAMES = """[Event "Example 1"]
[White "English Opening"]
[Result "*"]

1. c4 *

[Event "Example 2"]
[White "English Opening"]
[Result "*"]

1. c4 e5 *

[Event "Match"]
[White "Alpha, A"]
[Black "Beta, B"]
[Result "1-0"]

1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {good} 1-0

[Event "endings"]
[Site "exercise"]
[White "?"]
[Black "?"]
[Result "*"]
[FEN "8/8/4k3/8/8/8/4P3/4K3 w - - 0 1"]
[SetUp "1"]

1. Kd2 *
"""
CONTENTS = """<html><body><p>Contents</p>
<p><a href="javascript:CBLink(tag_text,Chapter 1, the plan,,,0)">the plan</a></p>
<p><a href="javascript:CBLink(tag_game,English Opening,,,,Example 2,)">second</a></p>
<p><a href="javascript:CBLink(tag_player,Alpha,A)">Alpha</a></p>
<p><a href="javascript:CBLink(tag_text,Nowhere,,,0)">lost</a></p></body></html>"""


@pytest.fixture
def lesson(serve: Callable[..., Server], tmp_path: Path) -> Server:
    """A PGN file and a ChessBase base of the same games with two texts, in a folder that may be written to."""
    (tmp_path / "games.pgn").write_text(GAMES, "utf-8")
    with tabiya.open(tmp_path / "games.pgn") as games, tabiya.create(tmp_path / "book.cbh") as book:
        for title, page in (("Contents", CONTENTS), ("Chapter 1, the plan", "<p>Push.</p>")):
            text = Game()
            text.kind = RecordKind.TEXT
            text.texts.append(GuidingText(0, title, 3, page.encode()))
            book.write(text)
        for game in games:
            book.write(game)
    return serve(tmp_path / "games.pgn", tmp_path / "book.cbh", "--write")


def test_a_list_goes_into_a_new_database(visit: Callable[..., Visitor], lesson: Server, tmp_path: Path) -> None:
    visitor = visit(lesson)
    page = visitor.page
    visitor.go("games/s1")
    page.locator(".list-tools input").fill("english")
    page.locator(".list-tools input").press("Enter")
    expect(page.locator(".foot")).to_contain_text("2 of 4 records")
    page.get_by_role("button", name="Add to …").click()
    page.get_by_label("Name", exact=True).fill("Lesson 1")
    page.locator("dialog.collect select").select_option("cbh")
    page.get_by_role("button", name="Create and add").click()
    expect(page.locator(".notices")).to_contain_text("2 games were added to Lesson 1.cbh.")
    expect(page.locator("dialog.collect")).to_have_count(0)
    page.get_by_role("button", name="Add to …").click()
    page.locator("dialog.collect li button", has_text="Lesson 1.cbh").click()
    expect(page.locator("dialog.collect")).to_have_count(0)
    with tabiya.open(tmp_path / "Lesson 1.cbh") as made:
        assert [game.tags["Event"] for game in made] == ["Example 1", "Example 2"] * 2


def test_a_name_that_is_taken_is_refused(visit: Callable[..., Visitor], lesson: Server, tmp_path: Path) -> None:
    visitor = visit(lesson)
    visitor.forgive(409)
    page = visitor.page
    before = (tmp_path / "games.pgn").read_bytes()
    visitor.go("home")
    page.get_by_role("button", name="New database …").click()
    page.get_by_label("Name", exact=True).fill("games")
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.locator(".notices")).to_contain_text("games.pgn exists already; nothing was changed.")
    assert (tmp_path / "games.pgn").read_bytes() == before
    page.get_by_label("Name", exact=True).fill("Exercises")
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.locator(".source-switch")).to_contain_text("Exercises.pgn")


def test_the_open_game_goes_into_a_new_database(visit: Callable[..., Visitor], lesson: Server, tmp_path: Path) -> None:
    visitor = visit(lesson)
    page = visitor.page
    visitor.open(3, "1")
    visitor.press("Shift+F10")
    page.get_by_role("menuitem", name="Add to …").click()
    page.get_by_role("menuitem", name="New database …").click()
    page.get_by_label("Name", exact=True).fill("Open games")
    page.get_by_role("button", name="Create and add").click()
    expect(page.locator(".notices")).to_contain_text("Added as game 1 to Open games.pgn.")
    with tabiya.open(tmp_path / "Open games.pgn") as made:
        assert [game.tags["White"] for game in made] == ["Alpha, A"]


def test_a_new_game_is_saved_where_one_is(visit: Callable[..., Visitor], lesson: Server) -> None:
    visitor = visit(lesson)
    visitor.go("games/s2")
    visitor.press("x")
    expect(visitor.page.get_by_label("Where to save a new game")).to_have_value("s2")


def test_a_game_is_deleted_and_restored(visit: Callable[..., Visitor], lesson: Server, tmp_path: Path) -> None:
    visitor = visit(lesson)
    page = visitor.page
    visitor.open(5, source="s2")
    visitor.press("x")
    page.get_by_text("Delete …").click()
    page.get_by_role("button", name="Mark this game as deleted").click()
    expect(page.locator(".row.deleted")).to_have_count(1)
    expect(page.locator(".head")).to_contain_text("marked as deleted")
    page.get_by_role("button", name="Restore this game").click()
    expect(page.locator(".row.deleted")).to_have_count(0)
    with tabiya.open(tmp_path / "book.cbh") as book:
        assert not any(game.deleted for game in book)


def test_games_without_players_are_told_apart(visit: Callable[..., Visitor], lesson: Server) -> None:
    visitor = visit(lesson)
    visitor.go("games/s1")
    rows = visitor.page.locator(".game-table .row")
    expect(rows.nth(3)).to_contain_text("endings · exercise")
    expect(rows.nth(3)).to_contain_text("record 4")
    assert "?" not in rows.nth(0).inner_text()
    visitor.open(4)
    expect(visitor.page.locator(".head h1")).to_have_text("endings")


def test_texts_lead_to_texts_games_and_players(visit: Callable[..., Visitor], lesson: Server) -> None:
    visitor = visit(lesson)
    page = visitor.page

    def follow(words: str) -> None:
        visitor.go("games/s2/1")
        page.get_by_role("button", name=words, exact=True).click()

    follow("the plan")
    expect(page.locator(".guiding-text")).to_contain_text("Push.")
    follow("second")
    page.wait_for_function("() => location.hash.startsWith('#/games/s2/4')")
    expect(page.locator(".moves .move")).to_have_count(2)
    follow("Alpha")
    expect(page.get_by_role("heading", name="Alpha, A", exact=True)).to_be_visible()
    follow("lost")
    expect(page.locator(".notices")).to_contain_text("“Nowhere” is not in this database.")


@pytest.mark.parametrize("place", ["games/s1/3/2", "board/s1/3/2"])
def test_a_game_on_paper(visit: Callable[..., Visitor], lesson: Server, place: str) -> None:
    visitor = visit(lesson, place=place, color_scheme="dark")
    page = visitor.page
    page.wait_for_selector(".moves .move")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 720, "height": 1000})
    for hidden in (".header", ".toolbar", ".side", ".explorer", ".head-tools"):
        expect(page.locator(hidden).first).to_be_hidden()
    top = "() => { const box = document.querySelector('.board-place').getBoundingClientRect();"
    top += " return document.elementFromPoint(box.x + 30, box.y + 30).closest('.board-place') !== null; }"
    assert page.evaluate(top), "something covers the board"
    assert page.evaluate("() => getComputedStyle(document.querySelector('.moves .move')).color") == "rgb(0, 0, 0)"
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 720
    expect(page.locator(".moves")).to_contain_text("Nf3")
