"""Crosstables: known events, tie-breaks worked out a second time, and what games of events can be like."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UsageError
from tabiya.formats import Progress
from tabiya.tables import TIE_BREAKS
from tabiya.tables.events import EventGame
from tabiya.tables.standings import Entry, kind_of, players_of, points_text, ranked
from tabiya.tables.tie_breaks import USUAL_TIE_BREAKS
from tests.conftest import ROOT
from tests.game.test_html import check

RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1", None: "*"}
NO_TEAMS = {"white_team": None, "black_team": None}


def pgn(white: str, black: str, result: str, **tags: object) -> str:
    values = {"Event": "Test", "White": white, "Black": black, "Result": result} | tags
    shown = result if result in {"1-0", "0-1", "1/2-1/2"} else "*"
    return "".join(f'[{name} "{value}"]\n' for name, value in values.items()) + f"\n{shown}\n\n"


def written(path: Path, games: Iterable[str]) -> Path:
    path.write_text("".join(games), "utf-8")
    return path


WORLD_1948 = {
    ("Botvinnik", "Smyslov"): 3.0,
    ("Botvinnik", "Keres"): 4.0,
    ("Botvinnik", "Reshevsky"): 3.5,
    ("Botvinnik", "Euwe"): 3.5,
    ("Smyslov", "Keres"): 2.0,
    ("Smyslov", "Reshevsky"): 2.5,
    ("Smyslov", "Euwe"): 4.5,
    ("Keres", "Reshevsky"): 2.5,
    ("Keres", "Euwe"): 4.0,
    ("Reshevsky", "Euwe"): 4.0,
}
"""What each scored in five games against the other."""


@pytest.fixture
def world_1948(tmp_path: Path) -> Path:
    games = []
    for (one, two), score in WORLD_1948.items():
        for cycle in range(5):
            points = max(0.0, min(1.0, score - cycle))
            white, black, result = (one, two, points) if cycle % 2 else (two, one, 1 - points)
            games.append(pgn(white, black, RESULTS[result], Date="1948.03.02", Site="The Hague", Round=cycle + 1))
    return written(tmp_path / "1948.pgn", games)


def test_the_world_championship_of_1948(world_1948: Path) -> None:
    event = tabiya.tournament(world_1948)
    assert (event.kind, event.games, event.rounds, event.site) == ("round-robin", 50, 5, "The Hague")
    assert [(entry.name, entry.points) for entry in event.entries] == [
        ("Botvinnik", 14.0),
        ("Smyslov", 11.0),
        ("Keres", 10.5),
        ("Reshevsky", 10.5),
        ("Euwe", 4.0),
    ]
    # Keres and Reshevsky shared the third place; Sonneborn and Berger would have preferred Reshevsky.
    by_berger = tabiya.tournament(world_1948, tie_breaks=["sonneborn_berger"])
    assert [entry.name for entry in by_berger.entries][2:4] == ["Reshevsky", "Keres"]
    assert by_berger.entries[0].tie_breaks["sonneborn_berger"] == 3 * 11 + 4 * 10.5 + 3.5 * 10.5 + 3.5 * 4
    equal = tabiya.tournament(world_1948, tie_breaks=[])
    assert [entry.rank for entry in equal.entries] == [1, 2, 3, 3, 5]


def test_the_crosstable_as_text(world_1948: Path) -> None:
    assert tabiya.tournament(world_1948, tie_breaks=["sonneborn_berger"]).to_text().splitlines() == [
        "Test, The Hague, 1948.03.02 (round robin, 5 players, 5 rounds, 50 games)",
        "",
        "                  1      2      3      4      5  Points      SB",
        "1  Botvinnik      *  11100  111½0  11110  111½0      14  125.75",
        "2  Smyslov    00011      *  11½00  11000  1111½      11   93.25",
        "3  Reshevsky  000½1  00½11      *  00½11  11110     10½   90.75",
        "4  Keres      00001  00111  11½00      *  11110     10½   89.25",
        "5  Euwe       000½1  0000½  00001  00001      *       4    47.5",
    ]


def test_a_match(tmp_path: Path) -> None:
    """Carlsen and Nepomniachtchi, Dubai 2021: seven draws, and Carlsen won the games 6, 8, 9 and 11."""
    won = {6, 8, 9, 11}
    players = ("Carlsen", "Nepomniachtchi")
    games = []
    for number in range(1, 12):
        white, black = players if number % 2 == 0 else players[::-1]
        result = "1/2-1/2" if number not in won else "1-0" if white == "Carlsen" else "0-1"
        games.append(pgn(white, black, result, Round=number))
    event = tabiya.tournament(written(tmp_path / "a.pgn", games))
    assert event.kind == "match"
    assert [(entry.name, entry.points) for entry in event.entries] == [("Carlsen", 7.5), ("Nepomniachtchi", 3.5)]
    assert event.cells()[1][2:4] == ["*", "½½½½½1½11½1"]


SWISS = [
    *[(1, "A", "E", "1-0"), (1, "F", "B", "0-1"), (1, "C", "G", "1/2-1/2"), (1, "H", "D", "0-1")],
    *[(2, "B", "A", "1/2-1/2"), (2, "D", "C", "1-0"), (2, "G", "F", "1-0"), (2, "E", "H", "+:-")],
    *[(3, "A", "D", "1-0"), (3, "B", "G", "1-0"), (3, "C", "E", "1-0"), (3, "H", "F", "*")],
]


def test_a_swiss(tmp_path: Path) -> None:
    games = [pgn(white, black, result, Round=f"{number}.1") for number, white, black, result in SWISS]
    event = tabiya.tournament(written(tmp_path / "a.pgn", games))
    assert (event.kind, event.rounds) == ("swiss", 3)
    # Added up by hand. A: opponents E 1, B 2½, D 2. B: F 0, A 2½, G 1½.
    found = {entry.name: (entry.points, *entry.tie_breaks.values()) for entry in event.entries}
    assert found["A"] == (2.5, 4.5, 5.5, 1 + 1.25 + 2, 1 + 1.5 + 2.5)
    assert found["B"] == (2.5, 4.0, 4.0, 0 + 1.25 + 1.5, 1 + 1.5 + 2.5)
    assert [entry.name for entry in event.entries] == ["A", "B", "D", "G", "C", "E", "F", "H"]
    rows = {row[1]: row[2:5] for row in event.cells()[1:]}
    assert rows["A"] == ["+6w", "=2b", "+3w"]
    assert rows["H"] == ["-3w", "-6b", "*7w"]


def test_teams(tmp_path: Path) -> None:
    """Three teams on two boards; who wins a match has two points for it."""
    boards = [
        *[(1, "Ajax", "Brno", "a", "b", "1-0"), (1, "Brno", "Ajax", "d", "c", "1/2-1/2")],
        *[(2, "Cork", "Ajax", "e", "a", "1/2-1/2"), (2, "Ajax", "Cork", "c", "f", "1/2-1/2")],
        *[(3, "Brno", "Cork", "b", "e", "1-0"), (3, "Cork", "Brno", "f", "d", "0-1")],
    ]
    games = [
        pgn(white, black, result, Round=number, WhiteTeam=one, BlackTeam=two)
        for number, one, two, white, black, result in boards
    ]
    event = tabiya.tournament(written(tmp_path / "a.pgn", games))
    assert event.kind == "team"
    assert [(entry.name, entry.points, entry.board_points) for entry in event.entries] == [
        ("Ajax", 3.0, 2.5),
        ("Brno", 2.0, 2.5),
        ("Cork", 1.0, 1.0),
    ]
    assert event.cells()[1] == ["1", "Ajax", "*", "1½", "1", "3", "2.5", "1.5"][:7] + event.cells()[1][7:]
    assert tabiya.tournament(tmp_path / "a.pgn", kind="round-robin").entries[0].name in {"a", "b"}
    games.append(pgn("x", "y", "1-0", Round=4))
    with pytest.raises(UsageError, match="game 7: a game without WhiteTeam and BlackTeam"):
        tabiya.tournament(written(tmp_path / "b.pgn", games), kind="team")


def test_many_teams_are_a_table_of_rounds(tmp_path: Path) -> None:
    games = [
        pgn(f"p{one}", f"p{two}", "1-0", Round=number, WhiteTeam=f"T{one}", BlackTeam=f"T{two}")
        for number in (1, 2)
        for one, two in ((k, (k + number) % 11) for k in range(11))
    ]
    event = tabiya.tournament(written(tmp_path / "a.pgn", games))
    assert len(event.cells()[0]) == 2 + 2 + 1 + 2
    assert re.fullmatch(r"\d+:[01] \d+:[01]", event.cells()[1][2])


PLAYERS = "ABCDEF"
GAMES = st.lists(
    st.tuples(
        st.sampled_from(PLAYERS), st.sampled_from(PLAYERS), st.sampled_from([1.0, 0.5, 0.0, None]), st.integers(1, 9)
    ).filter(lambda game: game[0] != game[1]),
    min_size=1,
    max_size=20,
)


def event_games(games: list[tuple[str, str, float | None, int]]) -> list[EventGame]:
    found = [
        EventGame(
            number=number,
            event="E",
            site=None,
            round=round_number,
            white=white,
            black=black,
            white_elo=2000 + 100 * PLAYERS.index(white),
            black_elo=None if black == "F" else 2000 + 100 * PLAYERS.index(black),
            date=tabiya.Date(),
            points=(points, None if points is None else 1 - points),
            symbols=("", ""),
            **NO_TEAMS,
        )
        for number, (white, black, points, round_number) in enumerate(games, start=1)
    ]
    return sorted(found, key=lambda game: game.order)


def naive(games: list[EventGame]) -> dict[str, dict[str, Any]]:
    """Tie-breaks that do not depend on who is equal, straight from the list of games."""
    met: dict[str, list[tuple[str, float, str]]] = defaultdict(list)
    for game in games:
        white, black = game.points
        if white is not None and black is not None:
            met[game.white].append((game.black, white, "w"))
            met[game.black].append((game.white, black, "b"))
    points = {name: sum(each[1] for each in met[name]) for name in PLAYERS}
    found = {}
    for name in {name for game in games for name in (game.white, game.black)}:
        opponents = sorted(points[each[0]] for each in met[name])
        running = [sum(each[1] for each in met[name][: end + 1]) for end in range(len(met[name]))]
        found[name] = {
            "wins": sum(each[1] == 1 for each in met[name]),
            "black_wins": sum(each[1] == 1 and each[2] == "b" for each in met[name]),
            "black_games": sum(each[2] == "b" for each in met[name]),
            "sonneborn_berger": sum(each[1] * points[each[0]] for each in met[name]),
            "koya": sum(each[1] for each in met[name] if points[each[0]] * 2 >= len(met[each[0]])),
            "buchholz": sum(opponents),
            "buchholz_cut1": sum(opponents) - (opponents[0] if opponents else 0),
            "median_buchholz": sum(opponents[1:-1]),
            "progressive": sum(running),
        }
    return found


@given(GAMES)
def test_tie_breaks_against_a_naive_count(games: list[tuple[str, str, float | None, int]]) -> None:
    played = event_games(games)
    expected = naive(played)
    names = [*next(iter(expected.values()))]
    entries = ranked(players_of(played), names)
    assert {entry.name: entry.tie_breaks for entry in entries} == expected
    order = [(entry.points, *entry.tie_breaks.values()) for entry in entries]
    assert order == sorted(order, reverse=True)
    for entry in entries:
        assert entry.rank == 1 + sum(
            (other.points, *other.tie_breaks.values()) > (entry.points, *entry.tie_breaks.values()) for other in entries
        )
        assert all(entries[each.opponent].name != entry.name for each in entry.encounters)


@given(GAMES)
def test_direct_encounters(games: list[tuple[str, str, float | None, int]]) -> None:
    played = event_games(games)
    entries = ranked(players_of(played), ["direct", "average_rating", "performance"])
    for entry in entries:
        tied = {other.name for other in entries if other.points == entry.points}
        pairs = {(game.white, game.black) for game in played if game.points[0] is not None}
        all_met = (
            all((one, two) in pairs or (two, one) in pairs for one in tied for two in tied if one < two)
            and len(tied) > 1
        )
        expected = sum(
            points or 0.0
            for game in played
            for name, other, points in (
                (game.white, game.black, game.points[0]),
                (game.black, game.white, game.points[1]),
            )
            if name == entry.name and other in tied
        )
        assert entry.tie_breaks["direct"] == (expected if all_met else None)


def test_html_and_arrow_and_json(tmp_path: Path) -> None:
    games = [pgn("<b>&", "Müller", "1-0", WhiteElo=2500), pgn("Müller", "<b>&", "1/2-1/2", BlackElo=2510)]
    event = tabiya.tournament(written(tmp_path / "a.pgn", games))
    for html in (event.to_html(), event._repr_html_()):
        assert "&lt;b&gt;&amp;" in html
        assert "<b>" not in html
        assert check(html).text.startswith("".join([event.title, *event.cells()[0]]))
    assert event._repr_html_().count("<strong>") == 2
    table = event.to_arrow()
    assert table.select(["rank", "name", "rating", "games", "points", "wins", "draws", "losses"]).to_pylist() == [
        {"rank": 1, "name": "<b>&", "rating": 2500, "games": 2, "points": 1.5, "wins": 1, "draws": 1, "losses": 0},
        {"rank": 2, "name": "Müller", "rating": None, "games": 2, "points": 0.5, "wins": 0, "draws": 1, "losses": 1},
    ]
    assert table["encounters"][0].as_py()[0] == {
        "round": None,
        "opponent": "Müller",
        "color": "w",
        "points": 1.0,
        "result": "1",
        "number": 1,
    }
    assert json.loads(json.dumps(event.as_dict()))["standings"][0]["points"] == 1.5
    assert str(event) == event.to_text()


def test_several_events_are_refused(tmp_path: Path) -> None:
    games = [pgn("A", "B", "1-0", Event=f"E{number % 7}", Date="2020.01.01") for number in range(20)]
    path = written(tmp_path / "a.pgn", games)
    with pytest.raises(UsageError, match=r"several events: E0 \(3 games\), .* and 2 more; choose one"):
        tabiya.tournament(path)
    assert tabiya.tournament(path, event="E3").games == 3
    assert tabiya.tournament(path, together=True).games == 20


def test_an_event_of_several_years_is_several_events(tmp_path: Path) -> None:
    games = [pgn("A", "B", "1-0", Date=f"{year}.{month:02}.31") for year in (1999, 2000) for month in (1, 2, 4)]
    path = written(tmp_path / "a.pgn", games)
    with pytest.raises(UsageError, match=r"several times: 1999-01 \(3 games\), 2000-01 \(3 games\); choose one"):
        tabiya.tournament(path)
    assert tabiya.tournament(path, date="2000").games == 3
    assert tabiya.tournament(path, together=True).games == 6


def test_what_is_no_event(tmp_path: Path) -> None:
    collected: list[Progress] = []
    path = written(tmp_path / "a.pgn", [pgn("A", "B", "1-0"), '[Event "Test"]\n\n1. e4 *\n\n'])
    assert tabiya.tournament(path, progress=collected.append).games == 1
    assert collected[-1].records == 2
    with pytest.raises(UsageError, match="no games with two players"):
        tabiya.tournament(written(tmp_path / "b.pgn", ['[Event "Test"]\n\n1. e4 *\n\n']))
    with pytest.raises(UsageError, match="an event is a match, round-robin, swiss or team; not 'cup'"):
        tabiya.tournament(path, kind="cup")
    with pytest.raises(UsageError, match="'luck' is not a tie-break; known: direct"):
        tabiya.tournament(path, tie_breaks=["luck"])


def test_kinds_are_found_out() -> None:
    def kind(pairs: list[tuple[str, str]]) -> str:
        return kind_of(event_games([(*pair, 1.0, 1) for pair in pairs]))

    everybody = [(one, two) for one in PLAYERS for two in PLAYERS if one < two]
    assert kind([("A", "B")]) == "match"
    assert kind(everybody) == "round-robin"
    assert kind(everybody[:-3]) == "round-robin"
    assert kind([("A", "B"), ("C", "D"), ("E", "F"), ("A", "C")]) == "swiss"


def test_points_as_chess_players_write_them() -> None:
    assert [points_text(points) for points in (0, 0.5, 1, 10.5, 11)] == ["0", "½", "1", "10½", "11"]


def test_tie_breaks_are_listed() -> None:
    assert {name for names in USUAL_TIE_BREAKS.values() for name in names} <= TIE_BREAKS.keys()
    page = (ROOT / "docs" / "how-to" / "tournaments.md").read_text("utf-8")
    listed = dict(re.findall(r"^\| `(\w+)` \| \w.* \| (.*) \|$", page, re.MULTILINE))
    assert listed == {name: each.meaning for name, each in TIE_BREAKS.items()}
    assert isinstance(Entry.points, property)
