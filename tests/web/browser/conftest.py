"""A real browser on a real server: ``tabiya serve`` in a process of its own, Debian's chromium driven by Playwright.

Where chromium, Playwright, the server's packages or the built page are missing the tests skip and say why; with
``CI=true`` they fail.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.chromium import PATIENCE_MS, do_without, require
from tests.conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request

PAGE = ROOT / "src" / "tabiya" / "web" / "page" / "index.html"
GAMES = ROOT / "tests" / "data" / "web" / "annotated.pgn"


@pytest.fixture(scope="session")
def browser(chromium_browser: Browser) -> Browser:
    require("starlette", "uvicorn")
    if not PAGE.exists():
        do_without("the page is not built (make web)")
    return chromium_browser


@dataclass
class Server:
    """A ``tabiya serve`` that runs, and the address to open it by."""

    address: str

    def at(self, place: str) -> str:
        """The address of a place in the page, such as ``games/s1/1/19``; the token has to be given before."""
        return f"{self.address.partition('?')[0]}#/{place}"


@pytest.fixture(scope="session")
def serve(browser: Browser) -> Iterator[Callable[..., Server]]:
    """Start a server: ``serve("games.pgn", "--write")``. It ends with the session."""
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str | Path) -> Server:
        command = [sys.executable, "-m", "tabiya", "serve", *map(str, arguments), "--port", "0", "--no-browser"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
        running.append(server)
        assert server.stdout is not None
        collected = []
        for line in server.stdout:
            collected.append(line)
            if found := re.search(r"http://\S+token=\S+", line):
                return Server(found[0])
        pytest.fail(f"tabiya serve ended: {''.join(collected)}", pytrace=False)

    yield start
    for server in running:
        server.terminate()
    for server in running:
        server.wait(PATIENCE_MS / 1000)
        if server.stdout is not None:
            server.stdout.close()


@pytest.fixture(scope="session")
def games(serve: Callable[..., Server]) -> Server:
    """The annotated games, not to be written to."""
    return serve(GAMES)


@dataclass
class Visitor:
    """Somebody in front of the page, who notes everything that should not happen."""

    page: Page
    server: Server
    faults: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    def forgive(self, status: int) -> None:
        """Take no notice of such refusals, before and after: the test wants them, the browser notes them as errors."""
        self.forgiven.append(f"status of {status} ")

    def unforgiven(self) -> list[str]:
        return [fault for fault in self.faults if not any(each in fault for each in self.forgiven)]

    def note_line(self, line: ConsoleMessage) -> None:
        if line.type == "error":
            self.faults.append(line.text)

    def note_dialog(self, dialog: Dialog) -> None:
        if dialog.type != "beforeunload":  # “leave the page?”, which is meant to be asked
            self.faults.append(f"dialog: {dialog.message}")
        dialog.accept()

    def note_request(self, request: Request) -> None:
        if not request.url.startswith((self.server.at("").partition("#")[0], "blob:", "data:")):
            self.faults.append(f"request to elsewhere: {request.url}")

    def go(self, place: str) -> None:
        """Follow an address; the page marks it as soon as it has read it."""
        self.page.goto(self.server.at(place))
        self.page.wait_for_function("() => history.state !== null")

    def open(self, number: int, path: str = "0", source: str = "s1") -> None:
        """Open a game by its address and wait until it is there."""
        narrow = (self.page.viewport_size or {"width": 9999})["width"] < 1100
        self.go(f"{'board' if narrow else 'games'}/{source}/{number}/{path}")
        self.page.wait_for_selector(":is(.moves, .guiding-text)[aria-busy=false]")
        self.page.wait_for_function("number => location.hash.split('/')[3]?.startsWith(number)", arg=str(number))
        self.page.wait_for_selector(".moves .move, .moves .soft, .text")

    def position(self) -> str:
        """The position on the board as the page knows it, FEN."""
        return self.page.locator(".status").get_attribute("title") or ""

    def current(self) -> str:
        """The marked move, without its number; nothing at the start."""
        marked = self.page.locator(".moves [aria-current]")
        return re.sub(r"^\d+[.…]", "", marked.inner_text()) if marked.count() else ""

    def moves(self) -> list[str]:
        return self.page.locator(".moves .move").all_inner_texts()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def square(self, name: str, *, flipped: bool = False) -> tuple[float, float]:
        """The middle of a square on the screen."""
        box = self.page.locator(".board-place").bounding_box()
        assert box is not None
        file, rank = "abcdefgh".index(name[0]), int(name[1]) - 1
        x, y = (7 - file, rank) if flipped else (file, 7 - rank)
        return box["x"] + (x + 0.5) * box["width"] / 8, box["y"] + (y + 0.5) * box["height"] / 8

    def drag(self, start: str, end: str, *, button: Any = "left") -> None:
        """Drag from square to square, as soon as the board knows what is legal."""
        self.page.wait_for_selector(".board-frame[data-ready=true]")
        mouse = self.page.mouse
        mouse.move(*self.square(start))
        mouse.down(button=button)
        mouse.move(*self.square(end), steps=4)
        mouse.up(button=button)

    def expect_position(self, fen: str) -> None:
        self.page.wait_for_function("fen => document.querySelector('.status')?.title === fen", arg=fen)


@pytest.fixture
def visit(browser: Browser, games: Server) -> Iterator[Callable[..., Visitor]]:
    """Visit a server in a fresh browser; in the end there must be no error, no violation, no request to elsewhere."""
    visitors: list[Visitor] = []

    def open_page(
        server: Server = games, *, place: str = "games", width: int = 1440, height: int = 900, **options: Any
    ) -> Visitor:
        context = browser.new_context(viewport={"width": width, "height": height}, accept_downloads=True, **options)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        visitor = Visitor(page, server)
        page.on("pageerror", lambda error: visitor.faults.append(f"error: {error}"))
        page.on("console", visitor.note_line)
        page.on("dialog", visitor.note_dialog)
        page.on("request", visitor.note_request)
        page.goto(f"{server.address}#/{place}")
        page.wait_for_selector(".header")
        visitors.append(visitor)
        return visitor

    yield open_page
    for visitor in visitors:
        visitor.page.context.close()
    assert [fault for visitor in visitors for fault in visitor.unforgiven()] == []
