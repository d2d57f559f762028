from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from tests.cli.conftest import Run
from tests.systems import needs_posix


@pytest.fixture
def base(games: Path, tmp_path: Path) -> Path:
    path = tmp_path / "base.tabiya"
    tabiya.convert(games, path)
    return path


def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = tmp_path / "editor"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", str(program))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def event(base: Path) -> str | None:
    with tabiya.open(base) as database:
        return database[1].tags.get("Event")


@needs_posix
def test_with_an_editor(run: Run, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(tmp_path, monkeypatch, "sed -i.old s/Candidates/Zurich/ $1")
    assert "+" in run("edit", base, 2, "--dry-run").stdout or event(base) == "Candidates"
    assert event(base) == "Candidates"
    assert run("edit", base, 2).stderr.splitlines()[0] == f"{base}: game 2 changed"
    assert event(base) == "Zurich"
    assert run("edit", base, 2).stderr == f"{base}: nothing changed\n"


@needs_posix
def test_an_editor_that_fails(run: Run, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(tmp_path, monkeypatch, "sed -i.old s/Candidates/Zurich/ $1; exit 3")
    assert "ended with code 3" in run("edit", base, 2, code=2).stderr
    monkeypatch.setenv("EDITOR", str(tmp_path / "none"))
    assert "cannot be run" in run("edit", base, 2, code=2).stderr
    assert event(base) == "Candidates"


@needs_posix
def test_problems_are_shown_before_anything_is_written(
    run: Run, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, "sed -i.old s/c4/Ke7/ $1")
    result = run("edit", base, 2, code=2)
    assert "not legal" in result.stderr
    (kept,) = tmp_path.glob("tabiya-*.pgn")
    assert "Ke7" in kept.read_text("utf-8")
    with tabiya.open(base) as database:
        assert database[1].problems == []
    run("edit", base, 2, "--from", kept, "--accept")
    with tabiya.open(base) as database:
        assert len([*database[1].mainline()]) == 2


def test_from_a_file(run: Run, games: Path, tmp_path: Path) -> None:
    text, target = tmp_path / "game.pgn", tmp_path / "target.pgn"
    text.write_text('[Event "New"]\n\n1. e4 *')
    before = games.read_bytes()
    run("edit", games, 2, "--from", text, "-o", target)
    assert event(target) == "New"
    assert games.read_bytes() == before
    run("edit", games, 2, "--from", text)
    assert event(games) == "New"
    with tabiya.open(games) as database:
        assert before.startswith(database[0].to_pgn().encode()[:40])
    tabiya.convert(games, tmp_path / "games.bcgn")
    assert "cannot edit" in run("edit", tmp_path / "games.bcgn", 2, "--from", text, code=2).stderr


@pytest.mark.parametrize("text", ["", "1. e4 *\n\n1. d4 *"])
def test_texts_that_are_not_one_game(run: Run, base: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "game.pgn").write_text(text)
    assert "not one" in run("edit", base, 2, "--from", tmp_path / "game.pgn", code=3).stderr
    assert "no record" in run("edit", base, 9, "--from", tmp_path / "game.pgn", code=2).stderr


def test_what_a_base_cannot_store(run: Run, games: Path, tmp_path: Path) -> None:
    base, text = tmp_path / "base.cbh", tmp_path / "game.pgn"
    tabiya.convert(games, base)
    text.write_text('[Event "New"]\n[Mood "good"]\n\n1. e4 *')
    assert "would be lost" in run("edit", base, 2, "--from", text, code=3).stderr
    assert event(base) == "Candidates"
    run("edit", base, 2, "--from", text, "--accept", code=1)
    assert event(base) == "New"


@pytest.mark.parametrize("end", ["exit 3", "kill -9 $$"])
@needs_posix
def test_what_was_written_before_an_editor_failed_is_kept(
    run: Run, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    editor(tmp_path, monkeypatch, f"sed -i.old s/Candidates/Zurich/ $1; {end}")
    stderr = run("edit", base, 2, code=2).stderr
    (kept,) = tmp_path.glob("tabiya-*.pgn")
    assert str(kept) in stderr
    assert "Zurich" in kept.read_text("utf-8")
    assert event(base) == "Candidates"


@needs_posix
def test_two_games_in_an_editor_are_kept(run: Run, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(tmp_path, monkeypatch, "printf '\\n\\n1. d4 d6 *\\n' >> $1")
    assert "not one" in run("edit", base, 2, code=3).stderr
    (kept,) = tmp_path.glob("tabiya-*.pgn")
    assert "1. d4 d6" in kept.read_text("utf-8")


@needs_posix
def test_an_editor_that_is_no_command(run: Run, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(tmp_path, monkeypatch, "rm $1")
    assert "not one" in run("edit", base, 2, code=3).stderr
    assert [*tmp_path.glob("tabiya-*.pgn")] == []
    monkeypatch.setenv("VISUAL", "  ")  # as if it were not set
    assert "not one" in run("edit", base, 2, code=3).stderr
    monkeypatch.setenv("EDITOR", "vim 'unclosed")
    assert "cannot be run" in run("edit", base, 2, code=2).stderr


@pytest.mark.parametrize(("suffix", "code"), [(".cbh", 1), (".si4", 0), (".tabiya", 0), (".pgn", 0)])
def test_a_dry_run_tells_what_would_get_lost(run: Run, games: Path, tmp_path: Path, suffix: str, code: int) -> None:
    base, text = tmp_path / "bases" / f"base{suffix}", tmp_path / "game.pgn"
    base.parent.mkdir()
    tabiya.convert(games, base)
    before = {path: path.read_bytes() for path in base.parent.rglob("*") if path.is_file()}
    text.write_text('[Event "New"]\n[Mood "good"]\n[Result "1-0"]\n\n1. e4 1-0')
    stderr = run("edit", base, 2, "--from", text, "--dry-run", code=code).stderr
    assert "would change; nothing was changed" in stderr
    assert ("tags (Mood)" in stderr) == (code == 1)
    run("tag", base, "--set", "Mood=good", "--in-place", "--dry-run", code=code)
    assert {path: path.read_bytes() for path in base.parent.rglob("*") if path.is_file()} == before


def test_json(run: Run, base: Path, tmp_path: Path) -> None:
    text = tmp_path / "game.pgn"
    text.write_text('[Event "New"]\n\n1. e4 *')
    for options, changed in (("--dry-run", 1), ("--accept", 1), ("--accept", 0)):
        assert json.loads(run("edit", base, 2, "--from", text, options, "--json").stdout)["changed"] == changed
    assert event(base) == "New"
