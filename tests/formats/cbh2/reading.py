"""Reading what the writer of the tests wrote, once tabiya can."""

from __future__ import annotations

import pytest

import tabiya
from tabiya.formats import Database
from tabiya.formats.registry import FORMATS
from tabiya.game import Game
from tabiya.game.differences import difference
from tests.formats.cbh2.expected import comparable, expected
from tests.formats.cbh2.writing import Written

_MOST_SENTENCES = 20

needs_reader = pytest.mark.skipif(
    not any(".2cbh" in format.suffixes for format in FORMATS),
    reason="SKIPPED: this test did not run; it did not pass: tabiya does not read 2CBH yet",
)


def differences(written: Written, games: list[Game]) -> list[str]:
    """What is not read back as it was written, at most a few sentences; problems of the reader, too."""
    with tabiya.open(written.path) as database:
        return differences_of(database, written, games)


def differences_of(database: Database, written: Written, games: list[Game]) -> list[str]:
    """The same of an open database."""
    found: list[str] = []
    assert len(database) == len(written.numbers)
    for read, place in zip(database, written.numbers, strict=True):
        wanted = expected(games[place], is_analysis=place in written.analyses)
        sentences = difference(wanted, comparable(read))
        sentences += [f"problem: {problem.sentence}" for problem in read.problems]
        found += [f"{read.number}: {sentence}" for sentence in sentences]
        if len(found) > _MOST_SENTENCES:
            break
    return found
