"""The reader of 2CBH gives what an independent writer put into a base: the samples of CBH, PGN, and random games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.game import Game, RecordKind
from tests.formats.cbh2 import handmade
from tests.formats.cbh2.reading import differences, needs_reader
from tests.formats.cbh2.writing import write_2cbh

pytestmark = needs_reader

Samples = Callable[[str], Path]


def open_sample(path: Path) -> tuple[list[Game], str]:
    with tabiya.open(path) as database:
        games = list(database)
        return games, database.text_encoding.page  # type: ignore[attr-defined]


MOST_GAMES = 150
"""Of a large sample: the writer is slow."""

CBH_SAMPLES: dict[str, list[tuple[int, str]]] = {
    "cbhlib_test/cbhlib_test.cbh": [],
    "hedgehog/Hedgehog.cbh": [],
    "text/text.cbh": [],
    "libcbh/WithVariations/WithVariations.cbh": [],
    "libcbh/Chess960Corrupt/Corrupt.cbh": [],
    "cbmplayertest/cbmplayertest.cbh": [],
    "test-annotations/test-annotations.cbh": [],
    "veryold/Mate2.cbh": [],
}


@pytest.mark.parametrize("name", CBH_SAMPLES)
@pytest.mark.parametrize("version", [5, 3])
def test_cbh_samples(name: str, version: int, samples: Samples, tmp_path: Path) -> None:
    games, page = open_sample(samples(f"cbh/{name}"))
    written = write_2cbh(games, tmp_path / "a base 1.2", version=version, encoding=page)
    assert written.left_out == CBH_SAMPLES[name]
    assert differences(written, games) == []


def test_all_annotations_of_world_ch(samples: Samples, tmp_path: Path) -> None:
    """The moves of this base are missing, so each annotation gets a null move of its own."""
    games, page = open_sample(samples("cbh/World-ch/World-ch.cbh"))
    records = [on_null_moves(game) if game.kind is RecordKind.OPAQUE else game for game in games]
    written = write_2cbh(records, tmp_path / "base", encoding=page)
    assert differences(written, records) == []


def on_null_moves(game: Game) -> Game:
    """The tags and annotations of a record without moves, one annotation on each null move."""
    found = Game(game.tags)
    found.extras, found.deleted = game.extras, game.deleted
    node = found.root
    for annotation in game.annotations:
        node = node.add(tabiya.Move.NULL)
        node.annotations.append(annotation)
    return found


@pytest.mark.parametrize("place", [0, 1])
def test_handmade(place: int, tmp_path: Path) -> None:
    written = handmade.write(tmp_path)[place]
    games = handmade.records()
    games[0].tags["Board"] = "4"
    analysis = "6: Tag Result differs: 'line' / missing."  # analyses have no result
    assert [each for each in differences(written, games) if each != analysis] == []


PGN_SAMPLES = (
    "annotated/chessbase-exports/bhlangonijr__src__test__resources__linares_2002.pgn",
    "annotated/lichess-studies/lenguyenthanh__study.pgn",
    "annotated/annotated-collections/mcostalba__pgn__hartwig.pgn",
    "annotated/chess960-variants/TCEC-Chess__master-archive__TCEC_Season_16_-_Frc_Cpu_League_2_Playoff.pgn",
    "annotated/tactics-setups/hauva69__tactics.pgn",
    "annotated/dirty/clean-chess/dlbbld__src__test__resources__pgnParser__strict__fromInitialPositionUsingFen__02_example.pgn",
)


@pytest.mark.parametrize("name", PGN_SAMPLES)
def test_pgn_samples(name: str, samples: Samples, tmp_path: Path) -> None:
    """What a CBH can store of them, in a 2CBH."""
    with tabiya.open(samples(f"pgn/{name}")) as source, tabiya.create(tmp_path / "from.cbh") as target:
        target.write(source[:MOST_GAMES])
    games, page = open_sample(tmp_path / "from.cbh")
    written = write_2cbh(games, tmp_path / "base", encoding=page)
    assert differences(written, games) == []
