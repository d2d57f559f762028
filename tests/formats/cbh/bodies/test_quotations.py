"""Quotations between ChessBase's databases and PGN, and the start positions that both kinds of games share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tabiya.chess import Move
from tabiya.formats.cbh.bodies.columns import write_bodies
from tabiya.game import Game, GameBatch
from tabiya.game.annotations import Annotation, Quotation
from tabiya.game.annotations.quoted_moves import START_SIZE, encode_start
from tests.game.annotations.test_samples import annotations_of
from tests.game.annotations.values import QUOTED_STARTS

_HEAD = 4
_WITH_MOVES = 2


@pytest.mark.parametrize("fen", [*filter(None, QUOTED_STARTS), "4k3/8/8/8/8/8/8/4K2R w K - 0 7"])
def test_a_quoted_game_begins_as_a_game_does(fen: str) -> None:
    bodies = write_bodies(GameBatch.from_games([Game(start=fen)]))
    assert bytes(bodies.moves)[_HEAD : _HEAD + START_SIZE] == encode_start(fen)


def through_pgn(payload: bytes) -> str:
    """Its form in PGN, after which the bytes of a database are the same."""
    game = Game()
    game.root.add(Move.NULL).annotations.append(Annotation(Quotation.kind, payload))
    text = game.to_pgn()
    before, after = (write_bodies(GameBatch.from_games([each])) for each in (game, Game.from_pgn(text)))
    assert payload in bytes(before.annotations)
    assert bytes(after.annotations) == bytes(before.annotations)
    assert not after.losses
    return text


def test_quotations_of_the_samples_go_through_pgn(samples: Callable[[str], Path]) -> None:
    stored = [payload for *_, kind, payload in annotations_of(samples("cbh/World-ch/World-ch.cbh")) if kind == 0x13]
    with_moves = [payload[3] == _WITH_MOVES for payload in stored]
    assert (len(stored), sum(with_moves)) == (12, 5)
    texts = [through_pgn(payload) for payload in stored]
    assert [' "1.' in text for text in texts] == with_moves
    assert "1.e4 e5 2.Nf3 Nc6 3.d4 exd4 4.Bc4 Bc5" in " ".join(texts[0].split())


def test_a_file_of_one_quotation_goes_through_pgn(samples: Callable[[str], Path]) -> None:
    file = samples("cbh/vectors/annotations/gamequotation.cba").read_bytes()
    begin = file.index(b"\x13") + 3
    payload = file[begin : begin + int.from_bytes(file[begin : begin + 2])]
    assert '"1.e4 e5 2.Nf3 Nc6 3.Bc4 Nf6 4.d3 Be7 5.O-O O-O"' in " ".join(through_pgn(payload).split())
    damaged = payload[:-2] + b"\0\0"
    assert "[%cba 13" in through_pgn(damaged)
