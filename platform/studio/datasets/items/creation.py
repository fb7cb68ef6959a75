"""Turns bytes into items. Ingest jobs, batches of small files and feedback all end here.

Safe to repeat after a crash at any point: blobs are written first and are named by their content, rows come in one transaction,
and a file that is an item already is recognised by its hash.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from django.utils import timezone

from automl.contracts.dataset import split_of_group
from studio.common.events import event_record
from studio.common.ids import new_id
from studio.datasets.items.annotation_scale import annotations_scaled
from studio.datasets.items.annotations import (
    AnnotationWrite,
    ItemAnnotations,
    annotations_merge,
    annotations_write,
    item_annotations,
    labels_index,
)
from studio.datasets.items.announced import upload_kept
from studio.datasets.items.facts import facts_index, facts_write
from studio.datasets.items.incoming import DecodedFiles, IncomingFile
from studio.datasets.items.kinds import kind_of
from studio.datasets.items.shares import dataset_shares
from studio.datasets.items.upload_order import BatchPlace
from studio.datasets.models import Dataset, Item, SplitSource, Upload


@dataclass(frozen=True)
class IngestResult:
    """The result for one file."""

    name: str
    state: Literal["new", "duplicate", "unreadable"]
    item: str | None = None
    code: str | None = None
    """Why it is unreadable, or what was not taken over although the file was: a key of ``REASONS``."""
    is_labelled: bool = False
    """Whether this file's labels were written."""
    is_created: bool = False
    """Whether this very call made the item; an earlier, broken attempt's items are new but not created."""


def item_ingest(*, dataset: Dataset, upload: Upload, files: Sequence[IncomingFile], takes_several: bool) -> list[IngestResult]:
    """Makes items of files; answers in the order given.

    Args:
        dataset: where to.
        upload: where from; its items of an earlier, broken attempt count as new.
        files: as many as fit into memory.
        takes_several: whether an item may carry several labels, so that two copies of a picture may add up theirs.
    """
    decoded = kind_of(dataset.project).decode(dataset, files)
    return items_write(dataset=dataset, upload=upload, files=files, decoded=decoded, takes_several=takes_several)


def items_write(
    *,
    dataset: Dataset,
    upload: Upload,
    files: Sequence[IncomingFile],
    decoded: DecodedFiles,
    takes_several: bool,
    place: BatchPlace | None = None,
) -> list[IngestResult]:
    """Writes the rows of files that were decoded; arguments as of ``item_ingest``.

    ``place`` says where the files stand in their upload; None: in the order in which they are written.

    Raises:
        StorageQuotaError, ItemsQuotaError: they are more than a quota of the workspace holds; none of them is written.
    """
    with upload_kept(upload):
        created = _items_create(dataset, upload, files, decoded, place)
        found = Item.objects.select_for_update().filter(dataset=dataset, blob__in=set(decoded.hashes))
        rows = {item.blob: item for item in found}
        _restore([item for item in rows.values() if item.deleted_at is not None])
        results = _results(files, decoded, rows, upload, {item.id for item in created})
        _facts_take(files, results, rows, {item.id for item in created})
        results = _labels_take(files, results, rows, upload, takes_several)
        num_new = sum(one.state == "new" for one in results)
        if num_new:
            event_record(
                workspace=dataset.project.workspace_id,
                project=dataset.project_id,
                type="item.ingested",
                subject=dataset.id,
                data={"num_items": num_new},
            )
    return results


def _items_create(
    dataset: Dataset, upload: Upload, files: Sequence[IncomingFile], decoded: DecodedFiles, place: BatchPlace | None
) -> list[Item]:
    shares = dataset_shares(dataset)
    facts = {blob: one.facts for one, blob in zip(reversed(files), reversed(decoded.hashes), strict=True)}
    items = [
        Item(
            id=new_id(Item.ID_PREFIX) if place is None else place.item_id(number),
            dataset=dataset,
            upload=upload,
            name=decoded.names[blob],
            blob=blob,
            width=media.width,
            height=media.height,
            format=media.format,
            size_bytes=media.size_bytes,
            text=decoded.texts.get(blob),
            metadata=dict(facts.get(blob, {})),
            group=blob,
            split=decoded.splits.get(blob, split_of_group(blob, shares)).value,
            split_by=SplitSource.IMPORT if blob in decoded.splits else None,
        )
        for number, (blob, media) in enumerate(decoded.media.items())
    ]
    # Another upload may bring the same bytes at the same moment: the first one's row stays.
    Item.objects.bulk_create(items, ignore_conflicts=True)
    return items


def _restore(items: list[Item]) -> None:
    """Uploading a deleted picture again brings it back with its annotations."""
    for item in items:
        item.deleted_at = None
    Item.objects.filter(id__in=[item.id for item in items]).update(deleted_at=None)
    labels_index(items=items)


def _results(
    files: Sequence[IncomingFile], decoded: DecodedFiles, rows: Mapping[str, Item], upload: Upload, created: set[str]
) -> list[IngestResult]:
    results: list[IngestResult] = []
    seen: set[str] = set()
    for one, blob in zip(files, decoded.hashes, strict=True):
        if blob in decoded.refused:
            results.append(IngestResult(one.name, "unreadable", code=decoded.refused[blob]))
            continue
        item = rows[blob]
        # After a crash the same upload meets its own items again: they are still its news.
        is_new = (item.id in created or (item.upload_id == upload.id and item.name == one.name)) and blob not in seen
        results.append(
            IngestResult(
                one.name,
                "new" if is_new else "duplicate",
                item=item.id,
                code=decoded.notes.get(blob) if is_new else None,
                is_created=is_new and item.id in created,
            )
        )
        seen.add(blob)
    return results


def _facts_take(
    files: Sequence[IncomingFile], results: Sequence[IngestResult], rows: Mapping[str, Item], created: set[str]
) -> None:
    """Writes the metadata that came along; an item that was there gets what it lacks, and keeps what it has."""
    by_id = {item.id: item for item in rows.values()}
    changed: dict[str, Item] = {}
    for one, result in zip(files, results, strict=True):
        if not one.facts or result.item is None or result.item in created:
            continue
        item = by_id[result.item]
        lacking = {name: value for name, value in one.facts.items() if name not in item.metadata}
        if lacking:
            item.metadata = item.metadata | lacking
            changed[item.id] = item
    facts_index(item for item in rows.values() if item.id in created and item.metadata)
    if changed:
        facts_write(list(changed.values()), sorted({name for item in changed.values() for name in item.metadata}))


def _labels_take(
    files: Sequence[IncomingFile],
    results: Sequence[IngestResult],
    rows: Mapping[str, Item],
    upload: Upload,
    takes_several: bool,
) -> list[IngestResult]:
    """Writes the labels that came along; annotations of a person or an earlier upload are never overwritten."""
    by_id = {item.id: item for item in rows.values()}
    changed: dict[str, ItemAnnotations] = {}
    out: list[IngestResult] = []
    source = f"import:{upload.id}"
    for one, result in zip(files, results, strict=True):
        if one.annotations is None or result.item is None:
            out.append(result)
            continue
        item = by_id[result.item]
        now = changed.get(item.id, item_annotations(item))
        new = annotations_scaled(one.annotations, width=item.width, height=item.height) if one.is_relative else one.annotations
        merged = annotations_merge(now=now, new=new, can_add=takes_several and item.provenance in {"", source})
        if merged is None:
            out.append(replace(result, code="label_kept"))
            continue
        if merged != now:
            changed[item.id] = merged
        out.append(replace(result, is_labelled=True))
    writes = [AnnotationWrite(by_id[item], annotations, source) for item, annotations in changed.items()]
    annotations_write(writes=writes, at=timezone.now())
    return out
