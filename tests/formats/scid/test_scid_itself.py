"""Scid is the judge: it opens what tabiya writes, exports the same games, and finds the same ones as in its own base.

Scid 4.7.4 is the program ``tkscid`` of Debian's package; TABIYA_SCID names Scid 5, built as a shell without windows.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

import tabiya
from tabiya.game import Game, Side, difference
from tests.conftest import IN_CI

OLD = shutil.which("tkscid") or (Path("/usr/games/tkscid") if Path("/usr/games/tkscid").exists() else None)
NEW = os.environ.get("TABIYA_SCID")
KINDS = {"4.7.4": (".si4", ""), "5, si4": (".si4", "SCID4"), "5, si5": (".si5", "SCID5")}
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2",
)
SCRIPT = """
proc ::progressCallBack {{args}} {{}}
set base [sc_base open {kind} {{{base}}}]
catch {{sc_base switch $base}}
puts "games [sc_base numGames $base]"
sc_filter reset $base dbfilter full
sc_base export filter PGN {{{export}}} -comments 1 -variations 1
foreach fen {{{fens}}} {{
    sc_game startBoard $fen
    sc_filter reset $base dbfilter full
    sc_filter search $base dbfilter board dbfilter
    puts "position [sc_filter count $base dbfilter]"
}}
set pieces {{-flip 0 -filter 2 -range {{1 999}} -length 1 -wm {{0 9}} -bm {{0 9}}}}
foreach man {{wr br wb bb wn bn}} {{ lappend pieces -$man {{0 3}} }}
foreach search {{
    {{sc_filter search $base dbfilter header -filter RESET -white {{Player 1}}}}
    {{sc_filter search $base dbfilter header -filter RESET -result {{1-0 1 0 0 0}}}}
    {{sc_filter search $base dbfilter header -filter RESET -date {{1800.01.01 1900.12.31}}}}
    {{sc_search material -wq {{0 0}} -bq {{0 2}} -wp {{0 8}} -bp {{0 8}} {{*}}$pieces}}
    {{sc_search material -wq {{0 2}} -bq {{0 2}} -wp {{0 6}} -bp {{0 7}} {{*}}$pieces}}
}} {{
    sc_filter reset $base dbfilter full
    eval $search
    puts "search [sc_filter count $base dbfilter]"
}}
"""
IMPORT = """
proc ::progressCallBack {{args}} {{}}
set base [sc_base create {kind} {{{base}}}]
sc_base import $base {{{pgn}}}
sc_base close $base
"""


def program(name: str) -> Path:
    found = OLD if name == "4.7.4" else NEW
    if found is not None:
        return Path(found)
    what = "Debian's package scid is missing" if name == "4.7.4" else "TABIYA_SCID does not name Scid 5"
    if IN_CI:
        pytest.fail(what, pytrace=False)
    pytest.skip(f"SKIPPED: this test did not run; it did not pass: {what}")


def run(scid: Path, script: str, folder: Path) -> list[str]:
    path = folder / "script.tcl"
    path.write_text(script, "utf-8")
    done = subprocess.run([scid, path], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return [
        line.strip() for line in done.stdout.splitlines() if line.split()[:1] in (["games"], ["position"], ["search"])
    ]


def random_games(count: int) -> list[Game]:
    choose = random.Random(18)
    games = []
    for number in range(count):
        game = Game(
            {
                "Event": f"Event {number % 7}",
                "Site": "Göteborg",
                "Date": f"{1850 + number}.05.{1 + number % 28:02}",
                "Round": str(number % 9),
                "White": f"Player {number % 5}",
                "Black": f"Pláyer {number % 6}",
                "Result": choose.choice(["1-0", "0-1", "1/2-1/2", "*"]),
                "WhiteElo": str(2000 + number),
                "ECO": "B12a1",
                "Opening": "x" * (number % 100),
            }
        )
        node = game.root
        for ply in range(choose.randrange(90)):
            moves = list(node.position.legal_moves())
            if not moves:
                break
            chosen = choose.sample(moves, min(2, len(moves)))
            before, node = node, node.add(chosen[0])
            if choose.random() < 0.1 and len(chosen) > 1:
                before.add(chosen[1]).text = f"instead of move {ply}"
            if choose.random() < 0.1:
                node.text = f"at move {ply}, schön"
            if choose.random() < 0.1:
                node.nags = [choose.choice([1, 2, 6, 14, 19, 140])]
        games.append(game)
    return games


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_scid_reads_exports_and_finds(kind: str, tmp_path: Path) -> None:
    scid, (suffix, codec) = program(kind), KINDS[kind]
    with tabiya.open("examples/classics.pgn") as classics:
        games = [*classics, *random_games(150)]
    for game in games:  # what stands behind a result has no place that another reader of Scid's PGN would know
        game.root.annotations = [each for each in game.root.annotations if each.side is not Side.LATE]
    ours = tmp_path / f"ours{suffix}"
    with tabiya.create(ours, overwrite=True) as writer:
        writer.write(games)
    fens = " ".join(f"{{{fen}}}" for fen in POSITIONS)
    export = tmp_path / "ours.pgn"
    output = run(scid, SCRIPT.format(kind=codec, base=ours.with_suffix(""), export=export, fens=fens), tmp_path)
    assert output[0] == f"games {len(games)}"
    with tabiya.open(ours) as base, tabiya.open(export) as exported:
        for found, expected in zip(exported, base, strict=True):
            assert difference(_told(found), _told(expected)) == []
    # Its own base of the same games answers the same questions alike.
    own = tmp_path / "own"
    run(scid, IMPORT.format(kind=codec, base=own, pgn=export), tmp_path)
    again = SCRIPT.format(kind=codec, base=own, export=tmp_path / "own.pgn", fens=fens)
    assert run(scid, again, tmp_path) == output
    assert (tmp_path / "own.pgn").read_bytes() == export.read_bytes()
    counts = [int(line.split()[1]) for line in output]
    assert all(count > 0 for count in counts), output
    assert counts[-1] < len(games)


def test_scid_survives_the_longest_names_and_tags(kind: str, tmp_path: Path) -> None:
    """It exports through a buffer of 256 bytes; its importer leaves out what is almost as long."""
    scid, (suffix, codec) = program(kind), KINDS[kind]
    ours, export = tmp_path / f"ours{suffix}", tmp_path / "ours.pgn"
    longer = Game(
        {"White": "w" * 999, "Event": "é" * 999, "Foo": "z" * 999, "Annotator": "a" * 999, "N" * 240: "v" * 9}
    )
    with tabiya.create(ours) as writer:
        writer.write([longer, Game({"White": "w" * 244, "Site": "s" * 244, "Foo": "z" * 246})])
    output = run(scid, SCRIPT.format(kind=codec, base=ours.with_suffix(""), export=export, fens=""), tmp_path)
    assert output[0] == "games 2"
    with tabiya.open(ours) as base, tabiya.open(export) as exported:
        for found, expected in zip(exported, base, strict=True):
            assert difference(_told(found), _told(expected)) == []


def _told(game: Game) -> Game:
    """A game without what Scid does not export: empty names, marks of deletion, its flags."""
    for name in {name for name, text in game.tags.items() if not text}:
        del game.tags[name]
    game.deleted = False
    game.extras = []
    return game
