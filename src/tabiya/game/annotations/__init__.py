"""Annotations: texts, NAGs and everything else that hangs on a move. A module per family of kinds.

The values of the kinds, and the text form, are imported when they are first used: most programs need neither.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
