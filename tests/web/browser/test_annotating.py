"""Annotating: moves, symbols, comments, marks, lines, undo; and out again, into a database or as PGN."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import chess
import chess.pgn
import pytest

import tabiya
from tabiya.game.differences import difference
from tests.chromium import expect
from tests.web.browser.conftest import GAMES, Server, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Route


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The annotated games, to be written to."""
    return Path(shutil.copy(GAMES, tmp_path / "mine.pgn"))


def fen_after(*moves: str, start: str = chess.STARTING_FEN) -> str:
    """The position after some moves, by another program."""
    board = chess.Board(start)
    for move in moves:
        board.push_san(move)
    return board.fen(en_passant="fen")


def told(visitor: Visitor) -> str:
    return visitor.page.locator(".moves").inner_text()


def annotate(visitor: Visitor) -> None:
    visitor.page.get_by_label("Annotate", exact=True).first.click()
    visitor.page.wait_for_selector("section[aria-label=Annotate]")


def more_symbols(visitor: Visitor) -> None:
    """Show the symbols behind the first six."""
    visitor.page.get_by_role("button", name="More", exact=False).first.click()
    visitor.page.get_by_label("White is winning").wait_for()


def type_move(visitor: Visitor, *moves: str) -> None:
    field = visitor.page.get_by_label("Play a move")
    for move in moves:
        visitor.page.wait_for_selector(".board-frame[data-ready=true]")
        field.fill(move)
        field.press("Enter")
        visitor.page.wait_for_function("() => document.querySelector('.move-field input').value === ''")


def test_moves_arise_by_dragging_and_clicking(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.press("f", "f")  # turned back before it has turned
    visitor.drag("e2", "e4")
    visitor.page.wait_for_selector("text=1.e4")
    visitor.page.wait_for_selector(".board-frame[data-ready=true]")
    visitor.page.mouse.click(*visitor.square("g8"))
    visitor.page.wait_for_selector(".ground .target")
    assert visitor.page.locator(".ground .target").count() == 2
    visitor.page.mouse.click(*visitor.square("f6"))
    visitor.page.wait_for_selector(".moves >> text=Nf6")
    assert visitor.moves() == ["1.e4", "Nf6"]
    board = chess.Board(visitor.position())
    assert board.board_fen() == chess.Board(fen_after("e4", "Nf6")).board_fen()


HOLD_FRAMES = """() => {
    const held = [], frame = window.requestAnimationFrame;
    window.requestAnimationFrame = draw => held.push(draw);
    window.drawFrames = () => { window.requestAnimationFrame = frame; held.forEach(draw => frame(draw)); };
}"""


def test_the_board_is_not_ready_while_its_pieces_move(visit: Callable[..., Visitor]) -> None:
    """A busy machine draws a move later than the server answers what is legal after it."""
    visitor = visit()
    ready = visitor.page.locator(".board-frame[data-ready=true]")
    expect(ready).to_be_visible()
    visitor.page.evaluate(HOLD_FRAMES)
    visitor.drag("e2", "e4")
    visitor.page.locator(".status", has_text="King's Pawn").wait_for()
    expect(ready).to_have_count(0)
    visitor.page.evaluate("drawFrames()")
    visitor.drag("e7", "e5")
    visitor.page.wait_for_selector(".moves >> text=e5")


def test_an_illegal_move_goes_back(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.drag("e2", "e5")
    visitor.drag("e7", "e5")
    visitor.drag("e2", "e4")
    visitor.page.wait_for_selector("text=1.e4")
    assert visitor.moves() == ["1.e4"]


def test_moves_along_the_game_change_nothing(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    before = visitor.moves()
    visitor.drag("e2", "e4")
    visitor.page.wait_for_selector(".moves [aria-current]")
    assert visitor.current() == "e4"
    assert visitor.moves() == before
    assert visitor.page.locator(".changed").count() == 0


def test_another_move_is_a_variation(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "2")
    visitor.drag("f2", "f4")
    visitor.page.wait_for_selector(".variation >> text=2.f4")
    visitor.drag("e5", "f4")
    visitor.page.wait_for_selector(".variation >> text=exf4")
    assert "2.f4 exf4" in told(visitor)
    assert visitor.page.locator(".changed").inner_text() == "not saved"
    visitor.press("Control+z", "Control+z")
    assert "f4" not in visitor.page.locator(".variation").first.inner_text()
    assert visitor.page.locator(".changed").count() == 0
    visitor.press("Control+y")
    assert "2.f4" in told(visitor)


def test_a_promotion_asks_for_the_piece(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(3)
    visitor.drag("a7", "a8")
    visitor.page.get_by_role("dialog", name="Promote to").get_by_label("Knight").click()
    visitor.page.wait_for_selector("text=1.a8=N")
    assert visitor.position().startswith("N6k/")
    visitor.press("ArrowLeft")
    visitor.drag("a7", "a8")
    visitor.press("Escape")
    visitor.page.wait_for_selector(".promotion", state="detached")
    assert visitor.position().startswith("7k/P7/")


def test_castling_in_chess960_by_dropping_the_king_on_its_rook(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(2, "2")
    visitor.drag("f1", "g1")
    visitor.page.wait_for_function("() => location.hash.endsWith('/3')")
    assert visitor.current() == "O-O"


def test_moves_are_played_by_typing_alone(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    annotate(visitor)
    type_move(visitor, "e4", "e5", "Nf3", "nc6", "Bb5", "a6", "Bxc6", "dc6", "0-0", "--")
    assert visitor.moves()[-2:] == ["5.O-O", "--"]
    visitor.page.get_by_label("Play a move").fill("Qh8")
    visitor.press("Enter")
    visitor.page.wait_for_selector("text=“Qh8” is not a move that is possible here.")


def test_symbols_comments_and_marks(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(4, "1")
    annotate(visitor)
    page = visitor.page
    page.get_by_label("Good move").click()
    page.get_by_label("Blunder").click()
    assert visitor.current() == "d4??"
    more_symbols(visitor)
    page.get_by_label("White is better").click()
    assert visitor.current() == "d4??±"
    page.get_by_label("Comment on d4").fill("Too slow.\nOr not?")
    assert page.get_by_label("Before d4").count() == 0  # one field, the other on request
    page.get_by_role("button", name="Text before the move").click()
    page.get_by_label("Before d4").fill("Here it comes:")
    page.get_by_label("Before d4").blur()
    assert re.search(r"Here it comes:\s+(1\s+)?1.d4", told(visitor))
    assert "Too slow.\nOr not?" in told(visitor)
    visitor.drag("d4", "d5", button="right")
    page.keyboard.down("Shift")
    visitor.drag("c4", "c4", button="right")
    page.keyboard.up("Shift")
    expect(page.locator(".arrow.green")).to_have_count(1)
    expect(page.locator(".marked.red")).to_have_count(1)
    visitor.drag("d4", "d5", button="right")
    expect(page.locator(".arrow")).to_have_count(0)
    page.get_by_label("Draw blue arrows and squares").click()
    visitor.drag("a1", "h8")
    expect(page.locator(".arrow.blue")).to_have_count(1)
    page.get_by_label("Draw blue arrows and squares").click()
    while page.get_by_label("Undo").is_enabled():
        page.get_by_label("Undo").click()
    expect(page.locator(".changed")).to_have_count(0)
    assert visitor.current() == "d4"


def test_lines_are_promoted_and_deleted(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "5.2.3")
    annotate(visitor)
    assert visitor.current() == "Nxe4"
    visitor.page.get_by_label("Move this variation up").click()
    assert visitor.page.evaluate("location.hash").endswith("/5.1.3")
    visitor.page.get_by_label("Make this the main line").click()
    assert visitor.page.evaluate("location.hash").endswith("/8")
    assert told(visitor).count("3…Bg4?!") == 1
    visitor.page.get_by_label("Delete from here").click()
    assert visitor.current() == "dxe5"
    visitor.page.get_by_label("Undo").click()
    assert visitor.current() == "Nxe4"
    visitor.press("Home")
    visitor.page.get_by_label("Delete what follows").click()
    assert visitor.moves() == []
    visitor.page.get_by_label("Undo").click()
    assert "Nxe4" in told(visitor)


def test_changes_wait_while_one_looks_at_another_game(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(4, "4")
    visitor.drag("c4", "d5")
    visitor.page.wait_for_selector("text=3.cxd5")
    visitor.open(1)
    visitor.open(4)
    visitor.page.wait_for_selector("text=3.cxd5")
    visitor.press("Control+z")
    assert "cxd5" not in told(visitor)


def test_download_is_the_game_with_the_changes(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "2")
    visitor.drag("f2", "f4")
    visitor.page.wait_for_selector(".variation >> text=2.f4")
    annotate(visitor)
    visitor.page.get_by_label("Interesting move").click()
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Download PGN").click()
    assert download.value.suggested_filename == "Morphy-Paul-Duke-Karl-Count-Isouard.pgn"
    with tabiya.open(GAMES) as database, tabiya.open(Path(download.value.path())) as saved:
        expected, mine = database[0], saved[0]
        assert isinstance(expected, tabiya.Game)
        node = expected.root.children[0].children[0].add("f4")
        node.nags = [5]
        assert mine == expected


def writing(visit: Callable[..., Visitor], serve: Callable[..., Server], path: Path) -> Visitor:
    visitor = visit(serve(path, "--write"))
    visitor.forgive(410)  # the list is asked about while the file changes; then it is asked for again
    return visitor


def test_save_as_a_new_game(visit: Callable[..., Visitor], serve: Callable[..., Server], copied: Path) -> None:
    visitor = writing(visit, serve, copied)
    visitor.open(1, "2")
    visitor.drag("f2", "f4")
    visitor.page.wait_for_selector(".variation >> text=2.f4")
    annotate(visitor)
    visitor.page.get_by_role("button", name="Save as a new game").click()
    visitor.page.wait_for_selector("text=Saved as game 6")
    assert visitor.page.evaluate("location.hash") == "#/games/s1/6/2.1.1"
    with tabiya.open(GAMES) as database, tabiya.open(copied) as saved:
        assert list(saved)[:5] == list(database)
        expected, mine = database[0], saved[5]
        assert isinstance(expected, tabiya.Game)
        expected.root.children[0].children[0].add("f4")
        assert mine == expected


def test_a_choice_saves_nothing_and_the_button_does(
    visit: Callable[..., Visitor], serve: Callable[..., Server], copied: Path, tmp_path: Path
) -> None:
    other = Path(shutil.copy(GAMES, tmp_path / "other.pgn"))
    visitor = visit(serve(copied, other, "--write"))
    visitor.forgive(410)
    requested: list[str] = []  # reports of the game and lists are asked for with POST
    visitor.page.on("request", lambda request: requested.append(f"{request.method} {request.url.rpartition('/')[2]}"))
    visitor.open(1, "2")
    annotate(visitor)
    requested.clear()
    choice = visitor.page.get_by_label("Where to save a new game")
    assert choice.locator("option").all_inner_texts() == ["mine.pgn", "other.pgn"]
    choice.focus()
    visitor.press("ArrowDown")
    expect(choice).to_have_value("s2")
    visitor.press("ArrowUp", "ArrowDown", "Enter", "Escape")
    choice.select_option("other.pgn")
    visitor.page.wait_for_timeout(300)
    assert [each for each in requested if not each.startswith(("GET", "POST report", "POST queries"))] == []
    assert copied.read_bytes() == other.read_bytes() == GAMES.read_bytes()
    visitor.page.get_by_role("button", name="Save as a new game").click()
    visitor.page.wait_for_selector("text=Saved as game 6 of other.pgn")
    assert copied.read_bytes() == GAMES.read_bytes()
    with tabiya.open(other) as saved:
        assert saved[5] == saved[0]


def test_a_pgn_file_is_saved_in_place(
    visit: Callable[..., Visitor], serve: Callable[..., Server], copied: Path
) -> None:
    before = copied.read_bytes().split(b"[Event ")
    visitor = writing(visit, serve, copied)
    visitor.open(1, "1")
    annotate(visitor)
    visitor.page.get_by_label("Comment on e4").fill("Written in the page.")
    visitor.page.get_by_role("button", name="Save", exact=True).click()
    visitor.page.wait_for_selector(".notice >> text=Saved in mine.pgn")
    expect(visitor.page.locator(".changed")).to_have_count(0)
    after = copied.read_bytes().split(b"[Event ")
    assert after[:1] + after[2:] == before[:1] + before[2:]
    assert first_game(copied).root.children[0].text == "Written in the page."
    visitor.forgive(409)
    visitor.page.get_by_label("Good move").click()
    copied.write_bytes(copied.read_bytes() + b"\n1. e4 *\n")  # another program, meanwhile
    now = copied.read_bytes()
    visitor.page.get_by_role("button", name="Save", exact=True).click()
    visitor.page.wait_for_selector(".conflict")
    assert copied.read_bytes() == now


def test_it_is_said_why_a_game_cannot_be_replaced(
    visit: Callable[..., Visitor], serve: Callable[..., Server], tmp_path: Path
) -> None:
    tabiya.convert(GAMES, tmp_path / "mine.bcgn")
    visitor = writing(visit, serve, tmp_path / "mine.bcgn")
    visitor.open(1, "1")
    annotate(visitor)
    visitor.page.wait_for_selector("text=Games of mine.bcgn cannot be replaced")


def test_an_own_game_from_nothing(visit: Callable[..., Visitor], serve: Callable[..., Server], copied: Path) -> None:
    visitor = writing(visit, serve, copied)
    annotate(visitor)
    type_move(visitor, "e4", "c5", "Nf3")
    visitor.page.get_by_text("Names and tags").click()
    visitor.page.get_by_label("White", exact=True).fill("Me")
    visitor.page.get_by_label("Black", exact=True).fill("My friend")
    visitor.page.get_by_label("Black", exact=True).blur()
    visitor.page.get_by_role("button", name="Save as a new game").click()
    visitor.page.wait_for_selector("text=Saved as game 6")
    with copied.open(encoding="utf-8") as text:
        others = [chess.pgn.read_game(text) for _ in range(6)]
    mine = others[-1]
    assert mine is not None
    assert (mine.headers["White"], mine.headers["Black"]) == ("Me", "My friend")
    assert [node.san() for node in mine.mainline()] == ["e4", "c5", "Nf3"]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """The annotated games as a ChessBase base, whose games can be replaced."""
    (tmp_path / "base").mkdir()
    path = tmp_path / "base" / "mine.cbh"
    tabiya.convert(GAMES, path)
    return path


def first_game(path: Path) -> tabiya.Game:
    with tabiya.open(path) as database:
        return database[0]


def test_replace_in_a_base_that_can_be_edited(
    visit: Callable[..., Visitor], serve: Callable[..., Server], base: Path
) -> None:
    expected = first_game(base)
    expected.root.children[0].text = "Written in the page."
    visitor = writing(visit, serve, base)
    visitor.open(1, "1")
    annotate(visitor)
    visitor.page.get_by_label("Language of comments").select_option("*")  # else it would be a comment in English
    visitor.page.get_by_label("Comment on e4").fill("Written in the page.")
    visitor.page.get_by_label("Comment on e4").blur()
    visitor.page.get_by_role("button", name="Save", exact=True).click()
    visitor.page.wait_for_selector(".notice >> text=Saved in mine.cbh")
    assert visitor.page.locator(".changed").count() == 0
    assert list(difference(first_game(base), expected)) == []


def test_a_conflict_overwrites_nothing(visit: Callable[..., Visitor], serve: Callable[..., Server], base: Path) -> None:
    visitor = writing(visit, serve, base)
    visitor.forgive(409)
    visitor.open(1, "1")
    annotate(visitor)
    visitor.page.get_by_label("Good move").click()
    with tabiya.edit(base) as editor:  # somebody else, meanwhile
        editor.delete([2])
    before = {path.name: path.read_bytes() for path in base.parent.iterdir()}
    visitor.page.get_by_role("button", name="Save", exact=True).click()
    alert = visitor.page.wait_for_selector(".conflict")
    assert alert is not None
    assert re.search(r"chang", alert.inner_text())
    assert {path.name: path.read_bytes() for path in base.parent.iterdir()} == before
    assert visitor.page.locator(".changed").count() == 1
    visitor.page.get_by_role("button", name="Discard mine and load the file").click()
    visitor.page.wait_for_selector(".conflict", state="detached")
    expect(visitor.page.locator(".changed")).to_have_count(0)


def test_two_changed_games_are_saved_one_after_the_other(
    visit: Callable[..., Visitor], serve: Callable[..., Server], base: Path
) -> None:
    visitor = writing(visit, serve, base)
    for number in (1, 2):
        visitor.open(number, "1")
        if number == 1:
            annotate(visitor)
        visitor.page.get_by_label("Good move").click()
    for number in (2, 1):  # the first save changes the file: that is no conflict for the other game
        visitor.open(number, "1")
        visitor.page.get_by_role("button", name="Save", exact=True).click()
        expect(visitor.page.locator(".changed")).to_have_count(0)
    assert visitor.page.locator(".conflict").count() == 0
    with tabiya.open(base) as database:
        assert [1 in database[place].root.children[0].nags for place in range(2)] == [True, True]


def test_what_is_done_while_a_game_is_being_saved_is_not_taken_for_saved(
    visit: Callable[..., Visitor], serve: Callable[..., Server], base: Path
) -> None:
    with tabiya.open(base) as database:
        untouched = database[1]
    visitor = writing(visit, serve, base)
    visitor.open(1, "1")
    annotate(visitor)
    visitor.page.get_by_label("Good move").click()
    more_symbols(visitor)
    waiting: list[Route] = []
    visitor.page.route("**/api/sources/*/games/1", lambda route: waiting.append(route))
    visitor.page.get_by_role("button", name="Save", exact=True).click()
    visitor.page.get_by_label("White is winning").click()  # not sent any more
    visitor.open(2, "1")
    (route,) = waiting
    route.continue_()
    visitor.page.wait_for_selector(".notice >> text=Saved in mine.cbh")
    visitor.page.unroute("**/api/sources/*/games/1")
    assert "/2/" in visitor.page.url  # it is still the second game, and not to be written over the first
    visitor.open(1, "1")
    expect(visitor.page.locator(".changed")).to_have_count(1)
    visitor.page.get_by_role("button", name="Save", exact=True).click()
    expect(visitor.page.locator(".changed")).to_have_count(0)
    assert first_game(base).root.children[0].nags == [1, 18]
    with tabiya.open(base) as database:
        assert list(difference(database[1], untouched)) == []


def test_nothing_is_saved_without_being_allowed(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    annotate(visitor)
    visitor.page.wait_for_selector("text=start “tabiya serve” with --write")
    assert visitor.page.get_by_role("button", name=re.compile("^Save")).count() == 0


def test_a_comment_is_written_by_keyboard_alone(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.page
    visitor.open(1, "2")
    move = visitor.current()
    visitor.press("c")
    page.keyboard.type("cj")  # letters of keys are letters here
    expect(page.get_by_label("Comment on", exact=False)).to_have_value(re.compile("cj$"))
    visitor.press("Escape", "j")
    expect(page.locator(".moves [aria-current]")).not_to_contain_text(move)
