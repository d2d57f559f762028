"""Front ends of the explorer of Lichess: their requests, and answers of exactly its shape."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import chess
import chess.pgn
import pytest

import tabiya
from tabiya.search.explorer import explore
from tabiya.search.explorer_results import Exploration
from tabiya.web import explorations
from tabiya.web.api import drop_in
from tabiya.web.safety import Rules
from tabiya.web.site import Site
from tabiya.web.sources import Sources
from tests.web.conftest import PORT, Client, SiteMaker, client_of, games_text

START = chess.STARTING_FEN
FISCHER = "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w KQkq - 0 1"
GAMES = f"""
[Event "Rated Blitz game"]
[Date "2024.05.07"]
[White "Ada"]
[Black "Bob"]
[WhiteElo "1700"]
[BlackElo "1600"]
[TimeControl "300+3"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0

[Event "Casual Rapid game"]
[Date "2023.??.??"]
[White "Bob"]
[Black "Ada"]
[TimeControl "900+10"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 1/2-1/2

[Event "FICS unrated standard game"]
[White "Ada"]
[Black "Cid"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 0-1

[Event "Casualties cup"]
[Date "2024.06.01"]
[White "Eve"]
[Black "Ada"]
[WhiteElo "2100"]
[BlackElo "2000"]
[Result "0-1"]

1. d4 d5 2. c4 dxc4 0-1

[Variant "Chess960"]
[SetUp "1"]
[FEN "{FISCHER}"]
[White "Ada"]
[Black "Bob"]
[Date "2022.02.02"]
[Result "1-0"]

1. e4 e5 2. Qe3 Qe6 3. Ne2 Ne7 4. O-O 1-0
"""
BEFORE_CASTLING = "e2e4,e7e5,g1f3,b8c6,f1c4,f8c5"

# What the OpenAPI description of Lichess requires (OpeningExplorerMasters, …Lichess, …Player): names and types.
OPENING = {"eco": str, "name": str}
PERSON = {"name": str, "rating": int}
MASTERS_GAME = {"id": str, "winner": (str, None), "white": PERSON, "black": PERSON, "year": int}
SERVER_GAME = {**MASTERS_GAME, "speed": str, "month": str}
PLAYER_GAME = {**SERVER_GAME, "mode": str}
COUNTS = {"white": int, "draws": int, "black": int}


def move_of(game: dict[str, Any], *ratings: str) -> dict[str, Any]:
    rated = dict.fromkeys(ratings, int)
    return {"uci": str, "san": str, **rated, **COUNTS, "game": (game, None), "opening": (OPENING, None)}


SHAPES: dict[str, dict[str, Any]] = {
    "masters": {
        **COUNTS,
        "opening": (OPENING, None),
        "moves": [move_of(MASTERS_GAME, "averageRating")],
        "topGames": [{**MASTERS_GAME, "uci": str}],
    },
    "lichess": {
        **COUNTS,
        "opening": (OPENING, None),
        "moves": [move_of(SERVER_GAME, "averageRating")],
        "topGames": [{**SERVER_GAME, "uci": str}],
        "recentGames": [{**SERVER_GAME, "uci": str}],
    },
    "player": {
        **COUNTS,
        "opening": (OPENING, None),
        "queuePosition": int,
        "moves": [move_of(PLAYER_GAME, "averageOpponentRating", "performance")],
        "recentGames": [{**PLAYER_GAME, "uci": str}],
    },
}
MAY_BE_THERE = {"month", "mode"}


def fits(value: Any, shape: Any, place: str = "answer") -> None:
    """Compare an answer with a shape: a type, a tuple of alternatives, a list of one, or an object."""
    if isinstance(shape, tuple):
        if value is not None:
            fits(value, shape[0], place)
        else:
            assert shape[1] is None, place
    elif isinstance(shape, list):
        assert isinstance(value, list), place
        for index, each in enumerate(value):
            fits(each, shape[0], f"{place}[{index}]")
    elif isinstance(shape, dict):
        assert shape.keys() <= value.keys() <= shape.keys() | MAY_BE_THERE, (place, value)
        for name, each in shape.items():
            fits(value[name], each, f"{place}.{name}")
    else:
        assert type(value) is shape, (place, value)


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """These games as PGN and as a library, and a library of the games of other tests."""
    folder = tmp_path_factory.mktemp("servers")
    (folder / "servers.pgn").write_text(GAMES, "utf-8")
    (folder / "games.pgn").write_text(games_text(), "utf-8")
    for name in ("servers", "games"):
        tabiya.convert(folder / f"{name}.pgn", folder / f"{name}.tabiya")
    return [folder / name for name in ("servers.pgn", "servers.tabiya", "games.tabiya")]


def site_of(paths: list[Path]) -> Site:
    sources = Sources()
    for path in paths:
        sources.add(str(path))
    return Site(sources, Rules(port=PORT))


@pytest.fixture(scope="module")
def front_end(paths: list[Path]) -> Iterator[Client]:
    """s1 the PGN, s2 its library, s3 the games of other tests."""
    site = site_of(paths)
    yield client_of(site)
    site.close()


@pytest.fixture
def own_front_end(paths: list[Path]) -> Iterator[Client]:
    """The same, for one test."""
    site = site_of(paths)
    yield client_of(site)
    site.close()


def ask(client: Client, name: str, query: str = "", base: str = "", status: int = 200) -> Any:
    answer = client.get(f"{base}/{name}?{query}")
    assert answer.status_code == status, answer.text
    if status != 200:
        sentence = answer.json()["error"]["sentence"]
        assert not sentence[0].islower()
        assert sentence.endswith(".")
        return sentence
    if name in {"player", "personal"}:
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        (line,) = [line for line in answer.text.split("\n") if line]
        assert answer.text.endswith("}\n")
        values = json.loads(line)
    else:
        values = answer.json()
    fits(values, SHAPES[{"master": "masters", "personal": "player"}.get(name, name)])
    return values


@pytest.mark.parametrize("base", ["", "/explorer/s1", "/explorer/s2", "/explorer/s3"])
@pytest.mark.parametrize("play", ["", "e2e4", BEFORE_CASTLING, "a2a3,a7a6"])
def test_answers_have_the_shape_of_lichess(front_end: Client, base: str, play: str) -> None:
    for name in ("masters", "lichess", "master"):
        ask(front_end, name, f"play={play}", base)
    for color in ("white", "black"):
        for name in ("player", "personal"):
            ask(front_end, name, f"player=Ada&color={color}&play={play}", base)


@pytest.mark.parametrize("base", ["/explorer/s1", "/explorer/s2"])
def test_what_the_answers_contain(front_end: Client, base: str) -> None:
    answer = ask(front_end, "masters", f"play={BEFORE_CASTLING}", base)
    assert [answer[name] for name in COUNTS] == [1, 1, 1]
    assert answer["opening"] == {"eco": "C50", "name": "Italian Game: Giuoco Piano"}
    castling = next(move for move in answer["moves"] if move["san"] == "O-O")
    assert castling["uci"] == "e1h1"
    assert castling["averageRating"] == 1650
    assert castling["game"]["month"] == "2024-05"
    assert "uci" not in castling["game"]
    assert [game["uci"] for game in answer["topGames"]] == ["e1h1", "d2d3"]  # one game ends here
    unrated = answer["topGames"][1]
    assert (unrated["white"], unrated["year"]) == ({"name": "Bob", "rating": 0}, 2023)
    assert "month" not in unrated
    answer = ask(front_end, "lichess", f"play={BEFORE_CASTLING}", base)
    assert [(game["speed"], game["mode"], game["month"]) for game in answer["recentGames"]] == [
        ("blitz", "rated", "2024-05"),
        ("rapid", "casual", "2023"),
    ]


@pytest.mark.parametrize("base", ["/explorer/s1", "/explorer/s2"])
def test_the_opening_is_the_last_one_on_the_way(front_end: Client, base: str) -> None:
    """A position without a name of its own has that of the moves before it; a FEN alone does not show them."""
    moves = "e2e4,e7e5,g1f3,b8c6,f1c4,f8c5,d2d3,h7h6,h2h3,a7a6,a2a3"
    assert ask(front_end, "masters", f"play={moves}", base)["opening"]["eco"] == "C50"
    board = chess.Board()
    for move in moves.split(","):
        board.push_uci(move)
    assert ask(front_end, "masters", f"fen={board.fen()}", base)["opening"] is None


def players(client: Client, base: str, query: str) -> tuple[int, int, int]:
    answer = ask(client, "player", query, base)
    return answer["white"], answer["draws"], answer["black"]


@pytest.mark.parametrize("base", ["/explorer/s1", "/explorer/s2"])
def test_players(front_end: Client, base: str) -> None:
    assert players(front_end, base, "player=ada&color=white") == (1, 0, 1)
    assert players(front_end, base, "player=Ada&color=black") == (0, 1, 1)
    assert players(front_end, base, "player=nobody&color=black") == (0, 0, 0)
    assert players(front_end, base, "player=ada&color=white&modes=rated") == (1, 0, 0)
    assert players(front_end, base, "player=ada&color=white&modes=casual") == (0, 0, 1)
    assert players(front_end, base, "player=ada&color=black&modes=rated") == (0, 0, 1)  # no “casual” as a word
    assert players(front_end, base, "player=ada&color=white&modes=casual,rated") == (1, 0, 1)
    assert players(front_end, base, "player=ada&color=white&speeds=blitz") == (1, 0, 0)
    assert players(front_end, base, "player=ada&color=white&speeds=classical") == (0, 0, 1)
    assert players(front_end, base, "player=ada&color=black&since=2023-1&until=2023-12") == (0, 1, 0)
    assert players(front_end, base, "player=ada&color=black&since=2024/06") == (0, 0, 1)


@pytest.mark.parametrize("base", ["/explorer/s1", "/explorer/s2"])
def test_performance_is_that_of_the_player(front_end: Client, base: str) -> None:
    """On both sides of the board, whoever moves."""
    for play, uci in (("", "d2d4"), ("d2d4", "d7d5")):
        (move,) = [
            each
            for each in ask(front_end, "player", f"player=ada&color=black&play={play}", base)["moves"]
            if each["uci"] == uci
        ]
        assert (move["averageOpponentRating"], move["performance"]) == (2100, 2900)
        assert (move["game"]["speed"], move["game"]["mode"]) == ("classical", "rated")


@pytest.mark.parametrize("base", ["/explorer/s1", "/explorer/s2"])
def test_chess960(front_end: Client, base: str) -> None:
    for fen in (FISCHER, FISCHER.replace("KQkq", "FCfc"), FISCHER.replace(" ", "_")):
        answer = ask(front_end, "lichess", f"variant=chess960&fen={fen}&play=e2e4,e7e5,e1e3,e8e6,g1e2,g8e7", base)
        assert [(move["uci"], move["san"]) for move in answer["moves"]] == [("d1f1", "O-O")]
    assert ask(front_end, "lichess", f"variant=chess960&fen={FISCHER}", base)["white"] == 1
    assert ask(front_end, "lichess", f"variant=fromPosition&fen={FISCHER}", base)["white"] == 1
    assert ask(front_end, "lichess", "", base)["white"] == 1
    assert ask(front_end, "lichess", "variant=chess960", base)["white"] == 1


def test_requests_as_front_ends_send_them(front_end: Client) -> None:
    """The analysis board of Lichess, today's and an earlier one, and En Croissant."""
    board = f"variant=standard&fen={START}&play=e2e4,e7e5&topGames=0&recentGames=0&source=analysis"
    answer = ask(front_end, "masters", f"{board}&since=2020&until=2030")
    assert answer["topGames"] == []
    answer = ask(front_end, "lichess", f"{board}&speeds=blitz,rapid&ratings=1600,1800&speeds[]=blitz&ratings[]=1600")
    assert (answer["white"], answer["recentGames"]) == (1, [])
    answer = ask(front_end, "player", f"{board}&player=Ada&color=white&modes=rated&speeds=blitz&since=2024-01")
    assert answer["queuePosition"] == 0
    assert ask(front_end, "masters", f"fen={START}&moves=2&topGames=3&speeds=bullet&ratings=2500")["white"] == 1
    answer = ask(front_end, "lichess", f"fen={START}&color=white&variant=standard&since=2024-5&until=2024-6")
    assert answer["white"] == 1
    assert ask(front_end, "masters", "play=e2e4&_=1700000000000")["white"] == 1


def test_games_by_id(front_end: Client) -> None:
    for base, source in (("", "s1"), ("/explorer/s2", "s2"), ("/explorer/s3", "s3")):
        for game in ask(front_end, "masters", "play=e2e4,e7e5", base)["topGames"]:
            assert len(game["id"]) == 8
            assert drop_in._game_of(game["id"])[0] == source
            for address in ("masters/pgn", "master/pgn", "game/export"):
                answer = front_end.get(f"/{address}/{game['id']}")
                assert answer.headers["content-type"].startswith("application/x-chess-pgn")
                assert f'[White "{game["white"]["name"]}"]' in answer.text
    assert front_end.get("/masters/pgn/").status_code == front_end.get("/lichess/history").status_code == 404
    for missing in ("00000000", "zzzzzzzz", "0000000g", "x", "1234567é"):
        assert front_end.get(f"/masters/pgn/{missing}").status_code == 404
    assert drop_in._game_of(drop_in._id_of(front_end.site.sources.get("s2"), (1 << 31) - 1)) == ("s2", (1 << 31) - 1)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("fen=x", "FEN"),
        ("fen=" + "8/" * 5000, "too long"),
        ("play=" + ",".join(["e2e4"] * 5000), "too long"),
        ("play=e2e5", "2e5 is not a legal move"),
        ("play=e7e5", "7e5 is not a legal move"),
        ("play=%00", "move"),
        ("fen=8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("moves=-1", "“moves”"),
        ("moves=many", "“moves”"),
        ("moves=1e9", "“moves”"),
        ("topGames=-5", "“topGames”"),
        ("fen=a&fen=b", "“fen” is given several times"),
        ("variant=atomic", "“variant”"),
        ("since=never", "date"),
        ("until=2024-13", "date"),
        ("min_elo=x", "“min_elo”"),
        ("elo_of=nobody", "lo_of must be both"),
    ],
)
@pytest.mark.parametrize("base", ["/explorer/s1", "/explorer/s2"])
def test_bad_parameters(front_end: Client, base: str, query: str, told: str) -> None:
    for name, more in (("masters", ""), ("lichess", ""), ("player", "&player=Ada&color=white")):
        if name == "player" and query.startswith("topGames"):
            continue
        assert told in ask(front_end, name, query + more, base, 400)


@pytest.mark.parametrize(
    ("name", "query", "told"),
    [
        ("player", "color=white", "“player” is missing"),
        ("player", "player=&color=white", "“player” is missing"),
        ("player", "player=x", "“color” must be white or black"),
        ("player", "player=x&color=red", "“color” must be white or black"),
        ("player", "player=x&color=white&modes=wild", "“modes” can have casual, rated"),
        ("player", "player=/(/&color=white", "cannot be searched for"),
        ("lichess", "speeds=slow", "“speeds” can have"),
        ("lichess", "ratings=1700", "“ratings” can have"),
        ("lichess", "history=true", "“history”"),
    ],
)
def test_bad_parameters_of_one_address(front_end: Client, name: str, query: str, told: str) -> None:
    for base in ("/explorer/s1", "/explorer/s2"):
        assert told in ask(front_end, name, query, base, 400)


def test_huge_numbers_are_limits(front_end: Client) -> None:
    answer = ask(front_end, "masters", "moves=99999999999999999999&topGames=99999999999999999999")
    assert len(answer["moves"]) == 2
    assert len(ask(front_end, "lichess", "topGames=50&recentGames=50", "/explorer/s3")["topGames"]) == 4
    assert len(ask(front_end, "masters", "topGames=50", "/explorer/s3")["topGames"]) == 15
    assert ask(front_end, "masters", "moves=0&topGames=0")["moves"] == []


def test_there_may_be_no_such_database(front_end: Client, serve: SiteMaker) -> None:
    assert "no source" in ask(front_end, "masters", "", "/explorer/s9", 404)
    assert "no source" in ask(front_end, "masters", "source=s9", "", 404)
    assert "no database" in ask(serve("small.bin"), "masters", "", "", 404)


def test_a_stream_waits_for_games_to_be_read(own_front_end: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty lines come meanwhile, so that the connection stays open."""
    go_on = Event()

    def slow(*told: Any, **more: Any) -> Exploration:
        assert go_on.wait(60)
        return explore(*told, **more)

    monkeypatch.setattr(explorations, "explore", slow)
    monkeypatch.setattr(drop_in, "_SECONDS_OF_SILENCE", 0.01)
    seen: list[bytes] = []

    async def noting(job: Any, line: Any) -> Any:
        async for each in lines(job, line):
            seen.append(each)
            if len(seen) > 2:
                go_on.set()
            yield each

    lines = drop_in._lines
    monkeypatch.setattr(drop_in, "_lines", noting)
    with own_front_end, ThreadPoolExecutor(1) as visitor:
        answer = visitor.submit(own_front_end.get, "/player?player=Ada&color=white").result(60)
    assert seen[:3] == [b"\n"] * 3
    assert json.loads(answer.text.strip())["white"] == 1


def test_a_failure_while_games_are_read_ends_the_stream(own_front_end: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*told: Any, **more: Any) -> Exploration:
        raise tabiya.TabiyaError("is damaged")

    monkeypatch.setattr(explorations, "explore", fails)
    answer = own_front_end.get("/player?player=Ada&color=white")
    assert answer.status_code in {200, 400}  # too late, or in time
    assert "white" not in answer.text
    assert ask(own_front_end, "masters", "moves=7", "/explorer/s2", 400) == "Is damaged."


TOKEN = "lip_0123456789abcdef"


def test_a_token_for_the_explorer_and_nothing_else(serve: SiteMaker) -> None:
    client = serve("games.tabiya", explorer_token=TOKEN)
    for header in ("authorization", "origin"):
        del client.headers[header]
    assert client.get("/masters").status_code == 401
    bearer = {"authorization": f"Bearer {TOKEN}"}
    for path in ("/masters", "/lichess", "/player?player=a&color=white", "/explorer"):
        assert client.get(path, headers=bearer).status_code == 200
    for path in ("/masters?", "/explorer/s1/lichess?", "/player?player=a&color=white&"):
        assert client.get(f"{path}token={TOKEN}").status_code == 200
    for path in ("masters", "explorer/s1/masters", "explorer"):
        assert client.get(f"/token/{TOKEN}/{path}").status_code == 200
        assert client.get(f"/token/{TOKEN[:-1]}x/{path}").status_code == 401
    game = client.get("/masters", headers=bearer).json()["topGames"][0]["id"]
    assert client.get(f"/token/{TOKEN}/masters/pgn/{game}").status_code == 200
    for path in ("/api/sources", "/api"):
        assert client.get(path, headers=bearer).status_code == 401
        assert client.get(f"/token/{TOKEN}{path}").status_code == 401
        assert client.get(f"{path}?token={TOKEN}").status_code == 401
    assert client.post("/masters", headers=bearer).status_code == 401
    assert client.get("/token/", headers=bearer).status_code in {401, 404}


def test_allowed_sites(serve: SiteMaker) -> None:
    client = serve("games.tabiya", allowed_origins=("https://example.org", "tauri://localhost"))
    del client.headers["authorization"]
    for origin in ("https://example.org", "tauri://localhost"):
        other = {"origin": origin}
        for path in ("/masters", "/lichess", "/player?player=a&color=white", "/explorer/s1/masters"):
            answer = client.get(path, headers={**other, "sec-fetch-site": "cross-site"})
            assert answer.status_code == 200
            assert answer.headers["access-control-allow-origin"] == origin
            requested = client.options(path, headers={**other, "access-control-request-headers": "authorization"})
            assert requested.status_code == 204
            assert "Authorization" in requested.headers["access-control-allow-headers"]
        assert client.get("/mastersx", headers=other).status_code == 403
    assert client.get("/masters", headers={"origin": "https://attacker.example"}).status_code == 403
