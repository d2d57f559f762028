"""Books from games, against a slow count of the same games."""

from __future__ import annotations

import io
import struct
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import chess
import chess.pgn
import chess.polyglot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.books import BuildOptions, BuildReport, build_book, check_book
from tabiya.books.abk.book import AbkBook
from tabiya.books.build import building
from tabiya.books.build.position_sums import PositionSums
from tabiya.books.ctg.book import CtgBook
from tabiya.books.ctg.signature_kernel import pack_position
from tabiya.chess import Color, Position
from tabiya.errors import CorruptError, LossError, TabiyaError, UnsupportedError, UsageError
from tabiya.game import Game, GameBatch, RecordFilter
from tests.books.books_corpus import GAMES

RESULTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
SUFFIXES = [".bin", ".abk", ".ctg"]


class Played:
    """A game as the oracle sees it."""

    def __init__(self, game: Game, max_ply: int) -> None:
        self.usual = game.start is None
        self.white = RESULTS.get(game.tags.get("Result") or "*")
        self.elo = tuple(int(game.tags.get(name) or 0) for name in ("WhiteElo", "BlackElo"))
        self.positions = [game.start_position]
        self.moves: list[int] = []
        for node in list(game.mainline())[:max_ply]:
            assert node.move is not None
            if node.move.is_null:
                break
            self.moves.append(int(node.move))
            self.positions.append(self.positions[-1].play(node.move))

    def points(self, turn: Color) -> float | None:
        return self.white if self.white is None or turn is Color.WHITE else 1 - self.white


def played(games: list[Game], max_ply: int) -> list[Played]:
    return [Played(game, max_ply) for game in games]


def slow_weights(games: list[Game], options: BuildOptions) -> dict[tuple[int, int], int]:
    """By key and move; python-chess makes the keys."""
    count: Counter[tuple[int, int]] = Counter()
    points: Counter[tuple[int, int]] = Counter()
    for game in played(games, options.max_ply):
        seen = set()
        for position, move in zip(game.positions, game.moves, strict=False):
            key = chess.polyglot.zobrist_hash(chess.Board(position.fen()))
            if key not in seen:
                seen.add(key)
                count[key, move] += 1
                points[key, move] += int(2 * (game.points(position.turn) or 0))
    kept = {place for place, number in count.items() if number >= options.min_games}
    sources = {"points": points, "games": count, "uniform": dict.fromkeys(kept, 1)}
    return {place: sources[options.weights][place] for place in kept}


def slow_tree(games: list[Game], options: BuildOptions) -> dict[tuple[int, ...], tuple[int, int, int]]:
    """Games, won and lost by White, by line."""
    counts: dict[tuple[int, ...], list[int]] = defaultdict(lambda: [0, 0, 0])
    for game in played(games, options.max_ply):
        for ply in range(len(game.moves) if game.usual else 0):
            sums = counts[tuple(game.moves[: ply + 1])]
            sums[0] += 1
            sums[1] += game.white == 1
            sums[2] += game.white == 0
    return {line: tuple(sums) for line, sums in counts.items() if sums[0] >= options.min_games}  # type: ignore[misc]


def slow_positions(games: list[Game], options: BuildOptions) -> dict[bytes, list[int]]:
    """Statistics by signature, in the order of CTG's columns but for the score."""
    counts: dict[bytes, list[int]] = defaultdict(lambda: [0] * 8)
    for game in played(games, options.max_ply):
        seen = set()
        for position in game.positions:
            signature = pack_position(position, False)
            if signature in seen:
                continue
            seen.add(signature)
            points = game.points(position.turn)
            ours, theirs = game.elo if position.turn is Color.WHITE else reversed(game.elo)
            numbers = [1, points == 1, points == 0, points == 0.5, ours > 0, ours, theirs > 0, theirs]
            counts[signature] = [sum(pair) for pair in zip(counts[signature], numbers, strict=True)]
    return {signature: numbers for signature, numbers in counts.items() if numbers[0] >= options.min_games}


def check_polyglot(path: Path, games: list[Game], options: BuildOptions) -> None:
    data = path.read_bytes()
    found = {}
    for key, bits, weight, learning in struct.iter_unpack(">QHHI", data):
        found[key, bits >> 6 & 63 | (bits & 63) << 6 | bits & 0x7000] = weight
        assert learning == 0
    assert found == slow_weights(games, options)
    assert len(found) == len(data) // 16


def check_abk(path: Path, games: list[Game], options: BuildOptions) -> None:
    found: dict[tuple[int, ...], tuple[int, int, int]] = {}
    lines: list[tuple[int, ...]] = []
    with tabiya.open_book(path) as book:
        assert isinstance(book, AbkBook)
        tree = book.tree
        for parent, move, record in zip(tree.parents.tolist(), tree.moves.tolist(), tree.records, strict=True):
            lines.append((*(lines[parent] if parent >= 0 else ()), move))
            found[lines[-1]] = tuple(int(record[name]) for name in ("games", "won", "lost"))  # type: ignore[assignment]
            assert record["priority"] == 5
    assert found == slow_tree(games, options)


def check_ctg(path: Path, games: list[Game], options: BuildOptions) -> None:
    expected = slow_positions(games, options)
    moves: dict[bytes, set[bytes]] = defaultdict(set)
    for game in played(games, options.max_ply):
        signatures = [pack_position(position, False) for position in game.positions]
        for before, after in pairwise(signatures):
            if before in expected and after in expected:
                moves[before].add(after)
    found: dict[bytes, list[int]] = {}
    with tabiya.open_book(path) as book:
        assert isinstance(book, CtgBook)
        for columns in book.columns():
            for row, numbers in zip(columns.signatures, columns.statistics.tolist(), strict=True):
                signature = row.tobytes()[: row[0] & 31]
                assert numbers[4] == 10 * numbers[1] + 5 * numbers[3] + 5 * (numbers[0] - sum(numbers[1:4]))
                found[signature] = numbers[:4] + numbers[5:]
        assert found == expected
        for position in book.positions():
            reached = {pack_position(position.play(entry.move), False) for entry in book.probe(position)}
            assert reached == moves[pack_position(position, False)]


CHECKS = {".bin": check_polyglot, ".abk": check_abk, ".ctg": check_ctg}


def random_games(seed: int, count: int) -> list[Game]:
    """Short games that share their openings, with knights going to and fro."""
    games = []
    for number in range(count):
        rng = Random(seed * 1000 + number)
        game = Game({"Result": rng.choice(["1-0", "0-1", "1/2-1/2", "*"])})
        for name in ("WhiteElo", "BlackElo"):
            if rng.random() < 0.7:
                game.tags[name] = str(rng.randrange(1000, 2900))
        node = game.root
        choose = Random(seed)
        for ply in range(rng.randrange(14)):
            moves = sorted(node.position.legal_moves())
            if not moves:
                break
            few = moves[:: max(1, len(moves) // 3)]
            node = node.add((choose if ply < 3 else rng).choice(few))
        games.append(game)
    return games


def build(games: list[Game], path: Path, options: BuildOptions, *, cut: int = 4, threads: int = 1) -> BuildReport:
    batches = [GameBatch.from_games(games[at : at + cut], first_number=at + 1) for at in range(0, len(games), cut)]
    return build_book(batches, path, options=options, threads=threads, overwrite=True)


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=8)
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(0, 25),
    max_ply=st.integers(1, 16),
    min_games=st.integers(1, 4),
    weights=st.sampled_from(["points", "games", "uniform"]),
)
def test_random_games(
    tmp_path_factory: pytest.TempPathFactory,
    suffix: str,
    seed: int,
    count: int,
    max_ply: int,
    min_games: int,
    weights: Any,
) -> None:
    path = tmp_path_factory.mktemp("book") / f"x{suffix}"
    games = random_games(seed, count)
    options = BuildOptions(max_ply=max_ply, min_games=min_games, weights=weights)
    report = build(games, path, options)
    assert report.games == count
    assert not report.losses
    CHECKS[suffix](path, games, options)


def sample_games() -> list[Game]:
    with tabiya.open(io.BytesIO(GAMES.encode())) as database:
        return list(database)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "options", [BuildOptions(min_games=1), BuildOptions(min_games=2), BuildOptions(max_ply=3, min_games=1)]
)
def test_games_with_everything(tmp_path: Path, suffix: str, options: BuildOptions) -> None:
    """Transposition, variation, repetition, set-up, null move, castling; see the corpus."""
    games = sample_games()
    path = tmp_path / f"x{suffix}"
    report = build(games, path, options)
    CHECKS[suffix](path, games, options)
    assert {loss.what: loss.count for loss in report.losses} == ({"setups": 1} if suffix == ".abk" else {})
    with tabiya.open_book(path) as book:
        assert len(book) == report.positions


def test_a_game_counts_once_per_position(tmp_path: Path) -> None:
    games = [game for game in sample_games() if game.tags["White"] == "G"]
    build(games, tmp_path / "x.ctg", BuildOptions(min_games=1))
    with tabiya.open_book(tmp_path / "x.ctg") as book:
        assert isinstance(book, CtgBook)
        record = book.record(Position())
        assert record is not None
        assert record.games == 1
        assert {Position().san(entry.move) for entry in book.probe(Position())} == {"Nf3", "e4"}
    build(games, tmp_path / "x.bin", BuildOptions(min_games=1, weights="games"))
    with tabiya.open_book(tmp_path / "x.bin") as book:
        assert [(Position().san(entry.move), entry.weight) for entry in book.probe(Position())] == [("Nf3", 1)]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_threads_and_batches_make_no_difference(tmp_path: Path, suffix: str) -> None:
    games = random_games(7, 60)
    options = BuildOptions(min_games=2, max_ply=12)
    contents = set()
    for number, (cut, threads) in enumerate([(60, 1), (7, 1), (7, 3), (1, 2)]):
        path = tmp_path / f"{number}{suffix}"
        build(games, path, options, cut=cut, threads=threads)
        contents.add(path.read_bytes())
    assert len(contents) == 1


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_no_games_make_an_empty_book(tmp_path: Path, suffix: str) -> None:
    report = build([], tmp_path / f"x{suffix}", BuildOptions())
    assert (report.games, report.rows, report.positions, report.moves) == (0, 0, 0, 0)
    with tabiya.open_book(tmp_path / f"x{suffix}", format=report.format) as book:
        assert len(book) == 0


def test_games_that_have_no_place(tmp_path: Path) -> None:
    odd = Game({"White": "960", "Variant": "Chess960"}, start=Position.chess960_start(1))
    odd.root.add(odd.start_position.legal_moves()[0])
    deleted = Game({"White": "deleted"})
    deleted.root.add("a3")
    deleted.deleted = True
    good = Game({"Result": "1-0"})
    good.root.add("e4")
    report = build([odd, deleted, good], tmp_path / "x.bin", BuildOptions(min_games=1))
    assert report.games == 1
    assert {loss.what: loss.count for loss in report.losses} == {"chess960": 1}
    with tabiya.open_book(tmp_path / "x.bin") as book:
        assert [Position().san(entry.move) for entry in book.probe(Position())] == ["e4"]


def test_strict_building_writes_nothing_if_games_are_left_out(tmp_path: Path) -> None:
    games = GameBatch.from_games(sample_games())
    with pytest.raises(LossError, match="do not begin with the standard position"):
        build_book([games], tmp_path / "x.abk", strict=True)
    assert list(tmp_path.iterdir()) == []
    build_book([games], tmp_path / "x.bin", strict=True)


def test_conditions_choose_games(tmp_path: Path) -> None:
    batch = GameBatch.from_games(sample_games())
    where = RecordFilter(min_elo=2300)
    report = build_book([batch], tmp_path / "x.bin", options=BuildOptions(min_games=1), where=where)
    assert report.games == 1


@pytest.mark.parametrize(
    "wrong",
    [{"max_ply": 0}, {"max_ply": 256}, {"min_games": 0}, {"weights": "luck"}, {"memory_megabytes": 1}],
)
def test_options_that_make_no_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        BuildOptions(**wrong)


def test_targets_that_make_no_sense(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"")
    with pytest.raises(UsageError, match="already exists"):
        build_book([], tmp_path / "x.bin")
    with pytest.raises(UsageError, match="no book format is called"):
        build_book([], tmp_path / "x.bin", format="what")
    unknown = tabiya.books.BookFormat(**{**_fields(tabiya.books.BOOK_FORMATS[0]), "name": "other", "build": None})
    with pytest.raises(UnsupportedError, match="other books cannot be built from games"):
        build_book([], tmp_path / "y.bin", format=unknown)


def _fields(format: Any) -> dict[str, Any]:
    return {name: getattr(format, name) for name in format.__dataclass_fields__}


def test_errors_of_the_source_come_through(tmp_path: Path) -> None:
    def broken() -> Iterator[GameBatch]:
        yield GameBatch.from_games(random_games(1, 5))
        raise CorruptError("the disk is on fire", path="games.pgn")

    with pytest.raises(CorruptError, match="on fire"):
        build_book(broken(), tmp_path / "x.ctg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("min_games", [1, 2])
def test_memory_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, min_games: int
) -> None:
    """Down to 2 kB, where a few rows fill it."""
    games = random_games(3, 40)
    options = BuildOptions(min_games=min_games, memory_megabytes=64)
    contents = set()
    for number, megabyte in enumerate([1 << 20, 1 << 8, 1 << 5]):
        monkeypatch.setattr(building, "_MEGABYTE", megabyte)
        path = tmp_path / f"{number}{suffix}"
        build(games, path, options)
        if suffix != ".ctg" or megabyte == 1 << 20:
            contents.add(path.read_bytes())  # a CTG book that was sorted on disk has more pages
        CHECKS[suffix](path, games, options)
    assert len(contents) == 1


def test_no_room_for_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the folder and how to choose another; nothing is left behind."""
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Path("/dev/full").open("r+b", buffering=0))  # noqa: SIM115
    for suffix, megabyte in ((".ctg", 1 << 20), (".ctg", 8), (".bin", 8), (".abk", 8)):
        monkeypatch.setattr(building, "_MEGABYTE", megabyte)
        with pytest.raises(TabiyaError) as caught:
            build(random_games(3, 40), tmp_path / f"x{suffix}", BuildOptions(min_games=1))
        assert str(caught.value) == (
            f"{tempfile.gettempdir()}: there is no space for temporary files (no space left on device); "
            "set TMPDIR to a folder with more space"
        )
        assert list(tmp_path.iterdir()) == []


def test_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(PositionSums, "take", none_left)
    with pytest.raises(TabiyaError, match=r"ran out of memory.*512 MB.*lower memory_megabytes"):
        build([], tmp_path / "x.ctg", BuildOptions())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_built_books_are_sound(tmp_path: Path, suffix: str) -> None:
    build(random_games(11, 80), tmp_path / f"x{suffix}", BuildOptions(min_games=1))
    assert list(check_book(tmp_path / f"x{suffix}")) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_real_games(tmp_path: Path, samples: Any, suffix: str) -> None:
    with tabiya.open(samples("pgn/twic-small.pgn")) as database:
        batch = database.read(0, 120)
    options = BuildOptions(max_ply=20, min_games=2)
    report = build_book([batch], tmp_path / f"x{suffix}", options=options, threads=2)
    assert report.games == 120
    CHECKS[suffix](tmp_path / f"x{suffix}", list(batch.games()), options)


def test_a_database_by_its_path(tmp_path: Path) -> None:
    """As ``tabiya.convert`` takes it."""
    (tmp_path / "games.pgn").write_text(GAMES)
    options = BuildOptions(min_games=1)
    with tabiya.open(tmp_path / "games.pgn") as games:
        expected = build_book(games, tmp_path / "a.bin", options=options)
    paths: list[str | Path] = [tmp_path / "games.pgn", str(tmp_path / "games.pgn")]
    for number, path in enumerate(paths):
        assert build_book(path, tmp_path / f"{number}.bin", options=options) == expected
        assert (tmp_path / f"{number}.bin").read_bytes() == (tmp_path / "a.bin").read_bytes()
    with pytest.raises(TabiyaError, match="no such file"):
        build_book(tmp_path / "missing.pgn", tmp_path / "b.bin")
