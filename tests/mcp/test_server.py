"""The server for language models, asked by the client of the SDK, in a process of its own as clients start it."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.errors import UsageError
from tabiya.mcp.tools import TOOLS
from tests.analysis.engines import none_remains, scripted
from tests.conftest import ROOT
from tests.systems import needs_links, needs_posix
from tests.web.conftest import games_text

mcp = pytest.importorskip("mcp")
LATEST_MODERN_VERSION = pytest.importorskip("mcp_types.version").LATEST_MODERN_VERSION

DATA = ROOT / "tests" / "data"
NO_ENGINE = [tool.name for tool in TOOLS if not tool.needs_engine]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games as PGN and as a library, and a guiding text."""
    folder = tmp_path_factory.mktemp("mcp")
    (folder / "games.pgn").write_text(games_text(), "utf-8")
    tabiya.convert(folder / "games.pgn", folder / "games.tabiya")
    return folder


def sources_of(folder: Path) -> list[str]:
    return [
        str(folder / "games.pgn"),
        str(folder / "games.tabiya"),
        str(DATA / "books" / "small.bin"),
        str(DATA / "cbh" / "handmade.cbh"),
    ]


def asked(arguments: list[str], ask: Callable[[Any], Awaitable[Any]], mode: str = "legacy") -> Any:
    """Start a server, ask it, and end it; in a thread, because other tests may leave a loop running in this one.

    The mode is that of the client: it must not find out by a time limit which version of the protocol is spoken.
    """

    async def talk() -> Any:
        parameters = mcp.StdioServerParameters(command=sys.executable, args=["-m", "tabiya", "mcp", *arguments])
        async with mcp.Client(parameters, mode=mode) as client:
            return await ask(client)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, talk()).result(120)


async def listed(client: Any) -> Any:
    return (await client.call_tool("list_databases", {})).structured_content


class Answers:
    """A client that has asked everything: the answers by tool, in one conversation."""

    def __init__(self, arguments: list[str], questions: list[tuple[str, dict[str, Any]]], mode: str = "legacy") -> None:
        async def ask(client: Any) -> Any:
            tools = await client.list_tools()
            while not all(each["complete"] for each in (await listed(client))["databases"]):
                pass
            return tools.tools, [await client.call_tool(name, given) for name, given in questions]

        self.tools, self.found = asked(arguments, ask, mode)


def test_a_conversation(folder: Path) -> None:
    """The client checks every structured result against the schema of its tool."""
    answers = Answers(
        sources_of(folder),
        [
            ("list_databases", {}),
            ("search_games", {"database": "s1", "limit": 2, "sort_by": "date", "descending": True}),
            ("search_games", {"database": "s2", "conditions": {"player": ["carlsen"], "min_elo": 2050}, "limit": 100}),
            ("search_games", {"database": "s2", "position": {"fen": "1. e4 c5", "in-variations": True}}),
            ("explore", {"database": "s1", "moves": "e4 c5"}),
            ("explore", {"database": "s2", "moves": "e2e4,c7c5", "conditions": {"white": "carlsen"}}),
            ("show_game", {"database": "s2", "number": 1}),
            ("player_report", {"database": "s2", "player": "carlsen"}),
            ("player_report", {"database": "s1", "player": "carlsen", "conditions": {"results": ["1-0"]}}),
            ("book_moves", {"book": "s3"}),
            ("book_moves", {"book": "s3", "moves": "a4 a5 b4 b5"}),
        ],
    )
    assert [tool.name for tool in answers.tools] == NO_ENGINE  # no engine was named
    for tool in answers.tools:
        assert tool.annotations.read_only_hint
        assert tool.output_schema["type"] == tool.input_schema["type"] == "object"
    assert not any(found.is_error for found in answers.found), answers.found
    assert all(found.structured_content and found.content[0].text for found in answers.found)
    values = [found.structured_content for found in answers.found]
    texts = [found.content[0].text for found in answers.found]

    databases, latest, carlsen, sicilian, scanned, filtered, game, report, won, book, unknown = values
    assert [(each["id"], each["name"], each["records"]) for each in databases["databases"][:3]] == [
        ("s1", "games.pgn", 40),
        ("s2", "games.tabiya", 40),
        ("s3", "small.bin", 5),
    ]
    assert [row["number"] for row in latest["rows"]] == [40, 39]
    assert latest["total"] == 40
    assert texts[1].startswith("40 games.\n40: ")
    with tabiya.open(folder / "games.pgn") as database:
        expected = database.filter(tabiya.RecordFilter(player=["carlsen"], min_elo=2050))
        assert carlsen["total"] == len(expected)
    assert sicilian["total"] == tabiya.explore(folder / "games.pgn", "e4 c5").games
    assert scanned["games"] == sicilian["total"]
    assert [move["san"] for move in scanned["moves"]] == ["Nf3"]
    assert filtered["games"] == tabiya.explore(folder / "games.pgn", "e4 c5", white="carlsen").games
    assert "[White " in game["pgn"]
    assert game["title"] == "Carlsen, Magnus – Anand, V"
    assert not game["shortened"]
    assert report["names"] == ["Carlsen, Magnus"]
    assert report["total"]["games"] == tabiya.player(folder / "games.pgn", "carlsen").total.games
    assert won["total"]["games"] < report["total"]["games"]
    assert {move["san"] for move in book["moves"]} == {"e4", "d4"}
    assert not unknown["known"]
    assert texts[10] == "The book does not have this position."


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("nothing", {}, "There is no tool “nothing”; there are list_databases, "),
    ("list_databases", {"x": 1}, "There is no argument “x”; known: none."),
    ("explore", {}, "The argument “database” is missing."),
    ("explore", {"database": 1}, "“database” must be a text, not “1”."),
    ("explore", {"database": "s99"}, "There is no source 's99'; it may have been closed."),
    ("explore", {"database": "s3"}, "small.bin is an opening book: it has no games."),
    ("explore", {"database": "s2", "moves": "e5"}, "E5 is not a legal move in "),
    ("explore", {"database": "s2", "fen": "8/" * 5000}, "The position or the list of moves is too long."),
    ("explore", {"database": "s2", "fen": "x" * 30_000}, "“fen” has more than 20,000 characters."),
    ("explore", {"database": "s2", "most_moves": True}, "“most_moves” must be a whole number, not “True”."),
    ("explore", {"database": "s2", "most_moves": 10**30}, "“most_moves” must be from 0 to 100, not "),
    ("explore", {"database": "s2", "conditions": {"min_ello": 1}}, "“conditions” has no member “min_ello”; known: "),
    ("explore", {"database": "s2", "conditions": {"white": {"a": 1}}}, "The condition “white” takes texts or numbers"),
    ("explore", {"database": "s2", "conditions": {"since": "never"}}, "'never' is not a date"),
    (
        "search_games",
        {"database": "s2", "conditions": {"min_elo": "x"}},
        "The condition 'min_elo' takes a whole number",
    ),
    ("search_games", {"database": "s2", "position": {"fen": "x/"}}, "The FEN has a letter that is not a piece"),
    ("search_games", {"database": "s2", "position": {"nonsense": 1}}, "“position” has no member “nonsense”; known: "),
    ("search_games", {"database": "s2", "sort_by": "weight"}, "“sort_by” must be "),
    ("search_games", {"database": "s2", "limit": 1000}, "“limit” must be from 0 to 100, not “1000”."),
    ("show_game", {"database": "s2", "number": 0}, "“number” must be from 1 to "),
    ("show_game", {"database": "s2", "number": 41}, "There is no record 41: the last is 40."),
    ("show_game", {"database": "s2", "number": 1.5}, "“number” must be a whole number, not “1.5”."),
    (
        "player_report",
        {"database": "s2", "player": "nobody"},
        "games.tabiya: no game of 'nobody' meets all conditions.",
    ),
    ("player_report", {"database": "s2", "player": " "}, "Give the name of a player."),
    ("book_moves", {"book": "s1"}, "games.pgn is a database, not an opening book."),
    ("analyse_position", {}, "There is no tool “analyse_position”; there are "),
]


def test_errors_are_sentences(folder: Path) -> None:
    answers = Answers(sources_of(folder), [(name, given) for name, given, _ in WRONG], LATEST_MODERN_VERSION)
    for (name, given, sentence), found in zip(WRONG, answers.found, strict=True):
        assert found.is_error, (name, given)
        assert found.content[0].text.startswith(sentence), (name, given, found.content[0].text)
        assert found.content[0].text.endswith(".")


def test_guiding_texts_and_odd_names() -> None:
    answers = Answers(
        [str(DATA / "cbh" / "handmade.cbh"), str(DATA / "hostile" / "names.pgn")],
        [
            ("search_games", {"database": "s1"}),
            ("search_games", {"database": "s2"}),
            *(("show_game", {"database": "s1", "number": number}) for number in range(1, 4)),
            ("show_game", {"database": "s2", "number": 1}),
        ],
    )
    assert not any(found.is_error for found in answers.found), answers.found
    kinds = [row["kind"] for row in answers.found[0].structured_content["rows"]]
    for kind, found in zip(kinds, answers.found[2:5], strict=False):
        assert (found.structured_content["text"] is not None) == (kind == "text")


@needs_links
def test_files_outside_the_root_cannot_be_read(folder: Path, tmp_path: Path) -> None:
    """A link out of the root, also one that appears later, is neither listed nor followed."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "inside.pgn").write_bytes((folder / "games.pgn").read_bytes())
    (root / "outside.pgn").symlink_to(folder / "games.pgn")

    async def ask(client: Any) -> Any:
        while True:
            found = await listed(client)
            if found["databases"] and not found["looking"]:
                break
        game = {"database": found["databases"][0]["id"], "number": 1}
        first = await client.call_tool("show_game", game)
        (root / "inside.pgn").unlink()
        (root / "inside.pgn").symlink_to(folder / "games.pgn")
        second = await client.call_tool("show_game", game)
        return found, first, second

    found, first, second = asked(["--root", str(root)], ask)
    assert [each["name"] for each in found["databases"]] == ["inside.pgn"]
    assert not first.is_error
    assert second.is_error
    assert second.content[0].text == "inside.pgn: is outside the folder that is served."


def test_engines(folder: Path, tmp_path: Path) -> None:
    engine = shlex.join(scripted("good", tmp_path))

    async def ask(client: Any) -> Any:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        good = await client.call_tool("analyse_position", {"lines": 2, "seconds": 0.2})
        wrong = await client.call_tool("analyse_position", {"engine": 2})
        return tools, good, wrong

    tools, good, wrong = asked([str(folder / "games.pgn"), "--engine", engine], ask)
    assert tools == [tool.name for tool in TOOLS]
    assert not good.is_error, good
    assert good.structured_content["lines"]
    assert good.structured_content["best"] == good.structured_content["lines"][0]["moves"][0]
    assert wrong.is_error
    assert wrong.content[0].text.startswith("There is no such engine")
    assert none_remains(tmp_path)


# The process: what it writes, and how it ends.


def started(arguments: list[str], **streams: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tabiya", "mcp", *arguments]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, **{**pipes, **streams})


GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def said(process: subprocess.Popen[bytes], *messages: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    process.stdin.flush()


def answered(process: subprocess.Popen[bytes]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


@pytest.fixture
def greeted(folder: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server that has answered its first message, with an engine that never stops by itself."""
    engine = shlex.join(scripted("ignores-limits", tmp_path))
    process = started([str(folder / "games.tabiya"), "--engine", engine])
    said(process, GREETING)
    assert answered(process)["result"]["serverInfo"]["name"] == "tabiya"
    said(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    yield process
    process.kill()
    process.communicate()
    assert none_remains(tmp_path)


def call(number: int, name: str, **given: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": given}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def test_nothing_but_the_protocol_is_written(greeted: subprocess.Popen[bytes]) -> None:
    said(greeted, call(2, "list_databases"))
    assert answered(greeted)["id"] == 2
    assert greeted.stdin is not None
    greeted.stdin.write(b"this is not JSON\n\xff\xfe\n")
    said(greeted, call(3, "explore", database="s1"))
    lines: list[Any] = []
    while not any(line.get("id") == 3 for line in lines):
        lines.append(answered(greeted))
    rest, errors = greeted.communicate(timeout=60)
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert greeted.returncode == 0, errors


def test_it_ends_when_the_input_ends(greeted: subprocess.Popen[bytes]) -> None:
    """Even while an engine works."""
    said(greeted, call(2, "analyse_position", seconds=100))
    said(greeted, call(3, "list_databases"))
    assert answered(greeted)["id"] == 3
    greeted.communicate(timeout=60)
    assert greeted.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="SKIPPED: Windows has other signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_ends_at_a_signal(greeted: subprocess.Popen[bytes], number: int, code: int) -> None:
    said(greeted, call(2, "analyse_position", seconds=100))
    said(greeted, call(3, "list_databases"))
    assert answered(greeted)["id"] == 3
    os.kill(greeted.pid, number)
    assert greeted.wait(60) == code
    assert greeted.stderr is not None
    assert b"Traceback" not in greeted.stderr.read()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_it_ends_when_nothing_can_be_written() -> None:
    """Although its input is still open."""
    with Path("/dev/full").open("wb") as full, started([], stdout=full) as process:
        said(process, GREETING)
        assert process.wait(60) == 3
        assert process.stderr is not None
        assert process.stderr.read().decode() == "tabiya: standard input and output: no space left on device\n"


def test_it_ends_when_nobody_listens() -> None:
    with started([]) as process:
        assert process.stdout is not None
        process.stdout.close()
        said(process, GREETING)
        assert process.wait(60) == 141
        assert process.stderr is not None
        assert process.stderr.read() == b""


@needs_posix
def test_it_needs_an_input() -> None:
    with started([], preexec_fn=lambda: os.close(0)) as process:
        assert process.wait(60) == 2
        assert process.stderr is not None
        assert process.stderr.read().startswith(b"tabiya: standard input is closed")


def test_sources_that_do_not_exist() -> None:
    process = started(["missing.pgn"])
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, out) == (3, b"")
    assert b"missing.pgn" in errors


def test_the_sdk_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == "tabiya.mcp.server" or name.split(".")[0] == "mcp"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(UsageError, match=r"needs more packages \(mcp\S*\): pip install tabiya\[mcp\]"):
        tabiya.serve_mcp()
