"""The face of a ChessBase base, on the one made by hand."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import tabiya
from tabiya.errors import CorruptError, FormatError, TabiyaError, UsageError
from tabiya.formats import HEADER_SCHEMA
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.files.base_files import BaseFiles
from tabiya.game import Game
from tabiya.game.record import RecordKind, Result
from tests.formats.cbh import handmade


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return handmade.write(tmp_path)


@pytest.fixture
def base(path: Path) -> Iterator[CbhDatabase]:
    with open_base(path) as database:
        yield database


def open_base(path: Path, **options: Any) -> CbhDatabase:
    database = tabiya.open(path, **options)
    assert isinstance(database, CbhDatabase)
    return database


def extras(game: Game) -> dict[str, bytes]:
    return {extra.key: extra.value for extra in game.extras}


def test_the_fixture_is_what_the_module_gives() -> None:
    files = {path.suffix: path.read_bytes() for path in handmade.FOLDER.glob(f"{handmade.STEM}.*")}
    assert files == handmade.base()


class TestRecords:
    def test_a_game_with_everything(self, base: CbhDatabase) -> None:
        game = base[0]
        assert (game.number, game.kind, game.deleted, game.result) == (1, RecordKind.GAME, False, Result.LINE)
        assert dict(game.tags.items()) == {
            "Event": "Swedish Ch",
            "Site": "Stockholm",
            "Date": "2016.05.09",
            "Round": "1.2",
            "White": "Mårdell, Jimmy",
            "Black": "Doe, John",
            "Result": "line",
            "WhiteElo": "2150",
            "BlackElo": "2000",
            "ECO": "A00",
            "Annotator": "Jimmy",
            "EventDate": "2016.05.09",
            "EventType": "k.o. (rapid)",
            "EventRounds": "4",
            "EventCountry": "SWE",
            "EventCategory": "20",
            "SourceTitle": "Test source",
            "Source": "Test publisher",
            "SourceDate": "2016.05.06",
            "SourceVersion": "3",
            "SourceVersionDate": "2016.05.09",
            "SourceQuality": "2",
            "WhiteTeam": "SK Rockaden Umeå",
            "WhiteTeamCountry": "SWE",
            "BlackTeam": "Test Team",
        }
        assert extras(game) == {
            "cbh.line_evaluation": b"44",
            "cbh.eco_sub": b"5",
            "cbh.medals": b"512",
            "cbh.black_rating_type": b"0002019086",
            "cbh.material": b"33426 4096",
            "cbh.version": b"29",
            "cbh.created": b"240363607580",
            "cbh.saved": b"136822851254587810",
            "cbh.top_game": b"2",
            "cbh.event_team": b"1",
            "cbh.event_flags": b"12",
            "cbh.event_latitude": b"59.32893",
            "cbh.event_longitude": b"18.06491",
            "cbh.event_tie_breaks": b"0bc90101010101010101",
            "cbh.event_tie_breaks_used": b"2",
            "cbh.event_end": b"2016.05.20",
            "cbh.white_team_number": b"2",
            "cbh.white_team_season": b"1",
            "cbh.white_team_year": b"2016",
            "cbh.tag_english": b"English tag",
            "cbh.tag_german": b"German tag",
        }
        assert game.problems == []

    def test_a_deleted_game(self, base: CbhDatabase) -> None:
        game = base[1]
        assert game.deleted
        assert game.start == handmade.SETUP_FEN
        assert game.result is Result.WHITE_WINS_FORFEIT
        assert [game.tags.get(name) for name in ("Date", "Round", "White", "Event")] == [
            "1999.??.??",
            "?.4",
            "Comma, in, Last",
            None,
        ]
        assert extras(game) == {"cbh.white_first": b"Last", "cbh.top_game": b"3"}

    def test_a_text(self, base: CbhDatabase) -> None:
        text = base[2]
        assert text.kind is RecordKind.TEXT
        assert [(each.title, each.body) for each in text.texts] == [("My text", handmade.BODY)]
        assert [text.tags.get(name) for name in ("Event", "Round", "Annotator", "SourceTitle", "White", "Result")] == [
            "Swedish Ch",
            "3",
            "Jimmy",
            "Test source",
            None,
            None,
        ]
        assert extras(text)["cbh.media"] == b"FilesUsed\n1\npicture.jpg\n"

    def test_a_damaged_record(self, base: CbhDatabase) -> None:
        game = base[3]
        assert dict(game.tags.items()) == {"Event": "Gone", "Site": "Nowhere", "White": "Comma, in, Last"}
        assert extras(game) == {
            "cbh.date": str(handmade.date(2020, 13, 1)).encode(),
            "cbh.result": b"9",
            "cbh.eco": str(503 << 7).encode(),
            "cbh.flags": str(1 << 30).encode(),
            "cbh.white_first": b"Last",
            "cbh.event_type": b"105",
        }
        assert [(each.code, each.text) for each in game.problems] == [
            (123, "player 9999"),
            (124, "tournament 2"),
            (123, "annotator 77"),
        ]


class TestFace:
    def test_entities(self, base: CbhDatabase) -> None:
        sizes = [len(each) for each in (base.players, base.tournaments, base.annotators, base.sources, base.teams)]
        assert [*sizes, len(base.game_tags)] == [4, 3, 2, 2, 2, 2]
        assert [player.id for player in base.players.find("mår")] == [0]
        assert base.teams[0].name == "SK Rockaden Umeå"
        assert base.sources[1].quality == "medium"
        assert base.game_tags[0].titles == {"english": "English tag", "german": "German tag"}
        assert base.title == "By hand"

    def test_headers_are_those_of_batches(self, base: CbhDatabase) -> None:
        columns = HEADER_SCHEMA.names
        as_numbers = [f"{name}_code" if name in {"kind", "variant", "result"} else name for name in columns]
        for threads in (1, 3):
            headers = pa.Table.from_batches(base.headers(threads=threads), HEADER_SCHEMA).select(columns)
            table = base.to_arrow(as_numbers, threads=threads).read_all().rename_columns(columns)
            assert headers.to_pylist() == table.to_pylist()
            whole = pa.Table.from_batches([batch.record_batch for batch in base.batches(threads=threads)])
            assert whole.select(columns).to_pylist() == headers.to_pylist()

    def test_headers_touch_bodies_only_for_start_positions(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        requested: list[str] = []
        original = BaseFiles.data

        def data(files: BaseFiles, suffix: str) -> Any:
            requested.append(suffix)
            return original(files, suffix)

        monkeypatch.setattr(BaseFiles, "data", data)
        with open_base(path) as base:
            starts = [start for batch in base.headers() for start in batch["start"].to_pylist()]
            assert starts == [None, handmade.SETUP_FEN, None, None]
            assert ".cba" not in requested
        requested.clear()
        content = path.read_bytes()
        path.write_bytes(content[: 46 * 2 + 39] + bytes(4) + content[46 * 2 + 43 :])  # no flags: no start position
        with open_base(path) as base:
            assert sum(len(batch) for batch in base.headers()) == 4
            assert base.players[0].last == "Mårdell"
        assert not {".cbg", ".cba"} & set(requested)

    def test_single_records_are_those_of_batches(self, base: CbhDatabase) -> None:
        assert list(base) == [base[i] for i in range(len(base))]
        assert [game.number for game in base[1:3]] == [2, 3]

    def test_files_and_problems(self, base: CbhDatabase, path: Path) -> None:
        assert base.files[0] == path
        assert {file.suffix for file in base.files} == set(handmade.base())
        assert [problem.sentence for problem in base.problems] == [
            "a file of the base is shorter than it should be: .cbj has records for 3 of 4 games"
        ]

    def test_details(self, base: CbhDatabase) -> None:
        details = base.details()
        assert details["title"] == "By hand"
        assert details["generation"] == "ChessBase 9 and later"
        assert details["entities"] == "4 players, 2 tournaments, 2 annotators, 2 sources, 2 teams, 2 game tags"
        assert details["wasted in .cbg"] == "7 bytes"
        assert details["code page"] == "cp1252"

    def test_it_can_be_closed(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        base = open_base(path)
        monkeypatch.setattr("tabiya.formats.cbh.database.CbhDatabase._batch_bytes", 1)
        batches = base.batches()
        batch = next(batches)
        base.close()
        base.close()
        with pytest.raises(UsageError, match="closed"):
            len(base)
        with pytest.raises(UsageError, match="closed"):
            base.players.find("a")
        with pytest.raises(UsageError, match="closed"):
            list(batches)
        assert batch[0].tags["White"] == "Mårdell, Jimmy"

    def test_encoding(self, path: Path) -> None:
        with open_base(path, encoding="cp1251") as base:
            assert base[0].tags["White"] == "Mеrdell, Jimmy"
        with pytest.raises(FormatError, match="not the name of a code page"):
            open_base(path, encoding="klingon")


class TestOpening:
    def test_by_any_name(self, path: Path) -> None:
        for place in (path, path.with_suffix(""), path.with_suffix(".cbg"), path.with_suffix(".ini"), path.parent):
            with open_base(place) as base:
                assert (base.path, len(base)) == (path, 4)

    def test_whatever_the_case(self, path: Path) -> None:
        for file in list(path.parent.iterdir()):
            file.rename(file.with_suffix(file.suffix.upper()))
        with open_base(path.with_suffix(".CBH")) as base:
            assert [problem.code for problem in base.problems] == [121]
            assert base[0].tags["WhiteTeam"] == "SK Rockaden Umeå"
        with open_base(path.with_suffix("")) as base:
            assert len(base) == 4

    def test_a_stem_with_dots(self, path: Path) -> None:
        for file in list(path.parent.iterdir()):
            file.rename(file.with_name(f"my.base.v2{file.suffix}"))
        with open_base(path.with_name("my.base.v2")) as base:
            assert (len(base), len(base.files)) == (4, len(handmade.base()))

    def test_content_counts_more_than_the_name(self, path: Path) -> None:
        other = path.with_name("renamed.dat")
        shutil.copyfile(path, other)
        with open_base(other) as base:
            assert len(base) == 4
            assert [problem.code for problem in base.problems] == [120] * 6

    def test_several_bases_in_a_folder(self, path: Path) -> None:
        shutil.copyfile(path, path.with_name("other.cbh"))
        with tabiya.open(path) as alone, tabiya.open(path.parent) as both:
            assert both.format.name == "collection"
            assert len(both) == 2 * len(alone)
            assert both.origin(len(alone) + 1) == (str(path.with_name("other.cbh")), 1)

    def test_a_base_of_the_newer_kind_beside_it(self, path: Path) -> None:
        path.with_suffix(".2cbh").write_bytes(bytes(100))
        for place in (path.parent, path.with_suffix("")):
            with tabiya.open(place) as base:
                assert len(base) == 4

    def test_what_is_no_base(self, tmp_path: Path) -> None:
        with pytest.raises(TabiyaError):
            tabiya.open(tmp_path)
        with pytest.raises(TabiyaError):
            tabiya.open(tmp_path / "missing")
        lonely = tmp_path / "lonely.cbg"
        lonely.write_bytes(bytes(26))
        with pytest.raises(FormatError, match=r"lonely\.cbh is missing"):
            tabiya.open(lonely)
        (tmp_path / "bad.cbh").write_bytes(b"x" * 100)
        with pytest.raises(CorruptError, match="not the header"):
            tabiya.open(tmp_path / "bad.cbh")


class TestMissingFiles:
    @pytest.mark.parametrize("suffix", sorted(set(handmade.base()) - {".cbh"}))
    def test_any_file_may_be_missing(self, path: Path, suffix: str) -> None:
        path.with_suffix(suffix).unlink()
        with open_base(path) as base:
            games = list(base)
            assert len(games) == 4
            missing = [problem.text for problem in base.problems if problem.code == 120]
            needed = {".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs", ".cbj"}
            assert missing == ([f"handmade{suffix}"] if suffix in needed else [])
            assert games[0].tags.get("White") == (None if suffix == ".cbp" else "Mårdell, Jimmy")

    def test_only_headers(self, path: Path) -> None:
        for file in path.parent.iterdir():
            if file != path:
                file.unlink()
        with open_base(path) as base:
            assert [game.tags.get("Date") for game in base] == ["2016.05.09", "1999.??.??", None, None]
            suffixes = (".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs")
            assert [problem.text for problem in base.problems] == [f"handmade{suffix}" for suffix in suffixes]

    def test_stale_boosters_are_named(self, path: Path) -> None:
        path.with_suffix(".cbgi").write_bytes(bytes(4))
        with open_base(path) as base:
            assert [(each.code, each.text) for each in base.problems][1:] == [(122, ".cbgi covers 0 of 4 records")]


def test_batches_are_cut_by_bytes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabiya.formats.cbh.database.CbhDatabase._batch_bytes", 40)
    with open_base(path) as base:
        sizes = [len(batch) for batch in base.batches()]
        assert sizes == [2, 1, 1]
        assert sizes == [len(batch) for batch in base.batches(threads=3)]
        assert [game.number for batch in base.batches(threads=2) for game in batch] == [1, 2, 3, 4]


def test_entities_are_the_same_however_they_are_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are read as a whole, and those too large for that."""
    with open_base(path) as base:
        expected = list(base)
    for most in (100, 0):
        monkeypatch.setattr("tabiya.formats.cbh.reading.header_window._FEW_ENTITIES", 0)
        monkeypatch.setattr("tabiya.formats.cbh.reading.header_window._WHOLE", 0)
        monkeypatch.setattr("tabiya.formats.cbh.reading.header_window._MOST_ENTITIES", most)
        with open_base(path) as base:
            assert list(base) == expected


def test_conversion_to_plain_pgn(path: Path, tmp_path: Path, samples: Callable[[str], Path]) -> None:
    target = tmp_path / "out.pgn"
    tabiya.convert(path, target, profile="plain")
    with tabiya.open(target) as games:
        assert games[0].tags["WhiteTeam"] == "SK Rockaden Umeå"
