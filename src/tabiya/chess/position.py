"""A position and the rules of chess on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from tabiya.chess.basics import Color, Move, PieceType, Square, all_moves
from tabiya.chess.chess960 import start_fen
from tabiya.chess.fen import fen_error
from tabiya.chess.position_kernel import PositionCore
from tabiya.errors import FormatError, UsageError, shortened

_LETTERS = ".PNBRQK..pnbrqk."
_NO_SQUARE = 64
_USUAL_START = 518
_MOVE_ERRORS = {-1: "{text!r} is not a move", -2: "{text} is not a legal move", -3: "{text} is ambiguous"}
_USUAL_COUNTS = (8, 2, 2, 2, 1, 1)
_LONGEST_QUOTE = 40
_DEEPEST_PERFT = 32
_TOKENS = 0x8000
_UCI = re.compile(r"(?:[a-h][1-8]){2}[nbrqNBRQ]?|0000")


class Position(PositionCore):
    """An immutable position: pieces, side to move, castling rights, en passant square and counters.

    ``Position()`` is the usual start position, ``Position(fen)`` that of a FEN; playing a move returns a new position.
    Equality compares everything in a FEN; :attr:`key` compares positions regardless of counters.
    """

    __slots__ = ()

    def __init__(self, fen: str | None = None, *, chess960: bool = False) -> None:
        """Read a FEN with one to six fields; FormatError reports what is wrong with it.

        Castling rights may be KQkq (with ``chess960`` the outermost rooks, X-FEN) or files (Shredder-FEN, which implies
        ``chess960`` if king or rook are not on their usual squares). Rights without king and rook in place are dropped.
        """
        if fen is None:
            if not chess960:
                return  # the core begins with the usual start position
            fen = start_fen(_USUAL_START)
        elif not isinstance(fen, str):
            raise UsageError(f"a position is made from a FEN, which is a text, not from {fen!r}")
        code, offset = PositionCore.load(self, fen.encode("utf-8", "surrogatepass"), chess960)
        if code:
            raise fen_error(fen, code, offset)

    @classmethod
    def from_fen(cls, fen: str, *, chess960: bool = False) -> Position:
        """Return the position of a FEN: the same as ``Position(fen)``."""
        return cls(fen, chess960=chess960)

    @classmethod
    def chess960_start(cls, number: int) -> Position:
        """Return the Chess960 start position with this number, 0 to 959; 518 is the usual one."""
        return cls.from_fen(start_fen(number), chess960=True)

    def fen(self, *, en_passant: Literal["given", "legal"] = "given") -> str:
        """Return the FEN, with the en passant square as given, or only if a legal capture exists."""
        return self.fen_of(self.ep_given if en_passant == "given" else self.ep_legal)

    @property
    def turn(self) -> Color:
        """The side to move."""
        return Color(self.turn_code)

    @property
    def ep_square(self) -> Square | None:
        """The en passant square as given by the FEN or by the last double step."""
        return None if self.ep_given == _NO_SQUARE else Square(self.ep_given)

    @property
    def legal_ep_square(self) -> Square | None:
        """The en passant square if a pawn can legally capture there."""
        return None if self.ep_legal == _NO_SQUARE else Square(self.ep_legal)

    def piece_at(self, square: Square | int) -> str | None:
        """Return the piece on a square as in FEN, ``N`` for a white knight, ``n`` for a black one; None if empty."""
        code = self.codes()[Square(square)]
        return _LETTERS[code] if code else None

    def legal_moves(self) -> list[Move]:
        """Return all legal moves; the king's first, castling last."""
        return self.legal_from(all_moves())

    def is_legal(self, move: Move | int) -> bool:
        """Return whether the move is legal. The null move is not, although :meth:`play` accepts it."""
        return 0 <= move < _TOKENS and self.is_legal_token(move)

    def play(self, move: Move | int | str) -> Position:
        """Return the position after a legal move or a null move; texts are read by :meth:`parse_san`."""
        token = self.parse_san(move) if isinstance(move, str) else Move(move)
        after = self.after(token)
        if after is None:
            raise self._illegal(token)
        return after

    def _illegal(self, move: Move) -> FormatError:
        return FormatError(f"{move} is not a legal move in {self.fen()}")

    def parse_san(self, text: str) -> Move:
        """Return the legal move that a text names.

        Accepts SAN with more or less disambiguation, with or without check marks, ``e8=Q`` and ``e8Q``, ``O-O`` and
        ``0-0``; long algebraic (``Ng1-f3``), UCI (``g1f3``, castling either way), and the null moves ``--``, ``Z0``,
        ``@@@@``.
        """
        token = self.token_of_san(text.encode("utf-8", "surrogatepass"))
        if token < 0:
            quoted = shortened(text, _LONGEST_QUOTE)
            raise FormatError(f"{_MOVE_ERRORS[token].format(text=quoted)} in {self.fen()}")
        return Move(token)

    def parse_uci(self, text: str) -> Move:
        """Return the legal move that a UCI text names: ``e2e4``, ``e7e8q``, ``0000``."""
        if not _UCI.fullmatch(text):
            raise FormatError(f"{text[:_LONGEST_QUOTE]!r} is not a move in UCI notation")
        return self.parse_san(text)

    def san(self, move: Move | int) -> str:
        """Return a legal move (or the null move, ``--``) in standard algebraic notation, with ``+`` or ``#``."""
        text = self.san_of_token(Move(move))
        if text is None:
            raise self._illegal(Move(move))
        return text

    def uci(self, move: Move | int) -> str:
        """Return a legal move in UCI notation; castling as the king's two steps, or king takes rook in Chess960."""
        move = Move(move)
        if not move.is_null and not self.is_legal_token(move):
            raise self._illegal(move)
        if self._is_castling(move) and not self.chess960:
            source, rook = move.from_square, move.to_square
            return source.text + Square(source & 56 | (6 if rook > source else 2)).text
        return str(move)

    def _is_castling(self, move: Move) -> bool:
        codes = self.codes()
        piece, aim = codes[move.from_square], codes[move.to_square]
        return not move.is_null and piece & 7 == PieceType.KING and aim != 0 and piece >> 3 == aim >> 3

    def problems(self) -> list[str]:
        """Reasons why this position cannot arise in a game, as far as easily detected; empty if there are none."""
        found = []
        codes = self.codes()
        if self.waiting_side_in_check():
            found.append("the side that is not to move is in check")
        for color, name in ((Color.WHITE, "White"), (Color.BLACK, "Black")):
            counts = [codes.count(color << 3 | kind) for kind in PieceType]
            promoted = sum(max(0, count - usual) for count, usual in zip(counts[1:], _USUAL_COUNTS[1:], strict=True))
            if counts[0] + promoted > _USUAL_COUNTS[0]:
                found.append(f"{name} has too many pieces")
        if self.ep_given != self.ep_used:
            found.append("no pawn has just jumped over the en passant square")
        return found

    def perft(self, depth: int) -> int:
        """Return the number of legal move sequences of this length: the usual test of a move generator. Exponential."""
        if not 0 <= depth <= _DEEPEST_PERFT:
            raise FormatError(f"perft depth must be 0 to {_DEEPEST_PERFT}, not {depth}")
        return self.leaves(depth)

    def svg(
        self,
        *,
        size: float = 360,
        flipped: bool = False,
        last_move: Move | int | None = None,
        squares: Mapping[int, str] | None = None,
        arrows: Mapping[tuple[int, int], str] | None = None,
    ) -> str:
        """Return the board as SVG; ``squares`` and ``arrows`` map squares and (from, to) pairs to CSS colours."""
        from tabiya.chess.svg import board_svg  # noqa: PLC0415 - rarely used

        return board_svg(self, size=size, flipped=flipped, last_move=last_move, squares=squares, arrows=arrows)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        """Return the board as text: eight lines, White at the bottom."""
        codes = self.codes()
        ranks = (codes[8 * rank : 8 * rank + 8] for rank in range(7, -1, -1))
        return "\n".join(" ".join(_LETTERS[code] for code in rank) for rank in ranks)

    def __repr__(self) -> str:
        return f"<Position {self.fen()}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.fen(), self.chess960)


def _restore(fen: str, chess960: bool) -> Position:  # noqa: FBT001 - called by pickle and copy only
    return Position(fen, chess960=chess960)
