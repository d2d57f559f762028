"""The program as a whole: help, errors, exit codes, streams, pipes and Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer.main

import tabiya
from tabiya.cli import app as cli_app
from tabiya.cli.app import app
from tabiya.cli.reference import program
from tests.cli.conftest import GAMES, Run
from tests.conftest import ROOT

TOP = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
COMMANDS = sorted(program())


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"tabiya {tabiya.__version__}\n"


def test_version_for_a_report_of_a_fault(run: Run) -> None:
    for order in (["--version", "--verbose"], ["--verbose", "--version"]):
        first, *lines = run(*order).stdout.splitlines()
        assert first == f"tabiya {tabiya.__version__}"
        facts = dict(re.split(r"  +", line, maxsplit=1) for line in lines)
        assert {"python", "system", "processors", "pyarrow", "starlette", "settings"} <= facts.keys()
        assert facts["starlette"].endswith("(extra web)")
        assert str(Path.home()) not in "".join(facts.values()) or Path.home() == Path("/")


def test_help_names_every_command(run: Run) -> None:
    text = run("--help").stdout
    expected = "analyse book check classify compact completion convert copy crosstable dedupe delete diff edit explore "
    expected += "extract formats info library list mcp merge names novelties pack player puzzles report search serve "
    expected += "show sort split table tag texts undelete verify"
    assert expected.split() == TOP
    assert all(re.search(rf"^  {name} ", text, re.MULTILINE) for name in TOP)
    assert run("-h").stdout == text


def test_help_has_sections(run: Run) -> None:
    titles = re.findall(r"^(\w.*):$", run("search", "--help").stdout, re.MULTILINE)
    assert titles[:2] == ["Arguments", "Options"]
    assert "Conditions on positions" in titles
    assert "Conditions on games" in titles
    assert len(titles) == len(set(titles))
    assert "Search" in re.findall(r"^(\w.*):$", run("--help").stdout, re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_an_example(run: Run, name: str) -> None:
    lines = run(*name.split(), "--help").stdout.splitlines()
    place = next(i for i, line in enumerate(lines) if line.strip() == "Example:")
    assert re.search(rf"^ {{6}}.*tabiya {name}\b", lines[place + 1] + "\n" + lines[place + 2])


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["list", "--help"], ["convert", "-h"], ["book", "-h"], ["book", "build", "-h"], ["--version"]],
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    program = f"""if True:
        import sys
        sys.argv = ["tabiya", *{arguments!r}]
        from tabiya.cli import main
        try:
            main()
        except SystemExit:
            heavy = {{"pyarrow", "numpy", "duckdb", "rich", "chess", "tabiya.chess"}}
            print(*(heavy & sys.modules.keys()), file=sys.stderr)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.split() == []
    assert done.stdout


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ([], []),
        (["--version"], []),
        (["--help"], []),
        (["list", "-h"], ["list"]),
        (["listt"], TOP),
        (["--verbose"], TOP),
    ],
)
def test_parameters_are_read_of_requested_commands_only(arguments: list[str], names: list[str]) -> None:
    """Reading those of all commands takes longer than most commands."""
    commands = typer.main.get_command(cli_app._requested(arguments)).commands  # type: ignore[attr-defined]
    read = [name for name, command in commands.items() if command.params or getattr(command, "commands", None)]
    assert sorted(read) == names


HEAVY = {
    "pydantic": "typer asks it about every option",
    "pandas": "pyarrow imports it for its first array",
    "rich.console": "only for a terminal",
    "importlib.metadata": "only for --version",
    "tabiya.cli.commands.book": "other commands",
    "tabiya.cli.commands.convert": "other commands",
    "tabiya.game.annotations.registry": "classes of annotations, where there are none",
    "tabiya.formats.guiding_texts": "records that are texts",
    "tabiya.formats.pgn.comments": "comments that the kernel leaves",
    "tabiya.formats.cbh.files.cbh": "layouts of another format",
    "tabiya.maintenance": "higher rooms",
    "tabiya.web": "higher rooms",
}
"""Modules that take time to import, and that looking at a small file does not need."""


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["list"], set()),
        (["show", "1"], set()),
        (["explore", "e4"], set()),
    ],
)
def test_small_commands_import_little(tmp_path: Path, arguments: list[str], needed: set[str]) -> None:
    path = tmp_path / "tiny.pgn"
    path.write_text('[White "A"]\n[Result "1-0"]\n\n1. e4 e5 {best} 1-0\n')
    name, *others = arguments
    program = f"""if True:
        import sys
        sys.argv = ["tabiya", {name!r}, {str(path)!r}, *{others!r}]
        from tabiya.cli import main
        try:
            main()
        except SystemExit as end:
            assert not end.code, end.code
        print(*({{*{[*HEAVY]!r}}} & sys.modules.keys()), file=sys.stderr)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert {*done.stderr.split()} <= needed
    assert done.stdout


def test_reading_a_library_loads_no_builder(tmp_path: Path) -> None:
    library = tmp_path / "games.tabiya"
    tabiya.convert(ROOT / "examples" / "classics.pgn", library)
    program = f"""if True:
        import sys
        import tabiya
        with tabiya.open({str(library)!r}) as games:
            print(games[0].tags["White"], tabiya.explore(games))
        print("tabiya.positions.index.building" in sys.modules, file=sys.stderr)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stderr.strip(), bool(done.stdout)) == ("False", True)


def test_numbers_and_texts_are_read_as_typer_reads_them(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tiny.pgn"
    path.write_text('[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n')
    assert "A" in run("list", path, "--limit", "01").stdout
    assert "B" not in run("list", path, "--limit", "1").stdout
    assert "B" in run("list", path, "--limit", "9" * 40).stdout
    for wrong in ("x", "-1", "1.5", "", "\u0661"):
        assert run("list", path, f"--limit={wrong}", code=2).stdout == ""


def test_no_command_loads_pandas() -> None:
    """Which pyarrow would do at its first array."""
    program = """if True:
        import sys
        sys.argv = ["tabiya", "formats", "--json"]
        from tabiya.cli import main
        try:
            main()
        except SystemExit:
            import pyarrow
            pyarrow.array(["a"])
            print("pandas" in sys.modules, file=sys.stderr)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.split() == ["False"]


@pytest.mark.parametrize("arguments", [[], ["book"]])
def test_without_arguments_there_is_help(run: Run, arguments: list[str]) -> None:
    """The whole of it, not just the hint that there is some."""
    assert run(*arguments, code=2).output.strip() == run(*arguments, "--help").output.strip()


@pytest.mark.parametrize(
    "arguments", [["play"], ["info"], ["show"], ["show", "a", "x"], ["show", "a", "0"], ["list", "a", "--x"]]
)
def test_usage(run: Run, arguments: list[str]) -> None:
    result = run(*arguments, code=2)
    assert result.stdout == ""
    assert "Usage: tabiya" in result.stderr


@pytest.mark.parametrize("arguments", [["info"], ["list"], ["show", "1"], ["verify"], ["convert", "x.pgn"]])
def test_a_missing_file_is_one_sentence(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    name, *others = arguments
    missing = tmp_path / "missing.pgn"
    result = run(name, missing, *others, code=3)
    assert result.stdout == ""
    assert result.stderr == f"tabiya: {missing}: no such file or folder\n"


def test_a_file_of_no_format(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    assert run("info", path, code=3).stderr.startswith(f"tabiya: {path}: is not a kind of file that tabiya can read")


def test_options_that_a_format_does_not_know(run: Run, records: Path, tmp_path: Path) -> None:
    assert "has no option 'encoding'" in run("info", records, "--encoding", "cp1251", code=2).stderr
    assert (
        "has no option 'profile'" in run("convert", records, tmp_path / "a.full", "--profile", "plain", code=2).stderr
    )
    assert "no format is called 'xyz'" in run("list", records, "--from", "xyz", code=2).stderr


def test_hostile_text_does_not_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_text('[White "\x1b[31mred\u202egnp"]\n[Black "two\x9blines"]\n\n1. e4 {\x1b]0;x\x07} *\n', "utf-8")
    for arguments in (["list", path], ["show", path, 1], ["show", path, 1, "--dump"], ["diff", path, path]):
        output = run(*arguments).output
        assert not set(output) & set("\x1b\x07\x9b\u202e")
    assert "\ufffd[31mred\ufffdgnp" in run("list", path).stdout


def test_data_and_reports_do_not_mix(start: Run, games: Path, tmp_path: Path) -> None:
    with start("convert", games, "-", "--to", "pgn") as process:
        output, report = process.communicate()
    assert process.returncode == 1
    assert output.startswith(b'[Event "Paris"]')
    assert b"3 records written to standard output" in report
    assert b"records" not in output


def test_standard_input(start: Run) -> None:
    with start("list", "-", "--nl") as process:
        output, report = process.communicate(GAMES.encode())
    assert process.returncode == 0
    assert len(output.splitlines()) == 3
    assert "Петросян" in output.decode()
    assert report == b""


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_streams_work_buffered_or_not(start: Run, unbuffered: str) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with start("convert", "-", "-", "--to", "pgn", "--white", "morphy", env=environment) as process:
        output, _ = process.communicate(GAMES.encode())
    assert process.returncode == 0
    assert output.count(b"[White ") == 1


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently on Windows")
@pytest.mark.parametrize("arguments", [["list", "-"], ["list", "-", "--csv"], ["convert", "-", "-", "--to", "pgn"]])
def test_a_broken_pipe_is_no_accident(start: Run, tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "many.pgn"
    path.write_text(GAMES * 3000, "utf-8")
    with path.open("rb") as file, start(*arguments, stdin=file) as process:
        process.stdout.read(100)
        process.stdout.close()
        complaint = process.stderr.read()
    assert process.returncode == 141
    assert complaint == b""


def interrupted(process: Any, folder: Path, by: signal.Signals = signal.SIGINT) -> tuple[bytes, bytes]:
    """Interrupts a process as soon as it has begun to write into ``folder``."""
    deadline = time.monotonic() + 60
    while not list(folder.glob(".tabiya-*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert list(folder.glob(".tabiya-*"))
    process.send_signal(by)
    guard = threading.Timer(60, process.kill)  # one that does not heed it would wait for us for ever, and we for it
    guard.start()
    output: tuple[bytes, bytes] = process.stdout.read(), process.stderr.read()
    process.wait()
    guard.cancel()
    return output


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send on Windows")
@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_leaves_nothing_half_written(start: Run, tmp_path: Path, old: bytes | None, threads: int) -> None:
    target = tmp_path / "out.pgn"
    if old is not None:
        target.write_bytes(old)
    with start("convert", "-", target, "--force", "--threads", threads) as process:
        process.stdin.write(GAMES.encode() * 20_000)
        process.stdin.flush()  # and it stays open: the program waits for more
        output, complaint = interrupted(process, tmp_path)
    assert process.returncode == 130
    assert (output, complaint) == (b"", b"tabiya: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ([] if old is None else ["out.pgn"])
    assert old is None or target.read_bytes() == old


@pytest.mark.skipif(os.name == "nt", reason="a process is ended without notice on Windows")
@pytest.mark.parametrize("name", ["out.pgn", "out.cbh", "out.cbv", "out.bcgn"])
def test_being_ended_leaves_nothing_half_written(start: Run, tmp_path: Path, name: str) -> None:
    with start("convert", "-", tmp_path / name) as process:
        process.stdin.write(GAMES.encode() * 20_000)
        process.stdin.flush()
        output = interrupted(process, tmp_path, signal.SIGTERM)
    assert (process.returncode, output) == (143, (b"", b""))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="a process is ended without notice on Windows")
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT, getattr(signal, "SIGHUP", None)])
def test_a_second_signal_does_not_disturb_the_clean_up(tmp_path: Path, by: signal.Signals) -> None:
    """``timeout`` sends every signal twice."""
    code = f"""if True:
        import os, signal, sys, shutil
        from tabiya.cli import main
        removed = shutil.rmtree
        def rmtree(*arguments, **options):
            for _ in range(2):
                os.kill(os.getpid(), {int(by)})
            removed(*arguments, **options)
        shutil.rmtree = rmtree
        def batches(*_):
            os.kill(os.getpid(), {int(by)})
            yield
        import tabiya.formats.pgn.database
        tabiya.formats.pgn.database.PgnDatabase._batches = batches
        sys.argv = ["tabiya", "convert", "in.pgn", "out.cbv"]
        main()
    """
    (tmp_path / "in.pgn").write_text(GAMES, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        check=False,
        preexec_fn=partial(signal.signal, by, signal.SIG_DFL),  # nohup, for example, ignores one
    )
    assert done.stderr == (b"tabiya: interrupted\n" if by == signal.SIGINT else b"")
    assert done.returncode == 128 + by
    assert [path.name for path in tmp_path.iterdir()] == ["in.pgn"]
