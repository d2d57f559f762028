"""What a route of the API is: its address, its handler, and its description."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from tabiya.web.request import Call
    from tabiya.web.site import Site


class Parameter(NamedTuple):
    """A parameter in the address."""

    name: str
    help: str
    kind: Literal["string", "integer", "boolean"] = "string"


@dataclass(frozen=True, slots=True)
class Route:
    """One route of the API."""

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    handler: Callable[[Site, Call], Any]
    """The handler: returns values for JSON, nothing, or a response."""
    summary: str
    parameters: tuple[Parameter, ...] = ()
    body: str = ""
    """A description of its JSON object; empty for no body."""
    status: int = 200
    media_type: str = "application/json"
    """Media type of the response."""
    answer: type | None = None
    """The schema of the response, if it is JSON."""
    unfinished: type | None = None
    """The schema of the response with status 202, while there is no answer yet."""

    @property
    def subject(self) -> str:
        """The part of the API it belongs to: the module of its handler."""
        return self.handler.__module__.rpartition(".")[2]
