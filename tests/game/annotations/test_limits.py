"""Where the text form of a value ends: the last that is read, and the first that stays text, with the reason."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest

from tabiya.chess import Square
from tabiya.errors import FormatError
from tabiya.files.parallel import ordered_map
from tabiya.game.annotations import (
    Arrow,
    Arrows,
    ColoredSquare,
    CriticalPosition,
    Evaluation,
    EvaluationProfile,
    Formatted,
    Medals,
    Period,
    Profile,
    ProfileEntry,
    Quotation,
    Raw,
    Squares,
    TextAfter,
    TimeControl,
    TimeSpent,
    Training,
    TrainingText,
    Value,
    VariationColor,
    VideoStreamTime,
    WebLink,
    WhiteClock,
    decode_payload,
    format_comment,
    parse_comment,
    typed,
)

NAMES = ("a", "b", "c", "d")
QUOTE = '[%quote "a" "b" "c" "d"'
SPAN = Period(6000, 0, 1000, 1)


@pytest.mark.parametrize(
    ("comment", "value"),
    [
        (f"{QUOTE}]", Quotation(*NAMES)),
        (f"{QUOTE} 4095.15.31]", Quotation(*NAMES, date=4095 << 9 | 15 << 5 | 31)),
        (f"{QUOTE} 0001.??.??]", Quotation(*NAMES, date=1 << 9)),
        (f"{QUOTE} ????.01.01]", Quotation(*NAMES, date=1 << 5 | 1)),
        *(
            (f"{QUOTE} ????.??.?? {text}]", Quotation(*NAMES, result=number))
            for number, text in (
                (0, "0-1"),
                (1, "1/2-1/2"),
                (2, "1-0"),
                (3, "*"),
                (4, "-:+"),
                (5, "=:="),
                (6, "+:-"),
                (7, "0-0"),
            )
        ),
        (f"{QUOTE} ????.??.?? * 65535 1]", Quotation(*NAMES, white_elo=65535, black_elo=1)),
        (f"{QUOTE} ????.??.?? * 0 0 A00]", Quotation(*NAMES, eco=1 << 7)),
        (f"{QUOTE} ????.??.?? * 0 0 B00]", Quotation(*NAMES, eco=101 << 7)),
        (f"{QUOTE} ????.??.?? * 0 0 E99]", Quotation(*NAMES, eco=500 << 7)),
        ("[%tc 1m+1m+1m]", TimeControl((SPAN, SPAN, Period(6000, 0, 1000, 3)))),
        ("[%emt 0:00:05|255]", TimeSpent(0, 0, 5, 255)),
        ("[%emt 255:00:05]", TimeSpent(255, 0, 5)),
        ("[%emt 3600]", TimeSpent(1, 0, 0)),
        ("[%emt 59:60]", TimeSpent(1, 0, 0)),
        ("[%clk 11930:27:52.95]", WhiteClock(0xFFFFFFFF)),
        ('[%weblink "a"]', WebLink("a")),
        ("[%vst 4294967295]", VideoStreamTime(0xFFFFFFFF)),
        ("[%mdl 4294967295]", Medals(0xFFFFFFFF)),
        ("[%medal user]", Medals(1 << 15)),
        ("[%crit middlegame]", CriticalPosition(2)),
        ("[%varcolor #01FF02ML]", VariationColor(3, 2, 255, 1)),
        ("[%varcolor #01ff02 LM]", VariationColor(3, 2, 255, 1)),
        ("[%csl]", Squares()),
        ("[%cal Za1h8,]", Arrows((Arrow(ord("Z"), Square.A1, Square.H8),))),
        ("[%evp 0,0,29001]", EvaluationProfile((ProfileEntry(1, 0, 999),))),
        ("[%evp 0,0,29000]", EvaluationProfile((ProfileEntry(0, 0, 29000),))),
        ("[%evp 0,0,30001]", EvaluationProfile((ProfileEntry(0, 0, 30001),))),
        ("[%evp 0,0,-29001]", EvaluationProfile((ProfileEntry(1, 0, -999),))),
        ("[%evp 1,0]", EvaluationProfile((ProfileEntry(),))),
        ("[%eval 327.67/32767]", Evaluation(32767, 0, 32767)),
        ("[%eval -327.68]", Evaluation(-32768)),
        ('[%tqu "Pt","q","",""]', Training(0, 0, (TrainingText(6, "q"),))),
    ],
)
def test_the_last_that_is_read(comment: str, value: Value) -> None:
    parsed = parse_comment(comment)
    assert [typed(annotation) for annotation in parsed.annotations] == [value]
    assert parsed.problems == ()


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ('[%quote "a" "b" "c" d]', "four names in quotes"),
        (f"{QUOTE} 4096.01.01]", "'4096.01.01' is not a date"),
        (f"{QUOTE} 2021.16.01]", "'2021.16.01' is not a date"),
        (f"{QUOTE} 2021.01.32]", "'2021.01.32' is not a date"),
        (f"{QUOTE} 2021.1.1]", "'2021.1.1' is not a date"),
        (f"{QUOTE} ????.??.?? 2-0]", "'2-0' is not a result"),
        (f"{QUOTE} ????.??.?? * 65536]", "65536 is out of range"),
        (f"{QUOTE} ????.??.?? * 100000]", "'100000' is not a rating"),
        (f"{QUOTE} ????.??.?? * 0 x]", "'x' is not a rating"),
        (f"{QUOTE} ????.??.?? * 0 0 F00]", "'F00' is not an ECO code"),
        (f'{QUOTE} ????.??.?? * 0 0 A00 "" x]', "ends with its moves, all of them together in quotes"),
        ('[%quote White="a" Black=]', "has no value"),
        ('[%quote White="a" Opening="b"]', "is not a field of a quotation"),
        ("[%tc 1m+1m+1m+1m]", "three periods"),
        ("[%tc]", "is not a period"),
        ("[%tc 90]", "is not a time such as"),
        ("[%emt 0:00:05|256]", "out of range"),
        ("[%emt 0:00:05|1000]", "is not the flag"),
        ("[%emt 0:00:05.5|30]", "is not the flag"),
        ("[%emt 256:00:05]", "out of range"),
        ("[%clk 11930:27:52.96]", "out of range"),
        ('[%weblink "a" "b" "c"]', "an address and a text"),
        ("[%vst 4294967296]", "out of range"),
        ("[%vst 12345678901]", "is not a number"),
        ("[%pawnstruct 256]", "out of range"),
        ("[%path e4 256]", "out of range"),
        ("[%crit middle]", "is not a phase"),
        ("[%varcolor #01FF0]", "is not a colour"),
        ("[%varcolor #01FF02 LMM]", "is not a colour"),
        ("[%csl ge4]", "is not the letter of a colour"),
        ("[%csl Öe4]", "is not the letter of a colour"),
        ("[%draw arrow,e2,e4,pink]", "not a drawing"),
        ("[%draw arrow,e2,e4,e5,green]", "not a drawing"),
        ("[%draw full,green]", "not a drawing"),
        ("[%mark e4 pink]", "not a drawing"),
        ("[%arrow c4]", "not a drawing"),
        ("[%arrow c4 f7 green red]", "not a drawing"),
        ("[%evp 3]", "0 values for the entries 0 to 0"),
        ("[%evp 0,1,5]", "1 values for the entries 0 to 1"),
        ("[%evp 2,0]", "0 values for the entries 2 to 0"),
        ("[%evp -1,0,1,2]", "2 values for the entries -1 to 0"),
        ("[%evp 0,0,100000]", "a list of numbers"),
        ("[%eval .]", "is not an evaluation"),
        ("[%eval]", "is not an evaluation"),
        ("[%eval 327.68]", "out of range"),
        ("[%eval 1/32768]", "out of range"),
        ("[%tqu]", "an empty training question"),
        ('[%tqu "Xx","q","",""]', "begins with a language"),
        ('[%tqu "En","q",""]', "begins with a language"),
        ('[%tqu "En","q","",5]', "begins with a language"),
        ('[%tqu "En","q","","","e2e9","",1]', "a move, a comment and points"),
        ('[%tqu "En","q","","","e2e4","","1"]', "a move, a comment and points"),
        ('[%tqu "En","q","","" x]', "a list of texts and numbers"),
    ],
)
def test_the_first_that_is_not(comment: str, reason: str) -> None:
    parsed = parse_comment(comment)
    assert [typed(annotation) for annotation in parsed.annotations] == [TextAfter(comment)]
    (problem,) = parsed.problems
    assert reason in problem
    assert problem.endswith(f": {comment}")


@pytest.mark.parametrize(
    ("kind", "payload", "reason"),
    [
        (0x04, "02 00", "0 is not the number of a square"),
        (0x05, "02 40 41", "65 is not the number of a square"),
        (0x09, "01 00 01 17 00" + "00" * 14 + "01 40 00 00 00 00 00", "64 is not the number of a square"),
        (0x09, "01 00 01 18 00" + "00" * 14 + "01 3f 3f 00 00 00 00", "the length is 24, not 23"),
        (0x13, "00 08 00 01 00 00 00 01", "the end of a name is 1, not 0"),
        (0x1C, "06 00 01 61 02 62", "early"),
        (0x100, "01 00 01", "NAGs have two bytes each"),
        (0x100, "", "NAGs have two bytes each"),
    ],
)
def test_payloads_beyond_the_limits(kind: int, payload: str, reason: str) -> None:
    value = typed(decode_payload(kind, bytes.fromhex(payload)))
    assert isinstance(value, Raw)
    assert reason in value.reason


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (Evaluation(150, 2), "an evaluation of type 2"),
        (Evaluation(150, -1), "an evaluation of type -1"),
        (Medals(0), "medals without names: 0x0"),
        (Medals(1 << 16), "medals without names: 0x10000"),
        (CriticalPosition(0), "phase 0 has no name"),
        (CriticalPosition(4), "phase 4 has no name"),
        (VariationColor(4, 1, 2, 3), "unknown flags: 4"),
        (TimeControl(()), "a time control without any period"),
        (EvaluationProfile(()), "a profile without values"),
        (EvaluationProfile((ProfileEntry(),)), "a profile without values"),
        (EvaluationProfile((ProfileEntry(2, 0, 5),)), "a profile with depths or with unknown types"),
        (EvaluationProfile((ProfileEntry(0, 3, 5),)), "a profile with depths or with unknown types"),
        (Squares((ColoredSquare(8, Square.E4),)), "colour 8 has no letter"),
        (Squares((ColoredSquare(ord("G"), Square.E4),)), "colour 71 has no letter"),  # which is that of colour 2
        (Arrows((Arrow(ord("a"), Square.E4, Square.E5),)), "colour 97 has no letter"),
    ],
)
def test_values_without_words_are_written_as_bytes(value: Value, reason: str) -> None:
    """Words that say something else would be worse than none; programs that know no bytes get nothing."""
    with pytest.raises(FormatError, match=reason):
        value.format()
    annotation = value.annotation()
    text = format_comment([annotation]).text
    assert text.startswith(f"[%cba {value.kind:02X} ")
    assert parse_comment(text).annotations == (annotation,)
    assert format_comment([annotation], profile=Profile.PLAIN) == Formatted("", (value.kind,))


@pytest.mark.parametrize("step", ["read", "write"])
def test_an_interrupt_need_not_wait_for_a_long_comment(step: str) -> None:
    """Threads end at the next command that they read or write."""
    most = 20_000
    begun = threading.Event()
    calls: list[object] = []
    annotation = parse_comment("[%csl Ge4]").annotations[0]

    def work(item: int) -> None:
        while item and len(calls) < most:
            begun.set()
            calls.append(parse_comment("[%csl Ge4]") if step == "read" else typed(annotation))

    with closing(ordered_map(work, range(2), 2)) as results:
        next(results)
        assert begun.wait(10)
    assert len(calls) < most
