"""The moves of a game as pieces of text in reading order: the basis of ``str(game)`` and the HTML view.

This is for display. The PGN format defines the exact text form of a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from tabiya.chess import Move, Position
from tabiya.errors import TabiyaError
from tabiya.game.annotations import (
    TEXT_AFTER,
    TEXT_BEFORE,
    UNREADABLE,
    Annotation,
    Side,
    decode_text,
    format_nag,
)
from tabiya.game.node import tape_order
from tabiya.game.record import RecordKind
from tabiya.game.tape import BEGIN, END

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tabiya.game.game import Game
    from tabiya.game.node import Node

_LINE_WIDTH: Final = 80
_GLUED_NAGS: Final = range(1, 7)


class SpanKind(Enum):
    """The kind of a piece of movetext."""

    NUMBER = "number"
    MOVE = "move"
    NAG = "nag"
    TEXT = "text"
    UNREADABLE = "unreadable"
    OPEN = "open"
    CLOSE = "close"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of movetext; ``depth`` counts the variations around it, ``nag`` is set for NAGs."""

    kind: SpanKind
    text: str
    depth: int = 0
    nag: int = 0


class _Replay:
    """Follows a tape on the board, in and out of variations; after an illegal move the line has no board."""

    def __init__(self, game: Game) -> None:
        self._after: Position | None
        try:
            self._after = game.start_position
        except TabiyaError:
            self._after = None
        start = self._after or Position()
        self._first_half_move = 2 * (start.fullmove_number - 1) + start.turn
        self._before = self._after
        self._stack: list[tuple[Position | None, Position | None]] = []

    @property
    def depth(self) -> int:
        return len(self._stack)

    def step(self, token: int) -> str:
        """Take the next token and return the SAN of a move, or its squares if it is illegal."""
        if token == BEGIN:
            self._stack.append((self._before, self._after))
            self._after = self._before
        elif token == END:
            self._before, self._after = self._stack.pop()
        else:
            return self._play(Move(token))
        return ""

    def _play(self, move: Move) -> str:
        self._before, self._after = self._after, None
        if self._before is None:
            return str(move)
        try:
            self._after = self._before.play(move)
        except TabiyaError:
            return str(move)
        return self._before.san(move)

    def number(self, node: Node) -> tuple[str, bool]:
        """Return the printed number of a move, and whether White made it."""
        half_move = self._first_half_move + node.ply - 1
        white = half_move % 2 == 0
        return f"{half_move // 2 + 1}{'.' if white else '...'}", white


def label_moves(game: Game) -> list[str]:
    """Return every move of a game with its number, ``12.Nf3`` or ``12...Nf6``, in tape order; O(moves)."""
    replay = _Replay(game)
    labels = []
    for token, node in tape_order(game.root):
        san = replay.step(token)
        if token < BEGIN:
            labels.append(replay.number(node)[0] + san)
    return labels


def spans(game: Game) -> Iterator[Span]:
    """Yield the movetext piece by piece; O(moves + annotations)."""
    replay = _Replay(game)
    late: list[list[Span]] = [[]]  # per open line: spans that follow the variations of its last move
    number_needed = True
    yield from _texts(game.annotations, 0, (Side.AFTER, Side.BEFORE))
    for token, node in tape_order(game.root):
        if token != BEGIN and late[-1]:
            yield from late[-1]
            late[-1] = []
            number_needed = True
        depth = replay.depth
        san = replay.step(token)
        if token == BEGIN:
            late.append([])
            number_needed = True
            yield Span(SpanKind.OPEN, "(", depth + 1)
        elif token == END:
            late.pop()
            number_needed = True
            yield Span(SpanKind.CLOSE, ")", depth)
        else:
            before = list(_texts(node.annotations, depth, (Side.BEFORE,)))
            yield from before
            number, white = replay.number(node)
            if white or number_needed or before:
                yield Span(SpanKind.NUMBER, number, depth)
            yield Span(SpanKind.MOVE, san, depth)
            for nag in node.nags if node.annotations else ():
                yield Span(SpanKind.NAG, format_nag(nag), depth, nag)
            after = list(_texts(node.annotations, depth, (Side.AFTER,)))
            yield from after
            late[-1] = list(_texts(node.annotations, depth, (Side.LATE,)))
            number_needed = bool(after)
    yield from late[-1]
    yield Span(SpanKind.RESULT, game.tags.get("Result") or "*")
    yield from _texts(game.annotations, 0, (Side.LATE,))


def _texts(annotations: Iterable[Annotation], depth: int, sides: tuple[Side, ...]) -> Iterator[Span]:
    for annotation in annotations:
        side = Side.BEFORE if annotation.kind == TEXT_BEFORE else annotation.side
        if side in sides:
            if annotation.kind in (TEXT_AFTER, TEXT_BEFORE):
                yield Span(SpanKind.TEXT, decode_text(annotation), depth)
            elif annotation.kind == UNREADABLE:
                yield Span(SpanKind.UNREADABLE, decode_text(annotation), depth)


def format_game(game: Game) -> str:
    """Return a game as text similar to PGN: tags, then moves with variations, NAGs and texts, wrapped."""
    lines = [f'[{name} "{_escape(value)}"]' for name, value in game.tags.items()]
    if game.kind is RecordKind.TEXT:
        lines += ["", *(f"{{{text.title}}}" for text in game.texts)]
    elif game.kind is RecordKind.GAME:
        lines += ["", *_wrap(_words(game))] if lines else _wrap(_words(game))
    return "\n".join(lines)


def _escape(value: str) -> str:
    return " ".join(value.splitlines()).replace("\\", "\\\\").replace('"', '\\"')


def _words(game: Game) -> Iterator[str]:
    """Yield the movetext in words between which lines may break."""
    word = ""  # the unfinished word: symbols and brackets are joined to their neighbours
    for span in spans(game):
        if span.kind is SpanKind.CLOSE or span.nag in _GLUED_NAGS:
            word += span.text
            continue
        if word and word[-1] not in "(.":
            yield word
            word = ""
        if span.kind in (SpanKind.TEXT, SpanKind.UNREADABLE):
            *words, word = f"{word}{{{' '.join(span.text.split())}}}".split(" ")
            yield from words
        else:
            word += f"${span.nag}" if span.nag else span.text
    yield word


def _wrap(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _LINE_WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line
