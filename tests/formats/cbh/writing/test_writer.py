"""Bases that tabiya writes: read again by tabiya, and by a plain decoder that shares no code with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

import tabiya
from tabiya.chess import Move
from tabiya.errors import TabiyaError, UnsupportedError, UsageError
from tabiya.formats import Comparison
from tabiya.formats.cbh.compaction import copy_base
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.editing import BaseEditor
from tabiya.formats.cbh.writing import base_builder
from tabiya.game import Extra, Game, GameBatch, GuidingText, Node, RecordKind, Variant, difference
from tests.formats.cbh import plain_cbh
from tests.formats.corpus import corpus, long_corpus

BASES = (
    *("small", "twic1134", "hedgehog", "veryold", "cbhlib_test", "cb12", "cbmplayertest", "text"),
    *("test-annotations", "cbh_test", "cbh_cbj_test", "shorter_cbj_test"),
)


def written(path: Path, games: list[Game], **options: Any) -> tabiya.LossReport:
    with tabiya.create(path, **options) as writer:
        writer.write(games)
    return writer.losses


def read(path: Path) -> list[Game]:
    with tabiya.open(path) as base:
        return list(base)


def blobs(main: Path) -> Iterator[tuple[bytes, bytes]]:
    """The bodies of all records, by nothing but offsets and sizes."""
    files = {path.suffix.lower(): path.read_bytes() for path in main.parent.glob(f"{main.stem}.*") if path.is_file()}
    data = files[".cbh"]
    for place in range(46, len(data) - 45, 46):
        begin, notes = (
            int.from_bytes(data[place + 1 : place + 5], "big"),
            int.from_bytes(data[place + 5 : place + 9], "big"),
        )
        size = int.from_bytes(files[".cbg"][begin + 1 : begin + 4], "big")
        if data[place] & 2 or not notes:
            yield files[".cbg"][begin : begin + size], b""
            continue
        length = int.from_bytes(files[".cba"][notes + 10 : notes + 14], "big")
        yield files[".cbg"][begin : begin + size], files[".cba"][notes : notes + length]


@pytest.mark.parametrize("name", BASES)
def test_copies_of_samples(samples: Callable[[str], Path], tmp_path: Path, name: str) -> None:
    with tabiya.open(samples(f"cbh/{name}")) as source:
        copy = tmp_path / "copy.cbh"
        report = tabiya.convert(source, copy)
        assert not report.losses
        with tabiya.open(copy) as target:
            comparison = Comparison(source, target)
            assert list(comparison) == []
            assert comparison.compared == len(source) == len(target)
            assert target.problems == ()
        assert list(blobs(copy)) == list(blobs(source.files[0]))
    if name not in ("test-annotations",):  # its annotations name game 0, which is kept
        plain_cbh.read(copy)


@pytest.mark.parametrize("name", BASES)
def test_samples_through_pgn(samples: Callable[[str], Path], tmp_path: Path, name: str) -> None:
    with tabiya.open(samples(f"cbh/{name}")) as source:
        tabiya.convert(source, tmp_path / "there.pgn")
        report = tabiya.convert(tmp_path / "there.pgn", tmp_path / "back.cbh")
        assert not report.losses
        assert not report.problems
        with tabiya.open(tmp_path / "back.cbh") as target:
            assert [each.differences for each in Comparison(source, target)] == []


def annotations_in(blob: bytes) -> list[tuple[int, int, bytes]]:
    """Position, kind and payload of each annotation."""
    found, place = [], 14
    while place < len(blob):
        size = int.from_bytes(blob[place + 4 : place + 6], "big")
        found.append((int.from_bytes(blob[place : place + 3], "big"), blob[place + 3], blob[place + 6 : place + size]))
        place += size
    return found


@pytest.mark.parametrize("name", BASES)
def test_bodies_through_pgn(samples: Callable[[str], Path], tmp_path: Path, name: str) -> None:
    """If the code page is named, all bytes come back. PGN has no order of symbols and texts on one move to keep."""
    there, back = tmp_path / "there.pgn", tmp_path / "back.cbh"
    with tabiya.open(samples(f"cbh/{name}")) as source:
        assert isinstance(source, CbhDatabase)
        tabiya.convert(source, there)
        assert not tabiya.convert(there, back, encoding=source.text_encoding.page).losses
        for (moves, notes), (moves_again, notes_again) in zip(blobs(source.files[0]), blobs(back), strict=True):
            assert moves == moves_again
            assert notes[:14] == notes_again[:14]
            assert sorted(annotations_in(notes)) == sorted(annotations_in(notes_again))


def test_games_without_moves_go_through_pgn_with_the_bytes_of_their_annotations(
    samples: Callable[[str], Path], tmp_path: Path
) -> None:
    """Nothing is lost, and nothing is told to be. A base cannot be made of them: their moves are nowhere."""
    there = tmp_path / "there.pgn"
    assert not tabiya.convert(samples("cbh/World-ch"), there).losses
    with tabiya.open(samples("cbh/World-ch")) as old, tabiya.open(there) as new:
        assert list(Comparison(old, new)) == []
        kept = [[extra for extra in each.extras if extra.key == "cbh.annotations"] for each in new]
        assert sum(map(len, kept)) == 624
        changed = new[0]
    assert changed == new_with(changed, changed.extras)
    assert changed != new_with(changed, [extra for extra in changed.extras if extra.key != "cbh.annotations"])
    plain = tabiya.convert(samples("cbh/World-ch"), tmp_path / "plain.pgn", profile="plain").losses
    assert plain.get("pgn-place") is not None


def new_with(game: Game, extras: list[Extra]) -> Game:
    copy = game.copy()
    copy.extras = list(extras)
    return copy


def test_an_empty_base_is_like_a_new_one_of_chessbase(samples: Callable[[str], Path], tmp_path: Path) -> None:
    written(tmp_path / "small.cbh", [])
    template = samples("cbh/small/small.cbh")
    for suffix in (".cbh", ".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs", ".cbe"):
        assert (tmp_path / f"small{suffix}").read_bytes() == template.with_suffix(suffix).read_bytes(), suffix
    # Others have a newer version, or leftovers of memory behind what they say.
    assert (tmp_path / "small.cbm").read_bytes()[:16] == template.with_suffix(".cbm").read_bytes()[:16]
    assert (tmp_path / "small.cbj").read_bytes() == bytes.fromhex("0b000000 78000000").ljust(32, b"\0")
    assert (tmp_path / "small.cbtt").read_bytes() == bytes.fromhex("03000000 41000000").ljust(32, b"\0")
    assert (tmp_path / "small.cbl").read_bytes() == (
        bytes.fromhex("00000000 00000000 d2029649 48060000 ffffffff 00000000 04000000 00000000")
    )
    assert b"Title=small\r\n" in (tmp_path / "small.ini").read_bytes()
    assert plain_cbh.read(tmp_path / "small.cbh") == ([], {suffix: [] for suffix in plain_cbh.SIZES})


def test_the_plain_decoder_finds_the_moves(tmp_path: Path) -> None:
    """The decoder of the tests, tabiya's reader and the games agree, move by move."""
    path = tmp_path / "games.cbh"
    with tabiya.create(path) as writer:
        writer.write(long_corpus())
    found, _ = plain_cbh.read(path)
    games = read(path)
    assert len(found) == len(games)
    for record, game in zip(found, games, strict=True):
        if not record.is_text:
            assert record.moves is not None
            line = [f"{_name(source)}{_name(target)}" for source, target, _ in record.moves]
            assert line == list(_stream(game.root))
            assert record.main == sum(1 for _ in game.mainline())


def _name(square: int) -> str:
    return "abcdefgh"[square // 8] + str(square % 8 + 1)


def _stream(root: Node) -> Iterator[str]:
    """The moves in the order in which they are stored: every line to its end before the alternatives to its moves."""
    waiting = list(reversed(root.children))
    while waiting:
        node = waiting.pop()
        yield "a1a1" if node.move == Move.NULL else str(node.move)[:4]
        waiting += reversed(node.children)


def test_entities_are_shared_by_content(tmp_path: Path) -> None:
    path = tmp_path / "x.cbh"
    games = [
        Game({"White": "A, B", "Black": "C", "Event": "E", "EventDate": "2001.01.01", "WhiteTeam": "T"}),
        Game({"White": "C", "Black": "A, B", "Event": "E", "EventDate": "2002.01.01", "BlackTeam": "T"}),
        Game({"White": "C", "Black": "C", "Event": "E", "EventDate": "2001.01.01"}),
    ]
    written(path, games)
    _, entities = plain_cbh.read(path)
    assert [data and data[:2] for data in entities[".cbp"]] == [b"A\0", b"C\0"]
    assert len(entities[".cbt"]) == 2
    assert len(entities[".cbe"]) == 1
    assert [game.tags["EventDate"] for game in read(path)] == [game.tags["EventDate"] for game in games]


def test_what_tournaments_have_besides_counts_for_their_identity(tmp_path: Path) -> None:
    games = [Game({"Event": "E"}) for _ in range(3)]
    games[1].extras = [Extra("cbh.event_latitude", b"55.5")]
    games[2].extras = [Extra("cbh.event_latitude", b"55.5"), Extra("cbh.event_end", b"2001.01.02")]
    assert not written(tmp_path / "x.cbh", games).get("cbh-details")
    _, entities = plain_cbh.read(tmp_path / "x.cbh")
    assert len(entities[".cbt"]) == 3
    assert [game.extras[0].value for game in read(tmp_path / "x.cbh")[1:]] == [b"55.5", b"55.5"]


@pytest.mark.parametrize(
    ("tags", "what"),
    [
        ({"White": "Ж" * 15}, "cbh-names"),
        ({"White": "x" * 30}, "cbh-names"),
        ({"Event": "é" * 20}, "cbh-names"),
        ({"White": "A,B"}, "cbh-blanks"),
        ({"White": "A ,  B "}, "cbh-blanks"),
        ({"White": "A,"}, "cbh-spellings"),
        ({"White": ""}, "cbh-spellings"),
        ({"Round": "1.2.3"}, "cbh-rounds"),
        ({"ECO": "F00"}, "cbh-ecos"),
        ({"Date": "5000.01.01"}, "cbh-dates"),
        ({"EventRounds": "999"}, "cbh-tag-values"),
        ({"WhiteTeam": "x" * 46}, "cbh-tag-values"),
        ({"WhiteTeam": "x", "EventDate": "2001.01.01"}, "cbh-tag-order"),
        ({"Opening": "x"}, "tags"),
        ({"Result": "*"}, "results"),
    ],
)
def test_what_has_no_room_is_told(tmp_path: Path, tags: dict[str, str], what: str) -> None:
    losses = written(tmp_path / "x.cbh", [Game({"Result": "1-0"}), Game({"Result": "1-0"} | tags)])
    assert [(loss.what, loss.count, loss.first_game) for loss in losses.losses] == [(what, 1, 2)]
    plain_cbh.read(tmp_path / "x.cbh")


def test_names_are_cut_between_letters(tmp_path: Path) -> None:
    written(tmp_path / "x.cbh", [Game({"White": "Ж" * 20, "Black": "x" * 29 + "é", "Site": "é" * 14 + "x"})])
    _, entities = plain_cbh.read(tmp_path / "x.cbh")
    assert entities[".cbp"][0][:30] == "Ж".encode() * 14 + b"\0\0"  # type: ignore[index]
    assert entities[".cbp"][1][:30] == b"x" * 29 + b"\0"  # type: ignore[index]
    game = read(tmp_path / "x.cbh")[0]
    assert (game.tags["White"], game.tags["Black"], game.tags["Site"]) == ("Ж" * 14, "x" * 29, "é" * 14 + "x")


def test_code_pages(tmp_path: Path) -> None:
    games = [Game({"White": "Петросян, Тигран", "Black": "Ж" * 29, "Result": "1-0"})]
    assert not written(tmp_path / "x.cbh", games, encoding="cp1251")
    assert "Петросян".encode("cp1251") in (tmp_path / "x.cbp").read_bytes()
    with tabiya.open(tmp_path / "x.cbh", encoding="cp1251") as base:
        assert difference(base[0], games[0]) == []
    with pytest.raises(TabiyaError, match="code page"):
        tabiya.create(tmp_path / "y.cbh", encoding="klingon")
    assert not (tmp_path / "y.cbh").exists()


def test_records_that_cannot_be_written_are_left_out(tmp_path: Path) -> None:
    text = Game({"Event": "E"})
    text.kind = RecordKind.TEXT
    text.texts = [GuidingText(0, "x", 9, b"")]
    opaque = Game()
    opaque.kind = RecordKind.OPAQUE
    losses = written(tmp_path / "x.cbh", [Game({"White": "A"}), text, opaque, Game({"White": "B"})])
    assert [(each.what, each.first_game) for each in losses.losses if each.what.startswith("cbh-left")] == [
        ("cbh-left-out-6", 3),
        ("cbh-left-out-7", 2),
    ]
    assert [game.tags["White"] for game in read(tmp_path / "x.cbh")] == ["A", "B"]
    plain_cbh.read(tmp_path / "x.cbh")


def test_two_gigabytes_are_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base_builder, "MOST_BYTES", 60)
    with pytest.raises(UnsupportedError, match="larger than 2 GB"):
        written(tmp_path / "x.cbh", [Game({"White": "A"}) for _ in range(100)])
    assert list(tmp_path.iterdir()) == []


def test_ids_and_numbers_have_24_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base_builder, "MOST_RECORDS", 3)
    with pytest.raises(UnsupportedError, match="records"):
        written(tmp_path / "x.cbh", [Game()] * 4)
    monkeypatch.setattr("tabiya.formats.cbh.writing.entity_tables.MOST_ENTITIES", 2)
    with pytest.raises(UnsupportedError, match="players"):
        written(tmp_path / "x.cbh", [Game({"White": name}) for name in "ABC"])
    assert list(tmp_path.iterdir()) == []


def test_no_streams() -> None:
    with pytest.raises(UnsupportedError, match="stream"):
        tabiya.create("-", format="cbh")


def test_stale_files_go(tmp_path: Path) -> None:
    """But for those that nobody could make again."""
    path = tmp_path / "x.cbh"
    written(path, [new_with(Game({"White": "A"}), [Extra("cbh.top_game", b"3")])])
    assert path.with_suffix(".flags").exists()
    for suffix in (".cit", ".cib", ".cbgi", ".cko"):
        path.with_suffix(suffix).write_bytes(b"stale")
    (tmp_path / "x.txt").write_text("mine")
    written(path, [Game({"White": "B"})], overwrite=True)
    plain_cbh.read(path)
    assert (tmp_path / "x.txt").read_text() == "mine"
    assert path.with_suffix(".cko").read_bytes() == b"stale"
    assert not path.with_suffix(".flags").exists()


def test_files_keep_the_case_of_their_names(tmp_path: Path) -> None:
    written(tmp_path / "x.cbh", [Game({"White": "A"})])
    for path in list(tmp_path.iterdir()):
        path.rename(path.with_suffix(path.suffix.upper()))
    written(tmp_path / "x.CBH", [Game({"White": "B"})], overwrite=True)
    assert {path.suffix for path in tmp_path.iterdir()} == {path.suffix.upper() for path in tmp_path.iterdir()}
    assert read(tmp_path / "x.CBH")[0].tags["White"] == "B"


@pytest.mark.parametrize("name", ["x.CBH", "X.cbh"])
def test_a_base_in_other_letters_is_the_same(tmp_path: Path, name: str) -> None:
    main, other = tmp_path / "x.cbh", tmp_path / name
    written(main, [Game({"White": "old"})])
    old = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(UsageError, match="already exists"):
        written(other, [Game({"White": "new"})])
    with pytest.raises(UsageError, match="is also the source"):
        tabiya.convert(main, other, overwrite=True)
    with pytest.raises(UsageError, match="is also the source"):
        copy_base(main, other, overwrite=True)
    written(tmp_path / "y.cbh", [Game({"White": "new"})])
    with pytest.raises(UsageError, match="already exists"):
        copy_base(tmp_path / "y.cbh", other)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.stem != "y"} == old
    with BaseEditor(main), pytest.raises(UsageError, match="is being written"):
        written(other, [], overwrite=True)
    written(other, [Game({"White": "new"})], append=True)
    assert [game.tags["White"] for game in read(main)] == ["old", "new"]


def test_two_writers_are_refused(tmp_path: Path) -> None:
    with tabiya.create(tmp_path / "x.cbh") as writer:
        with pytest.raises(UsageError, match="another program"):
            tabiya.create(tmp_path / "x.cbh")
        tabiya.create(tmp_path / "y.cbh").close()
        writer.write(Game())
    assert len(read(tmp_path / "x.cbh")) == 1


def test_media_and_top_games(tmp_path: Path) -> None:
    text = Game({"Event": "E"})
    text.kind = RecordKind.TEXT
    text.texts = [GuidingText(0, "Title", 3, b"<html>")]
    manifest = b"FilesUsed\n200\n" + b"".join(b"picture%d.jpg\n" % i for i in range(200))
    text.extras = [Extra("cbh.media", manifest)]
    game = Game({"White": "A", "Result": "1-0"})
    game.extras = [Extra("cbh.top_game", b"3")]
    assert not written(tmp_path / "x.cbh", [text, game, text])
    assert len((tmp_path / "x.cbm").read_bytes()) == 32 + 2 * 3 * 1024
    assert [difference(a, b) for a, b in zip(read(tmp_path / "x.cbh"), [text, game, text], strict=True)] == [[]] * 3
    plain_cbh.read(tmp_path / "x.cbh")


def test_material_and_medals_are_counted_for_games_from_elsewhere(tmp_path: Path) -> None:
    game = Game({"White": "A", "Result": "1-0", "FEN": "4k3/8/8/8/8/8/4P3/R3K2R w - - 0 1"})
    kept = Game({"White": "A", "Result": "1-0"})
    kept.extras = [Extra("cbh.version", b"7")]
    assert not written(tmp_path / "x.cbh", [game, kept])
    records, _ = plain_cbh.read(tmp_path / "x.cbh")
    assert records[0].extended[20:28] == bytes.fromhex("0000 1002 0000 0000")
    assert records[1].extended[20:28] == bytes(8)


def test_pieces_do_not_depend_on_how_games_come(tmp_path: Path) -> None:
    """Also the ids of entities are given in the order of the games, whatever the batches."""
    batch = long_corpus(250)
    for name, size in (("a", 1), ("b", 50), ("c", 10_000)):
        (tmp_path / name).mkdir()
        with tabiya.create(tmp_path / name / "x.cbh") as writer:
            writer.write([batch[begin : begin + size] for begin in range(0, len(batch), size)])
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("a", "b", "c")]
    assert files[0] == files[1] == files[2]


def test_corpus_by_the_plain_decoder(tmp_path: Path) -> None:
    with tabiya.create(tmp_path / "x.cbh") as writer:
        writer.write(GameBatch.concat([corpus()]))
    records, _ = plain_cbh.read(tmp_path / "x.cbh")
    assert len(records) == writer.written


def test_a_header_without_a_number_of_chess960_stays_so(tmp_path: Path) -> None:
    """Damaged games of ChessBase's have none, and what stands in its place in their moves is no number."""
    game = Game({"White": "A", "Result": "1-0"})
    game.variant = Variant.CHESS960
    game.start = "bbqrknrn/pppppppp/8/8/8/8/PPPPPPPP/BBQRKNRN w KQkq - 0 1"
    with tabiya.create(tmp_path / "a.cbh") as writer:
        writer.write(game)
    headers = bytearray((tmp_path / "a.cbh").read_bytes())
    eco = slice(46 + 35, 46 + 37)
    number = chess.Board(game.start, chess960=True).chess960_pos()
    assert headers[eco] == (65536 - 960 + (number or 0)).to_bytes(2, "big")
    headers[eco] = bytes(2)
    (tmp_path / "a.cbh").write_bytes(headers)
    tabiya.convert(tmp_path / "a.cbh", tmp_path / "b.cbh", strict=True)
    assert (tmp_path / "b.cbh").read_bytes()[eco] == bytes(2)
    with tabiya.open(tmp_path / "a.cbh") as old, tabiya.open(tmp_path / "b.cbh") as new:
        assert difference(old[0], new[0]) == []
