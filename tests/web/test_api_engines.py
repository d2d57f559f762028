"""Live analysis: events, and limits that the server enforces."""

from __future__ import annotations

import asyncio
import json
import shlex
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tabiya import Position, UsageError
from tabiya import serve as run_server
from tabiya.web import analyses
from tabiya.web.analyses import Analyses, LiveAnalysis
from tabiya.web.api.engines import EventStream
from tabiya.web.description import openapi
from tabiya.web.request import ApiError
from tests.analysis.engines import none_remains, scripted
from tests.web.conftest import Client, SiteMaker
from tests.web.schemas import differences

START = Position()
EVENT = openapi()["components"]["schemas"]["AnalysisEvent"]


@pytest.fixture
def making(tmp_path: Path) -> Iterator[Callable[..., Analyses]]:
    """Makes analyses with scripted engines; nothing of them may remain."""
    made = []

    def make(*modes: str, **told: Any) -> Analyses:
        made.append(Analyses([shlex.join(scripted(mode, tmp_path)) for mode in modes], **told))
        return made[-1]

    yield make
    for each in made:
        each.close()
    assert none_remains(tmp_path)


def events(text: str) -> list[dict[str, Any]]:
    """The data of a stream, which must follow the description."""
    found = []
    for block in text.split("\n\n"):
        if block and not block.startswith(":"):
            name, data = block.split("\n")
            found.append(json.loads(data.removeprefix("data: ")))
            assert name == f"event: {found[-1]['kind']}"
            assert [*differences(found[-1], EVENT)] == []
    return found


def completed(what: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a thread of its own: the tests in the browser may leave a loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, what).result()


def watched(job: LiveAnalysis) -> Event:
    changed = Event()
    job.when_changed(changed.set)
    return changed


def taken(job: LiveAnalysis) -> list[Any]:
    """All events up to the end."""
    changed, found = watched(job), []
    while not job.is_over:
        assert changed.wait(30)
        changed.clear()
        found += job.take()
    return found


@pytest.fixture
def live(serve: SiteMaker, making: Callable[..., Analyses]) -> Client:
    return serve("games.pgn", analyses=making("good", "crash-in-search", seconds=30.0))


def test_the_engines(live: Client, serve: SiteMaker) -> None:
    answer = live.ask("GET", "/api/engines")
    assert [engine["id"] for engine in answer["engines"]] == ["1", "2"]
    assert "/" not in answer["engines"][0]["name"], "the page does not learn the folder"
    assert (answer["most_lines"], answer["most_seconds"], answer["most_processes"]) == (5, 30.0, 2)
    nothing = serve("games.pgn")
    assert nothing.ask("GET", "/api/engines")["engines"] == []
    assert "--engine" in nothing.ask("GET", "/api/engines/1/analysis", 404)["error"]["sentence"]


def test_events_of_a_search(live: Client) -> None:
    answer = live.get("/api/engines/1/analysis")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-store"
    *lines, end = events(answer.text)
    assert lines[-1]["line"]["san"] == ["e4", "e5"]
    assert lines[-1]["line"]["evaluation"] == {"centipawns": 3, "mate": None}
    assert lines[-1]["line"]["wdl"] == [300, 500, 200]
    assert end == {"kind": "done", "best": "e2e4", "evaluation": {"centipawns": 3, "mate": None}}


def test_a_finished_game(live: Client) -> None:
    (end,) = events(live.get("/api/engines/1/analysis?play=f3,e5,g4,Qh4").text)
    assert end == {"kind": "done", "best": None, "evaluation": {"centipawns": None, "mate": 0}}


def test_an_engine_that_fails(live: Client) -> None:
    end = events(live.get("/api/engines/2/analysis").text)[-1]
    assert "ended with exit code 7" in end["sentence"]
    assert end["kind"] == "error"
    end = events(live.get("/api/engines/2/analysis").text)[-1]
    assert "ended with exit code 7" in end["sentence"], "it is started again"


@pytest.mark.parametrize(
    ("query", "status", "sentence"),
    [
        ("engines/3/analysis", 404, "There is no such engine"),
        ("engines/0/analysis", 404, "There is no such engine"),
        ("engines/stockfish/analysis", 422, "must be a whole number"),
        ("engines/1/analysis?fen=x", 422, "The FEN has a letter"),
        ("engines/1/analysis?play=Ke5", 422, "not a legal move"),
        (f"engines/1/analysis?viewer={'x' * 65}", 422, "at most 64 characters"),
        ("engines/1/analysis?lines=x", 422, "whole number"),
    ],
)
def test_what_is_refused(live: Client, query: str, status: int, sentence: str) -> None:
    assert sentence in live.ask("GET", f"/api/{query}", status)["error"]["sentence"]


def test_positions_that_no_engine_can_analyse(live: Client) -> None:
    (end,) = events(live.get("/api/engines/1/analysis?fen=7k/8/8/8/8/PPPPPPPP/PPPPPPPP/K7 w - - 0 1").text)
    assert "no engine can analyse" in end["sentence"].lower()


def test_limits_are_those_of_the_server(making: Callable[..., Analyses]) -> None:
    some = making("good", seconds=7.0)
    job = some.begin(0, "a", START, 99, 10**9)
    assert (job._lines, job._seconds) == (5, 7.0)
    taken(job)


def test_a_viewer_has_one_process(making: Callable[..., Analyses]) -> None:
    some = making("good", "ignores-limits", most=3)
    first = some.begin(0, "a", START, 1, 60)
    second = some.begin(0, "a", START.play("d4"), 1, 60)
    assert taken(first)[-1]["kind"] == "done"
    assert taken(second)[-1]["kind"] in {"done", "error"}
    assert len(some._workers) == 1
    other = some.begin(1, "a", START, 1, 60)
    assert len([worker for worker in some._workers if not worker.is_ending]) == 1
    other.stop()


def test_no_more_processes_than_allowed(making: Callable[..., Analyses]) -> None:
    some = making("ignores-stop", most=2)
    jobs = [some.begin(0, viewer, START, 1, 60) for viewer in "ab"]
    for job in jobs:
        changed = watched(job)
        while not job.take():
            assert changed.wait(30)
            changed.clear()
    with pytest.raises(ApiError, match="All 2 engine processes are in use"):
        some.begin(0, "c", START, 1, 60)
    assert len(some._workers) == 2


def test_idle_processes_serve_others_and_make_place(making: Callable[..., Analyses]) -> None:
    some = making("good", "odd-options", most=1)
    taken(some.begin(0, "a", START, 1, 60))
    (worker,) = some._workers
    while worker.current is not None:
        pass
    engine = worker.engine
    taken(some.begin(0, "b", START, 1, 60))
    assert some._workers == [worker]
    assert worker.engine is engine
    while worker.current is not None:
        pass
    taken(some.begin(1, "c", START, 1, 60))
    assert worker not in some._workers
    assert engine is not None
    assert engine.is_closed


def test_idle_processes_end(making: Callable[..., Analyses], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "_IDLE_SECONDS", 0.05)
    some = making("good")
    taken(some.begin(0, "a", START, 1, 60))
    for worker in list(some._workers):
        assert worker.thread is not None
        worker.thread.join()
    assert some._workers == []


def test_the_end_of_a_connection_ends_the_search(making: Callable[..., Analyses]) -> None:
    some = making("good")
    job = some.begin(0, "a", START, 1, 60)
    job._seconds = 60
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    completed(EventStream(job)({"type": "http", "asgi": {"spec_version": "2.3"}}, receive, send))
    assert job._is_unwanted


def test_silence_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabiya.web.api.engines._SECONDS_OF_SILENCE", 0.01)
    job = LiveAnalysis(START, 1, 1.0)

    async def two() -> list[Any]:
        stream = aiter(EventStream(job).body_iterator)
        found = [await anext(stream), await anext(stream)]
        job.finish({"kind": "done", "best": None, "evaluation": None})
        return [*found, [each async for each in stream][-1]]

    first, second, end = completed(two())
    assert (first, second) == (": no news\n\n", ": no news\n\n")
    assert events(str(end)) == [{"kind": "done", "best": None, "evaluation": None}]


def test_the_end_of_the_server(making: Callable[..., Analyses]) -> None:
    some = making("ignores-stop")
    job = some.begin(0, "a", START, 1, 60)
    some.close()
    assert taken(job)[-1]["kind"] == "done"
    with pytest.raises(ApiError, match="The server ends"):
        some.begin(0, "a", START, 1, 60)


def test_engines_are_checked_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such program"):
        run_server(engines=["no-such-engine"], port=0, browser=False)
    with pytest.raises(UsageError, match="1 to 64 processes"):
        run_server(engine_processes=0, port=0, browser=False)
