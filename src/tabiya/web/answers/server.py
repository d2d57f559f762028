"""Answers about the server: sources, words, conversions and errors."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

SourceKind = Literal["database", "book"]
Origin = Literal["argument", "root", "upload"]
Slot = Literal["move", "position", "prefix", "other"]

# Sources and words.


class About(TypedDict):
    """What this server is, and what it may do."""

    name: str
    version: str
    write: Annotated[bool, "Whether databases may be changed."]
    root: NotRequired[Annotated[str | None, "The folder below which all files are served."]]
    max_upload: NotRequired[Annotated[int, "How many bytes the files of an upload may have together."]]
    page: NotRequired[Annotated[bool, "Whether the page was built."]]
    recent: NotRequired[Annotated[bool, "Whether databases are remembered that the user opened."]]


class Source(TypedDict):
    """A database or an opening book."""

    id: str
    kind: SourceKind
    name: str
    path: NotRequired[str]
    format: str
    format_title: NotRequired[str]
    generation: Annotated[str | None, "Changes whenever the file does; null until the source is opened."]
    open: bool
    records: NotRequired[Annotated[int | None, "Records or positions that are known so far."]]
    complete: Annotated[bool, "Whether all records have been counted."]
    progress: NotRequired[Annotated[float | None, "From 0 to 1, where it is known."]]
    indexed: NotRequired[Annotated[bool, "Whether positions are found without reading all games."]]
    append: NotRequired[Annotated[bool, "Whether games can be added."]]
    replace: NotRequired[Annotated[bool, "Whether games can be replaced."]]
    library: NotRequired[Annotated[bool, "Whether a library can be made beside it."]]
    origin: NotRequired[Origin]
    size: NotRequired[Annotated[int, "Bytes of its files."]]
    error: NotRequired[Annotated[str | None, "Why it could not be opened."]]
    remarks: NotRequired[Annotated[list[str], "What is unusual about its files: one is missing, for example."]]


class SourceDetails(Source):
    """An open source with everything that is known about it."""

    details: Annotated[dict[str, str | int | float], "Facts that only its format has, by name."]
    problems: list[str]


class Sources(TypedDict):
    """All sources that are known by now."""

    sources: list[Source]
    looking: NotRequired[Annotated[bool, "Whether the root folder is still being searched."]]


class RecentSource(TypedDict):
    """A database or a book that the user opened before."""

    recent: Annotated[int, "Its number, by which it is opened; valid for this run of the server."]
    kind: SourceKind
    name: str
    path: str
    format_title: str
    opened: Annotated[str, "When, in UTC: 2026-11-09T18:30:00Z."]
    records: int | None
    size: int | None
    missing: Annotated[bool, "Whether the file is gone."]


class Home(TypedDict):
    """What the start page shows beside the list of sources."""

    recent: Annotated[list[RecentSource], "The latest first, without those that are open."]


class Upload(TypedDict):
    """A place for files that follow one by one."""

    upload: str
    max_bytes: int


class OpenedUpload(TypedDict):
    """The sources in an upload."""

    sources: list[Source]


class Condition(TypedDict):
    """A condition that a list of games or a search can have."""

    name: str
    kind: Literal["text", "texts", "number", "flag", "choice", "choices"]
    help: NotRequired[str]
    metavar: NotRequired[str]
    choices: NotRequired[list[str]]
    modifies: NotRequired[Annotated[bool, "Whether it modifies other conditions."]]


class Glyph(TypedDict):
    """A symbol of a move or a position."""

    nag: int
    glyph: str
    slot: Slot


class Language(TypedDict):
    """A language of comments."""

    code: str
    name: str


class PieceLetters(TypedDict):
    """The letters of pieces in the notation of a language."""

    language: Annotated[str, "Two letters: de."]
    letters: Annotated[list[str], "Of king, queen, rook, bishop, knight and pawn."]


class Vocabulary(TypedDict):
    """The words of the API, for forms."""

    headers: list[Condition]
    position: list[Condition]
    sort: Annotated[list[str], "Columns that lists can be sorted by."]
    nags: list[Glyph]
    languages: list[Language]
    piece_letters: list[PieceLetters]
    colors: list[str]


# Conversions.


class Profile(TypedDict):
    """A way to write a format."""

    name: str
    title: NotRequired[str]


class FormatOption(TypedDict):
    """An option of a format that is written."""

    name: str
    help: NotRequired[str]
    kind: Literal["text", "number", "flag"]
    on: NotRequired[Annotated[bool, "Whether the flag is set by default."]]


class Format(TypedDict):
    """A format of databases or opening books."""

    name: str
    title: str
    suffixes: list[str]
    write: bool
    append: NotRequired[Annotated[bool, "Whether games can be added to a database of it."]]
    book: bool
    profiles: NotRequired[list[Profile]]
    options: NotRequired[list[FormatOption]]


class Formats(TypedDict):
    """All formats."""

    formats: list[Format]


class Loss(TypedDict):
    """Something that the target format cannot store."""

    what: str
    text: NotRequired[Annotated[str | None, "The same in words."]]
    count: int
    first: NotRequired[Annotated[int | None, "The number of the first record that lost it."]]
    sentence: NotRequired[str]


class Report(TypedDict):
    """What was converted, and what was lost."""

    read: int
    written: int
    clean: Annotated[bool, "Whether nothing was lost."]
    losses: list[Loss]
    problems: int
    first_problems: NotRequired[list[str]]
    remarks: NotRequired[list[str]]


class Job(TypedDict):
    """A conversion, running or finished."""

    job: str
    state: Literal["running", "done", "failed", "cancelled"]
    records: NotRequired[int | None]
    progress: NotRequired[float | None]
    source: str
    generation: NotRequired[str]
    format: str
    file: NotRequired[str | None]
    bytes: NotRequired[int | None]
    download: NotRequired[Annotated[str | None, "The address of the result."]]
    made: NotRequired[Annotated[str | None, "The source that the result was opened as, if it is kept on disk."]]
    report: NotRequired[Report | None]
    error: NotRequired[str | None]


class Jobs(TypedDict):
    """All conversions."""

    conversions: list[Job]


# Errors.


class Failure(TypedDict):
    """Why a request failed."""

    status: int
    code: Annotated[str, "The status as a word, for programs."]
    sentence: str


class Error(TypedDict):
    """The answer to a request that failed."""

    error: Failure
