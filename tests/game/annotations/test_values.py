"""Payloads and values: hex literals both ways, and anything else by hypothesis."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Move, Square
from tabiya.errors import FormatError
from tabiya.game.annotations import (
    CP1252,
    KINDS,
    VALUES,
    Annotation,
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
    Side,
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
    decode_payload,
    encode_payload,
    typed,
)
from tests.game.annotations.values import BY_CLASS, encodings, values

MATE2 = (
    "01 00 01 3f 00 3c 00 00 00 01 00 01 00 00 00 10 00 bf 43 f3 6d 6f 20 63 6f 6e 74 69 6e 75 61 73 3f 00 00 00 00 00"
    "00 01 38 3e 00 01 02 00 00 00 05 00 52 69 67 68 74 01 00 07 00 52 69 63 68 74 69 67"
)
AVRO = (
    "00 55 00 01 00 00 11 42 6f 74 76 69 6e 6e 69 6b 2c 4d 69 6b 68 61 69 6c 00 12 41 6c 65 6b 68 69 6e 65 2c"
    "41 6c 65 78 61 6e 64 65 72 00 00 00 00 00 ab 00 04 41 56 52 4f 00 07 48 6f 6c 6c 61 6e 64 00 00 0f 25 60"
    "00 03 00 67 00 00 00 0e 00 00 02 00 00 b5 af"
)

SETUP = "01 15 00 3c 00 00 00 1e 08 b3 60" + "00" * 17
QUOTED_POSITION = f"00 43 00 02 00 40 {SETUP}" + "00" * 26 + "00 00 03 00 00 b5 af"

VECTORS: list[tuple[str, Value]] = [
    ("00 2a 43 61 70 74 75 72 65", TextAfter("Capture", 42)),
    ("00 35 a4 66 33 20 fc 62 65 72", TextAfter("♘f3 über", 53)),
    ("00 00 46 69 61 6e", TextBefore("Fian")),
    ("01", Symbols(1)),
    ("00 08", Symbols(0, 8)),
    ("05 0e 8e", Symbols(5, 14, 142)),
    ("02 35 04 28", Squares((ColoredSquare(2, Square.G5), ColoredSquare(4, Square.E8)))),
    ("02 23 24 07 25 26", Arrows((Arrow(2, Square.E3, Square.E4), Arrow(7, Square.E5, Square.E6)))),
    ("00 05 1e 00", TimeSpent(0, 5, 30)),
    ("00 00 2d 1e", TimeSpent(0, 0, 45, 30)),
    (
        MATE2,
        Training(
            60,
            1,
            (TrainingText(0, "¿Cómo continuas?"),),
            solutions=(Solution(Square.H1, Square.H7, 0, 1, (TrainingText(0, "Right"), TrainingText(1, "Richtig"))),),
        ),
    ),
    ("31", Sound(b"1")),
    ("37", Picture(b"7")),
    ("01 2a 48 69", Video(42, "Hi")),
    (
        AVRO,
        Quotation(
            "Botvinnik,Mikhail",
            "Alekhine,Alexander",
            "AVRO",
            "Holland",
            date=1938 << 9 | 11 << 5,
            result=2,
            eco=342 << 7,
            tournament_type=3,
            nation=103,
            rounds=14,
        ),
    ),
    (QUOTED_POSITION, Quotation(type=2, start="8/8/8/8/3pP3/4k3/8/4K3 b - e3 0 60")),
    ("03", PawnStructure(3)),
    ("03 40", PiecePath(Square.H8, 3)),
    ("03 02", PiecePath(Square.A2, 3)),
    ("00 08 37 84", WhiteClock(538500)),
    ("00 00 00 5a", BlackClock(90)),
    ("02", CriticalPosition(2)),
    ("01 02", CorrespondenceMove(b"\x01\x02")),
    ("01 02", CorrespondenceHeader(b"\x01\x02")),
    ("08 00 02 61 62 02 63 64", WebLink("ab", "cd")),
    ("96 00 00 00 14 00", Evaluation(150, 0, 20)),
    ("fd ff 01 00 19 00", Evaluation(-3, 1, 25)),
    ("00 00 02 40", Medals(0x240)),
    ("02 80 40 ff", VariationColor(2, 0x80, 0x40, 0xFF)),
    (
        "00 0a fc 80 00 00 0b b8 00 28 01 00 05 7e 40 00 00 0b b8 00 14 01 00 01 5f 90 00 00 0b b8 03 e8 03",
        TimeControl((Period(720000, 3000, 40, 1), Period(360000, 3000, 20, 1), Period(90000, 3000, 1000, 3))),
    ),
    ("00 00 f2 e6", VideoStreamTime(62182)),
    (
        "00 03 ff 00 00 00 00 18 ff d0 01 1a ff f1",
        EvaluationProfile((ProfileEntry(), ProfileEntry(0, 24, -48), ProfileEntry(1, 26, -15))),
    ),
    ("0e 00 01 00", NagSequence((14, 1))),
    ("4e 66 39", Unreadable("Nf9")),
]


@pytest.mark.parametrize(("payload", "value"), VECTORS, ids=lambda v: type(v).__name__ if isinstance(v, Value) else "")
def test_payloads(payload: str, value: Value) -> None:
    data = bytes.fromhex(payload)
    assert type(value).decode(data, CP1252) == value
    assert value.encode(CP1252) == data
    annotation = decode_payload(value.kind, data, CP1252)
    assert typed(annotation, CP1252) == value
    assert annotation.raw is None
    assert encode_payload(annotation, CP1252) == data


def test_every_class_has_a_vector_and_a_strategy() -> None:
    assert {type(value) for _, value in VECTORS} == set(VALUES) == set(BY_CLASS)
    assert len(KINDS) == len(VALUES)


@pytest.mark.parametrize("cls", VALUES, ids=lambda cls: cls.__name__)
@given(data=st.data())
def test_any_value_survives_as_bytes(cls: type[Value], data: st.DataObject) -> None:
    value = data.draw(BY_CLASS[cls])
    encoding = data.draw(encodings)
    found = cls.of(value.annotation(encoding=encoding), encoding)
    assert found == value
    if cls is not Unreadable:  # its reason stands beside the bytes
        assert cls.decode(value.encode(encoding), encoding) == value
        assert typed(decode_payload(cls.kind, value.encode(encoding), encoding), encoding) == value


@given(st.sampled_from([*KINDS, 0x08, 0x1A, 0xF0]), st.binary(max_size=80), encodings)
def test_any_payload_survives(kind: int, payload: bytes, encoding: TextEncoding) -> None:
    annotation = decode_payload(kind, payload, encoding)
    assert encode_payload(annotation, encoding) == payload
    value = typed(annotation, encoding)
    if isinstance(value, Raw):
        assert value.data == payload
        assert bool(value.reason) == (kind in KINDS)
        assert value.annotation() == annotation


@given(st.data(), st.integers(0, 200), st.binary(min_size=1, max_size=2))
def test_damaged_payloads_survive(data: st.DataObject, place: int, damage: bytes) -> None:
    value = data.draw(values)
    payload = value.encode()
    place %= len(payload) + 1
    payload = payload[:place] + damage + payload[place + len(damage) - 1 :]
    assert encode_payload(decode_payload(value.kind, payload)) == payload


@pytest.mark.parametrize(
    ("kind", "payload", "reason"),
    [
        (0x03, "", "no symbols"),
        (0x03, "01 02 03 04", "1 bytes too many"),
        (0x04, "02", "1 bytes early"),
        (0x04, "02 41", "65 is not the number of a square"),
        (0x21, "00 00", "4 bytes early"),
        (0x09, "02 00 01", "unknown version"),
        (0x1C, "09 00 02 61 62 02 63 64", "the length is 9, not 8"),
        (0x26, "00 02 00 00 00 00", "2 entries in 4 bytes"),
        (0x20, "02 00", "the first byte is 2"),
    ],
)
def test_what_makes_no_sense_is_raw_and_says_why(kind: int, payload: str, reason: str) -> None:
    value = typed(decode_payload(kind, bytes.fromhex(payload)))
    assert isinstance(value, Raw)
    assert reason in value.reason


def test_odd_texts_keep_their_payload() -> None:
    for payload in (b"", b"\x00", b"\x01\x2aHi", b"\x00\x00\xe2\x80\x9cx\xe9 \xe2\x80\x9d", "\0\0♔".encode()):
        annotation = decode_payload(0x02, payload, CP1252)
        assert annotation.raw == payload
        assert encode_payload(annotation, CP1252) == payload
    assert decode_payload(0x03, b"\x01\x00") == Annotation(0x03, b"\x01", raw=b"\x01\x00")


def test_texts_in_a_batch_are_plain_utf8() -> None:
    assert TextAfter("ü", 53).annotation() == Annotation(0x02, b"\xc3\xbc", 53)
    assert TextAfter("x").annotation(side=Side.LATE) == Annotation(0x02, b"x", side=Side.LATE)
    assert TextBefore("x").annotation(lang=42) == Annotation(0x82, b"x", 42, side=Side.BEFORE)
    assert Unreadable("Nf9", Reason.ILLEGAL).annotation() == Annotation(257, b"Nf9", 1, side=Side.LATE)
    assert decode_payload(0x82, b"\x00\x35\xfc", CP1252) == Annotation(0x82, b"\xc3\xbc", 53, side=Side.BEFORE)


def test_what_does_not_fit_is_refused() -> None:
    for value in (
        PawnStructure(256),
        WhiteClock(-1),
        WebLink("x" * 256),
        Evaluation(40000),
        Quotation("\ud800"),
        TextAfter("\ud800"),
        Quotation(flags=0x40),
        Quotation(start="nonsense"),
        Quotation(start="8/8/8/4k3/8/4K3/8/8 w - - 1 1"),
        Quotation(start="8/8/8/4k3/8/4K3/8/8 w - - 0 256"),
        Quotation(start="4k3/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1"),
        Quotation(moves=(Move.of(Square.E2, Square.E5),)),
    ):
        with pytest.raises(FormatError):
            value.encode()
    with pytest.raises(FormatError, match="three periods"):
        TimeControl((Period(),) * 4)


def test_conveniences() -> None:
    assert Medals(0x240).names == ("tactics", "sacrifice")
    assert Symbols(5, 0, 142).nags == [5, 142]
    assert TimeSpent(1, 1, 1).total == 3661
    assert WhiteClock(550).seconds == 5.5
    assert Evaluation(-3, 1).is_mate
    assert (Picture(b"7").number, Picture(b"x").number) == (7, None)
    assert (VariationColor(1, 0, 0, 0).only_main_line, VariationColor(1, 0, 0, 0).only_moves) == (True, False)
