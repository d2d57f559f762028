"""The server as a process of its own: it starts, answers, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

import tabiya
from tabiya.web.server import listening


@pytest.fixture
def process(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    temporary = tmp_path_factory.mktemp("temporary")
    command = [sys.executable, "-m", "tabiya", "serve", str(folder / "games.pgn"), "--no-browser", "--port", "0"]
    environment = {**os.environ, "TMPDIR": str(temporary), "TMP": str(temporary), "TEMP": str(temporary)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as run:
        yield run, temporary
        if run.poll() is None:
            run.kill()


def asked(address: str, token: str, method: str = "GET", body: bytes | None = None, **headers: str) -> bytes:
    told = {"Authorization": f"Bearer {token}", **{name.replace("_", "-"): text for name, text in headers.items()}}
    request = urllib.request.Request(address, body, told, method=method)
    with urllib.request.urlopen(request) as answer:
        content: bytes = answer.read()
    return content


@pytest.mark.skipif(os.name == "nt", reason="SKIPPED: there is no such signal")
def test_it_starts_answers_and_ends(process: tuple[subprocess.Popen[str], Path]) -> None:
    run, temporary = process
    assert run.stdout is not None
    address = run.stdout.readline().strip()
    parts = urlsplit(address)
    token = parse_qs(parts.query)["token"][0]
    here = f"http://{parts.netloc}"
    assert parts.hostname == "127.0.0.1"
    assert json.loads(asked(f"{here}/api", token))["name"] == "tabiya"
    upload = json.loads(asked(f"{here}/api/uploads", token, "POST", b"{}", Content_Type="application/json"))["upload"]
    path = f"{here}/api/uploads/{upload}/x.pgn"
    asked(path, token, "PUT", b"1. e4 *", Content_Type="application/octet-stream")
    assert [*temporary.rglob("x.pgn")]
    with pytest.raises(urllib.error.HTTPError, match="401"):
        asked(f"{here}/api", "wrong")
    run.send_signal(signal.SIGINT)
    run.wait(60)
    assert run.returncode in {0, 130, -signal.SIGINT}
    assert [*temporary.iterdir()] == []


def test_a_port_that_is_taken(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(tabiya.UsageError, match="cannot listen on"):
            tabiya.serve(folder / "games.pgn", port=port, browser=False)


def test_answers_do_not_wait_for_the_client() -> None:
    """Only of such sockets asyncio switches Nagle's algorithm off."""
    with listening("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_nothing_to_show(tmp_path: Path) -> None:
    with pytest.raises(tabiya.UsageError, match="nothing to show"):
        tabiya.serve()
    with pytest.raises(tabiya.UsageError, match=r"mysql://me:\*\*\*@host/jose: is on a server"):
        tabiya.serve("mysql://me:secret@host/jose")
    with pytest.raises(tabiya.UsageError, match="is no folder"):
        tabiya.serve(root=tmp_path / "none")
    with pytest.raises(tabiya.TabiyaError):
        tabiya.serve(tmp_path / "none.pgn")
    with pytest.raises(tabiya.UsageError, match="origin"):
        tabiya.serve(root=tmp_path, allow_origins=["nonsense"])


def test_importing_tabiya_loads_no_server() -> None:
    code = "import sys, tabiya, tabiya.cli.app; assert not {'starlette', 'uvicorn'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_starlette_it_says_what_to_install(folder: Path) -> None:
    code = (
        "import sys; sys.modules['starlette'] = None; import tabiya\n"
        f"try: tabiya.serve({str(folder / 'games.pgn')!r}, browser=False)\n"
        "except tabiya.UsageError as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "pip install tabiya[web]" in told
