from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import tabiya
from tabiya.web.source import generation_of
from tabiya.web.sources import Sources
from tests.systems import needs_links
from tests.web.conftest import Client, SiteMaker

BINARY = {"content-type": "application/octet-stream"}


def test_about(client: Client) -> None:
    answer = client.ask("GET", "/api")
    assert answer["name"] == "tabiya"
    assert not answer["write"]


def test_sources_are_told_before_and_after_they_are_opened(client: Client) -> None:
    before = client.ask("GET", "/api/sources")["sources"]
    assert [source["format"] for source in before] == ["pgn", "library", "cbh", "polyglot", "ctg", "pgn"]
    assert [source["kind"] for source in before] == ["database"] * 3 + ["book"] * 2 + ["database"]
    assert not any(source["open"] for source in before)
    opened = client.ask("GET", "/api/sources/s2")
    assert opened["open"]
    assert opened["indexed"]
    assert opened["records"] == 40
    assert opened["generation"]
    assert opened["details"]["segments"] == 1
    assert client.ask("GET", "/api/sources/s4")["records"] > 0


def test_a_file_that_is_missing_is_named(serve: SiteMaker, folder: Path) -> None:
    (folder / "handmade.cbg").unlink()
    client = serve("handmade.cbh")
    remarks = ["handmade.cbg is missing; without the .cbg file there are no moves"]
    assert client.ask("GET", "/api/sources/s1")["remarks"] == remarks
    assert client.ask("GET", "/api/sources")["sources"][0]["remarks"] == remarks


def test_what_is_not_there(client: Client) -> None:
    for path in (
        "/api/sources/s99",
        "/api/sources/..%2f..%2fetc",
        "/api/sources/s1/games/0",
        "/api/sources/s1/games/41",
    ):
        assert client.ask("GET", path, 404)["error"]["sentence"]
    assert client.ask("GET", "/api/sources/s1/games/x", 422)
    assert client.ask("GET", "/api/nothing", 404)["error"]["code"] == "not_found"
    assert client.ask("DELETE", "/api", 405)["error"]["code"] == "method"


def test_closing(client: Client, folder: Path) -> None:
    client.listed("s1")
    client.ask("DELETE", "/api/sources/s1", 204)
    client.ask("GET", "/api/sources/s1", 404)
    assert (folder / "games.pgn").exists()


def test_a_changed_file_is_noticed(client: Client, folder: Path) -> None:
    query = client.listed("s1")
    before = client.ask("GET", "/api/sources/s1")["generation"]
    with (folder / "games.pgn").open("a", encoding="utf-8") as file:
        file.write('\n[White "New"]\n\n1. d4 *\n')
    answer = client.ask("GET", f"/api/queries/{query['query']}/rows", 410)
    assert "changed" in answer["error"]["sentence"]
    assert client.ask("GET", "/api/sources/s1")["generation"] != before
    assert client.listed("s1")["total"] == 41


def test_a_damaged_file_says_so(serve: SiteMaker, folder: Path) -> None:
    client = serve("games.tabiya")
    shutil.rmtree(folder / "games.tabiya")
    answer = client.ask("GET", "/api/sources/s1", 422)
    assert "games.tabiya" in answer["error"]["sentence"]
    assert str(folder) not in answer["error"]["sentence"]
    assert client.ask("GET", "/api/sources")["sources"][0]["error"]


def test_generations() -> None:
    here = Path(__file__)
    assert generation_of([here]) == generation_of([here])
    assert generation_of([here]) != generation_of([here, here.parent / "missing"])


# Below a folder.


def test_everything_below_a_root(serve: SiteMaker, folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "more.pgn").write_text("1. e4 *\n")
    (folder / "notes.txt").write_text("nothing")
    client = serve(root=folder)
    sources = client.ask("GET", "/api/sources")["sources"]
    assert sorted(source["path"] for source in sources) == sorted(
        ["deep/more.pgn", "games.pgn", "games.tabiya", "handmade.cbh", "names.pgn", "small.bin", "small.ctg"]
    )
    assert {source["origin"] for source in sources} == {"root"}


@needs_links
def test_links_do_not_lead_out_of_a_root(
    serve: SiteMaker, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.pgn").write_text('[White "Secret"]\n\n1. e4 *\n')
    (folder / "link.pgn").symlink_to(outside / "secret.pgn")
    (folder / "linked").symlink_to(outside)
    (folder / "inside.pgn").symlink_to(folder / "games.pgn")
    client = serve(root=folder)
    names = {source["name"] for source in client.ask("GET", "/api/sources")["sources"]}
    assert names.isdisjoint({"link.pgn", "secret.pgn"})


@needs_links
def test_a_file_that_becomes_a_link_is_not_followed(
    serve: SiteMaker, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.pgn"
    outside.write_text('[White "Secret"]\n\n1. e4 *\n')
    client = serve(root=folder)
    (source,) = [each for each in client.ask("GET", "/api/sources")["sources"] if each["name"] == "games.pgn"]
    (folder / "games.pgn").unlink()
    (folder / "games.pgn").symlink_to(outside)
    answer = client.ask("GET", f"/api/sources/{source['id']}/games/1", 422)
    assert "outside" in answer["error"]["sentence"]


@pytest.mark.parametrize(
    ("name", "linked"),
    [("games.tabiya", "games.tabiya/manifest.json"), ("handmade.cbh", "handmade.cbg"), ("small.ctg", "small.cto")],
)
@needs_links
def test_no_file_of_a_source_leads_out_of_a_root(
    serve: SiteMaker, folder: Path, tmp_path_factory: pytest.TempPathFactory, name: str, linked: str
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    client = serve(root=folder)
    (source,) = [each for each in client.ask("GET", "/api/sources")["sources"] if each["name"] == name]
    client.ask("GET", f"/api/sources/{source['id']}")
    shutil.copy(folder / linked, outside / "secret")
    (folder / linked).unlink()
    (folder / linked).symlink_to(outside / "secret")
    answer = client.ask("GET", f"/api/sources/{source['id']}", 422)
    assert answer["error"]["sentence"].startswith(f"{Path(linked).name}: is outside the folder")
    (folder / linked).unlink()
    shutil.copy(outside / "secret", folder / "inside")
    (folder / linked).symlink_to(folder / "inside")
    client.ask("GET", f"/api/sources/{source['id']}")


@needs_links
def test_links_of_what_was_named_are_followed(
    serve: SiteMaker, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "elsewhere.cbg"
    shutil.move(folder / "handmade.cbg", outside)
    (folder / "handmade.cbg").symlink_to(outside)
    serve("handmade.cbh").ask("GET", "/api/sources/s1/games/1")


def test_a_folder_of_books_alone(serve: SiteMaker, folder: Path) -> None:
    (folder / "books").mkdir()
    for name in ("small.bin", "small.ctg", "small.ctb", "small.cto"):
        shutil.move(folder / name, folder / "books" / name)
    for client in (serve("books"), serve(root=folder / "books")):
        sources = client.ask("GET", "/api/sources")["sources"]
        assert sorted(source["name"] for source in sources) == ["small.bin", "small.ctg"]
    (folder / "empty").mkdir()
    with pytest.raises(tabiya.FormatError, match="holds no database"):
        serve("empty")


def test_an_empty_root(serve: SiteMaker, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert serve(root=tmp_path_factory.mktemp("empty")).ask("GET", "/api/sources")["sources"] == []


# Uploads.


def test_a_dropped_file_can_be_looked_at_and_is_removed(client: Client, folder: Path) -> None:
    upload = client.ask("POST", "/api/uploads", 201, json={})["upload"]
    content = (folder / "games.pgn").read_bytes()
    client.ask("PUT", f"/api/uploads/{upload}/My games.pgn", 204, content=content, headers=BINARY)
    (source,) = client.ask("POST", f"/api/uploads/{upload}/open", 201, json={})["sources"]
    assert source["origin"] == "upload"
    assert not source["append"]
    assert client.ask("GET", f"/api/sources/{source['id']}/games/1")["tags"][0] == ["Event", "Club 1"]
    client.ask("DELETE", f"/api/sources/{source['id']}", 204)
    client.ask("PUT", f"/api/uploads/{upload}/more.pgn", 404, content=b"", headers=BINARY)


def test_the_files_of_a_base_come_together(client: Client, folder: Path) -> None:
    upload = client.ask("POST", "/api/uploads", 201, json={})["upload"]
    for path in [*folder.glob("handmade.*"), *folder.glob("small.ct*")]:
        client.ask("PUT", f"/api/uploads/{upload}/{path.name}", 204, content=path.read_bytes(), headers=BINARY)
    found = client.ask("POST", f"/api/uploads/{upload}/open", 201, json={})["sources"]
    assert sorted(source["format"] for source in found) == ["cbh", "ctg"]


def test_what_is_no_database_is_refused_and_removed(client: Client) -> None:
    upload = client.ask("POST", "/api/uploads", 201, json={})["upload"]
    client.ask("PUT", f"/api/uploads/{upload}/x.exe", 204, content=b"MZ\0\0", headers=BINARY)
    answer = client.ask("POST", f"/api/uploads/{upload}/open", 422, json={})
    assert "x.exe" in answer["error"]["sentence"]


@pytest.mark.parametrize(
    "name", ["..%2fx.pgn", "..", ".hidden", "a%2fb.pgn", "a%5cb.pgn", "a%00b", "c%3ax", "%20", "a" * 300, "a%0ab"]
)
def test_names_that_are_no_names(client: Client, name: str) -> None:
    upload = client.ask("POST", "/api/uploads", 201, json={})["upload"]
    answer = client.put(f"/api/uploads/{upload}/{name}", content=b"1. e4 *", headers=BINARY)
    assert answer.status_code in {404, 405, 422}


def test_an_upload_that_is_too_large(serve: SiteMaker) -> None:
    client = serve("games.pgn", most_bytes=1000)
    upload = client.ask("POST", "/api/uploads", 201, json={})["upload"]
    client.ask("PUT", f"/api/uploads/{upload}/a.pgn", 204, content=b" " * 600, headers=BINARY)
    for _ in range(8):  # what was refused takes no room
        client.ask("PUT", f"/api/uploads/{upload}/b.pgn", 413, content=b" " * 600, headers=BINARY)
    client.ask("PUT", f"/api/uploads/{upload}/b.pgn", 204, content=b" " * 400, headers=BINARY)


def test_the_same_name_twice_and_other_types(client: Client) -> None:
    upload = client.ask("POST", "/api/uploads", 201, json={})["upload"]
    client.ask("PUT", f"/api/uploads/{upload}/a.pgn", 204, content=b"1. e4 *", headers=BINARY)
    client.ask("PUT", f"/api/uploads/{upload}/a.pgn", 409, content=b"1. e4 *", headers=BINARY)
    client.ask("PUT", f"/api/uploads/{upload}/b.pgn", 415, content=b"1. e4 *")
    client.ask("PUT", "/api/uploads/u99/b.pgn", 404, content=b"1. e4 *", headers=BINARY)


def dropped(client: Client, **files: bytes) -> list[str]:
    """The ids of the sources in some files, given by their names without a suffix and their bytes as PGN."""
    upload = client.ask("POST", "/api/uploads", 201, json={})["upload"]
    for name, content in files.items():
        client.ask("PUT", f"/api/uploads/{upload}/{name}.pgn", 204, content=content, headers=BINARY)
    found = client.ask("POST", f"/api/uploads/{upload}/open", 201, json={})["sources"]
    return [source["id"] for source in found]


def test_removing_an_upload_leaves_the_others_alone(serve: SiteMaker, folder: Path) -> None:
    sources = Sources(most_bytes=1 << 20)
    kept, other = (sources.upload(sources.begin_upload()).folder for _ in range(2))
    (kept / "a.pgn").write_text("1. e4 *\n")
    shutil.copytree(folder / "games.tabiya", other / "games.tabiya")
    (first,) = sources.open_upload("u1")
    (library,) = sources.open_upload("u2")
    assert library.path.is_dir()
    sources.remove(library.id)
    assert not other.exists()
    assert (kept / "a.pgn").exists()
    sources.remove(first.id)
    assert not kept.exists()
    sources.close()


def test_files_that_came_together_stay_until_the_last_is_closed(client: Client) -> None:
    one, two = dropped(client, one=b"1. e4 *\n", two=b"1. d4 *\n")
    client.ask("DELETE", f"/api/sources/{one}", 204)
    assert client.ask("GET", f"/api/sources/{two}/games/1")["nodes"][1]["san"] == "d4"


def test_all_uploads_together_are_bounded(serve: SiteMaker) -> None:
    client = serve("games.pgn", most_bytes=1000)
    content = b"1. e4 *\n".ljust(900)
    names = [dropped(client, a=content)[0] for _ in range(4)]
    upload = client.ask("POST", "/api/uploads", 201, json={})["upload"]
    client.ask("PUT", f"/api/uploads/{upload}/a.pgn", 413, content=content, headers=BINARY)
    for name in names:
        client.ask("DELETE", f"/api/sources/{name}", 204)
    dropped(client, a=content)


def test_their_number_is_bounded(client: Client) -> None:
    for _ in range(64):
        client.ask("POST", "/api/uploads", 201, json={})
    client.ask("POST", "/api/uploads", 413, json={})


def test_uploads_that_nobody_opens_are_removed(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabiya.web.sources._ABANDONED", -1.0)
    for _ in range(70):
        upload = client.ask("POST", "/api/uploads", 201, json={})["upload"]
    client.ask("PUT", f"/api/uploads/{upload}/a.pgn", 204, content=b"1. e4 *\n", headers=BINARY)
    client.ask("POST", f"/api/uploads/{upload}/open", 201, json={})


def test_closing_waits_for_those_who_read(client: Client, folder: Path) -> None:
    text = (folder / "games.pgn").read_bytes()
    (source,) = dropped(client, many=text * 100)
    query = client.listed(source)["query"]
    job = client.ask("POST", "/api/conversions", 201, json={"source": source, "format": "pgn"})["job"]
    client.ask("DELETE", f"/api/sources/{source}", 204)
    while (result := client.ask("GET", f"/api/conversions/{job}?wait=500"))["state"] == "running":
        pass
    assert result["state"] == "done"
    assert result["report"]["written"] == 4000
    client.ask("GET", f"/api/queries/{query}", 410)


# Media.


def test_media_beside_a_base(serve: SiteMaker, folder: Path) -> None:
    (folder / "handmade.bmp").mkdir()
    (folder / "handmade.bmp" / "7.bmp").write_bytes(b"BM")
    (folder / "handmade.html").mkdir()
    (folder / "handmade.html" / "evil.svg").write_text("<svg onload=x>")
    (folder / "handmade.html" / "evil.html").write_text("<script>")
    client = serve("handmade.cbh")
    answer = client.get("/api/sources/s1/media/7.bmp")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/")
    for name in (
        "evil.svg",
        "evil.html",
        "8.bmp",
        "..%2f..%2fetc%2fpasswd",
        "../games.pgn",
        "handmade.cbh",
        "%2fetc%2fx.png",
    ):
        assert client.get(f"/api/sources/s1/media/{name}").status_code == 404


@pytest.mark.skipif(os.name == "nt", reason="SKIPPED: links need rights there")
def test_media_do_not_follow_links(serve: SiteMaker, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("outside") / "secret.png"
    secret.write_bytes(b"x")
    (folder / "handmade.bmp").mkdir()
    (folder / "handmade.bmp" / "1.png").symlink_to(secret)
    assert serve("handmade.cbh").get("/api/sources/s1/media/1.png").status_code == 404
