"""The shapes of all answers of the API, written once: OpenAPI, its page and ``types.ts`` follow from them.

A member that is ``NotRequired`` may be missing, one that is ``| None`` may be null. The text in ``Annotated`` describes
a member. Games travel in both directions, so members of a node that the page need not send back are not required.
"""

from __future__ import annotations
