"""One COCO document, gathered picture by picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from automl.contracts.annotation import Annotation, AnnotationKind, Box, ClassLabel, Keypoints, Mask, Polygon, RotatedBox
from automl.contracts.dataset import ItemRecord, Label, LabelSet
from labeling.formats._writing import Spool
from labeling.geometry import bounds_of, mask_pixels, polygon_pixels, ring_area, ring_bounds
from runtime.run_lengths import Pixels, counts_of


@dataclass
class SplitWriter:
    """One file: pictures and annotations are spooled, categories are known at the end."""

    labels: LabelSet
    kinds: frozenset[AnnotationKind]
    images: Spool = field(default_factory=Spool)
    annotations: Spool = field(default_factory=Spool)
    categories: dict[str, int] = field(default_factory=dict)
    points: dict[str, list[str]] = field(default_factory=dict)
    num_classes: int = 0

    def __post_init__(self) -> None:
        self.categories = {name: index for index, name in enumerate(self.labels.names, start=1)}
        self.points = {label.name: list(label.skeleton.points) for label in self.labels.labels if label.skeleton}

    def add(self, record: ItemRecord, path: str) -> None:
        """Takes one picture."""
        media = record.media
        number = self.images.num_pieces + 1
        image = {"id": number, "file_name": path, "width": media.width, "height": media.height}
        if path != record.name:
            image["original_name"] = record.name
        self.images.add(orjson.dumps(image), separator=b",\n")
        # Polygons with one id are the parts of one object wherever they stand.
        objects: dict[tuple[object, ...], list[Annotation]] = {}
        for index, one in enumerate(record.annotations):
            if one.kind in self.kinds:
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
        elif isinstance(one, ClassLabel):
            self.num_classes += 1
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

    @property
    def stem(self) -> str:
        """What the file is called by, as datumaro tells labels of pictures from objects in them."""
        return "labels" if self.num_classes and self.num_classes == self.annotations.num_pieces else "instances"

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
