"""What a person's rule moves when a version is cut: items that no version holds and whose split nobody assigned.

Only what is annotated comes into a version, so only that is looked at; groups stay together whatever the rule. Of a million
rows the ids and the values of one field are read, and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from sys import intern
from typing import Any, NamedTuple

import orjson
from django.db.models import QuerySet

from automl.contracts.dataset import Split, SplitShares, split_of_group
from automl.contracts.table import Column, ColumnKind
from automl.contracts.words import Words
from engine.table.guess import column_guess
from runtime.cells import ISO, MISSING_TIME, moments_of
from studio.datasets.items.annotations import CHUNK
from studio.datasets.items.kinds import kind_of
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import Dataset, Item, ItemFact, ItemState, SplitSource, Upload
from studio.datasets.versions.errors import SplitFieldError
from studio.datasets.versions.split_rule import SplitBy, SplitRule, TimedGroup, joined, split_by_name, split_by_time
from studio.datasets.versions.stratified_splits import Moves, rare_labels, versioned_items
from studio.datasets.versions.stratify import SplitGroup, stratified

words = Words(__file__)

_GUESSED_BY = 200
"""Values of metadata by which it is seen whether they are moments."""
_ASSIGNED = frozenset({SplitSource.IMPORT.value, SplitSource.PERSON.value, SplitSource.CARVED.value})


class SplitFields(NamedTuple):
    """What a rule may name."""

    moments: tuple[str, ...]
    """By time."""
    values: tuple[str, ...]
    """By value, and to name splits."""


class _Row(NamedTuple):
    id: str
    unit: str
    """Items of one unit are never separated."""
    split: str
    fixed: Split | None
    value: str


def split_fields(dataset: Dataset) -> SplitFields:
    """Columns of a table, or names of metadata, that a rule may name."""
    if kind_of(dataset.project).has_columns:
        schema = schema_of(dataset)
        target = None if schema is None else schema.target
        columns = [column for column in (schema.columns if schema else ()) if column != target]
        moments = tuple(column.name for column in columns if column.kind is ColumnKind.DATETIME)
        return SplitFields(moments, tuple(column.name for column in columns))
    names = ItemFact.objects.filter(dataset=dataset).order_by("name").values_list("name", flat=True).distinct()
    values = tuple(names[:100])
    return SplitFields(tuple(name for name in values if _guessed(dataset, name).kind is ColumnKind.DATETIME), values)


def rule_check(dataset: Dataset, rule: SplitRule) -> None:
    """Sees whether the rule's field is there and may decide.

    Raises:
        SplitFieldError: it is not, is the target, or holds no moments.
    """
    if not rule.field:
        return
    if not kind_of(dataset.project).has_columns:
        if not ItemFact.objects.filter(dataset=dataset, name=rule.field).exists():
            raise SplitFieldError(words("split.no_metadata", field=rule.field))
        if rule.by is SplitBy.TIME and _guessed(dataset, rule.field).kind is not ColumnKind.DATETIME:
            raise SplitFieldError(words("split.no_time", field=rule.field))
        return
    schema = schema_of(dataset)
    column = None if schema is None else schema.column(rule.field)
    if schema is None or column is None:
        raise SplitFieldError(words("split.no_column", field=rule.field))
    if column == schema.target:
        raise SplitFieldError(words("split.target", field=rule.field))
    if rule.by is SplitBy.TIME and column.kind is not ColumnKind.DATETIME:
        raise SplitFieldError(words("split.no_time", field=rule.field), hint="Say that it does on the page of the columns.")


def ruled_moves(dataset: Dataset, rule: SplitRule, shares: SplitShares, hashed: SplitShares) -> Moves:
    """Which items would change their split. Writes nothing.

    Args:
        dataset: with its project.
        rule: not by labels.
        shares: of the splits to make.
        hashed: by which the hash chose the splits that are stored.

    Raises:
        SplitFieldError: see ``rule_check``.
    """
    rule_check(dataset, rule)
    units: dict[str, list[_Row]] = defaultdict(list)
    for row in _rows(dataset, rule, hashed):
        units[row.unit].append(row)
    chosen = _chosen(dataset, rule, units, shares)
    splits, num_without = {}, 0
    for unit, rows in units.items():
        split = _fixed(rows) or chosen[unit]
        splits.update({row.id: split for row in rows if row.fixed is None and row.split != split.value})
        num_without += sum(not row.value for row in rows)
    return Moves(splits=splits, groups={}, num_without=num_without)


def _fixed(rows: Sequence[_Row]) -> Split | None:
    """Where something of a unit stands and stays, if something does."""
    return next((row.fixed for row in rows if row.fixed is not None), None)


def _chosen(dataset: Dataset, rule: SplitRule, units: Mapping[str, Sequence[_Row]], shares: SplitShares) -> Mapping[str, Split]:
    """The split of each unit of which nothing is fixed."""
    if rule.by is SplitBy.TIME:
        moments = _moments(dataset, rule, units)
        timed = zip(units.items(), moments, strict=True)
        return split_by_time((TimedGroup(name, moment, len(rows), _fixed(rows)) for (name, rows), moment in timed), shares)
    if rule.by is SplitBy.NAMED:
        values = {name: max(row.value for row in rows) for name, rows in units.items() if _fixed(rows) is None}
        has_validation = any(_fixed(rows) is Split.VALIDATION for rows in units.values())
        return split_by_name(values, shares, has_validation=has_validation)
    labels, commonest = rare_labels(dataset)
    ranks = {name: min((labels[row.id] for row in rows if row.id in labels), default=(0, "")) for name, rows in units.items()}
    groups = (SplitGroup(name, ranks[name][1], len(rows), _fixed(rows)) for name, rows in units.items())
    return stratified(groups, shares, commonest=commonest)


def _moments(dataset: Dataset, rule: SplitRule, units: Mapping[str, Sequence[_Row]]) -> list[float | None]:
    """Of each unit the newest, in their order."""
    cells = [row.value or None for rows in units.values() for row in rows]
    seconds, _ = moments_of(cells, (_column(dataset, rule.field).datetime_format if rule.field else "") or ISO)
    found: list[float | None] = []
    place = 0
    for rows in units.values():
        newest = int(seconds[place : place + len(rows)].max())
        found.append(None if newest == MISSING_TIME else float(newest))
        place += len(rows)
    return found


def _rows(dataset: Dataset, rule: SplitRule, hashed: SplitShares) -> Iterator[_Row]:
    versioned = versioned_items(dataset)
    splits = {split.value: split for split in Split}
    values: Iterable[tuple[str, str, str, str | None, str]] = _values(dataset, rule)
    joint: Mapping[str, str] = {}
    if rule.by is SplitBy.VALUE:  # all items of a value and of their groups
        values = list(values)
        joint = joined((group, value) for _, group, _, _, value in values if value)
    for id_, group, split, split_by, value in values:
        fixed = splits[split] if id_ in versioned or _is_assigned(group, split, split_by, hashed) else None
        yield _Row(id_, joint.get(group, group), intern(split), fixed, intern(value))


def _is_assigned(group: str, split: str, split_by: str | None, hashed: SplitShares) -> bool:
    return split_by in _ASSIGNED or (split_by is None and split != split_of_group(group, hashed).value)


def _values(dataset: Dataset, rule: SplitRule) -> Iterator[tuple[str, str, str, str | None, str]]:
    """Id, group, split, who chose it, and the field's value of each item; what is missing is empty."""
    fields = ("id", "group", "split", "split_by")
    items = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.ANNOTATED).order_by("id")
    if not rule.field:
        uploads = dict(Upload.objects.filter(dataset=dataset).values_list("id", "created_at"))
        for *known, upload, created_at in _read(items, *fields, "upload_id", "created_at"):
            moment: datetime = uploads.get(upload, created_at)
            yield *known, moment.isoformat(timespec="seconds")
    elif kind_of(dataset.project).has_columns:
        for *known, text in _read(items, *fields, "text"):
            yield *known, str(orjson.loads(text or "{}").get("cells", {}).get(rule.field, ""))
    else:
        for *known, metadata in _read(items, *fields, "metadata"):
            yield *known, str(metadata.get(rule.field, "")).strip()


def _read(items: QuerySet[Item], *fields: str) -> Iterator[tuple[Any, ...]]:
    yield from items.values_list(*fields).iterator(chunk_size=CHUNK)


def _column(dataset: Dataset, field: str) -> Column:
    if not kind_of(dataset.project).has_columns:
        return _guessed(dataset, field)
    schema = schema_of(dataset)
    column = None if schema is None else schema.column(field)
    assert column is not None  # rule_check has seen it
    return column


def _guessed(dataset: Dataset, name: str) -> Column:
    facts = ItemFact.objects.filter(dataset=dataset, name=name).order_by("value")
    values: Collection[str] = facts.values_list("value", flat=True).distinct()[:_GUESSED_BY]
    return column_guess(name, list(values))
