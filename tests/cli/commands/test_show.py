from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tabiya.cli.record_dump import dump_lines
from tests.cli.conftest import GAMES, Run
from tests.formats.corpus import batch_of, note
from tests.formats.suite import make_batches_tiny


def test_a_game(run: Run, games: Path) -> None:
    lines = run("show", games, 1).stdout.splitlines()
    assert lines[0] == '[Event "Paris"]'
    assert "1.e4 e5 2.Nf3 d6 3.d4 Bg4? {A weak move.} (3...exd4 4.Qxd4 (4.Nxd4)) 4.dxe5 Bxf3" in lines
    assert lines[-12:] == [
        "8  r n . q k b n r",
        "7  p p p . . p p p",
        "6  . . . p . . . .",
        "5  . . . . P . . .",
        "4  . . . . P . . .",
        "3  . . . . . b . .",
        "2  P P P . . P P P",
        "1  R N B Q K B . R",
        "   a b c d e f g h",
        "",
        "after 4...Bxf3 (ply 8 of 8), White to move",
        "rn1qkbnr/ppp2ppp/3p4/4P3/4P3/5b2/PPP2PPP/RNBQKB1R w KQkq - 0 5",
    ]


def test_a_ply(run: Run, games: Path) -> None:
    assert run("show", games, 2, "--ply", 0).stdout.splitlines()[-2] == "at the start (ply 0 of 4), White to move"
    assert run("show", games, 2, "--ply", 1).stdout.splitlines()[-2] == "after 1.d4 (ply 1 of 4), Black to move"
    result = run("show", games, 2, "--ply", 5, code=2)
    assert result.stderr == "tabiya: game 2 has 4 half-moves, so there is no ply 5\n"


def test_other_annotations_are_listed(run: Run, records: Path) -> None:
    lines = run("show", records, 2).stdout.splitlines()
    assert "  1...c5: arrows [%cal Gb5d5]" in lines  # squares count from a1 up the file: 0x0d - 1 is b5
    assert "  2.Nf3: unknown (kind 0x99) 6e 6f 62 6f 64 79 20 6b 6e 6f 77 73" in lines


def test_the_clock_of_the_other_side_is_told_from_that_of_the_mover(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text("1. e4 {[%clkb 0:01:00]} e5 {[%clk 0:02:00] a text} *")
    lines = run("show", tmp_path / "a.pgn", 1).stdout.splitlines()
    assert "  1.e4: clocks of Black [%clkb 0:01:00]" in lines
    assert "  1...e5: clocks of Black [%clk 0:02:00]" in lines
    moves = json.loads(run("show", tmp_path / "a.pgn", 1, "--json").stdout)["moves"]
    assert [note["text"] for note in moves[1]["annotations"]] == ["[%clk 0:02:00]", "a text"]


def test_records_that_are_no_games(run: Run, records: Path) -> None:
    assert "42: Editorial\n=============\n\nDear reader\n" in run("show", records, 8).stdout
    assert run("show", records, 9).stdout.splitlines()[-1].startswith("This record could not be decoded")


def test_a_number_that_is_not_there(run: Run, games: Path) -> None:
    assert run("show", games, 4, code=2).stderr == f"tabiya: {games}: there is no record 4: the last is 3\n"
    assert run("show", "-", 4, input=GAMES.encode(), code=2).stderr == "tabiya: there is no record 4: the last is 3\n"


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the records of a stream come in several batches."""
    for tiny in (False, True):
        if tiny:
            make_batches_tiny(monkeypatch)
        for number, event in enumerate(["Paris", "Candidates", "Blitz"] * 2, start=1):
            shown = run("show", "-", number, input=GAMES.encode() * 2).stdout
            assert shown.startswith(f'[Event "{event}"]\n')
        complaint = run("show", "-", 7, input=GAMES.encode() * 2, code=2).stderr
        assert complaint == "tabiya: there is no record 7: the last is 6\n"


def test_json(run: Run, games: Path) -> None:
    game = json.loads(run("show", games, 1, "--ply", 2, "--json").stdout)
    assert game["number"] == 1
    assert game["kind"] == "game"
    assert {"name": "Opening", "value": "Philidor"} in game["tags"]
    assert game["fen"] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"
    moves = game["moves"]
    assert [move["san"] for move in moves[5:10]] == ["Bg4", "exd4", "Qxd4", "Nxd4", "dxe5"]
    assert [move["parent"] for move in moves] == [-1, 0, 1, 2, 3, 4, 4, 6, 6, 5, 9]
    assert moves[5]["nags"] == [2]
    assert moves[5]["text"] == "A weak move."
    assert moves[0]["uci"] == "e2e4"
    damaged = json.loads(run("show", games, 3, "--json").stdout)
    assert damaged["problems"][0]["offset"] > 0


def test_svg(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "board.svg"
    assert run("show", games, 1, "--svg", target).output == ""
    picture = target.read_text("utf-8")
    assert ET.fromstring(picture).tag.endswith("svg")
    assert run("show", games, 1, "--svg", "-").stdout.strip() == picture
    assert "already exists" in run("show", games, 2, "--svg", target, code=2).stderr
    run("show", games, 2, "--svg", target, "--force")
    assert target.read_text("utf-8") != picture


def test_dump(run: Run, records: Path) -> None:
    lines = run("show", records, 2, "--dump").stdout.splitlines()
    for line in (
        "number: 2",
        "kind: 0 (game)",
        "white_elo: 2801",
        "result: 3 (draw)",
        "eco: null",
        "  'Опис': 'ö'",
        "moves: 14",
        "      0  0x070c  e2e4   move 0",
        "      2  0x8000  (",
        "  move 0, side 1 (before), kind 0x82 (texts before moves), lang 0",
        "  move 1, side 0 (after), kind 0x100 (lists of NAGs), lang 0",
        "    text: '[%cal Gb5d5]'",
        "      000000  0e 00 01 00 01 00                                ......",
    ):
        assert line in lines
    assert ", offset 1234: 'a variant that tabiya does not know'" in run("show", records, 9, "--dump").stdout
    assert "  'full.body'" in run("show", records, 9, "--dump").stdout
    assert "  'Editorial', lang 42, format 0" in run("show", records, 8, "--dump").stdout


@pytest.mark.parametrize("options", [["--dump", "--json"], ["--json", "--svg", "-"]])
def test_options_that_exclude_each_other(run: Run, games: Path, options: list[str]) -> None:
    assert "cannot be combined" in run("show", games, 1, *options, code=2).stderr


def test_dump_needs_nothing_to_make_sense() -> None:
    """Unknown numbers, tokens that are no moves, bytes of any length."""
    row = {
        "variant": 1,
        "result": 77,
        "moves": [0, 0x8000, 0x7FFF, 0x8001, 0x8002, 0x4F34],
        "annotations": [
            note(5, 0x99, bytes(range(0x1E, 0x2F)), side=9, lang=7, raw=b""),
            note(0, 0x02, b"\x7e\x7f\xff", side=2),
        ],
        "texts": [{"lang": 1, "title": "t", "format": 3, "body": b"b", "formatting": None}],
        "problems": [{"code": 5, "offset": None, "text": "x"}, {"code": 6, "offset": 0, "text": ""}],
    }
    lines = list(dump_lines(batch_of([row])))
    assert lines[0] == "number: 1"
    assert {"kind: 0 (game)", "variant: 1 (chess960)", "result: 77 (unknown)", "white: null", "tags: 0"} <= set(lines)
    place = lines.index("moves: 6")
    assert lines[place + 1 :] == [
        "      0  0x0000  0000   move 0",
        "      1  0x8000  (",
        "      2  0x7fff  ?      move 1",
        "      3  0x8001  )",
        "      4  0x8002  ?",
        "      5  0x4f34  e7e8q  move 2",
        "annotations: 2",
        "  move 5, side 9 (unknown), kind 0x99 (unknown), lang 7",
        "    data: 17 bytes",
        "      000000  1e 1f 20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d  .. !\"#$%&'()*+,-",
        "      000010  2e                                               .",
        "    raw: 0 bytes",
        "  move 0, side 2 (late), kind 0x02 (texts after moves), lang 0",
        "    text: '~\\x7f\ufffd'",
        "    data: 3 bytes",
        "      000000  7e 7f ff                                         ~..",
        "texts: 1",
        "  't', lang 1, format 3",
        "    body: 1 bytes",
        "      000000  62                                               b",
        "extras: 0",
        "problems: 2",
        "  code 5, offset null: 'x'",
        "  code 6, offset 0: ''",
    ]
