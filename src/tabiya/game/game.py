"""A game: one record of a database, as objects for reading, editing and display."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, TypeVar

from tabiya.chess import Color, Move, Position
from tabiya.errors import FormatError, UsageError
from tabiya.game.node import Node
from tabiya.game.record import RecordKind, Result, Variant
from tabiya.game.tag_property import TagProperty
from tabiya.game.tag_values import (
    Date,
    date_of,
    elo_of,
    format_elo,
    format_result,
    format_variant,
    parse_date,
    parse_elo,
    parse_result,
    parse_variant,
    result_of,
    text_of,
    variant_of,
)
from tabiya.game.tags import Tags
from tabiya.game.tree import fold_tree, unfold_tree
from tabiya.lazy import borrowed

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping

    import chess.pgn

    from tabiya.game.annotations import Annotation
    from tabiya.game.record import Extra, GuidingText, Problem
    from tabiya.game.visitor import GameVisitor

Answer = TypeVar("Answer")

_USUAL_START = Position()


class Game:
    """Tags, a start position, a tree of moves and annotations.

    Names, ratings, result, date, variant and start position are stored only in the tags: the properties of these names
    read and write tags. Games are equal if their content is: ``difference`` defines the content.
    """

    __slots__ = (
        "_last_position",
        "_start",
        "_tags",
        "deleted",
        "extras",
        "kind",
        "number",
        "problems",
        "root",
        "source",
        "source_number",
        "texts",
    )

    def __init__(
        self, tags: Tags | Mapping[str, str] | Iterable[tuple[str, str]] = (), *, start: Position | str | None = None
    ) -> None:
        """Create a game without moves.

        Args:
            tags: Names and texts, in order.
            start: A position or a FEN to start from, if it is not the usual one.
        """
        self.kind = RecordKind.GAME
        self.number: int | None = None
        """The number in the database, counted from 1."""
        self.source: str | None = None
        """In a collection of several databases: the database it came from ..."""
        self.source_number: int | None = None
        """... and its number there."""
        self.deleted = False
        """Whether it is marked as deleted in its database."""
        self.tags = Tags(tags)
        self.root = Node(self, None, Move.NULL)
        """The node before the first move."""
        self.texts: list[GuidingText] = []
        self.extras: list[Extra] = []
        self.problems: list[Problem] = []
        """Problems that the reader had to repair."""
        self._start: tuple[str | None, Variant, Position] | None = None
        self._last_position: tuple[Node, Position] | None = None
        if start is not None:
            self.start = start

    # Values of tags.

    @property
    def tags(self) -> Tags:
        """All tags; a dictionary can be assigned."""
        return self._tags

    @tags.setter
    def tags(self, tags: Tags | Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
        self._tags = tags if isinstance(tags, Tags) else Tags(tags)

    white = TagProperty("White", str, text_of)
    black = TagProperty("Black", str, text_of)
    event = TagProperty("Event", str, text_of)
    site = TagProperty("Site", str, text_of)
    round = TagProperty("Round", str, text_of)
    annotator = TagProperty("Annotator", str, text_of)
    eco = TagProperty("ECO", str, text_of)
    white_elo: TagProperty[int, int | str] = TagProperty(
        "WhiteElo",
        parse_elo,
        lambda elo: format_elo(elo_of(elo)),
        "White's rating; None if there is no such tag or its text is not a rating. Numbers and texts can be assigned.",
    )
    black_elo: TagProperty[int, int | str] = TagProperty(
        "BlackElo",
        parse_elo,
        lambda elo: format_elo(elo_of(elo)),
        "Black's rating; None if there is no such tag or its text is not a rating. Numbers and texts can be assigned.",
    )
    result: TagProperty[Result, Result | str] = TagProperty(
        "Result",
        parse_result,
        lambda result: format_result(result_of(result)),
        'The result; None if there is no such tag or its text is not a result. Texts can be assigned: ``"1-0"``.',
    )
    date: TagProperty[Date, Date | dt.date | str] = TagProperty(
        "Date",
        parse_date,
        lambda date: str(date_of(date)),
        'The date, as far as known; None if there is no such tag or its text is not a date. Texts, ``"2023.05"``, and '
        "dates of Python can be assigned.",
    )

    @property
    def variant(self) -> Variant:
        """The rules; STANDARD also if the tag names unknown rules (the game is OPAQUE then)."""
        text = self.tags.get("Variant")
        return (None if text is None else parse_variant(text)) or Variant.STANDARD

    @variant.setter
    def variant(self, variant: Variant | str) -> None:
        self._set_tag("Variant", format_variant(variant_of(variant)))

    @property
    def start(self) -> str | None:
        """The FEN of the start position in its tag; None is the usual start position. Positions can be assigned, too.

        Setting it does not check the moves: if they are illegal then, accessing their positions raises an error.
        """
        return self.tags.get("FEN")

    @start.setter
    def start(self, start: Position | str | None) -> None:
        if isinstance(start, Position):
            self.variant = Variant.CHESS960 if start.chess960 else Variant.STANDARD
            fen: str | None = start.fen()
        elif start is None or isinstance(start, str):
            fen = start
            if fen is not None:
                Position.from_fen(fen, chess960=self.variant is Variant.CHESS960)
        else:
            raise UsageError(f"a game starts from a FEN or a position, not from {start!r}")
        self._set_tag("SetUp", None if fen is None else "1")
        self._set_tag("FEN", fen)

    def _set_tag(self, name: str, text: str | None) -> None:
        if text is None:
            self.tags.discard(name)
        else:
            self.tags[name] = text

    @property
    def start_position(self) -> Position:
        """The position before the first move; FormatError if its FEN is invalid."""
        fen, variant = self.start, self.variant
        known = self._start
        if known is not None and known[0] == fen and known[1] is variant:
            return known[2]
        if fen is None and variant is Variant.STANDARD:
            position = _USUAL_START
        else:
            text = _USUAL_START.fen() if fen is None else fen
            position = Position.from_fen(text, chess960=variant is Variant.CHESS960)
        self._start = (fen, variant, position)
        self._last_position = None
        return position

    # The tree.

    @property
    def annotations(self) -> list[Annotation]:
        """The annotations of the whole record, which are those of the root."""
        return self.root.annotations

    def mainline(self) -> Iterator[Node]:
        """Yield the nodes of the main line, from the first move on."""
        return self.root.mainline()

    def walk(self) -> Iterator[Node]:
        """Yield every node except the root in the order of PGN: a move, its variations, the next move."""
        return self.root.walk()

    def end(self) -> Node:
        """Return the last node of the main line; the root if there are no moves."""
        return self.root.end()

    def accept(self, visitor: GameVisitor[Answer]) -> Answer:
        """Call the methods of a visitor in the order of PGN, and return its result; see ``tabiya.visit``."""
        from tabiya.game.visitor import accept  # noqa: PLC0415 - rarely used

        return accept(self, visitor)

    # The game as a value.

    def copy(self) -> Game:
        """Return a game of equal content that shares no mutable objects."""
        game = Game(self.tags)
        game.kind, game.number, game.deleted = self.kind, self.number, self.deleted
        game.texts, game.extras, game.problems = self.texts[:], self.extras[:], self.problems[:]
        unfold_tree(game.root, *fold_tree(self.root))
        return game

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # Flat, because pickle recurses into a tree.
        tape, annotations = fold_tree(self.root)
        state = (self.kind, self.number, self.deleted, self.texts, self.extras, self.problems)
        return _restore, (self.tags.items(), array("H", tape), annotations, state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        from tabiya.game.differences import same_content  # noqa: PLC0415 - it needs this module

        return self is other or same_content(self, other)

    __hash__ = None  # type: ignore[assignment]  # games are mutable

    # Display.

    def __repr__(self) -> str:
        label = "Game" if self.number is None else f"Game {self.number}"
        if self.kind is RecordKind.TEXT:
            title = self.texts[0].title if self.texts else ""
            return f"<{label}: text {title!r}>"
        players = f"{self.tags.get('White', '?')} – {self.tags.get('Black', '?')}"
        if self.kind is RecordKind.OPAQUE:
            return f"<{label}: {players}, not decoded>"
        moves = self._count_full_moves()
        return f"<{label}: {players}, {self.tags.get('Result', '*')}, {moves} move{'' if moves == 1 else 's'}>"

    def _count_full_moves(self) -> int:
        try:
            black_starts = self.start_position.turn is Color.BLACK
        except FormatError:
            black_starts = False
        return (self.end().ply + black_starts + 1) // 2

    def __str__(self) -> str:
        """Return the game as text similar to PGN; ``to_pgn`` returns PGN."""
        from tabiya.game.movetext import format_game  # noqa: PLC0415 - only for display

        return format_game(self)

    def _repr_html_(self) -> str:
        from tabiya.game.html import game_html  # noqa: PLC0415 - only for display

        return game_html(self)

    def _repr_mimebundle_(self, **_: object) -> Any:
        """Show a widget in notebooks, if anywidget is installed; the HTML is shown where there is none."""
        from tabiya.game.html import widget  # noqa: PLC0415 - only for display

        return widget(self)

    # PGN.

    def to_pgn(self, *, profile: str = "lossless", layout: str = "export", dialect: str | None = None) -> str:
        """Return the complete game as PGN; ``Game.from_pgn`` returns an equal game.

        Args: profile: ``lossless``, or ``plain`` for programs that do not know tabiya; it leaves out what they do not
        read, and ``tabiya.create("game.pgn", profile="plain")`` counts that. layout: ``export``, or ``lines`` for all
        moves in one line. dialect: the spelling of values in the plain profile: ``lichess``, ``chessbase`` or ``scid``.
        """
        text: str = borrowed("formats.pgn.text.format_pgn")(self, profile=profile, layout=layout, dialect=dialect)
        return text

    @classmethod
    def from_pgn(cls, text: str, *, language: str = "en", strict: bool = False) -> Game:
        """Return the only game of a PGN text; its ``problems`` list what had to be repaired.

        Args:
            text: tags and moves, or only moves.
            language: the language of the letters for pieces, such as ``de``.
            strict: raise an error at the first problem.

        Raises:
            FormatError: The text contains no game, or several.
            CorruptError: There is a problem, and ``strict`` is set.
        """
        game: Game = borrowed("formats.pgn.text.parse_pgn")(text, language=language, strict=strict)
        return game

    # python-chess.

    def to_chess(self) -> chess.pgn.Game:
        """Return this game as one of python-chess (``pip install tabiya[chess]``).

        Annotations become comments, where ``node.clock()``, ``node.eval()`` and ``node.arrows()`` find them.
        ``tabiya.formats.pgn.python_chess.chess_losses`` lists the few losses of a round trip.

        Raises:
            UnsupportedError: The record is not a game, or python-chess is not installed.
            FormatError: A move is illegal, or the start position is invalid.
        """
        converted: chess.pgn.Game = borrowed("formats.pgn.python_chess.to_chess")(self)
        return converted

    @classmethod
    def from_chess(cls, game: chess.pgn.Game) -> Game:
        """Return the game of python-chess as one of tabiya.

        Raises:
            UnsupportedError: tabiya does not support its variant.
            FormatError: A move is illegal, or the start position is invalid.
        """
        converted: Game = borrowed("formats.pgn.python_chess.from_chess")(game)
        return converted


def _restore(
    tags: list[tuple[str, str]], tape: array[int], annotations: list[tuple[int, Annotation]], state: tuple[Any, ...]
) -> Game:
    game = Game(tags)
    game.kind, game.number, game.deleted, game.texts, game.extras, game.problems = state
    unfold_tree(game.root, tape, annotations)
    return game
