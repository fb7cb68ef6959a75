"""Output to the terminal: progress bars with the rate, and tables."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Sequence
from typing import TextIO

from modelyard.progress import Progress
from modelyard.records import Job
from modelyard.studies import Study

UNITS = ("B", "kB", "MB", "GB", "TB")
LINE_EACH_S = 10.0


def size_text(size_bytes: float) -> str:
    """A number of bytes with a readable unit."""
    for unit in UNITS:
        if size_bytes < 1000 or unit == UNITS[-1]:
            return f"{size_bytes:.0f} {unit}" if unit == "B" else f"{size_bytes:.1f} {unit}"
        size_bytes /= 1000
    raise AssertionError("the last unit takes all")


def time_text(seconds: float) -> str:
    """A duration with readable units."""
    minutes, left = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell."""
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (head, *rows)
    )


class _Line:
    """Text that is drawn over itself; where there is no terminal, a line now and then."""

    def __init__(self, out: TextIO, *, is_quiet: bool = False) -> None:
        self._out = out
        self._is_quiet = is_quiet
        self._is_terminal = out.isatty()
        self._drawn_at = time.monotonic() - LINE_EACH_S + 2

    def draw(self, text: str, *, is_last: bool) -> None:
        """Draws; the last one ends the line."""
        if self._is_quiet:
            return
        if self._is_terminal:
            self._out.write("\r\x1b[K" + text + ("\n" if is_last else ""))
        elif is_last or time.monotonic() - self._drawn_at > LINE_EACH_S:
            self._out.write(text + "\n")
            self._drawn_at = time.monotonic()
        self._out.flush()


class JobBar(_Line):
    """How far a job is."""

    def show(self, job: Job) -> None:
        """Draws; ends the line with the job."""
        self.draw(self.line(job), is_last=job.has_ended)

    @staticmethod
    def line(job: Job) -> str:
        """The bar as text."""
        fraction = 1.0 if job.state == "succeeded" else job.progress_fraction
        return f"{_bar(fraction)} {fraction:.0%}, {job.state}{_left(job.remaining_s, has_ended=job.has_ended)}"


class StudyBar(_Line):
    """How far a study is, and what it has found."""

    def show(self, study: Study) -> None:
        """Draws; ends the line with the study."""
        self.draw(self.line(study), is_last=study.has_ended)

    @staticmethod
    def line(study: Study) -> str:
        """The bar as text."""
        fraction = 1.0 if study.has_ended else study.num_trials / study.max_trials
        best = "" if study.best_value is None else f", best {study.objective} {study.best_value:.4g}"
        state = "learning from all items" if study.is_shipping and study.state != "running" else study.state
        state = "paused" if study.data.get("paused_at") else state
        left = _left(study.remaining_s, has_ended=study.has_ended)
        return f"{_bar(fraction)} {study.num_trials} of {study.max_trials} trials, {state}{best}{left}"


def _bar(fraction: float, width: int = 30) -> str:
    filled = round(width * fraction)
    return f"[{'#' * filled}{'.' * (width - filled)}]"


def _left(remaining_s: float | None, *, has_ended: bool) -> str:
    return "" if remaining_s is None or has_ended else f", {time_text(remaining_s)} left"


class Bar:
    """A line that is drawn over itself; where there is no terminal, a line now and then."""

    def __init__(self, out: TextIO, *, is_quiet: bool = False) -> None:
        self._out = out
        self._is_quiet = is_quiet
        self._is_terminal = out.isatty()
        self._lock = threading.Lock()
        self._drawn_at = time.monotonic() - LINE_EACH_S + 2
        self._is_open = False

    def show(self, progress: Progress) -> None:
        """Draws."""
        if self._is_quiet:
            return
        with self._lock:
            if self._is_terminal:
                self._out.write("\r\x1b[K" + self.line(progress, shutil.get_terminal_size().columns))
                self._is_open = True
            elif time.monotonic() - self._drawn_at > LINE_EACH_S or progress.num_files_done == progress.num_files:
                self._out.write(self.line(progress, 120) + "\n")
                self._drawn_at = time.monotonic()
            self._out.flush()

    def close(self) -> None:
        """Ends the line."""
        if self._is_open:
            self._out.write("\n")
            self._is_open = False

    @staticmethod
    def line(progress: Progress, width: int) -> str:
        """The bar as text of at most ``width`` characters."""
        left = "" if progress.remaining_s is None else f", {time_text(progress.remaining_s)} left"
        words = (
            f" {progress.num_files_done:,}/{progress.num_files:,} files, {size_text(progress.done_bytes)}, "
            f"{progress.rate_files_s:,.0f} files/s, {size_text(progress.rate_bytes_s)}/s{left}"
        )
        bar_width = max(0, min(30, width - len(words) - 3))
        filled = round(bar_width * progress.num_files_done / max(progress.num_files, 1))
        return (f"[{'#' * filled}{'.' * (bar_width - filled)}]{words}" if bar_width >= 5 else words.strip())[:width]
