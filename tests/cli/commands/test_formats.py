from __future__ import annotations

import json

from tests.cli.conftest import Run


def test_the_list_and_the_matrix(run: Run) -> None:
    lines = run("formats").stdout.splitlines()
    assert lines[0] == "pgn      Portable Game Notation (.pgn .pgn.zst .pgn.gz .pgn.bz2 .pgn.xz): read, write"
    head = next(line for line in lines if "variations" in line)
    bare = lines[-1]
    assert bare.startswith("Test format that keeps bare")
    assert bare[head.index("variations") :].startswith("no ")


def test_json(run: Run) -> None:
    pgn, *_, bare = json.loads(run("formats", "--json").stdout)
    assert pgn["suffixes"][0] == ".pgn"
    assert pgn["keeps"]["symbols"] == "all"
    assert [profile["name"] for profile in pgn["profiles"]] == ["plain"]
    assert bare["keeps"]["tags"] == ["Black", "White"]
