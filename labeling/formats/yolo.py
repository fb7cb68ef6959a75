"""YOLO: a text file a picture with one object a line, in fractions of the picture's sides; names in ``data.yaml``.

A line is ``class x y width height`` for a box (a sixth number is a confidence, which predictions carry) or
``class x1 y1 x2 y2 ...`` for a polygon. An empty file says that nothing is there. Darknet's ``obj.names`` and lists of pictures
(``train.txt``) are read too.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import yaml

from automl.contracts.annotation import Annotation, AnnotationKind, Box, Polygon
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, Label, LabelSet
from automl.contracts.modality import Modality
from labeling.formats._files import PICTURES, Finder, looked_into, split_named, split_of_folders, text_of
from labeling.formats._reading import INVALID, attach_all, complain, complaining, label_note
from labeling.formats._values import LabelError, label_text, made, number, score_of
from labeling.formats._writing import SPLIT_FOLDERS, Paths, suffix_of
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob, label_is_valid

TITLE = Text.same("YOLO")
KINDS: frozenset[AnnotationKind] = frozenset({"box", "polygon"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.OUTLINES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE})

_NAMES = ("classes.txt", "labels.txt", "obj.names", "predefined_classes.txt")
_LINE = re.compile(r"^\s*\d+(\s+[-+0-9.eE]+){4,}\s*$")


def is_label_file(name: str) -> bool:
    """Text files and the files that hold the labels' names."""
    return name.lower().endswith((".txt", ".yaml", ".yml", ".names", ".data"))


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """``names`` in YAML or a list of names, or lines of a class and fractions beside pictures."""
    has_names = any(re.search(rb"^names\s*:", data, re.MULTILINE) for _, data in looked_into(label_files, ".yaml", ".yml"))
    has_names |= any(_is_names(name) for name in label_files)
    stems = {posixpath.splitext(posixpath.basename(name))[0] for name in names if name.lower().endswith(PICTURES)}
    texts = [
        name
        for name in label_files
        if name.lower().endswith(".txt") and posixpath.splitext(posixpath.basename(name))[0] in stems
    ]
    heads = [text_of(label_files[name][:200]).partition("\n")[0] for name in texts[:20]]
    has_lines = any(_LINE.match(head) for head in heads)
    if has_lines:
        return 0.9 if has_names else 0.6
    return 0.3 if has_names and texts and not any(heads) else 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads names first, then lists of pictures, then one file a picture; coordinates stay fractions."""
    reading = ParsedLabels(is_relative=True)
    finder = Finder(names)
    classes = _names_read(label_files, reading)
    texts = [name for name in sorted(label_files) if name.lower().endswith(".txt") and not _is_names(name)]
    for place in texts:
        data = label_files[place]
        folder = re.sub(r"(^|/)labels(/|$)", r"\1images\2", posixpath.dirname(place))
        stem = posixpath.splitext(posixpath.join(folder, posixpath.basename(place)))[0]
        try:
            name = finder.by_stem(stem, folder)
        except LabelError as error:
            if not _list_read(place, text_of(data), finder, reading) and (_LINE.match(text_of(data).partition("\n")[0])):
                complain(reading, place, error.code)
            continue
        attach_all(reading, name, _lines_read(place, text_of(data), classes, reading, name))
        split = split_of_folders(place) or split_of_folders(name)
        if split is not None:
            reading.splits.setdefault(name, split)
    return reading


def _is_names(name: str) -> bool:
    return posixpath.basename(name).lower() in _NAMES or name.lower().endswith(".names")


def _names_read(label_files: Mapping[str, bytes], reading: ParsedLabels) -> dict[int, str]:
    """The classes by number."""
    out: dict[int, str] = {}
    for place in sorted(label_files):
        found: object = None
        if place.lower().endswith((".yaml", ".yml")):
            try:
                document = yaml.safe_load(text_of(label_files[place]))
            except (yaml.YAMLError, *INVALID, RecursionError):
                complain(reading, place, "label_file_broken")
                continue
            found = document.get("names") if isinstance(document, dict) else None
        elif _is_names(place):
            found = [line.strip() for line in text_of(label_files[place]).splitlines() if line.strip()]
        rows = enumerate(found) if isinstance(found, list) else found.items() if isinstance(found, dict) else ()
        for key, value in rows:
            try:
                out.setdefault(int(key), label_text(value))
            except (LabelError, ValueError, TypeError, OverflowError):
                complain(reading, f"{place}: names[{key}]", "label_invalid")
    for _, name in sorted(out.items()):
        label_note(reading, Label(name=name))
    return out


def _list_read(place: str, text: str, finder: Finder, reading: ParsedLabels) -> bool:
    """Takes a file as a list of pictures of a split, such as ``train.txt``; returns whether it is one."""
    split = split_named(posixpath.basename(place).removesuffix(".txt"))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if split is None or not lines or not all(line.lower().endswith(PICTURES) for line in lines):
        return False
    for number_, line in enumerate(lines, start=1):
        with complaining(reading, f"{place}:{number_} {line}"):
            reading.splits[finder.one(line, posixpath.dirname(place))] = split
    return True


def _lines_read(place: str, text: str, classes: Mapping[int, str], reading: ParsedLabels, item: str) -> list[Annotation]:
    out: list[Annotation] = []
    for line_number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        with complaining(reading, f"{place}:{line_number}", item):
            out.append(_line_read(line.split(), classes))
    return out


def _line_read(words: Sequence[str], classes: Mapping[int, str]) -> Annotation:
    key = number(words[0])
    if key != int(key) or key < 0:
        raise LabelError
    label = classes.get(int(key), str(int(key)) if not classes else "")
    if not label_is_valid(label):
        raise LabelError("label_unknown")
    values = [number(word) for word in words[1:]]
    if len(values) in {4, 5}:
        x, y, width, height = values[:4]
        score = score_of(values[4]) if len(values) == 5 else None
        return made(Box, label=label, x=x - width / 2, y=y - height / 2, width=width, height=height, score=score)
    if len(values) < 6 or len(values) % 2:
        raise LabelError
    return made(Polygon, label=label, points=tuple(zip(values[::2], values[1::2], strict=True)))


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes ``images/<split>``, ``labels/<split>`` and ``data.yaml``."""
    del blob
    classes = {name: index for index, name in enumerate(labels.names)}
    paths, folders = Paths(), set[str]()
    for record in records:
        folder, stem = SPLIT_FOLDERS[record.split], paths.stem(record, record.split)
        folders.add(folder)
        yield ExportedFile(
            path=f"images/{folder}/{stem}{suffix_of(record)}", blob=record.blob, size_bytes=record.media.size_bytes
        )
        lines = "".join([_line(one, record, classes) for one in record.annotations if one.kind in KINDS])
        yield ExportedFile(path=f"labels/{folder}/{stem}.txt", data=lines.encode())
    # Without ``path``: Ultralytics then takes them from the folder of this file, and from its working directory otherwise.
    # It asks for both train and val; the one that has no pictures is what there is instead, since a missing folder is refused.
    stand_ins = {"train": ("train", "val", "test"), "val": ("val", "test", "train"), "test": ("test",)}
    where = {
        name: f"images/{found}"
        for name, others in stand_ins.items()
        if (found := next((one for one in others if one in folders), ""))
    }
    names: dict[str, object] = {"names": {index: name for name, index in classes.items()}}
    document = yaml.safe_dump(where | names, allow_unicode=True, sort_keys=False, width=1000)
    yield ExportedFile(path="data.yaml", data=document.encode())


def _line(one: Annotation, record: ItemRecord, classes: dict[str, int]) -> str:
    wide, high = record.media.width, record.media.height
    if isinstance(one, Box):
        place = (one.x + one.width / 2) / wide, (one.y + one.height / 2) / high, one.width / wide, one.height / high
        values = " ".join([_fraction(value) for value in place])
    elif isinstance(one, Polygon):
        values = " ".join([f"{_fraction(x / wide)} {_fraction(y / high)}" for x, y in one.points])
    else:
        return ""
    return f"{classes.setdefault(one.label, len(classes))} {values}\n"


def _fraction(value: float) -> str:
    """Twelve decimals at most and no exponent: datumaro passes over a file in which a number has one."""
    return f"{value:.12f}".rstrip("0").rstrip(".")
