"""Archives (``.cbv``, encrypted ``.cbz``): bases packed into one file."""

from __future__ import annotations
