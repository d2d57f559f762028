"""Games to and from python-chess (the optional extra ``chess``), by way of PGN.

What python-chess has no fields for is stored in its comments, as commands that it keeps unchanged: clocks, evaluations
and arrows in the spelling that its own methods (``node.clock()``, ``node.eval()``, ``node.arrows()``) read. So a game
comes back unchanged, except for what python-chess cannot store: the order and repeats of NAGs (it keeps a set),
repeated tags, tags with unusual names, blanks at the ends of texts. ``chess_losses`` lists these for a game. Texts put
into a game of python-chess where its own PGN cannot express them (``starting_comment`` in the middle of a line) are
lost on the way back, as they are when python-chess prints the game.

Only its reader and its printer are used, so it does not matter whether a node has one ``comment`` (python-chess 1.11)
or a list of ``comments`` (later versions).
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tabiya.errors import FormatError, UnsupportedError
from tabiya.formats.pgn.text import format_pgn, parse_pgn
from tabiya.formats.pgn.writer import PgnWriter
from tabiya.game import Problem, RecordKind, difference
from tabiya.game.tag_values import parse_result, parse_variant

if TYPE_CHECKING:
    from types import ModuleType

    import chess.pgn

    from tabiya.game import Game

_FROM_PYTHON_CHESS = 0
"""Code of problems reported by python-chess, which has no codes of its own."""


class _WriterForPythonChess(PgnWriter):
    """States the side of comments after variations: python-chess moves them before the variations."""

    _names_sides = True


def _python_chess() -> ModuleType:
    try:
        import chess.pgn  # noqa: PLC0415 - optional
    except ImportError as error:
        raise UnsupportedError("this needs python-chess; install it with: pip install 'tabiya[chess]'") from error
    return chess


def to_chess(game: Game) -> chess.pgn.Game:
    """Return the game as one of python-chess.

    Raises:
        UnsupportedError: The record is not a game, or python-chess is not installed.
        FormatError: A move is not legal, or the start position is invalid.
    """
    python_chess = _python_chess()
    if game.kind is not RecordKind.GAME:
        raise UnsupportedError("python-chess cannot represent texts and undecoded records", game=game.number)
    _ = game.start_position, [node.position for node in game.walk()]  # it must be playable
    text = format_pgn(game, profile="lossless", layout="lines", dialect=None, writer_class=_WriterForPythonChess)
    chess_game: chess.pgn.Game = python_chess.pgn.read_game(io.StringIO(text))
    for name in [name for name in chess_game.headers if name not in game.tags]:
        del chess_game.headers[name]  # python-chess adds missing tags of the seven-tag roster
    return chess_game


def from_chess(chess_game: chess.pgn.Game) -> Game:
    """Return the game of python-chess as one of tabiya. NAGs come in ascending order.

    Raises:
        UnsupportedError: The variant is unknown.
        FormatError: A move is not legal, or the start position is invalid.
    """
    variant = chess_game.headers.get("Variant")
    if variant is not None and parse_variant(variant) is None:
        raise UnsupportedError(f"games of the variant {variant!r} are not supported")
    try:
        text = chess_game.accept(_python_chess().pgn.StringExporter(columns=None))
    except (AssertionError, ValueError) as error:
        raise FormatError(f"python-chess cannot print this game: {error}") from error
    result = chess_game.headers.get("Result", "*")
    if parse_result(result) is None:
        text = f"{text.rstrip().removesuffix(result.rstrip())}*"  # python-chess may write any result here
    game = parse_pgn(text, language="en", strict=False)
    if sum(1 for _ in game.walk()) != _count_moves(chess_game):
        raise FormatError(f"the python-chess game cannot be replayed: {game.problems[0].sentence}")
    game.number = None
    if "Result" not in chess_game.headers:
        game.tags.discard("Result")
    game.problems = [*(Problem(_FROM_PYTHON_CHESS, None, str(error)) for error in chess_game.errors), *game.problems]
    return game


def _count_moves(chess_game: chess.pgn.GameNode) -> int:
    count, waiting = 0, [chess_game]
    while waiting:
        children = waiting.pop().variations
        count += len(children)
        waiting += children
    return count


def chess_losses(game: Game) -> list[str]:
    """Return sentences about what python-chess cannot store of a game; none if it comes back unchanged."""
    return difference(from_chess(to_chess(game)), game)
