"""Answers about games: lists of them, games and guiding texts, and positions."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

RecordKind = Literal["game", "text", "opaque"]
Color = Literal["white", "black"]
Side = Literal["before", "after", "late"]
Promotion = Literal["n", "b", "r", "q"]
BlockType = Literal[
    "paragraph", "heading", "item", "quote", "code", "rule", "table", "diagram", "picture", "audio", "video"
]

# Lists of games.


class Status(TypedDict):
    """How far a list is."""

    query: str
    source: str
    generation: str
    total: Annotated[int, "Rows that are known so far."]
    complete: bool
    progress: NotRequired[float | None]
    sorted: NotRequired[bool]
    has_plies: NotRequired[Annotated[bool, "Whether rows contain the place of the match in the game."]]
    error: NotRequired[str | None]


class Row(TypedDict):
    """A row of a list."""

    number: int
    kind: RecordKind
    deleted: NotRequired[bool]
    white: NotRequired[str | None]
    white_elo: NotRequired[int | None]
    black: NotRequired[str | None]
    black_elo: NotRequired[int | None]
    result: NotRequired[str | None]
    date: NotRequired[str | None]
    eco: NotRequired[str | None]
    event: NotRequired[str | None]
    site: NotRequired[str | None]
    round: NotRequired[str | None]
    annotator: NotRequired[str | None]
    plies: NotRequired[int | None]
    variant: NotRequired[str | None]
    start: NotRequired[Annotated[str | None, "The start position, if it is not the usual one."]]
    has: NotRequired[Annotated[list[str], "variations, annotations, setup."]]
    title: NotRequired[Annotated[str | None, "Of a guiding text."]]
    ply: NotRequired[Annotated[int | None, "Half-moves before the first position that was found."]]
    move: NotRequired[str | None]


class Rows(Status):
    """Some rows of a list."""

    offset: int
    rows: list[Row]
    next: Annotated[str | None, "The cursor of the next rows."]


class Place(Status):
    """Where a record is in a list."""

    offset: Annotated[int | None, "Null if the list does not contain it."]


# Games.


class Opening(TypedDict):
    """The name of an opening."""

    eco: str
    name: str


class Comment(TypedDict):
    """A comment before or after a move."""

    text: str
    language: Annotated[str, 'ChessBase\'s three letters; "" is all languages.']
    side: Side


class Marked(TypedDict):
    """A coloured square."""

    color: str
    square: str


Arrow = TypedDict("Arrow", {"color": str, "from": str, "to": str})


class Evaluation(TypedDict):
    """An evaluation: pawns, or moves to mate."""

    pawns: NotRequired[float | None]
    mate: NotRequired[int | None]
    depth: NotRequired[int | None]


class Translated(TypedDict):
    """A text in one language."""

    language: str
    text: str


class Solution(TypedDict):
    """A move that solves a training question."""

    uci: str
    san: NotRequired[str]
    points: NotRequired[int | None]
    texts: NotRequired[list[Translated]]


class Training(TypedDict):
    """A training question."""

    seconds: NotRequired[int | None]
    points: NotRequired[int | None]
    questions: NotRequired[list[Translated]]
    hints: NotRequired[list[list[Translated]]]
    solutions: NotRequired[list[Solution]]


class Link(TypedDict):
    """A link of a move; without an address if that cannot be followed safely."""

    url: NotRequired[str]
    text: NotRequired[str | None]


class Medium(TypedDict):
    """A picture, sound or video of a move."""

    kind: Literal["picture", "sound", "video"]
    url: NotRequired[str | None]
    text: NotRequired[str | None]
    language: NotRequired[str]


class Quotation(TypedDict):
    """A quotation of another game."""

    text: str


class Remarks(TypedDict):
    """Annotations of a move; the page edits some of them, the others travel in ``stored``."""

    nags: NotRequired[list[int] | None]
    comments: NotRequired[list[Comment] | None]
    squares: NotRequired[list[Marked] | None]
    arrows: NotRequired[list[Arrow] | None]
    clock: NotRequired[Annotated[float | None, "Seconds."]]
    time_spent: NotRequired[Annotated[float | None, "Seconds."]]
    eval: NotRequired[Evaluation | None]
    stored: NotRequired[Annotated[Any, "Sent back unchanged."]]


class ApiNode(Remarks):
    """A move of a game and the position after it; the first node is the start."""

    id: NotRequired[int]
    parent: Annotated[int | None, "The place of the node before it in the list."]
    path: NotRequired[Annotated[str, "23.1.4: 23 plies along the main line, the first alternative, 4 plies into it."]]
    ply: NotRequired[int]
    number: NotRequired[Annotated[int, "The number of the move."]]
    color: NotRequired[Color]
    san: NotRequired[str | None]
    uci: NotRequired[str | None]
    fen: NotRequired[str | None]
    check: NotRequired[bool]
    medals: NotRequired[list[str] | None]
    critical: NotRequired[str | None]
    training: NotRequired[list[Training] | None]
    links: NotRequired[list[Link] | None]
    media: NotRequired[list[Medium] | None]
    quotes: NotRequired[list[Quotation] | None]
    variation_color: NotRequired[str | None]
    other_clock: NotRequired[Annotated[float | None, "Seconds on the clock of the opponent."]]
    unreadable: NotRequired[str | None]
    others: NotRequired[Annotated[list[str] | None, "Annotations that are not shown, by name."]]
    opening: NotRequired[Opening | None]


class Reference(TypedDict):
    """Where a link within a database leads."""

    kind: Literal["text", "game", "player"]
    names: Annotated[list[str], "The title of the text; the player; or White, Black and the event of the game."]


Span = TypedDict(
    "Span",
    {
        "text": NotRequired[str],
        "break": NotRequired[bool],
        "bold": NotRequired[bool],
        "italic": NotRequired[bool],
        "underline": NotRequired[bool],
        "code": NotRequired[bool],
        "color": NotRequired[Annotated[str | None, "#rrggbb"]],
        "link": NotRequired[Annotated[str | None, "http, https or mailto."]],
        "to": NotRequired[Reference],
    },
)


class Block(TypedDict):
    """A block of a guiding text."""

    type: BlockType
    spans: NotRequired[list[Span]]
    level: NotRequired[int]
    align: NotRequired[str | None]
    ordered: NotRequired[bool]
    depth: NotRequired[int]
    fen: NotRequired[str]
    url: NotRequired[str | None]
    text: NotRequired[str | None]
    rows: NotRequired[list[list[list[Span]]]]


class Text(TypedDict):
    """A guiding text in one language."""

    language: str
    title: NotRequired[str | None]
    blocks: list[Block]


class ApiGame(TypedDict):
    """A game, or a guiding text."""

    source: NotRequired[str]
    generation: NotRequired[str]
    number: NotRequired[int]
    kind: RecordKind
    deleted: NotRequired[bool]
    records: NotRequired[Annotated[int, "How many records the database has."]]
    tags: list[tuple[str, str]]
    title: NotRequired[str]
    result: NotRequired[str | None]
    chess960: NotRequired[bool]
    start: NotRequired[str | None]
    opening: NotRequired[Opening | None]
    languages: NotRequired[list[str]]
    nodes: NotRequired[list[ApiNode]]
    truncated: NotRequired[Annotated[bool, "Whether the game has more nodes than these."]]
    problems: NotRequired[list[str]]
    evaluations: NotRequired[Annotated[list[Evaluation | None] | None, "Of the main line, by ply."]]
    texts: NotRequired[list[Text]]


class Performance(TypedDict):
    """How a side played a game, or a phase of it."""

    moves: Annotated[int, "Evaluated moves."]
    accuracy: Annotated[float | None, "From 0 to 100."]
    centipawn_loss: Annotated[float | None, "The average."]
    inaccuracies: int
    mistakes: int
    blunders: int


class SidePerformance(Performance):
    """How a side played a game."""

    phases: Annotated[dict[str, Performance], "By opening, middlegame, endgame."]


class Sides(TypedDict):
    """Both sides of a game."""

    white: SidePerformance
    black: SidePerformance


class EvaluatedMove(TypedDict):
    """A move with an evaluation."""

    ply: Annotated[int, "Half-moves before it."]
    move: str
    evaluation: Annotated[str, "After the move: +0.35, #-3."]
    before: str
    chances: Annotated[float, "White's win chances after the move, in percent."]
    lost: Annotated[float | None, "Points of win chances that the move loses."]
    accuracy: float | None
    judgement: Annotated[str, "inaccuracy, mistake, blunder or nothing."]
    phase: str


class GameReport(TypedDict):
    """The report of a game with evaluations."""

    number: NotRequired[int]
    white: str | None
    black: str | None
    result: str | None
    sides: Sides
    moves: list[EvaluatedMove]


class Games(TypedDict):
    """The games of a PGN text."""

    games: list[ApiGame]


class Pgn(TypedDict):
    """A game as PGN."""

    pgn: str
    losses: list[str]


class Saved(TypedDict):
    """Where a game was saved."""

    source: str
    number: int
    generation: str
    losses: NotRequired[list[str]]
    remarks: NotRequired[list[str]]


class Collected(TypedDict):
    """What became of the games of a list that were added to a database."""

    source: str
    added: int
    generation: str
    losses: list[str]
    remarks: list[str]


# Positions.

_FromTo = TypedDict("_FromTo", {"from": str, "to": str})
_PerhapsFromTo = TypedDict("_PerhapsFromTo", {"from": NotRequired[str], "to": NotRequired[str]})


class NullMove(TypedDict):
    """A move that passes."""

    uci: str
    san: str
    fen: Annotated[str, "The position after it."]
    check: NotRequired[bool]


class LegalMove(NullMove, _FromTo):
    """A legal move, and the position after it."""

    capture: NotRequired[bool]
    promotion: NotRequired[Promotion | None]
    rook: NotRequired[Annotated[str | None, "Castling: the square of the rook, on which the king may be dropped too."]]


class PlayedMove(NullMove, _PerhapsFromTo):
    """A move that led to a position; a null move has no squares."""

    capture: NotRequired[bool]
    promotion: NotRequired[Promotion | None]
    rook: NotRequired[str | None]
    number: int
    color: Color


class PositionAnswer(TypedDict):
    """A position with its legal moves."""

    fen: str
    chess960: bool
    turn: Color
    check: bool
    state: Literal["playing", "mate", "stalemate"]
    key: NotRequired[Annotated[str, "The Zobrist key, in hexadecimal digits."]]
    opening: NotRequired[Opening | None]
    sound: NotRequired[Annotated[bool, "Whether a game can reach it, as far as that is known."]]
    problems: NotRequired[list[str]]
    moves: list[LegalMove]
    null_move: NotRequired[NullMove | None]
    played: NotRequired[list[PlayedMove]]
    number960: NotRequired[Annotated[int, "The number of a start position of Chess960."]]
