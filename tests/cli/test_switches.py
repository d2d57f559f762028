"""All options at once: what holds for each of them, whatever its command does."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.cli_docs import commands

SWITCHES = [
    pytest.param(option, id=f"{name} {option.opts[0]}")
    for name, command in sorted(commands().items())
    for option in command.params
    if getattr(option, "is_flag", False)
]


@pytest.mark.parametrize("option", SWITCHES)
def test_a_switch_is_off_unless_it_is_given(option: Any) -> None:
    """Nobody can turn it off: one that is on from the start overwrites, or prints JSON, for good."""
    assert not option.default
    assert not option.secondary_opts
