"""Results of Label Studio, as annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from automl.contracts.annotation import (
    Annotation,
    Box,
    ClassLabel,
    Keypoint,
    Keypoints,
    Mask,
    Polygon,
    RotatedBox,
    TextValue,
    Value,
)
from labeling.formats._brush import brush_unpack
from labeling.formats._reading import complaining
from labeling.formats._values import LabelError, attributes_of, label_text, made, number, score_of, whole
from labeling.geometry import center_of
from runtime.run_lengths import counts_of
from studio.datasets.files.formats import ParsedLabels

_DRAWN = frozenset({"rectangle", "polygon", "brush", "keypoint", "ellipse"})


def results_read(results: Sequence[Mapping[str, Any]], place: str, reading: ParsedLabels, item: str) -> list[Annotation]:
    """The annotations of a list of results; what cannot be used is noted."""
    named = [one for one in results if isinstance(one, dict) and isinstance(one.get("id"), str)]
    # Of the results with one id, the one that is drawn is the region; the others add to it.
    by_id = {one["id"]: one for one in sorted(named, key=lambda one: str(one.get("type")).removesuffix("labels") in _DRAWN)}
    points: dict[str, list[Mapping[str, Any]]] = {}
    for one in results:
        if isinstance(one, dict) and one.get("type") in {"keypointlabels", "keypoint"} and one.get("parentID") in by_id:
            points.setdefault(one["parentID"], []).append(one)
    out: list[Annotation] = []
    for index, one in enumerate(results):
        with complaining(reading, f"{place}.result[{index}]", item):
            out += _result(one, results, by_id, points)
    return out


def _result(  # noqa: PLR0911 - one a kind
    one: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]],
    by_id: Mapping[str, Mapping[str, Any]],
    points: Mapping[str, Sequence[Mapping[str, Any]]],
) -> list[Annotation]:
    """The annotations of one result; what only adds to another result gives none of its own."""
    kind, value = str(one["type"]).removesuffix("labels"), one["value"]
    common = _common(one, results)
    region = by_id.get(one.get("id", ""), one)
    if kind not in _DRAWN and str(region["type"]).removesuffix("labels") in _DRAWN:
        return []
    if kind == "choices":
        return [made(ClassLabel, label=label_text(choice), **common) for choice in value["choices"]]
    if kind == "textarea":
        return [TextValue(text=str(text), **common) for text in value["text"]]
    if kind == "number":
        return [made(Value, value=number(value["number"]), **common)]
    if kind not in _DRAWN - {"ellipse"}:
        raise LabelError("shape_unknown")
    if kind == "keypoint" and one.get("parentID") in points:
        return []
    common["label"] = label_text(_label(one, results))
    size = number(one["original_width"]), number(one["original_height"])
    if one.get("id") in points:
        joints = tuple(_joint(point, size) for point in points[one["id"]])
        box = [] if (one.get("meta") or {}).get("bounds") else [_rectangle(value, size, common)]
        return [made(Keypoints, points=joints, **common), *box]
    if kind == "rectangle":
        return [_rectangle(value, size, common)]
    if kind == "polygon":
        parent = by_id.get(one.get("parentID") or "")
        if parent is not None and str(parent["type"]).startswith("polygon"):
            common["id"] = parent["id"]
        return [made(Polygon, points=tuple(_pixel(pair[0], pair[1], size) for pair in value["points"]), **common)]
    if kind == "brush":
        width, height = whole(one["original_width"]), whole(one["original_height"])
        pixels = brush_unpack(value["rle"], width=width, height=height)
        return [made(Mask, width=width, height=height, counts=counts_of(pixels), **common)]
    return [made(Keypoints, points=(_joint(one, size),), **common)]


def _common(one: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Id, score and attributes: those in ``meta`` and those that were chosen for the region."""
    meta = one.get("meta") if isinstance(one.get("meta"), dict) else {}
    plain = dict(meta["attributes"]) if meta and isinstance(meta.get("attributes"), dict) else {}
    region = one.get("id")
    for other in results if region is not None and len(results) > 1 else ():
        if other is one or other.get("id") != region or "from_name" not in other:
            continue
        value = other.get("value") or {}
        for key in ("choices", "text"):
            if isinstance(value.get(key), list) and other.get("type") in {"choices", "textarea"}:
                plain[str(other["from_name"])] = ", ".join(map(str, value[key]))
        for key in ("number", "rating"):
            if key in value:
                plain[str(other["from_name"])] = value[key]
    named = (meta or {}).get("id", region)
    return {
        "id": named if isinstance(named, str) and len(named) <= 64 else None,
        "score": score_of(one.get("score")),
        "attributes": attributes_of(plain),
    }


def _label(one: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> object:
    """A region's label: its own, or that of a result with the same id that names one."""
    for result in (one, *(other for other in results if other.get("id") == one.get("id") and other is not one)):
        for key, found in (result.get("value") or {}).items():
            if key.endswith("labels") and isinstance(found, list) and found:
                return found[0]
    raise LabelError("label_invalid")


def _pixel(x: object, y: object, size: tuple[float, float]) -> tuple[float, float]:
    return number(x) * size[0] / 100, number(y) * size[1] / 100


def _joint(one: Mapping[str, Any], size: tuple[float, float]) -> Keypoint:
    x, y = _pixel(one["value"]["x"], one["value"]["y"], size)
    visibility = (one.get("meta") or {}).get("visibility", 2)
    return Keypoint(name=str(_label(one, ())), x=x, y=y, visibility=visibility if visibility in {0, 1, 2} else 2)


def _rectangle(value: Mapping[str, Any], size: tuple[float, float], common: dict[str, Any]) -> Annotation:
    x, y = _pixel(value["x"], value["y"], size)
    width, height = _pixel(value["width"], value["height"], size)
    turn = number(value.get("rotation") or 0)
    if not turn:
        return made(Box, x=x, y=y, width=width, height=height, **common)
    center = center_of(corner=(x, y), width=width, height=height, angle_deg=turn)
    return made(RotatedBox, center_x=center[0], center_y=center[1], width=width, height=height, angle_deg=turn, **common)
