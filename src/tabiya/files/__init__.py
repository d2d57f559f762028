"""Safe reading and writing of files: all or nothing, in bounded memory, with errors that name the place.

Independent of the contents of files.
"""

from __future__ import annotations
