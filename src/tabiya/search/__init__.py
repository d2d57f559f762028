"""Searches for games and positions: conditions and the games that meet them, the explorer, the games of a player.

    import tabiya
    from tabiya.search import Material, Pattern

    with tabiya.open("games.pgn") as games:
        for match in games.search(Pattern("Bb3 Nf3 pa6") & ~Material("KRKR")):
            print(match.number, match.move)

To follow a search through the code, read ``keywords``, ``keyword_conditions``, ``conditions``, ``program``, ``scan``
and ``finding``; for the explorer ``explorer``, ``parts`` and ``tally``.

The package can also be called as its main function: ``tabiya.search("games.pgn", …)``. Importing it is fast; modules
that read databases are loaded on first use.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)


class _CallablePackage(ModuleType):
    """A package that can be called: ``tabiya.search`` is both the function and the package."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.search(*arguments, **options)


sys.modules[__name__].__class__ = _CallablePackage
