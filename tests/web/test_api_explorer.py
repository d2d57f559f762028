from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import tabiya
from tabiya.search.explorer import explore
from tabiya.search.explorer_results import Exploration
from tabiya.web import explorations
from tabiya.web.explorations import ExplorerJob
from tests.web.conftest import Client, SiteMaker


@pytest.mark.parametrize("source", ["s1", "s2"])
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"play": "e4"},
        {"play": "e2e4,c7c5"},
        {"white": "polgar"},
        {"min_elo": "2050", "elo-of": "white"},
        {"eco": "B1"},
    ],
)
def test_the_explorer_tells_what_the_library_tells(
    client: Client, folder: Path, source: str, asked: dict[str, str]
) -> None:
    answer = client.ask("GET", f"/api/sources/{source}/explorer", params=asked)
    while not answer["complete"]:
        answer = client.ask("GET", f"/api/sources/{source}/explorer", params=asked)
    conditions: dict[str, Any] = {name.replace("-", "_"): value for name, value in asked.items() if name != "play"}
    if "min_elo" in conditions:
        conditions["min_elo"] = int(conditions["min_elo"])
    expected = tabiya.explore(folder / "games.pgn", asked.get("play", "").replace(",", " "), **conditions)
    assert [(move["uci"], move["games"], move["white"]) for move in answer["moves"]] == [
        (move.uci, move.games, move.white) for move in expected.moves
    ]
    assert answer["games"] == expected.games
    assert answer["ended"] == expected.ended
    assert answer["generation"]
    assert len(answer["top_games"]) == min(8, expected.games)


def test_games_of_the_explorer(client: Client) -> None:
    answer = client.ask("GET", "/api/sources/s2/explorer?play=e4,c5&recent_games=1&top_games=0&move_orders=3")
    (game,) = answer["recent_games"]
    assert game["number"] == 39
    assert (game["san"], game["date"], game["result"]) == ("Nf3", "2039.01.04", "1-0")
    assert answer["move_orders"] == [{"moves": ["e4", "c5"], "games": 13}]


def test_the_shape_of_lichess(client: Client, folder: Path) -> None:
    for path in ("/explorer", "/explorer/masters", "/explorer/lichess"):
        answer = client.ask("GET", f"{path}?play=e2e4&source=s2")
        assert answer == tabiya.explore(folder / "games.tabiya", "e4", most_moves=12).to_dict()
    assert client.ask("GET", "/explorer")["moves"][0]["uci"] == "e2e4"
    assert len(client.ask("GET", "/explorer?moves=1&topGames=0&recentGames=2")["recentGames"]) == 2


SPEEDS = ("20+0", "180+2", "900+10", "5400+30", "-")


@pytest.fixture
def rated(serve: SiteMaker, folder: Path) -> Client:
    """s1 the PGN, s2 its library: a game per mean rating from 990.0 to 2610.0, in steps of 4.5, at several speeds."""
    games = [
        f'[White "A"]\n[Black "B"]\n[WhiteElo "{990 + 9 * n // 2}"]\n[BlackElo "{990 + 9 * n - 9 * n // 2}"]\n'
        f'[TimeControl "{SPEEDS[n % 5]}"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
        for n in range(361)
    ]
    games.append('[White "Without"]\n[Black "Ratings"]\n[Result "*"]\n\n1. d4 *\n')
    (folder / "rated.pgn").write_text("".join(games), "utf-8")
    tabiya.convert(folder / "rated.pgn", folder / "rated.tabiya")
    return serve("rated.pgn", "rated.tabiya")


def played(client: Client, source: str, asked: str) -> int:
    """How many games the explorer of Lichess counts; those without a result do not count there."""
    answer = client.ask("GET", f"/explorer/lichess?source={source}&{asked}")
    total: int = answer["white"] + answer["draws"] + answer["black"]
    return total


@pytest.mark.parametrize("source", ["s1", "s2"])
def test_ratings_of_lichess_are_those_of_both_players(rated: Client, source: str) -> None:
    starts = (0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500, 9999)
    means = [(2 * 990 + 9 * n) // 2 for n in range(361)]
    counts = {}
    for begin, end in pairwise(starts):
        counts[begin] = played(rated, source, f"ratings={begin}")
        assert counts[begin] == sum(begin <= mean < end for mean in means), begin
    assert sum(counts.values()) == len(means), "a game is in exactly one group"
    assert played(rated, source, "ratings=1600,1800&ratings=2000") == counts[1600] + counts[1800] + counts[2000]
    assert played(rated, source, f"ratings={','.join(map(str, starts[:-1]))}") == len(means)


@pytest.mark.parametrize("source", ["s1", "s2"])
def test_speeds_of_lichess_are_time_controls(rated: Client, source: str) -> None:
    by_speed = [played(rated, source, f"speeds={name}") for name in ("bullet", "blitz", "rapid", "classical")]
    assert by_speed == [73, 72, 72, 72]
    assert played(rated, source, "speeds=ultraBullet,bullet,blitz") == 145
    assert played(rated, source, "speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence") == 361
    answer = rated.ask("GET", f"/explorer?source={source}&speeds=blitz&ratings=2500")
    assert {game["white"]["name"] for game in answer["topGames"]} == {"A"}
    assert 0 < answer["white"] < 10


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("ratings=1700", "“ratings” can have 0, 1000"),
        ("ratings=1600,2000", "follow each other"),
        ("ratings=1600&min_elo=1500", "“ratings” and “min_elo”"),
        ("speeds=slow", "“speeds” can have ultraBullet"),
        ("speeds=ultraBullet", "ultraBullet without bullet"),
        ("speeds=blitz&time-controls=rapid", "“speeds” and “time_controls”"),
        ("modes=wild", "“modes” can have casual, rated"),
        ("history=true", "“history”"),
        ("variant=atomic", "“variant” can be"),
        ("min_ello=2500", "no parameter “min_ello”"),
    ],
)
def test_what_cannot_be_answered_is_refused_by_name(client: Client, asked: str, told: str) -> None:
    answer = client.ask("GET", f"/explorer?source=s2&{asked}", 422)
    assert told in answer["error"]["sentence"]


def test_modes_are_words_in_the_event(client: Client, folder: Path) -> None:
    total = client.ask("GET", "/explorer?source=s2&play=e4")
    assert client.ask("GET", "/explorer?source=s2&play=e4&modes=rated") == total
    assert client.ask("GET", "/explorer?source=s2&play=e4&modes=casual")["moves"] == []


def test_the_own_explorer_refuses_unknown_parameters(client: Client) -> None:
    answer = client.ask("GET", "/api/sources/s2/explorer?ratings=1600", 422)
    assert "no parameter “ratings”" in answer["error"]["sentence"]


def test_the_explorer_without_a_database(serve: SiteMaker) -> None:
    serve("small.bin").ask("GET", "/explorer", 404)


@pytest.mark.parametrize("asked", ["fen=x", "min_elo=x", "since=never", "elo_of=nobody", "time_controls=slow"])
def test_questions_that_make_no_sense(client: Client, asked: str) -> None:
    client.ask("GET", f"/api/sources/s2/explorer?{asked}", 422)
    client.ask("GET", f"/explorer?source=s2&{asked}", 422)


def test_a_long_reading_is_told_and_goes_on(serve: SiteMaker, folder: Path) -> None:
    text = (folder / "games.pgn").read_text("utf-8")
    (folder / "many.pgn").write_text(text * 200, "utf-8")
    client = serve("many.pgn")
    answer = client.get("/api/sources/s1/explorer?wait=0")
    assert answer.status_code in {200, 202}
    reply = answer.json()
    while not reply["complete"]:
        reply = client.get("/api/sources/s1/explorer?wait=200").json()
    assert reply["games"] == 200 * 40


def test_who_waits_for_the_explorer_keeps_nobody_from_working(
    serve: SiteMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More requests than the server has threads wait for a database without an index; another is answered at once."""
    go_on = Event()

    def slow(*told: Any, **more: Any) -> Exploration:
        assert go_on.wait(60)
        return explore(*told, **more)

    monkeypatch.setattr(explorations, "explore", slow)
    client = serve("games.pgn", "games.tabiya")
    room = explorations._MOST_WAITING

    with client, ThreadPoolExecutor(room + 1) as visitors:
        requested = [visitors.submit(client.get, f"/explorer?moves={number}") for number in range(room + 1)]
        refused = next(as_completed(requested, 60))  # that for whom there is no room
        client.ask("GET", "/api/sources/s2/games/1")
        go_on.set()
        answers = [each.result(60) for each in requested if each is not refused]
    assert refused.result().json()["error"]["sentence"].startswith("Too many requests wait for the explorer")
    assert {answer.status_code for answer in answers} <= {200, 503}  # the oldest gave way to the latest
    assert any(answer.status_code == 200 and answer.json()["moves"] for answer in answers)


@pytest.mark.parametrize(("source", "name"), [("s4", "small.bin"), ("s5", "small.ctg")])
def test_books(client: Client, folder: Path, source: str, name: str) -> None:
    answer = client.ask("GET", f"/api/sources/{source}/book")
    with tabiya.open_book(folder / name) as book:
        expected = book.probe(tabiya.Position())
    assert [move["uci"] for move in answer["moves"]] == [tabiya.Position().uci(entry.move) for entry in expected]
    assert [move["games"] for move in answer["moves"]] == [entry.games for entry in expected]
    assert sum(move["share"] for move in answer["moves"]) == pytest.approx(1)
    unknown = client.ask("GET", f"/api/sources/{source}/book?play=a4,a5,b4,b5")
    assert not unknown["known"]
    client.ask("GET", "/api/sources/s1/book", 422)
    client.ask("GET", f"/api/sources/{source}/explorer", 422)
    client.ask("GET", f"/api/sources/{source}/games/1", 422)


def test_an_unexpected_failure_is_an_answer() -> None:
    def break_down(**_: object) -> Exploration:
        raise ZeroDivisionError

    job = ExplorerJob()
    with pytest.raises(ZeroDivisionError):
        job.work(break_down)
    assert job.is_done
    assert job.error is not None
