"""Passwords: no command ever shows one, wherever it was put, and they may come from a prompt."""

from __future__ import annotations

import os
import select
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymysql
import pytest
from typer.testing import CliRunner

import tabiya
from tabiya.books.open_and_create import create_book, open_book
from tabiya.cli import options
from tabiya.cli.app import app
from tabiya.cli.reference import program
from tabiya.errors import TabiyaError, UsageError, redacted
from tabiya.files.file_errors import errors_of
from tabiya.formats.url import local_path, url_of
from tests.cli.conftest import GAMES, Run

if os.name != "nt":
    import fcntl
    import pty
    import termios

SECRET = "hunter2"
URL = f"mysql://me:{SECRET}@127.0.0.1:1/jose"
MALFORMED = [
    f"mysql:/me:{SECRET}@127.0.0.1:1/jose",
    f"mysql:me:{SECRET}@127.0.0.1:1/jose",
    f"mysql//me:{SECRET}@127.0.0.1:1/jose",
    f"mysql;//me:{SECRET}@127.0.0.1:1/jose",
    f"mysql:///me:{SECRET}@127.0.0.1:1/jose",
    f"mysql:\\\\me:{SECRET}@127.0.0.1:1\\jose",
    f" mariadb://me:{SECRET}@127.0.0.1:1/jose",
    f"MySQL:/me:{SECRET}@127.0.0.1:1/jose.pgn",
    f"mysql://me:x/{SECRET}@127.0.0.1:1/jose",
    f"mysql:/me:x/{SECRET}@127.0.0.1:1/jose",
    f"mysql://me:{SECRET}/x@127.0.0.1:1/jose",
    f"mysql:/me:{SECRET}/x@127.0.0.1:1/jose",
    f"mysql://me:{SECRET}@x@127.0.0.1:1/jose",
    f"mysql://me:x {SECRET}?y@127.0.0.1:1/jose",
    f"mysql://me%3A{SECRET}@127.0.0.1:1/jose",
    f"mysql://127.0.0.1:{SECRET}/jose",
    f"mysql://me@127.0.0.1:1/jose?password={SECRET}",
    f"mysql:/127.0.0.1/jose?passwd={SECRET}",
    f"mysql://me@127.0.0.1:1/jose?token={SECRET}",
    f"mysql://me@127.0.0.1:1/jose?{SECRET}=x",
    f"mysql://me@127.0.0.1:1/jose?{SECRET}",
    f"jdbc:mysql:/me:{SECRET}@127.0.0.1:1/jose",
    f"me:{SECRET}@127.0.0.1:1/jose",
]


def shown_by(*arguments: str) -> str:
    """All that a command says, and what its errors would say in tracebacks."""
    done = CliRunner().invoke(app, list(arguments), prog_name="tabiya")
    error: BaseException | None = done.exception
    assert error is None or isinstance(error, SystemExit), arguments
    while error is not None and not isinstance(error, TabiyaError):
        error = error.__context__
    causes = "" if error is None else "".join(traceback.format_exception(error))
    # Nobody gives a password as the name of an encoding: there it is enough that the sentence does not show it.
    return done.stdout + done.stderr + ("" if arguments[-2].startswith("--") else causes)


USUAL = {"number": "1", "numbers": "1", "file": "games.pgn", "files": "games.pgn", "source": "games.pgn"}
COMMANDS = program()
CONDITIONS = frozenset({"players", "white", "black", "event", "site", "tags", "eco", "annotator"})
"""Texts to look for; any text will do."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(GAMES, "utf-8")
    tabiya.convert("games.pgn", "base.cbh")
    return tmp_path


def lines_with(name: str, location: str) -> Iterator[list[str]]:
    """A command with a location in the place of each argument and option; all else is as it should be."""
    parameters = COMMANDS[name].params
    for tried in parameters:
        is_argument = tried.param_type_name == "argument"
        if not is_argument and (tried.is_flag or tried.name in CONDITIONS):
            continue
        line = name.split()
        for each in parameters:
            if each is tried:
                line += [location] if is_argument else [each.opts[0], location]
            elif each.param_type_name == "argument":
                line.append("base.cbh" if each.name == "base" else USUAL.get(each.name, f"new-{each.name}.pgn"))
        yield line
        if is_argument and any("--json" in each.opts for each in parameters):
            yield [*line, "--json"]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_no_command_shows_a_password(name: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)  # a page that is served would be served for ever
    monkeypatch.setenv("VISUAL", "true")  # an editor would wait for its user
    for line in [line for location in (URL, MALFORMED[0]) for line in lines_with(name, location)]:
        assert SECRET not in shown_by(*line), line
    assert not [path for path in place.rglob("*") if SECRET in path.name]


@pytest.mark.parametrize("location", MALFORMED)
def test_no_spelling_shows_a_password(location: str, place: Path) -> None:
    for line in (["info", location, "--json"], ["copy", location, "x"], ["pack", "base.cbh", location]):
        assert SECRET not in shown_by(*line), line
    for line in (["book", "show", location], ["texts", "base.cbh", "--export", location]):
        assert SECRET not in shown_by(*line), line
    assert not [path for path in place.rglob("*") if SECRET in path.name]


@pytest.mark.parametrize("location", [URL, *MALFORMED[:3]])
def test_the_program_itself_shows_none(location: str) -> None:
    for arguments in (
        ["list", location],
        ["list", f"--{location}"],
        ["list", "x", location],
        ["book", location],
        ["show", location],
    ):
        assert SECRET not in shown_by(*arguments), arguments


@pytest.mark.parametrize("location", [URL, *MALFORMED])
def test_the_library_shows_none(location: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for use in (tabiya.open, tabiya.create, open_book, create_book, local_path):
        with pytest.raises(TabiyaError) as caught:
            use(location)
        result = "".join(traceback.format_exception(caught.value)).replace(f"use({location!r})", "")
        assert SECRET not in result + repr(caught.value) + str(caught.value.args), use


def test_paths_that_a_url_was_made_into() -> None:
    """Somebody's ``Path("mysql://…")`` is not stopped at the door; errors about it still say nothing."""
    path = Path(URL)
    for use in (tabiya.open, open_book):
        with pytest.raises(TabiyaError) as caught:
            use(path)
        result = "".join(traceback.format_exception(caught.value))
        assert SECRET not in result
        assert "mysql:/me:***@127.0.0.1:1/jose" in result


def test_errors_are_made_of_redacted_texts() -> None:
    error = UsageError(f"this is no FEN: {URL!r}", path=f"/home/me/{MALFORMED[0]}")
    assert str(error) == "/home/me/mysql:/me:***@127.0.0.1:1/jose: this is no FEN: 'mysql://me:***@127.0.0.1:1/jose'"
    with pytest.raises(TabiyaError) as caught, errors_of(Path(URL)):
        Path(URL).read_bytes()
    assert caught.value.__cause__ is None
    with pytest.raises(TabiyaError) as caught, errors_of(Path("nowhere")):
        Path("nowhere").read_bytes()
    assert isinstance(caught.value.__cause__, FileNotFoundError)


@pytest.mark.parametrize(
    "text",
    [
        "12:30 me@home.pgn",
        "C:\\me@home\\a:b.pgn",
        "/home/me@work/games.pgn",
        "mysql/jose",
        "White=a&Black=b",
        "https://lichess.org/@/me",
        "mysql://me@host:3306/base?unix_socket=/tmp/x",
    ],
)
def test_texts_without_a_password_stay_as_they_are(text: str) -> None:
    assert redacted(text) == text
    if "://" not in text:
        assert url_of(text) is None


def test_a_file_may_be_called_like_a_url(place: Path) -> None:
    folder = place / "a:b@host"
    folder.mkdir()
    (place / "games.pgn").rename(folder / "jose")
    assert url_of("a:b@host/jose") is None
    with tabiya.open("./a:b@host/jose") as games:
        assert len(games) == 3
    with pytest.raises(UsageError, match=r"before the name of a file that looks like a URL write \./"):
        url_of("a:b@host/other")


class TestPrompt:
    @pytest.fixture
    def asked(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The questions that were asked; the answer is always the same."""
        questions: list[str] = []
        monkeypatch.setattr(options, "_has_terminal", lambda: True)

        def answer(question: str) -> str:
            questions.append(question)
            return SECRET

        monkeypatch.setattr("getpass.getpass", answer)
        return questions

    def test_archives(self, run: Run, place: Path, asked: list[str]) -> None:
        run("pack", "base.cbh", "a.cbz")
        assert asked == ["Password of a.cbz: ", "Repeat the password: "]
        for line in (
            ["list", "a.cbz"],
            ["info", "a.cbz"],
            ["extract", "a.cbz"],
            ["show", "a.cbz", "1"],
            ["texts", "a.cbz"],
            ["diff", "base.cbh", "a.cbz"],
            ["extract", "a.cbz", "--password", "-"],
            ["convert", "a.cbz", "out.cbv", "--password", "-"],
        ):
            asked.clear()
            assert SECRET not in run(*line).output
            assert asked == ["Password of a.cbz: "], line
        asked.clear()
        run("convert", "base.cbh", "b.cbz")
        assert asked == ["Password of b.cbz: ", "Repeat the password: "]
        asked.clear()
        run("convert", "a.cbz", "c.cbz", "--password", "-")
        assert asked == ["Password of a.cbz: ", "Password of c.cbz: ", "Repeat the password: "]
        asked.clear()
        run("list", "a.cbz", "--password", SECRET)
        run("list", "base.cbh", "--password", "-")
        run("list", "games.pgn")
        assert asked == []

    def test_two_answers_that_differ(self, run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(options, "_has_terminal", lambda: True)
        answers = iter(["one", "two"])
        monkeypatch.setattr("getpass.getpass", lambda _: next(answers))
        assert "the two passwords differ" in run("pack", "base.cbh", "a.cbz", code=2).stderr
        assert not (place / "a.cbz").exists()

    def test_no_answer(self, run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def end(_: str) -> str:
            raise EOFError

        monkeypatch.setattr(options, "_has_terminal", lambda: True)
        monkeypatch.setattr("getpass.getpass", end)
        assert run("list", "a.cbz", code=2).stderr == "tabiya: a.cbz: no password was given\n"

    def test_without_a_terminal(self, run: Run, place: Path) -> None:
        run("pack", "base.cbh", "a.cbz", "--password", SECRET)
        for line in (["list", "a.cbz"], ["extract", "a.cbz"], ["convert", "base.cbh", "b.cbz"]):
            output = run(*line, "--password", "-", code=2).stderr
            assert "no terminal to ask for the password; give it with --password TEXT" in output
            assert "password" in run(*line, code=2).stderr
        output = run("info", "mysql://me@127.0.0.1:1/jose", "--password", "-", code=2).stderr
        assert output.startswith("tabiya: mysql://me@127.0.0.1:1/jose: no terminal")

    @pytest.mark.parametrize(
        ("location", "line", "environment", "tried", "questions"),
        [
            ("mysql://me@h/jose", [], None, ["", SECRET], 1),
            ("mysql://me@h/jose", ["--password", "-"], None, [SECRET], 1),
            ("mysql://me@h/jose", ["--password", "x"], None, ["x"], 0),
            ("mysql://me:own@h/jose", ["--password", "-"], None, ["own"], 0),
            ("mysql://me:own@h/jose", [], "env", ["own"], 0),
            ("mysql://me@h/jose", [], "env", ["env"], 0),
            ("mysql://me@h/jose", ["--password", "x"], "env", ["x"], 0),
        ],
    )
    def test_servers(
        self,
        location: str,
        line: list[str],
        environment: str | None,
        tried: list[str],
        questions: int,
        run: Run,
        asked: list[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Asked is who wants a password and was given none: jose's own server wants none."""
        passwords = []

        def connect(**given: Any) -> Any:
            passwords.append(given["password"])
            code = 2003 if given["password"] == SECRET else 1045
            raise pymysql.err.OperationalError(code, "not today")

        monkeypatch.setattr(pymysql, "connect", connect)
        monkeypatch.delenv("MYSQL_PWD", raising=False)
        if environment is not None:
            monkeypatch.setenv("MYSQL_PWD", environment)
        for command in (["info", location], ["convert", location, "x.pgn"]):
            passwords.clear()
            asked.clear()
            assert "not today" in run(*command, *line, code=3).stderr
            assert passwords == tried
            assert asked == ["Password of mysql://me@h/jose: "] * questions

    @pytest.mark.skipif(os.name == "nt", reason="SKIPPED: this test did not run; it needs a pseudo-terminal")
    def test_a_real_terminal(self, place: Path, start: Run) -> None:
        """What is typed is not shown."""
        tabiya.convert("base.cbh", "a.cbz", password=SECRET)
        ours, theirs = pty.openpty()
        process = start(
            *("list", "a.cbz"),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(theirs)
        shown = b""
        try:
            while b"Password of a.cbz: " not in shown:
                shown += _read(ours)
            os.write(ours, f"{SECRET}\n".encode())
            while piece := _read(ours):
                shown += piece
            assert process.wait(60) == 0
        finally:
            process.kill()
            os.close(ours)
        assert b"Morphy" in shown
        assert SECRET.encode() not in shown


def _own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _read(terminal: int) -> bytes:
    """What the other end has written; nothing at its end."""
    assert select.select([terminal], [], [], 60)[0], "the program does not answer"
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other end was closed
        return b""
