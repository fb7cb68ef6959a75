"""Semantic masks: one palette PNG a picture whose values are labels, and ``labelmap.txt`` with their names and colours.

0 is background, and 255 what does not count. Read are palette and grey pictures by value, and colour pictures by the colours of
the label map (CVAT's ``name:r,g,b::`` or CamVid's ``r g b name``). Of Cityscapes the ids are read, whose meaning is known.
Polygons are filled when they are written, later ones over earlier ones.
"""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import numpy as np
from PIL import Image

from automl.contracts.annotation import IGNORED_LABEL, Annotation, AnnotationKind, Mask, Polygon
from automl.contracts.dataset import ItemRecord, Label, LabelSet
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats import _cityscapes as cityscapes
from labeling.formats._files import PICTURES, PNG_DAMAGE, Finder, png_of, split_of_folders, text_of
from labeling.formats._reading import attach_all, complain, complaining, label_note, split_note
from labeling.formats._values import LabelError, label_text, made
from labeling.formats._writing import SPLIT_FOLDERS, Paths, suffix_of
from labeling.geometry import mask_pixels, polygon_pixels
from runtime.run_lengths import counts_of
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob
from studio.datasets.uploads.mask_files import MASK_FOLDERS, mask_stem

words = Words(__file__)

TITLE = words("mask_png")
KINDS: frozenset[AnnotationKind] = frozenset({"mask", "polygon"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.COLORS})
MEDIA = frozenset({Modality.IMAGE})
HAS_IGNORED_VALUE = True
"""What does not count needs no label."""

_TABLES = frozenset({"labelmap.txt", "label_colors.txt", "labels.txt", "classes.txt"})
_BACKGROUND = frozenset({"background", "_background_"})
_VOID, _WIDE_VOID = 255, 65_535
"""What does not count, in a palette and in 16 bits."""
_VOID_COLOR = 0xE0E0C0
"""Of PASCAL VOC."""


def is_label_file(name: str) -> bool:
    """PNG files in a folder for masks, and tables of labels."""
    parts = name.lower().split("/")
    return parts[-1] in _TABLES or (parts[-1].endswith(".png") and not MASK_FOLDERS.isdisjoint(parts[:-1]))


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """PNG files in a folder for masks, each named after a picture elsewhere, of values or with a table of colours."""
    masks = [name for name in label_files if is_label_file(name) and name.lower().endswith(".png")]
    pictures = {mask_stem(name) for name in names if name.lower().endswith(PICTURES) and not is_label_file(name)}
    if not masks or not any(mask_stem(name) in pictures for name in masks[:50]):
        return 0.0
    if any(posixpath.basename(name).lower() in _TABLES for name in label_files):
        return 0.8
    try:
        with Image.open(io.BytesIO(label_files[masks[0]]), formats=["PNG"]) as picture:
            return 0.7 if picture.mode in {"P", "1", "L", "I;16", "I"} else 0.0
    except PNG_DAMAGE:
        return 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads one mask a label and picture."""
    reading = ParsedLabels(is_semantic=True)
    finder = Finder(names)
    by_value, by_color = _tables_read(label_files, reading)
    places = sorted(name for name in label_files if is_label_file(name) and name.lower().endswith(".png"))
    city = None if by_value else cityscapes.id_files(places)
    if city:
        places, by_value = city.places, city.labels
    for place in places:
        folder = (
            re.sub(r"[^/]+$", "images", posixpath.dirname(place)) if not split_of_folders(place) else posixpath.dirname(place)
        )
        with complaining(reading, place):
            name = _picture_of(place, folder, finder, city)
            attach_all(reading, name, _mask_read(label_files[place], by_value, by_color))
            split_note(reading, name, split_of_folders(place), split_of_folders(name))
    return reading


def _picture_of(place: str, folder: str, finder: Finder, city: cityscapes.IdFiles | None) -> str:
    if city is not None:
        with suppress(LabelError):
            return finder.by_stem(city.picture(place), posixpath.dirname(city.picture(place)))
    return finder.by_stem(posixpath.join(folder, mask_stem(place)), folder)


def _tables_read(label_files: Mapping[str, bytes], reading: ParsedLabels) -> tuple[dict[int, str], dict[int, str]]:
    """Labels by value, and by colour as ``0xrrggbb``; background has none."""
    by_value: dict[int, str] = {}
    by_color: dict[int, str] = {}
    for place in sorted(name for name in label_files if posixpath.basename(name).lower() in _TABLES):
        lines = [line.strip() for line in text_of(label_files[place]).splitlines()]
        rows = [_row_read(line) for line in lines if line and not _is_comment(line) and line != "__ignore__"]
        first = 0 if rows and rows[0][0].lower() in _BACKGROUND else 1
        for value, (text, color) in enumerate(rows, start=first):
            if text.lower() in _BACKGROUND:
                continue
            try:
                label = label_text(text)
            except LabelError as error:
                complain(reading, f"{place}:{value}", error.code)
                continue
            by_value.setdefault(value, label)
            if color is not None:
                by_color.setdefault(color, label)
            label_note(reading, Label(name=label) if color is None else Label(name=label, color=f"#{color:06x}"))
    return by_value, by_color


def _is_comment(line: str) -> bool:
    """A label may be called ``#``: then a colour follows."""
    return line.startswith("#") and _row_read(line)[1] is None


def _row_read(line: str) -> tuple[str, int | None]:
    """Name and colour of a line, whichever way round they stand."""
    found = re.fullmatch(r"(?P<name>.+?):(?P<rgb>\d{1,9},\d{1,9},\d{1,9})?:[^:]*:[^:]*", line) or re.fullmatch(
        r"(?P<rgb>\d{1,9}\s+\d{1,9}\s+\d{1,9})\s+(?P<name>.+)", line
    )
    if not found:
        return line, None
    channels = [int(one) for one in re.findall(r"\d+", found["rgb"] or "")]
    is_color = len(channels) == 3 and max(channels) < 256
    return found["name"].strip(), int.from_bytes(bytes(channels), "big") if is_color else None


def _mask_read(data: bytes, by_value: Mapping[int, str], by_color: Mapping[int, str]) -> list[Annotation]:
    picture = png_of(data)
    labels: Mapping[int, str] = by_value
    if picture.mode in {"RGB", "RGBA"}:
        channels = np.asarray(picture.convert("RGB")).astype(np.uint32)
        values, labels = channels[..., 0] << 16 | channels[..., 1] << 8 | channels[..., 2], by_color
    else:
        values = np.asarray(picture).astype(np.uint32)
    voids = {_VOID, _WIDE_VOID} if labels is by_value else {_VOID_COLOR}
    found: dict[str, list[int]] = {}
    for value in np.unique(values).tolist():
        label = labels.get(value) or (IGNORED_LABEL if value in voids else None)
        if label is None:
            if value == 0:
                continue
            if labels:
                raise LabelError("label_unknown")
            label = str(value)
        found.setdefault(label, []).append(value)
    out: list[Annotation] = []
    for label, of_label in found.items():
        part = np.isin(values, of_label).astype(np.uint8)
        out.append(made(Mask, label=label, width=part.shape[1], height=part.shape[0], counts=counts_of(part)))
    return out


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes ``images/<split>``, ``masks/<split>`` and ``labelmap.txt``."""
    del blob
    colors = {label.name: label.color for label in labels.labels}
    values = {name: index for index, name in enumerate(colors, start=1)}
    paths = Paths()
    for record in records:
        folder, stem = SPLIT_FOLDERS[record.split], paths.stem(record, record.split)
        yield ExportedFile(
            path=f"images/{folder}/{stem}{suffix_of(record)}", blob=record.blob, size_bytes=record.media.size_bytes
        )
        yield ExportedFile(path=f"masks/{folder}/{stem}.png", data=_mask_write(record, values, colors))
    rows = [f"{name}:{','.join(map(str, bytes.fromhex(colors.get(name, '#4c6ef5')[1:])))}::\n" for name in values]
    yield ExportedFile(
        path="labelmap.txt", data="".join(["# label:color_rgb:parts:actions\n", "background:0,0,0::\n", *rows]).encode()
    )


def _mask_write(record: ItemRecord, values: dict[str, int], colors: Mapping[str, str]) -> bytes:
    width, height = record.media.width, record.media.height
    drawn = np.zeros((height, width), dtype=np.uint16)
    for one in record.annotations:
        if isinstance(one, Mask) and (one.width, one.height) == (width, height):
            drawn[mask_pixels(one) > 0] = _value_of(one.label, values)
        elif isinstance(one, Polygon):
            drawn[polygon_pixels([one], width=width, height=height) > 0] = _value_of(one.label, values)
    out = io.BytesIO()
    if len(values) >= _VOID:  # more than a palette holds
        Image.fromarray(drawn).save(out, "PNG")
        return out.getvalue()
    picture = Image.fromarray(np.where(drawn == _WIDE_VOID, _VOID, drawn).astype(np.uint8)).convert("P")
    palette = b"\0\0\0" + b"".join(bytes.fromhex(colors.get(name, "#4c6ef5")[1:]) for name in values)
    picture.putpalette(palette.ljust(3 * _VOID, b"\0") + _VOID_COLOR.to_bytes(3, "big"))
    picture.save(out, "PNG")
    return out.getvalue()


def _value_of(label: str, values: dict[str, int]) -> int:
    """The value of a label's pixels, which may be a new one."""
    if label == IGNORED_LABEL and label not in values:
        return _WIDE_VOID
    return values.setdefault(label, len(values) + 1)
