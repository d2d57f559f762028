"""What the formats of ChessBase have in common, whatever their files look like."""

from __future__ import annotations
