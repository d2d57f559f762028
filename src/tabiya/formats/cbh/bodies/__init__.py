"""The bodies of games and guiding texts: moves (``.cbg``) and annotations (``.cba``), read and written."""

from __future__ import annotations
