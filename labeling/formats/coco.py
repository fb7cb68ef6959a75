"""COCO: one JSON file a split with ``images``, ``annotations`` and ``categories``.

Polygons, run lengths (packed or plain) and key points with their skeleton. What COCO's own readers pass over carries the rest:
``score``, ``attributes`` and ``object`` (our id) beside the usual keys. A polygon with holes is written as run lengths, which
every reader fills right, with its rings beside them. An annotation of a category alone, without any place, labels the whole
picture (datumaro's ``labels_*.json``). An image without annotations was looked at and shows nothing. Read is also the list of
results that ``pycocotools`` judges a model by: predictions.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from automl.contracts.annotation import Annotation, AnnotationKind
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.modality import Modality
from labeling.formats._coco_read import Category, annotation_read, bounds_read, categories_read, dict_of, list_in
from labeling.formats._coco_write import SplitWriter
from labeling.formats._files import Finder, json_of, looked_into, split_named, split_of_folders, the_one
from labeling.formats._reading import attach_all, complain, complaining, documents, predict, split_note
from labeling.formats._values import LabelError
from labeling.formats._writing import SPLIT_FOLDERS, Paths, suffix_of
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

TITLE = Text.same("COCO JSON")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box", "rotated_box", "polygon", "mask", "keypoints"})
KEEPS = frozenset(Facet) - {Facet.TEXTS}
MEDIA = frozenset({Modality.IMAGE})


def is_label_file(name: str) -> bool:
    """JSON files."""
    return name.lower().endswith(".json")


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A JSON object that lists images, and annotations or categories."""
    del names
    found = looked_into(label_files, ".json")
    return (
        0.9 if any(b'"images"' in data and (b'"categories"' in data or b'"annotations"' in data) for _, data in found) else 0.0
    )


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all JSON files; the split is in the file's name, its folder or the picture's folder.

    A list of results, as models are judged by, holds predictions. Its images and categories are those of the other files.
    """
    reading = ParsedLabels()
    finder = Finder(names)
    known: list[_Document] = []
    results: list[tuple[str, list[Any]]] = []
    for place, found in documents(label_files, is_label_file, json_of, reading):
        if isinstance(found, list) and found and isinstance(found[0], dict) and "image_id" in found[0]:
            results.append((place, found))
            continue
        with complaining(reading, place):
            known.append(_document_read(found, place, finder, reading))
    for place, rows in results:
        _results_read(rows, place, known, reading)
    return reading


@dataclass(frozen=True)
class _Document:
    """The content of one file: its images and labels."""

    split: Split | None
    categories: dict[Any, Category] = field(default_factory=dict)
    images: dict[Any, str] = field(default_factory=dict)


def _split_of(place: str) -> Split | None:
    return split_named(posixpath.basename(place)) or split_of_folders(place)


def _document_read(content: Any, place: str, finder: Finder, reading: ParsedLabels) -> _Document:  # noqa: ANN401 - it is JSON
    if not isinstance(content, dict) or not isinstance(content.get("images"), list):
        raise LabelError("label_file_broken")
    split = _split_of(place)
    document = _Document(split, categories_read(list_in(content, "categories"), place, reading))
    # Pictures of a split often share their names with those of another: the split's folder decides.
    folder = (
        posixpath.dirname(place)
        if split_of_folders(place) or split is None
        else f"{_above(place)}images/{SPLIT_FOLDERS[split]}"
    )
    listed = finder.each(
        [str(image.get("file_name")) if isinstance(image, dict) else "" for image in content["images"]], folder
    )
    for index, (image, found) in enumerate(zip(content["images"], listed, strict=True)):
        with complaining(reading, f"{place}: images[{index}]"):
            name = _image_name(dict_of(image), f"{place}: images[{index}]", found, reading)
            if name is None:
                continue
            document.images[image["id"]] = name
            if "annotations" in content:  # a list of images alone says of none that it shows nothing
                reading.annotations.setdefault(name, ())
            split_note(reading, name, split, split_of_folders(name))
    _annotations_read(list_in(content, "annotations"), place, document, reading)
    return document


def _annotations_read(rows: Sequence[Any], place: str, document: _Document, reading: ParsedLabels) -> None:
    annotations: dict[str, list[Annotation]] = {}
    missing, num_of_any = 0, len(rows)
    for index, one in enumerate(rows):
        with complaining(reading, f"{place}: annotations[{index}]"):
            name = document.images.get(dict_of(one)["image_id"])
            num_of_any -= 1
            if name is None:
                missing += 1  # the image was complained of, or is of another file
                continue
            with complaining(reading, f"{place}: annotations[{index}]", name):
                shapes = annotation_read(one, document.categories, index)
                annotations.setdefault(name, []).extend(shapes)
                reading.bounds |= bounds_read(one, shapes)
    if missing:
        complain(reading, f"{place}: annotations (× {missing})", "label_image_missing")
    for name, shapes in annotations.items():
        attach_all(reading, name, shapes)
    if num_of_any:  # no picture without annotations is known to be empty: each may be the one that is meant
        for name in document.images.values():
            if reading.annotations.get(name) == ():
                del reading.annotations[name]


def _image_name(image: Mapping[str, Any], place: str, found: Sequence[str], reading: ParsedLabels) -> str | None:
    called = image["file_name"]
    try:
        return the_one(found)
    except LabelError as error:
        complain(reading, f"{place} {called}", error.code)
        return None


def _results_read(rows: Sequence[Any], place: str, known: Sequence[_Document], reading: ParsedLabels) -> None:
    split = _split_of(place)
    # Ids begin anew in the file of each split.
    meant = [one for one in known if one.split is split] or known
    images: dict[Any, set[str]] = {}
    categories: dict[Any, Category] = {}
    for document in meant:
        categories = document.categories | categories
        for key, name in document.images.items():
            images.setdefault(key, set()).add(name)
    missing = 0
    for index, one in enumerate(rows):
        with complaining(reading, f"{place}: [{index}]"):
            found = images.get(dict_of(one)["image_id"], set())
            if len(found) != 1:
                missing += 1
                continue
            if one.get("score") is None:
                raise LabelError
            predict(reading, next(iter(found)), annotation_read(one, categories, index))
    if missing:
        complain(reading, f"{place} (× {missing})", "label_image_missing")


def _above(place: str) -> str:
    above = posixpath.dirname(posixpath.dirname(place))
    return f"{above}/" if above else ""


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes pictures below ``images/<split>`` and ``annotations/instances_<split>.json``.

    Where nothing but whole pictures is labelled the file is called ``labels_<split>.json``.
    """
    del blob
    writers = {split: SplitWriter(labels, KINDS) for split in Split}
    paths = Paths(by_stem=False)
    for record in records:
        path = paths.stem(record, record.split) + suffix_of(record)
        writers[record.split].add(record, path)
        yield ExportedFile(
            path=f"images/{SPLIT_FOLDERS[record.split]}/{path}", blob=record.blob, size_bytes=record.media.size_bytes
        )
    for split, writer in writers.items():
        yield ExportedFile(path=f"annotations/{writer.stem}_{SPLIT_FOLDERS[split]}.json", chunks=writer.chunks())
