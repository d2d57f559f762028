"""The files of a base: one module per suffix with the layout of its records, and shared code."""

from __future__ import annotations
