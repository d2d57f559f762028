from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tests.web.conftest import DATA, Client, SiteMaker


def as_given_back(game: dict[str, Any]) -> dict[str, Any]:
    """What a page sends: neither positions nor notation."""
    dropped = {"fen", "san", "path", "id", "ply", "number", "color", "check", "opening"}
    nodes = [{name: value for name, value in node.items() if name not in dropped} for node in game["nodes"]]
    return {"tags": game["tags"], "start": game["start"], "chess960": game["chess960"], "nodes": nodes}


def test_a_game(client: Client) -> None:
    game = client.ask("GET", "/api/sources/s1/games/2")
    assert game["generation"]
    assert game["title"] == "Anand, V – Smith, John"
    assert [node["san"] for node in game["nodes"][1:]] == ["e4", "e5", "Nf3", "f4", "exf4", "Nc6", "Bb5"]
    assert [node["path"] for node in game["nodes"]] == ["0", "1", "2", "3", "2.1.1", "2.1.2", "4", "5"]
    assert game["nodes"][6]["comments"] == [{"text": "good", "language": "", "side": "after"}]


@pytest.mark.parametrize("source", ["s1", "s2", "s3", "s6"])
def test_every_record_can_be_shown_and_written_as_pgn(client: Client, source: str) -> None:
    for row in client.rows(source):
        game = client.ask("GET", f"/api/sources/{source}/games/{row['number']}")
        assert game["kind"] == row["kind"]
        pgn = client.get(f"/api/sources/{source}/games/{row['number']}/pgn")
        assert pgn.status_code == 200
        plain = client.get(f"/api/sources/{source}/games/{row['number']}/pgn?profile=plain&dialect=lichess")
        assert plain.status_code == 200


def test_a_guiding_text(client: Client) -> None:
    number = client.rows("s6")[-1]["number"]
    text = client.ask("GET", f"/api/sources/s6/games/{number}")
    (shown,) = text["texts"]
    kinds = [block["type"] for block in shown["blocks"]]
    assert "heading" in kinds
    assert "diagram" in kinds
    written = json.dumps(shown["blocks"])
    for word in ("onload", "onerror", "javascript:", "window.attacked", "attacker.invalid", "iframe", "style"):
        assert word not in written
    assert "https://example.org/" in written


@pytest.mark.parametrize("source", ["s1", "s3", "s6"])
def test_games_go_to_pgn_and_back(client: Client, source: str) -> None:
    for row in client.rows(source):
        if row["kind"] != "game":
            continue
        game = client.ask("GET", f"/api/sources/{source}/games/{row['number']}")
        base = {"source": source, "number": row["number"]}
        pgn = client.ask("POST", "/api/pgn", json={"game": as_given_back(game), "base": base})
        assert pgn["losses"] == []
        assert pgn["pgn"] == client.get(f"/api/sources/{source}/games/{row['number']}/pgn").text
        (again,) = client.ask("POST", "/api/tree", json={"pgn": pgn["pgn"]})["games"]
        assert [node.get("comments") for node in again["nodes"]] == [node.get("comments") for node in game["nodes"]]
        assert [node["fen"] for node in again["nodes"]] == [node["fen"] for node in game["nodes"]]


def test_a_tree_is_checked(client: Client) -> None:
    nodes = [{}, {"parent": 0, "uci": "e2e4", "comments": [{"text": "<b>"}]}, {"parent": 1, "san": "c5"}]
    game = client.ask("POST", "/api/tree/check", json={"game": {"tags": {"White": "A"}, "nodes": nodes}})
    assert [node.get("san") for node in game["nodes"]] == [None, "e4", "c5"]
    assert game["nodes"][2]["opening"]["name"] == "Sicilian Defense"
    nodes.append({"parent": 2, "uci": "e2e4"})
    answer = client.ask("POST", "/api/tree/check", 422, json={"game": {"nodes": nodes}})
    assert "e2e4" in answer["error"]["sentence"]


def test_trees_that_are_none(client: Client) -> None:
    client.ask("POST", "/api/pgn", 422, json={})
    client.ask("POST", "/api/pgn", 422, json={"game": 1})
    client.ask("POST", "/api/pgn", 422, json={"game": {"nodes": [{}]}, "base": {"source": 1, "number": 1}})
    client.ask("POST", "/api/pgn", 404, json={"game": {"nodes": [{}]}, "base": {"source": "s9", "number": 1}})
    client.ask("POST", "/api/pgn", 422, json={"game": {"nodes": [{}]}, "profile": "odd"})
    client.ask("POST", "/api/pgn", 422, json={"game": {"nodes": [{"comments": [{"text": "a", "side": ["after"]}]}]}})
    client.ask("POST", "/api/tree", 422, json={"pgn": ""})
    client.ask("POST", "/api/tree", 413, json={"pgn": "x" * (2 << 20)})
    assert len(client.ask("POST", "/api/tree", json={"pgn": "1. e4 *\n\n" * 80})["games"]) == 50


def test_the_report_of_a_game(serve: SiteMaker, folder: Path) -> None:
    (folder / "lichess.pgn").write_text(
        "1. e4 {[%eval 0.3]} e5 {[%eval 0.4]} 2. Ke2 {[%eval -0.5]} *\n\n1. e4 *\n", "utf-8"
    )
    client = serve("lichess.pgn")
    report = client.ask("GET", "/api/sources/s1/games/1/report")
    assert report["sides"]["white"]["inaccuracies"] == 1
    assert [move["judgement"] for move in report["moves"]] == ["", "", "inaccuracy"]
    stricter = client.ask("GET", "/api/sources/s1/games/1/report?judge=1,2,3")
    assert [move["judgement"] for move in stricter["moves"]] == ["", "", "blunder"]
    answer = client.ask("GET", "/api/sources/s1/games/1/report?judge=many", 422)
    assert "three numbers" in answer["error"]["sentence"]
    answer = client.ask("GET", "/api/sources/s1/games/2/report", 404)
    assert answer["error"]["sentence"] == "The game has no evaluated moves."
    client.ask("GET", "/api/sources/s1/games/3/report", 404)


# Saving.


@pytest.fixture
def writer(serve: SiteMaker, folder: Path) -> Client:
    tabiya.convert(folder / "games.pgn", folder / "base.cbh")
    return serve("games.pgn", "games.tabiya", "base.cbh", write=True)


def edited(client: Client, source: str, number: int) -> dict[str, Any]:
    game: dict[str, Any] = client.ask("GET", f"/api/sources/{source}/games/{number}")
    game["nodes"][1]["comments"] = [{"text": "edited", "language": "ENG"}]
    game["nodes"].append({"parent": 0, "uci": "g1f3", "nags": [5]})
    return game


@pytest.mark.parametrize("source", ["s1", "s2", "s3"])
def test_a_game_is_replaced(writer: Client, source: str) -> None:
    number = next(row["number"] for row in writer.rows(source) if row["kind"] == "game" and row["plies"])
    game = edited(writer, source, number)
    values = {"game": as_given_back(game), "generation": game["generation"]}
    saved = writer.ask("PUT", f"/api/sources/{source}/games/{number}", json=values)
    assert saved["number"] == number
    assert saved["generation"] != game["generation"]
    after = writer.ask("GET", f"/api/sources/{source}/games/{number}")
    assert after["generation"] == saved["generation"]
    assert "edited" in {comment["text"] for node in after["nodes"] for comment in node.get("comments", ())}
    assert [5] in [node.get("nags") for node in after["nodes"]]


@pytest.mark.parametrize("source", ["s1", "s2", "s3"])
def test_a_game_is_added(writer: Client, source: str, folder: Path) -> None:
    before = writer.listed(source)["total"]
    number = next(row["number"] for row in writer.rows(source) if row["kind"] == "game" and row["plies"])
    game = edited(writer, source, number)
    base = {"source": source, "number": number}
    values = {"game": as_given_back(game), "generation": game["generation"], "base": base}
    saved = writer.ask("POST", f"/api/sources/{source}/games", 201, json=values)
    assert saved["number"] == before + 1
    assert writer.listed(source)["total"] == before + 1
    after = writer.ask("GET", f"/api/sources/{source}/games/{before + 1}")
    assert "edited" in {comment["text"] for node in after["nodes"] for comment in node.get("comments", ())}
    with tabiya.open(folder / writer.ask("GET", f"/api/sources/{source}")["path"]) as database:
        assert len(database) == before + 1


def test_a_conflict_is_noticed_and_nothing_is_written(writer: Client, folder: Path) -> None:
    game = edited(writer, "s2", 1)
    with tabiya.edit(folder / "games.tabiya") as editor:
        editor.delete([7])
    values = {"game": as_given_back(game), "generation": game["generation"]}
    answer = writer.ask("PUT", "/api/sources/s2/games/1", 409, json=values)
    assert "changed meanwhile" in answer["error"]["sentence"]
    now = writer.ask("GET", "/api/sources/s2/games/1")
    assert len(now["nodes"]) == len(game["nodes"]) - 1
    writer.ask("PUT", "/api/sources/s2/games/1", json=values | {"generation": now["generation"]})


def test_a_pgn_file_that_others_have_changed_is_not_written(writer: Client, folder: Path) -> None:
    game = writer.ask("GET", "/api/sources/s1/games/1")
    path = folder / "games.pgn"
    path.write_text(path.read_text("utf-8").replace("Club 1", "Club X"), "utf-8")
    before = path.read_bytes()
    values = {"game": as_given_back(game), "generation": game["generation"]}
    writer.ask("POST", "/api/sources/s1/games", 409, json=values)
    writer.ask("PUT", "/api/sources/s1/games/1", 409, json=values)
    assert path.read_bytes() == before


def test_a_pgn_file_that_changes_while_its_editor_opens_is_not_written(
    writer: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = writer.ask("GET", "/api/sources/s1/games/1")
    path = folder / "games.pgn"

    def late(*given: Any, **told: Any) -> Any:
        path.write_text(path.read_text("utf-8").replace("Club 1", "Club X"), "utf-8")
        return tabiya.edit(*given, **told)

    monkeypatch.setattr("tabiya.web.api.games.edit", late)
    told = {"game": as_given_back(game), "generation": game["generation"]}
    writer.ask("PUT", "/api/sources/s1/games/1", 409, json=told)
    assert "Club X" in path.read_text("utf-8")


def test_the_other_games_of_a_pgn_file_keep_their_bytes(writer: Client, folder: Path) -> None:
    path = folder / "games.pgn"
    before = path.read_bytes().split(b"[Event ")
    game = edited(writer, "s1", 7)
    values = {"game": as_given_back(game), "generation": game["generation"]}
    assert writer.ask("PUT", "/api/sources/s1/games/7", json=values)["losses"] == []
    after = path.read_bytes().split(b"[Event ")
    assert [place for place in range(len(before)) if before[place] != after[place]] == [7]
    assert len(after) == len(before)


def test_a_guiding_text_is_not_written_over(serve: SiteMaker, folder: Path) -> None:
    writer = serve("handmade.cbh", write=True)
    text = writer.ask("GET", "/api/sources/s1/games/3")
    assert text["kind"] == "text"
    before = {path.name: path.read_bytes() for path in folder.glob("handmade.*")}
    values = {"game": {"nodes": [{"parent": None}]}, "generation": text["generation"]}
    answer = writer.ask("PUT", "/api/sources/s1/games/3", 422, json=values)
    assert "is a text" in answer["error"]["sentence"]
    assert {path.name: path.read_bytes() for path in folder.glob("handmade.*")} == before


def test_what_only_a_format_knows_is_not_taken_from_another_game(serve: SiteMaker, folder: Path) -> None:
    client = serve("handmade.cbh")
    game = client.ask("GET", "/api/sources/s1/games/1")
    values = {"game": as_given_back(game), "base": {"source": "s1", "number": 1, "generation": game["generation"]}}
    known = client.ask("POST", "/api/pgn", json=values)["pgn"]
    assert client.ask("POST", "/api/pgn", json={**values, "base": None})["pgn"] != known
    with tabiya.edit(folder / "handmade.cbh") as editor:
        editor.delete([1])
    assert client.ask("POST", "/api/pgn", json=values) == client.ask("POST", "/api/pgn", json={**values, "base": None})


def test_if_match_is_understood(writer: Client) -> None:
    game = edited(writer, "s2", 1)
    values = {"game": as_given_back(game)}
    writer.ask("PUT", "/api/sources/s2/games/1", 428, json=values)
    writer.ask("PUT", "/api/sources/s2/games/1", 409, json=values, headers={"if-match": '"old"'})
    writer.ask("PUT", "/api/sources/s2/games/1", json=values, headers={"if-match": f'"{game["generation"]}"'})


def test_what_may_not_be_written(client: Client, writer: Client) -> None:
    game = edited(client, "s2", 1)
    values = {"game": as_given_back(game), "generation": game["generation"]}
    answer = client.ask("PUT", "/api/sources/s2/games/1", 403, json=values)
    assert "--write" in answer["error"]["sentence"]
    client.ask("POST", "/api/sources/s2/games", 403, json=values)
    now = writer.ask("GET", "/api/sources/s2/games/1")["generation"]
    writer.ask("PUT", "/api/sources/s2/games/99", 404, json=values | {"generation": now})
    writer.ask("PUT", "/api/sources/s2/games/1", 422, json={"game": {"nodes": []}, "generation": now})
    assert writer.ask("GET", "/api/sources/s2/games/1")["generation"] == now


def test_an_upload_is_never_written(writer: Client, folder: Path) -> None:
    upload = writer.ask("POST", "/api/uploads", 201, json={})["upload"]
    content = (folder / "games.pgn").read_bytes()
    binary = {"content-type": "application/octet-stream"}
    writer.ask("PUT", f"/api/uploads/{upload}/x.pgn", 204, content=content, headers=binary)
    (source,) = writer.ask("POST", f"/api/uploads/{upload}/open", 201, json={})["sources"]
    game = writer.ask("GET", f"/api/sources/{source['id']}/games/1")
    values = {"game": as_given_back(game), "generation": game["generation"]}
    writer.ask("POST", f"/api/sources/{source['id']}/games", 403, json=values)


def test_nothing_is_left_of_remarks_that_are_cleared(serve: SiteMaker) -> None:
    client = serve(str(DATA / "web" / "annotated.pgn"))
    game = client.ask("GET", "/api/sources/s1/games/1")
    answer = [name for node in game["nodes"] for name in ("nags", "comments", "squares", "arrows") if node.get(name)]
    assert {*answer} == {"nags", "comments", "squares", "arrows"}
    for node in game["nodes"]:
        node |= {name: [] for name in ("nags", "comments", "squares", "arrows") if node.get(name)}
    values = {"game": game, "base": {"source": "s1", "number": 1, "generation": game["generation"]}}
    pgn = client.ask("POST", "/api/pgn", json=values)["pgn"]
    (cleared,) = client.ask("POST", "/api/tree", json={"pgn": pgn})["games"]
    assert not [node for node in cleared["nodes"] for name in {*answer} if node.get(name)]
    assert [node.get("clock") for node in cleared["nodes"]] == [node.get("clock") for node in game["nodes"]]
    assert [node.get("uci") for node in cleared["nodes"]] == [node.get("uci") for node in game["nodes"]]
