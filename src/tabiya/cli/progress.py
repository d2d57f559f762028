"""A progress bar on stderr, if that is a terminal and the work takes more than a moment."""

from __future__ import annotations

import sys
from contextlib import ExitStack, contextmanager
from pathlib import PurePath
from time import monotonic
from typing import TYPE_CHECKING

from tabiya.cli.output import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabiya.formats import Progress

_PATIENCE_SECONDS = 0.4


@contextmanager
def progress_bar(file: str, unit: str = "records") -> Iterator[Callable[[Progress], None] | None]:
    """Yield a callback that shows the progress of a library call; None, and no bar, without a terminal.

    ``unit`` is what the call counts as records.
    """
    if not sys.stderr.isatty():
        yield None
        return
    begin = monotonic()
    update: Callable[[Progress, float], None] | None = None
    with ExitStack() as stack:

        def report(progress: Progress) -> None:
            nonlocal update
            seconds = monotonic() - begin
            if update is None and seconds > _PATIENCE_SECONDS:
                update = stack.enter_context(_bar(PurePath(name_of(file)).name, unit))
            if update is not None:
                update(progress, progress.records / seconds)

        yield report


@contextmanager
def _bar(title: str, unit: str) -> Iterator[Callable[[Progress, float], None]]:
    from rich import progress as bars  # noqa: PLC0415 - slow, and of no use without a terminal
    from rich.console import Console  # noqa: PLC0415

    with bars.Progress(
        bars.TextColumn("{task.description}", markup=False),
        bars.BarColumn(),
        bars.TaskProgressColumn(),
        bars.TextColumn(f"{{task.fields[records]:,}} {unit}"),
        bars.TextColumn("{task.fields[rate]:,.0f}/s"),
        bars.TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        # Lines printed to the same terminal must remain above the bar; all others must reach their target.
        redirect_stdout=sys.stdout.isatty(),
    ) as stack:
        task = stack.add_task(title, total=None, records=0, rate=0.0)

        def update(progress: Progress, rate: float) -> None:
            total = None if progress.fraction is None else 1.0
            stack.update(task, total=total, completed=progress.fraction or 0.0, records=progress.records, rate=rate)

        yield update
