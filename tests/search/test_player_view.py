"""What a player plays: against python-chess and a naive count, from a scan and from an index."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import chess.polyglot
import pytest

import tabiya
from tabiya.errors import UsageError
from tabiya.openings import opening_at
from tabiya.search.move_tree import TreeMove
from tabiya.search.player_view import player
from tabiya.search.score import Score
from tests.search.in_memory import Indexed, pgn_of, random_games

GAMES = random_games(300, seed=7)
NAME = "Carlsen, M"
SIDES = ("White", "Black")
WINS = {"White": "1-0", "Black": "0-1"}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tabiya.Database]:
    path = tmp_path_factory.mktemp("player") / "games.pgn"
    path.write_text(pgn_of(GAMES), "utf-8")
    with tabiya.open(path) as database:
        yield database


def opening_name(game: chess.pgn.Game) -> str:
    """The last name on the way of a game."""
    board, name = game.board(), "(no name)"
    for move in [None, *game.mainline_moves()]:
        if move is not None:
            board.push(move)
        opening = opening_at(chess.polyglot.zobrist_hash(board))
        name = name if opening is None else opening.name
    return name


def results(games: list[tuple[str, chess.pgn.Game]]) -> tuple[int, int, int, int]:
    """Games, wins, draws and losses of who had these colours."""
    ends = [(game.headers["Result"], WINS[side]) for side, game in games]
    wins, draws = sum(end == win for end, win in ends), sum(end == "1/2-1/2" for end, _ in ends)
    return len(ends), wins, draws, sum(end in {"1-0", "0-1"} for end, _ in ends) - wins


def told(score: Score) -> tuple[int, int, int, int]:
    return score.games, score.wins, score.draws, score.losses


OWN = [(side, game) for side in SIDES for game in GAMES if game.headers.get(side) == NAME]


def other(side: str, game: chess.pgn.Game) -> str | None:
    return game.headers.get("Black" if side == "White" else "White")


def test_results_by_colour_year_and_opponent(database: tabiya.Database) -> None:
    view = player(database, "carlsen", opponents=100)
    assert view.names == (NAME,)
    assert told(view.total) == results(OWN)
    for side, score in (("White", view.white), ("Black", view.black)):
        assert told(score) == results([each for each in OWN if each[0] == side])
    years = {int(text) for _, game in OWN if "?" not in (text := game.headers["Date"][:4])}
    assert [*view.years] == sorted(years)
    for year, score in view.years.items():
        assert told(score) == results([each for each in OWN if each[1].headers["Date"].startswith(str(year))])
    opponents = Counter(name for side, game in OWN if (name := other(side, game)) is not None)
    assert [*view.opponents] == sorted(opponents, key=lambda name: (-opponents[name], name))
    for name, score in view.opponents.items():
        assert told(score) == results([each for each in OWN if other(*each) == name])
    ratings = [int(game.headers[f"{side}Elo"]) for side, game in OWN if f"{side}Elo" in game.headers]
    assert (view.lowest_rating, view.highest_rating) == (min(ratings), max(ratings))


def test_openings_by_the_last_name_on_the_way(database: tabiya.Database) -> None:
    view = player(database, "carlsen")
    for side, openings in (("White", view.white_openings), ("Black", view.black_openings)):
        names = [(opening_name(game), (each, game)) for each, game in OWN if each == side]
        families = Counter(name.partition(": ")[0] for name, _ in names)
        assert [(each.name, each.games) for each in openings] == sorted(
            families.items(), key=lambda each: (-each[1], each[0])
        )
        for opening in openings:
            within = [game for name, game in names if name.partition(": ")[0] == opening.name]
            assert told(opening) == results(within)
            named = sum(": " in name for name, _ in names if name.partition(": ")[0] == opening.name)
            assert sum(each.games for each in opening.variations) == named


def naive_tree(games: list[chess.pgn.Game], side: str, depth: int, least: float) -> list[Any]:
    """The same by python-chess: move, results, what follows; the most frequent first."""

    def grown(chosen: list[chess.pgn.Game], line: list[chess.Move]) -> list[Any]:
        if len(line) == depth:
            return []
        ways: dict[chess.Move, list[chess.pgn.Game]] = {}
        for game in chosen:
            moves = list(game.mainline_moves())
            if len(moves) > len(line):
                ways.setdefault(moves[len(line)], []).append(game)
        board = chess.Board()
        for move in line:
            board.push(move)
        shown = [(move, of) for move, of in ways.items() if len(of) >= least]
        return sorted(
            ((board.san(move), results([(side, game) for game in of]), grown(of, [*line, move])) for move, of in shown),
            key=lambda each: (-each[1][0], each[0]),
        )

    return grown(games, [])


def told_tree(moves: tuple[TreeMove, ...]) -> list[Any]:
    return sorted(
        ((move.san, told(move), told_tree(move.replies)) for move in moves), key=lambda each: (-each[1][0], each[0])
    )


@pytest.mark.parametrize(("depth", "share"), [(8, 0.1), (3, 0.0), (5, 0.02), (0, 0.1), (2, 1.0)])
def test_trees_of_moves(database: tabiya.Database, depth: int, share: float) -> None:
    view = player(database, "carlsen", depth=depth, min_share=share)
    for side, moves in (("White", view.white_moves), ("Black", view.black_moves)):
        games = [game for each, game in OWN if each == side and "FEN" not in game.headers]
        assert told_tree(moves) == naive_tree(games, side, depth, max(1, share * len(games)))
        counts = [move.games for move in moves]
        assert counts == sorted(counts, reverse=True)
    assert json.loads(json.dumps(view.to_dict()))["whiteMoves"] == [move.to_dict() for move in view.white_moves]


@pytest.mark.parametrize("wrong", [{"depth": -1}, {"depth": 101}, {"min_share": -0.1}, {"min_share": 1.1}], ids=str)
def test_trees_that_make_no_sense(database: tabiya.Database, wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="must be from 0 to"):
        player(database, "carlsen", **wrong)


@pytest.mark.parametrize(
    "conditions",
    [
        {},
        {"since": "2020"},
        {"player": "so, w"},
        {"eco": "B90"},
        {"white": "carlsen"},
        {"tags": "TimeControl"},
        {"min_plies": 4, "time_controls": ["blitz", "unknown"]},
        {"elo_of": "either", "min_elo": 2600},
    ],
    ids=" ".join,
)
def test_an_index_tells_the_same(conditions: dict[str, Any], database: tabiya.Database) -> None:
    scanned = player(database, "carlsen", **conditions)
    assert player(Indexed(database, size=70), "carlsen", **conditions) == scanned
    assert scanned.total.games > 0
    assert database.player("carlsen", threads=2, **conditions) == scanned


def test_several_names_that_match_are_told(database: tabiya.Database) -> None:
    view = player(database, "/^So|carlsen/")
    assert set(view.names) == {NAME, "So, W"}
    games = [(side, game) for side in SIDES for game in GAMES if game.headers.get(side) in view.names]
    assert told(view.total) == results(games)  # a game between them counts for both


def test_performance_over_both_colours(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    games = [("A", 2000, "B", 2100, "1-0"), ("C", 2300, "A", 2000, "1/2-1/2"), ("D", 2300, "A", 2000, "0-1")]
    path.write_text(
        "".join(
            f'[White "{white}"]\n[WhiteElo "{elo}"]\n[Black "{black}"]\n[BlackElo "{against}"]\n[Result "{end}"]\n\n'
            f"1. e4 {end}\n\n"
            for white, elo, black, against, end in games
        )
    )
    view = player(path, "/^A$/")
    assert view.total.points == 2.5
    assert view.total.share == pytest.approx(2.5 / 3)
    assert view.total.performance == round((2100 + 2300 + 2300) / 3 + 279.6)
    assert view.black.performance == round(2300 + 190.85)


def test_the_view_as_json(database: tabiya.Database) -> None:
    view = player(database, "carlsen", opponents=2)
    answer = view.to_dict()
    assert json.loads(json.dumps(answer)) == answer
    assert len(answer["opponents"]) == 2
    assert answer["total"]["games"] == view.total.games
    assert answer["whiteOpenings"][0]["name"] == view.white_openings[0].name


@pytest.mark.parametrize(
    ("name", "conditions", "sentence"),
    [
        ("nobody", {}, "no game of 'nobody' meets all conditions"),
        (" ", {}, "give the name of a player"),
        ("carlsen", {"where": lambda records: records["deleted"], "player": "so"}, "cannot be combined"),
        ("carlsen", {"since": "x"}, "not a date"),
    ],
)
def test_questions_that_make_no_sense(
    name: str, conditions: dict[str, Any], sentence: str, database: tabiya.Database
) -> None:
    with pytest.raises(UsageError, match=sentence):
        player(database, name, **conditions)


def test_ratings_are_those_of_months(tmp_path: Path) -> None:
    games = [
        ("2001.05.01", 2400),
        ("2001.05.02", 2410),
        ("2001.05.03", 2410),
        ("2001.06.??", 2420),
        ("2002.??.??", 2500),
    ]
    games += [("????.??.??", 2600), ("2003.01.01", 0)]
    path = tmp_path / "rated.pgn"
    path.write_text(
        "".join(
            f'[Date "{date}"]\n[White "A"]\n[Black "B"]\n' + (f'[WhiteElo "{elo}"]\n' if elo else "") + "\n1. e4 *\n\n"
            for date, elo in games
        ),
        "utf-8",
    )
    assert tabiya.player(path, "A").ratings == {"2001-05": 2410, "2001-06": 2420, "2002": 2500}


def test_openings_have_the_usual_way_to_them(tmp_path: Path) -> None:
    lines = ["1. d4 e6 2. c4 d5", "1. d4 d5 2. c4 e6", "1. d4 d5 2. c4 e6 3. Nc3", "1. a3 h6"]
    path = tmp_path / "openings.pgn"
    path.write_text("".join(f'[White "A"]\n[Black "B"]\n\n{line} *\n\n' for line in lines), "utf-8")
    view = tabiya.player(path, "A")
    ways = {opening.name: opening.moves for opening in view.white_openings}
    assert ways["Queen's Gambit Declined"] == ("d2d4", "d7d5", "c2c4", "e7e6")
    assert view.to_dict()["whiteOpenings"][0]["line"] == ["d2d4", "d7d5", "c2c4", "e7e6"]
