"""All options at once: what holds for each of them, whatever its command does."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tabiya.cli.options import all_cores
from tabiya.cli.reference import program

CHOOSING = (
    *("analyse", "book build", "classify", "convert", "crosstable", "dedupe", "diff", "info", "list", "merge", "names"),
    *("novelties", "puzzles", "report", "search", "show", "sort", "split", "table", "tag", "texts", "verify"),
)
WITHOUT_NUMBERS = ("book convert", "explore", "player")
"""Commands that take conditions."""
THREADED = (
    *(
        "analyse",
        "book build",
        "book convert",
        "check",
        "classify",
        "compact",
        "convert",
        "crosstable",
        "dedupe",
        "diff",
        "edit",
    ),
    *("explore", "info", "library check", "library rebuild", "list", "merge", "names", "player", "search", "sort"),
    *("novelties", "puzzles", "report", "split", "table", "tag", "verify"),
)
"""Commands that work with several threads."""
SWITCHES = [
    pytest.param(option, id=f"{name} {option.opts[0]}")
    for name, command in sorted(program().items())
    for option in command.params
    if getattr(option, "is_flag", False)
]


@pytest.mark.parametrize("option", SWITCHES)
def test_a_switch_is_off_unless_it_is_given(option: Any) -> None:
    """Nobody can turn it off: one that is on from the start overwrites, or prints JSON, for good."""
    assert not option.default
    assert not option.secondary_opts


ANALYSED = {"from-ply": 1, "line-plies": 10, "lines": 1}
EXPLORED = {"moves": 12, "top-games": 4, "recent-games": 4, "orders": 0}


def test_numbers_have_these_limits() -> None:
    """What is taken if none is given, the least and the most that is allowed."""
    limits = {
        f"{name} {option.opts[0]}": (option.default, option.min, option.max)
        for name, command in program().items()
        for option in command.params
        if option.param_type_name == "option" and (option.min is not None or option.max is not None)
    }
    assert limits == {
        "book build --max-ply": (40, 1, 255),
        "book build --memory": (512, 64, None),
        "player --depth": (8, 0, 100),
        "serve --max-upload": (1024, 1, None),
        "serve --port": (8960, 0, 65535),
        **{f"{name} --engine-processes": (2, 1, 64) for name in ("mcp", "serve")},
        **{f"{name} --engine-seconds": (120, 1, 86400) for name in ("mcp", "serve")},
        "player --min-share": (10, 0, 100),
        "book build --min-games": (3, 1, None),
        **dict.fromkeys(
            [f"{name} --threads" for name in THREADED],
            (None, 1, None),
        ),
        **dict.fromkeys(["merge --memory", "sort --memory", "split --memory"], (None, 16, None)),
        "split --games": (None, 1, None),
        **dict.fromkeys([f"{name} --limit" for name in ("book check", "book diff", "check", "diff")], (None, 0, None)),
        **dict.fromkeys(
            [
                f"{name} --limit"
                for name in (
                    *("convert", "extract", "list", "merge", "novelties", "puzzles", "report", "search", "sort"),
                    *("split", "table", "verify"),
                )
            ],
            (None, 0, None),
        ),
        **{
            f"{name} --{bound}": (None, 0, None)
            for name in (*CHOOSING, *WITHOUT_NUMBERS)
            for bound in ("min-plies", "max-plies", "sample")
            if not (name in WITHOUT_NUMBERS and bound == "sample")
        },
        **dict.fromkeys(["search --lasting", "table --lasting", "novelties --depth"], (None, 1, None)),
        "puzzles --depth": (16, 1, None),
        "puzzles --verify-depth": (20, 1, None),
        **{f"explore --{name}": (number, 0, None) for name, number in EXPLORED.items()},
        **dict.fromkeys(["player --openings", "player --opponents"], (10, 0, None)),
        "show --ply": (None, 0, None),
        **{f"analyse --{name}": (None, 1, None) for name in ("depth", "nodes", "processes")},
        **{f"analyse --{name}": (number, 1, None) for name, number in ANALYSED.items()},
        **dict.fromkeys(["dedupe --limit", "dedupe --least-plies"], (None, 0, None)),
    }


def test_threads_are_as_many_as_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that this process may use where the system tells, else all, and one if nobody knows."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 5}, raising=False)
    assert all_cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert all_cores() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert all_cores() == 1
