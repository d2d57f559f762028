"""A progress bar on stderr, if that is a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabiya.formats import Progress

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[Progress], None] | None]:
    """Gives what takes the progress of a library call and shows it; None, and nothing is shown, without a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as bars  # noqa: PLC0415 - slow, and of no use without a terminal
    from rich.console import Console  # noqa: PLC0415

    begin = monotonic()
    with bars.Progress(
        bars.TextColumn("{task.description}", markup=False),
        bars.BarColumn(),
        bars.TaskProgressColumn(),
        bars.TextColumn("{task.fields[records]:,} records"),
        bars.TextColumn("{task.fields[rate]:,.0f}/s"),
        bars.TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        # Lines that go to the same terminal have to stay above the bar; those that go elsewhere must get there.
        redirect_stdout=sys.stdout.isatty(),
    ) as shown:
        task = shown.add_task(title, total=None, records=0, rate=0.0)

        def report(progress: Progress) -> None:
            rate = progress.records / max(monotonic() - begin, 1e-6)
            total = None if progress.fraction is None else 1.0
            shown.update(task, total=total, completed=progress.fraction or 0.0, records=progress.records, rate=rate)

        yield report
