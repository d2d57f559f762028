"""Messages of libraries, as sentences."""

from __future__ import annotations

from typing import Final

BAD_FILE: Final = 230
BAD_FACTS: Final = 231
BAD_LINES: Final = 232
BAD_INDEX: Final = 233

SENTENCES: Final[dict[int, str]] = {
    BAD_FILE: "a file differs from the manifest of the library",
    BAD_FACTS: "the row of the filter does not match the game",
    BAD_LINES: "the moves in the tapes do not match the game",
    BAD_INDEX: "the position index does not match the games",
}
