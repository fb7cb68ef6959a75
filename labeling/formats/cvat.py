"""CVAT for images 1.1: one XML file with all pictures, their labels' colours and attributes at its head.

Tags, boxes (turned ones too), polygons, polylines, skeletons and pixel masks. CVAT has no place for an object's id and for a
score: they stand in XML attributes that CVAT passes over. Parts of one object share their ``group_id``.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from automl.contracts.annotation import (
    Annotation,
    AnnotationKind,
    AttributeValue,
    Box,
    ClassLabel,
    Keypoint,
    Keypoints,
    Mask,
    Polygon,
    Polyline,
    RotatedBox,
)
from automl.contracts.dataset import ItemRecord, Label, LabelAttribute, LabelSet, Skeleton, SkeletonEdge, Split
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats._files import SPLITS, Finder, looked_into, split_named, split_of_folders
from labeling.formats._reading import attach_all, complaining, documents, label_note, split_note
from labeling.formats._values import LabelError, attributes_of, color_of, label_text, made, number, score_of, whole
from labeling.formats._writing import Paths, Spool, suffix_of
from labeling.formats._xml import escaped, quoted, shown, text_in, value_typed, values_read, xml_of
from labeling.geometry import bounds_of, mask_pixels, pixels_place
from runtime.run_lengths import MAX_PIXELS, counts_of
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

words = Words(__file__)

TITLE = words("cvat")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box", "rotated_box", "polygon", "polyline", "mask", "keypoints"})
KEEPS = frozenset(Facet) - {Facet.HOLES, Facet.TEXTS}
MEDIA = frozenset({Modality.IMAGE})

_SHAPES = ("tag", "box", "polygon", "polyline", "points", "mask", "skeleton", "ellipse", "cuboid")


def is_label_file(name: str) -> bool:
    """XML files."""
    return name.lower().endswith(".xml")


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """An XML file with ``annotations`` and ``image`` elements."""
    del names
    found = looked_into(label_files, ".xml")
    return 0.9 if any(b"<annotations>" in data[:4096] and b"<image " in data for _, data in found) else 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all XML files; the split is the ``subset`` of a picture."""
    reading = ParsedLabels()
    finder = Finder(names)
    for place, root in documents(label_files, is_label_file, partial(xml_of, tag="annotations"), reading):
        _labels_read(root, reading)
        for index, image in enumerate(root.findall("image")):
            file = image.get("name") or ""
            with complaining(reading, f"{place}: image[{index}] {file}"):
                subset = image.get("subset") or ""
                name = finder.one(file, posixpath.join(posixpath.dirname(place), "images", subset))
                named = split_named(posixpath.basename(place).removesuffix(".xml"))
                split_note(reading, name, SPLITS.get(subset.lower()), named, split_of_folders(name))
                attach_all(reading, name, _shapes_read(image, f"{place}: image[{index}]", reading, name))
    return reading


def _labels_read(root: Element, reading: ParsedLabels) -> None:
    for element in root.iter("label"):
        try:
            name = label_text(text_in(element, "name"))
            if element.find("parent") is not None:
                continue  # a point of a skeleton
            attributes = tuple(_attribute_read(one) for one in element.findall("attributes/attribute"))
            color = color_of(text_in(element, "color"))
            label_note(reading, Label(name=name, color=color, attributes=attributes, skeleton=_skeleton_read(element)))
        except (ValueError, IndexError):
            continue  # the shapes that use it say so


def _skeleton_read(element: Element) -> Skeleton | None:
    found = element.find("points")
    if found is None:
        return None
    names = tuple(one.text or "" for one in found)
    pairs = [pair.split(",") for pair in (found.get("edges") or "").split(";") if pair]
    edges = tuple(SkeletonEdge(start=names[int(start)], end=names[int(end)]) for start, end in pairs)
    return Skeleton(points=names, edges=edges)


def _attribute_read(element: Element) -> LabelAttribute:
    kinds: dict[str, Any] = {"checkbox": "switch", "number": "number", "select": "choice", "radio": "choice"}
    kind = kinds.get(text_in(element, "input_type"), "text")
    choices = tuple(line for line in text_in(element, "values").splitlines() if line) if kind == "choice" else ()
    return LabelAttribute(name=text_in(element, "name"), kind=kind, choices=choices)


def _shapes_read(image: Element, place: str, reading: ParsedLabels, name: str) -> list[Annotation]:
    out: list[Annotation] = []
    for index, element in enumerate(image):
        if element.tag not in _SHAPES:
            continue
        with complaining(reading, f"{place}.{element.tag}[{index}]", name):
            out.append(_shape(element, image))
    return out


def _common(element: Element) -> dict[str, Any]:
    typed = {one.get("name") or "": (one.get("type"), one.text or "") for one in element.findall("attribute")}
    attributes: tuple[AttributeValue, ...] = values_read(typed)
    if element.get("occluded") == "1":
        attributes = (*attributes_of({"occluded": True}), *attributes)
    group = element.get("group_id")
    return {
        "label": label_text(element.get("label") or ""),
        "id": element.get("object") or (f"group-{group}" if group not in {None, "", "0"} else None),
        "score": score_of(element.get("score")),
        "attributes": attributes,
    }


def _shape(element: Element, image: Element) -> Annotation:  # noqa: PLR0911 - one a kind
    common = _common(element)
    if element.tag == "tag":
        return made(ClassLabel, **common)
    if element.tag == "box":
        return _box(element, common)
    if element.tag == "polygon":
        return made(Polygon, points=tuple(_points(element)), **common)
    if element.tag == "polyline":
        return made(Polyline, points=tuple(_points(element)), **common)
    if element.tag == "mask":
        return _mask(element, image, common)
    if element.tag == "points":
        joints = [Keypoint(name=str(index + 1), x=x, y=y) for index, (x, y) in enumerate(_points(element))]
        return made(Keypoints, points=tuple(joints), **common)
    if element.tag == "skeleton":
        return made(Keypoints, points=tuple(_joint(one) for one in element.findall("points")), **common)
    raise LabelError("shape_unknown")


def _box(element: Element, common: dict[str, Any]) -> Annotation:
    left, top, right, bottom = (number(element.get(key) or "") for key in ("xtl", "ytl", "xbr", "ybr"))
    turn = number(element.get("rotation") or 0)
    if turn:
        center = {"center_x": (left + right) / 2, "center_y": (top + bottom) / 2}
        return made(RotatedBox, width=right - left, height=bottom - top, angle_deg=turn, **center, **common)
    return made(Box, x=left, y=top, width=right - left, height=bottom - top, **common)


def _points(element: Element) -> list[tuple[float, float]]:
    pairs = [pair.split(",") for pair in (element.get("points") or "").split(";") if pair.strip()]
    return [(number(x), number(y)) for x, y in pairs]


def _joint(element: Element) -> Keypoint:
    ((x, y),) = _points(element)
    visibility: Any = 0 if element.get("outside") == "1" else 1 if element.get("occluded") == "1" else 2
    return Keypoint(name=element.get("label") or "", x=x, y=y, visibility=visibility)


def _mask(element: Element, image: Element, common: dict[str, Any]) -> Annotation:
    """CVAT cuts a mask out and counts its pixels row by row."""
    left, top, wide, high = (whole(element.get(key) or "") for key in ("left", "top", "width", "height"))
    width, height = whole(image.get("width") or ""), whole(image.get("height") or "")
    runs = [whole(run) for run in (element.get("rle") or "").split(",") if run.strip()]
    if wide < 1 or high < 1 or wide * high > MAX_PIXELS or min(runs, default=0) < 0 or sum(runs) != wide * high:
        raise LabelError
    part = np.repeat(np.arange(len(runs), dtype=np.uint8) & 1, runs).reshape((high, wide))
    pixels = pixels_place(part, left=left, top=top, width=width, height=height)
    return made(Mask, width=width, height=height, counts=counts_of(pixels), **common)


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes pictures below ``images/<split>`` and ``<split>.xml``, as CVAT does for a project of several subsets.

    datumaro reads the pictures of the subset that the file is called after, and takes their names from the subset's folder on.
    """
    del blob
    spools: dict[Split, Spool] = {}
    paths = Paths()
    for key, record in enumerate(records):
        folder = record.split.value
        path = paths.stem(record, folder) + suffix_of(record)
        yield ExportedFile(path=f"images/{folder}/{path}", blob=record.blob, size_bytes=record.media.size_bytes)
        if record.split not in spools:
            spools[record.split] = Spool()
            spools[record.split].add(_head(labels).encode())
        groups = {one.id: index for index, one in enumerate(record.annotations, start=1) if isinstance(one, Polygon) and one.id}
        shapes = "".join([_element(one, groups) for one in record.annotations if one.kind in KINDS])
        media = record.media
        facts = f'subset="{folder}" width="{media.width}" height="{media.height}"'
        spools[record.split].add(f'<image id="{key}" name={quoted(path)} {facts}>{shapes}</image>\n'.encode())
    for split, spool in sorted(spools.items()):
        spool.add(b"</annotations>\n")
        yield ExportedFile(path=f"{split.value}.xml", chunks=spool.chunks())


def _head(labels: LabelSet) -> str:
    entries = "".join(_label(label) for label in labels.labels)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<annotations><version>1.1</version>'
        f"<meta><task><name>Modelyard</name><labels>{entries}</labels></task></meta>\n"
    )


def _label(label: Label) -> str:
    kinds = {"switch": "checkbox", "number": "number", "choice": "select", "text": "text"}
    attributes = "".join(
        f"<attribute><name>{escaped(one.name)}</name><mutable>False</mutable><input_type>{kinds[one.kind]}</input_type>"
        f"<default_value></default_value><values>{escaped(chr(10).join(one.choices))}</values></attribute>"
        for one in label.attributes
    )
    kind = "skeleton" if label.skeleton else "any"
    return (
        f"<label><name>{escaped(label.name)}</name><color>{label.color}</color><type>{kind}</type>"
        f"<attributes>{attributes}</attributes>{_skeleton(label.skeleton)}</label>"
    )


def _skeleton(skeleton: Skeleton | None) -> str:
    if skeleton is None:
        return ""
    edges = ";".join(f"{skeleton.points.index(edge.start)},{skeleton.points.index(edge.end)}" for edge in skeleton.edges)
    return f"<points edges={quoted(edges)}>{''.join(f'<point>{escaped(name)}</point>' for name in skeleton.points)}</points>"


def _element(one: Annotation, groups: Mapping[str, int]) -> str:
    extra = f" object={quoted(one.id)}" if one.id is not None else ""
    extra += f' score="{one.score!r}"' if one.score is not None else ""
    if isinstance(one, Polygon) and one.id is not None:
        extra += f' group_id="{groups[one.id]}"'
    hidden = any(value.name == "occluded" and value.value is True for value in one.attributes)
    typed = [
        (value.name, *value_typed(value)) for value in one.attributes if value.name != "occluded" or value.value is not True
    ]
    inner = "".join([f'<attribute name={quoted(name)} type="{kind}">{escaped(text)}</attribute>' for name, kind, text in typed])
    head = f'label={quoted(getattr(one, "label", ""))} source="manual" occluded="{int(hidden)}"{extra}'
    if isinstance(one, ClassLabel):
        return f"<tag {head}>{inner}</tag>"
    tag, place, joints = _place(one)
    return f'<{tag} {head} {place} z_order="0">{joints}{inner}</{tag}>'


def _place(one: Annotation) -> tuple[str, str, str]:
    """The element's name, the XML attributes that say where it is, and its key points."""
    if isinstance(one, Box):
        return "box", _corners(one.x, one.y, one.x + one.width, one.y + one.height), ""
    if isinstance(one, RotatedBox):
        left, top = one.center_x - one.width / 2, one.center_y - one.height / 2
        return "box", _corners(left, top, left + one.width, top + one.height) + f' rotation="{one.angle_deg!r}"', ""
    if isinstance(one, (Polygon, Polyline)):
        points = ";".join([f"{shown(x)},{shown(y)}" for x, y in one.points])
        return one.kind, f'points="{points}"', ""
    if isinstance(one, Keypoints):
        joints = "".join(
            f'<points label={quoted(point.name)} points="{shown(point.x)},{shown(point.y)}" '
            f'outside="{int(point.visibility == 0)}" occluded="{int(point.visibility == 1)}"/>'
            for point in one.points
        )
        return "skeleton", "", joints
    if isinstance(one, Mask):
        pixels = mask_pixels(one)
        left, top, wide, high = bounds_of(pixels)
        flat = pixels[top : top + max(high, 1), left : left + max(wide, 1)].reshape(-1)
        bounds = np.concatenate(([0], np.flatnonzero(flat[1:] != flat[:-1]) + 1, [flat.size]))
        runs = [*([0] if flat[0] else []), *np.diff(bounds).tolist()]
        size = f'left="{left}" top="{top}" width="{max(wide, 1)}" height="{max(high, 1)}"'
        return "mask", f'rle="{", ".join(map(str, runs))}" {size}', ""
    raise TypeError(f"{one.kind} is not among KINDS")


def _corners(left: float, top: float, right: float, bottom: float) -> str:
    return f'xtl="{shown(left)}" ytl="{shown(top)}" xbr="{shown(right)}" ybr="{shown(bottom)}"'
