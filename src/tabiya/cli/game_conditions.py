"""The options that say which games count: those of every command that chooses records, and some more."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from tabiya.cli.conditions import CONDITIONS

__all__ = ["GAME_CONDITIONS"]

_Number = int | None

GAME_CONDITIONS: Final[dict[str, Any]] = {
    "elo_of": Annotated[
        str | None,
        typer.Option(metavar="WHOM", help="Whose ratings instead: either, mean (of the two), white, black."),
    ],
    "time_controls": Annotated[
        list[str] | None,
        typer.Option(
            "--time-control",
            metavar="CLASS",
            help="bullet, blitz, rapid, classical, correspondence or unknown. Repeat to allow several.",
        ),
    ],
    "min_plies": Annotated[_Number, typer.Option(metavar="N", help="Least number of half-moves.")],
    "max_plies": Annotated[_Number, typer.Option(metavar="N", help="Highest number of half-moves.")],
    **CONDITIONS,
}
"""By the names that ``GameConditions`` has for them."""
