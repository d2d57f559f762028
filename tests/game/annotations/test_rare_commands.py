"""Commands that kernels do not support: the classes convert each different one once, whatever the format."""

from __future__ import annotations

import io
from pathlib import Path
from unittest.mock import patch

import pytest

import tabiya
from tabiya.formats.jose.codec import decode_games, encode_games
from tabiya.game import Game, GameBatch
from tabiya.game.annotations import SYMBOLS, TEXT_AFTER, Side, comments, parse_comment

ODD = ["[%emt 5s]", "[%emt 0:00:07|abc]", '[%quote "A" "B" "" "" 1985 1-0 0 0 "" ""]', "[%tqu bad]", "[%post:XYZ a]"]
"""Commands of other programs, unusual spellings, and what nobody understands."""
MOVES = ["Nf3", "Nf6", "Ng1", "Ng8"]
MANY = 200


def pgn(comments: list[str]) -> str:
    return " ".join(f"{MOVES[i % 4]} {{ {comment} }}" for i, comment in enumerate(comments)) + " *\n"


def read_pgn(text: str) -> Game:
    return Game.from_pgn(text)


def found_in(game: Game) -> list[list[tuple[object, ...]]]:
    return [[(a.kind, a.data, a.raw, a.lang, a.side) for a in node.annotations] for node in game.walk()]


@pytest.mark.parametrize("comment", ODD)
def test_each_different_command_is_converted_once(comment: str) -> None:
    with patch.object(comments, "parse_comment", wraps=parse_comment) as converted:
        game = read_pgn(pgn([f"{comment} text {i}" for i in range(MANY)]))
        assert converted.call_count == 1
    expected = parse_comment(f"{comment} text 7")
    assert found_in(game)[7] == [(a.kind, a.data, a.raw, a.lang, a.side) for a in expected.annotations]
    assert len(game.problems) == MANY * len([*expected.problems, *expected.partly])


@pytest.mark.parametrize("comment", ODD)
def test_jose_does_the_same(comment: str) -> None:
    codes = encode_games(GameBatch.from_games([read_pgn(pgn(["x"] * MANY))]))[0].codes
    texts = b"".join(f"{comment} text {i}\0".encode() for i in range(MANY))
    with patch.object(comments, "parse_comment", wraps=parse_comment) as converted:
        (game,) = decode_games([codes], [texts], [None])
        assert converted.call_count == 1
    assert found_in(game) == found_in(read_pgn(pgn([f"{comment} text {i}" for i in range(MANY)])))
    assert [problem.code for problem in game.problems] in ([], [22] * MANY, [25] * MANY)


def test_commands_that_depend_on_their_place_are_converted_for_each() -> None:
    game = read_pgn(pgn(["[%clk 00001:00:00]"] * 8))
    assert [found[0][0] for found in found_in(game)] == [0x16, 0x17] * 4  # of White, of Black


def test_a_payload_belongs_to_the_command_before_it() -> None:
    game = read_pgn("1. e4 { a [%eval 0.31]  [%raw HwAAAAAA] b } *")
    expected = parse_comment("a [%eval 0.31]  [%raw HwAAAAAA] b")
    assert found_in(game)[0] == [(a.kind, a.data, a.raw, a.lang, a.side) for a in expected.annotations]
    assert game.root.children[0].text == "a  b"


def test_a_payload_belongs_to_the_nags_before_it() -> None:
    game = read_pgn("1. e4 $1 { [%raw AQAA] x } e5 *")
    assert found_in(game)[0] == [
        (SYMBOLS, b"\x01", b"\x01\x00\x00", 0, Side.AFTER),
        (TEXT_AFTER, b"x", None, 0, Side.AFTER),
    ]
    assert game.problems == []
    assert [p.code for p in read_pgn("1. e4 $2 { [%raw AQAA] x } e5 *").problems] == [23]
    assert [p.code for p in read_pgn("1. e4 { [%raw AQAA] x } e5 *").problems] == [22]


def test_guiding_texts_of_a_variation_that_is_kept_as_text() -> None:
    text = '[%text ENG "Title" PGI+]'
    assert len(read_pgn(f"1. e4 {{ {text} }} *").texts) == 1
    assert read_pgn(f"1. e4 ( {{ {text} }} Ke5 ) *").texts == []


@pytest.mark.parametrize("suffix", [".pgn", ".si4", ".si5", ".jose"])
def test_every_format_keeps_them(suffix: str, tmp_path: Path) -> None:
    game = read_pgn(pgn(ODD * 3))
    path = tmp_path / f"games{suffix}"
    with tabiya.create(path) as writer:
        writer.write([game])
    assert not writer.losses
    with tabiya.open(path) as games:
        assert found_in(games[0]) == found_in(game)


def test_games_read_together(tmp_path: Path) -> None:
    text = "".join(f'[Event "{i}"]\n\n{pgn(ODD)}\n' for i in range(3)).encode()
    with tabiya.open(io.BytesIO(text), format="pgn") as games:
        assert [found_in(game) for game in games] == [found_in(read_pgn(pgn(ODD)))] * 3


def test_answers_are_kept_for_the_next_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabiya.formats.pgn.source.CHUNK_BYTES", 64)
    monkeypatch.setattr("tabiya.formats.pgn.source._BOUNDARY_BYTES", 0)
    text = "".join(f'[Event "{i}"]\n\n{pgn(["[%path e4 3]"])}\n' for i in range(20)).encode()
    with patch.object(comments, "parse_comment", wraps=parse_comment) as converted:
        with tabiya.open(io.BytesIO(text), format="pgn") as games:
            found = [found_in(games[i]) for i in range(20)]
        assert converted.call_count == 1
    assert len({str(each) for each in found}) == 1
    assert found[0][0][0][0] == 0x15
