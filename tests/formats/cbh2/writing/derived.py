"""The files that follow from the others (facts page, section 10): lists of games, and sort orders. Only writers need
them.
"""

from __future__ import annotations

import struct
from typing import Final

from tests.formats.cbh2.writing.entities import (
    PLAYER,
    SOURCE,
    TAG,
    TEAM,
    TOURNAMENT,
    Entity,
    EntityFile,
    Player,
    Tag,
    Tournament,
)
from tests.formats.cbh2.writing.headers import ANALYSIS, GAME, TEXT

PLAYERS, TOURNAMENTS, SOURCES, ANNOTATORS, TEAMS, GAME_TAGS, TEXT_TITLES, ANALYSIS_TITLES = range(1, 9)
ROLES: Final[dict[str, tuple[tuple[str, int, int], ...]]] = {
    GAME: (
        ("white", PLAYER, PLAYERS),
        ("black", PLAYER, PLAYERS),
        ("tournament", TOURNAMENT, TOURNAMENTS),
        ("annotator", PLAYER, ANNOTATORS),
        ("source", SOURCE, SOURCES),
        ("white_team", TEAM, TEAMS),
        ("black_team", TEAM, TEAMS),
        ("tag", TAG, GAME_TAGS),
    ),
    TEXT: (
        ("tournament", TOURNAMENT, TOURNAMENTS),
        ("annotator", PLAYER, ANNOTATORS),
        ("source", SOURCE, SOURCES),
        ("tag", TAG, TEXT_TITLES),
    ),
    ANALYSIS: (("annotator", PLAYER, ANNOTATORS), ("source", SOURCE, SOURCES), ("tag", TAG, ANALYSIS_TITLES)),
}
"""The references of a record by kind: field, type of the entity, role."""

Uses = dict[tuple[int, int], dict[int, list[int]]]
"""By type and role, then by entity: the numbers of games, ascending; a game with the entity twice is in it twice."""

# Lists of games.

_HEADS, _BLOCK = 32, 30
_SINGLE, _RANGE = 0x4000 << 48, 0x2000 << 48


def game_lists(entities: EntityFile, uses: Uses) -> bytes:
    """The file ``.2lgd``."""
    count = max(map(len, entities.records))
    heads = [[-1] * _HEADS for _ in range(count)]
    for slots in heads:
        for role in range(1, 9):
            slots[role], slots[10 + role], slots[20 + role] = -1, -1, 0
        slots[30] = 12
    blocks: list[list[int]] = []
    for (_, role), lists in uses.items():
        for entity, games in lists.items():
            slots = heads[entity]
            slots[role], slots[10 + role], slots[20 + role] = _first(games, blocks), games[-1], len(games)
    records = max(count, len(blocks))
    heads += [[-1] * _HEADS for _ in range(records - count)]
    blocks += [[0] * _HEADS for _ in range(records - len(blocks))]
    body = b"".join(struct.pack("<32q32q", *head, *block) for head, block in zip(heads, blocks, strict=True))
    used = sum(1 for block in blocks if any(block))
    return struct.pack("<iii", 256, used, 0) + body


def _first(games: list[int], blocks: list[list[int]]) -> int:
    """What stands for the beginning of a list; long ones get blocks."""
    if len(games) <= 2:
        return _SINGLE | games[0]
    if games == [*range(games[0], games[-1] + 1)]:
        return _RANGE | games[0]
    first = len(blocks)
    pieces = [games[place : place + _BLOCK] for place in range(0, len(games), _BLOCK)]
    for number, piece in enumerate(pieces, start=1):
        following = first + number if number < len(pieces) else -1
        blocks.append([following, len(piece), *piece, *[0] * (_BLOCK - len(piece))])
    return first


# Sort orders.

_PAGE, _NODES_OF_PAGE, _DIRECTORY = 4096, 102, 1024
CATALOG: Final = (
    ("Default Spieler", PLAYER, 1),
    ("Default Turnier", TOURNAMENT, 2),
    ("Default Quelle", SOURCE, 3),
    ("Default Kommentator", PLAYER, 4),
    ("Default Mannschaften", TEAM, 5),
    ("Default Partietitle", TAG, 6),
    ("Default Texttitel", TAG, 6),
    ("Default Analysen", TAG, 6),
)
"""The trees by role: name, type of the entities, number."""

_ASCII: Final = frozenset(map(chr, range(32, 127)))
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_EMPTY, _FORBIDDEN = 1, 0
_KEY_SIZE: Final = 8


def sort_key(entity: Entity) -> int:
    """The eight bytes by which most entities are told apart, the first of them the highest."""
    if isinstance(entity, Player):
        begin, text, allowed = b"", entity.last, _LETTERS | {" "}
    elif isinstance(entity, Tournament):
        begin, text, allowed = (entity.date >> 9).to_bytes(2, "big"), entity.title, _LETTERS
    elif isinstance(entity, Tag):
        language, text = entity.titles[0] if entity.titles else (0, "")
        begin, allowed = bytes([language]), _ASCII
    else:
        begin, text, allowed = b"", entity.title, _ASCII
    if not text:
        return _EMPTY
    letters = text.lower()[: _KEY_SIZE - len(begin)]
    if not allowed.issuperset(letters):
        return _FORBIDDEN
    return int.from_bytes((begin + letters.encode()).ljust(_KEY_SIZE, b"\0"), "big")


def _order(entity: Entity) -> tuple[object, ...]:
    """The order of names, as far as plain letters decide it; tournaments are in that of time."""
    if isinstance(entity, Player):
        return entity.last.casefold(), entity.first.casefold()
    if isinstance(entity, Tournament):
        return entity.date >> 9, entity.title.casefold(), entity.place.casefold(), entity.date
    return entity.titles if isinstance(entity, Tag) else (entity.title.casefold(),)


def sort_orders(entities: EntityFile, uses: Uses) -> bytes:
    """The file ``.2lcd``: a balanced tree per role, for up to 102 entities without a directory page.

    ChessBase's order of names is not completely known, so this file is sound in its framing only.
    """
    pages: list[bytes] = []
    catalog = []
    for role, (name, kind, number) in enumerate(CATALOG, start=1):
        found = {
            number: each for number, each in entities.entities[kind].items() if number in uses.get((kind, role), {})
        }
        members = sorted(found, key=lambda number: _order(found[number]))
        root, nodes = _tree(members)
        first = 2 + len(pages)
        pages += _node_pages(nodes, {number: sort_key(each) for number, each in found.items()})
        title = name.encode("latin-1")
        entry = struct.pack(">HIqq", 1, first, root, len(members))
        entry += struct.pack(">BBBBH", kind + 1, 3, number, 1, len(title)) + title
        catalog.append(entry.ljust(128, b"\0"))
    head = struct.pack(">iii", 1, 2 + len(pages), _PAGE).ljust(_PAGE, b"\0")
    return head + b"".join(catalog).ljust(_PAGE, b"\0") + b"".join(pages)


def _tree(members: list[int]) -> tuple[int, dict[int, tuple[int, int, int, int]]]:
    """The root, and left, right, parent and balance of each entity."""
    nodes: dict[int, list[int]] = {}
    heights: dict[int, int] = {-1: 0}
    todo: list[tuple[int, int, int, int]] = [(0, len(members), -1, 0)]
    order = []
    root = -1
    while todo:
        begin, end, parent, side = todo.pop()
        if begin >= end:
            continue
        middle = (begin + end) // 2
        node = members[middle]
        nodes[node] = [-1, -1, parent, 0]
        order.append(node)
        if parent < 0:
            root = node
        else:
            nodes[parent][side] = node
        todo += [(begin, middle, node, 0), (middle + 1, end, node, 1)]
    for node in reversed(order):
        left, right = heights[nodes[node][0]], heights[nodes[node][1]]
        nodes[node][3] = right - left
        heights[node] = 1 + max(left, right)
    return root, {node: (left, right, parent, balance) for node, (left, right, parent, balance) in nodes.items()}


def _node_pages(nodes: dict[int, tuple[int, int, int, int]], keys: dict[int, int]) -> list[bytes]:
    """Pages whose nodes are at the places of their entities; at least one."""
    count = max(nodes, default=0) // _NODES_OF_PAGE + 1
    pages = [bytearray(_PAGE) for _ in range(count)]
    for entity, (left, right, parent, balance) in nodes.items():
        page, place = divmod(entity, _NODES_OF_PAGE)
        struct.pack_into("<qqqQhhi", pages[page], 40 * place, left, right, parent, keys[entity], balance, 0, -1)
    return [bytes(page) for page in pages]
