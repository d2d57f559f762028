"""Changes of bases in place: the plain decoder accepts the result, and everything else is as it was."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.errors import FormatError, LossError, TabiyaError, UsageError
from tabiya.formats.cbh.compaction import compact, copy_base
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.editing import BaseEditor
from tabiya.formats.cbh.files.cbh import GAME
from tabiya.game import Annotation, Extra, Game, GuidingText, RecordKind, difference
from tests.formats.cbh import plain_cbh
from tests.formats.cbh.writing.test_writer import BASES, blobs, read, written

SMALLER = [name for name in BASES if name != "twic1134"]
MOVES = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"]


def game(name: str, plies: int = 4, comments: int = 0, **tags: str) -> Game:
    made = Game({"White": name, "Black": "Black", "Result": "1-0"} | tags)
    node = made.root
    for number, move in enumerate(MOVES[:plies]):
        node = node.add(move)
        if number < comments:
            node.annotations.append(Annotation(0x02, b"comment " * 5))
    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "x.cbh"
    written(path, [game(name, comments=i % 2) for i, name in enumerate("ABCDE")])
    for suffix in (".cbgi", ".cit", ".cib", ".cko"):
        path.with_suffix(suffix).write_bytes(b"\5\0\0\0")
    return path


def sound(path: Path) -> list[Game]:
    """The games of a base that the plain decoder finds nothing wrong with."""
    plain_cbh.read(path)
    return read(path)


def whites(path: Path) -> list[str]:
    return [game.tags["White"] for game in sound(path)]


class TestMarks:
    def test_there_and_back(self, path: Path) -> None:
        files = {each.name: each.read_bytes() for each in path.parent.iterdir()}
        with BaseEditor(path) as editor:
            editor.delete([2, 4])
        assert [each.deleted for each in read(path)] == [False, True, False, True, False]
        assert path.with_suffix(".cit").exists(), "boosters do not depend on marks"
        with BaseEditor(path.with_suffix("")) as editor:
            editor.undelete([4, 2])
        assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == files

    def test_what_makes_no_sense(self, path: Path) -> None:
        for number in (0, 6, -1):
            with pytest.raises(UsageError, match="no record"), BaseEditor(path) as editor:
                editor.delete([number])
        with pytest.raises(TabiyaError), BaseEditor(path.with_name("none.cbh")) as editor:
            editor.delete([1])
        assert not any(each.deleted for each in read(path))

    def test_an_error_discards_everything(self, path: Path) -> None:
        with pytest.raises(UsageError), BaseEditor(path) as editor:  # noqa: PT012 - the second must undo the first
            editor.edit("players", 0, last="Changed")
            editor.delete([1, 99])
        assert not read(path)[0].deleted
        assert read(path)[0].tags["White"] == "A"
        assert not [each for each in path.parent.iterdir() if each.name.startswith(".")]

    def test_no_second_writer(self, path: Path) -> None:
        with BaseEditor(path):
            for writer in (lambda: BaseEditor(path), lambda: tabiya.create(path, append=True)):
                with pytest.raises(UsageError, match="another program"):
                    writer()
        BaseEditor(path).close()


class TestReplacing:
    @pytest.mark.parametrize("plies", [0, 1, 4, 10])
    @pytest.mark.parametrize("comments", [0, 1, 8])
    @pytest.mark.parametrize("number", [1, 2, 5])
    def test_larger_and_smaller(self, path: Path, number: int, plies: int, comments: int) -> None:
        before = read(path)
        new = game("New", plies, comments, Event="Other")
        with BaseEditor(path) as editor:
            editor.replace(number, new)
        assert not editor.losses
        path.with_suffix(".cko").unlink()
        found = sound(path)
        expected = [*before[: number - 1], new, *before[number:]]
        assert [difference(a, b) for a, b in zip(found, expected, strict=True)] == [[]] * 5

    def test_several_at_once(self, path: Path) -> None:
        with BaseEditor(path) as editor:
            for number in (4, 1, 3):
                editor.replace(number, game(f"N{number}", 9, 9))
            editor.replace(1, game("Last", 2))
            editor.delete([5])
        path.with_suffix(".cko").unlink()
        assert whites(path) == ["Last", "B", "N3", "N4", "E"]
        assert read(path)[4].deleted

    def test_entities_come_and_go(self, path: Path) -> None:
        with BaseEditor(path) as editor:
            editor.replace(1, game("B"))
        with tabiya.open(path) as base:
            assert isinstance(base, CbhDatabase)
            assert base.players[0].deleted
            assert [player.games for player in base.players.find("B")] == [5, 2]
        with BaseEditor(path) as editor:
            editor.replace(2, game("Z"))
        path.with_suffix(".cko").unlink()
        assert whites(path) == ["B", "Z", "C", "D", "E"]
        with tabiya.open(path) as base:
            assert isinstance(base, CbhDatabase)
            assert base.players[0].name == "Z", "the id of a deleted entity is used again"

    def test_losses_are_those_of_what_is_there_in_the_end(self, path: Path) -> None:
        with BaseEditor(path) as editor:
            editor.replace(1, game("X", Opening="x"))
            editor.replace(2, game("X", Opening="x"))
            assert editor.losses.get("tags")
            editor.replace(1, game("X"))
        loss = editor.losses.get("tags")
        assert loss is not None
        assert (loss.count, loss.first_game) == (1, 2)

    def test_a_former_name_with_leftovers_behind_it(self, path: Path) -> None:
        """ChessBase leaves anything behind the NUL of a name; it must not be found by that any more."""
        players = path.with_suffix(".cbp")
        data = players.read_bytes()
        assert data.count(b"A\0\0\0") == 1
        players.write_bytes(data.replace(b"A\0\0\0", b"A\0zz"))
        with BaseEditor(path) as editor:
            editor.edit("players", 0, first="Z")
            editor.edit("players", 0, last="Other")
            editor.replace(2, game("A"))
            editor.replace(3, game("Other, Z"))
        assert whites(path) == ["Other, Z", "A", "Other, Z", "D", "E"]
        with tabiya.open(path) as base:
            assert isinstance(base, CbhDatabase)
            assert [player.games for player in base.players.find("Other")] == [2]

    def test_media_get_numbers_that_are_free(self, path: Path) -> None:
        new = game("New", 2)
        new.annotations.extend([Annotation(0x10, b"4"), Annotation(0x11, b"7")])
        with BaseEditor(path) as editor:
            editor.replace(1, new)
        with BaseEditor(path) as editor:
            editor.replace(1, game("Other"))
        with tabiya.open(path) as base:
            assert isinstance(base, CbhDatabase)
            assert [base.header[f"next_{kind}"] for kind in ("sound", "picture", "video")] == [5, 8, 0]

    def test_other_files_are_told(self, path: Path) -> None:
        with BaseEditor(path) as editor:
            editor.delete([1])
            editor.edit("players", 0, last="New")
        assert editor.remarks == ()
        with BaseEditor(path) as editor:
            editor.replace(1, game("N"))
        removed, kept = editor.remarks
        assert "3 files removed as outdated: x.cbgi, x.cib, x.cit" in removed
        assert kept.endswith("perhaps outdated now: x.cko")
        assert path.with_suffix(".cko").exists()

    def test_texts_media_and_boosters(self, path: Path) -> None:
        text = Game({"Event": "E"})
        text.kind = RecordKind.TEXT
        text.texts = [GuidingText(0, "Title", 3, b"<html>")]
        text.extras = [Extra("cbh.top_game", b"3"), Extra("cbh.media", b"FilesUsed\n1\na.jpg\n")]
        with BaseEditor(path) as editor:
            editor.replace(3, text)
        path.with_suffix(".cko").unlink()
        assert difference(sound(path)[2], text) == []
        with BaseEditor(path) as editor:
            editor.replace(3, game("Back"))
        assert whites(path) == ["A", "B", "Back", "D", "E"]

    def test_what_cannot_be_written_is_refused(self, path: Path) -> None:
        opaque = Game()
        opaque.kind = RecordKind.OPAQUE
        with BaseEditor(path) as editor:
            with pytest.raises(LossError, match="would be lost"):
                editor.replace(1, opaque)
            with pytest.raises(LossError, match="tags"):
                editor.replace(1, game("X", Opening="x"), strict=True)
            editor.replace(2, game("X", Opening="x"))
        assert editor.losses.get("tags")
        assert [each.tags["White"] for each in read(path)] == ["A", "X", "C", "D", "E"]

    @pytest.mark.parametrize("name", [name for name in SMALLER if name != "small"])
    def test_samples(self, samples: Callable[[str], Path], tmp_path: Path, name: str) -> None:
        """One game becomes larger; all other bodies are byte by byte what they were."""
        with tabiya.open(samples(f"cbh/{name}")) as source:
            main = source.files[0]
        copy_base(main, tmp_path / "copy.cbh")
        bodies, games = list(blobs(main)), read(main)
        number = 1 + len(games) // 2
        with BaseEditor(tmp_path / "copy.cbh") as editor:
            editor.replace(number, game("New", 10, 10))
        found = list(blobs(tmp_path / "copy.cbh"))
        assert [a == b for a, b in zip(found, bodies, strict=True)].count(False) == 1
        again = read(tmp_path / "copy.cbh")
        wrong = [i + 1 for i, (a, b) in enumerate(zip(again, games, strict=True)) if difference(a, b)]
        assert wrong == [number]


class TestEntities:
    def test_names(self, path: Path) -> None:
        with BaseEditor(path) as editor:
            editor.edit("players", 0, last="Öberg", first="Anna")
            editor.edit("tournaments", 0, title="Event", rounds=9)
            editor.edit("players", 0, first="Eva")
        found = sound_but_for_boosters(path)
        assert found[0].tags["White"] == "Öberg, Eva"
        assert [each.tags["EventRounds"] for each in found] == ["9"] * 5

    @pytest.mark.parametrize(
        ("kind", "number", "fields", "words"),
        [
            ("players", 99, {"last": "x"}, "no player 99"),
            ("players", 0, {"left": 3}, "no field 'left'"),
            ("players", 0, {"games": 3}, "no field 'games'"),
            ("players", 0, {"last": "x" * 30}, "does not fit"),
            ("tournaments", 0, {"rounds": 999}, "does not fit"),
            ("people", 0, {}, "a base has no 'people'"),
        ],
    )
    def test_nonsense(self, path: Path, kind: str, number: int, fields: dict[str, str | int], words: str) -> None:
        with pytest.raises(UsageError, match=words), BaseEditor(path) as editor:
            editor.edit(kind, number, **fields)


def sound_but_for_boosters(path: Path) -> list[Game]:
    for suffix in (".cbgi", ".cit", ".cib", ".cko"):
        path.with_suffix(suffix).unlink(missing_ok=True)
    return sound(path)


class TestWholeBases:
    def test_compact(self, path: Path) -> None:
        with BaseEditor(path) as editor:
            editor.delete([1, 3])
            editor.replace(2, game("B", 0))
        assert compact(path, keep_deleted=True).removed == 0
        assert compact(path).removed == 2
        assert whites(path) == ["B", "D", "E"]
        with tabiya.open(path) as base:
            assert isinstance(base, CbhDatabase)
            assert [player.name for player in base.players] == ["B", "Black", "D", "E"]
            assert "wasted in .cbg" not in base.details()

    def test_compact_loses_nothing(self, samples: Callable[[str], Path], tmp_path: Path) -> None:
        copy_base(samples("cbh/World-ch"), tmp_path / "w.cbh")
        before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
        with pytest.raises(LossError):
            compact(tmp_path / "w.cbh")
        assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before

    @pytest.mark.parametrize("name", ["x.cbv", "x.pgn"])
    def test_another_file_of_the_same_name_is_no_base(self, tmp_path: Path, name: str) -> None:
        for path in (tmp_path / "x.cbh", tmp_path / name):
            written(path, [game("A")])
        before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
        for change in (lambda path: copy_base(path, tmp_path / "y.cbh"), compact, BaseEditor):
            with pytest.raises(FormatError, match=r"there is no \.cbh file"):
                change(tmp_path / name)
        assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before
        (tmp_path / "x.cbh").rename(tmp_path / "x.old")
        assert "y.cbg" in copy_base(tmp_path / "x.old", tmp_path / "y.cbh").names

    def test_a_base_that_lacks_files_is_copied_as_it_is(self, samples: Callable[[str], Path], tmp_path: Path) -> None:
        main = samples("cbh/World-ch/World-ch.cbh")
        copy_base(main, tmp_path / "World-ch")
        for each in main.parent.iterdir():
            if each.is_file():
                assert (tmp_path / each.name).read_bytes() == each.read_bytes()
        with pytest.raises(UsageError, match="already exists"):
            copy_base(main, tmp_path / "World-ch.cbh")
        with pytest.raises(UsageError, match="is also the source"):
            copy_base(tmp_path / "World-ch.cbh", tmp_path / "World-ch.cbh", overwrite=True)

    def test_media_are_copied(self, path: Path, tmp_path: Path) -> None:
        (tmp_path / "x.html").mkdir()
        (tmp_path / "x.html" / "a.jpg").write_bytes(b"picture")
        assert "y.html" in copy_base(path, tmp_path / "y.cbh").names
        assert (tmp_path / "y.html" / "a.jpg").read_bytes() == b"picture"


class TestAppending:
    @pytest.mark.parametrize("name", SMALLER)
    def test_samples(self, samples: Callable[[str], Path], tmp_path: Path, name: str) -> None:
        with tabiya.open(samples(f"cbh/{name}")) as source:
            old, main = list(source), source.files[0]
        target = tmp_path / main.name
        for each in main.parent.iterdir():
            if each.is_file():
                shutil.copyfile(each, target.with_suffix(each.suffix))
        new = [game("New", 10, 10), game("Новый, Игрок")]
        with tabiya.create(target, append=True) as writer:
            writer.write(new)
        assert not writer.losses
        found = read(target)
        assert [difference(a, b) for a, b in zip(found, old + new, strict=True)] == [[]] * len(found)
        if name not in ("test-annotations", "hedgehog"):  # wrong numbers, and magnitudes of another opinion
            plain_cbh.read(target)

    def test_appending_creates(self, tmp_path: Path) -> None:
        for _ in range(2):
            with tabiya.create(tmp_path / "x.cbh", append=True) as writer:
                writer.write(game("A"))
        assert whites(tmp_path / "x.cbh") == ["A", "A"]

    def test_without_bodies_nothing_can_be_added(self, samples: Callable[[str], Path], tmp_path: Path) -> None:
        copy_base(samples("cbh/World-ch"), tmp_path / "w.cbh")
        with pytest.raises(TabiyaError, match=r"no \.cbg"):
            tabiya.create(tmp_path / "w.cbh", append=True)


GIVEN = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@GIVEN
@given(
    st.lists(st.tuples(st.integers(0, 10), st.integers(0, 4)), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 10), st.integers(0, 4)), max_size=6),
)
def test_any_replacements(
    tmp_path_factory: pytest.TempPathFactory, games: list[tuple[int, int]], changes: list[tuple[int, int, int]]
) -> None:
    path = tmp_path_factory.mktemp("base") / "x.cbh"
    expected = [game(f"G{i}", *each) for i, each in enumerate(games)]
    written(path, expected)
    for group in (changes[:3], changes[3:]):
        with mock.patch.object(os, "fsync"), BaseEditor(path) as editor:
            for which, plies, comments in group:
                expected[which % len(expected)] = game(f"N{which}", plies, comments)
                editor.replace(which % len(expected) + 1, expected[which % len(expected)])
    assert [difference(a, b) for a, b in zip(sound(path), expected, strict=True)] == [[]] * len(expected)


@dataclass
class Player:
    """One whose name may change; all games in which he has White show it then."""

    name: str


@dataclass
class Model:
    """A base as it should be after every single call."""

    whites: list[Player]
    deleted: list[bool]
    players: list[Player]
    """All that the base knows, also those that have lost their games in this block."""

    def apply(self, editor: BaseEditor, ids: list[int], on_disk: list[Player], what: str, value: Any) -> None:
        """Do the same to a base and to the model; ``ids`` are those that White had in the beginning."""
        if what in ("delete", "undelete"):
            getattr(editor, what)([row + 1 for row in value])
            for row in value:
                self.deleted[row] = what == "delete"
        elif what == "edit":
            row, name = value
            editor.edit("players", ids[row], last=name)
            on_disk[row].name = name
        else:
            row, name, deleted, plies = value
            new = game(name, plies)
            new.deleted = deleted
            editor.replace(row + 1, new)
            known = [player for player in self.players if player.name == name]
            self.players += [] if known else [Player(name)]
            self.whites[row] = (known or self.players[-1:])[0]
            self.deleted[row] |= deleted


ROW = st.integers(0, 2)
STEPS = st.one_of(
    st.tuples(st.sampled_from(["delete", "undelete"]), st.lists(ROW, max_size=2)),
    st.tuples(st.just("replace"), st.tuples(ROW, st.sampled_from("ABXY"), st.booleans(), st.integers(0, 9))),
    st.tuples(st.just("edit"), st.tuples(ROW, st.uuids().map(lambda each: each.hex[:20]))),
)


@GIVEN
@given(st.lists(st.lists(STEPS, max_size=6), min_size=1, max_size=3))
@example([[("replace", (1, "X", False, 3)), ("delete", [1])]])
@example([[("delete", [1]), ("replace", (1, "X", False, 3))]])
@example([[("delete", [1])], [("replace", (1, "X", False, 3))], [("undelete", [1])]])
@example([[("replace", (1, "X", True, 3)), ("undelete", [1]), ("replace", (1, "Y", False, 9))]])
@example([[("replace", (1, "A", False, 3)), ("edit", (0, "E")), ("replace", (2, "A", False, 3))]])
def test_changes_in_their_order(tmp_path_factory: pytest.TempPathFactory, blocks: list[list[tuple[str, Any]]]) -> None:
    """Whatever is changed in one block, or in several: the same as if every call were done at once."""
    path = tmp_path_factory.mktemp("base") / "x.cbh"
    written(path, [game(name, 2) for name in "ABC"])
    players = [Player(name) for name in "ABC"]
    model = Model(list(players), [False] * 3, players)
    for block in blocks:
        with tabiya.open(path) as base:
            assert isinstance(base, CbhDatabase)
            ids = GAME.column(base.source.games, "white").tolist()
        model.players = [*model.whites]
        on_disk = [*model.whites]
        with mock.patch.object(os, "fsync"), BaseEditor(path) as editor:
            for what, value in block:
                model.apply(editor, ids, on_disk, what, value)
        expected = [(white.name, gone) for white, gone in zip(model.whites, model.deleted, strict=True)]
        assert [(each.tags["White"], each.deleted) for each in sound(path)] == expected
