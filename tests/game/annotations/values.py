"""Values of annotations for the tests: read from a comment, and by a strategy per class with hostile strings."""

from __future__ import annotations

from hypothesis import strategies as st

from tabiya.chess import Color, Move, Position, Square
from tabiya.game.annotations import (
    Arrow,
    Arrows,
    BlackClock,
    ColoredSquare,
    CorrespondenceHeader,
    CorrespondenceMove,
    CriticalPosition,
    Evaluation,
    EvaluationProfile,
    Medals,
    NagSequence,
    PawnStructure,
    Period,
    Picture,
    PiecePath,
    ProfileEntry,
    Quotation,
    Raw,
    Reason,
    Solution,
    Sound,
    Squares,
    Symbols,
    TextAfter,
    TextBefore,
    TextEncoding,
    TimeControl,
    TimeSpent,
    Training,
    TrainingText,
    Unreadable,
    Value,
    VariationColor,
    Video,
    VideoStreamTime,
    WebLink,
    WhiteClock,
    parse_comment,
    typed,
)
from tests.strategies import texts


def read(comment: str, mover: Color = Color.WHITE) -> list[Value | Raw]:
    return [typed(annotation) for annotation in parse_comment(comment, mover=mover).annotations]


BYTE = st.integers(0, 0xFF)
WORD = st.integers(0, 0xFFFF)
LONG = st.integers(0, 0xFFFFFFFF)
SIGNED = st.integers(-0x8000, 0x7FFF)

_HOSTILE = (
    '"',
    "a] b",
    "\\",
    "\\]",
    "\\u0041",
    "\\\\n",
    "}",
    "{",
    "  two  blanks ",
    " ",
    "\r\n\r\n",
    "\x00",
    "\x7f\x80",
    "\U0001f600",
    "[%clk 0:00:01]",
    "[%post x]",
    "[%raw AAAA]",
    "[%unknown x]",
    "[%csl",
    "♘f3 §5 ¤f3 \ue028f3 ▦ ž",
    "daß…",
    "Ã©",
    "Привет",
    "a\xa0b\u2028c",
    '"quoted" \\"text\\"',
)
strings = st.one_of(st.sampled_from(_HOSTILE), texts, st.lists(st.sampled_from(_HOSTILE), max_size=5).map("".join))
"""Whatever a PGN comment could stumble over."""

names = strings.filter(lambda text: len(text.encode()) < 256)
squares = st.sampled_from(Square)
_colors = st.one_of(st.sampled_from([2, 3, 4, 7]), st.sampled_from([ord("O"), ord("C"), ord("G")]), BYTE)
_texts = st.lists(st.builds(TrainingText, WORD, strings), max_size=3).map(tuple)
_solutions = st.builds(Solution, squares, squares, BYTE, BYTE, _texts)
_periods = st.one_of(
    st.builds(Period),
    st.builds(Period, LONG, st.just(0), st.just(1000), st.sampled_from([1, 3])),
    st.builds(Period, LONG, LONG, WORD, BYTE),
)
_entries = st.one_of(
    st.builds(ProfileEntry),
    st.builds(ProfileEntry, st.just(0), st.just(0), st.integers(-2000, 2000)),
    st.builds(ProfileEntry, st.sampled_from([0, 1, 2, 255]), BYTE, SIGNED),
)
_data = st.binary(max_size=20)

QUOTED_STARTS = (
    None,
    "r3k2r/p6P/8/8/8/8/P6p/R3K2R w KQkq - 0 40",
    "r3k2r/p6P/8/8/8/8/P6p/R3K2R b Kq - 0 255",
    "8/8/8/8/3pP3/4k3/8/4K3 b - e3 0 60",
)
"""With castling, promotions and captures en passant at hand."""


@st.composite
def quoted_games(draw: st.DrawFn) -> tuple[str | None, tuple[Move, ...]]:
    """A start position and legal moves from there, null moves among them."""
    start = draw(st.sampled_from(QUOTED_STARTS))
    position = Position() if start is None else Position.from_fen(start)
    moves: list[Move] = []
    for _ in range(draw(st.integers(0, 12))):
        moves.append(draw(st.sampled_from([*position.legal_moves(), Move.NULL])))
        position = position.play(moves[-1])
    return start, tuple(moves)


def _quotations(game: tuple[str | None, tuple[Move, ...]]) -> st.SearchStrategy[Quotation]:
    return st.builds(
        Quotation,
        names,
        names,
        names,
        names,
        date=LONG,
        result=BYTE,
        white_elo=WORD,
        black_elo=WORD,
        eco=WORD,
        type=WORD,
        flags=st.sampled_from([0, 1]),
        start=st.just(game[0]),
        tournament_type=WORD,
        nation=WORD,
        category=WORD,
        rounds=WORD,
        subround=BYTE,
        round=BYTE,
        unknown=WORD,
        moves=st.just(game[1]),
    )


BY_CLASS: dict[type[Value], st.SearchStrategy[Value]] = {
    TextAfter: st.builds(TextAfter, strings, BYTE),
    TextBefore: st.builds(TextBefore, strings, BYTE),
    Symbols: st.builds(Symbols, BYTE, BYTE, BYTE).filter(lambda symbols: bool(symbols.nags)),
    Squares: st.builds(Squares, st.lists(st.builds(ColoredSquare, _colors, squares), max_size=4).map(tuple)),
    Arrows: st.builds(Arrows, st.lists(st.builds(Arrow, _colors, squares, squares), max_size=4).map(tuple)),
    TimeSpent: st.builds(TimeSpent, BYTE, BYTE, BYTE, BYTE),
    Training: st.builds(
        Training,
        LONG,
        WORD,
        _texts,
        st.tuples(_texts, _texts, _texts),
        st.lists(_solutions, max_size=3).map(tuple),
    ),
    Sound: st.builds(Sound, _data),
    Picture: st.builds(Picture, _data),
    Video: st.builds(Video, BYTE, strings),
    Quotation: quoted_games().flatmap(_quotations),
    PawnStructure: st.builds(PawnStructure, BYTE),
    PiecePath: st.builds(PiecePath, squares, BYTE),
    WhiteClock: st.builds(WhiteClock, LONG),
    BlackClock: st.builds(BlackClock, LONG),
    CriticalPosition: st.builds(CriticalPosition, BYTE),
    CorrespondenceMove: st.builds(CorrespondenceMove, _data),
    CorrespondenceHeader: st.builds(CorrespondenceHeader, _data),
    WebLink: st.builds(WebLink, names, names),
    Evaluation: st.builds(Evaluation, SIGNED, st.one_of(st.sampled_from([0, 1]), SIGNED), SIGNED),
    Medals: st.builds(Medals, st.one_of(WORD, LONG)),
    VariationColor: st.builds(VariationColor, BYTE, BYTE, BYTE, BYTE),
    TimeControl: st.builds(TimeControl, st.lists(_periods, max_size=3).map(tuple)),
    VideoStreamTime: st.builds(VideoStreamTime, LONG),
    EvaluationProfile: st.builds(EvaluationProfile, st.lists(_entries, max_size=12).map(tuple)),
    NagSequence: st.builds(NagSequence, st.lists(WORD, min_size=1, max_size=5).map(tuple)),
    Unreadable: st.builds(Unreadable, strings, st.sampled_from(Reason)),
}

values = st.one_of(list(BY_CLASS.values()))
encodings = st.sampled_from(["utf-8", "cp1252", "cp1251", "cp1250"]).map(TextEncoding)
