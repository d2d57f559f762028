"""A local web page and its HTTP API: routes that call the library and contain no chess rules.

Requires Starlette and uvicorn (``pip install tabiya[web]``); in tabiya only ``tabiya serve`` imports this package.
"""

from __future__ import annotations
