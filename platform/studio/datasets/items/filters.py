"""Which items of a dataset: the filter, and the index along which its matches are walked in the order of ids.

Every walk goes along one index, that of the condition with the fewest items, and looks the other conditions up. Counting and
OFFSETs over the whole were decided against: both grow with the dataset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, Exists, F, Func, OuterRef, Q, QuerySet
from django.db.models.sql.compiler import SQLCompiler
from pydantic import BaseModel, ConfigDict

from automl.contracts.dataset import Split
from studio.datasets.hooks import open_comments
from studio.datasets.items.cell_tests import CellTest, CellTests
from studio.datasets.items.counts import Facet, counts_of
from studio.datasets.items.kind import ItemKind
from studio.datasets.items.kinds import kind_of
from studio.datasets.models import Dataset, Item, ItemFact, ItemFlag, ItemLabel

_CELLS_AT_ONCE = 500
"""Rows read together."""


class ItemFilter(BaseModel):
    """Conditions that an item must meet, all of them; the default is every living item."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    where: Literal["present", "deleted", "quarantined"] = "present"
    state: Literal["unlabelled", "annotated"] | None = None
    split: Split | None = None
    labels: tuple[str, ...] = ()
    """Carries at least one of them."""
    without: tuple[str, ...] = ()
    """Carries none of them."""
    by: str | None = None
    """Provenance of its annotations."""
    flag: str | None = None
    """Kind of a finding of the quality report that nobody dismissed."""
    facts: tuple[tuple[str, str], ...] = ()
    """Metadata: name and value."""
    comments: Literal["open"] | None = None
    """Whether it has an open comment."""
    text: str = ""
    """Part of the name or of the text, in any case."""
    min_score: float | None = None
    """At least one annotation has a score between these two, 0..1."""
    max_score: float | None = None
    cells: tuple[CellTest, ...] = ()
    """Of rows of a table."""


class _AnyAnnotation(Func):
    """Whether an item's stored annotations hold one whose field meets a condition. Read row by row, without an index."""

    output_field = BooleanField()

    def __init__(self, column: str, name: Literal["label", "score"], condition: str, values: Sequence[str | float]) -> None:
        super().__init__(F(column))
        self._name, self._condition, self._values = name, condition, tuple(values)

    def as_sql(
        self,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
        function: str | None = None,
        template: str | None = None,
        arg_joiner: str | None = None,
        **_: object,
    ) -> tuple[str, tuple[Any, ...]]:
        """SQLite."""
        del connection, function, template, arg_joiner
        column, params = compiler.compile(self.source_expressions[0])
        found = f"json_extract(s.value, '$.{self._name}') {self._condition}"
        sql = f"EXISTS (SELECT 1 FROM json_each({column}) s WHERE {found})"  # noqa: S608 - constants and places
        return sql, (*params, *self._values)

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_: object) -> tuple[str, tuple[Any, ...]]:
        """The look at the type keeps the function away from a JSON null."""
        del connection
        column, params = compiler.compile(self.source_expressions[0])
        rows = f"jsonb_array_elements(CASE jsonb_typeof({column}) WHEN 'array' THEN {column} ELSE '[]'::jsonb END)"
        cast = "::float" if self._name == "score" else ""
        found = f"(s ->> '{self._name}'){cast} {self._condition}"
        sql = f"EXISTS (SELECT 1 FROM {rows} s WHERE {found})"  # noqa: S608 - constants and places
        return sql, (*params, *params, *self._values)


def _any_score(prefix: str, low: float, high: float) -> Q:
    return Q(_AnyAnnotation(f"{prefix}annotations", "score", "BETWEEN %s AND %s", (low, high)))


def _any_label(prefix: str, labels: Sequence[str]) -> Q:
    places = ", ".join(["%s"] * len(labels))
    return Q(_AnyAnnotation(f"{prefix}annotations", "label", f"IN ({places})", labels))


@dataclass(frozen=True)
class _Condition:
    """One condition of a filter."""

    look_up: Callable[[str], Q]
    """The condition as asked of an item (prefix "") or of a mark of one (prefix "item__")."""
    marks: QuerySet[Any] | None = None
    """Rows that an index gives in the order of items, all of which meet the condition and are of the dataset."""
    key: str = "id"
    """The marks' column with the item's id."""
    facet: Facet | None = None
    """How many items meet it: the count of ``values`` by this facet. None: nobody counts them."""
    values: Sequence[str] = ()


@dataclass(frozen=True)
class FilterIndex:
    """The index along which the matches of a filter are found, and what is to be looked up at each entry."""

    ranges: list[QuerySet[Any]]
    """The entries; several where they come from several ranges of the index."""
    marks: QuerySet[Any]
    """The ranges in one."""
    key: str
    rest: list[Q]
    is_exact: bool
    """Whether every entry is a match."""
    cells: CellTests | None = None
    """What is asked of the cells of each entry, read row by row."""

    def matching(self, *, after: str = "", start: str = "", stop: str = "", until: str = "") -> Iterator[str]:
        """Ids of matches in order, within the bounds of ``ids``; no more is read than is taken."""
        ids = self.ids(after=after, start=start, stop=stop, until=until)
        return iter(ids) if self.cells is None else self.cells.kept(ids.iterator(chunk_size=_CELLS_AT_ONCE))

    def count(self, *, start: str = "", until: str = "") -> int:
        """How many match within bounds."""
        if self.cells is None:
            return self.ids(start=start, until=until).count()
        return sum(1 for _ in self.matching(start=start, until=until))

    def ids(self, *, after: str = "", start: str = "", stop: str = "", until: str = "") -> QuerySet[Any]:
        """Ids of matches in order, within bounds: ``after`` and ``stop`` are left out, ``start`` and ``until`` belong to it.

        Of the cells nothing is asked: see ``matching``.
        """
        rows = self.marks.filter(**_between(self.key, after=after, start=start, stop=stop, until=until))
        rows = rows.filter(*self.rest).order_by(self.key).values_list(self.key, flat=True)
        return rows.distinct() if len(self.ranges) > 1 else rows

    def window_end(self, size: int, *, after: str = "", start: str = "", stop: str = "") -> str | None:
        """Id at which ``size`` entries of the index have been looked at; None when fewer remain."""
        ends: list[str] = []
        for rows in self.ranges:
            inside = rows.filter(**_between(self.key, after=after, start=start, stop=stop)).order_by(self.key)
            ends += inside.values_list(self.key, flat=True)[size - 1 : size]
        return min(ends) if ends else None


def _between(key: str, *, after: str = "", start: str = "", stop: str = "", until: str = "") -> dict[str, str]:
    bounds = {"gt": after, "gte": start, "lt": stop, "lte": until}
    return {f"{key}__{name}": value for name, value in bounds.items() if value}


def filter_index(dataset: Dataset, criteria: ItemFilter) -> FilterIndex:
    """Chooses the index for a filter: that of the condition which the fewest items meet."""
    base, *others = _conditions(dataset, criteria)
    walkable = [one for one in others if one.marks is not None]
    best = base if not walkable else walkable[0]
    if len(walkable) > 1:
        counts = counts_of(dataset.id)
        # What nobody counts is metadata and comments, which tend to be rare.
        best = min(walkable, key=lambda one: sum(counts[one.facet].get(v, 0) for v in one.values) if one.facet else 0)
    assert best.marks is not None
    prefix = "" if best.key == "id" else "item__"
    # An index of items themselves holds only what the base condition asks for, and so does that of labels.
    rest = [one for one in others if one is not best]
    looked_up = [one.look_up(prefix) for one in rest]
    if best.marks.model not in (Item, ItemLabel):
        looked_up.append(base.look_up(prefix))
    is_several = best.facet is Facet.LABEL and len(best.values) > 1
    ranges = [best.marks.filter(label=label) for label in best.values] if is_several else [best.marks]
    cells = CellTests(dataset, criteria.cells) if criteria.cells else None
    return FilterIndex(ranges, best.marks, best.key, looked_up, not looked_up and not is_several and cells is None, cells)


def _conditions(dataset: Dataset, criteria: ItemFilter) -> list[_Condition]:
    """The conditions of a filter; the first says which items there are at all."""
    is_present = criteria.where == "present"
    rows = Item.objects.filter(dataset=dataset, deleted_at__isnull=is_present)
    if criteria.where == "present":
        found = [_Condition(lambda prefix: Q(**{f"{prefix}deleted_at": None}), rows)]
    elif criteria.where == "deleted":
        found = [_Condition(lambda prefix: Q(**{f"{prefix}deleted_at__isnull": False}), rows)]
    else:
        found = [_Condition(lambda prefix: ~Q(**{f"{prefix}quarantine": ""}), rows.exclude(quarantine=""))]
    columns = (
        ("state", criteria.state, Facet.STATE),
        ("split", None if criteria.split is None else criteria.split.value, Facet.SPLIT),
        ("provenance", criteria.by, Facet.PROVENANCE),
    )
    for name, value, facet in columns:
        if value is not None:
            marks = rows.filter(**{name: value}) if is_present else None
            look_up = _column_of_present(dataset, name, value) if is_present else _column(name, value)
            found.append(_Condition(look_up, marks, facet=facet, values=(value,)))
    found += _label_conditions(dataset, criteria, is_present)
    if criteria.flag is not None:
        flags = ItemFlag.objects.filter(dataset=dataset, kind=criteria.flag, dismissed_at=None)
        found.append(_Condition(_marked(flags), flags, "item_id", Facet.FLAG, (criteria.flag,)))
    for name, value in criteria.facts:
        facts = ItemFact.objects.filter(dataset=dataset, name=name, value=value)
        found.append(_Condition(_marked(facts), facts, "item_id"))
    if criteria.comments is not None:
        comments = open_comments(dataset.id)
        found.append(_Condition(_marked(comments), comments, "item_id"))
    if criteria.text:
        found.append(_Condition(_worded(criteria.text, kind_of(dataset.project))))
    if criteria.min_score is not None or criteria.max_score is not None:
        low, high = criteria.min_score or 0.0, 1.0 if criteria.max_score is None else criteria.max_score
        found.append(_Condition(lambda prefix: _any_score(prefix, low, high)))
    return found


def _label_conditions(dataset: Dataset, criteria: ItemFilter, is_present: bool) -> list[_Condition]:
    found = []
    if criteria.labels:
        marks = ItemLabel.objects.filter(dataset=dataset, label__in=criteria.labels)
        if is_present:
            found.append(_Condition(_marked(marks), marks, "item_id", Facet.LABEL, criteria.labels))
        else:
            found.append(_Condition(lambda prefix: _any_label(prefix, criteria.labels)))
    if criteria.without:
        without = ItemLabel.objects.filter(dataset=dataset, label__in=criteria.without)
        if is_present:
            found.append(_Condition(lambda prefix: ~_marked(without)(prefix)))
        else:
            found.append(_Condition(lambda prefix: ~_any_label(prefix, criteria.without)))
    return found


def _worded(part: str, kind: ItemKind) -> Callable[[str], Q]:
    """Part of the name, or of an item's text."""
    return lambda prefix: Q(**{f"{prefix}name__icontains": part}) | kind.matches(prefix, part)


def _column(name: str, value: str) -> Callable[[str], Q]:
    return lambda prefix: Q(**{f"{prefix}{name}": value})


def _column_of_present(dataset: Dataset, name: str, value: str) -> Callable[[str], Q]:
    """The same of living items, in the words of the column's index: an entry of a mark is looked up in it, not in the rows."""

    def look_up(prefix: str) -> Q:
        of_index = Q(**{f"{prefix}dataset": dataset, f"{prefix}deleted_at": None}) if prefix else Q()
        return of_index & Q(**{f"{prefix}{name}": value})

    return look_up


def _marked(marks: QuerySet[Any]) -> Callable[[str], Q]:
    return lambda prefix: Q(Exists(marks.filter(item=OuterRef("item_id" if prefix else "pk"))))
