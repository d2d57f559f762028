from __future__ import annotations

from dataclasses import replace

from tabiya.formats import Profile
from tabiya.formats.matrix import markdown_matrix
from tests.formats.memory_format import BARE, FULL, SOME


def test_a_line_per_format_and_profile() -> None:
    plain = replace(FULL, title="Full", profiles=(Profile("plain", "plain profile", SOME.keeps),))
    assert markdown_matrix([plain, replace(BARE, title="Bare")]).splitlines() == [
        "| | variations | NAGs | text | rich annotations | tags | set-up positions | Chess960 | null moves "
        "| guiding texts | deletion marks |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
        "| Full | yes | yes | before/after, languages | yes | all | yes | yes | yes | yes | yes |",
        "| Full (plain profile) | yes | 3 per move | after | some | all | yes | yes | no | no | no |",
        "| Bare | no | no | no | no | some | no | no | no | no | no |",
    ]
