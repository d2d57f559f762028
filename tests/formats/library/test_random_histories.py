"""Any history of additions, changes, merges and compactions against a plain list of records."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.formats.library.database import LibraryDatabase
from tabiya.formats.library.messages import SENTENCES
from tabiya.game import GameBatch
from tabiya.positions.game_facts import FACTS, Flag
from tabiya.positions.name_table import NO_NAME
from tests.formats.corpus import batch_of, long_corpus, rows_of
from tests.positions.index.naive import naive

POOL = [{name: value for name, value in row.items() if name != "number"} for row in rows_of(long_corpus(40))]

rows = st.lists(st.sampled_from(range(len(POOL))), max_size=9)
actions = st.tuples(
    st.sampled_from(["delete", "undelete", "replace"]), st.integers(0, 10**6), st.sampled_from(range(40))
)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("append"), rows, st.integers(1, 4)),
        st.tuples(st.just("edit"), st.lists(actions, max_size=6)),
        st.tuples(st.just("merge")),
        st.tuples(st.just("compact")),
    ),
    min_size=1,
    max_size=7,
)

Model = list[tuple[dict[str, Any], int]]
"""Records, and the number that each came with."""


def append(path: Path, model: Model, places: list[int], cut: int) -> None:
    batch = batch_of([POOL[place] for place in places], first_number=1000)
    with tabiya.create(path, append=True, variations=True) as writer:
        writer.write([batch[begin : begin + cut] for begin in range(0, len(batch), cut)])
    model += [(dict(POOL[place]), 1000 + i) for i, place in enumerate(places)]


def edit(path: Path, model: Model, changes: list[tuple[str, int, int]]) -> None:
    with tabiya.edit(path) as editor:
        for action, number, place in changes if model else []:
            number %= len(model)
            record, origin = model[number]
            if action == "replace":
                (game,) = batch_of([POOL[place]]).games()
                editor.replace(number + 1, game)
                deleted = record["deleted"] or POOL[place]["deleted"]
                model[number] = ({**POOL[place], "deleted": deleted}, origin)
            else:
                getattr(editor, action)([number + 1])
                model[number] = ({**record, "deleted": action == "delete"}, origin)


def apply(path: Path, model: Model, step: tuple[Any, ...]) -> None:
    if step[0] == "append":
        append(path, model, *step[1:])
    elif step[0] == "edit":
        edit(path, model, *step[1:])
    elif step[0] == "merge":
        assert tabiya.merge_segments(path).after <= 1
    else:
        removed = tabiya.compact(path).removed
        kept = [(record, origin) for record, origin in model if not record["deleted"]]
        assert removed == len(model) - len(kept)
        model[:] = kept


def check(path: Path, model: Model) -> None:
    expected = batch_of([record for record, _ in model])
    with tabiya.open(path) as library:
        assert isinstance(library, LibraryDatabase)
        assert rows_of(GameBatch.concat(library.batches(threads=2))) == rows_of(expected)
        assert [row for part in library.headers() for row in part.to_pylist()] == expected.record_batch.select(
            tabiya.formats.HEADER_SCHEMA.names
        ).to_pylist()
        for place in {0, len(model) // 2, len(model) - 1} if model else ():
            assert rows_of(library.read(place, place + 2)) == rows_of(expected[place : place + 2])
            assert library.origin(place + 1) == (None, model[place][1])
        assert [str(each) for each in tabiya.check(library) if each.problem.code in SENTENCES] == []
        check_search(library, expected)
        check_summary(library)


def check_summary(library: LibraryDatabase) -> None:
    """What the library knows about itself is what reading all of it gives."""
    quick = tabiya.summarize(library)
    with mock.patch.object(LibraryDatabase, "summarize", return_value=False):
        assert tabiya.summarize(library) == quick


def check_search(library: LibraryDatabase, wanted: GameBatch) -> None:
    """What search sees, with hidden rows left out, is what a slow loop over the records gives."""
    search = library.searchable()
    assert search is not None
    assert len(search.segments) <= 4
    numbers, names = [], search.names.names()
    whites = wanted.record_batch["white"].to_pylist()
    rows, variations = naive(wanted)
    found: dict[int, list[tuple[int, ...]]] = {}
    found_in_variations: dict[int, list[tuple[int, ...]]] = {}
    for segment in search.segments:
        assert segment.facts.dtype == FACTS
        assert len(segment.lines.ends) == len(segment.facts) + 1
        own = np.arange(len(segment.facts)) + segment.first if segment.numbers is None else segment.numbers
        shown = np.ones(len(own), bool) if segment.hidden is None else ~segment.hidden
        numbers += own[shown].tolist()
        for number, facts in zip(own[shown].tolist(), segment.facts[shown], strict=True):
            assert (None if facts["white"] == NO_NAME else names[facts["white"]]) == whites[number]
            assert bool(facts["flags"] & Flag.DELETED) == wanted.record_batch["deleted"][number].as_py()
        visible = set(own[shown].tolist())
        for key in {row[0] for row in rows}:
            hits = zip(*(column.tolist() for column in segment.find(key)), strict=True)
            found.setdefault(key, []).extend((key, *hit) for hit in hits if hit[0] in visible)
        for key in {row[0] for row in variations}:
            hits = zip(*(column.tolist() for column in segment.find_variations(key)), strict=True)
            found_in_variations.setdefault(key, []).extend((key, *hit) for hit in hits if hit[0] in visible)
    assert sorted(numbers) == list(range(len(wanted)))
    assert sorted(row for hits in found.values() for row in hits) == rows
    assert sorted(row for hits in found_in_variations.values() for row in hits) == variations


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps, st.sampled_from([3, 4096]))
def test_any_history(steps: list[tuple[Any, ...]], group: int) -> None:
    model: Model = []
    with tempfile.TemporaryDirectory() as folder, mock.patch("tabiya.formats.record_file.GROUP_RECORDS", group):
        path = Path(folder) / "x.tabiya"
        append(path, model, [], 1)
        for step in steps:
            apply(path, model, step)
        check(path, model)
        assert {file.suffix for file in path.iterdir()} <= {".json", ".parquet", ".arrow"}
