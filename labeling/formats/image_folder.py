"""Pictures in folders named after their labels: ``rose/1.jpg``, ``tulip/2.jpg``.

The label is the first folder below what all files share, so ``flowers/rose/1.jpg`` means rose and not flowers. Folders that
only name a split (``train``, ``test``) are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from automl.contracts.annotation import ClassLabel
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord
from labeling.formats import csv_labels
from studio.datasets.formats import Complaint, ExportedFile, Reading, label_is_valid

TITLE = Text(en="Folders named after labels", zh="以标签命名的文件夹")

_SPLIT_FOLDERS = frozenset({"train", "training", "val", "valid", "validation", "test", "testing"})
_UNLABELLED = "_none"
"""Folder of a download for pictures that were looked at and show none of the labels."""


def is_label_file(name: str) -> bool:
    """No file carries labels: the folders do."""
    del name
    return False


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> Reading:
    """Takes each file's label from its folder; files outside any folder stay unlabelled."""
    del label_files
    reading = Reading()
    folders = {name: name.split("/")[:-1] for name in names}
    depth = _root_depth(list(folders.values()))
    for name, parts in folders.items():
        below = [part.strip() for part in parts[depth:]]
        if not below:
            continue
        label = below[0]
        if label == _UNLABELLED:
            reading.annotations[name] = ()
        elif label_is_valid(label):
            reading.annotations[name] = (ClassLabel(label=label),)
        else:
            reading.complaints.append(Complaint(name, "label_invalid"))
    return reading


def _root_depth(folders: list[list[str]]) -> int:
    """How many leading folders name no label."""
    deep = [parts for parts in folders if parts]
    if not deep:
        return 0
    shared = 0
    # A folder that holds pictures itself may be the label of a one-label upload: it is no root.
    while all(len(parts) > shared + 1 for parts in deep) and len({parts[shared] for parts in deep}) == 1:
        shared += 1
    is_shared_root = len({parts[shared] for parts in deep}) == 1 and any(len(parts) > shared + 1 for parts in deep)
    shared += int(is_shared_root)
    level = [parts for parts in deep if len(parts) > shared]
    if all(len(parts) > shared + 1 and parts[shared].lower() in _SPLIT_FOLDERS for parts in level):
        return shared + 1
    return shared


def write(records: Iterable[ItemRecord]) -> Iterator[ExportedFile]:
    """Puts each picture into its first label's folder; all labels stand in ``items.csv``."""
    rows = csv_labels.Table()
    for record in records:
        labels = csv_labels.labels_of(record)
        path = csv_labels.free_path(folder=labels[0] if labels else _UNLABELLED, record=record)
        rows.add(path=path, record=record)
        yield ExportedFile(path=path, blob=record.blob)
    yield ExportedFile(path="items.csv", data=rows.data())
