from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tabiya.errors import UsageError
from tabiya.web.app import application
from tabiya.web.routes import ROUTES
from tabiya.web.safety import Rules, checked_origins
from tabiya.web.site import Site
from tabiya.web.sources import Sources
from tests.web.conftest import ORIGIN, PORT, Client, SiteMaker

HEADERS = ("content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy")


def bare(site: Site, **headers: str) -> TestClient:
    """A client that has no token, and follows nothing."""
    return TestClient(application(site), base_url=ORIGIN, headers=headers, follow_redirects=False)


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site(Sources(), Rules(port=PORT, allowed_origins=("https://example.org",)))
    yield site
    site.close()


@pytest.mark.parametrize(
    "host",
    [
        "attacker.example",
        f"attacker.example:{PORT}",
        "127.0.0.1.attacker.example",
        "localhost.attacker.example",
        "attacker@127.0.0.1",
        "127.0.0.1/x",
        "10.0.0.1",
        "0.0.0.0",
        "[::ffff:1.2.3.4]",
        "",
        "127.0.0.1:port",
        "[::1",
    ],
)
def test_other_names_are_not_answered(site: Site, host: str) -> None:
    client = bare(site, host=host, authorization=f"Bearer {site.rules.token}")
    for path in ("/", "/api", "/explorer", "/assets/x.js"):
        answer = client.get(path)
        assert answer.status_code == 421
        assert answer.json()["error"]["code"] == "host"


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"[::1]:{PORT}", "LOCALHOST", "127.0.0.1"])
def test_names_of_this_machine(site: Site, host: str) -> None:
    answer = bare(site, host=host, authorization=f"Bearer {site.rules.token}").get("/api")
    assert answer.status_code == 200


def test_an_open_host_answers_to_numbers() -> None:
    site = Site(Sources(), Rules("0.0.0.0", PORT))
    token = f"Bearer {site.rules.token}"
    assert bare(site, host="192.168.1.5", authorization=token).get("/api").status_code == 200
    assert bare(site, host="attacker.example", authorization=token).get("/api").status_code == 421


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_route_wants_the_token(site: Site, route: Any) -> None:
    path = route.path.replace(":path", "").replace("{", "").replace("}", "")
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {site.rules.token}"}):
        answer = bare(site, origin=ORIGIN, **headers).request(route.method, path)
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "token"


@pytest.mark.parametrize("path", ["/api/docs", "/api/openapi.json", "/api/nothing", "/api/uploads/u1/x", "/api/"])
def test_so_does_everything_below_api(site: Site, path: str) -> None:
    assert bare(site).get(path).status_code in {401, 404}
    assert "sources" not in bare(site).get(path).text


def test_the_token_in_the_address_becomes_a_cookie(site: Site) -> None:
    client = bare(site)
    answer = client.get(f"/?token={site.rules.token}&x=1")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/?x=1"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get("/api").status_code == 200


@pytest.mark.parametrize("path", ["//attacker.example/", "/\\attacker.example"])
def test_the_way_back_stays_here(site: Site, path: str) -> None:
    answer = bare(site).get(f"{ORIGIN}{path}?token={site.rules.token}")
    assert not answer.headers.get("location", "/x").startswith(("//", "/\\", "http"))


def test_a_wrong_token_sets_nothing(site: Site) -> None:
    answer = bare(site).get("/?token=wrong")
    assert answer.status_code == 303
    assert "set-cookie" not in answer.headers


def test_the_cookie_alone_changes_nothing_for_other_pages(site: Site) -> None:
    cookie = {site.rules.cookie: site.rules.token}
    for headers in ({"origin": "https://attacker.example"}, {"origin": "null"}, {}, {"sec-fetch-site": "cross-site"}):
        client = bare(site, **headers)
        client.cookies.update(cookie)
        assert client.post("/api/uploads", json={}).status_code == 403
    client = bare(site, origin=ORIGIN)
    client.cookies.update(cookie)
    assert client.post("/api/uploads", json={}).status_code == 201


@pytest.mark.parametrize("other", ['a={"b": 1}', "a[b]=1", "expires=1", "=x", "a=é"])
def test_cookies_of_other_servers_on_this_machine_do_no_harm(site: Site, other: str) -> None:
    cookies = f"{other}; {site.rules.cookie}={site.rules.token}; b={{}}".encode()
    answer = bare(site).get("/api", headers={b"cookie": cookies})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "origin", ["https://attacker.example", "null", "http://localhost:1", "https://example.org", "http://["]
)
def test_other_sites_read_nothing(site: Site, origin: str) -> None:
    answer = bare(site, origin=origin, authorization=f"Bearer {site.rules.token}").get("/api/sources")
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_an_allowed_site_may_ask_the_explorer_and_nothing_else(serve: SiteMaker) -> None:
    client = serve("games.tabiya", allowed_origins=("https://example.org",))
    del client.headers["authorization"]
    other = {"origin": "https://example.org"}
    answer = client.get("/explorer", headers=other)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://example.org"
    requested = client.options("/explorer", headers={**other, "access-control-request-method": "GET"})
    assert requested.status_code == 204
    assert client.get("/api/sources", headers=other).status_code == 403
    assert client.post("/explorer", headers=other).status_code == 403
    assert client.get("/explorer", headers={"origin": "https://attacker.example"}).status_code == 403
    assert client.get("/explorers", headers=other).status_code == 403


def test_an_open_host_wants_the_token_of_everybody(serve: SiteMaker) -> None:
    client = serve("games.tabiya", allowed_origins=("*",), host="0.0.0.0")
    token = client.headers.pop("authorization").removeprefix("Bearer ")
    other = {"origin": "https://example.org"}
    assert client.get("/explorer", headers=other).status_code == 401
    assert client.get(f"/explorer?token={token}", headers=other).status_code == 200


@pytest.mark.parametrize("path", ["/", "/api", "/api/docs", "/explorer", "/nothing.js", "/api/sources/s9"])
def test_every_answer_says_what_a_page_may_do(client: Client, path: str) -> None:
    answer = client.get(path)
    for name in HEADERS:
        assert name in answer.headers
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http:" not in policy
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("method", ["TRACE", "PATCH", "CONNECT", "BREW"])
def test_other_methods(client: Client, method: str) -> None:
    assert client.request(method, "/api").status_code == 405


def test_tokens_differ_from_run_to_run() -> None:
    assert Rules().token != Rules().token
    assert len(Rules().token) >= 32


def test_origins_are_checked() -> None:
    assert checked_origins(["https://Example.org/", "*"]) == ("https://example.org", "*")
    with pytest.raises(UsageError, match="is not the origin of a site"):
        checked_origins(["example.org"])
    with pytest.raises(UsageError, match="is not the origin of a site"):
        checked_origins(["http://["])


def test_web_sockets_are_not_answered(site: Site) -> None:
    with pytest.raises(WebSocketDisconnect), bare(site).websocket_connect("/api"):
        pass
