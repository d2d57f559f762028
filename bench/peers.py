"""Programs of others that search positions: scoutfish and Scid, built from their sources into the cache.

The sources are those of ``shared/peers`` beside the repository, or of the folder that ``TABIYA_PEERS`` names. Building
needs ``make``, ``g++`` and, for Scid, the headers of Tcl (Debian: ``tcl-dev``).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cache import cache_folder
from measure import ROOT, MissingError

PEERS = Path(os.environ.get("TABIYA_PEERS") or ROOT.parent / "shared" / "peers")
SCID_SEARCH = """
set base [sc_base open SCID5 {{{base}}}]
sc_base switch $base
foreach fen {{{fens}}} {{
    sc_game startBoard $fen
    for {{set run 0}} {{$run < {runs}}} {{incr run}} {{
        sc_filter reset $base dbfilter full
        set begin [clock microseconds]
        sc_filter search $base dbfilter board dbfilter
        puts "$run [sc_filter count $base dbfilter] [expr {{[clock microseconds] - $begin}}]"
    }}
}}
"""
SCID_IMPORT = """
set base [sc_base create SCID5 {{{base}}}]
sc_base import $base {{{pgn}}}
sc_base close $base
"""

SCID_CREATE = """
proc ::progressCallBack {{args}} {{}}
set base [sc_base create {kind} {{{base}}}]
sc_base import $base {{{pgn}}}
puts [sc_base numGames $base]
sc_base close $base
"""
SCID_EXPORT = """
proc ::progressCallBack {{args}} {{}}
set base [sc_base open {kind} {{{base}}}]
sc_base switch $base
sc_filter reset $base dbfilter full
sc_base export filter PGN {{{pgn}}} -comments 1 -variations 1
puts [sc_base numGames $base]
"""


def unpacked(name: str) -> Path:
    """The sources of a peer, in the cache."""
    archive, folder = PEERS / f"{name}.tar.xz", cache_folder() / name
    if not archive.exists():
        raise MissingError(f"the sources of {name} are not in {PEERS}; name their folder with TABIYA_PEERS")
    if not folder.exists():
        shutil.unpack_archive(archive, folder, filter="data")
    return folder


def built(program: Path, command: Sequence[str], folder: Path) -> Path:
    """A program, which a command makes in a folder if it is not there."""
    if not program.exists():
        try:
            subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            said = getattr(error, "stderr", None) or str(error)
            raise MissingError(f"{program.name} cannot be built: {said.strip().splitlines()[-1]}") from error
    return program


def scoutfish() -> Path:
    if found := shutil.which("scoutfish"):
        return Path(found)
    folder = unpacked("scoutfish") / "src"
    return built(folder / "scoutfish", ["make", "build", "ARCH=x86-64-modern", "COMP=gcc"], folder)


def scid() -> Path:
    """Scid without its windows: a Tcl shell that has its commands."""
    folder = unpacked("scid-5.0.2-src") / "scid-5.0.2"
    sources = [str(path) for path in [*folder.glob("src/*.cpp"), *folder.glob("src/polyglot/*.cpp")]]
    flags = ["-O2", "-std=c++20", "-w", "-I/usr/include/tcl8.6"]
    return built(folder / "scid", ["g++", *flags, *sources, "-o", "scid", "-ltcl8.6", "-lpthread"], folder)


def scout_index(pgn: Path) -> tuple[Path, float]:
    """The file that scoutfish searches, made anew, and how many half-moves per second it took."""
    made = subprocess.run([scoutfish(), "make", str(pgn)], check=True, capture_output=True, text=True)
    rate = re.search(r'"Moves/second": (\d+)', made.stdout)
    assert rate, made.stdout
    return pgn.with_suffix(".scout"), float(rate[1])


def scouted(index: Path, query: dict[str, object]) -> tuple[int, float]:
    """How many games scoutfish finds with one thread, and how many half-moves it looks at per second."""
    commands = f"setoption name Threads value 1\nscout {index} {json.dumps(query)}\nquit\n"
    answer = subprocess.run([scoutfish()], input=commands, check=True, capture_output=True, text=True).stdout
    count, rate = (re.search(rf'"{name}": (\d+)', answer) for name in ("match count", "moves/second"))
    assert count, answer[:500]
    assert rate, answer[:500]
    return int(count[1]), float(rate[1])


def scid_base(pgn: Path) -> Path:
    """The games of a PGN file as a base of Scid, without the suffix, made if it is not there."""
    base = pgn.with_suffix("")
    if not base.with_suffix(".si5").exists():
        run_scid(SCID_IMPORT.format(base=base, pgn=pgn))
    return base


def scid_imports(pgn: Path, base: Path, kind: str) -> int:
    """How many games Scid has made a base of, anew."""
    for suffix in ("i", "n", "g"):
        base.with_suffix(f".s{suffix}{base.suffix[-1]}").unlink(missing_ok=True)
    return int(run_scid(SCID_CREATE.format(kind=kind, base=base.with_suffix(""), pgn=pgn)).split()[-1])


def scid_exports(base: Path, kind: str, pgn: Path) -> int:
    """How many games Scid has exported from a base."""
    return int(run_scid(SCID_EXPORT.format(kind=kind, base=base.with_suffix(""), pgn=pgn)).split()[-1])


def scid_searched(base: Path, fens: Sequence[str], runs: int) -> list[tuple[int, float]]:
    """How many games Scid finds for each position, and the milliseconds of its best run."""
    quoted = " ".join(f"{{{fen}}}" for fen in fens)
    lines = [line.split() for line in run_scid(SCID_SEARCH.format(base=base, fens=quoted, runs=runs)).splitlines()]
    found = [(int(count), int(microseconds) / 1000) for _, count, microseconds in lines]
    return [min(found[begin : begin + runs], key=lambda each: each[1]) for begin in range(0, len(found), runs)]


def run_scid(script: str) -> str:
    """What Scid prints when it runs a script."""
    path = cache_folder() / "script.tcl"
    path.write_text(script, "utf-8")
    return subprocess.run([scid(), str(path)], check=True, capture_output=True, text=True).stdout
