"""What is known about the sample bases, from their makers' tests and from looking at them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tabiya
from tabiya.binary import Layout
from tabiya.chessbase.rating_types import RatingType
from tabiya.chessbase.tournament_types import TournamentFlag
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.files import cbh, cbj
from tabiya.game import Game
from tabiya.game.record import RecordKind, Result
from tabiya.game.tag_values import Date

Samples = Callable[[str], Path]

COUNTS = {
    "twic1134": (6117, 0, 0),
    "small": (0, 0, 0),
    "World-ch": (1025, 13, 0),
    "hedgehog": (204, 27, 0),
    "veryold": (7, 0, 0),
    "cbhlib_test": (18, 1, 4),
    "cb12": (1, 0, 0),
    "cbmplayertest": (8, 0, 0),
    "text": (1, 9, 0),
    "test-annotations": (6, 0, 0),
    "cbh_test": (4, 0, 0),
    "cbh_cbj_test": (4, 0, 0),
    "shorter_cbj_test": (4, 0, 0),
}
"""Games, guiding texts, and how many are deleted."""


def opened(samples: Samples, name: str) -> CbhDatabase:
    database = tabiya.open(samples(f"cbh/{name}"))
    assert isinstance(database, CbhDatabase)
    return database


def extra(game: Game, key: str) -> str | None:
    return next((each.value.decode() for each in game.extras if each.key == f"cbh.{key}"), None)


@pytest.mark.parametrize("name", COUNTS)
def test_counts(samples: Samples, name: str) -> None:
    games, texts, deleted = COUNTS[name]
    with opened(samples, name) as base:
        kinds: Counter[int] = Counter()
        found = 0
        for batch in base.headers():
            kinds.update(batch["kind"].to_pylist())
            found += batch["deleted"].true_count
        assert (kinds[RecordKind.GAME], kinds[RecordKind.TEXT], found) == (games, texts, deleted)
        assert len(base) == games + texts


@pytest.mark.parametrize("name", COUNTS)
def test_every_record_is_decoded(samples: Samples, name: str) -> None:
    """Without problems; but World-ch has no moves."""
    with opened(samples, name) as base:
        codes: Counter[int] = Counter()
        records = 0
        for batch in base.batches():
            batch.record_batch.validate(full=True)
            records += len(batch)
            codes.update(batch.record_batch["problems"].flatten().field("code").to_pylist())
        assert records == len(base)
        assert codes == ({100: 1025, 126: 13} if name == "World-ch" else {})


def test_what_is_missing_is_named(samples: Samples) -> None:
    problems = {}
    for name in COUNTS:
        with opened(samples, name) as base:
            problems[name] = [(problem.code, problem.text) for problem in base.problems]
    assert {name: found for name, found in problems.items() if found} == {
        "World-ch": [(120, "World-ch.cbg")],
        "cbh_test": [(120, "cbh_test.cbj")],
        "shorter_cbj_test": [(121, ".cbj has records for 3 of 4 games")],
    }


def test_headers_byte_by_byte(samples: Samples) -> None:
    paths = sorted(samples("cbh").rglob("*.cbh"))
    assert len(paths) > 15
    for path in paths:
        data = path.read_bytes()
        assert cbh.HEADER.encode(cbh.HEADER.decode(data[:46])) == data[:46]
        records = cbh.GAME.view(data, 46)
        for record in np.unique(records):
            layout: Layout = cbh.TEXT if record["marks"] & 2 else cbh.GAME
            assert layout.encode(layout.decode(record.tobytes())) == record.tobytes()
    for path in sorted(samples("cbh").rglob("*.cbj")):
        layout, stored = cbj.records_of(path.read_bytes())
        for record in stored[:300]:
            assert layout.encode(layout.decode(record.tobytes())) == record.tobytes()


def test_many_headers(samples: Samples) -> None:
    with tabiya.open(samples("cbh/vectors/headers/many_headers.cbh")) as base:
        assert len(base) == 15_000
        assert sum(len(batch) for batch in base.headers()) == 15_000


class TestFeatureBase:
    """cbhlib_test, made by hand in ChessBase."""

    def test_game_1(self, samples: Samples) -> None:
        with opened(samples, "cbhlib_test") as base:
            game = base[0]
        assert game.tags["White"] == "Simple game"
        assert game.result is Result.WHITE_WINS
        assert [node.san for node in game.mainline()] == ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]

    def test_game_2(self, samples: Samples) -> None:
        with opened(samples, "cbhlib_test") as base:
            game = base[1]
            white_team = base.teams.find("Rockaden")[0]
            event = base.tournaments.find("Swedish Ch")[0]
            source = base.sources.find("Test source")[0]
        tags = game.tags
        assert (tags["White"], tags["WhiteElo"], tags["Black"], tags["BlackElo"]) == (
            "Mårdell, Jimmy",
            "2150",
            "Doe, John",
            "2000",
        )
        assert (game.result, extra(game, "line_evaluation")) == (Result.LINE, "44")  # compensation
        assert (tags["ECO"], tags["Round"], tags["Date"], tags["Annotator"]) == ("A00", "1.2", "2016.05.09", "Jimmy")
        assert (tags["WhiteTeam"], tags["WhiteTeamCountry"], tags["BlackTeam"]) == (
            "SK Rockaden Umeå",
            "SWE",
            "Test Team",
        )
        assert (white_team.number, white_team.season, white_team.year, white_team.nation) == (2, True, 2016, "SWE")
        assert (source.publisher, source.publication, source.date, source.version, source.quality) == (
            "Test publisher",
            Date(2016, 5, 6),
            Date(2016, 5, 9),
            3,
            "medium",
        )
        assert (event.place, event.date, event.category, event.nation, event.rounds, event.type, event.games) == (
            "Stockholm",
            Date(2016, 5, 9),
            20,
            "SWE",
            4,
            "k.o. (rapid)",
            2,
        )
        assert event.team
        assert event.flags == TournamentFlag.BOARD_POINTS | TournamentFlag.THREE_POINTS

    def test_rating_types(self, samples: Samples) -> None:
        with opened(samples, "cbhlib_test") as base:
            game = base[1]
        assert extra(game, "white_rating_type") is None  # the usual one: international, normal
        black = RatingType.decode(bytes.fromhex(extra(game, "black_rating_type") or ""))
        assert (black.kind, black.pace, black.nation) == ("national", "blitz", 134)

    def test_deleted(self, samples: Samples) -> None:
        with opened(samples, "cbhlib_test") as base:
            assert base[3].deleted
            assert not base[4].deleted
            assert [team.number for team in base.teams if "Rockaden" in team.name] == [0, 2]


def test_tags_and_teams(samples: Samples) -> None:
    with opened(samples, "cbh_cbj_test") as base:
        games = list(base)
        assert base.game_tags[0].titles == {}
        assert extra(games[1], "tag_english") == base.game_tags[1].titles["english"]
        assert extra(games[0], "tag_english") is None
        assert games[3].tags["WhiteTeam"] == base.teams[2].name
        white = RatingType.decode(bytes.fromhex(extra(games[3], "white_rating_type") or ""))
        assert (white.kind, white.nation) == ("national", 134)


def test_missing_records_have_defaults(samples: Samples) -> None:
    with opened(samples, "shorter_cbj_test") as base:
        games = list(base)
    assert extra(games[2], "created") is not None
    assert games[3].extras == []


def test_texts(samples: Samples) -> None:
    with opened(samples, "text") as base:
        records = list(base)
    first = records[0]
    assert first.texts[0].title == "My first text"
    assert b"Simple text in English" in first.texts[0].body
    assert first.tags["Annotator"] == "Mårdell, Jimmy"
    assert (records[2].tags["Event"], records[2].tags["Round"]) == ("Stockholm", "3")
    titles = [[text.title for text in record.texts if text.title] for record in records]
    assert ["Staunton", "German title", "Fra title", "Esp title", "Ita title", "Ned title"] in titles
    assert sum(extra(record, "media") is not None for record in records) == 2


def test_world_championships(samples: Samples) -> None:
    with opened(samples, "World-ch") as base:
        # Eleven records name a manifest, but one of these has been wiped.
        assert sum(extra(game, "media") is not None for game in base) == 10
        placed = next(game for game in base if extra(game, "event_latitude"))
        assert extra(placed, "event_longitude") is not None
        assert len(base.game_tags) == 2
        assert base.text_encoding.page == "cp1252"


def test_code_pages(samples: Samples) -> None:
    with opened(samples, "hedgehog") as base:
        assert base.text_encoding.page == "cp1251"
        assert base.header["next_picture"] == 9
        assert len(base.teams) == 27
    with opened(samples, "twic1134") as base:
        assert (base.name_encoding.page, base.title) == ("utf-8", "TWIC 1134")
        assert len(base.teams) == 133
    with opened(samples, "veryold") as base:
        assert base.details()["generation"] == "ChessBase 6 to 8"


def test_a_folder_holds_a_base(samples: Samples) -> None:
    with tabiya.open(samples("cbh/veryold")) as base:
        assert base.path == samples("cbh/veryold/Mate2.cbh")
