"""Input and output of a handler: the checked parameters of a request; answers; errors as sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabiya.errors import TabiyaError

if TYPE_CHECKING:
    from starlette.datastructures import QueryParams

    from tabiya.web.answers.server import Error

CODES: Final = {
    400: "bad_request",
    401: "token",
    403: "forbidden",
    404: "not_found",
    405: "method",
    409: "conflict",
    410: "gone",
    413: "too_large",
    415: "type",
    421: "host",
    422: "invalid",
    428: "precondition",
    500: "failed",
    503: "busy",
}
"""The error code for programs, by status."""


class ApiError(Exception):
    """An error response: a status and one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence

    def as_dict(self) -> Error:
        """Return the error for JSON."""
        code = CODES.get(self.status, "failed")
        return {"error": {"status": self.status, "code": code, "sentence": self.sentence}}


def error_of(error: TabiyaError) -> ApiError:
    """Return an error of the library as a response; only the name of a path is included."""
    place = [Path(error.path).name] if error.path else []
    place += [] if error.game is None else [f"game {error.game}"]
    place += [] if error.offset is None else [f"offset {error.offset}"]
    message = error.message.rstrip(".")
    sentence = f"{', '.join(place)}: {message}." if place else f"{message[:1].upper()}{message[1:]}."
    return ApiError(422, sentence)


@dataclass(frozen=True, slots=True)
class Later:
    """The result of a handler whose answer is not available yet: the event loop is not blocked."""

    when_done: Callable[[Callable[[], None]], Callable[[], None]]
    """Registers a function to call when the answer is available, maybe at once and from any thread; returns its
    cancellation."""
    seconds: float
    """Maximum time to wait, in seconds."""
    answer: Callable[[], Any]
    """Returns the answer, complete or not."""


@dataclass(frozen=True, slots=True)
class Call:
    """The parts of a request that handlers use."""

    path: Mapping[str, str]
    """The named parts of the path."""
    query: QueryParams
    body: Any = None
    """The parsed JSON body."""
    headers: Mapping[str, str] = field(default_factory=dict)

    def text(self, name: str, default: str | None = None) -> str | None:
        """Return a parameter; None if it is empty."""
        return self.query.get(name) or default

    def texts(self, name: str) -> list[str]:
        """Return all values of a parameter that is given several times."""
        return [text for text in self.query.getlist(name) if text]

    def flag(self, name: str) -> bool:
        """Return whether a parameter is 1, true, yes or on."""
        return (self.query.get(name) or "").lower() in {"1", "true", "yes", "on"}

    def number(self, name: str, default: int, least: int = 0, most: int = 2**31) -> int:
        """Return a parameter that is a number; one beyond its bounds is cut to them."""
        text = self.query.get(name)
        if not text:
            return default
        return max(least, min(_number(text, name), most))

    def place(self, name: str) -> int:
        """Return a number from the path."""
        return _number(self.path[name], name)

    def member(self, name: str, kind: type[Any] | tuple[type[Any], ...] = str, default: Any = None) -> Any:
        """Return a member of the JSON object in the body, which must be of this type."""
        body = {} if self.body is None else self.body
        if not isinstance(body, Mapping):
            raise ApiError(400, "The body of the request must be a JSON object.")
        value = body.get(name)
        if value is None:
            return default
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            names = kind.__name__ if isinstance(kind, type) else " or ".join(each.__name__ for each in kind)
            raise ApiError(422, f"“{name}” in the request is of another type than {_TYPES.get(names, names)}.")
        return value


_TYPES: Final = {"str": "a text", "int": "a number", "dict": "an object", "list": "a list", "bool": "true or false"}


def _number(text: str, name: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15):
        raise ApiError(422, f"“{name}” must be a whole number, not “{text[:40]}”.")
    return int(text)
