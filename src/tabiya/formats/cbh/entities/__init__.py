"""Players, tournaments, annotators, sources, teams and game tags: their files, with the search trees in them."""

from __future__ import annotations
