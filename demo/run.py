"""The main job of tabiya on the games in ``examples/``: look, convert, compare, verify; then the same from Python.

Run by ``make demo``. Works in a temporary directory, prints every command with its output, and fails if one of them
does not end as it should.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples" / "classics.pgn"

FINE, LOSSES, REFUSED = 0, 1, 3
"""Exit codes: all well; finished with losses or differences; nothing written because of them."""

SHELL = (
    ("What is in the file?", "info classics.pgn", FINE),
    ("Its games, or those that meet conditions.", "list classics.pgn --player tartakower", FINE),
    ("One game, and the board after 17 half-moves.", "show classics.pgn 4 --ply 17", FINE),
    ("Play every move of every variation again: are they all legal?", "verify classics.pgn", FINE),
    ("Convert: everything is kept, and packed on the way.", "convert classics.pgn all.pgn.zst", FINE),
    ("Is it really all there?", "diff classics.pgn all.pgn.zst", FINE),
    (
        "A PGN for programs that know plain PGN only: what it cannot hold is counted (exit code 1).",
        "convert classics.pgn plain.pgn --profile plain",
        LOSSES,
    ),
    ("What exactly was it?", "diff classics.pgn plain.pgn", LOSSES),
    (
        "Or accept no loss at all: then nothing is written (exit code 3).",
        "convert classics.pgn never.pgn --profile plain --strict",
        REFUSED,
    ),
    (
        "A ChessBase database; it has no field for some tags, and tells so (exit code 1).",
        "convert classics.pgn classics.cbh",
        LOSSES,
    ),
    ("And out of it again.", "convert classics.cbh back.pgn", FINE),
    ("Nothing was lost on that way.", "diff classics.cbh back.pgn", FINE),
    ("An opening book in ChessBase's format.", "book build classics.pgn classics.ctg --min-games 1", FINE),
    ("What does it say about the open games?", "book show classics.ctg e4 e5", FINE),
)

PYTHON = (
    (
        "A position knows the rules.",
        """
position = tabiya.Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
print(len(position.legal_moves()), position.san(position.parse_uci("e1g1")), f"{position.key:016x}")
""",
    ),
    (
        "A database is a sequence of games; a game is a tree of moves.",
        """
games = tabiya.open("all.pgn.zst")
game = games[0]
node = next(node for node in game.mainline() if node.san == "Bxg1")
print(node, node.nags, "or", node.variations[0], node.variations[0].end().text)
""",
    ),
    (
        "Make Steinitz's defence the main line, and write the game.",
        """
node.variations[0].promote()
print(" ".join(node.san for node in game.mainline() if node.ply > 34))
with tabiya.create("steinitz.pgn") as writer:
    writer.write(game)
print(writer.written, "game,", writer.losses.summary())
""",
    ),
)


def run_command(why: str, command: str, expected: int) -> None:
    """Show a command of tabiya with its output; end the demonstration if its exit code is another one."""
    print(f"# {why}\n$ tabiya {command}")
    arguments = [sys.executable, "-m", "tabiya", *shlex.split(command)]
    done = subprocess.run(arguments, env={**os.environ, "PYTHONUTF8": "1"}, capture_output=True, check=False)
    print((done.stdout + done.stderr).decode(), flush=True)
    if done.returncode != expected:
        sys.exit(f"demo: tabiya {command} ended with exit code {done.returncode}, not {expected}")


def run_python(why: str, code: str, names: dict[str, object]) -> None:
    """Show some lines of Python and run them."""
    print(f"# {why}")
    print("\n".join(f"{'...' if line[0] == ' ' else '>>>'} {line}" for line in code.strip().splitlines()))
    exec(code, names)
    print(flush=True)


def main() -> None:
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a terminal may lack a letter
    with tempfile.TemporaryDirectory(prefix="tabiya-demo-") as folder:
        shutil.copy(EXAMPLES, folder)
        os.chdir(folder)
        for why, command, expected in SHELL:
            run_command(why, command, expected)
        print(">>> import tabiya\n")
        names: dict[str, object] = {}
        exec("import tabiya", names)
        for why, code in PYTHON:
            run_python(why, code, names)
        made = sorted(path.name for path in Path().iterdir() if path.name != EXAMPLES.name)
        os.chdir(EXAMPLES.parent)  # a folder that somebody stands in cannot be removed everywhere
    print(
        f"demo: ran {len(SHELL)} commands and {len(PYTHON)} pieces of Python on {EXAMPLES.name}; "
        f"wrote {', '.join(made)} in a temporary folder, compared them, and removed them again."
    )


if __name__ == "__main__":
    main()
