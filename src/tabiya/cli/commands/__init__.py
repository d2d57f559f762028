"""The commands, one module each, or one for several of the same kind."""

from __future__ import annotations
