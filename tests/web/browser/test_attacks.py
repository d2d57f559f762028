"""What hostile files hold is text, wherever the page shows it. Nothing runs, nothing is loaded, nothing breaks out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tabiya
from tests.conftest import ROOT
from tests.web.browser.conftest import Server, Visitor

ATTACKS = ROOT / "tests" / "data" / "web" / "attacks.pgn"
MORE_ATTACKS = ROOT / "tests" / "data" / "hostile" / "names.pgn"
ALIEN = "#page :is(script, iframe, object, embed, style, base, meta, form[action]), #page [onerror], #page [onload]"


@pytest.fixture(scope="module")
def hostile(serve: Callable[..., Server]) -> Server:
    return serve(ATTACKS)


def is_unharmed(visitor: Visitor) -> None:
    """Nothing has run; that nothing was loaded and no policy was violated is checked for every visitor."""
    assert visitor.page.evaluate("window.pwned ?? window.attacked") is None
    assert visitor.page.evaluate("({}).polluted") is None
    assert visitor.page.locator(ALIEN).count() == 0
    assert visitor.page.locator("a[href^='javascript' i], a[href^='data' i]").count() == 0


@pytest.mark.parametrize(
    ("tab", "shown"),
    [
        ("games", ".game-table .two-lines"),
        ("search", ".search details"),
        ("books", ".welcome"),
        ("texts", "text=has no guiding texts"),
        ("convert", ".formats .format"),
        ("home", ".home-card"),
        ("players", ".players tbody tr"),
        ("tournaments", ".tournaments tbody tr"),
        ("statistics", ".statistics .figures"),
        ("board", ".game-table .two-lines"),
    ],
)
def test_hostile_names_are_text_on_every_tab(
    visit: Callable[..., Visitor], hostile: Server, tab: str, shown: str
) -> None:
    visitor = visit(hostile)
    visitor.open(1, "5")
    visitor.page.wait_for_selector(".few-games")
    visitor.go(f"{tab}/s1/1/5")
    visitor.page.wait_for_selector(shown)
    visitor.page.mouse.move(700, 300)
    is_unharmed(visitor)


def test_hostile_names_are_text_on_pages_of_their_own(visit: Callable[..., Visitor], hostile: Server) -> None:
    visitor = visit(hostile)
    visitor.go("players/s1")
    visitor.page.locator(".players tbody a").first.click()
    visitor.page.wait_for_selector(".player-page .cards")
    is_unharmed(visitor)
    visitor.go("tournaments/s1")
    visitor.page.locator(".tournaments tbody a").first.click()
    visitor.page.wait_for_selector(".tournament .listed-games .row")
    is_unharmed(visitor)


def test_hostile_comments_are_text(visit: Callable[..., Visitor], hostile: Server) -> None:
    visitor = visit(hostile)
    visitor.open(1)
    visitor.page.wait_for_selector("text=Click me")
    result = visitor.page.locator(".moves").inner_text()
    with tabiya.open(ATTACKS) as database:
        game = database[0]
        for node in (game.root.children[0], game.root.children[0].children[0].children[1]):
            assert (node.text or "").strip() in result
    assert "<script>window.pwned = 8</script>" in result
    assert "<b onmouseover=window.pwned=5>White</b>" in visitor.page.locator(".head").inner_text()
    visitor.page.get_by_text("Click me").click()
    visitor.press(*["ArrowRight"] * 5, "x", "f")
    is_unharmed(visitor)
    visitor.page.get_by_text("Names and tags").click()
    field = visitor.page.get_by_label("White", exact=True)
    assert field.input_value() == "<b onmouseover=window.pwned=5>White</b>"
    is_unharmed(visitor)


def test_no_record_of_the_servers_attacks_does_anything(
    visit: Callable[..., Visitor], serve: Callable[..., Server]
) -> None:
    visitor = visit(serve(MORE_ATTACKS))
    visitor.forgive(404)  # pictures that are named in the text and are not there
    with tabiya.open(MORE_ATTACKS) as database:
        records = len(database)
    for number in [*range(1, records + 1), 1]:
        visitor.open(number)
        visitor.press("ArrowRight", "ArrowDown")
        is_unharmed(visitor)


def test_names_of_the_language_are_names(visit: Callable[..., Visitor], hostile: Server) -> None:
    visitor = visit(hostile)
    visitor.open(2, "2")
    assert "constructor – toString" in visitor.page.locator(".head").inner_text()
    is_unharmed(visitor)


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("games/s1/1/<img src=x onerror=pwned=1>", ".moves .move"),
        ("%3Cscript%3E/..//etc/passwd", ".home-card"),
        ("games/__proto__/1", ".notice.error"),
        ("games?fen=<svg>", ".notice.error"),
    ],
)
def test_hostile_addresses_are_harmless(visit: Callable[..., Visitor], hostile: Server, place: str, shown: str) -> None:
    visitor = visit(hostile)
    visitor.forgive(404)  # no such record
    visitor.forgive(422)  # no such position
    visitor.go(place)
    visitor.page.wait_for_selector(shown)
    is_unharmed(visitor)
