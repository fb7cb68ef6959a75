"""Frees the space of blobs that nothing refers to any more. Nothing else ever removes a blob.

What ``common.blob_fields`` knows no holder of is set aside first and erased a grace later, if it has none then either. Bytes
are put into the store before the row that holds them is written, and a blob that is there already is not written again, so a
look at the rows alone would race with that: within the grace the row has come, and until then readers get what was set aside.
A job may put first and write rows hours later (the import of an archive), so nothing younger than the oldest unfinished job of
the platform's own is touched.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min
from django.utils import timezone

from studio.common.blob_fields import blobs_referenced
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs
from studio.jobs.handlers import executor_of, job_kinds
from studio.jobs.models import Job

GRACE = timedelta(hours=1)
"""Above the time between the putting of bytes and the row that holds them."""
PREFIXES = "0123456789abcdef"
EACH_S = 600
"""So often the clock calls; the whole store has been seen after sixteen times."""
_BATCH = 5_000
_OWNER = "owner.txt"

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SweepResult:
    """How much a sweep has removed."""

    num_set_aside: int = 0
    num_brought_back: int = 0
    num_erased: int = 0


def prefix_due() -> str:
    """The sixteenth of the store whose turn it is."""
    return PREFIXES[int(time.time() / EACH_S) % len(PREFIXES)]


def blobs_sweep(prefix: str, *, now: datetime | None = None) -> SweepResult:
    """Sweeps the blobs whose hash begins with a digit. Several at once, and an end at any point, do no harm."""
    if not _is_own_store():
        return SweepResult()
    before = _settled_before(now or timezone.now())
    store = blobs()
    num_brought_back = num_erased = num_set_aside = 0
    for batch in _batches(store.walk(prefix, before=before, is_aside=True)):
        referenced = blobs_referenced(batch)
        for blob in batch:
            if blob in referenced:
                store.restore(blob)
            else:
                store.erase(blob)
        num_brought_back += len(referenced)
        num_erased += len(batch) - len(referenced)
    for batch in _batches(store.walk(prefix, before=before)):
        waste = set(batch) - blobs_referenced(batch)
        for blob in waste:
            store.set_aside(blob)
        num_set_aside += len(waste)
    return SweepResult(num_set_aside, num_brought_back, num_erased)


def _settled_before(now: datetime) -> datetime:
    """What was put before this moment has the rows that hold it, if there are to be any."""
    kinds = [kind for kind in job_kinds() if executor_of(kind) == "platform"]
    began = Job.objects.filter(kind__in=kinds, ended_at=None).aggregate(first=Min("started_at"))["first"]
    return min(now, began or now) - GRACE


def _is_own_store() -> bool:
    """Whether the store is this database's own. To another database all that lies in it would be waste."""
    first = MigrationRecorder.Migration.objects.order_by("id").first()
    if first is None:
        return False
    mark = first.applied.isoformat()
    try:
        owner = blobs().get_object(_OWNER).read_text(encoding="ascii")
    except BlobMissingError:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / _OWNER
            path.write_text(mark, encoding="ascii")
            blobs().put_object(_OWNER, path)
        return True
    if owner != mark:
        _log.warning("the file store belongs to another database than this one: nothing in it is given back")
    return bool(owner == mark)


def _batches(names: Iterable[str]) -> Iterator[list[str]]:
    source = iter(names)
    while batch := list(islice(source, _BATCH)):
        yield batch
