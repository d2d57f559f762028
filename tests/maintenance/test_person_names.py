"""Names of people: what is taken for the family name, and which given names may be one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.maintenance.person_names import Person, packed_given, people_of, sound_of


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
    assert alone == [Person("magnus", ("carlsen",))]
    assert beside[0] == Person("carlsen", ("magnus",))


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
    assert people_of(["Stockfish 15", "Stockfish 16"]) == [Person("stokfish", ("15",)), Person("stokfish", ("16",))]


@given(st.lists(st.text(max_size=12), max_size=6))
def test_any_text_is_a_name(names: list[str]) -> None:
    people = people_of(names)
    assert len(people) == len(names)
    assert packed_given(people).shape == (len(names), 4)


@given(st.text(st.characters(categories=["Ll"]), min_size=1, max_size=10))
def test_a_sound_is_never_empty(word: str) -> None:
    assert sound_of(word)
