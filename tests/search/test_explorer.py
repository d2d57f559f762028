"""The explorer: the scan of a database and the index of a library against each other, and both against python-chess."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import chess.polyglot
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya import Position
from tabiya.errors import CorruptError, FormatError, UsageError
from tabiya.search import ExactPosition
from tabiya.search.explorer import explore, line_to
from tests.formats.corpus import batch_of, tape
from tests.search.in_memory import ENDGAME, Indexed, pgn_of, random_games

GAMES = random_games(400)
LINES = ["", "a3", "a3 a6", "a3 a6 a4", "a3 h6", "h3", "a3 a6 Nc3"]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("explorer") / "games.pgn"
    path.write_text(pgn_of(GAMES), "utf-8")
    return path


@pytest.fixture(scope="module")
def database(path: Path) -> Iterator[tabiya.Database]:
    with tabiya.open(path) as database:
        yield database


@pytest.fixture(scope="module")
def indexed(database: tabiya.Database) -> Indexed:
    return Indexed(database, size=150)


def played_in(game: chess.pgn.Game, wanted: int) -> tuple[int, chess.Move | None] | None:
    """After how many half-moves a game comes to a key, and what was played there."""
    board = game.board()
    moves = list(game.mainline_moves())
    for ply in range(len(moves) + 1):
        if chess.polyglot.zobrist_hash(board) == wanted:
            return ply, moves[ply] if ply < len(moves) else None
        if ply < len(moves):
            board.push(moves[ply])
    return None


def naive(key: int, chosen: set[int] | None = None) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """Games by move, and by move and result."""
    games: Counter[str] = Counter()
    results: Counter[tuple[str, str]] = Counter()
    for number, game in enumerate(GAMES, 1):
        found = played_in(game, key) if chosen is None or number in chosen else None
        if found is not None:
            uci = "end" if found[1] is None else found[1].uci()
            games[uci] += 1
            results[uci, game.headers["Result"]] += 1
    return games, results


def agrees(answer: tabiya.Exploration, chosen: set[int] | None = None) -> None:
    """What the explorer says is what python-chess finds in these games."""
    games, results = naive(answer.position.key, chosen)
    assert {move.uci: move.games for move in answer.moves} == {uci: n for uci, n in games.items() if uci != "end"}
    assert (answer.games, answer.ended) == (games.total(), games["end"])
    for move in answer.moves:
        ends = [results[move.uci, text] for text in ("1-0", "0-1", "1/2-1/2")]
        assert [move.white, move.black, move.draws] == ends
    assert answer.white == sum(number for (_, result), number in results.items() if result == "1-0")


@pytest.mark.parametrize("line", LINES)
def test_scan_and_index_say_what_python_chess_finds(line: str, database: tabiya.Database, indexed: Indexed) -> None:
    scanned = explore(database, line, move_orders=5)
    agrees(scanned)
    assert explore(indexed, line, move_orders=5) == scanned
    assert explore(Indexed(database, positions=False), line, move_orders=5) == scanned
    assert sum(order.games for order in explore(database, line, move_orders=1000).move_orders) == scanned.games


def test_threads_change_nothing(path: Path) -> None:
    assert explore(path, "a3", threads=2) == explore(path, "a3")


HEADERS: list[dict[str, Any]] = [
    {"white": "müller"},
    {"black": "so, w"},
    {"player": "carlsen"},
    {"player": "/^So|Kelly/", "black": "carlsen"},
    {"event": "blitz"},
    {"site": "/wijk|open/"},
    {"eco": "B9"},
    {"eco": "A00"},
    {"results": ["1-0", "0-1"]},
    {"results": "*"},
    {"min_elo": 2500},
    {"min_elo": 0},
    {"max_elo": 2500},
    {"min_elo": 2500, "max_elo": 2600},
    {"since": "2020"},
    {"until": "2020-05"},
    {"since": "2020-06-15", "until": "2020-06-20"},
    {"date": "2019..2020-05"},
    {"date": "2020"},
    {"date": "..2019", "since": "1999"},
    {"tags": "TimeControl=300"},
    {"tags": ["Annotator"], "player": "carlsen", "min_elo": 2400},
    {"where": pc.field("white_elo") > 2500},
    {"where": lambda records: pc.equal(records["black"], "So, W"), "since": "2019"},
    {"player": "nobody at all"},
]


@pytest.mark.parametrize("conditions", HEADERS, ids=" ".join)
def test_conditions_choose_the_games_that_a_filter_chooses(
    conditions: dict[str, Any], database: tabiya.Database, indexed: Indexed
) -> None:
    values = {name: value for name, value in conditions.items() if name != "where"}
    numbers = [
        number
        for batch in database.filter(conditions.get("where"), **values).headers()
        for number in batch["number"].to_pylist()
    ]
    for line in ("", "a3"):
        scanned = explore(database, line, **conditions)
        agrees(scanned, set(numbers))
        assert explore(indexed, line, **conditions) == scanned


def rating(game: chess.pgn.Game, name: str) -> int | None:
    text = game.headers.get(name)
    return None if text is None else int(text)


OWN: list[tuple[dict[str, Any], Callable[[chess.pgn.Game], bool]]] = [
    ({"time_controls": "blitz"}, lambda game: game.headers.get("TimeControl") == "300+3"),
    (
        {"time_controls": ["bullet", "correspondence"]},
        lambda game: game.headers.get("TimeControl") in {"60", "1/259200"},
    ),
    ({"time_controls": "unknown"}, lambda game: "TimeControl" not in game.headers),
    ({"min_plies": 5}, lambda game: len(list(game.mainline_moves())) >= 5),
    ({"min_plies": 2, "max_plies": 6}, lambda game: 2 <= len(list(game.mainline_moves())) <= 6),
    (
        {"elo_of": "either", "min_elo": 2700},
        lambda game: 2700 in {rating(game, "WhiteElo"), rating(game, "BlackElo")},
    ),
    ({"elo_of": "white", "min_elo": 2600}, lambda game: (rating(game, "WhiteElo") or 0) >= 2600),
    ({"elo_of": "black", "max_elo": 2500}, lambda game: (rating(game, "BlackElo") or 9999) <= 2500),
    (
        {"elo_of": "mean", "min_elo": 2550, "max_elo": 2600},
        lambda game: 5100 <= (rating(game, "WhiteElo") or 0) + (rating(game, "BlackElo") or 0) <= 5200,
    ),
]


@pytest.mark.parametrize(("conditions", "holds"), OWN)
def test_conditions_on_speed_length_and_mean_ratings(
    conditions: dict[str, Any],
    holds: Callable[[chess.pgn.Game], bool],
    database: tabiya.Database,
    indexed: Indexed,
) -> None:
    scanned = explore(database, "", **conditions)
    agrees(scanned, {number for number, game in enumerate(GAMES, 1) if holds(game)})
    assert explore(indexed, "", **conditions) == scanned
    assert 0 < scanned.games < len(GAMES)


def test_ratings_years_and_games_of_a_position(database: tabiya.Database) -> None:
    answer = explore(database, "", top_games=7, recent_games=9)
    usual = [(number, game) for number, game in enumerate(GAMES, 1) if "FEN" not in game.headers]
    elos = [elo for _, game in usual for name in ("WhiteElo", "BlackElo") if (elo := rating(game, name)) is not None]
    assert answer.average_rating == round(sum(elos) / len(elos))
    years = [int(game.headers["Date"][:4]) for _, game in usual if "?" not in game.headers["Date"][:4]]
    assert (answer.first_year, answer.last_year) == (min(years), max(years))
    mean = {number: (rating(game, "WhiteElo") or 0) + (rating(game, "BlackElo") or 0) for number, game in usual}
    dates = {number: game.headers["Date"].replace("?", "0") for number, game in usual}
    best = sorted(mean, key=lambda number: (mean[number], number), reverse=True)[:7]
    latest = sorted(dates, key=lambda number: (dates[number], number), reverse=True)[:9]
    assert [game.number for game in answer.top_games] == best
    assert [game.number for game in answer.recent_games] == latest


def test_performance_is_that_of_the_side_to_move(tmp_path: Path) -> None:
    games = [("1-0", 2400, 2000), ("1-0", 2400, 2000), ("1-0", 2400, 2200), ("0-1", 2400, 2200), ("*", 2400, 2900)]
    text = "".join(
        f'[White "A"]\n[WhiteElo "{white}"]\n[BlackElo "{black}"]\n[Result "{result}"]\n\n1. e4 e5 {result}\n\n'
        for result, white, black in games
    )
    path = tmp_path / "games.pgn"
    path.write_text(text)
    assert explore(path).performance == round(2100 + 190.85)  # three of four against 2100
    assert explore(path, "e4").performance == round(2400 - 190.85)
    assert explore(path, results="1-0").performance == round((2000 + 2000 + 2200) / 3 + 800)
    assert explore(path, results="*").performance is None


def test_the_shape_of_lichess(path: Path) -> None:
    answer = explore(path, "a3", top_games=2, recent_games=1, most_moves=3).to_dict()
    assert list(answer) == ["white", "draws", "black", "moves", "topGames", "recentGames", "opening"]
    assert [len(answer[name]) for name in ("moves", "topGames", "recentGames")] == [3, 2, 1]
    for move in answer["moves"]:
        assert list(move) == ["uci", "san", "averageRating", "white", "draws", "black", "game", "opening"]
    for game in answer["topGames"]:
        assert list(game)[-6:] == ["id", "winner", "black", "white", "year", "month"]
        assert set(game["white"]) == {"name", "rating"}
    assert answer["opening"] == {"eco": "A00", "name": "Anderssen's Opening"}
    assert json.loads(json.dumps(answer)) == answer


def test_a_move_of_one_game_names_it(database: tabiya.Database) -> None:
    answer = explore(database, "", chess960=True)
    single = [move for move in answer.moves if move.games == 1]
    for move in answer.moves:
        assert (move.game is not None) == (move.games == 1)
    for move in single:
        assert move.game is not None
        assert next(iter(GAMES[move.game.number - 1].mainline_moves())).uci() == move.uci


def test_the_moves_as_a_table(database: tabiya.Database) -> None:
    answer = explore(database)
    table = answer.to_arrow()
    assert table["uci"].to_pylist() == [move.uci for move in answer.moves]
    assert table["games"].to_pylist() == [move.games for move in answer.moves]
    assert explore(database, "e4 e5 Ke2").to_arrow().schema == table.schema


CASTLING = '[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 1-0\n'
FISCHER = (
    '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w KQkq - 0 1"]\n'
    '[Result "0-1"]\n\n1. e4 e5 2. Qe3 Qe6 3. Ne2 Ne7 4. O-O 0-1\n'
)


def test_castling_is_two_steps_of_the_king(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(f"{CASTLING}\n{FISCHER}")
    (move,) = explore(path, "e4 e5 Nf3 Nf6 Bc4 Bc5").moves
    assert (move.uci, move.san) == ("e1g1", "O-O")


def test_chess960_counts_if_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(f"{CASTLING}\n{FISCHER}")
    start = Position.from_fen("bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w KQkq - 0 1", chess960=True)
    with tabiya.open(path) as database:
        for source in (database, Indexed(database)):
            answer = explore(source, "e4 e5 Qe3 Qe6 Ne2 Ne7", fen=start)  # such a position asks for it
            assert [(move.uci, move.san, move.games) for move in answer.moves] == [("d1f1", "O-O", 1)]
            assert explore(source, fen=start.fen().replace("KQkq", "-")).games == 0
            assert explore(source, fen=start.fen().replace("KQkq", "-"), any_castling=True).games == 0
            assert explore(source, chess960=True).games == 1


def test_castling_rights_may_be_ignored(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. d4 *\n\n1. e4 e5 2. d4 *\n")
    with tabiya.open(path) as database:
        for source in (database, Indexed(database)):
            assert explore(source, "e4 e5").games == 2
            assert [move.san for move in explore(source, "e4 e5 Ke2 Ke7 Ke1 Ke8").moves] == ["d4"]
            loose = explore(source, "e4 e5", any_castling=True)  # each game counts once, where it came there first
            assert {move.san: move.games for move in loose.moves} == {"Ke2": 1, "d4": 1}
            no_rights = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 2"
            assert explore(source, fen=no_rights).games == 1
            assert explore(source, fen=no_rights, any_castling=True).games == 2


def test_a_double_step_that_cannot_be_captured_does_not_matter(tmp_path: Path) -> None:
    """Capturing would expose the king: Polyglot's key has an en passant square there, other programs write none."""
    path = tmp_path / "games.pgn"
    pinned = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1"
    path.write_text(f'[SetUp "1"]\n[FEN "{pinned}"]\n\n1. e4 Kb3 *\n')
    after = Position.from_fen(pinned).play("e4")
    assert after.legal_ep_square is None
    with tabiya.open(path) as database:
        for source in (database, Indexed(database)):
            for square in ("-", "e3"):
                fen = f"8/8/8/8/k2pP2R/8/8/4K3 b - {square} 0 1"
                assert [move.san for move in explore(source, fen=fen).moves] == ["Kb3"]


def test_games_from_other_positions_count(database: tabiya.Database, indexed: Indexed) -> None:
    there = sum(game.headers.get("FEN") == ENDGAME for game in GAMES)
    for source in (database, indexed):
        answer = explore(source, fen=ENDGAME)
        assert answer.games == there > 0
        assert answer.opening is None


def test_null_moves_and_wrong_ones(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 -- 2. d4 *\n\n1. e4 e5 2. Ke3 d6 *\n\n1. e4 *\n")
    with tabiya.open(path) as database:
        for source in (database, Indexed(database)):
            answer = explore(source, "e4")
            assert {move.san: move.games for move in answer.moves} == {"--": 1, "e5": 1}
            assert (answer.games, answer.ended) == (3, 1)
            assert explore(source, "e4 -- d4").games == 1
            assert explore(source, "e4 e5").ended == 1


def test_replaced_records_count_as_what_they_are_now(database: tabiya.Database) -> None:
    places, changed = (3, 170), Indexed(database, size=150)
    changed.replace([*places], database.read(0, 2))
    after = explore(changed, top_games=500)
    others, _ = naive(after.position.key, {*range(1, len(GAMES) + 1)} - {place + 1 for place in places})
    new = [place + 1 for place, game in zip(places, GAMES, strict=False) if played_in(game, after.position.key)]
    assert new
    assert after.games == others.total() + len(new)
    assert {game.number for game in after.top_games} >= {*new}
    assert len({game.number for game in after.top_games}) == after.games


def test_an_index_that_lies_is_an_error(database: tabiya.Database) -> None:
    lying = Indexed(database)
    lying._segments[0].facts = lying._segments[0].facts[:5]
    with pytest.raises(CorruptError, match="names records that do not exist"):
        explore(lying)


def test_the_way_to_a_position() -> None:
    position = Position().play("e4").play("c5")
    for moves in ("e4 c5", "1.e4 c5", "1. e4 c5", ["e4", "c5"], ["1.", "e2e4", "1...", "c7c5"], ("e4 c5",)):
        assert line_to(moves, None)[0] == position
    _, opening = line_to("e4 c5 Na3 a5 Nb1 a4", None)
    assert opening is not None
    assert opening.eco == "B20"
    assert line_to("0-0", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")[0].piece_at(6) == "K"


@pytest.mark.parametrize(
    ("told", "error", "sentence"),
    [
        ({"moves": "e4 e4"}, FormatError, "e4 is not a legal move"),
        ({"fen": "nonsense"}, FormatError, "FEN"),
        ({"player_name": "x"}, UsageError, "no condition 'player_name'"),
        ({"elo_of": "all"}, UsageError, "both, either, mean, white or black"),
        ({"time_controls": ["fast"]}, UsageError, "bullet, blitz, rapid"),
        ({"since": "May"}, UsageError, "not a date"),
        ({"min_elo": 2500, "max_elo": 2400}, UsageError, "above the highest"),
        ({"top_games": -1}, UsageError, "from 0 to 1,000"),
    ],
)
def test_questions_that_make_no_sense(
    told: dict[str, Any], error: type[Exception], sentence: str, database: tabiya.Database
) -> None:
    with pytest.raises(error, match=sentence):
        explore(database, **told)


def test_an_empty_database(tmp_path: Path) -> None:
    path = tmp_path / "empty.pgn"
    path.write_text("")
    answer = explore(path)
    assert (answer.games, answer.moves, answer.top_games) == (0, (), ())
    assert answer.average_rating is answer.performance is answer.first_year is None
    assert answer.to_dict()["moves"] == []


@given(st.integers(0, 2**32), st.integers(0, 13), st.sampled_from(HEADERS[:20]))
def test_scan_and_index_agree_on_any_games(seed: int, ply: int, conditions: dict[str, Any]) -> None:

    games = random_games(12, seed)
    board = games[0].board()
    for move in list(games[0].mainline_moves())[:ply]:
        board.push(move)
    with tabiya.open(io.BytesIO(pgn_of(games).encode())) as database:
        scanned = explore(database, fen=board.fen(en_passant="fen"), **conditions)
    with tabiya.open(io.BytesIO(pgn_of(games).encode())) as database:
        assert explore(Indexed(database, size=5), fen=board.fen(en_passant="fen"), **conditions) == scanned


def test_counts_of_the_shared_corpus(samples: Callable[[str], Path]) -> None:
    """Of 186,387 games;"""
    lines = {"e4 c5": 36_040, "e4 e5 Nf3 Nc6 Bb5 a6": 5_509, "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3": 1_137}
    with tabiya.open(samples("pgn/twic-186k-games.pgn.zst")) as database:
        for line, games in lines.items():
            assert explore(database, line, threads=2).games == games


@pytest.mark.parametrize("name", ["x.tabiya", "x.parquet"])
def test_positions_beyond_the_reach_of_an_index_do_not_count(tmp_path: Path, name: str) -> None:
    """Whether there is an index or not; a search finds them all the same."""
    there_and_back = tape("g1f3 g8f6 f3g1 f6g8") * 8192
    ends = {32_760: "e2e4 e7e5", 32_764: "e2e4 c7c5", 32_766: "e2e4 b7b6", 32_768: "e2e4 d7d5"}
    with tabiya.create(tmp_path / name) as writer:
        writer.write(batch_of([{"moves": [*there_and_back[:plies], *tape(end)]} for plies, end in ends.items()]))
    with tabiya.open(tmp_path / name) as database:
        for line, moves in {"": {"Nf3": 4}, "e4": {"e5": 1, "c5": 1}, "Nf3 Nf6 e4": {"b6": 1}}.items():
            assert {move.san: move.games for move in database.explore(line).moves} == moves
        assert database.search(ExactPosition("1. e4")).count() == 3
