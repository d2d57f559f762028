"""Players and events of a database, compared with plain Python over its games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import tabiya
from tabiya.search.directories import Directories
from tabiya.search.listing import ListedDatabase

GAMES = (
    # event, date, White, Black, rating of White, result
    ("Open", "2001.05.01", "Ånd, Å", "B", "2400", "1-0"),
    ("Open", "2001.05.??", "B", "C", "", "1/2-1/2"),
    ("Open", "2001.??.??", "C", "Ånd, Å", "2300", "0-1"),
    ("Open", "2002.05.01", "Ånd, Å", "C", "2450", "*"),
    ("Open", "????.??.??", "B", "Ånd, Å", "", "0-1"),
    ("Cup", "2002.12.20", "B", "D", "2100", "1-0"),
    ("Cup", "2003.01.10", "D", "B", "2110", "1-0"),
    ("", "2003.01.10", "", "B", "", "1-0"),
)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    names = ("Event", "Date", "White", "Black", "WhiteElo", "Result")
    path = tmp_path / "games.pgn"
    texts = [
        "".join(f'[{n} "{v}"]\n' for n, v in zip(names, row, strict=True) if v) + f"\n1. e4 {row[-1]}\n"
        for row in GAMES
    ]
    path.write_text("\n".join(texts), "utf-8")
    tabiya.convert(path, tmp_path / "games.tabiya")
    return path


@pytest.fixture(params=["games.pgn", "games.tabiya"])
def listed(request: pytest.FixtureRequest, database: Path) -> Iterator[ListedDatabase]:
    listed_database = ListedDatabase(tabiya.open(database.with_name(request.param)))
    listed_database.gather()
    yield listed_database
    listed_database.close()


def names(directories: Directories, rows: object) -> list[str | None]:
    return [directories.name_of(int(row["name"])) for row in rows]  # type: ignore[attr-defined]


def test_players_have_the_figures_of_their_games(listed: ListedDatabase) -> None:
    directories = listed.directories
    page = directories.players()
    games = Counter(name for row in GAMES for name in row[2:4] if name)
    assert {
        name: int(row["games"]) for name, row in zip(names(directories, page.rows), page.rows, strict=True)
    } == games
    row = next(row for row in page.rows if directories.name_of(int(row["name"])) == "Ånd, Å")
    assert [int(row[name]) for name in ("wins", "draws", "losses", "rating", "first", "last")] == [
        3,
        0,
        0,
        2450,
        2001,
        2002,
    ]
    assert page.total == 4
    assert names(directories, directories.players("and a").rows) == ["Ånd, Å"]
    assert names(directories, directories.players(by="name").rows) == ["Ånd, Å", "B", "C", "D"]
    assert names(directories, directories.players(by="rating").rows)[0] == "Ånd, Å"
    assert names(directories, directories.players(by="name", begin=1, most=2).rows) == ["B", "C"]


def test_games_of_players_are_found_by_whole_names(listed: ListedDatabase) -> None:
    assert listed.directories.games_of_players(["D"]).tolist() == [5, 6]
    assert listed.directories.games_of_players(["D", "Ånd, Å"]).tolist() == [0, 2, 3, 4, 5, 6]
    assert listed.directories.games_of_players(["d", "nobody"]).tolist() == []


def test_events_are_separated_by_long_pauses(listed: ListedDatabase) -> None:
    directories = listed.directories
    page = directories.events(by="name")
    assert names(directories, page.rows) == ["Cup", "Open", "Open"]
    assert sorted(page.rows["games"].tolist()) == [1, 2, 4]
    editions = directories.editions_of("Open")
    assert [directories.games_of_event(row).tolist() for row in editions] == [[0, 1, 2, 4], [3]]
    assert [(int(row["first"]), int(row["last"])) for row in editions] == [(20010000, 20010501), (20020501, 20020501)]
    assert [int(row["players"]) for row in editions] == [3, 2]
    assert len(directories.editions_of("Nothing")) == 0


def test_a_new_year_is_no_pause(listed: ListedDatabase) -> None:
    (cup,) = listed.directories.editions_of("Cup")
    assert listed.directories.games_of_event(cup).tolist() == [5, 6]
    assert int(cup["rating"]) == 2105


def test_an_empty_database_has_no_names(tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").write_text("", "utf-8")
    listed_database = ListedDatabase(tabiya.open(tmp_path / "empty.pgn"))
    listed_database.gather()
    assert listed_database.directories.players().total == listed_database.directories.events().total == 0
    assert listed_database.directories.players("x").total == 0
    listed_database.close()
