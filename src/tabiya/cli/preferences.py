"""Defaults of options from the user's settings, a TOML file.

Only preferences have defaults: no setting can replace or change a file, or choose other games.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.user_folders import user_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EVERYWHERE: Final = ("threads", "engine", "option", "processes", "cache", "memory", "dialect", "spreadsheet")
"""Options with one default for all commands that have them, and one of its own in the table of a command."""
IN_TABLES: Final = (
    *("depth", "nodes", "time", "lines", "line-plies", "verify-depth", "judge"),
    *("columns", "tie-breaks", "top-games", "recent-games", "openings", "opponents", "min-share"),
    *("port", "no-browser", "max-upload", "engine-processes", "engine-seconds"),
)
"""Options with a default in the table of a command only, because they differ between commands."""
_NEEDS: Final = {"dialect": ("profile", "plain")}
"""Defaults that apply only if another option has this value."""
_VARIABLE: Final = "TABIYA_CONFIG"


def settings_file() -> Path | None:
    """Return the file of the user's settings, which need not exist; None if ``TABIYA_CONFIG`` is empty."""
    named = os.environ.get(_VARIABLE)
    if named is not None:
        return Path(named).expanduser() if named else None
    return user_folder("config") / "config.toml"


def defaults_of(command: str, parameters: Sequence[Any]) -> dict[str, Any]:
    """Return the defaults for the parameters of a command, by their names in Python.

    Raises:
        UsageError: The file contains something else than defaults.
    """
    path = settings_file()
    if path is None or not path.is_file():
        return {}
    import tomllib  # noqa: PLC0415 - most users have no settings

    with errors_of(path):
        content = path.read_bytes()
    try:
        settings = tomllib.loads(content.decode())
    except ValueError as error:
        raise UsageError(f"these settings are not TOML: {error}", path=path) from error
    options = {name.removeprefix("--"): each for each in parameters for name in each.opts if name.startswith("--")}
    found = {}
    for name, value in _chosen(settings, command, path).items():
        if (option := options.get(name)) is not None:
            found[option.name] = _fitting(option, value, name, path)
        elif name not in EVERYWHERE:
            raise UsageError(f'"tabiya {command}" has no option --{name}; remove it from the settings', path=path)
    return found


def without_unneeded(given: dict[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a command without defaults that do not apply to the other arguments."""
    unneeded = {
        name
        for name, (other, value) in _NEEDS.items()
        if name in defaults and given[name] == defaults[name] and given[other] != value
    }
    return {name: None if name in unneeded else value for name, value in given.items()}


def _chosen(settings: Mapping[str, Any], command: str, path: Path) -> dict[str, Any]:
    """Return the settings for a command: those of its table before those for all commands."""
    general = {name: value for name, value in settings.items() if not isinstance(value, dict)}
    _check(general, EVERYWHERE, path, "outside of the table of a command")
    table: Any = settings
    for word in command.split():
        table = table.get(word, {})
        if not isinstance(table, dict):
            return general
    own = {name: value for name, value in table.items() if not isinstance(value, dict)}
    _check(own, EVERYWHERE + IN_TABLES, path, f"in the table of {command}")
    return general | own


def _check(given: Mapping[str, Any], allowed: Sequence[str], path: Path, where: str) -> None:
    unknown = next((name for name in given if name not in allowed), None)
    if unknown is not None:
        raise UsageError(f"{unknown!r} cannot be set {where}; these options can: {', '.join(allowed)}", path=path)


def _fitting(option: Any, value: Any, name: str, path: Path) -> Any:
    """Return the value as the parser wants it."""
    if option.is_flag:
        fits = isinstance(value, bool)
    elif option.multiple:
        value = [value] if isinstance(value, str) else value
        fits = isinstance(value, list) and all(isinstance(each, str) for each in value)
    else:
        fits = isinstance(value, (str, int)) and not isinstance(value, bool)
    if not fits:
        wanted = "true or false" if option.is_flag else "a list of texts" if option.multiple else "a text or a number"
        raise UsageError(f"the setting {name!r} must be {wanted}", path=path)
    return value
