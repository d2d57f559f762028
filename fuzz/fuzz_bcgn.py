"""Fuzzes BCGN: whatever the bytes behind the header, they are read; what was read is written, and read again the same.

The first byte chooses level and flags. Nothing may escape; what does not count as lost comes back, and what was written
is whole and is written again byte for byte. The doors of the kernels are used directly: opening a file costs more than
all of this.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import atheris
import numpy as np

from tabiya.formats.bcgn import keeps_of
from tabiya.formats.bcgn.entries_kernel import find_entries
from tabiya.formats.bcgn.read_kernel import read_games
from tabiya.formats.bcgn.write_kernel import write_games
from tabiya.formats.fit import fit
from tabiya.game import GameBatch
from tabiya.game.assemble import assemble, new_builder
from tabiya.game.code_pages import code_page
from tabiya.game.view import view_of

PAGE: Final = code_page("cp1252")
LEVELS: Final = 3


def read(data: bytes, level: int, *, headerless: bool, bare: bool = False) -> GameBatch:
    ends = np.empty(len(data) // 5 + 1, np.int64)
    count, _, _ = find_entries(data, ends, level, headerless, True)
    assert not data or ends[count - 1] == len(data), "bytes are left over"
    builder = new_builder()
    assert PAGE is not None
    read_games(builder, data, ends[:count], 0, level, headerless, True, bare, PAGE, False)
    return assemble(builder.finish())


def write(batch: GameBatch, level: int, *, headerless: bool) -> tuple[bytes, bool]:
    """The bytes, and whether all of the batch is in them."""
    fitting, losses = fit(batch, keeps_of(level=level, headerless=headerless))
    refused = np.zeros(len(fitting), np.uint8)
    data, lost = write_games(view_of(fitting), level, headerless, False, refused)
    return data, not losses and not refused.any() and not any(count for count, _ in lost)


def content(batch: GameBatch) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = batch.record_batch.drop_columns(["number", "problems"]).to_pylist()
    return rows


def fuzz(data: bytes) -> None:
    if not data:
        return
    level, headerless = data[0] % LEVELS, data[0] >= 128
    batch = read(data[1:], level, headerless=headerless)
    batch.record_batch.validate(full=True)
    bare = read(data[1:], level, headerless=headerless, bare=True)
    assert bare.record_batch["white"].equals(batch.record_batch["white"]), "headers depend on moves"
    written, complete = write(batch, level, headerless=headerless)
    again = read(written, level, headerless=headerless)
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
            assert content(read(moved, other, headerless=headerless)) == content(again), "levels differ"


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
