"""WebDataset: a tar whose files with one name and different suffixes are one sample: ``train/1.jpg`` and ``train/1.json``.

``json`` holds our annotations whole, so nothing is lost; ``cls`` is the first label's number for loaders that want one. From
others are read ``json`` with ``annotations``, ``label`` or ``labels``, ``cls`` (a number or a name) and ``txt``. Files below
``__meta__`` are passed over by loaders; the label set stands there.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson
from pydantic import ValidationError

from automl.contracts.annotation import Annotation, AnnotationKind, Annotations, ClassLabel
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats._class_names import CLASS_LISTS, class_name, is_class_list, listed_class_names, names_of
from labeling.formats._files import PICTURES, SPLITS, json_of, looked_into, split_named, text_of
from labeling.formats._reading import attach_all, complain, complaining, label_note
from labeling.formats._values import LabelError, is_finite, label_text, made
from labeling.formats._writing import Paths, suffix_of
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob, label_is_valid

words = Words(__file__)

TITLE = words("webdataset")
KINDS: frozenset[AnnotationKind] = frozenset(
    {"class", "box", "rotated_box", "polygon", "polyline", "mask", "keypoints", "text", "value", "cell"}
)
KEEPS = frozenset(Facet)
MEDIA = frozenset({Modality.IMAGE})
CONTAINER = "tar"

_LABELS = "__meta__/labels"
"""Without a suffix: neither ``webdataset`` nor ``datasets`` takes it for a sample."""
_LABELS_BEFORE = "__meta__/labels.json"
_SUFFIXES = (".json", ".cls", ".txt")
_FEATURES = "dataset_info.json"
"""Names the classes as Hugging Face does."""
_NAMES = frozenset(
    {
        *CLASS_LISTS,
        *(
            _FEATURES,
            "classes.json",
            "class_names.json",
            "labels.json",
            "class_to_idx.json",
            "idx_to_class.json",
            "id2label.json",
        ),
    }
)
"""What names the classes: a name a line, a list, or numbers to names or names to numbers."""
_LOOKED_AT = 40
_CAPTION = 100
"""Characters from which on a text is no label."""


def is_label_file(name: str) -> bool:
    """What lies beside a picture under the same name, and our label set."""
    return name.lower().endswith(_SUFFIXES) or name == _LABELS


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """Our label set, or a number or name of a class, JSON with a label or a short word beside each picture."""
    if _LABELS in label_files or _LABELS_BEFORE in label_files:
        return 0.95
    stems = {_key(name) for name in names if name.lower().endswith(PICTURES)}
    beside = {name: label_files[name] for name in label_files if _key(name) in stems}
    if any(True for _ in looked_into(beside, ".cls")):
        return 0.85
    documents = [data for _, data in looked_into(beside, ".json", count=_LOOKED_AT)]
    if documents and len(beside) * 2 > len(stems) and all(map(_has_label, documents)):
        return 0.4
    words = [text_of(data[:_CAPTION]).strip() for _, data in looked_into(beside, ".txt", count=_LOOKED_AT)]
    # The same few words again and again are labels; captions differ.
    are_labels = bool(words) and len(set(words)) <= max(2, len(words) // 2) and all(map(_is_word, words))
    return 0.25 if are_labels and len(beside) * 2 > len(stems) else 0.0


def _has_label(data: bytes) -> bool:
    try:
        return _json_read(json_of(data))[0] is not None
    except LabelError:
        return False


def _is_word(text: str) -> bool:
    return label_is_valid(text) and len(text) < _CAPTION and not re.match(r"\d+(\s+[-+0-9.eE]+)+$", text)


def _key(name: str) -> str:
    """What the files of a sample share: all up to the first dot of the file's name."""
    folder, _, base = name.rpartition("/")
    return f"{folder}/{base.partition('.')[0]}"


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads one sample a key."""
    reading = ParsedLabels()
    classes = _classes_read(label_files, reading)
    beside: dict[str, list[str]] = {}
    unnamed = ""
    for place in label_files:
        if is_label_file(place) and not place.startswith("__meta__/") and not _is_names(place):
            beside.setdefault(_key(place), []).append(place)
    for name in names:
        split = split_named(posixpath.dirname(name))
        for place in sorted(beside.pop(_key(name), ()), key=_rank):
            try:
                annotations, part = _sample_read(place, label_files[place], classes)
            except LabelError as error:
                complain(reading, place, error.code, name)
                continue
            split = part or split
            if annotations is not None and name not in reading.annotations:
                attach_all(reading, name, annotations)
                unnamed = unnamed or (
                    place if not classes and place.lower().endswith(".cls") and _is_number(annotations) else ""
                )
        if split is not None:
            reading.splits[name] = split
    for places in beside.values():
        for place in places:
            complain(reading, place, "label_file_missing")
    if unnamed:
        complain(reading, unnamed, "class_numbers")
    return reading


def _is_number(annotations: Sequence[Annotation]) -> bool:
    return any(isinstance(one, ClassLabel) and one.label.isdecimal() for one in annotations)


def _rank(place: str) -> int:
    """The fullest word on a sample counts: JSON before a class before a text."""
    return next(rank for rank, suffix in enumerate(_SUFFIXES) if place.lower().endswith(suffix))


def _classes_read(label_files: Mapping[str, bytes], reading: ParsedLabels) -> list[str]:
    if names := listed_class_names(label_files):
        return names
    for place in label_files:
        if _is_names(place) and not is_class_list(place) and (found_names := _names_read(place, label_files[place], reading)):
            return found_names
    for place in (_LABELS, _LABELS_BEFORE):
        if place not in label_files:
            continue
        try:
            found = LabelSet.model_validate_json(label_files[place])
        except ValidationError:
            complain(reading, place, "label_file_broken")
            return []
        for label in found.labels:
            label_note(reading, label)
        return list(found.names)
    return []


def _is_names(place: str) -> bool:
    return posixpath.basename(place).lower() in _NAMES


def _names_read(place: str, data: bytes, reading: ParsedLabels) -> list[str]:
    found: list[str] = []
    with complaining(reading, place):
        document = json_of(data)
        if posixpath.basename(place).lower() == _FEATURES:
            features = document.get("features") or {}
            found += next((names for key in ("cls", "label", *features) if (names := names_of(features.get(key)))), [])
        elif isinstance(document, dict):
            numbered = {int(one): name for one, name in document.items()} if all(map(str.isdecimal, document)) else {}
            numbered |= {number: name for name, number in document.items() if isinstance(number, int)}
            found += [label_text(numbered[number]) for number in range(len(numbered))]
        else:
            found += [label_text(name) for name in document]
    return found


def _sample_read(place: str, data: bytes, classes: Sequence[str]) -> tuple[Sequence[Annotation] | None, Any]:
    """What a file says of its sample, and the split that it tells; None when it says nothing."""
    if place.lower().endswith(".json"):
        return _json_read(json_of(data), classes)
    text = text_of(data).strip()
    if place.lower().endswith(".txt") and not classes and len(text) > _CAPTION:
        return None, None  # a caption
    number = int(text) if text.isdecimal() and len(text) < 10 else len(classes)
    label = classes[number] if number < len(classes) else text
    return ([made(ClassLabel, label=label_text(label))] if label else []), None


def _json_read(content: Any, classes: Sequence[str] = ()) -> tuple[Sequence[Annotation] | None, Any]:  # noqa: ANN401 - it is JSON
    if not isinstance(content, dict):
        raise LabelError("label_file_broken")
    split = SPLITS.get(str(content.get("split", "")).lower())
    if isinstance(content.get("annotations"), list):
        try:
            annotations = Annotations.validate_python(content["annotations"])
        except ValidationError:
            raise LabelError from None
        if not all(is_finite(one.model_dump().values()) and label_is_valid(getattr(one, "label", "x")) for one in annotations):
            raise LabelError
        return annotations, split
    label = content.get("labels", content.get("label", content.get("class")))
    if label is None:
        return None, split
    several = label if isinstance(label, list) else [label]
    return [made(ClassLabel, label=label_text(class_name(one, classes))) for one in several], split


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes the samples, the files of each one after the other, and the label set first."""
    del blob
    yield ExportedFile(path=_LABELS, data=labels.model_dump_json().encode())
    numbers = {name: index for index, name in enumerate(labels.names)}
    paths = Paths(has_dots=False)
    for record in records:
        key = f"{record.split.value}/{paths.stem(record, record.split)}"
        # The suffix is the field's name, and readers take PNG and png for two.
        yield ExportedFile(path=key + suffix_of(record).lower(), blob=record.blob, size_bytes=record.media.size_bytes)
        annotations = [one for one in record.annotations if one.kind in KINDS]
        rows = Annotations.dump_python(tuple(annotations), mode="json")
        facts = {"annotations": rows, "split": record.split.value, "item": record.item, "name": record.name}
        yield ExportedFile(path=f"{key}.json", data=orjson.dumps(facts))
        first = next((one.label for one in annotations if isinstance(one, ClassLabel)), None)
        if first in numbers:
            yield ExportedFile(path=f"{key}.cls", data=str(numbers[first]).encode())
