"""The JSON that commands print, as types: docs/stability.md promises them, ``scripts/json_schemas.py`` publishes them.

Nothing imports this module when a command runs: what the library returns has these shapes, and
``tests/cli/test_documents.py`` holds the output of every command against them.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from tabiya.web.answers.explorer import LichessExploration

VERSION: Final = 1
"""Of all documents together: a member that is removed or gets another meaning needs the next number."""

Kind = Literal["game", "text", "opaque"]
Side = Literal["after", "before", "late"]
ErrorKind = Literal["usage", "missing", "format", "corrupt", "unsupported", "loss", "interrupted", "other"]


class Error(TypedDict):
    """Why a command failed."""

    kind: ErrorKind
    message: Annotated[str, "A sentence for people; its wording may change."]
    path: str | None
    game: Annotated[int | None, "The number of the record, from 1."]
    offset: Annotated[int | None, "In bytes."]
    exit_code: int


class StderrLine(TypedDict):
    """A line on standard error with --json or --nl: a note or an error."""

    note: NotRequired[Annotated[str, "For people; its wording may change."]]
    error: NotRequired[Error]


class Tag(TypedDict):
    """A tag of PGN."""

    name: str
    value: str


class Record(TypedDict):
    """The header of a record."""

    number: Annotated[int, "Its number in the source, from 1."]
    kind: Kind
    deleted: Annotated[bool, "Whether it is marked as deleted."]
    white: str | None
    white_elo: int | None
    black: str | None
    black_elo: int | None
    result: str | None
    date: Annotated[str | None, "2024.05.17, with question marks for what is unknown."]
    eco: str | None
    event: str | None
    site: str | None
    round: str | None
    annotator: str | None
    variant: str | None
    start: Annotated[str | None, "The FEN of the start position, unless it is the usual one."]
    tags: Annotated[list[Tag], "Those without a member of their own, and unusual spellings."]
    source: NotRequired[Annotated[str | None, "The file, where several are read as one."]]
    source_number: NotRequired[int]


class FoundRecord(Record):
    """A record that a search found."""

    ply: Annotated[int | None, "The number of half-moves before the position, if one was searched for."]
    move: Annotated[str | None, "The same as a move number: 17..., and the variation, if the position is in one."]


class Summary(TypedDict):
    """What a database contains."""

    path: str | None
    format: str
    title: str
    bytes: Annotated[int | None, "Of all its files."]
    records: int
    games: int
    texts: int
    opaque: Annotated[int, "Records that are kept as they are, without being understood."]
    deleted: int
    players: int
    events: int
    first_date: str | None
    last_date: str | None
    lowest_elo: int | None
    highest_elo: int | None
    results: Annotated[dict[str, int], "Games by result."]
    annotated: int
    annotations: Annotated[dict[str, int], "Annotations by their kind in words."]
    with_variations: int
    with_problems: int
    problems: int
    details: Annotated[dict[str, str | int | float], "What only this format has."]


class Annotation(TypedDict):
    """An annotation of a game or of a move."""

    kind: Annotated[int, "Its number; see docs/annotations.md."]
    side: Side
    lang: int
    text: Annotated[str | None, "As it is written in PGN; null for symbols and unknown data."]
    data: Annotated[str, "As bytes in hexadecimal."]
    raw: Annotated[str | None, "How the source spelled it, in hexadecimal, if that differs."]


class Move(TypedDict):
    """A move."""

    ply: int
    parent: Annotated[int, "The index of the move before it; -1 at the start of the game."]
    uci: str
    san: str | None
    nags: list[int]
    text_before: str
    text: str
    annotations: list[Annotation]


class GuidingText(TypedDict):
    """The text of a record in one language."""

    lang: int
    title: str
    format: int
    body: Annotated[str, "In hexadecimal."]


class Extra(TypedDict):
    """A value that only its format has."""

    key: str
    value: Annotated[str, "In hexadecimal."]


class RecordProblem(TypedDict):
    """A problem of a record."""

    code: int
    offset: int | None
    text: str


class Game(TypedDict):
    """A game with its moves, in the order of PGN."""

    number: int | None
    source: NotRequired[str | None]
    source_number: NotRequired[int | None]
    kind: Kind
    deleted: bool
    tags: list[Tag]
    ply: Annotated[int, "Of the position that --ply selects; by default the end of the game."]
    fen: Annotated[str | None, "Of the same position."]
    annotations: list[Annotation]
    moves: list[Move]
    texts: list[GuidingText]
    extras: list[Extra]
    problems: list[RecordProblem]


class Problem(TypedDict):
    """A problem of a file."""

    game: Annotated[int | None, "The number of the record; null for the file as a whole."]
    offset: int | None
    code: int
    text: Annotated[str, "The words of the file that the sentence cites."]
    sentence: Annotated[str, "For people; its wording may change."]
    source: NotRequired[str | None]
    source_number: NotRequired[int | None]


class FileProblem(Problem):
    """A problem, and its file."""

    file: str


class Difference(TypedDict):
    """A record that differs, or that only one of two databases has; the other number is then null."""

    a: int | None
    b: int | None
    title: str
    differences: Annotated[list[str], "Sentences for people; their wording may change."]


class Loss(TypedDict):
    """What the target could not store."""

    text: Annotated[str, "For people; its wording may change."]
    count: int
    first_game: int | None
    examples: list[str]


class Conversion(TypedDict):
    """The report of a conversion."""

    source_format: str
    target_format: str
    path: Annotated[str | None, "The file that was written; null for streams and servers."]
    read: int
    written: int
    deleted: int
    losses: Annotated[dict[str, Loss], "By name."]
    problems: int
    first_problems: list[Problem]
    remarks: list[str]
    unfinished: list[str]


class Performance(TypedDict):
    """How one side played in a phase."""

    moves: int
    accuracy: float | None
    centipawn_loss: float | None
    inaccuracies: int
    mistakes: int
    blunders: int


class SideReport(Performance):
    """How one side played."""

    phases: dict[str, Performance]


class EvaluatedMove(TypedDict):
    """An evaluated move."""

    ply: int
    move: str
    evaluation: str
    before: str
    chances: float
    lost: float | None
    accuracy: float | None
    judgement: str
    phase: str


class GameReport(TypedDict):
    """Accuracy and mistakes of a game."""

    number: NotRequired[int]
    white: str | None
    black: str | None
    result: str | None
    sides: dict[str, SideReport]
    moves: list[EvaluatedMove]


class Profile(TypedDict):
    """A way to write a format."""

    name: str
    title: str
    keeps: dict[str, Any]


class Format(TypedDict):
    """A format of databases."""

    name: str
    title: str
    suffixes: list[str]
    schemes: list[str]
    writes: bool
    streams: bool
    keeps: Annotated[dict[str, Any], "What it stores: see the matrix in docs/formats/index.md."]
    profiles: list[Profile]


DOCUMENTS: Final[dict[str, Any]] = {
    "convert": Conversion,
    "diff": list[Difference],
    "explore": LichessExploration,
    "formats": list[Format],
    "info": list[Summary],
    "list": list[Record],
    "report": list[GameReport],
    "search": list[FoundRecord],
    "show": Game,
    "verify": list[FileProblem],
    "stderr": StderrLine,
}
"""What each command prints with ``--json``; ``list --nl`` prints the members of its array as lines."""
