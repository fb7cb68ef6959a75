"""Lists of pictures with numbers of classes, ``train.txt`` with ``images/1.jpg 3``, and a file with the classes' names.

As ImageNet, PaddleClas and datumaro (``imagenet_txt``) have it. Names stand in ``synsets.txt``, ``classes.txt``,
``label_list.txt`` or the like, one a line, with or without their numbers before them. Without such a file the numbers, or
words, are the labels.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from automl.contracts.annotation import AnnotationKind, ClassLabel
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats._files import PICTURES, Finder, looked_into, split_named, split_of_folders, text_of
from labeling.formats._reading import attach, complain, complaining, split_note
from labeling.formats._values import LabelError, label_text, made
from studio.datasets.files.formats import Facet, ParsedLabels

words = Words(__file__)

TITLE = words("image_list")
KINDS: frozenset[AnnotationKind] = frozenset({"class"})
KEEPS = frozenset({Facet.SPLITS})
MEDIA = frozenset({Modality.IMAGE})

_NAMES = frozenset(
    {
        *("synsets.txt", "classes.txt", "labels.txt", "label_list.txt", "labels_list.txt", "label_names.txt", "names.txt"),
        *("class_names.txt", "classnames.txt", "class_list.txt", "wnids.txt"),
    }
)
_SUFFIXES = "|".join(re.escape(suffix) for suffix in PICTURES)
_LINE = re.compile(rf"(?P<path>.+({_SUFFIXES}))[\s,]+(?P<labels>\S.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<number>\d{1,9})[\s,:]+(?P<name>\S.*)")
_LOOKED_AT = 20


def is_label_file(name: str) -> bool:
    """Text files."""
    return name.lower().endswith(".txt")


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A list whose first lines all name pictures of the upload, and one word or some numbers each."""
    finder = Finder(name for name in names if name not in label_files)
    for place, data in looked_into(label_files, ".txt", count=_LOOKED_AT):
        lines = [line.strip() for line in text_of(data[:65_536]).splitlines()[:_LOOKED_AT] if line.strip()]
        found = [_LINE.fullmatch(line) for line in lines]
        described = [
            one for one in found if one and _are_classes(one["labels"]) and finder.find(_path(one), posixpath.dirname(place))
        ]
        if lines and len(described) == len(lines):
            return 0.8
    return 0.0


def _path(found: re.Match[str]) -> str:
    """What a line names; datumaro writes a name with a space as ``"a b".jpg``."""
    path = found["path"]
    return path.replace('"', "") if path.startswith('"') else path


def _are_classes(text: str) -> bool:
    return bool(re.fullmatch(r"\d+([\s,]+\d+)*|[^\s./\\]+", text))


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads the names of classes first, then the lists."""
    reading = ParsedLabels()
    finder = Finder(names)
    lists = sorted(name for name in label_files if is_label_file(name))
    classes = next((_names_read(label_files[place]) for place in lists if posixpath.basename(place).lower() in _NAMES), [])
    for place in lists:
        if posixpath.basename(place).lower() in _NAMES:
            continue
        split = split_named(posixpath.basename(place).removesuffix(".txt"))
        for number, line in enumerate(text_of(label_files[place]).splitlines(), start=1):
            found = _LINE.fullmatch(line.strip())
            if not found:
                if line.strip():
                    complain(reading, f"{place}:{number}", "label_row_invalid", _pictured(line, place, finder))
                continue
            path = _path(found)
            with complaining(reading, f"{place}:{number} {path}"):
                name = finder.one(path, posixpath.dirname(place))
                split_note(reading, name, split, split_of_folders(name))
                with complaining(reading, f"{place}:{number}", name):
                    words = re.split(r"[\s,]+", found["labels"].strip()) if _are_classes(found["labels"]) else [found["labels"]]
                    attach(reading, name, [_class(word, classes) for word in words])
    return reading


def _pictured(line: str, place: str, finder: Finder) -> str:
    """The picture that a line names, if it names one."""
    found = finder.find(line.strip(), posixpath.dirname(place)) if line.strip().lower().endswith(PICTURES) else []
    return found[0] if len(found) == 1 else ""


def _names_read(data: bytes) -> list[str]:
    lines = [line.strip() for line in text_of(data).splitlines() if line.strip()]
    numbered = [_NUMBERED.fullmatch(line) for line in lines]
    if all(one and int(one["number"]) == at for at, one in enumerate(numbered)):
        return [one["name"] for one in numbered if one]
    return lines


def _class(word: str, classes: Sequence[str]) -> ClassLabel:
    if not classes or not word.isascii() or not word.isdecimal():
        if classes and word not in classes:
            raise LabelError("label_unknown")
        return made(ClassLabel, label=label_text(word))
    if len(word) > 9 or int(word) >= len(classes):
        raise LabelError("label_unknown")
    return made(ClassLabel, label=label_text(classes[int(word)]))
