"""Changes of a base: marks, other games, other names; compacting, copying, checking."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import tabiya
from tabiya.errors import FormatError, LossError, UnsupportedError, UsageError
from tabiya.formats.scid.database import ScidDatabase
from tabiya.formats.scid.index_file import HEADER, SI3, SI4, SI5, encode_entries
from tabiya.formats.scid.name_file import KINDS, encode_names
from tabiya.game import Game, difference
from tests.conftest import sample_path


@pytest.fixture(params=[".si4", ".si5"])
def base(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"base{request.param}"
    tabiya.convert("examples/classics.pgn", path, description="Old games")
    return path


def games_of(path: Path) -> list[Game]:
    with tabiya.open(path) as database:
        return list(database)


def sisters(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.parent.iterdir() if each.is_file()}


def new_game() -> Game:
    game = Game({"White": "Nimzowitsch, Aron", "Black": "Sämisch", "Result": "0-1", "Date": "1923.??.??"})
    game.root.add_line(["d4", "Nf6", "c4", "e6"])
    return game


def test_marks_change_the_index_only(base: Path) -> None:
    before = sisters(base)
    with tabiya.edit(base) as editor:
        editor.delete([2, 5])
        editor.undelete([5])
    assert [game.deleted for game in games_of(base)].count(True) == 1
    after = sisters(base)
    assert [name for name in before if before[name] != after[name]] == [base.name]
    with tabiya.edit(base) as editor:
        editor.undelete([2])
    assert sisters(base) == before


def test_replace(base: Path) -> None:
    before = games_of(base)
    with tabiya.edit(base) as editor:
        editor.replace(3, new_game())
        assert not editor.losses
    after = games_of(base)
    assert difference(after[2], new_game()) == []
    assert [difference(a, b) for a, b in zip(before, after, strict=True) if a.number != 3] == [[]] * 7
    assert list(tabiya.check(base)) == []


def test_what_cannot_be_replaced(base: Path) -> None:
    with tabiya.edit(base) as editor:
        with pytest.raises(UsageError, match="there is no game 9"):
            editor.replace(9, new_game())
        lossy = new_game()
        lossy.tags["X" * 300] = "too long"
        with pytest.raises(LossError, match="not replaced"):
            editor.replace(1, lossy, strict=True)


def test_names(base: Path) -> None:
    with tabiya.open(base) as database:
        players = database.names.lists[0].bytes_of()  # type: ignore[attr-defined]
    old = players.index(b"Anderssen, Adolf")
    with tabiya.edit(base) as editor:
        editor.edit("players", old, name="Anderssen, A.")
    games = games_of(base)
    assert games[0].tags["White"] == "Anderssen, A."
    other = next(name for name in players if name not in (b"Anderssen, Adolf", b""))
    with tabiya.edit(base) as editor:
        editor.edit("players", old, name=other.decode())
    assert games_of(base)[0].tags["White"] == other.decode()
    assert [each for each in tabiya.check(base) if each.problem.code == 334] == []
    for kind, number, fields in (
        ("teams", 0, {"name": "x"}),
        ("players", 999, {"name": "x"}),
        ("players", 0, {"x": 1}),
    ):
        with pytest.raises(UsageError), tabiya.edit(base) as editor:
            editor.edit(kind, number, **fields)


def test_append(base: Path) -> None:
    before = games_of(base)
    with tabiya.create(base, append=True) as writer:
        writer.write([new_game(), new_game()])
    after = games_of(base)
    assert [difference(a, b) for a, b in zip(before, after, strict=False)] == [[]] * 8
    assert [difference(game, new_game()) for game in after[8:]] == [[], []]
    with tabiya.open(base) as database:
        assert database.description == "Old games"  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", "ign")
def test_what_is_left_of_a_base_is_not_overwritten(base: Path, kind: str) -> None:
    generation = SI4 if base.suffix == ".si4" else SI5
    base.with_suffix(f".s{kind}{generation.number}").unlink()
    left = sisters(base)
    with pytest.raises(FormatError, match="is missing"):
        tabiya.create(base, append=True)
    with pytest.raises(UsageError, match="already exists"):
        tabiya.create(base)
    (base.parent / "other").mkdir()
    with pytest.raises(UsageError, match="already exists"):
        tabiya.copy(sound(base.parent / "other" / base.name), base)
    assert sisters(base) == left


def sound(path: Path) -> Path:
    tabiya.convert("examples/classics.pgn", path)
    return path


def damaged_names(base: Path) -> list[Game]:
    """Give a base a name that it has twice, and games that refer to none; return what it holds then."""
    with tabiya.create(base, overwrite=True) as writer:
        writer.write(
            [Game({"White": white, "Black": black, "Event": "X"}) for white, black in ("AB", "CD", "EF", "CA")]
        )
    with tabiya.open(base) as database:
        assert isinstance(database, ScidDatabase)
        generation, entries = database.generation, database.entries(0, 4)
        lists = tuple([b"A" if name == b"C" else name for name in each.bytes_of()] for each in database.names.lists)
    frequencies = tuple(np.zeros(len(names), np.int64) for names in lists)
    base.with_suffix(generation.names).write_bytes(encode_names(generation, lists, frequencies, {}))
    entries["event"][1] = generation.most_names[1] - 1
    entries["black"][2] = len(lists[0])
    base.write_bytes(base.read_bytes()[: generation.header_size] + encode_entries(generation, entries))
    games = games_of(base)
    assert [(game.tags.get("White"), game.tags.get("Black"), game.tags.get("Event")) for game in games] == [
        ("A", "B", "X"),
        ("A", "D", None),
        ("E", None, "X"),
        ("A", "A", "X"),
    ]
    return games


def test_damaged_names_do_not_mix_up_others(base: Path) -> None:
    """Games keep their names, those that have none included, whatever is done to the base."""
    before = damaged_names(base)
    with tabiya.create(base, append=True) as writer:
        writer.write([new_game()])
    assert [difference(*pair) for pair in zip([*before, new_game()], games_of(base), strict=True)] == [[]] * 5
    before = damaged_names(base)
    with tabiya.edit(base) as editor:
        editor.replace(1, new_game())
    assert [difference(*pair) for pair in zip([new_game(), *before[1:]], games_of(base), strict=True)] == [[]] * 4
    damaged_names(base)
    with tabiya.open(base) as database:
        number = database.names.lists[0].bytes_of().index(b"D")  # type: ignore[attr-defined]
    with tabiya.edit(base) as editor:
        editor.edit("players", number, name="Nobody")
        editor.edit("events", 0, name="Y")
    assert [(game.tags.get("Black"), game.tags.get("Event")) for game in games_of(base)] == [
        ("B", "Y"),
        ("Nobody", None),
        (None, "Y"),
        ("A", "Y"),
    ]
    damaged_names(base)
    with tabiya.open(base) as database:
        equal = [number for number, name in enumerate(database.names.lists[0].bytes_of()) if name == b"A"]  # type: ignore[attr-defined]
    with tabiya.edit(base) as editor:
        for number, name in zip(equal, ("One", "Two"), strict=True):
            editor.edit("players", number, name=name)
    assert [(game.tags.get("White"), game.tags.get("Black")) for game in games_of(base)] == [
        ("One", "B"),
        ("Two", "D"),
        ("E", None),
        ("Two", "One"),
    ]
    before = damaged_names(base)
    tabiya.compact(base)
    assert [difference(*pair) for pair in zip(before, games_of(base), strict=True)] == [[]] * 4
    assert [each for each in tabiya.check(base) if each.problem.code in (322, 334)] == []


def test_compact(base: Path) -> None:
    before = games_of(base)
    with tabiya.edit(base) as editor:
        editor.delete([1, 8])
        editor.replace(2, new_game())
    size = sum(map(len, sisters(base).values()))
    assert tabiya.compact(base, keep_deleted=True).removed == 0
    assert len(games_of(base)) == 8
    assert tabiya.compact(base).removed == 2
    after = games_of(base)
    assert difference(after[0], new_game()) == []
    assert [difference(a, b) for a, b in zip(before[2:7], after[1:], strict=True)] == [[]] * 5
    assert sum(map(len, sisters(base).values())) < size


def test_copy(base: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    tabiya.copy(base, tmp_path / "other")
    copied = sisters(tmp_path / "other" / base.name)
    assert copied == {name: base.with_name(name).read_bytes() for name in copied}
    assert len(copied) == 3
    with pytest.raises(UsageError, match="convert"):
        tabiya.copy(base, tmp_path / ("x.si5" if base.suffix == ".si4" else "x.si4"))


def test_check_and_repair(base: Path) -> None:
    assert list(tabiya.check(base)) == []
    generation = SI4 if base.suffix == ".si4" else SI5
    with tabiya.open(base) as database:
        entries = database.entries(0, 8)  # type: ignore[attr-defined]
    good = base.read_bytes()
    for name in ("material", "line", "plies", "pawn_count", "comments"):
        wrong = entries.copy()
        wrong[name][3] = np.where(wrong[name][3] == 1, 2, 1)
        base.write_bytes(good[: generation.header_size] + encode_entries(generation, wrong))
        found = list(tabiya.check(base))
        assert [(each.game, each.problem.code) for each in found] == [(4, 330)]
        assert tabiya.compact(base).remarks
        assert base.read_bytes() == good
        assert list(tabiya.check(base)) == []


@pytest.mark.parametrize("name", ["made/twic4.si4", "made/rnd5.si5", "made/feat5.si5", "made/rnd4.si4"])
def test_what_scid_has_made_is_right(name: str) -> None:
    found = [each for each in tabiya.check(sample_path(f"scid/{name}")) if each.problem.code >= 320]
    assert found == []


def test_old_bases_have_wrong_values() -> None:
    found = list(tabiya.check(sample_path("scid/scidvspc/endings.si4")))
    assert sum(each.problem.code == 330 for each in found) >= 53


def test_si3_is_only_read(tmp_path: Path) -> None:
    for path in sample_path("scid/scidvspc").glob("endings.s?3"):
        shutil.copyfile(path, tmp_path / path.name)
    with pytest.raises(UnsupportedError, match="only read"):
        tabiya.edit(tmp_path / "endings.si3")
    with pytest.raises(UnsupportedError, match="only read"):
        tabiya.create(tmp_path / "new.si3")
    with pytest.raises(UnsupportedError, match="only read"):
        tabiya.compact(tmp_path / "endings.si3")
    report = tabiya.convert(tmp_path / "endings.si3", tmp_path / "endings.si4")
    assert report.written == 67
    assert len(KINDS) == 4


def test_an_si3_base_of_our_own_is_only_read(tmp_path: Path) -> None:
    """Without samples: an empty base of the old generation, which nothing changes."""
    path = tmp_path / "old.si3"
    path.write_bytes(HEADER.encode({"magic": HEADER["magic"].default, "version": 300})[: SI3.header_size])
    none = np.zeros(0, np.int64)
    path.with_suffix(SI3.names).write_bytes(encode_names(SI3, ([], [], [], []), (none,) * 4, {}))
    path.with_suffix(SI3.games).write_bytes(b"")
    before = sisters(path)
    assert games_of(path) == []
    for change in (tabiya.edit, tabiya.compact):
        with pytest.raises(UnsupportedError, match="only read"):
            change(path)
    assert sisters(path) == before
