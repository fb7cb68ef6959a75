"""Versions drawn by hypothesis, cut to what a format can carry, and ways to write, read and compare them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from automl.contracts.annotation import (
    Annotation,
    Annotations,
    AttributeValue,
    Box,
    Cell,
    ClassLabel,
    Keypoint,
    Keypoints,
    Mask,
    Polygon,
    Polyline,
    Relation,
    RotatedBox,
    Span,
    TextValue,
    Value,
)
from automl.contracts.dataset import ItemRecord, Label, LabelSet, MediaFacts, Skeleton, SkeletonEdge, Split
from automl.contracts.modality import Modality
from runtime.run_lengths import counts_of
from studio.datasets.files.formats import Facet, LabelFileProblem, LabelFormat, ParsedLabels, format_load, format_names

NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=12).filter(
    lambda text: text.isprintable() and text == text.strip()
)
SIDE = st.integers(4, 40)
NUMBERS = st.floats(0, 100, width=32)
LENGTHS = st.floats(0.0625, 100, width=32)
POINTS = st.tuples(NUMBERS, NUMBERS)
JOINTS = ("head", "left hand", "右手", "foot")


@dataclass(frozen=True)
class Version:
    """What a version holds, with the bytes of its items."""

    labels: LabelSet
    records: list[ItemRecord]
    blobs: dict[str, bytes]


@st.composite
def label_sets(draw) -> LabelSet:
    names = draw(st.lists(NAMES, min_size=2, max_size=4, unique_by=str.lower))
    colors = draw(st.lists(st.integers(0, 0xFFFFFF), min_size=4, max_size=4))
    edges = (SkeletonEdge(start="head", end="foot"), SkeletonEdge(start="left hand", end="右手"))
    labels = [Label(name=name, color=f"#{color:06x}") for name, color in zip(names, colors, strict=False)]
    labels[0] = labels[0].model_copy(update={"skeleton": Skeleton(points=JOINTS, edges=edges)})
    return LabelSet(labels=tuple(labels))


@st.composite
def versions(draw, form: LabelFormat) -> Version:
    labels = draw(label_sets())
    is_text = "span" in form.KINDS or Modality.IMAGE not in form.MEDIA
    records: list[ItemRecord] = []
    blobs: dict[str, bytes] = {}
    for index in range(draw(st.integers(1, 4))):
        text = draw(st.text(st.sampled_from("ab1 ,。花é\n"), min_size=1, max_size=30)) + str(index)
        data = text.encode() if is_text else b"\x89PNG\r\n\x1a\n" + bytes(40) + bytes([index])
        blob = hashlib.sha256(data).hexdigest()
        blobs[blob] = data
        width, height = draw(SIDE), draw(SIDE)
        record = ItemRecord(
            item=f"itm_{index:026d}",
            name=draw(st.sampled_from(["a b.png", "花.JPG", "x/y;z.png", "dots.in.name.jpeg", "train/test.png"])),
            blob=blob,
            media=MediaFacts(format="txt", size_bytes=len(data), num_characters=len(text.strip()))
            if is_text
            else MediaFacts(width=width, height=height, format="png", size_bytes=len(data)),
            split=draw(st.sampled_from(Split)),
            group=blob,
            annotations=draw(annotations(form, labels, width, height, text if is_text else "")),
            provenance="person:usr_x",
        )
        records.append(record.model_copy(update={"name": f"{index}.txt"}) if is_text else record)
    return Version(labels, records, blobs)


@st.composite
def annotations(draw, form: LabelFormat, labels: LabelSet, width: int, height: int, text: str) -> tuple[Annotation, ...]:
    """What may be said of one item so that the format can carry all of it."""
    out: list[Annotation] = []
    kinds = sorted(form.KINDS)
    if "span" in kinds:
        out += draw(spans(form, labels, text))
    if Facet.OVERLAPS not in form.KEEPS and "mask" in kinds:
        return tuple(draw(segments(labels, width, height)))
    for kind in draw(st.lists(st.sampled_from(kinds), max_size=5)):
        out += draw(shapes(form, kind, labels, width, height, len(out)))
    unique: list[Annotation] = []
    for one in out:
        is_class_again = isinstance(one, ClassLabel) and any(
            isinstance(other, ClassLabel) and other.label == one.label for other in unique
        )
        if one not in unique and not is_class_again:
            unique.append(one)
    return tuple(unique)


@st.composite
def shapes(  # noqa: PLR0911, PLR0912 - one a kind
    draw, form: LabelFormat, kind: str, labels: LabelSet, width: int, height: int, index: int
) -> list[Annotation]:
    label = draw(st.sampled_from(labels.names))
    common: dict[str, Any] = {"label": label}
    if Facet.SCORES in form.KEEPS:
        common["score"] = draw(st.none() | st.floats(0, 1))
    if Facet.IDS in form.KEEPS:
        common["id"] = draw(st.none() | st.just(f"obj-{index}"))
    if Facet.ATTRIBUTES in form.KEEPS:
        common["attributes"] = draw(attributes())
    free = {key: value for key, value in common.items() if key != "label"}
    if kind == "class":
        return [ClassLabel(**common)]
    if kind == "box":
        return [Box(x=draw(NUMBERS), y=draw(NUMBERS), width=draw(LENGTHS), height=draw(LENGTHS), **common)]
    if kind == "rotated_box":
        turn = draw(st.floats(0.5, 359, width=32))
        place = {"center_x": draw(NUMBERS), "center_y": draw(NUMBERS), "width": draw(LENGTHS), "height": draw(LENGTHS)}
        return [RotatedBox(angle_deg=turn, **place, **common)]
    if kind == "polygon":
        return draw(polygons(form, common))
    if kind == "polyline":
        return [Polyline(points=tuple(draw(st.lists(POINTS, min_size=2, max_size=5))), **common)]
    if kind == "mask":
        pixels = draw(grids(width, height)) & 1
        return [Mask(width=width, height=height, counts=counts_of(pixels), **common)]
    if kind == "keypoints":
        names = draw(st.lists(st.sampled_from(JOINTS), min_size=1, max_size=4, unique=True))
        points = [
            Keypoint(name=name, x=draw(NUMBERS), y=draw(NUMBERS), visibility=draw(st.sampled_from([1, 2]))) for name in names
        ]
        return [Keypoints(points=tuple(points), **common)]
    if kind == "text":
        return [TextValue(text=draw(st.text(st.characters(codec="utf-8"), max_size=20)), **free)]
    if kind == "value":
        return [Value(value=draw(st.floats(-1e6, 1e6)), **free)]
    if kind == "cell":
        return [Cell(column="price", value=draw(st.none() | st.booleans() | st.text("ab", max_size=3)), **free)]
    return []  # spans and their relations are drawn together


@st.composite
def attributes(draw) -> tuple[AttributeValue, ...]:
    names = draw(st.lists(st.sampled_from(["occluded", "colour", "age", "a <note> & more"]), max_size=3, unique=True))
    words = st.sampled_from(["red", "", "true", "12", 'a "quoted" <b>', "两 行"])
    values = st.booleans() | st.floats(-1000, 1000) | words
    return tuple(AttributeValue(name=name, value=draw(values)) for name in names)


@st.composite
def polygons(draw, form: LabelFormat, common: dict[str, Any]) -> list[Annotation]:
    num_parts = 1
    if Facet.PARTS in form.KEEPS and common.get("id") is not None:
        num_parts = draw(st.integers(1, 3))
    out = []
    for _ in range(num_parts):
        ring = st.lists(POINTS, min_size=3, max_size=6).map(tuple)
        holes = draw(st.lists(ring, max_size=2)) if Facet.HOLES in form.KEEPS else []
        out.append(Polygon(points=draw(ring), holes=tuple(holes), **common))
    return out


@st.composite
def grids(draw, width: int, height: int) -> np.ndarray:
    """Bytes as pixels: a few rows, repeated."""
    row = np.frombuffer(draw(st.binary(min_size=2 * width, max_size=2 * width)), dtype=np.uint8).reshape(2, width)
    return np.resize(row, (height, width))


@st.composite
def segments(draw, labels: LabelSet, width: int, height: int) -> list[Annotation]:
    """Masks that do not overlap, one a label."""
    pixels = draw(grids(width, height)) % (len(labels.names) + 1)
    masks = [(name, (pixels == index).astype(np.uint8)) for index, name in enumerate(labels.names, start=1)]
    return [Mask(label=name, width=width, height=height, counts=counts_of(part)) for name, part in masks if part.any()]


@st.composite
def spans(draw, form: LabelFormat, labels: LabelSet, text: str) -> list[Annotation]:
    """Spans that begin and end with a sign; they overlap only where the format keeps that."""
    places = [at for at, char in enumerate(text) if not char.isspace()]
    out: list[Annotation] = []
    last = 0
    for index in range(draw(st.integers(0, 3))):
        rest = [at for at in places if at >= last] if Facet.OVERLAPS not in form.KEEPS else places
        if not rest:
            break
        start = draw(st.sampled_from(rest))
        end = draw(st.sampled_from([at for at in places if at >= start])) + 1
        last = end
        out.append(Span(label=draw(st.sampled_from(labels.names)), id=str(index), start=start, end=end))
    if "relation" in form.KINDS and len(out) > 1:
        out.append(Relation(label=draw(st.sampled_from(labels.names)), source="0", target="1"))
    return out


@dataclass(frozen=True)
class Written:
    """A download taken apart as an upload would be."""

    names: list[str]
    label_files: dict[str, bytes]
    blob_of: dict[str, str]


def write(form: LabelFormat, version: Version) -> Written:
    blob_of: dict[str, str] = {}
    label_files: dict[str, bytes] = {}
    for file in form.write(iter(version.records), labels=version.labels, blob=version.blobs.__getitem__):
        assert file.path not in blob_of.keys() | label_files.keys()
        assert ".." not in file.path.split("/")
        if file.blob is not None:
            blob_of[file.path] = file.blob
        else:
            label_files[file.path] = file.data if file.chunks is None else b"".join(file.chunks)
    assert all(form.is_label_file(name) for name in label_files)
    return Written([*blob_of, *label_files], label_files, blob_of)


def read(form: LabelFormat, written: Written) -> tuple[ParsedLabels, dict[str, str]]:
    """What is read, and the blob of each item's name."""
    names = [name for name in written.names if not form.is_label_file(name)]
    reading = form.read(names, {name: data for name, data in written.label_files.items() if form.is_label_file(name)})
    blob_of = dict(written.blob_of)
    for one in reading.contents:
        if not isinstance(one, LabelFileProblem):
            blob_of[one[0]] = hashlib.sha256(one[1]).hexdigest()
    return reading, blob_of


def claimed(written: Written) -> dict[str, bytes]:
    """The files that some format takes for label files."""
    forms = [format_load(name) for name in format_names()]
    return {name: data for name, data in written.label_files.items() if any(form.is_label_file(name) for form in forms)}


def same(one: object, other: object) -> bool:
    """Equal but for the last digits of numbers."""
    if isinstance(one, float) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def missing(expected: tuple[Annotation, ...], found: tuple[Annotation, ...], *, with_ids: bool) -> list[Any]:
    """What of ``expected`` is not in ``found``, and what is in excess, as plain values."""

    def plain(annotations: tuple[Annotation, ...]) -> list[dict[str, Any]]:
        rows = Annotations.dump_python(annotations, mode="json")
        for row in rows:
            if row["kind"] == "keypoints":
                row["points"].sort(key=lambda point: point["name"])
            row.get("attributes", []).sort(key=lambda one: one["name"])
        return [{key: value for key, value in row.items() if with_ids or key != "id"} for row in rows]

    rest = plain(found)
    lost = []
    for one in plain(expected):
        match = next((index for index, other in enumerate(rest) if same(one, other)), None)
        if match is None:
            lost.append(one)
        else:
            rest.pop(match)
    return lost + rest
