"""The working directory of a job: where things lie in it, and how its two small files are read and written.

The protocol is written down in ``automl.contracts.job``.
"""

from __future__ import annotations

import json
import logging
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pydantic
from django.conf import settings

from automl.contracts.job import Event, EventLine, StopReason
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs

EVENTS_FILE = "events.jsonl"
LOG_FILE = "log.txt"
SPEC_FILE = "job.json"
ARTEFACT_DIR = "artefact"
BULKY = ("data", "checkpoints", ARTEFACT_DIR)
"""What may go once the handler knows of the end."""
READ_MAX_BYTES = 1024 * 1024
KEEP_S = 7 * 24 * 3600.0
"""How long the directory of a job that nobody works on any more is kept."""

_log = logging.getLogger(__name__)


def job_workdir(job_id: str) -> Path:
    """The directory; kept from attempt to attempt so that checkpoints survive."""
    return Path(settings.JOBS_DIR) / job_id


def result_prefix(job_id: str) -> str:
    """Name of the tree in the blob store under which the runner keeps ``artefact/`` of a job that succeeded."""
    return f"jobs/{job_id}/{ARTEFACT_DIR}"


def file_key(job_id: str, name: str) -> str:
    """Name of the object in the blob store that holds a file of an ended job, for web processes on other hosts."""
    return f"jobs/{job_id}/{name}"


def stop_write(workdir: Path, reason: StopReason) -> None:
    """Asks the engine to end between two steps."""
    control = workdir / "control"
    control.mkdir(parents=True, exist_ok=True)
    partial = control / "stop.partial"
    partial.write_text(reason.value, encoding="ascii")
    partial.replace(control / "stop")


def stop_clear(workdir: Path) -> None:
    """Removes the request to stop that was meant for an earlier attempt."""
    (workdir / "control" / "stop").unlink(missing_ok=True)


def events_read(workdir: Path, offset: int) -> Iterator[tuple[Event, int]]:
    """Events of whole lines from an offset on, each with the offset behind it.

    A line that is none of ours (a process was killed while it wrote) is skipped and logged.
    """
    for line, end in lines_read(workdir / EVENTS_FILE, offset):
        if not line.strip():
            continue
        try:
            event = EventLine.validate_json(line)
        except pydantic.ValidationError as error:
            _log.warning("%s: skipped a line before byte %d: %s", workdir.name, end, error.errors()[0]["msg"])
            continue
        yield event, end


def lines_read(path: Path, offset: int) -> Iterator[tuple[bytes, int]]:
    """Whole lines of a growing file from an offset on, each with the offset behind it."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        if offset >= path.stat().st_size:
            return
        file.seek(offset)
        for line in file:
            if not line.endswith(b"\n"):
                return
            offset += len(line)
            yield line, offset


def job_file(job_id: str, name: str) -> Path | None:
    """A file of a job: from its directory on this host, else from the store; None when it is not written yet."""
    path = job_workdir(job_id) / name
    if path.exists():
        return path
    try:
        return blobs().get_object(file_key(job_id, name))
    except BlobMissingError:
        return None


def text_read(path: Path, offset: int) -> tuple[str, int]:
    """A piece of a text file from a byte offset on, ended at a character's border; and the offset behind it."""
    with path.open("rb") as file:
        if offset >= path.stat().st_size:
            return "", offset
        file.seek(offset)
        piece = file.read(READ_MAX_BYTES)
    for cut in range(4):
        try:
            return piece[: len(piece) - cut].decode(), offset + len(piece) - cut
        except UnicodeDecodeError:
            continue
    return piece.decode(errors="replace"), offset + len(piece)


def events_page(job_id: str, offset: int) -> tuple[list[dict[str, object]], int]:
    """Engine events as JSON from an offset on, at most about a megabyte of them; and the offset behind them."""
    path = job_file(job_id, EVENTS_FILE)
    found: list[dict[str, object]] = []
    if path is None:
        return found, offset
    start = offset
    for line, end in lines_read(path, offset):
        offset = end
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if event.get("type") != "heartbeat":
            found.append(event)
        if end - start > READ_MAX_BYTES:
            break
    return found, offset


def workdir_keep(job_id: str, *, has_result: bool) -> None:
    """Stores what must outlive the host: log, events and, of a job that succeeded, the result."""
    workdir = job_workdir(job_id)
    for name in (LOG_FILE, EVENTS_FILE):
        if (workdir / name).exists():
            blobs().put_object(file_key(job_id, name), workdir / name)
    if has_result and (workdir / ARTEFACT_DIR).is_dir():
        blobs().put_tree(result_prefix(job_id), workdir / ARTEFACT_DIR)


def workdir_shrink(job_id: str) -> None:
    """Removes the bulky parts of an ended job's directory."""
    for name in BULKY:
        shutil.rmtree(job_workdir(job_id) / name, ignore_errors=True)


def workdirs_prune(*, is_alive: Iterator[str] | set[str], now_s: float | None = None) -> int:
    """Removes directories that nothing has touched for a week; returns how many.

    Args:
        is_alive: Ids of jobs that are waiting or running.
        now_s: Seconds since the epoch.
    """
    alive = set(is_alive)
    oldest = (time.time() if now_s is None else now_s) - KEEP_S
    num_removed = 0
    root = Path(settings.JOBS_DIR)
    for workdir in root.iterdir() if root.is_dir() else ():
        if workdir.name not in alive and workdir.stat().st_mtime < oldest:
            shutil.rmtree(workdir, ignore_errors=True)
            num_removed += 1
    return num_removed
