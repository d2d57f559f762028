"""The folders that a system keeps for the files of programs: settings, caches, states."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, Literal

_XDG: Final = {
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "state": ("XDG_STATE_HOME", ".local/state"),
}
"""By kind: the variable that names the folder, and where it is without that."""


def user_folder(kind: Literal["cache", "config", "state"]) -> Path:
    """Return the folder of tabiya for one kind of file; it need not exist."""
    home = Path.home()
    if sys.platform == "win32":
        variable, place = ("APPDATA", "Roaming") if kind == "config" else ("LOCALAPPDATA", "Local")
        folder = Path(os.environ.get(variable) or home / "AppData" / place)
    elif sys.platform == "darwin":
        folder = home / "Library" / ("Caches" if kind == "cache" else "Application Support")
    else:
        variable, place = _XDG[kind]
        folder = Path(os.environ.get(variable) or home / place)
    return folder / "tabiya"
