"""Defaults of options from the settings of a user."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tabiya.cli.preferences import EVERYWHERE, IN_TABLES, settings_file
from tabiya.cli.reference import commands
from tests.cli.conftest import Run


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "config.toml"
    monkeypatch.setenv("TABIYA_CONFIG", str(path))
    return path


def test_settings_are_defaults_that_arguments_replace(run: Run, games: Path, settings: Path) -> None:
    full = run("explore", games).stdout
    assert "Highest ratings" in full
    assert "Latest" in full
    settings.write_text("threads = 1\n[explore]\nrecent-games = 0\n", "utf-8")
    assert "Latest" not in run("explore", games).stdout
    assert run("explore", games, "--recent-games", 10).stdout == full


def test_the_table_of_a_command_wins(run: Run, games: Path, tmp_path: Path, settings: Path) -> None:
    settings.write_text('engine = "no-such-engine"\n[analyse]\nengine = "nor-this-one"\ndepth = 1\n', "utf-8")
    refused = run("analyse", games, "-o", tmp_path / "out.pgn", code=3)
    assert "nor-this-one" in refused.stderr


def test_tables_of_groups(run: Run, games: Path, tmp_path: Path, settings: Path) -> None:
    settings.write_text("[book.build]\nmemory = 0\n", "utf-8")
    assert "--memory" in run("book", "build", games, tmp_path / "a.bin", code=2).stderr
    run("book", "build", games, tmp_path / "a.bin", "--memory", 64, "--min-games", 1)


def test_a_dialect_is_for_plain_pgn_only(run: Run, games: Path, tmp_path: Path, settings: Path) -> None:
    settings.write_text('dialect = "chessbase"\n', "utf-8")
    one = [games, "--records", 1]
    run("convert", *one, "-o", tmp_path / "lossless.pgn")
    run("convert", *one, "-o", tmp_path / "base.cbh", code=1)
    run("convert", *one, "-o", tmp_path / "plain.pgn", "--profile", "plain")
    assert "[PlyCount" in (tmp_path / "plain.pgn").read_text("utf-8")
    refused = run("convert", games, tmp_path / "b.pgn", "--dialect", "scid", code=2)
    assert "a dialect needs the profile" in refused.stderr


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("force = true", "'force' cannot be set outside of the table of a command"),
        ("[list]\nforce = true", "'force' cannot be set in the table of list"),
        ("[list]\ndepth = 3", '"tabiya list" has no option --depth; remove it from the settings'),
        ("threads = [1]", "the setting 'threads' must be a text or a number"),
        ("threads = true", "the setting 'threads' must be a text or a number"),
        ("[list]\nspreadsheet = 1", "the setting 'spreadsheet' must be true or false"),
        ("threads =", "these settings are not TOML"),
        ("\x00", "these settings are not TOML"),
    ],
)
def test_what_cannot_be_set(run: Run, games: Path, settings: Path, content: str, sentence: str) -> None:
    settings.write_text(content, "utf-8")
    refused = run("list", games, code=2).stderr
    assert f"{settings}: {sentence}" in refused


def test_settings_that_are_not_text(run: Run, games: Path, settings: Path) -> None:
    settings.write_bytes(b"\xff\xfe")
    assert "these settings are not TOML" in run("list", games, code=2).stderr


def test_settings_of_other_commands_do_not_matter(run: Run, games: Path, settings: Path) -> None:
    settings.write_text(
        'engine = "stockfish"\n[analyse]\ndepth = 20\n[book]\nbuild = 1\n[no-such-command]\nx = 1\n', encoding="utf-8"
    )
    run("list", games)
    run("--version")
    run("completion", "bash")


def test_every_preference_is_an_option_that_changes_no_file() -> None:
    found = {name.removeprefix("--") for command in commands() for each in command.parameters for name in each.names}
    assert {*EVERYWHERE, *IN_TABLES} <= found
    harmful = {"force", "in-place", "append", "output", "write", "repair", "create", "password", "host", "allow-origin"}
    assert not harmful & {*EVERYWHERE, *IN_TABLES}


def test_where_settings_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TABIYA_CONFIG", "~/own.toml")
    assert settings_file() == Path.home() / "own.toml"
    monkeypatch.delenv("TABIYA_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert settings_file() == tmp_path / "tabiya" / "config.toml"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert settings_file() == Path.home() / "Library" / "Application Support" / "tabiya" / "config.toml"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(os.environ, "APPDATA", str(tmp_path))
    assert settings_file() == tmp_path / "tabiya" / "config.toml"
