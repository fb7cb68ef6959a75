"""COCO: one JSON file a split with ``images``, ``annotations`` and ``categories``.

Polygons, run lengths (packed or plain) and key points with their skeleton. What COCO's own readers pass over carries the rest:
``score``, ``attributes`` and ``object`` (our id) beside the usual keys. A polygon with holes is written as run lengths, which
every reader fills right, with its rings beside them. An image without annotations was looked at and shows nothing.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from automl.contracts.annotation import Annotation, AnnotationKind, Box, Keypoint, Keypoints, Mask, Polygon, RotatedBox
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, Label, LabelSet, Skeleton, SkeletonEdge, Split
from automl.contracts.task import Modality
from labeling.formats._common import (
    Finder,
    LabelError,
    Spool,
    attach_all,
    attributes_of,
    complain,
    free_stem,
    json_of,
    label_note,
    label_text,
    looked_into,
    made,
    number,
    score_of,
    split_named,
    split_of_folders,
    suffix_of,
    whole,
)
from labeling.formats._geometry import (
    GeometryError,
    Pixels,
    bounds_of,
    counts_of,
    mask_pixels,
    polygon_pixels,
    ring_area,
    ring_bounds,
    runs_pack,
    runs_unpack,
)
from studio.datasets.formats import ExportedFile, Facet, ReadBlob, Reading

TITLE = Text(en="COCO JSON", zh="COCO JSON")
KINDS: frozenset[AnnotationKind] = frozenset({"box", "rotated_box", "polygon", "mask", "keypoints"})
KEEPS = frozenset(Facet) - {Facet.TEXTS}
MEDIA = frozenset({Modality.IMAGE})

_FOLDERS = {Split.TRAIN: "train", Split.VALIDATION: "val", Split.TEST: "test"}


def is_label_file(name: str) -> bool:
    """JSON files."""
    return name.lower().endswith(".json")


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A JSON object that lists images, and annotations or categories."""
    del names
    found = looked_into(label_files, ".json")
    return (
        0.9 if any(b'"images"' in data and (b'"categories"' in data or b'"annotations"' in data) for _, data in found) else 0.0
    )


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> Reading:
    """Reads all JSON files; the split is in the file's name, its folder or the picture's folder."""
    reading = Reading()
    finder = Finder(names)
    for place in sorted(name for name in label_files if is_label_file(name)):
        try:
            found = json_of(label_files[place])
            if not isinstance(found, dict) or not isinstance(found.get("images"), list):
                raise LabelError("label_file_broken")
            _file_read(found, place, finder, reading)
        except LabelError as error:
            complain(reading, place, error.code)
    return reading


def _file_read(found: Mapping[str, Any], place: str, finder: Finder, reading: Reading) -> None:
    split = split_named(posixpath.basename(place)) or split_of_folders(place)
    categories = _categories(_list(found, "categories"), place, reading)
    images: dict[Any, tuple[str, int, int]] = {}
    # Pictures of a split often share their names with those of another: the split's folder decides.
    folder = (
        posixpath.dirname(place) if split_of_folders(place) or split is None else f"{_above(place)}images/{_FOLDERS[split]}"
    )
    for index, image in enumerate(found["images"]):
        try:
            name = finder.one(str(_dict(image)["file_name"]), folder)
            key = image["id"]
            images[key] = name, int(number(image.get("width") or 0)), int(number(image.get("height") or 0))
        except LabelError as error:
            named = image.get("file_name") if isinstance(image, dict) else None
            complain(reading, f"{place}: images[{index}] {named or ''}".strip(), error.code)
            continue
        except (KeyError, TypeError):
            complain(reading, f"{place}: images[{index}]", "annotation_invalid")
            continue
        reading.annotations.setdefault(name, ())
        said_split = split or split_of_folders(name)
        if said_split is not None:
            reading.splits[name] = said_split
    said: dict[str, list[Annotation]] = {}
    missing = 0
    for index, one in enumerate(_list(found, "annotations")):
        try:
            image_id = _dict(one)["image_id"]
            if image_id not in images:
                missing += 1  # the image was complained of, or is of another file
                continue
            name, width, height = images[image_id]
            said.setdefault(name, []).extend(_annotation(one, categories, index, width, height))
        except (LabelError, GeometryError, KeyError, TypeError) as error:
            code = error.code if isinstance(error, LabelError) else "annotation_invalid"
            complain(reading, f"{place}: annotations[{index}]", code)
    if missing:
        complain(reading, f"{place}: annotations (× {missing})", "label_image_missing")
    for name, shapes in said.items():
        attach_all(reading, name, shapes)


def _above(place: str) -> str:
    above = posixpath.dirname(posixpath.dirname(place))
    return f"{above}/" if above else ""


def _dict(found: object) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise LabelError
    return found


def _list(found: Mapping[str, Any], key: str) -> list[Any]:
    value = found.get(key) or []
    if not isinstance(value, list):
        raise LabelError("label_file_broken")
    return value


@dataclass(frozen=True)
class _Category:
    name: str
    points: tuple[str, ...] = ()


def _categories(found: Sequence[Any], place: str, reading: Reading) -> dict[Any, _Category]:
    out: dict[Any, _Category] = {}
    for index, one in enumerate(found):
        try:
            name = label_text(_dict(one)["name"])
            points = tuple(str(point) for point in one.get("keypoints") or ())
            out[one["id"]] = _Category(name, points)
            pairs = [(int(a), int(b)) for a, b in one.get("skeleton") or ()]
            first = 0 if any(0 in pair for pair in pairs) else 1  # COCO counts from 1, some exporters from 0
            edges = [(points[a - first], points[b - first]) for a, b in pairs]
            skeleton = Skeleton(points=points, edges=tuple(SkeletonEdge(start=a, end=b) for a, b in edges)) if points else None
            label_note(reading, Label(name=name, skeleton=skeleton, **_color(one.get("color"))))
        except LabelError as error:
            complain(reading, f"{place}: categories[{index}]", error.code)
        except (KeyError, TypeError, ValueError, IndexError):
            complain(reading, f"{place}: categories[{index}]", "annotation_invalid")
    return out


def _color(found: object) -> dict[str, str]:
    if isinstance(found, list) and len(found) == 3 and all(isinstance(one, int) and 0 <= one < 256 for one in found):
        return {"color": "#" + bytes(found).hex()}
    return {}


def _annotation(
    one: Mapping[str, Any], categories: Mapping[Any, _Category], index: int, width: int, height: int
) -> list[Annotation]:
    """The primitives of one COCO annotation: parts of an object share its id."""
    category = categories.get(one["category_id"])
    if category is None:
        raise LabelError("label_unknown")
    given = one.get("attributes")
    plain = dict(given) if isinstance(given, dict) else {}
    turn = plain.pop("rotation", 0)
    segmentation = one.get("segmentation") or None
    if one.get("iscrowd") == 1 and not isinstance(segmentation, list):
        plain.setdefault("iscrowd", True)
    common: dict[str, Any] = {
        "label": category.name,
        "score": score_of(one.get("score")),
        "attributes": attributes_of(plain),
        "id": one["object"] if isinstance(one.get("object"), str) else None,
    }
    shapes: list[Annotation] = []
    if one.get("keypoints") and any(one["keypoints"][2::3]):
        shapes.append(_keypoints(one["keypoints"], category, common))
        if segmentation and common["id"] is None:
            common["id"] = shapes[0].id or f"object-{one.get('id', index)}"
            shapes[0] = shapes[0].model_copy(update={"id": common["id"]})
    if isinstance(segmentation, dict):
        shapes += _runs(segmentation, one.get("rings"), common)
    elif isinstance(segmentation, list):
        shapes += _rings(segmentation, common, key=str(one.get("id", index)))
    elif not shapes:
        shapes.append(_box(one["bbox"], number(turn), common))
    return shapes


def _keypoints(flat: Sequence[Any], category: _Category, common: dict[str, Any]) -> Annotation:
    if len(flat) % 3:
        raise LabelError
    names = category.points or tuple(str(n + 1) for n in range(len(flat) // 3))
    triples = zip(flat[::3], flat[1::3], flat[2::3], strict=True)
    seen = [(name, triple) for name, triple in zip(names, triples, strict=False) if triple[2] in {1, 2}]
    points = tuple(Keypoint(name=name, x=number(x), y=number(y), visibility=whole(v)) for name, (x, y, v) in seen)
    return made(Keypoints, points=points, **common)


def _runs(found: Mapping[str, Any], rings: object, common: dict[str, Any]) -> list[Annotation]:
    height, width = (whole(side) for side in found["size"])
    counts = found["counts"]
    if isinstance(counts, list):
        counts = runs_pack([whole(run) for run in counts])
    if not isinstance(counts, str) or sum(runs_unpack(counts)) != width * height:
        raise LabelError
    if isinstance(rings, list) and rings:
        return [
            made(
                Polygon,
                points=tuple(_pairs(one["points"])),
                holes=tuple(tuple(_pairs(hole)) for hole in one["holes"]),
                **common,
            )
            for one in map(_dict, rings)
        ]
    return [made(Mask, width=width, height=height, counts=counts, **common)]


def _rings(found: Sequence[Any], common: dict[str, Any], *, key: str) -> list[Annotation]:
    if len(found) > 1 and common["id"] is None:
        common = common | {"id": f"object-{key}"}
    return [made(Polygon, points=tuple(_pairs(ring)), **common) for ring in found]


def _pairs(flat: Any) -> list[tuple[float, float]]:  # noqa: ANN401 - it is JSON
    if not isinstance(flat, list) or len(flat) % 2 or len(flat) < 6:
        raise LabelError
    values = [number(value) for value in flat]
    return list(zip(values[::2], values[1::2], strict=True))


def _box(found: Any, turn: float, common: dict[str, Any]) -> Annotation:  # noqa: ANN401
    if not isinstance(found, list) or len(found) != 4:
        raise LabelError
    x, y, width, height = (number(value) for value in found)
    if turn:
        fields = {"center_x": x + width / 2, "center_y": y + height / 2, "width": width, "height": height}
        return made(RotatedBox, angle_deg=turn, **fields, **common)
    return made(Box, x=x, y=y, width=width, height=height, **common)


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes pictures below ``images/<split>`` and ``annotations/instances_<split>.json``."""
    del blob
    writers = {split: _Writer(labels) for split in Split}
    for record in records:
        path = free_stem(record) + suffix_of(record)
        writers[record.split].add(record, path)
        yield ExportedFile(path=f"images/{_FOLDERS[record.split]}/{path}", blob=record.blob, size_bytes=record.media.size_bytes)
    for split, writer in writers.items():
        yield ExportedFile(path=f"annotations/instances_{_FOLDERS[split]}.json", chunks=writer.chunks())


@dataclass
class _Writer:
    """One file: pictures and annotations are spooled, categories are known at the end."""

    labels: LabelSet
    images: Spool = field(default_factory=Spool)
    annotations: Spool = field(default_factory=Spool)
    categories: dict[str, int] = field(default_factory=dict)
    points: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.categories = {name: index for index, name in enumerate(self.labels.names, start=1)}
        self.points = {label.name: list(label.skeleton.points) for label in self.labels.labels if label.skeleton}

    def add(self, record: ItemRecord, path: str) -> None:
        """Takes one picture."""
        media = record.media
        number = self.images.num_pieces + 1
        image = {"id": number, "file_name": path, "width": media.width, "height": media.height}
        self.images.add(orjson.dumps(image), separator=b",\n")
        # Polygons with one id are the parts of one object wherever they stand.
        objects: dict[tuple[object, ...], list[Annotation]] = {}
        for index, one in enumerate(record.annotations):
            if one.kind in KINDS:
                key = (one.id, one.label, one.score, one.attributes) if isinstance(one, Polygon) and one.id else (index,)
                objects.setdefault(key, []).append(one)
        for parts in objects.values():
            row = {"id": self.annotations.num_pieces + 1, "image_id": number, **self._row(parts, record)}
            self.annotations.add(orjson.dumps(row), separator=b",\n")

    def _row(self, parts: Sequence[Annotation], record: ItemRecord) -> dict[str, Any]:
        one = parts[0]
        label = str(getattr(one, "label", ""))
        row: dict[str, Any] = {"category_id": self.categories.setdefault(label, len(self.categories) + 1), "iscrowd": 0}
        attributes = {value.name: value.value for value in one.attributes}
        if isinstance(one, Box):
            row |= {"bbox": [one.x, one.y, one.width, one.height], "area": one.width * one.height, "segmentation": []}
        elif isinstance(one, RotatedBox):
            corner = [one.center_x - one.width / 2, one.center_y - one.height / 2]
            row |= {"bbox": [*corner, one.width, one.height], "area": one.width * one.height, "segmentation": []}
            attributes["rotation"] = one.angle_deg
        elif isinstance(one, Mask):
            row |= _runs_row(mask_pixels(one), one.counts)
        elif isinstance(one, Keypoints):
            row |= self._keypoints_row(one, label)
        else:
            row |= _polygons_row([part for part in parts if isinstance(part, Polygon)], record)
        if attributes.get("iscrowd") is True:
            row["iscrowd"] = 1
        for key, value in (("score", one.score), ("attributes", attributes or None), ("object", one.id)):
            if value is not None:
                row[key] = value
        return row

    def _keypoints_row(self, one: Keypoints, label: str) -> dict[str, Any]:
        names = self.points.setdefault(label, [])
        names += [point.name for point in one.points if point.name not in names]
        by_name = {point.name: point for point in one.points if point.visibility}
        found = [by_name.get(name) for name in names]
        flat = [value for point in found for value in ((0, 0, 0) if point is None else (point.x, point.y, point.visibility))]
        left, top, width, height = ring_bounds([(point.x, point.y) for point in by_name.values()] or [(0.0, 0.0)])
        box = {"bbox": [left, top, width, height], "area": width * height, "segmentation": []}
        return box | {"keypoints": flat, "num_keypoints": len(by_name)}

    def chunks(self) -> Iterator[bytes]:
        """The whole file, once."""
        yield b'{"info":{"description":"Modelyard"},"licenses":[],"images":[\n'
        yield from self.images.chunks()
        yield b'\n],"annotations":[\n'
        yield from self.annotations.chunks()
        yield b'\n],"categories":' + orjson.dumps([self._category(name, key) for name, key in self.categories.items()]) + b"}\n"

    def _category(self, name: str, key: int) -> dict[str, Any]:
        label = next((label for label in self.labels.labels if label.name == name), Label(name=name))
        row: dict[str, Any] = {
            "id": key,
            "name": name,
            "supercategory": label.parent or "",
            "color": [*bytes.fromhex(label.color[1:])],
        }
        if name in self.points:
            names = self.points[name]
            edges = label.skeleton.edges if label.skeleton else ()
            row |= {
                "keypoints": names,
                "skeleton": [[names.index(edge.start) + 1, names.index(edge.end) + 1] for edge in edges],
            }
        return row


def _runs_row(mask_HW: Pixels, counts: str) -> dict[str, Any]:  # noqa: N803
    height, width = mask_HW.shape
    runs = {"size": [height, width], "counts": counts}
    return {"segmentation": runs, "bbox": list(bounds_of(mask_HW)), "area": int(mask_HW.sum())}


def _polygons_row(parts: Sequence[Polygon], record: ItemRecord) -> dict[str, Any]:
    if any(part.holes for part in parts):
        pixels = polygon_pixels(parts, width=record.media.width, height=record.media.height)
        rings = [{"points": _flat(part.points), "holes": [_flat(hole) for hole in part.holes]} for part in parts]
        return _runs_row(pixels, counts_of(pixels)) | {"rings": rings}
    left, top, width, height = ring_bounds([point for part in parts for point in part.points])
    area = sum(ring_area(part.points) for part in parts)
    return {"segmentation": [_flat(part.points) for part in parts], "bbox": [left, top, width, height], "area": area}


def _flat(points: Iterable[tuple[float, float]]) -> list[float]:
    return [value for point in points for value in point]
