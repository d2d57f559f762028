"""One game as PGN text, and back."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import CorruptError, FormatError, UsageError
from tabiya.game import Extra, difference
from tests.conftest import ROOT

FILES = [ROOT / "examples" / "classics.pgn", *sorted((ROOT / "tests" / "data" / "pgn").glob("*.pgn"))]


def test_what_is_written_is_the_file(tmp_path: Path) -> None:
    game = tabiya.open(ROOT / "examples" / "classics.pgn")[2]
    with tabiya.create(tmp_path / "one.pgn") as writer:
        writer.write(game)
    assert game.to_pgn() == (tmp_path / "one.pgn").read_text("utf-8")
    assert tabiya.Game.from_pgn(game.to_pgn()) == game


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_there_and_back(path: Path) -> None:
    kept = 0
    for game in tabiya.open(path):
        with tabiya.create(io.BytesIO(), format="pgn") as writer:
            writer.write(game)
        if not writer.losses:  # a tag with a hyphen in its name, say
            kept += 1
            assert difference(tabiya.Game.from_pgn(game.to_pgn()), game) == []
    assert kept


def test_bytes_that_are_no_text_come_back() -> None:
    game = tabiya.Game({"White": "w"})
    game.extras = [Extra("pgn.escape", b"% \x80")]
    assert tabiya.Game.from_pgn(game.to_pgn()) == game


def test_options() -> None:
    game = tabiya.Game.from_pgn("1. Sf3 Sf6 *", language="de")
    assert [node.san for node in game.mainline()] == ["Nf3", "Nf6"]
    assert game.to_pgn(layout="lines").rstrip().splitlines()[-1].startswith("1. Nf3 Nf6")
    with pytest.raises(UsageError, match="profile"):
        game.to_pgn(profile="ornate")
    with pytest.raises(CorruptError):
        tabiya.Game.from_pgn("1. e4 Ke4 *", strict=True)


@pytest.mark.parametrize(("text", "count"), [("", "no"), ("1. e4 *\n\n1. d4 *\n", "2")])
def test_one_game_and_not_more(text: str, count: str) -> None:
    with pytest.raises(FormatError, match=f"the text holds {count} games"):
        tabiya.Game.from_pgn(text)
