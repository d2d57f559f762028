"""What shells complete, and the man pages, both made from the descriptions of commands."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.man_pages import pages
from tabiya.cli.completion import SHELLS
from tabiya.cli.reference import commands
from tests.conftest import IN_CI
from tests.systems import needs_posix

CASES = {
    "tabiya con": {"convert"},
    "tabiya book ": {"build", "check", "convert", "diff", "edit", "merge", "repair", "show"},
    "tabiya book build --mem": {"--memory"},
    "tabiya convert a.pgn --to ep": {"epd"},
    "tabiya convert a.pgn --to 2": set[str](),
    "tabiya convert a.2cbh --from 2": {"2cbh"},
    "tabiya book convert a.ctg --to p": {"polyglot"},
    "tabiya table a.pgn --to t": {"tsv"},
    "tabiya completion b": {"bash"},
    "tabiya convert ga": {"games.pgn"},
    "tabiya convert games.pgn -o ga": {"games.pgn"},
    "tabiya search --thr": {"--threads"},
}
"""What completes a line, in a folder with the file ``games.pgn``."""

BASH = """
source "$1"
read -ra COMP_WORDS <<< "$2"
[[ $2 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_tabiya
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = """
source $argv[1]
complete -C $argv[2]
true
"""
ZSH = {
    "tabiya con": "convert",
    "tabiya book bu": "book build",
    "tabiya book build --mem": "book build --memory",
    "tabiya convert a.pgn --to ep": "convert a.pgn --to epd",
    "tabiya completion b": "completion bash",
    "tabiya convert ga": "convert games.pgn",
}
"""Lines with a single completion, and the arguments that they become."""


if sys.platform != "win32":
    import pty


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None and IN_CI:
        pytest.fail(f"{name} is missing", pytrace=False)
    if found is None:
        pytest.skip(f"SKIPPED: this test did not run; it did not pass: {name} is not installed")
    return found


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    (folder / "games.pgn").touch()
    for name, write in SHELLS.items():
        (folder / f"tabiya.{name}").write_text(write(commands()), "utf-8")
    return folder


@pytest.mark.parametrize("shell", ["bash", "fish"])
@pytest.mark.parametrize("line", CASES)
@needs_posix
def test_a_shell_completes(scripts: Path, shell: str, line: str, tmp_path: Path) -> None:
    ask = {"bash": [BASH, "bash"], "fish": [FISH]}[shell]
    environment = {**os.environ, "HOME": str(tmp_path), "LC_ALL": "C"}
    done = subprocess.run(
        [program(shell), "-c", *ask, str(scripts / f"tabiya.{shell}"), line],
        cwd=scripts,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found = {each.partition("\t")[0] for each in done.stdout.splitlines() if each}  # behind a tab: a description
    assert found == CASES[line], done.stderr


@pytest.mark.parametrize("line", ZSH)
@needs_posix
def test_zsh_completes(scripts: Path, line: str, tmp_path: Path) -> None:
    """Its functions work only while a line is typed: on a terminal."""
    shell = program("zsh")
    start = f"cd {scripts}; autoload -U compinit; compinit -u -D; source ./tabiya.zsh"
    report = "tabiya() { print -r -- 'argu''ments:' $* ':end' }; unsetopt list_beep; print re''ady"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TERM": "dumb", "LC_ALL": "C"}
    process, terminal = pty.fork()
    if process == 0:
        os.execve(shell, [shell, "-f", "-i"], environment)
    try:
        os.write(terminal, f"{start}; {report}\n".encode())
        _read_until(terminal, "ready")
        os.write(terminal, f"{line}\t\n".encode())
        shown = _read_until(terminal, ":end")
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)
    assert re.findall(r"arguments: (.*?) :end", shown) == [ZSH[line]]


def _read_until(terminal: int, word: str) -> str:
    shown = ""
    while word not in shown:
        shown += os.read(terminal, 4096).decode(errors="replace")
    return shown


@pytest.mark.parametrize("shell", SHELLS)
def test_the_scripts_are_sound(scripts: Path, shell: str, tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path)}
    command = [program(shell), "-n", str(scripts / f"tabiya.{shell}")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_pages_of_the_manual_are_sound(tmp_path: Path) -> None:
    written = pages()
    assert {f"tabiya-{command.name.replace(' ', '-')}.1" for command in commands()} | {"tabiya.1"} == written.keys()
    for name, text in written.items():
        (tmp_path / name).write_text(text, "utf-8")
    checked = subprocess.run(
        [program("mandoc"), "-T", "lint", "-W", "warning", *sorted(written)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line for line in checked.stdout.splitlines() if "missing date" not in line] == []
    shown = subprocess.run(
        ["mandoc", "-T", "ascii", "tabiya-search.1"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "--opposite-bishops" in re.sub(r".\x08", "", shown.stdout)
