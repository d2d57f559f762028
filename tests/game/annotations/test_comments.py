"""Comments: every example of the facts page, and the dialects."""

from __future__ import annotations

import re

import pytest

from tabiya.chess import Color, Move, Square
from tabiya.game.annotations import (
    Arrow,
    Arrows,
    BlackClock,
    ColoredSquare,
    CorrespondenceHeader,
    CorrespondenceMove,
    CriticalPosition,
    Dialect,
    Evaluation,
    EvaluationProfile,
    Medals,
    PawnStructure,
    Period,
    PiecePath,
    Profile,
    ProfileEntry,
    Quotation,
    Raw,
    Reason,
    Solution,
    Squares,
    TextAfter,
    TextBefore,
    TimeControl,
    TimeSpent,
    Training,
    TrainingText,
    Unreadable,
    Value,
    VariationColor,
    VideoStreamTime,
    WebLink,
    WhiteClock,
    encode_payload,
    format_comment,
    parse_comment,
    typed,
)

S = Square


EXAMPLES: list[tuple[str, list[Value]]] = [
    (
        "[%csl Ga4,Rb5] [%cal Ge2e4] Some comment text",
        [
            Squares((ColoredSquare(2, S.A4), ColoredSquare(4, S.B5))),
            Arrows((Arrow(2, S.E2, S.E4),)),
            TextAfter("Some comment text"),
        ],
    ),
    ("[%post:GER Dies ist ein deutscher Kommentar]", [TextAfter("Dies ist ein deutscher Kommentar", 53)]),
    ("[%pre This comment is before Black's move]", [TextBefore("This comment is before Black's move")]),
    (
        "[%pre:FRA Ce commentaire est avant le coup des Noirs]",
        [TextBefore("Ce commentaire est avant le coup des Noirs", 49)],
    ),
    ("[%clk 1:29:45] [%clkb 1:30:00]", [WhiteClock(538500), BlackClock(540000)]),
    ("[%eval +1.50/20]", [Evaluation(150, 0, 20)]),
    ("[%eval -0.25/18]", [Evaluation(-25, 0, 18)]),
    ("[%eval #5/30]", [Evaluation(5, 1, 30)]),
    ("[%eval #-3/25]", [Evaluation(-3, 1, 25)]),
    ("[%emt 0:05:30]", [TimeSpent(0, 5, 30)]),
    ("[%emt 1:15:00]", [TimeSpent(1, 15, 0)]),
    ("[%emt 0:00:45|30]", [TimeSpent(0, 0, 45, 30)]),
    ("[%crit endgame]", [CriticalPosition(3)]),
    ("[%varcolor #FF0000]", [VariationColor(0, 0, 0, 255)]),
    ("[%varcolor #00FF00 M]", [VariationColor(2, 0, 255, 0)]),
    ("[%varcolor #0000FF L]", [VariationColor(1, 255, 0, 0)]),
    ("[%varcolor #FFFF00 ML]", [VariationColor(3, 0, 255, 255)]),
    (
        r'[%weblink "https://example.com/path?a=1" "Click \"here\" for more"]',
        [WebLink("https://example.com/path?a=1", 'Click "here" for more')],
    ),
    ("[%path e4 3]", [PiecePath(S.E4, 3)]),
    ("[%pawnstruct 3]", [PawnStructure(3)]),
    ("[%vst 12345]", [VideoStreamTime(12345)]),
    (
        '[%quote "Kasparov, Garry" "Karpov, Anatoly" "World Ch" "Moscow" 1985.09.03 1-0 2700 2720 E12]',
        [
            Quotation(
                *("Kasparov, Garry", "Karpov, Anatoly", "World Ch", "Moscow"),
                date=1985 << 9 | 9 << 5 | 3,
                result=2,
                white_elo=2700,
                black_elo=2720,
                eco=413 << 7,
            )
        ],
    ),
    (
        '[%quote "White" "Black" "Event" "Site" 2021.12.03 1-0 2856 2782 C88 "1.e4 e5"]',
        [
            Quotation(
                *("White", "Black", "Event", "Site"),
                date=2021 << 9 | 12 << 5 | 3,
                result=2,
                white_elo=2856,
                black_elo=2782,
                eco=289 << 7,
                type=2,
                moves=(Move.of(S.E2, S.E4), Move.of(S.E7, S.E5)),
            )
        ],
    ),
    ("[%corr AQIDBAU=]", [CorrespondenceMove(bytes([1, 2, 3, 4, 5]))]),
    (
        "[%tc 90m/40+30m+(15m+10s)]",
        [TimeControl((Period(540000, 0, 40, 1), Period(180000, 0, 1000, 1), Period(90000, 1000, 1000, 3)))],
    ),
    ("[%medal tactics,sacrifice]", [Medals(0x240)]),
    ('[%error illegal "Nf9 e5 …"]', [Unreadable("Nf9 e5 …", Reason.ILLEGAL)]),
    ("[%crit opening] The Ruy Lopez.", [CriticalPosition(1), TextAfter("The Ruy Lopez.")]),
    (
        "[%csl Ge8,Yg8] [%cal Ge8g8] Preparing to castle.",
        [
            Squares((ColoredSquare(2, S.E8), ColoredSquare(3, S.G8))),
            Arrows((Arrow(2, S.E8, S.G8),)),
            TextAfter("Preparing to castle."),
        ],
    ),
    ("[%clk 1:59:52] [%eval +0.25/22]", [WhiteClock(719200), Evaluation(25, 0, 22)]),
    (
        "[%medal model,strategy] A model game in the Closed Ruy Lopez.",
        [Medals(0x24), TextAfter("A model game in the Closed Ruy Lopez.")],
    ),
    ("[%emt 0:02:15]", [TimeSpent(0, 2, 15)]),
    ("[%pre An important decision.]", [TextBefore("An important decision.")]),
    ("[%varcolor #FF6600 M]", [VariationColor(2, 0, 0x66, 0xFF)]),
    ("[%eval +1.50/25] Winning the bishop pair.", [Evaluation(150, 0, 25), TextAfter("Winning the bishop pair.")]),
    (
        '[%weblink "https://lichess.org/analysis" "Analyze on Lichess"]',
        [WebLink("https://lichess.org/analysis", "Analyze on Lichess")],
    ),
]
"""Comments that are written exactly as they are read."""


@pytest.mark.parametrize(("comment", "expected"), EXAMPLES, ids=[comment for comment, _ in EXAMPLES])
def test_examples(comment: str, expected: list[Value]) -> None:
    parsed = parse_comment(f" {comment} ")
    assert [typed(annotation) for annotation in parsed.annotations] == expected
    assert parsed.problems == ()
    assert format_comment(parsed.annotations).text == comment


GAME = """
1.e4 { [%clk 1:59:52] [%eval +0.25/22] } e5 { [%clk 1:58:30] } 2.Nf3 Nc6 3.Bb5 a6 { [%crit opening] The Ruy Lopez. }
4.Ba4 Nf6 5.O-O Be7 { [%csl Ge8,Yg8] [%cal Ge8g8] Preparing to castle. } 6.Re1 b5 7.Bb3 O-O { [%medal model,strategy]
A model game in the Closed Ruy Lopez. } 8.h3 { [%emt 0:02:15] } Na5 { [%pre An important decision.] } 9.Nxe5
{ [%varcolor #FF6600 M] } Nxb3 { [%eval +1.50/25] Winning the bishop pair. } 10.axb3
{ [%weblink "https://lichess.org/analysis" "Analyze on Lichess"] } 1-0
"""


def test_the_complete_example() -> None:
    comments = re.findall(r"\{([^}]*)\}", GAME)
    assert len(comments) == 10
    for comment, mover in zip(comments, "wbbbbwbwbw", strict=True):
        color = Color.WHITE if mover == "w" else Color.BLACK
        parsed = parse_comment(comment, mover=color)
        assert parsed.problems == ()
        assert format_comment(parsed.annotations, mover=color).text == " ".join(comment.split())


@pytest.mark.parametrize(
    ("comment", "expected", "written"),
    [
        (
            "[%tc 90m/40+30m+30s/1000]",
            TimeControl((Period(540000, 0, 40, 1), Period(180000, 0, 1000, 1), Period(3000, 0, 1000, 3))),
            "[%tc 90m/40+30m+30s]",
        ),
        ("[%tc (15m+10s)/1000]", TimeControl((Period(90000, 1000, 1000, 3),)), "[%tc (15m+10s)]"),
        ("[%tc 3m/1000]", TimeControl((Period(18000, 0, 1000, 3),)), "[%tc 3m]"),
        (
            "[%tc 1h30m+12.5s|5]",
            TimeControl((Period(540000, 0, 1000, 1), Period(1250, 0, 1000, 5))),
            "[%tc 90m+12.5s|5]",
        ),
        ("[%medal tactics,sacrifice,best]", Medals(0x241), "[%medal best,tactics,sacrifice]"),
        (
            "[%train SGVsbG8gV29ybGQ=]",
            Raw(9, b"Hello World", "a training question of an unknown version"),
            "[%train SGVsbG8gV29ybGQ=]",
        ),
        ("[%cba 1A AQI=]", Raw(0x1A, b"\1\2"), "[%cba 1A AQI=]"),
        ("[%cba 61 AQI=]", CorrespondenceHeader(b"\1\2"), "[%cba 61 AQI=]"),
        ("[%cba 02 ACpIaQ==]", TextAfter("Hi", 42), "[%post:ENG Hi]"),
        ("[%cba:GER 1A]", Raw(0x1A, b""), "[%cba:GER 1A]"),
        (
            '[%quote White="A" Black="B" ECO="C88" Date="2021.12.??"]',
            Quotation("A", "B", date=2021 << 9 | 12 << 5, eco=289 << 7),
            '[%quote "A" "B" "" "" 2021.12.?? * 0 0 C88]',
        ),
        (
            r"[%post a\]b\\c\"d\n\r\te\u007Df\q]",
            TextAfter('a]b\\c"d\n\r\te}f\\q'),
            r'[%post a\]b\\c"d\n\r\te\u007Df\\q]',
        ),
        (
            "[%csl Ge4, Bd5,\nOa1]",
            Squares((ColoredSquare(2, S.E4), ColoredSquare(7, S.D5), ColoredSquare(79, S.A1))),
            "[%csl Ge4,Bd5,Oa1]",
        ),
        ("[%cal ]", Arrows(), "[%cal]"),
        ("[%clk\n0:01:00]", WhiteClock(6000), "[%clk 0:01:00]"),
        ("[%clk 0:02:59.9]", WhiteClock(17990), "[%clk 0:02:59.9]"),
        ("[%emt 0:\n00:07]", TimeSpent(0, 0, 7), "[%emt 0:00:07]"),
        ("a\n b\n\n c", TextAfter("a b\n\nc"), r"[%post a b\n\nc]"),
        ("two  blanks", TextAfter("two  blanks"), r"[%post two \u0020blanks]"),
    ],
)
def test_other_forms(comment: str, expected: Value | Raw, written: str) -> None:
    parsed = parse_comment(comment)
    assert [typed(annotation) for annotation in parsed.annotations] == [expected]
    assert parsed.problems == ()
    assert format_comment(parsed.annotations).text == written
    assert parse_comment(written) == parsed


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("[%eval 0.17]", Evaluation(17)),
        ("[%eval 2.35,30]", Evaluation(235, 0, 30)),
        ("[%eval #-5]", Evaluation(-5, 1)),
        ("[%eval #5]", Evaluation(5, 1)),
        ("[%eval M5]", Evaluation(5, 1)),
        ("[%eval -106,29]", Evaluation(-106, 0, 29)),
        ("[%eval 95,40]", Evaluation(95, 0, 40)),
        ("[%eval -0.0]", Evaluation(0)),
        ("[%eval 1]", Evaluation(100)),
        ("[%eval .5/3]", Evaluation(50, 0, 3)),
        ("[%eval 0.175]", Evaluation(18)),
        ("[%emt 0:0:12]", TimeSpent(0, 0, 12)),
        ("[%emt 0:00:02.96]", TimeSpent(0, 0, 2, 96)),
        ("[%emt 75]", TimeSpent(0, 1, 15)),
        ("[%clk 59:01]", WhiteClock(354100)),
        ("[%clk 0:15.47]", WhiteClock(94700)),
        ("[%clk 0:15.9]", WhiteClock(1590)),
        ("[%clk 0:00:01.239]", WhiteClock(124)),
    ],
)
def test_times_and_evaluations_keep_their_spelling(comment: str, expected: Value) -> None:
    parsed = parse_comment(comment)
    assert [typed(annotation) for annotation in parsed.annotations] == [expected]
    assert format_comment(parsed.annotations).text == comment
    assert encode_payload(parsed.annotations[0]) == expected.encode()


TQU = '[%tqu "En","question","hint 1","","f6h7","comment",6,"De","Frage","","","f6h7","Kommentar",6]'


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("[%draw arrow,e2,e4,green]", Arrows((Arrow(2, S.E2, S.E4),))),
        ("[%draw full,e4,red]", Squares((ColoredSquare(4, S.E4),))),
        ("[%mark e4 green]", Squares((ColoredSquare(2, S.E4),))),
        ("[%mark e4]", Squares((ColoredSquare(4, S.E4),))),
        ("[%arrow c4 f7 blue]", Arrows((Arrow(7, S.C4, S.F7),))),
        ("[%arrow c4 f7]", Arrows((Arrow(4, S.C4, S.F7),))),
        ("[%mdl 576]", Medals(0x240)),
        (
            "[%evp 2,5,32,-29999,-30000,\n32767]",
            EvaluationProfile(
                (
                    *(ProfileEntry(), ProfileEntry(), ProfileEntry(0, 0, 32)),
                    *(ProfileEntry(1, 0, -1), ProfileEntry(1, 0, 0), ProfileEntry()),
                )
            ),
        ),
        (
            TQU,
            Training(
                0,
                6,
                (TrainingText(0, "question"), TrainingText(1, "Frage")),
                ((TrainingText(0, "hint 1"),), (), ()),
                (Solution(S.F6, S.H7, 0, 6, (TrainingText(0, "comment"), TrainingText(1, "Kommentar"))),),
            ),
        ),
        (
            '[%tqu "En","","","",("d4c4","text",10)("d4d3","",0)]',
            Training(0, 10, solutions=(Solution(S.D4, S.C4, 0, 10, (TrainingText(0, "text"),)), Solution(S.D4, S.D3))),
        ),
    ],
)
def test_dialects_are_read(comment: str, expected: Value) -> None:
    parsed = parse_comment(comment)
    assert [typed(annotation) for annotation in parsed.annotations] == [expected]
    assert parsed.problems == ()
    assert parse_comment(format_comment(parsed.annotations).text).annotations == parsed.annotations


EVERYTHING: list[Value] = [
    Squares((ColoredSquare(2, S.E4), ColoredSquare(79, S.A1))),
    Arrows((Arrow(2, S.E2, S.E4), Arrow(4, S.D7, S.D5))),
    WhiteClock(17990),
    BlackClock(6000),
    TimeSpent(0, 0, 12, 30),
    Evaluation(-106, 0, 29),
    Medals(512),
    EvaluationProfile((ProfileEntry(), ProfileEntry(0, 20, 32))),
    Training(60, 6, (TrainingText(0, "Why?"),), solutions=(Solution(S.F6, S.H7, 0, 6),)),
    CriticalPosition(1),
    TextAfter("a {b}\r\nc"),
    TextAfter("d", 53),
]


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        (
            Dialect.LICHESS,
            "[%csl Ge4] [%cal Ge2e4,Rd7d5] [%clk 0:02:59.9] [%emt 0:00:12] [%eval -1.06,29] a (b) c d",
        ),
        (
            Dialect.CHESSBASE,
            "[%csl Ge4] [%cal Ge2e4,Rd7d5] [%clk 0:02:59.9] [%emt 0:00:12] [%eval -106,29] [%evp 1,1,32] [%mdl 512]"
            ' [%tqu "En","Why?","","","f6h7","",6] a (b) c d',
        ),
        (
            Dialect.SCID,
            "[%draw full,e4,green] [%draw arrow,e2,e4,green] [%draw arrow,d7,d5,red] [%clk 0:02:59.9] [%emt 0:00:12]"
            " [%eval -1.06,29] a (b) c d",
        ),
    ],
)
def test_the_plain_profile(dialect: Dialect, text: str) -> None:
    annotations = [value.annotation() for value in EVERYTHING]
    formatted = format_comment(annotations, profile=Profile.PLAIN, dialect=dialect)
    assert formatted.text == text
    always = {Squares.kind, BlackClock.kind, TimeSpent.kind, CriticalPosition.kind, TextAfter.kind}
    always |= {Training.kind, EvaluationProfile.kind}
    assert set(formatted.lost) == (always if dialect is Dialect.CHESSBASE else always | {Medals.kind})


def test_spellings_that_others_misread_are_not_plain() -> None:
    for found, plain in (("-106,29", "-1.06,29"), ("0.3", "0.3"), ("1.5/20", "1.50,20"), ("M5", "#5")):
        annotations = parse_comment(f"[%eval {found}]").annotations
        assert format_comment(annotations, profile=Profile.PLAIN).text == f"[%eval {plain}]"
