"""WIDER FACE: one list a split with a picture's path, the number of its faces, and a line ``x y width height ...`` for each.

Numbers behind the box tell of the face; a word as the last one is a label, as datumaro writes it. A picture without faces has
one box without an area.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from automl.contracts.annotation import Annotation, AnnotationKind, Box
from automl.contracts.base import Text
from automl.contracts.modality import Modality
from labeling.formats._files import PICTURES, Finder, looked_into, split_named, text_of
from labeling.formats._reading import attach_all, complain, complaining, split_note
from labeling.formats._values import LabelError, attributes_of, label_text, made, number, whole
from studio.datasets.files.formats import Facet, ParsedLabels

TITLE = Text.same("WIDER FACE")
KINDS: frozenset[AnnotationKind] = frozenset({"box"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.ATTRIBUTES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE})

_FACE = "face"
_FLAGS = ("blur", "expression", "illumination", "invalid", "occlusion", "pose")
_NUM_SIDES = 4


def is_label_file(name: str) -> bool:
    """The lists, and datumaro's file of labels."""
    low = name.lower()
    return low.endswith("_bbx_gt.txt") or "wider_face_split/" in low or posixpath.basename(low) == "labels.txt"


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A list of this name."""
    del names
    return 0.95 if any(True for _ in looked_into(label_files, "_bbx_gt.txt", count=1)) else 0.0


@dataclass(frozen=True)
class _Entry:
    """What a list says of a picture; ``lines`` are numbered as in the list."""

    path: str
    line: int
    lines: Sequence[tuple[int, str]]
    is_counted: bool
    """Whether the number of faces is told and so many lines are there."""


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all lists."""
    reading = ParsedLabels()
    finder = Finder(names)
    for place in sorted(name for name in label_files if name.lower().endswith("_bbx_gt.txt")):
        split = split_named(posixpath.basename(place))
        folder = re.sub(r"[^/]+$", "", posixpath.dirname(place)) + f"WIDER_{_part(place)}/images"
        for entry in _entries(text_of(label_files[place])):
            with complaining(reading, f"{place}:{entry.line} {entry.path}"):
                name = finder.one(entry.path, folder)
                split_note(reading, name, split)
                attach_all(reading, name, _faces(entry, place, reading, name))
                if not entry.is_counted:
                    complain(reading, f"{place}:{entry.line + 1}", "annotation_invalid", name)
    return reading


def _part(place: str) -> str:
    found = re.search(r"wider_face_(\w+?)_bbx_gt", posixpath.basename(place).lower())
    return found[1] if found else ""


def _entries(text: str) -> Iterator[_Entry]:
    """The pictures of a list: a line that ends like a picture's name begins the next one."""
    path, first, lines = "", 0, list[tuple[int, str]]()
    for number_, line in enumerate((*text.splitlines(), ".png"), start=1):
        if not line.strip().lower().endswith(PICTURES):
            if line.strip():
                lines.append((number_, line.strip()))
            continue
        if path:
            yield _entry(path, first, lines)
        path, first, lines = line.strip(), number_, []


def _entry(path: str, first: int, lines: Sequence[tuple[int, str]]) -> _Entry:
    if not lines:
        return _Entry(path, first, (), True)  # datumaro leaves the 0 out
    try:
        count = whole(lines[0][1])
    except LabelError:
        return _Entry(path, first, lines, False)
    faces = lines[1:]
    return _Entry(path, first, faces, len(faces) == max(count, 1) or len(faces) == count)


def _faces(entry: _Entry, place: str, reading: ParsedLabels, item: str) -> list[Annotation]:
    out: list[Annotation] = []
    for line, text in entry.lines:
        with complaining(reading, f"{place}:{line}", item):
            words = text.split()
            x, y, width, height = map(number, words[:_NUM_SIDES])
            if width or height or len(entry.lines) > 1:
                flags = words[_NUM_SIDES : _NUM_SIDES + len(_FLAGS)]
                attributes = {
                    name: float(word) for name, word in zip(_FLAGS, flags, strict=False) if word.isdecimal() and word != "0"
                }
                last = " ".join(words[_NUM_SIDES + len(_FLAGS) :])
                fields = {"x": x, "y": y, "width": width, "height": height, "attributes": attributes_of(attributes)}
                out.append(made(Box, label=label_text(last) if last else _FACE, **fields))
    return out
