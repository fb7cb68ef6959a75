"""Progress of an upload: counted over all threads, reported a few times a second."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from modelyard.files import LocalFile

RATE_WINDOW_S = 8.0


@dataclass(frozen=True)
class Progress:
    """Progress of an upload."""

    num_files: int
    num_files_done: int
    size_bytes: int
    done_bytes: int
    num_known: int
    """Files that the server had already and that were not sent."""
    rate_bytes_s: float
    rate_files_s: float
    """Both over the last few seconds."""

    @property
    def remaining_s(self) -> float | None:
        """Seconds to the end; None while nobody can say."""
        left = self.num_files - self.num_files_done
        return left / self.rate_files_s if self.rate_files_s > 0 else None


class Meter:
    """Counts sent files and bytes over all threads, and reports the progress a few times a second."""

    def __init__(self, files: Sequence[LocalFile], report: Callable[[Progress], None] | None) -> None:
        self._num_files, self._size_bytes = len(files), sum(one.size_bytes for one in files)
        self._report = report
        self._lock = threading.Lock()
        self._files = self._bytes = self._known = 0
        self._recent: deque[tuple[float, int, int]] = deque([(time.monotonic(), 0, 0)])
        self._reported_at = 0.0

    def add(self, *, files: int = 0, size_bytes: int = 0, known: int = 0) -> None:
        """Adds files and bytes that are done; ``known`` ones did not have to be sent."""
        with self._lock:
            self._files += files + known
            self._bytes += size_bytes
            self._known += known
            now = time.monotonic()
            self._recent.append((now, self._files, self._bytes))
            while now - self._recent[0][0] > RATE_WINDOW_S and len(self._recent) > 2:
                self._recent.popleft()
            is_due = self._report is not None and (now - self._reported_at > 0.1 or self._files == self._num_files)
            if is_due:
                self._reported_at = now
                progress = self._progress(now)
        if is_due and self._report is not None:
            self._report(progress)

    def _progress(self, now: float) -> Progress:
        since, files, size_bytes = self._recent[0]
        span_s = max(now - since, 0.5)
        return Progress(
            num_files=self._num_files,
            num_files_done=self._files,
            size_bytes=self._size_bytes,
            done_bytes=self._bytes,
            num_known=self._known,
            rate_bytes_s=(self._bytes - size_bytes) / span_s,
            rate_files_s=(self._files - files) / span_s,
        )
