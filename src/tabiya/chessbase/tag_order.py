"""The tags that fields of entities are stored as, in the order in which ChessBase writes them to PGN.

The capabilities of a format are queried before any large import, so these names are here and not with the fields.
"""

from __future__ import annotations

from typing import Final

TAG_ORDER: Final = (
    *("EventDate", "EventType", "EventRounds", "EventCountry", "EventCategory"),
    *("SourceTitle", "Source", "SourceDate", "SourceVersion", "SourceVersionDate", "SourceQuality"),
    *("WhiteTeam", "WhiteTeamCountry", "BlackTeam", "BlackTeamCountry"),
)
