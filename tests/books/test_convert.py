"""Books from format to format, merged, compared, and as lines in a game: whatever is not reported lost has arrived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.books import (
    BookComparison,
    BuildReport,
    Entry,
    MergedBook,
    book_lines,
    convert_book,
    create_book,
    merge_books,
    transfer_book,
    walk_book,
)
from tabiya.books.ctg.position import signature_of
from tabiya.books.open_and_create import BOOK_FORMATS
from tabiya.chess import Position
from tabiya.errors import LossError, UsageError
from tests.books.books_corpus import GAMES, random_lines, write_lines

Samples = Callable[[str], Path]

SUFFIXES = [format.suffixes[0] for format in BOOK_FORMATS]
PAIRS = list(product(SUFFIXES, SUFFIXES))
E4 = Position().parse_san("e4")


def moves_of(path: Path) -> dict[int, set[int]]:
    with tabiya.open_book(path) as book:
        return {position.key: {int(entry.move) for entry in entries} for position, entries in walk_book(book)}


def as_ctg_knows_them(path: Path) -> dict[bytes, set[bytes]]:
    """What follows on what, where a position is the same with colours exchanged."""
    found: dict[bytes, set[bytes]] = {}
    with tabiya.open_book(path) as book:
        for position, entries in walk_book(book):
            after = {signature_of(position.play(entry.move)) for entry in entries}
            found.setdefault(signature_of(position), set()).update(after)
    return found


@pytest.mark.parametrize(("source", "target"), PAIRS)
@settings(max_examples=6)
@example(seed=1502, size=24)  # 1.g3 e5 2.g4, where this book ends, is 1.e4 g5 with colours exchanged, where it goes on
@given(seed=st.integers(0, 10**6), size=st.integers(1, 40))
def test_positions_and_moves_arrive(
    tmp_path_factory: pytest.TempPathFactory, source: str, target: str, seed: int, size: int
) -> None:
    folder = tmp_path_factory.mktemp("pair")
    first = write_lines(folder / f"a{source}", random_lines(seed, size))
    second = folder / f"b{target}"
    report = convert_book(first, second)
    assert (report.source_format, report.target_format) == tuple(
        format.name for suffix in (source, target) for format in BOOK_FORMATS if suffix in format.suffixes
    )
    # Four equal pieces, which CTG has no code for, do not come up in so few moves; underpromotions neither.
    assert report.losses.get("positions") is None
    sent, arrived = moves_of(first), moves_of(second)
    if target == ".ctg":
        assert as_ctg_knows_them(second) == as_ctg_knows_them(first)
        assert all(moves <= arrived.get(key, set()) for key, moves in sent.items())
    else:
        assert arrived == sent


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_what_is_lost_is_told(tmp_path: Path, source: str, target: str) -> None:
    first = write_lines(tmp_path / f"a{source}", random_lines(4, 30))
    losses = {loss.what for loss in convert_book(first, tmp_path / f"b{target}").losses}
    expected = {
        (".ctg", ".bin"): {"statistics"},
        (".ctg", ".abk"): set(),
        (".bin", ".ctg"): {"learning"},
        (".bin", ".abk"): {"weights", "learning"},
        (".abk", ".bin"): {"statistics"},
        (".abk", ".ctg"): {"weights"},
    }
    assert losses - {"transpositions"} == expected.get((source, target), set())


@pytest.mark.parametrize(("source", "target"), [pair for pair in PAIRS if pair[0] != pair[1] and pair[0] != ".ctg"])
def test_strict_conversions_write_nothing(tmp_path: Path, source: str, target: str) -> None:
    first = write_lines(tmp_path / f"a{source}", random_lines(4, 30))
    before = sorted(tmp_path.iterdir())
    with pytest.raises(LossError, match="nothing was written"):
        convert_book(first, tmp_path / f"b{target}", strict=True)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_copy_is_the_same(tmp_path: Path, suffix: str) -> None:
    first = write_lines(tmp_path / f"a{suffix}", random_lines(4, 30))
    report = convert_book(first, tmp_path / f"b{suffix}")
    assert not report.losses
    assert (tmp_path / f"b{suffix}").read_bytes() == first.read_bytes()


def test_options_of_a_ctg_book_go_with_it(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.ctg", random_lines(4, 5))
    (tmp_path / "a.ini").write_bytes(b"[Options]\r\nVariety=0\r\n")
    convert_book(first, tmp_path / "b.ctg")
    assert (tmp_path / "b.ini").read_bytes() == (tmp_path / "a.ini").read_bytes()


def test_keys_without_a_line_are_counted(tmp_path: Path, samples: Samples) -> None:
    source = samples("ctg/perfect2021-abk-bin-bkt/Perfect2021.bin")
    report = convert_book(source, tmp_path / "x.abk")
    loss = report.losses.get("keys")
    assert loss is not None
    assert (report.positions, loss.count) == (4010, 55)


def test_lines_may_begin_elsewhere(tmp_path: Path, samples: Samples) -> None:
    source = samples("ctg/lasker-trap-bin/lasker-trap.bin")
    start = tabiya.books.parse_line("d4")
    report = convert_book(source, tmp_path / "x.ctg", starts=[start])
    assert report.positions > 0
    with tabiya.open_book(source) as book, tabiya.open_book(tmp_path / "x.ctg") as made:
        assert [entry.move for entry in made.probe(start)] == [entry.move for entry in book.probe(start)]


def test_a_position_without_line_arrives_where_positions_are_known(tmp_path: Path) -> None:
    far = Position.from_fen("8/8/8/4k3/8/2K5/4P3/8 w - - 0 1")
    with create_book(tmp_path / "a.ctg") as writer:
        writer.add(Position(), [Entry(move=E4, weight=1, games=3, wins=1, draws=1, losses=1)])
        writer.add(far, [Entry(move=far.parse_san("e4"), weight=1, games=1, wins=1, draws=0, losses=0)])
    convert_book(tmp_path / "a.ctg", tmp_path / "b.bin")
    with tabiya.open_book(tmp_path / "a.ctg") as book, tabiya.open_book(tmp_path / "b.bin") as made:
        assert len(list(book.positions())) == 4
        # CTG knows it in four views, and nobody can tell which one was played.
        mirrored = Position.from_fen("8/8/8/3k4/8/5K2/3P4/8 w - - 0 1")
        turned = Position.from_fen("8/4p3/2k5/8/4K3/8/8/8 b - - 0 1")
        assert far in book
        for view in (far, mirrored, turned):
            assert [entry.move for entry in made.probe(view)] == [entry.move for entry in book.probe(view)]
        assert len(made) == 5


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_source_is_no_target(tmp_path: Path, suffix: str) -> None:
    path = write_lines(tmp_path / f"a{suffix}", random_lines(4, 5))
    before = path.read_bytes()
    with pytest.raises(UsageError, match="is also the source"):
        convert_book(path, path, overwrite=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_books_of_any_formats_merge(tmp_path: Path, first: str, second: str) -> None:
    one = write_lines(tmp_path / f"one{first}", random_lines(1, 20))
    two = write_lines(tmp_path / f"two{second}", random_lines(2, 20))
    for suffix in SUFFIXES:
        merge_books([one, two], tmp_path / f"both{suffix}", overwrite=True)
        ours, theirs, both = moves_of(one), moves_of(two), moves_of(tmp_path / f"both{suffix}")
        assert both.keys() >= ours.keys() | theirs.keys()
        for key, moves in both.items():
            assert moves == ours.get(key, set()) | theirs.get(key, set())


def test_damage_of_the_source_is_told(tmp_path: Path) -> None:
    pages = write_lines(tmp_path / "a.ctg", random_lines(4, 200))
    pages.write_bytes(pages.read_bytes()[:-5000])
    tree = write_lines(tmp_path / "a.abk", random_lines(4, 20))
    data = bytearray(tree.read_bytes())
    data[25200 + 20 : 25200 + 24] = (900).to_bytes(4, "little")  # the first reply to the first move is that move
    tree.write_bytes(data)
    for source, what in ((pages, "pages"), (tree, "cycle")):
        for suffix in (*SUFFIXES, ".pgn"):
            target = tmp_path / f"made{source.suffix}{suffix}"
            with pytest.raises(LossError):
                transfer_book(source, target, strict=True)
            assert not target.exists()
            assert transfer_book(source, target).losses.get(what)
        assert merge_books([source, source], tmp_path / f"both{source.suffix}").losses.get(what)


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_merged_books_does_not_decide_what_is_lost(tmp_path: Path, order: int) -> None:
    far, beyond = Position.from_fen("8/8/8/4k3/8/2K5/4P3/8 w - - 0 1"), Position.from_fen("8/8/8/4k3/8/2K5/3P4/8 w - -")
    with create_book(tmp_path / "a.ctg") as writer:
        writer.add(Position(), [Entry(move=E4, weight=1, games=3, wins=1, draws=1, losses=1)])
        writer.add(far, [Entry(move=far.parse_san("e4"), weight=1, games=1, wins=1, draws=0, losses=0)])
    with create_book(tmp_path / "b.bin") as writer:
        writer.add(Position(), [Entry(move=E4, weight=7)])
        writer.add(beyond, [Entry(move=beyond.parse_san("d4"), weight=1)])
    sources = [tmp_path / "a.ctg", tmp_path / "b.bin"][::order]
    merged = {suffix: merge_books(sources, tmp_path / f"both{suffix}") for suffix in SUFFIXES}
    for report in merged.values():
        assert getattr(report.losses.get("keys"), "count", 0) == 1
    assert merged[".ctg"].losses.get("weights")
    for suffix in (".ctg", ".bin"):
        with tabiya.open_book(tmp_path / f"both{suffix}") as book:
            assert far in book
    lost = merged[".abk"].losses.get("positions")
    assert lost is not None
    assert lost.count == 1


def test_what_merged_books_say(tmp_path: Path) -> None:
    paths = [tmp_path / "a.ctg", tmp_path / "b.ctg"]
    for path, nag in zip(paths, (None, 1), strict=True):
        with create_book(path) as writer:
            writer.add(Position(), [Entry(move=E4, weight=1, games=4, wins=2, draws=1, losses=1, nag=nag)])
    with tabiya.open_book(paths[0]) as a, tabiya.open_book(paths[1]) as b:
        merged = MergedBook([a, b])
        (entry,) = merged.probe(Position())
        assert (entry.games, entry.wins, entry.draws, entry.losses, entry.nag) == (8, 4, 2, 2, 1)
        assert len(merged) == 2
        assert set(merged.files) >= set(paths)
    with pytest.raises(UsageError, match="no book to merge"):
        merge_books([], tmp_path / "c.bin")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_equal_books_do_not_differ(tmp_path: Path, suffix: str) -> None:
    lines = random_lines(6, 30)
    path = write_lines(tmp_path / f"a{suffix}", lines)
    with tabiya.open_book(path) as a, tabiya.open_book(path) as b:
        comparison = BookComparison(a, b)
        assert list(comparison) == []
        assert comparison.positions == len(lines)


def test_differences_are_named(tmp_path: Path) -> None:
    d4 = Position().parse_san("d4")
    a3 = Position().parse_san("a3")
    with create_book(tmp_path / "a.bin") as writer:
        writer.add(Position(), [Entry(move=E4, weight=3, learning=1), Entry(move=d4, weight=2)])
        writer.add(
            tabiya.books.parse_line("e4 e5 Nf3"),
            [Entry(move=tabiya.books.parse_line("e4 e5 Nf3").parse_san("Nc6"), weight=1)],
        )
    with create_book(tmp_path / "b.bin") as writer:
        writer.add(Position(), [Entry(move=E4, weight=4, learning=2), Entry(move=a3, weight=2)])
    with tabiya.open_book(tmp_path / "a.bin") as a, tabiya.open_book(tmp_path / "b.bin") as b:
        found = list(BookComparison(a, b))
    assert found[0].fen == Position().fen()
    assert set(found[0].differences) == {
        "e4: weight 3 and 4",
        "e4: learning 1 and 2",
        "d4: only in the first book",
        "a3: only in the second book",
    }
    assert (found[1].fen, found[1].differences) == (None, ("b8c6: only in the first book",))
    assert found[1].as_dict()["key"] == f"{tabiya.books.parse_line('e4 e5 Nf3').key:016x}"


def test_only_what_both_formats_keep_is_compared(tmp_path: Path) -> None:
    lines = random_lines(6, 30)
    paths = [write_lines(tmp_path / f"a{suffix}", lines) for suffix in SUFFIXES]
    for first, second in product(paths, paths):
        with tabiya.open_book(first) as a, tabiya.open_book(second) as b:
            different = [
                found for found in BookComparison(a, b) if any("only in" in text for text in found.differences)
            ]
            assert different == []


def test_lines_as_a_game(tmp_path: Path) -> None:
    position, entries = Position(), []
    d4 = Position().parse_san("d4")
    entries = [
        Entry(move=E4, weight=2, games=4, wins=2, draws=1, losses=1, nag=1),
        Entry(move=d4, weight=1, games=1, wins=0, draws=0, losses=1),
    ]
    with create_book(tmp_path / "x.ctg") as writer:
        writer.add(position, entries)
        for first, second, third in (("Nf3", "d5", "g3"), ("g3", "d5", "Nf3")):
            place = Position().play(first)
            writer.add(place, [Entry(move=place.parse_san(second), weight=1, games=1, wins=1, draws=0, losses=0)])
            place = place.play(second)
            writer.add(place, [Entry(move=place.parse_san(third), weight=1, games=1, wins=1, draws=0, losses=0)])
    with tabiya.open_book(tmp_path / "x.ctg") as book:
        lines = book_lines(book)
        text = str(lines.game)
    assert "1.e4! {4 games, +2 =1 -1, 62.5%}" in text
    assert "(1.d4 {1 game, +0 =0 -1, 0.0%})" in text
    assert {loss.what for loss in lines.losses} == {"positions"}
    assert (lines.positions, lines.moves) == (1, 2)


def test_transpositions_are_unfolded_once(tmp_path: Path) -> None:
    lines: dict[int, dict[int, Entry]] = {}
    places = {}
    for moves in (["Nf3", "d5", "g3", "Nf6"], ["g3", "d5", "Nf3", "Nf6"]):
        place = Position()
        for move in moves:
            places[place.key] = place
            entries = lines.setdefault(place.key, {})
            entries[place.parse_san(move)] = Entry(move=place.parse_san(move), weight=5)
            place = place.play(move)
    with create_book(tmp_path / "x.bin") as writer:
        for key, entries in lines.items():
            writer.add(places[key], entries.values())
    with tabiya.open_book(tmp_path / "x.bin") as book:
        unfolded = book_lines(book)
        assert (unfolded.positions, unfolded.moves) == (len(lines), sum(map(len, lines.values())))
        assert str(unfolded.game).count("transposes") == 1
        assert not unfolded.losses
        cut = book_lines(book, max_ply=2)
        assert (cut.moves, cut.losses.get("moves").count) == (4, 2)  # type: ignore[union-attr]
        few = book_lines(book, max_moves=3)
        assert few.moves <= 3
        assert few.losses


def test_mirrored_positions_are_said_to_be_mirrored(tmp_path: Path) -> None:
    """1.e3 e5 2.e4 is 1.e4 e5 with colours exchanged, and one position to a CTG book."""
    with create_book(tmp_path / "x.ctg") as writer:
        for line in ("e4 e5 Nf3", "e3 e5 e4"):
            place = Position()
            for move in line.split():
                entries = [place.parse_san(text) for text in (("e4", "e3") if place == Position() else (move,))]
                if move != "e3":  # the start position has been added with both moves
                    writer.add(place, [Entry(move=each, weight=1, games=1) for each in entries])
                place = place.play(move)
    with tabiya.open_book(tmp_path / "x.ctg") as book:
        text = str(book_lines(book).game)
    assert text.count("transposes mirrored") == 1
    assert text.count("transposes") == 1


def test_books_become_games_and_games_become_books(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text(GAMES * 3, "utf-8")
    built = transfer_book(games, tmp_path / "x.ctg")
    assert isinstance(built, BuildReport)
    assert built.games == 18
    report = transfer_book(tmp_path / "x.ctg", tmp_path / "lines.pgn")
    assert report.moves > 5
    with tabiya.open(tmp_path / "lines.pgn") as database, tabiya.open_book(tmp_path / "x.ctg") as book:
        (game,) = database
        first = game.root.children
        assert [node.move for node in first] == [entry.move for entry in book.probe(Position())]
        assert "games, +" in first[0].text
    again = transfer_book(tmp_path / "x.ctg", tmp_path / "x.bin")
    assert again.positions > 5
    named = transfer_book(tmp_path / "x.ctg", tmp_path / "odd.txt", format="pgn")
    assert named.moves == report.moves
    with pytest.raises(LossError):
        transfer_book(tmp_path / "x.bin", tmp_path / "y.pgn", start=Position().play("a3"), strict=True)
    assert not (tmp_path / "y.pgn").exists()


def test_weights_of_entries_survive_as_steps(tmp_path: Path) -> None:
    moves = [
        Entry(move=move, weight=weight)
        for move, weight in zip(Position().legal_moves(), (1000, 500, 1, 0), strict=False)
    ]
    with create_book(tmp_path / "a.bin") as writer:
        writer.add(Position(), moves)
    convert_book(tmp_path / "a.bin", tmp_path / "b.abk")
    with tabiya.open_book(tmp_path / "b.abk") as book:
        priorities = {entry.move: entry.priority for entry in book.probe(Position())}
    assert [priorities[entry.move] for entry in moves] == [9, 4, 1, 0]
    assert replace(moves[0], weight=1).weight == 1


def test_games_of_lines_that_meet_add_up_in_their_position(tmp_path: Path) -> None:
    """Arena counts for moves, CTG for positions: 1.Nf3 Nf6 2.c4 and 1.c4 Nf6 2.Nf3 come together."""
    with create_book(tmp_path / "a.abk") as writer:
        for first, second, games in (("Nf3", "c4", 6), ("c4", "Nf3", 7)):
            place = Position().play(first)
            writer.add(place, [Entry(move=place.parse_san("Nf6"), weight=1, games=9, wins=3, draws=3, losses=3)])
            place = place.play("Nf6")
            writer.add(
                place, [Entry(move=place.parse_san(second), weight=1, games=games, wins=2, draws=games - 2, losses=0)]
            )
        moves = [Entry(move=Position().parse_san(move), weight=1, games=9) for move in ("Nf3", "c4")]
        writer.add(Position(), moves)
    convert_book(tmp_path / "a.abk", tmp_path / "b.ctg")
    with tabiya.open_book(tmp_path / "b.ctg") as book:
        place = tabiya.books.parse_line("Nf3 Nf6")
        (entry,) = book.probe(place)
        assert (entry.games, entry.wins, entry.draws, entry.losses) == (13, 4, 9, 0)


def test_the_three_samples_agree(samples: Samples) -> None:
    """One author published one book in three formats: the facts count 4008 of 4010 positions of .bin in .ctg."""
    with (
        tabiya.open_book(samples("ctg/perfect2021/Perfect2021.ctg")) as ctg,
        tabiya.open_book(samples("ctg/perfect2021-abk-bin-bkt/Perfect2021.bin")) as polyglot,
    ):
        known = [(position, entries) for position, entries in walk_book(polyglot) if position in ctg]
        assert len(known) == 4008
        moves = sum(
            entry.move in {other.move for other in ctg.probe(position)}
            for position, entries in known
            for entry in entries
        )
        assert moves == 5302
