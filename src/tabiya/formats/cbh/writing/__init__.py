"""From batches to the files of a base, which change together or not at all."""

from __future__ import annotations
