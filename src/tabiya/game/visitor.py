"""Visitors: programs that see a game as a sequence of calls, in the order of PGN, as those of python-chess do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from tabiya.chess import Color, Move
from tabiya.errors import FormatError, TabiyaError, UnsupportedError
from tabiya.game.annotations import (
    TEXT_AFTER,
    TEXT_BEFORE,
    UNREADABLE,
    Annotation,
    Profile,
    Side,
    TextEncoding,
    decode_text,
    format_comment,
)
from tabiya.game.node import tape_order
from tabiya.game.record import RecordKind
from tabiya.game.tape import BEGIN, END

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.chess import Position
    from tabiya.game.game import Game
    from tabiya.game.node import Node
    from tabiya.game.tags import Tags

Answer = TypeVar("Answer")


class Skip(Enum):
    """The type of ``SKIP``."""

    SKIP = "skip"

    def __repr__(self) -> str:
        return self.name


SKIP: Final = Skip.SKIP
"""Returned by ``begin_game``, ``end_headers`` or ``begin_variation`` to leave out what follows."""


class GameVisitor(ABC, Generic[Answer]):
    """The base class of visitors; the methods are called in the order of PGN, and do nothing by default.

    Use it with ``tabiya.visit`` or ``Game.accept``. Names and order are those of ``chess.pgn.BaseVisitor``, except that
    positions cannot be changed, so that ``visit_position`` replaces ``visit_board``.
    """

    def begin_game(self) -> Skip | None:
        """Start a game; with SKIP, only ``end_game`` and ``result`` follow."""
        return None

    def visit_header(self, name: str, value: str) -> None:
        """Visit a tag."""

    def end_headers(self) -> Skip | None:
        """End the tags; with SKIP, the moves are neither visited nor decoded into objects."""
        return None

    def visit_position(self, position: Position) -> None:
        """Visit the start position, and the position after each move."""

    def visit_move(self, position: Position, move: Move) -> None:
        """Visit a move and the position before it; castling is king takes own rook, see ``Position.san`` and ``uci``.

        Every move is legal, or the null move.
        """

    def visit_nag(self, nag: int) -> None:
        """Visit a NAG of the last move; in their order, repeats included."""

    def visit_comment(self, comment: str) -> None:
        """Visit a comment as PGN for other programs has it, with commands: ``[%clk 0:09:57] best by test``."""

    def visit_node(self, node: Node) -> None:
        """Visit the node of the last move, after its NAGs and comments: all its annotations, as typed values."""

    def begin_variation(self) -> Skip | None:
        """Start a variation that replaces the last move; with SKIP, only its ``end_variation`` follows."""
        return None

    def end_variation(self) -> None:
        """End a variation."""

    def visit_result(self, result: str) -> None:
        """Visit the result: the text of its tag, or ``*``."""

    def end_game(self) -> None:
        """End the game."""

    @abstractmethod
    def result(self) -> Answer:
        """Return what the visitor has found; called once, after ``end_game``."""

    def handle_error(self, error: TabiyaError) -> None:
        """Handle moves that cannot be read or played, in the place of these moves; raises the error by default.

        If it returns, the rest of the line is left out.
        """
        raise error


def accept(game: Game, visitor: GameVisitor[Answer]) -> Answer:
    """Call the methods of a visitor for a game and return its result; O(moves + annotations)."""
    if enter(game.tags, visitor):
        visit_body(game, visitor)
    return leave(visitor)


def enter(tags: Tags, visitor: GameVisitor[Answer]) -> bool:
    """Begin a game with its tags; return whether the visitor wants its moves."""
    if visitor.begin_game() is SKIP:
        return False
    for name, value in tags.items():
        visitor.visit_header(name, value)
    return visitor.end_headers() is not SKIP


def leave(visitor: GameVisitor[Answer]) -> Answer:
    """End a game; return what the visitor has found."""
    visitor.end_game()
    return visitor.result()


def visit_body(game: Game, visitor: GameVisitor[Answer]) -> None:
    """Visit the moves of a game, and everything attached to them."""
    if game.kind is not RecordKind.GAME:
        visitor.handle_error(UnsupportedError("the record could not be decoded, so it has no moves", game=game.number))
        return
    try:
        start = game.start_position
    except TabiyaError as error:
        error.game = game.number
        visitor.handle_error(error)
        return
    visitor.visit_position(start)
    _Traversal(game, visitor, start).run()


class _Traversal(Generic[Answer]):
    """Follows the moves in and out of variations; open lines are on a stack."""

    def __init__(self, game: Game, visitor: GameVisitor[Answer], start: Position) -> None:
        self._game = game
        self._visitor = visitor
        self._before = self._after = start
        self._lines: list[tuple[Position, Position, list[Annotation], Node | None]] = []
        self._late: list[Annotation] = []
        """Annotations that follow the variations of the last move."""
        self._last: Node | None = None
        self._skipped_to: int | None = None
        """The depth of the line whose rest is left out."""
        self._open = 0

    def run(self) -> None:
        root = self._game.root
        # Without moves nothing separates a comment from one after the result, and it is read as that.
        early = (Side.BEFORE, Side.AFTER) if root.children else (Side.BEFORE, Side.AFTER, Side.LATE)
        self._annotations(root, root.annotations, early)
        for token, node in tape_order(root):
            if token == BEGIN:
                self._begin()
            else:
                if self._skipped_to is None:
                    self._flush()
                if token == END:
                    self._end()
                elif self._skipped_to is None:
                    self._move(node)
        if self._skipped_to is None:
            self._flush()
        self._visitor.visit_result(self._game.tags.get("Result") or "*")
        if root.children:
            self._skipped_to = None
            self._annotations(root, root.annotations, (Side.LATE,))

    def _begin(self) -> None:
        self._open += 1
        if self._skipped_to is not None:
            return
        self._lines.append((self._before, self._after, self._late, self._last))
        self._after, self._late = self._before, []
        if self._visitor.begin_variation() is SKIP:
            self._skipped_to = self._open

    def _end(self) -> None:
        self._open -= 1
        if self._skipped_to is not None:
            if self._open >= self._skipped_to:
                return
            self._skipped_to = None
        self._before, self._after, self._late, self._last = self._lines.pop()
        self._visitor.end_variation()

    def _move(self, node: Node) -> None:
        move = node.move or Move.NULL
        if node.annotations:
            self._annotations(node, node.annotations, (Side.BEFORE,))
        after = self._after.after(move) if self._skipped_to is None else None
        if after is None:
            if self._skipped_to is None:
                self._fail(f"{move} is not a legal move in {self._after.fen()}")
            return
        self._visitor.visit_move(self._after, move)
        self._before, self._after, self._last = self._after, after, node
        self._visitor.visit_position(after)
        if node.annotations:
            for nag in node.nags:
                self._visitor.visit_nag(nag)
            self._annotations(node, node.annotations, (Side.AFTER,))
            self._late = [each for each in node.annotations if _side(each) is Side.LATE]
        self._visitor.visit_node(node)

    def _flush(self) -> None:
        """Visit the annotations that follow the variations of the last move."""
        late, self._late = self._late, []
        if late and self._last is not None:
            self._annotations(self._last, late, (Side.LATE,))

    def _annotations(self, node: Node, annotations: Iterable[Annotation], sides: tuple[Side, ...]) -> None:
        """Visit the comments on some sides of a move; each text is one, the first contains the commands."""
        chosen = [each for each in annotations if _side(each) in sides]
        if not chosen:
            return
        texts = [each for each in chosen if each.kind in (TEXT_AFTER, TEXT_BEFORE)]
        values = [each for each in chosen if each.kind not in (TEXT_AFTER, TEXT_BEFORE, UNREADABLE)]
        encoding, mover = node._text_encoding(), node.color
        for group in ([*values, *texts[:1]], *([text] for text in texts[1:])):
            if comment := _comment(group, encoding=encoding, mover=mover):
                self._visitor.visit_comment(comment)
        for each in chosen:
            if each.kind == UNREADABLE and self._skipped_to is None:
                self._fail(f"this is not a sequence of legal moves: {decode_text(each)}")

    def _fail(self, message: str) -> None:
        self._visitor.handle_error(FormatError(message, game=self._game.number))
        self._skipped_to = self._open


def _side(annotation: Annotation) -> Side:
    return Side.BEFORE if annotation.kind == TEXT_BEFORE else annotation.side


def _comment(annotations: list[Annotation], *, encoding: TextEncoding, mover: Color) -> str:
    return format_comment(annotations, mover=mover, encoding=encoding, profile=Profile.PLAIN).text
