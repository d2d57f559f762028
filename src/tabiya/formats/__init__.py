"""Database formats: one package each, all with the same interface.

Read first ``database`` and ``writer``, the base classes; then ``format``, the description of a format, and
``registry``, the list of all; then ``open_and_create``. ``operations`` works on databases of any format (``convert``);
``collection`` reads several databases as one. ``losses`` and ``loss_counting`` report what a target cannot hold. A
format consists of a description (``__init__``), ``database``, ``writer``, and its sentences (``messages``).

Importing this package is cheap; readers, writers and pyarrow are imported when they are first used.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
