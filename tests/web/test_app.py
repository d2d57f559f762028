from __future__ import annotations

from pathlib import Path

import pytest

from tests.systems import POSIX
from tests.web.conftest import Client, SiteMaker


@pytest.fixture
def built(serve: SiteMaker, tmp_path_factory: pytest.TempPathFactory) -> Client:
    page = tmp_path_factory.mktemp("page")
    (page / "index.html").write_text("<!DOCTYPE html><title>the page</title>")
    (page / "assets").mkdir()
    (page / "assets" / "main-1a2b.js").write_text("let x;")
    (page.parent / "secret.txt").write_text("secret")
    if POSIX:  # Windows requires rights for links; without one, the request finds nothing either
        (page / "link.js").symlink_to(page.parent / "secret.txt")
    return serve("games.pgn", page=page)


def test_the_page_and_its_files(built: Client) -> None:
    assert "the page" in built.get("/").text
    assert "the page" in built.get("/g/s1/17").text
    script = built.get("/assets/main-1a2b.js")
    assert "javascript" in script.headers["content-type"]
    assert "immutable" in script.headers["cache-control"]
    assert built.get("/").headers["cache-control"] == "no-store"
    assert built.get("/assets/none.js").status_code == 404
    assert built.ask("GET", "/api")["page"]


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/link.js",
        "/assets%5c..%5cx.js",
    ],
)
def test_nothing_else_is_sent(built: Client, path: str) -> None:
    answer = built.get(path)
    assert "secret" not in answer.text or answer.status_code == 404
    assert answer.text != "secret"


def test_the_page_needs_no_token(built: Client) -> None:
    del built.headers["authorization"]
    assert built.get("/").status_code == 200
    assert built.get("/api").status_code == 401


def test_what_is_missing_is_explained(serve: SiteMaker, tmp_path: Path) -> None:
    client = serve("games.pgn", page=tmp_path / "none")
    assert "make web" in client.get("/").text
    assert client.get("/assets/x.js").status_code == 404
