"""Options for search conditions on positions: one per word of the search vocabulary."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tabiya.cli.quick_command import titled
from tabiya.files.file_errors import errors_of
from tabiya.search.keywords import FLAGS, KEYWORDS, MODIFIERS, SIDE

if TYPE_CHECKING:
    from tabiya.search import Query

_Texts = list[str] | None
_Text = str | None
_Number = int | None
_Switch = bool | None


def _parameter(word: str) -> str:
    return word.replace("-", "_")


_SECTIONS: Final = {
    "Conditions on moves": (
        "move",
        "white_move",
        "black_move",
        "moved",
        "captured",
        "promotion",
        "sacrifice",
        "gives_check",
    ),
    "Conditions on evaluations and clocks": (
        "evaluation",
        "judged",
        "missed_win",
        "swing",
        "clock",
        "time_spent",
    ),
    "The conditions together": ("side_of", "query", *map(_parameter, MODIFIERS)),
}
"""Options by the title of their section in the help; the others are conditions on positions."""

QUERY_OPTIONS: Final[dict[str, Any]] = {
    **{
        _parameter(word): Annotated[_Texts, typer.Option(f"--{word}", metavar=about.metavar, help=about.help)]
        for word, about in KEYWORDS.items()
    },
    **{_parameter(word): Annotated[_Switch, typer.Option(f"--{word}", help=about)] for word, about in FLAGS.items()},
    "side_of": Annotated[_Text, typer.Option("--for", metavar=SIDE["for"].metavar, help=SIDE["for"].help)],
    "query": Annotated[
        _Text, typer.Option(metavar="JSON", help="A query in the JSON syntax of scoutfish; @FILE reads it from a file.")
    ],
    "lasting": Annotated[_Number, typer.Option(min=1, metavar="N", help=MODIFIERS["lasting"])],
    **{
        _parameter(word): Annotated[_Switch, typer.Option(f"--{word}", help=about)]
        for word, about in MODIFIERS.items()
        if word != "lasting"
    },
}
"""Options by parameter."""

for _title, _names in _SECTIONS.items():
    titled(_title, {name: QUERY_OPTIONS[name] for name in _names})
titled("Conditions on positions", QUERY_OPTIONS)


def query_of(given: dict[str, Any]) -> Query:
    """Return the query that the given options form, including the limits of a query in JSON."""
    from tabiya.search.query_parser import query_of  # noqa: PLC0415 - only for queries

    return query_of({**given, "query": _text_of(given["query"])} if "query" in given else given)


def _text_of(query: str) -> str:
    """Return the text of a query, from a file if it begins with ``@``."""
    if not query.startswith("@"):
        return query
    path = Path(query[1:])
    with errors_of(path):
        return path.read_text("utf-8")
