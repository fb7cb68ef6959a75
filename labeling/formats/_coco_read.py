"""Categories and annotations of a COCO document, as ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from automl.contracts.annotation import Annotation, Box, ClassLabel, Keypoint, Keypoints, Mask, Polygon, RotatedBox
from automl.contracts.dataset import Label, Skeleton, SkeletonEdge
from labeling.formats._reading import complain, label_note
from labeling.formats._values import LabelError, attributes_of, label_text, made, number, score_of, whole
from runtime.run_lengths import runs_pack, runs_unpack
from studio.datasets.files.formats import ParsedLabels


def dict_of(value: object) -> dict[str, Any]:
    """A JSON object; raises ``LabelError``."""
    if not isinstance(value, dict):
        raise LabelError
    return value


def list_in(document: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key, empty when there is none; raises ``LabelError``."""
    value = document.get(key) or []
    if not isinstance(value, list):
        raise LabelError("label_file_broken")
    return value


@dataclass(frozen=True)
class Category:
    """A label and the names of its key points."""

    name: str
    points: tuple[str, ...] = ()


def categories_read(rows: Sequence[Any], place: str, reading: ParsedLabels) -> dict[Any, Category]:
    """Categories by their ids; what they say of labels is kept."""
    out: dict[Any, Category] = {}
    for index, one in enumerate(rows):
        try:
            name = label_text(dict_of(one)["name"])
            points = tuple(str(point) for point in one.get("keypoints") or ())
            out[one["id"]] = Category(name, points)
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


def _color(value: object) -> dict[str, str]:
    if isinstance(value, list) and len(value) == 3 and all(isinstance(one, int) and 0 <= one < 256 for one in value):
        return {"color": "#" + bytes(value).hex()}
    return {}


def annotation_read(one: Mapping[str, Any], categories: Mapping[Any, Category], index: int) -> list[Annotation]:
    """The primitives of one COCO annotation: parts of an object share its id.

    Raises:
        ValueError, KeyError, TypeError: it is none (``_reading.INVALID``).
    """
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
    elif not shapes and (one.get("bbox") or segmentation is not None or one.get("keypoints")):
        shapes.append(_turned(one["bbox"], number(turn), common))
    elif not shapes:
        shapes.append(made(ClassLabel, **common))
    return shapes


def bounds_read(one: Mapping[str, Any], shapes: Sequence[Annotation]) -> dict[Annotation, Box]:
    """The box that an annotation has beside its run lengths or key points, where it is one."""
    found = one.get("bbox")
    if not found or not shapes or not isinstance(shapes[0], Mask | Keypoints):
        return {}
    first = shapes[0]
    common = {"label": first.label, "score": first.score, "attributes": first.attributes, "id": first.id}
    try:
        return {first: _box(found, common)}
    except LabelError:
        return {}


def _keypoints(flat: Sequence[Any], category: Category, common: dict[str, Any]) -> Annotation:
    if len(flat) % 3:
        raise LabelError
    names = category.points or tuple(str(n + 1) for n in range(len(flat) // 3))
    triples = zip(flat[::3], flat[1::3], flat[2::3], strict=True)
    seen = [(name, triple) for name, triple in zip(names, triples, strict=False) if triple[2] in {1, 2}]
    points = tuple(Keypoint(name=name, x=number(x), y=number(y), visibility=whole(v)) for name, (x, y, v) in seen)
    return made(Keypoints, points=points, **common)


def _runs(segmentation: Mapping[str, Any], rings: object, common: dict[str, Any]) -> list[Annotation]:
    height, width = (whole(side) for side in segmentation["size"])
    counts = segmentation["counts"]
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
            for one in map(dict_of, rings)
        ]
    return [made(Mask, width=width, height=height, counts=counts, **common)]


def _rings(segmentation: Sequence[Any], common: dict[str, Any], *, key: str) -> list[Annotation]:
    if len(segmentation) > 1 and common["id"] is None:
        common = common | {"id": f"object-{key}"}
    return [made(Polygon, points=tuple(_pairs(ring)), **common) for ring in segmentation]


def _pairs(flat: Any) -> list[tuple[float, float]]:  # noqa: ANN401 - it is JSON
    if not isinstance(flat, list) or len(flat) % 2 or len(flat) < 6:
        raise LabelError
    values = [number(value) for value in flat]
    return list(zip(values[::2], values[1::2], strict=True))


def _box(sides: object, common: dict[str, Any]) -> Box:
    if not isinstance(sides, list) or len(sides) != 4:
        raise LabelError
    x, y, width, height = (number(value) for value in sides)
    return made(Box, x=x, y=y, width=width, height=height, **common)


def _turned(value: object, turn: float, common: dict[str, Any]) -> Annotation:
    box = _box(value, common)
    if not turn:
        return box
    center = {"center_x": box.x + box.width / 2, "center_y": box.y + box.height / 2}
    return made(RotatedBox, angle_deg=turn, width=box.width, height=box.height, **center, **common)
