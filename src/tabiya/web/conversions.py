"""Background conversions: progress, loss report, a file to download, and cleanup."""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final, Literal

from tabiya.errors import TabiyaError
from tabiya.files.file_errors import sentence_of
from tabiya.formats import FORMATS, convert
from tabiya.formats.description import named
from tabiya.web.request import ApiError, error_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabiya.formats.database import Database
    from tabiya.formats.operations.conversion import ConversionReport
    from tabiya.formats.progress import Progress
    from tabiya.web.answers import server
    from tabiya.web.source import Opened, Source

_MOST: Final = 16
_AT_ONCE: Final = 2
_UNSAFE: Final = re.compile(r"[^\w .()+-]+")


class _CancelledError(Exception):
    """The user has cancelled the conversion."""


class Conversion:
    """A conversion under way, or its result."""

    def __init__(
        self,
        name: str,
        source: Source,
        opened: Opened,
        format: str,
        target: Path,
        folder: Path,
        keep: Callable[[Path], str] | None,
    ) -> None:
        self.name = name
        self.source = source
        self.state: Literal["running", "done", "failed", "cancelled"] = "running"
        self.file: Path | None = None
        self._generation = opened.generation
        self._format = named(format, FORMATS)
        self._folder = folder
        """Its temporary folder."""
        self._target = target
        self._keep = keep
        """Opens a result that remains where it was written; None for one that is downloaded."""
        self._made: str | None = None
        self._records = 0
        self._progress: float | None = 0.0
        self._report: ConversionReport | None = None
        self._error = ""
        self._cancelled = False

    def writes_to(self, target: Path) -> bool:
        """Return whether this is its result."""
        return self._target == target

    def run(self, database: Database, options: dict[str, Any], threads: int) -> None:
        """Convert; ``state`` shows the result in any case."""
        try:
            if self._keep is None:
                self._target.parent.mkdir(parents=True)
            self._report = convert(
                database,
                self._target,
                target_format=self._format,
                formats=FORMATS,
                threads=threads,
                progress=self._note,
                **options,
            )
            if self._keep is None:
                self.file = self._packed()
            else:
                self._made = self._keep(self._target)
            self.state = "done"
        except _CancelledError:
            self.state = "cancelled"
        except TabiyaError as error:
            self._error, self.state = error_of(error).sentence, "failed"
        except OSError as error:
            self._error, self.state = f"The result cannot be written: {sentence_of(error)}.", "failed"
        except Exception:
            self._error = "Something unexpected went wrong; the terminal of tabiya serve shows it."
            self.state = "failed"
            raise
        finally:
            if self.state != "done":
                shutil.rmtree(self._folder, ignore_errors=True)

    def _note(self, progress: Progress) -> None:
        self._records, self._progress = progress.records, progress.fraction
        if self._cancelled:
            raise _CancelledError

    def _packed(self) -> Path:
        """Return the only file of the result, or an archive of all of them."""
        folder = self._target.parent
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        if len(files) == 1 and files[0].parent == folder:
            return files[0]
        archive = self._folder / f"{self._target.stem}.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
            for path in files:
                self._note_packing()
                packed.write(path, path.relative_to(folder).as_posix())
        shutil.rmtree(folder, ignore_errors=True)
        return archive

    def _note_packing(self) -> None:
        if self._cancelled:
            raise _CancelledError

    def cancel(self) -> None:
        """Stop, and remove the files so far."""
        self._cancelled = True
        if self.state == "done":
            self.state, self.file = "cancelled", None
            shutil.rmtree(self._folder, ignore_errors=True)

    def as_dict(self) -> server.Job:
        """Return the progress, and the result."""
        file, report = self.file, self._report
        answer: server.Job = {
            "job": self.name,
            "state": self.state,
            "records": self._records,
            "progress": 1.0 if self.state == "done" else self._progress,
            "source": self.source.id,
            "generation": self._generation,
            "format": self._format.name,
            "error": self._error or None,
            "made": self._made,
        }
        if file is not None:
            answer["file"], answer["bytes"] = file.name, file.stat().st_size
            answer["download"] = f"/api/conversions/{self.name}/file"
        if report is not None:
            answer["report"] = _report_values(report)
        return answer


def _report_values(report: ConversionReport) -> server.Report:
    return {
        "read": report.read,
        "written": report.written,
        "clean": report.clean,
        "losses": [
            {
                "what": loss.what,
                "text": loss.title,
                "count": loss.count,
                "first": loss.first_game or None,
                "sentence": str(loss),
            }
            for loss in report.losses
        ],
        "problems": report.problems,
        "first_problems": [str(each) for each in report.first_problems],
        "remarks": [*report.remarks],
    }


class Conversions:
    """All conversions, by id."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._jobs: dict[str, Conversion] = {}
        self._counted = 0
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    def start(
        self,
        source: Source,
        opened: Opened,
        database: Database,
        format: str,
        stem: str,
        options: dict[str, Any],
        *,
        target: Path | None = None,
        keep: Callable[[Path], str] | None = None,
    ) -> Conversion:
        """Start the conversion of an open database; to a temporary file, or to ``target``, which ``keep`` opens."""
        with self._lock:
            if sum(job.state == "running" for job in self._jobs.values()) >= _AT_ONCE:
                raise ApiError(503, "Two conversions are running already; wait for one of them, or cancel it.")
            if len(self._jobs) >= _MOST:
                raise ApiError(503, f"There are {_MOST} results of conversions already; remove one of them.")
            if self._temporary is None:
                self._temporary = tempfile.TemporaryDirectory(prefix="tabiya-convert-", ignore_cleanup_errors=True)
            self._counted += 1
            name = f"c{self._counted}"
            plain = _UNSAFE.sub("_", stem).strip(" .")[:80] or "games"
            folder = Path(self._temporary.name) / name
            if target is None:
                target = folder / "result" / f"{plain}{named(format, FORMATS).suffixes[0]}"
            elif any(other.state == "running" and other.writes_to(target) for other in self._jobs.values()):
                raise ApiError(409, f"{target.name} is being written already.")
            job = Conversion(name, source, opened, format, target, folder, keep)
            self._jobs[name] = job
        source.hold(opened)
        threads = 1 if opened.listed_database is None else opened.listed_database.threads
        arguments = (job, database, options, threads, opened)
        Thread(target=self._run, args=arguments, name=f"tabiya-{name}").start()
        return job

    def _run(self, job: Conversion, database: Database, options: dict[str, Any], threads: int, opened: Opened) -> None:
        try:
            job.run(database, options, threads)
        finally:
            job.source.release(opened)

    def all(self) -> list[Conversion]:
        """Return all of them."""
        with self._lock:
            return [*self._jobs.values()]

    def get(self, name: str) -> Conversion:
        """Return the conversion of this id."""
        with self._lock:
            found = self._jobs.get(name)
        if found is None:
            raise ApiError(410, "This conversion no longer exists.")
        return found

    def remove(self, name: str) -> None:
        """Cancel a conversion, and remove its file."""
        job = self.get(name)
        job.cancel()
        with self._lock:
            self._jobs.pop(name, None)

    def close(self) -> None:
        """Cancel all, and remove their files."""
        for job in self.all():
            job.cancel()
        with self._lock:
            self._jobs.clear()
            if self._temporary is not None:
                self._temporary.cleanup()
                self._temporary = None
