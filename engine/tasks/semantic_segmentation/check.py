"""Problems of a dataset that a person should mend before training: each with its item or label and a remedy.

Pictures without any label are fine: they teach what is nothing. Blocking problems are those that make training impossible or
its numbers meaningless; everything else is advice. The web process imports this file: no torch, and no pixel is drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from automl.contracts.annotation import Mask, Polygon
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.task import Problem
from automl.contracts.words import Words
from engine.tasks.semantic_segmentation.raster import shapes_of
from engine.tasks.semantic_segmentation.spec import TASK
from engine.tasks.shared import problems as common
from engine.tasks.shared.problems import Noun
from runtime.run_lengths import GeometryError, runs_bounds

words = Words(__file__)

MIN_TRAIN_PICTURES = 2
"""Of each label: a single one teaches itself."""
MAX_IMBALANCE = 50
"""The rarest label should be on more than one picture for this many of the most frequent one."""
MIN_SIDE_PX = 3.0
"""Of a shape: below this there is nothing to see."""
EDGE_SLACK_PX = 1.0
"""A polygon may reach so far over the edge: tools round differently."""
_PICTURE = Noun(words, "picture")
_LABELLED = Noun(words, "labelled")


@dataclass
class _Counts:
    """What one walk over the items finds out: pictures that show a label."""

    train: Counter[str] = field(default_factory=Counter)
    everywhere: Counter[str] = field(default_factory=Counter)
    by_split: Counter[Split] = field(default_factory=Counter)
    labelled: Counter[Split] = field(default_factory=Counter)


@dataclass(frozen=True)
class _Bounds:
    """Of a shape, in pixels."""

    left: float
    top: float
    right: float
    bottom: float


def problems(records: Iterable[ItemRecord], label_set: LabelSet, options: Mapping[str, str]) -> list[Problem]:
    """Lists the problems of items that are annotated, blocking ones first; walks over the items once.

    Args:
        records: the annotated items with their splits.
        label_set: the project's labels.
        options: the task's options; it has none.
    """
    known = set(label_set.names)
    counts, of_items = _Counts(), []
    for record in records:
        shapes = shapes_of(record.annotations)
        labels = {shape.label for shape in shapes}
        counts.by_split[record.split] += 1
        counts.labelled[record.split] += bool(shapes)
        counts.everywhere.update(labels)
        if record.split == Split.TRAIN:
            counts.train.update(labels)
        of_items += common.unknown_labels(record, labels - known, _PICTURE)
        for shape in shapes:
            of_items += _mask_problems(record, shape) if isinstance(shape, Mask) else _polygon_problems(record, shape)
    return common.blocking_first(
        [
            *common.too_few_labels(label_set, at_least=TASK.annotation.min_labels),
            *of_items,
            *_count_problems(counts, label_set),
            *_split_problems(counts),
        ]
    )


def _mask_problems(record: ItemRecord, mask: Mask) -> list[Problem]:
    width, height = record.media.width, record.media.height
    try:
        bounds = runs_bounds(mask.counts, height=mask.height)
    except GeometryError:
        message = words("mask_damaged", label=mask.label, name=record.name)
        remedy = words("mask_damaged.remedy")
        return [common.blocking("mask_damaged", message, remedy, item=record.item, field=mask.label)]
    if (mask.width, mask.height) != (width, height):
        sides = {"width": mask.width, "height": mask.height, "picture_width": width, "picture_height": height}
        message = words("mask_size", label=mask.label, name=record.name, **sides)
        remedy = words("mask_size.remedy")
        return [common.blocking("mask_size", message, remedy, item=record.item, field=mask.label)]
    if bounds is None:
        message = words("mask_empty", label=mask.label, name=record.name)
        remedy = words("mask_empty.remedy")
        return [common.advisory("mask_empty", message, remedy, item=record.item, field=mask.label)]
    left, top, own_width, own_height = bounds
    return _tiny(record, mask.label, _Bounds(left, top, left + own_width, top + own_height))


def _polygon_problems(record: ItemRecord, polygon: Polygon) -> list[Problem]:
    width, height = record.media.width, record.media.height
    xs, ys = zip(*polygon.points, strict=True)
    seen = _Bounds(max(0.0, min(xs)), max(0.0, min(ys)), min(float(width), max(xs)), min(float(height), max(ys)))
    if seen.left >= seen.right or seen.top >= seen.bottom:
        message = words("polygon_outside", label=polygon.label, name=record.name)
        remedy = words("polygon_outside.remedy")
        return [common.blocking("polygon_outside", message, remedy, item=record.item, field=polygon.label)]
    if tiny := _tiny(record, polygon.label, seen):
        return tiny
    if max(seen.left - min(xs), seen.top - min(ys), max(xs) - seen.right, max(ys) - seen.bottom) > EDGE_SLACK_PX:
        message = words("polygon_over_edge", label=polygon.label, name=record.name)
        remedy = words("polygon_over_edge.remedy")
        return [common.advisory("polygon_over_edge", message, remedy, item=record.item, field=polygon.label)]
    return []


def _tiny(record: ItemRecord, label: str, bounds: _Bounds) -> list[Problem]:
    sides = {"width": bounds.right - bounds.left, "height": bounds.bottom - bounds.top}
    if max(sides.values()) >= MIN_SIDE_PX:
        return []
    message = words("shape_tiny", label=label, name=record.name, **sides)
    remedy = words("shape_tiny.remedy")
    return [common.advisory("shape_tiny", message, remedy, item=record.item, field=label)]


def _count_problems(counts: _Counts, label_set: LabelSet) -> list[Problem]:
    if not counts.everywhere:
        message = words("shapes_missing")
        remedy = words("shapes_missing.remedy")
        return [common.blocking("shapes_missing", message, remedy)]
    rare = common.rare_labels(
        common.LabelCounts(counts.train, counts.everywhere),
        label_set,
        _LABELLED,
        none_code="label_without_pictures",
        few_code="label_with_few_pictures",
        at_least=MIN_TRAIN_PICTURES,
        good_start=20,
    )
    remedy = words("imbalance.remedy")
    return rare + common.imbalance(counts.train, _LABELLED, most_to_rarest=MAX_IMBALANCE, remedy=remedy)


def _split_problems(counts: _Counts) -> list[Problem]:
    found = []
    if counts.labelled[Split.VALIDATION] == 0:
        found.append(common.validation_empty(_LABELLED))
    if counts.by_split[Split.TEST] == 0:
        found.append(common.final_test_empty(_PICTURE))
    elif counts.by_split[Split.TEST] < common.FEW_TEST_ITEMS:
        found.append(common.final_test_few(_PICTURE, counts.by_split[Split.TEST]))
    return found
