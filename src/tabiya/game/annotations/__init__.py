"""Annotations: texts, NAGs and all other data attached to moves. One module per family of kinds.

The values of the kinds, and the text form, are imported on first use: most programs need neither.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
