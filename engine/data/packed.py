"""One array in one file, built once by whoever comes first and memory-mapped by everybody else.

Trials of a study start at the same moment on the same host and want the same pixels or features. A file lock lets one of
them build while the others wait; rows are written in chunks and counted after they are on disk, so that a builder that was
killed is followed by one that goes on at the last chunk. The folder gets its name only when it is whole.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import filelock
import numpy as np
from numpy.typing import NDArray

from engine.data.mapped import mapped_array
from engine.data.used import mark_used

_ARRAY_FILE = "array.npy"
_COUNT_FILE = "rows_done"
# How often a waiting process looks whether it has been asked to stop.
_LOCK_POLL_S = 0.2

Progress = Callable[[int, int], None]
"""Called with (rows done, rows in all)."""


class BuildStoppedError(Exception):
    """``should_stop`` returned true while an array was built or waited for. What is done so far is kept."""


def packed_array(
    folder: Path,
    *,
    num_rows: int,
    rows: Callable[[range], NDArray],
    chunk_rows: int,
    on_progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> NDArray:
    """Opens the array below ``folder``, building it first when it is not there.

    Args:
        folder: the array's own folder; its name must hold all that the content depends on.
        num_rows: length of the first axis, at least 1.
        rows: computes the rows of a range; every call gives the same dtype and row shape.
        chunk_rows: rows asked for at once, and lost at most when the builder is killed.
        on_progress: called after each chunk.
        should_stop: asked between chunks and while waiting for another builder.

    Returns:
        A read-only memory map.

    Raises:
        BuildStoppedError: ``should_stop`` returned true.
        OSError: there is no room for it.
    """
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = _acquired(folder.with_name(folder.name + ".lock"), should_stop)
        try:
            if not folder.exists():
                _build(
                    folder,
                    num_rows=num_rows,
                    rows=rows,
                    chunk_rows=chunk_rows,
                    on_progress=on_progress,
                    should_stop=should_stop,
                )
        finally:
            lock.release()
    mark_used(folder)
    return np.load(folder / _ARRAY_FILE, mmap_mode="r")


def _acquired(path: Path, should_stop: Callable[[], bool] | None) -> filelock.BaseFileLock:
    lock = filelock.FileLock(path)
    while True:
        try:
            lock.acquire(timeout=_LOCK_POLL_S)
        except filelock.Timeout:
            if should_stop is not None and should_stop():
                raise BuildStoppedError from None
        else:
            return lock


def _build(
    folder: Path,
    *,
    num_rows: int,
    rows: Callable[[range], NDArray],
    chunk_rows: int,
    on_progress: Progress | None,
    should_stop: Callable[[], bool] | None,
) -> None:
    partial = folder.with_name(folder.name + ".partial")
    partial.mkdir(exist_ok=True)
    array, start = _resumed(partial, num_rows)
    while start < num_rows:
        if should_stop is not None and should_stop():
            raise BuildStoppedError
        chunk = rows(range(start, min(start + chunk_rows, num_rows)))
        if array is None:
            shape = (num_rows, *chunk.shape[1:])
            array = mapped_array(partial / _ARRAY_FILE, dtype=chunk.dtype, shape=shape)
        array[start : start + len(chunk)] = chunk
        array.flush()
        start += len(chunk)
        _write_count(partial, start)
        if on_progress is not None:
            on_progress(start, num_rows)
    del array
    partial.replace(folder)


def _resumed(partial: Path, num_rows: int) -> tuple[np.memmap | None, int]:
    """The array that a killed builder left, with the rows that count; nothing when it left nothing usable."""
    try:
        done = int((partial / _COUNT_FILE).read_text())
        array = np.lib.format.open_memmap(partial / _ARRAY_FILE, mode="r+")
    except (OSError, ValueError):
        return None, 0
    return (array, done) if len(array) == num_rows else (None, 0)


def _write_count(partial: Path, done: int) -> None:
    scratch = partial / (_COUNT_FILE + ".new")
    scratch.write_text(str(done))
    scratch.replace(partial / _COUNT_FILE)
