"""Databases and books: the list of them, files that are dropped or chosen, guiding texts."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.web.browser.conftest import Server, Visitor
from tests.web.browser.test_game_list import total

CLASSICS = ROOT / "examples" / "classics.pgn"
BASE = ROOT / "tests" / "data" / "cbh"
BOOK = ROOT / "tests" / "data" / "books" / "small.bin"

DROP = """files => {
  const data = new DataTransfer();
  for (const [name, bytes] of files) {
    data.items.add(new File([Uint8Array.from(atob(bytes), letter => letter.charCodeAt(0))], name));
  }
  for (const kind of ["dragenter", "dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}"""


@pytest.fixture(scope="module")
def server(serve: Callable[..., Server]) -> Server:
    return serve(CLASSICS)


def drop(visitor: Visitor, *paths: Path) -> None:
    visitor.page.wait_for_selector(".source-switch")
    visitor.page.evaluate(DROP, [[path.name, base64.b64encode(path.read_bytes()).decode()] for path in paths])


def switch(visitor: Visitor, text: str) -> None:
    visitor.page.locator(".source-switch", has_text=text).wait_for()


def test_a_dropped_file_is_looked_at_and_closed_again(visit: Callable[..., Visitor], server: Server) -> None:
    visitor = visit(server)
    drop(visitor, ROOT / "examples" / "damaged.pgn")
    switch(visitor, "damaged.pgn")
    total(visitor.page, 5)
    visitor.page.locator(".source-switch").click()
    visitor.page.get_by_role("button", name="Close damaged.pgn").click()
    switch(visitor, "classics.pgn")
    total(visitor.page, 8)


def test_all_files_of_a_chessbase_base_are_dropped_together(visit: Callable[..., Visitor], server: Server) -> None:
    visitor = visit(server)
    drop(visitor, *sorted(BASE.glob("handmade.*")))
    switch(visitor, "handmade.cbh")
    total(visitor.page, 4)


def test_a_base_that_lacks_a_file_names_it(visit: Callable[..., Visitor], server: Server) -> None:
    visitor = visit(server)
    drop(visitor, *(path for path in sorted(BASE.glob("handmade.*")) if path.suffix != ".cbg"))
    switch(visitor, "handmade.cbh")
    visitor.page.locator(
        ".games", has_text="handmade.cbg is missing; without the .cbg file there are no moves"
    ).wait_for()
    visitor.page.locator(".source-switch").click()
    visitor.page.locator(".sources li.current", has_text="handmade.cbg is missing").wait_for()


def test_a_dropped_book_is_shown_in_the_room_of_books(visit: Callable[..., Visitor], server: Server) -> None:
    visitor = visit(server)
    drop(visitor, BOOK)
    visitor.page.locator(".books section", has_text="small.bin").wait_for()
    assert "#/books" in visitor.page.url


PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const target = document.activeElement ?? document.body;
  target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


def test_pasted_games_and_positions_are_opened(visit: Callable[..., Visitor], server: Server) -> None:
    visitor = visit(server)
    switch(visitor, "classics.pgn")
    visitor.page.get_by_label("Quick filter").focus()
    visitor.page.evaluate(PASTE, "1. e4")  # that is for the field
    visitor.page.get_by_label("Quick filter").blur()
    visitor.page.evaluate(PASTE, '[White "Me"]\n\n1. e4 c5 *\n\n[White "You"]\n\n1. d4 *\n')
    switch(visitor, "pasted.pgn")
    total(visitor.page, 2)
    visitor.page.locator(".moves .move", has_text="c5").wait_for()
    visitor.page.evaluate(PASTE, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    visitor.expect_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    visitor.page.evaluate(PASTE, "Dear John")
    visitor.page.get_by_text("neither a game (PGN) nor a position (FEN)").wait_for()


def test_what_is_no_database_is_refused_in_a_sentence(visit: Callable[..., Visitor], server: Server) -> None:
    visitor = visit(server)
    visitor.forgive(422)
    drop(visitor, ROOT / "LICENSE")
    notice = visitor.page.locator(".notice.error")
    notice.wait_for()
    assert notice.inner_text().strip("×\n ").endswith(".") or "LICENSE" in notice.inner_text()
    switch(visitor, "classics.pgn")


def test_files_are_chosen_by_keyboard_as_well(visit: Callable[..., Visitor], server: Server) -> None:
    visitor = visit(server)
    page = visitor.page
    page.locator(".source-switch").focus()
    visitor.press("Enter")
    page.get_by_role("dialog", name="Databases and books").wait_for()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open files").focus()
        visitor.press("Enter")
    chooser.value.set_files(ROOT / "examples" / "damaged.pgn")
    switch(visitor, "damaged.pgn")


def test_without_a_database_the_page_says_what_to_do(
    visit: Callable[..., Visitor], serve: Callable[..., Server], tmp_path: Path
) -> None:
    visitor = visit(serve("--root", tmp_path))
    visitor.page.get_by_role("heading", name="Open a database").wait_for()
    drop(visitor, CLASSICS)
    total(visitor.page, 8)


def test_guiding_texts_have_a_room_of_their_own(visit: Callable[..., Visitor], serve: Callable[..., Server]) -> None:
    visitor = visit(serve(BASE / "handmade.cbh"))
    visitor.go("texts")
    page = visitor.page
    row = page.locator(".texts .row.text")
    row.wait_for()
    row.click()
    text = page.locator(".guiding-text")
    text.wait_for()
    assert text.inner_text().strip()
    visitor.go("texts/s1/3")
    text.wait_for()


def test_a_database_without_texts_says_so(visit: Callable[..., Visitor], server: Server) -> None:
    visitor = visit(server)
    visitor.go("texts")
    visitor.page.get_by_text("classics.pgn has no guiding texts").wait_for()
