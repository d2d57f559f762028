"""Fuzzes PGN: whatever the bytes, they are read; what was read is written, and read again the same.

Nothing may escape, and what does not count as lost comes back. The layout depends on the input, so that both are tried;
every input is also read in two parts, cut where chunks of a file are cut, which must not make a difference. Kernels
meet without Arrow between them; one input in 128 also goes the way of the library, with the comments and tags that
are left to Python.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import atheris
import direct

from tabiya.formats.pgn.comments import render
from tabiya.formats.pgn.extras_as_tags import from_tags, to_tags
from tabiya.formats.pgn.read_kernel import find_cut, find_game, read_games
from tabiya.formats.pgn.spellings import (
    result_table,
    sign_table,
    variant_table,
)
from tabiya.formats.pgn.text_tags import from_text_tags, to_text_tags
from tabiya.formats.pgn.write_kernel import write_games
from tabiya.game import GameBatch
from tabiya.game.annotations.compose_kernel import find_rare
from tabiya.game.annotations.vocabulary import command_table, language_codes
from tabiya.game.code_pages import code_page
from tabiya.game.tags import COLUMN_TAGS
from tabiya.game.view import view_of

PAGE: Final[Any] = code_page("cp1252")
TABLES: Final = (result_table(), variant_table(), sign_table())
NO_RECORD: Final = b"\xff"
"""Before the first one: it begins a file."""
BLANKS: Final = b" \t\v\f\r\n\xef\xbb\xbf"
TYPED_TAGS: Final = {*COLUMN_TAGS, "SetUp"}
TAGS_OF_PYTHON: Final = (b"RecordKind", b"Deleted", b"Bcgn", b"Cbh", b"Jose", b"TextBlanks", b"TextLanguage")
NO_CONTENT: Final = ("problem_code", "problem_offset", "problem_text", "problem_ends")


def read(data: bytes, offset: int = 0) -> direct.Columns:
    return direct.with_answers(
        lambda builder, commands: read_games(builder, data, offset, PAGE, False, *TABLES, commands, b"", 0)
    )


def batch_of(columns: direct.Columns) -> GameBatch:
    return from_text_tags(from_tags(direct.batch_of(columns)))


def content(batch: GameBatch) -> list[dict[str, Any]]:
    """The rows without what is no content.

    The order of annotations counts within a kind on a move only, that of tags with columns within a name only.
    """
    rows: list[dict[str, Any]] = batch.record_batch.drop_columns(["number", "problems"]).to_pylist()
    for row in rows:
        row["annotations"].sort(key=lambda annotation: (annotation["move"], annotation["kind"]))
        row["tags"].sort(key=lambda tag: tag["name"] if tag["name"] in TYPED_TAGS else "")
    return rows


def numberless(batch: GameBatch) -> list[dict[str, Any]]:
    """The rows, problems and their offsets included."""
    rows: list[dict[str, Any]] = batch.record_batch.drop_columns(["number"]).to_pylist()
    return rows


def needs_python(columns: direct.Columns) -> bool:
    """Whether some of what was read is for Python to put into words."""
    return (
        any(tag in columns["tag_names"] for tag in TAGS_OF_PYTHON)
        or bool(columns["text_lang"])
        or bool(find_rare(direct.view_of(columns), command_table()).any())
    )


def check_cut(data: bytes, columns: direct.Columns) -> None:
    """Both sides of a cut, read by themselves, are the whole; problems and their offsets included."""
    if data.lstrip(BLANKS).startswith(b"%"):
        return  # escape lines at the front wait for their game, if it is near
    for cut in {find_cut(data, len(data) // 2), find_game(data, len(data) // 2)} - {-1}:
        parts = [read(data[:cut]), read(data[cut:], cut)]
        assert direct.joined(parts) == direct.joined([columns]), "depends on chunks"
        if direct.thoroughly(data):
            rows = [row for part in parts for row in numberless(batch_of(part))]
            assert rows == numberless(batch_of(columns)), "depends on chunks"


def check_kernels(columns: direct.Columns, *, one_line: bool) -> None:
    """What kernels can write by themselves comes back; of the rest, only that nothing breaks."""
    view = direct.view_of(columns)
    text, _, losses, failure = write_games(
        view, NO_RECORD, one_line, False, False, False, language_codes(), command_table()
    )
    again = read(bytes(text))
    plain, _, _, failed_plainly = write_games(
        view, NO_RECORD, False, True, True, False, language_codes(), command_table()
    )
    read(bytes(plain))
    if needs_python(columns):
        return
    assert failure is None, f"cannot be written: {failure}"
    assert failed_plainly is None, f"cannot be written plainly: {failed_plainly}"
    assert again["records"] == columns["records"], "records get lost"
    if any(count for count, _ in losses):
        return
    if any(again[name] != column for name, column in columns.items() if name not in NO_CONTENT):
        assert content(direct.batch_of(again)) == content(direct.batch_of(columns)), "reads back otherwise"


def check_library(columns: direct.Columns, *, one_line: bool) -> None:
    """The same with what Python adds."""
    batch = batch_of(columns)
    batch.record_batch.validate(full=True)
    tagged, unnamed = to_tags(to_text_tags(batch))
    rendered, inexact = render(tagged)
    view = view_of(rendered)
    text, _, losses, failure = write_games(
        view, NO_RECORD, one_line, False, False, False, language_codes(), command_table()
    )
    assert failure is None, f"cannot be written: {failure}"
    again = batch_of(read(bytes(text)))
    if inexact or unnamed or any(count for count, _ in losses):
        assert len(again) == len(batch), "records get lost"
    else:
        assert again.record_batch.equals(batch.record_batch) or content(again) == content(batch), "reads back otherwise"
    plain, _, _, failure = write_games(
        view_of(batch), NO_RECORD, False, True, True, False, language_codes(), command_table()
    )
    assert failure is None, f"cannot be written plainly: {failure}"
    read(bytes(plain))


def fuzz(data: bytes) -> None:
    columns = read(data)
    one_line = bool(len(data) % 2)
    check_cut(data, columns)
    check_kernels(columns, one_line=one_line)
    if direct.thoroughly(data):
        check_library(columns, one_line=one_line)


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
