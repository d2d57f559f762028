"""Comments: what is not understood stays in the text, and what is comes back exactly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Color, Move, Square
from tabiya.game.annotations import (
    CP1252,
    Annotation,
    BlackClock,
    Comment,
    Dialect,
    EvaluationProfile,
    Medals,
    ProfileEntry,
    Quotation,
    Side,
    Symbols,
    TextAfter,
    TextBefore,
    WhiteClock,
    decode_payload,
    encode_nags,
    format_comment,
    format_guiding_text,
    movetext_nags,
    parse_comment,
)
from tabiya.game.annotations.escapes import format_base64
from tabiya.game.annotations.quoted_moves import parse_moves
from tabiya.game.record import GuidingText
from tests.game.annotations.values import read, strings

# --- what is not understood ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "comment",
    [
        "[%unknown x]",
        "before [%unknown] after",
        "[%csl Ge9]",
        "[%csl ge4]",
        "[%cal Ge2]",
        "[%eval x]",
        "[%eval]",
        "[%eval 999.99]",
        "[%clk 1:2:3:4]",
        "[%emt 300:00:00]",
        "[%emt 0:00:01.5|3]",
        "[%crit late]",
        "[%medal gold]",
        "[%tc 90]",
        "[%tc 1m+1m+1m+1m]",
        "[%varcolor red]",
        "[%path e9 3]",
        "[%pawnstruct 256]",
        "[%weblink]",
        '[%weblink "open]',
        '[%quote "A" "B"]',
        '[%quote "A" "B" "C" "D" 2021.12.03 1-0 0 0 C88 "1.e4 e4"]',
        "[%train not base64]",
        "[%cba XX AQ==]",
        "[%cba 10000 AQ==]",
        "[%raw AQ==]",
        "[%post:XYZ text]",
        "[%csl:GER Ge4]",
        "[%draw circle,e4,red]",
        "[%evp 0,5,1]",
        "[%tqu 5]",
        '[%tqu "En","q","h","h","e2e4"]',
        "[%error nonsense]",
        '[%error Illegal "x"]',
        "[%text ENG title]",
        "[%wdl 1,444,555]",
        "[%timestamp 37]",
        "+0.25/12 1.2s",
        "[%clk 0:00:01",
        "[ %clk 0:00:01]",
        "[%]",
    ],
)
def test_the_rest_stays_in_the_text(comment: str) -> None:
    parsed = parse_comment(comment)
    assert parsed.annotations == (TextAfter(comment).annotation(),)
    expected = 1 if comment.endswith(("]", "after")) and "[%" in comment else 0
    if "wdl" in comment or "timestamp" in comment or comment == "[%]":
        expected = 0
    assert len(parsed.problems) == expected
    assert parse_comment(format_comment(parsed.annotations).text).annotations == parsed.annotations


def test_unknown_commands_are_written_as_they_were() -> None:
    comment = "[%clk 0:01:00] [%wdl 1,444,555] text"
    assert format_comment(parse_comment(comment).annotations).text == comment


# --- exactness -------------------------------------------------------------------------------------------------------


def test_a_payload_stands_beside_a_text_that_is_not_exact() -> None:
    annotation = decode_payload(0x02, "\0\x2afür".encode(), CP1252)
    text = format_comment([annotation], encoding=CP1252).text
    assert text == "[%post:ENG für] [%raw ACpmw7xy]"
    assert parse_comment(text, encoding=CP1252).annotations == (annotation,)
    edited = parse_comment(text.replace("für", "gegen"), encoding=CP1252)
    assert edited.annotations == (TextAfter("gegen", 42).annotation(),)
    assert len(edited.problems) == 1


def test_a_payload_stands_behind_nags() -> None:
    annotation = Annotation(Symbols.kind, b"\x00\x08")
    nags = encode_nags(movetext_nags(annotation))
    assert nags == Annotation(Symbols.kind, b"\x08")
    formatted = format_comment([TextAfter("only move").annotation(), annotation])
    assert formatted.text == "[%raw AAg=] only move"
    parsed = parse_comment(formatted.text, nags=nags)
    assert parsed.nags == annotation
    assert parsed.annotations == (TextAfter("only move").annotation(),)
    assert parse_comment(formatted.text, nags=encode_nags([1])).nags is None


def test_quotations_keep_what_has_no_place() -> None:
    moves = parse_moves("1.e4 e5 2.Nf3")
    quotation = Quotation("A", "B", "C", "D", nation=53, round=3, moves=moves, type=2)
    text = format_comment([quotation.annotation()]).text
    assert text.startswith('[%quote "A" "B" "C" "D" ????.??.?? * 0 0 ? "1.e4 e5 2.Nf3"] [%raw ')
    assert read(text) == [quotation]
    assert read(text.replace('"A"', '"E"')) == [Quotation("E", "B", "C", "D", moves=moves, type=2)]
    assert read(text.replace(" 2.Nf3", "")) == [Quotation("A", "B", "C", "D", moves=moves[:2], type=2)]


def test_quoted_moves_from_another_start_travel_as_bytes() -> None:
    start = "8/8/8/8/8/4k3/4p3/4K3 b - - 0 60"
    quotation = Quotation("A", "B", "C", "D", type=2, start=start, moves=(Move.of(Square.E3, Square.D3),))
    text = format_comment([quotation.annotation()]).text
    assert text.startswith('[%quote "A" "B" "C" "D" ????.??.?? * 0 0 ?] [%raw ')
    assert read(text) == [quotation]


def test_places() -> None:
    before = [TextBefore("one").annotation(), TextBefore("two", 53).annotation(), TextBefore("three").annotation()]
    text = format_comment(before, side=Side.BEFORE).text
    assert text == "[%pre one] [%pre:GER two] three"
    assert parse_comment(text, side=Side.BEFORE).annotations == tuple(before)
    text = format_comment(before).text
    assert text == "[%pre one] [%pre:GER two] [%pre three]"
    assert parse_comment(text).annotations == tuple(before)
    late = TextAfter("late").annotation(side=Side.LATE)
    assert format_comment([late]).text == "[%late late]"
    assert format_comment([late], side=Side.LATE).text == "late"
    assert parse_comment("[%late late]").annotations == parse_comment("late", side=Side.LATE).annotations == (late,)
    game = [TextAfter("about", 53).annotation(), Medals(1).annotation()]
    text = format_comment(game, whole_game=True).text
    assert text == "[%medal best] [%game:GER about]"
    assert parse_comment(text) == Comment((game[1],), (game[0],))


def test_clocks_belong_to_the_mover() -> None:
    assert read("[%clk 0:00:01]", Color.BLACK) == [BlackClock(100)]
    assert read("[%clkw 0:00:01]", Color.BLACK) == [WhiteClock(100)]
    assert format_comment([WhiteClock(100).annotation()], mover=Color.BLACK).text == "[%clkw 0:00:01]"
    assert format_comment([BlackClock(100).annotation()], mover=Color.BLACK).text == "[%clk 0:00:01]"


@given(
    st.builds(
        GuidingText, st.integers(0, 255), strings, st.integers(1, 3), st.binary(max_size=9), st.none() | st.binary()
    )
)
def test_guiding_texts(text: GuidingText) -> None:
    assert parse_comment(format_guiding_text(text)).texts == (text,)


def test_a_guiding_text() -> None:
    assert format_guiding_text(GuidingText(1, "Titel", 3, b"<p>")) == '[%text GER "Titel" PHA+]'


# --- payloads and mates ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nags", [False, True])
def test_a_payload_is_believed_once(nags: bool) -> None:
    """A second ``%raw`` has nothing left to belong to: it stays in the text, and does not replace the first."""
    stored = Annotation(Symbols.kind, b"\1\0") if nags else Medals(1).annotation()
    other = b"\1\0\0" if nags else b"\0\0\0\1\0"
    raw, again = (f"[%raw {format_base64(each)}]" for each in (stored.data, other))
    front = "" if nags else "[%medal best]"
    found = parse_comment(front + raw + again, nags=encode_nags([1]) if nags else None)
    once = parse_comment(front + raw, nags=encode_nags([1]) if nags else None)
    assert found.nags == once.nags
    assert found.annotations[: len(once.annotations)] == once.annotations
    assert found.annotations[-1].data.decode() == again
    assert found.problems == (f"this payload does not belong to an annotation: {again}",)
    assert once.problems == ()


@pytest.mark.parametrize(
    ("values", "entries"),
    [
        ("0,1,29999,30000", [(1, 1), (1, 0)]),
        ("0,1,-29999,-30000", [(1, -1), (1, 0)]),
        ("0,2,25,29990,30000", [(0, 25), (1, 10), (1, 0)]),
        ("0,2,25,-29990,-30000", [(0, 25), (1, -10), (1, 0)]),
        ("0,1,1,30000", [(0, 1), (1, 0)]),
        ("0,1,-1,-30000", [(0, -1), (1, 0)]),
        ("0,0,-30000", [(1, 0)]),
        ("0,1,0,-30000", [(0, 0), (1, 0)]),
        ("0,1,29001,29000", [(1, 999), (0, 29000)]),
    ],
)
def test_profiles_that_end_with_a_mate(values: str, entries: list[tuple[int, int]]) -> None:
    """Whose mate is on the board, the value before it tells; ChessBase writes -30000 where nothing tells it."""
    profile = EvaluationProfile(tuple(ProfileEntry(kind, 0, value) for kind, value in entries))
    assert EvaluationProfile.parse(values) == profile
    assert profile.format() == values
    assert profile.format_plain(Dialect.CHESSBASE) == [f"[%evp {values}]"]
    assert read(f"[%evp {values}]") == [profile]
