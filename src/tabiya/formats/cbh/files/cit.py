"""``.cit`` and ``.cib``: which games each entity occurs in. ``.cit2`` and ``.cib2`` are the same for game tags.

Little-endian. ChessBase creates these files again if they are missing, so only ``tabiya check`` reads them. The first
contains for each entity id and each kind of entity the first and the last block of a chain in the second; a block
contains up to 13 game numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tabiya.binary import Field, Layout

KINDS: Final = ("players", "tournaments", "teams", "sources", "annotators")
"""The pairs of a record in ``.cit``, in order; ``.cit2`` has one."""
NONE: Final = -1
_GAMES: Final = 13

HEADER: Final = Layout(
    "cit header",
    "<",
    Field(0, "i32", "record_size", "40, in .cit2 8", 40),
    Field(4, "i32", "unknown_4"),
    Field(8, "i32", "unknown_8"),
)
PAIR: Final = Layout(
    "cit pair",
    "<",
    Field(0, "i32", "first", "block, -1 none", NONE),
    Field(4, "i32", "last", "block, -1 none", NONE),
)
BLOCKS_HEADER: Final = Layout(
    "cib header",
    "<",
    Field(0, "i32", "block_size", "64", 64),
    Field(4, "i32", "blocks"),
    Field(8, "i32", "first_free", "0 none"),
)
BLOCK: Final = Layout(
    "cib block",
    "<",
    Field(0, "i32", "next", "block, -1 at the end", NONE),
    Field(4, "i32", "unknown_4"),
    Field(8, "i32", "games", "up to 13"),
    *(Field(12 + 4 * i, "i32", f"game_{i}") for i in range(_GAMES)),
)


def games_of(index: Any, blocks: Any, entity: int, kind: int = 0) -> Iterator[int]:
    """Yield the numbers of the games of an entity; an invalid or circular link ends the list."""
    if len(index) < HEADER.size:
        return
    size = int(HEADER.read(index)["record_size"])
    place = HEADER.size + entity * size + kind * PAIR.size
    if not 0 < (kind + 1) * PAIR.size <= size or place + PAIR.size > len(index):
        return
    number = int(PAIR.decode(bytes(index[place : place + PAIR.size]))["first"])
    seen: set[int] = set()
    while number >= 0 and number not in seen:
        seen.add(number)
        place = BLOCKS_HEADER.size + number * BLOCK.size
        if place + BLOCK.size > len(blocks):
            return
        block = BLOCK.decode(bytes(blocks[place : place + BLOCK.size]))
        for i in range(min(int(block["games"]), _GAMES)):
            yield int(block[f"game_{i}"])
        number = int(block["next"])


def encode_index(lists: Sequence[Mapping[int, Sequence[int]]], entities: int) -> tuple[bytes, bytes]:
    """Return both files for the games of each entity, by kind and id; the inverse of ``games_of``."""
    pairs = [[PAIR.encode({})] * len(lists) for _ in range(entities)]
    chain: list[bytes] = []
    for kind, games_by_entity in enumerate(lists):
        for entity in sorted(games_by_entity):
            first = len(chain)
            chain += _chain(games_by_entity[entity], first)
            if len(chain) > first:
                pairs[entity][kind] = PAIR.encode({"first": first, "last": len(chain) - 1})
    index = HEADER.encode({"record_size": PAIR.size * len(lists)}) + b"".join(b"".join(row) for row in pairs)
    return index, BLOCKS_HEADER.encode({"blocks": len(chain)}) + b"".join(chain)


def _chain(games: Sequence[int], first: int) -> Iterator[bytes]:
    pieces = [games[i : i + _GAMES] for i in range(0, len(games), _GAMES)]
    for i, piece in enumerate(pieces):
        follower = NONE if i + 1 == len(pieces) else first + i + 1
        numbers = {f"game_{place}": game for place, game in enumerate(piece)}
        yield BLOCK.encode({"next": follower, "games": len(piece), **numbers})
