"""Single games of a PGN file: each costs what it should, and is the one that reading from front to back gives."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.formats.pgn import source
from tabiya.formats.pgn.database import PgnDatabase

COUNT = 60
TEXT = "".join(f'[Event "{n}"]\n\n1. e4 {{ {"x" * (n % 7 * 30)}\n\n }} e5 1-0\n\n' for n in range(COUNT))
FILES: dict[str, Callable[[str], bytes]] = {
    "plain": str.encode,
    "with a mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "packed": lambda text: gzip.compress(text.encode()),
}


class Parsed(list[int]):
    """The offsets of the chunks that were parsed, in their order."""


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Parsed:
    monkeypatch.setattr(source, "CHUNK_BYTES", 400)
    monkeypatch.setattr(source, "_BLOCK_BYTES", 64)
    monkeypatch.setattr(source, "_BOUNDARY_BYTES", 100)
    offsets, parse = Parsed(), PgnDatabase._parse

    def counted(database: PgnDatabase, chunk: source.Chunk) -> object:
        offsets.append(chunk.offset)
        return parse(database, chunk)

    monkeypatch.setattr(PgnDatabase, "_parse", counted)
    return offsets


@pytest.fixture(params=FILES.values(), ids=list(FILES))
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_bytes(request.param(TEXT))
    return path


def test_what_stands_behind_is_not_read(path: Path, parsed: Parsed) -> None:
    with tabiya.open(path) as games:
        assert games[2].tags["Event"] == "2"
        assert len(parsed) == 1
        assert [game.number for game in games[:5]] == [1, 2, 3, 4, 5]
        assert games.read(3, 5).record_batch["number"].to_pylist() == [4, 5]
        assert len(parsed) <= 3


def test_a_walk_by_index_parses_everything_once(path: Path, parsed: Parsed) -> None:
    with tabiya.open(path) as games:
        assert [games[n].tags["Event"] for n in range(COUNT)] == [str(n) for n in range(COUNT)]
        assert len(parsed) == len(set(parsed)) > 10
        with pytest.raises(IndexError):
            games[COUNT]


def test_after_the_first_pass_a_game_costs_one_chunk(path: Path, parsed: Parsed) -> None:
    with tabiya.open(path) as games:
        assert len(games) == COUNT
        for index in (40, 3, -1, 25):
            parsed.clear()
            assert games[index].tags["Event"] == str(index % COUNT)
            assert len(parsed) <= 1


def test_plain_files_are_read_from_the_chunk_on(tmp_path: Path, parsed: Parsed) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(TEXT)
    with tabiya.open(path) as games:
        assert len(games) == COUNT
        damaged = TEXT.encode()
        path.write_bytes(b"?" * 2000 + damaged[2000:])  # whoever reads the first games again would lose count
        assert games[COUNT - 2].tags["Event"] == str(COUNT - 2)


def test_streams(parsed: Parsed) -> None:
    games = tabiya.open(io.BytesIO(TEXT.encode()), format="pgn")
    for index in (30, 2, 55, -1, 31):
        assert games[index].tags["Event"] == str(index % COUNT)
    assert [game.number for game in games] == list(range(1, COUNT + 1))
    assert games[30].number == 31


def test_behind_what_was_left_out(tmp_path: Path, parsed: Parsed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LONGEST_GAME", 2000)
    path = tmp_path / "games.pgn"
    path.write_text(TEXT + '[Event "long"]\n\n1. e4 {' + "x" * 9000 + "} *\n\n" + TEXT)
    with tabiya.open(path) as games:
        events = [game.tags["Event"] for game in games]
        assert [games[n].tags["Event"] for n in (0, len(events) - 1, COUNT + 5, COUNT)] == [
            events[n] for n in (0, -1, COUNT + 5, COUNT)
        ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    bounds=st.lists(
        st.tuples(*[st.none() | st.integers(-COUNT - 5, COUNT + 5)] * 2, st.sampled_from([None, 1, 2, -1, -3])),
        min_size=1,
        max_size=4,
    )
)
def test_slices_are_those_of_a_list(
    bounds: list[tuple[int | None, int | None, int | None]], parsed: Parsed, path: Path
) -> None:
    with tabiya.open(path) as games:
        for start, stop, step in bounds:
            expected = slice(start, stop, step)
            assert [game.number for game in games[expected]] == list(range(1, COUNT + 1))[expected]
            assert len(games[expected]) == len(range(COUNT)[expected])
