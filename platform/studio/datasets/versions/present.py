"""Turns versions into the schemas of the API."""

from __future__ import annotations

from collections.abc import Sequence

from automl.contracts.dataset import ItemRecord
from studio.datasets.files.rows import row_of
from studio.datasets.items.present import texts_of, thumbnail_url_if_any
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.schemas import VersionItemOut, VersionOut
from studio.datasets.versions.selectors import version_manifest
from studio.datasets.versions.version_note import BEFORE_RESTORE


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
        note_restored_number=version.note_params["number"] if version.note_code == BEFORE_RESTORE else None,
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
            thumbnail_url=thumbnail_url_if_any(record.item, record.blob, record.media.format),
            text=written.get(record.item),
        )
        for record in records
    ]
