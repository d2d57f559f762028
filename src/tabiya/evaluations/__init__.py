"""What evaluations and clocks say about games: win chances, accuracy, judgements, phases.

Works on the values that games contain (``[%eval]``, ``[%clk]``, those of ChessBase); no engine is needed.
``docs/evaluations.md`` has all formulas.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
