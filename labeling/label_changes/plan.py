"""What can be done to the labels of a project, and what it makes of label sets and annotations. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from automl.contracts.annotation import LabelName, stored_class
from automl.contracts.base import Contract, Text
from automl.contracts.dataset import Label, LabelSet
from automl.contracts.words import Words

words = Words(__file__)


class LabelRename(Contract):
    """One label gets another name."""

    kind: Literal["rename"] = "rename"
    source: LabelName
    target: LabelName


class LabelMerge(Contract):
    """Several labels become one, which may be one of them, another one or new."""

    kind: Literal["merge"] = "merge"
    sources: Annotated[tuple[LabelName, ...], Field(min_length=1, max_length=1000)]
    target: LabelName


class LabelPart(Contract):
    """What of a label becomes another one: the objects with an attribute, or those on items with some metadata or by hand."""

    label: LabelName
    by: Literal["attribute", "metadata", "items"]
    name: Annotated[str, Field(max_length=64)] = ""
    value: Annotated[str, Field(max_length=256)] = ""
    items: Annotated[tuple[str, ...], Field(max_length=10_000)] = ()


class LabelSplit(Contract):
    """Parts of a label become labels of their own; the first part that fits counts, the rest keeps the label."""

    kind: Literal["split"] = "split"
    source: LabelName
    parts: Annotated[tuple[LabelPart, ...], Field(min_length=1, max_length=100)]


Plan = Annotated[LabelRename | LabelMerge | LabelSplit, Field(discriminator="kind")]
PLAN: TypeAdapter[LabelRename | LabelMerge | LabelSplit] = TypeAdapter(Plan)


def plan_sources(plan: Plan) -> frozenset[str]:
    """The labels whose annotations change."""
    if isinstance(plan, LabelMerge):
        return frozenset(plan.sources) - {plan.target}
    return frozenset({plan.source})


def plan_targets(plan: Plan) -> tuple[str, ...]:
    """The labels that annotations carry afterwards."""
    if isinstance(plan, LabelSplit):
        return tuple(dict.fromkeys(part.label for part in plan.parts))
    return (plan.target,)


def plan_complaints(plan: Plan, labels: LabelSet) -> dict[str, Text]:
    """What is wrong with a plan, by field; empty when it can be done."""
    known = set(labels.names)
    missing = sorted(plan_sources(plan) - known)
    complaints: dict[str, Text] = {}
    if missing:
        complaints["source"] = words("plan.source", labels=", ".join(missing))
    if not plan_sources(plan):
        complaints["sources"] = words("plan.sources")
    if isinstance(plan, LabelRename) and plan.target in known:
        complaints["target"] = words("plan.target", label=plan.target)
    if isinstance(plan, LabelSplit) and plan.source in plan_targets(plan):
        complaints["parts"] = words("plan.parts")
    return complaints


def labels_during(plan: Plan, labels: LabelSet) -> LabelSet:
    """The label set while the change is under way: the old labels and the new ones.

    New labels stand behind the first source and take its colour, parent and attributes.
    """
    sources = plan_sources(plan)
    fresh = [name for name in plan_targets(plan) if name not in labels.names]
    out: list[Label] = []
    for label in labels.labels:
        out.append(label)
        if label.name in sources:
            out += [label.model_copy(update={"name": name}) for name in fresh]
            fresh = []
    return LabelSet(labels=tuple(out))


def labels_after(plan: Plan, labels: LabelSet) -> LabelSet:
    """The label set when the change is through: what stood below a label that goes stands below its successor."""
    goes = frozenset[str]() if isinstance(plan, LabelSplit) else plan_sources(plan)
    target = plan_targets(plan)[0]
    rest = [label for label in labels_during(plan, labels).labels if label.name not in goes]
    moved = [label.model_copy(update={"parent": target}) if label.parent in goes else label for label in rest]
    return LabelSet(labels=_rooted(moved))


def _rooted(labels: Sequence[Label]) -> tuple[Label, ...]:
    """Cuts the tree where a merge has put a label below itself."""
    parents = {label.name: label.parent for label in labels}

    def stands_above_itself(name: str) -> bool:
        seen, above = {name}, parents[name]
        while above is not None and above not in seen:
            seen.add(above)
            above = parents.get(above)
        return above == name

    return tuple(label.model_copy(update={"parent": None}) if stands_above_itself(label.name) else label for label in labels)


def labels_union(first: LabelSet, second: LabelSet) -> LabelSet:
    """The labels of the first and what only the second has: holds while a change is under way."""
    known = set(first.names)
    both = [*first.labels, *(label for label in second.labels if label.name not in known)]
    names = {label.name for label in both}
    return LabelSet(labels=_rooted([one if one.parent in names else one.model_copy(update={"parent": None}) for one in both]))


def annotations_after(
    plan: Plan, annotations: Sequence[Mapping[str, Any]], *, item: str, metadata: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """An item's annotations when the change is through; a class label that would stand twice stands once.

    Args:
        plan: the change.
        annotations: as stored, JSON.
        item: the item's id.
        metadata: the item's metadata.
    """
    sources = plan_sources(plan)
    out: list[dict[str, Any]] = []
    classes: set[str] = set()
    for one in annotations:
        label = one.get("label")
        changed = dict(one)
        if label in sources:
            changed["label"] = _target(plan, one, item, metadata) or label
        if (name := stored_class(changed)) is not None:
            if name in classes:
                continue
            classes.add(name)
        out.append(changed)
    return out


def _target(plan: Plan, one: Mapping[str, Any], item: str, metadata: Mapping[str, Any]) -> str | None:
    if not isinstance(plan, LabelSplit):
        return plan.target
    return next((part.label for part in plan.parts if _fits(part, one, item, metadata)), None)


def _fits(part: LabelPart, one: Mapping[str, Any], item: str, metadata: Mapping[str, Any]) -> bool:
    if part.by == "items":
        return item in part.items
    if part.by == "metadata":
        return part.name in metadata and _same(metadata[part.name], part.value)
    return any(each["name"] == part.name and _same(each["value"], part.value) for each in one.get("attributes", ()))


def _same(value: object, expected: str) -> bool:
    """Whether a stored value is the one that a person wrote: ``true`` and ``True``, ``3`` and ``3.0`` are."""
    if isinstance(value, bool):
        return expected.strip().lower() == ("true" if value else "false")
    if isinstance(value, int | float):
        try:
            return float(expected) == float(value)
        except ValueError:
            return False
    return str(value) == expected
