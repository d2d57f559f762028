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


@pytest.mark.parametrize("tab", ["games", "search", "books", "texts", "convert", "board"])
def test_hostile_names_are_text_on_every_tab(visit: Callable[..., Visitor], hostile: Server, tab: str) -> None:
    visitor = visit(hostile)
    visitor.open(1, "5")
    visitor.go(f"{tab}/s1/1/5")
    visitor.page.wait_for_timeout(800)
    visitor.page.mouse.move(700, 300)
    is_unharmed(visitor)


def test_hostile_comments_are_text(visit: Callable[..., Visitor], hostile: Server) -> None:
    visitor = visit(hostile)
    visitor.open(1)
    visitor.page.wait_for_selector("text=Click me")
    told = visitor.page.locator(".moves").inner_text()
    with tabiya.open(ATTACKS) as database:
        game = database[0]
        for node in (game.root.children[0], game.root.children[0].children[0].children[1]):
            assert (node.text or "").strip() in told
    assert "<script>window.pwned = 8</script>" in told
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
    with tabiya.open(MORE_ATTACKS) as database:
        records = len(database)
    for number in range(1, records + 1):
        visitor.go(f"games/s1/{number}")
        visitor.page.wait_for_timeout(500)
        visitor.press("ArrowRight", "ArrowDown")
        is_unharmed(visitor)
    # Pictures that are named in the text and are not there.
    visitor.faults[:] = [fault for fault in visitor.faults if "404" not in fault]


def test_names_of_the_language_are_names(visit: Callable[..., Visitor], hostile: Server) -> None:
    visitor = visit(hostile)
    visitor.open(2, "2")
    assert "constructor – toString" in visitor.page.locator(".head").inner_text()
    is_unharmed(visitor)


@pytest.mark.parametrize(
    "place",
    ["games/s1/1/<img src=x onerror=pwned=1>", "%3Cscript%3E/..//etc/passwd", "games/__proto__/1", "games?fen=<svg>"],
)
def test_hostile_addresses_are_harmless(visit: Callable[..., Visitor], hostile: Server, place: str) -> None:
    visitor = visit(hostile)
    visitor.go(place)
    visitor.page.wait_for_selector(".board-frame")
    visitor.page.wait_for_timeout(300)
    is_unharmed(visitor)
    # The browser notes that the server knows no such record, and refuses such a position.
    visitor.faults[:] = [fault for fault in visitor.faults if "404" not in fault and "422" not in fault]
