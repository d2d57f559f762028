"""Games and databases with an engine whose findings are known: what is analysed, and what is written."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.analysis import Notation, analyse, databases
from tabiya.analysis.annotating import _entry
from tabiya.errors import EngineError, TabiyaError, UnsupportedError, UsageError
from tabiya.formats.progress import Progress
from tabiya.game import Game
from tabiya.game.annotations import Evaluation, EvaluationProfile, ProfileEntry
from tests.analysis.engines import none_remains, system_engine

ENGINE = Path(__file__).with_name("counting_engine.py")
QUEEN = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Nf3 Nf6 *"
TWO = f'[White "A"]\n\n{QUEEN}\n\n[White "B"]\n\n1. e4 e5 2. Qh5 g6 *\n'


class Analysing:
    """Runs analyses with the counting engine and remembers what it has searched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.source = folder / "source.pgn"

    def __call__(
        self, games: str | None = None, target: str | None = "target.pgn", *, crash: str = "", **how: Any
    ) -> tabiya.AnalysisReport:
        if games is not None:
            self.source.write_text(games, "utf-8")
        self.log.write_text("")
        how = {"cache": self.folder / "cache.sqlite", "overwrite": True, "depth": 5, **how}
        options = (str(how.pop(name, 0)) for name in ("seconds", "hold"))
        engine = [sys.executable, str(ENGINE), str(self.log), crash, *options]
        where = None if target is None else self.folder / target
        return analyse(self.source, where, engine=engine, **how)

    def searched(self) -> list[str]:
        return self.log.read_text("utf-8").splitlines()

    def games(self, name: str = "target.pgn") -> list[Game]:
        with tabiya.open(self.folder / name) as database:
            return list(database)


@pytest.fixture
def analysing(tmp_path: Path) -> Any:
    yield Analysing(tmp_path)
    assert none_remains(tmp_path)


def evals(game: Game) -> list[str | None]:
    return [None if node.eval is None else node.eval.format() for node in game.mainline()]


def test_a_game(analysing: Analysing) -> None:
    report = analysing(QUEEN)
    (game,) = analysing.games()
    assert evals(game) == ["+0.00/5", "+0.00/5", "+0.00/5", "+1.00/5", "-8.00/5", "-8.00/5", "-8.00/5", "-7.00/5"]
    nodes = list(game.mainline())
    assert [list(node.nags) for node in nodes] == [[], [], [], [6], [4], [], [], []]
    assert [variation.san for variation in nodes[3].variations] == ["a5"]
    assert [variation.san for variation in nodes[4].variations] == ["Qxe5+"]
    (line,) = nodes[4].variations
    assert line.eval == Evaluation(100, depth=5)
    assert line.end().san == "Nxe5"
    assert (report.engine, report.positions, report.searched) == ("Counter 1", 9, 9)
    assert report.changes.changed == 1
    assert report.as_dict()["added"]["evaluations"] == 8


def test_each_position_once_and_never_again(analysing: Analysing) -> None:
    first = analysing(TWO)
    assert len(analysing.searched()) == len(set(analysing.searched())) == 10
    assert (first.positions, first.searched) == (14, 10)
    content = (analysing.folder / "target.pgn").read_bytes()
    second = analysing()
    assert analysing.searched() == []
    assert (second.positions, second.searched, second.changes.changed) == (14, 0, 2)
    assert (analysing.folder / "target.pgn").read_bytes() == content
    third = analysing(content.decode(), "again.pgn")
    assert (third.positions, third.changes.changed) == (0, 0)
    assert (analysing.folder / "again.pgn").read_bytes() == content


@pytest.mark.parametrize("processes", [1, 3])
def test_the_result_does_not_depend_on_processes(analysing: Analysing, processes: int) -> None:
    games = "".join(
        f'[Round "{number}"]\n\n1. {move} e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 bxc6 *\n\n'
        for number, move in enumerate(("e4", "d4", "c4", "a3", "h4"))
    )
    report = analysing(games, processes=processes, cache=None, threads=processes)
    assert report.searched == len(analysing.searched())
    analysing(games, "one.pgn", processes=1, cache=None)
    assert analysing.games() == analysing.games("one.pgn")


def test_what_exists_is_kept(analysing: Analysing) -> None:
    games = "1. e4 { [%eval 0.50] } e5 2. Qh5 Nc6 3. Qxf7+ $5 (3. Qxe5+ { mine }) Kxf7 4. Nf3 $1 Nf6 *"
    analysing(games)
    (game,) = analysing.games()
    nodes = list(game.mainline())
    assert evals(game)[:3] == ["+0.50", "+0.00/5", "+0.00/5"]
    assert [list(node.nags) for node in nodes[4:7]] == [[5], [], [1]]
    assert [(each.san, each.text, each.eval) for each in nodes[4].variations] == [("Qxe5+", "mine", None)]


def test_redo(analysing: Analysing) -> None:
    games = "1. e4 { [%eval 5.50] } e5 $4 $14 2. Qh5 $1 Nc6 $2 3. Qxf7+ $4 Kxf7 *"
    analysing(games, notation=Notation(redo=True, variations=False))
    (game,) = analysing.games()
    assert evals(game) == ["+0.00/5", "+0.00/5", "+0.00/5", "+1.00/5", "-8.00/5", "-8.00/5"]
    assert [list(node.nags) for node in game.mainline()] == [[], [14], [1], [6], [4], []]
    assert analysing(None, "again.pgn", notation=Notation(redo=True, variations=False)).searched == 0


def test_only_what_is_wanted(analysing: Analysing) -> None:
    analysing(QUEEN, notation=Notation(from_ply=5, symbols=False, lines=2))
    (game,) = analysing.games()
    assert evals(game)[:5] == [None] * 4 + ["-8.00/5"]
    assert len(analysing.searched()) == 5
    nodes = list(game.mainline())
    assert all(list(node.nags) == [] for node in nodes)
    assert [variation.san for variation in nodes[4].variations] == ["Qxe5+"], "the next one is the move itself"
    analysing(QUEEN, notation=Notation(variations=False, line_plies=1))
    assert not any(node.variations for node in analysing.games()[0].mainline())


def test_the_length_of_lines(analysing: Analysing) -> None:
    analysing(QUEEN, notation=Notation(line_plies=1))
    (line,) = list(analysing.games()[0].mainline())[4].variations
    assert line.children == ()


def test_evaluations_without_an_engine_are_judged(analysing: Analysing) -> None:
    games = "1. e4 { [%eval 0.3] } e5 { [%eval 0.3] } 2. Ba6 { [%eval -3] } bxa6 { [%eval -3] } *"
    report = analysing(games)
    assert (analysing.searched(), report.positions) == ([], 0)
    assert [list(node.nags) for node in analysing.games()[0].mainline()] == [[], [], [4], []]


def test_finished_games(analysing: Analysing) -> None:
    analysing("1. f3 e5 2. g4 Qh4# 0-1")
    (game,) = analysing.games()
    assert evals(game)[-1] is None
    assert analysing(None, "b.pgn").positions == 4
    assert analysing((analysing.folder / "target.pgn").read_text("utf-8"), "c.pgn").positions == 0


def test_records_that_cannot_be_analysed(analysing: Analysing) -> None:
    games = (
        '[White "illegal"]\n\n1. e4 e5 2. Ke3 *\n\n'
        '[White "variant"]\n[Variant "Atomic"]\n\n1. e4 *\n\n'
        '[White "960"]\n[Variant "Chess960"]\n[SetUp "1"]\n'
        '[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]\n\n1. e4 *\n\n'
        '[White "null"]\n\n1. e4 -- 2. d4 *\n\n'
        '[White "too many"]\n[SetUp "1"]\n[FEN "7k/8/8/8/8/PPPPPPPP/PPPPPPPP/K7 w - - 0 1"]\n\n1. a4 *\n\n'
        '[White "empty"]\n\n*\n'
    )
    report = analysing(games)
    found = {game.white: evals(game) for game in analysing.games()}
    assert found["illegal"] == ["+0.00/5", "+0.00/5"]
    assert found["960"] == ["+0.00/5"]
    assert found["null"] == ["+0.00/5"] * 3
    assert found["too many"] == [None]
    assert (report.skipped, report.refused) == (1, 2)
    assert "no engine can analyse" in report.problem


def test_a_position_that_ends_the_engine(analysing: Analysing) -> None:
    report = analysing(QUEEN, crash="r1bq1bnr/pppp1kpp/2n5/4p3/4P3/8/P")
    (game,) = analysing.games()
    assert evals(game)[5] is None
    assert evals(game)[6] == "-8.00/5"
    assert (report.refused, report.searched) == (1, 8)
    assert "ended with exit code 5" in report.problem
    assert len(analysing.searched()) == 10, "it gets a second chance"


def test_an_engine_that_always_ends(analysing: Analysing) -> None:
    with pytest.raises(EngineError, match="exit code 5"):
        analysing(QUEEN, crash="/")
    assert not (analysing.folder / "target.pgn").exists()


def test_an_engine_that_fails_rarely_is_not_given_up(analysing: Analysing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "_MOST_FAILURES", 0)
    crash = "r1bq1bnr/pppp1kpp/2n5/4p3/4P3/8/P"
    with pytest.raises(EngineError, match="exit code 5"):
        analysing(QUEEN, crash=crash, processes=1, cache=None)
    monkeypatch.setattr(databases, "_TOLERATED_SHARE", 0.5)
    report = analysing(QUEEN, crash=crash, processes=1, cache=None)
    assert (report.refused, report.searched) == (1, 8)


def test_an_engine_that_is_missing(analysing: Analysing) -> None:
    analysing.source.write_text(QUEEN, "utf-8")
    with pytest.raises(TabiyaError, match="there is no such program"):
        analyse(analysing.source, analysing.folder / "target.pgn", engine="no-such-engine")


def test_an_interrupt_keeps_what_is_finished(analysing: Analysing) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.records >= 105:  # 16 searches are over
            raise KeyboardInterrupt

    games = "".join(
        f"1. {first} *\n\n1. {first} {second} *\n\n"
        for first in ("e4", "d4", "c4", "Nf3", "g3", "b3")
        for second in ("e5", "d5", "c5", "Nf6")
    )
    report = analysing(games, processes=1, progress=interrupt, hold=20)
    assert report.interrupted
    assert 0 < report.unfinished < 48
    assert report.unfinished + report.changes.changed == 48
    part = analysing.games()
    done = len(analysing.searched())
    assert len(part) == 48
    report = analysing(None, processes=1, hold=20)
    assert not report.interrupted
    assert report.unfinished == 0
    assert len(analysing.searched()) <= 31 - done + 1, "at most one search was cut short"
    assert all(None not in evals(game) for game in analysing.games())


def test_an_interrupt_before_anything_is_found(analysing: Analysing) -> None:
    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analysing(QUEEN, progress=interrupt, seconds=1)
    assert not (analysing.folder / "target.pgn").exists()


def test_progress(analysing: Analysing) -> None:
    seen: list[Progress] = []
    analysing(TWO, progress=seen.append)
    assert seen[-1] == Progress(14, 1.0)
    assert [each.records for each in seen] == sorted(each.records for each in seen)


def test_progress_counts_every_search(analysing: Analysing, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while positions of the same games still wait for a place in the queue."""
    monkeypatch.setattr(databases, "_RUN", 2)
    monkeypatch.setattr(databases, "_WAITING_RUNS", 0)
    seen: list[int] = []
    analysing(QUEEN, processes=1, progress=lambda progress: seen.append(progress.records))
    assert seen == list(range(10))


def test_in_place(analysing: Analysing) -> None:
    report = analysing(f"{TWO}\n1. a3 a6 *\n", None, in_place=True, numbers=None, overwrite=False)
    assert report.changes.changed == 3
    first = analysing.source.read_bytes()
    assert analysing(None, None, in_place=True, overwrite=False).changes.changed == 0
    assert analysing.source.read_bytes() == first


def test_chessbase_gets_a_profile(analysing: Analysing) -> None:
    analysing("1. f3 e5 2. g4 Qh4# 0-1", "base.cbh")
    (game,) = analysing.games("base.cbh")
    (profile,) = game.root.values_of(EvaluationProfile)
    assert [(entry.type, entry.depth, entry.value) for entry in profile.entries] == [
        *[(0, 5, 0)] * 4,
        (1, 0, 0),
    ]
    assert evals(game)[:3] == ["+0.00/5"] * 3
    analysing(None, "target.pgn", notation=Notation(profile=True))
    assert analysing.games()[0].root.values_of(EvaluationProfile) == [profile]
    analysing(None, "target.pgn")
    assert analysing.games()[0].root.values_of(EvaluationProfile) == []
    analysing(None, "b.cbh", notation=Notation(profile=False))
    assert analysing.games("b.cbh")[0].root.values_of(EvaluationProfile) == []


def test_chessbase_in_place(analysing: Analysing) -> None:
    analysing.source.write_text(TWO, "utf-8")
    tabiya.convert(analysing.source, analysing.folder / "base.cbh")
    analysing.source = analysing.folder / "base.cbh"
    report = analysing(None, None, in_place=True, overwrite=False)
    assert (report.changes.changed, report.changes.noted["profiles"]) == (2, 2)
    assert analysing(None, None, in_place=True, overwrite=False).changes.changed == 0


@pytest.mark.parametrize(
    ("evaluation", "white_moves", "entry"),
    [
        (Evaluation(2, 1, 300), True, ProfileEntry(1, 255, 3)),
        (Evaluation(2, 1, 9), False, ProfileEntry(1, 9, 4)),
        (Evaluation(-1, 1, 9), False, ProfileEntry(1, 9, -1)),
        (Evaluation(-1, 1, 9), True, ProfileEntry(1, 9, -2)),
        (Evaluation(-45, 0, 12), True, ProfileEntry(0, 12, -45)),
        (None, True, ProfileEntry()),
    ],
)
def test_entries_of_a_profile(evaluation: Evaluation | None, white_moves: bool, entry: ProfileEntry) -> None:
    assert _entry(evaluation, white_moves=white_moves) == entry


def test_openings_in_a_database_are_skipped(analysing: Analysing) -> None:
    (analysing.folder / "known.pgn").write_text("1. e4 e5 2. Qh5 *\n\n1. e4 c5 *", "utf-8")
    analysing(QUEEN, book=analysing.folder / "known.pgn")
    (game,) = analysing.games()
    assert evals(game)[:4] == [None, None, None, "+1.00/5"]
    assert len(analysing.searched()) == 6


def test_openings_in_a_book_are_skipped(analysing: Analysing) -> None:
    (analysing.folder / "known.pgn").write_text("1. e4 e5 2. Qh5 *", "utf-8")
    options = tabiya.BuildOptions(min_games=1)
    tabiya.build_book(analysing.folder / "known.pgn", analysing.folder / "book.bin", options=options)
    analysing(QUEEN, book=analysing.folder / "book.bin")
    assert evals(analysing.games()[0])[:4] == [None, None, None, "+1.00/5"]


def test_a_game_that_is_all_book(analysing: Analysing) -> None:
    (analysing.folder / "known.pgn").write_text(QUEEN, "utf-8")
    report = analysing(QUEEN, "base.cbh", book=analysing.folder / "known.pgn")
    assert (report.positions, report.changes.changed) == (0, 0)


@pytest.mark.parametrize(
    "how", [{"dry_run": True}, {"dry_run": True, "in_place": True, "target": None}, {"target": None}]
)
def test_nothing_is_searched_without_a_target(analysing: Analysing, how: dict[str, Any]) -> None:
    report = analysing(QUEEN, **how)
    assert (report.positions, report.searched, analysing.searched()) == (9, 0, [])
    assert not (analysing.folder / "target.pgn").exists()


def test_options_and_depth_have_findings_of_their_own(analysing: Analysing) -> None:
    analysing(QUEEN)
    assert analysing(engine_options={"Hash": 2}).searched == 9
    assert analysing(depth=6).searched == 9
    assert analysing(depth=4).searched == 0
    assert analysing(depth=None).searched == 9, "16 by default"
    assert analysing(depth=None, nodes=100).searched == 9
    assert analysing(depth=None, time=0.01).searched == 9


def test_only_some_records(analysing: Analysing) -> None:
    import numpy as np

    analysing(TWO, numbers=np.array([2]))
    first, second = analysing.games()
    assert (evals(first)[0], evals(second)[0]) == (None, "+0.00/5")


def test_what_makes_no_sense(analysing: Analysing) -> None:
    with pytest.raises(UsageError, match="a stream cannot be analysed"):
        analyse(io.BytesIO(b"1. e4 *"), analysing.folder / "target.pgn", engine=[sys.executable, str(ENGINE), "log"])
    with pytest.raises(UsageError, match="processes must be from 1 to 512"):
        analysing(QUEEN, processes=0)
    with pytest.raises(UsageError, match="from_ply must be a number from 1 to 1000, not 0"):
        Notation(from_ply=0)
    analysing.folder.joinpath("target.pgn").write_text("")
    with pytest.raises(UsageError, match="already exists"):
        analysing(QUEEN, overwrite=False)
    with pytest.raises(UsageError, match="in place or written"):
        analysing(QUEEN, in_place=True)
    with pytest.raises(TabiyaError, match="no known format has this suffix"):
        analysing(QUEEN, "target.xyz")
    tabiya.convert(analysing.source, analysing.folder / "source.bcgn")
    analysing.source = analysing.folder / "source.bcgn"
    with pytest.raises(UsageError, match="formats that can"):
        analysing(None, None, in_place=True, overwrite=False)
    assert analysing.searched() == [], "it is noticed before the work begins"


def test_an_engine_with_one_line_only(analysing: Analysing) -> None:
    analysing.source.write_text(QUEEN)
    engine = [sys.executable, "-IS", str(ENGINE.with_name("scripted_engine.py")), "no-options"]
    with pytest.raises(UnsupportedError, match="cannot report 2 lines"):
        analyse(analysing.source, analysing.folder / "a.pgn", engine=engine, notation=Notation(lines=2))


def test_stockfish_at_fixed_nodes(analysing: Analysing) -> None:
    analysing.source.write_text(QUEEN, "utf-8")
    path = system_engine("stockfish")
    for _ in range(2):
        analyse(analysing.source, analysing.folder / "a.pgn", engine=path, nodes=3000, processes=1, overwrite=True)
        content = (analysing.folder / "a.pgn").read_bytes()
        analyse(analysing.source, analysing.folder / "b.pgn", engine=path, nodes=3000, processes=2, overwrite=True)
        assert (analysing.folder / "b.pgn").read_bytes() == content
    (game,) = analysing.games("a.pgn")
    assert list(next(node for node in game.mainline() if node.san == "Qxf7+").nags) == [4]
