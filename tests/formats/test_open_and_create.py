from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import FormatError, TabiyaError, UnsupportedError, UsageError
from tabiya.formats import Format, Match
from tests.formats.corpus import corpus
from tests.formats.memory_format import BARE, FULL, SOME, magic, memory_format

ROOT = Path(__file__).parents[2]
FORMATS = (FULL, SOME, BARE)


def sniffing(format: Format, match: Match) -> Format:
    return replace(format, sniff=lambda head, path: match)


def written(path: Path, format: Format = FULL) -> Path:
    with tabiya.create(path, format=format) as writer:
        writer.write(corpus())
    return path


def test_content_comes_before_the_suffix(tmp_path: Path) -> None:
    path = written(tmp_path / "games.bare", FULL)
    with tabiya.open(path, formats=FORMATS) as database:
        assert database.format is FULL


def test_a_suffix_decides_where_the_content_does_not(tmp_path: Path) -> None:
    path = written(tmp_path / "games.some")
    silent = sniffing(SOME, Match.NO)
    vague = sniffing(FULL, Match.MAYBE)
    for formats in ((silent, vague), (vague, silent)):
        with pytest.raises(TabiyaError, match="wrong head"):  # which the format of the suffix has said
            tabiya.open(path, formats=formats)
    with tabiya.open(path, formats=(vague,)) as database:
        assert database.format.name == "full"


def test_a_suffix_decides_between_equals(tmp_path: Path) -> None:
    path = written(tmp_path / "games.FULL.old")
    formats = [sniffing(format, Match.LIKELY) for format in (SOME, FULL, BARE)]
    with tabiya.open(path, formats=formats) as database:
        assert database.format.name == "full"


def test_the_longest_suffix_wins() -> None:
    assert FULL.suffix_of(Path("a.full")) == ".full"
    assert FULL.suffix_of(Path("A.FULL.old")) == ".full.old"
    assert FULL.suffix_of(Path("a.fuller")) is None
    assert FULL.suffix_of(Path("full")) is None


def test_unknown_content(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of chess")
    with pytest.raises(FormatError) as caught:
        tabiya.open(tmp_path / "notes.txt", formats=FORMATS)
    assert str(caught.value) == (
        f"{tmp_path / 'notes.txt'}: is not a kind of file that tabiya can read; "
        "known formats: full (.full .full.old), some (.some .some.old), bare (.bare .bare.old)"
    )
    with pytest.raises(FormatError, match="holds no database that tabiya can read; folders in it were not searched"):
        tabiya.open(tmp_path, formats=FORMATS)
    with pytest.raises(FormatError, match="known formats: none"):
        tabiya.open(tmp_path / "notes.txt", formats=())
    with pytest.raises(FormatError, match="stream: is not a kind of file"):
        tabiya.open(io.BytesIO(b"nothing"), formats=FORMATS)


def test_missing_files_are_errors_of_tabiya(tmp_path: Path) -> None:
    for name in ("a", "a.full", "no/where.full"):
        with pytest.raises(TabiyaError, match="no such file or folder") as caught:
            tabiya.open(tmp_path / name, formats=FORMATS)
        assert isinstance(caught.value.__cause__, FileNotFoundError)


def test_a_format_may_recognise_a_path_that_is_no_file(tmp_path: Path) -> None:
    written(tmp_path / "base.full")

    def sniff(head: bytes, path: Path | None) -> Match:
        return Match.LIKELY if path is not None and path.with_suffix(".full").exists() else Match.NO

    stem = replace(FULL, sniff=sniff, open=lambda place: FULL.open(Path(f"{place}.full")))
    with tabiya.open(tmp_path / "base", formats=(SOME, stem)) as database:
        assert len(database) == len(corpus())


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs permissions that hold")
def test_forbidden_files(tmp_path: Path) -> None:
    path = written(tmp_path / "a.full")
    path.chmod(0)
    with pytest.raises(TabiyaError, match="permission denied"):
        tabiya.open(path, formats=FORMATS)


def test_formats_by_name(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with tabiya.create(path, format="Full", formats=FORMATS) as writer:
        writer.write(corpus())
    with tabiya.open(str(path), format="full", formats=FORMATS) as database:
        assert database.format is FULL
    with pytest.raises(UsageError, match="no format is called 'pgm'; known: full"):
        tabiya.open(path, format="pgm", formats=FORMATS)
    with pytest.raises(TabiyaError, match="wrong head"):
        tabiya.open(path, format="some", formats=FORMATS)


def test_creating_by_suffix(tmp_path: Path) -> None:
    with tabiya.create(tmp_path / "a.Some", formats=FORMATS) as writer:
        assert writer.format is SOME
    with pytest.raises(FormatError, match=r"has this suffix; known formats: full \(.full"):
        tabiya.create(tmp_path / "a.txt", formats=FORMATS)
    with pytest.raises(UsageError, match="name the format"):
        tabiya.create(io.BytesIO(), formats=FORMATS)
    with pytest.raises(TabiyaError, match="no such file or folder"):
        tabiya.create(tmp_path / "no" / "where.full", formats=FORMATS)


def test_read_only_formats(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="full can be read but not written"):
        tabiya.create(tmp_path / "a.full", formats=(replace(FULL, create=None),))


def test_formats_without_streams() -> None:
    files_only = replace(FULL, streams=False)
    with pytest.raises(UnsupportedError, match="not from a stream"):
        tabiya.open(io.BytesIO(magic("full")), formats=(files_only,))
    with pytest.raises(UnsupportedError, match="not to a stream"):
        tabiya.create(io.BytesIO(), format=files_only)


def test_options(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no option 'colour' here; it has: format, keeps, overwrite, strict$"):
        tabiya.create(tmp_path / "a.full", formats=FORMATS, colour="red")
    with pytest.raises(UsageError, match=r"'language' is for reading: give it .* to tabiya.convert in source_options$"):
        tabiya.convert(written(tmp_path / "c.full"), tmp_path / "d.full", formats=FORMATS, language="de")
    with pytest.raises(UsageError, match=r"full has no option 'encoding' here; it has: format$"):
        tabiya.open(written(tmp_path / "a.full"), formats=FORMATS, encoding="cp1252")
    with tabiya.create(tmp_path / "b.full", formats=FORMATS, keeps=BARE.keeps) as writer:
        writer.write(corpus())
    assert writer.losses


@pytest.mark.parametrize("location", [io.StringIO(), 7, None, b"bytes", "a\0b", io.FileIO(0, closefd=False)])
def test_nonsense_locations(location: object) -> None:
    with pytest.raises(UsageError):
        tabiya.open(location, formats=FORMATS)  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        tabiya.create(location, format=FULL)  # type: ignore[arg-type]


def test_file_objects_are_read_from_where_they_stand(tmp_path: Path) -> None:
    data = written(tmp_path / "a.full").read_bytes()
    stream = io.BytesIO(b"prefix" + data)
    stream.seek(6)
    with tabiya.open(stream, formats=FORMATS) as database:
        assert len(database) == len(corpus())
    assert not stream.closed


def test_pipes(tmp_path: Path) -> None:
    data = written(tmp_path / "a.full").read_bytes()
    source, sink = os.pipe()

    def feed() -> None:
        with os.fdopen(sink, "wb") as pipe:
            pipe.write(data)

    writing = threading.Thread(target=feed)
    writing.start()
    with os.fdopen(source, "rb") as pipe, tabiya.open(pipe, formats=FORMATS) as database:
        assert list(database) == list(corpus().games())
    writing.join()


def test_standard_input_and_output(tmp_path: Path) -> None:
    program = """
import tabiya
from tests.formats.memory_format import FULL
tabiya.convert("-", "-", formats=(FULL,), target_format="full")
"""
    data = written(tmp_path / "a.full").read_bytes()
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, input=data, capture_output=True, check=True)
    assert done.stderr == b""
    assert done.stdout == data


@pytest.mark.skipif(os.name == "nt", reason="named pipes of POSIX")
def test_named_pipes(tmp_path: Path) -> None:
    data = written(tmp_path / "a.full").read_bytes()
    os.mkfifo(tmp_path / "pipe")
    writing = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(data))
    writing.start()
    with tabiya.open(tmp_path / "pipe", formats=(memory_format("other", FULL.keeps), FULL)) as database:
        assert len(database) == len(corpus())
    writing.join()
