"""The server as a process of its own: it starts, answers, and leaves nothing behind."""

from __future__ import annotations

import ipaddress
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
from tabiya.web import site
from tabiya.web.addresses import network_hosts
from tabiya.web.safety import Rules
from tabiya.web.server import listening
from tabiya.web.site import Site
from tabiya.web.sources import Sources


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
    values = {"Authorization": f"Bearer {token}", **{name.replace("_", "-"): text for name, text in headers.items()}}
    request = urllib.request.Request(address, body, values, method=method)
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


def test_a_family_of_addresses_that_the_system_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> socket.socket:
        raise OSError(97, "Address family not supported by protocol")

    monkeypatch.setattr(socket, "socket", refuse)
    with pytest.raises(tabiya.UsageError, match="cannot listen on ::1"):
        listening("::1", 0)


def test_answers_do_not_wait_for_the_client() -> None:
    """Only of such sockets asyncio switches Nagle's algorithm off."""
    with listening("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_without_sources_it_starts_with_an_empty_page() -> None:
    command = [sys.executable, "-m", "tabiya", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        try:
            assert run.stdout is not None
            parts = urlsplit(run.stdout.readline().strip())
            token = parse_qs(parts.query)["token"][0]
            assert json.loads(asked(f"http://{parts.netloc}/api/sources", token)) == {"sources": [], "looking": False}
        finally:
            run.kill()


@pytest.mark.parametrize(
    ("host", "hosts"),
    [
        ("127.0.0.1", ["127.0.0.1"]),
        ("192.0.2.7", ["192.0.2.7"]),
        ("0.0.0.0", ["127.0.0.1", "192.0.2.7"]),
        ("::", ["[::1]", "192.0.2.7", "[2001:db8::7]"]),
    ],
)
def test_addresses_that_can_be_opened(monkeypatch: pytest.MonkeyPatch, host: str, hosts: list[str]) -> None:
    mine = ["192.0.2.7", "2001:db8::7"]
    monkeypatch.setattr(site, "network_hosts", lambda *, ipv6: mine if ipv6 else mine[:1])
    found = Site(Sources(), Rules(host, 8960)).addresses
    assert [urlsplit(each).netloc for each in found] == [f"{each}:8960" for each in hosts]
    assert all(Rules(host, 8960).knows_host(urlsplit(each).hostname or "") for each in found)


def test_addresses_for_others_are_not_those_of_the_machine_alone() -> None:
    for ipv6 in (False, True):
        for host in network_hosts(ipv6=ipv6):
            address = ipaddress.ip_address(host)
            assert ipv6 or address.version == 4
            assert not any((address.is_loopback, address.is_unspecified, address.is_link_local))


def test_what_cannot_be_shown(tmp_path: Path) -> None:
    with pytest.raises(tabiya.UsageError, match=r"mysql://me:\*\*\*@host/jose: is on a server"):
        tabiya.serve("mysql://me:secret@host/jose")
    with pytest.raises(tabiya.UsageError, match="is not a folder"):
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
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "pip install tabiya[web]" in output
