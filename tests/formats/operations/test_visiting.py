"""Visitors see what python-chess shows to its own: the same calls in the same order."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

import tabiya
from tabiya import SKIP, GameVisitor, TabiyaError
from tabiya.errors import FormatError, UnsupportedError
from tests.conftest import ROOT, sample_path

Call = tuple[Any, ...]

ANNOTATED = "samples/pgn/annotated"
FILES = (
    "examples/classics.pgn",
    "tests/data/web/annotated.pgn",
    "samples/pgn/twic-small.pgn",
    "samples/pgn/lichess-2025-05.pgn",
    f"{ANNOTATED}/annotated-collections/DHTMLGoodies__pgn__greatgames.pgn",
    f"{ANNOTATED}/chessbase-exports/LTe__lessons__10__1.pgn",
    f"{ANNOTATED}/chessbase-exports/LTe__lessons__13__Obronawegierskaitd.pgn",
    f"{ANNOTATED}/chessbase-exports/Davtonia__games.pgn",
    f"{ANNOTATED}/chess960-variants/yo35__test__resources__pgns__chess960__database.pgn",
    f"{ANNOTATED}/lichess-studies/zavgorodnii__study.pgn",
    f"{ANNOTATED}/lichess-studies/pychess__learn__puzzles__lichess_study_lichess-practice-overloaded-pieces_by_arex_2017.01.31.pgn",
)
MOST_GAMES = 60


class Recorder(GameVisitor[list[Call]]):
    """Notes all calls."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def begin_game(self) -> None:
        self.calls.append(("begin",))

    def visit_header(self, name: str, value: str) -> None:
        self.calls.append(("header", name, value))

    def end_headers(self) -> None:
        self.calls.append(("moves",))

    def visit_position(self, position: tabiya.Position) -> None:
        self.calls.append(("position", position.fen()))

    def visit_move(self, position: tabiya.Position, move: tabiya.Move) -> None:
        self.calls.append(("move", position.fen(), position.uci(move)))

    def visit_nag(self, nag: int) -> None:
        self.calls.append(("nag", nag))

    def visit_comment(self, comment: str) -> None:
        self.calls.append(("comment", comment))

    def begin_variation(self) -> None:
        self.calls.append(("open",))

    def end_variation(self) -> None:
        self.calls.append(("close",))

    def visit_result(self, result: str) -> None:
        self.calls.append(("result", result))

    def end_game(self) -> None:
        self.calls.append(("end",))

    def result(self) -> list[Call]:
        return self.calls


class Forgiving(Recorder):
    def handle_error(self, error: TabiyaError) -> None:
        self.calls.append(("error",))


class Theirs(chess.pgn.BaseVisitor[list[Call]]):
    """The same for python-chess."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def begin_game(self) -> None:
        self.calls.append(("begin",))

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.calls.append(("header", tagname, tagvalue))

    def end_headers(self) -> None:
        self.calls.append(("moves",))

    def visit_board(self, board: chess.Board) -> None:
        self.calls.append(("position", board.fen(en_passant="fen")))

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self.calls.append(("move", board.fen(en_passant="fen"), board.uci(move)))

    def visit_comment(self, comment: str) -> None:
        self.calls.append(("comment", comment))

    def visit_nag(self, nag: int) -> None:
        self.calls.append(("nag", nag))

    def begin_variation(self) -> None:
        self.calls.append(("open",))

    def end_variation(self) -> None:
        self.calls.append(("close",))

    def visit_result(self, result: str) -> None:
        self.calls.append(("result", result))

    def end_game(self) -> None:
        self.calls.append(("end",))

    def result(self) -> list[Call]:
        return self.calls

    def handle_error(self, error: Exception) -> None:
        self.calls.append(("error",))


def theirs(text: str) -> Iterator[list[Call]]:
    file = io.StringIO(text)
    while (calls := chess.pgn.read_game(file, Visitor=Theirs)) is not None:
        yield calls


COMMAND = re.compile(r"\[%(\w+)\s([^\]]*)\]")
SHARED = {"cal", "clk", "csl", "emt", "eval"}
"""Commands that other programs read. Those of tabiya alone, such as training questions, visitors see as values."""
TEXT = re.compile(r"\[%(?:pre|post)(?::\w+)?\s([^\]]*)\]")
"""Texts as tabiya spells them in PGN; the visitor sees them as texts."""


def comparable(calls: list[Call]) -> list[Call]:
    """What both have in common: the order of tags is free, as that of commands; lines of comments are joined."""
    found: list[Call] = []
    tags = sorted(call for call in calls if call[0] == "header")
    for call in calls:
        if call[0] == "comment" and _parts(call[1]) == ("", []):
            continue
        if call[0] == "comment":
            if found and found[-1][0] == "comment":
                call = ("comment", f"{found.pop()[1]} {call[1]}")
            found.append(call)
        elif call[0] != "header":
            found.append(call)
    return tags + [("comment", *_parts(call[1])) if call[0] == "comment" else call for call in found]


def _parts(comment: str) -> tuple[object, ...]:
    comment = TEXT.sub(r" \1 ", comment)
    found = COMMAND.findall(comment)
    commands = sorted((name, _plain(re.sub(r"[\s+]", "", value))) for name, value in found if name in SHARED)
    return " ".join(COMMAND.sub(" ", comment).split()), commands


def _plain(value: str) -> str:
    """Evaluations always have two decimals; ``7`` is as good."""
    return re.sub(r"(?<=\d)\.?0+$", "", value) if "." in value else value


def path_of(name: str) -> Path:
    return sample_path(name.removeprefix("samples/")) if name.startswith("samples/") else ROOT / name


@pytest.mark.parametrize("name", FILES)
def test_the_calls_are_those_of_python_chess(name: str) -> None:
    path = path_of(name)
    text = path.read_text("utf-8", "replace")
    compared = 0
    for ours, other in zip(tabiya.visit(path, Forgiving), theirs(text), strict=False):
        expected = comparable(other)
        if ("error",) in expected:  # python-chess leaves out the result after an error
            assert ("error",) in ours
            continue
        assert comparable(ours) == expected
        compared += 1
        if compared == MOST_GAMES:
            break
    assert compared


def test_errors_come_where_the_moves_are() -> None:
    text = "1. e4 (1. d4 Zz9 2. c4) 1... e5 2. Ke3 Nc6 *"
    (ours,) = tabiya.visit(io.BytesIO(text.encode()), Forgiving)
    (other,) = theirs(text)
    # python-chess shows the unchanged board after an error, and leaves out the result.
    kept = [call[0] for call in other if call[0] not in ("position", "header")]
    assert [call[0] for call in ours if call[0] not in ("position", "header", "result")] == kept
    assert [call[0] for call in ours][-3:] == ["error", "result", "end"]
    with pytest.raises(FormatError, match=r"not a sequence of legal moves: Zz9 2\. c4"):
        list(tabiya.visit(io.BytesIO(text.encode()), Recorder))


class Headers(GameVisitor[dict[str, str]]):
    """The tags; it does not want moves."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}

    def visit_header(self, name: str, value: str) -> None:
        self.tags[name] = value

    def end_headers(self) -> tabiya.game.Skip:
        return SKIP

    def visit_position(self, position: tabiya.Position) -> None:
        raise AssertionError("no moves are wanted")

    visit_result = visit_comment = visit_position  # type: ignore[assignment]

    def result(self) -> dict[str, str]:
        return self.tags


def test_moves_are_left_out_on_request() -> None:
    with tabiya.open(ROOT / "examples/classics.pgn") as games:
        assert list(tabiya.visit(games, Headers)) == [dict(game.tags.items()) for game in games]
        assert [game.accept(Headers()) for game in games] == [dict(game.tags.items()) for game in games]


def test_some_games_are_left_out() -> None:
    class Wins(Recorder):
        won = False

        def visit_header(self, name: str, value: str) -> None:
            self.won |= (name, value) == ("Result", "1-0")

        def end_headers(self) -> tabiya.game.Skip | None:  # type: ignore[override]
            return None if self.won else SKIP

    with tabiya.open(ROOT / "examples/classics.pgn") as games:
        seen = list(tabiya.visit(games, Wins))
        assert [len(calls) > 2 for calls in seen] == [game.tags["Result"] == "1-0" for game in games]
        assert [calls[:1] + calls[-1:] for calls in seen] == [[("begin",), ("end",)]] * len(games)
        whole = [calls for game, calls in zip(games, seen, strict=True) if game.tags["Result"] == "1-0"]
        expected = [game.accept(Wins()) for game in games if game.tags["Result"] == "1-0"]
        assert whole == expected


def test_a_game_is_left_out_before_its_tags() -> None:
    class Second(Recorder):
        seen = 0

        def begin_game(self) -> tabiya.game.Skip | None:  # type: ignore[override]
            Second.seen += 1
            return None if Second.seen == 2 else SKIP

    found = list(tabiya.visit(ROOT / "examples/classics.pgn", Second))
    assert [len(calls) > 1 for calls in found] == [place == 1 for place in range(len(found))]


def test_variations_are_left_out() -> None:
    class Mainline(Recorder):
        def begin_variation(self) -> tabiya.game.Skip:  # type: ignore[override]
            super().begin_variation()
            return SKIP

    game = tabiya.Game.from_pgn("1. e4 (1. d4 {a} 1... d5 (1... f5 {b})) {c} 1... e5 $1 (1... c5) 2. Nf3 *")
    names = [call[0] for call in game.accept(Mainline())]
    expected = "begin moves position move position open close comment move position nag open close move position"
    assert names == [*expected.split(), "result", "end"]


def test_every_format_is_read(tmp_path: Path) -> None:
    source = ROOT / "tests/data/web/annotated.pgn"
    expected = list(tabiya.visit(source, Forgiving))
    for target in ("games.cbh", "games.jose", "games.parquet"):
        tabiya.convert(source, tmp_path / target)
        found = list(tabiya.visit(tmp_path / target, Forgiving, threads=2))
        assert [[call for call in calls if call[0] in ("move", "open", "close")] for calls in found] == [
            [call for call in calls if call[0] in ("move", "open", "close")] for calls in expected
        ]


def test_records_without_moves() -> None:
    opaque = tabiya.Game({"White": "Tal"})
    opaque.kind = tabiya.game.RecordKind.OPAQUE
    with pytest.raises(UnsupportedError, match="could not be decoded"):
        opaque.accept(Recorder())
    assert [call[0] for call in opaque.accept(Forgiving())] == ["begin", "header", "moves", "error", "end"]
    unset = tabiya.Game({"FEN": "nothing"})
    assert [call[0] for call in unset.accept(Forgiving())] == ["begin", "header", "moves", "error", "end"]


def test_illegal_moves_of_a_game_are_errors() -> None:
    game = tabiya.Game()
    game.root.add_line(["e4", "e5", "Nf3"])
    game.start = tabiya.Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    with pytest.raises(FormatError, match="is not a legal move in"):
        game.accept(Recorder())
    assert [call[0] for call in game.accept(Forgiving())][-5:] == ["move", "position", "error", "result", "end"]


def test_guiding_texts_are_no_games(tmp_path: Path) -> None:
    text = tabiya.Game()
    text.kind = tabiya.game.RecordKind.TEXT
    text.texts = [tabiya.game.GuidingText(0, "Preface", 3, b"<p>x</p>")]
    with tabiya.create(tmp_path / "mixed.cbh") as writer:
        writer.write([text, tabiya.Game.from_pgn("1. e4 *")])
    assert len(list(tabiya.visit(tmp_path / "mixed.cbh", Forgiving))) == 1
    assert len(list(tabiya.visit(tmp_path / "mixed.cbh", Headers))) == 1


def test_deep_variations_need_no_recursion() -> None:
    game = tabiya.Game()
    node = game.root
    for _ in range(3_000):
        for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
            node.add({"Nf3": "Nc3", "Nf6": "Nc6", "Ng1": "a3", "Ng8": "a6"}[move] if not node.children else move)
            node = node.add(move)
    calls = [call[0] for call in game.accept(Recorder())]
    assert calls.count("open") == calls.count("close") == 12_000
    assert calls.count("move") == 24_000


def test_nodes_have_the_typed_values() -> None:
    class Clocks(GameVisitor[list[float | None]]):
        def __init__(self) -> None:
            self.clocks: list[float | None] = []

        def visit_node(self, node: tabiya.Node) -> None:
            self.clocks.append(node.clock)

        def result(self) -> list[float | None]:
            return self.clocks

    game = tabiya.Game.from_pgn("1. e4 {[%clk 0:01:00]} e5 2. Nf3 {[%clk 0:00:58]} *")
    assert game.accept(Clocks()) == [60.0, None, 58.0]
