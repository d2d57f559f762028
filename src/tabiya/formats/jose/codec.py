"""jose's game texts, both directions: single games for users, many games for databases and archives.

``split`` is how jose stores a game: codes in one column (Bin), texts in another (Comments). ``inline`` is how its
document describes it: each text after its code. The dialect ``document`` has the knight and king moves of the pictures
in that document, which no real data uses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import CorruptError, UnsupportedError, UsageError
from tabiya.formats.comment_fallback import with_words
from tabiya.formats.jose.decode_kernel import read_texts
from tabiya.formats.jose.encode_kernel import write_texts
from tabiya.formats.jose.rich import put_into_words
from tabiya.game import Game, GameBatch
from tabiya.game.annotations.rare_commands import read_with_answers
from tabiya.game.annotations.vocabulary import command_table, language_codes, place_table
from tabiya.game.assemble import assemble
from tabiya.game.tree import fold_tree
from tabiya.game.view import view_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from tabiya.game.annotations.read_comments_kernel import Commands
    from tabiya.game.columns_kernel import BatchBuilder

_LAYOUTS: Final = ("split", "inline")
_DIALECTS: Final = ("jose", "document")
_RICH: Final = 1
_REFUSALS: Final = {
    1: "jose cannot store one of its annotations",
    2: "jose has no code for a move of a third knight, bishop or rook, a second queen or a ninth pawn",
    3: "a move is illegal, and jose cannot store illegal moves",
    4: "its start position is invalid",
    5: "variations are nested more than 4096 deep",
    6: "an annotation refers to a move, or a side of a move, that does not exist",
}
"""By status of a record from ``write_texts``."""


@dataclass(frozen=True, slots=True)
class GameText:
    """The game text of one game, as in the columns of jose's table MoreGame."""

    codes: bytes
    """Bin: a byte or two per move, NAG, comment, variation and result."""
    comments: bytes | None = None
    """Comments: the texts, each with a terminating zero; None if there are none, or in the layout ``inline``."""
    start: str | None = None
    """FEN: the start position, None for the standard one. The codes mean nothing without it."""
    plies: int = 0
    """PlyCount: moves of the main line."""
    attributes: int = 0
    """Attributes: 1 variations, 2 comments or NAGs, 4 errors, 8 castling unlike in classical chess."""


def encode_game_text(game: Game, *, layout: str = "split", dialect: str = "jose") -> GameText:
    """Return the game text of a game: start position, moves, variations, annotations and result.

    Annotations without a code are stored as ``[%…]`` commands inside comments.

    Raises:
        UnsupportedError: jose cannot express the game: a surplus piece of a set-up position moves, a move is
            impossible, or an annotation cannot be placed.
    """
    encoded = encode_games(GameBatch.from_games([game]), layout=layout, dialect=dialect)
    if 0 in encoded.refused:
        raise UnsupportedError(f"jose cannot store this game: {encoded.refused[0]}", game=game.number)
    if encoded.changed:
        raise UnsupportedError("jose cannot store an annotation of this game", game=game.number)
    return encoded[0]


def decode_game_text(
    codes: bytes,
    comments: bytes | None = None,
    *,
    start: str | None = None,
    layout: str = "split",
    dialect: str = "jose",
    strict: bool = True,
) -> Game:
    """Return the game of a game text: start position, moves, annotations and result; other tags are stored elsewhere.

    Moves that leave the own king in check are kept, with a problem: jose stores them.

    Args:
        codes: the column Bin.
        comments: the column Comments, for the layout ``split``.
        start: the column FEN; None for the standard start position.
        layout: ``split`` or ``inline``.
        dialect: ``jose`` or ``document``.
        strict: raise an error for invalid bytes; else the game ends there, with a problem.

    Raises:
        CorruptError: The bytes are invalid; with their offset.
    """
    game = decode_games([codes], [comments], [start], layout=layout, dialect=dialect)[0]
    if strict and any(extra.key == "jose.bin" for extra in game.extras):
        problem = game.problems[0]
        raise CorruptError(f"this game text is invalid: {problem.sentence}", offset=problem.offset)
    game.number = None
    return game


def decode_games(
    codes: Sequence[bytes | None],
    comments: Sequence[bytes | None],
    starts: Sequence[str | bytes | None],
    *,
    layout: str = "split",
    dialect: str = "jose",
    first_number: int = 1,
    by_classes: bool = False,
) -> GameBatch:
    """Return many game texts as one batch. Linear; at most a Python object per game, and none per move or comment.

    ``by_classes`` only costs time: the classes read all commands in comments, not only unusual ones.
    """
    _check(layout, dialect)
    flags = np.zeros(len(codes), np.uint8)
    has_start = np.fromiter((start is not None for start in starts), np.uint8, len(starts))
    texts = _joined(codes), _joined(comments), _joined([s.encode() if isinstance(s, str) else s for s in starts])
    how = layout == "inline", dialect == "document"

    def read(builder: BatchBuilder, commands: Commands) -> None:
        read_texts(builder, *texts[0], *texts[1], *texts[2], has_start, *how, commands, flags)

    builder, _ = read_with_answers(read, by_classes=by_classes)
    return assemble(builder.finish(), first_number=first_number)


@dataclass(frozen=True, slots=True)
class EncodedGames:
    """The game texts of a batch; ``encoded[row]`` is that of one record."""

    codes: bytes
    code_ends: list[int]
    comments: bytes
    comment_ends: list[int]
    plies: list[int]
    attributes: list[int]
    starts: list[str | None]
    simplified: dict[int, GameText] = field(default_factory=dict)
    """Records with annotations that Python had to render as text."""
    refused: dict[int, str] = field(default_factory=dict)
    """Records that jose cannot express, and the reasons."""
    changed: list[int] = field(default_factory=list)
    """Records with an annotation that will not be read back unchanged."""

    def __len__(self) -> int:
        return len(self.plies)

    def __getitem__(self, row: int) -> GameText:
        if row in self.simplified:
            return self.simplified[row]
        texts = self.comments[self.comment_ends[row] : self.comment_ends[row + 1]]
        codes = self.codes[self.code_ends[row] : self.code_ends[row + 1]]
        return GameText(codes, texts or None, self.starts[row], self.plies[row], self.attributes[row])


def encode_games(batch: GameBatch, *, layout: str = "split", dialect: str = "jose") -> EncodedGames:
    """Return the game texts of a batch. Linear; games with annotations that only Python can write are slower."""
    _check(layout, dialect)
    encoded, status, places = _encode(batch, layout, dialect, loose=False)
    rich = np.flatnonzero(status == _RICH)
    for row in np.flatnonzero(status > _RICH).tolist():
        encoded.refused[row] = _refusal(int(status[row]), int(places[row]))
    if len(rich):
        _encode_rich(batch, rich, encoded, layout, dialect)
        encoded.changed.sort()
    return encoded


def _encode(
    batch: GameBatch, layout: str, dialect: str, *, loose: bool
) -> tuple[EncodedGames, NDArray[np.uint8], NDArray[np.int32]]:
    count = len(batch)
    code_ends, text_ends = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    status, attributes = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
    places, plies, changed = np.zeros(count, np.int32), np.zeros(count, np.int32), np.zeros(count, np.uint8)
    codes, texts = write_texts(
        view_of(batch),
        layout == "inline",
        dialect == "document",
        loose,
        command_table(),
        place_table(),
        language_codes(),
        code_ends,
        text_ends,
        status,
        places,
        plies,
        attributes,
        changed,
    )
    starts = batch.record_batch.column("start").to_pylist()
    encoded = EncodedGames(
        codes, code_ends.tolist(), texts, text_ends.tolist(), plies.tolist(), attributes.tolist(), starts
    )
    encoded.changed.extend(np.flatnonzero(changed & (status == 0)).tolist())
    return encoded, status, places


def _encode_rich(batch: GameBatch, rows: NDArray[np.int64], encoded: EncodedGames, layout: str, dialect: str) -> None:
    """Render annotations as text: single ones, or all together; then check whether it is read back unchanged."""
    part = GameBatch(batch.record_batch.take(pa.array(rows)))
    texts, status, _ = _encode(with_words(part), layout, dialect, loose=False)
    for i in np.flatnonzero(status == 0).tolist():
        encoded.simplified[int(rows[i])] = texts[i]
    encoded.changed.extend(rows[texts.changed].tolist())
    rest = np.flatnonzero(status)
    if not len(rest):
        return
    rows = rows[rest]
    games = list(GameBatch(part.record_batch.take(pa.array(rest))))
    expected = [_content(game) for game in games]
    for game in games:
        put_into_words(game)
    texts, status, places = _encode(GameBatch.from_games(games), layout, dialect, loose=True)
    good = [i for i in range(len(games)) if not status[i]]
    found = decode_games(
        [texts[i].codes for i in good],
        [texts[i].comments for i in good],
        [texts[i].start for i in good],
        layout=layout,
        dialect=dialect,
    )
    for i, game in zip(good, found, strict=True):
        row = int(rows[i])
        encoded.simplified[row] = texts[i]
        if _content(game) != expected[i]:
            encoded.changed.append(row)
    for i in np.flatnonzero(status).tolist():
        encoded.refused[int(rows[i])] = _refusal(int(status[i]), int(places[i]))


def _content(game: Game) -> object:
    tape, annotations = fold_tree(game.root)
    annotations.sort(key=lambda pair: (pair[0], pair[1].kind))
    return tape, annotations


def _refusal(status: int, place: int) -> str:
    return f"{_REFUSALS[status]} (token {place} of its moves)" if status in (2, 3, 5) else _REFUSALS[status]


def _joined(values: Iterable[bytes | None]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return values concatenated, and where each begins and the last one ends."""
    parts = [value or b"" for value in values]
    ends = np.zeros(len(parts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)), out=ends[1:])
    return np.frombuffer(b"".join(parts), np.uint8), ends


def _check(layout: str, dialect: str) -> None:
    if layout not in _LAYOUTS:
        raise UsageError(f"no layout of a game text is called {layout!r}; known: {', '.join(_LAYOUTS)}")
    if dialect not in _DIALECTS:
        raise UsageError(f"no dialect of game texts is called {dialect!r}; known: {', '.join(_DIALECTS)}")
