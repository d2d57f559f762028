"""The notation: as a table and as a book, letters of pieces, folded variations, the menu of a move, long games."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tabiya
from tests.chromium import expect
from tests.web.browser.conftest import GAMES, Server, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Locator

PLIES = 640
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


def shows(visitor: Visitor, style: str) -> None:
    expect(visitor.page.locator(f".moves.as-{style}")).to_be_visible()


def menu_of(visitor: Visitor, move: str) -> Locator:
    """The menu of a move, opened with the right mouse button."""
    visitor.page.locator(".moves .move", has_text=re.compile(move)).first.click(button="right")
    return visitor.page.get_by_role("menu")


def item(visitor: Visitor, name: str) -> Locator:
    return visitor.page.get_by_role("menuitem", name=name, exact=True)


def told(visitor: Visitor) -> str:
    return visitor.page.locator(".moves").inner_text()


def test_the_book_is_for_annotated_games_and_the_table_for_others(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    shows(visitor, "book")
    visitor.open(4)
    shows(visitor, "table")
    visitor.page.get_by_label("Moves as in a book").click()
    shows(visitor, "book")
    visitor.page.reload()
    shows(visitor, "book")
    visitor.page.get_by_role("button", name="Settings", exact=True).click()
    visitor.page.get_by_role("combobox", name="Notation").select_option("auto")
    shows(visitor, "table")


def test_a_game_in_the_table_stays_there_while_it_is_annotated(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(4, "1")
    visitor.press("x")
    visitor.page.get_by_label("Comment on d4").fill("A comment.")
    visitor.page.locator(".moves .comment", has_text="A comment.").wait_for()
    shows(visitor, "table")


def test_the_table_has_rows_with_evaluations_and_times(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "5")
    visitor.page.get_by_label("Moves as a table").click()
    rows = visitor.page.locator(".row-of-moves")
    shown = [re.sub(r"\s+", " ", text) for text in rows.all_inner_texts()]
    assert shown[:3] == [
        "1 1.e4 +0.20 e5 +0.30",
        "2 2.Nf3 +0.25 1:00 d6 +0.40 1:20",
        "3 3.d4 +0.50 20s Bg4?! +0.90 3:10",
    ]
    assert shown[3].startswith("4 4.dxe5")
    between = visitor.page.locator(".moves > p").all_inner_texts()
    assert "A weak move already." in between
    visitor.page.locator(".half-move", has_text="Nf3").first.locator(
        ".figure"
    ).first.click()  # the cell, not just the word
    assert visitor.current() == "Nf3"
    visitor.page.get_by_role("button", name="Settings", exact=True).click()
    visitor.page.get_by_label("Evaluations and times in the table of moves").uncheck()
    visitor.press("Escape")
    expect(visitor.page.locator(".half-move .figure")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "moves"),
    [("de", ["Sf3", "Lg4?!"]), ("fr", ["Cf3", "Fg4?!"]), ("es", ["Cf3", "Ag4?!"]), ("ru", ["\u041af3", "\u0421g4?!"])],
)
def test_pieces_have_the_letters_of_the_language(
    visit: Callable[..., Visitor], language: str, moves: list[str]
) -> None:
    visitor = visit(locale=language)
    visitor.open(1)
    for move in moves:
        visitor.page.locator(".moves .move", has_text=move).first.wait_for()


def test_figurines_are_drawn_and_read_as_letters(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "3")
    visitor.page.get_by_role("button", name="Settings", exact=True).click()
    visitor.page.get_by_label("Pieces in moves").select_option("figurines")
    visitor.press("Escape")
    figurine = visitor.page.locator(".moves [aria-current] .figurine")
    expect(figurine).to_have_text("N")
    assert visitor.current() == "Nf3"
    assert "figurines" in figurine.evaluate("one => getComputedStyle(one).maskImage")
    visitor.page.reload()
    expect(figurine).to_have_text("N")
    visitor.page.get_by_role("button", name="Settings", exact=True).click()
    visitor.page.get_by_label("Pieces in moves").select_option("nl")
    visitor.press("Escape")
    expect(visitor.page.locator(".moves [aria-current]")).to_have_text("2.Pf3")
    visitor.press("x")
    field = visitor.page.get_by_label("Play a move")
    field.fill("Pf6")
    visitor.page.wait_for_selector(".board-frame[data-ready=true]")
    field.press("Enter")
    visitor.page.locator(".variation .move", has_text="Pf6").first.wait_for()


def test_variations_fold_and_unfold_for_the_current_move(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    page = visitor.page
    variation = page.locator(".moves .variation").first
    assert variation.inner_text() == "3…exd4 4.Nxd4 Nf6 5.Nc3 solid (5.Bd3 g6) 5…Be7"
    variation.get_by_label("Fold this variation").click()
    expect(variation).to_have_text(re.compile(r"3…exd4\s*… \+6$"))
    visitor.open(4)
    visitor.open(1)
    expect(variation).to_have_text(re.compile(r"3…exd4\s*… \+6$"))
    variation.get_by_label("Show 6 more moves").click()
    expect(variation).to_contain_text("Be7")
    page.get_by_label("Fold all variations").click()
    expect(page.locator(".moves .folded")).not_to_have_count(0)
    assert "5…Be7" not in told(visitor)
    visitor.go("games/s1/1/5.1.3")
    expect(page.locator(".moves [aria-current]")).to_have_text("Nf6")
    assert "5…Be7" in told(visitor)
    page.get_by_label("Unfold all variations").click()
    expect(page.locator(".moves .folded")).to_have_count(0)
    variation.get_by_label("Fold this variation").click()
    assert visitor.current() == "Bg4?!"  # the board has left the variation


def test_the_menu_promotes_and_deletes(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "5.1.1")
    before = told(visitor)
    menu_of(visitor, r"^3…Nf6")
    item(visitor, "Move this variation up").click()
    expect(visitor.page.locator(".variation .move").first).to_have_text("3…Nf6")
    assert visitor.current() == "exd4"  # the menu is about its own move
    menu_of(visitor, r"^3…Nf6")
    item(visitor, "Make this the main line").click()
    expect(visitor.page.locator(".variation .move").first).to_have_text(re.compile("Bg4"))
    visitor.press("Control+z", "Control+z")
    assert told(visitor) == before
    menu_of(visitor, r"Bg4")
    item(visitor, "Delete variations from here").click()
    expect(visitor.page.locator(".moves .variation")).to_have_count(0)
    assert visitor.current() == "d4"  # the current move was in one of them
    assert item(visitor, "Delete comments from here").count() == 0
    menu_of(visitor, r"Bg4")
    item(visitor, "Delete comments from here").click()
    assert "A weak move already." not in told(visitor)
    assert "The Opera Game" in told(visitor)
    menu_of(visitor, r"d4$")
    item(visitor, "Delete from here").click()
    assert [re.sub(r"^\d+[.…]", "", move) for move in visitor.moves()] == ["e4", "e5", "Nf3", "d6"]
    visitor.page.get_by_label("Undo").click()
    visitor.page.get_by_label("Undo").click()
    visitor.page.get_by_label("Undo").click()
    expect(visitor.page.locator(".changed")).to_have_count(0)
    assert told(visitor) == before


def test_the_menu_copies_and_annotates(visit: Callable[..., Visitor]) -> None:
    visitor = visit(**CLIPBOARD)
    visitor.open(1)
    clipboard = "navigator.clipboard.readText()"
    menu_of(visitor, r"^3…exd4")
    item(visitor, "Copy this line as PGN").click()
    visitor.page.wait_for_selector("text=This line is in the clipboard as PGN.")
    copied = tabiya.Game.from_pgn(visitor.page.evaluate(clipboard))
    assert [node.san for node in copied.mainline()][4:] == ["d4", "exd4", "Nxd4", "Nf6", "Nc3", "Be7"]
    assert all(len(node.children) < 2 for node in copied.mainline())
    menu_of(visitor, r"^3…exd4")
    item(visitor, "Copy FEN").click()
    visitor.page.wait_for_selector("text=The position is in the clipboard as FEN.")
    assert visitor.page.evaluate(clipboard).startswith("rnbqkbnr/ppp2ppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq")
    menu_of(visitor, r"^3…exd4")
    item(visitor, "Copy the link to this position").click()
    visitor.page.wait_for_selector("text=The link to this position is in the clipboard.")
    assert visitor.page.evaluate(clipboard).endswith("#/board/s1/1/5.1.1")
    menu_of(visitor, r"^3…exd4")
    item(visitor, "Annotate this move").click()
    visitor.page.get_by_label("Comment on exd4").wait_for()


def test_the_menu_works_by_keyboard(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "5.1.1")
    visitor.press("Shift+F10")
    menu = visitor.page.get_by_role("menu", name="Move exd4")
    expect(item(visitor, "Annotate this move")).to_be_focused()
    visitor.press("ArrowDown")
    expect(item(visitor, "Fold this variation")).to_be_focused()
    visitor.press("End", "ArrowDown", "ArrowUp", "ArrowUp")
    expect(item(visitor, "Copy the link to this position")).to_be_focused()
    visitor.press("Escape")
    expect(menu).to_have_count(0)
    expect(visitor.page.locator(".moves [aria-current]")).to_be_focused()
    assert visitor.current() == "exd4"
    visitor.press("ContextMenu")
    menu.wait_for()
    visitor.press("ArrowDown", "Enter")
    expect(visitor.page.locator(".moves .folded").first).to_be_visible()
    visitor.page.locator(".moves").click(button="right", position={"x": 5, "y": 5})
    expect(menu).to_have_count(0)


def test_the_menu_opens_by_a_long_press(visit: Callable[..., Visitor]) -> None:
    visitor = visit(width=390, height=844, has_touch=True)
    visitor.open(1)
    move = visitor.page.locator(".moves .move", has_text="Nf3").first
    box = move.bounding_box()
    assert box is not None
    place = {"clientX": box["x"] + 5, "clientY": box["y"] + 5, "pointerType": "touch", "bubbles": True, "pointerId": 5}
    move.dispatch_event("pointerdown", place)
    menu = visitor.page.get_by_role("menu", name="Move Nf3")
    menu.wait_for()
    move.dispatch_event("pointerup", place)
    move.dispatch_event("click")
    assert visitor.current() == ""  # the finger that opened the menu chose nothing
    expect(menu).to_be_in_viewport(ratio=1)
    visitor.page.locator(".board-place").dispatch_event("pointerdown", {"bubbles": True})
    expect(menu).to_have_count(0)


def test_a_game_is_added_to_another_database(
    visit: Callable[..., Visitor], serve: Callable[..., Server], tmp_path: Path
) -> None:
    mine = Path(shutil.copy(GAMES, tmp_path / "mine.pgn"))
    other = Path(shutil.copy(GAMES, tmp_path / "other.pgn"))
    visitor = visit(serve(mine, other, "--write"))
    visitor.forgive(410)
    visitor.open(1, "2")
    visitor.drag("f2", "f4")
    visitor.page.wait_for_selector(".variation >> text=2.f4")
    menu_of(visitor, "Nf3")
    item(visitor, "Add to …").click()
    assert visitor.page.get_by_role("menuitem").all_inner_texts() == ["mine.pgn", "other.pgn", "New database …", "Back"]
    item(visitor, "other.pgn").click()
    visitor.page.wait_for_selector("text=Added as game 6 to other.pgn")
    assert visitor.page.evaluate("location.hash").startswith("#/games/s1/1/")
    assert visitor.page.locator(".changed").count() == 1  # what is open is as it was
    assert mine.read_bytes() == GAMES.read_bytes()
    with tabiya.open(GAMES) as database, tabiya.open(other) as saved:
        expected, added = database[0], saved[5]
        assert isinstance(expected, tabiya.Game)
        expected.root.children[0].children[0].add("f4")
        assert added == expected
    menu_of(visitor, "Nf3")
    item(visitor, "Add to …").click()
    item(visitor, "mine.pgn").click()
    visitor.page.wait_for_selector("text=Added as game 6 to mine.pgn")
    visitor.press("x")
    visitor.page.get_by_role("button", name="Save", exact=True).click()  # the own addition is no conflict
    visitor.page.wait_for_selector(".notice >> text=Saved in mine.pgn")
    with tabiya.open(mine) as saved:
        assert saved[0] == saved[5]


def test_without_permission_to_write_nothing_is_added(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    menu_of(visitor, "Nf3")
    expect(item(visitor, "Add to …")).to_have_attribute("aria-disabled", "true")
    item(visitor, "Add to …").click(force=True)
    expect(item(visitor, "Add to …")).to_be_visible()


@pytest.fixture(scope="module")
def long(serve: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A game of 640 half-moves, once bare and once with a variation of variations at every move."""
    path = tmp_path_factory.mktemp("long") / "long.pgn"
    # Both sides move a knight forth and back; the variations move the other one.
    cycle = [("Nf3", "Nc3 Nc6 Nb1"), ("Nf6", "Nc6 Nc3 Nb8"), ("Ng1", "Nd4"), ("Ng8", "Nd5")]
    bare, full = [], []
    for ply in range(PLIES):
        number = f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"
        move, variation = cycle[ply % 4]
        bare.append(move)
        full.append(f"{number} {move} {{about {ply}}} ({number} {variation})")
    head = '[White "{}"]\n[Black "B"]\n[Result "*"]\n\n'
    path.write_text(f"{head.format('bare')}{' '.join(bare)} *\n\n{head.format('full')}{' '.join(full)} *\n", "utf-8")
    return serve(path)


IN_SIGHT = """() => {
    const move = document.querySelector('.moves [aria-current]')?.getBoundingClientRect();
    const at = move && document.elementFromPoint(move.left + move.width / 2, move.top + move.height / 2);
    return at && at.closest('[aria-current], .half-move') !== null;
}"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720), (390, 844)])
@pytest.mark.parametrize("number", [1, 2])
def test_the_current_move_of_a_long_game_is_always_in_sight(
    visit: Callable[..., Visitor], long: Server, number: int, width: int, height: int
) -> None:
    visitor = visit(long, width=width, height=height)
    visitor.open(number, str(PLIES - 40))
    visitor.page.wait_for_function(IN_SIGHT)
    for keys in (["ArrowRight"] * 15, ["ArrowLeft"] * 30, ["End"], ["ArrowLeft"] * 5, ["Home"] + ["ArrowRight"] * 3):
        visitor.press(*keys)
        visitor.page.wait_for_function(IN_SIGHT)
    board = visitor.page.locator(".board-place")
    expect(board).to_be_in_viewport(ratio=0.99)


DRAWN = """() => {
    window.changes = 0;
    new MutationObserver(list => { window.changes += list.length; }).observe(
        document.querySelector('.moves'), {subtree: true, childList: true, attributes: true, characterData: true});
}"""


def test_a_step_draws_no_other_move_again(visit: Callable[..., Visitor], long: Server) -> None:
    """Work in proportion to what changes: a step marks two moves, a letter in a comment draws one paragraph."""
    visitor = visit(long)
    visitor.open(2, "100")
    visitor.press("x")
    visitor.page.get_by_label("Comment on Ng8").wait_for()
    visitor.page.evaluate(DRAWN)
    visitor.press(*["ArrowRight"] * 4)
    visitor.page.get_by_label("Comment on Ng8").wait_for()
    assert 0 < visitor.page.evaluate("window.changes") <= 4 * 4
    visitor.page.evaluate("window.changes = 0")
    visitor.page.get_by_label("Comment on Ng8").fill("another text")
    visitor.page.locator(".moves .comment", has_text="another text").wait_for()
    assert visitor.page.evaluate("window.changes") < 20


def test_on_a_phone_the_board_stays_while_the_notation_scrolls(visit: Callable[..., Visitor]) -> None:
    visitor = visit(width=390, height=844)
    visitor.open(1)
    visitor.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    board = visitor.page.locator(".board-place")
    expect(board).to_be_in_viewport(ratio=0.99)
    expect(visitor.page.get_by_label("Next move")).to_be_in_viewport(ratio=1)
    box = board.bounding_box()
    assert box is not None
    on_top = "([x, y]) => document.elementFromPoint(x, y).closest('.board-place') !== null"
    assert visitor.page.evaluate(on_top, [box["x"] + 9, box["y"] + 9])
