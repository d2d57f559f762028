"""Options that follow from descriptions: conditions for every command, and what formats can be told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from tabiya.cli.reference import program
from tabiya.formats.registry import options
from tests.cli.conftest import Run

READING = ["book build", "book convert", "convert", "diff", "info", "list", "show", "texts", "verify"]
"""Commands that read the games of a database."""


@pytest.mark.parametrize("name", READING)
def test_commands_that_read_have_all_conditions_and_options(name: str) -> None:
    offered = {parameter.name for parameter in program()[name].params}
    values = {option.name for option in options("reading") if option.command_line}
    conditions = {"white", "player", "eco", "tags", "results", "min_elo", "max_elo", "date", "since", "until"}
    assert values | conditions | {"password"} <= offered


def test_a_check_offers_only_what_formats_with_one_can_be_told() -> None:
    offered = {parameter.name for parameter in program()["check"].params}
    assert offered == {"base", "repair", "force", "limit", "encoding", "threads", "json"}


def test_options_of_target_and_source_are_told_apart(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "a.pgn", tmp_path / "b.cbh"
    source.write_bytes('[White "Таль"]\n[Result "1-0"]\n\n1-0\n'.encode("cp1251"))
    run("convert", source, target, "--encoding", "cp1251", "--to-encoding", "cp1251", "--title", "Mine")
    with tabiya.open(target, encoding="cp1251") as games:
        assert games[0].tags["White"] == "Таль"
    assert "has no option 'level' here" in run("convert", source, tmp_path / "c.pgn", "--level", 1, code=2).stderr


def test_conditions_wherever_games_are_read(run: Run, games: Path, tmp_path: Path) -> None:
    player = ["--player", "bronstein"]
    (listed,) = json.loads(run("list", games, *player, "--json").stdout)
    shown = json.loads(run("show", games, 1, *player, "--json").stdout)
    assert shown["number"] == listed["number"] > 1
    assert "there is no record 2: the last is 1" in run("show", games, 2, *player, code=2).stderr
    (found,) = json.loads(run("info", games, *player, "--json").stdout)
    assert found["records"] == 1
    assert "1 record, 1 game replayed" in run("verify", games, *player).stderr
    run("convert", games, tmp_path / "few.pgn", *player)
    assert "1 record compared, no differences" in run("diff", games, tmp_path / "few.pgn", *player).stderr
    assert "0 records compared" in run("diff", games, tmp_path / "few.pgn", "--white", "nobody").stderr
    assert run("texts", games, *player).stdout == ""
    run("book", "convert", games, tmp_path / "few.abk", *player)
    run("book", "build", tmp_path / "few.pgn", tmp_path / "same.abk")
    assert (tmp_path / "few.abk").read_bytes() == (tmp_path / "same.abk").read_bytes()
    refused = run("book", "convert", tmp_path / "few.abk", tmp_path / "x.bin", *player, code=2)
    assert "conditions and reading options apply to games" in refused.stderr


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        (["--date", "2020-13"], "'2020-13' is not a date: give a year, a month as 2020-05"),
        (["--date", "2021..2020"], "'2021..2020' ends before it begins"),
        (["--eco", "Z"], "'Z' is neither an ECO code (A00 to E99) nor part of the name"),
        (["--min-elo", "2", "--max-elo", "1"], "the lowest rating, 2, is above the highest, 1"),
        (["--result", "3-0"], "3-0"),
    ],
)
def test_a_wrong_condition_is_a_sentence(condition: list[str], sentence: str, run: Run, games: Path) -> None:
    for command in (["list", games], ["info", games], ["show", games, 1]):
        assert sentence in run(*command, *condition, code=2).stderr
