"""Precision and recall on labelled pairs of games: no false twin, and every twin that was found before."""

from __future__ import annotations

from typing import Any

import pytest

import tabiya
from scripts.twin_figures import PAGE, line_of, sample_games
from tabiya.maintenance import duplicates as module
from tabiya.maintenance import find_duplicates
from tabiya.maintenance.duplicates import DESPITE_FIELDS
from tabiya.maintenance.duplicates_kernel import choose_kept
from tests.maintenance.in_memory import InMemory
from tests.maintenance.labelled_twins import KINDS, before, figures, invented, labelled


def check(games: list[tabiya.Game], what: str) -> None:
    now, then = figures(games), before(games)
    assert (now.wrong, now.unrelated) == ({}, 0)
    assert now.found == then.found
    assert now.recall > 0.99
    assert then.wrong  # the set has pairs that only a contradiction keeps apart
    assert line_of(what, now, then) in PAGE.read_text(), "run: python -m scripts.twin_figures"


def test_invented_games() -> None:
    check(list(invented(10 * len(KINDS))), "games with random moves")


def test_real_games() -> None:
    check(sample_games(), "games of Lichess, Chess.com and TWIC")


def test_the_same_holds_for_the_same_names_and_moves() -> None:
    """``exact`` takes the same moves of the same players, so a contradiction is all that tells games apart."""
    pairs = [(one, one.copy(), kind) for one, _, kind in labelled(list(invented(len(KINDS))))]
    for number, (_, other, _) in enumerate(pairs):
        other.tags["FICSGamesDBGameNo"] = f"{number}"
        other.tags["Link"] = f"https://www.chess.com/game/live/99{number}"
    pairs = [pair for pair in pairs if "chess.com" in (pair[0].tags.get("Link") or "")]
    assert pairs
    with InMemory([game for pair in pairs for game in pair[:2]]) as database:
        assert find_duplicates(database).twins == 0
        assert find_duplicates(database, despite="link").twins == len(pairs)
        assert find_duplicates(database, match="moves").twins == len(pairs)


@pytest.mark.parametrize("zone", ["", "Z", " UTC", ".5 GMT"])
def test_times_may_name_their_zone(zone: str) -> None:
    games = []
    for time in ("12:00:00", "12:02:00"):
        game = tabiya.Game({"White": "A", "Black": "B", "UTCTime": f"{time}{zone}"})
        game.root.add_line(["e4", "e5"])
        games.append(game)
    with InMemory(games) as database:
        assert find_duplicates(database).twins == 0
        assert find_duplicates(database, despite="time").twins == 1


@pytest.mark.parametrize("match", ["exact", "near"])
def test_large_groups_are_cut_by_contradictions_too(match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else thousands of games that contradict each other would be compared pair by pair."""
    games = []
    for number in range(60):
        game = tabiya.Game({"White": "A", "Black": "B", "Link": f"https://www.chess.com/game/live/{number % 20}"})
        game.root.add_line(["e4", "e5"])
        games.append(game)
    compared = []

    def watched(order: Any, ends: Any, *rest: Any) -> None:
        compared.append(len(ends) - 1)
        choose_kept(order, ends, *rest)

    monkeypatch.setattr(module, "choose_kept", watched)
    monkeypatch.setattr(module, "_LARGEST_GROUP", 50)
    with InMemory(games) as database:
        assert find_duplicates(database, match=match).twins == 40
        assert find_duplicates(database, match=match, despite=DESPITE_FIELDS).twins == 59
    assert compared == [20, 1]
