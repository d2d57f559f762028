"""Filters on columns, against filters in plain Python on games."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.errors import UsageError
from tabiya.game import Game, RecordFilter, Result
from tabiya.game.time_controls import time_class
from tests.game.filtering import ASCII, chosen, expected, plain
from tests.strategies import records


def bare(text: str) -> str:
    return "".join(letter for letter in plain(text) if unicodedata.category(letter)[0] in "LN")


@settings(max_examples=50)  # of several records each
@given(st.lists(records(), max_size=6), ASCII, st.sampled_from(["White", "Event", "ECO", "PlyCount", "Date", "Result"]))
def test_text_of_any_tag(games: list[Game], text: str, name: str) -> None:
    def has(game: Game) -> bool:
        return any(text.lower() in value.lower() for value in game.tags.get_all(name))

    def has_letters(game: Game) -> bool:
        return any(text.lower() in plain(value) for value in game.tags.get_all(name))

    assert chosen(games, tags=[f"{name}={text}"], exact=True) == expected(games, has)
    assert chosen(games, tags=[f"{name}={text}"]) == expected(games, has_letters)
    assert chosen(games, tags=[name]) == expected(games, lambda game: name in game.tags)


@settings(max_examples=50)  # of several records each
@given(st.lists(records(), max_size=6), st.sampled_from(["a|b", "^.$", "[0-9]", r"\?", "^$"]))
def test_expressions(games: list[Game], pattern: str) -> None:
    def has(game: Game) -> bool:
        names = [game.tags[name] for name in ("White", "Black") if name in game.tags]
        return any(re.search(pattern, name, re.IGNORECASE) for name in names)

    plain = [game for game in games if all(value.isascii() and value.isprintable() for value in game.tags.values())]
    assert chosen(plain, player=f"/{pattern}/") == expected(plain, has)


@settings(max_examples=50)  # of several records each
@given(st.lists(records(), max_size=6))
def test_results(games: list[Game]) -> None:
    for result in (Result.WHITE_WINS, Result.DRAW):
        text = {Result.WHITE_WINS: "1-0", Result.DRAW: "1/2-1/2"}[result]
        assert chosen(games, results=[text]) == expected(games, lambda game, result=result: game.result is result)  # type: ignore[misc]
    unknown = expected(games, lambda game: game.result in (None, Result.UNKNOWN))
    assert chosen(games, results=["*"]) == unknown


def played(**tags: str) -> Game:
    return Game(tags)


@pytest.mark.parametrize(
    ("date", "since", "until"),
    [
        ("2020.05.17", "2020", "2020"),
        ("2020.05.17", "2020.05.17", "2020-05-17"),
        ("2020.??.??", "2020.12.31", "2020.01.01"),
        ("2020.02.??", "2020.02.29", "2020.02.01"),
        ("0800.??.??", "0001", "9999"),
    ],
)
def test_dates_within(date: str, since: str, until: str) -> None:
    assert chosen([played(Date=date)], since=since, until=until) == [0]


@pytest.mark.parametrize(
    ("date", "condition"),
    [
        ("2020.05.17", {"since": "2020.05.18"}),
        ("2020.05.17", {"until": "2020.05.16"}),
        ("2020.??.??", {"since": "2021"}),
        ("2020.??.??", {"until": "2019"}),
        ("????.05.17", {"since": "0001"}),
        ("x", {"until": "9999"}),
    ],
)
def test_dates_outside(date: str, condition: dict[str, str]) -> None:
    assert chosen([played(Date=date)], **condition) == []


DAYS = ["2019.12.31", "2020.01.01", "2020.05.17", "2020.05.??", "2020.??.??", "2021.01.01", "????.05.17"]


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2020", [1, 2, 3, 4]),
        ("2020-05", [2, 3, 4]),
        ("2020.05", [2, 3, 4]),
        ("2020-05-17", [2, 3, 4]),
        ("2020-05-18", [3, 4]),
        ("2019..2020-01", [0, 1, 4]),
        ("2020-06 .. 2021", [4, 5]),
        ("2020-06..", [4, 5]),
        ("..2019", [0]),
        ("2020.05.01..2020.05.16", [3, 4]),
    ],
)
def test_dates_and_ranges_of_dates(date: str, expected: list[int]) -> None:
    assert chosen([played(Date=day) for day in DAYS], date=date) == expected


@pytest.mark.parametrize(
    "text", ["x", "", "2020-13", "2020-00", "2020-02-30", "2020-5-x", "..", "2021..2020", "2020...2021"]
)
def test_wrong_dates_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"date|ends before it begins"):
        RecordFilter(date=text)


@pytest.mark.parametrize("text", ["2020-13", "2020.04.31", ""])
def test_wrong_ends_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"is not a date: give a year, a month as 2020-05"):
        RecordFilter(since=text)
    with pytest.raises(UsageError, match=r"is not a date: give a year, a month as 2020-05"):
        RecordFilter(until=text)


def test_ratings_are_of_both_players() -> None:
    games = [
        played(WhiteElo="2700", BlackElo="2600"),
        played(WhiteElo="2500", BlackElo="2600"),
        played(WhiteElo="2900"),
        played(),
    ]
    assert chosen(games, min_elo=2600) == [0]
    assert chosen(games, max_elo=2600) == [1]
    assert chosen(games, min_elo=0, max_elo=70_000) == [0, 1]


def test_eco_is_a_beginning() -> None:
    games = [played(ECO="B97"), played(ECO="b90"), played(ECO="A00"), played()]
    assert chosen(games, eco="b9") == [0, 1]
    assert chosen(games, eco="a") == [2]


def test_conditions_add_up() -> None:
    games = [played(White="Tal", Black="Spassky"), played(White="Tal"), played(Black="Tal")]
    assert chosen(games, player="tal") == [0, 1, 2]
    assert chosen(games, player="tal", white="tal") == [0, 1]
    assert chosen(games, white="tal", black="spassky") == [0]


def test_one_text_is_not_taken_for_its_letters() -> None:
    games = [played(White="Tal", Result="1-0"), played(Result="0-1")]
    assert chosen(games, results="1-0") == chosen(games, results=["1-0"]) == [0]
    assert chosen(games, tags="White=tal") == chosen(games, tags=["White=tal"]) == [0]


def test_an_empty_filter_is_false_and_takes_everything() -> None:
    assert not RecordFilter()
    assert RecordFilter(white="")
    assert chosen([played(), played()]) == [0, 1]


@pytest.mark.parametrize(
    "conditions",
    [
        {"since": "x"},
        {"until": "????"},
        {"results": ["x"]},
        {"white": "/[/"},
        {"tags": ["=x"]},
        {"tags": ["A=/(/"]},
        *({"eco": text} for text in ("X1", "", "B9x9", "F00", "B99-B90", "B90,", "B90,Q", "B90-F", "no such opening")),
        {"player": ["a", "b", "c"]},
        {"elo_of": "nobody"},
        {"min_plies": 2, "max_plies": 1},
        {"time_controls": ["fast"]},
        {"has": ["elephants"]},
        {"without": "elephants"},
        {"comment": "/[/"},
        {"min_elo": 2, "max_elo": 1},
        {"since": "2021", "until": "2020"},
        {"since": "2021", "date": "2020"},
        {"date": "2020-05..", "until": "2019-12-31"},
    ],
)
def test_nonsense_is_refused(conditions: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        RecordFilter(**conditions)


NAMES = [
    *(
        "Müller, Karl",
        "Muller,K",
        "Polgár, Judit",
        "O'Kelly de Galway",
        "O’Kelly",
        "Ó Cinnéide",
        "Łódź",
        "Ødegård",
        "Straße",
    ),
    *(
        "Œuvre",
        "Đurić",
        "Þór",
        "Nimzowitsch, Aron",
        "Петросян",
        "Алёхин",
        "İzmir",
        "ΑΛΈΞΗΣ",
        "李超",
        "Van  der-Wiel",
        "?",
        "",
    ),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("muller", [0, 1]),
        ("MÜLLER,K", [0, 1]),
        ("polgar", [2]),
        ("o kelly", [3, 4]),
        ("okelly", [3, 4]),
        ("o'k", [3, 4]),
        ("cinneide", [5]),
        ("lodz", [6]),
        ("odegard", [7]),
        ("strasse", [8]),
        ("STRAẞE", [8]),
        ("oeuvre", [9]),
        ("djuric", []),
        ("duric", [10]),
        ("thor", [11]),
        ("петросян", [13]),
        ("алехин", [14]),
        ("izmir", [15]),
        ("αλεξης", [16]),
        ("李超", [17]),
        ("van der wiel", [18]),
        ("?", [19]),
        ("", list(range(21))),
    ],
)
def test_names_are_found_by_their_letters(text: str, found: list[int]) -> None:
    games = [played(White=name) for name in NAMES]
    assert chosen(games, white=text) == chosen(games, player=text) == found
    if expected_values := bare(text):
        assert found == [i for i, name in enumerate(NAMES) if expected_values in bare(name)]
    assert chosen(games, white=text, exact=True) == [i for i, name in enumerate(NAMES) if text.lower() in name.lower()]


@given(st.lists(st.text(max_size=6), max_size=6), st.text(max_size=3))
def test_any_text_in_any_name(names: list[str], text: str) -> None:
    names = [name for name in names if name.isprintable()]
    if not text.isprintable():
        return
    expected_values = bare(text)
    found = chosen([played(Event=name) for name in names], event=text) if not text.startswith("/") else None
    if found is not None and text.isascii():
        assert found == [
            i
            for i, name in enumerate(names)
            if (expected_values in bare(name) if expected_values else text in plain(name))
        ]


def test_two_players_are_opponents() -> None:
    games = [
        played(White="Tal, M", Black="Botvinnik, M"),
        played(White="Botvinnik", Black="Tal"),
        played(White="Tal", Black="Taimanov"),
        played(White="Tal-Botvinnik", Black="x"),
        played(White="Botvinnik"),
        played(White="Tal", Black="Tal"),
    ]
    assert chosen(games, player=["tal", "botvinnik"]) == chosen(games, player=["botvinnik", "tal"]) == [0, 1]
    assert chosen(games, player=["tal", "tal"]) == [5]
    assert chosen(games, player=["tal"]) == chosen(games, player="tal") == [0, 1, 2, 3, 5]
    assert chosen(games, player=["ta", "t"]) == [0, 1, 2, 5]


CODES = ["A00", "B89", "B90", "b92", "B97/05", "B99", "C00", "E99", "B9", "?", "D37i"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("B90-B99", [2, 3, 4, 5]),
        ("b90-99", [2, 3, 4, 5]),
        ("B90 .. C00", [2, 3, 4, 5, 6]),
        ("B9", [2, 3, 4, 5, 8]),
        ("B90,B92", [2, 3]),
        ("B90, D", [2, 10]),
        ("A-B8", [0, 1]),
        ("B97/05", [4]),
        ("D37I", [10]),
        ("Najdorf", [2, 3, 4, 5]),
        ("sicilian defence: najdorf", [2, 3, 4, 5]),
        ("najdorf,E99", [2, 3, 4, 5, 7]),
        ("E-E99", [7]),
    ],
)
def test_codes_ranges_and_names_of_openings(text: str, found: list[int]) -> None:
    assert chosen([*(played(ECO=code) for code in CODES), played()], eco=text) == found


RATINGS = st.sampled_from([None, 1, 2399, 2400, 2401, 2600, 3000])


@given(
    st.lists(st.tuples(RATINGS, RATINGS)), st.sampled_from([None, 0, 2400, 2500]), st.sampled_from([None, 2500, 2700])
)
def test_whose_ratings(pairs: list[tuple[int | None, int | None]], least: int | None, most: int | None) -> None:
    games = [
        played(**{tag: str(elo) for tag, elo in zip(("WhiteElo", "BlackElo"), pair, strict=True) if elo is not None})
        for pair in pairs
    ]
    low, high = least or 0, 9999 if most is None else most

    def fits(elo: int | None) -> bool:
        return elo is not None and low <= elo <= high

    def mean(white: int | None, black: int | None) -> int | None:
        return None if white is None or black is None else (white + black) // 2

    oracles: dict[str, Callable[[int | None, int | None], bool]] = {
        "both": lambda white, black: fits(white) and fits(black),
        "either": lambda white, black: fits(white) or fits(black),
        "mean": lambda white, black: fits(mean(white, black)),
        "white": lambda white, _: fits(white),
        "black": lambda _, black: fits(black),
    }
    for name, oracle in oracles.items():
        unbounded = least is None and most is None
        expected_values = [i for i, pair in enumerate(pairs) if unbounded or oracle(*pair)]
        assert chosen(games, min_elo=least, max_elo=most, elo_of=name) == expected_values


def test_classes_of_time_controls() -> None:
    games = [
        played(TimeControl="60"),
        played(TimeControl="300+3"),
        played(TimeControl="900+10"),
        played(TimeControl="40/7200:3600"),
        played(TimeControl="1/86400"),
        played(TimeControl="?"),
        played(),
        Game([("TimeControl", "60"), ("TimeControl", "900")]),
    ]
    classes = [time_class(game.tags.get("TimeControl") or "").name.lower() for game in games]
    for name in ("bullet", "blitz", "rapid", "classical", "correspondence", "unknown"):
        assert chosen(games, time_controls=name) == [i for i, each in enumerate(classes) if each == name] != []
    assert chosen(games, time_controls=["bullet", "Rapid"]) == [0, 2, 7]


def test_annotators() -> None:
    games = [played(Annotator="Müller, K"), played(Annotator="Muller"), played(White="Muller")]
    assert chosen(games, annotator="mueller") == []
    assert chosen(games, annotator="muller") == [0, 1]
