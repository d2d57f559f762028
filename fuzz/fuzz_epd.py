"""Fuzzes EPD: any bytes are read; what was read is written, and read again the same unless it was counted as lost."""

from __future__ import annotations

import sys
from typing import Final

import atheris
import direct
import numpy as np

from tabiya.formats.epd import KEEPS
from tabiya.formats.epd.read_kernel import count_lines, read_lines
from tabiya.formats.epd.write_kernel import write_lines
from tabiya.formats.loss_counting import fit
from tabiya.game.code_pages import code_page

PAGE: Final = code_page("cp1252")


def read(data: bytes) -> direct.Columns:
    builder = direct.builder()
    assert PAGE is not None
    read_lines(builder, data, 0, PAGE, False)
    return direct.finished(builder)


def fuzz(data: bytes) -> None:
    columns = read(data)
    assert columns["records"] == count_lines(data), "lines are counted otherwise than read"
    refused = np.zeros(columns["records"], np.uint8)
    written, lost = write_lines(direct.view_of(columns), refused)
    assert not refused.any(), "a line cannot be written"
    if not any(count for count, _ in lost):
        again = read(written)
        assert {name: again[name] for name in columns if name not in direct.PROBLEMS} == {
            name: column for name, column in columns.items() if name not in direct.PROBLEMS
        }, "reads back otherwise"
        refused = np.zeros(again["records"], np.uint8)
        assert write_lines(direct.view_of(again), refused)[0] == written, "is written otherwise the second time"
    if direct.thoroughly(data):
        batch = direct.batch_of(columns)
        batch.record_batch.validate(full=True)
        fitting, losses = fit(batch, KEEPS)
        assert len(fitting) == len(batch), "what was read does not fit"
        assert not losses, "what was read is lost"


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
