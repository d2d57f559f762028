from __future__ import annotations

from dataclasses import fields, replace
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.formats import Keeps, SymbolSupport
from tabiya.formats.loss_counting import fit
from tests.formats import oracle
from tests.formats.corpus import Row, batch_of, corpus, cut, note, rows_of, tape
from tests.formats.memory_format import BARE, FULL, SOME


def joined(lines: list[list[int]]) -> list[int]:
    return list(chain.from_iterable(lines))


names = st.sampled_from(["White", "Date", "Opening", "Result", "FEN", "Annotator", "x", ""])
kinds = st.sampled_from([0x02, 0x82, 0x03, 256, 257, 0x04, 0x05, 0x16, 0x99])
tapes = st.recursive(
    st.lists(st.sampled_from([0, 1, 0x7FFF]), max_size=4),
    lambda line: st.lists(line.map(lambda inner: [1, 0x8000, *inner, 0x8001]), max_size=3).map(joined),
    max_leaves=6,
)
optional_text = st.none() | st.sampled_from(["a", "b"])
notes = st.builds(
    note,
    st.integers(-1, 12),
    kinds,
    st.binary(max_size=5),
    side=st.integers(0, 2),
    lang=st.integers(0, 2),
    raw=st.none() | st.just(b"raw"),
)
rows = st.fixed_dictionaries(
    {
        "kind": st.sampled_from([0, 0, 0, 1, 2]),
        "deleted": st.booleans(),
        "variant": st.sampled_from([0, 0, 1]),
        "start": st.none() | st.just("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        "white": optional_text,
        "annotator": optional_text,
        "year": st.none() | st.just(1999),
        "day": st.none() | st.just(9),
        "black_elo": st.none() | st.just(1),
        "result": st.none() | st.integers(0, 8),
        "tags": st.lists(st.fixed_dictionaries({"name": names, "value": st.just("v")}), max_size=4),
        "moves": tapes,
        "annotations": st.lists(notes, max_size=5),
        "texts": st.lists(st.just({"lang": 0, "title": "t", "format": 0, "body": b"", "formatting": None}), max_size=2),
        "extras": st.lists(
            st.fixed_dictionaries({"key": st.sampled_from(["a.x", "ab.x", "b.x"]), "value": st.just(b"")}), max_size=3
        ),
    }
)


def sets_of(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.just("all") | st.frozensets(values, max_size=4)


some_keeps = st.builds(
    Keeps,
    **{field.name: st.booleans() for field in fields(Keeps) if field.type == "bool"},
    symbols=st.sampled_from(SymbolSupport),
    annotations=sets_of(kinds),
    tags=sets_of(names),
    results=sets_of(st.integers(0, 8)),
    extras=sets_of(st.sampled_from(["a.", "b."])),
)


@given(st.lists(rows, max_size=6), some_keeps, st.integers(0, 3))
def test_the_counts_are_those_of_the_oracle(content: list[Row], keeps: Keeps, skipped: int) -> None:
    batch = batch_of(content)[skipped:]  # a slice has offsets that do not begin at 0
    fitting, report = fit(batch, keeps)
    assert {loss.what: (loss.count, loss.first_game) for loss in report} == oracle.losses(rows_of(batch), keeps)
    assert rows_of(fitting) == [row for row in rows_of(batch) if not oracle.left_out(row, keeps)]


@given(st.lists(rows, max_size=6), some_keeps, st.integers(1, 5))
def test_the_report_does_not_depend_on_the_cut(content: list[Row], keeps: Keeps, records: int) -> None:
    batch = batch_of(content)
    _, whole = fit(batch, keeps)
    parts = [fit(part, keeps)[1] for part in cut(batch, records)]
    assert sum(parts, type(whole)()) == whole


@given(st.lists(rows, max_size=4), some_keeps)
def test_what_was_kept_is_kept_again(content: list[Row], keeps: Keeps) -> None:
    kept = [row for each in rows_of(batch_of(content)) if (row := oracle.kept(each, keeps))]
    _, report = fit(batch_of(kept), replace(keeps, results="all"))
    assert not report


def test_everything_costs_nothing() -> None:
    fitting, report = fit(corpus(), FULL.keeps)
    assert fitting is corpus()
    assert not report


def test_the_corpus_in_a_bare_format() -> None:
    fitting, report = fit(corpus(), BARE.keeps)
    assert len(fitting) == len(corpus()) - 4
    assert str(report).splitlines() == [
        "lost                                                      count  first game",
        "undecoded records, left out                                   1           9",
        "guiding texts, left out                                       1           8",
        "Chess960 games, left out                                      1           5",
        "games from a set-up position, left out                        1           4",
        "deletion marks                                                1           7",
        "variations                                                    4           2",
        "null moves, with the rest of their line                       2           6",
        "symbols (NAGs)                                                5           2",
        "texts after a move                                            4           2",
        "texts before a move                                           1           2",
        "results (line, +:-)                                           2           6",
        "tags (Event, Site, Date, ECO, Round, …)                      11           1",
        "details that only the source format has (full.stamp)          1          10",
        "coloured squares                                              1           2",
        "arrows                                                        1           2",
        "clocks of White                                               1           2",
        "medals                                                        1           6",
        "annotations of kind 0x99                                      1           2",
        "unreadable moves                                              1          10",
    ]


@pytest.mark.parametrize("keeps", [BARE.keeps, SOME.keeps], ids=["bare", "some"])
def test_the_corpus_agrees_with_the_oracle(keeps: Keeps) -> None:
    _, report = fit(corpus(), keeps)
    assert {loss.what: (loss.count, loss.first_game) for loss in report} == oracle.losses(rows_of(corpus()), keeps)


def test_tags_are_named_in_the_order_they_appear() -> None:
    tags = [{"name": name, "value": ""} for name in ("Z", "Y", "Z", "X")]
    batch = batch_of([{"white": "w"}, {"tags": tags, "eco": "A00"}, {"event": "e"}])
    _, report = fit(batch, replace(FULL.keeps, tags=frozenset()))
    (loss,) = report
    assert loss.examples == ("White", "ECO", "Z", "Y", "X", "Event")
    assert loss.count == 7


def test_annotations_of_impossible_moves_do_no_harm() -> None:
    batch = batch_of([{"moves": tape("e2e4"), "annotations": [note(99, 0x02, b"x"), note(2**31 - 1, 0x05, b"y")]}])
    _, report = fit(batch, replace(FULL.keeps, variations=False))
    assert not report


def test_unbalanced_tapes_do_not_reach_into_the_next_record() -> None:
    batch = batch_of(
        [{"moves": [1, 0x8000, 2]}, {"moves": [1], "annotations": [note(0, 0x02, b"x")]}, {"moves": [0x8001, 0]}]
    )
    _, report = fit(batch, replace(FULL.keeps, variations=False, null_moves=True))
    assert [loss.what for loss in report] == ["variations"]
