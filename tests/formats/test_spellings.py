"""Spellings of commands in comments: kept where a format stores texts, counted as lost where it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.game.annotations import Squares

COMMANDS = (
    "[%csl Ge4,Xz9]",
    "[%cal Re2e4, Rd7]",
    "[%medal foo,tactics]",
    "[%path e4]",
    "[%crit none]",
    '[%quote "A" "B" "C" "D" 2021.12.03 1-0 2700 2720 "" "1.e4 e5"]',
    "[%varcolor #ff0000 LM]",
)


@pytest.fixture(params=COMMANDS)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "source.pgn"
    path.write_text(f'[White "A"]\n[Result "1-0"]\n\n1. e4 {{ {request.param} }} 1-0\n\n')
    return path


def differences(a: Path, b: Path) -> list[str]:
    with tabiya.open(a) as first, tabiya.open(b) as second:
        return [sentence for each in tabiya.Comparison(first, second) for sentence in each.differences]


@pytest.mark.parametrize("suffix", [".pgn", ".si4", ".si5", ".jose", ".parquet", ".tabiya"])
def test_the_same_text_comes_back(source: Path, suffix: str) -> None:
    between, target = source.with_name(f"between{suffix}"), source.with_name("target.pgn")
    assert str(tabiya.convert(source, between).losses) == "nothing was lost"
    assert differences(source, between) == []
    assert str(tabiya.convert(between, target).losses) == "nothing was lost"
    assert " ".join(target.read_text().split()) == " ".join(source.read_text("utf-8").split())
    with tabiya.open(between) as database:
        assert [problem.code for problem in database[0].problems if problem.code == 22] == []


def test_chessbase_has_no_place_for_spellings(source: Path) -> None:
    losses = tabiya.convert(source, source.with_suffix(".cbh")).losses
    assert [(loss.what, loss.count) for loss in losses] == [("cbh-bytes", 1)]
    assert len(differences(source, source.with_suffix(".cbh"))) == 1
    back = tabiya.convert(source.with_suffix(".cbh"), source.with_name("back.pgn"))
    assert not back.losses


@pytest.mark.parametrize("options", [{}, *({"dialect": name} for name in ("lichess", "chessbase", "scid"))])
def test_plain_pgn_counts_them(source: Path, options: dict[str, Any]) -> None:
    assert tabiya.convert(source, source.with_name("plain.pgn"), profile="plain", **options).losses


def test_problems_name_the_part(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 { [%csl Ge4,Xz9] [%csl x] } *\n")
    with tabiya.open(path) as database:
        game = database[0]
    assert [(each.code, each.text.split(":")[0]) for each in game.problems if each.code in (22, 25)] == [
        (25, "'Xz9' is not understood"),
        (22, "'x' is not the letter of a colour"),
    ]
    assert [str(mark) for mark in game.root.children[0].squares] == ["Ge4"]
    assert game.root.children[0].values_of(Squares)
