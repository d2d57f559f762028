"""Tags and main lines against cbh2pgn, a reader of ChessBase bases that is not ours (in the dependency group bench)."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

import tabiya

GAMES = 500
UNKNOWN = {"????.??.??", "?", "", "*"}
ITS_OWN = {"GameId", "FEN"}  # a number of its own; a move number 0 that we read as 1


def bare(san: str) -> str:
    """A move without check signs and without the file or rank that it comes from: the other writes too many."""
    return re.sub(r"^([KQRBN])[a-h]?[1-8]?(x?[a-h][1-8])", r"\1\2", san.rstrip("+#"))


@pytest.mark.parametrize("name", ["twic1134/twic1134", "cbhlib_test/cbhlib_test", "hedgehog/Hedgehog"])
def test_another_reader_agrees(samples: Callable[[str], Path], name: str) -> None:
    other = pytest.importorskip("cbh2pgn.database")
    path = samples(f"cbh/{name}.cbh")
    compared = 0
    with tabiya.open(path) as base:
        games = list(base[:GAMES])
        for game in islice(other.CBHDatabase(path), GAMES):
            if game.error:
                continue
            ours = games[game.game_id]
            text = game.to_pgn()
            for tag, value in re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE):
                if value not in UNKNOWN and tag not in ITS_OWN:
                    assert ours.tags[tag] == value
            line = [bare(node.san) for node in ours.mainline()]
            if len(line) == len(list(ours.walk())):  # it loses the rest of a line behind a variation
                moves = re.sub(r"\d+\.+|(?:1-0|0-1|1/2-1/2|\*)\s*$", " ", text.partition("\n\n")[2])
                assert [bare(move) for move in re.sub(r"\{[^}]*\}", " ", moves).split()] == line
            compared += 1
    assert compared > 15
