"""Reading and writing files so that nothing is lost: whole or not at all, in bounded memory, errors that say where.

Nothing here knows what a file holds.
"""

from __future__ import annotations
