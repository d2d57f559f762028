"""The lines of a book as a game: a tree of moves with the data of the book as comments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabiya.books.book import as_position
from tabiya.books.entry import Recommendation
from tabiya.books.walk import START, walk_book
from tabiya.books.writer import lost
from tabiya.formats.losses import LossReport
from tabiya.game import Game

if TYPE_CHECKING:
    from collections.abc import Container, Hashable

    from tabiya.books.book import Book, PositionLike
    from tabiya.books.entry import Entry
    from tabiya.chess import Position
    from tabiya.game import Node

_UNREACHED = "positions that no line from the start reaches"
_TRANSPOSES = ("transposes mirrored", "transposes")
"""Transposition to a mirror image of a position that is expanded elsewhere (colours or wings), or to itself."""


@dataclass(frozen=True, slots=True)
class BookLines:
    """A book as a game."""

    game: Game
    positions: int
    moves: int
    losses: LossReport


def book_lines(
    book: Book,
    *,
    start: PositionLike = START,
    any_move: bool = False,
    max_ply: int = 60,
    max_moves: int = 1_000_000,
) -> BookLines:
    """Expand a book into a game: the best move of every position is the main line, the others are variations.

    A position reached by several lines is expanded where it is reached first, in short lines before long ones;
    elsewhere a comment notes that the line transposes, or that its mirror image does: CTG books do not distinguish
    them. Statistics become comments, symbols remain symbols.

    Args:
        book: the book.
        start: the first position of the lines.
        any_move: follow any legal move into positions of the book, as ``walk_book`` does.
        max_ply: maximum length of lines.
        max_moves: maximum number of moves in the game, the first ones from the start.
    """
    root = as_position(start)
    game = Game({"Event": f"Lines of {book.path.name}", "Result": "*"}, start=None if root == START else root)
    seen: dict[Hashable, int] = {book.identity(root): root.key}
    level: list[tuple[Node, Position]] = [(game.root, root)]
    positions = moves = cut = unplayable = 0
    leads: dict[int, list[Entry]] = {}
    for place, found in walk_book(book, [root], any_move=True) if any_move else ():
        if found[0].transposition:
            leads.setdefault(place.key, []).append(found[0])
    for ply in range(max_ply + 1):
        following: list[tuple[Node, Position]] = []
        for node, position in level:
            known = book.probe(position)
            entries = [*known, *leads.get(position.key, ())]
            if ply == max_ply or moves + len(entries) > max_moves:
                cut += len(entries)
                continue
            positions += bool(known)
            unplayable += book.unplayable(position)
            moves += len(entries)
            for entry in entries:
                child, after = node.add(entry.move), position.play(entry.move)
                unfolded = seen.get(book.identity(after))
                _annotate(child, entry, "" if unfolded is None else _TRANSPOSES[unfolded == after.key])
                if unfolded is None:
                    seen[book.identity(after)] = after.key
                    following.append((child, after))
        level = following
    losses = [lost("moves", "moves beyond the limits", cut)] if cut else []
    if unplayable:
        losses.append(lost("illegal_moves", "moves that are not legal in their position", unplayable))
    if unreached := _unreached(book, seen, positions):
        text = "positions beyond the limits, or that no line reaches" if cut else _UNREACHED
        losses.append(lost("positions", text, unreached))
    return BookLines(game, positions, moves, LossReport.of(losses))


def _unreached(book: Book, seen: Container[Hashable], positions: int) -> int:
    """Return how many positions of the book, with moves, were not reached."""
    if book.format.keeps.places != "positions":
        return len(book) - positions
    return sum(book.identity(position) not in seen and bool(book.probe(position)) for position in book.positions())


def _annotate(node: Node, entry: Entry, transposes: str) -> None:
    if entry.nag:
        node.nags.append(entry.nag)
    if entry.comment:
        node.nags.append(entry.comment)
    parts = describe_entry(entry) + ([transposes] if transposes else [])
    if parts:
        node.text = ", ".join(parts)


def describe_entry(entry: Entry) -> list[str]:
    """Return the data of a move as text; results are those of the side that moves."""
    if entry.transposition:
        return ["not a move of the book"]
    parts = []
    if entry.games is not None:
        parts.append(f"{entry.games} game{'' if entry.games == 1 else 's'}")
    if entry.wins is not None and entry.score is not None:
        parts.append(f"+{entry.wins} ={entry.draws} -{entry.losses}, {100 * entry.score:.1f}%")
    if entry.rating is not None:
        parts.append(f"Elo {entry.rating:.0f}")
    if entry.performance is not None:
        parts.append(f"performance {entry.performance:.0f}")
    if entry.games is None:
        parts.append(f"weight {entry.weight}")
    if entry.priority is not None:
        parts.append(f"priority {entry.priority}")
    if entry.learning:
        parts.append(f"learning data {entry.learning}")
    if entry.recommendation:
        if entry.recommendation & Recommendation.MAIN:
            parts.append("main move")
        if entry.recommendation & Recommendation.AVOID:
            parts.append("not for tournaments")
        if unknown := int(entry.recommendation) & ~int(Recommendation.MAIN | Recommendation.AVOID):
            parts.append(f"mark {unknown:#04x}")
    return parts
