"""A web page on one's own machine, and the HTTP API behind it: routes that call the library and know no chess.

Needs Starlette and uvicorn (``pip install tabiya[web]``); nothing of tabiya imports this room but ``tabiya serve``.
"""

from __future__ import annotations
