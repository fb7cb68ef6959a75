"""Uploads files of any number and size, several at a time, and continues an interrupted upload.

Nothing is stored on this machine for that: the server is asked which files it has, by their hashes. So a second run after a
crash, on the same machine or another, sends the rest only and makes no duplicates.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import replace
from json import dumps
from typing import Any

from modelyard.errors import ApiError
from modelyard.files import COLUMNS, LocalFile, UploadKind, batches, chunks, file_sha256, files_find
from modelyard.progress import Meter, Progress
from modelyard.records import Job, RefusedFile, UploadResult
from modelyard.transport import Transport, back_off

CONCURRENCY = 4
HASHES_PER_REQUEST = 1000
MAX_OFFSET_TRIES = 5

_TABLES_HOLD_ITEMS = frozenset({"text", "tabular"})
"""Kinds of items, as the tasks name them."""


class Upload:
    """One run of an upload into one dataset."""

    def __init__(
        self,
        transport: Transport,
        dataset: str,
        *,
        project: str,
        labels: str = "folder",
        table: Mapping[str, Any] | None = None,
        progress: Callable[[Progress], None] | None = None,
        concurrency: int = CONCURRENCY,
    ) -> None:
        self._transport = transport
        self._base = f"/datasets/{dataset}/uploads"
        self._project = project
        self._labels = labels
        self._table = table
        self._report = progress
        self._concurrency = concurrency
        self._result = UploadResult()
        self._lock = threading.Lock()
        self._session = ""

    def run(self, paths: Iterable[str | os.PathLike[str]]) -> UploadResult:
        """Sends all files at and below the paths.

        Raises:
            NotFoundHereError: there is nothing to send.
            ApiError, UnreachableError: the server refused, or did not answer; a second run continues.
        """
        named = [os.fspath(path) for path in paths]
        files = self._tables_marked(files_find(named))
        self._result.num_files = len(files)
        self._meter = Meter(files, self._report)
        small = [one for one in files if one.kind is UploadKind.BATCH]
        with ThreadPoolExecutor(self._concurrency) as pool:
            if small:
                self._small(small, _title(named), pool)
            # Tables come last: they label what is there.
            for one in sorted(files, key=lambda one: one.kind is UploadKind.LABELS_CSV):
                if one.kind is not UploadKind.BATCH:
                    self._large(one, pool)
        return self._result

    def _tables_marked(self, files: list[LocalFile]) -> list[LocalFile]:
        """Marks tables whose rows are items: in projects of texts and of tables; elsewhere tables hold labels of items."""
        if not any(one.is_table for one in files):
            return files
        task = self._transport.json("GET", f"/projects/{self._project}")["task"]
        modality = next(data["modality"] for data in self._transport.json("GET", "/tasks") if data["name"] == task)
        return [replace(one, holds_items=one.is_table) for one in files] if modality in _TABLES_HOLD_ITEMS else files

    # --- small files: many in one request -----------------------------------------------------------------------------

    def _small(self, files: Sequence[LocalFile], title: str, pool: ThreadPoolExecutor) -> None:
        self._session = self._session_open(title, sum(one.size_bytes for one in files))
        places = {one.name: place for place, one in enumerate(files)}
        placed = ((some, places[some[0].name]) for some in batches(self._unknown(files, pool)))
        _each(pool, self._batch, placed, at_once=self._concurrency)
        self._transport.json("POST", f"{self._base}/{self._session}/finish", body={"labels": self._batch_labels})

    def _unknown(self, files: Sequence[LocalFile], pool: ThreadPoolExecutor) -> Iterator[LocalFile]:
        """The files that the server does not have; asks for a thousand while the thousand before is on its way."""
        del pool
        with ThreadPoolExecutor(2) as hashing:
            for some in chunks(files, HASHES_PER_REQUEST):
                hashes = hashing.map(file_sha256, [one.path for one in some])
                hashed = [{"path": one.name, "sha256": sha256} for one, sha256 in zip(some, hashes, strict=True)]
                data = self._transport.json("POST", f"{self._base}/known", body={"files": hashed, "labels": self._batch_labels})
                known = set(data["known"])
                if known:
                    self._result.num_known += len(known)
                    self._meter.add(known=len(known), size_bytes=sum(some[place].size_bytes for place in known))
                yield from (one for place, one in enumerate(some) if place not in known)

    def _batch(self, placed: tuple[Sequence[LocalFile], int]) -> None:
        """Sends files; with the place of the first of them among all, since batches travel side by side."""
        (files, first), session = placed, self._session
        try:
            answer = self._batch_send(files, first, session)
        except ApiError as error:
            if error.code != "upload_ended":
                raise
            # Another run of the same folder has closed the upload under our hands.
            with self._lock:
                if self._session == session:
                    self._session = self._session_new("more files", sum(one.size_bytes for one in files))
            answer = self._batch_send(files, first, self._session)
        items = answer["items"]
        with self._lock:
            self._result.num_new += sum(one["state"] == "new" for one in items)
            self._result.num_duplicates += sum(one["state"] == "duplicate" for one in items)
            self._result.refused += [_refused(one["path"], one) for one in items if one["state"] == "unreadable"]
            self._result.notes += [
                _refused(one["path"], one) for one in items if one["state"] != "unreadable" and one.get("code")
            ]
        self._meter.add(files=len(files), size_bytes=sum(one.size_bytes for one in files))

    def _batch_send(self, files: Sequence[LocalFile], first: int, session: str) -> Any:  # noqa: ANN401 - JSON
        with ExitStack() as opened:
            parts = [
                ("files", (os.path.basename(one.path), opened.enter_context(open(one.path, "rb")).read())) for one in files
            ]
        return self._transport.json(
            "POST",
            f"{self._base}/batch",
            query={"labels": self._batch_labels, "upload": session, "first": first},
            files=parts,
            form={"paths": dumps([one.name for one in files])},
        )

    @property
    def _batch_labels(self) -> str:
        return "folder" if self._labels == "folder" else "none"

    def _session_open(self, title: str, size_bytes: int) -> str:
        """The interrupted upload of the same folder, else a new one."""
        for one in self._transport.json("GET", self._base, query={"limit": 100})["items"]:
            if one["kind"] == "batch" and one["state"] == "receiving" and one["name"] == title:
                return str(one["id"])
        return self._session_new(title, size_bytes)

    def _session_new(self, title: str, size_bytes: int) -> str:
        body = {"name": title, "size_bytes": size_bytes, "kind": "batch"}
        return str(self._transport.json("POST", self._base, body=body)["id"])

    # --- large files: several parts at a time ---------------------------------------------------------------------------

    def _large(self, file: LocalFile, pool: ThreadPoolExecutor) -> None:
        sha256 = file_sha256(file.path)
        if file.kind is UploadKind.FILE and not file.holds_items and self._is_known(file, sha256):
            self._result.num_known += 1
            self._meter.add(known=1, size_bytes=file.size_bytes)
            return
        upload = self._announced(file, sha256)
        for attempt in range(1, MAX_OFFSET_TRIES + 1):
            try:
                self._parts(file, upload, pool)
                break
            except ApiError as error:
                if error.code != "upload_offset_mismatch" or attempt == MAX_OFFSET_TRIES:
                    raise
                back_off(attempt)
                upload = self._transport.json("GET", f"{self._base}/{upload['id']}")
        labels = self._labels
        if file.kind is UploadKind.LABELS_CSV:
            labels = "auto" if file.name.lower().endswith(COLUMNS) else "csv"
        if file.holds_items and labels == "folder":
            labels = "auto"
        body: dict[str, Any] = {"labels": labels}
        if self._table and file.is_table:
            body["table"] = dict(self._table)
        ended = self._transport.json("POST", f"{self._base}/{upload['id']}/finish", body=body)
        self._result.jobs.append(Job.read(ended["job"]))
        self._meter.add(files=1)

    def _is_known(self, file: LocalFile, sha256: str) -> bool:
        body = {"files": [{"path": file.name, "sha256": sha256}], "labels": self._batch_labels}
        return bool(self._transport.json("POST", f"{self._base}/known", body=body)["known"])

    def _announced(self, file: LocalFile, sha256: str) -> dict[str, Any]:
        """The interrupted upload of the same bytes, else a new one."""
        for one in self._transport.json("GET", self._base, query={"limit": 100})["items"]:
            if one["state"] == "receiving" and one["sha256"] == sha256 and one["relative_path"] == file.name:
                return dict(one)
        body = {
            "name": os.path.basename(file.path),
            "size_bytes": file.size_bytes,
            "kind": file.kind.value,
            "relative_path": file.name,
            "sha256": sha256,
        }
        return dict(self._transport.json("POST", self._base, body=body))

    def _parts(self, file: LocalFile, upload: dict[str, Any], pool: ThreadPoolExecutor) -> None:
        start, step = int(upload["received_bytes"]), int(upload["part_bytes"])
        self._meter.add(size_bytes=start)

        def send(offset: int) -> None:
            with open(file.path, "rb") as stream:
                stream.seek(offset)
                data = stream.read(step)
            self._transport.json("PUT", f"{self._base}/{upload['id']}/parts", query={"offset": offset}, content=data)
            self._meter.add(size_bytes=len(data))

        _each(pool, send, range(start, file.size_bytes, step), at_once=self._concurrency)


def _each(pool: ThreadPoolExecutor, work: Callable[[Any], None], things: Iterable[Any], *, at_once: int) -> None:
    """Works on things in threads, a few ahead at most; the first failure ends it."""
    running: set[Future[None]] = set()
    try:
        for thing in things:
            while len(running) >= at_once + 1:
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for one in ended:
                    one.result()
            running.add(pool.submit(work, thing))
        for one in running:
            one.result()
    except BaseException:
        for one in running:
            one.cancel()
        raise


def _title(paths: Sequence[str]) -> str:
    """The title of the upload, by which a second run finds it again."""
    first = os.path.basename(os.path.abspath(paths[0]))
    return first if len(paths) == 1 else f"{first} + {len(paths) - 1}"


def _refused(name: str, data: dict[str, Any]) -> RefusedFile:
    reason = data.get("reason") or {}
    return RefusedFile(name=name, code=data.get("code") or "", reason=reason.get("en", ""))
