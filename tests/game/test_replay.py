from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabiya.game import Game, GameBatch
from tabiya.game.replay import failures, keys_after_moves, unplayable
from tests.formats.corpus import batch_of, corpus, tape
from tests.strategies import records


def test_sound_records() -> None:
    assert (failures(corpus()) == -1).all()
    assert list(unplayable(corpus())) == []
    assert list(unplayable(GameBatch.empty())) == []


def test_reasons() -> None:
    batch = batch_of(
        [
            {"moves": tape("e2e4")},
            {"moves": tape("e2e4 e7e5 ( c7c5 g1g3 )")},
            {"start": "rubbish", "moves": tape("e2e4")},
            {"moves": tape("e2e4 ( d2d4")},
            {"start": "4k3/8/8/8/8/8/8/4K2R b K - 0 7", "moves": tape("e8h8")},
        ]
    )
    assert failures(batch).tolist() == [-1, 4, -3, 3, 0]
    found = dict(unplayable(batch))
    assert found.keys() == {1, 2, 3, 4}
    assert found[1].startswith("2.g1g3 is not a legal move in ")
    assert "FEN" in found[2]
    assert found[3] == "the moves end inside a variation (depth 1)"
    assert found[4].startswith("7...e8h8 is not a legal move in ")
    assert [row for row, _ in unplayable(batch[2:])] == [0, 1, 2]


def test_only_games_are_replayed() -> None:
    assert list(unplayable(batch_of([{"kind": 2, "start": "rubbish"}, {"kind": 1, "start": "rubbish"}]))) == []


@given(st.lists(records(), max_size=4), st.integers(0, 3))
def test_legal_games_of_all_sorts(games: list[Game], start: int) -> None:
    assert list(unplayable(GameBatch.from_games(games)[start:])) == []


def test_keys_after_moves() -> None:
    games = [Game.from_pgn(text) for text in ("1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *", "*", "1. d4 d5 2. c4 *")]
    batch = GameBatch.from_games(games)
    expected = [[node.position.key for node in game.walk()] for game in games]
    assert keys_after_moves(batch, 99).tolist() == [key for keys in expected for key in keys]
    assert keys_after_moves(batch[1:], 2).tolist() == expected[2][:2]
    assert keys_after_moves(batch[1:2], 2).tolist() == []
