"""``python -m tabiya`` is the command line."""

from __future__ import annotations

from tabiya.cli import main

if __name__ == "__main__":
    main()
