"""The columns of a dataset of rows: guessed when rows come, corrected by people, and the target that a person chooses.

No change of a column touches a cell. A change of the target labels the rows anew by a job (``target_job``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pydantic
from django.db import transaction

from automl.contracts.base import Text
from automl.contracts.table import Column, ColumnKind, ColumnRole, TableSchema
from automl.contracts.words import Words
from engine.table.guess import merge, sample_rows
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.events import event_record
from studio.common.stored import read_stored
from studio.datasets.items.kinds import kind_of
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import Dataset, DatasetVersion, Item
from studio.datasets.tables.errors import ColumnsInvalidError, ColumnsStaleError, NoColumnsError
from studio.datasets.tables.target import TargetReader, classes_gather
from studio.datasets.tables.targets import target_kind
from studio.datasets.tables.targets.kind import TargetKind
from studio.jobs.models import Job
from studio.jobs.services import job_submit

words = Words(__file__)

LABEL_ROWS = "label_rows"
"""Kind of the job that labels rows from their target."""
_LOOKED_AT_ONCE = 1_000


class TargetSettings(NamedTuple):
    """What the target's cells are read by: when it changes, so do the annotations."""

    name: str
    kind: ColumnKind
    decimal: str
    units: tuple[str, ...]


def columns_of(dataset: Dataset) -> TableSchema:
    """The columns; none while no rows have come.

    Raises:
        NoColumnsError: the dataset holds no rows.
    """
    if not kind_of(dataset.project).has_columns:
        raise NoColumnsError("The items of this dataset are no rows of a table.")
    return schema_of(dataset) or TableSchema()


def columns_add(*, dataset: Dataset, guessed: TableSchema) -> TableSchema:
    """Takes in the columns of rows that came: those that are there stay as they are, new ones stand behind them.

    Raises:
        ValueError: there would be more than ``MAX_COLUMNS``.
    """
    with transaction.atomic():
        dataset = dataset_lock(dataset)
        before = schema_of(dataset)
        after = merge(before or TableSchema(), guessed)
        if after != before:
            _write(dataset, after)
    return after


def columns_set(
    *,
    dataset: Dataset,
    columns: Sequence[Column],
    revision: int,
    actor: Principal,
    keeps_annotations: bool = True,
    labels_anew: bool = False,
) -> tuple[Dataset, Job | None]:
    """Says what columns mean and which is the target; a target that is read in another way starts a job.

    Args:
        dataset: with its project.
        columns: all of them, in any order; none is renamed.
        revision: what the caller saw.
        actor: who says so.
        keeps_annotations: whether annotations that did not come from the cells stay.
        labels_anew: whether rows are labelled even when the target stays as it is.

    Raises:
        NoColumnsError: the dataset holds no rows.
        ColumnsStaleError: somebody changed them meanwhile.
        ColumnsInvalidError: they are not the dataset's columns, or the target cannot be predicted.
        TooManyClassesError: the target has too many values to be a category, as its first rows show already; of very many rows
            the job that labels them looks at the rest.
    """
    _count_classes(dataset, columns_of(dataset), columns)
    with transaction.atomic():
        project = dataset.project
        dataset = dataset_lock(dataset)
        dataset.project = project
        if dataset.columns_revision != revision:
            raise ColumnsStaleError(revision=dataset.columns_revision)
        before = schema_of(dataset) or TableSchema()
        after = _checked(before, columns, target_kind(project))
        if after != before:
            _write(dataset, after)
            detail = _detail(before, after)
            audit_record(
                workspace=project.workspace_id,
                project=project.id,
                actor=actor,
                action="data.columns_set",
                subject=dataset.id,
                detail=detail,
            )
        was, now = labelling_of(before), labelling_of(after)
        if was == now and not (labels_anew and now is not None):
            return dataset, None
        return dataset, _submit(
            dataset, keeps_annotations=keeps_annotations, drops_labels=was is not None and was[0] != (now or [""])[0]
        )


def labelling_of(schema: TableSchema | None) -> TargetSettings | None:
    """What decides on the annotations that the cells give; None without a target."""
    target = None if schema is None else schema.target
    return None if target is None else TargetSettings(target.name, target.kind, target.decimal, target.units)


def target_drop(*, dataset: Dataset, column: str) -> None:
    """Makes a target a feature again, when it still is the target: it turned out that it cannot be predicted."""
    with transaction.atomic():
        dataset = dataset_lock(dataset)
        schema = schema_of(dataset) or TableSchema()
        if schema.target is None or schema.target.name != column:
            return
        _write(dataset, TableSchema(columns=tuple(map(_as_feature, schema.columns))))


def columns_restore(*, dataset: Dataset, version: DatasetVersion) -> None:
    """Gives the columns the meaning that a version has; columns that came later stay behind them, none as the target."""
    if version.manifest.get("columns") is None:
        return
    stored = read_stored(TableSchema, version.manifest["columns"], subject=version.id)
    with transaction.atomic():
        project = dataset.project
        dataset = dataset_lock(dataset)
        dataset.project = project
        now = schema_of(dataset) or TableSchema()
        after = merge(stored, TableSchema(columns=tuple(map(_as_feature, now.columns))))
        if after != now:
            _write(dataset, after)


def dataset_lock(dataset: Dataset) -> Dataset:
    """The dataset's row as it is now, held against others who change its columns; needs a transaction around it."""
    return Dataset.objects.select_for_update(no_key=True).get(id=dataset.id)


def _count_classes(dataset: Dataset, before: TableSchema, columns: Sequence[Column]) -> None:
    """Counts the classes of a target that is newly chosen, outside of any transaction."""
    target = next((one for one in columns if one.role is ColumnRole.TARGET), None)
    kind = target_kind(dataset.project)
    if target is None or target == before.target or not kind.has_labels:
        return
    rows = Item.objects.filter(dataset=dataset, text__isnull=False).order_by("id").values_list("text", flat=True)
    texts = rows[: sample_rows(len(columns))].iterator(chunk_size=_LOOKED_AT_ONCE)
    classes_gather(TargetReader(target, kind), (text for text in texts if text is not None))


def _as_feature(column: Column) -> Column:
    return column.model_copy(update={"role": ColumnRole.FEATURE}) if column.role is ColumnRole.TARGET else column


def _checked(before: TableSchema, columns: Sequence[Column], kind: TargetKind) -> TableSchema:
    try:
        after = TableSchema(columns=tuple(columns))
    except pydantic.ValidationError as error:
        messages = [str(one["msg"]) for one in error.errors()]
        raise ColumnsInvalidError(Text.same("; ".join(messages)), fields={"columns": messages}) from None
    known, given = {one.name for one in before.columns}, {one.name for one in after.columns}
    if known != given:
        wrong = sorted(known ^ given)[:10]
        raise ColumnsInvalidError(
            words("columns.other", columns=", ".join(wrong)),
            hint="Send all columns as they were read, with what is to change.",
            fields={"columns": wrong},
        )
    target = after.target
    if target is not None and target.kind not in kind.columns:
        raise ColumnsInvalidError(
            kind.refusal(target.name),
            hint="Change the column's kind, or choose another target.",
            fields={"columns": [f"{target.name}: {target.kind.value}"]},
        )
    return after


def _write(dataset: Dataset, schema: TableSchema) -> None:
    dataset.columns = schema.model_dump(mode="json")
    dataset.columns_revision += 1
    dataset.save(update_fields=["columns", "columns_revision"])
    project = dataset.project
    event_record(
        workspace=project.workspace_id,
        project=project.id,
        type="columns.changed",
        subject=dataset.id,
        data={"revision": dataset.columns_revision},
    )


def _detail(before: TableSchema, after: TableSchema) -> dict[str, Any]:
    """What the audit trail records: the columns that changed, with their kinds and roles."""
    changed = [one for one in after.columns if one != before.column(one.name)]
    return {"columns": [one.model_dump(mode="json") for one in changed[:100]], "num_changed": len(changed)}


def _submit(dataset: Dataset, *, keeps_annotations: bool, drops_labels: bool) -> Job:
    return job_submit(
        workspace=dataset.project.workspace_id,
        project=dataset.project_id,
        kind=LABEL_ROWS,
        title=words("job.label_rows"),
        subject=dataset.id,
        payload={"dataset": dataset.id, "keeps_annotations": keeps_annotations, "drops_labels": drops_labels},
    )
