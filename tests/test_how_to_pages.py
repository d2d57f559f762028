"""Pages that are run from top to bottom in one folder: commands, Python, and what they print."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tabiya.cli.app import app
from tests.conftest import ROOT
from tests.test_doc_examples import shown_commands, stripped

PAGES = ["docs/how-to/opening-books.md"]


@pytest.mark.parametrize("name", PAGES)
def test_the_page_runs_from_top_to_bottom(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    page = (ROOT / name).read_text("utf-8")
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        if language == "console":
            for (program, *arguments), shown in shown_commands(block):
                assert program == "tabiya"
                result = CliRunner().invoke(app, arguments, prog_name="tabiya")
                assert stripped(result.stdout + result.stderr) == stripped(shown), shlex.join(arguments)
        elif language == "pycon":
            messages: list[str] = []
            example = doctest.DocTestParser().get_doctest(block, names, name, name, 0)
            doctest.DocTestRunner().run(example, out=messages.append, clear_globs=False)
            names |= example.globs
            assert not messages, "".join(messages)
        else:
            pytest.fail(f"a block of {language}, which nothing runs")
