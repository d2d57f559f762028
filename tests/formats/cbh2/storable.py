"""Strategies of hypothesis for games that a 2CBH can store completely."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from tabiya.chess import Position
from tabiya.game import Annotation, Game
from tabiya.game.annotations import (
    Arrows,
    BlackClock,
    CriticalPosition,
    Evaluation,
    EvaluationProfile,
    Medals,
    PawnStructure,
    PiecePath,
    Quotation,
    Squares,
    Symbols,
    TextAfter,
    TextBefore,
    TimeControl,
    TimeSpent,
    Training,
    Value,
    VariationColor,
    VideoStreamTime,
    WebLink,
    WhiteClock,
)
from tests.formats.cbh2.writing.notes import LANGUAGES
from tests.game.annotations.values import BY_CLASS
from tests.strategies import STARTS, grow

_AS_THEY_ARE: Final = (
    *(Symbols, Squares, Arrows, TimeSpent, Training, PawnStructure, PiecePath, WhiteClock, BlackClock),
    *(CriticalPosition, WebLink, Evaluation, Medals, VariationColor, TimeControl, VideoStreamTime, EvaluationProfile),
)
"""Kinds whose values all have a form."""

_letters = st.characters(categories=["L", "N", "P", "S"], exclude_characters='",')
_words = st.text(_letters, min_size=1, max_size=12)
names = st.lists(_words, min_size=1, max_size=3).map(" ".join)
"""Names without blanks at their ends, which could be trimmed."""
_players = st.one_of(names, st.tuples(names, names).map(", ".join))
_texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Co"]), max_size=60)
_languages = st.sampled_from(sorted(LANGUAGES))
_texts_after = st.builds(TextAfter, _texts, _languages)
_texts_before = st.builds(TextBefore, _texts, _languages)
_quotations = st.builds(
    Quotation,
    *(_players, _players, names, names),
    date=st.integers(0, 0x1FFFFF),
    result=st.integers(0, 7),
    white_elo=st.integers(0, 0xFFFF),
    black_elo=st.integers(0, 0xFFFF),
    eco=st.integers(0, 0xFFFF),
    type=st.sampled_from([1, 2]),
    tournament_type=st.sampled_from([0, 1, 3, 0x20, 0x43, 0x84]),
    nation=st.integers(0, 0xFF),
    rounds=st.integers(0, 0xFF),
    subround=st.integers(0, 0x7F),
    round=st.integers(0, 0x7F),
)
_values: st.SearchStrategy[Value] = st.one_of(
    *(BY_CLASS[each] for each in _AS_THEY_ARE), _texts_after, _texts_before, _quotations
)


def _annotation(value: Value) -> Annotation:
    return value.annotation(lang=getattr(value, "lang", 0) if isinstance(value, TextAfter | TextBefore) else 0)


_notes = _values.map(_annotation)
_dates = st.sampled_from(["2023.05.01", "1999.12.??", "1851.??.??"])
_tags = st.fixed_dictionaries(
    {"Result": st.sampled_from(["1-0", "0-1", "1/2-1/2", "line", "+:-", "-:+", "=:=", "0-0"])},
    optional={
        "White": _players,
        "Black": _players,
        "Event": names,
        "Site": names,
        "Annotator": _players,
        "WhiteTeam": names,
        "BlackTeam": names,
        "SourceTitle": names,
        "Source": names,
        "Date": _dates,
        "EventDate": _dates,
        "SourceDate": _dates,
        "Round": st.sampled_from(["1", "7.2", "?.3"]),
        "WhiteElo": st.integers(1, 3999).map(str),
        "BlackElo": st.integers(1, 3999).map(str),
        "ECO": st.sampled_from(["A00", "B54", "E99"]),
        "EventRounds": st.integers(1, 255).map(str),
        "EventType": st.sampled_from(["match", "swiss (rapid)", "k.o. (blitz)"]),
        "EventCountry": st.just("SWE"),
    },
)
_starts = st.one_of(
    st.none(),
    st.sampled_from(STARTS).map(Position.from_fen),
    st.sampled_from([0, 518, 959]).map(Position.chess960_start),
    st.integers(0, 959).map(Position.chess960_start),
)
_steps = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=40)


@st.composite
def storable_games(draw: st.DrawFn) -> Game:
    """Games with variations, null moves, set-ups, Chess960 and annotations of all kinds with a known form."""
    game = Game(draw(_tags))
    start = draw(_starts)
    if start is not None:
        fen = start.fen().split()
        game.start = Position.from_fen(" ".join([*fen[:4], "0", fen[5]]), chess960=start.chess960)
        if start.chess960 and start.fen() != Position().fen():
            game.tags.discard("ECO")  # its field holds the number of the start position
    nodes = [game.root, *grow(game, draw(_steps))]
    for where, annotation in draw(st.lists(st.tuples(st.integers(0, 99), _notes), max_size=8)):
        nodes[where % len(nodes)].annotations.append(annotation)
    game.deleted = draw(st.booleans())
    return game
