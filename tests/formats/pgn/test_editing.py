"""Games of a PGN file replaced in place: all others keep their bytes, and the file is the old one or the new one."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import CorruptError, LossError, TabiyaError, UsageError
from tabiya.formats.pgn import source
from tabiya.game import GameBatch, RecordKind
from tests.conftest import ROOT
from tests.faults import failing, watched
from tests.formats.suite import contents
from tests.systems import POSIX

CLASSICS = ROOT / "examples" / "classics.pgn"
NEW = tabiya.Game.from_pgn('[Event "Neu"]\n[White "Löwe"]\n\n1. d4 {Zug} d5 (1... f5) 2. c4 *')
SUFFIXES = (".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.xz", ".pgn.zst")


def games_of(path: Path) -> list[tabiya.Game]:
    with tabiya.open(path) as database:
        return list(database)


@pytest.mark.parametrize("number", range(1, 9))
def test_every_other_game_keeps_its_bytes(tmp_path: Path, number: int) -> None:
    path = Path(shutil.copy(CLASSICS, tmp_path / "a.pgn"))
    path.chmod(0o640)
    before, games = path.read_bytes(), games_of(path)
    texts = before.split(b"\n\n[Event ")
    with tabiya.edit(path) as editor:
        editor.replace(number, NEW, strict=True)
        assert path.read_bytes() == before
    after = path.read_bytes().split(b"\n\n[Event ")
    for place in {*range(2 if number == 1 else 0, 9)} - {number}:  # what stands before the first game belongs to it
        assert after[place - 9] == texts[place - 9]
    assert games_of(path) == [*games[: number - 1], NEW, *games[number:]]
    assert not POSIX or path.stat().st_mode & 0o777 == 0o640
    assert list(contents(tmp_path)) == ["a.pgn"]


PARTS = (
    b'[White "A"]\n\n1. e4 1-0\n\n',
    b'[White "B"]\r\n\r\n1. e4 {Z\xfcrich} 0-1\r\n',  # cp1252, and no empty line behind it
    b'[White "C"]\n\n1. e4 {not closed\n\n',
    b'[White "D"]\n%escaped\n\n1. e4 ; a comment\n1-0 {late}\n\n\n\n',
    b'[White "E"]\n\n1. e4 * ',
    b"1. c4 c5 * ",  # without tags, behind a result
    b"12. c4 1/2-1/2\n\n",
    b'[White "F"]\n[Variant "atomic"]\n\n1. e4 e5\n\n',
    b'[White "G"]\n\n1. d4 (1. e4',
)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\n  \n"])
@pytest.mark.parametrize("row", range(len(PARTS)))
def test_games_of_any_form(tmp_path: Path, row: int, mark: bytes) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(mark + b"".join(PARTS))
    games = games_of(path)
    assert len(games) == len(PARTS)
    with tabiya.edit(path) as editor:
        editor.replace(row + 1, NEW)
    after = path.read_bytes()
    assert after.startswith(mark + b"".join(PARTS[:row]))
    assert after.endswith(b"".join(PARTS[row + 1 :]))
    assert games_of(path) == [*games[:row], NEW, *games[row + 1 :]]
    assert (b'[Event "Neu"]\r\n' in after) == (b"\r\n" in PARTS[row])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_many_games_in_many_chunks(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "CHUNK_BYTES", 3000)
    path = tmp_path / f"a{suffix}"
    (tmp_path / "all.pgn").write_bytes(CLASSICS.read_bytes() * 8)
    tabiya.convert(tmp_path / "all.pgn", path)
    games = games_of(path)
    numbers = [1, 2, 33, 63, 64]
    with tabiya.edit(path) as editor:
        for number in reversed(numbers):
            editor.replace(number, NEW)
    changed = games_of(path)
    assert [number for number in range(1, 65) if changed[number - 1] != games[number - 1]] == numbers
    assert [changed[number - 1] for number in numbers] == [NEW] * 5


def test_marks_of_deletion(tmp_path: Path) -> None:
    path = Path(shutil.copy(CLASSICS, tmp_path / "a.pgn"))
    with tabiya.edit(path) as editor:
        editor.delete([2, 3, 4])
        editor.replace(2, NEW)
        editor.replace(3, NEW)
        editor.undelete([3])
    games = games_of(path)
    assert [game.deleted for game in games[:5]] == [False, True, False, True, False]
    assert games[2] == NEW
    with tabiya.edit(path) as editor:
        editor.undelete([2, 4])
    games = games_of(path)
    assert not any(game.deleted for game in games)
    assert [games[1], games[3]] == [NEW, games_of(CLASSICS)[3]]


def numbered(games: dict[int, tabiya.Game]) -> GameBatch:
    return GameBatch.concat([GameBatch.from_games([game]).numbered(number) for number, game in games.items()])


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("chosen", [range(0, 9, 2), range(1, 9, 2), range(9), (0, 1, 4, 8)])
def test_many_games_of_any_form_at_once(tmp_path: Path, chosen: Sequence[int], threads: int) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(b"".join(PARTS))
    games = games_of(path)
    with tabiya.edit(path) as editor:
        editor.replace_all([numbered({row + 1: NEW}) for row in chosen[:2]], threads=threads)
        editor.replace_all([numbered({row + 1: NEW for row in chosen[2:]})], threads=threads)
    after, place = path.read_bytes(), 0
    for row in {*range(9)} - {*chosen}:
        place = after.index(PARTS[row], place) + len(PARTS[row])
    assert games_of(path) == [NEW if row in chosen else game for row, game in enumerate(games)]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("size", [200, 1 << 20])
def test_what_comes_before_a_record(tmp_path: Path, threads: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without tags behind a text that has no end of its own gets one; behind a game it needs none."""
    monkeypatch.setattr(source, "CHUNK_BYTES", size)
    monkeypatch.setattr(source, "_BOUNDARY_BYTES", 50)
    opaque = tabiya.Game.from_pgn('[White "F"]\n[Variant "atomic"]\n\n1. e4 e5')
    assert opaque.kind is RecordKind.OPAQUE
    bare, commented = (tabiya.Game.from_pgn(text) for text in ("1. e4 e5 *", "{First} 1. e4 *"))
    path = tmp_path / "a.pgn"
    with tabiya.create(path) as writer:
        writer.write([NEW, opaque, *[NEW] * 28])
    # Behind the opaque record of the file, behind one of the same batch, first in the file, and behind ordinary games.
    news = {1: commented, 3: bare, 6: opaque, 7: bare, 9: bare, 11: commented, 14: bare, 15: bare}
    with tabiya.edit(path) as editor:
        editor.replace_all([numbered(news)], threads=threads)
    games = games_of(path)
    assert len(games) == 30
    tagged = {number for number in news if dict(games[number - 1].tags) == {"Event": "?"}}
    assert {3, 7, 11} <= tagged
    assert tagged == {3, 7, 11} or size == 200
    assert editor.losses.losses[0].count == len(tagged)
    assert [game for number, game in enumerate(games, 1) if number not in {2, *news}] == [NEW] * 21
    assert all(games[number - 1] == game for number, game in news.items() if number not in tagged)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("threads", [1, 3])
def test_many_marks_and_games(tmp_path: Path, threads: int, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "CHUNK_BYTES", 3000)
    path = tmp_path / f"a{suffix}"
    (tmp_path / "all.pgn").write_bytes(CLASSICS.read_bytes() * 8)
    tabiya.convert(tmp_path / "all.pgn", path)
    games = games_of(path)
    with tabiya.edit(path) as editor:
        editor.replace_all([numbered({number: NEW}) for number in range(1, 65, 3)], threads=threads)
        editor.delete(range(1, 65, 2))
    with tabiya.edit(path) as editor:
        editor.undelete(range(1, 65, 5))
        editor.replace_all([numbered({number: NEW}) for number in range(1, 65, 7)], threads=threads)
    for number, game in enumerate(games_of(path), 1):
        assert game.deleted == (number % 2 == 1 and number % 5 != 1)
        game.deleted = False
        assert game == (NEW if number % 3 == 1 or number % 7 == 1 else games[number - 1])


def test_a_mark_that_would_lose_something(tmp_path: Path) -> None:
    """Without its mark, the last game would need another tag: the one before it has no end of its own."""
    path = tmp_path / "a.pgn"
    path.write_bytes(b'[Deleted "1"]\n\n1. e4 *\n\n[Variant "atomic"]\n\n1. e4 e5\n\n[Deleted "1"]\n\n1. d4 *\n')
    before = contents(tmp_path)
    with pytest.raises(LossError, match="not marked") as caught, tabiya.edit(path) as editor:
        editor.undelete([1, 3])
    assert caught.value.game == 3
    assert contents(tmp_path) == before
    with tabiya.edit(path) as editor:
        editor.undelete([1])
    assert path.read_bytes().startswith(b"1. e4 *\n\n[Variant")


def test_nothing_to_do_writes_nothing(tmp_path: Path) -> None:
    path = Path(shutil.copy(CLASSICS, tmp_path / "a.pgn"))
    before = path.stat()
    with tabiya.edit(path) as editor:
        editor.undelete([1])
    editor = tabiya.edit(path)
    editor.replace(1, NEW)
    editor.close()
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text + b"\n1. e4 *\n",
        lambda text: 5 * text,
        lambda text: text[:200],
        lambda _: b"",
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text.replace(b"\n", b" ", 40),
        lambda text: b"x" * len(text),
    ],
)
def test_a_change_by_another_program_is_noticed(
    tmp_path: Path, change: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "CHUNK_BYTES", 3000)
    path = Path(shutil.copy(CLASSICS, tmp_path / "a.pgn"))
    editor = tabiya.edit(path)
    editor.replace(1, NEW)
    path.write_bytes(change(path.read_bytes()))
    before = contents(tmp_path)
    with pytest.raises(UsageError, match="changed by another program in the meantime; nothing was written"):
        editor.commit()
    assert contents(tmp_path) == before


def test_what_cannot_be_done(tmp_path: Path) -> None:
    path = Path(shutil.copy(CLASSICS, tmp_path / "a.pgn"))
    with tabiya.edit(path) as editor:
        for number in (0, -1, 9):
            with pytest.raises(UsageError, match="no record"):
                editor.replace(number, NEW)
        with pytest.raises(UsageError, match="replace the games instead"):
            editor.edit("players", 1, name="A")
    (tmp_path / "utf16.pgn").write_bytes('[White "A"]\n\n1. e4 *'.encode("utf-16"))
    (tmp_path / "gzip.pgn").write_bytes(gzip.compress(b"1. e4 *"))
    (tmp_path / "damaged.pgn.gz").write_bytes(gzip.compress(CLASSICS.read_bytes())[:-20])
    (tmp_path / "open.pgn").write_bytes(b"1. e4 *\n\n1. d4 *\n")
    before = contents(tmp_path)
    for name in ("utf16.pgn", "gzip.pgn", "none.pgn"):
        with pytest.raises(TabiyaError):
            tabiya.edit(tmp_path / name)
    with pytest.raises(CorruptError, match="damaged"), tabiya.edit(tmp_path / "damaged.pgn.gz") as editor:
        editor.replace(1, NEW)
    opaque = tabiya.Game({"White": "A", "Variant": "atomic"})
    opaque.kind = RecordKind.OPAQUE
    with pytest.raises(LossError, match="would be read differently"), tabiya.edit(tmp_path / "open.pgn") as editor:
        editor.replace(1, opaque)  # the game behind it has no tags, and would become its text
    assert contents(tmp_path) == before


@pytest.mark.parametrize("suffix", [".pgn", ".pgn.gz"])
def test_a_kill_before_every_single_step(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    tabiya.convert(CLASSICS, path)
    old = path.read_bytes()
    found: list[bytes] = []
    with watched(lambda: found.append(path.read_bytes())), tabiya.edit(path) as editor:
        editor.replace(3, NEW)
    new = path.read_bytes()
    assert new != old
    assert len(found) > 4
    assert [*found, new] == [*[old] * found.count(old), *[new] * (found.count(new) + 1)]


def test_a_fault_at_every_single_step_leaves_the_old_file(tmp_path: Path) -> None:
    path = Path(shutil.copy(CLASSICS, tmp_path / "a.pgn"))
    before, steps = path.read_bytes(), 1
    while path.read_bytes() == before:
        with failing(steps), suppress(tabiya.TabiyaError), tabiya.edit(path) as editor:
            editor.replace(3, NEW)
        steps += 1
    assert steps > 2
    assert games_of(path)[2] == NEW
