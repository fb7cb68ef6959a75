"""Which files would bring nothing new: how a client that was broken off sends the rest and not all again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from automl.contracts.annotation import class_labels
from studio.datasets.items.annotations import item_annotations
from studio.datasets.items.label_set import takes_several
from studio.datasets.models import Dataset, Item, ItemState, LabelSource


@dataclass(frozen=True)
class AnnouncedFile:
    """A file that a client has."""

    path: str
    sha256: str


def files_known(dataset: Dataset, files: Sequence[AnnouncedFile], *, labels: LabelSource) -> list[int]:
    """The places of the files that are living items already and whose folder would add no label."""
    hashes = {one.sha256 for one in files}
    fields = ("id", "blob", "state", "annotations", "provenance")
    rows = {item.blob: item for item in Item.objects.filter(dataset=dataset, blob__in=hashes, deleted_at=None).only(*fields)}
    several = takes_several(dataset.project)
    return [
        place
        for place, one in enumerate(files)
        if one.sha256 in rows and not _would_label(rows[one.sha256], one.path, labels, several=several)
    ]


def _would_label(item: Item, path: str, labels: LabelSource, *, several: bool) -> bool:
    if labels != LabelSource.FOLDER or "/" not in path:
        return False
    if item.state == ItemState.UNLABELLED:
        return True
    label = path.split("/", maxsplit=1)[0].strip()
    return several and label not in class_labels(item_annotations(item) or ())
