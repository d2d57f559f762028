"""The tags that fields of entities travel as, in the order in which ChessBase writes them to PGN.

What a format keeps is asked for before anything large is imported, so these names stand here and not with the fields.
"""

from __future__ import annotations

from typing import Final

__all__ = ["TAG_ORDER"]

TAG_ORDER: Final = (
    *("EventDate", "EventType", "EventRounds", "EventCountry", "EventCategory"),
    *("SourceTitle", "Source", "SourceDate", "SourceVersion", "SourceVersionDate", "SourceQuality"),
    *("WhiteTeam", "WhiteTeamCountry", "BlackTeam", "BlackTeamCountry"),
)
