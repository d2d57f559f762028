"""Tables that somebody has looked through and saved: CSV as tabiya, a text editor or a spreadsheet writes it."""

from __future__ import annotations

import csv
from io import StringIO

__all__ = ["csv_rows"]


def csv_rows(text: str) -> csv.DictReader[str]:
    """Return the rows of a table by the names of its columns; in many countries spreadsheets put semicolons there."""
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    return csv.DictReader(StringIO(text, newline=""), delimiter=delimiter)
