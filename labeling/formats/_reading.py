"""Collects the contents of label files: annotations, splits, labels, and what could not be used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from automl.contracts.annotation import Annotation
from automl.contracts.dataset import Label, Split
from labeling.formats._files import json_of
from labeling.formats._values import LabelError
from studio.datasets.files.formats import LabelFileProblem, ParsedLabels

_Document = TypeVar("_Document")
INVALID = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, OSError)
"""What taking a part of a foreign document to pieces may raise."""


def documents(
    label_files: Mapping[str, bytes],
    is_needed: Callable[[str], bool],
    parse: Callable[[bytes], _Document],
    reading: ParsedLabels,
) -> Iterator[tuple[str, _Document]]:
    """Name and content of the label files that are needed, in the order of their names; what does not parse is noted."""
    for place in sorted(filter(is_needed, label_files)):
        try:
            document = parse(label_files[place])
        except LabelError as error:
            complain(reading, place, error.code)
            continue
        yield place, document


def object_with(data: bytes, key: str) -> dict[str, Any]:
    """A JSON object that has a list under a key; raises ``LabelError``."""
    found = json_of(data)
    if not isinstance(found, dict) or not isinstance(found.get(key), list):
        raise LabelError("label_file_broken")
    return found


@contextmanager
def complaining(reading: ParsedLabels, place: str, item: str = "") -> Iterator[None]:
    """Reads one part of a label file: when it cannot be used, that is noted and the next one is read.

    Args:
        reading: where it is noted.
        place: where it stands in the file.
        item: the data file that the part speaks of, which then must not count as labelled.
    """
    try:
        yield
    except LabelError as error:
        complain(reading, place, error.code, item)
    except INVALID:
        complain(reading, place, "annotation_invalid", item)


def complain(reading: ParsedLabels, place: str, code: str, item: str = "") -> None:
    """Notes what could not be used; arguments as of ``complaining``."""
    reading.complaints.append(LabelFileProblem(place, code, item))


def attach(reading: ParsedLabels, name: str, annotations: Iterable[Annotation]) -> None:
    """Adds annotations to an item's; what comes twice counts once."""
    before = reading.annotations.get(name)
    reading.annotations[name] = (
        tuple(annotations) if before is None else before + tuple(one for one in annotations if one not in before)
    )


def attach_all(reading: ParsedLabels, name: str, annotations: Sequence[Annotation]) -> None:
    """Sets or adds an item's annotations as they are: for files that name an item once."""
    reading.annotations[name] = (*reading.annotations.get(name, ()), *annotations)


def predict(reading: ParsedLabels, name: str, annotations: Iterable[Annotation]) -> None:
    """Adds to a model's predictions for an item."""
    reading.predictions[name] = (*reading.predictions.get(name, ()), *annotations)


def label_note(reading: ParsedLabels, label: Label) -> None:
    """Keeps what a file says of a label; the first word counts."""
    reading.labels.setdefault(label.name, label)


def split_note(reading: ParsedLabels, name: str, *splits: Split | None) -> None:
    """Keeps the first split that an item is given."""
    split = next((one for one in splits if one is not None), None)
    if split is not None:
        reading.splits[name] = split
