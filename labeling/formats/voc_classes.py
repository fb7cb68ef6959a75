"""PASCAL VOC without boxes: lists ``ImageSets/Main/<label>_<split>.txt`` with 1 behind pictures that show the label, else -1.

0 stands for one that shows it with difficulty. A picture that a list names was looked at for that label.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from automl.contracts.annotation import AnnotationKind, ClassLabel
from automl.contracts.dataset import Split
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats._files import SPLITS, Finder, text_of
from labeling.formats._reading import attach, complaining, split_note
from labeling.formats._values import LabelError, label_text, made
from studio.datasets.files.formats import Facet, ParsedLabels

words = Words(__file__)

TITLE = words("voc_classes")
KINDS: frozenset[AnnotationKind] = frozenset({"class"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES})
MEDIA = frozenset({Modality.IMAGE})

_LIST = re.compile(r"(?:(?P<label>.+)_)?(?P<split>train|val|trainval|test)\.txt", re.IGNORECASE)
_LINE = re.compile(r"(?P<path>.*\S)\s+(?P<word>\S+)")
_SHOWN = {"1": True, "+1": True, "0": True, "-1": False}


def is_label_file(name: str) -> bool:
    """The lists, what describes pictures beside them, and the table of labels."""
    low = name.lower()
    return "imagesets/" in low or low.endswith(".xml") or posixpath.basename(low) == "labelmap.txt"


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """Lists of labels in ``ImageSets/Main``; of one with boxes the XML files count for more."""
    del names
    return 0.85 if any(label for label, _, _ in _lists(label_files)) else 0.0


def _lists(files: Mapping[str, bytes]) -> Iterator[tuple[str, Split | None, str]]:
    """Label, split and name of each list; one of a split alone has no label."""
    for place in sorted(files):
        found = _LIST.fullmatch(posixpath.basename(place))
        if found and "imagesets/main/" in place.lower():
            yield found["label"] or "", SPLITS.get(found["split"].lower()), place


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all lists."""
    reading = ParsedLabels()
    finder = Finder(names)
    for label, split, place in _lists(label_files):
        folder = re.sub(r"ImageSets/.*$", "JPEGImages", place)
        for number, line in enumerate(text_of(label_files[place]).splitlines(), start=1):
            if not line.strip():
                continue
            with complaining(reading, f"{place}:{number}"):
                found = _LINE.fullmatch(line.strip()) if label else None
                if label and not found:
                    raise LabelError("label_row_invalid")
                name = finder.by_stem(posixpath.join(folder, found["path"] if found else line.strip()), folder)
                split_note(reading, name, split)
                if found:
                    with complaining(reading, f"{place}:{number}", name):
                        attach(reading, name, _class_labels(label, found["word"]))
    return reading


def _class_labels(label: str, word: str) -> list[ClassLabel]:
    if word not in _SHOWN:
        raise LabelError("label_row_invalid")
    return [made(ClassLabel, label=label_text(label))] if _SHOWN[word] else []
