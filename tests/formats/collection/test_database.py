"""Several databases as one, against the databases one after the other."""

from __future__ import annotations

import gzip
import os
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import CorruptError, FormatError, TabiyaError, UnsupportedError, UsageError
from tabiya.formats import Database
from tabiya.formats.collection.database import Collection
from tests.conftest import ROOT
from tests.systems import needs_links

CLASSICS = ROOT / "examples" / "classics.pgn"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Databases of several formats, some in a folder below, and files that are none."""
    here = tmp_path / "games"
    (here / "below" / "deep").mkdir(parents=True)
    shutil.copy(CLASSICS, here / "b.pgn")
    tabiya.convert(CLASSICS, here / "a.bcgn")
    tabiya.convert(CLASSICS, here / "c.cbh")
    tabiya.convert(CLASSICS, here / "d.cbh", where=tabiya.RecordFilter(player="tartakower"))
    tabiya.convert(CLASSICS, here / "below" / "e.pgn.xz")
    tabiya.convert(CLASSICS, here / "below" / "deep" / "f.parquet")
    (here / "notes.txt").write_text("Zero chess.\n")
    (here / ".hidden.pgn").write_text(CLASSICS.read_text("utf-8"))
    (here / "empty.pgn").touch()
    return here


TOP = ("a.bcgn", "b.pgn", "c.cbh", "d.cbh", "empty.pgn")
BELOW = (*TOP, "below/e.pgn.xz", "below/deep/f.parquet")


def parts(folder: Path, names: tuple[str, ...]) -> Iterator[tuple[str, int, tabiya.Game]]:
    """The records of databases, by opening each alone."""
    for name in names:
        with tabiya.open(folder / name) as database:
            for number, game in enumerate(database, 1):
                yield str(folder / name), number, game


def check_all(database: Database, expected: list[tuple[str, int, tabiya.Game]]) -> None:
    """Everything that a database can be asked agrees with the list of its records."""
    games = list(database)
    assert games == [game for _, _, game in expected]
    assert [(game.source, game.source_number) for game in games] == [(name, number) for name, number, _ in expected]
    assert [game.number for game in games] == list(range(1, len(expected) + 1))
    assert len(database) == len(expected)
    for place in (0, len(expected) // 2, -1):
        assert (database[place], database[place].source) == (games[place], games[place].source)
    assert [tuple(database.origin(number)) for number in range(1, len(expected) + 1)] == [
        (name, number) for name, number, _ in expected
    ]
    assert list(database[3:-2]) == games[3:-2]
    assert [game.source for game in database[2:12]] == [game.source for game in games[2:12]]
    for threads in (1, 3):
        table = (
            database.to_arrow(["number", "source_number", "source", "white"], threads=threads).read_all().to_pylist()
        )
        assert [(row["source"], row["source_number"]) for row in table] == [(name, n) for name, n, _ in expected]
        assert [row["number"] for row in table] == list(range(1, len(expected) + 1))
        assert [game for batch in database.batches(threads=threads) for game in batch] == games
    assert database.progress == 1


def test_a_folder(folder: Path) -> None:
    with tabiya.open(folder) as database:
        assert isinstance(database, Collection)
        check_all(database, list(parts(folder, TOP)))
        assert database.members == tuple(str(folder / name) for name in TOP)
        assert database.remarks == (f"1 file that is no database skipped: {folder / 'notes.txt'}",)
        assert database.details() == {"databases": 5, "formats": "2 pgn, 2 cbh, 1 bcgn", "skipped files": 1}
        assert database.problems == ()
        assert {folder / "b.pgn", folder / "c.cbh", folder / "c.cbg"} <= {*database.files}


def test_folders_below(folder: Path) -> None:
    with tabiya.open(folder, recursive=True) as database:
        check_all(database, list(parts(folder, BELOW)))


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*.pgn", ("b.pgn", "empty.pgn")),
        ("?.cb?", ("c.cbh", "d.cbh")),
        ("[ab].*", ("a.bcgn", "b.pgn")),
        ("**/*.pgn*", ("b.pgn", "empty.pgn", "below/e.pgn.xz")),
        ("*/*/*", ("below/deep/f.parquet",)),
        ("**/deep", ("below/deep/f.parquet",)),
        (".h*", (".hidden.pgn",)),
        ("below", ("below/e.pgn.xz",)),
    ],
)
def test_patterns(folder: Path, pattern: str, names: tuple[str, ...]) -> None:
    with tabiya.open(f"{folder}/{pattern}") as database:
        check_all(database, list(parts(folder, names)))


def test_a_list_in_its_order_each_database_once(folder: Path) -> None:
    names = ("d.cbh", "below/deep/f.parquet", "below/e.pgn.xz", "b.pgn")
    places: list[str | Path] = [
        folder / "d.cbg",
        str(folder / "below" / "*"),
        folder / "b.pgn",
        folder / "below" / ".." / "b.pgn",
    ]
    with tabiya.open([*places, folder / "d.cbh"]) as database:
        check_all(database, list(parts(folder, names)))
    with tabiya.open([folder / "b.pgn"]) as database:
        assert isinstance(database, Collection)


def test_a_name_with_brackets_is_no_pattern(folder: Path) -> None:
    (folder / "b.pgn").rename(folder / "x[1].pgn")
    with tabiya.open(str(folder / "x[1].pgn")) as database:
        assert not isinstance(database, Collection)


def test_a_folder_with_one_base_is_that_base(folder: Path) -> None:
    for path in folder.glob("d.*"):
        path.unlink()
    with tabiya.open(folder) as database:
        assert database.format.name == "cbh"
    with tabiya.open(folder, recursive=True) as database:
        assert len(database.filter(player="tartakower")) == 5 * 2


def test_choices_and_conversions(folder: Path, tmp_path: Path) -> None:
    expected = list(parts(folder, TOP))
    with tabiya.open(folder) as database:
        some = database.filter(player="tartakower")
        tartakower = [each for each in expected if "Tartakower" in each[2].tags["White"] + each[2].tags["Black"]]
        assert [(game.source, game.source_number) for game in some] == [each[:2] for each in tartakower]
        assert some.origin(some[2].number or 0) == tartakower[2][:2]
        assert some[-1].source == tartakower[-1][0]
        report = tabiya.convert(database, tmp_path / "all.pgn", threads=2)
        assert (report.read, report.source_format) == (len(expected), "collection")
        with pytest.raises(UsageError, match="is also the source"):
            tabiya.convert(database, folder / "b.pgn", overwrite=True)
    with tabiya.open(tmp_path / "all.pgn") as whole:
        assert list(whole) == [game for _, _, game in expected]
    assert tabiya.convert(f"{folder}/*.pgn", tmp_path / "some.pgn").read == 8
    assert not list(tabiya.Comparison([folder / "b.pgn"], folder / "b.pgn"))
    assert tabiya.summarize(folder).records == len(expected)


def test_few_files_are_open_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabiya.formats.collection.open_databases._MOST_OPEN", 2)
    monkeypatch.setattr("tabiya.formats.collection.open_databases._JOINED_FILES", 1)
    for index in range(40):
        (tmp_path / f"{index:02}.pgn").write_text(f'[White "{index}"]\n\n*\n\n' * (index % 3))
    with tabiya.open(tmp_path) as database:
        assert isinstance(database, Collection)
        counts = [index % 3 for index in range(40)]
        assert len(database) == sum(counts)
        opened = database._open._databases
        for place in range(sum(counts) - 1, -1, -7):
            game = database[place]
            assert game.source == str(tmp_path / f"{int(game.tags['White']):02}.pgn")
            assert len(opened) <= 2
        iterators = [iter(database), database.headers(threads=2)]
        for _ in range(20):
            assert all(next(each) is not None for each in iterators)
        assert [game.tags["White"] for game in database] == [str(i) for i in range(40) for _ in range(counts[i])]
        assert len(opened) <= 2 + len(iterators)
    assert not opened
    with pytest.raises(UsageError, match="closed"):
        len(database)


def test_only_what_is_asked_for_is_counted(folder: Path) -> None:
    with tabiya.open(folder) as database:
        assert isinstance(database, Collection)
        assert database[3].source_number == 4
        assert len(database._ends) == 0
        assert database[9].source_number == 2
        assert len(database._ends) == 1


def test_options_go_to_those_who_know_them(folder: Path) -> None:
    (folder / "latin.pgn").write_bytes('[White "Петров"]\n\n*\n'.encode("cp1251"))
    with tabiya.open([folder / "a.bcgn", folder / "latin.pgn"], encoding="cp1251") as database:
        assert database[8].tags["White"] == "Петров"
    with pytest.raises(UsageError, match="none of these databases has the option 'colour'; they are: bcgn"):
        tabiya.open([folder / "a.bcgn"], colour="red")


def test_streams_are_read_once_and_kept(folder: Path) -> None:
    with (folder / "b.pgn").open("rb") as stream:
        database = tabiya.open([folder / "a.bcgn", stream])
        assert database.path is None
        assert [game.source for game in database] == [str(folder / "a.bcgn")] * 8 + ["stream"] * 8


@pytest.mark.parametrize(
    ("places", "kind", "sentence"),
    [
        ([], UsageError, "the list of databases is empty"),
        (["missing.pgn"], TabiyaError, "missing.pgn: no such file or folder"),
        ("missing*", UsageError, r"missing\*: no database matches this pattern"),
        ("*.txt", UsageError, "no database matches this pattern"),
        (["b.pgn", "notes.txt"], FormatError, "is not a kind of file that tabiya can read"),
        (["nothing"], FormatError, "holds no database that tabiya can read; folders in it were not searched"),
        ("nothing", FormatError, "holds no database that tabiya can read"),
        ([3], UsageError, "expected a path or a file object, not 3"),
    ],
)
def test_mistakes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, places: list[str] | str, kind: type[Exception], sentence: str
) -> None:
    (folder / "nothing").mkdir()
    monkeypatch.chdir(folder)
    with pytest.raises(kind, match=sentence):
        list(tabiya.open(places))


@needs_links
def test_links_that_lead_in_circles(folder: Path) -> None:
    (folder / "below" / "up").symlink_to(folder)
    (folder / "below" / "also").symlink_to(folder / "below")
    (folder / "nowhere.pgn").symlink_to(folder / "gone.pgn")
    with tabiya.open(folder, recursive=True) as database:
        assert len(database) == len(list(parts(folder, BELOW)))
    with tabiya.open(f"{folder}/**/*.pgn*") as database:
        assert len(database) == 16


def test_what_cannot_be_read_is_missing_and_told(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "c.cbh", folder / "e.cbh")  # a base without its other files reads; one cut off does not
    (folder / "x.cbv").write_bytes(b"\x08\0\x01\0\xad\0\x03\0")
    with tabiya.open(folder) as database:
        problems = [problem.sentence for problem in database.problems]
        assert any(f"so its games are missing here: {folder / 'x.cbv'}" in sentence for sentence in problems)
        assert "x.cbv" not in {game.source for game in database}
        report = tabiya.convert(database, tmp_path / "all.pgn")
        assert report.losses.get("left-out") is not None
        with pytest.raises(tabiya.LossError):
            tabiya.convert(database, tmp_path / "strict.pgn", strict=True)
    with pytest.raises(TabiyaError, match=r"x\.cbv"):
        list(tabiya.open([folder / "x.cbv"]))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="needs permissions that hold")
def test_what_must_not_be_read(folder: Path) -> None:
    (folder / "b.pgn").chmod(0)
    with tabiya.open(folder) as database:
        assert "permission denied" in database.problems[0].sentence
    with pytest.raises(TabiyaError, match="permission denied"):
        tabiya.open([folder / "b.pgn"])


def zipped(path: Path, members: dict[str, bytes], *, packing: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_an_archive(folder: Path, tmp_path: Path) -> None:
    names = [*sorted(folder.glob("c.*")), folder / "b.pgn", folder / "notes.txt"]
    members = {f"inner/{each.name}": each.read_bytes() for each in names}
    path = zipped(tmp_path / "games.zip", {**members, "__MACOSX/b.pgn": b"", "more.zip": b"PK\x03\x04"})
    with tabiya.open(path) as database:
        expected = [
            (str(path / "inner" / Path(name).name), number, game)
            for name, number, game in parts(folder, ("b.pgn", "c.cbh"))
        ]
        check_all(database, expected)
        assert database.files == (path,)
        assert database.remarks == (f"2 files that are no database skipped: {path}/inner/notes.txt, {path}/more.zip",)
        temporary = database._folder  # type: ignore[attr-defined]
        assert temporary.is_dir()
    assert not temporary.exists()
    with tabiya.open([path, CLASSICS]) as database:
        assert [database.origin(number).source for number in (1, 9, 17)] == [
            str(path / "inner" / "b.pgn"),
            str(path / "inner" / "c.cbh"),
            str(CLASSICS),
        ]
        assert len(database) == 24


def test_hostile_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("../x.pgn", "/x.pgn", "a/../../x.pgn", "C:x.pgn", "a//b.pgn"):
        with pytest.raises(UnsupportedError, match="dangerous name"):
            tabiya.open(zipped(tmp_path / "a.zip", {name: b"*"}))
    bomb = zipped(tmp_path / "bomb.zip", {"x.pgn": bytes(1 << 20)})
    monkeypatch.setattr("tabiya.formats.collection.zip_archive.MOST_BYTES", 1 << 16)
    with pytest.raises(UnsupportedError, match="claims to hold 1 files with 1,048,576 bytes"):
        tabiya.open(bomb)
    monkeypatch.setattr("tabiya.formats.collection.zip_archive.MOST_MEMBERS", 3)
    with pytest.raises(UnsupportedError, match="claims to hold 4 files"):
        tabiya.open(zipped(tmp_path / "many.zip", {f"{each}.pgn": b"*" for each in range(4)}))
    locked = bytearray(zipped(tmp_path / "locked.zip", {"x.pgn": b"*"}).read_bytes())
    locked[6] |= 1
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "locked.zip").write_bytes(locked)
    with pytest.raises(UnsupportedError, match="is encrypted"):
        tabiya.open(tmp_path / "locked.zip")
    with pytest.raises(FormatError, match=r"none\.zip: holds no database that tabiya can read$"):
        tabiya.open(zipped(tmp_path / "none.zip", {}))
    (tmp_path / "cut.zip").write_bytes(locked[:40])
    with pytest.raises(CorruptError, match=r"cut\.zip: damaged"):
        tabiya.open(tmp_path / "cut.zip")


def test_a_damaged_member_is_read_up_to_the_damage(tmp_path: Path) -> None:
    text = CLASSICS.read_bytes()
    path = zipped(tmp_path / "a.zip", {"x.pgn": text, "y.pgn": text}, packing=zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x03\x04", 8) - 10] ^= 0xFF
    path.write_bytes(data)
    with tabiya.open(path) as database:
        assert [problem.sentence.partition(":")[0] for problem in database.problems] == [
            "a file in the archive is damaged; it was read up to the damage"
        ]
        assert database[-1].source == str(path / "y.pgn")


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("files", [2, 3, 500])
def test_small_files_are_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int, threads: int
) -> None:
    """With the same records, numbers and origins as file by file, also where one of them cannot be read so."""
    texts = ["", "1. e4 *", '[White "A"]\n\n1. d4 *\n\n[White "B"]\n\n1. c4 {x} *', "1. e5 *", '[White "\xff"]\n\n*']
    for number in range(40):
        (tmp_path / f"{number:02}.pgn").write_bytes(texts[number % len(texts)].encode("latin-1"))
    (tmp_path / "17.pgn").unlink()
    with gzip.open(tmp_path / "17.pgn.gz", "wb") as packed:
        packed.write(b"1. Nf3 *")
    (tmp_path / "23.pgn.gz").write_bytes(gzip.compress(b"1. e4 e5 *" * 99)[:-20])
    monkeypatch.setattr("tabiya.formats.collection.open_databases._JOINED_FILES", files)
    found = []
    for joined in (True, False):
        if not joined:
            monkeypatch.setattr("tabiya.formats.pgn.database.PgnDatabase.read_with", Database.read_with)
        for count_first in (True, False):
            with tabiya.open(tmp_path) as database:
                count = len(database) if count_first else None
                games = [game for batch in database.batches(threads=threads) for game in database._unfolded(batch)]
                assert count in {None, len(games)}
                headers = sum(len(each) for each in database.headers(threads=threads))
                places = [(game.number, game.source, game.source_number, game.problems) for game in games]
                origins = [tuple(database.origin(number)) for number in range(1, len(games) + 1)]
                found.append((games, places, headers, origins, len(database), database.problems))
    assert all(each == found[0] for each in found[1:])
    assert found[0][4] == len(found[0][0]) == 40


def test_packed_files_that_are_larger_than_they_seem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ab":
        (tmp_path / f"{name}.pgn.gz").write_bytes(gzip.compress(b"1. e4 *\n\n" * 1000))
    monkeypatch.setattr("tabiya.formats.pgn.database._MOST_TOGETHER", 1000)
    with tabiya.open(tmp_path) as database:
        assert isinstance(database, Collection)
        assert database._joined([0, 1]) is None
        assert len(database) == 2000
