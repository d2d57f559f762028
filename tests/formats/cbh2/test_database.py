"""2CBH databases: how they are found and opened, their headers, entities and texts, and damage to their files."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

import pyarrow as pa
import pytest

import tabiya
from tabiya.errors import CorruptError, FormatError, MissingFileError, UnsupportedError, UsageError
from tabiya.formats import HEADER_SCHEMA, Match
from tabiya.formats.cbh2 import CBH2
from tabiya.formats.cbh2.database import Cbh2Database
from tabiya.formats.cbh2.rating_types import RatingType, classic_form
from tabiya.game import Game, RecordKind
from tabiya.game.record import Result
from tests.formats.cbh2.by_hand import Handmade, changed, player, record, source, string, titles, total, tournament
from tests.formats.cbh2.spelling import spell
from tests.formats.cbh2.test_words import VECTORS
from tests.formats.suite import make_batches_tiny

GAME = spell("moves Pe2e4 pe7e5 Ng1f3 end")


def base_of(headers: int = 1) -> Handmade:
    base = Handmade()
    for _ in range(headers):
        base.add(GAME)
    return base


def opened(path: Path) -> Cbh2Database:
    database = tabiya.open(path)
    assert isinstance(database, Cbh2Database)
    return database


def with_header(changes: dict[int, bytes], folder: Path) -> Game:
    """The game of a header with some bytes changed."""
    base = base_of()
    for place, new in changes.items():
        base.headers[0] = changed(base.headers[0], place, new)
    with tabiya.open(base.write(folder / "games")) as database:
        return database[0]


def extras(game: Game) -> dict[str, str]:
    return {extra.key: extra.value.decode() for extra in game.extras}


class TestOpening:
    @pytest.mark.parametrize("stem", ["games", "ChessBase 17.2", "a.2cbg", "GÄMES"])
    def test_by_any_file_and_by_stem(self, stem: str, tmp_path: Path) -> None:
        base_of().write(tmp_path / stem)
        Path(tmp_path / f"{stem}.2lcd").write_bytes(b"")
        for suffix in (".2cbh", ".2cbg", ".2cba", ".2lid", ".2lcd", ""):
            with opened(tmp_path / f"{stem}{suffix}") as database:
                assert len(database) == 1
                assert database.path == tmp_path / f"{stem}.2cbh"
                assert len(database.files) == 5

    def test_suffixes_in_capitals(self, tmp_path: Path) -> None:
        path = base_of().write(tmp_path / "games")
        for suffix in (".2cbh", ".2cbg", ".2cba", ".2lid"):
            Path(path.with_suffix(suffix)).rename(tmp_path / f"GAMES{suffix.upper()}")
        with opened(tmp_path / "GAMES.2CBH") as database:
            assert database[0].tags["White"] == "Carlsen, Magnus"
            assert database.problems == ()

    def test_by_folder(self, tmp_path: Path) -> None:
        base_of().write(tmp_path / "one")
        with opened(tmp_path) as database:
            assert len(database) == 1
        base_of().write(tmp_path / "two")
        with tabiya.open(tmp_path) as both:
            assert (both.format.name, len(both)) == ("collection", 2)

    def test_recognised_by_content(self, tmp_path: Path) -> None:
        path = base_of().write(tmp_path / "games")
        head = path.read_bytes()
        assert CBH2.sniff(head, None) is Match.CERTAIN
        assert CBH2.sniff(head[:100], None) is Match.NO
        other = path.rename(tmp_path / "games.bin")
        with opened(other) as database:
            assert len(database) == 1
            assert [problem.code for problem in database.problems] == []

    def test_what_is_none(self, tmp_path: Path) -> None:
        bad = tmp_path / "bad.2cbh"
        bad.write_bytes(bytes(100))
        with pytest.raises(CorruptError, match="not the header of a 2CBH database"):
            tabiya.open(bad)
        (tmp_path / "lonely.2cbg").write_bytes(bytes(12))
        with pytest.raises(FormatError, match=r"lonely\.2cbh is missing"):
            tabiya.open(tmp_path / "lonely.2cbg")
        with pytest.raises(MissingFileError):
            tabiya.open(tmp_path / "none.2cbh")

    def test_writing_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(UnsupportedError, match=r"can be read but not written: .* not fully known"):
            tabiya.create(tmp_path / "new.2cbh")
        assert list(tmp_path.iterdir()) == []

    def test_version_3_and_others(self, tmp_path: Path) -> None:
        base = base_of()
        base.version = 3
        with opened(base.write(tmp_path / "old")) as database:
            assert (database.header["version"], database.problems, len(list(database))) == (3, (), 1)
        path = base_of().write(tmp_path / "new")
        path.write_bytes(changed(path.read_bytes(), 13, b"\x09"))
        with opened(path) as database:
            assert [problem.code for problem in database.problems] == [228]
            assert len(list(database)) == 1


class TestReading:
    @pytest.fixture
    def database(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cbh2Database:
        make_batches_tiny(monkeypatch)
        base = base_of(20)
        base.add_text(struct.pack("<Hii", 5, 4, 0))
        base.add_analysis(GAME)
        base.add(spell("start 5 0 0 Ke1 ke8 moves Ke1e2 end"))
        base.headers[-1] = changed(base.headers[-1], 0x84, b"\1")
        return opened(base.write(tmp_path / "games"))

    def test_batches_headers_and_single_games_agree(self, database: Cbh2Database) -> None:
        games = list(database)
        assert [database[number] for number in range(len(database))] == games
        assert [game.kind for game in games[-3:]] == [RecordKind.TEXT, RecordKind.GAME, RecordKind.GAME]
        for threads in (1, 2, 3):
            batches = [batch.record_batch for batch in database.batches(threads=threads)]
            assert len(batches) > 5
            wanted = pa.Table.from_batches([batch.select(HEADER_SCHEMA.names) for batch in batches])
            headers = pa.Table.from_batches(list(database.headers(threads=threads)), HEADER_SCHEMA)
            assert headers.to_pylist() == wanted.to_pylist()

    def test_closed(self, database: Cbh2Database) -> None:
        database.close()
        with pytest.raises(UsageError, match="closed"):
            len(database)

    def test_an_analysis_is_a_game_without_players(self, database: Cbh2Database) -> None:
        game = database[-2]
        assert ("White" in game.tags, "Black" in game.tags, game.result) == (False, False, None)
        assert extras(game)["2cbh.kind"] == "2"
        assert game.problems == []
        assert [node.san for node in game.mainline()] == ["e4", "e5", "Nf3"]


class TestHeaders:
    def test_tags(self, tmp_path: Path) -> None:
        game = with_header(
            {
                0x5A: struct.pack("<hhh", 7, 2, 3),
                0x60: struct.pack("<h", 2850),
                0x62: bytes.fromhex("0100010000004649444500000000"),
                0x80: struct.pack("<H", 129 << 7 | 5),
                0xBC: struct.pack("<i", 2024 << 9 | 5 << 5 | 17),
            },
            tmp_path,
        )
        tags = dict(game.tags)
        assert tags["White"] == "Carlsen, Magnus"
        assert tags["Black"] == "Caruana, Fabiano"
        assert (tags["Event"], tags["Site"], tags["Date"], tags["Round"]) == ("Casual", "Oslo", "2024.05.17", "7.2")
        assert (tags["Board"], tags["WhiteElo"], tags["ECO"], tags["WhiteFideId"]) == ("3", "2850", "B28", "1503014")
        assert game.result == Result.WHITE_WINS
        assert extras(game) == {"cbh.eco_sub": "5"}

    def test_extras(self, tmp_path: Path) -> None:
        stamp = VECTORS["header_tags_in_chessbase_pgn"][0]["GameId"]
        game = with_header(
            {
                0x01: b"\x09",
                0x03: b"\x05",
                0x59: b"\x12",
                0x82: struct.pack("<HI", 0x200, 1 << 30),
                0x8C: struct.pack("<III", 4096, 64, 7),
                0x98: struct.pack("<qQ", stamp, 12345),
                0xA8: bytes.fromhex("0100000000020000"),
                0xB0: struct.pack("<Q", 8249579424798),
                0xB8: struct.pack("<i", 4),
            },
            tmp_path,
        )
        assert extras(game) == {
            "2cbh.unknown_1": "9",
            "2cbh.marks_again": "5",
            "cbh.line_evaluation": "18",
            "cbh.medals": "512",
            "cbh.flags": str(1 << 30),
            "cbh.material": "4096 64",
            "2cbh.unknown_148": "7",
            "cbh.created": str(stamp >> 12),
            "2cbh.created": str(stamp),
            "cbh.saved": "12345",
            "2cbh.endgames": str(1 | 2 << 40),
            "2cbh.classification": "8249579424798",
            "cbh.version": "4",
        }

    def test_stamps_of_converted_bases(self, tmp_path: Path) -> None:
        game = with_header({0x98: struct.pack("<q", 1 << 38)}, tmp_path)
        assert extras(game) == {"cbh.created": str(1 << 38)}

    def test_deletion_and_marks(self, tmp_path: Path) -> None:
        assert with_header({0: b"\x81"}, tmp_path).deleted
        game = with_header({0: b"\x00"}, tmp_path)
        assert [problem.code for problem in game.problems] == [241]

    @pytest.mark.parametrize(("code", "result"), [(0, 1), (1, 3), (3, None), (4, None), (7, None), (9, None)])
    def test_results(self, code: int, result: int | None, tmp_path: Path) -> None:
        game = with_header({0x58: bytes([code])}, tmp_path)
        assert (extras(game).get("cbh.result") == str(code)) == (code > 7)
        assert result is None or game.result is not None


@pytest.mark.parametrize(("data", "meaning"), VECTORS["rating_types"].items())
def test_published_rating_types(data: str, meaning: str) -> None:
    kind, pace, name = meaning.split(" (")[0].split(" ")
    found = RatingType.decode(bytes.fromhex(data))
    names = {"CB": "CB", "chess.com": "chess.co", "LiChess": "LiChess"}
    pace = {"corr": "correspondence"}.get(pace, pace)
    assert (found.kind, found.pace, found.name) == (kind, pace, names.get(name, name))
    assert (classic_form(bytes.fromhex(data)) is None) == (kind == "server")


def test_rating_types_in_a_game(tmp_path: Path) -> None:
    blitz, server = "1100020000004649444500000000", "13000c00c40063686573732e636f"
    changes = {0x60: b"\1\1" + bytes.fromhex(blitz), 0x70: b"\1\1" + bytes.fromhex(server)}
    found = extras(with_header(changes, tmp_path))
    assert found == {"cbh.white_rating_type": "000100020046494445", "2cbh.black_rating_type": server}


class TestEntities:
    def test_published_entities(self, tmp_path: Path) -> None:
        data = {each["type"]: each for each in VECTORS["entities"] if "bytes" in each}
        base = base_of()
        base.entities[0][0] = bytes.fromhex(data["player"]["bytes"])[4:]
        base.entities[2][0] = bytes.fromhex(data["source"]["bytes"])[4:]
        with opened(base.write(tmp_path / "games")) as database:
            assert (database.players[0].last, database.players[0].first) == ("Mårdell", "Jimmy")
            found = database.sources[0]
            assert (found.name, found.publisher, str(found.publication)) == ("MainBase", "ChessBase", "1999.07.01")
            assert (found.version, found.quality) == (2, "high")
            game = database[0]
            assert game.tags["White"] == "Mårdell, Jimmy"
            assert [game.tags[name] for name in ("SourceTitle", "Source", "SourceVersion")] == [
                "MainBase",
                "ChessBase",
                "2",
            ]

    def test_the_published_tournament(self, tmp_path: Path) -> None:
        head = bytes.fromhex("34c20e0002002200000311008e29b941c3dba4c2")
        base = base_of()
        event = tournament("World-ch02 Steinitz-Chigorin +10-6=1", "Havana", head=head, end=0x0EC258)
        assert len(event) == 158
        base.entities[1] = [event]
        with opened(base.write(tmp_path / "games")) as database:
            found = database.tournaments[0]
            assert (found.name[:10], found.place, str(found.date), str(found.end_date)) == (
                *("World-ch02", "Havana", "1889.01.20", "1889.02.24"),
            )
            assert (found.type, found.nation, found.rounds, found.flags) == ("match", "CUB", 17, 3)
            game = database[0]
        assert game.tags["EventDate"] == "1889.01.20"
        found_extras = extras(game)
        assert float(found_extras["cbh.event_latitude"]) == pytest.approx(23.1453, abs=1e-4)
        assert float(found_extras["cbh.event_longitude"]) == pytest.approx(-82.4292, abs=1e-4)
        assert found_extras["cbh.event_end"] == "1889.02.24"
        assert not [key for key in found_extras if key.startswith("2cbh.")]

    @pytest.mark.parametrize(
        ("vector", "classic"),
        [(0, "160e0a01010101010101"), (1, "cec9cccb010101010101")],
    )
    def test_published_tie_breaks(self, vector: int, classic: str, tmp_path: Path) -> None:
        known = [each for each in VECTORS["entities"] if each["type"] == "tie-breaks"][vector]
        ids = struct.unpack("<" + "H" * (len(known["bytes"].split()) // 2), bytes.fromhex(known["bytes"]))
        base = base_of()
        base.entities[1] = [tournament("x", ties=ids[1:])]
        with opened(base.write(tmp_path / "games")) as database:
            found = extras(database[0])
        assert (found["cbh.event_tie_breaks"], found["cbh.event_tie_breaks_used"]) == (classic, str(ids[0]))

    def test_unknown_tie_breaks_keep_their_numbers(self, tmp_path: Path) -> None:
        base = base_of()
        base.entities[1] = [tournament("x", ties=[3, 99])]
        with opened(base.write(tmp_path / "games")) as database:
            assert extras(database[0]) == {"2cbh.event_tie_breaks": "3 99"}

    def test_a_deleted_entity(self, tmp_path: Path) -> None:
        (vector,) = (each for each in VECTORS["entities"] if each["type"].startswith("deleted"))
        base = base_of()
        base.entities[0][1] = bytes.fromhex(vector["bytes"])[4:]
        with opened(base.write(tmp_path / "games")) as database:
            assert database.players[1].deleted
            assert database.players.find("") == [database.players[0]]
            assert [(problem.code, problem.text) for problem in database[0].problems] == [(240, "player 1")]

    @pytest.mark.parametrize("header_size", [184, 216, 228, 236])
    def test_longer_headers(self, header_size: int, tmp_path: Path) -> None:
        path = base_of().write(tmp_path / "games")
        path.with_suffix(".2lid").write_bytes(base_of().lid(header_size))
        with opened(path) as database:
            assert [each.name for each in database.players] == ["Carlsen, Magnus", "Caruana, Fabiano"]

    def test_find(self, tmp_path: Path) -> None:
        with opened(base_of().write(tmp_path / "games")) as database:
            assert [each.id for each in database.players.find("caruana, FAB")] == [1]
            assert [each.id for each in database.tournaments.find("oslo")] == [0]
            assert repr(database.players) == "<2 players>"
            assert database.players[-1].id == 1
            assert [each.id for each in database.players[:5]] == [0, 1]

    @pytest.mark.parametrize(
        ("name", "encoding"), [("Мечинг Ёж".encode("cp1251"), "cp1251"), ("Müller".encode("cp1252"), "cp1252")]
    )
    def test_names_in_a_code_page(self, name: bytes, encoding: str, tmp_path: Path) -> None:
        base = base_of()
        base.entities[0][0] = player(name)
        with opened(base.write(tmp_path / "games")) as database:
            assert database[0].tags["White"] == name.decode(encoding)
            assert database.details()["code page"] == encoding

    def test_misleading_names_and_odd_data(self, tmp_path: Path) -> None:
        base = base_of()
        base.entities[0] = [player("Smith, Jr.", "John"), player("Doe", "Jane") + b"more"]
        base.entities[4] = [string("Werder Bremen") + struct.pack("<BBHB", 2, 1, 2023, 53)]
        base.entities[5] = [titles(eng="Final", ger="Finale")]
        base.headers[0] = changed(base.headers[0], 0x40, struct.pack("<q", 0))
        with opened(base.write(tmp_path / "games")) as database:
            game = database[0]
            assert (database.teams[0].year, database.teams[0].nation) == (2023, "GER")
            assert database.game_tags[0].titles == {"english": "Final", "german": "Finale"}
        found = extras(game)
        assert game.tags["White"] == "Smith, Jr., John"
        assert (found["cbh.white_first"], bytes.fromhex(found["2cbh.black_data"])[-4:]) == ("John", b"more")
        assert (game.tags["WhiteTeam"], game.tags["WhiteTeamCountry"]) == ("Werder Bremen", "GER")
        assert (found["cbh.white_team_number"], found["cbh.tag_german"]) == ("2", "Finale")

    def test_references_to_nothing(self, tmp_path: Path) -> None:
        for number in (2, -1, 1 << 40):
            game = with_header({0x18: struct.pack("<q", number)}, tmp_path)
            assert [(problem.code, problem.text) for problem in game.problems] == [(229, f"player {number}")]
            assert "White" not in game.tags

    def test_a_damaged_entity(self, tmp_path: Path) -> None:
        base = base_of()
        base.entities[0][0] = string("Carlsen") + b"\xff\0\0\0"
        with opened(base.write(tmp_path / "games")) as database:
            game = database[0]
        assert game.tags["White"] == "Carlsen"
        assert [(problem.code, problem.text) for problem in game.problems] == 2 * [(242, "player 0")]  # annotator, too


def pages(*entries: tuple[int, bytes], version: int = 5) -> bytes:
    """The content of a guiding text."""
    body = b"".join(struct.pack("<ii", code, len(text)) + text for code, text in entries)
    return struct.pack("<Hii", version, 4 + len(body), len(entries)) + body


class TestTexts:
    ALL = tuple((code, b"") for code in (42, 43, 49, 53, 70, 103, 117))

    def read(self, content: bytes, folder: Path) -> Game:
        base = Handmade()
        base.entities[5] = [titles(eng="Report", fra="Rapport")]
        base.add_text(content)
        with tabiya.open(base.write(folder / "games")) as database:
            return database[0]

    def test_languages_and_titles(self, tmp_path: Path) -> None:
        entries = [(code, {42: b"<p>one</p>", 53: b"<p>eins</p>"}.get(code, b"")) for code, _ in self.ALL]
        game = self.read(pages(*entries), tmp_path)
        assert (game.kind, game.problems, extras(game)) == (RecordKind.TEXT, [], {})
        assert [(text.lang, text.title, text.body) for text in game.texts] == [
            (0, "Report", b"<p>one</p>"),
            (1, "", b"<p>eins</p>"),
            (2, "Rapport", b""),
        ]

    def test_the_published_beginning(self) -> None:
        beginning = bytes.fromhex(VECTORS["guiding_text"]["content_start"])
        version, size, count, first, length = struct.unpack("<Hiiii", beginning)
        assert (version, size, count, first, length) == (5, 258, 7, 42, 116)
        assert len(pages(*((code, bytes({42: 116, 53: 82}.get(code, 0))) for code, _ in self.ALL))) == 258 + 6

    @pytest.mark.parametrize(
        ("content", "problems"),
        [
            (pages(*ALL, version=6), [244]),
            (pages((42, b"x"), (42, b"y")), [244]),
            (pages((99, b"x")), [244]),
            (pages(*ALL) + b"more", [244]),
            (pages(*ALL)[:-3], [244]),
            (b"", [244]),
        ],
    )
    def test_unusual_texts_keep_their_bytes(self, content: bytes, problems: list[int], tmp_path: Path) -> None:
        game = self.read(content, tmp_path)
        assert [problem.code for problem in game.problems] == problems
        assert {extra.key: extra.value for extra in game.extras} == {"2cbh.text_original": content}

    def test_other_numbers_of_pages(self, tmp_path: Path) -> None:
        game = self.read(pages((0, b"any"), (42, b"one")), tmp_path)
        assert (game.problems, game.extras) == ([], [])
        assert [(text.lang, text.body) for text in game.texts] == [(0, b"one"), (2, b""), (7, b"any")]

    def test_damaged_frames(self, tmp_path: Path) -> None:
        base = Handmade()
        base.add_text(pages(*self.ALL))
        base.moves[18] ^= 1
        path = base.write(tmp_path / "games")
        with tabiya.open(path) as database:
            assert [problem.code for problem in database[0].problems] == [213]
        path.with_suffix(".2cbg").unlink()
        with tabiya.open(path) as database:
            assert [problem.code for problem in database[0].problems] == [243]


class TestFiles:
    @pytest.mark.parametrize(
        ("suffix", "codes"), [(".2cbg", [210]), (".2cba", []), (".2lid", [])], ids=["moves", "notes", "entities"]
    )
    def test_missing_files(self, suffix: str, codes: list[int], tmp_path: Path) -> None:
        path = base_of().write(tmp_path / "games")
        path.with_suffix(suffix).unlink()
        with opened(path) as database:
            assert [(problem.code, problem.text) for problem in database.problems] == [(226, f"games{suffix}")]
            assert f"games{suffix} is missing" in database.remarks[0]
            game = database[0]
        assert [problem.code for problem in game.problems] == codes
        assert (game.kind is RecordKind.OPAQUE) == (suffix == ".2cbg")
        assert ("White" in game.tags) == (suffix != ".2lid")

    def test_short_files(self, tmp_path: Path) -> None:
        path = base_of(2).write(tmp_path / "games")
        for suffix in (".2cbh", ".2cbg", ".2cba", ".2lid"):
            shorter = tmp_path / "shorter"
            shutil.rmtree(shorter, ignore_errors=True)
            shorter.mkdir()
            for each in path.parent.glob("games.*"):
                shutil.copyfile(each, shorter / each.name)
            file = shorter / f"games{suffix}"
            file.write_bytes(file.read_bytes()[: -4240 if suffix == ".2lid" else -20])
            with opened(shorter / "games.2cbh") as database:
                assert 227 in [problem.code for problem in database.problems]
                assert len(list(database)) == len(database)

    def test_every_prefix_of_every_file_opens_or_is_refused(self, tmp_path: Path) -> None:
        path = base_of(2).write(tmp_path / "games")
        for suffix, step in ((".2cbh", 7), (".2cbg", 3), (".2cba", 5), (".2lid", 331)):
            file = path.with_suffix(suffix)
            data = file.read_bytes()
            for size in range(0, len(data), step):
                file.write_bytes(data[:size])
                try:
                    with tabiya.open(path) as database:
                        assert len(list(database)) == len(database)
                except tabiya.TabiyaError:
                    assert suffix == ".2cbh"
                    assert size < 192
            file.write_bytes(data)

    def test_shared_bodies_are_limited(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from tabiya.chessbase import shared_bodies

        monkeypatch.setattr(shared_bodies, "_FREE_BYTES", 100)
        monkeypatch.setattr(shared_bodies, "_MOST_RATIO", 1)
        base = base_of()
        base.headers = base.headers * 50
        with opened(base.write(tmp_path / "games")) as database:
            found = [[problem.code for problem in game.problems] for game in database]
        assert found[0] == []
        assert found[-1] == [225, 225]


@pytest.mark.parametrize("vector", VECTORS["checksums"][:2] + VECTORS["checksums"][3:], ids=str)
def test_published_checksums(vector: dict[str, str]) -> None:
    from tabiya.formats.cbh2.container import checksum

    if "content_words" in vector:
        content = b"".join(int(word, 16).to_bytes(2, "little") for word in vector["content_words"].split())
    else:
        content = bytes.fromhex(vector["content_bytes"])
    assert checksum(content) == total(content) == bytes.fromhex(vector["stored"])


def test_published_sizes_of_records() -> None:
    sizes = VECTORS["file_sizes_real"]["AutoSave (2 games, v5)"]
    assert sizes["2cbh"] == 3 * 192
    notes = [record(b"\xff\xff\xff\x7f", b"\0\x20", spare) for spare in (198, 194)]
    assert 12 + sum(map(len, notes)) == sizes["2cba"]
    assert source("")[:4] == bytes(4)
