"""Small 2CBH bases made from the published facts, and the records that a reader should find in them.

``python -m tests.formats.cbh2.handmade`` writes them to ``tests/data/cbh2``.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tabiya.chess import Position, Square
from tabiya.game import Annotation, Extra, Game, GuidingText, RecordKind, Side
from tabiya.game.annotations import (
    Arrow,
    Arrows,
    BlackClock,
    ColoredSquare,
    CriticalPosition,
    Evaluation,
    EvaluationProfile,
    Medals,
    PawnStructure,
    Period,
    PiecePath,
    ProfileEntry,
    Quotation,
    Solution,
    Squares,
    Symbols,
    TextAfter,
    TextBefore,
    TimeControl,
    TimeSpent,
    Training,
    TrainingText,
    Value,
    VariationColor,
    VideoStreamTime,
    WebLink,
    WhiteClock,
)
from tests.formats.cbh2.writing import Written, write_2cbh
from tests.formats.cbh2.writing.entities import PLAYER

FOLDER: Final = Path(__file__).parents[2] / "data" / "cbh2"
STEM, OLDER_STEM = "handmade 17.2", "handmade3"
"""Names of the bases of versions 5 and 3; base names contain dots in reality, too."""

MOVES: Final = "1. e4 c5 (1... c6 2. d4) (1... Nf6 2. e5 Nd5) 2. Nf3 d6 (2... Nc6 3. Bb5 (3. d4 cxd4)) 3. d4 -- 4. dxc5"
SETUP: Final = "r3k3/p7/8/8/4pP2/8/8/R3K2R b Kq f3 0 263"

TAGS: Final = {
    "Event": "Swedish Ch",
    "Site": "Umeå",
    "Date": "2016.05.09",
    "Round": "1.2",
    "White": "Mårdell, Jimmy",
    "Black": "Doe, John",
    "Result": "1-0",
    "WhiteElo": "2150",
    "BlackElo": "2000",
    "ECO": "B54",
    "Annotator": "Jimmy",
    "EventDate": "2016.05.01",
    "EventType": "swiss (rapid)",
    "EventRounds": "9",
    "EventCountry": "SWE",
    "EventCategory": "20",
    "SourceTitle": "Test source",
    "Source": "Test publisher",
    "SourceDate": "2016.05.06",
    "SourceVersion": "3",
    "SourceVersionDate": "2016.05.09",
    "SourceQuality": "2",
    "WhiteTeam": "SK Rockaden Umeå",
    "WhiteTeamCountry": "SWE",
    "BlackTeam": "Test Team",
    "Board": "4",
    "WhiteFideId": "1703439",
}
EXTRAS: Final = {
    "line_evaluation": "44",
    "eco_sub": "7",
    "medals": "832",
    "white_rating_type": "0001000300" + b"FIDE".hex(),
    "black_rating_type": "0002016486" + b"SSF".hex(),
    "material": "33426 4096",
    "version": "29",
    "created": "240363607580",
    "saved": "136822851254587810",
    "event_team": "1",
    "event_flags": "12",
    "event_latitude": "59.25",
    "event_longitude": "18.0625",
    "event_tie_breaks": "16c8",
    "event_end": "2016.05.20",
    "event_tie_breaks_used": "2",
    "white_team_number": "2",
    "white_team_season": "1",
    "white_team_year": "2016",
    "tag_english": "Test title",
    "tag_german": "Testtitel",
}
MORE: Final[Mapping[str, int | bytes]] = {
    "endgames": bytes.fromhex("010000000008"),
    "classification": struct.pack("<q", 8249579424798)[:6],
}
"""Fields that no other format has."""
ANALYSIS_MORE: Final[Mapping[str, int | bytes]] = {"unknown_0x38": 776}


def _values() -> list[tuple[int, Value, Side]]:
    """A value of every kind with a known form: the number of the move that it belongs to, or -1."""
    after, before = Side.AFTER, Side.BEFORE
    e4, h8 = Square.parse("e4"), Square.parse("h8")
    evaluations = (ProfileEntry(), ProfileEntry(0, 17, 3), ProfileEntry(0, 20, -16), ProfileEntry(1, 0, -5))
    periods = (Period(540_000, 0, 40, 1), Period(180_000, 3000, 1000, 3))
    quotation = Quotation("Ward,John", "Muir", "Event", "Site", 2020 << 9 | 5 << 5, 2, 2300, 0, 5 << 7, type=1)
    answer = Solution(Square.parse("g1"), Square.parse("f3"), 0, 5, (TrainingText(0, "Yes"),))
    question = Training(90, 5, (TrainingText(0, "Where?"),), ((), (TrainingText(0, "Look"),), ()), (answer,))
    return [
        *((-1, TextAfter("About the game"), after), (-1, Medals(1), after), (-1, WhiteClock(360_000), after)),
        *((-1, BlackClock(1), after), (-1, TimeControl(periods), after), (-1, EvaluationProfile(evaluations), after)),
        *((0, TextBefore("Before"), before), (0, TextAfter("After ½"), after), (0, TextAfter("Nachher", 53), after)),
        *((0, Symbols(1, 14, 140), after), (1, Squares((ColoredSquare(2, e4), ColoredSquare(4, h8))), after)),
        *((1, Arrows((Arrow(7, e4, h8),)), after), (2, TimeSpent(1, 2, 3, 30), after), (3, question, after)),
        *((4, quotation, after), (5, PawnStructure(3), after), (6, PiecePath(e4, 3), after)),
        *((7, CriticalPosition(3), after), (8, WebLink("https://example.com/", "A link"), after)),
        *((9, Evaluation(-106, 0, 29), after), (9, Evaluation(5, 1, 3), after), (10, Medals(0x300), after)),
        *((11, VariationColor(3, 1, 2, 3), after), (12, VideoStreamTime(123_456), after)),
        *((13, Symbols(0, 18, 0), after), (14, TextBefore("Ende", 53), before)),
    ]


def annotated() -> Game:
    """A game with a value in every field, and with annotations of every kind."""
    game = Game.from_pgn(f"{MOVES} *")
    game.tags = TAGS
    game.extras = [Extra(f"cbh.{name}", text.encode()) for name, text in EXTRAS.items()]
    nodes = list(game.walk())
    for move, value, side in _values():
        lang = getattr(value, "lang", 0)
        node = game.root if move < 0 else nodes[move]
        node.annotations.append(value.annotation(side=side, lang=lang))
    return game


def from_fen(fen: str, moves: str, *, chess960: bool = False) -> Game:
    """A game from a start position."""
    variant = '[Variant "Chess960"]\n' if chess960 else ""
    return Game.from_pgn(
        f'[White "A"]\n[Black "B"]\n[Result "0-1"]\n{variant}[SetUp "1"]\n[FEN "{fen}"]\n\n{moves} 0-1'
    )


def guiding_text() -> Game:
    """A guiding text in two languages."""
    game = Game({"Event": "Swedish Ch", "Site": "Umeå", "Annotator": "Jimmy"})
    game.kind = RecordKind.TEXT
    pages = {0: ("First text", "<html><body>Hello, Umeå</body></html>"), 1: ("Erster Text", "<html>Hallo</html>")}
    game.texts = [GuidingText(lang, title, 3, body.encode()) for lang, (title, body) in pages.items()]
    game.extras = [Extra("cbh.version", b"2"), Extra("cbh.created", b"393150226112")]
    return game


def records() -> list[Game]:
    """The records of a base in order."""
    deleted = from_fen(SETUP, "263... exf3 264. O-O f2+")
    deleted.deleted = True
    chess960 = from_fen(Position.chess960_start(566).fen(), "1. d4 d5 2. -- --", chess960=True)
    castling = Game.from_pgn("1. e4 c5 2. e5 d5 3. exd6 Nc6 4. dxe7 Nf6 5. exd8=N Be7 6. Nf3 O-O 7. Be2 b6 8. O-O 0-1")
    analysis = Game.from_pgn("1. d4 (1. c4 (1. b3) 1... e5) 1... d5 *")
    analysis.tags = {"Annotator": "Jimmy"}
    analysis.extras = [Extra("cbh.tag_english", b"An analysis")]
    setup960 = from_fen("4k3/8/8/8/8/8/8/2R1K3 w - - 0 37", "37. Rc8+ Kd7", chess960=True)
    return [annotated(), deleted, chess960, guiding_text(), castling, analysis, setup960, Game()]


ANALYSIS: Final = 5
"""The place of the analysis."""


def more_of(game: Game) -> Mapping[str, int | bytes]:
    """The further fields of a record."""
    titles = [extra.value for extra in game.extras if extra.key == "cbh.tag_english"]
    return {b"Test title": MORE, b"An analysis": ANALYSIS_MORE}.get(titles[0], {}) if titles else {}


def is_analysis(game: Game) -> bool:
    """Whether a record is the analysis."""
    return more_of(game) is ANALYSIS_MORE


def write(folder: Path) -> list[Written]:
    """Write both bases; in the older one, names are in cp1252 and records have gaps of several sizes."""
    newer = write_2cbh(records(), folder / STEM, is_analysis=is_analysis, more=more_of, title="By hand")
    entities = newer.base.entities
    for _ in range(2):  # players of a base that had more games
        entities.delete(PLAYER, entities.add(PLAYER, bytes(36)))
    newer.base.write(folder / STEM)
    older = write_2cbh(
        *(records(), folder / OLDER_STEM),
        version=3,
        encoding="cp1252",
        header_size=216,
        unused_container=0,
        spare=lambda number: (0, None, 7, 1000)[number % 4],
        is_analysis=is_analysis,
        more=more_of,
    )
    return [newer, older]


def comparable(annotation: Annotation) -> tuple[int, bytes, int, Side]:
    """An annotation without its original bytes."""
    return annotation.kind, annotation.data, annotation.lang, annotation.side


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    write(FOLDER)
