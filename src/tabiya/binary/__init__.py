"""Records of binary files, described once by a table. Knows neither chess nor any format."""

from __future__ import annotations

from tabiya.binary.layout import Field, Layout, Record, Records, Value

__all__ = ["Field", "Layout", "Record", "Records", "Value"]
