"""Games and positions in notebooks, to step through: the extra ``notebook``, which installs ``anywidget``.

``tabiya.viewer(game)`` returns the widget. A game that is the last value of a cell becomes one by itself; without
anywidget it is shown as it is, without buttons. Nothing is loaded from elsewhere.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
