"""Records of binary files, each described by a table. Independent of chess and of any format."""

from __future__ import annotations

from tabiya.binary.layout import Field, Layout, Record, Records, Value

__all__ = ["Field", "Layout", "Record", "Records", "Value"]
