"""`make soak`: a few rounds of each kind find nothing, and what they look for would be found."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from scripts import soak, soak_rounds
from tests.changes import CHANGES
from tests.power_loss import PowerLoss
from tests.test_transactions import Trial

ROUNDS = {"conversions": 12, "kills": 3, "power": 5}


@pytest.fixture(autouse=True)
def _games_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few changes, too: the others are those of test_transactions.py and test_power_loss.py."""
    monkeypatch.setattr(soak, "SAMPLES", tmp_path / "none")
    monkeypatch.setattr(
        soak_rounds, "CHANGES", {name: CHANGES[name] for name in ("pgn append", "cbh mark", ".bin edit")}
    )


def run(kind: str, folder: Path, count: int) -> int:
    if reason := soak.KINDS[kind].missing():
        pytest.skip(f"SKIPPED: this test did not run; it did not pass: {reason}")
    seeds = [word for number in range(count) for word in ("--repeat", f"test-{number}")]
    return soak.main(["--only", kind, "--crashes", str(folder / "crashes"), *seeds])


@pytest.mark.parametrize("kind", ROUNDS)
def test_rounds(tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(kind, tmp_path, ROUNDS[kind])
    *_, row = capsys.readouterr().out.splitlines()
    assert re.fullmatch(rf"\| \d{{4}}-\d\d-\d\d \| {soak.KINDS[kind].what} \| {ROUNDS[kind]} \| 0 \|", row)
    assert code == 0
    assert not (tmp_path / "crashes").exists()


def test_time_ends_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["--only", "conversions", "--minutes", "0", "--crashes", str(tmp_path)]) == 0
    assert "| 1 | 0 |" in capsys.readouterr().out


def test_a_loss_without_its_name_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(soak_rounds, "explains", lambda _losses, _sentence: False)
    assert run("conversions", tmp_path, ROUNDS["conversions"]) == 1
    found = sorted((tmp_path / "crashes").iterdir())
    assert "--only conversions --repeat test-" in (found[0] / "finding.txt").read_text("utf-8")
    assert list((found[0] / "made").iterdir())
    assert f"| {ROUNDS['conversions']} | {len(found)} |" in capsys.readouterr().out


def test_a_change_that_was_not_finished_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(trial: Trial, _seconds: float) -> tuple[Path, bool]:
        folder = trial.fresh()
        folder.joinpath("half").write_bytes(b"")
        return folder, True

    monkeypatch.setattr(Trial, "killed_after", broken)
    assert run("kills", tmp_path, 1) == 1
    assert (tmp_path / "crashes/soak-kills-test-0/after the kill/half").exists()


def test_files_that_a_loss_of_power_took_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    restore = PowerLoss.restore

    def nothing_left(loss: PowerLoss, target: Path, *state: object) -> None:
        restore(loss, target, *state)  # type: ignore[arg-type]
        shutil.rmtree(target)
        target.mkdir()

    monkeypatch.setattr(PowerLoss, "restore", nothing_left)
    assert run("power", tmp_path, 3) == 1


@pytest.mark.parametrize(
    ("losses", "sentence", "enough"),
    [
        ({"variations"}, "The moves differ after 3...Qe7: 4.Nf3 / end.", True),
        ({"tags"}, "The moves differ after 3...Qe7: 4.Nf3 / end.", False),
        (set(), "Tag Event differs: 'x' / missing.", False),
        ({"tags"}, "Tag Event differs: 'x' / missing.", True),
        ({"texts-after"}, "Tag Event differs: 'x' / missing.", False),
        ({"texts-after"}, "1.e4: text differs: 'x' / none.", True),
        ({"tags"}, "1.e4: text differs: 'x' / none.", False),
        ({"bcgn.long-tags"}, "Tag Event differs: 'x' / missing.", True),
        ({"tags"}, "Whole record: annotation 0x99 differs: 01 / none.", False),
        ({"guiding-texts"}, "The record is gone.", True),
        ({"tags"}, "The record is gone.", False),
        ({"annotation-0x99"}, "Whole record: annotation 0x99 differs: 01 / none.", True),
    ],
)
def test_which_loss_explains_what(losses: set[str], sentence: str, enough: bool) -> None:
    assert soak_rounds.explains(losses, sentence) is enough


def test_fuzz_targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With a program in place of fuzz/run: what it reports is added up, and its failure is a finding."""
    (tmp_path / "fuzz").mkdir()
    for name, code in (("a", 0), ("b", 77)):
        (tmp_path / f"fuzz/fuzz_{name}.py").touch()
        (tmp_path / f"fuzz/{name}").write_text(f"echo 'Done 1200 runs in 5 second(s)' >&2; exit {code}")
    (tmp_path / "fuzz/run").write_text(
        '#!/bin/sh\n[ "$2" = -max_total_time=5 ] && . fuzz/$(basename "$1" .py | cut -c6)\n'
    )
    (tmp_path / "fuzz/run").chmod(0o755)
    (tmp_path / "stamp").touch()
    monkeypatch.setattr(soak, "ROOT", tmp_path)
    monkeypatch.setattr(soak, "INSTRUMENTED", tmp_path / "stamp")
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: object())
    assert soak.main(["--only", "fuzz", "--minutes", "0.17"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].endswith("| inputs of the fuzz targets | 2,400 | 1 |")
    monkeypatch.setattr(soak, "INSTRUMENTED", tmp_path / "none")
    assert soak.main(["--only", "fuzz"]) == 0
    assert "not run: clang is missing" in capsys.readouterr().out
