"""What a report of a fault needs to know about an installation: versions, system, settings; nothing private."""

from __future__ import annotations

import os
import platform
import re
import sys
from importlib import metadata
from pathlib import Path

from tabiya.cli.options import all_cores
from tabiya.cli.preferences import settings_file


def environment() -> dict[str, str]:
    """Return facts about this installation by name. Paths begin with ``~`` where that is the user's folder."""
    implementation = platform.python_implementation()
    settings = settings_file()
    return {
        "python": f"{platform.python_version()} ({implementation}), {sys.maxsize.bit_length() + 1} bits",
        "system": platform.platform(),
        "processors": f"{all_cores()} of {os.cpu_count()} usable",
        "encoding": f"{sys.getfilesystemencoding()} for files, {sys.stdout.encoding} for output",
        **_packages(),
        "settings": "none" if settings is None or not settings.is_file() else _private(settings),
        "installed in": _private(Path(__file__).parents[1]),
    }


def _packages() -> dict[str, str]:
    """Return the versions of what tabiya needs or can use."""
    found = {}
    for requirement in metadata.requires("tabiya") or ():
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        extra = re.search(r'extra == "(\w+)"', requirement)
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            version = "not installed"
        found[name] = f"{version}{f' (extra {extra[1]})' if extra else ''}"
    return found


def _private(path: Path) -> str:
    """Return a path without the name of the user."""
    home = str(Path.home())
    return f"~{text.removeprefix(home)}" if (text := str(path)).startswith(home) else text
