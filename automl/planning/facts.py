"""What planning needs to know of a dataset version: counts, never pictures or rows."""

from __future__ import annotations

from dataclasses import dataclass

from automl.contracts.dataset import Split, VersionManifest
from automl.planning.tiles import PictureFacts


@dataclass(frozen=True)
class VersionFacts:
    """The size and balance of a version."""

    num_train: int
    num_validation: int
    num_test: int
    num_labels: int
    rarest_label_items: int
    """Annotations of the rarest label; 0 when a label has none or there is no label."""
    commonest_label_items: int = 0
    """Annotations of the commonest label."""
    num_columns: int = 0
    """Columns of a table that are learned from; 0 of what is no table."""
    pictures: tuple[PictureFacts, ...] = ()
    """Some of the pictures, where models may read them in tiles."""
    text_bytes: tuple[int, ...] = ()
    """Of some of the texts, in UTF-8, where models read tokens."""

    @property
    def num_items(self) -> int:
        """Items in all splits."""
        return self.num_train + self.num_validation + self.num_test


def facts_of(
    manifest: VersionManifest, pictures: tuple[PictureFacts, ...] = (), text_bytes: tuple[int, ...] = ()
) -> VersionFacts:
    """Reads the facts out of a version's manifest; ``pictures`` and ``text_bytes`` stand in its shards."""
    names = manifest.label_set.names
    return VersionFacts(
        num_train=manifest.num_items_by_split.get(Split.TRAIN, 0),
        num_validation=manifest.num_items_by_split.get(Split.VALIDATION, 0),
        num_test=manifest.num_items_by_split.get(Split.TEST, 0),
        num_labels=len(names),
        rarest_label_items=min((manifest.num_annotations_by_label.get(name, 0) for name in names), default=0),
        commonest_label_items=max((manifest.num_annotations_by_label.get(name, 0) for name in names), default=0),
        num_columns=0 if manifest.columns is None else len(manifest.columns.features),
        pictures=pictures,
        text_bytes=text_bytes,
    )
