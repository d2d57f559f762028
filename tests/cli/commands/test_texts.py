from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run

Samples = Callable[[str], Path]


def test_list(run: Run, samples: Samples) -> None:
    lines = run("texts", samples("cbh/text/text.cbh")).stdout.splitlines()
    assert len(lines) == 9
    assert lines[0].split() == ["1", "ENG", "My", "first", "text"]
    assert lines[1].split()[:2] == ["2", "ENG,GER,FRA,ESP,ITA,NED,POR"]
    assert lines[3].endswith("Text with Position Link (1 file of media)")


def test_json(run: Run, samples: Samples) -> None:
    found = json.loads(run("texts", samples("cbh/text/text.cbh"), "--json").stdout)
    assert [each["number"] for each in found] == [1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert found[0]["texts"] == [
        {"language": "ENG", "title": "My first text", "format": 3, "text": "Simple text in English", "media": []}
    ]


def test_none(run: Run, games: Path) -> None:
    assert run("texts", games).stdout == ""
    assert run("texts", games, "--json").stdout == "[]\n"


def test_export(run: Run, samples: Samples, tmp_path: Path) -> None:
    result = run("texts", samples("cbh/text/text.cbh"), "--export", tmp_path / "out")
    assert "15 pages and 2 files of media" in result.stderr
    assert (tmp_path / "out" / "index.html").exists()
    run("texts", samples("cbh/text/text.cbh"), "--export", tmp_path / "out", code=2)
    run("texts", samples("cbh/text/text.cbh"), "--export", tmp_path / "out", "--force")


def test_missing_media(run: Run, samples: Samples, tmp_path: Path) -> None:
    result = run("texts", samples("cbh/hedgehog/Hedgehog.cbh"), "--export", tmp_path / "out", code=1)
    assert "missing: 0.bmp" in result.stderr


def test_show(run: Run, samples: Samples) -> None:
    lines = run("show", samples("cbh/text/text.cbh"), 4).stdout.splitlines()
    place = lines.index("ENG: Text with Position Link")
    assert lines[place + 1] == "=" * len(lines[place])
    assert lines[-1] == "[diagram 8/4k3/8/4PK2/8/8/8/8 w - - 0 1]"
    several = run("show", samples("cbh/text/text.cbh"), 2).stdout
    assert "ENG: Multi lang" in several
    assert "POR: Multi lang" in several


def test_show_an_old_text(run: Run, samples: Samples) -> None:
    text = run("show", samples("cbh/hedgehog/Hedgehog.cbh"), 4).stdout
    assert "ENG: История возникновения и развития Ежа" in text
    assert "[diagram]" in text


@pytest.mark.parametrize("number", [99])
def test_show_a_text_without_its_words(number: int, run: Run, samples: Samples) -> None:
    assert "text without words" in run("show", samples("cbh/World-ch/World-ch.cbh"), number).stdout


def test_that_there_are_no_texts_is_reported(run: Run, games: Path) -> None:
    result = run("texts", games)
    assert (result.stdout, result.stderr) == ("", f"{games}: no texts found\n")
