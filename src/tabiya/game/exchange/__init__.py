"""A game as plain values (texts, numbers, lists) for JSON and those who show it, and the game of such values again.

What is not understood by those who edit the values travels along in ``stored``, so that nothing gets lost on the way.
"""

from __future__ import annotations

from tabiya.game.exchange.from_json import game_of_values
from tabiya.game.exchange.to_json import MOST_NODES, game_values

__all__ = ["MOST_NODES", "game_of_values", "game_values"]
