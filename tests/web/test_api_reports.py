"""Players, events and statistics over HTTP: the numbers agree with the commands, whatever the format."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tests.web.conftest import ROUNDS, Client, SiteMaker

DATABASES = ("s1", "s2")
"""A PGN file, whose games are read first, and a library with an index."""


def report(client: Client, path: str) -> dict[str, Any]:
    """A report, as soon as it is there."""
    while (answer := client.request("GET", path)).status_code == 202:
        pass
    assert answer.status_code == 200, answer.text
    values: dict[str, Any] = answer.json()
    return values


def directory(client: Client, path: str) -> dict[str, Any]:
    """A directory of all records."""
    while not (answer := client.ask("GET", path))["complete"]:
        pass
    result: dict[str, Any] = answer
    return result


def statistics(client: Client, source: str, **asked: Any) -> dict[str, Any]:
    query = client.listed(source, **asked)
    return directory(client, f"/api/queries/{query['query']}/statistics")


@pytest.mark.parametrize("source", DATABASES)
def test_players_are_found_by_name_and_counted(client: Client, source: str) -> None:
    answer = directory(client, f"/api/sources/{source}/players")
    assert answer["total"] == 4
    assert [each["games"] for each in answer["players"]] == [20, 20, 20, 20]
    found = directory(client, f"/api/sources/{source}/players?text=polgar&by=name")
    assert [each["name"] for each in found["players"]] == ["Polgár, Judit"]
    player = found["players"][0]
    assert player["wins"] + player["draws"] + player["losses"] == player["games"] == 20
    assert (player["first_year"], player["last_year"]) == (2003, 2040)
    assert player["rating"] == 2084
    names = [each["name"] for each in directory(client, f"/api/sources/{source}/players?by=name")["players"]]
    assert names == ["Anand, V", "Carlsen, Magnus", "Polgár, Judit", "Smith, John"]
    part = directory(client, f"/api/sources/{source}/players?by=name&offset=1&limit=2")
    assert [each["name"] for each in part["players"]] == names[1:3]


def test_an_order_that_does_not_exist_is_refused(client: Client) -> None:
    for place in ("players", "events"):
        assert "sorted by" in client.ask("GET", f"/api/sources/s1/{place}?by=x", 422)["error"]["sentence"]
    assert "500 letters" in client.ask("GET", f"/api/sources/s1/players?text={'x' * 501}", 422)["error"]["sentence"]


@pytest.mark.parametrize("source", DATABASES)
def test_a_player_is_the_one_of_the_command(client: Client, folder: Path, source: str) -> None:
    answer = report(client, f"/api/sources/{source}/player?name=Carlsen,%20Magnus")
    view = tabiya.player(folder / "games.pgn", "Carlsen, Magnus", opponents=30)
    assert answer["names"] == ["Carlsen, Magnus"]
    for name in ("total", "white", "black"):
        score = view.to_dict()[name]
        assert {key: answer[name][key] for key in ("games", "wins", "draws", "losses", "performance")} == {
            key: score[key] for key in ("games", "wins", "draws", "losses", "performance")
        }
    assert [each["year"] for each in answer["years"]] == [*view.years]
    assert [each["name"] for each in answer["opponents"]] == [*view.opponents]
    assert {each["date"]: each["rating"] for each in answer["ratings"]} == view.ratings
    assert answer["play"] is None
    first = answer["white_moves"][0]
    assert first["name"].startswith("1.")
    assert first["lines"][0]["moves"] == [*first["moves"], first["lines"][0]["moves"][-1]]


def test_openings_say_how_one_gets_there(client: Client) -> None:
    answer = report(client, "/api/sources/s2/player?name=Carlsen,%20Magnus")
    sicilian = next(each for each in answer["white_openings"] if each["name"] == "Sicilian Defense")
    assert sicilian["moves"] == ["e2e4", "c7c5"]


def test_only_the_whole_name_counts(client: Client, folder: Path) -> None:
    (folder / "names.pgn").write_text(
        "".join(
            f'[White "{white}"]\n[Black "Other, O"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
            for white in ("Carlsen, M", "Carlsen, Magnus", "Carlsen, Magnus (2)", "Carlsen. M")
        ),
        "utf-8",
    )
    answer = report(client, "/api/sources/s6/player?name=Carlsen,%20M")
    assert (answer["names"], answer["total"]["games"]) == (["Carlsen, M"], 1)
    assert "Carlsen, Magnus" in [each["name"] for each in answer["spellings"]]
    both = report(client, "/api/sources/s6/player?name=Carlsen,%20M&name=Carlsen,%20Magnus")
    assert (both["names"], both["total"]["games"]) == (["Carlsen, M", "Carlsen, Magnus"], 2)
    assert "Carlsen, M" not in [each["name"] for each in both["spellings"]]


def test_head_to_head(client: Client) -> None:
    path = "/api/sources/s1/player?name=Carlsen,%20Magnus&opponent=Anand,%20V"
    answer = report(client, path)
    assert [each["name"] for each in answer["opponents"]] == ["Anand, V"]
    assert answer["total"]["games"] == 10
    turned = report(client, "/api/sources/s1/player?name=Anand,%20V&opponent=Carlsen,%20Magnus")
    assert turned["total"]["wins"] == answer["total"]["losses"]


def test_accuracy_where_there_are_evaluations(serve: SiteMaker, folder: Path) -> None:
    (folder / "evaluated.pgn").write_text(
        '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Qh5 {[%eval -0.6]} 1-0',
        "utf-8",
    )
    answer = report(serve("evaluated.pgn"), "/api/sources/s1/player?name=A")
    assert answer["play"]["games"] == 1
    assert 0 < answer["play"]["accuracy"] <= 100
    assert answer["play"]["phases"][0]["name"] == "opening"


def test_a_player_who_is_not_there_is_one_sentence(client: Client) -> None:
    for path in ("/api/sources/s1/player?name=Nobody", "/api/sources/s2/player?name=Nobody"):
        while (answer := client.request("GET", path)).status_code == 202:
            pass
        assert answer.status_code == 422
        assert "Nobody" in answer.json()["error"]["sentence"]
    assert "names no player" in client.ask("GET", "/api/sources/s1/player", 422)["error"]["sentence"]
    many = "&".join(f"name={number}" for number in range(21))
    assert "20 spellings" in client.ask("GET", f"/api/sources/s1/player?{many}", 422)["error"]["sentence"]
    assert "opening book" in client.ask("GET", "/api/sources/s4/player?name=x", 422)["error"]["sentence"]


@pytest.mark.parametrize("name", ["a|b", "(x", "a\\", "/^.*$/", "[", "\\Q", ".*", "\x00", "a\nb"])
def test_a_name_is_no_expression(client: Client, name: str) -> None:
    path = "/api/sources/s2/player"
    answer = client.request("GET", path, params={"name": name})
    while answer.status_code == 202:
        answer = client.request("GET", path, params={"name": name})
    assert answer.status_code == 422


EVENTS = """
[Event "Open"]\n[Date "{date}"]\n[White "{white}"]\n[Black "{black}"]\n[WhiteElo "2400"]\n[Result "{result}"]

1. e4 {result}
"""


@pytest.fixture
def events(serve: SiteMaker, folder: Path) -> Client:
    rows = [
        ("2001.05.01", "A", "B", "1-0"),
        ("2001.05.02", "C", "A", "1/2-1/2"),
        ("2001.05.??", "B", "C", "0-1"),
        ("2003.05.01", "A", "D", "0-1"),
        ("????.??.??", "A", "B", "1-0"),
    ]
    (folder / "events.pgn").write_text(
        "".join(
            EVENTS.format(date=date, white=white, black=black, result=result) for date, white, black, result in rows
        ),
        "utf-8",
    )
    return serve("events.pgn")


def test_events_of_one_name_are_told_apart_by_their_dates(events: Client) -> None:
    found = directory(events, "/api/sources/s1/events")["events"]
    assert [(each["name"], each["games"], each["players"], each["first"]) for each in found] == [
        ("Open", 1, 2, "2003-05-01"),
        ("Open", 4, 3, "2001-05"),
    ]
    assert found[0]["rating"] == 2400


def test_the_table_of_an_event(events: Client) -> None:
    answer = report(events, "/api/sources/s1/tournament?event=Open&date=2001-05-02")
    assert (answer["event"]["first"], answer["event"]["games"]) == ("2001-05", 4)
    assert len(answer["others"]) == 2
    names = [entry["name"] for entry in answer["table"]["entries"]]
    assert names == ["A", "C", "B"]
    first = answer["table"]["entries"][0]
    assert (first["points"], first["rating"], first["games"]) == (2.5, 2400, 3)
    games = {(names[each["opponent"]], each["color"], each["points"]) for each in first["encounters"]}
    assert games == {("B", "w", 1.0), ("C", "b", 0.5)}
    latest = report(events, "/api/sources/s1/tournament?event=Open")
    assert latest["event"]["first"] == "2003-05-01"
    for date in ("2003", "2002.12", "2999-01-01"):
        chosen = report(events, f"/api/sources/s1/tournament?event=Open&date={date}")
        assert chosen["event"]["first"] == "2003-05-01", date


def test_an_event_that_is_not_there_is_one_sentence(events: Client) -> None:
    while (answer := events.request("GET", "/api/sources/s1/tournament?event=None")).status_code == 202:
        pass
    assert answer.status_code == 422
    assert "names no event" in events.ask("GET", "/api/sources/s1/tournament", 422)["error"]["sentence"]
    wrong = events.ask("GET", "/api/sources/s1/tournament?event=Open&date=yesterday", 422)
    assert "must be a date" in wrong["error"]["sentence"]


@pytest.mark.parametrize("source", DATABASES)
def test_statistics_count_what_conditions_find(client: Client, source: str) -> None:
    answer = statistics(client, source)
    assert answer["games"]["games"] == ROUNDS
    assert {each["first"] for each in answer["years"]} == {*range(2001, 2041)}
    assert sum(each["games"] for each in answer["codes"]) == ROUNDS
    assert answer["codes"][0]["opening"]["eco"] == "B01"
    assert answer["ratings"] == []  # Black has none
    for each in answer["lengths"]:
        found = statistics(
            client, source, headers={"min_plies": max(0, 2 * each["first"] - 1), "max_plies": 2 * each["last"]}
        )
        assert found["games"] == {key: each[key] for key in ("games", "white", "draws", "black")}
    won = statistics(client, source, headers={"results": ["1-0"]})
    assert won["games"]["games"] == won["games"]["white"] == answer["games"]["white"]


def test_classes_of_ratings_are_those_of_the_condition(serve: SiteMaker, folder: Path) -> None:
    pairs = [(2400, 2499), (2399, 2400), (2500, 2500), (2600, "?")]
    game = '[White "A"]\n[Black "B"]\n[WhiteElo "{}"]\n[BlackElo "{}"]\n\n1. e4 *\n\n'
    (folder / "rated.pgn").write_text("".join(game.format(*pair) for pair in pairs), "utf-8")
    client = serve("rated.pgn")
    for each in statistics(client, "s1")["ratings"]:
        bounds = {"min_elo": each["first"], "max_elo": each["last"], "elo_of": "mean"}
        assert statistics(client, "s1", headers=bounds)["games"]["games"] == each["games"] == 1


def test_statistics_of_a_base_count_lengths_when_they_are_known(client: Client) -> None:
    answer = statistics(client, "s3")
    assert answer["lengths"] is None
    assert statistics(client, "s3", sort={"by": "plies"})["lengths"]
    assert answer["games"]["games"] > 0


def test_letters_after_codes_do_not_matter(serve: SiteMaker, folder: Path) -> None:
    (folder / "codes.pgn").write_text(
        "".join(f'[ECO "{code}"]\n\n1. e4 *\n\n' for code in ("B90a", "B90", "zzz")), "utf-8"
    )
    answer = statistics(serve("codes.pgn"), "s1")
    assert [(each["opening"]["eco"], each["games"]) for each in answer["codes"]] == [("B90", 2)]
    assert answer["codes"][0]["opening"]["name"] == "Sicilian Defense: Najdorf Variation"


def test_a_changed_file_is_counted_again(client: Client, folder: Path) -> None:
    before = directory(client, "/api/sources/s1/players")
    shutil.copy(folder / "names.pgn", folder / "games.pgn")
    after = directory(client, "/api/sources/s1/players")
    assert after["generation"] != before["generation"]
    assert [each["name"] for each in after["players"]] != [each["name"] for each in before["players"]]
