"""Names of people: what is taken for the family name, and which given names may be one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.maintenance.duplicates_kernel import choose_kept
from tabiya.maintenance.person_names import Person, given_fit, packed_given, people_of, sound_of, spellings_of


@pytest.mark.parametrize(
    ("names", "family"),
    [
        (
            ["Korchnoi, Viktor", "Kortschnoj,V", "Viktor Korchnoy", "Korchnoi V.", "KORCHNOI, V", "Корчной, В"],
            "korchnoi",
        ),
        (["Polgár, Judit", "Polgar,J", "Judit Polgár", "GM Polgar, Judit (HUN)"], "polgar"),
        (["van der Sterren, Paul", "Sterren, P. van der"], "steren"),
        (["Vachier-Lagrave, M", "Vachier Lagrave,Maxime"], "lagrave"),
        (["Nimzowitsch, A", "Nimzovich,Aron"], "nimzovich"),
        (["Yusupov, A", "Jussupow,Artur"], "iusupov"),
        (["Smysloff", "Smyslov, V"], "smislov"),
    ],
)
def test_spellings_of_a_family(names: list[str], family: str) -> None:
    assert [person.family for person in people_of(names)] == [family] * len(names)


def test_a_name_without_comma_is_told_by_the_others() -> None:
    alone, beside = people_of(["Carlsen Magnus"]), people_of(["Carlsen Magnus", "Carlsen, M"])
    assert alone[0][:2] == ("magnus", ("carlsen",))
    assert beside[0][:2] == ("carlsen", ("magnus",))


@pytest.mark.parametrize(
    ("name", "given_names"),
    [
        ("Fischer, RJ", ("r", "i")),
        ("FISCHER, RJ", ("ri",)),
        ("Fischer, Robert J.", ("robert", "i")),
        ("Fischer", ()),
        ("Li, Bo", ("bo",)),
    ],
)
def test_given_names(name: str, given_names: tuple[str, ...]) -> None:
    assert people_of([name])[0].given == given_names


def test_versions_of_engines_are_no_family() -> None:
    one, other = people_of(["Stockfish 15", "Stockfish 151"])
    assert (one[:2], other[:2]) == (("stokfish", ("15",)), ("stokfish", ("151",)))
    assert not given_fit(one, other)


words = st.sampled_from(["a", "al", "alex", "alexander", "b", "bo", "boris", "1", "15", "151"])
lists = st.lists(words, max_size=4).map(tuple)


@given(lists, lists)
def test_given_names_fit_as_the_kernel_has_it(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    people = [Person("x", names, frozenset(), frozenset()) for names in (one, other)]
    zeros = np.zeros(2, np.int32)
    kept = np.full(2, -1, np.int64)
    order, ends, black, links = np.arange(2), np.array([0, 2]), zeros, np.empty(0, np.uint64)
    white, moments, winners = np.arange(2, dtype=np.int32), np.full(2, -1, np.int64), np.zeros(2, np.uint8)
    who = packed_given(people)
    choose_kept(order, ends, zeros, white, black, who, zeros, zeros, 0, zeros, zeros, moments, winners, links, kept)
    assert given_fit(*people) == given_fit(*reversed(people)) == (kept[1] == 0)


@given(st.lists(st.text(max_size=12), max_size=6))
def test_any_text_is_a_name(names: list[str]) -> None:
    people = people_of(names)
    assert len(people) == len(names)
    assert packed_given(people).shape == (len(names), 4)


@given(st.text(st.characters(categories=["Ll"]), min_size=1, max_size=10))
def test_a_sound_is_never_empty(word: str) -> None:
    assert sound_of(word)


def test_other_spellings_of_a_name() -> None:
    names = [
        "Carlsen, M",
        "Magnus Carlsen",
        "Carlsen, Henrik",
        "Carlsen, Magnus",
        "Carlsson, M",
        "CARLSEN,M",
        "Smith, J",
    ]
    found = [names[place] for place in spellings_of("Carlsen, Magnus", pa.array(names))]
    assert found == ["Carlsen, M", "Magnus Carlsen", "CARLSEN,M"]
    assert spellings_of("Nobody", pa.array(names)) == []
    assert spellings_of("?", pa.array(names)) == []
    assert spellings_of("", pa.array(names)) == []
