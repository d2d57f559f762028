"""Values that do not stand on every move: kernels read and write them as their classes do, and leave the rest alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.errors import FormatError
from tabiya.game import Game, difference
from tabiya.game.annotations import (
    COMMANDS,
    KINDS,
    TEXT_AFTER,
    VALUES,
    Annotation,
    Arrows,
    NagSequence,
    Quotation,
    Squares,
    Symbols,
    TextAfter,
    TextBefore,
    TextEncoding,
    Unreadable,
    Value,
    VariationColor,
    format_comment,
    parse_comment,
)
from tabiya.game.annotations.compose_kernel import find_rare
from tabiya.game.annotations.encoding import show_signs
from tabiya.game.view_kernel import BatchView
from tests.formats.pgn.reading import read_one, write
from tests.game.annotations.values import BY_CLASS

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXAMPLES = {
    "cba": "[%cba 61 AQID]",
    "clkb": "[%clkb 0:10:00.5]",
    "clkw": "[%clk 0:10:00]",
    "corr": "[%corr AQ==]",
    "crit": "[%crit middlegame]",
    "csl": "[%csl Ge4,Re5]",
    "cal": "[%cal Ge2e4]",
    "emt": "[%emt 0:00:45|30]",
    "error": '[%error illegal "Nf9"]',
    "eval": "[%eval +1.50/20]",
    "evp": "[%evp 1,5,20,30,-40,32767,29999]",
    "medal": "[%medal tactics,sacrifice]",
    "pawnstruct": "[%pawnstruct 3]",
    "picture": "[%picture]",
    "post": r"[%post a\u007Db]",
    "pre": "[%pre before]",
    "sound": "[%sound AQI=]",
    "train": "[%train AQID]",
    "video": "[%video ASpoZWxsbw==]",
    "vst": "[%vst 4294967295]",
    "weblink": r'[%weblink "https://example.org/\"x\"" "a \u0020b"]',
}
"""A comment for every kind, as kernels write it. Their own names of clocks are those after a move of White."""
RARE = {
    "path": "[%path e4 3]",
    "tc": "[%tc 90m/40+30m+(15m+10s)]",
    "varcolor": "[%varcolor #FF00A0 ML]",
}
"""The same for kinds that kernels leave to classes."""
RARE_OF_OTHERS = {
    '[%weblink "https://example.org/é" "b"]': '[%weblink "https://example.org/é" "b"]',
    "[%draw arrow,e2,e4,green]": "[%cal Ge2e4]",
    "[%draw full,e4,red]": "[%csl Re4]",
}
OF_OTHERS = {
    "[%mdl 512]": "[%medal sacrifice]",
    "[%eval M5]": "[%eval M5]",
    "[%clk 0:10:00.1234]": "[%clk 0:10:00.1234]",
    "[%cba 1a AQID]": "[%cba 1A AQID]",
}
"""What other programs write, and what becomes of it."""
LEFT_TO_PYTHON = {Quotation}
IN_MOVETEXT = {Symbols, NagSequence}
IN_COMMENTS = [cls for cls in VALUES if cls not in IN_MOVETEXT]
SPELLED = {cls for cls in VALUES if cls.keeps_spelling and cls is not VariationColor}
ON_EVERY_MOVE = SPELLED | {Squares, Arrows, TextAfter, TextBefore, Unreadable}
NOT_ON_EVERY_MOVE = [cls for cls in IN_COMMENTS if cls not in ON_EVERY_MOVE]


def no_python() -> AssertionError:
    return AssertionError("this comment went through Python")


def in_movetext(comment: str) -> str:
    return f"1. e4 {{ {comment} }} 1... e5 *"


def values(game: Game) -> list[tuple[object, ...]]:
    return [(a.kind, a.data, a.raw, a.lang, a.side) for node in [game.root, *game.walk()] for a in node.annotations]


def expected(comment: str, encoding: str = "utf-8") -> list[tuple[object, ...]]:
    found = parse_comment(comment, encoding=TextEncoding(encoding))
    return [(a.kind, a.data, a.raw, a.lang, a.side) for a in found.annotations]


def annotated(annotation: Annotation, encoding: str) -> Game:
    game = Game()
    if encoding != "utf-8":
        game.tags["TextEncoding"] = encoding
    game.root.add("e4").annotations.append(annotation)
    return game


def all_through_python(view: BatchView, table: bytes) -> NDArray[np.uint8]:
    return np.ones_like(find_rare(view, table))


def test_there_is_an_example_of_every_kind() -> None:
    kinds = {expected(comment)[0][0] for comment in [*EXAMPLES.values(), *RARE.values()]}
    assert {KINDS[kind] for kind in KINDS if kind not in kinds} == LEFT_TO_PYTHON | IN_MOVETEXT
    assert {*EXAMPLES, *RARE} - {"cba"} == {cls.command for cls in VALUES if cls.command} - {"quote"}
    left_to_python = {"quote", "tqu", "mark", "arrow"}
    assert {comment.split()[0][2:] for comment in [*OF_OTHERS, *RARE_OF_OTHERS]} >= {*COMMANDS} - {
        *EXAMPLES,
        *RARE,
    } - left_to_python


@pytest.mark.parametrize(("comment", "own"), [*((own, own) for own in EXAMPLES.values()), *OF_OTHERS.items()])
def test_kernels_read_and_write_every_kind(comment: str, own: str) -> None:
    with (
        patch("tabiya.game.annotations.comments.parse_comment", side_effect=no_python()),
        patch("tabiya.formats.pgn.comments.format_comment", side_effect=no_python()),
    ):
        game = read_one(in_movetext(comment))
        text, losses = write([game])
    assert values(game) == expected(comment)
    assert f"{{ {own} }}" in text.decode()
    assert not losses


@pytest.mark.parametrize(("comment", "own"), [*((own, own) for own in RARE.values()), *RARE_OF_OTHERS.items()])
def test_classes_read_and_write_the_others(comment: str, own: str) -> None:
    game = read_one(in_movetext(comment))
    text, losses = write([game])
    assert values(game) == expected(comment)
    assert f"{{ {own} }}" in text.decode()
    assert not losses


@pytest.mark.parametrize("arguments", ["#ff0000 LM", "#Ff0000", "#FF0000ML", "#FF0000 LM", "#ff0000 M"])
@pytest.mark.parametrize("suffix", [".pgn", ".si4", ".jose"])
def test_colours_keep_their_spelling(arguments: str, suffix: str, tmp_path: Path) -> None:
    comment = f"[%varcolor {arguments}]"
    game = read_one(in_movetext(comment))
    assert [kind for kind, *_ in values(game)] == [VariationColor.kind]
    assert values(game) == expected(comment)
    with tabiya.create(tmp_path / f"games{suffix}") as writer:
        writer.write([game])
    with tabiya.open(tmp_path / f"games{suffix}") as database:
        assert values(database[0]) == values(game)
        text, losses = write(list(database))
    assert comment in text.decode()
    assert not losses
    assert not writer.losses


ENCODINGS = st.sampled_from(["utf-8", "utf-8", "cp1252", "cp1251"])


@pytest.mark.parametrize("cls", NOT_ON_EVERY_MOVE)
@settings(max_examples=50)  # of each kind
@given(data=st.data())
def test_writing(cls: type[Value], data: st.DataObject) -> None:
    """Any value, and any bytes instead of one, give the text that its class gives."""
    encoding = data.draw(ENCODINGS)
    payload = st.binary(max_size=36)
    try:
        good = data.draw(BY_CLASS[cls]).annotation(encoding=TextEncoding(encoding))
    except FormatError:
        good = Annotation(cls.kind, data.draw(payload))
    cut = data.draw(st.integers(0, len(good.data)))
    damaged = [payload, payload.map(lambda more: good.data[:cut] + more), payload.map(lambda _: good.data[:cut])]
    bad = st.one_of(damaged).map(lambda found: Annotation(good.kind, found, good.lang, side=good.side))
    game = annotated(
        data.draw(st.one_of(st.just(good), bad)) if cls.keeps_spelling or good.kind < 256 else good, encoding
    )
    by_kernel = write([game])
    with patch("tabiya.formats.comment_fallback.find_rare", all_through_python):
        by_python = write([game])
    assert by_kernel == by_python


@pytest.mark.parametrize("cls", IN_COMMENTS)
@settings(max_examples=50)
@given(data=st.data())
def test_reading(cls: type[Value], data: st.DataObject) -> None:
    """Any text of a value, and any damage to it, gives what its class gives."""
    encoding = data.draw(ENCODINGS)
    try:
        good = data.draw(BY_CLASS[cls]).annotation(encoding=TextEncoding(encoding))
    except FormatError:
        return
    comment = format_comment([good], encoding=TextEncoding(encoding)).text
    for _ in range(data.draw(st.integers(0, 3))):
        begin = data.draw(st.integers(0, len(comment)))
        end = data.draw(st.integers(begin, min(begin + 2, len(comment))))
        comment = comment[:begin] + data.draw(st.text('0189aAfFgMLhms+-,./|=#:() "\\]é', max_size=2)) + comment[end:]
    tag = "" if encoding == "utf-8" else f'[TextEncoding "{encoding}"]\n\n'
    game = read_one(tag + in_movetext(comment))
    # A comment that is no command after all is a text, whose private letters kernels keep and classes show as signs.
    found = [
        (a.kind, show_signs(a.data.decode()).encode() if a.kind == TEXT_AFTER else a.data, a.raw, a.lang, a.side)
        for a in next(iter(game.mainline())).annotations
    ]
    expected_values = [row for row in expected(f" {comment} ", encoding) if row[-1] != 1]
    assert sorted(found, key=repr) == sorted(expected_values, key=repr)


def test_what_is_written_is_read_again() -> None:
    comment = " ".join([*EXAMPLES.values(), *RARE.values()])
    game = read_one(in_movetext(comment))
    assert difference(read_one(write([game])[0]), game) == []
