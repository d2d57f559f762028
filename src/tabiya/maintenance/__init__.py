"""Maintenance of collections: duplicates, openings and other facts computed from the moves, names, tags.

    import tabiya

    found = tabiya.find_duplicates("games.pgn", match="near")
    for group in found:
        print(group.kept.number, [twin.number for twin in group.twins])

Nothing here changes a database unless requested, and every change is reported.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
