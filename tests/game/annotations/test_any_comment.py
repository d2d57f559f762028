"""Anything in comments, by hypothesis: values, payloads and comments that come back as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Color
from tabiya.game.annotations import (
    VALUES,
    Annotation,
    Comment,
    Side,
    TextAfter,
    TextBefore,
    TextEncoding,
    Unreadable,
    Value,
    decode_payload,
    encode_nags,
    encode_payload,
    format_comment,
    format_guiding_text,
    movetext_nags,
    parse_comment,
    typed,
)
from tests.game.annotations.values import BY_CLASS, encodings, strings, values
from tests.strategies import texts

# --- anything --------------------------------------------------------------------------------------------------------


def read_back(annotation: Annotation, mover: Color, encoding: TextEncoding) -> Annotation:
    text = format_comment([annotation], mover=mover, side=annotation.side, encoding=encoding).text
    assert "}" not in text
    assert text.isprintable() or "\n" not in text
    nags = movetext_nags(annotation)
    found = encode_nags(nags) if nags else None
    parsed = parse_comment(text, mover=mover, side=annotation.side, encoding=encoding, nags=found)
    assert parsed.problems == () or annotation.kind in (TextAfter.kind, TextBefore.kind)
    if found is not None:
        assert parsed.annotations == ()
        return parsed.nags or found
    (read,) = parsed.annotations
    return read


@pytest.mark.parametrize("cls", [cls for cls in VALUES if cls.__name__ != "NagSequence"], ids=lambda cls: cls.__name__)
@given(data=st.data())
def test_any_value_survives_as_text(cls: type[Value], data: st.DataObject) -> None:
    value = data.draw(BY_CLASS[cls])
    encoding = data.draw(encodings)
    annotation = value.annotation(encoding=encoding)
    found = read_back(annotation, data.draw(st.sampled_from(Color)), encoding)
    assert found == annotation
    assert typed(found, encoding) == value


@given(
    st.sampled_from([*(cls.kind for cls in VALUES if cls.kind < 256), 0x08, 0x1A]), st.binary(max_size=60), encodings
)
def test_any_payload_survives_as_text(kind: int, payload: bytes, encoding: TextEncoding) -> None:
    annotation = decode_payload(kind, payload, encoding)
    found = read_back(annotation, Color.WHITE, encoding)
    assert encode_payload(found, encoding) == payload


_sharing = values.filter(lambda value: not value.in_movetext and not isinstance(value, (TextBefore, Unreadable)))


@given(st.lists(_sharing, max_size=5), st.sampled_from([Side.AFTER, Side.LATE]))
def test_many_values_share_a_comment(found: list[Value], side: Side) -> None:
    annotations = [value.annotation(side=side) for value in found]
    parsed = parse_comment(format_comment(annotations, side=side).text, side=side)
    assert sorted_by_kind(parsed) == sorted_by_kind(Comment(tuple(annotations)))


_PIECES = (
    "[%",
    "]",
    "[%clk ",
    "0:01:00",
    "[%csl Ge4]",
    "[%eval 0.1",
    ",",
    "[%post ",
    "[%pre:GER ",
    "[%raw AAg=]",
    "[%raw ]",
    "\\",
    '"',
    " ",
    "\n",
    "\n\n",
    "text",
    "[%cba 1A AQ==]",
    "[%game x]",
    "[%late y]",
    "[%quote ",
    "[%wdl 1]",
    "[%weblink a b]",
    "é",
    '[%error illegal "x"]',
    "\t",
    "\r\n",
    '[%text ENG ""]',
    "[%emt 0:00:01.5]",
    "[%mdl 1]",
    "[%draw full,e4,red]",
    "[%mark e4 green]",
    "[%mark e4 f7]",
    "[%arrow c4 f7]",
)
comments = st.one_of(texts, strings, st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))


@given(comments, st.sampled_from(Color), st.sampled_from(Side), encodings)
def test_any_comment_settles(comment: str, mover: Color, side: Side, encoding: TextEncoding) -> None:
    first = parse_comment(comment, mover=mover, side=side, encoding=encoding)
    text = " ".join(
        [
            *(format_guiding_text(text) for text in first.texts),
            format_comment(first.game, mover=mover, side=side, whole_game=True, encoding=encoding).text,
            format_comment(first.annotations, mover=mover, side=side, encoding=encoding).text,
        ]
    )
    again = parse_comment(text, mover=mover, side=side, encoding=encoding)
    assert (sorted_by_kind(again), again.game, again.texts) == (sorted_by_kind(first), first.game, first.texts)


def sorted_by_kind(comment: Comment) -> list[Annotation]:
    """The order between kinds is not content."""
    return sorted(comment.annotations, key=lambda annotation: annotation.kind)


def test_long_texts() -> None:
    for text in ("}" * 60_000, "word " * 12_000 + "end", "\\" * 60_000, "[%" * 30_000, "\x00" * 60_000):
        annotation = TextAfter(text).annotation()
        assert parse_comment(format_comment([annotation]).text).annotations == (annotation,)


@pytest.mark.parametrize(
    "piece", ["[%a ", "[%clk [", "[%post \\", "[%csl Ge4", "[%", "[%x]", "] [%raw AA", "\\", '[%quote "', "[%wdl "]
)
def test_hostile_comments_take_linear_time(piece: str) -> None:
    for end in ("", "]"):
        parse_comment(piece * (400_000 // len(piece)) + end)  # if it were quadratic, this would not end
