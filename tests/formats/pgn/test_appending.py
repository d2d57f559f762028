"""Games added to a PGN file: the old bytes stay, the old file stays whole until the new one is there."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import CorruptError, LossError, UsageError
from tests.conftest import ROOT
from tests.faults import watched
from tests.formats.suite import contents

CLASSICS = ROOT / "examples" / "classics.pgn"
SUFFIXES = (".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.xz", ".pgn.zst")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_games_of_both(tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"all{suffix}"
    with tabiya.open(CLASSICS) as database:
        games = list(database)
    for round_ in range(1, 4):
        old = target.read_bytes() if target.exists() else b""
        report = tabiya.convert(CLASSICS, target, append=True)
        assert (report.written, report.clean) == (8, True)
        assert target.read_bytes().startswith(old)
        with tabiya.open(target) as database:
            assert list(database) == games * round_
            assert [game.problems for game in database] == [[]] * 8 * round_
    assert list(contents(tmp_path)) == [target.name]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_one_by_one_as_at_once(tmp_path: Path, suffix: str) -> None:
    with tabiya.open(CLASSICS) as database:
        for game in database:
            with tabiya.create(tmp_path / f"a{suffix}", append=True) as writer:
                writer.write(game)
        with tabiya.open(tmp_path / f"a{suffix}") as appended:
            assert list(appended) == list(database)


@pytest.mark.parametrize(
    "old",
    [
        "",
        "\n\n",
        '[White "A"]\n\n1. e4',
        '[White "A"]\n\n1. e4 1-0',
        '[White "A"]\n\n1. e4 1-0\n',
        '[White "A"]\r\n\r\n1. e4 1-0\r\n\r\n',
        '[White "A"]\n\n1. e4 {not closed',
        '[White "A"]\n\n1. e4 (1. d4',
        '[White "A"]\n\n1. e4 ; a comment',
        '[White "A"]',
        "1. e4 e5 *",
        '\ufeff[White "A"]\n\n*',
    ],
)
def test_however_the_old_file_ends(tmp_path: Path, old: str) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(old.encode())
    with tabiya.open(path) as database:
        before = list(database)
    with tabiya.create(path, append=True) as writer:
        writer.write([tabiya.Game({"White": "new"}), tabiya.Game()])
    assert path.read_bytes().startswith(old.encode())
    with tabiya.open(path) as database:
        after = list(database)
    assert len(after) == len(before) + 2
    assert [game.tags.get("White") for game in after[:-1]] == [*(game.tags.get("White") for game in before), "new"]


def test_text_in_eight_bits_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes('[White "Müller"]\n\n*\n'.encode("cp1252"))
    with tabiya.create(path, append=True) as writer:
        writer.write(tabiya.Game({"White": "Łukasz"}))
    with tabiya.open(path) as database:
        assert [game.tags["White"] for game in database] == ["Müller", "Łukasz"]


def test_where_nothing_can_be_added(tmp_path: Path) -> None:
    utf16 = tmp_path / "utf16.pgn"
    utf16.write_bytes('[White "A"]\n\n*\n'.encode("utf-16"))
    packed = tmp_path / "packed.pgn"
    packed.write_bytes(gzip.compress(b"*\n"))
    unpacked = tmp_path / "plain.pgn.gz"
    unpacked.write_bytes(b"*\n")
    wrong = tmp_path / "wrong.pgn.xz"
    wrong.write_bytes(bz2.compress(b"*\n"))
    for path, sentence in (
        (utf16, "is UTF-16, to which nothing can be added"),
        (packed, "is packed with gzip although its name says otherwise"),
        (unpacked, "is not packed although its name says otherwise"),
        (wrong, "is packed with bz2 although"),
    ):
        before = contents(tmp_path)
        with pytest.raises(UsageError, match=sentence):
            tabiya.convert(CLASSICS, path, append=True)
        assert contents(tmp_path) == before
    with pytest.raises(UsageError, match="is a folder"):
        tabiya.create(tmp_path, format="pgn", append=True)
    with pytest.raises(UsageError, match="not a stream"):
        tabiya.create(io.BytesIO(), format="pgn", append=True)


@pytest.mark.parametrize("suffix", SUFFIXES[1:])
def test_damage_is_not_buried(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    tabiya.convert(CLASSICS, path)
    path.write_bytes(path.read_bytes()[:-20])
    before = contents(tmp_path)
    with pytest.raises(CorruptError, match="is damaged, so nothing can be added"):
        tabiya.convert(CLASSICS, path, append=True)
    assert contents(tmp_path) == before


def test_what_goes_wrong_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(b'[White "A"]\n\n*\n')
    with pytest.raises(LossError):
        tabiya.convert(CLASSICS, path, append=True, profile="plain", strict=True)
    with tabiya.create(path, append=True) as writer:
        writer.write(tabiya.Game())
        writer.close()
    writer = tabiya.create(path, append=True)
    writer.write(tabiya.Game())
    assert path.read_bytes() == b'[White "A"]\n\n*\n'
    path.write_bytes(b"*\n")
    with pytest.raises(UsageError, match="was changed by another program in the meantime"):
        writer.commit()
    assert contents(tmp_path) == {"a.pgn": b"*\n"}
    with pytest.raises(UsageError, match="is also the source"):
        tabiya.convert(path, path, append=True)


def test_streams_of_xz(tmp_path: Path) -> None:
    """Streams behind each other with padding, as xz allows; damage keeps what stands before it."""
    text = CLASSICS.read_bytes()
    path = tmp_path / "a.pgn.xz"
    path.write_bytes(lzma.compress(text) + bytes(8) + lzma.compress(b"\n\n" + text) + bytes(4))
    with tabiya.open(path) as database, tabiya.open(CLASSICS) as classics:
        assert list(database) == list(classics) * 2
    whole = lzma.compress(text * 2000)
    path.write_bytes(whole[: len(whole) // 2])
    with tabiya.open(path) as database:
        games = list(database)
    assert 0 < len(games) < 16000
    assert games[-1].problems
    path.write_bytes(lzma.compress(text)[:24])
    with pytest.raises(CorruptError):
        list(tabiya.open(path))


def test_a_window_that_no_machine_has_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabiya.formats.pgn.source._XZ_MEMORY", 1 << 16)
    path = tmp_path / "a.pgn.xz"
    path.write_bytes(lzma.compress(CLASSICS.read_bytes(), preset=9))
    with pytest.raises(CorruptError, match="damaged"):
        list(tabiya.open(path))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_kill_before_every_single_step(tmp_path: Path, suffix: str) -> None:
    """Whatever was written, flushed or renamed last: the old file or the new one, and one temporary file at most."""
    path = tmp_path / f"a{suffix}"
    tabiya.convert(CLASSICS, path)
    old = path.read_bytes()
    found: list[bytes] = []

    def look() -> None:
        found.append(path.read_bytes())
        beside = [file.name for file in tmp_path.iterdir() if file != path]
        assert not beside or (len(beside) == 1 and beside[0].startswith(".tabiya-"))

    with watched(look) as disk:
        tabiya.convert(CLASSICS, path, append=True)
    new = path.read_bytes()
    assert len(found) == disk.done > 5
    assert [*found, new] == [*[old] * found.count(old), *[new] * (found.count(new) + 1)]
    assert [*contents(tmp_path)] == [path.name]
