"""The census of a database: what is decoded and what is kept adds up, and there are no contents of games."""

from __future__ import annotations

from pathlib import Path

import pytest

import tabiya
from tabiya.formats import Verification
from tests.formats.cbh2.by_hand import NO_NOTES, Handmade, changed, notes
from tests.formats.cbh2.spelling import spell
from tests.formats.suite import make_batches_tiny

GAME = spell("moves Pe2e4 pe7e5 end")
EMPTY_TEXT = bytes.fromhex("0500 04000000 00000000")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    base = Handmade()
    base.add(GAME)
    base.add(GAME, notes((0, ["1400 01", "2700 0100"])))
    base.add(spell("moves Pe2e4 Pe2e4 end"))
    base.add(GAME, notes((0, ["1a00 0102"])))
    base.add_analysis(GAME)
    base.add_text(EMPTY_TEXT)
    base.headers[0] = changed(base.headers[0], 1, b"\7")
    base.moves[-10] = 1  # a spare byte of the text
    return base.write(tmp_path / "games")


@pytest.mark.parametrize("tiny", [False, True])
def test_bytes_add_up(path: Path, tiny: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if tiny:
        make_batches_tiny(monkeypatch)
    with tabiya.open(path) as database:
        verification = Verification(database, report=True)
        codes = [found.problem.code for found in verification]
        report = verification.report()
    assert codes == [216, 222]
    assert (report["records"], report["games"], report["faulty"]) == (6, 5, 2)
    assert [(each["code"], each["count"], each["games"]) for each in report["problems"]] == [
        (216, 1, [3]),
        (222, 1, [4]),
    ]
    facts = report["facts"]
    assert facts["records"] == {"games": 4, "texts": 1, "analyses": 1, "deleted": 0, "opaque": 0}
    assert facts["noted"] == {"222: type 26": 1}
    assert facts["annotations"] == {"0x14": 1}
    assert facts["extras"] == {
        "2cbh.annotations": 2,
        "2cbh.kind": 1,
        "2cbh.moves": 1,
        "2cbh.unknown_1": 1,
    }
    moves, annotations = facts["bodies"][".2cbg"], facts["bodies"][".2cba"]
    assert (moves["records"], moves["content bytes"]) == (6, 5 * len(GAME) + len(EMPTY_TEXT))
    assert (moves["records kept whole"], moves["bytes of records kept whole"]) == (1, len(GAME))
    assert moves["bytes decoded"] == 4 * len(GAME) + len(EMPTY_TEXT)
    assert (moves["not back to back"], moves["spare bytes in use"], moves["outside the file"]) == (0, 1, 0)
    assert moves["tags"] == {"0100": 5, "0010": 1}
    assert annotations["content bytes"] - annotations["bytes decoded"] == annotations["bytes of records kept whole"]
    assert (annotations["records"], annotations["records kept whole"]) == (5, 2)
    assert annotations["bytes decoded"] == 3 * len(NO_NOTES)
    assert facts["files"][".2cbh"]["version"] == 5
    assert facts["entities"]["types"][0] == {"container": 1024, "entities": 2, "first_deleted": -1}
