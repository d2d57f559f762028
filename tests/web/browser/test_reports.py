"""Players, tournaments and statistics on the page: what they show, and where they lead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chromium import expect
from tests.web.browser.conftest import Server, Visitor

PLAYERS = ("Alpha, A", "Beta, B", "Gamma, G", "Delta, D")
GAME = """[Event "{event}"]
[Site "Town"]
[Date "{year}.03.{day:02}"]
[Round "{round}"]
[White "{white}"]
[Black "{black}"]
[WhiteElo "{elo}"]
[BlackElo "2300"]
[Result "{result}"]
[ECO "{eco}"]

{moves} {result}

"""
LINES = (("B20", "1. e4 c5 2. Nf3 d6 3. d4 cxd4"), ("D06", "1. d4 d5 2. c4 e6 3. Nc3 Nf6"))


def games_text() -> str:
    """Round robins of four players, one in each of four years, and one game with evaluations."""
    games = []
    pairs = [(0, 3), (1, 2), (3, 2), (0, 1), (1, 3), (2, 0)]
    for year in range(2001, 2005):
        for number, (white, black) in enumerate(pairs):
            eco, moves = LINES[(number + year) % 2]
            games.append(
                GAME.format(
                    event="Club championship",
                    year=year,
                    day=number // 2 + 1,
                    round=number // 2 + 1,
                    white=PLAYERS[white],
                    black=PLAYERS[black],
                    elo=2000 + 10 * year % 100,
                    result=("1-0", "1/2-1/2", "0-1")[number % 3],
                    eco=eco,
                    moves=moves,
                )
            )
    games.append(
        '[Event "Rapid"]\n[White "Alpha, Alfred"]\n[Black "Beta, B"]\n[Result "1-0"]\n\n'
        "1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Qh5 {[%eval -0.6]} Nc6 {[%eval -0.5]} 1-0\n\n"
    )
    return "".join(games)


@pytest.fixture(scope="module")
def club(serve: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    path: Path = tmp_path_factory.mktemp("club") / "club.pgn"
    path.write_text(games_text(), "utf-8")
    return serve(path)


def test_players_are_found_and_their_page_is_an_address(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club)
    visitor.go("players/s1")
    page = visitor.page
    expect(page.locator(".report tbody tr")).to_have_count(5)
    page.get_by_label("Find a player").fill("alpha, a")
    expect(page.locator(".report tbody tr")).to_have_count(2)
    page.locator(".report tbody a", has_text="Alpha, A").first.click()
    expect(page.get_by_role("heading", name="Alpha, A", exact=True)).to_be_visible()
    expect(page.locator(".cards")).to_contain_text("With White")
    page.reload()
    expect(page.locator(".cards")).to_contain_text("With White")
    expect(page.locator(".report .facts").first).to_contain_text("2001–2004")


def test_spellings_are_joined_and_separated(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club)
    visitor.go("players/s1?name=Alpha, A")
    page = visitor.page
    expect(page.get_by_role("button", name="Show all 12 games", exact=True)).to_be_visible()
    page.locator(".spellings button", has_text="Alpha, Alfred").click()
    expect(page.get_by_role("button", name="Show all 13 games", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Accuracy", exact=True)).to_be_visible()
    page.locator(".spellings .on", has_text="Alpha, Alfred").click()
    expect(page.get_by_role("button", name="Show all 12 games", exact=True)).to_be_visible()


def test_openings_unfold_and_lead_to_the_board(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club)
    visitor.go("players/s1?name=Alpha, A")
    page = visitor.page
    section = page.locator(".cards section", has=page.get_by_role("heading", name="Openings with White"))
    section.get_by_role("button", name="Moves").click()
    first = section.get_by_role("button", name="Lines of 1.e4")
    assert first.get_attribute("aria-expanded") == "false"
    first.click()
    section.locator("button.line-name", has_text="1…c5").click()
    page.wait_for_selector(".board-frame")
    visitor.expect_position("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2")
    expect(page.locator(".chips")).to_contain_text("White Alpha, A")
    expect(page.locator(".foot [role=status]")).to_contain_text("of 25 records")
    page.go_back()
    expect(page.get_by_role("heading", name="Alpha, A", exact=True)).to_be_visible()


def test_two_players_are_compared(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club)
    visitor.go("players/s1?name=Alpha, A")
    page = visitor.page
    page.get_by_label("Compare with …").fill("beta")
    page.locator(".player-choice li button", has_text="Beta, B").click()
    expect(page.locator(".score-line b")).to_have_text("4 : 0")
    expect(page.locator(".compare .figures")).to_have_count(2)
    expect(page.locator(".legend")).to_have_text(["Alpha, A", "Beta, B"])
    expect(page.locator(".listed-games .row")).to_have_count(4)
    page.get_by_role("heading", name="Alpha, A – Beta, B").get_by_role("link", name="Beta, B").click()
    expect(page.get_by_role("heading", name="Beta, B", exact=True)).to_be_visible()


def test_a_player_who_is_not_there(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club)
    visitor.forgive(422)
    visitor.go("players/s1?name=Nobody")
    expect(visitor.page.get_by_role("alert")).to_contain_text("Nobody")


def test_a_tournament_has_its_table_and_years(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club)
    visitor.go("tournaments/s1")
    page = visitor.page
    rows = page.locator(".report tbody tr")
    expect(rows).to_have_count(5)
    page.get_by_label("Find a tournament or a place").fill("club")
    expect(rows).to_have_count(4)
    rows.first.locator("a").click()
    table = page.locator(".crosstable")
    expect(table.locator("tbody tr")).to_have_count(4)
    expect(page.locator(".report .facts")).to_contain_text("round robin · 4 players")
    expect(page.locator(".editions a")).to_have_text(["2001-03", "2002-03", "2003-03", "2004-03"])
    expect(page.locator(".editions .on")).to_have_text("2004-03")
    page.locator(".editions a", has_text="2002-03").click()
    expect(page.locator(".report .facts")).to_contain_text("2002-03-01")
    expect(page.locator(".listed-games .row")).to_have_count(6)
    table.locator(".result").first.click()
    page.wait_for_selector(".moves .move")
    assert "/s1/" in page.url


def test_names_of_a_game_lead_to_players_and_tournaments(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club)
    visitor.open(8)
    page = visitor.page
    page.locator(".notation .head").get_by_role("link", name="Club championship").click()
    expect(page.locator(".editions .on")).to_have_text("2002-03")
    page.go_back()
    page.locator(".notation .head").get_by_role("link").first.click()
    page.wait_for_selector(".player-page .cards")


def test_rows_of_the_list_lead_to_players(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club)
    visitor.go("games/s1")
    page = visitor.page
    row = page.locator(".game-table .row").first
    row.hover()
    row.locator(".row-link").first.click()
    expect(page.get_by_role("heading", name="Alpha, A", exact=True)).to_be_visible()


def test_a_bar_filters_the_games(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club)
    visitor.go("statistics/s1")
    page = visitor.page
    facts = page.locator(".report .facts")
    expect(facts).to_contain_text("25 games")
    years = page.locator(".plot", has=page.get_by_role("heading", name="Games by year"))
    years.get_by_text("As a table").click()
    years.get_by_role("button", name="2003").click()
    expect(facts).to_contain_text("6 games")
    expect(page.locator(".chips li")).to_have_text(["Since 2003×", "Until 2003×"])
    page.get_by_role("button", name="White wins").click()
    expect(facts).to_contain_text("2 games")
    page.get_by_role("button", name="All games of the database").click()
    expect(facts).to_contain_text("25 games")
    box = page.locator(".plot", has=page.get_by_role("heading", name="Openings (ECO)")).locator("svg").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    expect(facts).to_contain_text("12 games")
    expect(page.locator(".chips li")).to_have_text(["Opening B20×"])
    page.get_by_role("button", name="List the games").click()
    page.wait_for_selector(".board-frame")
    expect(page.locator(".chips li")).to_have_text(["Opening B20×"])


PLACES = ("players/s1", "players/s1?name=Alpha, A", "tournaments/s1?event=Club championship", "statistics/s1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1440])
def test_reports_fit(visit: Callable[..., Visitor], club: Server, width: int, scheme: str) -> None:
    visitor = visit(club, width=width, height=800, color_scheme=scheme)
    for place in PLACES:
        visitor.go(place)
        visitor.page.wait_for_selector(".report table")
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width, place


def test_plots_have_a_text_and_everything_has_a_name(visit: Callable[..., Visitor], club: Server) -> None:
    visitor = visit(club)
    for place in PLACES:
        visitor.go(place)
        visitor.page.wait_for_selector(".report table")
        nameless = visitor.page.evaluate(
            """() => [...document.querySelectorAll('button, a[href], input, select, svg[role=img]')].filter(element =>
                element.checkVisibility() && !(element.textContent || element.value || '').trim()
                && !element.getAttribute('aria-label') && !element.labels?.length).map(element => element.outerHTML)"""
        )
        assert nameless == [], place
        plots = visitor.page.locator(".plot svg")
        for number in range(plots.count()):
            assert plots.nth(number).get_attribute("aria-label")


def test_results_of_a_player_are_in_one_row(visit: Callable[..., Visitor], club: Server) -> None:
    """Style sheets of other places are there as well."""
    visitor = visit(club)
    visitor.open(1)
    visitor.go("tournaments/s1?event=Club championship")
    row = visitor.page.locator(".crosstable tbody tr").first
    expect(row).to_be_visible()
    tops = row.evaluate("row => [...row.children].map((cell) => Math.round(cell.getBoundingClientRect().top))")
    assert len(tops) > 6
    assert len(set(tops)) == 1
