from __future__ import annotations

import lzma
import pickle
import struct
import zlib
from errno import ENOENT
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import CorruptError, FormatError, TabiyaError
from tabiya.files.file_errors import errors_of


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (FileNotFoundError(2, "No such file or directory"), "a.pgn: no such file or folder"),
        (PermissionError(13, "Permission denied"), "a.pgn: permission denied"),
        (IsADirectoryError(21, "Is a directory"), "a.pgn: is a folder"),
        (NotADirectoryError(20, "Not a directory"), "a.pgn: part of the path is a file, not a folder"),
        (OSError("odd"), "a.pgn: odd"),
        (OSError(), "a.pgn: OSError"),
    ],
)
def test_trouble_with_files(error: OSError, message: str) -> None:
    with pytest.raises(TabiyaError) as caught, errors_of(Path("a.pgn")):
        raise error
    assert str(caught.value) == message
    assert caught.value.__cause__ is error
    assert not isinstance(caught.value, CorruptError)


@pytest.mark.parametrize("name", ["nope", "nope.pgn", "nope.cbh", "nope.si5", "nope.tabiya", "nope/nope.pgn"])
def test_a_missing_file_is_also_an_error_of_python(tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    for call in (tabiya.open, tabiya.open_book, tabiya.edit, tabiya.compact, tabiya.search, tabiya.summarize):
        with pytest.raises(FileNotFoundError) as caught:
            call(str(place))
        error = caught.value
        assert isinstance(error, tabiya.MissingFileError)
        assert isinstance(error, TabiyaError)
        assert (error.errno, error.filename) == (ENOENT, str(place))
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.errno, again.filename) == (f"{place}: {error.message}", ENOENT, str(place))


@pytest.mark.parametrize(
    "error", [struct.error("short"), zlib.error("bad"), EOFError(), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad")]
)
def test_damage(error: Exception) -> None:
    with pytest.raises(CorruptError, match=r"a\.pgn: damaged: ."), errors_of("a.pgn"):
        raise error


def test_damage_that_a_format_knows() -> None:
    with pytest.raises(CorruptError, match="damaged: bad"), errors_of(None, lzma.LZMAError):
        raise lzma.LZMAError("bad")
    with pytest.raises(CorruptError, match="odd"), errors_of(None, BlockingIOError):
        raise BlockingIOError("odd")


@pytest.mark.parametrize("error", [ZeroDivisionError(), FormatError("ours"), KeyboardInterrupt()])
def test_everything_else_passes(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, errors_of("a.pgn"):
        raise error
    assert caught.value is error


def test_an_error_learns_its_file() -> None:
    with pytest.raises(FormatError, match=r"^a\.pgn: ours$"), errors_of("a.pgn"):
        raise FormatError("ours")
    with pytest.raises(FormatError, match=r"^b\.pgn: ours$"), errors_of("a.pgn"):
        raise FormatError("ours", path="b.pgn")
    with pytest.raises(TabiyaError, match=r"^c\.pgn: no such file"), errors_of(None):
        raise FileNotFoundError(2, "No such file", "c.pgn")
