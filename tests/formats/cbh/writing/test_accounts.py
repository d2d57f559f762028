"""PGN to a base and back: what differs is what the loss report says, of every kind and to the number."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pyarrow as pa

import tabiya
from tabiya.formats.writer import Writer
from tabiya.game import Annotation, Game, GameBatch
from tests.formats.cbh.accounts import account, told

Samples = Callable[[str], Path]

CORPUS_STEP = int(os.environ.get("TABIYA_CORPUS_STEP", "90"))
"""Each so-manieth game of the corpus is looked at; 1 takes all 186,387, and minutes."""
FILE_STEP = int(os.environ.get("TABIYA_FILE_STEP", "6"))
"""The same for the collection of annotated files, of which then only the first games are taken."""


def counts(writer: Writer) -> Counter[str]:
    return Counter({loss.what: loss.count for loss in writer.losses})


def is_left_out(losses: Counter[str]) -> bool:
    """Whether the report of one game says that the game as a whole is not there."""
    return any(what.startswith("cbh-left-out-") or what == "opaque-records" for what in losses)


def back_through_pgn(base: Path) -> list[Game]:
    """The games of a base, after the way to PGN; as the base has them where that loses something, which is told."""
    there = base.with_suffix(".pgn")
    report = tabiya.convert(base, there, overwrite=True)
    with tabiya.open(base) as old, tabiya.open(there) as new:
        pairs = list(zip(old, new, strict=True))
    losing = [bool(report.losses) and before != after for before, after in pairs]
    assert sum(losing) <= sum(loss.count for loss in report.losses)
    return [before if loses else after for (before, after), loses in zip(pairs, losing, strict=True)]


def wrong(games: list[Game], base: Path) -> Iterator[str]:
    """For each game by itself, what is wrong about its report."""
    reports = []
    with tabiya.create(base, overwrite=True) as writer:
        for game in games:
            before, written = counts(writer), writer.written
            writer.write([game])
            reports.append((counts(writer) - before, writer.written > written))
    found = iter(back_through_pgn(base))
    for game, (losses, written_now) in zip(games, reports, strict=True):
        if not written_now:
            if not is_left_out(losses):
                yield f"game {game.number}: left out without a word"
            continue
        real = account(game, next(found))
        if real != told(losses):
            yield f"game {game.number}: lost {dict(real)}, told {dict(losses)}"
    assert next(found, None) is None


def test_the_whole_corpus(samples: Samples, tmp_path: Path) -> None:
    base = tmp_path / "x.cbh"
    with tabiya.open(samples("pgn/twic-186k-games.pgn.zst")) as source:
        chosen = [GameBatch(_each(batch, CORPUS_STEP)) for batch in source.batches()]
    with tabiya.create(base) as writer:
        writer.write(chosen)
    old = [game for batch in chosen for game in batch.games()]
    new = back_through_pgn(base)
    assert len(old) == len(new) == writer.written > 186_387 // CORPUS_STEP - 1
    real: Counter[str] = Counter()
    for before, after in zip(old, new, strict=True):
        real += account(before, after)
    assert real == told(dict(counts(writer)))


def _each(batch: GameBatch, step: int) -> pa.RecordBatch:
    numbers = batch.record_batch["number"].to_numpy()
    return batch.record_batch.filter(pa.array(numbers % step == 0))


def test_edge_cases(samples: Samples, tmp_path: Path) -> None:
    for path in sorted(samples("pgn/edge").iterdir()):
        with tabiya.open(path) as source:
            assert list(wrong(list(source), tmp_path / "x.cbh")) == [], path.name


def test_annotated_files(samples: Samples, tmp_path: Path) -> None:
    """Variations, comments, clocks, evaluations, set-ups, Chess960, damage: a few games of many files."""
    games: list[Game] = []
    for path in sorted(samples("pgn/annotated").rglob("*.pgn"))[::FILE_STEP]:
        with tabiya.open(path) as source:
            games += source[: 3 if FILE_STEP > 1 else len(source)]
    assert len(games) > 200
    assert list(wrong(games, tmp_path / "x.cbh")) == []


def game_of(text: str) -> Game:
    with tabiya.open(BytesIO(text.encode())) as games:
        return games[0]


def test_what_is_not_told_is_found() -> None:
    """The account itself: whatever changes is seen."""
    before = game_of('[White "A"]\n[Result "1-0"]\n\n1. e4 $1 {text} e5 1-0')
    assert account(before, before) == Counter()
    for after, what in (
        ('[White "B"]\n[Result "1-0"]\n\n1. e4 $1 {text} e5 1-0', "cbh-names or cbh-spellings"),
        ('[White "A"]\n[Result "0-1"]\n\n1. e4 $1 {text} e5 0-1', "results or cbh-results"),
        ('[White "A"]\n[Result "1-0"]\n\n1. e4 $1 {text} c5 1-0', "unexplained moves"),
        ('[White "A"]\n[Result "1-0"]\n\n1. e4 $1 {Text} e5 1-0', "unexplained annotations"),
        ('[White "A"]\n[Result "1-0"]\n\n1. e4 {text} e5 1-0', "unexplained loss of annotation 0x03"),
        ('[White "A"]\n[Opening "x"]\n[Result "1-0"]\n\n1. e4 $1 {text} e5 1-0', "unexplained tag Opening"),
    ):
        assert what in account(before, game_of(after))
    late = game_of('[White "A"]\n[Result "1-0"]\n\n1. e4 $1 {text} e5 1-0')
    late.annotations.append(Annotation(0x02, b"whole"))
    assert account(before, late) == Counter({"unexplained annotations": 1})
