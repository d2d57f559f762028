"""A site on fixtures of our own, and a client that may ask it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

import tabiya
from tabiya.web.app import application
from tabiya.web.safety import Rules
from tabiya.web.site import Site
from tabiya.web.sources import Sources
from tests.web.schemas import content_schema, differences

DATA = Path(__file__).parent.parent / "data"
PORT = 8960
ORIGIN = f"http://127.0.0.1:{PORT}"

ROUNDS = 40
GAMES = """
[Event "Club {n}"]
[Site "Town"]
[Date "20{n:02}.01.0{day}"]
[Round "{n}"]
[White "{white}"]
[Black "{black}"]
[WhiteElo "{elo}"]
[Result "{result}"]
[ECO "B{n:02}"]

{moves} {result}
"""
LINES = ("1. e4 c5 2. Nf3 d6 3. d4 cxd4", "1. d4 d5 2. c4 e6 3. Nc3", "1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 {good} 3. Bb5")
PLAYERS = ("Polgár, Judit", "Carlsen, Magnus", "Anand, V", "Smith, John")


def games_text() -> str:
    """Games with everything that lists are sorted and filtered by."""
    return "\n".join(
        GAMES.format(
            n=number,
            day=number % 9 + 1,
            white=PLAYERS[number % 4],
            black=PLAYERS[(number + 1) % 4],
            elo=2000 + 7 * (number % 13),
            result=("1-0", "0-1", "1/2-1/2")[number % 3],
            moves=LINES[number % 3],
        )
        for number in range(1, ROUNDS + 1)
    )


class Client(TestClient):
    """A client that has the token and is on the page, unless it is told otherwise.

    Every answer in JSON is compared with the OpenAPI description, whatever else a test looks at.
    """

    site: Site

    def request(self, method: str, url: Any, **told: Any) -> Any:
        answer = super().request(method, url, **told)
        if answer.headers.get("content-type") == "application/json":
            schema = content_schema(method, urlsplit(str(url)).path, answer.status_code)
            if schema is not None:
                assert [*differences(answer.json(), schema)] == [], (method, url)
        return answer

    def ask(self, method: str, path: str, status: int = 200, **told: Any) -> Any:
        """The answer as values, which must have this status."""
        answer = self.request(method, path, **told)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def listed(self, source: str, **asked: Any) -> dict[str, Any]:
        """A list that is complete."""
        query: dict[str, Any] = self.ask("POST", f"/api/sources/{source}/queries", 201, json=asked)
        while not query["complete"]:
            query = self.ask("GET", f"/api/queries/{query['query']}?wait=500")
        return query

    def rows(self, source: str, **asked: Any) -> list[dict[str, Any]]:
        """All rows of a list."""
        query = self.listed(source, **asked)
        assert query["error"] is None
        answer = self.ask("GET", f"/api/queries/{query['query']}/rows?limit=500")
        assert answer["total"] == len(answer["rows"])
        rows: list[dict[str, Any]] = answer["rows"]
        return rows


def client_of(site: Site) -> Client:
    headers = {"authorization": f"Bearer {site.rules.token}", "origin": ORIGIN}
    client = Client(application(site), base_url=ORIGIN, headers=headers)
    client.site = site
    return client


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a PGN file, a library of the same games, a ChessBase base, and two books."""
    (tmp_path / "games.pgn").write_text(games_text(), "utf-8")
    tabiya.convert(tmp_path / "games.pgn", tmp_path / "games.tabiya")
    for path in (DATA / "cbh").glob("handmade.*"):
        shutil.copy(path, tmp_path / path.name)
    for name in ("books/small.bin", "ctg/small.ctg", "ctg/small.ctb", "ctg/small.cto", "hostile/names.pgn"):
        shutil.copy(DATA / name, tmp_path / Path(name).name)
    return tmp_path


SiteMaker = Callable[..., Client]


@pytest.fixture
def serve(folder: Path) -> Iterator[SiteMaker]:
    """Makes clients of sites: ``serve("games.pgn", write=True)``."""
    sites = []

    def make(*names: str, root: Path | None = None, most_bytes: int = 1 << 20, **told: Any) -> Client:
        sources = Sources(root=root, most_bytes=most_bytes)
        for name in names:
            sources.add(str(folder / name))
        names_of_rules = {"allowed_origins", "host", "explorer_token"} & told.keys()
        rules = Rules(port=PORT, **{name: told.pop(name) for name in names_of_rules})
        site = Site(sources, rules, **told)
        sites.append(site)
        return client_of(site)

    yield make
    for site in sites:
        site.close()


@pytest.fixture
def client(serve: SiteMaker) -> Client:
    """A client of everything: s1 the PGN, s2 the library, s3 the base, s4 Polyglot, s5 CTG, s6 attacks."""
    return serve("games.pgn", "games.tabiya", "handmade.cbh", "small.bin", "small.ctg", "names.pgn")
