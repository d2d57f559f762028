"""How the page fits what is unusual: hovered buttons, small heights, many books, long numbers, long and odd texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tabiya
from tabiya.books import BuildOptions, build_book
from tests.chromium import expect
from tests.conftest import ROOT
from tests.web.browser.conftest import Server, Visitor
from tests.web.browser.test_annotating import annotate
from tests.web.browser.test_game_list import settled, wide

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

CLASSICS = ROOT / "examples" / "classics.pgn"
HUGE = 2_300_000
LEAST_CONTRAST = 4.5

CONTRAST = """element => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const rgb = color => {
        canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
        return canvas.getImageData(0, 0, 1, 1).data;
    };
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
        .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    let ground = element;
    while (rgb(getComputedStyle(ground).backgroundColor)[3] < 255) ground = ground.parentElement;
    const [a, b] = [getComputedStyle(element).color, getComputedStyle(ground).backgroundColor].map(rgb).map(light);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""

CUT = """([selector, tolerance]) => [...document.querySelectorAll(selector)]
    .filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth + tolerance)
    .map(one => one.className + ': ' + one.innerText)"""


@pytest.fixture(scope="module")
def library(serve: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A database and more books than one line of tabs has room for, to be written to."""
    folder = tmp_path_factory.mktemp("fitting")
    names = ["classics.ctg", "grandmaster-repertoire.bin", "openings-of-the-club.abk", "one-more-book.bin"]
    (folder / "classics.pgn").write_bytes(CLASSICS.read_bytes())
    with tabiya.open(CLASSICS) as games:
        for name in names:
            build_book(games, folder / name, options=BuildOptions(min_games=1))
    return serve(folder / "classics.pgn", *(folder / name for name in names), "--write")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_buttons_are_readable_while_the_mouse_is_over_them(
    visit: Callable[..., Visitor], library: Server, scheme: str
) -> None:
    visitor = visit(library, color_scheme=scheme)
    visitor.open(3, "1")
    annotate(visitor)
    visitor.page.get_by_label("Good move").click()
    page = visitor.page
    for name in ("Save", "Save as a new game", "Download PGN", "Annotate", "Good move", "Position", "Filters"):
        button = page.get_by_role("button", name=name, exact=True).first
        button.hover()
        assert button.evaluate(CONTRAST) >= LEAST_CONTRAST, name
    visitor.go("convert")
    start = page.locator("button.primary").first
    start.hover()
    assert start.evaluate(CONTRAST) >= LEAST_CONTRAST


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900), (1100, 640)])
def test_the_save_button_is_in_sight(visit: Callable[..., Visitor], library: Server, width: int, height: int) -> None:
    visitor = visit(library, width=width, height=height)
    visitor.open(3, "1")
    annotate(visitor)
    for name in ("Save", "Save as a new game", "Download PGN"):
        button = visitor.page.get_by_role("button", name=name, exact=True)
        assert button.evaluate(
            """one => { const {left, top, right, bottom} = one.getBoundingClientRect();
                return [[left + 3, top + 3], [right - 3, bottom - 3]].every(([x, y]) =>
                    one.contains(document.elementFromPoint(x, y))); }"""
        ), name


@pytest.mark.parametrize("width", [390, 1100, 1280, 1440])
def test_every_book_has_a_tab_that_can_be_read(visit: Callable[..., Visitor], library: Server, width: int) -> None:
    visitor = visit(library, width=width)
    visitor.open(3, "1")
    tabs = visitor.page.get_by_role("tab")
    expect(tabs).to_have_count(7)
    pane = visitor.page.get_by_role("tablist").bounding_box()
    assert pane is not None
    for tab in tabs.all():
        box = tab.bounding_box()
        assert box is not None
        assert box["width"] > 50
        assert pane["x"] - 1 <= box["x"]
        assert box["x"] + box["width"] <= pane["x"] + pane["width"] + 1
        assert box["y"] + box["height"] <= pane["y"] + pane["height"] + 1


def huge_book(route: Route) -> None:
    """Answer for a book with everything that a CTG book knows, in seven digits."""
    moves = [
        {"uci": uci, "san": san, "weight": HUGE, "share": 1.0, "games": HUGE, "wins": HUGE // 3, "draws": HUGE // 3}
        | {"losses": HUGE // 3, "score": 0.5, "rating": 2650, "performance": 2701, "glyph": "!?", "learning": 12345}
        for uci, san in (("e7e5", "e5"), ("g8f6", "Nf6"), ("b8c6", "Nc6"))
    ]
    fen = tabiya.Position().play("e4").fen()
    route.fulfill(
        status=200, content_type="application/json", body=json.dumps({"known": True, "fen": fen, "moves": moves})
    )


@pytest.mark.parametrize("width", [390, 768, 1100, 1280, 1440, 1920])
def test_the_moves_of_a_book_fit_into_their_card(visit: Callable[..., Visitor], library: Server, width: int) -> None:
    visitor = visit(library, width=width)
    visitor.page.route("**/book?*", huge_book)
    visitor.open(3, "1")
    visitor.page.locator(".explorer .bar").first.wait_for()
    assert visitor.page.evaluate(CUT, [".explorer .pane", 1]) == []
    visitor.page.get_by_role("tab", name="classics.ctg").click()
    visitor.page.locator(".explorer .bar").nth(2).wait_for()
    assert visitor.page.evaluate(CUT, [".explorer .pane, .explorer td", 1]) == []
    visitor.page.get_by_role("link", name="Books").click()
    visitor.page.locator(".books .bar").nth(2).wait_for()
    assert visitor.page.evaluate(CUT, [".books, .books section, .books td", 1]) == []
    assert visitor.page.evaluate(
        "() => [...document.querySelectorAll('.books .bar')].every(bar => "
        "bar.getBoundingClientRect().right <= bar.closest('.card').getBoundingClientRect().right)"
    )


def huge_list(page: Page) -> None:
    """Let the server speak of 2.3 million games, with numbers and dates of full length."""

    def rows(route: Route) -> None:
        answer = route.fetch()
        reply = answer.json()
        for row in reply["rows"]:
            row.update(number=row["number"] + HUGE - 10, date="2013.11.09", white_elo=2850, black_elo=2850)
        route.fulfill(response=answer, json=reply)

    def sources(route: Route) -> None:
        answer = route.fetch()
        reply = answer.json()
        for each in reply["sources"]:
            each["records"] = HUGE
        route.fulfill(response=answer, json=reply)

    page.route("**/rows?*", rows)
    page.route("**/api/sources", sources)


def test_numbers_of_seven_digits_and_dates_are_not_cut(visit: Callable[..., Visitor], library: Server) -> None:
    visitor = visit(library)
    huge_list(visitor.page)
    visitor.page.reload()
    page = wide(visitor)
    page.locator(".row .number", has_text="2299991").wait_for()
    assert page.evaluate(CUT, [".row .cell:is(.number, .date, .white_elo, .black_elo, .result, .eco, .plies)", 0]) == []
    assert page.evaluate(CUT, [".source-switch, .foot span", 0]) == []


def test_the_last_game_stays_in_sight_when_it_is_opened_from_the_wide_list(
    visit: Callable[..., Visitor], serve: Callable[..., Server], tmp_path: Path
) -> None:
    path = tmp_path / "many.pgn"
    path.write_text("".join(f'[White "W{number}"]\n[Black "B"]\n\n1. e4 *\n\n' for number in range(1, 301)), "utf-8")
    visitor = visit(serve(path))
    page = wide(visitor)
    page.locator(".game-table").focus()
    visitor.press("End")
    page.locator(".row.cursor .number", has_text="300").wait_for()
    settled(page)
    visitor.press("Enter")
    row = page.locator(".game-table.compact .row.current")
    expect(row).to_contain_text("W300")
    expect(row).to_be_in_viewport(ratio=1)
    table, box = page.locator(".game-table").bounding_box(), row.bounding_box()
    assert table is not None
    assert box is not None
    assert table["y"] <= box["y"]
    assert box["y"] + box["height"] <= table["y"] + table["height"] + 1


def test_escape_leaves_variations_and_nothing_else(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "5.2.3")
    visitor.press("Escape")
    assert visitor.page.evaluate("location.hash").endswith("/6")
    visitor.press("Escape", "Escape")
    assert visitor.page.evaluate("location.hash").endswith("/6")


@pytest.mark.parametrize("width", [390, 1024])
def test_a_link_to_a_game_opens_the_game(visit: Callable[..., Visitor], width: int) -> None:
    visitor = visit(width=width, height=844)
    visitor.go("games/s1/1/5")
    expect(visitor.page.locator(".board-frame")).to_be_visible()
    expect(visitor.page.locator(".moves [aria-current]")).to_have_text("3.d4")
    visitor.page.get_by_role("link", name="Games").click()
    expect(visitor.page.locator(".board-frame")).to_be_hidden()
    visitor.page.reload()  # whoever looks at the list goes on looking at it
    settled(visitor.page)
    expect(visitor.page.locator(".board-frame")).to_be_hidden()


def test_the_window_is_called_after_the_game(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    visitor.page.wait_for_function("() => document.title.includes('Morphy')")
    title = visitor.page.title().replace("\u2068", "").replace("\u2069", "")
    assert title == "Morphy, Paul – Duke Karl / Count Isouard 1-0 · annotated.pgn · tabiya"
    visitor.open(2)
    visitor.page.wait_for_function("() => document.title.includes('Fischer')")


@pytest.fixture(scope="module")
def odd(serve: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    """Games with long comments, with characters that change direction in their names, and with a missing picture.

    The name of the file has such a character, too.
    """
    path = tmp_path_factory.mktemp("odd") / "\u202eodd.pgn"
    long = "x" * 300_000
    turned = "\u2069\u2067\u202eCarlsen"
    path.write_text(
        f'[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 {{{long}}} (1. d4 {{{long}}}) 1-0\n\n'
        f'[White "{turned}"]\n[Black "{turned}"]\n[WhiteElo "2850"]\n[Event "{turned}"]\n[Result "1-0"]\n\n'
        f"1. e4 (1. d4 {{{turned}}} d5) 1-0\n\n"
        f'[White "C"]\n[Black "{long[:20_000]}"]\n[Result "*"]\n\n1. e4 {{[%picture Nw==]}} *\n',
        "utf-8",
    )
    return serve(path)


def test_a_long_comment_is_shown_in_parts(visit: Callable[..., Visitor], odd: Server) -> None:
    visitor = visit(odd)
    visitor.open(1)
    result = visitor.page.locator(".said").first
    length = len(result.inner_text())
    assert 1_000 < length < 5_000
    for _ in range(2):
        result.get_by_role("button", name="show more").click()
        visitor.page.wait_for_function(
            "length => document.querySelector('.said').innerText.length > length", arg=length
        )
        length = len(result.inner_text())
    assert length < 50_000
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 1440
    visitor.press("ArrowRight")
    assert visitor.current() == "e4"


REVERSED = """() => {
    const turned = [];
    const walker = document.createTreeWalker(document.querySelector('#page'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (/[\\u202a-\\u202e\\u2066\\u2067]/.test(node.data)) continue;  // turned by itself
        const text = node.data, range = document.createRange(), lefts = [];
        for (let place = 0; place < Math.min(text.length, 40); place++) {
            range.setStart(node, place); range.setEnd(node, place + 1);
            const box = range.getBoundingClientRect();
            if (box.width && /\\w/.test(text[place])) lefts.push([box.top, box.left]);
        }
        if (lefts.some(([top, left], index) => index && top === lefts[index - 1][0] && left < lefts[index - 1][1]))
            turned.push(text);
    }
    return turned;
}"""


def test_names_do_not_turn_round_what_stands_beside_them(visit: Callable[..., Visitor], odd: Server) -> None:
    visitor = visit(odd)
    visitor.open(2)
    visitor.page.wait_for_selector(".few-games")
    assert visitor.page.evaluate(REVERSED) == []
    assert visitor.page.title().count("\u202e") == 0
    assert visitor.page.locator(".source-switch").inner_text().startswith("odd.pgn")
    assert visitor.page.locator(".head h1").inner_text() == "Carlsen – Carlsen · 1-0"


def test_a_missing_picture_is_named(visit: Callable[..., Visitor], odd: Server) -> None:
    visitor = visit(odd)
    visitor.forgive(404)
    visitor.open(3)
    visitor.page.wait_for_selector(".things >> text=Missing picture: 7.bmp")
    expect(visitor.page.locator(".moves img")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (1280, 720), (390, 844)])
def test_the_bar_of_the_tools_is_whole(visit: Callable[..., Visitor], library: Server, width: int, height: int) -> None:
    visitor = visit(library, width=width, height=height, locale="es")
    visitor.open(1, "3")
    visitor.press("x")
    bar = visitor.page.locator(".annotate-bar")
    for name in ("Deshacer", "Rehacer", "Explorador", "Hecho"):
        expect(bar.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    assert visitor.page.evaluate(CUT, [".annotate-bar", 0]) == []


def test_what_is_below_the_list_is_whole(visit: Callable[..., Visitor], library: Server) -> None:
    visitor = visit(library)
    page = visitor.page
    page.locator(".list-tools input").fill("anderssen")
    expect(page.locator(".foot")).to_contain_text("of 8 records")
    assert page.evaluate(CUT, [".foot, .foot *", 0]) == []
