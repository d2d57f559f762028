"""The report about a player of a listed database: only the games of the player are read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabiya.errors import UsageError
from tabiya.formats.runs import Runs
from tabiya.formats.subset import Subset
from tabiya.search.player_view import PlayerView, player

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabiya.formats.progress import Watcher
    from tabiya.search.listing import ListedDatabase

_OPPONENTS: Final = 30
_DEPTH: Final = 14
_LEAST_SHARE: Final = 0.02


def whole_names(names: Sequence[str]) -> str:
    """Return an expression that matches these names and no others, except for upper and lower case."""
    return f"/^(?:{'|'.join(map(re.escape, names))})$/"


def player_of(
    listed_database: ListedDatabase,
    names: Sequence[str],
    *,
    opponents: Sequence[str] = (),
    progress: Watcher = None,
) -> PlayerView:
    """Return the statistics of the player who has exactly these names.

    Args:
        listed_database: the database; if it has no index, its catalogue says which games to read.
        names: the spellings of the player's name.
        opponents: only games against a player with one of these names count; all games if there are none.
        progress: called while the catalogue is made and while games are read.

    Raises:
        UsageError: The database has no such games.
    """
    database = listed_database.database
    if database.searchable() is None:
        listed_database.gather(progress)
        places = listed_database.directories.games_of_players(names)
        if not len(places):
            raise UsageError(f"no game of {names[0]!r} is here", path=database.path)
        database = Subset(database, Runs.of(places), direct=True)
    return player(
        database,
        whole_names(names),
        opponents=_OPPONENTS,
        depth=_DEPTH,
        min_share=_LEAST_SHARE,
        threads=listed_database.threads,
        progress=progress,
        **({"player": whole_names(opponents)} if opponents else {}),
    )
