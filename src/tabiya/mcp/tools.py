"""The tools: their arguments, their results, and the functions that answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tabiya.game.condition_words import CONDITION_WORDS
from tabiya.mcp import questions
from tabiya.mcp.arguments import Argument
from tabiya.mcp.schemas import hoisted, object_schema, result_schema
from tabiya.search.keywords import FLAGS, KEYWORDS, MODIFIERS, SIDE
from tabiya.search.list_order import SORTABLE
from tabiya.web.answers import engines as engine_answers
from tabiya.web.answers import explorer as explored
from tabiya.web.answers import games as lists

if TYPE_CHECKING:
    from tabiya.web.site import Site

Function: TypeAlias = "Callable[[Site, Mapping[str, Any], questions.Patience], tuple[dict[str, Any], str]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool of the server."""

    name: str
    title: str
    help: str
    arguments: tuple[Argument, ...] = ()
    result: Callable[[], dict[str, Any]]
    """Returns the JSON schema of its result."""
    answer: Function
    """Returns the result, and a short text about it."""
    needs_engine: bool = False


_NUMBER: Final = {"type": "integer"}
_TEXT: Final = {"type": "string"}
_FLAGGED: Final = (*FLAGS, *MODIFIERS, "in-variations")
_DATABASE: Final = Argument(name="database", help="The id of a database, from list_databases.", required=True)
_FEN: Final = Argument(name="fen", help="The position, or the one from which the moves are played; the usual start.")
_MOVES: Final = Argument(name="moves", help="Moves from there, in UCI or SAN, with spaces between them: “e4 c5 Nf3”.")
_CHESS960: Final = Argument(
    name="chess960", help="Castling rights are those of Chess960; its games count, too.", kind="boolean", default=False
)
_CONDITIONS: Final = Argument(
    name="conditions",
    kind="object",
    members=tuple(CONDITION_WORDS),
    help="Conditions on games, by name: "
    + " ".join(f"{name} ({word.kind}): {word.help}" for name, word in CONDITION_WORDS.items())
    + " “texts” are lists.",
)
_POSITION: Final = Argument(
    name="position",
    kind="object",
    members=(*KEYWORDS, *_FLAGGED, *SIDE),
    help="Conditions on positions and moves, which must hold at the same place of a game. With texts as values: "
    + " ".join(f"{name}: {word.help}" for name, word in {**KEYWORDS, **SIDE}.items())
    + " True or false: "
    + " ".join(f"{name}: {text}" for name, text in {**FLAGS, **MODIFIERS}.items())
    + " in-variations: Search variations as well.",
)


def _count(name: str, what: str, default: int, most: int) -> Argument:
    return Argument(name=name, help=what, kind="integer", default=default, least=0, most=most)


TOOLS: Final[tuple[Tool, ...]] = (
    Tool(
        name="list_databases",
        title="List databases",
        help="List the chess databases and opening books that can be queried, with their ids and sizes.",
        result=lambda: object_schema(
            "All databases and books.",
            databases={
                "type": "array",
                "items": object_schema(
                    "A database or a book.",
                    id=_TEXT,
                    kind={"type": "string", "enum": ["database", "book"]},
                    name=_TEXT,
                    path=_TEXT,
                    format=_TEXT,
                    records={"type": ["integer", "null"], "description": "Games, or positions of a book."},
                    complete={"type": "boolean", "description": "Whether all have been counted."},
                    indexed={"type": "boolean", "description": "Whether positions are found at once."},
                    error={"type": ["string", "null"]},
                ),
            },
            looking={"type": "boolean", "description": "Whether a folder is still being searched for files."},
        ),
        answer=questions.list_databases,
    ),
    Tool(
        name="search_games",
        title="Search games",
        help="Find games by players, dates, ratings, openings, results, or by positions and moves; sorted, in pages.",
        arguments=(
            _DATABASE,
            Argument(name="text", help="Words to find in names, events and sites, ECO codes, years: “carlsen 2019”."),
            _CONDITIONS,
            _POSITION,
            Argument(name="sort_by", help="The column to sort by.", choices=tuple(SORTABLE)),
            Argument(name="descending", help="Largest first.", kind="boolean", default=False),
            _count("offset", "How many games to skip.", 0, 2_000_000_000),
            _count("limit", "How many games to return.", 20, 100),
        ),
        result=lambda: result_schema(lists.Rows),
        answer=questions.search_games,
    ),
    Tool(
        name="explore",
        title="Explore a position",
        help="Show which moves were played in a position, how the games ended, and the best and the latest games.",
        arguments=(
            _DATABASE,
            _FEN,
            _MOVES,
            _CHESS960,
            _CONDITIONS,
            _count("most_moves", "How many moves to return.", 20, 100),
            _count("top_games", "How many of the games with the highest ratings.", 4, 50),
            _count("recent_games", "How many of the latest games.", 4, 50),
        ),
        result=lambda: result_schema(explored.Exploration),
        answer=questions.explore,
    ),
    Tool(
        name="show_game",
        title="Show a game",
        help="Return a game as PGN with its comments and variations, or the text of a guiding text.",
        arguments=(
            _DATABASE,
            Argument(
                name="number",
                help="The number of the game in its database, from 1.",
                kind="integer",
                required=True,
                least=1,
                most=2_147_483_647,
            ),
        ),
        result=lambda: object_schema(
            "A game or a text.",
            database=_TEXT,
            number=_NUMBER,
            title=_TEXT,
            pgn={"type": "string", "description": "The tags alone, if it is a text."},
            text={"type": ["string", "null"], "description": "A guiding text."},
            shortened={"type": "boolean", "description": "Whether the end is missing, because it is very long."},
        ),
        answer=questions.show_game,
    ),
    Tool(
        name="player_report",
        title="Report about a player",
        help="Show results with both colours, openings, moves, years, opponents and accuracy of a player.",
        arguments=(
            _DATABASE,
            Argument(name="player", help="A part of the name, or /expression/; all names found count.", required=True),
            _CONDITIONS,
            _count("opponents", "How many of the most frequent opponents.", 10, 100),
            _count("depth", "How many half-moves of the moves played.", 8, 40),
        ),
        result=lambda: {
            "type": "object",
            "description": "What the command tabiya player prints as JSON.",
            "properties": {
                "names": {"type": "array", "items": _TEXT},
                **{key: {"type": "object"} for key in ("total", "white", "black")},
                **{key: {"type": ["integer", "null"]} for key in ("lowestRating", "highestRating")},
                **{
                    key: {"type": "array", "items": {"type": "object"}}
                    for key in ("whiteOpenings", "blackOpenings", "whiteMoves", "blackMoves", "years", "opponents")
                },
                "play": {"type": ["object", "null"]},
            },
            "required": ["names", "total", "white", "black", "whiteOpenings", "blackOpenings", "years", "opponents"],
        },
        answer=questions.player_report,
    ),
    Tool(
        name="book_moves",
        title="Moves of an opening book",
        help="Show the moves that an opening book has for a position, with their weights or results.",
        arguments=(
            Argument(name="book", help="The id of a book, from list_databases.", required=True),
            _FEN,
            _MOVES,
            Argument(
                name="transpositions",
                help="Also moves that lead to a position of the book.",
                kind="boolean",
                default=False,
            ),
        ),
        result=lambda: result_schema(explored.BookAnswer),
        answer=questions.book_moves,
    ),
    Tool(
        name="analyse_position",
        title="Analyse a position",
        help="Let a chess engine analyse a position, and return its best lines with evaluations for White.",
        arguments=(
            _FEN,
            _MOVES,
            _CHESS960,
            _count("engine", "The number of the engine, from 1.", 1, 64),
            Argument(name="lines", help="How many lines.", kind="integer", default=1, least=1, most=5),
            Argument(name="seconds", help="For how long.", kind="number", default=5, least=0.1, most=600),
        ),
        result=lambda: hoisted(
            object_schema(
                "The best lines.",
                fen=_TEXT,
                engine=_TEXT,
                best={"type": ["string", "null"]},
                lines={"type": "array", "items": result_schema(engine_answers.EngineLine)},
            )
        ),
        answer=questions.analyse_position,
        needs_engine=True,
    ),
)
