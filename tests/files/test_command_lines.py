from __future__ import annotations

from pathlib import Path

import pytest

from tabiya.files.command_lines import split_command
from tests.systems import needs_posix

CASES = {
    "vi": (["vi"], ["vi"]),
    "code --wait": (["code", "--wait"], ["code", "--wait"]),
    '"C:\\Program Files\\e.exe" -x': (["C:\\Program Files\\e.exe", "-x"], ["C:\\Program Files\\e.exe", "-x"]),
    "C:\\bin\\e.exe -x 'a b'": (["C:bine.exe", "-x", "a b"], ["C:\\bin\\e.exe", "-x", "a b"]),
    "e # ;": (["e", "#", ";"], ["e", "#", ";"]),
    '""': ([""], [""]),
    "": ([], []),
}
"""The words of a command elsewhere, and on Windows."""


@pytest.mark.parametrize("command", CASES)
def test_words(command: str) -> None:
    assert (split_command(command, windows=False), split_command(command, windows=True)) == CASES[command]


@pytest.mark.parametrize("windows", [False, True])
def test_a_quotation_without_an_end(*, windows: bool) -> None:
    with pytest.raises(ValueError, match="No closing quotation"):
        split_command("e 'a", windows=windows)


@needs_posix
@pytest.mark.parametrize("windows", [False, True])
def test_the_path_of_a_program_needs_no_quotes(tmp_path: Path, *, windows: bool) -> None:
    program = tmp_path / "my engine"
    program.write_bytes(b"")
    program.chmod(0o755)
    assert split_command(str(program), windows=windows) == [str(program)]
