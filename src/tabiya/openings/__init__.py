"""Names of openings, by position and by text. Knows no rules and no files: a position is represented by its key."""

from __future__ import annotations

from tabiya.openings.names import Opening, all_openings, codes_of, find, opening_at

__all__ = ["Opening", "all_openings", "codes_of", "find", "opening_at"]
