"""Pictures in folders named after their labels: ``train/rose/1.jpg``, ``test/tulip/2.jpg``.

The label is the first folder below what all files share, so ``flowers/rose/1.jpg`` means rose and not flowers. Folders that
only name a split (``train``, ``test``) are passed over and kept as the split. A download has ``items.csv`` beside the folders;
it holds what a folder cannot, and an import takes its word.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from automl.contracts.annotation import AnnotationKind, ClassLabel
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats import csv_labels
from labeling.formats._files import SPLITS
from labeling.formats._reading import complain
from labeling.formats._writing import Paths, folder_clean
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob, label_is_valid

words = Words(__file__)

TITLE = words("image_folder")
KINDS: frozenset[AnnotationKind] = frozenset({"class"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.SCORES})
MEDIA = frozenset({Modality.IMAGE, Modality.TEXT})

_TABLE = "items.csv"
_NO_LABELS = "_none"
"""Folder of a download for pictures that were looked at and show none of the labels."""
_UNLABELLED = "no_label"
"""Folder in which datumaro puts the pictures that nobody has labelled."""


def is_label_file(name: str) -> bool:
    """The folders carry the labels, and the table of a download."""
    return posixpath.basename(name).lower() == _TABLE


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """Folders are what is left when no file speaks of labels; a download is known by its table."""
    data = [name for name in names if name not in label_files]
    tables = [name for name in label_files if is_label_file(name)]
    if not any("/" in name for name in data) or not data:
        return 0.0
    num_labels = _num_label_folders(data)
    if num_labels and any(label_files[name].startswith(csv_labels.HEAD) for name in tables):
        return 0.95
    # One folder is where the pictures lay rather than a label that all of them share.
    return 0.1 if num_labels > 1 else 0.0


def _num_label_folders(names: Sequence[str]) -> int:
    """How many folders are more than where pictures usually lie."""
    usual = {"images", "image", "pictures", "imgs", "jpegimages", "data", *SPLITS}
    return len({label for label, _ in _places(names).values() if label.lower() not in usual})


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Takes each file's label and split from its folders; files outside any folder stay unlabelled."""
    reading = ParsedLabels()
    for name, (label, split) in _places(names).items():
        if label == _NO_LABELS:
            reading.annotations[name] = ()
        elif not label_is_valid(label):
            complain(reading, name, "label_invalid")
            continue
        elif label != _UNLABELLED:
            reading.annotations[name] = (ClassLabel(label=label),)
        if split is not None:
            reading.splits[name] = split
    tables = {name: label_files[name] for name in label_files if is_label_file(name)}
    if tables:
        annotations = csv_labels.read(names, tables)
        reading.annotations |= annotations.annotations
        reading.splits |= annotations.splits
        reading.complaints += (
            annotations.complaints
        )  # a picture of which the table says what cannot be read is not its folder's either
    return reading


def _places(names: Sequence[str]) -> dict[str, tuple[str, Split | None]]:
    """Label and split of each file that lies in a folder."""
    folders = {name: name.split("/")[:-1] for name in names}
    depth = _root_depth(list(folders.values()))
    out = {}
    for name, parts in folders.items():
        below = [part.strip() for part in parts[depth:]]
        if below:
            above = reversed([part.lower() for part in parts[:depth]])
            out[name] = below[0], next((SPLITS[part] for part in above if part in SPLITS), None)
    return out


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
    if all(len(parts) > shared + 1 and parts[shared].lower() in SPLITS for parts in level):
        return shared + 1
    return shared


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Puts each picture into its split's and first label's folder; all labels stand in ``items.csv``."""
    del labels, blob
    # Readers take the folder above a picture for its label, and some give up on all labels where folders are of unlike depth.
    rows, paths = csv_labels.Table(), Paths(by_stem=False, is_flat=True)
    for record in records:
        first = next((one.label for one in record.annotations if isinstance(one, ClassLabel)), _NO_LABELS)
        path = paths.path(record, f"{record.split.value}/{folder_clean(first)}", without=first)
        rows.add(path=path, record=record, kinds=KINDS)
        yield ExportedFile(path=path, blob=record.blob, size_bytes=record.media.size_bytes)
    yield ExportedFile(path=_TABLE, chunks=rows.chunks())
