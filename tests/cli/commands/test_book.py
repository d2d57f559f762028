"""``tabiya book``: what it prints, and how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from tabiya.books import Entry, Ratings, Recommendation, create_book
from tabiya.chess import Position
from tests.books.books_corpus import GAMES as BOOK_GAMES
from tests.books.books_corpus import random_lines, write_lines
from tests.cli.conftest import Run

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.fixture
def ctg(tmp_path: Path) -> Path:
    path = tmp_path / "book.ctg"
    e4, d4 = (Position().parse_san(move) for move in ("e4", "d4"))
    with create_book(path) as writer:
        writer.add(
            Position(),
            [
                Entry(
                    move=e4,
                    weight=0,
                    games=1234,
                    wins=600,
                    draws=400,
                    losses=200,
                    ratings=Ratings(10, 24500),
                    opponents=Ratings(10, 24000),
                    nag=3,
                    recommendation=Recommendation.MAIN,
                    comment=14,
                ),
                Entry(move=d4, weight=0, games=4, wins=0, draws=0, losses=4, nag=6),
            ],
        )
    return path


@pytest.fixture
def book_games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(BOOK_GAMES * 3, "utf-8")
    return path


def test_show_prints_a_table(run: Run, ctg: Path) -> None:
    lines = run("book", "show", ctg).stdout.splitlines()
    assert lines == [
        f"{ctg}: ChessBase CTG, 3 positions",
        START,
        "move  games  score                  +    =    -   Elo  perf  weight  marks",
        "e4!!  1,234  66.7%  ██████▒▒▒▒░░  600  400  200  2450  2520   1,634  main ⩲",
        "d4?!      4   0.0%  ░░░░░░░░░░░░    0    0    4                   0",
    ]


def test_show_takes_moves_and_fens(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    after = Position().play("e4").play("c5")
    with create_book(path) as writer:
        writer.add(after, [Entry(move=after.parse_san("Nf3"), weight=7)])
        writer.add(Position().play("a3"), [Entry(move=Position().play("a3").parse_san("e5"), weight=1)])
    for given in (["e4", "c5"], ["1.e4 c5"], ["e2e4", "c7c5"], [after.fen()]):
        lines = run("book", "show", path, *given).stdout.splitlines()
        assert lines[2:] == ["move  weight", "Nf3        7"]
    assert run("book", "show", path).stdout.splitlines()[2:] == ["not in the book"]
    shown = run("book", "show", path, "--transpositions").stdout.splitlines()
    assert shown[2:] == ["move  weight  marks", "a3         0  transposition"]
    assert "neither a FEN nor a line" in run("book", "show", path, "e5", code=3).stderr


def test_signs_are_those_of_the_informator(run: Run, tmp_path: Path) -> None:
    """The same as in games; a number without a sign stands as it is."""
    path = tmp_path / "signs.ctg"
    place = Position()
    given = {"e4": (8, 36), "d4": (22, 40), "c4": (99, 138), "b4": (None, 99), "f4": (4, None), "a3": (None, None)}
    entries = [
        Entry(move=place.parse_san(san), weight=0, games=3, wins=1, draws=1, losses=1, nag=nag, comment=comment)
        for san, (nag, comment) in given.items()
    ]
    with create_book(path) as writer:
        writer.add(place, entries)
    rows = {line.split("  ")[0]: line.split()[-1] for line in run("book", "show", path).stdout.splitlines()[3:]}
    marks = {"e4□": "↑", "d4⨀": "→", "c4 $99": "⊕", "b4": "$99"}
    assert {move: rows[move] for move in marks} == marks
    assert {"f4??", "a3"} <= set(rows)


def test_show_as_json(run: Run, ctg: Path) -> None:
    shown = json.loads(run("book", "show", ctg, "--json").stdout)
    assert (shown["format"], shown["fen"]) == ("ctg", START)
    first = shown["moves"][0]
    assert (first["san"], first["uci"], first["games"], first["wins"]) == ("e4", "e2e4", 1234, 600)
    assert first["score"] == pytest.approx(2 / 3)
    assert (first["nag"], first["recommendation"], first["comment"]) == (3, 128, 14)


@pytest.mark.parametrize("suffix", [".ctg", ".bin", ".abk"])
def test_build(run: Run, book_games: Path, tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"x{suffix}"
    lossy = suffix == ".abk"
    result = run("book", "build", book_games, target, "--max-ply", 10, code=int(lossy))
    assert f"{18 - 3 * lossy} games with" in result.stderr
    with tabiya.open_book(target) as book:
        assert {Position().san(entry.move) for entry in book.probe(Position())} >= {"e4", "Nf3"}
    assert "already exists" in run("book", "build", book_games, target, code=2).stderr
    report = json.loads(
        run("book", "build", book_games, target, "--force", "--json", "--min-elo", 2300, "--min-games", 1).stdout
    )
    assert (report["games"], report["losses"]) == (3, {})


def test_build_refuses_nonsense(run: Run, book_games: Path, tmp_path: Path) -> None:
    assert (
        "weights must be one of"
        in run("book", "build", book_games, tmp_path / "x.bin", "--weights", "luck", code=2).stderr
    )
    assert "no known book format" in run("book", "build", book_games, tmp_path / "x.txt", code=3).stderr
    assert "no such file" in run("book", "build", tmp_path / "none.pgn", tmp_path / "x.bin", code=3).stderr


def test_convert(run: Run, ctg: Path, tmp_path: Path, book_games: Path) -> None:
    result = run("book", "convert", ctg, tmp_path / "x.bin", code=1)
    assert "(ctg to polyglot): 1 position, 2 moves" in result.stderr
    assert "moves with a recommendation" in result.stderr
    assert run("book", "convert", ctg, tmp_path / "copy.ctg").stderr.endswith("nothing was lost\n")
    assert "would be lost" in run("book", "convert", ctg, tmp_path / "y.bin", "--strict", code=3).stderr
    assert not (tmp_path / "y.bin").exists()
    report = json.loads(run("book", "convert", ctg, tmp_path / "x.pgn", "--json").stdout)
    assert (report["target_format"], report["moves"]) == ("pgn", 2)
    assert "1. e4 $3 $14 { 1234 games, +600 =400 -200, 66.7%, Elo 2450" in (tmp_path / "x.pgn").read_text("utf-8")
    assert "games to polyglot" in run("book", "convert", book_games, tmp_path / "games.bin").stderr


def test_merge(run: Run, tmp_path: Path) -> None:
    one, two = (write_lines(tmp_path / f"{seed}.bin", random_lines(seed, 10)) for seed in (1, 2))
    assert "nothing was lost" in run("book", "merge", one, two, tmp_path / "both.bin").stderr
    assert "there is no target: name it with -o" in run("book", "merge", one, code=2).stderr
    assert "is also the source" in run("book", "merge", one, two, two, "--force", code=2).stderr


def test_diff(run: Run, tmp_path: Path) -> None:
    one, two = (write_lines(tmp_path / f"{seed}.bin", random_lines(seed, 10)) for seed in (1, 2))
    assert run("book", "diff", one, one).stderr == "10 positions compared, no differences\n"
    result = run("book", "diff", one, two, "--limit", 1, code=1)
    assert result.stdout.splitlines()[0] == START
    assert "only in the first book" in result.stdout
    assert "stopped there" in result.stderr
    with create_book(tmp_path / "gap.bin") as writer:
        writer.add(Position(), [Entry(move=Position().parse_san("e4"), weight=1)])
        writer.add(Position().play("d4"), [Entry(move=Position().play("d4").parse_san("d5"), weight=1)])
    run("book", "convert", tmp_path / "gap.bin", tmp_path / "gap.abk", code=1)
    alike = run("book", "diff", tmp_path / "gap.bin", tmp_path / "gap.abk", code=1)
    assert alike.stdout == ""
    assert "1 position not compared: known only by" in alike.stderr
    found = json.loads(run("book", "diff", one, two, "--json", code=1).stdout)
    assert len(found) > 10


def test_edit(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    after = Position().play("e4")
    with create_book(path) as writer:
        writer.add(after, [Entry(move=after.parse_san(san), weight=weight) for san, weight in (("e5", 5), ("c5", 4))])
    assert run("book", "edit", path, "e4", "--set", "c5=9", "--set", "e6=1", "--remove", "e5").stderr == (
        f"{path}: 1 move changed, 1 move added, 1 move removed\n"
    )
    assert run("book", "show", path, "e4").stdout.splitlines()[2:] == ["move  weight", "c5         9", "e6         1"]
    run("book", "edit", path, after.fen(), "--set", "c5.learning=3", "-o", tmp_path / "y.bin")
    assert json.loads(run("book", "show", tmp_path / "y.bin", "e4", "--json").stdout)["moves"][0]["learning"] == 3
    before = path.read_bytes()
    for given, words in (
        (["--set", "c5"], "not of the form MOVE=N"),
        (["--set", "c5=much"], "not of the form MOVE=N"),
        (["--set", "c5=main"], "not of the form MOVE=N"),
        (["--set", "c5=" + "9" * 5000], "not of the form MOVE=N"),
        (["--set", "c5=65536"], "from 0 to 65535"),
        (["--set", "c5.games=1"], "stores no games; what can be set: weight, learning"),
        (["--remove", "d5"], "d5 is not in the book"),
        (["--set", "c5=1", "-o", tmp_path / "y.bin"], "already exists"),
        ([], "nothing to change"),
    ):
        assert words in run("book", "edit", path, "e4", *given, code=2).stderr
    assert "not a legal move" in run("book", "edit", path, "e4", "--set", "e4=1", code=3).stderr
    assert path.read_bytes() == before


def test_edit_a_ctg_book(run: Run, ctg: Path) -> None:
    run("book", "edit", ctg, "--set", "d4.recommendation=avoid", "--set", "d4.nag=0", "--set", "d4.games=5")
    shown = json.loads(run("book", "show", ctg, "--json").stdout)["moves"][1]
    assert (shown["san"], shown["recommendation"], shown["nag"], shown["games"]) == ("d4", 64, None, 5)
    assert "ctg books have no weights: name a field" in run("book", "edit", ctg, "--set", "d4=5", code=2).stderr


def test_check_and_repair(run: Run, tmp_path: Path) -> None:
    sound = write_lines(tmp_path / "sound.bin", random_lines(1, 10))
    damaged = tmp_path / "damaged.bin"
    damaged.write_bytes(sound.read_bytes() + b"tail")
    assert run("book", "check", sound).stderr == f"{sound}: no problems\n"
    result = run("book", "check", sound, damaged, code=1)
    assert result.stdout == f"damaged.bin, offset {sound.stat().st_size}: 4 bytes follow the last whole record\n"
    (found,) = json.loads(run("book", "check", damaged, "--json", code=1).stdout)
    assert (found["what"], found["book"]) == ("tail", str(damaged))
    assert run("book", "check", damaged, "--limit", 0, code=1).stdout == ""
    assert "no such file" in run("book", "check", tmp_path / "none.bin", sound, code=3).stderr
    assert "bytes after the last whole record" in run("book", "repair", damaged, tmp_path / "new.bin", code=1).stderr
    assert (tmp_path / "new.bin").read_bytes() == sound.read_bytes()
    report = json.loads(run("book", "repair", sound, tmp_path / "new.bin", "--force", "--json").stdout)
    assert report == {"losses": {}}


def test_the_group_has_help(run: Run) -> None:
    text = run("book", "--help").stdout
    assert all(
        f"  {name} " in text for name in ("show", "build", "convert", "merge", "diff", "edit", "check", "repair")
    )
