"""WebDataset: a tar whose files with one name and different suffixes are one sample: ``train/1.jpg`` and ``train/1.json``.

``json`` holds our annotations whole, so nothing is lost; ``cls`` is the first label's number for loaders that want one. From
others are read ``json`` with ``annotations``, ``label`` or ``labels``, ``cls`` (a number or a name) and ``txt``. Files below
``__meta__`` are passed over by loaders; the label set stands there.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson
from pydantic import ValidationError

from automl.contracts.annotation import Annotation, AnnotationKind, Annotations, ClassLabel
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.task import Modality
from labeling.formats._files import PICTURES, SPLITS, json_of, looked_into, split_named, text_of
from labeling.formats._reading import attach_all, complain, label_note
from labeling.formats._values import LabelError, is_finite, label_text, made
from labeling.formats._writing import Paths, suffix_of
from studio.datasets.formats import ExportedFile, Facet, ReadBlob, Reading, label_is_valid

TITLE = Text(en="WebDataset (tar)", zh="WebDataset（tar）")
KINDS: frozenset[AnnotationKind] = frozenset(
    {"class", "box", "rotated_box", "polygon", "polyline", "mask", "keypoints", "text", "value", "cell"}
)
KEEPS = frozenset(Facet)
MEDIA = frozenset({Modality.IMAGE})
CONTAINER = "tar"

_LABELS = "__meta__/labels.json"
_SUFFIXES = (".json", ".cls", ".txt")


def is_label_file(name: str) -> bool:
    """What lies beside a picture under the same name."""
    return name.lower().endswith(_SUFFIXES)


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """Our label set, or a number or name of a class beside each picture."""
    if _LABELS in label_files:
        return 0.95
    stems = {_key(name) for name in names if name.lower().endswith(PICTURES)}
    classes = [name for name, _ in looked_into(label_files, ".cls")]
    return 0.85 if any(_key(name) in stems for name in classes) else 0.0


def _key(name: str) -> str:
    """What the files of a sample share: all up to the first dot of the file's name."""
    folder, _, base = name.rpartition("/")
    return f"{folder}/{base.partition('.')[0]}"


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> Reading:
    """Reads one sample a key."""
    reading = Reading()
    classes = _classes_read(label_files, reading)
    beside: dict[str, list[str]] = {}
    for place in label_files:
        if is_label_file(place) and not place.startswith("__meta__/") and posixpath.basename(place) != "classes.txt":
            beside.setdefault(_key(place), []).append(place)
    for name in names:
        split = split_named(posixpath.dirname(name))
        for place in sorted(beside.pop(_key(name), ()), key=_rank):
            try:
                said, told = _sample_read(place, label_files[place], classes)
            except LabelError as error:
                complain(reading, place, error.code, name)
                continue
            split = told or split
            if said is not None and name not in reading.annotations:
                attach_all(reading, name, said)
        if split is not None:
            reading.splits[name] = split
    for places in beside.values():
        for place in places:
            complain(reading, place, "label_file_missing")
    return reading


def _rank(place: str) -> int:
    """The fullest word on a sample counts: JSON before a class before a text."""
    return next(rank for rank, suffix in enumerate(_SUFFIXES) if place.lower().endswith(suffix))


def _classes_read(label_files: Mapping[str, bytes], reading: Reading) -> list[str]:
    for place in label_files:
        if posixpath.basename(place) == "classes.txt":
            return [line.strip() for line in text_of(label_files[place]).splitlines() if line.strip()]
    if _LABELS in label_files:
        try:
            found = LabelSet.model_validate_json(label_files[_LABELS])
        except ValidationError:
            complain(reading, _LABELS, "label_file_broken")
            return []
        for label in found.labels:
            label_note(reading, label)
        return list(found.names)
    return []


def _sample_read(place: str, data: bytes, classes: Sequence[str]) -> tuple[Sequence[Annotation] | None, Any]:
    """What a file says of its sample, and the split that it tells; None when it says nothing."""
    if place.lower().endswith(".json"):
        return _json_read(json_of(data))
    text = text_of(data).strip()
    if place.lower().endswith(".txt") and not classes and len(text) > 100:
        return None, None  # a caption
    number = int(text) if text.isdecimal() and len(text) < 10 else len(classes)
    label = classes[number] if number < len(classes) else text
    return ([made(ClassLabel, label=label_text(label))] if label else []), None


def _json_read(found: Any) -> tuple[Sequence[Annotation] | None, Any]:  # noqa: ANN401 - it is JSON
    if not isinstance(found, dict):
        raise LabelError("label_file_broken")
    split = SPLITS.get(str(found.get("split", "")).lower())
    if isinstance(found.get("annotations"), list):
        try:
            said = Annotations.validate_python(found["annotations"])
        except ValidationError:
            raise LabelError from None
        if not all(is_finite(one.model_dump().values()) and label_is_valid(getattr(one, "label", "x")) for one in said):
            raise LabelError
        return said, split
    label = found.get("labels", found.get("label", found.get("class")))
    if label is None:
        return None, split
    return [made(ClassLabel, label=label_text(one)) for one in (label if isinstance(label, list) else [label])], split


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes the samples, the files of each one after the other, and the label set first."""
    del blob
    yield ExportedFile(path=_LABELS, data=labels.model_dump_json().encode())
    numbers = {name: index for index, name in enumerate(labels.names)}
    paths = Paths(has_dots=False)
    for record in records:
        key = f"{record.split.value}/{paths.stem(record, record.split)}"
        yield ExportedFile(path=key + suffix_of(record), blob=record.blob, size_bytes=record.media.size_bytes)
        said = [one for one in record.annotations if one.kind in KINDS]
        rows = Annotations.dump_python(tuple(said), mode="json")
        facts = {"annotations": rows, "split": record.split.value, "item": record.item, "name": record.name}
        yield ExportedFile(path=f"{key}.json", data=orjson.dumps(facts))
        first = next((one.label for one in said if isinstance(one, ClassLabel)), None)
        if first in numbers:
            yield ExportedFile(path=f"{key}.cls", data=str(numbers[first]).encode())
