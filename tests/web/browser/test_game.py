"""Looking at a game: the notation, the board, keys, links to every position."""

from __future__ import annotations

import re
from collections.abc import Callable

import tabiya
from tests.chromium import expect
from tests.web.browser.conftest import GAMES, Visitor


def game(number: int = 1) -> tabiya.Game:
    with tabiya.open(GAMES) as database:
        record = database[number - 1]
        assert isinstance(record, tabiya.Game)
        return record


def nodes(record: tabiya.Game) -> list[tuple[str, tabiya.Node]]:
    """Every node with the path of its link, told the slow and obvious way."""
    found = []
    waiting = [("0", record.root)]
    while waiting:
        path, node = waiting.pop()
        found.append((path, node))
        head, _, count = path.rpartition(".")
        for place, child in enumerate(node.children):
            step = f"{head}.{int(count) + 1}".lstrip(".") if place == 0 else f"{path}.{place}.1"
            waiting.append((step, child))
    return found


def test_the_notation_has_every_move_once(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    shown = sorted(re.sub(r"^\d+[.…]|[^\w+#=-].*$", "", text) for text in visitor.moves())
    assert shown == sorted(node.san for _, node in nodes(game())[1:])


def test_the_notation_reads_like_a_book(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    blocks = [text for text in visitor.page.locator(".moves > p").all_inner_texts() if text]
    assert blocks[:5] == [
        "The Opera Game, played in the duke's box during a performance.",
        "1.e4 e5 2.Nf3 d6 3.d4 Bg4?!",
        "A weak move already.",
        "3…exd4 4.Nxd4 Nf6 5.Nc3 solid (5.Bd3 g6) 5…Be7",
        "3…Nf6 4.dxe5 Nxe4",
    ]
    assert blocks[-1] == "1-0"
    assert "Morphy, Paul – Duke Karl / Count Isouard · 1-0" in visitor.page.locator(".head").inner_text()
    assert "1858" in visitor.page.locator(".head").inner_text()


def test_a_link_leads_to_every_position(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    for path, node in nodes(game()):
        visitor.go(f"games/s1/1/{path}")
        visitor.expect_position(node.position.fen())
        if node.ply:
            assert visitor.current().startswith(node.san)


def test_the_address_follows_the_board(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "5")
    visitor.press("ArrowRight", "Shift+ArrowRight")
    assert visitor.current() == "exd4"
    assert visitor.page.evaluate("location.hash") == "#/games/s1/1/5.1.1"
    visitor.page.reload()
    visitor.page.wait_for_selector(".moves [aria-current]")
    assert visitor.current() == "exd4"


def test_back_leads_to_the_game_before(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "7")
    visitor.open(4)
    visitor.press("ArrowRight")
    visitor.page.go_back()
    visitor.page.wait_for_function("() => document.querySelector('.head').innerText.includes('Morphy')")
    assert visitor.current() == "dxe5"


def test_keys_are_those_of_lichess(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    for keys, san in [
        (["ArrowRight"], "e4"),
        (["ArrowRight", "k"], "Nf3"),
        (["ArrowLeft"], "e5"),
        (["j", "j"], ""),
        (["ArrowDown"], "Rd8#"),
        (["ArrowUp"], ""),
        (["End"], "Rd8#"),
        (["Home"], ""),
        (["ArrowRight"] * 6 + ["Shift+ArrowRight", "ArrowRight"], "Nxd4"),
        (["Shift+ArrowUp"], "Bg4?!"),
        (["Shift+ArrowLeft"], "Nf6"),
        (["Shift+ArrowLeft"], "exd4"),
    ]:
        visitor.press(*keys)
        assert visitor.current() == san, keys
    files = visitor.page.locator(".ground .coordinates text")
    before = files.all_text_contents()
    visitor.press("f")
    visitor.page.wait_for_selector(".player >> nth=0 >> text=Morphy")
    expect(files).to_have_text(before[:8][::-1] + before[8:][::-1])
    visitor.press("x")
    visitor.page.wait_for_selector("section[aria-label=Annotate]")


def test_keys_belong_to_fields_while_one_types(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "3")
    visitor.press("x")
    visitor.page.get_by_label("Comment on Nf3").focus()
    visitor.page.keyboard.type("x f k j 0 $")
    assert visitor.current() == "Nf3"
    assert visitor.page.get_by_label("Comment on Nf3").input_value() == "x f k j 0 $"


def test_the_wheel_goes_through_the_moves(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    visitor.page.mouse.move(*visitor.square("e4"))
    for _ in range(3):
        visitor.page.mouse.wheel(0, 100)
    visitor.page.wait_for_function("() => location.hash.endsWith('/3')")
    visitor.page.mouse.wheel(0, -100)
    visitor.page.wait_for_function("() => location.hash.endsWith('/2')")


def test_moves_play_by_themselves(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "30")
    visitor.press(" ")
    visitor.page.wait_for_function("() => document.querySelector('.moves [aria-current]')?.innerText.includes('Rd8#')")
    visitor.page.wait_for_selector("button[aria-label='Play the moves by themselves']")


def test_a_move_is_chosen_by_a_click(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    visitor.page.get_by_role("button", name=re.compile("Nxb5")).click()
    assert visitor.current() == "Nxb5!!+−"
    expect(visitor.page.locator(".arrows .arrow")).to_have_count(3)
    expect(visitor.page.locator(".ground .marked.green")).to_have_count(1)
    expect(visitor.page.locator(".ground .moved")).to_have_count(2)


def test_evaluations_and_clocks(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1, "7")
    assert visitor.page.locator(".evaluation").get_attribute("aria-label") == "Evaluation +0.80"
    assert visitor.page.locator(".player .clock").all_inner_texts() == ["0:55:00", "0:57:00"]
    graph = visitor.page.locator(".graph")
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": box["width"] - 1, "y": 20})
    assert visitor.current() == "Rd8#"
    visitor.page.locator(".status", has_text="Checkmate").wait_for()  # as soon as the rules are known
    visitor.press("ArrowLeft")
    assert visitor.page.locator(".evaluation").get_attribute("aria-label") == "Evaluation #1"


def test_comments_in_the_chosen_language(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    moves = visitor.page.locator(".moves")
    assert "Schon ein schwacher Zug." not in moves.inner_text()
    visitor.page.get_by_label("Language of comments").select_option("GER")
    assert "Schon ein schwacher Zug." in moves.inner_text()
    assert "A weak move already." not in moves.inner_text()
    visitor.page.reload()
    visitor.page.wait_for_selector("text=Schon ein schwacher Zug.")
    visitor.page.get_by_label("Language of comments").select_option("*")
    assert "Schon ein schwacher Zug." in moves.inner_text()
    assert "A weak move already." in moves.inner_text()


def test_training_medals_and_links(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(1)
    assert visitor.page.locator(".medal").count() == 2
    link = visitor.page.get_by_role("link", name="More about this game")
    assert link.get_attribute("href") == "https://example.com/opera"
    assert link.get_attribute("rel") == "noopener noreferrer"
    training = visitor.page.locator(".training")
    assert "10 points" in training.inner_text()
    training.get_by_role("button", name="Solution").click()
    assert training.get_by_role("button", name="Solution").count() == 0


def test_chess960_and_null_moves(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(2, "4")
    assert visitor.current() == "O-O"
    visitor.expect_position(nodes(game(2))[-1][1].position.fen())
    visitor.open(4, "4")
    assert [re.sub(r"^\d+[.…]", "", text) for text in visitor.moves()] == ["d4", "--", "c4", "d5"]
    visitor.expect_position(nodes(game(4))[-1][1].position.fen())


def test_a_damaged_game_says_so(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.open(5)
    assert "Ke3" in visitor.page.locator(".moves").inner_text()
    assert "1 thing to know" in visitor.page.locator(".head").inner_text()


def test_a_game_that_is_not_there_is_told_in_a_sentence(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.forgive(404)
    visitor.go("games/s1/999")
    notice = visitor.page.wait_for_selector(".notice.error")
    assert notice is not None
    assert re.search(r"999.*\.", notice.inner_text())
