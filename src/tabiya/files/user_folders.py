"""Folders of this user, by the conventions of the system."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def state_folder() -> Path:
    """Return the folder for what is remembered from one run to the next; it may not exist yet."""
    return _folder("XDG_STATE_HOME", Path(".local") / "state", Path("Library") / "Application Support")


def cache_folder() -> Path:
    """Return the folder for what can be computed again; it may not exist yet."""
    return _folder("XDG_CACHE_HOME", Path(".cache"), Path("Library") / "Caches")


def _folder(variable: str, usual: Path, on_mac: Path) -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "tabiya"
    if sys.platform == "darwin":
        return home / on_mac / "tabiya"
    return Path(os.environ.get(variable) or home / usual) / "tabiya"
