"""tabiya opens any chess database and converts games between formats without loss.

    import tabiya

    with tabiya.open("games.pgn") as games:
        print(len(games), games[0])
    print(tabiya.convert("games.pgn", "games.bcgn").losses)

Everything is imported on first use, so ``import tabiya`` itself is fast. ``__init__.pyi`` lists the public names.
"""

from __future__ import annotations

from tabiya.lazy import public_names

_load, __dir__, __all__ = public_names(__name__)


def __getattr__(name: str) -> object:
    if name != "__version__":
        return _load(name)
    globals()[name] = value = _version()
    return value


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow

    try:
        return version(__name__)
    except PackageNotFoundError:  # running from a source tree that is not installed
        return "unknown"
