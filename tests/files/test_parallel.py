from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import UsageError
from tabiya.files.parallel import ordered_map


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 8))
def test_results_come_in_order(delays: list[int], threads: int) -> None:
    def work(item: tuple[int, int]) -> int:
        time.sleep(item[1] / 5000)
        return item[0]

    assert list(ordered_map(work, enumerate(delays), threads)) == list(range(len(delays)))


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_an_error_comes_after_the_results_before_it(threads: int) -> None:
    def work(item: int) -> int:
        if item == 5:
            raise ZeroDivisionError
        return item

    results = ordered_map(work, range(20), threads)
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(ZeroDivisionError):
        next(results)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_an_error_of_the_items_comes_after_the_results_before_it(threads: int) -> None:
    def items() -> Iterator[int]:
        yield from range(5)
        raise ZeroDivisionError

    results = ordered_map(abs, items(), threads)
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_it_does_not_run_far_ahead() -> None:
    taken = []

    def items() -> Iterator[int]:
        for item in range(1000):
            taken.append(item)
            yield item

    results = ordered_map(abs, items(), 3, ahead=2)
    for i in range(10):
        assert next(results) == i
        assert len(taken) <= i + 1 + 6
    results.close()  # type: ignore[attr-defined]


def test_items_are_taken_in_the_thread_of_the_caller() -> None:
    def items() -> Iterator[int]:
        for _ in range(20):
            yield threading.get_ident()

    workers = set(ordered_map(lambda item: (item, threading.get_ident()), items(), 4))
    assert {taker for taker, _ in workers} == {threading.get_ident()}
    assert threading.get_ident() not in {worker for _, worker in workers}


def test_closing_cancels_what_has_not_begun() -> None:
    begun = []
    gate = threading.Event()

    def work(item: int) -> int:
        begun.append(item)
        if item:
            gate.wait(10)
        return item

    results = ordered_map(work, range(1000), 2, ahead=8)
    assert next(results) == 0
    threading.Timer(0.05, gate.set).start()
    results.close()  # type: ignore[attr-defined]
    assert len(begun) <= 4
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("tabiya")]


def test_nonsense() -> None:
    with pytest.raises(UsageError, match="from 1 to 1024, not 0"):
        next(ordered_map(abs, [1], 0))
    with pytest.raises(UsageError, match="from 1 to 1024, not 100000"):
        next(ordered_map(abs, [1], 100_000))
