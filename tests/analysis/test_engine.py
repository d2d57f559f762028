"""Engines that behave, and engines that do not: one clear error each, and no process remains."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tabiya import Engine, EngineError, FormatError, MissingFileError, Move, Position, UnsupportedError, UsageError
from tabiya.analysis import pipes
from tabiya.analysis import process as processes
from tabiya.analysis.results import line_of
from tabiya.analysis.uci import parse_info
from tests.analysis.engines import none_remains, scripted
from tests.systems import needs_posix

START = Position()
MATED = Position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
STALEMATE = Position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Engine]]:
    """Starts scripted engines; nothing of them may remain after the test."""

    def begin(mode: str, **options: object) -> Engine:
        return Engine(scripted(mode, tmp_path), **options)  # type: ignore[arg-type]

    yield begin
    gc.collect()
    assert none_remains(tmp_path)


def impatient(engine: Engine, seconds: float = 0.3) -> Engine:
    """An engine with less time for each search; for its start and its preparations it has as much as before."""
    conversation = engine._conversation
    patience, synchronize = conversation.timeout, conversation.synchronize

    def unhurried() -> None:
        conversation.timeout = patience
        synchronize()
        conversation.timeout = seconds

    conversation.synchronize = unhurried  # type: ignore[method-assign]
    return engine


# Engines that behave.


def test_an_analysis(start: Callable[..., Engine]) -> None:
    with start("good") as engine:
        found = engine.analyse(START, depth=5)
    assert (engine.name, engine.author) == ("Scripted 1.0", "The tests")
    (line,) = found.lines
    assert found.evaluation.format() == "+0.05/5"
    assert (found.best, found.reply) == (START.parse_san("e4"), Position().play("e4").parse_san("e5"))
    assert (line.san, line.uci) == (("e4", "e5"), ("e2e4", "e7e5"))
    assert (line.wdl, line.depth, line.selective_depth) == ((300, 500, 200), 5, 9)
    assert (found.nodes, found.seconds, found.depth, line.nodes_per_second) == (1000, 0.007, 5, 10)
    assert engine.is_closed


def test_evaluations_are_from_whites_point_of_view(start: Callable[..., Engine]) -> None:
    black = Position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2")
    with start("no-lines") as engine, pytest.raises(EngineError, match="'e2e4', which is not a legal move"):
        engine.analyse(black, depth=1)
    info = parse_info(b"info depth 9 score cp 20 lowerbound wdl 100 200 700 pv d7d5")
    assert info is not None
    line = line_of(black, info)
    assert (line.evaluation.value, line.bound, line.wdl) == (-20, "upper", (700, 200, 100))
    info = parse_info(b"info depth 9 score mate -3 pv d7d5")
    assert info is not None
    assert line_of(black, info).evaluation.format() == "#3/9"


def test_lines_as_they_come_and_a_stop(start: Callable[..., Engine]) -> None:
    with start("good") as engine, engine.search(START) as search:
        depths = []
        for line in search:
            depths.append(line.depth)
            if line.depth == 2:
                search.stop()
                search.stop()
        assert depths == [1, 2, 1, 2, 3]
        assert search.is_over
        assert search.result().depth == 3
        assert search.result() is search.result()
        assert list(search) == []


def test_a_stop_from_another_thread(start: Callable[..., Engine]) -> None:
    with start("good") as engine, engine.search(START) as search:
        next(search)
        thread = threading.Thread(target=search.stop)
        thread.start()
        assert search.result().depth == 3
        thread.join()


def test_a_search_that_is_left_is_stopped(start: Callable[..., Engine]) -> None:
    with start("good") as engine:
        with engine.search(START) as search:
            next(search)
        assert search.is_over
        assert engine.analyse(START, depth=4).depth == 4


def test_one_search_at_a_time(start: Callable[..., Engine]) -> None:
    with start("good") as engine, engine.search(START):
        for call in (lambda: engine.analyse(START, depth=1), engine.new_game, lambda: engine.set_options({"Hash": 2})):
            with pytest.raises(UsageError, match="busy with another search"):
                call()


def test_finished_games_need_no_engine(start: Callable[..., Engine]) -> None:
    with start("crash-in-search") as engine:
        mate, stalemate = engine.analyse(MATED, depth=3), engine.analyse(STALEMATE.fen(), depth=3)
        with engine.search(MATED) as search:
            assert list(search) == []
            assert search.result() == mate
        assert (mate.lines, mate.best, mate.depth, mate.nodes, mate.seconds) == ((), None, 0, 0, 0.0)
        assert (mate.evaluation.format(), stalemate.evaluation.format()) == ("#0", "+0.00")
        assert not engine.is_closed


def test_chess960_and_several_lines_need_their_options(start: Callable[..., Engine]) -> None:
    with start("good") as engine:
        assert engine.analyse(Position.chess960_start(518), depth=2).lines
        assert engine.analyse(START, depth=2, lines=8).lines
        with pytest.raises(UnsupportedError, match="cannot report 9 lines"):
            engine.analyse(START, depth=2, lines=9)
    with start("no-options") as engine:
        with pytest.raises(UnsupportedError, match=r"Scripted 1\.0 cannot play Chess960"):
            engine.analyse(Position.chess960_start(1), depth=2)
        with pytest.raises(UnsupportedError, match="cannot report 2 lines"):
            engine.analyse(START, depth=2, lines=2)
        assert engine.analyse(START, depth=2).lines


def test_searchmoves(start: Callable[..., Engine]) -> None:
    with start("good") as engine:
        assert engine.analyse(START, depth=2, searchmoves=["e4", Move.of(6, 21)]).best == START.parse_san("e4")
        with pytest.raises(FormatError, match="Ke2 is not a legal move"):
            engine.analyse(START, depth=2, searchmoves=["Ke2"])
        with pytest.raises(FormatError, match="is not a legal move"):
            engine.analyse(START, depth=2, searchmoves=[Move.NULL])
        with pytest.raises(EngineError, match="'e2e4', which is not one of the moves to be searched"):
            engine.analyse(START, depth=2, searchmoves=["d4"])


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"depth": 0},
        {"depth": True},
        {"time": 0},
        {"time": float("nan")},
        {"nodes": -1},
        {"nodes": 1.5},
        {"mate": 0},
    ],
)
def test_limits_are_checked(start: Callable[..., Engine], limits: dict[str, Any]) -> None:
    with start("good") as engine, pytest.raises(UsageError, match="limit"):
        engine.analyse(START, **limits)


@pytest.mark.parametrize("lines", [0, 501, True, 1.0])
def test_the_number_of_lines_is_checked(start: Callable[..., Engine], lines: int) -> None:
    with start("good") as engine, pytest.raises(UsageError, match="number of lines"):
        engine.analyse(START, depth=1, lines=lines)


@pytest.mark.parametrize(
    "fen",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    ],
)
def test_impossible_positions_never_reach_an_engine(start: Callable[..., Engine], fen: str) -> None:
    with start("crash-at-position") as engine, pytest.raises(FormatError, match="no engine can analyse"):
        engine.analyse(fen, depth=1)


def test_a_closed_engine(start: Callable[..., Engine]) -> None:
    engine = start("good")
    engine.close()
    engine.close()
    assert repr(engine) == "<Engine Scripted 1.0, closed>"
    for call in (lambda: engine.analyse(START, depth=1), engine.new_game, lambda: engine.set_options({})):
        with pytest.raises(UsageError, match="this engine is closed"):
            call()


@needs_posix
def test_an_engine_that_nobody_closes_ends_with_its_object(start: Callable[..., Engine]) -> None:
    engine = start("good")
    pid = engine.pid
    del engine
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_new_game(start: Callable[..., Engine]) -> None:
    with start("good") as engine:
        engine.new_game()
        assert engine.analyse(START, depth=2).depth == 2


# Options.


def test_options(start: Callable[..., Engine]) -> None:
    with start("odd-options", options={"hash": 64, "STYLE": "solid"}) as engine:
        options = engine.options
        assert (options["Hash"].type, options["Hash"].default, options["Hash"].min, options["Hash"].max) == (
            "spin",
            16,
            1,
            1024,
        )
        assert options["Name with value and name"].default == ""
        assert options["Style"].choices == ("Solid", "Normal play", "Wild default")
        assert options["Style"].default == "Normal play"
        assert options["type"].default is True
        assert options["Clear Hash"].type == "button"
        assert (options["Broken"].default, options["Broken"].min, options["Broken"].max) == (None, None, None)
        assert options.keys().isdisjoint({"Nothing", "NoSuchType", ""})
        engine.set_options({"Clear Hash": None, "type": "off", "Name with value and name": "", "Broken": -3})
        assert engine.analyse(START, depth=1).lines


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Threads", 1, "has no option 'Threads'; it has: Broken, Clear Hash, Hash"),
        ("Hash", 0, "a number from 1 to 1024, not 0"),
        ("Hash", "many", "is a number, not 'many'"),
        ("Hash", True, "is a number, not True"),
        ("Style", "Dull", "one of Solid, Normal play, Wild default, not 'Dull'"),
        ("Style", "Solid\nquit", "is one line"),
        ("Name with value and name", "a\r\nquit", "is one line"),
        ("Name with value and name", 5, "is a text, not 5"),
        ("Clear Hash", "x", "is a button"),
        ("type", "maybe", "is true or false, not 'maybe'"),
        ("multipv", 3, "given with each analysis"),
        ("UCI_Chess960", True, "the rules are those of the position"),
        ("Hash\nquit", 3, "has no option"),
    ],
)
def test_values_are_checked(start: Callable[..., Engine], name: str, value: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        start("odd-options", options={name: value})


# Programs.


def test_a_missing_program() -> None:
    with pytest.raises(MissingFileError, match="no-such-engine: there is no such program") as caught:
        Engine("no-such-engine")
    assert caught.value.path == "no-such-engine"


@pytest.mark.parametrize("command", ["", [], "\0", ["\0"], [""], "'"])
def test_no_program(command: str) -> None:
    with pytest.raises((UsageError, MissingFileError)):
        Engine(command)


@needs_posix
def test_a_program_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "engine"
    file.write_bytes(b"\x7fELF nothing")
    file.chmod(0o755)
    with pytest.raises(EngineError, match="the engine cannot be started: exec format error"):
        Engine(file)


@needs_posix
def test_a_command_with_arguments(tmp_path: Path) -> None:
    words = scripted("good", tmp_path)
    assert processes.command_words(f"{words[0]} 'a b' c")[1:] == ("a b", "c")
    spaced = tmp_path / "my engine"
    spaced.write_text("#!/bin/sh\n")
    spaced.chmod(0o755)
    assert processes.command_words(str(spaced)) == (str(spaced),)
    assert processes.command_words(spaced) == (str(spaced),)


@pytest.mark.parametrize("timeout", [0, -1, 10**6, True, "5"])
def test_the_timeout_is_checked(timeout: float) -> None:
    with pytest.raises(UsageError, match="the timeout of an engine"):
        Engine(scripted("good"), timeout=timeout)


# Engines that misbehave at the start.


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        (
            "crash-at-start",
            "ended with exit code 3 while .* in use; its last message was 'cannot load the network'",
        ),
        ("dies-at-once", "the engine ended while it was in use"),
        ("no-newline", "prints a line without an end"),
        ("chatter-at-start", "has printed 16 MB that UCI does not know"),
        ("endless-options", "more than 1000 options"),
    ],
)
def test_failures_at_the_start(start: Callable[..., Engine], mode: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        start(mode)


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("mute", "does not speak UCI: it has not answered uci with uciok within 0.5 seconds"),
        ("xboard", "does not speak UCI: it has not answered uci with uciok within 0.5 seconds"),
    ],
)
def test_no_answer_at_the_start(start: Callable[..., Engine], mode: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        start(mode, timeout=0.5)


def test_an_engine_that_is_never_ready(start: Callable[..., Engine]) -> None:
    with start("ready-once") as engine:
        engine._conversation.timeout = 0.3
        with pytest.raises(EngineError, match=r"has not answered isready within 0\.3 seconds"):
            engine.new_game()


@needs_posix
def test_an_engine_that_does_not_read(start: Callable[..., Engine]) -> None:
    engine = start("good")
    os.kill(engine.pid, signal.SIGSTOP)
    engine._conversation.timeout = 0.3
    with engine, pytest.raises(EngineError, match=r"has not read its commands for 0\.3 seconds"):
        engine._conversation.send("x" * (1 << 20))


def test_names_that_are_not_utf8(start: Callable[..., Engine]) -> None:
    with start("bad-utf8") as engine:
        assert engine.name == "Sk�k[31m�"
        assert engine.analyse(START, depth=1).lines


def test_errors_without_end_do_not_block(start: Callable[..., Engine]) -> None:
    with start("stderr-flood") as engine:
        assert engine.analyse(START, depth=1).lines


# Engines that misbehave in a search.


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("crash-in-search", "ended with exit code 7 while it was in use; its last message was 'assertion failed'"),
        ("crash-at-position", "ended with exit code 1 while it was in use"),
        ("segfault-in-search", "was ended by SIGSEGV while it was in use"),
        ("nonsense-in-search", "has printed 16 MB that UCI does not know"),
        ("no-newline-in-search", "prints a line without an end"),
        ("closes-stdout", "closed its output while it was in use"),
        ("illegal-move", "answered with 'e2e5', which is not a legal move in rnbqkbnr/"),
        ("null-move", "answered with '0000', which is not a legal move"),
        ("no-move", r"answered with '\(none\)', which is not a legal move"),
        ("empty-move", "answered with '', which is not a legal move"),
        ("no-evaluation", "chose e4 without an evaluation"),
        ("grandchild-crash", "ended with exit code 7"),
    ],
)
def test_failures_in_a_search(start: Callable[..., Engine], mode: str, message: str) -> None:
    with start(mode) as engine:
        with pytest.raises(EngineError, match=message) as caught:
            engine.analyse(START, depth=3)
        assert engine.is_closed
        assert caught.value.path == engine.command[0]
        with pytest.raises(UsageError, match="this engine is closed"):
            engine.analyse(START, depth=3)


@pytest.mark.parametrize(
    ("mode", "limit", "message"),
    [
        ("hang-in-search", {"depth": 5}, "hangs: it has not answered for 0.6 seconds"),
        ("hang-in-search", {"time": 0.1}, "has not stopped within 0.3 seconds"),
        ("ignores-stop", {"time": 0.1}, "has not stopped within 0.3 seconds"),
    ],
)
def test_no_answer_in_a_search(start: Callable[..., Engine], mode: str, limit: dict[str, float], message: str) -> None:
    with impatient(start(mode)) as engine, pytest.raises(EngineError, match=message):
        engine.analyse(START, **limit)  # type: ignore[arg-type]


def test_a_search_that_ignores_its_stop_when_it_is_left(start: Callable[..., Engine]) -> None:
    engine = start("ignores-stop")
    with engine.search(START) as search:
        next(search)
        engine._conversation.timeout = 0.3
    assert engine.is_closed


def test_an_engine_may_think_in_silence(start: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer to isready shows that it is alive."""
    with impatient(start("silent-but-alive")) as engine:
        conversation, pings = engine._conversation, []
        ping = conversation.ping

        def patient_ping() -> None:
            if conversation.timeout < 1:
                pings.append(conversation.timeout)
                conversation.timeout = 20
            ping()

        monkeypatch.setattr(conversation, "ping", patient_ping)
        assert engine.analyse(START, depth=3).depth == 3
    assert pings == [0.3]


def test_an_engine_that_ignores_its_limits_is_stopped(start: Callable[..., Engine]) -> None:
    with start("ignores-limits") as engine:
        found = engine.analyse(START, depth=5)
        assert found.best == START.parse_san("e4")


def test_a_flood_of_reports(start: Callable[..., Engine]) -> None:
    with start("flood") as engine, engine.search(START) as search:
        for count, line in enumerate(search):
            assert line.evaluation.value == 13
            if count == 20_000:
                search.stop()
                break
        assert search.result().evaluation.value == 3


def test_two_answers_do_not_confuse_the_next_search(start: Callable[..., Engine]) -> None:
    with start("two-answers") as engine:
        for _ in range(5):
            assert engine.analyse(START, depth=2).best == START.parse_san("e4")


def test_wrong_numbers_of_lines(start: Callable[..., Engine]) -> None:
    with start("wrong-multipv") as engine:
        found = engine.analyse(START, depth=4, lines=3)
    assert [(line.san, line.evaluation.value) for line in found.lines] == [(("Nf3",), 3), (("d4", "d5"), 4)]


def test_lines_end_before_illegal_moves(start: Callable[..., Engine]) -> None:
    with start("illegal-lines") as engine, engine.search(START, depth=4) as search:
        lines = list(search)
        found = search.result()
    assert [line.san for line in lines] == [("e4", "e5")]
    assert found.lines == tuple(lines)
    assert found.reply is None


def test_huge_scores_fit_an_evaluation(start: Callable[..., Engine]) -> None:
    with start("huge-scores") as engine:
        first, second = engine.analyse(START, depth=4, lines=2).lines
    assert first.evaluation.format() == "-320.00/1000"
    assert second.evaluation.format() == "#1000"


def test_exact_scores_are_preferred(start: Callable[..., Engine]) -> None:
    with start("bounds") as engine:
        first, second = engine.analyse(START, depth=9, lines=2).lines
    assert (first.evaluation.format(), first.bound) == ("+0.20/8", "")
    assert (second.evaluation.format(), second.bound) == ("+0.10/9", "upper")


def test_lines_that_are_cut_short_keep_their_end(start: Callable[..., Engine]) -> None:
    """Of an earlier report, as far as the last one agrees with it."""
    with start("cut-lines") as engine:
        first, second = engine.analyse(START, depth=8, lines=2).lines
    assert (first.san, first.evaluation.format()) == (("e4", "e5", "Nf3", "Nc6"), "+0.24/7")
    assert (second.san, second.evaluation.format()) == (("d4", "Nf6"), "+0.23/7")


def test_an_evaluation_without_moves_is_that_of_the_best_move(start: Callable[..., Engine]) -> None:
    with start("no-lines") as engine:
        assert engine.analyse(START, depth=5).lines[0].san == ("e4",)


# The end.


@pytest.mark.parametrize(
    "mode", ["good", "dies-in-quit", "hangs-in-quit", "chatter-in-quit", "signals", "grandchild", "closes-stdout"]
)
def test_nothing_remains(start: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    engine = start(mode)
    monkeypatch.setattr(engine._conversation._process, "end", lambda patience: _end(engine, min(patience, 0.2)))
    engine.close()
    assert engine.is_closed


def _end(engine: Engine, patience: float) -> None:
    processes.EngineProcess.end(engine._conversation._process, patience)


def test_an_interrupt_ends_the_engine_at_once(start: Callable[..., Engine]) -> None:
    class Interrupt(BaseException):
        pass

    engine = start("ignores-stop")
    with pytest.raises(Interrupt), engine, engine.search(START):
        raise Interrupt
    assert engine.is_closed


def test_another_thread_may_close_an_engine(start: Callable[..., Engine]) -> None:
    engine = start("ignores-stop")
    with engine.search(START) as search:
        next(search)
        thread = threading.Thread(target=engine._conversation.close, args=(0.2,))
        thread.start()
        with pytest.raises((UsageError, EngineError)):
            search.result()
        thread.join()


WAYS: dict[str, tuple[Callable[..., pipes.Reader], Callable[..., pipes.Writer]]] = {
    "polled": (pipes.PolledReader, pipes.PolledWriter),
    "threaded": (pipes.ThreadedReader, pipes.ThreadedWriter),
}
"""How to use the pipes of a process. Systems that cannot wait for a pipe need threads."""


@pytest.fixture(params=[pytest.param(way, marks=needs_posix if way == "polled" else ()) for way in WAYS])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., pipes.Writer]:
    reader, writer = WAYS[request.param]
    monkeypatch.setattr(processes, "reader_of", reader)
    monkeypatch.setattr(processes, "writer_of", writer)
    return writer


def test_a_pipe_that_nobody_reads(way: Callable[..., pipes.Writer]) -> None:
    """Writing does not take longer than it may; when the reader is gone, it is an error."""
    ours, theirs = os.pipe()
    with os.fdopen(ours, "rb", buffering=0) as reader:
        writer = way(os.fdopen(theirs, "wb", buffering=0))
        assert writer.write(b"a" * 10, 10)
        assert reader.read(10) == b"a" * 10
        assert not writer.write(b"b" * (1 << 20), 0.01)
        assert not writer.write(b"c" * (1 << 20), 0)
    with pytest.raises((OSError, ValueError)):
        writer.write(b"d", 10)
    writer.close()
    writer.close()
    with pytest.raises((OSError, ValueError)):
        writer.write(b"e", 10)


def test_the_input_of_a_process_ends_with_its_writer(way: Callable[..., pipes.Writer]) -> None:
    ours, theirs = os.pipe()
    writer = way(os.fdopen(theirs, "wb", buffering=0))
    assert writer.write(b"quit", 10)
    writer.close()
    with os.fdopen(ours, "rb") as reader:
        assert reader.read() == b"quit"


def test_a_writer_that_nobody_closes_ends_its_thread() -> None:
    ours, theirs = os.pipe()
    writer = pipes.ThreadedWriter(os.fdopen(theirs, "wb", buffering=0))
    del writer
    gc.collect()
    with os.fdopen(ours, "rb") as reader:
        assert reader.read() == b""


@pytest.mark.usefixtures("way")
def test_both_ways_to_use_pipes(start: Callable[..., Engine]) -> None:
    with start("good") as engine:
        assert engine.analyse(START, depth=5).depth == 5
    with impatient(start("hang-in-search")) as engine, pytest.raises(EngineError, match="hangs"):
        engine.analyse(START, depth=5)
    with start("crash-in-search") as engine, pytest.raises(EngineError, match="exit code 7"):
        engine.analyse(START, depth=5)
    with start("flood") as engine, engine.search(START, time=0.1) as search:
        assert next(search).evaluation.value == 13


@needs_posix
def test_a_process_that_leaves_its_group_does_not_block(tmp_path: Path) -> None:
    """It holds the pipes open, and no one else can end it."""
    engine = Engine(scripted("deserter", tmp_path))
    engine.close()
    os.kill(int((tmp_path / "deserter").read_text("utf-8")), signal.SIGKILL)
    assert none_remains(tmp_path)
