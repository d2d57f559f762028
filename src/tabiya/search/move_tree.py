"""The first moves of the games of a player as a tree, with the player's score after each move.

A game is in one branch at every depth, so numbers add up; other move orders are in other branches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow.compute as pc

from tabiya.chess import Move, Position
from tabiya.errors import UsageError
from tabiya.openings import opening_at
from tabiya.search.score import Score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from tabiya.openings import Opening
    from tabiya.search.parts import Part

_DEEPEST: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeMove(Score):
    """A move of the first moves of games, with the player's score and the moves that follow it."""

    san: str
    uci: str
    ply: int
    """Number of half-moves before it."""
    opening: Opening | None
    """The name of the position after the move, if it has one."""
    replies: tuple[TreeMove, ...]
    """Most frequent first."""

    def to_dict(self) -> dict[str, Any]:
        """Return the move and its replies for JSON."""
        opening = None if self.opening is None else {"eco": self.opening.eco, "name": self.opening.name}
        values = {"san": self.san, "uci": self.uci, "opening": opening, **Score.to_dict(self)}
        return {**values, "moves": [each.to_dict() for each in self.replies]}


@dataclass(slots=True, eq=False)
class _Branch:
    """Games that share the same first moves."""

    position: Position
    """The position before the last of these moves."""
    move: int
    ply: int
    rows: NDArray[np.int64]
    parent: _Branch | None
    replies: list[TreeMove] = field(default_factory=list)

    def after(self) -> Position:
        """Return the position after the moves."""
        return self.position if self.parent is None else self.position.play(Move(self.move))


def move_tree(
    part: Part, score: Callable[[NDArray[np.int64]], Score], *, depth: int, min_share: float
) -> tuple[TreeMove, ...]:
    """Return the first moves of games, most frequent first, and their replies.

    Games from set-up positions are left out.

    Args:
        part: the games.
        score: returns the player's score in some of them, by their rows.
        depth: maximum number of half-moves.
        min_share: minimum share of all these games that a line must have, from 0 to 1.
    """
    if not 0 <= depth <= _DEEPEST:
        raise UsageError(f"the depth of a tree of moves must be from 0 to {_DEEPEST}, not {depth}")
    if not 0 <= min_share <= 1:
        raise UsageError(f"the least share of games must be from 0 to 1, not {min_share}")
    usual = pc.is_null(part.lines.starts).to_numpy(zero_copy_only=False)
    rows = np.intersect1d(part.games(), np.flatnonzero(usual))
    least = max(1, math.ceil(len(rows) * min_share))
    root = _Branch(Position(), 0, 0, rows, None)
    branches = [root]
    for branch in branches:  # the list grows during the loop
        if branch.ply < depth:
            branches += _next(branch, part, least)
    for branch in reversed(branches):  # replies come after their move in the list
        branch.replies.reverse()
        if branch.parent is not None:
            branch.parent.replies.append(_tree_move(branch, score(branch.rows)))
    return tuple(root.replies)


def _next(branch: _Branch, part: Part, least: int) -> Iterator[_Branch]:
    """Yield the replies of a branch that have enough games."""
    lines, position = part.lines, branch.after()
    places = lines.ends[branch.rows] + branch.ply
    going_on = places < lines.ends[branch.rows + 1]
    rows, tokens = branch.rows[going_on], lines.moves[places[going_on]]
    moves, games = np.unique(tokens, return_counts=True)
    for place in np.lexsort((moves, -games)).tolist():
        token = int(moves[place])
        if games[place] >= least and (token == 0 or position.is_legal(token)):
            yield _Branch(position, token, branch.ply + 1, rows[tokens == token], branch)


def _tree_move(branch: _Branch, score: Score) -> TreeMove:
    return TreeMove(
        **{name: getattr(score, name) for name in Score.__dataclass_fields__},
        san=branch.position.san(branch.move),
        uci=branch.position.uci(branch.move),
        ply=branch.ply - 1,
        opening=opening_at(branch.after().key),
        replies=tuple(branch.replies),
    )
