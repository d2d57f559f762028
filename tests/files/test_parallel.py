from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import UsageError
from tabiya.files.parallel import Background, ordered_map, stop_if_cancelled


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
    results.close()


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
    results.close()
    assert len(begun) <= 4
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("tabiya")]


class Work:
    """Tasks that note when they begin, and go on when they may."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.gate = threading.Event()

    def task(self, number: int) -> int:
        self.begun.append(number)
        self.gate.wait(10)
        return number


@pytest.mark.parametrize("threads", [1, 2])
def test_background_does_tasks_in_order(threads: int) -> None:
    work, background = Work(), Background(threads)
    work.gate.set()
    futures = [background.add(partial(work.task, number)) for number in range(50)]
    background.wait()
    assert work.begun == list(range(50)) == [future.result() for future in futures]
    background.close()
    background.close()


def test_background_lets_one_wait_where_there_is_too_much_to_do() -> None:
    work, background = Work(), Background(2, waiting=3)
    adding = threading.Thread(target=lambda: [background.add(partial(work.task, number)) for number in range(9)])
    adding.start()
    adding.join(0.1)
    assert adding.is_alive()
    assert work.begun in ([], [0])
    work.gate.set()
    adding.join()
    background.wait()
    assert work.begun == list(range(9))
    background.close()


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_the_background_appears(threads: int) -> None:
    background = Background(threads)
    with pytest.raises(ZeroDivisionError):
        deque((background.add(lambda: 1 // 0) for _ in range(9)), maxlen=0)
    background.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("tabiya")]


def test_closing_the_background_leaves_what_has_not_begun() -> None:
    work, background = Work(), Background(2)
    for number in range(3):
        background.add(partial(work.task, number))
    threading.Timer(0.05, work.gate.set).start()
    background.close()
    assert len(work.begun) <= 1


def test_what_has_begun_ends_at_its_next_step_when_the_map_is_closed() -> None:
    """Ctrl-C reaches the main thread only, and closes the map there."""
    begun, ended = threading.Event(), []

    def work(item: int) -> int:
        stop_if_cancelled()
        while item:
            begun.set()
            try:
                stop_if_cancelled()
            except Exception:  # noqa: BLE001 - as readers do, which go on with the next record
                continue
            finally:
                ended.append(item)
        return item

    with closing(ordered_map(work, range(3), 2)) as results:
        assert next(results) == 0
        assert begun.wait(10)
    assert ended
    stop_if_cancelled()  # of no effect outside of the map


def test_nonsense() -> None:
    with pytest.raises(UsageError, match="from 1 to 1024, not 0"):
        next(ordered_map(abs, [1], 0))
    with pytest.raises(UsageError, match="from 1 to 1024, not 100000"):
        next(ordered_map(abs, [1], 100_000))
