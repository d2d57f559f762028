"""Names and their numbers, compared with a dictionary."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.game import Game, GameBatch
from tabiya.positions.game_facts import facts_of
from tabiya.positions.name_table import NO_NAME, NameTable
from tabiya.positions.name_table_kernel import NameStore

NAMES = st.lists(st.none() | st.sampled_from(["", "Tal", "Tal, Mihail", "Ł"]) | st.text(st.characters(codec="utf-8")))


@given(st.lists(NAMES, max_size=6), st.integers(0, 3))
def test_a_table_is_a_dictionary_of_first_uses(columns: list[list[str | None]], cut: int) -> None:
    names, expected = NameTable(), dict[str, int]()
    for column in columns:
        array = pa.array(column, pa.string())
        encoded = array.dictionary_encode()
        sliced = pa.DictionaryArray.from_arrays(encoded.indices, encoded.dictionary)[cut:]
        numbers = names.ids_of(sliced).tolist()
        for name in encoded.dictionary.to_pylist():
            expected.setdefault(name, len(expected))
        assert numbers == [NO_NAME if name is None else expected[name] for name in column[cut:]]
        given_again = array.drop_null()[cut:]
        assert names.add(given_again).tolist() == [expected[name] for name in given_again.to_pylist()]
    assert names.names() == list(expected)
    assert names.array(1).to_pylist() == list(expected)[1:]
    assert [names.name_of(number) for number in range(-1, len(expected) + 1)] == [None, *expected, None]
    assert [names.id_of(name) for name in expected] == list(expected.values())
    assert names.id_of("Nobody, A.") == NO_NAME
    assert len(names) == len(expected)


def test_numbers_of_names_never_change() -> None:
    names = NameTable()
    assert names.id_of("Tal") == NO_NAME
    names.add(pa.array(["Lasker", "Tal"]))
    games = [Game.from_pgn(f'[White "{white}"]\n[Black "Lasker"]\n\n*') for white in ("Tal", "Keres", "Tal")]
    facts = facts_of(GameBatch.from_games(games), names)
    assert facts["white"].tolist() == [1, 2, 1]
    assert facts["black"].tolist() == [0, 0, 0]
    assert (names.array(2).to_pylist(), names.id_of("Keres")) == (["Keres"], 2)


def test_names_are_asked_for_while_others_are_added() -> None:
    names = NameTable()
    texts = pa.array([f"Player {number}" for number in range(20_000)])

    def ask(first: int) -> bool:
        numbers = names.add(texts[first:])
        return all(names.name_of(numbers[place]) == f"Player {first + place}" for place in range(0, 500, 99))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(0, 19_000, 500)))
    assert sorted(names.names()) == sorted(texts.to_pylist())


@pytest.mark.parametrize(("ends", "room"), [([0, 9], 1), ([0, 2, 1], 2), ([-1, 2], 1), ([0, 2], 2), ([], 0)])
def test_buffers_that_do_not_fit_are_refused(ends: list[int], room: int) -> None:
    text = np.frombuffer(b"Tal", np.uint8)
    with pytest.raises(ValueError, match=r"fit|descend"):
        NameStore(1).numbers_of(text, np.array(ends, np.int32), np.empty(room, np.int32))
