"""Clients that send half a request, or never read, do not block others. Everything is on loopback, and bounded."""

from __future__ import annotations

import asyncio
import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import Self

import pytest
import uvicorn

from tabiya.web import connections, server
from tabiya.web.safety import Rules
from tabiya.web.server import listening, server_config
from tabiya.web.site import Site
from tabiya.web.sources import Sources

HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "


class Running:
    """A server in a thread of this process."""

    def __init__(self, page: Path) -> None:
        self.listener = listening("127.0.0.1", 0)
        self.port: int = self.listener.getsockname()[1]
        self.site = Site(Sources(), Rules(port=self.port), page=page)
        self._server = uvicorn.Server(server_config(self.site))
        self._thread = Thread(target=lambda: asyncio.run(self._server.serve(sockets=[self.listener])))

    def __enter__(self) -> Self:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(60)
        self.listener.close()

    def connect(self, sent: bytes = b"") -> socket.socket:
        client = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        client.sendall(sent)
        return client

    def status(self) -> int:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api", headers={"Authorization": f"Bearer {self.site.rules.token}"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            found: int = answer.status
        return found


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with Running(tmp_path) as running:
        yield running


def is_closed(client: socket.socket) -> bool:
    """Whether the server closes a connection."""
    try:
        while client.recv(1 << 16):
            pass
    except ConnectionError:
        pass
    return True


def test_half_sent_requests_block_nobody(running: Running) -> None:
    with ExitStack() as opened:
        for number in range(300):
            opened.enter_context(running.connect(HALF if number % 2 else b""))
        assert [running.status() for _ in range(3)] == [200] * 3


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A server with room for few connections."""
    for module in (connections, server):
        monkeypatch.setattr(module, "MOST_CONNECTIONS", 5)
    monkeypatch.setattr(server, "_SPARE", 1)
    with Running(tmp_path) as running:
        yield running


def half_body(running: Running) -> bytes:
    lines = [
        "POST /api/sources/s1/queries HTTP/1.1",
        f"Host: 127.0.0.1:{running.port}",
        f"Authorization: Bearer {running.site.rules.token}",
        "Content-Type: application/json",
        "Content-Length: 1000",
    ]
    return "\r\n".join([*lines, "", "{"]).encode()


def test_requests_whose_bodies_never_end_block_nobody(small: Running) -> None:
    with ExitStack() as opened:
        for _ in range(20):
            opened.enter_context(small.connect(half_body(small)))
            assert small.status() == 200


def test_a_body_that_still_arrives_is_the_last_to_give_way(small: Running) -> None:
    with small.connect(half_body(small)) as busy, ExitStack() as opened:
        for _ in range(20):
            opened.enter_context(small.connect(half_body(small)))
            busy.sendall(b" ")
            assert small.status() == 200
        busy.sendall(b"}".rjust(999 - 20))
        assert busy.recv(1 << 16).startswith(b"HTTP/1.1 404")


def test_the_head_of_a_request_must_arrive_in_time(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_HEAD_SECONDS", 0.2)
    with running.connect() as silent, running.connect(HALF) as half:
        assert is_closed(silent)
        assert is_closed(half)
    assert running.status() == 200


def test_bytes_that_trickle_in_do_not_extend_the_time(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_HEAD_SECONDS", 0.2)
    with running.connect(HALF) as client:
        client.settimeout(0.02)
        for _ in range(1000):
            try:
                client.sendall(b"x")
                if client.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            pytest.fail("the connection is still open")


@pytest.mark.parametrize("piece", [b"x", HALF])
def test_what_follows_an_answer_must_arrive_in_time(
    running: Running, monkeypatch: pytest.MonkeyPatch, piece: bytes
) -> None:
    """The rest of a body for which nobody waits, or half of the next request."""
    length = b"Content-Length: 1000\r\n" if piece == b"x" else b""
    with running.connect(b"GET /none.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n" + length + b"\r\n") as client:
        assert client.recv(1 << 16).startswith(b"HTTP/1.1 404")
        monkeypatch.setattr(connections, "_HEAD_SECONDS", 0.2)
        client.sendall(piece)
        assert is_closed(client)


def test_a_connection_serves_several_requests(running: Running) -> None:
    with running.connect() as client:
        for _ in range(3):
            client.sendall(b"GET /none.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            answer = b""
            while not answer.endswith(b"not found"):
                answer += client.recv(1 << 16)
            assert answer.startswith(b"HTTP/1.1 404")


def test_an_answer_must_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_STALLED_SECONDS", 0.2)
    (tmp_path / "index.html").write_bytes(b"x" * (64 << 20))  # more than the system buffers
    with Running(tmp_path) as running, running.connect(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as client:
        state = running._server.server_state
        while not state.connections:
            time.sleep(0.01)
        while state.connections:
            time.sleep(0.01)
        received = 0
        try:
            while piece := client.recv(1 << 20):
                received += len(piece)
        except ConnectionError:
            pass
        assert received < 64 << 20
