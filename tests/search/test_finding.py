"""Finding games: by the library and on the command line, in databases of several formats."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import tabiya
from tabiya.cli.app import app
from tabiya.errors import CorruptError, UsageError
from tabiya.game import Game, GameBatch, RecordKind
from tabiya.search import (
    ANYTHING,
    ExactPosition,
    LastPosition,
    Matches,
    Material,
    MovePlayed,
    Pattern,
    Plies,
    Query,
    Sequence,
    ToMove,
)
from tabiya.search.conditions import Condition, Not
from tabiya.search.program import compiled
from tabiya.search.scan import Scanner

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = """
[Event "A"]
[White "Carlsen, Magnus"]
[Black "Anand, V"]
[Result "1-0"]

1. e4 c5 2. Nf3 (2. c3 d5 3. exd5) d6 3. d4 1-0

[Event "B"]
[White "Anand, V"]
[Black "Carlsen, Magnus"]
[Result "0-1"]

1. Nf3 c5 2. e4 Nc6 3. d4 cxd4 4. Nxd4 0-1

[Event "C"]
[White "Euwe, M"]
[Black "Tal, M"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 31"]

31... Ke7 32. e4 Ke6 33. Ke2 1/2-1/2
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "games.pgn"
    found.write_text(TEXT, "utf-8")
    return found


def found(path: Path, condition: Condition | Query | None, **options: Any) -> list[tuple[int, int]]:
    with tabiya.open(path) as database:
        return [(match.number, match.ply) for match in database.search(condition, **options)]


class TestLibrary:
    def test_by_any_order_of_moves(self, path: Path) -> None:
        assert found(path, ExactPosition("1. e4 c5 2. Nf3")) == [(1, 3), (2, 3)]
        assert found(path, ExactPosition("1. e4 c5 2. Nf3"), white="anand") == [(2, 3)]
        assert found(path, Material("KPK")) == [(3, 0)]

    @pytest.mark.parametrize("threads", [1, 3])
    def test_options(self, path: Path, threads: int) -> None:
        assert found(path, MovePlayed("exd5")) == []
        assert found(path, MovePlayed("exd5"), variations=True, threads=threads) == [(1, 4)]
        assert found(path, ANYTHING, skip=1, limit=1, threads=threads) == [(2, 0)]
        assert found(path, Query(ANYTHING, skip=2), threads=threads) == [(3, 0)]
        assert found(path, None, player="tal") == [(3, 0)]
        with tabiya.open(path) as database:
            (match,) = database.search(ToMove("black"), white="euwe", everything=True, threads=threads)
        assert (match.ply, match.last, match.count) == (0, 4, 3)

    def test_a_match_knows_its_game(self, path: Path) -> None:
        with tabiya.search(path, Pattern("Pe4 ke6")) as matches:
            (match,) = matches
            assert matches.count() == 1
            assert "games.pgn" in repr(matches)
        assert match.move == "33."
        assert match.game.tags["White"] == "Euwe, M"
        assert match.headers["black"] == "Tal, M"
        assert match.headers["result"] == match.game.tags["Result"]
        assert match.node.san == "Ke6"
        assert match.position.fen() == "8/8/4k3/8/4P3/8/8/4K3 w - - 1 33"
        assert repr(match) == "<game 3 at 33.>"

    def test_a_match_in_a_variation(self, path: Path) -> None:
        with tabiya.search(path, Pattern("Pd5"), variations=True) as matches:
            (match,) = matches
        assert match.node.san == "exd5"
        assert match.ply == 5

    def test_the_start_position(self, path: Path) -> None:
        with tabiya.search(path, ANYTHING) as matches:
            assert [match.node.move for match in matches] == [None, None, None]

    def test_what_is_found_is_a_database(self, path: Path, tmp_path: Path) -> None:
        with tabiya.open(path) as database:
            chosen = database.search(ExactPosition("1. e4 c5 2. Nf3")).database()
            assert [game.number for game in chosen] == [1, 2]
            assert len(chosen) == 2
            assert chosen[-1].tags["Event"] == "B"
            assert [len(headers) for headers in chosen.headers()] == [2]
            assert chosen.search(MovePlayed("cxd4")).count() == 1
            assert len(database.search(ANYTHING, skip=1, limit=1).database()) == 1
            tabiya.convert(chosen, tmp_path / "chosen.cbh")
        with tabiya.open(tmp_path / "chosen.cbh") as base:
            assert [game.tags["Event"] for game in base] == ["A", "B"]
            assert base.search(MovePlayed("cxd4")).count() == 1

    def test_texts_and_deleted_records_are_not_found(self) -> None:
        game = Game.from_pgn("1. e4 *")
        text, deleted = game.copy(), game.copy()
        text.kind = RecordKind.TEXT
        deleted.deleted = True
        mask = Scanner(ANYTHING)(GameBatch.from_games([game, text, deleted]).record_batch)
        assert mask.to_pylist() == [True, False, False]

    def test_what_makes_no_sense(self, path: Path) -> None:
        with tabiya.open(path) as database, pytest.raises(UsageError, match="'e4' is not a condition on positions"):
            database.search("e4")  # type: ignore[arg-type]
        with tabiya.open(path) as database, pytest.raises(UsageError, match="a Query contains everything"):
            database.search(Query(), limit=5)
        with pytest.raises(UsageError, match="the database is closed"):
            database.search(ANYTHING)
        with tabiya.open(path) as database, pytest.raises(UsageError, match="number of threads"):
            Matches(database, Query(), threads=0)

    def test_a_damaged_batch(self) -> None:
        batch = GameBatch.from_games([Game.from_pgn("1. e4 *")]).record_batch
        place = batch.schema.get_field_index("moves")
        moves = pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), pa.array([None, 5], pa.uint16()))
        damaged = batch.set_column(place, "moves", moves)
        with pytest.raises(CorruptError, match="null among the moves"):
            Scanner(ANYTHING).scan(damaged)

    def test_a_part_of_a_batch(self) -> None:
        games = [Game.from_pgn(f"1. {move} *") for move in ("e4", "d4", "e4", "c4")]
        batch = GameBatch.from_games(games).record_batch
        assert Scanner(Pattern("Pe4"))(batch.slice(1, 3)).to_pylist() == [False, True, False]


class TestPrograms:
    def test_too_large(self) -> None:
        steps = Sequence(tuple(Plies(ply) for ply in range(40)))
        with pytest.raises(UsageError, match="looks back at more than 31 others"):
            compiled(steps)
        many: Condition = Pattern("Pe4")
        for _ in range(16):
            many = Not(many) & many.mirrored()
        with pytest.raises(UsageError, match="takes more than 32,000 instructions"):
            compiled(many)

    def test_too_deep(self) -> None:
        deep: Condition = ANYTHING
        for _ in range(100):
            deep = ~deep
        with pytest.raises(UsageError, match="nested more than 100 deep"):
            ~deep  # noqa: B018 - it is refused when it is made

    def test_long_lists_are_flat(self) -> None:
        chain: Condition = Plies(0, 1)
        for ply in range(1000):
            chain |= Plies(ply)
        assert len(compiled(chain).instructions) == 1001

    def test_what_cannot_be_any_more_ends_a_scan(self) -> None:
        """Pawns at home, pieces and pawns that are needed; what one of two alternatives needs is not."""
        needs = compiled(ExactPosition("1. e4 c5")).needs.tolist()
        assert needs[:6] == [0xEF00, 0xFB << 48, 16, 16, 8, 8]
        either = compiled(Pattern("Pa2 Pb2") | Pattern("Pa2 Nc3 Nd3")).needs.tolist()
        assert either[:6] == [0x0100, 0, 2, 0, 1, 0]
        assert compiled(~Pattern("Pa2")).needs[0] == 0
        assert compiled(Pattern("Pa2").then(LastPosition())).needs[0] == 0
        assert compiled(LastPosition().then(Pattern("Pa2"))).needs[0] == 0x0100

    def test_all_keys_of_a_position(self) -> None:
        """A pawn that could be taken en passant if that did not leave the king in check is Polyglot's, not ours."""
        pinned = "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1"
        plain = "8/8/8/8/k1pP3R/8/8/4K3 b - - 0 1"
        both = {tabiya.Position.from_fen(fen).key for fen in (pinned, plain)}
        assert len(both) == 2
        assert {*ExactPosition(pinned).keys()} == {*ExactPosition(plain).keys()} == both
        legal = "4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1"
        assert ExactPosition(legal).keys() == (tabiya.Position.from_fen(legal).key,)
        assert len(ExactPosition("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", castling=False).keys()) == 16
        assert len(ExactPosition("4k3/8/8/8/8/8/8/4K3").keys()) == 2


def run(*words: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["search", *map(str, words)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.stderr


class TestCommand:
    def test_a_list(self, path: Path) -> None:
        lines = run(path, "--moves", "1. e4 c5 2. Nf3").splitlines()
        assert [line.split()[:2] for line in lines] == [["1", "2..."], ["2", "2..."]]
        assert "Carlsen, Magnus" in lines[0]
        assert run(path, "--board", "Pe4,kf6") == ""

    def test_counts_and_headers(self, path: Path) -> None:
        assert run(path, "--moves", "1. e4 c5 2. Nf3", "--count") == "2\n"
        assert run(path, "--moves", "1. e4 c5 2. Nf3", "--white", "carlsen", "--count") == "1\n"
        assert run(path, "--player", "carlsen", "--count") == "2\n"
        twin = _twin(path)
        assert run(path, twin, "--player", "carlsen", "--count") == "4\n"
        assert run(path, twin, "--player", "carlsen", "--count", "--limit", 3) == "3\n"

    def test_json(self, path: Path) -> None:
        (row,) = json.loads(run(path, "--material", "KPK", "--json"))
        assert (row["number"], row["ply"], row["move"], row["white"]) == (3, 0, "31...", "Euwe, M")
        twin = _twin(path)
        rows = json.loads(run(path, twin, "--material", "KPK", "--json"))
        assert [(row["source"], row["source_number"]) for row in rows] == [(str(path), 3), (str(twin), 3)]

    def test_several_sources_are_named(self, path: Path) -> None:
        first, second = run(path, _twin(path), "--material", "KPK").splitlines()
        assert first.split()[:2] == ["3", "31..."]
        assert first.endswith(f"{path}:3")
        assert second.split()[:2] != first.split()[:2]
        assert second.endswith(f"{_twin(path)}:3")

    def test_alternatives_and_sides(self, path: Path) -> None:
        assert run(path, "--move", "cxd4", "--move", "Ke6", "--count") == "2\n"
        assert run(path, "--material", "KKP", "--count") == "0\n"
        assert run(path, "--material", "KKP", "--either-color", "--count") == "1\n"
        assert run(path, "--board", "Pd4", "--mirrored", "--count") == "3\n"
        assert run(path, "--material", "KPK", "--lasting", 5, "--count") == "1\n"
        assert run(path, "--material", "KPK", "--lasting", 6, "--count") == "0\n"

    def test_castling_rights(self, path: Path) -> None:
        fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b - - 0 1"
        assert run(path, "--fen", fen, "--count") == "0\n"
        assert run(path, "--fen", fen, "--ignore-castling", "--count") == "2\n"

    def test_a_text_that_is_neither_a_fen_nor_moves(self, path: Path) -> None:
        for text in ("rubbish", "1. e4 e4"):
            answer = CliRunner().invoke(app, ["search", str(path), "--fen", text])
            assert f"'{text}' is neither a FEN nor a list of legal moves: " in str(answer.exception) + answer.output

    def test_chess960(self, tmp_path: Path) -> None:
        """One with the usual start position looks like any other game, but is none."""
        start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        game = f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{start}"]\n\n1. e4 e5 *\n'
        for name in ("games.pgn", "games.tabiya"):
            tabiya.convert(io.BytesIO(game.encode()), tmp_path / name)
            assert run(tmp_path / name, "--fen", start, "--count") == "0\n"
            assert run(tmp_path / name, "--fen", start, "--chess960", "--count") == "1\n"

    def test_queries(self, path: Path, tmp_path: Path) -> None:
        query = '{"sequence": [{"white-move": "Nf3"}, {"black-move": "cxd4"}]}'
        assert run(path, "--query", query).split()[:2] == ["2", "3..."]
        (tmp_path / "query.json").write_text(query, "utf-8")
        assert run(path, "--query", f"@{tmp_path / 'query.json'}", "--count") == "1\n"
        assert run(path, "--query", '{"pass": "", "limit": 2}', "--count") == "2\n"

    def test_records_and_samples(self, path: Path, tmp_path: Path) -> None:
        library = tmp_path / "x.tabiya"
        tabiya.convert(path, library)
        for place in (path, library):
            assert run(place, "--records", "2-", "--moves", "1. e4 c5 2. Nf3").split()[:2] == ["2", "2..."]
            assert run(place, "--records", "2-3", "--count") == "2\n"
            assert run(place, "--records", "7", "--moves", "1. e4 c5 2. Nf3", "--count") == "0\n"
            assert run(place, "--to-move", "white", "--sample", 2, "--count") == "2\n"
        words = ["--to-move", "white", "--sample", 2, "--seed", 5]
        assert run(path, *words) == run(library, *words) == run(path, *words)
        assert "a seed needs a sample" in run(path, "--mate", "--seed", 1, code=2)
        assert "ends before it begins" in run(path, "--mate", "--records", "7-3", code=2)
        piped = CliRunner().invoke(app, ["search", "-", *map(str, words)], input=path.read_bytes())
        assert piped.stdout == run(path, *words)
        run(path, *words, "-o", tmp_path / "sample.pgn")
        assert len(tabiya.open(tmp_path / "sample.pgn")) == 2

    def test_variations(self, path: Path) -> None:
        assert run(path, "--move", "exd5", "--in-variations", "--count") == "1\n"

    @pytest.mark.parametrize("name", ["found.pgn", "found.cbh", "found.cbv"])
    def test_games_are_written(self, path: Path, tmp_path: Path, name: str) -> None:
        target = tmp_path / name
        run(path, "--moves", "1. e4 c5 2. Nf3", "-o", target)
        with tabiya.open(target) as written:
            assert [game.tags["White"] for game in written] == ["Carlsen, Magnus", "Anand, V"]

    def test_games_are_written_to_standard_output(self, path: Path) -> None:
        assert '[Event "B"]' in run(path, "--move", "cxd4", "-o", "-")

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            ([], "the search has no condition"),
            (["--lasting", 5], "lasting modifies a condition on positions: give one"),
            (["--fen", "8/8/8/8/8/8/8/8"], "king"),
            (["--fen", "x/y"], "FEN"),
            (["--board", "Zz9"], "cannot be read at 'Zz9'"),
            (["--board", "Pe4,pe4"], "has two pieces on e4"),
            (["--query", "@missing.json"], "missing.json"),
            (["--check", "--json", "--count"], "cannot be combined"),
            (["--check", "--force"], "belong to a target"),
            (["--castled", "white:left"], "'left' is not a side to castle to"),
            (["--passed", "white:xyz"], "'xyz' are not files"),
            (["--pawn-files", "white"], "names no files"),
            (["--sacrifice", "much"], "is not a number of pawns"),
            (["--promotion", "K"], "not a piece that a pawn promotes to"),
        ],
    )
    def test_one_sentence(self, path: Path, words: list[object], sentence: str) -> None:
        result = CliRunner().invoke(app, ["search", str(path), *map(str, words)])
        assert result.exit_code in {2, 3}
        assert sentence in result.stderr
        assert len(result.stderr.splitlines()) == 1

    def test_the_games_of_several_sources_go_into_one_target(self, path: Path, tmp_path: Path) -> None:
        run(path, _twin(path), "--moves", "1. e4 c5 2. Nf3", "-o", tmp_path / "all.pgn")
        with tabiya.open(tmp_path / "all.pgn") as written:
            assert [game.tags["Event"] for game in written] == ["A", "B", "A", "B"]


def _twin(path: Path) -> Path:
    """The same games in another file."""
    twin = path.with_name("twin.pgn")
    twin.write_bytes(path.read_bytes())
    return twin


def test_counts_of_the_corpus(samples: Callable[[str], Path]) -> None:
    """Openings as another replay of the same games counted them; the last two as scoutfish does."""
    with tabiya.open(samples("pgn/twic-186k-games.pgn.zst")) as database:
        batches = list(database.batches(threads=2))
    requested: dict[Condition, int] = {
        ExactPosition("1. e4 c5"): 36_040,
        ExactPosition("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"): 5_509,
        ExactPosition("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3"): 1_137,
        Material("KRPKR"): 1_658,
        MovePlayed("e8", "white"): 1_307,
    }
    for condition, games in requested.items():
        scanner = Scanner(condition)
        assert sum(int(np.sum(scanner.scan(batch.record_batch)[:, 0] >= 0)) for batch in batches) == games
