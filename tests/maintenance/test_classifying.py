"""Openings and other facts, against python-chess and naive loops."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UsageError
from tabiya.maintenance.event_dates import EventDates
from tabiya.openings import opening_at
from tests.maintenance.in_memory import InMemory
from tests.search.in_memory import pgn_of, random_games

GAMES = random_games(200, seed=17)


def opening_of(game: chess.pgn.Game) -> tuple[str | None, str | None]:
    """Code and name of the last position on the way that has one."""
    board, found = game.board(), None
    for move in [None, *game.mainline_moves()]:
        if move is not None:
            board.push(move)
        found = opening_at(chess.polyglot.zobrist_hash(board)) or found
    return (None, None) if found is None else found


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(pgn_of(GAMES), "utf-8")
    return path


def tags_in(path: Path, *names: str) -> list[tuple[str | None, ...]]:
    with tabiya.open(path) as database:
        return [tuple(game.tags.get(name) for name in names) for game in database]


@pytest.mark.parametrize("threads", [1, 2])
def test_openings_and_lengths(games: Path, tmp_path: Path, threads: int) -> None:
    target = tmp_path / "target.pgn"
    report = tabiya.classify(games, target, facts=["eco", "opening", "plies"], threads=threads)
    expected = [(*opening_of(game), str(len([*game.mainline_moves()]))) for game in GAMES]
    had = tags_in(games, "ECO", "Opening")
    arguments = [
        tuple(new or old for new, old in zip(each, [*before, None], strict=True))
        for each, before in zip(expected, had, strict=True)
    ]
    assert tags_in(target, "ECO", "Opening", "PlyCount") == arguments
    assert report.changes.records == len(GAMES)
    assert report.changes.what["PlyCount"] == len(GAMES)
    again = tabiya.classify(target, facts=["eco", "opening", "plies"])
    assert again.changes.changed == 0
    assert again.agreement.same == again.agreement.compared


def test_only_what_is_missing(tmp_path: Path) -> None:
    path, target = tmp_path / "games.pgn", tmp_path / "target.pgn"
    path.write_text('[ECO "A00"]\n\n1. e4 c5 *\n\n[ECO "?"]\n\n1. e4 c5 *\n\n1. e4 c5 *\n')
    tabiya.classify(path, target, facts=["eco"], only_missing=True)
    assert tags_in(target, "ECO") == [("A00",), ("B20",), ("B20",)]
    tabiya.classify(path, target, facts=["eco"], overwrite=True)
    assert tags_in(target, "ECO") == [("B20",)] * 3


def test_transpositions(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. Nf3 d5 2. d4 Nf6 3. c4 e6 4. Nc3 *\n\n1. c4 e6 2. Nc3 d5 3. d4 Nf6 4. Nf3 *\n")
    target = tmp_path / "target.pgn"
    tabiya.classify(path, target)
    first, second = tags_in(target, "ECO", "Opening")
    assert first == second == ("D37", "Queen's Gambit Declined: Three Knights Variation")


def test_agreement(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    codes = ["B20", "B20/05", "B21", "B45", "C00", "", "none"]
    path.write_text("\n".join(f'[ECO "{code}"]\n\n1. e4 c5 *\n' for code in codes) + '\n[ECO "A00"]\n\n*\n')
    agreement = tabiya.classify(path).agreement
    assert (agreement.same, agreement.chapter, agreement.volume, agreement.other) == (2, 1, 1, 1)
    assert (agreement.compared, agreement.uncoded, agreement.unnamed) == (5, 2, 1)
    assert agreement.share == 0.4
    assert agreement.frequent == (("B21", "B20", 1), ("B45", "B20", 1), ("C00", "B20", 1))
    assert agreement.as_dict()["frequent"][0] == {"tag": "B21", "position": "B20", "games": 1}


def test_time_controls(tmp_path: Path) -> None:
    path, target = tmp_path / "games.pgn", tmp_path / "target.pgn"
    controls = ["60+0", "300+3", "900+10", "40/7200:3600", "1/259200", "?"]
    path.write_text("\n".join(f'[TimeControl "{each}"]\n\n1. e4 *\n' for each in controls))
    tabiya.classify(path, target, facts=["time"])
    classes = ["bullet", "blitz", "rapid", "classical", "correspondence", None]
    assert tags_in(target, "TimeClass") == [(each,) for each in classes]


def test_accuracy_and_centipawn_loss(tmp_path: Path) -> None:
    path, target = tmp_path / "games.pgn", tmp_path / "target.pgn"
    path.write_text("1. e4 {[%eval 0.15]} e5 {[%eval 0.65]} *\n\n1. e4 *\n", "utf-8")
    report = tabiya.classify(path, target, facts=["accuracy", "centipawn-loss"])
    assert report.changes.what == dict.fromkeys(
        ["WhiteAccuracy", "BlackAccuracy", "WhiteCentipawnLoss", "BlackCentipawnLoss"], 1
    )
    names = "WhiteAccuracy", "BlackAccuracy", "WhiteCentipawnLoss", "BlackCentipawnLoss"
    # 100 / (1 + e^-0.239) - 100 / (1 + e^-0.0552) = 4.56 points: 103.1668 * e^-0.1986 - 2.1669
    assert tags_in(target, *names) == [("100.0", "82.4", "0.0", "50.0"), (None, None, None, None)]


@pytest.mark.parametrize("suffix", [".cbh", ".tabiya", ".pgn"])
def test_in_place(games: Path, tmp_path: Path, suffix: str) -> None:
    base = tmp_path / f"base{suffix}"
    tabiya.convert(games, base)
    tabiya.classify(base, facts=["eco"], in_place=True, dry_run=True)
    before = tags_in(base, "ECO")
    report = tabiya.classify(base, facts=["eco"], in_place=True)
    assert tags_in(base, "ECO") == [(opening_of(game)[0] or had,) for game, (had,) in zip(GAMES, before, strict=True)]
    assert report.agreement.compared + report.agreement.uncoded >= 1
    assert tabiya.classify(base, facts=["eco"], in_place=True).changes.changed == 0


def test_facts_that_nobody_tells(games: Path) -> None:
    with pytest.raises(UsageError, match="eco, opening, plies, time, event-date"):
        tabiya.classify(games, facts=["elo"])


days = st.dates(dt.date(2019, 10, 1), dt.date(2020, 6, 1))
games_of_events = st.tuples(st.sampled_from(["A", "B", "?"]), st.sampled_from(["X", "?"]), st.none() | days)


@given(st.lists(games_of_events, max_size=20))
def test_first_days_of_events(games: list[tuple[str, str, dt.date | None]]) -> None:
    made = [
        tabiya.Game({"Event": event, "Site": site, **({} if day is None else {"Date": f"{day:%Y.%m.%d}"})})
        for event, site, day in games
    ]
    expected: list[str | None] = []
    for event, site, day in games:
        first = day
        others = sorted((each[2] for each in games if each[:2] == (event, site) and each[2]), reverse=True)
        for other in others:
            if first is not None and other < first and (first - other).days <= 60:
                first = other
        expected.append(None if event == "?" or first is None else f"{first:%Y.%m.%d}")
    with InMemory(made) as database:
        dates = EventDates.of(database)
        assert [text for batch in database.headers() for text in dates.texts(batch).to_pylist()] == expected


def test_days_that_do_not_exist() -> None:
    games = [tabiya.Game({"Event": "A", "Date": date}) for date in ("2021.02.31", "2021.03.02", "0001.01.01")]
    with InMemory(games) as database:
        dates = EventDates.of(database)
        texts = [text for batch in database.headers() for text in dates.texts(batch).to_pylist()]
    assert texts == [None, "2021.03.02", "0001.01.01"]
