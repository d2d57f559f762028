"""Plain PGN beside that of ChessBase: bases with a PGN that ChessBase exported from them, or imported into them.

What differs is what docs/formats/pgn.md lists, and is told exactly here.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import tabiya
from tabiya.game import Game, difference
from tests.conftest import sample_path

IMPOSSIBLE_MOVE, NO_END = 104, 105


def pairs(folder: str, base: str, pgn: str, tmp_path: Path) -> list[tuple[Game, Game, list[int]]]:
    """Our games, those of ChessBase, and the problems of the stored ones."""
    path = sample_path(f"cbh/libcbh/{folder}") / base
    tabiya.convert(path, tmp_path / "x.pgn", profile="plain", dialect="chessbase")
    with (
        tabiya.open(path) as stored,
        tabiya.open(tmp_path / "x.pgn") as ours,
        tabiya.open(path.with_name(pgn)) as theirs,
    ):
        problems = [[problem.code for problem in game.problems] for game in stored]
        return list(zip(ours, theirs, problems, strict=True))


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
    for ours, theirs, problems in pairs("WithVariations", "WithVariations.cbh", "GamesWithVariations.pgn", tmp_path):
        assert problems == []
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


def without_source_date(ours: Game, theirs: Game) -> dict[str, tuple[str | None, str | None]]:
    others = other_tags(ours, theirs)
    date, none = others.pop("SourceDate")  # ChessBase stores it and does not export it
    assert date
    assert none is None
    return others


def test_games_without_an_end(tmp_path: Path) -> None:
    """ChessBase exports the moves before an impossible one, and all of them if only the mark of the end is missing."""
    found = pairs("NormalNoPop", "StandardMissingPop.cbh", "StandardNoPop.pgn", tmp_path)
    assert [problems for _, _, problems in found] == [[IMPOSSIBLE_MOVE], [NO_END]]
    for ours, theirs, _ in found:
        assert without_source_date(ours, theirs) == {}
        assert difference(without_tags(ours), without_tags(theirs)) == []
    assert [theirs.end().ply for _, theirs, _ in found] == [107, 62]


def test_damaged_games_of_chess960(tmp_path: Path) -> None:
    """The homes of the black rooks are damaged as well: ChessBase then grants no castling, tabiya that of White."""
    found = pairs("Chess960Corrupt", "Corrupt.cbh", "Corrupt960.pgn", tmp_path)
    assert [problems for _, _, problems in found] == [[IMPOSSIBLE_MOVE]] * 4
    for ours, theirs, _ in found:
        others = without_source_date(ours, theirs)
        assert others.pop("Variant") == ("Chess960", "chess 960")
        our_fen, their_fen = others.pop("FEN")
        assert others == {}
        assert (our_fen or "").replace(" KQ ", " - ") == their_fen
        assert [node.uci for node in ours.mainline()] == [node.uci for node in theirs.mainline()]
        for game in (ours, theirs):
            game.tags["Variant"], game.tags["FEN"] = "Chess960", their_fen or ""
        assert difference(without_tags(ours), without_tags(theirs)) == []
    assert [theirs.end().ply for _, theirs, _ in found] == [2, 0, 0, 1]
