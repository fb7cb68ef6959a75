"""Collects data from a source: the order, and the job ``collect`` that carries it out.

The source lies encrypted in the job's payload and is wiped when the job has ended: no key of a bucket outlives its use. Killed
at any point the job starts again; what became an item of this upload is not fetched a second time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import transaction
from pydantic import TypeAdapter

from automl.contracts.annotation import ClassLabel
from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.errors import InvalidInputError
from studio.datasets.files.formats import LabelFileProblem, label_is_valid
from studio.datasets.files.reasons import REASONS
from studio.datasets.files.safe_names import name_show
from studio.datasets.items.annotations import ItemAnnotations
from studio.datasets.items.incoming import IncomingFile
from studio.datasets.items.kinds import kind_of
from studio.datasets.models import Dataset, Item, ItemState, LabelSource, Upload, UploadKind, UploadState
from studio.datasets.uploads.entries import ReadEntry, file_annotations
from studio.datasets.uploads.ingest import IngestRun
from studio.datasets.uploads.sources.guard import networks_read
from studio.datasets.uploads.sources.kinds import (
    MAX_ENTRIES,
    AnySource,
    BucketSource,
    Entry,
    FolderSource,
    Source,
    SourceUnusableError,
    UrlsSource,
    bucket_entries,
    folder_entries,
    folder_resolve,
    urls_entries,
)
from studio.datasets.uploads.sources.secret import secret_open, secret_seal
from studio.datasets.uploads.sources.sql.rows import rows_write
from studio.datasets.uploads.sources.sql.source import QueryRefusedError, SqlSource
from studio.datasets.uploads.sources.sql.sqlite import sqlite_resolve
from studio.datasets.uploads.sources.web import Fetcher, FetchRefusedError, url_parse
from studio.jobs.models import Job
from studio.jobs.services import job_submit

words = Words(__file__)

THREADS = 4
"""Each holds one file in memory."""
_Source: TypeAdapter[AnySource] = TypeAdapter(Source)

FileSource = UrlsSource | FolderSource | BucketSource
_MANY_ROWS = 100_000
"""Nobody knows how many rows a query gives: so many are half of its way."""

Report = Callable[[float, float | None], None]


class SourceRefusedError(InvalidInputError):
    """The source cannot be collected from."""

    code = "source_refused"
    param_names = ("reason",)
    title = "Nothing can be collected from there"


def folders_open() -> tuple[Path, ...]:
    """The places of the server that the operator has opened."""
    return tuple(Path(root) for root in settings.SOURCE_FOLDERS)


def source_collect(*, dataset: Dataset, actor: Principal, source: AnySource, labels: LabelSource) -> tuple[Upload, Job]:
    """Orders the collecting.

    Raises:
        SourceRefusedError: the source cannot be right: a closed folder, an address that is none, rows where none are taken.
    """
    if isinstance(source, SqlSource) and not kind_of(dataset.project).has_columns:
        raise SourceRefusedError(words("source.rows"), hint="Make a project of tables for them.")
    name, detail = _check(source)
    missing = {Quota.STORAGE_BYTES: 1, Quota.ITEMS: 1, Quota.JOBS: 1}  # how much it is shows when it comes
    with quota_claimed(dataset.project.workspace_id, missing), transaction.atomic():
        upload = Upload.objects.create(
            dataset=dataset,
            created_by=actor.id,
            name=name,
            kind=UploadKind.BATCH,
            state=UploadState.INGESTING,
            labels=labels,
            size_bytes=0,
        )
        job = job_submit(
            workspace=dataset.project.workspace_id,
            project=dataset.project_id,
            kind="collect",
            title=words("job.collect", name=name),
            subject=upload.id,
            payload={"upload": upload.id, "sealed": secret_seal(source.model_dump_json())},
        )
        Upload.objects.filter(id=upload.id).update(job=job)
        upload.job_id = job.id
        audit_record(
            workspace=dataset.project.workspace_id,
            project=dataset.project_id,
            actor=actor,
            action="data.collect",
            subject=upload.id,
            detail=detail,
        )
    return upload, job


def _check(source: AnySource) -> tuple[str, dict[str, str]]:
    """What people call the source, and what the audit trail records of it; no secrets in either."""
    try:
        if isinstance(source, FolderSource):
            folder = folder_resolve(source.path, folders_open())
            return folder.name, {"kind": "folder", "path": str(folder)}
        if isinstance(source, BucketSource):
            url_parse(source.endpoint)
            where = f"{source.bucket}/{source.prefix}".rstrip("/")
            return f"s3://{where}"[:512], {"kind": "bucket", "endpoint": source.endpoint, "path": where}
        if isinstance(source, SqlSource):
            return _check_sql(source)
    except (SourceUnusableError, FetchRefusedError, QueryRefusedError) as error:
        raise SourceRefusedError(REASONS[error.code], fields={"source": [REASONS[error.code].en]}) from None
    count = sum(1 for line in source.text.splitlines() if line.strip())
    if count > MAX_ENTRIES:
        raise SourceRefusedError(words("source.too_many", number=count, most=MAX_ENTRIES))
    return f"{count} URLs", {"kind": "urls", "count": str(count)}


def _check_sql(source: SqlSource) -> tuple[str, dict[str, str]]:
    detail = {"kind": "sql", "engine": source.engine, "path": source.database}
    if source.engine == "sqlite":
        return sqlite_resolve(source.database, folders_open()).name[:512], detail
    return name_show(source.database), detail | {"host": f"{source.host}:{source.port}"}


def collect_run(*, job: Job, report: Report) -> Upload:
    """Fetches everything and makes items of it; what cannot be had is listed with its reason."""
    upload = Upload.objects.select_related("dataset__project").get(id=job.payload["upload"])
    if upload.state == UploadState.DONE:
        return upload
    source = _Source.validate_json(secret_open(job.payload["sealed"]))
    fetcher = Fetcher(allowed=networks_read(settings.SOURCE_NETWORKS))
    try:
        _Collecting(upload, report).run(source, fetcher)
    finally:
        fetcher.close()
    return upload


def job_forget(job: Job) -> None:
    """Wipes the source, with its keys, from the payload of a job that has ended."""
    if "sealed" in job.payload:
        Job.objects.filter(id=job.id).update(payload={"upload": job.payload["upload"]})


class _Collecting:
    """One attempt."""

    def __init__(self, upload: Upload, report: Report) -> None:
        self._upload, self._report = upload, report
        self._done = self._total = 0
        self._bytes = 0
        self._began = time.monotonic()
        self._have = set(Item.objects.filter(upload=upload).values_list("name", flat=True))

    def run(self, source: AnySource, fetcher: Fetcher) -> None:
        if isinstance(source, SqlSource):
            self._query(source)
        else:
            ingest = IngestRun(upload=self._upload, report=lambda _fraction, _remaining_s: self._report_progress())
            ingest.take(self._new_files(source, fetcher))
            ingest.finish()
        upload = self._upload
        items = Item.objects.filter(upload=upload)
        upload.num_items = items.count()  # those of an earlier, broken attempt included
        upload.num_labelled = max(upload.num_labelled, items.filter(state=ItemState.ANNOTATED).count())
        upload.size_bytes = upload.received_bytes = self._bytes
        upload.save(update_fields=["num_items", "num_labelled", "size_bytes", "received_bytes"])

    def _query(self, source: SqlSource) -> None:
        """Writes the rows of a query into a file, which is read as any table."""
        ingest = IngestRun(upload=self._upload, report=lambda fraction, left_s: self._report(0.5 + fraction / 2, left_s))
        with TemporaryDirectory(prefix="query-") as folder:
            target = Path(folder) / "rows.jsonl"
            try:
                rows_write(
                    source,
                    target,
                    roots=folders_open(),
                    networks=networks_read(settings.SOURCE_NETWORKS),
                    report=lambda num_rows: self._report(0.5 * num_rows / (num_rows + _MANY_ROWS), None),
                )
            except QueryRefusedError as error:
                place = f"{self._upload.name}: {error.detail}" if error.detail else self._upload.name
                ingest.take([ReadEntry(LabelFileProblem(place, error.code), 0)])
            else:
                self._bytes = target.stat().st_size
                ingest.take_tables(target, f"{self._upload.name}.jsonl", None)
                ingest.settle()
            ingest.finish()

    def _new_files(self, source: FileSource, fetcher: Fetcher) -> Iterator[ReadEntry]:
        try:
            listed = list(islice(_entries(source, fetcher), MAX_ENTRIES + 1))
        except SourceUnusableError as error:
            yield ReadEntry(LabelFileProblem(self._upload.name, error.code), 0)
            return
        if len(listed) > MAX_ENTRIES:
            listed.pop()
            yield ReadEntry(LabelFileProblem(self._upload.name, "too_many_entries"), 0)
        self._total = len(listed)
        missing: list[Entry] = []
        for one in listed:
            if isinstance(one, LabelFileProblem):
                yield self._step(one)
            elif one.name in self._have:
                self._done += 1
            else:
                missing.append(one)
        yield from self._fetched(missing)

    def _fetched(self, missing: list[Entry]) -> Iterator[ReadEntry]:
        """Fetches a few at a time, in order."""
        ahead = iter(missing)
        with ThreadPoolExecutor(THREADS) as pool:
            running: list[tuple[Entry, Future[bytes | LabelFileProblem]]] = []
            try:
                while True:
                    running += [(one, pool.submit(_read, one)) for one in islice(ahead, THREADS - len(running))]
                    if not running:
                        return
                    entry, future = running.pop(0)
                    self._report_progress()
                    data = future.result()
                    yield self._step(data if isinstance(data, LabelFileProblem) else self._incoming(entry, data))
            finally:
                for _, future in running:
                    future.cancel()

    def _incoming(self, entry: Entry, data: bytes) -> IncomingFile | LabelFileProblem:
        self._bytes += len(data)
        if any(not label_is_valid(label) for label in entry.labels):
            return LabelFileProblem(entry.name, "label_invalid")
        annotations: ItemAnnotations = tuple(ClassLabel(label=label) for label in entry.labels) or None
        return IncomingFile(entry.name, data, annotations or file_annotations(upload=self._upload, name=entry.name))

    def _step(self, file: IncomingFile | LabelFileProblem) -> ReadEntry:
        self._done += 1
        return ReadEntry(file, 0)

    def _report_progress(self) -> None:
        fraction = self._done / max(self._total, 1)
        elapsed_s = time.monotonic() - self._began
        self._report(fraction, elapsed_s / fraction * (1 - fraction) if fraction > 0.01 else None)


def _entries(source: FileSource, fetcher: Fetcher) -> Iterator[Entry | LabelFileProblem]:
    if isinstance(source, UrlsSource):
        return urls_entries(source, fetcher)
    if isinstance(source, FolderSource):
        return folder_entries(source, folders_open())
    return bucket_entries(source, fetcher)


def _read(entry: Entry) -> bytes | LabelFileProblem:
    try:
        return entry.read()
    except FetchRefusedError as error:
        return LabelFileProblem(entry.name, error.code)
