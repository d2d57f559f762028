"""Compiles a condition into the program that a kernel runs at every position.

A condition becomes questions joined by jumps, one per line of a table, cheap and selective ones first. Parts that
refer to earlier plies (the earlier steps of a sequence, lasting conditions) become separate blocks, which run at every
position before the blocks that refer to them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.errors import UsageError
from tabiya.search.conditions import (
    AllOf,
    AnyOf,
    Condition,
    Instruction,
    Lasting,
    Not,
    Operation,
    Sequence,
    SoFar,
    Turned,
    parts_of,
    plainer,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from numpy.typing import NDArray

INSTRUCTION: Final = np.dtype(
    [
        ("squares", np.uint64),
        ("targets", np.uint64),
        ("low", np.int32),
        ("high", np.int32),
        ("pieces", np.uint16),
        ("captured", np.uint16),
        ("operation", np.uint8),
        ("kind", np.uint8),
        ("color", np.uint8),
        ("promotions", np.uint8),
        ("holds", np.int16),
        ("fails", np.int16),
    ],
    align=True,
)
_HOLDS, _FAILS = -1, -2
_UNLIMITED: Final = 0x3FFFFFFF
_MOST_BLOCKS: Final = 32
_MOST_INSTRUCTIONS: Final = 32_000
_HOME: Final = (0xFF00, 0x00FF000000000000)
_PAWN: Final = 1
_ALL_RESULTS: Final = 0xFFFF
_ALL_SQUARES: Final = (1 << 64) - 1
_ALL_PIECES: Final = (0x7E, 0x7E00)
_MOST_PIECES: Final = 64
_CODES: Final = 16
_LOOKING_BACK: Final = {Operation.EARLIER, Operation.LASTING, Operation.SO_FAR}

_COST: Final = {
    **dict.fromkeys(Operation, 2),
    **dict.fromkeys([Operation.EARLIER, Operation.RESULT, Operation.PLY, Operation.USUAL, Operation.END], 0),
    **dict.fromkeys([Operation.PIECE, Operation.ONLY, Operation.TURN, Operation.MOVE], 1),
    **dict.fromkeys([Operation.COUNT, Operation.PIECES], 3),
    **dict.fromkeys([Operation.SURPLUS, Operation.PAWNS], 4),
    **dict.fromkeys([Operation.CHECK], 5),
    **dict.fromkeys([Operation.EN_PASSANT, Operation.GIVES_CHECK], 6),
    **dict.fromkeys([Operation.MATE, Operation.STALEMATE, Operation.SACRIFICE], 7),
}
"""Order of several questions that must all hold: lower values first."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What every position at which the condition holds must have, given that captured pieces do not return."""

    pawns: tuple[int, int] = (0, 0)
    """Squares with a pawn of White, of Black."""
    pieces: tuple[int, int] = (0, 0)
    """Squares with any piece of White, of Black."""
    pawn_count: tuple[int, int] = (0, 0)
    piece_count: tuple[int, int] = (0, 0)
    results: int = _ALL_RESULTS
    """The results, as a set, of games that can meet the condition."""

    def counted(self) -> Needs:
        """Return these needs with squares counted."""
        return Needs(
            self.pawns,
            self.pieces,
            _each(max, self.pawn_count, tuple(squares.bit_count() for squares in self.pawns)),
            _each(max, self.piece_count, tuple(squares.bit_count() for squares in self.pieces)),
            self.results,
        )

    def __and__(self, other: Needs) -> Needs:
        return Needs(
            _each(int.__or__, self.pawns, other.pawns),
            _each(int.__or__, self.pieces, other.pieces),
            _each(max, self.pawn_count, other.pawn_count),
            _each(max, self.piece_count, other.piece_count),
            self.results & other.results,
        )

    def __or__(self, other: Needs) -> Needs:
        one, two = self.counted(), other.counted()
        return Needs(
            _each(int.__and__, one.pawns, two.pawns),
            _each(int.__and__, one.pieces, two.pieces),
            _each(min, one.pawn_count, two.pawn_count),
            _each(min, one.piece_count, two.piece_count),
            one.results | two.results,
        )


def _each(choose: Any, first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, int]:
    return choose(first[0], second[0]), choose(first[1], second[1])


@dataclass(frozen=True, slots=True)
class _Gate:
    """Requirements for a tree to hold at a position that can be checked at every move."""

    most: tuple[int, int] = (_MOST_PIECES, _MOST_PIECES)
    """Maximum number of pieces of White and of Black."""
    targets: int = _ALL_SQUARES
    """Squares to one of which a piece moves."""
    pieces: tuple[int, ...] = (0,) * _CODES
    """Squares that must contain a piece, by piece code."""

    def __and__(self, other: _Gate) -> _Gate:
        pieces = tuple(map(int.__or__, self.pieces, other.pieces))
        return _Gate(_each(min, self.most, other.most), self.targets & other.targets, pieces)

    def __or__(self, other: _Gate) -> _Gate:
        pieces = tuple(map(int.__and__, self.pieces, other.pieces))
        return _Gate(_each(max, self.most, other.most), self.targets | other.targets, pieces)


def _gate_of(tree: Condition) -> _Gate:
    match tree:
        case AllOf(parts):
            return reduce(_Gate.__and__, map(_gate_of, parts), _Gate())
        case AnyOf(parts) if parts:
            return reduce(_Gate.__or__, map(_gate_of, parts))
        case Instruction(Operation.PIECE | Operation.ONLY):
            return _Gate(pieces=tuple(tree.squares if code == tree.kind else 0 for code in range(_CODES)))
        case Instruction(Operation.MOVE):
            return _Gate(targets=tree.targets)
        case Instruction(Operation.COUNT) if tree.squares == _ALL_SQUARES and tree.pieces in _ALL_PIECES:
            high = min(tree.high, _MOST_PIECES)
            return _Gate(most=(high, _MOST_PIECES) if tree.pieces == _ALL_PIECES[0] else (_MOST_PIECES, high))
    return _Gate()


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled condition."""

    instructions: NDArray[Any]
    begins: NDArray[np.int32]
    """Starts of its blocks; the last block is the condition itself."""
    needs: NDArray[np.uint64]
    """Requirements for the condition to hold at a position or later: squares of White's and of Black's unmoved pawns;
    numbers of pieces and of pawns of each side. And requirements for anything to hold at the position: the maximum
    surplus of pieces of each side; squares to one of which a piece moves; squares of pieces, by piece code.
    """
    results: int
    """A set: games with other results cannot match."""
    values: frozenset[int] = frozenset()
    """The kinds of values that instructions test."""

    @property
    def rows(self) -> NDArray[np.uint8]:
        """The instructions as rows of bytes."""
        count = len(self.instructions)
        rows: NDArray[np.uint8] = self.instructions.view(np.uint8).reshape(count, INSTRUCTION.itemsize)
        return rows


def compiled(condition: Condition) -> Program:
    """Return the program of a condition; UsageError if it is too large."""
    blocks = _Blocks()
    root = blocks.plain(condition, colors=False, files=False)
    blocks.trees.append(root)
    writer = _Writer()
    begins = [writer.write(tree) for tree in blocks.trees]
    _check_length(len(writer.instructions))
    needs = blocks.needs(root).counted()
    homes = (squares & home for squares, home in zip(needs.pawns, _HOME, strict=True))
    return Program(
        writer.table(),
        np.array(begins, np.int32),
        np.array([*homes, *needs.piece_count, *needs.pawn_count, *blocks.gate(needs)], np.uint64),
        needs.results,
        frozenset(each.kind for each in writer.instructions if each.operation is Operation.VALUE),
    )


def _check_length(instructions: int) -> None:
    if instructions > _MOST_INSTRUCTIONS:
        raise UsageError(f"the condition takes more than {_MOST_INSTRUCTIONS:,} instructions: split the search")


@dataclass(slots=True)
class _Blocks:
    """Turns a condition into questions joined by *and*, *or* and *not*; parts for earlier plies go to ``trees``."""

    trees: list[Condition] = field(default_factory=list)
    known: dict[Condition, int] = field(default_factory=dict)
    instructions: int = 0
    """Number of questions so far: a condition may expand into any number."""

    def block(self, tree: Condition) -> int:
        """Return the number of the block for a tree, the same for equal ones."""
        if tree not in self.known:
            if len(self.trees) >= _MOST_BLOCKS - 1:
                raise UsageError(f"the condition looks back at more than {_MOST_BLOCKS - 1} others: split the search")
            self.known[tree] = len(self.trees)
            self.trees.append(tree)
        return self.known[tree]

    def plain(self, condition: Condition, *, colors: bool, files: bool) -> Condition:
        """Return a tree of questions."""
        match condition:
            case Instruction():
                self.instructions += 1
                _check_length(self.instructions)
                return condition.turned(colors=colors, files=files)
            case Turned():
                return self.plain(condition.condition, colors=colors ^ condition.colors, files=files ^ condition.files)
            case AllOf() | AnyOf():
                parts = [self.plain(part, colors=colors, files=files) for part in condition.conditions]
                return type(condition)(tuple(_flat(type(condition), parts)))
            case Not():
                return Not(self.plain(condition.condition, colors=colors, files=files))
            case Lasting():
                block = self.block(self.plain(condition.condition, colors=colors, files=files))
                return Instruction(Operation.LASTING, kind=block, low=condition.plies)
            case SoFar():
                block = self.block(self.plain(condition.condition, colors=colors, files=files))
                return Instruction(Operation.SO_FAR, kind=block)
            case Sequence():
                return self._sequence(condition, colors=colors, files=files)
        return self.plain(plainer(condition), colors=colors, files=files)

    def _sequence(self, sequence: Sequence, *, colors: bool, files: bool) -> Condition:
        (_, tree), *later = self._steps(sequence, None, colors=colors, files=files)
        for within, step in later:
            limit = _UNLIMITED if within is None else min(within, _UNLIMITED)
            earlier = Instruction(Operation.EARLIER, kind=self.block(tree), high=limit)
            tree = AllOf(tuple(_flat(AllOf, (earlier, step))))
        return tree

    def _steps(
        self, sequence: Sequence, limit: int | None, *, colors: bool, files: bool
    ) -> list[tuple[int | None, Condition]]:
        """Return the steps, each with the maximum number of plies since the last one; inner sequences are flattened."""
        steps: list[tuple[int | None, Condition]] = []
        for place, step in enumerate(sequence.steps):
            before = sequence.within if place else limit
            turned_colors, turned_files = colors, files
            while isinstance(step, Turned):
                turned_colors, turned_files = turned_colors ^ step.colors, turned_files ^ step.files
                step = step.condition
            if isinstance(step, Sequence):
                steps += self._steps(step, before, colors=turned_colors, files=turned_files)
            else:
                steps.append((before, self.plain(step, colors=turned_colors, files=turned_files)))
        return steps

    def needs(self, tree: Condition) -> Needs:
        """Return the requirements for positions at which a tree holds."""
        match tree:
            case AllOf(parts):
                return reduce(Needs.__and__, map(self.needs, parts), Needs())
            case AnyOf(parts) if parts:
                return reduce(Needs.__or__, map(self.needs, parts))
            case Instruction(Operation.LASTING):
                return self.needs(self.trees[tree.kind])
            case Instruction(Operation.PIECE | Operation.ONLY):
                black, squares = tree.kind >> 3, tree.squares
                pawns = squares if tree.kind & 7 == _PAWN else 0
                return Needs(_of(black, pawns), _of(black, squares))
            case Instruction(Operation.COUNT, low=low) if low > 0 and not tree.pieces & 1:
                return _needs_of_count(tree.pieces, low)
            case Instruction(Operation.RESULT):
                return Needs(results=tree.pieces)
        return Needs()

    def gate(self, needs: Needs) -> tuple[int, ...]:
        """Return the requirements for anything to hold at a position, as long as nothing has held before it.

        These are the requirements of the first block, if all others need one that has held.
        """
        first, *two = self.trees
        looking_back = all(any(each.operation in _LOOKING_BACK for each in _needed(other)) for other in two)
        gate = _gate_of(first) if looking_back else _Gate()
        surplus = (most - least for most, least in zip(gate.most, needs.piece_count, strict=True))
        return *(max(number, 0) for number in surplus), gate.targets, *gate.pieces


def _flat(kind: type[Condition], parts: Iterable[Condition]) -> Iterator[Condition]:
    """Yield parts, with those of the same kind replaced by their own parts."""
    for part in parts:
        yield from parts_of(part) if isinstance(part, kind) else (part,)


def _needed(tree: Condition) -> list[Instruction]:
    """Return questions that must all hold if a tree does."""
    if isinstance(tree, Instruction):
        return [tree]
    return [part for part in parts_of(tree) if isinstance(part, Instruction)] if isinstance(tree, AllOf) else []


def _of(black: int, value: int) -> tuple[int, int]:
    return (0, value) if black else (value, 0)


def _needs_of_count(pieces: int, low: int) -> Needs:
    if pieces & 0xFF and pieces >> 8:
        return Needs()
    black = int(pieces > 0xFF)
    pawns = low if pieces == 1 << (8 * black + _PAWN) else 0
    return Needs(pawn_count=_of(black, pawns), piece_count=_of(black, low))


@dataclass(slots=True)
class _Writer:
    """Writes trees as questions with jumps, all of which lead forward."""

    instructions: list[Instruction] = field(default_factory=list)
    jumps: list[list[int]] = field(default_factory=list)

    def write(self, tree: Condition) -> int:
        """Write a block and return its start."""
        begin = len(self.instructions)
        holds, fails = self._write(tree)
        self._lead(holds, _HOLDS)
        self._lead(fails, _FAILS)
        return begin

    def _write(self, tree: Condition) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Write a tree; return the open jumps taken if it holds, and those if it fails: (line, which jump)."""
        match tree:
            case Not(condition):
                holds, fails = self._write(condition)
                return fails, holds
            case AllOf(parts) | AnyOf(parts) if parts:
                ends: list[tuple[int, int]] = []
                on: list[tuple[int, int]] = []
                conjunction = isinstance(tree, AllOf)
                for part in sorted(parts, key=_cost):
                    self._lead(on, len(self.instructions))
                    holds, fails = self._write(part)
                    on, off = (holds, fails) if conjunction else (fails, holds)
                    ends += off
                return (on, ends) if conjunction else (ends, on)
            case AllOf() | AnyOf():
                always = self._write(Instruction(Operation.ALWAYS))
                return always if isinstance(tree, AllOf) else always[::-1]
        assert isinstance(tree, Instruction)
        self.instructions.append(tree)
        self.jumps.append([_HOLDS, _FAILS])
        line = len(self.instructions) - 1
        return [(line, 0)], [(line, 1)]

    def _lead(self, ends: list[tuple[int, int]], target: int) -> None:
        for line, which in ends:
            self.jumps[line][which] = target

    def table(self) -> NDArray[Any]:
        """Return the instructions."""
        table = np.zeros(len(self.instructions), INSTRUCTION)
        for name in Instruction.__slots__:
            table[name] = [getattr(instruction, name) for instruction in self.instructions]
        table["holds"], table["fails"] = np.array(self.jumps, np.int16).T
        return table


def _cost(tree: Condition) -> tuple[int, int]:
    """Return the sort key of a part: cheap ones first, and pieces that are not on their start squares first."""
    match tree:
        case Instruction(Operation.PIECE | Operation.ONLY):
            return _COST[tree.operation], (tree.squares & 0xFFFF00000000FFFF == tree.squares) + (tree.kind & 7 != _PAWN)
        case Instruction():
            return _COST[tree.operation], 0
        case Not(condition):
            return _cost(condition)
        case AllOf(parts) | AnyOf(parts) if parts:
            return (min if isinstance(tree, AllOf) else max)(map(_cost, parts))
    return 0, 0
