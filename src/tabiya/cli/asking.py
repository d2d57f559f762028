"""The options that say what is asked of positions: one per word of the vocabulary of searches."""

from __future__ import annotations

from functools import partial, reduce
from operator import and_, or_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.search.words import FLAGS, WORDS

if TYPE_CHECKING:
    from tabiya.search import Condition, Query

__all__ = ["ASKED", "query_of"]

_Texts = list[str] | None
_Text = str | None
_Number = int | None
_Switch = bool | None


def _parameter(word: str) -> str:
    return word.replace("-", "_")


ASKED: Final[dict[str, Any]] = {
    **{
        _parameter(word): Annotated[_Texts, typer.Option(f"--{word}", metavar=told.metavar, help=told.help)]
        for word, told in WORDS.items()
    },
    **{_parameter(word): Annotated[_Switch, typer.Option(f"--{word}", help=told)] for word, told in FLAGS.items()},
    "query": Annotated[
        _Text, typer.Option(metavar="JSON", help="A query in JSON, as scoutfish takes it; @FILE reads it from a file.")
    ],
    "lasting": Annotated[
        _Number, typer.Option(min=1, metavar="N", help="All of this holds for at least N positions in a row.")
    ],
    "either_color": Annotated[
        _Switch, typer.Option("--either-color", help="Or all of this with White and Black exchanged.")
    ],
    "mirrored": Annotated[
        _Switch, typer.Option("--mirrored", help="Or all of this with the board mirrored from left to right.")
    ],
    "ignore_castling": Annotated[
        _Switch, typer.Option("--ignore-castling", help="Castling rights of --fen and --moves may be any.")
    ],
    "chess960": Annotated[
        _Switch, typer.Option("--chess960", help="Look for --fen and --moves in games of Chess960, too.")
    ],
}
"""By parameter: an option."""

_EXACTLY: Final = ("ignore_castling", "chess960")
"""Options that say more about an exact position."""


def query_of(given: dict[str, Any]) -> Query:
    """Return what the options that were given ask, limits of a query in JSON included."""
    from tabiya.search import Query, parse_query  # noqa: PLC0415 - when there is something to ask

    told = parse_query(_text_of(given["query"])) if given.get("query") is not None else Query()
    parts = [*_words(given), *([] if told.condition is None else [told.condition])]
    if not parts:
        needless = [name for name in ("lasting", "either_color", "mirrored", *_EXACTLY) if name in given]
        if needless:
            raise UsageError(f"--{needless[0].replace('_', '-')} says more about a condition on positions: give one")
        return told
    condition = reduce(and_, parts)
    if given.get("either_color"):
        condition = condition.for_either_side()
    if given.get("mirrored"):
        condition |= condition.mirrored()
    if given.get("lasting") is not None:
        condition = condition.lasting(given["lasting"])
    return Query(condition, skip=told.skip, limit=told.limit)


def _words(given: dict[str, Any]) -> list[Condition]:
    """Return what the single words ask; texts of one word are alternatives."""
    from tabiya.search import ExactPosition  # noqa: PLC0415
    from tabiya.search.vocabulary import FLAG_MEANINGS, MEANINGS  # noqa: PLC0415

    exactly = partial(ExactPosition, castling=not given.get("ignore_castling"), chess960=bool(given.get("chess960")))
    found = []
    for word, meaning in MEANINGS.items():
        make = exactly if meaning is ExactPosition else meaning
        if texts := given.get(_parameter(word)):
            found.append(reduce(or_, map(make, texts)))
    return [*found, *(condition for word, condition in FLAG_MEANINGS.items() if given.get(_parameter(word)))]


def _text_of(query: str) -> str:
    """Return the text of a query, from a file if it begins with ``@``."""
    if not query.startswith("@"):
        return query
    path = Path(query[1:])
    with errors_of(path):
        return path.read_text("utf-8")
