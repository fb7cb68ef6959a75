"""KITTI: a text file a picture in ``label_2`` beside ``image_2``, one object a line.

A line is the label, truncation, occlusion, angle, the corners of the box in pixels, and eight numbers of the object in space; a
sixteenth is a score. ``DontCare`` marks regions that nobody annotated. A label may hold spaces, as datumaro writes it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from automl.contracts.annotation import Annotation, AnnotationKind, Box
from automl.contracts.base import Text
from automl.contracts.modality import Modality
from labeling.formats._files import Finder, looked_into, split_of_folders, text_of
from labeling.formats._reading import attach_all, complain, complaining, split_note
from labeling.formats._values import LabelError, attributes_of, label_text, made, number, score_of
from studio.datasets.files.formats import Facet, ParsedLabels

TITLE = Text.same("KITTI")
KINDS: frozenset[AnnotationKind] = frozenset({"box"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.SCORES, Facet.ATTRIBUTES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE})

_NUMBERS = (14, 15)
"""Behind the label, without and with a score."""
_LINE = re.compile(r"\S.*?(\s+[-+]?[0-9.]+(e[-+]?\d+)?){14,15}\s*")
_UNTOLD = "dontcare"


def is_label_file(name: str) -> bool:
    """Text files; those of other formats lie elsewhere or have other lines."""
    return name.lower().endswith(".txt")


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A line with as many numbers as KITTI has, in a file in a folder for labels."""
    del names
    texts = {name: data for name, data in label_files.items() if "label" in posixpath.dirname(name).lower()}
    heads = [text_of(data[:4096]).strip().partition("\n")[0] for _, data in looked_into(texts, ".txt", count=20)]
    return 0.92 if any(_LINE.fullmatch(head) for head in heads if head) else 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads one file a picture."""
    reading = ParsedLabels()
    finder = Finder(names)
    for name in names:  # one without a file of its own is in a split all the same
        split_note(reading, name, split_of_folders(name))
    for place in sorted(name for name in label_files if is_label_file(name)):
        folder = re.sub(r"(^|/)labels?(_\d)?(/|$)", r"\1image\2\3", posixpath.dirname(place))
        lines = text_of(label_files[place]).splitlines()
        try:
            name = finder.by_stem(posixpath.join(folder, posixpath.splitext(posixpath.basename(place))[0]), folder)
        except LabelError as error:
            if any(_LINE.fullmatch(line.strip()) for line in lines):
                complain(reading, place, error.code)
            continue
        annotations: list[Annotation] = []
        for line_number, line in enumerate(lines, start=1):
            with complaining(reading, f"{place}:{line_number}", name):
                if line.strip() and not line.lower().startswith(_UNTOLD):
                    annotations.append(_object(line))
        attach_all(reading, name, annotations)
        split_note(reading, name, split_of_folders(name), split_of_folders(place))
    return reading


def _object(line: str) -> Annotation:
    words = line.split()
    count = next((count for count in reversed(_NUMBERS) if len(words) > count and _are_numbers(words[-count:])), None)
    if count is None:
        raise LabelError
    values = [number(word) for word in words[-count:]]
    left, top, right, bottom = values[3:7]
    flags = {"truncated": values[0] if values[0] > 0 else None, "occluded": True if values[1] > 0 else None}
    return made(
        Box,
        label=label_text(" ".join(words[:-count])),
        x=left,
        y=top,
        width=right - left,
        height=bottom - top,
        score=score_of(values[14]) if count == max(_NUMBERS) and 0 <= values[14] <= 1 else None,
        attributes=attributes_of(flags),
    )


def _are_numbers(words: Sequence[str]) -> bool:
    try:
        return bool([number(word) for word in words])
    except LabelError:
        return False
