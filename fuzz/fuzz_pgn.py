"""Fuzzes PGN: whatever the bytes, they are read; what was read is written, and read again the same.

Nothing may escape, and what does not count as lost comes back. The layout depends on the input, so that both are tried;
every input is also read in two parts, cut where chunks of a file are cut, which must not make a difference. The doors
of the kernels are used directly: opening a file costs more than all of this.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import atheris

from tabiya.formats.pgn.comments import render, understand
from tabiya.formats.pgn.foreign import from_tags, to_tags
from tabiya.formats.pgn.read_kernel import find_cut, find_game, read_games
from tabiya.formats.pgn.spellings import (
    command_table,
    language_codes,
    language_table,
    result_table,
    sign_table,
    variant_table,
)
from tabiya.formats.pgn.write_kernel import write_games
from tabiya.game import GameBatch
from tabiya.game.assemble import assemble, new_builder
from tabiya.game.code_pages import code_page
from tabiya.game.tags import COLUMN_TAGS
from tabiya.game.view import view_of

PAGE: Final = code_page("cp1252")
TABLES: Final = (result_table(), variant_table(), sign_table(), language_table(), command_table())
BLANKS: Final = b" \t\v\f\r\n\xef\xbb\xbf"
TYPED_TAGS: Final = {*COLUMN_TAGS, "SetUp"}


def read(data: bytes, offset: int = 0) -> GameBatch:
    builder = new_builder()
    read_games(builder, data, offset, PAGE, False, *TABLES, b"", 0)
    return understand(from_tags(assemble(builder.finish())))


def content(batch: GameBatch) -> list[dict[str, Any]]:
    """The rows without what is no content.

    The order of annotations counts within a kind on a move only, that of tags with columns within a name only.
    """
    rows: list[dict[str, Any]] = batch.record_batch.drop_columns(["number", "problems"]).to_pylist()
    for row in rows:
        row["annotations"].sort(key=lambda annotation: (annotation["move"], annotation["kind"]))
        row["tags"].sort(key=lambda tag: tag["name"] if tag["name"] in TYPED_TAGS else "")
    return rows


def check_cut(data: bytes, batch: GameBatch) -> None:
    """Both sides of a cut, read by themselves, are the whole; problems and their offsets included."""
    if data.lstrip(BLANKS).startswith(b"%"):
        return  # escape lines at the front wait for their game, if it is near
    for cut in {find_cut(data, len(data) // 2), find_game(data, len(data) // 2)} - {-1}:
        parts = [row for part in (read(data[:cut]), read(data[cut:], cut)) for row in part.record_batch.to_pylist()]
        whole = batch.record_batch.to_pylist()
        assert [{**row, "number": 0} for row in parts] == [{**row, "number": 0} for row in whole], "depends on chunks"


def fuzz(data: bytes) -> None:
    batch = read(data)
    batch.record_batch.validate(full=True)
    check_cut(data, batch)
    rendered, inexact = render(to_tags(batch))
    text, losses, failure = write_games(
        view_of(rendered), True, bool(len(data) % 2), False, language_codes(), command_table()
    )
    assert failure is None, f"cannot be written: {failure}"
    again = read(text)
    if inexact or any(count for count, _ in losses):
        assert len(again) == len(batch), "records get lost"
    else:
        assert again.record_batch.equals(batch.record_batch) or content(again) == content(batch), "reads back otherwise"
    plain, _, failure = write_games(view_of(batch), True, False, True, language_codes(), command_table())
    assert failure is None, f"cannot be written plainly: {failure}"
    read(plain)


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
