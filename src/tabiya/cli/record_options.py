"""The options that select records, the same for every command with a selection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tabiya import game
from tabiya.cli.quick_command import titled
from tabiya.game.condition_words import CONDITION_WORDS, ConditionWord

if TYPE_CHECKING:
    from tabiya.formats import Database
    from tabiya.game import RecordFilter

_Text = str | None
_Number = int | None
_Texts = list[str] | None
_TYPES: Final[dict[str, Any]] = {"text": _Text, "texts": _Texts, "number": _Number, "flag": bool | None}


def _option(name: str, word: ConditionWord) -> Any:
    declared = [word.option] if word.option else [f"--{name}"] if word.kind == "flag" else []
    least = 0 if name.endswith("_plies") else None
    return typer.Option(*declared, metavar=word.metavar or None, help=word.help, min=least)


CONDITIONS: Final[dict[str, Any]] = titled(
    "Conditions on games",
    {name: Annotated[_TYPES[word.kind], _option(name, word)] for name, word in CONDITION_WORDS.items()},
)
"""By the names in ``RecordFilter``."""

BY_NUMBER: Final[dict[str, Any]] = titled(
    "Records by number",
    {
        "records": Annotated[
            _Text, typer.Option(metavar="NUMBERS", help="Only records with these numbers: 5,17-40,100- (to the end).")
        ],
        "sample": Annotated[_Number, typer.Option(min=0, metavar="N", help="Pick N records at random.")],
        "seed": Annotated[
            _Number, typer.Option(metavar="N", help="Seed for --sample: the same seed picks the same records.")
        ],
    },
)
"""By the names in ``Database.excerpt``."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The records of a database that a command applies to: by number, by conditions, at random."""

    where: RecordFilter | None
    records: str | None = None
    sample: int | None = None
    seed: int | None = None

    def of(self, database: Database, *, limit: int | None = None) -> Database:
        """Return the selected records, at most ``limit``; the database itself if all are selected."""
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
    return Choice(conditions_of(given) if given else None, **numbers)
