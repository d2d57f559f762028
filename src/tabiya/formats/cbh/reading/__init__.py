"""From the files of a base to batches: headers, bodies, guiding texts."""

from __future__ import annotations
