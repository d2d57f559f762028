"""Real bases, bases that Scid has made, and damage to them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tabiya
from tabiya.errors import CorruptError, FormatError, TabiyaError, UsageError
from tabiya.formats.scid.codes import DELETED, count_codes, decode_eco, encode_eco, flag_letters, flags_of
from tabiya.formats.scid.database import ScidDatabase
from tabiya.formats.scid.index_file import SI3, SI4, SI5, decode_entries, encode_entries
from tabiya.formats.scid.name_file import name_order, read_names
from tabiya.formats.scid.stored_lines import STORED_LINES, line_tree
from tabiya.game import Game, difference
from tabiya.game.record import Extra
from tests.conftest import SAMPLES, sample_path
from tests.formats.scid.plain_scid import tags_of, tokens_of
from tests.formats.suite import make_batches_tiny

BASES = (
    *("made/feat5.si5", "made/feat474.si4", "made/rnd5.si5", "made/rnd4.si4", "made/twic5.si5", "made/twic4.si4"),
    *("made/lim5.si5", "made/lim474.si4", "scid-gtest/res_database.si4", "scidvspc/endings.si4"),
    *("scidvspc/endings.si3", "scidvspc/matein4andmore.si4", "scidvspc/one.si4"),
)
EXPORTS = {
    "made/feat474.si4": "made/feat474-export.pgn",
    "made/rnd4.si4": "made/rnd4-export.pgn",
    "made/rnd5.si5": "made/rnd5-export.pgn",
    "scid-gtest/res_database.si4": "scid-gtest/res_database-export.pgn",
    "scidvspc/endings.si4": "scidvspc/endings-export.pgn",
}
GENERATIONS = {"3": SI3, "4": SI4, "5": SI5}


def vectors() -> dict[str, Any]:
    path = SAMPLES.parent / "formats" / "scid-vectors.json"
    sample_path("scid/INDEX.md")
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", BASES)
def test_every_game_is_sound(name: str) -> None:
    with tabiya.open(sample_path(f"scid/{name}")) as base:
        games = list(base)
        assert len(games) == len(base)
        assert {problem.code for game in games for problem in game.problems} <= {311}  # variations without moves
        headers = [game for batch in base.headers() for game in batch.column("white").to_pylist()]
        assert headers == [game.tags.get("White") for game in games]


@pytest.mark.parametrize(("name", "export"), EXPORTS.items())
def test_games_are_what_scid_exports(name: str, export: str) -> None:
    with tabiya.open(sample_path(f"scid/{name}")) as base, tabiya.open(sample_path(f"scid/{export}")) as pgn:
        for found, expected in zip(base, pgn, strict=True):
            found.deleted = False
            found.extras = [each for each in found.extras if each.key != "scid.flags"]
            assert difference(_told(found), _told(expected)) == []


def _told(game: Game) -> Game:
    """A game without what PGN cannot tell apart: empty tags, and ``Setup`` in other letters."""
    for name in {name for name, text in game.tags.items() if not text or name.lower() == "setup"}:
        del game.tags[name]
    return game


def test_vectors_of_whole_games(tmp_path: Path) -> None:
    for vector in vectors()["games"]:
        generation = GENERATIONS[vector["base"][-1]]
        record, blob = bytes.fromhex(vector["index"]), bytes.fromhex(vector["blob"])
        entries = decode_entries(generation, generation.record.view(record))
        if generation is not SI3:
            assert encode_entries(generation, entries) == record
        result = vector["derived"]
        assert entries["plies"][0] == result["plies"]
        assert entries["material"][0] == int(result["matsig"], 16)
        assert (entries["line"][0], entries["pawn_count"][0]) == (result["line"], result["hpcount"])
        assert tokens_of(blob) == vector["tokens"]
        assert [list(tag) for tag in tags_of(blob)[0]] == vector["tags"]


def test_the_fixed_lines() -> None:
    assert ["", *STORED_LINES] == vectors()["stored_lines"]


def test_the_tree_of_lines() -> None:
    tree = line_tree()
    assert sorted(tree[:, 3][tree[:, 3] > 0].tolist()) == list(range(1, 255))
    assert STORED_LINES[0] == "b2b3"
    assert len(STORED_LINES) == 254


@pytest.mark.parametrize(
    ("text", "code"), [("A00", 1), ("A01", 132), ("A00a", 2), ("A00a1", 3), ("B12a1", 14675), ("E99z4", 65500)]
)
def test_eco(text: str, code: int) -> None:
    assert encode_eco(text) == code
    assert decode_eco(code) == text


def test_codes_that_mean_nothing() -> None:
    assert [encode_eco(text) for text in ("", "F00", "A0", "A00a5", "a00", "A00 ", "A٠٠")] == [0] * 7
    assert [decode_eco(code) for code in (0, 65501, 65535)] == [None] * 3


def test_counts_and_flags() -> None:
    known = {
        0: 0,
        9: 9,
        10: 10,
        12: 10,
        13: 11,
        17: 11,
        18: 12,
        24: 12,
        25: 13,
        34: 13,
        35: 14,
        44: 14,
        45: 15,
        999: 15,
    }
    assert count_codes(np.array(list(known))).tolist() == list(known.values())
    for flags in range(1 << 4, 1 << 22, 4099 * 16):
        kept = flags & ~0b1111
        assert flags_of(flag_letters(kept)) == kept
    assert flags_of("dW") == flags_of("Dw") == DELETED | 1 << 4  # as Scid reads the tag ScidFlags


def test_the_order_of_names() -> None:
    names = [b"Anastasian, Ashot", "Andéer".encode("latin-1"), b"Andersen", b"And", b"", b"Z", "Ångström".encode()]
    ordered = sorted(names, key=name_order)
    assert ordered.index("Andéer".encode("latin-1")) < ordered.index(b"Andersen")
    assert ordered[0] == b""
    assert ordered[-1] == "Ångström".encode()


def test_real_names_of_si5() -> None:
    vector = vectors()["real_sn5_head"]
    data = bytes.fromhex(vector["hex"])
    names = read_names(SI5, data, Path("x.sn5"))
    kinds = {"player": 0, "event": 1, "site": 2, "round": 3}
    for kind, name in vector["names"]:
        assert name.encode() in names.lists[kinds[kind]].bytes_of()


# --- places and damage -----------------------------------------------------------------------------------------------


@pytest.fixture(params=[".si4", ".si5"])
def base(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"base{request.param}"
    with tabiya.open("examples/classics.pgn") as games:
        tabiya.convert(games, path)
    return path


def test_any_file_or_the_stem(base: Path) -> None:
    for place in (base, base.with_suffix(base.suffix.replace("i", "g")), base.with_suffix(""), base.parent):
        with tabiya.open(place) as found:
            assert isinstance(found, ScidDatabase)
            assert found.files[0].name == base.name
            assert len(found) == 8


def test_suffixes_in_capitals(base: Path, tmp_path: Path) -> None:
    folder = tmp_path / "capitals"
    folder.mkdir()
    for path in base.parent.glob("base.*"):
        shutil.copyfile(path, folder / path.name.upper())
    for place in (base.name.upper(), "BASE", "base", base.name):
        with tabiya.open(folder / place) as found:
            assert len(found) == 8
    tabiya.convert("examples/classics.pgn", folder / base.name, append=True)
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        path.name.upper() for path in base.parent.glob("base.*")
    )


def test_of_two_bases_of_one_stem_the_newer_one_is_meant(base: Path) -> None:
    tabiya.convert(base, base.with_suffix(".si5" if base.suffix == ".si4" else ".si4"))
    with tabiya.open(base.with_suffix("")) as found:
        assert isinstance(found, ScidDatabase)
        assert (found.format.name, found.generation) == ("scid5", SI5)


def test_a_sister_is_missing(base: Path) -> None:
    base.with_suffix(base.suffix.replace("i", "n")).unlink()
    with pytest.raises(FormatError, match="is missing"):
        tabiya.open(base)


def test_several_bases_in_a_folder(base: Path) -> None:
    tabiya.convert(base, base.with_name(f"other{base.suffix}"))
    with pytest.raises((UsageError, FormatError)):
        ScidDatabase(base.parent)


def test_a_size_that_does_not_fit(base: Path) -> None:
    if base.suffix == ".si5":
        base.write_bytes(base.read_bytes() + b"x")
        with pytest.raises(CorruptError, match="56 bytes"):
            tabiya.open(base)
    else:
        base.write_bytes(base.read_bytes()[:-47])
        with tabiya.open(base) as short:
            assert len(short) == 7
            assert [problem.code for problem in short.problems] == [323]


def test_every_byte_of_every_file(base: Path, tmp_path: Path) -> None:
    """Damage gives problems or errors, never anything else; and what opens can be written again."""
    files = {path: path.read_bytes() for path in base.parent.glob("base.*")}
    target = tmp_path / "again"
    target.mkdir()
    for path, data in files.items():
        for place in range(0, len(data), 11):
            broken = bytearray(data)
            broken[place] ^= 1 << place % 8
            path.write_bytes(broken)
            try:
                with tabiya.open(base) as database:
                    games = list(database)
            except TabiyaError:
                continue
            if place % 3 == 0:
                tabiya.convert(base, target / base.name, overwrite=True)
                with tabiya.open(target / base.name) as database:
                    assert len(database) <= len(games)
        path.write_bytes(data)


@pytest.mark.parametrize(("side", "other"), [("white", "black"), ("black", "white")])
def test_ratings_of_a_kind_without_a_name(base: Path, tmp_path: Path, side: str, other: str) -> None:
    """Kind 7 is that of no tag: an Elo with a detail that only Scid knows, which survives PGN."""
    rated = Game({"White": "A", "Black": "B", "WhiteElo": "2500", "BlackElo": "2400"})
    with tabiya.create(base, overwrite=True) as writer:
        writer.write([rated, rated])
    _patch(base, 0, **{f"{side}_type": 7})
    with tabiya.open(base) as database:
        game, usual = database
    assert (game.tags["WhiteElo"], game.tags["BlackElo"]) == ("2500", "2400")
    assert game.extras == [Extra(f"scid.{side}_rating_type", b"7")]
    assert usual.extras == []
    tabiya.convert(base, tmp_path / "there.pgn")
    for suffix in (".si4", ".si5"):
        report = tabiya.convert(tmp_path / "there.pgn", tmp_path / f"back{suffix}")
        assert not report.losses
        with tabiya.open(tmp_path / f"back{suffix}") as back:
            assert isinstance(back, ScidDatabase)
            assert back.entries(0, 2)[f"{side}_type"].tolist() == [7, 0]
            assert back.entries(0, 2)[f"{other}_type"].tolist() == [0, 0]
            assert difference(back[0], game) == []


def test_the_bit_behind_the_kind_of_a_rating_means_nothing() -> None:
    """Scid 4.7.4 shows kind 8 as Elo and kind 9 as Rating."""
    record = bytearray(47)
    record[29:31] = ((9 << 12) + 2500).to_bytes(2, "big")
    entry = decode_entries(SI4, SI4.record.view(bytes(record)))[0]
    assert (entry["white_type"], entry["white_elo"]) == (1, 2500)


def _patch(index: Path, row: int, **values: int) -> None:
    """Change what an index says of a game."""
    with tabiya.open(index) as database:
        assert isinstance(database, ScidDatabase)
        entries, generation = database.entries(0, len(database)), database.generation
    for name, value in values.items():
        entries[name][row] = value
    index.write_bytes(index.read_bytes()[: generation.header_size] + encode_entries(generation, entries))


@pytest.mark.parametrize("damaged", [False, True], ids=["sound", "damaged"])
@pytest.mark.parametrize("odd", [{"date": 502 << 9 | 14 << 5 | 6}, {"eco": 65510}, {"result": 9}], ids=str)
def test_impossible_values(base: Path, tmp_path: Path, odd: dict[str, int], damaged: bool) -> None:
    """They arrive as they are, or are counted; also where damaged game data leaves no place for another tag."""
    if odd == {"result": 9} and base.suffix == ".si5":
        pytest.skip("the index of si5 has no room for it")
    with tabiya.create(base, overwrite=True) as writer:
        writer.write([Game.from_pgn('[Date "2000.01.01"][Result "*"] 1. e4 e5 *')])
    _patch(base, 0, **odd)
    if damaged:
        games = base.with_suffix(base.suffix.replace("i", "g"))
        games.write_bytes(games.read_bytes()[:-1] + b"\x0e")  # the end of a variation that never began
    with tabiya.open(base) as database:
        (game,) = database
    assert bool(game.problems) == damaged
    assert game.tags.get("Date") == ("0502.14.06" if "date" in odd else "2000.01.01")
    assert [extra.value for extra in game.extras if extra.key in ("scid.eco", "scid.result")] == [
        str(value).encode() for name, value in odd.items() if name != "date"
    ]
    for suffix in (".pgn", ".si4", ".si5"):
        copies = tmp_path / f"converted{suffix}", tmp_path / f"created{suffix}"
        losses = [tabiya.convert(base, copies[0]).losses]
        with tabiya.create(copies[1]) as writer:
            writer.write([game])
        losses.append(writer.losses)
        for copy, lost in zip(copies, losses, strict=True):
            with tabiya.open(copy) as database:
                again = database[0]
            assert lost or (difference(game, again), again.extras) == ([], game.extras)
            assert suffix != ".pgn" or not lost


def test_game_data_that_ends_early(base: Path) -> None:
    games = base.with_suffix(base.suffix.replace("i", "g"))
    games.write_bytes(games.read_bytes()[:-40])
    with tabiya.open(base) as database:
        assert [problem.code for problem in database[7].problems] == [320]
        assert database[0].problems == []


def test_a_damaged_game_is_written_again_as_it_was(base: Path, tmp_path: Path) -> None:
    games = base.with_suffix(base.suffix.replace("i", "g"))
    with ScidDatabase(base) as database:
        entry = database.entries(1, 2)[0]
    data = bytearray(games.read_bytes())
    data[entry["offset"] + entry["length"] - 1] = 1  # the end marker, or that of a text
    games.write_bytes(data)
    copy = tmp_path / f"copy{base.suffix}"
    report = tabiya.convert(base, copy)
    assert report.losses.get("scid-damage") is None
    with tabiya.open(base) as old, tabiya.open(copy) as new:
        assert old[1].problems
        assert [difference(a, b) for a, b in zip(old, new, strict=True)] == [[]] * 8


def test_names_with_a_lost_byte(tmp_path: Path) -> None:
    for path in sample_path("scid/scidvspc").glob("endings.s?4"):
        shutil.copyfile(path, tmp_path / path.name)
    names = tmp_path / "endings.sn4"
    data = names.read_bytes()
    names.write_bytes(data[:60] + data[61:])
    with pytest.raises(CorruptError, match=r"name|numbers|damaged"), tabiya.open(tmp_path / "endings.si4") as database:
        list(database)


@pytest.mark.parametrize("suffix", [".si4", ".si5"])
def test_progress(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each batch it is the part of the records that were read, and 1 in the end."""
    path = tmp_path / f"base{suffix}"
    tabiya.convert("examples/classics.pgn", path)
    make_batches_tiny(monkeypatch)
    with tabiya.open(path) as base:
        assert base.progress == 0
        pieces: tuple[Callable[[], Iterator[Any]], ...] = (base.batches, base.headers)
        for stream in pieces:
            read, result = 0, []
            for piece in stream():
                read += len(piece)
                result.append((read / len(base), base.progress))
            assert len(result) > 2
            assert all(expected == found for expected, found in result)
            assert base.progress == 1
    with tabiya.create(path, overwrite=True) as writer:
        writer.write([])
    with tabiya.open(path) as base:
        assert base.progress is None
