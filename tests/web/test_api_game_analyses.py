"""Analyses of whole games: progress, findings, limits, cancelling."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.web import game_analyses
from tabiya.web.analyses import Analyses
from tests.analysis.engines import scripted, system_engine
from tests.web.conftest import Client, SiteMaker

COUNTER = Path(__file__).parent.parent / "analysis" / "counting_engine.py"
MOVES = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7"
"""White loses the queen."""
Maker = Callable[..., Client]


def game_of(text: str) -> dict[str, Any]:
    from tabiya.game.exchange import game_values

    values = game_values(tabiya.Game.from_pgn(text))
    return {name: values.get(name) for name in ("tags", "start", "chess960", "nodes")}


@pytest.fixture
def counting(serve: SiteMaker, tmp_path: Path) -> Maker:
    """Makes clients of sites with an engine that counts material; ``log`` has its searches."""

    def make(*arguments: object, **told: Any) -> Client:
        command = shlex.join([sys.executable, str(COUNTER), str(tmp_path / "log"), *map(str, arguments)])
        return serve("games.pgn", analyses=Analyses([command], **told))

    return make


def searches(tmp_path: Path) -> list[str]:
    log = tmp_path / "log"
    return log.read_text("utf-8").splitlines() if log.exists() else []


def ended(client: Client, answer: dict[str, Any]) -> dict[str, Any]:
    """The analysis at its end."""
    while answer["state"] == "running":
        place = f"/api/analyses/{answer['analysis']}?wait=20000&settled={answer['settled']}"
        answer = client.ask("GET", place)
    return answer


def begun(client: Client, text: str = MOVES, **told: Any) -> dict[str, Any]:
    answer: dict[str, Any] = client.ask("POST", "/api/engines/1/games", 201, json={"game": game_of(text), **told})
    return answer


def test_a_game_is_analysed(counting: Maker, tmp_path: Path) -> None:
    client = counting()
    answer = ended(client, begun(client, depth=3))
    assert (answer["state"], answer["positions"], answer["settled"]) == ("done", 7, 7)
    assert [each["centipawns"] for each in answer["evaluations"]] == [0, 0, 0, 0, 100, -800, -800]
    assert answer["added"] == {"better lines": 2, "blunders": 1, "evaluations": 6, "inaccuracies": 1}
    nodes = answer["game"]["nodes"]
    main = [node for node in nodes if "." not in node["path"]]
    assert [node.get("nags") for node in main] == [None, None, None, None, [6], [4], None]
    assert "Qxe5+" in [node["san"] for node in nodes if "." in node["path"]]
    assert main[5]["eval"]["depth"] == 3
    assert len(searches(tmp_path)) == 7
    assert searches(tmp_path)[0].startswith("r1bq1bnr/pppp1kpp"), "the last position comes first"


def test_findings_are_kept_while_the_server_runs(counting: Maker, tmp_path: Path) -> None:
    client = counting()
    ended(client, begun(client))
    assert ended(client, begun(client, f"{MOVES} 4. a3"))["state"] == "done"
    assert len(searches(tmp_path)) == 8


def test_what_the_game_contains_is_kept(counting: Maker, tmp_path: Path) -> None:
    client = counting()
    text = "1. e4 {[%eval 0.5]} e5 $1 {[%eval 0.6]}"
    answer = ended(client, begun(client, text))
    assert (answer["positions"], answer["added"], searches(tmp_path)) == (0, {}, [])
    again = ended(client, begun(client, text, again=True))
    assert again["positions"] == 3
    assert [node.get("eval", {}).get("pawns") for node in again["game"]["nodes"]] == [None, 0.0, 0.0]


def test_set_ups_and_finished_games(counting: Maker) -> None:
    client = counting()
    mate = '[SetUp "1"]\n[FEN "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"]\n\n1. Ra8# 1-0'
    answer = ended(client, begun(client, mate))
    assert (answer["state"], answer["positions"]) == ("done", 0), "a mate needs no engine"
    assert answer["game"]["nodes"][1].get("nags") is None


def test_an_analysis_is_cancelled(counting: Maker) -> None:
    client = counting("", 0, 3)  # the third search waits
    answer = begun(client)
    while answer["settled"] < 2:
        answer = client.ask("GET", f"/api/analyses/{answer['analysis']}?wait=20000&settled={answer['settled']}")
    place = f"/api/analyses/{answer['analysis']}"
    client.ask("DELETE", place, 204)
    assert "no longer exists" in client.ask("GET", place, 410)["error"]["sentence"]
    assert ended(client, begun(client))["state"] == "done", "the process is free again"


def test_a_viewer_has_one_analysis(counting: Maker) -> None:
    client = counting("", 0, 1, most=1)
    first = begun(client, viewer="a")
    refused = {"game": game_of("1. d4"), "viewer": "b"}
    assert "in use" in client.ask("POST", "/api/engines/1/games", 503, json=refused)["error"]["sentence"]
    second = begun(client, "1. d4", viewer="a")
    assert ended(client, second)["state"] == "done"
    client.ask("GET", f"/api/analyses/{first['analysis']}", 410)


def test_forgotten_analyses_end(counting: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_analyses, "_FORGOTTEN", -1.0)
    client = counting()
    assert ended(client, begun(client))["state"] == "cancelled"


def test_old_results_are_removed(counting: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_analyses, "_MOST_RESULTS", 1)
    client = counting()
    first = ended(client, begun(client, viewer="a"))
    ended(client, begun(client, viewer="b"))
    client.ask("GET", f"/api/analyses/{first['analysis']}", 410)


@pytest.mark.parametrize(
    ("mode", "sentence"),
    [("crash-in-search", "ended with exit code 7"), ("no-options", "cannot play Chess960")],
)
def test_engines_that_fail(serve: SiteMaker, tmp_path: Path, mode: str, sentence: str) -> None:
    client = serve("games.pgn", analyses=Analyses([shlex.join(scripted(mode, tmp_path))]))
    start = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"
    answer = ended(client, begun(client, f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{start}"]\n\n1. Ng3 Ng6'))
    if mode == "crash-in-search":
        answer = ended(client, begun(client, "1. e4"))
    assert answer["state"] == "failed"
    assert sentence in answer["sentence"]


@pytest.mark.parametrize(
    ("engine", "told", "status", "sentence"),
    [
        (2, {}, 404, "There is no such engine"),
        (1, {"game": None}, 422, "A game is an object"),
        (1, {"viewer": "x" * 65}, 422, "at most 64 characters"),
        (1, {"depth": "x"}, 422, "a number"),
        (1, {"seconds": 0}, 422, "more than 0"),
    ],
)
def test_what_is_refused(counting: Maker, engine: int, told: dict[str, Any], status: int, sentence: str) -> None:
    body = {"game": game_of(MOVES), **told}
    answer = counting().ask("POST", f"/api/engines/{engine}/games", status, json=body)
    assert sentence in answer["error"]["sentence"]


def test_games_that_are_too_long(counting: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_analyses, "MOST_POSITIONS", 5)
    answer = counting().ask("POST", "/api/engines/1/games", 422, json={"game": game_of(MOVES)})
    assert "7 positions" in answer["error"]["sentence"]


def test_limits_are_those_of_the_server(counting: Maker) -> None:
    client = counting(seconds=7.0)
    cases: list[tuple[dict[str, Any], tuple[Any, ...]]] = [
        ({}, (16, 7.0, None)),
        ({"seconds": 99}, (None, 7.0, None)),
        ({"seconds": 0.5}, (None, 0.5, None)),
        ({"nodes": 10**12, "depth": 10**6}, (100, 7.0, 10**10)),
    ]
    for told, limit in cases:
        name = begun(client, "1. e4", **told)["analysis"]
        settings = client.site.game_analyses.get(name)._settings
        assert (settings.limit.depth, settings.limit.time, settings.limit.nodes) == limit


def test_with_a_real_engine(serve: SiteMaker) -> None:
    client = serve("games.pgn", analyses=Analyses([system_engine("stockfish")], seconds=600.0))
    answer = ended(client, begun(client, f"{MOVES} 4. a3 d5", nodes=20_000))
    assert answer["state"] == "done"
    assert answer["game"]["nodes"][-1]["eval"]["pawns"] < -3
    assert [4] in [node.get("nags") for node in answer["game"]["nodes"]]


def test_reports_of_edited_games(client: Client) -> None:
    game = game_of("1. e4 {[%eval 0.2]} e5 {[%eval 0.3]} 2. Qh5 {[%eval -4]} *")
    report = client.ask("POST", "/api/tree/report", json={"game": game})
    assert report["sides"]["white"]["blunders"] == 1
    assert [move["move"] for move in report["moves"]] == ["1.e4", "1...e5", "2.Qh5"]
    assert client.ask("POST", "/api/tree/report", 204, json={"game": game_of("1. e4")}) is None
