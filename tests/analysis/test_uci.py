"""Lines of engines as values: what they say, and that no line raises an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.analysis.limits import Limit
from tabiya.analysis.results import legal_line, line_of
from tabiya.analysis.uci import Info, parse_best_move, parse_info
from tabiya.chess import Position
from tabiya.errors import UsageError

KNOWN = b"info depth seldepth multipv score cp mate lowerbound upperbound wdl nodes nps hashfull tbhits time pv string"
OTHER = b"currmove refutation e2e4 e7e5 g1f3 0000 -1 0 1 7 300 99999999999999999999 - +5 \xff bestmove ponder"
WORDS = st.sampled_from(KNOWN.split() + OTHER.split())
LINES = st.lists(WORDS | st.binary(max_size=8), max_size=30).map(b" ".join)


def test_a_line_of_stockfish() -> None:
    line = (
        b"info depth 12 seldepth 15 multipv 2 score cp -16 wdl 20 976 4 nodes 100044 nps 523790 hashfull 33 tbhits 7 "
        b"time 191 pv d2d4 d7d5 c2c4\r"
    )
    assert parse_info(line) == Info(
        12, 15, 2, 100044, 191, 523790, 33, 7, -16, None, "", (20, 976, 4), (b"d2d4", b"d7d5", b"c2c4")
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"info depth 5 currmove e2e4 currmovenumber 1", Info(5)),
        (b"info score mate -3 upperbound nodes 9 pv e7e8q", Info(nodes=9, mate=-3, bound="upper", moves=(b"e7e8q",))),
        (b"info score lowerbound cp 5", Info(centipawns=5, bound="lower")),
        (b"info score cp 5 mate 2", Info(mate=2)),
        (b"info pv e2e4 e7e5 score cp 3", Info(centipawns=3, moves=(b"e2e4", b"e7e5"))),
        (b"info string score cp 5 depth 7", Info()),
        (b"info depth score cp x wdl 1 2 nodes", Info()),
        (b"info wdl 2000 0 0 depth 3", Info(3)),
        (b"info depth -5 multipv x", Info()),
        (b"info", Info()),
    ],
)
def test_reports(line: bytes, expected: Info) -> None:
    assert parse_info(line) == expected


@pytest.mark.parametrize("line", [b"", b"information depth 5", b"bestmove e2e4", b"\xff\xfe", b"  "])
def test_other_lines_are_no_reports(line: bytes) -> None:
    assert parse_info(line) is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"bestmove e2e4 ponder e7e5", (b"e2e4", b"e7e5")),
        (b"bestmove e2e4\r", (b"e2e4", b"")),
        (b"bestmove e2e4 draw yes", (b"e2e4", b"")),
        (b"bestmove", (b"", b"")),
        (b"best e2e4", None),
        (b"", None),
    ],
)
def test_decisions(line: bytes, expected: tuple[bytes, bytes] | None) -> None:
    assert parse_best_move(line) == expected


@given(LINES)
def test_no_line_raises_an_error(line: bytes) -> None:
    parse_best_move(line)
    info = parse_info(b"info " + line)
    assert info is not None
    if info.has_score:
        found = line_of(Position(), info)
        assert found.moves == legal_line(Position(), info.moves)
        found.evaluation.format()
        assert len(found.san) == len(found.uci) == len(found.moves)


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (Limit(depth=18), "depth 18"),
        (Limit(time=0.5, nodes=9), "nodes 9 movetime 500"),
        (Limit(mate=3, time=0.0001), "mate 3 movetime 1"),
        (Limit(), "infinite"),
    ],
)
def test_limits(limit: Limit, words: str) -> None:
    assert limit.words() == words
    assert limit.is_endless == (words == "infinite")


def test_limits_that_an_engine_ignores() -> None:
    assert [Limit(depth=5).is_exceeded(depth, 10**12) for depth in (5, 7, 8)] == [False, False, True]
    assert [Limit(nodes=10**6).is_exceeded(99, nodes) for nodes in (2 * 10**6, 10**9)] == [False, True]
    with pytest.raises(UsageError, match="the limit depth must be a number from 1 to 1000, not 0"):
        Limit(depth=0)
