"""jose's database through a real server."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tabiya
from tabiya.cli.app import app
from tabiya.errors import LossError, TabiyaError, UsageError
from tabiya.formats.jose import decode_game_text
from tabiya.formats.jose.writer import ServedWriter
from tabiya.formats.url import Url
from tabiya.game import Annotation, Game, GameBatch, Tags, difference
from tabiya.game.annotations import TEXT_AFTER
from tabiya.game.annotations.evaluations import Evaluation
from tabiya.game.schema import NAME_COLUMNS, RECORD_SCHEMA
from tests.conftest import ROOT, sample_path
from tests.formats.corpus import batch_of, corpus, cut, long_corpus, tape
from tests.formats.jose.server import OWN_SCHEMA, connect, fresh_base, location, rows, schema


@pytest.fixture
def base() -> Iterator[Url]:
    with fresh_base(schema()) as url:
        yield url


def write(url: Url, records: Any, **options: Any) -> tabiya.LossReport:
    with tabiya.create(location(url), **options) as writer:
        writer.write(records)
    return writer.losses


def read(url: Url, **options: Any) -> list[Game]:
    with tabiya.open(location(url), **options) as database:
        return list(database)


def assert_same(found: list[Game], wanted: list[Game]) -> None:
    assert [difference(a, b) for a, b in zip(wanted, found, strict=True)] == [[]] * len(wanted)


def test_what_is_not_reported_lost_is_there(base: Url) -> None:
    for i, game in enumerate(corpus().games()):
        losses = write(base, game, collection=f"c{i}")
        if not losses:
            assert_same(read(base, collection=f"c{i}"), [game])


def test_our_own_tables_are_like_those_of_jose() -> None:
    columns = (
        "SELECT table_name, column_name, column_type, is_nullable FROM information_schema.columns "
        "WHERE table_schema = DATABASE() AND table_name NOT LIKE 'IO%' AND table_name <> 'MetaInfo' ORDER BY 1, 2"
    )
    first = "SELECT Id, Name, Path, Attributes FROM Collection ORDER BY Id"
    sample_path("jose/schema.sql")
    with fresh_base(OWN_SCHEMA) as own, fresh_base(schema()) as real:
        assert rows(own, columns) == rows(real, columns)
        assert rows(own, first) == rows(real, first)


def test_games_in_our_own_tables() -> None:
    with fresh_base(OWN_SCHEMA) as url:
        batch = batch_of(plain_rows(50))
        assert not write(url, batch)
        assert_same(read(url), list(batch.games()))


def test_twenty_thousand_games(base: Url) -> None:
    batch = batch_of([{**row, "round": str(i)} for i, row in enumerate(plain_rows(20_000))])
    assert not write(base, cut(batch, 5000))
    with tabiya.open(location(base)) as database:
        assert len(database) == 20_000
        found = GameBatch.concat(database.batches())
        assert database.progress == 1.0
    for name in RECORD_SCHEMA.names:
        columns = [each.record_batch.column(name) for each in (found, batch)]
        texts = [column.dictionary_decode() if name in NAME_COLUMNS else column for column in columns]
        assert texts[0].equals(texts[1]), name


def plain_rows(count: int) -> list[dict[str, Any]]:
    rows = [row for row in long_corpus().record_batch.to_pylist() if row["kind"] == 0 and not row["annotations"]]
    plain = [row for row in rows if not (row["tags"] or row["extras"]) and (row["result"] or 0) < 4]
    return [{**plain[i % len(plain)], "number": i + 1, "problems": []} for i in range(count)]


def test_the_face_of_a_database(base: Url) -> None:
    batch = batch_of(plain_rows(9000))
    write(base, batch)
    games = list(batch.games())
    with tabiya.open(location(base)) as database:
        assert database.path is None
        assert database.files == ()
        assert repr(database) == f"<jose database {base}>"
        assert (database[0], database[4095], database[4096], database[-1]) == (
            games[0],
            games[4095],
            games[4096],
            games[-1],
        )
        assert list(database[8990:9000]) == games[8990:]
        assert len(database.read(5, 5)) == 0
        first, second = database.batches(), database.batches(threads=3)
        assert [len(a) for a in first] == [len(b) for b in second] == [4096, 4096, 808]
        assert list(islice(iter(database), 2)) == games[:2]
    with pytest.raises(UsageError, match="closed"):
        len(database)


def test_columns(base: Url) -> None:
    game = Game(
        Tags(
            {
                "Event": "Cup",
                "White": "Polgár, Judit",
                "Black": "?",
                "Date": "2001.02.??",
                "WhiteElo": "2700",
                "ECO": "B97",
                "Result": "1-0",
                "WhiteTitle": "GM",
                "Opening": "Sicilian",
                "Termination": "normal",
                "EventDate": "2001.??.??",
            }
        )
    )
    game.root.add("e4").add("c5")
    assert not write(base, game)
    assert rows(
        base,
        "SELECT w.Name, g.BlackId, e.Name, g.GameDate+0, g.EventDate+0, g.DateFlags, g.WhiteELO, g.BlackELO, g.ECO, "
        "g.PlyCount, g.Result, g.Idx, m.WhiteTitle, o.Name, m.Info, m.Bin, m.Comments, c.GameCount, c.Attributes "
        "FROM Game g JOIN MoreGame m ON m.GId = g.Id JOIN Player w ON w.Id = g.WhiteId "
        "JOIN Event e ON e.Id = g.EventId JOIN Opening o ON o.Id = g.OpeningId JOIN Collection c ON c.Id = g.CId",
    ) == [
        (
            *("Polgár, Judit", 0, "Cup", 20010201, 20010101, 0x3010, 2700, None, "B97", 2, 2, 1, "GM", "Sicilian"),
            *("Black=?;Termination=normal", b"\x13\x0b\xd2\xff", None, 1, 8),
        )
    ]
    assert_same(read(base), [game])


def test_names_are_used_again(base: Url) -> None:
    write(base, batch_of([{"white": "Müller", "black": "Muller"}, {"white": "müller"}]), collection="a")
    write(base, batch_of([{"white": "Muller", "black": "Müller", "event": "😀"}]), collection="b")
    names = rows(base, "SELECT Id, CAST(Name AS BINARY) FROM Player ORDER BY Id")
    assert [number for number, _ in names] == [0, 1001, 1002, 1003]
    assert [game.tags.get("White") for game in read(base)] == ["Müller", "müller", "Muller"]
    assert read(base, collection="b")[0].tags["Event"] == "😀"


def test_deleted_games_are_in_the_trash(base: Url) -> None:
    batch = batch_of([{"white": "A", "result": 0}, {"white": "B", "deleted": True, "result": 0}])
    assert not write(base, batch)
    places = rows(base, "SELECT CId, Idx, OCId, OIdx FROM Game ORDER BY Id")
    assert places == [(1001, 1, None, None), (3, 2, 1001, 2)]
    assert rows(base, "SELECT GameCount FROM Collection WHERE Id = 1001") == [(1,)]
    assert_same(read(base), list(batch.games()))


def test_evaluations(base: Url) -> None:
    game = Game(Tags({"Result": "*"}))
    node = game.root.add("e4")
    node.annotations = [Evaluation(30).annotation()]
    node.add("e5").annotations = [Evaluation(-75, depth=18).annotation(), Annotation(TEXT_AFTER, b"hm")]
    assert not write(base, game)
    ((blob, comments),) = rows(base, "SELECT Eval, CAST(Comments AS BINARY) FROM MoreGame")
    assert len(blob) == 8
    assert comments == b"[%eval -0.75/18] hm\0"
    assert_same(read(base), [game])


def test_old_databases_have_no_evaluations(base: Url) -> None:
    rows(base, "ALTER TABLE MoreGame DROP COLUMN Eval")
    game = Game(Tags({"Result": "*"}))
    game.root.add("e4").annotations = [Evaluation(30).annotation()]
    assert not write(base, game)
    assert_same(read(base), [game])


class TestCollections:
    def test_an_existing_one_is_refused(self, base: Url) -> None:
        write(base, corpus()[:1])
        with pytest.raises(UsageError, match="the collection 'tabiya' already exists"):
            tabiya.create(location(base))
        write(base, batch_of([{"white": "New"}]), overwrite=True)
        assert [game.tags["White"] for game in read(base)] == ["New"]
        assert rows(base, "SELECT COUNT(*) FROM MoreGame") == [(1,)]

    def test_nothing_is_left_without_a_commit(self, base: Url) -> None:
        write(base, corpus()[:1], collection="kept")
        before = [rows(base, f"SELECT * FROM {table}") for table in ("Game", "MoreGame", "Collection")]
        writer = tabiya.create(location(base))
        writer.write(corpus())
        writer.close()
        with pytest.raises(LossError):
            write(base, corpus(), strict=True)
        assert [rows(base, f"SELECT * FROM {table}") for table in ("Game", "MoreGame", "Collection")] == before

    def test_the_url_may_name_one(self, base: Url) -> None:
        there = f"{location(base)}&collection=My%20games"
        for name, place in (("A", there), ("B", location(base))):
            with tabiya.create(place) as writer:
                writer.write(batch_of([{"white": name}]))
        assert rows(base, "SELECT Name FROM Collection WHERE Id > 3 ORDER BY Id") == [("My games",), ("tabiya",)]
        with tabiya.open(there) as database:
            assert [game.tags["White"] for game in database] == ["A"]

    @pytest.mark.parametrize("name", ["😀 & co", "Ünïcode", "a%b_c'\\", "x" * 255])
    def test_names(self, base: Url, name: str) -> None:
        write(base, batch_of([{"white": "A"}]), collection="other")
        write(base, batch_of([{"white": "B"}]), collection=name)
        assert [game.tags["White"] for game in read(base, collection=name)] == ["B"]
        with pytest.raises(UsageError, match="already exists"):
            tabiya.create(location(base), collection=name)

    @pytest.mark.parametrize("name", ["x" * 256, "😀" * 128, "a\0b", "a "])
    def test_names_that_have_no_room(self, base: Url, name: str) -> None:
        with pytest.raises(UsageError, match="no collection can be called"):
            tabiya.create(location(base), collection=name)

    def test_unknown_ones(self, base: Url) -> None:
        with pytest.raises(UsageError, match="there is no collection 'x'"):
            tabiya.open(location(base), collection="x")


def test_a_lost_connection_leaves_whole_games_and_a_second_run_completes(
    base: Url, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = cut(batch_of([{**row, "round": str(i)} for i, row in enumerate(plain_rows(900))]), 300)
    writer = tabiya.create(location(base))
    assert isinstance(writer, ServedWriter)
    writer.write(batches[0])
    insert = writer._server.run_many

    def lose(statement: str, values: Any) -> None:
        if statement.startswith("INSERT INTO Game"):
            insert(statement, list(values)[:120])
            with connect(base) as other, other.cursor() as cursor:
                cursor.execute(f"KILL {writer._server.value('SELECT CONNECTION_ID()')}")
        insert(statement, values)

    monkeypatch.setattr(writer._server, "run_many", lose)
    with pytest.raises(TabiyaError, match="the server reports"):
        writer.write(batches[1])
    writer.close()
    assert rows(base, "SELECT COUNT(*) FROM MoreGame") == [(600,)]
    assert len(read(base)) == 420
    games = [game for batch in batches for game in batch.games()]
    assert_same(read(base), games[:420])
    write(base, batches)
    assert_same(read(base), games)
    assert rows(base, "SELECT COUNT(*) FROM MoreGame") == [(900,)]
    assert rows(base, "SELECT GameCount, Attributes FROM Collection WHERE Id > 3") == [(900, 8)]


def test_two_imports_at_once_are_refused(base: Url, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabiya.formats.jose.writer._PATIENCE_SECONDS", 0)
    with tabiya.create(location(base), collection="a") as writer:
        with pytest.raises(UsageError, match="another import into this database is running"):
            tabiya.create(location(base), collection="b")
        writer.write(batch_of([{"white": "A"}]))
    assert not write(base, batch_of([{"white": "B", "result": 0}]), collection="b")


def test_games_that_no_packet_takes_are_left_out(base: Url) -> None:
    long = Game(Tags({"White": "Long", "Result": "*"}))
    long.root.add("e4").annotations = [Annotation(TEXT_AFTER, b"x" * (17 << 20))]
    losses = write(base, [long, Game(Tags({"White": "Short", "Result": "*"}))])
    assert [(loss.what, loss.first_game) for loss in losses] == [("jose-game", 1)]
    assert [game.tags["White"] for game in read(base)] == ["Short"]


def test_damaged_texts_that_are_no_characters(base: Url) -> None:
    game = decode_game_text(b"\x13\xe0\x9f\xff", b"K\xf6nig\0", strict=False)
    assert [loss.what for loss in write(base, game)] == ["jose-damage"]
    (found,) = read(base)
    assert found.root.children[0].text == "König"


def test_a_connection_that_is_lost_while_reading(base: Url) -> None:
    write(base, batch_of(plain_rows(10)))
    with tabiya.open(location(base)) as database:
        with connect(base) as other, other.cursor() as cursor:
            cursor.execute(f"KILL {database._server.value('SELECT CONNECTION_ID()')}")  # type: ignore[attr-defined]
        for _ in range(2):
            with pytest.raises(TabiyaError, match=r"the server reports: .*(lost|gone|kill)"):
                list(database)


def test_another_import_does_not_go_on(base: Url) -> None:
    writer = tabiya.create(location(base))
    writer.write(batch_of([{"moves": tape("e2e4")}]))
    writer._server.close()  # type: ignore[attr-defined]
    writer.close()
    with pytest.raises(UsageError, match="interrupted import of other games"):
        write(base, batch_of([{"moves": tape("d2d4")}, {}]))


def test_commands_do_not_show_passwords(base: Url) -> None:
    """The server of the tests has no grant tables: it takes any password."""
    secret = location(replace(base, password="hunter2"))
    assert "hunter2" in secret
    for command in (
        ("convert", ROOT / "tests" / "data" / "jose" / "games.pgn", secret),
        *(("info", secret), ("info", secret, "--json"), ("verify", secret), ("verify", secret, "--json")),
        *(("list", secret), ("show", secret, "1"), ("diff", secret, f"{secret}&collection=collection.trash")),
        ("convert", secret, "-", "--to", "pgn"),
    ):
        done = CliRunner().invoke(app, [str(part) for part in command])
        assert done.exit_code in (0, 1), done.output
        assert "hunter2" not in done.stdout + done.stderr, command


class TestErrors:
    def test_no_tables(self) -> None:
        with fresh_base(None) as url:
            for use in (tabiya.open, tabiya.create):
                with pytest.raises(UsageError, match="is not a jose database"):
                    use(location(url))

    def test_no_base(self, base: Url) -> None:
        with pytest.raises(TabiyaError, match="the server reports"):
            tabiya.open(location(base).replace(base.path, "nowhere"))

    def test_unknown_options(self) -> None:
        with pytest.raises(
            UsageError, match="an option that is not known; known: unix_socket, defaults_file, collection"
        ):
            tabiya.open("mysql://me@localhost/jose?speed=9")

    def test_passwords_are_not_shown(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MYSQL_PWD", "from the environment")
        for text in ("mysql://me:secret@127.0.0.1:1/jose", "mariadb://me@127.0.0.1:1/jose"):
            with pytest.raises(TabiyaError) as caught:
                tabiya.open(text)
            result = repr(caught.value) + str(caught.value) + str(caught.value.__cause__)
            assert "secret" not in result
            assert "from the environment" not in result
            assert "@127.0.0.1:1/jose" in result

    @pytest.mark.parametrize(
        "text",
        [
            "password=hunter2",
            "[client]\nport=hunter2",
            "[client]\npassword=hunter2\xff",
            "[client]\n[client]\nx=hunter2",
        ],
    )
    def test_option_files_that_are_none(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "my.cnf").write_bytes(text.encode("latin-1"))
        with pytest.raises(UsageError, match="the driver rejects") as caught:
            tabiya.open(f"mysql://me@127.0.0.1/jose?defaults_file={tmp_path}/my.cnf")
        assert "hunter2" not in "".join(traceback.format_exception(caught.value))

    def test_an_option_file_that_is_missing(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match=r"my\.cnf' is missing"):
            tabiya.open(f"mysql://me@127.0.0.1:1/jose?defaults_file={tmp_path}/my.cnf")

    def test_hosts_that_nothing_can_be_called(self) -> None:
        with pytest.raises(UsageError, match="the driver rejects"):
            tabiya.open(f"mysql://me:secret@{70 * 'h'}/jose")

    def test_dates_that_are_a_day_early(self, base: Url) -> None:
        write(base, batch_of([{"year": 1999}, {"year": 2001, "month": 5}, {"year": 2000, "month": 2, "day": 28}]))
        rows(base, "UPDATE Game SET GameDate = DATE_SUB(GameDate, INTERVAL 1 DAY)")
        with tabiya.open(location(base)) as database:
            assert [problem.code for problem in database.problems] == [165]
        with tabiya.open(location(base), shift_dates=True) as database:
            assert database.problems == ()
            assert [game.tags["Date"] for game in database] == ["1999.??.??", "2001.05.??", "2000.02.28"]


@pytest.mark.skipif("TABIYA_MYSQL" not in os.environ, reason="needs a server")
def test_values_are_never_part_of_a_statement(base: Url) -> None:
    nasty = "'; DROP TABLE Game; -- \\ %s %(x)s {}"
    game = Game(Tags({"White": nasty, "Event": nasty, "Round": "'\"\\", "Result": "*"}))
    game.root.add("e4").annotations = [Annotation(TEXT_AFTER, nasty.encode())]
    write(base, game, collection=nasty[:60])
    assert_same(read(base, collection=nasty[:60]), [game])
