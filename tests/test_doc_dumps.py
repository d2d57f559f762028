"""The worked hex dumps of the format pages show the bytes of real files, and mean what tabiya decodes."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tabiya
from scripts import format_tables
from scripts.doc_dumps import FORMAT_PAGES, Dump, Line, data_of, dumps
from tabiya.binary import Layout
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.cbh.archive.unpack_kernel import unpack_block
from tabiya.formats.jose import decode_game_text, encode_game_text
from tests.conftest import ROOT
from tests.formats.cbh2.writing import write_2cbh

DUMPS = list(dumps())
WORKED = ROOT / "tests" / "data" / "worked" / "worked.pgn"
HANDMADE = ROOT / "tests" / "data" / "cbh" / "handmade.cbh"
VALUE = re.compile(r'(\w+) = (-?\d+|"[^"]*"|zeros|bytes)(?:$|[;,] )')
PART = re.compile(r"move (\S+?)(?:$|[;,] )|(NAG) (\d+)$|(text) (\"[^\"]*\")$")
MAIN_LINE_FIRST = {".cbg", ".2cbg"}
"""Streams in which a line is complete before the alternatives to its moves begin."""
MAIN_LINE_ONLY = {".bcgn"}
CODES = "worked.bin"
"""The codes of jose, whose texts are in another column."""
BITS = "worked-2.bcgn"
"""Level 2 of BCGN, in which moves have no bytes of their own."""
STREAMS = {".cbg", ".2cbg", ".bin", ".sg4", ".bcgn"}
ANNOTATED = {".cba", ".2cba", ".bin", ".sg4"}
PAGES_WITH_DUMPS = {"2cbh", "bcgn", "cbh-files", "cbh-moves", "cbh-texts", "cbv", "ctg", "jose", "scid"}


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game of the dumps in all formats."""
    folder = tmp_path_factory.mktemp("worked")
    for name in ("worked.cbh", "worked.si4", "worked.si5", "worked.bcgn"):
        tabiya.convert(WORKED, folder / name)
    for level in (0, 2):
        tabiya.convert(WORKED, folder / f"worked-{level}.bcgn", level=level)
    with tabiya.open(WORKED) as games:
        (folder / "worked.bin").write_bytes(encode_game_text(games[0]).codes)
        write_2cbh(games, folder / "worked")
    return folder


def file_of(dump: Dump, worked: Path) -> Path:
    return ROOT / dump.source if "/" in dump.source else worked / dump.source


def name_of(dump: Dump) -> str:
    return f"{dump.page}-{Path(dump.source).name}-{dump.lines[0].offset:x}"


def value_of(text: str) -> int | bytes:
    """A value as it is printed; zeros are as good as an empty text."""
    if text.startswith('"'):
        return text[1:-1].encode()
    return b"" if text == "zeros" else int(text)


def checked(line: Line, name: str, printed: str, found: Any) -> None:
    """Compare a printed value with a decoded one; ``bytes`` is any bytes that are not zero."""
    if isinstance(found, bytes):
        found = found.rstrip(b"\0")
        if printed == "bytes":
            assert found
            return
    assert value_of(printed) == found, f"{line.offset:04x} {name}"


@pytest.mark.parametrize("dump", DUMPS, ids=name_of)
def test_the_bytes_are_those_of_the_file(dump: Dump, worked: Path) -> None:
    data = file_of(dump, worked).read_bytes()
    place = dump.lines[0].offset
    for line in dump.lines:
        assert line.offset == place, "the lines follow each other without a gap"
        assert data[place : place + len(line.data)] == line.data, f"{line.offset:04x}"
        place += len(line.data)


@pytest.mark.parametrize("dump", [dump for dump in DUMPS if "." in dump.layout], ids=name_of)
def test_records_have_the_fields_of_their_layout(dump: Dump) -> None:
    module, _, name = dump.layout.rpartition(".")
    layout = getattr(importlib.import_module(module), name)
    assert isinstance(layout, Layout)
    record = layout.decode(b"".join(line.data for line in dump.lines))
    assert [(line.offset - dump.lines[0].offset, len(line.data)) for line in dump.lines] == [
        (field.offset, field.size) for field in layout.fields
    ]
    for line, field in zip(dump.lines, layout.fields, strict=True):
        match = VALUE.match(line.meaning)
        assert match, line.meaning
        assert match[1] == field.name
        checked(line, match[1], match[2], record[field.name])


@pytest.mark.parametrize("dump", [dump for dump in DUMPS if "." not in dump.layout], ids=name_of)
def test_values_are_those_of_their_bytes(dump: Dump) -> None:
    assert dump.layout in {"big", "little"}
    for line in dump.lines:
        if match := VALUE.match(line.meaning):
            printed = match[2]
            number = int.from_bytes(line.data, dump.layout, signed=printed.startswith("-"))  # type: ignore[arg-type]
            checked(line, match[1], printed, line.data if printed[0] in '"bz' else number)
        else:
            assert not re.match(r"\w+ = ", line.meaning), f"{line.meaning} is not checked"


def parts(dump: Dump) -> Iterator[tuple[str, str]]:
    """Moves, NAGs and texts in a dump, in its order."""
    for line in dump.lines:
        if match := PART.match(line.meaning):
            yield ("move", match[1]) if match[1] else (match[2] or match[4], (match[3] or match[5]).strip('"'))


def of_the_game(suffixes: set[str]) -> list[Dump]:
    """Dumps of the game in the files with some suffixes."""
    return [dump for dump in DUMPS if Path(dump.source).suffix in suffixes and "/" not in dump.source]


def read(dump: Dump, worked: Path) -> tabiya.Game:
    """The game of a dump as tabiya reads it."""
    path = file_of(dump, worked)
    if dump.source == CODES:
        return decode_game_text(path.read_bytes(), b"Sicilian\0")
    with tabiya.open(path) as database:
        return database[0]


def moves_of(game: tabiya.Game, suffix: str) -> list[str]:
    """SAN of all moves, in the order of a kind of stream."""
    main = list(game.mainline())
    others = [node for node in game.walk() if node not in main]
    first = {**dict.fromkeys(MAIN_LINE_FIRST, main + others), **dict.fromkeys(MAIN_LINE_ONLY, main)}
    return [node.san for node in first.get(suffix, list(game.walk()))]


@pytest.mark.parametrize("dump", of_the_game(STREAMS), ids=name_of)
def test_moves_are_those_that_tabiya_reads(dump: Dump, worked: Path) -> None:
    found = [text for kind, text in parts(dump) if kind == "move"]
    expected = moves_of(read(dump, worked), Path(dump.source).suffix)
    assert found == ([] if dump.source == BITS else expected)


@pytest.mark.parametrize("dump", of_the_game(ANNOTATED), ids=name_of)
def test_annotations_are_those_that_tabiya_reads(dump: Dump, worked: Path) -> None:
    variation = next(read(dump, worked).mainline()).children[1]
    expected = [*(("NAG", str(nag)) for nag in variation.nags), ("text", variation.text)]
    if dump.source == CODES:
        expected.pop()
    assert [part for part in parts(dump) if part[0] != "move"] == expected


def test_the_start_position_and_the_text_are_those_that_tabiya_reads() -> None:
    with tabiya.open(HANDMADE) as base:
        start, (text,) = base[1].tags["FEN"], base[2].texts
    found = [line for dump in DUMPS if dump.source.endswith("handmade.cbg") for line in dump.lines]
    assert [line.meaning for line in found if line.meaning.startswith("FEN")] == [f'FEN "{start}"']
    letters = b"".join(line.data for line in found if '"' in line.meaning and not line.meaning.startswith("FEN"))
    assert letters == text.title.encode() + text.body
    assert [line.meaning.encode() for line in found if line.meaning.startswith('"')] == [
        b'"%s"' % text.body[at : at + 8] for at in range(0, len(text.body), 8)
    ]


def test_the_blocks_of_archives_unpack_to_what_the_page_says() -> None:
    page = (FORMAT_PAGES / "cbv.md").read_text("utf-8")
    found = re.search(r"five bytes `(\w+)`.*?```text\n(.*?)```", page, re.DOTALL)
    assert found
    block = b"".join(data_of(row[:23].strip()) for row in found[2].splitlines())
    assert unpack_block(block, 100)[0] == found[1].encode()
    start = re.search(r"begins with `(.*?)`", page)
    assert start
    assert "46 times 00" in page
    with Archive(ROOT / "tests" / "data" / "cbv" / "tiny.cbv") as archive:
        assert archive.read("tiny.cbh") == bytes(46)
        assert archive.read("tiny.html/board.txt").startswith(start[1].encode())


def test_names_are_those_of_the_game() -> None:
    """Where a value is called like a tag, it is that of the tag."""
    with tabiya.open(WORKED) as games:
        tags = games[0].tags
    seen = set()
    for dump in DUMPS:
        for line in dump.lines:
            match = VALUE.match(line.meaning)
            if match and match[1] in tags:
                assert match[2].strip('"') == tags[match[1]], f"{name_of(dump)} {line.offset:04x}"
                seen.add(match[1])
    assert {"White", "Black", "Event", "Site", "Round", "WhiteElo"} <= seen


def test_the_game_on_the_page_is_the_one_of_the_dumps() -> None:
    assert WORKED.read_text("utf-8") in (FORMAT_PAGES / "index.md").read_text("utf-8")


def test_every_page_of_a_binary_format_has_a_dump_and_ends_with_what_is_unknown() -> None:
    assert {dump.page.removesuffix(".md") for dump in DUMPS} >= PAGES_WITH_DUMPS
    for name in PAGES_WITH_DUMPS:
        page = (FORMAT_PAGES / f"{name}.md").read_text("utf-8")
        assert re.findall(r"^## (.*)$", page, re.MULTILINE)[-1] == "What is unknown", name
        assert page.count("<!-- dump:") == sum(dump.page == f"{name}.md" for dump in DUMPS), name


def test_the_page_of_tables_is_up_to_date() -> None:
    assert format_tables.PAGE.read_text("utf-8") == format_tables.page(), "run: python -m scripts.format_tables"
