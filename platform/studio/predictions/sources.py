"""The items of a run, in an order that never changes, from behind those that have results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from studio.common.blobs import blobs
from studio.common.stored import read_stored
from studio.datasets.items.filters import FilterIndex, ItemFilter, filter_index
from studio.datasets.items.item_pages import item_ids
from studio.datasets.models import Dataset, Item, LabelSource, Upload, UploadKind
from studio.datasets.versions.records import version_tables
from studio.datasets.versions.selectors import version_manifest
from studio.datasets.versions.shards import version_tree
from studio.predictions.entries import Entry
from studio.predictions.items.kind import PredictedItems, SentFile
from studio.predictions.models import PredictionFile, PredictionRun, Source

_ITEMS_AT_ONCE = 1_000


class SourceEntry(NamedTuple):
    """An entry and how far the run is with it."""

    entry: Entry
    position: str
    """From where the source goes on behind it: ``PredictionPart.position``."""
    fraction: float


def entries_left(run: PredictionRun, kind: PredictedItems) -> Iterator[SourceEntry]:
    """The entries that have no result yet."""
    position = run.parts.order_by("-number").values_list("position", flat=True).first() or ""
    if run.source == Source.FILES:
        return _of_files(run, kind, position)
    entries = _of_items(run, kind, position) if run.source == Source.ITEMS else _of_version(run, kind, position)
    total = max(run.num_expected or 0, 1)
    return (
        SourceEntry(entry, entry.item, min(number / total, 1.0)) for number, entry in enumerate(entries, run.num_results + 1)
    )


def sent_entries(run: PredictionRun, kind: PredictedItems) -> Iterator[Entry]:
    """All entries of the files that were sent for a run, in the order of its results."""
    return (each.entry for each in _of_files(run, kind, ""))


def run_walk(run: PredictionRun) -> FilterIndex:
    """The index along which a run over items goes."""
    dataset = Dataset.objects.select_related("project").get(project=run.project_id)
    return filter_index(dataset, read_stored(ItemFilter, run.filter or {}, subject=run.id))


def _of_items(run: PredictionRun, kind: PredictedItems, after: str) -> Iterator[Entry]:
    walk = run_walk(run)
    next_id: str | None = after
    while next_id is not None and next_id < run.until:
        ids, next_id = item_ids(walk, after=next_id, limit=_ITEMS_AT_ONCE)
        rows = Item.objects.filter(id__in=[item for item in ids if item <= run.until]).only("id", "name", *kind.item_fields)
        for item in rows.order_by("id"):
            yield Entry(item.name, kind.of_item(item), item=item.id)


def _of_version(run: PredictionRun, kind: PredictedItems, after: str) -> Iterator[Entry]:
    if run.version is None:
        return
    folder = version_tree(run.version.id)
    for table in version_tables(folder, version_manifest(run.version), after=after):
        items, names = table.column("item").to_pylist(), table.column("name").to_pylist()
        for item, name, content in zip(items, names, kind.of_version(table), strict=True):
            yield Entry(name, content, item=item)


def _of_files(run: PredictionRun, kind: PredictedItems, position: str) -> Iterator[SourceEntry]:
    files = list(run.files.order_by("number"))
    dataset = Dataset.objects.select_related("project").get(project=run.project_id)
    total, before = max(sum(file.size_bytes for file in files), 1), 0
    at, _, skip = position.partition(":")
    for file in files:
        if file.number >= int(at or 0):
            sent = _sent(file, dataset)
            first = int(skip) if position and file.number == int(at) else 0
            for number, (entry, done) in enumerate(kind.of_file(sent, first), first + 1):
                yield SourceEntry(entry, f"{file.number}:{number}", (before + done * file.size_bytes) / total)
        before += file.size_bytes


def _sent(file: PredictionFile, dataset: Dataset) -> SentFile:
    upload = Upload(dataset=dataset, name=file.name, size_bytes=file.size_bytes, kind=UploadKind.FILE, labels=LabelSource.NONE)
    return SentFile(blobs().local_path(file.blob), upload)
