"""Analysis with engines: any program that speaks UCI, driven as a process of its own.

    import tabiya

    with tabiya.Engine("stockfish", options={"Threads": 2}) as engine:
        analysis = engine.analyse(tabiya.Position(), depth=18, lines=3)
        for line in analysis.lines:
            print(line.evaluation, line.san)

No engine is part of tabiya, and none is started unless a caller names it.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
