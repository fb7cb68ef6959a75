"""From rows to what goes over the wire."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models.functions import Left

from automl.contracts.dataset import ItemRecord, MediaFacts, Split
from automl.contracts.table import Row
from studio.accounts.schemas import ActorOut, actors_out
from studio.datasets.files.limits import PART_BYTES
from studio.datasets.files.reasons import NOTES, REASONS
from studio.datasets.files.rows import cells_of, is_row, row_of
from studio.datasets.items.annotations import item_said
from studio.datasets.items.creation import Ingested
from studio.datasets.models import DatasetVersion, Item, ItemState, Reject, Upload, UploadKind, UploadState
from studio.datasets.schemas import BatchFileOut, ItemOut, RejectOut, UploadOut, VersionItemOut, VersionOut
from studio.datasets.selectors import version_manifest
from studio.datasets.versions.version_note import restored_number

SHOWN_CHARACTERS = 2000
"""Of a text in an answer; the whole is where a picture would be."""


def item_out(item: Item) -> ItemOut:
    """An item; the blob's hash in its addresses lets browsers keep pictures for good."""
    return ItemOut(
        id=item.id,
        dataset=item.dataset_id,
        name=item.name,
        blob=item.blob,
        media=item_media(item),
        text=text_shown(item),
        row=row_shown(item),
        state=ItemState(item.state),
        annotations=list(item_said(item) or ()),
        revision=item.revision,
        split=Split(item.split),
        provenance=item.provenance,
        metadata=item.metadata,
        created_at=item.created_at,
        deleted_at=item.deleted_at,
        is_quarantined=item.quarantine != "",
        thumbnail_url=thumbnail_url(item.id, item.blob),
        picture_url=picture_url(item.id, item.blob),
    )


def item_media(item: Item) -> MediaFacts:
    """What is known of an item's file."""
    return MediaFacts(
        width=item.width,
        height=item.height,
        format=item.format,
        size_bytes=item.size_bytes,
        num_characters=None if item.text is None or is_row(item.format) else len(item.text.strip()),
        num_cells=len(cells_of(item.text)) if item.text is not None and is_row(item.format) else None,
    )


def text_shown(item: Item) -> str | None:
    """As much of a text as a list shows; None of what is no text."""
    return None if item.text is None or is_row(item.format) else item.text[:SHOWN_CHARACTERS]


def row_shown(item: Item) -> Row | None:
    """The cells of a row; None of what is no row."""
    return row_of(item.text) if item.text is not None and is_row(item.format) else None


def picture_url(item: str, blob: str) -> str:
    """Where an item's picture is served; browsers keep it for good."""
    return f"/api/items/{item}/picture?v={blob[:12]}"


def thumbnail_url(item: str, blob: str) -> str:
    """Where an item's thumbnail is served."""
    return f"/api/items/{item}/thumbnail?size=256&v={blob[:12]}"


def upload_out(upload: Upload) -> UploadOut:
    """An upload."""
    return uploads_out([upload])[0]


def uploads_out(uploads: Sequence[Upload]) -> list[UploadOut]:
    """Uploads, their senders named with two queries for all."""
    actors = actors_out({upload.created_by for upload in uploads})
    return [_upload_out(upload, actors[upload.created_by]) for upload in uploads]


def _upload_out(upload: Upload, created_by: ActorOut) -> UploadOut:
    """The refused files are counted when the row was not read with their number."""
    num_rejected, num_noted = getattr(upload, "num_rejected", None), getattr(upload, "num_noted", 0)
    return UploadOut(
        id=upload.id,
        dataset=upload.dataset_id,
        name=upload.name,
        kind=UploadKind(upload.kind),
        state=UploadState(upload.state),
        size_bytes=upload.size_bytes,
        received_bytes=upload.received_bytes,
        part_bytes=PART_BYTES,
        relative_path=upload.relative_path,
        label=upload.label or None,
        labels=upload.labels,
        job=upload.job_id,
        num_items=upload.num_items,
        num_duplicates=upload.num_duplicates,
        num_labelled=upload.num_labelled,
        num_rejected=Reject.objects.filter(upload=upload).count() if num_rejected is None else num_rejected,
        num_noted=num_noted,
        sha256=upload.sha256 or None,
        created_at=upload.created_at,
        created_by=created_by,
        ended_at=upload.ended_at,
    )


def reject_out(reject: Reject) -> RejectOut:
    """A refused file with its reason in words."""
    return RejectOut(name=reject.name, code=reject.code, reason=REASONS[reject.code], is_note=reject.code in NOTES)


def batch_file_out(result: Ingested) -> BatchFileOut:
    """What became of one file of a batch."""
    reason = None if result.code is None else REASONS[result.code]
    return BatchFileOut(path=result.name, item=result.item, state=result.state, code=result.code, reason=reason)


def version_out(version: DatasetVersion) -> VersionOut:
    """A version without its rows."""
    manifest = version_manifest(version)
    return VersionOut(
        id=version.id,
        project=version.project_id,
        number=version.number,
        branch=version.branch,
        parent=version.parent_id,
        created_at=version.created_at,
        created_by=version.created_by,
        note=version.note,
        note_restored_number=restored_number(version.note),
        task=manifest.task,
        labels=list(manifest.label_set.names),
        num_items=manifest.num_items,
        num_items_by_split=dict(manifest.num_items_by_split),
        num_annotations_by_label=dict(manifest.num_annotations_by_label),
        columns=None if manifest.columns is None else list(manifest.columns.columns),
    )


def version_items_out(records: Sequence[ItemRecord]) -> list[VersionItemOut]:
    """Rows of a version; the texts among them are read with one query."""
    written = texts_of([record.item for record in records if record.media.num_characters is not None])
    return [
        VersionItemOut(
            **dict(record) | {"row": None if record.row is None else row_of(record.row)},
            thumbnail_url=thumbnail_url(record.item, record.blob),
            text=written.get(record.item),
        )
        for record in records
    ]


def texts_of(items: Sequence[str]) -> dict[str, str]:
    """The beginnings of texts by the ids of their items, deleted ones too."""
    if not items:
        return {}
    rows = Item.objects.filter(id__in=items, text__isnull=False).annotate(shown=Left("text", SHOWN_CHARACTERS))
    return dict(rows.values_list("id", "shown"))
