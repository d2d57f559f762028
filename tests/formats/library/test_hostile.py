"""Libraries that are damaged, foreign, newer, or made to do harm: one clear sentence, and nothing is changed."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.errors import CorruptError, FormatError, TabiyaError, UnsupportedError
from tabiya.formats.library.manifest import Manifest, own_number, sealed
from tabiya.positions.index import PositionIndex
from tabiya.positions.searchable import IndexRows
from tabiya.search import Check, ExactPosition, Material
from tests.formats.corpus import corpus, long_corpus
from tests.formats.suite import contents

Told = dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "x.tabiya"
    with tabiya.create(path, variations=True) as writer:
        writer.write(long_corpus(60))
    with tabiya.edit(path) as editor:
        editor.delete([1, 7])
    return path


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "x.tabiya")


def use(path: Path) -> None:
    """Do everything that looks at files."""
    with tabiya.open(path) as library:
        assert len(list(library)) == len(library)
        list(library.headers())
        search = library.searchable()
        assert search is not None
        search.names.names()
        for segment in search.segments:
            assert len(segment.facts) + 1 == len(segment.lines.ends)
            assert segment.lines.ends[-1] <= len(segment.lines.moves)
            segment.find(0x463B96181691FC9C)
            segment.find_variations(0x463B96181691FC9C)
            assert segment.hidden is None or len(segment.hidden) == len(segment.facts)


def ask(path: Path) -> list[Any]:
    """Do everything that trusts what a search is quick with, and return the answers."""
    with tabiya.open(path) as library:
        return [
            library.search(ExactPosition("e4"), player="a", eco="A00-E99", since="1800").count(),
            library.search(ExactPosition("e4"), variations=True).count(),
            library.search(Material("KRPKR") | Check()).count(),
            library.explore("e4").to_dict(),
            library.explore(player="a", move_orders=3, any_castling=True).to_dict(),
            library.player("/./").to_dict(),
        ]


def forget_checksums(path: Path) -> None:
    """Make a library like those of earlier tabiyas; or of one who wants to do harm, and knows how to compute them."""
    change(path, lambda it: [file.pop("crc32", None) for each in it["segments"] for file in each["files"].values()])


def change(path: Path, alter: Callable[[Told], object]) -> None:
    """Change a manifest, and give it the checksum that goes with it."""
    report = json.loads((path / "manifest.json").read_text())
    alter(report)
    (path / "manifest.json").write_bytes(sealed(report))


def as_before(told: Told) -> bytes:
    """Return a manifest as tabiya wrote it before manifests had checksums and statistics."""
    former = {key: value for key, value in told.items() if key not in ("sha256", "statistics")}
    return (json.dumps(former, indent=1) + "\n").encode()


WRONG: dict[str, Callable[[Told], object]] = {
    "records": lambda it: it.update(records=-1),
    "records beyond": lambda it: it.update(records=10**30),
    "fewer records": lambda it: it.update(records=59),
    "more records": lambda it: it.update(records=61),
    "no records": lambda it: it.pop("records"),
    "a text": lambda it: it.update(records="60"),
    "true": lambda it: it.update(next=True),
    "segments": lambda it: it.update(segments=7),
    "a segment": lambda it: it.update(segments=[7]),
    "the same number": lambda it: it["segments"][1].update(number=it["segments"][0]["number"]),
    "a path": lambda it: it["segments"][0].update(number="../../etc/passwd"),
    "kind of a file": lambda it: it["segments"][0]["files"].update({"../games": {"bytes": 1, "sha256": ""}}),
    "no games": lambda it: it["segments"][0]["files"].pop("games"),
    "no fences": lambda it: it["segments"][0]["files"].pop("fences"),
    "no positions": lambda it: it.update(positions=False),
    "size": lambda it: it["segments"][0]["files"]["games"].update(bytes=5),
    "rows": lambda it: it["segments"][0].update(rows=10**9),
    "rows fewer": lambda it: it["segments"][0].update(rows=3),
    "first": lambda it: it["segments"][0].update(first=5),
    "first of all": lambda it: it["segments"][1].update(first=5),
    "numbered": lambda it: it["segments"][1].update(numbered=False),
    "not numbered": lambda it: it["segments"][0].update(numbered=True),
    "names": lambda it: it["segments"][0].update(names=1),
    "count of positions": lambda it: it["segments"][0].update(positions=it["segments"][0]["positions"] + 1),
    "count of variations": lambda it: it["segments"][0].update(variations=it["segments"][0]["variations"] + 1),
    "no hash": lambda it: it["segments"][0]["files"]["games"].update(sha256="x"),
    "a hash that is a number": lambda it: it["segments"][0]["files"]["games"].update(sha256=7),
    "sources": lambda it: it.update(sources=[{"name": 3}]),
    "statistics": lambda it: it.update(statistics={"texts": -1}),
    "statistics of others": lambda it: it.update(statistics={"colours": 1}),
    "no statistics": lambda it: it.update(statistics=7),
    "a segment twice": lambda it: it["segments"].append({**it["segments"][0], "number": 3}),
    "a missing segment": lambda it: it["segments"].pop(0),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_manifest_that_makes_no_sense(library: Path, name: str) -> None:
    change(library, WRONG[name])
    before = contents(library)
    with pytest.raises(CorruptError) as caught:
        use(library)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 500
    with suppress(TabiyaError), tabiya.edit(library) as editor:
        editor.delete([2])
        raise TabiyaError("not this time")
    assert contents(library) == before


def test_every_byte_of_a_manifest_counts(library: Path) -> None:
    data = (library / "manifest.json").read_bytes()
    choose = random.Random(1)
    damaged = [
        *(
            data[:place] + bytes([data[place] ^ 1 << choose.randrange(8)]) + data[place + 1 :]
            for place in range(len(data))
        ),
        *(data[:-length] for length in range(1, 100)),
        *(data + more for more in (b"\n", b" ", b"\0")),
        data.replace(b"\n", b"\r\n"),
        json.dumps(json.loads(data)).encode(),
    ]
    for each in damaged:
        with pytest.raises(TabiyaError):
            Manifest.from_bytes(each, library)


def test_a_manifest_without_a_checksum(library: Path) -> None:
    """Those of earlier tabiyas: they open, and nothing may be in them that they did not have."""
    answers = ask(library)
    report = json.loads((library / "manifest.json").read_text())
    (library / "manifest.json").write_bytes(as_before(report))
    assert ask(library) == answers
    assert not [each for each in tabiya.check(library) if each.game is None]
    wrong: list[Callable[[Told], object]] = [
        lambda it: it.update(sha257="0"),
        lambda it: it["segments"][0]["files"]["filter"].update(crc33=it["segments"][0]["files"]["filter"].pop("crc32")),
        lambda it: it["segments"][0].update(colour="red"),
    ]
    for alter in wrong:
        altered = json.loads(json.dumps(report))
        alter(altered)
        (library / "manifest.json").write_bytes(as_before(altered))
        with pytest.raises(CorruptError, match=r"manifest\.json has changed since it was written"):
            tabiya.open(library)
    unsealed = {key: value for key, value in report.items() if key != "sha256"}
    (library / "manifest.json").write_text(json.dumps(unsealed, indent=1) + "\n")
    with pytest.raises(CorruptError, match=r"manifest\.json has changed since it was written"):
        tabiya.open(library)
    (library / "manifest.json").write_bytes(as_before(report))
    with tabiya.edit(library) as editor:
        editor.delete([3])
    report = json.loads((library / "manifest.json").read_text())
    assert "sha256" in report
    assert "statistics" not in report  # of what was there before, nobody knows
    before = tabiya.summarize(library)
    assert tabiya.rebuild(library) == 60
    assert "statistics" in json.loads((library / "manifest.json").read_text())
    after = tabiya.summarize(library)
    assert (after.annotations, after.problems, after.texts) == (before.annotations, before.problems, before.texts)


def test_statistics_that_are_not_those_of_the_games(library: Path) -> None:
    change(library, lambda it: it["statistics"].update(texts=it["statistics"].get("texts", 0) + 1))
    found = [str(each) for each in tabiya.check(library)]
    assert any("the statistics of the manifest are not those of the games" in each for each in found)


def test_a_manifest_of_a_newer_tabiya_may_say_more(library: Path) -> None:
    change(library, lambda it: it.update(colour="red"))
    use(library)


def test_a_changed_manifest_is_noticed_and_repaired(tmp_path: Path, library: Path) -> None:
    source = tmp_path / "sound.pgn"
    source.write_text('[White "N"]\n\n*\n')
    tabiya.convert(source, library, append=True)
    answers, games = ask(library), rows_of(library)
    manifest = library / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b"sound.pgn", b"found.pgn"))
    sentence = r'manifest\.json has changed since it was written; .*, or repair it with "tabiya library rebuild"'
    changes = (tabiya.open, tabiya.edit, tabiya.merge_segments, tabiya.compact)
    for look in (*changes, lambda path: list(tabiya.check(path))):
        with pytest.raises(CorruptError, match=sentence):
            look(library)
    with pytest.raises(CorruptError, match=sentence):
        tabiya.create(library, append=True)
    assert tabiya.rebuild(library) == len(games)
    assert (ask(library), rows_of(library)) == (answers, games)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "7", '{"holds": "games"}', "[" * 100_000, '{"holds": "tabiya library"', "\0", "9" * 5000],
)
def test_a_manifest_of_others(library: Path, text: str) -> None:
    (library / "manifest.json").write_text(text)
    with pytest.raises(FormatError, match=r"is not a library: its manifest\.json was not written by tabiya"):
        use(library)


def test_a_newer_library(library: Path) -> None:
    change(library, lambda it: it.update(version=2))
    with pytest.raises(UnsupportedError, match=r"written by a newer tabiya \(version 2 of the layout; known: 1\)"):
        tabiya.open(library)
    with pytest.raises(UnsupportedError):
        tabiya.create(library, append=True)
    with tabiya.create(library, overwrite=True) as writer:  # which says that it may go
        writer.write(corpus())
    use(library)


def test_files_that_are_missing_are_named(library: Path) -> None:
    (library / "games-1.parquet").unlink()
    (library / "fences-2.arrow").unlink()
    with pytest.raises(CorruptError, match=r"lacks fences-2\.arrow, games-1\.parquet, which its manifest\.json lists"):
        tabiya.open(library)


@pytest.mark.parametrize("kind", ["games", "filter", "tapes", "names", "positions", "fences", "variations"])
def test_files_that_are_cut_off(library: Path, kind: str) -> None:
    (file,) = library.glob(f"{kind}-1.*")
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(CorruptError, match=rf"{kind}-1\.\w+: has [\d,]+ bytes, but the manifest of the library states"):
        tabiya.open(library)


@pytest.mark.parametrize("kind", ["games", "filter", "tapes", "names", "positions", "fences", "variations"])
def test_files_in_the_place_of_others(library: Path, kind: str) -> None:
    """A file of another library, of another kind, or nothing but zeros, with the right size in the manifest."""
    (file,) = library.glob(f"{kind}-1.*")
    (other,) = library.glob("names-2.*" if kind == "tapes" else "tapes-2.*")
    (twin,) = library.glob(f"{kind}-2.*")
    for data in (other.read_bytes(), bytes(5000), b"", *([] if kind in ("variations",) else [twin.read_bytes()])):
        file.write_bytes(data)
        size = len(data)
        change(library, lambda it, size=size: it["segments"][0]["files"][kind].update(bytes=size))  # type: ignore[misc]
        with pytest.raises(TabiyaError) as caught:
            use(library)
        assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("seed", range(40))
def test_damage_never_escapes_and_is_found_by_a_check(library: Path, seed: int) -> None:
    choose = random.Random(seed)
    file = choose.choice(sorted(path for path in library.iterdir() if path.name != "manifest.json"))
    data = bytearray(file.read_bytes())
    for _ in range(choose.randrange(1, 4)):
        data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
    answers = ask(library)
    file.write_bytes(data)
    with suppress(CorruptError):
        assert ask(library) == answers  # it was not read, or it does not matter
    forget_checksums(library)
    for look in (use, ask):
        with suppress(TabiyaError):
            look(library)
    assert f"the bytes of {file.name} have changed" in "\n".join(map(str, tabiya.check(library)))


@pytest.mark.parametrize("kind", ["filter", "tapes", "names", "fences", "positions", "variations"])
def test_what_has_changed_is_noticed_and_made_anew(library: Path, kind: str) -> None:
    """Every byte counts, and no answer is made from a file that is not what was written."""
    answers = ask(library)
    (file,) = library.glob(f"{kind}-1.*")
    data = file.read_bytes()
    choose = random.Random(kind)
    noticed = 0
    for place in choose.sample(range(len(data)), min(40, len(data))):
        file.write_bytes(data[:place] + bytes([data[place] ^ 1 << choose.randrange(8)]) + data[place + 1 :])
        try:
            assert ask(library) == answers
        except CorruptError as error:
            noticed += 1
            if kind not in ("positions", "variations"):
                assert str(error).endswith('; "tabiya library rebuild" builds it again from the games')
            assert len(str(error).splitlines()) == 1
    assert noticed == 40 or kind in ("positions", "variations")  # whose pages are compared when they are read
    games = rows_of(library)
    assert tabiya.rebuild(library) == 60
    assert ask(library) == answers
    assert rows_of(library) == games
    with tabiya.open(library) as opened:
        assert [each for each in tabiya.check(opened) if each.game is None] == []
        assert opened.details()["segments"] == 1


def test_names_that_are_no_text_are_damage(library: Path) -> None:
    (file,) = library.glob("names-1.*")
    table = pq.read_table(file)
    letters = pa.array([b"\xff" + name.encode() for name in table["name"].to_pylist()], pa.binary()).view(pa.string())
    pq.write_table(table.set_column(1, table.schema.field(1), letters), file)
    size = file.stat().st_size
    change(library, lambda it: it["segments"][0]["files"]["names"].update(bytes=size))
    forget_checksums(library)
    for look in (use, ask):
        with pytest.raises(CorruptError, match="names-1"):
            look(library)


def rows_of(path: Path) -> list[dict[str, Any]]:
    with tabiya.open(path) as library:
        return list(library.to_arrow().read_all().to_pylist())


def test_files_that_are_gone_are_made_anew(library: Path) -> None:
    answers, games = ask(library), rows_of(library)
    for file in library.iterdir():
        if not file.name.startswith(("games-", "manifest")):
            file.unlink()
    with pytest.raises(
        CorruptError, match=r'names-2\.parquet, .*; "tabiya library rebuild" builds it again from the games$'
    ):
        tabiya.open(library)
    tabiya.rebuild(library, threads=2)
    assert (ask(library), rows_of(library)) == (answers, games)
    assert sorted(file.name for file in library.glob("*-*")) == [
        "fences-3.arrow",
        "filter-3.arrow",
        "games-3.parquet",
        "names-3.parquet",
        "positions-3.parquet",
        "tapes-3.arrow",
        "variations-3.parquet",
    ]


def test_a_rebuilt_library_is_the_one_that_a_conversion_makes(library: Path) -> None:
    tabiya.rebuild(library)
    tabiya.rebuild(library)
    fresh = library.with_name("fresh.tabiya")
    tabiya.convert(library, fresh, variations=True)
    for kind in ("filter", "tapes", "names", "fences", "positions", "variations"):
        (one,), (other,) = library.glob(f"{kind}-*"), fresh.glob(f"{kind}-*")
        assert one.read_bytes() == other.read_bytes()


def test_games_that_are_damaged_cannot_be_made_anew(library: Path) -> None:
    (file,) = library.glob("games-1.*")
    data = bytearray(file.read_bytes())
    data[len(data) // 3] ^= 1
    file.write_bytes(data)
    before = contents(library)
    with pytest.raises(CorruptError, match=r"games-1\.parquet: is damaged"):
        tabiya.rebuild(library)
    file.unlink()
    with pytest.raises(TabiyaError, match="no such file"):
        tabiya.rebuild(library)
    file.write_bytes(data)
    assert contents(library) == before
    change(library, lambda it: it["segments"][1].update(first=5))
    with pytest.raises(CorruptError, match="not in order"):
        tabiya.rebuild(library)


@pytest.mark.parametrize("made", [{"positions": False}, {}], ids=str)
def test_other_libraries_are_made_anew(tmp_path: Path, made: dict[str, Any]) -> None:
    path = tmp_path / "y.tabiya"
    with tabiya.create(path, **made):
        pass
    assert tabiya.rebuild(path) == 0
    with tabiya.create(path, append=True) as writer:
        writer.write(corpus())
    kinds = {file.name.partition("-")[0] for file in path.iterdir()}
    assert tabiya.rebuild(path) == len(corpus())
    assert {file.name.partition("-")[0] for file in path.iterdir()} == kinds


def test_numbers_of_names_that_do_not_exist(library: Path) -> None:
    """Anything may stand in a filter whose bytes have changed; its header is left alone here."""
    ask(library)
    file = library / "filter-1.arrow"
    with tabiya.open(library) as opened:
        segment = next(iter(opened.searchable().segments))  # type: ignore[union-attr]
        rows = bytes(segment.facts.tobytes())
    file.write_bytes(file.read_bytes().replace(rows, b"\x5a" * len(rows)))
    forget_checksums(library)
    with pytest.raises(
        CorruptError, match=r"x\.tabiya: the filter of the library is damaged: .*; tabiya check gives details"
    ):
        tabiya.search(library, ExactPosition("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), player="a").count()
    with suppress(TabiyaError):
        ask(library)


def test_wrong_contents_are_found_even_with_the_right_hash(library: Path) -> None:
    """As if a program had made them wrong: facts, moves and positions of other games."""
    with tabiya.create(library.with_name("y.tabiya"), variations=True) as writer:
        other = long_corpus(60)
        writer.write([other[1:], other[:1]])
    expected = {"filter": "the row of the filter", "tapes": "the moves in the tapes", "positions": "position index"}
    for kind, sentence in expected.items():
        copied = shutil.copytree(library, library.with_name(f"{kind}.tabiya"))
        stored = {}
        for part in ("positions", "fences") if kind == "positions" else (kind,):
            (source,) = library.with_name("y.tabiya").glob(f"{part}-1.*")
            data = source.read_bytes()
            (copied / source.name).write_bytes(data)
            stored[part] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        change(copied, lambda it, stored=stored: it["segments"][0]["files"].update(stored))  # type: ignore[misc]
        assert sentence in "\n".join(map(str, tabiya.check(copied)))


@pytest.mark.parametrize(
    ("game", "ply", "sentence"), [(0, 30_000, "counts moves that its games do not have"), (-1, 0, "not in its segment")]
)
def test_an_index_of_other_games(
    library: Path, monkeypatch: pytest.MonkeyPatch, game: int, ply: int, sentence: str
) -> None:
    """Its checksums are right, so that only what it says can be wrong."""
    rows = IndexRows(np.array([game], np.int32), np.array([ply], np.int16), np.array([-1], np.int16))
    monkeypatch.setattr(PositionIndex, "find", lambda *_, **__: rows)
    with tabiya.open(library) as opened, pytest.raises(CorruptError, match=sentence):
        opened.explore("e4", move_orders=2)


def test_a_folder_that_lost_its_manifest(library: Path) -> None:
    (library / "manifest.json").unlink()
    with pytest.raises(FormatError, match=r"is not a library: it has no manifest\.json"):
        tabiya.open(library)
    with pytest.raises(TabiyaError, match="no library"):
        tabiya.create(library, append=True)
    assert len(list(library.iterdir())) == 14


def test_a_library_by_another_name(library: Path) -> None:
    with tabiya.open(library.rename(library.with_name("mega"))) as found:
        assert found.format.name == "library"


def test_a_file_is_no_library(tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    path.write_bytes(b"x")
    with pytest.raises(FormatError, match="is a file, not a library, which is a folder"):
        tabiya.open(path, format="library")
    for options in ({"append": True}, {"overwrite": True}):
        with pytest.raises(TabiyaError, match="is a file, not a library"):
            tabiya.create(path, **options)  # type: ignore[arg-type]
    assert path.read_bytes() == b"x"


def _dicts(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = ["records", "positions", "variations", "next", "segments", "sources", "number", "first", "rows", "numbered"]
    return st.dictionaries(st.sampled_from([*keys, "names", "files", "games", "bytes", "sha256", "name"]), values)


VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)


@settings(max_examples=200, deadline=None)
@given(st.recursive(VALUES, lambda it: st.lists(it) | _dicts(it)))
def test_any_json_is_a_manifest_or_a_sentence(value: object) -> None:
    values = {"holds": "tabiya library", "version": 1, **(value if isinstance(value, dict) else {"segments": value})}
    with suppress(TabiyaError):
        manifest = Manifest.from_bytes(json.dumps(values).encode(), Path("x"))
        assert Manifest.from_bytes(manifest.to_bytes(), Path("x")) == manifest


@pytest.mark.parametrize("name", ["games-1.parquet", "filter-2147483647.arrow", "fences-10.arrow"])
def test_names_of_our_own(name: str) -> None:
    assert own_number(name)


@pytest.mark.parametrize(
    "name",
    [
        *("games-0.parquet", "games-01.parquet", "games-1.arrow", "games-.parquet", "x-1.parquet", "GAMES-1.parquet"),
        *("agames-1.parquet", "games-1.parquet\n", "games-1.parquet.bak", "games-12345678901.parquet", ""),
    ],
)
def test_names_of_others(name: str) -> None:
    assert own_number(name) is None
