"""The engine panel: live analysis, analysing a game, its report, and the graph.

The engines are scripts, so that nothing depends on speed; one test has Stockfish, with a fixed number of nodes.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tabiya
from tabiya.evaluations import game_report
from tests.analysis.engines import scripted, system_engine
from tests.chromium import expect
from tests.web.browser.conftest import GAMES, Server, Visitor
from tests.web.browser.test_layout import OVERFLOWING, SHIFTS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Route

COUNTER = Path(__file__).parents[2] / "analysis" / "counting_engine.py"
Visit = Callable[..., Visitor]

BLUNDER = "games?play=e2e4,e7e5,d1h5,b8c6,h5f7,e8f7&ply=0"
"""White loses the queen. The engine that counts material calls 2…Nc6 an inaccuracy and 3.Qxf7+ a blunder."""
MATED = "games?play=f2f3,e7e5,g2g4,d8h4"


def counter(folder: Path, *arguments: object) -> str:
    return shlex.join([sys.executable, str(COUNTER), str(folder / "log"), *map(str, arguments)])


@pytest.fixture(scope="module")
def counting(serve: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server with an engine that counts material, and one that crashes."""
    folder = tmp_path_factory.mktemp("engines")
    crash = shlex.join(scripted("crash-in-search", folder))
    return serve(GAMES, "--engine", counter(folder), "--engine", crash)


def switch_on(visitor: Visitor) -> Locator:
    """Switch the engine on; return its lines."""
    visitor.page.get_by_role("switch", name="Engine").click()
    lines = visitor.page.locator(".pv:has(button)")
    expect(lines).to_have_count(3)
    return lines


WATCH_STREAMS = """() => {
    const real = window.fetch;
    window.streams = [];
    window.fetch = (address, options) => {
        if (String(address).includes('/analysis?')) {
            window.streams.push(options.signal);
            if (window.broken) return Promise.reject(new TypeError('Failed to fetch'));
        }
        return real(address, options);
    };
}"""
"""Notes the signals that give up streams; with ``window.broken`` there is no connection."""


def show_board(visitor: Visitor, place: str) -> None:
    """Follow the address of a board without a record, and wait until it is there."""
    visitor.go(place)
    query = dict(pair.split("=", 1) for pair in place.partition("?")[2].split("&") if pair)
    position = tabiya.Position(query.get("fen", tabiya.Position().fen()).replace("_", " "))
    moves = query.get("play", "").split(",") if "play" in query else []
    expect(visitor.page.locator(".moves .move")).to_have_count(len(moves))
    for move in moves if "ply" not in query else ():
        position = position.play(move)
    visitor.expect_position(position.fen())


def bar(visitor: Visitor) -> Locator:
    return visitor.page.locator(".board-row .evaluation")


# Live analysis.


def test_without_an_engine_the_panel_says_how_to_start_one(visit: Visit) -> None:
    visitor = visit()
    visitor.open(4)
    panel = visitor.page.get_by_role("region", name="Engine")
    expect(panel.get_by_role("switch")).to_have_attribute("aria-checked", "false")
    visitor.press("l")
    expect(panel).to_contain_text("tabiya serve --engine stockfish")
    visitor.press("l")
    expect(panel).not_to_contain_text("tabiya serve")
    panel.get_by_role("button", name="Analyse this game").click()
    expect(visitor.page.locator(".game-report")).to_contain_text("tabiya serve --engine stockfish")


def test_lines_arrows_and_the_bar(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    show_board(visitor, "games")
    hints = visitor.page.locator(".arrows .hint")
    expect(bar(visitor)).to_have_attribute("class", "evaluation empty")
    visitor.press("l")
    lines = visitor.page.locator(".pv:has(button)")
    expect(lines).to_have_count(3)
    expect(lines.first.locator(".pv-score")).to_have_text("0.00")
    expect(lines.first.locator(".pv-moves button")).to_have_text(["1.a3", "a5"])
    expect(bar(visitor)).to_have_attribute("aria-label", "Evaluation 0.00")
    expect(hints).to_have_count(3)
    visitor.press("a")
    expect(hints).to_have_count(0)
    visitor.press("a")
    expect(hints).to_have_count(3)
    visitor.page.get_by_role("button", name="Settings of the engine").click()
    visitor.page.get_by_role("radio", name="5", exact=True).click()
    expect(lines).to_have_count(5)
    visitor.press("l")
    expect(lines).to_have_count(0)
    expect(hints).to_have_count(0)
    expect(bar(visitor)).to_have_attribute("class", "evaluation empty")


def test_the_bar_shows_the_file_while_the_engine_is_off(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    visitor.open(1, "7")
    expect(bar(visitor)).to_have_attribute("aria-label", "Evaluation +0.80")
    switch_on(visitor)
    expect(bar(visitor)).not_to_have_attribute("aria-label", "Evaluation +0.80")
    visitor.press("f")
    expect(bar(visitor)).to_have_attribute("class", "evaluation flipped ")
    visitor.press("l")
    expect(bar(visitor)).to_have_attribute("aria-label", "Evaluation +0.80")


def test_pointing_at_a_move_shows_its_position(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    show_board(visitor, "games")
    lines = switch_on(visitor)
    preview = visitor.page.locator(".pv-board svg")
    lines.nth(1).get_by_role("button", name="a5").hover()
    expected = visitor.page.locator(".pv-board svg[aria-label*='white pawn on a4'][aria-label*='black pawn on a5']")
    expect(expected).to_have_count(1)
    visitor.page.mouse.move(10, 10)
    expect(preview).to_have_count(0)


def test_a_click_plays_the_line_up_to_there(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    visitor.open(4, "1")
    lines = switch_on(visitor)
    lines.first.locator(".pv-moves button").nth(1).click()
    expect(visitor.page.locator(".moves .variation .move")).to_have_count(2)
    assert (
        visitor.current() == visitor.moves()[2 if len(visitor.moves()) == 6 else -1].split("…")[-1] or visitor.current()
    )
    visitor.page.wait_for_function("() => location.hash.includes('/1.1.2')")
    visitor.press("Control+z")
    expect(visitor.page.locator(".moves .variation .move")).to_have_count(0)


def test_a_line_is_added_with_its_evaluation(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    visitor.open(4, "1")
    lines = switch_on(visitor)
    lines.nth(1).get_by_role("button", name="Add this line to the game").click()
    moves = visitor.page.locator(".moves .variation .move")
    expect(moves).to_have_count(2)
    expect(moves.first).to_have_attribute("title", "0.00 at depth 1")
    assert visitor.page.evaluate("location.hash").endswith("/4/1"), "the board stays where it is"
    lines.nth(1).get_by_role("button", name="Add this line to the game").click()
    visitor.page.get_by_text("The game has this line already.").wait_for()
    expect(moves).to_have_count(2)


def test_lines_by_keyboard(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    show_board(visitor, "games")
    lines = switch_on(visitor)
    lines.nth(2).locator(".pv-moves button").first.focus()
    visitor.page.wait_for_selector(".pv-board")
    visitor.press("ArrowRight")
    assert visitor.page.evaluate("document.activeElement.dataset.index") == "1"
    visitor.press("Escape")
    expect(visitor.page.locator(".pv-board")).to_have_count(0)
    visitor.press("Enter")
    expect(visitor.page.locator(".moves .move")).to_have_count(2)


def test_finished_games_need_no_engine(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url) if "/analysis" in request.url else None)
    show_board(visitor, MATED)
    visitor.page.get_by_role("switch", name="Engine").click()
    expect(visitor.page.locator(".engine-notice")).to_have_text("Checkmate: Black has won.")
    expect(bar(visitor)).to_have_attribute("aria-label", "Evaluation #−1")
    show_board(visitor, "games?fen=7k/5Q2/6K1/8/8/8/8/8_b_-_-_0_1")
    expect(visitor.page.locator(".engine-notice")).to_have_text("Stalemate: the game is a draw.")
    assert asked == []


def test_chess960_and_positions_that_no_engine_can_analyse(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    visitor.open(2, "1")
    switch_on(visitor)
    visitor.press("ArrowRight")
    expect(visitor.page.locator(".pv:has(button)")).to_have_count(3)
    show_board(visitor, "games?fen=7k/8/8/8/8/PPPPPPPP/PPPPPPPP/K7_w_-_-_0_1")
    alert = visitor.page.locator(".engine-notice.error")
    expect(alert).to_contain_text("no engine can analyse", ignore_case=True)
    visitor.go("games")
    expect(visitor.page.locator(".pv:has(button)")).to_have_count(3)


def test_an_engine_that_crashes_and_another_one(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    show_board(visitor, "games")
    switch_on(visitor)
    visitor.page.get_by_role("button", name="Settings of the engine").click()
    choice = visitor.page.get_by_role("combobox", name="Engine")
    choice.select_option("2")
    alert = visitor.page.locator(".engine-notice.error")
    expect(alert).to_contain_text("ended with exit code 7")
    with visitor.page.expect_request("**/engines/2/analysis?*"):
        alert.get_by_role("button", name="Try again").click()
    expect(alert).to_contain_text("ended with exit code 7")
    choice.select_option("1")
    expect(alert).to_have_count(0)
    expect(visitor.page.locator(".pv:has(button)")).to_have_count(3)


def test_a_broken_connection_is_tried_again(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    show_board(visitor, "games")
    visitor.page.evaluate(WATCH_STREAMS)
    visitor.page.evaluate("window.broken = true")
    visitor.press("l")
    alert = visitor.page.locator(".engine-notice.error")
    expect(alert).to_contain_text("is “tabiya serve” still running?")
    expect(alert).to_contain_text("Next try in")
    visitor.page.evaluate("window.broken = false")
    expect(visitor.page.locator(".pv:has(button)")).to_have_count(3)
    expect(alert).to_have_count(0)


def test_a_search_ends_with_its_position_and_with_the_switch(
    visit: Visit, serve: Callable[..., Server], tmp_path: Path
) -> None:
    visitor = visit(serve(GAMES, "--engine", counter(tmp_path, "", 0, 1)))  # the first search waits
    show_board(visitor, "games")
    visitor.page.evaluate(WATCH_STREAMS)
    visitor.press("l")
    expect(visitor.page.locator(".engine-work")).to_have_text("thinking …")
    visitor.page.wait_for_function("() => window.streams.length === 1")
    assert not visitor.page.evaluate("window.streams[0].aborted")
    show_board(visitor, "games?play=e2e4")
    visitor.page.wait_for_function("() => window.streams[0].aborted")
    expect(visitor.page.locator(".pv:has(button)")).to_have_count(3)
    visitor.press("l")
    visitor.page.wait_for_function("() => window.streams[1].aborted")
    expect(visitor.page.locator(".pv")).to_have_count(0)


# Analysing a game.


def report_tab(visitor: Visitor) -> Locator:
    visitor.page.get_by_role("tab", name="Report").press("Enter")  # on a phone the board may cover it
    return visitor.page.locator(".game-report")


def test_a_game_is_analysed(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    show_board(visitor, BLUNDER)
    visitor.page.get_by_role("button", name="Analyse this game").first.click()
    report = visitor.page.locator(".game-report")
    expect(report.locator(".report-mistakes li")).to_have_count(2)
    marked = visitor.page.locator(".moves .move:has(.nag)")
    expect(marked).to_have_text(["Nc6?!", "3.Qxf7+??"])
    expect(visitor.page.locator(".changed")).to_be_visible()
    expect(report.get_by_role("button", name="White, Blunders: 1")).to_be_enabled()
    expect(report.get_by_role("button", name="Black, Inaccuracies: 1")).to_be_enabled()
    report.get_by_role("button", name="White, Blunders: 1").click()
    assert visitor.current() == "Qxf7+??"
    assert visitor.page.locator(".moves .variation").count() == 0, "better lines only on request"
    report.get_by_role("button", name="better: Qxe5+").click()
    expect(visitor.page.locator(".moves .variation")).to_have_count(1)
    report.get_by_role("button", name="Add 1 better line as a variation").click()
    expect(visitor.page.locator(".moves .variation")).to_have_count(2)
    expect(report.locator(".primary")).to_have_count(0)
    visitor.press("Control+z", "Control+z", "Control+z")
    expect(marked).to_have_count(0)
    expect(visitor.page.locator(".graph")).to_have_count(0)


def test_an_analysis_is_cancelled_and_goes_on_where_it_was(
    visit: Visit, serve: Callable[..., Server], tmp_path: Path
) -> None:
    visitor = visit(serve(GAMES, "--engine", counter(tmp_path, "", 0, 4)))  # the fourth search waits
    show_board(visitor, BLUNDER)
    visitor.page.get_by_role("button", name="Analyse this game").first.click()
    report = visitor.page.locator(".game-report")
    expect(report).to_contain_text("3 of 7 positions")
    expect(visitor.page.get_by_role("progressbar", name="Analysing this game").first).to_be_visible()
    expect(visitor.page.locator(".graph")).to_have_count(1)  # what was found so far
    report.get_by_role("button", name="Cancel").click()
    expect(report.get_by_role("progressbar")).to_have_count(0)
    expect(visitor.page.locator(".graph")).to_have_count(0)
    report.get_by_role("button", name="Analyse this game").click()
    expect(report.locator(".report-mistakes li")).to_have_count(2)
    assert len((tmp_path / "log").read_text("utf-8").splitlines()) == 8, "no position is searched twice, but the fourth"


def test_one_may_look_at_other_games_meanwhile(visit: Visit, serve: Callable[..., Server], tmp_path: Path) -> None:
    visitor = visit(serve(GAMES, "--engine", counter(tmp_path, "", 0.2)))
    visitor.open(4)
    visitor.page.get_by_role("button", name="Analyse this game").first.click()
    visitor.page.locator(".engine-progress").wait_for()
    visitor.open(2)
    expect(visitor.page.locator(".engine-progress")).to_have_count(0)
    expect(visitor.page.locator(".changed")).to_have_count(0)
    visitor.open(4)
    expect(visitor.page.locator(".changed")).to_be_visible()
    expect(visitor.page.locator(".graph")).to_be_visible()


def test_the_only_process_is_shared(visit: Visit, serve: Callable[..., Server], tmp_path: Path) -> None:
    visitor = visit(serve(GAMES, "--engine", counter(tmp_path), "--engine-processes", "1"))
    show_board(visitor, BLUNDER)
    lines = switch_on(visitor)
    report_tab(visitor).get_by_role("button", name="Analyse this game").click()
    expect(visitor.page.locator(".report-mistakes li")).to_have_count(2)
    visitor.press("ArrowRight")
    expect(lines).to_have_count(3)


def test_an_engine_that_fails_is_reported(visit: Visit, serve: Callable[..., Server], tmp_path: Path) -> None:
    visitor = visit(serve(GAMES, "--engine", shlex.join(scripted("crash-in-search", tmp_path))))
    show_board(visitor, BLUNDER)
    report_tab(visitor).get_by_role("button", name="Analyse this game").click()
    expect(visitor.page.locator(".game-report [role=alert]")).to_contain_text("ended with exit code 7")
    expect(visitor.page.get_by_role("button", name="Analyse this game").first).to_be_visible()


def test_with_stockfish(visit: Visit, serve: Callable[..., Server]) -> None:
    visitor = visit(serve(GAMES, "--engine", system_engine("stockfish"), "--engine-seconds", "3600"))

    def fix_the_nodes(route: Route) -> None:
        body = json.loads(route.request.post_data or "")
        del body["depth"]
        route.continue_(post_data=json.dumps({**body, "nodes": 20_000}))

    visitor.page.route("**/api/engines/1/games", fix_the_nodes)
    show_board(visitor, BLUNDER)
    report_tab(visitor).get_by_role("button", name="Analyse this game").click()
    expect(visitor.page.get_by_role("button", name="White, Blunders: 1")).to_be_visible()
    expect(visitor.page.locator(".moves .move", has_text="Qxf7+")).to_contain_text("??")
    switch_on(visitor)
    expect(visitor.page.locator(".engine-score")).not_to_have_text("…")


def test_a_damaged_game_is_analysed_as_far_as_it_can_be_played(visit: Visit, counting: Server) -> None:
    visitor = visit(counting)
    visitor.open(5)
    visitor.page.get_by_role("button", name="Analyse this game").first.click()
    expect(visitor.page.locator(".report-accuracy")).to_have_count(2)
    expect(visitor.page.locator(".graph")).to_have_attribute("aria-valuemax", "2")


# Reports and the graph.


def test_evaluations_of_the_file_need_no_engine(visit: Visit) -> None:
    visitor = visit()
    visitor.open(1)
    with tabiya.open(GAMES) as database:
        game = database[0]
        assert isinstance(game, tabiya.Game)
        expected = game_report(game)
    assert expected is not None
    assert expected.white.accuracy is not None
    assert expected.black.accuracy is not None
    percents = [round(side.accuracy or 0) for side in (expected.white, expected.black)]
    button = visitor.page.locator(".engine-game")
    expect(button).to_contain_text(f"Accuracy {percents[0]} – {percents[1]}%")
    button.click()
    report = visitor.page.locator(".game-report")
    expect(report.locator(".report-accuracy")).to_have_text([f"{each}%" for each in percents])
    expect(report.locator(".report-mistakes li")).to_have_count(len(expected.judged))
    assert report.locator(".report-sums tr").count() == 4 + len(expected.white.phases | expected.black.phases)
    mistake = expected.judged[0]
    report.locator(".report-mistakes button").first.click()
    visitor.page.wait_for_function("path => location.hash.endsWith(path)", arg=f"/{mistake.ply + 1}")
    expect(report.locator("[aria-current]")).to_have_count(1)


def test_a_report_follows_the_game(visit: Visit) -> None:
    visitor = visit()
    visitor.open(1, "18")
    report = report_tab(visitor)
    expect(report.locator(".report-mistakes li")).to_have_count(4)
    visitor.press("x")
    visitor.page.get_by_role("button", name="Delete from here").click()
    visitor.press("x")
    expect(report_tab(visitor).locator(".report-mistakes li")).to_have_count(1)
    visitor.open(2)
    expect(visitor.page.locator(".engine-game")).to_have_text("Analyse this game")


def test_the_graph_marks_mistakes_and_phases(visit: Visit) -> None:
    visitor = visit()
    visitor.open(1)
    graph = visitor.page.get_by_role("slider", name="Graph of evaluations, Graph of times")
    expect(graph.locator(".mistake")).to_have_count(4)
    expect(graph.locator(".phase")).to_have_text(["Middlegame"])
    expect(graph).to_have_attribute("aria-valuemax", "33")
    assert "9…b5 +4.20, blunder" in (visitor.page.locator("#graph-mistakes").text_content() or "")
    expect(graph.locator(".time").first).to_be_visible()
    visitor.page.get_by_role("button", name="Show the time that moves took").click()
    expect(graph.locator(".time")).to_have_count(0)


def test_the_graph_by_keyboard(visit: Visit) -> None:
    visitor = visit()
    visitor.open(1)
    graph = visitor.page.locator(".graph")
    expect(graph.locator(".mistake")).to_have_count(4)
    graph.focus()
    visitor.press("PageDown")
    expect(graph).to_have_attribute("aria-valuenow", "12")
    expect(graph).to_have_attribute("aria-valuetext", "6…Nf6 +2.10, mistake")
    visitor.press("PageDown")
    expect(graph).to_have_attribute("aria-valuenow", "18")
    visitor.press("PageUp", "ArrowRight")
    expect(graph).to_have_attribute("aria-valuenow", "13")


def test_the_graph_is_dragged(visit: Visit) -> None:
    visitor = visit()
    visitor.open(1)
    box = visitor.page.locator(".graph").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    visitor.page.mouse.move(box["x"] + 1, middle)
    visitor.page.mouse.down()
    visitor.page.mouse.move(box["x"] + box["width"] / 3, middle, steps=5)
    expect(visitor.page.locator(".graph")).to_have_attribute("aria-valuenow", "11")
    visitor.page.mouse.up()
    expect(visitor.page.locator(".graph-hint")).to_contain_text("6.Bc4 +0.90")
    visitor.page.mouse.move(box["x"], box["y"] - 300)
    expect(visitor.page.locator(".graph-hint")).to_have_count(0)


# How it fits.


@pytest.mark.parametrize(("width", "height"), [(360, 740), (768, 1024), (1100, 900), (1440, 900), (1920, 1080)])
def test_the_panel_fits(visit: Visit, counting: Server, width: int, height: int) -> None:
    visitor = visit(counting, width=width, height=height)
    visitor.open(1, "19")
    visitor.page.get_by_role("switch", name="Engine").click()
    visitor.page.get_by_role("button", name="Settings of the engine").click()
    visitor.page.get_by_role("radio", name="5", exact=True).click()
    expect(visitor.page.locator(".pv:has(button)")).to_have_count(5)
    report_tab(visitor)
    expect(visitor.page.locator(".report-sums")).to_be_visible()
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
    assert visitor.page.evaluate(OVERFLOWING) == []
    assert visitor.page.evaluate(SHIFTS) < 0.1


def test_on_a_phone_the_button_leads_to_the_report(visit: Visit) -> None:
    visitor = visit(width=390, height=844)
    visitor.open(1)
    expect(visitor.page.locator(".game-report")).to_have_count(0)
    visitor.page.locator(".engine-game").click()
    expect(visitor.page.locator(".report-accuracy").first).to_be_in_viewport()
