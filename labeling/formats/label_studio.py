"""Label Studio: a JSON list of tasks with annotations, of pictures or texts; coordinates are per cent of the picture's sides.

Read are annotations; predictions of a task without any are proposed. Our ids are region ids; parts of one object point to the
first by ``parentID``; attributes stand in ``meta``. A download has the labelling configuration beside the tasks, with the
labels' colours.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from automl.contracts.annotation import (
    Annotation,
    AnnotationKind,
    Box,
    ClassLabel,
    Keypoints,
    Mask,
    Polygon,
    RotatedBox,
    TextValue,
    Value,
)
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, Label, LabelSet
from automl.contracts.modality import Modality
from labeling.formats._brush import brush_pack
from labeling.formats._files import SPLITS, Finder, json_of, looked_into, split_of_folders
from labeling.formats._label_studio_data import TaskTexts, task_picture, task_text
from labeling.formats._label_studio_read import results_read
from labeling.formats._reading import attach_all, complain, complaining, label_note, predict, split_note
from labeling.formats._texts import record_text
from labeling.formats._values import LabelError, color_of, label_text
from labeling.formats._writing import Paths, Spool
from labeling.formats._xml import quoted, xml_of
from labeling.geometry import corner_of, mask_pixels, ring_bounds
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

TITLE = Text.same("Label Studio JSON")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box", "rotated_box", "polygon", "mask", "keypoints", "text", "value"})
KEEPS = frozenset(Facet) - {Facet.HOLES, Facet.SKELETONS}
MEDIA = frozenset({Modality.IMAGE, Modality.TEXT})

_CONFIG = "labeling_config.xml"
_TAGS = ("RectangleLabels", "PolygonLabels", "BrushLabels")


def is_label_file(name: str) -> bool:
    """JSON files, and the labelling configuration of a download."""
    return name.lower().endswith(".json") or posixpath.basename(name) == _CONFIG


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A JSON list of objects with ``data``, and annotations, completions or predictions."""
    del names
    for _, data in looked_into(label_files, ".json"):
        has_list = any(key in data for key in (b'"annotations"', b'"predictions"', b'"completions"'))
        if (
            data.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] in {b"[", b"{"}
            and b'"data"' in data
            and has_list
            and b'"images"' not in data
        ):
            return 0.9
    return 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all tasks; the picture is the first value of ``data`` that names a file of the upload, a text lies within."""
    reading = ParsedLabels()
    finder, texts = Finder(names), TaskTexts()
    for place in sorted(name for name in label_files if is_label_file(name)):
        try:
            if not place.lower().endswith(".json"):
                _config_read(label_files[place], reading)
                continue
            found = json_of(label_files[place])
        except LabelError as error:
            complain(reading, place, error.code)
            continue
        for index, task in enumerate(found if isinstance(found, list) else [found]):
            with complaining(reading, f"{place}: [{index}]"):
                _task_read(task, f"{place}: [{index}]", (finder, texts), reading)
    reading.contents = texts
    return reading


def _config_read(data: bytes, reading: ParsedLabels) -> None:
    for element in xml_of(data).iter():
        if element.tag in {"Label", "Choice"} and element.get("value"):
            try:
                name = label_text(element.get("value"))
            except LabelError:
                continue
            label_note(reading, Label(name=name, color=color_of(element.get("background"))))


def _task_read(task: Mapping[str, Any], place: str, known: tuple[Finder, TaskTexts], reading: ParsedLabels) -> None:
    data = task["data"]
    finder, texts = known
    text = task_text(data)
    name = task_picture(data, finder) if text is None else texts.add(text, data.get("name"), place)
    split_note(reading, name, SPLITS.get(str(data.get("split", "")).lower()), split_of_folders(name))
    annotations = [one for one in task.get("annotations") or task.get("completions") or () if not one.get("was_cancelled")]
    given = annotations or task.get("predictions") or []
    if not given:
        return  # nobody has looked
    found = results_read(given[0].get("result") or [], place, reading, name if annotations else "")
    if annotations:
        attach_all(reading, name, found)
    else:
        predict(reading, name, _scored(found, given[0].get("score")))
    if len(given) > 1:
        complain(reading, f"{place} (× {len(given) - 1})", "annotation_alternative")


def _scored(annotations: Sequence[Annotation], value: object) -> list[Annotation]:
    """A prediction's own score counts where its results have none; some models score beyond 0..1, which says nothing here."""
    score = float(value) if isinstance(value, (int, float)) and 0 <= value <= 1 else None
    return [one.model_copy(update={"score": score}) if one.score is None else one for one in annotations]


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes pictures below ``images``, ``tasks.json`` and the labelling configuration."""
    tasks, paths = Spool(), Paths(by_stem=False)
    is_text = False
    tasks.add(b"[\n")
    for key, record in enumerate(records, start=1):
        is_text = record.media.format == "txt"
        if is_text:
            data = {"text": record_text(record, blob)}
        else:
            data = {"image": paths.path(record, "images")}
            yield ExportedFile(path=data["image"], blob=record.blob, size_bytes=record.media.size_bytes)
        data |= {"split": record.split.value, "item": record.item, "name": record.name}
        annotation = {"id": key, "was_cancelled": False, "ground_truth": False, "result": _results(record)}
        task = {"id": key, "data": data, "annotations": [annotation], "predictions": []}
        tasks.add(orjson.dumps(task), separator=b"" if key == 1 else b",\n")
    tasks.add(b"\n]\n")
    yield ExportedFile(path="tasks.json", chunks=tasks.chunks())
    yield ExportedFile(path=_CONFIG, data=_config(labels, "text" if is_text else "image"))


def _config(labels: LabelSet, data: str) -> bytes:
    """What Label Studio needs to show the tasks, whose pictures or texts are under this name."""
    entries = "".join(f"<Label value={quoted(one.name)} background={quoted(one.color)}/>" for one in labels.labels)
    choices = "".join(f"<Choice value={quoted(one.name)} background={quoted(one.color)}/>" for one in labels.labels)
    pick = f'<Choices name="class" toName="{data}" choice="multiple">{choices}</Choices>'
    if data == "text":
        return f'<View><Text name="text" value="$text"/>{pick}</View>\n'.encode()
    names = {"RectangleLabels": "box", "PolygonLabels": "polygon", "BrushLabels": "mask"}
    tools = "".join(f'<{tag} name="{names[tag]}" toName="image">{entries}</{tag}>' for tag in _TAGS)
    return f'<View><Image name="image" value="$image"/>{pick}{tools}</View>\n'.encode()


def _results(record: ItemRecord) -> list[dict[str, Any]]:
    annotations = [one for one in record.annotations if one.kind in KINDS]
    classes = [one for one in annotations if isinstance(one, ClassLabel)]
    out: list[dict[str, Any]] = []
    if classes and not any(one.id or one.score is not None or one.attributes for one in classes):
        value = {"choices": [one.label for one in classes]}
        out.append({"from_name": "class", "to_name": _to(record), "type": "choices", "value": value})
        annotations = [one for one in annotations if not isinstance(one, ClassLabel)]
    firsts: set[str] = set()
    for index, one in enumerate(annotations):
        rows = _region(one, record, key=f"region-{index}")
        if isinstance(one, Polygon) and one.id is not None:
            if one.id in firsts:
                rows[0] |= {"id": f"{one.id}-{index}"[-64:], "parentID": one.id}
            firsts.add(one.id)
        out += rows
    return out


def _to(record: ItemRecord) -> str:
    return "text" if record.media.format == "txt" else "image"


def _region(one: Annotation, record: ItemRecord, *, key: str) -> list[dict[str, Any]]:
    """The results of one annotation: key points have one each below a rectangle."""
    name, kind, value = _value(one, record)
    row: dict[str, Any] = {"from_name": name, "to_name": _to(record), "type": kind, "value": value}
    meta: dict[str, Any] = {}
    if one.id is not None:
        row["id"] = one.id
    if one.score is not None:
        row["score"] = one.score
    if one.attributes:
        meta["attributes"] = {value.name: value.value for value in one.attributes}
    size = {"original_width": record.media.width, "original_height": record.media.height, "image_rotation": 0}
    if kind.endswith("labels"):
        row |= size
    points: list[dict[str, Any]] = []
    if isinstance(one, Keypoints):
        meta |= {"bounds": True} | ({} if one.id else {"id": None})
        row["id"] = one.id or key
        for number_, point in enumerate(one.points):
            x, y = 100 * point.x / record.media.width, 100 * point.y / record.media.height
            joint = {"x": x, "y": y, "width": 0.5, "keypointlabels": [point.name]}
            common = {"id": f"{key}-{number_}", "from_name": "point", "to_name": "image", "type": "keypointlabels"} | size
            points.append(common | {"parentID": row["id"], "value": joint, "meta": {"visibility": point.visibility}})
    if meta:
        row["meta"] = meta
    return [row, *points]


def _value(one: Annotation, record: ItemRecord) -> tuple[str, str, dict[str, Any]]:  # noqa: PLR0911 - one a kind
    """The control, the type and the value of a result."""
    wide, high = 100 / record.media.width, 100 / record.media.height
    if isinstance(one, Box):
        place: dict[str, Any] = {"x": one.x * wide, "y": one.y * high, "width": one.width * wide, "height": one.height * high}
        return "box", "rectanglelabels", place | {"rotation": 0.0, "rectanglelabels": [one.label]}
    if isinstance(one, ClassLabel):
        return "class", "choices", {"choices": [one.label]}
    if isinstance(one, TextValue):
        return "text", "textarea", {"text": [one.text]}
    if isinstance(one, Value):
        return "value", "number", {"number": one.value}
    if isinstance(one, Polygon):
        points = [[x * wide, y * high] for x, y in one.points]
        return "polygon", "polygonlabels", {"points": points, "closed": True, "polygonlabels": [one.label]}
    if isinstance(one, Mask):
        return "mask", "brushlabels", {"format": "rle", "rle": brush_pack(mask_pixels(one)), "brushlabels": [one.label]}
    if isinstance(one, RotatedBox):
        (x, y), turn, width, height = corner_of(one), one.angle_deg, one.width, one.height
    elif isinstance(one, Keypoints):
        x, y, width, height = ring_bounds([(point.x, point.y) for point in one.points])
        turn = 0.0
    else:
        raise TypeError(f"{one.kind} is not among KINDS")
    place = {"x": x * wide, "y": y * high, "width": width * wide, "height": height * high, "rotation": turn}
    return "box", "rectanglelabels", place | {"rectanglelabels": [getattr(one, "label", "")]}
