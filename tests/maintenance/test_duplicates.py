"""Duplicates, against a naive comparison of every game with every other."""

from __future__ import annotations

import datetime as dt
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UsageError
from tabiya.game.annotations import encode_text
from tabiya.maintenance import Duplicates, find_duplicates
from tabiya.maintenance import duplicates as module
from tests.maintenance.in_memory import InMemory

LINES = (
    *("", "e4", "e4 e5", "e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4", "e4 c5"),
    *("d4", "d4 d5 c4", "d4 d5 c4 e6", "d4 d5 Nf3", "Nf3 d5 d4"),
)


@dataclass(frozen=True)
class Who:
    """A player, and how the name is written."""

    family: str
    given: str
    style: int

    @property
    def text(self) -> str:
        shown = {
            0: f"{self.family}, {self.given}",
            1: f"{self.family},{self.given[0]}",
            2: f"{self.given} {self.family}",
            3: self.family.upper(),
            4: f"{self.family.upper()}, {self.given.upper()}",
        }
        return shown[self.style]

    def may_be(self, other: Who) -> bool:
        if self.family != other.family:
            return False
        if 3 in (self.style, other.style):
            return True
        if 1 in (self.style, other.style):
            return self.given[0] == other.given[0]
        return self.given == other.given


@dataclass(frozen=True)
class Played:
    white: Who
    black: Who
    date: str
    moves: str
    event: str
    elo: int | None
    comments: int


people = st.builds(
    Who, st.sampled_from(["Müller", "Kasparov"]), st.sampled_from(["Garry", "Anna", "Gustav"]), st.integers(0, 4)
)
dates = st.sampled_from(
    ["2001.05.31", "2001.06.01", "2001.06.02", "2001.06.??", "2001.??.??", "2002.01.01", "????.??.??"]
)
played = st.builds(
    Played,
    people,
    people,
    dates,
    st.sampled_from(LINES),
    st.sampled_from(["Linares", "Linares 2001", "Wijk aan Zee"]),
    st.none() | st.just(2700),
    st.integers(0, 2),
)


def game_of(each: Played) -> tabiya.Game:
    game = tabiya.Game({"White": each.white.text, "Black": each.black.text, "Date": each.date, "Event": each.event})
    if each.elo:
        game.tags["WhiteElo"] = str(each.elo)
    node = game.root
    for san in each.moves.split():
        node = node.add(san)
    for number in range(each.comments):
        game.root.annotations.append(encode_text(f"note {number}"))
    return game


def days(date: str) -> tuple[dt.date, dt.date]:
    year, month, day = date.split(".")
    if year == "????":
        return dt.date.min + dt.timedelta(2), dt.date.max - dt.timedelta(2)
    if month == "??":
        return dt.date(int(year), 1, 1), dt.date(int(year), 12, 31)
    if day == "??":
        return dt.date(int(year), int(month), 1), dt.date(int(year), int(month), 30)
    return (dt.date(int(year), int(month), int(day)),) * 2


def near(one: Played, other: Played, least: int) -> bool:
    (first, last), (begin, end) = days(one.date), days(other.date)
    day = dt.timedelta(1)
    short, long = sorted((one.moves.split(), other.moves.split()), key=len)
    return (
        first - day <= end
        and begin - day <= last
        and one.white.may_be(other.white)
        and one.black.may_be(other.black)
        and (short == long or (len(short) >= max(least, 1) and long[: len(short)] == short))
    )


def naive(games: list[Played], alike: Any, rules: str) -> dict[int, int]:
    """By number of each twin the number of the game that is kept for it."""
    ranks = {
        "annotations": lambda place: -games[place].comments,
        "longer": lambda place: -len(games[place].moves.split()),
        "rated": lambda place: -bool(games[place].elo),
        "first": lambda place: place,
        "last": lambda place: -place,
    }
    order = sorted(range(len(games)), key=lambda place: [ranks[rule](place) for rule in rules.split(",")])
    kept: dict[int, int] = {}
    for place, one in enumerate(order):
        if one + 1 not in kept:
            for other in order[place + 1 :]:
                if other + 1 not in kept and alike(games[one], games[other]):
                    kept[other + 1] = one + 1
    return kept


def found(games: list[Played], **options: Any) -> dict[int, int]:
    with InMemory([game_of(each) for each in games]) as database:
        return told(find_duplicates(database, **options))


def told(duplicates: Duplicates) -> dict[int, int]:
    pairs = {twin.number: group.kept.number for group in duplicates for twin in group.twins}
    assert len(pairs) == duplicates.twins
    assert sorted(pairs) == duplicates.numbers.tolist()
    return pairs


RULES = st.sampled_from(["annotations,longer,rated,first", "longer,last", "first", "rated,annotations,last"])


@given(st.lists(played, max_size=25), st.integers(0, 4), RULES)
def test_near_twins(games: list[Played], least: int, rules: str) -> None:
    expected = naive(games, lambda one, other: near(one, other, least), rules)
    assert found(games, match="near", least_plies=least, keep=rules) == expected


@given(st.lists(played, max_size=25), RULES)
def test_exact_twins(games: list[Played], rules: str) -> None:
    def same(one: Played, other: Played) -> bool:
        return (one.moves, one.white.text, one.black.text) == (other.moves, other.white.text, other.black.text)

    assert found(games, keep=rules) == naive(games, same, rules)


@given(st.lists(played, max_size=25), st.integers(0, 4), RULES)
def test_the_same_moves(games: list[Played], least: int, rules: str) -> None:
    def same(one: Played, other: Played) -> bool:
        return one.moves == other.moves and len(one.moves.split()) >= least

    assert found(games, match="moves", least_plies=least, keep=rules) == naive(games, same, rules)


@given(st.lists(played, max_size=25))
def test_what_must_be_the_same_besides(games: list[Played]) -> None:
    def same(one: Played, other: Played) -> bool:
        return (one.moves, one.date, one.event) == (other.moves, other.date, other.event)

    result = found(games, match="moves", least_plies=0, same=["date", "event"], keep="first")
    assert result == naive(games, same, "first")
    assert found(games, match="moves", least_plies=0, dates="same", events="same", keep="first") == result


@given(st.lists(played, max_size=25))
def test_spellings_of_events(games: list[Played]) -> None:
    def same(one: Played, other: Played) -> bool:
        return (one.moves, one.event[:4]) == (other.moves, other.event[:4])

    assert found(games, match="moves", least_plies=0, events="alike", keep="first") == naive(games, same, "first")


@given(st.lists(played, max_size=40))
def test_large_groups_are_cut_to_what_is_the_same(games: list[Played]) -> None:
    """Which keeps the time linear: then only the same names, dates and moves count."""

    def same(one: Played, other: Played) -> bool:
        names = one.white.text == other.white.text and one.black.text == other.black.text
        return names and one.date == other.date and one.moves == other.moves

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_LARGEST_GROUP", 0)
        assert found(games, match="near", keep="longer,first") == naive(games, same, "longer,first")


def test_texts_and_deleted_games_are_no_twins() -> None:
    games = [tabiya.Game({"White": "A"}) for _ in range(4)]
    games[1].deleted = True
    games[2].kind = tabiya.game.RecordKind.TEXT
    with InMemory(games) as database:
        duplicates = find_duplicates(database)
    assert (duplicates.records, duplicates.games, told(duplicates)) == (4, 2, {4: 1})


def test_start_positions_count_but_their_counters_do_not() -> None:
    fens = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 5 40", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"]
    with InMemory([tabiya.Game({"White": "A", "FEN": fen}) for fen in fens]) as database:
        assert told(find_duplicates(database)) == {2: 1}


def test_what_a_group_tells() -> None:
    white, black = Who("Kasparov", "Garry", 0), Who("Müller", "Anna", 0)
    one = Played(white, black, "2001.06.01", "e4 e5 Nf3 Nc6 Bb5 a6", "Linares", 2700, 2)
    other = Played(Who("Kasparov", "Garry", 1), black, "2001.06.??", "e4 e5 Nf3 Nc6", "Linares 2001", None, 0)
    with InMemory([game_of(other), game_of(one)]) as database:
        duplicates = find_duplicates(database, match="near", least_plies=2)
    (group,) = duplicates
    assert len(duplicates) == 1
    assert duplicates[-1] == group
    assert (group.kept.number, group.kept.white, group.kept.date) == (2, "Kasparov, Garry", "2001.06.01")
    assert (group.kept.plies, group.kept.annotations) == (6, 2)
    assert group.twins[0].differs == ("white", "event", "date", "moves")
    assert group.as_dict()["twins"][0]["date"] == "2001.06.??"
    assert duplicates.as_dict() == {"records": 2, "games": 2, "groups": 1, "twins": 1}
    assert repr(duplicates) == "<Duplicates: 1 of 2 games>"
    with pytest.raises(IndexError):
        duplicates[1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"match": "nearly"}, "known: exact, near, moves"),
        ({"players": "near"}, "players must be one of same, alike, any"),
        ({"dates": "alike"}, "dates must be one of same, near, any"),
        ({"same": "white"}, "known: date, event, result, round, site"),
        ({"keep": "best"}, "known: annotations, longer, rated, first, last"),
        ({"least_plies": -1}, "not -1"),
        ({"colour": "white"}, "cannot be compared by 'colour'"),
    ],
)
def test_what_makes_no_sense(options: dict[str, Any], words: str) -> None:
    with InMemory([]) as database, pytest.raises(UsageError, match=words):
        find_duplicates(database, **options)


def test_nothing_at_all() -> None:
    with InMemory([]) as database:
        assert list(find_duplicates(database, match="near")) == []


PGN_EXTRACT = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")


@pytest.mark.skipif(PGN_EXTRACT is None, reason="SKIPPED: pgn-extract is not installed; this test did not pass")
@settings(max_examples=20)
@given(st.lists(played, min_size=1, max_size=25))
def test_pgn_extract_drops_the_same_games(games: list[Played]) -> None:
    """``-D`` keeps the first of games with the same moves, whoever played them."""
    with tempfile.NamedTemporaryFile(suffix=".pgn") as file:
        file.write("\n".join(game_of(each).to_pgn() for each in games).encode())
        file.flush()
        command = [str(PGN_EXTRACT), "-D", "-s", file.name]
        theirs = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    with InMemory([game_of(each) for each in games]) as database:
        twins = find_duplicates(database, match="moves", least_plies=0, keep="first").numbers.tolist()
    ours = [each for number, each in enumerate(games, 1) if number not in twins]
    assert theirs.count("[Event ") == len(ours)
