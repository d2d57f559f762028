"""Columns of names from ids: every distinct id is looked up once."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tabiya.chessbase.name_columns import code_texts, dense, interned, or_null


def test_ids_become_indices_of_the_distinct_ones() -> None:
    places, used = dense(np.array([7, -1, 3, 7]), 9)
    assert places.tolist() == [1, -1, 0, 1]
    assert used.tolist() == [3, 7]


def test_a_column_of_names() -> None:
    requested: list[int] = []

    def text_of(code: int) -> str | None:
        requested.append(code)
        return None if code == 3 else f"code {code}"

    column = interned(*dense(np.array([7, -1, 3, 7, 5]), 9), code_texts(text_of))
    assert column.to_pylist() == ["code 7", None, None, "code 7", "code 5"]
    assert column.dictionary.to_pylist() == ["code 5", "code 7"]
    assert requested == [3, 5, 7]


def test_numbers_that_mean_none() -> None:
    assert or_null(np.array([0, 5]), 0, pa.uint8()).to_pylist() == [None, 5]
