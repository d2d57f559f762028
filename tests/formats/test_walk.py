"""Every writer follows one walk: annotations come by move and side, whatever their order in the record."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import tabiya
from tabiya.formats.jose.codec import encode_games
from tabiya.game import GameBatch
from tests.formats.corpus import batch_of, note, tape

MOVES = tape("e2e4 ( d2d4 d7d5 ( g8f6 ) ) e7e5 ( c7c5 ) ( e7e6 ( d7d6 ) ) g1f3 b8c6 ( d7d6 )")
AFTER, BEFORE, LATE = 0, 1, 2
TEXT, TEXT_BEFORE, SYMBOLS = 0x02, 0x82, 0x03
NOTES = [
    note(-1, TEXT, b"behind the result", side=LATE),
    note(0, TEXT_BEFORE, b"before the game", side=BEFORE),
    note(0, SYMBOLS, b"\1"),
    note(0, TEXT, b"after e4"),
    note(1, TEXT_BEFORE, b"before d4", side=BEFORE),
    note(2, TEXT, b"after d5"),
    note(2, TEXT, b"late on d5", side=LATE),
    note(3, TEXT, b"after Nf6"),
    note(6, TEXT, b"late on e6", side=LATE),
    note(8, TEXT_BEFORE, b"before Nf3", side=BEFORE),
    note(9, TEXT, b"late on Nc6", side=LATE),
    note(10, SYMBOLS, b"\2"),
]
MOVETEXT = """\
{ before the game } 1. e4 $1 { after e4 } ({ before d4 } 1. d4 d5 { after d5 }
(1... Nf6 { after Nf6 }) { late on d5 }) 1... e5 (1... c5) (1... e6 (1... d6)
{ late on e6 }) { before Nf3 } 2. Nf3 Nc6 (2... d6 $2) { late on Nc6 } 1-0
{ behind the result }"""


def shuffled(seed: int) -> GameBatch:
    """The game with its annotations in another order; those of one move stay as they are among each other."""
    random, moves = Random(seed), [row["move"] for row in NOTES]
    random.shuffle(moves)
    waiting = {move: [row for row in NOTES if row["move"] == move] for move in moves}
    rows = [waiting[move].pop(0) for move in moves]
    return batch_of([{"moves": [], "white": "A"}, {"moves": MOVES, "annotations": rows, "result": 1, "white": "B"}])


def written(path: Path, batch: GameBatch) -> dict[str, bytes]:
    with tabiya.create(path) as writer:
        writer.write(batch)
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


def test_pgn_has_everything_in_its_place(tmp_path: Path) -> None:
    files = written(tmp_path / "a.pgn", shuffled(0))
    assert files["a.pgn"].decode().split("\n\n")[3] == MOVETEXT


@pytest.mark.parametrize("suffix", [".pgn", ".cbh"])
def test_the_order_in_the_record_does_not_matter(suffix: str, tmp_path: Path) -> None:
    results = []
    for seed in range(6):
        (tmp_path / str(seed)).mkdir()
        results.append(written(tmp_path / str(seed) / f"a{suffix}", shuffled(seed)))
    assert all(result == results[0] for result in results)


def test_nor_does_it_in_jose() -> None:
    texts = [encode_games(shuffled(seed)) for seed in range(6)]
    assert not texts[0].simplified  # everything has a place of its own
    assert {text[1] for text in texts} == {texts[0][1]}


@pytest.mark.parametrize("move", [-2, 11, 1 << 20])
@pytest.mark.parametrize(("suffix", "left_out"), [(".cbh", "cbh-left-out-4"), (".jose", "jose-game")])
def test_annotations_without_a_move_are_noticed(move: int, suffix: str, left_out: str, tmp_path: Path) -> None:
    batch = batch_of([{"moves": MOVES, "annotations": [*NOTES, note(move, TEXT, b"lost")]}])
    with tabiya.create(tmp_path / f"a{suffix}") as writer:
        writer.write(batch)
    loss = writer.losses.get(left_out)
    assert loss is not None
    assert loss.count == 1
