"""Conversion of games to plain values (texts, numbers, lists) for JSON and user interfaces, and back.

Data that editors of the values do not understand is kept in ``stored``, so that nothing is lost.
"""

from __future__ import annotations

from tabiya.game.exchange.from_json import game_of_values
from tabiya.game.exchange.to_json import MOST_NODES, game_values

__all__ = ["MOST_NODES", "game_of_values", "game_values"]
