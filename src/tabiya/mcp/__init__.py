"""Databases and books for language models, over the Model Context Protocol (MCP).

The server reads and writes JSON on standard input and output, and changes nothing. Its tools call the handlers of the
HTTP API, so they have the same limits and the same rules for paths.
"""

from __future__ import annotations
