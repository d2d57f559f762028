"""The command line: parses arguments, calls the library, shows results. Knows neither formats nor rules.

Modules here import nothing heavy at the top: ``tabiya --help`` must answer at once.
"""

from __future__ import annotations

from tabiya.cli.app import main

__all__ = ["main"]
