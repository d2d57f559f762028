"""The schemas of all API responses, defined once: OpenAPI, its page and ``types.ts`` are derived from them.

A member that is ``NotRequired`` may be missing, one that is ``| None`` may be null. The text in ``Annotated`` describes
a member. Games are sent in both directions, so members of a node that the page need not send back are not required.
"""

from __future__ import annotations
