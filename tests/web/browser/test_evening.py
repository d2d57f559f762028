"""What a club player stumbled over in an evening with the page: sizes, what covers what, figures, languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.chromium import expect
from tests.conftest import ROOT
from tests.web.browser.conftest import Server, Visitor
from tests.web.browser.test_reports import games_text

if TYPE_CHECKING:
    from playwright.sync_api import Route

CLASSICS = ROOT / "examples" / "classics.pgn"
PHONE = {"width": 390, "height": 844}

SCROLLING_MS = 400
"""How long the page may take to scroll to what has the focus."""

COVERED = """() => {
    const {left, top, width, height} = document.activeElement.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    const own = there && (there.contains(document.activeElement) || document.activeElement.contains(there));
    return own || document.activeElement === document.body ? null
        : `${document.activeElement.outerHTML.slice(0, 120)} under ${there?.className ?? 'the edge'}`;
}"""
CUT_FIGURES = """() => [...document.querySelectorAll('.bar i, .score-bar i')].filter(part => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const figure = range.getClientRects(), box = part.getBoundingClientRect();
    const text = [...figure].findLast(one => one.width > 4);
    const isSeen = part.innerText && text && text.top < box.bottom - 2;
    return isSeen && (text.right > box.right + 1 || text.left < box.left - 1);
}).map(part => part.parentElement.getAttribute('aria-label'))"""
SIZE = "() => document.querySelector('.board-place').getBoundingClientRect().width"


@pytest.fixture(scope="module")
def classics(serve: Callable[..., Server]) -> Server:
    return serve(CLASSICS)


@pytest.fixture(scope="module")
def club(serve: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    path: Path = tmp_path_factory.mktemp("club") / "club.pgn"
    path.write_text(games_text(), "utf-8")
    return serve(path)


@pytest.mark.parametrize(("width", "height"), [(1200, 720), (1280, 720), (1440, 900), (1920, 1080)])
def test_the_board_takes_the_height_that_no_graph_needs(
    visit: Callable[..., Visitor], games: Server, width: int, height: int
) -> None:
    visitor = visit(games, width=width, height=height)
    sizes = {}
    for number in (1, 2):  # with evaluations, and without
        visitor.open(number)
        column = visitor.page.locator(".board-column")
        assert column.evaluate("column => column.scrollHeight - column.clientHeight") <= 0
        sizes[visitor.page.locator(".graph-row").count()] = visitor.page.evaluate(SIZE)
        free = column.evaluate(
            "column => column.parentElement.getBoundingClientRect().bottom"
            " - column.lastElementChild.getBoundingClientRect().bottom"
        )
        assert free < 40
    assert sizes[0] - sizes[1] > 60


def test_on_a_phone_nothing_covers_what_the_keyboard_reaches(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics, **PHONE)
    visitor.open(2, "20")
    covered, reached = [], set()
    for _ in range(50):
        visitor.press("Tab")
        if visitor.page.evaluate(COVERED):
            visitor.page.wait_for_timeout(SCROLLING_MS)
            covered.append(visitor.page.evaluate(COVERED))
        reached.add(visitor.page.evaluate("() => document.activeElement.innerText"))
    assert [each for each in covered if each] == []
    assert {"Convert", "Explorer", "Filters"} <= reached


def test_a_notice_leaves_the_buttons_free(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics, **PHONE)
    visitor.open(2, "20")
    visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.page.get_by_role("button", name="Copy the link to this position").click()
    notice = visitor.page.locator(".notice").bounding_box()
    buttons = visitor.page.locator(".toolbar").bounding_box()
    assert notice is not None
    assert buttons is not None
    assert notice["y"] + notice["height"] <= buttons["y"]


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR", "ru-RU", "es-ES"])
def test_the_header_of_a_phone_is_two_lines_and_shows_the_chosen_tab(
    visit: Callable[..., Visitor], classics: Server, locale: str
) -> None:
    visitor = visit(classics, place="convert", locale=locale, **PHONE)
    chosen = visitor.page.locator(".header [aria-current=page]")
    box = visitor.page.locator(".header").bounding_box()
    assert box is not None
    assert box["height"] < 80
    tab = chosen.bounding_box()
    assert tab is not None
    assert tab["x"] >= 0
    assert tab["x"] + tab["width"] <= PHONE["width"]


@pytest.mark.parametrize("width", [390, 1280, 1440])
def test_figures_of_bars_are_whole_or_not_there(visit: Callable[..., Visitor], club: Server, width: int) -> None:
    visitor = visit(club, width=width)
    for place in ("players/s1", "players/s1?name=Beta, B", "games/s1/1/0", "board/s1/1/0"):
        visitor.go(place)
        visitor.page.locator(".bar, .score-bar").first.wait_for(state="attached")
        assert visitor.page.evaluate(CUT_FIGURES) == [], place


def test_enter_opens_the_first_player_that_was_found(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club, place="players/s1")
    page = visitor.page
    page.get_by_label("Find a player").fill("gamma")
    expect(page.locator(".report tbody tr")).to_have_count(1)
    page.get_by_label("Find a player").press("Enter")
    expect(page.get_by_role("heading", name="Gamma, G", exact=True)).to_be_visible()


def test_openings_of_two_players_meet(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club, place="players/s1?name=Alpha%2C+A&with=Beta%2C+B")
    page = visitor.page
    page.locator(".line-tree").nth(3).wait_for()
    titles = page.locator(".compare h2").all_inner_texts()
    expected = ["Alpha, A with White", "Beta, B with Black", "Alpha, A with Black", "Beta, B with White"]
    assert [title for title in titles if " with " in title] == expected


def test_openings_with_black_are_shown_from_blacks_side(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club)
    for side, lower in (("Black", "black"), ("White", "white")):
        visitor.go("players/s1?name=Delta, D" if side == "Black" else "players/s1?name=Alpha, A")
        section = visitor.page.locator(".cards section", has_text=f"Openings with {side}")
        section.locator("button.line-name").first.click()
        visitor.page.wait_for_selector(".board-frame")
        expect(visitor.page.locator(".board-column .player .dot").last).to_have_class(f"dot {lower}")


def test_numbers_have_the_form_of_the_language(visit: Callable[..., Visitor], club: Server) -> None:
    shown = {}
    for locale in ("en-GB", "de-DE"):
        visitor = visit(club, place="players/s1?name=Gamma, G", locale=locale)
        shown[locale] = visitor.page.locator(".figures .share").first.inner_text()
    assert re.fullmatch(r"\d+\.\d%", shown["en-GB"])
    assert shown["de-DE"] == shown["en-GB"].replace(".", ",").replace("%", "\u00a0%")


def test_sentences_of_the_server_are_translated_or_marked_as_english(
    visit: Callable[..., Visitor], classics: Server
) -> None:
    visitor = visit(classics, locale="de-DE")
    visitor.forgive(503)
    sentence = "The list is still growing; try again when it is complete."

    def refuse(route: Route) -> None:
        route.fulfill(status=503, json={"error": {"status": 503, "code": "busy", "sentence": sentence}})

    visitor.page.route("**/api/sources/*/players?*", refuse)
    visitor.go("players/s1")
    alert = visitor.page.get_by_role("alert")
    expect(alert).to_have_text("Die Liste wächst noch; noch einmal versuchen, wenn sie vollständig ist.")
    assert alert.get_attribute("lang") is None
    sentence = "Nobody has seen this sentence."
    visitor.page.reload()
    expect(alert).to_have_text(sentence)
    expect(alert).to_have_attribute("lang", "en")


def test_without_a_database_there_is_nothing_to_filter(
    visit: Callable[..., Visitor], serve: Callable[..., Server]
) -> None:
    visitor = visit(serve("--no-recent"), place="games")
    visitor.page.get_by_text("Open a database to see what was played.").wait_for()
    expect(visitor.page.locator(".explorer .tabs").get_by_role("button", name="Filters")).to_have_count(0)


def test_a_board_without_an_engine_has_no_bar(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics)
    visitor.open(3)
    visitor.page.get_by_role("switch").click()
    visitor.page.get_by_text("tabiya serve --engine stockfish").wait_for()
    expect(visitor.page.locator(".evaluation:not(.empty)")).to_have_count(0)
