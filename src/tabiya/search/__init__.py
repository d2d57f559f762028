"""Questions about games and positions: conditions and the games that meet them, the explorer, what a player plays.

    import tabiya
    from tabiya.search import Material, Pattern

    with tabiya.open("games.pgn") as games:
        for match in games.search(Pattern("Bb3 Nf3 pa6") & ~Material("KRKR")):
            print(match.number, match.move)

The room is its own main function, too: ``tabiya.search("games.pgn", …)``. Importing it is cheap; what reads databases
is loaded on first use.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)


class _Room(ModuleType):
    """A room that can be called: ``tabiya.search`` is what users try, and the name of the room as well."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.search(*arguments, **options)


sys.modules[__name__].__class__ = _Room
