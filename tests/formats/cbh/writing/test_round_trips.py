"""Whole databases at random, with hostile names and texts: what is not reported lost arrives, and then stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.formats.cbh.checking import check_base
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.game import Annotation, Extra, Game, GuidingText, RecordKind, Tags, difference
from tabiya.game.annotations import decode_payload
from tests.formats.cbh import plain_cbh
from tests.strategies import games as any_games
from tests.strategies import records as any_records
from tests.strategies import texts

plain_texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)

# Tags that a base has a place for, in their order there; odd values now and then.
_TAGS = (
    *(("Event", plain_texts), ("Site", plain_texts), ("White", plain_texts), ("Black", plain_texts)),
    ("Date", st.sampled_from(["2023.05.01", "2023.??.??", "0001.01.01", "4095.12.31"])),
    ("Round", st.sampled_from(["1", "5.2", "?.4", "255.255", "-", "300"])),
    ("Result", st.sampled_from(["1-0", "0-1", "1/2-1/2", "line", "+:-", "-:+", "=:=", "0-0"])),
    ("WhiteElo", st.integers(1, 65535).map(str)),
    ("BlackElo", st.integers(1, 65535).map(str)),
    ("ECO", st.sampled_from(["A00", "E99", "C60", "F00"])),
    ("Annotator", plain_texts),
    ("EventDate", st.sampled_from(["2023.05.01", "2000.??.??"])),
    ("EventType", st.sampled_from(["swiss", "k.o. (rapid)", "team (corr)", "golf"])),
    ("EventRounds", st.integers(1, 300).map(str)),
    ("EventCountry", st.sampled_from(["SWE", "NET", "XXX"])),
    ("EventCategory", st.integers(1, 300).map(str)),
    ("SourceTitle", plain_texts),
    ("Source", plain_texts),
    ("SourceDate", st.sampled_from(["2023.05.01", "x"])),
    ("SourceQuality", st.sampled_from(["1", "2", "300"])),
    ("WhiteTeam", plain_texts),
    ("WhiteTeamCountry", st.just("NOR")),
    ("BlackTeam", plain_texts),
)


@st.composite
def base_tags(draw: st.DrawFn) -> Tags:
    chosen = draw(st.sets(st.sampled_from([name for name, _ in _TAGS])))
    return Tags([(name, draw(values)) for name, values in _TAGS if name in chosen])


_EXTRAS = (
    ("cbh.line_evaluation", st.integers(1, 255)),
    ("cbh.medals", st.integers(1, 65535)),
    ("cbh.unknown_74", st.integers(1, 2**32 - 1)),
    ("cbh.version", st.integers(2, 65535)),
    ("cbh.created", st.integers(1, 2**64 - 1)),
    ("cbh.saved", st.integers(1, 2**64 - 1)),
    ("cbh.top_game", st.sampled_from([2, 3])),
    ("cbh.event_team", st.integers(1, 255)),
    ("cbh.event_unknown_77", st.integers(1, 255)),
    ("cbh.event_latitude", st.floats(-90, 90).filter(bool).map(repr)),
    ("cbh.white_team_number", st.integers(1, 2**32 - 1)),
    ("cbh.tag_english", plain_texts.filter(bool)),
)


@st.composite
def base_records(draw: st.DrawFn) -> Game:
    """Records as ChessBase has them: games and guiding texts with details."""
    game = draw(any_games(tags=base_tags()))
    if draw(st.integers(0, 4)) == 0:
        tags = Tags([(name, text) for name, text in game.tags.items() if name.startswith(("Event", "Sou", "Ann"))])
        game = Game(tags)
        game.kind = RecordKind.TEXT
        version = draw(st.integers(1, 3))
        game.texts = draw(
            st.lists(st.builds(GuidingText, st.integers(0, 7), plain_texts, st.just(version), st.binary()), max_size=3)
        )
    game.deleted = draw(st.booleans())
    chosen = draw(st.sets(st.sampled_from([name for name, _ in _EXTRAS]), max_size=4))
    game.extras = [Extra(name, str(draw(values)).encode()) for name, values in _EXTRAS if name in chosen]
    for kind in draw(st.lists(st.sampled_from([0x04, 0x05, 0x07, 0x18, 0x22, 0x23, 0x25]), max_size=3)):
        if game.kind == RecordKind.GAME:
            payload = draw(st.binary(max_size=12))
            game.annotations.append(Annotation(kind, decode_payload(kind, payload).data))
    return game


def write(path: Path, records: list[Game]) -> tabiya.LossReport:
    with tabiya.create(path, overwrite=True) as writer:
        writer.write(records)
    return writer.losses


def read(path: Path) -> list[Game]:
    with tabiya.open(path) as base:
        return list(base)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bases")


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(base_records(), any_records()), max_size=6))
def test_whole_databases(folder: Path, records: list[Game]) -> None:
    """A base of anything is sound, for the plain decoder and for the inspector; a copy of it is equal, without loss."""
    first, second = folder / "first.cbh", folder / "second.cbh"
    write(first, records)
    found = plain_cbh.read(first)[0]
    games = read(first)
    assert len(found) == len(games)
    assert [(each.is_text, each.deleted) for each in found] == [(g.kind == RecordKind.TEXT, g.deleted) for g in games]
    base = tabiya.open(first)
    assert isinstance(base, CbhDatabase)
    with base:
        assert [str(each) for each in check_base(base)] == []
    report = tabiya.convert(first, second, overwrite=True)
    assert not report.losses
    assert [difference(a, b) for a, b in zip(games, read(second), strict=True)] == [[]] * len(games)


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(base_records(), any_records()))
def test_what_is_not_reported_lost_arrives(folder: Path, record: Game) -> None:
    losses = write(folder / "one.cbh", [record])
    found = read(folder / "one.cbh")
    if not losses:
        # The number of a start position of Chess960 follows from the position: a record need not bring it.
        given = {extra.key for extra in record.extras}
        found[0].extras = [e for e in found[0].extras if e.key in given or e.key != "cbh.chess960_number"]
        assert difference(record, found[0]) == []
    if not found:
        assert losses


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(base_records(), max_size=5))
def test_through_pgn(folder: Path, records: list[Game]) -> None:
    """From the base on, nothing gets lost on the way through PGN and back."""
    first, there, back = folder / "a.cbh", folder / "b.pgn", folder / "c.cbh"
    write(first, records)
    if tabiya.convert(first, there, overwrite=True).losses:
        return
    assert not tabiya.convert(there, back, overwrite=True).losses
    assert [difference(a, b) for a, b in zip(read(first), read(back), strict=True)] == [[]] * len(read(first))


@settings(max_examples=40)
@given(texts, texts, texts)
def test_hostile_names(folder: Path, white: str, event: str, team: str) -> None:
    game = Game({"White": white, "Event": event, "WhiteTeam": team, "Result": "1-0"})
    losses = write(folder / "names.cbh", [game])
    plain_cbh.read(folder / "names.cbh")
    if not losses:
        assert difference(game, read(folder / "names.cbh")[0]) == []
