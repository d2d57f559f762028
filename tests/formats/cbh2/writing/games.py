"""Records of tabiya as those of a 2CBH: tags and the extras of CBH become fields and entities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from tabiya.chessbase.codes import RESULTS, encode_date, parse_date_text, parse_eco, parse_round
from tabiya.game import Game, GuidingText, Result
from tabiya.game.annotations import Side, TextEncoding, encode_payload
from tabiya.game.nations import nation_number
from tests.formats.cbh2.writing import notes
from tests.formats.cbh2.writing.entities import Entity, Player, Source, Tag, Team, Tournament
from tests.formats.cbh2.writing.headers import NO_MEDIA
from tests.formats.cbh2.writing.stream import CHESS960, CannotBeStoredError, game_words, pgn_order

TITLE_NATIONS: Final = {
    "english": 42,
    "german": 53,
    "french": 49,
    "spanish": 43,
    "italian": 70,
    "dutch": 103,
    "slovenian": 117,
}
"""Nation codes of the titles of a CBH; that the seventh language is Portuguese follows from the other lists."""
TEXT_NATIONS: Final = {0: 42, 1: 53, 2: 49, 3: 43, 4: 70, 5: 103, 6: 117, 7: 0}
"""Nation codes of the languages of a guiding text in CBH."""

TIE_BREAKS: Final = {
    2: 0,
    10: 1,
    11: 2,
    12: 3,
    13: 4,
    14: 5,
    21: 16,
    22: 17,
    23: 18,
    200: 19,
    201: 11,
    202: 12,
    203: 13,
    204: 14,
    206: 21,
}
"""Numbers of tie-breaks by those of CBH; others have none."""

_EVENT_KINDS: Final = ("", "game", "match", "tourn", "swiss", "team", "k.o.", "simul", "schev")
_EVENT_PACES: Final = {"": 0, "blitz": 0x20, "rapid": 0x40, "corr": 0x80}

_FIDE_LISTS: Final = {0: 1, 2: 2, 3: 3, 4: 4}
_NATIONAL_LIST: Final = 100
_INTERNATIONAL, _NATIONAL = 1, 2

FLAGS: Final = {
    0x02: 2,
    0x82: 2,
    0x03: 3,
    0x04: 4,
    0x05: 5,
    0x07: 7,
    0x08: 8,
    0x09: 9,
    0x20: 18,
    0x13: 19,
    0x14: 20,
    0x15: 21,
    0x16: 22,
    0x17: 23,
    0x18: 24,
    0x1C: 28,
}
"""The bit of the flags for each kind of annotation that has one."""
_SETUP, _VARIATIONS, _UNORTHODOX = 0, 1, 27


def split_player(name: str, first: str | None = None) -> tuple[str, str]:
    """Last and first name, so that ``Last, First`` is the name."""
    if first is not None:
        return (name.removesuffix(f", {first}"), first) if first else (name, first)
    last, _, rest = name.partition(",")
    first = rest.lstrip(" ")
    return (last, first) if name == f"{last}, {first}" else (name, "")


def event_type(text: str) -> int:
    """The number of a type such as ``swiss (rapid)``; 0 if unknown."""
    kind, _, pace = text.removesuffix(")").partition(" (")
    if kind in _EVENT_PACES and not pace:
        kind, pace = "", kind
    return _EVENT_KINDS.index(kind) | _EVENT_PACES[pace] if kind in _EVENT_KINDS and pace in _EVENT_PACES else 0


def rating_type(record: bytes) -> bytes:
    """The 14 bytes of a rating type, from the 16 of a CBH."""
    record = record.ljust(16, b"\0")
    kind, nation, name = record[1] & 7, record[4], record[5:].rstrip(b"\0")
    if kind not in (_INTERNATIONAL, _NATIONAL):
        return bytes(14)
    pace = record[3] - 1 if kind == _INTERNATIONAL else record[2]
    pace = {0: 0, 1: 2, 2: 3, 3: 4}.get(pace, 0)
    number = _NATIONAL_LIST if kind == _NATIONAL else _FIDE_LISTS[pace]
    head = (kind | pace << 3, number, nation)
    return b"".join(part.to_bytes(2, "little") for part in head) + name[:8].ljust(8, b"\0")


USUAL_RATING: Final = bytes.fromhex("000100010046494445")
"""The rating type in CBH of a player with a rating but no other type: FIDE."""


@dataclass
class TabiyaRecord:
    """A record of tabiya, and its names and values."""

    game: Game
    encoding: TextEncoding
    more: Mapping[str, int | bytes] = field(default_factory=dict)
    """Fields of the header that no format but this one has."""

    @cached_property
    def extras(self) -> dict[str, str]:
        """The extras of CBH as texts."""
        return {
            extra.key.removeprefix("cbh."): extra.value.decode(errors="replace")
            for extra in self.game.extras
            if extra.format == "cbh"
        }

    def tag(self, name: str) -> str:
        return self.game.tags.get(name) or ""

    def number(self, name: str) -> int:
        text = self.tag(name)
        return int(text) if text.isascii() and text.isdigit() else 0

    def extra(self, name: str, default: int = 0) -> int:
        text = self.extras.get(name, "")
        return int(text) if text.isascii() and text.isdigit() else default

    def date(self, name: str, extra: str) -> int:
        return self.extra(extra) or parse_date_text(self.tag(name))

    def nation(self, name: str) -> int:
        return nation_number(self.tag(name)) or 0 if self.tag(name) else 0

    # Entities.

    def player(self, side: str) -> Player:
        name = side.capitalize()
        fide_id = self.number(f"{name}FideId")
        names = split_player(self.tag(name), self.extras.get(f"{side}_first"))
        return Player(*names, fide_id=fide_id) if fide_id else Player(*names)

    def annotator(self) -> Player:
        return Player(*split_player(self.tag("Annotator")))

    def tournament(self) -> Tournament:
        used = self.extra("event_tie_breaks_used")
        rules = bytes.fromhex(self.extras.get("event_tie_breaks", "01" * 10)).ljust(10, b"\0")[:used]
        return Tournament(
            self.tag("Event"),
            self.tag("Site"),
            self.date("EventDate", "event_date"),
            self.extra("event_type") or event_type(self.tag("EventType")),
            self.extra("event_team"),
            self.nation("EventCountry"),
            self.number("EventCategory"),
            self.extra("event_flags"),
            self.number("EventRounds"),
            float(self.extras.get("event_latitude", 0)),
            float(self.extras.get("event_longitude", 0)),
            0,
            tuple(TIE_BREAKS[rule] for rule in rules if rule in TIE_BREAKS),
            self.extra("event_end_date") or parse_date_text(self.extras.get("event_end", "")),
        )

    def source(self) -> Source:
        return Source(
            self.tag("SourceTitle"),
            self.tag("Source"),
            self.date("SourceDate", "source_date"),
            self.date("SourceVersionDate", "source_version_date"),
            self.number("SourceVersion"),
            self.number("SourceQuality"),
        )

    def team(self, side: str) -> Team | None:
        name = side.capitalize()
        team = Team(
            self.tag(f"{name}Team"),
            self.extra(f"{side}_team_number"),
            self.extra(f"{side}_team_season"),
            self.extra(f"{side}_team_year"),
            self.nation(f"{name}TeamCountry"),
        )
        return None if team == Team() else team

    def title(self) -> Tag:
        named = {TITLE_NATIONS[name]: self.extras.get(f"tag_{name}", "") for name in TITLE_NATIONS}
        own = {TEXT_NATIONS[text.lang]: text.title for text in self.game.texts if text.lang in TEXT_NATIONS}
        titles = {**named, **{nation: title for nation, title in own.items() if title}}
        return Tag(tuple((nation, title) for nation, title in sorted(titles.items()) if title))

    def references(self) -> dict[str, Entity | None]:
        """The entities of a game."""
        return {
            "white": self.player("white"),
            "black": self.player("black"),
            "tournament": self.tournament(),
            "annotator": self.annotator(),
            "source": self.source(),
            "white_team": self.team("white"),
            "black_team": self.team("black"),
            "tag": self.title(),
        }

    # Headers.

    def _eco(self, tag: bytes, words: list[int]) -> int:
        if tag == CHESS960 and words[1] < 960:
            return 0x10000 - 960 + words[1]
        code = parse_eco(self.tag("ECO"))
        return code | self.extra("eco_sub") if code else self.extra("eco")

    def _rating_type(self, side: str) -> bytes:
        stored = self.extras.get(f"{side}_rating_type")
        if stored is None:
            return rating_type(USUAL_RATING) if self.number(f"{side.capitalize()}Elo") else bytes(14)
        return rating_type(bytes.fromhex(stored))

    def values(self, tag: bytes, words: list[int]) -> dict[str, int | bytes]:
        """The fields of a game's header."""
        number, sub = parse_round(self.game.tags.get("Round")) or (0, 0)
        greater, _, lesser = self.extras.get("material", "0 0").partition(" ")
        result = self.game.result
        date = self.game.date
        return {
            "result": self.extra("result") or RESULTS.index(result if result in RESULTS else Result.LINE),
            "line_evaluation": self.extra("line_evaluation"),
            "round": number,
            "subround": sub,
            "board": self.number("Board"),
            "white_elo": self.number("WhiteElo"),
            "white_rating_type": self._rating_type("white"),
            "black_elo": self.number("BlackElo"),
            "black_rating_type": self._rating_type("black"),
            "eco": self._eco(tag, words),
            "medals": self.extra("medals"),
            "flags": self._flags(tag, words),
            "magnitudes": self._magnitudes(),
            "full_moves": self._full_moves(),
            "greater_material": int(greater),
            "lesser_material": int(lesser),
            "created": self.extra("created"),
            "changed": self.extra("saved"),
            "version": self.extra("version", 1),
            "date": self.extra("date") or (encode_date(date) if date is not None else 0),
            **self.more,
        }

    def _full_moves(self) -> int:
        start = self.game.start
        black_starts = start is not None and start.split()[1] == "b"
        return (sum(1 for _ in self.game.mainline()) + black_starts + 1) // 2

    def _variation_moves(self) -> int:
        return sum(1 for _ in pgn_order(self.game.root)) - sum(1 for _ in self.game.mainline())

    def _flags(self, tag: bytes, words: list[int]) -> int:
        found = self.extra("flags")
        for node in (self.game.root, *pgn_order(self.game.root)):
            for annotation in node.annotations:
                if annotation.kind in FLAGS:
                    found |= 1 << FLAGS[annotation.kind]
        has_start = words[0] != 0xFFFC
        found |= has_start << _SETUP | (tag == CHESS960) << _UNORTHODOX
        return found | (self._variation_moves() > 0) << _VARIATIONS

    def _magnitudes(self) -> int:
        """Amounts of text, symbols, squares and arrows; that of variations is set by conversions only, so it is 0."""
        counts = dict.fromkeys((0x03, 0x04, 0x05, 0x07, 0x09), 0)
        text = 0
        for node in (self.game.root, *pgn_order(self.game.root)):
            for annotation in node.annotations:
                if annotation.kind in (0x02, 0x82):
                    text += len(encode_payload(annotation, self.encoding)) - 2
                elif annotation.kind in counts:
                    counts[annotation.kind] += 1
        limits = ((0x03, 10, 3), (0x04, 10, 4), (0x05, 6, 5), (0x07, 10, 7), (0x09, 6, 9))
        return (text > 200) << 2 | sum((counts[kind] >= limit) << bit for kind, limit, bit in limits)

    # Bodies.

    def words(self) -> tuple[bytes, list[int]]:
        """The tag of the body, and its words."""
        return game_words(self.game.root, self.game.start, chess960=self.game.variant.name == "CHESS960")

    def annotations(self, report: Callable[[str], None]) -> bytes:
        """The content of the record in ``.2cba``; ``report`` gets a sentence for each annotation that has no form."""
        return notes.annotation_record(self._members(report))

    def _members(self, report: Callable[[str], None]) -> Iterator[tuple[int, bytes]]:
        for position, node in enumerate((self.game.root, *pgn_order(self.game.root)), start=notes.WHOLE_GAME):
            for annotation in node.annotations:
                try:
                    usual = Side.BEFORE if annotation.kind == 0x82 else Side.AFTER
                    if annotation.side != usual:
                        raise CannotBeStoredError("an annotation on another side of its move")
                    payload = encode_payload(annotation, self.encoding)
                    yield position, notes.annotation(annotation.kind, notes.convert(annotation.kind, payload))
                except CannotBeStoredError as error:
                    report(str(error))

    def text_values(self) -> dict[str, int | bytes]:
        """The fields of a guiding text's header."""
        return {"created": self.extra("created"), "media": NO_MEDIA, "version": self.extra("version", 1), **self.more}

    def text_content(self) -> bytes:
        """The body of a guiding text."""
        return notes.guiding_text({TEXT_NATIONS[text.lang]: page_of(text) for text in self.game.texts})


def page_of(text: GuidingText) -> bytes:
    """A guiding text as HTML: texts of older formats are converted."""
    return text.body if text.format >= 3 else text.html().encode()
