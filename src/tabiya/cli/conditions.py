"""The options that choose records, the same for every command that has a choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tabiya import game

if TYPE_CHECKING:
    from tabiya.formats import Database
    from tabiya.game import RecordFilter

__all__ = ["BY_NUMBER", "CONDITIONS", "Choice", "choice_of", "conditions_of"]

_Text = str | None
_Number = int | None
_Texts = list[str] | None
_Flag = bool | None
CONDITIONS: Final[dict[str, Any]] = {
    "white": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of White.")],
    "black": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of Black.")],
    "player": Annotated[
        _Texts, typer.Option(metavar="TEXT", help="Name of White or Black. Twice: games between the two.")
    ],
    "event": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of the event.")],
    "site": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of the site.")],
    "annotator": Annotated[_Text, typer.Option(metavar="TEXT", help="Name of the annotator.")],
    "eco": Annotated[
        _Text,
        typer.Option(metavar="CODES", help="ECO codes: B97, B9 (its start), B90-B99, B90,B92; or an opening: Najdorf."),
    ],
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
    "elo_of": Annotated[
        _Text,
        typer.Option(metavar="WHOM", help="Whose ratings instead: either, mean (of the two), white, black."),
    ],
    "date": Annotated[
        _Text,
        typer.Option(metavar="DATES", help="Date played: 2020, 2020-05, 2020-05-17, or a range 2019..2020-05."),
    ],
    "since": Annotated[_Text, typer.Option(metavar="DATE", help="Earliest date: 2020, 2020-05, 2020-05-17.")],
    "until": Annotated[_Text, typer.Option(metavar="DATE", help="Latest date.")],
    "min_plies": Annotated[_Number, typer.Option(min=0, metavar="N", help="Lowest number of half-moves.")],
    "max_plies": Annotated[_Number, typer.Option(min=0, metavar="N", help="Highest number of half-moves.")],
    "time_controls": Annotated[
        _Texts,
        typer.Option(
            "--time-control",
            metavar="CLASS",
            help="bullet, blitz, rapid, classical, correspondence or unknown. Repeat to allow several.",
        ),
    ],
    "comment": Annotated[_Text, typer.Option(metavar="TEXT", help="Text in a comment.")],
    "has": Annotated[
        _Texts,
        typer.Option(metavar="WHAT", help="What the record has: variations, comments, medals and so on. Repeatable."),
    ],
    "without": Annotated[_Texts, typer.Option(metavar="WHAT", help="What the record does not have. Repeatable.")],
    "exact": Annotated[_Flag, typer.Option("--exact", help="Accents and punctuation count when texts are looked for.")],
}
"""By the names that ``RecordFilter`` has for them."""

BY_NUMBER: Final[dict[str, Any]] = {
    "records": Annotated[
        _Text, typer.Option(metavar="NUMBERS", help="Only records with these numbers: 5,17-40,100- (to the end).")
    ],
    "sample": Annotated[_Number, typer.Option(min=0, metavar="N", help="So many of the records, picked at random.")],
    "seed": Annotated[_Number, typer.Option(metavar="N", help="Pick the same sample again.")],
}
"""By the names that ``Database.excerpt`` has for them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which records of a database a command is about: by number, by conditions, by chance."""

    where: RecordFilter | None
    records: str | None = None
    sample: int | None = None
    seed: int | None = None

    def of(self, database: Database, *, limit: int | None = None) -> Database:
        """Return those of a database, up to so many; the database itself if all are meant."""
        chosen = database.excerpt(self.records)
        if self.where:
            chosen = chosen.filter(self.where)
        return chosen.excerpt(sample=self.sample, seed=self.seed, limit=limit)


def conditions_of(given: dict[str, Any]) -> RecordFilter:
    """Return the conditions that were given."""
    return game.RecordFilter(**given)


def choice_of(given: dict[str, Any]) -> Choice:
    """Return the conditions and numbers that were given."""
    numbers = {name: given.pop(name) for name in BY_NUMBER if name in given}
    return Choice(conditions_of(given), **numbers)
