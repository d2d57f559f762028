"""What a reader should find in a 2CBH that was written from a record of tabiya."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from tabiya.chess import Position
from tabiya.chessbase.tag_order import TAG_ORDER
from tabiya.game import Annotation, Extra, Game, GuidingText, Node, RecordKind, Result, Side
from tabiya.game.annotations import TEXT_AFTER, TEXT_BEFORE, Quotation, TextEncoding, encode_payload, typed
from tests.formats.cbh2.writing import notes
from tests.formats.cbh2.writing.games import TIE_BREAKS, page_of
from tests.formats.cbh2.writing.stream import CannotBeStoredError

_ORDER: Final = ("Board", "WhiteFideId", "BlackFideId", *TAG_ORDER)
KEPT_TAGS: Final = frozenset(
    {
        *("Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO", "Annotator"),
        *("Variant", "SetUp", "FEN", *_ORDER),
    }
)
"""The tags of a CBH, and what only a 2CBH stores: the board and the ids of FIDE."""
_SOURCE_TAGS: Final = {name for name in TAG_ORDER if name.startswith("Source")}
_TEXT_TAGS: Final = frozenset(
    {"Event", "Site", "Annotator", *_SOURCE_TAGS, *(name for name in TAG_ORDER if name.startswith("Event"))}
)
_ANALYSIS_TAGS: Final = frozenset({"Annotator", "Variant", "SetUp", "FEN", *_SOURCE_TAGS})
_HTML: Final = 3
_USUAL_START: Final = Position()

LOST_EXTRAS: Final = {
    "cbh.top_game": "ChessBase's mark of top games has no known place",
    "cbh.media": "where manifests of media are is unknown",
    "cbh.unknown_70": "a word of unknown meaning",
    "cbh.unknown_74": "a word of unknown meaning",
    "cbh.endgames": "2CBH stores bits instead, and which of several endgames get one is unknown",
    "cbh.tag_reserve": "there are seven languages",
    "cbh.event_more": "bytes of unknown meaning",
    "cbh.event_unknown_77": "a byte of unknown meaning",
    "cbh.event_unknown_81": "a byte of unknown meaning",
    "cbh.header_rest": "bytes of unknown meaning",
    "cbh.blob": "moves have another encoding",
    "cbh.annotations": "annotations have another encoding",
    "cbh.text_titles": "titles have another encoding",
    "cbh.text_original": "texts have another encoding",
    "cbh.text_unknown_22": "bytes of unknown meaning",
    "cbh.white_first": "names are stored as last and first name, which may contain commas",
    "cbh.black_first": "the same",
}
"""Details of a CBH that a 2CBH cannot hold, and why."""
LOST_FOR_TEXTS: Final = {
    "cbh.flags": "the header of a guiding text has no flags",
    "cbh.saved": "the header of a guiding text has no time of the last change",
}


def nodes_of(game: Game) -> list[Node]:
    """The root and all moves in the order of PGN."""
    return [game.root, *game.walk()]


def _tags(game: Game) -> None:
    """Other tags have no field; a guiding text has neither round nor players nor result."""
    _keep_tags(game, _TEXT_TAGS if game.kind is RecordKind.TEXT else KEPT_TAGS)


def _keep_tags(game: Game, kept: frozenset[str]) -> None:
    tags = [(name, text) for name, text in game.tags.items() if name in kept]
    game.tags = sorted(tags, key=lambda tag: _ORDER.index(tag[0]) if tag[0] in _ORDER else -1)


def _start(game: Game) -> None:
    """The usual start position is not stored, in Chess960 neither, where it is number 518."""
    position = game.start_position
    if position.fen() == _USUAL_START.fen() and game.kind is RecordKind.GAME:
        for name in ("SetUp", "FEN", "Variant"):
            game.tags.discard(name)


def _result(game: Game) -> None:
    """Every game has a result; one without is stored as a line, as in CBH."""
    if game.kind is RecordKind.GAME and game.result is None:
        game.result = Result.LINE


def _extras(game: Game) -> None:
    """Those of ``LOST_EXTRAS`` go; coordinates have 32 bits, tie-breaks and rating types have fewer values."""
    lost = {*LOST_EXTRAS, *(LOST_FOR_TEXTS if game.kind is RecordKind.TEXT else ())}
    found = [
        Extra(extra.key, _NARROWED.get(extra.key, _same)(extra.value))
        for extra in game.extras
        if extra.format == "cbh" and extra.key not in lost
    ]
    for side in ("white", "black"):  # a type without a meaning is none, which is usual for a player without a rating
        if not game.tags.get(f"{side.capitalize()}Elo"):
            found = [extra for extra in found if extra != Extra(f"cbh.{side}_rating_type", b"")]
    game.extras = sorted(found, key=lambda extra: extra.key)


def _same(value: bytes) -> bytes:
    return value


def _coordinate(value: bytes) -> bytes:
    return str(np.float32(float(value))).encode()


def _tie_breaks(value: bytes) -> bytes:
    rules = bytes.fromhex(value.decode())
    return bytes(rule if rule in TIE_BREAKS else 1 for rule in rules).ljust(10, b"\1").hex().encode()


def _rating_type(value: bytes) -> bytes:
    """Kind, pace, nation and eight bytes of a name; the rest of the 16 bytes are leftovers."""
    record = bytes.fromhex(value.decode()).ljust(16, b"\0")
    kind, pace = record[1] & 7, record[2:4]
    if kind not in (1, 2):
        return b""
    paces = bytes([0, pace[1]]) if kind == 1 else bytes([pace[0], 100])
    return (bytes([0, kind]) + paces + record[4:13]).rstrip(b"\0").hex().encode()


_NARROWED: Final[dict[str, Callable[[bytes], bytes]]] = {
    "cbh.event_latitude": _coordinate,
    "cbh.event_longitude": _coordinate,
    "cbh.event_tie_breaks": _tie_breaks,
    "cbh.white_rating_type": _rating_type,
    "cbh.black_rating_type": _rating_type,
}


def _annotations(game: Game) -> None:
    """Sounds, pictures, data of correspondence chess and texts in rare languages have no known form."""
    for node in nodes_of(game):
        node.annotations[:] = [_settled(each) for each in node.annotations if _has_form(each)]


def _has_form(annotation: Annotation) -> bool:
    usual = Side.BEFORE if annotation.kind == 0x82 else Side.AFTER
    try:
        notes.convert(annotation.kind, encode_payload(annotation, TextEncoding()))
    except CannotBeStoredError:
        return False
    return annotation.side is usual


def _settled(annotation: Annotation) -> Annotation:
    """A quotation has no place for the category, and the word and flags of unknown meaning.

    A base declares no encoding, so in which one the bytes of a text were is not content.
    """
    if annotation.kind in (TEXT_AFTER, TEXT_BEFORE):
        return replace(annotation, raw=None)
    if annotation.kind != Quotation.kind:
        return annotation
    value = typed(annotation)
    if not isinstance(value, Quotation):
        return annotation
    kept = replace(value, category=0, flags=0, unknown=0, tournament_type=value.tournament_type & 0xFF)
    return kept.annotation()


def _texts(game: Game) -> None:
    """Guiding texts are HTML pages; older ones are converted."""
    game.texts = [GuidingText(text.lang, text.title, _HTML, page_of(text)) for text in game.texts]


def _problems(game: Game) -> None:
    """What another reader repaired."""
    game.problems = []


CANNOT_HOLD: Final[tuple[Callable[[Game], None], ...]] = (
    _tags,
    _start,
    _result,
    _extras,
    _annotations,
    _texts,
    _problems,
)
"""What a 2CBH cannot hold, each as a change of a game that removes it."""


def expected(game: Game, *, is_analysis: bool = False) -> Game:
    """The game without what a 2CBH cannot hold."""
    found = game.copy()
    for change in CANNOT_HOLD:
        change(found)
    if is_analysis:  # only a title, a source and an author are known fields of it
        _keep_tags(found, _ANALYSIS_TAGS)
        found.extras = [extra for extra in found.extras if extra.key.startswith(("cbh.tag_", "cbh.source_"))]
    return found


def comparable(game: Game) -> Game:
    """A game that was read, with the details that CBH has as well, in the order of their names."""
    found = game.copy()
    extras = [extra for extra in found.extras if extra.format == "cbh"]
    found.extras = sorted(extras, key=lambda extra: extra.key)
    return found
