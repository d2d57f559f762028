"""Fields that few bases use: numbers of media, texts of late tournaments, bodies that overlap, files that are rare."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

import pytest

import tabiya
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.cbh.archive.extracting import extract
from tabiya.formats.cbh.archive.packing import pack
from tabiya.formats.cbh.checking import check_base
from tabiya.formats.cbh.compaction import compact
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.editing import BaseEditor
from tabiya.formats.cbh.files.base_files import KNOWN_SUFFIXES, MEDIA_FOLDERS
from tabiya.formats.cbh.reading.header_window import Window
from tabiya.game import Annotation, Game, GuidingText, RecordKind
from tests.formats.cbh.writing.test_checking import damage

SOUND, PICTURE, VIDEO = 0x10, 0x11, 0x20


def game(event: str = "E", comment: str = "") -> Game:
    found = Game({"White": "A", "Black": "B", "Event": event, "Result": "1-0"})
    if comment:
        found.annotations.append(Annotation(0x02, comment.encode()))
    return found


def problems(path: Path) -> list[tuple[int, int | None, str]]:
    with CbhDatabase(path) as base:
        return [(each.problem.code, each.game, each.problem.text) for each in check_base(base)]


class TestMedia:
    """The header has the number that the next sound, picture and video gets: above all that are in use."""

    def next_numbers(self, path: Path) -> tuple[int, ...]:
        return struct.unpack(">III", path.read_bytes()[12:24])

    def with_media(self, *media: tuple[int, bytes]) -> Game:
        found = game()
        found.annotations.extend(Annotation(kind, data) for kind, data in media)
        return found

    def test_none(self, tmp_path: Path) -> None:
        with tabiya.create(tmp_path / "x.cbh") as writer:
            writer.write([game()])
        assert self.next_numbers(tmp_path / "x.cbh") == (0, 0, 0)

    def test_the_highest_of_all_batches_counts(self, tmp_path: Path) -> None:
        with tabiya.create(tmp_path / "x.cbh") as writer:
            writer.write([self.with_media((SOUND, b"2"), (PICTURE, b"40"), (PICTURE, b"9")), game()])
            writer.write([self.with_media((PICTURE, b"12"), (SOUND, b"no number"))])
            writer.write([self.with_media((SOUND, b"3")), game()])
        assert self.next_numbers(tmp_path / "x.cbh") == (4, 41, 0)

    def test_changes_never_lower_them(self, tmp_path: Path) -> None:
        path = tmp_path / "x.cbh"
        with tabiya.create(path) as writer:
            writer.write([self.with_media((SOUND, b"2"), (PICTURE, b"40")), game()])
        with tabiya.create(path, append=True) as writer:
            writer.write([self.with_media((SOUND, b"7"), (PICTURE, b"5"))])
        assert self.next_numbers(path) == (8, 41, 0)
        with BaseEditor(path) as editor:
            editor.replace(1, game())
        assert self.next_numbers(path) == (8, 41, 0)
        with BaseEditor(path) as editor:
            editor.replace(2, self.with_media((SOUND, b"1"), (PICTURE, b"60")))
        assert self.next_numbers(path) == (8, 61, 0)
        with BaseEditor(path) as editor:
            editor.replace(2, game())
        compact(path)
        assert self.next_numbers(path) == (8, 61, 0)
        tabiya.convert(path, tmp_path / "copy.cbh")
        assert self.next_numbers(tmp_path / "copy.cbh") == (8, 61, 0)

    def test_each_has_its_own(self, tmp_path: Path) -> None:
        for place, kind in enumerate((SOUND, PICTURE, VIDEO)):
            path = tmp_path / f"{kind}.cbh"
            with tabiya.create(path) as writer:
                writer.write([self.with_media((kind, b"6"))])
            assert [bool(number) for number in self.next_numbers(path)] == [each == place for each in range(3)]


def text_of(event: str, title: str = "Title") -> Game:
    text = Game({"Event": event})
    text.kind = RecordKind.TEXT
    text.texts = [GuidingText(0, title, 3, b"<html>")]
    return text


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("late") / "x.cbh"
    with tabiya.create(path) as writer:
        writer.write(
            game(f"Event {i}", "comment" if i in (0, 100) else "") for i in range(TestTextsOfLateTournaments.ROW)
        )
        writer.write([text_of(TestTextsOfLateTournaments.LATE), game("Event 5", "behind")])
    return path


class TestTextsOfLateTournaments:
    """Where a game has the place of its annotations, a text has its tournament: ids above 255 look like a place.

    Here the place that tournament 6700 looks like is that of the first annotations.
    """

    ID = 26 << 8 | 44
    ROW = ID
    """Every game before the text has a tournament of its own."""
    LATE = f"Event {ID}"

    @pytest.fixture
    def path(self, original: Path, tmp_path: Path) -> Path:
        shutil.copytree(original.parent, tmp_path / "copy")
        self.check(tmp_path / "copy" / "x.cbh")
        return tmp_path / "copy" / "x.cbh"

    def check(self, path: Path, *, first: bytes = b"comment") -> None:
        """The text has its tournament and no annotations, and all games have theirs."""
        assert problems(path) == []
        record = path.read_bytes()[46 * (self.ROW + 1) :]
        assert int.from_bytes(record[7:10], "big") == self.ID
        assert int.from_bytes(record[5:9], "big") == 26  # if it were that of a game
        with tabiya.open(path) as base:
            records = [base[row] for row in (0, 100, self.ROW, self.ROW + 1)]
            assert base.problems == ()
        assert [[each.data for each in record.annotations] for record in records] == [
            [first],
            [b"comment"],
            [],
            [b"behind"],
        ]
        assert (records[2].kind, records[2].tags["Event"]) == (RecordKind.TEXT, self.LATE)
        assert not any(record.problems for record in records)

    def places_in_extended(self, path: Path) -> bytes:
        """Those of the moves and annotations of the text, as .cbj has them."""
        record = path.with_suffix(".cbj").read_bytes()[32 + 120 * self.ROW :]
        return record[30:38] + record[12:20]

    def test_create(self, path: Path) -> None:
        assert self.places_in_extended(path)[8:] == bytes(8)

    @pytest.mark.parametrize("is_old", [False, True])
    def test_append(self, path: Path, *, is_old: bool) -> None:
        """Old bases have no .cbj: the records of all games are made anew there."""
        before = self.places_in_extended(path)
        if is_old:
            path.with_suffix(".cbj").unlink()
        with tabiya.create(path, append=True) as writer:
            writer.write([game("New", "another")])
        self.check(path)
        assert self.places_in_extended(path) == before

    def test_replace(self, path: Path) -> None:
        """A larger body stays at its place, and what lies behind moves: all but the tournament of a text."""
        before = path.with_suffix(".cba").stat().st_size
        with BaseEditor(path) as editor:
            editor.replace(1, game("Event 0", "a longer comment"))
        self.check(path, first=b"a longer comment")
        assert path.with_suffix(".cba").stat().st_size == before + len("a longer ")
        assert self.places_in_extended(path)[8:] == bytes(8)

    def test_replace_a_text_and_put_one_in(self, path: Path) -> None:
        with BaseEditor(path) as editor:
            editor.replace(self.ROW + 1, text_of(self.LATE, "Another, longer title"))
        self.check(path)
        with BaseEditor(path) as editor:
            editor.replace(self.ROW, text_of(self.LATE))
        self.check(path)
        with tabiya.open(path) as base:
            assert [base[row].tags["Event"] for row in (self.ROW - 1, self.ROW)] == [self.LATE] * 2

    def test_a_place_in_the_extended_record(self, path: Path) -> None:
        """Of a game it would have the same lower half as the short one, so that it would count."""
        damage(path, ".cbj", 32 + 120 * self.ROW + 12, (1 << 32).to_bytes(8, "big"))
        with CbhDatabase(path) as base:
            places = Window(base.source, 0, len(base)).offsets(".cba")
            assert (places[self.ROW], places[0]) == (0, 26)
            assert base[self.ROW].annotations == []
            assert base[self.ROW].problems == []

    def test_convert_and_compact(self, path: Path, tmp_path: Path) -> None:
        tabiya.convert(path, tmp_path / "copy.cbh")
        self.check(tmp_path / "copy.cbh")
        compact(path)
        self.check(path)


class TestOverlaps:
    def test_beyond_the_neighbour(self, tmp_path: Path) -> None:
        """A long body reaches over a short one that lies in it, to the next that does: both are told, with its game."""
        path = tmp_path / "x.cbh"
        with tabiya.create(path) as writer:
            writer.write([game(comment="x" * 300), game(comment="y"), game(comment="z"), game(comment="last")])
        assert problems(path) == []
        places = [int.from_bytes(path.read_bytes()[46 * i + 5 : 46 * i + 9], "big") for i in range(1, 5)]
        file = path.with_suffix(".cba").read_bytes()
        blobs = [file[places[i] : places[i + 1]] for i in (1, 2)]
        inside = [places[0] + 50, places[0] + 150]
        for number, blob, place in zip((2, 3), blobs, inside, strict=True):
            damage(path, ".cba", place, blob)
            damage(path, ".cbh", 46 * number + 5, place.to_bytes(4, "big"))
            damage(path, ".cbj", 32 + 120 * (number - 1) + 12, place.to_bytes(8, "big"))
        found = [each for each in problems(path) if each[0] == 172]
        assert found == [(172, 2, ".cba, with game 1"), (172, 3, ".cba, with game 1")]


class TestPacking:
    def test_every_file_comes_back(self, tmp_path: Path) -> None:
        folder = tmp_path / "base"
        folder.mkdir()
        with tabiya.create(folder / "x.cbh") as writer:
            writer.write([game()])
        for suffix in KNOWN_SUFFIXES:
            path = folder / f"x{suffix}"
            if not path.exists():
                path.write_bytes(f"the file {suffix}".encode())
        for suffix in MEDIA_FOLDERS:
            (folder / f"x{suffix}").mkdir()
            (folder / f"x{suffix}" / "1.dat").write_bytes(suffix.encode())
        pack(folder / "x.cbh", tmp_path / "x.cbv")
        with Archive(tmp_path / "x.cbv") as archive:
            extract(archive, tmp_path / "back")
        before, after = (
            {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}
            for place in (folder, tmp_path / "back")
        )
        assert after == before
        assert len(after) == len(KNOWN_SUFFIXES) + len(MEDIA_FOLDERS)
