from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import tabiya
from tabiya.search import list_order
from tabiya.search.listing import Listing
from tabiya.web import queries
from tests.web.conftest import ROUNDS, Client, SiteMaker

SICILIAN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


@pytest.fixture(params=["s1", "s2"], ids=["pgn", "library"])
def source(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def games(folder: Path) -> list[tabiya.Game]:
    with tabiya.open(folder / "games.pgn") as database:
        return [*database]


def numbers(rows: list[dict[str, Any]]) -> list[int]:
    return [row["number"] for row in rows]


def test_all_games(client: Client, source: str) -> None:
    rows = client.rows(source)
    assert numbers(rows) == [*range(1, ROUNDS + 1)]
    first = rows[0]
    assert first["white"] == "Carlsen, Magnus"
    assert (first["white_elo"], first["black_elo"]) == (2007, None)
    assert (first["date"], first["result"], first["eco"], first["round"]) == ("2001.01.02", "0-1", "B01", "1")
    assert (first["kind"], first["plies"], first["has"]) == ("game", 5, [])
    assert rows[1]["has"] == ["variations", "annotations"]


def test_rows_by_offset_and_by_cursor(client: Client, source: str) -> None:
    query = client.listed(source)["query"]
    by_offset = client.ask("GET", f"/api/queries/{query}/rows?offset=35&limit=10")
    assert numbers(by_offset["rows"]) == [36, 37, 38, 39, 40]
    assert by_offset["next"] is None
    found: list[int] = []
    answer = client.ask("GET", f"/api/queries/{query}/rows?limit=15")
    while True:
        assert answer["generation"]
        found += numbers(answer["rows"])
        if answer["next"] is None:
            break
        answer = client.ask("GET", f"/api/queries/{query}/rows?limit=15&cursor={answer['next']}")
    assert found == [*range(1, ROUNDS + 1)]
    assert client.ask("GET", f"/api/queries/{query}/rows?offset=1000")["rows"] == []
    assert client.ask("GET", f"/api/queries/{query}/rows?cursor=q99.5", 422)
    assert client.ask("GET", f"/api/queries/{query}/rows?offset=x", 422)
    assert client.ask("GET", f"/api/queries/{query}/rows?offset=-5")["offset"] == 0


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(
    ("column", "key"),
    [
        ("number", lambda game: game.number),
        ("white", lambda game: game.tags["White"].replace("á", "a").lower()),
        ("white_elo", lambda game: int(game.tags["WhiteElo"])),
        ("date", lambda game: game.tags["Date"]),
        ("eco", lambda game: game.tags["ECO"]),
        ("event", lambda game: game.tags["Event"].lower()),
        ("result", lambda game: ["1-0", "1/2-1/2", "0-1"].index(game.tags["Result"])),
        ("plies", lambda game: game.end().ply),
    ],
)
def test_sorting(
    client: Client, source: str, games: list[tabiya.Game], column: str, key: Callable[[Any], Any], descending: bool
) -> None:
    rows = client.rows(source, sort={"by": column, "descending": descending})
    expected = sorted(games, key=key, reverse=descending)
    values = [key(game) for game in expected]
    by_number = {game.number: key(game) for game in games}
    assert [by_number[number] for number in numbers(rows)] == values
    assert sorted(numbers(rows)) == [*range(1, ROUNDS + 1)]


def test_rounds_are_sorted_as_numbers(client: Client) -> None:
    assert [row["round"] for row in client.rows("s1", sort={"by": "round"})[:10]] == [str(n) for n in range(1, 11)]


def test_what_is_missing_stands_last(client: Client, source: str) -> None:
    for descending in (False, True):
        rows = client.rows(source, sort={"by": "black_elo", "descending": descending})
        assert numbers(rows) == [*range(1, ROUNDS + 1)]


@pytest.mark.parametrize(
    "headers",
    [
        {"white": "polgar"},
        {"player": ["carlsen", "anand"]},
        {"player": "smith"},
        {"min_elo": 2050, "elo_of": "white"},
        {"results": ["1-0", "0-1"]},
        {"date": "2010..2020"},
        {"eco": "B1"},
        {"min_plies": 6},
        {"max_plies": 5, "min-plies": 1},
        {"has": ["comments"]},
        {"without": ["variations"]},
        {"comment": "good"},
        {"tags": ["Event=club 7"]},
        {"site": "town", "exact": True},
        {"annotator": "nobody"},
    ],
)
def test_conditions_mean_what_they_mean_elsewhere(client: Client, source: str, folder: Path, headers: Any) -> None:
    with tabiya.open(folder / "games.pgn") as database:
        values = {name.replace("-", "_"): value for name, value in headers.items()}
        expected = [game.number for game in database.filter(**values)]
    assert numbers(client.rows(source, headers=headers)) == expected
    backward = client.rows(source, headers=headers, sort={"by": "number", "descending": True})
    assert numbers(backward) == expected[::-1]


def test_the_quick_filter(client: Client, source: str) -> None:
    rows = client.rows(source, text="polgar carlsen 2004")
    assert [(row["white"], row["date"][:4]) for row in rows] == [("Polgár, Judit", "2004")]
    assert len(client.rows(source, text="  ")) == ROUNDS


def test_records_by_number(client: Client, source: str) -> None:
    assert numbers(client.rows(source, records="3,10-12,39-")) == [3, 10, 11, 12, 39, 40]
    assert numbers(client.rows(source, records="1-10", headers={"white": "polgar"})) == [4, 8]


def test_positions(client: Client, source: str) -> None:
    rows = client.rows(source, position={"fen": [SICILIAN]})
    assert numbers(rows) == [*range(3, ROUNDS + 1, 3)]
    assert {(row["ply"], row["move"]) for row in rows} == {(2, "2.")}
    by_name = client.rows(source, position={"moves": "1. e4 c5"}, headers={"white": "polgar"}, sort={"by": "white_elo"})
    assert {row["white"] for row in by_name} == {"Polgár, Judit"}
    assert [row["white_elo"] for row in by_name] == sorted(row["white_elo"] for row in by_name)
    assert all(row["ply"] == 2 for row in by_name)
    assert client.rows(source, position={"material": ["KK"]}) == []
    in_variations = client.rows(source, position={"white-move": ["f4"], "in-variations": True})
    assert numbers(in_variations) == [*range(2, ROUNDS + 1, 3)]
    limited = client.rows(source, position={"query": {"white-move": "e4", "limit": 2}}, headers={"white": "polgar"})
    assert len(limited) == 2


def test_where_a_record_stands(client: Client, source: str) -> None:
    query = client.listed(source, sort={"by": "number", "descending": True})["query"]
    assert client.ask("GET", f"/api/queries/{query}/place?number=40")["offset"] == 0
    assert client.ask("GET", f"/api/queries/{query}/place?number=41")["offset"] is None
    plain = client.listed(source)["query"]
    assert client.ask("GET", f"/api/queries/{plain}/place?number=40")["offset"] == 39


def test_texts_stand_among_the_games(client: Client) -> None:
    rows = client.rows("s3")
    texts = [row for row in rows if row["kind"] == "text"]
    assert texts
    assert all(isinstance(row["title"], str) for row in texts)
    ordered = client.rows("s3", sort={"by": "white"})
    assert sorted(numbers(ordered)) == numbers(rows)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"sort": {"by": "color"}}, "cannot be sorted by 'color'"),
        ({"sort": {"by": 1}}, "cannot be sorted"),
        ({"headers": {"colour": "x"}}, "no condition 'colour'; known: white, black"),
        ({"headers": {"min_elo": "x"}}, "'min_elo' takes a whole number, not 'x'"),
        ({"headers": {"date": "never"}}, "is not a date"),
        ({"headers": {"white": ["a", "b"]}}, "'white' takes a text"),
        ({"headers": {"player": {"a": 1}}}, "'player' takes a text"),
        ({"headers": {"player": ["a", 1]}}, "'player' takes a text"),
        ({"headers": {"exact": "no"}}, "'exact' takes true or false"),
        ({"headers": {"min_elo": True}}, "'min_elo' takes a whole number"),
        ({"headers": []}, "another type"),
        ({"position": {"fen": ["x"]}}, "FEN"),
        ({"position": {"fen": 5}}, "takes a text, or several"),
        ({"position": {"colour": "x"}}, "no condition 'colour' on positions"),
        ({"position": {"lasting": 3}}, "modifies a condition"),
        ({"position": {"check": True, "lasting": -3}}, "from 1 on"),
        ({"position": {"query": {"x": 1}}}, "x"),
        ({"records": "x"}, "does not name records"),
        ({"text": "x" * 1000}, "more than 500 letters"),
        ({"text": 5}, "another type"),
    ],
)
def test_what_makes_no_sense(client: Client, asked: dict[str, Any], sentence: str) -> None:
    answer = client.ask("POST", "/api/sources/s1/queries", 422, json=asked)
    assert sentence in answer["error"]["sentence"]


def test_bodies(client: Client) -> None:
    path = "/api/sources/s1/queries"
    json_type = {"content-type": "application/json"}
    client.ask("POST", path, 415, content=b"{}")
    client.ask("POST", path, 415, data={"text": "x"})
    client.ask("POST", path, 400, content=b"{", headers=json_type)
    client.ask("POST", path, 400, content=b"[" * 100_000, headers=json_type)
    client.ask("POST", path, 400, content=b"[]", headers=json_type)
    client.ask("POST", path, 413, content=b" " * (9 << 20), headers=json_type)
    client.ask("POST", path, 400, content=b"\xff\xfe", headers=json_type)
    client.ask("POST", "/api/sources/s4/queries", 422, json={})


def test_lists_are_forgotten(client: Client) -> None:
    first = client.listed("s1")["query"]
    client.ask("DELETE", f"/api/queries/{first}", 204)
    client.ask("GET", f"/api/queries/{first}", 410)
    names = [client.listed("s1", text="x")["query"] for _ in range(queries._MOST + 1)]
    client.ask("GET", f"/api/queries/{names[0]}", 410)
    client.ask("GET", f"/api/queries/{names[-1]}")


def test_games_of_a_list_as_pgn(client: Client, source: str) -> None:
    query = client.listed(source, headers={"white": "polgar"})["query"]
    answer = client.get(f"/api/queries/{query}/pgn")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.text.count('[White "Polgár, Judit"]') == ROUNDS // 4
    assert client.get(f"/api/queries/{query}/pgn?profile=none").status_code == 422


def test_a_list_grows_while_a_file_is_read(serve: SiteMaker, folder: Path) -> None:
    text = (folder / "games.pgn").read_text("utf-8")
    (folder / "many.pgn").write_text(text * 300, "utf-8")
    client = serve("many.pgn")
    query = client.ask("POST", "/api/sources/s1/queries", 201, json={"text": "polgar"})
    totals = [query["total"]]
    while not query["complete"]:
        query = client.ask("GET", f"/api/queries/{query['query']}?wait=100")
        totals.append(query["total"])
    assert totals == sorted(totals)
    assert totals[-1] == 300 * ROUNDS // 2
    assert client.listed("s1")["total"] == 300 * ROUNDS
    last = client.ask("GET", f"/api/queries/{client.listed('s1')['query']}/rows?offset={300 * ROUNDS - 1}")
    assert last["rows"][0]["round"] == str(ROUNDS)


def test_hostile_names_are_only_texts(client: Client) -> None:
    rows = client.rows("s6")
    assert "<script>window.attacked=1</script>" in {row.get("white") for row in rows}
    for column in ("white", "round", "annotator"):
        assert len(client.rows("s6", sort={"by": column})) == len(rows)


def test_clients_that_request_the_same_share_a_list(client: Client) -> None:
    requested = {"headers": {"white": "polgar"}, "sort": {"by": "date", "descending": True}}
    one, other = (client.listed("s2", **requested)["query"] for _ in range(2))
    third = client.listed("s2", **{**requested, "text": "club"})["query"]
    standing = client.site.queries
    assert one != other
    assert standing.get(one).listing is standing.get(other).listing
    assert standing.get(one).listing is not standing.get(third).listing
    client.ask("DELETE", f"/api/queries/{one}", 204)
    assert client.ask("GET", f"/api/queries/{other}/rows")["total"] == 10
    client.ask("GET", f"/api/queries/{one}", 410)


def test_closing_a_shared_list_does_not_stop_its_work(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, look = Event(), Listing._look
    monkeypatch.setattr(Listing, "_look", lambda self: go_on.wait(60) and look(self))
    requested = {"text": "polgar", "sort": {"by": "date"}}
    one, other = (client.ask("POST", "/api/sources/s2/queries", 201, json=requested)["query"] for _ in range(2))
    client.ask("DELETE", f"/api/queries/{one}", 204)
    go_on.set()
    while not client.ask("GET", f"/api/queries/{other}?wait=500")["complete"]:
        pass
    assert client.ask("GET", f"/api/queries/{other}/rows")["total"] == 20


def test_lists_are_bounded_in_bytes(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """40 rows of 4 bytes each; a list that others request too counts once."""
    monkeypatch.setattr(queries, "_MOST_BYTES", 3 * 4 * ROUNDS)
    columns = ("white", "black", "date", "eco", "plies", "event")
    names = [client.listed("s2", sort={"by": column})["query"] for column in columns for _ in range(2)]
    kept = [name for name in names if client.get(f"/api/queries/{name}").status_code == 200]
    assert kept == names[-6:]
    assert client.site.queries._bytes() <= 3 * 4 * ROUNDS


def test_a_list_that_is_larger_than_the_bound_is_kept(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "_MOST_BYTES", 1)
    assert len(client.rows("s2", sort={"by": "date"})) == ROUNDS


def test_orders_of_a_database_are_bounded_in_bytes(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_order, "_MOST_BYTES", 4 * 4 * ROUNDS)
    for column in ("white", "black", "date", "eco"):
        for descending in (False, True):
            client.listed("s2", sort={"by": column, "descending": descending})
    with client.site.sources.get("s2").listed_database() as (_, listed_database):
        assert sum(array.nbytes for array in listed_database.orders._kept.values()) <= 4 * 4 * ROUNDS


def test_conditions_of_a_list_are_bounded(client: Client) -> None:
    client.ask("POST", "/api/sources/s2/queries", 413, json={"headers": {"white": "x" * (300 << 10)}})
