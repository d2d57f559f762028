"""A database with an index in memory, as a library has one, made of batches of any other; and games to ask about."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import chess
import chess.pgn
import numpy as np

from tabiya.formats.subset import EVERYTHING, Subset
from tabiya.positions.game_facts import MainLines, facts_of, main_lines_of
from tabiya.positions.name_table import NameTable
from tabiya.positions.searchable import IndexRows, VariationRows
from tabiya.search.parts import Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tabiya import Database, GameBatch

PLIES = 32_767


@dataclass
class MemorySegment:
    """What a segment of a library offers, from a batch."""

    facts: NDArray[Any]
    lines: MainLines
    first: int = 0
    numbers: NDArray[np.int32] | None = None
    hidden: NDArray[np.bool_] | None = None
    has_positions: bool = True
    has_variations: bool = False
    has_chess960: bool = False

    def __post_init__(self) -> None:
        self.forgotten = 0
        self.cut_rows = np.empty(0, np.int64)
        self._keys, self._rows = Part(self.facts, self.lines, NameTable()).rows(PLIES)

    def find(self, key: int, *, plies: bool = True) -> IndexRows:
        assert self.has_positions
        signed = key - (key >> 63 << 64)
        part = slice(*(int(np.searchsorted(self._keys, signed, side)) for side in ("left", "right")))
        games = self._rows.games[part]
        numbers = games + np.int32(self.first) if self.numbers is None else self.numbers[games]
        return IndexRows(numbers, self._rows.plies[part], self._rows.moves[part])

    def find_variations(self, key: int) -> VariationRows:
        raise NotImplementedError

    def forget_pages(self) -> None:
        self.forgotten += 1


@dataclass
class MemorySearchable:
    """What a library offers."""

    segments: Sequence[MemorySegment]
    names: NameTable


class Indexed(Subset):
    """A database that has an index; its segments are as large as told."""

    def __init__(self, database: Database, *, size: int = 1_000_000, positions: bool = True) -> None:
        super().__init__(database, EVERYTHING, batches=lambda threads: database.batches(threads=threads))
        self._names = NameTable()
        batch = database.read(0, len(database))
        self._segments = [
            segment_of(batch[first : first + size], self._names, first=first, has_positions=positions)
            for first in range(0, len(batch), size)
        ]

    def searchable(self) -> MemorySearchable:
        return MemorySearchable(self._segments, self._names)

    def _headers(self, threads: int) -> Any:
        return self._database.headers(threads=threads)

    def replace(self, numbers: list[int], batch: GameBatch) -> None:
        """Put records in the place of others, as an overlay segment does."""
        for segment in self._segments:
            rows = np.arange(len(segment.facts)) + segment.first if segment.numbers is None else segment.numbers
            segment.hidden = np.isin(rows, numbers) | (False if segment.hidden is None else segment.hidden)
        self._segments.append(segment_of(batch, self._names, numbers=np.array(numbers, np.int32)))


def segment_of(batch: GameBatch, names: NameTable, **told: Any) -> MemorySegment:
    lines = main_lines_of(batch)
    return MemorySegment(facts_of(batch, names, lines), lines, **told)


PLAYERS = ["Müller, Hans", "Carlsen, M", "O'Kelly", "So, W", None]
EVENTS = ["Wijk", "Open, Reykjavík", "Blitz Arena", None]
TIMES = ["300+3", "40/7200:3600", "60", "1/259200", None]
CODES = ["B90", "B99", "C65", "A00", "B90a", None]
DATES = ["2019.05.17", "2020.??.??", "2020.06.??", "1999.12.31", "????.??.??", "????.02.03", "2021.01.01"]
RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]
ENDGAME = "8/2k5/8/8/3p4/8/2P1K3/8 w - - 0 1"


def random_game(generator: random.Random) -> chess.pgn.Game:
    """A game of few different moves, so that games meet again, with headers of which many are missing."""
    game = chess.pgn.Game()
    board = game.board()
    if generator.random() < 0.1:
        game.setup(ENDGAME)
        board = chess.Board(ENDGAME)
    node: Any = game
    for _ in range(generator.randrange(14)):
        moves = sorted(board.legal_moves, key=lambda move: (not board.is_capture(move), move.uci()))[::7]
        if not moves:
            break
        move = moves[min(int(generator.expovariate(1.2)), len(moves) - 1)]
        if generator.random() < 0.1:
            node.add_variation(generator.choice(list(board.legal_moves)))
            node = node.add_main_variation(move)
        else:
            node = node.add_variation(move)
        board.push(move)
    fields: dict[str, Sequence[str | None]] = {
        **dict.fromkeys(["White", "Black"], PLAYERS),
        **dict.fromkeys(["Event", "Site"], EVENTS),
        "TimeControl": TIMES,
        "ECO": CODES,
        "Date": DATES,
        "Annotator": ["Ann", None],
    }
    for name, values in fields.items():
        value = generator.choice(values)
        game.headers.pop(name, None)
        if value is not None:
            game.headers[name] = value
    for name in ("WhiteElo", "BlackElo"):
        if generator.random() < 0.7:
            game.headers[name] = str(generator.choice([2400, 2500, 2600, 2700]))
    game.headers["Result"] = generator.choice(RESULTS)
    return game


def random_games(count: int, seed: int = 1) -> list[chess.pgn.Game]:
    generator = random.Random(seed)
    return [random_game(generator) for _ in range(count)]


def pgn_of(games: Sequence[chess.pgn.Game]) -> str:
    return "\n\n".join(str(game) for game in games) + "\n"
