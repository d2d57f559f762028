"""A database that ChessBase wrote, if there is one: ``TABIYA_2CBH=/path/to/base``; nobody who made the reader had any.

``TABIYA_2CBH_AS`` may name the same database as ChessBase converted or exported it, a ``.cbh`` or ``.pgn``.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import tabiya
from tabiya.formats import Verification
from tabiya.formats.cbh2.database import Cbh2Database
from tabiya.game import Game, RecordKind, difference

if TYPE_CHECKING:
    from collections.abc import Iterator

BASE, OTHER = os.environ.get("TABIYA_2CBH"), os.environ.get("TABIYA_2CBH_AS")
REASON = "SKIPPED: this test did not run; it did not pass: set {} to the path of a database"

needs_base = pytest.mark.skipif(not BASE, reason=REASON.format("TABIYA_2CBH"))
needs_other = pytest.mark.skipif(not (BASE and OTHER), reason=REASON.format("TABIYA_2CBH_AS"))

_MOST = 20


@pytest.fixture(scope="module")
def base() -> Iterator[Cbh2Database]:
    assert BASE is not None
    with tabiya.open(BASE) as database:
        assert isinstance(database, Cbh2Database)
        yield database


@pytest.fixture(scope="module")
def verified(base: Cbh2Database) -> tuple[list[str], dict[str, Any]]:
    """The first problems, and the report."""
    verification = Verification(base, threads=2, report=True)
    problems = [f"{found.game}: {found.problem.sentence}" for found in verification]
    return problems[:_MOST], verification.report()


@needs_base
def test_records_are_as_many_as_the_header_and_the_size_declare(base: Cbh2Database) -> None:
    size = base.base_files.paths[".2cbh"].stat().st_size
    assert size == 192 * base.header["next_game"]
    assert len(base) == base.header["next_game"] - 1


@needs_base
def test_no_problem_at_all(verified: tuple[list[str], dict[str, Any]]) -> None:
    """Every checksum is right, every move is legal, every entity exists."""
    problems, report = verified
    assert problems == []
    assert report["problems"] == []


@needs_base
def test_every_byte_is_decoded_or_kept(verified: tuple[list[str], dict[str, Any]]) -> None:
    for suffix, facts in verified[1]["facts"]["bodies"].items():
        assert facts["bytes decoded"] + facts["bytes of records kept whole"] == facts["content bytes"], suffix
        assert facts["outside the file"] == facts["not back to back"] == facts["bytes behind the last record"] == 0
        assert facts["spare bytes in use"] == 0


@needs_base
def test_every_game_has_annotations_of_its_own(verified: tuple[list[str], dict[str, Any]]) -> None:
    facts = verified[1]["facts"]
    records = facts["records"]
    assert facts["bodies"][".2cba"]["records"] == records["games"] + records["analyses"]
    assert facts["bodies"][".2cbg"]["records"] == sum(records[kind] for kind in ("games", "analyses", "texts"))


@needs_base
def test_nothing_unknown_is_in_use(verified: tuple[list[str], dict[str, Any]]) -> None:
    """Fields that have always been zero, or always the same."""
    extras = verified[1]["facts"]["extras"]
    unknown = {key: count for key, count in extras.items() if "unknown" in key and "analysis" not in key}
    assert unknown == {}


@needs_base
def test_headers_agree_with_games(base: Cbh2Database) -> None:
    for headers, batch in zip(base.headers(), base.batches(), strict=False):
        first = min(len(headers), len(batch))
        names = headers.schema.names
        wanted = batch.record_batch.select(names).slice(0, first).to_pylist()
        assert headers.slice(0, first).to_pylist() == wanted
        break


def plain(game: Game) -> Game:
    """The game without what ChessBase changes when it converts: extras, places, nations, details of tournaments."""
    game.extras = []
    changed = {
        "Site",
        "EventCountry",
        "Annotator",
        "Board",
        "WhiteFideId",
        "BlackFideId",
        "PlyCount",
        "GameId",
        "Beauty",
    }
    game.tags = [(name, text) for name, text in game.tags.items() if name not in changed]
    for node in (game.root, *game.walk()):
        node.annotations[:] = [each for each in node.annotations if each.kind in {2, 3, 4, 5, 0x82}]
    return game


@needs_other
def test_it_equals_the_conversion_by_chessbase(base: Cbh2Database) -> None:
    assert OTHER is not None
    differences: Counter[str] = Counter()
    with tabiya.open(OTHER) as other:
        games = (game for game in base if game.kind is RecordKind.GAME)
        others = (game for game in other if game.kind is RecordKind.GAME)
        for game, wanted in zip(games, others, strict=True):
            differences.update(f"{game.number}: {each}" for each in difference(plain(wanted), plain(game)))
            if len(differences) > _MOST:
                break
    assert differences == Counter()
