"""Merges the annotations that two people made of one item at the same time. Pure.

A person's change is a step from a state that was seen to one that was meant. It is laid onto what stands by now, object by
object and field by field: a three-way merge as version control does it, with the state seen as the common ancestor. Where both
touched the same field in different ways, or one took away what the other changed, there is a clash, and a person decides. Steps
without a clash come to the same objects in whatever order they arrive; only which object lies above which goes by the order of
arrival.

Decided against: the last word wins (work is lost without a trace), and character-wise merging types (CRDTs), which settle every
clash by themselves where a label wants a decision.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from automl.contracts.annotation import Annotation, Annotations

ItemAnnotations = tuple[Annotation, ...] | None
"""Annotations of an item; None means that nobody has looked."""

Parts = list[dict[str, Any]]
"""One object as JSON; several when polygons share an id."""

Choice = Literal["mine", "theirs"]


@dataclass(frozen=True)
class Step:
    """One person's change of an item."""

    before: ItemAnnotations
    """What the person saw."""
    after: ItemAnnotations
    """What the person made of it."""
    has_others: bool = False
    """Objects that both states hold alike were left out of both."""


@dataclass(frozen=True)
class Clash:
    """Something that two people changed in different ways."""

    object: str
    """Key of the object; empty where one says that nothing is there, or nobody looked, and the other names something."""
    field: str
    """``label``, ``shape``, ``attributes.<name>``, ``object`` (one took it away) or ``standing``."""


@dataclass(frozen=True)
class MergeResult:
    """The result of a step."""

    annotations: ItemAnnotations
    clashes: tuple[Clash, ...]


def merge(step: Step, current: ItemAnnotations, *, takes_several: bool, prefer: Choice = "theirs") -> MergeResult:
    """Lays a step onto what stands by now.

    Args:
        step: the change.
        current: what the item carries.
        takes_several: whether an item may carry several class labels; if not, its class label is one field.
        prefer: whose word stands where the two clash. The clashes are returned in both cases.
    """
    if step.before == step.after and not step.has_others:
        return MergeResult(current, ())
    if step.after == current or (step.before == current and not step.has_others):
        return MergeResult(step.after, ())
    before, after, now = (_objects(annotations, takes_several) for annotations in (step.before, step.after, current))
    clashes: list[Clash] = []
    result = dict(now)
    for key in [*before, *(key for key in after if key not in before)]:
        merged = _merge_object(key, (before.get(key), after.get(key), now.get(key)), prefer, clashes)
        if merged is None:
            result.pop(key, None)
        else:
            result[key] = merged
    if result and _is_denied(step, current):
        mine = _annotations(_in_order(result, before, after)) if step.has_others else step.after
        return MergeResult(current if prefer == "theirs" else mine, (*clashes, Clash("", "standing")))
    if not result:
        return MergeResult(_without_objects(step, current), tuple(clashes))
    return MergeResult(_annotations(_in_order(result, before, after)), tuple(clashes))


def _standing(annotations: ItemAnnotations, has_others: bool = False) -> str:
    if has_others or annotations:
        return "some"
    return "unlabelled" if annotations is None else "empty"


def _is_denied(step: Step, current: ItemAnnotations) -> bool:
    """Whether one of the two says that nothing is there, or takes back the look.

    If the item carried objects, an empty one only says that these were removed: two people who remove one each leave as much.
    That is merged object by object; otherwise the order of arrival would decide.
    """
    was, wants, now = _standing(step.before, step.has_others), _standing(step.after, step.has_others), _standing(current)
    agreed = {"some", was, "empty" if was == "some" else was}
    return not {now, wants} <= agreed


def _without_objects(step: Step, current: ItemAnnotations) -> ItemAnnotations:
    """The state of an item without objects: unlabelled if one of the two made it so, whatever the other did."""
    was, wants, now = _standing(step.before, step.has_others), _standing(step.after, step.has_others), _standing(current)
    stands = now if wants == was else wants if now == was else ("unlabelled" if "unlabelled" in (now, wants) else "empty")
    return None if stands == "unlabelled" else ()


def _merge_object(
    key: str, states: tuple[Parts | None, Parts | None, Parts | None], prefer: Choice, clashes: list[Clash]
) -> Parts | None:
    before, after, now = states
    if after in (before, now):
        return now
    if now == before:
        return after
    if after is None or now is None:
        clashes.append(Clash(key, "object"))
        return now if prefer == "theirs" else after
    fields_before, fields_after, fields_now = (_fields(parts) for parts in (before or [], after, now))
    merged = dict(fields_now)
    for field in dict.fromkeys([*fields_before, *fields_after]):
        was, meant, stands = fields_before.get(field), fields_after.get(field), fields_now.get(field)
        if meant in (was, stands):
            continue
        if stands != was:
            clashes.append(Clash(key, field))
            if prefer == "theirs":
                continue
        merged[field] = meant
    return _parts(merged, now[0].get("id"))


def _fields(parts: Parts) -> dict[str, Any]:
    """An object's fields that may change apart: label, each attribute, and the shape as a whole."""
    if not parts:
        return {}
    first = parts[0]
    attributes = {f"attributes.{one['name']}": one["value"] for one in first.get("attributes", ())}
    apart = ("id", "label", "attributes")
    shape = [{name: value for name, value in part.items() if name not in apart} for part in parts]
    return {"label": first.get("label"), "shape": shape, **attributes}


def _parts(fields: dict[str, Any], id_: str | None) -> Parts:
    prefix = "attributes."
    attributes = [
        {"name": name.removeprefix(prefix), "value": value}
        for name, value in sorted(fields.items())
        if name.startswith(prefix) and value is not None
    ]
    own = {"id": id_, "label": fields["label"], "attributes": attributes}
    filled = {name: value for name, value in own.items() if value not in (None, [])}
    return [{**shape, **filled} for shape in fields["shape"]]


def _objects(annotations: ItemAnnotations, takes_several: bool) -> dict[str, Parts]:
    """Objects by key, in order."""
    found: dict[str, Parts] = {}
    seen: dict[str, int] = {}
    annotations = annotations or ()
    for one, part in zip(annotations, Annotations.dump_python(annotations, mode="json"), strict=True):
        key = one.key(takes_several=takes_several)
        if key is None:  # known by its content, so a change replaces it
            key = "=" + hashlib.sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()[:24]
            seen[key] = seen.get(key, 0) + 1
            key = f"{key}/{seen[key]}"
        found.setdefault(key, []).append(part)
    return found


def _in_order(result: dict[str, Parts], before: Iterable[str], after: Iterable[str]) -> dict[str, Parts]:
    """Puts the objects that a step moved past each other where it meant them; all others keep their places."""
    common = set(before) & set(after) & set(result)
    meant = [key for key in after if key in common]
    if meant == [key for key in before if key in common]:
        return result
    turn = iter(meant)
    return {key: result[key] for key in (next(turn) if key in common else key for key in result)}


def _annotations(objects: dict[str, Parts]) -> tuple[Annotation, ...]:
    return Annotations.validate_python([part for parts in objects.values() for part in parts])
