"""The data of single games (``.sg3``, ``.sg4``, ``.sg5``): kernels that read and write it, and the lists of pieces."""

from __future__ import annotations
