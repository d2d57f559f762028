"""Plain PGN beside that of ChessBase: bases with a PGN that ChessBase exported from them, or imported into them.

What differs is what docs/formats/pgn.md lists, and is told exactly here.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import tabiya
from tabiya.game import Game, difference
from tests.conftest import sample_path

IMPOSSIBLE_MOVE = 104


def pairs(folder: str, base: str, pgn: str, tmp_path: Path) -> list[tuple[Game, Game, bool]]:
    """Our games, those of ChessBase, and whether a game is damaged."""
    path = sample_path(f"cbh/libcbh/{folder}") / base
    tabiya.convert(path, tmp_path / "x.pgn", profile="plain", dialect="chessbase")
    with (
        tabiya.open(path) as stored,
        tabiya.open(tmp_path / "x.pgn") as ours,
        tabiya.open(path.with_name(pgn)) as theirs,
    ):
        damaged = [any(problem.code == IMPOSSIBLE_MOVE for problem in game.problems) for game in stored]
        return list(zip(ours, theirs, damaged, strict=True))


def other_tags(ours: Game, theirs: Game) -> dict[str, tuple[str | None, str | None]]:
    names = {*ours.tags, *theirs.tags}
    found = {name: (ours.tags.get(name), theirs.tags.get(name)) for name in names}
    return {name: values for name, values in found.items() if values[0] != values[1]}


def without_tags(game: Game) -> Game:
    for name in list(game.tags):
        if name not in ("FEN", "SetUp", "Variant"):
            del game.tags[name]
    return game


def test_annotated_games(tmp_path: Path) -> None:
    found: Counter[str] = Counter()
    for ours, theirs, damaged in pairs("WithVariations", "WithVariations.cbh", "GamesWithVariations.pgn", tmp_path):
        assert not damaged
        for name, (our_value, their_value) in other_tags(ours, theirs).items():
            found[name] += 1
            assert their_value is None
            if name == "EventDate":
                assert our_value == f"{ours.tags['Date'][:4]}.??.??"
            else:
                assert our_value == str(ours.end().ply)
        assert difference(without_tags(ours), without_tags(theirs)) == []
    # This PGN was imported: its 13 games without EventDate have got the year of the game, and it has no PlyCount.
    assert found == {"EventDate": 13, "PlyCount": 28}


@pytest.mark.parametrize(
    ("folder", "base", "pgn", "games"),
    [
        ("NormalNoPop", "StandardMissingPop.cbh", "StandardNoPop.pgn", 2),
        ("Chess960Corrupt", "Corrupt.cbh", "Corrupt960.pgn", 4),
    ],
)
def test_exports(tmp_path: Path, folder: str, base: str, pgn: str, games: int) -> None:
    found = pairs(folder, base, pgn, tmp_path)
    assert len(found) == games
    for ours, theirs, damaged in found:
        others = other_tags(ours, theirs)
        date, none = others.pop("SourceDate")  # ChessBase stores it and does not export it
        assert date
        assert none is None
        if damaged:  # what follows from the moves is not compared
            others = {
                name: other for name, other in others.items() if name not in ("PlyCount", "FEN", "SetUp", "Variant")
            }
        else:
            assert difference(without_tags(ours), without_tags(theirs)) == []
        assert others == {}
