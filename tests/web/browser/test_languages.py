"""The page in the language of the reader, with its piece letters: that of the browser, or the one that is chosen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import ROOT
from tests.web.browser.conftest import Server, Visitor

CLASSICS = ROOT / "examples" / "classics.pgn"

WORDS = {
    "de-DE": ("de", "Suche", "Brett", "Einstellungen", "Partien suchen"),
    "ru-RU": ("ru", "Поиск", "Доска", "Настройки", "Найти партии"),
    "es-ES": ("es", "Buscar", "Tablero", "Ajustes", "Buscar partidas"),
    "fr-FR": ("fr", "Recherche", "Échiquier", "Réglages", "Chercher des parties"),
}
KNIGHTS = {"de-DE": "Sf3", "ru-RU": "Кf3", "es-ES": "Cf3", "fr-FR": "Cf3"}


@pytest.fixture(scope="module")
def classics(serve: Callable[..., Server]) -> Server:
    return serve(CLASSICS)


@pytest.mark.parametrize("locale", WORDS)
def test_the_page_speaks_the_language_of_the_browser(
    visit: Callable[..., Visitor], classics: Server, locale: str
) -> None:
    language, search, board, settings, find = WORDS[locale]
    visitor = visit(classics, locale=locale)
    visitor.open(3, "2")
    page = visitor.page
    assert page.locator("html").get_attribute("lang") == language
    assert (page.locator(".board-place").get_attribute("aria-label") or "").startswith(board)
    page.get_by_role("button", name=settings, exact=True).wait_for()
    row = page.locator(".explored tbody tr").filter(has_text=KNIGHTS[locale]).first
    row.wait_for()
    page.get_by_role("link", name=search, exact=True).click()
    page.get_by_role("button", name=find, exact=True).wait_for()


@pytest.mark.parametrize("locale", ["de-DE", "ru-RU"])
@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 720)])
def test_long_words_fit(visit: Callable[..., Visitor], classics: Server, locale: str, width: int, height: int) -> None:
    visitor = visit(classics, locale=locale, width=width, height=height)
    visitor.open(3, "2")
    settings = WORDS[locale][3]
    for place in ("board/s1/3/2", "search/s1", "books", "texts", "convert"):
        visitor.go(place)
        visitor.page.locator("main").wait_for()
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width, place
    visitor.page.get_by_role("button", name=settings, exact=True).click()
    dialog = visitor.page.get_by_role("dialog", name=settings)
    dialog.wait_for()
    assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"
    assert dialog.locator(".segments label, .choice, legend").evaluate_all(cut) == []


def test_a_language_is_chosen_and_remembered(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics, locale="fr-FR")
    visitor.page.get_by_role("button", name="Réglages", exact=True).click()
    visitor.page.get_by_role("combobox", name="Langue").select_option("de")
    visitor.page.wait_for_selector("html[lang=de]")
    visitor.page.reload()
    visitor.page.get_by_role("button", name="Einstellungen", exact=True).click()
    visitor.page.get_by_role("combobox", name="Sprache").select_option("")
    visitor.page.wait_for_selector("html[lang=fr]")


def test_a_language_that_the_page_does_not_have_is_english(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics, locale="ja-JP")
    visitor.page.get_by_role("button", name="Settings", exact=True).wait_for()
    assert visitor.page.locator("html").get_attribute("lang") == "en"


def test_moves_are_searched_with_the_letters_of_the_language(visit: Callable[..., Visitor], classics: Server) -> None:
    visitor = visit(classics, locale="de-DE")
    visitor.go("search/s1")
    page = visitor.page
    page.locator("summary", has_text="Züge").click()
    field = page.locator('[data-condition="white-move"] input')
    field.fill("Dh5")
    with page.expect_request(lambda request: request.url.endswith("/queries")) as asked:
        page.get_by_role("button", name="Partien suchen", exact=True).click()
    question = asked.value.post_data_json
    assert question is not None
    assert question["position"] == {"white-move": ["Qh5"]}
