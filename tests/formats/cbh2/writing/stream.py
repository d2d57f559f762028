"""Trees of moves as the words of a move stream (facts page, section 6).

A tree is anything with ``children`` and ``move``, such as a ``Node``; a move is a token of the tape. The board here is
made for this purpose only and knows nothing of legality.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, Protocol, Self, TypeVar

from tests.formats.cbh2.writing import words
from tests.formats.cbh2.writing.words import MoveWord


class CannotBeStoredError(Exception):
    """The facts page has no form for this."""


class Tree(Protocol):
    """A node of a tree of moves."""

    @property
    def children(self) -> Sequence[Self]:
        """The continuations; the first is the main one."""

    @property
    def move(self) -> int | None:
        """The token of the move; None for the root."""


AnyTree = TypeVar("AnyTree", bound=Tree)

USUAL_START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ORDINARY, CHESS960 = b"\x01\x00", b"\x02\x00"
"""Tags of records of moves."""
_LONG, _SHORT = 1, 2
"""Castling rights of White; those of Black are two bits higher."""
_PROMOTIONS: Final = {1: "N", 2: "B", 3: "R", 4: "Q"}


def chessbase_square(square: int) -> int:
    """The number of a square of the tape, which counts along the ranks."""
    return square % 8 * 8 + square // 8


class Board:
    """Pieces by square, and nothing else that changes with the moves."""

    def __init__(self, pieces: list[str], number: int | None = None, *, castling: bool = True) -> None:
        self.pieces = pieces
        self.number = number
        """The number of a Chess960 start position."""
        self.castling = castling
        """Whether words for castling are known."""

    def copy(self) -> Board:
        return Board(self.pieces[:], self.number, castling=self.castling)

    def play(self, token: int) -> int:
        """Play a move of the tape and return its word."""
        if token == 0:
            return words.NULL_MOVE
        source, target = chessbase_square(token & 63), chessbase_square(token >> 6 & 63)
        piece, taken = self.pieces[source], self.pieces[target]
        if piece in "Kk" and taken in "Rr" and piece.isupper() == taken.isupper() and taken:
            return self._castle(source, target)
        promotion = _PROMOTIONS.get(token >> 12, "")
        captured = taken.upper() or "-"
        if piece in "Pp" and source // 8 != target // 8 and not taken:
            captured = "ep"
            self.pieces[target // 8 * 8 + source % 8] = ""
        self.pieces[source] = ""
        self.pieces[target] = (promotion if piece == "P" else promotion.lower()) or piece
        try:
            return words.word_of(MoveWord(piece, source, target, captured, promotion))
        except KeyError as error:
            raise CannotBeStoredError(f"no word for the move {token:#06x}") from error

    def _castle(self, king: int, rook: int) -> int:
        if not self.castling:
            raise CannotBeStoredError("castling in a Chess960 game from a set-up position")
        short, rank = rook > king, king % 8
        king_piece, rook_piece = self.pieces[king], self.pieces[rook]
        self.pieces[king] = self.pieces[rook] = ""
        self.pieces[(6 if short else 2) * 8 + rank] = king_piece
        self.pieces[(5 if short else 3) * 8 + rank] = rook_piece
        return words.castling_word(black=king_piece == "k", short=short, number=self.number)


def pieces_of(placement: str) -> list[str]:
    """The pieces of the first field of a FEN."""
    pieces = [""] * 64
    for row, text in enumerate(placement.split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces[file * 8 + 7 - row] = letter
                file += 1
    return pieces


@cache
def _back_ranks() -> dict[str, int]:
    """The numbers of the 960 start positions, as defined by Scharnagl."""
    knights = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    found = {}
    for number in range(960):
        rest, light = divmod(number, 4)
        rest, dark = divmod(rest, 4)
        rest, queen = divmod(rest, 6)
        rank = [""] * 8
        rank[2 * light + 1] = rank[2 * dark] = "B"
        rank[[file for file in range(8) if not rank[file]][queen]] = "Q"
        free = [file for file in range(8) if not rank[file]]
        for knight in knights[rest]:
            rank[free[knight]] = "N"
        for file, piece in zip([file for file in free if not rank[file]], "RKR", strict=True):
            rank[file] = piece
        found["".join(rank)] = number
    return found


def start_number(fen: str) -> int | None:
    """The number of a Chess960 start position; None if it is another position."""
    placement, turn, rights, passed, *counters = fen.split()
    ranks = placement.split("/")
    whole = "/".join([ranks[0], "p" * 8, "8", "8", "8", "8", "P" * 8, ranks[0].upper()])
    if placement != whole or turn != "w" or passed != "-" or counters[1:] not in ([], ["1"]):
        return None
    if counters[:1] not in ([], ["0"]) or len(rights) != 4:
        return None
    return _back_ranks().get(ranks[7])


def _rights(letters: str, pieces: list[str]) -> int:
    """The castling rights of a FEN, whose letters are KQkq or those of files; each must mean the outermost rook."""
    found = 0
    for letter in letters.replace("-", ""):
        black, rank = letter.islower(), 7 if letter.islower() else 0
        king, rook = ("k", "r") if black else ("K", "R")
        home = next((file for file in range(8) if pieces[file * 8 + rank] == king), None)
        rooks = [file for file in range(8) if pieces[file * 8 + rank] == rook]
        if home is None or not rooks:
            raise CannotBeStoredError(f"the castling right {letter} has no king or no rook")
        if letter in "KQkq":
            short = letter in "Kk"
        else:
            file = ord(letter.lower()) - ord("a")
            short = file > home
            if file != (max(rooks) if short else min(rooks)):
                raise CannotBeStoredError(f"the castling right {letter} does not belong to the outermost rook")
        found |= (_SHORT if short else _LONG) << 2 * black
    return found


def setup_words(fen: str) -> list[int]:
    """Three words and the pieces in the order of squares."""
    placement, turn, rights, passed, *counters = fen.split()
    pieces = pieces_of(placement)
    number = int(counters[1]) if len(counters) > 1 else 1
    file = 0 if passed == "-" else "abcdefgh".index(passed[0]) + 1
    head = [number, _rights(rights, pieces) << 8 | (turn == "b"), file]
    return head + [words.piece_word(piece, square) for square, piece in enumerate(pieces) if piece]


def begin(fen: str | None, *, chess960: bool) -> tuple[bytes, list[int], Board]:
    """The tag of the record, the start section, and the board."""
    number = start_number(fen) if fen is not None and chess960 else None
    if fen is None or number == 518 or (fen.split()[:4] == USUAL_START.split()[:4] and fen.split()[5:] == ["1"]):
        return ORDINARY, [], Board(pieces_of(USUAL_START.split()[0]))
    pieces = pieces_of(fen.split()[0])
    if number is not None:
        return CHESS960, [words.START_SECTION, number], Board(pieces, number)
    if chess960:
        return CHESS960, [words.START_SECTION, words.SETUP_MARK, *setup_words(fen)], Board(pieces, castling=False)
    return ORDINARY, [words.START_SECTION, *setup_words(fen)], Board(pieces)


def move_words(root: AnyTree, board: Board) -> list[int]:
    """The words of all lines, from the one that begins the move section on."""
    found = [words.MOVE_SECTION]
    open_branches: list[tuple[AnyTree, int, Board]] = []
    node, choice = root, 0
    while True:
        while choice < len(node.children):
            later = choice + 1 < len(node.children)
            if later:
                open_branches.append((node, choice + 1, board.copy()))
            child = node.children[choice]
            found.append(board.play(int(child.move or 0)))
            if later:
                found.append(words.SIBLING)
            node, choice = child, 0
        found.append(words.END_OF_LINE)
        if not open_branches:
            return found
        node, choice, board = open_branches.pop()


def game_words(root: Tree, fen: str | None, *, chess960: bool = False) -> tuple[bytes, list[int]]:
    """The tag of the record of a game, and its words."""
    tag, start, board = begin(fen, chess960=chess960)
    return tag, start + move_words(root, board)


def to_bytes(stream: Sequence[int]) -> bytes:
    """The words as they are stored."""
    return b"".join(word.to_bytes(2, "little") for word in stream)


def pgn_order(root: AnyTree) -> Iterator[AnyTree]:
    """All nodes but the root as annotations count them: alternatives follow the move that they replace."""
    todo: list[tuple[AnyTree, bool]] = [(root, True)]
    while todo:
        node, with_rest = todo.pop()
        if not with_rest:
            yield node
            todo.append((node, True))
            continue
        if node.children:
            first, *others = node.children
            yield first
            todo.append((first, True))
            todo += [(other, False) for other in reversed(others)]
