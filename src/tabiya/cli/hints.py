"""Hints of the library and of the option parser, translated for the shell.

Messages of the library use Python names: ``overwrite=True``, ``tabiya.build_book``. This module replaces them by
options and commands.
"""

from __future__ import annotations

import re
from typing import Any, Final

_IN_THE_SHELL: Final = {
    "overwrite=True": "--force",
    "append=True": "--append",
    "recursive=True": "--recursive",
    "memory_megabytes": "--memory",
    "min_games": "--min-games",
    "max_ply": "--max-ply",
    "tabiya.open_book": "tabiya book show",
    "tabiya.open": "tabiya list",
    "tabiya.build_book": "tabiya book build",
}
"""Names in messages of the library, and their counterparts in the shell."""

_PATTERNS: Final = {
    r"\blanguage='(\w+)'": r"--language \1",
    r"(has no option '\w+' here); it has: [\w, ]+": r"\1; --help lists the formats that have each option",
    r"'(\w+)' is for reading: give it to .*": r"--\1 is for reading",
}
"""The same by patterns."""

_PARSED: Final = {
    r"Input should be a valid integer.*|.* is not a valid int(?:eger)?(?: range)?\.?": "needs a whole number",
    r"Input should be a valid number.*|.* is not a valid float(?: range)?\.?": "needs a number",
    r"Input should be greater than or equal to (\S+)": r"must be at least \1",
    r"Input should be less than or equal to (\S+)": r"must be at most \1",
    r"(\S+) is not in the range (\S+?)\.?": r"must be \2, not \1",
}
"""Messages of typer and click about the value of an option, and a predicate for a sentence about that option."""

_SENTENCES: Final = {
    r"No such option: (\S+) \(Possible options: (.*)\)": r"there is no option \1; did you mean \2?",
    r"No such option:? (\S+?)\.? Did you mean (.*)\?": r"there is no option \1; did you mean \2?",
    r"No such option:? (\S+?)\.?": r"there is no option \1",
    r"No such command '(.*?)'\. Did you mean '?(.*?)'?\?": r"there is no command \1; did you mean \2?",
    r"No such command '(.*?)'\.": r"there is no command \1",
    r"Missing (?:argument|parameter) '?(.*?)'?\.": r"\1 is missing",
    r"Missing option (?:.* / )?'(.*?)'\.": r"the option \1 is missing",
    r"Option '(.*?)' requires (?:an argument|\d+ arguments)\.": r"the option \1 needs a value",
    r"Option '(.*?)' does not take a value\.": r"the option \1 takes no value",
    r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)": r"the argument \1 has no meaning here",
    r"Missing command\.": "a command is missing",
}
"""Other messages of typer and click, and the same in plain English."""


def with_options(text: object) -> str:
    """Return a sentence of the library as the command line prints it: ``overwrite=True`` is ``--force`` here."""
    from tabiya.formats.registry import options  # noqa: PLC0415 - only for messages to translate

    found = str(text)
    for pattern, shell in _PATTERNS.items():
        found = re.sub(pattern, shell, found)
    for python, shell in _IN_THE_SHELL.items():
        if python in found:
            found = found.replace(python, shell)
    switches = "|".join(option.name for option in (*options("reading"), *options("writing")) if option.type is bool)
    return re.sub(rf"\b({switches})=True\b", lambda found: f"tabiya convert --{found[1].replace('_', '-')}", found)


def translated(value: Any) -> Any:
    """Return a report for JSON, in which every ``sentence`` is one of the shell."""
    if isinstance(value, dict):
        return {name: with_options(each) if name == "sentence" else translated(each) for name, each in value.items()}
    return [translated(each) for each in value] if isinstance(value, list) else value


def parser_sentence(message: str, value: str, option: str | None) -> str:
    """Return a complaint of the option parser as the end of a sentence.

    ``message`` is the whole complaint; ``value`` is its text about the value of ``option``, if there is one.
    """
    if option is not None:
        for pattern, text in _PARSED.items():
            if found := re.fullmatch(pattern, value, re.DOTALL):
                return f"{option} {found.expand(text)}"
    for pattern, text in _SENTENCES.items():
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return found.expand(text)
    return f"{message[:1].lower()}{message[1:].removesuffix('.')}"
