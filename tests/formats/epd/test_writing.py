"""What is written is EPD: python-chess reads it, and so does tabiya; what EPD cannot hold is counted."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UsageError
from tabiya.game import Annotation, Extra, Game, difference
from tabiya.game.record import Variant
from tests.conftest import ROOT
from tests.formats.epd.test_reading import KINGS, SUITE, read


def write(*games: Game, **options: Any) -> tuple[str, dict[str, int]]:
    stream = io.BytesIO()
    with tabiya.create(stream, format="epd", **options) as writer:
        writer.write(games)
    return stream.getvalue().decode(), {loss.what: loss.count for loss in writer.losses}


def game(fen: str = f"{KINGS} w - - 0 1", **tags: str) -> Game:
    return Game({"SetUp": "1", "FEN": fen, **tags})


def test_the_suite_comes_back() -> None:
    text, losses = write(*read(SUITE.read_bytes()))
    assert not losses
    assert text == SUITE.read_text().replace("bm Rd8#; dm 1", "bm Rd8#; dm 1").replace(
        "acd 18; bm a8=Q+; ce 950", "bm a8=Q+; acd 18; ce 950"
    ).replace("fmvn 2; hmvc 0; draw_offer;", "draw_offer; fmvn 2;")


def test_through_pgn_and_back() -> None:
    pgn = io.BytesIO()
    assert not tabiya.convert(SUITE, pgn, target_format="pgn").losses
    pgn.seek(0)
    epd = io.BytesIO()
    assert not tabiya.convert(pgn, epd, source_format="pgn", target_format="epd").losses
    assert [difference(*pair) for pair in zip(read(epd.getvalue()), read(SUITE.read_bytes()), strict=True)] == [[]] * 6


def test_python_chess_reads_games() -> None:
    chess = pytest.importorskip("chess")
    with tabiya.open(ROOT / "examples" / "classics.pgn") as database:
        games = list(database)
    text, _ = write(*games)
    for line, one in zip(text.splitlines(), games, strict=True):
        board, operations = chess.Board.from_epd(line)
        assert board.fen() == one.start_position.fen()
        moves = [node.uci for node in one.mainline()]
        assert [board.uci(move) for move in operations.get("pv", [])] == moves
        assert operations.get("id") == one.tags.get("Event")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30))
def test_any_text_comes_back(text: str) -> None:
    one = read(f'{KINGS} w - - c0 "x"; pv Kd1;')[0]
    note = one.root.children[0].annotations[0]
    one.root.children[0].annotations = [Annotation(note.kind, text.encode(), side=note.side)]
    line, losses = write(one)
    (again,) = read(line)
    assert not losses
    assert difference(again, one) == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["epd.bm", "epd.am", "epd.operation", "epd.x_1", "epd.Q", "epd.line", "cbh.a", "epd."]),
            st.text('ab ";\\\n1é', max_size=8),
        ),
        max_size=4,
    )
)
def test_any_extras_come_back_or_are_counted(pairs: list[tuple[str, str]]) -> None:
    one = game()
    one.extras = [Extra(key, value.encode()) for key, value in pairs]
    line, losses = write(one)
    (again,) = read(line)
    lost = losses.get("epd-operations", 0) + losses.get("extras", 0)
    assert len(again.extras) + lost == len(pairs)
    assert [extra for extra in one.extras if extra in again.extras] == again.extras
    assert not again.problems


@pytest.mark.parametrize(
    ("fen", "variant", "fields", "lost"),
    [
        (f"{KINGS} w - - 5 9", Variant.STANDARD, f"{KINGS} w - - fmvn 9; hmvc 5;", 0),
        (f"{KINGS}  w - - 0 1", Variant.STANDARD, f"{KINGS} w - -", 1),
        (f"{KINGS} w - -", Variant.STANDARD, f"{KINGS} w - -", 1),
        (f"{KINGS} w - - 00 1", Variant.STANDARD, f"{KINGS} w - -", 1),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Variant.CHESS960, "r3k2r/8/8/8/8/8/8/R3K2R w HAha -", 1),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", Variant.CHESS960, "r3k2r/8/8/8/8/8/8/R3K2R w HAha -", 0),
        ("r2k3r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", Variant.CHESS960, "r2k3r/8/8/8/8/8/8/R2K3R w HAha -", 1),
    ],
)
def test_positions(fen: str, variant: Variant, fields: str, lost: int) -> None:
    one = game(fen)
    one.variant = variant
    line, losses = write(one)
    assert line == f"{fields}\n"
    assert losses == ({"epd-starts": lost} if lost else {})
    assert read(line)[0].variant == variant


def test_chess960_that_does_not_show() -> None:
    one = game()
    one.variant = Variant.CHESS960
    assert write(one) == (f"{KINGS} w - -\n", {"epd-variants": 1})


def test_what_is_lost() -> None:
    one = game(White="A", Event="E", Result="1-0")
    node = one.root.add("Kd1")
    node.annotations.append(Annotation(0x02, b"after"))
    node.annotations.append(Annotation(0x21, b"\0\0\0\0\0\0"))
    one.root.add("Kf1")
    line, losses = write(one)
    assert line == f'{KINGS} w - - id "E"; pv Kd1;\n'
    assert losses == {"variations": 1, "epd-texts": 1, "epd-evaluations": 1, "tags": 1, "results": 1}


def test_empty_tags() -> None:
    one = game(Event="", ECO="")
    line, losses = write(one)
    assert (line, losses) == (f'{KINGS} w - - eco ""; id "";\n', {})
    assert difference(read(line)[0], one) == []


def test_more_than_ten_comments() -> None:
    one = read(f"{KINGS} w - - " + "".join(f"c{number} text{number};" for number in range(10)) + "pv Kd1;")[0]
    first = one.root.children[0]
    first.annotations = [*first.annotations, first.annotations[0]]
    line, losses = write(one)
    assert ('c9 "text9"' in line, losses) == (True, {"epd-texts": 1})


def test_append(tmp_path: Path) -> None:
    path = tmp_path / "a.epd"
    path.write_bytes(f"{KINGS} w - -".encode())
    tabiya.convert(SUITE, path, append=True)
    with tabiya.open(path) as database:
        assert len(database) == 7
    assert path.read_bytes().startswith(f"{KINGS} w - -\n6k1".encode())
    with pytest.raises(UsageError, match="stream"):
        tabiya.convert(SUITE, io.BytesIO(), target_format="epd", append=True)
