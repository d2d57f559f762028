"""Problems of libraries, as sentences."""

from __future__ import annotations

from typing import Final

__all__ = ["BAD_FACTS", "BAD_FILE", "BAD_INDEX", "BAD_LINES", "SENTENCES"]

BAD_FILE: Final = 230
BAD_FACTS: Final = 231
BAD_LINES: Final = 232
BAD_INDEX: Final = 233

SENTENCES: Final[dict[int, str]] = {
    BAD_FILE: "a file is not what the manifest of the library says",
    BAD_FACTS: "the row of the filter does not say what the game is",
    BAD_LINES: "the moves in the tapes are not those of the game",
    BAD_INDEX: "the position index is not that of the games",
}
