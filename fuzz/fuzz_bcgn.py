"""Fuzzes BCGN: whatever the bytes behind the header, they are read; what was read is written, and read again the same.

The first byte chooses level and flags. Nothing may escape; what does not count as lost comes back, and what was written
is whole and is written again byte for byte. Kernels meet without Arrow between them; one input in 128, and every one of
which they do not give back all, also goes the way of the library, which knows what counts as lost.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import atheris
import direct
import numpy as np

from tabiya.formats.bcgn import keeps_of
from tabiya.formats.bcgn.entries_kernel import find_entries
from tabiya.formats.bcgn.read_kernel import read_games
from tabiya.formats.bcgn.write_kernel import write_games
from tabiya.formats.loss_counting import fit
from tabiya.game import GameBatch
from tabiya.game.code_pages import code_page
from tabiya.game.fields import NAMES
from tabiya.game.view import view_of

PAGE: Final = code_page("cp1252")
LEVELS: Final = 3
OF_DAMAGE: Final = ("kind", *direct.EXTRAS)
"""What the library keeps of damaged entries, and counts as lost; kernels write the rest of them."""


def read(data: bytes, level: int, *, headerless: bool, bare: bool = False) -> direct.Columns:
    ends = np.empty(len(data) // 5 + 1, np.int64)
    count, _, _ = find_entries(data, ends, level, headerless, True)
    assert not data or ends[count - 1] == len(data), "bytes are left over"
    builder = direct.builder()
    assert PAGE is not None
    read_games(builder, data, ends[:count], 0, level, headerless, True, bare, PAGE, False)
    return direct.finished(builder)


def same(one: direct.Columns, other: direct.Columns) -> bool:
    return all(column == other[name] for name, column in one.items() if name not in (*direct.PROBLEMS, *OF_DAMAGE))


def write(batch: GameBatch, level: int, *, headerless: bool) -> tuple[bytes, bool]:
    """The bytes, and whether all of the batch is in them."""
    fitting, losses = fit(batch, keeps_of(level=level, headerless=headerless))
    refused = np.zeros(len(fitting), np.uint8)
    data, lost = write_games(view_of(fitting), level, headerless, False, refused)
    return data, not losses and not refused.any() and not any(count for count, _ in lost)


def content(batch: GameBatch) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = batch.record_batch.drop_columns(["number", "problems"]).to_pylist()
    return rows


def check_kernels(columns: direct.Columns, level: int, *, headerless: bool) -> bool:
    """Whether all comes back, at every level; nothing may break if it does not."""
    if columns["deleted"].count(0) != columns["records"]:
        return False  # left out by the library
    view = direct.view_of(columns)
    for other in (level, *({0, 1, 2} - {level})):
        refused = np.zeros(columns["records"], np.uint8)
        data, lost = write_games(view, other, headerless, False, refused)
        again = read(data, other, headerless=headerless)
        whole = not refused.any() and not any(count for count, _ in lost)
        if whole and not same(columns, again):
            return False
        refused = np.zeros(again["records"], np.uint8)
        twice, _ = write_games(direct.view_of(again), other, headerless, False, refused)
        assert any(columns["kind"]) or twice == data, "is written otherwise the second time"
    return True


def check_library(batch: GameBatch, level: int, *, headerless: bool) -> None:
    batch.record_batch.validate(full=True)
    written, complete = write(batch, level, headerless=headerless)
    again = direct.batch_of(read(written, level, headerless=headerless))
    if complete:
        assert content(again) == content(batch), "reads back otherwise"
    twice, complete = write(again, level, headerless=headerless)
    assert complete, "what was written is not whole"
    assert twice == written, "is written otherwise the second time"
    for other in range(LEVELS):
        if not batch.record_batch["moves"].flatten().to_numpy().size or other == level:
            continue
        moved, complete = write(again, other, headerless=headerless)
        if complete:
            assert content(direct.batch_of(read(moved, other, headerless=headerless))) == content(again), (
                "levels differ"
            )


def fuzz(data: bytes) -> None:
    if not data:
        return
    level, headerless = data[0] % LEVELS, data[0] >= 128
    columns = read(data[1:], level, headerless=headerless)
    bare = read(data[1:], level, headerless=headerless, bare=True)
    for name in ("interned", *(field.name for field in NAMES)):
        assert bare[name] == columns[name], "headers depend on moves"
    if not check_kernels(columns, level, headerless=headerless) or direct.thoroughly(data):
        check_library(direct.batch_of(columns), level, headerless=headerless)


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
