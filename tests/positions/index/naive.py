"""A position index made slowly: every position of every game in a list, sorted by Python."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from tabiya.chess import Move, Position
from tabiya.game import Game, GameBatch, RecordKind
from tabiya.game.tape import BEGIN, END
from tabiya.positions.index import IndexBuilder, IndexCounts, PositionIndex

PositionRow = tuple[int, int, int, int]
VariationRow = tuple[int, int, int]

PATHS = ("positions-0.parquet", "fences-0.arrow", "variations-0.parquet")


def signed(key: int) -> int:
    return key - (1 << 64) if key >> 63 else key


def key_of(position: Position, *, chess960: bool) -> int:
    """The key that an index has: Polyglot's, in Chess960 with the files of the rooks that may castle."""
    rooks = [8 if rook is None else rook % 8 for rook in position.castling()]
    number = int("".join(str(file) for file in reversed(rooks)), 16)
    return signed(position.key ^ (number * 0x9E3779B97F4A7C15) % (1 << 64) if chess960 else position.key)


def rows_of_game(game: Game, tape: list[int], number: int) -> tuple[list[PositionRow], list[VariationRow]]:
    main: dict[int, PositionRow] = {}
    side: dict[int, VariationRow] = {}
    position = before = game.start_position
    stack: list[tuple[Position, Position]] = []
    chess960 = game.start_position.chess960
    moves = ply = 0
    for token in tape:
        if token == BEGIN:
            stack.append((position, before))
            position = before
        elif token == END:
            position, before = stack.pop()
        else:
            before, position = position, position.play(Move(token))
            if stack:
                key = key_of(position, chess960=chess960)
                side.setdefault(key, (key, number, moves))
            else:
                key = key_of(before, chess960=chess960)
                main.setdefault(key, (key, number, ply, token))
                ply += 1
            moves += 1
    key = key_of(position, chess960=chess960)
    main.setdefault(key, (key, number, ply, -1))
    return list(main.values()), list(side.values())


def naive(batch: GameBatch, first: int = 0) -> tuple[list[PositionRow], list[VariationRow]]:
    """All rows of an index, in order."""
    main: list[PositionRow] = []
    side: list[VariationRow] = []
    tapes = batch.record_batch["moves"].to_pylist()
    for number, (game, tape) in enumerate(zip(batch.games(), tapes, strict=True), start=first):
        if game.kind is RecordKind.GAME and not game.deleted:
            its_main, its_side = rows_of_game(game, tape, number)
            main += its_main
            side += its_side
    return sorted(main), sorted(side)


def build(folder: Path, *batches: GameBatch, first: int = 0, memory: int = 1 << 24, threads: int = 1) -> IndexCounts:
    """Make an index, variations included, in the files ``PATHS`` of a folder."""
    folder.mkdir(exist_ok=True)
    with IndexBuilder(first, memory=memory, threads=threads, variations=True) as builder:
        for batch in batches:
            builder.add(batch)
        return builder.finish(*(folder / name for name in PATHS))


def opened(folder: Path) -> PositionIndex:
    return PositionIndex(*(folder / name for name in PATHS))


def stored(folder: Path, name: str = PATHS[0]) -> list[tuple[int, ...]]:
    """The rows of a file as pyarrow reads them."""
    columns = pq.read_table(folder / name).to_pydict().values()
    return list(zip(*columns, strict=True))
