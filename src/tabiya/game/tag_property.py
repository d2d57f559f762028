"""Properties of a game that read and write its tags: ``game.white``, ``game.white_elo``, ``game.date``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol, Self

    from tabiya.game.tags import Tags

    class Tagged(Protocol):
        """An object with tags."""

        @property
        def tags(self) -> Tags: ...


Value = TypeVar("Value")
Given = TypeVar("Given")


class TagProperty(Generic[Value, Given]):
    """A property that parses the text of a tag, and formats assigned values.

    Reading returns None if there is no such tag, or its text is invalid. Assigning None removes the tag.
    """

    def __init__(
        self, tag: str, parse: Callable[[str], Value | None], text_of: Callable[[Given], str], doc: str = ""
    ) -> None:
        """Create a property for ``tag``; ``text_of`` rejects invalid values with a ``UsageError``."""
        self._tag = tag
        self._parse = parse
        self._text_of = text_of
        self.__doc__ = doc or f"The text of the tag ``{tag}``; None if there is no such tag."

    @overload
    def __get__(self, game: None, owner: type) -> Self: ...
    @overload
    def __get__(self, game: Tagged, owner: type) -> Value | None: ...
    def __get__(self, game: Tagged | None, owner: type) -> Self | Value | None:
        if game is None:
            return self
        text = game.tags.get(self._tag)
        return None if text is None else self._parse(text)

    def __set__(self, game: Tagged, value: Given | None) -> None:
        if value is None:
            game.tags.discard(self._tag)
        else:
            game.tags[self._tag] = self._text_of(value)

    def __delete__(self, game: Tagged) -> None:
        game.tags.discard(self._tag)
