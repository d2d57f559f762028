"""Entries made by hand, sound and damaged: what is odd is kept and told, and the next game is read normally."""

from __future__ import annotations

import io
import random
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tabiya
from tabiya.chess import Position
from tabiya.errors import CorruptError, FormatError, TabiyaError, UnsupportedError, UsageError
from tabiya.formats.bcgn.entries_kernel import find_entries
from tabiya.formats.bcgn.move_index import pack_position
from tabiya.formats.bcgn.read_kernel import read_games
from tabiya.game import Game, RecordKind
from tabiya.game.assemble import new_builder
from tests.formats.bcgn.oracle import bare_entry, entry, file_header

E4_E5 = bytes.fromhex("4343")
NAMES = ("Alpha", "Beta", "Event", "Here")
USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
SETUP = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


def read(data: bytes, **options: Any) -> list[Game]:
    with tabiya.open(io.BytesIO(data), **options) as database:
        return list(database)


def games(*entries: bytes, level: int = 1, headerless: bool = False, **options: Any) -> list[Game]:
    return read(file_header(level, headerless=headerless) + b"".join(entries), **options)


def again(*entries: bytes, level: int = 1, headerless: bool = False) -> bytes:
    """The entries as they are written after having been read."""
    stream = io.BytesIO()
    with tabiya.create(stream, format="bcgn", level=level, headerless=headerless) as writer:
        writer.write(tabiya.open(io.BytesIO(file_header(level, headerless=headerless) + b"".join(entries))))
    assert not writer.losses
    return stream.getvalue()[32:]


def codes(game: Game) -> list[int]:
    return [problem.code for problem in game.problems]


GOOD = entry(E4_E5, result=1, date=(2020, 4, 0), elos=(2500, 0), round_number=3, eco=b"C\x14", names=NAMES)


def test_a_game() -> None:
    (game,) = games(GOOD)
    assert game.tags.items() == [
        ("Event", "Event"),
        ("Site", "Here"),
        ("Date", "2020.04.??"),
        ("Round", "3"),
        ("White", "Alpha"),
        ("Black", "Beta"),
        ("Result", "1-0"),
        ("WhiteElo", "2500"),
        ("ECO", "C20"),
    ]
    assert [str(node.move) for node in game.root.mainline()] == ["e2e4", "e7e5"]
    assert again(GOOD) == GOOD


class TestTags:
    """Additional tags, and what they do to columns."""

    @pytest.mark.parametrize(
        ("fields", "tags"),
        [
            ({"round_number": 1, "tags": [("Round", "1.7")]}, [("Round", "1.7"), ("Result", "*")]),
            ({"tags": [("Round", "?")]}, [("Round", "?"), ("Result", "*")]),
            ({"round_number": 1, "tags": [("Round", "01")]}, [("Round", "01"), ("Result", "*")]),
            ({"tags": [("Round", "0")]}, [("Round", "0"), ("Result", "*")]),
            ({"tags": [("Round", "70000")]}, [("Round", "70000"), ("Result", "*")]),
            ({"eco": b"B\x61", "tags": [("ECO", "B97/04")]}, [("Result", "*"), ("ECO", "B97/04")]),
            ({"tags": [("ECO", "?")]}, [("Result", "*"), ("ECO", "?")]),
            ({"tags": [("White", "")]}, [("White", ""), ("Result", "*")]),
            ({"tags": [("Annotator", "Me"), ("", ""), ("Long", "q" * 255)]},
             [("Result", "*"), ("Annotator", "Me"), ("", ""), ("Long", "q" * 255)]),
            ({"date": (2023, 1, 5), "tags": [("Date", "2023.1.5")]}, [("Result", "*"), ("Date", "2023.1.5")]),
            ({"tags": [("WhiteElo", "-")]}, [("Result", "*"), ("WhiteElo", "-")]),
            ({"tags": [("Result", "")]}, []),
            ({"tags": [("Result", ""), ("Result", "")]}, [("Result", "")]),
            ({"result": 1, "tags": [("Result", "+:-")]}, [("Result", "+:-")]),
            ({"tags": [("Result", "0-0")]}, [("Result", "0-0")]),
            ({"names": ("A", "", "", ""), "tags": [("White", "A"), ("White", "B")]},
             [("Result", "*"), ("White", "A"), ("White", "B")]),
            ({"names": ("A", "", "", ""), "tags": [("White", "B")]}, [("Result", "*"), ("White", "B")]),
            ({"tags": [("FEN", f"{USUAL} 3 9")]}, [("Result", "*"), ("SetUp", "1"), ("FEN", f"{USUAL} 3 9")]),
        ],
    )  # fmt: skip
    def test_both_ways(self, fields: dict[str, Any], tags: list[tuple[str, str]]) -> None:
        data = entry(**fields)
        (game,) = games(data)
        assert game.tags.items() == tags
        assert game.problems == []
        assert again(data) == data

    def test_code_pages(self) -> None:
        data = entry(names=("Müller".encode("cp1252"), "Иван".encode("cp1251"), "ok", ""))
        (game,) = games(data)
        assert game.tags["White"] == "Müller"
        assert codes(game) == [1]
        (game,) = games(data, encoding="cp1251")
        assert game.tags["Black"] == "Иван"
        assert codes(game) == []
        with pytest.raises(UsageError, match="utf-16"):
            games(data, encoding="utf-16")
        with pytest.raises(UsageError, match="no encoding is called"):
            games(data, encoding="klingon")


class TestStarts:
    def test_a_packed_position_alone(self) -> None:
        data = entry(b"\x0b", position=pack_position(tabiya.Position.from_fen(SETUP)))
        (game,) = games(data)
        assert game.tags["FEN"] == SETUP
        assert [str(node.move) for node in game.root.mainline()] == ["e2e3"]
        assert again(data) == data

    def test_counters_are_in_a_tag(self) -> None:
        fen = SETUP.replace("0 1", "7 40")
        data = entry(position=pack_position(tabiya.Position.from_fen(fen)), tags=[("FEN", fen)])
        (game,) = games(data)
        assert game.tags["FEN"] == fen
        assert game.problems == []
        assert again(data) == data

    def test_the_usual_position_spelled_out(self) -> None:
        """In bytes, which is shorter than in a tag, and the only way without headers."""
        packed = pack_position(tabiya.Position())
        data = entry(E4_E5, position=packed)
        (game,) = games(data)
        assert game.tags.items() == [("Result", "*"), ("SetUp", "1"), ("FEN", f"{USUAL} 0 1")]
        assert again(data) == data
        assert games(entry(E4_E5, tags=[("FEN", f"{USUAL} 0 1")])) == [game]
        assert again(entry(E4_E5, tags=[("FEN", f"{USUAL} 0 1")])) == data
        bare = bare_entry(E4_E5, position=packed)
        assert again(bare, headerless=True) == bare

    @pytest.mark.parametrize("start", [SETUP, f"{USUAL} 0 1", None])
    @pytest.mark.parametrize("fens", [["4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"], ["nonsense"], [""], ["a", SETUP, "a"]])
    def test_a_tag_that_is_another_position(self, start: str | None, fens: list[str]) -> None:
        position = b"" if start is None else pack_position(tabiya.Position.from_fen(start))
        data = entry(position=position, tags=[("A", "1"), *(("FEN", fen) for fen in fens)])
        (game,) = games(data)
        assert game.tags.get("FEN") == start
        assert codes(game) == [58]
        assert [(extra.key, extra.value) for extra in game.extras] == [("bcgn.fen", fen.encode()) for fen in fens]
        assert again(data) == data

    def test_a_tag_for_a_position_with_idle_bytes(self) -> None:
        """What stands behind the last man means nothing, so the tag still is the position."""
        fen = SETUP.replace("0 1", "7 40")
        packed = pack_position(tabiya.Position.from_fen(fen))
        (game,) = games(entry(position=packed[:-1] + b"\x55", tags=[("FEN", fen)]))
        assert game.tags["FEN"] == fen
        assert game.problems == []
        assert again(entry(position=packed[:-1] + b"\x55", tags=[("FEN", fen)])) == entry(
            position=packed, tags=[("FEN", fen)]
        )

    def test_no_position(self) -> None:
        first, second = games(entry(E4_E5, position=bytes(24), names=NAMES), GOOD)
        assert first.kind is RecordKind.OPAQUE
        assert first.tags["White"] == "Alpha"
        assert codes(first) == [53]
        assert [extra.key for extra in first.extras] == ["bcgn.entry"]
        assert second.problems == []


class TestOddEntries:
    """Parts that mean nothing are told, kept and written again."""

    @pytest.mark.parametrize(
        ("fields", "code", "extra"),
        [
            ({"date": (12000, 13, 5)}, 59, ("bcgn.date", struct.pack(">HBB", 12000, 13, 5))),
            ({"eco": b"Z\x63"}, 60, ("bcgn.eco", b"Z\x63")),
            ({"eco": b"A\x64"}, 60, ("bcgn.eco", b"A\x64")),
            ({"eco": b"\0\x01"}, 60, ("bcgn.eco", b"\0\x01")),
            ({"flags": 0xF4}, 61, ("bcgn.flags", b"\xf4")),
            ({"rest": b"what?"}, 57, ("bcgn.header_rest", b"what?")),
        ],
    )
    def test_headers(self, fields: dict[str, Any], code: int, extra: tuple[str, bytes]) -> None:
        data = entry(E4_E5, names=NAMES, **fields)
        first, second = games(data, GOOD)
        assert codes(first) == [code]
        assert [(each.key, each.value) for each in first.extras] == [extra]
        assert [str(node.move) for node in first.root.mainline()] == ["e2e4", "e7e5"]
        assert second.problems == []
        assert again(data, GOOD) == data + GOOD

    @pytest.mark.parametrize("count", [2, 3, 7, 8, 9, 30])
    @pytest.mark.parametrize(
        "fields", [{"flags": 0xF4}, {"date": (12000, 13, 5)}, {"rest": b"what?"}, {"flags": 4, "rest": GOOD + GOOD}]
    )
    def test_headers_in_a_row(self, fields: dict[str, Any], count: int) -> None:
        """Lengths that agree are followed, even past entries that look more sound."""
        data = [GOOD, *[entry(E4_E5, names=NAMES, **fields)] * count, GOOD]
        found = games(*data)
        assert len(found) == count + 2
        assert [len(game.problems) for game in found] == [0, *[1 + ("flags" in fields and "rest" in fields)] * count, 0]
        assert again(*data) == b"".join(data)

    def test_flags_in_a_row_without_headers(self) -> None:
        """Found by the fuzzer: two entries, and inside of them bytes that are an entry, too."""
        data = bytes.fromhex("000b0022c4da08ca199abe00c3cd00c90b001720199abe256f")
        found = games(data, level=2, headerless=True)
        stream = io.BytesIO()
        with tabiya.create(stream, format="bcgn", level=2, headerless=True) as writer:
            writer.write(found)
        assert [loss.what for loss in writer.losses] == ["extras"]
        for game in found:
            game.extras = [extra for extra in game.extras if extra.key != "bcgn.movetext"]
        assert len(found) == 2
        assert read(stream.getvalue()) == found

    def test_a_tag_wins_over_a_code_that_makes_no_sense(self) -> None:
        (game,) = games(entry(eco=b"\x08\0", tags=[("ECO", "B97/04")]))
        assert codes(game) == [60]
        assert game.tags["ECO"] == "B97/04"
        assert game.extras == []

    def test_flags_keep_what_means_nothing_only(self) -> None:
        (game,) = games(entry(flags=0x41, tags=[("A", "1")]))
        assert [(extra.key, extra.value) for extra in game.extras] == [("bcgn.flags", b"\x40")]

    def test_an_edit_wins_over_bytes_that_were_kept(self) -> None:
        (game,) = games(entry(date=(2020, 13, 5), eco=b"Z\x63"))
        game.tags["Date"] = "2021.02.05"
        game.tags["ECO"] = "B01"
        stream = io.BytesIO()
        with tabiya.create(stream, format="bcgn") as writer:
            writer.write(game)
        assert stream.getvalue()[32:] == entry(date=(2021, 2, 5), eco=b"B\x01")

    @pytest.mark.parametrize(
        ("moves", "plies", "level", "code", "read_moves", "text"),
        [
            (b"\x43\xff", 2, 1, 55, 1, "2"),
            (b"\x43\x00", 2, 1, 55, 1, "2"),
            (b"\x43", 2, 1, 56, 1, "2"),
            (b"\x43\x43\x43", 2, 1, 57, 2, ""),
            (b"", 1, 0, 56, 0, "1"),
            (bytes.fromhex("0c74"), 1, 0, 55, 0, "1"),
            (b"\xc9", 1, 2, 57, 1, ""),
            (b"\xc8\x00", 1, 2, 57, 1, ""),
        ],
    )
    def test_moves(self, moves: bytes, plies: int, level: int, code: int, read_moves: int, text: str) -> None:
        first, second = games(entry(moves, plies, names=NAMES), entry(names=NAMES), level=level)
        assert [(problem.code, problem.text) for problem in first.problems] == [(code, text)]
        assert len(list(first.root.mainline())) == read_moves
        assert [(extra.key, extra.value) for extra in first.extras] == [("bcgn.movetext", moves)]
        assert second.problems == []

    def test_texts_that_run_past_their_header(self) -> None:
        data = bytearray(entry(names=("Alpha", "Beta", "Event", "Here")))
        data[data.index(b"\x04Here")] = 40
        first, second = games(bytes(data), GOOD)
        assert codes(first) == [54]
        assert first.tags["Site"] == "Here"
        assert second.problems == []

    def test_headers_that_are_none(self) -> None:
        data = bytearray(GOOD)
        data[2:4] = (9999).to_bytes(2)
        first, second = games(bytes(data), GOOD)
        assert first.kind is RecordKind.OPAQUE
        assert codes(first) == [52]
        assert second.problems == []

    def test_headerless(self) -> None:
        data = bare_entry(E4_E5, result=2)
        first, second = games(data, bare_entry(b"\xff"), headerless=True)
        assert first.tags.items() == [("Result", "0-1")]
        assert codes(second) == [55]
        assert again(data, headerless=True) == data


class TestLengths:
    """A wrong length would hide all games behind it; the next sound entry is found again."""

    @pytest.mark.parametrize("length", [0, 1, 22, 23, len(GOOD) - 1, len(GOOD) + 1, 300, 65535])
    @pytest.mark.parametrize("count", [1, 2, 50])
    def test_full(self, length: int, count: int) -> None:
        broken = length.to_bytes(2) + GOOD[2:]
        found = games(GOOD, broken, *[GOOD] * count)
        assert len(found) == count + 2
        assert codes(found[1]) == [50]
        assert [codes(game) for game in (found[0], *found[2:])] == [[]] * (count + 1)
        assert all(game.tags["White"] == "Alpha" and len(list(game.root.mainline())) == 2 for game in found)

    @pytest.mark.parametrize("length", [0, 4, 6, 8, 65535])
    @pytest.mark.parametrize("level", [0, 1])
    @pytest.mark.parametrize("position", [b"", pack_position(Position())])
    def test_headerless(self, length: int, level: int, position: bytes) -> None:
        moves = bytes.fromhex("0c703490") if level == 0 else E4_E5
        good = bare_entry(moves, 2, result=1, position=position)
        found = games(good, length.to_bytes(2) + good[2:], good, good, level=level, headerless=True)
        assert [codes(game) for game in found] == [[], [50], [], []]
        assert all(len(list(game.root.mainline())) == 2 for game in found)

    def test_a_file_that_breaks_off(self) -> None:
        whole = file_header() + GOOD + GOOD
        for size in range(32, len(whole) + 1):
            found = read(whole[:size])
            complete, rest = divmod(size - 32, len(GOOD))
            assert [codes(game) for game in found[:complete]] == [[]] * complete
            assert [codes(game)[:1] for game in found[complete:]] == [[51]] * bool(rest) or rest == 1
            assert all(game.problems for game in found[complete:])

    def test_nothing_but_noise(self) -> None:
        noise = random.Random(1).randbytes(200_000)
        found = read(file_header() + noise)
        assert found
        assert all(game.problems for game in found)

    @pytest.mark.parametrize("byte", [0, 1, 23, 255])
    def test_hostile_files_are_read_in_linear_time(self, byte: int) -> None:
        assert read(file_header() + bytes([0, byte]) * 1_000_000) != []

    def test_damage_across_stretches(self) -> None:
        """Entries are found again behind a megabyte of noise, and the same by every way of reading."""
        data = file_header() + GOOD * 30_000 + random.Random(2).randbytes(1 << 20) + GOOD * 30_000
        with tabiya.open(io.BytesIO(data)) as database:
            count = len(database)
            assert sum(len(batch) for batch in database.batches()) == count
            assert codes(database[29_999]) == codes(database[count - 1]) == []
            assert sum(len(batch) for batch in database.headers()) == count
        assert count >= 60_000


class TestFileHeader:
    @pytest.mark.parametrize(
        ("change", "error", "why"),
        [
            ({0: 0}, FormatError, "is not a BCGN file"),
            ({4: 1}, UnsupportedError, "version 1"),
            ({5: 3}, UnsupportedError, "level 3"),
            ({6: 1}, UnsupportedError, "auxiliary compression 1"),
            ({31: 1}, CorruptError, "reserved bytes"),
        ],
    )
    def test_refusals(self, change: dict[int, int], error: type[TabiyaError], why: str, tmp_path: Path) -> None:
        data = bytearray(file_header() + GOOD)
        for place, value in change.items():
            data[place] = value
        path = tmp_path / "games.bcgn"
        path.write_bytes(data)
        with pytest.raises(error, match=why) as caught:
            tabiya.open(path, format="bcgn")
        assert caught.value.path == str(path)
        with pytest.raises(error, match=why):
            tabiya.open(io.BytesIO(data), format="bcgn")

    @pytest.mark.parametrize("size", [0, 3, 4, 31])
    def test_cut_off(self, size: int) -> None:
        with pytest.raises(TabiyaError):
            tabiya.open(io.BytesIO(file_header()[:size]), format="bcgn")

    def test_flags_that_mean_nothing(self) -> None:
        data = bytearray(file_header() + GOOD)
        data[7] = 0x41
        with tabiya.open(io.BytesIO(data)) as database:
            assert [problem.code for problem in database.problems] == [61]
            assert len(list(database)) == 1


class TestStreams:
    def test_details_after_reading(self) -> None:
        with tabiya.open(io.BytesIO(file_header() + GOOD * 3)) as database:
            list(database.batches())
            assert database.details() == {
                "level": 1,
                "flags": "none",
                "bytes per game": float(len(GOOD)),
                "bits per move": 8.0,
            }
            with pytest.raises(UsageError, match="read only once"):
                list(database.batches())

    def test_random_access(self) -> None:
        with tabiya.open(io.BytesIO(file_header() + GOOD * 3)) as database:
            assert len(database) == 3
            assert database[2].number == 3


def test_doors_check_their_buffers() -> None:
    page = np.zeros(128, np.uint16)
    ends = np.array([5, 3], np.int64)
    with pytest.raises(ValueError, match="ends of entries"):
        read_games(new_builder(), bytes(10), ends, 0, 1, False, True, False, page, False)
    with pytest.raises(ValueError, match="three levels"):
        read_games(new_builder(), bytes(10), ends[:1], 0, 3, False, True, False, page, False)
    assert find_entries(b"", ends, 1, False, True) == (0, 0, 0)


@given(st.binary(max_size=300), st.sampled_from([0, 1, 2]), st.booleans())
def test_any_bytes(data: bytes, level: int, headerless: bool) -> None:
    found = read(file_header(level, headerless=headerless) + data)
    assert bool(found) == bool(data)


@given(st.data())
def test_any_damage(data: st.DataObject) -> None:
    """Whatever happens to a byte, at most the games it belongs to and its neighbour are touched.

    Only a length that ends where another entry ends hides the entries in between.
    """
    whole = bytearray(GOOD * 6)
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] = data.draw(st.integers(0, 255))
    assume(place % len(GOOD) != 1 or whole[place] % len(GOOD) or whole[place] == GOOD[1])
    with suppress(TabiyaError):
        found = games(bytes(whole))
        hit = place // len(GOOD)
        sound = [game for game in found if not game.problems and game.tags.get("White") == "Alpha"]
        assert len(sound) >= 4, hit
