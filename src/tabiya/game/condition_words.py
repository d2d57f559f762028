"""Names and help texts for the conditions of ``RecordFilter``: options of the command line, and forms.

This module contains only help texts and must not load anything; ``filters.py`` defines the conditions.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple


class ConditionWord(NamedTuple):
    """A condition on the headers of a record."""

    kind: Literal["text", "texts", "number", "flag"]
    """The type of its value; there may be several ``texts``."""
    metavar: str
    help: str
    option: str = ""
    """Its name on the command line, if different."""
    choices: tuple[str, ...] = ()
    """Its possible values, if they are few."""


_RATED: Final = ("both", "either", "mean", "white", "black")
_RESULTS: Final = ("1-0", "1/2-1/2", "0-1", "*")
_SPEEDS: Final = ("bullet", "blitz", "rapid", "classical", "correspondence", "unknown")
_HAVING: Final = (
    *("moves", "variations", "annotations", "comments", "symbols", "medals", "evaluations", "clocks", "drawings"),
    *("training", "quotations", "media", "setup", "text", "deleted", "problems"),
)

CONDITION_WORDS: Final[dict[str, ConditionWord]] = {
    "white": ConditionWord("text", "TEXT", "Name of White."),
    "black": ConditionWord("text", "TEXT", "Name of Black."),
    "player": ConditionWord("texts", "TEXT", "Name of White or Black. Twice: games between the two."),
    "event": ConditionWord("text", "TEXT", "Name of the event."),
    "site": ConditionWord("text", "TEXT", "Name of the site."),
    "annotator": ConditionWord("text", "TEXT", "Name of the annotator."),
    "eco": ConditionWord("text", "CODES", "ECO codes: B97, B9 (its start), B90-B99, B90,B92; or an opening: Najdorf."),
    "tags": ConditionWord(
        "texts", "NAME=TEXT", "Text in any tag; NAME alone: the tag exists. Repeatable.", option="--tag"
    ),
    "results": ConditionWord(
        "texts",
        "RESULT",
        "1-0, 0-1, 1/2-1/2 or * (unknown). Repeat to allow several.",
        option="--result",
        choices=_RESULTS,
    ),
    "min_elo": ConditionWord("number", "N", "Lowest rating of both players."),
    "max_elo": ConditionWord("number", "N", "Highest rating of both players."),
    "elo_of": ConditionWord(
        "text", "WHOM", "Ratings to compare instead of both: either, mean (of the two), white, black.", choices=_RATED
    ),
    "date": ConditionWord("text", "DATES", "Date played: 2020, 2020-05, 2020-05-17, or a range 2019..2020-05."),
    "since": ConditionWord("text", "DATE", "Earliest date: 2020, 2020-05, 2020-05-17."),
    "until": ConditionWord("text", "DATE", "Latest date."),
    "min_plies": ConditionWord("number", "N", "Lowest number of half-moves."),
    "max_plies": ConditionWord("number", "N", "Highest number of half-moves."),
    "time_controls": ConditionWord(
        "texts",
        "CLASS",
        "bullet, blitz, rapid, classical, correspondence or unknown. Repeat to allow several.",
        option="--time-control",
        choices=_SPEEDS,
    ),
    "comment": ConditionWord("text", "TEXT", "Text in a comment."),
    "has": ConditionWord(
        "texts", "WHAT", "What the record has: variations, comments, medals and so on. Repeatable.", choices=_HAVING
    ),
    "without": ConditionWord("texts", "WHAT", "What the record does not have. Repeatable.", choices=_HAVING),
    "exact": ConditionWord("flag", "", "Accents and punctuation matter in text conditions."),
}
"""By their names in ``RecordFilter``."""
