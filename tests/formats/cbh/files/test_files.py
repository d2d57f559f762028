"""The small files beside a base: manifests, top games, boosters, descriptions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.chessbase.record_marks import is_text
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.cbh.archive.extracting import extract
from tabiya.formats.cbh.archive.packing import pack
from tabiya.formats.cbh.bodies.blobs import Prolog, annotation_sizes, move_sizes, read_prolog
from tabiya.formats.cbh.compaction import compact, copy_base
from tabiya.formats.cbh.editing import BaseEditor
from tabiya.formats.cbh.entities import cbtt
from tabiya.formats.cbh.files import cbb, cbgi, cbh, cbj, cbm, cit, flags, ini
from tabiya.formats.cbh.files.base_files import KNOWN_SUFFIXES
from tabiya.game import Game
from tabiya.game.annotations import CP1252
from tests.formats.cbh import handmade

OWN = ".cbh .cbg .cba .cbj .cbtt .cbm .ini .flags .cbp .cbt .cbc .cbs .cbe .cbl"
BOOSTERS = ".cit .cib .cit2 .cib2 .cbb .cbgi"
UNREAD = ".ckn .cko .cpn .cpo .ck1 .ck2 .ck3 .cp1 .cp2 .cp3 .rb0 .rb1 .rb2 .pgi"
KINDS = f"{OWN} {BOOSTERS} {UNREAD}".split()
"""All that is known to belong to a base, from the description of the format."""


def test_all_files_of_a_base_go_with_it(tmp_path: Path) -> None:
    """Copied, packed and unpacked, added to and compacted: one table knows them all, and none is forgotten."""
    base = tmp_path / "x.cbh"
    with tabiya.create(base) as writer:
        writer.write(Game())
    for suffix in KINDS:
        if not base.with_suffix(suffix).exists():
            base.with_suffix(suffix).write_bytes(suffix.encode())
    assert {path.suffix for path in tmp_path.iterdir()} == set(KINDS) == KNOWN_SUFFIXES
    files = {suffix: base.with_suffix(suffix).read_bytes() for suffix in KINDS}

    (tmp_path / "copy").mkdir()
    copy_base(base, tmp_path / "copy")
    pack(base, tmp_path / "x.cbv")
    with Archive(tmp_path / "x.cbv") as archive:
        extract(archive, tmp_path / "unpacked")
    for folder in ("copy", "unpacked"):
        assert {path.suffix: path.read_bytes() for path in (tmp_path / folder).iterdir()} == files

    boosters = set(BOOSTERS.split())
    for change in (append, compact):
        for suffix in boosters:
            base.with_suffix(suffix).write_bytes(b"")
        change(base)
        assert {path.suffix for path in tmp_path.glob("x.*")} - {".cbv"} == set(KINDS) - boosters
        assert all(base.with_suffix(suffix).read_bytes() == suffix.encode() for suffix in UNREAD.split())


def append(base: Path) -> None:
    with tabiya.create(base, append=True) as writer:
        writer.write(Game())


def test_flags_of_a_kind_that_is_not_known(tmp_path: Path) -> None:
    """They stay what they are, whatever happens to single games."""
    base = tmp_path / "x.cbh"
    append(base)
    older = flags.HEADER.encode({"magic": 0x0F010A09, "words": 0, "bits": 0})
    known = flags.encode_top_games(np.zeros(1, np.uint8))
    for data in (older, known):
        base.with_suffix(".flags").write_bytes(data)
        append(base)
        with BaseEditor(base) as editor:
            editor.replace(1, Game({"White": "New"}))
        compact(base)
        assert base.with_suffix(".flags").read_bytes() == data


class TestTopGames:
    def test_expected_facts(self, samples: Callable[[str], Path]) -> None:
        data = samples("cbh/vectors/headers/topgames.flags").read_bytes()
        values = flags.top_games(data, 1, 255)
        assert np.count_nonzero(values == flags.TopGame.YES) == 127
        words = {flags.TopGame.YES: "top", flags.TopGame.NO: "not", flags.TopGame.UNKNOWN: "unknown"}
        assert [words[flags.TopGame(value)] for value in flags.top_games(data, 108, 9)] == (
            ["top", "unknown", "top", "not", "not", "top", "unknown", "top", "top"]
        )

    @given(st.lists(st.sampled_from([0, 2, 3]), max_size=600), st.integers(1, 400))
    def test_both_ways(self, values: list[int], first: int) -> None:
        data = flags.encode_top_games(np.array(values, np.uint8))
        assert flags.top_games(data, 1, len(values)).tolist() == values
        count = len(values)
        assert flags.top_games(data, first, count).tolist() == (values[first - 1 :] + [0] * count)[:count]

    @given(st.binary(max_size=40), st.integers(1, 100), st.integers(0, 50))
    def test_nonsense(self, data: bytes, first: int, count: int) -> None:
        assert len(flags.top_games(data, first, count)) == count
        assert len(flags.top_games(flags.HEADER.encode({"bits": 3}) + data, first, count)) == count

    def test_real_file_again(self, samples: Callable[[str], Path]) -> None:
        data = samples("cbh/vectors/headers/topgames.flags").read_bytes()
        assert flags.encode_top_games(flags.top_games(data, 1, 200)) == data


class TestBoosters:
    def test_games_of_entities(self, samples: Callable[[str], Path]) -> None:
        """The index against a recount over all records."""
        for name in ("World-ch/World-ch", "cbhlib_test/cbhlib_test", "text/text"):
            base = samples(f"cbh/{name}.cbh")
            data = base.read_bytes()
            index, blocks = base.with_suffix(".cit").read_bytes(), base.with_suffix(".cib").read_bytes()
            records = cbh.GAME.view(data, 46)
            games = np.flatnonzero(~is_text(cbh.GAME.column(records, "marks")))
            white, black = (cbh.GAME.column(records, side) for side in ("white", "black"))
            for player in set(white[games].tolist()) | set(black[games].tolist()):
                played = [int(i) + 1 for i in games if player in (white[i], black[i])]
                assert list(dict.fromkeys(cit.games_of(index, blocks, player))) == played

    @given(
        st.lists(st.dictionaries(st.integers(0, 4), st.lists(st.integers(1, 99), max_size=30)), min_size=1, max_size=5)
    )
    def test_both_ways(self, lists: list[dict[int, list[int]]]) -> None:
        index, blocks = cit.encode_index(lists, 5)
        for kind, games in enumerate(lists):
            for entity in range(5):
                assert list(cit.games_of(index, blocks, entity, kind)) == games.get(entity, [])
        assert list(cit.games_of(index, blocks, 5)) == []
        assert list(cit.games_of(index, blocks, 0, len(lists))) == []

    @given(st.binary(max_size=60), st.binary(max_size=200))
    def test_nonsense(self, index: bytes, blocks: bytes) -> None:
        list(cit.games_of(cit.HEADER.encode({}) + index, cit.BLOCKS_HEADER.encode({}) + blocks, 0))
        list(cit.games_of(index, blocks, 0))

    def test_a_circle_ends(self) -> None:
        index, _ = cit.encode_index([{0: [1]}], 1)
        blocks = cit.BLOCKS_HEADER.encode({"blocks": 1}) + cit.BLOCK.encode({"next": 0, "games": 1, "game_0": 7})
        assert list(cit.games_of(index, blocks, 0)) == [7]

    def test_offsets(self, samples: Callable[[str], Path]) -> None:
        base = samples("cbh/World-ch/World-ch.cbh")
        records = cbh.GAME.view(base.read_bytes(), 46)
        found = cbgi.offsets_of(base.with_suffix(".cbgi").read_bytes())
        games = ~is_text(cbh.GAME.column(records, "marks"))
        assert len(found) == len(records)
        assert (found[games] == cbh.GAME.column(records, "cbg_offset")[games]).all()

    @given(st.lists(st.integers(0, (1 << 32) - 1), max_size=9))
    def test_offsets_both_ways(self, offsets: list[int]) -> None:
        data = cbgi.encode_offsets(np.array(offsets, np.uint32))
        assert len(data) == 4 + 4 * 131_072
        assert cbgi.offsets_of(data).tolist() == offsets
        assert cbgi.offsets_of(data[:3]).tolist() == []

    def test_position_records(self, samples: Callable[[str], Path]) -> None:
        data = samples("cbh/test-annotations/test-annotations.cbb").read_bytes()
        records = cbb.records_of(data)
        assert len(records) == 6
        assert cbb.HEADER.encode(cbb.HEADER.decode(data[:52])) + records.tobytes() == data
        assert cbb.records_of(data[:60]).tolist() == []


class TestManifests:
    def test_expected_facts(self, samples: Callable[[str], Path]) -> None:
        data = samples("cbh/text/text.cbm").read_bytes()
        manifest = cbm.manifest_at(data, 40)
        assert manifest is not None
        assert cbm.parse_manifest(manifest) == [b"13tNEW15POS84k384PK28888.jpg"]
        assert cbm.format_manifest(cbm.parse_manifest(manifest)) == manifest

    def test_nonsense(self) -> None:
        data = handmade.base()[".cbm"]
        assert cbm.manifest_at(data, 40) == b"FilesUsed\n1\npicture.jpg\n"
        assert [cbm.manifest_at(data, offset) for offset in (-1, 0, 8, 41, 1056, 5000)] == [None] * 6
        assert cbm.manifest_at(b"", 40) is None


class TestDescription:
    def test_title(self, samples: Callable[[str], Path]) -> None:
        sections = ini.parse_ini(samples("cbh/twic1134/twic1134.ini").read_bytes(), CP1252)
        assert ini.title_of(sections) == "TWIC 1134"
        assert sections["ProtocolCBG"] == {"twic1134.pgn": "01/08/2016 (6117)"}

    def test_both_ways(self) -> None:
        data = handmade.base()[".ini"]
        assert ini.format_ini(ini.parse_ini(data, CP1252), CP1252) == data

    @given(st.binary())
    def test_nonsense(self, data: bytes) -> None:
        ini.title_of(ini.parse_ini(data, CP1252))


class TestContainers:
    def test_prologs(self, samples: Callable[[str], Path]) -> None:
        assert read_prolog(samples("cbh/small/small.cbg").read_bytes()) == Prolog(26, 26, 0)
        old = samples("cbh/veryold/Mate2.cbg").read_bytes()
        assert read_prolog(old) == Prolog(10, len(old), 0)
        assert read_prolog(b"") is None
        assert read_prolog(bytes(26)) is None

    def test_sizes(self) -> None:
        data = handmade.base()[".cbg"]
        assert move_sizes(data, np.array([26, 31, -5, len(data) - 5, 1 << 40])).tolist() == [5, 33, 0, 5, 0]
        assert annotation_sizes(data, np.array([0, -1])).tolist() == [0, 0]
        assert move_sizes(b"", np.array([0, 1])).tolist() == [0, 0]


def test_expected_facts_of_cbtt(samples: Callable[[str], Path]) -> None:
    data = samples("cbh/vectors/headers/upgradable.cbtt").read_bytes()
    layout, records = cbtt.records_of(data)
    assert cbtt.HEADER.decode(data[:32])["version"] == 2
    assert len(records) == 23
    first = layout.decode(records[0].tobytes())
    assert (first["latitude"], first["longitude"]) == (55.75247, 37.63)


def test_expected_facts_of_cbj(samples: Callable[[str], Path]) -> None:
    data = samples("cbh/vectors/headers/hedgehog_old.cbj").read_bytes()
    assert cbj.HEADER.decode(data[:32])["version"] == 8
    _, records = cbj.records_of(data)
    assert cbj.RECORD.column(records, "white_team")[15] == 2
    assert cbj.RECORD.column(records, "tag").tolist() == [-1] * 231


def test_checksums_of_chessbase(samples: Callable[[str], Path]) -> None:
    for name in ("World-ch/World-ch", "twic1134/twic1134", "cbhlib_test/cbhlib_test", "text/text"):
        _, records = cbj.records_of(samples(f"cbh/{name}.cbj").read_bytes())
        assert (cbj.checksums(records) == cbj.RECORD.column(records, "checksum")).all()
