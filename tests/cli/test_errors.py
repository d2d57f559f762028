"""What commands print when something goes wrong: plain sentences of the shell, JSON with ``--json``."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tabiya
from tabiya.cli.hints import parser_sentence, with_options
from tabiya.cli.reference import program
from tests.cli.conftest import Run
from tests.conftest import ROOT

SOURCE = ROOT / "src" / "tabiya"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["list", "a.pgn", "--limit", "abc"], '--limit needs a whole number; see "tabiya list --help"'),
        (["list", "a.pgn", "--limit", "-1"], '--limit must be at least 0; see "tabiya list --help"'),
        (["player", "a.pgn", "b", "--depth", "101"], '--depth must be at most 100; see "tabiya player --help"'),
        (["player", "a.pgn", "b", "--min-share", "x"], '--min-share needs a number; see "tabiya player --help"'),
        (["show", "a.pgn", "x"], 'N needs a whole number; see "tabiya show --help"'),
        (["list", "--exac"], "there is no option --exac; did you mean "),
        (["lost"], 'there is no command lost; did you mean list? see "tabiya --help"'),
        (["info"], 'FILE... is missing; see "tabiya info --help"'),
        (["merge", "a.pgn"], 'the option -o is missing; see "tabiya merge --help"'),
        (["list", "a.pgn", "--limit"], "the option --limit needs a value"),
        (["list", "--json=3"], "the option --json takes no value"),
        (["check", "a", "b"], 'the argument b has no meaning here; see "tabiya check --help"'),
    ],
)
def test_arguments_that_make_no_sense(run: Run, arguments: list[str], sentence: str) -> None:
    *_, last = run(*arguments, code=2).stderr.splitlines()
    assert last.startswith(f"tabiya: {sentence}")


@pytest.mark.parametrize(
    ("message", "value", "option", "sentence"),
    [
        ("Invalid value.", "'x' is not a valid integer.", "--n", "--n needs a whole number"),
        ("Invalid value.", "0 is not in the range x>=1.", "--n", "--n must be x>=1, not 0"),
        ("No such option: --x Did you mean --y?", "", None, "there is no option --x; did you mean --y?"),
        ("Missing option '--output' / '-o'.", "", "-o", "the option -o is missing"),
        ("Something that nobody has seen.", "", None, "something that nobody has seen"),
    ],
)
def test_words_of_older_parsers(message: str, value: str, option: str | None, sentence: str) -> None:
    """Of typer before it had a parser of its own."""
    assert parser_sentence(message, value, option) == sentence


@pytest.mark.parametrize(
    ("arguments", "kind", "code"),
    [
        (["info", "{folder}/missing.pgn"], "missing", 3),
        (["list", "{folder}/missing.pgn"], "missing", 3),
        (["list", "{folder}/picture.png"], "format", 3),
        (["list", "{folder}/damaged.bcgn"], "corrupt", 3),
        (["list", "{games}", "--result", "x"], "usage", 2),
        (["show", "{games}", "99"], "usage", 2),
        (["convert", "{games}", "{games}"], "usage", 2),
        (["convert", "{games}", "{folder}/a.bin", "--strict"], "format", 3),
        (["convert", "{games}", "{folder}/a.cbh", "--strict"], "loss", 3),
        (["compact", "{games}"], None, 2),
        (["verify", "{folder}/missing.pgn", "{games}"], "missing", 3),
        (["book", "check", "{folder}/missing.bin"], "missing", 3),
        (["book", "show", "{folder}/missing.bin"], "missing", 3),
    ],
)
def test_errors_are_json_with_json(
    run: Run, tmp_path: Path, games: Path, arguments: list[str], kind: str | None, code: int
) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "damaged.bcgn").write_bytes(b"BCGN\x03\x00\x00\x00\x01\x02")
    name = " ".join(arguments[:2]) if arguments[0] == "book" else arguments[0]
    switch = ["--json"] if "--json" in {opt for each in program()[name].params for opt in each.opts} else []
    filled = [each.format(folder=tmp_path, games=games) for each in arguments]
    result = run(*filled, *switch, code=code)
    lines = result.stderr.splitlines()
    if not switch:
        assert lines[-1].startswith("tabiya: ")
        return
    found = [json.loads(line) for line in lines]
    assert all(each.keys() in ({"error"}, {"note"}) for each in found)
    (error,) = (each["error"] for each in found if "error" in each)
    assert error.keys() == {"kind", "message", "path", "game", "offset", "exit_code"}
    assert (error["kind"], error["exit_code"]) == (kind, code)


def test_notes_are_json_with_json_and_a_run_without_has_text_again(run: Run, games: Path, tmp_path: Path) -> None:
    result = run("convert", games, tmp_path / "a.pgn", "--json", code=1)
    assert json.loads(result.stderr.splitlines()[0]) == {
        "note": f"3 records written to {tmp_path / 'a.pgn'} (pgn to pgn)"
    }
    assert json.loads(result.stdout)["written"] == 3
    assert run("convert", games, tmp_path / "b.pgn", code=1).stderr.startswith("3 records written")


def test_what_looks_like_an_option_behind_two_dashes_is_none(run: Run) -> None:
    assert run("info", "--", "--json", code=3).stderr == "tabiya: --json: no such file or folder\n"


@pytest.mark.parametrize("command", [["verify"], ["info"], ["info", "--json"]])
def test_a_broken_pipe_is_no_fault_of_a_file(start: Run, tmp_path: Path, command: list[str]) -> None:
    many = []
    for number in range(3):
        many.append(tmp_path / f"{number}.pgn")
        many[-1].write_text('[White "A"]\n\n1. e4 e4 *\n\n' * 2000)
    with start(*command, *many * 40) as process:
        process.stdout.close()
        complaint = process.stderr.read()
    assert (process.returncode, complaint) == (141, b"")


# Hints.

_WITH_OPTIONS = {"condition_words.py", "keywords.py"}
"""Vocabularies with the help of options."""


def texts_of(path: Path) -> list[str]:
    """The strings of a module that are no documentation."""
    tree = ast.parse(path.read_text("utf-8"))
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare
    ]


MESSAGES = [
    path
    for path in sorted(SOURCE.rglob("*.py"))
    if not {"cli", "web"} & set(path.relative_to(SOURCE).parts) and path.name not in _WITH_OPTIONS
]


def test_messages_of_the_library_name_no_options() -> None:
    """Programs in Python cannot give them."""
    found = [(path, text) for path in MESSAGES for text in texts_of(path) if re.search(r"(^| |\()--[a-z]", text)]
    assert found == []


def test_hints_of_the_library_become_options() -> None:
    """Users of the shell cannot write Python."""
    hints = [text for path in MESSAGES for text in texts_of(path) if re.search(r"\w=True\b", text)]
    assert len(hints) > 5
    assert [text for text in hints if re.search(r"=True|tabiya\.[a-z]", with_options(text))] == []


@pytest.mark.parametrize(
    ("python", "shell"),
    [
        ("already exists; overwrite=True replaces it", "already exists; --force replaces it"),
        ("use tabiya.open_book", "use tabiya book show"),
        (
            "toy has no option 'level' here; it has: append, format, overwrite",
            "toy has no option 'level' here; --help lists the formats that have each option",
        ),
        (
            "toy has no option 'encoding' here; it has: format, overwrite; 'encoding' is for reading: give it to "
            "tabiya.open, or to tabiya.convert in source_options",
            "toy has no option 'encoding' here; --help lists the formats that have each option; "
            "--encoding is for reading",
        ),
        ("try language='de' or language='pl'", "try --language de or --language pl"),
    ],
)
def test_hints(python: str, shell: str) -> None:
    assert with_options(python) == shell


def test_a_target_that_exists(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "b.pgn"
    target.write_text("")
    assert run("convert", games, target, code=2).stderr == f"tabiya: {target}: already exists; --force replaces it\n"
    with pytest.raises(tabiya.UsageError, match=r"already exists; overwrite=True replaces it$"):
        tabiya.convert(games, target)


# Reports.


@pytest.mark.parametrize(
    "arguments",
    [
        ["convert", "{games}", "-"],
        ["sort", "{games}", "-", "--by", "white"],
        ["merge", "{games}", "-o", "-"],
        ["dedupe", "{games}", "-o", "-"],
        ["tag", "{games}", "--set", "A=b", "-o", "-"],
        ["classify", "{games}", "-o", "-"],
        ["search", "{games}", "--white", "morphy", "-o", "-"],
        ["table", "{games}", "-o", "-"],
    ],
)
def test_a_report_goes_to_a_file_while_data_goes_to_standard_output(
    start: Run, games: Path, tmp_path: Path, arguments: list[str]
) -> None:
    report = tmp_path / "report.json"
    filled = [each.format(games=games) for each in arguments]
    with start(*filled, "--report", report) as process:
        output, notes = process.communicate()
    assert process.returncode in (0, 1), notes
    assert b"Morphy" in output
    assert isinstance(json.loads(report.read_text("utf-8")), dict)


def test_where_a_report_may_go(run: Run, games: Path, tmp_path: Path) -> None:
    report, target = tmp_path / "report.json", tmp_path / "a.bcgn"
    arguments = ["convert", games, target, "--level", "1", "--report", report]
    run(*arguments, code=1)
    losses = json.loads(report.read_text("utf-8"))["losses"]
    assert losses
    target.unlink()
    assert "already exists; --force replaces it" in run(*arguments, code=2).stderr
    assert not target.exists()
    run(*arguments, "--force", code=1)
    for wrong in (games, target):
        assert "cannot take the report" in run(*arguments[:-1], wrong, "--force", code=2).stderr
    assert "--json prints the report" in run(*arguments[:-1], "-", "--force", code=2).stderr


def test_the_program_reports_errors_as_json_in_a_process_of_its_own(tmp_path: Path) -> None:
    """Where its arguments come from the system."""
    command = [sys.executable, "-m", "tabiya", "info", str(tmp_path / "missing.pgn"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "[]\n")
    assert json.loads(done.stderr)["error"]["message"] == "no such file or folder"
