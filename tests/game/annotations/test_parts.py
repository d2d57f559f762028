"""Commands of which only some parts make sense: the value has these parts, ``raw`` keeps the spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Square
from tabiya.game import Game
from tabiya.game.annotations import (
    Annotation,
    Arrow,
    Arrows,
    ColoredSquare,
    CriticalPosition,
    Medals,
    PiecePath,
    Quotation,
    Squares,
    TextAfter,
    Value,
    decode_payload,
    encode_payload,
    format_comment,
    parse_comment,
    typed,
)

NAMES = '"A" "B" "C" "D"'
GREEN_E4 = Squares((ColoredSquare(2, Square.E4),))
TACTICS = Medals(1 << 6)

READ_IN_PART: list[tuple[str, Value, str]] = [
    ("[%csl Ge4,Xz9]", GREEN_E4, "Xz9"),
    ("[%csl nonsense, Ge4, e5]", GREEN_E4, "nonsense,e5"),
    ("[%csl Ge4,\\]ü]", GREEN_E4, "\\\\]ü"),
    ("[%cal Re2e4,Rd7]", Arrows((Arrow(4, Square.E2, Square.E4),)), "Rd7"),
    ("[%medal foo,tactics]", TACTICS, "foo"),
    ("[%medal Tactics]", TACTICS, ""),
    ("[%medal tactics,]", TACTICS, ""),
    ("[%path e4]", PiecePath(Square.E4, 3), ""),
    ("[%crit none]", CriticalPosition(0), ""),
    ("[%crit Endgame]", CriticalPosition(3), ""),
    (
        f'[%quote {NAMES} 2021.12.03 1-0 2700 2720 ""]',
        Quotation("A", "B", "C", "D", 2021 << 9 | 12 << 5 | 3, 2, 2700, 2720),
        "",
    ),
    (f"[%quote {NAMES} ? - - ? -]", Quotation("A", "B", "C", "D"), ""),
    ('[%quote White="A" ECO=""]', Quotation("A"), ""),
]


@pytest.mark.parametrize(("comment", "value", "others"), READ_IN_PART)
def test_the_parts_that_make_sense_are_the_value(comment: str, value: Value, others: str) -> None:
    parsed = parse_comment(comment)
    (annotation,) = parsed.annotations
    assert typed(annotation) == value
    assert parsed.problems == ()
    assert parsed.partly == ((f"'{others}' is not understood: {comment}",) if others else ())
    assert format_comment([annotation]).text == comment
    assert format_comment([annotation]).lost == ()
    assert encode_payload(annotation) == value.encode()
    assert decode_payload(annotation.kind, encode_payload(annotation)).data == annotation.data


@pytest.mark.parametrize(
    "comment",
    [
        "[%csl Xz9]",
        "[%csl Ge4 Xz9]",
        "[%csl  Ge4,Xz9]",
        "[%csl Ge4,Xz9 ]",
        "[%csl Ge4,a}b]",
        "[%draw full,e4,red,x]",
        "[%medal foo,bar]",
        "[%medal]",
        "[%path e4 x]",
        "[%path e4 256]",
        "[%path]",
        "[%crit nothing]",
        "[%crit]",
        f"[%quote {NAMES} 2021.12.03 1-0 0 0 F12]",
        f'[%quote {NAMES} 2021.12.03 1-0 0 0 "1.e4 e5"]',
        '[%quote White="A" Opening=""]',
    ],
)
def test_what_is_not_clear_stays_text(comment: str) -> None:
    parsed = parse_comment(comment)
    assert [typed(each) for each in parsed.annotations] == [TextAfter(comment)]
    assert len(parsed.problems) == 1
    assert parsed.partly == ()


@pytest.mark.parametrize(
    ("comment", "raw"),
    [("[%csl Ge4]", None), ("[%csl Ge4, Re5,]", None), ("[%medal tactics,best]", None), ("[%path e4 3]", None)],
)
def test_spellings_that_are_understood_as_a_whole_have_no_raw(comment: str, raw: bytes | None) -> None:
    """Kernels read them, and keep none."""
    (annotation,) = parse_comment(comment).annotations
    assert annotation.raw == raw


def test_a_payload_does_not_replace_a_spelling() -> None:
    same = parse_comment("[%csl Ge4,Xz9] [%raw AiQ=]")
    assert [each.raw for each in same.annotations] == [b"Ge4,Xz9"]
    assert same.problems == ()
    other = parse_comment("[%csl Ge4,Xz9] [%raw AiU=]")
    assert [each.raw for each in other.annotations] == [b"Ge4,Xz9"]
    assert len(other.problems) == 1


@pytest.mark.parametrize("raw", [b"Ge4] [%clk 1:00:00", b"Ge4,}", b"Ge4,\xff", b"Re5,Xz9", b"Ge4,\\", b"Ge4", b""])
def test_a_spelling_that_does_not_fit_is_lost_and_reported(raw: bytes) -> None:
    formatted = format_comment([Annotation(Squares.kind, GREEN_E4.encode(), raw=raw)])
    assert formatted.lost == (Squares.kind,)
    assert "}" not in formatted.text
    assert [typed(each) for each in parse_comment(formatted.text).annotations] == [GREEN_E4]


def test_a_new_value_has_no_old_spelling() -> None:
    game = Game()
    node = game.root.add("e4")
    node.annotations = list(parse_comment("[%csl Ge4,Xz9] [%cal Re2e4,x] [%medal foo,best]").annotations)
    node.squares = ["Rd5"]
    node.arrows = []
    node.set_values(Medals, [TACTICS])
    assert format_comment(node.annotations).text == "[%csl Rd5] [%medal tactics]"


MEMBERS = st.one_of(
    st.sampled_from(
        ["Ge4", "Re5", "Ge2e4", "tactics", "Best", "opening", "none", "e4", "3", '""', "?", "A00", "*", "1-0"]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6),
)
ARGUMENTS = st.builds(lambda members, mark: mark.join(members), st.lists(MEMBERS, max_size=6), st.sampled_from(",  "))


@given(st.sampled_from(["csl", "cal", "medal", "path", "crit", "quote", f"quote {NAMES}"]), ARGUMENTS)
def test_no_part_is_ever_lost(name: str, arguments: str) -> None:
    comment = f"[%{name} {arguments}]"
    parsed = parse_comment(comment)
    text = format_comment(parsed.annotations)
    again = parse_comment(text.text)
    assert text.lost == ()
    assert again.annotations == parsed.annotations
    if any(each.raw is not None for each in parsed.annotations[:1]):
        assert text.text.startswith(f"[%{name.partition(' ')[0]} ")
    for each in parsed.annotations:
        if each.raw is not None:
            assert f" {each.raw.decode()}]" in comment
            assert typed(each) == typed(decode_payload(each.kind, encode_payload(each)))
