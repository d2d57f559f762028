"""Weights from format to format, books with gaps, and what else must arrive or be counted as lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.books import (
    BookComparison,
    Entry,
    Recommendation,
    book_lines,
    convert_book,
    create_book,
    edit_book,
    merge_books,
    parse_line,
    transfer_book,
    walk_book,
)
from tabiya.books.abk.records import Header
from tabiya.books.ctg.position import signature_of
from tabiya.chess import Position
from tabiya.errors import LossError
from tests.books.abk.handmade import move, opened, packed
from tests.books.books_corpus import Lines, random_lines, write_lines

Samples = Callable[[str], Path]

START = Position()
E4, D4 = (START.parse_san(san) for san in ("e4", "d4"))


def book_of(path: Path, lines: dict[str, dict[str, int]]) -> Path:
    """A Polyglot book: weights of moves by line."""
    with create_book(path) as writer:
        for line, moves in lines.items():
            place = parse_line(line)
            writer.add(place, [Entry(move=place.parse_san(san), weight=weight) for san, weight in moves.items()])
    return path


def weights(path: Path, position: Position = START) -> dict[str, int]:
    with tabiya.open_book(path) as book:
        return {position.san(entry.move): entry.weight for entry in book.probe(position)}


def differences(first: Path, second: Path) -> list[str]:
    with tabiya.open_book(first) as a, tabiya.open_book(second) as b:
        return [sentence for found in BookComparison(a, b) for sentence in found.differences]


# --- weights in CTG --------------------------------------------------------------------------------------------------


def test_weights_become_games_without_a_result(tmp_path: Path) -> None:
    source = book_of(tmp_path / "a.bin", {"": {"e4": 60, "d4": 40, "c4": 0}, "e4": {"e5": 7, "c5": 3}})
    report = convert_book(source, tmp_path / "b.ctg")
    assert not report.losses
    assert report.notes == ("weights as games without a result, because ctg books have no weights: 4",)
    with tabiya.open_book(tmp_path / "b.ctg") as book:
        found = {START.san(entry.move): entry for entry in book.probe(START)}
        assert {san: entry.games for san, entry in found.items()} == {"e4": 60, "d4": 40, "c4": 0}
        assert all((entry.wins, entry.draws, entry.losses, entry.score) == (0, 0, 0, None) for entry in found.values())
        assert {san: entry.recommendation for san, entry in found.items()} == {
            "e4": Recommendation.NONE,
            "d4": Recommendation.NONE,
            "c4": Recommendation.AVOID,
        }
    assert weights(tmp_path / "b.ctg") == {"e4": 60, "d4": 40, "c4": 0}
    assert differences(source, tmp_path / "b.ctg") == []
    back = convert_book(tmp_path / "b.ctg", tmp_path / "c.bin")
    assert {loss.what for loss in back.losses} == {"statistics"}, "a red mark says what weight 0 says"
    assert (tmp_path / "c.bin").read_bytes() == source.read_bytes()


def same_weights(lines: Lines) -> Lines:
    """The same book, with the weight of a move worked out from the position that it leads to: one for each."""
    return {
        position: tuple(
            Entry(move=entry.move, weight=1 + crc32(signature_of(position.play(entry.move))) % 60_000)
            for entry in entries
        )
        for position, entries in lines.items()
    }


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 40))
def test_weights_come_back_from_ctg(tmp_path_factory: pytest.TempPathFactory, seed: int, size: int) -> None:
    folder = tmp_path_factory.mktemp("books")
    first = write_lines(folder / "a.bin", same_weights(random_lines(seed, size)))
    report = convert_book(first, folder / "b.ctg")
    assert not report.losses
    for position, entries in same_weights(random_lines(seed, size)).items():
        found = weights(folder / "b.ctg", position)
        assert {san: found[san] for san in found if san in {position.san(entry.move) for entry in entries}} == {
            position.san(entry.move): entry.weight for entry in entries
        }


@pytest.mark.parametrize(
    ("source", "target", "text"),
    [
        (".bin", ".abk", "weights of moves, rounded to the ten steps that the target has"),
        (".abk", ".ctg", "weights of moves that also have games, which are used instead"),
    ],
)
def test_what_is_lost_of_weights_is_said_in_words(tmp_path: Path, source: str, target: str, text: str) -> None:
    lines: Lines = {
        START: (Entry(move=E4, weight=3, games=2, priority=3), Entry(move=D4, weight=0, games=2, priority=0))
    }
    losses = convert_book(write_lines(tmp_path / f"a{source}", lines), tmp_path / f"b{target}").losses
    assert [(loss.text, loss.count) for loss in losses if loss.what == "weights"] == [(text, 1)]


@pytest.mark.parametrize("first", ["e4", "d4", "a3"])
def test_a_position_has_one_number_for_all_moves_that_lead_there(tmp_path: Path, first: str) -> None:
    """Whichever line is followed first."""
    lines = {"e4 e6": {"d4": 8, "Nf3": 1}, "d4 e6": {"e4": 5, "a3": 0}, "e4 a6": {"a3": 3}, "a3 a6": {"e4": 0}}
    firsts = {"": {"e4": 1, "d4": 1, "a3": 1} | {first: 2}, "e4": {"e6": 1, "a6": 1}, "d4": {"e6": 1}, "a3": {"a6": 1}}
    source = book_of(tmp_path / "a.bin", {**firsts, **lines})
    report = convert_book(source, tmp_path / "b.ctg")
    assert {loss.what: loss.count for loss in report.losses} == {"shared_weights": 2}
    assert weights(tmp_path / "b.ctg", parse_line("e4 e6")) == {"d4": 8, "Nf3": 1}
    assert weights(tmp_path / "b.ctg", parse_line("d4 e6")) == {"e4": 8, "a3": 0}, "the larger one counts"
    assert weights(tmp_path / "b.ctg", parse_line("a3 a6")) == {"e4": 3}, "no mark where another move is to be played"
    assert "e4: played in 0% and 100.0%" in differences(source, tmp_path / "b.ctg")
    with pytest.raises(LossError, match="a different weight"):
        convert_book(source, tmp_path / "c.ctg", strict=True)
    assert not (tmp_path / "c.ctg").exists()


def test_known_games_are_not_replaced_by_weights(tmp_path: Path) -> None:
    with create_book(tmp_path / "a.ctg") as writer:
        writer.add(START, [Entry(move=E4, weight=77, games=4, wins=2, draws=1, losses=1), Entry(move=D4, weight=9)])
    assert writer.weights_as_games == 1
    with tabiya.open_book(tmp_path / "a.ctg") as book:
        assert {START.san(entry.move): entry.games for entry in book.probe(START)} == {"e4": 4, "d4": 9}
    source = book_of(tmp_path / "b.bin", {"": {"e4": 60}})
    report = merge_books([tmp_path / "a.ctg", source], tmp_path / "c.ctg")
    assert {loss.what: loss.count for loss in report.losses} == {"weights": 2}


def test_marks_of_a_ctg_book_stay_as_they_are(tmp_path: Path) -> None:
    """A move of weight 0 beside a green one is not made red by being copied."""
    with create_book(tmp_path / "a.ctg") as writer:
        writer.add(START, [
            Entry(move=E4, weight=1, games=0, recommendation=Recommendation.MAIN),
            Entry(move=D4, weight=0, games=0, recommendation=Recommendation.NONE),
        ])  # fmt: skip
    with tabiya.open_book(tmp_path / "a.ctg") as book, create_book(tmp_path / "b.ctg") as writer:
        assert weights(tmp_path / "a.ctg") == {"e4": 1, "d4": 0}
        writer.add(START, book.probe(START))
    with tabiya.open_book(tmp_path / "b.ctg") as book:
        assert [entry.recommendation for entry in book.probe(START)] == [Recommendation.MAIN, Recommendation.NONE]


def test_priorities_of_arena(tmp_path: Path) -> None:
    """Beside games they are lost, but for 0, which is never played; without games they become weights."""
    tree = ((12, 28, 0, 9, 10, 4, 3, 0, -1, 901), (11, 27, 0, 0, 5, 2, 2, 0, -1, -1))
    (tmp_path / "a.abk").write_bytes(packed(*tree, header=Header(priority_importance=1)))
    report = convert_book(tmp_path / "a.abk", tmp_path / "a.ctg")
    assert {loss.what: loss.count for loss in report.losses} == {"weights": 1, "header": 1}
    with tabiya.open_book(tmp_path / "a.ctg") as book:
        assert [(entry.games, entry.recommendation) for entry in book.probe(START)] == [
            (10, Recommendation.NONE),
            (5, Recommendation.AVOID),
        ]
    assert differences(tmp_path / "a.abk", tmp_path / "a.ctg") == []
    with edit_book(tmp_path / "a.ctg") as editor:
        editor.set(START, "d4", recommendation=0)
    assert differences(tmp_path / "a.abk", tmp_path / "a.ctg") == ["d4: never played in the first book"]
    (tmp_path / "b.abk").write_bytes(
        packed((12, 28, 0, 6, 0, 0, 0, 0, -1, 901), (11, 27, 0, 2, 0, 0, 0, 0, -1, -1), header=Header(last_ply=9999))
    )
    with opened(tmp_path / "b.abk") as book:
        assert [entry.games for entry in book.probe(START)] == [None, None]
    assert not convert_book(tmp_path / "b.abk", tmp_path / "b.ctg").losses.get("weights")
    assert weights(tmp_path / "b.ctg") == {"e4": 7500, "d4": 2500}


def test_games_without_a_result_in_arena(tmp_path: Path) -> None:
    with create_book(tmp_path / "a.abk") as writer:
        writer.add(START, [
            Entry(move=E4, weight=1, games=10, wins=4, draws=3, losses=2),
            Entry(move=D4, weight=1, games=3, wins=1, draws=1, losses=1),
        ])  # fmt: skip
    assert {loss.what: loss.count for loss in writer.losses} == {"undecided": 1}
    with create_book(tmp_path / "b.abk") as writer:
        writer.add(START, [Entry(move=E4, weight=1, games=10)])
    assert not writer.losses, "in a book without any result, results are unknown"


def test_weights_are_compared_as_chances(tmp_path: Path) -> None:
    one = book_of(tmp_path / "a.bin", {"": {"e4": 60, "d4": 40}})
    two = book_of(tmp_path / "b.bin", {"": {"e4": 600, "d4": 403}})
    for source, target in ((one, tmp_path / "a.ctg"), (two, tmp_path / "b.ctg")):
        convert_book(source, target)
    assert differences(one, two) == ["e4: weight 60 and 600", "d4: weight 40 and 403"]
    assert differences(one, tmp_path / "b.ctg") == []
    with edit_book(tmp_path / "b.ctg") as editor:
        editor.set(START, "e4", games=403)
    assert differences(one, tmp_path / "b.ctg") == ["e4: played in 60.0% and 50.0%", "d4: played in 40.0% and 50.0%"]
    convert_book(one, tmp_path / "a.abk")
    assert differences(one, tmp_path / "a.abk") == []
    with edit_book(tmp_path / "a.abk") as editor:
        editor.set(START, "d4", priority=0)
    assert differences(tmp_path / "a.abk", one)[1] == "d4: played in 0% and 40.0%"
    rare, never = (book_of(tmp_path / f"{weight}.bin", {"": {"e4": 5000, "d4": weight}}) for weight in (1, 0))
    convert_book(never, tmp_path / "never.ctg")
    assert differences(rare, tmp_path / "never.ctg") == ["d4: played in less than 0.1% and 0%"]


# --- books with gaps -------------------------------------------------------------------------------------------------

WHITE = {"": {"e4": 2}, "e4 e5": {"Nf3": 1}, "e4 c5": {"Nc3": 1}, "e4 c5 Nc3 Nc6": {"g3": 1}}
BLACK = {"e4": {"c5": 1}, "d4": {"d5": 1}, "d4 d5 c4": {"e6": 1}}


@pytest.mark.parametrize(("lines", "reached"), [(WHITE, 1), (BLACK, 0)])
@pytest.mark.parametrize("suffix", [".ctg", ".abk"])
def test_books_of_one_colour(tmp_path: Path, lines: dict[str, dict[str, int]], reached: int, suffix: str) -> None:
    source = book_of(tmp_path / "a.bin", lines)
    report = convert_book(source, tmp_path / f"b{suffix}")
    loss = report.losses.get("keys")
    assert loss is not None
    assert (report.positions, loss.count) == (reached, len(lines) - reached)
    report = convert_book(source, tmp_path / f"c{suffix}", any_move=True)
    assert report.losses.get("keys") is None
    assert report.losses.get("positions") is None
    for line, moves in lines.items():
        assert weights(tmp_path / f"c{suffix}", parse_line(line)).keys() == moves.keys()


def test_moves_that_only_lead_on_are_never_played(tmp_path: Path) -> None:
    source = book_of(tmp_path / "a.bin", WHITE)
    report = convert_book(source, tmp_path / "b.abk", any_move=True)
    assert report.notes == ("moves with priority 0 that are not in the book, but lead to positions of it: 3",)
    assert weights(tmp_path / "b.abk", START.play("e4")) == {"e5": 0, "c5": 0}
    assert convert_book(source, tmp_path / "b.ctg", any_move=True).notes[1:] == ()
    assert weights(tmp_path / "b.ctg", START.play("e4")) == {}, "CTG knows positions: nothing needs to be added"


def test_gaps_in_a_book_are_crossed_once(tmp_path: Path) -> None:
    """Behind a position of the book too; and no move is added to what lines reach anyway."""
    lines = {"": {"e4": 1, "Nf3": 1}, "e4": {"e5": 1}, "d4": {"d5": 1}, "d4 d5": {"c4": 1}, "Nf3": {"d5": 1}}
    source = book_of(tmp_path / "a.bin", lines)
    with tabiya.open_book(source) as book:
        found = list(walk_book(book, any_move=True))
        leads = [
            (position.fen(), position.san(entries[0].move)) for position, entries in found if entries[0].transposition
        ]
        assert leads == [(START.fen(), "d4")]
        assert len(found) == len(lines) + 1
        assert len(list(walk_book(book))) == 3


def test_lines_of_a_book_with_gaps(tmp_path: Path) -> None:
    source = book_of(tmp_path / "a.bin", WHITE)
    with pytest.raises(LossError, match="3 positions that no line from the start reaches"):
        transfer_book(source, tmp_path / "a.pgn", strict=True)
    report = transfer_book(source, tmp_path / "a.pgn", any_move=True, strict=True)
    assert (report.positions, bool(report.losses)) == (4, False)
    text = " ".join((tmp_path / "a.pgn").read_text("utf-8").split())
    assert text.endswith(
        "1. e4 { weight 2 } 1... c5 { not a move of the book } "
        "(1... e5 { not a move of the book } 2. Nf3 { weight 1 }) "
        "2. Nc3 { weight 1 } 2... Nc6 { not a move of the book } 3. g3 { weight 1 } *"
    )


def test_what_is_beyond_the_limits_or_not_reached_is_counted(tmp_path: Path) -> None:
    source = book_of(tmp_path / "a.bin", {"": {"e4": 1}, "e4": {"e5": 1}, "d4": {"d5": 1}})
    with tabiya.open_book(source) as book:
        lines = book_lines(book, max_ply=1)
    assert {loss.what: loss.count for loss in lines.losses} == {"moves": 1, "positions": 2}


def test_merging_follows_gaps_as_well(tmp_path: Path) -> None:
    sources = [book_of(tmp_path / "a.bin", WHITE), write_lines(tmp_path / "b.abk", random_lines(1, 5))]
    assert merge_books(sources, tmp_path / "x.ctg").losses.get("keys")
    assert not merge_books(sources, tmp_path / "y.ctg", any_move=True).losses.get("keys")


def test_positions_that_are_not_compared_are_counted(tmp_path: Path) -> None:
    source = book_of(tmp_path / "a.bin", WHITE)
    convert_book(source, tmp_path / "b.abk")
    with tabiya.open_book(source) as a, tabiya.open_book(tmp_path / "b.abk") as b:
        comparison = BookComparison(a, b)
        assert list(comparison) == []
        assert (comparison.positions, comparison.unreached) == (1, 3)
        everywhere = BookComparison(a, b, any_move=True)
        assert len(list(everywhere)) == 3, "the other book has no such positions"
        assert (everywhere.positions, everywhere.unreached) == (4, 0)
        same = BookComparison(a, a)
        assert list(same) == []
        assert (same.positions, same.unreached) == (4, 0)


# --- what else a book holds ------------------------------------------------------------------------------------------


def test_moves_that_are_not_legal_are_lost(tmp_path: Path) -> None:
    source = book_of(tmp_path / "a.bin", {"": {"e4": 1, "d4": 1}})
    data = source.read_bytes()
    source.write_bytes(data + data[:8] + (12 << 6 | 60).to_bytes(2) + bytes(6) + b"tail")
    for suffix in (".ctg", ".abk", ".pgn"):
        losses = transfer_book(source, tmp_path / f"b{suffix}").losses
        assert {(loss.what, loss.count) for loss in losses} >= {("illegal_moves", 1), ("tail", 4)}


def test_headers_and_options_are_lost_elsewhere(tmp_path: Path) -> None:
    polyglot = book_of(tmp_path / "a.bin", {"": {"e4": 1}})
    polyglot.write_bytes(bytes(8) + b"@PG@\n1.0" + polyglot.read_bytes())
    arena = tmp_path / "a.abk"
    arena.write_bytes(packed(move("e4", flags=7), header=Header(comment="mine", author="me")))
    ctg = write_lines(tmp_path / "a.ctg", random_lines(1, 5))
    ctg.with_suffix(".ini").write_bytes(b"[Options]")
    for source, what in ((polyglot, {"header"}), (arena, {"header", "flags"}), (ctg, {"options"})):
        for suffix in (".bin", ".abk", ".ctg", ".pgn"):
            losses = transfer_book(source, tmp_path / f"x{source.suffix}{suffix}").losses
            found = {loss.what for loss in losses} & {"header", "flags", "options"}
            assert found == (set() if suffix == source.suffix else what)


def test_learning_data_and_unknown_marks_are_in_the_lines(tmp_path: Path) -> None:
    with create_book(tmp_path / "a.bin") as writer:
        writer.add(START, [Entry(move=E4, weight=1, learning=5)])
    with create_book(tmp_path / "a.ctg") as writer:
        writer.add(START, [Entry(move=E4, weight=1, games=2, recommendation=Recommendation(0x94))])
    texts = []
    for name in ("a.bin", "a.ctg"):
        with tabiya.open_book(tmp_path / name) as book:
            texts.append(book_lines(book).game.root.children[0].text)
    assert texts == ["weight 1, learning data 5", "2 games, main move, mark 0x14"]


def test_a_real_book_through_ctg(tmp_path: Path, samples: Samples) -> None:
    source = samples("ctg/perfect2021-abk-bin-bkt/Perfect2021.bin")
    report = convert_book(source, tmp_path / "x.ctg", any_move=True)
    missed = report.losses.get("keys")
    with tabiya.open_book(source) as book:
        assert report.positions + (missed.count if missed else 0) == len(book)
