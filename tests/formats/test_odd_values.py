"""Names and values of tags that are unusual or impossible: every format stores them as they are, or counts a loss."""

from __future__ import annotations

from pathlib import Path

import pytest

import tabiya
from tabiya.formats import Format
from tabiya.game import Game, GameBatch, RecordKind, difference
from tabiya.game.fields import TAGS
from tests.formats.corpus import Row, batch_of, tape
from tests.formats.suite import ALL_FORMATS, WRITABLE, name_of

ODD_NAME = 3
CHESS960 = "bnrkrqnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRQNB w KQkq - 0 1"
SHOWN = ("Open", "London", "2020.01.02", "1", "Ada", "Bob", "1-0", "2000", "2100", "B01", "Cy")
VALUES = dict(zip(TAGS, (*SHOWN, "Chess960", "1", CHESS960), strict=True))
ODD_COLUMNS: tuple[Row, ...] = (
    {"year": 502, "month": 14, "day": 6},
    {"year": 2000, "month": 3, "day": 44},
    {"year": 12000, "month": 3, "day": 4},
    {"year": 0, "month": 3},
    {"month": 77},
    {"day": 0},
    {"year": 1999, "month": 13, "tags": [{"name": "Date", "value": "in spring"}]},
    {"white_elo": 0, "black_elo": 0},
    {"white_elo": 65535, "black_elo": 4096},
    {"eco": "Z99", "round": "-1"},
    {"eco": "", "round": ""},
)
ODD_TEXTS = {
    "Date": ("0000.00.00", "2000.14.01", "2000.02.32", "2000.1.2", "99999.01.01", "next week", "", "?", "2047.15.31"),
    "WhiteElo": ("0", "-1", "65536", "99999999999", "2000p", "", "?", "4095"),
    "Result": ("2-0", "", "?", "1-0 ", "**"),
    "ECO": ("A00a5", "F00", "a00", "", "?", "A1"),
    "Round": ("255.255.255", "-3", "", "?", "1.2.3.4.5"),
    "EventDate": ("2000.14.01", "0000.00.00", "", "1900.00.31", "2047.15.31"),
    "EventRounds": ("-1", "70000", ""),
}

each_writer = pytest.mark.parametrize("format", WRITABLE, ids=name_of)


def spellings(name: str) -> list[str]:
    """The name with other capitals: all, none, and one letter after the other."""
    turned = (name[:place] + name[place].swapcase() + name[place + 1 :] for place in range(len(name)))
    return sorted({name.upper(), name.lower(), name.swapcase(), *turned} - {name})


ODD_NAMES = [(name, spelling) for name in TAGS for spelling in spellings(name)]


@pytest.mark.parametrize("first", [False, True], ids=["alone", "second"])
def test_pgn_reports_every_unusual_spelling(first: bool, tmp_path: Path) -> None:
    """Whatever letter is in the wrong case, the tag is recognised and a problem names it."""
    path = tmp_path / "games.pgn"
    games = []
    for name, spelling in ODD_NAMES:
        tags = [(name, VALUES[name])] * first + [(spelling, VALUES[name])]
        tags += [(other, VALUES[other]) for other in ("Event", "FEN", "Variant") if other != name]
        tags.sort(key=lambda tag: tag[0].lower() != "event")
        games.append("".join(f'[{tag} "{value}"]\n' for tag, value in tags) + "\n1. e3 1-0\n\n")
    path.write_text("".join(games))
    with tabiya.open(path) as database:
        for game, (name, spelling) in zip(database, ODD_NAMES, strict=True):
            assert game.tags.get_all(name) == [VALUES[name]] * (1 + first)
            assert [(problem.code, spelling in problem.text) for problem in game.problems] == [(ODD_NAME, True)]


@each_writer
def test_unusual_names(format: Format, tmp_path: Path) -> None:
    """Tags of games that are made in Python may have any name."""
    check(format, GameBatch.from_games(Game({spelling: VALUES[name]}) for name, spelling in ODD_NAMES), tmp_path)


@each_writer
@pytest.mark.parametrize("as_games", [False, True], ids=["batch", "games"])
def test_impossible_columns(format: Format, as_games: bool, tmp_path: Path) -> None:
    batch = batch_of([{"result": 1, "moves": tape("e2e4"), **row} for row in ODD_COLUMNS])
    check(format, GameBatch.from_games(batch.games()) if as_games else batch, tmp_path)


@each_writer
def test_impossible_texts(format: Format, tmp_path: Path) -> None:
    games = [Game({"Result": "1-0", name: text}) for name, texts in ODD_TEXTS.items() for text in texts]
    check(format, GameBatch.from_games(games), tmp_path)


@each_writer
def test_tags_given_twice(format: Format, tmp_path: Path) -> None:
    """With the same text, and with another one before or after."""
    values = VALUES | {"FEN": "8/8/8/8/8/1k6/8/K7 w - - 0 1", "Variant": "Standard"}  # which all formats can express
    others = {"FEN": "8/8/8/8/8/k7/8/K7 w - - 0 1", "Variant": "standard", "Result": "0-1", "Date": "1999.??.??"}
    path = tmp_path / "twice.pgn"
    path.write_text(
        "".join(
            f'[Event "Open"]\n[{name} "{first}"]\n[{name} "{second}"]\n\n*\n\n'
            for name, text in values.items()
            if name != "FEN" or format.keeps.setups
            for first, second in ((text, text), (text, others.get(name, "7")), (others.get(name, "7"), text))
        )
    )
    with tabiya.open(path) as database:
        batch = database.read(0, len(database))
    assert set(batch.record_batch["kind"].to_pylist()) == {RecordKind.GAME}
    check(format, batch, tmp_path)


def check(format: Format, batch: GameBatch, folder: Path) -> None:
    """Write all records, and those that came back changed once more: each of them must be among the losses."""
    changed = [record for record, again in zip(batch, written(format, batch, folder)[0], strict=True) if again]
    for record in changed[:: max(1, len(changed) // 3)]:
        alone = GameBatch.from_games([record])
        assert written(format, alone, folder)[1], f"{record.tags} changed silently"
    counted = sum(loss.count for loss in written(format, GameBatch.from_games(changed), folder)[1])
    assert counted >= len(changed)


def written(format: Format, batch: GameBatch, folder: Path) -> tuple[list[list[str]], tabiya.LossReport]:
    """What differs after writing and reading, for each record, and what the writer has counted."""
    path = folder / f"games{format.suffixes[0]}"
    with tabiya.create(path, formats=ALL_FORMATS, overwrite=True) as writer:
        writer.write(batch)
    with tabiya.open(path, formats=ALL_FORMATS) as database:
        return [difference(*pair) for pair in zip(batch, database, strict=True)], writer.losses
