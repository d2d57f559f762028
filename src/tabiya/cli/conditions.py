"""The options that choose records by their tags, the same for every command that has a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tabiya import game

if TYPE_CHECKING:
    from tabiya.game import RecordFilter

__all__ = ["CONDITIONS", "conditions_of"]

_Text = str | None
_Number = int | None
_Texts = list[str] | None
CONDITIONS: Final[dict[str, Any]] = {
    "white": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of White.")],
    "black": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of Black.")],
    "player": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of White or Black.")],
    "event": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of the event.")],
    "site": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of the site.")],
    "eco": Annotated[_Text, typer.Option(metavar="CODE", help="Start of the ECO code: B, B9, B97.")],
    "tags": Annotated[
        _Texts,
        typer.Option("--tag", metavar="NAME=TEXT", help="Text in any tag; NAME alone: the tag exists. Repeatable."),
    ],
    "results": Annotated[
        _Texts,
        typer.Option("--result", metavar="RESULT", help="1-0, 0-1, 1/2-1/2 or * (unknown). Repeat to allow several."),
    ],
    "min_elo": Annotated[_Number, typer.Option(metavar="N", help="Lowest rating of both players.")],
    "max_elo": Annotated[_Number, typer.Option(metavar="N", help="Highest rating of both players.")],
    "date": Annotated[
        _Text,
        typer.Option(metavar="DATES", help="Date played: 2020, 2020-05, 2020-05-17, or a range 2019..2020-05."),
    ],
    "since": Annotated[_Text, typer.Option(metavar="DATE", help="Earliest date: 2020, 2020-05, 2020-05-17.")],
    "until": Annotated[_Text, typer.Option(metavar="DATE", help="Latest date.")],
}
"""By the names that ``RecordFilter`` has for them."""


def conditions_of(given: dict[str, Any]) -> RecordFilter:
    """Return the conditions that were given."""
    return game.RecordFilter(**given)
