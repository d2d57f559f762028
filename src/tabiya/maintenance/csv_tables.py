"""Tables that a person has reviewed and saved: CSV from tabiya, a text editor or a spreadsheet."""

from __future__ import annotations

import csv
from io import StringIO


def csv_rows(text: str) -> csv.DictReader[str]:
    """Return the rows of a table by column name; spreadsheets use semicolons in many countries."""
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    return csv.DictReader(StringIO(text, newline=""), delimiter=delimiter)
