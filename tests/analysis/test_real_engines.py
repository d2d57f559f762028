"""Engines that Debian has. Their numbers differ from version to version, so tests look at what must be true of all."""

from __future__ import annotations

import os

import pytest

from tabiya import Engine, EngineError, Position
from tests.analysis.engines import system_engine
from tests.systems import POSIX

ENGINES = ["stockfish", "ethereal-chess", "glaurung"]
MATE_IN_ONE = Position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
BLACK_MATES = Position("4r1k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1")


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine(name: str) -> None:
    path = system_engine(name)
    with Engine(path) as engine:
        assert engine.options["Hash"].type == "spin"
        engine.set_options({"Hash": 8})
        found = engine.analyse(Position(), depth=6)
        assert found.best in Position().legal_moves()
        assert abs(found.evaluation.value) < 200
        assert found.lines[0].san
        mate = engine.analyse(MATE_IN_ONE, depth=6)
        assert (mate.evaluation.is_mate, mate.evaluation.value) == (True, 1)
        assert mate.lines[0].san[0] == "Ra8#"
        mate = engine.analyse(BLACK_MATES, depth=6)
        assert (mate.evaluation.is_mate, mate.evaluation.value) == (True, -1)
        if "MultiPV" in engine.options:
            lines = engine.analyse(Position(), depth=5, lines=3).lines
            assert len({line.moves[0] for line in lines}) == 3
        if "UCI_Chess960" in engine.options:
            start = Position.chess960_start(0)
            assert engine.analyse(start, depth=5).best in start.legal_moves()
        engine.new_game()
        with engine.search(Position()) as search:
            for line in search:
                if line.depth >= 4:
                    search.stop()
            assert search.result().best in Position().legal_moves()
    if POSIX:  # on Windows, this would send a signal
        with pytest.raises(ProcessLookupError):
            os.kill(engine.pid, 0)


def test_stockfish_at_fixed_nodes() -> None:
    """One thread, a new game and a number of nodes: always the same answer."""
    results = []
    for _ in range(2):
        with Engine(system_engine("stockfish"), options={"Threads": 1, "Hash": 16}) as engine:
            found = engine.analyse(Position(), nodes=20_000, lines=2)
            results.append([(line.evaluation, line.moves, line.wdl) for line in found.lines])
            assert found.nodes >= 20_000
    assert results[0] == results[1]
    assert all(wdl is not None and sum(wdl) == 1000 for _, _, wdl in results[0])


def test_stockfish_with_searchmoves_and_castling() -> None:
    castling = Position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    with Engine(system_engine("stockfish")) as engine:
        found = engine.analyse(castling, depth=4, searchmoves=["O-O"])
        assert (found.lines[0].san[0], found.lines[0].uci[0]) == ("O-O", "e1g1")
        chess960 = Position("4k3/8/8/8/8/8/8/4K2R w K - 0 1", chess960=True)
        found = engine.analyse(chess960, depth=4, searchmoves=["O-O"])
        assert (found.lines[0].san[0], found.lines[0].uci[0]) == ("O-O", "e1h1")


def test_a_program_for_another_protocol() -> None:
    with pytest.raises(EngineError, match=r"does not speak UCI|ended"):
        Engine(system_engine("fairymax"), timeout=1)
