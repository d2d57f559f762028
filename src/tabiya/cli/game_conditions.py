"""The options that say which games count: those of every command that chooses records, and some more."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from tabiya.cli.conditions import CONDITIONS

__all__ = ["GAME_CONDITIONS"]

_Number = int | None

GAME_CONDITIONS: Final[dict[str, Any]] = {
    "ratings": Annotated[
        str | None,
        typer.Option(metavar="WHOSE", help="Whose rating --min-elo and --max-elo mean: both (default), either, mean."),
    ],
    "time_classes": Annotated[
        list[str] | None,
        typer.Option(
            "--time-class",
            metavar="CLASS",
            help="bullet, blitz, rapid, classical, correspondence or unknown. Repeat to allow several.",
        ),
    ],
    "min_plies": Annotated[_Number, typer.Option(metavar="N", help="Least number of half-moves.")],
    "max_plies": Annotated[_Number, typer.Option(metavar="N", help="Highest number of half-moves.")],
    **CONDITIONS,
}
"""By the names that ``GameConditions`` has for them."""
