from __future__ import annotations

import bz2
import gc
import gzip
import io
import shutil
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest
from typer.testing import CliRunner

import tabiya
from tabiya.cli.app import app
from tabiya.errors import TabiyaError, UnsupportedError, UsageError
from tabiya.formats import Match
from tabiya.formats.jose import JOSE, archive_writer
from tabiya.formats.jose.container import TABLES
from tabiya.formats.jose.dates import encode_date, encode_day, next_day
from tabiya.formats.jose.myisam import Table, pack_block
from tabiya.game import Annotation, Game, GameBatch, Tags, difference
from tabiya.game.annotations import TEXT_AFTER
from tests.conftest import ROOT, sample_path
from tests.formats.corpus import batch_of, corpus, tape
from tests.formats.jose.server import connect, fresh_base, rows, server_url
from tests.formats.jose.vectors import vectors

DATA = ROOT / "tests" / "data" / "jose"
TEMPLATES = ROOT / "src" / "tabiya" / "formats" / "jose" / "templates"


def write(path: Path, records: Any, **options: Any) -> tabiya.LossReport:
    with tabiya.create(path, **options) as writer:
        writer.write(records)
    return writer.losses


def read(place: Any, **options: Any) -> list[Game]:
    with tabiya.open(place, **options) as database:
        return list(database)


def members(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}  # type: ignore[union-attr]


def tar_of(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def zip_of(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def repacked(table: Table) -> bytes:
    return b"".join(pack_block(table.pack(table.row(place))) for place in table.places())


def data_folder() -> Path:
    """Where the server keeps its files, if it is on this machine."""
    with connect(server_url()) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT @@datadir")
        folder = Path(cursor.fetchone()[0])
    if not folder.is_dir():
        pytest.skip("SKIPPED: this test did not run; it did not pass: the server keeps its files elsewhere")
    return folder


CONTAINERS: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "tar": tar_of,
    "zip": zip_of,
    "tar in gzip": lambda files: gzip.compress(tar_of(files)),
    "zip in gzip": lambda files: gzip.compress(zip_of(files)),
    "tar in jose's bzip2": lambda files: bz2.compress(tar_of(files))[2:],
}


class TestReading:
    def test_the_sample_of_27_columns(self) -> None:
        known = {vector["name"]: vector for vector in vectors()}
        with tabiya.open(sample_path("jose/written_by_verify.jose")) as database:
            assert database.format is JOSE
            games = list(database)
        assert len(games) == 82
        for game in games:
            vector = known[game.tags["Event"]]
            assert game.start == vector["fen"]
        assert [problem.code for game in games for problem in game.problems] == [15]  # an open variation

    def test_rows_are_packed_again_as_they_were(self) -> None:
        files = members(sample_path("jose/written_by_verify.jose"))
        for name in ("IO_Game", "IO_Player", "IO_Event", "IO_Site"):
            assert repacked(Table.of(name, files[f"{name}.MYI"], files[f"{name}.MYD"])) == files[f"{name}.MYD"], name

    @pytest.mark.parametrize("kind", CONTAINERS)
    def test_containers(self, tmp_path: Path, kind: str) -> None:
        write(tmp_path / "a.jose", corpus())
        expected = read(tmp_path / "a.jose")
        data = CONTAINERS[kind](members(tmp_path / "a.jose"))
        (tmp_path / "b.jose").write_bytes(data)
        assert read(tmp_path / "b.jose") == expected
        assert read(io.BytesIO(data), format="jose") == expected

    def test_content_tells_the_format(self, tmp_path: Path) -> None:
        write(tmp_path / "a.jose", corpus()[:1])
        files = members(tmp_path / "a.jose")
        for kind, pack in CONTAINERS.items():
            named = Path("x.jose") if "bzip2" in kind else None
            assert JOSE.sniff(pack(files)[:4096], named) >= Match.LIKELY, kind
        assert JOSE.sniff(gzip.compress(b'[Event "x"]'), None) == Match.NO
        assert JOSE.sniff(b"\x1f\x8b broken", None) == Match.NO
        assert JOSE.sniff(b"", None) == Match.NO

    def test_rar_is_refused_with_a_hint(self, tmp_path: Path) -> None:
        (tmp_path / "a.jose").write_bytes(b"Rar!\x1a\x07\x00" + bytes(100))
        with pytest.raises(UnsupportedError, match="packed with RAR: unpack it first"):
            tabiya.open(tmp_path / "a.jose")

    def test_collections(self, tmp_path: Path) -> None:
        write(tmp_path / "a.jose", corpus(), collection="Мои партии 😀")
        assert len(read(tmp_path / "a.jose", collection="Мои партии 😀")) == 8
        assert len(read(tmp_path / "a.jose", collection="collection.trash")) == 1
        with pytest.raises(UsageError, match="there is no collection 'x'"):
            tabiya.open(tmp_path / "a.jose", collection="x")

    def test_dates_that_are_a_day_early(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        batch = batch_of([{"year": 1999}, {"year": 2001, "month": 5}, {"year": 2000, "month": 2, "day": 28}])
        write(tmp_path / "good.jose", batch)
        with tabiya.open(tmp_path / "good.jose") as database:
            assert database.problems == ()
        packed = archive_writer._packed_day
        early = {20000228: 20000227, 19990101: 19981231, 20010501: 20010430}
        monkeypatch.setattr(archive_writer, "_packed_day", lambda day: packed(early[day]) if day else None)
        write(tmp_path / "early.jose", batch)
        with tabiya.open(tmp_path / "early.jose") as database:
            assert [problem.code for problem in database.problems] == [165]
            assert "shift_dates=True corrects them" in database.problems[0].sentence
            assert [game.tags["Date"] for game in database] == ["1998.??.??", "2001.04.??", "2000.02.27"]
        with tabiya.open(tmp_path / "early.jose", shift_dates=True) as database:
            assert database.problems == ()
            assert [game.tags["Date"] for game in database] == ["1999.??.??", "2001.05.??", "2000.02.28"]
        for command in (["verify", str(tmp_path / "early.jose")], ["convert", str(tmp_path / "early.jose"), "-"]):
            printed = CliRunner().invoke(app, command).output
            assert "tabiya convert --shift-dates corrects them" in printed
            assert "shift_dates" not in printed
        target = tmp_path / "shifted.pgn"
        done = CliRunner().invoke(app, ["convert", str(tmp_path / "early.jose"), str(target), "--shift-dates"])
        assert done.exit_code == 0, done.output
        assert [game.tags["Date"] for game in read(target)] == ["1999.??.??", "2001.05.??", "2000.02.28"]


class TestWriting:
    def test_the_fixture(self, tmp_path: Path) -> None:
        report = tabiya.convert(DATA / "games.pgn", tmp_path / "games.jose")
        assert report.clean
        found, expected = members(tmp_path / "games.jose"), members(DATA / "games.jose")
        assert found == expected
        with tabiya.open(DATA / "games.pgn") as old, tabiya.open(DATA / "games.jose") as new:
            assert [difference(a, b) for a, b in zip(old, new, strict=True)] == [[]] * 3

    def test_scattered_rows(self) -> None:
        """A row of four blocks, as MySQL leaves them when a row grows: first part, middle parts, last part."""
        files = members(DATA / "games.jose")
        table = Table.of("IO_Game", files["IO_Game.MYI"], files["IO_Game.MYD"])
        place = next(table.places())
        packed = table.pack(table.row(place))
        parts = [packed[:20], packed[20:30], packed[30:45], packed[45:]]
        blocks, position = [], 0
        for i, part in enumerate(parts):
            following = position + (13 if i == 0 else 11) + len(part)
            head = {0: b"\5" + len(packed).to_bytes(2, "big"), 3: b"\7"}.get(i, b"\x0b") + len(part).to_bytes(2, "big")
            block = head + (following.to_bytes(8, "big") if i < 3 else b"") + part
            blocks.append(block)
            position += len(block)
        scattered = Table.of("IO_Game", files["IO_Game.MYI"], b"".join(blocks))
        assert scattered.row(0) == table.row(place)
        assert list(scattered.places()) == [0]

    def test_long_rows_and_long_names(self, tmp_path: Path) -> None:
        game = Game()
        game.tags["White"] = "ä" * 255
        game.tags["Result"] = "*"
        game.root.add("e4").annotations = [Annotation(TEXT_AFTER, b"x" * 100_000)]
        assert not write(tmp_path / "a.jose", game)
        assert read(tmp_path / "a.jose") == [game]

    def test_tags_without_room_are_told(self, tmp_path: Path) -> None:
        rows = [
            {"tags": [{"name": "A", "value": "x" * 250}, {"name": "B", "value": "123"}, {"name": "C", "value": "a;b"}]}
        ]
        losses = write(tmp_path / "a.jose", batch_of(rows))
        assert [(loss.what, loss.count, loss.examples) for loss in losses] == [("jose-tag", 2, ("B", "C"))]
        assert read(tmp_path / "a.jose")[0].tags.items() == [("A", "x" * 250)]

    def test_games_without_codes_are_left_out(self, tmp_path: Path) -> None:
        start = "4k3/8/8/8/8/8/8/RRR1K3 w - - 0 1"
        batch = batch_of([{"start": start, "moves": tape("c1c8")}, {"white": "Next", "result": 0}])
        losses = write(tmp_path / "a.jose", batch)
        assert [(loss.what, loss.count, loss.first_game) for loss in losses] == [("jose-game", 1, 1)]
        assert [game.tags["White"] for game in read(tmp_path / "a.jose")] == ["Next"]

    def test_games_that_are_too_long_are_left_out(self, tmp_path: Path) -> None:
        game = Game()
        game.root.add("e4").annotations = [Annotation(TEXT_AFTER, b"x" * (16 << 20))]
        assert [loss.what for loss in write(tmp_path / "a.jose", game)] == ["jose-game"]
        assert read(tmp_path / "a.jose") == []

    def test_damaged_games_are_written_as_they_were(self, tmp_path: Path) -> None:
        stored = {"key": "jose.bin", "value": b"\x13\x13\x9f\xff"}
        batch = batch_of([{"moves": tape("e2e4 e7e5"), "extras": [stored]}])
        write(tmp_path / "a.jose", batch)
        (game,) = read(tmp_path / "a.jose")
        assert [problem.code for problem in game.problems] == [150]
        assert game.extras[0].value == stored["value"]
        edited = batch_of([{"moves": tape("d2d4"), "extras": [stored]}])
        assert [loss.what for loss in write(tmp_path / "b.jose", edited)] == ["jose-damage"]
        assert read(tmp_path / "b.jose")[0].problems == []

    @pytest.mark.parametrize("result", [None, 0, 1, 2, 3])
    @pytest.mark.parametrize("codes", [b"\x13\x13\x9f\xff", b"\x13\x13\xd3\xff\x01", b"\x13\x13\xd2\xff\x01"])
    def test_damaged_games_keep_their_result(self, codes: bytes, result: int | None, tmp_path: Path) -> None:
        """Whatever the stored bytes say: none, * or 1-0. That there is none cannot be told beside them."""
        batch = batch_of([{"moves": tape("e2e4 e7e5"), "result": result, "extras": [("jose.bin", codes)]}])
        losses = write(tmp_path / "a.jose", batch)
        (game,) = read(tmp_path / "a.jose")
        assert game.result == result
        assert [loss.what for loss in losses] == ["jose-damage"] * (not game.extras)
        assert bool(game.extras) == (result is not None or codes[2] == 0x9F)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="SKIPPED: this test did not run; it needs /dev/full")
class TestFullTemporaryFolder:
    """The files in it seem to be written well until they are flushed."""

    def full(self, *_: Any, **__: Any) -> IO[bytes]:
        return open("/dev/full", "w+b")  # noqa: PTH123 - a device

    def check(self, use: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
        ignored: list[Any] = []
        monkeypatch.setattr(sys, "unraisablehook", ignored.append)
        with monkeypatch.context() as patch:
            patch.setattr(tempfile, "TemporaryFile", self.full)
            with pytest.raises(TabiyaError, match="no space left on device") as caught:
                use()
        assert caught.value.path == tempfile.gettempdir()
        del caught
        gc.collect()
        assert ignored == []

    @pytest.mark.parametrize("size", [1, 200])
    def test_writing(self, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A full disk shows at the end of small archives, and within long ones."""
        self.check(lambda: write(tmp_path / "a.jose", [corpus()] * size), monkeypatch)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("kind", CONTAINERS)
    def test_reading(self, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "a.jose").write_bytes(CONTAINERS[kind](members(DATA / "games.jose")))
        self.check(lambda: tabiya.open(tmp_path / "a.jose"), monkeypatch)


def test_names_come_from_their_own_tables(tmp_path: Path) -> None:
    """Ids of all tables begin with the same number: each name has to be looked up in its own."""
    tags = {name: f"the {name}" for name in ("White", "Black", "Event", "Site", "Opening", "Annotator")}
    game = Game(Tags({**tags, "Result": "*"}))
    first = Game(Tags({"Annotator": "somebody", "Event": "else", "Site": "there", "Opening": "x", "Result": "*"}))
    assert not write(tmp_path / "a.jose", [game, first])
    found = read(tmp_path / "a.jose")
    assert {name: found[0].tags[name] for name in tags} == tags
    assert found == [game, first]


def test_places_in_the_trash_are_counted_by_themselves(tmp_path: Path) -> None:
    batch = batch_of([{"white": name, "deleted": name in "BCE"} for name in "ABCDE"])
    write(tmp_path / "a.jose", batch)
    files = members(tmp_path / "a.jose")
    games, collections = (
        Table.of(name, files[f"{name}.MYI"], files[f"{name}.MYD"]) for name in ("IO_Game", "IO_Collection")
    )
    assert [games.row(place)[:2] for place in games.places()] == [(1001, 1), (3, 1), (3, 2), (1001, 2), (3, 3)]
    rows = [collections.row(place) for place in collections.places()]
    assert [(row[0], row[2], row[5]) for row in rows] == [(1001, b"tabiya", 2), (3, b"collection.trash", 3)]


def test_a_deleted_block_without_a_length_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must not be looked at again and again: no more blocks than the file has room for."""
    files = members(DATA / "games.jose")
    data = bytes(20) + files["IO_Game.MYD"]
    looked_at = 0
    original = Table._block

    def counted(table: Table, place: int) -> Any:
        nonlocal looked_at
        looked_at += 1
        assert looked_at <= len(data) // 20, "the same block again and again"
        return original(table, place)

    monkeypatch.setattr(Table, "_block", counted)
    table = Table.of("IO_Game", files["IO_Game.MYI"], data)
    whole = Table.of("IO_Game", files["IO_Game.MYI"], files["IO_Game.MYD"])
    places = list(table.places())
    looked_at = 0
    assert places == [20 + place for place in whole.places()]
    looked_at = 0
    assert list(Table.of("IO_Game", files["IO_Game.MYI"], bytes(len(data))).places()) == []


class TestServer:
    def test_a_server_accepts_the_tables(self, tmp_path: Path) -> None:
        folder = data_folder()
        write(tmp_path / "a.jose", corpus())
        with fresh_base(None) as base:
            for name, data in members(tmp_path / "a.jose").items():
                (folder / base.path / name).write_bytes(data)
                shutil.copymode(folder, folder / base.path / name)
            for name in TABLES:
                result = rows(base, f"CHECK TABLE {name} EXTENDED")
                assert [(kind, text) for _, _, kind, text in result] == [("status", "OK")], name
            assert rows(base, "SELECT COUNT(*) FROM IO_Game") == [(9,)]
            assert (
                rows(
                    base,
                    "SELECT p.Name FROM IO_Game g JOIN IO_Player p ON p.Id = g.WhiteId WHERE g.Idx = 1",
                )[0][0]
                == "Morphy, Paul"
            )

    def test_templates_are_what_a_server_makes_of_our_tables(self, tmp_path: Path) -> None:
        folder = data_folder()
        write(tmp_path / "a.jose", [])
        with fresh_base(TEMPLATES / "tables.sql") as made, fresh_base(None) as unpacked:
            for name, data in members(tmp_path / "a.jose").items():
                (folder / unpacked.path / name).write_bytes(data)
            for name in TABLES:
                assert rows(unpacked, f"SHOW CREATE TABLE {name}") == rows(made, f"SHOW CREATE TABLE {name}")
                index = [folder / base.path / f"{name}.MYI" for base in (made, unpacked)]
                tables = [Table.of(name, path.read_bytes(), b"") for path in index]
                assert tables[0].fields == tables[1].fields

    def test_rows_are_packed_as_the_server_packs_them(self, tmp_path: Path) -> None:
        folder = data_folder()
        write(tmp_path / "a.jose", [])
        with fresh_base(None) as base:
            for name, data in members(tmp_path / "a.jose").items():
                (folder / base.path / name).write_bytes(data)
            rows(base, "INSERT INTO MetaInfo VALUES ('S', 'META', NULL, 1001, NULL), ('a', NULL, 'x', 0, 1)")
            rows(
                base,
                "INSERT INTO IO_Game (CId, Idx, Attributes, PlyCount, Result, WhiteId, BlackId, EventId, SiteId, "
                "GameDate, DateFlags, OpeningId, AnnotatorId, ECO, Round, Info, Bin, Comments, Eval) VALUES "
                "(1, 1, -3, 3, -1, 0, 7, 1001, 0, '2001-12-31', 48, 0, 0, 'B9', '', REPEAT('ä', 255), x'13ff', "
                "REPEAT('x', 70000), NULL), "
                "(1, 2, 0, 3, 2, 0, 0, 1001, 0, NULL, 0, 0, 0, 'B99', 'x', REPEAT('x', 254), x'13ff', '', x'00')",
            )
            rows(base, "FLUSH TABLES")
            for name in ("MetaInfo", "IO_Game"):
                index, data = ((folder / base.path / f"{name}.{suffix}").read_bytes() for suffix in ("MYI", "MYD"))
                assert repacked(Table.of(name, index, data)) == data, name


def test_dates() -> None:

    assert encode_day(2001, 2, None) == (20010201, 0x10)
    assert encode_day(None, 5, 3) == (19700503, 0x40)
    assert encode_day(2023, 2, 30) is None
    assert encode_day(None, None, None) == (None, 0)
    assert encode_date("2001.02.??") == (20010201, 0x10)
    for unlike_jose in ("2001.2.??", "2001", "2023.02.30", "????.??.??", "soon", ""):
        assert encode_date(unlike_jose) is None
    assert next_day(19991231) == 20000101
    assert next_day(20230230) == 20230230
    assert next_day(None) is None


def test_an_empty_batch() -> None:
    assert len(GameBatch.empty()) == 0
