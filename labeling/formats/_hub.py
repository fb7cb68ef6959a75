"""Annotations from rows of Hugging Face's sets of pictures: classes in a column, objects as lists of boxes and categories.

Numbers of classes are named by the features (``_class_names``). Boxes are ``x, y, width, height`` as in COCO, which is what
most sets have and the documentation shows; the sample tells when they can only be corners.
"""

from __future__ import annotations

import io
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PIL import Image

from automl.contracts.annotation import Annotation, Box, ClassLabel
from labeling.formats._class_names import names_of, within
from labeling.formats._files import PNG_DAMAGE
from labeling.formats._values import LabelError, label_text, made, number, score_of

FOLDER_FILES = frozenset({"dataset_info.json", "state.json", "dataset_dict.json"})
"""Beside the Arrow files of ``save_to_disk``: what they say stands in those too."""
_CLASSES = ("label", "labels", "class", "classes", "category", "categories", "fine_label", "target")
_OBJECTS = ("objects", "annotations", "annotation", "detections", "faces")
_BOXES = ("bbox", "bboxes", "boxes", "box")
_CATEGORIES = ("category", "categories", "category_id", "category_ids", "label", "labels", "class", "classes", "name")
_SCORES = ("score", "scores", "confidence")
_NUM_CORNERS = 4

Row = Mapping[str, Any]


def is_folder_file(name: str) -> bool:
    """Whether a file only describes the Arrow files beside it."""
    return posixpath.basename(name) in FOLDER_FILES


@dataclass(frozen=True)
class HubColumns:
    """Where things stand in a row."""

    label: str | None = None
    label_names: Sequence[str] = ()
    objects: str | None = None
    """Empty: boxes and categories are columns of the row itself."""
    box: str = ""
    category: str = ""
    category_names: Sequence[str] = ()
    score: str | None = None
    are_corners: bool = field(default=False, compare=False)
    """Whether a box is ``left, top, right, bottom``."""

    @property
    def has_labels(self) -> bool:
        """Whether rows carry labels at all."""
        return self.label is not None or self.objects is not None


def hub_columns(names: Sequence[str], features: Row, first: Iterable[Row]) -> HubColumns:
    """The columns of a table.

    Args:
        names: all columns.
        features: their description; empty where there is none.
        first: some rows.
    """
    rows = list(first)
    found: dict[str, Any] = {}
    low = {name.lower(): name for name in names}
    for objects in (*(low[one] for one in _OBJECTS if one in low), ""):
        keys = list(low.values()) if not objects else _keys(rows, objects, features)
        box, category = (next((key for key in keys if key.lower() in known), None) for known in (_BOXES, _CATEGORIES))
        if box is not None and category is not None:
            described = within(features.get(objects)) if objects else features
            described = described if isinstance(described, Mapping) else {}
            score = next((key for key in keys if key.lower() in _SCORES), None)
            found = {"objects": objects, "box": box, "category": category, "score": score}
            found["category_names"] = names_of(described.get(category))
            break
    free = [name for name in names if found.get("objects") != "" or name != found.get("category")]
    classes = [name for name in free if names_of(features.get(name))]
    usual = [low[one] for one in _CLASSES if one in low and low[one] in free]
    label = next((name for name in (*(one for one in usual if one in classes), *classes, *usual)), None)
    if label is not None:
        found |= {"label": label, "label_names": names_of(features.get(label))}
    columns = HubColumns(**found)
    return HubColumns(**found, are_corners=_are_corners(rows, columns))


def _keys(rows: Sequence[Row], objects: str, features: Row) -> list[str]:
    described = within(features.get(objects))
    if isinstance(described, Mapping) and "_type" not in described:
        return [str(key) for key in described]
    for row in rows:
        entries = row.get(objects)
        entries = entries[0] if isinstance(entries, list) and entries else entries
        if isinstance(entries, Mapping):
            return list(entries)
    return []


def row_annotations(row: Row, columns: HubColumns) -> list[Annotation] | None:
    """The annotations of a row's picture; None if there are none. Raises ``LabelError``."""
    out: list[Annotation] = []
    has_word = False
    label = row.get(columns.label) if columns.label is not None else None
    if label is not None:
        several = label if isinstance(label, list) else [label]
        names = [_named(one, columns.label_names) for one in several]
        out += [made(ClassLabel, label=name) for name in names if name is not None]
        has_word = isinstance(label, list) or bool(out)  # -1 stands for what is not told
    entries = _entries(row, columns) if columns.objects is not None else None
    if entries is not None:
        has_word = True
        out += [_box(box, category, score, columns) for box, category, score in entries]
    return out if has_word else None


def _named(value: object, names: Sequence[str]) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool) and names:
        if value < 0:
            return None
        if value >= len(names):
            raise LabelError("label_unknown")
        return label_text(names[value])
    return label_text(value)


def _entries(row: Row, columns: HubColumns) -> list[tuple[Any, Any, Any]] | None:
    """Box, category and score of each object; None when there is no word on objects."""
    whole = row if not columns.objects else row.get(columns.objects)
    if whole is None or (not columns.objects and whole.get(columns.box) is None):
        return None
    if isinstance(whole, list):
        return [(one[columns.box], one[columns.category], one.get(columns.score or "")) for one in whole]
    boxes, categories = whole[columns.box], whole[columns.category]
    scores = whole.get(columns.score or "") or [None] * len(boxes)
    if len(boxes) != len(categories) or len(boxes) != len(scores):
        raise LabelError
    return list(zip(boxes, categories, scores, strict=True))


def _box(box: Any, category: object, score: object, columns: HubColumns) -> Annotation:  # noqa: ANN401 - it is JSON
    name = _named(category, columns.category_names)
    if name is None or len(box) != _NUM_CORNERS:
        raise LabelError
    x, y, width, height = (number(value) for value in box)
    if columns.are_corners:
        width, height = width - x, height - y
    return made(Box, label=name, x=x, y=y, width=width, height=height, score=score_of(score))


def _are_corners(rows: Sequence[Row], columns: HubColumns) -> bool:
    """Whether boxes make sense as corners alone: as sides they would stick out of their picture."""
    if columns.objects is None:
        return False
    sticks_out = False
    for row in rows:
        size = _size(row)
        try:
            boxes = [tuple(map(number, box)) for box, _, _ in _entries(row, columns) or ()]
        except (LabelError, TypeError, KeyError, AttributeError):
            continue
        for box in boxes:
            if len(box) != _NUM_CORNERS or box[2] <= box[0] or box[3] <= box[1]:
                return False
            # A pixel more is how far rounded sides may reach.
            sticks_out |= size is not None and (box[0] + box[2] > size[0] + 1 or box[1] + box[3] > size[1] + 1)
            if size is not None and (box[2] > size[0] + 1 or box[3] > size[1] + 1):
                return False
    return sticks_out


def _size(row: Row) -> tuple[float, float] | None:
    """Width and height of a row's picture, by columns of that name or its first bytes."""
    width, height = row.get("width"), row.get("height")
    if isinstance(width, int) and isinstance(height, int):
        return width, height
    for value in row.values():
        data = value.get("bytes") if isinstance(value, Mapping) else value
        if isinstance(data, bytes):
            try:
                with Image.open(io.BytesIO(data)) as picture:
                    return picture.size
            except PNG_DAMAGE:
                return None
    return None
