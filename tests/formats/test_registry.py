"""What formats say about themselves fits together: codes, sentences, extras and options."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tabiya.formats import FORMATS, Format
from tabiya.formats.format import Option
from tabiya.formats.registry import OWNERS_OF_EXTRAS, kept_extras, left_out, options, sentence, sentences
from tabiya.game import problems

COMMON = {"overwrite", "strict"}
REFUSED = {("cbv", "append")}
"""What a writer only takes to say why it cannot."""


def keywords(functions: tuple[Callable[..., Any] | None, ...]) -> set[str]:
    return {
        parameter.name
        for function in functions
        if function is not None
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    }


def test_sentences() -> None:
    assert set(left_out()) <= set(sentences())
    assert sentence(175, "") == "a checksum is wrong"
    assert sentence(175, ".cbj") == "a checksum is wrong: .cbj"
    assert (sentence(0, "by itself"), sentence(9999, "x"), sentence(9999, "")) == ("by itself", "x", "problem 9999")


def test_a_code_belongs_to_one_format() -> None:
    codes = Counter(code for each in (problems.SENTENCES, *(format.problems for format in FORMATS)) for code in each)
    assert [code for code, count in codes.items() if count > 1] == []
    assert all(0 < code < 1 << 16 for code in codes)
    assert all(format.left_out.keys() <= format.problems.keys() for format in FORMATS)


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_all_options_are_described(format: Format) -> None:
    reading = keywords((format.open, format.open_url))
    writing = keywords((format.create, format.create_url)) - COMMON
    assert {option.name for option in format.read_options} == reading
    assert {option.name for option in format.write_options} == {
        name for name in writing if (format.name, name) not in REFUSED
    }


def described() -> Iterator[tuple[str, Option]]:
    for format in FORMATS:
        yield from (("reading", option) for option in format.read_options)
        yield from (("writing", option) for option in format.write_options)


def test_an_option_is_the_same_in_every_format() -> None:
    different = set(described())
    names = Counter((kind, option.name) for kind, option in different)
    assert [name for name, count in names.items() if count > 1] == []
    assert all(option.help.endswith(".") and option.type in {str, int, bool} for _, option in different)
    for kind in ("reading", "writing"):
        assert {option.name for option in options(kind)} == {name for where, name in names if where == kind}


def test_whose_extras_travel() -> None:
    assert OWNERS_OF_EXTRAS == ("2cbh", "bcgn", "cbh", "epd", "jose", "pgn", "scid")
    assert kept_extras("all") == "all"
    assert kept_extras(frozenset({"cbh."})) == frozenset({"cbh."})
    others = frozenset({"2cbh.", "bcgn.", "epd.", "jose.", "pgn.", "scid."})
    assert kept_extras(frozenset({"cbh.a", "*."})) == others | {"cbh.a"}
