"""The options that choose records by their tags, the same for every command that has a choice."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tabiya import game

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["with_conditions"]

_Text = str | None
_Number = int | None
_Texts = list[str] | None
_WHERE: Final = "where"
_OPTIONS: Final[dict[str, Any]] = {
    "white": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of White.")],
    "black": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of Black.")],
    "player": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of White or Black.")],
    "event": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of the event.")],
    "site": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of the place.")],
    "eco": Annotated[_Text, typer.Option(metavar="CODE", help="Beginning of the ECO code: B, B9, B97.")],
    "tags": Annotated[
        _Texts,
        typer.Option("--tag", metavar="NAME=TEXT", help="Text of any tag, or NAME alone: has this tag. Repeatable."),
    ],
    "results": Annotated[
        _Texts,
        typer.Option("--result", metavar="RESULT", help="1-0, 0-1, 1/2-1/2 or * (unknown). Repeatable: one of them."),
    ],
    "min_elo": Annotated[_Number, typer.Option(metavar="N", help="Both players are rated at least so high.")],
    "max_elo": Annotated[_Number, typer.Option(metavar="N", help="Both players are rated at most so high.")],
    "since": Annotated[_Text, typer.Option(metavar="DATE", help="Played then or later: 2020, 2020.05, 2020.05.17.")],
    "until": Annotated[_Text, typer.Option(metavar="DATE", help="Played then or earlier.")],
}
"""By the names that ``RecordFilter`` has for them."""


def with_conditions(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option per condition in the place of its parameter ``where``, which is made of them."""
    # Nobody asks for this type when the program runs, and to look it up would load pyarrow for every --help.
    command.__annotations__.pop(_WHERE)
    signature = inspect.signature(command, eval_str=True)

    @functools.wraps(command)
    def chosen(**arguments: Any) -> None:
        conditions = {name: arguments.pop(name) for name in _OPTIONS}
        where = game.RecordFilter(**{name: value for name, value in conditions.items() if value is not None})
        command(**arguments, where=where)

    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.name == _WHERE:
            parameters += [
                inspect.Parameter(name, parameter.kind, default=None, annotation=option)
                for name, option in _OPTIONS.items()
            ]
        else:
            parameters.append(parameter)
    chosen.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # read by typer
    return chosen
