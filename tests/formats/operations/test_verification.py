from __future__ import annotations

from pathlib import Path

import tabiya
from tabiya.formats import Progress, Verification
from tabiya.formats.operations.verification import UNPLAYABLE
from tests.formats.corpus import batch_of, corpus, cut, tape
from tests.formats.memory_format import FULL


def test_problems_in_order(tmp_path: Path) -> None:
    path = tmp_path / "a.full"
    bad = batch_of([{"moves": tape("e2e5"), "problems": [{"code": 20, "offset": 5, "text": "x"}]}])
    with tabiya.create(path, format=FULL) as writer:
        writer.write([*cut(corpus(), 4), bad])
    seen: list[Progress] = []
    with tabiya.open(path, format=FULL) as database:
        verification = Verification(database, threads=2, progress=seen.append)
        found = list(verification)
    assert [(each.game, each.problem.offset) for each in found] == [
        (9, 1234),
        (10, None),
        (10, 99),
        (12, 5),
        (12, None),
    ]
    assert found[-1].problem.code == UNPLAYABLE
    assert str(found[-1]).startswith("game 12: the game cannot be replayed: 1.e2e5 is not a legal move")
    assert (verification.records, verification.games) == (12, 10)
    assert (verification.faulty, verification.problems) == (3, 5)
    assert seen[-1].records == 12
