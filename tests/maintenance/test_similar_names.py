"""Spellings that may be one person, and what speaks for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.maintenance import NameGroup, find_similar_names
from tabiya.maintenance.name_evidence import read_evidence
from tests.maintenance.in_memory import InMemory


def game(white: str, black: str = "X", **tags: str) -> tabiya.Game:
    return tabiya.Game({"White": white, "Black": black, **tags})


def found(games: Sequence[tabiya.Game]) -> list[NameGroup]:
    with InMemory(games) as database:
        return find_similar_names(database)


def told(groups: list[NameGroup]) -> dict[str, dict[str, tuple[str, ...]]]:
    return {group.main.name: {other.name: other.reasons for other in group.others} for group in groups}


def test_why_names_may_be_one() -> None:
    names = ["Polgár, Judit", "Polgar,J", "Judit Polgar", "POLGAR, JUDIT", "Kortschnoj,V", "Korchnoi, Viktor"]
    assert told(found([game(name, f"Opponent{number}") for number, name in enumerate(names)])) == {
        "Korchnoi, Viktor": {"Kortschnoj,V": ("initials", "spelling")},
        "Polgár, Judit": {"Judit Polgar": ("writing",), "POLGAR, JUDIT": ("writing",), "Polgar,J": ("initials",)},
    }


def test_names_that_have_met_are_two() -> None:
    assert found([game("Polgar, Judit", "Polgar, J")]) == []
    assert found([game("Polgar, Judit", "A"), game("B", "Polgar, J"), game("Polgar, J", "Polgar, Judit")]) == []


def test_fide_ids() -> None:
    same = [game("Pilsova, K", "A", WhiteFideId="320242"), game("B", "Olsarova, K", BlackFideId="0320242")]
    assert told(found(same)) == {"Olsarova, K": {"Pilsova, K": ("FIDE id", "spelling")}}
    other = [game("Smith, J", "A", WhiteFideId="1"), game("Smith, John", "B", WhiteFideId="2")]
    assert found(other) == []
    nothing = [game("Smith, J", "A", WhiteFideId="0"), game("Smith, John", "B", WhiteFideId="-")]
    assert told(found(nothing)) == {"Smith, John": {"Smith, J": ("initials",)}}


def test_ids_of_those_who_have_joined_count() -> None:
    games = [
        game("Smith, John", "A"),
        game("Smith, J", "B", WhiteFideId="1"),
        game("Zimmer, J", "C", WhiteFideId="1"),
        game("Smith, Jo", "D", WhiteFideId="2"),
    ]
    assert told(found(games)) == {
        "Smith, John": {"Smith, J": ("initials",), "Zimmer, J": ("initials", "spelling")},
    }


def test_initials_that_may_be_several() -> None:
    games = [game("Smith, John", "A"), game("Smith, Jane", "B"), game("C", "Smith, Jane"), game("Smith, J", "A")]
    (group,) = found(games)
    assert group.main.name == "Smith, John"  # they have met the same opponent
    assert (group.others[0].ambiguous, group.others[0].common_opponents) == (True, 1)


def test_evidence() -> None:
    games = [
        game("Tal, M", "A", Date="1960.01.01", WhiteElo="2600"),
        game("B", "Tal, M", Date="1988.??.??", BlackElo="2660"),
        game("Tal, Mikhail", "A", Date="1975.??.??"),
        game("?", "?"),
        tabiya.Game(),
    ]
    (group,) = found(games)
    (other,) = group.others
    assert (group.main.name, group.main.games, group.main.lowest_rating) == ("Tal, Mikhail", 1, None)
    assert (other.games, other.first_year, other.last_year) == (2, 1960, 1988)
    assert (other.lowest_rating, other.highest_rating) == (2600, 2660)
    assert group.as_dict()["others"][0]["reasons"] == ["initials"]


names = st.sampled_from(
    ["Tal, M", "Tal, Mikhail", "Tal, Ivan", "Tahl", "Garcia Lopez, I", "Lopez, I", "M Tal", "?", ""]
)
pairs = st.lists(st.tuples(names, names, st.integers(0, 2)), max_size=12)


@given(pairs)
def test_groups_keep_their_promises(played: list[tuple[str, str, int]]) -> None:
    games = [game(white, black, **({"WhiteFideId": str(number)} if number else {})) for white, black, number in played]
    groups = found(games)
    spelled = [each.name for group in groups for each in (group.main, *group.others)]
    assert len(spelled) == len({*spelled})
    met = {frozenset(pair[:2]) for pair in played}
    for group in groups:
        assert group.others
        for other in group.others:
            common = {*other.fide_ids} & {*group.main.fide_ids}
            assert "FIDE id" in other.reasons or not common
            assert frozenset((other.name, group.main.name)) not in met or {"1", "2"} & {*other.fide_ids}
    counts = {name: sum(pair[:2].count(name) for pair in played) for name in spelled}
    assert all(each.games == counts[each.name] for group in groups for each in (group.main, *group.others))


def test_progress() -> None:
    seen: list[int] = []
    with InMemory([game("A")] * 7) as database:
        read_evidence(database, progress=lambda progress: seen.append(progress.records))
    assert seen == [3, 6, 7]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text("\n".join(game(name, "Tal,M", Site="Wien").to_pgn() for name in ("Polgar,J", "Polgar, Judit", "B")))
    return path


def whites(path: Path) -> list[str | None]:
    with tabiya.open(path) as database:
        return [each.tags.get("White") for each in database]


def test_right_names_in_a_new_database(games: Path, tmp_path: Path) -> None:
    target, table = tmp_path / "target.pgn", tmp_path / "names.csv"
    table.write_text('from,to,kind\n"Polgar,J","Polgar, Judit",\n"Tal,M","Tal, Mikhail",player\nWien,Vienna,site\n')
    report = tabiya.correct_names(games, table, target)
    assert (report.changed, report.what) == (3, {"Black": 3, "Site": 3, "White": 1})
    assert whites(target) == ["Polgar, Judit", "Polgar, Judit", "B"]
    assert tabiya.correct_names(target, table).changed == 0


@pytest.mark.parametrize("suffix", [".cbh", ".tabiya", ".pgn"])
def test_right_names_in_place(games: Path, tmp_path: Path, suffix: str) -> None:
    base = tmp_path / f"base{suffix}"
    tabiya.convert(games, base)
    given = {"Polgar, Judit": "Polgar, J", "Polgar,J": "Polgar, J"}
    assert tabiya.correct_names(base, given, in_place=True, dry_run=True).changed >= 1
    tabiya.correct_names(base, given, in_place=True)
    assert whites(base) == ["Polgar, J", "Polgar, J", "B"]
