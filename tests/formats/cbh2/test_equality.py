"""What the reader finds in databases that someone else's writer made of other databases equals the originals.

The writer (``writing``) and the reader were made from the same page of facts by two people who did not see each
other's code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import tabiya
from tabiya.game import Game, RecordKind, difference
from tests.formats.cbh2.writing import write_2cbh

EXAMPLES = Path(__file__).parents[3] / "examples"
HANDMADE = Path(__file__).parents[2] / "data/cbh/handmade.cbh"

DERIVED = {
    *("cbh.blob", "cbh.annotations", "cbh.marks", "cbh.top_game", "cbh.media", "cbh.endgames", "cbh.text_titles"),
    *("cbh.unknown_70", "cbh.unknown_74", "cbh.header_rest", "cbh.event_more", "cbh.text_original"),
    *("cbh.text_unknown_5", "cbh.text_unknown_22", "cbh.event_unknown_77", "cbh.event_unknown_81"),
}
"""Details that only a classic base has."""
NOT_OF_TEXTS = {"cbh.flags", "cbh.saved"}
ODD_RATING_TYPES = {("cbhlib_test", 2), ("World-ch", 866)}
"""Games with leftovers in their rating types."""
HTML = 3
"""The format of guiding texts that are HTML."""
ROUNDED = {"cbh.event_latitude", "cbh.event_longitude"}
"""Numbers of 64 bits in a classic base, of 32 bits here."""


def plain(game: Game) -> Game:
    """The game without what a 2CBH has no place for."""
    if game.kind is RecordKind.TEXT:
        game.tags.discard("Round")  # texts have no round
        game.texts = [
            replace(text, formatting=None) for text in game.texts if text.body or text.title
        ]  # empty pages are not pages
        game.texts.sort(key=lambda text: text.lang)
    game.extras = []
    return game


def details(game: Game) -> dict[str, object]:
    found: dict[str, object] = {}
    for extra in game.extras:
        if extra.key.startswith("cbh.") and extra.key not in DERIVED and not extra.key.startswith("cbh.tag_"):
            value = extra.value.decode()
            found[extra.key] = pytest.approx(float(value), rel=1e-6) if extra.key in ROUNDED else value
    return found


def written(source: Path, folder: Path, **options: object) -> Iterator[tuple[Game, Game]]:
    """The records of a database, and what is read of them from a 2CBH."""
    with tabiya.open(source) as database:
        originals = list(database)
    result = write_2cbh(originals, folder / "base 17.2", **options)  # type: ignore[arg-type]
    with tabiya.open(result.path) as database:
        found = list(database)
    assert len(found) == len(result.numbers)
    assert [game.problems for game in found] == [[]] * len(found)
    yield from ((originals[number], game) for number, game in zip(result.numbers, found, strict=True))


OPTIONS = [
    {},
    {"version": 3, "header_size": 216, "unused_container": 0, "encoding": "cp1252"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=["version 5", "version 3"])
def test_a_base_of_our_own(options: dict[str, object], tmp_path: Path) -> None:
    for original, found in written(HANDMADE, tmp_path, **options):
        assert difference(plain(original), plain(found)) == []


def test_pgn(tmp_path: Path) -> None:
    for original, found in written(EXAMPLES / "classics.pgn", tmp_path):
        for name in ("Opening", "Round"):
            if original.tags.get(name) != found.tags.get(name):
                assert name == "Opening" or original.tags[name] == "?"
                original.tags.discard(name)
        for node in (original.root, *original.walk()):
            node.annotations = [each for each in node.annotations if each.side != 2]  # late ones have no place
        assert difference(original, found) == []


@pytest.mark.parametrize("name", ["hedgehog", "twic1134", "cbhlib_test", "text"])
def test_a_conversion_back_loses_nothing(samples: Callable[[str], Path], name: str, tmp_path: Path) -> None:
    """Details of classic bases have the keys, and the order, that a classic base stores."""
    with tabiya.open(samples(f"cbh/{name}")) as database:
        path = write_2cbh(list(database), tmp_path / "base").path
    report = tabiya.convert(path, tmp_path / "back.cbh")
    assert report.losses == tabiya.LossReport()
    assert report.written == report.read


SAMPLES = ["hedgehog", "twic1134", "cbhlib_test", "text", "test-annotations", "cb12", "cbh_test", "World-ch"]


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(samples: Callable[[str], Path], name: str, tmp_path: Path) -> None:
    count = 0
    for original, found in written(samples(f"cbh/{name}"), tmp_path):
        wanted, got = details(original), details(found)
        if original.kind is RecordKind.TEXT:
            wanted = {key: value for key, value in wanted.items() if key not in NOT_OF_TEXTS}
        if (name, original.number) in ODD_RATING_TYPES:
            for each in (wanted, got):
                each.pop("cbh.white_rating_type", None)
                each.pop("cbh.black_rating_type", None)
        assert got == wanted
        if any(text.format < HTML for text in original.texts):  # which only a classic base can have
            for game in (original, found):
                game.texts = [replace(text, body=b"-", format=HTML) for text in game.texts]
        assert difference(plain(original), plain(found)) == []
        count += 1
    assert count
